//! Users rely on the macros saying what is wrong, at the place where it is, and what to write
//! instead.

#[test]
fn mistakes_are_explained_where_they_are() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
