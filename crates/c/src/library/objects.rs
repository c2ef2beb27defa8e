//! The objects that this process has loaded, each at addresses of its own.
//!
//! A library is loaded by its first run and stays until it is dropped; [`PLACES`] of them have room beside
//! each other. Whoever needs one more has the one unloaded that was not used for the longest time: it is
//! loaded again by its next run.

use super::contracts::MOCKS;
use super::ready::ReadyProject;
use super::turn::{self, Turn};
use super::words;
use crate::ctypes::Signature;
use crate::machine::{Function, Machine, PLACES, Prototype};
use crate::operations::failures::has_contract;
use crate::operations::judge::Judge;
use stairway::Checked;
use stairway_sandbox::Confined;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Who has which place; touched by the thread whose turn it is, and by whoever drops a library.
static PLACED: Mutex<Vec<PlaceOwner>> = Mutex::new(Vec::new());

struct PlaceOwner {
    place: u64,
    ready: Weak<ReadyProject>,
}

fn placed() -> MutexGuard<'static, Vec<PlaceOwner>> {
    PLACED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A loaded object.
pub(super) struct LoadedObject {
    pub(super) machine: Machine,
    pub(super) functions: BTreeMap<&'static str, CallableFunction>,
    pub(super) judge: Judge,
    /// Mocks of functions with a contract: the contract, the mock.
    pub(super) mocked: Vec<(usize, usize)>,
    /// The names of all mocks.
    pub(super) mocks: Vec<&'static str>,
    thread: u64,
}

impl std::fmt::Debug for LoadedObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loaded").field("machine", &self.machine).finish_non_exhaustive()
    }
}

/// A function that can be called.
pub(super) struct CallableFunction {
    pub(super) name: &'static str,
    pub(super) function: Function,
    /// Its contract: a place in the specs.
    pub(super) contract: Option<usize>,
}

// SAFETY: counted references (of prototypes) are in this value only: nothing that holds one is given away,
// and the value is used by the thread alone that has taken it out of its library, in its turn.
unsafe impl Send for LoadedObject {}

/// What to do where there is no sandbox.
const UNCONFINED: &str = "where C may do anything that you may do, use the library's `unconfined`";

/// A loaded object, for a run.
pub(super) struct ObjectLease {
    ready: Arc<ReadyProject>,
    /// Always there, until dropped.
    loaded: Option<Box<LoadedObject>>,
    /// Whether it is not to be used again.
    is_spent: Cell<bool>,
    /// What keeps C from reaching anything outside, unless it may.
    confined: Option<Confined>,
    _turn: Turn,
}

impl ObjectLease {
    /// Takes an object for a run, and begins with fresh memory.
    pub(super) fn take(ready: &Arc<ReadyProject>) -> Checked<ObjectLease> {
        let turn = Turn::take();
        let confined = ready.is_confined.then(Confined::begin).transpose();
        let confined = confined.map_err(|error| words::misuse(&format!("{error}; {UNCONFINED}")))?;
        let kept = ready.take();
        let loaded = match kept {
            State::InUse => {
                return Err(words::misuse(
                    "a run of this library within another one: end the first, or declare the files in a second `library!`",
                ));
            }
            State::Loaded(loaded) => loaded,
            State::Unloaded => match LoadedObject::new(ready) {
                Ok(loaded) => Box::new(loaded),
                Err(error) => {
                    ready.put(State::Unloaded);
                    return Err(words::misuse(&error));
                }
            },
        };
        let (ready, is_spent) = (Arc::clone(ready), Cell::new(false));
        let mut held = ObjectLease { ready, loaded: Some(loaded), is_spent, confined, _turn: turn };
        held.begin()?;
        Ok(held)
    }

    fn begin(&mut self) -> Checked {
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        note_use(&self.ready);
        let thread = turn::thread();
        loaded.machine.enter(loaded.thread != thread).map_err(|error| words::misuse(&error.to_string()))?;
        loaded.thread = thread;
        loaded.machine.reset();
        loaded.judge.reset();
        Ok(())
    }

    pub(super) fn loaded(&self) -> &LoadedObject {
        match &self.loaded {
            Some(loaded) => loaded,
            None => unreachable!("what is held is there until it is dropped"),
        }
    }

    pub(super) fn confined(&self) -> Option<&Confined> {
        self.confined.as_ref()
    }

    pub(super) fn ready(&self) -> &ReadyProject {
        &self.ready
    }

    /// After a call that was stopped within the C library: the next run begins with another copy of the object.
    pub(super) fn spend(&self) {
        self.is_spent.set(true);
    }
}

impl Drop for ObjectLease {
    fn drop(&mut self) {
        let Some(loaded) = self.loaded.take() else { return };
        loaded.machine.exit();
        if self.is_spent.get() {
            drop(loaded);
            release(&self.ready);
            self.ready.put(State::Unloaded);
        } else {
            self.ready.put(State::Loaded(loaded));
        }
    }
}

/// What a library has loaded.
#[derive(Debug, Default)]
pub(super) enum State {
    #[default]
    Unloaded,
    /// A run has it.
    InUse,
    Loaded(Box<LoadedObject>),
}

impl ReadyProject {
    fn state(&self) -> MutexGuard<'_, State> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is loaded is the caller's from now on.
    fn take(&self) -> State {
        std::mem::replace(&mut *self.state(), State::InUse)
    }

    fn put(&self, state: State) {
        *self.state() = state;
    }
}

impl Drop for ReadyProject {
    fn drop(&mut self) {
        // Signals are put back while no other thread is in C.
        let _turn = Turn::take();
        drop(self.take());
        placed().retain(|placed| placed.ready.strong_count() > 0);
    }
}

/// The one that was used last stands last.
fn note_use(ready: &Arc<ReadyProject>) {
    let mut placed = placed();
    if let Some(k) = placed.iter().position(|placed| placed.ready.as_ptr() == Arc::as_ptr(ready)) {
        let used = placed.remove(k);
        placed.push(used);
    }
}

fn release(ready: &Arc<ReadyProject>) {
    placed().retain(|placed| placed.ready.as_ptr() != Arc::as_ptr(ready));
}

/// Finds room: the place that follows from the recipe or the next one that is free, after unloading something
/// if none is.
fn find_place(ready: &Arc<ReadyProject>) -> Result<u64, String> {
    let mut placed = placed();
    placed.retain(|placed| placed.ready.strong_count() > 0);
    if placed.len() as u64 >= PLACES {
        let idle =
            placed.iter().position(|placed| placed.ready.upgrade().is_some_and(|ready| unload(&ready)));
        let idle =
            idle.ok_or_else(|| format!("{PLACES} libraries are running, and there is no room for more"))?;
        placed.remove(idle);
    }
    let is_free = |place: &u64| placed.iter().all(|placed| placed.place != *place);
    let place = (0..PLACES).map(|k| (ready.place.wrapping_add(k)) % PLACES).find(is_free).unwrap_or(0);
    placed.push(PlaceOwner { place, ready: Arc::downgrade(ready) });
    Ok(place)
}

/// Unloads a library that no run has.
fn unload(ready: &ReadyProject) -> bool {
    let mut state = ready.state();
    let is_idle = matches!(*state, State::Loaded(_));
    if is_idle {
        *state = State::Unloaded;
    }
    is_idle
}

impl LoadedObject {
    fn new(ready: &Arc<ReadyProject>) -> Result<LoadedObject, String> {
        let place = find_place(ready)?;
        let loaded = LoadedObject::at(ready, place);
        if loaded.is_err() {
            release(ready);
        }
        loaded
    }

    fn at(ready: &Arc<ReadyProject>, place: u64) -> Result<LoadedObject, String> {
        let project = &ready.project;
        let is_confined = ready.is_confined;
        let machine =
            Machine::load_at(&project.object, project.is_instrumented, super::limits(), place, is_confined);
        let machine = machine.map_err(|error| error.to_string())?;
        let functions = functions(ready, &machine)?;
        let judge = Judge::new(project, &machine, &crate::operations::Settings::default());
        let judge = judge.map_err(|error| error.to_string())?;
        let thread = turn::thread();
        let mocks = ready.declared.mocks.iter().map(|mock| mock.name).collect();
        let mut loaded = LoadedObject { machine, functions, judge, mocked: Vec::new(), mocks, thread };
        loaded.intercept_mocks(ready)?;
        Ok(loaded)
    }

    fn intercept_mocks(&mut self, ready: &ReadyProject) -> Result<(), String> {
        for (k, mock) in ready.declared.mocks.iter().enumerate() {
            let name = mock.name;
            if let Some(contract) = contract(ready, name) {
                // It is intercepted already.
                self.mocked.push((contract, k));
                continue;
            }
            let in_c = ready.project.program.functions.iter().find(|f| f.source_name() == name);
            let in_c = in_c.ok_or_else(|| format!("nothing is known of `{name}`"))?;
            let prototype = prototype(ready, name, &in_c.signature)?;
            let at = self.machine.interception_point(name);
            let at = at.ok_or_else(|| format!("nothing in C calls `{name}`, so no mock can replace it"))?;
            let intercepted = self.machine.intercept(at, &prototype, MOCKS + k as u64);
            intercepted.map_err(|error| {
                format!("`{name}` cannot be replaced by a mock ({error}); memory functions and their like never can")
            })?;
        }
        Ok(())
    }
}

/// The contract that calls of a function are judged by.
fn contract(ready: &ReadyProject, name: &str) -> Option<usize> {
    let is_judged = ready.project.is_instrumented && has_contract(&ready.project, name);
    ready.project.specs.contract_of.get(name).copied().filter(|_| is_judged)
}

/// The declared functions, ready to be called.
fn functions(
    ready: &ReadyProject,
    machine: &Machine,
) -> Result<BTreeMap<&'static str, CallableFunction>, String> {
    let mut functions = BTreeMap::new();
    for declared in &ready.declared.functions {
        let name = declared.name;
        let found = ready.project.program.functions.iter().find(|f| f.is_defined && f.name == name);
        let Some((in_c, address)) = found.and_then(|f| Some((f, f.address?))) else {
            return Err(format!("`{name}` has no code; is it `static inline` and never called?"));
        };
        let prototype = prototype(ready, name, &in_c.signature)?;
        let entry = machine.entry(address).ok_or_else(|| format!("`{name}` has no code"))?;
        let function = machine.function(entry, prototype);
        functions.insert(name, CallableFunction { name, function, contract: contract(ready, name) });
    }
    Ok(functions)
}

fn prototype(ready: &ReadyProject, name: &str, signature: &Signature) -> Result<Rc<Prototype>, String> {
    let prototype = Prototype::new(&ready.project.program.types, signature);
    prototype.map(Rc::new).map_err(|error| format!("`{name}` cannot be called: {error}"))
}
