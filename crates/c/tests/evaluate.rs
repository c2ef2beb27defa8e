//! Contracts over the real machine: a program is built and loaded, its types come from its debug information, and its
//! functions are called between `enter` and `exit`.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stairway_c::build::{LinkedObject, Settings as BuildSettings, build};
use stairway_c::dwarf;
use stairway_c::evaluate::{Addresses, CallEntry, Evaluator, Stop, StopReason};
use stairway_c::machine::{FrameOpening, Machine, NoHooks, Prototype, Range, Settings};
use stairway_c::spec::position::{SourceMap, Span};
use stairway_c::spec::{CFunction, CVariable, Place, Program, SpecComment, read};

/// One object at a time.
static LOADED: Mutex<()> = Mutex::new(());

const QUEUE: &str = r"
#include <stdlib.h>
struct cell { int first; struct cell *next; };
struct queue { struct cell *front, *back; };
int n_pushed;
struct queue *empty(void) { struct queue *q = malloc(sizeof *q); q->front = q->back = 0; return q; }
void push(int x, struct queue *q) {
    struct cell *c = malloc(sizeof *c);
    c->first = x; c->next = 0;
    if (q->back) q->back->next = c; else q->front = c;
    q->back = c;
    n_pushed++;
}
void drop_one(struct queue *q) { struct cell *c = q->front; q->front = c->next; if (!q->front) q->back = 0; free(c); }
void push_wrong(int x, struct queue *q) { push(x + 1, q); n_pushed--; }
void forget(struct queue *q) { q->front = q->back = 0; }
int bits(struct { unsigned low : 3; int high : 5; float x; long double y; } *p) { return p->low + p->high; }
";

const SPECS: &str = "
datatype List { Nil {}, Cons { i32 Head, datatype List Tail } }
function [rec] (datatype List) snoc(datatype List l, i32 y) {
  match l { Nil {} => { Cons { Head: y, Tail: Nil {} } } Cons { Head: x, Tail: t } => { Cons { Head: x, Tail: snoc(t, y) } } }
}
function (datatype List) tail(datatype List l) { match l { Nil {} => { Nil {} } Cons { Head: _, Tail: t } => { t } } }
predicate [rec] (datatype List) Cells(pointer front, pointer back) {
  if (ptr_eq(front, back)) { take B = RW<struct cell>(back); assert(is_null(B.next)); return Cons { Head: B.first, Tail: Nil {} }; }
  else { take C = RW<struct cell>(front); assert(!is_null(C.next)); take R = Cells(C.next, back); return Cons { Head: C.first, Tail: R }; }
}
predicate (datatype List) Queue(pointer q) {
  take Q = RW<struct queue>(q);
  assert(is_null(Q.front) && is_null(Q.back) || !is_null(Q.front) && !is_null(Q.back));
  if (is_null(Q.front)) { return Nil {}; } else { take L = Cells(Q.front, Q.back); return L; }
}
spec empty(); requires true; ensures take Q = Queue(return); Q == Nil {};
spec push(i32 x, pointer q); accesses n_pushed; requires take Q = Queue(q); n_pushed < 1000000i32;
  ensures take R = Queue(q); R == snoc(Q, x); n_pushed == { n_pushed }%start + 1i32;
spec push_wrong(i32 x, pointer q); accesses n_pushed; requires take Q = Queue(q); ensures take R = Queue(q); R == snoc(Q, x);
spec drop_one(pointer q); requires take Q = Queue(q); Q != Nil {}; ensures take R = Queue(q); R == tail(Q);
spec forget(pointer q); requires take Q = Queue(q); ensures take R = Queue(q); R == Nil {};
";

struct Loaded {
    machine: Machine,
    evaluator: Evaluator,
    sources: SourceMap,
    program: dwarf::Program,
    _built: LinkedObject,
    _lock: MutexGuard<'static, ()>,
}

fn loaded() -> Loaded {
    let lock = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder");
    let file: PathBuf = folder.path().join("queue.c");
    std::fs::write(&file, QUEUE).expect("a file");
    let built = build(&[file], &BuildSettings::default()).expect("the program builds");
    let machine =
        Machine::load(&built.object, built.is_instrumented, Settings::default()).expect("the object loads");
    let mut program =
        dwarf::Program::read(&std::fs::read(&built.object).expect("an object")).expect("debug information");
    let variable = |name: &str, ty| CVariable { name: name.to_string(), ty };
    let functions: Vec<CFunction> = program
        .functions
        .iter()
        .map(|f| CFunction {
            name: f.name.clone(),
            parameters: f
                .parameters
                .iter()
                .zip(&f.signature.parameters)
                .map(|(n, ty)| variable(n, *ty))
                .collect(),
            returns: f.signature.returns,
        })
        .collect();
    let globals = program.globals.iter().map(|g| variable(&g.name, g.ty)).collect();
    let addresses = Addresses {
        globals: program.globals.iter().map(|g| g.address.map(|a| machine.address(a))).collect(),
        functions: program.functions.iter().map(|f| f.address.map(|a| machine.address(a))).collect(),
    };
    let named = Program { functions, globals, ..Program::default() };
    let mut sources = SourceMap::new();
    let file = sources.add("queue.c", SPECS);
    let comment = SpecComment { pieces: vec![Span::new(file, 0, SPECS.len() as u32)], place: Place::Top };
    let outcome = read(&sources, &[comment], &named, &mut program.types);
    let messages: Vec<String> = outcome.diagnostics.iter().map(|d| d.render(&sources, false)).collect();
    assert!(messages.is_empty(), "{}", messages.join("\n"));
    let evaluator = Evaluator::new(&outcome.specs, &named, &program.types, addresses);
    Loaded { machine, evaluator, sources, program, _built: built, _lock: lock }
}

/// How a checked call ended.
#[derive(Debug)]
enum Ended {
    Returned(u64),
    NotCallable(Box<Stop>),
    Violated(Box<Stop>),
    Leaked(Vec<Range>),
}

impl Loaded {
    fn call(&mut self, name: &str, arguments: &[&[u8]]) -> Ended {
        let contract = self.evaluator.contract(name).expect("a contract");
        let entered = match self.evaluator.enter(contract, arguments, &self.machine) {
            Ok(entered) => entered,
            Err(stop) => return Ended::NotCallable(stop),
        };
        let footprint = self.evaluator.footprint(&entered).ranges;
        assert_eq!(self.machine.begin_frame(footprint), Ok(FrameOpening::Yes));
        let result = self.run(name, arguments);
        self.leave(entered, &result)
    }

    fn run(&self, name: &str, arguments: &[&[u8]]) -> Vec<u8> {
        let signature =
            &self.program.functions.iter().find(|f| f.name == name).expect("a function").signature;
        let prototype = Rc::new(Prototype::new(&self.program.types, signature).expect("callable"));
        let mut bytes = vec![0; prototype.arguments_size()];
        for (k, argument) in arguments.iter().enumerate() {
            bytes[prototype.place(k)].copy_from_slice(argument);
        }
        let mut result = vec![0; prototype.result_size()];
        let entry = self.machine.entry_of(name).expect("a function");
        let function = self.machine.function(entry, prototype);
        self.machine.call(&function, &mut bytes, &mut result, &mut NoHooks).expect("it returns");
        result
    }

    fn leave(&mut self, entered: CallEntry, result: &[u8]) -> Ended {
        let outcome = self.evaluator.exit(entered, result, &self.machine);
        let mut leaks = Vec::new();
        if outcome.is_ok() {
            assert_eq!(self.machine.release(self.evaluator.returned().ranges), Ok(()));
        }
        self.machine.end_frame(&mut leaks);
        match outcome {
            Err(stop) => Ended::Violated(stop),
            Ok(()) if !leaks.is_empty() => Ended::Leaked(leaks),
            Ok(()) => Ended::Returned(result.try_into().map_or(0, u64::from_le_bytes)),
        }
    }

    fn empty(&mut self) -> u64 {
        match self.call("empty", &[]) {
            Ended::Returned(q) => q,
            other => panic!("{other:?}"),
        }
    }

    fn push(&mut self, x: i32, q: u64) -> Ended {
        self.call("push", &[&x.to_le_bytes(), &q.to_le_bytes()])
    }
}

#[test]
fn a_queue_keeps_its_contract_and_its_memory() {
    let mut loaded = loaded();
    let q = loaded.empty();
    for x in 0..20 {
        assert!(matches!(loaded.push(x, q), Ended::Returned(_)));
    }
    for _ in 0..20 {
        assert!(matches!(loaded.call("drop_one", &[&q.to_le_bytes()]), Ended::Returned(_)));
    }
    let Ended::NotCallable(stop) = loaded.call("drop_one", &[&q.to_le_bytes()]) else { panic!("callable") };
    assert_eq!(loaded.sources.slice(stop.clause), "Q != Nil {}");
    assert!(stop.is_discard() && stop.parts.iter().any(|part| part.value.to_string() == "[]"), "{stop:?}");
    let Ended::NotCallable(stop) = loaded.push(1, 0) else { panic!("callable") };
    assert!(matches!(stop.why, StopReason::NotLive(bytes) if bytes.address == 0), "{stop:?}");
    // `forget` says nothing wrong, and hands back less than it took.
    assert!(matches!(loaded.push(1, q), Ended::Returned(_)));
    let Ended::Leaked(leaks) = loaded.call("forget", &[&q.to_le_bytes()]) else { panic!("nothing leaked") };
    assert_eq!(leaks.iter().map(|r| r.size).sum::<u64>(), 16);
}

#[test]
fn a_violation_shows_both_lists() {
    let mut loaded = loaded();
    let q = loaded.empty();
    assert!(matches!(loaded.push(4, q), Ended::Returned(_)));
    let arguments: [&[u8]; 2] = [&7i32.to_le_bytes(), &q.to_le_bytes()];
    let Ended::Violated(stop) = loaded.call("push_wrong", &arguments) else { panic!("no violation") };
    assert_eq!((loaded.sources.slice(stop.clause), stop.why), ("R == snoc(Q, x)", StopReason::False));
    let parts: Vec<(&str, String)> =
        stop.parts.iter().map(|part| (loaded.sources.slice(part.span), part.value.to_string())).collect();
    let expected = [("R", "[4, 8]"), ("snoc(Q, x)", "[4, 7]"), ("Q", "[4]"), ("x", "7")];
    assert_eq!(parts, expected.map(|(part, value)| (part, value.to_string())));
}

#[test]
fn corrupted_memory_is_named() {
    let mut loaded = loaded();
    let q = loaded.empty();
    for x in 0..3 {
        assert!(matches!(loaded.push(x, q), Ended::Returned(_)));
    }
    let mut front = [0; 8];
    assert!(loaded.machine.read(q, &mut front));
    let front = u64::from_le_bytes(front);
    // A cycle: the first cell's next is itself.
    assert!(loaded.machine.write(front + 8, &front.to_le_bytes()));
    let Ended::NotCallable(stop) = loaded.push(1, q) else { panic!("callable") };
    assert!(matches!(stop.why, StopReason::Taken { .. }), "{stop:?}");
    let names: Vec<&str> = stop.within.iter().map(|w| w.name.as_str()).collect();
    assert_eq!(names, ["Queue", "Cells", "Cells"]);
    // Memory that was never written.
    loaded.machine.set_initialised(Range { address: front, size: 2 }, false);
    let Ended::NotCallable(stop) = loaded.push(1, q) else { panic!("callable") };
    // The machine may find the bytes written after all: it looks at them, and they do not hold noise.
    assert!(matches!(stop.why, StopReason::Uninitialised(_) | StopReason::Taken { .. }), "{stop:?}");
}

#[test]
fn odd_types_are_shown() {
    let mut loaded = loaded();
    let function = loaded.program.functions.iter().find(|f| f.name == "bits").expect("a function");
    let pointer = function.signature.parameters[0];
    let stairway_c::ctypes::CType::Pointer { to, .. } = loaded.program.types.get(pointer) else {
        panic!("a pointer")
    };
    let mut bytes = [0u8; 32];
    bytes[0] = 0b1110_1110;
    bytes[4..8].copy_from_slice(&(-0.5f32).to_le_bytes());
    // 1.0L: the mantissa's top bit, and the exponent's bias.
    bytes[23] = 0x80;
    bytes[24..26].copy_from_slice(&0x3fffu16.to_le_bytes());
    let text = loaded.evaluator.show_bytes(*to, &bytes);
    assert_eq!(text.to_string(), "{ low: 6, high: -3, x: -0.5, y: 1 }");
}

#[test]
#[ignore = "prints a measurement"]
fn pre_and_post_over_twenty_cells() {
    let mut loaded = loaded();
    let q = loaded.empty();
    for x in 0..20 {
        assert!(matches!(loaded.push(x, q), Ended::Returned(_)));
    }
    loaded.evaluator.set_explains(false);
    let contract = loaded.evaluator.contract("push").expect("a contract");
    let (x, q_bytes) = (20i32.to_le_bytes(), q.to_le_bytes());
    let arguments: [&[u8]; 2] = [&x, &q_bytes];
    let mut best = u128::MAX;
    // The post-state is made once; the pre-state is the same one, so `R == snoc(Q, x)` is compared to its end and fails there.
    for _ in 0..1000 {
        let n = 50;
        #[expect(clippy::disallowed_methods, reason = "a measurement")]
        let start = std::time::Instant::now();
        for _ in 0..n {
            let entered = loaded.evaluator.enter(contract, &arguments, &loaded.machine).expect("it holds");
            assert!(loaded.evaluator.exit(entered, &[], &loaded.machine).is_err());
        }
        best = best.min(start.elapsed().as_nanos() / n);
    }
    println!("machine: {best} ns for pre and post over 20 cells");
}
