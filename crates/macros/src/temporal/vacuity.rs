//! Formulas that must fail if a formula is about anything: each without what one of its implications concludes.
//!
//! `implies(a, b)` says nothing on a machine where it might as well be `not(a)` (Beer, Ben-David, Eisner and
//! Rodeh, "Efficient detection of vacuity in temporal model checking", 2001). That is found for conditions of
//! any kind, wherever an implication stands: the formula with `not(a)` in its place must have a
//! counterexample. Where the implication is itself something that is assumed, so that a condition which is never
//! met makes the assumption empty, the condition has to be met somewhere.

use super::formula::{Operator, ParsedFormula};

/// A formula without a conclusion, and the condition that then is never met.
pub(super) struct VacuityCheck {
    pub(super) condition: ParsedFormula,
    pub(super) formula: ParsedFormula,
    /// Whether it is enough to look for the condition anywhere: the implication stands for all moments of all
    /// runs, or is assumed.
    pub(super) is_everywhere: bool,
}

/// One for each implication.
pub(super) fn strengthened(written: &ParsedFormula) -> Vec<VacuityCheck> {
    each(written, true, Place { is_always: false, is_plain: true, is_fair: false })
}

/// Where a formula stands.
#[derive(Clone, Copy)]
struct Place {
    /// Behind an `always`.
    is_always: bool,
    /// Behind nothing but `always` and `and`, and fairness that is assumed.
    is_plain: bool,
    /// Behind fairness: every run up to some step goes on as one that is fair, so that this changes nothing for
    /// conditions on one moment.
    is_fair: bool,
}

fn each(written: &ParsedFormula, is_positive: bool, place: Place) -> Vec<VacuityCheck> {
    let ParsedFormula::Apply(operator, parts, span) = written else { return Vec::new() };
    let apply = |operator, inner| ParsedFormula::Apply(operator, vec![inner], *span);
    let never = || apply(Operator::Not, parts[0].clone());
    let assumes_fairness = *operator == Operator::Implies && is_positive && is_fairness(&parts[0]);
    let is_plain = place.is_plain && (!place.is_fair || parts[0].is_momentary());
    let stronger = match operator {
        Operator::Branching(_) | Operator::Fair(_) => return Vec::new(),
        // Some run is fair; whether its steps exist is looked for by itself.
        Operator::Implies if assumes_fairness => None,
        Operator::Implies if is_positive && !(is_plain && place.is_always) => Some((never(), false)),
        Operator::LeadsTo if is_positive && !is_plain => Some((apply(Operator::Always, never()), false)),
        Operator::Implies | Operator::LeadsTo => Some((apply(Operator::Always, never()), true)),
        _ => None,
    };
    let stronger = stronger.map(|(formula, is_everywhere)| VacuityCheck {
        condition: parts[0].clone(),
        formula,
        is_everywhere,
    });
    let mut all: Vec<VacuityCheck> = stronger.into_iter().collect();
    let inside = match operator {
        Operator::And => place,
        Operator::Always => Place { is_always: true, ..place },
        Operator::Implies if assumes_fairness => Place { is_fair: true, ..place },
        _ => Place { is_plain: false, ..place },
    };
    for (k, part) in parts.iter().enumerate() {
        let is_negated = match operator {
            Operator::Not => true,
            Operator::Implies | Operator::LeadsTo => k == 0,
            _ => false,
        };
        for mut found in each(part, is_positive != is_negated, inside) {
            if !found.is_everywhere {
                let mut parts = parts.clone();
                parts[k] = found.formula;
                found.formula = ParsedFormula::Apply(*operator, parts, *span);
            }
            all.push(found);
        }
    }
    all
}

/// Whether a formula assumes nothing but that steps are fair.
fn is_fairness(written: &ParsedFormula) -> bool {
    match written {
        ParsedFormula::Apply(Operator::Fair(_), ..) => true,
        ParsedFormula::Apply(Operator::And, parts, _) => parts.iter().all(is_fairness),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String, bool)> {
        let written: ParsedFormula = syn::parse_str(text).expect("a formula");
        let all = strengthened(&written).into_iter();
        all.map(|one| (one.condition.text(), one.formula.text(), one.is_everywhere)).collect()
    }

    #[test]
    fn every_implication_is_put_to_the_test() {
        assert_eq!(
            found("always(implies(at(A), eventually(at(B))))"),
            [("at(A)".into(), "always(not(at(A)))".into(), true)]
        );
        assert_eq!(
            found("implies(always(eventually(at(A))), leads_to(at(B), at(C)))"),
            [
                ("always(eventually(at(A)))".into(), "not(always(eventually(at(A))))".into(), false),
                ("at(B)".into(), "implies(always(eventually(at(A))), always(not(at(B))))".into(), false),
            ]
        );
        assert_eq!(
            found("until(implies(at(A), at(B)), at(C))"),
            [("at(A)".into(), "until(not(at(A)), at(C))".into(), false)]
        );
        assert_eq!(
            found("implies(until(leads_to(at(A), at(B)), at(C)), at(D))"),
            [
                (
                    "until(leads_to(at(A), at(B)), at(C))".into(),
                    "not(until(leads_to(at(A), at(B)), at(C)))".into(),
                    false
                ),
                ("at(A)".into(), "always(not(at(A)))".into(), true),
            ]
        );
        assert_eq!(found("not(always(not(implies(at(A), at(B)))))").len(), 1);
        assert_eq!(
            found("implies(and(fair(A), strongly_fair(B)), leads_to(at(C), at(D)))"),
            [("at(C)".into(), "always(not(at(C)))".into(), true)]
        );
        let awaited = &found("implies(fair(A), leads_to(eventually(at(C)), at(D)))")[0];
        assert_eq!(
            (awaited.1.as_str(), awaited.2),
            ("implies(fair(A), always(not(eventually(at(C)))))", false)
        );
    }
}
