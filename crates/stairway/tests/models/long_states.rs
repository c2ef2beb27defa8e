//! States that are too long for a line: of them it is shown where they differ.

use super::*;
use std::fmt;

#[derive(Debug, Default)]
struct Catalogue {
    names: BTreeMap<u32, String>,
}

impl Catalogue {
    fn enter(&mut self, n: u32) {
        let name = format!("the whole, long name of number {n}");
        self.names.insert(n, if self.names.len() == 3 { String::new() } else { name });
    }

    fn name(&self, n: u32) -> Option<String> {
        self.names.get(&n).cloned()
    }
}

#[derive(Clone, Debug, Default)]
struct Names {
    names: BTreeMap<u32, String>,
}

#[model(system = Catalogue)]
impl Names {
    #[start]
    fn new() -> (Names, Catalogue) {
        Default::default()
    }

    #[op]
    fn enter(&mut self, #[from(0..9)] n: u32) {
        self.names.insert(n, format!("the whole, long name of number {n}"));
    }

    #[op]
    fn name(&self, #[from(0..9)] n: u32) -> Option<String> {
        self.names.get(&n).cloned()
    }
}

#[test]
fn of_long_states_the_difference_is_shown() {
    let report = quiet(Names::checker(), 1).report().to_string();
    insta::assert_snapshot!(without_places(&report, None));
}

/// Slots whose text always has several lines.
#[derive(Clone)]
struct Slots(BTreeMap<&'static str, Vec<Option<Slot>>>);

#[derive(Clone, Debug, PartialEq)]
struct Slot {
    key: u32,
    is_pinned: bool,
}

impl fmt::Debug for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#?}", self.0)
    }
}

impl Slots {
    fn new() -> Self {
        Slots(BTreeMap::from([("even", vec![None; 4]), ("odd", vec![None; 4])]))
    }

    fn list(&mut self, key: u32) -> &mut Vec<Option<Slot>> {
        self.0.get_mut(if key.is_multiple_of(2) { "even" } else { "odd" }).unwrap()
    }

    fn insert(&mut self, key: u32, at: usize, is_pinned: bool) {
        self.list(key)[at] = Some(Slot { key, is_pinned });
    }

    fn has(&mut self, key: u32, at: usize) -> bool {
        self.list(key)[at].as_ref().is_some_and(|slot| slot.key == key)
    }
}

/// Slots of which the last one takes the key of the one before.
#[derive(Debug)]
struct Table(Slots);

impl Table {
    fn insert(&mut self, key: u32, at: usize, is_pinned: bool) {
        self.0.insert(if at == 3 { key ^ 2 } else { key }, at, is_pinned);
    }

    fn has(&mut self, key: u32, at: usize) -> bool {
        self.0.has(key, at)
    }
}

#[model(system = Table)]
impl Slots {
    #[start]
    fn start() -> (Slots, Table) {
        (Slots::new(), Table(Slots::new()))
    }

    #[op(call = system.insert(key, at, is_pinned))]
    fn put(&mut self, #[from(0..8)] key: u32, #[from(0..4)] at: usize, is_pinned: bool) {
        self.insert(key, at, is_pinned);
    }

    #[op(call = system.has(key, at))]
    fn holds(&mut self, #[from(0..8)] key: u32, #[from(0..4)] at: usize) -> bool {
        self.has(key, at)
    }
}

#[test]
fn states_on_several_lines_differ_in_fields() {
    let report = quiet(Slots::checker(), 1).report().to_string();
    insta::assert_snapshot!(without_places(&report, None));
}

/// A board, whose text is a drawing.
#[derive(Clone)]
struct Board([[bool; 5]; 4]);

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |row: &[bool; 5]| row.iter().map(|on| if *on { '#' } else { '.' }).collect::<String>();
        f.write_str(&self.0.iter().map(line).collect::<Vec<_>>().join("\n"))
    }
}

/// A board that wraps to the next row.
#[derive(Debug)]
struct Bits(Board);

impl Bits {
    fn flip(&mut self, row: usize, column: usize) {
        let at = &mut self.0.0[(row + column / 4) % 4][column];
        *at = !*at;
    }

    fn n_set(&self, row: usize) -> usize {
        self.0.0[row].iter().filter(|on| **on).count()
    }
}

#[model(system = Bits)]
impl Board {
    #[start]
    fn start() -> (Board, Bits) {
        (Board([[false; 5]; 4]), Bits(Board([[false; 5]; 4])))
    }

    #[op]
    fn flip(&mut self, #[from(0..4)] row: usize, #[from(0..5)] column: usize) {
        let at = &mut self.0[row][column];
        *at = !*at;
    }

    #[op]
    fn n_set(&self, #[from(0..4)] row: usize) -> usize {
        self.0[row].iter().filter(|on| **on).count()
    }
}

#[test]
fn drawings_differ_in_lines() {
    let report = quiet(Board::checker(), 1).report().to_string();
    insta::assert_snapshot!(without_places(&report, None));
}

/// A list whose answers are long.
#[derive(Clone, Debug, Default)]
struct Log(Vec<String>);

#[derive(Debug, Default)]
struct Ring(Vec<String>);

impl Ring {
    fn write(&mut self, n: u8) {
        self.0.push(format!("entry number {n}"));
    }

    fn all(&self) -> Vec<String> {
        let lost = usize::from(self.0.len() > 5);
        self.0.iter().skip(lost).cloned().collect()
    }
}

#[model(system = Ring)]
impl Log {
    #[start]
    fn new() -> (Log, Ring) {
        Default::default()
    }

    #[op]
    fn write(&mut self, n: u8) {
        self.0.push(format!("entry number {n}"));
    }

    #[op]
    fn all(&self) -> Vec<String> {
        self.0.clone()
    }
}

#[test]
fn of_long_answers_the_difference_is_named() {
    let report = quiet(Log::checker(), 1).report().to_string();
    insta::assert_snapshot!(without_places(&report, None));
}
