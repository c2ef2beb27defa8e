//! Section `tasks-afl`: AFL++ on the tasks of the thesis, run here on harnesses by hand, beside its published rows.
//!
//! Apart from `tasks`, since it takes minutes and needs AFL++ (`apt-get install afl++`).

use crate::findings::{Findings, Table};
use ::thesis::{Fuzzed, Fuzzer, Task, WORKLOADS, Workload, published};
use std::time::Duration;

/// How often each task is tried, and for how long at most.
const N_SEEDS: u64 = 3;
const LIMIT: Duration = Duration::from_secs(10);

pub(crate) fn run(findings: &mut Findings) {
    let Some(fuzzer) = Fuzzer::find(LIMIT) else {
        eprintln!("bench: AFL++ is not installed (afl-cc, afl-fuzz); section tasks-afl is left out");
        return;
    };
    let mut table = Table { title: "The tasks of the thesis, with AFL++", ..Table::default() };
    table.header = ["workload", "tool", "solved (partly)", "inputs", "seconds"].map(String::from).to_vec();
    table.about = format!(
        "AFL++ on harnesses by hand, as in the thesis: one function is called with arguments that are read from the input. Here each \
         task was tried {N_SEEDS} times for {} s at most; in the thesis 20 times for 300 s, on another machine. Inputs are those until \
         the first find, seconds include building the harness: means of the means of each task, of the tries that found it.",
        LIMIT.as_secs()
    );
    for workload in WORKLOADS {
        table.rows.push(row(&workload, &tried(&fuzzer, &workload)));
        for theirs in
            published().into_iter().filter(|row| row.workload == workload.title && row.tool == "AFL++")
        {
            let (inputs, seconds) = theirs
                .means
                .map_or(("-".into(), "-".into()), |(n, s)| (format!("{n:.2}"), format!("{s:.2}")));
            let solved = format!("{} ({}) of {}", theirs.n_solved, theirs.n_partly, theirs.n_tasks);
            table.rows.push(vec![String::new(), "AFL++, published".to_string(), solved, inputs, seconds]);
        }
    }
    findings.table(table);
}

/// How the tries of each task went.
fn tried(fuzzer: &Fuzzer, workload: &Workload) -> Vec<Vec<Fuzzed>> {
    let tasks = workload.tasks().unwrap_or_else(|error| {
        eprintln!("bench: {error}");
        Vec::new()
    });
    let tries = |task: Task| {
        let one = |seed| {
            let ran = fuzzer.run(&task, seed);
            ran.map_err(|error| eprintln!("bench: {error}")).ok()
        };
        (1..=N_SEEDS).filter_map(one).collect()
    };
    tasks.into_iter().map(tries).collect()
}

fn row(workload: &Workload, tasks: &[Vec<Fuzzed>]) -> Vec<String> {
    let found = |runs: &[Fuzzed]| runs.iter().filter(|run| run.n_inputs.is_some()).count();
    let n_solved = tasks.iter().filter(|runs| found(runs) as u64 == N_SEEDS).count();
    let some: Vec<&Vec<Fuzzed>> = tasks.iter().filter(|runs| found(runs) > 0).collect();
    let of_tasks = |number: fn(&Fuzzed) -> f64| {
        let of_task =
            |runs: &&Vec<Fuzzed>| mean(runs.iter().filter(|run| run.n_inputs.is_some()).map(number));
        mean(some.iter().map(of_task))
    };
    let shown = |number: f64| if some.is_empty() { "-".to_string() } else { format!("{number:.2}") };
    vec![
        workload.title.to_string(),
        "AFL++, here".to_string(),
        format!("{n_solved} ({}) of {}", some.len() - n_solved, tasks.len()),
        shown(of_tasks(|run| run.n_inputs.unwrap_or(0) as f64)),
        shown(of_tasks(|run| run.seconds)),
    ]
}

fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (n, sum) = numbers.fold((0u32, 0.0), |(n, sum), number| (n + 1, sum + number));
    sum / f64::from(n.max(1))
}
