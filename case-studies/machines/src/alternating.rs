//! Automatic repeat request as what it is made of: a sender, a receiver, and two channels that lose and
//! double what is sent.
//!
//! The module `arq` has the sender alone, before an environment that answers as it likes. Here the
//! environment is written as well, so that it can be asked whether what is delivered is what was sent.

use stairway::prelude::*;

/// Sends frames whose numbers alternate, each until its number comes back.
#[machine(start = Ready { bit: false })]
pub mod sender {
    pub enum State {
        Ready { bit: bool },
        Waiting { bit: bool },
    }

    pub enum Op {
        Send { number: bool },
        Resend { number: bool },
        Acked { number: bool },
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready { bit }, Send { number }) if number == bit => Waiting { bit },
            (Waiting { bit }, Resend { number }) if number == bit => Waiting { bit },
            (Waiting { bit }, Acked { number }) => {
                if number == bit {
                    Ready { bit: !bit }
                } else {
                    Waiting { bit }
                }
            }
            (Ready { bit }, Acked { .. }) => Ready { bit },
        }
    }
}

/// Answers every frame with its number, and delivers those that it waits for.
#[machine(start = Listening { bit: false })]
pub mod receiver {
    pub enum State {
        Listening { bit: bool },
        Answering { number: bool, bit: bool },
        Delivering { bit: bool },
    }

    pub enum Op {
        Receive { number: bool },
        Deliver,
        Answer { number: bool },
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Listening { bit }, Receive { number }) => {
                if number == bit {
                    Delivering { bit }
                } else {
                    Answering { number, bit }
                }
            }
            (Delivering { bit }, Deliver) => Answering { number: bit, bit: !bit },
            (Answering { number: seen, bit }, Answer { number }) if seen == number => Listening { bit },
        }
    }
}

compose! {
    /// Both, and the channels between them.
    pub mod link = sender * receiver;
    channel frames: Send | Resend -> Receive, capacity(2), lossy, duplicating;
    channel acks: Answer -> Acked, capacity(2), lossy, duplicating
}

temporal! {
    /// A frame is delivered once, whatever the channels do.
    pub once in link, proved: always(implies(after(Deliver), next(or(
        until(not(after(Deliver)), after(Send)),
        always(not(after(Deliver)))))))
}
temporal! {
    /// The sender goes on only if its frame was delivered.
    pub nothing_is_skipped in link, proved: always(implies(after(Send), next(or(
        until(not(after(Send)), after(Deliver)),
        always(not(after(Send)))))))
}
temporal! {
    /// It is always possible to go on.
    pub never_stuck in link, proved: always(can_reach(at(sender: Ready)))
}

/// The planted bug: it forgets to compare, and takes every frame for a new one.
#[machine(start = Listening)]
pub mod credulous {
    pub enum State {
        Listening,
        Answering { number: bool },
        Delivering { number: bool },
    }

    pub enum Op {
        Receive { number: bool },
        Deliver,
        Answer { number: bool },
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Listening, Receive { number }) => Delivering { number },
            (Delivering { number }, Deliver) => Answering { number },
            (Answering { number: seen }, Answer { number }) if seen == number => Listening,
        }
    }
}

compose! {
    pub mod credulous_link = sender * receiver: credulous;
    channel frames: Send | Resend -> Receive, lossy;
    channel acks: Answer -> Acked, lossy
}
