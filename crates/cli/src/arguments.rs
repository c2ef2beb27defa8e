//! What the command line says.

use clap::{Args, Parser, Subcommand, ValueEnum};
use stairway_c::hunt::Options;
use stairway_c::operations::{Selection, Settings, Undefined};
use stairway_c::report::CHOICES;
use stairway_c::source;
use std::path::PathBuf;

/// Finds the shortest sequence of calls that breaks a C contract.
#[derive(Debug, Parser)]
#[command(name = "stairway", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str =
    "Exit codes: 0 passed, 1 falsified, 2 gave up, 64 usage, 65 bad input, 70 internal error";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Calls the functions of C files in random sequences and judges every call by its contract.
    Test(Box<TestArguments>),
    /// Reads the contracts and says what is wrong with them.
    Check(CommonArguments),
    /// Writes the Rust tests that a description of refinements stands for.
    Refine(RefineArguments),
}

/// What to write, and where.
#[derive(Debug, Args)]
pub(crate) struct RefineArguments {
    /// The description: a `.json` or a `.toml` file.
    pub(crate) file: PathBuf,
    /// Where the module goes; beside the description unless it is given, and `-` prints it.
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
    /// C files that belong together.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The C compiler.
    #[arg(long, default_value = "gcc")]
    cc: PathBuf,
    /// Folders with headers.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Macros.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Further flags for the compiler.
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

    /// The compiler with the user's flags.
    pub(crate) fn compiler(&self) -> Vec<String> {
        let folders = self.include.iter().map(|folder| format!("-I{}", folder.display()));
        let macros = self.define.iter().map(|define| format!("-D{define}"));
        let words = std::iter::once(self.cc.display().to_string()).chain(folders).chain(macros);
        words.chain(self.flags.iter().cloned()).map(|word| quoted(&word)).collect()
    }
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

/// How to test.
#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    #[command(flatten)]
    pub(crate) common: CommonArguments,
    /// Where all randomness starts.
    #[arg(long, value_parser = seed)]
    seed: Option<u64>,
    /// Hunt for so many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Make about so many calls; 100000 unless a time is given.
    #[arg(long)]
    calls: Option<u64>,
    /// Sequences have at most so many calls.
    #[arg(long, default_value_t = 50, value_name = "CALLS")]
    max_len: u64,
    /// Use so many processes.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Call these functions only.
    #[arg(long, alias = "fn", value_name = "FUNCTION", value_delimiter = ',')]
    only: Vec<String>,
    /// Do not call these functions.
    #[arg(long, value_name = "FUNCTION", value_delimiter = ',')]
    skip: Vec<String>,
    /// Begin every sequence with this function.
    #[arg(long, value_name = "FUNCTION")]
    init: Option<String>,
    /// A function without parameters that must answer something other than 0 after every call.
    #[arg(long, value_name = "FUNCTION")]
    invariant: Option<String>,
    /// Let allocations fail.
    #[arg(long)]
    malloc_fail: bool,
    /// Compare two functions: wherever the first is called, the second must do the same.
    #[arg(long, value_name = "FUNCTION=FUNCTION", value_parser = pair, value_delimiter = ',')]
    same: Vec<(String, String)>,
    /// A call that takes longer fails.
    #[arg(long, default_value_t = 1000, value_name = "MILLISECONDS")]
    timeout: u64,
    /// Undefined arithmetic.
    #[arg(long, value_enum, default_value = "contracts")]
    ub: Ub,
    /// Pass NULL also where no contract admits it.
    #[arg(long)]
    hostile: bool,
    /// Blame functions without a contract too.
    #[arg(long)]
    all: bool,
    /// Run this one sequence, as a report prints it.
    #[arg(long, value_name = "CHOICES")]
    replay: Option<String>,
    /// Report the first failure as it was found.
    #[arg(long)]
    no_shrink: bool,
    /// Write a failing sequence as a C program that fails without Stairway.
    #[arg(long, value_name = "FILE")]
    pub(crate) emit_test: Option<PathBuf>,
    /// Give up if a function was never called.
    #[arg(long)]
    pub(crate) demand_all: bool,
    /// Print the report as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print no notes and no progress, and nothing at all when everything holds.
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
    ("--replay", true),
    ("--emit-test", true),
    ("--no-shrink", false),
    ("--demand-all", false),
    ("--json", false),
    ("--quiet", false),
];

/// The command line without what a replay does not need, as a shell reads it.
pub(crate) fn command(arguments: impl Iterator<Item = String>) -> String {
    let mut words = vec!["stairway".to_string()];
    let (mut is_flags, mut is_value) = (false, false);
    let mut flags = Vec::new();
    for argument in arguments {
        if std::mem::take(&mut is_value) {
            continue;
        }
        is_flags |= argument == "--";
        let known = NOT_REPLAYED.iter().find(|(name, has_value)| {
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
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// How many calls are made if nothing is said.
const DEFAULT_CALLS: u64 = 100_000;

/// A time in seconds.
fn seconds(text: &str) -> Result<f64, String> {
    let is_time = |seconds: &f64| (0.0..1e9).contains(seconds);
    text.parse()
        .ok()
        .filter(is_time)
        .ok_or_else(|| "a time is a number of seconds, such as 10 or 0.5".to_string())
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

impl TestArguments {
    /// What is tested, for files of stored failures.
    pub(crate) fn name(&self) -> String {
        self.common.files.first().map_or_else(String::new, |file| file.display().to_string())
    }

    /// How many sequences have to pass; with only a time given, the time decides.
    fn n_sequences(&self) -> u64 {
        match (self.calls, self.time) {
            (None, Some(_)) => u64::MAX,
            (calls, _) => (calls.unwrap_or(DEFAULT_CALLS) / self.max_len.max(1)).max(1),
        }
    }

    pub(crate) fn options(&self) -> Options {
        let mut settings = Settings {
            selection: Selection { only: self.only.clone(), skip: self.skip.clone(), inner: self.all },
            init: self.init.clone(),
            invariant: self.invariant.clone(),
            is_hostile: self.hostile,
            fails_allocations: self.malloc_fail,
            same: self.same.clone(),
            blames_all: self.all,
            undefined: match self.ub {
                Ub::All => Undefined::All,
                Ub::Contracts => Undefined::Contracts,
                Ub::Memory => Undefined::Memory,
                Ub::Off => Undefined::Off,
            },
            ..Settings::default()
        };
        settings.machine.timeout_ms = self.timeout;
        Options {
            calls: settings,
            seed: self.seed,
            n_sequences: self.n_sequences(),
            time_ms: self.time.map(|seconds| (seconds * 1000.0) as u64),
            max_len: self.max_len,
            jobs: self.jobs,
            shrinks: !self.no_shrink,
            replay: self.replay.clone(),
            regressions: Some(PathBuf::from("stairway-regressions")),
            worker: std::env::args().skip(1).collect(),
            progress: None,
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
    fn a_replay_keeps_what_decides_a_sequence() {
        assert_eq!(
            of("test q.c --seed 7 --only=push --json -Iinc --jobs=2 --hostile -- -O2 --seed"),
            "stairway test q.c --only=push -Iinc --hostile --replay CHOICES -- -O2 --seed"
        );
    }

    #[test]
    fn a_time_decides_unless_calls_are_given() {
        use clap::Parser;
        let n = |line: &str| {
            let words = ["stairway", "test", "q.c"].into_iter().chain(line.split_whitespace());
            match crate::Arguments::try_parse_from(words).expect("is right").command {
                Command::Test(test) => test.n_sequences(),
                Command::Check(_) | Command::Refine(_) => 0,
            }
        };
        assert_eq!((n(""), n("--time 2"), n("--time 2 --calls 500")), (2000, u64::MAX, 10));
        assert_eq!((n("--calls 1"), n("--calls 100 --max-len 0")), (1, 100));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        let words = ["test", "it's here.c", "-DX=$Y"].map(String::from);
        assert_eq!(command(words.into_iter()), r"stairway test 'it'\''s here.c' '-DX=$Y' --replay CHOICES");
    }
}
