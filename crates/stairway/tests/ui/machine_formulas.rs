use stairway::{check, machine};

#[machine(start = Ready)]
pub mod door {
    pub enum State { Ready, Open { by: Who } }
    pub enum Op { Push { who: Who }, Pull }
    pub enum Who { You, Me }
    fn next(s: State, op: Op) -> State { match (s, op) { (Ready, Push { who }) => Open { by: who }, (Open { .. }, Pull) => Ready } }
}

check! { unknown_state in door: always(at(Redy)) }
check! { unknown_field in door: always(at(Open { with: 1 })) }
check! { unknown_value in door: always(at(Open { by: Him })) }
check! { unknown_operation in door: always(not(after(Kick))) }

fn main() {}
