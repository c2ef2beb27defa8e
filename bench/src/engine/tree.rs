//! A derived enum tree: expressions with numbers at their leaves.
//!
//! The peers have no derive that balances recursion, so their generators are written by hand
//! with a depth that gives trees of comparable size; speed is counted in nodes.

use crate::findings::Findings;
use crate::measure::{Contender, count, race};
use crate::peers;
use hegel::TestCase;
use hegel::generators as gs;
use proptest::prelude::{BoxedStrategy, Strategy, any as any_of, prop_oneof};
use quickcheck::Gen;
use stairway::prelude::*;

#[derive(Clone, Debug, Arbitrary)]
enum Expr {
    Number(#[allow(dead_code, reason = "generated, never looked at")] i32),
    Negated(Box<Expr>),
    Sum(Box<Expr>, Box<Expr>),
    Product(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn n_nodes(&self) -> usize {
        match self {
            Expr::Number(_) => 1,
            Expr::Negated(a) => 1 + a.n_nodes(),
            Expr::Sum(a, b) | Expr::Product(a, b) => 1 + a.n_nodes() + b.n_nodes(),
        }
    }
}

pub(crate) fn run(findings: &mut Findings) {
    let reached = race(&[
        Contender { tool: "stairway", n_cases: 2_000, run: with_stairway },
        Contender { tool: "quickcheck", n_cases: 2_000, run: with_quickcheck },
        Contender { tool: "proptest", n_cases: 300, run: with_proptest },
        Contender { tool: "hegel", n_cases: 100, run: with_hegel },
    ]);
    super::speeds(
        findings,
        ("tree", "A derived enum tree"),
        "nodes",
        "Nodes generated for a property over an enum of four variants, three of them recursive, that passes. \
         Derived for Stairway, written by hand for the others.",
        &reached,
    );
}

fn with_stairway(n_cases: u64, seed: u64) {
    peers::stairway(n_cases, seed, |t| {
        let tree = t.pick(any::<Expr>())?;
        count(tree.n_nodes(), &tree);
        Ok(())
    });
}

/// The deepest that the trees of quickcheck, proptest and hegel go.
const DEEPEST: u32 = 5;

impl quickcheck::Arbitrary for Expr {
    fn arbitrary(g: &mut Gen) -> Self {
        fn tree(g: &mut Gen, depth: u32) -> Expr {
            let kind = if depth == 0 { 0 } else { <u8 as quickcheck::Arbitrary>::arbitrary(g) % 4 };
            match kind {
                0 => Expr::Number(quickcheck::Arbitrary::arbitrary(g)),
                1 => Expr::Negated(Box::new(tree(g, depth - 1))),
                2 => Expr::Sum(Box::new(tree(g, depth - 1)), Box::new(tree(g, depth - 1))),
                _ => Expr::Product(Box::new(tree(g, depth - 1)), Box::new(tree(g, depth - 1))),
            }
        }
        tree(g, DEEPEST)
    }
}

fn with_quickcheck(n_cases: u64, seed: u64) {
    fn property(tree: Expr) -> bool {
        count(tree.n_nodes(), &tree);
        true
    }
    peers::quickcheck(n_cases, seed, 100, property as fn(Expr) -> bool);
}

fn with_proptest(n_cases: u64, seed: u64) {
    fn tree(depth: u32) -> BoxedStrategy<Expr> {
        let number = any_of::<i32>().prop_map(Expr::Number);
        if depth == 0 {
            return number.boxed();
        }
        let below = tree(depth - 1).prop_map(Box::new).boxed();
        prop_oneof![
            number,
            below.clone().prop_map(Expr::Negated),
            (below.clone(), below.clone()).prop_map(|(a, b)| Expr::Sum(a, b)),
            (below.clone(), below).prop_map(|(a, b)| Expr::Product(a, b)),
        ]
        .boxed()
    }
    peers::proptest(n_cases, seed, &tree(DEEPEST), |tree| {
        count(tree.n_nodes(), &tree);
        Ok(())
    });
}

fn with_hegel(n_cases: u64, seed: u64) {
    fn tree(tc: &TestCase, depth: u32) -> Expr {
        let kind = if depth == 0 { 0 } else { tc.draw(gs::integers::<u8>().max_value(3)) };
        match kind {
            0 => Expr::Number(tc.draw(gs::integers())),
            1 => Expr::Negated(Box::new(tree(tc, depth - 1))),
            2 => Expr::Sum(Box::new(tree(tc, depth - 1)), Box::new(tree(tc, depth - 1))),
            _ => Expr::Product(Box::new(tree(tc, depth - 1)), Box::new(tree(tc, depth - 1))),
        }
    }
    peers::hegel(n_cases, seed, |tc| {
        let tree = tree(&tc, DEEPEST);
        count(tree.n_nodes(), &tree);
    });
}
