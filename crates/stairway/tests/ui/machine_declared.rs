use stairway::machine;

#[machine(start = Idle)]
struct NoModule;

#[machine(start = Idle, strat = Busy)]
mod no_such_option {}

#[machine(start = Idle)]
mod two_results {
    pub enum State { Idle }
    pub enum Op { Ask { ret: bool, #[ret] also: bool } }
    fn next(s: State, op: Op) -> State { match (s, op) { (Idle, Ask { .. }) => Idle } }
}

#[machine(start = Idle)]
mod parameters {
    pub enum State { Idle }
    pub enum Op { Ask { ret: Reply<u8> } }
    pub enum Reply<T> { Yes(T), No }
    fn next(s: State, op: Op) -> State { match (s, op) { (Idle, Ask { .. }) => Idle } }
}

#[machine(start = Idle)]
mod signature {
    pub enum State { Idle }
    pub enum Op { Go }
    fn next(s: State) -> State { Idle }
}

#[machine(start = Idle)]
mod names_of_rust {
    pub enum State { Idle }
    pub enum Op { Ask { ret: Reply } }
    pub enum Reply { Some, Nothing }
    fn next(s: State, op: Op) -> State { match (s, op) { (Idle, Ask { .. }) => Idle } }
}

#[machine(start = Idle { n: 0 })]
mod statements_before_the_match {
    pub enum State { Idle { n: u8 }, Busy }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State {
        let Idle { n } = s else { return Idle { n: 0 } };
        match (s, op) { (Idle { .. }, Go) if n < 3 => Busy }
    }
}

#[machine(start = Idle { n: 0 })]
mod tracked_too_far {
    pub enum State { Idle { #[tracked(0..=1000)] n: u16 } }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { match (s, op) { (Idle { n }, Go) => Idle { n } } }
}

#[machine(start = Idle { n: 0 })]
mod tracked_by_an_argument {
    pub enum State { Idle { #[tracked(0..=2)] n: u8 } }
    pub enum Op { Go { to: u8 } }
    fn next(s: State, op: Op) -> State { match (s, op) { (Idle { .. }, Go { to }) if to < 3 => Idle { n: to } } }
}

#[machine(start = Waiting)]
mod forgotten_in_one_state {
    pub enum State { Waiting, Done }
    pub enum Op { Receive { ret: Message }, Again }
    pub enum Message { Data(u8), End, Lost { n: u8 } }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Waiting, Receive { ret: Data(_) | Lost { .. } }) => Waiting,
            (Waiting, Receive { ret: End }) => Done,
            (Done, Receive { ret: Data(_) }) => Done,
            (Done, Again) => Waiting,
        }
    }
}

fn main() {}
