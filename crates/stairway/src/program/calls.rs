//! Programs of calls: the functions of some contracts, in any order that their types allow.
//!
//! Gives the engine the [`Call`]s of a [`Contract`] as its operations, and users a checker.

use super::checker::Programs;
use super::contract::{Call, CallResults, Contract};
use super::drawn_function;
use super::results::Results;
use super::step_source::{self, OracleSource};
use crate::Checker;
use crate::oracle::Oracle;
use crate::panics;
use crate::reproducer_program::Subject;
use crate::whereabouts;
use stairway_engine::{
    Case, Checked, Failure, FailureKind, MAX_OPERATIONS, Operations, Party, Step, StepOutcome, Stop, any,
};
use std::any::{TypeId, type_name};
use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

/// Calls the functions of a type in random programs; panics with the report if a contract is
/// broken. Several types take part as a tuple: `check_contracts::<(Account, Bank)>()`.
///
/// An argument is a value drawn afresh or the result of an earlier call, passed by value, `&` or
/// `&mut`. A call whose arguments do not meet its `#[requires(..)]` is left out of the program. See
/// [`macro@crate::contract`].
pub fn check_contracts<C: Contract>() {
    Checker::contracts::<C>().run();
}

impl Checker {
    /// [`check_contracts`] with settings, and with a report as data:
    /// `Checker::contracts::<Account>().cases(1000).steps(30).demand_all().report()`.
    pub fn contracts<C: Contract>() -> ContractsChecker<C> {
        let name = format!("calls of {}", type_name::<C>());
        let mut checker = Checker::of_programs(name, CallsOf::new(), Subject::Contracts, None);
        checker.run.title = Some(C::title());
        checker.run.uncalled = C::uncalled();
        checker.run.uncalled.extend(&Calls::of::<C>().impossible);
        checker
    }
}

/// Checks contracts by programs of calls; made by [`Checker::contracts`].
pub type ContractsChecker<C> = Checker<Programs<CallsOf<C>>>;

impl<C: Contract> ContractsChecker<C> {
    /// Programs that reach a new state are kept, and every other program is then a variation of a kept one, as with
    /// the [`feedback`](crate::program::ModelChecker::feedback) of a model.
    ///
    /// A state is what a call leaves of a value that was passed to it by `&` or `&mut`, as its `Debug` shows it: for
    /// most types `self`. It finds what lies behind a row of right calls, each of which changes something; where
    /// nearly every call leads to a state that was never seen, it does not help. Free functions have no states.
    pub fn feedback(mut self) -> Self {
        self.operations().names_states = true;
        self
    }

    /// Draws an [`Oracle`] for each call, which is in charge of what the environment answers meanwhile: what the code
    /// asks with [`ask`](crate::ask) fails now and then, and a counterexample contains only the faults it needs.
    pub fn with_oracle(mut self) -> Self {
        self.operations().has_oracle = true;
        self
    }
}

/// The functions of a list of types. There is one of each for the whole process.
#[derive(Debug)]
pub(super) struct Calls {
    names: &'static [&'static str],
    calls: Vec<Call>,
    produced: Vec<TypeId>,
    /// The functions that no program can call, each with the reason.
    impossible: Vec<(&'static str, &'static str)>,
    /// For each call that makes what others need out of nothing, how many of it are enough.
    enough: Vec<Option<(TypeId, usize)>>,
}

impl Calls {
    fn of<C: Contract>() -> &'static Calls {
        static KNOWN: Mutex<BTreeMap<TypeId, &'static Calls>> = Mutex::new(BTreeMap::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(TypeId::of::<C>()).or_insert_with(|| Box::leak(Box::new(Calls::new(C::calls()))))
    }

    fn new(calls: Vec<Call>) -> Self {
        assert!(
            calls.len() <= MAX_OPERATIONS,
            "programs are made of at most {MAX_OPERATIONS} functions, but these types have {}: split them up",
            calls.len()
        );
        let impossible: Vec<_> =
            calls.iter().filter_map(|call| call.why_not.map(|why| (call.name, why))).collect();
        let calls: Vec<Call> = calls.into_iter().filter(|call| call.why_not.is_none()).collect();
        let names: Vec<&'static str> = calls.iter().map(|call| call.name).collect();
        let produced = calls.iter().filter_map(|call| call.produces).collect();
        let enough = calls.iter().map(|call| enough(call, &calls)).collect();
        Calls { names: Box::leak(names.into_boxed_slice()), calls, produced, impossible, enough }
    }

    /// Whether there is a call that results in this type.
    pub(super) fn produces(&self, id: TypeId) -> bool {
        self.produced.contains(&id)
    }
}

/// How many results of a constructor's type are enough to call everything; `None` if the call is no
/// constructor.
fn enough(call: &Call, all: &[Call]) -> Option<(TypeId, usize)> {
    let id = call.produces.filter(|_| call.needs.is_empty())?;
    let needed = all.iter().flat_map(|call| &call.takes).filter(|(of, _)| *of == id);
    needed.map(|(_, n)| *n).max().map(|n| (id, n))
}

/// Runs a step with a drawn oracle in charge, and keeps what it said however the step ends.
fn with_oracle(
    step: &mut Step<'_, '_>,
    run: impl FnOnce(&mut Step<'_, '_>) -> Checked<StepOutcome>,
) -> Checked<StepOutcome> {
    let oracle: Oracle = step.draw(any())?;
    let ended = catch_unwind(AssertUnwindSafe(|| oracle.during(|| run(step))));
    if let Some(source) = step_source::of_running(step) {
        source.oracle = Some(OracleSource::of(&oracle)).filter(|oracle| !oracle.said.is_empty());
    }
    ended.unwrap_or_else(|payload| resume_unwind(payload))
}

/// How likely a call is that is possible.
const LIKELY: u32 = 8;
/// How likely a constructor is once there is enough to call everything: what happens in one place
/// says more than one call in each of many, and values of one place mean little in another.
const UNLIKELY: u32 = 1;

/// The functions of `C`, for the engine.
#[derive(Debug)]
pub struct CallsOf<C> {
    calls: &'static Calls,
    /// Whether states are features.
    names_states: bool,
    /// Whether an oracle is in charge during each call.
    has_oracle: bool,
    of: PhantomData<fn() -> C>,
}

impl<C: Contract> CallsOf<C> {
    fn new() -> Self {
        CallsOf { calls: Calls::of::<C>(), names_states: false, has_oracle: false, of: PhantomData }
    }
}

impl<C> Operations for CallsOf<C> {
    type State = CallResults;

    fn names(&self) -> &'static [&'static str] {
        self.calls.names
    }

    fn start(&self, _: &mut Case<'_>) -> Checked<CallResults> {
        panics::blame(Party::System);
        drawn_function::forget_pointers();
        if !self.calls.calls.iter().any(|call| call.needs.is_empty()) {
            return Err(Stop::fail(Failure::new(FailureKind::NothingCallable)));
        }
        Ok(CallResults { results: Results::default(), calls: self.calls, names_states: self.names_states })
    }

    #[inline]
    fn weight(&self, op: usize, state: &CallResults) -> u32 {
        match self.calls.enough[op] {
            Some((id, n)) if state.results.count_of(id) >= n => UNLIKELY,
            _ if state.has(&self.calls.calls[op].needs) => LIKELY,
            _ => 0,
        }
    }

    #[inline]
    fn step(&self, op: usize, state: &mut CallResults, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        whereabouts::begin_step(op, step.ordinal());
        let run = self.calls.calls[op].run;
        if self.has_oracle { with_oracle(step, |step| run(state, step)) } else { run(state, step) }
    }

    fn finish(&self, _: CallResults, _: &mut Case<'_>) -> Checked {
        whereabouts::end_steps();
        Ok(())
    }
}
