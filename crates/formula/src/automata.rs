//! Turns a formula into tables: a monitor by progression, and an automaton for the negation by a tableau.

use super::normal::{Awaited, Formula};
use super::tables::{ANYTHING, Automaton, Monitor, Move, Standing};
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
#[derive(Clone, Debug)]
pub struct AutomatonTables {
    moves: Vec<Move>,
    first: Vec<u32>,
    promises: u32,
}

impl AutomatonTables {
    /// The automaton that reads them.
    #[must_use]
    pub fn automaton(&self) -> Automaton<'_> {
        let AutomatonTables { moves, first, promises } = self;
        Automaton { moves, first, promises: *promises }
    }
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
                Awaited::No => itself(),
                _ => later(&Formula::Until(a.clone(), b.clone(), Awaited::Begun)),
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
        |any: &Any| any.iter().flatten().any(|f| matches!(f, Formula::Until(_, _, Awaited::Begun)));
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

/// The automaton of a formula: it accepts the infinite words on which the formula holds; `None` if it would be
/// too large.
#[must_use]
pub fn automaton(formula: &Formula) -> Option<AutomatonTables> {
    let mut untils = Vec::new();
    promises(formula, &mut untils);
    if untils.len() > 30 {
        return None;
    }
    let start = All::from([formula.clone()]);
    let mut states = vec![start.clone()];
    let mut numbers = BTreeMap::from([(start, 0u16)]);
    let (mut moves, mut first) = (Vec::new(), vec![0]);
    let every = (1u32 << untils.len()) - 1;
    let mut at = 0;
    while at < states.len() {
        let mut branches = Vec::new();
        expand(states[at].iter().cloned().collect(), Branch::default(), &untils, &mut branches);
        let mut own: Vec<Move> = Vec::new();
        for branch in branches {
            let Some(next) = joined(branch.next) else { continue };
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
            let made =
                Move { must: branch.must, must_not: branch.must_not, to, kept: every & !branch.put_off };
            if !own.contains(&made) {
                own.push(made);
            }
        }
        moves.extend(own);
        first.push(moves.len() as u32);
        at += 1;
        if states.len() > MAX_STATES {
            return None;
        }
    }
    Some(AutomatonTables { moves, first, promises: every })
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
        f.eventually(Awaited::No)
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

    #[test]
    fn the_automaton_of_a_bad_prefix_ends_in_anything() {
        let automaton = automaton(&eventually(Formula::Not(0))).unwrap();
        assert_eq!(automaton.first.len(), 2);
        assert!(automaton.moves.iter().any(|m| m.to == ANYTHING && m.must_not == 1));
        assert_eq!(automaton.promises, 1);
    }
}
