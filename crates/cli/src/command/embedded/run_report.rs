//! The frames of one run, put together: a report as the engine would have made it here, or what is wrong with
//! what the program gave.
//!
//! Frames come one after the other; what was found, and how small it was made, was decided on the board.
//! Words are the report's.

use super::c_test::{self, Sequence};
use super::frame::Frame;
use stairway::engine::{
    Budget, Coverage, Decision, Discard, Lengths, Limit, Observations, ProgramCounts, Recording, Report,
    ShownStep, ShrinkSummary, Statistics, Table, Verdict,
};
use stairway::report::{
    BoardFacts, BoardFault, BoardRun, CaseOrigin, Counterexample, Failure, FailureKind, FlakyCase, Outcome,
    ReachCounts, Site, UnmetDemand, words,
};

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) n_tests: u64,
    /// Runs that shrinking took so far, if something has failed.
    pub(crate) n_runs: Option<u64>,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) enum BoardRunEnd {
    Report(Box<stairway::Report>),
    /// The program gave the library something that is wrong.
    Mistake(String),
}

/// A property of the program.
#[derive(Clone, Debug)]
struct Property {
    set: String,
    name: &'static str,
}

/// A failure, as it came.
#[derive(Clone, Debug)]
struct BoardFailure {
    test: u64,
    fault: BoardFault,
    property: String,
    place: Option<Site>,
    message: String,
}

/// One run, while it comes in.
#[derive(Debug, Default)]
pub(crate) struct IncomingRun {
    image: String,
    seed: u64,
    n_tests_wanted: u64,
    properties: Vec<Property>,
    pub(crate) progress: Progress,
    failed: Option<BoardFailure>,
    flaky: Option<(BoardFailure, bool)>,
    others: Vec<BoardFailure>,
    steps: Vec<ShownStep>,
    sequence: Sequence,
    /// What the failing check said.
    said: String,
    shrinking: Option<ShrinkSummary>,
    crash: (u64, u64),
    counts: ProgramCounts,
    statistics: Statistics,
    explored: Option<Outcome>,
    facts: BoardFacts,
    mistake: Option<String>,
}

/// Text that lives as long as the program: the engine names operations so, and there are as many as the
/// program on the board has.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// A share that is sent in millionths.
fn share(millionths: u64) -> f64 {
    millionths as f64 / 1e6
}

impl IncomingRun {
    /// A run of this image.
    pub(crate) fn new(image: &str) -> Self {
        IncomingRun { image: image.to_string(), ..IncomingRun::default() }
    }

    /// Takes in a frame; the last one of a run ends it.
    pub(crate) fn take(&mut self, frame: &Frame) -> Option<BoardRunEnd> {
        match &*frame.kind {
            "start" => self.start(frame),
            "property" => self.property(frame),
            "tests" => self.progress.n_tests = frame.number(0),
            "shrinking" => self.progress.n_runs = Some(frame.number(0)),
            "failed" => self.failed = Some(self.failed(frame.number(0), frame, 1)),
            "flaky" => self.flaky = Some((self.failed(frame.number(0), frame, 2), frame.is(1))),
            "other" => self.others.push(self.failed(0, frame, 0)),
            "step" | "drew" | "named" | "argument" | "changed" | "note" | "said" | "state" | "refused"
            | "text" => {
                self.step(frame);
            }
            "shrunk" => self.shrunk(frame),
            "explored" => self.explored(frame),
            "counts" => self.counted(frame),
            "measured" => self.measured(frame),
            "demand" => self.demand(frame),
            "reached" => self.reached(frame),
            "wrong" => self.wrong(frame),
            "memory" => self.memory(frame),
            "end" => return Some(self.end(frame)),
            // A later library may say more.
            _ => {}
        }
        None
    }

    fn start(&mut self, frame: &Frame) {
        *self = IncomingRun::new(&self.image);
        self.seed = frame.number(1);
        self.n_tests_wanted = frame.number(2);
        self.facts = BoardFacts {
            native_bits: frame.is(4).then(|| frame.number(3)),
            is_unrepeatable: !frame.is(5),
            lacks_shrinking: frame.is(6),
            lacks_statistics: frame.is(7),
            ..BoardFacts::default()
        };
    }

    fn property(&mut self, frame: &Frame) {
        let (set, name) = (frame.text(0), frame.text(1));
        self.properties.push(Property { set, name: kept(name) });
    }

    /// The name of a property by number, with its set where there are several.
    fn name(&self, op: usize) -> String {
        let Some(property) = self.properties.get(op) else { return format!("property {op}") };
        let has_sets = self.properties.iter().any(|other| other.set != property.set);
        if has_sets { format!("{}: {}", property.set, property.name) } else { property.name.to_string() }
    }

    /// A failure whose fields begin at `at`.
    fn failed(&self, test: u64, frame: &Frame, at: usize) -> BoardFailure {
        const FAULTS: [BoardFault; 6] = [
            BoardFault::Condition,
            BoardFault::Unexplained,
            BoardFault::Hang,
            BoardFault::Crash,
            BoardFault::Stuck,
            BoardFault::Endless,
        ];
        let fault = FAULTS.get(frame.number(at) as usize).copied().unwrap_or(BoardFault::Unexplained);
        let property = (frame.number(at + 1) as usize).checked_sub(1).map(|op| self.name(op));
        let (file, line) = (frame.text(at + 2), frame.number(at + 3) as u32);
        let place = (!file.is_empty()).then(|| Site { file: file.into(), line, column: 0 });
        BoardFailure {
            test,
            fault,
            property: property.unwrap_or_default(),
            place,
            message: frame.text(at + 4),
        }
    }

    /// What belongs to the step at hand, or begins one.
    fn step(&mut self, frame: &Frame) {
        if frame.kind == "step" {
            let (op, ordinal) = (frame.number(0) as usize, frame.number(1) as u32);
            let name = kept(self.name(op));
            self.steps.push(ShownStep { name, ordinal, ..ShownStep::default() });
            if let Some(property) = self.properties.get(op) {
                self.sequence.begin(&property.set, property.name, ordinal);
            }
            return;
        }
        let Some(step) = self.steps.last_mut() else { return };
        match &*frame.kind {
            "drew" => self.sequence.drew(frame.number(0)),
            "named" => self.sequence.named(frame.number(0) as u32),
            "refused" => self.sequence.refused(),
            "argument" => step.arguments.push((kept(frame.text(0)), frame.text(1))),
            "changed" => {
                let (name, value) = (frame.text(0), frame.text(1));
                let is_new = step.arguments.iter().all(|(known, before)| *known != name || *before != value);
                if is_new {
                    step.notes.push(format!("the body made {name} = {value}"));
                }
            }
            "state" => step.system = frame.text(0),
            "said" => self.said = frame.text(0),
            // Notes of the body, and what printers write outside of values.
            _ => step.notes.push(frame.text(0).trim().to_string()),
        }
    }

    fn shrunk(&mut self, frame: &Frame) {
        let (n_runs, is_minimal, are_steps_needed) = (frame.number(0), frame.is(1), frame.is(2));
        let cut_by = (!is_minimal && n_runs > 0).then_some(Limit::Budget);
        self.shrinking =
            Some(ShrinkSummary { n_runs, is_minimal, cut_by, are_steps_needed, ..ShrinkSummary::default() });
        self.crash = (frame.number(3), frame.number(4));
    }

    fn explored(&mut self, frame: &Frame) {
        self.explored = Some(Outcome::Explored {
            depth: frame.number(0),
            n_programs: frame.number(1),
            n_pruned: frame.number(2),
            bound: frame.number(3).checked_sub(1),
        });
    }

    fn counted(&mut self, frame: &Frame) {
        self.counts.n_done.push(frame.number(1));
        self.counts.n_first.push(frame.number(2));
        self.counts.n_refused.push(frame.number(3));
        self.counts.n_impossible.push(frame.number(4));
        self.counts.follow.extend(frame.numbers(5));
    }

    /// A statistic of the user's: values and how often they came up.
    fn measured(&mut self, frame: &Frame) {
        let rows = frame.numbers(3);
        let rows = rows.chunks_exact(2).map(|row| (row[0].cast_signed().to_string(), row[1]));
        let table = Table { rows: rows.collect(), n_other: frame.number(2) };
        self.statistics.tables.insert(format!("{} after {}", frame.text(1), frame.text(0)).into(), table);
    }

    fn demand(&mut self, frame: &Frame) {
        let (percent, n_hits, n) = (share(frame.number(1)), frame.number(2), frame.number(3));
        self.statistics.demands.insert(frame.text(0).into(), Coverage { percent, n_hits, n });
    }

    fn reached(&mut self, frame: &Frame) {
        self.facts.reached = Some(ReachCounts {
            n_states: frame.number(0),
            n_transitions: frame.number(1),
            is_table_full: frame.is(2),
            new_state_chance: share(frame.number(3)),
            new_transition_chance: share(frame.number(4)),
        });
    }

    fn wrong(&mut self, frame: &Frame) {
        let (code, what, whose) = (frame.text(0), frame.text(1), frame.text(2));
        let whose = if whose.is_empty() { String::new() } else { format!(" (`{whose}`)") };
        self.mistake = Some(format!("{code}: {what}{whose}"));
    }

    fn memory(&mut self, frame: &Frame) {
        let (has, needed) = (frame.number(0), frame.number(1));
        let mistake = self.mistake.get_or_insert_default();
        mistake.push_str(&format!("\nit has {has} bytes and {needed} are needed"));
    }

    /// The run is over.
    fn end(&mut self, frame: &Frame) -> BoardRunEnd {
        let run = std::mem::replace(self, IncomingRun::new(&self.image));
        match run.mistake {
            Some(mistake) => BoardRunEnd::Mistake(mistake),
            None => BoardRunEnd::Report(Box::new(run.report(frame))),
        }
    }

    /// What was found, as the engine says it.
    fn report(mut self, end: &Frame) -> stairway::Report {
        self.statistics.n_passed = end.number(1);
        self.statistics.n_discarded = end.number(2);
        // On a board an assumption ends a property; a whole test is thrown away for one reason only.
        self.statistics.discards.insert(Discard::Overrun, end.number(2));
        if !self.counts.n_done.is_empty() {
            let names = (0..self.properties.len()).map(|op| kept(self.name(op)));
            self.counts.names = Box::leak(names.collect());
            self.statistics.program = std::mem::take(&mut self.counts);
        }
        self.facts.n_short = end.number(4);
        let test = self.failed.as_ref().map(|failed| {
            let failure = self.failure(failed);
            c_test::of(&self.image, &words::message(&failure), &self.sequence, &self.steps)
        });
        let outcome = self.outcome(&end.text(0));
        if matches!(outcome, Outcome::Passed) {
            self.facts.most_failing = Some(share(end.number(3)));
        }
        let others = self.others.iter().map(|other| self.counterexample(other, false));
        let result = Report {
            seed: self.seed,
            outcome,
            others: others.collect(),
            statistics: std::mem::take(&mut self.statistics),
            n_unshown: 0,
            stale: Vec::new(),
            skipped_examples: Vec::new(),
            n_fixed: 0,
            completed_bound: None,
            completed_depth: None,
            lengths: Lengths::NONE,
            spent: Budget::NONE,
            stopped_by: None,
        };
        let (name, n_tests_wanted) = (self.image, self.n_tests_wanted);
        BoardRun { name, n_tests_wanted, result, test, facts: self.facts }.into()
    }

    fn outcome(&self, result: &str) -> Outcome {
        match (result, &self.failed, &self.flaky) {
            ("SW_FAILED", Some(failed), _) => Outcome::Falsified(Box::new(self.counterexample(failed, true))),
            ("SW_FLAKY", _, Some((failed, has_passed))) => {
                Outcome::Flaky(Box::new(self.flaky(failed, *has_passed)))
            }
            ("SW_UNCOVERED", ..) => Outcome::CoverageNotMet { unmet: self.unmet() },
            ("SW_PASSED", ..) => self.explored.clone().unwrap_or(Outcome::Passed),
            _ => Outcome::GaveUp,
        }
    }

    fn unmet(&self) -> Vec<UnmetDemand> {
        let demands = self.statistics.demands.iter();
        let demands = demands.filter(|(_, demand)| demand.decide() == Decision::NotMet);
        let never = self.statistics.program.never_done().into_iter();
        let never = never.map(|name| UnmetDemand::Operation(name.into()));
        demands.map(|(name, _)| UnmetDemand::Coverage(name.clone())).chain(never).collect()
    }

    fn failure(&self, failed: &BoardFailure) -> Failure {
        let said = match (failed.fault, &*self.said) {
            (BoardFault::Crash, _) if self.crash.0 != 0 => {
                format!("{} at address {:#x}", failed.message, self.crash.1)
            }
            (BoardFault::Condition, said) if !said.is_empty() => said.to_string(),
            _ => failed.message.clone(),
        };
        failed.fault.failure(&failed.property, &said, failed.place.clone())
    }

    /// A failure with its steps, if they are its own.
    fn counterexample(&self, failed: &BoardFailure, has_steps: bool) -> Counterexample {
        let mut observed = Observations::default();
        let (failure, origin) = if has_steps {
            observed.steps = self.steps.clone();
            (self.failure(failed), CaseOrigin::Case(failed.test))
        } else {
            let BoardFailure { fault, property, place, message, .. } = failed;
            (fault.failure(property, message, place.clone()), CaseOrigin::Shrinking)
        };
        let shrinking = self.shrinking.clone().unwrap_or_default();
        Counterexample {
            failure,
            recording: Recording::default(),
            size: 0,
            observed,
            origin,
            shrinking,
            is_of_group: false,
            unshown: None,
        }
    }

    fn flaky(&self, failed: &BoardFailure, has_passed: bool) -> FlakyCase {
        let otherwise = || {
            let mut failure = Failure::new(FailureKind::Named("".into()));
            failure.text = "at another place".to_string();
            Verdict::Failed(failure)
        };
        FlakyCase {
            failure: self.failure(failed),
            then: if has_passed { Verdict::Passed } else { otherwise() },
            recording: Recording::default(),
            size: 0,
            observed: Observations::default(),
            failing: None,
            origin: CaseOrigin::Case(failed.test),
        }
    }
}
