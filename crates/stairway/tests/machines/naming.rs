//! Users rely on their own names where two things share one; the test `hygiene` has the names of expansions.

use stairway::prelude::*;

/// Operations whose methods are called like those of handles and of the module.
#[machine(start = Idle)]
pub mod taken {
    pub enum State {
        Idle,
        Busy,
    }
    pub enum Op {
        Driver,
        IntoDriver,
        Decide,
        Next,
        Start,
        Data,
        Machine,
        Test,
        Picture,
        Never,
        Clone,
        Drop,
        Draw,
        Show,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (
                Idle,
                Op::Driver | Op::IntoDriver | Op::Decide | Op::Next | Op::Start | Op::Data | Op::Machine,
            ) => Busy,
            (Busy, Op::Test | Op::Picture | Op::Never | Op::Clone | Op::Drop | Op::Draw | Op::Show) => Idle,
        }
    }
}

temporal! { taken_goes_round in taken, proved: always(inevitably(at(Idle))) }

#[test]
fn operations_come_before_what_handles_have() {
    let busy = taken::start().driver().picture().into_driver().never().decide().clone();
    let _ = busy.next().draw().start().show().data().drop().machine();
}

/// Types of another machine, by paths that begin where this one stands.
#[machine(start = Free)]
pub mod borrower {
    pub enum State {
        Free,
        Holding { last: super::shared::Send, own: Option<self::Kind> },
    }
    pub enum Op {
        Take { last: super::shared::Send },
        Leave,
    }
    pub enum Kind {
        Short,
        Long,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Free, Take { last }) => Holding { last, own: Some(Long) },
            (Holding { own: Some(_), .. }, Leave) => Free,
        }
    }
}

#[test]
fn types_of_another_machine_are_found_from_the_data_of_handles() {
    let holding = borrower::start().take(shared::Send::Sent);
    assert!(matches!((holding.last, holding.own), (shared::Send::Sent, Some(borrower::Kind::Long))));
}

/// States, operations, results and types of one name, and a helper that says a state as `next` does.
#[machine(start = Idle)]
pub mod shared {
    pub enum State {
        Idle,
        Open,
        Sending,
    }
    pub enum Op {
        Open,
        Send { ret: Send },
        Shut,
    }
    pub enum Send {
        Sent,
        Open,
    }
    const fn is_open(s: State) -> bool {
        matches!(s, Open | Sending)
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle, Open) => Open,
            (Open, Send { ret: Sent }) => Sending,
            (Open, Send { ret: Open }) => Open,
            (Open | Sending, Shut) if is_open(s) => Idle,
        }
    }
}

temporal! { shared_is_shut in shared, proved: always(can_reach(at(Idle))) }

/// Patterns that are exhaustive together are no guard.
#[machine(start = Trying { retry: true, by: Me })]
pub mod retry {
    pub enum State {
        Trying {
            retry: bool,
            by: Who,
        },
        #[terminal]
        Done,
    }
    pub enum Who {
        Me,
        You,
    }
    pub enum Op {
        Fail,
        Pass { to: Who },
        Skip,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Trying { retry: true, by }, Fail) => Trying { retry: false, by },
            (Trying { retry: false, .. }, Fail) => Done,
            (Trying { retry, by: Me }, Pass { to }) => Trying { retry, by: to },
            (Trying { retry: true, by: You }, Pass { to: Me }) => Trying { retry: true, by: Me },
            (Trying { retry: true, by: You }, Pass { to: You }) => Done,
            (Trying { retry: false, by: You }, Pass { .. }) => Done,
            (Trying { retry: true, .. }, Skip) => Done,
        }
    }
}

#[test]
fn patterns_that_are_exhaustive_together_give_no_result() {
    let retry::FailNext::Trying(trying) = retry::start().fail() else { panic!("it may be tried again") };
    let retry::PassNext::Trying(trying) = trying.pass(retry::Who::You) else { panic!("it is passed on") };
    assert!(!trying.retry);
    // One pattern alone takes only some data.
    assert!(trying.skip().is_err());
}
