//! Formulas in a normal form: negations stand at predicates only, and a predicate is a number.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Whether `within(auto, ..)` stands at an `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AutoDeadline {
    /// It does not.
    No,
    /// It does, and nothing was looked at yet.
    Asked,
    /// It was looked at, and what it speaks of was not there.
    Begun,
}

/// A formula with negations at its predicates only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Formula {
    /// Always so.
    True,
    /// Never so.
    False,
    /// The predicate holds.
    Atom(usize),
    /// The predicate does not hold.
    Not(usize),
    /// All of them hold.
    And(Vec<Formula>),
    /// One of them holds.
    Or(Vec<Formula>),
    /// It holds after the next step.
    Next(Box<Formula>),
    /// The first holds until the second does, and the second will.
    Until(Box<Formula>, Box<Formula>, AutoDeadline),
    /// The second holds up to where the first does, or for ever.
    Release(Box<Formula>, Box<Formula>),
    /// It holds now or after at most so many steps.
    Within(u32, Box<Formula>),
    /// It holds now and after each of so many steps.
    Throughout(u32, Box<Formula>),
}

impl Formula {
    /// It holds now and for ever.
    #[must_use]
    pub fn always(self) -> Formula {
        Formula::Release(Box::new(Formula::False), Box::new(self))
    }

    /// It will hold.
    #[must_use]
    pub fn eventually(self, awaited: AutoDeadline) -> Formula {
        Formula::Until(Box::new(Formula::True), Box::new(self), awaited)
    }

    /// The formula that holds where this one does not.
    #[must_use]
    pub fn negated(self) -> Formula {
        let each = |parts: Vec<Formula>| parts.into_iter().map(Formula::negated).collect();
        let inside = |part: Box<Formula>| Box::new(part.negated());
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            Formula::Atom(k) => Formula::Not(k),
            Formula::Not(k) => Formula::Atom(k),
            Formula::And(parts) => Formula::Or(each(parts)),
            Formula::Or(parts) => Formula::And(each(parts)),
            Formula::Next(part) => Formula::Next(inside(part)),
            Formula::Until(a, b, _) => Formula::Release(inside(a), inside(b)),
            Formula::Release(a, b) => Formula::Until(inside(a), inside(b), AutoDeadline::No),
            Formula::Within(n, part) => Formula::Throughout(n, inside(part)),
            Formula::Throughout(n, part) => Formula::Within(n, inside(part)),
        }
    }

    /// Whether it speaks of one moment only, and of no predicates but these.
    pub fn is_momentary(&self, is_among: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Formula::True | Formula::False => true,
            Formula::Atom(k) | Formula::Not(k) => is_among(*k),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| part.is_momentary(is_among)),
            _ => false,
        }
    }

    /// A formula about one moment as alternatives: predicates that must hold, and that must not.
    #[must_use]
    pub fn alternatives(&self) -> Vec<(u32, u32)> {
        match self {
            Formula::True => vec![(0, 0)],
            Formula::Atom(k) => vec![(1 << k, 0)],
            Formula::Not(k) => vec![(0, 1 << k)],
            Formula::Or(parts) => parts.iter().flat_map(Formula::alternatives).collect(),
            Formula::And(parts) => parts.iter().fold(vec![(0, 0)], |all, part| {
                let part = part.alternatives();
                all.iter()
                    .flat_map(|a| part.iter().map(move |b| (a.0 | b.0, a.1 | b.1)))
                    .filter(|(must, not)| must & not == 0)
                    .collect()
            }),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negations_end_at_predicates() {
        let leads_to =
            Formula::Or(vec![Formula::Not(0), Formula::Atom(1).eventually(AutoDeadline::No)]).always();
        let never = Formula::And(vec![Formula::Atom(0), Formula::Not(1).always()]);
        assert_eq!(leads_to.clone().negated(), never.eventually(AutoDeadline::No));
        assert_eq!(leads_to.clone().negated().negated(), leads_to);
        let soon = Formula::Within(3, Box::new(Formula::Next(Box::new(Formula::True))));
        assert_eq!(soon.negated(), Formula::Throughout(3, Box::new(Formula::Next(Box::new(Formula::False)))));
    }

    #[test]
    fn alternatives_leave_out_what_cannot_be() {
        let either = Formula::Or(vec![Formula::Atom(0), Formula::Not(1)]);
        let both = Formula::And(vec![either, Formula::Atom(1)]);
        assert_eq!(both.alternatives(), [(0b11, 0)]);
    }
}
