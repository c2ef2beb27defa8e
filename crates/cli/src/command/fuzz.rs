//! `stairway fuzz`: a campaign of AFL++ or libFuzzer, and what it has found, reported as `stairway test`
//! reports.

use super::arguments::TestArguments;
use super::{BAD_INPUT, INTERNAL, PASSED, USAGE, interrupt, progress};
use super::{conclude, in_colour, notes, oss_fuzz, print, refuse};
use clap::{Arg, Args, ValueEnum};
use stairway_c::fuzz::{self, Campaign, CampaignEnd, FuzzError};
use stairway_c::hunt;
use stairway_c::project::{Object, Project};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// Who searches.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Engine {
    /// AFL++
    Afl,
    /// libFuzzer
    Libfuzzer,
}

/// What to fuzz, and how.
#[derive(Debug, Args)]
pub(crate) struct FuzzArguments {
    #[command(flatten)]
    pub(crate) test: TestArguments,
    /// Who searches: afl or libfuzzer
    #[arg(long, value_enum, default_value = "afl", hide_possible_values = true)]
    engine: Engine,
    /// Folder of the campaign; a second run continues where the first one ended [default: stairway-fuzz/FILE]
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Stop after about this many executions, each a sequence, of every instance
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    executions: Option<u64>,
    /// Do not stop at the first failure
    #[arg(long)]
    keep_going: bool,
    /// Join the campaign in the folder as a further instance of this name
    #[arg(long, value_name = "NAME", value_parser = instance_name)]
    secondary: Option<String>,
    /// Search nothing: write the files that OSS-Fuzz wants, and a target that runs without a compiler
    #[arg(long, value_name = "DIR", value_parser = oss_fuzz::folder)]
    oss_fuzz: Option<PathBuf>,
}

/// The options that are this command's, for command lines that repeat a find: with `true` for those that have
/// a value.
pub(crate) const OPTIONS: &[(&str, bool)] = &[
    ("--engine", true),
    ("--output", true),
    ("--executions", true),
    ("--keep-going", false),
    ("--secondary", true),
    ("--oss-fuzz", true),
];

/// What this command's help shows of the options that both commands have.
const SHOWN: [&str; 9] = ["files", "flags", "cc", "include", "define", "seed", "time", "jobs", "quiet"];

/// An option as this command's help shows it: the help of `stairway test` explains most of them.
pub(crate) fn in_help(argument: Arg) -> Arg {
    let id = argument.get_id().as_str();
    let is_own = argument.get_long().is_some_and(|long| OPTIONS.iter().any(|(name, _)| name[2..] == *long));
    match id {
        "time" => argument.help("Stop searching after this long (30m, 12h) [default: no limit]"),
        "jobs" => argument.help("Number of instances of the fuzzer"),
        _ if is_own || SHOWN.contains(&id) => argument,
        _ => argument.hide(true),
    }
}

/// What follows the options in this command's help.
pub(crate) fn help() -> String {
    let all = TestArguments::augment_args(clap::Command::new("test"));
    let others = all.get_arguments().filter(|one| !SHOWN.contains(&one.get_id().as_str()));
    let names = others.filter_map(|one| Some(format!("--{}", one.get_long()?))).collect::<Vec<_>>();
    let mut lines = vec![String::new()];
    for name in &names {
        if lines.last().is_some_and(|line| line.len() + name.len() > 100) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.extend([" ", name]);
        }
    }
    format!("As for `stairway test`, whose --help explains them:\n {}\n\n{HELP}", lines.join("\n "))
}

const HELP: &str = "\
The search ends at the first failure, after --time, after --executions, or with Ctrl-C. What was found is then
shrunk, reported and stored.

Examples:
  stairway fuzz queue.c --time 1h --jobs 4         one main and three secondary instances
  stairway fuzz queue.c --secondary night          one more, from another terminal or machine
  stairway fuzz queue.c --oss-fuzz oss-fuzz        the files for OSS-Fuzz and ClusterFuzz
  stairway test queue.c --corpus stairway-fuzz/queue.c/afl   run what was found again";

/// A name that is that of a folder, and no path.
fn instance_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let is_name = !text.is_empty() && text.len() <= 32 && text.chars().all(is_plain);
    is_name.then(|| text.to_string()).ok_or_else(|| {
        "the name of an instance has up to 32 letters, digits, `-` and `_`, such as `night-2`".to_string()
    })
}

impl FuzzArguments {
    const fn engine(&self) -> fuzz::Engine {
        match self.engine {
            _ if self.oss_fuzz.is_some() => fuzz::Engine::LibFuzzer,
            Engine::Afl => fuzz::Engine::Afl,
            Engine::Libfuzzer => fuzz::Engine::LibFuzzer,
        }
    }

    fn campaign(&self, target: Vec<String>) -> Campaign {
        let name = self.test.name();
        let file = Path::new(&name).file_name().unwrap_or_default();
        let default = || Path::new("stairway-fuzz").join(file);
        let folder = self.output.clone().unwrap_or_else(default);
        Campaign {
            engine: self.engine(),
            folder,
            target,
            time: self.test.time(),
            executions: self.executions,
            seed: self.test.own_seed(),
            jobs: self.test.jobs(),
            secondary: self.secondary.clone(),
            keeps_going: self.keep_going,
            is_shown: !self.test.quiet && std::io::stdout().is_terminal(),
        }
    }
}

pub(crate) fn fuzz(arguments: &FuzzArguments) -> u8 {
    let test = &arguments.test;
    if test.is_replay() {
        return refuse(test, USAGE, "a sequence that is replayed needs no campaign: stairway test --replay");
    }
    // Said before anything is compiled. A target is started by a fuzzer that is there.
    if !fuzz::is_target()
        && let Err(error) = arguments.engine().look()
    {
        return refused(test, &error);
    }
    let project = match Project::new(&test.common.source(), Object::Build, in_colour()) {
        Ok(project) => project,
        Err(error) => return refuse(test, BAD_INPUT, &error.to_string()),
    };
    let mut options = test.options();
    // How long the fuzzers search is no limit for running what they have found.
    let usual = hunt::Options::default();
    (options.time, options.jobs) = (None, 1);
    (options.budget, options.shrink_budget) = (usual.budget, usual.shrink_budget);
    options.progress = Some(progress::listener(test.quiet, test.goal()));
    if fuzz::is_target() {
        let task = options.task(&test.name(), &project).map_err(FuzzError::from);
        return match task.and_then(fuzz::serve) {
            Ok(()) => PASSED,
            Err(error) => refused(test, &error),
        };
    }
    if !test.quiet {
        notes(&project);
    }
    if let Some(folder) = &arguments.oss_fuzz {
        return match oss_fuzz::write(folder, test, project, &options) {
            Ok(told) => {
                print(&told);
                PASSED
            }
            Err(error) => refused(test, &error),
        };
    }
    match campaign(arguments, project, &options) {
        Ok(code) => code,
        Err(error) => refused(test, &error),
    }
}

/// Looks at what is known, searches, and looks at what was found.
fn campaign(arguments: &FuzzArguments, project: Project, options: &hunt::Options) -> Result<u8, FuzzError> {
    let test = &arguments.test;
    let campaign = arguments.campaign(fuzz::target(&test.name(), &project, options)?);
    let is_interrupted = Some(interrupt::is_interrupted as fn() -> bool);
    let replayed = hunt::Options { searches: false, is_interrupted, ..options.clone() };
    let known = hunt::hunt(&test.name(), project, &replayed)?;
    if !known.report.result.outcome.is_success() && !campaign.keeps_going {
        return Ok(conclude(test, &known));
    }
    let project = known.project;
    let n_seeds = fuzz::prepare(&campaign, &test.name(), &project, options)?;
    if !test.quiet {
        let (engine, folder) = (campaign.engine.program(), campaign.folder.display());
        let inputs = if n_seeds == 1 { "input" } else { "inputs" };
        eprintln!("{engine} begins with {n_seeds} {inputs}; its folder is {folder}");
    }
    let ended = fuzz::run(&campaign, interrupt::is_interrupted)?;
    if ended == CampaignEnd::Interrupted {
        interrupt::forget();
    }
    // One run over all that was found: what fails is shrunk, what passes shows what was reached.
    let found = hunt::Options { corpus: Some(campaign.finds()), ..replayed };
    let found = hunt::hunt(&test.name(), project, &found)?;
    Ok(conclude(test, &found))
}

fn refused(test: &TestArguments, error: &FuzzError) -> u8 {
    refuse(test, code_of(error), &error.to_string())
}

/// The exit code where there is no campaign.
pub(crate) fn code_of(error: &FuzzError) -> u8 {
    match error {
        FuzzError::Calls(error) => super::code_of(error),
        FuzzError::Protocol(_) => INTERNAL,
        _ => BAD_INPUT,
    }
}
