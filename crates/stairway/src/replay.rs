//! One case instead of a search: what `STAIRWAY_REPLAY` or the test itself names.
//!
//! A test may check several things, so a check that is not named is left out rather than refused. Only the
//! end of the process shows that nothing was named at all: a typing mistake would pass for a case that no
//! longer fails, so that is an error.

use crate::choice_text::{self, StoredValue};
use crate::isolate;
use crate::report::{Refusal, refuse};
use stairway_engine::FULL_SIZE;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether a check of this process was the one that `STAIRWAY_REPLAY` names.
static HAS_REPLAYED: AtomicBool = AtomicBool::new(false);

/// What was checked instead, until then: what `STAIRWAY_REPLAY` names, and the checks that were left out.
static LEFT_OUT: Mutex<Option<(String, Vec<String>)>> = Mutex::new(None);

/// How many checks that were left out are named.
const MAX_NAMED: usize = 5;

/// What `STAIRWAY_REPLAY` means for one check.
#[derive(Debug)]
pub(crate) enum ReplayRequest {
    /// This case of it.
    For(Replay),
    /// A case of another one.
    ForAnother,
}

/// What `STAIRWAY_REPLAY` holds: `name@size: choices`.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) size: u32,
    pub(crate) values: Vec<StoredValue>,
    /// Whether it was written in the test rather than taken from the environment.
    pub(crate) is_by_hand: bool,
}

impl Replay {
    /// A case that was written by hand.
    pub(crate) fn by_hand(choices: &str) -> Self {
        match choice_text::parse(choices) {
            Ok(values) => Replay { size: FULL_SIZE, values, is_by_hand: true },
            Err(why) => refuse(Refusal::Input, format!("stairway: the case to replay cannot be read: {why}")),
        }
    }

    /// What the variable asks of the property called `name`.
    pub(crate) fn parse(text: &str, name: &str) -> ReplayRequest {
        let (path, size, choices) = split(text);
        let Ok(size) = size.parse() else { wrong("does not give a size after `@`") };
        let values =
            choice_text::parse(choices).unwrap_or_else(|why| wrong(&format!("cannot be read: {why}")));
        if path != name {
            leave_out(path, name);
            return ReplayRequest::ForAnother;
        }
        HAS_REPLAYED.store(true, Ordering::Relaxed);
        ReplayRequest::For(Replay { size, values, is_by_hand: false })
    }
}

/// The name, the size and the choices. Paths contain colons too: the name ends at the size.
fn split(text: &str) -> (&str, &str, &str) {
    let Some((path, rest)) = text.rsplit_once('@') else {
        wrong(if text.contains(':') { "does not give a size after `@`" } else { "has no `: ` in it" })
    };
    let Some((size, choices)) = rest.split_once(':') else { wrong("has no `:` after the size") };
    (path.trim(), size.trim(), choices)
}

fn wrong(why: &str) -> ! {
    refuse(
        Refusal::Input,
        format!(
            "stairway: STAIRWAY_REPLAY {why}; it takes what a failing run prints, for example \
             `krate::tests::property@12: #2 1 0`"
        ),
    )
}

/// Remembers that a check was left out. What runs in a worker is for the process that started it to judge.
fn leave_out(named: &str, name: &str) {
    let mut left_out = LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    if left_out.is_none() && !isolate::is_worker() && !stairway_sandbox::at_exit(nothing_replayed) {
        refuse(Refusal::Input, complaint(named, &[name.to_string()]));
    }
    let (_, names) = left_out.get_or_insert_with(|| (named.to_string(), Vec::new()));
    if names.len() <= MAX_NAMED && !names.iter().any(|known| known == name) {
        names.push(name.to_string());
    }
}

/// The code with which the process ends instead of its own, if nothing was replayed.
fn nothing_replayed() -> Option<i32> {
    let left_out = LEFT_OUT.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (named, names) = left_out.filter(|_| !HAS_REPLAYED.load(Ordering::Relaxed))?;
    let _ = writeln!(std::io::stderr(), "{}", complaint(&named, &names));
    Some(TEST_FAILED)
}

/// How a test binary ends when a test fails.
const TEST_FAILED: i32 = 101;

fn complaint(named: &str, names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMED).map(|name| format!("`{name}`")).collect();
    let more = if names.len() > MAX_NAMED { " and others" } else { "" };
    format!(
        "stairway: STAIRWAY_REPLAY names `{named}`, which nothing here checks; left out because of it: {}{more}; run the \
         test that checks `{named}`, as in the replay line",
        shown.join(", ")
    )
}
