//! Running a future to its end on this thread, for properties that are `async`.

use crate::await_limit::Patience;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

/// Wakes the one thread that waits for a future.
#[derive(Default)]
struct Signal {
    is_woken: Mutex<bool>,
    changed: Condvar,
}

impl Signal {
    fn wait(&self) {
        let lock = self.is_woken.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let wait = self.changed.wait_while(lock, |is_woken| !*is_woken);
        *wait.unwrap_or_else(std::sync::PoisonError::into_inner) = false;
    }

    /// The same, but no longer than this.
    fn wait_at_most(&self, limit: Duration) {
        let lock = self.is_woken.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let wait = self.changed.wait_timeout_while(lock, limit, |is_woken| !*is_woken);
        *wait.unwrap_or_else(std::sync::PoisonError::into_inner).0 = false;
    }
}

impl Signal {
    /// Whether nobody has woken it and nobody can: only who holds a waker can make another.
    fn is_forgotten(self: &Arc<Self>) -> bool {
        // The two that `block_on` has itself.
        Arc::strong_count(self) == 2
            && !*self.is_woken.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Wake for Signal {
    fn wake(self: Arc<Self>) {
        *self.is_woken.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = true;
        self.changed.notify_one();
    }
}

/// Runs `future` to its end. A property that needs a runtime of its own names it with
/// `#[property(executor = path)]`.
///
/// In a case, a future that is not ready when the run takes too long (`STAIRWAY_HANG`) ends its test.
///
/// ```
/// assert_eq!(stairway::block_on(async { 6 * 7 }), 42);
/// ```
///
/// # Panics
/// If the future waits and nobody keeps its waker: it would wait for ever.
#[track_caller]
pub fn block_on<F: Future>(future: F) -> F::Output {
    poll_to_the_end(future, |signal, _| signal.wait())
}

/// [`block_on`] on a thread of a runtime. Tokio wakes a task that yields only when the runtime goes on, which it
/// does not while it is blocked on: so what is awaited is polled without being woken, too.
#[track_caller]
pub fn block_on_inside<F: Future>(future: F) -> F::Output {
    // What only yields is ready at once, what waits for others is not.
    const N_AT_ONCE: u64 = 3;
    const LIMIT: Duration = Duration::from_millis(1);
    poll_to_the_end(future, |signal, n_polls| match n_polls % (N_AT_ONCE + 1) {
        0 => signal.wait_at_most(LIMIT),
        _ => std::thread::yield_now(),
    })
}

/// Polls `future` until it is ready, and waits in between. What waits is told how often it was polled.
#[track_caller]
fn poll_to_the_end<F: Future>(future: F, wait: impl Fn(&Signal, u64)) -> F::Output {
    let signal = Arc::new(Signal::default());
    let waker = Waker::from(signal.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    let mut patience = None;
    for n_polls in 1.. {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
        assert!(
            !signal.is_forgotten(),
            "this future is never ready: it waits, and nothing has kept the waker that would have it polled again"
        );
        let patience = patience.get_or_insert_with(Patience::here);
        patience.wait(&waker);
        wait(&signal, n_polls);
        if !patience.goes_on() {
            patience.end();
        }
    }
    unreachable!("nobody polls so often")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_for_a_waker_on_another_thread() {
        let mut first = true;
        let future = std::future::poll_fn(|context| {
            if std::mem::take(&mut first) {
                let waker = context.waker().clone();
                std::thread::spawn(move || waker.wake());
                return Poll::Pending;
            }
            Poll::Ready(3)
        });
        assert_eq!(block_on(future), 3);
    }

    #[test]
    #[should_panic(expected = "this future is never ready")]
    fn what_nobody_can_wake_is_not_waited_for() {
        block_on(std::future::pending::<()>());
    }

    #[test]
    fn what_is_woken_too_late_is_polled_anyway() {
        let (mut n, mut wakers) = (0, Vec::new());
        let future = std::future::poll_fn(|context| {
            wakers.push(context.waker().clone());
            n += 1;
            if n < 9 { Poll::Pending } else { Poll::Ready(()) }
        });
        block_on_inside(future);
        assert_eq!(n, 9);
    }

    #[test]
    fn what_wakes_itself_is_polled_again() {
        let mut n = 0;
        let future = std::future::poll_fn(|context| {
            n += 1;
            context.waker().wake_by_ref();
            if n < 3 { Poll::Pending } else { Poll::Ready(()) }
        });
        block_on(future);
        assert_eq!(n, 3);
    }
}
