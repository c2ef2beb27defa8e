//! A formula as the list of its parts, each after those it is made of, so that a cycle can be judged again by
//! the meaning of the operators.

use super::meaning::Part;
use super::normal::Formula;
use alloc::vec::Vec;

/// The parts of a formula; the last one is the whole.
#[must_use]
pub fn parts(formula: &Formula) -> Vec<Part> {
    let mut parts = Vec::new();
    add(formula, &mut parts);
    parts
}

/// Adds a formula and returns its position, after all others.
fn add(formula: &Formula, parts: &mut Vec<Part>) -> u32 {
    let part = match formula {
        Formula::True => Part::True,
        Formula::False => Part::False,
        Formula::Atom(k) => Part::Atom(*k as u32),
        Formula::Not(k) => Part::Not(*k as u32),
        Formula::And(all) => return several(all, Part::True, Part::And, parts),
        Formula::Or(all) => return several(all, Part::False, Part::Or, parts),
        Formula::Next(inner) => Part::Next(add(inner, parts)),
        Formula::Until(a, b, _) => Part::Until(add(a, parts), add(b, parts)),
        Formula::Release(a, b) => Part::Release(add(a, parts), add(b, parts)),
        Formula::Within(n, inner) => Part::Within(*n, add(inner, parts)),
        Formula::Throughout(n, inner) => Part::Throughout(*n, add(inner, parts)),
    };
    push(part, parts)
}

/// Several formulas joined by an operator of two.
fn several(all: &[Formula], none: Part, join: fn(u32, u32) -> Part, parts: &mut Vec<Part>) -> u32 {
    let Some((first, rest)) = all.split_first() else { return push(none, parts) };
    let mut whole = add(first, parts);
    for formula in rest {
        let part = add(formula, parts);
        whole = push(join(whole, part), parts);
    }
    whole
}

fn push(part: Part, parts: &mut Vec<Part>) -> u32 {
    parts.push(part);
    parts.len() as u32 - 1
}
