//! How a fuzzer is started: its command, its settings, and where its finds are. One piece for AFL++, one for
//! libFuzzer; what to do with them `campaign` knows.

use super::FuzzError;
use super::campaign::Campaign;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Who searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// `afl-fuzz` of AFL++.
    Afl,
    /// LLVM's libFuzzer.
    LibFuzzer,
}

/// Longer than any sequence takes: calls have fuel, and workers a limit of their own, which is a verdict.
const TIMEOUT_SECONDS: u32 = 120;

/// What AFL++ calls the folders in which it keeps inputs; libFuzzer is told to use the same.
const QUEUE: &str = "queue";
pub(super) const CRASHES: &str = "crashes";

/// The libFuzzer side of a target.
const DRIVER: &str = include_str!("../../fuzz/driver.c");

/// The flag that links libFuzzer.
const LIBFUZZER: &str = "-fsanitize=fuzzer";

impl Engine {
    /// What is started, for messages.
    #[must_use]
    pub const fn program(self) -> &'static str {
        match self {
            Engine::Afl => "afl-fuzz",
            Engine::LibFuzzer => "the driver of libFuzzer",
        }
    }

    /// Looks whether what it needs is installed.
    ///
    /// # Errors
    /// If it is not, with the command that installs it.
    pub fn look(self) -> Result<(), FuzzError> {
        let (program, package) = match self {
            Engine::Afl => ("afl-fuzz", "afl++"),
            Engine::LibFuzzer => ("clang", "clang"),
        };
        let asked = if self == Engine::Afl { "-h" } else { "--version" };
        let started = Command::new(program).arg(asked).stdout(Stdio::null()).stderr(Stdio::null()).status();
        started.map(drop).map_err(|_| FuzzError::Missing { program, package })
    }

    /// Where finds are, below the folder of a campaign: inputs in `queue`, failures in `crashes`, for each
    /// instance of AFL++ and for all of libFuzzer.
    pub(super) fn finds(self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Engine::Afl => "afl",
            Engine::LibFuzzer => "libfuzzer",
        })
    }

    /// Makes what has to be there before the first instance starts.
    pub(super) fn prepare(self, campaign: &Campaign) -> Result<(), FuzzError> {
        let finds = campaign.finds();
        let folders = match self {
            Engine::Afl => vec![finds],
            Engine::LibFuzzer => vec![finds.join(QUEUE), finds.join(CRASHES)],
        };
        for folder in folders {
            fs::create_dir_all(&folder).map_err(FuzzError::at(&folder))?;
        }
        if self == Engine::LibFuzzer {
            build_driver(&campaign.folder.join("driver"), &campaign.target)?;
        }
        Ok(())
    }

    /// The command of one instance, which ends by itself when the campaign is over.
    pub(super) fn instance(self, campaign: &Campaign, name: &str, k: usize) -> Command {
        // Two instances with one seed would do the same.
        let seed = campaign.seed.map(|seed| seed.wrapping_add(k as u64));
        match self {
            Engine::Afl => afl(campaign, name, k == 0 && campaign.secondary.is_none(), seed),
            Engine::LibFuzzer => libfuzzer(campaign, seed),
        }
    }
}

fn afl(campaign: &Campaign, name: &str, is_main: bool, seed: Option<u64>) -> Command {
    let mut command = Command::new("afl-fuzz");
    command.arg("-i").arg(campaign.folder.join("seeds")).arg("-o").arg(campaign.finds());
    command.args([if is_main { "-M" } else { "-S" }, name]);
    command.args(["-t", &format!("{}", TIMEOUT_SECONDS * 1000)]);
    if let Some(time) = campaign.time {
        command.args(["-V", &time.as_secs().max(1).to_string()]);
    }
    if let Some(executions) = campaign.executions {
        command.args(["-E", &executions.to_string()]);
    }
    if let Some(seed) = seed {
        command.args(["-s", &seed.to_string()]);
    }
    command.arg("--").args(&campaign.target);
    // The target says itself what it can do, and how a sequence ended; whether the system keeps core files
    // does not matter.
    command.envs([
        ("AFL_SKIP_BIN_CHECK", "1"),
        ("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"),
        ("AFL_SKIP_CPUFREQ", "1"),
        ("AFL_NO_AFFINITY", "1"),
        ("AFL_AUTORESUME", "1"),
        ("AFL_NO_UI", "1"),
    ]);
    if !campaign.keeps_going {
        command.env("AFL_BENCH_UNTIL_CRASH", "1");
    }
    command
}

fn libfuzzer(campaign: &Campaign, seed: Option<u64>) -> Command {
    let mut command = Command::new(campaign.folder.join("driver"));
    let finds = campaign.finds();
    command.arg(format!("-artifact_prefix={}/", finds.join(CRASHES).display()));
    command.arg(format!("-timeout={TIMEOUT_SECONDS}"));
    if let Some(time) = campaign.time {
        command.arg(format!("-max_total_time={}", time.as_secs().max(1)));
    }
    if let Some(executions) = campaign.executions {
        command.arg(format!("-runs={executions}"));
    }
    if let Some(seed) = seed {
        // It takes 32 bits, and 0 for one of its own.
        command.arg(format!("-seed={}", (seed as u32).max(1)));
    }
    if campaign.keeps_going {
        command.args(["-fork=1", "-ignore_crashes=1"]);
    }
    command.arg(finds.join(QUEUE)).arg(campaign.folder.join("seeds"));
    command
}

/// Builds the driver, with the command of its target in a file beside it.
///
/// # Errors
/// If the compiler refuses it, or a file cannot be written.
pub(super) fn build_driver(driver: &Path, target: &[String]) -> Result<(), FuzzError> {
    let source = driver.with_extension("c");
    fs::write(&source, DRIVER).map_err(FuzzError::at(&source))?;
    let beside = PathBuf::from(format!("{}.target", driver.display()));
    // No argument has a zero byte in it; a path may have anything else.
    let arguments: String = target.iter().flat_map(|argument| [argument, "\0"]).collect();
    fs::write(&beside, arguments).map_err(FuzzError::at(&beside))?;
    // OSS-Fuzz names its flags and its engine; `CC` is not looked at, since it may be a gcc elsewhere.
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (flags, engine) = (variable("CFLAGS"), variable("LIB_FUZZING_ENGINE"));
    let in_oss_fuzz = !engine.is_empty();
    let engine = if in_oss_fuzz { &*engine } else { LIBFUZZER };
    let mut command = Command::new("clang");
    command
        .arg("-O1")
        .args(flags.split_whitespace().filter(|_| in_oss_fuzz))
        .arg("-o")
        .arg(driver)
        .arg(&source);
    let output = command.args(engine.split_whitespace()).output();
    let output = output.map_err(|_| FuzzError::Missing { program: "clang", package: "clang" })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(FuzzError::Driver(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}
