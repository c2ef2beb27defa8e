//! A table of handles in which closing a duplicate frees the cell although another handle uses it.
//! Steps use the results of earlier ones: `Ref` here, the idiom of each tool elsewhere.

use super::probe::{Said, agree, begin};
use super::{MAX_STEPS, stairway};
use crate::measure::count_step;
use crate::peers;
use hegel::stateful::{Pool, pool};
use hegel::{TestCase, generators as gs};
use proptest::prelude::{BoxedStrategy, Just, Strategy, any as any_of, prop_oneof};
use proptest::sample::select;
use proptest::test_runner::Config;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};
use quickcheck::{Arbitrary, Gen};
use stairway::prelude::*;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug)]
struct Handle(usize);

/// How many handles use a cell, and what it holds.
struct Cell {
    n_users: u32,
    value: i32,
}

struct Table {
    cells: Vec<Cell>,
    free: Vec<usize>,
    handles: BTreeMap<usize, usize>,
    next: usize,
}

impl Table {
    fn new() -> Table {
        begin();
        Table { cells: Vec::new(), free: Vec::new(), handles: BTreeMap::new(), next: 100 }
    }

    fn add(&mut self, cell: usize) -> Handle {
        self.next += 7;
        self.handles.insert(self.next, cell);
        Handle(self.next)
    }

    fn open(&mut self) -> Handle {
        count_step();
        let fresh = Cell { n_users: 1, value: 0 };
        let cell = match self.free.pop() {
            Some(cell) => {
                self.cells[cell] = fresh;
                cell
            }
            None => {
                self.cells.push(fresh);
                self.cells.len() - 1
            }
        };
        self.add(cell)
    }

    fn dup(&mut self, handle: &Handle) -> Handle {
        count_step();
        let cell = self.handles[&handle.0];
        self.cells[cell].n_users += 1;
        self.add(cell)
    }

    fn write(&mut self, handle: &Handle, v: i32) {
        count_step();
        self.cells[self.handles[&handle.0]].value = v;
    }

    fn read(&self, handle: &Handle) -> i32 {
        count_step();
        self.cells[self.handles[&handle.0]].value
    }

    fn close(&mut self, handle: Handle) {
        count_step();
        let cell = self.handles.remove(&handle.0).expect("an open handle");
        let n_users = &mut self.cells[cell].n_users;
        *n_users = n_users.saturating_sub(1);
        // The bug: 1 is not 0.
        if *n_users <= 1 {
            self.free.push(cell);
        }
    }
}

// Stairway.

#[derive(Debug)]
struct Files {
    cells: Vec<i32>,
    cell_of: BTreeMap<Ref<Handle>, usize>,
}

#[model(system = Table)]
impl Files {
    #[start]
    fn new() -> (Files, Table) {
        (Files { cells: Vec::new(), cell_of: BTreeMap::new() }, Table::new())
    }

    #[op]
    fn open(&mut self, #[result] h: Ref<Handle>) {
        self.cell_of.insert(h, self.cells.len());
        self.cells.push(0);
    }

    #[op]
    fn dup(&mut self, h: Ref<Handle>, #[result] copy: Ref<Handle>) {
        self.cell_of.insert(copy, self.cell_of[&h]);
    }

    #[op]
    fn write(&mut self, h: Ref<Handle>, v: i32) {
        self.cells[self.cell_of[&h]] = v;
    }

    #[op]
    fn read(&self, h: Ref<Handle>) -> Said<i32> {
        Said(self.cells[self.cell_of[&h]])
    }

    #[op(consumes = h)]
    fn close(&mut self, h: Ref<Handle>) {
        self.cell_of.remove(&h);
    }
}

pub(super) fn with_stairway(n_cases: u64, seed: u64) {
    stairway(Files::checker(), n_cases, seed);
}

// The others: a handle is known by how many there were before it.

#[derive(Clone, Debug)]
enum Op {
    Open,
    Dup(usize),
    Write(usize, i32),
    Read(usize),
    Close(usize),
}

#[derive(Clone, Debug, Default)]
struct Opened {
    cells: Vec<i32>,
    cell_of: BTreeMap<usize, usize>,
    n_handles: usize,
    /// What the last step should have answered.
    expected: Option<i32>,
}

impl Opened {
    fn handles(&self) -> Vec<usize> {
        self.cell_of.keys().copied().collect()
    }

    fn is_possible(&self, op: &Op) -> bool {
        match op {
            Op::Open => true,
            Op::Dup(h) | Op::Write(h, _) | Op::Read(h) | Op::Close(h) => self.cell_of.contains_key(h),
        }
    }

    fn add(&mut self, cell: usize) {
        self.cell_of.insert(self.n_handles, cell);
        self.n_handles += 1;
    }

    fn perform(&mut self, op: &Op) {
        self.expected = None;
        match op {
            Op::Open => {
                self.cells.push(0);
                self.add(self.cells.len() - 1);
            }
            Op::Dup(h) => self.add(self.cell_of[h]),
            Op::Write(h, v) => self.cells[self.cell_of[h]] = *v,
            Op::Read(h) => self.expected = Some(self.cells[self.cell_of[h]]),
            Op::Close(h) => {
                self.cell_of.remove(h);
            }
        }
    }
}

/// A table and the handles it gave.
struct System {
    table: Table,
    given: Vec<Handle>,
}

impl System {
    fn new() -> System {
        System { table: Table::new(), given: Vec::new() }
    }

    fn perform(&mut self, op: &Op) -> Option<i32> {
        match op {
            Op::Open => self.given.push(self.table.open()),
            Op::Dup(h) => self.given.push(self.table.dup(&self.given[*h])),
            Op::Write(h, v) => self.table.write(&self.given[*h], *v),
            Op::Read(h) => return Some(self.table.read(&self.given[*h])),
            Op::Close(h) => self.table.close(self.given[*h]),
        }
        None
    }
}

/// A step before it is known which handles there are: it means one of those, by its remainder.
#[derive(Clone, Debug)]
struct Raw {
    kind: u8,
    handle: u8,
    value: i32,
}

impl Arbitrary for Raw {
    fn arbitrary(g: &mut Gen) -> Raw {
        Raw { kind: u8::arbitrary(g) % 5, handle: u8::arbitrary(g), value: i32::arbitrary(g) }
    }

    fn shrink(&self) -> Box<dyn Iterator<Item = Raw>> {
        let kind = self.kind;
        let smaller = (self.handle, self.value).shrink();
        Box::new(smaller.map(move |(handle, value)| Raw { kind, handle, value }))
    }
}

pub(super) fn with_quickcheck(n_cases: u64, seed: u64) {
    fn property(steps: Vec<Raw>) -> bool {
        let (mut model, mut system) = (Opened::default(), System::new());
        steps.iter().all(|step| {
            let handles = model.handles();
            let one = || handles[usize::from(step.handle) % handles.len()];
            let op = match step.kind {
                0 => Op::Open,
                _ if handles.is_empty() => return true,
                1 => Op::Dup(one()),
                2 => Op::Write(one(), step.value),
                3 => Op::Read(one()),
                _ => Op::Close(one()),
            };
            model.perform(&op);
            agree(&model.expected, &system.perform(&op))
        })
    }
    peers::quickcheck(n_cases, seed, MAX_STEPS + 1, property as fn(Vec<Raw>) -> bool);
}

impl ReferenceStateMachine for Opened {
    type State = Opened;
    type Transition = Op;

    fn init_state() -> BoxedStrategy<Opened> {
        Just(Opened::default()).boxed()
    }

    fn transitions(state: &Opened) -> BoxedStrategy<Op> {
        if state.cell_of.is_empty() {
            return Just(Op::Open).boxed();
        }
        let one = || select(state.handles());
        prop_oneof![
            Just(Op::Open),
            one().prop_map(Op::Dup),
            (one(), any_of::<i32>()).prop_map(|(h, v)| Op::Write(h, v)),
            one().prop_map(Op::Read),
            one().prop_map(Op::Close)
        ]
        .boxed()
    }

    fn preconditions(state: &Opened, op: &Op) -> bool {
        state.is_possible(op)
    }

    fn apply(mut state: Opened, op: &Op) -> Opened {
        state.perform(op);
        state
    }
}

impl StateMachineTest for System {
    type SystemUnderTest = System;
    type Reference = Opened;

    fn init_test(_: &Opened) -> System {
        System::new()
    }

    fn apply(mut system: System, reference: &Opened, op: Op) -> System {
        assert!(agree(&reference.expected, &system.perform(&op)));
        system
    }
}

pub(super) fn with_proptest(n_cases: u64, seed: u64) {
    let config = Config::default();
    let strategy = Opened::sequential_strategy(1..=MAX_STEPS);
    peers::proptest(n_cases, seed, &strategy, |(state, ops, seen)| {
        System::test_sequential(config.clone(), state, ops, seen);
        Ok(())
    });
}

struct Machine {
    model: Opened,
    system: System,
    open: Pool<usize>,
}

impl Machine {
    fn perform(&mut self, op: &Op) {
        self.model.perform(op);
        assert!(agree(&self.model.expected, &self.system.perform(op)));
    }
}

#[hegel::state_machine]
impl Machine {
    #[rule]
    fn open(&mut self, _tc: TestCase) {
        self.open.add(self.model.n_handles);
        self.perform(&Op::Open);
    }

    #[rule]
    fn dup(&mut self, tc: TestCase) {
        let h = *tc.draw(self.open.values_reusable());
        self.open.add(self.model.n_handles);
        self.perform(&Op::Dup(h));
    }

    #[rule]
    fn write(&mut self, tc: TestCase) {
        let h = *tc.draw(self.open.values_reusable());
        let v = tc.draw(gs::integers::<i32>());
        self.perform(&Op::Write(h, v));
    }

    #[rule]
    fn read(&mut self, tc: TestCase) {
        let h = *tc.draw(self.open.values_reusable());
        self.perform(&Op::Read(h));
    }

    #[rule]
    fn close(&mut self, tc: TestCase) {
        let h = tc.draw(self.open.values_consumed());
        self.perform(&Op::Close(h));
    }
}

pub(super) fn with_hegel(n_cases: u64, seed: u64) {
    peers::hegel(n_cases, seed, |tc| {
        let machine = Machine { model: Opened::default(), system: System::new(), open: pool(&tc) };
        hegel::stateful::machine(machine).steps(MAX_STEPS as i64).run(tc);
    });
}
