//! Whether code under test is running: what it is answered is not what Stairway itself is answered.
//!
//! The mark decides identity, time and signals only. Which files may be changed is the same for both, so that code
//! under test which writes over the mark gains nothing.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

static IS_GUEST: AtomicU32 = AtomicU32::new(0);
/// The same for the call that the policy decides at present.
static IS_GUEST_CALL: AtomicBool = AtomicBool::new(false);

/// Whether the first thread runs code under test.
pub(crate) fn is_running() -> bool {
    IS_GUEST.load(Ordering::Relaxed) != 0
}

/// Says whose call the policy decides now.
pub(crate) fn set_call(is_guest: bool) {
    IS_GUEST_CALL.store(is_guest, Ordering::Relaxed);
}

/// Whether the call that the policy decides was made by code under test.
pub(crate) fn is_guest() -> bool {
    IS_GUEST_CALL.load(Ordering::Relaxed)
}

/// While it lives, what runs is code under test.
///
/// ```
/// let _guest = stairway_sandbox::Guest::enter();
/// ```
#[derive(Debug)]
pub struct Guest(u32);

impl Guest {
    /// Code under test runs from now on.
    #[inline]
    #[must_use]
    pub fn enter() -> Guest {
        let before = IS_GUEST.load(Ordering::Relaxed);
        IS_GUEST.store(1, Ordering::Relaxed);
        Guest(before)
    }
}

impl Drop for Guest {
    #[inline]
    fn drop(&mut self) {
        IS_GUEST.store(self.0, Ordering::Relaxed);
    }
}

/// While it lives, what runs is Stairway, called by code under test.
///
/// ```
/// let _guest = stairway_sandbox::Guest::enter();
/// let _host = stairway_sandbox::Host::enter();
/// ```
#[derive(Debug)]
pub struct Host(u32);

impl Host {
    /// Stairway runs from now on.
    #[inline]
    #[must_use]
    pub fn enter() -> Host {
        let before = IS_GUEST.load(Ordering::Relaxed);
        IS_GUEST.store(0, Ordering::Relaxed);
        Host(before)
    }
}

impl Drop for Host {
    #[inline]
    fn drop(&mut self) {
        IS_GUEST.store(self.0, Ordering::Relaxed);
    }
}
