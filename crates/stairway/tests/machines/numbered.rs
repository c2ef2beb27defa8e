//! Users rely on copies that have numbers: fairness for one of them, messages to one of them, and a machine of
//! such copies as a part of another one.

use stairway::prelude::*;

/// Lets one tenant in at a time; knows tenants by their numbers.
#[machine(start = Free)]
pub mod landlord {
    pub enum State {
        Free,
        Owes { to: u8 },
        Leased { to: u8 },
    }
    pub enum Op {
        Hear { tenant: u8 },
        Grant { tenant: u8 },
        Over { tenant: u8 },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Free, Hear { tenant }) => Owes { to: tenant },
            (Owes { to }, Grant { tenant }) if tenant == to => Leased { to },
            (Leased { to }, Over { tenant }) if tenant == to => Free,
        }
    }
}

#[machine(start = Out)]
pub mod tenant {
    pub enum State {
        Out,
        Asked,
        In,
    }
    pub enum Op {
        Ask,
        Enter,
        Leave,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Out, Ask) => Asked,
            (Asked, Enter) => In,
            (In, Leave) => Out,
        }
    }
}

compose! {
    pub mod house = landlord * tenant[3];
    channel asks[tenant]: Ask -> Hear;
    channel grants[tenant]: Grant -> Enter;
    channel ends[tenant]: Leave -> Over
}

temporal! { one_is_inside in house, proved: always(not(at_least(2, tenant: In))) }
temporal! { it_is_the_one_who_was_granted in house, proved: always(implies(
at(tenant[1]: In),
at(landlord: Leased { to: 1 }))) }
temporal! { who_is_heard_gets_in in house, proved: implies(
strongly_fair(Hear { tenant: 0 }),
leads_to(at(tenant[0]: Asked), at(tenant[0]: In))) }
// `driven`, so that the compiler leaves it to the test below to refute it.
temporal! { weak_fairness_is_enough in house, driven: leads_to(at(tenant[2]: Asked), at(tenant[2]: In)) }

/// A lamp that is told by a wire of its own, which loses what it is told.
#[machine(start = Dark)]
pub mod lamp {
    pub enum State {
        Dark,
        Lit { level: u8 },
    }
    pub enum Op {
        Hear { level: u8 },
        Fade,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Dark, Hear { level }) => Lit { level },
            (Lit { .. }, Fade) => Dark,
        }
    }
}

#[machine(start = On)]
pub mod switchboard {
    pub enum State {
        On,
    }
    pub enum Op {
        Tell { lamps: usize, level: u8 },
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (On, Tell { level, .. }) if level < 2 => On,
        }
    }
}

compose! {
    pub mod stage = switchboard * lamps: lamp[2];
    channel wires[lamps]: Tell -> Hear, lossy
}

temporal! { it_may_stay_dark in stage, proved: can_always(at(lamps[1]: Dark)) }
temporal! { one_wire_loses_nothing_of_the_other in stage, proved: always(implies(
and(at(System { wires, .. } if wires[0].is_full()), next(after(LoseWires { lamps: 1 }))),
next(at(System { wires, .. } if wires[0].is_full())))) }

compose! {
    pub mod flat = tenant[2]
}

compose! {
    /// Two flats, which are alike; the tenants of each have numbers.
    pub mod street = 2 flat
}

temporal! { all_may_be_in in street, proved: can_reach(every(flat: System { .. })) }

#[test]
fn every_state_and_step_is_explored() {
    // Counted by a program of its own, which knows nothing of machines.
    let assurance = stairway::machine::assurance(&one_is_inside::FORMULA).expect("it is decided");
    assert_eq!(assurance.to_string(), "proved: all 68 states and 156 steps between them were explored");
    // Two lamps with three states each, and a wire each that is empty or has one of two messages.
    let assurance = stairway::machine::assurance(&it_may_stay_dark::FORMULA).expect("it is decided");
    assert!(assurance.to_string().starts_with("proved: all 81 states"), "{assurance}");
    // A flat has nine states; of two flats that are alike each pair is there once.
    let assurance = stairway::machine::assurance(&all_may_be_in::FORMULA).expect("it is decided");
    assert!(assurance.to_string().starts_with("proved: all 45 states"), "{assurance}");
}

#[test]
fn others_may_be_heard_for_ever() {
    assert_eq!(stairway::machine::assurance(&weak_fairness_is_enough::FORMULA), None);
}

/// What is behind the house: who asked, was granted, and has left.
#[derive(Default)]
struct Desk {
    steps: Vec<(&'static str, u8)>,
}

impl house::Driver for Desk {
    fn ask(&mut self, tenant: u8) {
        self.steps.push(("ask", tenant));
    }
    fn hear(&mut self, tenant: u8) {
        assert!(self.steps.contains(&("ask", tenant)));
    }
    fn grant(&mut self, tenant: u8) {
        self.steps.push(("grant", tenant));
    }
    fn enter(&mut self, tenant: u8) {
        assert!(self.steps.contains(&("grant", tenant)));
    }
    fn leave(&mut self, _: u8) {}
    fn over(&mut self, _: u8) {}
}

#[test]
fn a_driver_is_told_which_copy_does_it() {
    house::test(Desk::default).cases(50).run();
    assert!(house::picture().dot().contains("tenant[3]"));
    assert!(house::start().ask(3).is_err(), "there is no fourth tenant");
}
