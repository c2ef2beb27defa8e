//! The pipeline: generate, execute, judge, shrink, report, in this order and nowhere else.
//!
//! Runs something that can execute a property, with settings and failures stored earlier, and returns a
//! [`Report`]. It knows the order of the phases (examples, stored failures, the simplest case, all cases if
//! they are few, random cases, targets) and no detail of any of them. It does no I/O and reads no clock:
//! [`Hooks`] are told what happens and may say that time is up.

mod every;
mod failing_case;
mod group;
#[cfg(feature = "observations")]
mod plain;
mod rounds;
mod tally;

use crate::budget::Budget;
use crate::execute::{Detail, Execute, Execution, Plan, Plans, Recording, Round};
use crate::exhaust::{self, Exhaustive, VisitedStates};
use crate::failure::Failure;
use crate::judge::Verdict;
use crate::observations::Observations;
use crate::report::{CaseOrigin, Counterexample, Outcome, Report, StaleFailure, UnmetDemand};
use crate::shrink::{self, Pass, ShrinkSummary, Workbench};
use crate::statistics::{Decision, Statistics};
use crate::stop::Discard;
use crate::target;
use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::ops::ControlFlow;
use failing_case::PendingFailures;
#[cfg(feature = "observations")]
pub use plain::{PLAIN_SIZE, SEEDED_SIZE};
use rounds::Feedback;
use stairway_choice::{Choice, FULL_SIZE, Halt, Lengths, MAX_CHOICES, MAX_DEPTH, Source, Value};
use tally::{CaseEffect, Tally, limit_of};

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
    /// How often, at the end of shrinking, a program is tried with a step less and other numbers: for cases that
    /// cost little.
    pub n_shuffles: u64,
    /// How much the search may take: it ends with the case that reaches it.
    pub budget: Budget,
    /// How much shrinking may take, of all failures together.
    pub shrink_budget: Budget,
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
    /// Whether the search learns from its cases: keeps and varies those that show a
    /// [feature](crate::Case::feature) for the first time, and asks operations less that fail again and again
    /// as they did before.
    pub learns: bool,
    /// Ends the search when nothing new was seen for as many cases as it took to see the last of it, and for
    /// at least so many: where cases have [features](crate::Case::feature).
    pub settles: Option<u64>,
    /// A search that ends like this has taken at least so much work since it saw something new.
    #[cfg(feature = "observations")]
    pub settle_work: u64,
    /// How many different failures to search for. With more than one, the search goes on after the first, and
    /// only a failure of another identity counts.
    pub max_failures: usize,
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
            n_shuffles: 0,
            budget: Budget::UNLIMITED,
            shrink_budget: Budget::UNLIMITED,
            exhaustive: None,
            max_choices: MAX_CHOICES,
            max_depth: MAX_DEPTH,
            without_pass: None,
            is_repeatable: true,
            try_all_of_few: true,
            keep_details: true,
            max_others: MAX_OTHERS,
            learns: true,
            settles: None,
            #[cfg(feature = "observations")]
            settle_work: 0,
            max_failures: 1,
        }
    }
}

/// A case to be run before the search: a failure that an earlier run has stored, or what a fuzzer has kept.
#[derive(Clone, Copy, Debug)]
pub struct StoredCase<'a> {
    /// Where its choices come from: a stored failure is a script of values, the input of a fuzzer its bytes.
    pub source: Source<'a>,
    /// The size they were drawn with.
    pub size: u32,
}

impl<'a> StoredCase<'a> {
    /// A failure, by the values that were drawn.
    #[must_use]
    pub const fn failure(values: &'a [Value<'a>], size: u32) -> Self {
        StoredCase { source: Source::Script(values), size }
    }

    /// The input of a fuzzer.
    #[must_use]
    pub const fn input(bytes: &'a [u8]) -> Self {
        StoredCase { source: Source::Bytes(bytes), size: FULL_SIZE }
    }
}

/// What whoever started the run is told while it goes on.
pub trait Hooks {
    /// Asked before each case: must the run end now?
    fn is_out_of_time(&mut self) -> bool {
        false
    }
    /// A failure was found: the moment to store it.
    fn found(&mut self, _failure: &Failure, _recording: &Recording, _size: u32, _observed: &Observations) {}
    /// A failure is about to be shrunk, from this record on.
    fn begins_shrinking(&mut self, _recording: &Recording) {}
    /// About to try something simpler than `best`, the simplest case so far with this failure.
    fn shrinking(&mut self, _failure: &Failure, _best: &Recording, _size: u32) {}
    /// Whether [`Hooks::case`] wants drawn values and notes.
    fn wants_details(&self) -> bool {
        false
    }
    /// Whether [`Hooks::case`] and [`Hooks::is_out_of_time`] are to be called for every case. Otherwise cases
    /// that pass and observe nothing may be run many at a time.
    fn attends_every_case(&self) -> bool {
        true
    }
    /// A case of the search was run.
    fn case(&mut self, _executed: &Execution, _observed: &Observations) {}
}

/// Hooks that do nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn attends_every_case(&self) -> bool {
        false
    }
}

/// The memory a run needs. Reserved in full by [`Workspace::reserved`], or growing.
#[derive(Debug)]
pub struct Workspace {
    record: Recording,
    next: Vec<Choice>,
    observed: Observations,
    bench: Workbench,
    /// Room for spans in a record of unknown length; without it that grows with the choices.
    n_spans: Option<usize>,
    counts_order: bool,
    /// What is counted from the start.
    statistics: Statistics,
}

/// How many tried records shrinking remembers unless told otherwise.
const N_CACHED: usize = 8192;

impl Default for Workspace {
    fn default() -> Self {
        Workspace {
            record: Recording::default(),
            next: Vec::new(),
            observed: Observations::default(),
            bench: Workbench::with_room(0, 0, 0).remembering(N_CACHED),
            n_spans: None,
            counts_order: true,
            statistics: Statistics::default(),
        }
    }
}

/// How much a [`Workspace`] is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Choices of one case.
    pub n_choices: usize,
    /// Spans of one case.
    pub n_spans: usize,
    /// Verdicts that shrinking remembers.
    pub n_cached: usize,
    /// Whether cases are counted through, all or the few that there are.
    pub counts_through: bool,
    /// States that exhaustive search remembers, in order to prune; beyond that it prunes less. As many as
    /// there are if that is not said.
    pub n_states: Option<usize>,
    /// Whether there is room for [`Pass::Reshape`]; it is left out otherwise.
    pub can_reshape: bool,
    /// Whether it is counted which operation follows which, a square of counts.
    pub counts_order: bool,
}

impl Room {
    /// Room for cases of this size, and for everything that random search can do with them.
    #[must_use]
    pub const fn new(n_choices: usize, n_spans: usize, n_cached: usize) -> Self {
        Room {
            n_choices,
            n_spans,
            n_cached,
            counts_through: true,
            n_states: None,
            can_reshape: true,
            counts_order: true,
        }
    }

    /// Shrinking tries records with more spans than the failing one has.
    const fn most_spans(&self) -> usize {
        shrink::most_spans(self.n_spans)
    }

    /// How many bytes [`Workspace::with_room`] takes, without what an allocator adds to each of its
    /// [`Workspace::N_RESERVED`] pieces.
    #[must_use]
    pub const fn bytes(&self) -> usize {
        let Room { n_choices, n_cached, can_reshape, .. } = *self;
        let record = Recording::bytes(n_choices, self.most_spans());
        let next = self.n_next() * core::mem::size_of::<Choice>();
        let seen = match self.n_states {
            Some(n_states) => VisitedStates::bytes(n_states),
            None => 0,
        };
        record + next + seen + Workbench::bytes(n_choices, self.most_spans(), n_cached, can_reshape)
    }

    /// How many choices the next case has where cases are counted through.
    const fn n_next(&self) -> usize {
        if self.counts_through { self.n_choices } else { 0 }
    }
}

impl Workspace {
    /// Memory for records of up to `n_choices` choices and `n_spans` spans, and for `n_cached`
    /// verdicts of shrinking. With [`Settings::max_choices`] at most `n_choices`, a run whose
    /// property and hooks do not allocate allocates nothing until it has something to report.
    #[must_use]
    pub fn reserved(n_choices: usize, n_spans: usize, n_cached: usize) -> Self {
        Self::with_room(Room::new(n_choices, n_spans, n_cached))
    }

    /// Memory for this much and no more.
    #[must_use]
    pub fn with_room(room: Room) -> Self {
        let Room { n_choices, n_cached, can_reshape, .. } = room;
        let n_spans = room.most_spans();
        let visited = room.n_states.map(VisitedStates::with_room).unwrap_or_default();
        let observed = Observations { visited, ..Observations::default() };
        Workspace {
            record: Recording::with_room(n_choices, n_spans),
            next: Vec::with_capacity(room.n_next()),
            observed,
            bench: Workbench::with_room_for(n_choices, n_spans, n_cached, can_reshape),
            n_spans: Some(n_spans),
            counts_order: room.counts_order,
            statistics: Statistics::default(),
        }
    }

    /// Makes room for counting these operations and coverage demands, so that not even the first
    /// case allocates. A demand that no case states is an open one, and not forgotten.
    #[must_use]
    pub fn counting(mut self, operations: &'static [&'static str], demands: &[(&'static str, f64)]) -> Self {
        self.observed.program.prepare_for(operations, self.counts_order);
        self.observed.covered.reserve_exact(demands.len());
        self.statistics = Statistics::expecting(operations, demands, self.counts_order);
        self
    }

    /// How many bytes [`Workspace::reserved`] takes; see [`Room::bytes`].
    #[must_use]
    pub const fn bytes_reserved(n_choices: usize, n_spans: usize, n_cached: usize) -> usize {
        Room::new(n_choices, n_spans, n_cached).bytes()
    }

    /// How many pieces of memory [`Workspace::with_room`] consists of, at most: the record, the next case,
    /// the states that were visited, and what shrinking needs.
    pub const N_RESERVED: usize = Recording::N_PIECES + 1 + VisitedStates::N_PIECES + Workbench::N_PIECES;
}

/// Checks a property.
pub fn run(
    execute: &mut dyn Execute,
    settings: &Settings,
    stored: &[StoredCase<'_>],
    hooks: &mut dyn Hooks,
    workspace: &mut Workspace,
) -> Report {
    let tally = Tally {
        settings,
        hooks,
        statistics: core::mem::take(&mut workspace.statistics),
        known: Vec::new(),
        unshown: Vec::new(),
        is_full: false,
        lengths: Lengths::NONE,
        spent: Budget::NONE,
        stopped_by: None,
    };
    let mut run = Run {
        execute,
        settings,
        tally,
        work: workspace,
        first: None,
        pending: PendingFailures::default(),
        others: Vec::new(),
        stale: Vec::new(),
        skipped_examples: Vec::new(),
        n_fixed: 0,
        completed_bound: None,
        completed_depth: None,
        n_steps: None,
        shrink_spent: Budget::NONE,
        feedback: Feedback::default(),
    };
    let ended = match run.phases(stored) {
        ControlFlow::Break(outcome) => outcome,
        ControlFlow::Continue(()) => Outcome::Passed,
    };
    run.reduce_pending();
    let mut outcome = run.first.take().unwrap_or(ended);
    if cfg!(feature = "observations")
        && let Outcome::Falsified(found) = &mut outcome
    {
        group::lead_with_shortest(found, &mut run.others);
    }
    Report {
        seed: settings.seed,
        outcome,
        statistics: run.tally.statistics,
        others: run.others,
        n_unshown: run.tally.unshown.len(),
        stale: run.stale,
        skipped_examples: run.skipped_examples,
        n_fixed: run.n_fixed,
        completed_bound: run.completed_bound,
        completed_depth: run.completed_depth,
        lengths: run.tally.lengths,
        spent: run.tally.spent,
        stopped_by: run.tally.stopped_by,
    }
}

/// Either goes on, or ends the run with an outcome.
type Phase = ControlFlow<Outcome>;

/// How many other failures are kept unless told otherwise.
const MAX_OTHERS: usize = 4;
/// Coverage demands may multiply the number of cases by up to this factor.
const COVERAGE_FACTOR: u64 = 64;
/// How many choices a record of unknown length has room for at first.
const FIRST_ROOM: usize = 256;

struct Run<'r> {
    execute: &'r mut dyn Execute,
    settings: &'r Settings,
    tally: Tally<'r>,
    work: &'r mut Workspace,
    /// The first failure, where the search has gone on after it.
    first: Option<Outcome>,
    /// The failures that the search has gone on after, as they were found.
    pending: PendingFailures,
    others: Vec<Counterexample>,
    stale: Vec<StaleFailure>,
    skipped_examples: Vec<usize>,
    n_fixed: u64,
    completed_bound: Option<u64>,
    completed_depth: Option<u64>,
    /// How many steps programs have at present, where all are counted through.
    n_steps: Option<u64>,
    /// What shrinking took so far.
    shrink_spent: Budget,
    /// What was learnt from random cases.
    feedback: Feedback,
}

impl Run<'_> {
    fn phases(&mut self, stored: &[StoredCase<'_>]) -> Phase {
        if cfg!(feature = "observations") {
            self.examples()?;
            self.stored(stored)?;
        }
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
            if cfg!(feature = "observations") {
                self.targets()?;
            }
            self.operations()?;
        }
        ControlFlow::Continue(())
    }

    /// Where every operation or alternative was demanded, each must have been done.
    fn operations(&self) -> Phase {
        let mut unmet = Vec::new();
        if self.settings.demand_all_operations {
            let missing = self.tally.statistics.program.never_done();
            unmet.extend(missing.into_iter().map(|name| UnmetDemand::Operation(name.into())));
        }
        if cfg!(feature = "observations") && self.settings.demand_all_alternatives {
            let missing = self.tally.statistics.never_taken();
            unmet.extend(missing.map(|(name, _)| UnmetDemand::Alternative(name.to_string().into())));
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

    /// How random cases are run; `round` is what was learnt from earlier ones.
    fn plans<'a>(&self, round: Round<'a>) -> Plans<'a> {
        let Settings { seed, n_cases, max_choices, max_depth, .. } = *self.settings;
        let (detailed, is_guided) = (self.tally.hooks.wants_details(), self.settings.learns);
        Plans { seed, n_cases, max_choices, max_depth, detailed, is_guided, round }
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
                    origin: CaseOrigin::Example(index),
                    shrinking: ShrinkSummary::default(),
                    is_of_group: false,
                    unshown: None,
                })));
            }
            if !matches!(executed.verdict, Verdict::Passed) {
                self.skipped_examples.push(index);
            }
        }
        ControlFlow::Continue(())
    }

    fn stored(&mut self, stored: &[StoredCase<'_>]) -> Phase {
        for (index, case) in stored.iter().enumerate() {
            let plan = self.plan(case.source, case.size);
            self.work.observed.clear();
            let executed = self.execute.execute(&plan, None, &mut self.work.observed);
            // Nobody has said of an input that it fails: it counts like any case of the search.
            if let Source::Bytes(_) = case.source {
                self.judge(&plan, CaseOrigin::Input(index), &executed)?;
                if self.tally.is_stopped() {
                    break;
                }
                continue;
            }
            match &executed.verdict {
                Verdict::Halted(Halt::Mismatch { at }) => {
                    self.stale.push(StaleFailure { stored: index, at: *at });
                }
                Verdict::Failed(failure) if self.tally.is_new(failure) => {
                    let failure = failure.clone();
                    self.falsified(failure, &plan, &executed, CaseOrigin::Stored(index))?;
                }
                Verdict::Failed(_) => {}
                Verdict::Passed if executed.used_up => self.n_fixed += 1,
                // A case that is discarded today does not hold either.
                _ => self.stale.push(StaleFailure { stored: index, at: executed.n_choices as u32 }),
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
        self.judge(&plan, CaseOrigin::Case(0), &executed)?;
        if cfg!(feature = "observations") && self.settings.try_all_of_few && n_inputs <= self.few() {
            return self.all_of_few();
        }
        ControlFlow::Continue(())
    }

    /// Takes in a case of the search and goes after it if it failed.
    fn judge(&mut self, plan: &Plan<'_>, origin: CaseOrigin, executed: &Execution) -> Phase {
        match self.tally.take_in(origin, executed, &mut self.work.observed) {
            CaseEffect::Counted => ControlFlow::Continue(()),
            CaseEffect::Failed(failure) => self.falsified(failure, plan, executed, origin),
            CaseEffect::Ended(outcome) => ControlFlow::Break(outcome),
        }
    }

    /// Draws random cases until enough have passed and the coverage demands are decided.
    fn random(&mut self) -> Phase {
        let (mut from, mut wanted) = (1, self.settings.n_cases);
        loop {
            from = self.random_cases(from, wanted)?;
            let is_stopped = self.tally.statistics.n_ended() < wanted;
            match self.tally.statistics.coverage() {
                _ if self.tally.statistics.n_ended() == 0 => return ControlFlow::Break(Outcome::GaveUp),
                Decision::NotMet => {
                    let unmet = self.tally.statistics.unmet();
                    return ControlFlow::Break(Outcome::CoverageNotMet { unmet });
                }
                Decision::Met => return ControlFlow::Continue(()),
                Decision::Open if is_stopped => return ControlFlow::Continue(()),
                Decision::Open if wanted >= COVERAGE_FACTOR.saturating_mul(self.settings.n_cases) => {
                    return ControlFlow::Continue(());
                }
                Decision::Open => wanted = wanted.saturating_mul(2),
            }
        }
    }

    /// Runs random cases from number `from` on until `wanted` have ended; returns the next number.
    fn random_cases(&mut self, mut from: u64, wanted: u64) -> ControlFlow<Outcome, u64> {
        loop {
            let (next, goes_on) = self.some_cases(from, wanted)?;
            from = next;
            if !goes_on {
                return ControlFlow::Continue(from);
            }
        }
    }

    /// Climbs towards larger scores, where the property named some.
    fn targets(&mut self) -> Phase {
        let scores: Vec<_> = self.tally.statistics.scores.iter().map(|(n, b)| (n.clone(), *b)).collect();
        for (name, best) in scores {
            let CaseOrigin::Case(index) = best.origin else { continue };
            let plan = match index {
                0 => self.plan(Source::Replay { choices: &[], spans: None, bound: u64::MAX }, 0),
                _ => self.plans(Round::default()).plan(index),
            };
            let size = plan.size;
            let mut climb = target::Climb::new(best.score, self.settings.n_cases);
            let mut record = Recording::default();
            self.recorded(&plan, &mut record, FIRST_ROOM);
            while let Some(Recording { choices, spans }) = climb.propose(&record) {
                if self.tally.is_stopped() {
                    break;
                }
                let source = Source::Replay { choices: &choices, spans: Some(&spans), bound: u64::MAX };
                let plan = self.plan(source, size);
                self.work.observed.clear();
                let executed = self.execute.execute(&plan, None, &mut self.work.observed);
                let score = self.work.observed.scores.iter().find(|(n, _)| *n == name).map(|s| s.1);
                self.judge(&plan, CaseOrigin::Target, &executed)?;
                if climb.learn(score) {
                    self.recorded(&plan, &mut record, FIRST_ROOM);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Runs a case of unknown length, keeping its record. A record that turns out too small is
    /// doubled and the case run again.
    fn recorded(&mut self, plan: &Plan<'_>, recording: &mut Recording, room: usize) -> Execution {
        let room = recording.choices.capacity().max(room);
        let mut room = room.min(self.settings.max_choices);
        loop {
            let n_spans = self.work.n_spans.unwrap_or(room.max(recording.spans.capacity()));
            recording.make_room(room, n_spans);
            let mut limited = *plan;
            limited.max_choices = room.min(plan.max_choices);
            match limited.detail {
                Detail::Failure if self.tally.hooks.wants_details() => limited.detail = Detail::Everything,
                _ => {}
            }
            if !self.settings.keep_details {
                limited.detail = Detail::Failure;
            }
            self.work.observed.clear();
            let executed = self.execute.execute(&limited, Some(recording), &mut self.work.observed);
            let is_cut = matches!(executed.verdict, Verdict::Discarded(Discard::Overrun));
            if !is_cut || room >= plan.max_choices {
                return executed;
            }
            room = (room * 2).max(FIRST_ROOM);
        }
    }
}
