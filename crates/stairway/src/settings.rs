//! How a property is checked: what the code asks for, what the environment overrides.
//!
//! The options written in the test and the variables named `STAIRWAY_…` become [`ResolvedSettings`] settings. A
//! variable wins over the code, because it is the later word. A wrong value is an error that names the
//! variable and says what it takes; it is never ignored.

use crate::regressions::StoredRun;
use stairway_engine::{Budget, Exhaustive};
use stairway_sandbox::Permissions;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

/// Options of a property. Everything left out has a default or comes from the environment.
///
/// ```
/// use stairway::Settings;
/// use std::time::Duration;
/// let settings = Settings::new().cases(1000).seed(42).time(Duration::from_millis(500));
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Settings {
    cases: Option<u64>,
    seed: Option<u64>,
    time: Option<Duration>,
    jobs: Option<usize>,
    isolate: bool,
    confined: bool,
    network: bool,
    exec: bool,
    writable: Vec<PathBuf>,
    timeout: Option<Duration>,
    exhaustive: Option<Exhaustive>,
    by_hand: Option<String>,
    max_discards: Option<u32>,
    demand_all_operations: bool,
    demand_all_alternatives: bool,
    max_shrinks: Option<u64>,
    max_failures: Option<usize>,
    shuffles: u64,
    has_no_feedback: bool,
    settles: Option<u64>,
    settle_work: u64,
    budget: Budget,
    shrink_budget: Budget,
    regressions: Option<Regressions>,
    corpus: Option<PathBuf>,
    searches_nothing: bool,
    stored_run: StoredRun,
}

/// Where failures are stored between runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Regressions {
    Nowhere,
    In(PathBuf),
}

impl Settings {
    /// Options that leave everything open.
    pub const fn new() -> Self {
        Settings {
            cases: None,
            seed: None,
            time: None,
            jobs: None,
            isolate: false,
            confined: false,
            network: false,
            exec: false,
            writable: Vec::new(),
            timeout: None,
            exhaustive: None,
            by_hand: None,
            max_discards: None,
            demand_all_operations: false,
            demand_all_alternatives: false,
            max_shrinks: None,
            max_failures: None,
            shuffles: 0,
            has_no_feedback: false,
            settles: None,
            settle_work: 0,
            budget: Budget::UNLIMITED,
            shrink_budget: Budget::UNLIMITED,
            regressions: None,
            corpus: None,
            searches_nothing: false,
            stored_run: StoredRun { options: String::new(), command: String::new() },
        }
    }

    /// How many cases have to pass (256 by default).
    pub const fn cases(mut self, n: u64) -> Self {
        self.cases = Some(n);
        self
    }

    /// Where all randomness starts. By default it follows from the property's name, so that a
    /// run can be repeated; `STAIRWAY_SEED=random` draws another one each time.
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Stop after this long, however many cases have passed.
    pub const fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Run cases on this many threads. The result is the same as on one.
    pub const fn jobs(mut self, n: usize) -> Self {
        self.jobs = Some(n);
        self
    }

    /// Run cases in a process of their own, so that crashes are counterexamples too.
    pub const fn isolate(mut self) -> Self {
        self.isolate = true;
        self
    }

    /// Run cases in a sandbox of the operating system, so that they change nothing outside: `/tmp` is
    /// private, other files can only be read, there are no sockets, no other processes, and no signals to
    /// them. What was refused is in the report. Implies [`Settings::isolate`].
    ///
    /// ```
    /// use stairway::Settings;
    /// let settings = Settings::new().confined().writable("target/tmp");
    /// ```
    pub const fn confined(mut self) -> Self {
        self.confined = true;
        self.isolate = true;
        self
    }

    /// What is [`confined`](Settings::confined) may change files in this folder.
    pub fn writable(mut self, folder: impl Into<PathBuf>) -> Self {
        self.writable.push(folder.into());
        self
    }

    /// What is [`confined`](Settings::confined) may use sockets within this machine.
    pub const fn network(mut self) -> Self {
        self.network = true;
        self
    }

    /// What is [`confined`](Settings::confined) may start processes and programs, which are confined as well.
    pub const fn allow_exec(mut self) -> Self {
        self.exec = true;
        self
    }

    /// A case that takes longer than this fails; implies [`Settings::isolate`].
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self.isolate = true;
        self
    }

    /// Count through all inputs up to this bound instead of drawing at random.
    pub const fn exhaustive(mut self, bound: u64) -> Self {
        self.exhaustive = Some(Exhaustive { bound, depth: None });
        self
    }

    /// Count through all programs of up to `depth` steps instead of drawing at random; numbers
    /// and the like take their `n_values` simplest values.
    pub const fn all_programs(mut self, depth: u64, n_values: u64) -> Self {
        self.exhaustive = Some(Exhaustive { bound: n_values.saturating_sub(1), depth: Some(depth) });
        self
    }

    /// Run this one case, shrink it if it fails, and nothing else. It is given as the choices
    /// that a failing run prints behind `STAIRWAY_REPLAY` and keeps in its file: numbers, `#2` for
    /// a length, names for alternatives and operations, `$1` for the result of a step. Whoever
    /// knows the generators can write them by hand.
    pub fn replay(mut self, choices: impl Into<String>) -> Self {
        self.by_hand = Some(choices.into());
        self
    }

    /// How many cases may be discarded for each one that has to pass (10 by default).
    pub const fn max_discards(mut self, ratio: u32) -> Self {
        self.max_discards = Some(ratio);
        self
    }

    /// Fails a run of programs in which an operation was never done.
    pub const fn demand_all_operations(mut self) -> Self {
        self.demand_all_operations = true;
        self
    }

    /// Fails a run in which something that a specification allows never happened.
    pub const fn demand_all_alternatives(mut self) -> Self {
        self.demand_all_alternatives = true;
        self
    }

    /// How many runs shrinking may take (10,000 by default).
    pub const fn max_shrinks(mut self, runs: u64) -> Self {
        self.max_shrinks = Some(runs);
        self
    }

    /// How often, at the end of shrinking, a program is tried with a step less and other numbers (never by
    /// default): worth it where a case takes microseconds.
    pub const fn shuffles(mut self, runs: u64) -> Self {
        self.shuffles = runs;
        self
    }

    /// Search for up to this many different failures instead of ending with the first. The report shows the
    /// first one found, and the others after it.
    pub const fn max_failures(mut self, n: usize) -> Self {
        self.max_failures = Some(n);
        self
    }

    /// Draws every case at random, whatever [features](stairway_engine::Case::feature) earlier ones have shown.
    pub const fn without_feedback(mut self) -> Self {
        self.has_no_feedback = true;
        self
    }

    /// Ends the search when no case has shown a new [feature](stairway_engine::Case::feature) for as many
    /// cases as it took to see the last one, and for at least `least` cases.
    pub const fn until_settled(mut self, least: u64) -> Self {
        self.settles = Some(least);
        self
    }

    /// Lets a search that ends when [nothing new is seen](Self::until_settled) take at least so much work after
    /// the last new feature, in what cases report as theirs.
    pub const fn settle_work(mut self, least: u64) -> Self {
        self.settle_work = least;
        self
    }

    /// How much the search may take, in steps of programs and in what cases report as their work. Like a
    /// number of cases, it is larger in the thorough profiles.
    pub const fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// How much shrinking may take.
    pub const fn shrink_budget(mut self, budget: Budget) -> Self {
        self.shrink_budget = budget;
        self
    }

    /// Store failures in this folder instead of `stairway-regressions`.
    pub fn regressions(mut self, folder: impl Into<PathBuf>) -> Self {
        self.regressions = Some(Regressions::In(folder.into()));
        self
    }

    /// Do not store failures.
    pub fn without_regressions(mut self) -> Self {
        self.regressions = Some(Regressions::Nowhere);
        self
    }

    /// Runs the inputs of a fuzzer before the search: a file, a folder of files, or what `afl-fuzz` leaves.
    /// The variable `STAIRWAY_CORPUS` does the same; see [`fuzz`](crate::fuzz).
    pub fn corpus(mut self, path: impl Into<PathBuf>) -> Self {
        self.corpus = Some(path.into());
        self
    }

    /// Runs what is stored, and the [`corpus`](Settings::corpus), and nothing else.
    pub const fn without_search(mut self) -> Self {
        self.searches_nothing = true;
        self
    }

    /// Options of whoever runs the property that decide what is drawn. They are stored with a failure, so
    /// that a later run without them knows why it does not fit.
    pub fn stored_options(mut self, options: impl Into<String>) -> Self {
        self.stored_run.options = options.into();
        self
    }

    /// The command that runs the property, with `CHOICES` where those of a failure belong. It is stored with a
    /// failure, so that the failure can be replayed by somebody who has only the file.
    pub fn stored_command(mut self, command: impl Into<String>) -> Self {
        self.stored_run.command = command.into();
        self
    }

    /// Settles every option for the property called `name`.
    pub(crate) fn resolve(
        &self,
        name: &str,
        variables: &Variables,
    ) -> Result<ResolvedSettings, SettingsError> {
        variables.refuse_unknown()?;
        if self.cases == Some(0) {
            return Err(SettingsError { variable: "cases", value: "0".to_string(), takes: A_NUMBER });
        }
        let profile = variables.profile()?;
        let engine = stairway_engine::Settings::default();
        let seed = match variables.seed()? {
            Some(seed) => seed,
            None => self.seed.unwrap_or_else(|| seed_of(name)),
        };
        let cases = match variables.number("STAIRWAY_CASES")? {
            Some(cases) => cases,
            None => self.cases.unwrap_or(engine.n_cases).saturating_mul(profile.factor()),
        };
        let jobs = match variables.number("STAIRWAY_JOBS")? {
            Some(jobs) => usize::try_from(jobs).unwrap_or(usize::MAX),
            None => self.jobs.unwrap_or(1),
        };
        let time = match variables.duration("STAIRWAY_TIME")? {
            Some(time) => Some(time),
            None => self.time,
        };
        // With only a time given, the time decides; one in the environment wins over the code.
        let time_decides = match variables.is_unset("STAIRWAY_TIME") {
            true => time.is_some() && self.cases.is_none(),
            false => true,
        };
        Ok(ResolvedSettings {
            engine: stairway_engine::Settings {
                seed,
                n_cases: if time_decides && variables.is_unset("STAIRWAY_CASES") { u64::MAX } else { cases },
                max_discards: self.max_discards.unwrap_or(engine.max_discards),
                demand_all_operations: self.demand_all_operations,
                demand_all_alternatives: self.demand_all_alternatives,
                max_shrink_runs: self.max_shrinks.unwrap_or(engine.max_shrink_runs),
                n_shuffles: self.shuffles,
                max_failures: self.max_failures.unwrap_or(engine.max_failures),
                learns: !self.has_no_feedback,
                settles: self.settles,
                settle_work: self.settle_work,
                budget: self.budget.times(profile.factor()),
                shrink_budget: self.shrink_budget,
                exhaustive: self.exhaustive,
                ..engine
            },
            time,
            jobs: jobs.clamp(1, 256),
            isolate: self.isolate,
            confined: self.confined.then(|| self.permissions()),
            timeout: self.timeout,
            hang: variables.duration("STAIRWAY_HANG")?.unwrap_or(Duration::from_secs(120)),
            regressions: self.regressions.clone().unwrap_or_else(|| Regressions::In(default_folder())),
            replay: variables.text("STAIRWAY_REPLAY")?,
            by_hand: self.by_hand.clone(),
            corpus: variables.path("STAIRWAY_CORPUS").or_else(|| self.corpus.clone()),
            searches_nothing: self.searches_nothing,
            stored_run: self.stored_run.clone(),
            report: variables.path("STAIRWAY_REPORT"),
        })
    }
}

impl Settings {
    fn permissions(&self) -> Permissions {
        Permissions { network: self.network, exec: self.exec, writable: self.writable.clone() }
    }
}

/// Settled options.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSettings {
    pub(crate) engine: stairway_engine::Settings,
    pub(crate) time: Option<Duration>,
    pub(crate) jobs: usize,
    pub(crate) isolate: bool,
    /// What the cases may do, if they are confined.
    pub(crate) confined: Option<Permissions>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) hang: Duration,
    pub(crate) regressions: Regressions,
    /// Where inputs of a fuzzer are.
    pub(crate) corpus: Option<PathBuf>,
    pub(crate) searches_nothing: bool,
    pub(crate) stored_run: StoredRun,
    pub(crate) replay: Option<String>,
    /// The choices of the only case to run.
    pub(crate) by_hand: Option<String>,
    pub(crate) report: Option<PathBuf>,
}

/// A wrong value in the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettingsError {
    /// The variable; empty if there is none of that name.
    pub variable: &'static str,
    /// What it was set to.
    pub value: String,
    /// What it takes.
    pub takes: &'static str,
}

impl std::fmt::Display for SettingsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { variable, value, takes } = self;
        if variable.is_empty() {
            return write!(f, "`{value}` is no variable of Stairway; there are {}", NAMES.join(", "));
        }
        write!(f, "{variable} is set to `{value}`, but it takes {takes}")
    }
}

impl std::error::Error for SettingsError {}

/// How thorough a run is, chosen by `STAIRWAY_PROFILE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Profile {
    Default,
    Ci,
    Thorough,
}

impl Profile {
    const fn factor(self) -> u64 {
        match self {
            Profile::Default => 1,
            Profile::Ci => 4,
            Profile::Thorough => 100,
        }
    }
}

/// The environment, as a value so that tests can make one up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Variables {
    set: Vec<(&'static str, OsString)>,
    /// A variable that looks like ours and is not.
    unknown: Option<String>,
}

const A_NUMBER: &str = "a whole number above 0";

const NAMES: [&str; 10] = [
    "STAIRWAY_SEED",
    "STAIRWAY_CASES",
    "STAIRWAY_TIME",
    "STAIRWAY_JOBS",
    "STAIRWAY_HANG",
    "STAIRWAY_PROFILE",
    "STAIRWAY_REPLAY",
    "STAIRWAY_CORPUS",
    "STAIRWAY_REPORT",
    "STAIRWAY_SANDBOX",
];

impl Variables {
    /// The process's environment.
    pub(crate) fn of_process() -> Self {
        let set = NAMES.into_iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let is_unknown = |name: &String| {
            name.starts_with("STAIRWAY_")
                && !name.starts_with("STAIRWAY_WORKER")
                // Those are for the compiler, which runs `temporal!`.
                && name != "STAIRWAY_CHECK_SEED"
                && name != "STAIRWAY_SHOW_WITHIN"
                && !NAMES.contains(&name.as_str())
        };
        // Looking through everything costs more than many a run, and a misspelt variable does not come and go.
        static UNKNOWN: OnceLock<Option<String>> = OnceLock::new();
        let find = || std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).find(is_unknown);
        Variables { set: set.collect(), unknown: UNKNOWN.get_or_init(find).clone() }
    }

    /// A misspelt variable would be ignored without a word.
    fn refuse_unknown(&self) -> Result<(), SettingsError> {
        match &self.unknown {
            None => Ok(()),
            Some(name) => Err(SettingsError { variable: "", value: name.clone(), takes: "" }),
        }
    }

    #[cfg(test)]
    fn of(set: &[(&'static str, &str)]) -> Self {
        Variables {
            set: set.iter().map(|(name, value)| (*name, OsString::from(value))).collect(),
            unknown: None,
        }
    }

    fn get(&self, name: &'static str) -> Option<&OsStr> {
        self.set.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_os_str())
    }

    fn is_unset(&self, name: &'static str) -> bool {
        self.get(name).is_none()
    }

    fn path(&self, name: &'static str) -> Option<PathBuf> {
        self.get(name).map(PathBuf::from)
    }

    /// Parses a variable; invalid UTF-8 is a wrong value like any other.
    fn parse<T>(
        &self,
        variable: &'static str,
        takes: &'static str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Option<T>, SettingsError> {
        let Some(value) = self.get(variable) else { return Ok(None) };
        let parsed = value.to_str().and_then(|text| parse(text.trim()));
        let wrong = || SettingsError { variable, value: value.to_string_lossy().into_owned(), takes };
        parsed.map(Some).ok_or_else(wrong)
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, SettingsError> {
        self.parse(name, "the choices printed by a failing run", |text| Some(text.to_string()))
    }

    fn number(&self, name: &'static str) -> Result<Option<u64>, SettingsError> {
        self.parse(name, A_NUMBER, |text| text.replace('_', "").parse().ok().filter(|n| *n > 0))
    }

    fn seed(&self) -> Result<Option<u64>, SettingsError> {
        let takes = "a number, decimal or as 0x5eed, or the word random";
        self.parse("STAIRWAY_SEED", takes, |text| match text.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16).ok(),
            None if text == "random" => Some(entropy()),
            None => text.parse().ok(),
        })
    }

    fn profile(&self) -> Result<Profile, SettingsError> {
        let takes = "one of default, ci (4 times the cases) and thorough (100 times the cases)";
        let profile = self.parse("STAIRWAY_PROFILE", takes, |text| match text {
            "default" => Some(Profile::Default),
            "ci" => Some(Profile::Ci),
            "thorough" => Some(Profile::Thorough),
            _ => None,
        })?;
        Ok(profile.unwrap_or(Profile::Default))
    }

    fn duration(&self, name: &'static str) -> Result<Option<Duration>, SettingsError> {
        self.parse(name, "a time above 0, for example 500ms, 10s or 2m", duration)
    }
}

/// `10s`, `500ms`, `2m`.
fn duration(text: &str) -> Option<Duration> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = text.split_at(digits);
    let n: u64 = number.parse().ok().filter(|n| *n > 0)?;
    match unit {
        "ms" => Some(Duration::from_millis(n)),
        "s" => Some(Duration::from_secs(n)),
        "m" => Some(Duration::from_secs(n.checked_mul(60)?)),
        _ => None,
    }
}

/// The seed of a property that was not given one: its name, hashed (FNV-1a).
fn seed_of(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// A seed nobody can foresee, on request only.
#[allow(clippy::disallowed_types, reason = "the user asked for a random seed; the report prints it")]
fn entropy() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::hash::RandomState::new().build_hasher().finish()
}

/// `stairway-regressions` beside the manifest of the package under test.
fn default_folder() -> PathBuf {
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    root.join("stairway-regressions")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolve(settings: &Settings, set: &[(&'static str, &str)]) -> Result<ResolvedSettings, SettingsError> {
        settings.resolve("krate::prop", &Variables::of(set))
    }

    #[test]
    fn the_environment_has_the_last_word() {
        let code = Settings::new().cases(10).seed(1).jobs(2);
        let resolved = resolve(&code, &[]).unwrap();
        assert_eq!((resolved.engine.n_cases, resolved.engine.seed, resolved.jobs), (10, 1, 2));
        let set = [("STAIRWAY_CASES", "1_000"), ("STAIRWAY_SEED", "0xff"), ("STAIRWAY_JOBS", "4")];
        let resolved = resolve(&code, &set).unwrap();
        assert_eq!((resolved.engine.n_cases, resolved.engine.seed, resolved.jobs), (1000, 255, 4));
    }

    #[test]
    fn profiles_multiply_the_cases() {
        let cases = |set: &[(&'static str, &str)]| resolve(&Settings::new(), set).unwrap().engine.n_cases;
        assert_eq!(cases(&[]), 256);
        assert_eq!(cases(&[("STAIRWAY_PROFILE", "ci")]), 1024);
        assert_eq!(cases(&[("STAIRWAY_PROFILE", "thorough")]), 25_600);
    }

    #[test]
    fn a_time_alone_decides_the_number_of_cases() {
        let resolved = resolve(&Settings::new(), &[("STAIRWAY_TIME", "1500ms")]).unwrap();
        assert_eq!((resolved.time, resolved.engine.n_cases), (Some(Duration::from_millis(1500)), u64::MAX));
        let both = Settings::new().cases(9).time(Duration::from_millis(5));
        assert_eq!(resolve(&both, &[]).unwrap().engine.n_cases, 9);
        assert_eq!(resolve(&both, &[("STAIRWAY_TIME", "2m")]).unwrap().engine.n_cases, u64::MAX);
    }

    #[test]
    fn wrong_values_name_the_variable_and_what_it_takes() {
        let message = |name, value| resolve(&Settings::new(), &[(name, value)]).unwrap_err().to_string();
        assert_eq!(
            message("STAIRWAY_CASES", "many"),
            "STAIRWAY_CASES is set to `many`, but it takes a whole number above 0"
        );
        assert_eq!(
            message("STAIRWAY_SEED", "0xgg"),
            "STAIRWAY_SEED is set to `0xgg`, but it takes a number, decimal or as 0x5eed, or the word random"
        );
        assert_eq!(
            message("STAIRWAY_TIME", "soon"),
            "STAIRWAY_TIME is set to `soon`, but it takes a time above 0, for example 500ms, 10s or 2m"
        );
        assert!(message("STAIRWAY_JOBS", "0").contains("takes a whole number above 0"));
        assert!(message("STAIRWAY_PROFILE", "Ci").contains("one of default, ci"));
    }

    #[cfg(unix)]
    #[test]
    fn invalid_utf8_is_a_wrong_value() {
        use std::os::unix::ffi::OsStringExt;
        let set = vec![("STAIRWAY_SEED", OsString::from_vec(vec![0xff, b'7']))];
        let variables = Variables { set, unknown: None };
        let error = Settings::new().resolve("p", &variables).unwrap_err();
        assert_eq!(error.value, "\u{fffd}7");
    }

    #[test]
    fn a_misspelt_variable_is_refused() {
        let variables = Variables { set: Vec::new(), unknown: Some("STAIRWAY_CASE".to_string()) };
        let error = Settings::new().resolve("p", &variables).unwrap_err().to_string();
        assert!(
            error.starts_with("`STAIRWAY_CASE` is no variable of Stairway; there are STAIRWAY_SEED, "),
            "{error}"
        );
    }

    #[test]
    fn the_seed_follows_from_the_name() {
        assert_eq!(seed_of("a::b"), seed_of("a::b"));
        assert_ne!(seed_of("a::b"), seed_of("a::c"));
    }
}
