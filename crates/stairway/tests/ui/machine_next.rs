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

#[machine(start = Ready)]
mod on_the_state {
    pub enum State { Ready, Done }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State {
        match s { Ready => match op { Go => Done }, Done => unreachable!() }
    }
}

#[machine(start = Ready)]
mod nested {
    pub enum State { Ready, Done }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (s, Go) => match s { Ready => Done, Done => Ready } }
    }
}

#[machine(start = Ready)]
mod returns {
    pub enum State { Ready, Done }
    pub enum Op { Go { n: u8 } }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Go { n }) => {
                if n > 3 { return Done; }
                Ready
            }
        }
    }
}

#[machine(start = Ready)]
mod diverges {
    pub enum State { Ready, Done }
    pub enum Op { Go { n: Option<u8> } }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Ready, Go { n }) => {
                let Some(_) = n else { unreachable!() };
                Done
            }
        }
    }
}

#[machine(start = Ready)]
mod optional {
    pub enum State { Ready, Done }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> Option<State> {
        match (s, op) { (Ready, Go) => Some(Done), _ => None }
    }
}

#[machine]
mod no_start {}

#[machine(start = A, allow(everything))]
mod allows {}

#[machine(start = A)]
mod empty {}

fn main() {}
