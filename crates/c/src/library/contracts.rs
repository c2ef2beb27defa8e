//! Calls of a test, judged by the contracts in the C files.
//!
//! A call of the test's returns if it kept its contract, and is a failure otherwise. It is the judge of
//! `stairway test` with one difference: nobody draws these arguments, so a precondition that does not hold is
//! a mistake of the test, not a call to be left out. Functions with a contract that C calls itself are judged
//! as everywhere; a mock of one answers for it, and must keep the contract too.

use super::mocks::MockInterceptor;
use super::objects::{CallableFunction, LoadedObject};
use super::session::Session;
use super::words;
use crate::evaluate::{CallEntry, Stop as Unmet};
use crate::finding::Finding;
use crate::machine::{Flow, FrameOpening, Hooks, Machine, NestedCall, Probe};
use crate::operations::contract_memory::ContractMemory;
use crate::operations::nested_calls::NestedCalls;
use stairway::{Checked, Stop};

/// From this number on, interceptions are mocks; below, they are contracts.
pub(super) const MOCKS: u64 = 1 << 32;

/// Makes a call between its contract's clauses, if it has any.
pub(super) fn call(
    session: &Session<'_>,
    callable: &CallableFunction,
    bytes: &mut [u8],
    result: &mut [u8],
) -> Checked {
    let loaded = session.loaded();
    let (project, machine) = (&session.ready().project, &loaded.machine);
    let entered = match callable.contract {
        Some(contract) => Some(enter(session, callable, contract, bytes)?),
        None => None,
    };
    let is_framed = entered.is_some() && begin(session, callable.name, entered.as_ref())?;
    let mut hooks = CallObserver {
        asked: session.hooks(),
        nested: NestedCalls::new(&loaded.judge, project, callable.name, entered),
        loaded,
    };
    hooks.nested.answered = loaded.mocked.iter().map(|(contract, _)| *contract).collect();
    let called = machine.call(&callable.function, bytes, result, &mut hooks);
    let CallObserver { asked, mut nested, .. } = hooks;
    if let Err(violation) = called {
        session.note_failure();
        session.note_taint();
        let broken = nested.abandon();
        if is_framed {
            machine.end_frame(&mut Vec::new());
        }
        // A mock may have ended the call, and its panic goes on from here.
        if let Some(stop) = asked.into_stop() {
            return Err(stop);
        }
        return Err(Stop::fail(match broken {
            Some(failure) => words::worded(session, *failure),
            None => words::violated(session, callable.name, &violation),
        }));
    }
    let undefined = machine.is_suspicious().then(|| words::undefined(session, callable.name)).flatten();
    let entered = nested.entered.take();
    let left = entered
        .and_then(|entered| loaded.judge.leave(project, machine, callable.name, entered, result, is_framed));
    // What is undefined explains what follows from it.
    match undefined.or_else(|| left.map(|failure| words::worded(session, *failure))) {
        None => Ok(()),
        Some(failure) => {
            session.note_failure();
            Err(Stop::fail(failure))
        }
    }
}

/// Asks the precondition.
fn enter(
    session: &Session<'_>,
    callable: &CallableFunction,
    contract: usize,
    bytes: &[u8],
) -> Checked<CallEntry> {
    let loaded = session.loaded();
    let prototype = callable.function.prototype();
    let arguments: Vec<&[u8]> = (0..prototype.n_parameters()).map(|k| &bytes[prototype.place(k)]).collect();
    let memory = ContractMemory { project: &session.ready().project, machine: &loaded.machine };
    let mut evaluator = loaded.judge.evaluator.borrow_mut();
    let unmet: Box<Unmet> = match evaluator.enter(contract, &arguments, &memory) {
        Ok(entered) => return Ok(entered),
        Err(unmet) => unmet,
    };
    // Once more, with the values of its parts.
    evaluator.set_explains(true);
    let again = evaluator.enter(contract, &arguments, &memory);
    evaluator.set_explains(false);
    let unmet = match again {
        Err(explained) => explained,
        Ok(entered) => {
            evaluator.leave(entered);
            unmet
        }
    };
    drop(evaluator);
    session.note_failure();
    Err(Stop::fail(words::not_allowed(session, callable.name, &unmet)))
}

/// Hands the footprint of the precondition to the call; false if frames are nested too deeply for one more.
fn begin(session: &Session<'_>, name: &str, entered: Option<&CallEntry>) -> Checked<bool> {
    let Some(entered) = entered else { return Ok(false) };
    let loaded = session.loaded();
    let evaluator = loaded.judge.evaluator.borrow();
    let footprint = evaluator.footprint(entered);
    let opened = loaded.machine.begin_frame_lending(footprint.ranges, footprint.lent);
    drop(evaluator);
    match opened {
        Ok(opened) => Ok(opened == FrameOpening::Yes),
        Err(not_owned) => {
            loaded.judge.evaluator.borrow_mut().clear();
            session.note_failure();
            let what = words::what(session, &loaded.machine.describe(not_owned.address));
            Err(words::misuse(&format!("`{name}` takes memory that is not the test's to hand over: {what}")))
        }
    }
}

/// Asked about everything that happens within a call: first the contract, then the mock.
struct CallObserver<'s, 'r> {
    asked: MockInterceptor<'s, 'r>,
    nested: NestedCalls<'s>,
    loaded: &'s LoadedObject,
}

impl Hooks for CallObserver<'_, '_> {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        if let Some(mock) = call.id.checked_sub(MOCKS) {
            return self.asked.answer(mock as usize, call);
        }
        let entered = self.nested.before(machine, call);
        let mocked = self.loaded.mocked.iter().find(|(contract, _)| *contract as u64 == call.id);
        let (Flow::GoOn, Some((_, mock))) = (entered, mocked) else { return entered };
        match self.asked.answer(*mock, call) {
            // The mock is held to the contract.
            Flow::Skip => match self.nested.after(machine, call) {
                Flow::Stop => {
                    let name = self.loaded.mocks[*mock];
                    if let Some(finding) = self.nested.failure.as_mut().and_then(|f| Finding::of_mut(f)) {
                        finding.mock = Some(name.to_string());
                    }
                    Flow::Stop
                }
                _ => Flow::Skip,
            },
            other => other,
        }
    }

    fn after(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        if call.id >= MOCKS { Flow::GoOn } else { self.nested.after(machine, call) }
    }

    fn probe(&mut self, machine: &Machine, probe: &Probe) -> Flow {
        self.nested.probe(machine, probe)
    }
}
