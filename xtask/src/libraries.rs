//! `cargo xtask libraries`: public C libraries, fetched and tested without a contract.
//!
//! For developers who look at what a change does to code that nobody wrote for Stairway. The same runs, with
//! goals, are the section `libraries` of `cargo xtask bench`.

use crate::steps::root;
use libraries::{Baseline, Help, Library, Ran, Runner};
use std::path::PathBuf;
use std::process::Command;

const USAGE: &str = "usage: cargo xtask libraries [--fetch | --bugs] [--with=PROGRAM] [--seeds=N] [LIBRARY…]";

/// Fetches the named libraries, or all, and prints a line for each.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let (options, names): (Vec<&String>, Vec<&String>) =
        arguments.iter().partition(|word| word.starts_with("--"));
    let all = libraries::catalog();
    if let Some(name) = names.iter().find(|name| all.iter().all(|library| library.name != ***name)) {
        let known: Vec<&str> = all.iter().map(|library| &*library.name).collect();
        return Err(format!("there is no library `{name}`; there are: {}\n{USAGE}", known.join(", ")));
    }
    let wanted = all.into_iter().filter(|library| names.is_empty() || names.contains(&&library.name));
    let mut fetched = Vec::new();
    for library in wanted {
        let folder = libraries::fetch::fetch(&library, &libraries::store())?;
        fetched.push((library, folder));
    }
    let program = options.iter().find_map(|option| option.strip_prefix("--with=").map(PathBuf::from));
    let seeds = match options.iter().find_map(|option| option.strip_prefix("--seeds=")) {
        Some(n) => (1..=n.parse().map_err(|_| USAGE.to_string())?).collect(),
        None => libraries::SEEDS.to_vec(),
    };
    let has_value = |option: &&str| option.starts_with("--with=") || option.starts_with("--seeds=");
    let options = options.iter().map(|option| option.as_str()).filter(|option| !has_value(option));
    match options.collect::<Vec<_>>()[..] {
        ["--fetch"] => fetched.iter().for_each(|(_, folder)| println!("{}", folder.display())),
        [] => test(&fetched, &runner(program)?)?,
        ["--bugs"] => hunt(&fetched, &runner(program)?, &seeds)?,
        _ => return Err(USAGE.to_string()),
    }
    Ok(())
}

/// A runner with the given program, or with the command as it is built.
fn runner(program: Option<PathBuf>) -> Result<Runner, String> {
    if let Some(program) = program {
        return Ok(Runner::new(program));
    }
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "stairway-cli"])
        .current_dir(root())
        .status();
    if !status.is_ok_and(|status| status.success()) {
        return Err("the command cannot be built".to_string());
    }
    Ok(Runner::new(libraries::store().with_file_name("release").join("stairway")))
}

fn test(fetched: &[(Library, PathBuf)], runner: &Runner) -> Result<(), String> {
    println!(
        "{:16} {:>9} {:>7} {:>6} {:>12} {:>8}  outcome",
        "library", "functions", "called", "alarms", "without help", "seconds"
    );
    for (library, folder) in fetched {
        let public = libraries::symbols::public_functions(library, folder)?;
        let ran = runner.run(library, folder, None)?;
        let n_called = public.intersection(&ran.called).count();
        let percent = 100 * n_called / public.len().max(1);
        let Ran { outcome, alarms, seconds, .. } = &ran;
        let name = &library.name;
        println!(
            "{name:16} {:>9} {percent:>6}% {:>6} {:>12} {seconds:>8.1}  {}",
            public.len(),
            alarms.len(),
            alarms.iter().filter(|alarm| alarm.help() == Help::None).count(),
            if outcome.is_empty() { ran.errors.lines().next().unwrap_or("no report") } else { outcome }
        );
        for alarm in alarms {
            let help = match alarm.help() {
                Help::Text => "text",
                Help::Instruction => "instruction",
                Help::None => "NO HELP",
            };
            println!("    {help:12} {}", alarm.message);
        }
        for name in public.difference(&ran.called) {
            let why = ran.never.iter().find(|(never, _)| never == name);
            println!("    never called: {name}: {}", why.map_or("", |(_, why)| why));
        }
    }
    Ok(())
}

fn hunt(fetched: &[(Library, PathBuf)], runner: &Runner, seeds: &[u64]) -> Result<(), String> {
    let bugs = libraries::bugs()?;
    for (library, folder) in fetched {
        let bugs: Vec<_> = bugs.iter().filter(|bug| bug.library == library.name).collect();
        if bugs.is_empty() {
            continue;
        }
        let mut baseline = Baseline::of(&runner.run(library, folder, None)?);
        for bug in bugs {
            let found = seeds.iter().map(|seed| runner.hunt(library, folder, bug, *seed, &mut baseline));
            let found = found.collect::<Result<Vec<_>, _>>()?;
            let seconds =
                found.iter().map(|caught| caught.map_or("-".to_string(), |c| format!("{:.1}", c.seconds)));
            println!("{:36} {}", bug.name, seconds.collect::<Vec<_>>().join(" "));
        }
    }
    Ok(())
}
