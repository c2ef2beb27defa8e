//! Section `tasks`: the evaluation of the thesis about seq-test (chapter 4), at default settings.

use crate::findings::{Findings, Goal, Table};
use ::thesis::{Published, Run, Runner, Task, WORKLOADS, Workload, published};
use std::path::Path;
use std::process::Command;

/// How often each task is tried, as in the thesis.
const N_SEEDS: u64 = 20;
/// All of them.
const N_TASKS: f64 = 76.0;
/// Seconds until the first failure of a workload, building included.
const SECONDS: f64 = 1.0;
/// Of the tries of a task, in percent: those whose counterexample is the shortest that any of them has.
const SHORTEST: f64 = 95.0;

pub(crate) fn run(findings: &mut Findings) {
    let Some(runner) = built() else {
        eprintln!("bench: the command cannot be built; section tasks is left out");
        return;
    };
    let tried: Vec<(Workload, Vec<Tried>)> =
        WORKLOADS.iter().map(|workload| (*workload, all_of(&runner, workload))).collect();
    by_workload(&tried, findings);
    by_task(&tried, findings);
}

fn built() -> Option<Runner> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "stairway-cli"])
        .current_dir(root)
        .status();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), Into::into);
    built.is_ok_and(|status| status.success()).then(|| Runner::new(target.join("release/stairway")))
}

/// A task and how its tries went.
struct Tried {
    task: Task,
    runs: Vec<Run>,
}

impl Tried {
    fn found(&self) -> impl Iterator<Item = &Run> {
        self.runs.iter().filter(|run| run.is_found())
    }

    fn is_solved(&self) -> bool {
        self.runs.len() as u64 == N_SEEDS && self.found().count() == self.runs.len()
    }

    fn mean(&self, of: impl Fn(&Run) -> f64) -> f64 {
        mean(self.found().map(of))
    }

    fn shortest(&self) -> usize {
        self.found().map(|run| run.length).min().unwrap_or(0)
    }

    /// How many tries have the shortest counterexample, in percent.
    fn n_shortest(&self) -> usize {
        self.found().filter(|run| run.length == self.shortest()).count()
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = numbers.fold((0u32, 0.0), |(n, sum), number| (n + 1, sum + number));
    sum / f64::from(n.max(1))
}

fn all_of(runner: &Runner, workload: &Workload) -> Vec<Tried> {
    let tasks = workload.tasks().unwrap_or_else(|error| {
        eprintln!("bench: {error}");
        Vec::new()
    });
    let tried = |task: Task| {
        let runs = (1..=N_SEEDS).filter_map(|seed| runner.run(&task, seed).ok()).collect();
        Tried { task, runs }
    };
    tasks.into_iter().map(tried).collect()
}

fn by_workload(tried: &[(Workload, Vec<Tried>)], findings: &mut Findings) {
    let mut table = Table { title: "The tasks of the thesis", ..Table::default() };
    table.header =
        ["workload", "tool", "solved (partly)", "inputs", "seconds to the failure", "seconds in all"]
            .map(String::from)
            .to_vec();
    table.about = format!(
        "Table 4.1 of the thesis: tasks solved in all of {N_SEEDS} tries (in some of them), calls until the first failure and \
         seconds, means of the means of each task. Ours were measured here with everything a user waits for, from a C file that \
         was never built; those of the other tools are the published ones, on another machine and on the thesis's own sources, \
         which ours were written after."
    );
    let (mut n_solved, mut slowest) = (0, 0.0_f64);
    for (workload, tasks) in tried {
        let solved = tasks.iter().filter(|tried| tried.is_solved()).count();
        let partly =
            tasks.iter().filter(|tried| !tried.is_solved() && tried.found().next().is_some()).count();
        let of = |number: fn(&Run) -> f64| {
            mean(tasks.iter().filter(|tried| tried.found().next().is_some()).map(|tried| tried.mean(number)))
        };
        let seconds = of(|run| run.seconds_to_failure);
        n_solved += solved;
        slowest = slowest.max(seconds);
        table.rows.push(vec![
            workload.title.to_string(),
            "Stairway".to_string(),
            format!("{solved} ({partly}) of {}", tasks.len()),
            format!("{:.2}", of(|run| run.n_calls as f64)),
            format!("{seconds:.2}"),
            format!("{:.2}", of(|run| run.seconds)),
        ]);
        let theirs = published().into_iter().filter(|row| row.workload == workload.title);
        table.rows.extend(theirs.map(|row| published_row(&row)));
    }
    findings.figure("tasks/solved by every seed", n_solved as f64, "tasks", Some(Goal::AtLeast(N_TASKS)));
    findings.figure(
        "tasks/seconds to a failure, slowest workload",
        slowest,
        "s",
        Some(Goal::AtMost(SECONDS)),
    );
    findings.table(table);
}

fn published_row(row: &Published) -> Vec<String> {
    let (inputs, seconds) =
        row.means.map_or(("-".into(), "-".into()), |(n, s)| (format!("{n:.2}"), format!("{s:.2}")));
    let solved = format!("{} ({}) of {}", row.n_solved, row.n_partly, row.n_tasks);
    vec![String::new(), row.tool.to_string(), solved, inputs, String::new(), seconds]
}

fn by_task(tried: &[(Workload, Vec<Tried>)], findings: &mut Findings) {
    let mut table = Table { title: "Each task", ..Table::default() };
    table.header =
        ["task", "what is wrong", "found", "calls", "shortest", "as short", "every call needed", "seconds"]
            .map(String::from)
            .to_vec();
    table.about = format!(
        "Of {N_SEEDS} tries each: how many find the bug, the mean number of calls until then, the length of the shortest \
         counterexample of all tries, how many are as short, how many are reported as needing every call, and the mean of \
         the seconds until the first failure."
    );
    let tasks = || tried.iter().flat_map(|(_, tasks)| tasks);
    for tried in tasks() {
        let n = tried.found().count();
        table.rows.push(vec![
            tried.task.name(),
            tried.task.wrong.clone(),
            format!("{n} of {}", tried.runs.len()),
            format!("{:.0}", tried.mean(|run| run.n_calls as f64)),
            tried.shortest().to_string(),
            format!("{} of {n}", tried.n_shortest()),
            format!("{} of {n}", tried.found().filter(|run| run.is_minimal).count()),
            format!("{:.2}", tried.mean(|run| run.seconds_to_failure)),
        ]);
    }
    let (n, n_shortest) = tasks()
        .fold((0, 0), |(n, shortest), tried| (n + tried.found().count(), shortest + tried.n_shortest()));
    let share = 100.0 * n_shortest as f64 / n.max(1) as f64;
    findings.figure("tasks/shortest counterexamples", share, "%", Some(Goal::AtLeast(SHORTEST)));
    findings.table(table);
}
