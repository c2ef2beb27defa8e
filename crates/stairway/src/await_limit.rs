//! How long something may be awaited: as long as a run may take, and then its test ends.
//!
//! A thread that hangs cannot be stopped, but a future that is not ready is just not polled again. The watchdog
//! knows when a run has taken too long; it wakes what is awaited then, whoever polls it, and the future gives
//! nothing.

use crate::panics;
use crate::watchdog::Activity;
use crate::whereabouts;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};

/// Something that is awaited, as the watchdog sees it.
#[derive(Debug, Default)]
pub(crate) struct AwaitedFuture(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    /// What polls it again; none while it is being polled.
    waker: Option<Waker>,
    is_over: bool,
}

impl AwaitedFuture {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time is over: whether somebody hears of it.
    pub(crate) fn expire(&self) -> bool {
        let mut state = self.state();
        state.is_over = true;
        let waker = state.waker.take();
        drop(state);
        waker.map(Waker::wake).is_some()
    }
}

/// The patience of the run that this thread is in.
#[derive(Debug)]
pub(crate) struct Patience {
    run: Option<Arc<Activity>>,
    /// Known to the watchdog, once something was not ready.
    awaited: Option<Arc<AwaitedFuture>>,
}

impl Patience {
    /// Of this thread.
    pub(crate) fn here() -> Self {
        Patience { run: whereabouts::run(), awaited: None }
    }

    /// What is awaited is not ready; `waker` is woken if it takes too long.
    pub(crate) fn wait(&mut self, waker: &Waker) {
        let Some(run) = &self.run else { return };
        let awaited = self.awaited.get_or_insert_with(|| run.awaits(Arc::default()));
        let mut state = awaited.state();
        if state.is_over {
            waker.wake_by_ref();
        }
        state.waker = Some(waker.clone());
    }

    /// What is awaited is being polled; whether there is still time for it.
    pub(crate) fn goes_on(&self) -> bool {
        self.awaited.as_ref().is_none_or(|awaited| {
            let mut state = awaited.state();
            state.waker = None;
            !state.is_over
        })
    }

    /// Ends the test in which something took too long.
    pub(crate) fn end(&self) -> ! {
        let message = self.run.as_ref().map(|run| run.never_ready());
        panics::end(message.unwrap_or_else(|| "what is awaited is never ready".to_string()))
    }
}

impl Drop for Patience {
    fn drop(&mut self) {
        if let (Some(run), Some(awaited)) = (&self.run, self.awaited.take()) {
            run.no_longer_awaits(&awaited);
        }
    }
}

/// `future`, or nothing if it is not ready when its run has taken too long. Made on the thread of the case, and
/// polled by any executor.
pub fn limited<F: Future>(future: F) -> impl Future<Output = Option<F::Output>> {
    let mut patience = Patience::here();
    async move {
        let mut future = pin!(future);
        poll_fn(move |context| {
            let goes_on = patience.goes_on();
            match future.as_mut().poll(context) {
                Poll::Ready(output) => Poll::Ready(Some(output)),
                Poll::Pending if goes_on => {
                    patience.wait(context.waker());
                    Poll::Pending
                }
                Poll::Pending => Poll::Ready(None),
            }
        })
        .await
    }
}

/// What a [`limited`] future gave; without it, the test ends here.
pub fn in_time<T>(answer: Option<T>) -> T {
    answer.unwrap_or_else(|| Patience::here().end())
}
