//! Section `c`: calls of C a second, all of them checked; how soon there is a verdict; what a second process
//! brings; how memory grows. Every figure is of the command as users run it, the building of the C file
//! included.

mod command;
mod large;
mod long;

use crate::findings::{Findings, Goal, Table};
use command::{Ran, Stairway, best};

/// Calls a second at footprints of about 3, on one core.
const CALLS_A_SECOND: f64 = 300_000.0;
/// Seconds to the first verdict on a file of 200 lines.
const FIRST_VERDICT: f64 = 0.4;
/// Times the speed of one process.
const TWO_JOBS: f64 = 1.7;
/// Times the memory of a run of a tenth of the calls.
const MEMORY: f64 = 1.1;

/// Milliseconds that the sandbox adds to a run.
const SANDBOX_START: f64 = 10.0;
/// Times the calls a second without it.
const SANDBOX_CALLS: f64 = 0.98;

/// Times what the C compiler takes with the same instrumentation.
const LARGE: f64 = 2.0;

pub(crate) fn run(findings: &mut Findings) {
    let Some(stairway) = Stairway::built() else {
        eprintln!("bench: the command cannot be built; section c is left out");
        return;
    };
    speed(&stairway, findings);
    first_verdict(&stairway, findings);
    sandbox(&stairway, findings);
    memory(&stairway, findings);
    large_program(&stairway, findings);
}

fn speed(stairway: &Stairway, findings: &mut Findings) {
    let queue = stairway.file("queue.c", include_str!("queue.c"));
    let arguments = |jobs: &'static str| ["--seed", "1", "--calls", "1500000", "--jobs", jobs];
    let rounds: Vec<[Ran; 3]> = (0..5)
        .map(|_| {
            [
                stairway.test_on_one_core(&queue, &arguments("1")),
                stairway.test(&queue, &arguments("1")),
                stairway.test(&queue, &arguments("2")),
            ]
        })
        .collect();
    let speed = |k: usize| best(rounds.iter().map(|round| &round[k]));
    let mut table = table("Calls of a queue", &["cores", "jobs", "calls/s", "discards/s", "times one job"]);
    table.about = "Calls of a queue with contracts of ownership (empty, push, pop), each fully checked; on average \
                   three ranges are taken. Calls that were not made because a precondition was not met come on top. \
                   The time to build the C file is taken off. Best of five rounds in which the lines take turns."
        .to_string();
    for (k, (cores, jobs)) in [("1", "1"), ("all", "1"), ("all", "2")].into_iter().enumerate() {
        let ran = speed(k);
        table.rows.push(vec![
            cores.to_string(),
            jobs.to_string(),
            format!("{:.0}", ran.per_second()),
            format!("{:.0}", ran.n_discards as f64 / ran.seconds),
            if k == 0 { String::new() } else { format!("{:.2}", ran.per_second() / speed(1).per_second()) },
        ]);
    }
    findings.figure("c/calls", speed(0).per_second(), "calls/s", Some(Goal::AtLeast(CALLS_A_SECOND)));
    let times = speed(2).per_second() / speed(1).per_second();
    findings.figure("c/jobs 2:1", times, "times", Some(Goal::AtLeast(TWO_JOBS)));
    findings.table(table);
}

fn first_verdict(stairway: &Stairway, findings: &mut Findings) {
    let file = stairway.file("long.c", &long::text());
    let n_lines = long::text().lines().count();
    let mut table = table("First verdict", &["file", "lines", "seconds to its end"]);
    table.about = "From the start of the command to its end: one sequence of calls that passes, and the bug of the queue \
                   in the README found, shrunk and confirmed. Best of five."
        .to_string();
    let seconds = |file: &str, arguments: &[&str]| {
        let runs = (0..5).map(|_| stairway.test(file, arguments).total_seconds);
        runs.fold(f64::INFINITY, f64::min)
    };
    let passing = seconds(&file, &["--calls", "1"]);
    table.rows.push(vec!["right, one sequence".to_string(), n_lines.to_string(), format!("{passing:.3}")]);
    findings.figure("c/first verdict", passing, "s", Some(Goal::AtMost(FIRST_VERDICT)));
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/queue.c");
    let failing = seconds(example, &[]);
    let n_lines = std::fs::read_to_string(example).unwrap_or_default().lines().count();
    table.rows.push(vec!["examples/queue.c".to_string(), n_lines.to_string(), format!("{failing:.3}")]);
    findings.figure("c/first verdict, failing", failing, "s", Some(Goal::AtMost(FIRST_VERDICT)));
    findings.table(table);
}

/// The same runs with the sandbox and without: what it takes to start, and what it costs each call.
fn sandbox(stairway: &Stairway, findings: &mut Findings) {
    let queue = stairway.file("queue.c", include_str!("queue.c"));
    let ways: [&[&str]; 2] = [&[], &["--unconfined"]];
    let least = |values: [f64; 2], others: [f64; 2]| [values[0].min(others[0]), values[1].min(others[1])];
    let turns = |n_rounds: usize, measure: &dyn Fn(&[&str]) -> f64| {
        let rounds = (0..n_rounds).map(|_| ways.map(measure));
        rounds.reduce(least).unwrap_or([f64::NAN; 2])
    };
    let start = turns(15, &|way: &[&str]| {
        stairway.test(&queue, &[&["--seed", "1", "--calls", "1"], way].concat()).total_seconds
    });
    let a_call = turns(5, &|way: &[&str]| {
        let ran = stairway.test_on_one_core(&queue, &[&["--seed", "1", "--calls", "500000"], way].concat());
        1.0 / ran.per_second()
    });
    let mut table = table("The sandbox", &["", "one sequence, s", "calls/s"]);
    table.about = "The queue in the best sandbox that there is here, and with `--unconfined`: a run of one sequence from \
                   its start to its end, and calls on one core. Best of fifteen and of five rounds in which the \
                   lines take turns."
        .to_string();
    for (k, way) in ["with the sandbox", "without"].into_iter().enumerate() {
        table.rows.push(vec![way.to_string(), format!("{:.4}", start[k]), format!("{:.0}", 1.0 / a_call[k])]);
    }
    let milliseconds = (start[0] - start[1]) * 1e3;
    findings.figure("c/sandbox start", milliseconds, "ms", Some(Goal::AtMost(SANDBOX_START)));
    findings.figure("c/sandbox calls", a_call[1] / a_call[0], "times", Some(Goal::AtLeast(SANDBOX_CALLS)));
    findings.table(table);
}

fn memory(stairway: &Stairway, findings: &mut Findings) {
    let queue = stairway.file("queue.c", include_str!("queue.c"));
    let mut table = table("Memory", &["calls", "largest process, MB", "times that of the first line"]);
    table.about =
        "The most memory that the command or its worker held, in runs of different length.".to_string();
    let ran = ["1500000", "15000000"].map(|calls| stairway.test(&queue, &["--seed", "1", "--calls", calls]));
    for one in &ran {
        let times = one.peak_mb / ran[0].peak_mb;
        table.rows.push(vec![one.n_calls.to_string(), format!("{:.1}", one.peak_mb), format!("{times:.2}")]);
    }
    findings.figure("c/memory 10:1", ran[1].peak_mb / ran[0].peak_mb, "times", Some(Goal::AtMost(MEMORY)));
    findings.table(table);
}

fn large_program(stairway: &Stairway, findings: &mut Findings) {
    let text = large::text();
    let file = stairway.file("large.c", &text);
    let (all, compiling) = stairway.checked(&file);
    let mut table = table("A large program", &["lines", "stairway check, s", "gcc alone, s", "times gcc"]);
    table.about = "One file without contracts: everything that happens before the first call, and the compiler alone with the same \
                   flags, which are those of the build just made."
        .to_string();
    table.rows.push(vec![
        text.lines().count().to_string(),
        format!("{all:.1}"),
        format!("{compiling:.1}"),
        format!("{:.2}", all / compiling),
    ]);
    findings.figure("c/100,000 lines", all / compiling, "times gcc", Some(Goal::AtMost(LARGE)));
    findings.table(table);
}

fn table(title: &'static str, header: &[&str]) -> Table {
    let header = header.iter().map(ToString::to_string).collect();
    Table { title, header, ..Table::default() }
}
