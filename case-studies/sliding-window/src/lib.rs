//! Automatic repeat request with a sliding window: a machine that says what a link must do, and two
//! protocols behind it that send datagrams through real sockets.
//!
//! Nothing here waits or looks at a clock: what the network does to a datagram is an argument of the
//! operation, so that it is drawn and shrunk like any other, and a timeout is an operation too.
#![allow(missing_docs, reason = "a machine is read as a whole, in the README")]

mod protocol;
mod wire;

pub use protocol::{Kind, Link};

use stairway::prelude::*;

/// Six payloads go from one side to the other, in order and once each.
#[machine(start = Session { sent: 0, acked: 0, handed: 0 })]
pub mod window {
    pub enum State {
        /// How many payloads were accepted for sending, are known to have arrived, and were handed to the
        /// receiver.
        Session { sent: u8, acked: u8, handed: u8 },
    }

    pub enum Op {
        /// The sender takes a payload, unless its window is full.
        Send { fate: Fate, ret: Queued },
        /// The receiver looks for a datagram, answers it, and hands a payload over if it is the next.
        Receive { answer: Fate, ret: Arrival },
        /// The sender looks for an answer.
        Listen { ret: Heard },
        /// The sender has heard nothing for too long, and sends again.
        Timeout { fate: Fate },
    }

    /// What the network does to a datagram.
    pub enum Fate {
        #[weight(4)]
        Arrives,
        Lost,
        ArrivesTwice,
    }

    pub enum Queued {
        Yes,
        Full,
    }

    pub enum Arrival {
        Nothing,
        Kept,
        Handed { payload: u8 },
    }

    pub enum Heard {
        Silence,
        UpTo { base: u8 },
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Session { sent, acked, handed }, Send { ret: Yes, .. }) if sent < 6 => {
                Session { sent: sent + 1, acked, handed }
            }
            (Session { sent, acked, .. }, Send { ret: Full, .. }) if sent < 6 && acked < sent => s,
            (_, Receive { ret: Nothing | Kept, .. } | Listen { ret: Silence }) => s,
            (Session { sent, acked, handed }, Receive { ret: Handed { payload }, .. }) => {
                if payload == handed && handed < sent {
                    Session { sent, acked, handed: handed + 1 }
                } else {
                    unreachable!()
                }
            }
            (Session { sent, acked, handed }, Listen { ret: UpTo { base } }) => {
                if acked <= base && base <= sent {
                    Session { sent, acked: base, handed }
                } else {
                    unreachable!()
                }
            }
            (Session { sent, acked, .. }, Timeout { .. }) if acked < sent => s,
        }
    }
}

temporal! {
    /// Whatever is lost, everything can still arrive.
    pub can_finish in window, states(512): always(can_reach(at(Session { sent: 6, acked: 6, handed: 6 })))
}
temporal! {
    /// Nothing is handed over that was not sent.
    pub nothing_is_made_up in window: always(not(at(Session { sent, handed, .. } if handed > sent)))
}
temporal! {
    /// What has been handed over once is not handed over again.
    pub only_forward in window: always(implies(at(Session { handed: 3, .. }), always(at(Session { handed: 3.., .. }))))
}
