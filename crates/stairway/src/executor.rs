//! Running a future to its end on this thread, for properties that are `async`.

use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Wake, Waker};

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
/// ```
/// assert_eq!(stairway::block_on(async { 6 * 7 }), 42);
/// ```
pub fn block_on<F: Future>(future: F) -> F::Output {
    let signal = Arc::new(Signal::default());
    let waker = Waker::from(signal.clone());
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => signal.wait(),
        }
    }
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
}
