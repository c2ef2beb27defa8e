//! What a worker prints: read from its pipe as it comes, of which the end is kept.
//!
//! Keeps what one case has printed. A line before and after a case tells whose output it is, because the pipe
//! may lag behind the channel.

use std::io::{Read, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Printed by the worker before and after a case whose output may be asked for.
const START_OF_OUTPUT: &str = "\u{1}stairway: start of case\u{1}\n";
const END_OF_OUTPUT: &str = "\u{1}stairway: end of case\u{1}\n";
/// The length of the longer of the two.
const LONGEST_MARK: usize =
    if START_OF_OUTPUT.len() > END_OF_OUTPUT.len() { START_OF_OUTPUT.len() } else { END_OF_OUTPUT.len() };
/// How much of the code's own output is kept, at least: a sanitizer's report is long, and begins with what
/// counts.
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
    // Code under test may have closed it.
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
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
        let mut buffer = [0; 1 << 16];
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
        let from = self.text.len().saturating_sub(LONGEST_MARK - 1);
        let n_known = self.text.len() - from;
        let mut news = self.text[from..].to_vec();
        news.extend_from_slice(bytes);
        let n_ended = ends_of(END_OF_OUTPUT, &news).filter(|end| *end > n_known).count();
        let start = ends_of(START_OF_OUTPUT, &news).last();
        self.n_ended += n_ended as u64;
        match start {
            Some(start) => self.text = news.split_off(start),
            None => self.text.extend_from_slice(bytes),
        }
        // Cut now and then, not for every few bytes of a gigabyte.
        if self.text.len() > 2 * MAX_OUTPUT {
            self.text.drain(..self.text.len() - MAX_OUTPUT);
        }
    }
}

/// Where `mark` ends in `text`, each time.
fn ends_of<'t>(mark: &'static str, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let first = mark.as_bytes()[0];
    let starts = text.iter().enumerate().filter(move |(_, byte)| **byte == first).map(|(at, _)| at);
    starts.filter(move |at| text[*at..].starts_with(mark.as_bytes())).map(|at| at + mark.len())
}

/// Output as a part of a report.
pub(super) fn printed(output: &str) -> String {
    let start = output.len().saturating_sub(MAX_SHOWN);
    let output = (start..output.len()).find_map(|at| output.get(at..)).unwrap_or_default();
    if output.trim().is_empty() {
        String::new()
    } else {
        format!("it printed:\n{}", without_thread_numbers(output.trim_start_matches('\n').trim_end()))
    }
}

/// What the standard library says of a thread that panics or overflows its stack, without the thread's
/// number, which is another one each time.
fn without_thread_numbers(output: &str) -> String {
    let plain = |line: &str| {
        let (name, rest) = line.strip_prefix("thread '")?.split_once("' (")?;
        let (number, rest) = rest.split_once(") ")?;
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| format!("thread '{name}' {rest}"))
    };
    let lines = output.split('\n').map(|line| plain(line).unwrap_or_else(|| line.to_string()));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was kept after so much, which came in pieces of `n` bytes.
    fn kept(text: &str, n: usize) -> (String, u64) {
        let output = Output::default();
        text.as_bytes().chunks(n).for_each(|piece| output.state().add(piece));
        output.state().is_closed = true;
        let n_ended = output.state().n_ended;
        (output.at_the_end(), n_ended)
    }

    #[test]
    fn marks_are_found_in_however_many_pieces_they_come() {
        let text = format!(
            "before{START_OF_OUTPUT}one{END_OF_OUTPUT}{START_OF_OUTPUT}two\u{1}\nlines{END_OF_OUTPUT}after"
        );
        for n in 1..=text.len() {
            assert_eq!(kept(&text, n), ("two\u{1}\nlines".to_string(), 2), "{n}");
        }
    }

    #[test]
    fn numbers_of_threads_are_left_out() {
        let said = "a\nthread 'main' (4711) has overflowed its stack\nthread 'x' (y) said";
        let expected = "it printed:\na\nthread 'main' has overflowed its stack\nthread 'x' (y) said";
        assert_eq!(printed(said), expected);
    }

    #[test]
    fn the_end_of_much_is_kept_and_no_more() {
        let output = Output::default();
        let piece = [b'x'; 1 << 16];
        for _ in 0..1 << 10 {
            output.state().add(&piece);
            assert!(output.state().text.capacity() <= 8 * MAX_OUTPUT);
        }
        output.state().add(b"the end");
        output.state().is_closed = true;
        assert!(output.at_the_end().ends_with("xxthe end"));
    }
}
