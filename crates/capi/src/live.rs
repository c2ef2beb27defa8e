//! What stands behind `sw_test`: the test at hand, while C looks at it.
//!
//! It holds the checked specification; the operations move it from step to step, and the functions that C
//! calls (`calls.rs`, `generators.rs`) read and change it. C holds the pointer while Rust frames above have
//! it too, so every member that changes is a cell: there are no exclusive borrows to break.

use crate::abi::{self, Property, Set, Test};
use crate::assurance::Assurance;
use crate::frames::{self, Frame};
use crate::measure::Measure;
use crate::result_codes::Mistake;
use crate::results::Results;
use crate::spec::{Spec, arguments, pointee, slice, text};
use crate::test_access::Depth;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};
use core::ffi::{c_int, c_void};
use core::fmt::{Arguments, Write};
use core::ptr;
use stairway_engine::Choices;

/// One property as an operation of programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub(crate) property: &'static Property,
    pub(crate) set: usize,
    pub(crate) is_cleanup: bool,
    /// Where its statistics begin among all.
    pub(crate) first_statistic: usize,
}

/// Where something failed. Two failures at one site are the same failure.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    pub(crate) kind: Kind,
    /// The operation; none where no property was possible.
    pub(crate) op: Option<usize>,
    pub(crate) message: *const core::ffi::c_char,
    pub(crate) file: *const core::ffi::c_char,
    pub(crate) line: c_int,
    /// What a guard says of a crash; 0 otherwise.
    pub(crate) signal: c_int,
}

/// How something failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A condition did not hold.
    Condition,
    /// The body gave `SW_FAIL` without saying why.
    Unsaid,
    /// A guard says that the body did not return.
    Hang,
    /// A guard says that the machine trapped it.
    Crash,
    /// No property is eligible, and the test cannot end.
    Stuck,
    /// A cleanup property never became eligible.
    Endless,
}

impl Site {
    /// A failure that has no place in the source.
    pub(crate) const fn of(kind: Kind, op: Option<usize>) -> Site {
        Site { kind, op, message: ptr::null(), file: ptr::null(), line: 0, signal: 0 }
    }

    pub(crate) fn is_same(&self, other: &Site) -> bool {
        self.kind == other.kind
            && self.op == other.op
            && self.line == other.line
            && self.signal == other.signal
            && (ptr::eq(self.file, other.file) || text(self.file) == text(other.file))
    }
}

/// Where text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sink {
    Nowhere,
    /// To the caller's `write`.
    Output,
    /// Kept for the case that the test fails, because it cannot be run again.
    Trace,
}

/// How many sites of failures are told apart.
pub(crate) const N_SITES: usize = 32;

/// The test at hand.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) spec: Spec,
    pub(crate) operations: Vec<Operation>,
    /// The set and the operation at hand.
    pub(crate) set: Cell<usize>,
    pub(crate) op: Cell<Option<usize>>,
    /// Where draws come from; NULL where nothing may be drawn.
    pub(crate) choices: Cell<*mut Choices<'static>>,
    /// How deep generators are nested at present.
    pub(crate) depth: Cell<u32>,
    arguments: Box<[Cell<u128>]>,
    heap: Box<[Cell<u128>]>,
    heap_used: Cell<usize>,
    /// Which steps the arguments at hand name, where they are results: argument by argument, the number and
    /// 1, or 0.
    references: [Cell<u32>; abi::MAX_ARGUMENTS],
    pub(crate) results: Results,
    /// The number of the step at hand.
    pub(crate) step: Cell<u32>,
    /// Whether a body is in the library.
    pub(crate) inside: Depth,
    /// Where the latest crash was.
    pub(crate) crash_address: Cell<usize>,
    /// Where the property at hand has failed, or that it was refused.
    pub(crate) failed_at: Cell<Option<usize>>,
    sites: RefCell<Vec<Site>>,
    /// The first mistake in what was given.
    pub(crate) wrong: Cell<Option<Mistake>>,
    /// Whether a test of the search has failed: what runs now is run again.
    pub(crate) has_failed: Cell<bool>,
    pub(crate) sink: Cell<Sink>,
    trace: Box<[Cell<u8>]>,
    n_traced: Cell<usize>,
    /// Which demands were met in this test, set by set.
    pub(crate) hits: Box<[Cell<bool>]>,
    pub(crate) measures: RefCell<Vec<Measure>>,
    pub(crate) assurance: RefCell<Assurance>,
    pub(crate) n_steps: Cell<u32>,
    /// Tests of the search so far.
    pub(crate) n_tests: Cell<u64>,
    /// Runs since a test has failed.
    pub(crate) n_runs: Cell<u64>,
    /// When it is next said how far the run has come.
    pub(crate) next_progress: Cell<u64>,
    /// Tests that ended with fewer properties than asked for.
    pub(crate) n_short: Cell<u64>,
    /// Which operations are eligible, as long as nothing has been done since.
    pub(crate) eligible: Box<[Cell<bool>]>,
    pub(crate) is_eligible_known: Cell<bool>,
}

impl Live {
    /// Takes everything that tests need.
    pub(crate) fn new(spec: Spec) -> Live {
        let limits = spec.limits;
        let operations = operations(&spec);
        let n = operations.len();
        Live {
            spec,
            operations,
            set: Cell::new(0),
            op: Cell::new(None),
            choices: Cell::new(ptr::null_mut()),
            depth: Cell::new(0),
            arguments: cells(limits.n_argument_bytes.div_ceil(16)),
            heap: cells(limits.n_heap_bytes.div_ceil(16)),
            heap_used: Cell::new(0),
            references: Default::default(),
            results: Results::with_room(limits.n_results),
            step: Cell::new(0),
            inside: Depth::default(),
            crash_address: Cell::new(0),
            failed_at: Cell::new(None),
            sites: RefCell::new(Vec::with_capacity(N_SITES)),
            wrong: Cell::new(None),
            has_failed: Cell::new(false),
            sink: Cell::new(Sink::Nowhere),
            trace: cells(limits.n_trace_bytes),
            n_traced: Cell::new(0),
            hits: cells(limits.n_demands),
            measures: RefCell::new(vec![Measure::default(); limits.n_statistics]),
            assurance: RefCell::new(if cfg!(feature = "statistics") {
                Assurance::with_room(limits.n_states, limits.max_properties)
            } else {
                Assurance::default()
            }),
            n_steps: Cell::new(0),
            n_tests: Cell::new(0),
            n_runs: Cell::new(0),
            next_progress: Cell::new(1),
            n_short: Cell::new(0),
            eligible: cells(n),
            is_eligible_known: Cell::new(false),
        }
    }

    /// The pointer that C is given.
    pub(crate) const fn handle(&self) -> *mut Test {
        ptr::from_ref(self).cast::<Test>().cast_mut()
    }

    /// The set at hand.
    pub(crate) fn set(&self) -> &'static Set {
        &self.spec.sets[self.set.get()]
    }

    /// Notes the first mistake; while something that failed is run again they are of no interest.
    pub(crate) fn is_wrong(&self, code: c_int, what: &'static str) {
        let whose = self.op.get().map_or("", |op| text(self.operations[op].property.name));
        if self.wrong.get().is_none() {
            self.wrong.set(Some(Mistake::new(code, what, whose)));
        }
    }

    /// Notes a failure and gives its site.
    pub(crate) fn fails(&self, site: Site) {
        let mut sites = self.sites.borrow_mut();
        let known = sites.iter().position(|known| known.is_same(&site));
        let at = known.unwrap_or_else(|| {
            if sites.len() < N_SITES {
                sites.push(site);
            }
            sites.len() - 1
        });
        if self.failed_at.get().is_none() {
            self.failed_at.set(Some(at));
        }
    }

    /// Where something failed.
    pub(crate) fn site(&self, at: usize) -> Option<Site> {
        self.sites.borrow().get(at).copied()
    }

    /// How many sites of failures were met.
    pub(crate) fn n_sites(&self) -> usize {
        self.sites.borrow().len()
    }

    /// Makes `op` the operation at hand; its arguments and arrays are made anew.
    pub(crate) fn enter(&self, op: usize) {
        self.op.set(Some(op));
        self.set.set(self.operations[op].set);
        self.failed_at.set(None);
        self.free_all();
        self.depth.set(0);
        for reference in &self.references {
            reference.set(0);
        }
        for cell in &self.arguments {
            cell.set(0);
        }
    }

    /// No property is at hand any more.
    pub(crate) fn leave(&self) {
        self.free_all();
        self.choices.set(ptr::null_mut());
        self.op.set(None);
        self.is_eligible_known.set(false);
    }

    /// Where argument number `index` of the operation at hand lies, and how large it is.
    pub(crate) fn argument(&self, index: usize) -> Option<(*mut c_void, usize)> {
        let operation = &self.operations[self.op.get()?];
        let mut at = 0;
        for (i, argument) in arguments(operation.property).enumerate() {
            let size = pointee(argument.generator)?.size;
            if i == index {
                let place = self.arguments.as_ptr().cast::<c_void>().cast_mut();
                return Some((place.wrapping_byte_add(at), size));
            }
            at += crate::spec::rounded(size);
        }
        None
    }

    /// Notes that the argument which begins at `place` is the result of step `by`.
    pub(crate) fn note_reference(&self, place: *const c_void, by: u32) {
        if let Some(reference) = self.reference_at(place) {
            reference.set(by + 1);
        }
    }

    /// The step whose result the argument is that begins at `place`.
    pub(crate) fn referenced_at(&self, place: *const c_void) -> Option<u32> {
        self.reference_at(place).and_then(|reference| reference.get().checked_sub(1))
    }

    fn reference_at(&self, place: *const c_void) -> Option<&Cell<u32>> {
        let is_there = |index: &usize| {
            self.argument(*index).is_some_and(|(argument, _)| ptr::eq(argument.cast_const(), place))
        };
        (0..self.references.len()).find(is_there).map(|index| &self.references[index])
    }

    /// Zeroed memory until the property ends; between forbidden zones where the platform can forbid.
    pub(crate) fn allocate(&self, n_bytes: usize) -> Option<*mut c_void> {
        let zone = usize::from(self.spec.settings.poison.is_some());
        let from = self.heap_used.get().checked_add(zone)?;
        let n = n_bytes.max(1).div_ceil(16);
        let to = from.checked_add(n)?;
        let end = to.checked_add(zone).filter(|end| *end <= self.heap.len())?;
        self.heap_used.set(end);
        for cell in &self.heap[from..to] {
            cell.set(0);
        }
        let place = self.heap_at(from);
        self.poison(self.heap_at(from - zone), 16 * zone, true);
        let n_behind = 16 * (end - from) - n_bytes;
        self.poison(place.wrapping_byte_add(n_bytes), n_behind, true);
        Some(place)
    }

    fn heap_at(&self, cell: usize) -> *mut c_void {
        self.heap.as_ptr().cast::<c_void>().cast_mut().wrapping_byte_add(16 * cell)
    }

    /// What was allocated for the property before may be used again.
    fn free_all(&self) {
        self.poison(self.heap_at(0), 16 * self.heap_used.get(), false);
        self.heap_used.set(0);
    }

    fn poison(&self, place: *mut c_void, n: usize, is_poisoned: bool) {
        let settings = self.spec.settings;
        if let Some(poison) = settings.poison.filter(|_| n > 0) {
            // SAFETY: the header asks for a function that takes this.
            unsafe { poison(settings.user, place, n, is_poisoned) };
        }
    }

    /// A number that changes when an argument or what is behind it is changed.
    pub(crate) fn hash_of_arguments(&self) -> u64 {
        let used = &self.heap[..self.heap_used.get()];
        let fold = |hash: u64, cell: &Cell<u128>| {
            let word = cell.get();
            let word = word as u64 ^ ((word >> 64) as u64).rotate_left(17);
            (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        };
        self.arguments.iter().chain(used).fold(1, fold)
    }

    /// Whether text is wanted at all.
    pub(crate) fn is_shown(&self) -> bool {
        self.sink.get() != Sink::Nowhere
    }

    /// Hands bytes on.
    pub(crate) fn write(&self, bytes: &[u8]) {
        match self.sink.get() {
            Sink::Nowhere => {}
            Sink::Output => self.output(bytes),
            Sink::Trace => {
                for byte in bytes {
                    let n = self.n_traced.get();
                    self.trace[n % self.trace.len()].set(*byte);
                    self.n_traced.set(n + 1);
                }
            }
        }
    }

    /// Hands bytes to the caller.
    pub(crate) fn output(&self, bytes: &[u8]) {
        if frames::are_wanted(self.spec.settings) {
            frames::write(self.spec.settings, bytes);
        } else {
            output(self.spec.settings, bytes);
        }
    }

    /// Where what is shown goes as data: a frame of this kind.
    pub(crate) fn frame(&self, kind: &str) -> Option<Frame<'_>> {
        self.is_framed().then(|| Frame::new(self.spec.settings, kind))
    }

    /// Whether what is shown goes as data.
    pub(crate) fn is_framed(&self) -> bool {
        frames::are_wanted(self.spec.settings) && self.sink.get() == Sink::Output
    }

    /// A line about the step at hand, as text or as a frame of this kind.
    pub(crate) fn remark(&self, kind: &str, remark: Arguments<'_>) {
        let mut out = self;
        match self.frame(kind) {
            Some(frame) => {
                frame.open_text();
                let _ = out.write_fmt(remark);
                frames::end_text(self.spec.settings);
            }
            None => {
                let _ = writeln!(out, "      {remark}");
            }
        }
    }

    /// Forgets the text of the last test.
    pub(crate) fn clear_trace(&self) {
        self.n_traced.set(0);
    }

    /// Whether the property at hand has failed by a crash that a guard has described.
    pub(crate) fn has_crashed(&self) -> bool {
        self.failed_at.get().and_then(|at| self.site(at)).is_some_and(|site| site.kind == Kind::Crash)
    }

    /// Hands the text of the failing test to the caller, as far as it is left.
    pub(crate) fn output_trace(&self) {
        let (n, room) = (self.n_traced.get(), self.trace.len());
        let mut from = n.saturating_sub(room);
        if from > 0 {
            // Not from the middle of a line.
            while from < n && self.trace[from % room].get() != b'\n' {
                from += 1;
            }
            from += 1;
            self.output(b"  ... (raise trace_bytes to see what was before)\n");
        }
        for k in from..n {
            self.output(&[self.trace[k % room].get()]);
        }
    }
}

/// Hands bytes to the caller's `write`.
pub(crate) fn output(settings: &abi::Settings, bytes: &[u8]) {
    if let Some(write) = settings.write {
        // SAFETY: the header asks for a function that takes this.
        unsafe { write(settings.user, bytes.as_ptr().cast(), bytes.len()) };
    }
}

fn cells<T: Default>(n: usize) -> Box<[Cell<T>]> {
    let mut cells = Vec::with_capacity(n);
    cells.resize_with(n, Cell::default);
    cells.into_boxed_slice()
}

/// All properties in order: set by set, the normal ones first.
fn operations(spec: &Spec) -> Vec<Operation> {
    let mut operations = Vec::with_capacity(spec.limits.n_operations);
    let mut first_statistic = 0;
    for (index, set) in spec.sets.iter().enumerate() {
        let normal = slice(set.properties, set.n_properties).iter().map(|property| (property, false));
        let cleanup = slice(set.cleanups, set.n_cleanups).iter().map(|property| (property, true));
        for (property, is_cleanup) in normal.chain(cleanup) {
            operations.push(Operation { property, set: index, is_cleanup, first_statistic });
            first_statistic += property.statistics.iter().take_while(|pointer| !pointer.is_null()).count();
        }
    }
    operations
}

impl core::fmt::Write for &Live {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.write(text.as_bytes());
        Ok(())
    }
}
