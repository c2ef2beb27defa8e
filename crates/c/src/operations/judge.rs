//! Judges one call by its contract: may it be made, and was its outcome right.
//!
//! The footprint of the precondition is what the call may touch. Afterwards the postcondition must hold, its
//! footprint must be handed back, and nothing may be left over. Nested calls and probes in bodies are judged
//! in `nested`.

use super::contract_memory::ContractMemory;
use super::make::{FreshMemory, ParameterHints};
use super::nested_calls::{NestedCalls, ProbeSite, intercept, probed};
use super::play::Player;
use super::targets::Target;
use super::{CallsError, Settings, UndefinedPolicy, absent, failures};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::evaluate::{self, Addresses, CallEntry, Evaluator, HintKind, Stop, ValueText};
use crate::facts::{Note, Refusal, UncheckedPart};
use crate::finding::{Hint, UndefinedPlace};
use crate::machine::{FrameOpening, Function, Limit, Machine, Pc, Prototype, Range, Report, Violation};
use crate::project::Project;
use crate::spec::checked::Clause;
use num_bigint::BigInt;
use stairway::report::{ContractClause, Failure};
use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

/// Judges calls by their contracts.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) evaluator: RefCell<Evaluator>,
    /// What stands at each probe.
    pub(super) probes: Vec<Option<ProbeSite>>,
    undefined: UndefinedPolicy,
    /// How many operations the contracts of a call may take: as many as it may run basic blocks, which take
    /// about as long.
    allowance: u64,
    /// The C predicate that must hold after every call.
    invariant: Option<(String, Function)>,
    /// Undefined arithmetic under a contract is a failure of its own.
    is_strict: bool,
    observed: RefCell<CallRecord>,
    /// Whether garbage passes for values since the sequence began, because a trusted function says so.
    pub(super) is_decreed: Cell<bool>,
}

/// What the machine saw in the last call from the top.
#[derive(Clone, Debug, Default)]
pub(super) struct CallRecord {
    /// A hash of the basic blocks that ran.
    pub(super) flow: u64,
    /// The first read of uninitialised bytes, and where if that is known.
    pub(super) read: Option<Option<Pc>>,
    /// Undefined arithmetic, and whether a contract answers for it.
    pub(super) undefined: Vec<(bool, UndefinedPlace)>,
    /// What was not checked.
    pub(super) unchecked: Vec<UncheckedPart>,
    /// Whether a function with a contract, called by the one from the top, is at fault.
    pub(super) is_deeper: bool,
    /// Whether an allocation failed.
    pub(super) has_failed_allocation: bool,
    /// Whether threads were started.
    pub(super) has_threads: bool,
    /// Whether a library function was left in the middle.
    pub(super) is_tainted: bool,
    /// How the call ended, if it did not return.
    pub(super) violation: Option<Violation>,
}

impl CallRecord {
    /// What is noted of a call. Nothing is left of it here.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        let undefined = self.undefined.drain(..);
        let undefined =
            undefined.map(|(is_under_contract, place)| Note::Undefined { is_under_contract, place });
        undefined.chain(self.unchecked.drain(..).map(Note::Unchecked)).collect()
    }
}

/// What came of a call.
pub(super) enum CallVerdict {
    /// It returned, and all is well.
    Done,
    /// It may not be made here.
    Refused(Refusal),
    /// Something is wrong.
    Failed(Box<Failure>),
    /// It met a function without a body that could not be played; the player knows why.
    Unplayed,
}

/// Where the globals and functions are that specs can name. A function without a body is where its stub is.
pub(super) fn addresses(project: &Project, machine: &Machine) -> Addresses {
    let program = &project.program;
    let place = |address: Option<u64>| address.map(|offset| machine.address(offset));
    let code = |name: &str| machine.symbol(name).filter(|symbol| symbol.is_function).map(|s| s.address);
    // The linker may lead to another one by this name.
    let stub = |name: &str| code(&format!("__wrap_{name}")).or_else(|| code(name));
    let function = |k: &usize| {
        let function = &program.functions[*k];
        place(function.address).or_else(|| stub(&function.name))
    };
    Addresses {
        globals: project.globals.iter().map(|k| place(program.globals[*k].address)).collect(),
        functions: project.functions.iter().map(function).collect(),
    }
}

impl Judge {
    pub(crate) fn new(
        project: &Project,
        machine: &Machine,
        settings: &Settings,
    ) -> Result<Judge, CallsError> {
        let place = |address: Option<u64>| address.map(|offset| machine.address(offset));
        let program = &project.program;
        let addresses = addresses(project, machine);
        let mut evaluator = Evaluator::new(&project.specs, &project.described, &program.types, addresses);
        evaluator.set_explains(false);
        intercept(project, machine);
        if project.specs.contracts.iter().any(|contract| !contract.is_empty()) {
            for global in program.globals.iter().filter(|g| !g.is_const && g.function.is_none()) {
                if let (Some(address), Some(size)) = (place(global.address), program.types.size(global.ty)) {
                    machine.set_public(Range { address, size }, false);
                }
            }
        }
        let invariant = match &settings.invariant {
            None => None,
            Some(name) => {
                let (address, prototype) = predicate(project, name)?;
                let missing = || CallsError::NoSuchFunction(name.clone());
                let entry = machine.entry(address).ok_or_else(missing)?;
                Some((name.clone(), machine.function(entry, prototype)))
            }
        };
        Ok(Judge {
            evaluator: RefCell::new(evaluator),
            probes: project.sources.probes.iter().map(|probe| probed(project, probe)).collect(),
            undefined: settings.undefined,
            allowance: if settings.machine.fuel == 0 { u64::MAX } else { settings.machine.fuel },
            invariant,
            is_strict: settings.is_strict,
            observed: RefCell::default(),
            is_decreed: Cell::default(),
        })
    }

    /// Forgets the last sequence.
    pub(crate) fn reset(&self) {
        self.evaluator.borrow_mut().clear();
        self.is_decreed.set(false);
    }

    /// What was seen in the last call.
    pub(super) fn observed(&self) -> RefMut<'_, CallRecord> {
        self.observed.borrow_mut()
    }

    /// Keeps what the machine saw, before anything else is called.
    fn observe(&self, project: &Project, machine: &Machine, target: &Target, violation: Option<&Violation>) {
        let mut observed =
            CallRecord { flow: machine.flow(), violation: violation.cloned(), ..CallRecord::default() };
        if machine.is_suspicious() || violation.is_some() {
            let report = machine.report();
            observed.read = report.uninitialised.as_ref().map(|read| read.pc);
            observed.has_failed_allocation = report.n_failed_allocations > 0;
            observed.is_tainted = report.is_tainted;
            observed.has_threads = report.n_threads > 0;
            if self.undefined != UndefinedPolicy::Off {
                observed.undefined = failures::undefined_places(project, target, &report);
            }
            let unchecked =
                |limit: &Limit| UncheckedPart::Limit { function: target.name.to_string(), limit: *limit };
            observed.unchecked.extend(report.limits.iter().map(unchecked));
        }
        self.observed.replace(observed);
    }

    /// Undefined arithmetic in a call, where it is a failure.
    fn undefined(&self, project: &Project, machine: &Machine, target: &Target) -> Option<Box<Failure>> {
        let is_everywhere = match self.undefined {
            UndefinedPolicy::All => true,
            UndefinedPolicy::Contracts => false,
            UndefinedPolicy::Memory | UndefinedPolicy::Off => return None,
        };
        if !self.is_strict || !machine.is_suspicious() {
            return None;
        }
        let report: Report = machine.report();
        failures::undefined(project, target, &report, is_everywhere)
    }

    /// For looking at memory between calls.
    pub(super) fn evaluator(&self) -> RefMut<'_, Evaluator> {
        self.evaluator.borrow_mut()
    }

    /// A value as text.
    pub(super) fn show(&self, ty: TypeId, bytes: &[u8]) -> ValueText {
        self.evaluator.borrow_mut().show_bytes(ty, bytes)
    }

    /// Makes a call from the top of a sequence.
    pub(super) fn call(
        &self,
        project: &Project,
        machine: &Machine,
        (target, function): (&Target, &Function),
        (arguments, result): (&mut [u8], &mut [u8]),
        player: &mut dyn Player,
    ) -> CallVerdict {
        self.observed.replace(CallRecord::default());
        self.evaluator.borrow_mut().set_allowance(self.allowance);
        let mut entered = None;
        if let Some(contract) = target.contract {
            match self.enter(project, machine, target, contract, arguments) {
                Ok(open) => entered = Some(open),
                Err(stop) if stop.is_discard() => {
                    return CallVerdict::Refused(Refusal::Clause(stop.clause));
                }
                Err(stop) => {
                    let stop = self.explained(project, machine, target, contract, arguments).unwrap_or(stop);
                    return CallVerdict::Failed(failures::stopped(
                        project,
                        machine,
                        (ContractClause::Specification, target.name),
                        &stop,
                    ));
                }
            }
        }
        let mut limits = Vec::new();
        let takes = |contract: usize| project.specs.contracts[contract].takes();
        let is_framed = match &entered {
            Some(open) if target.contract.is_some_and(takes) => {
                let evaluator = self.evaluator.borrow();
                let footprint = evaluator.footprint(open);
                let opened = machine.begin_frame_lending(footprint.ranges, footprint.lent);
                drop(evaluator);
                match opened {
                    Ok(opened) => {
                        limits.extend(failures::unframed(target.name, opened));
                        opened == FrameOpening::Yes
                    }
                    Err(_) => {
                        self.evaluator.borrow_mut().clear();
                        return CallVerdict::Refused(Refusal::NotThere);
                    }
                }
            }
            _ => false,
        };
        let mut nested = NestedCalls::new(self, project, target.name, entered);
        nested.limits = limits;
        nested.player = Some(player);
        let called = machine.call(function, arguments, result, &mut nested);
        let is_deeper = nested.is_at_fault();
        let (entered, failure, limits) = (nested.entered, nested.failure, nested.limits);
        self.observe(project, machine, target, called.as_ref().err());
        let clauses = self.evaluator.borrow_mut().take_unchecked().into_iter().map(UncheckedPart::Clause);
        self.observed.borrow_mut().unchecked.extend(limits.into_iter().chain(clauses));
        self.observed.borrow_mut().is_deeper = called.is_err() && is_deeper;
        if let Some(failure) = self.undefined(project, machine, target) {
            self.evaluator.borrow_mut().clear();
            return CallVerdict::Failed(failure);
        }
        if let Err(violation) = called {
            self.evaluator.borrow_mut().clear();
            if violation == Violation::Hook && failure.is_none() {
                return CallVerdict::Unplayed;
            }
            return CallVerdict::Failed(self.with_hints(
                project,
                match (violation, failure) {
                    (Violation::Hook, Some(failure)) => failure,
                    (violation, _) => failures::violated(project, target.name, &violation),
                },
            ));
        }
        if let Some(entered) = entered
            && let Some(failure) = self.leave(project, machine, target.name, entered, result, is_framed)
        {
            return CallVerdict::Failed(self.with_hints(project, failure));
        }
        match self.holds(project, machine, target.name) {
            None => CallVerdict::Done,
            Some(failure) => CallVerdict::Failed(failure),
        }
    }

    /// Says beside a failure what may have led to it.
    fn with_hints(&self, project: &Project, mut failure: Box<Failure>) -> Box<Failure> {
        let observed = self.observed.borrow();
        for (_, place) in &observed.undefined {
            failures::hint(&mut failure, Hint::UndefinedBefore(place.clone()));
        }
        if let Some(pc) = observed.read {
            let place = pc.and_then(|pc| failures::at(project, pc));
            failures::hint(&mut failure, Hint::ReadBefore(place));
        }
        failure
    }

    /// A precondition that cannot be evaluated, once more and with the values of its parts.
    fn explained(
        &self,
        project: &Project,
        machine: &Machine,
        target: &Target,
        contract: usize,
        bytes: &[u8],
    ) -> Option<Box<Stop>> {
        self.evaluator.borrow_mut().set_explains(true);
        let entered = self.enter(project, machine, target, contract, bytes);
        let mut evaluator = self.evaluator.borrow_mut();
        evaluator.set_explains(false);
        evaluator.clear();
        entered.err()
    }

    /// Whether arguments satisfy a precondition.
    pub(super) fn admits(
        &self,
        project: &Project,
        machine: &Machine,
        target: &Target,
        contract: usize,
        bytes: &[u8],
    ) -> bool {
        self.evaluator.borrow_mut().set_allowance(self.allowance);
        let is_admitted = self.enter(project, machine, target, contract, bytes).is_ok();
        self.evaluator.borrow_mut().clear();
        is_admitted
    }

    fn enter(
        &self,
        project: &Project,
        machine: &Machine,
        target: &Target,
        contract: usize,
        bytes: &[u8],
    ) -> Result<CallEntry, Box<Stop>> {
        let prototype = &target.prototype;
        let mut few: [&[u8]; 16] = [&[]; 16];
        let n = prototype.n_parameters();
        if n <= few.len() {
            (0..n).for_each(|k| few[k] = &bytes[prototype.place(k)]);
            return self.evaluator.borrow_mut().enter(
                contract,
                &few[..n],
                &ContractMemory { project, machine },
            );
        }
        let many: Vec<&[u8]> = (0..n).map(|k| &bytes[prototype.place(k)]).collect();
        self.evaluator.borrow_mut().enter(contract, &many, &ContractMemory { project, machine })
    }

    /// Checks what a call with a contract leaves behind.
    pub(crate) fn leave(
        &self,
        project: &Project,
        machine: &Machine,
        name: &str,
        entered: CallEntry,
        result: &[u8],
        is_framed: bool,
    ) -> Option<Box<Failure>> {
        let mut evaluator = self.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let exited = evaluator.exit(entered, result, &ContractMemory { project, machine });
        evaluator.set_explains(false);
        let is_trusted = project.specs.contract(name).is_some_and(|contract| contract.is_trusted);
        if exited.is_ok() && is_trusted {
            // By decree, for whoever called it and for everything after.
            let returned = evaluator.returned();
            let taken = returned.ranges.iter().zip(returned.taken).filter(|(_, taken)| taken.is_initialised);
            for (range, _) in taken {
                self.is_decreed.set(self.is_decreed.get() || !machine.is_initialised(*range));
                machine.set_initialised(*range, true);
            }
        }
        let failure = match exited {
            Err(stop) => {
                Some(failures::stopped(project, machine, (ContractClause::Postcondition, name), &stop))
            }
            Ok(()) if !is_framed => None,
            Ok(()) => {
                let returned = evaluator.returned();
                let is_readable = machine
                    .may_read(returned.lent)
                    .map_err(|unreadable| failures::not_readable(name, &unreadable));
                machine
                    .release(returned.ranges)
                    .err()
                    .map(|not_owned| {
                        let taken = returned.ranges.iter().zip(returned.taken);
                        let by = taken
                            .filter(|(range, _)| range.holds(not_owned.address, 1))
                            .map(|(_, t)| t.clause)
                            .next();
                        failures::not_handed_back(project, name, &not_owned, by)
                    })
                    .or(is_readable.err())
            }
        };
        if !is_framed {
            return failure;
        }
        let mut leaks = Vec::new();
        machine.end_frame(&mut leaks);
        if is_trusted {
            // What it takes and does not hand back is gone, by decree.
            leaks.clear();
        }
        failure.or_else(|| (!leaks.is_empty()).then(|| failures::leaked(project, machine, name, &leaks)))
    }

    /// Asks the user's predicate once more, for what that does to the state.
    pub(super) fn ask_again(&self, machine: &Machine) {
        if let Some((_, function)) = &self.invariant {
            let _ = machine.call(function, &mut [], &mut [0u8; 8], &mut crate::machine::NoHooks);
        }
    }

    /// Asks the user's predicate.
    fn holds(&self, project: &Project, machine: &Machine, after: &str) -> Option<Box<Failure>> {
        let (name, function) = self.invariant.as_ref()?;
        let mut result = [0u8; 8];
        let asked = machine.call(function, &mut [], &mut result, &mut crate::machine::NoHooks);
        match asked {
            Err(violation) => Some(failures::violated(project, name, &violation)),
            Ok(()) if result.iter().any(|byte| *byte != 0) => None,
            Ok(()) => Some(failures::invariant(name, after)),
        }
    }

    /// What the contract wishes of each parameter of a function.
    pub(super) fn wishes(
        &self,
        project: &Project,
        target: &Target,
        settings: &Settings,
    ) -> Vec<ParameterHints> {
        let types = &project.program.types;
        let Some(contract) = target.contract else {
            return absent::wishes(project, target, settings);
        };
        let is_about_memory = project.specs.contracts[contract].takes();
        let blank = ParameterHints { may_be_null: true, fresh: FreshMemory::No, ..ParameterHints::unknown() };
        let mut wishes: Vec<ParameterHints> = match is_about_memory {
            true => target.parameters.iter().map(|_| blank.clone()).collect(),
            false => absent::wishes(project, target, settings),
        };
        let clauses = &project.specs.contracts[contract];
        for (wish, parameter) in wishes.iter_mut().zip(&clauses.parameters) {
            let is_taken = |clause: &Clause| clause.takes(parameter.slot);
            wish.is_consumed = clauses.requires.iter().any(is_taken) && !clauses.ensures.iter().any(is_taken);
        }
        for hint in evaluate::hints(&project.specs, &project.specs.contracts[contract]) {
            let Some(wish) = wishes.get_mut(hint.parameter) else { continue };
            match &hint.part {
                None => heed(wish, &hint.kind, types, target.parameters[hint.parameter]),
                Some(part) => heed(wish.part(part), &hint.kind, types, target.parameters[hint.parameter]),
            }
        }
        wishes
    }
}

/// The size of what a pointer points to, unless that is text: of a text the end is not known.
fn element_size(types: &CTypes, pointer: TypeId) -> Option<u64> {
    match types.get(pointer) {
        CType::Pointer { to, .. } if !matches!(types.get(*to), CType::Char | CType::Void) => {
            types.size(*to).filter(|size| *size > 0)
        }
        _ => None,
    }
}

/// How many elements a contract may ask for.
const MOST_ELEMENTS: u64 = 1 << 16;

fn heed(wish: &mut ParameterHints, kind: &HintKind, types: &CTypes, ty: TypeId) {
    let number = |n: &BigInt| i128::try_from(n).ok();
    let narrowed = |wish: &mut ParameterHints, lo: Option<i128>, hi: Option<i128>| {
        let (least, most) = wish.range.unwrap_or((i128::MIN, i128::MAX));
        wish.range = Some((lo.map_or(least, |lo| lo.max(least)), hi.map_or(most, |hi| hi.min(most))));
    };
    match kind {
        HintKind::OneOf(values) => wish.pinned.extend(values.iter().filter_map(number)),
        HintKind::Equal(bound) if bound.parameter.is_none() => wish.pinned.extend(number(&bound.number)),
        HintKind::AtLeast(bound) if bound.parameter.is_none() => narrowed(wish, number(&bound.number), None),
        HintKind::AtMost(bound) if bound.parameter.is_none() => narrowed(wish, None, number(&bound.number)),
        HintKind::IsBounded => wish.is_bounded = true,
        HintKind::NotNull => wish.may_be_null = false,
        HintKind::Null | HintKind::MayBeNull => wish.may_be_null = true,
        HintKind::Memory { is_initialised, .. } | HintKind::Elements { is_initialised, .. } => {
            wish.may_be_null = false;
            if matches!(types.get(ty), CType::Pointer { .. }) {
                wish.fresh = if *is_initialised { FreshMemory::Filled } else { FreshMemory::Blank };
            }
            if let HintKind::Memory { offset, size, .. } = kind
                && let Some(of) = element_size(types, ty)
            {
                // What is made is what is taken: the rest of a block would be nobody's.
                let n = (offset + size).div_ceil(of);
                wish.n_elements = wish.n_elements.max(Some(n)).filter(|n| *n < MOST_ELEMENTS);
            }
            if let HintKind::Elements { to: Some(last), .. } = kind
                && let (None, Some(last)) = (last.parameter, u64::try_from(&last.number).ok())
                && last < MOST_ELEMENTS
            {
                wish.n_elements = Some(last + 1);
            }
            if let HintKind::Elements { to, .. } = kind {
                wish.is_many = true;
                if !matches!(to, Some(last) if last.parameter.is_none()) {
                    wish.n_elements = None;
                }
            }
        }
        HintKind::Predicate { admits_null, takes, .. } => {
            wish.may_be_null &= admits_null;
            // A predicate that walks along characters: texts end where it does.
            let is_text = takes.is_some_and(|(of, ..)| matches!(types.get(of), CType::Char));
            if is_text
                && matches!(types.get(ty), CType::Pointer { to, .. } if matches!(types.get(*to), CType::Char))
            {
                wish.fresh = FreshMemory::Filled;
            }
        }
        _ => {}
    }
}

/// The C predicate of this name: where it is in the object, and how it is called.
pub(super) fn predicate(project: &Project, name: &str) -> Result<(u64, Rc<Prototype>), CallsError> {
    let missing = || CallsError::NoSuchFunction(name.to_string());
    let function = project.program.functions.iter().find(|f| f.name == name).ok_or_else(missing)?;
    let address = function.address.ok_or_else(missing)?;
    let prototype = Prototype::new(&project.program.types, &function.signature).map_err(|_| missing())?;
    if prototype.n_parameters() > 0 || !(1..=8).contains(&prototype.result_size()) {
        return Err(CallsError::NotAPredicate(name.to_string()));
    }
    Ok((address, Rc::new(prototype)))
}
