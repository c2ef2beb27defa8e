//! Expressions: the way in, literals, names, and how types are brought together.

use super::scope::{BindingKind, Mode};
use super::types::allocation_type;
use super::{Checker, expr, wrong};
use crate::spec::ast::{self, ExprKind as Ast, Name};
use crate::spec::checked::{Expr, ExprKind, NotRun, Slot};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::print;
use crate::spec::types::{Bits, Type, of_c};
use num_bigint::BigInt;
use std::sync::Arc;

impl Checker<'_> {
    /// An expression of any type.
    pub(super) fn expr(&mut self, e: &ast::Expr) -> Expr {
        match &e.kind {
            Ast::Number(value, bits) => self.number(value, *bits, e.span),
            Ast::Boolean(value) => expr(ExprKind::Boolean(*value), Type::Boolean, e.span),
            Ast::Null => expr(ExprKind::Null, Type::Pointer(None), e.span),
            Ast::Variable(name) => self.variable(name),
            Ast::Return => self.result(e.span),
            Ast::Member(of, name) => self.member_of(of, name, e.span),
            Ast::Arrow(of, name) => self.arrow(of, name, e.span),
            Ast::Deref(of) => self.deref_of(of, e.span),
            Ast::AddressOf(of) => self.address_of(of, e.span),
            Ast::Unary(op, of) => self.unary(*op, of, e.span),
            Ast::Binary(op, a, b) => self.binary(*op, a, b, e.span),
            Ast::If(c, a, b) => self.conditional(c, a, b, e.span),
            Ast::Cast(ty, of) => self.cast(ty, of, e.span),
            Ast::Call(name, arguments) => self.call(name, arguments, e.span),
            Ast::Construct(name, fields) => self.construct(name, fields, e.span),
            Ast::Struct(name, fields) => self.struct_value(name, fields, e.span),
            Ast::Record(fields) => self.record(fields, e.span),
            Ast::Update(fields, base) => self.update(fields, base, e.span),
            Ast::Index(map, key) => self.map_get(map, key, e.span),
            Ast::MapUpdate(map, updates) => self.map_set(map, updates, e.span),
            Ast::List(elements) => self.list(elements, e.span),
            Ast::Match(of, arms) => self.matching(of, arms, e.span),
            Ast::Let(bindings, body) => self.let_in(bindings, body, e.span),
            Ast::Each(ty, name, range, body) => self.each_in(ty, name, range, body, e.span),
            Ast::ArrayShift(ctype, pointer, index) => {
                self.array_shift(ctype.as_ref(), pointer, index, e.span)
            }
            Ast::MemberShift(ctype, pointer, name) => {
                self.member_shift(ctype.as_ref(), pointer, name, e.span)
            }
            Ast::SizeOf(ctype) => self.size_of_type(ctype, e.span),
            Ast::OffsetOf(tag, name) => self.offset_of(tag, name, e.span),
            Ast::Default(ty) => {
                let ty = self.resolve(ty);
                expr(ExprKind::Default, ty, e.span)
            }
            Ast::Good(ctype, of) => self.good(ctype, of, e.span),
            Ast::Unchanged(of) => self.unchanged(of, e.span),
            Ast::At(of, label) => self.at_start(of, label, e.span),
        }
    }

    /// An expression of a type.
    pub(super) fn expect(&mut self, e: &ast::Expr, ty: &Type) -> Expr {
        let checked = self.expr(e);
        self.coerce(checked, ty, e)
    }

    /// A condition.
    pub(super) fn condition(&mut self, e: &ast::Expr) -> Expr {
        let checked = self.expr(e);
        if checked.ty.goes_with(&Type::Boolean) {
            return checked;
        }
        let shown = self.show(&checked.ty);
        let mut diagnostic =
            Diagnostic::error(e.span, format!("a condition is `boolean`, this is `{shown}`"));
        diagnostic = match &checked.ty {
            Type::Bits(bits) => diagnostic.help(format!("write `{} != 0{}`", short(e), bits.name())),
            Type::Pointer(_) => diagnostic.help(format!("write `!is_null({})`", short(e))),
            _ => diagnostic,
        };
        self.report(diagnostic);
        wrong(e.span)
    }

    /// Brings an expression to a type, or says that it has another.
    pub(super) fn coerce(&mut self, checked: Expr, ty: &Type, e: &ast::Expr) -> Expr {
        let checked = adapt(checked, ty);
        if checked.ty.goes_with(ty) {
            return checked;
        }
        let (expected, found) = (self.show(ty), self.show(&checked.ty));
        let mut diagnostic = Diagnostic::error(e.span, format!("expected `{expected}`, found `{found}`"));
        if let (ExprKind::Integer(_), Type::Bits(bits)) = (&checked.kind, ty) {
            diagnostic =
                diagnostic.note(format!("it does not fit: `{expected}` ends at {}", bits.greatest()));
        } else if castable(&checked.ty, ty) {
            diagnostic = diagnostic.help(format!("convert it: `({expected}) {}`", operand(e)));
        } else if let (Type::Boolean, Type::Bits(_)) = (ty, &checked.ty) {
            diagnostic = diagnostic.help(format!("compare it: `{} != 0{found}`", short(e)));
        }
        self.report(diagnostic);
        wrong(e.span)
    }

    fn number(&mut self, value: &BigInt, bits: Option<Bits>, span: Span) -> Expr {
        let Some(bits) = bits else { return expr(ExprKind::Integer(value.clone()), Type::Integer, span) };
        if !bits.holds(value) {
            let message =
                format!("this does not fit into `{}`, which ends at {}", bits.name(), bits.greatest());
            self.error(span, message);
            return expr(ExprKind::Wrong, Type::Bits(bits), span);
        }
        expr(ExprKind::Bits(bits.pattern(value)), Type::Bits(bits), span)
    }

    /// A number with its sign: `-128i8` fits, though `128i8` does not.
    pub(super) fn negative_number(&mut self, value: &BigInt, bits: Option<Bits>, span: Span) -> Expr {
        let negative = -value;
        match bits {
            Some(bits) if bits.is_signed => {
                if !bits.holds(&negative) {
                    let message =
                        format!("this does not fit into `{}`, which begins at {}", bits.name(), bits.least());
                    self.error(span, message);
                    return expr(ExprKind::Wrong, Type::Bits(bits), span);
                }
                expr(ExprKind::Bits(bits.pattern(&negative)), Type::Bits(bits), span)
            }
            Some(bits) => {
                // Wraps, as it does for variables.
                let checked = self.number(value, Some(bits), span);
                match checked.kind {
                    ExprKind::Bits(_) => {
                        expr(ExprKind::Bits(bits.pattern(&negative)), Type::Bits(bits), span)
                    }
                    _ => checked,
                }
            }
            None => expr(ExprKind::Integer(negative), Type::Integer, span),
        }
    }

    fn variable(&mut self, name: &Name) -> Expr {
        let span = name.span;
        if let Some(binding) = self.scope.find(&name.text) {
            let (kind, ty, not_run) = (binding.kind, binding.ty.clone(), binding.not_run);
            if let Some(reason) = not_run {
                self.not_run.get_or_insert((reason, span));
            }
            return match kind {
                BindingKind::Slot(slot) => {
                    self.speaks_of_slot(slot, span);
                    expr(ExprKind::Slot(slot), ty, span)
                }
                BindingKind::Uninitialised(slot) => self.uninitialised(&name.text, slot, ty, span),
                BindingKind::Variable(ctype) => {
                    self.speaks_of(ctype, span);
                    let id = self.scope.capture(&name.text, ctype);
                    expr(ExprKind::Capture(id), ty, span)
                }
                BindingKind::Opaque(ctype) => {
                    let shown = self.ctypes.name(ctype);
                    self.error(span, format!("specs cannot speak of values of the C type `{shown}`"));
                    wrong(span)
                }
            };
        }
        if let Some(global) = self.global_named(name) {
            return self.global(global, span);
        }
        if name.text == "allocs" {
            self.mark_not_run(NotRun::AllocationIds, span);
            let ty = Type::Map(Arc::new((Type::AllocId, allocation_type())));
            return expr(ExprKind::Default, ty, span);
        }
        if let Some(value) = self.table.constants.get(&name.text) {
            let number = BigInt::from(*value);
            let wide = Bits { width: 64, is_signed: true };
            let bits = [Bits::I32, Bits::U32, wide]
                .into_iter()
                .find(|bits| bits.holds(&number))
                .unwrap_or(Bits::U64);
            return expr(ExprKind::Bits(bits.pattern(&number)), Type::Bits(bits), span);
        }
        self.unknown_name(name)
    }

    /// The value of memory that need not be initialised: allowed, for it may be only named.
    pub(super) fn uninitialised(&mut self, name: &str, slot: Slot, ty: Type, span: Span) -> Expr {
        let diagnostic =
            Diagnostic::warning(span, format!("`{name}` was taken with `W`, so its value may be anything"))
                .help("take it with `RW` to speak of its value");
        self.report(diagnostic);
        expr(ExprKind::Slot(slot), ty, span)
    }

    fn unknown_name(&mut self, name: &Name) -> Expr {
        let text = &name.text;
        if self.diagnostics.is_unread(text) {
            return wrong(name.span);
        }
        let in_start = self.scope.start.is_some();
        let hidden = in_start && self.scope.names().any(|known| known == text);
        let help = if hidden {
            None
        } else if self.table.constructors.contains_key(text) {
            Some(format!("write `{text} {{}}`"))
        } else if self.table.functions.contains_key(text) {
            Some(format!("it is a function: write `{text}(…)`"))
        } else if self.table.predicates.contains_key(text) {
            Some(format!("it is a predicate: write `take X = {text}(…);`"))
        } else if self.table.c_functions.contains_key(text) {
            Some(format!("it is a C function; its address is `&{text}`"))
        } else {
            let known = self.scope.names().chain(self.table.globals.keys().map(String::as_str));
            let known = known.chain(self.table.constants.keys().map(String::as_str));
            foreign_name(text, self.scope.result.is_some()).or_else(|| self.suggestion(text, known))
        };
        let is_upper = text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let help = help.or_else(|| {
            let what = "a macro of C is not known here: write its value, or make it an `enum` constant";
            (is_upper && text.len() > 1).then(|| what.to_string())
        });
        let message = if hidden {
            format!("`{text}` did not exist when the function was entered")
        } else {
            format!("unknown name `{text}`")
        };
        self.report(Diagnostic::error(name.span, message).maybe_help(help));
        wrong(name.span)
    }

    fn speaks_of_slot(&mut self, slot: Slot, span: Span) {
        if self.scope.chars.contains(&slot) {
            self.specs.chars.entry(span.file).or_insert(span);
        }
    }

    fn result(&mut self, span: Span) -> Expr {
        let is_ensures = self.scope.mode == Mode::Ensures;
        match self.scope.result.clone() {
            Some((slot, ty)) if is_ensures && self.scope.start.is_none() => {
                self.speaks_of_slot(slot, span);
                expr(ExprKind::Slot(slot), ty, span)
            }
            _ => {
                let diagnostic = if is_ensures && self.scope.result.is_none() {
                    Diagnostic::error(span, "this function returns nothing")
                } else {
                    Diagnostic::error(span, "`return` is the result, which only `ensures` can speak of")
                };
                self.report(diagnostic);
                wrong(span)
            }
        }
    }

    fn let_in(&mut self, bindings: &[(Name, ast::Expr)], body: &ast::Expr, span: Span) -> Expr {
        let before = self.scope.bindings.len();
        let mut bound = Vec::with_capacity(bindings.len());
        for (name, value) in bindings {
            let value = self.expr(value);
            let slot = self.scope.bind_slot(&name.text, value.ty.clone(), name.span);
            bound.push((slot, value));
        }
        let body = self.expr(body);
        self.scope.forget_to(before);
        let ty = body.ty.clone();
        expr(ExprKind::Let(bound, Box::new(body)), ty, span)
    }

    fn each_in(
        &mut self,
        ty: &ast::TypeExpr,
        name: &Name,
        range: &[ast::Expr; 2],
        body: &ast::Expr,
        span: Span,
    ) -> Expr {
        let index_type = self.index_type(ty);
        let [low, high] = range;
        let range = Box::new([self.expect(low, &index_type), self.expect(high, &index_type)]);
        let before = self.scope.bindings.len();
        let slot = self.scope.bind_slot(&name.text, index_type, name.span);
        let body = Box::new(self.condition(body));
        self.scope.forget_to(before);
        expr(ExprKind::Each { slot, range, body }, Type::Boolean, span)
    }

    /// The type of an index: bits or integer.
    pub(super) fn index_type(&mut self, ty: &ast::TypeExpr) -> Type {
        let resolved = self.resolve(ty);
        if matches!(resolved, Type::Bits(_) | Type::Integer | Type::Unknown) {
            return resolved;
        }
        let shown = self.show(&resolved);
        self.error(ty.span, format!("an index is a number, and `{shown}` is none"));
        Type::Unknown
    }

    fn unchanged(&mut self, of: &ast::Expr, span: Span) -> Expr {
        if !self.has_start(span, "unchanged") {
            return wrong(span);
        }
        let now = self.expr(of);
        if now.ty.is_unknown() {
            return wrong(span);
        }
        let then = self.in_start(of);
        expr(ExprKind::Equal(Box::new(now), Box::new(then)), Type::Boolean, span)
    }

    fn at_start(&mut self, of: &ast::Expr, label: &Name, span: Span) -> Expr {
        if label.text != "start" {
            let message = format!("unknown state `{}`", label.text);
            self.report(
                Diagnostic::error(label.span, message)
                    .help("the only one is `start`, when the function was entered"),
            );
            return wrong(span);
        }
        if !self.has_start(span, "%start") {
            return wrong(span);
        }
        Expr { span, ..self.in_start(of) }
    }

    fn has_start(&mut self, span: Span, word: &str) -> bool {
        let is_there = matches!(self.scope.mode, Mode::Ensures | Mode::Invariant | Mode::Statement);
        if self.scope.start.is_some() {
            self.error(span, "this speaks of the function's entry already");
            return false;
        }
        if !is_there {
            self.error(
                span,
                format!(
                    "`{word}` speaks of a function's entry, so it stands in `ensures`, `inv` and statements"
                ),
            );
        }
        is_there
    }

    /// An expression in the state at entry.
    fn in_start(&mut self, of: &ast::Expr) -> Expr {
        self.scope.start = Some(self.scope.bindings.len());
        let checked = self.expr(of);
        self.scope.start = None;
        checked
    }

    fn good(&mut self, ctype: &ast::CTypeExpr, of: &ast::Expr, span: Span) -> Expr {
        let of_type = self.c_type(ctype);
        let Some(id) = of_type else {
            self.expr(of);
            return wrong(span);
        };
        let Some(ty) = of_c(self.ctypes, id) else {
            self.error(ctype.span, "specs cannot speak of values of this C type");
            return wrong(span);
        };
        self.speaks_of(id, span);
        let of = self.expect(of, &ty);
        expr(ExprKind::Good(id, Box::new(of)), Type::Boolean, span)
    }

    /// Notes that an expression speaks of what is not known at run time.
    pub(super) fn mark_not_run(&mut self, reason: NotRun, span: Span) {
        self.not_run.get_or_insert((reason, span));
    }
}

/// A number without a type takes the type that is expected, if it fits; also inside branches and records.
pub(super) fn adapt(e: Expr, ty: &Type) -> Expr {
    if e.ty == *ty {
        return e;
    }
    let span = e.span;
    match (e.kind, ty) {
        (ExprKind::Integer(value), Type::Bits(bits)) if e.ty == Type::Integer && bits.holds(&value) => {
            expr(ExprKind::Bits(bits.pattern(&value)), ty.clone(), span)
        }
        (ExprKind::Integer(value), Type::Real) => expr(ExprKind::Integer(value), Type::Real, span),
        (ExprKind::If(c, a, b), _) => {
            let (a, b) = (adapt(*a, ty), adapt(*b, ty));
            let joined = if a.ty == b.ty { a.ty.clone() } else { e.ty };
            expr(ExprKind::If(c, Box::new(a), Box::new(b)), joined, span)
        }
        (ExprKind::Let(bindings, body), _) => {
            let body = adapt(*body, ty);
            let ty = body.ty.clone();
            expr(ExprKind::Let(bindings, Box::new(body)), ty, span)
        }
        (ExprKind::Match(mut of), _) => {
            for arm in &mut of.arms {
                let body = std::mem::replace(&mut arm.body, wrong(span));
                arm.body = adapt(body, ty);
            }
            let first = of.arms.first().map(|arm| arm.body.ty.clone());
            let is_one = of.arms.iter().all(|arm| Some(&arm.body.ty) == first.as_ref());
            let joined = if is_one { first.unwrap_or(e.ty) } else { e.ty };
            expr(ExprKind::Match(of), joined, span)
        }
        (ExprKind::Record(values), Type::Record(fields)) if values.len() == fields.len() => {
            let Type::Record(own) = &e.ty else { return expr(ExprKind::Record(values), e.ty, span) };
            if own.iter().zip(fields.iter()).any(|(a, b)| a.0 != b.0) {
                return expr(ExprKind::Record(values), e.ty, span);
            }
            let values: Vec<Expr> =
                values.into_iter().zip(fields.iter()).map(|(e, (_, ty))| adapt(e, ty)).collect();
            let types: Vec<(String, Type)> =
                fields.iter().zip(&values).map(|((name, _), e)| (name.clone(), e.ty.clone())).collect();
            expr(ExprKind::Record(values), Type::Record(types.into()), span)
        }
        (ExprKind::List(values), Type::List(of)) => {
            let values: Vec<Expr> = values.into_iter().map(|e| adapt(e, of)).collect();
            let is_all = values.iter().all(|e| e.ty.goes_with(of));
            expr(ExprKind::List(values), if is_all { ty.clone() } else { e.ty }, span)
        }
        (kind, _) => expr(kind, e.ty, span),
    }
}

/// Whether `(to) e` is a cast.
pub(super) fn castable(from: &Type, to: &Type) -> bool {
    let is_number = |ty: &Type| matches!(ty, Type::Bits(_) | Type::Integer);
    match (from, to) {
        (Type::Unknown, _) | (_, Type::Unknown) => true,
        (from, to) if is_number(from) && (is_number(to) || *to == Type::Real) => true,
        (Type::Pointer(_), to) => is_number(to) || matches!(to, Type::Pointer(_) | Type::AllocId),
        (from, Type::Pointer(_)) => is_number(from),
        _ => from == to,
    }
}

/// An expression for a message, if it is short.
pub(super) fn short(e: &ast::Expr) -> String {
    if e.height() > 6 {
        return "…".to_string();
    }
    let text = print::expression(e);
    if text.len() <= 40 { text } else { "…".to_string() }
}

/// An expression behind a cast, for a message.
fn operand(e: &ast::Expr) -> String {
    let text = short(e);
    if matches!(e.kind, Ast::Binary(..) | Ast::If(..) | Ast::Let(..)) { format!("({text})") } else { text }
}

/// What a name stands for in other languages, as specs write it.
fn foreign_name(name: &str, has_result: bool) -> Option<String> {
    let help = match name {
        "result" | "retval" | "ret" if has_result => "the result is `return`",
        "null" | "nullptr" | "Null" => "write `NULL`",
        "TRUE" | "True" => "write `true`",
        "FALSE" | "False" => "write `false`",
        _ => return None,
    };
    Some(help.to_string())
}
