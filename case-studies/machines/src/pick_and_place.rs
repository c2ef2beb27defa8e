//! A machine that puts components onto a board: it picks, looks at what it holds, and places or throws it away.

use stairway::{check, machine};

/// Places `left` components with a nozzle that now and then misses.
#[machine(start = Idle { left: 3 })]
pub mod placer {
    pub enum State {
        Idle {
            left: u8,
        },
        Holding {
            left: u8,
        },
        Aligned {
            left: u8,
        },
        #[terminal]
        Done,
    }

    pub enum Op {
        Pick { ret: Picked },
        Look { ret: Seen },
        Place,
        Finish,
    }

    pub enum Picked {
        #[weight(9)]
        Something,
        Nothing,
    }

    pub enum Seen {
        #[weight(9)]
        Straight,
        Crooked,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle { left: 0 }, Finish) => Done,
            (Idle { left: left @ 1.. }, Pick { ret: Something }) => Holding { left },
            (Idle { left: left @ 1.. }, Pick { ret: Nothing }) => Idle { left },
            (Holding { left }, Look { ret: Straight }) => Aligned { left },
            (Holding { left }, Look { ret: Crooked }) => Idle { left },
            (Aligned { left }, Place) => Idle { left: left - 1 },
        }
    }
}

check! { placed_only_when_seen in placer: always(implies(at(Holding { .. }), next(not(after(Place))))) }
check! { can_be_done in placer: always(can_reach(at(Done))) }
check! { nothing_is_lost in placer: always(implies(at(Done), always(at(Done)))) }
