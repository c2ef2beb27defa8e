//! A counterexample that time did not suffice to shrink is not called the smallest.

use stairway_engine::{
    Case, Failure, Hooks, InProcess, Outcome, Settings, Stop, Workspace, run, unguarded, vec,
};

/// Time for this many questions.
struct Clock(u32);

impl Hooks for Clock {
    fn is_out_of_time(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

fn is_minimal(n_questions: u32) -> bool {
    let property = |t: &mut Case<'_>| {
        let xs = t.pick(vec(0..100u32, 0..20))?;
        let fits = xs.iter().sum::<u32>() < 70;
        if fits { Ok(()) } else { Err(Stop::fail(Failure::named("sum"))) }
    };
    let mut property = InProcess::new(property, unguarded);
    let settings = Settings { seed: 1, ..Settings::default() };
    let mut clock = Clock(n_questions);
    let report = run(&mut property, &settings, &[], &mut clock, &mut Workspace::default());
    match report.outcome {
        Outcome::Falsified(found) => found.shrinking.is_minimal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_time_cut_short_is_not_minimal() {
    assert!(is_minimal(100_000));
    assert!(!is_minimal(20));
}
