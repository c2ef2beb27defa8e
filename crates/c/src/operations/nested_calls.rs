//! Judges what happens within a call: nested calls of functions with contracts, and probes in bodies.
//!
//! The machine's hooks report these. An unmet precondition is the caller's fault here, a broken postcondition
//! the callee's. The first mistake stops the call.

use super::contract_memory::ContractMemory;
use super::failures;
use super::judge::Judge;
use super::play::{PlayedCall, Player};
use crate::evaluate::CallEntry;
use crate::facts::{UncheckedPart, Unplayable};
use crate::machine::{Flow, FrameOpening, Hooks, Machine, NestedCall, Probe, Prototype};
use crate::project::Project;
use crate::spec::Site;
use stairway::report::{ContractClause, Failure};
use std::rc::Rc;

/// How many pieces of memory that a played function leaves behind are shown.
const MOST_SHOWN: usize = 8;

/// What stands at a probe.
#[derive(Debug)]
pub(super) struct ProbeSite {
    function: String,
    is_loop: bool,
    which: usize,
    /// For each variable that is read, its place among the addresses that the probe passes.
    captures: Vec<usize>,
}

/// Asks to be told of nested calls of functions with contracts.
pub(super) fn intercept(project: &Project, machine: &Machine) {
    for (k, contract) in project.specs.contracts.iter().enumerate() {
        // One that says nothing is enough to play a function that has no body.
        let is_run =
            contract.not_run.is_none() && (!contract.is_empty() || project.missing.contains(&contract.name));
        let function = project.program.functions.iter().find(|f| f.name == contract.name);
        let (Some(function), true) = (function, is_run) else { continue };
        let Ok(prototype) = Prototype::new(&project.program.types, &function.signature) else { continue };
        let own = function.address.and_then(|offset| machine.entry(offset));
        if let Some(entry) = own.or_else(|| machine.interception_point(&contract.name)) {
            // A function without padding is called as it is: its nested calls go unchecked.
            let _ = machine.intercept(entry, &Rc::new(prototype), k as u64);
        }
    }
}

/// What is to be checked at a probe.
pub(super) fn probed(project: &Project, probe: &crate::source::Probe) -> Option<ProbeSite> {
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
    Some(ProbeSite { function: function.clone(), is_loop, which, captures })
}

/// Nested calls of one call.
pub(crate) struct NestedCalls<'j> {
    judge: &'j Judge,
    project: &'j Project,
    /// The function that was called from the top.
    called: &'j str,
    pub(crate) entered: Option<CallEntry>,
    open: Vec<Frame>,
    pub(crate) failure: Option<Box<Failure>>,
    /// What was not checked, and why, a line each.
    pub(crate) limits: Vec<UncheckedPart>,
    /// Contracts of functions that somebody else answers for: nothing is done in their place.
    pub(crate) answered: Vec<usize>,
    /// Who plays functions without a body; without one, calling them is a violation.
    pub(super) player: Option<&'j mut dyn Player>,
    /// A nested call broke its own contract.
    is_at_fault: bool,
}

/// A nested call under way.
struct Frame {
    level: u64,
    contract: usize,
    entered: Option<CallEntry>,
    is_framed: bool,
}

impl<'j> NestedCalls<'j> {
    /// For a call of `called`, which was entered if it has a contract.
    pub(crate) fn new(
        judge: &'j Judge,
        project: &'j Project,
        called: &'j str,
        entered: Option<CallEntry>,
    ) -> NestedCalls<'j> {
        let (open, limits, answered) = (Vec::new(), Vec::new(), Vec::new());
        let (failure, player, is_at_fault) = (None, None, false);
        NestedCalls { judge, project, called, entered, open, failure, limits, answered, player, is_at_fault }
    }

    /// Whether a nested call with a contract is at fault for how the call ended.
    pub(super) fn is_at_fault(&self) -> bool {
        self.is_at_fault || !self.open.is_empty()
    }

    /// Leaves the calls that did not return.
    pub(crate) fn abandon(mut self) -> Option<Box<Failure>> {
        let outermost =
            self.entered.take().or_else(|| self.open.first_mut().and_then(|frame| frame.entered.take()));
        if let Some(entered) = outermost {
            self.judge.evaluator.borrow_mut().leave(entered);
        }
        self.failure
    }

    /// Does what the contract of a function without a body says.
    fn play(
        &mut self,
        machine: &Machine,
        call: &mut NestedCall<'_>,
        contract: usize,
        entered: CallEntry,
        is_framed: bool,
    ) -> Flow {
        let Some(player) = self.player.as_deref_mut() else {
            self.judge.evaluator.borrow_mut().leave(entered);
            if is_framed {
                machine.end_frame(&mut Vec::new());
            }
            // The stub says that there is no such function.
            return Flow::GoOn;
        };
        let name = &self.project.specs.contracts[contract].name;
        let function = self.project.program.functions.iter().find(|f| f.name == *name);
        let returns = function.map(|f| f.signature.returns).filter(|_| call.prototype().result_size() > 0);
        let mut evaluator = self.judge.evaluator.borrow_mut();
        let (entry, owned) = (evaluator.entry(&entered), evaluator.footprint(&entered).ranges);
        let Some(blueprint) = player.draw(self.project, contract, returns, entry, owned) else {
            return Flow::Stop;
        };
        let mut played = PlayedCall::new(blueprint);
        let Some(result) = played.put(machine) else {
            player.give_up(name, Unplayable::NoRoom);
            return Flow::Stop;
        };
        call.set_result(&result);
        let lent = ContractMemory { project: self.project, machine };
        if let Err(stop) = evaluator.exit(entered, call.result(), &lent) {
            player.give_up(name, Unplayable::Clause(stop.clause));
            return Flow::Stop;
        }
        if is_framed {
            // What it hands back is its caller's; what it keeps is gone.
            let returned = evaluator.returned();
            if machine.release(returned.ranges).is_err() {
                player.give_up(name, Unplayable::NotOwned);
                return Flow::Stop;
            }
            let mut kept = Vec::new();
            machine.end_frame(&mut kept);
            played.retire(machine, &kept);
        }
        let deeds = if player.is_shown() { played.deeds(MOST_SHOWN).collect() } else { Vec::new() };
        player.keep(name, played, deeds);
        Flow::Skip
    }

    /// The function that is running, as far as that is known: those without a contract are not seen.
    fn running(&self) -> &'j str {
        let innermost = self.open.last().map(|frame| &*self.project.specs.contracts[frame.contract].name);
        innermost.unwrap_or(self.called)
    }

    fn fail(&mut self, failure: Box<Failure>) -> Flow {
        self.failure = Some(failure);
        Flow::Stop
    }
}

impl NestedCalls<'_> {
    /// Keeps, once, that something was not checked.
    fn unchecked(&mut self, what: UncheckedPart) {
        if !self.limits.contains(&what) {
            self.limits.push(what);
        }
    }
}

impl Hooks for NestedCalls<'_> {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        self.open.retain(|frame| frame.level < call.level);
        let contract = call.id as usize;
        let arguments: Vec<&[u8]> = (0..call.prototype().n_parameters()).map(|k| call.argument(k)).collect();
        let mut evaluator = self.judge.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let lent = ContractMemory { project: self.project, machine };
        let entered = evaluator.enter(contract, &arguments, &lent);
        evaluator.set_explains(false);
        let name = &self.project.specs.contracts[contract].name;
        let entered = match entered {
            Ok(entered) => entered,
            Err(stop) if stop.why.has_no_body() => {
                self.unchecked(UncheckedPart::Clause(stop.clause));
                return Flow::GoOn;
            }
            Err(stop) => {
                drop(evaluator);
                let part = (ContractClause::Precondition, &**name, Some(self.running()));
                let failure = failures::stopped_in(self.project, machine, part, &stop);
                return self.fail(failure);
            }
        };
        let opened = match self.project.specs.contracts[contract].takes() {
            true => {
                let footprint = evaluator.footprint(&entered);
                machine.begin_frame_lending(footprint.ranges, footprint.lent)
            }
            false => Ok(FrameOpening::Not),
        };
        drop(evaluator);
        if let Some(unchecked) = opened.as_ref().ok().and_then(|opened| failures::unframed(name, *opened)) {
            self.unchecked(unchecked);
        }
        match opened {
            Ok(opened) if self.project.missing.contains(name) && !self.answered.contains(&contract) => {
                self.play(machine, call, contract, entered, opened == FrameOpening::Yes)
            }
            Ok(opened) => {
                let is_framed = opened == FrameOpening::Yes;
                self.open.push(Frame { level: call.level, contract, entered: Some(entered), is_framed });
                Flow::GoOn
            }
            Err(not_owned) => {
                let failure = failures::not_the_callers(name, self.running(), &not_owned);
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
                self.is_at_fault = true;
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
            None if self.called == probed.function => self.entered.as_ref(),
            None => None,
        };
        let mut evaluator = self.judge.evaluator.borrow_mut();
        evaluator.set_explains(true);
        let lent = ContractMemory { project: self.project, machine };
        let checked = match probed.is_loop {
            true => evaluator.invariant(probed.which, entered, &addresses, &lent),
            false => evaluator.statements(probed.which, entered, &addresses, &lent),
        };
        evaluator.set_explains(false);
        drop(evaluator);
        match checked {
            Ok(()) => Flow::GoOn,
            Err(stop) => {
                let part =
                    if probed.is_loop { ContractClause::LoopInvariant } else { ContractClause::Assertion };
                let failure = failures::stopped(self.project, machine, (part, &probed.function), &stop);
                self.fail(failure)
            }
        }
    }
}
