//! Shrinking: from a failing record of choices to the simplest one with the same failure.
//!
//! Starts from the record of a failing case and tries others. It edits choices only and never looks at
//! values, properties or reports.
//!
//! One order defines "simpler" for everything: a record with fewer choices is simpler, and of two equally
//! long ones the one whose first different index is smaller ([`is_simpler`]). Every pass proposes edits;
//! [`Shrinker::attempt`] alone decides whether an edit is worth a run, runs it, and keeps it if it fails in
//! the same way and is simpler. The passes live in sibling files: `delete` makes records shorter, `lower`
//! makes indices smaller, `order` rearranges. In the end `verify` makes sure that a program needs each of its
//! steps.
//!
//! A record is never replaced by one with more objects [out of nowhere](Recording::n_out_of_nowhere): what a program
//! does by itself says more than what was put in its way.
#![cfg_attr(
    not(feature = "shrinking"),
    allow(dead_code, reason = "failures are reported as they were found")
)]

mod cache;
mod delete;
mod edit;
mod exchange;
mod layout;
mod lower;
mod order;
mod passes;
mod promise;
mod rank;
mod recombine;
mod replace;
mod reseed;
mod reshape;
mod shift;
mod shuffle;
mod steps;
mod transfer;
mod twins;
mod verify;

use crate::budget::Limit;
use crate::execute::Recording;
use alloc::vec::Vec;
use cache::{Cache, CachedRun};
use edit::Editor;
use layout::{Layout, Unit};
pub use passes::{Cost, Pass};
use stairway_choice::{Choice, Shape, Source};

/// What running an edited record showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trial {
    /// The same failure as before; in a step of a program, where that is known.
    SameFailure { is_in_step: bool },
    /// Anything else.
    Other,
    /// It was not run: shrinking has to end.
    OutOfTime,
}

/// Runs a case and leaves what was really drawn in the recording, which has room for exactly as many choices
/// as the best record: a longer one could not be simpler. The best record so far comes last.
pub(crate) type Try<'a> = dyn FnMut(Source<'_>, &mut Recording, &Recording) -> Trial + 'a;

/// What one pass did. The numbers are small, since there is one of these for each pass, also on small machines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassCount {
    /// Cases run.
    pub n_runs: u32,
    /// Of these, how many led to a simpler record.
    pub n_successes: u32,
    /// Edits not run because their outcome was known.
    pub n_cached: u32,
}

/// What shrinking did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShrinkSummary {
    /// Cases run.
    pub n_runs: u64,
    /// Whether it was finished: nothing that was tried can be taken away or made simpler.
    /// Otherwise the budget ended it.
    pub is_minimal: bool,
    /// What ended it before it was finished.
    pub cut_by: Option<Limit>,
    /// Whether it is a program of which each step was left out by itself, together with what depends
    /// on it, and the rest did not fail in the same way.
    pub are_steps_needed: bool,
    /// What each pass did, in the order of [`Pass::ALL`].
    pub passes: [PassCount; Pass::ALL.len()],
    /// How the record became simpler: what it was at first, then after each success, as far as they are kept.
    #[cfg(feature = "shrinking")]
    pub history: Vec<ShrinkPoint>,
}

/// Nothing has been done. The standard library knows such a value for arrays of up to 32 only.
impl Default for ShrinkSummary {
    fn default() -> Self {
        ShrinkSummary {
            n_runs: 0,
            is_minimal: false,
            cut_by: None,
            are_steps_needed: false,
            passes: [PassCount::default(); Pass::ALL.len()],
            #[cfg(feature = "shrinking")]
            history: Vec::new(),
        }
    }
}

/// What was simplest at some moment of shrinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ShrinkPoint {
    /// Cases run until then.
    #[cfg_attr(feature = "serde", serde(rename = "runs"))]
    pub n_runs: u64,
    /// The choices of the record.
    #[cfg_attr(feature = "serde", serde(rename = "choices"))]
    pub n_choices: usize,
    /// The steps of its programs.
    #[cfg_attr(feature = "serde", serde(rename = "steps"))]
    pub n_steps: usize,
    /// The pass that made it; none did at first.
    pub pass: Option<Pass>,
}

/// So many points of a history are kept; the first ones tell most of it.
const MAX_HISTORY: usize = 400;

/// Whether `a` is simpler than `b`: the one order that shrinking goes by.
#[must_use]
pub fn is_simpler(a: &[Choice], b: &[Choice]) -> bool {
    if a.len() != b.len() {
        return a.len() < b.len();
    }
    let differ = a.iter().zip(b).find(|(a, b)| a.index != b.index);
    differ.is_some_and(|(a, b)| a.index < b.index)
}

/// How many spans a record with `n` of them may come to have on the way to a simpler one:
/// some hold no choices and cost nothing.
pub(crate) const fn most_spans(n: usize) -> usize {
    2 * n + 16
}

/// Memory for shrinking, reserved once and used again.
#[derive(Debug)]
pub(crate) struct Workbench {
    best: Recording,
    scratch: Recording,
    candidate: Recording,
    layout: Layout,
    /// The elements, steps or parts that a pass is at.
    units: Vec<Unit>,
    /// Which of the units, steps of a program, are to be deleted. Passes that delete none may borrow it.
    doomed: Vec<bool>,
    buffers: Buffers,
    /// What a reshaped case takes its booleans and alternatives from.
    structure: Vec<Choice>,
    /// What a reshaped case takes everything else from.
    numbers: Vec<Choice>,
    /// Whether there is room for reshaping.
    can_reshape: bool,
    cache: Cache,
    editor: Editor,
    /// How many points of a history are kept: none where all memory is reserved at the start.
    max_history: usize,
}

impl Workbench {
    pub(crate) fn with_room(n_choices: usize, n_spans: usize, n_cached: usize) -> Self {
        Self::with_room_for(n_choices, n_spans, n_cached, true)
    }

    /// The same, with room for [`Pass::Reshape`] or not: without it that pass is left out.
    pub(crate) fn with_room_for(
        n_choices: usize,
        n_spans: usize,
        n_cached: usize,
        can_reshape: bool,
    ) -> Self {
        let [n_choices, n_spans, n_cached] = [n_choices, n_spans, n_cached].map(if_shrinking);
        let [n_structure, n_numbers] = reshaped(n_choices, can_reshape);
        Workbench {
            best: Recording::with_room(n_choices, n_spans),
            scratch: Recording::with_room(n_choices, n_spans),
            candidate: Recording::with_room(n_choices, n_spans),
            layout: Layout::with_room(n_choices, n_spans),
            units: Vec::with_capacity(n_choices),
            doomed: Vec::with_capacity(n_choices),
            buffers: Buffers::with_room(n_choices, n_spans),
            structure: Vec::with_capacity(n_structure),
            numbers: Vec::with_capacity(n_numbers),
            can_reshape,
            cache: Cache::with_room(n_cached),
            editor: Editor::with_room(n_choices, n_spans),
            max_history: 0,
        }
    }

    /// The same, remembering as many verdicts as `n_cached`, and how records became simpler; memory for both
    /// is taken when it is needed.
    pub(crate) fn remembering(mut self, n_cached: usize) -> Self {
        self.cache = Cache::of(n_cached);
        self.max_history = MAX_HISTORY;
        self
    }

    /// How many bytes [`Workbench::with_room_for`] takes; the terms follow the members.
    pub(crate) const fn bytes(n_choices: usize, n_spans: usize, n_cached: usize, can_reshape: bool) -> usize {
        let (n_choices, n_spans) = (if_shrinking(n_choices), if_shrinking(n_spans));
        let [n_structure, n_numbers] = reshaped(n_choices, can_reshape);
        3 * Recording::bytes(n_choices, n_spans)
            + Layout::bytes(n_choices, n_spans)
            + n_choices * (size_of::<Unit>() + size_of::<bool>())
            + Buffers::bytes(n_choices, n_spans)
            + (n_structure + n_numbers) * size_of::<Choice>()
            + Cache::bytes(if_shrinking(n_cached))
            + Editor::bytes(n_choices, n_spans)
    }

    /// In how many pieces; the terms follow the members.
    pub(crate) const N_PIECES: usize = 3 * Recording::N_PIECES
        + Layout::N_PIECES
        + 2
        + Buffers::N_PIECES
        + 2
        + Cache::N_PIECES
        + Editor::N_PIECES;
}

/// Room that only shrinking needs.
const fn if_shrinking(n: usize) -> usize {
    if cfg!(feature = "shrinking") { n } else { 0 }
}

/// How many choices `structure` and `numbers` have room for.
const fn reshaped(n_choices: usize, can_reshape: bool) -> [usize; 2] {
    match can_reshape {
        true => [n_choices; 2],
        false => [0, if n_choices < lower::MAX_LITERALS { n_choices } else { lower::MAX_LITERALS }],
    }
}

/// Memory that passes borrow for a moment. Whoever takes a buffer gives it the name of what is in it, and
/// puts it back.
#[derive(Debug)]
struct Buffers {
    /// Units of several spans inside each other.
    units: Vec<Unit>,
    indices: Vec<usize>,
}

impl Buffers {
    fn with_room(n_choices: usize, n_spans: usize) -> Self {
        Buffers {
            // Each span around a choice may be there besides.
            units: Vec::with_capacity(n_choices + n_spans),
            indices: Vec::with_capacity(n_choices),
        }
    }

    const fn bytes(n_choices: usize, n_spans: usize) -> usize {
        (n_choices + n_spans) * size_of::<Unit>() + n_choices * size_of::<usize>()
    }

    const N_PIECES: usize = 2;
}

/// How far shrinking may go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// How many cases are run.
    pub(crate) max_runs: u64,
    /// How often a program is tried with a step less and other numbers.
    pub(crate) n_shuffles: u64,
    /// How many choices a case may draw.
    pub(crate) max_choices: usize,
    /// A pass that is left out.
    pub(crate) skip: Option<Pass>,
}

/// Shrinks `record` in place.
pub(crate) fn shrink(
    record: &mut Recording,
    limits: Limits,
    bench: &mut Workbench,
    trial: &mut Try<'_>,
) -> ShrinkSummary {
    if !cfg!(feature = "shrinking") {
        return ShrinkSummary::default();
    }
    let Limits { max_runs, n_shuffles, max_choices, skip } = limits;
    bench.cache.clear();
    core::mem::swap(&mut bench.best, record);
    let mut shrinker = Shrinker {
        max_spans: most_spans(bench.best.spans.len()),
        bench,
        trial,
        max_runs,
        n_shuffles,
        max_choices,
        skip,
        pass: Pass::Rejected,
        done: ShrinkSummary::default(),
        known: CachedRun::default(),
        fewest_steps: usize::MAX,
        n_in_vain: 0,
        n_runs_of_best: 0,
        fails_in_step: false,
        run_fails_in_step: false,
        names: [None; rank::MAX_NAMES],
        is_vain: [false; Pass::ALL.len()],
        recombined_at: None,
    };
    shrinker.refresh();
    shrinker.remember(None);
    shrinker.run();
    let done = shrinker.done;
    core::mem::swap(&mut bench.best, record);
    done
}

/// What is to be tried.
#[derive(Clone, Copy)]
enum Candidate {
    /// The edited record in `candidate`.
    Edited,
    /// The choices in `structure` and `numbers`.
    Reshaped,
}

struct Shrinker<'a, 't> {
    bench: &'a mut Workbench,
    trial: &'a mut Try<'t>,
    max_runs: u64,
    n_shuffles: u64,
    max_choices: usize,
    max_spans: usize,
    skip: Option<Pass>,
    pass: Pass,
    done: ShrinkSummary,
    /// What the latest attempt showed.
    known: CachedRun,
    /// The fewest steps of a program that was taken for having fewer.
    fewest_steps: usize,
    /// How many runs of the present pass have led to nothing, since it began or last helped.
    n_in_vain: u64,
    /// How many runs there were when something last helped.
    n_runs_of_best: u64,
    /// Whether the best record is known to fail in a step of a program, its last one.
    fails_in_step: bool,
    /// The same of what was run last.
    run_fails_in_step: bool,
    /// Kinds of numbers of which only the order matters.
    names: [Option<Shape>; rank::MAX_NAMES],
    /// Which passes that change everything at once have led to nothing.
    is_vain: [bool; Pass::ALL.len()],
    /// How many successes there were when steps were last recombined, which led to nothing.
    recombined_at: Option<u64>,
}

impl Shrinker<'_, '_> {
    /// Runs the passes until none of them makes the record simpler.
    fn run(&mut self) {
        loop {
            // Once more as long as it gets shorter; values that merely creep down are better
            // served by the passes that move several at once.
            let mut improved = false;
            loop {
                let n = self.len();
                improved |= self.run_passes(true);
                if self.len() == n {
                    break;
                }
            }
            improved |= self.run_passes(false);
            self.pass = Pass::Shorten;
            if !improved && (self.is_spent() || !self.leave_out_a_step()) {
                self.done.is_minimal = !self.is_spent();
                return;
            }
        }
    }

    /// Runs the cheap passes, or the others: up to the first that makes the record shorter, and those for
    /// steps only if none of the others has helped. True if one did.
    fn run_passes(&mut self, are_cheap: bool) -> bool {
        let (before, n) = (self.n_successes(), self.len());
        for pass in Pass::ALL {
            if pass.cost().is_cheap() != are_cheap || self.is_left_out(pass) {
                continue;
            }
            let has_helped = self.n_successes() > before;
            let is_done = !are_cheap && has_helped && (pass.cost().is_for_steps() || self.len() < n);
            if self.is_spent() || is_done {
                break;
            }
            self.run_pass(pass);
        }
        self.n_successes() > before && !self.is_spent()
    }

    fn is_left_out(&self, pass: Pass) -> bool {
        let has_no_room = pass == Pass::Reshape && !self.bench.can_reshape;
        has_no_room || self.skip == Some(pass) || self.is_vain[pass as usize]
    }

    fn run_pass(&mut self, pass: Pass) {
        let before = self.n_successes();
        self.pass = pass;
        self.n_in_vain = 0;
        pass.run(self);
        self.is_vain[pass as usize] = pass.cost() == Cost::Bold && self.n_successes() == before;
    }

    fn n_successes(&self) -> u64 {
        self.done.passes.iter().map(|p| u64::from(p.n_successes)).sum()
    }

    const fn is_spent(&self) -> bool {
        self.done.n_runs >= self.max_runs
    }

    fn best(&self) -> &[Choice] {
        &self.bench.best.choices
    }

    fn len(&self) -> usize {
        self.bench.best.choices.len()
    }

    fn refresh(&mut self) {
        steps::cut_programs(&mut self.bench.best);
        self.bench.layout.read(&self.bench.best);
    }

    /// Attempts the best record with `edit` applied to its choices.
    fn attempt_with(&mut self, edit: impl FnOnce(&mut [Choice])) -> bool {
        self.attempt_edited(|record, _| edit(&mut record.choices))
    }

    /// Attempts the best record with `edit` applied to it; the edit may use the layout of the
    /// best record.
    fn attempt_edited(&mut self, edit: impl FnOnce(&mut Recording, &mut Editor)) -> bool {
        self.edit(edit);
        self.attempt()
    }

    /// Makes the candidate the best record with `edit` applied to it.
    fn edit(&mut self, edit: impl FnOnce(&mut Recording, &mut Editor)) {
        let bench = &mut *self.bench;
        bench.candidate.choices.clone_from(&bench.best.choices);
        bench.candidate.spans.clone_from(&bench.best.spans);
        edit(&mut bench.candidate, &mut bench.editor);
    }

    /// Runs the candidate unless it is pointless, and keeps it if it is better.
    fn attempt(&mut self) -> bool {
        if !is_simpler(&self.bench.candidate.choices, &self.bench.best.choices) {
            return false;
        }
        if self.pass.cost() == Cost::Steps && !self.is_promising() {
            return false;
        }
        let bench = &mut *self.bench;
        if let Some(known) = bench.cache.get(&bench.candidate) {
            let count = &mut self.done.passes[self.pass as usize].n_cached;
            *count = count.saturating_add(1);
            self.known = known;
            return false;
        }
        self.run_candidate(Candidate::Edited)
    }

    /// Runs the candidate, and makes it the best record if it is.
    fn run_candidate(&mut self, candidate: Candidate) -> bool {
        // A longer record could not be simpler.
        let Some(trial) = self.run_within(candidate, self.len()) else { return false };
        let bench = &*self.bench;
        let is_better = matches!(trial, Trial::SameFailure { .. })
            && is_simpler(&bench.scratch.choices, &bench.best.choices)
            && !self.is_less_plain();
        if is_better {
            self.accept();
        }
        is_better
    }

    /// Whether more of what was run last is out of nowhere than of the best record.
    fn is_less_plain(&self) -> bool {
        self.bench.scratch.n_out_of_nowhere() > self.bench.best.n_out_of_nowhere()
    }

    /// Makes what was run last the best record.
    fn accept(&mut self) {
        let count = &mut self.done.passes[self.pass as usize].n_successes;
        *count = count.saturating_add(1);
        self.n_in_vain = 0;
        self.n_runs_of_best = self.done.n_runs;
        self.fails_in_step = self.run_fails_in_step;
        core::mem::swap(&mut self.bench.best, &mut self.bench.scratch);
        self.refresh();
        self.remember(Some(self.pass));
    }

    #[cfg(not(feature = "shrinking"))]
    fn remember(&mut self, _: Option<Pass>) {}

    /// Adds the best record to the history.
    #[cfg(feature = "shrinking")]
    fn remember(&mut self, pass: Option<Pass>) {
        if self.done.history.len() < self.bench.max_history {
            let best = &self.bench.best;
            let (n_choices, n_steps) = (best.choices.len(), verify::n_steps(best));
            self.done.history.push(ShrinkPoint { n_runs: self.done.n_runs, n_choices, n_steps, pass });
        }
    }

    /// Runs the candidate, which may draw `n_choices`, unless the budget has ended.
    fn run_within(&mut self, candidate: Candidate, n_choices: usize) -> Option<Trial> {
        if self.is_spent() {
            return None;
        }
        let bench = &mut *self.bench;
        let Recording { choices, spans } = &bench.candidate;
        let source = match candidate {
            Candidate::Edited => Source::Replay { choices, spans: Some(spans), bound: u64::MAX },
            Candidate::Reshaped => Source::Reshape { structure: &bench.structure, numbers: &bench.numbers },
        };
        bench.scratch.make_room(n_choices, self.max_spans);
        let trial = (self.trial)(source, &mut bench.scratch, &bench.best);
        if trial == Trial::OutOfTime {
            self.max_runs = self.done.n_runs;
            return None;
        }
        let used = bench.scratch.choices.len();
        // What has filled its room may have ended for want of it.
        let is_cut_off = used >= n_choices || bench.scratch.spans.len() >= self.max_spans;
        self.known = CachedRun { used: used as u32, is_another_end: trial == Trial::Other && !is_cut_off };
        self.run_fails_in_step = trial == Trial::SameFailure { is_in_step: true };
        bench.cache.put(&bench.scratch, self.known);
        if matches!(candidate, Candidate::Edited) {
            bench.cache.put(&bench.candidate, self.known);
        }
        self.done.n_runs += 1;
        self.n_in_vain += 1;
        let count = &mut self.done.passes[self.pass as usize].n_runs;
        *count = count.saturating_add(1);
        Some(trial)
    }

    /// The largest `n` in `1..=most` for which `f(n)` succeeds, if successes are contiguous;
    /// 0 if not even 1 does. Takes about twice the logarithm of `n` calls.
    fn find_largest(&mut self, most: u64, mut f: impl FnMut(&mut Self, u64) -> bool) -> u64 {
        let (mut good, mut bad) = (0, most.saturating_add(1));
        let mut n = 1;
        while n < bad {
            if !f(self, n) {
                bad = n;
                break;
            }
            good = n;
            n = n.saturating_mul(2);
        }
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if f(self, middle) { good = middle } else { bad = middle }
        }
        good
    }
}
