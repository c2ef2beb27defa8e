use stairway::machine;

#[machine(start = Redy)]
mod no_such_start {
    pub enum State { Ready }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Go) => Ready } }
}

#[machine(start = Ready)]
mod no_such_state {
    pub enum State { Ready, Waiting }
    pub enum Op { Go, Stop }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Go) => Wating, (Waiting, Stop) => Ready } }
}

#[machine(start = Ready)]
mod no_such_operation {
    pub enum State { Ready }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Goo) => Ready } }
}

#[machine(start = Ready)]
mod computed {
    pub enum State { Ready, Done }
    pub enum Op { Go }
    const fn after(_: State) -> State { State::Done }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Go) => after(s) } }
}

#[machine(start = Ready)]
mod unused_operation {
    pub enum State { Ready }
    pub enum Op { Go, Never }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Go) => Ready } }
}

#[machine(start = Ready { names: String::new() })]
mod heap {
    pub enum State { Ready { names: String } }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready { names }, Go) => Ready { names } } }
}

#[machine(start = Ready)]
mod no_match {
    pub enum State { Ready }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { Ready }
}

#[machine(start = Ready)]
mod undecidable {
    pub enum State { Ready, Done }
    pub enum Op { Go { n: u8 } }
    fn next(s: State, op: Op) -> State {
        if is_odd(op) { return Done; }
        match (s, op) { (Ready, Go { .. }) => Ready }
    }
}

#[machine]
mod no_start {}

#[machine(start = A, allow(everything))]
mod allows {}

#[machine(start = A)]
mod empty {}

fn main() {}
