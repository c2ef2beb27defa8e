//! Memory in expressions: `*p`, `p->f`, `g`, `&x`, and pointers that are moved.
//!
//! What a block has taken is found by a key of the pointer, so `*p` becomes the slot that `take X = RW<T>(p)`
//! has filled.

use super::scope::{BindingKind, Mode, TakenSlot};
use super::{Checker, expr, wrong};
use crate::ctypes::{CType, TypeId};
use crate::spec::ast::{self, BinaryOp, CTypeExpr, ExprKind as Ast, Name};
use crate::spec::checked::{CFunctionId, Expr, ExprKind, GlobalId};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type, of_c};
use std::fmt::Write;

use super::expressions::short;

impl Checker<'_> {
    /// The value of a global.
    pub(super) fn global(&mut self, k: u32, span: Span) -> Expr {
        let address = self.global_address(k, span);
        let variable = &self.program.globals[k as usize];
        let (name, ctype) = (variable.name.clone(), variable.ty);
        if let Some(found) = self.lookup(&address, &name, span) {
            return found;
        }
        let key = key(&address).unwrap_or_default();
        let is_accessed = self.scope.taken_at_entry.contains_key(&key);
        let can_load =
            self.scope.mode == Mode::Statement || (self.scope.mode == Mode::Invariant && is_accessed);
        if can_load && self.scope.start.is_none() {
            return self.load(address, ctype, span);
        }
        let shown = self.ctypes.name(ctype);
        let help = match self.scope.mode {
            Mode::Function => "hand its value in as an argument".to_string(),
            Mode::Requires | Mode::Ensures => format!("write `accesses {name};` before `requires`"),
            _ => format!("take it first: `take X = RW<{shown}>(&{name});`"),
        };
        let state = if self.scope.start.is_some() {
            "was not owned when the function was entered"
        } else {
            "is not owned here"
        };
        self.report(Diagnostic::error(span, format!("the global `{name}` {state}")).help(help));
        wrong(span)
    }

    fn global_address(&self, k: u32, span: Span) -> Expr {
        let ty = Type::Pointer(Some(self.program.globals[k as usize].ty));
        expr(ExprKind::GlobalAddress(GlobalId(k)), ty, span)
    }

    fn load(&mut self, pointer: Expr, ctype: TypeId, span: Span) -> Expr {
        self.speaks_of(ctype, span);
        match of_c(self.ctypes, ctype) {
            Some(ty) if ty != Type::Void => expr(ExprKind::Load(Box::new(pointer), ctype), ty, span),
            _ => {
                let shown = self.ctypes.name(ctype);
                self.error(span, format!("specs cannot speak of values of the C type `{shown}`"));
                wrong(span)
            }
        }
    }

    /// What was taken from where a pointer points.
    fn lookup(&mut self, pointer: &Expr, name: &str, span: Span) -> Option<Expr> {
        let taken = self.scope.taken(&key(pointer)?)?;
        let TakenSlot { slot, ty, is_initialised, .. } = taken.clone();
        if !is_initialised {
            return Some(self.uninitialised(name, slot, ty, span));
        }
        Some(expr(ExprKind::Slot(slot), ty, span))
    }

    /// `*p`
    pub(super) fn deref_of(&mut self, of: &ast::Expr, span: Span) -> Expr {
        let pointer = self.pointer(of);
        if pointer.ty.is_unknown() {
            return wrong(span);
        }
        let name = format!("*{}", short(of));
        if let Some(found) = self.lookup(&pointer, &name, span) {
            return found;
        }
        if self.scope.mode == Mode::Function {
            return self.no_memory(&name, span);
        }
        let Some(ctype) = self.pointee(&pointer, of, span) else { return wrong(span) };
        if self.scope.mode == Mode::Statement && self.scope.start.is_none() {
            return self.load(pointer, ctype, span);
        }
        self.not_taken(&name, ctype, &short(of), span)
    }

    fn no_memory(&mut self, name: &str, span: Span) -> Expr {
        let diagnostic =
            Diagnostic::error(span, format!("a function sees no memory, so it cannot read `{name}`"))
                .help("hand the value in as an argument, or make it a predicate");
        self.report(diagnostic);
        wrong(span)
    }

    fn not_taken(&mut self, name: &str, ctype: TypeId, pointer: &str, span: Span) -> Expr {
        let shown = self.ctypes.name(ctype);
        let diagnostic = match (self.scope.mode, self.scope.start) {
            (_, Some(_)) => {
                Diagnostic::error(span, format!("`{name}` was not owned when the function was entered"))
                    .help(format!("`requires` must take it: `take X = RW<{shown}>({pointer});`"))
            }
            _ => Diagnostic::error(span, format!("`{name}` is not owned here"))
                .help(format!("take it first: `take X = RW<{shown}>({pointer});`")),
        };
        self.report(diagnostic);
        wrong(span)
    }

    /// `p->f`
    pub(super) fn arrow(&mut self, of: &ast::Expr, name: &Name, span: Span) -> Expr {
        let pointer = self.pointer(of);
        if pointer.ty.is_unknown() {
            return wrong(span);
        }
        if let Some(whole) = self.lookup(&pointer, &short(of), span) {
            return self.member_of_value(whole, name, span);
        }
        if self.scope.mode == Mode::Function {
            return self.no_memory(&format!("{}->{}", short(of), name.text), span);
        }
        let Some(ctype) = self.pointee(&pointer, of, span) else { return wrong(span) };
        let CType::Record(record) = self.ctypes.get(ctype) else {
            let shown = self.ctypes.name(ctype);
            self.error(span, format!("`{}` points to `{shown}`, which has no members", short(of)));
            return wrong(span);
        };
        let record = *record;
        let Some(member) = self.member(record, name) else { return wrong(span) };
        let address = expr(
            ExprKind::Offset(Box::new(pointer.clone()), member.offset),
            Type::Pointer(Some(member.ctype)),
            span,
        );
        let shown = format!("{}->{}", short(of), name.text);
        if let Some(found) = self.lookup(&address, &shown, span) {
            return found;
        }
        if self.scope.mode == Mode::Statement && self.scope.start.is_none() {
            if member.is_bit_field {
                // The bits lie inside the record's bytes, so the record is read.
                let whole = self.load(pointer, ctype, span);
                return self.member_of_value(whole, name, span);
            }
            return self.load(address, member.ctype, span);
        }
        self.not_taken(&shown, ctype, &short(of), span)
    }

    /// A pointer; a C array stands for its address, as in C.
    pub(super) fn pointer(&mut self, e: &ast::Expr) -> Expr {
        let checked = self.pointer_or(e);
        if matches!(checked.ty, Type::Pointer(_) | Type::Unknown) {
            return checked;
        }
        let shown = self.show(&checked.ty);
        let has_members = matches!(checked.ty, Type::Struct(_) | Type::Record(_));
        let help = has_members.then(|| "the members of a value are written `X.member`".to_string());
        let message = format!("expected a pointer, found `{shown}`");
        self.report(Diagnostic::error(e.span, message).maybe_help(help));
        wrong(e.span)
    }

    /// An expression; a C array stands for its address.
    pub(super) fn pointer_or(&mut self, e: &ast::Expr) -> Expr {
        if let Ast::Variable(name) = &e.kind {
            let binding = self.scope.find(&name.text).map(|binding| binding.kind);
            let ctype = match binding {
                Some(BindingKind::Variable(ctype)) => Some(ctype),
                Some(_) => None,
                None => self.global_named(name).map(|k| self.program.globals[k as usize].ty),
            };
            if let Some(CType::Array { of, .. }) = ctype.map(|ctype| self.ctypes.get(ctype)) {
                let element = *of;
                let mut address = self.address_of(e, e.span);
                address.ty = Type::Pointer(Some(element));
                return address;
            }
        }
        self.expr(e)
    }

    /// What a pointer points to, or a message.
    pub(super) fn pointee(&mut self, pointer: &Expr, of: &ast::Expr, span: Span) -> Option<TypeId> {
        let Type::Pointer(to) = pointer.ty else { return None };
        let to = to.filter(|to| !matches!(self.ctypes.get(*to), CType::Void));
        if to.is_none() && !self.scope.is_absent {
            let name = short(of);
            self.report(
                Diagnostic::error(span, format!("what `{name}` points to is not known"))
                    .note("only pointers that come from C variables and members carry a C type")
                    .help(format!(
                        "say it: `RW<T>({name})`, `array_shift<T>({name}, i)`, `member_shift<S>({name}, f)`"
                    )),
            );
        }
        to
    }

    /// `p + i`
    pub(super) fn pointer_arithmetic(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        pointer: Expr,
        b: &ast::Expr,
        index: Expr,
        span: Span,
    ) -> Expr {
        if op != BinaryOp::Add {
            let message = format!("pointers cannot be combined with `{}`", op.sign());
            let mut diagnostic = Diagnostic::error(span, message);
            diagnostic = if op == BinaryOp::Subtract && !matches!(index.ty, Type::Pointer(_)) {
                diagnostic
                    .help(format!("move it back with a negative index: `array_shift<T>({}, -i)`", short(a)))
            } else {
                diagnostic.help("compare addresses as numbers: `(u64) p`")
            };
            self.report(diagnostic);
            return wrong(span);
        }
        if !matches!(index.ty, Type::Bits(_) | Type::Integer | Type::Unknown) {
            let shown = self.show(&index.ty);
            self.error(b.span, format!("an index is a number, and `{shown}` is none"));
            return wrong(span);
        }
        let known = match pointer.ty {
            Type::Pointer(to) => to.filter(|to| !matches!(self.ctypes.get(*to), CType::Void)),
            _ => None,
        };
        let Some(element) = known else {
            let (p, i) = (short(a), short(b));
            self.report(
                Diagnostic::error(
                    span,
                    format!("what `{p}` points to is not known, so it cannot be moved with `+`"),
                )
                .help(format!("say it: `array_shift<T>({p}, {i})`")),
            );
            return wrong(span);
        };
        self.shift(pointer, index, element, span)
    }

    fn shift(&mut self, pointer: Expr, index: Expr, element: TypeId, span: Span) -> Expr {
        let Some(size) = self.size_of(element, span) else { return wrong(span) };
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        expr(ExprKind::Shift { pointer, index, size }, Type::Pointer(Some(element)), span)
    }

    /// `array_shift<T>(p, i)`
    pub(super) fn array_shift(
        &mut self,
        ctype: Option<&CTypeExpr>,
        pointer: &ast::Expr,
        index: &ast::Expr,
        span: Span,
    ) -> Expr {
        let base = self.pointer(pointer);
        let checked = self.expr(index);
        if !matches!(checked.ty, Type::Bits(_) | Type::Integer | Type::Unknown) {
            let shown = self.show(&checked.ty);
            self.error(index.span, format!("an index is a number, and `{shown}` is none"));
            return wrong(span);
        }
        let element = match ctype {
            Some(ctype) => self.c_type(ctype),
            None if base.ty.is_unknown() => None,
            None => self.pointee(&base, pointer, span),
        };
        match element {
            Some(element) => self.shift(base, checked, element, span),
            None => wrong(span),
        }
    }

    /// `member_shift<S>(p, f)`
    pub(super) fn member_shift(
        &mut self,
        ctype: Option<&CTypeExpr>,
        pointer: &ast::Expr,
        name: &Name,
        span: Span,
    ) -> Expr {
        let base = self.pointer(pointer);
        // The language's own tool takes a tag here, with or without `struct`.
        let of = match ctype {
            Some(ctype) if ctype.words.len() == 1 && ctype.n_stars == 0 && ctype.lengths.is_empty() => {
                match self.struct_type(&ctype.words[0], ctype.span) {
                    Type::Struct(record) => return self.member_address(base, record, name, span),
                    _ => return wrong(span),
                }
            }
            Some(ctype) => self.c_type(ctype),
            None if base.ty.is_unknown() => None,
            None => self.pointee(&base, pointer, span),
        };
        match of.map(|of| (of, self.ctypes.get(of))) {
            Some((_, CType::Record(record))) => {
                let record = *record;
                self.member_address(base, record, name, span)
            }
            Some((of, _)) => {
                let shown = self.ctypes.name(of);
                self.error(span, format!("`{shown}` has no members"));
                wrong(span)
            }
            None => wrong(span),
        }
    }

    fn member_address(
        &mut self,
        pointer: Expr,
        record: crate::ctypes::RecordId,
        name: &Name,
        span: Span,
    ) -> Expr {
        let Some(member) = self.member(record, name) else { return wrong(span) };
        if member.is_bit_field {
            self.error(name.span, format!("`{}` is a bit field, which has no address", name.text));
            return wrong(span);
        }
        expr(ExprKind::Offset(Box::new(pointer), member.offset), Type::Pointer(Some(member.ctype)), span)
    }

    /// `&x`, `&(p->f)`, `&(*p)`, `&x.f`, `&a[i]`
    pub(super) fn address_of(&mut self, of: &ast::Expr, span: Span) -> Expr {
        match &of.kind {
            Ast::Variable(name) => self.variable_address(name, span),
            Ast::Deref(pointer) => self.pointer(pointer),
            Ast::Arrow(pointer, name) => self.member_shift(None, pointer, name, span),
            Ast::Member(inner, name) => {
                let base = self.address_of(inner, inner.span);
                self.member_of_address(base, inner, name, span)
            }
            Ast::Index(array, index) => self.element_address(array, index, span),
            _ => {
                self.report(
                    Diagnostic::error(span, "this has no address")
                        .help("addresses are those of variables and members: `&x`, `&(p->f)`"),
                );
                wrong(span)
            }
        }
    }

    fn member_of_address(&mut self, base: Expr, of: &ast::Expr, name: &Name, span: Span) -> Expr {
        let Type::Pointer(Some(to)) = base.ty else { return wrong(span) };
        match self.ctypes.get(to) {
            CType::Record(record) => {
                let record = *record;
                self.member_address(base, record, name, span)
            }
            _ => {
                self.error(of.span, "this has no members");
                wrong(span)
            }
        }
    }

    fn element_address(&mut self, array: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let base = self.address_of(array, array.span);
        let index = self.expr(index);
        match base.ty {
            Type::Pointer(Some(to)) => match self.ctypes.get(to) {
                CType::Array { of, .. } => {
                    let element = *of;
                    self.shift(base, index, element, span)
                }
                _ => {
                    self.error(array.span, "this is not a C array");
                    wrong(span)
                }
            },
            _ => wrong(span),
        }
    }

    fn variable_address(&mut self, name: &Name, span: Span) -> Expr {
        if let Some(binding) = self.scope.find(&name.text) {
            if let BindingKind::Variable(ctype) = binding.kind {
                let id = self.scope.capture(&name.text, ctype);
                return expr(ExprKind::CaptureAddress(id), Type::Pointer(Some(ctype)), span);
            }
            self.report(
                Diagnostic::error(span, format!("`{}` is a value and has no address", name.text))
                    .note("in contracts, parameters are the values the function was called with"),
            );
            return wrong(span);
        }
        if let Some(k) = self.global_named(name) {
            return self.global_address(k, span);
        }
        if let Some(k) = self.table.c_functions.get(&name.text).copied() {
            return expr(ExprKind::FunctionAddress(CFunctionId(k)), Type::Pointer(None), span);
        }
        // A function that only bodies use is not among the declarations.
        if !self.program.is_partial {
            let known = self.table.globals.keys().map(String::as_str);
            let help = self.suggestion(&name.text, known.chain(self.scope.names()));
            let message = format!("unknown name `{}`", name.text);
            self.report(Diagnostic::error(name.span, message).maybe_help(help));
        }
        wrong(span)
    }

    /// `sizeof<T>`
    pub(super) fn size_of_type(&mut self, ctype: &CTypeExpr, span: Span) -> Expr {
        match self.sized_c_type(ctype) {
            Some((_, size)) => expr(ExprKind::Bits(i128::from(size)), Type::Bits(Bits::U64), span),
            None => wrong(span),
        }
    }

    /// `offsetof(S, f)`
    pub(super) fn offset_of(&mut self, tag: &Name, name: &Name, span: Span) -> Expr {
        let Type::Struct(record) = self.struct_type(&tag.text, tag.span) else { return wrong(span) };
        match self.member(record, name) {
            Some(member) if !member.is_bit_field => {
                expr(ExprKind::Bits(i128::from(member.offset)), Type::Bits(Bits::U64), span)
            }
            Some(_) => {
                self.error(name.span, format!("`{}` is a bit field, which has no address", name.text));
                wrong(span)
            }
            None => wrong(span),
        }
    }
}

/// A text that is the same for pointers that are surely the same; nothing for pointers that are computed in
/// ways not worth looking at.
pub(super) fn key(e: &Expr) -> Option<String> {
    let mut text = String::new();
    write_key(&mut text, e).then_some(text)
}

fn write_key(out: &mut String, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Slot(slot) => write!(out, "s{}", slot.0).is_ok(),
        ExprKind::Capture(id) => write!(out, "c{}", id.0).is_ok(),
        ExprKind::CaptureAddress(id) => write!(out, "&c{}", id.0).is_ok(),
        ExprKind::GlobalAddress(id) => write!(out, "&g{}", id.0).is_ok(),
        ExprKind::Bits(value) => write!(out, "{value}").is_ok(),
        ExprKind::Integer(value) => write!(out, "{value}").is_ok(),
        ExprKind::Null => write!(out, "0").is_ok(),
        ExprKind::Member(of, k) => write_key(out, of) && write!(out, ".m{k}").is_ok(),
        ExprKind::Field(of, k) => write_key(out, of) && write!(out, ".f{k}").is_ok(),
        ExprKind::Offset(of, offset) => {
            out.push('(');
            write_key(out, of) && write!(out, "+{offset})").is_ok()
        }
        ExprKind::Shift { pointer, index, size } => {
            out.push('(');
            let is_written =
                write_key(out, pointer) && write!(out, "+{size}*").is_ok() && write_key(out, index);
            out.push(')');
            is_written
        }
        ExprKind::Arithmetic(op, a, b) => {
            let _ = write!(out, "{op:?}(");
            let is_written = write_key(out, a) && write!(out, ",").is_ok() && write_key(out, b);
            out.push(')');
            is_written
        }
        ExprKind::MapGet(a, b) => {
            let is_written = write_key(out, a) && write!(out, "[").is_ok() && write_key(out, b);
            out.push(']');
            is_written
        }
        ExprKind::Cast(of) => {
            let _ = write!(out, "{:?}(", e.ty.bits());
            let is_written = write_key(out, of);
            out.push(')');
            is_written
        }
        _ => false,
    }
}
