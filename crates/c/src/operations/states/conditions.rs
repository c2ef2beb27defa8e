//! Conditions over a draft: made true, made false, or decided.
//!
//! [`Drawing::want`] turns a condition into demands, [`Drawing::decide`] finds out whether one holds and
//! chooses if that is open, and [`Drawing::peek`] only looks.

use super::draft::{Relation, Term, TermId, is_number, range_of};
use super::draw::{DrawResult, Drawing, Fail, Frame};
use super::terms::{FEW, known_of};
use crate::spec::checked::{Builtin, Expr, ExprKind};
use crate::spec::types::Type;

/// How many indices of an `each` in a condition are looked at.
const MOST_INDICES: i128 = 512;

impl<'a> Drawing<'a, '_> {
    /// Makes a condition hold, or not hold.
    pub(super) fn want(&mut self, e: &'a Expr, holds: bool, frame: &mut Frame) -> DrawResult {
        self.tick()?;
        match &e.kind {
            ExprKind::Boolean(known) => {
                if *known == holds {
                    Ok(())
                } else {
                    Err(Fail::Clash)
                }
            }
            ExprKind::Not(of) => self.want(of, !holds, frame),
            ExprKind::And(a, b) if holds => {
                self.want(a, true, frame)?;
                self.want(b, true, frame)
            }
            ExprKind::Or(a, b) if !holds => {
                self.want(a, false, frame)?;
                self.want(b, false, frame)
            }
            // One of the two is enough.
            ExprKind::And(a, b) | ExprKind::Or(a, b) => match (self.peek(a, frame), self.peek(b, frame)) {
                (Some(known), _) | (_, Some(known)) if known == holds => Ok(()),
                (Some(_), _) => self.want(b, holds, frame),
                (_, Some(_)) => self.want(a, holds, frame),
                _ => {
                    let is_second = self.coin([1, 1]);
                    self.either(is_second, |drawing, is_second| {
                        drawing.want(if is_second { b } else { a }, holds, frame)
                    })
                }
            },
            ExprKind::Implies(a, b) if !holds => {
                self.want(a, true, frame)?;
                self.want(b, false, frame)
            }
            ExprKind::Implies(a, b) => match (self.peek(a, frame), self.peek(b, frame)) {
                (Some(false), _) | (_, Some(true)) => Ok(()),
                (Some(true), _) => self.want(b, true, frame),
                (_, Some(false)) => self.want(a, false, frame),
                _ => {
                    let is_excused = match self.odds(a, frame) {
                        Some([for_it, against]) => self.coin([for_it, against]),
                        // What is implied is mostly said of ends.
                        None => self.grows(self.budget),
                    };
                    self.either(is_excused, |drawing, is_excused| {
                        drawing.want(a, !is_excused, frame)?;
                        if is_excused { Ok(()) } else { drawing.want(b, true, frame) }
                    })
                }
            },
            ExprKind::Equal(a, b) => self.want_equal(a, b, holds, frame),
            ExprKind::Unequal(a, b) => self.want_equal(a, b, !holds, frame),
            ExprKind::Less(a, b) if holds => self.want_order(Relation::Less, a, b, frame),
            ExprKind::Less(a, b) => self.want_order(Relation::LessEqual, b, a, frame),
            ExprKind::LessEqual(a, b) if holds => self.want_order(Relation::LessEqual, a, b, frame),
            ExprKind::LessEqual(a, b) => self.want_order(Relation::Less, b, a, frame),
            ExprKind::If(condition, a, b) => {
                let is_second = match self.peek(condition, frame) {
                    Some(known) => !known,
                    None => self.coin([1, 1]),
                };
                self.either(is_second, |drawing, is_second| {
                    drawing.want(condition, !is_second, frame)?;
                    drawing.want(if is_second { b } else { a }, holds, frame)
                })
            }
            ExprKind::Match(of) => {
                let body = self.arm(of, frame)?;
                self.want(body, holds, frame)
            }
            ExprKind::Let(bindings, body) => {
                for (slot, value) in bindings {
                    frame[slot.0 as usize] = self.eval(value, frame)?;
                }
                self.want(body, holds, frame)
            }
            ExprKind::Call(id, arguments) => {
                let mut inner = self.frame_of(*id, arguments, frame)?;
                let body = self.body(*id, e)?;
                self.deeper(|drawing| drawing.want(body, holds, &mut inner))?;
                self.leave(inner);
                Ok(())
            }
            ExprKind::Builtin(builtin, arguments) => self.want_builtin(*builtin, arguments, holds, frame),
            ExprKind::Each { slot, range, body } => {
                let (first, last) = self.limits(range, frame)?;
                if !holds {
                    let n = usize::try_from(last - first + 1).map_err(|_| Fail::Clash)?;
                    let at = first + self.pick(n) as i128;
                    frame[slot.0 as usize] = self.draft.number(at);
                    return self.want(body, false, frame);
                }
                for value in first..=last {
                    frame[slot.0 as usize] = self.draft.number(value);
                    self.want(body, true, frame)?;
                }
                Ok(())
            }
            // Ranges are those of the types already.
            ExprKind::Good(..) => Ok(()),
            _ => {
                let term = self.truth(e, frame)?;
                match self.draft.term(term) {
                    Term::Boolean(known) if known == holds => Ok(()),
                    Term::Hole(hole) => {
                        let known = self.draft.add(Term::Boolean(holds));
                        Ok(self.draft.bind(hole, known)?)
                    }
                    _ => Err(Fail::Clash),
                }
            }
        }
    }

    /// Of how many small numbers an order with a number that is known holds, and of how many it does not: as
    /// often as that the number is drawn so. Where elements `i < n` are spoken of one by one, all `n` are
    /// likely alike.
    fn odds(&self, e: &Expr, frame: &Frame) -> Option<[u32; 2]> {
        let (a, b, is_strict) = match &e.kind {
            ExprKind::Less(a, b) if is_number(&a.ty) => (a, b, true),
            ExprKind::LessEqual(a, b) if is_number(&a.ty) => (a, b, false),
            _ => return None,
        };
        let (one, other) = (self.seen(a, frame)?, self.seen(b, frame)?);
        let few = |(lo, hi): (i128, i128)| {
            let least = 0i128.clamp(lo, hi);
            (least, hi.min(least + FEW.min(i128::from(self.budget.max(1)))))
        };
        let (n_true, n) = if one.0 == one.1 {
            let (least, most) = few(other);
            let first = one.0 + i128::from(is_strict);
            (most - first.max(least) + 1, most - least + 1)
        } else if other.0 == other.1 {
            let (least, most) = few(one);
            let last = other.0 - i128::from(is_strict);
            (last.min(most) - least + 1, most - least + 1)
        } else {
            return None;
        };
        let n_true = n_true.clamp(0, n);
        Some([n_true.max(1) as u32, (n - n_true).max(1) as u32])
    }

    /// The term of a condition that is a value: a member, an element of a map.
    fn truth(&mut self, e: &'a Expr, frame: &mut Frame) -> DrawResult<TermId> {
        match &e.kind {
            ExprKind::MapGet(map, key) => self.map_get(map, key, &e.ty, frame),
            ExprKind::Slot(_) | ExprKind::Member(..) | ExprKind::Field(..) => self.eval(e, frame),
            ExprKind::Default => Ok(self.draft.add(Term::Boolean(false))),
            _ => Err(Fail::Unknown(e.span)),
        }
    }

    fn limits(&mut self, range: &'a [Expr; 2], frame: &mut Frame) -> DrawResult<(i128, i128)> {
        let (first, last) = (self.eval(&range[0], frame)?, self.eval(&range[1], frame)?);
        let (first, last) = (self.force(first)?, self.force(last)?);
        if last.saturating_sub(first) >= MOST_INDICES { Err(Fail::TooLong) } else { Ok((first, last)) }
    }

    fn want_order(&mut self, relation: Relation, a: &'a Expr, b: &'a Expr, frame: &mut Frame) -> DrawResult {
        let (one, other) = (self.eval(a, frame)?, self.eval(b, frame)?);
        // Addresses are ordered when they are known.
        if is_number(&a.ty) { Ok(self.draft.post(relation, one, other)?) } else { Ok(()) }
    }

    fn want_equal(&mut self, a: &'a Expr, b: &'a Expr, holds: bool, frame: &mut Frame) -> DrawResult {
        if a.ty == Type::Boolean {
            let is_first = self.decide(a, frame)?;
            return self.want(b, is_first == holds, frame);
        }
        let (one, other) = (self.eval(a, frame)?, self.eval(b, frame)?);
        match holds {
            true => {
                self.settle_maps(one, other)?;
                Ok(self.draft.unify(one, other)?)
            }
            false if is_number(&a.ty) => Ok(self.draft.post(Relation::Unequal, one, other)?),
            false if matches!(a.ty, Type::Pointer(_)) => Ok(self.draft.keep_apart(one, other)?),
            false => self.differ(one, other),
        }
    }

    /// Maps are compared when they are there.
    fn settle_maps(&mut self, a: TermId, b: TermId) -> DrawResult {
        let is_map = |id: TermId| match self.draft.term(id) {
            Term::Hole(hole) => matches!(self.draft.type_of(hole), Type::Map(_)),
            _ => false,
        };
        let (one, other) = (is_map(a), is_map(b));
        if one {
            self.settle(a)?;
        }
        if other { self.settle(b) } else { Ok(()) }
    }

    /// Makes two values of a datatype or record differ: by their constructors if one of them is open, or in
    /// some part.
    fn differ(&mut self, a: TermId, b: TermId) -> DrawResult {
        match (self.draft.term(a), self.draft.term(b)) {
            (Term::Hole(hole), Term::Data { of, constructor, .. })
            | (Term::Data { of, constructor, .. }, Term::Hole(hole)) => {
                let n = self.world.specs.datatypes[of.0 as usize].constructors.len() as u32;
                let possible = self.possible(hole);
                let others: Vec<u32> =
                    (0..n).filter(|c| *c != constructor && possible >> (*c).min(63) & 1 == 1).collect();
                match others.len() {
                    0 => Ok(()),
                    n => {
                        let k = self.pick(n);
                        self.open(hole, of, others[k]).map(|_| ())
                    }
                }
            }
            (Term::Data { constructor: c, n, .. }, Term::Data { constructor: d, .. }) if c == d && n == 0 => {
                Err(Fail::Clash)
            }
            // The evaluator sees whether they do.
            _ => Ok(()),
        }
    }

    fn want_builtin(
        &mut self,
        builtin: Builtin,
        arguments: &'a [Expr],
        holds: bool,
        frame: &mut Frame,
    ) -> DrawResult {
        let Some(first) = arguments.first() else { return Ok(()) };
        let term = self.eval(first, frame)?;
        match builtin {
            Builtin::IsNull | Builtin::HasAllocId => {
                let null = self.draft.add(Term::Null);
                match (builtin == Builtin::IsNull) == holds {
                    true => Ok(self.draft.unify(term, null)?),
                    false => Ok(self.draft.keep_apart(term, null)?),
                }
            }
            Builtin::IsSome => self.option(term, Some(holds)).map(|_| ()),
            Builtin::IsNone => self.option(term, Some(!holds)).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Whether a condition holds; chosen if that is open.
    pub(super) fn decide(&mut self, e: &'a Expr, frame: &mut Frame) -> DrawResult<bool> {
        self.tick()?;
        if let Some(known) = self.peek(e, frame) {
            return Ok(known);
        }
        match &e.kind {
            ExprKind::Not(of) => Ok(!self.decide(of, frame)?),
            ExprKind::And(a, b) => Ok(self.decide(a, frame)? && self.decide(b, frame)?),
            ExprKind::Or(a, b) => Ok(self.decide(a, frame)? || self.decide(b, frame)?),
            ExprKind::Implies(a, b) => Ok(!self.decide(a, frame)? || self.decide(b, frame)?),
            ExprKind::If(condition, a, b) => {
                let chosen = if self.decide(condition, frame)? { a } else { b };
                self.decide(chosen, frame)
            }
            ExprKind::Match(of) => {
                let body = self.arm(of, frame)?;
                self.decide(body, frame)
            }
            ExprKind::Let(bindings, body) => {
                for (slot, value) in bindings {
                    frame[slot.0 as usize] = self.eval(value, frame)?;
                }
                self.decide(body, frame)
            }
            ExprKind::Call(id, arguments) => {
                let mut inner = self.frame_of(*id, arguments, frame)?;
                let body = self.body(*id, e)?;
                let decided = self.deeper(|drawing| drawing.decide(body, &mut inner))?;
                self.leave(inner);
                Ok(decided)
            }
            ExprKind::Equal(a, b) | ExprKind::Unequal(a, b) if a.ty != Type::Boolean => {
                let is_equality = matches!(e.kind, ExprKind::Equal(..));
                let (one, other) = (self.eval(a, frame)?, self.eval(b, frame)?);
                let known = match &a.ty {
                    ty if is_number(ty) => self.is_known(Relation::Equal, one, other),
                    Type::Pointer(_) => self.draft.is_same_place(one, other),
                    _ => self.is_same(one, other),
                };
                match known {
                    Some(is_same) => Ok(is_same == is_equality),
                    None => self.choose(e, frame),
                }
            }
            ExprKind::Less(a, b) | ExprKind::LessEqual(a, b) => {
                let relation =
                    if matches!(e.kind, ExprKind::Less(..)) { Relation::Less } else { Relation::LessEqual };
                let (one, other) = (self.eval(a, frame)?, self.eval(b, frame)?);
                match self.is_known(relation, one, other) {
                    Some(known) if is_number(&a.ty) => Ok(known),
                    _ => self.choose(e, frame),
                }
            }
            _ => self.choose(e, frame),
        }
    }

    /// Chooses whether a condition holds, and makes it so.
    fn choose(&mut self, e: &'a Expr, frame: &mut Frame) -> DrawResult<bool> {
        // Whether there is anything at a pointer is whether the state goes on there.
        let is_null = matches!(&e.kind, ExprKind::Builtin(Builtin::IsNull, _));
        let holds = if is_null { !self.grows(self.budget) } else { self.coin([1, 1]) };
        self.either(holds, |drawing, holds| {
            drawing.want(e, holds, frame)?;
            Ok(holds)
        })
    }

    /// Whether two values are the same, if that is known.
    fn is_same(&self, a: TermId, b: TermId) -> Option<bool> {
        let ((a, one), (b, other)) = (self.draft.resolve(a), self.draft.resolve(b));
        if a == b {
            return Some(true);
        }
        let rows = |x: u32, y: u32, n: u32| {
            let mut is_same = Some(true);
            for k in 0..n {
                match self.is_same(self.draft.part(x, k), self.draft.part(y, k)) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => is_same = None,
                }
            }
            is_same
        };
        match (one, other) {
            (Term::Data { constructor: c, at: x, n, .. }, Term::Data { constructor: d, at: y, .. }) => {
                if c == d { rows(x, y, n) } else { Some(false) }
            }
            (Term::Parts { at: x, n }, Term::Parts { at: y, .. }) => rows(x, y, n),
            (Term::Boolean(a), Term::Boolean(b)) => Some(a == b),
            (Term::Number(_) | Term::Arithmetic(..), _) => self.is_known(Relation::Equal, a, b),
            (Term::Null | Term::Place { .. }, _) => self.draft.is_same_place(a, b),
            _ => None,
        }
    }

    /// Whether a condition holds, if that can be seen without choosing anything.
    pub(super) fn peek(&self, e: &Expr, frame: &Frame) -> Option<bool> {
        match &e.kind {
            ExprKind::Boolean(known) => Some(*known),
            ExprKind::Not(of) => self.peek(of, frame).map(|known| !known),
            ExprKind::And(a, b) => match (self.peek(a, frame), self.peek(b, frame)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            ExprKind::Or(a, b) => match (self.peek(a, frame), self.peek(b, frame)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
            ExprKind::Builtin(Builtin::IsNull, arguments) => {
                let term = self.simple(arguments.first()?, frame)?;
                match self.draft.pointer(term) {
                    super::draft::Pointer::Open { hole, by } => {
                        (by != 0 || self.draft.state_of(hole).is_somewhere).then_some(false)
                    }
                    pointer => Some(pointer == super::draft::Pointer::Null),
                }
            }
            ExprKind::Equal(a, b) | ExprKind::Unequal(a, b) => {
                let is_equality = matches!(e.kind, ExprKind::Equal(..));
                if a.ty == Type::Boolean {
                    return Some((self.peek(a, frame)? == self.peek(b, frame)?) == is_equality);
                }
                if is_number(&a.ty) {
                    let known = known_of(Relation::Equal, self.seen(a, frame)?, self.seen(b, frame)?);
                    return known.map(|is_same| is_same == is_equality);
                }
                let (one, other) = (self.simple(a, frame)?, self.simple(b, frame)?);
                let known = match &a.ty {
                    Type::Pointer(_) => self.draft.is_same_place(one, other),
                    _ => self.is_same(one, other),
                };
                known.map(|is_same| is_same == is_equality)
            }
            ExprKind::Less(a, b) if is_number(&a.ty) => {
                known_of(Relation::Less, self.seen(a, frame)?, self.seen(b, frame)?)
            }
            ExprKind::LessEqual(a, b) if is_number(&a.ty) => {
                known_of(Relation::LessEqual, self.seen(a, frame)?, self.seen(b, frame)?)
            }
            ExprKind::Slot(_) | ExprKind::Member(..) | ExprKind::Field(..) => {
                match self.draft.term(self.simple(e, frame)?) {
                    Term::Boolean(known) => Some(known),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The range of a number that is there already.
    fn seen(&self, e: &Expr, frame: &Frame) -> Option<(i128, i128)> {
        match &e.kind {
            ExprKind::Bits(value) => Some((*value, *value)),
            ExprKind::Cast(of) if is_number(&of.ty) => {
                let (least, most) = range_of(&e.ty);
                self.seen(of, frame).filter(|(lo, hi)| least <= *lo && *hi <= most)
            }
            _ => self.simple(e, frame).map(|term| self.draft.range(term)),
        }
    }

    /// The term of an expression that is there already: a name, or a part of what it stands for.
    fn simple(&self, e: &Expr, frame: &Frame) -> Option<TermId> {
        match &e.kind {
            ExprKind::Slot(slot) => frame.get(slot.0 as usize).copied(),
            ExprKind::Member(of, k) | ExprKind::Field(of, k) => {
                match self.draft.term(self.simple(of, frame)?) {
                    Term::Parts { at, n } if *k < n => Some(self.draft.part(at, *k)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
