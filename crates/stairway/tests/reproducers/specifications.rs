// Specifications of the systems, each of which finds a mistake.

use stairway::prelude::*;

pub mod alone {
    use super::super::systems::*;
    use super::*;

    #[derive(Clone, Debug)]
    pub struct Fifo(Vec<i32>, usize);
    #[model(system = Ring)]
    impl Fifo {
        #[start]
        fn new(#[from(2..5)] capacity: usize) -> (Fifo, Ring) {
            (Fifo(Vec::new(), capacity), Ring::new(capacity))
        }
        #[op]
        fn push(&mut self, v: i32) -> bool {
            let fits = self.0.len() < self.1;
            if fits {
                self.0.push(v);
            }
            fits
        }
        #[op]
        fn pop(&mut self) -> Option<i32> {
            if self.0.is_empty() { None } else { Some(self.0.remove(0)) }
        }
        #[op]
        fn len(&self) -> usize {
            self.0.len()
        }
    }

    #[derive(Debug)]
    pub struct Texts(Vec<String>);
    #[model(system = Words)]
    impl Texts {
        #[start]
        fn new() -> (Texts, Words) {
            (Texts(Vec::new()), Words::default())
        }
        #[op(requires = !word.is_empty() && self.0.is_empty())]
        fn add(&mut self, word: &str) {
            self.0.push(word.to_string());
        }
        #[op(requires = self.0.len() == 1)]
        fn add_owned(&mut self, word: &str, again: String) {
            self.0.push(word.to_string() + &again);
        }
        #[op(requires = self.0.len() == 2 && letters.len() == 1)]
        fn add_all(&mut self, letters: Vec<char>) {
            self.0.push(letters.into_iter().collect());
        }
        #[op]
        fn last(&self) -> Option<String> {
            self.0.last().cloned()
        }
    }

    #[derive(Debug)]
    pub struct Rows(Vec<Vec<String>>, bool);
    #[model(system = Book)]
    impl Rows {
        #[start]
        fn new() -> (Rows, Book) {
            (Rows(Vec::new(), false), Book::default())
        }
        #[op]
        fn open(&mut self, #[result] page: Ref<Page>) {
            let _ = page;
            self.1 = true;
        }
        #[op(requires = self.1)]
        fn note(&mut self, #[from(sampled_from(["a", "r1", "&mut r1"]).mapped(String::from))] word: String) {
            let _ = word;
        }
        #[op(requires = self.1)]
        fn add(&mut self, row: Vec<String>) {
            self.0.push(row);
        }
        #[op]
        fn turn(&mut self, page: Ref<Page>) {
            let _ = page;
        }
        #[op]
        fn rows(&self) -> Vec<Vec<String>> {
            self.0.clone()
        }
    }

    #[derive(Debug)]
    pub struct Cells(std::collections::BTreeMap<Ref<Handle>, i32>, Vec<(Ref<Name>, Ref<Handle>)>);
    #[model(system = Table)]
    impl Cells {
        #[start]
        fn new() -> (Cells, Table) {
            (Cells(Default::default(), Vec::new()), Table::default())
        }
        #[op]
        fn open(&mut self, #[result] h: Ref<Handle>) {
            self.0.insert(h, 0);
        }
        #[op]
        fn name(&mut self, h: Ref<Handle>, #[result] name: Ref<Name>) {
            self.1.push((name, h));
        }
        #[op]
        fn write(&mut self, h: Ref<Handle>, v: i32) {
            self.0.insert(h, v);
        }
        #[op]
        fn read(&self, name: Ref<Name>, n: i32) -> i32 {
            let (_, h) = self.1.iter().find(|(other, _)| *other == name).unwrap();
            self.0.get(h).map_or(0, |v| v.wrapping_add(n))
        }
        #[op(consumes = h)]
        fn close(&mut self, h: Ref<Handle>) {
            self.0.remove(&h);
        }
    }

    #[derive(Debug)]
    pub struct Passed(u32);
    #[model(system = Counter)]
    impl Passed {
        #[start]
        fn new() -> (Passed, Counter) {
            (Passed(0), Counter { n: 0 })
        }
        #[op(call = count_up)]
        fn up(&mut self, #[from(0..3)] by: u32) -> u32 {
            self.0 += by;
            self.0
        }
        #[op(call = *system = Counter { n: 0 })]
        fn reset(&mut self) {
            self.0 = 0;
        }
        #[op(call = count_up(system, 0))]
        fn get(&self) -> u32 {
            self.0
        }
    }

    #[derive(Debug)]
    pub struct Called(i32);
    #[model(system = Table)]
    impl Called {
        #[start]
        fn new() -> (Called, Table) {
            (Called(0), Table::default())
        }
        #[op(call = {
            let handle = system.open();
            handle
        })]
        fn make(&mut self, #[result] h: Ref<Handle>) {
            let _ = h;
        }
        #[op(call = system.cells.insert(h.0, v).is_some(), weight = 2)]
        fn put(&mut self, h: Ref<Handle>, #[from(0..5)] v: i32) -> bool {
            let _ = h;
            self.0 += v;
            true
        }
        #[op(call = system.cells.values().sum::<i32>())]
        fn total(&self) -> i32 {
            self.0
        }
    }

    #[derive(Debug)]
    pub struct Adding(u32);
    #[model(system = Counter)]
    impl Adding {
        #[start]
        fn new() -> (Adding, Counter) {
            (Adding(0), Counter::default())
        }
        #[op]
        fn add(&mut self, #[from(1..3)] n: u32) {
            self.0 += n;
        }
    }

    #[derive(Debug)]
    pub struct Waiting(u32);
    #[model(system = Counter)]
    impl Waiting {
        #[start]
        fn new() -> (Waiting, Counter) {
            (Waiting(0), Counter::default())
        }
        #[op(requires = self.0 + n < 5)]
        fn add(&mut self, #[from(1..3)] n: u32) {
            self.0 += n;
        }
        #[op(awaits)]
        fn get(&self) -> u32 {
            self.0
        }
    }

    #[derive(Debug)]
    pub struct Stopping(u32);
    #[model(system = Counter)]
    impl Stopping {
        #[start]
        fn new() -> (Stopping, Counter) {
            (Stopping(0), Counter::default())
        }
        #[op(requires = self.0 + n < 5)]
        fn add(&mut self, #[from(1..3)] n: u32) {
            self.0 += n;
        }
        #[cleanup]
        fn stop(&mut self) -> u32 {
            self.0
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Listed;
    #[model(system = Counter)]
    impl Listed {
        #[start]
        fn new() -> (Listed, Counter) {
            (Listed, Counter::default())
        }
        #[op]
        fn roll(&self) -> Allowed<'_, Self, u32> {
            Allowed::of(self).answer("one", 1, |_| ()).answer("two", 2, |_| ())
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Described;
    #[model(system = Counter)]
    impl Described {
        #[start]
        fn new() -> (Described, Counter) {
            (Described, Counter::default())
        }
        #[op]
        fn roll(&self) -> Allowed<'_, Self, u32> {
            Allowed::of(self).answer_matching("a small one", |n| *n < 7, |_, _| ())
        }
    }

    /// The type of its system has to be said.
    #[derive(Debug)]
    pub struct Wide<T>(Vec<T>);
    #[model(system = Wrapped<T>)]
    impl<T: Arbitrary + ToSource + Clone + PartialEq + std::fmt::Debug + Default + 'static> Wide<T> {
        #[start]
        fn new() -> (Wide<T>, Wrapped<T>) {
            (Wide(Vec::new()), Wrapped::default())
        }
        #[op]
        fn set(&mut self, v: T) -> Option<T> {
            self.0.push(v);
            self.0.len().checked_sub(2).map(|k| self.0[k].clone())
        }
    }

    /// The constructor of its system does not say how many there are.
    #[derive(Debug)]
    pub struct Filled(usize);
    #[model(system = Slots<2>)]
    impl Filled {
        #[start]
        fn new(first: u8) -> (Filled, Slots<2>) {
            (Filled(1), Slots::of(first))
        }
        #[op]
        fn put(&mut self, _v: u8) -> bool {
            self.0 += 1;
            self.0 <= 2
        }
    }

    pub mod lasting {
        use super::*;

        laws! {
            pub system Slots<2> = Slots::of(7);
            op put(v: u8) -> bool;

            #[ignore = "fails, on purpose"]
            putting_nothing(v: u8): [put(v)] == [];
        }
    }

    laws! {
        pub system Queue = Queue::default();
        op add(n: i32) requires system.items.len() < 8;
        op remove() requires !system.items.is_empty();
        op front() -> Option<i32>;

        #[ignore = "fails, on purpose"]
        front_add(m: i32, n: i32): [add(m); add(n); x = front()] == [add(m); x = front(); add(n)];
        #[ignore = "fails, on purpose"]
        add_remove(m: i32, n: i32): [add(m); add(n); remove()] == [add(m); remove(); add(n)];
        #[ignore = "fails, on purpose"]
        is_never_empty(m: i32): start [add(m); x = front()] == start [add(m); x = Some(m ^ 1)];
    }

    pub mod results {
        use super::*;

        laws! {
            pub system Desk = Desk::default();
            op take(#[result] t: Option<Ref<Ticket>>);
            op give(t: Ref<Ticket>) consumes t;
            op number(t: Ref<Ticket>) -> u32;

            #[ignore = "fails, on purpose"]
            given_back: [t = take(); give(t); u = take(); x = number(u)] == [u = take(); x = number(u)];
        }
    }
}

pub mod several {
    use super::super::systems::*;
    use super::*;
    use std::collections::BTreeMap;

    #[derive(Debug)]
    pub struct Pipes(BTreeMap<Ref<Receiver>, (Ref<Sender>, u8)>);
    #[model(system = Yard)]
    impl Pipes {
        #[start]
        fn new() -> (Pipes, Yard) {
            (Pipes(BTreeMap::new()), Yard::default())
        }
        #[op]
        fn pipe(&mut self, #[result] ends: (Ref<Sender>, Ref<Receiver>)) {
            self.0.insert(ends.1, (ends.0, 0));
        }
        #[op]
        fn send(&mut self, to: Ref<Sender>, v: u8) {
            self.0.values_mut().filter(|(sender, _)| *sender == to).for_each(|(_, last)| *last = v);
        }
        #[op]
        fn receive(&self, from: Ref<Receiver>) -> u8 {
            self.0[&from].1
        }
    }

    #[derive(Debug)]
    pub struct Crews(BTreeMap<Ref<Worker>, u32>);
    #[model(system = Yard)]
    impl Crews {
        #[start]
        fn new() -> (Crews, Yard) {
            (Crews(BTreeMap::new()), Yard::default())
        }
        #[op]
        fn hire(&mut self, #[from(0..5)] n: u32, #[result] crew: Option<(Vec<Ref<Worker>>, u32)>) {
            assert_eq!(crew.is_some(), n > 0);
            self.0.extend(crew.into_iter().flat_map(|(crew, _)| crew).map(|worker| (worker, 0)));
        }
        #[op]
        fn work(&mut self, worker: Ref<Worker>) -> u32 {
            let works = self.0.get_mut(&worker).expect("it was hired");
            *works += 1;
            *works
        }
    }
}

pub mod panicking {
    use super::super::systems::*;
    use super::*;

    laws! {
        pub system Queue = Queue::default();
        op add(n: i32);

        #[ignore = "fails, on purpose"]
        adding_more(m: i32): [add(m)] == [add(m)];
    }
}

pub mod beside {
    use super::super::systems::*;
    use super::*;

    /// Its start does more than to give a pair.
    pub mod units {
        use stairway::prelude::*;

        #[derive(Arbitrary, Clone, Copy, Debug, PartialEq, ToSource)]
        pub struct Celsius(pub i8);

        pub mod heating {
            use stairway::prelude::*;

            #[derive(Clone, Copy, Debug, PartialEq, ToSource)]
            pub enum Mode {
                Heats,
                Cools { by: super::Celsius },
            }
        }
    }

    pub struct Thermostat(units::Celsius);
    impl Thermostat {
        pub fn set(&mut self, at: units::Celsius) -> Option<units::heating::Mode> {
            let by = at.0.wrapping_sub(self.0.0);
            self.0 = at;
            match by {
                0 => None,
                1.. => Some(units::heating::Mode::Heats),
                _ => Some(units::heating::Mode::Cools { by: units::Celsius(-by.max(-100)) }),
            }
        }
    }

    #[derive(Debug)]
    pub struct Heating(units::Celsius);
    #[model(system = Thermostat)]
    impl Heating {
        #[start]
        fn new(from: units::Celsius) -> (Heating, Thermostat) {
            (Heating(from), Thermostat(from))
        }
        #[op]
        fn set(&mut self, at: units::Celsius) -> Option<units::heating::Mode> {
            let by = i16::from(at.0) - i16::from(self.0.0);
            self.0 = at;
            match by {
                0 => None,
                1.. => Some(units::heating::Mode::Heats),
                _ => Some(units::heating::Mode::Cools { by: units::Celsius((-by).min(100) as i8) }),
            }
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Bounded(Vec<i32>, usize);
    #[model(system = Ring)]
    impl Bounded {
        #[start]
        fn begin(text: &str, #[from(2..5)] capacity: usize) -> (Bounded, Ring) {
            let ring = Ring::new(capacity.max(text.len().min(1)));
            (Bounded(Vec::new(), capacity), ring)
        }
        #[op]
        fn push(&mut self, v: i32) -> bool {
            self.0.push(v);
            self.0.len() <= self.1
        }
        #[invariant]
        fn is_as_long(&self, system: &Ring) -> bool {
            self.0.len() < 2 || system.items.len() != self.0.len()
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Summed(i64, usize);
    #[model(system = Ring)]
    impl Summed {
        #[start]
        fn new() -> (Summed, Ring) {
            (Summed(0, 0), Ring::new(2))
        }
        #[op]
        #[ensures(self.0 == old(self.0) + i64::from(v) && (*result || v == 0))]
        fn push(&mut self, #[from(0..3)] v: i32) -> bool {
            self.0 += i64::from(v);
            self.1 += 1;
            self.1 <= 2
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Seen(Vec<i32>);
    #[model(system = Ring)]
    impl Seen {
        #[start]
        fn new() -> (Seen, Ring) {
            (Seen(Vec::new()), Ring::new(2))
        }
        #[abstraction]
        fn of(system: &Ring) -> Seen {
            Seen(system.items.clone())
        }
        #[op(call = system.put(v))]
        fn push(&mut self, v: i32) {
            self.0.push(v);
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Related(Vec<i32>);
    #[model(system = Ring)]
    impl Related {
        #[start]
        fn new() -> (Related, Ring) {
            (Related(Vec::new()), Ring::new(2))
        }
        #[abstraction]
        fn of(system: &Ring) -> Related {
            Related(system.items.clone())
        }
        #[op]
        #[ensures(self.0.len() == old(self.0.len()) + 1 && self.0.last() == Some(&v))]
        fn push(&mut self, v: i32) {}
        #[op]
        #[ensures(*result == old(self.0.first().copied()))]
        fn pop(&mut self) {}
    }

    /// Its start depends on what stands in its type.
    #[derive(Debug)]
    pub struct Sized<const N: usize>(usize);
    #[model(system = Ring)]
    impl<const N: usize> Sized<N> {
        #[start]
        fn new() -> (Self, Ring) {
            (Sized(0), Ring::new(N))
        }
        #[op]
        fn push(&mut self, v: i32) -> bool {
            let _ = v;
            self.0 += 1;
            self.0 <= N
        }
        #[op]
        fn len(&self) -> usize {
            self.0.min(N)
        }
    }

    /// It is wrong from the beginning.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Late(u32);
    #[model(system = Counter)]
    impl Late {
        #[start]
        fn new() -> (Late, Counter) {
            (Late(1), Counter::default())
        }
        #[op]
        fn roll(&mut self) -> u32 {
            1
        }
        #[invariant]
        fn has_as_many(&self, system: &Counter) -> bool {
            self.0 == system.n
        }
    }

    /// It is told the answers.
    #[derive(Clone, Debug)]
    pub struct Rolled(Vec<u32>);
    #[model(system = Counter)]
    impl Rolled {
        #[start]
        fn new() -> (Rolled, Counter) {
            (Rolled(Vec::new()), Counter::default())
        }
        #[op]
        #[ensures(!old(self.0.contains(result)))]
        fn roll(&mut self, #[result] n: u32) {
            self.0.push(n);
        }
    }

    /// Its answers have no source.
    #[derive(Debug, PartialEq)]
    pub enum Size {
        Empty,
        Full,
    }
    #[derive(Debug)]
    pub struct Sizes(usize);
    #[model(system = Ring)]
    impl Sizes {
        #[start]
        fn new() -> (Sizes, Ring) {
            (Sizes(0), Ring::new(2))
        }
        #[op(requires = self.0 < 2)]
        fn push(&mut self, v: i32) -> bool {
            let _ = v;
            self.0 += 1;
            true
        }
        #[op(call = if system.len() == 0 { Size::Empty } else { Size::Full })]
        fn size(&self) -> Size {
            if self.0 == 0 { Size::Empty } else { Size::Full }
        }
    }

    #[derive(Debug)]
    pub struct Failing(u32);
    #[model(system = Counter)]
    impl Failing {
        #[start]
        fn new() -> (Failing, Counter) {
            (Failing(0), Counter::default())
        }
        #[op(call = system.n += 1)]
        fn add(&mut self) {
            self.0 += 1;
            assert!(self.0 < 3, "the model cannot count");
        }
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Tank(u32);
    #[model(system = Counter)]
    impl Tank {
        #[start]
        fn new(#[from(1..3)] level: u32) -> (Tank, Counter) {
            (Tank(level), Counter::default())
        }
        #[op]
        fn add(&mut self, #[from(1..3)] n: u32) {
            self.0 += n;
        }
        #[op(call = system.n)]
        fn level(&self) -> u32 {
            self.0
        }
        #[invariant]
        fn is_not_full(&self) -> bool {
            self.0 < 6
        }
    }

    laws! { model Tank:
        #[ignore = "fails, on purpose"]
        adding_twice(#[from(1..3)] n: u32): [add(n); x = level()] == [add(n); add(n); x = level()];
    }

    /// What a disk takes, which may be nothing; lines are counted too early.
    #[derive(Default)]
    pub struct Log {
        n_lines: usize,
    }
    impl Log {
        pub fn append(&mut self, _line: &[u8]) -> Result<usize, &'static str> {
            self.n_lines += 1;
            stairway::ask("append", [Ok(()), Err("full")])?;
            Ok(self.n_lines)
        }
    }

    #[derive(Debug)]
    pub struct Logged(usize);
    #[model(system = Log)]
    impl Logged {
        #[start]
        fn new() -> (Logged, Log) {
            (Logged(0), Log::default())
        }
        #[op]
        fn append(&mut self, _line: Vec<u8>, oracle: Oracle) -> Result<usize, &'static str> {
            stairway::ask("append", [Ok(()), Err("full")])?;
            self.0 += 1;
            Ok(self.0)
        }
    }
}

pub mod contracts {
    use super::*;

    #[derive(Debug)]
    pub struct Account {
        cents: u64,
    }

    pub struct Cheque(u64);

    #[contract]
    impl Account {
        pub fn open() -> Account {
            Account { cents: 0 }
        }
        #[ensures(self.balance() == old(self.balance()) + amount)]
        pub fn deposit(&mut self, #[from(0..100)] amount: u64) {
            self.cents += amount;
        }
        pub fn cheque(&mut self, #[from(0..100)] amount: u64) -> Option<Cheque> {
            if amount <= self.cents { Some(Cheque(amount)) } else { None }
        }
        #[ensures(self.balance() >= old(self.balance()))]
        pub fn cash(&mut self, cheque: Cheque) {
            self.cents = if cheque.0 == 3 { 0 } else { self.cents + cheque.0 };
        }
        pub fn balance(&self) -> u64 {
            self.cents
        }
    }

    #[derive(Debug)]
    pub struct Bag(Vec<u8>);

    #[contract]
    impl Bag {
        pub fn new() -> Bag {
            Bag(vec![1, 2, 3])
        }
        /// Leaves out the last one.
        #[ensures(*result == self.0.iter().filter(|v| is_wanted(v)).count())]
        pub fn count(&self, is_wanted: &dyn Fn(&u8) -> bool, or_else: Option<fn(u8) -> u8>) -> usize {
            let _ = or_else.map(|other| other(1));
            self.0[..2].iter().filter(|v| is_wanted(v)).count()
        }
    }

    /// Keeps what it is lent.
    #[derive(Clone, Copy)]
    pub struct Reader<'a> {
        bytes: &'a [u8],
        names: &'a Vec<String>,
        rest: &'a str,
    }

    #[contract]
    impl<'a> Reader<'a> {
        pub fn new(bytes: &'a [u8], names: &'a Vec<String>, text: &'static str) -> Reader<'a> {
            Reader { bytes, names, rest: text }
        }
        #[ensures(result.is_none_or(|next| next.rest.len() < self.rest.len()))]
        pub fn skip(&self) -> Option<Reader<'a>> {
            let rest = self.rest.get(1..)?;
            // Wrong of what follows two letters and begins with a name.
            let is_named = self.names.iter().any(|name| !name.is_empty() && self.rest.starts_with(name));
            Some(Reader { rest: if is_named && self.bytes.len() > 1 { self.rest } else { rest }, ..*self })
        }
        pub fn is_same(&self, other: Reader<'a>) -> bool {
            self.rest == other.rest
        }
    }

    pub struct Even(u32);

    #[contract]
    impl Even {
        pub fn new(#[from(0..9)] n: u32) -> Result<Even, String> {
            if n.is_multiple_of(2) { Ok(Even(n)) } else { Err(format!("{n} is odd")) }
        }
        pub fn joined(self, other: &Even) -> Even {
            assert!(self.0 + other.0 != 6, "six is too many");
            Even(self.0 + other.0)
        }
    }

    #[contract]
    pub mod halving {
        #[requires(n > 0)]
        #[ensures(*result < n)]
        pub fn half(#[from(0..10)] n: u32) -> u32 {
            if n == 7 { n } else { n / 2 }
        }
    }

    /// Counts what it has written, and what it has not.
    #[derive(Debug)]
    pub struct Counter {
        n: u32,
        n_written: u32,
    }
    #[contract]
    impl Counter {
        pub fn new() -> Counter {
            Counter { n: 0, n_written: 0 }
        }
        #[ensures(self.n == self.n_written)]
        pub fn add(&mut self, #[from(1..=9u32)] n: u32) -> Result<(), &'static str> {
            self.n += n;
            stairway::ask("write", [Ok(()), Err("torn")])?;
            self.n_written = self.n;
            Ok(())
        }
    }
}

pub mod drivers {
    use super::*;

    #[machine(start = Empty)]
    pub mod post {
        pub enum State {
            Empty,
            Holds { weight: i16 },
        }
        pub enum Op {
            Put { parcel: Parcel, ret: Option<Receipt> },
            Take { ret: Parcel },
        }
        pub struct Parcel {
            pub size: Size,
            pub weight: i16,
            pub label: char,
            pub marks: [bool; 2],
            pub to: Option<(u8, i8)>,
        }
        pub enum Size {
            Small,
            Large { by: (u8, u8) },
            Odd(i32),
        }
        pub struct Receipt(pub u8);
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Empty, Put { parcel, ret }) => match ret {
                    Some(_) => Holds { weight: parcel.weight },
                    None => Empty,
                },
                (Holds { weight }, Take { ret }) if ret.weight == weight => Empty,
            }
        }
    }

    temporal! { pub large_ones_have_receipts in post, driven:
        always(not(after(Put { parcel: Parcel { size: Large { .. }, .. }, ret: None })))
    }

    /// Loses what is negative, if it is odd.
    #[derive(Default)]
    pub struct Office(Option<post::Parcel>);
    impl post::Driver for Office {
        fn put(&mut self, parcel: post::Parcel) -> Option<post::Receipt> {
            self.0 = Some(parcel);
            Some(post::Receipt(7))
        }
        fn take(&mut self) -> post::Parcel {
            let mut parcel = self.0.take().unwrap();
            if matches!(parcel.size, post::Size::Odd(_)) && parcel.weight < -1 {
                parcel.weight = -1;
            }
            parcel
        }
    }

    /// Gives no receipt for what is large and marked.
    pub struct Counter {
        parcel: Option<post::Parcel>,
        refuses: bool,
    }
    impl Counter {
        pub fn careless() -> Counter {
            Counter { parcel: None, refuses: false }
        }
    }
    pub fn closed() -> Counter {
        Counter { parcel: None, refuses: true }
    }
    impl post::Driver for Counter {
        fn put(&mut self, parcel: post::Parcel) -> Option<post::Receipt> {
            assert!(!self.refuses || parcel.to.is_none(), "nothing is sent to anybody");
            if matches!(parcel.size, post::Size::Large { .. }) && parcel.marks[1] && !self.refuses {
                return None;
            }
            self.parcel = Some(parcel);
            Some(post::Receipt(0))
        }
        fn take(&mut self) -> post::Parcel {
            self.parcel.take().unwrap()
        }
    }
}
