use super::*;
use crate::testing::{pretty, problems};

fn expand(text: &str) -> TokenStream {
    refinement(text.parse().expect("the input is made of tokens"))
}

fn wrong(text: &str) -> Vec<String> {
    problems(expand(text))
}

#[test]
fn a_refinement_is_a_test_and_a_checker() {
    let file = pretty(expand("/// Doc.\n #[property(cases = 5)] set(a: u8) { spec => s(a), real => r(a) }"));
    for part in [
        "/// Doc.\n#[test]\nfn set() {\n    set_refinement().run();",
        "pub fn set_refinement() -> ::stairway::__private::RefinementChecker",
        "fn __property(__case: &mut ::stairway::Case<'_>, a: u8) -> ::stairway::Checked",
        "::stairway::Settings::new().cases(5)",
        "refine::equal(",
        "assert_eq!(spec, real);",
        "assert!(spec.allows(&real));",
    ] {
        assert!(file.contains(part), "{part:?} is not in\n{file}");
    }
}

#[test]
fn clauses_run_in_their_order() {
    let file = pretty(expand(
        "set(a: u8) { teardown => |real| free(real), real => r(c), relate => |x, y| x.0 == y, \
         concrete c => make(a), abstract (m, n) => see(a), spec => s(m, n) }",
    ));
    let order = [
        "let c = ::stairway::__private::refine::real(",
        "let (m, n) = ::stairway::__private::refine::abstraction(",
        "given_abstract(\"n\"",
        "refine::spec(",
        "let __real = ::stairway::__private::refine::real(",
        "refine::related(",
        "refine::teardown(__real, |real| free(real))",
        "refine::conclude(__case, __judged)",
    ];
    let places: Vec<usize> = order.iter().map(|part| file.find(part).expect(part)).collect();
    assert!(places.is_sorted(), "{places:?} in\n{file}");
    assert!(file.contains("let (x, y) = (&spec, &real);") && file.contains("any(|x| x.0 == y)"), "{file}");
}

#[test]
fn mistakes_are_told_at_once() {
    let missing = wrong("set(a: u8) { real => 1 } get(a: u8) { }");
    assert_eq!(missing.len(), 3);
    assert!(missing[0].starts_with("`spec => expression` is missing: it says what is right"));
    let one = |text: &str| wrong(text).remove(0);
    assert!(one("").starts_with("what refines what? write `name(input: Type)"));
    assert!(
        one("set(a: u8) { spek => 1, spec => 1, real => 1 }").starts_with("there is no clause `spek`; write")
    );
    assert!(one("set(a: u8) { spec x => 1, spec => 1, real => 1 }").starts_with("`spec` takes no name"));
    assert!(
        one("set(a: u8) { abstract => 1, spec => 1, real => 1 }").contains("`abstract name => expression`")
    );
    assert!(one("set(a: u8) { spec => 1, spec => 1, real => 1 }").starts_with("`spec` is given twice"));
    assert!(
        one("set(a: u8) { spec => 1, real => 1, relate => f, view => g }")
            .contains("keep `relate` or `view`")
    );
    assert!(one("#[property] set(a: u8) { spec => 1, real => 1 }").contains("which options?"));
    assert!(
        one("#[property(case = 1)] set(a: u8) { spec => 1, real => 1 }")
            .contains("there is no option `case`")
    );
    assert!(one("#[example(1, 2)] set(a: u8) { spec => 1, real => 1 }").contains("#[example(a)]"));
    assert!(one("set(t: &mut Case) { spec => 1, real => 1 }").contains("remove the case"));
    assert!(one("(a: u8) { spec => 1 }").starts_with("name the refinement"));
}
