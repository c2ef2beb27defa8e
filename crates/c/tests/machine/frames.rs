//! Ownership: what a frame may touch, what it hands back, and nested calls with hooks.

use std::rc::Rc;

use stairway_c::machine::{
    ByteState, Flow, FrameOpening, Hooks, Machine, NestedCall, NoHooks, Probe, Range, Violation,
};

use crate::support::{Returns, Value, i32_of, program};

const CELLS: &str = r"
#include <stdlib.h>
struct cell { int value; struct cell *next; };
int total; int budget = 10;
struct cell *make(int value) { struct cell *c = malloc(sizeof *c); c->value = value; c->next = 0; return c; }
int get(struct cell *c) { return c->value; }
int get_next(struct cell *c) { return c->next->value; }
void drop(struct cell *c) { free(c); }
int count(int by) { total += by; return total; }
static int twice(int *p) { *p *= 2; return *p; }
int by_pointer(int x) { int y = x, z = 5; twice(&y); return y + z; }
int steal(int *p) { return p[-1] + p[0] + p[1]; }
int around(int x) { int a[3] = { 1, x, 3 }; return steal(&a[1]); }
int (*pick(void))(int *) { return twice; }
int indirect(int x) { int y = x; return pick()(&y); }
int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
";

fn cell(machine: &Machine, address: u64) -> Range {
    assert!(machine.is_live(Range { address, size: 16 }));
    Range { address, size: 16 }
}

#[test]
fn a_frame_touches_its_footprint_only() {
    let mut p = program(CELLS);
    let a = p.pointer("make", &[Value::I32(1)]).expect("returns");
    let b = p.pointer("make", &[Value::I32(2)]).expect("returns");
    let (of_a, of_b) = (cell(&p.machine, a), cell(&p.machine, b));
    assert!(p.machine.write(a + 8, &b.to_le_bytes()));

    // Without a frame, every live byte may be touched.
    assert_eq!(p.call("get_next", Returns::I32, &[Value::Pointer(a)]).map(|r| i32_of(&r)), Ok(2));

    assert_eq!(p.machine.begin_frame(&[of_a]), Ok(FrameOpening::Yes));
    assert_eq!(p.call("get", Returns::I32, &[Value::Pointer(a)]).map(|r| i32_of(&r)), Ok(1));
    let end = p.call("get_next", Returns::I32, &[Value::Pointer(a)]).expect_err("b is not handed over");
    assert!(matches!(end, Violation::Access { what: ByteState::Unowned { offset: 0, .. }, .. }), "{end:?}");
    let end = p.call("drop", Returns::Void, &[Value::Pointer(b)]).expect_err("not its own");
    assert!(matches!(end, Violation::BadFree { what: ByteState::Unowned { .. }, .. }), "{end:?}");
    assert_eq!(p.machine.release(&[of_a]), Ok(()));
    let mut leaks = Vec::new();
    p.machine.end_frame(&mut leaks);
    assert_eq!(leaks, []);

    // Both together: all right. Overlapping: not.
    assert_eq!(p.machine.begin_frame(&[of_a, of_b]), Ok(FrameOpening::Yes));
    assert_eq!(p.call("get_next", Returns::I32, &[Value::Pointer(a)]).map(|r| i32_of(&r)), Ok(2));
    p.machine.reset();
}

#[test]
fn overlaps_freed_memory_and_leaks_are_told() {
    let mut p = program(CELLS);
    let a = p.pointer("make", &[Value::I32(1)]).expect("returns");
    let of_a = cell(&p.machine, a);
    let half = Range { address: a + 8, size: 8 };
    let refused = p.machine.begin_frame(&[of_a, half]).expect_err("overlap");
    assert_eq!((refused.index, refused.address), (1, a + 8));
    assert_eq!(p.machine.depth(), 0);

    // A frame that frees what it got and allocates anew: the new block is what it has to hand back.
    assert_eq!(p.machine.begin_frame(&[of_a]), Ok(FrameOpening::Yes));
    p.call("drop", Returns::Void, &[Value::Pointer(a)]).expect("its own");
    let b = p.pointer("make", &[Value::I32(2)]).expect("returns");
    let refused = p.machine.release(&[of_a]).expect_err("freed");
    assert!(matches!(refused.what, ByteState::Freed { .. }));
    let mut leaks = Vec::new();
    p.machine.end_frame(&mut leaks);
    assert_eq!(leaks, [Range { address: b, size: 16 }]);

    // Parts count byte for byte.
    assert_eq!(p.machine.begin_frame(&[Range { address: b, size: 16 }]), Ok(FrameOpening::Yes));
    assert_eq!(p.machine.release(&[Range { address: b, size: 8 }]), Ok(()));
    leaks.clear();
    p.machine.end_frame(&mut leaks);
    assert_eq!(leaks, [Range { address: b + 8, size: 8 }]);
}

#[test]
fn variables_can_be_private() {
    let mut p = program(CELLS);
    let total = p.machine.symbol("total").expect("there").clone();
    let of_total = Range { address: total.address, size: total.size };
    assert_eq!(p.machine.begin_frame(&[]), Ok(FrameOpening::Yes));
    assert_eq!(p.int("count", &[1]), Ok(1));
    p.machine.end_frame(&mut Vec::new());
    p.machine.set_public(of_total, false);
    assert_eq!(p.machine.begin_frame(&[]), Ok(FrameOpening::Yes));
    let end = p.int("count", &[1]).expect_err("no access");
    assert!(
        matches!(&end, Violation::Access { what: ByteState::Global { name: Some(n) }, .. } if n == "total"),
        "{end:?}"
    );
    p.machine.end_frame(&mut Vec::new());
    assert_eq!(p.machine.begin_frame(&[of_total]), Ok(FrameOpening::Yes));
    assert_eq!(p.int("count", &[1]), Ok(2));
    assert_eq!(p.machine.release(&[of_total]), Ok(()));
    p.machine.end_frame(&mut Vec::new());
    p.machine.reset();
    assert_eq!(p.int("count", &[1]), Ok(1));
}

/// Opens a frame with the four bytes the argument points to, and records what it sees.
#[derive(Default)]
struct Contract {
    seen: Vec<(u64, u64, i32)>,
    stop_after: bool,
    leaks: Vec<Range>,
}

fn pointee(call: &NestedCall<'_>) -> Range {
    let address = u64::from_le_bytes(call.argument(0).try_into().expect("a pointer"));
    Range { address, size: 4 }
}

impl Hooks for Contract {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        let range = pointee(call);
        let mut value = [0; 4];
        assert!(machine.read(range.address, &mut value));
        self.seen.push((call.id, call.level, i32::from_le_bytes(value)));
        assert_eq!(machine.begin_frame(&[range]), Ok(FrameOpening::Yes));
        Flow::GoOn
    }

    fn after(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        machine.release(&[pointee(call)]).expect("still there");
        machine.end_frame(&mut self.leaks);
        self.seen.push((call.id, call.level, i32_of(call.result())));
        if self.stop_after { Flow::Stop } else { Flow::GoOn }
    }
}

fn intercept(p: &mut crate::support::Program, name: &str, returns: Returns, arguments: &[Value], id: u64) {
    let (prototype, _) = p.prototype(returns, arguments);
    let address = p.machine.interception_point(name).expect("there");
    p.machine.intercept(address, &prototype, id).expect("padded");
}

/// A hook with a bug of ours in it.
struct Broken;

impl Hooks for Broken {
    fn before(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        panic!("a bug in a hook");
    }

    fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        Flow::GoOn
    }
}

/// Unwinding through frames of C would end the process, and look like an abort of the code under test.
#[test]
fn a_panic_in_a_hook_goes_on_where_the_call_was_made() {
    let mut p = program("int inner(int x) { return x + 1; } int outer(int x) { return inner(x) + 1; }");
    intercept(&mut p, "inner", Returns::I32, &[Value::I32(0)], 1);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        p.call_hooked("outer", Returns::I32, &[Value::I32(1)], &mut Broken)
    }));
    let payload = panicked.expect_err("the panic is passed on");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"a bug in a hook"));
    // Nothing is left of it.
    let result = p.call_hooked("outer", Returns::I32, &[Value::I32(1)], &mut NoHooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(3));
}

#[test]
fn nested_calls_are_seen_with_arguments_and_results() {
    let mut p = program(CELLS);
    intercept(&mut p, "twice", Returns::I32, &[Value::Pointer(0)], 7);
    let mut hooks = Contract::default();
    let result = p.call_hooked("by_pointer", Returns::I32, &[Value::I32(4)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(13));
    assert_eq!(hooks.seen, [(7, 1, 4), (7, 1, 8)]);
    // Through a function pointer, too.
    let result = p.call_hooked("indirect", Returns::I32, &[Value::I32(3)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(6));
    assert_eq!(hooks.seen.len(), 4);
    // Calls from Rust are not nested.
    let slot = p.machine.slot(4, 4).expect("room");
    assert!(p.machine.write(slot, &5i32.to_le_bytes()));
    let result = p.call_hooked("twice", Returns::I32, &[Value::Pointer(slot)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(10));
    assert_eq!(hooks.seen.len(), 4);
}

#[test]
fn a_nested_frame_guards_the_callers_locals() {
    let mut p = program(CELLS);
    intercept(&mut p, "steal", Returns::I32, &[Value::Pointer(0)], 1);
    let end = p.call_hooked("around", Returns::I32, &[Value::I32(4)], &mut Contract::default());
    assert!(matches!(end, Err(Violation::Access { what: ByteState::CallerStack, .. })), "{end:?}");
    assert_eq!(p.machine.depth(), 0);
    // Without a frame they are anybody's.
    assert_eq!(p.int("around", &[4]), Ok(8));
}

#[test]
fn a_hook_can_stop_and_can_answer() {
    struct Answer;
    impl Hooks for Answer {
        fn before(&mut self, _: &Machine, call: &mut NestedCall<'_>) -> Flow {
            call.set_result(&99i32.to_le_bytes());
            Flow::Skip
        }
        fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
            panic!("the function was not called")
        }
    }
    let mut p = program(&format!("{CELLS}\nint gone(int); int ask(int x) {{ return gone(x) + 1; }}"));
    intercept(&mut p, "twice", Returns::I32, &[Value::Pointer(0)], 7);
    let mut hooks = Contract { stop_after: true, ..Contract::default() };
    let end = p.call_hooked("by_pointer", Returns::I32, &[Value::I32(4)], &mut hooks);
    assert_eq!(end, Err(Violation::Hook));
    assert_eq!(p.int("by_pointer", &[4]), Ok(13));
    // A missing function can be modelled.
    intercept(&mut p, "gone", Returns::I32, &[Value::I32(0)], 8);
    let result = p.call_hooked("ask", Returns::I32, &[Value::I32(1)], &mut Answer);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(100));
}

/// Calls back into the machine from a hook.
struct Reentrant(Rc<stairway_c::machine::Prototype>, Vec<i32>);

impl Hooks for Reentrant {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        let deep = machine.function(machine.entry_of("deep").expect("there"), Rc::clone(&self.0));
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&i32::try_from(call.level).expect("small").to_le_bytes());
        let mut result = [0; 4];
        machine.call(&deep, &mut bytes, &mut result, &mut NoHooks).expect("returns");
        self.1.push(i32::from_le_bytes(result));
        Flow::GoOn
    }
    fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        Flow::GoOn
    }
}

#[test]
fn hooks_may_call_and_recursion_is_nested() {
    let mut p = program(CELLS);
    intercept(&mut p, "deep", Returns::I32, &[Value::I32(0)], 1);
    let (prototype, _) = p.prototype(Returns::I32, &[Value::I32(0)]);
    let mut hooks = Reentrant(prototype, Vec::new());
    let result = p.call_hooked("deep", Returns::I32, &[Value::I32(4)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(4));
    assert_eq!(hooks.1, [1, 2, 3, 4]);
}

#[test]
fn library_functions_with_a_contract_are_intercepted() {
    struct Count(u32);
    impl Hooks for Count {
        fn before(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
            self.0 += 1;
            Flow::GoOn
        }
        fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
            Flow::GoOn
        }
    }
    let text = "#include <stdlib.h>\n#include <string.h>\nint f(int x) { char *p = malloc(4); free(p); return abs(x) + (int)strlen(\"abc\"); }";
    let settings =
        stairway_c::build::Settings { specified: vec!["abs".into(), "strlen".into()], ..Default::default() };
    let mut p = crate::support::program_with(&[text], &settings, stairway_c::machine::Settings::default());
    intercept(&mut p, "abs", Returns::I32, &[Value::I32(0)], 1);
    intercept(&mut p, "strlen", Returns::I64, &[Value::Pointer(0)], 2);
    intercept(&mut p, "malloc", Returns::Pointer, &[Value::I64(0)], 3);
    let mut hooks = Count(0);
    let result = p.call_hooked("f", Returns::I32, &[Value::I32(-4)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(7));
    assert_eq!(hooks.0, 3);
}

#[test]
fn jumping_over_nested_calls_ends_their_frames() {
    let text = r"
        #include <setjmp.h>
        static jmp_buf env;
        int inner(int *p) { if (*p > 2) longjmp(env, 1); return *p; }
        int outer(int x) { int y = x, z = 7; if (setjmp(env)) return z; return inner(&y); }
        int again(int x) { int a[2] = { 1, 2 }; return outer(x) + a[0] + a[1]; }
    ";
    let mut p = program(text);
    intercept(&mut p, "inner", Returns::I32, &[Value::Pointer(0)], 1);
    let mut hooks = Contract::default();
    let result = p.call_hooked("again", Returns::I32, &[Value::I32(3)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(10));
    assert_eq!(p.machine.depth(), 0);
    assert_eq!(hooks.seen.len(), 1);
}

#[test]
fn blocks_that_nothing_leads_to_are_found() {
    let mut p = program(CELLS);
    let a = p.pointer("make", &[Value::I32(1)]).expect("returns");
    let b = p.pointer("make", &[Value::I32(2)]).expect("returns");
    let c = p.pointer("make", &[Value::I32(3)]).expect("returns");
    assert!(p.machine.write(a + 8, &b.to_le_bytes()));
    let slot = p.machine.slot(8, 8).expect("room");
    assert!(p.machine.write(slot, &a.to_le_bytes()));
    let lost: Vec<u64> = p.machine.unreachable_blocks(&[]).iter().map(|b| b.range.address).collect();
    assert_eq!(lost, [c]);
    assert_eq!(p.machine.unreachable_blocks(&[c + 4]), []);
}

#[test]
fn initialisation_is_tracked_and_decreed() {
    let mut p = program("#include <stdlib.h>\nint *half(void) { int *p = malloc(8); p[0] = 1; return p; }");
    let a = p.pointer("half", &[]).expect("returns");
    assert!(p.machine.is_initialised(Range { address: a, size: 4 }));
    assert!(!p.machine.is_initialised(Range { address: a, size: 8 }));
    p.machine.set_initialised(Range { address: a, size: 8 }, true);
    assert!(p.machine.is_initialised(Range { address: a, size: 8 }));
    let mut bytes = [0; 16];
    assert!(!p.machine.read(8, &mut bytes));
    assert!(!p.machine.write(a.wrapping_add(1 << 30), &bytes));
}

#[test]
fn coverage_tells_what_ran() {
    let mut p = program("int a, b; int f(int x) { if (x > 3) { a++; b = 2; return 1; } b++; return 2; }");
    p.int("f", &[1]).expect("returns");
    let points = p.machine.coverage_points();
    let f = p.machine.symbol("f").expect("there").clone();
    let of_f: Vec<_> = points
        .iter()
        .filter(|pc| p.machine.address(pc.0).wrapping_sub(f.address) < f.size)
        .copied()
        .collect();
    let before = of_f.iter().filter(|pc| p.machine.is_covered(**pc)).count();
    assert!(before > 0 && before < of_f.len(), "{before} of {}", of_f.len());
    p.int("f", &[9]).expect("returns");
    assert_eq!(of_f.iter().filter(|pc| p.machine.is_covered(**pc)).count(), of_f.len());
}

/// Opens a frame wherever it can.
#[derive(Default)]
struct Deep {
    opened: Vec<bool>,
    n_too_deep: u32,
}

impl Hooks for Deep {
    fn before(&mut self, machine: &Machine, _: &mut NestedCall<'_>) -> Flow {
        let is_open = machine.begin_frame(&[]) == Ok(FrameOpening::Yes);
        self.opened.push(is_open);
        self.n_too_deep += u32::from(!is_open);
        Flow::GoOn
    }
    fn after(&mut self, machine: &Machine, _: &mut NestedCall<'_>) -> Flow {
        if self.opened.pop() == Some(true) {
            machine.end_frame(&mut Vec::new());
        }
        Flow::GoOn
    }
}

#[test]
fn frames_nest_as_deeply_as_the_stack_allows() {
    let mut p = program(CELLS);
    intercept(&mut p, "deep", Returns::I32, &[Value::I32(0)], 1);
    let mut hooks = Deep::default();
    let result = p.call_hooked("deep", Returns::I32, &[Value::I32(200)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(200));
    assert_eq!(hooks.n_too_deep, 0);
    // And far beyond: the stack ends, not the process, and before the frames do.
    for hooks in [&mut hooks as &mut dyn Hooks, &mut NoHooks] {
        let end = p.call_hooked("deep", Returns::I32, &[Value::I32(i32::MAX)], hooks);
        assert!(matches!(end, Err(Violation::StackOverflow { .. })), "{end:?}");
    }
    assert_eq!(hooks.n_too_deep, 0);
}

#[test]
fn probes_see_local_variables() {
    struct Seen(Vec<(u64, i32, i32)>);
    impl Hooks for Seen {
        fn before(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
            Flow::GoOn
        }
        fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
            Flow::GoOn
        }
        fn probe(&mut self, machine: &Machine, probe: &Probe) -> Flow {
            let value = |k: usize| {
                let mut bytes = [0; 4];
                assert!(machine.read(probe.addresses[k], &mut bytes));
                i32::from_le_bytes(bytes)
            };
            self.0.push((probe.id, value(0), value(1)));
            if value(0) == 9 { Flow::Stop } else { Flow::GoOn }
        }
    }
    let mut p = program(
        "void stairway_probe(unsigned long, int, ...);
         int sum(int n) { int s = 0; for (int i = 0; stairway_probe(3, 2, &i, &s), i < n; i++) s += i; return s; }",
    );
    let mut hooks = Seen(Vec::new());
    let result = p.call_hooked("sum", Returns::I32, &[Value::I32(3)], &mut hooks);
    assert_eq!(result.map(|r| i32_of(&r)), Ok(3));
    assert_eq!(hooks.0, [(3, 0, 0), (3, 1, 0), (3, 2, 1), (3, 3, 3)]);
    assert_eq!(p.call_hooked("sum", Returns::I32, &[Value::I32(20)], &mut hooks), Err(Violation::Hook));
}

#[test]
fn cn_allocates_and_frees_in_parts() {
    let text = "void *cn_malloc(unsigned long); void *cn_calloc(unsigned long, unsigned long); void cn_free_sized(void *, unsigned long);
        int *make(int n) { int *p = cn_malloc(n); if (n) *p = 3; return p; }
        int part(int *p, int n) { cn_free_sized(p, n); return 0; }
        int zero(void) { int *p = cn_calloc(2, 4); int r = p[0] + p[1]; cn_free_sized(p, 8); return r; }
        int none(void) { char *p = cn_malloc(0), *q = cn_malloc(0); int r = p && q && p != q; cn_free_sized(p, 0); cn_free_sized(q, 0); return r; }";
    let mut p = program(text);
    assert_eq!(p.int("zero", &[]), Ok(0));
    assert_eq!(p.int("none", &[]), Ok(1));
    let address = p.pointer("make", &[Value::I32(8)]).expect("returns");
    assert_eq!(p.machine.begin_frame(&[Range { address, size: 8 }]), Ok(FrameOpening::Yes));
    p.call("part", Returns::I32, &[Value::Pointer(address), Value::I32(4)]).expect("returns");
    let mut leaks = Vec::new();
    p.machine.end_frame(&mut leaks);
    assert_eq!(leaks, [Range { address: address + 4, size: 4 }]);
    let end = p.call("part", Returns::I32, &[Value::Pointer(address), Value::I32(9)]);
    assert!(
        matches!(end, Err(Violation::Access { what: ByteState::RedZone { offset: 8, .. }, .. })),
        "{end:?}"
    );
}

#[test]
fn a_local_variable_cannot_be_handed_back() {
    let mut p = program("int *dangle(int x) { int y = x; int *volatile p = &y; return p; }");
    assert_eq!(p.machine.begin_frame(&[]), Ok(FrameOpening::Yes));
    let address = p.pointer("dangle", &[Value::I32(1)]).expect("returns");
    let refused = p.machine.release(&[Range { address, size: 4 }]).expect_err("dangles");
    assert_eq!(refused.what, ByteState::DeadStack);
    p.machine.end_frame(&mut Vec::new());
    // Between calls there is no stack to lend either.
    assert!(p.machine.begin_frame(&[Range { address, size: 4 }]).is_err());
}
