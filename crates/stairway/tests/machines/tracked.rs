use stairway::prelude::*;

/// Two places: a third thing does not fit, and nothing can be taken out of an empty box.
#[machine(start = Filled { n: 0 })]
pub mod boxed {
    pub enum State {
        Filled {
            #[tracked(0..=2)]
            n: u8,
        },
    }

    pub enum Op {
        Put,
        Take,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Filled { n }, Put) if n < 2 => Filled { n: n + 1 },
            (Filled { n }, Take) if n > 0 => Filled { n: n - 1 },
        }
    }
}

#[test]
fn a_box_is_filled_and_emptied() {
    let full: boxed::Filled<2> = boxed::start().put().put();
    let empty: boxed::Filled<0> = full.take().take();
    assert_eq!(empty.n, 0);
}

/// A counter without a bound, a state whose operations exclude each other, and steps by weight.
#[machine(start = Writing { n: 0 })]
pub mod pages {
    use stairway::generate::Choices;

    pub enum State {
        Writing {
            #[tracked]
            n: u32,
        },
        Read {
            #[tracked]
            n: u32,
            faults: u8,
        },
    }

    pub enum Op {
        Show { ret: Faults },
        Turn,
        Tear,
    }

    pub struct Faults(pub u8);

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Writing { n }, Show { ret: Faults(faults) }) => Read { n, faults },
            (Read { n, faults }, Turn) if faults == 0 => Writing { n: n + 1 },
            (Read { n, faults }, Tear) if faults != 0 => Writing { n },
        }
    }

    fn options(s: State, c: &mut Choices) -> Op {
        match s {
            Writing { .. } => Show { ret: Faults(if c.chance(1, 3) { 1 } else { 0 }) },
            Read { faults: 0, .. } => Turn,
            Read { .. } => Tear,
        }
    }
}

temporal! { three_pages in pages, random(100), depth(20): eventually(at(Writing { n: 3 })) }

use pages::{Faults, ReadDecision, S, Writing, Z};

/// Writes one page, however often that takes.
fn one_page<N>(mut writing: Writing<N>, mut faults: u8) -> Writing<S<N>> {
    loop {
        writing = match writing.show(Faults(faults)).decide() {
            ReadDecision::Turn(next) => return next,
            ReadDecision::Tear(again) => again,
        };
        faults -= 1;
    }
}

#[test]
fn two_pages_are_two_in_the_type() {
    let done: Writing<S<S<Z>>> = one_page(one_page(pages::start(), 2), 0);
    assert_eq!(done.n, 2);
    assert_eq!(done.show(Faults(1)).turn().unwrap_err().faults, 1);
}
