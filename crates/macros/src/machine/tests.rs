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
        let targets: Vec<String> = arm.target_names().iter().map(ToString::to_string).collect();
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
fn nested_matches_and_early_returns_are_read() {
    let arms = arms_of(quote! {
        const LIMIT: u8 = 3;
        if let Op::Z = op { return A; }
        match s {
            State::A => match op { Op::X => State::B { n: 0 }, _ => panic!("no") },
            State::B { n } => {
                let next = n + 1;
                match op {
                    Op::X => { if n == LIMIT { return C; } B { n: next } }
                    Op::Y { ret, .. } => if ret == R::Good { State::C } else { State::A },
                    Op::Z => unreachable!(),
                }
            }
            other => match op { Op::Y { .. } => other, _ => todo!() },
        }
    });
    let expected = [
        "A Z -> A",
        "B Z -> A",
        "C Z -> A",
        "A X -> B",
        "B X -> B|C",
        "B Y -> C|A",
        "A Y -> A",
        "B Y -> B",
        "C Y -> C",
    ];
    assert_eq!(&arms[..6], &expected[..6]);
    assert!(arms.contains(&"C Y -> C".to_string()), "{arms:?}");
}

#[test]
fn what_is_inside_of_some_and_behind_several_conditions_is_read() {
    let arms = arms_of(quote! {
        let limit = 3;
        if let B { n } = s && matches!(op, Op::Z) && n > limit { return C; }
        match (s, op) {
            (A, X) => B { n: limit },
            (B { .. }, Y { ret: Good, k }) if k < limit => A,
            (B { .. }, Y { ret: Bad, .. }) => C,
            (_, Z) => A,
        }
    });
    assert_eq!(arms, ["B Z -> C?", "A X -> B", "B Y -> A?", "B Y -> C", "A Z -> A", "B Z -> A", "C Z -> A"]);
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
    assert_eq!(message, "no operation `Why`; there are `X`");
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
    assert_eq!(messages, ["no state `Q`; there are `A`"]);
}

#[test]
fn names_become_methods() {
    assert_eq!(["CheckPin", "X", "HTTPGet", "Ack2"].map(snake), ["check_pin", "x", "httpget", "ack2"]);
}
