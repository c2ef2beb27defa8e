use stairway::prelude::*;

/// Automatic repeat request (section 4.5 of the paper).
#[machine(start = Ready { n: 0 })]
pub mod arq {
    use stairway::Choices;

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

check! { sends_three in arq, random(100), depth(20): eventually(at(Ready { n: 3 })) }
check! { waits_once in arq: always(implies(at(Waiting { .. }), next(not(at(Waiting { .. }))))) }

use arq::{AckedDecision, Packet, Ready, Reply, S, WaitNext, Z};

/// Sends one packet, however often that takes.
fn send_one<N>(mut ready: Ready<N>, payload: u8) -> Ready<S<N>> {
    loop {
        let number = ready.n;
        let Ok(waiting) = ready.send(Packet { payload, number }) else { unreachable!() };
        ready = match waiting.wait(Reply::Ack { a: number }) {
            WaitNext::Ready(ready) => ready,
            WaitNext::Acked(acked) => match acked.decide() {
                AckedDecision::Proceed(next) => return next,
                AckedDecision::Retry(ready) => ready,
            },
        };
    }
}

#[test]
fn three_packets_are_three_in_the_type() {
    let done: Ready<S<S<S<Z>>>> = send_one(send_one(send_one(arq::start(), 1), 2), 3);
    assert_eq!(done.n, 3);
}

#[test]
fn a_wrong_number_gives_the_handle_back() {
    let ready = arq::start().send(Packet { payload: 0, number: 7 }).unwrap_err();
    assert_eq!(ready.n, 0);
}
