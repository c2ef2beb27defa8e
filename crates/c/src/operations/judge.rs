//! One call between its contract's clauses: may it be made, and what came of it.
//!
//! Receives a function, its arguments and the loaded program; hands on a verdict. The footprint of the precondition
//! is what the call may touch; afterwards the postcondition must hold, its footprint must be handed back, and nothing
//! may be left over. The same is done around nested calls of functions with contracts, where a precondition that is
//! not met is the caller's fault; invariants and assertions are checked at the probes in bodies.

use super::make::{Fresh, Wish};
use super::targets::Target;
use super::{CallsError, Settings, Undefined, words};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::evaluate::{self, Addresses, Entered, Evaluator, HintKind, Stop};
use crate::machine::{
    Flow, Function, Hooks, Machine, NestedCall, Opened, Probe, Prototype, Range, Violation,
};
use crate::project::Project;
use crate::spec::Site;
use num_bigint::BigInt;
use stairway::Failure;
use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

/// Judges calls by their contracts.
#[derive(Debug)]
pub(super) struct Judge {
    evaluator: RefCell<Evaluator>,
    probes: Vec<Option<Probed>>,
    undefined: Undefined,
    /// The C predicate that must hold after every call.
    invariant: Option<(String, Function)>,
    /// Undefined arithmetic is a failure of its own.
    pub(super) is_strict: Cell<bool>,
}

/// What stands at a probe.
#[derive(Debug)]
struct Probed {
    function: String,
    is_loop: bool,
    which: usize,
    /// For each variable that is read, its place among the addresses that the probe passes.
    captures: Vec<usize>,
}

/// What came of a call.
pub(super) enum Judged {
    /// It returned, and all is well.
    Done,
    /// It may not be made here: the clause that says so.
    Refused(String),
    /// Something is wrong.
    Failed(Box<Failure>),
}

impl Judge {
    pub(super) fn new(
        project: &Project,
        machine: &Machine,
        settings: &Settings,
    ) -> Result<Judge, CallsError> {
        let place = |address: Option<u64>| address.map(|offset| machine.address(offset));
        let program = &project.program;
        let addresses = Addresses {
            globals: project.globals.iter().map(|k| place(program.globals[*k].address)).collect(),
            functions: project.functions.iter().map(|k| place(program.functions[*k].address)).collect(),
        };
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
            Some(name) => Some((name.clone(), predicate(project, machine, name)?)),
        };
        Ok(Judge {
            evaluator: RefCell::new(evaluator),
            probes: project.sources.probes.iter().map(|probe| probed(project, probe)).collect(),
            undefined: settings.undefined,
            invariant,
            is_strict: Cell::new(false),
        })
    }

    /// Forgets the last sequence.
    pub(super) fn reset(&self) {
        self.evaluator.borrow_mut().clear();
    }

    /// For looking at memory between calls.
    pub(super) fn evaluator(&self) -> RefMut<'_, Evaluator> {
        self.evaluator.borrow_mut()
    }

    /// A value as text.
    pub(super) fn show(&self, ty: TypeId, bytes: &[u8]) -> String {
        self.evaluator.borrow_mut().show_bytes(ty, bytes, &|_| None)
    }

    /// Makes a call from the top of a sequence.
    pub(super) fn call(
        &self,
        project: &Project,
        machine: &Machine,
        target: &Target,
        function: &Function,
        arguments: &mut [u8],
        result: &mut [u8],
    ) -> Judged {
        let mut entered = None;
        if let Some(contract) = target.contract {
            match self.enter(machine, target, contract, arguments) {
                Ok(open) => entered = Some(open),
                Err(stop) if stop.is_discard() => {
                    return Judged::Refused(words::clause(project, stop.clause));
                }
                Err(stop) => {
                    return Judged::Failed(words::stopped(project, "specification of", target.name, &stop));
                }
            }
        }
        let is_framed = match &entered {
            None => false,
            Some(open) => {
                let opened = machine.begin_frame(self.evaluator.borrow().footprint(open).ranges);
                match opened {
                    Ok(opened) => opened == Opened::Yes,
                    Err(_) => {
                        self.evaluator.borrow_mut().clear();
                        return Judged::Refused("the memory it takes is not there".to_string());
                    }
                }
            }
        };
        let top = entered.as_ref().map(|_| target.name);
        let mut nested = Nested { judge: self, project, top, entered, open: Vec::new(), failure: None };
        let called = machine.call(function, arguments, result, &mut nested);
        let (entered, failure) = (nested.entered, nested.failure);
        if let Err(violation) = called {
            self.evaluator.borrow_mut().clear();
            return Judged::Failed(match (violation, failure) {
                (Violation::Hook, Some(failure)) => failure,
                (violation, _) => words::violated(project, target.name, &violation),
            });
        }
        if self.is_strict.get()
            && self.undefined == Undefined::All
            && let Some(failure) = words::undefined(project, machine, target.name)
        {
            self.evaluator.borrow_mut().clear();
            return Judged::Failed(failure);
        }
        if let Some(entered) = entered
            && let Some(failure) = self.leave(project, machine, target.name, entered, result, is_framed)
        {
            return Judged::Failed(failure);
        }
        match self.holds(project, machine, target.name) {
            None => Judged::Done,
            Some(failure) => Judged::Failed(failure),
        }
    }

    fn enter(
        &self,
        machine: &Machine,
        target: &Target,
        contract: usize,
        bytes: &[u8],
    ) -> Result<Entered, Stop> {
        let prototype = &target.prototype;
        let mut few: [&[u8]; 16] = [&[]; 16];
        let n = prototype.n_parameters();
        if n <= few.len() {
            (0..n).for_each(|k| few[k] = &bytes[prototype.place(k)]);
            return self.evaluator.borrow_mut().enter(contract, &few[..n], machine);
        }
        let many: Vec<&[u8]> = (0..n).map(|k| &bytes[prototype.place(k)]).collect();
        self.evaluator.borrow_mut().enter(contract, &many, machine)
    }

    /// Checks what a call with a contract leaves behind.
    fn leave(
        &self,
        project: &Project,
        machine: &Machine,
        name: &str,
        entered: Entered,
        result: &[u8],
        is_framed: bool,
    ) -> Option<Box<Failure>> {
        let mut evaluator = self.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let exited = evaluator.exit(entered, result, machine);
        evaluator.set_explains(false);
        let failure = match exited {
            Err(stop) => Some(words::stopped(project, "postcondition of", name, &stop)),
            Ok(()) if !is_framed => None,
            Ok(()) => {
                let returned = evaluator.returned();
                machine.release(returned.ranges).err().map(|not_owned| {
                    let taken = returned.ranges.iter().zip(returned.taken);
                    let by = taken
                        .filter(|(range, _)| range.holds(not_owned.address, 1))
                        .map(|(_, t)| t.clause)
                        .next();
                    words::not_handed_back(project, name, &not_owned, by)
                })
            }
        };
        if !is_framed {
            return failure;
        }
        let mut leaks = Vec::new();
        machine.end_frame(&mut leaks);
        failure.or_else(|| (!leaks.is_empty()).then(|| words::leaked(project, machine, name, &leaks)))
    }

    /// Asks the user's predicate.
    fn holds(&self, project: &Project, machine: &Machine, after: &str) -> Option<Box<Failure>> {
        let (name, function) = self.invariant.as_ref()?;
        let mut result = [0u8; 8];
        let asked = machine.call(function, &mut [], &mut result, &mut crate::machine::NoHooks);
        match asked {
            Err(violation) => Some(words::violated(project, name, &violation)),
            Ok(()) if result.iter().any(|byte| *byte != 0) => None,
            Ok(()) => Some(words::invariant(name, after)),
        }
    }

    /// What the contract wishes of each parameter of a function.
    pub(super) fn wishes(&self, project: &Project, target: &Target, settings: &Settings) -> Vec<Wish> {
        let types = &project.program.types;
        let Some(contract) = target.contract else {
            let unknown = Wish { may_be_null: settings.is_hostile, ..Wish::unknown() };
            return target.parameters.iter().map(|_| unknown.clone()).collect();
        };
        let blank = Wish { pinned: Vec::new(), range: None, may_be_null: true, fresh: Fresh::No };
        let mut wishes: Vec<Wish> = target.parameters.iter().map(|_| blank.clone()).collect();
        for hint in evaluate::hints(&project.specs, &project.specs.contracts[contract]) {
            let Some(wish) = wishes.get_mut(hint.parameter) else { continue };
            heed(wish, &hint.kind, types, target.parameters[hint.parameter]);
        }
        wishes
    }
}

fn heed(wish: &mut Wish, kind: &HintKind, types: &CTypes, ty: TypeId) {
    let number = |n: &BigInt| i128::try_from(n).ok();
    let narrowed = |wish: &mut Wish, lo: Option<i128>, hi: Option<i128>| {
        let (least, most) = wish.range.unwrap_or((i128::MIN, i128::MAX));
        wish.range = Some((lo.map_or(least, |lo| lo.max(least)), hi.map_or(most, |hi| hi.min(most))));
    };
    match kind {
        HintKind::OneOf(values) => wish.pinned.extend(values.iter().filter_map(number)),
        HintKind::Equal(bound) if bound.parameter.is_none() => wish.pinned.extend(number(&bound.number)),
        HintKind::AtLeast(bound) if bound.parameter.is_none() => narrowed(wish, number(&bound.number), None),
        HintKind::AtMost(bound) if bound.parameter.is_none() => narrowed(wish, None, number(&bound.number)),
        HintKind::NotNull => wish.may_be_null = false,
        HintKind::Memory { is_initialised, .. } | HintKind::Elements { is_initialised, .. } => {
            wish.may_be_null = false;
            if matches!(types.get(ty), CType::Pointer { .. }) {
                wish.fresh = if *is_initialised { Fresh::Filled } else { Fresh::Blank };
            }
        }
        HintKind::Predicate { admits_null, .. } => wish.may_be_null &= admits_null,
        _ => {}
    }
}

/// Asks to be told of nested calls of functions with contracts.
fn intercept(project: &Project, machine: &Machine) {
    for (k, contract) in project.specs.contracts.iter().enumerate() {
        let is_run = contract.not_run.is_none() && !contract.is_empty();
        let function = project.program.functions.iter().find(|f| f.name == contract.name);
        let (Some(function), true) = (function, is_run) else { continue };
        let Ok(prototype) = Prototype::new(&project.program.types, &function.signature) else { continue };
        let own = function.address.map(|offset| machine.address(offset));
        if let Some(address) = own.or_else(|| machine.interception_point(&contract.name)) {
            // A function without padding is called as it is: its nested calls go unchecked.
            let _ = machine.intercept(address, &Rc::new(prototype), k as u64);
        }
    }
}

fn predicate(project: &Project, machine: &Machine, name: &str) -> Result<Function, CallsError> {
    let missing = || CallsError::NoSuchFunction(name.to_string());
    let function = project.program.functions.iter().find(|f| f.name == name).ok_or_else(missing)?;
    let address = machine.address(function.address.ok_or_else(missing)?);
    let prototype = Prototype::new(&project.program.types, &function.signature).map_err(|_| missing())?;
    if prototype.n_parameters() > 0 || !(1..=8).contains(&prototype.result_size()) {
        return Err(CallsError::NotAPredicate(name.to_string()));
    }
    Ok(machine.function(address, Rc::new(prototype)))
}

/// What is to be checked at a probe.
fn probed(project: &Project, probe: &crate::source::Probe) -> Option<Probed> {
    let site = Site(u32::try_from(probe.item).ok()?);
    let loops =
        project.specs.loops.iter().enumerate().map(|(k, l)| (true, k, l.site, &l.function, &l.captures));
    let statements = project
        .specs
        .statements
        .iter()
        .enumerate()
        .map(|(k, s)| (false, k, s.site, &s.function, &s.captures));
    let (is_loop, which, _, function, captures) =
        loops.chain(statements).find(|(_, _, of, ..)| *of == site)?;
    let place = |name: &str| probe.locals.iter().position(|local| local.name == name);
    let captures = captures.iter().map(|capture| place(&capture.name)).collect::<Option<Vec<_>>>()?;
    Some(Probed { function: function.clone(), is_loop, which, captures })
}

/// Nested calls of one call.
struct Nested<'j> {
    judge: &'j Judge,
    project: &'j Project,
    /// The function that was called from the top, if it has a contract.
    top: Option<&'j str>,
    entered: Option<Entered>,
    open: Vec<Frame>,
    failure: Option<Box<Failure>>,
}

/// A nested call under way.
struct Frame {
    level: u64,
    contract: usize,
    entered: Option<Entered>,
    is_framed: bool,
}

impl Nested<'_> {
    fn fail(&mut self, failure: Box<Failure>) -> Flow {
        self.failure = Some(failure);
        Flow::Stop
    }
}

impl Hooks for Nested<'_> {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        self.open.retain(|frame| frame.level < call.level);
        let contract = call.id as usize;
        let arguments: Vec<&[u8]> = (0..call.prototype().n_parameters()).map(|k| call.argument(k)).collect();
        let mut evaluator = self.judge.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let entered = evaluator.enter(contract, &arguments, machine);
        evaluator.set_explains(false);
        let name = &self.project.specs.contracts[contract].name;
        let entered = match entered {
            Ok(entered) => entered,
            Err(stop) => {
                let failure = words::stopped(self.project, "precondition of", name, &stop);
                drop(evaluator);
                return self.fail(failure);
            }
        };
        let opened = machine.begin_frame(evaluator.footprint(&entered).ranges);
        drop(evaluator);
        match opened {
            Ok(opened) => {
                let is_framed = opened == Opened::Yes;
                self.open.push(Frame { level: call.level, contract, entered: Some(entered), is_framed });
                Flow::GoOn
            }
            Err(not_owned) => {
                let failure = words::not_the_callers(self.project, name, &not_owned);
                self.fail(failure)
            }
        }
    }

    fn after(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        while let Some(frame) = self.open.pop() {
            if frame.level != call.level {
                continue;
            }
            let Some(entered) = frame.entered else { break };
            let name = &self.project.specs.contracts[frame.contract].name;
            let left = self.judge.leave(self.project, machine, name, entered, call.result(), frame.is_framed);
            if let Some(failure) = left {
                return self.fail(failure);
            }
            break;
        }
        Flow::GoOn
    }

    fn probe(&mut self, machine: &Machine, probe: &Probe) -> Flow {
        let Some(Some(probed)) = self.judge.probes.get(probe.id as usize) else { return Flow::GoOn };
        let addresses: Vec<u64> =
            probed.captures.iter().filter_map(|k| probe.addresses.get(*k).copied()).collect();
        let contracts = &self.project.specs.contracts;
        let nested = self.open.last().filter(|frame| contracts[frame.contract].name == probed.function);
        let entered = match nested {
            Some(frame) => frame.entered.as_ref(),
            None if self.top == Some(&*probed.function) => self.entered.as_ref(),
            None => None,
        };
        let mut evaluator = self.judge.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let checked = match probed.is_loop {
            true => evaluator.invariant(probed.which, entered, &addresses, machine),
            false => evaluator.statements(probed.which, entered, &addresses, machine),
        };
        evaluator.set_explains(false);
        drop(evaluator);
        match checked {
            Ok(()) => Flow::GoOn,
            Err(stop) => {
                let what = if probed.is_loop { "loop invariant in" } else { "assertion in" };
                let failure = words::stopped(self.project, what, &probed.function, &stop);
                self.fail(failure)
            }
        }
    }
}
