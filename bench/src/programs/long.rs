//! Long programs: what a step costs in programs of up to 10,000 steps, and how long it takes to
//! shrink a failure among so many to its minimum.

use super::probe::{Found, Said, begin, observe};
use super::queue::{self, Bug};
use super::stairway_of;
use crate::findings::{Findings, Goal, Table};
use crate::measure::{Contender, count_step, race};
use crate::peers;
use stairway::prelude::*;
use std::time::Instant;

/// How much more a step may cost in a long program than in one of 100 steps.
const MOST_GROWTH: f64 = 1.5;
/// How long shrinking may take, in seconds.
const MOST_SECONDS: f64 = 10.0;
const N_SEEDS: u64 = 11;
const N_CASES: u64 = 1_000;
const LENGTHS: [(&str, u64); 3] = [("100", 100), ("1,000", 1_000), ("10,000", 10_000)];

pub(crate) fn run(findings: &mut Findings) {
    cost(findings);
    peers::panics_are_shown(false);
    shrinking(findings);
    peers::panics_are_shown(true);
}

// What a step costs.

fn cost(findings: &mut Findings) {
    queue::plant(Bug::None);
    let header = ["system", "steps of a program", "ns/step", "times that of 100"];
    let mut table = Table {
        title: "Cost of a step",
        about: "Time per step in programs of different length: of the queue above, and of a system whose \
                steps refer to the results of earlier ones, which pile up."
            .to_string(),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    let of_queue: [fn(u64, u64); 3] = [
        |n, seed| queue::with_steps(100, n, seed),
        |n, seed| queue::with_steps(1_000, n, seed),
        |n, seed| queue::with_steps(10_000, n, seed),
    ];
    let of_copies: [fn(u64, u64); 3] = [
        |n, seed| stairway_of(Copies::<0>::checker(), 100, n, seed),
        |n, seed| stairway_of(Copies::<0>::checker(), 1_000, n, seed),
        |n, seed| stairway_of(Copies::<0>::checker(), 10_000, n, seed),
    ];
    for (system, runs) in [("queue", of_queue), ("copies", of_copies)] {
        let contenders = [(4_000, 0), (400, 1), (40, 2)].map(|(n_cases, k)| Contender {
            tool: "stairway",
            n_cases,
            run: runs[k],
        });
        let reached = race(&contenders);
        for ((length, n), one) in LENGTHS.into_iter().zip(&reached) {
            let growth = reached[0].per_second / one.per_second;
            let ns = format!("{:.1}", 1e9 / one.per_second);
            table.rows.push(vec![system.to_string(), length.to_string(), ns, format!("{growth:.2}")]);
            if n > 100 {
                let name = format!("programs/long/{system}/{length}");
                findings.figure(name, growth, "times", Some(Goal::AtMost(MOST_GROWTH)));
            }
        }
    }
    findings.table(table);
}

// What shrinking takes.

struct Planted {
    name: &'static str,
    n_steps: u64,
    search: fn(u64, u64),
}

const PLANTED: [Planted; 3] = [
    Planted { name: "three steps", n_steps: 4, search: |n, seed| long(Locked::checker(), n, seed) },
    Planted { name: "200 pushes", n_steps: 201, search: |n, seed| long(Piled::checker(), n, seed) },
    Planted {
        name: "copies of copies",
        n_steps: 22,
        search: |n, seed| long(Copies::<20>::checker(), n, seed),
    },
];

fn long<M: stairway::Model>(checker: stairway::program::ModelChecker<M>, n_cases: u64, seed: u64) {
    stairway_of(checker, 10_000, n_cases, seed);
}

fn shrinking(findings: &mut Findings) {
    let header = ["bug", "seeds", "steps of the program", "shortest", "% shortest", "runs", "seconds"];
    let mut table = Table {
        title: "Shrinking long programs",
        about: "Programs of at most 10,000 steps. Medians: steps of the first program that fails, programs \
                executed after it; and the longest time that a seed takes, search included."
            .to_string(),
        header: header.iter().map(ToString::to_string).collect(),
        rows: Vec::new(),
    };
    for Planted { name, n_steps, search } in PLANTED {
        eprintln!("long programs: {name}");
        let (mut found, mut longest) = (Vec::new(), 0.0f64);
        for seed in 0..N_SEEDS {
            let start = Instant::now();
            found.extend(observe(|| search(N_CASES, seed)));
            longest = longest.max(start.elapsed().as_secs_f64());
        }
        let n_shortest = found.iter().filter(|found| found.length == n_steps).count();
        let percent = 100.0 * n_shortest as f64 / N_SEEDS as f64;
        let median = |of: fn(&Found) -> u64| {
            let mut all: Vec<u64> = found.iter().map(of).collect();
            all.sort_unstable();
            all.get(all.len() / 2).copied().unwrap_or(0)
        };
        let runs = median(|found| found.n_runs);
        table.rows.push(vec![
            name.to_string(),
            found.len().to_string(),
            median(|found| found.first_length).to_string(),
            n_steps.to_string(),
            format!("{percent:.0}"),
            runs.to_string(),
            format!("{longest:.2}"),
        ]);
        let figure = |what| format!("programs/long/{name}/{what}");
        findings.figure(figure("shortest"), percent, "percent", Some(Goal::AtLeast(100.0)));
        findings.figure(figure("runs"), runs as f64, "runs", None);
        findings.figure(figure("seconds"), longest, "seconds", Some(Goal::AtMost(MOST_SECONDS)));
    }
    findings.table(table);
}

// A lock that opens after three numbers, wherever they are.

const CODE: [u16; 3] = [313, 1777, 1414];

struct Lock(usize);

impl Lock {
    fn turn(&mut self, v: u16) {
        count_step();
        self.0 += usize::from(CODE.get(self.0) == Some(&v));
    }

    fn look(&self, _: i32) {
        count_step();
    }

    fn is_open(&self) -> bool {
        count_step();
        self.0 >= CODE.len()
    }
}

#[derive(Debug)]
struct Locked;

#[model(system = Lock)]
impl Locked {
    #[start]
    fn new() -> (Locked, Lock) {
        begin();
        (Locked, Lock(0))
    }

    #[op]
    fn look(&self, _n: i32) {}

    #[op]
    fn turn(&mut self, #[from(0..=2000u16)] _v: u16) {}

    #[op]
    fn is_open(&self) -> Said<bool> {
        Said(false)
    }
}

// A pile that has no more than 200, as is noticed in the end.

const HEIGHT: usize = 200;

struct Pile(Vec<i32>);

impl Pile {
    fn push(&mut self, v: i32) {
        count_step();
        self.0.push(v);
    }

    fn pop(&mut self) -> Option<i32> {
        count_step();
        self.0.pop()
    }

    fn peek(&self) -> Option<i32> {
        count_step();
        self.0.last().copied()
    }

    fn count(&self) -> usize {
        count_step();
        if self.0.len() < HEIGHT { self.0.len() } else { 0 }
    }
}

#[derive(Debug)]
struct Piled(Vec<i32>);

#[model(system = Pile)]
impl Piled {
    #[start]
    fn new() -> (Piled, Pile) {
        begin();
        (Piled(Vec::new()), Pile(Vec::new()))
    }

    #[op]
    fn push(&mut self, v: i32) {
        self.0.push(v);
    }

    #[op]
    fn pop(&mut self) -> Said<Option<i32>> {
        Said(self.0.pop())
    }

    #[op]
    fn peek(&self) -> Said<Option<i32>> {
        Said(self.0.last().copied())
    }

    #[cleanup]
    fn count(&mut self) -> Said<usize> {
        Said(self.0.len())
    }
}

// Copies of copies, of which the last generation is lost; 0 for none.

#[derive(Debug)]
struct Sheet(u32);

struct Copier {
    last: u32,
}

impl Copier {
    fn draw(&mut self) -> Sheet {
        count_step();
        Sheet(0)
    }

    fn copy(&mut self, sheet: &Sheet) -> Sheet {
        count_step();
        Sheet(sheet.0 + 1)
    }

    fn look(&self, sheet: &Sheet) -> u32 {
        count_step();
        u32::from(self.last > 0 && sheet.0 >= self.last)
    }

    fn burn(&mut self, sheet: Sheet) {
        count_step();
        std::hint::black_box(sheet.0);
    }
}

#[derive(Debug)]
struct Copies<const LAST: u32>;

#[model(system = Copier)]
impl<const LAST: u32> Copies<LAST> {
    #[start]
    fn new() -> (Self, Copier) {
        begin();
        (Copies, Copier { last: LAST })
    }

    #[op]
    fn draw(&mut self, #[result] _sheet: Ref<Sheet>) {}

    #[op]
    fn copy(&mut self, _sheet: Ref<Sheet>, #[result] _copy: Ref<Sheet>) {}

    #[op]
    fn look(&self, _sheet: Ref<Sheet>) -> Said<u32> {
        Said(0)
    }

    #[op(consumes = _sheet)]
    fn burn(&mut self, _sheet: Ref<Sheet>) {}
}
