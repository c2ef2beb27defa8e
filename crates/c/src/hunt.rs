//! The hunt: sequences of calls, run in workers, judged, shrunk and reported by the engine.
//!
//! Receives a project and how to hunt; hands on the engine's report. The parent process never runs the user's code:
//! its workers load the object that the parent has built.

use crate::noticed::Noticed;
use crate::operations::{Calls, CallsError, Folder, NotCalled, Settings as CallSettings, Undefined, lines};
use crate::project::{Object, Project};
use stairway::engine::{Observed, Steps, run_program};
use stairway::{Case, Checked, Checker, Failure, Progress, Report, Settings, Stop, Worker};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_ulong};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names the object in the environment of a worker.
const OBJECT: &str = "STAIRWAY_WORKER_OBJECT";
/// Says that it is not instrumented.
const PLAIN: &str = "STAIRWAY_WORKER_PLAIN";
/// Says that undefined arithmetic fails.
const STRICT: &str = "STAIRWAY_WORKER_STRICT";
/// Names the folder in which each worker has one of its own.
const FOLDER: &str = "STAIRWAY_WORKER_FOLDER";

/// How to hunt.
#[derive(Clone, Debug)]
pub struct Options {
    /// How sequences are run.
    pub calls: CallSettings,
    /// Where all randomness starts.
    pub seed: Option<u64>,
    /// How many sequences have to pass.
    pub n_sequences: u64,
    /// For how long to hunt, instead.
    pub time_ms: Option<u64>,
    /// How many calls a sequence has at most.
    pub max_len: u64,
    /// How many workers.
    pub jobs: usize,
    /// Whether failures are made smaller.
    pub shrinks: bool,
    /// The choices of the only sequence to run.
    pub replay: Option<String>,
    /// Where failures are stored; nowhere if there is none.
    pub regressions: Option<PathBuf>,
    /// The arguments of a worker: this program, started with them, comes to the same hunt.
    pub worker: Vec<String>,
    /// Whom to tell how far the hunt has come.
    pub progress: Option<fn(Progress)>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            calls: CallSettings::default(),
            seed: None,
            n_sequences: 2000,
            time_ms: None,
            max_len: 50,
            jobs: 1,
            shrinks: true,
            replay: None,
            regressions: None,
            worker: Vec::new(),
            progress: None,
        }
    }
}

/// The object that a worker opens; `Object::Build` in the parent.
#[must_use]
pub fn object() -> Object {
    match std::env::var_os(OBJECT) {
        Some(path) => Object::Open(PathBuf::from(path), std::env::var_os(PLAIN).is_none()),
        None => Object::Build,
    }
}

thread_local! {
    /// What a worker has loaded.
    static LOADED: OnceCell<Result<Calls, String>> = const { OnceCell::new() };
}

/// What a hunt has found.
#[derive(Debug)]
pub struct Found {
    /// The engine's report.
    pub report: Report,
    /// The project.
    pub project: Project,
    /// Functions that cannot be called.
    pub not_called: Vec<NotCalled>,
    /// The lines of functions that were reached.
    pub reached: Reached,
}

/// The lines that were reached, by function.
pub type Reached = BTreeMap<String, BTreeSet<u32>>;

/// Hunts in a project called `name`. In a worker this does not return.
///
/// # Errors
/// If nothing can be called.
pub fn hunt(name: &str, project: Project, options: &Options) -> Result<Found, CallsError> {
    let not_called = Calls::look(&project, &options.calls)?;
    if std::env::var_os(OBJECT).is_some() {
        work(name, project, options);
    }
    let reached = Arc::new(Mutex::new(Reached::new()));
    let mut report = phase(name, &project, options, false, &reached);
    if needs_strictness(&report, options) {
        let mut strict = phase(name, &project, options, true, &reached);
        if !strict.result.outcome.is_success() {
            // All that was called before counts.
            strict.result.statistics = report.result.statistics;
            report = strict;
        }
    }
    let reached = std::mem::take(&mut *locked(&reached));
    Ok(Found { report, project, not_called, reached })
}

/// Whether undefined arithmetic is left to be refuted: contracts hold, and it happened under one. It is hunted
/// apart so that it is never taken for a broken contract, and does not hide one.
fn needs_strictness(report: &Report, options: &Options) -> bool {
    // A sequence that is replayed leaves no statistics.
    let noted = |noticed: Noticed| options.replay.is_some() || noticed.is_in(&report.result.statistics);
    let is_noted = match options.calls.undefined {
        Undefined::All => noted(Noticed::UndefinedUnderContract) || noted(Noticed::Undefined),
        Undefined::Contracts => noted(Noticed::UndefinedUnderContract),
        Undefined::Memory | Undefined::Off => false,
    };
    report.result.outcome.is_success() && is_noted
}

/// What failures are stored under.
fn phase_name(name: &str, is_strict: bool) -> String {
    if is_strict { format!("{name} (undefined behaviour)") } else { name.to_string() }
}

/// One hunt with everything that can fail in it.
fn phase(
    name: &str,
    project: &Project,
    options: &Options,
    is_strict: bool,
    reached: &Arc<Mutex<Reached>>,
) -> Report {
    let variable = |name: &str, is_set: bool| is_set.then(|| (name.to_string(), "1".into()));
    let object = (OBJECT.to_string(), project.object.as_os_str().to_os_string());
    let flags = [variable(PLAIN, !project.is_instrumented), variable(STRICT, is_strict)];
    // Deleted when the workers are gone.
    let folder = tempfile::Builder::new().prefix("stairway-").tempdir().ok();
    let files = folder.as_ref().map(|folder| (FOLDER.to_string(), folder.path().as_os_str().to_os_string()));
    let environment = std::iter::once(object).chain(files).chain(flags.into_iter().flatten()).collect();
    keep_addresses();
    let worker = Worker { arguments: options.worker.clone(), environment };
    let checker = Checker::new(phase_name(name, is_strict)).settings(settings(options)).worker(worker);
    let checker = checker.listener(listener(reached.clone(), options.progress));
    checker.report(|case| sequence(steps(options), case))
}

/// Lets the workers have the same addresses in every run, where the system allows it: what is printed repeats then.
fn keep_addresses() {
    const ASK: c_ulong = 0xffff_ffff;
    const ADDR_NO_RANDOMIZE: c_int = 0x0004_0000;
    // SAFETY: this is its signature, and it takes any number.
    unsafe extern "C" {
        safe fn personality(persona: c_ulong) -> c_int;
    }
    let present = personality(ASK);
    if let Ok(wanted) = c_ulong::try_from(present | ADDR_NO_RANDOMIZE) {
        // It concerns programs that this one starts from now on; if it is refused, addresses differ.
        personality(wanted);
    }
}

/// The worker's side of it.
fn work(name: &str, project: Project, options: &Options) -> ! {
    let is_strict = std::env::var_os(STRICT).is_some();
    let settings_here = CallSettings { is_strict, ..options.calls.clone() };
    let folder = std::env::var_os(FOLDER).and_then(|within| Folder::enter(Path::new(&within)).ok());
    let calls = Calls::new(project, settings_here).map_err(|error| error.to_string());
    let calls = match folder {
        Some(folder) => calls.map(|calls| calls.with_folder(folder)),
        None => calls,
    };
    LOADED.with(|loaded| loaded.set(calls).ok());
    let checker = Checker::new(phase_name(name, is_strict)).settings(settings(options));
    let report = checker.report(|case| sequence(steps(options), case));
    panic!("stairway: {OBJECT} is set, but this is no worker of `{}`", report.name)
}

fn steps(options: &Options) -> Steps {
    Steps { min: 0, max: options.max_len }
}

fn locked(reached: &Mutex<Reached>) -> MutexGuard<'_, Reached> {
    reached.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the lines that cases say they have reached, and tells how far the hunt has come.
fn listener(
    reached: Arc<Mutex<Reached>>,
    told: Option<fn(Progress)>,
) -> impl Fn(Progress, Option<&Observed>) + Send + Sync + 'static {
    move |progress, observed| {
        let labels = observed.map_or(&[][..], |observed| &observed.labels);
        for (function, lines) in labels.iter().filter_map(|label| lines::reached(label)) {
            locked(&reached).entry(function.to_string()).or_default().extend(lines);
        }
        if let Some(told) = told {
            told(progress);
        }
    }
}

fn settings(options: &Options) -> Settings {
    let mut settings = Settings::new().cases(options.n_sequences).jobs(options.jobs).isolate();
    if let Some(seed) = options.seed {
        settings = settings.seed(seed);
    }
    if let Some(ms) = options.time_ms {
        settings = settings.time_ms(ms);
    }
    if !options.shrinks {
        settings = settings.max_shrinks(0);
    }
    if let Some(choices) = &options.replay {
        settings = settings.replay(choices.clone());
    }
    match &options.regressions {
        Some(folder) => settings.regressions(folder.clone()),
        None => settings.without_regressions(),
    }
}

fn sequence(steps: Steps, case: &mut Case<'_>) -> Checked {
    LOADED.with(|loaded| match loaded.get() {
        Some(Ok(calls)) => run_program(calls, steps, case),
        Some(Err(error)) => Err(Stop::fail(Failure::of("cannot be loaded", error.clone()))),
        None => Err(Stop::fail(Failure::of("cannot be loaded", "nothing was loaded".to_string()))),
    })
}
