use stairway::{machine, temporal};

#[machine(start = Ready)]
pub mod door {
    pub enum State { Ready, Open { by: Who } }
    pub enum Op { Push { who: Who }, Pull }
    pub enum Who { You, Me }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Push { who }) => Open { by: who }, (Open { .. }, Pull) => Ready } }
}

temporal! { unknown_state in door: always(at(Redy)) }
temporal! { unknown_field in door: always(at(Open { with: 1 })) }
temporal! { unknown_value in door: always(at(Open { by: Him })) }
temporal! { unknown_operation in door: always(not(after(Kick))) }

temporal! { unknown_constant in door: always(at(Open { by: X })) }
temporal! { unknown_machine in dor: always(at(Ready)) }
temporal! { not_a_tuple in door: always(at(Open(You))) }

fn main() {}
