//! Calls that take their process with them: found, shown, shrunk, stored and replayed like any other.
//!
//! The sandbox keeps most of them from it, so they run without.

use crate::support::Folder;

/// After three calls of `add`, `end` does `how`.
fn ending(how: &str) -> Folder {
    Folder::with(&format!(
        "#define _GNU_SOURCE\n#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>\n\
         #include <sys/syscall.h>\n\nstatic int n;\nvoid add(int k) {{ if (k > 4) n++; }}\n\
         void clear(void) {{ n = 0; }}\nvoid end(void)\n{{\n    if (n < 3) return;\n    {how}\n}}\n"
    ))
}

const SEQUENCE: &str = "    add(5);\n    add(5);\n    add(5);\n    end();\n";

#[test]
fn an_exit_past_every_guard_is_shown_with_its_sequence() {
    let folder = ending("syscall(SYS_exit_group, 0);");
    let ran = folder.test("--unconfined");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out);
    let stored = folder.read("stairway-regressions/t.c.txt");
    assert!(stored.contains("failure: exit 0\n"), "{stored}");
    let again = folder.test("--unconfined");
    assert_eq!(again.code, 1, "{}{}", again.out, again.err);
    assert!(again.out.contains(SEQUENCE) && again.out.contains("found again"), "{}", again.out);
    let jobs = ending("syscall(SYS_exit_group, 0);").test("--unconfined --jobs 2");
    assert_eq!((jobs.code, jobs.out), (1, ran.out));
}

#[test]
fn a_process_that_kills_or_stops_itself_is_shown_with_its_sequence() {
    let ends = [
        ("syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGKILL);", "`end`: SIGKILL: "),
        ("syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);", "`end`: stopped: "),
    ];
    for (how, said) in ends {
        let ran = ending(how).test("--unconfined");
        assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
        assert!(ran.out.contains(SEQUENCE) && ran.out.contains(said), "{}", ran.out);
        assert!(ran.out.contains("confirmed in a fresh process"), "{}", ran.out);
    }
}

#[test]
fn descriptors_that_the_code_closes_or_writes_to_are_none_of_ours() {
    let ways = [
        "syscall(SYS_close_range, 0, ~0u, 0);",
        "for (int k = 0; k < 1000; k++) syscall(SYS_dup2, 2, k);",
        "for (int k = 3; k < 1000; k++) syscall(SYS_write, k, \"garbage\\n\", 8);",
    ];
    for how in ways {
        let ran = ending(how).test("");
        assert_eq!(ran.code, 0, "{how}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn constructors_that_die_or_hang_are_the_programs_and_no_bug_of_ours() {
    let dies = [
        "syscall(SYS_exit_group, 3);",
        "*(volatile int *)8 = 1;",
        "syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGSTOP);",
    ];
    for how in dies {
        let folder = ending("");
        let text = folder.read("t.c");
        folder.write(
            "t.c",
            &format!("{text}__attribute__((constructor)) static void begin(void) {{ {how} }}\n"),
        );
        let ran = folder.test("");
        assert_eq!(ran.code, 65, "{how}: {}{}", ran.out, ran.err);
        assert!(
            ran.err.contains("t.c: the program dies while it is loaded, before anything is called ("),
            "{}",
            ran.err
        );
        assert!(!ran.err.contains("bug of Stairway"), "{}", ran.err);
    }
}

/// A lock of the C library may be held by a call that was stopped within it.
#[test]
fn a_call_that_was_stopped_inside_of_the_c_library_changes_nothing_for_others() {
    let folder = Folder::with(
        "#include <wchar.h>\n#include <stdint.h>\nunsigned long reads(uintptr_t x) { return wcslen((wchar_t *)(x | 8)); }\n\
         int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 2 * x; }\n",
    );
    let ran = folder.stairway("test t.c --seed 1 --calls 500");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert_eq!(folder.stairway("test t.c --seed 1 --calls 500 --jobs 2").out, ran.out);
}

#[test]
fn much_output_neither_fills_memory_nor_stalls() {
    let folder = ending(
        "static char text[1 << 20]; for (int k = 0; k < 64; k++) syscall(SYS_write, 1, text, sizeof text); abort();",
    );
    let ran = folder.test("--no-shrink");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("abort() was called"), "{}", ran.out);
}
