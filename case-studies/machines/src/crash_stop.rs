//! A protocol in which a party may crash and never come back: a coordinator asks two others for their vote.

use stairway::{check, machine};

/// How the vote goes; a crash is noticed by a timer.
#[machine(start = Asking { yes: 0, alive: 2 })]
pub mod vote {
    pub enum State {
        Asking {
            yes: u8,
            alive: u8,
        },
        #[terminal]
        Committed,
        #[terminal]
        Aborted,
    }

    pub enum Op {
        Ask { ret: Reply },
        Decide,
    }

    pub enum Reply {
        #[weight(5)]
        Yes,
        No,
        Crashed,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Asking { yes, alive }, Ask { ret }) if yes < alive => match ret {
                Reply::Yes => Asking { yes: yes + 1, alive },
                Reply::No => Aborted,
                Reply::Crashed => Asking { yes, alive: alive - 1 },
            },
            (Asking { yes, alive }, Decide) if yes == alive => {
                if yes == 2 {
                    Committed
                } else {
                    Aborted
                }
            }
        }
    }
}

check! { it_ends in vote: eventually(at(Committed | Aborted)) }
check! { both_agreed in vote: always(implies(at(Committed), not(after(Ask { .. })))) }
check! { no_commit_after_a_crash in vote: always(implies(at(Asking { alive: 0..=1, .. }), always(not(at(Committed))))) }
check! { either_way in vote: and(can_reach(at(Committed)), can_reach(at(Aborted))) }
