//! The pipeline: generate, execute, judge, shrink, report, in this order and nowhere else.
//!
//! Receives something that can execute a property, settings, and failures stored earlier; hands
//! on a [`Report`]. It knows the order of the phases (examples, stored failures, the simplest
//! case, all cases if they are few, random cases, targets) and no detail of any of them. It does
//! no I/O and reads no clock: [`Hooks`] are told what happens and may say that time is up.

use crate::case::Observed;
use crate::choice::{Choice, Value};
use crate::choices::{FULL_SIZE, Halt, MAX_CHOICES, MAX_DEPTH, Source};
use crate::execute::{Execute, Executed, Plan, Recording};
use crate::exhaust::{self, Exhaustive, Seen};
use crate::judge::{Failure, Verdict};
use crate::prng::Prng;
use crate::report::{Counterexample, Flaky, Found, Outcome, Report, Stale};
use crate::shrink::{self, Limits, Pass, Shrinking, Trial, Workbench};
use crate::statistics::{Decision, Statistics};
use crate::stop::Discard;
use crate::target;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// How to check a property.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where all randomness starts.
    pub seed: u64,
    /// How many cases have to pass.
    pub n_cases: u64,
    /// How many cases may be discarded for each one that has to pass.
    pub max_discards: u32,
    /// Whether every operation of a program must have been done.
    pub demand_all_operations: bool,
    /// Whether every alternative that a specification allows must have happened.
    pub demand_all_alternatives: bool,
    /// How many fixed examples the property has.
    pub n_examples: usize,
    /// How many runs shrinking may take.
    pub max_shrink_runs: u64,
    /// Count through all choices instead of drawing at random.
    pub exhaustive: Option<Exhaustive>,
    /// How many choices a case may draw.
    pub max_choices: usize,
    /// How deep values may nest.
    pub max_depth: u32,
    /// Leave out one pass of shrinking: to see what it is good for.
    pub without_pass: Option<Pass>,
    /// Whether a case can be run again. Without that a failure is reported as it was found.
    pub is_repeatable: bool,
    /// Whether all inputs are tried one after the other where they are fewer than cases.
    pub try_all_of_few: bool,
    /// Whether the report keeps drawn values, notes and steps of a failing case.
    pub keep_details: bool,
    /// How many failures met on the way are kept and shrunk as well.
    pub max_others: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            seed: 0,
            n_cases: 256,
            max_discards: 10,
            demand_all_operations: false,
            demand_all_alternatives: false,
            n_examples: 0,
            max_shrink_runs: 10_000,
            exhaustive: None,
            max_choices: MAX_CHOICES,
            max_depth: MAX_DEPTH,
            without_pass: None,
            is_repeatable: true,
            try_all_of_few: true,
            keep_details: true,
            max_others: MAX_OTHERS,
        }
    }
}

/// A failure stored by an earlier run, to be replayed first.
#[derive(Clone, Debug)]
pub struct Stored<'a> {
    /// The values that were drawn.
    pub values: &'a [Value<'a>],
    /// The size they were drawn with.
    pub size: u32,
}

/// What whoever started the run is told while it goes on.
pub trait Hooks {
    /// Asked before each case: must the run end now?
    fn is_out_of_time(&mut self) -> bool {
        false
    }
    /// A failure was found and is about to be shrunk: the moment to store it.
    fn found(&mut self, _failure: &Failure, _recording: &Recording, _size: u32, _observed: &Observed) {}
    /// Whether [`Hooks::case`] wants drawn values and notes.
    fn wants_details(&self) -> bool {
        false
    }
    /// A case of the search was run.
    fn case(&mut self, _executed: &Executed, _observed: &Observed) {}
}

/// Hooks that do nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoHooks;

impl Hooks for NoHooks {}

/// The memory a run needs. Reserved in full by [`Workspace::reserved`], or growing.
#[derive(Debug)]
pub struct Workspace {
    record: Recording,
    next: Vec<Choice>,
    observed: Observed,
    bench: Workbench,
    /// Room for spans in a record of unknown length; without it that grows with the choices.
    n_spans: Option<usize>,
    /// What is counted from the start.
    statistics: Statistics,
}

/// How many tried records shrinking remembers unless told otherwise.
const N_CACHED: usize = 8192;

impl Default for Workspace {
    fn default() -> Self {
        let mut growing = Workspace::reserved(0, 0, N_CACHED);
        growing.n_spans = None;
        growing
    }
}

impl Workspace {
    /// Memory for records of up to `n_choices` choices and `n_spans` spans, and for `n_cached`
    /// verdicts of shrinking. With [`Settings::max_choices`] at most `n_choices`, a run whose
    /// property and hooks do not allocate allocates nothing until it has something to report.
    #[must_use]
    pub fn reserved(n_choices: usize, n_spans: usize, n_cached: usize) -> Self {
        // Shrinking tries records with more spans than the failing one has.
        let n_spans = shrink::most_spans(n_spans);
        Workspace {
            record: Recording::with_room(n_choices, n_spans),
            next: Vec::with_capacity(n_choices),
            observed: Observed::default(),
            bench: Workbench::with_room(n_choices, n_spans, n_cached),
            n_spans: Some(n_spans),
            statistics: Statistics::default(),
        }
    }

    /// Makes room for counting these operations and coverage demands, so that not even the first
    /// case allocates. A demand that no case states is an open one, and not forgotten.
    #[must_use]
    pub fn counting(mut self, operations: &'static [&'static str], demands: &[(&'static str, f64)]) -> Self {
        self.observed.program.prepare(operations);
        self.observed.covered.reserve_exact(demands.len());
        self.statistics = Statistics::expecting(operations, demands);
        self
    }

    /// How many bytes [`Workspace::reserved`] takes, without what an allocator adds to each of
    /// its [`Workspace::N_RESERVED`] pieces.
    #[must_use]
    pub const fn bytes_reserved(n_choices: usize, n_spans: usize, n_cached: usize) -> usize {
        let n_spans = shrink::most_spans(n_spans);
        let record = Recording::bytes(n_choices, n_spans);
        let next = n_choices * core::mem::size_of::<Choice>();
        record + next + Workbench::bytes(n_choices, n_spans, n_cached)
    }

    /// How many pieces of memory [`Workspace::reserved`] consists of.
    pub const N_RESERVED: usize = 24;
}

/// Checks a property.
pub fn run(
    execute: &mut dyn Execute,
    settings: &Settings,
    stored: &[Stored<'_>],
    hooks: &mut dyn Hooks,
    workspace: &mut Workspace,
) -> Report {
    let mut run = Run {
        execute,
        settings,
        hooks,
        statistics: core::mem::take(&mut workspace.statistics),
        work: workspace,
        others: Vec::new(),
        stale: Vec::new(),
        skipped_examples: Vec::new(),
        n_fixed: 0,
        completed_bound: None,
        completed_depth: None,
        n_steps: None,
    };
    let outcome = match run.phases(stored) {
        ControlFlow::Break(outcome) => outcome,
        ControlFlow::Continue(()) => Outcome::Passed,
    };
    Report {
        seed: settings.seed,
        outcome,
        statistics: run.statistics,
        others: run.others,
        stale: run.stale,
        skipped_examples: run.skipped_examples,
        n_fixed: run.n_fixed,
        completed_bound: run.completed_bound,
        completed_depth: run.completed_depth,
    }
}

/// Either goes on, or ends the run with an outcome.
type Phase = ControlFlow<Outcome>;

/// How many other failures are kept unless told otherwise.
const MAX_OTHERS: usize = 4;
/// Coverage demands may multiply the number of cases by up to this factor.
const COVERAGE_FACTOR: u64 = 64;
/// Up to how many inputs are tried one after the other where cases are drawn at random.
const MAX_FEW: u64 = 1 << 16;
/// How many choices a record of unknown length has room for at first.
const FIRST_ROOM: usize = 256;

struct Run<'r> {
    execute: &'r mut dyn Execute,
    settings: &'r Settings,
    hooks: &'r mut dyn Hooks,
    work: &'r mut Workspace,
    statistics: Statistics,
    others: Vec<Counterexample>,
    stale: Vec<Stale>,
    skipped_examples: Vec<usize>,
    n_fixed: u64,
    completed_bound: Option<u64>,
    completed_depth: Option<u64>,
    /// How many steps programs have at present, where all are counted through.
    n_steps: Option<u64>,
}

impl Run<'_> {
    fn phases(&mut self, stored: &[Stored<'_>]) -> Phase {
        self.examples()?;
        self.stored(stored)?;
        if let Some(Exhaustive { bound, depth }) = self.settings.exhaustive {
            return match depth {
                None => self.exhaustive(bound),
                Some(depth) => self.all_programs(bound, depth),
            };
        }
        if self.settings.n_cases > 0 {
            if self.settings.is_repeatable {
                self.simplest()?;
            }
            self.random()?;
            self.targets()?;
            self.operations()?;
        }
        ControlFlow::Continue(())
    }

    /// Where every operation or alternative was demanded, each must have been done.
    fn operations(&self) -> Phase {
        let mut unmet = Vec::new();
        if self.settings.demand_all_operations {
            let missing = self.statistics.program.never_done();
            unmet.extend(missing.iter().map(|name| alloc::format!("the operation `{name}`")));
        }
        if self.settings.demand_all_alternatives {
            let missing = self.statistics.never_taken();
            unmet.extend(missing.map(|(name, _)| alloc::format!("the alternative `{name}`")));
        }
        if unmet.is_empty() {
            return ControlFlow::Continue(());
        }
        ControlFlow::Break(Outcome::CoverageNotMet { unmet })
    }

    const fn plan<'a>(&self, source: Source<'a>, size: u32) -> Plan<'a> {
        let mut plan = Plan::new(source, size, self.settings.max_choices);
        plan.max_depth = self.settings.max_depth;
        plan.n_steps = self.n_steps;
        plan
    }

    fn examples(&mut self) -> Phase {
        for index in 0..self.settings.n_examples {
            let mut plan = self.plan(Source::Bytes(&[]), 0).detailed();
            plan.example = Some(index);
            self.work.observed.clear();
            let executed = self.execute.execute(&plan, None, &mut self.work.observed);
            if let Verdict::Failed(failure) = executed.verdict {
                return ControlFlow::Break(Outcome::Falsified(Box::new(Counterexample {
                    failure,
                    recording: Recording::default(),
                    size: 0,
                    observed: self.work.observed.clone(),
                    found: Found::Example(index),
                    shrinking: Shrinking::default(),
                })));
            }
            if !matches!(executed.verdict, Verdict::Passed) {
                self.skipped_examples.push(index);
            }
        }
        ControlFlow::Continue(())
    }

    fn stored(&mut self, stored: &[Stored<'_>]) -> Phase {
        for (index, case) in stored.iter().enumerate() {
            let plan = self.plan(Source::Script(case.values), case.size);
            self.work.observed.clear();
            let executed = self.execute.execute(&plan, None, &mut self.work.observed);
            match &executed.verdict {
                Verdict::Halted(Halt::Mismatch { at }) => {
                    self.stale.push(Stale { stored: index, at: *at });
                }
                Verdict::Failed(failure) => {
                    let failure = failure.clone();
                    return self.falsified(failure, &plan, &executed, Found::Stored(index));
                }
                Verdict::Passed if executed.used_up => self.n_fixed += 1,
                // A case that is discarded today does not hold either.
                _ => self.stale.push(Stale { stored: index, at: executed.n_choices as u32 }),
            }
        }
        // The search begins as if there had been none.
        if !stored.is_empty() {
            self.execute.refresh();
        }
        ControlFlow::Continue(())
    }

    /// Runs the case in which every choice is the simplest; if it suggests that there are no
    /// more inputs than cases, counts through all of them.
    fn simplest(&mut self) -> Phase {
        let bound = self.settings.n_cases;
        let plan = self.plan(Source::Replay { choices: &[], spans: None, bound }, 0);
        let mut record = core::mem::take(&mut self.work.record);
        let executed = self.recorded(&plan, &mut record, FIRST_ROOM);
        let n_inputs = exhaust::product(&record.choices);
        self.work.record = record;
        self.judge(&plan, Found::Case(0), &executed)?;
        if self.settings.try_all_of_few && n_inputs <= self.few() {
            return self.all_of_few();
        }
        ControlFlow::Continue(())
    }

    /// Up to how many inputs are all tried: no more than cases, however many these are.
    fn few(&self) -> u64 {
        self.settings.n_cases.min(MAX_FEW)
    }

    fn all_of_few(&mut self) -> Phase {
        let before = core::mem::take(&mut self.statistics);
        let few = self.few();
        let all = self.enumerate(few, 0, few)?;
        if all.complete && !all.clipped {
            return ControlFlow::Break(self.tried_all(all, few));
        }
        // The first of many cases say little about the distribution.
        self.statistics = before;
        ControlFlow::Continue(())
    }

    fn exhaustive(&mut self, bound: u64) -> Phase {
        let mut all = Enumerated::default();
        for bound in 0..=bound {
            self.statistics = Statistics::default();
            all = self.enumerate(bound, bound.min(u64::from(FULL_SIZE)) as u32, u64::MAX)?;
            if !all.complete {
                return ControlFlow::Continue(());
            }
            self.completed_bound = Some(bound);
            if !all.clipped {
                break;
            }
        }
        ControlFlow::Break(self.tried_all(all, bound))
    }

    /// Every program of no steps, of one, of two, and so on.
    fn all_programs(&mut self, bound: u64, depth: u64) -> Phase {
        let (mut all, mut n_pruned) = (Enumerated::default(), 0);
        for n_steps in 0..=depth {
            self.n_steps = Some(n_steps);
            self.statistics = Statistics::default();
            self.work.observed.seen = Some(Seen::default());
            let found = self.enumerate(bound, bound.min(u64::from(FULL_SIZE)) as u32, u64::MAX);
            n_pruned = self.work.observed.seen.take().map_or(0, |seen| seen.n_pruned);
            all = found?;
            if !all.complete {
                return ControlFlow::Continue(());
            }
            self.completed_depth = Some(n_steps);
        }
        ControlFlow::Break(match self.tried_all(all, bound) {
            Outcome::Completed { n_inputs, .. } | Outcome::Proved { n_inputs } => {
                let bound = all.clipped.then_some(bound);
                Outcome::Explored { depth, bound, n_programs: n_inputs, n_pruned }
            }
            other => other,
        })
    }

    /// The outcome when no case up to `bound` has failed. Without a single case that met the
    /// preconditions, or with a demand that no input there is can meet, that is no success.
    fn tried_all(&self, all: Enumerated, bound: u64) -> Outcome {
        let Enumerated { n_inputs, clipped, .. } = all;
        let unmet = self.statistics.never_covered();
        if self.statistics.n_passed == 0 {
            Outcome::GaveUp
        } else if let ControlFlow::Break(outcome) = self.operations() {
            outcome
        } else if clipped {
            Outcome::Completed { bound, n_inputs }
        } else if !unmet.is_empty() {
            Outcome::CoverageNotMet { unmet }
        } else {
            Outcome::Proved { n_inputs }
        }
    }

    /// Runs every case up to `bound`, or `most` of them.
    fn enumerate(&mut self, bound: u64, size: u32, most: u64) -> ControlFlow<Outcome, Enumerated> {
        let mut path = core::mem::take(&mut self.work.next);
        let mut record = core::mem::take(&mut self.work.record);
        path.clear();
        let mut all = Enumerated::default();
        let result = loop {
            if all.n_inputs >= most || self.hooks.is_out_of_time() {
                break ControlFlow::Continue(());
            }
            let plan = self.plan(Source::Replay { choices: &path, spans: None, bound }, size);
            let executed = self.recorded(&plan, &mut record, FIRST_ROOM);
            all.n_inputs += 1;
            // A case cut off by the limits has not been tried.
            let is_cut = matches!(executed.verdict, Verdict::Discarded(Discard::Overrun));
            all.clipped |= executed.clipped || is_cut;
            if let ControlFlow::Break(outcome) = self.judge(&plan, Found::Case(all.n_inputs - 1), &executed) {
                break ControlFlow::Break(outcome);
            }
            if exhaust::product(&record.choices) > most || exhaust::programs(&record) > most {
                break ControlFlow::Continue(()); // there are more than `most` after all
            }
            if !exhaust::advance(&record, bound, self.n_steps.is_some(), &mut path) {
                all.complete = true;
                break ControlFlow::Continue(());
            }
        };
        self.work.next = path;
        self.work.record = record;
        result?;
        ControlFlow::Continue(all)
    }

    /// Counts a case of the search and goes after it if it failed.
    fn judge(&mut self, plan: &Plan<'_>, found: Found, executed: &Executed) -> Phase {
        self.hooks.case(executed, &self.work.observed);
        match &executed.verdict {
            Verdict::Passed => self.statistics.passed(found, &mut self.work.observed),
            Verdict::Discarded(why) => self.statistics.discarded(*why),
            Verdict::Halted(halt) => {
                return ControlFlow::Break(halted(*halt, &self.work.observed));
            }
            Verdict::Failed(failure) => {
                let failure = failure.clone();
                return self.falsified(failure, plan, executed, found);
            }
        }
        ControlFlow::Continue(())
    }

    /// Draws random cases until enough have passed and the coverage demands are decided.
    fn random(&mut self) -> Phase {
        let (mut from, mut wanted) = (1, self.settings.n_cases);
        loop {
            from = self.random_cases(from, wanted)?;
            let out_of_time = self.statistics.n_passed < wanted;
            match self.statistics.coverage() {
                _ if self.statistics.n_passed == 0 => return ControlFlow::Break(Outcome::GaveUp),
                Decision::NotMet => {
                    let unmet = self.statistics.unmet();
                    return ControlFlow::Break(Outcome::CoverageNotMet { unmet });
                }
                Decision::Met => return ControlFlow::Continue(()),
                Decision::Open if out_of_time => return ControlFlow::Continue(()),
                Decision::Open if wanted >= COVERAGE_FACTOR.saturating_mul(self.settings.n_cases) => {
                    return ControlFlow::Continue(());
                }
                Decision::Open => wanted = wanted.saturating_mul(2),
            }
        }
    }

    /// Runs random cases from number `from` on until `wanted` have passed; gives the next number.
    fn random_cases(&mut self, from: u64, wanted: u64) -> ControlFlow<Outcome, u64> {
        let Settings { seed, n_cases, max_discards, max_choices, max_depth, .. } = *self.settings;
        let max_discarded = u64::from(max_discards).saturating_mul(wanted);
        let detailed = self.hooks.wants_details();
        let plan = move |index: u64| {
            let source = Source::Random(Prng::for_case(seed, index));
            let mut plan = Plan::new(source, size_of(index, n_cases), max_choices);
            plan.max_depth = max_depth;
            plan.detailed = detailed;
            plan
        };
        let mut observed = core::mem::take(&mut self.work.observed);
        let (mut next, mut failed, mut ended) = (from, None, ControlFlow::Continue(()));
        let (statistics, hooks) = (&mut self.statistics, &mut *self.hooks);
        if statistics.n_passed >= wanted {
            self.work.observed = observed;
            return ControlFlow::Continue(next);
        }
        let mut sink = |index: u64, executed: &Executed, observed: &mut Observed| {
            next = index + 1;
            hooks.case(executed, observed);
            match &executed.verdict {
                Verdict::Passed => statistics.passed(Found::Case(index), observed),
                Verdict::Discarded(why) => statistics.discarded(*why),
                Verdict::Halted(halt) => ended = ControlFlow::Break(halted(*halt, observed)),
                Verdict::Failed(failure) => failed = Some((index, failure.clone(), executed.clone())),
            }
            if statistics.n_discarded > max_discarded {
                ended = ControlFlow::Break(Outcome::GaveUp);
            }
            let enough = statistics.n_passed >= wanted || hooks.is_out_of_time();
            if enough || failed.is_some() || ended.is_break() {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        self.execute.execute_all(from, u64::MAX, &plan, &mut observed, &mut sink);
        self.work.observed = observed;
        if let Some((index, failure, executed)) = failed {
            self.falsified(failure, &plan(index), &executed, Found::Case(index))?;
        }
        ended?;
        ControlFlow::Continue(next)
    }

    /// Looks at a case of a climb. It is made to score, so it says nothing about the distribution.
    fn climbed(&mut self, plan: &Plan<'_>, executed: &Executed) -> Phase {
        self.hooks.case(executed, &self.work.observed);
        match &executed.verdict {
            Verdict::Passed => self.statistics.scored(Found::Target, &mut self.work.observed),
            Verdict::Discarded(_) => {}
            Verdict::Halted(halt) => return ControlFlow::Break(halted(*halt, &self.work.observed)),
            Verdict::Failed(failure) => {
                let failure = failure.clone();
                return self.falsified(failure, plan, executed, Found::Target);
            }
        }
        ControlFlow::Continue(())
    }

    /// Climbs towards larger scores, where the property named some.
    fn targets(&mut self) -> Phase {
        let scores: Vec<_> = self.statistics.scores.iter().map(|(n, b)| (n.clone(), *b)).collect();
        for (name, best) in scores {
            let Found::Case(index) = best.found else { continue };
            let (source, size) = match index {
                0 => (Source::Replay { choices: &[], spans: None, bound: u64::MAX }, 0),
                _ => {
                    let prng = Prng::for_case(self.settings.seed, index);
                    (Source::Random(prng), size_of(index, self.settings.n_cases))
                }
            };
            let plan = self.plan(source, size);
            let mut climb = target::Climb::new(best.score, self.settings.n_cases);
            let mut record = Recording::default();
            self.recorded(&plan, &mut record, FIRST_ROOM);
            while let Some(Recording { choices, spans }) = climb.propose(&record) {
                if self.hooks.is_out_of_time() {
                    break;
                }
                let source = Source::Replay { choices: &choices, spans: Some(&spans), bound: u64::MAX };
                let plan = self.plan(source, size);
                self.work.observed.clear();
                let executed = self.execute.execute(&plan, None, &mut self.work.observed);
                let score = self.work.observed.scores.iter().find(|(n, _)| *n == name).map(|s| s.1);
                self.climbed(&plan, &executed)?;
                if climb.learn(score) {
                    self.recorded(&plan, &mut record, FIRST_ROOM);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Runs a case of unknown length, keeping its record. A record that turns out too small is
    /// doubled and the case run again.
    fn recorded(&mut self, plan: &Plan<'_>, recording: &mut Recording, room: usize) -> Executed {
        let room = recording.choices.capacity().max(room);
        let mut room = room.min(self.settings.max_choices);
        loop {
            let n_spans = self.work.n_spans.unwrap_or(room.max(recording.spans.capacity()));
            recording.make_room(room, n_spans);
            let mut limited = *plan;
            limited.max_choices = room.min(plan.max_choices);
            limited.detailed |= self.hooks.wants_details();
            limited.detailed &= self.settings.keep_details;
            self.work.observed.clear();
            let executed = self.execute.execute(&limited, Some(recording), &mut self.work.observed);
            let is_cut = matches!(executed.verdict, Verdict::Discarded(Discard::Overrun));
            if !is_cut || room >= plan.max_choices {
                return executed;
            }
            room = (room * 2).max(FIRST_ROOM);
        }
    }

    /// A case failed: record it, have it stored, make it small, and report it.
    fn falsified(&mut self, failure: Failure, plan: &Plan<'_>, first: &Executed, found: Found) -> Phase {
        self.work.observed.seen = None;
        self.n_steps = None;
        if !self.settings.is_repeatable {
            return ControlFlow::Break(self.as_found(failure, plan.size, found));
        }
        let mut recording = core::mem::take(&mut self.work.record);
        // The second run draws exactly what the first one drew, or the property is flaky. How
        // much that was is unknown if the first one took its process down.
        let is_known = first.n_choices != Executed::UNKNOWN;
        let room = if is_known { first.n_choices.max(first.n_spans) } else { FIRST_ROOM };
        let mut again = self.recorded(&plan.detailed(), &mut recording, room);
        if is_known && again.n_choices != first.n_choices {
            again.verdict = Verdict::Halted(Halt::Mismatch { at: again.n_choices as u32 });
        }
        if let Some(flaky) = self.flaky(&failure, &again.verdict, &recording, plan, found) {
            self.work.record = recording;
            return ControlFlow::Break(flaky);
        }
        self.hooks.found(&failure, &recording, plan.size, &self.work.observed);
        let mut others = Vec::new();
        let shrinking = self.shrink(&failure, &mut recording, plan.size, &mut others);
        let outcome = self.confirmed(&failure, &recording, plan.size, found, shrinking);
        self.work.record = recording;
        for (failure, mut recording) in others {
            let shrinking = self.shrink(&failure, &mut recording, plan.size, &mut Vec::new());
            let other = self.confirmed(&failure, &recording, plan.size, Found::Shrinking, shrinking);
            if let Outcome::Falsified(counterexample) = other {
                self.others.push(*counterexample);
            }
        }
        ControlFlow::Break(outcome)
    }

    /// The outcome where a failing case cannot be run again: there is no record of it.
    fn as_found(&self, failure: Failure, size: u32, found: Found) -> Outcome {
        Outcome::Falsified(Box::new(Counterexample {
            failure,
            recording: Recording::default(),
            size,
            observed: self.work.observed.clone(),
            found,
            shrinking: Shrinking::default(),
        }))
    }

    /// The outcome if a second run did not end as the first one did.
    fn flaky(
        &mut self,
        failure: &Failure,
        verdict: &Verdict,
        recording: &Recording,
        plan: &Plan<'_>,
        found: Found,
    ) -> Option<Outcome> {
        let then = match verdict {
            Verdict::Failed(again) if again.identity == failure.identity => return None,
            Verdict::Failed(again) => alloc::format!("it failed otherwise: {}", again.message),
            Verdict::Passed => "the property held".to_string(),
            Verdict::Discarded(why) => alloc::format!("the case was discarded: {why}"),
            Verdict::Halted(_) => "different choices were drawn".to_string(),
        };
        let observed = self.work.observed.clone();
        Some(Outcome::Flaky(Box::new(Flaky {
            failure: failure.clone(),
            then,
            recording: recording.clone(),
            size: plan.size,
            observed,
            failing: self.failing_again(failure, plan),
            found,
        })))
    }

    /// What a run shows that fails as the first one did. The first one was not recorded; what is
    /// flaky often fails again before long.
    fn failing_again(&mut self, failure: &Failure, plan: &Plan<'_>) -> Option<Observed> {
        const MAX_TRIALS: usize = 16;
        (0..MAX_TRIALS).find_map(|_| {
            self.work.observed.clear();
            let mut plan = *plan;
            plan.detailed = self.settings.keep_details;
            let executed = self.execute.execute(&plan, None, &mut self.work.observed);
            let is_same = executed.verdict.failure().is_some_and(|again| again.identity == failure.identity);
            is_same.then(|| self.work.observed.clone())
        })
    }

    fn shrink(
        &mut self,
        failure: &Failure,
        recording: &mut Recording,
        size: u32,
        others: &mut Vec<(Failure, Recording)>,
    ) -> Shrinking {
        let Settings { max_shrink_runs: max_runs, max_choices, max_depth, without_pass: skip, .. } =
            *self.settings;
        let max_others = self.settings.max_others;
        let (execute, observed, hooks) = (&mut *self.execute, &mut self.work.observed, &mut *self.hooks);
        let mut trial = |source: Source<'_>, scratch: &mut Recording| {
            if hooks.is_out_of_time() {
                return Trial::OutOfTime;
            }
            let mut plan = Plan::new(source, size, scratch.choices.len());
            plan.max_depth = max_depth;
            observed.clear();
            match execute.execute(&plan, Some(scratch), observed).verdict {
                Verdict::Failed(other) if other.identity == failure.identity => Trial::SameFailure,
                Verdict::Failed(other) => {
                    keep_other(others, other, scratch, max_others);
                    Trial::Other
                }
                _ => Trial::Other,
            }
        };
        let limits = Limits { max_runs, max_choices, skip };
        shrink::shrink(recording, limits, &mut self.work.bench, &mut trial)
    }

    /// Runs the smallest case once more, to show it and to make sure.
    fn confirmed(
        &mut self,
        failure: &Failure,
        recording: &Recording,
        size: u32,
        found: Found,
        shrinking: Shrinking,
    ) -> Outcome {
        let source = Source::Replay { choices: &recording.choices, spans: None, bound: u64::MAX };
        let mut plan = self.plan(source, size);
        plan.detailed = self.settings.keep_details;
        self.work.observed.clear();
        self.execute.refresh();
        let executed = self.execute.execute(&plan, None, &mut self.work.observed);
        if let Some(flaky) = self.flaky(failure, &executed.verdict, recording, &plan, found) {
            return flaky;
        }
        let Verdict::Failed(failure) = executed.verdict else { return Outcome::Passed };
        let (recording, observed) = (recording.clone(), self.work.observed.clone());
        Outcome::Falsified(Box::new(Counterexample { failure, recording, size, observed, found, shrinking }))
    }
}

/// What counting through cases came to.
#[derive(Clone, Copy, Debug, Default)]
struct Enumerated {
    n_inputs: u64,
    complete: bool,
    clipped: bool,
}

/// Keeps the simplest record of each other failure met while shrinking.
fn keep_other(
    others: &mut Vec<(Failure, Recording)>,
    failure: Failure,
    recording: &Recording,
    max_others: usize,
) {
    let known = others.iter().position(|(known, _)| known.identity == failure.identity);
    match known {
        Some(known) if shrink::is_simpler(&recording.choices, &others[known].1.choices) => {
            others[known].1.clone_from(recording);
        }
        None if others.len() < max_others => others.push((failure, recording.clone())),
        _ => {}
    }
}

/// The size of case number `index`: from small to full within the run, and again every 100 cases.
fn size_of(index: u64, n_cases: u64) -> u32 {
    let full = u64::from(FULL_SIZE);
    if n_cases >= full {
        (index % (full + 1)) as u32
    } else {
        (index * full / n_cases.max(1)).min(full) as u32
    }
}

fn halted(halt: Halt, observed: &Observed) -> Outcome {
    match halt {
        Halt::Fault(fault) => Outcome::GeneratorFailed { fault, at: observed.fault_at.clone() },
        Halt::Overrun | Halt::Mismatch { .. } => Outcome::GaveUp,
    }
}
