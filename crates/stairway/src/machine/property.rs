//! Formulas under `cargo test`: more states, more and longer traces, and statistics, by the engine and
//! the one checker.

use super::{Formula, Machine};
use crate::checker::Checker;
use crate::panics;
use crate::report::{Report, fail};
use stairway_engine::machine::{
    Edge, Found, Graph, MAX_OF_ONE, RECORD, Search, Standing, TRIES_A_STATE, is_counterexample, mark,
    never_met, wait,
};
use stairway_engine::{Case, Checked, Choices, Discard, Failure, Place, ShownStep, Stop};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};

/// The states of a machine and the steps between them, as far as they were explored.
#[derive(Debug)]
pub struct Explored<M: Machine> {
    /// The states, nearest to the start first.
    pub states: Vec<M::State>,
    /// The operation of each edge; none where the machine stays at its end.
    pub ops: Vec<Option<M::Op>>,
    /// Where each edge leads.
    pub to: Vec<u32>,
    /// Where the edges of each state begin.
    pub first: Vec<u32>,
    /// Whether all edges of a state are known.
    pub is_known: Vec<bool>,
    /// Whether everything was explored.
    pub is_complete: bool,
}

/// Explores a machine breadth first.
#[must_use]
pub fn explore<M: Machine>(
    max_states: usize,
    max_depth: u32,
    extra: &[i128],
    is_thorough: bool,
) -> Explored<M> {
    let mut known = Explored {
        states: vec![M::START],
        ops: Vec::new(),
        to: Vec::new(),
        first: Vec::new(),
        is_known: Vec::new(),
        is_complete: true,
    };
    let mut positions = BTreeMap::from([(M::key_of(&M::START), 0u32)]);
    let mut depths = vec![0u32];
    let mut n_left = max_states * TRIES_A_STATE;
    let mut from = 0;
    while from < known.states.len() {
        known.first.push(known.to.len() as u32);
        if depths[from] >= max_depth {
            known.is_known.push(false);
            known.is_complete = false;
            from += 1;
            continue;
        }
        let mut edges: Vec<(u128, u32)> = Vec::new();
        let (steps, mut is_known) = steps_from::<M>(known.states[from], extra, is_thorough, &mut n_left);
        for (op, to) in steps {
            let key = M::key_of(&to);
            let position = match positions.get(&key) {
                Some(position) => *position,
                None if known.states.len() >= max_states => {
                    is_known = false;
                    continue;
                }
                None => {
                    let position = known.states.len() as u32;
                    known.states.push(to);
                    depths.push(depths[from] + 1);
                    positions.insert(key, position);
                    position
                }
            };
            let edge = (M::key_of_op(&op), position);
            if !edges.contains(&edge) {
                edges.push(edge);
                known.ops.push(Some(op));
                known.to.push(position);
            }
        }
        if edges.is_empty() && is_known {
            known.ops.push(None);
            known.to.push(from as u32);
        }
        known.is_complete &= is_known;
        known.is_known.push(is_known);
        from += 1;
    }
    known
}

/// Steps with where they lead, and whether there are no others.
type Steps<M> = (Vec<(<M as Machine>::Op, <M as Machine>::State)>, bool);

/// The steps from a state, each argument among its representatives, and whether these are all.
fn steps_from<M: Machine>(
    state: M::State,
    extra: &[i128],
    is_thorough: bool,
    n_left: &mut usize,
) -> Steps<M> {
    let (mut steps, mut is_all) = (Vec::new(), true);
    let mut record = RECORD;
    let mut choices = Choices::counting(&mut record);
    let (mut op, mut n_of_op) = (0, 0);
    loop {
        let drawn = panics::explained(
            || M::draw(state, &mut choices, extra, is_thorough),
            || format!("in machine `{}`, in a step from state {state:?}", M::NAME),
        );
        match drawn {
            Ok(drawn) => steps.extend(drawn),
            Err(stop) => cannot_explore(stop),
        }
        if choices.first_index() != op {
            (op, n_of_op) = (choices.first_index(), 0);
        }
        n_of_op += 1;
        *n_left = n_left.saturating_sub(1);
        let is_over = n_of_op >= MAX_OF_ONE || *n_left == 0;
        is_all &= !is_over;
        if !(if is_over { choices.advance_first() } else { choices.advance() }) {
            return (steps, is_all);
        }
    }
}

/// Ends the test where `next` has panicked.
fn cannot_explore(stop: Stop) -> ! {
    let mut said = String::new();
    let _ = stop.map_failure(|failure| {
        said = format!("the machine is at fault: it panicked at {}:\n{}", failure.place, failure.message);
        failure
    });
    fail(said)
}

/// Checks a formula as the test that `check!` writes; panics with the report if it does not hold.
///
/// # Panics
/// If the formula does not hold.
pub fn check_formula<M: Machine>(module: &str, formula: &Formula<M>) {
    let name = format!("{module}::{}", formula.name);
    let mut is_explored = false;
    if !formula.is_random || !formula.reaches.is_empty() {
        match explored_verdict(formula) {
            Ok(Explored { is_complete: true, states, .. }) => {
                println!("property `{name}` holds: all {} states were explored", states.len());
                is_explored = true;
                if !formula.reaches.is_empty() || formula.n_traces == 0 {
                    return;
                }
            }
            Ok(_) if !formula.reaches.is_empty() => fail(format!(
                "property `{name}` is not decided: not everything can be explored ({} states at most); bound the machine's data, or allow more with \
                 `states(n)`",
                formula.max_states
            )),
            Ok(_) => {}
            Err(report) => fail(report),
        }
    }
    traces(&name, formula, is_explored).conclude();
}

/// The formula on all states that are explored, or the counterexample as text.
fn explored_verdict<M: Machine>(formula: &Formula<M>) -> Result<Explored<M>, String> {
    let known = explore::<M>(formula.max_states, formula.max_depth, formula.extra, formula.is_thorough);
    let mut edges: Vec<Edge> = known
        .to
        .iter()
        .zip(&known.ops)
        .map(|(to, op)| Edge { to: *to, letter: (formula.letter)(op.as_ref(), &known.states[*to as usize]) })
        .collect();
    let n = known.states.len();
    let mut letters: Vec<u32> = known.states.iter().map(|state| (formula.letter)(None, state)).collect();
    let (mut marked, mut unknown) = (vec![false; n], vec![false; n]);
    let graph = (&mut edges[..], &known.first[..], &known.is_known[..]);
    let undecided = mark(graph, &mut letters, formula.reaches, &mut marked, &mut unknown);
    let graph = Graph { n, edges: &edges, first: &known.first };
    let size = n * formula.automaton.n_states();
    let (mut path, mut room) = (vec![0; Search::longest_path(size)], vec![0; Search::room(size)]);
    let mut search = Search::new(&mut path, &mut room, size);
    if undecided.is_none()
        && let Some(found) = search.run(&graph, &formula.automaton, letters[0])
    {
        let n_letters = found.n_path + 1;
        let rooms = (&mut vec![0; n_letters][..], &mut vec![false; n_letters * formula.parts.len()][..]);
        let judged = (&formula.monitor, formula.parts);
        let is_sure = is_counterexample(judged, (&edges, letters[0]), &path, found, rooms);
        return Err(counterexample(formula, &known, &path, found, is_sure));
    }
    if known.is_complete
        && let Some(k) = never_met(&edges, letters[0], formula.conditions)
    {
        let condition = formula.condition_texts[k];
        return Err(format!(
            "{}\n  nothing was checked: the condition `{condition}` is never met",
            head(formula)
        ));
    }
    if formula.is_auto && known.is_complete {
        let m = formula.monitor.standings.len();
        let (mut product, mut first) = (vec![Edge::BLANK; edges.len() * m], vec![0; n * m]);
        let (mut waits, mut length) = (vec![false; n * m], vec![0; n * m]);
        let rooms = (&mut product[..], &mut first[..], &mut waits[..], &mut length[..]);
        if let Some(steps) = wait(&graph, &formula.monitor, letters[0], rooms) {
            println!("property `{}` holds with `within({steps}, ..)` and with nothing smaller", formula.name);
        }
    }
    Ok(known)
}

fn head<M: Machine>(formula: &Formula<M>) -> String {
    format!(
        "property `{}` of machine `{}` does not hold{}\n  formula: {}",
        formula.name,
        M::NAME,
        formula.doc,
        formula.text
    )
}

fn counterexample<M: Machine>(
    formula: &Formula<M>,
    known: &Explored<M>,
    path: &[u32],
    found: Found,
    is_sure: bool,
) -> String {
    let mut text = format!(
        "{}\n  counterexample ({} states were explored):\n         {:?}",
        head(formula),
        known.states.len(),
        M::START
    );
    if !is_sure {
        text += "\n  (looked at again it does not fail: this is a mistake in Stairway, please report it)";
    }
    for (k, edge) in path[..found.n_path].iter().enumerate() {
        let op =
            known.ops[*edge as usize].map_or("(nothing is possible)".to_string(), |op| format!("{op:?}"));
        let _ =
            write!(text, "\n    {:2}. {op} -> {:?}", k + 1, known.states[known.to[*edge as usize] as usize]);
    }
    if let Some(from) = found.circle_from {
        let _ = write!(text, "\n         and so on for ever, again from step {}", from + 1);
    }
    text
}

/// Checks a formula on random traces and gives the report: most as long as the compiler draws them, one
/// in a hundred a hundred times as long.
pub fn formula_report<M: Machine>(name: &str, formula: &Formula<M>) -> Report {
    traces(name, formula, false)
}

fn traces<M: Machine>(name: &str, formula: &Formula<M>, is_explored: bool) -> Report {
    let formula = *formula;
    let is_cut = AtomicBool::new(is_explored);
    let mut report =
        Checker::new(name).cases(formula.n_traces.max(1)).report(|case| trace(&formula, case, &is_cut));
    // Traces that end where the formula is decided need not get anywhere else, and nobody needs to know where they did not if
    // all was explored.
    if !is_cut.load(Ordering::Relaxed) {
        say_untaken::<M>(&mut report);
    }
    report
}

/// How many transitions are named that were never taken.
const MAX_NAMED: usize = 5;

/// Says which states no case came to, and which transitions between the others no case took.
pub(super) fn say_untaken<M: Machine>(report: &mut Report) {
    let Some(table) = report.result.statistics.tables.get("transitions taken") else { return };
    if !report.is_success() {
        return;
    }
    let name =
        |t: &super::Transition| format!("{} -- {} --> {}", M::STATES[t.from], M::OPS[t.op], M::STATES[t.to]);
    let (taken, not): (Vec<&super::Transition>, Vec<&super::Transition>) =
        M::TRANSITIONS.iter().partition(|t| table.rows.contains_key(&name(t)));
    let is_reached = |state: usize| state == M::state_index(&M::START) || taken.iter().any(|t| t.to == state);
    let mut said = Vec::new();
    let states: Vec<&str> = (0..M::STATES.len()).filter(|k| !is_reached(*k)).map(|k| M::STATES[k]).collect();
    if !states.is_empty() {
        said.push(format!("never reached: {}", some_of(&states)));
    }
    let mut never: Vec<String> =
        not.into_iter().filter(|t| is_reached(t.from) && is_reached(t.to)).map(name).collect();
    never.sort();
    never.dedup();
    if !never.is_empty() {
        said.push(format!("never taken: {}", some_of(&never)));
    }
    if !said.is_empty() {
        report.warnings.push(said.join("; "));
    }
}

/// The first few names, and how many more there are.
fn some_of<T: AsRef<str>>(names: &[T]) -> String {
    let shown: Vec<&str> = names.iter().take(MAX_NAMED).map(AsRef::as_ref).collect();
    let more = names.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", shown.join(", "))
}

/// Draws one trace and judges it.
fn trace<M: Machine>(formula: &Formula<M>, case: &mut Case<'_>, is_cut: &AtomicBool) -> Checked {
    let choices = case.choices();
    choices.open("program");
    let is_long = choices.chance(1, 100);
    let depth = formula.depth * if is_long { formula.times } else { 1 };
    let most = choices.steps(0, depth);
    let mut state = M::START;
    let mut judged = Judged::new(formula, &state);
    let mut n = 0;
    let mut taken: Vec<(usize, usize, usize)> = Vec::new();
    loop {
        match judged.standing() {
            Standing::Holds => {
                is_cut.fetch_or(n < depth, Ordering::Relaxed);
                break;
            }
            Standing::Fails => return Err(judged.failure()),
            Standing::Waiting if n >= depth * 10 => {
                if formula.may_be_open {
                    break;
                }
                return Err(judged.still_waiting(n));
            }
            Standing::Open if n >= most => break,
            _ => {}
        }
        case.choices().open("step");
        let drawn = drawn::<M>(state, case, formula)?;
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        case.choices().close();
        let Some((op, to)) = drawn else {
            refuse_if_possible::<M>(case, state)?;
            if judged.at_the_end(&state) == Standing::Fails {
                return Err(judged.failure());
            }
            break;
        };
        if case.is_detailed() {
            let step = shown_step::<M>(n as u32, &op, &to);
            case.observed().steps.push(step);
        }
        taken.push((M::state_index(&state), M::op_index(&op), M::state_index(&to)));
        judged.step(&op, &to);
        state = to;
        n += 1;
    }
    case.choices().close();
    count_transitions::<M>(case, &mut taken);
    Ok(())
}

/// Draws a step; a panic in `next` says in which state that was.
fn drawn<M: Machine>(
    state: M::State,
    case: &mut Case<'_>,
    formula: &Formula<M>,
) -> Checked<Option<(M::Op, M::State)>> {
    panics::explained(
        || M::draw(state, case.choices(), formula.extra, formula.is_thorough),
        || format!("in machine `{}`, in a step from state {state:?}", M::NAME),
    )
}

/// Where choices are counted through, a step that is not possible is tried once: then this case is none, unless nothing at all is
/// possible.
fn refuse_if_possible<M: Machine>(case: &mut Case<'_>, state: M::State) -> Checked {
    let mut n_left = usize::MAX;
    let is_refused =
        case.choices().is_counting() && !steps_from::<M>(state, &[], false, &mut n_left).0.is_empty();
    if is_refused { Err(Stop::discard(Discard::Assume(Place::from(Location::caller())))) } else { Ok(()) }
}

/// Draws one trace of a formula's depth and says where the formula stands at its end: for properties that hold only mostly, whose
/// share is then a coverage demand.
///
/// # Errors
/// Ends the case when no more can be drawn.
pub fn outcome<M: Machine>(case: &mut Case<'_>, formula: &Formula<M>) -> Checked<Standing> {
    let mut state = M::START;
    let mut judged = Judged::new(formula, &state);
    for n in 0..formula.depth {
        if matches!(judged.standing(), Standing::Fails | Standing::Holds) {
            break;
        }
        let drawn = drawn::<M>(state, case, formula)?;
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        let Some((op, to)) = drawn else {
            refuse_if_possible::<M>(case, state)?;
            return Ok(judged.at_the_end(&state));
        };
        if case.is_detailed() {
            let step = shown_step::<M>(n as u32, &op, &to);
            case.observed().steps.push(step);
        }
        judged.step(&op, &to);
        state = to;
    }
    Ok(judged.standing())
}

/// A step of a trace as it is shown.
pub(super) fn shown_step<M: Machine>(ordinal: u32, op: &M::Op, to: &M::State) -> ShownStep {
    let (arguments, answer) = M::parts(op);
    ShownStep {
        name: M::OPS[M::op_index(op)],
        ordinal,
        arguments,
        answer,
        state: format!("{to:?}"),
        ..ShownStep::default()
    }
}

/// A transition in words.
pub(super) fn transition<M: Machine>(from: &M::State, op: &M::Op, to: &M::State) -> String {
    let (from, to) = (M::STATES[M::state_index(from)], M::STATES[M::state_index(to)]);
    format!("{from} -- {} --> {to}", M::OPS[M::op_index(op)])
}

/// Shown without quotes.
pub(super) struct Plain(pub(super) String);

impl std::fmt::Debug for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Counts each transition once a case, and those that no case took not at all: the table of
/// transitions says how many cases took each.
pub(super) fn count_transitions<M: Machine>(case: &mut Case<'_>, taken: &mut Vec<(usize, usize, usize)>) {
    taken.sort_unstable();
    taken.dedup();
    for (from, op, to) in taken {
        let label = format!("{} -- {} --> {}", M::STATES[*from], M::OPS[*op], M::STATES[*to]);
        case.collect("transitions taken", Plain(label));
    }
}

/// A formula on its way along a run.
#[derive(Debug)]
pub(super) struct Judged<'f, M: Machine> {
    formula: &'f Formula<M>,
    at: u16,
}

impl<'f, M: Machine> Judged<'f, M> {
    pub(super) fn new(formula: &'f Formula<M>, start: &M::State) -> Self {
        let letter = (formula.letter)(None, start);
        Judged { formula, at: formula.monitor.after(stairway_engine::machine::Monitor::START, letter) }
    }

    pub(super) fn from(formula: &'f Formula<M>, at: u16) -> Self {
        Judged { formula, at }
    }

    pub(super) fn position(&self) -> u16 {
        self.at
    }

    pub(super) fn step(&mut self, op: &M::Op, to: &M::State) {
        self.at = self.formula.monitor.after(self.at, (self.formula.letter)(Some(op), to));
    }

    pub(super) fn standing(&self) -> Standing {
        self.formula.monitor.standing(self.at)
    }

    pub(super) fn at_the_end(&self, state: &M::State) -> Standing {
        self.formula.monitor.at_the_end(self.at, (self.formula.letter)(None, state))
    }

    pub(super) fn failure(&self) -> Stop {
        let Formula { name, text, .. } = self.formula;
        Stop::fail(Failure::of(
            format!("formula `{name}`"),
            format!("formula `{name}` does not hold: {text}"),
        ))
    }

    fn still_waiting(&self, n: u64) -> Stop {
        let Formula { name, text, .. } = self.formula;
        let message = format!(
            "formula `{name}` is open after {n} steps, something that must happen has not happened: {text}\n\
             say how long it may take with `within(n, ..)`, or write the option `open`"
        );
        Stop::fail(Failure::of(format!("formula `{name}`"), message))
    }
}

/// Checks a property of functions as the test that `check!` writes: `judge` draws and gives nothing if
/// the arguments do not meet the condition, and else what is wrong, if anything.
///
/// # Panics
/// If the property does not hold.
#[track_caller]
pub fn check_function(
    name: &str,
    text: &str,
    n_cases: u64,
    judge: impl Fn(&mut Choices<'_>, bool) -> Option<Option<String>> + Sync,
) {
    let here = Place::from(Location::caller());
    Checker::new(name).cases(n_cases).run(|case| {
        let is_shown = case.is_detailed();
        let judged = judge(case.choices(), is_shown);
        if let Some(halt) = case.choices().halted() {
            return Err(Stop::halt(halt));
        }
        match judged {
            None => Err(Stop::discard(Discard::Assume(here))),
            Some(None) => Ok(()),
            Some(Some(arguments)) => {
                if is_shown {
                    case.note(format!("for{arguments}"));
                }
                Err(Stop::fail(Failure::of("the property", format!("`{text}` is false"))))
            }
        }
    });
}
