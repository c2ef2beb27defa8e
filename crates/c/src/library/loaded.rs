//! The object that this process has loaded.
//!
//! There is one at a time, because addresses are fixed, and one thread at a time has it. Whoever needs another one, or needs it
//! in another thread, waits for the run that is under way; so tests of one binary get on with each other, one after the other.

use super::ready::Ready;
use super::words;
use crate::ctypes::Signature;
use crate::machine::{Function, Machine, Prototype, Settings};
use stairway::Checked;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

static LOADED: Mutex<Option<Loaded>> = Mutex::new(None);

/// Numbers threads, to notice that another one has come.
static N_THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = N_THREADS.fetch_add(1, Ordering::Relaxed);
    /// Whether this thread is in a run.
    static IS_RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// A loaded object.
pub(super) struct Loaded {
    pub(super) ready: Arc<Ready>,
    pub(super) machine: Machine,
    pub(super) functions: BTreeMap<&'static str, Callable>,
    thread: u64,
}

/// A function that can be called.
pub(super) struct Callable {
    pub(super) name: &'static str,
    pub(super) function: Function,
}

// SAFETY: counted references (of prototypes) are in this value only: nothing that holds one is given away, and the value is
// reached under the lock alone.
unsafe impl Send for Loaded {}

/// The loaded object, for a run.
pub(super) struct Held {
    loaded: MutexGuard<'static, Option<Loaded>>,
}

impl Held {
    /// Takes an object for a run, and begins with fresh memory.
    pub(super) fn take(ready: &Arc<Ready>) -> Checked<Held> {
        if IS_RUNNING.replace(true) {
            return Err(words::misuse(
                "a run of C code within another one: end the first, or call both libraries from one file list",
            ));
        }
        let mut held = Held { loaded: LOADED.lock().unwrap_or_else(PoisonError::into_inner) };
        let thread = THREAD.with(|thread| *thread);
        held.make_room(ready, thread)?;
        if held.loaded.is_none() {
            let loaded = Loaded::new(ready, thread).map_err(|error| words::misuse(&error))?;
            *held.loaded = Some(loaded);
        }
        let Some(loaded) = &mut *held.loaded else { return Err(words::misuse("nothing is loaded")) };
        if loaded.thread != thread {
            loaded.machine.adopt().map_err(|error| words::misuse(&error.to_string()))?;
            loaded.thread = thread;
        }
        loaded.machine.reset();
        Ok(held)
    }

    /// Unloads what is another object. Several declarations of one object share it.
    fn make_room(&mut self, ready: &Arc<Ready>, thread: u64) -> Checked {
        match &mut *self.loaded {
            Some(loaded) if Arc::ptr_eq(&loaded.ready, ready) => Ok(()),
            Some(loaded) if loaded.ready.object == ready.object => {
                let functions = functions(ready, &loaded.machine).map_err(|error| words::misuse(&error))?;
                (loaded.functions, loaded.ready) = (functions, Arc::clone(ready));
                Ok(())
            }
            _ => {
                self.unload(thread);
                Ok(())
            }
        }
    }

    /// What was taken from a thread is given back to the same.
    fn unload(&mut self, thread: u64) {
        if let Some(loaded) = self.loaded.take()
            && loaded.thread != thread
        {
            // If this fails, the thread keeps a stack for signals that is not its own, and is never freed.
            let _ = loaded.machine.adopt();
        }
    }

    pub(super) fn loaded(&self) -> &Loaded {
        match &*self.loaded {
            Some(loaded) => loaded,
            None => unreachable!("`take` gives nothing out before it has loaded something"),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        IS_RUNNING.set(false);
    }
}

impl Loaded {
    fn new(ready: &Arc<Ready>, thread: u64) -> Result<Loaded, String> {
        // The loader knows files that it has seen before and would not begin anew.
        let copy = tempfile::Builder::new().prefix("stairway-").suffix(".so").tempfile();
        let copy =
            copy.map_err(|e| format!("no temporary file: {e}; set TMPDIR to a folder that can be written"))?;
        std::fs::copy(&ready.object, copy.path()).map_err(|e| format!("{}: {e}", ready.object.display()))?;
        let machine = Machine::load(copy.path(), ready.is_instrumented, Settings::default());
        let machine = machine.map_err(|error| error.to_string())?;
        let functions = functions(ready, &machine)?;
        let loaded = Loaded { ready: Arc::clone(ready), machine, functions, thread };
        loaded.intercept_mocks()?;
        Ok(loaded)
    }

    fn intercept_mocks(&self) -> Result<(), String> {
        for (k, mock) in self.ready.declared.mocks.iter().enumerate() {
            let name = mock.name;
            let in_c = self.ready.program.functions.iter().find(|f| f.source_name() == name);
            let in_c = in_c.ok_or_else(|| format!("nothing is known of `{name}`"))?;
            let prototype = prototype(&self.ready, name, &in_c.signature)?;
            let at = self.machine.interception_point(name);
            let at = at.ok_or_else(|| format!("nothing in C calls `{name}`, so no mock can replace it"))?;
            let intercepted = self.machine.intercept(at, &prototype, k as u64);
            intercepted.map_err(|error| {
                format!("`{name}` cannot be replaced by a mock ({error}); memory functions and their like never can")
            })?;
        }
        Ok(())
    }
}

/// The declared functions, ready to be called.
fn functions(ready: &Ready, machine: &Machine) -> Result<BTreeMap<&'static str, Callable>, String> {
    let mut functions = BTreeMap::new();
    for declared in &ready.declared.functions {
        let found = ready.program.functions.iter().find(|f| f.is_defined && f.name == declared.name);
        let Some((in_c, address)) = found.and_then(|f| Some((f, f.address?))) else {
            return Err(format!("`{}` has no code; is it `static inline` and never called?", declared.name));
        };
        let prototype = prototype(ready, declared.name, &in_c.signature)?;
        let function = machine.function(machine.address(address), prototype);
        functions.insert(declared.name, Callable { name: declared.name, function });
    }
    Ok(functions)
}

fn prototype(ready: &Ready, name: &str, signature: &Signature) -> Result<Rc<Prototype>, String> {
    let prototype = Prototype::new(&ready.program.types, signature);
    prototype.map(Rc::new).map_err(|error| format!("`{name}` cannot be called: {error}"))
}
