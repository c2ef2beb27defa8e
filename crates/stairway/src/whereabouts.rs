//! Where a thread is: the step that it does, and the run that this belongs to.
//!
//! Read when something does not come back: by the watchdog from its own thread, and by whoever awaits. Noting a
//! step is two stores, because programs of fast systems do forty million steps a second. Between the two the
//! step has one number and the operation is that of the one before: whoever reads asks about steps that have
//! been under way for seconds.

use crate::watchdog::Activity;
use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What is known of a thread that runs cases.
#[derive(Debug)]
pub(crate) struct Whereabouts {
    /// The operation of the step; [`NO_STEP`] outside of steps.
    op: AtomicU32,
    /// Which step it is, from 0.
    ordinal: AtomicU32,
    run: Mutex<Weak<Activity>>,
}

thread_local! {
    /// Of this thread, once it has run a case. It is never freed, so that reading it needs no lock.
    static HERE: Cell<&'static Whereabouts> = const { Cell::new(&NOWHERE) };
}

/// Stands for the operation where there is none.
const NO_STEP: u32 = u32::MAX;

/// Where threads are that have run no case yet: nobody reads it, and who writes need not ask.
static NOWHERE: Whereabouts = Whereabouts::new();

/// This thread does a step now.
#[inline]
pub(crate) fn begin_step(op: usize, ordinal: u32) {
    let here = HERE.get();
    here.op.store(op as u32, Ordering::Relaxed);
    here.ordinal.store(ordinal, Ordering::Relaxed);
}

/// This thread does no step now.
pub(crate) fn end_steps() {
    HERE.get().op.store(NO_STEP, Ordering::Relaxed);
}

/// The run that the case of this thread belongs to.
pub(crate) fn run() -> Option<Arc<Activity>> {
    HERE.get().run.lock().unwrap_or_else(PoisonError::into_inner).upgrade()
}

/// From now on, the cases of this thread belong to `run`.
pub(crate) fn belong_to(run: &Arc<Activity>) -> &'static Whereabouts {
    if std::ptr::eq(HERE.get(), &NOWHERE) {
        HERE.set(Box::leak(Box::new(Whereabouts::new())));
    }
    let here = HERE.get();
    *here.run.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(run);
    here
}

impl Whereabouts {
    const fn new() -> Self {
        Whereabouts { op: AtomicU32::new(NO_STEP), ordinal: AtomicU32::new(0), run: Mutex::new(Weak::new()) }
    }

    /// The step that the thread does, counted from 0, and its operation.
    pub(crate) fn step(&self) -> Option<(u32, usize)> {
        let op = self.op.load(Ordering::Relaxed);
        (op != NO_STEP).then(|| (self.ordinal.load(Ordering::Relaxed), op as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_it_was_noted() {
        HERE.set(Box::leak(Box::new(Whereabouts::new())));
        assert_eq!(HERE.get().step(), None);
        begin_step(7, u32::MAX);
        assert_eq!(HERE.get().step(), Some((u32::MAX, 7)));
        end_steps();
        assert_eq!(HERE.get().step(), None);
    }
}
