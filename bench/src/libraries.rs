//! Section `libraries`: public C libraries without a contract, and bugs planted in them, at default settings.

use crate::findings::{Findings, Goal, Table};
use ::libraries::{Baseline, Bug, Help, Library, Runner, SEEDS};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Libraries to run.
const N_LIBRARIES: f64 = 15.0;
/// Of all public functions, in percent.
const CALLED: f64 = 80.0;
/// Of all planted bugs.
const N_BUGS: f64 = 20.0;
/// Seconds until half of the bugs are found.
const MEDIAN: f64 = 2.0;

pub(crate) fn run(findings: &mut Findings) {
    let Some(runner) = built() else {
        eprintln!("bench: the command cannot be built; section libraries is left out");
        return;
    };
    let mut fetched = Vec::new();
    for library in ::libraries::catalog() {
        match ::libraries::fetch::fetch(&library, &::libraries::store()) {
            Ok(folder) => fetched.push((library, folder)),
            Err(error) => eprintln!("bench: {error}"),
        }
    }
    let baselines = all_libraries(&runner, &fetched, findings);
    match ::libraries::bugs() {
        Ok(bugs) => all_bugs(&runner, &fetched, baselines, &bugs, findings),
        Err(error) => eprintln!("bench: {error}"),
    }
}

fn built() -> Option<Runner> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let built = Command::new("cargo")
        .args(["build", "--release", "--quiet", "--package", "stairway-cli"])
        .current_dir(root)
        .status();
    let program = ::libraries::store().with_file_name("release").join("stairway");
    built.is_ok_and(|status| status.success()).then(|| Runner::new(program))
}

/// Runs the libraries, and returns how each fails as it is.
fn all_libraries(runner: &Runner, fetched: &[(Library, PathBuf)], findings: &mut Findings) -> Vec<Baseline> {
    let header = [
        "library",
        "version",
        "kind",
        "lines",
        "public functions",
        "called, %",
        "alarms",
        "with text to paste",
        "with an instruction",
        "without help",
        "calls",
        "seconds",
    ];
    let mut table = Table { title: "Public libraries", ..Table::default() };
    table.header = header.map(String::from).to_vec();
    table.about = "`stairway test` over the files of public C libraries without a contract, at default settings. Public \
                   functions are those that the linker sees. An alarm is a failure of its own; without a contract, most are \
                   calls that nobody would make, and the report says what to write: text to paste (a contract that excludes the call, or a \
                   function that makes it only where it is right), or an instruction."
        .to_string();
    let (mut n_public, mut n_called, mut n_run, mut n_helpless) = (0, 0, 0, 0);
    let mut baselines = Vec::new();
    for (library, folder) in fetched {
        let public = ::libraries::symbols::public_functions(library, folder).unwrap_or_default();
        let ran = runner.run(library, folder, None).unwrap_or_default();
        let called = public.intersection(&ran.called).count();
        n_run += usize::from(!ran.outcome.is_empty());
        (n_public, n_called) = (n_public + public.len(), n_called + called);
        let with = |help: Help| ran.alarms.iter().filter(|alarm| alarm.help() == help).count();
        n_helpless += with(Help::None);
        baselines.push(Baseline::of(&ran));
        table.rows.push(vec![
            library.name.clone(),
            library.version.clone(),
            library.kind.clone(),
            n_lines(library, folder).to_string(),
            public.len().to_string(),
            format!("{:.0}", percent(called, public.len())),
            if ran.outcome.is_empty() { "no report".to_string() } else { ran.alarms.len().to_string() },
            with(Help::Text).to_string(),
            with(Help::Instruction).to_string(),
            with(Help::None).to_string(),
            ran.n_calls.to_string(),
            format!("{:.1}", ran.seconds),
        ]);
    }
    findings.figure("libraries/run", n_run as f64, "libraries", Some(Goal::AtLeast(N_LIBRARIES)));
    findings.figure("libraries/called", percent(n_called, n_public), "%", Some(Goal::AtLeast(CALLED)));
    findings.figure("libraries/alarms without help", n_helpless as f64, "alarms", Some(Goal::AtMost(0.0)));
    findings.table(table);
    baselines
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn n_lines(library: &Library, folder: &Path) -> usize {
    let text = |file: &String| std::fs::read(folder.join(file)).unwrap_or_default();
    library.files.iter().map(|file| text(file).iter().filter(|byte| **byte == b'\n').count()).sum()
}

fn all_bugs(
    runner: &Runner,
    fetched: &[(Library, PathBuf)],
    baselines: Vec<Baseline>,
    bugs: &[Bug],
    findings: &mut Findings,
) {
    let mut table = Table { title: "Planted bugs", ..Table::default() };
    table.header = ["bug", "what is wrong", "found", "seconds"].map(String::from).to_vec();
    table.about = format!(
        "Bugs of one or two lines, planted one at a time (`case-studies/libraries/patches`), each looked for with {} seeds at \
         default settings. Found is a failure whose sequence does not fail like this without the patch. Seconds from the start of \
         the command until that failure is on disk, building the C files included; the median of the seeds that found it.",
        SEEDS.len()
    );
    let (mut n_found, mut medians) = (0, Vec::new());
    for ((library, folder), mut baseline) in fetched.iter().zip(baselines) {
        for bug in bugs.iter().filter(|bug| bug.library == library.name) {
            let mut hunt = |seed| runner.hunt(library, folder, bug, seed, &mut baseline).ok().flatten();
            let mut seconds: Vec<f64> = SEEDS.iter().filter_map(|seed| Some(hunt(*seed)?.seconds)).collect();
            seconds.sort_by(f64::total_cmp);
            n_found += usize::from(seconds.len() == SEEDS.len());
            let median = seconds.get(seconds.len() / 2).copied();
            medians.push(median.unwrap_or(f64::INFINITY));
            table.rows.push(vec![
                bug.name.clone(),
                bug.wrong.clone(),
                format!("{} of {}", seconds.len(), SEEDS.len()),
                median.map_or("-".to_string(), |median| format!("{median:.1}")),
            ]);
        }
    }
    medians.sort_by(f64::total_cmp);
    let median = medians.get(medians.len() / 2).copied().unwrap_or(f64::INFINITY);
    findings.figure(
        "libraries/bugs found by every seed",
        n_found as f64,
        "bugs",
        Some(Goal::AtLeast(N_BUGS)),
    );
    findings.figure("libraries/seconds to a bug, median", median, "s", Some(Goal::AtMost(MEDIAN)));
    findings.table(table);
}
