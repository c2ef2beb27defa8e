//! Verdicts against the meaning of formulas: random formulas on random small graphs, judged by the
//! tables and the search on one side, and on the other by trying all runs with a short beginning
//! and a short circle. The two share nothing but the formula as it is written.

use super::automata::{self, Standing};
use super::formula::{Atoms, Predicate, Written};
use super::parts::{self, Part};
use proc_macro2::Span;
use stairway_engine::{Prng, machine as engine};
use syn::parse_quote;

/// Predicates; a formula may use fewer.
const N_ATOMS: u64 = 2;
/// Runs have at most so many steps before they repeat.
const N_STEPS: usize = 5;

fn below(prng: &mut Prng, n: u64) -> u64 {
    prng.next_u64() % n
}

/// A formula about one moment.
fn condition(prng: &mut Prng) -> Written {
    let (a, b) = (atom(below(prng, N_ATOMS)), atom(below(prng, N_ATOMS)));
    match below(prng, 4) {
        0 => a,
        1 => Written::Not(Box::new(a)),
        2 => Written::And(vec![a, b]),
        _ => Written::Or(vec![a, b]),
    }
}

fn atom(k: u64) -> Written {
    let pattern = if k == 0 { parse_quote!(A) } else { parse_quote!(B) };
    Written::At(Predicate { pattern, guard: None })
}

fn formula(prng: &mut Prng, depth: u32) -> Written {
    let operator = if depth == 0 { 0 } else { below(prng, 11) };
    let mut part = || Box::new(formula(prng, depth - 1));
    match operator {
        0 => atom(below(prng, N_ATOMS)),
        1 => Written::Not(part()),
        2 => Written::And(vec![*part(), *part()]),
        3 => Written::Or(vec![*part(), *part()]),
        4 => Written::Implies(part(), part()),
        5 => Written::Always(part()),
        6 => Written::Eventually(part()),
        7 => Written::Next(part()),
        8 => Written::Until(part(), part()),
        9 => Written::LeadsTo(part(), part()),
        _ => {
            let part = part();
            Written::Within(Some(below(prng, 4) as u32), part, Span::call_site())
        }
    }
}

/// A graph in which every state has an edge, as machines have: state, edges `(to, letter)`.
struct Drawn {
    edges: Vec<engine::Edge>,
    first: Vec<u32>,
    start: u32,
}

fn graph(prng: &mut Prng) -> Drawn {
    let n = 1 + below(prng, 3);
    let (mut edges, mut first) = (Vec::new(), Vec::new());
    for _ in 0..n {
        first.push(edges.len() as u32);
        for _ in 0..1 + below(prng, 2) {
            let (to, letter) = (below(prng, n) as u32, below(prng, 1 << N_ATOMS) as u32);
            edges.push(engine::Edge { to, letter });
        }
    }
    Drawn { edges, first, start: below(prng, 1 << N_ATOMS) as u32 }
}

/// An infinite run: its letters, and the position to which the last one returns.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    letters: Vec<u32>,
    back: usize,
}

impl Drawn {
    fn graph(&self) -> engine::Graph<'_> {
        engine::Graph { n: self.first.len(), edges: &self.edges, first: &self.first }
    }

    /// The run along a path whose circle begins with edge `from`.
    fn run(&self, path: &[u32], from: usize) -> Run {
        let along = path.iter().map(|edge| self.edges[*edge as usize].letter);
        Run { letters: std::iter::once(self.start).chain(along).collect(), back: from + 1 }
    }

    /// All runs that continue a path.
    fn runs(&self, path: &mut Vec<u32>, states: &mut Vec<u32>, all: &mut Vec<Run>) {
        let at = *states.last().expect("a path begins somewhere");
        let begins = (0..path.len()).filter(|from| states[*from] == at);
        all.extend(begins.map(|from| self.run(path, from)));
        if path.len() == N_STEPS {
            return;
        }
        let (begin, end) = self.graph().edges_of(at as usize);
        for edge in begin..end {
            path.push(edge as u32);
            states.push(self.edges[edge].to);
            self.runs(path, states, all);
            path.pop();
            states.pop();
        }
    }
}

/// Where a formula holds on a run, by the meaning of its operators.
fn holds(formula: &Written, run: &Run) -> Vec<bool> {
    let n = run.letters.len();
    let after = |i: usize| if i + 1 < n { i + 1 } else { run.back };
    let each = |what: &dyn Fn(usize) -> bool| (0..n).map(what).collect::<Vec<bool>>();
    // As often as there are positions: then nothing changes any more.
    let repeated = |first: bool, rounds: usize, step: &dyn Fn(usize, bool) -> bool| {
        let mut now = vec![first; n];
        for _ in 0..rounds {
            now = each(&|i| step(i, now[after(i)]));
        }
        now
    };
    match formula {
        Written::At(predicate) => {
            let k = u32::from(predicate.pattern != atom_pattern());
            each(&|i| run.letters[i] >> k & 1 == 1)
        }
        Written::Not(inner) => holds(inner, run).into_iter().map(|held| !held).collect(),
        Written::And(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, run)).collect();
            each(&|i| parts.iter().all(|part| part[i]))
        }
        Written::Or(parts) => {
            let parts: Vec<_> = parts.iter().map(|part| holds(part, run)).collect();
            each(&|i| parts.iter().any(|part| part[i]))
        }
        Written::Implies(a, b) => {
            let (a, b) = (holds(a, run), holds(b, run));
            each(&|i| !a[i] || b[i])
        }
        Written::Next(inner) => {
            let inner = holds(inner, run);
            each(&|i| inner[after(i)])
        }
        Written::Always(inner) => {
            let inner = holds(inner, run);
            repeated(true, 2 * n, &|i, next| inner[i] && next)
        }
        Written::Eventually(inner) => {
            let inner = holds(inner, run);
            repeated(false, 2 * n, &|i, next| inner[i] || next)
        }
        Written::Until(a, b) => {
            let (a, b) = (holds(a, run), holds(b, run));
            repeated(false, 2 * n, &|i, next| b[i] || a[i] && next)
        }
        Written::LeadsTo(a, b) => {
            let (a, b) = (holds(a, run), holds(b, run));
            let eventually = repeated(false, 2 * n, &|i, next| b[i] || next);
            repeated(true, 2 * n, &|i, next| (!a[i] || eventually[i]) && next)
        }
        Written::Within(steps, inner, _) => {
            let inner = holds(inner, run);
            repeated(false, steps.map_or(2 * n, |steps| steps as usize + 1), &|i, next| inner[i] || next)
        }
        Written::After(_) | Written::CanReach(..) => unreachable!("these are not drawn"),
    }
}

fn atom_pattern() -> syn::Pat {
    parse_quote!(A)
}

/// The formula as the engine has it.
struct Tables {
    monitor: engine::Monitor,
    automaton: engine::Automaton,
    parts: Vec<engine::Part>,
}

fn tables(written: &Written) -> Option<Tables> {
    let mut atoms = Atoms::default();
    // So that predicate 0 is the letter's bit 0.
    for k in 0..N_ATOMS {
        atoms.normal(&atom(k), false).ok()?;
    }
    let (formula, negated) = (atoms.normal(written, false).ok()?, atoms.normal(written, true).ok()?);
    let monitor = automata::monitor(&formula, atoms.all.len())?;
    let automaton = automata::automaton(&negated)?;
    let standing = |standing: &Standing| match standing {
        Standing::Fails => engine::Standing::Fails,
        Standing::Waiting => engine::Standing::Waiting,
        Standing::Open => engine::Standing::Open,
        Standing::Holds => engine::Standing::Holds,
    };
    let moves = automaton.moves.iter().map(|turn| engine::Move {
        to: turn.to.unwrap_or(engine::ANYTHING),
        must: turn.must,
        must_not: turn.must_not,
        kept: turn.kept,
    });
    // Tables are static in a program; a test may leak them.
    Some(Tables {
        monitor: engine::Monitor {
            standings: monitor.standings.iter().map(standing).collect::<Vec<_>>().leak(),
            table: monitor.table.leak(),
            waits: monitor.waits.leak(),
            n_atoms: N_ATOMS as u32,
        },
        automaton: engine::Automaton {
            moves: moves.collect::<Vec<_>>().leak(),
            first: automaton.first.leak(),
            promises: automaton.promises,
        },
        parts: parts::of(&formula).into_iter().map(part).collect(),
    })
}

fn part(part: Part) -> engine::Part {
    match part {
        Part::True => engine::Part::True,
        Part::False => engine::Part::False,
        Part::Atom(k) => engine::Part::Atom(k),
        Part::Not(k) => engine::Part::Not(k),
        Part::And(a, b) => engine::Part::And(a, b),
        Part::Or(a, b) => engine::Part::Or(a, b),
        Part::Next(a) => engine::Part::Next(a),
        Part::Until(a, b) => engine::Part::Until(a, b),
        Part::Release(a, b) => engine::Part::Release(a, b),
        Part::Within(n, a) => engine::Part::Within(n, a),
        Part::Throughout(n, a) => engine::Part::Throughout(n, a),
    }
}

/// What a search says: the path and where its circle begins.
fn searched(drawn: &Drawn, tables: &Tables) -> Option<(Vec<u32>, engine::Found)> {
    let n = drawn.first.len() * tables.automaton.n_states();
    let mut path = vec![0; engine::Search::longest_path(n)];
    let mut room = vec![0; engine::Search::room(n)];
    let mut search = engine::Search::new(&mut path, &mut room, n);
    let found = search.run(&drawn.graph(), &tables.automaton, drawn.start)?;
    let path = search.path[..found.n_path].to_vec();
    Some((path, found))
}

/// Where the monitor stands after two rounds of a run.
fn standing_after(monitor: &engine::Monitor, run: &Run) -> engine::Standing {
    let letters = run.letters.iter().chain(&run.letters[run.back..]);
    monitor.standing(letters.fold(engine::Monitor::START, |state, letter| monitor.after(state, *letter)))
}

#[test]
fn verdicts_are_what_formulas_mean() {
    let mut prng = Prng::new(6);
    let (mut n_held, mut n_failed, mut n_circles, mut n_longer) = (0, 0, 0, 0);
    for _ in 0..600 {
        let depth = 1 + below(&mut prng, 3) as u32;
        let (written, drawn) = (formula(&mut prng, depth), graph(&mut prng));
        let Some(tables) = tables(&written) else { continue };
        let shown =
            || format!("{} on {:?} {:?} from {}", written.text(), drawn.edges, drawn.first, drawn.start);
        let mut runs = Vec::new();
        drawn.runs(&mut Vec::new(), &mut vec![0], &mut runs);
        for run in &runs {
            let is_held = holds(&written, run)[0];
            let circle = engine::Circle { letters: &run.letters, back: run.back };
            let judged =
                circle.holds(&tables.parts, &mut vec![false; run.letters.len() * tables.parts.len()]);
            assert_eq!(judged, is_held, "its parts: {} {run:?}", shown());
            let standing = standing_after(&tables.monitor, run);
            let is_wrong = if is_held { engine::Standing::Fails } else { engine::Standing::Holds };
            assert!(standing != is_wrong, "the monitor says {standing:?}: {} {run:?}", shown());
        }
        let failing: Vec<&Run> = runs.iter().filter(|run| !holds(&written, run)[0]).collect();
        let Some((mut path, found)) = searched(&drawn, &tables) else {
            assert!(failing.is_empty(), "said to hold: {}, but {:?}", shown(), failing[0]);
            n_held += 1;
            continue;
        };
        n_failed += 1;
        let n_letters = path.len() + 1;
        let (mut letters, mut room) = (vec![0; n_letters], vec![false; n_letters * tables.parts.len()]);
        let edges = (&drawn.edges[..], drawn.start);
        let found = engine::shorten(&tables.parts, edges, &mut path, found, (&mut letters, &mut room));
        path.truncate(found.n_path);
        let judged = (&tables.monitor, &tables.parts[..]);
        let is_sure = engine::is_counterexample(judged, edges, &path, found, (&mut letters, &mut room));
        assert!(is_sure, "the monitor disagrees: {} {path:?} {found:?}", shown());
        match found.circle_from {
            Some(from) => {
                n_circles += 1;
                let run = drawn.run(&path, from);
                assert!(!holds(&written, &run)[0], "no counterexample: {} {run:?}", shown());
                let shortest = failing.iter().map(|run| run.letters.len() - 1).min();
                n_longer += usize::from(shortest.is_some_and(|n| n < path.len()));
            }
            None => {
                let begins = |run: &&Run| {
                    let letters = drawn.run(&path, 0).letters;
                    run.letters.len() > letters.len() && run.letters.starts_with(&letters)
                };
                let saved = runs.iter().filter(begins).find(|run| holds(&written, run)[0]);
                assert!(saved.is_none(), "can be saved: {} {path:?} by {saved:?}", shown());
            }
        }
    }
    assert!(n_held > 200 && n_failed > 200 && n_circles > 40, "{n_held} {n_failed} {n_circles}");
    // Each visit of a state is tried, but not every other way between two states.
    assert!(n_longer * 20 < n_circles, "{n_longer} of {n_circles} circles are longer than they need be");
}

#[test]
fn the_smallest_number_of_steps_is_the_smallest() {
    let mut prng = Prng::new(7);
    let mut n_found = 0;
    for _ in 0..300 {
        let (goal, drawn) = (condition(&mut prng), graph(&mut prng));
        let when = condition(&mut prng);
        let shape = below(&mut prng, 4);
        let shaped = |steps: Option<u32>| {
            let within = Box::new(Written::Within(steps, Box::new(goal.clone()), Span::call_site()));
            match shape {
                0 => *within,
                1 => Written::Always(within),
                2 => Written::Next(within),
                _ => Written::Always(Box::new(Written::Implies(Box::new(when.clone()), within))),
            }
        };
        let is_held = |steps| tables(&shaped(steps)).map(|tables| searched(&drawn, &tables).is_none());
        let Some(auto) = tables(&shaped(None)) else { continue };
        if searched(&drawn, &auto).is_some() {
            continue;
        }
        let (n, n_edges) = (drawn.first.len(), drawn.edges.len());
        let m = auto.monitor.standings.len();
        let rooms = (
            &mut vec![engine::Edge::BLANK; n_edges * m][..],
            &mut vec![0; n * m][..],
            &mut vec![false; n * m][..],
            &mut vec![0; n * m][..],
        );
        let shown =
            format!("{} on {:?} {:?} from {}", shaped(None).text(), drawn.edges, drawn.first, drawn.start);
        let wait = engine::wait(&drawn.graph(), &auto.monitor, drawn.start, rooms);
        let Some(wait) = wait else { panic!("no bound: {shown}") };
        if is_held(Some(wait)) == Some(false) {
            panic!("{wait} steps are too few: {shown}");
        }
        if wait > 0 && is_held(Some(wait - 1)) == Some(true) {
            panic!("{wait} steps are too many: {shown}");
        }
        n_found += usize::from(wait > 0);
    }
    assert!(n_found > 20, "{n_found}");
}
