//! Formulas that must fail if a formula is about anything: each without what one of its implications concludes.
//!
//! `implies(a, b)` says nothing on a machine where it might as well be `not(a)` (Beer, Ben-David, Eisner and
//! Rodeh, "Efficient detection of vacuity in temporal model checking", 2001). That is found for conditions of
//! any kind, wherever an implication stands: the formula with `not(a)` in its place must have a
//! counterexample.

use super::formula::ParsedFormula;

/// A formula without a conclusion, and the condition that then is never met.
pub(super) struct Strengthened {
    pub(super) condition: ParsedFormula,
    pub(super) formula: ParsedFormula,
    /// Whether the implication stands for all moments of all runs, so that it is enough to look for the
    /// condition.
    pub(super) is_everywhere: bool,
}

/// One for each implication that has to hold.
pub(super) fn strengthened(written: &ParsedFormula) -> Vec<Strengthened> {
    each(written, true, Place { is_always: false, is_plain: true })
}

/// Where a formula stands.
#[derive(Clone, Copy)]
struct Place {
    /// Behind an `always`.
    is_always: bool,
    /// Behind nothing but `always` and `and`.
    is_plain: bool,
}

/// Variants of a part put back where it was.
fn within(
    part: &ParsedFormula,
    is_positive: bool,
    place: Place,
    rebuilt: impl Fn(ParsedFormula) -> ParsedFormula,
) -> Vec<Strengthened> {
    let inside = each(part, is_positive, place).into_iter();
    inside.map(|found| Strengthened { formula: rebuilt(found.formula), ..found }).collect()
}

fn each(written: &ParsedFormula, is_positive: bool, place: Place) -> Vec<Strengthened> {
    let elsewhere = Place { is_plain: false, ..place };
    let negated = |inner: &ParsedFormula| ParsedFormula::Not(Box::new(inner.clone()));
    match written {
        ParsedFormula::At(_)
        | ParsedFormula::After(_)
        | ParsedFormula::Branching(..)
        | ParsedFormula::Fair(..) => Vec::new(),
        ParsedFormula::Not(inner) => {
            within(inner, !is_positive, elsewhere, |inner| ParsedFormula::Not(Box::new(inner)))
        }
        ParsedFormula::And(parts) => several(parts, is_positive, place, ParsedFormula::And),
        ParsedFormula::Or(parts) => several(parts, is_positive, elsewhere, ParsedFormula::Or),
        ParsedFormula::Implies(a, b) => {
            let mut all = Vec::new();
            if is_positive {
                all.push(Strengthened {
                    condition: (**a).clone(),
                    formula: negated(a),
                    is_everywhere: place.is_plain && place.is_always,
                });
            }
            all.extend(within(a, !is_positive, elsewhere, |a| {
                ParsedFormula::Implies(Box::new(a), b.clone())
            }));
            all.extend(within(b, is_positive, elsewhere, |b| ParsedFormula::Implies(a.clone(), Box::new(b))));
            all
        }
        ParsedFormula::LeadsTo(a, b) => {
            let mut all = Vec::new();
            if is_positive {
                all.push(Strengthened {
                    condition: (**a).clone(),
                    formula: ParsedFormula::Always(Box::new(negated(a))),
                    is_everywhere: place.is_plain,
                });
            }
            all.extend(within(a, !is_positive, elsewhere, |a| {
                ParsedFormula::LeadsTo(Box::new(a), b.clone())
            }));
            all.extend(within(b, is_positive, elsewhere, |b| ParsedFormula::LeadsTo(a.clone(), Box::new(b))));
            all
        }
        ParsedFormula::Always(inner) => {
            let place = Place { is_always: true, ..place };
            within(inner, is_positive, place, |inner| ParsedFormula::Always(Box::new(inner)))
        }
        ParsedFormula::Eventually(inner) => {
            within(inner, is_positive, elsewhere, |inner| ParsedFormula::Eventually(Box::new(inner)))
        }
        ParsedFormula::Next(inner) => {
            within(inner, is_positive, elsewhere, |inner| ParsedFormula::Next(Box::new(inner)))
        }
        ParsedFormula::Within(n, inner, span) => {
            within(inner, is_positive, elsewhere, |inner| ParsedFormula::Within(*n, Box::new(inner), *span))
        }
        ParsedFormula::Until(a, b) => {
            let mut all = within(a, is_positive, elsewhere, |a| ParsedFormula::Until(Box::new(a), b.clone()));
            all.extend(within(b, is_positive, elsewhere, |b| ParsedFormula::Until(a.clone(), Box::new(b))));
            all
        }
    }
}

fn several(
    parts: &[ParsedFormula],
    is_positive: bool,
    place: Place,
    joined: fn(Vec<ParsedFormula>) -> ParsedFormula,
) -> Vec<Strengthened> {
    let one = |k: usize| {
        within(&parts[k], is_positive, place, |part| {
            let mut parts = parts.to_vec();
            parts[k] = part;
            joined(parts)
        })
    };
    (0..parts.len()).flat_map(one).collect()
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
    fn every_implication_that_has_to_hold_is_put_to_the_test() {
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
        assert_eq!(found("not(implies(at(A), at(B)))"), []);
        assert_eq!(found("not(always(not(implies(at(A), at(B)))))").len(), 1);
    }
}
