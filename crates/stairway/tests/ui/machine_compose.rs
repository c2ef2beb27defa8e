//! Machines that are made of others: what cannot be composed, and runs among copies as they are shown.

use stairway::prelude::*;

#[machine(start = Free)]
pub mod lock {
    pub enum State { Free, Held }
    pub enum Op { Take, Give { to: u8, by: u8 } }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Free, Take) => Held, (Held, Give { .. }) => Free }
    }
}

/// Takes without asking.
#[machine(start = Out)]
pub mod thief {
    pub enum State { Out, In { n: u8 } }
    pub enum Op { Enter, Fill, Hide }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Out, Enter) => In { n: 0 },
            (In { n }, Fill) if n < 2 => In { n: n + 1 },
            (In { n: 2 }, Hide) => Out,
        }
    }
}

compose! { mod misspelt = lock * thief; channel gold: Giv -> Enter }
compose! { mod twice = lock * lock }
compose! { mod none_at_all = 0 thief }
compose! { mod unsure = lock * thief; channel gold: Give -> Enter }
compose! { mod unknown = lock * thief; chanel gold: Give -> Enter }
compose! { mod leaking = lock * thief; channel to: Give -> Enter, leaky }
compose! { mod nothing = }

compose! { mod gang = 3 thief }
compose! { mod gangs = 2 gang }

temporal! { one_at_a_time in gang: always(not(and(some(thief: In { n: 2 }), some(thief: In { n: 1 })))) }
temporal! { all_come_back in gang: leads_to(some(thief: In { n: 1 }), every(thief: Out)) }
temporal! { the_second_is_like_the_others in gang: always(not(after(Enter { thief: Which(1) }))) }
temporal! { nobody_is_one in gang: always(at(thief: Out)) }

temporal! { the_first_is_like_the_others in gang: always(not(at(thief[0]: In { n: 3 }))) }

compose! { mod numbers = thief[2] }
temporal! { there_are_two in numbers: always(not(at(thief[2]: In { n: 3 }))) }
temporal! { of_which in numbers: always(some(thief[1]: Out)) }
compose! { mod twice = 2 thief[3] }
compose! { mod no_numbers = lock * 2 thief; channel c[thief]: Enter -> Take }
compose! { mod nobody = lock * thief[2]; channel c[thief]: Enter -> Take }

compose! { mod pair = lock * thief }
temporal! { there_is_one in pair: always(some(lock: Held)) }
temporal! { no_such_part in pair: always(at(lok: Held)) }
temporal! { of_what in pair: always(every(Held)) }

compose! {
    /// Everybody waits for somebody.
    mod stuck = lock * other: lock2
}

#[machine(start = Held)]
pub mod lock2 {
    pub enum State { Held, Free }
    pub enum Op { Take, Give { to: u8, by: u8 } }
    fn next(s: State, op: Op) -> State {
        match (s, op) { (Free, Take) => Held, (Held, Give { .. }) => Free }
    }
}

fn main() {}
