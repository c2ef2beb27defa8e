//! A head that takes parts from a feeder, shows them to a camera and puts the good ones on a board.

use crate::Bug;
use stairway::prelude::*;

/// Puts two parts on a board.
#[machine(start = Empty { at: Feeder, placed: 0 })]
pub mod robot {
    pub enum State {
        Empty {
            at: Spot,
            placed: u8,
        },
        Holding {
            at: Spot,
            part: Part,
            placed: u8,
        },
        #[terminal]
        Done,
    }

    pub enum Op {
        Move { to: Spot },
        Pick { ret: Vacuum },
        Inspect { ret: Seen },
        Put,
        Discard,
    }

    pub enum Spot {
        Feeder,
        Camera,
        Board,
        Bin,
    }

    pub enum Part {
        Unseen,
        Good,
        Bad,
    }

    pub enum Vacuum {
        Held,
        Missed,
    }

    pub enum Seen {
        Fine,
        Broken,
        Nothing,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Empty { placed, .. }, Move { to }) => Empty { at: to, placed },
            (Holding { part, placed, .. }, Move { to }) => Holding { at: to, part, placed },
            (Empty { at: Feeder, placed }, Pick { ret: Held }) => {
                Holding { at: Feeder, part: Unseen, placed }
            }
            (Empty { at: Feeder, placed }, Pick { ret: Missed }) => Empty { at: Feeder, placed },
            (Holding { at: Camera, part: Unseen, placed }, Inspect { ret }) => match ret {
                Fine => Holding { at: Camera, part: Good, placed },
                Broken => Holding { at: Camera, part: Bad, placed },
                Nothing => Empty { at: Camera, placed },
            },
            (Holding { at: Board, part: Good, placed: 0 }, Put) => Empty { at: Board, placed: 1 },
            (Holding { at: Board, part: Good, .. }, Put) => Done,
            (Holding { at: Bin, part: Bad, placed }, Discard) => Empty { at: Bin, placed },
        }
    }
}

temporal! {
    /// Whatever the camera sees, the board can be finished.
    pub can_finish in robot: always(can_reach(at(Done)))
}
temporal! {
    /// A part is not put down before the camera has seen that it is fine.
    pub only_good_parts in robot: always(implies(after(Pick { ret: Held }), or(
        until(not(after(Put)), after(Inspect { ret: Fine })),
        always(not(after(Put))))))
}
temporal! {
    /// What is held is still there when the camera looks.
    pub nothing_falls in robot, driven: always(not(after(Inspect { ret: Nothing })))
}

/// A head with a pump. Every third part of the feeder is missing, every fourth broken.
#[derive(Debug)]
pub struct Head {
    /// Whether the part is good, if there is one.
    nozzle: Option<bool>,
    n_picks: u32,
    n_moves: u32,
    bug: Bug,
}

impl Head {
    #[must_use]
    pub fn new(bug: Bug) -> Head {
        Head { nozzle: None, n_picks: 0, n_moves: 0, bug }
    }
}

impl robot::Driver for Head {
    fn r#move(&mut self, _: robot::Spot) {
        self.n_moves += 1;
        // The planted bug: the pump rests too early.
        if self.bug == Bug::Planted && self.n_moves == 3 {
            self.nozzle = None;
        }
    }

    fn pick(&mut self) -> robot::Vacuum {
        self.n_picks += 1;
        self.n_moves = 0;
        if self.n_picks.is_multiple_of(3) {
            return robot::Vacuum::Missed;
        }
        self.nozzle = Some(!self.n_picks.is_multiple_of(4));
        robot::Vacuum::Held
    }

    fn inspect(&mut self) -> robot::Seen {
        match self.nozzle {
            Some(true) => robot::Seen::Fine,
            Some(false) => robot::Seen::Broken,
            None => robot::Seen::Nothing,
        }
    }

    fn put(&mut self) {
        self.nozzle = None;
    }

    fn discard(&mut self) {
        self.nozzle = None;
    }
}
