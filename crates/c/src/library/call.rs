//! One call of a C function.
//!
//! Collects arguments one after the other; the call ends with its result, or as a failure of the case.

use super::argument::Argument;
use super::contracts;
use super::objects::CallableFunction;
use super::session::{Origin, Session};
use super::value::{ReturnValue, Value};
use super::words;
use crate::machine::Range;
use stairway::{Checked, Stop};

/// A call that is being made; what [`library!`](crate::library!) expands to.
pub struct Call<'s, 'r> {
    session: &'s Session<'r>,
    callable: &'s CallableFunction,
    bytes: Vec<u8>,
    /// Where each argument was lent, 0 for those by value.
    lent: Vec<u64>,
    n_taken_back: usize,
}

impl<'s, 'r> Call<'s, 'r> {
    pub(super) fn new(session: &'s Session<'r>, name: &'static str) -> Checked<Self> {
        let Some(callable) = session.loaded().functions.get(name) else {
            return Err(words::misuse(&format!("`{name}` is not declared")));
        };
        let prototype = callable.function.prototype();
        let lent = Vec::with_capacity(prototype.n_parameters());
        Ok(Call { session, callable, bytes: vec![0; prototype.arguments_size()], lent, n_taken_back: 0 })
    }

    pub(super) fn session(&self) -> &'s Session<'r> {
        self.session
    }

    /// Passes the next argument.
    ///
    /// # Errors
    /// If there is no memory to lend.
    pub fn pass(&mut self, argument: &impl Argument) -> Checked {
        argument.pass(self)
    }

    #[doc(hidden)]
    pub fn by_value(&mut self, value: &impl Value) -> Checked {
        let place = self.callable.function.prototype().place(self.lent.len());
        value.put(&mut self.bytes[place]);
        self.lent.push(0);
        Ok(())
    }

    pub(super) fn lend(&mut self, size: usize, align: u64, put: impl FnOnce(&mut [u8])) -> Checked {
        let origin = Origin::Parameter { function: self.callable.name, parameter: self.lent.len() };
        let address = self.session.make(size, align, true, origin, put)?;
        self.by_address(address);
        Ok(())
    }

    fn by_address(&mut self, address: u64) {
        let place = self.callable.function.prototype().place(self.lent.len());
        address.put(&mut self.bytes[place]);
        self.lent.push(address);
    }

    /// Passes the length of slices that are passed as well.
    ///
    /// # Errors
    /// If they have different lengths, or more elements than the parameter can say.
    pub fn pass_length<N: Value + TryFrom<usize>>(&mut self, slices: &[(&str, usize)]) -> Checked {
        let (name, n) = slices[0];
        if let Some((other, m)) = slices.iter().find(|(_, m)| *m != n) {
            return Err(words::misuse(&format!(
                "`{name}` has {n} elements and `{other}` has {m}, and `{}` takes one length for both",
                self.callable.name
            )));
        }
        let Ok(length) = N::try_from(n) else {
            let ty = N::name();
            return Err(words::misuse(&format!("`{name}` has {n} elements, more than `{ty}` can say")));
        };
        self.by_value(&length)
    }

    /// Passes memory for a value that C writes.
    ///
    /// # Errors
    /// If there is no memory to lend.
    pub fn pass_out<T: Value>(&mut self) -> Checked {
        let origin = Origin::Parameter { function: self.callable.name, parameter: self.lent.len() };
        let address = match self.session.ready().project.is_instrumented {
            true => self.session.unwritten(T::SIZE, T::align(), origin)?,
            // Nobody notices what is written: then it counts as written.
            false => self.session.make(T::SIZE, T::align(), true, origin, |_| ())?,
        };
        self.by_address(address);
        Ok(())
    }

    /// Makes the call.
    ///
    /// # Errors
    /// Fails the case if C does something that it must not, if a contract is broken, or a mock says so.
    pub fn run<R: ReturnValue>(&mut self) -> Checked<R> {
        let size = self.callable.function.prototype().result_size();
        let mut small = [0; 16];
        let mut large = Vec::new();
        let result = if size <= small.len() {
            &mut small[..size]
        } else {
            large.resize(size, 0);
            &mut large[..]
        };
        contracts::call(self.session, self.callable, &mut self.bytes, result)?;
        Ok(R::returned_from(result))
    }

    /// Takes the next argument back, in the order in which they were passed.
    ///
    /// # Errors
    /// If C has freed what was lent.
    pub fn take_back(&mut self, argument: &mut impl Argument) -> Checked {
        let lent = self.lent[self.n_taken_back];
        self.n_taken_back += 1;
        if lent == 0 {
            return Ok(());
        }
        argument.take_back(self, lent)?;
        // From now on it is not C's to touch.
        let _ = self.session.loaded().machine.retire(lent, true);
        Ok(())
    }
}

impl Call<'_, '_> {
    /// Takes back what C wrote; `None` if it wrote nothing.
    ///
    /// # Errors
    /// If C has freed what was lent, or wrote only a part of it.
    pub fn take_out<T: Value>(&mut self) -> Checked<Option<T>> {
        let (parameter, address) = (self.n_taken_back, self.lent[self.n_taken_back]);
        self.n_taken_back += 1;
        let machine = &self.session.loaded().machine;
        let is_written = |at: usize, size: usize| {
            machine.is_initialised(Range { address: address + at as u64, size: size as u64 })
        };
        let is_whole = T::all_parts(0, &mut |at, size| is_written(at, size));
        let is_untouched = !(0..T::SIZE).any(|k| is_written(k, 1));
        if !is_whole && !is_untouched {
            return Err(Stop::fail(words::partly_written(self.session, self.callable.name, parameter)));
        }
        let bytes = self.session.bytes(address, T::SIZE)?;
        let _ = machine.retire(address, true);
        Ok(is_whole.then(|| T::get(&bytes)))
    }

    /// Leaves out an argument that is not taken back.
    pub fn pass_over(&mut self) {
        self.n_taken_back += 1;
    }
}

impl std::fmt::Debug for Call<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("function", &self.callable.name).finish_non_exhaustive()
    }
}
