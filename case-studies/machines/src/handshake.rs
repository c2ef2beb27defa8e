//! A handshake like TCP's, seen from one end.

use stairway::{check, machine};

/// A connection; segments may be lost, and then a timer goes off.
#[machine(start = Closed)]
pub mod tcp {
    pub enum State {
        Closed,
        Listen,
        SynSent { tries: u8 },
        SynReceived,
        Established,
        FinWait,
        CloseWait,
        LastAck,
    }

    pub enum Op {
        Listen,
        Connect,
        Receive { ret: Segment },
        Timeout,
        Finish,
    }

    pub enum Segment {
        Syn,
        SynAck,
        Ack,
        Fin,
        Reset,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (State::Closed, Op::Listen) => State::Listen,
            (State::Closed, Op::Connect) => State::SynSent { tries: 2 },
            (_, Op::Receive { ret: Segment::Reset }) => State::Closed,
            (State::Listen, Op::Receive { ret: Segment::Syn }) => State::SynReceived,
            (State::SynSent { .. }, Op::Receive { ret: Segment::SynAck }) => State::Established,
            (State::SynSent { .. }, Op::Receive { ret: Segment::Syn }) => State::SynReceived,
            (State::SynSent { tries: 0 }, Op::Timeout) => State::Closed,
            (State::SynSent { tries }, Op::Timeout) => State::SynSent { tries: tries - 1 },
            (State::SynReceived, Op::Receive { ret: Segment::Ack }) => State::Established,
            (State::SynReceived, Op::Timeout) => State::Closed,
            (State::Established, Op::Receive { ret: Segment::Fin }) => State::CloseWait,
            (State::Established, Op::Finish) => State::FinWait,
            (State::FinWait, Op::Receive { ret: Segment::Fin }) => State::Closed,
            (State::FinWait, Op::Timeout) => State::Closed,
            (State::CloseWait, Op::Finish) => State::LastAck,
            (State::LastAck, Op::Receive { ret: Segment::Ack }) => State::Closed,
            (State::LastAck, Op::Timeout) => State::Closed,
            // Whatever else arrives changes nothing.
            (s, Op::Receive { .. }) => s,
        }
    }
}

check! { no_trap in tcp: always(can_reach(at(Closed))) }
check! {
    /// Nothing is established without a segment from the other side.
    established_by_segments in tcp:
        always(implies(and(not(at(Established)), next(at(Established))), next(after(Receive { ret: SynAck | Ack }))))
}
check! {
    /// Attempts to connect are limited: with three timeouts in a row, nothing is sent any more.
    three_timeouts in tcp: always(implies(
        and(at(SynSent { tries: 2 }), next(and(after(Timeout), next(and(after(Timeout), next(after(Timeout))))))),
        next(next(next(at(Closed))))
    ))
}
