//! One case's time with C: fresh memory at its beginning, nothing left over at its end.
//!
//! Keeps what the test lends and gives, and reads values, or fails the case. Everything that C did to static
//! variables, the heap, its clock and its random numbers is undone before the next case.

use super::call::Call;
use super::mocks::{MockInterceptor, Mocks};
use super::objects::{LoadedObject, ObjectLease};
use super::ready::ReadyProject;
use super::value::{Pointer, Value, get_all, put_all};
use super::words;
use crate::machine::{Machine, Range, Settings};
use stairway::{Checked, Stop};
use stairway_sandbox::Reader;
use std::cell::{Cell, RefCell};
use std::ffi::CString;
use std::panic::Location;
use std::sync::Arc;

/// The C code in the hands of one case. Made by the `run` of a [`library!`](crate::library!).
///
/// Memory comes in two kinds. What is *lent* stays the test's: C may use it and must not free it. What is
/// *given* is like a block from `malloc`: somebody must free it before the run ends, C or
/// [`free`](Session::free).
pub struct Session<'r> {
    held: ObjectLease,
    mocks: Mocks<'r>,
    origins: RefCell<Vec<(u64, Origin)>>,
    allows_leaks: Cell<bool>,
    /// Whether a call ended badly: then C is not called again in this run.
    has_failed: Cell<bool>,
    /// What went wrong when a handle was freed, of which nobody was told.
    late: RefCell<Option<Stop>>,
}

/// Where memory comes from that C did not allocate.
#[derive(Clone, Copy, Debug)]
pub(super) enum Origin {
    /// It was lent for a call.
    Parameter { function: &'static str, parameter: usize },
    /// It was lent for the run.
    Lent(&'static Location<'static>),
    /// It was given.
    Given(&'static Location<'static>),
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl<'r> Session<'r> {
    pub(super) fn new(ready: &Arc<ReadyProject>) -> Checked<Self> {
        let held = ObjectLease::take(ready)?;
        Ok(Session {
            held,
            mocks: Mocks::default(),
            origins: RefCell::new(Vec::new()),
            allows_leaks: Cell::new(false),
            has_failed: Cell::new(false),
            late: RefCell::new(None),
        })
    }

    pub(super) fn loaded(&self) -> &LoadedObject {
        self.held.loaded()
    }

    fn machine(&self) -> &Machine {
        &self.loaded().machine
    }

    pub(super) fn hooks(&self) -> MockInterceptor<'_, 'r> {
        MockInterceptor::new(self, &self.mocks)
    }

    #[doc(hidden)]
    pub fn mocks(&self) -> &Mocks<'r> {
        &self.mocks
    }

    #[doc(hidden)]
    pub fn call(&self, name: &'static str) -> Checked<Call<'_, 'r>> {
        Call::new(self, name)
    }

    /// What was built.
    pub(super) fn ready(&self) -> &ReadyProject {
        self.held.ready()
    }

    /// A call that was left within the C library leaves the latter in the middle of something.
    pub(super) fn note_taint(&self) {
        if self.machine().report().is_tainted {
            self.held.spend();
            // A lock of it may be held for ever: where the case has a process of its own, the next one gets
            // another.
            stairway::__private::retire_worker();
        }
    }

    /// Remembers that a call ended badly.
    pub(super) fn note_failure(&self) {
        self.has_failed.set(true);
    }

    /// Frees what a handle held, unless the case has failed already.
    pub(super) fn free_late(&self, name: &'static str, address: u64) {
        if self.has_failed.get() || self.late.borrow().is_some() {
            return;
        }
        let free = || {
            let mut call = self.call(name)?;
            call.by_value(&address)?;
            call.run::<()>()
        };
        if let Err(stop) = free() {
            *self.late.borrow_mut() = Some(stop);
        }
    }

    #[doc(hidden)]
    pub fn text(&self, from: Pointer<u8>) -> Checked<Option<CString>> {
        if from.is_null() {
            return Ok(None);
        }
        // There is no zero in it: it ends before the first.
        Ok(CString::new(self.read_text(from)?).ok())
    }

    /// Memory, and where it comes from, for messages.
    pub(super) fn make(
        &self,
        size: usize,
        align: u64,
        is_slot: bool,
        origin: Origin,
        put: impl FnOnce(&mut [u8]),
    ) -> Checked<u64> {
        let machine = self.machine();
        let n = size as u64;
        let address = if is_slot { machine.slot(n, align) } else { machine.allocate(n, align) };
        let mut small = [0; 512];
        let mut large = Vec::new();
        let bytes = match small.get_mut(..size) {
            Some(bytes) => bytes,
            None => {
                large.resize(size, 0);
                &mut large[..]
            }
        };
        put(bytes);
        match address {
            Some(address) if machine.write(address, bytes) => {
                self.origins.borrow_mut().push((address, origin));
                Ok(address)
            }
            _ => Err(used_up(size)),
        }
    }

    /// Memory to which nothing is written, for a call.
    pub(super) fn unwritten(&self, size: usize, align: u64, origin: Origin) -> Checked<u64> {
        let address = self.machine().slot(size as u64, align).ok_or_else(|| used_up(size))?;
        self.origins.borrow_mut().push((address, origin));
        Ok(address)
    }

    /// Lends a value until the run ends.
    ///
    /// # Errors
    /// If 64 MB are used up.
    #[track_caller]
    pub fn lend<T: Value>(&self, value: &T) -> Checked<Pointer<T>> {
        let origin = Origin::Lent(Location::caller());
        self.make(T::SIZE, T::align(), true, origin, |bytes| value.put(bytes)).map(Pointer::new)
    }

    /// Lends values one after the other until the run ends.
    ///
    /// # Errors
    /// If 64 MB are used up.
    #[track_caller]
    pub fn lend_slice<T: Value>(&self, values: &[T]) -> Checked<Pointer<T>> {
        let origin = Origin::Lent(Location::caller());
        self.make(values.len() * T::SIZE, T::align(), true, origin, |bytes| put_all(values, bytes))
            .map(Pointer::new)
    }

    /// Gives a value away, in a block that must be freed.
    ///
    /// # Errors
    /// If 64 MB are used up.
    #[track_caller]
    pub fn give<T: Value>(&self, value: &T) -> Checked<Pointer<T>> {
        let origin = Origin::Given(Location::caller());
        self.make(T::SIZE, T::align(), false, origin, |bytes| value.put(bytes)).map(Pointer::new)
    }

    /// Gives values away, in a block that must be freed.
    ///
    /// # Errors
    /// If 64 MB are used up.
    #[track_caller]
    pub fn give_slice<T: Value>(&self, values: &[T]) -> Checked<Pointer<T>> {
        let origin = Origin::Given(Location::caller());
        self.make(values.len() * T::SIZE, T::align(), false, origin, |bytes| put_all(values, bytes))
            .map(Pointer::new)
    }

    /// Frees a block that C has allocated and handed out, or that was given.
    ///
    /// # Errors
    /// Fails the case if no such block begins there.
    #[track_caller]
    pub fn free<T>(&self, pointer: Pointer<T>) -> Checked {
        if pointer.is_null() || self.machine().retire(pointer.address, false) {
            return Ok(());
        }
        let what = words::what(self, &self.machine().describe(pointer.address));
        Err(words::at_caller("free", format!("what is freed is no live block: {what}")))
    }

    /// Reads a value.
    ///
    /// # Errors
    /// Fails the case if there is none, or if parts of it were never written.
    #[track_caller]
    pub fn read<T: Value>(&self, from: Pointer<T>) -> Checked<T> {
        let bytes = self.readable::<T>(from, 1)?;
        Ok(T::get(&bytes))
    }

    /// Reads `n` values that lie one after the other.
    ///
    /// # Errors
    /// Fails the case if they are not there, or if parts of them were never written.
    #[track_caller]
    pub fn read_slice<T: Value>(&self, from: Pointer<T>, n: usize) -> Checked<Vec<T>> {
        let bytes = self.readable::<T>(from, n)?;
        Ok(get_all(&bytes).collect())
    }

    /// Reads a text up to the zero at its end.
    ///
    /// # Errors
    /// Fails the case if there is no zero before the memory ends.
    #[track_caller]
    pub fn read_text(&self, from: Pointer<u8>) -> Checked<Vec<u8>> {
        let mut text = Vec::new();
        // Memory ends, so this does.
        loop {
            match self.read(from.offset(text.len()))? {
                0 => return Ok(text),
                byte => text.push(byte),
            }
        }
    }

    /// Writes a value.
    ///
    /// # Errors
    /// Fails the case if there is no memory for it.
    #[track_caller]
    pub fn write<T: Value>(&self, to: Pointer<T>, value: &T) -> Checked {
        self.write_slice(to, std::slice::from_ref(value))
    }

    /// Writes values one after the other.
    ///
    /// # Errors
    /// Fails the case if there is no memory for them.
    #[track_caller]
    pub fn write_slice<T: Value>(&self, to: Pointer<T>, values: &[T]) -> Checked {
        let mut bytes = vec![0; values.len() * T::SIZE];
        put_all(values, &mut bytes);
        self.must_be_live(to.address, bytes.len(), "written")?;
        let is_written = self.machine().write(to.address, &bytes);
        if is_written {
            Ok(())
        } else {
            Err(words::at_caller("memory", "constants cannot be written".into()))
        }
    }

    /// The address of a function of C, by its name there: what function pointers point to.
    ///
    /// # Errors
    /// Fails the case if there is no such function.
    #[track_caller]
    pub fn function(&self, name: &str) -> Checked<Pointer<()>> {
        match self.machine().symbol(name).filter(|symbol| symbol.is_function) {
            Some(symbol) => Ok(Pointer::new(symbol.address)),
            None => Err(words::at_caller("function", format!("there is no function `{name}` in C"))),
        }
    }

    /// Lets an allocation fail: the first from now on is 1. With 0, all succeed again.
    pub fn fail_allocation(&self, n: u64) {
        self.machine().configure(Settings { failing_allocation: n, ..super::limits() });
    }

    /// Lets C create, change and delete files in this folder during this run. Everything else outside its own
    /// folder, `/tmp/stairway`, it can only read.
    ///
    /// # Errors
    /// Fails the case if it is no folder.
    #[track_caller]
    pub fn allow_changes_in(&self, folder: impl AsRef<std::path::Path>) -> Checked {
        let Some(confined) = self.held.confined() else { return Ok(()) };
        confined.allow_changes(folder.as_ref()).map_err(|error| words::at_caller("folder", error.to_string()))
    }

    /// Does not look for blocks that are not freed when the run ends.
    pub fn allow_leaks(&self) {
        self.allows_leaks.set(true);
    }

    #[track_caller]
    fn readable<T: Value>(&self, from: Pointer<T>, n: usize) -> Checked<Vec<u8>> {
        let Some(size) = n.checked_mul(T::SIZE) else {
            return Err(words::at_caller("memory", format!("{n} elements are more than there can be")));
        };
        self.must_be_live(from.address, size, "read")?;
        let is_written = |at: usize, size: usize| {
            let range = Range { address: from.address + at as u64, size: size as u64 };
            self.machine().is_initialised(range)
        };
        let is_initialised = is_written(0, size)
            || (0..n).all(|k| T::all_parts(k * T::SIZE, &mut |at, size| is_written(at, size)));
        if !is_initialised {
            let what = words::what(self, &self.machine().describe(from.address));
            return Err(words::at_caller("memory", format!("what is read was never written: {what}")));
        }
        self.bytes(from.address, size)
    }

    #[track_caller]
    fn must_be_live(&self, address: u64, size: usize, verb: &str) -> Checked {
        let machine = self.machine();
        if size == 0 || machine.is_live(Range { address, size: size as u64 }) {
            return Ok(());
        }
        // The first byte that is not: `is_live` holds for everything before it.
        let is_bad = |k: &u64| !machine.is_live(Range { address: address.wrapping_add(*k), size: 1 });
        let first = (0..size as u64).find(is_bad).unwrap_or(0);
        let what = words::what(self, &machine.describe(address.wrapping_add(first)));
        Err(words::at_caller("memory", format!("{size} bytes are {verb} that are not all there: {what}")))
    }

    pub(super) fn bytes(&self, address: u64, size: usize) -> Checked<Vec<u8>> {
        let mut bytes = vec![0; size];
        let is_read = self.machine().read(address, &mut bytes);
        if is_read { Ok(bytes) } else { Err(words::misuse("what was lent cannot be read any more")) }
    }

    pub(super) fn origin(&self, address: u64) -> Option<Origin> {
        // The latest one counts: addresses are used once in a run.
        self.origins.borrow().iter().rev().find(|(at, _)| *at == address).map(|(_, origin)| *origin)
    }

    /// The verdict at the end of a run.
    pub(super) fn conclude(&self) -> Checked {
        if let Some(stop) = self.late.borrow_mut().take() {
            return Err(stop);
        }
        if self.allows_leaks.get() {
            return Ok(());
        }
        let leaked = self.machine().leaked_blocks();
        match leaked.first() {
            None => Ok(()),
            Some(first) => Err(Stop::fail(words::leaked(self, first, leaked.len()))),
        }
    }
}

fn used_up(size: usize) -> Stop {
    words::misuse(&format!("no memory for {size} bytes: 64 MB for each run are used up"))
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        for refusal in stairway_sandbox::take_refusals() {
            stairway::__private::note_refusal(&refusal, Reader::Library);
        }
        // Settings outlive a reset.
        self.fail_allocation(0);
    }
}
