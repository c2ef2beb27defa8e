//! Section `tasks`: the evaluation of the thesis about seq-test (chapter 4), at default settings.

use crate::findings::{Findings, Goal, Table};
use ::thesis::{Published, Run, Runner, Task, WORKLOADS, Workload, published};
use stairway_c::operations::{Calls, Settings};
use stairway_c::project::{Object, Project};
use stairway_c::source::Options;
use std::path::Path;
use std::process::Command;

/// How often each task is tried, as in the thesis.
const N_SEEDS: u64 = 20;
/// All of them.
const N_TASKS: f64 = 76.0;
/// Seconds until the first failure of a workload, building included.
const SECONDS: f64 = 1.0;
/// Of the tries of a task, in percent: those whose counterexample is the best that any of them has.
const SHORTEST: f64 = 95.0;
/// The calls until the first failure, in percent of the inputs that AFL++ took.
const CALLS: f64 = 10.0;
/// States made a second, of about ten nodes, and how many of them satisfy their precondition, in percent.
const STATES_A_SECOND: f64 = 100_000.0;
const CALLABLE: f64 = 90.0;
const NODES: u32 = 10;
const N_STATES: u64 = 20_000;
const N_ROUNDS: u32 = 5;

pub(crate) fn run(findings: &mut Findings) {
    let Some(runner) = built() else {
        eprintln!("bench: the command cannot be built; section tasks is left out");
        return;
    };
    let tried: Vec<(Workload, Vec<Tried>)> =
        WORKLOADS.iter().map(|workload| (*workload, all_of(&runner, workload))).collect();
    by_workload(&tried, findings);
    by_task(&tried, findings);
    states(findings);
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

    /// The best counterexample of all tries, whatever fails in it.
    fn best(&self) -> Option<&Run> {
        self.found().min_by_key(|run| run.rank())
    }

    /// How many tries have a counterexample as good as the best of all.
    fn n_best(&self) -> usize {
        self.found().filter(|run| self.best().is_some_and(|best| best.rank() == run.rank())).count()
    }

    /// How many tries have a counterexample than which none of the same failure is better.
    fn n_shortest(&self) -> usize {
        let is_best = |run: &&Run| {
            let mut of_failure = self.found().filter(|other| other.identity == run.identity);
            of_failure.all(|other| run.rank() <= other.rank())
        };
        self.found().filter(is_best).count()
    }

    fn n_needed(&self) -> usize {
        self.found().filter(|run| run.is_minimal).count()
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
        "Table 4.1 of the thesis: tasks solved in all of {N_SEEDS} tries (in some of them), calls until the first failure (those that were \
         discarded before the failing sequence included) and seconds, means of the means of each task. Ours were measured here with everything a user waits for, from a C file that \
         was never built; those of the other tools are the published ones, on another machine and on the thesis's own sources, \
         which ours were written after."
    );
    let (mut n_solved, mut slowest, mut most_calls) = (0, 0.0_f64, 0.0_f64);
    for (workload, tasks) in tried {
        let solved = tasks.iter().filter(|tried| tried.is_solved()).count();
        let partly =
            tasks.iter().filter(|tried| !tried.is_solved() && tried.found().next().is_some()).count();
        let of = |number: fn(&Run) -> f64| {
            mean(tasks.iter().filter(|tried| tried.found().next().is_some()).map(|tried| tried.mean(number)))
        };
        let (n_calls, seconds) = (of(|run| run.n_calls as f64), of(|run| run.seconds_to_failure));
        n_solved += solved;
        slowest = slowest.max(seconds);
        table.rows.push(vec![
            workload.title.to_string(),
            "Stairway".to_string(),
            format!("{solved} ({partly}) of {}", tasks.len()),
            format!("{n_calls:.2}"),
            format!("{seconds:.2}"),
            format!("{:.2}", of(|run| run.seconds)),
        ]);
        let theirs = published().into_iter().filter(|row| row.workload == workload.title);
        let fuzzed = theirs.clone().filter(|row| row.tool == "AFL++").filter_map(|row| row.means);
        most_calls = fuzzed.map(|(inputs, _)| 100.0 * n_calls / inputs).fold(most_calls, f64::max);
        table.rows.extend(theirs.map(|row| published_row(&row)));
    }
    findings.figure("tasks/solved by every seed", n_solved as f64, "tasks", Some(Goal::AtLeast(N_TASKS)));
    findings.figure(
        "tasks/seconds to a failure, slowest workload",
        slowest,
        "s",
        Some(Goal::AtMost(SECONDS)),
    );
    findings.figure(
        "tasks/calls to a failure in percent of AFL++'s inputs, worst workload",
        most_calls,
        "%",
        Some(Goal::AtMost(CALLS)),
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
    table.header = [
        "task",
        "what is wrong",
        "found",
        "calls",
        "best",
        "as good",
        "shortest",
        "every call needed",
        "seconds",
    ]
    .map(String::from)
    .to_vec();
    table.about = format!(
        "Of {N_SEEDS} tries each: how many find the bug, the mean number of calls until then, the best counterexample of \
         all tries, how many are as good, how many are the shortest of their failure, how many are reported as needing \
         every call, and the mean of the seconds until the first failure. A counterexample by calls alone is better than \
         one that begins with a state which only a precondition describes; of two of one kind, the one with fewer calls \
         is. It is the shortest of its failure if no try has a better one that fails in the same clause or statement: \
         shrinking keeps to the failure that was found."
    );
    let tasks = || tried.iter().flat_map(|(_, tasks)| tasks);
    for tried in tasks() {
        let n = tried.found().count();
        table.rows.push(vec![
            tried.task.name(),
            tried.task.wrong.clone(),
            format!("{n} of {}", tried.runs.len()),
            format!("{:.0}", tried.mean(|run| run.n_calls as f64)),
            tried.best().map_or_else(String::new, described),
            format!("{} of {n}", tried.n_best()),
            format!("{} of {n}", tried.n_shortest()),
            format!("{} of {n}", tried.n_needed()),
            format!("{:.2}", tried.mean(|run| run.seconds_to_failure)),
        ]);
    }
    let n: usize = tasks().map(|tried| tried.found().count()).sum();
    let share = |of: fn(&Tried) -> usize| 100.0 * tasks().map(of).sum::<usize>() as f64 / n.max(1) as f64;
    let goal = Some(Goal::AtLeast(SHORTEST));
    findings.figure("tasks/shortest counterexamples", share(Tried::n_shortest), "%", goal);
    findings.figure("tasks/as good as the best of the task", share(Tried::n_best), "%", None);
    let goal = Some(Goal::AtLeast(100.0));
    findings.figure("tasks/every call is needed", share(Tried::n_needed), "%", goal);
    findings.table(table);
}

fn described(run: &Run) -> String {
    let calls = if run.length == 1 { "call" } else { "calls" };
    let state = if run.has_states { ", a state" } else { "" };
    format!("{} {calls}{state}", run.length)
}

/// A function of a workload that states are made for.
struct Stage {
    workload: &'static str,
    flags: &'static [&'static str],
    function: &'static str,
}

const STAGES: [Stage; 8] = [
    Stage { workload: "list", flags: &["-DVERSION=1"], function: "insert" },
    Stage { workload: "list", flags: &["-DVERSION=2"], function: "insert" },
    Stage { workload: "list", flags: &["-DVERSION=3"], function: "insert" },
    Stage { workload: "queue", flags: &[], function: "push_queue" },
    Stage { workload: "bst", flags: &[], function: "delete" },
    Stage { workload: "bst", flags: &["-DBOUNDS"], function: "delete" },
    Stage { workload: "avl", flags: &[], function: "find_smallest" },
    Stage { workload: "avl", flags: &["-DBOUNDS"], function: "find_smallest" },
];

/// States alone: how many are right, and how fast they are made and judged.
fn states(findings: &mut Findings) {
    let mut table = Table { title: "States from preconditions", ..Table::default() };
    table.header = ["precondition of", "right", "nodes", "made a second", "made and judged a second"]
        .map(String::from)
        .to_vec();
    table.about = format!(
        "States of the predicates of the workloads, made in memory and not called: how many of those that were begun \
         satisfy their precondition where their size is drawn; then, with room for {NODES} nodes, how many nodes (blocks) \
         they have, and how many are made a second on one core, the best of {N_ROUNDS} rounds of {N_STATES}."
    );
    let (mut least_right, mut slowest) = (100.0_f64, f64::INFINITY);
    for stage in &STAGES {
        let name = format!("{} {} {}", stage.workload, stage.flags.join(" "), stage.function);
        let Some(calls) = loaded(stage) else {
            eprintln!("bench: {name} cannot be loaded");
            continue;
        };
        let made = |n_nodes, is_judged| {
            let start = std::time::Instant::now();
            let counts = calls.rehearse(stage.function, N_STATES, n_nodes, is_judged).unwrap_or_default();
            (counts, counts.n_made as f64 / start.elapsed().as_secs_f64())
        };
        let fastest = |is_judged| (0..N_ROUNDS).map(|_| made(Some(NODES), is_judged).1).fold(0.0, f64::max);
        let (drawn, _) = made(None, true);
        let (sized, _) = made(Some(NODES), false);
        let right = 100.0 * drawn.n_callable as f64 / drawn.n_begun.max(1) as f64;
        let (making, judging) = (fastest(false), fastest(true));
        least_right = least_right.min(right);
        slowest = slowest.min(making);
        table.rows.push(vec![
            name,
            format!("{right:.1} %"),
            format!("{:.1}", sized.n_blocks as f64 / sized.n_made.max(1) as f64),
            format!("{making:.0}"),
            format!("{judging:.0}"),
        ]);
    }
    let goal = Some(Goal::AtLeast(CALLABLE));
    findings.figure("tasks/states that are right, worst precondition", least_right, "%", goal);
    let goal = Some(Goal::AtLeast(STATES_A_SECOND));
    findings.figure("tasks/states made, slowest precondition", slowest, "a second", goal);
    findings.table(table);
}

/// A workload, loaded into this process; nothing of it is called.
fn loaded(stage: &Stage) -> Option<Calls> {
    let workload = WORKLOADS.iter().find(|workload| workload.name == stage.workload)?;
    let file = workload.folder().join(format!("{}.c", workload.name));
    let mut options = Options::new(vec![file]);
    options.flags = stage.flags.iter().map(|flag| (*flag).to_string()).collect();
    let project = Project::new(&options, Object::Build, false).ok()?;
    Calls::new(project, Settings::default()).ok()
}
