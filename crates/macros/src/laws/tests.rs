//! Expansions and diagnostics of `laws!`.

use super::laws;
use crate::testing::{pretty, problem};

fn expand(source: &str) -> proc_macro2::TokenStream {
    laws(source.parse().expect("the test's source is Rust"))
}

fn flat(source: &str) -> String {
    pretty(expand(source)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in:\n{text}");
}

#[test]
fn a_law_becomes_a_test_and_a_checker() {
    let expansion = flat("Fifo: /// Doc.\n add(m: i32): [push(m); x = front()] == [push(m); x = Some(m)];");
    assert_contains(&expansion, "/// Doc. #[test] fn add() { add_law().run(); }");
    assert_contains(&expansion, "pub fn add_law() -> ::stairway::__private::LawChecker<Fifo>");
    assert_contains(&expansion, "is_from_start: false, is_model_alone: false,");
    assert_contains(&expansion, "|__side, __code, __given| <Fifo>::__law_push(");
    assert_contains(&expansion, "\"x = front()\", (1u32, false), |__side, __code, __given|");
    assert_contains(&expansion, ".value( \"Some(m)\"");
    assert_contains(&expansion, "<Fifo>::__answer_front(Some(m))");
    assert_contains(&expansion, "__fragment.bind(\"x\", __value);");
}

#[test]
fn a_variable_may_be_an_earlier_result() {
    let expansion = flat("M: a(r: Ref<E>): [f(r)] == [];");
    assert_contains(&expansion, "let ::core::option::Option::Some(r) = __law.earlier::<E>(\"r\")? else");
    assert_contains(&expansion, "<M>::__law_f( __side, __code, __given, r, )");
}

#[test]
fn a_result_is_passed_on() {
    let expansion =
        flat("M: a: [f = open(); x = read(f); close(f)] == [g = open(); f = open(); x = read(f); close(g)];");
    assert_contains(&expansion, "let f = ::stairway::__private::pass_on(__result)?;");
    // What both sides give has one number, and later steps may use it.
    assert_eq!(expansion.matches("\"f = open()\", (1u32, true)").count(), 2, "{expansion}");
    assert_contains(&expansion, "\"g = open()\", (3u32, false)");
    // What is not an argument of a later call is compared only.
    assert!(!expansion.contains("let x ="), "{expansion}");
    assert_contains(
        &problem(expand("M: a(f: u8): [f = open(); close(f)] == [];")),
        "`f` is a variable of the law already",
    );
}

#[test]
fn a_law_is_about_any_place_the_start_or_a_model() {
    assert_contains(&flat("M: a: start [f()] == start [];"), "is_from_start: true, is_model_alone: false,");
    assert_contains(&flat("model M: a: [f()] == [];"), "is_from_start: false, is_model_alone: true,");
}

#[test]
fn a_system_becomes_a_model_that_says_nothing() {
    let expansion = flat(
        "system(n: u8) Q = Q::new(n); op f(v: i32); op g() -> u8 requires system.ok(); a: [f(1)] == [];",
    );
    assert_contains(&expansion, "struct __LawsFrom_a;");
    assert_contains(&expansion, "fn __start(n: u8) -> (Self, Q) { (Self, Q::new(n)) }");
    assert_contains(&expansion, "__running.in_systems(|system| system.ok())");
    assert_contains(&expansion, "fn __answer_g(answer: u8) -> u8 { answer }");
    assert_contains(&expansion, "::stairway::__private::Anything");
}

#[test]
fn wrong_laws_are_told_what_to_write() {
    let wrong = |source: &str| problem(expand(source));
    assert_contains(&wrong(""), "write the name of a `#[model]`");
    assert_contains(&wrong("M:"), "which laws?");
    assert_contains(&wrong("system Q = Q::new(); a: [f()] == [];"), "write `op push(v: i32);`");
    let untyped = wrong("system Q = Q::new(); op f(v: u8); a: [x = f(1)] == [x = true];");
    assert_contains(&untyped, "say its type above, as in `op f(..) -> bool;`");
    assert_contains(&wrong("M: a: f() == [];"), "a side of a law is a list of calls");
    assert_contains(&wrong("M: a: [3] == [];"), "a value alone says nothing");
    assert_contains(&wrong("M: a: [x = f()] == [];"), "`x` is bound on this side only");
    assert_contains(&wrong("M: a: [x = f(); x = g()] == [x = f()];"), "`x` is bound twice");
    assert_contains(&wrong("M: a: start [f()] == [];"), "write `start` on both, or on none");
    assert_contains(&wrong("M: a: [f()] == []; a: [f()] == [];"), "there is a law `a` already");
    assert_contains(&wrong("M: a(#[from(0..3)] r: Ref<E>): [f(r)] == [];"), "remove `#[from(..)]`");
    let at_start = wrong("M: a(r: Ref<E>): start [f(r)] == start [];");
    assert_contains(&at_start, "there are no results at the start for `r`: remove `start` on both sides");
    assert_contains(&wrong("M: 3: [f()] == [];"), "write a law as");
    assert_contains(&wrong("M: a(_: u8): [f()] == [];"), "write `name: Type` here");
}
