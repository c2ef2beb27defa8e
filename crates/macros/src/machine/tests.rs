use super::*;
use crate::testing::{problem, problems};
use quote::quote;

fn arms_of(body: TokenStream) -> Vec<String> {
    let item = quote! {
        mod m {
            enum State { A, B { n: u8 }, C }
            enum Op { X, Y { k: u8, ret: R }, Z }
            enum R { Good, Bad }
            fn next(s: State, op: Op) -> State { #body }
        }
    };
    let options: Options = syn::parse2(quote!(start = A)).unwrap();
    let machine = Machine::read(options, syn::parse2(item).unwrap(), Home::Stairway)
        .unwrap_or_else(|error| panic!("{error}"));
    let shown = |arm: &Arm| {
        let targets: Vec<String> = arm.targets.iter().map(|target| target.state.to_string()).collect();
        let plain = if arm.is_plain { "" } else { "?" };
        format!("{} {} -> {}{plain}", arm.state, arm.op, targets.join("|"))
    };
    machine.arms.iter().map(shown).collect()
}

fn expanded(options: TokenStream, item: TokenStream) -> TokenStream {
    machine(options, item, Home::Stairway)
}

#[test]
fn matches_on_the_pair_are_read() {
    let arms = arms_of(quote! {
        match (s, op) {
            (A, X) => B { n: 0 },
            (B { n: 0 }, X) | (C, X) => A,
            (B { n }, Y { ret: Good, .. }) if n > 1 => C,
            (B { .. } | C, Z) => A,
            (s, Y { ret: R::Bad, .. }) => s,
            (A | C, Y { ret: Good, .. }) => unreachable!(),
            _ => unreachable!(),
        }
    });
    let expected = [
        "A X -> B",
        "B X -> A?",
        "C X -> A",
        "B Y -> C?",
        "B Z -> A",
        "C Z -> A",
        "A Y -> A",
        "B Y -> B",
        "C Y -> C",
    ];
    assert_eq!(arms, expected);
}

#[test]
fn arms_end_in_several_states_and_may_lead_nowhere() {
    let arms = arms_of(quote! {
        match (s, op) {
            (A, X) => { let n = 3; B { n } }
            (B { n }, X) => if n == 3 { C } else { B { n: n + 1 } },
            (B { .. }, Y { k, ret }) => match (k, ret) { (0, R::Good) => C, (1, _) => A, _ => panic!("no") },
            (C, Y { .. }) => s,
            (A, Y { .. }) => if n == 1 { A } else { todo!() },
            (_, Z) => A,
        }
    });
    let expected = [
        "A X -> B",
        "B X -> C|B",
        "B Y -> C|A?",
        "C Y -> C",
        "A Y -> A?",
        "A Z -> A",
        "B Z -> A",
        "C Z -> A",
    ];
    assert_eq!(arms, expected);
}

#[test]
fn other_forms_of_next_are_refused_with_the_form_to_write() {
    let of = |next: TokenStream| {
        problem(expanded(quote!(start = A), quote!(mod m { enum State { A, B } enum Op { X } #next })))
    };
    let body = |body: TokenStream| of(quote!(fn next(s: State, op: Op) -> State { #body }));
    let form = "`next` is one `match (s, op) { (Idle, Go) => Busy, .. }`";
    assert!(
        body(quote!(match s {
            A => B,
            B => A,
        }))
        .starts_with(form)
    );
    assert!(
        body(quote!(match (op, s) {
            (X, A) => B,
        }))
        .starts_with(form)
    );
    assert!(body(quote!(let n = 3; match (s, op) { (A, X) => B })).starts_with(form));
    assert!(body(quote!(if let X = op { return B; } match (s, op) { (A, X) => B })).starts_with(form));
    assert_eq!(body(quote!()), form);
    let nested = body(quote!(match (s, op) {
        (s, X) => match s {
            A => B,
            B => A,
        },
    }));
    assert!(
        nested.starts_with("take the state and the operation apart in the pattern of the arm"),
        "{nested}"
    );
    let returns = body(quote!(match (s, op) {
        (A, X) => return B,
    }));
    assert!(returns.ends_with("instead of `return`"), "{returns}");
    let diverges = body(quote!(match (s, op) {
        (A, X) => {
            let A = s else { unreachable!() };
            B
        }
    }));
    assert!(diverges.contains("write this pattern in the arm"), "{diverges}");
    let pair = body(quote!(match (s, op) {
        both => B,
    }));
    assert!(pair.starts_with("write the state and the operation here"), "{pair}");
    let optional = of(quote!(
        fn next(s: State, op: Op) -> Option<State> {
            match (s, op) {
                (A, X) => Some(B),
            }
        }
    ));
    assert!(optional.starts_with("write `fn next(s: State, op: Op) -> State`"), "{optional}");
    let lent = of(quote!(
        fn next(s: &State, op: Op) -> State {
            match (s, op) {
                (A, X) => B,
            }
        }
    ));
    assert!(lent.starts_with("write `fn next(s: State, op: Op) -> State`"), "{lent}");
}

#[test]
fn forgotten_results_are_named_with_their_state() {
    let message = problem(expanded(
        quote!(start = A),
        quote!(
            mod m {
                enum State {
                    A,
                }
                enum Op {
                    X { ret: R },
                }
                enum R {
                    One,
                    Two(u8),
                    Three,
                }
                fn next(s: State, op: Op) -> State {
                    match (s, op) {
                        (A, X { ret: R::One }) => A,
                    }
                }
            }
        ),
    ));
    assert!(
        message.starts_with("no arm says what follows in state `A` when `X` returns `Two` and `Three`"),
        "{message}"
    );
}

#[test]
fn mistakes_are_named() {
    let expand = |next: TokenStream| {
        expanded(
            quote!(start = A),
            quote!(mod m { enum State { A, Bee } enum Op { X } fn next(s: State, op: Op) -> State { #next } }),
        )
    };
    let message = problem(expand(quote!(match (s, op) {
        (A, X) => Be,
    })));
    assert_eq!(message, "no state `Be` (did you mean `Bee`?); there are `A` and `Bee`");
    let message = problem(expand(quote!(match (s, op) {
        (A, X) => step(s),
    })));
    assert!(message.starts_with("the next state is written as a state"), "{message}");
    let message = problem(expand(quote!(match (s, op) {
        (A, Why) => A,
    })));
    assert_eq!(message, "no operation `Why`; there is `X`");
    let messages = problems(expanded(
        quote!(start = Q),
        quote!(
            mod m {
                enum State {
                    A,
                }
                enum Op {
                    X,
                }
                fn next(s: State, op: Op) -> State {
                    match (s, op) {
                        (A, X) => A,
                    }
                }
            }
        ),
    ));
    assert_eq!(messages, ["no state `Q`; there is `A`"]);
}

#[test]
fn names_become_methods() {
    assert_eq!(["CheckPin", "X", "HTTPGet", "Ack2"].map(snake), ["check_pin", "x", "httpget", "ack2"]);
}
