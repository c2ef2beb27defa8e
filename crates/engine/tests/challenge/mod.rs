//! The thirteen challenges: a generator, a property that is false, and its smallest answer.
//!
//! They are written with the public generators as a user would write them, and know nothing of
//! how shrinking works. `None` says that a precondition does not hold.

#![allow(clippy::ptr_arg, reason = "a property takes the very type its generator makes")]

use stairway_engine::{Checked, Draw, Generate, any, compose, one_of, recursive, vec};
use std::collections::BTreeSet;

/// Up to a hundred values, the usual list.
fn list<G: Generate>(element: G) -> impl Generate<Value = Vec<G::Value>> {
    vec(element, 0..=100)
}

type FiveLists = (Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>, Vec<i16>);

/// If each of five lists sums up to less than 256, all of them sum up to less than 5 * 256;
/// sums wrap around.
pub(crate) mod bound5 {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["([], [], [], [-1], [-32768])"];

    pub(crate) fn inputs() -> impl Generate<Value = FiveLists> {
        let each = || list(any::<i16>());
        (each(), each(), each(), each(), each())
    }

    pub(crate) fn holds((a, b, c, d, e): &FiveLists) -> Option<bool> {
        let sum = |xs: &[i16]| xs.iter().fold(0i16, |sum, x| sum.wrapping_add(*x));
        let sums = [a, b, c, d, e].map(|xs| sum(xs));
        Some(sums.iter().any(|&sum| sum >= 256) || sum(&sums) < 5 * 256)
    }
}

/// Lists of lists have at most four distinct numbers.
pub(crate) mod large_union_list {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[[0, 1, -1, 2, -2]]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<Vec<i64>>> {
        list(list(any::<i64>()))
    }

    pub(crate) fn holds(lists: &Vec<Vec<i64>>) -> Option<bool> {
        Some(lists.iter().flatten().collect::<BTreeSet<_>>().len() <= 4)
    }
}

/// A list is its own reverse.
pub(crate) mod reverse {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[0, 1]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<i64>> {
        list(any::<i64>())
    }

    pub(crate) fn holds(list: &Vec<i64>) -> Option<bool> {
        Some(list.iter().eq(list.iter().rev()))
    }
}

/// Expressions without a literal division by zero evaluate without a division by zero.
pub(crate) mod calculator {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["Div(Int(0), Add(Int(0), Int(0)))"];

    #[derive(Debug)]
    pub(crate) enum Expression {
        Int(i64),
        Add(Box<Expression>, Box<Expression>),
        Div(Box<Expression>, Box<Expression>),
    }
    use Expression::{Add, Div, Int};

    pub(crate) fn inputs() -> impl Generate<Value = Expression> {
        recursive(any::<i64>().mapped(Int), |part| {
            one_of((
                (part.clone(), part.clone()).mapped(|(a, b)| Add(Box::new(a), Box::new(b))),
                (part.clone(), part).mapped(|(a, b)| Div(Box::new(a), Box::new(b))),
            ))
        })
    }

    pub(crate) fn holds(expression: &Expression) -> Option<bool> {
        (!divides_by_literal_zero(expression)).then(|| value(expression).is_some())
    }

    fn divides_by_literal_zero(expression: &Expression) -> bool {
        match expression {
            Int(_) => false,
            Div(_, b) if matches!(**b, Int(0)) => true,
            Add(a, b) | Div(a, b) => divides_by_literal_zero(a) || divides_by_literal_zero(b),
        }
    }

    fn value(expression: &Expression) -> Option<i64> {
        match expression {
            Int(n) => Some(*n),
            Add(a, b) => Some(value(a)?.wrapping_add(value(b)?)),
            Div(a, b) => match (value(a)?, value(b)?) {
                (_, 0) => None,
                (a, b) => Some(a.wrapping_div(b)),
            },
        }
    }
}

/// The length is drawn first, as a number, then so many elements; their maximum is below 900.
pub(crate) mod lengthlist {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[900]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<u32>> {
        compose(|c| {
            let n = c.draw(1..=100)?;
            (0..n).map(|_| c.draw(0..=1000u32)).collect()
        })
    }

    pub(crate) fn holds(list: &Vec<u32>) -> Option<bool> {
        Some(list.iter().all(|&x| x < 900))
    }
}

/// Two numbers of which the first is at least 10 never lie a certain distance apart.
pub(crate) mod difference {
    use super::*;

    pub(crate) const ZERO: &[&str] = &["(10, 10)"];
    pub(crate) const SMALL: &[&str] = &["(10, 6)"];
    pub(crate) const ONE: &[&str] = &["(10, 9)"];

    pub(crate) fn inputs() -> impl Generate<Value = (i32, i32)> {
        (0i32.., 0i32..)
    }

    pub(crate) fn is_never_zero(&(x, y): &(i32, i32)) -> Option<bool> {
        Some(x < 10 || x != y)
    }

    pub(crate) fn is_never_small(&(x, y): &(i32, i32)) -> Option<bool> {
        Some(x < 10 || !(1..=4).contains(&x.abs_diff(y)))
    }

    pub(crate) fn is_never_one(&(x, y): &(i32, i32)) -> Option<bool> {
        Some(x < 10 || x.abs_diff(y) != 1)
    }
}

/// A wrong way of listing a heap in order: the root, then a walk over its merged children.
pub(crate) mod binheap {
    use super::*;

    pub(crate) const SMALLEST: &[&str] =
        &["Some(Node(0, None, Some(Node(0, Some(Node(0, None, None)), Some(Node(1, None, None))))))"];

    #[derive(Clone, Debug)]
    pub(crate) struct Node(i32, Heap, Heap);
    pub(crate) type Heap = Option<Box<Node>>;

    pub(crate) fn inputs() -> impl Generate<Value = Heap> {
        compose(|c| heap(i32::MIN, c))
    }

    /// A heap whose values are not below `least`.
    fn heap(least: i32, c: &mut Draw<'_>) -> Checked<Heap> {
        if c.variant(&["empty", "node"], 1) == 0 {
            return Ok(None);
        }
        let value = c.draw(least..)?;
        let child = compose(|c| heap(value, c));
        Ok(Some(Box::new(Node(value, c.draw(&child)?, c.draw(&child)?))))
    }

    pub(crate) fn holds(heap: &Heap) -> Option<bool> {
        let Some(root) = heap else { return Some(true) };
        let mut listed = vec![root.0];
        walk(&merged(&root.1, &root.2), &mut listed);
        Some(listed.is_sorted())
    }

    /// The values in pre-order, right before left.
    fn walk(heap: &Heap, listed: &mut Vec<i32>) {
        if let Some(node) = heap {
            listed.push(node.0);
            walk(&node.2, listed);
            walk(&node.1, listed);
        }
    }

    fn merged(a: &Heap, b: &Heap) -> Heap {
        match (a, b) {
            (None, other) | (other, None) => other.clone(),
            (Some(x), Some(y)) if x.0 <= y.0 => Some(Box::new(Node(x.0, merged(&x.2, b), x.1.clone()))),
            (Some(_), Some(y)) => Some(Box::new(Node(y.0, merged(&y.2, a), y.1.clone()))),
        }
    }
}

/// In a list of positions into itself no two different positions name each other.
pub(crate) mod coupling {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[1, 0]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<usize>> {
        list(0..=10usize)
    }

    pub(crate) fn holds(list: &Vec<usize>) -> Option<bool> {
        let is_valid = list.iter().all(|&position| position < list.len());
        is_valid.then(|| list.iter().enumerate().all(|(i, &j)| i == j || list[j] != i))
    }
}

/// Removing the first occurrence of an element removes the element.
pub(crate) mod deletion {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["([0, 0], 0)"];

    pub(crate) fn inputs() -> impl Generate<Value = (Vec<i64>, usize)> {
        compose(|c| {
            let list = c.draw(list(any::<i64>()))?;
            let position = c.draw(0..=list.len().saturating_sub(1))?;
            Ok((list, position))
        })
    }

    pub(crate) fn holds((list, position): &(Vec<i64>, usize)) -> Option<bool> {
        let element = list.get(*position)?;
        let first = list.iter().position(|x| x == element)?;
        Some(!list[first + 1..].contains(element))
    }
}

/// A list has fewer than three distinct elements.
pub(crate) mod distinct {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[0, 1, -1]", "[0, 1, 2]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<i64>> {
        list(any::<i64>())
    }

    pub(crate) fn holds(list: &Vec<i64>) -> Option<bool> {
        Some(list.iter().collect::<BTreeSet<_>>().len() < 3)
    }
}

/// The lists in a list have no more than ten elements in all.
pub(crate) mod nestedlists {
    use super::*;

    pub(crate) const SMALLEST: &[&str] = &["[[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]"];

    pub(crate) fn inputs() -> impl Generate<Value = Vec<Vec<i64>>> {
        list(list(any::<i64>()))
    }

    pub(crate) fn holds(lists: &Vec<Vec<i64>>) -> Option<bool> {
        Some(lists.iter().map(Vec::len).sum::<usize>() <= 10)
    }
}
