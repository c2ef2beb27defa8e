//! Why a condition is false: the values of the parts that decided it.
//!
//! Runs only for a clause that failed, with its frame still there: the parts are compiled and evaluated
//! again, one by one. What cannot be evaluated is left out.

use super::clause::CompiledSpecs;
use super::code::Op;
use super::run::{Run, State};
use super::show::Show;
use super::stop::Part;
use super::value::Value;
use super::value_text::ValueText;
use super::{Limits, Memory};
use crate::ctypes::TypeId;
use crate::spec::checked::{Expr, ExprKind, Pattern};
use crate::spec::types::Type;

/// So many parts are shown.
const MAX_PARTS: usize = 24;

/// Evaluates parts of a clause in the frame in which it failed.
pub(super) struct Explain<'x> {
    pub(super) compiled: &'x mut CompiledSpecs,
    pub(super) state: &'x mut State,
    pub(super) memory: &'x dyn Memory,
    pub(super) captures: &'x [u64],
    pub(super) capture_types: &'x [TypeId],
    pub(super) limits: Limits,
    /// The frame, and how large it is.
    pub(super) base: usize,
    pub(super) n_frame: usize,
    pub(super) parts: Vec<Part>,
    /// Slots and captures among them.
    pub(super) known: Vec<(u8, u32)>,
}

impl Explain<'_> {
    /// Adds the parts that made a condition what it is.
    pub(super) fn condition(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::And(a, b) => match self.truth(a) {
                Some(true) => self.condition(b),
                _ => self.condition(a),
            },
            ExprKind::Or(a, b) => {
                self.condition(a);
                if self.truth(a) == Some(false) {
                    self.condition(b);
                }
            }
            ExprKind::Implies(a, b) => {
                self.condition(a);
                if self.truth(a) == Some(true) {
                    self.condition(b);
                }
            }
            ExprKind::Not(of) => self.condition(of),
            ExprKind::If(c, a, b) => {
                self.condition(c);
                match self.truth(c) {
                    Some(true) => self.condition(a),
                    Some(false) => self.condition(b),
                    None => {}
                }
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, value)| self.operand(value));
                self.condition(body);
            }
            ExprKind::Match(of) => {
                self.operand(&of.of);
                self.matching(e);
            }
            ExprKind::Each { body, .. } => self.condition(body),
            ExprKind::Boolean(_) => {}
            // `{ e }unchanged`: one text, two values.
            ExprKind::Equal(now, then) if now.span == then.span => self.unchanged(now, then),
            ExprKind::Slot(_)
            | ExprKind::Member(..)
            | ExprKind::Field(..)
            | ExprKind::Call(..)
            | ExprKind::MapGet(..) => {
                self.operand(e);
            }
            _ => e.each_child(&mut |child| self.operand(child)),
        }
    }

    fn unchanged(&mut self, now: &Expr, then: &Expr) {
        if let (Some(value), Some(before)) = (self.value(now), self.value(then)) {
            let (value, before) = (self.show(value, &now.ty), self.show(before, &then.ty));
            self.parts.push(Part { span: now.span, value, before: Some(before) });
        }
    }

    /// The arm that was taken, if it can be told by the constructor alone.
    fn matching(&mut self, e: &Expr) {
        let ExprKind::Match(of) = &e.kind else { return };
        let Some(Value::Data { constructor, .. }) = self.value(&of.of) else { return };
        let candidates = of.arms_of.get(constructor as usize).map_or(&[][..], Vec::as_slice);
        let [only] = candidates else { return };
        let Some(arm) = of.arms.get(*only as usize) else { return };
        let is_flat = match &arm.pattern {
            Pattern::Construct(_, fields) => fields.iter().all(|(_, p)| !matches!(p, Pattern::Construct(..))),
            _ => true,
        };
        if is_flat {
            self.condition(&arm.body);
        }
    }

    /// Adds a value, and those of what it is made from.
    fn operand(&mut self, e: &Expr) {
        let is_literal = matches!(
            e.kind,
            ExprKind::Bits(_)
                | ExprKind::Integer(_)
                | ExprKind::Boolean(_)
                | ExprKind::Null
                | ExprKind::Unit
                | ExprKind::Default
        );
        let is_literal =
            is_literal || matches!(&e.kind, ExprKind::Construct(_, _, fields) if fields.is_empty());
        if is_literal || self.parts.len() >= MAX_PARTS || self.is_known(e) {
            return;
        }
        if let Some(value) = self.value(e) {
            let value = self.show(value, &e.ty);
            if !self.parts.iter().any(|part| part.span == e.span) {
                self.parts.push(Part { span: e.span, value, before: None });
            }
        }
        match &e.kind {
            // The body of a binding has slots that the frame does not have.
            ExprKind::Match(_) | ExprKind::Let(..) | ExprKind::Each { .. } => {}
            // `q.front` says enough without all of `q`.
            ExprKind::Member(of, _) | ExprKind::Field(of, _) if is_path(of) => {}
            _ => e.each_child(&mut |child| self.operand(child)),
        }
    }

    /// Whether a variable was shown already; notes it.
    fn is_known(&mut self, e: &Expr) -> bool {
        let variable = match e.kind {
            ExprKind::Slot(slot) => (0, slot.0),
            ExprKind::Capture(id) => (1, id.0),
            _ => return false,
        };
        let is_known = self.known.contains(&variable);
        if !is_known {
            self.known.push(variable);
        }
        is_known
    }

    fn truth(&mut self, e: &Expr) -> Option<bool> {
        match self.value(e) {
            Some(Value::Boolean(value)) => Some(value),
            _ => None,
        }
    }

    pub(super) fn show(&self, value: Value, ty: &Type) -> ValueText {
        let name = |address| self.memory.name(address);
        Show { code: &self.compiled.code, arena: &self.state.arena, name: &name }.text(value, ty)
    }

    /// Compiles an expression after everything else and runs it in a copy of the frame, because the compiled
    /// code needs room of its own there. What it binds is copied back, so that the body of a binding can be
    /// evaluated next.
    fn value(&mut self, e: &Expr) -> Option<Value> {
        let length = self.compiled.code.length();
        let n_ops = self.compiled.code.ops.len();
        let mut compiler =
            self.compiled.compiler(&mut self.state.arena, self.capture_types, self.n_frame as u32);
        compiler.expr(e);
        compiler.emit(Op::End, e.span);
        let n_frame = compiler.n_frame as usize;
        let base = self.state.stack.len();
        let n_frames = self.state.frames.len();
        self.state.stack.extend_from_within(self.base..self.base + self.n_frame);
        self.state.stack.resize(base + n_frame, Value::Missing);
        let mut run = Run {
            code: &self.compiled.code,
            state: self.state,
            memory: self.memory,
            captures: self.captures,
            is_decreed: false,
            limits: Limits { depth: self.limits.depth.saturating_add(n_frames as u32), ..self.limits },
            n_steps: 0,
            pc: n_ops,
            base,
            clause: u32::MAX,
        };
        let value = run.run::<false>().ok();
        self.state.stack.copy_within(base..base + self.n_frame, self.base);
        self.state.stack.truncate(base);
        self.state.frames.truncate(n_frames);
        self.compiled.code.truncate(length);
        value
    }
}

/// `x`, `x.f`, `x.f.g`
fn is_path(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Slot(_) | ExprKind::Capture(_) => true,
        ExprKind::Member(of, _) | ExprKind::Field(of, _) => is_path(of),
        _ => false,
    }
}
