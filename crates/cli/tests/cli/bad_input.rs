//! Input that is wrong: a message with a position, an exit code, and never a panic or a hang.

use crate::support::{Folder, Ran};

fn is_calm(ran: &Ran) {
    let said = format!("{}{}", ran.out, ran.err);
    assert!(!said.contains("panicked") && !said.contains("bug of Stairway"), "{said}");
}

#[test]
fn a_constructor_that_fails_is_the_programs() {
    let folder = Folder::with(
        "#include <stdlib.h>\n__attribute__((constructor)) static void boot(void) { abort(); }\nint f(int x) { return x; }\n",
    );
    let ran = folder.test("");
    is_calm(&ran);
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("look at its constructors"), "{}", ran.err);
}

#[test]
fn a_library_that_is_not_there_is_named() {
    let folder = Folder::with("int foo(int); int f(int x) { return foo(x); }\n");
    folder.write("foo.c", "int foo(int x) { return x; }\n");
    let made = std::process::Command::new("gcc")
        .args(["-shared", "-fPIC", "-o", "libfoo_of_test.so", "foo.c"])
        .current_dir(folder.path())
        .status();
    assert!(made.expect("gcc runs").success());
    let ran = folder.test("-- -L. -lfoo_of_test");
    is_calm(&ran);
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("libfoo_of_test.so") && ran.out.contains("LD_LIBRARY_PATH"), "{}", ran.out);
}

#[test]
fn contracts_that_read_what_is_gone_are_explained() {
    let freed = "#include <stdlib.h>\nvoid drop(int *p)\n/*@ requires take P = RW<int>(p); ensures take Q = RW<int>(p); @*/\n{ free(p); }\n";
    let ran = Folder::with(freed).test("");
    is_calm(&ran);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("t.c:3") && ran.out.contains("it was freed at t.c:4"), "{}", ran.out);
    let unowned = "int g;\nint f(int *p)\n/*@ requires *p > 0i32; @*/\n{ return 0; }\n";
    let ran = Folder::with(unowned).stairway("check t.c");
    is_calm(&ran);
    assert_eq!(ran.code, 65, "{}", ran.err);
    assert!(ran.err.contains("t.c:3:"), "{}", ran.err);
}

#[test]
fn streams_are_no_files() {
    let folder = Folder::with("");
    for name in ["-", "/dev/zero"] {
        let ran = folder.stairway(&format!("test {name}"));
        let why = format!("`{name}` is no file; save the code in one whose name ends in `.c`\n");
        assert_eq!((ran.code, ran.err), (65, why));
    }
    folder.write("utf16.c", "\u{feff}i\0n\0t\0 \0f\0;\0");
    assert!(folder.stairway("check utf16.c").err.contains("or save it as UTF-8"));
}

#[test]
fn predicates_over_cycles_end() {
    let text = "struct n { struct n *next; };\n/*@ predicate [rec] (u32) L(pointer p) { if (is_null(p)) { return 0u32; } else { take N = RW<struct n>(p); take r = L(N.next); return r + 1u32; } } @*/\n\
        void tie(struct n *p)\n/*@ requires take P = RW<struct n>(p); ensures take q = L(p); @*/\n{ p->next = p; }\n";
    let ran = Folder::with(text).test("");
    is_calm(&ran);
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("t.c:"), "{}", ran.out);
}

#[test]
fn guards_without_bounds_and_unknown_things_have_positions() {
    for (text, words) in [
        (
            "void f(int *p)\n/*@ requires take A = each (i64 i; i > 0i64) { RW<int>(array_shift<int>(p, i)) }; @*/\n{ *p = 1; }\n",
            "t.c:2:",
        ),
        ("int f(int x)\n/*@ ensures return == nobody; @*/\n{ return x; }\n", "t.c:2:"),
        ("int f(int x)\n/*@ ensures return == 1u64; @*/\n{ return x; }\n", "t.c:2:"),
        ("int f(int x)\n/*@ ensures return == x; \n{ return x; }\n", "t.c:2:"),
        ("int f(int x)\n/*@ ensures return == \u{fc}; @*/\n{ return x; }\n", "t.c:2:"),
    ] {
        let ran = Folder::with(text).stairway("check t.c");
        is_calm(&ran);
        assert_eq!(ran.code, 65, "{text}{}{}", ran.out, ran.err);
        assert!(ran.err.contains(words), "{text}{}", ran.err);
    }
}

#[test]
fn long_and_deep_files_end() {
    let declarations: String = (0..50_000).map(|k| format!("extern int v{k};\n/* {k} */\n")).collect();
    let function = "int f(int x)\n/*@ requires x >= 0i32; ensures return >= 0i32; @*/\n{ int a[2] = { x }; return a[0]; }\n";
    let long = format!("{declarations}{function}");
    let folder = Folder::with(&long);
    let ran = folder.stairway("check t.c");
    is_calm(&ran);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let deep = format!(
        "int f(int x)\n/*@ ensures {}return{} == x; @*/\n{{ return x; }}\n",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let ran = Folder::with(&deep).stairway("check t.c");
    is_calm(&ran);
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("t.c:2:"), "{}", &ran.err[..ran.err.len().min(500)]);
}

#[test]
fn specs_on_unknown_functions_are_noted() {
    let text = "/*@ spec nowhere(i32 x); requires true; ensures true; @*/\nint f(int x) { return x; }\n";
    let ran = Folder::with(text).stairway("check t.c");
    is_calm(&ran);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("t.c:1:10") && ran.err.contains("no function `nowhere`"), "{}", ran.err);
}

#[test]
fn clauses_that_clash_are_named() {
    let folder = Folder::with(
        "struct s { unsigned n; };\n\
         /*@ predicate (struct s) S(pointer p) { take V = RW<struct s>(p); assert (V.n > 4u32); return V; } @*/\n\
         int numbers(int x, int y)\n\
         /*@ requires x > 10i32; y < x; y > 5i32; x < 7i32; ensures return == 0i32; @*/\n{ return 0; }\n\
         int memory(struct s *s)\n\
         /*@ requires take V = S(s); V.n < 3u32; ensures take W = S(s); @*/\n{ return 0; }\n",
    );
    let ran = folder.test("");
    is_calm(&ran);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    let never = |name: &str| {
        let start = format!("NEVER CALLED: `{name}`");
        ran.out.lines().find(|line| line.starts_with(&start)).unwrap_or_default().to_string()
    };
    assert!(
        never("numbers").contains("`x > 10i32` and `x < 7i32` clash, unless arithmetic wraps"),
        "{}",
        ran.out
    );
    assert!(never("memory").contains("`take V = S(s)` and `V.n < 3u32` clash"), "{}", ran.out);
    assert!(never("memory").contains("--make"), "{}", ran.out);
}

#[test]
fn predicates_without_end_or_bound_are_named() {
    let folder = Folder::with(
        "struct n { struct n *next; };\n\
         /*@ predicate [rec] (void) Endless(pointer p) { take N = RW<struct n>(p); take R = Endless(N.next); return; }\n\
         predicate [rec] (void) Long(pointer p, u64 n) {\n\
           if (n > 100000u64) { return; }\n\
           else { take N = RW<struct n>(p); take R = Long(N.next, n + 1u64); return; } } @*/\n\
         int endless(struct n *p)\n/*@ requires take E = Endless(p); ensures take F = Endless(p); @*/\n{ return 0; }\n\
         int longest(struct n *p)\n/*@ requires take E = Long(p, 0u64); ensures take F = Long(p, 0u64); @*/\n{ return 0; }\n",
    );
    let ran = folder.test("");
    is_calm(&ran);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("`Endless` takes itself in every branch, so it never ends"), "{}", ran.out);
    assert!(ran.out.contains("no state made: take R = Long(N.next, n + 1u64)"), "{}", ran.out);
}

#[test]
fn functions_that_make_garbage_cost_discards_only() {
    let folder = Folder::with(
        "#include <stdlib.h>\nstruct n { int v; struct n *next; };\n\
         /*@ predicate [rec] (u32) L(pointer p) {\n\
           if (is_null(p)) { return 0u32; }\n\
           else { take N = RW<struct n>(p); take R = L(N.next); return R + 1u32; } } @*/\n\
         static struct n *wild(int k) { return (struct n *)((unsigned long)k * 8 + 8); }\n\
         static struct n *crashing(int k) { return k ? *(struct n **)8 : NULL; }\n\
         static struct n *cyclic(void) { struct n *n = malloc(sizeof *n); n->v = 1; n->next = n; return n; }\n\
         static struct n *uninitialised(void) { return malloc(sizeof(struct n)); }\n\
         int first(struct n *p)\n\
         /*@ requires take A = L(p); A > 0u32; ensures take B = L(p); @*/\n{ return p->v; }\n",
    );
    let ran = folder.test("--make wild,crashing,cyclic,uninitialised");
    is_calm(&ran);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let made = |name: &str| ran.out.lines().any(|line| line.starts_with(name));
    assert!(made("wild") && made("cyclic") && made("uninitialised"), "{}", ran.out);
    let ran = folder.test("--make nobody");
    assert!(ran.code == 64 && ran.err.contains("there is no function `nobody`"), "{}{}", ran.out, ran.err);
}
