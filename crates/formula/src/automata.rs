//! Turns a formula into tables: a monitor by progression, and an automaton for the negation by a tableau.

use super::normal::{AutoDeadline, Formula};
use super::tables::{ANYTHING, Automaton, CYCLIC, Monitor, Move, Standing};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;

/// How many states either may have.
const MAX_STATES: usize = 1000;

/// Formulas that must all hold from the next letter on.
type All = BTreeSet<Formula>;
/// One of them.
type Any = BTreeSet<All>;

/// The tables of a monitor as they are made.
#[derive(Clone, Debug)]
pub struct MonitorTables {
    table: Vec<u16>,
    standings: Vec<Standing>,
    waits: Vec<bool>,
    n_atoms: u32,
}

impl MonitorTables {
    /// The monitor that reads them.
    #[must_use]
    pub fn monitor(&self) -> Monitor<'_> {
        let MonitorTables { table, standings, waits, n_atoms } = self;
        Monitor { table, standings, waits, n_atoms: *n_atoms }
    }
}

/// The tables of an automaton as they are made.
#[derive(Clone, Debug, Default)]
pub struct AutomatonTables {
    rows: Vec<u16>,
    first: Vec<u32>,
    moves: Vec<Move>,
    is_cyclic: Vec<bool>,
    n_states: u32,
    n_atoms: u32,
    width: u32,
    promises: u32,
}

impl AutomatonTables {
    /// The automaton that reads them.
    #[must_use]
    pub fn automaton(&self) -> Automaton<'_> {
        let AutomatonTables { rows, first, moves, is_cyclic, n_states, n_atoms, width, promises } = self;
        let (n_states, n_atoms, width, promises) = (*n_states, *n_atoms, *width, *promises);
        Automaton { rows, first, moves, is_cyclic, n_states, n_atoms, width, promises }
    }

    /// The tables for the transitions of each state; `None` if they would be too large.
    fn of(mut states: Vec<Vec<Turn>>, n_atoms: usize, promises: u32) -> Option<AutomatonTables> {
        let is_cyclic = mark_cyclic(&mut states, promises);
        let mut numbers: BTreeMap<Vec<Move>, u16> = BTreeMap::new();
        let mut tables = AutomatonTables {
            first: vec![0],
            n_states: states.len() as u32,
            n_atoms: n_atoms as u32,
            promises,
            is_cyclic,
            ..AutomatonTables::default()
        };
        for turns in &states {
            for letter in 0..1u32 << n_atoms {
                let row = row(turns, letter);
                let number = match numbers.get(&row) {
                    Some(number) => *number,
                    None => {
                        let number = u16::try_from(numbers.len()).ok()?;
                        tables.moves.extend(&row);
                        tables.first.push(tables.moves.len() as u32);
                        tables.width = tables.width.max(row.len() as u32);
                        numbers.insert(row, number);
                        number
                    }
                };
                tables.rows.push(number);
            }
        }
        Some(tables)
    }
}

/// A transition that is possible on letters with all of `must` and none of `must_not`.
struct Turn {
    must: u32,
    must_not: u32,
    made: Move,
}

/// Marks the transitions between states of which each can reach the other while every promise is kept; says of
/// each state whether it is one.
fn mark_cyclic(states: &mut [Vec<Turn>], promises: u32) -> Vec<bool> {
    let reachable = |from: usize| {
        let (mut is_reached, mut todo) = (vec![false; states.len()], vec![from]);
        while let Some(at) = todo.pop() {
            for to in states[at].iter().map(|turn| turn.made.to).filter(|to| *to != ANYTHING) {
                if !core::mem::replace(&mut is_reached[usize::from(to)], true) {
                    todo.push(usize::from(to));
                }
            }
        }
        is_reached
    };
    let reached: Vec<Vec<bool>> = (0..states.len()).map(reachable).collect();
    let is_inside =
        |from: usize, turn: &Turn| turn.made.to != ANYTHING && reached[usize::from(turn.made.to)][from];
    let kept = |from: usize| {
        let others = (0..states.len()).filter(|other| reached[from][*other] && reached[*other][from]);
        let inside = others.flat_map(|other| states[other].iter().filter(move |turn| is_inside(other, turn)));
        inside.fold(0, |kept, turn| kept | turn.made.kept | CYCLIC)
    };
    let is_cyclic: Vec<bool> = (0..states.len()).map(|k| kept(k) == promises | CYCLIC).collect();
    for (from, turns) in states.iter_mut().enumerate().filter(|(from, _)| is_cyclic[*from]) {
        for turn in turns.iter_mut().filter(|turn| is_inside(from, turn)) {
            turn.made.kept |= CYCLIC;
        }
    }
    is_cyclic
}

/// The transitions that are possible on a letter, without those that others are as good as.
fn row(turns: &[Turn], letter: u32) -> Vec<Move> {
    let is_possible = |turn: &&Turn| letter & turn.must == turn.must && letter & turn.must_not == 0;
    let possible: Vec<Move> = turns.iter().filter(is_possible).map(|turn| turn.made).collect();
    if possible.iter().any(|made| made.to == ANYTHING) {
        return vec![Move { to: ANYTHING, kept: 0 }];
    }
    let is_better =
        |one: &Move, other: &Move| one != other && one.to == other.to && one.kept & other.kept == other.kept;
    let mut row: Vec<Move> = possible.clone();
    row.retain(|made| !possible.iter().any(|other| is_better(other, made)));
    row.sort_unstable();
    row.dedup();
    row
}

fn truth() -> Any {
    BTreeSet::from([All::new()])
}

fn or(mut a: Any, b: Any) -> Any {
    a.extend(b);
    simplified(a)
}

fn and(a: &Any, b: &Any) -> Any {
    let mut all = Any::new();
    for one in a {
        for other in b {
            if let Some(joined) = joined(one.union(other).cloned().collect()) {
                all.insert(joined);
            }
        }
    }
    simplified(all)
}

/// Without what follows from the rest; `None` if it cannot be.
fn joined(all: All) -> Option<All> {
    if all.iter().any(|f| matches!(f, Formula::Atom(k) if all.contains(&Formula::Not(*k)))) {
        return None;
    }
    let is_weaker = |f: &Formula| match f {
        Formula::Within(n, inner) => {
            all.iter().any(|g| matches!(g, Formula::Within(m, other) if other == inner && m < n))
        }
        Formula::Throughout(n, inner) => {
            all.iter().any(|g| matches!(g, Formula::Throughout(m, other) if other == inner && m > n))
        }
        _ => false,
    };
    Some(all.iter().filter(|f| !is_weaker(f)).cloned().collect())
}

/// Without alternatives that demand more than others.
fn simplified(any: Any) -> Any {
    let is_needless = |one: &All| any.iter().any(|other| other != one && other.is_subset(one));
    any.iter().filter(|one| !is_needless(one)).cloned().collect()
}

/// A formula from the next letter on, as alternatives of formulas.
fn later(formula: &Formula) -> Any {
    match formula {
        Formula::True => truth(),
        Formula::False => Any::new(),
        Formula::And(parts) => parts.iter().fold(truth(), |all, part| and(&all, &later(part))),
        Formula::Or(parts) => parts.iter().fold(Any::new(), |all, part| or(all, later(part))),
        other => BTreeSet::from([BTreeSet::from([other.clone()])]),
    }
}

/// What remains of a formula after a letter.
fn progress(formula: &Formula, letter: u32) -> Any {
    let itself = || BTreeSet::from([BTreeSet::from([formula.clone()])]);
    let constant = |holds: bool| if holds { truth() } else { Any::new() };
    match formula {
        Formula::True => truth(),
        Formula::False => Any::new(),
        Formula::Atom(k) => constant(letter >> k & 1 == 1),
        Formula::Not(k) => constant(letter >> k & 1 == 0),
        Formula::And(parts) => parts.iter().fold(truth(), |all, part| and(&all, &progress(part, letter))),
        Formula::Or(parts) => parts.iter().fold(Any::new(), |all, part| or(all, progress(part, letter))),
        Formula::Next(inner) => later(inner),
        Formula::Until(a, b, awaited) => {
            let rest = match awaited {
                AutoDeadline::No => itself(),
                _ => later(&Formula::Until(a.clone(), b.clone(), AutoDeadline::Begun)),
            };
            or(progress(b, letter), and(&progress(a, letter), &rest))
        }
        Formula::Release(a, b) => and(&progress(b, letter), &or(progress(a, letter), itself())),
        Formula::Within(0, inner) | Formula::Throughout(0, inner) => progress(inner, letter),
        Formula::Within(n, inner) => {
            or(progress(inner, letter), later(&Formula::Within(n - 1, inner.clone())))
        }
        Formula::Throughout(n, inner) => {
            and(&progress(inner, letter), &later(&Formula::Throughout(n - 1, inner.clone())))
        }
    }
}

fn standing(any: &Any) -> Standing {
    let of = |formula: &Formula| match formula {
        Formula::Until(..) | Formula::Within(..) => Standing::Waiting,
        _ => Standing::Open,
    };
    let of_all = |all: &All| all.iter().map(of).min().unwrap_or(Standing::Holds);
    any.iter().map(of_all).max().unwrap_or(Standing::Fails)
}

/// The monitor of a formula over so many predicates; `None` if it would be too large.
#[must_use]
pub fn monitor(formula: &Formula, n_atoms: usize) -> Option<MonitorTables> {
    let start = later(formula);
    let mut states = vec![start.clone()];
    let mut numbers = BTreeMap::from([(start, 0u16)]);
    let mut table = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let any = states[at].clone();
        for letter in 0..1u32 << n_atoms {
            let each =
                any.iter().map(|all| all.iter().fold(truth(), |rest, f| and(&rest, &progress(f, letter))));
            let next = each.fold(Any::new(), or);
            let known = numbers.get(&next).copied();
            let number = match known {
                Some(number) => number,
                None => {
                    let number = u16::try_from(states.len()).ok()?;
                    numbers.insert(next.clone(), number);
                    states.push(next);
                    number
                }
            };
            table.push(number);
        }
        at += 1;
        if states.len() > MAX_STATES {
            return None;
        }
    }
    let is_awaited =
        |any: &Any| any.iter().flatten().any(|f| matches!(f, Formula::Until(_, _, AutoDeadline::Begun)));
    Some(MonitorTables {
        n_atoms: n_atoms as u32,
        table,
        standings: states.iter().map(standing).collect(),
        waits: states.iter().map(is_awaited).collect(),
    })
}

/// A transition in the making.
#[derive(Clone, Default)]
struct Branch {
    must: u32,
    must_not: u32,
    next: All,
    put_off: u32,
}

/// The automaton of a formula over so many predicates: it accepts the infinite words on which the formula holds;
/// `None` if it would be too large.
#[must_use]
pub fn automaton(formula: &Formula, n_atoms: usize) -> Option<AutomatonTables> {
    let mut untils = Vec::new();
    promises(formula, &mut untils);
    if untils.len() > 30 {
        return None;
    }
    let mut start = All::new();
    insert_later(&mut start, formula.clone());
    let mut states = vec![start.clone()];
    let mut numbers = BTreeMap::from([(start, 0u16)]);
    let mut turns = Vec::new();
    let every = (1u32 << untils.len()) - 1;
    let mut at = 0;
    while at < states.len() {
        let mut branches = Vec::new();
        expand(states[at].iter().cloned().collect(), Branch::default(), &untils, &mut branches);
        let mut own = Vec::new();
        for branch in branches {
            let Some(next) = joined(branch.next).map(without_promised) else { continue };
            let to = if next.is_empty() {
                ANYTHING
            } else if let Some(number) = numbers.get(&next) {
                *number
            } else {
                let number = u16::try_from(states.len()).ok()?;
                numbers.insert(next.clone(), number);
                states.push(next);
                number
            };
            let made = Move { to, kept: every & !branch.put_off };
            own.push(Turn { must: branch.must, must_not: branch.must_not, made });
        }
        turns.push(own);
        at += 1;
        if states.len() > MAX_STATES {
            return None;
        }
    }
    AutomatonTables::of(turns, n_atoms, every)
}

/// Without what an `always` among the rest demands now anyway: each of several `always(eventually(..))` would
/// otherwise double the states, since what it demands is still to come or is not.
fn without_promised(all: All) -> All {
    let demands = |always: &Formula, f: &Formula| match always {
        Formula::Release(end, inner) if **end == Formula::False => match &**inner {
            Formula::And(parts) => parts.contains(f),
            inner => inner == f,
        },
        _ => false,
    };
    all.iter().filter(|f| !all.iter().any(|always| demands(always, f))).cloned().collect()
}

fn promises(formula: &Formula, untils: &mut Vec<Formula>) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| promises(part, untils)),
        Formula::Next(inner) | Formula::Within(_, inner) | Formula::Throughout(_, inner) => {
            promises(inner, untils);
        }
        Formula::Until(a, b, _) => {
            if !untils.contains(formula) {
                untils.push(formula.clone());
            }
            promises(a, untils);
            promises(b, untils);
        }
        Formula::Release(a, b) => {
            promises(a, untils);
            promises(b, untils);
        }
        _ => {}
    }
}

/// All ways in which the formulas of `todo` can hold now.
fn expand(mut todo: Vec<Formula>, mut branch: Branch, untils: &[Formula], done: &mut Vec<Branch>) {
    let Some(formula) = todo.pop() else {
        if branch.must & branch.must_not == 0 {
            done.push(branch);
        }
        return;
    };
    match formula {
        Formula::True => {}
        Formula::False => return,
        Formula::Atom(k) => branch.must |= 1 << k,
        Formula::Not(k) => branch.must_not |= 1 << k,
        Formula::And(parts) => todo.extend(parts),
        Formula::Or(parts) => {
            for part in parts {
                expand([&todo[..], &[part]].concat(), branch.clone(), untils, done);
            }
            return;
        }
        Formula::Next(inner) => insert_later(&mut branch.next, *inner),
        Formula::Until(ref a, ref b, _) => {
            expand([&todo[..], &[(**b).clone()]].concat(), branch.clone(), untils, done);
            let promise = untils.iter().position(|until| *until == formula).unwrap_or(0);
            branch.put_off |= 1 << promise;
            todo.push((**a).clone());
            branch.next.insert(formula);
        }
        Formula::Release(ref a, ref b) => {
            let both = [&todo[..], &[(**a).clone(), (**b).clone()]].concat();
            expand(both, branch.clone(), untils, done);
            todo.push((**b).clone());
            branch.next.insert(formula);
        }
        Formula::Within(0, inner) | Formula::Throughout(0, inner) => todo.push(*inner),
        Formula::Within(n, inner) => {
            expand([&todo[..], &[(*inner).clone()]].concat(), branch.clone(), untils, done);
            branch.next.insert(Formula::Within(n - 1, inner));
        }
        Formula::Throughout(n, inner) => {
            todo.push((*inner).clone());
            branch.next.insert(Formula::Throughout(n - 1, inner));
        }
    }
    expand(todo, branch, untils, done);
}

fn insert_later(next: &mut All, formula: Formula) {
    match formula {
        Formula::True => {}
        Formula::And(parts) => parts.into_iter().for_each(|part| insert_later(next, part)),
        other => drop(next.insert(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use alloc::boxed::Box;

    fn always(f: Formula) -> Formula {
        f.always()
    }

    fn eventually(f: Formula) -> Formula {
        f.eventually(AutoDeadline::No)
    }

    fn run(formula: &Formula, n_atoms: usize, letters: &[u32]) -> Standing {
        let tables = monitor(formula, n_atoms).unwrap();
        let monitor = tables.monitor();
        monitor.standing(letters.iter().fold(Monitor::START, |state, letter| monitor.after(state, *letter)))
    }

    #[test]
    fn safety_fails_at_the_first_bad_letter() {
        let f = always(Formula::Atom(0));
        assert_eq!(run(&f, 1, &[1, 1]), Standing::Open);
        assert_eq!(run(&f, 1, &[1, 0, 1]), Standing::Fails);
    }

    #[test]
    fn liveness_waits() {
        let f = eventually(Formula::Atom(0));
        assert_eq!(run(&f, 1, &[0, 0]), Standing::Waiting);
        assert_eq!(run(&f, 1, &[0, 1, 0]), Standing::Holds);
        let again = always(eventually(Formula::Atom(0)));
        assert_eq!(run(&again, 1, &[0, 1]), Standing::Open);
        assert_eq!(run(&again, 1, &[1, 0]), Standing::Waiting);
    }

    #[test]
    fn deadlines_run_out() {
        let f = always(Formula::Or(vec![Formula::Not(0), Formula::Within(2, Box::new(Formula::Atom(1)))]));
        assert_eq!(run(&f, 2, &[1, 1, 2, 0]), Standing::Open);
        assert_eq!(run(&f, 2, &[1, 1, 0, 0]), Standing::Fails);
        assert_eq!(run(&f, 2, &[1, 0]), Standing::Waiting);
        assert!(monitor(&f, 2).unwrap().standings.len() < 10);
    }

    #[test]
    fn next_at_the_end_is_open() {
        let f = always(Formula::Or(vec![Formula::Not(0), Formula::Next(Box::new(Formula::Not(0)))]));
        assert_eq!(run(&f, 1, &[0, 1]), Standing::Open);
        assert_eq!(run(&f, 1, &[0, 1, 1]), Standing::Fails);
    }

    /// What is assumed to be fair is assumed for ever, and nothing about it need be remembered.
    #[test]
    fn fairness_needs_no_states() {
        let again = |k| always(eventually(Formula::Or(vec![Formula::Not(k), Formula::Atom(k + 1)])));
        let stuck = eventually(Formula::And(vec![Formula::Atom(6), always(Formula::Not(7))]));
        for n in 0..=3 {
            let fair = (0..n).map(|k| again(2 * k)).chain([stuck.clone()]).collect();
            let tables = automaton(&Formula::And(fair), 8).unwrap();
            assert_eq!(tables.automaton().n_states, 2, "{n}");
        }
    }

    #[test]
    fn the_automaton_of_a_bad_prefix_ends_in_anything() {
        let tables = automaton(&eventually(Formula::Not(0)), 1).unwrap();
        let automaton = tables.automaton();
        let on = |letter| automaton.moves_on(0, letter);
        let moves = |(from, to): (usize, usize)| automaton.moves[from..to].to_vec();
        assert_eq!(moves(on(0)), [Move { to: ANYTHING, kept: 0 }]);
        assert_eq!(moves(on(1)), [Move { to: 0, kept: 0 }]);
        assert_eq!((automaton.n_states, automaton.promises), (1, 1));
        assert!(!automaton.can_cycle(), "the promise is never kept without an end");
    }
}
