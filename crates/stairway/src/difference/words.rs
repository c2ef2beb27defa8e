//! Places in which two values differ, as lines.

use super::{Differences, Place};

/// Whose values they are.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Sides {
    ModelAndSystem,
    /// Of a law.
    LeftAndRight,
    /// A step.
    BeforeAndAfter,
}

/// A line for each place, `n` of them at most, and how many there are besides.
pub(crate) fn lines(differences: &Differences, sides: Sides, n: usize) -> Vec<String> {
    let mut lines: Vec<String> = differences.places.iter().take(n).map(|place| line(place, sides)).collect();
    let n_more = differences.n_more + differences.places.len().saturating_sub(n);
    match n_more {
        0 => {}
        1 => lines.push("and in one more place".to_string()),
        _ => lines.push(format!("and in {n_more} more places")),
    }
    lines
}

fn line(Place { path, one, other }: &Place, sides: Sides) -> String {
    let what = match (sides, one.as_deref(), other.as_deref()) {
        (Sides::ModelAndSystem, Some(model), Some(system)) => format!("{model}, the system has {system}"),
        (Sides::ModelAndSystem, Some(model), None) => format!("{model}, missing in the system"),
        (Sides::ModelAndSystem, None, system) => {
            format!("missing, the system has {}", system.unwrap_or_default())
        }
        (Sides::LeftAndRight, left, right) => {
            let side = |text: Option<&str>| text.unwrap_or("missing").to_string();
            format!("{} on the left, {} on the right", side(left), side(right))
        }
        (Sides::BeforeAndAfter, Some(before), Some(after)) => format!("{after}, before {before}"),
        (Sides::BeforeAndAfter, Some(before), None) => format!("{before} is gone"),
        (Sides::BeforeAndAfter, None, after) => format!("{} is new", after.unwrap_or_default()),
    };
    if path.is_empty() { what } else { format!("{path}: {what}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::difference::{Types, places};

    #[test]
    fn every_kind_of_difference_has_words() {
        let differences = places("{1: 10, 2: 20, 3: 30}", "{1: 11, 3: 30, 4: 40}", Types::Same).unwrap();
        let words = |sides| lines(&differences, sides, 6);
        assert_eq!(
            words(Sides::ModelAndSystem),
            [
                "[1]: 10, the system has 11",
                "[2]: 20, missing in the system",
                "[4]: missing, the system has 40"
            ]
        );
        assert_eq!(
            words(Sides::LeftAndRight),
            [
                "[1]: 10 on the left, 11 on the right",
                "[2]: 20 on the left, missing on the right",
                "[4]: missing on the left, 40 on the right"
            ]
        );
        assert_eq!(words(Sides::BeforeAndAfter), ["[1]: 11, before 10", "[2]: 20 is gone", "[4]: 40 is new"]);
        assert_eq!(
            lines(&differences, Sides::BeforeAndAfter, 1),
            ["[1]: 11, before 10", "and in 2 more places"]
        );
    }
}
