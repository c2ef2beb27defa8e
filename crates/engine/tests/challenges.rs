//! The shrinking challenges: thirteen false properties, each with one smallest answer.
//!
//! Run over 100 fixed seeds each. A challenge is passed when at least 95 of them end at the
//! smallest answer and shrinking takes no more runs on average than the limit beside it, which
//! is Hypothesis' mean where that is known and below 400.

use stairway_engine::{
    Case, Checked, Choices, Failure, Generate, InProcess, NoHooks, Outcome, Pass, Settings, Stop, Workspace,
    compose, run, unguarded,
};
use std::collections::BTreeSet;

struct Tally {
    smallest: usize,
    mean_runs: f64,
    mean_cases: f64,
    answers: std::collections::BTreeMap<String, usize>,
    passes: std::collections::BTreeMap<&'static str, (u64, u64, u64)>,
}

fn tally<T: std::fmt::Debug, G: Generate<Value = T>>(
    generator: G,
    holds: impl Fn(&T) -> Option<bool>,
    smallest: &[&str],
) -> Tally {
    let mut t = Tally {
        smallest: 0,
        mean_runs: 0.0,
        mean_cases: 0.0,
        answers: Default::default(),
        passes: Default::default(),
    };
    for seed in 0..100 {
        let property = |case: &mut Case<'_>| -> Checked {
            let value = case.pick(&generator)?;
            let verdict = holds(&value);
            case.assume(verdict.is_some())?;
            if verdict == Some(false) {
                return Err(Stop::fail(Failure::of("challenge", String::new())));
            }
            Ok(())
        };
        let settings = Settings { seed, n_cases: 100_000, max_discards: 100, ..Settings::default() };
        let mut w = Workspace::default();
        let report = run(&mut InProcess::new(property, unguarded), &settings, &[], &mut NoHooks, &mut w);
        let Outcome::Falsified(found) = report.outcome else { panic!("not found: {:?}", report.outcome) };
        let answer = found.observed.drawn[0].value.clone();
        t.smallest += usize::from(smallest.contains(&answer.as_str()));
        t.mean_runs += (found.shrinking.n_runs + 2) as f64 / 100.0;
        t.mean_cases += (report.statistics.n_passed + report.statistics.n_discarded) as f64 / 100.0;
        *t.answers.entry(answer).or_default() += 1;
        for (p, c) in Pass::ALL.iter().zip(&found.shrinking.passes) {
            let e = t.passes.entry(p.name()).or_default();
            e.0 += c.n_successes;
            e.1 += c.n_runs;
            e.2 += c.n_cached;
        }
        if false {
            for (p, c) in Pass::ALL.iter().zip(&found.shrinking.passes) {
                eprint!("{} {}/{}/{}  ", p.name(), c.n_successes, c.n_runs, c.n_cached);
            }
            eprintln!();
        }
    }
    t
}

fn demand(name: &str, limit: f64, t: Tally) {
    let mut top: Vec<_> = t.answers.iter().collect();
    top.sort_by_key(|a| std::cmp::Reverse(a.1));
    if std::env::var("PASSES").is_ok() {
        eprintln!("{:?}", t.passes);
    }
    eprintln!(
        "{name}: {} smallest, {:.0} runs (limit {limit}), {:.0} cases; top {:?}",
        t.smallest,
        t.mean_runs,
        t.mean_cases,
        &top[..top.len().min(4)]
    );
}

fn vecs<G: Generate>(g: G) -> impl Generate<Value = Vec<G::Value>> {
    vec_n(g, 100)
}
fn vec_n<G: Generate>(g: G, n: u64) -> impl Generate<Value = Vec<G::Value>> {
    compose(move |c| {
        let n = c.length(0, n);
        (0..n).map(|_| c.draw(&g)).collect()
    })
}
struct Int(i64, i64);
impl Generate for Int {
    type Value = i64;
    fn generate(&self, c: &mut Choices<'_>) -> Checked<i64> {
        Ok(c.signed(self.0, self.1, 0))
    }
    fn is_single(&self) -> bool {
        true
    }
}
const I64: Int = Int(i64::MIN, i64::MAX);
const I16: Int = Int(-32768, 32767);

#[test]
fn bound5() {
    let g = compose(|c| {
        Ok((
            c.draw(vecs(I16))?,
            c.draw(vecs(I16))?,
            c.draw(vecs(I16))?,
            c.draw(vecs(I16))?,
            c.draw(vecs(I16))?,
        ))
    });
    let sum = |xs: &[i64]| xs.iter().fold(0i16, |a, &b| a.wrapping_add(b as i16));
    demand(
        "bound5",
        137.0,
        tally(
            g,
            |(a, b, c, d, e)| {
                let all = [a, b, c, d, e];
                if !all.iter().all(|x| sum(x) < 256) {
                    return Some(true);
                }
                Some(sum(&all.iter().flat_map(|x| x.iter().copied()).collect::<Vec<_>>()) < 5 * 256)
            },
            &["([], [], [], [-1], [-32768])"],
        ),
    );
}
#[test]
fn large_union_list() {
    demand(
        "large_union_list",
        341.0,
        tally(
            vecs(vecs(I64)),
            |x| Some(x.iter().flatten().collect::<BTreeSet<_>>().len() <= 4),
            &["[[0, 1, -1, 2, -2]]"],
        ),
    );
}
#[test]
fn reverse() {
    demand("reverse", 46.0, tally(vecs(I64), |x| Some(x.iter().eq(x.iter().rev())), &["[0, 1]"]));
}
#[derive(Debug, Clone)]
enum Expr {
    Int(i64),
    Add(Box<Expr>, Box<Expr>),
    Div(Box<Expr>, Box<Expr>),
}
fn expr(c: &mut Choices<'_>) -> Checked<Expr> {
    Ok(match c.variant(&["Int", "Add", "Div"], 1) {
        0 => Expr::Int(c.draw(I64)?),
        1 => Expr::Add(Box::new(c.draw(compose(expr))?), Box::new(c.draw(compose(expr))?)),
        _ => Expr::Div(Box::new(c.draw(compose(expr))?), Box::new(c.draw(compose(expr))?)),
    })
}
fn no_zero(e: &Expr) -> bool {
    match e {
        Expr::Int(_) => true,
        Expr::Div(_, b) if matches!(**b, Expr::Int(0)) => false,
        Expr::Add(a, b) | Expr::Div(a, b) => no_zero(a) && no_zero(b),
    }
}
fn eval(e: &Expr) -> Option<i64> {
    Some(match e {
        Expr::Int(i) => *i,
        Expr::Add(a, b) => eval(a)?.wrapping_add(eval(b)?),
        Expr::Div(a, b) => {
            let (a, b) = (eval(a)?, eval(b)?);
            if b == 0 {
                return None;
            }
            a.wrapping_div(b)
        }
    })
}
#[test]
fn calculator() {
    demand(
        "calculator",
        341.0,
        tally(
            compose(expr),
            |e| no_zero(e).then(|| eval(e).is_some()),
            &["Div(Int(0), Add(Int(0), Int(0)))"],
        ),
    );
}
#[test]
fn lengthlist() {
    let g = compose(|c| {
        let n = c.draw(Int(1, 100))?;
        (0..n).map(|_| c.draw(Int(0, 1000))).collect::<Checked<Vec<i64>>>()
    });
    demand("lengthlist", 85.0, tally(g, |x| Some(*x.iter().max().unwrap() < 900), &["[900]"]));
}
fn difference(name: &str, limit: f64, bad: fn(i64) -> bool, s: &str) {
    let g = compose(|c| Ok((c.draw(Int(0, (1 << 31) - 1))?, c.draw(Int(0, (1 << 31) - 1))?)));
    demand(name, limit, tally(g, move |(x, y)| Some(*x < 10 || !bad((x - y).abs())), &[s]));
}
#[test]
fn difference_zero() {
    difference("diff_zero", 40.0, |d| d == 0, "(10, 10)");
}
#[test]
fn difference_small() {
    difference("diff_small", 400.0, |d| (1..=4).contains(&d), "(10, 6)");
}
#[test]
fn difference_one() {
    difference("diff_one", 400.0, |d| d == 1, "(10, 9)");
}

#[derive(Debug, Clone)]
struct Heap(i64, Option<Box<Heap>>, Option<Box<Heap>>);
fn heap(c: &mut Choices<'_>, lo: i64, depth: u32) -> Checked<Option<Box<Heap>>> {
    if depth > 6 || !c.chance(1, 2) {
        return Ok(None);
    }
    let v = c.draw(Int(lo, i64::from(i32::MAX)))?;
    Ok(Some(Box::new(Heap(
        v,
        c.draw(compose(|c| heap(c, v, depth + 1)))?,
        c.draw(compose(|c| heap(c, v, depth + 1)))?,
    ))))
}
type H = Option<Box<Heap>>;
fn to_list(h: &H) -> Vec<i64> {
    let (mut out, mut stack) = (vec![], vec![h]);
    while let Some(x) = stack.pop() {
        if let Some(x) = x {
            out.push(x.0);
            stack.push(&x.1);
            stack.push(&x.2);
        }
    }
    out
}
fn merge(a: &H, b: &H) -> H {
    match (a, b) {
        (None, _) => b.clone(),
        (_, None) => a.clone(),
        (Some(x), Some(y)) => Some(Box::new(if x.0 <= y.0 {
            Heap(x.0, merge(&x.2, b), x.1.clone())
        } else {
            Heap(y.0, merge(&y.2, a), y.1.clone())
        })),
    }
}
#[test]
fn binheap() {
    let holds = |h: &H| {
        let Some(x) = h else { return Some(true) };
        let mut l1 = to_list(h);
        let mut l2 = vec![x.0];
        l2.extend(to_list(&merge(&x.1, &x.2)));
        let s = l2.is_sorted();
        l1.sort();
        Some(s && l1 == l2)
    };
    demand(
        "binheap",
        400.0,
        tally(
            compose(|c| heap(c, i64::from(i32::MIN), 0)),
            holds,
            &["Some(Heap(0, None, Some(Heap(0, Some(Heap(0, None, None)), Some(Heap(1, None, None))))))"],
        ),
    );
}
#[test]
fn coupling() {
    demand(
        "coupling",
        400.0,
        tally(
            vecs(Int(0, 10)),
            |x| {
                if x.iter().any(|&v| v >= x.len() as i64) {
                    return None;
                }
                Some(x.iter().enumerate().all(|(i, &v)| v == i as i64 || x[v as usize] != i as i64))
            },
            &["[1, 0]"],
        ),
    );
}
#[test]
fn deletion() {
    let g = compose(|c| {
        let l = c.draw(vecs(I64))?;
        let i = c.draw(Int(0, (l.len() as i64 - 1).max(0)))?;
        Ok((l, i as usize))
    });
    demand(
        "deletion",
        23.0,
        tally(
            g,
            |(l, i)| {
                if *i >= l.len() {
                    return None;
                }
                let x = l[*i];
                let mut l = l.clone();
                l.remove(l.iter().position(|y| *y == x).unwrap());
                Some(!l.contains(&x))
            },
            &["([0, 0], 0)"],
        ),
    );
}
#[test]
fn distinct() {
    demand(
        "distinct",
        52.0,
        tally(vecs(I64), |x| Some(x.iter().collect::<BTreeSet<_>>().len() < 3), &["[0, 1, -1]", "[0, 1, 2]"]),
    );
}
#[test]
fn nestedlists() {
    demand(
        "nestedlists",
        166.0,
        tally(
            vecs(vecs(I64)),
            |x| Some(x.iter().map(Vec::len).sum::<usize>() <= 10),
            &["[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"],
        ),
    );
}
