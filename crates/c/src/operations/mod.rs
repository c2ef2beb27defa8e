//! Calls of C functions as the engine's programs.
//!
//! Receives a project and its loaded machine; hands the engine its operations: one for each function that can be called.
//! A step draws the arguments (`make`), asks the contract whether the call is allowed, makes it, and judges what
//! happened (`judge`). Sequences, shrinking and counting are the engine's; evaluating contracts is `evaluate`'s.

mod judge;
pub(crate) mod lines;
mod make;
mod names;
mod shown;
mod targets;
pub(crate) mod text;
mod views;
mod words;

pub use make::{Fresh, Variable, Wish};
pub use targets::{NotCalled, Selection, Target};

use crate::ctypes::{CType, TypeId};
use crate::machine::{self, Function, LoadError, Machine};
use crate::project::Project;
use judge::Judge;
use make::{Making, Materials};
use stairway::{Case, Checked, Failure, MAX_OPERATIONS, Operations, Step, Stepped, Stop};
use std::cell::RefCell;
use targets::Ways;

/// How sequences are run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which functions are called.
    pub selection: Selection,
    /// The function that begins every sequence.
    pub init: Option<String>,
    /// A C predicate that must hold after every call.
    pub invariant: Option<String>,
    /// Whether pointers may be NULL without a contract's consent.
    pub is_hostile: bool,
    /// Whether functions without a contract are blamed in a file with contracts.
    pub blames_all: bool,
    /// What is done about undefined arithmetic.
    pub undefined: Undefined,
    /// Limits of a call.
    pub machine: machine::Settings,
}

/// What is done about undefined arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// It fails a function that has a contract, and is noted elsewhere.
    All,
    /// It is noted.
    Memory,
    /// It is not mentioned.
    Off,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            selection: Selection::default(),
            init: None,
            invariant: None,
            is_hostile: false,
            blames_all: false,
            undefined: Undefined::All,
            machine: machine::Settings::default(),
        }
    }
}

/// Why nothing can be run.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallsError {
    /// The object cannot be loaded.
    Load(LoadError),
    /// No function can be called: those that were looked at, and why not.
    NothingCallable(Vec<NotCalled>),
    /// A function named by an option is not in the program.
    NoSuchFunction(String),
    /// A function named as an invariant cannot be one.
    NotAPredicate(String),
    /// More functions than sequences are made of.
    TooMany(usize),
}

impl std::fmt::Display for CallsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            CallsError::Load(error) => error.fmt(f),
            CallsError::NothingCallable(refused) => {
                f.write_str("no function can be called")?;
                refused.iter().try_for_each(|not| write!(f, "\n  {}: {}", not.name, not.why))
            }
            CallsError::NoSuchFunction(name) => {
                write!(f, "there is no function `{name}` with a body in the files; check the name")
            }
            CallsError::NotAPredicate(name) => {
                write!(f, "`{name}` cannot be an invariant: it must take nothing and return a number")
            }
            CallsError::TooMany(n) => write!(
                f,
                "sequences are made of at most {MAX_OPERATIONS} functions, and there are {n}: choose some with --only"
            ),
        }
    }
}

impl std::error::Error for CallsError {}

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
    /// Whether the file has contracts, so that functions without one are not blamed.
    has_contracts: bool,
    settings: Settings,
    lines: lines::Lines,
    views: Vec<views::View>,
}

/// A sequence on its way.
#[derive(Debug, Default)]
pub struct Sequence {
    variables: Vec<Variable>,
    buffer: Vec<u8>,
    result: Vec<u8>,
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
        let mut selection = settings.selection.clone();
        selection.skip.extend(settings.invariant.clone());
        let (targets, not_called) = targets::targets(&project, &selection);
        if targets.is_empty() {
            return Err(CallsError::NothingCallable(not_called));
        }
        if targets.len() > MAX_OPERATIONS {
            return Err(CallsError::TooMany(targets.len()));
        }
        let has_contracts = targets.iter().any(|target| target.contract.is_some());
        let judge = Judge::new(&project, &machine, &settings)?;
        let with_wishes = |target: Target| {
            let function = machine.function(machine.address(target.address), target.prototype.clone());
            let wishes = judge.wishes(&project, &target, &settings);
            (target, function, wishes)
        };
        let targets: Vec<_> = targets.into_iter().map(with_wishes).collect();
        let names: Vec<&'static str> = targets.iter().map(|(target, ..)| target.name).collect();
        let init = match &settings.init {
            None => None,
            Some(name) => {
                let place = names.iter().position(|known| known == name);
                Some(place.ok_or_else(|| CallsError::NoSuchFunction(name.clone()))?)
            }
        };
        let functions = project.program.functions.iter().filter_map(|function| {
            let address = machine.address(function.address?);
            Some((function.ty, &*function.name.clone().leak(), address))
        });
        Ok(Calls {
            lines: lines::Lines::new(&project, &machine),
            views: views::views(&project, targets.iter().map(|(target, ..)| target)),
            functions: functions.collect(),
            names: names.leak(),
            targets,
            not_called,
            ways: RefCell::default(),
            judge,
            init,
            has_contracts,
            settings,
            machine,
            project,
        })
    }

    /// Looks for something to call; nothing is loaded for that. Gives the functions that will not be called.
    ///
    /// # Errors
    /// If there is nothing to call, or a function that the settings name is not there.
    pub fn look(project: &Project, settings: &Settings) -> Result<Vec<NotCalled>, CallsError> {
        let Selection { only, skip } = &settings.selection;
        let is_missing = |name: &&String| !project.sources.functions.iter().any(|f| f.name == **name);
        let mut named = only.iter().chain(skip).chain(&settings.init).chain(&settings.invariant);
        if let Some(name) = named.find(is_missing) {
            return Err(CallsError::NoSuchFunction(name.clone()));
        }
        if let Some(name) = settings.invariant.as_ref().filter(|name| !is_predicate(project, name)) {
            return Err(CallsError::NotAPredicate(name.clone()));
        }
        let mut selection = settings.selection.clone();
        selection.skip.extend(settings.invariant.clone());
        let (targets, not_called) = targets::targets(project, &selection);
        match targets.len() {
            0 => Err(CallsError::NothingCallable(not_called)),
            n if n > MAX_OPERATIONS => Err(CallsError::TooMany(n)),
            _ => Ok(not_called),
        }
    }

    /// Whether an argument of this type can be had in this state.
    fn can_be_made(&self, ty: TypeId, wish: &Wish, sequence: &Sequence) -> bool {
        let types = &self.project.program.types;
        let CType::Pointer { to, .. } = types.get(ty) else { return true };
        if wish.may_be_null {
            return true;
        }
        let has_fresh =
            wish.fresh != Fresh::No && (types.size(*to).is_some() || matches!(types.get(*to), CType::Void));
        let is_function = self.functions.iter().any(|(of, ..)| of == to);
        let mut ways = self.ways.borrow_mut();
        has_fresh
            || is_function
            || sequence.variables.iter().any(|variable| !ways.between(types, variable.ty, ty).is_empty())
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
            constants: &target.constants,
            variables: &sequence.variables,
        };
        let mut making = Making::new(&materials, step);
        let mut texts = Vec::new();
        for (k, ty) in target.parameters.iter().enumerate() {
            match making.argument(*ty, &wishes[k], &mut buffer[target.prototype.place(k)])? {
                Some(text) => texts.push(text),
                None => {
                    sequence.buffer = buffer;
                    return Ok(None);
                }
            }
        }
        let declarations = making.declarations;
        sequence.shown.made.extend(making.made);
        for (name, text) in target.names.iter().zip(&texts) {
            step.show_argument(name, || text.clone());
        }
        declarations.into_iter().for_each(|line| step.show_note(|| line));
        sequence.buffer = buffer;
        Ok(Some(texts))
    }

    /// Makes a call whose arguments are in the buffer.
    fn call(&self, op: usize, sequence: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<Stepped> {
        let (target, function, _) = &self.targets[op];
        sequence.result.clear();
        sequence.result.resize(target.prototype.result_size(), 0);
        let is_blamed = target.contract.is_some() || !self.has_contracts || self.settings.blames_all;
        if step.is_shown() {
            self.show_entry(target, sequence, step);
        }
        let Sequence { buffer, result, .. } = sequence;
        match self.judge.call(&self.project, &self.machine, target, function, buffer, result) {
            judge::Judged::Done => {}
            judge::Judged::Refused(clause) => {
                step.case().collect(format!("preconditions of {}", target.name), clause);
                return Ok(Stepped::Refused);
            }
            // What arbitrary arguments do to a function without a contract is nobody's fault.
            judge::Judged::Failed(failure) if !is_blamed => {
                let _ = failure;
                self.lines.note(&self.machine, step.case());
                return Err(Stop::discard(stairway::Discard::Partial(stairway::Place::from(
                    std::panic::Location::caller(),
                ))));
            }
            judge::Judged::Failed(mut failure) => {
                if step.is_shown() {
                    self.show_failure(target, sequence, step, &mut failure);
                }
                return Err(Stop::fail(*failure));
            }
        }
        self.keep(target, sequence, step);
        if step.is_shown() {
            self.show_state(sequence, step);
        }
        Ok(Stepped::Done)
    }

    /// Keeps a result in a variable of its own.
    fn keep(&self, target: &Target, sequence: &mut Sequence, step: &mut Step<'_, '_>) {
        let types = &self.project.program.types;
        let size = sequence.result.len() as u64;
        if size == 0 {
            return;
        }
        step.show_answer(|| self.answer(target, sequence));
        if let Some(address) = self.machine.slot(size, types.align(target.returns).unwrap_or(16))
            && self.machine.write(address, &sequence.result)
        {
            sequence.variables.push(Variable { step: step.ordinal(), ty: target.returns, address });
        }
    }
}

impl Operations for Calls {
    type State = Sequence;

    fn names(&self) -> &'static [&'static str] {
        self.names
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<Sequence> {
        self.machine.reset();
        self.judge.reset();
        Ok(Sequence::default())
    }

    fn weight(&self, op: usize, state: &Sequence) -> u32 {
        if let Some(init) = self.init {
            let is_first = state.variables.is_empty() && self.machine.n_blocks() == 0;
            if is_first && op != init {
                return 0;
            }
        }
        let (target, _, wishes) = &self.targets[op];
        let mut parameters = target.parameters.iter().zip(wishes);
        u32::from(parameters.all(|(ty, wish)| self.can_be_made(*ty, wish, state)))
    }

    fn step(&self, op: usize, state: &mut Sequence, step: &mut Step<'_, '_>) -> Checked<Stepped> {
        match self.arguments(op, state, step)? {
            Some(_) => self.call(op, state, step),
            None => Ok(Stepped::Refused),
        }
    }

    fn finish(&self, _: Sequence, case: &mut Case<'_>) -> Checked {
        self.lines.note(&self.machine, case);
        Ok(())
    }

    fn may_be_stuck(&self) -> bool {
        true
    }
}

/// Whether a function can be asked after every call: it takes nothing and returns a number.
fn is_predicate(project: &Project, name: &str) -> bool {
    let types = &project.program.types;
    let is_one = |function: &&crate::dwarf::CFunction| {
        function.is_defined
            && function.name == name
            && function.signature.parameters.is_empty()
            && types.size(function.signature.returns).is_some_and(|size| (1..=8).contains(&size))
    };
    project.program.functions.iter().any(|function| is_one(&function))
}

/// A failure at a place of the user's.
fn failure(identity: String, message: String, place: String, details: String) -> Box<Failure> {
    let mut failure = Failure::of(identity, message);
    failure.place = place;
    failure.details = details;
    Box::new(failure)
}
