//! Two-phase commit: a coordinator asks three participants, and all of them end in the same way or not at all.

use stairway::prelude::*;

/// Counts votes and decides. Whoever has decided tells each participant, in any order.
#[machine(start = Idle)]
pub mod coordinator {
    pub enum State {
        Idle,
        Collecting {
            yes: u8,
        },
        #[terminal]
        Committed,
        #[terminal]
        Aborted,
    }

    pub enum Op {
        Begin,
        Vote { ballot: Ballot },
        Decide,
        GiveUp,
        Commit,
        Abort,
    }

    pub enum Ballot {
        Yes,
        No,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle, Begin) => Collecting { yes: 0 },
            (Collecting { yes }, Vote { ballot: Yes }) if yes < 3 => Collecting { yes: yes + 1 },
            (Collecting { .. }, Vote { ballot: No }) => Aborted,
            (Collecting { yes: 3 }, Decide) => Committed,
            (Collecting { .. }, GiveUp) => Aborted,
            (Committed, Commit) => Committed,
            (Aborted, Abort) => Aborted,
        }
    }
}

/// Votes once. Who has voted yes waits for the decision, however long that takes.
#[machine(start = Working)]
pub mod participant {
    use super::coordinator;

    pub enum State {
        Working,
        Prepared,
        #[terminal]
        Committed,
        #[terminal]
        Aborted,
    }

    pub enum Op {
        Vote { ballot: coordinator::Ballot },
        Commit,
        Abort,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Working, Vote { ballot: coordinator::Ballot::Yes }) => Prepared,
            (Working, Vote { ballot: coordinator::Ballot::No }) => Aborted,
            (Prepared, Commit) => Committed,
            (Working | Prepared, Abort) => Aborted,
        }
    }
}

compose! {
    /// A coordinator and three participants, who are alike.
    pub mod commit = coordinator * 3 participant
}

temporal! {
    /// Nobody commits what somebody else has undone.
    pub all_agree in commit, proved: always(not(and(some(participant: Committed), some(participant: Aborted))))
}
temporal! {
    /// Nothing is decided against a vote.
    pub all_were_asked in commit, proved: always(implies(at(coordinator: Committed), every(participant: Prepared | Committed)))
}
temporal! {
    /// Everybody ends, and all in the same way.
    pub all_end in commit, proved: inevitably(or(every(participant: Committed), every(participant: Aborted)))
}
temporal! { pub it_may_work in commit, proved: can_reach(every(participant: Committed)) }
temporal! { pub two_wait in commit, proved: can_reach(at_least(2, participant: Prepared)) }

/// The planted bug: who has waited long enough for the decision undoes everything.
#[machine(start = Working)]
pub mod impatient {
    use super::coordinator;

    pub enum State {
        Working,
        Prepared,
        #[terminal]
        Committed,
        #[terminal]
        Aborted,
    }

    pub enum Op {
        Vote { ballot: coordinator::Ballot },
        Commit,
        Abort,
        TimeOut,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Working, Vote { ballot: coordinator::Ballot::Yes }) => Prepared,
            (Working, Vote { ballot: coordinator::Ballot::No }) => Aborted,
            (Prepared, Commit) => Committed,
            (Prepared, TimeOut) => Aborted,
            (Working | Prepared, Abort) => Aborted,
        }
    }
}

compose! { pub mod hasty = coordinator * participant: 3 impatient }
