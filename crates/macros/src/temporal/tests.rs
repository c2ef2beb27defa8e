use super::*;
use crate::testing::problem;
use quote::quote;

#[test]
fn unknown_operators_are_named() {
    let message = problem(temporal(quote!(p in atm: allways(at(Ready))), Home::Stairway));
    assert!(message.starts_with("no operator `allways` (did you mean `always`?); there are "), "{message}");
    let message = problem(temporal(quote!(p in atm: Ready), Home::Stairway));
    assert!(message.ends_with("a state is written `at(Ready)`"), "{message}");
}

#[test]
fn options_are_named() {
    let message = problem(temporal(quote!(p in atm, dept(3): at(Ready)), Home::Stairway));
    assert!(message.starts_with("no option `dept`; there are `proved`"), "{message}");
}

#[test]
fn a_number_to_find_has_its_place() {
    let message = problem(temporal(quote!(p in atm: or(at(A), within(auto, at(B)))), Home::Stairway));
    assert!(message.starts_with("`within(auto, ..)` stands alone"), "{message}");
}

#[test]
fn arrays_need_a_largest_length() {
    let message = problem(const_property(quote!(p(n: usize, xs: [u8; n]): true)));
    assert!(message.starts_with("say how large `n` may be"), "{message}");
}
