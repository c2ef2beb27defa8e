//! An object under test, loaded into this process: its functions called under guard, its memory watched.
//!
//! Loads a linked object (`build`) and calls it: the answer is a result, or how the call failed, and what was
//! noticed on the way. It does not know contracts: footprints and hooks come from the evaluator. The C half
//! and its protocol are in `runtime/runtime.h`.
//!
//! One object at a time can be loaded in a process, and one thread calls it, the one that loaded or `adopt`ed
//! it: addresses are fixed so that they repeat from run to run. Variables and code move with the loader's
//! address randomisation, which the worker can switch off for itself (`personality`).
//!
//! A sequence is: `reset`; then for each call `slot`s and `write`s for its arguments, `begin_frame` if it has
//! a contract, `call`, and if it returned `release` and `end_frame`. After a violation the sequence is over:
//! `reset`. When `Report::is_tainted`, the call was left in the middle of a library function: confirm in a
//! fresh process.
//!
//! ```
//! use std::rc::Rc;
//! use stairway_c::ctypes::{CType, CTypes, Signature};
//! use stairway_c::machine::{Machine, NoHooks, Prototype, Settings};
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("twice.c");
//! std::fs::write(&file, "int twice(int x) { return 2 * x; }")?;
//! let built = stairway_c::build::build(&[file], &stairway_c::build::Settings::default())?;
//! let machine = Machine::load(&built.object, built.is_instrumented, Settings::default())?;
//!
//! let mut types = CTypes::default();
//! let int = types.add(CType::Integer { size: 4, is_signed: true, name: "int".into() });
//! let signature = Signature { returns: int, parameters: vec![int], is_variadic: false };
//! let prototype = Rc::new(Prototype::new(&types, &signature).expect("int can be passed"));
//! let twice = machine.function(machine.entry_of("twice").expect("is there"), prototype);
//!
//! let mut arguments = vec![0; twice.prototype().arguments_size()];
//! arguments[twice.prototype().place(0)].copy_from_slice(&i32::MAX.to_le_bytes());
//! let mut result = [0; 4];
//! machine.call(&twice, &mut arguments, &mut result, &mut NoHooks).expect("returns");
//! assert_eq!(i32::from_le_bytes(result), -2);
//! assert_eq!(machine.report().notes[0].to_string(), "signed overflow: 2147483647 * 2 does not fit in int");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_void};
use std::fmt;
use std::path::Path;
use std::rc::Rc;

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};
use std::mem::ManuallyDrop;

mod abi;
mod callbacks;
mod coverage;
mod hooks;
mod layout;
mod memory;
mod notes;
mod place;
mod raw;
mod reach;
mod report;
mod restore;
mod violation;

pub use abi::{Prototype, UnsupportedType};
pub use callbacks::{MAX_ANSWERS, MAX_CALLBACKS};
pub use coverage::{Comparison, Watch};
pub use hooks::{Flow, Hooks, InterceptError, NestedCall, NoHooks, Probe};
pub use layout::Symbol;
pub use memory::{Block, FrameOpening, MissingBytes, Range};
pub use notes::{Note, Operand, UndefinedKind};
pub use place::PLACES;
pub use report::{CallCost, Limit, Report, UninitialisedReads};
pub use violation::{BlockId, ByteState, Pc, Position, Violation};

use layout::Layout;
use restore::InitialContent;
use stairway_sandbox::Guest;

/// Where a function of a loaded object begins. Only its [`Machine`] makes them, so whatever is called is code
/// of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    address: u64,
    /// Of which object.
    base: u64,
}

/// Limits and choices that may change between sequences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// All blocks of a sequence together, with those freed last, of which a quarter of this stays known; at
    /// most 256 MB. Beyond it `malloc` answers null.
    pub heap_limit: u64,
    /// The stack of a call; at most 14 MB.
    pub stack_limit: u64,
    /// How many basic blocks a call may run, where the object is instrumented; 0 for no limit. A call without
    /// fuel ends after the same block on every machine.
    pub fuel: u64,
    /// Processor time of a call, and up to twenty times as much when it only waits; 0 for no limit. It ends
    /// what fuel does not: loops inside the C library, and code without instrumentation.
    pub timeout_ms: u64,
    /// What fresh memory holds: noise from this seed, or all zeros (0) or ones (255). Only with noise it is
    /// known which bytes were never written; zeros are for the second run that tells whether garbage
    /// mattered.
    pub fill: u64,
    /// Which allocation fails, counted from 1 at `configure`; 0 for none.
    pub failing_allocation: u64,
    /// Whether branches are counted, for a fuzzer.
    pub counts_edges: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            heap_limit: 64 << 20,
            stack_limit: 8 << 20,
            fuel: DEFAULT_FUEL,
            timeout_ms: 1000,
            fill: 1,
            failing_allocation: 0,
            counts_edges: false,
        }
    }
}

/// The fuel of a call unless told otherwise: a twentieth of a second on the machine where this is written,
/// far more than a call that returns needs, and little enough that a search can afford a hundred calls that
/// do not.
pub const DEFAULT_FUEL: u64 = 10_000_000;

/// How many pieces of one leak are listed.
const MOST_LEAKS: usize = 1 << 16;

/// More than any call can use.
const MOST_FUEL: u64 = 1 << 62;

/// Why an object cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    why: String,
    /// Whether it is the user's to mend.
    is_users: bool,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the object cannot be loaded: {}", self.why)
    }
}

impl std::error::Error for LoadError {}

impl LoadError {
    /// The system's own words; what is missing is a library of the user's, mostly.
    fn of_library(error: &libloading::Error) -> LoadError {
        let why = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
        LoadError { why: format!("{why}; {LIBRARIES}"), is_users: true }
    }

    /// Something is wrong with what was built.
    fn ours(why: impl Into<String>) -> LoadError {
        LoadError { why: why.into(), is_users: false }
    }

    /// Whether it is the user's to mend: a library is missing, or a constructor fails.
    pub(crate) const fn is_users(&self) -> bool {
        self.is_users
    }
}

/// What to look at when a program cannot be loaded.
const LIBRARIES: &str = "check the libraries that are named after `--`, and LD_LIBRARY_PATH";

/// A function that can be called.
#[derive(Clone, Debug)]
pub struct Function {
    /// What is called: behind the padding, so that interception is not about calls from Rust.
    body: u64,
    prototype: Rc<Prototype>,
}

impl Function {
    /// Its signature.
    #[must_use]
    pub fn prototype(&self) -> &Rc<Prototype> {
        &self.prototype
    }
}

/// What is loaded, and how.
#[derive(Clone, Copy)]
struct Opening<'p> {
    /// The file.
    file: &'p Path,
    /// What it is a copy of, or itself.
    object: &'p Path,
    /// Whether it is unloaded in the end.
    is_closed: bool,
    is_confined: bool,
}

/// A loaded object.
pub struct Machine {
    api: &'static raw::Api,
    layout: Layout,
    by_name: BTreeMap<String, usize>,
    globals_shadow: Box<[Cell<u8>]>,
    coverage: Box<[Cell<u8>]>,
    /// How often each branch was taken while that was watched, and which of them are not 0.
    edges: Box<[Cell<u8>]>,
    touched: Box<[Cell<u16>]>,
    /// How near the operands of each comparison came while that was watched, and which were made.
    sites: Box<[Cell<raw::Comparison>]>,
    compared: Box<[Cell<u16>]>,
    /// Variables and constructors' blocks as they were after loading, with the shadow of the latter.
    initial: Vec<InitialContent>,
    /// For each page of the variables, whether it was written since the last reset.
    is_written: Box<[Cell<u8>]>,
    interceptions: RefCell<Vec<(u64, &'static hooks::Interception)>>,
    /// Room for what a frame leaks.
    leaks: RefCell<Box<[Range]>>,
    is_instrumented: bool,
    /// Whether the runtime is ours to stop.
    is_started: bool,
    /// What is added to all addresses of the runtime.
    offset: u64,
    /// The loaded file; not closed where its destructors would run, which expect memory that is gone by then.
    library: ManuallyDrop<Library>,
    is_closed: bool,
    /// Whether the sandbox is to know when code under test runs.
    is_confined: bool,
    /// How the sandbox leaves calls.
    sandbox: stairway_sandbox::Runtime,
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("base", &self.layout.base).finish_non_exhaustive()
    }
}

impl Machine {
    /// Loads an object that `build` made; its constructors run.
    ///
    /// # Errors
    /// If it is none, or another one is loaded in this process.
    pub fn load(object: &Path, is_instrumented: bool, settings: Settings) -> Result<Machine, LoadError> {
        let opened = Opening { file: object, object, is_closed: false, is_confined: true };
        Machine::open(&opened, is_instrumented, settings)
    }

    /// Loads a copy of an object at addresses of its own, one of [`PLACES`], beside other objects; dropped,
    /// it is unloaded. Its destructors never run. Calls are marked for the sandbox if `is_confined`.
    ///
    /// # Errors
    /// If it is no object of `build`'s, or there is one at that place.
    pub fn load_at(
        object: &Path,
        is_instrumented: bool,
        settings: Settings,
        place: u64,
        is_confined: bool,
    ) -> Result<Machine, LoadError> {
        let copy = place::copy(object, place).map_err(LoadError::ours)?;
        let opened = Opening { file: copy.path(), object, is_closed: true, is_confined };
        let machine = Machine::open(&opened, is_instrumented, settings)?;
        machine.exit();
        Ok(machine)
    }

    fn open(opened: &Opening<'_>, is_instrumented: bool, settings: Settings) -> Result<Machine, LoadError> {
        let Opening { file, object, is_closed, is_confined } = *opened;
        let guest = is_confined.then(Guest::load);
        // SAFETY: loading runs the object's constructors: code of the user's, in a process that expects the
        // worst.
        let library = unsafe { Library::open(Some(file), RTLD_LAZY | RTLD_LOCAL) };
        drop(guest);
        let library = library.map_err(|e| LoadError::of_library(&e))?;
        let api = api_of(&library)?;
        let library = ManuallyDrop::new(library);
        // SAFETY: the runtime says where it is.
        let offset = unsafe { (api.arena)() } - raw::ARENA;
        let layout = Layout::read(object, std::ptr::from_ref(api).expose_provenance() as u64)
            .map_err(LoadError::ours)?;
        let by_name = layout.symbols.iter().enumerate().map(|(k, s)| (s.name.clone(), k)).collect();
        let mut machine = Machine {
            api,
            by_name,
            globals_shadow: cells(layout.globals.size),
            coverage: cells(layout.text.size),
            edges: cells(coverage::N_EDGES),
            touched: vec![Cell::new(0); coverage::N_EDGES as usize].into_boxed_slice(),
            sites: vec![Cell::default(); coverage::N_SITES as usize].into_boxed_slice(),
            compared: vec![Cell::new(0); coverage::N_SITES as usize].into_boxed_slice(),
            initial: Vec::new(),
            is_written: cells(layout.globals.size / 4096 + 1),
            interceptions: RefCell::new(Vec::new()),
            leaks: RefCell::new(vec![Range::default(); MOST_LEAKS].into_boxed_slice()),
            is_instrumented,
            is_started: false,
            offset,
            library,
            is_closed,
            is_confined,
            sandbox: stairway_sandbox::Runtime {
                leave: api.end,
                print: api.print,
                clock: api.clock,
                random: api.random,
                code: (layout.text.address, layout.text.size),
            },
            layout,
        };
        place::start(api, || machine.start())?;
        machine.is_started = true;
        stairway_sandbox::keep_loaded();
        machine.configure(settings);
        machine.remember();
        Ok(machine)
    }

    fn start(&self) -> Result<(), LoadError> {
        for symbol in self.layout.symbols.iter().filter(|s| !s.is_function) {
            let start = symbol.address.wrapping_sub(self.layout.globals.address);
            let end = start.checked_add(symbol.size).map_or(0, |end| end.min(self.layout.globals.size));
            for k in start..end {
                self.globals_shadow[k as usize].set(raw::LIVE | raw::INIT | raw::PUBLIC);
            }
        }
        let layout = raw::Layout {
            text: self.layout.text.address,
            text_size: self.layout.text.size,
            globals: self.layout.globals.address,
            globals_size: self.layout.globals.size,
            missing: self.layout.missing.address,
            missing_size: self.layout.missing.size,
            readable: self.layout.readable.as_ptr(),
            n_readable: self.layout.readable.len() as u64,
            globals_shadow: self.globals_shadow.as_ptr().cast_mut().cast(),
            coverage: self.coverage.as_ptr().cast_mut().cast(),
            is_written: self.is_written.as_ptr().cast_mut().cast(),
            is_confined: u64::from(self.is_confined && stairway_sandbox::is_confining()),
            mark: stairway_sandbox::mark_of_starter(),
            edges: self.edges.as_ptr().cast_mut().cast(),
            touched: self.touched.as_ptr().cast_mut().cast(),
            sites: self.sites.as_ptr().cast_mut().cast(),
            compared: self.compared.as_ptr().cast_mut().cast(),
        };
        // SAFETY: what the layout points to lives as long as the machine, which stops the runtime when dropped.
        let trouble = unsafe { (self.api.start)(&raw const layout) };
        if trouble.is_null() { Ok(()) } else { Err(LoadError::ours(c_text(trouble))) }
    }

    /// Keeps what constructors did as the state that `reset` leads to.
    fn remember(&mut self) {
        let arena = self.placed(raw::ARENA);
        let heap = Range { address: arena, size: self.heap_end() - arena };
        let shadow = Range { address: self.placed(raw::SHADOW), size: heap.size };
        // Writes of a program that is not instrumented go unnoticed.
        let paged_from = self.is_instrumented.then_some(self.layout.globals.address);
        let variables = self.layout.variables.iter().map(|r| InitialContent::of(*r, paged_from));
        self.initial =
            variables.chain([heap, shadow].into_iter().map(|r| InitialContent::of(r, None))).collect();
        // SAFETY: the runtime only notes how much is allocated.
        unsafe { (self.api.keep)() };
    }

    /// Changes limits and choices; allocations are counted anew.
    pub fn configure(&self, settings: Settings) {
        let settings = raw::Settings {
            heap_limit: settings.heap_limit,
            stack_limit: settings.stack_limit,
            timeout_ms: settings.timeout_ms,
            fill: settings.fill,
            fail_at: settings.failing_allocation,
            fuel: if self.is_instrumented { settings.fuel } else { 0 },
            is_plain: u64::from(!self.is_instrumented),
        };
        // SAFETY: the runtime copies the settings.
        unsafe { (self.api.configure)(&raw const settings) };
    }

    /// How much fuel the calls that follow have, instead of what the settings say; nothing changes for an
    /// object without instrumentation.
    pub fn set_fuel(&self, fuel: u64) {
        if self.is_instrumented {
            // SAFETY: the runtime's own variable, which lives as long as the object; it is read when a call
            // begins.
            unsafe { self.api.fuel.write_volatile(fuel.min(MOST_FUEL)) };
        }
    }

    /// Back to the state after loading: variables, heap, frames, random numbers, the clock, output. What was
    /// declared public or not stays so, and so does coverage.
    pub fn reset(&self) {
        // SAFETY: no call is under way that could notice: calls borrow the machine, hooks have no business
        // here.
        unsafe { (self.api.reset)() };
        self.initial.iter().for_each(|area| area.restore(&self.is_written));
        self.is_written.iter().for_each(|page| page.set(0));
    }

    /// Calls come from this thread from now on: signals and the watch go with it.
    ///
    /// # Errors
    /// If the system does not give this thread a stack for signals.
    pub fn adopt(&self) -> Result<(), LoadError> {
        // SAFETY: no call is under way: whoever has the machine calls from one thread at a time.
        let trouble = unsafe { (self.api.adopt)() };
        if trouble.is_null() { Ok(()) } else { Err(LoadError::ours(c_text(trouble))) }
    }

    /// A run of calls begins on this thread, which is another one than before or not: its signals are handled
    /// on a stack of the object's.
    ///
    /// # Errors
    /// If the system does not give this thread a stack for signals, or a timer.
    pub fn enter(&self, is_another: bool) -> Result<(), LoadError> {
        if is_another {
            return self.adopt();
        }
        // SAFETY: no call is under way, and the stack lives as long as the object, which leaves the thread
        // before it is dropped.
        let answer = unsafe { (self.api.enter)() };
        if answer == 0 { Ok(()) } else { Err(LoadError::ours("no alternate signal stack")) }
    }

    /// The run is over: this thread handles its signals as before.
    pub fn exit(&self) {
        // SAFETY: no call is under way; the runtime puts back what `enter` found.
        unsafe { (self.api.exit)() };
    }

    /// Where something of the runtime is, whose address is for place 0.
    fn placed(&self, address: u64) -> u64 {
        address + self.offset
    }

    /// All functions and variables.
    #[must_use]
    pub fn symbols(&self) -> &[Symbol] {
        &self.layout.symbols
    }

    /// A function or variable by name; of several equal static names, the last.
    #[must_use]
    pub fn symbol(&self, name: &str) -> Option<&Symbol> {
        self.by_name.get(name).map(|k| &self.layout.symbols[*k])
    }

    /// What `stdin`, `stdout` or `stderr` is to the code.
    #[must_use]
    pub fn stream(&self, name: &str) -> Option<u64> {
        let variable = self.symbol(&format!("__wrap_{name}")).filter(|s| !s.is_function && s.size == 8)?;
        let at: *const u64 = std::ptr::with_exposed_provenance(usize::try_from(variable.address).ok()?);
        // SAFETY: the runtime defines these variables, each a pointer, and they live as long as the object.
        let stream = unsafe { at.read_volatile() };
        (stream != 0).then_some(stream)
    }

    /// Where calls of a function can be intercepted: the function itself, or what stands in for a library's.
    #[must_use]
    pub fn interception_point(&self, name: &str) -> Option<Entry> {
        self.entry_of(name).or_else(|| self.entry_of(&format!("__wrap_{name}")))
    }

    /// Where the function of this name begins.
    #[must_use]
    pub fn entry_of(&self, name: &str) -> Option<Entry> {
        self.symbol(name).filter(|symbol| symbol.is_function).and_then(|symbol| self.entry_at(symbol.address))
    }

    /// Where a function begins that debug information has at this offset of the object file.
    #[must_use]
    pub fn entry(&self, offset: u64) -> Option<Entry> {
        self.entry_at(self.address(offset))
    }

    fn entry_at(&self, address: u64) -> Option<Entry> {
        let is_code = self.layout.text.holds(address, 1) || self.layout.missing.holds(address, 1);
        // It may be in a section of its own.
        let is_function = || self.layout.symbol_at(address).is_some_and(|symbol| symbol.is_function);
        (is_code || is_function()).then_some(Entry { address, base: self.layout.base })
    }

    /// The address of an entry of this object.
    ///
    /// # Panics
    /// If it is one of another object: a bug of the caller.
    fn checked(&self, entry: Entry) -> u64 {
        assert_eq!(entry.base, self.layout.base, "a function of another object");
        entry.address
    }

    /// The function or variable that holds an address.
    #[must_use]
    pub fn symbol_at(&self, address: u64) -> Option<&Symbol> {
        self.layout.symbol_at(address)
    }

    /// Where an offset of the object file (as debug information has it) is in memory.
    #[must_use]
    pub fn address(&self, offset: u64) -> u64 {
        self.layout.base.wrapping_add(offset)
    }

    /// Makes a function callable.
    ///
    /// # Panics
    /// If it is one of another object.
    #[must_use]
    pub fn function(&self, entry: Entry, prototype: Rc<Prototype>) -> Function {
        let address = self.checked(entry);
        let body = if self.is_padded(address) { address + crate::build::PADDING } else { address };
        Function { body, prototype }
    }

    /// Whether a function of the object begins with the padding, used or not.
    fn is_padded(&self, address: u64) -> bool {
        let size = crate::build::PADDING;
        if !self.layout.text.holds(address, size) && !self.layout.missing.holds(address, size) {
            return false;
        }
        let begin = bytes_of(Range { address, size });
        is_nops(&begin) || (begin.starts_with(&[0xff, 0x25, 0, 0, 0, 0]) && begin.ends_with(&[0x90; 2]))
    }

    /// Calls a function. `arguments` has each argument at its `Prototype::place`; the result is written to
    /// `result`.
    ///
    /// # Errors
    /// With how it ended, if it did not return. Frames that were opened during the call are gone then.
    ///
    /// # Panics
    /// If `arguments` or `result` is too short for the prototype: a bug of the caller.
    pub fn call(
        &self,
        function: &Function,
        arguments: &mut [u8],
        result: &mut [u8],
        hooks: &mut dyn Hooks,
    ) -> Result<(), Violation> {
        let prototype = &*function.prototype;
        assert!(arguments.len() >= prototype.arguments_size(), "arguments are missing");
        let mut few = [std::ptr::null_mut::<c_void>(); 16];
        let mut many = Vec::new();
        let n = prototype.n_parameters();
        let pointers: &mut [*mut c_void] = if n <= few.len() {
            &mut few[..n]
        } else {
            many.resize(n, std::ptr::null_mut());
            &mut many
        };
        for (k, pointer) in pointers.iter_mut().enumerate() {
            *pointer = arguments[prototype.place(k)].as_mut_ptr().cast();
        }
        // libffi writes whole registers.
        let mut small = [0u64; 8];
        let mut large = Vec::new();
        let size = prototype.result_size();
        let room: &mut [u64] = if size <= size_of_val(&small) {
            &mut small
        } else {
            large.resize(size.div_ceil(8), 0);
            &mut large
        };
        let kind = self.call_raw(function, room.as_mut_ptr().cast(), pointers.as_mut_ptr(), hooks);
        if kind != 0 {
            return Err(self.violation());
        }
        let from: *const u8 = room.as_ptr().cast();
        // SAFETY: the room is at least as large as the result.
        result[..size].copy_from_slice(unsafe { std::slice::from_raw_parts(from, size) });
        Ok(())
    }

    fn call_raw(
        &self,
        function: &Function,
        result: *mut c_void,
        arguments: *mut *mut c_void,
        hooks: &mut dyn Hooks,
    ) -> u32 {
        let mut context = hooks::Context { machine: self, hooks, panic: None };
        let hooks = raw::Hooks {
            context: (&raw mut context).cast(),
            before: hooks::before,
            after: hooks::after,
            probe: hooks::probe,
        };
        let body = std::ptr::with_exposed_provenance_mut(function.body as usize);
        let cif = function.prototype.cif.as_raw_ptr().cast();
        let _guest = self.is_confined.then(|| Guest::call(&self.sandbox));
        // SAFETY: the runtime contains whatever the function does; it leaves by jumping over C frames only,
        // back into this call of its own. Pointers are to locals of the callers, which outlive the call.
        let kind = unsafe {
            (self.api.call)(
                libffi::raw::ffi_call as *const c_void,
                cif,
                body,
                result,
                function.prototype.result_size() as u64,
                arguments,
                &raw const hooks,
            )
        };
        stairway_sandbox::end_child();
        if let Some(panic) = context.panic {
            std::panic::resume_unwind(panic);
        }
        kind
    }

    /// A program counter as an offset of the object file.
    fn pc(&self, address: u64) -> Option<Pc> {
        let is_code = self.layout.text.holds(address, 0) || self.layout.missing.holds(address, 0);
        is_code.then(|| Pc(address - self.layout.base))
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if self.is_started {
            place::stop(self.api);
        }
        if self.is_closed {
            // SAFETY: it is dropped once, here; nothing of the object is used any more, and nothing of it
            // runs: it has no destructors.
            unsafe { ManuallyDrop::drop(&mut self.library) };
        }
    }
}

fn api_of(library: &Library) -> Result<&'static raw::Api, LoadError> {
    // SAFETY: the symbol is the runtime's table, if it is there.
    let symbol = unsafe { library.get::<*const raw::Api>(b"stairway_api\0") };
    let symbol =
        symbol.map_err(|_| LoadError::ours("the runtime is not in it; build it with `stairway_c::build`"))?;
    let api: *const raw::Api = symbol.into_raw().cast();
    // SAFETY: the table is constant, and is used as long as the library is loaded; the version is its first
    // field.
    let api: &'static raw::Api = unsafe { &*api };
    if api.version == raw::VERSION {
        Ok(api)
    } else {
        Err(LoadError::ours("its runtime has another version"))
    }
}

fn cells(n: u64) -> Box<[Cell<u8>]> {
    vec![Cell::new(0); n as usize].into_boxed_slice()
}

/// Whether all of it is instructions that do nothing, short ones (gcc) or long ones (clang): `nop`, or
/// `nop m` with prefixes.
fn is_nops(mut code: &[u8]) -> bool {
    while let [first, rest @ ..] = code {
        code = match (first, rest) {
            (0x90 | 0x66 | 0x2e, _) => rest,
            (0x0f, [0x1f, operand, ..]) => {
                // Registers and a displacement of no byte, one or four; 4 stands for one more byte that says
                // which registers.
                let n_displaced = [0, 1, 4][usize::from(operand >> 6).min(2)];
                let n = 2 + usize::from(operand & 7 == 4) + n_displaced;
                match rest.get(n..) {
                    Some(rest) => rest,
                    None => return false,
                }
            }
            _ => return false,
        };
    }
    true
}

/// Bytes of the object or of the runtime.
fn bytes_of(range: Range) -> Box<[u8]> {
    let from: *const u8 = std::ptr::with_exposed_provenance(range.address as usize);
    let mut bytes = vec![0; range.size as usize].into_boxed_slice();
    // SAFETY: callers pass ranges of loaded sections or of mapped runtime memory.
    unsafe { std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), bytes.len()) };
    bytes
}

/// A C string of the object or of the runtime; empty for null.
fn c_text(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: the runtime only hands on constants of the object, which are terminated.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
