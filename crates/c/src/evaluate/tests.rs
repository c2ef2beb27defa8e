//! Small specs over a fake memory: what is taken, what holds, what stops and why.

mod conditions;
mod hinting;
mod measure;
mod ownership;
mod sites;

use std::cell::{Cell, RefCell};

use super::{Addresses, Evaluator, Limits, Memory, NoReturn, Stop, StopReason};
use crate::ctypes::{CType, CTypes, Enumeration, Member, Tag, TypeId};
use crate::machine::{Range, Violation};
use crate::spec::checked::{CFunctionId, Specs};
use crate::spec::position::{SourceMap, Span};
use crate::spec::{CFunction, CVariable, Place, Program, Site, SpecComment, read};

/// Where the fake memory begins.
const START: u64 = 0x1000;

/// Bytes, and which of them exist and were written. Blocks are never adjacent.
#[derive(Default)]
struct Fake {
    bytes: RefCell<Vec<u8>>,
    live: RefCell<Vec<bool>>,
    init: RefCell<Vec<bool>>,
    n_calls: Cell<usize>,
}

impl Fake {
    fn allocate(&self, size: u64) -> u64 {
        let at = self.bytes.borrow().len().next_multiple_of(16);
        let end = at + size as usize;
        self.bytes.borrow_mut().resize(end + 1, 0xaa);
        self.live.borrow_mut().resize(end + 1, false);
        self.init.borrow_mut().resize(end + 1, false);
        self.live.borrow_mut()[at..end].fill(true);
        START + at as u64
    }

    fn write(&self, address: u64, bytes: &[u8]) {
        let at = (address - START) as usize;
        self.bytes.borrow_mut()[at..at + bytes.len()].copy_from_slice(bytes);
        self.init.borrow_mut()[at..at + bytes.len()].fill(true);
    }

    fn free(&self, address: u64, size: u64) {
        let at = (address - START) as usize;
        self.live.borrow_mut()[at..at + size as usize].fill(false);
    }

    /// A block with bytes in it.
    fn block(&self, bytes: &[u8]) -> u64 {
        let address = self.allocate(bytes.len() as u64);
        self.write(address, bytes);
        address
    }

    fn ints(&self, values: &[i32]) -> u64 {
        self.block(&values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// A node, whose padding is never written.
    fn node(&self, v: i32, next: u64) -> u64 {
        let address = self.allocate(16);
        self.write(address, &v.to_le_bytes());
        self.write(address + 8, &next.to_le_bytes());
        address
    }

    fn list(&self, values: &[i32]) -> u64 {
        values.iter().rev().fold(0, |next, v| self.node(*v, next))
    }

    fn all(&self, of: &RefCell<Vec<bool>>, range: Range) -> bool {
        let Some(at) = range.address.checked_sub(START) else { return false };
        let of = of.borrow();
        let end = at.checked_add(range.size).filter(|end| *end <= of.len() as u64);
        end.is_some_and(|end| of[at as usize..end as usize].iter().all(|b| *b))
    }
}

impl Memory for Fake {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        let range = Range { address, size: bytes.len() as u64 };
        let is_live = self.all(&self.live, range);
        if is_live {
            let at = (address - START) as usize;
            bytes.copy_from_slice(&self.bytes.borrow()[at..at + bytes.len()]);
        }
        is_live
    }

    fn is_live(&self, range: Range) -> bool {
        self.all(&self.live, range)
    }

    fn is_initialised(&self, range: Range) -> bool {
        self.all(&self.init, range)
    }

    fn name(&self, address: u64) -> Option<String> {
        (address == START).then(|| "first".to_string())
    }

    /// `twice`
    fn call(&self, _: CFunctionId, arguments: &[&[u8]], result: &mut [u8]) -> Result<(), NoReturn> {
        self.n_calls.set(self.n_calls.get() + 1);
        let x = i32::from_le_bytes(arguments[0].try_into().map_err(|_| NoReturn::Unknown)?);
        let twice = x.checked_mul(2).ok_or(NoReturn::Violation(Violation::Abort { pc: None }))?;
        result.copy_from_slice(&twice.to_le_bytes());
        Ok(())
    }
}

/// A program to write specs about:
///
/// ```c
/// struct node { int v; struct node *next; };
/// union either { int i; double d; };
/// struct mixed { char tag; _Bool ok; int a[3]; union either u; unsigned low : 3; int high : 5; float x; struct node n; };
/// enum color { RED, GREEN = 5 };
/// int counter; int table[10];
/// int f(int x, unsigned n, struct node *p, int *a, enum color k, struct mixed *m, int y);
/// int twice(int x);
/// ```
fn program() -> (Program, CTypes) {
    let mut c = CTypes::default();
    let integer = |size, is_signed, name: &str| CType::Integer { size, is_signed, name: name.to_string() };
    let int = c.add(integer(4, true, "int"));
    let unsigned = c.add(integer(4, false, "unsigned int"));
    let (char, bool) = (c.add(CType::Char), c.add(CType::Bool));
    let float = c.add(CType::Float { size: 4, name: "float".to_string() });
    let double = c.add(CType::Float { size: 8, name: "double".to_string() });
    let record = |c: &mut CTypes, name: &str, is_union, size, members: Vec<(&str, TypeId, u64)>| {
        crate::testing::record(c, name, is_union, Some(size), &members)
    };
    let (node_id, node) = record(&mut c, "node", false, 16, vec![("v", int, 0)]);
    let to_node = c.add(CType::Pointer { to: node, is_const: false });
    let next = Member { name: "next".to_string(), ty: to_node, offset: 8, bits: None };
    c.record_mut(node_id).members.push(next);
    let three = c.add(CType::Array { of: int, len: Some(3) });
    let ten = c.add(CType::Array { of: int, len: Some(10) });
    let (_, either) = record(&mut c, "either", true, 8, vec![("i", int, 0), ("d", double, 0)]);
    let members = vec![
        ("tag", char, 0),
        ("ok", bool, 1),
        ("a", three, 4),
        ("u", either, 16),
        ("low", unsigned, 24),
        ("high", int, 24),
        ("x", float, 28),
        ("n", node, 32),
    ];
    let (mixed_id, mixed) = record(&mut c, "mixed", false, 48, members);
    c.record_mut(mixed_id).members[4].bits = Some((192, 3));
    c.record_mut(mixed_id).members[5].bits = Some((195, 5));
    let constants = vec![("RED".to_string(), 0), ("GREEN".to_string(), 5)];
    let color = c.add_enum(Enumeration { name: "color".to_string(), size: 4, is_signed: false, constants });
    let color = c.add(CType::Enum(color));
    c.tags.insert(Tag::Enum("color".to_string()), color);
    let to_int = c.add(CType::Pointer { to: int, is_const: false });
    let to_mixed = c.add(CType::Pointer { to: mixed, is_const: false });

    let variable = |(name, ty): (&str, TypeId)| CVariable { name: name.to_string(), ty };
    let function = |name: &str, parameters: Vec<(&str, TypeId)>, returns| CFunction {
        name: name.to_string(),
        parameters: parameters.into_iter().map(variable).collect(),
        returns,
    };
    let of_f = vec![
        ("x", int),
        ("n", unsigned),
        ("p", to_node),
        ("a", to_int),
        ("k", color),
        ("m", to_mixed),
        ("y", int),
    ];
    let mut scope: Vec<CVariable> = of_f.iter().copied().map(variable).collect();
    scope.extend([("i", int), ("cell", node)].map(variable));
    let program = Program {
        functions: vec![function("f", of_f, int), function("twice", vec![("x", int)], int)],
        globals: [("counter", int), ("table", ten)].map(variable).to_vec(),
        scopes: [(Site(0), scope)].into(),
        ..Program::default()
    };
    (program, c)
}

const LISTS: &str = "datatype List { Nil {}, Cons { i32 Head, datatype List Tail } }
function [rec] (datatype List) snoc(datatype List l, i32 y) {
  match l { Nil {} => { Cons { Head: y, Tail: Nil {} } } Cons { Head: x, Tail: t } => { Cons { Head: x, Tail: snoc(t, y) } } }
}
function [rec] (u64) length(datatype List l) {
  match l { Nil {} => { 0u64 } Cons { Head: x, Tail: t } => { 1u64 + length(t) } }
}
predicate [rec] (datatype List) Chain(pointer p) {
  if (is_null(p)) { return Nil {}; }
  else { take N = RW<struct node>(p); take T = Chain(N.next); return Cons { Head: N.v, Tail: T }; }
}
predicate (datatype List) HandedOn(pointer p) { take L = Chain(p); return L; }";

/// Specs with all that is needed to run them.
struct Bench {
    specs: Specs,
    sources: SourceMap,
    evaluator: Evaluator,
    memory: Fake,
}

/// The arguments of `f`.
#[derive(Clone, Copy, Default)]
struct Arguments {
    x: i32,
    n: u32,
    p: u64,
    a: u64,
    k: u32,
    m: u64,
    y: i32,
}

fn bench_of(comments: &[(Place, &str)]) -> Bench {
    let mut text = String::new();
    let mut ranges = Vec::new();
    let all: Vec<(Place, &str)> = [(Place::Top, LISTS)].into_iter().chain(comments.iter().cloned()).collect();
    for (_, comment) in &all {
        text.push_str("/*@ ");
        let start = text.len() as u32;
        text.push_str(comment);
        ranges.push((start, text.len() as u32));
        text.push_str(" @*/\n");
    }
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let list: Vec<SpecComment> = all
        .iter()
        .zip(ranges)
        .map(|((place, _), (start, end))| SpecComment {
            pieces: vec![Span::new(file, start, end)],
            place: place.clone(),
        })
        .collect();
    let (program, mut ctypes) = program();
    let outcome = read(&sources, &list, &program, &mut ctypes);
    let messages: Vec<String> = outcome.diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    assert!(outcome.n_errors == 0, "{}", messages.join("\n"));
    let memory = Fake::default();
    let counter = memory.ints(&[7]);
    let table = memory.ints(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let addresses = Addresses {
        globals: vec![Some(counter), Some(table)],
        functions: vec![Some(0x400_000), Some(0x400_100)],
    };
    let evaluator = Evaluator::new(&outcome.specs, &program, &ctypes, addresses);
    Bench { specs: outcome.specs, sources, evaluator, memory }
}

/// A contract of `f`, and definitions for it.
fn bench_with(definitions: &str, contract: &str) -> Bench {
    bench_of(&[(Place::Top, definitions), (Place::Contract { function: "f".to_string() }, contract)])
}

fn bench(contract: &str) -> Bench {
    bench_with("", contract)
}

impl Bench {
    fn enter(&mut self, arguments: Arguments) -> Result<super::CallEntry, Box<Stop>> {
        let Arguments { x, n, p, a, k, m, y } = arguments;
        let bytes: [&[u8]; 7] = [
            &x.to_le_bytes(),
            &n.to_le_bytes(),
            &p.to_le_bytes(),
            &a.to_le_bytes(),
            &k.to_le_bytes(),
            &m.to_le_bytes(),
            &y.to_le_bytes(),
        ];
        let contract = self.evaluator.contract("f").expect("a contract");
        self.evaluator.enter(contract, &bytes, &self.memory)
    }

    /// Enters and leaves.
    fn try_enter(&mut self, arguments: Arguments) -> Result<(), Box<Stop>> {
        let entered = self.enter(arguments)?;
        self.evaluator.leave(entered);
        Ok(())
    }

    fn exit(&mut self, entered: super::CallEntry, result: i32) -> Result<(), Box<Stop>> {
        self.evaluator.exit(entered, &result.to_le_bytes(), &self.memory)
    }

    /// What the user reads: the clause, the place, the reason, the chain, the parts.
    fn text(&self, stop: &Stop) -> String {
        let part = |span: Span| self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let mut lines = vec![format!("{:?} `{}`", stop.blame, part(stop.clause))];
        if stop.place != stop.clause {
            lines.push(format!("at `{}`", part(stop.place)));
        }
        lines.push(stop.why.to_string());
        if let StopReason::Taken { by, in_clause, .. } = stop.why {
            lines.push(format!("by `{}` in `{}`", part(by), part(in_clause)));
        }
        for within in &stop.within {
            let arguments: Vec<String> = within.arguments.iter().map(|(n, v)| format!("{n} = {v}")).collect();
            lines.push(format!("in {}({}) from `{}`", within.name, arguments.join(", "), part(within.call)));
        }
        if stop.n_within_left_out > 0 {
            lines.push(format!("and {} more", stop.n_within_left_out));
        }
        lines.extend(stop.parts.iter().map(|p| format!("`{}` is {p}", part(p.span))));
        lines.join("\n")
    }
}

/// Conditions on the arguments, each of which must hold.
fn all_hold(definitions: &str, arguments: Arguments, conditions: &[&str]) {
    for condition in conditions {
        let mut bench = bench_with(definitions, &format!("requires {condition};"));
        if let Err(stop) = bench.try_enter(arguments) {
            panic!("{condition}\n{}", bench.text(&stop));
        }
        // And what is negated does not.
        let mut bench = bench_with(definitions, &format!("requires !({condition});"));
        let stop = bench.try_enter(arguments).expect_err(condition);
        assert_eq!(stop.why, StopReason::False, "!({condition})\n{}", bench.text(&stop));
    }
}

/// The report of a `requires` that stops.
fn stops(definitions: &str, arguments: Arguments, requires: &str) -> String {
    let mut bench = bench_with(definitions, &format!("requires {requires};"));
    bench.evaluator.set_limits(Limits { depth: 10_000, n_steps: 300_000, ..Limits::default() });
    let stop = bench.try_enter(arguments).expect_err(requires);
    bench.text(&stop)
}
