//! Properties and models as targets of a fuzzer: its bytes are the choices of a case.
//!
//! Whatever a test checks, [`run`] checks on one input: a violation prints the report and aborts, which is
//! what fuzzers look for. [`fuzz_target!`](crate::fuzz_target) makes a target of cargo-fuzz or afl.rs of it.
//! What the fuzzer finds is shrunk by the test: `STAIRWAY_CORPUS=fuzz/artifacts/fifo cargo test fifo`.
//!
//! ```
//! use stairway::prelude::*;
//! let is_kept = stairway::fuzz::run(&[3, 1, 4, 1, 5], || {
//!     stairway::check(|t| {
//!         let xs = t.pick(vec(any::<u8>(), 0..9))?;
//!         let mut sorted = xs.clone();
//!         sorted.sort();
//!         assert_eq!(sorted.len(), xs.len());
//!         Ok(())
//!     });
//! });
//! assert!(is_kept);
//! ```
//!
//! The search is the fuzzer's: nothing here generates, shrinks or counts.

use crate::choice_text::StoredValue;
use crate::isolate::IsolatedExecutor;
use crate::regressions::Store;
use crate::report::{Refusal, or_refusal};
use crate::settings::{Regressions, ResolvedSettings};
use stairway_engine::{
    Choice, Execute, Execution, FULL_SIZE, MAX_CHOICES, Observations, Plan, Plans, Recording, Round, Source,
    Verdict,
};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};

/// What a fuzzer has for the checks on this thread.
#[derive(Debug, Default)]
struct Input {
    bytes: Vec<u8>,
    n_checks: usize,
    n_discarded: usize,
}

thread_local! {
    static INPUT: RefCell<Option<Input>> = const { RefCell::new(None) };
}

/// Runs whatever `check` checks on the case that `bytes` stand for. Says whether the input is worth keeping:
/// one that is discarded tests nothing.
///
/// A violation prints its report and aborts. The report shows the case as it was found; a test shrinks it.
///
/// # Panics
/// If nothing was checked, or the settings are wrong.
pub fn run(bytes: &[u8], check: impl FnOnce()) -> bool {
    INPUT.set(Some(Input { bytes: bytes.to_vec(), ..Input::default() }));
    let ended = or_refusal(|| {
        let caught = catch_unwind(AssertUnwindSafe(check));
        let input = INPUT.take().unwrap_or_default();
        match caught {
            Ok(()) => input,
            // Its report is printed.
            Err(_) if input.n_checks > 0 => std::process::abort(),
            Err(panic) => resume_unwind(panic),
        }
    });
    match ended {
        Ok(input) => {
            assert!(input.n_checks > 0, "stairway: a fuzz target that checks nothing: call `check` in it");
            input.n_discarded < input.n_checks
        }
        // What is wrong is printed; no input is to blame for it.
        Err(Refusal::Input) => std::process::exit(65),
        Err(_) => std::process::exit(70),
    }
}

/// The input for a check that begins now, if a fuzzer is the one who searches.
pub(crate) fn input() -> Option<Vec<u8>> {
    INPUT.with_borrow(|input| input.as_ref().map(|input| input.bytes.clone()))
}

/// Whether a fuzzer is the one who searches, and reads no reports of what passes.
pub(crate) fn is_target() -> bool {
    INPUT.with_borrow(Option::is_some)
}

/// One input, here and now, and nothing from files or to them.
pub(crate) fn restrict(resolved: &mut ResolvedSettings) {
    if !is_target() {
        return;
    }
    resolved.isolate = false;
    resolved.confined = None;
    resolved.jobs = 1;
    resolved.time = None;
    resolved.regressions = Regressions::Nowhere;
    resolved.corpus = None;
    (resolved.replay, resolved.by_hand, resolved.report) = (None, None, None);
    resolved.searches_nothing = true;
    resolved.engine.max_shrink_runs = 0;
}

/// A check has ended, and discarded its input or not.
pub(crate) fn checked(is_discarded: bool) {
    INPUT.with_borrow_mut(|input| {
        if let Some(input) = input {
            input.n_checks += 1;
            input.n_discarded += usize::from(is_discarded);
        }
    });
}

/// Makes a fuzz target of whatever a closure checks.
///
/// For cargo-fuzz, with `#![no_main]` at the beginning of the file:
///
/// ```ignore
/// stairway::fuzz_target!(libfuzzer_sys: || Fifo::check());
/// ```
///
/// For afl.rs:
///
/// ```ignore
/// stairway::fuzz_target!(afl: || Fifo::check());
/// ```
///
/// A `pub` property is a function that can be named here, as is `check_contracts::<Account>`.
#[macro_export]
macro_rules! fuzz_target {
    (libfuzzer_sys: $check:expr $(,)?) => {
        ::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> ::libfuzzer_sys::Corpus {
            if $crate::fuzz::run(bytes, $check) {
                ::libfuzzer_sys::Corpus::Keep
            } else {
                ::libfuzzer_sys::Corpus::Reject
            }
        });
    };
    (afl: $check:expr $(,)?) => {
        fn main() {
            ::afl::fuzz!(|bytes: &[u8]| {
                $crate::fuzz::run(bytes, $check);
            });
        }
    };
}

/// How large an input may be: what is larger was written by no fuzzer.
const MAX_INPUT: u64 = 1 << 20;

/// The inputs at a path: a file, the files of a folder, or what is in the folders that `afl-fuzz` makes.
/// Crashes come first.
///
/// # Errors
/// If there is nothing at the path, or it cannot be read.
#[doc(hidden)]
pub fn inputs(path: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    const OF_AFL: [&str; 3] = ["crashes", "hangs", "queue"];
    let mut files = Vec::new();
    if fs::metadata(path)?.is_file() {
        files.push(path.to_path_buf());
    } else {
        // An instance, or a folder that several share.
        let instances = [vec![path.to_path_buf()], folders(path)?].concat();
        for name in OF_AFL {
            for instance in &instances {
                files.extend(files_in(&instance.join(name)));
            }
        }
        let is_plain = !instances.iter().any(|instance| instance.join("queue").is_dir());
        files.extend(is_plain.then(|| files_in(path)).into_iter().flatten());
    }
    let (mut inputs, mut known) = (Vec::new(), BTreeSet::new());
    for file in files {
        if fs::metadata(&file)?.len() > MAX_INPUT {
            continue;
        }
        let bytes = fs::read(&file)?;
        if known.insert(bytes.clone()) {
            inputs.push((file, bytes));
        }
    }
    Ok(inputs)
}

fn folders(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> = fs::read_dir(path)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.retain(|path| path.is_dir());
    found.sort();
    Ok(found)
}

/// The inputs of one folder: fuzzers explain theirs in files that are none.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_hidden =
        |path: &Path| path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    found.retain(|path| path.is_file() && !is_hidden(path) && !path.ends_with("README.txt"));
    found.sort();
    found
}

/// Workers that run the cases of a fuzzer in another process: what `stairway fuzz` is a front of.
#[doc(hidden)]
pub struct Target {
    workers: IsolatedExecutor,
    observed: Observations,
    seed: u64,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Target")
    }
}

impl Target {
    pub(crate) fn new(workers: IsolatedExecutor, seed: u64) -> Self {
        Target { workers, observed: Observations::default(), seed }
    }

    /// Runs an input; what was observed comes with the verdict.
    pub fn run(&mut self, bytes: &[u8]) -> (Verdict, &Observations) {
        self.observed.clear();
        let plan = Plan::new(Source::Bytes(bytes), FULL_SIZE, MAX_CHOICES);
        let executed = self.workers.execute(&plan, None, &mut self.observed);
        (executed.verdict, &self.observed)
    }

    /// A random case as an input, where it passes.
    pub fn seed(&mut self, index: u64) -> Option<Vec<u8>> {
        const N_CASES: u64 = 100;
        let (max_choices, max_depth, detailed) = (MAX_CHOICES, stairway_choice::MAX_DEPTH, false);
        let plans = Plans {
            seed: self.seed,
            n_cases: N_CASES,
            max_choices,
            max_depth,
            detailed,
            is_guided: false,
            round: Round::default(),
        };
        let (executed, recording) = self.recorded(&plans.plan(index));
        matches!(executed.verdict, Verdict::Passed).then(|| encoded(&recording))
    }

    /// The failures that are stored under a name, as inputs, as far as they still fit.
    pub fn stored(&mut self, folder: &Path, name: &str) -> Vec<Vec<u8>> {
        let store = Store::open(folder, name);
        let mut inputs = Vec::new();
        for (values, size) in store.replayable() {
            let values: Vec<_> = values.iter().map(StoredValue::as_value).collect();
            let plan = Plan::new(Source::Script(&values), size, MAX_CHOICES);
            let (executed, recording) = self.recorded(&plan);
            if !matches!(executed.verdict, Verdict::Halted(_)) {
                inputs.push(encoded(&recording));
            }
        }
        inputs
    }

    fn recorded(&mut self, plan: &Plan<'_>) -> (Execution, Recording) {
        const ROOM: usize = 1 << 14;
        let mut recording = Recording::default();
        recording.make_room(ROOM, ROOM);
        self.observed.clear();
        let executed = self.workers.execute(plan, Some(&mut recording), &mut self.observed);
        (executed, recording)
    }
}

fn encoded(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    Choice::encode(&recording.choices, |byte| bytes.push(byte));
    bytes
}
