//! What a worker prints: read from its pipe as it comes, of which the end is kept.
//!
//! Receives the pipe; hands on what one case has printed. A line before and after a case tells whose output it is,
//! because the pipe may lag behind the socket.

use std::io::{Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Printed by the worker before and after a case whose output may be asked for.
const START_OF_OUTPUT: &str = "\u{1}stairway: start of case\u{1}\n";
const END_OF_OUTPUT: &str = "\u{1}stairway: end of case\u{1}\n";
/// How much of the code's own output is kept: a sanitizer's report is long, and begins with what counts.
const MAX_OUTPUT: usize = 64 * 1024;
/// How much of it is shown.
const MAX_SHOWN: usize = 16 * 1024;

/// In the worker: what comes now belongs to another case than what came before.
pub(super) fn print_start() {
    print_now(START_OF_OUTPUT);
}

/// In the worker: a case whose output may be asked for is over.
pub(super) fn print_end() {
    print_now(END_OF_OUTPUT);
}

fn print_now(text: &str) {
    print!("{text}");
    let _ = std::io::stdout().flush();
}

/// What the worker has printed.
#[derive(Default)]
pub(super) struct Output {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    /// What is left of the latest bytes, from the start of the latest case if that is among them.
    text: Vec<u8>,
    /// How many cases have come to their end.
    n_ended: u64,
    is_closed: bool,
}

impl Output {
    /// What case number `n` of those that end with a mark, which has answered, has printed.
    pub(super) fn of_case(&self, n: u64) -> String {
        self.wait(|state| state.n_ended >= n || state.is_closed)
    }

    /// What the latest case has printed, once the worker is dead.
    pub(super) fn at_the_end(&self) -> String {
        self.wait(|state| state.is_closed)
    }

    fn state(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, is_complete: impl Fn(&OutputState) -> bool) -> String {
        // A child of the worker may hold the pipe open: do not wait for ever.
        let waited = self
            .changed
            .wait_timeout_while(self.state(), Duration::from_secs(2), |state| !is_complete(state));
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&state.text);
        text.split(END_OF_OUTPUT).next().unwrap_or_default().to_string()
    }

    /// Reads the pipe to its end.
    pub(super) fn collect(&self, mut pipe: impl Read) {
        let mut buffer = [0; 4096];
        while let Ok(n) = pipe.read(&mut buffer)
            && n > 0
        {
            self.state().add(&buffer[..n]);
            self.changed.notify_all();
        }
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}

impl OutputState {
    fn add(&mut self, bytes: &[u8]) {
        // A mark may have come in two parts, of which the first is there already.
        let seen = self.text.len().saturating_sub(END_OF_OUTPUT.len() - 1);
        self.text.extend_from_slice(bytes);
        self.n_ended += ends_of(END_OF_OUTPUT, &self.text[seen..]).count() as u64;
        if let Some(start) = ends_of(START_OF_OUTPUT, &self.text).last() {
            self.text.drain(..start);
        }
        let surplus = self.text.len().saturating_sub(MAX_OUTPUT);
        self.text.drain(..surplus);
    }
}

/// Where `mark` ends in `text`, each time.
fn ends_of<'t>(mark: &'static str, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let windows = text.windows(mark.len()).enumerate();
    windows.filter(move |(_, window)| *window == mark.as_bytes()).map(|(at, _)| at + mark.len())
}

/// Output as a part of a report.
pub(super) fn printed(output: &str) -> String {
    let start = output.len().saturating_sub(MAX_SHOWN);
    let output = (start..output.len()).find_map(|at| output.get(at..)).unwrap_or_default();
    if output.trim().is_empty() {
        String::new()
    } else {
        format!("it printed:\n{}", output.trim_start_matches('\n').trim_end())
    }
}
