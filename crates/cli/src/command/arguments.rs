//! What the command line says.

use super::embedded::EmbeddedArguments;
use super::fuzz::{self, FuzzArguments};
use super::progress::Goal;
use super::{init, page, regressions, shell};
use clap::{Args, Parser, Subcommand, ValueEnum};
use stairway_c::hunt::{self, Budget, Options};
use stairway_c::machine::DEFAULT_FUEL;
use stairway_c::operations::{self, Selection, Settings, UndefinedPolicy};
use stairway_c::report::CHOICES;
use stairway_c::source;
use stairway_sandbox::Permissions;
use std::path::PathBuf;
use std::time::Duration;

/// Finds the shortest sequence of calls that breaks C code, and looks after stored failures and reports
#[derive(Debug, Parser)]
#[command(name = "stairway", version, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  stairway init first.c                     a first contract, with comments
  stairway test queue.c                     search for about ten seconds
  stairway test queue.c util.c -Iinclude --time 5m --jobs 4
  stairway test queue.c --emit-test bug.c   write the failing sequence as a C program
  STAIRWAY_REPORT=out/ cargo test; stairway report out

Exit codes: 0 passed, 1 falsified, 2 gave up, 64 usage, 65 bad input, 70 internal error, 128+n interrupted";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call the functions of C files in random sequences and judge every call by its contract
    #[command(args_override_self = true, after_help = TEST_HELP, help_template = ON_ONE_SCREEN)]
    Test(Box<TestArguments>),
    /// Search with AFL++ or libFuzzer, for hours and on several machines
    #[command(args_override_self = true, mut_args = fuzz::in_help, after_help = fuzz::help())]
    Fuzz(Box<FuzzArguments>),
    /// Check contracts for errors without running anything
    #[command(args_override_self = true)]
    Check(CommonArguments),
    /// Write a first contract, model or test that runs
    Init(init::InitArguments),
    /// Show what is installed, what is missing, and how to install it
    Doctor,
    /// List stored failures and keep them in order
    Regressions(regressions::RegressionsArguments),
    /// Make an HTML page from the JSON lines of a run
    Report(page::ReportArguments),
    /// Generate Rust tests from a description of refinements
    Refine(RefineArguments),
    /// Run programs with properties on boards and show their reports
    Embedded(EmbeddedArguments),
    /// Print completions for a shell
    Completions(shell::CompletionsArguments),
    /// Print the manual page
    Man,
}

/// Help without an empty line below what the command does: the options take up a screen as it is.
const ON_ONE_SCREEN: &str = "{about-with-newline}{usage-heading} {usage}\n\n{all-args}{after-help}";

const TEST_HELP: &str = "\
Example: stairway test queue.c util.c -Iinclude --time 5m --jobs 4 --emit-test bug.c -- -std=c11
Settings may stand in stairway.toml: `[test]`, then the options by their names (`stairway init file.c` writes one).";

/// What to write, and where.
#[derive(Debug, Args)]
pub(crate) struct RefineArguments {
    /// The description: a `.json` or a `.toml` file.
    pub(crate) file: PathBuf,
    /// Where the module goes, `-` to print it [default: next to the description]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write nothing, and fail if the module is not what the description says.
    #[arg(long)]
    pub(crate) check: bool,
}

impl RefineArguments {
    /// Where the module goes; nowhere if it is printed.
    pub(crate) fn output(&self) -> Option<PathBuf> {
        match &self.output {
            Some(output) if output.as_os_str() == "-" => None,
            Some(output) => Some(output.clone()),
            None => Some(self.file.with_extension("rs")),
        }
    }
}

/// What both commands need to know.
#[derive(Debug, Args)]
pub(crate) struct CommonArguments {
    /// C files that belong together
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// C compiler
    #[arg(long, default_value = "gcc")]
    cc: PathBuf,
    /// Search this folder for headers
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Further flags for the compiler
    #[arg(last = true)]
    flags: Vec<String>,
}

impl CommonArguments {
    pub(crate) fn source(&self) -> source::Options {
        source::Options {
            compiler: self.cc.clone(),
            include_dirs: self.include.clone(),
            defines: self.define.clone(),
            flags: self.flags.clone(),
            files: self.files.clone(),
        }
    }

    /// The files as they were named.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        self.files.clone()
    }

    /// The words of a command line that checks what these arguments name.
    pub(crate) fn check(&self) -> Vec<String> {
        let text = |path: &PathBuf| path.display().to_string();
        let mut words = vec!["check".to_string(), "--cc".to_string(), text(&self.cc)];
        words.extend(self.include.iter().map(|folder| format!("-I{}", folder.display())));
        words.extend(self.define.iter().map(|define| format!("-D{define}")));
        words.extend(self.files.iter().map(text));
        words.push("--".to_string());
        words.extend(self.flags.iter().cloned());
        words
    }

    /// The compiler with the user's flags.
    pub(crate) fn compiler(&self) -> Vec<String> {
        let folders = self.include.iter().map(|folder| format!("-I{}", folder.display()));
        let macros = self.define.iter().map(|define| format!("-D{define}"));
        let words = std::iter::once(self.cc.display().to_string()).chain(folders).chain(macros);
        words.chain(self.flags.iter().cloned()).map(|word| quoted(&word)).collect()
    }
}

/// Where arguments come from.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum From {
    /// Earlier calls, and memory made without looking at predicates.
    Calls,
    /// States that preconditions describe, wherever one can be made.
    States,
    /// Both.
    Both,
}

/// What undefined arithmetic means.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Ub {
    /// It fails, wherever it happens.
    All,
    /// It fails a function with a contract, and is noted elsewhere.
    Contracts,
    /// It is noted.
    Memory,
    /// It is not mentioned.
    Off,
}

/// How the report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
    Github,
}

/// How to test.
#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// Seed of all randomness
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Stop searching after this long (30s, 5m), shrinking after as long again [default: about 10 s of work]
    #[arg(long, value_parser = time)]
    time: Option<Duration>,
    /// Stop searching after about this many calls
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    calls: Option<u64>,
    /// Longest sequence [default: most have up to 50 calls, one in eight up to 200]
    #[arg(long, value_name = "CALLS")]
    max_len: Option<u64>,
    /// Number of worker processes
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    jobs: u16,
    /// Search the I-th of N parts: other sequences, and a share of the work
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u32, u32)>,
    /// Call these functions only
    #[arg(long, alias = "fn", value_name = "FUNCTION", value_delimiter = ',')]
    only: Vec<String>,
    /// Do not call these functions
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    skip: Vec<String>,
    /// Functions that make what others need: called in any case, never blamed
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    make: Vec<String>,
    /// Begin every sequence with this function; what it sets up is used only after that
    #[arg(long, value_name = "FUNCTION")]
    init: Option<String>,
    /// Function without parameters that must not return 0 after any call
    #[arg(long, value_name = "FUNCTION")]
    invariant: Option<String>,
    /// Let allocations fail
    #[arg(long)]
    malloc_fail: bool,
    /// Call a function this many times as often as the others
    #[arg(long, value_name = "FUNCTION=NUMBER", value_parser = weight, value_delimiter = ',')]
    weight: Vec<(String, u32)>,
    /// Compare two functions: the second must do what the first does
    #[arg(long, value_name = "FUNCTION=FUNCTION", value_parser = pair, value_delimiter = ',')]
    same: Vec<(String, String)>,
    /// Stack of a call [default: 512, with contracts 8192]
    #[arg(long, value_name = "KILOBYTES", value_parser = clap::value_parser!(u64).range(64..=14 * 1024))]
    stack: Option<u64>,
    /// Also report memory that functions without a contract leak
    #[arg(long)]
    leaks: bool,
    /// Print which arguments were drawn
    #[arg(long)]
    distribution: bool,
    /// A call that runs more basic blocks counts as one that does not return
    #[arg(long, default_value_t = DEFAULT_FUEL, value_name = "BLOCKS", value_parser = clap::value_parser!(u64).range(1..))]
    fuel: u64,
    /// The same in processor time, for loops that use no fuel
    #[arg(long, default_value_t = 5000, value_name = "MILLISECONDS")]
    timeout: u64,
    /// Where arguments come from: earlier `calls`, `states` that preconditions describe, or `both`
    #[arg(long, value_enum, default_value = "both", hide_possible_values = true)]
    from: From,
    /// Undefined arithmetic: fail on `all`, fail under `contracts` only, note it (`memory`), or `off`
    #[arg(long, value_enum, default_value = "contracts", hide_possible_values = true)]
    ub: Ub,
    /// Pass NULL and stale pointers even where no contract allows them
    #[arg(long)]
    hostile: bool,
    /// Leave out calls with doubtful arguments, such as an object that another one holds
    #[arg(long, conflicts_with = "hostile")]
    cautious: bool,
    /// Also report failures in functions without a contract
    #[arg(long)]
    all: bool,
    /// No sandbox: let the code do anything that you may do
    #[arg(long, conflicts_with_all = ["network", "writable", "allow_exec"])]
    unconfined: bool,
    /// Let the code use sockets, within the sandbox
    #[arg(long)]
    network: bool,
    /// Let the code start processes and programs, which are contained as well
    #[arg(long)]
    allow_exec: bool,
    /// Let the code change files in this folder
    #[arg(long, value_name = "DIR")]
    writable: Vec<PathBuf>,
    /// Give every sequence copies of the files in this folder
    #[arg(id = "brought", long = "files", value_name = "DIR")]
    brought: Option<PathBuf>,
    /// First run these inputs of a fuzzer: a file, a folder, or what `stairway fuzz` leaves
    #[arg(long, value_name = "PATH")]
    corpus: Option<PathBuf>,
    /// Run only this sequence, written as reports print it
    #[arg(long, value_name = "CHOICES")]
    replay: Option<String>,
    /// Draw every sequence anew, instead of varying those that show something new
    #[arg(long)]
    no_feedback: bool,
    /// Keep searching when nothing new is seen
    #[arg(long)]
    no_settle: bool,
    /// Report the first failure as it was found
    #[arg(long)]
    no_shrink: bool,
    /// Write the failing sequence as a C program that needs no Stairway
    #[arg(long, value_name = "FILE")]
    pub(crate) emit_test: Option<PathBuf>,
    /// Fail if a function was never called
    #[arg(long)]
    pub(crate) demand_all: bool,
    /// Print the report as JSON: --format json
    #[arg(long, hide = true)]
    json: bool,
    /// Output: text, json (the same as --json), or github (text with annotations)
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true)]
    format: Format,
    /// Also write the report as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
    /// Print nothing when everything holds
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Options that say how to search or what to print; a sequence is the same without them. With `true` for those
/// that have a value.
const NOT_REPLAYED: &[(&str, bool)] = &[
    ("--seed", true),
    ("--time", true),
    ("--calls", true),
    ("--jobs", true),
    ("--weight", true),
    ("--replay", true),
    ("--corpus", true),
    ("--emit-test", true),
    ("--no-feedback", false),
    ("--no-settle", false),
    ("--no-shrink", false),
    ("--distribution", false),
    ("--demand-all", false),
    ("--shard", true),
    ("--junit", true),
    ("--format", true),
    ("--json", false),
    ("--quiet", false),
];

/// The command line without what a replay does not need, as a shell reads it.
pub(crate) fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["stairway".to_string()];
    let (mut is_flags, mut is_value) = (false, false);
    let mut flags = Vec::new();
    // What a campaign finds is a sequence like any other.
    let arguments = arguments.enumerate();
    let arguments =
        arguments.map(|(k, word)| if k == 0 && word == "fuzz" { "test".to_string() } else { word });
    for argument in arguments {
        if std::mem::take(&mut is_value) {
            continue;
        }
        is_flags |= argument == "--";
        let known = NOT_REPLAYED.iter().chain(fuzz::OPTIONS).find(|(name, has_value)| {
            argument == *name || (*has_value && argument.starts_with(&format!("{name}=")))
        });
        match known {
            // What comes behind `--` is the compiler's, and must stay behind our options.
            _ if is_flags => flags.push(quoted(&argument)),
            Some((name, has_value)) => is_value = *has_value && argument == *name,
            None => words.push(quoted(&argument)),
        }
    }
    words.extend(["--replay".to_string(), CHOICES.to_string()]);
    words.extend(flags);
    words.join(" ")
}

/// A word as a shell reads it.
pub(super) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The words of a command line that [`quoted`] has written.
pub(super) fn words_of(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut is_quoted = false;
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\'' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            ' ' if !is_quoted => words.extend(word.take()),
            '\\' if !is_quoted => word.get_or_insert_default().extend(rest.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// A time, in seconds unless a unit follows.
fn time(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let found = UNITS.iter().find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, *factor)));
    let (number, factor) = found.unwrap_or((text, 1.0));
    let seconds = number.trim().parse::<f64>().ok().map(|number| number * factor);
    seconds.filter(|seconds| (0.001..1e9).contains(seconds)).map(Duration::from_secs_f64).ok_or_else(|| {
        "a time is a number with a unit, such as 10s, 500ms or 2m, and more than nothing".to_string()
    })
}

/// A part of several, as `2/4`.
fn shard(text: &str) -> Result<(u32, u32), String> {
    let parts =
        text.split_once('/').and_then(|(i, n)| Some((i.parse::<u32>().ok()?, n.parse::<u32>().ok()?)));
    parts
        .filter(|(i, n)| (1..=*n).contains(i))
        .ok_or_else(|| "a part is its number and how many there are, such as 1/4 to 4/4".to_string())
}

/// A seed, in decimal or with `0x`.
fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| "a seed is a number below 2^64, such as 7 or 0x1f".to_string())
}

/// Two functions, as `one=other`.
fn pair(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once('=').filter(|(one, other)| !one.is_empty() && !other.is_empty());
    let (one, other) = parts.ok_or("name two functions, such as `sort=quick_sort`")?;
    Ok((one.to_string(), other.to_string()))
}

/// The largest weight.
const MAX_WEIGHT: u32 = 100;

/// A function and its weight, as `name=3`.
fn weight(text: &str) -> Result<(String, u32), String> {
    let parts = text.split_once('=').and_then(|(name, weight)| Some((name, weight.parse::<u32>().ok()?)));
    let (name, weight) = parts
        .filter(|(name, weight)| !name.is_empty() && (1..=MAX_WEIGHT).contains(weight))
        .ok_or_else(|| format!("a weight is a function and a number from 1 to {MAX_WEIGHT}, such as `push=3`; --skip leaves a function out"))?;
    Ok((name.to_string(), weight))
}

impl TestArguments {
    /// What is tested, for files of stored failures.
    pub(crate) fn name(&self) -> String {
        self.common.files.first().map_or_else(String::new, |file| file.display().to_string())
    }

    /// How the report is printed.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// The files as they were named.
    pub(crate) fn files(&self) -> Vec<String> {
        self.common.files.iter().map(|file| file.display().to_string()).collect()
    }

    /// How long to search.
    pub(crate) const fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The seed that was asked for.
    pub(crate) const fn own_seed(&self) -> Option<u64> {
        self.seed
    }

    /// Whether only one sequence is run.
    pub(crate) const fn is_replay(&self) -> bool {
        self.replay.is_some()
    }

    /// How many processes search.
    pub(crate) fn jobs(&self) -> usize {
        usize::from(self.jobs)
    }

    /// When the search is to end, as far as that is known before.
    pub(crate) fn goal(&self) -> Goal {
        Goal { calls: self.calls, time: self.time }
    }

    /// Where randomness starts: a part of several has a seed of its own, so that no two parts search the same.
    fn seed(&self) -> Option<u64> {
        let Some((i, n)) = self.shard.filter(|(i, _)| *i > 1) else { return self.seed };
        // FNV-1a, as names of properties become seeds.
        let name = format!("{}, part {i} of {n}, {}", self.name(), self.seed.unwrap_or_default());
        Some(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    /// The options that decide what is drawn, for files of stored failures.
    fn stored_options(&self) -> String {
        let flags = [
            (self.hostile, "--hostile"),
            (self.cautious, "--cautious"),
            (self.malloc_fail, "--malloc-fail"),
            (self.all, "--all"),
        ];
        let mut words: Vec<String> =
            flags.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| (*name).to_string()).collect();
        let lists = [("--only", &self.only), ("--skip", &self.skip), ("--make", &self.make)];
        words.extend(
            lists
                .iter()
                .filter(|(_, list)| !list.is_empty())
                .map(|(name, list)| format!("{name} {}", list.join(","))),
        );
        words.extend(self.init.as_ref().map(|init| format!("--init {init}")));
        words.extend(self.same.iter().map(|(one, other)| format!("--same {one}={other}")));
        words.join(" ")
    }

    /// How much the search and shrinking may take; with a time given, only what is named besides.
    fn budgets(&self) -> (Budget, Budget) {
        let usual = Options::default();
        match (self.calls, self.time) {
            (None, None) => (usual.budget, usual.shrink_budget),
            (None, Some(_)) => (Budget::UNLIMITED, Budget::UNLIMITED),
            (Some(calls), None) => (hunt::budget_of(calls), usual.shrink_budget),
            (Some(calls), Some(_)) => (Budget { steps: calls, ..Budget::UNLIMITED }, Budget::UNLIMITED),
        }
    }

    /// What the code may do, if it is contained.
    fn permissions(&self) -> Option<Permissions> {
        let (network, exec) = (self.network, self.allow_exec);
        (!self.unconfined).then(|| Permissions { network, exec, writable: self.writable.clone() })
    }

    /// How many calls most sequences have at most.
    fn usual_len(&self) -> u64 {
        self.max_len.unwrap_or(hunt::USUAL_LEN)
    }

    pub(crate) fn options(&self) -> Options {
        let mut settings = Settings {
            selection: Selection {
                only: self.only.clone(),
                skip: self.skip.clone(),
                inner: self.all,
                makers: self.make.clone(),
            },
            init: self.init.clone(),
            invariant: self.invariant.clone(),
            is_hostile: self.hostile,
            is_cautious: self.cautious,
            fails_allocations: self.malloc_fail,
            weights: self.weight.clone(),
            same: self.same.clone(),
            fails_leaks: self.leaks,
            from: match self.from {
                From::Calls => operations::From::Calls,
                From::States => operations::From::States,
                From::Both => operations::From::Both,
            },
            observes_arguments: self.distribution,
            blames_all: self.all,
            undefined: match self.ub {
                Ub::All => UndefinedPolicy::All,
                Ub::Contracts => UndefinedPolicy::Contracts,
                Ub::Memory => UndefinedPolicy::Memory,
                Ub::Off => UndefinedPolicy::Off,
            },
            has_feedback: !self.no_feedback,
            ..Settings::default()
        };
        settings.machine.fuel = self.fuel;
        settings.machine.timeout_ms = self.timeout;
        let (budget, shrink_budget) = self.budgets();
        let n_parts = self.shard.map_or(1, |(_, n)| u64::from(n));
        let part = |whole: u64| if whole == u64::MAX { whole } else { (whole / n_parts).max(1) };
        let budget = Budget { steps: part(budget.steps), work: part(budget.work) };
        settings.stack_limit = self.stack.map(|kilobytes| kilobytes << 10);
        Options {
            calls: settings,
            seed: self.seed(),
            budget,
            shrink_budget,
            time: self.time,
            max_len: self.max_len.unwrap_or(hunt::MAX_LEN),
            usual_len: self.usual_len(),
            jobs: usize::from(self.jobs),
            shrinks: !self.no_shrink,
            replay: self.replay.clone(),
            regressions: Some(PathBuf::from("stairway-regressions")),
            corpus: self.corpus.clone(),
            searches: true,
            settles: !self.no_settle,
            stored_options: self.stored_options(),
            stored_command: command(std::env::args().skip(1)),
            permissions: self.permissions(),
            files: self.brought.clone(),
            progress: None,
            is_interrupted: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        command(line.split(' ').map(String::from))
    }

    #[test]
    fn times_have_units_and_are_not_nothing() {
        assert_eq!(
            ["5", "5s", "500ms", "2m"].map(|text| time(text).map(|time| time.as_millis())),
            [5000, 5000, 500, 120_000].map(Ok)
        );
        assert!(["0", "0s", "-1", "s", "5 parsecs", ""].iter().all(|text| time(text).is_err()));
        assert_eq!(shard("2/4"), Ok((2, 4)));
        assert!(["0/4", "5/4", "2", "a/b", "1/0"].iter().all(|text| shard(text).is_err()));
    }

    #[test]
    fn a_replay_keeps_what_decides_a_sequence() {
        assert_eq!(
            of("test q.c --seed 7 --only=push --json -Iinc --jobs=2 --hostile -- -O2 --seed"),
            "stairway test q.c --only=push -Iinc --hostile --replay CHOICES -- -O2 --seed"
        );
        assert_eq!(
            of("fuzz q.c --engine=afl --executions 9 --keep-going --hostile"),
            "stairway test q.c --hostile --replay CHOICES"
        );
    }

    #[test]
    fn a_time_decides_unless_calls_are_given() {
        use clap::Parser;
        let n = |line: &str| {
            let words = ["stairway", "test", "q.c"].into_iter().chain(line.split_whitespace());
            match super::Arguments::try_parse_from(words).expect("is right").command {
                Command::Test(test) => test.budgets().0,
                _ => Budget::NONE,
            }
        };
        let usual = Options::default().budget;
        assert_eq!((n(""), n("--time 2")), (usual, Budget::UNLIMITED));
        assert_eq!(n("--time 2 --calls 500"), Budget { steps: 500, ..Budget::UNLIMITED });
        assert_eq!(n("--calls 500"), Budget { steps: 500, ..usual });
        assert!(n("--calls 100000000").work > usual.work);
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["test", "it's here.c", "-DX=$Y"].map(String::from);
        let line = command(words.clone().into_iter());
        assert_eq!(line, r"stairway test 'it'\''s here.c' '-DX=$Y' --replay CHOICES");
        assert_eq!(words_of(&line)[1..4], words);
        assert_eq!(words_of("a '' ' b\\ '"), ["a", "", " b\\ "]);
    }
}
