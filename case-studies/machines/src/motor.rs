//! C functions behind a machine, which decides which calls are valid: with its handles, the functions cannot
//! be called in the wrong order.

use stairway::{check, machine};

/// When the functions of `motor.c` may be called.
#[machine(start = Off)]
pub mod motor {
    pub enum State {
        Off,
        Standing { position: u8 },
        Running { position: u8 },
    }

    pub enum Op {
        PowerOn,
        PowerOff,
        Start { ret: Started },
        Step,
        Stop,
    }

    pub enum Started {
        Yes,
        Blocked,
    }

    fn next(s: State, op: Op) -> Option<State> {
        match (s, op) {
            (State::Off, Op::PowerOn) => Some(State::Standing { position: 0 }),
            (State::Standing { position }, Op::Start { ret }) => match ret {
                Started::Yes if position < 3 => Some(State::Running { position }),
                Started::Blocked if position == 3 => Some(State::Standing { position }),
                _ => None,
            },
            // The last step stops it: there is nowhere to go.
            (State::Running { position: 2 }, Op::Step) => Some(State::Standing { position: 3 }),
            (State::Running { position }, Op::Step) => Some(State::Running { position: position + 1 }),
            (State::Running { position }, Op::Stop) => Some(State::Standing { position }),
            (State::Standing { .. } | State::Running { .. }, Op::PowerOff) => Some(State::Off),
            _ => None,
        }
    }
}

check! { stays_in_range in motor: always(at(Off | Standing { position: 0..=3 } | Running { position: 0..=2 })) }
check! { can_be_switched_off in motor: always(can_reach(at(Off))) }

mod c {
    unsafe extern "C" {
        pub(super) fn motor_power(on: i32);
        pub(super) fn motor_start() -> i32;
        pub(super) fn motor_step() -> i32;
        pub(super) fn motor_stop();
        pub(super) fn motor_home();
    }
}

/// The motor. There is one, so programs run one after another.
#[derive(Debug)]
pub struct Motor {
    position: i32,
}

impl Motor {
    /// The motor, switched off.
    #[must_use]
    pub fn new() -> Self {
        // SAFETY: switching it off is possible at any time.
        unsafe { c::motor_power(0) }
        Motor { position: 0 }
    }
}

impl Default for Motor {
    fn default() -> Self {
        Motor::new()
    }
}

impl motor::Driver for Motor {
    fn power_on(&mut self) {
        // SAFETY: switching it on is possible at any time.
        unsafe { c::motor_power(1) }
        // SAFETY: it stands still.
        unsafe { c::motor_home() }
        self.position = 0;
    }

    fn power_off(&mut self) {
        // SAFETY: switching it off is possible at any time.
        unsafe { c::motor_power(0) }
    }

    fn start(&mut self) -> motor::Started {
        // SAFETY: the machine starts it in the state Standing only, in which it has power.
        match unsafe { c::motor_start() } {
            1 => motor::Started::Yes,
            _ => motor::Started::Blocked,
        }
    }

    fn step(&mut self) {
        // SAFETY: the machine steps in the state Running only.
        self.position = unsafe { c::motor_step() };
        assert!(self.position > 0, "a step without a running motor");
        if self.position == 3 {
            // SAFETY: a running motor can be stopped.
            unsafe { c::motor_stop() }
        }
    }

    fn stop(&mut self) {
        // SAFETY: a running motor can be stopped.
        unsafe { c::motor_stop() }
    }
}
