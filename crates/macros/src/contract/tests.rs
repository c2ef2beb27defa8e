//! Expansions and diagnostics of `#[contract]`, token by token.

use super::contract;
use crate::testing::{assert_expands, pretty, problem, problems};
use proc_macro2::TokenStream;

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source is Rust")
}

fn expand(item: &str) -> TokenStream {
    contract(TokenStream::new(), tokens(item))
}

/// The expansion without layout, for tests that look for a part of it.
fn flat(item: &str) -> String {
    pretty(expand(item)).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn assert_contains(expansion: &str, part: &str) {
    assert!(expansion.contains(part), "no `{part}` in:\n{expansion}");
}

const ACCOUNT: &str = "
    /// Money.
    impl Account {
        const MOST: u64 = 100;
        pub fn open() -> Account { Account { balance: 0 } }
        /// Takes money out.
        #[requires(amount <= self.balance)]
        #[ensures(self.balance == old(self.balance) - amount)]
        #[inline]
        pub fn withdraw(&mut self, #[from(0..9)] mut amount: u64) { self.balance -= amount; }
        #[invariant]
        fn sane(&self) -> bool { self.balance <= Self::MOST }
    }";

#[test]
fn without_checks_a_block_is_what_was_written() {
    let expansion = expand(ACCOUNT);
    let file: syn::File = syn::parse2(expansion).unwrap();
    let [syn::Item::Const(around)] = &file.items[..] else { panic!("one constant") };
    let syn::Expr::Block(block) = &*around.expr else { panic!("a block of items") };
    let Some(syn::Stmt::Item(syn::Item::Impl(plain))) = block.block.stmts.first() else { panic!("an impl") };
    assert_expands(
        quote::quote!(#plain),
        "#[cfg(not(any(test, stairway)))]
        /// Money.
        impl Account {
            const MOST: u64 = 100;
            pub fn open() -> Account { Account { balance: 0 } }
            /// Takes money out.
            #[inline]
            pub fn withdraw(&mut self, mut amount: u64) { self.balance -= amount; }
            #[allow(dead_code)]
            fn sane(&self) -> bool { self.balance <= Self::MOST }
        }",
    );
}

#[test]
fn a_checked_function_is_a_wrapper() {
    let expansion = flat(ACCOUNT);
    assert_contains(
        &expansion,
        "/// Takes money out. #[inline] pub fn withdraw(&mut self, amount: u64) { \
         if !::stairway::__private::contract::is_checking() { return Self::__unchecked_withdraw(self, amount); } \
         ::stairway::__private::contract::requires( \"withdraw\", \"amount <= self . balance\", \
         || -> bool { amount <= self.balance }, || ::stairway::__private::parts([ \
         ::stairway::__private::part( \"amount\", || ::stairway::__private::show_if_possible!(& (amount)), ), \
         ::stairway::__private::part( \"self.balance\", \
         || ::stairway::__private::show_if_possible!(& (self.balance)), ), ]), ); \
         Self::__ensured_withdraw(self, amount) }",
    );
    assert_contains(
        &expansion,
        "fn __ensured_withdraw(&mut self, amount: u64) { \
         let __old_0 = ::stairway::__private::contract::quietly(|| self.balance); \
         let __old_0_copy = ::stairway::__private::backup!(& __old_0); \
         let __result = Self::__unchecked_withdraw(self, amount);",
    );
    assert_contains(&expansion, "|| -> bool { self.balance == __old_0 - amount }");
    assert_contains(
        &expansion,
        "::stairway::__private::contract::invariant( \"withdraw\", \"sane\", || Self::sane(&*self), \
         || Self::__parts_sane(&*self), );",
    );
    assert_contains(&expansion, "-> ::core::result::Result<(), (u64,)> {");
}

#[test]
fn only_public_functions_are_called_by_programs() {
    let expansion = flat("impl A { pub fn a() {} pub(crate) fn b() {} fn c() {} pub fn d<T>(_: T) {} }");
    for called in ["\"A::a\"", "\"A::b\""] {
        assert_contains(&expansion, called);
    }
    for left in ["\"A::c\"", "Call::new( \"A::d\"", "__attempt_d"] {
        assert!(!expansion.contains(left), "{left} in {expansion}");
    }
    assert_contains(&expansion, "pub fn d<T>(__parameter_0: T)");
    assert_contains(&expansion, "[(\"A::d\", \"it is generic\")]");
}

#[test]
fn what_a_call_gives_is_kept() {
    let kept = |output: &str| {
        let expansion = flat(&format!("impl A {{ pub fn a(&self) -> {output} {{ todo!() }} }}"));
        let gives = expansion.split(".gives::<").nth(1);
        gives.map(|rest| rest.split(">()").next().unwrap().to_string())
    };
    assert_eq!(kept("A").as_deref(), Some("A"));
    assert_eq!(kept("Option<Vec<u8>>").as_deref(), Some("Vec<u8>"));
    assert_eq!(kept("std::result::Result<u8, String>").as_deref(), Some("u8"));
    for lost in ["()", "&u8", "Option<&u8>", "Result<(), E>", "impl Iterator<Item = u8>", "Ref<'_, u8>"] {
        assert_eq!(kept(lost), None, "{lost}");
    }
}

#[test]
fn a_contract_stands_on_a_block_or_a_module() {
    assert!(problem(expand("fn f() {}")).contains("goes on an `impl` block"));
    assert!(problem(expand("mod far;")).contains("with its contents"));
    assert!(problem(expand("impl [u8] {}")).contains("a struct or an enum of yours"));
    assert!(
        problem(contract(tokens("x"), tokens("impl A {}")))
            .contains("`#[contract(of = path::Type)]`, `#[contract(name = Queries)]`")
    );
    assert!(problem(contract(tokens("name = B"), tokens("mod a {}"))).contains("has a name: remove this"));
}

#[test]
fn clauses_are_conditions() {
    assert!(problem(expand("impl A { #[requires] fn f() {} }")).contains("write `#[requires(condition)]`"));
    assert!(problem(expand("impl A { #[ensures()] fn f() {} }")).contains("write `#[ensures(condition)]`"));
    assert!(
        problem(expand("impl A { #[requires(old(n) > 1)] fn f(n: u8) {} }"))
            .contains("belongs in `#[ensures(..)]`")
    );
    assert!(problem(expand("impl A { #[ensures(old(old(n)) > 1)] fn f(n: u8) {} }")).contains("already"));
    assert!(
        problem(expand("impl A { #[ensures(old() > 1)] fn f(n: u8) {} }"))
            .contains("write `old(expression)`")
    );
    assert!(
        problem(expand("impl A { #[ensures(true)] fn f(result: u8) {} }")).contains("rename this parameter")
    );
    // Other things called `old` are left alone.
    assert_contains(
        &flat("impl A { #[requires(self.old(1) && a::old(2))] fn f(&self) {} }"),
        "self.old(1) && a::old(2)",
    );
}

#[test]
fn mistakes_are_reported_together() {
    let found = problems(expand(
        "impl A {
            #[pre(true)] fn a() {}
            #[requires(true)] const fn c() {}
            #[ensures(true)] unsafe fn d() {}
            #[invariant] fn e(&mut self) -> bool { true }
            #[invariant(1)] fn f(&self) -> bool { true }
            #[op] fn g() {}
            fn h(#[from] n: u8) {}
        }",
    ));
    let parts = [
        "write `#[requires(..)]`",
        "cannot run in a constant",
        "unsafe functions are not checked",
        "write `#[invariant] fn name(&self) -> bool { .. }`",
        "write `#[invariant] fn name(&self) -> bool { .. }`",
        "a part of `#[model]`",
        "which generator?",
    ];
    assert_eq!(found.len(), parts.len(), "{found:?}");
    for (found, part) in found.iter().zip(parts) {
        assert!(found.contains(part), "no `{part}` in: {found}");
    }
}

#[test]
fn functions_of_a_trait_have_a_name_of_their_own() {
    let named = |block: &str| {
        let expansion = flat(block);
        let name = expansion.split("pub struct ").nth(1).expect("a type").split(['<', '(']).next();
        name.expect("its name").trim().to_string()
    };
    assert_eq!(named("impl a::Store for b::Memory {}"), "MemoryAsStore");
    assert_eq!(named("impl From<Vec<u8>> for Memory {}"), "MemoryAsFromVecU8");
    assert_eq!(named("impl Add<&Counter> for &Counter { type Output = u8; }"), "CounterAsAddCounter");
    assert_eq!(named("impl<T> Look<'_, T> for [T; 3] {}"), "T3AsLookT");
    // What it leaves out, the hidden trait has to say.
    let expansion = flat("impl Look<'_, &u8> for Memory { fn look(&self) {} }");
    assert_contains(&expansion, ">: Look<'__elided_0, &'__elided_1 u8> + ::core::marker::Sized {");
    // An invariant is none of the trait's.
    let expansion = flat("impl Store for Memory { #[invariant] fn fits(&self) -> bool { true } }");
    assert_contains(&expansion, "impl Store for Memory {}");
}

#[test]
fn functions_are_drawn_where_their_types_allow() {
    let drawn = |parameter: &str| {
        let expansion = flat(&format!("impl A {{ pub fn a<F: Fn(u8) -> u8>(&self, f: {parameter}) {{}} }}"));
        expansion.contains("draw_function") && expansion.contains("Call::new( \"A::a\"")
    };
    for function in ["F", "&F", "Option<F>", "Box<F>"] {
        assert!(drawn(function), "{function}");
    }
    let drawn = |parameter: &str| {
        flat(&format!("impl A {{ pub fn a(&self, f: {parameter}) {{}} }}")).contains("draw_function")
    };
    for function in [
        "impl FnMut(&u8, &mut Vec<u8>) -> bool + Send + 'static",
        "&dyn Fn(&str) -> u8",
        "&mut dyn FnMut(Option<&u8>)",
        "Box<dyn FnOnce() -> u8>",
        "Option<std::sync::Arc<dyn Fn(u8) -> u8 + Send + Sync>>",
        "fn(&u8) -> bool",
        "Option<fn(u8)>",
    ] {
        assert!(drawn(function), "{function}");
    }
    for other in [
        "impl Fn(u8) -> &u8",
        "impl Fn(u8) -> u8 + Copy",
        "impl Fn(&mut [u8])",
        "impl Fn(u8) -> !",
        "unsafe fn(u8) -> u8",
        "extern \"C\" fn(u8) -> u8",
        "&'static dyn Fn(u8) -> u8",
        "impl Iterator<Item = u8>",
        "Cell<fn(u8) -> u8>",
        "Option<Option<fn(u8) -> u8>>",
    ] {
        assert!(!drawn(other), "{other}");
    }
}
