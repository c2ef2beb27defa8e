//! Compares verdicts with the meaning of formulas, for random formulas on random small graphs. One side is
//! the tables and the search; the other tries all runs with a short beginning and a short cycle, and all
//! paths for questions about what runs can do. The two share only the parsed formula.

use super::formula::{Atom, Atoms, Fairness, Operator, ParsedFormula, Predicate};
use super::vacuity::strengthened;
use proc_macro2::Span;
use stairway_formula::{Branching, Formula};
use stairway_machine::{self as engine, Prng};
use syn::parse_quote;

/// Predicates; a formula may use fewer.
const N_ATOMS: u64 = 2;
/// Formulas with more, counting questions about runs, take long and show nothing else.
const MAX_ATOMS: usize = 4;
/// Runs have at most so many steps before they repeat.
const N_STEPS: usize = 5;

fn below(prng: &mut Prng, n: u64) -> u64 {
    prng.next_u64() % n
}

fn apply(operator: Operator, parts: Vec<ParsedFormula>) -> ParsedFormula {
    ParsedFormula::Apply(operator, parts, Span::call_site())
}

/// A formula about one moment.
fn condition(prng: &mut Prng) -> ParsedFormula {
    let (a, b) = (atom(below(prng, N_ATOMS)), atom(below(prng, N_ATOMS)));
    match below(prng, 4) {
        0 => a,
        1 => apply(Operator::Not, vec![a]),
        2 => apply(Operator::And, vec![a, b]),
        _ => apply(Operator::Or, vec![a, b]),
    }
}

fn atom(k: u64) -> ParsedFormula {
    let pattern = if k == 0 { parse_quote!(A) } else { parse_quote!(B) };
    ParsedFormula::At(Predicate { part: None, pattern, guard: None })
}

/// A question about all runs from a state: of the first predicate, which is about states, or of another such
/// question.
fn branching(prng: &mut Prng, depth: u32) -> ParsedFormula {
    let kinds = [Branching::CanReach, Branching::CanAlways, Branching::Inevitably];
    let kind = kinds[below(prng, 3) as usize];
    let inner = if depth == 0 || below(prng, 2) == 0 { atom(0) } else { branching(prng, depth - 1) };
    let goal = if below(prng, 2) == 0 { inner } else { apply(Operator::Not, vec![inner]) };
    apply(Operator::Branching(kind), vec![goal])
}

fn formula(prng: &mut Prng, depth: u32) -> ParsedFormula {
    let operator = if depth == 0 { below(prng, 2) * 10 } else { below(prng, 14) };
    let mut part = || formula(prng, depth - 1);
    match operator {
        0 | 10 if depth == 0 => match operator {
            0 => atom(below(prng, N_ATOMS)),
            _ => branching(prng, 1),
        },
        0 => atom(below(prng, N_ATOMS)),
        1 => apply(Operator::Not, vec![part()]),
        2 => apply(Operator::And, vec![part(), part()]),
        3 => apply(Operator::Or, vec![part(), part()]),
        4 => apply(Operator::Implies, vec![part(), part()]),
        5 => apply(Operator::Always, vec![part()]),
        6 => apply(Operator::Eventually, vec![part()]),
        7 => apply(Operator::Next, vec![part()]),
        8 => apply(Operator::Until, vec![part(), part()]),
        9 => apply(Operator::LeadsTo, vec![part(), part()]),
        10 => branching(prng, 2),
        11 | 12 => {
            let kind = if operator == 11 { Fairness::Weak } else { Fairness::Strong };
            let fair = apply(Operator::Fair(kind), vec![atom(below(prng, N_ATOMS))]);
            apply(Operator::Implies, vec![fair, formula(prng, depth - 1)])
        }
        _ => {
            let part = part();
            apply(Operator::Within(Some(below(prng, 4) as u32)), vec![part])
        }
    }
}

/// A graph in which every state has an edge, as machines have. The first predicate is about states, the
/// second about steps.
struct Drawn {
    edges: Vec<engine::Edge>,
    first: Vec<u32>,
    /// The letter of each state by itself.
    letters: Vec<u32>,
}

fn graph(prng: &mut Prng) -> Drawn {
    let n = 1 + below(prng, 3);
    let letters: Vec<u32> = (0..n).map(|_| below(prng, 2) as u32).collect();
    let (mut edges, mut first) = (Vec::new(), Vec::new());
    for _ in 0..n {
        first.push(edges.len() as u32);
        for _ in 0..1 + below(prng, 2) {
            let to = below(prng, n) as u32;
            edges.push(engine::Edge { to, letter: letters[to as usize] | (below(prng, 2) as u32) << 1 });
        }
    }
    Drawn { edges, first, letters }
}

/// An infinite run: its letters, and the position to which the last one returns.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    letters: Vec<u32>,
    /// The state at each letter.
    states: Vec<u32>,
    back: usize,
}

impl Drawn {
    fn graph(&self) -> engine::Graph<'_> {
        engine::Graph { n: self.first.len(), edges: &self.edges, first: &self.first }
    }

    /// The run along a path whose cycle begins with edge `from`.
    fn run(&self, path: &[u32], from: usize) -> Run {
        let along = path.iter().map(|edge| self.edges[*edge as usize].letter);
        let states = path.iter().map(|edge| self.edges[*edge as usize].to);
        Run {
            letters: std::iter::once(self.letters[0]).chain(along).collect(),
            states: std::iter::once(0).chain(states).collect(),
            back: from + 1,
        }
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

impl Drawn {
    fn successors(&self, state: u32) -> impl Iterator<Item = engine::Edge> + '_ {
        let (begin, end) = self.graph().edges_of(state as usize);
        self.edges[begin..end].iter().copied()
    }

    /// Whether a path of at most so many steps leads from a state through states with a property to one with
    /// another.
    fn has_path(
        &self,
        from: u32,
        steps: usize,
        through: &dyn Fn(u32) -> bool,
        to: &dyn Fn(u32) -> bool,
    ) -> bool {
        to(from)
            || steps > 0
                && through(from)
                && self.successors(from).any(|edge| self.has_path(edge.to, steps - 1, through, to))
    }

    /// Whether a question about all runs from a state is answered with yes, by trying paths.
    fn can(&self, asks: Branching, goal: &ParsedFormula, state: u32) -> bool {
        let n = self.first.len();
        let is_goal = |state: u32| self.at_state(goal, state);
        // Who can stay for as many steps as there are states comes to one a second time.
        let stays = |wanted: bool| {
            self.has_path(state, n, &|at| is_goal(at) == wanted, &|_| false)
                || (0..n as u32).any(|back| {
                    is_goal(back) == wanted
                        && self.has_path(state, n, &|at| is_goal(at) == wanted, &|at| at == back)
                        && self.successors(back).any(|edge| {
                            self.has_path(edge.to, n, &|at| is_goal(at) == wanted, &|at| at == back)
                        })
                })
        };
        match asks {
            Branching::CanNext => self.successors(state).any(|edge| letter_has(goal, edge.letter)),
            Branching::CanReach => self.has_path(state, n, &|_| true, &is_goal),
            Branching::CanAlways => stays(true),
            Branching::Inevitably => !stays(false),
        }
    }

    fn at_state(&self, goal: &ParsedFormula, state: u32) -> bool {
        match goal {
            ParsedFormula::Apply(Operator::Not, parts, _) => !self.at_state(&parts[0], state),
            ParsedFormula::Apply(Operator::Branching(asks), parts, _) => self.can(*asks, &parts[0], state),
            other => letter_has(other, self.letters[state as usize]),
        }
    }
}

/// Whether a predicate holds at a letter.
fn letter_has(predicate: &ParsedFormula, letter: u32) -> bool {
    let ParsedFormula::At(predicate) = predicate else { unreachable!("predicates are drawn") };
    letter >> u32::from(predicate.pattern != atom_pattern()) & 1 == 1
}

/// Where a formula holds on a run, by the meaning of its operators.
fn holds(formula: &ParsedFormula, run: &Run, drawn: &Drawn) -> Vec<bool> {
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
    let (operator, parts) = match formula {
        ParsedFormula::At(predicate) => {
            let k = u32::from(predicate.pattern != atom_pattern());
            return each(&|i| run.letters[i] >> k & 1 == 1);
        }
        ParsedFormula::After(_) => unreachable!("these are not drawn"),
        ParsedFormula::Apply(operator, parts, _) => (*operator, parts),
    };
    if let Operator::Branching(asks) = operator {
        return each(&|i| drawn.can(asks, &parts[0], run.states[i]));
    }
    let held: Vec<Vec<bool>> = parts.iter().map(|part| holds(part, run, drawn)).collect();
    let (a, b) = (&held[0], held.last().expect("an operator has operands"));
    match operator {
        Operator::Not => each(&|i| !a[i]),
        Operator::And => each(&|i| held.iter().all(|part| part[i])),
        Operator::Or => each(&|i| held.iter().any(|part| part[i])),
        Operator::Implies => each(&|i| !a[i] || b[i]),
        Operator::Next => each(&|i| a[after(i)]),
        Operator::Always => repeated(true, 2 * n, &|i, next| a[i] && next),
        Operator::Eventually => repeated(false, 2 * n, &|i, next| a[i] || next),
        Operator::Until => repeated(false, 2 * n, &|i, next| b[i] || a[i] && next),
        Operator::LeadsTo => {
            let eventually = repeated(false, 2 * n, &|i, next| b[i] || next);
            repeated(true, 2 * n, &|i, next| (!a[i] || eventually[i]) && next)
        }
        Operator::Within(steps) => {
            repeated(false, steps.map_or(2 * n, |steps| steps as usize + 1), &|i, next| a[i] || next)
        }
        Operator::Fair(fairness) => {
            // By what happens on the cycle, which is all that happens again and again.
            let cycle = || run.back..n;
            let possible = |i: usize| drawn.can(Branching::CanNext, &parts[0], run.states[i]);
            let is_due = match fairness {
                Fairness::Weak => cycle().all(possible),
                Fairness::Strong => cycle().any(possible),
            };
            let is_taken = cycle().any(|i| letter_has(&parts[0], run.letters[i]));
            vec![!is_due || is_taken; n]
        }
        Operator::Branching(_) => unreachable!("it was answered above"),
    }
}

fn atom_pattern() -> syn::Pat {
    parse_quote!(A)
}

/// The formula as the engine has it.
fn tables(written: &ParsedFormula) -> Option<engine::Tables> {
    let mut atoms = Atoms::default();
    // So that predicate 0 is the letter's bit 0.
    for k in 0..N_ATOMS {
        atoms.normal(&atom(k)).ok()?;
    }
    let formula = atoms.normal(written).ok()?;
    if atoms.all.len() > MAX_ATOMS {
        return None;
    }
    let found = strengthened(written);
    let antecedents =
        found.iter().map(|found| automaton(&atoms.normal(&found.formula).ok()?.negated(), atoms.all.len()));
    let antecedents = antecedents.collect::<Option<Vec<_>>>()?;
    // Tables are static in a program; a test may leak them.
    Some(engine::Tables {
        monitor: Box::leak(Box::new(stairway_formula::monitor(&formula, atoms.all.len())?)).monitor(),
        automaton: automaton(&formula.clone().negated(), atoms.all.len())?,
        parts: stairway_formula::parts(&formula).leak(),
        branches: branches(&atoms).leak(),
        conditions: &[],
        antecedents: antecedents.leak(),
    })
}

fn branches(atoms: &Atoms) -> Vec<engine::Branch> {
    let of = |(k, atom): (usize, &Atom)| match atom {
        Atom::Branching(asks, goal) => {
            Some(engine::Branch { bit: 1 << k, asks: *asks, goal: goal.alternatives().leak() })
        }
        _ => None,
    };
    atoms.all.iter().enumerate().filter_map(of).collect()
}

fn automaton(formula: &Formula, n_atoms: usize) -> Option<engine::Automaton<'static>> {
    Some(Box::leak(Box::new(stairway_formula::automaton(formula, n_atoms)?)).automaton())
}

/// What is decided, the path of a counterexample, and the letters with the answers to questions about runs:
/// of states and of edges.
struct Decided {
    verdict: engine::Verdict,
    path: Vec<u32>,
    letters: Vec<u32>,
    edges: Vec<engine::Edge>,
}

fn decided(drawn: &Drawn, tables: &engine::Tables) -> Decided {
    let n = drawn.first.len();
    let size = n * tables.most_states();
    let longest = engine::Search::longest_path(size);
    let (mut edges, mut letters, mut path) = (drawn.edges.clone(), drawn.letters.clone(), vec![0; longest]);
    let verdict = engine::decide(
        tables,
        &mut engine::Explorable {
            edges: &mut edges,
            first: &drawn.first,
            is_known: &vec![true; n],
            letters: &mut letters,
            is_complete: true,
        },
        &mut engine::Rooms {
            path: &mut path,
            search: &mut vec![0; engine::Search::room(size)],
            letters: &mut vec![0; longest + 1],
            parts: &mut vec![false; (longest + 1) * tables.parts.len()],
            marked: &mut vec![false; n],
            is_unknown: &mut vec![false; n],
        },
    );
    if let engine::Verdict::Fails(found, _) = verdict {
        path.truncate(found.n_path);
    }
    Decided { verdict, path, letters, edges }
}

/// Where the monitor stands after two rounds of a run.
fn standing_after(monitor: &engine::Monitor<'_>, run: &Run) -> engine::Standing {
    let letters = run.letters.iter().chain(&run.letters[run.back..]);
    monitor.standing(letters.fold(engine::Monitor::START, |state, letter| monitor.after(state, *letter)))
}

#[test]
fn verdicts_are_what_formulas_mean() {
    let mut prng = Prng::new(6);
    let (mut n_held, mut n_failed, mut n_cycles, mut n_vacuous, mut n_branching) = (0, 0, 0, 0, 0);
    for _ in 0..300 {
        let depth = 1 + below(&mut prng, 2) as u32;
        let (written, drawn) = (formula(&mut prng, depth), graph(&mut prng));
        let Some(tables) = tables(&written) else { continue };
        n_branching += usize::from(!tables.branches.is_empty());
        let shown =
            || format!("{} on {:?} {:?} from {:?}", written.text(), drawn.edges, drawn.first, drawn.letters);
        let mut runs = Vec::new();
        drawn.runs(&mut Vec::new(), &mut vec![0], &mut runs);
        let Decided { verdict, path, letters, edges } = decided(&drawn, &tables);
        let lettered = Drawn { edges, first: drawn.first.clone(), letters };
        let mut known_runs = Vec::new();
        lettered.runs(&mut Vec::new(), &mut vec![0], &mut known_runs);
        for (run, known) in runs.iter().zip(&known_runs) {
            let is_held = holds(&written, run, &drawn)[0];
            let lasso = engine::Lasso { letters: &known.letters, back: known.back };
            let judged = lasso.holds(tables.parts, &mut vec![false; run.letters.len() * tables.parts.len()]);
            assert_eq!(judged, is_held, "its parts: {} {run:?}", shown());
            let standing = standing_after(&tables.monitor, known);
            let is_wrong = if is_held { engine::Standing::Fails } else { engine::Standing::Holds };
            assert!(standing != is_wrong, "the monitor says {standing:?}: {} {run:?}", shown());
        }
        let fails = |run: &&Run| !holds(&written, run, &drawn)[0];
        let failing: Vec<&Run> = runs.iter().filter(fails).collect();
        match verdict {
            engine::Verdict::Undecided => panic!("everything is known: {}", shown()),
            engine::Verdict::Holds => n_held += 1,
            engine::Verdict::Vacuous(k) => {
                n_vacuous += 1;
                let stronger = &strengthened(&written)[k].formula;
                let met = runs.iter().find(|run| !holds(stronger, run, &drawn)[0]);
                assert!(met.is_none(), "the condition is met: {} {} {met:?}", shown(), stronger.text());
            }
            engine::Verdict::Fails(found, is_sure) => {
                n_failed += 1;
                assert!(is_sure, "judged again it does not fail: {} {path:?} {found:?}", shown());
                n_cycles += usize::from(found.cycle_from.is_some());
                is_shortest_counterexample(&written, &drawn, (&path, found), &failing, &runs, &shown);
                continue;
            }
        }
        assert!(failing.is_empty(), "said to hold: {}, but {:?}", shown(), failing[0]);
    }
    let counted = (n_held, n_failed, n_cycles, n_vacuous, n_branching);
    assert!(
        n_held > 50 && n_failed > 80 && n_cycles > 20 && n_vacuous > 10 && n_branching > 80,
        "{counted:?}"
    );
}

/// A graph with long ways round: a ring of states with a few steps back and ahead.
fn ring(prng: &mut Prng) -> Drawn {
    let n = 5 + below(prng, 16);
    let letters: Vec<u32> = (0..n).map(|_| u32::from(below(prng, 4) == 0)).collect();
    let (mut edges, mut first) = (Vec::new(), Vec::new());
    for k in 0..n {
        first.push(edges.len() as u32);
        let mut to = (k + 1) % n;
        loop {
            let letter = letters[to as usize] | u32::from(below(prng, 4) == 0) << 1;
            edges.push(engine::Edge { to: to as u32, letter });
            if below(prng, 2) == 0 {
                break;
            }
            to = (k + n + 3 - below(prng, 4)) % n;
        }
    }
    Drawn { edges, first, letters }
}

/// Compared with all shorter runs, without a limit on how many are tried.
#[test]
fn no_shorter_run_is_a_counterexample() {
    let mut prng = Prng::new(11);
    let (mut n_cycles, mut longest) = (0, 0);
    while n_cycles < 100 {
        let depth = 1 + below(&mut prng, 2) as u32;
        let (written, drawn) = (formula(&mut prng, depth), ring(&mut prng));
        let Some(tables) = tables(&written) else { continue };
        let Decided { verdict, path, letters, edges } = decided(&drawn, &tables);
        let engine::Verdict::Fails(engine::Counterexample { cycle_from: Some(_), .. }, _) = verdict else {
            continue;
        };
        (n_cycles, longest) = (n_cycles + 1, longest.max(path.len()));
        let lettered = Drawn { edges, first: drawn.first.clone(), letters };
        for length in 1..path.len() {
            let shorter = lettered.fails_after(&tables, (&mut Vec::new(), &mut vec![0]), length);
            assert!(!shorter, "{length} is shorter than {path:?}: {}", written.text());
        }
    }
    assert!(longest > 8, "{longest}");
}

impl Drawn {
    /// Whether a run that goes on from a path and has so many steps is a counterexample.
    fn fails_after(
        &self,
        tables: &engine::Tables,
        (path, states): (&mut Vec<u32>, &mut Vec<u32>),
        length: usize,
    ) -> bool {
        let at = *states.last().expect("a path begins somewhere");
        if path.len() == length {
            return (0..length).filter(|from| states[*from] == at).any(|from| {
                let run = self.run(path, from);
                let room = &mut vec![false; run.letters.len() * tables.parts.len()];
                !engine::Lasso { letters: &run.letters, back: run.back }.holds(tables.parts, room)
            });
        }
        let (begin, end) = self.graph().edges_of(at as usize);
        (begin..end).any(|edge| {
            path.push(edge as u32);
            states.push(self.edges[edge].to);
            let fails = self.fails_after(tables, (path, states), length);
            path.pop();
            states.pop();
            fails
        })
    }
}

/// A lasso must be one on which the formula fails, and no shorter one may; a beginning must be one that no
/// run saves.
fn is_shortest_counterexample(
    written: &ParsedFormula,
    drawn: &Drawn,
    (path, found): (&[u32], engine::Counterexample),
    failing: &[&Run],
    runs: &[Run],
    shown: &dyn Fn() -> String,
) {
    match found.cycle_from {
        Some(from) => {
            let run = drawn.run(path, from);
            assert!(!holds(written, &run, drawn)[0], "no counterexample: {} {run:?}", shown());
            let shortest = failing.iter().map(|run| run.letters.len() - 1).min();
            assert!(
                shortest.is_none_or(|n| n >= path.len()),
                "{} is shorter than {path:?}: {}",
                shortest.unwrap_or(0),
                shown()
            );
        }
        None => {
            let begun = drawn.run(path, 0);
            let begins = |run: &&Run| {
                run.states.len() > begun.states.len()
                    && run.states.starts_with(&begun.states)
                    && run.letters.starts_with(&begun.letters)
            };
            let saved = runs.iter().filter(begins).find(|run| holds(written, run, drawn)[0]);
            assert!(saved.is_none(), "can be saved: {} {path:?} by {saved:?}", shown());
        }
    }
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
            let within = apply(Operator::Within(steps), vec![goal.clone()]);
            match shape {
                0 => within,
                1 => apply(Operator::Always, vec![within]),
                2 => apply(Operator::Next, vec![within]),
                _ => apply(Operator::Always, vec![apply(Operator::Implies, vec![when.clone(), within])]),
            }
        };
        let fails =
            |tables: &engine::Tables| matches!(decided(&drawn, tables).verdict, engine::Verdict::Fails(..));
        let is_held = |steps| tables(&shaped(steps)).map(|tables| !fails(&tables));
        let Some(auto) = tables(&shaped(None)) else { continue };
        if fails(&auto) {
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
        let shown = format!(
            "{} on {:?} {:?} from {:?}",
            shaped(None).text(),
            drawn.edges,
            drawn.first,
            drawn.letters
        );
        let wait = engine::wait(&drawn.graph(), &auto.monitor, drawn.letters[0], rooms);
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
