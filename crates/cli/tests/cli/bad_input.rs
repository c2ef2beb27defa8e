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
