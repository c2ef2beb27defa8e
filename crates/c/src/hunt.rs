//! The hunt: sequences of calls, run in workers, judged, shrunk and reported by the engine.
//!
//! The parent process never runs the user's code: its workers (`worker`) load the object that the parent has
//! built, and receive what it knows of it (`assignment`).

use crate::assignment::{Assignment, Lengths, Role, Task};
use crate::facts::{HuntFact, Note};
use crate::operations::{
    self, Calls, CallsError, Settings as CallSettings, UncalledFunction, UndefinedPolicy,
};
use crate::project::Project;
use crate::report::words;
use crate::scratch::Scratch;
use crate::storage;
use crate::worker::{no_folder, sequence};
pub use stairway::engine::Budget;
use stairway::engine::{Limit, Observations};
use stairway::report::{Outcome, Progress};
use stairway::{Checker, Report, Settings, Worker, fuzz};
use stairway_sandbox::{Launcher, Permissions, Unavailable};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_ulong};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What a search may take by default, and shrinking as well: about ten seconds on the machine where this is
/// written, whether it goes into a million and a half short calls or into two hundred that do not return.
pub const SEARCH_WORK: u64 = 2_000_000_000;

/// More than a short call takes with everything around it.
const WORK_OF_CALL: u64 = 4000;

/// Which part of a search comes before undefined arithmetic is looked for, and how far it goes on after a
/// failure, for every so many functions: the failures of one do not keep the others from their share.
const FIRST_PART: u64 = 20;
const FUNCTIONS_OF_A_PART: u64 = 8;

/// With feedback a search goes on for at least so many sequences after the last that was new, and for a quarter
/// of what it may take: a search that climbs towards a number that the code computes is quiet for thousands of
/// sequences between two steps.
const LEAST_SETTLED: u64 = 2000;
const LEAST_QUIET_WORK: u64 = SEARCH_WORK / 4;

/// Runs of shrinking are limited by what they take.
const MANY_RUNS: u64 = 1_000_000;
/// How often a sequence is tried with a call less and other numbers: a call takes microseconds.
const SHUFFLES: u64 = 1000;

/// The budget of a search that ends after so many calls. It has no less fuel than any other search, and no
/// more where calls do not return.
#[must_use]
pub fn budget_of(n_calls: u64) -> Budget {
    Budget { steps: n_calls, work: n_calls.saturating_mul(WORK_OF_CALL).max(SEARCH_WORK) }
}
/// How many calls a sequence has at most, and most sequences, unless something else is asked for.
pub const MAX_LEN: u64 = 200;
/// See [`MAX_LEN`].
pub const USUAL_LEN: u64 = 50;

/// How to hunt.
#[derive(Clone, Debug)]
pub struct Options {
    /// How sequences are run.
    pub calls: CallSettings,
    /// Where all randomness starts.
    pub seed: Option<u64>,
    /// How much the search may take, in calls and in work: basic blocks, and what calls cost besides.
    pub budget: Budget,
    /// How much shrinking may take.
    pub shrink_budget: Budget,
    /// For how long to search, and to shrink, whatever the budgets.
    pub time: Option<Duration>,
    /// How many calls a sequence has at most.
    pub max_len: u64,
    /// How many calls most sequences have at most: one in eight is longer.
    pub usual_len: u64,
    /// How many workers.
    pub jobs: usize,
    /// Whether failures are made smaller.
    pub shrinks: bool,
    /// The choices of the only sequence to run.
    pub replay: Option<String>,
    /// Where failures are stored; nowhere if there is none.
    pub regressions: Option<PathBuf>,
    /// Inputs of a fuzzer, which are run before the search: a file or a folder.
    pub corpus: Option<PathBuf>,
    /// Whether anything is drawn at random: otherwise only what is stored, and the corpus, is run.
    pub searches: bool,
    /// Whether the search ends when nothing new is seen, if nothing else was said about its end.
    pub settles: bool,
    /// The options that decide what is drawn, as the user wrote them; stored with failures.
    pub stored_options: String,
    /// The command that replays a sequence, with `CHOICES` in their place; stored with failures.
    pub stored_command: String,
    /// What the code may do beyond its own folder; anything that this process may do if there is nothing.
    pub permissions: Option<Permissions>,
    /// A folder whose files every sequence finds in its own.
    pub files: Option<PathBuf>,
    /// Whom to tell how far the hunt has come.
    pub progress: Option<fn(HuntProgress)>,
    /// Says whether the hunt is to end now, with what it has found so far.
    pub is_interrupted: Option<fn() -> bool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            calls: CallSettings::default(),
            seed: None,
            budget: Budget { work: SEARCH_WORK, ..Budget::UNLIMITED },
            shrink_budget: Budget { work: SEARCH_WORK, ..Budget::UNLIMITED },
            time: None,
            max_len: MAX_LEN,
            usual_len: USUAL_LEN,
            jobs: 1,
            shrinks: true,
            replay: None,
            regressions: None,
            corpus: None,
            searches: true,
            settles: true,
            stored_options: String::new(),
            stored_command: String::new(),
            permissions: Some(Permissions::default()),
            files: None,
            progress: None,
            is_interrupted: None,
        }
    }
}

impl Options {
    /// What is run, and how; where failures are stored and when it ends is this process's business alone.
    ///
    /// # Errors
    /// If this process has no folder.
    pub fn task<'p>(&self, name: &str, project: &'p Project) -> Result<Task<&'p Project>, CallsError> {
        let permissions = self.permissions.as_ref().map(Permissions::resolved).transpose();
        Ok(Task {
            name: name.to_string(),
            project,
            calls: self.calls.clone(),
            lengths: self.lengths(),
            permissions: permissions.map_err(CallsError::Sandbox)?,
            files: self.files.as_ref().map(std::path::absolute).transpose().map_err(no_folder)?,
        })
    }

    fn lengths(&self) -> Lengths {
        Lengths { max: self.max_len, usual: self.usual_len }
    }
}

/// What a hunt has found.
#[derive(Debug)]
pub struct HuntResult {
    /// The engine's report.
    pub report: Report,
    /// The project.
    pub project: Project,
    /// Functions that cannot be called.
    pub not_called: Vec<UncalledFunction>,
    /// The lines of functions that were reached.
    pub reached: ReachedLines,
    /// What was checked that no contract says: the invariant, and functions that should do the same.
    pub named: Vec<String>,
}

/// The lines that were reached, by function.
pub type ReachedLines = BTreeMap<String, BTreeSet<u32>>;

/// Hunts in a project called `name`.
///
/// # Errors
/// If nothing can be called.
pub fn hunt(name: &str, project: Project, options: &Options) -> Result<HuntResult, CallsError> {
    let not_called = Calls::look(&project, &options.calls)?;
    if let Some(files) = &options.files {
        let refused = |why| CallsError::Sandbox(Unavailable::Folder(files.clone(), why));
        operations::check_files(files).map_err(refused)?;
    }
    let reached = Arc::new(Mutex::new(ReachedLines::new()));
    let mut report = search(name, &project, options, &reached)?;
    if needs_strictness(&report, options) {
        let mut strict = phase(name, &project, options, true, &reached)?;
        if !strict.result.outcome.is_success() {
            // All that was called before counts.
            strict.result.statistics = report.result.statistics;
            report = strict;
        }
    }
    if !words::put_all(&project, &mut report) {
        return Err(CallsError::Unreadable);
    }
    let reached = std::mem::take(&mut *locked(&reached));
    let same = options.calls.same.iter().map(|(one, other)| format!("{one}={other}"));
    let named = options.calls.invariant.iter().cloned().chain(same).collect();
    Ok(HuntResult { report, project, not_called, reached, named })
}

/// Searches for everything but undefined arithmetic. That is looked for afterwards, and mostly there is some
/// at once: so a short search comes before the long one.
fn search(
    name: &str,
    project: &Project,
    options: &Options,
    reached: &Arc<Mutex<ReachedLines>>,
) -> Result<Report, CallsError> {
    let n_parts = (project.sources.functions.len() as u64 / FUNCTIONS_OF_A_PART).clamp(1, FIRST_PART);
    let short = Budget { work: options.budget.work / FIRST_PART * n_parts, ..options.budget };
    let is_limited = options.budget.work < u64::MAX && options.replay.is_none() && options.searches;
    if !is_limited || matches!(options.calls.undefined, UndefinedPolicy::Memory | UndefinedPolicy::Off) {
        return phase(name, project, options, false, reached);
    }
    let first = phase(name, project, &Options { budget: short, ..options.clone() }, false, reached)?;
    let is_done = first.result.spent.exceeds(Budget { work: u64::MAX, ..options.budget })
        || first.result.stopped_by.is_none_or(|limit| limit == Limit::Settled)
        || first.is_interrupted;
    if is_done || has_failed(&first.result.outcome) || needs_strictness(&first, options) {
        return Ok(first);
    }
    let mut whole = phase(name, project, options, false, reached)?;
    whole.warnings.splice(0..0, first.warnings);
    Ok(whole)
}

/// Whether there is an outcome to go by. A failure that took doubtful arguments, and such come last, is not
/// reason enough to look no further.
fn has_failed(outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Falsified(found) => !found.failure.is_doubtful(),
        outcome => !outcome.is_success(),
    }
}

/// Whether undefined arithmetic is left to be refuted: contracts hold, and it happened under one. It is hunted
/// apart so that it is never taken for a broken contract, and does not hide one.
fn needs_strictness(report: &Report, options: &Options) -> bool {
    // A sequence that is replayed leaves no statistics.
    let noted = |is_meant: fn(&Note) -> bool| {
        options.replay.is_some() || Note::all(&report.result.statistics).any(|(note, _)| is_meant(&note))
    };
    let is_noted = match options.calls.undefined {
        UndefinedPolicy::All => noted(Note::is_undefined),
        UndefinedPolicy::Contracts => noted(Note::is_undefined_under_contract),
        UndefinedPolicy::Memory | UndefinedPolicy::Off => false,
    };
    report.result.outcome.is_success() && is_noted && !report.is_interrupted
}

/// What failures are stored under.
fn phase_name(name: &str, is_strict: bool) -> String {
    if is_strict { format!("{name}{STRICT}") } else { name.to_string() }
}

/// Undefined behaviour of a file is stored apart from what else fails in it, under a name that ends like this.
const STRICT: &str = " (undefined behaviour)";

/// The file or files whose failures are stored under a name.
#[must_use]
pub fn subject_of_stored(name: &str) -> &str {
    name.strip_suffix(STRICT).unwrap_or(name)
}

/// One hunt with everything that can fail in it.
fn phase(
    name: &str,
    project: &Project,
    options: &Options,
    is_strict: bool,
    reached: &Arc<Mutex<ReachedLines>>,
) -> Result<Report, CallsError> {
    let mut task = options.task(&phase_name(name, is_strict), project)?;
    task.calls.is_strict = is_strict;
    // Deleted when the workers are gone.
    let folders = Folders::new()?;
    let worker = folders.worker(task)?;
    let settings = settings(options).max_failures(max_failures(project));
    let checker = Checker::new(phase_name(name, is_strict)).settings(settings).worker(worker);
    let checker = checker.listener(listener(reached.clone(), options.progress, options.budget));
    let checker = match options.is_interrupted {
        Some(is_interrupted) => checker.interrupted_by(is_interrupted),
        None => checker,
    };
    let lengths = options.lengths();
    checker.try_report(|case| sequence(lengths, case)).map_err(CallsError::Refused)
}

/// Workers for a fuzzer: undefined arithmetic is noted by them, and judged when its inputs are run again.
#[derive(Debug)]
pub struct Target {
    /// What runs an input.
    pub target: fuzz::Target,
    /// What failures are stored under: of either phase.
    pub names: [String; 2],
    _folders: Folders,
}

/// Makes workers for a fuzzer, which tell what branches an input has taken.
///
/// # Errors
/// If there is no sandbox.
pub fn target(mut task: Task<&Project>, seed: Option<u64>) -> Result<Target, CallsError> {
    let folders = Folders::new()?;
    let names = [false, true].map(|is_strict| phase_name(&task.name, is_strict));
    task.calls.machine.counts_edges = true;
    let worker = folders.worker(task)?;
    let settings = Settings::new().isolate().without_regressions();
    let settings = seed.into_iter().fold(settings, Settings::seed);
    let checker = Checker::new(names[0].clone()).settings(settings).worker(worker);
    Ok(Target { target: checker.target(), names, _folders: folders })
}

/// What workers need while they live.
#[derive(Debug)]
struct Folders {
    /// Where each of them has a folder of its own. It looks empty to them.
    private: Scratch,
    /// Where their assignment is.
    shared: Scratch,
}

impl Folders {
    fn new() -> Result<Folders, CallsError> {
        let [private, shared] = [Scratch::new(), Scratch::new()];
        Ok(Folders { private: private.map_err(no_folder)?, shared: shared.map_err(no_folder)? })
    }

    /// How a worker of a task is started.
    fn worker(&self, task: Task<&Project>) -> Result<Worker, CallsError> {
        let tier = match &task.permissions {
            Some(_) => Some(stairway_sandbox::tier().map_err(CallsError::Sandbox)?),
            None => None,
        };
        keep_addresses();
        let launcher = match (tier, &task.permissions) {
            (Some(tier), Some(permissions)) => {
                Some(Launcher::new(tier, permissions, self.private.path()).map_err(CallsError::Sandbox)?)
            }
            _ => None,
        };
        let path = self.shared.path().join("assignment");
        let assignment = Assignment { task, folder: self.private.path().to_path_buf(), tier };
        storage::write(&path, &assignment).map_err(CallsError::Stored)?;
        let arguments = Role::Worker(path).arguments().into();
        Ok(Worker { arguments, environment: Vec::new(), launcher })
    }
}

/// How many different failures to search for. Without a contract nothing says which arguments a function is
/// made for, so the first failure may be a call that nobody makes: the search goes on, to show what else
/// there is. Each function may fail in a way of its own, so there are more of them where there are more
/// functions.
fn max_failures(project: &Project) -> usize {
    const LEAST: usize = 12;
    let has_contracts = project.specs.contracts.iter().any(|contract| !contract.is_empty());
    if has_contracts { 1 } else { project.sources.functions.len().max(LEAST) }
}

/// Lets the workers have the same addresses in every run, where the system allows it: what is printed repeats
/// then.
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

fn locked(reached: &Mutex<ReachedLines>) -> MutexGuard<'_, ReachedLines> {
    reached.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far a hunt has come.
#[derive(Clone, Copy, Debug)]
pub struct HuntProgress {
    /// The cases so far.
    pub run: Progress,
    /// What ends it.
    pub budget: Budget,
    /// How many lines of code were reached.
    pub n_lines: usize,
}

/// Keeps the lines that cases say they have reached, and tells how far the hunt has come.
fn listener(
    reached: Arc<Mutex<ReachedLines>>,
    told: Option<fn(HuntProgress)>,
    budget: Budget,
) -> impl Fn(Progress, Option<&Observations>) + Send + Sync + 'static {
    let n_lines = AtomicUsize::new(locked(&reached).values().map(BTreeSet::len).sum());
    move |run, observed| {
        let facts = observed.map_or(&[][..], |observed| &observed.facts);
        for fact in facts.iter().filter_map(|(fact, _)| HuntFact::read(fact)) {
            let HuntFact::Lines { function, lines } = fact else { continue };
            let mut reached = locked(&reached);
            let known = reached.entry(function).or_default();
            let n_before = known.len();
            known.extend(lines);
            n_lines.fetch_add(known.len() - n_before, Ordering::Relaxed);
        }
        if let Some(told) = told {
            told(HuntProgress { run, budget, n_lines: n_lines.load(Ordering::Relaxed) });
        }
    }
}

fn settings(options: &Options) -> Settings {
    // A sequence may have no calls at all, so their number is limited too.
    let n_sequences = options.budget.steps.max(1);
    let mut settings = Settings::new().cases(n_sequences).jobs(options.jobs).isolate();
    settings = settings.stored_options(options.stored_options.clone());
    settings = settings.stored_command(options.stored_command.clone());
    settings = settings.budget(options.budget).shrink_budget(options.shrink_budget).max_shrinks(MANY_RUNS);
    settings = settings.shuffles(SHUFFLES);
    if options.settles
        && options.calls.has_feedback
        && options.budget.steps == u64::MAX
        && options.time.is_none()
    {
        settings = settings.until_settled(LEAST_SETTLED).settle_work(LEAST_QUIET_WORK);
    }
    if let Some(seed) = options.seed {
        settings = settings.seed(seed);
    }
    if let Some(time) = options.time {
        settings = settings.time(time);
    }
    if !options.shrinks {
        settings = settings.max_shrinks(0);
    }
    if let Some(corpus) = &options.corpus {
        settings = settings.corpus(corpus);
    }
    if !options.searches {
        settings = settings.without_search();
    }
    if let Some(choices) = &options.replay {
        settings = settings.replay(choices.clone());
    }
    match &options.regressions {
        Some(folder) => settings.regressions(folder.clone()),
        None => settings.without_regressions(),
    }
}
