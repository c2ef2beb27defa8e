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

check! { unknown_constant in door: always(at(Open { by: X })) }
check! { unknown_machine in dor: always(at(Ready)) }
check! { not_a_tuple in door: always(at(Open(You))) }

fn main() {}
