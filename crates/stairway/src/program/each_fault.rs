//! Programs under each fault: every question that a program asks of its surroundings has each of its answers once.
//!
//! The program is run calmly, and then again for everything that could have gone wrong, each time up to its end:
//! what it does after a fault may be something else than before. Knows operations and the stream only; which
//! faults there are is `oracle/campaign.rs`'s to say.

use super::calls::ContractsChecker;
use super::checker::ModelChecker;
use super::model::Model;
use crate::oracle::campaign;
use crate::program::contract::Contract;
use stairway_engine::{Case, Checked, Operations, Steps, run_program};

/// Of how many programs in a hundred somebody has to ask: otherwise nothing is tried.
const LEAST_ASKING: f64 = 1.0;
/// What that is called in reports.
const ASKING: &str = "programs that ask the oracle";
/// What the questions are called that were tried.
const TABLE: &str = "questions that had another answer";

impl<M: Model> ModelChecker<M> {
    /// Lets everything go wrong once: each program is run calmly, and then once for each other answer of each
    /// question that its operations ask of their [`Oracle`](crate::Oracle). A random oracle seldom reaches a question
    /// that comes late; this reaches up to 1,000 answers in each program. Fails where hardly any program asks.
    ///
    /// ```
    /// use stairway::{ask, prelude::*};
    ///
    /// /// Forgets what it has when the 30th block cannot be written.
    /// #[derive(Debug, Default)]
    /// struct Disk { blocks: Vec<u8> }
    ///
    /// impl Disk {
    ///     fn save(&mut self, value: u8) -> bool {
    ///         let all = (0..40).all(|n| {
    ///             let is_written = ask("write", [true, false]);
    ///             if n == 29 && !is_written { self.blocks.clear(); }
    ///             is_written
    ///         });
    ///         if all { self.blocks.push(value); }
    ///         all
    ///     }
    ///     fn len(&self) -> usize { self.blocks.len() }
    /// }
    ///
    /// #[derive(Debug, Default)]
    /// struct Values(Vec<u8>);
    ///
    /// #[model(system = Disk)]
    /// impl Values {
    ///     #[start] fn new() -> (Values, Disk) { Default::default() }
    ///     #[op] fn save(&mut self, value: u8, oracle: Oracle) -> bool {
    ///         let all = (0..40).all(|_| ask("write", [true, false]));
    ///         if all { self.0.push(value); }
    ///         all
    ///     }
    ///     #[op] fn len(&self) -> usize { self.0.len() }
    /// }
    ///
    /// let report = Values::checker().settings(Settings::new().without_regressions()).cases(5).each_fault().report();
    /// assert!(report.to_string().contains("save(0, Oracle::after(29, [1]))"), "{report}");
    /// ```
    pub fn each_fault(self) -> Self {
        self.run_by(run_each_fault)
    }
}

impl<C: Contract> ContractsChecker<C> {
    /// Lets everything go wrong once: each program is run calmly, and then once for each other answer of each question
    /// that is [asked](crate::ask) during its calls. A random oracle seldom reaches a question that comes late; this
    /// reaches up to 1,000 answers in each program. Fails where hardly any program asks.
    pub fn each_fault(self) -> Self {
        self.with_oracle().run_by(run_each_fault)
    }
}

/// Runs one program once for each fault; a program that is replayed has the faults that its record says.
fn run_each_fault<O: Operations>(operations: &O, steps: Steps, case: &mut Case<'_>) -> Checked {
    if !case.choices().is_by_chance() {
        return run_program(operations, steps, case);
    }
    let mark = case.choices().mark();
    let before = case.observed().clone();
    let (ended, faults) = campaign::during(None, || run_program(operations, steps, case));
    ended?;
    let mut calm = std::mem::replace(case.observed(), before.clone());
    calm.covered.push((ASKING.into(), LEAST_ASKING, !faults.is_empty()));
    for (fault, question) in faults {
        case.choices().rewind(&mark);
        let (ended, _) = campaign::during(Some(fault), || run_program(operations, steps, case));
        match ended {
            // What cannot be gone on with under a fault is nobody's mistake.
            Err(stop) if stop.is_failure() || case.choices().halted().is_some() => return Err(stop),
            _ => {}
        }
        calm.collect(TABLE, question);
        case.observed().clone_from(&before);
    }
    *case.observed() = calm;
    Ok(())
}
