//! Rewritten files, compiled and run: probes see the right variables at the right times, and everything
//! else behaves as before.

use std::path::{Path, PathBuf};
use std::process::Command;

use stairway_c::source::{Options, Sources, read};

/// Prints the number of each probe, and what stands at the first addresses as `int`s.
const PRINTER: &str = r#"
#include <stdarg.h>
#include <stdio.h>
void stairway_probe(unsigned long number, int n, ...) {
    va_list locals;
    printf("%lu:", number);
    va_start(locals, n);
    while (n-- > 0) printf(" %d", *va_arg(locals, int *));
    va_end(locals);
    printf("\n");
}
"#;

struct Built {
    folder: tempfile::TempDir,
    sources: Sources,
}

fn write(folder: &Path, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("writable");
    path
}

/// Reads and compiles the files whose names end in `.c`.
fn build(files: &[(&str, &str)], flags: &[&str]) -> Built {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let paths: Vec<PathBuf> =
        files.iter().map(|(name, text)| write(folder.path(), name, text.as_bytes())).collect();
    let mut options =
        Options::new(paths.into_iter().filter(|path| path.extension() == Some("c".as_ref())).collect());
    options.flags = flags.iter().map(ToString::to_string).collect();
    let sources = read(&options).expect("readable");
    assert!(sources.problems.is_empty(), "{:?}", sources.problems);
    write(folder.path(), "printer.c", PRINTER.as_bytes());
    let mut command = Command::new("gcc");
    command.current_dir(folder.path()).args([
        "-g",
        "-O1",
        "-Wall",
        "-Wno-unused",
        "-Wno-comment",
        "-o",
        "program",
    ]);
    command.args(flags).arg("printer.c").args(["-x", "cpp-output"]);
    for (k, unit) in sources.units.iter().enumerate() {
        command.arg(write(folder.path(), &format!("{k}.i"), &unit.text));
    }
    let output = command.output().expect("gcc runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.is_empty(), "{stderr}");
    Built { folder, sources }
}

fn run(built: &Built) -> Vec<String> {
    let output = Command::new(built.folder.path().join("program")).output().expect("runs");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

fn names(built: &Built, probe: usize) -> Vec<&str> {
    built.sources.probes[probe].locals.iter().map(|local| local.name.as_str()).collect()
}

#[test]
fn invariants_are_seen_before_every_condition() {
    let built = build(
        &[(
            "a.c",
            "int main(void) {\n\
               int n = 0;\n\
               for (int i = 0; i < 0x02 /* ! */; i++) /*@ inv i >= 0i32; n >= 0i32; @*/ { n += 10; }\n\
               while (n > 18 /* why */ // not\n) /*@ inv n > 17i32; @*/ n--;\n\
               do /*@ inv n < 100i32; @*/ { n += 50; } while (n < 100);\n\
               for (;;) /*@ inv n > 0i32; @*/ if (n++ > 118) break;\n\
               int j; for (j = 0; ; j++) /*@ inv j < 5i32; @*/ { if (j == 1) break; }\n\
               for (int a = 0, b = 3; a < b, b > a; a++, b--) /*@ inv b > a; @*/ ;\n\
               return n; }\n",
        )],
        &["-Wno-unused-value"],
    );
    let expected = [
        "0: 0 0", "0: 10 1", "0: 20 2", "1: 20", "1: 19", "1: 18", "2: 68", "2: 118", "3: 118", "3: 119",
        "4: 0", "4: 1", "5: 0 3", "5: 1 2", "5: 2 1",
    ];
    assert_eq!(run(&built), expected);
    assert_eq!(names(&built, 0), ["n", "i"]);
    assert_eq!(names(&built, 5), ["a", "b"]);
}

#[test]
fn statements_are_seen_where_they_stand() {
    let built = build(
        &[(
            "a.c",
            "#include <stdio.h>\n\
             #define CHECK /*@ assert(x == 1i32); @*/\n\
             static int f(int x, register int r) {\n\
               /*@ assert(x == r); @*/\n\
               int y = x; /*@ assert(y == x); @*/ /* between */ /*@ assert(r == 0i32); @*/\n\
               if (x) /*@ assert(x == 1i32); @*/ y = 5; else /*@ assert(x == 0i32); @*/ y = 6;\n\
               if (x) CHECK if (y == 5) y++; else y--;\n\
               switch (y) { case 6: /*@ assert(y == 6i32); @*/ y = 7; break; default: y = 8; /*@ assert(y == 8i32); @*/ }\n\
               again: /*@ assert(y > 0i32); @*/ y--; if (y > 6) goto again;\n\
               { int x = 3; /*@ assert(x == 3i32); @*/ (void)x; }\n\
               while (y > 5) /*@ assert(y > 5i32); @*/ y--;\n\
               /*@ unfold P(x); @*/ /*@ split_case y == 1i32; @*/\n\
               /*@ apply lemma(y); @*/\n\
               return y; }\n\
             int main(void) { f(1, 2); puts(\"-\"); f(0, 2); return 0; }\n",
        )],
        &[],
    );
    // Hints to a prover get no probe, and two comments at one place share one.
    let output = run(&built);
    let expected = [
        "0: 1 2", "1: 1 2 1", "2: 1", "4: 1", "5: 6", "7: 7", "8: 3", "9: 6", "10: 1 5", "-", "0: 0 2",
        "1: 0 2 0", "3: 0", "5: 6", "7: 7", "8: 3", "9: 6", "10: 0 5",
    ];
    assert_eq!(output, expected);
}

#[test]
fn lines_and_files_stay_those_of_the_user() {
    let built = build(
        &[
            (
                "a.c",
                "#include \"h.h\"\n#include <stdio.h>\nint main(void) {\n  int v = h(2);\n  /*@ assert(v == 0i32);\n  // more\n  @*/\n  printf(\"%s:%d\\n\", __FILE__, __LINE__);\n  return v; }\n",
            ),
            (
                "h.h",
                "static inline int h(int x) {\n  while (x)\n    /*@ inv x >= 0i32; @*/\n    x--;\n  return x; }\n",
            ),
        ],
        &[],
    );
    let output = run(&built);
    assert_eq!(output[..4], ["0: 2", "0: 1", "0: 0", "1: 0"]);
    assert!(output[4].ends_with("a.c:8"), "{}", output[4]);
    let program = std::fs::read(built.folder.path().join("program")).expect("there");
    let program = stairway_c::dwarf::Program::read(&program).expect("readable");
    let main = program.functions.iter().find(|function| function.name == "main").expect("there");
    assert_eq!((main.line, main.file.as_deref()), (3, Some(built.folder.path().join("a.c").as_path())));
    // Debug information knows the types of the variables that the probes name, by line.
    for probe in &built.sources.probes {
        for local in &probe.locals {
            let path = &built.sources.file(local.file).path;
            let known = program.functions.iter().flat_map(|function| &function.locals).any(|known| {
                known.name == local.name && known.line == local.line && known.file.as_deref() == Some(path)
            });
            assert!(known, "{} at {}:{}", local.name, path.display(), local.line);
        }
    }
}

#[test]
fn flags_of_users_are_no_trouble() {
    let text = "static int f(int n) {\n  int s = 0, i;\n  /*@ assert(s == 0i32); @*/\n  for (i = 0; i < n; i++) /*@ inv s >= i; @*/ { s += 2; }\n  return s; }\n\
        int main(void) { return f(1) - 2; }\n";
    for flags in [
        &["-g", "-std=c99", "-pedantic"][..],
        &["-std=gnu89", "-O2", "-flto"],
        &["-g3", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"],
        &["-std=gnu2x", "-Wextra", "-Werror", "-funsigned-char"],
        &["-fsanitize=thread", "-fPIC"],
    ] {
        let built = build(&[("a.c", text)], flags);
        assert_eq!(run(&built), ["0: 0", "1: 0 0", "1: 2 1"], "{flags:?}");
    }
}

#[test]
fn several_files_share_one_numbering() {
    let loop_of =
        |name: &str| format!("int {name}(int x) {{ while (x > 0) /*@ inv x >= 0i32; @*/ x--; return x; }}\n");
    let built = build(
        &[
            ("a.c", &format!("int g(int); {} int main(void) {{ return f(0) + g(1); }}", loop_of("f"))),
            ("b.c", &loop_of("g")),
            ("c.c", "int nothing;\n"),
        ],
        &[],
    );
    assert_eq!(run(&built), ["0: 0", "1: 1", "1: 0"]);
    let units: Vec<bool> = built.sources.units.iter().map(|unit| unit.has_probes).collect();
    assert_eq!(units, [true, true, false]);
}

#[test]
fn awkward_variables_have_addresses() {
    let built = build(
        &[(
            "a.c",
            "struct s { int a : 3; };\n\
             int f(int n, const int c, int array[], void (*cb)(void)) {\n\
               register const int r = 4, q = 5; volatile int v = 6; int vla[n]; struct s bits = { 1 }; _Bool b = 1;\n\
               static int kept = 9; register int pinned __asm__(\"r12\") = 1; vla[0] = 8; __typeof__(n) t = 10;\n\
               /*@ assert(r == q && v == c && vla[0u64] == n && array == cb && bits.a == b && kept == pinned && t == n); @*/\n\
               return r + q + v + vla[0] + bits.a + b + pinned + t; }\n\
             int main(void) { int a[1] = { 3 }; return f(1, 2, a, 0) == 0; }\n",
        )],
        &[],
    );
    assert_eq!(names(&built, 0), ["n", "c", "array", "cb", "r", "q", "v", "vla", "bits", "b", "kept", "t"]);
    assert_eq!(run(&built).len(), 1);
}

#[test]
fn loops_from_macros_are_rewritten_too() {
    let built = build(
        &[(
            "a.c",
            "#define FOREACH(i, n) for (int i = 0; i < (n); i++)\n\
             #define SEARCH(x) while (x > 1) /*@ inv x > 0i32; @*/ x /= 2\n\
             int main(void) { int x = 4; FOREACH(i, 1) /*@ inv i < 2i32; @*/ { SEARCH(x); } return 0; }\n",
        )],
        &[],
    );
    assert_eq!(run(&built), ["0: 0", "1: 4", "1: 2", "1: 1", "0: 1"]);
}
