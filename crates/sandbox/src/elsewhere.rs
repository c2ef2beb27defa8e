//! Where there is no sandbox: everything compiles, and says so.

use crate::{Permissions, Refusal, Tier, Unavailable};
use std::path::Path;
use std::process::Command;

fn unsupported() -> Unavailable {
    Unavailable::Nothing("the sandbox is made for Linux on x86-64".to_string())
}

/// None.
///
/// # Errors
/// Always.
pub fn tier() -> Result<Tier, Unavailable> {
    Err(unsupported())
}

/// Refused.
///
/// # Errors
/// Always.
pub fn lock(_: Tier, _: &Permissions, _: &Path) -> Result<(), Unavailable> {
    Err(unsupported())
}

/// Refused.
///
/// # Errors
/// Always.
pub fn lock_process(_: Tier, _: &Permissions, _: &Path) -> Result<(), Unavailable> {
    Err(unsupported())
}

/// Nothing is kept from being loaded.
pub const fn load_from(_: i32) {}

/// There is none.
#[derive(Clone, Debug)]
pub struct Launcher(());

impl Launcher {
    /// Refused.
    ///
    /// # Errors
    /// Always.
    pub fn new(_: Tier, _: &Permissions, _: &Path) -> Result<Launcher, Unavailable> {
        Err(unsupported())
    }

    /// Nothing is started.
    #[must_use]
    pub const fn ends_in_order(&self) -> bool {
        false
    }

    /// Nothing to do.
    pub fn prepare(&self, _: &mut Command, _: &[i32]) {}
}

/// A mark that nobody asks for.
#[derive(Debug)]
pub struct Guest<'r>(std::marker::PhantomData<&'r Runtime>);

impl<'r> Guest<'r> {
    /// An object is loaded from now on, whose constructors run.
    #[must_use]
    pub fn load() -> Guest<'static> {
        Guest(std::marker::PhantomData)
    }

    /// A function of an object runs from now on.
    #[must_use]
    pub fn call(_: &'r Runtime) -> Guest<'r> {
        Guest(std::marker::PhantomData)
    }

    /// Code of this process is under test from now on.
    #[must_use]
    pub fn run() -> Guest<'static> {
        Guest(std::marker::PhantomData)
    }
}

/// There is none.
#[derive(Debug)]
pub struct Confined(());

impl Confined {
    /// Refused.
    ///
    /// # Errors
    /// Always.
    pub fn begin() -> Result<Confined, Unavailable> {
        Err(unsupported())
    }

    /// Nothing to do.
    ///
    /// # Errors
    /// Never.
    pub fn allow_changes(&self, _: &Path) -> Result<(), Unavailable> {
        Ok(())
    }
}

/// A mark that nobody asks for.
#[derive(Debug)]
pub struct Host(());

impl Host {
    /// Stairway runs from now on.
    #[must_use]
    pub fn enter() -> Host {
        Host(())
    }
}

/// What the sandbox would need of the runtime.
#[derive(Clone, Copy, Debug)]
pub struct Runtime {
    /// Leaves the call under test.
    pub leave: unsafe extern "C" fn(u32, u32),
    /// Keeps what the code prints.
    pub print: unsafe extern "C" fn(*const u8, u64),
    /// The clock.
    pub clock: *mut u64,
    /// The random numbers.
    pub random: *mut u64,
    /// Where its code is.
    pub code: (u64, u64),
}

/// Nothing to do.
pub fn keep_loaded() {}

/// Nothing was refused.
#[must_use]
pub fn take_refusals() -> Vec<Refusal> {
    Vec::new()
}

/// Nobody knows.
#[must_use]
pub fn are_files_touched() -> bool {
    true
}

/// Nothing to do.
pub fn restore() {}

/// Nothing is.
#[must_use]
pub fn is_locked() -> bool {
    false
}

/// None do.
#[must_use]
pub fn is_confining() -> bool {
    false
}

/// Nothing to do.
pub fn end_child() {}

/// There is none.
#[must_use]
pub fn mark_of_starter() -> *mut u8 {
    std::ptr::null_mut()
}
