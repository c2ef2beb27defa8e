//! How fast it is: `cargo test -p stairway-c --release --test machine measure -- --ignored --nocapture`.

use stairway_c::machine::{FrameOpening, NoHooks, Range};

use crate::support::{Returns, Value, program};

const QUEUE: &str = r"
#include <stdlib.h>
struct cell { int first; struct cell *next; };
struct queue { struct cell *front, *back; };
struct queue *empty(void) { struct queue *q = malloc(sizeof *q); q->front = q->back = 0; return q; }
void push(int x, struct queue *q) {
    struct cell *c = malloc(sizeof *c);
    c->first = x; c->next = 0;
    if (q->back == 0) { q->front = q->back = c; return; }
    q->back->next = c; q->back = c;
}
int pop(struct queue *q) {
    struct cell *h = q->front; int x = h->first;
    q->front = h->next; if (!q->front) q->back = 0;
    free(h);
    return x;
}
long nop(long a, long b) { return a + b; }
";

fn word(machine: &stairway_c::machine::Machine, address: u64) -> u64 {
    let mut bytes = [0; 8];
    assert!(machine.read(address, &mut bytes));
    u64::from_le_bytes(bytes)
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::disallowed_methods, reason = "a measurement needs the clock")]
fn calls_per_second() {
    let mut p = program(QUEUE);
    let (nop, mut nop_arguments) = p.function("nop", Returns::I64, &[Value::I64(1), Value::I64(2)]);
    let mut result = [0; 8];
    let start = std::time::Instant::now();
    let n = 3_000_000;
    for _ in 0..n {
        p.machine.call(&nop, &mut nop_arguments, &mut result, &mut NoHooks).expect("returns");
    }
    eprintln!("guarded calls of nop: {:.2} million/s", f64::from(n) / start.elapsed().as_secs_f64() / 1e6);

    let (empty, mut none) = p.function("empty", Returns::Pointer, &[]);
    let (push, push_arguments) = p.function("push", Returns::Void, &[Value::I32(1), Value::Pointer(0)]);
    let (pop, pop_arguments) = p.function("pop", Returns::I32, &[Value::Pointer(0)]);
    let start = std::time::Instant::now();
    let (mut calls, mut leaks, mut total) = (0u64, Vec::new(), 0u64);
    for sequence in 0..20_000u64 {
        p.machine.reset();
        p.machine.call(&empty, &mut none, &mut result, &mut NoHooks).expect("returns");
        let q = u64::from_le_bytes(result);
        let mut length = 0;
        for k in 0..100u64 {
            let footprint = footprint(&p.machine, q);
            total += footprint.len() as u64;
            assert_eq!(p.machine.begin_frame(&footprint), Ok(FrameOpening::Yes));
            if length < 1 + (k ^ sequence) % 3 {
                let mut arguments = push_arguments.clone();
                arguments[push.prototype().place(1)].copy_from_slice(&q.to_le_bytes());
                p.machine.call(&push, &mut arguments, &mut result, &mut NoHooks).expect("returns");
                length += 1;
            } else {
                let mut arguments = pop_arguments.clone();
                arguments[pop.prototype().place(0)].copy_from_slice(&q.to_le_bytes());
                p.machine.call(&pop, &mut arguments, &mut result, &mut NoHooks).expect("returns");
                length -= 1;
            }
            let footprint = self::footprint(&p.machine, q);
            p.machine.release(&footprint).expect("handed back");
            p.machine.end_frame(&mut leaks);
            calls += 1;
        }
    }
    assert_eq!(leaks, []);
    let seconds = start.elapsed().as_secs_f64();
    eprintln!(
        "queue with frames: {:.2} million calls/s, mean footprint {:.1}",
        calls as f64 / seconds / 1e6,
        total as f64 / calls as f64
    );
    let start = std::time::Instant::now();
    for _ in 0..1_000_000 {
        p.machine.reset();
    }
    eprintln!("reset: {:.0} ns", start.elapsed().as_secs_f64() * 1e3);
}

/// The queue and its cells, read as a contract would.
fn footprint(machine: &stairway_c::machine::Machine, q: u64) -> Vec<Range> {
    let mut ranges = vec![Range { address: q, size: 16 }];
    let mut cell = word(machine, q);
    while cell != 0 {
        ranges.push(Range { address: cell, size: 16 });
        cell = word(machine, cell + 8);
    }
    ranges
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::disallowed_methods, reason = "a measurement needs the clock")]
fn nested_calls_per_second() {
    let mut p = program(
        "long inner(long x) { return x + 1; } long outer(long n) { long s = 0; for (long i = 0; i < n; i++) s = inner(s); return s; }",
    );
    let (outer, mut arguments) = p.function("outer", Returns::I64, &[Value::I64(100)]);
    let mut result = [0; 8];
    for is_intercepted in [false, true] {
        if is_intercepted {
            let (prototype, _) = p.prototype(Returns::I64, &[Value::I64(0)]);
            let address = p.machine.interception_point("inner").expect("there");
            p.machine.intercept(address, &prototype, 0).expect("padded");
        }
        let start = std::time::Instant::now();
        for _ in 0..10_000 {
            p.machine.call(&outer, &mut arguments, &mut result, &mut NoHooks).expect("returns");
        }
        let rate = 1.0 / start.elapsed().as_secs_f64();
        eprintln!("nested calls, intercepted {is_intercepted}: {rate:.2} million/s");
    }
}

#[test]
#[ignore = "a measurement"]
#[allow(clippy::disallowed_methods, reason = "a measurement needs the clock")]
fn build_and_load() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("q.c");
    // About two hundred lines: the queue ten times, each time with other names.
    let body = QUEUE.replacen("#include <stdlib.h>", "", 1);
    let names = ["cell", "queue", "empty", "push", "pop", "nop"];
    let copy = |k: usize| {
        names
            .iter()
            .fold(body.clone(), |text, name| text.replace(&format!("{name}("), &format!("{name}{k}(")))
    };
    let records =
        "struct cell { int first; struct cell *next; };\nstruct queue { struct cell *front, *back; };";
    let copies: String = (0..10).map(|k| copy(k).replace(records, "")).collect();
    std::fs::write(&file, format!("#include <stdlib.h>\n{records}\n{copies}")).expect("a file");
    let start = std::time::Instant::now();
    let built = stairway_c::build::build(&[file], &stairway_c::build::Settings::default()).expect("builds");
    eprintln!("build: {:?}", start.elapsed());
    drop(program("int x;"));
    let start = std::time::Instant::now();
    let machine =
        stairway_c::machine::Machine::load(&built.object, true, stairway_c::machine::Settings::default());
    eprintln!("load: {:?}", start.elapsed());
    machine.expect("loads");
}
