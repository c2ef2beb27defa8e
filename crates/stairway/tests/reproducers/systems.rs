// Systems with mistakes. Nothing in this file needs Stairway: the tests about a system alone are
// compiled with it and nothing else.

use std::collections::BTreeMap;

/// Says 0 when it is full.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ring {
    pub items: Vec<i32>,
    pub capacity: usize,
}

impl Ring {
    pub fn put(&mut self, v: i32) {
        self.push(v);
    }

    pub fn new(capacity: usize) -> Ring {
        Ring { items: Vec::new(), capacity }
    }

    pub fn push(&mut self, v: i32) -> bool {
        let fits = self.items.len() < self.capacity;
        if fits {
            self.items.push(v);
        }
        fits
    }

    pub fn pop(&mut self) -> Option<i32> {
        if self.items.is_empty() { None } else { Some(self.items.remove(0)) }
    }

    pub fn len(&self) -> usize {
        if self.items.len() == self.capacity { 0 } else { self.items.len() }
    }
}

/// Forgets the last text.
#[derive(Debug, Default)]
pub struct Words {
    words: Vec<String>,
}

impl Words {
    pub fn add(&mut self, word: &str) {
        self.words.push(word.to_string());
    }

    #[allow(clippy::ptr_arg)]
    pub fn add_owned(&mut self, word: String, again: &String) {
        self.words.push(word + again);
    }

    pub fn add_all(&mut self, letters: &[char]) {
        self.words.push(letters.iter().collect());
    }

    pub fn last(&self) -> Option<String> {
        if self.words.len() > 2 { None } else { self.words.last().cloned() }
    }
}

/// Forgets a row once a page is open and a certain word was noted.
#[derive(Debug, Default)]
pub struct Book {
    is_open: bool,
    is_noted: bool,
    rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug)]
pub struct Page;

impl Book {
    pub fn open(&mut self) -> Page {
        self.is_open = true;
        Page
    }

    pub fn note(&mut self, word: &str) {
        self.is_noted |= self.is_open && word == "&mut r1";
    }

    pub fn add(&mut self, row: &[String]) {
        self.rows.push(row.to_vec());
    }

    pub fn turn(&mut self, _: &Page) {}

    pub fn rows(&self) -> Vec<Vec<String>> {
        self.rows[usize::from(self.is_noted && self.rows.len() > 1)..].to_vec()
    }
}

/// Closing one handle closes its copy.
#[derive(Debug, Default)]
pub struct Table {
    next: usize,
    pub cells: BTreeMap<usize, i32>,
}

#[derive(Debug)]
pub struct Handle(pub usize);

#[derive(Clone, Debug)]
pub struct Name(pub usize);

impl Table {
    pub fn open(&mut self) -> Handle {
        self.next += 1;
        self.cells.insert(self.next, 0);
        Handle(self.next)
    }

    pub fn name(&self, handle: &Handle) -> Name {
        Name(handle.0)
    }

    pub fn write(&mut self, handle: &mut Handle, v: i32) {
        self.cells.insert(handle.0, v);
    }

    pub fn read(&self, name: Name, n: &i32) -> i32 {
        self.cells.get(&name.0).copied().unwrap_or(7) + n
    }

    pub fn close(&mut self, handle: Handle) {
        self.cells.remove(&handle.0);
    }
}

/// Forgets after the second time.
#[derive(Debug, Default)]
pub struct Wrapped<T>(Vec<T>);

impl<T: Clone> Wrapped<T> {
    pub fn set(&mut self, v: T) -> Option<T> {
        let last = self.0.last().cloned();
        self.0.push(v);
        if self.0.len() > 2 { None } else { last }
    }
}

/// Remembers `N` values, or says so.
pub struct Slots<const N: usize>(Vec<u8>);

impl<const N: usize> Slots<N> {
    pub fn of(first: u8) -> Slots<N> {
        Slots(vec![first])
    }

    pub fn put(&mut self, v: u8) -> bool {
        let has_room = self.0.len() <= N;
        self.0.push(v);
        has_room
    }
}

/// Panics at five.
#[derive(Default)]
pub struct Counter {
    pub n: u32,
}

impl Counter {
    pub fn add(&mut self, n: u32) {
        self.n += n;
        assert!(self.n < 5, "five is too many");
    }

    pub async fn get(&self) -> u32 {
        std::future::ready(self.n.min(3)).await
    }

    pub fn stop(&mut self) -> u32 {
        self.n / 2
    }

    pub fn roll(&mut self) -> u32 {
        self.n += 1;
        if self.n > 2 { 7 } else { self.n }
    }
}

/// What a test calls beside methods; counts to two.
pub fn count_up(counter: &mut Counter, by: u32) -> u32 {
    counter.n = (counter.n + by).min(2);
    counter.n
}

/// `front` is the last when there are three, and of four two are removed.
#[derive(Debug, Default)]
pub struct Queue {
    pub items: Vec<i32>,
}

impl Queue {
    pub fn add(&mut self, n: i32) {
        assert!(self.items.len() < 8, "eight is too many");
        self.items.push(n);
    }

    pub fn remove(&mut self) {
        if self.items.len() == 4 {
            self.items.remove(0);
        }
        self.items.remove(0);
    }

    pub fn front(&self) -> Option<i32> {
        if self.items.len() == 3 { self.items.last().copied() } else { self.items.first().copied() }
    }
}

/// Hands out pipes and crews. What is sent on the second pipe is one too large, and the last of a crew of three works
/// twice.
#[derive(Debug, Default)]
pub struct Yard {
    pipes: usize,
}

#[derive(Debug)]
pub struct Sender(std::rc::Rc<std::cell::Cell<u8>>, usize);

#[derive(Debug)]
pub struct Receiver(std::rc::Rc<std::cell::Cell<u8>>);

#[derive(Debug)]
pub struct Worker {
    works: u32,
    is_last_of_three: bool,
}

impl Yard {
    pub fn pipe(&mut self) -> (Sender, Receiver) {
        self.pipes += 1;
        let cell = std::rc::Rc::default();
        (Sender(std::rc::Rc::clone(&cell), self.pipes), Receiver(cell))
    }

    pub fn send(&mut self, to: &Sender, v: u8) {
        to.0.set(v.wrapping_add(u8::from(to.1 == 2)));
    }

    pub fn receive(&mut self, from: &Receiver) -> u8 {
        from.0.get()
    }

    pub fn hire(&mut self, n: u32) -> Option<(Vec<Worker>, u32)> {
        let crew = (1..=n).map(|k| Worker { works: 0, is_last_of_three: k == 3 && n == 3 });
        if n == 0 { None } else { Some((crew.collect(), n)) }
    }

    pub fn work(&mut self, worker: &mut Worker) -> u32 {
        worker.works += 1 + u32::from(worker.is_last_of_three);
        worker.works
    }
}

/// A ticket, which cannot be copied.
#[derive(Debug)]
pub struct Ticket(pub u32);

/// Hands tickets out, the one given back last first; the third is never handed out again.
#[derive(Debug, Default)]
pub struct Desk {
    pub free: Vec<u32>,
    pub next: u32,
}

impl Desk {
    pub fn take(&mut self) -> Option<Ticket> {
        let number = self.free.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next
        });
        (number < 9).then_some(Ticket(number))
    }
    pub fn give(&mut self, ticket: Ticket) {
        if ticket.0 != 3 {
            self.free.push(ticket.0);
        }
    }
    pub fn number(&self, ticket: &Ticket) -> u32 {
        ticket.0
    }
}
