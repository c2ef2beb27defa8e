//! Automatic repeat request, section 4.5 of the paper: packets are sent again until they are acknowledged.

use stairway::{machine, temporal};

/// The sender. The network is unreliable, by the weights in `options`.
#[machine(start = Ready { n: 0 })]
pub mod arq {
    use stairway::generate::Choices;

    pub enum State {
        Ready {
            #[tracked]
            n: u32,
        },
        Waiting {
            #[tracked]
            n: u32,
        },
        Acked {
            #[tracked]
            n: u32,
            a: u32,
        },
    }

    pub enum Op {
        Send { packet: Packet },
        Wait { ret: Reply },
        Proceed,
        Retry,
    }

    pub struct Packet {
        pub payload: u8,
        pub number: u32,
    }

    pub enum Reply {
        Ack { a: u32 },
        Timeout,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready { n }, Send { packet }) if packet.number == n => Waiting { n },
            (Waiting { n }, Wait { ret: Ack { a } }) => Acked { n, a },
            (Waiting { n }, Wait { ret: Timeout }) => Ready { n },
            (Acked { n, a }, Proceed) if a == n => Ready { n: n + 1 },
            (Acked { n, a }, Retry) if a != n => Ready { n },
        }
    }

    fn options(s: State, c: &mut Choices) -> Op {
        match s {
            Ready { n } => Send { packet: Packet { payload: 255, number: n } },
            Waiting { n } => match c.weighted(&[15, 4, 1], &[]) {
                0 => Wait { ret: Ack { a: n } },
                1 => Wait { ret: Timeout },
                _ => Wait { ret: Ack { a: c.unsigned(0, u32::MAX as u64, 0) as u32 } },
            },
            Acked { n, a } => {
                if a == n {
                    Proceed
                } else {
                    Retry
                }
            }
        }
    }
}

temporal! { no_waiting_twice in arq, sampled: always(implies(at(Waiting { .. }), next(not(at(Waiting { .. }))))) }
temporal! { only_the_right_ack in arq, sampled: always(implies(after(Proceed), at(Ready { n: 1.. }))) }
temporal! {
    /// The paper's `sendThreeOK`. Not checked as it stands: it holds of 99 traces in 100, not of all.
    pub send_three in arq, driven, depth(20): within(20, at(Ready { n: 3 }))
}

use arq::{AckedDecision, Driver, Packet, Ready, S, WaitNext, Z};

/// Sends one packet, as often as that takes: the paper's `sendN`.
pub fn send_one<N, D: Driver>(mut ready: Ready<N, D>, payload: u8) -> Ready<S<N>, D> {
    loop {
        let packet = Packet { payload, number: ready.n };
        ready = match ready.send(packet) {
            Err(ready) => ready,
            Ok(waiting) => match waiting.wait() {
                WaitNext::Ready(ready) => ready,
                WaitNext::Acked(acked) => match acked.decide() {
                    AckedDecision::Proceed(next) => return next,
                    AckedDecision::Retry(ready) => ready,
                },
            },
        };
    }
}

/// Three packets; the type says so.
pub fn program<D: Driver>(ready: Ready<Z, D>) -> Ready<S<S<S<Z>>>, D> {
    send_one(send_one(send_one(ready, 1), 2), 3)
}
