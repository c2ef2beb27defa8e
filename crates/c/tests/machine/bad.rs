//! Each way to be wrong, contained and named.

use stairway_c::build::Settings as BuildSettings;
use stairway_c::machine::{ByteState, DEFAULT_FUEL, Settings, UndefinedKind, Violation};

use crate::support::{Returns, Value, program, program_with};

const HEAP: &str = r"
#include <stdlib.h>
int past(void) { int *p = malloc(4); p[0] = 1; return p[1]; }
int before(void) { char *p = malloc(4); return p[-1]; }
int after_free(void) { int *p = malloc(4); *p = 1; free(p); return *p; }
int twice(void) { int *p = malloc(4); free(p); free(p); return 0; }
int inside(void) { char *p = malloc(4); free(p + 1); return 0; }
int local(void) { int x; free(&x); return 0; }
int null(void) { int *p = 0; return *p; }
int wild(void) { int *p = (int *)0x123456789000; return *p; }
int beyond(void) { char *p = malloc(4); return p[1 << 20]; }
int constant(void) { char *s = (char *)(const char[]){ 0 }; s = (char *)past; *s = 1; return 0; }
int keeps(void) { int *p = malloc(4); *p = 7; return *p; }
";

fn access(violation: &Violation) -> &ByteState {
    match violation {
        Violation::Access { what, .. } => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_heap_is_watched_byte_for_byte() {
    let mut p = program(HEAP);
    let of = |p: &mut crate::support::Program, name: &str| p.int(name, &[]).expect_err(name);
    assert!(matches!(access(&of(&mut p, "past")), ByteState::RedZone { offset: 4, .. }));
    assert!(matches!(access(&of(&mut p, "before")), ByteState::RedZone { offset: -1, .. }));
    match access(&of(&mut p, "after_free")) {
        ByteState::Freed { offset: 0, freed_at: Some(_), .. } => {}
        other => panic!("{other:?}"),
    }
    assert!(matches!(of(&mut p, "twice"), Violation::BadFree { what: ByteState::Freed { .. }, .. }));
    assert!(matches!(
        of(&mut p, "inside"),
        Violation::BadFree { what: ByteState::Live { offset: 1, .. }, .. }
    ));
    assert!(matches!(of(&mut p, "local"), Violation::BadFree { .. }));
    assert!(matches!(access(&of(&mut p, "null")), ByteState::Null));
    assert!(matches!(access(&of(&mut p, "wild")), ByteState::Unknown));
    assert!(matches!(access(&of(&mut p, "beyond")), ByteState::Unallocated));
    assert!(matches!(of(&mut p, "constant"), Violation::Access { is_write: true, .. }));
    assert_eq!(p.int("keeps", &[]), Ok(7));
}

#[test]
fn program_counters_lie_in_the_function_to_blame() {
    let mut p = program(HEAP);
    let Err(Violation::Access { pc: Some(pc), .. }) = p.int("past", &[]) else { panic!("no violation") };
    let address = p.machine.address(pc.0);
    assert_eq!(p.machine.symbol_at(address).map(|s| s.name.as_str()), Some("past"));
}

const PROCESS: &str = r#"
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int gone(int);
int do_abort(void) { abort(); }
int do_exit(int x) { exit(x); }
int do_assert(int x) { assert(x > 1 && "large"); return x; }
int do_hang(void) { for (volatile int go = 1; go;) {} return 0; }
int do_hang_uncounted(void) { __asm__ volatile("1: jmp 1b"); return 0; }
static char many[1 << 16];
int do_hang_in_memset(void) { for (volatile int go = 1; go;) memset(many, go, sizeof many); return 0; }
int do_recurse(int x) { volatile char b[512]; b[x & 511] = 1; return do_recurse(x + 1) + b[0]; }
int do_divide(int a, int b) { return a / b; }
int do_raise(void) { raise(SIGTERM); return 1; }
int do_missing(int x) { return x ? gone(x) : 5; }
int do_trap(void) { __builtin_trap(); }
int do_jump(void) { int (*f)(void) = (int (*)(void))0x10; return f(); }
int do_flood(int n) { for (int i = 0; i < n; i++) printf("line %d\n", i); fprintf(stderr, "end\n"); return n; }
int do_copy(void) { char b[16] = { 0 }; memcpy(b, b + 2, 8); return 0; }
int do_sleep(void) { sleep(1000000); return 3; }
int do_fork(void) { return fork(); }
int do_signal(void) { signal(SIGSEGV, SIG_IGN); return *(volatile int *)8; }
int do_unterminated(void) { char *s = malloc(3); memset(s, 'x', 3); return (int)strlen(s); }
"#;

#[test]
fn ends_of_the_process_are_contained() {
    let mut p = program(PROCESS);
    assert!(matches!(p.int("do_abort", &[]), Err(Violation::Abort { pc: Some(_) })));
    assert!(matches!(p.int("do_exit", &[3]), Err(Violation::Exit { code: 3, .. })));
    let Err(Violation::Assert { text, position: Some(position), .. }) = p.int("do_assert", &[1]) else {
        panic!()
    };
    assert_eq!(text, "x > 1 && \"large\"");
    assert_eq!(position.line, 11);
    assert_eq!(p.int("do_assert", &[2]), Ok(2));
    assert!(matches!(p.int("do_raise", &[]), Err(Violation::Signal { signal: 15, .. })));
    assert!(matches!(p.int("do_trap", &[]), Err(Violation::Signal { signal: 4, .. })));
    assert!(matches!(
        p.int("do_jump", &[]),
        Err(Violation::Signal { signal: 11, what: ByteState::Null, .. })
    ));
    assert!(matches!(p.int("do_signal", &[]), Err(Violation::Access { what: ByteState::Null, .. })));
    assert!(matches!(p.int("do_copy", &[]), Err(Violation::Overlap { .. })));
    assert!(matches!(
        p.int("do_unterminated", &[]),
        Err(Violation::Access { what: ByteState::RedZone { .. }, .. })
    ));
    assert_eq!(p.int("do_sleep", &[]), Ok(3));
    assert_eq!(p.int("do_fork", &[]), Ok(-1));
}

#[test]
fn hangs_and_deep_recursion_are_contained_again_and_again() {
    let mut p = program(PROCESS);
    for _ in 0..2 {
        assert!(matches!(
            p.int("do_hang", &[]),
            Err(Violation::OutOfFuel { n_blocks: DEFAULT_FUEL, pc: Some(_) })
        ));
        assert_eq!(p.machine.report().fuel, DEFAULT_FUEL);
        assert!(matches!(p.int("do_recurse", &[0]), Err(Violation::StackOverflow { .. })));
        p.machine.reset();
    }
}

#[test]
fn the_timer_ends_what_uses_no_fuel() {
    let mut p = program(PROCESS);
    assert!(matches!(p.int("do_hang_uncounted", &[]), Err(Violation::Timeout { .. })));
    p.machine.reset();
    // What the C library does is counted by its size: far fewer rounds than blocks.
    assert!(matches!(
        p.int("do_hang_in_memset", &[]),
        Err(Violation::OutOfFuel { n_blocks: DEFAULT_FUEL, .. })
    ));
}

#[test]
fn a_call_may_have_other_fuel_than_the_one_before() {
    let mut p = program(PROCESS);
    p.machine.set_fuel(500);
    assert!(matches!(p.int("do_hang", &[]), Err(Violation::OutOfFuel { n_blocks: 500, .. })));
    let before = p.machine.spent();
    assert_eq!(p.int("do_sleep", &[]), Ok(3));
    let after = p.machine.spent();
    assert_eq!(after.n_calls, before.n_calls + 1);
    assert!(after.fuel > before.fuel && after.fuel < before.fuel + 500);
}

#[test]
fn a_missing_function_is_named_when_it_is_reached() {
    let mut p = program(PROCESS);
    assert_eq!(p.built.missing, ["gone"]);
    assert_eq!(p.int("do_missing", &[0]), Ok(5));
    let end = p.int("do_missing", &[1]).expect_err("is missing");
    let Violation::Missing { name, pc: Some(pc) } = end else { panic!("{end:?}") };
    assert_eq!(name, "gone");
    let at = p.machine.symbol_at(p.machine.address(pc.0)).map(|s| s.name.clone());
    assert_eq!(at.as_deref(), Some("do_missing"));
}

#[test]
fn output_is_kept_up_to_a_limit() {
    let mut p = program(PROCESS);
    assert_eq!(p.int("do_flood", &[2]), Ok(2));
    assert_eq!(p.machine.report().n_output, 18);
    assert_eq!(p.machine.output(), b"line 0\nline 1\nend\n");
    assert_eq!(p.int("do_flood", &[100_000]), Ok(100_000));
    assert!(p.machine.report().n_output > 1_000_000);
    assert_eq!(p.machine.output().len(), 64 << 10);
    p.machine.reset();
    assert_eq!(p.machine.output(), b"");
}

const ARITHMETIC: &str = r"
#include <limits.h>
int add(int a, int b) { return a + b; }
int shift(int a, int b) { return a << b; }
int divide(int a, int b) { return a / b; }
long negate(long a) { return -a; }
int round_down(double x) { return (int)x; }
int many(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s = INT_MAX + i; return s; }
int nothing(int x) { if (x) return 1; }
";

#[test]
fn undefined_arithmetic_is_noted_and_goes_on() {
    let mut p = program(ARITHMETIC);
    assert_eq!(p.int("add", &[i32::MAX, 1]), Ok(i32::MIN));
    let notes = p.machine.report().notes;
    assert_eq!(notes[0].to_string(), "signed overflow: 2147483647 + 1 does not fit in int");
    assert_eq!(notes[0].position.line, 3);
    assert!(notes[0].position.file.ends_with("p0.c"));
    assert_eq!(p.int("add", &[1, 2]), Ok(3));
    assert!(!p.machine.is_suspicious());
    p.int("shift", &[1, 40]).expect("goes on");
    assert_eq!(p.machine.report().notes[0].to_string(), "undefined shift: 1 by 40 in int");
    p.call("negate", Returns::I64, &[Value::I64(i64::MIN)]).expect("goes on");
    assert_eq!(p.machine.report().notes[0].kind, UndefinedKind::Negate);
    p.call("round_down", Returns::I32, &[Value::F64(1e20)]).expect("goes on");
    assert_eq!(p.machine.report().notes[0].kind, UndefinedKind::FloatCast);
    p.int("many", &[5]).expect("goes on");
    assert_eq!(p.machine.report().notes[0].count, 4);
}

#[test]
fn division_by_zero_is_noted_and_contained() {
    let mut p = program(ARITHMETIC);
    let end = p.int("divide", &[1, 0]).expect_err("cannot go on");
    assert!(matches!(end, Violation::Signal { signal: 8, pc: Some(_), .. }), "{end:?}");
    assert_eq!(p.machine.report().notes[0].kind, UndefinedKind::Divide);
    assert_eq!(p.int("divide", &[6, 3]), Ok(2));
}

const STACK: &str = r"
#include <string.h>
int *escape(void) { int x[4] = { 1 }; int *volatile p = x; return p; }
int use(void) { int *p = escape(); return *p; }
int at_index(int i) { int a[4] = { 1, 2, 3, 4 }; return a[i]; }
static void fill(char *p, int n) { for (int i = 0; i < n; i++) p[i] = 'x'; }
int smash(int n) { char b[8]; fill(b, n); return b[0]; }
int table[16]; char tail; static int filled[2] = { 1, 2 }; static int other = 3; static char huge[1 << 26];
int global(int i) { return table[i]; }
static int at(int *p, int i) { return p[i]; }
int through(int i) { return at(table, i); }
int through_filled(int i) { return at(filled, i) + other + huge[5]; }
int library(int n) { char b[8]; memset(b, 0, n); return b[0]; }
";

#[test]
fn stack_and_variables_are_watched_as_far_as_known() {
    let mut p = program(STACK);
    assert!(matches!(p.int("use", &[]), Err(Violation::Access { what: ByteState::DeadStack, .. })));
    let Err(Violation::OutOfBounds { index: Some(4), of, position: Some(_), .. }) = p.int("at_index", &[4])
    else {
        panic!()
    };
    assert_eq!(of, "int [4]");
    assert_eq!(p.int("at_index", &[3]), Ok(4));
    assert_eq!(p.int("smash", &[8]), Ok(i32::from(b'x')));
    assert!(matches!(p.int("smash", &[24]), Err(Violation::StackSmashed { .. })));
    assert!(matches!(p.int("library", &[24]), Err(Violation::StackSmashed { .. })));
    assert!(matches!(p.int("global", &[-1]), Err(Violation::OutOfBounds { index: Some(-1), .. })));
    assert_eq!(p.int("through", &[15]), Ok(0));
    assert_eq!(p.int("through_filled", &[1]), Ok(5));
    for (name, index, variable) in [("through", 16, "table"), ("through_filled", 2, "filled")] {
        let end = p.int(name, &[index]).expect_err("behind the variable");
        let Violation::Access { what: ByteState::BetweenGlobals { after }, .. } = end else {
            panic!("{end:?}")
        };
        assert_eq!(after.as_deref(), Some(variable));
    }
    let size = std::fs::metadata(&p.built.object).expect("there").len();
    assert!(size < 1 << 20, "zeroed variables take no room in the file: {size}");
}

#[test]
fn a_value_that_never_comes_ends_the_call() {
    let mut p = program("int f(int x) { switch (x) { case 1: return 2; } __builtin_unreachable(); }");
    assert_eq!(p.int("f", &[1]), Ok(2));
    assert!(matches!(p.int("f", &[3]), Err(Violation::NoReturn { .. })));
}

#[test]
fn memory_runs_out_politely() {
    let text = r"
        #include <stdlib.h>
        int take(int n) { int k = 0; while (k < n && malloc(1 << 16)) k++; return k; }
        int third(void) { void *a = malloc(1), *b = malloc(1), *c = malloc(1), *d = malloc(1); return !a + 2 * !b + 4 * !c + 8 * !d; }
    ";
    let settings = Settings { heap_limit: 1 << 20, ..Settings::default() };
    let mut p = program_with(&[text], &BuildSettings::default(), settings);
    assert_eq!(p.int("take", &[100]), Ok(15));
    assert_eq!(p.machine.report().n_failed_allocations, 1);
    p.machine.reset();
    p.machine.configure(Settings { failing_allocation: 3, ..settings });
    assert_eq!(p.int("third", &[]), Ok(4));
}

#[test]
fn a_second_object_is_refused_while_one_is_loaded() {
    let p = program("int x;");
    let error = stairway_c::machine::Machine::load(&p.built.object, true, Settings::default());
    // The same file is the same library to the loader; a copy is another.
    assert!(error.expect_err("the same").to_string().contains("loaded already"));
    let copy = p.built.folder().join("copy.so");
    std::fs::copy(&p.built.object, &copy).expect("copied");
    let error = stairway_c::machine::Machine::load(&copy, true, Settings::default()).expect_err("taken");
    assert!(error.to_string().contains("another object is loaded"), "{error}");
}

#[test]
fn missing_variables_and_vast_locals_are_told() {
    let text = r"
        extern int nowhere; int read_it(void) { return nowhere; }
        int vast(int n) { volatile char b[n]; b[0] = 1; b[n - 1] = 2; return b[0]; }
        struct s { int a; }; int member(struct s *p) { return p->a; }";
    let mut p = program(text);
    let end = p.int("read_it", &[]).expect_err("is nowhere");
    assert!(
        matches!(&end, Violation::Access { what: ByteState::Missing { name: Some(n) }, .. } if n == "nowhere"),
        "{end:?}"
    );
    assert_eq!(p.int("vast", &[1000]), Ok(1));
    assert!(matches!(p.int("vast", &[1 << 30]), Err(Violation::StackOverflow { .. })));
}

/// Whatever bytes a pointer holds, the call ends and the machine goes on.
#[test]
fn wild_pointers_of_all_kinds_are_contained() {
    let text = r"
        #include <stdlib.h>
        #include <string.h>
        int get(int *p) { return *p; }
        int set(int *p) { *p = 1; return 0; }
        int length(char *p) { return (int)strlen(p); }
        int copy(char *p) { memcpy(p, p + 64, 64); return 0; }
        int drop(char *p) { free(p); return 0; }
        int again(char *p) { return realloc(p, 100) != 0; }
        int jump(int (*f)(void)) { return f(); }";
    let mut p = program(text);
    let slot = p.machine.slot(8, 8).expect("room");
    let text_of = p.machine.symbol("get").expect("there").address;
    let local = 0;
    let mut wild = vec![0, 1, 4095, 4096, u64::MAX, u64::MAX - 3, 1 << 63, 0x7fff_ffff_f000, 0xdead_beef];
    // The runtime's own memory, its neighbours, code, this test's stack and heap.
    for base in [0x2000_0000_0000u64, 0x2100_0000_0000, 0x2200_0000_0000, 0x2300_0000_0000, 0x2400_0000_0000]
    {
        wild.extend([
            base - 8,
            base - 1,
            base,
            base + 8,
            base + (16 << 20) - 2,
            base + (256 << 20) - 2,
            base + (256 << 20),
        ]);
    }
    wild.extend([
        slot + 8,
        slot - 8,
        text_of,
        std::ptr::from_ref(&local).addr() as u64,
        wild.as_ptr().addr() as u64,
    ]);
    for pointer in wild {
        for name in ["get", "set", "length", "copy", "again", "jump"] {
            // Jumping into code, and reading the stack, may go well.
            let result = p.call(name, Returns::I32, &[Value::Pointer(pointer)]);
            let is_stack = pointer == 0x2200_00ff_fffe;
            let may_return =
                (name == "again" && pointer == 0) || (name == "jump" && pointer == text_of) || is_stack;
            assert!(result.is_err() || may_return, "{name}({pointer:#x}) returned");
        }
        let result = p.call("drop", Returns::I32, &[Value::Pointer(pointer)]);
        assert!(result.is_err() || pointer == 0, "drop({pointer:#x}) returned");
        p.machine.reset();
        p.machine.slot(8, 8).expect("room");
    }
}

#[test]
fn trouble_inside_the_c_library_is_contained_and_marked() {
    let text = r#"
        #include <time.h>
        int date(char *p) { struct tm t = { 0 }; return (int)strftime(p, 20, "%Y", &t); }"#;
    let mut p = program(text);
    let end = p.call("date", Returns::I32, &[Value::Pointer(0x1000)]).expect_err("is wild");
    assert!(matches!(end, Violation::Signal { signal: 11, pc: Some(_), .. }), "{end:?}");
    assert!(p.machine.report().is_tainted);
    let slot = p.machine.slot(20, 1).expect("room");
    assert_eq!(p.call("date", Returns::I32, &[Value::Pointer(slot)]), Ok(4i32.to_le_bytes().to_vec()));
    assert!(!p.machine.report().is_tainted);
}
