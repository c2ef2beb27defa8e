//! Operators, conditionals and casts.

use super::expressions::{adapt, castable, short};
use super::{Checker, expr, fold, wrong};
use crate::spec::ast::{self, BinaryOp, ExprKind as Ast, TypeExpr, UnaryOp};
use crate::spec::checked::{Arithmetic, Expr, ExprKind, NotRun};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type};

/// Two operands, checked.
pub(super) struct Pair<'e> {
    pub(super) ast: (&'e ast::Expr, &'e ast::Expr),
    pub(super) checked: (Expr, Expr),
}

impl Checker<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, of: &ast::Expr, span: Span) -> Expr {
        if let (UnaryOp::Negate, Ast::Number(value, bits)) = (op, &of.kind) {
            return self.negative_number(value, *bits, span);
        }
        if op == UnaryOp::Not {
            let of = self.condition(of);
            return fold::not(of, span);
        }
        let checked = self.expr(of);
        let is_right = match op {
            UnaryOp::Complement => matches!(checked.ty, Type::Bits(_) | Type::Unknown),
            _ => matches!(checked.ty, Type::Bits(_) | Type::Integer | Type::Real | Type::Unknown),
        };
        if !is_right {
            let shown = self.show(&checked.ty);
            let mut diagnostic =
                Diagnostic::error(span, format!("`{}` does not work on `{shown}`", op.sign()));
            if op == UnaryOp::Complement && checked.ty == Type::Boolean {
                diagnostic = diagnostic.help(format!("write `!{}`", short(of)));
            }
            self.report(diagnostic);
            return wrong(span);
        }
        match op {
            UnaryOp::Complement => {
                let ty = checked.ty.clone();
                expr(ExprKind::Complement(Box::new(checked)), ty, span)
            }
            _ => fold::negate(checked, span),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let (a, b) = (Box::new(self.condition(a)), Box::new(self.condition(b)));
                let kind = match op {
                    BinaryOp::And => ExprKind::And(a, b),
                    BinaryOp::Or => ExprKind::Or(a, b),
                    _ => ExprKind::Implies(a, b),
                };
                expr(kind, Type::Boolean, span)
            }
            BinaryOp::Equal
            | BinaryOp::Unequal
            | BinaryOp::Less
            | BinaryOp::LessEqual
            | BinaryOp::Greater
            | BinaryOp::GreaterEqual => self.comparison(op, a, b, span),
            _ => self.arithmetic_operator(op, a, b, span),
        }
    }

    fn arithmetic_operator(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let left = if op == BinaryOp::Add { self.pointer_or(a) } else { self.expr(a) };
        let right = self.expr(b);
        if let Type::Pointer(_) = left.ty {
            return self.pointer_arithmetic(op, a, left, b, right, span);
        }
        let which = match op {
            BinaryOp::Add => Arithmetic::Add,
            BinaryOp::Subtract => Arithmetic::Subtract,
            BinaryOp::Multiply => Arithmetic::Multiply,
            BinaryOp::Divide => Arithmetic::Divide,
            BinaryOp::Remainder => Arithmetic::Remainder,
            BinaryOp::BitAnd => Arithmetic::BitAnd,
            BinaryOp::BitOr => Arithmetic::BitOr,
            _ => Arithmetic::BitXor,
        };
        self.arithmetic(which, op.sign(), Pair { ast: (a, b), checked: (left, right) }, span)
    }

    /// An operation on two numbers of the same type.
    pub(super) fn arithmetic(&mut self, op: Arithmetic, name: &str, pair: Pair<'_>, span: Span) -> Expr {
        for (e, ast) in [(&pair.checked.0, pair.ast.0), (&pair.checked.1, pair.ast.1)] {
            let is_bitwise = matches!(op, Arithmetic::BitAnd | Arithmetic::BitOr | Arithmetic::BitXor);
            let is_right = match &e.ty {
                Type::Bits(_) | Type::Integer | Type::Unknown => true,
                Type::Real => !is_bitwise,
                _ => false,
            };
            if !is_right {
                let shown = self.show(&e.ty);
                let mut diagnostic =
                    Diagnostic::error(ast.span, format!("`{name}` does not work on `{shown}`"));
                if e.ty == Type::Boolean && is_bitwise {
                    diagnostic = diagnostic.help(format!("conditions are joined with `{name}{name}`"));
                }
                self.report(diagnostic);
                return wrong(span);
            }
        }
        let Some((a, b)) = self.same_type(pair, name, span) else { return wrong(span) };
        let ty = a.ty.join(&b.ty);
        fold::arithmetic(op, a, b, ty, span)
    }

    fn comparison(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let (left, right) = (self.expr(a), self.expr(b));
        let is_order = !matches!(op, BinaryOp::Equal | BinaryOp::Unequal);
        for (e, ast) in [(&left, a), (&right, b)] {
            let is_ordered =
                matches!(e.ty, Type::Bits(_) | Type::Integer | Type::Real | Type::Pointer(_) | Type::Unknown);
            if is_order && !is_ordered {
                let shown = self.show(&e.ty);
                let is_chain = matches!(
                    ast.kind,
                    Ast::Binary(
                        BinaryOp::Less | BinaryOp::LessEqual | BinaryOp::Greater | BinaryOp::GreaterEqual,
                        ..
                    )
                );
                let help = is_chain.then(|| "two comparisons are written `a < b && b < c`".to_string());
                let message = format!("`{shown}` has no order");
                self.report(Diagnostic::error(ast.span, message).maybe_help(help));
                return wrong(span);
            }
        }
        let pair = self.compared_as_integers(Pair { ast: (a, b), checked: (left, right) }, span);
        let Some((left, right)) = self.same_type(pair, op.sign(), span) else { return wrong(span) };
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match op {
            BinaryOp::Equal => ExprKind::Equal(left, right),
            BinaryOp::Unequal => ExprKind::Unequal(left, right),
            BinaryOp::Less => ExprKind::Less(left, right),
            BinaryOp::LessEqual => ExprKind::LessEqual(left, right),
            BinaryOp::Greater => ExprKind::Less(right, left),
            _ => ExprKind::LessEqual(right, left),
        };
        expr(kind, Type::Boolean, span)
    }

    /// `n < power(2, 32)` for an `i32`: the number is known and does not fit, so the comparison is one of
    /// numbers, and always comes out the same.
    fn compared_as_integers<'e>(&mut self, pair: Pair<'e>, span: Span) -> Pair<'e> {
        let (a, b) = pair.checked;
        let is_beyond = |bits: &Type, known: &Expr| match (bits, &known.kind) {
            (Type::Bits(bits), ExprKind::Integer(value)) => known.ty == Type::Integer && !bits.holds(value),
            _ => false,
        };
        let checked = if is_beyond(&a.ty, &b) {
            self.always_the_same(&a.ty, pair.ast.1, span);
            (to_integer(a), b)
        } else if is_beyond(&b.ty, &a) {
            self.always_the_same(&b.ty, pair.ast.0, span);
            (a, to_integer(b))
        } else {
            (a, b)
        };
        Pair { ast: pair.ast, checked }
    }

    fn always_the_same(&mut self, ty: &Type, known: &ast::Expr, span: Span) {
        let shown = self.show(ty);
        let diagnostic = Diagnostic::warning(span, "this comparison always has the same result")
            .label(known.span, format!("no `{shown}` is as large or as small"));
        self.report(diagnostic);
    }

    /// Two operands brought to the same type, or a message.
    pub(super) fn same_type(&mut self, pair: Pair<'_>, name: &str, span: Span) -> Option<(Expr, Expr)> {
        let Pair { ast: (left, right), checked: (a, b) } = pair;
        let b = adapt(b, &a.ty);
        let a = adapt(a, &b.ty);
        if a.ty.goes_with(&b.ty) {
            return Some((a, b));
        }
        let (shown_a, shown_b) = (self.show(&a.ty), self.show(&b.ty));
        let mut diagnostic = Diagnostic::error(span, format!("`{name}` needs two operands of the same type"))
            .label(left.span, format!("this is `{shown_a}`"))
            .label(right.span, format!("this is `{shown_b}`"));
        if let Some(help) = cast_help(&a, left, &shown_a, &b, right, &shown_b) {
            diagnostic = diagnostic.help(help);
        }
        self.report(diagnostic);
        None
    }

    pub(super) fn conditional(&mut self, c: &ast::Expr, a: &ast::Expr, b: &ast::Expr, span: Span) -> Expr {
        let condition = Box::new(self.condition(c));
        let checked = (self.expr(a), self.expr(b));
        let (left, right) = (adapt_to(checked.0, &checked.1.ty), checked.1);
        let (left, right) = {
            let right = adapt(right, &left.ty);
            (left, right)
        };
        if !left.ty.goes_with(&right.ty) {
            let (shown_a, shown_b) = (self.show(&left.ty), self.show(&right.ty));
            let diagnostic = Diagnostic::error(span, "the branches have different types")
                .label(a.span, format!("this is `{shown_a}`"))
                .label(b.span, format!("this is `{shown_b}`"));
            self.report(diagnostic);
            return wrong(span);
        }
        let ty = left.ty.join(&right.ty);
        expr(ExprKind::If(condition, Box::new(left), Box::new(right)), ty, span)
    }

    pub(super) fn cast(&mut self, ty: &TypeExpr, of: &ast::Expr, span: Span) -> Expr {
        let to = self.resolve(ty);
        let checked = self.expr(of);
        let checked = if matches!(checked.ty, Type::Integer) { adapt(checked, &to) } else { checked };
        if !castable(&checked.ty, &to) {
            let (from, shown) = (self.show(&checked.ty), self.show(&to));
            let mut diagnostic =
                Diagnostic::error(span, format!("`{from}` cannot be converted to `{shown}`"));
            if let (Type::Boolean, Type::Bits(bits)) = (&checked.ty, &to) {
                diagnostic = diagnostic.help(format!("write `{} ? 1{1} : 0{1}`", short(of), bits.name()));
            }
            self.report(diagnostic);
            return wrong(span);
        }
        if to == Type::AllocId {
            self.mark_not_run(NotRun::AllocationIds, span);
        }
        let to = if let (Type::Pointer(None), Type::Pointer(_)) = (&to, &checked.ty) {
            checked.ty.clone()
        } else {
            to
        };
        fold::cast(checked, to, span)
    }
}

fn adapt_to(e: Expr, ty: &Type) -> Expr {
    adapt(e, ty)
}

fn to_integer(e: Expr) -> Expr {
    let span = e.span;
    fold::cast(e, Type::Integer, span)
}

/// How to bring two numbers together: the narrower or the unbounded one gives way.
fn cast_help(
    a: &Expr,
    left: &ast::Expr,
    shown_a: &str,
    b: &Expr,
    right: &ast::Expr,
    shown_b: &str,
) -> Option<String> {
    let width = |ty: &Type| match ty {
        Type::Bits(Bits { width, .. }) => Some(u32::from(*width)),
        Type::Integer => Some(1_000),
        _ => None,
    };
    let is_pointer = |ty: &Type| matches!(ty, Type::Pointer(_));
    match (width(&a.ty), width(&b.ty)) {
        (Some(wa), Some(wb)) => {
            let (ty, e) = if wa >= wb { (shown_a, right) } else { (shown_b, left) };
            Some(format!("convert one of them: `({ty}) {}`", short(e)))
        }
        (Some(_), None) if is_pointer(&b.ty) && short(left) == "0" => {
            Some("the null pointer is `NULL`".to_string())
        }
        (None, Some(_)) if is_pointer(&a.ty) && short(right) == "0" => {
            Some("the null pointer is `NULL`".to_string())
        }
        _ => None,
    }
}
