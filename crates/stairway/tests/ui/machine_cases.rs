use stairway::machine;

/// What happens after a timeout?
#[machine(start = Ready)]
pub mod forgotten_result {
    pub enum State { Ready, Waiting }
    pub enum Op { Send, Wait { ret: Reply } }
    pub enum Reply { Ack, Timeout }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Send) => Waiting,
            (Waiting, Wait { ret: Ack }) => Ready,
        }
    }
}

/// The third arm can never match.
#[machine(start = Ready)]
pub mod covered {
    pub enum State { Ready, Done }
    pub enum Op { Go, Stop }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Go) => Done,
            (Done, Stop) => Ready,
            (Ready, Go) => Ready,
        }
    }
}

fn main() {}
