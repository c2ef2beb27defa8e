//! Words for an outcome that a specification does not allow: what was observed, what was allowed, and where the
//! nearest two differ.

use crate::difference::{self, Marks};
use stairway_engine::{Failure, Operand, Role};
use std::fmt::Write as _;

/// How many outcomes are listed in a message.
const MAX_LISTED: usize = 20;

/// What was observed beside what was allowed.
pub(crate) fn message(failure: &Failure, is_exact: bool) -> String {
    let mut out = String::from(if is_exact {
        "the implementation did something else than the specification says\n\n"
    } else {
        "the implementation did something that the specification does not allow\n\n"
    });
    out.push_str(&comparison(failure));
    out
}

/// What was observed, what was allowed, and the difference to the nearest of it.
pub(crate) fn comparison(failure: &Failure) -> String {
    let mut out = String::new();
    let observed = failure.operand(Role::Observed);
    let _ = writeln!(out, "  observed    {}", shortened(observed));
    if let Some(real) = failure.operands_of(Role::SeenIn).next() {
        let _ = writeln!(out, "  seen in     {}", shortened(&real.value));
    }
    let allowed: Vec<&Operand> = failure.operands_of(Role::Allowed).collect();
    let n_allowed = allowed.len() + n_unlisted(failure);
    let mut nearest: Option<(Marks, &Operand)> = None;
    for (k, operand) in allowed.iter().enumerate() {
        if k < MAX_LISTED {
            let label = if k == 0 { "allowed" } else { "" };
            let _ = writeln!(out, "  {label:11} {}", listed(operand));
        }
        if operand.value.is_empty() {
            continue;
        }
        let difference = Marks::between(&operand.value, observed);
        if nearest.as_ref().is_none_or(|(best, _)| difference.n_tokens < best.n_tokens) {
            nearest = Some((difference, operand));
        }
    }
    if n_allowed > MAX_LISTED {
        let _ = writeln!(out, "              and {} more", n_allowed - MAX_LISTED);
    }
    if let Some((difference, operand)) = nearest {
        out.push_str(&nearest_to(&difference, operand, observed, n_allowed));
    }
    out.truncate(out.trim_end().len());
    out
}

/// How many outcomes were allowed besides those that are kept.
fn n_unlisted(failure: &Failure) -> usize {
    let count = |operand: &Operand| match operand.role {
        Role::Unlisted(n) => usize::try_from(n).unwrap_or(usize::MAX),
        _ => 0,
    };
    failure.operands.iter().map(count).sum()
}

/// One line of what is allowed; without a value, the name of a condition.
fn listed(Operand { name, value, .. }: &Operand) -> String {
    match value.as_str() {
        "" => name.to_string(),
        text if name.is_empty() || text.contains(&**name) && text.len() < 40 => shortened(text),
        text => format!("{} ({name})", shortened(text)),
    }
}

/// Where the observed outcome differs from the nearest one that is allowed.
fn nearest_to(difference: &Marks, allowed: &Operand, observed: &str, n: usize) -> String {
    let Operand { name, value, .. } = allowed;
    if value == observed {
        return "\n  they are shown alike: the relation tells them apart by something else\n".to_string();
    }
    let name = if name.is_empty() || n < 2 { String::new() } else { format!(", {name}") };
    let which = if n < 2 { "the difference" } else { "the nearest" };
    let at = difference.index.map_or(String::new(), |index| format!(", at index {index}"));
    let (allowed, observed, marks) = difference.shown(value, observed);
    format!(
        "\n  {which}{name}{at}:\n    allowed   {allowed}\n    observed  {observed}\n              {marks}\n"
    )
}

/// The beginning and the end of a text that is too long to be read.
pub(crate) fn shortened(text: &str) -> String {
    const LONGEST: usize = 160;
    const END: usize = 30;
    let n = text.chars().count();
    if n <= LONGEST {
        return text.to_string();
    }
    let start: String = text.chars().take(LONGEST - END).collect();
    let end: String = text.chars().skip(n - END).collect();
    let n_elements = difference::n_elements(text);
    let left_out = if n_elements > 8 { format!("({n_elements} values in all)") } else { String::new() };
    format!("{start} … {end} {left_out}").trim_end().to_string()
}
