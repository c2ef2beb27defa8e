//! One fault after the other: every question of the environment fails once, with nothing else going wrong.
//!
//! Runs code that asks the oracle, and panics if the code does under some fault, saying which. A calm run
//! shows what is asked; then each question has each of its other answers in turn. Random oracles seldom reach
//! a question that comes late, and this reaches all of them.

use super::Oracle;
use crate::panics;
use stairway_engine::Role;

/// How many faults are gone through for one input.
const MAX_FAULTS: usize = 10_000;

/// Runs `f` calmly, and then once for each thing that can go wrong: the n-th question that was asked gets
/// each of its other answers, for every n that occurs.
///
/// ```
/// use stairway::{ask, each_fault};
/// let mut n_runs = 0;
/// each_fault(|| {
///     n_runs += 1;
///     let written: Result<Vec<()>, &str> = (0..60).map(|_| ask("write", [Ok(()), Err("disk full")])).collect();
///     assert!(written.is_ok() || written == Err("disk full"));
/// });
/// assert_eq!(n_runs, 61);
/// ```
///
/// What fails names the fault, as in ``with `write` -> Err("disk full") the 17th time``.
///
/// # Panics
/// If `f` does.
#[track_caller]
pub fn each_fault(mut f: impl FnMut()) {
    let calm = Oracle::calm();
    run(&calm, 0, &mut f);
    let mut n_faults = 0;
    // A fault may lead to further questions, which are none of this one's business: only what a calm run asks
    // has its turn.
    let offered: Vec<usize> = calm.0.borrow().given.iter().map(|answer| answer.n_offered).collect();
    for (nth, n_offered) in offered.into_iter().enumerate() {
        for other in 1..n_offered {
            n_faults += 1;
            if n_faults > MAX_FAULTS {
                return;
            }
            let mut path = vec![0; nth];
            path.push(other);
            run(&Oracle::counted(&path), nth, &mut f);
        }
    }
}

/// Runs `f` with an oracle whose fault, if it has one, is the answer in this position.
#[track_caller]
fn run(oracle: &Oracle, position: usize, f: &mut impl FnMut()) {
    let ended = panics::guard(&mut || {
        oracle.during(&mut *f);
        Ok(())
    });
    let Err(stop) = ended else { return };
    let fault = fault(oracle, position);
    let mut found = None;
    let _ = stop.map_failure(|failure| {
        found = Some(failure.clone());
        failure
    });
    if let Some(failure) = found {
        panics::fail(match fault {
            Some(fault) => failure.with(Role::Doing, fault),
            None => failure,
        });
    }
}

/// The fault, in words.
fn fault(oracle: &Oracle, position: usize) -> Option<String> {
    let answers = oracle.0.borrow();
    let answer = answers.given.get(position).filter(|answer| answer.index > 0)?;
    let nth = answer.nth + 1;
    Some(format!("with `{}` -> {} the {nth}{} time", answer.question, answer.shown, ending(nth)))
}

/// What an ordinal number ends with.
const fn ending(n: usize) -> &'static str {
    match (n % 10, n % 100 / 10) {
        (_, 1) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask;

    #[test]
    fn every_question_fails_once() {
        let mut seen = Vec::new();
        each_fault(|| {
            let answers = [ask("a", 0..3), ask("b", 0..2), ask("a", 0..3)];
            seen.push(answers);
        });
        assert_eq!(seen, [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 2]]);
    }

    #[test]
    fn ordinals_are_english() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21, 112, 113, 123].map(ending),
            ["st", "nd", "rd", "th", "th", "th", "st", "th", "th", "rd"]
        );
    }

    #[test]
    #[should_panic(expected = "the third write")]
    fn what_fails_under_a_fault_fails() {
        each_fault(|| {
            for n in 0..5 {
                let is_written = ask("write", [true, false]);
                assert!(is_written || n != 2, "the third write");
            }
        });
    }
}
