//! What code under test did not get, kept in a table of fixed size until somebody asks for it.

use crate::{Hint, Refusal};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const MAX_REFUSALS: usize = 16;
const MAX_TEXT: usize = 120;

#[derive(Clone, Copy)]
struct Entry {
    call: &'static str,
    text: [u8; MAX_TEXT],
    n_text: usize,
    hint: Hint,
}

struct Table(UnsafeCell<[Entry; MAX_REFUSALS]>);

// SAFETY: used by whoever holds `IS_BUSY` alone.
unsafe impl Sync for Table {}

const EMPTY: Entry = Entry { call: "", text: [0; MAX_TEXT], n_text: 0, hint: Hint::Never };
static TABLE: Table = Table(UnsafeCell::new([EMPTY; MAX_REFUSALS]));
static N_REFUSALS: AtomicUsize = AtomicUsize::new(0);
static IS_BUSY: AtomicBool = AtomicBool::new(false);

/// Does something with the table alone. Signals are blocked in the handler, and none comes to it while the
/// table is read.
fn alone<T>(f: impl FnOnce(&mut [Entry; MAX_REFUSALS]) -> T) -> T {
    while IS_BUSY.swap(true, Ordering::Acquire) {
        std::hint::spin_loop();
    }
    // SAFETY: see `Sync` above.
    let result = f(unsafe { &mut *TABLE.0.get() });
    IS_BUSY.store(false, Ordering::Release);
    result
}

/// Keeps a refusal; in a signal handler.
pub(crate) fn note(call: &'static str, about: &[u8], hint: Hint) {
    let n_text = about.len().min(MAX_TEXT);
    let mut entry = Entry { call, n_text, hint, ..EMPTY };
    entry.text[..n_text].copy_from_slice(&about[..n_text]);
    alone(|table| {
        let n = N_REFUSALS.load(Ordering::Relaxed);
        let is_known = |known: &Entry| {
            known.call == call && known.hint == hint && known.text[..known.n_text] == entry.text[..n_text]
        };
        if n < MAX_REFUSALS && !table[..n].iter().any(is_known) {
            table[n] = entry;
            N_REFUSALS.store(n + 1, Ordering::Relaxed);
        }
    });
}

/// What was refused since the last time, the same only once. Costs one load if there was nothing.
///
/// ```
/// assert!(stairway_sandbox::take_refusals().is_empty());
/// ```
#[must_use]
pub fn take_refusals() -> Vec<Refusal> {
    if N_REFUSALS.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    let (table, n) = alone(|table| (*table, N_REFUSALS.swap(0, Ordering::Relaxed)));
    let refusal = |entry: &Entry| Refusal {
        call: entry.call.into(),
        about: about(&entry.text[..entry.n_text], entry.hint),
        hint: entry.hint,
    };
    let mut refusals: Vec<Refusal> = table[..n].iter().map(refusal).collect();
    refusals.sort();
    refusals.dedup();
    refusals
}

/// What a note is about. Arguments are drawn, so that a path is mostly noise: the folder is enough to allow
/// something, and a name that nobody would give to a file is left out.
fn about(path: &[u8], hint: Hint) -> String {
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || b"/._-+".contains(b);
    let folder = match (hint, path.iter().rposition(|b| *b == b'/')) {
        (Hint::Writable, Some(0)) => b"/",
        (Hint::Writable, Some(at)) => &path[..at],
        _ => path,
    };
    let is_given = folder.iter().all(is_plain) && folder.len() < MAX_TEXT;
    if is_given { String::from_utf8_lossy(folder).into_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_taken_once_and_have_a_limit() {
        for _ in 0..40 {
            note("open", b"/etc/x\n", Hint::Writable);
        }
        let refusals = take_refusals();
        assert_eq!(refusals.len(), 1);
        assert_eq!(
            refusals[0].words(crate::Reader::Command),
            "changes in /etc (--writable /etc allows them)"
        );
        assert!(take_refusals().is_empty());
    }

    #[test]
    fn noise_is_left_out() {
        let about = |path: &str, hint| about(path.as_bytes(), hint);
        assert_eq!(about("/x", Hint::Writable), "/");
        assert_eq!(about("/%&/x", Hint::Writable), "");
        assert_eq!(about("data/words.txt", Hint::Files), "data/words.txt");
        assert_eq!(about("\u{7f}x ?", Hint::Files), "");
    }
}
