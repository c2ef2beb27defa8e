//! What is known of each function after a hunt: how often it was called, what kept it from being called,
//! which of its lines were reached.

use super::notes;
use crate::ctypes::CType;
use crate::facts::{HuntFact, Refusal};
use crate::hunt::{HuntResult, ReachedLines};
use crate::operations::lines;
use crate::project::Project;
use stairway::Report;
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

/// What kind of thing stood against a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Obstacle {
    /// Something that the precondition asks for.
    Precondition,
    /// There was nothing to pass.
    Nothing,
    /// What there was is doubtful.
    Doubt,
}

impl Obstacle {
    const fn of(why: Refusal) -> Obstacle {
        match why {
            Refusal::Clause(_) | Refusal::NotThere | Refusal::NoBody => Obstacle::Precondition,
            Refusal::Nothing(_) => Obstacle::Nothing,
            Refusal::Doubtful(_) => Obstacle::Doubt,
        }
    }
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
    let counted: Vec<(HuntFact, u64)> = HuntFact::all(statistics).collect();
    let mut facts: Vec<Facts> = counts
        .names
        .iter()
        .enumerate()
        .map(|(k, name)| {
            let unmet = unmet(project, &counted, name);
            let (n_calls, n_discards) = (counts.n_done[k], counts.n_refused[k]);
            // A search that ends with its first failure has counted nothing of that sequence.
            let n_calls = if n_calls == 0 { n_in_failures(&found.report, name) } else { n_calls };
            let states = states(project, &counted, name, n_calls > 0);
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

/// What stood against calls of each function, the most frequent first.
fn unmet(project: &Project, facts: &[(HuntFact, u64)], function: &str) -> Vec<UnmetClause> {
    let mut counts: BTreeMap<(Obstacle, String), u64> = BTreeMap::new();
    for (fact, n) in facts {
        if let HuntFact::Refused { function: of, why } = fact
            && of == function
        {
            let words = notes::refusal(project, function, *why);
            *counts.entry((Obstacle::of(*why), words)).or_default() += n;
        }
    }
    let mut all: Vec<UnmetClause> =
        counts.into_iter().map(|((obstacle, words), n)| UnmetClause { obstacle, words, n }).collect();
    all.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.words.cmp(&b.words)));
    all
}

/// What became of the states of a function, if any were tried; `is_called` if something satisfies its precondition.
fn states(project: &Project, facts: &[(HuntFact, u64)], function: &str, is_called: bool) -> Option<States> {
    let (mut n_tried, mut n_callable) = (0, 0);
    let mut obstacles: BTreeMap<String, u64> = BTreeMap::new();
    for (fact, n) in facts {
        match fact {
            HuntFact::State { function: of, is_callable } if of == function => {
                n_tried += n;
                n_callable += if *is_callable { *n } else { 0 };
            }
            HuntFact::NoState { function: of, why } if of == function => {
                n_tried += n;
                *obstacles.entry(notes::state_obstacle(project, why, is_called)).or_default() += n;
            }
            _ => {}
        }
    }
    let mut obstacles: Vec<(String, u64)> = obstacles.into_iter().collect();
    obstacles.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    (n_tried > 0).then_some(States { n_tried, n_callable, obstacles })
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
fn coverage(reached: &ReachedLines, project: &Project) -> BTreeMap<String, Lines> {
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
