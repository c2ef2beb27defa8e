//! Calls of C functions as the engine's programs: one operation for each function that can be called.
//!
//! A step draws the arguments (`make`), asks the contract whether the call is allowed, makes it, and judges
//! what happened (`judge`). The engine makes sequences, shrinks and counts; `evaluate` evaluates contracts.
//!
//! The way of a sequence through the files of this folder:
//!
//! - beforehand: `setup` with `settings`, `targets` (what can be called), `weights` (how likely it
//!   is), `candidates` (numbers and texts of the source that are worth trying);
//! - arguments: `make/` draws them, `states/` and `state_arguments` make them from a precondition, `absent` says
//!   what is passed where no contract does, `doubts` what callers hardly pass;
//! - the call: here, with `judge`, `contract_memory`, `nested_calls`, `play` (functions without a body) and
//!   `failures`; `log` writes down what it takes to do it again;
//! - after it: `after_call`; at the end of a sequence `leaks`, `replay` (does uninitialised memory matter?) and
//!   `same` (functions that should do the same);
//! - for the report: `display`, `names`, `views`, `text` and `advice`; `lines`, `features` and `arguments` are
//!   what is counted.

mod absent;
mod advice;
mod after_call;
mod aliases;
mod arguments;
mod bits;
mod candidates;
pub(crate) mod contract_memory;
mod display;
mod doubts;
mod exclusions;
pub(crate) mod failures;
mod features;
mod folder;
pub(crate) mod judge;
mod leaks;
pub(crate) mod lines;
mod log;
mod make;
mod names;
pub(crate) mod nested_calls;
mod play;
mod rehearsal;
mod replay;
mod same;
mod settings;
mod setup;
mod state_arguments;
pub(crate) mod states;
mod targets;
pub(crate) mod text;
mod views;
mod weights;

pub use candidates::Candidates;
pub(crate) use folder::copy_all;
pub use folder::{Folder, check as check_files};
pub use make::{FreshMemory, ParameterHints, Variable};
pub use rehearsal::StateCounts;
pub use settings::{CallsError, Settings, UndefinedPolicy};
pub use states::From;
pub use targets::{Selection, Target, UncalledFunction};

use crate::ctypes::TypeId;
use crate::facts::{HuntFact, Note, Refusal, Unplayable, WithoutBody};
use crate::finding::DoubtfulArgument;
use crate::machine::{self, Function, Machine};
use crate::project::Project;
use crate::report::notes::sandbox_comment;
use after_call::LITTLE_FUEL;
use judge::Judge;
use log::{Call, Log, Mark};
use make::ArgumentMaker;
use stairway::engine::{FULL_SIZE, Fact, Operations, PLAIN_SIZE, SEEDED_SIZE, Step, StepOutcome, Value};
use stairway::{Case, Checked, Stop};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use targets::Ways;
use weights::{Roles, SequenceProgress};

/// The first part of each row of sequences has patience: all other sequences have little fuel, because calls that
/// do not return cost most of a search otherwise, and a few sequences that wait for them are enough to know.
const PATIENT: u32 = FULL_SIZE / 8;

/// One in so many sequences passes doubtful arguments: what comes of them spoils the others.
const BOLD: u64 = 2;

/// Allocations of a call up to this one may fail.
const LAST_FAILING: u64 = 24;

/// How many numbers are enough for a sequence that makes do with few.
const FEW_NUMBERS: usize = 5;

/// A loaded program, ready for sequences of calls.
#[derive(Debug)]
pub struct Calls {
    project: Project,
    machine: Machine,
    targets: Vec<(Target, Function, Vec<ParameterHints>)>,
    names: &'static [&'static str],
    /// Functions that are not called, and why.
    pub not_called: Vec<UncalledFunction>,
    /// What function pointers may point to.
    functions: Vec<(TypeId, &'static str, u64)>,
    ways: RefCell<Ways>,
    judge: Judge,
    roles: Roles,
    /// The kind of each function's result.
    kind_of: Vec<u32>,
    /// What the machine was set to last.
    present: Cell<machine::Settings>,
    /// Functions that are called beside others.
    others: same::Others,
    /// Where the code opens files.
    folder: Option<Folder>,
    /// Whether the file has contracts, so that functions without one are not blamed.
    has_contracts: bool,
    settings: Settings,
    lines: lines::Lines,
    views: Vec<views::View>,
    /// Why calls were not made, as facts: calls are refused nearly as often as they are made.
    refusals: RefCell<BTreeMap<(usize, Refusal), Fact>>,
    /// What was spent when a case was charged last.
    charged: Cell<machine::CallCost>,
    /// What sequences have shown.
    features: features::Features,
    /// States from preconditions.
    states: states::States,
}

/// A sequence on its way.
#[derive(Debug, Default)]
pub struct Sequence {
    variables: Vec<Variable>,
    /// How likely each function is to be called next.
    standing: SequenceProgress,
    favourites: RefCell<make::Favourites>,
    buffer: Vec<u8>,
    /// What arguments are made with.
    room: make::Room,
    result: Vec<u8>,
    /// Numbers that were passed, the last ones.
    numbers: RefCell<Vec<i128>>,
    log: RefCell<Log>,
    callbacks: RefCell<make::Callbacks>,
    /// Whether states from preconditions are made in it.
    has_states: bool,
    /// Whether it is one that shows a failure by calls alone, if there is such a one.
    is_plain: bool,
    /// Numbers that are yet to be passed, the next one last.
    wanted: RefCell<Vec<i128>>,
    /// From how many numbers on the same ones are passed again and again in it: what was put in is met again
    /// then.
    n_enough: usize,
    /// How much it keeps to one object.
    devotion: make::ObjectFocus,
    /// How often each function was refused since it was called last.
    n_refused: Vec<u8>,
    /// Whether the arguments at hand are a state from a precondition.
    is_state: bool,
    /// Whether calls that take long are cut short in it.
    is_hasty: bool,
    /// Whether doubtful arguments are passed in it.
    is_bold: bool,
    /// The last doubtful argument that was passed.
    doubted: Option<DoubtfulArgument>,
    /// In runs that are shown: which function has freed a block, by the number of the block, and in which call.
    freed: std::collections::BTreeMap<u64, (usize, u32)>,
    /// The arguments of the call that a burst repeats.
    repeated: Vec<u8>,
    /// Functions that did not return in it, or reached one without a body: they are not called again.
    hanging: Vec<usize>,
    /// Whether the sequence cannot go on.
    is_over: bool,
    shown: display::ShownValues,
}

impl Calls {
    /// Draws the arguments of a call; `false` if there are none at present.
    fn arguments(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<bool> {
        let (target, _, wishes) = &self.targets[op];
        let mut buffer = std::mem::take(&mut sequence.buffer);
        buffer.clear();
        buffer.resize(target.prototype.arguments_size(), 0);
        let room = std::mem::take(&mut sequence.room);
        let mut materials = self.materials(sequence);
        let is_repeated = sequence.standing.repeats(op) && sequence.repeated.len() == buffer.len();
        if is_repeated {
            materials.devotion = make::ObjectFocus::One;
        }
        let is_shown = step.is_shown();
        let mut making = ArgumentMaker::new(&materials, step, room);
        let (mut texts, mut doubted) = (Vec::new(), None);
        for (k, ty) in target.parameters.iter().enumerate() {
            if is_repeated {
                making.repeat(*ty, &sequence.repeated[target.prototype.place(k)]);
            }
            match making.argument(*ty, &wishes[k], &mut buffer[target.prototype.place(k)])? {
                Some(text) => {
                    if is_shown {
                        texts.push(text);
                    }
                    doubted = doubted.or(making.doubt.map(|doubt| (k, doubt)));
                    if self.settings.observes_arguments {
                        let bytes = &buffer[target.prototype.place(k)];
                        let fact =
                            arguments::fact(&self.project.program.types, target, k, making.origin, bytes);
                        fact.count(making.case());
                    }
                }
                None => {
                    sequence.room = making.finish(&buffer).room;
                    sequence.buffer = buffer;
                    sequence.standing.lacks(&self.roles, &wishes[k].producers);
                    self.note_refusal(op, Refusal::Nothing(k), step.case());
                    return Ok(false);
                }
            }
        }
        let make::CallPreamble { definitions, declarations, made, room } = making.finish(&buffer);
        sequence.room = room;
        sequence.shown.made.extend(made);
        for (name, text) in target.names.iter().zip(texts) {
            step.show_argument(name, || text);
        }
        // What the case notes stands before `main`, what a step notes before its call.
        step.case().observed().notes.extend(definitions);
        declarations.into_iter().for_each(|line| step.show_note(|| line));
        sequence.buffer = buffer;
        Ok(doubted.is_none_or(|(k, doubt)| self.dares(op, k, doubt, sequence, step)))
    }

    fn draw_and_call(
        &self,
        op: usize,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<StepOutcome> {
        let mark = sequence.log.borrow().mark();
        sequence.callbacks.get_mut().forget_unused();
        sequence.is_state = false;
        if self.state(op, sequence, step)?.is_some() {
            return self.call(op, mark, sequence, step);
        }
        match self.arguments(op, sequence, step)? {
            true => self.call(op, mark, sequence, step),
            false => Ok(StepOutcome::Refused),
        }
    }

    /// Counts that function number `op` was not called.
    fn note_refusal(&self, op: usize, why: Refusal, case: &mut Case<'_>) {
        let mut known = self.refusals.borrow_mut();
        let fact = known.entry((op, why)).or_insert_with(|| {
            HuntFact::Refused { function: self.targets[op].0.name.to_string(), why }.to_fact()
        });
        case.observed().count(fact);
    }

    /// Looks at a sequence as a whole.
    fn judge_sequence(&self, sequence: &Sequence, case: &mut Case<'_>) -> Checked {
        self.lines.note(&self.machine, case);
        if !sequence.is_over {
            self.check_leaks(sequence, case)?;
            self.check_same(sequence)?;
        }
        self.check_garbage(sequence, case)
    }

    /// Makes a call whose arguments are in the buffer.
    fn call(
        &self,
        op: usize,
        mark: Mark,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<StepOutcome> {
        let (target, function, _) = &self.targets[op];
        sequence.result.clear();
        sequence.result.resize(target.prototype.result_size(), 0);
        let arguments = sequence.log.borrow_mut().keep(&sequence.buffer, sequence.room.patches.drain(..));
        let failing = if self.settings.fails_allocations { failing_allocation(step) } else { 0 };
        if self.settings.fails_allocations {
            self.fail_allocation(failing);
        }
        if step.is_shown() {
            self.show_entry(target, sequence, step);
        }
        step.case().checkpoint();
        self.machine.set_fuel(self.fuel(op, sequence.is_hasty));
        if !self.settings.machine.counts_edges {
            self.features.begin(&self.machine, &self.judge, step.case());
        }
        let global_name = |address: u64| self.global_name(address);
        let Sequence { buffer, result, numbers, .. } = sequence;
        let sources = || self.sources(op, numbers, &global_name);
        let mut stage = play::Stage::new(&self.states, step, &sources);
        let called = (target, function);
        let judged = self.judge.call(&self.project, &self.machine, called, (buffer, result), &mut stage);
        self.features.end(&self.machine, &self.judge);
        let play::Stage { played, names, ended, unplayed, .. } = stage;
        for name in names {
            Note::Played { function: name }.put(step.case());
        }
        let noted = self.judge.observed().take_notes();
        for note in noted {
            note.put(step.case());
        }
        if self.judge.observed().has_threads {
            Note::Threads { function: target.name.to_string() }.put(step.case());
        }
        for mut refusal in stairway_sandbox::take_refusals() {
            step.show_note(|| sandbox_comment(&refusal));
            // A name that was drawn tells nothing, and there are hundreds of them.
            if sequence.log.borrow().holds_path(refusal.about.as_bytes()) {
                refusal.about.clear();
            }
            Note::Sandbox(refusal).put(step.case());
        }
        if failing > 0 && self.judge.observed().has_failed_allocation {
            step.show_note(|| format!("// the {} of this call fails", failures::nth_allocation(failing)));
        }
        match judged {
            judge::CallVerdict::Done => self.count_state(op, sequence, step, true),
            judge::CallVerdict::Refused(refusal) => {
                self.count_state(op, sequence, step, false);
                self.features.refused(op, refusal, step.case());
                self.note_refusal(op, refusal, step.case());
                return Ok(StepOutcome::Refused);
            }
            judge::CallVerdict::Unplayed => {
                if let Some(stop) = ended {
                    return Err(stop);
                }
                let function = || target.name.to_string();
                let missing = unplayed.unwrap_or_else(|| WithoutBody::Unplayable {
                    function: function(),
                    why: Unplayable::NoRoom,
                });
                return Ok(self.without_body(op, mark, missing, sequence, step));
            }
            judge::CallVerdict::Failed(mut failure) => {
                if step.is_shown() {
                    self.show_failure(target, sequence, step, &mut failure);
                    self.advise(op, sequence, &mut failure);
                }
                return self.failed(op, mark, *failure, sequence, step);
            }
        }
        if step.is_shown() {
            for block in self.machine.blocks().filter(|block| !block.is_live) {
                sequence.freed.entry(block.id.0).or_insert((op, step.ordinal() + 1));
            }
        }
        sequence.standing.done(&self.roles, op);
        if let Some(word) = step.choices().free_word()
            && sequence.standing.burst(&self.roles, op, word)
        {
            sequence.repeated.clone_from(&sequence.buffer);
        }
        let is_kept = self.keep(op, sequence, step);
        let observed = self.judge.observed();
        let mut log = sequence.log.borrow_mut();
        let result = log.keep(&sequence.result, std::iter::empty());
        let (flow, read) = (observed.flow, observed.read);
        let mut effects = Vec::new();
        if !self.others.is_empty() {
            self.effects(target, &sequence.buffer, &sequence.result, &mut effects);
        }
        let effects = log.keep(&effects, std::iter::empty());
        let played = log.keep_played(played);
        log.called(Call { op, arguments, result, flow, read, effects, is_kept, failing, played });
        sequence.callbacks.get_mut().passed();
        for held in sequence.room.held.drain(..) {
            if let Some(address) = self.hold(held.address) {
                log.held(held.allocation);
                let (step, kind) = (step.ordinal(), Variable::MADE);
                sequence.standing.holds(&self.roles, held.of);
                let (ty, made, is_ended) = (held.ty, held.made, false);
                sequence.variables.push(Variable { step, kind, ty, address, made, is_ended });
            }
        }
        drop(log);
        drop(observed);
        self.mark_ended(target, sequence);
        if step.is_shown() {
            self.show_state(sequence, step);
        }
        Ok(StepOutcome::Done)
    }
}

impl Operations for Calls {
    type State = Sequence;

    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn start(&self, case: &mut Case<'_>) -> Checked<Sequence> {
        if self.settings.fails_allocations {
            self.fail_allocation(0);
        }
        self.reset();
        let word = case.choices().free_word();
        let is_recorded = word.is_none() && !case.choices().is_searching();
        // Every other row of sequences, and the first, is of calls alone: what they can reach is reported by
        // calls. A recorded one may have any states, whatever was left out of it.
        let has_states = match self.settings.from {
            From::Calls => false,
            From::States => true,
            From::Both => case.choices().size() >= SEEDED_SIZE || !self.roles.can_begin() || is_recorded,
        };
        let standing = SequenceProgress::new(&self.roles, has_states, word);
        // A recorded one may have any, whatever was left out of it.
        let is_bold = !self.settings.is_cautious && word.is_none_or(|word| (word >> 32).is_multiple_of(BOLD));
        let wanted = wanted_numbers(case);
        let n_enough = match word {
            _ if !wanted.is_empty() => 1,
            Some(word) if word >> 63 == 1 => FEW_NUMBERS,
            _ => usize::MAX,
        };
        // What is built up to where it goes wrong is mostly one object.
        let is_plain = case.choices().is_searching() && case.choices().size() == PLAIN_SIZE;
        let devotion = match is_plain.then(|| case.choices().word_ahead() % 4) {
            Some(0 | 1) => make::ObjectFocus::One,
            Some(2) => make::ObjectFocus::Any,
            _ => make::ObjectFocus::Usual,
        };
        let is_hasty = is_searching(case) && case.choices().size() > PATIENT;
        let n_refused = vec![0; self.targets.len()];
        Ok(Sequence {
            standing,
            has_states,
            is_plain,
            wanted: wanted.into(),
            n_enough,
            devotion,
            is_hasty,
            is_bold,
            n_refused,
            ..Sequence::default()
        })
    }

    #[inline]
    fn weight(&self, op: usize, state: &Sequence) -> u32 {
        if state.hanging.contains(&op) { 0 } else { state.standing.weight(op) }
    }

    fn step(&self, op: usize, state: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        let stepped = self.draw_and_call(op, state, step);
        self.features.note(&self.machine, &self.judge, step.case(), stepped.as_ref().ok().copied());
        if let Some(n) = state.n_refused.get_mut(op) {
            *n = if matches!(stepped, Ok(StepOutcome::Refused)) { n.saturating_add(1) } else { 0 };
        }
        // What fails is not judged as a whole, but it has reached what it has reached.
        if stepped.as_ref().is_err_and(Stop::is_failure) {
            self.lines.note(&self.machine, step.case());
        }
        // One call that takes long is enough for a sequence.
        let is_long = self.charge(step.case()) > LITTLE_FUEL;
        state.is_hasty |= is_long && step.choices().is_searching();
        stepped
    }

    fn finish(&self, sequence: Sequence, case: &mut Case<'_>) -> Checked {
        let judged = self.judge_sequence(&sequence, case);
        // What was done again to judge it was noted the first time.
        drop(stairway_sandbox::take_refusals());
        self.charge(case);
        judged
    }

    fn is_over(&self, sequence: &Sequence) -> bool {
        sequence.is_over
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}

/// Whether a sequence belongs to a search, rather than being one that was recorded.
fn is_searching(case: &mut Case<'_>) -> bool {
    case.choices().free_word().is_some() || case.choices().is_searching()
}

/// The numbers that whoever varied a sequence wants passed.
fn wanted_numbers(case: &mut Case<'_>) -> Vec<i128> {
    let numbers = case.choices().spare().iter().map(|choice| choice.shape.value_at(choice.index));
    let number = |value: Value<'_>| if let Value::Integer(number) = value { Some(number) } else { None };
    numbers.filter_map(number).collect()
}

/// Which allocation of a call fails; 0 for none.
fn failing_allocation(step: &mut Step<'_, '_>) -> u64 {
    let choices = step.choices();
    let Some(word) = choices.free_word() else { return choices.unsigned(0, LAST_FAILING, 0) };
    let n = match word % 32 {
        0..=4 => 1 + (word >> 8) % 3,
        5 => 1 + (word >> 8) % LAST_FAILING,
        _ => 0,
    };
    choices.given_unsigned(n, 0, LAST_FAILING, 0);
    n
}
