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

fn report_of(is_sloppy: bool, seed: u64) -> stairway::Report {
    lease::test(move || Store { is_sloppy, ..Store::default() })
        .settings(Settings::new().without_regressions().seed(seed))
        .report()
}

#[test]
fn a_driver_is_asked_with_arguments_that_may_be_possible() {
    let report = report_of(false, 3);
    assert!(report.is_success(), "{report}");
    assert!(report.warnings.is_empty(), "{report}");
    let counts = &report.result.statistics.program;
    assert_eq!(counts.names, ["acquire", "tick", "write", "release"]);
    assert!(counts.n_done.iter().all(|n| *n > 0), "{report}");
    // It can be taken only where nothing else can be done.
    let n_others: u64 = counts.n_done[1..].iter().chain(&counts.n_refused).sum();
    assert_eq!(counts.n_impossible[0], n_others, "{report}");
    assert!(
        counts.n_refused[2] * 100 < counts.n_done[2],
        "tokens that may be possible are looked for: {report}"
    );
}

#[test]
fn no_step_can_be_left_out() {
    for seed in 0..20 {
        let report = report_of(true, seed);
        let found = report.counterexample().expect("an expired lock is written through");
        let names: Vec<&str> = found.observed.steps.iter().map(|step| step.name).collect();
        assert_eq!(names, ["acquire", "tick", "tick", "tick", "write"], "{report}");
        assert!(found.shrinking.are_steps_needed, "{report}");
    }
}

#[test]
fn a_closure_has_no_name_so_the_program_goes_into_the_users_test() {
    let report = report_of(true, 1);
    assert_eq!(report.test(), None);
    let snippet = "
to run exactly this program, write before the `.run()` of your test:

    .program({
        use lease::*;
        [
            Op::Acquire,
            Op::Tick,
            Op::Tick,
            Op::Tick,
            // not allowed in state Expired { epoch: 1 }
            Op::Write { token: 1, len: 0, ret: Written::All },
        ]
    })
";
    assert!(report.to_string().contains(snippet), "{report}");
    assert!(report.to_string().contains("\n  the only arm for it there: write / Fenced\n"), "{report}");
}

fn written(ops: Vec<lease::Op>, is_sloppy: bool) -> stairway::Report {
    lease::test(move || Store { is_sloppy, ..Store::default() }).program(ops).report()
}

/// What was printed of a sloppy store.
fn printed() -> Vec<lease::Op> {
    use lease::*;
    let write = Op::Write { token: 1, len: 0, ret: Written::All };
    vec![Op::Acquire, Op::Tick, Op::Tick, Op::Tick, write]
}

#[test]
fn a_written_program_is_run_as_it_stands() {
    let report = written(printed(), true);
    let found = report.counterexample().expect("the store is as it was");
    assert_eq!((found.observed.steps.len(), found.shrinking.n_runs), (5, 0), "{report}");
    assert!(!report.to_string().contains("STAIRWAY_REPLAY"), "{report}");
    let report = written(printed(), false);
    assert!(report.is_success() && report.warnings.is_empty(), "{report}");
}

#[test]
fn a_program_that_a_mended_driver_cannot_go_on_with_ends() {
    use lamp::{Light, Op};
    let ops = [Op::Press { ret: Light::Bursts }, Op::Repair, Op::Hit];
    let report = lamp::test(|| Lasting).program(ops).report();
    assert!(report.is_success(), "{report}");
    assert_eq!(
        report.warnings,
        [
            "the program ended before step 2, `repair()`, which is not possible in state On: step 1 answered Shines where \
          Bursts is written"
        ]
    );
}

fn panics_with(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
    let payload = std::panic::catch_unwind(f).expect_err("it panics");
    payload.downcast_ref::<String>().cloned().expect("it says something")
}

#[test]
fn an_operation_that_is_not_possible_is_an_error_and_no_verdict() {
    use lease::{Op, Written};
    let said = panics_with(|| drop(written(vec![Op::Acquire, Op::Release, Op::Tick], false)));
    assert_eq!(
        said,
        "stairway: step 3 of the program, `tick()`, is not possible in state Free { epoch: 1 } of `lease`; it is possible in: Held"
    );
    let write = Op::Write { token: 7, len: 1, ret: Written::All };
    let said = panics_with(move || drop(written(vec![Op::Acquire, write], false)));
    let state = "`write(7, 1)`, is not possible in state Held { epoch: 1, left: 3 } of `lease`; it is possible in: Held";
    assert!(said.contains(state) && said.contains("token == epoch"), "{said}");
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

/// The machine says itself what is done.
#[machine(start = Low { n: 0 })]
pub mod lift {
    use stairway::generate::Choices;
    pub enum State {
        Low { n: u8 },
        High { n: u8 },
    }
    pub enum Op {
        Up { ret: Moved },
        Down,
        Wait,
    }
    pub enum Moved {
        Yes,
        Stuck,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Low { n }, Up { ret: Yes }) => High { n },
            (Low { n }, Up { ret: Stuck }) => Low { n },
            (High { n }, Down) => Low { n: (n + 1) % 5 },
            (Low { .. } | High { .. }, Wait) => s,
        }
    }
    fn options(s: State, c: &mut Choices) -> Op {
        match s {
            Low { .. } => match c.weighted(&[3, 1, 1], &[]) {
                0 => Up { ret: Yes },
                1 => Up { ret: Stuck },
                _ => Wait,
            },
            High { .. } => {
                if c.chance(1, 2) {
                    Down
                } else {
                    Wait
                }
            }
        }
    }
}

#[derive(Default)]
struct Motor(u8);
impl lift::Driver for Motor {
    fn up(&mut self) -> lift::Moved {
        self.0 += 1;
        if self.0.is_multiple_of(3) { lift::Moved::Stuck } else { lift::Moved::Yes }
    }
    fn down(&mut self) {
        assert!(self.0 < 4, "the motor is worn out");
    }
    fn wait(&mut self) {}
}

#[test]
fn what_options_proposes_is_counted_by_operation() {
    let settings = Settings::new().without_regressions().seed(1);
    let report = lift::test(Motor::default).settings(settings.clone().cases(30)).steps(3).report();
    assert!(report.is_success(), "{report}");
    let counts = &report.result.statistics.program;
    assert_eq!(counts.names, ["up", "down", "wait"]);
    let [up, down, wait] = counts.n_done[..] else { panic!("{report}") };
    assert!(up > down && down > 0 && wait > 0, "{report}");
    assert_eq!(
        counts.n_impossible[0] + counts.n_impossible[1],
        up + down + wait,
        "one of the two is possible"
    );

    let report = lift::test(Motor::default).settings(settings).report();
    let found = report.counterexample().expect("it wears out");
    assert_eq!(found.observed.steps.len(), 7, "{report}");
    let test = report.test().expect("its start has a name");
    assert!(
        test.starts_with("#[test]\nfn motor_behind_lift_counterexample() {\n    use lift::*;\n"),
        "{test}"
    );
}

/// Both sides can go wrong in a way that nobody foresaw.
#[machine(start = Idle { n: 0 })]
pub mod gauge {
    pub enum State {
        Idle { n: u8 },
    }
    pub enum Op {
        Read { scale: u8, ret: u16 },
    }
    /// The compiler does not come to the number at which this divides by nothing: there are too many.
    pub const fn scaled(n: u16) -> u8 {
        (100 / (n ^ (9 * 10))) as u8
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle { .. }, Read { ret, .. }) => Idle { n: scaled(ret) },
        }
    }
}

struct Gauge(u16);
impl gauge::Driver for Gauge {
    fn read(&mut self, scale: u8) -> u16 {
        if self.0 == 0 { [4, 5, 6][usize::from(scale)] } else { self.0 }
    }
}

#[test]
fn a_panic_names_the_operation_and_the_state() {
    let report = |reading: u16| {
        let settings = Settings::new().without_regressions().seed(1);
        gauge::test(move || Gauge(reading)).settings(settings).report().to_string()
    };
    let said = report(0);
    assert!(
        said.starts_with("driver `Gauge behind gauge`: the system does not do what the machine says"),
        "{said}"
    );
    assert!(
        said.contains("the index is 3\n  while the driver did `read(3)` in state Idle { n: 0 }"),
        "{said}"
    );
    assert!(said.contains("// panics here: index out of bounds"), "{said}");
    let said = report(0x5A);
    assert!(said.starts_with("driver `Gauge behind gauge`: the machine is at fault"), "{said}");
    let place =
        "attempt to divide by zero\n  in `next`, of Read { scale: 0, ret: 90 } in state Idle { n: 0 }";
    assert!(said.contains(place), "{said}");
}
