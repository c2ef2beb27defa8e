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
            #[doc(hidden)]
            #[allow(dead_code, unreachable_pub, clippy::all, clippy::pedantic)]
            pub fn __answer_push(answer: bool) -> bool { answer }
            #[doc(hidden)]
            #[allow(dead_code, unreachable_pub, unused_mut, unused_variables, clippy::all, clippy::pedantic)]
            pub fn __law_push(
                __running: &mut ::stairway::__private::Side<Self, Ring<i32>>,
                __code: ::core::option::Option<&mut ::stairway::__private::StepSource>,
                __given: ::stairway::__private::LawResult,
                v: i32,
            ) -> ::core::option::Option<(
                ::stairway::__private::Observation,
                ::stairway::__private::NoResult,
            )> {
                if !__running.accepts(|__model| true) {
                    return ::core::option::Option::None;
                }
                let __got = {
                    let __passed = ::stairway::__private::call_source::passed::<1usize>();
                    __running.call_written(__code, &__passed, || ::stairway::__private::call_source::CallDescription {
                            method: "push",
                            call: ::core::option::Option::None,
                            given: ::std::vec![
                                ::stairway::__private::call_source::CallArgument::Value(
                                    ::stairway::__private::call_source::Value {
                                        parameter: ::stairway::__private::call_source::Parameter {
    name: "v", ty: "i32", lending: ::stairway::__private::call_source::Lending::Owned, imports: &[],
}, text: ::stairway::__private::show!(&v), lent: ::stairway::__private::lend!(&v),
                                        is_source: ::stairway::__private::is_source!(i32),
                                    }
                                )
                            ],
                            follow: ::stairway::__private::call_source::ModelStep::Method("push"),
                            is_async: false,
                            executor: "",
                            imports: &[],
                            oracle: ::core::option::Option::None,
                        }, |system, __results| {
                        let mut __argument_v =
                            ::stairway::__private::Argument::new(::core::clone::Clone::clone(&v), &__passed[0usize]);
                        let __answer = ::stairway::__private::ready!(system.push(__argument_v.pass()));
                        __answer
                    })
                };
                let __said = {
                    __running.follow(|__model| __model.push(::core::clone::Clone::clone(&v)))
                };
                let __result = ::stairway::__private::NoResult;
                ::core::option::Option::Some((
                    ::stairway::__private::observed(__got, __said, ::stairway::__private::shown!(bool)),
                    __result,
                ))
            }
            #[doc = "Checks the system against `Fifo`; panics with a report if they disagree."]
            #[allow(dead_code, unreachable_pub)]
            pub fn check() { Self::checker().run(); }
            #[doc = "A checker of the system against `Fifo`, for settings of its own."]
            #[allow(dead_code, unreachable_pub)]
            pub fn checker() -> ::stairway::__private::ModelChecker<Self> {
                <Self as ::stairway::Model>::methods().checker()
            }
        }
        #[automatically_derived]
        #[allow(unused_mut, unused_variables, clippy::all, clippy::pedantic, clippy::nursery)]
        impl ::stairway::Model for Fifo {
            type System = Ring<i32>;
            fn methods() -> ::stairway::__private::ModelBuilder<Self, Ring<i32>> {
                fn __drawn_from<T, G: ::stairway::Generate<Value = T>>(generator: G) -> G { generator }
                let name = ::core::concat!(::core::module_path!(), "::", "Fifo");
                ::stairway::__private::ModelBuilder::<Self, Ring<i32>>::raw(
                    ::std::string::String::from(name),
                    ::stairway::__private::Traits {
                        show_model: |model: &Self| ::stairway::__private::show_or_none!(model),
                        show_system: |system: &Ring<i32>| ::stairway::__private::show_if_possible!(system),
                        hash_model: ::stairway::__private::hash_of!(Self),
                        fingerprint: ::core::option::Option::None,
                    },
                    |__case, __twice| {
                        let n: usize = __case.argument(
                            "n",
                            __drawn_from::<usize, _>(1..=8),
                            |value| ::stairway::__private::show!(value),
                        )?;
                        let second = if __twice {
                            ::core::option::Option::Some(Self::new(
                                ::stairway::__private::backup!(&n)
                                    .expect("what is drawn at the start can be cloned for a law")
                            ))
                        } else {
                            ::core::option::Option::None
                        };
                        ::core::result::Result::Ok((Self::new(n), second))
                    },
                )
                .source(::stairway::__private::Start {
                    model: ::stairway::__private::call_source::path_of::<Self>(),
                    start: "new",
                    parameters: &[::stairway::__private::call_source::Parameter {
name: "n", ty: "usize", lending: ::stairway::__private::call_source::Lending::Owned, imports: &[] }],
                    is_pasteable: true && ::stairway::__private::is_source!(usize),
                    system: "",
                    system_type: ::std::string::String::from("Ring<i32>"),
                    mentioned: &[],
                    of: "",
                    invariants: ::std::vec::Vec::new(),
                    is_model_alone: false, is_async: false, executor: ::std::string::String::from(""),
                })
                .method(
                    ::stairway::__private::Operation::<Self, Ring<i32>>::custom("push", |__running, __step| {
                        let v: i32 = __step.draw(::stairway::any::<i32>())?;
                        __step.show_argument("v", || ::stairway::__private::show!(&v));
                        let __passed = ::stairway::__private::call_source::passed::<1usize>();
                        __running.answer(
                            __step,
                            "push",
                            (&__passed, || ::core::option::Option::Some(::stairway::__private::call_source::CallDescription {
                                method: "push",
                                call: ::core::option::Option::None,
                                given: ::std::vec![
                                    ::stairway::__private::call_source::CallArgument::Value(
                                        ::stairway::__private::call_source::Value {
                                            parameter: ::stairway::__private::call_source::Parameter {
    name: "v", ty: "i32", lending: ::stairway::__private::call_source::Lending::Owned, imports: &[],
}, text: ::stairway::__private::show!(&v), lent: ::stairway::__private::lend!(&v),
                                            is_source: ::stairway::__private::is_source!(i32),
                                        }
                                    )
                                ],
                                follow: ::stairway::__private::call_source::ModelStep::Method("push"),
                                is_async: false,
                            executor: "",
                            imports: &[],
                            oracle: ::core::option::Option::None,
                            })),
                            |system, __results| {
                                let mut __argument_v =
                                    ::stairway::__private::Argument::new(::core::clone::Clone::clone(&v), &__passed[0usize]);
                                let __answer = ::stairway::__private::ready!(system.push(__argument_v.pass()));
                                __answer
                            },
                            |__model| __model.push(::core::clone::Clone::clone(&v)),
                            || ::stairway::__private::shown!(bool)
                        )
                    })
                    .weight(3),
                )
            }
        }
        "#,
    );
}

#[test]
fn a_system_that_stands_by_itself_is_written_alone() {
    let source = |generics: &str, start: &str| {
        let block = format!("impl{generics} M{generics} {{ #[start] {start} #[op] fn go(&self) {{}} }}");
        pretty(expand("system = S", &block)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let alone = source("", "fn new(a: u8, b: u8) -> (M, S) { (M(a), S::new(b, Vec::<u8>::new())) }");
    assert_contains(&alone, r#"system: "S::new(b, Vec::<u8>::new())""#);
    assert_contains(&alone, r#"mentioned: &["b"]"#);
    for (generics, start) in [
        ("", "fn new() -> (M, S) { let s = S; (M, s) }"),
        ("", "fn new() -> (M, S) { (M, Self::system()) }"),
        ("<T>", "fn new() -> (M<T>, S) { (M, S::new::<T>()) }"),
    ] {
        assert_contains(&source(generics, start), r#"system: """#);
    }
}

#[test]
fn a_precondition_is_split_at_the_first_parameter_it_mentions() {
    let expansion =
        flat("#[op(requires = self.a && self.v() && v < 3 && self.b)] fn go(&mut self, v: i32) {}");
    assert_contains(&expansion, "fn __possible_go(&self) -> bool { self.a && self.v() }");
    assert_contains(&expansion, "fn __requires_go(&self, v: i32) -> bool { v < 3 && self.b }");
    assert_contains(
        &expansion,
        ".possible(|__running| { __running.in_all(|__model| __model.__possible_go()) })",
    );
    assert_contains(&expansion, "__model.__requires_go(::core::clone::Clone::clone(&v))");
}

#[test]
fn a_precondition_over_arguments_leaves_the_weights_fixed() {
    for requires in ["v < 3", "matches!(v, 3)", "(0..v).len() > 1", "f(&[v])"] {
        let expansion = flat(&format!("#[op(requires = {requires})] fn go(&mut self, v: i32) {{}}"));
        assert!(!expansion.contains(".possible(") && !expansion.contains("__possible_go"), "{expansion}");
    }
}

#[test]
fn weights_over_the_state_are_asked_of_the_model() {
    let expansion = flat("#[op(weight = self.n)] fn go(&mut self) {}");
    assert_contains(&expansion, "fn __weight_go(&self) -> u32 { self.n }");
    assert_contains(&expansion, ".weight_by(|__model| __model.__weight_go())");
}

#[test]
fn a_generator_over_the_state_is_a_method_of_the_model() {
    let expansion = flat("#[op] fn at(&self, n: u8, #[from(n..self.n)] k: u8, #[from(0..self.n)] i: u8) {}");
    assert_contains(
        &expansion,
        "fn __from_at_k( &self, __step: ::core::option::Option<&mut ::stairway::__private::Step<'_, '_>>, n: u8, )",
    );
    assert_contains(&expansion, ".__from_at_i(::core::option::Option::Some(__step))?");
    // What depends on a parameter is known only when that was drawn.
    assert_contains(&expansion, ".__from_at_i(::core::option::Option::None)");
    assert!(!expansion.contains(".__from_at_k(::core::option::Option::None)"), "{expansion}");
}

#[test]
fn futures_are_run_by_the_executor_that_is_named() {
    let go = |options: &str| {
        let block = format!("impl M {{ {START} #[op(awaits)] fn go(&mut self) {{}} }}");
        pretty(expand(options, &block)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_contains(
        &go("system = S, executor = a::run"),
        "let __answer = ::stairway::__private::in_time( a::run( ::stairway::__private::limited(async { { let __given = system.go(); ::stairway::__private::awaited(__given).await } }), ), );",
    );
    let tokio = go("system = S, executor = tokio");
    assert_contains(
        &tokio,
        "let __answer = Self::__on_tokio(async { { let __given = system.go(); ::stairway::__private::awaited(__given).await } });",
    );
    assert_contains(&tokio, "fn __on_tokio<F: ::core::future::Future>(future: F) -> F::Output");
    let block = format!("impl M {{ {START} #[op] fn go(&mut self) {{}} }}");
    assert!(
        problem(expand("system = S, executor = 3", &block)).contains("`executor` is `tokio`, or the path")
    );
}

#[test]
fn a_result_is_stored_and_its_name_is_the_answer() {
    let expansion = flat("#[op] fn open(&mut self, #[result] h: Ref<File>) {}");
    assert_contains(&expansion, "fn open(&mut self, h: Ref<File>) {}");
    assert_contains(
        &expansion,
        "let __answer: Ref<File> = ::stairway::__private::keep( __results, __ordinal, __answer, );",
    );
    assert_contains(&expansion, "::stairway::__private::shown!(Ref < File >)");
    assert_contains(&expansion, "|__model| { __model.open(__reference); __reference }");
    assert!(!expansion.contains(".possible("), "{expansion}");
}

#[test]
fn references_are_taken_and_given_back() {
    let expansion = flat("#[op] fn read(&self, h: Ref<File>) -> u8 { 0 }");
    assert_contains(&expansion, ".possible(|__running| __running.has::<File>())");
    assert_contains(&expansion, "let h = __running.results().draw::<File>(__step)?;");
    assert_contains(&expansion, "let mut __value_h = __results.take::<File>(h);");
    assert_contains(&expansion, "__argument_h.into_value().or(__backup_h)");
    assert!(!expansion.contains("retire"));
    let consumed = flat("#[op(consumes = h)] fn close(&mut self, h: Ref<File>) {}");
    assert_contains(&consumed, "__running.retire(h);");
    assert!(!consumed.contains("give_back") && !consumed.contains("backup"), "{consumed}");
}

#[test]
fn in_a_call_the_arguments_have_their_names() {
    let expansion = flat("#[op(call = system.f(h, s))] fn go(&mut self, h: Ref<File>, s: &str) {}");
    assert_contains(&expansion, "let h : & mut File = & mut __value_h;");
    assert_contains(&expansion, "let s : & str = & __argument_s; system.f(h, s) }");
    assert_contains(
        &flat("#[op(consumes = h, call = h.x())] fn go(&self, h: Ref<F>) {}"),
        "let mut h = __value_h;",
    );
}

#[test]
fn async_systems_are_blocked_on() {
    let expansion = flat("#[op(awaits)] fn go(&mut self) {}");
    assert_contains(
        &expansion,
        "let __answer = ::stairway::block_on(async { { let __given = system.go(); ::stairway::__private::awaited(__given).await } });",
    );
    let expansion = flat("#[op(awaits, call = system.f().await.g())] fn go(&mut self) {}");
    assert_contains(&expansion, "::stairway::block_on(async { system.f().await.g() })");
}

#[test]
fn several_right_answers_are_explained() {
    let expansion = flat("#[op] fn steal(&self) -> Allowed<'_, Self, u8> { x }");
    assert_contains(&expansion, "__running .explain( __step, \"steal\", &__got,");
}

#[test]
fn conditions_speak_of_both_states() {
    let expansion =
        flat("#[op] #[ensures(self.n == old(self.n) + result.len() && v > 0)] fn go(&mut self, v: u8) {}");
    assert_contains(&expansion, "__after.n == __before.n + result.len() && v > 0");
    assert_contains(&expansion, "return ::core::option::Option::Some(");
    assert_contains(
        &expansion,
        "{ __model.go(::core::clone::Clone::clone(&v)); ::stairway::__private::Anything }",
    );
    assert_contains(&expansion, ".compare_and(");
}

#[test]
fn with_an_abstraction_and_nothing_else_an_operation_is_a_relation() {
    let relation = flat(
        "#[abstraction] fn of(system: &S) -> M { M }
         #[op] #[ensures(self == old(self))] fn go(&mut self) {}",
    );
    assert_contains(&relation, "__running .relate(");
    assert_contains(&relation, ".abstraction(|__system| Self::of(__system))");
    let functional = flat(
        "#[abstraction] fn of(system: &S) -> M { M }
         #[op] #[ensures(self == old(self))] fn go(&mut self) { step() }",
    );
    assert_contains(&functional, "__running .compare_and(");
}

#[test]
fn a_model_may_be_told_the_answer() {
    let expansion = flat("#[op] fn go(&mut self, #[result] id: &u64) {}");
    assert_contains(&expansion, "let ::core::option::Option::Some(__told) = __got.get() else");
    assert_contains(&expansion, "{ __model.go(__told); ::stairway::__private::Anything }");
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
    assert_contains(&expansion, ".model_invariant(\"a\", |__model| __model.a())");
    assert_contains(&expansion, ".invariant(\"b\", |__model, __system| __model.b(__system))");
    assert_contains(&expansion, ".cover(\"c\", 5.0, |__model, __system| __model.c(__system))");
    assert_contains(&expansion, ".terminal(|__model| __model.d())");
    assert_contains(
        &expansion,
        "let __answer = ::stairway::__private::owned!( ::stairway::__private::ready!(system.stop()) );",
    );
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
    assert_contains(&wrong("system = S, global = true"), "`global` takes no value");
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
    assert_contains(&wrong("#[op] fn f(&self, #[result] #[from(x)] h: u8) {}"), "remove `#[from(..)]`");
    assert_contains(&wrong("#[ensures(x)] fn f(&self) {}"), "belongs on an `#[op]`");
    assert_contains(&wrong("#[op] #[ensures] fn f(&self) {}"), "write `#[ensures(condition)]`");
    assert_contains(&wrong("#[op] #[ensures(old())] fn f(&self) {}"), "write `old(expression)`");
    assert_contains(
        &wrong("#[op] #[ensures(x)] fn f(&self) -> Allowed<Self, u8> { x }"),
        "`answer_matching`",
    );
    assert_contains(&wrong("#[abstraction] fn f(&self, system: &S) -> Self { x }"), "remove `self`");
    assert_contains(&wrong("#[abstraction] fn f(system: S) -> Self { x }"), "(system: &System) -> Self");
    assert_contains(&wrong("#[fingerprint] fn f(system: &S) {}"), "-> impl Hash");
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
