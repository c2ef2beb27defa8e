// Automatic repeat request, section 4.5 of "Type-level Property Based Testing". Part of generated crates, not
// of this one.
use stairway::prelude::*;

#[machine(start = Ready { n: 0 })]
pub mod arq {
    use stairway::generate::Choices;

    pub enum State { Ready { n: u32 }, Waiting { n: u32 }, Acked { n: u32, a: u32 } }
    pub enum Op { Send { packet: Packet }, Wait { ret: Reply }, Proceed, Retry }
    pub struct Packet { pub payload: u8, pub number: u32 }
    pub enum Reply { Ack { a: u32 }, Timeout }

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
            Acked { n, a } => if a == n { Proceed } else { Retry },
        }
    }
}
