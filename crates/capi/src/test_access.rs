//! Whether the library is at work below a body, so that a guard does not jump over it.
//!
//! A body calls the library, and a timer may strike while it does: leaving by a jump then would leave a
//! stream of choices or a list half changed. So whoever comes in from C counts itself in, and goes out when
//! it returns or calls C again. The handler of a guard asks `sw_is_inside` before it jumps.

use crate::abi::Test;
use crate::live::Live;
use core::ops::Deref;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// How many functions of the library a body is in; atomic because a handler reads it, and loaded and stored
/// only.
#[derive(Debug, Default)]
pub(crate) struct Depth(AtomicU32);

impl Depth {
    fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }

    fn set(&self, n: u32) {
        self.0.store(n, Relaxed);
    }

    /// Nobody is inside any more: whoever was has been left by a jump from C that it called.
    pub(crate) fn clear(&self) {
        self.set(0);
    }

    /// Calls C, which may be left by a jump.
    pub(crate) fn outside<T>(&self, call: impl FnOnce() -> T) -> T {
        let n = self.get();
        self.set(0);
        let answer = call();
        self.set(n);
        answer
    }
}

/// The test at hand, as long as a function of the library looks at it.
#[derive(Debug)]
pub(crate) struct TestAccess<'a>(&'a Live);

impl Deref for TestAccess<'_> {
    type Target = Live;

    fn deref(&self) -> &Live {
        self.0
    }
}

impl Drop for TestAccess<'_> {
    fn drop(&mut self) {
        self.0.inside.set(self.0.inside.get().saturating_sub(1));
    }
}

impl core::fmt::Write for TestAccess<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// The test behind the pointer.
pub(crate) fn live<'a>(t: *mut Test) -> Option<TestAccess<'a>> {
    // SAFETY: C has no other `sw_test` than the one it was handed, which is a `Live` that outlives the
    // callback.
    let live = unsafe { t.cast::<Live>().cast_const().as_ref() }?;
    live.inside.set(live.inside.get() + 1);
    Some(TestAccess(live))
}

/// `sw_is_inside`
#[unsafe(no_mangle)]
#[allow(clippy::missing_safety_doc, reason = "the header says what the pointer must be")]
pub unsafe extern "C" fn sw_is_inside(t: *const Test) -> bool {
    // SAFETY: as above.
    unsafe { t.cast::<Live>().as_ref() }.is_some_and(|live| live.inside.get() > 0)
}
