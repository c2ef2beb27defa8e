//! The hunt: sequences of calls, run in workers, judged, shrunk and reported by the engine.
//!
//! Receives a project and how to hunt; hands on the engine's report. The parent process never runs the user's code:
//! its workers load the object that the parent has built.

use crate::operations::{Calls, CallsError, NotCalled, Settings as CallSettings, lines};
use crate::project::{Object, Project};
use stairway::engine::{Observed, Steps, run_program};
use stairway::{Case, Checked, Checker, Failure, Progress, Report, Settings, Stop, Worker};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names the object in the environment of a worker.
const OBJECT: &str = "STAIRWAY_WORKER_OBJECT";
/// Says that it is not instrumented.
const PLAIN: &str = "STAIRWAY_WORKER_PLAIN";

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
    let steps = Steps { min: 0, max: options.max_len };
    let environment = [(OBJECT.to_string(), project.object.as_os_str().to_os_string())];
    let plain = (!project.is_instrumented).then(|| (PLAIN.to_string(), "1".into()));
    let environment = environment.into_iter().chain(plain).collect();
    let worker = Worker { arguments: options.worker.clone(), environment };
    let checker = Checker::new(name).settings(settings(options)).worker(worker);
    if std::env::var_os(OBJECT).is_none() {
        let reached = Arc::new(Mutex::new(Reached::new()));
        let checker = checker.listener(listener(reached.clone(), options.progress));
        let report = checker.report(|case| sequence(steps, case));
        return Ok(Found { report, project, not_called, reached: std::mem::take(&mut locked(&reached)) });
    }
    let calls = Calls::new(project, options.calls.clone()).map_err(|error| error.to_string());
    LOADED.with(|loaded| loaded.set(calls).ok());
    let report = checker.report(|case| sequence(steps, case));
    panic!("stairway: {OBJECT} is set, but this is no worker of `{}`", report.name)
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
