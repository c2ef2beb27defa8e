//! Running a property on one case.
//!
//! A [`Plan`] says where the choices come from and what to keep; an [`Execution`] has the verdict and counts,
//! beside the record and the observations. Whoever implements [`Execute`] decides where the property runs:
//! here, behind a panic barrier, on several threads or in another process. It does not decide what to run
//! next.

use crate::case::{Case, Guard, Tap};
use crate::corpus::Guide;
use crate::judge::Verdict;
use crate::observations::Observations;
use crate::program::ProgramCounts;
use crate::stop::Checked;
use alloc::vec::Vec;
use core::ops::{ControlFlow, Range};
use stairway_choice::{Choice, Choices, FULL_SIZE, Label, Lengths, MAX_DEPTH, Prng, Source, Span};

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
    /// How many steps programs have, where that is not drawn but all programs are enumerated.
    pub n_steps: Option<u64>,
    /// How much of the case is shown.
    pub detail: Detail,
    /// Run this fixed example instead of drawing.
    pub example: Option<usize>,
    /// For a case of a search, by how many halves each operation is asked less: what other cases have ended
    /// with. Only such a case is asked for [features](Case::feature).
    pub guide: Guide<'a>,
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
            detail: Detail::Failure,
            example: None,
            guide: Guide::NONE,
        }
    }

    /// The same plan, keeping what is to be shown.
    #[must_use]
    pub const fn detailed(mut self) -> Self {
        self.detail = Detail::Everything;
        self
    }
}

/// How much of a case is shown. Showing a value runs the user's code (`Debug`), which may end the process
/// that runs the case: what is not shown cannot do that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Detail {
    /// No value at all.
    Nothing,
    /// The values that a failure is about.
    #[default]
    Failure,
    /// Besides, what was drawn, every step and notes.
    Everything,
}

/// What became of one case.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Execution {
    /// The verdict.
    pub verdict: Verdict,
    /// How many choices were drawn; [`Execution::UNKNOWN`] if nobody was left to count them.
    pub n_choices: usize,
    /// How many spans were opened.
    pub n_spans: usize,
    /// Whether a bound kept choices from taking all their values.
    pub clipped: bool,
    /// How long the collections became that may be very long, in this case and in uneventful ones just before
    /// it.
    pub lengths: Lengths,
    /// Whether a script was used to its end.
    pub used_up: bool,
    /// Whether a program was ended at a state that another one had reached.
    pub pruned: bool,
}

impl Execution {
    /// The number of choices of a case that took its process down.
    pub const UNKNOWN: usize = usize::MAX;
}

/// The choices of one case and how they are grouped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Recording {
    /// The choices in the order they were drawn.
    pub choices: Vec<Choice>,
    /// The spans in the order they were opened.
    pub spans: Vec<Span>,
}

impl Recording {
    /// Whether something in it was made from a [seed](Label::SEEDED).
    #[must_use]
    pub fn is_seeded(&self) -> bool {
        self.spans.iter().any(|span| span.label.is(Label::SEEDED) && !span.rejected)
    }

    /// How many objects in it are out of nowhere: made from a seed, or although another step could have given
    /// one.
    #[must_use]
    pub(crate) fn n_out_of_nowhere(&self) -> usize {
        let is_one = |span: &&Span| span.label.is(Label::SEEDED) || span.label.is(Label::MADE);
        self.spans.iter().filter(|span| is_one(span) && !span.rejected).count()
    }

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

    /// In how many pieces.
    pub(crate) const N_PIECES: usize = 2;

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
        observed: &mut Observations,
    ) -> Execution;

    /// Forgets what earlier cases may have left behind, where that is possible: the case that comes
    /// next is to be reported, and must not owe its verdict to them.
    fn refresh(&mut self) {}

    /// Runs the cases numbered `from..to` as `plans` says and hands each to `sink`, in order,
    /// until that breaks. Cases are independent: they may run in any order, or for nothing.
    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plans: &Plans<'_>,
        observed: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        self.execute_each(from, to, plans, observed, sink);
    }

    /// The same, with one case after the other.
    fn execute_each(
        &mut self,
        from: u64,
        to: u64,
        plans: &Plans<'_>,
        observed: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        for index in from..to {
            observed.clear();
            let executed = self.execute(&plans.plan(index), None, observed);
            if sink.case(index, &executed, observed).is_break() {
                return;
            }
        }
    }
}

/// The random cases of a run: how each is to be run follows from its number.
#[derive(Clone, Copy, Debug)]
pub struct Plans<'a> {
    /// Where all randomness starts.
    pub seed: u64,
    /// How many cases have to pass: sizes grow along them.
    pub n_cases: u64,
    /// How many choices a case may draw.
    pub max_choices: usize,
    /// How deep values may nest.
    pub max_depth: u32,
    /// Whether drawn values and notes are kept.
    pub detailed: bool,
    /// Whether cases are asked for [features](Case::feature).
    pub is_guided: bool,
    /// What was learnt from the cases before.
    pub round: Round<'a>,
}

/// What a search has learnt, for the cases that come next.
#[derive(Clone, Copy, Debug, Default)]
pub struct Round<'a> {
    /// The number of its first case.
    pub first: u64,
    /// Every other case of it, the second first, is one of these; or all of its first cases are.
    #[cfg(feature = "observations")]
    pub varied: &'a [Variant],
    /// Whether there are no others.
    #[cfg(feature = "observations")]
    pub has_no_others: bool,
    /// By how many halves each operation is asked less.
    #[cfg(feature = "observations")]
    pub reluctance: &'a [u8],
    #[cfg(not(feature = "observations"))]
    pub(crate) nothing: core::marker::PhantomData<&'a Variant>,
}

impl<'a> Round<'a> {
    /// The variation that case number `index` is; none if it is a random one.
    #[must_use]
    pub const fn variant(&self, index: u64) -> Option<&'a Variant> {
        #[cfg(feature = "observations")]
        {
            let place = index.wrapping_sub(self.first);
            let (is_varied, place) =
                if self.has_no_others { (true, place) } else { (place % 2 == 1, place / 2) };
            if is_varied && place < self.varied.len() as u64 {
                return Some(&self.varied[place as usize]);
            }
        }
        let _ = index;
        None
    }

    /// Whether some cases are variations.
    const fn has_variants(&self) -> bool {
        #[cfg(feature = "observations")]
        return !self.varied.is_empty();
        #[cfg(not(feature = "observations"))]
        false
    }

    /// What its cases are told of operations.
    const fn guide(&self) -> Guide<'a> {
        #[cfg(feature = "observations")]
        return Guide::to(self.reluctance);
        #[cfg(not(feature = "observations"))]
        Guide::NONE
    }
}

/// A variation of a case that was kept.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What is given of it.
    pub(crate) recording: Recording,
    pub(crate) size: u32,
    /// What the rest is drawn with.
    pub(crate) prng: Prng,
    /// Which of those that were kept it is made from.
    #[cfg(feature = "observations")]
    pub(crate) parent: u64,
}

impl<'a> Plans<'a> {
    /// The plan of case number `index`.
    #[must_use]
    pub const fn plan(&self, index: u64) -> Plan<'a> {
        let (source, size) = match self.round.variant(index) {
            Some(Variant { recording: Recording { choices, spans }, size, prng, .. }) => {
                let (choices, spans) = (choices.as_slice(), spans.as_slice());
                (Source::Varied { choices, spans, prng: *prng }, *size)
            }
            None => {
                let (prng, size) = self.stream(index);
                (Source::Random(prng), size)
            }
        };
        let mut plan = Plan::new(source, size, self.max_choices);
        plan.max_depth = self.max_depth;
        if self.is_guided {
            plan.guide = self.round.guide();
        }
        if self.detailed {
            plan.detail = Detail::Everything;
        }
        plan
    }

    /// What tells case number `index` from the others. The size goes from small to full within the run, and
    /// again every 100 cases.
    const fn stream(&self, index: u64) -> (Prng, u32) {
        let full = FULL_SIZE as u64;
        let size = if self.n_cases >= full {
            index % (full + 1)
        } else {
            let n_cases = if self.n_cases > 0 { self.n_cases } else { 1 };
            let size = index * full / n_cases;
            if size > full { full } else { size }
        };
        (Prng::for_case(self.seed, index), size as u32)
    }
}

/// Takes in the cases of a search.
pub trait Sink {
    /// A case was run: what became of it, and what was observed.
    fn case(&mut self, index: u64, executed: &Execution, observed: &mut Observations) -> ControlFlow<()>;

    /// How many of the next cases need not be handed over one by one if they pass and observe nothing but the
    /// operations of programs.
    fn n_unattended(&self) -> u64 {
        0
    }

    /// Takes the counts of a program of such a case, and leaves none.
    fn program(&mut self, _counts: &mut ProgramCounts) {}

    /// So many cases, the next ones in order and no more than [`Sink::n_unattended`], passed and observed
    /// nothing else.
    fn uneventful(&mut self, _n: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Runs a property here and now.
#[derive(Debug)]
pub struct InProcess<F> {
    property: F,
    guard: Guard,
}

impl<F: FnMut(&mut Case<'_>) -> Checked> InProcess<F> {
    /// Runs `property`; `guard` turns panics inside it into failures.
    pub const fn new(property: F, guard: Guard) -> Self {
        InProcess { property, guard }
    }
}

impl<F: FnMut(&mut Case<'_>) -> Checked> Execute for InProcess<F> {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        execute_with(&mut self.property, self.guard, None, plan, recording, observed)
    }

    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plans: &Plans<'_>,
        observed: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        execute_in_a_row(&mut self.property, self.guard, from..to, plans, observed, sink);
    }
}

/// Runs cases one after the other in one go: as long as they pass and observe nothing, all that a case costs
/// is its stream, its property and a look at both. Everything else (the guard, the report to `sink`) is done
/// once for all of them.
fn execute_in_a_row(
    property: &mut dyn FnMut(&mut Case<'_>) -> Checked,
    guard: Guard,
    cases: Range<u64>,
    plans: &Plans,
    observed: &mut Observations,
    sink: &mut dyn Sink,
) {
    let mut index = cases.start;
    while index < cases.end {
        observed.clear();
        let most = if plans.round.has_variants() { 1 } else { sink.n_unattended() };
        let end = index + most.clamp(1, cases.end - index);
        let start = index;
        let first = plans.plan(index);
        let mut case = new_case(guard, None, &first, None, observed);
        let result = guard(&mut || {
            loop {
                let result = property(&mut case);
                if index + 1 == end || result.is_err() || !case.is_uneventful() {
                    return result;
                }
                index += 1;
                let counts = &mut case.observed().program;
                if !counts.names.is_empty() {
                    sink.program(counts);
                }
                let (prng, size) = plans.stream(index);
                case.restart(prng, size);
            }
        });
        let executed = conclude(&mut case, result);
        // The last one is handed over, whatever it was.
        if index > start && sink.uneventful(index - start).is_break() {
            return;
        }
        if sink.case(index, &executed, observed).is_break() {
            return;
        }
        index += 1;
    }
}

/// Runs `property` once as `plan` says: what every way of executing comes down to.
pub fn execute_with(
    property: &mut dyn FnMut(&mut Case<'_>) -> Checked,
    guard: Guard,
    tap: Option<Tap>,
    plan: &Plan<'_>,
    recording: Option<&mut Recording>,
    observed: &mut Observations,
) -> Execution {
    let Some(recording) = recording else {
        let mut case = new_case(guard, tap, plan, None, observed);
        let result = guard(&mut || property(&mut case));
        return conclude(&mut case, result);
    };
    let mut case = new_case(guard, tap, plan, Some(recording), observed);
    let result = guard(&mut || property(&mut case));
    let executed = conclude(&mut case, result);
    recording.trim(executed.n_choices, executed.n_spans);
    executed
}

#[inline(always)]
fn new_case<'b>(
    guard: Guard,
    tap: Option<Tap>,
    plan: &Plan<'b>,
    recording: Option<&'b mut Recording>,
    observed: &'b mut Observations,
) -> Case<'b> {
    observed.visited.begin(plan.n_steps);
    let choices = Choices::new(plan.source, plan.size);
    let mut case = Case::new(choices, observed, plan.detail, plan.example, guard);
    case.tap(tap);
    case.guide = plan.guide;
    case.choices().limit(plan.max_choices, plan.max_depth);
    case.choices().fix_steps(plan.n_steps);
    if let Some(Recording { choices, spans }) = recording {
        case.choices().record_into(choices, spans);
    }
    case
}

/// What became of a case whose property has returned `result`.
fn conclude(case: &mut Case<'_>, result: Checked) -> Execution {
    // Looking before taking the result apart: nearly every case passes.
    let verdict = if result.is_ok() && case.is_undisturbed() {
        Verdict::Passed
    } else {
        Verdict::of(case.conclude(result), case.choices().halted())
    };
    let pruned = case.observed().visited.was_pruned();
    let choices = case.choices();
    Execution {
        pruned,
        n_choices: choices.n_choices(),
        n_spans: choices.n_spans(),
        clipped: choices.was_clipped(),
        lengths: choices.lengths(),
        used_up: choices.is_used_up(),
        verdict,
    }
}
