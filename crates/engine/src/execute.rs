//! Running a property on one case.
//!
//! Receives a [`Plan`] (where the choices come from, what to keep) and hands on an [`Executed`]
//! (verdict and counts), the record and the observations. Whoever implements [`Execute`] decides
//! where the property runs: here, behind a panic barrier, on several threads or in another
//! process. It does not decide what to run next.

use crate::case::{Case, Guard, Observed, Tap};
use crate::choice::Choice;
use crate::choices::{Choices, MAX_DEPTH, Source, Span};
use crate::judge::Verdict;
use crate::stop::Checked;
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// How to run one case.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Where the choices come from.
    pub source: Source<'a>,
    /// How large random values may be, from 0 to [`FULL_SIZE`](crate::FULL_SIZE).
    pub size: u32,
    /// How many choices may be drawn.
    pub max_choices: usize,
    /// How deep spans may nest.
    pub max_depth: u32,
    /// How many steps programs have, where that is not drawn.
    pub n_steps: Option<u64>,
    /// Whether to keep drawn values and notes for showing.
    pub detailed: bool,
    /// Run this fixed example instead of drawing.
    pub example: Option<usize>,
}

impl<'a> Plan<'a> {
    /// A plan with no more than `max_choices` choices.
    #[must_use]
    pub const fn new(source: Source<'a>, size: u32, max_choices: usize) -> Self {
        Plan {
            source,
            size,
            max_choices,
            max_depth: MAX_DEPTH,
            n_steps: None,
            detailed: false,
            example: None,
        }
    }

    /// The same plan, keeping what is to be shown.
    #[must_use]
    pub const fn detailed(mut self) -> Self {
        self.detailed = true;
        self
    }
}

/// What became of one case.
#[derive(Clone, Debug)]
pub struct Executed {
    /// The verdict.
    pub verdict: Verdict,
    /// How many choices were drawn; [`Executed::UNKNOWN`] if nobody was left to count them.
    pub n_choices: usize,
    /// How many spans were opened.
    pub n_spans: usize,
    /// Whether a bound kept choices from taking all their values.
    pub clipped: bool,
    /// Whether a script was used to its end.
    pub used_up: bool,
}

impl Executed {
    /// The number of choices of a case that took its process down.
    pub const UNKNOWN: usize = usize::MAX;
}

/// The choices of one case and how they are grouped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recording {
    /// The choices in the order they were drawn.
    pub choices: Vec<Choice>,
    /// The spans in the order they were opened.
    pub spans: Vec<Span>,
}

impl Recording {
    /// A recording with memory reserved for this much.
    #[must_use]
    pub fn with_room(n_choices: usize, n_spans: usize) -> Self {
        Recording { choices: Vec::with_capacity(n_choices), spans: Vec::with_capacity(n_spans) }
    }

    /// How many bytes [`Recording::with_room`] takes.
    #[must_use]
    pub const fn bytes(n_choices: usize, n_spans: usize) -> usize {
        n_choices * size_of::<Choice>() + n_spans * size_of::<Span>()
    }

    /// Makes room to record this much; what was there is forgotten.
    pub fn make_room(&mut self, n_choices: usize, n_spans: usize) {
        self.choices.clear();
        self.choices.resize(n_choices, Choice::BLANK);
        self.spans.clear();
        self.spans.resize(n_spans, Span::BLANK);
    }

    /// Cuts the room down to what was used, and closes what a panic left open.
    pub fn trim(&mut self, n_choices: usize, n_spans: usize) {
        self.choices.truncate(n_choices);
        self.spans.truncate(n_spans);
        let end = self.choices.len() as u32;
        for span in &mut self.spans {
            span.end = span.end.min(end);
        }
    }
}

/// Something that can run cases of one property.
pub trait Execute {
    /// Runs one case. `recording`, where given, has room for as much as may be recorded and is
    /// trimmed to what was. `observed` comes empty.
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observed,
    ) -> Executed;

    /// Forgets what earlier cases may have left behind, where that is possible: the case that comes
    /// next is to be reported, and must not owe its verdict to them.
    fn refresh(&mut self) {}

    /// Runs the cases numbered `from..to` as `plan` says and hands each to `sink`, in order,
    /// until that breaks. Cases are independent: they may run in any order, or for nothing.
    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plan: &(dyn Fn(u64) -> Plan<'static> + Sync),
        observed: &mut Observed,
        sink: &mut dyn FnMut(u64, &Executed, &mut Observed) -> ControlFlow<()>,
    ) {
        for index in from..to {
            observed.clear();
            let executed = self.execute(&plan(index), None, observed);
            if sink(index, &executed, observed).is_break() {
                return;
            }
        }
    }
}

/// Runs a property here and now.
#[derive(Debug)]
pub struct InProcess<F> {
    property: F,
    guard: Guard,
}

impl<F: FnMut(&mut Case<'_>) -> Checked> InProcess<F> {
    /// Runs `property`; `guard` turns panics inside of it into failures.
    pub const fn new(property: F, guard: Guard) -> Self {
        InProcess { property, guard }
    }
}

impl<F: FnMut(&mut Case<'_>) -> Checked> Execute for InProcess<F> {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observed,
    ) -> Executed {
        execute_with(&mut self.property, self.guard, None, plan, recording, observed)
    }
}

/// Runs `property` once as `plan` says: what every way of executing comes down to.
pub fn execute_with(
    property: &mut dyn FnMut(&mut Case<'_>) -> Checked,
    guard: Guard,
    tap: Option<Tap>,
    plan: &Plan<'_>,
    recording: Option<&mut Recording>,
    observed: &mut Observed,
) -> Executed {
    let Some(recording) = recording else {
        return conclude(property, guard, tap, plan, None, observed);
    };
    let executed = conclude(property, guard, tap, plan, Some(recording), observed);
    recording.trim(executed.n_choices, executed.n_spans);
    executed
}

/// The case is made where it stays: moving it about would cost more than many a property.
fn conclude(
    property: &mut dyn FnMut(&mut Case<'_>) -> Checked,
    guard: Guard,
    tap: Option<Tap>,
    plan: &Plan<'_>,
    recording: Option<&mut Recording>,
    observed: &mut Observed,
) -> Executed {
    let choices = Choices::new(plan.source, plan.size);
    let mut case = Case::new(choices, observed, plan.detailed, plan.example, guard);
    case.tap(tap);
    case.choices().limit(plan.max_choices, plan.max_depth);
    case.choices().fix_steps(plan.n_steps);
    if let Some(Recording { choices, spans }) = recording {
        case.choices().record_into(choices, spans);
    }
    let result = guard(&mut || property(&mut case));
    // Looking before taking the result apart: nearly every case passes.
    let verdict = if result.is_ok() && case.is_undisturbed() {
        Verdict::Passed
    } else {
        Verdict::of(case.conclude(result), case.choices().halted())
    };
    let choices = case.choices();
    Executed {
        n_choices: choices.n_choices(),
        n_spans: choices.n_spans(),
        clipped: choices.was_clipped(),
        used_up: choices.is_used_up(),
        verdict,
    }
}
