//! Calls of C functions as the engine's programs: one operation for each function that can be called.
//!
//! A step draws the arguments (`make`), asks the contract whether the call is allowed, makes it, and judges
//! what happened (`judge`). The engine makes sequences, shrinks and counts; `evaluate` evaluates contracts.

mod absent;
mod advice;
mod again;
mod aliases;
pub(crate) mod arguments;
mod bits;
pub(crate) mod contract_memory;
mod doubts;
mod features;
mod folder;
pub(crate) mod judge;
mod leaks;
pub(crate) mod lines;
mod log;
mod make;
mod names;
pub(crate) mod nested;
mod play;
pub(crate) mod refusals;
mod rehearsal;
mod same;
mod settings;
mod shown;
pub(crate) mod states;
mod targets;
pub(crate) mod text;
mod views;
mod weights;
pub(crate) mod words;
mod worth;

pub(crate) use folder::copy_all;
pub use folder::{Folder, check as check_files};
pub use make::{FreshMemory, Variable, Wish};
pub use rehearsal::StateCounts;
pub use settings::{CallsError, Settings, Undefined};
pub use states::From;
pub use targets::{NotCalled, Selection, Target};
pub use worth::Worth;

use crate::ctypes::{CType, TypeId};
use crate::machine::{self, Function, Machine, Violation};
use crate::noticed::NoteTable;
use crate::project::Project;
use judge::Judge;
use log::{Call, Log, Mark};
use make::{ArgumentMaker, Materials};
use stairway::engine::{
    FULL_SIZE, Feature, MANY_OPERATIONS, Operations, PLAIN_SIZE, SEEDED_SIZE, Step, StepOutcome, Value,
};
use stairway::report::words as failure_words;
use stairway::report::{Evidence, Failure, FailureKind, Site};
use stairway::{Case, Checked, Stop};
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use targets::Ways;
use weights::{Roles, SequenceProgress};

/// The stack of a call: as much as a thread has on some systems, so that recursion without a limit is found;
/// more where contracts are checked in between.
const PLAIN_STACK: u64 = 512 << 10;
const LEAST_CHECKED_STACK: u64 = 2 << 20;
const CHECKED_STACK: u64 = 8 << 20;

/// Functions that nobody blames have this part of the fuel of others: what does not return among them is left
/// sooner.
const UNBLAMED_PART: u64 = 16;

/// All but the first eighth of each row of sequences have only this part of the fuel, though not less than
/// that: calls that do not return cost most of a search otherwise, and a few sequences that wait for them are
/// enough to know.
const PATIENT: u32 = FULL_SIZE / 8;
const LITTLE_PART: u64 = 64;
const LITTLE_FUEL: u64 = 100_000;

/// What a call costs beside its fuel, and what drawing its arguments does, in basic blocks.
const CALL_WORK: u64 = 500;

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
    targets: Vec<(Target, Function, Vec<Wish>)>,
    names: &'static [&'static str],
    /// Functions that are not called, and why.
    pub not_called: Vec<NotCalled>,
    /// What function pointers may point to.
    functions: Vec<(TypeId, &'static str, u64)>,
    ways: RefCell<Ways>,
    judge: Judge,
    roles: Roles,
    /// The kind of each function's result.
    kind_of: Vec<u32>,
    /// What the machine was set to last.
    present: Cell<machine::Settings>,
    /// For each function a table of its arguments, where they are counted.
    argument_tables: Vec<&'static str>,
    /// Functions that are called beside others.
    others: same::Others,
    /// Where the code opens files.
    folder: Option<Folder>,
    /// Whether the file has contracts, so that functions without one are not blamed.
    has_contracts: bool,
    settings: Settings,
    lines: lines::Lines,
    views: Vec<views::View>,
    /// Why calls were not made.
    refusals: refusals::Refusals,
    /// What was spent when a case was charged last.
    charged: Cell<machine::Spent>,
    /// What sequences have shown.
    features: features::Features,
    /// States from preconditions.
    states: states::States,
    /// For each function a table of the states that were made for it, and one of why none was.
    state_tables: Vec<&'static str>,
    no_state_tables: Vec<&'static str>,
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
    /// Numbers that are yet to be passed, the next one last.
    wanted: RefCell<Vec<i128>>,
    /// From how many numbers on the same ones are passed again and again in it: what was put in is met again
    /// then.
    n_enough: usize,
    /// How much it keeps to one object.
    devotion: make::Devotion,
    /// How often each function was refused since it was called last.
    n_refused: Vec<u8>,
    /// Whether the arguments at hand are a state from a precondition.
    is_state: bool,
    /// Whether calls that take long are cut short in it.
    is_hasty: bool,
    /// Whether doubtful arguments are passed in it.
    is_bold: bool,
    /// The last doubtful argument that was passed.
    doubted: Option<doubts::DoubtfulArgument>,
    /// Functions that did not return in it, or reached one without a body: they are not called again.
    hanging: Vec<usize>,
    /// Whether the sequence cannot go on.
    is_over: bool,
    shown: shown::Seen,
}

impl Calls {
    /// Loads the object of a project.
    ///
    /// # Errors
    /// If it cannot be loaded, or there is nothing to call.
    pub fn new(project: Project, mut settings: Settings) -> Result<Calls, CallsError> {
        // One that is not run counts as well: what it would have refused is passed to the function.
        let has_contracts = project.specs.contracts.iter().any(|contract| !contract.is_empty());
        settings.machine.stack_limit = match has_contracts {
            true => settings.stack_limit.unwrap_or(CHECKED_STACK).max(LEAST_CHECKED_STACK),
            false => settings.stack_limit.unwrap_or(PLAIN_STACK),
        };
        let machine = Machine::load(&project.object, project.is_instrumented, settings.machine)
            .map_err(CallsError::Load)?;
        if settings.machine.counts_edges {
            machine.watch(machine::Watch::Branches);
        }
        let (mut targets, not_called) =
            targets::targets(&project, &selection(&project, &settings), settings.init.as_deref());
        if targets.is_empty() {
            return Err(CallsError::NothingCallable(not_called));
        }
        if targets.len() > MANY_OPERATIONS {
            return Err(CallsError::TooMany(targets.len()));
        }
        let judge = Judge::new(&project, &machine, &settings)?;
        same::share_constants(&project, &mut targets, &settings);
        let others = same::others(&project, &machine, &targets, &settings)?;
        let with_wishes = |target: Target| {
            let missing = || CallsError::NoSuchFunction(target.name.to_string());
            let entry = machine.entry(target.address).ok_or_else(missing)?;
            let function = machine.function(entry, target.prototype.clone());
            let wishes = judge.wishes(&project, &target, &settings);
            Ok((target, function, wishes))
        };
        let mut kinds: Vec<aliases::Kind> = Vec::new();
        let kind_of: Vec<u32> =
            targets.iter().map(|target| place_of(&mut kinds, aliases::Kind::of(target))).collect();
        let mut targets = targets.into_iter().map(with_wishes).collect::<Result<Vec<_>, CallsError>>()?;
        let mut functions: Vec<_> = targets::pointed_to(&project, settings.is_hostile)
            .into_iter()
            .map(|(ty, name, address)| (ty, name, machine.address(address)))
            .collect();
        let mut allocators = targets::allocators(&project, &machine);
        allocators.retain(|(ty, ..)| !functions.iter().any(|(known, ..)| known == ty));
        functions.extend(allocators);
        let mut ways = Ways::default();
        let linked = make::linked_types(&project.program.types);
        for (target, _, wishes) in &mut targets {
            Calls::find_ways(&project, &functions, &kinds, &mut ways, target, wishes);
            for wish in wishes.iter_mut().filter(|wish| wish.is_apart && !wish.is_const) {
                wish.may_be_held = wish.object.is_some_and(|object| linked.contains(&object));
            }
        }
        let names: Vec<&'static str> = targets.iter().map(|(target, ..)| target.name).collect();
        let init = match &settings.init {
            None => None,
            Some(name) => {
                let place = names.iter().position(|known| known == name);
                Some(place.ok_or_else(|| CallsError::NoSuchFunction(name.clone()))?)
            }
        };
        let states = states::States::new(
            &project,
            &machine,
            targets.iter().map(|(target, _, wishes)| (target, &**wishes)),
            settings.from,
        );
        let roles = Roles::new(&project, &targets, &kind_of, init, &states, &settings)?;
        Ok(Calls {
            present: Cell::new(settings.machine),
            argument_tables: match settings.observes_arguments {
                true => names.iter().map(|name| &*arguments::table(name).leak()).collect(),
                false => Vec::new(),
            },
            roles,
            kind_of,
            refusals: refusals::Refusals::default(),
            charged: Cell::default(),
            features: features::Features::new(settings.has_feedback),
            state_tables: names.iter().map(|name| &*refusals::state_table(name).leak()).collect(),
            no_state_tables: names.iter().map(|name| &*refusals::no_state_table(name).leak()).collect(),
            states,
            lines: lines::Lines::new(&project),
            views: views::views(&project, targets.iter().map(|(target, ..)| target)),
            functions,
            names: names.leak(),
            targets,
            not_called,
            ways: RefCell::default(),
            judge,
            others,
            folder: None,
            has_contracts,
            settings,
            machine,
            project,
        })
    }

    /// Makes a folder what it was before each sequence.
    #[must_use]
    pub fn with_folder(self, folder: Folder) -> Calls {
        Calls { folder: Some(folder), ..self }
    }

    /// Charges a case for what was called since a case was charged last, and for a step of its own; returns
    /// the fuel that this took.
    fn charge(&self, case: &mut Case<'_>) -> u64 {
        let spent = self.machine.spent();
        let before = self.charged.replace(spent);
        let (n_calls, fuel) = (spent.n_calls - before.n_calls, spent.fuel - before.fuel);
        let in_contracts = self.judge.evaluator().take_spent();
        case.observed().work += fuel + in_contracts + (n_calls + 1) * CALL_WORK;
        fuel
    }

    /// Tells a case which branches were taken since it was asked last, where they are counted.
    pub(crate) fn note_edges(&self, case: &mut Case<'_>) {
        let observed = case.observed();
        if self.settings.machine.counts_edges {
            let feature = |edge: u16, n: u8| Feature::new(u32::from(edge) << 8 | u32::from(n), 0);
            self.machine.take_edges(|edge, n| observed.features.push(feature(edge, n)));
        }
    }

    /// Back to where every sequence begins.
    fn reset(&self) {
        self.machine.reset();
        self.judge.reset();
        stairway_sandbox::restore();
        if let Some(folder) = &self.folder {
            folder.restore();
        }
    }

    /// Looks for something to call, and for everything that options name; nothing is loaded for that. Gives
    /// the functions that will not be called.
    ///
    /// # Errors
    /// If there is nothing to call, or a function that the settings name is not there.
    pub fn look(project: &Project, settings: &Settings) -> Result<Vec<NotCalled>, CallsError> {
        let Selection { only, skip, makers, .. } = &settings.selection;
        let is_missing = |name: &&String| !project.sources.functions.iter().any(|f| f.name == **name);
        if let Some(name) = only.iter().chain(skip).chain(makers).find(is_missing) {
            return Err(CallsError::NoSuchFunction(name.clone()));
        }
        same::look(project, settings)?;
        if let Some(name) = &settings.invariant {
            judge::predicate(project, name)?;
        }
        let (targets, not_called) =
            targets::targets(project, &selection(project, settings), settings.init.as_deref());
        let weighed = settings.weights.iter().map(|(name, _)| name);
        let named = settings.init.iter().chain(settings.same.iter().map(|(one, _)| one)).chain(weighed);
        let mut named = named.chain(makers);
        let unknown = named.find(|name| !targets.iter().any(|target| target.name == **name));
        match (targets.len(), unknown) {
            (0, _) => Err(CallsError::NothingCallable(not_called)),
            (n, _) if n > MANY_OPERATIONS => Err(CallsError::TooMany(n)),
            (_, Some(name)) => Err(CallsError::NoSuchFunction(name.clone())),
            _ => Ok(not_called),
        }
    }

    /// What is needed for each parameter, and how the results of functions lead there.
    fn find_ways(
        project: &Project,
        functions: &[(TypeId, &'static str, u64)],
        kinds: &[aliases::Kind],
        ways: &mut Ways,
        target: &Target,
        wishes: &mut [Wish],
    ) {
        let types = &project.program.types;
        for (k, (ty, wish)) in target.parameters.iter().zip(wishes).enumerate() {
            let suitable = aliases::SuitableResults::of(target, k, wish.fresh != FreshMemory::No, kinds);
            let found = |from: &aliases::Kind| {
                // Without a contract, what an object holds is its own: passing it along with the object
                // would ask for what nobody promises.
                let all = match target.contract {
                    Some(_) => ways.between(types, from.ty, *ty),
                    None => ways.outer(types, from.ty, *ty),
                };
                suitable.among(from, all)
            };
            let found: Vec<_> = kinds.iter().map(found).collect();
            let leads = |k: &u32| !found[*k as usize].is_empty();
            wish.producers = (0..kinds.len() as u32).filter(leads).collect();
            wish.ways = found.into();
            wish.expect(&target.worth);
            wish.needs_none = match types.get(*ty) {
                CType::Pointer { to, .. } => {
                    wish.object = matches!(types.get(*to), CType::Record(_)).then_some(*to);
                    let is_sized = types.size(*to).is_some() || matches!(types.get(*to), CType::Void);
                    let has_fresh = wish.fresh != FreshMemory::No && is_sized;
                    wish.may_be_null
                        || has_fresh
                        || functions.iter().any(|(of, ..)| of == to)
                        || make::is_answerable(types, *to)
                }
                _ => true,
            };
        }
    }

    /// Draws the arguments of a call; `false` if there are none at present.
    fn arguments(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<bool> {
        let (target, _, wishes) = &self.targets[op];
        let mut buffer = std::mem::take(&mut sequence.buffer);
        buffer.clear();
        buffer.resize(target.prototype.arguments_size(), 0);
        let room = std::mem::take(&mut sequence.room);
        let materials = self.materials(sequence);
        let is_shown = step.is_shown();
        let mut making = ArgumentMaker::new(&materials, step, room);
        let (mut texts, mut doubted) = (Vec::new(), None);
        for (k, ty) in target.parameters.iter().enumerate() {
            match making.argument(*ty, &wishes[k], &mut buffer[target.prototype.place(k)])? {
                Some(text) => {
                    if is_shown {
                        texts.push(text);
                    }
                    doubted = doubted.or(making.doubt.map(|doubt| (k, doubt)));
                    if let Some(table) = self.argument_tables.get(op) {
                        let bytes = &buffer[target.prototype.place(k)];
                        let row =
                            arguments::row(&self.project.program.types, target, k, making.origin, bytes);
                        making.case().observed().collect(*table, &row);
                    }
                }
                None => {
                    sequence.room = making.finish(&buffer).room;
                    sequence.buffer = buffer;
                    sequence.standing.lacks(&self.roles, &wishes[k].producers);
                    let refusal = refusals::Refusal::Nothing(k);
                    self.refusals.note(op, refusal, step.case(), |_| (target.name, nothing_for(target, k)));
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

    /// Makes a state for a call, if that is its turn; `None` if it is not, or none could be made.
    fn state(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<Option<()>> {
        const ORIGINS: &[&str] = &["calls", "state"];
        /// How often arguments come from calls, against the weights of states.
        const CALLS: u32 = 2;
        /// After how many refusals a state is tried in a sequence of calls.
        const MANY_REFUSALS: u8 = 8;
        let (target, _, wishes) = &self.targets[op];
        let (weight, Some(contract)) = (self.states.weight(op), target.contract) else { return Ok(None) };
        if let Some(why) = self.states.obstacle(op) {
            step.case().observed().collect(self.no_state_tables[op], why);
            return Ok(None);
        }
        if weight == 0 {
            if let Some(why) = self.states.clash(op) {
                step.case().observed().collect(self.no_state_tables[op], why);
            }
            return Ok(None);
        }
        let has_calls = self.settings.from == From::Both && sequence.standing.is_met(&self.roles, op);
        let is_refused = sequence.n_refused.get(op).is_some_and(|n| *n >= MANY_REFUSALS);
        // Which sequences try states is decided by chance. A recorded one may have any, whatever was left out
        // of it.
        let is_recorded = step.choices().free_word().is_none() && !step.choices().is_searching();
        let is_possible = sequence.has_states || is_refused || is_recorded;
        let weights = [if has_calls { CALLS } else { 0 }, if is_possible { weight } else { 0 }];
        if weights == [0, 0] {
            return Ok(None);
        }
        let is_turn = step.choices().weighted(&weights, ORIGINS) == 1;
        if !is_turn {
            return Ok(None);
        }
        let contract = &self.project.specs.contracts[contract];
        let global_name = |address: u64| self.global_name(address);
        let mut sources = self.sources(op, sequence, &global_name);
        let request = states::Request { target, wishes, contract, n_nodes: None };
        let made = self.states.make(&self.project, &request, step, &mut sources)?;
        let blueprint = match made {
            Ok(blueprint) => blueprint,
            Err(span) => {
                let row = match self.states.clash(op) {
                    Some(why) => why.to_string(),
                    None => words::clause(&self.project, span),
                };
                step.case().observed().collect(self.no_state_tables[op], &row);
                return Ok(None);
            }
        };
        // What globals lead to would be lost.
        if blueprint.blocks.iter().any(|block| block.fixed.is_some()) && sequence.log.borrow().n_calls > 0 {
            return Ok(None);
        }
        if self.settings.observes_arguments {
            let row = format!("{} objects", blueprint.blocks.len());
            step.case().observed().collect(self.argument_tables[op], &row);
        }
        Ok(self.build(op, &blueprint, sequence, step).then_some(()))
    }

    fn global_name(&self, address: u64) -> Option<String> {
        let mut globals = self.project.program.globals.iter();
        let is_there = |at: u64| self.machine.address(at) == address;
        globals.find(|global| global.address.is_some_and(is_there)).map(|global| global.name.clone())
    }

    /// What open values of states are drawn from, for a call of a function.
    fn sources<'f>(
        &'f self,
        op: usize,
        sequence: &Sequence,
        global_name: &'f dyn Fn(u64) -> Option<String>,
    ) -> states::Sources<'f> {
        let worth = self.targets[op].2.iter().flat_map(Wish::worth_trying);
        let known = sequence.numbers.borrow();
        let known = known.iter().filter_map(|n| i64::try_from(*n).ok());
        states::Sources {
            numbers: known.chain(worth).collect(),
            functions: &self.functions,
            global_name,
            places: Vec::new(),
            owned: Vec::new(),
        }
    }

    /// Allocates and fills what a blueprint says; the arguments are in the buffer then.
    fn build(
        &self,
        op: usize,
        blueprint: &states::Blueprint,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> bool {
        let (target, ..) = &self.targets[op];
        let mut buffer = std::mem::take(&mut sequence.buffer);
        buffer.clear();
        buffer.resize(target.prototype.arguments_size(), 0);
        let room = std::mem::take(&mut sequence.room);
        let materials = self.materials(sequence);
        let mut making = ArgumentMaker::new(&materials, step, room);
        let is_built = making.state(blueprint, target, &mut buffer);
        let make::CallPreamble { declarations, made, room, .. } = making.finish(&buffer);
        sequence.room = room;
        sequence.shown.made.extend(made);
        for (name, (_, text)) in target.names.iter().zip(&blueprint.arguments) {
            step.show_argument(name, || text.clone());
        }
        declarations.into_iter().for_each(|line| step.show_note(|| line));
        sequence.buffer = buffer;
        sequence.is_state = is_built;
        is_built
    }

    fn materials<'m>(&'m self, sequence: &'m Sequence) -> Materials<'m> {
        Materials {
            machine: &self.machine,
            types: &self.project.program.types,
            ways: &self.ways,
            functions: &self.functions,
            variables: &sequence.variables,
            numbers: &sequence.numbers,
            wanted: &sequence.wanted,
            n_enough: sequence.n_enough,
            devotion: sequence.devotion,
            callbacks: &sequence.callbacks,
            favourites: &sequence.favourites,
            log: &sequence.log,
        }
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
        let sources = self.sources(op, sequence, &global_name);
        let mut stage = play::Stage::new(&self.states, step, sources);
        let Sequence { buffer, result, .. } = sequence;
        let called = (target, function);
        let judged = self.judge.call(&self.project, &self.machine, called, (buffer, result), &mut stage);
        self.features.end(&self.machine, &self.judge);
        let play::Stage { played, names, ended, unplayed, .. } = stage;
        for name in names {
            NoteTable::Played.put(step.case(), format!("`{name}`"));
        }
        for (noticed, line) in self.judge.observed().notes.drain(..) {
            noticed.put(step.case(), line);
        }
        if self.judge.observed().has_threads {
            NoteTable::Threads.put(step.case(), format!("`{}`", target.name));
        }
        for mut refusal in stairway_sandbox::take_refusals() {
            let (noticed, words) = NoteTable::of_sandbox(&refusal);
            step.show_note(|| format!("// {}: {words}", noticed.table()));
            // A name that was drawn tells nothing, and there are hundreds of them.
            if sequence.log.borrow().holds(refusal.about.as_bytes()) {
                refusal.about.clear();
            }
            noticed.put(step.case(), NoteTable::of_sandbox(&refusal).1);
        }
        if failing > 0 && self.judge.observed().has_failed_allocation {
            step.show_note(|| format!("// the {} of this call fails", words::nth_allocation(failing)));
        }
        match judged {
            judge::CallVerdict::Done => self.count_state(op, sequence, step, refusals::CALLABLE),
            judge::CallVerdict::Refused(refusal) => {
                self.count_state(op, sequence, step, refusals::NOT_CALLABLE);
                self.features.refused(op, refusal, step.case());
                self.refusals
                    .note(op, refusal, step.case(), |refusal| (target.name, refusal.words(&self.project)));
                return Ok(StepOutcome::Refused);
            }
            judge::CallVerdict::Unplayed => {
                if let Some(stop) = ended {
                    return Err(stop);
                }
                return Ok(self.without_body(op, mark, unplayed.unwrap_or_default(), sequence, step));
            }
            judge::CallVerdict::Failed(mut failure) => {
                if step.is_shown() {
                    self.show_failure(target, sequence, step, &mut failure);
                    self.advise(op, sequence, &mut failure);
                }
                return self.failed(op, mark, *failure, sequence, step);
            }
        }
        sequence.standing.done(&self.roles, op);
        if let Some(word) = step.choices().free_word() {
            sequence.standing.burst(&self.roles, op, word);
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

    /// Memory that was made for an argument is not freed by the function that ends its life as an object;
    /// nobody says that it may be used after that.
    fn mark_ended(&self, target: &Target, sequence: &mut Sequence) {
        if !target.is_ending || target.contract.is_some() || self.settings.is_hostile {
            return;
        }
        let place = target.prototype.place(0);
        let passed = sequence.buffer.get(place);
        let points_there = |variable: &Variable| {
            let mut pointer = [0; 8];
            self.machine.read(variable.address, &mut pointer) && Some(&pointer[..]) == passed
        };
        for variable in sequence.variables.iter_mut().filter(|variable| variable.made > 0) {
            variable.is_ended |= points_there(variable);
        }
    }

    /// Counts what became of a state.
    fn count_state(&self, op: usize, sequence: &Sequence, step: &mut Step<'_, '_>, row: &str) {
        if sequence.is_state {
            step.case().observed().collect(self.state_tables[op], row);
        }
    }

    /// Whether a function answers for what it does.
    fn is_blamed(&self, op: usize) -> bool {
        let target = &self.targets[op].0;
        if self.settings.selection.makers.iter().any(|maker| maker == target.name) {
            return false;
        }
        target.contract.is_some() || !self.has_contracts || self.settings.blames_all
    }

    /// A call went wrong: that fails the sequence, or the sequence goes on as if the call had not been made.
    fn failed(
        &self,
        op: usize,
        mark: Mark,
        failure: Failure,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<StepOutcome> {
        let (violation, is_deeper, is_tainted) = {
            let observed = self.judge.observed();
            (observed.violation.clone(), observed.is_deeper, observed.is_tainted)
        };
        if is_tainted {
            // A lock of the C library may be held for ever.
            stairway::__private::retire_worker();
        }
        let name = self.targets[op].0.name;
        let is_slow = violation.as_ref().is_some_and(Violation::is_hang);
        if let Some(missing) = violation.as_ref().and_then(Violation::missing) {
            return Ok(self.without_body(op, mark, words::missing(missing, name), sequence, step));
        }
        // Contracts that take longer than a call may: that is nobody's fault either.
        let is_in_contracts = !is_slow && words::is_hang(&failure.kind);
        match &violation {
            _ if is_in_contracts => NoteTable::Unchecked.put(step.case(), failure.text.clone()),
            Some(Violation::Exit { code, .. }) => {
                NoteTable::Exit.put(step.case(), format!("`{name}` with status {code}"));
            }
            Some(Violation::Waits { function, .. }) => {
                NoteTable::Waits.put(step.case(), format!("`{name}` in {function}"));
            }
            _ if is_slow && sequence.is_hasty => {
                NoteTable::Long.put(step.case(), format!("`{name}`"));
            }
            // What arbitrary arguments do to a function without a contract is nobody's fault; that it took
            // long, with the little fuel that it has, is not its callees' either.
            _ if !self.is_blamed(op) && (!is_deeper || is_slow) => {
                let what = failure_words::identity(&failure);
                NoteTable::NotBlamed.put(step.case(), format!("`{name}`: {what}"));
            }
            _ => return Err(Stop::fail(sequence.doubtful(failure))),
        }
        sequence.log.borrow_mut().cut(mark);
        if is_slow || is_in_contracts {
            sequence.hanging.push(op);
        }
        sequence.is_over = is_tainted || !self.restore(sequence);
        Ok(StepOutcome::Refused)
    }

    /// How many basic blocks a call may take; 0 for any number.
    fn fuel(&self, op: usize, is_hasty: bool) -> u64 {
        let all = self.settings.machine.fuel;
        let fuel = if self.is_blamed(op) { all } else { all.div_ceil(UNBLAMED_PART) };
        // Without what sets everything up there would be nothing to do.
        match is_hasty && !self.roles.is_init(op) {
            true => fuel.min((fuel / LITTLE_PART).max(LITTLE_FUEL)),
            false => fuel,
        }
    }

    /// A call reached a function that has no body and cannot be played: the sequence goes on as if the call
    /// had not been made.
    fn without_body(
        &self,
        op: usize,
        mark: Mark,
        line: String,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> StepOutcome {
        NoteTable::Missing.put(step.case(), line);
        let name = self.targets[op].0.name;
        self.refusals
            .note(op, refusals::Refusal::NoBody, step.case(), |why| (name, why.words(&self.project)));
        sequence.log.borrow_mut().cut(mark);
        sequence.hanging.push(op);
        sequence.is_over = !self.restore(sequence);
        StepOutcome::Refused
    }

    /// Comes back to the state after the last call that returned.
    fn restore(&self, sequence: &Sequence) -> bool {
        self.start_over(self.settings.machine.fill);
        let mut is_same = true;
        let came = self.again(&sequence.log.borrow(), false, &mut |made| {
            is_same = made.violation.is_none() && self.machine.flow() == made.call.flow;
            if !is_same {
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        is_same && came == again::Extent::Whole
    }

    /// A variable with the address of memory that was made.
    fn hold(&self, made: u64) -> Option<u64> {
        let address = self.machine.slot(8, 8)?;
        self.machine.write(address, &made.to_le_bytes()).then_some(address)
    }

    /// Where a function takes an object for good and returns one, the latter stands in its place: the next calls
    /// go on with it.
    fn replace_consumed(&self, op: usize, step: u32, sequence: &Sequence) {
        let (target, _, wishes) = &self.targets[op];
        let CType::Pointer { to, .. } = self.project.program.types.get(target.returns) else { return };
        let is_something = |bytes: &[u8]| bytes.iter().any(|byte| *byte != 0);
        let is_replaced = |(k, wish): (usize, &Wish)| {
            let passed = sequence.buffer.get(target.prototype.place(k));
            wish.is_consumed && wish.object == Some(*to) && passed.is_some_and(is_something)
        };
        if is_something(&sequence.result) && wishes.iter().enumerate().any(is_replaced) {
            sequence.favourites.borrow_mut().set(*to, step);
        }
    }

    /// Keeps a result in a variable of its own, if there is one and room for it.
    fn keep(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> bool {
        let (target, ..) = &self.targets[op];
        let types = &self.project.program.types;
        let size = sequence.result.len() as u64;
        if size == 0 {
            return false;
        }
        step.show_answer(|| self.answer(target, sequence));
        let address = self.machine.slot(size, types.align(target.returns).unwrap_or(16));
        match address {
            Some(address) if self.machine.write(address, &sequence.result) => {
                let (step, ty, kind) = (step.ordinal(), target.returns, self.kind_of[op]);
                sequence.variables.push(Variable { step, kind, ty, address, made: 0, is_ended: false });
                sequence.standing.gives(&self.roles, kind);
                self.replace_consumed(op, step, sequence);
                true
            }
            _ => false,
        }
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
            Some(0 | 1) => make::Devotion::One,
            Some(2) => make::Devotion::Any,
            _ => make::Devotion::Usual,
        };
        let is_hasty = is_searching(case) && case.choices().size() > PATIENT;
        let n_refused = vec![0; self.targets.len()];
        Ok(Sequence {
            standing,
            has_states,
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

/// The functions to call: neither the invariant nor those that are only called in place of others.
fn selection(project: &Project, settings: &Settings) -> Selection {
    let mut selection = settings.selection.clone();
    let has_contract = |name: &String| words::has_contract(project, name);
    let others = settings.same.iter().map(|(_, other)| other).filter(|other| !has_contract(other));
    selection.skip.extend(settings.invariant.iter().chain(others).cloned());
    selection
}

/// The place of a value in a list of distinct ones, to which it is added if it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> u32 {
    let place = list.iter().position(|known| *known == value).unwrap_or(list.len());
    if place == list.len() {
        list.push(value);
    }
    place as u32
}

/// In words: there is nothing that could be passed for a parameter.
fn nothing_for(target: &Target, k: usize) -> String {
    match target.names.get(k).filter(|name| !name.is_empty()) {
        Some(name) => format!("nothing to pass for `{name}`"),
        None => format!("nothing to pass as argument {}", k + 1),
    }
}

/// A failure at a place of the user's.
fn failure(kind: FailureKind, text: String, place: Option<Site>, details: String) -> Box<Failure> {
    Box::new(Failure::new(kind).shown_by(Evidence { place, text, details, ..Evidence::default() }))
}
