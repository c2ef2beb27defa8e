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

    /// Nothing to do.
    pub fn prepare(&self, _: &mut Command, _: &[i32]) {}
}

/// A mark that nobody asks for.
#[derive(Debug)]
pub struct Guest(());

impl Guest {
    /// Code under test runs from now on.
    #[must_use]
    pub fn enter() -> Guest {
        Guest(())
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
///
/// # Safety
/// There is nothing to keep to.
pub unsafe fn connect(_: Runtime) {}

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
