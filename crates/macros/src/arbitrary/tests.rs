//! Expansions and diagnostics of `#[derive(Arbitrary)]`.

use super::derive;
use crate::testing::{assert_expands, pretty, problem};
use proc_macro2::TokenStream;

fn expand(item: &str) -> TokenStream {
    derive(item.parse().expect("the test's source is Rust"))
}

fn flat(item: &str) -> String {
    pretty(expand(item)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_contains(expansion: &str, part: &str) {
    assert!(expansion.contains(part), "no `{part}` in:\n{expansion}");
}

#[test]
fn a_struct_draws_its_fields_in_order() {
    assert_expands(
        expand("struct Span<T> where T: Copy { start: T, #[from(0..9)] length: u8 }"),
        "
        #[automatically_derived]
        impl<T: ::stairway::Arbitrary> ::stairway::Arbitrary for Span<T> where T: Copy {
            fn arbitrary(choices: &mut ::stairway::Draw<'_>) -> ::stairway::Checked<Self> {
                fn __drawn_from<T, G: ::stairway::Generate<Value = T>>(generator: G) -> G { generator }
                ::core::result::Result::Ok(Self {
                    start: choices.draw(::stairway::any::<T>())?,
                    length: choices.draw(__drawn_from::<u8, _>(0..9))?,
                })
            }
        }
        ",
    );
}

#[test]
fn structs_of_every_kind_are_made() {
    assert_contains(&flat("struct Unit;"), "let _ = choices; ::core::result::Result::Ok(Self)");
    assert_contains(&flat("struct None();"), "Ok(Self())");
    assert_contains(&flat("struct Pair(u8, i8);"), "Self( choices.draw(::stairway::any::<u8>())?,");
    assert_contains(
        &flat("struct S<const N: usize, T: Copy = u8>([T; N], u8);"),
        "impl<const N: usize, T: Copy + ::stairway::Arbitrary>",
    );
}

#[test]
fn a_newtype_is_as_single_as_its_field() {
    assert_expands(
        expand("struct Id(u32);"),
        "
        #[automatically_derived]
        impl ::stairway::Arbitrary for Id {
            fn arbitrary(choices: &mut ::stairway::Draw<'_>) -> ::stairway::Checked<Self> {
                ::core::result::Result::Ok(Self(<u32 as ::stairway::Arbitrary>::arbitrary(choices)?))
            }
            fn is_single() -> bool {
                <u32 as ::stairway::Arbitrary>::is_single()
            }
        }
        ",
    );
    let with_generator = flat("struct Id(#[from(0..9)] u32);");
    assert_contains(&with_generator, "choices.draw(__drawn_from::<u32, _>(0..9))?");
    assert!(!with_generator.contains("is_single"));
}

#[test]
fn fieldless_variants_are_one_named_choice() {
    assert_expands(
        expand("enum Suit { Hearts, Spades {}, Clubs() }"),
        r#"
        #[automatically_derived]
        impl ::stairway::Arbitrary for Suit {
            fn arbitrary(choices: &mut ::stairway::Draw<'_>) -> ::stairway::Checked<Self> {
                const __NAMES: &[&str] = &["Hearts", "Spades", "Clubs"];
                ::core::result::Result::Ok(match choices.named_alternative(3u64, __NAMES) {
                    0 => Self::Hearts,
                    1 => Self::Spades {},
                    _ => Self::Clubs(),
                })
            }
            fn is_single() -> bool {
                true
            }
        }
        "#,
    );
}

#[test]
fn a_lone_variant_takes_no_choice() {
    let expansion = flat("enum One { Only(u8) }");
    assert_contains(
        &expansion,
        "{ ::core::result::Result::Ok(Self::Only(choices.draw(::stairway::any::<u8>())?)) }",
    );
    assert!(!flat("enum One { Only }").contains("is_single"));
}

#[test]
fn leaves_come_before_branches() {
    let expansion = flat("enum Tree { Node(Box<Tree>, Box<Tree>), Leaf, Many(Vec<u8>), End(u8) }");
    assert_contains(&expansion, r#"&["Leaf", "End", "Node", "Many"]"#);
    assert_contains(&expansion, "match choices.variant(__NAMES, 2u64) { 0 => Self::Leaf, 1 => Self::End(");
    assert_contains(&expansion, "2 => { Self::Node(");
    assert_contains(&expansion, "_ => Self::Many(");
    for field in ["&'static [Self]", "Option<(u8, [X; 2])>", "std::rc::Rc<Other>"] {
        assert_contains(&flat(&format!("enum X {{ A({field}), B }}")), r#"&["B", "A"]"#);
    }
}

#[test]
fn weights_keep_the_order_of_declaration() {
    let expansion = flat("enum Op { #[weight(3)] Push(u8), Pop, #[weight(0)] Never }");
    assert_contains(&expansion, r#"&["Push", "Pop", "Never"]"#);
    assert_contains(&expansion, "match choices.weighted(&[3u32, 1u32, 0u32], __NAMES)");
}

#[test]
fn weighted_recursion_ends_in_leaves() {
    let expansion = flat("enum Tree { #[weight(5)] Node(Box<Tree>), Leaf }");
    assert_contains(&expansion, "let leaves_only = choices.is_deep();");
    assert_contains(&expansion, "if leaves_only { &[0u32, 1u32] } else { &[5u32, 1u32] }");
    let without_leaves = flat("enum Tree { #[weight(5)] Node(Vec<Tree>), #[weight(0)] Leaf }");
    assert!(!without_leaves.contains("leaves_only"));
}

#[test]
fn a_bare_from_belongs_to_other_derives() {
    assert_contains(&flat("enum E { #[from] Io(#[from] Error), Other }"), "any::<Error>()");
}

#[test]
fn wrong_types_are_told_what_to_do() {
    let wrong = |item: &str| problem(expand(item));
    assert_contains(&wrong("union U { a: u8 }"), "implement it by hand");
    assert_contains(&wrong("enum Never {}"), "has no values to make");
    assert_contains(&wrong("enum E { #[weight(0)] A }"), "every variant has weight 0");
    assert_contains(&wrong("enum E { #[weight(-1)] A, B }"), "write `#[weight(3)]`");
    assert_contains(&wrong("enum E { #[from(x)] A, B }"), "belongs on a field");
    assert_contains(&wrong("struct S(#[weight(1)] u8);"), "belongs on a variant");
    assert_contains(&wrong("#[weight(1)] struct S(u8);"), "belongs on a variant");
    assert_contains(&wrong("#[from(x)] struct S(u8);"), "belongs on a field");
    assert_contains(&wrong("struct S(#[from(a, b)] u8);"), "takes one generator");
}
