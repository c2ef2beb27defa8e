//! Calls of C functions as the engine's programs.
//!
//! Receives a project and its loaded machine; hands the engine its operations: one for each function that can be called.
//! A step draws the arguments (`make`), asks the contract whether the call is allowed, makes it, and judges what
//! happened (`judge`). Sequences, shrinking and counting are the engine's; evaluating contracts is `evaluate`'s.

mod again;
mod folder;
mod judge;
mod lent;
pub(crate) mod lines;
mod log;
mod make;
mod names;
mod nested;
pub(crate) mod refusals;
mod same;
mod settings;
mod shown;
mod targets;
pub(crate) mod text;
mod views;
pub(crate) mod words;
mod worth;

pub use folder::Folder;
pub use make::{Fresh, Variable, Wish};
pub use settings::{CallsError, Settings, Undefined};
pub use targets::{NotCalled, Selection, Target};
pub use worth::Worth;

use crate::ctypes::{CType, TypeId};
use crate::machine::{self, Function, Machine, Violation};
use crate::noticed::Noticed;
use crate::project::Project;
use judge::Judge;
use log::{Call, Log, Mark, Patch};
use make::{Making, Materials};
use stairway::{Case, Checked, Failure, MAX_OPERATIONS, Operations, Step, Stepped, Stop};
use std::cell::RefCell;
use std::ops::ControlFlow;
use targets::Ways;

/// How many bytes are looked through for pointers at the end of a sequence, at most: a fraction of a millisecond.
const MOST_LOOKED_THROUGH: u64 = 1 << 16;

/// Allocations up to this one may fail.
const LAST_FAILING: u64 = 24;

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
    init: Option<usize>,
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
}

/// A sequence on its way.
#[derive(Debug, Default)]
pub struct Sequence {
    variables: Vec<Variable>,
    /// The functions that gave them, a bit for each.
    produced: u128,
    buffer: Vec<u8>,
    /// What of the arguments depends on where things are.
    patches: Vec<Patch>,
    /// Objects made for the arguments.
    held: Vec<make::Held>,
    /// What objects there are that were made for earlier calls: their types.
    made: Vec<TypeId>,
    result: Vec<u8>,
    /// Numbers that were passed, the last ones.
    numbers: RefCell<Vec<i128>>,
    log: RefCell<Log>,
    /// Which allocation fails; 0 if none does.
    failing_allocation: u64,
    /// Whether a call has returned.
    has_begun: bool,
    /// Whether the sequence cannot go on.
    is_over: bool,
    shown: shown::Seen,
}

impl Calls {
    /// Loads the object of a project.
    ///
    /// # Errors
    /// If it cannot be loaded, or there is nothing to call.
    pub fn new(project: Project, settings: Settings) -> Result<Calls, CallsError> {
        let machine = Machine::load(&project.object, project.is_instrumented, settings.machine)
            .map_err(CallsError::Load)?;
        let (mut targets, not_called) = targets::targets(&project, &selection(&project, &settings));
        if targets.is_empty() {
            return Err(CallsError::NothingCallable(not_called));
        }
        if targets.len() > MAX_OPERATIONS {
            return Err(CallsError::TooMany(targets.len()));
        }
        let is_run =
            |contract: &crate::spec::checked::Contract| contract.not_run.is_none() && !contract.is_empty();
        let has_contracts = project.specs.contracts.iter().any(is_run);
        let judge = Judge::new(&project, &machine, &settings)?;
        same::share_constants(&project, &mut targets, &settings);
        let others = same::others(&project, &machine, &targets, &settings)?;
        let with_wishes = |target: Target| {
            let function = machine.function(machine.address(target.address), target.prototype.clone());
            let wishes = judge.wishes(&project, &target, &settings);
            (target, function, wishes)
        };
        let returns: Vec<TypeId> = targets.iter().map(|target| target.returns).collect();
        let mut targets: Vec<_> = targets.into_iter().map(with_wishes).collect();
        let functions: Vec<_> = targets::pointed_to(&project, settings.is_hostile)
            .into_iter()
            .map(|(ty, name, address)| (ty, name, machine.address(address)))
            .collect();
        for (target, _, wishes) in &mut targets {
            Calls::find_ways(&project, &functions, &returns, target, wishes);
        }
        let names: Vec<&'static str> = targets.iter().map(|(target, ..)| target.name).collect();
        let init = match &settings.init {
            None => None,
            Some(name) => {
                let place = names.iter().position(|known| known == name);
                Some(place.ok_or_else(|| CallsError::NoSuchFunction(name.clone()))?)
            }
        };
        Ok(Calls {
            refusals: refusals::Refusals::default(),
            lines: lines::Lines::new(&project, &machine),
            views: views::views(&project, targets.iter().map(|(target, ..)| target)),
            functions,
            names: names.leak(),
            targets,
            not_called,
            ways: RefCell::default(),
            judge,
            init,
            others,
            folder: None,
            has_contracts,
            settings,
            machine,
            project,
        })
    }

    /// Empties a folder before each sequence.
    #[must_use]
    pub fn with_folder(self, folder: Folder) -> Calls {
        Calls { folder: Some(folder), ..self }
    }

    /// Back to where every sequence begins.
    fn reset(&self) {
        self.machine.reset();
        self.judge.reset();
        if let Some(folder) = &self.folder {
            folder.empty();
        }
    }

    /// Looks for something to call, and for everything that options name; nothing is loaded for that. Gives the functions
    /// that will not be called.
    ///
    /// # Errors
    /// If there is nothing to call, or a function that the settings name is not there.
    pub fn look(project: &Project, settings: &Settings) -> Result<Vec<NotCalled>, CallsError> {
        let Selection { only, skip, .. } = &settings.selection;
        let is_missing = |name: &&String| !project.sources.functions.iter().any(|f| f.name == **name);
        if let Some(name) = only.iter().chain(skip).find(is_missing) {
            return Err(CallsError::NoSuchFunction(name.clone()));
        }
        same::look(project, settings)?;
        if let Some(name) = &settings.invariant {
            judge::predicate(project, name)?;
        }
        let (targets, not_called) = targets::targets(project, &selection(project, settings));
        let mut named = settings.init.iter().chain(settings.same.iter().map(|(one, _)| one));
        let unknown = named.find(|name| !targets.iter().any(|target| target.name == **name));
        match (targets.len(), unknown) {
            (0, _) => Err(CallsError::NothingCallable(not_called)),
            (n, _) if n > MAX_OPERATIONS => Err(CallsError::TooMany(n)),
            (_, Some(name)) => Err(CallsError::NoSuchFunction(name.clone())),
            _ => Ok(not_called),
        }
    }

    /// What is needed for each parameter, and how the results of functions lead there.
    fn find_ways(
        project: &Project,
        functions: &[(TypeId, &'static str, u64)],
        returns: &[TypeId],
        target: &Target,
        wishes: &mut [Wish],
    ) {
        let types = &project.program.types;
        let mut ways = Ways::default();
        for (ty, wish) in target.parameters.iter().zip(wishes) {
            // Without a contract, what an object holds is its own: passing it along with the object
            // would ask for what nobody promises.
            let is_inner = |way: &targets::Way| way.is_through && target.contract.is_none();
            let mut between = |from: &TypeId| -> std::rc::Rc<[targets::Way]> {
                ways.between(types, *from, *ty).iter().filter(|way| !is_inner(way)).cloned().collect()
            };
            let found: Vec<_> = returns.iter().map(&mut between).collect();
            let bit = |(k, ways): (usize, &std::rc::Rc<[targets::Way]>)| u128::from(!ways.is_empty()) << k;
            wish.producers = found.iter().enumerate().map(bit).sum();
            wish.ways = found.into();
            wish.expect(&target.worth);
            wish.needs_none = match types.get(*ty) {
                CType::Pointer { to, .. } => {
                    wish.object = matches!(types.get(*to), CType::Record(_)).then_some(*to);
                    let is_sized = types.size(*to).is_some() || matches!(types.get(*to), CType::Void);
                    let has_fresh = wish.fresh != Fresh::No && is_sized;
                    wish.may_be_null || has_fresh || functions.iter().any(|(of, ..)| of == to)
                }
                _ => true,
            };
        }
    }

    /// Draws the arguments of a call; `None` if there are none at present.
    fn arguments(
        &self,
        op: usize,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<Option<Vec<String>>> {
        let (target, _, wishes) = &self.targets[op];
        let mut buffer = std::mem::take(&mut sequence.buffer);
        buffer.clear();
        buffer.resize(target.prototype.arguments_size(), 0);
        let materials = Materials {
            machine: &self.machine,
            types: &self.project.program.types,
            ways: &self.ways,
            functions: &self.functions,
            variables: &sequence.variables,
            numbers: &sequence.numbers,
            log: &sequence.log,
        };
        let mut making = Making::new(&materials, step, std::mem::take(&mut sequence.patches));
        let mut texts = Vec::new();
        for (k, ty) in target.parameters.iter().enumerate() {
            match making.argument(*ty, &wishes[k], &mut buffer[target.prototype.place(k)])? {
                Some(text) => texts.push(text),
                None => {
                    sequence.buffer = buffer;
                    let refusal = refusals::Refusal::Nothing(k);
                    self.refusals.note(op, refusal, step.case(), |_| (target.name, nothing_for(target, k)));
                    return Ok(None);
                }
            }
        }
        let make::Finished { declarations, made, held, patches } = making.finish(&buffer);
        (sequence.patches, sequence.held) = (patches, held);
        sequence.shown.made.extend(made);
        for (name, text) in target.names.iter().zip(&texts) {
            step.show_argument(name, || text.clone());
        }
        declarations.into_iter().for_each(|line| step.show_note(|| line));
        sequence.buffer = buffer;
        Ok(Some(texts))
    }

    /// Makes a call whose arguments are in the buffer.
    fn call(
        &self,
        op: usize,
        mark: Mark,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<Stepped> {
        let (target, function, _) = &self.targets[op];
        sequence.result.clear();
        sequence.result.resize(target.prototype.result_size(), 0);
        let arguments = sequence.log.borrow_mut().keep(&sequence.buffer, sequence.patches.drain(..));
        if step.is_shown() {
            self.show_entry(target, sequence, step);
        }
        let Sequence { buffer, result, .. } = sequence;
        let judged = self.judge.call(&self.project, &self.machine, target, function, buffer, result);
        for (noticed, line) in self.judge.observed().notes.drain(..) {
            noticed.put(step.case(), line);
        }
        let failing = sequence.failing_allocation;
        if failing > 0 && self.judge.observed().has_failed_allocation {
            step.show_note(|| format!("// the {} fails", words::nth_allocation(failing)));
        }
        match judged {
            judge::Judged::Done => {}
            judge::Judged::Refused(refusal) => {
                self.refusals
                    .note(op, refusal, step.case(), |refusal| (target.name, refusal.words(&self.project)));
                return Ok(Stepped::Refused);
            }
            judge::Judged::Failed(mut failure) => {
                if step.is_shown() {
                    self.show_failure(target, sequence, step, &mut failure);
                }
                return self.failed(op, mark, *failure, sequence, step);
            }
        }
        sequence.has_begun = true;
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
        log.called(Call { op, arguments, result, flow, read, effects, is_kept });
        for held in sequence.held.drain(..) {
            if let Some(address) = self.hold(held.address) {
                log.held(held.allocation);
                let (step, op) = (step.ordinal(), Variable::NO_FUNCTION);
                if !sequence.made.contains(&held.of) {
                    sequence.made.push(held.of);
                }
                sequence.variables.push(Variable { step, op, ty: held.ty, address, made: held.made });
            }
        }
        drop(log);
        drop(observed);
        if step.is_shown() {
            self.show_state(sequence, step);
        }
        Ok(Stepped::Done)
    }

    /// Whether a function answers for what it does.
    fn is_blamed(&self, op: usize) -> bool {
        self.targets[op].0.contract.is_some() || !self.has_contracts || self.settings.blames_all
    }

    /// A call went wrong: that fails the sequence, or the sequence goes on as if the call had not been made.
    fn failed(
        &self,
        op: usize,
        mark: Mark,
        failure: Failure,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<Stepped> {
        let (violation, is_deeper, is_tainted) = {
            let observed = self.judge.observed();
            (observed.violation.clone(), observed.is_deeper, observed.is_tainted)
        };
        let name = self.targets[op].0.name;
        match violation {
            Some(Violation::Exit { code, .. }) => {
                Noticed::Exit.put(step.case(), format!("`{name}` with status {code}"));
            }
            // What arbitrary arguments do to a function without a contract is nobody's fault.
            _ if !self.is_blamed(op) && !is_deeper => {
                Noticed::NotBlamed.put(step.case(), failure.identity.into_owned());
            }
            _ => return Err(Stop::fail(failure)),
        }
        sequence.log.borrow_mut().cut(mark);
        let is_slow = matches!(violation, Some(Violation::Timeout { .. }));
        sequence.is_over = is_tainted || is_slow || !self.restore(sequence);
        Ok(Stepped::Refused)
    }

    /// Comes back to the state after the last call that returned.
    fn restore(&self, sequence: &Sequence) -> bool {
        self.start_over(self.settings.machine.fill, sequence.failing_allocation);
        let mut is_same = true;
        let came = self.again(&sequence.log.borrow(), false, &mut |made| {
            is_same = made.violation.is_none() && self.machine.flow() == made.call.flow;
            if !is_same {
                return ControlFlow::Break(());
            }
            self.judge.ask_again(&self.machine);
            ControlFlow::Continue(())
        });
        is_same && came == again::Came::Through
    }

    /// Notes blocks that nothing leads to. Results stay in their variables, so these are lost to the program itself.
    fn note_lost_blocks(&self, case: &mut Case<'_>) {
        // Nothing was allocated by the code, or too much to look through after each sequence.
        let mut blocks = (0..self.machine.n_blocks()).filter_map(|k| self.machine.block(machine::BlockId(k)));
        let is_possible = blocks.any(|block| block.is_live && block.allocated_at.is_some());
        if !is_possible || self.machine.n_reachable_bytes() > MOST_LOOKED_THROUGH {
            return;
        }
        for block in self.machine.unreachable_blocks(&[]) {
            if let Some(place) = block.allocated_at.map(|pc| words::at(&self.project, pc)) {
                Noticed::Lost.put(case, format!("allocated at {place}"));
            }
        }
    }

    /// A variable with the address of memory that was made.
    fn hold(&self, made: u64) -> Option<u64> {
        let address = self.machine.slot(8, 8)?;
        self.machine.write(address, &made.to_le_bytes()).then_some(address)
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
                let (step, ty) = (step.ordinal(), target.returns);
                sequence.variables.push(Variable { step, op: op as u32, ty, address, made: 0 });
                sequence.produced |= 1 << op;
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
        if !self.settings.fails_allocations {
            self.reset();
            return Ok(Sequence::default());
        }
        let failing_allocation = case.choices().unsigned(0, LAST_FAILING, 0);
        self.start_over(self.settings.machine.fill, failing_allocation);
        Ok(Sequence { failing_allocation, ..Sequence::default() })
    }

    fn weight(&self, op: usize, state: &Sequence) -> u32 {
        if self.init.is_some_and(|init| !state.has_begun && op != init) {
            return 0;
        }
        let (_, _, wishes) = &self.targets[op];
        u32::from(wishes.iter().all(|wish| {
            let is_made = || wish.object.is_some_and(|object| state.made.contains(&object));
            wish.needs_none || wish.producers & state.produced != 0 || is_made()
        }))
    }

    fn step(&self, op: usize, state: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<Stepped> {
        let mark = state.log.borrow().mark();
        match self.arguments(op, state, step)? {
            Some(_) => self.call(op, mark, state, step),
            None => Ok(Stepped::Refused),
        }
    }

    fn finish(&self, sequence: Sequence, case: &mut Case<'_>) -> Checked {
        self.lines.note(&self.machine, case);
        if !sequence.is_over {
            self.note_lost_blocks(case);
            self.check_same(&sequence)?;
        }
        self.check_garbage(&sequence, case)
    }

    fn is_over(&self, sequence: &Sequence) -> bool {
        sequence.is_over
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}

/// The functions to call: neither the invariant nor those that are only called in place of others.
fn selection(project: &Project, settings: &Settings) -> Selection {
    let mut selection = settings.selection.clone();
    let has_contract = |name: &String| words::has_contract(project, name);
    let others = settings.same.iter().map(|(_, other)| other).filter(|other| !has_contract(other));
    selection.skip.extend(settings.invariant.iter().chain(others).cloned());
    selection
}

/// In words: there is nothing that could be passed for a parameter.
fn nothing_for(target: &Target, k: usize) -> String {
    match target.names.get(k).filter(|name| !name.is_empty()) {
        Some(name) => format!("{} for `{name}`", refusals::NOTHING),
        None => format!("{} as argument {}", refusals::NOTHING, k + 1),
    }
}

/// A failure at a place of the user's.
fn failure(identity: String, message: String, place: String, details: String) -> Box<Failure> {
    let mut failure = Failure::of(identity, message);
    failure.place = place;
    failure.details = details;
    Box::new(failure)
}
