//! One call of a C function.
//!
//! Receives arguments one after the other, hands on the result, or how the call ended as a failure of the case.

use super::argument::Argument;
use super::loaded::Callable;
use super::session::{Origin, Session};
use super::value::{Returned, Value};
use super::words;
use stairway::{Checked, Stop};

/// A call that is being made; what [`library!`](crate::library!) expands to.
pub struct Call<'s, 'r> {
    session: &'s Session<'r>,
    callable: &'s Callable,
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
        let place = self.callable.function.prototype().place(self.lent.len());
        address.put(&mut self.bytes[place]);
        self.lent.push(address);
        Ok(())
    }

    /// Makes the call.
    ///
    /// # Errors
    /// Fails the case if C does something that it must not, or a mock says so.
    pub fn run<R: Returned>(&mut self) -> Checked<R> {
        let loaded = self.session.loaded();
        let size = self.callable.function.prototype().result_size();
        let mut small = [0; 16];
        let mut large = Vec::new();
        let result = if size <= small.len() {
            &mut small[..size]
        } else {
            large.resize(size, 0);
            &mut large[..]
        };
        let mut hooks = self.session.hooks();
        let called = loaded.machine.call(&self.callable.function, &mut self.bytes, result, &mut hooks);
        if let Err(violation) = called {
            if let Some(stop) = hooks.into_stop() {
                return Err(stop);
            }
            return Err(Stop::fail(words::violated(self.session, self.callable.name, &violation)));
        }
        if loaded.machine.is_suspicious()
            && let Some(failure) = words::undefined(self.session, self.callable.name)
        {
            return Err(Stop::fail(failure));
        }
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

impl std::fmt::Debug for Call<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("function", &self.callable.name).finish_non_exhaustive()
    }
}
