//! In which places two values differ.
//!
//! Fields are compared by their names, entries of maps by their keys, elements of sets by what they are, and
//! elements of lists in order, so that one that is missing moves no other. What is short is not taken apart
//! further than it can be read.

use super::order::{self, Pair};
use super::texts;
use super::value::{Kind, Part, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How many places are kept; the others are counted.
const MAX_PLACES: usize = 6;
/// Values up to this length are shown whole if they differ in several places.
const SHORT: usize = 40;

/// A place in which two values differ, and what each has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// As in Rust, `slots[3].key`; nothing for the whole value.
    pub(crate) path: String,
    pub(crate) one: Option<String>,
    pub(crate) other: Option<String>,
}

/// All places in which two values differ.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    pub(crate) places: Vec<Place>,
    /// How many there are besides.
    pub(crate) n_more: usize,
    /// Whether there are places that only one of them has, or in which they are of types of their own: nothing can
    /// be said about those.
    pub(crate) is_partial: bool,
}

/// Whether two values are of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Types {
    /// They are: a name that differs is another variant.
    Same,
    /// They need not be: names are those of types, and a field that one of them lacks is no difference.
    Other,
}

/// The places in which two values differ; nothing if they are of types that have nothing in common.
pub(crate) fn places(one: &str, other: &str, types: Types) -> Option<Differences> {
    let (one, other) = (Value::of(one), Value::of(other));
    if types == Types::Same {
        return Some(Comparison::default().run(&one, &other));
    }
    let (one, other) = opposite(&one, &other)?;
    let (names_of_one, names_of_other) = (names(one), names(other));
    let foreign = names_of_one.symmetric_difference(&names_of_other).copied().collect();
    let differences = Comparison { has_types: true, foreign, ..Comparison::default() }.run(one, other);
    if !differences.places.is_empty() {
        return Some(differences);
    }
    // A name that only one side has is a type's where it stands in several places, and may be a variant's where
    // it stands in one.
    let by_name = Comparison { has_types: true, takes_apart: true, ..Comparison::default() }.run(one, other);
    Some(if by_name.places.len() == 1 { by_name } else { differences })
}

/// Both values without the wrappers around what they have in common.
fn opposite<'v, 't>(one: &'v Value<'t>, other: &'v Value<'t>) -> Option<(&'v Value<'t>, &'v Value<'t>)> {
    let fits = |one: &Value<'_>, other: &Value<'_>| {
        one.kind == other.kind
            && (!one.is_struct()
                || !other.is_struct()
                || one.parts.iter().any(|part| !part.key.is_empty() && other.part(part.key).is_some()))
    };
    let chain = |value: &'v Value<'t>| std::iter::successors(Some(value), |value| value.only_part());
    let pairs = chain(one).flat_map(|one| chain(other).map(move |other| (one, other)));
    let mut fitting = pairs.filter(|(one, other)| fits(one, other));
    let is_whole = |(a, b): &(&Value<'_>, &Value<'_>)| std::ptr::eq(*a, one) && std::ptr::eq(*b, other);
    // Words have nothing in common with those deep inside the other; drawings have lines.
    let has_lines = |(a, b): &(&Value<'_>, &Value<'_>)| a.text.contains('\n') && b.text.contains('\n');
    fitting.find(|pair| is_whole(pair) || has_lines(pair) || pair.0.kind != Kind::Atom)
}

/// Whether two values of which nothing else is known may be of one type: a number and a list are not, while a variant
/// may have fields where another one has none.
fn may_be_of_one_type(one: &Value<'_>, other: &Value<'_>) -> bool {
    let is_variant = |value: &Value<'_>| {
        let name = if value.has_brackets() { value.name } else { value.text };
        name.starts_with(char::is_uppercase)
    };
    one.kind == other.kind || is_variant(one) && is_variant(other)
}

/// The names of all types and variants in a value.
fn names<'t>(value: &Value<'t>) -> BTreeSet<&'t str> {
    let mut names: BTreeSet<&str> = value.parts.iter().flat_map(|part| names(&part.value)).collect();
    names.insert(value.name);
    names
}

#[derive(Debug, Default)]
struct Comparison<'t> {
    /// Whether the two are of types of their own.
    has_types: bool,
    /// Whether what is short is taken apart as well.
    takes_apart: bool,
    /// Names that do not matter.
    foreign: BTreeSet<&'t str>,
    path: String,
    differences: Differences,
}

impl<'t> Comparison<'t> {
    fn run(mut self, one: &Value<'t>, other: &Value<'t>) -> Differences {
        match one.kind == other.kind && one.has_brackets() {
            // The names of types on the outside are no difference.
            true => self.parts(one, other),
            false => self.value(one, other),
        }
        self.differences
    }

    fn value(&mut self, one: &Value<'t>, other: &Value<'t>) {
        if self.is_alike(one, other) {
            return;
        }
        if one.kind == other.kind && !one.has_brackets() {
            return self.texts(one, other);
        }
        if self.has_types && !may_be_of_one_type(one, other) {
            self.differences.is_partial = true;
            return;
        }
        if !self.can_be_entered(one, other) {
            return self.note(Some(one.text), Some(other.text));
        }
        let n_before = self.n_places();
        let n_kept = self.differences.places.len();
        self.parts(one, other);
        let is_short = |value: &Value<'_>| value.text.chars().count() <= SHORT;
        let n_inside = self.n_places() - n_before;
        if n_inside > 1 && !self.takes_apart && is_short(one) && is_short(other) {
            self.differences.places.truncate(n_kept);
            self.differences.n_more = n_before - n_kept;
            self.note(Some(one.text), Some(other.text));
        }
    }

    /// Whether the two have parts that stand for each other.
    fn can_be_entered(&self, one: &Value<'t>, other: &Value<'t>) -> bool {
        one.kind == other.kind
            && one.has_brackets()
            && self.is_same_name(one.name, other.name)
            && (one.kind != Kind::Tuple || one.parts.len() == other.parts.len())
    }

    fn is_same_name(&self, one: &str, other: &str) -> bool {
        one == other || self.foreign.contains(one) && self.foreign.contains(other)
    }

    fn is_alike(&self, one: &Value<'t>, other: &Value<'t>) -> bool {
        if one.text == other.text {
            return true;
        }
        if one.kind != other.kind || !one.has_brackets() || !self.is_same_name(one.name, other.name) {
            return false;
        }
        let is_open = self.has_types && one.is_struct();
        if one.kind == Kind::Braces {
            let has = |(k, part): (usize, &Part<'t>)| match part.key {
                "" => other.parts.iter().any(|b| b.key.is_empty() && self.is_alike(&part.value, &b.value)),
                key => {
                    let opposite = other.parts.get(k).filter(|b| b.key == key).map(|b| &b.value);
                    let opposite = opposite.or_else(|| other.part(key));
                    opposite.map_or(is_open, |b| self.is_alike(&part.value, b))
                }
            };
            return (is_open || one.parts.len() == other.parts.len())
                && one.parts.iter().enumerate().all(has);
        }
        one.parts.len() == other.parts.len()
            && one.parts.iter().zip(&other.parts).all(|(a, b)| self.is_alike(&a.value, &b.value))
    }

    fn parts(&mut self, one: &Value<'t>, other: &Value<'t>) {
        match one.kind {
            Kind::Braces => self.keyed(one, other),
            Kind::Tuple if one.parts.len() == other.parts.len() => {
                let is_wrapper = !one.name.is_empty() && one.parts.len() == 1;
                for (k, (a, b)) in one.parts.iter().zip(&other.parts).enumerate() {
                    let step = if is_wrapper { String::new() } else { format!(".{k}") };
                    self.inside(&step, |this| this.value(&a.value, &b.value));
                }
            }
            _ => self.elements(one, other),
        }
    }

    fn elements(&mut self, one: &Value<'t>, other: &Value<'t>) {
        let pairs = order::unlike(&one.parts, &other.parts, |a, b| self.is_alike(&a.value, &b.value));
        for pair in pairs {
            let (Pair::Both(k, _) | Pair::One(k) | Pair::Other(k)) = pair;
            self.inside(&format!("[{k}]"), |this| match pair {
                Pair::Both(k, l) => this.value(&one.parts[k].value, &other.parts[l].value),
                Pair::One(k) => this.note(Some(one.parts[k].value.text), None),
                Pair::Other(l) => this.note(None, Some(other.parts[l].value.text)),
            });
        }
    }

    /// Fields, entries, and elements of sets.
    fn keyed(&mut self, one: &Value<'t>, other: &Value<'t>) {
        let is_struct = one.is_struct() || other.is_struct();
        let is_open = self.has_types && is_struct;
        let index = |value: &'_ Value<'t>| -> BTreeMap<&'t str, usize> {
            value.parts.iter().enumerate().map(|(k, part)| (part.key, k)).collect()
        };
        let (in_one, in_other) = (index(one), index(other));
        let step = |key: &str| if is_struct { format!(".{key}") } else { format!("[{key}]") };
        for part in one.parts.iter().filter(|part| !part.key.is_empty()) {
            self.inside(&step(part.key), |this| match in_other.get(part.key) {
                Some(k) => this.value(&part.value, &other.parts[*k].value),
                None if is_open => this.differences.is_partial = true,
                None => this.note(Some(part.value.text), None),
            });
        }
        for part in other.parts.iter().filter(|part| !part.key.is_empty()) {
            if !in_one.contains_key(part.key) {
                self.inside(&step(part.key), |this| match is_open {
                    true => this.differences.is_partial = true,
                    false => this.note(None, Some(part.value.text)),
                });
            }
        }
        let elements = |value: &Value<'t>| -> BTreeSet<&'t str> {
            value.parts.iter().filter(|part| part.key.is_empty()).map(|part| part.value.text).collect()
        };
        let (of_one, of_other) = (elements(one), elements(other));
        for lost in of_one.difference(&of_other).filter(|text| **text != "..") {
            self.note(Some(lost), None);
        }
        for new in of_other.difference(&of_one).filter(|text| **text != "..") {
            self.note(None, Some(new));
        }
    }

    fn texts(&mut self, one: &Value<'t>, other: &Value<'t>) {
        let is_quoted = one.kind == Kind::Text;
        let Some(lines) = texts::by_line((one.text, other.text), is_quoted) else {
            return self.note(Some(one.text), Some(other.text));
        };
        for (n, a, b) in lines {
            let lead = if self.path.is_empty() { "" } else { ", " };
            self.inside(&format!("{lead}line {n}"), |this| this.note(a, b));
        }
    }

    fn inside(&mut self, step: &str, run: impl FnOnce(&mut Self)) {
        let length = self.path.len();
        let _ = write!(self.path, "{step}");
        run(self);
        self.path.truncate(length);
    }

    fn n_places(&self) -> usize {
        self.differences.places.len() + self.differences.n_more
    }

    fn note(&mut self, one: Option<&str>, other: Option<&str>) {
        if self.differences.places.len() == MAX_PLACES {
            self.differences.n_more += 1;
            return;
        }
        let (one, other) = match (one, other) {
            (Some(one), Some(other)) => {
                let (one, other) = texts::around(one, other);
                (Some(one), Some(other))
            }
            (one, other) => (one.map(texts::cut), other.map(texts::cut)),
        };
        let path = self.path.trim_start_matches('.').to_string();
        self.differences.places.push(Place { path, one, other });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(one: &str, other: &str, types: Types) -> Vec<String> {
        let Some(differences) = places(one, other, types) else {
            return vec!["nothing in common".to_string()];
        };
        let side = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_string());
        let line = |place: &Place| format!("{}: {} | {}", place.path, side(&place.one), side(&place.other));
        let mut lines: Vec<String> = differences.places.iter().map(line).collect();
        if differences.n_more > 0 {
            lines.push(format!("{} more", differences.n_more));
        }
        if differences.is_partial {
            lines.push("in part".to_string());
        }
        lines
    }

    fn same(one: &str, other: &str) -> Vec<String> {
        shown(one, other, Types::Same)
    }

    fn foreign(one: &str, other: &str) -> Vec<String> {
        shown(one, other, Types::Other)
    }

    #[test]
    fn fields_elements_and_entries_have_places() {
        assert_eq!(
            same(
                "A { slots: [S { key: 7, on: true }], n: 1 }",
                "A { slots: [S { key: 9, on: true }], n: 1 }"
            ),
            ["slots[0].key: 7 | 9"]
        );
        assert_eq!(
            same("A { b: Some(B { c: (1, 2) }) }", "A { b: Some(B { c: (1, 3) }) }"),
            ["b.c.1: 2 | 3"]
        );
        assert_eq!(
            same("{1: \"a\", 2: \"b\"}", "{1: \"a\", 3: \"c\"}"),
            ["[2]: \"b\" | -", "[3]: - | \"c\""]
        );
        assert_eq!(same("A { ids: {1, 2} }", "A { ids: {2, 4} }"), ["ids: {1, 2} | {2, 4}"]);
        let many = "1111111, 2222222, 3333333, 4444444, 5555555";
        assert_eq!(same(&format!("{{{many}, 1}}"), &format!("{{{many}, 2}}")), [": 1 | -", ": - | 2"]);
        assert_eq!(same("[1, 2, 3, 4]", "[1, 3, 4, 5]"), ["[1]: 2 | -", "[3]: - | 5"]);
        assert_eq!(same("A { b: None }", "A { b: Some(3) }"), ["b: None | Some(3)"]);
        assert_eq!(same("A { b: [] }", "A { b: [] }"), [""; 0]);
    }

    #[test]
    fn a_short_value_that_differs_throughout_is_shown_whole() {
        assert_eq!(
            same("[A { x: 1, y: 2 }, A { x: 5, y: 2 }]", "[A { x: 3, y: 4 }, A { x: 5, y: 2 }]"),
            ["[0]: A { x: 1, y: 2 } | A { x: 3, y: 4 }"]
        );
    }

    #[test]
    fn other_types_have_in_common_what_is_called_alike() {
        assert_eq!(
            foreign("Model { names: {0: \"x\"}, n: 1 }", "System { cache: 4, names: {0: \"y\"} }"),
            ["names[0]: \"x\" | \"y\"", "in part"]
        );
        assert_eq!(foreign("Stack { items: [1, 2] }", "[1, 3]"), ["[1]: 2 | 3"]);
        assert_eq!(foreign("M { on: true, n: 1 }", "S { on: Some(On), n: 2 }"), ["n: 1 | 2", "in part"]);
        assert_eq!(foreign("M { of: None, n: 1 }", "S { of: Some(On), n: 1 }"), ["of: None | Some(On)"]);
        assert_eq!(foreign("M { all: [1], n: 1 }", "S { hot: [], n: 1 }"), ["in part"]);
        assert_eq!(foreign("Model { a: 1 }", "System { b: 2 }"), ["nothing in common"]);
        assert_eq!(foreign("Model { a: [1] }", "<system 3>"), ["nothing in common"]);
        let (one, other) =
            ("M { all: [Slot { n: 1 }, Slot { n: 2 }] }", "S { all: [Cell { n: 1 }, Cell { n: 3 }] }");
        assert_eq!(foreign(one, other), ["all[1].n: 2 | 3"]);
        let (one, other) =
            ("M { all: [Slot { n: 1 }, Slot { n: 2 }] }", "S { all: [Cell { n: 1 }, Cell { n: 2 }] }");
        assert_eq!(foreign(one, other), [""; 0]);
        let (one, other) = ("M { state: Busy { by: 1 }, n: 1 }", "S { state: Open { by: 1 }, n: 1 }");
        assert_eq!(foreign(one, other), ["state: Busy { by: 1 } | Open { by: 1 }"]);
    }

    #[test]
    fn texts_differ_in_lines() {
        assert_eq!(same("#..\n.#.\n..#", "#..\n.##\n..#"), ["line 2: .#. | .##"]);
        let text = |line: &str| format!("A {{ text: {:?} }}", format!("{}\n{line}\nend", "long ".repeat(12)));
        assert_eq!(same(&text("one"), &text("two")), ["text, line 2: one | two"]);
        assert_eq!(same("A { text: \"one\" }", "A { text: \"two\" }"), ["text: \"one\" | \"two\""]);
    }

    #[test]
    fn several_places_are_shown_and_the_others_counted() {
        let list = |n: u32| (0..10).map(|k| k * n).collect::<Vec<_>>();
        let lines = same(&format!("{:?}", list(100_000)), &format!("{:?}", list(100_001)));
        assert_eq!(lines.len(), MAX_PLACES + 1);
        assert_eq!(lines.last().unwrap(), "3 more");
    }

    /// Letters that brackets, texts and lines are made of, in all orders that chance makes.
    #[test]
    fn no_text_is_refused() {
        const LETTERS: &[&str] = &[
            "{", "}", "[", "]", "(", ")", "\"", "'", "\\", ", ", ": ", ":", "a", "Some", "1", "\n", " ", "é",
            "..", "#",
        ];
        let mut state = 1_u64;
        let mut next = move |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 40).unwrap() % n
        };
        for _ in 0..20_000 {
            let mut text = || (0..next(16)).map(|_| LETTERS[next(LETTERS.len())]).collect::<String>();
            let (one, other) = (text(), text());
            for types in [Types::Same, Types::Other] {
                let differences = places(&one, &other, types);
                assert!(one != other || differences.is_some_and(|all| all.places.is_empty()), "{one:?}");
            }
        }
    }
}
