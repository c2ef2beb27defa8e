//! Nested calls of contracted functions: Rust is asked before and after each.
//!
//! A function is intercepted by writing a jump over the padding at its beginning; the jump leads to a libffi
//! closure with the function's signature, so arguments and result arrive decoded, whoever calls (other files,
//! the same file, function pointers). The runtime then calls `before`, the function behind the padding, and
//! `after`.

use std::any::Any;
use std::ffi::c_void;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use libffi::low;

use super::abi::Prototype;
use super::{Entry, Machine, raw};

/// What a hook wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    GoOn,
    /// Before: do not call the function; the hook has set the result. After: the same as `GoOn`.
    Skip,
    /// End the whole call with `Violation::Hook`.
    Stop,
}

/// Who is asked about nested calls. While a hook runs, nothing of the code under test does; it may read and
/// write its memory, open and close frames and make calls of its own (with other hooks).
pub trait Hooks {
    /// Before the function runs: preconditions, `begin_frame`.
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow;
    /// After it has returned: postconditions, `release`, `end_frame`. Does not come if it does not return;
    /// when the code jumped over it (`longjmp`), the next hook has a smaller or equal `level`.
    fn after(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow;
    /// At a probe in a rewritten source: `stairway_probe(id, n, &x, …)`. Nothing happens unless this is
    /// defined.
    fn probe(&mut self, machine: &Machine, probe: &Probe) -> Flow {
        let _ = (machine, probe);
        Flow::GoOn
    }
}

/// A place in a function body where something is to be checked: a loop invariant, an assertion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its number in the rewritten source.
    pub id: u64,
    /// How many intercepted calls are under way.
    pub level: u64,
    /// Where the local variables it names are; `Machine::read` reads them.
    pub addresses: Vec<u64>,
}

/// Nobody is asked: nested calls just happen.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoHooks;

impl Hooks for NoHooks {
    fn before(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        Flow::GoOn
    }

    fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        Flow::GoOn
    }
}

/// A nested call that is about to happen, or has happened.
pub struct NestedCall<'a> {
    /// The number given to `intercept`.
    pub id: u64,
    /// How many intercepted calls are under way, this one included.
    pub level: u64,
    prototype: &'a Prototype,
    result: *mut u8,
    arguments: *mut *mut c_void,
}

impl NestedCall<'_> {
    /// The bytes of an argument as passed. The function may change its own copy: keep what `after` needs.
    ///
    /// # Panics
    /// If there is no such parameter.
    #[must_use]
    pub fn argument(&self, parameter: usize) -> &[u8] {
        let size = self.prototype.place(parameter).len();
        // SAFETY: libffi hands over one pointer for each parameter.
        let at = unsafe { self.arguments.add(parameter) };
        // SAFETY: as above.
        let at = unsafe { at.read() };
        // SAFETY: it leads to a value of the parameter's size, which stays while the hook runs.
        unsafe { std::slice::from_raw_parts(at.cast::<u8>(), size) }
    }

    /// The bytes of the result; of use after the call.
    #[must_use]
    pub fn result(&self) -> &[u8] {
        let size = self.prototype.result_size();
        if size == 0 {
            return &[];
        }
        // SAFETY: libffi provides room for the result.
        unsafe { std::slice::from_raw_parts(self.result, size) }
    }

    /// Sets the result, for `Flow::Skip`.
    ///
    /// # Panics
    /// If the size is not the result's.
    pub fn set_result(&mut self, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.prototype.result_size(), "a result of another type");
        // Integers narrower than a register are read as a whole register.
        let widened = bytes.len().max(if bytes.is_empty() { 0 } else { 8 });
        // SAFETY: libffi provides room for the result, at least a register.
        unsafe { std::ptr::write_bytes(self.result, 0, widened) };
        // SAFETY: as above.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.result, bytes.len()) };
    }

    /// The signature.
    #[must_use]
    pub fn prototype(&self) -> &Prototype {
        self.prototype
    }
}

/// Why a function cannot be intercepted: its nested calls are not checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InterceptError {
    /// It has no padding: it was not compiled with instrumentation, or is intercepted already.
    NoPadding,
    /// The system does not let code be changed, or gives no memory for it.
    System,
}

impl fmt::Display for InterceptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InterceptError::NoPadding => "the function is not compiled for interception; build it with gcc",
            InterceptError::System => {
                "the system forbids changing loaded code; nested contracts go unchecked"
            }
        })
    }
}

impl std::error::Error for InterceptError {}

/// An intercepted function. The closure points into it, and the code to the closure, for as long as the
/// process lives: it is never dropped.
pub(super) struct Interception {
    hook: raw::Hook,
    prototype: Rc<Prototype>,
}

/// What the runtime hands back to the functions below.
pub(super) struct Context<'a> {
    pub(super) machine: &'a Machine,
    pub(super) hooks: &'a mut dyn Hooks,
    /// A panic in a hook, which must not pass through frames of C: it goes on when the call has ended.
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

impl Context<'_> {
    /// Asks the hooks; a panic stops the call.
    fn ask(&mut self, question: impl FnOnce(&mut dyn Hooks, &Machine) -> Flow) -> u32 {
        let (hooks, machine) = (&mut *self.hooks, self.machine);
        let answer = catch_unwind(AssertUnwindSafe(|| question(hooks, machine)));
        let flow = answer.unwrap_or_else(|payload| {
            self.panic = Some(payload);
            Flow::Stop
        });
        flow.answer()
    }
}

pub(super) extern "C" fn before(
    context: *mut c_void,
    index: u64,
    level: u64,
    result: *mut c_void,
    arguments: *mut *mut c_void,
) -> u32 {
    ask(context, index, level, result, arguments, |hooks, machine, call| hooks.before(machine, call))
}

pub(super) extern "C" fn after(
    context: *mut c_void,
    index: u64,
    level: u64,
    result: *mut c_void,
    arguments: *mut *mut c_void,
) -> u32 {
    ask(context, index, level, result, arguments, |hooks, machine, call| hooks.after(machine, call))
}

fn ask(
    context: *mut c_void,
    index: u64,
    level: u64,
    result: *mut c_void,
    arguments: *mut *mut c_void,
    question: impl FnOnce(&mut dyn Hooks, &Machine, &mut NestedCall<'_>) -> Flow,
) -> u32 {
    let _host = stairway_sandbox::Host::enter();
    // SAFETY: `Machine::call` passes a context that lives until the guarded call has ended, and lends it to
    // nobody else.
    let context = unsafe { &mut *context.cast::<Context<'_>>() };
    let (id, prototype) = {
        let interceptions = context.machine.interceptions.borrow();
        let found = &interceptions[index as usize];
        (found.0, Rc::clone(&found.1.prototype))
    };
    let mut call = NestedCall { id, level, prototype: &prototype, result: result.cast(), arguments };
    context.ask(|hooks, machine| question(hooks, machine, &mut call))
}

pub(super) extern "C" fn probe(
    context: *mut c_void,
    id: u64,
    level: u64,
    n: u64,
    addresses: *mut *mut c_void,
) -> u32 {
    let _host = stairway_sandbox::Host::enter();
    // SAFETY: as in `ask`.
    let context = unsafe { &mut *context.cast::<Context<'_>>() };
    // SAFETY: the runtime passes that many addresses.
    let addresses = unsafe { std::slice::from_raw_parts(addresses, n as usize) };
    let addresses = addresses.iter().map(|p| p.addr() as u64).collect();
    context.ask(|hooks, machine| hooks.probe(machine, &Probe { id, level, addresses }))
}

impl Flow {
    fn answer(self) -> u32 {
        match self {
            Flow::GoOn => raw::GO_ON,
            Flow::Skip => raw::SKIP,
            Flow::Stop => raw::STOP,
        }
    }
}

impl Machine {
    /// From now on, hooks are asked about every nested call of a function (not about calls from Rust).
    ///
    /// # Errors
    /// If the function has no padding, or code cannot be changed.
    pub fn intercept(&self, entry: Entry, prototype: &Rc<Prototype>, id: u64) -> Result<(), InterceptError> {
        let address = self.checked(entry);
        if !self.is_padded(address) {
            return Err(InterceptError::NoPadding);
        }
        let (closure, code) = low::try_closure_alloc().ok_or(InterceptError::System)?;
        let mut interceptions = self.interceptions.borrow_mut();
        let body = std::ptr::with_exposed_provenance_mut((address + crate::build::PADDING) as usize);
        let interception: &'static Interception = Box::leak(Box::new(Interception {
            hook: raw::Hook {
                body,
                id: interceptions.len() as u64,
                result_size: prototype.result_size() as u64,
            },
            prototype: Rc::clone(prototype),
        }));
        let hook: *const raw::Hook = &raw const interception.hook;
        let nested = self.nested_handler();
        // SAFETY: the closure, the description of the call and the hook are never freed.
        let status = unsafe {
            libffi::raw::ffi_prep_closure_loc(
                closure,
                prototype.cif.as_raw_ptr(),
                Some(nested),
                hook.cast_mut().cast(),
                code.as_mut_ptr(),
            )
        };
        if status != libffi::raw::ffi_status_FFI_OK {
            return Err(InterceptError::System);
        }
        // SAFETY: the padding was checked to be there; the target is the closure's code.
        let answer = unsafe { (self.api.intercept)(address, code.as_mut_ptr()) };
        if answer != 0 {
            return Err(if answer == 1 { InterceptError::NoPadding } else { InterceptError::System });
        }
        interceptions.push((id, interception));
        Ok(())
    }

    fn nested_handler(
        &self,
    ) -> unsafe extern "C" fn(*mut libffi::raw::ffi_cif, *mut c_void, *mut *mut c_void, *mut c_void) {
        // SAFETY: the handler takes the description of the call as an opaque pointer.
        unsafe { std::mem::transmute(self.api.nested) }
    }
}
