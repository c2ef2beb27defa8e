//! Where a thread is: the step that it does, and the run that this belongs to.
//!
//! Read when something does not come back: by the watchdog from its own thread, and by whoever awaits. Noting a
//! step is one store, because programs of fast systems do thirty million steps a second.

use crate::watchdog::Activity;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// What is known of a thread that runs cases.
#[derive(Debug, Default)]
pub(crate) struct Whereabouts {
    /// The ordinal of the step in the upper half, its operation plus one in the lower; 0 outside of steps.
    step: AtomicU64,
    run: Mutex<Weak<Activity>>,
}

thread_local! {
    /// Of this thread, once it has run a case. It is never freed, so that reading it needs no lock.
    static HERE: Cell<Option<&'static Whereabouts>> = const { Cell::new(None) };
}

/// This thread does a step now.
#[inline]
pub(crate) fn begin_step(op: usize, ordinal: u32) {
    if let Some(here) = HERE.get() {
        here.step.store(u64::from(ordinal) << 32 | (op as u64 + 1), Ordering::Relaxed);
    }
}

/// This thread does no step now.
pub(crate) fn end_steps() {
    if let Some(here) = HERE.get() {
        here.step.store(0, Ordering::Relaxed);
    }
}

/// The run that the case of this thread belongs to.
pub(crate) fn run() -> Option<Arc<Activity>> {
    HERE.get()?.run.lock().unwrap_or_else(PoisonError::into_inner).upgrade()
}

/// From now on, the cases of this thread belong to `run`.
pub(crate) fn belong_to(run: &Arc<Activity>) -> &'static Whereabouts {
    let here = HERE.get().unwrap_or_else(|| Box::leak(Box::default()));
    HERE.set(Some(here));
    *here.run.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(run);
    here
}

impl Whereabouts {
    /// The step that the thread does, counted from 0, and its operation.
    pub(crate) fn step(&self) -> Option<(u32, usize)> {
        let step = self.step.load(Ordering::Relaxed);
        let op = (step & u64::from(u32::MAX)).checked_sub(1)?;
        Some(((step >> 32) as u32, op as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_read_as_it_was_noted() {
        let here = Whereabouts::default();
        assert_eq!(here.step(), None);
        HERE.set(Some(Box::leak(Box::new(here))));
        begin_step(7, u32::MAX);
        assert_eq!(HERE.get().and_then(Whereabouts::step), Some((u32::MAX, 7)));
        end_steps();
        assert_eq!(HERE.get().and_then(Whereabouts::step), None);
    }
}
