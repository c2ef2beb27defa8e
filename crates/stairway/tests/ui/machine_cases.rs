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

/// Which readings are forgotten depends on what is in them.
#[machine(start = Ready)]
pub mod forgotten_inside {
    pub enum State { Ready, Done }
    pub enum Op { Read { ret: Reading }, Ask { ret: Option<(bool, u8)> } }
    pub enum Reading { Degrees { at: u8, is_old: bool }, Broken }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Read { ret: Degrees { at: 0..=99, .. } | Degrees { is_old: true, .. } }) => Done,
            (Ready, Read { ret: Broken }) => Ready,
            (Done, Ask { ret: None | Some((true, _)) }) => Ready,
        }
    }
}

/// The state and the operation have names already.
#[machine(start = Ready)]
pub mod named_again {
    pub enum State { Ready, Done { n: u8 } }
    pub enum Op { Go, Stop }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Go) => Done { n: 0 },
            (done @ Done { n: 0 }, Go) => done,
            (Done { .. }, Stop) => Ready,
        }
    }
}

fn main() {}
