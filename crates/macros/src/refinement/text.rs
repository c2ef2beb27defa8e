//! A refinement as the body of a test, for the report.
//!
//! Turns a refinement into text: the clauses as statements, then what they must satisfy. There are two texts,
//! because only a run shows whether the specification gives one outcome or several.

use super::{Refinement, Relation};
use crate::source_text;
use quote::ToTokens;
use syn::visit::Visit;
use syn::{Expr, Pat};

/// The body where the specification says exactly what comes out.
pub(super) fn exact(refinement: &Refinement) -> String {
    let claim = match &refinement.relation {
        Relation::Equal => "assert_eq!(spec, real);".to_string(),
        Relation::Relate(relation) => match sides(relation) {
            Some((one, other, condition)) => {
                format!("let ({one}, {other}) = (&spec, &real);\n    assert!({condition});")
            }
            None => format!("assert!(({})(&spec, &real));", written(relation, refinement)),
        },
        Relation::View(view) => format!("assert_eq!(spec, ({})(&real));", written(view, refinement)),
    };
    body(refinement, &claim)
}

/// The body where it allows several outcomes.
pub(super) fn several(refinement: &Refinement) -> String {
    let claim = match &refinement.relation {
        Relation::Equal => "assert!(spec.allows(&real));".to_string(),
        Relation::Relate(relation) => match sides(relation) {
            Some((one, other, condition)) => {
                format!("let {other} = &real;\n    assert!(spec.values().any(|{one}| {condition}));")
            }
            None => {
                let relation = written(relation, refinement);
                format!("assert!(spec.values().any(|spec| ({relation})(spec, &real)));")
            }
        },
        Relation::View(view) => format!("assert!(spec.allows(&({})(&real)));", written(view, refinement)),
    };
    body(refinement, &claim)
}

/// The clauses as statements, and then the claim.
fn body(refinement: &Refinement, claim: &str) -> String {
    let mut out = String::from("{\n");
    for made in &refinement.made {
        let pattern = source_text::plain(made.pattern.to_token_stream());
        out.push_str(&format!("    let {pattern} = {};\n", run(&made.expression, refinement)));
    }
    out.push_str(&format!("    let spec = {};\n", run(&refinement.spec, refinement)));
    out.push_str(&format!("    let real = {};\n    {claim}\n}}", run(&refinement.real, refinement)));
    out
}

/// The text of a clause, with the oracle in charge where there is one.
fn run(expression: &Expr, refinement: &Refinement) -> String {
    let text = fallible(expression, refinement);
    match refinement.oracle() {
        None => text,
        Some(oracle) => format!("{oracle}.during(|| {text})"),
    }
}

/// The text of a clause, with a panic where `?` would end the case: a test returns nothing.
fn fallible(expression: &Expr, refinement: &Refinement) -> String {
    let text = written(expression, refinement);
    match (expression, text.strip_suffix('?')) {
        _ if !ends_early(expression) => text,
        (Expr::Try(tried), Some(text)) if !ends_early(&tried.expr) => format!("{text}.unwrap()"),
        _ => format!("(|| -> stairway::Checked<_> {{ Ok({text}) }})().unwrap()"),
    }
}

/// Whether there is a `?` that does not belong to a function or closure within.
fn ends_early(expression: &Expr) -> bool {
    #[derive(Default)]
    struct Tries(bool);
    impl<'e> Visit<'e> for Tries {
        fn visit_expr_try(&mut self, _: &'e syn::ExprTry) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'e syn::ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'e syn::ExprAsync) {}
        fn visit_item(&mut self, _: &'e syn::Item) {}
    }
    let mut tries = Tries::default();
    tries.visit_expr(expression);
    tries.0
}

fn written(expression: &Expr, refinement: &Refinement) -> String {
    source_text::of(expression, refinement.braces)
}

/// The names and the condition of a relation that is a closure.
fn sides(relation: &Expr) -> Option<(String, String, String)> {
    let Expr::Closure(closure) = relation else { return None };
    let name = |pattern: &Pat| match pattern {
        Pat::Ident(ident) => Some(ident.ident.to_string()),
        Pat::Type(typed) => match &*typed.pat {
            Pat::Ident(ident) => Some(ident.ident.to_string()),
            _ => None,
        },
        _ => None,
    };
    let mut inputs = closure.inputs.iter();
    let (one, other) = (name(inputs.next()?)?, name(inputs.next()?)?);
    Some((one, other, source_text::plain(closure.body.to_token_stream())))
}
