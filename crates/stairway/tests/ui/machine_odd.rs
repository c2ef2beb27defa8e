use stairway::machine;

#[machine(start = A)]
pub mod unreachable_state {
    pub enum State { A, B, C }
    pub enum Op { Go, Back }
    fn next(s: State, op: Op) -> State { match (s, op) { (A, Go) => B, (B | C, Back) => A } }
}

#[machine(start = A)]
pub mod dead_end {
    pub enum State { A, B { n: u8 } }
    pub enum Op { Go }
    fn next(s: State, op: Op) -> State { match (s, op) { (A, Go) => B { n: 7 } } }
}

#[machine(start = A { n: 0 })]
pub mod never_done {
    pub enum State { A { n: u8 } }
    pub enum Op { Up, Over }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (A { n }, Up) => A { n: (n + 1) % 4 }, (A { n }, Over) if n > 4 => A { n: 0 } }
    }
}

#[machine(start = A { n: 0 })]
pub mod overlapping {
    pub enum State { A { n: u8 }, B }
    pub enum Op { Go, Back }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (A { n }, Go) if n < 3 => A { n: n + 1 },
            (A { n }, Go) if n > 1 => B,
            (B, Back) => A { n: 0 },
        }
    }
}

#[machine(start = Ready)]
pub mod hidden {
    use stairway::generate::Choices;
    pub enum State { Ready, Card }
    pub enum Op { Insert, Eject }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Insert) => Card, (_, Eject) => Ready } }
    fn options(s: State, _: &mut Choices) -> Op { match s { Ready => Insert, Card => Eject } }
}

#[machine(start = Ready)]
pub mod forbidden {
    use stairway::generate::Choices;
    pub enum State { Ready, Card }
    pub enum Op { Insert, Eject }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Insert) => Card, (Card, Eject) => Ready } }
    fn options(_: State, c: &mut Choices) -> Op { if c.chance(1, 2) { Insert } else { Eject } }
}

#[machine(start = A { n: 0 })]
pub mod overflow {
    pub enum State { A { n: u8 } }
    pub enum Op { Up }
    fn next(s: State, op: Op) -> State { match (s, op) { (A { n }, Up) => A { n: n + 100 } } }
}

#[machine(start = Up { n: 0 })]
pub mod far_dead_end {
    pub enum State { Up { n: u8 } }
    pub enum Op { Step }
    fn next(s: State, op: Op) -> State { match (s, op) { (Up { n }, Step) if n < 100 => Up { n: n + 1 } } }
}

fn main() {}
