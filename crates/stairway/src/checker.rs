//! Checking a property from start to end: settle the settings, read stored failures, run the engine, store
//! what it found, make the report.
//!
//! This is where the engine meets files, clocks, threads and processes. It turns a property and settings into
//! a [`Report`], and decides nothing about verdicts.

use crate::backtrace::test_name;
use crate::choice_text::StoredValue;
use crate::fuzz;
use crate::isolate;
use crate::jobs::Parallel;
use crate::json;
use crate::machine::Picture;
use crate::panics;
use crate::refusals;
use crate::regressions::Store;
use crate::replay::{Replay, ReplayRequest};
use crate::report::{Refusal, Report, refuse};
use crate::reproducer::Source;
use crate::reproducer_program::{ProgramStart, Subject};
use crate::settings::{Regressions, ResolvedSettings, Settings, Variables};
use crate::table_case;
use crate::watchdog::{Activity, ActivitySource, ShownProgress, WatchedProperty};
use crate::wording;
use stairway_engine::{
    Case, Checked, Choice, Execute, Execution, Failure, Hooks, InProcess, Label, Observations, Recording,
    StoredCase, Value, Workspace,
};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A fixed input of a property.
pub type Example = fn(&mut Case<'_>) -> Checked;

/// How a worker is started: this binary, with arguments and variables of its environment.
#[derive(Clone, Debug, Default)]
pub struct Worker {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Variables beside those of this process.
    pub environment: Vec<(String, std::ffi::OsString)>,
    /// How its process is started; like any other where there is none.
    pub launcher: Option<stairway_sandbox::Launcher>,
}

/// How far a run has come, for whoever waits for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many cases were run.
    pub n_cases: u64,
    /// How many operations of programs were done in them.
    pub n_steps: u64,
    /// What the cases themselves say that they took, as far as they do.
    pub work: u64,
    /// How many cases were run to make failures smaller.
    pub n_shrinks: u64,
    /// How many steps the program that is made smaller has now.
    pub n_left: u64,
    /// Whether a failure was found and is being made smaller.
    pub is_shrinking: bool,
}

/// Whoever waits for a run.
#[derive(Clone)]
pub(crate) struct Listener(pub(crate) Arc<ProgressListener>);

/// What it is told: how far the run has come and, after a case, what was observed.
pub(crate) type ProgressListener = dyn Fn(Progress, Option<&Observations>) + Send + Sync;

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

/// A run that has not begun, of whatever is checked.
#[derive(Debug)]
pub struct Run {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    pub(crate) source: Option<Source>,
    /// How a worker is started.
    pub(crate) worker: Option<Worker>,
    has_own_test: bool,
    /// Whether failures are stored for each test by itself, because several may check what is called like this.
    pub(crate) is_stored_by_test: bool,
    pub(crate) subject: Subject,
    /// How programs begin as source text.
    pub(crate) start: Option<ProgramStart>,
    pub(crate) examples: Arc<[Example]>,
    pub(crate) listener: Option<Listener>,
    pub(crate) is_interrupted: Option<fn() -> bool>,
    /// What says what is being done, for a case that never returns.
    pub(crate) doing: Option<ActivitySource>,
    /// The operations of programs, where it checks by such.
    pub(crate) operations: &'static [&'static str],
    /// What programs do not call, each with the reason.
    pub(crate) uncalled: Vec<(&'static str, &'static str)>,
    /// What reports call that which is checked, if not by its name.
    pub(crate) title: Option<String>,
    /// The machine that is checked.
    pub(crate) machine: Option<Picture>,
}

impl Run {
    /// A run of what is called `name`, or of what a case of a table calls so; failures are stored under that name.
    pub(crate) fn new(name: String) -> Self {
        Run {
            name: table_case::named(name),
            settings: Settings::new(),
            source: None,
            subject: Subject::Property,
            start: None,
            worker: None,
            has_own_test: false,
            is_stored_by_test: false,
            examples: Arc::new([]),
            listener: None,
            is_interrupted: None,
            doing: None,
            operations: &[],
            uncalled: Vec::new(),
            title: None,
            machine: None,
        }
    }

    /// Says that there is a test of the property's name, beside whatever checks it now.
    pub(crate) fn has_own_test(mut self) -> Self {
        self.has_own_test = true;
        self
    }

    /// Checks the property and returns the report.
    pub(crate) fn report(self, property: impl Fn(&mut Case<'_>) -> Checked + Sync) -> Report {
        let resolved = self.resolve();
        let function = function_of_val(&property);
        // The test of its own may not know that somebody else has it isolated.
        if (resolved.isolate || self.has_own_test) && isolate::is_worker_for(&self.name) {
            // Whoever started the worker watches it.
            // Before a thread is started that watches.
            let is_confined = resolved.confined.as_ref().map(isolate::enter).is_some();
            isolate::serve(&self.watched(property, &resolved, Duration::MAX), is_confined);
        }
        let watched = self.watched(property, &resolved, resolved.hang);
        if resolved.isolate {
            let of_test = || Worker { arguments: isolate::arguments(&function), ..Worker::default() };
            let here = self.worker.clone().unwrap_or_else(of_test);
            // A test of its own gets there without whatever else this test does.
            let own = (self.has_own_test && self.worker.is_none())
                .then(|| Worker { arguments: isolate::arguments_of(&self.name), ..Worker::default() });
            let ways = own.into_iter().chain([here]).collect();
            let mut workers = isolate::IsolatedExecutor::new(
                &self.name,
                ways,
                resolved.timeout,
                resolved.jobs,
                resolved.confined.as_ref(),
            );
            return self.conduct(&resolved, &mut workers);
        }
        if resolved.jobs > 1 {
            let mut parallel = Parallel::new(&watched, resolved.jobs);
            return self.conduct(&resolved, &mut parallel);
        }
        self.conduct(&resolved, &mut InProcess::new(watched, panics::guard))
    }

    /// Checks a property that cannot be shared between threads.
    pub(crate) fn run_here(self, property: impl Fn(&mut Case<'_>) -> Checked) {
        let resolved = self.resolve();
        let watched = self.watched(property, &resolved, resolved.hang);
        self.conduct(&resolved, &mut InProcess::new(watched, panics::guard)).conclude();
    }

    fn resolve(&self) -> ResolvedSettings {
        match self.settings.resolve(&self.name, &Variables::of_process()) {
            Ok(mut resolved) => {
                fuzz::restrict(&mut resolved);
                resolved
            }
            // Wrong input is neither a verdict nor our bug: it ends the test with a plain word.
            Err(error) => refuse(Refusal::Input, format!("stairway: {error}")),
        }
    }

    /// The property, with its examples, as the engine sees it; a run may take as long as `hang`.
    fn watched<P: Fn(&mut Case<'_>) -> Checked>(
        &self,
        property: P,
        resolved: &ResolvedSettings,
        hang: Duration,
    ) -> impl Fn(&mut Case<'_>) -> Checked + use<P> {
        let activity = Activity::start(WatchedProperty {
            name: &self.name,
            subject: self.subject,
            seed: resolved.engine.seed,
            doing: self.doing.clone(),
            operations: self.operations,
            limit: hang,
            has_one_thread: resolved.jobs <= 1,
            progress: match (&self.listener, resolved.isolate) {
                (Some(_), _) => ShownProgress::Nothing,
                (None, true) => ShownProgress::Time,
                (None, false) => ShownProgress::Runs,
            },
        });
        let examples = Arc::clone(&self.examples);
        move |case| {
            let _busy = activity.busy();
            panics::will_be_shown(case.detail());
            let result = match case.example() {
                Some(index) => examples[index](case),
                None => property(case),
            };
            refusals::hand_over(case);
            result
        }
    }

    /// Runs the engine between the files it reads and the files it leaves.
    fn conduct(&self, resolved: &ResolvedSettings, execute: &mut dyn Execute) -> Report {
        let mut settings = resolved.engine.clone();
        settings.n_examples = self.examples.len();
        let mut store = match &resolved.regressions {
            Regressions::In(folder) => {
                let test = if self.is_stored_by_test { test_name() } else { None };
                let store = match test {
                    Some(test) => Store::of_test(folder, &self.name, &test),
                    None => Store::open(folder, &self.name),
                };
                Some(store.of_run(&resolved.stored_run))
            }
            Regressions::Nowhere => None,
        };
        let asked = resolved.replay.as_deref().map(|text| Replay::parse(text, &self.name));
        let is_skipped = matches!(asked, Some(ReplayRequest::ForAnother));
        let replay = match asked {
            Some(ReplayRequest::For(replay)) => Some(replay),
            Some(ReplayRequest::ForAnother) => None,
            None => resolved.by_hand.as_deref().map(Replay::by_hand),
        };
        if replay.is_some() || is_skipped || resolved.searches_nothing {
            settings.n_cases = 0;
            settings.n_examples = 0;
            settings.exhaustive = None;
        }
        let known: Vec<(Vec<StoredValue>, u32)> = match (&replay, &store) {
            (Some(replay), _) => vec![(replay.values.clone(), replay.size)],
            (None, _) if is_skipped => Vec::new(),
            (None, Some(store)) => store.replayable().iter().map(|(v, size)| (v.to_vec(), *size)).collect(),
            (None, None) => Vec::new(),
        };
        let mut hooks = FileHooks {
            time: resolved.time,
            deadline: resolved.time.map(Deadline::after),
            shrink_deadline: None,
            lines: resolved.report.as_ref().map(|path| json::Lines::new(path.clone(), &self.name)),
            store: store.as_mut(),
            listener: self.listener.clone(),
            is_interrupted: self.is_interrupted,
            has_been_interrupted: false,
            progress: Progress::default(),
            name: &self.name,
            said: None,
        };
        let mut inputs: Vec<Vec<u8>> = fuzz::input().into_iter().collect();
        if let (Some(path), None, false) = (&resolved.corpus, &replay, is_skipped) {
            inputs.extend(self.corpus(path));
        }
        let result = run_with(execute, &settings, &known, &inputs, &mut hooks);
        fuzz::checked(result.statistics.n_discarded > 0);
        let (lines, is_interrupted) = (hooks.lines.take(), hooks.has_been_interrupted);
        if let (Some(replay), Some(stale)) = (&replay, result.stale.first()) {
            self.refuse_replay(replay, stale.at as usize);
        }
        let mut warnings = Vec::new();
        for example in &result.skipped_examples {
            warnings.push(format!("example {} was discarded: it checks nothing", example + 1));
        }
        let stored_in =
            store.as_mut().and_then(|store| store.settle(&result, replay.is_some() || is_skipped));
        warnings.extend(store.map(|store| store.warnings).unwrap_or_default());
        let mut report = Report {
            name: self.name.clone(),
            n_cases_wanted: settings.n_cases,
            result,
            stored_in,
            warnings,
            is_replay: replay.is_some(),
            is_skipped,
            is_interrupted,
            subject: self.subject,
            source: self.source,
            start: self.start.clone(),
            uncalled: self.uncalled.clone(),
            title: self.title.clone(),
            machine: self.machine.clone(),
            test: None,
            is_written: false,
            board: None,
        };
        report.warnings.extend(lines.and_then(|lines| lines.finish(&report)));
        report
    }

    /// The inputs that a fuzzer has left at a path.
    fn corpus(&self, path: &Path) -> impl Iterator<Item = Vec<u8>> + use<> {
        match fuzz::inputs(path) {
            Ok(inputs) => inputs.into_iter().map(|(_, bytes)| bytes),
            Err(error) => refuse(
                Refusal::Input,
                format!(
                    "stairway: the corpus {} for `{}` cannot be read: {error}; name a file of a fuzzer, or a folder of them",
                    path.display(),
                    self.name
                ),
            ),
        }
    }

    /// Workers that run what a fuzzer asks for.
    pub(crate) fn target(&self) -> fuzz::Target {
        let resolved = self.resolve();
        let ways = self.worker.iter().cloned().collect();
        let confined = resolved.confined.as_ref();
        let workers = isolate::IsolatedExecutor::new(&self.name, ways, resolved.timeout, 1, confined);
        fuzz::Target::new(workers, resolved.engine.seed)
    }

    fn refuse_replay(&self, replay: &Replay, at: usize) -> ! {
        if !replay.is_by_hand {
            refuse(
                Refusal::Input,
                format!(
                    "stairway: the choices in STAIRWAY_REPLAY do not fit the property `{}`: \
                 it has changed since they were printed",
                    self.name
                ),
            )
        }
        let why = match replay.values.get(at) {
            Some(value) => format!("`{}`, the choice number {}, is not possible there", value.text(), at + 1),
            None => format!("they are at their end after {at}, and more are needed"),
        };
        refuse(Refusal::Input, format!("stairway: the choices given for `{}` do not fit: {why}", self.name))
    }
}

/// Runs the engine with failures read from text.
fn run_with(
    execute: &mut dyn Execute,
    settings: &stairway_engine::Settings,
    known: &[(Vec<StoredValue>, u32)],
    inputs: &[Vec<u8>],
    hooks: &mut dyn Hooks,
) -> stairway_engine::Report {
    let values: Vec<Vec<Value<'_>>> =
        known.iter().map(|(values, _)| values.iter().map(StoredValue::as_value).collect()).collect();
    let failures = known.iter().zip(&values).map(|((_, size), values)| StoredCase::failure(values, *size));
    let stored: Vec<StoredCase<'_>> =
        failures.chain(inputs.iter().map(|bytes| StoredCase::input(bytes))).collect();
    stairway_engine::run(execute, settings, &stored, hooks, &mut Workspace::default())
}

/// When the time for a run is over.
#[derive(Clone, Copy, Debug)]
struct Deadline(Instant);

impl Deadline {
    #[allow(clippy::disallowed_methods, reason = "the user asked for a time budget")]
    fn after(time: Duration) -> Self {
        Deadline(Instant::now() + time)
    }

    #[allow(clippy::disallowed_methods, reason = "the user asked for a time budget")]
    fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }
}

/// What the engine is told about files and clocks.
struct FileHooks<'s> {
    time: Option<Duration>,
    deadline: Option<Deadline>,
    /// When shrinking has to end; it has a time of its own.
    shrink_deadline: Option<Deadline>,
    lines: Option<json::Lines>,
    store: Option<&'s mut Store>,
    listener: Option<Listener>,
    is_interrupted: Option<fn() -> bool>,
    has_been_interrupted: bool,
    progress: Progress,
    name: &'s str,
    /// When the next word about shrinking is due, and the record that the last one was about.
    said: Option<(Deadline, Vec<Choice>)>,
}

/// How often the simplest case so far is shown and stored while shrinking goes on.
const EVERY: Duration = Duration::from_secs(10);

impl Hooks for FileHooks<'_> {
    fn is_out_of_time(&mut self) -> bool {
        // Asked before each run of shrinking, of which nobody else hears.
        self.progress.n_shrinks += u64::from(self.progress.is_shrinking);
        if let (Some(Listener(told)), true) = (&self.listener, self.progress.is_shrinking) {
            told(self.progress, None);
        }
        let deadline = if self.progress.is_shrinking { self.shrink_deadline } else { self.deadline };
        self.has_been_interrupted |= self.is_interrupted.is_some_and(|is_interrupted| is_interrupted());
        self.has_been_interrupted || deadline.is_some_and(Deadline::has_passed)
    }

    fn found(&mut self, failure: &Failure, recording: &Recording, size: u32, observed: &Observations) {
        if let Some(store) = &mut self.store {
            store.put(failure, recording, size, observed);
        }
    }

    fn begins_shrinking(&mut self, recording: &Recording) {
        self.progress.is_shrinking = true;
        // A failure found late is worth shrinking all the same: that has a time of its own, for all of them
        // together.
        self.shrink_deadline = self.shrink_deadline.or_else(|| self.time.map(Deadline::after));
        self.said = Some((Deadline::after(EVERY), recording.choices.clone()));
    }

    fn shrinking(&mut self, failure: &Failure, best: &Recording, size: u32) {
        if self.listener.is_some() {
            self.progress.n_left = best.spans.iter().filter(|span| span.label == Label::Step).count() as u64;
        }
        let Some((_, said)) = self.said.as_mut().filter(|(due, _)| due.has_passed()) else { return };
        if *said != best.choices {
            said.clone_from(&best.choices);
            if let Some(store) = &mut self.store {
                store.put(failure, best, size, &Observations::default());
            }
            let line = wording::best_so_far(self.name, failure, best, self.progress.n_shrinks);
            // Not `eprintln!`: a test runner that captures output would keep it to itself.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        self.said = self.said.take().map(|(_, said)| (Deadline::after(EVERY), said));
    }

    fn wants_details(&self) -> bool {
        self.lines.is_some()
    }

    fn attends_every_case(&self) -> bool {
        self.listener.is_some()
            || self.lines.is_some()
            || self.deadline.is_some()
            || self.is_interrupted.is_some()
    }

    fn case(&mut self, executed: &Execution, observed: &Observations) {
        // The search goes on after a failure where several are wanted.
        self.progress.is_shrinking = false;
        if let Some(Listener(told)) = &self.listener {
            self.progress.n_cases += 1;
            self.progress.n_steps += observed.program.n_done.iter().sum::<u64>();
            self.progress.work += observed.work;
            told(self.progress, Some(observed));
        }
        if let Some(lines) = &mut self.lines {
            lines.case(executed, observed);
        }
    }
}

fn function_of_val<F>(_: &F) -> String {
    function_of::<F>()
}

/// The path of the function a closure stands in.
pub(crate) fn function_of<F>() -> String {
    std::any::type_name::<F>().replace("::{{closure}}", "")
}
