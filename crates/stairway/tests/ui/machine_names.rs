//! Names that do not exist. The properties of a machine with a mistake add nothing to it.
use stairway::{machine, temporal};

#[machine(start = Clsed)]
pub mod start {
    pub enum State { Closed, Open }
    pub enum Op { Push, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Closed, Push) => Open, (Open, Pull) => Closed } }
}
temporal! { a in start: always(at(Open | Closed)) }

#[machine(start = Closed)]
pub mod value {
    pub enum State { Closed, Open { by: Who } }
    pub enum Op { Push { who: Who }, Pull }
    pub enum Who { Me, You }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Closed, Push { who: Mee }) => Open { by: Me }, (Open { .. }, Pull) => Closed }
    }
}
temporal! { b in value: always(at(Open | Closed)) }
temporal! { c in value: always(can_reach(at(Closed))) }

#[machine(start = Closed)]
pub mod proposed {
    use stairway::generate::Choices;
    pub enum State { Closed, Open }
    pub enum Op { Push, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Closed, Push) => Open, (Open, Pull) => Closed } }
    fn options(s: State, c: &mut Choices) -> Op { match s { Closd => Push, Open => Pull } }
}
temporal! { d in proposed: always(at(Open | Closed)) }

#[machine(start = Closed)]
pub mod signature {
    pub enum State { Closed, Open }
    pub enum Op { Push, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Closed, Push) => Open, (Open, Pull) => Closed } }
    fn options(s: State) -> Op { match s { Closed => Push, Open => Pull } }
}

#[machine(start = Closed)]
pub mod imported {
    use super::value::Who;
    pub enum State { Closed, Open { by: Who } }
    pub enum Op { Push { who: Who }, Pull }
    fn next(s: State, op: Op) -> State { match (s, op) { (Closed, Push { who }) => Open { by: who }, (Open { .. }, Pull) => Closed } }
}
temporal! { e in imported: always(at(Open | Closed)) }

fn main() {}
