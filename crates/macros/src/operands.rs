//! The operands of a condition: the parts whose values explain why it does not hold.
//!
//! A report shows them under the condition, as `assert_eq!` shows its two sides. They are evaluated again,
//! each by itself and after the condition has failed, so a part is taken only if it can stand alone: its type
//! follows from its own text, it contains no closure, and it does not use up anything. Literals and a bare
//! `self` say nothing new.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, Expr, ExprMacro, Stmt, UnOp};

/// At most this many operands of a condition are shown.
const MAX_OPERANDS: usize = 8;

/// Methods whose type may follow only from where their value goes.
const OPEN_TYPES: [&str; 12] = [
    "collect",
    "default",
    "from",
    "into",
    "into_iter",
    "parse",
    "product",
    "sum",
    "try_from",
    "try_into",
    "unwrap",
    "expect",
];

/// The operands of a condition, in the order in which they are written.
pub(crate) fn of(condition: &Expr) -> Vec<Expr> {
    let mut found = Vec::new();
    truth(condition, &mut found);
    found.truncate(MAX_OPERANDS);
    found
}

/// The operands of the condition that a function returns, if its body is nothing else: their text, and
/// expressions that show them.
pub(crate) fn of_function(body: &Block) -> Vec<(String, TokenStream)> {
    match &body.stmts[..] {
        [Stmt::Expr(condition, None)] => {
            of(condition).iter().map(|operand| (text(operand), shown(&operand.to_token_stream()))).collect()
        }
        _ => Vec::new(),
    }
}

/// The text of an operand.
pub(crate) fn text(operand: &Expr) -> String {
    crate::source_text::plain(operand.to_token_stream())
}

/// An expression that shows a value.
pub(crate) fn shown(value: &TokenStream) -> TokenStream {
    quote!(::stairway::__private::show_if_possible!(&(#value)))
}

/// An expression that lists operands with their values: the text of each, and an expression that shows its
/// value.
pub(crate) fn listed(operands: &[(String, TokenStream)]) -> TokenStream {
    let parts = operands.iter().map(|(text, shown)| quote!(::stairway::__private::part(#text, || #shown)));
    quote!(::stairway::__private::parts([#(#parts),*]))
}

/// Something that is true or false: what it is about is looked for.
fn truth(expression: &Expr, found: &mut Vec<Expr>) {
    match expression {
        Expr::Paren(inner) => truth(&inner.expr, found),
        Expr::Group(inner) => truth(&inner.expr, found),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => truth(&unary.expr, found),
        Expr::Binary(binary) => {
            let is_connective = matches!(binary.op, syn::BinOp::And(_) | syn::BinOp::Or(_));
            for side in [&binary.left, &binary.right] {
                if is_connective { truth(side, found) } else { value(side, found) }
            }
        }
        // Its value is that of the whole condition: what it is asked of and about says more.
        Expr::MethodCall(call) => {
            value(&call.receiver, found);
            call.args.iter().for_each(|argument| value(argument, found));
        }
        Expr::Call(call) if !is_old(call) => call.args.iter().for_each(|argument| value(argument, found)),
        Expr::Macro(call) => value_of_macro(call, found),
        _ => value(expression, found),
    }
}

/// Something that has a value.
fn value(expression: &Expr, found: &mut Vec<Expr>) {
    match expression {
        Expr::Paren(inner) => value(&inner.expr, found),
        Expr::Group(inner) => value(&inner.expr, found),
        Expr::Reference(inner) => value(&inner.expr, found),
        Expr::Cast(cast) => value(&cast.expr, found),
        Expr::Unary(unary) => value(&unary.expr, found),
        Expr::Binary(binary) => {
            value(&binary.left, found);
            value(&binary.right, found);
        }
        Expr::Macro(call) => value_of_macro(call, found),
        Expr::Path(path) if path.path.is_ident("self") => {}
        // A constant, a variant or a type: its name says what it is.
        Expr::Path(path) if path.path.segments.len() > 1 => {}
        Expr::Path(_) | Expr::Field(_) | Expr::Index(_) | Expr::Call(_) | Expr::MethodCall(_) => {
            match expression {
                _ if stands_alone(expression) => keep(expression, found),
                Expr::MethodCall(call) => value(&call.receiver, found),
                // What is inside an `old(..)` means something else outside it.
                Expr::Call(call) if !is_old(call) => {
                    call.args.iter().for_each(|argument| value(argument, found));
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// `matches!(value, pattern)` is about its value.
fn value_of_macro(call: &ExprMacro, found: &mut Vec<Expr>) {
    if !call.mac.path.is_ident("matches") {
        return;
    }
    let first = |input: syn::parse::ParseStream<'_>| {
        let value: Expr = input.parse()?;
        input.parse::<TokenStream>()?;
        Ok(value)
    };
    if let Ok(value) = call.mac.parse_body_with(first) {
        self::value(&value, found);
    }
}

/// Whether this is `old(..)`, the value before the call.
fn is_old(call: &syn::ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("old"))
}

fn keep(expression: &Expr, found: &mut Vec<Expr>) {
    let is_known =
        |other: &Expr| other.to_token_stream().to_string() == expression.to_token_stream().to_string();
    if !found.iter().any(is_known) {
        found.push(expression.clone());
    }
}

/// Whether an expression can be evaluated by itself, and again.
fn stands_alone(expression: &Expr) -> bool {
    match expression {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(inner) => stands_alone(&inner.expr),
        Expr::Reference(inner) => inner.mutability.is_none() && stands_alone(&inner.expr),
        Expr::Unary(inner) => stands_alone(&inner.expr),
        Expr::Cast(cast) => stands_alone(&cast.expr),
        Expr::Binary(binary) => stands_alone(&binary.left) && stands_alone(&binary.right),
        Expr::Field(field) => stands_alone(&field.base),
        Expr::Index(index) => stands_alone(&index.expr) && stands_alone(&index.index),
        Expr::MethodCall(call) => {
            let is_open = OPEN_TYPES.iter().any(|name| call.method == name) && call.turbofish.is_none();
            !is_open && stands_alone(&call.receiver) && call.args.iter().all(stands_alone)
        }
        // `old(..)`, and functions that are named. A longer path may be a function of a type that is still
        // open, and `Ok(..)` does not say what the error is.
        Expr::Call(call) => {
            let is_function = |name: &proc_macro2::Ident| name.to_string().starts_with(char::is_lowercase);
            let is_plain =
                matches!(&*call.func, Expr::Path(path) if path.path.get_ident().is_some_and(is_function));
            is_plain && call.args.iter().all(stands_alone)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(condition: &str) -> Vec<String> {
        let condition: Expr = syn::parse_str(condition).expect("it is an expression");
        of(&condition).iter().map(text).collect()
    }

    #[test]
    fn both_sides_of_a_comparison_are_operands() {
        assert_eq!(
            operands("self.balance() == old(self.balance()) - amount"),
            ["self.balance()", "old(self.balance())", "amount"]
        );
        assert_eq!(operands("a < b && (b <= a || !c)"), ["a", "b", "c"]);
        assert_eq!(operands("result.is_some() == (n as usize > 3)"), ["result.is_some()", "n"]);
    }

    #[test]
    fn what_was_before_stays_so() {
        assert_eq!(operands("!old(self.has(result))"), ["old(self.has(result))"]);
        assert_eq!(operands("old(self.all(|x| x)) || n == 3"), ["n"]);
    }

    #[test]
    fn what_says_nothing_new_is_left_out() {
        assert_eq!(operands("self.is_sorted()"), [""; 0]);
        assert_eq!(operands("result == State::Open && 3 < 4"), ["result"]);
        assert_eq!(operands("self.items.iter().all(|x| *x > 0)"), ["self.items.iter()"]);
    }

    #[test]
    fn what_cannot_be_evaluated_by_itself_is_left_out() {
        assert_eq!(operands("text.parse() == Ok(self.n)"), ["text", "self.n"]);
        assert_eq!(operands("u64::from(n) == wide.into()"), ["n", "wide"]);
        assert_eq!(operands("matches!(self.state, State::Open { .. })"), ["self.state"]);
        assert_eq!(operands("f(|x| x) == 3"), [""; 0]);
    }
}
