//! Expansions and diagnostics of `#[model]`, token by token.

use super::model;
use crate::testing::{assert_expands, pretty, problem, problems};
use proc_macro2::TokenStream;

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source is Rust")
}

fn expand(options: &str, item: &str) -> TokenStream {
    model(tokens(options), tokens(item))
}

const START: &str = "#[start] fn new() -> (Self, S) { (M, S) }";

/// The expansion of a model with these methods, without layout.
fn flat(methods: &str) -> String {
    let expansion = expand("system = S", &format!("impl M {{ {START} {methods} }}"));
    pretty(expansion).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is wrong with a model that has this method too.
fn wrong(method: &str) -> String {
    problem(expand("system = S", &format!("impl M {{ {START} #[op] fn go(&mut self) {{}} {method} }}")))
}

#[track_caller]
fn assert_contains(expansion: &str, part: &str) {
    let part = part.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(expansion.contains(&part), "no `{part}` in:\n{expansion}");
}

#[test]
fn a_model_becomes_a_specification() {
    assert_expands(
        expand(
            "system = Ring<i32>",
            "impl Fifo {
                #[start] fn new(#[from(1..=8)] n: usize) -> (Fifo, Ring<i32>) { start(n) }
                /// Adds.
                #[op(weight = 3)] fn push(&mut self, v: i32) -> bool { true }
                fn helper(&self) {}
            }",
        ),
        r#"
        impl Fifo {
            fn new(n: usize) -> (Fifo, Ring<i32>) { start(n) }
            /// Adds.
            fn push(&mut self, v: i32) -> bool { true }
            fn helper(&self) {}
            #[doc = "Checks the system against `Fifo`; panics with a report if they disagree."]
            #[allow(dead_code, unreachable_pub)]
            pub fn check() { Self::checker().run(); }
            #[doc = "A checker of the system against `Fifo`, for settings of its own."]
            #[allow(dead_code, unreachable_pub)]
            pub fn checker() -> ::stairway::ModelChecker<Self> {
                ::stairway::ModelChecker::new(::core::concat!(::core::module_path!(), "::", "Fifo"))
            }
        }
        #[automatically_derived]
        #[allow(unused_mut, unused_variables, clippy::all, clippy::pedantic, clippy::nursery)]
        impl ::stairway::Model for Fifo {
            type System = Ring<i32>;
            fn names() -> &'static [&'static str] { &["push"] }
            fn start(__case: &mut ::stairway::Case<'_>) -> ::stairway::Checked<(Self, Self::System)> {
                fn __drawn_from<T, G: ::stairway::Generate<Value = T>>(generator: G) -> G { generator }
                let n: usize = __case.argument(
                    "n",
                    __drawn_from::<usize, _>(1..=8),
                    |value| ::stairway::__private::show!(value),
                )?;
                ::core::result::Result::Ok(Self::new(n))
            }
            fn weight(__running: &::stairway::Running<Self>, __op: usize) -> u32 {
                match __op { 0usize => 3, _ => 0, }
            }
            fn has_fixed_weights() -> bool { true }
            fn step(
                __running: &mut ::stairway::Running<Self>,
                __op: usize,
                __step: &mut ::stairway::Step<'_, '_>,
            ) -> ::stairway::Checked<::stairway::Stepped> {
                match __op {
                    0usize => {
                        let v: i32 = __step.choices().draw(::stairway::any::<i32>())?;
                        __step.show_argument("v", || ::stairway::__private::show!(&v));
                        let __got = __running.call(|system, __results| {
                            let mut __argument_v = ::stairway::Argument::new(::core::clone::Clone::clone(&v));
                            let __answer = system.push(__argument_v.pass());
                            __answer
                        });
                        __running.compare(
                            __step,
                            "push",
                            &__got,
                            ::stairway::Shown {
                                model: |answer: &bool| ::stairway::__private::show!(answer),
                                system: |answer| ::stairway::__private::show!(answer),
                            },
                            |__model| __model.push(::core::clone::Clone::clone(&v)),
                        )
                    }
                    _ => ::core::result::Result::Ok(::stairway::Stepped::Refused),
                }
            }
            fn is_same(&self, other: &Self) -> bool { ::stairway::__private::same!(self, other) }
            fn show(&self, _: &Self::System) -> ::std::string::String { ::stairway::__private::show!(self) }
        }
        "#,
    );
}

#[test]
fn a_precondition_is_split_at_the_first_parameter_it_mentions() {
    let expansion =
        flat("#[op(requires = self.a && self.v() && v < 3 && self.b)] fn go(&mut self, v: i32) {}");
    assert_contains(&expansion, "fn __possible_go(&self) -> bool { self.a && self.v() }");
    assert_contains(&expansion, "fn __requires_go(&self, v: i32) -> bool { v < 3 && self.b }");
    assert_contains(&expansion, "0usize => { if __running.in_all(|__model| __model.__possible_go()) { 1 }");
    assert_contains(&expansion, "__model.__requires_go(::core::clone::Clone::clone(&v))");
    assert_contains(&expansion, "fn has_fixed_weights() -> bool { false }");
}

#[test]
fn a_precondition_over_arguments_leaves_the_weights_fixed() {
    for requires in ["v < 3", "matches!(v, 3)", "(0..v).len() > 1", "f(&[v])"] {
        let expansion = flat(&format!("#[op(requires = {requires})] fn go(&mut self, v: i32) {{}}"));
        assert_contains(&expansion, "fn has_fixed_weights() -> bool { true }");
        assert!(!expansion.contains("__possible_go"), "{expansion}");
    }
}

#[test]
fn weights_over_the_state_are_asked_of_the_model() {
    let expansion = flat("#[op(weight = self.n)] fn go(&mut self) {}");
    assert_contains(&expansion, "fn __weight_go(&self) -> u32 { self.n }");
    assert_contains(&expansion, "0usize => __running.model().__weight_go(),");
}

#[test]
fn a_result_is_stored_and_its_name_is_the_answer() {
    let expansion = flat("#[op] fn open(&mut self, #[result] h: Ref<File>) {}");
    assert_contains(&expansion, "fn open(&mut self, h: Ref<File>) {}");
    assert_contains(&expansion, "let __answer = __results.put(__ordinal, __answer);");
    assert_contains(&expansion, "model: |answer: &Ref<File>|");
    assert_contains(&expansion, "|__model| { __model.open(__got); __got }");
    assert_contains(&expansion, "fn has_fixed_weights() -> bool { true }");
}

#[test]
fn references_are_taken_and_given_back() {
    let expansion = flat("#[op] fn read(&self, h: Ref<File>) -> u8 { 0 }");
    assert_contains(&expansion, "if __running.results.has::<File>() { 1 } else { 0 }");
    assert_contains(&expansion, "let h = __running.results.draw::<File>(__step)?;");
    assert_contains(&expansion, "let mut __value_h = __results.take::<File>(h);");
    assert_contains(&expansion, "__argument_h.into_value().or(__backup_h)");
    assert!(!expansion.contains("retire"));
    let consumed = flat("#[op(consumes = h)] fn close(&mut self, h: Ref<File>) {}");
    assert_contains(&consumed, "__running.results.retire(h);");
    assert!(!consumed.contains("give_back") && !consumed.contains("backup"), "{consumed}");
}

#[test]
fn in_a_call_the_arguments_have_their_names() {
    let expansion = flat("#[op(call = system.f(h, s))] fn go(&mut self, h: Ref<File>, s: &str) {}");
    assert_contains(&expansion, "let h: &mut File = &mut __value_h;");
    assert_contains(&expansion, "let s: &str = &__argument_s; system.f(h, s) };");
    assert_contains(
        &flat("#[op(consumes = h, call = h.x())] fn go(&self, h: Ref<F>) {}"),
        "let mut h = __value_h;",
    );
}

#[test]
fn async_systems_are_blocked_on() {
    let expansion = flat("#[op(awaits)] fn go(&mut self) {}");
    assert_contains(&expansion, "let __answer = ::stairway::block_on(async { system.go().await });");
    let expansion = flat("#[op(awaits, call = system.f().await.g())] fn go(&mut self) {}");
    assert_contains(&expansion, "::stairway::block_on(async { system.f().await.g() })");
}

#[test]
fn several_right_answers_are_explained() {
    let expansion = flat("#[op] fn steal(&self) -> Allowed<'_, Self, u8> { x }");
    assert_contains(&expansion, "__running .explain( __step, \"steal\", &__got,");
}

#[test]
fn observers_see_the_system_if_they_want_to() {
    let expansion = flat(
        "#[op] fn go(&mut self) {}
         #[invariant] fn a(&self) -> bool { true }
         #[invariant] fn b(&self, system: &S) -> bool { true }
         #[cover(5.0)] fn c(&self, s: &S) -> bool { true }
         #[terminal] fn d(&self) -> bool { true }
         #[cleanup] fn stop(&mut self) -> u8 { 0 }",
    );
    assert_contains(&expansion, "if !self.a() { return ::core::option::Option::Some(\"a\"); }");
    assert_contains(&expansion, "if !self.b(__system) {");
    assert_contains(&expansion, "__case.cover(5.0, self.c(__system), \"c\");");
    assert_contains(&expansion, "fn is_over(&self) -> bool { self.d() }");
    assert_contains(&expansion, "let __answer = system.stop();");
    assert_contains(&expansion, "__running .conclude( __case, \"stop\", &__got,");
}

#[test]
fn wrong_options_are_told_what_to_write() {
    let item = format!("impl M {{ {START} #[op] fn go(&mut self) {{}} }}");
    let wrong = |options: &str| problem(expand(options, &item));
    assert_contains(&wrong(""), "write `#[model(system = Type)]`");
    assert_contains(&wrong("system"), "`system` needs a type");
    assert_contains(
        &wrong("system = S, stuck"),
        "there is no option `stuck`; write one of `system`, `may_be_stuck`",
    );
    assert_contains(&wrong("system = S, system = T"), "`system` is given twice");
    assert_contains(&wrong("system = S, may_be_stuck = true"), "takes no value");
    assert_contains(&problems(expand("S", &item))[0], "there is no option `S`");
}

#[test]
fn wrong_methods_are_told_what_to_write() {
    assert_contains(
        &wrong("#[op(a)] fn f(&self) {}"),
        "there is no option `a`; write one of `requires`, `weight`",
    );
    assert_contains(&wrong("#[op = 3] fn f(&self) {}"), "in parentheses");
    assert_contains(&wrong("#[op(weight = -1)] fn f(&self) {}"), "write `weight = 3`");
    assert_contains(&wrong("#[op(call)] fn f(&self) {}"), "write `call = system.name(argument)`");
    assert_contains(&wrong("#[op(consumes = h)] fn f(&self) {}"), "add `h: Ref<Type>`");
    assert_contains(&wrong("#[op(call = system)] fn f(&self, system: u8) {}"), "another name");
    assert_contains(&wrong("#[op] fn f() {}"), "write `&self` or `&mut self`");
    assert_contains(&wrong("#[op] fn f<T>(&self) {}"), "replace each type parameter");
    assert_contains(&wrong("#[op] fn f(&self, _: u8) {}"), "write `name: Type` here");
    assert_contains(&wrong("#[op] fn f(&self, #[result] h: u8) {}"), "write `Ref<Type>` here");
    assert_contains(&wrong("#[op] fn f(&self, #[cfg(x)] h: u8) {}"), "remove this attribute");
    assert_contains(&wrong("#[start] fn f() -> (Self, S) { x }"), "remove this second `#[start]`");
    assert_contains(&wrong("#[cleanup] fn f(&self, v: u8) {}"), "remove this parameter");
    assert_contains(&wrong("#[invariant] fn f(&self, s: S) -> bool { true }"), "write `&System` here");
    assert_contains(&wrong("#[cover(x, y)] fn f(&self) -> bool { true }"), "write `#[cover(5.0)]`");
}

#[test]
fn wrong_items_are_told_what_to_write() {
    assert_contains(&problem(expand("system = S", "struct M;")), "goes on the `impl` block");
    assert_contains(&problem(expand("system = S", "impl Clone for M {}")), "not of a trait");
    let empty = problems(expand("system = S", "impl M {}"));
    assert_contains(&empty[0], "write `#[start] fn new() -> (Self, System) { .. }`");
    assert_contains(&empty[1], "write `#[op] fn name(&mut self) -> Answer { .. }`");
    let many: String = (0..129).map(|k| format!("#[op] fn f{k}(&self) {{}} ")).collect();
    let many = expand("system = S", &format!("impl M {{ {START} {many} }}"));
    assert_contains(&problem(many), "at most 128 operations");
}
