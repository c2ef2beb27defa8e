//! Limits of an index, from its guard.
//!
//! The guard is a conjunction; comparisons of the index with something that does not depend on it give
//! limits. Without this an `each` over `u64` would try 2⁶⁴ values.

use super::Checker;
use crate::spec::checked::{Expr, ExprKind, Limit, Slot};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::Type;

/// Types of at most this width are walked without limits from the guard.
const SMALL_WIDTH: u8 = 16;

/// What a guard says of its index.
#[derive(Default)]
pub(super) struct Limits {
    pub(super) conditions: Vec<Expr>,
    pub(super) lower: Vec<Limit>,
    pub(super) upper: Vec<Limit>,
}

impl Checker<'_> {
    /// The limits that a guard sets to an index, or a message.
    pub(super) fn limits(&mut self, guard: &Expr, slot: Slot, ty: &Type, name: &str, span: Span) -> Limits {
        let limits = limits_of(guard, slot);
        let (has_lower, has_upper) = match ty {
            Type::Bits(bits) if bits.width <= SMALL_WIDTH => (true, true),
            Type::Bits(bits) => (!bits.is_signed || !limits.lower.is_empty(), !limits.upper.is_empty()),
            Type::Integer => (!limits.lower.is_empty(), !limits.upper.is_empty()),
            _ => (true, true),
        };
        if (has_lower && has_upper) || guard.ty.is_unknown() {
            return limits;
        }
        let missing = match (has_lower, has_upper) {
            (false, false) => "no lower and no upper limit",
            (false, true) => "no lower limit",
            _ => "no upper limit",
        };
        let shown = self.show(ty);
        let zero = ty.bits().map_or(String::new(), |bits| bits.name().to_string());
        self.report(
            Diagnostic::error(span, format!("the guard sets {missing} for `{name}`"))
                .note(format!("every `{shown}` would have to be tried"))
                .help(format!(
                    "compare it with what does not depend on it: `0{zero} <= {name} && {name} < n && …`"
                )),
        );
        limits
    }
}

fn limits_of(guard: &Expr, slot: Slot) -> Limits {
    let mut parts = Vec::new();
    conjuncts(guard, &mut parts);
    let mut limits = Limits::default();
    let mut is_beginning = true;
    for part in parts {
        if !part.reads(slot) {
            // Behind the first part with the index, a condition might only make sense for some indices.
            if is_beginning {
                limits.conditions.push(part.clone());
            }
            continue;
        }
        is_beginning = false;
        add_limit(part, slot, &mut limits);
    }
    limits
}

fn conjuncts<'e>(e: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, parts);
            conjuncts(b, parts);
        }
        _ => parts.push(e),
    }
}

fn add_limit(part: &Expr, slot: Slot, limits: &mut Limits) {
    let (a, b, is_excluded) = match &part.kind {
        ExprKind::Less(a, b) => (a, b, true),
        ExprKind::LessEqual(a, b) => (a, b, false),
        ExprKind::Equal(a, b) => {
            let value = if is_index(a, slot) && !b.reads(slot) {
                b
            } else if is_index(b, slot) && !a.reads(slot) {
                a
            } else {
                return;
            };
            limits.lower.push(Limit { value: (**value).clone(), is_excluded: false });
            limits.upper.push(Limit { value: (**value).clone(), is_excluded: false });
            return;
        }
        // What holds in one of two cases has the wider limits of both.
        ExprKind::Or(a, b) => {
            let (one, other) = (limits_of(a, slot), limits_of(b, slot));
            limits.lower.extend(wider(&one.lower, &other.lower, true));
            limits.upper.extend(wider(&one.upper, &other.upper, false));
            return;
        }
        _ => return,
    };
    if is_index(a, slot) && !b.reads(slot) {
        limits.upper.push(Limit { value: (**b).clone(), is_excluded });
    } else if is_index(b, slot) && !a.reads(slot) {
        limits.lower.push(Limit { value: (**a).clone(), is_excluded });
    }
}

/// The lesser of two lower limits, or the larger of two upper ones, if there are both.
fn wider(one: &[Limit], other: &[Limit], is_lower: bool) -> Option<Limit> {
    let (a, b) = (one.first()?, other.first()?);
    if a.value.ty != b.value.ty {
        return None;
    }
    let (ty, span) = (a.value.ty.clone(), a.value.span);
    let boxed = |limit: &Limit| Box::new(limit.value.clone());
    let is_less = Expr { kind: ExprKind::LessEqual(boxed(a), boxed(b)), ty: Type::Boolean, span };
    let (then, otherwise) = if is_lower { (a, b) } else { (b, a) };
    let kind = ExprKind::If(Box::new(is_less), boxed(then), boxed(otherwise));
    Some(Limit { value: Expr { kind, ty, span }, is_excluded: a.is_excluded && b.is_excluded })
}

/// Whether it is the index, perhaps in a wider type: the number is the same.
fn is_index(e: &Expr, slot: Slot) -> bool {
    match &e.kind {
        ExprKind::Slot(found) => *found == slot,
        ExprKind::Cast(of) => keeps_number(&of.ty, &e.ty) && is_index(of, slot),
        _ => false,
    }
}

fn keeps_number(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (_, Type::Integer) => true,
        (Type::Bits(from), Type::Bits(to)) => {
            (from.is_signed == to.is_signed && from.width <= to.width)
                || (!from.is_signed && to.is_signed && from.width < to.width)
        }
        _ => false,
    }
}
