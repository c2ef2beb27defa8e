//! The side of a connection that opens it, as in TCP; behind it a server and a network that loses every
//! fourth segment.

use crate::Bug;
use stairway::prelude::*;

/// Opens and closes a connection, with three attempts at each.
#[machine(start = Closed)]
pub mod handshake {
    pub enum State {
        Closed,
        SynSent { seq: u8, tries: u8 },
        Established,
        FinSent { tries: u8 },
    }

    pub enum Op {
        Connect { seq: u8 },
        Await { ret: Answer },
        Send { byte: u8 },
        Close,
    }

    pub enum Answer {
        SynAck { ack: u8 },
        FinAck,
        Timeout,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Closed, Connect { seq }) => SynSent { seq, tries: 2 },
            (SynSent { seq, .. }, Await { ret: SynAck { ack } }) if ack == seq.wrapping_add(1) => Established,
            (SynSent { seq, tries }, Await { ret: Timeout }) if tries > 0 => {
                SynSent { seq, tries: tries - 1 }
            }
            (Established, Send { .. }) => Established,
            (Established, Close) => FinSent { tries: 2 },
            (FinSent { tries }, Await { ret: Timeout }) if tries > 0 => FinSent { tries: tries - 1 },
            (SynSent { .. } | FinSent { .. }, Await { .. }) => Closed,
        }
    }
}

temporal! {
    /// Three answers decide.
    pub connecting_ends in handshake, states(1024): always(implies(at(SynSent { .. }), within(3, at(Established | Closed))))
}
temporal! {
    /// Nothing is sent before there is a connection.
    pub nothing_is_sent_early in handshake, states(1024): always(implies(at(Closed), or(
        until(not(after(Send { .. })), at(Established)),
        always(not(after(Send { .. }))))))
}
temporal! { pub can_start_again in handshake, states(1024): always(can_reach(at(Closed))) }
temporal! {
    /// A server that answers means us.
    pub answers_are_for_us in handshake, driven: always(not(and(after(Await { ret: SynAck { .. } }), at(Closed))))
}

/// Answers what was sent last.
#[derive(Debug)]
pub struct Server {
    waiting: Option<handshake::Answer>,
    n_segments: u32,
    bug: Bug,
}

impl Server {
    #[must_use]
    pub fn new(bug: Bug) -> Server {
        Server { waiting: None, n_segments: 0, bug }
    }
}

impl handshake::Driver for Server {
    fn connect(&mut self, seq: u8) {
        let ack = match self.bug {
            Bug::None => seq.wrapping_add(1),
            Bug::Planted => seq.saturating_add(1),
        };
        self.waiting = Some(handshake::Answer::SynAck { ack });
    }

    fn r#await(&mut self) -> handshake::Answer {
        self.n_segments += 1;
        if self.n_segments.is_multiple_of(4) {
            return handshake::Answer::Timeout;
        }
        self.waiting.take().unwrap_or(handshake::Answer::Timeout)
    }

    fn send(&mut self, _: u8) {}

    fn close(&mut self) {
        self.waiting = Some(handshake::Answer::FinAck);
    }
}
