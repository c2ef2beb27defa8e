//! Users rely on counterexamples that cannot be made simpler by hand. Each pass of shrinking is
//! there for a kind of property that would end up larger without it; this file holds one such
//! property for each of them, so that no pass is dead weight.

mod support;

use stairway_engine::{
    Checked, Draw, Generate, Label, Pass, Prng, Settings, any, array, compose, recursive, sampled_from, vec,
};
use std::fmt::Debug;
use support::{check, counterexample, demand};

const N_SEEDS: u64 = 30;

/// How many seeds end at the smallest answer, with and without one pass.
#[derive(Debug, PartialEq)]
struct Smallest {
    with: u64,
    without: u64,
}

/// Shrinks counterexamples to a property with all passes and with one left out.
fn compare<G: Generate<Value: Debug>>(
    pass: Pass,
    max_shrink_runs: u64,
    inputs: G,
    holds: impl Fn(&G::Value) -> Option<bool>,
    smallest: &str,
) -> Smallest {
    let n_smallest = |without_pass| {
        let is_smallest = |seed: &u64| {
            let settings = Settings {
                seed: *seed,
                n_cases: 2_000,
                max_shrink_runs,
                without_pass,
                ..Settings::default()
            };
            let report = check(&settings, |t| {
                let input = t.pick(&inputs)?;
                let verdict = holds(&input);
                t.assume(verdict.is_some())?;
                demand("property", verdict != Some(false))
            });
            counterexample(report).observed.drawn[0].value == smallest
        };
        (0..N_SEEDS).filter(is_smallest).count() as u64
    };
    Smallest { with: n_smallest(None), without: n_smallest(Some(pass)) }
}

const ENOUGH: u64 = 10_000;

/// A property that needs `pass`, and how it fares.
fn need_of(pass: Pass) -> Smallest {
    match pass {
        Pass::Rejected => rejected(pass),
        Pass::Shorten => shorten(pass),
        Pass::Subtree => subtree(pass),
        Pass::AddUp => add_up(pass),
        Pass::Rank => rank(pass),
        Pass::Zero => zero(pass),
        Pass::Lower => lower(pass),
        Pass::Reseed => reseed(pass),
        Pass::Join => join(pass),
        Pass::Together => together(pass),
        Pass::Alike => alike(pass),
        Pass::Counted => counted(pass),
        Pass::Order => order(pass),
        Pass::Redistribute => redistribute(pass),
        Pass::Renumber => renumber(pass),
        Pass::Drop => drop_flagged(pass),
        Pass::Reshape => reshape(pass),
        other => panic!("no property here needs the pass `{}`", other.name()),
    }
}

#[test]
fn every_pass_is_needed() {
    // `programs.rs` shows the need for those that are about steps of programs.
    let is_here = |pass: &Pass| !pass.cost().is_for_steps() && *pass != Pass::Exchange;
    for pass in Pass::ALL.into_iter().filter(is_here) {
        let need = need_of(pass);
        println!("{:13} {:2} of {N_SEEDS} smallest, {:2} without it", pass.name(), need.with, need.without);
        assert_eq!(need.with, N_SEEDS, "with all passes the property for `{}` is shrunk", pass.name());
        assert!(need.without < N_SEEDS, "`{}` makes no difference", pass.name());
    }
}

/// The book's table of passes is the engine's.
#[test]
fn the_book_names_every_pass() {
    let page = include_str!("../../../docs/how-it-works.md");
    let table = page.split("| pass |").nth(1).expect("the page has a table of passes");
    let rows = table.lines().skip(2).map_while(|line| line.strip_prefix("| "));
    let names: Vec<&str> = rows.filter_map(|row| row.split(" |").next()).collect();
    assert_eq!(names, Pass::ALL.map(Pass::name));
}

/// What filters rejected could go piece by piece as well, but not within so few runs.
fn rejected(pass: Pass) -> Smallest {
    let inputs = (array::<8, _>((0..=9u32).such_that(|x| *x >= 8)), 0..=1000u32);
    compare(pass, 100, inputs, |(_, n)| Some(*n < 500), "([8, 8, 8, 8, 8, 8, 8, 8], 500)")
}

/// Numbers between 0 and 99 that depend on a seed and on how many there are.
struct Seeded;

impl Generate for Seeded {
    type Value = Vec<u64>;

    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Vec<u64>> {
        let n = choices.length(0, 40);
        let mut prng = Prng::new(choices.unsigned(0, 0xffff, 0) ^ n << 32);
        Ok((0..n).map(|_| prng.up_to(99)).collect())
    }

    fn label(&self) -> Label {
        Label::SEEDED
    }
}

/// A list of one number is enough, and with another seed one of them will do.
fn reseed(pass: Pass) -> Smallest {
    let n_single = |without_pass| {
        let is_single = |seed: &u64| {
            let settings = Settings { seed: *seed, n_cases: 2_000, without_pass, ..Settings::default() };
            let report = check(&settings, |t| {
                let list = t.pick(Seeded)?;
                demand("property", !list.iter().any(|x| x % 7 == 3))
            });
            !counterexample(report).observed.drawn[0].value.contains(',')
        };
        (0..N_SEEDS).filter(is_single).count() as u64
    };
    Smallest { with: n_single(None), without: n_single(Some(pass)) }
}

/// Only the order matters; one number after the other takes more runs.
fn rank(pass: Pass) -> Smallest {
    let holds = |[a, b, c, d]: &[u32; 4]| Some(!(b < d && d < a && a < c));
    compare(pass, 20, array::<4, _>(0..=1000u32), holds, "[2, 0, 3, 1]")
}

/// The numbers are neither to be lowered nor to be moved: elements just have to go.
fn shorten(pass: Pass) -> Smallest {
    let holds = |(list, n): &(Vec<u32>, u32)| {
        let is_odd = |x: &u32| *x >= 300 && x % 2 == 1;
        Some(*n < 500 || n % 2 == 1 || !list.iter().any(is_odd))
    };
    compare(pass, ENOUGH, (vec(0..=1000u32, 0..=20), 0..=1000u32), holds, "([301], 500)")
}

#[derive(Debug)]
enum Tree {
    Leaf(u8),
    Pair(Box<Tree>, Box<Tree>),
}

/// The offending part may lie anywhere in the tree, and no smaller tree around it offends.
fn subtree(pass: Pass) -> Smallest {
    let trees = recursive(any::<u8>().mapped(Tree::Leaf), |part| {
        (part.clone(), part).mapped(|(a, b)| Tree::Pair(Box::new(a), Box::new(b)))
    });
    fn holds(tree: &Tree) -> bool {
        match tree {
            Tree::Leaf(_) => true,
            Tree::Pair(a, b) => {
                let is_bad = matches!((&**a, &**b), (Tree::Leaf(x), Tree::Leaf(y)) if *x > 9 && *y > 99);
                !is_bad && holds(a) && holds(b)
            }
        }
    }
    compare(pass, ENOUGH, trees, |tree| Some(holds(tree)), "Pair(Leaf(10), Leaf(100))")
}

/// Only the sum matters, and it wraps around. Redistributing gets there too, in more runs.
fn add_up(pass: Pass) -> Smallest {
    let sum = |list: &Vec<u8>| list.iter().fold(0u8, |sum, x| sum.wrapping_add(*x));
    compare(pass, 100, vec(any::<u8>(), 0..=20), |list| Some(sum(list) != 77), "[77]")
}

/// Four numbers have to become 0 at once.
fn zero(pass: Pass) -> Smallest {
    let holds = |[a, b, c, d, .., last]: &[u32; 8]| {
        let are_large = *a >= 100 && *b >= 200 && *c >= 300 && *d >= 400;
        Some(*last < 7 || !(are_large || [a, b, c, d] == [&0; 4]))
    };
    compare(pass, ENOUGH, array::<8, _>(0..=1000u32), holds, "[0, 0, 0, 0, 0, 0, 0, 7]")
}

fn lower(pass: Pass) -> Smallest {
    compare(pass, ENOUGH, any::<u32>(), |x| Some(*x < 1000), "1000")
}

fn join(pass: Pass) -> Smallest {
    let holds = |lists: &Vec<Vec<u32>>| Some(lists.iter().flatten().count() < 5);
    compare(pass, ENOUGH, vec(vec(0..=9u32, 0..=20), 0..=20), holds, "[[0, 0, 0, 0, 0]]")
}

fn together(pass: Pass) -> Smallest {
    let holds = |(x, y): &(u32, u32)| Some(*x < 10 || x != y);
    compare(pass, ENOUGH, (any::<u32>(), any::<u32>()), holds, "(10, 10)")
}

/// A key and the same key again: whatever goes has to go from both.
fn alike(pass: Pass) -> Smallest {
    let key = || vec(0..=2u32, 0..=5);
    let holds = |(one, other): &(Vec<u32>, Vec<u32>)| Some(one != other || one.len() < 2);
    compare(pass, ENOUGH, (key(), key()), holds, "([0, 0], [0, 0])")
}

/// The length is drawn like any other number. Carrying gets there too, in more runs.
fn counted(pass: Pass) -> Smallest {
    let inputs = compose(|c| {
        let n = c.draw(1..=100)?;
        (0..n).map(|_| c.draw(0..=1000u32)).collect()
    });
    compare(pass, 100, inputs, |list: &Vec<u32>| Some(list.iter().all(|&x| x < 900)), "[900]")
}

fn order(pass: Pass) -> Smallest {
    let holds = |list: &Vec<u32>| Some(!(list.contains(&3) && list.iter().any(|&x| x > 5)));
    compare(pass, ENOUGH, vec(0..=1000u32, 0..=20), holds, "[3, 6]")
}

fn redistribute(pass: Pass) -> Smallest {
    let holds = |(x, y): &(u32, u32)| Some(x + y < 1000);
    compare(pass, ENOUGH, (0..=1000u32, 0..=1000u32), holds, "(0, 1000)")
}

/// The number is a position, which every deleted element in front of it changes.
fn renumber(pass: Pass) -> Smallest {
    let holds = |(list, position): &(Vec<u32>, usize)| list.get(*position).map(|&x| x < 700);
    compare(pass, ENOUGH, (vec(0..=1000u32, 0..=20), 0..=999usize), holds, "([700], 0)")
}

/// Elements follow a flag each instead of a length in front.
fn drop_flagged(pass: Pass) -> Smallest {
    let inputs = compose(|c| {
        let mut list = Vec::new();
        while list.len() < 40 && c.chance(7, 8) {
            list.push(c.draw(0..=99u32)?);
        }
        Ok(list)
    });
    compare(pass, ENOUGH, inputs, |list: &Vec<u32>| Some(!list.contains(&42)), "[42]")
}

/// Three alternatives that fit together: from one set to a simpler one all of them change.
fn reshape(pass: Pass) -> Smallest {
    let inputs =
        (sampled_from([0, 1, 2]), sampled_from([0, 1, 2, 3]), sampled_from([0, 1, 2, 3, 4]), 0..=1000u32);
    let holds = |&(a, b, c, n): &(i32, i32, i32, u32)| {
        Some(n < 500 || ![(0, 2, 4), (1, 3, 2), (2, 1, 1)].contains(&(a, b, c)))
    };
    compare(pass, ENOUGH, inputs, holds, "(0, 2, 4, 500)")
}

/// The smallest counterexamples to properties of floats, over many seeds.
#[test]
fn floats_shrink_to_what_people_would_write() {
    let shrunk = |seed: u64, is_any: bool, fails: fn(f64) -> bool| {
        let settings = Settings { seed, n_cases: 20_000, ..Settings::default() };
        let report = check(&settings, |t| {
            let x = if is_any { t.pick(any())? } else { t.pick(0.0..1.0)? };
            demand("property", !fails(x))
        });
        counterexample(report).observed.drawn[0].value.clone()
    };
    for seed in 0..N_SEEDS {
        assert_eq!(shrunk(seed, false, |x| x > 0.66), "0.7", "seed {seed}");
        assert_eq!(shrunk(seed, false, |x| x > 0.25 && x < 0.26), "0.251", "seed {seed}");
        assert_eq!(shrunk(seed, false, |x| x > 0.0), "0.1", "seed {seed}");
        // Powers of two were as near as shrinking came to these.
        assert_eq!(shrunk(seed, true, |x| x >= 1e300), "1e300", "seed {seed}");
        assert_eq!(shrunk(seed, true, |x| x <= -3e20), "-3e20", "seed {seed}");
    }
}
