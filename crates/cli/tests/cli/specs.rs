//! What specs cost and change before anything runs: mistakes are reported without a build, and `char` is unsigned where one is named.

use crate::support::Folder;
use std::os::unix::fs::PermissionsExt as _;

/// gcc, leaving a mark when it is to instrument something.
fn marking_compiler(folder: &Folder) {
    folder.write(
        "marking-gcc",
        "#!/bin/sh\ncase \"$*\" in *-fsanitize*) touch built;; esac\nexec gcc \"$@\"\n",
    );
    let path = folder.path().join("marking-gcc");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
}

#[test]
fn a_mistake_in_a_contract_costs_no_build() {
    let folder = Folder::with(
        "struct point { int x; };\nint loop(int n);\nint f(struct point *p)\n\
         /*@ requires take P = RW<struct point>(p); P.y < 5i32; ensures take Q = RW<struct point>(p); @*/\n\
         { return p->x; }\nint g(int n)\n{\n    int i = 0;\n    while (i < n)\n    /*@ inv i <= m; @*/\n    { i++; }\n    return i;\n}\n",
    );
    marking_compiler(&folder);
    let ran = folder.stairway("test t.c --cc ./marking-gcc");
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("`struct point` has no member `y`"), "{}", ran.err);
    assert!(ran.err.contains("unknown name `m`"), "{}", ran.err);
    assert!(!folder.path().join("built").exists(), "something was built for it");
    folder.write("t.c", "int f(int x)\n/*@ requires x < 5i32; ensures return == x; @*/\n{ return x; }\n");
    assert_eq!(folder.stairway("check t.c --cc ./marking-gcc").code, 0);
    assert!(folder.path().join("built").exists(), "the mark shows nothing");
}

#[test]
fn char_is_unsigned_only_where_a_spec_speaks_of_one() {
    const FLAG: &str =
        "note: t.c: compiled with -funsigned-char, because specs speak of a `char`, which is `u8` to them";
    let plain =
        "int f(char c, int n)\n/*@ requires n < 5i32; ensures return == n; @*/\n{ (void)c; return n; }\n";
    let folder = Folder::with(plain);
    let ran = folder.test("");
    assert!(ran.code == 0 && !ran.out.contains("unsigned-char"), "{}{}", ran.out, ran.err);
    assert_eq!(folder.test("-- -fsigned-char").code, 0);
    let wrong = "int f(char c)\n/*@ ensures return == (i32) c; @*/\n{ return c > 100 ? 1 : c; }\n";
    folder.write("t.c", wrong);
    let ran = folder.test("--emit-test repro.c");
    assert!(ran.code == 1 && ran.out.contains(FLAG), "{}{}", ran.out, ran.err);
    assert!(folder.read("repro.c").contains("gcc -g -funsigned-char repro.c"), "{}", folder.read("repro.c"));
    let ran = folder.test("-- -fsigned-char");
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(
        ran.err.contains("this is a `char`, which is `u8` in specs, and `-fsigned-char` makes it signed"),
        "{}",
        ran.err
    );
    assert_eq!(folder.test("-- -fsigned-char -funsigned-char").code, 1);
}

#[test]
fn functions_that_say_nothing_of_their_result_are_listed() {
    let folder = Folder::with("int f(int x) { return x; }\nold(int x) { return x; }\n");
    let ran = folder.test("-- -std=gnu89");
    let line = "NEVER CALLED: `old`: it does not say what it returns; declare it: `int old(…)`";
    assert!(ran.code == 0 && ran.out.contains(line), "{}{}", ran.out, ran.err);
}

#[test]
fn the_line_that_lets_a_function_use_a_variable_is_printed() {
    let folder = Folder::with(
        "int total, n;\nint f(int x)\n/*@ accesses n; ensures return == x; @*/\n{ n = 1; total = 2; return x; }\n",
    );
    let ran = folder.test("");
    let help = "help: if `f` may use `total`, its contract begins with\n    /*@ accesses n, total;\n";
    assert!(ran.code == 1 && ran.out.contains(help), "{}{}", ran.out, ran.err);
}

#[test]
fn a_program_with_made_up_functions_is_standard_c() {
    let folder = Folder::with(
        "struct node { int key; };\n#include <stdlib.h>\n\
         int f(int (*less)(int, int), const struct node *(*next)(int))\n\
         { const struct node *n = next(1); if (less(1, 2) == 7 && n && !n->key) abort(); return 0; }\n",
    );
    let ran = folder.stairway("test t.c --seed 1 --calls 20000 --emit-test repro.c");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert_ne!(folder.compile_and_run("repro.c", &["-std=c99", "-pedantic-errors"]), 0);
}

#[test]
fn what_is_left_out_of_specs_fails_nobodys_code() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../c/tests/corpus");
    let folder = Folder::with("");
    for name in ["allocation_log", "unclosed_comment", "unknown_precondition"] {
        let text = std::fs::read_to_string(corpus.join(format!("{name}.bad.c"))).expect("in the corpus");
        folder.write("t.c", &text);
        let ran = folder.test("");
        assert_eq!(ran.code, 0, "{name}: {}{}", ran.out, ran.err);
    }
}
