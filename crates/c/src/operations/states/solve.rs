//! Narrows the ranges of a draft's numbers to what the demands leave.
//!
//! Propagates relations between terms until nothing changes, forwards and backwards through arithmetic (the
//! revision HC4 of Benhamou et al., "Revising hull and box consistency", 1999). Arithmetic is assumed not to
//! wrap: a state in which it does is made less often, and the evaluator judges every state anyway.

use super::draft::{Clash, Constraint, Draft, Hole, Operand, Relation, Term, TermId, Watch};
use crate::spec::checked::Arithmetic;

/// How often constraints are looked at for one demand, for each that there is: ranges that creep towards each
/// other are left as they are.
const MOST_REVISIONS: usize = 8;
const LEAST_REVISIONS: usize = 64;

/// A range: the least and the largest number.
type Range = (i128, i128);

impl Draft {
    /// Narrows ranges until nothing changes.
    pub(super) fn propagate(&mut self) -> Result<(), Clash> {
        for _ in 0..LEAST_REVISIONS + MOST_REVISIONS * self.constraints.len() {
            let Some(k) = self.next_queued() else { return Ok(()) };
            if self.revise(k).is_err() {
                self.looked_at(k);
                self.forget_queue();
                return Err(Clash);
            }
        }
        self.forget_queue();
        Ok(())
    }

    fn revise(&mut self, k: u32) -> Result<(), Clash> {
        let Constraint { relation, a, b } = self.constraints[k as usize];
        let (a, b) = (self.operand(a), self.operand(b));
        if !(a.is_plain() && b.is_plain()) {
            // Looking at it once more may tell more.
            self.looked_at(k);
        }
        let (one, other) = (self.range_as(a), self.range_as(b));
        match relation {
            Relation::LessEqual => {
                self.narrow_as(a, (i128::MIN, other.1))?;
                self.narrow_as(b, (one.0, i128::MAX))?;
            }
            Relation::Less => {
                self.narrow_as(a, (i128::MIN, other.1.saturating_sub(1)))?;
                self.narrow_as(b, (one.0.saturating_add(1), i128::MAX))?;
            }
            Relation::Equal => {
                let both = (one.0.max(other.0), one.1.min(other.1));
                self.narrow_as(a, both)?;
                self.narrow_as(b, both)?;
            }
            Relation::Unequal => {
                self.exclude(a, other)?;
                self.exclude(b, one)?;
            }
        }
        self.looked_at(k);
        Ok(())
    }

    /// Takes a single number off the end of a range.
    fn exclude(&mut self, operand: Operand, (value, last): Range) -> Result<(), Clash> {
        if value != last {
            return Ok(());
        }
        let (lo, hi) = self.range_as(operand);
        match (lo == value, hi == value) {
            (true, true) => Err(Clash),
            (true, false) => self.narrow_as(operand, (value + 1, i128::MAX)),
            (false, true) => self.narrow_as(operand, (i128::MIN, value - 1)),
            (false, false) => Ok(()),
        }
    }

    /// The numbers that a term can be.
    pub(super) fn range(&self, id: TermId) -> Range {
        self.range_as(self.operand(id))
    }

    fn range_as(&self, operand: Operand) -> Range {
        match operand {
            Operand::Number(value) => (value, value),
            Operand::Hole(hole) => {
                let Hole { lo, hi, .. } = self.state_of(hole);
                (*lo, *hi)
            }
            Operand::Arithmetic(op, a, b) => combined(op, self.range(a), self.range(b)),
            Operand::Other => (i128::MIN, i128::MAX),
        }
    }

    /// The number that a term is, if that is known.
    pub(super) fn value(&self, id: TermId) -> Option<i128> {
        let (lo, hi) = self.range(id);
        (lo == hi).then_some(lo)
    }

    /// Demands that a number lies in a range.
    pub(super) fn narrow(&mut self, id: TermId, range: Range) -> Result<(), Clash> {
        self.narrow_as(self.operand(id), range)
    }

    fn narrow_as(&mut self, operand: Operand, (lo, hi): Range) -> Result<(), Clash> {
        match operand {
            Operand::Number(value) if lo <= value && value <= hi => Ok(()),
            Operand::Number(_) => Err(Clash),
            Operand::Hole(hole) => {
                let Hole { lo: least, hi: largest, .. } = *self.state_of(hole);
                if lo <= least && largest <= hi {
                    return Ok(());
                }
                let (lo, hi) = (least.max(lo), largest.min(hi));
                if lo > hi {
                    return Err(Clash);
                }
                self.set_range(hole, (lo, hi));
                Ok(())
            }
            Operand::Arithmetic(op, a, b) => self.narrow_operands(op, a, b, (lo, hi)),
            Operand::Other => Ok(()),
        }
    }

    fn narrow_operands(
        &mut self,
        op: Arithmetic,
        a: TermId,
        b: TermId,
        (lo, hi): Range,
    ) -> Result<(), Clash> {
        let (x, y) = (self.range(a), self.range(b));
        let whole = combined(op, x, y);
        if whole.0 > hi || whole.1 < lo {
            return Err(Clash);
        }
        let (lo, hi) = (lo.max(whole.0), hi.min(whole.1));
        match op {
            Arithmetic::Add => {
                self.narrow(a, (lo.saturating_sub(y.1), hi.saturating_sub(y.0)))?;
                let x = self.range(a);
                self.narrow(b, (lo.saturating_sub(x.1), hi.saturating_sub(x.0)))
            }
            Arithmetic::Subtract => {
                self.narrow(a, (lo.saturating_add(y.0), hi.saturating_add(y.1)))?;
                let x = self.range(a);
                self.narrow(b, (x.0.saturating_sub(hi), x.1.saturating_sub(lo)))
            }
            Arithmetic::Multiply if y.0 == y.1 && y.0 > 0 => {
                self.narrow(a, (ceiling(lo, y.0), hi.div_euclid(y.0)))
            }
            Arithmetic::Multiply if x.0 == x.1 && x.0 > 0 => {
                self.narrow(b, (ceiling(lo, x.0), hi.div_euclid(x.0)))
            }
            Arithmetic::Divide if y.0 == y.1 && y.0 > 0 && x.0 >= 0 => {
                self.narrow(a, (lo.saturating_mul(y.0), hi.saturating_mul(y.0).saturating_add(y.0 - 1)))
            }
            Arithmetic::Remainder | Arithmetic::Modulo if y.0 == y.1 && y.0 > 0 && x.0 >= 0 && x.1 < y.0 => {
                self.narrow(a, (lo, hi))
            }
            // A rest that is known leaves only some of the numbers at the ends.
            Arithmetic::Remainder | Arithmetic::Modulo if y.0 == y.1 && y.0 > 0 && x.0 >= 0 && lo == hi => {
                let first = x.0 + (lo - x.0).rem_euclid(y.0);
                let last = x.1 - (x.1 - lo).rem_euclid(y.0);
                self.narrow(a, (first, last))
            }
            _ => Ok(()),
        }
    }

    /// A number near `value` that the constraints on rests allow, if `value` is none.
    pub(super) fn nearest(&self, hole: u32, value: i128) -> Option<i128> {
        let rest = |watch: &Watch| {
            let Constraint { relation, a, b } = self.constraints[watch.constraint as usize];
            let sides = (self.term(a), self.value(b));
            match sides {
                (Term::Arithmetic(Arithmetic::Remainder | Arithmetic::Modulo, of, by), Some(rest))
                    if relation == Relation::Equal && matches!(self.term(of), Term::Hole(h) if h == hole) =>
                {
                    Some((self.value(by)?, rest))
                }
                _ => None,
            }
        };
        let (by, rest) = self.watching(hole).iter().find_map(rest).filter(|(by, _)| *by > 0)?;
        Some(value - (value - rest).rem_euclid(by))
    }
}

fn ceiling(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}

/// The numbers that an operation can give.
fn combined(op: Arithmetic, x: Range, y: Range) -> Range {
    match op {
        Arithmetic::Add => (x.0.saturating_add(y.0), x.1.saturating_add(y.1)),
        Arithmetic::Subtract => (x.0.saturating_sub(y.1), x.1.saturating_sub(y.0)),
        Arithmetic::Multiply => {
            let all = [
                x.0.saturating_mul(y.0),
                x.0.saturating_mul(y.1),
                x.1.saturating_mul(y.0),
                x.1.saturating_mul(y.1),
            ];
            (all.iter().copied().min().unwrap_or(0), all.iter().copied().max().unwrap_or(0))
        }
        Arithmetic::Divide if y.0 == y.1 && y.0 > 0 => (x.0 / y.0, x.1 / y.0),
        Arithmetic::Remainder | Arithmetic::Modulo if y.0 == y.1 && y.0 > 0 => match x {
            (lo, hi) if lo >= 0 && hi < y.0 => x,
            (lo, _) if lo >= 0 || op == Arithmetic::Modulo => (0, y.0 - 1),
            _ => (1 - y.0, y.0 - 1),
        },
        _ => (i128::MIN, i128::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::types::{Bits, Type};

    fn holes(draft: &mut Draft, n: usize) -> Vec<TermId> {
        (0..n).map(|_| draft.hole(&Type::Bits(Bits::I32), 0)).collect()
    }

    #[test]
    fn an_order_leaves_room_for_everybody() {
        let mut draft = Draft::default();
        let list = holes(&mut draft, 5);
        for pair in list.windows(2) {
            draft.post(Relation::Less, pair[0], pair[1]).unwrap();
        }
        assert_eq!(draft.range(list[0]).1, i128::from(i32::MAX) - 4);
        draft.narrow(list[4], (0, 4)).unwrap();
        draft.propagate().unwrap();
        draft.narrow(list[0], (0, 9)).unwrap();
        draft.propagate().unwrap();
        assert_eq!(
            list.iter().map(|hole| draft.value(*hole)).collect::<Vec<_>>(),
            (0..5).map(Some).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_clashes_is_seen_and_taken_back() {
        let mut draft = Draft::default();
        let list = holes(&mut draft, 2);
        draft.narrow(list[0], (5, 9)).unwrap();
        let mark = draft.mark();
        let sum = draft.add(Term::Arithmetic(Arithmetic::Add, list[0], list[1]));
        let seven = draft.number(7);
        draft.post(Relation::Equal, sum, seven).unwrap();
        assert_eq!(draft.range(list[1]), (-2, 2));
        let three = draft.number(3);
        assert_eq!(draft.post(Relation::Less, three, list[1]), Err(Clash));
        draft.back_to(mark);
        assert_eq!(draft.range(list[1]), (i128::from(i32::MIN), i128::from(i32::MAX)));
    }

    #[test]
    fn what_is_older_than_a_mark_is_taken_back_and_what_is_newer_goes() {
        let mut draft = Draft::default();
        let old = holes(&mut draft, 1)[0];
        let first = draft.mark();
        let newer = holes(&mut draft, 1)[0];
        draft.narrow(newer, (0, 100)).unwrap();
        let second = draft.mark();
        draft.post(Relation::Less, newer, old).unwrap();
        draft.narrow(old, (0, 7)).unwrap();
        draft.propagate().unwrap();
        assert_eq!((draft.range(old), draft.range(newer)), ((1, 7), (0, 6)));
        draft.back_to(second);
        assert_eq!(draft.range(newer), (0, 100));
        draft.narrow(newer, (5, 5)).unwrap();
        draft.narrow(old, (0, 7)).unwrap();
        draft.back_to(first);
        assert_eq!(draft.range(old), (i128::from(i32::MIN), i128::from(i32::MAX)));
    }

    #[test]
    fn a_number_is_neither_below_itself_nor_another() {
        let mut draft = Draft::default();
        let number = holes(&mut draft, 1)[0];
        assert_eq!(draft.post(Relation::Less, number, number), Err(Clash));
        assert_eq!(draft.post(Relation::Unequal, number, number), Err(Clash));
        assert_eq!(draft.post(Relation::LessEqual, number, number), Ok(()));
    }

    #[test]
    fn ranges_that_creep_towards_each_other_cost_little() {
        let mut draft = Draft::default();
        let list = holes(&mut draft, 2);
        draft.post(Relation::Less, list[0], list[1]).unwrap();
        // Two thousand million steps apart: nobody takes them.
        draft.post(Relation::Less, list[1], list[0]).unwrap();
        let (least, _) = draft.range(list[0]);
        assert!(least < i128::from(i32::MIN) + 200, "{least}");
    }
}
