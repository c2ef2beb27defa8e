//! Expansions and diagnostics of `#[property]`, token by token.

use super::property;
use crate::testing::{assert_expands, pretty, problem, problems};
use proc_macro2::TokenStream;

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source is Rust")
}

fn expand(options: &str, item: &str) -> TokenStream {
    property(tokens(options), tokens(item))
}

/// The expansion without layout, for tests that look for a part of it.
fn flat(options: &str, item: &str) -> String {
    pretty(expand(options, item)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_contains(expansion: &str, part: &str) {
    assert!(expansion.contains(part), "no `{part}` in:\n{expansion}");
}

#[test]
fn types_with_paths_are_imported_for_examples_and_printed_tests() {
    let expansion = pretty(expand(
        "",
        "fn p(a: &c::date<u8>, b: Vec<Option<super::deep::Colour>>, c: std::num::NonZeroU8, d: x::Twin, e: y::Twin) {}",
    ));
    assert_contains(&expansion, r#"imports: &["c::date"]"#);
    assert_contains(&expansion, r#"imports: &["super::deep::Colour"]"#);

    let expansion = flat("", "#[example(date(1), c::date(2))] fn p(a: date, b: c::date) {}");
    assert!(!expansion.contains("use c::date"), "the name means another type here: {expansion}");

    let expansion = flat("", "#[example(date { day: 1 })] fn p(a: c::date) {}");
    assert_contains(&expansion, "#[allow(unused_imports)] use c::date; let a: c::date = date { day: 1 };");
}

#[test]
fn a_property_becomes_a_test() {
    assert_expands(
        expand(
            "cases = 1000, seed = 5, isolate",
            "/// Order is kept.
            #[ignore]
            #[example(0, vec![])]
            fn keeps_order(x: i32, #[from(sorted(0..9))] mut xs: Vec<i32>) { insert(x, &mut xs); }",
        ),
        r#"
        #[test]
        /// Order is kept.
        #[ignore]
        fn keeps_order() {
            fn __drawn_from<T, G: ::stairway::Generate<Value = T>>(generator: G) -> G { generator }
            #[allow(
                clippy::needless_pass_by_value,
                clippy::too_many_arguments,
                clippy::unnecessary_wraps,
                clippy::unused_async,
                clippy::used_underscore_binding
            )]
            fn __property(__case: &mut ::stairway::Case<'_>, x: i32, mut xs: Vec<i32>) { insert(x, &mut xs); }
            ::stairway::__private::Property::new(::core::concat!(::core::module_path!(), "::", "keeps_order"))
                .settings(::stairway::Settings::new().cases(1000).seed(5).isolate())
                .source(::stairway::__private::Source {
                    name: "keeps_order",
                    parameters: &[
                        ::stairway::__private::call_source::Parameter {
                            name: "x", ty: "i32", lending: ::stairway::__private::call_source::Lending::Owned, imports: &[],
                        },
                        ::stairway::__private::call_source::Parameter {
                            name: "mut xs", ty: "Vec<i32>", lending: ::stairway::__private::call_source::Lending::Owned, imports: &[],
                        }
                    ],
                    returns: ::stairway::__private::Returns::Nothing,
                    body: &["insert (x , & mut xs) ;"],
                    is_expression: false,
                    several: &[],
                    stands_alone: true,
                    is_pasteable: true
                        && ::stairway::__private::is_source!(i32)
                        && ::stairway::__private::is_source!(Vec<i32>),
                })
                .examples(&[|__case: &mut ::stairway::Case<'_>| -> ::stairway::Checked {
                    let x: i32 = 0;
                    __case.given("x", || ::stairway::__private::show!(&x));
                    let xs: Vec<i32> = vec![];
                    __case.given("xs", || ::stairway::__private::show!(&xs));
                    __case.checkpoint();
                    let __result = __property(__case, x, xs);
                    let __result = ::stairway::__private::Testable::checked_in(__result, __case, false);
                    __case.conclude(__result)
                }])
                .run(|__case: &mut ::stairway::Case<'_>| -> ::stairway::Checked {
                    let x: i32 = __case
                        .argument("x", ::stairway::any::<i32>(), |value| ::stairway::__private::show!(value))?;
                    let xs: Vec<i32> = __case
                        .argument(
                            "xs",
                            __drawn_from::<Vec<i32>, _>(sorted(0..9)),
                            |value| ::stairway::__private::show!(value),
                        )?;
                    let __result = __property(__case, x, xs);
                    let __result = ::stairway::__private::Testable::checked_in(__result, __case, false);
                    __case.conclude(__result)
                });
        }
        "#,
    );
}

#[test]
fn a_property_may_draw_nothing() {
    let expansion = flat("", "pub(crate) fn holds() -> bool { true }");
    assert_contains(&expansion, "pub(crate) fn holds() {");
    assert_contains(&expansion, "fn __property(__case: &mut ::stairway::Case<'_>) -> bool { true }");
    assert_contains(&expansion, ".settings(::stairway::Settings::new())");
    assert_contains(&expansion, "parameters: &[],");
    assert!(!expansion.contains(".examples(") && !expansion.contains("__drawn_from"));
}

#[test]
fn every_setting_is_one_call() {
    let expansion =
        flat("time = \"2s\", jobs = N, timeout = T, exhaustive = 4, max_discards = 10,", "fn p() {}");
    assert_contains(
        &expansion,
        "::stairway::Settings::new() .time(::core::time::Duration::from_millis(2000u64)) .jobs(N) .timeout(T) \
         .exhaustive(4) .max_discards(10)",
    );
}

#[test]
fn partial_is_handed_to_the_result() {
    assert_contains(
        &flat("partial", "fn p() -> Option<()> { None }"),
        "Testable::checked_in( __result, __case, true, )",
    );
}

#[test]
fn async_functions_are_blocked_on() {
    let expansion = flat("", "async fn p(x: u8) { f(x).await }");
    assert_contains(&expansion, "async fn __property(__case: &mut ::stairway::Case<'_>, x: u8) {");
    assert_contains(&expansion, "= ::stairway::__private::block_on(__property(__case, x));");
    assert_contains(&expansion, "stands_alone: false");
}

#[test]
fn what_is_meant_to_fail_is_not_stored() {
    assert_contains(
        &flat("", "#[should_panic] fn p(x: u8) {}"),
        "::stairway::Settings::new().without_regressions()",
    );
    assert!(!flat("", "fn p(x: u8) {}").contains("without_regressions"));
}

#[test]
fn an_executor_is_given_a_future_or_a_closure() {
    assert_contains(
        &flat("executor = my::run", "async fn p() {}"),
        "= ::stairway::__private::in_time( my::run(::stairway::__private::limited(__property(__case))), );",
    );
    assert_contains(&flat("executor = my::run", "fn p(x: u8) {}"), "= my::run(|| __property(__case, x));");
}

#[test]
fn references_are_drawn_owned_and_lent() {
    let expansion = flat("", "fn p(xs: &[i32], s: &str, t: &Tree, ys: &mut [u8]) {}");
    assert_contains(&expansion, "let xs: ::std::vec::Vec<i32> =");
    assert_contains(&expansion, "let s: ::std::string::String =");
    assert_contains(&expansion, "let t: Tree =");
    assert_contains(&expansion, "let mut ys: ::std::vec::Vec<u8> =");
    assert_contains(&expansion, "__property(__case, &xs, &s, &t, &mut ys)");
    let lent = [
        ("xs", "&[i32]", "Slice"),
        ("s", "&str", "Text"),
        ("t", "&Tree", "Shared"),
        ("ys", "&mut [u8]", "Mutable"),
    ];
    for (name, ty, lending) in lent {
        let lending = format!("::stairway::__private::call_source::Lending::{lending}");
        assert_contains(&expansion, &format!("name: \"{name}\", ty: \"{ty}\", lending: {lending},"));
    }
}

#[test]
fn types_are_shown_as_they_are_written() {
    let expansion = flat("", "fn p(m: BTreeMap<String, [u8; 4]>, f: Box<dyn Fn(i32) -> u8 + Send>) {}");
    assert_contains(&expansion, r#""BTreeMap<String, [u8; 4]>""#);
    assert_contains(&expansion, r#""Box<dyn Fn(i32) -> u8 + Send>""#);
}

#[test]
fn a_case_parameter_is_handed_the_case() {
    for ty in ["&mut Case", "&mut Case<'_>", "&mut stairway::Case<'_>"] {
        let expansion = flat("", &format!("fn p(x: i32, t: {ty}, y: u8) {{ assume!(x > 0); }}"));
        assert_contains(&expansion, &format!("fn __property(x: i32, t: {ty}, y: u8)"));
        assert_contains(&expansion, "::stairway::__private::assume!(t, x > 0)");
        assert_contains(&expansion, "__property(x, __case, y)");
        for drawn in [r#"name: "x", ty: "i32","#, r#"name: "y", ty: "u8","#] {
            assert_contains(&expansion, drawn);
        }
        assert!(!expansion.contains(r#"name: "t""#), "{expansion}");
    }
}

#[test]
fn words_about_the_case_name_it_at_any_depth() {
    let body = |statements: &str| flat("", &format!("fn p(x: i32) {{ {statements} }}"));
    for name in ["assume", "cover", "label", "classify", "collect", "note", "maximize"] {
        let expansion = body(&format!("if a {{ [1].map(|y| {{ {name}!(x, y); }}); }}"));
        assert_contains(&expansion, &format!("::stairway::__private::{name}!(__case, x, y)"));
    }
    assert_contains(&body("stairway::assume!(x);"), "{ ::stairway::__private::assume!(__case, x); }");
    assert_contains(&body("::stairway::assume!(x);"), "{ ::stairway::__private::assume!(__case, x); }");
    assert_contains(&body("vec![{ label!(\"a\"); 1 }];"), "::stairway::__private::label!(__case, \"a\")");
    assert_contains(&body("note!(\"{}\", { assume!(x); 1 });"), "::stairway::__private::assume!(__case, x)");
    assert_contains(&body("note!();"), "::stairway::__private::note!(__case)");
}

#[test]
fn other_uses_of_those_names_are_left_alone() {
    let body = "{ other::note!(x); a::stairway::note!(x); xs.iter().collect::<Vec<_>>(); label != (x); }";
    let expansion = flat("", &format!("fn p(x: i32) {body}"));
    assert!(!expansion.contains("::stairway::__private::note"), "{expansion}");
    assert_contains(&expansion, "{ other::note!(x); a::stairway::note!(x);");
    assert_contains(&expansion, "label != (x);");
}

#[test]
fn examples_go_by_name_too() {
    let expansion = flat("", "#[example(y = 1, x = 2)] fn p(x: i32, t: &mut Case, y: u8) {}");
    assert_contains(
        &expansion,
        r#"let x: i32 = 2; __case.given("x", || ::stairway::__private::show!(& x));"#,
    );
    assert_contains(&expansion, "let y: u8 = 1;");
}

#[test]
fn examples_for_references_are_references_or_lent() {
    let expansion =
        flat("", "#[example(\"a\", &[1])] #[example(\"a\".into(), vec![1])] fn p(s: &str, xs: &[i32]) {}");
    assert_contains(&expansion, "let s: &str = \"a\";");
    assert_contains(&expansion, "let xs: &[i32] = &[1];");
    assert_contains(&expansion, "__property(__case, s, xs)");
    assert_contains(&expansion, "let xs: ::std::vec::Vec<i32> = vec![1];");
    assert_contains(&expansion, "__property(__case, &s, &xs)");
}

#[test]
fn wrong_examples_are_told_the_form() {
    let wrong = |example: &str| problem(expand("", &format!("{example} fn p(x: i32, xs: Vec<i32>) {{}}")));
    assert_eq!(
        wrong("#[example(1)]"),
        "this property draws 2 values, the example gives 1 value: write `#[example(x, xs)]`"
    );
    assert_eq!(wrong("#[example]"), "which input? write `#[example(x, xs)]`");
    assert_contains(&wrong("#[example(1, xs = vec![])]"), "name all of them or none");
    assert_contains(&wrong("#[example(x = 1)]"), "add `xs = value`");
    assert_contains(&wrong("#[example(x = 1, y = 2)]"), "write `#[example(x, xs)]`");
    assert_contains(&wrong("#[example(x = 1, x = 2)]"), "given twice");
}

#[test]
fn wrong_options_are_told_what_to_write() {
    let wrong = |options: &str| problem(expand(options, "fn p() {}"));
    assert_contains(&wrong("case = 3"), "there is no option `case`; write one of `cases`, `seed`");
    assert_eq!(wrong("cases = 3, cases = 4"), "`cases` is given twice: remove one of them");
    assert_eq!(wrong("cases"), "`cases` needs a value: write `cases = 1000`");
    assert_eq!(wrong("cases ="), "`cases` needs a value: write `cases = 1000`");
    assert_eq!(wrong("cases = \"many\""), "`cases` is a whole number: write `cases = 1000`");
    assert_eq!(wrong("seed = -1"), "`seed` is a whole number: write `seed = 5`");
    assert_eq!(wrong("isolate = true"), "`isolate` takes no value: write `isolate`");
    assert_eq!(wrong("confined = 1"), "`confined` takes no value: write `confined`");
    assert_eq!(
        wrong("writable = 3"),
        "`writable` is the path of a folder: write `writable = \"target/tmp\"`"
    );
    assert_contains(&wrong("executor = 3"), "`executor` is the path of a function");
    assert_contains(&wrong("1000"), "write options by name");
    assert_contains(&wrong("cases 1000"), "write `cases = value`");
}

#[test]
fn wrong_functions_are_told_what_to_write() {
    let wrong = |item: &str| problem(expand("", item));
    assert_contains(&wrong("fn p(&self) {}"), "without `self`");
    assert_contains(&wrong("fn p<T>(x: T) {}"), "concrete types");
    assert_contains(&wrong("fn p() where i32: Copy {}"), "remove the `where` clause");
    assert_contains(&wrong("fn p((x, y): (i32, i32)) {}"), "write `name: Type` here");
    assert_contains(&wrong("fn p(_: i32) {}"), "write `name: Type` here");
    assert_contains(&wrong("fn p(x: i32);"), "needs a body");
    assert_contains(&wrong("struct P;"), "goes on a function");
    assert_contains(&wrong("const P: i32 = 3;"), "goes on a function");
    assert_contains(&wrong("unsafe fn p() {}"), "remove `unsafe`");
    assert_contains(&wrong("const fn p() {}"), "remove `const`");
    assert_contains(&wrong("extern \"C\" fn p() {}"), "remove the ABI");
    assert_contains(&wrong("fn p(x: impl Copy) {}"), "concrete type");
    assert_contains(&wrong("fn p(x: &'static str) {}"), "sampled_from([..])");
    assert_contains(&wrong("fn p(x: &'a str) {}"), "leave the lifetime out");
    assert_contains(&wrong("#[test] fn p() {}"), "`#[property]` makes the test");
    assert_contains(&wrong("#[tokio::test] async fn p() {}"), "executor = path");
    assert_contains(&wrong("fn p(#[cfg(unix)] x: i32) {}"), "takes `#[from(generator)]` only");
    assert_contains(&wrong("fn p(#[from] x: i32) {}"), "which generator?");
    assert_contains(&wrong("#[from(0..3)] fn p(x: i32) {}"), "belongs on a parameter");
    assert_contains(&wrong("fn p(a: &mut Case, b: &mut Case) {}"), "there is one case");
    assert_contains(&wrong("fn p(#[from(x)] a: &mut Case) {}"), "remove `#[from(..)]`");
}

#[test]
fn all_problems_are_told_at_once() {
    let expansion = expand("case = 1, cases", "#[example(1)] fn p<T>(&self, (x, y): (T, T)) {}");
    assert_eq!(problems(expansion).len(), 5);
}
