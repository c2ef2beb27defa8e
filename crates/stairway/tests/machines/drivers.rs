//! What is behind a machine: it is asked only for what is possible, and what it does wrong is shown in the fewest steps.

use stairway::Settings;
use stairway::prelude::*;

/// A lock that is held for a time only; writes carry the number under which it was taken.
#[machine(start = Free { epoch: 0 })]
pub mod lease {
    pub const TERM: u8 = 3;

    pub enum State {
        Free { epoch: u32 },
        Held { epoch: u32, left: u8 },
        Expired { epoch: u32 },
    }
    pub enum Op {
        Acquire,
        Tick,
        Write { token: u32, len: u8, ret: Written },
        Release,
    }
    pub enum Written {
        All,
        Part { n: u8 },
        Fenced,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Free { epoch }, Acquire) => Held { epoch: epoch + 1, left: TERM },
            (Held { epoch, left }, Tick) if left > 1 => Held { epoch, left: left - 1 },
            (Held { epoch, .. }, Tick) => Expired { epoch },
            (Held { epoch, left }, Write { token, ret: All, .. }) if token == epoch => Held { epoch, left },
            (Held { epoch, left }, Write { token, len, ret: Part { n } }) if token == epoch && n < len => {
                Held { epoch, left }
            }
            (Held { epoch, left }, Write { token, ret: Fenced, .. }) if token < epoch => Held { epoch, left },
            (Expired { epoch }, Write { ret: Fenced, .. }) => Expired { epoch },
            (Expired { .. }, Write { .. }) => unreachable!(),
            (Held { epoch, .. } | Expired { epoch }, Release) => Free { epoch },
        }
    }
}

#[derive(Debug, Default)]
struct Store {
    epoch: u32,
    left: u8,
    n_asked: u32,
    is_sloppy: bool,
}

impl lease::Driver for Store {
    fn acquire(&mut self) {
        (self.epoch, self.left) = (self.epoch + 1, lease::TERM);
    }
    fn tick(&mut self) {
        self.left -= 1;
    }
    fn write(&mut self, token: u32, len: u8) -> lease::Written {
        self.n_asked += 1;
        match token == self.epoch && (self.is_sloppy || self.left > 0) {
            true if len > 10 => lease::Written::Part { n: 10 },
            true => lease::Written::All,
            false => lease::Written::Fenced,
        }
    }
    fn release(&mut self) {}
}

#[test]
fn the_guard_comes_before_the_driver_is_asked() {
    let held = lease::start_with(Store::default()).acquire();
    let held = held.write(7, 1).unwrap_err();
    assert_eq!(held.driver().n_asked, 0, "no result would be allowed with this token");
    let held = held.write(1, 20).expect("some of it is written");
    assert_eq!(held.driver().n_asked, 1);
}

fn report_of(is_sloppy: bool) -> stairway::Report {
    lease::test(move || Store { is_sloppy, ..Store::default() })
        .settings(Settings::new().without_regressions().seed(3))
        .report()
}

#[test]
fn a_driver_is_asked_with_arguments_that_may_be_possible() {
    let report = report_of(false);
    assert!(report.is_success(), "{report}");
    assert!(report.warnings.is_empty(), "{report}");
}

#[test]
fn no_step_can_be_left_out() {
    let report = report_of(true);
    let found = report.counterexample().expect("an expired lock is written through");
    let names: Vec<&str> = found.observed.steps.iter().map(|step| step.name).collect();
    assert_eq!(names, ["acquire", "tick", "tick", "tick", "write"], "{report}");
    assert!(found.shrinking.are_steps_needed, "{report}");
}

/// What is left after a run: two of five transitions of a machine, and one of its states never.
#[machine(start = Off)]
pub mod lamp {
    pub enum State {
        Off,
        On,
        Broken,
    }
    pub enum Op {
        Press { ret: Light },
        Hit,
        Repair,
    }
    pub enum Light {
        Shines,
        Stays,
        Bursts,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Off, Press { ret: Shines }) => On,
            (Off, Press { ret: Stays }) => Off,
            (Off, Press { ret: Bursts }) => Broken,
            (On, Press { .. }) => Off,
            (On, Hit) => On,
            (Broken, Repair) => Off,
        }
    }
}

struct Lasting;
impl lamp::Driver for Lasting {
    fn press(&mut self) -> lamp::Light {
        lamp::Light::Shines
    }
    fn hit(&mut self) {}
    fn repair(&mut self) {}
}

#[test]
fn what_a_driver_never_does_is_said_in_few_words() {
    let report = lamp::test(|| Lasting).cases(50).report();
    assert_eq!(report.warnings, ["never reached: Broken; never taken: Off -- press --> Off"]);
}
