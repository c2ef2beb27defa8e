//! Challenges over trees.

use super::{Challenge, challenge};
use crate::findings::{Findings, Table};
use hegel::TestCase;
use hegel::generators as gs;
use proptest::prelude::{BoxedStrategy, Just, any as any_of, prop_oneof};
use proptest::strategy::Strategy;
use quickcheck::Gen;
use stairway::prelude::*;
use stairway::{Checked, Draw};

pub(super) fn run(findings: &mut Findings, table: &mut Table) {
    challenge::<Calculator>(findings, table);
    challenge::<BinHeap>(findings, table);
}

/// How deep the trees of the peers go; Stairway balances by itself.
const DEEPEST: u32 = 5;

struct Calculator;

#[derive(Clone, Debug, Arbitrary)]
enum Expr {
    Int(i64),
    Add(Box<Expr>, Box<Expr>),
    Div(Box<Expr>, Box<Expr>),
}

impl Expr {
    fn divides_by_literal_zero(&self) -> bool {
        match self {
            Expr::Int(_) => false,
            Expr::Div(_, b) if matches!(**b, Expr::Int(0)) => true,
            Expr::Add(a, b) | Expr::Div(a, b) => a.divides_by_literal_zero() || b.divides_by_literal_zero(),
        }
    }

    /// The value, unless something is divided by zero.
    fn value(&self) -> Option<i64> {
        match self {
            Expr::Int(n) => Some(*n),
            Expr::Add(a, b) => Some(a.value()?.wrapping_add(b.value()?)),
            Expr::Div(a, b) => match (a.value()?, b.value()?) {
                (_, 0) => None,
                (a, b) => Some(a.wrapping_div(b)),
            },
        }
    }
}

impl quickcheck::Arbitrary for Expr {
    fn arbitrary(g: &mut Gen) -> Self {
        fn tree(g: &mut Gen, depth: u32) -> Expr {
            let kind = if depth == 0 { 0 } else { <u8 as quickcheck::Arbitrary>::arbitrary(g) % 3 };
            match kind {
                0 => Expr::Int(quickcheck::Arbitrary::arbitrary(g)),
                1 => Expr::Add(Box::new(tree(g, depth - 1)), Box::new(tree(g, depth - 1))),
                _ => Expr::Div(Box::new(tree(g, depth - 1)), Box::new(tree(g, depth - 1))),
            }
        }
        tree(g, DEEPEST)
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let parts = |a: &Expr, b: &Expr| [a.clone(), b.clone()].into_iter();
        match self {
            Expr::Int(n) => Box::new(n.shrink().map(Expr::Int)),
            Expr::Add(a, b) => {
                let smaller = (a.clone(), b.clone()).shrink().map(|(a, b)| Expr::Add(a, b));
                Box::new(parts(a, b).chain(smaller))
            }
            Expr::Div(a, b) => {
                let smaller = (a.clone(), b.clone()).shrink().map(|(a, b)| Expr::Div(a, b));
                Box::new(parts(a, b).chain(smaller))
            }
        }
    }
}

impl Challenge for Calculator {
    const NAME: &'static str = "calculator";
    const MOST_RUNS: f64 = 341.0;
    const SMALLEST: &'static [&'static str] = &["Div(Int(0), Add(Int(0), Int(0)))"];
    type Input = Expr;
    type Quickcheck = Expr;

    fn holds(expression: &Expr) -> Option<bool> {
        (!expression.divides_by_literal_zero()).then(|| expression.value().is_some())
    }
    fn stairway() -> impl Generate<Value = Expr> + Sync {
        any::<Expr>()
    }
    fn quickcheck(made: Expr) -> Expr {
        made
    }
    fn proptest() -> impl Strategy<Value = Expr> {
        any_of::<i64>().prop_map(Expr::Int).prop_recursive(DEEPEST, 64, 2, |below| {
            let pair = (below.clone().prop_map(Box::new), below.prop_map(Box::new));
            prop_oneof![
                pair.clone().prop_map(|(a, b)| Expr::Add(a, b)),
                pair.prop_map(|(a, b)| Expr::Div(a, b))
            ]
        })
    }
    fn hegel(tc: &TestCase) -> Expr {
        let pair = |below: gs::SubtreeGenerator<Expr>, of: fn(Box<Expr>, Box<Expr>) -> Expr| {
            hegel::tuples!(below.clone(), below).map(move |(a, b)| of(Box::new(a), Box::new(b)))
        };
        use hegel::generators::Generator;
        tc.draw(
            gs::recursive(gs::integers::<i64>().map(Expr::Int), move |below| {
                hegel::one_of!(pair(below.clone(), Expr::Add), pair(below, Expr::Div))
            })
            .max_depth(DEEPEST as usize),
        )
    }
}

struct BinHeap;

/// A heap: a value, and two heaps with no smaller values.
#[derive(Clone, Debug)]
struct Node(i32, Heap, Heap);

type Heap = Option<Box<Node>>;

/// The values, root first, right children before left ones.
fn values(heap: &Heap) -> Vec<i32> {
    let (mut values, mut rest) = (Vec::new(), vec![heap]);
    while let Some(heap) = rest.pop() {
        if let Some(node) = heap {
            values.push(node.0);
            rest.extend([&node.1, &node.2]);
        }
    }
    values
}

fn merged(a: &Heap, b: &Heap) -> Heap {
    match (a, b) {
        (None, other) | (other, None) => other.clone(),
        (Some(x), Some(y)) if x.0 <= y.0 => Some(Box::new(Node(x.0, merged(&x.2, b), x.1.clone()))),
        (Some(_), Some(y)) => Some(Box::new(Node(y.0, merged(&y.2, a), y.1.clone()))),
    }
}

/// Raises every value to at least its parent's.
fn ordered(heap: Heap, least: i32) -> Heap {
    heap.map(|node| {
        let value = node.0.max(least);
        Box::new(Node(value, ordered(node.1, value), ordered(node.2, value)))
    })
}

impl quickcheck::Arbitrary for Node {
    fn arbitrary(g: &mut Gen) -> Self {
        fn node(g: &mut Gen, depth: u32) -> Node {
            let child = |g: &mut Gen| {
                let is_there = depth > 0 && <bool as quickcheck::Arbitrary>::arbitrary(g);
                is_there.then(|| Box::new(node(g, depth - 1)))
            };
            let (left, right) = (child(g), child(g));
            Node(quickcheck::Arbitrary::arbitrary(g), left, right)
        }
        node(g, DEEPEST)
    }
    fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
        let children = [&self.1, &self.2].into_iter().flatten().map(|child| (**child).clone());
        let children: Vec<Node> = children.collect();
        let parts = (self.0, self.1.clone(), self.2.clone());
        Box::new(children.into_iter().chain(parts.shrink().map(|(v, a, b)| Node(v, a, b))))
    }
}

fn with_stairway(c: &mut Draw<'_>, least: i32, depth: u32) -> Checked<Heap> {
    if depth == 0 || !c.chance(1, 2) {
        return Ok(None);
    }
    let value = c.draw(least..)?;
    let child = compose(|c| with_stairway(c, value, depth - 1));
    Ok(Some(Box::new(Node(value, c.draw(&child)?, c.draw(&child)?))))
}

fn with_proptest(least: i32, depth: u32) -> BoxedStrategy<Heap> {
    if depth == 0 {
        return Just(None).boxed();
    }
    let node = (least..=i32::MAX).prop_flat_map(move |value| {
        (with_proptest(value, depth - 1), with_proptest(value, depth - 1))
            .prop_map(move |(a, b)| Some(Box::new(Node(value, a, b))))
    });
    prop_oneof![Just(None), node].boxed()
}

fn with_hegel(tc: &TestCase, least: i32, depth: u32) -> Heap {
    if depth == 0 || !tc.draw(gs::booleans()) {
        return None;
    }
    let value = tc.draw(gs::integers::<i32>().min_value(least));
    Some(Box::new(Node(value, with_hegel(tc, value, depth - 1), with_hegel(tc, value, depth - 1))))
}

impl Challenge for BinHeap {
    const NAME: &'static str = "binheap";
    const MOST_RUNS: f64 = 400.0;
    const SMALLEST: &'static [&'static str] =
        &["Some(Node(0, None, Some(Node(0, Some(Node(0, None, None)), Some(Node(1, None, None))))))"];
    type Input = Heap;
    type Quickcheck = Option<Box<Node>>;

    fn holds(heap: &Heap) -> Option<bool> {
        let Some(root) = heap else { return Some(true) };
        let mut listed = vec![root.0];
        listed.extend(values(&merged(&root.1, &root.2)));
        let mut sorted = values(heap);
        sorted.sort_unstable();
        Some(listed == sorted)
    }
    fn stairway() -> impl Generate<Value = Heap> + Sync {
        compose(|c| with_stairway(c, i32::MIN, DEEPEST + 1))
    }
    fn quickcheck(made: Heap) -> Heap {
        ordered(made, i32::MIN)
    }
    fn proptest() -> impl Strategy<Value = Heap> {
        with_proptest(i32::MIN, DEEPEST + 1)
    }
    fn hegel(tc: &TestCase) -> Heap {
        with_hegel(tc, i32::MIN, DEEPEST + 1)
    }
}
