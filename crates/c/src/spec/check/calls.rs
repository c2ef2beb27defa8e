//! Calls: of spec functions, and of what is built in.

use super::operators::Pair;
use super::{Checker, expr, wrong};
use crate::spec::ast::{self, Name};
use crate::spec::checked::{Arithmetic, Builtin, Expr, ExprKind, NotRun};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type};
use std::sync::Arc;

/// What a builtin does.
#[derive(Clone, Copy)]
enum Meaning {
    Not,
    PointerTest(Builtin),
    PointerEqual,
    ProvenanceEqual,
    Counting(Builtin),
    Arithmetic(Arithmetic),
    Option(Builtin),
    Limit(Bits, bool),
}

impl Meaning {
    fn arity(self) -> usize {
        match self {
            Meaning::Limit(..) => 0,
            Meaning::Not | Meaning::PointerTest(_) | Meaning::Counting(_) | Meaning::Option(_) => 1,
            Meaning::PointerEqual | Meaning::ProvenanceEqual | Meaning::Arithmetic(_) => 2,
        }
    }
}

const NAMES: [&str; 22] = [
    "not",
    "is_null",
    "ptr_eq",
    "prov_eq",
    "addr_eq",
    "has_alloc_id",
    "bw_clz",
    "bw_ctz",
    "bw_ffs",
    "bw_fls",
    "shift_left",
    "shift_right",
    "power",
    "rem",
    "mod",
    "is_some",
    "is_none",
    "get_opt",
    "mul_uf",
    "div_uf",
    "xor_uf",
    "Some",
];

/// What is built in under a name. The older names end with `_uf`.
fn builtin(name: &str) -> Option<Meaning> {
    if let Some(of) = name.strip_prefix("MIN") {
        return Bits::from_name(of).map(|bits| Meaning::Limit(bits, false));
    }
    if let Some(of) = name.strip_prefix("MAX") {
        return Bits::from_name(of).map(|bits| Meaning::Limit(bits, true));
    }
    Some(match name.strip_suffix("_uf").unwrap_or(name) {
        "not" => Meaning::Not,
        "is_null" => Meaning::PointerTest(Builtin::IsNull),
        "has_alloc_id" => Meaning::PointerTest(Builtin::HasAllocId),
        "ptr_eq" | "addr_eq" => Meaning::PointerEqual,
        "prov_eq" => Meaning::ProvenanceEqual,
        "bw_clz" => Meaning::Counting(Builtin::LeadingZeros),
        "bw_ctz" => Meaning::Counting(Builtin::TrailingZeros),
        "bw_ffs" => Meaning::Counting(Builtin::FirstSet),
        "bw_fls" => Meaning::Counting(Builtin::LastSet),
        "shift_left" => Meaning::Arithmetic(Arithmetic::ShiftLeft),
        "shift_right" => Meaning::Arithmetic(Arithmetic::ShiftRight),
        "power" => Meaning::Arithmetic(Arithmetic::Power),
        "rem" => Meaning::Arithmetic(Arithmetic::Remainder),
        "mod" => Meaning::Arithmetic(Arithmetic::Modulo),
        "mul" if name != "mul" => Meaning::Arithmetic(Arithmetic::Multiply),
        "div" if name != "div" => Meaning::Arithmetic(Arithmetic::Divide),
        "xor" if name != "xor" => Meaning::Arithmetic(Arithmetic::BitXor),
        "bw_and" if name != "bw_and" => Meaning::Arithmetic(Arithmetic::BitAnd),
        "bw_or" if name != "bw_or" => Meaning::Arithmetic(Arithmetic::BitOr),
        "bw_xor" if name != "bw_xor" => Meaning::Arithmetic(Arithmetic::BitXor),
        "is_some" => Meaning::Option(Builtin::IsSome),
        "is_none" => Meaning::Option(Builtin::IsNone),
        "get_opt" => Meaning::Option(Builtin::GetOption),
        "Some" => Meaning::Option(Builtin::Some),
        _ => return None,
    })
}

impl Checker<'_> {
    /// `f(x, …)`
    pub(super) fn call(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> Expr {
        if let Some(id) = self.table.functions.get(&name.text).copied() {
            let function = &self.specs.functions[id.0 as usize];
            let (ty, types): (Type, Vec<Type>) =
                (function.ty.clone(), function.parameters.iter().map(|p| p.ty.clone()).collect());
            let defined = function.span;
            let arguments = self.arguments(&name.text, &types, arguments, Some(defined), span);
            return expr(ExprKind::Call(id, arguments), ty, span);
        }
        if let Some(meaning) = builtin(&name.text) {
            return self.builtin(meaning, name, arguments, span);
        }
        let message = format!("unknown function `{}`", name.text);
        let diagnostic = Diagnostic::error(name.span, message);
        let diagnostic = if self.table.predicates.contains_key(&name.text) {
            Diagnostic::error(name.span, format!("`{}` is a predicate, which owns memory", name.text))
                .help(format!("take it: `take X = {}(…);`", name.text))
        } else if matches!(name.text.as_str(), "RW" | "W" | "R" | "Owned" | "Block") {
            Diagnostic::error(name.span, format!("`{}` is a resource", name.text))
                .help(format!("take it: `take X = {}<T>(p);`", name.text))
        } else if self.table.constructors.contains_key(&name.text) {
            diagnostic.help(format!("it is a constructor: write `{} {{ … }}`", name.text))
        } else if self.table.c_functions.contains_key(&name.text) {
            diagnostic.note("it is a C function, and specs do not call those").help(format!(
                "declare `function (T) g(…)` without a body, and lift `{}` with `cn_function g;`",
                name.text
            ))
        } else if name.text == "old" {
            diagnostic.help("what `requires` has named keeps its value: name it there, and use the name here")
        } else {
            let own = self.table.functions.keys().map(String::as_str);
            let help = self.suggestion(&name.text, own.chain(NAMES));
            diagnostic.maybe_help(help)
        };
        if !self.diagnostics.is_unread(&name.text) {
            self.report(diagnostic);
        }
        arguments.iter().for_each(|e| drop(self.expr(e)));
        wrong(span)
    }

    /// Arguments of the right number and types.
    pub(super) fn arguments(
        &mut self,
        name: &str,
        types: &[Type],
        given: &[ast::Expr],
        defined: Option<Span>,
        span: Span,
    ) -> Vec<Expr> {
        if given.len() != types.len() {
            let n = types.len();
            let plural = if n == 1 { "" } else { "s" };
            let mut diagnostic = Diagnostic::error(
                span,
                format!("`{name}` takes {n} argument{plural}, here are {}", given.len()),
            );
            if let Some(defined) = defined {
                diagnostic = diagnostic.label(defined, "defined here");
            }
            self.report(diagnostic);
        }
        let mut checked: Vec<Expr> = given
            .iter()
            .enumerate()
            .map(|(k, e)| match types.get(k) {
                Some(ty @ Type::Pointer(_)) => {
                    let value = self.pointer_or(e);
                    self.coerce(value, ty, e)
                }
                Some(ty) => self.expect(e, ty),
                None => self.expr(e),
            })
            .collect();
        checked.resize_with(types.len(), || wrong(span));
        checked
    }

    fn builtin(&mut self, meaning: Meaning, name: &Name, given: &[ast::Expr], span: Span) -> Expr {
        if given.len() != meaning.arity() {
            let types = vec![Type::Unknown; meaning.arity()];
            self.arguments(&name.text, &types, given, None, span);
            return wrong(span);
        }
        match (meaning, given) {
            (Meaning::Limit(bits, is_max), _) => {
                let value = if is_max { bits.greatest() } else { bits.least() };
                expr(ExprKind::Bits(bits.pattern(&value)), Type::Bits(bits), span)
            }
            (Meaning::Not, [of]) => {
                let of = self.condition(of);
                super::fold::not(of, span)
            }
            (Meaning::PointerTest(which), [of]) => {
                let of = self.pointer(of);
                expr(ExprKind::Builtin(which, vec![of]), Type::Boolean, span)
            }
            (Meaning::PointerEqual, [a, b]) => {
                let (a, b) = (Box::new(self.pointer(a)), Box::new(self.pointer(b)));
                expr(ExprKind::Equal(a, b), Type::Boolean, span)
            }
            (Meaning::ProvenanceEqual, [a, b]) => {
                let arguments = vec![self.pointer(a), self.pointer(b)];
                self.mark_not_run(NotRun::AllocationIds, span);
                expr(ExprKind::Builtin(Builtin::ProvenanceEqual, arguments), Type::Boolean, span)
            }
            (Meaning::Counting(which), [of]) => self.counting(which, name, of, span),
            (Meaning::Arithmetic(op), [a, b]) => {
                let checked = (self.expr(a), self.expr(b));
                self.arithmetic(op, &name.text, Pair { ast: (a, b), checked }, span)
            }
            (Meaning::Option(which), [of]) => self.option(which, of, span),
            _ => wrong(span),
        }
    }

    fn counting(&mut self, which: Builtin, name: &Name, of: &ast::Expr, span: Span) -> Expr {
        let value = self.expr(of);
        // The older names worked on C's `int`.
        let value = super::expressions::adapt(value, &Type::Bits(Bits::I32));
        if !matches!(value.ty, Type::Bits(_) | Type::Unknown) {
            let shown = self.show(&value.ty);
            self.error(of.span, format!("`{}` counts bits, and `{shown}` has none", name.text));
            return wrong(span);
        }
        let ty = value.ty.clone();
        expr(ExprKind::Builtin(which, vec![value]), ty, span)
    }

    fn option(&mut self, which: Builtin, of: &ast::Expr, span: Span) -> Expr {
        let value = self.expr(of);
        if which == Builtin::Some {
            let ty = self.bounded(Type::Option(Arc::new(value.ty.clone())), span);
            return expr(ExprKind::Builtin(which, vec![value]), ty, span);
        }
        let ty = match (&value.ty, which) {
            (Type::Unknown, _) => return wrong(span),
            (Type::Option(of), Builtin::GetOption) => (**of).clone(),
            (Type::Option(_), _) => Type::Boolean,
            // A byte is there once its memory was taken with a value: CN has options for those of
            // `[[cerb::byte]]`.
            (Type::Bits(bits), Builtin::GetOption) if bits.width == 8 => return value,
            (Type::Bits(bits), _) if bits.width == 8 => {
                let is_some = which == Builtin::IsSome;
                return expr(ExprKind::Boolean(is_some), Type::Boolean, span);
            }
            (other, _) => {
                let shown = self.show(other);
                self.error(of.span, format!("expected a `cn_option`, found `{shown}`"));
                return wrong(span);
            }
        };
        expr(ExprKind::Builtin(which, vec![value]), ty, span)
    }
}
