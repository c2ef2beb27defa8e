//! What is known of each function after a hunt: how often it was called, what kept it from being called,
//! which of its lines were reached.

use crate::ctypes::CType;
use crate::hunt::{HuntResult, Reached};
use crate::operations::lines;
use crate::operations::refusals::{self, Obstacle};
use crate::project::Project;
use stairway::Report;
use stairway::engine::Statistics;
use stairway::report::Outcome;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What is known of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its name.
    pub name: String,
    /// How often it was called.
    pub n_calls: u64,
    /// How often it was not, because its arguments did not meet its precondition or could not be had.
    pub n_discards: u64,
    /// How many states were made for it from its precondition, and how many of them it could be called with.
    pub states: Option<States>,
    /// What stood against calls of it, the most frequent first.
    pub unmet: Vec<UnmetClause>,
    /// Its lines, if that is known.
    pub lines: Option<Lines>,
    /// Why it was never called, if it was not.
    pub never: Option<String>,
}

/// Something that stood against calls of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmetClause {
    /// What kind of reason it is.
    pub obstacle: Obstacle,
    /// The clause, or words.
    pub words: String,
    /// How often it did.
    pub n: u64,
}

/// The states that were made for a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct States {
    /// How often one was tried.
    pub n_tried: u64,
    /// How many the precondition accepted.
    pub n_callable: u64,
    /// The clauses at which none could be made, with how often, the worst first.
    pub obstacles: Vec<(String, u64)>,
}

/// The lines of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    /// How many have code.
    pub n: usize,
    /// Those that no sequence has reached.
    pub not_reached: Vec<u32>,
}

/// So many clauses are shown for each function.
const MAX_CLAUSES: usize = 3;
/// So many lines that were not reached are shown for each function.
const MAX_LINES: usize = 8;

/// The facts about all functions: those that were called as programs' operations, then the others.
pub(super) fn facts(found: &HuntResult) -> Vec<Facts> {
    let (project, statistics) = (&found.project, &found.report.result.statistics);
    let mut lines = coverage(&found.reached, project);
    let counts = &statistics.program;
    let mut facts: Vec<Facts> = counts
        .names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            let unmet = unmet(statistics, name);
            let (n_calls, n_discards) = (counts.n_done[k], counts.n_refused[k]);
            // A search that ends with its first failure has counted nothing of that sequence.
            let n_calls = if n_calls == 0 { n_in_failures(&found.report, name) } else { n_calls };
            let states = states(statistics, name);
            let never = (n_calls == 0).then(|| {
                let refused = (n_discards, counts.n_impossible[k]);
                let why = never(project, name, refused, &unmet, &found.report.result.outcome);
                match states.as_ref().and_then(|states| states.obstacles.first()) {
                    Some((obstacle, _)) => format!("{why}; {}", without_state(obstacle)),
                    None => why,
                }
            });
            let (name, lines) = ((*name).to_string(), lines.remove(*name));
            Facts { name, n_calls, n_discards, states, unmet, lines, never }
        })
        .collect();
    facts.extend(found.not_called.iter().map(|not| Facts {
        name: not.name.clone(),
        n_calls: 0,
        n_discards: 0,
        states: None,
        unmet: Vec::new(),
        lines: None,
        never: Some(not.why.clone()),
    }));
    facts
}

/// How often a function is called in the sequences that fail.
fn n_in_failures(report: &Report, name: &str) -> u64 {
    let first = match &report.result.outcome {
        Outcome::Falsified(found) => &found.observed.steps[..],
        Outcome::Flaky(flaky) => &flaky.failing.as_ref().unwrap_or(&flaky.observed).steps,
        _ => &[],
    };
    let others = report.result.others.iter().flat_map(|other| &other.observed.steps);
    first.iter().chain(others).filter(|step| step.name == name).count() as u64
}

/// What stood against calls of a function, the most frequent first.
fn unmet(statistics: &Statistics, function: &str) -> Vec<UnmetClause> {
    let of_kind = |obstacle: Obstacle| {
        let table = statistics.tables.get(&*refusals::table(function, obstacle));
        let rows = table.into_iter().flat_map(|table| &table.rows);
        rows.map(move |(row, n)| UnmetClause { obstacle, words: row.clone(), n: *n })
    };
    let mut all: Vec<UnmetClause> = Obstacle::ALL.into_iter().flat_map(of_kind).collect();
    all.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.words.cmp(&b.words)));
    all
}

/// What became of the states of a function, if any were tried.
fn states(statistics: &Statistics, function: &str) -> Option<States> {
    let made = statistics.tables.get(&*refusals::state_table(function));
    let none = statistics.tables.get(&*refusals::no_state_table(function));
    let count = |row: &str| made.and_then(|table| table.rows.get(row)).copied().unwrap_or(0);
    let rows = none.into_iter().flat_map(|table| &table.rows);
    let mut obstacles: Vec<(String, u64)> = rows.map(|(row, n)| (row.clone(), *n)).collect();
    obstacles.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let n_callable = count(refusals::CALLABLE);
    let n_none: u64 = obstacles.iter().map(|(_, n)| n).sum();
    let n_tried = n_callable + count(refusals::NOT_CALLABLE) + n_none;
    (made.is_some() || none.is_some()).then_some(States { n_tried, n_callable, obstacles })
}

/// What to do where no state can be made.
fn without_state(obstacle: &str) -> String {
    format!(
        "no state is made: {obstacle}; if there are such states, write a function that makes one and name it with --make"
    )
}

/// Why a function that could be called in principle never was.
fn never(
    project: &Project,
    name: &str,
    (n_refused, n_impossible): (u64, u64),
    unmet: &[UnmetClause],
    outcome: &Outcome,
) -> String {
    if let Some(UnmetClause { obstacle, words, n }) = unmet.first() {
        return match obstacle {
            Obstacle::Nothing => format!("there was {words} in any of {n} attempts"),
            Obstacle::Doubt => format!("what there was to pass was {words} in {n} of {n_refused} attempts"),
            Obstacle::Precondition => {
                format!("its precondition was never met; of {n_refused} attempts, {n} failed at `{words}`")
            }
        };
    }
    if n_refused == 0 && n_impossible == 0 {
        let is_over = matches!(outcome, Outcome::Falsified(_) | Outcome::Flaky(_));
        let why = if is_over {
            "the search ended with a failure before"
        } else {
            "search for longer with --calls or --time"
        };
        return format!("it was never drawn; {why}");
    }
    if n_refused > 0 {
        return "every call of it failed or ended the program, as the notes say".to_string();
    }
    let types = &project.program.types;
    let function = project.program.functions.iter().find(|f| f.is_defined && f.name == name);
    let pointer = function.and_then(|function| {
        let parameters = function.parameters.iter().zip(&function.signature.parameters);
        let pointers = parameters.filter_map(|(name, ty)| match types.get(*ty) {
            CType::Pointer { to, .. } => Some((name, *ty, matches!(types.get(*to), CType::Function(_)))),
            _ => None,
        });
        // An object may be made up, a function that has to allocate cannot.
        let (name, ty, is_function) = pointers.min_by_key(|(_, _, is_function)| !is_function)?;
        Some(match is_function {
            true => format!(" for `{name}`: there is no function of its type, and none can be made up"),
            false => format!(" for `{name}`: no call gave a `{}`", types.name(ty)),
        })
    });
    format!("no argument could be made{}", pointer.unwrap_or_default())
}

/// The lines of each function, if they were built with coverage.
fn coverage(reached: &Reached, project: &Project) -> BTreeMap<String, Lines> {
    if reached.is_empty() {
        return BTreeMap::new();
    }
    let nothing = BTreeSet::new();
    let of = |(function, all): (&str, BTreeSet<u32>)| {
        let reached = reached.get(function).unwrap_or(&nothing);
        let not_reached = all.difference(reached).copied().collect();
        (function.to_string(), Lines { n: all.len(), not_reached })
    };
    lines::all(project).into_iter().map(of).collect()
}

/// The facts as text.
pub(super) fn table(out: &mut String, functions: &[Facts]) {
    let called: Vec<&Facts> = functions.iter().filter(|facts| facts.n_calls + facts.n_discards > 0).collect();
    if called.is_empty() {
        return;
    }
    let width = called.iter().map(|facts| facts.name.len()).max().unwrap_or(0).max("function".len());
    let has_lines = called.iter().any(|facts| facts.lines.is_some());
    let lines = if has_lines { "  lines" } else { "" };
    let has_states = called.iter().any(|facts| facts.states.is_some());
    let states = if has_states { format!(" {:>16}", "states callable") } else { String::new() };
    let _ = writeln!(out, "\n{:width$} {:>10} {:>10}{states}{lines}", "function", "calls", "discards");
    for facts in called {
        let lines = facts.lines.as_ref().map(line_text).unwrap_or_default();
        let Facts { name, n_calls, n_discards, .. } = facts;
        let states = match &facts.states {
            _ if !has_states => String::new(),
            Some(states) => format!(" {:>16}", format!("{} of {}", states.n_callable, states.n_tried)),
            None => format!(" {:>16}", "-"),
        };
        let row = format!("{name:width$} {n_calls:>10} {n_discards:>10}{states}{lines}");
        let _ = writeln!(out, "{}", row.trim_end());
        if let Some((clause, n)) = facts.states.as_ref().and_then(|states| states.obstacles.first()) {
            let _ = writeln!(out, "{:width$} {:>10} {n:>10}  no state made: {clause}", "", "");
        }
        let n_clauses: u64 = facts.unmet.iter().map(|unmet| unmet.n).sum();
        for UnmetClause { obstacle, words, n } in facts.unmet.iter().take(MAX_CLAUSES) {
            let not_met = if *obstacle == Obstacle::Precondition { "not met: " } else { "" };
            let _ = writeln!(out, "{:width$} {:>10} {n:>10}  {not_met}{words}", "", "");
        }
        if facts.unmet.len() > MAX_CLAUSES {
            let rest = n_clauses - facts.unmet.iter().take(MAX_CLAUSES).map(|unmet| unmet.n).sum::<u64>();
            let _ = writeln!(out, "{:width$} {:>10} {rest:>10}  not met: other clauses", "", "");
        }
    }
}

fn line_text(lines: &Lines) -> String {
    let reached = lines.n - lines.not_reached.len();
    if lines.not_reached.is_empty() {
        return format!("  all {}", lines.n);
    }
    let mut missing: Vec<String> = lines.not_reached.iter().take(MAX_LINES).map(u32::to_string).collect();
    if lines.not_reached.len() > MAX_LINES {
        missing.push(format!("and {} more", lines.not_reached.len() - MAX_LINES));
    }
    format!("  {reached} of {}, not reached: {}", lines.n, missing.join(", "))
}
