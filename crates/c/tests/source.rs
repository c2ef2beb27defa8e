//! Specs, functions and constants of small C files: what is found, where, and what it belongs to.

use std::path::{Path, PathBuf};

use stairway_c::source::{Options, Place, ProblemKind, SourceError, Sources, SpecItem, read};

/// A folder with files; the first one is read.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Folder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("writable");
        }
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn read(&self, names: &[&str]) -> Sources {
        let files = names.iter().map(|name| self.path(name)).collect();
        read(&Options::new(files)).expect("readable")
    }
}

fn sources(text: &str) -> Sources {
    let folder = Folder::new(&[("a.c", text.as_bytes())]);
    folder.read(&["a.c"])
}

/// An item as a line: its place, its locals, its pieces.
fn show(sources: &Sources, item: &SpecItem) -> String {
    let name = |function| sources.function(function).name.as_str();
    let place = match &item.place {
        Place::TopLevel => "top".to_string(),
        Place::Contract { function } => format!("contract {}", name(*function)),
        Place::Prototype { name, line } => format!("prototype {name}:{line}"),
        Place::Loop { function, line } => format!("loop {}:{line}", name(*function)),
        Place::Statement { function } => format!("statement {}", name(*function)),
        Place::Ghost { function, callee } => format!("ghost {} {callee}", name(*function)),
    };
    let locals: Vec<String> =
        item.locals.iter().map(|local| format!("{}:{}", local.name, local.line)).collect();
    let pieces: Vec<&str> = item.pieces.iter().map(|piece| sources.text(piece).trim()).collect();
    format!("{place} [{}] {}", locals.join(" "), pieces.join(" | "))
}

fn shown(sources: &Sources) -> Vec<String> {
    sources.items.iter().map(|item| show(sources, item)).collect()
}

fn problems(sources: &Sources) -> Vec<(u32, ProblemKind)> {
    sources.problems.iter().map(|problem| (problem.comment.line, problem.kind)).collect()
}

#[test]
fn every_place() {
    let sources = sources(
        "/*@ predicate (void) P(pointer p) { return; } @*/\n\
         int g(int a);\n\
         /*@ requires a > 0i32; @*/ // in between\n\
         /*@ ensures return == 0i32; @*/\n\
         /*@ spec h(i32 a); @*/\n\
         /*@ requires a < 9i32; @*/\n\
         int h(int);\n\
         int f(int x, int *p)\n\
         /*@ requires x < 3i32; @*/ /* plain */\n\
         /*@ ensures return == 0i32; */\n\
         {\n\
           /*@ accesses y; @*/\n\
           int n = 0;\n\
           /*@ assert(n == 0i32); @*/\n\
           for (int i = 0; i < 9; i++) /*@ inv i >= 0i32; @*/ /*@ inv n >= 0i32; @*/ { int k = i; n += k; }\n\
           while (n > 0)\n\
           { /*@ inv true; @*/ n--; }\n\
           do /*@ inv n == 1i32; @*/ n++; while (n < 3);\n\
           g(x /*@ 1i32 @*/);\n\
           return 0; }\n\
         /*@ lemma l() requires true; @*/\n",
    );
    assert_eq!(
        shown(&sources),
        [
            "top [] predicate (void) P(pointer p) { return; }",
            "prototype g:2 [] requires a > 0i32; | ensures return == 0i32;",
            "top [] spec h(i32 a); | requires a < 9i32;",
            "contract f [] requires x < 3i32; | ensures return == 0i32; | accesses y;",
            "statement f [x:8 p:8 n:13] assert(n == 0i32);",
            "loop f:15 [x:8 p:8 n:13 i:15] inv i >= 0i32; | inv n >= 0i32;",
            "loop f:16 [x:8 p:8 n:13] inv true;",
            "loop f:18 [x:8 p:8 n:13] inv n == 1i32;",
            "ghost f g [] 1i32",
            "top [] lemma l() requires true;",
        ]
    );
    assert_eq!(problems(&sources), []);
}

#[test]
fn positions_are_exact() {
    let text = "#define MAX 64 /* wide */\n#define SQ(x) ((x) * (x))\nint a = SQ(MAX);  /*@ function (i32) one() { 1i32 } @*/ int b;\n\
        static   int\n  f ( int x ) /*@ requires x < MAX; @*/\n{ return SQ(x); }\n";
    let sources = sources(text);
    let spans: Vec<&str> = sources.items.iter().map(|item| &text[item.pieces[0].comment.clone()]).collect();
    assert_eq!(spans, ["/*@ function (i32) one() { 1i32 } @*/", "/*@ requires x < MAX; @*/"]);
    assert_eq!(sources.text(&sources.items[1].pieces[0]), " requires x < MAX; ");
    let f = &sources.functions[0];
    assert_eq!(f.line, 5);
    assert_eq!(&text[f.header.clone()], "static   int\n  f ( int x )");
    assert_eq!(&text[f.body.clone()], "{ return SQ(x); }");
}

#[test]
fn equal_comments_in_one_line_are_different_places() {
    let text =
        "int f(void) /*@ requires true; @*/ { return 1; } int g(void) /*@ requires true; @*/ { return 2; }\n";
    let sources = sources(text);
    assert_eq!(sources.items[0].pieces[0].comment.start, 12);
    assert_eq!(sources.items[1].pieces[0].comment.start, text.rfind("/*@").expect("there"));
    assert_eq!(&text[sources.functions[1].body.clone()], "{ return 2; }");
}

#[test]
fn inactive_branches_do_not_exist() {
    let sources = sources(
        "#ifdef NOWHERE\n/*@ function (i32) no() { 1i32 } @*/\n#else\n/*@ function (i32) yes() { 1i32 } @*/\n#endif\n\
         #ifdef __cerb__\n/*@ function (i32) cerb() { 1i32 } @*/\n#endif\n\
         #if defined(CN_MODE) && 0\nint f(void) /*@ requires true; @*/ {\n#else\nint f(int x) /*@ requires x > 0i32; @*/ {\n#endif\n  return 0; }\n\
         const char *s = \"/*@ no @*/\"; char q = '\"'; /* /*@ no @*/\n",
    );
    assert_eq!(
        shown(&sources),
        [
            "top [] function (i32) yes() { 1i32 }",
            "top [] function (i32) cerb() { 1i32 }",
            "contract f [] requires x > 0i32;",
        ]
    );
}

#[test]
fn flags_decide_what_is_active() {
    let folder = Folder::new(&[(
        "a.c",
        b"#include \"x.h\"\n#ifdef WANTED\nint f(void) /*@ requires true; @*/ { return VALUE; }\n#endif\n",
    )]);
    std::fs::create_dir(folder.path("inc")).expect("a folder");
    std::fs::write(folder.path("inc").join("x.h"), "#define VALUE 77\n/*@ type_synonym t = i32 @*/\n")
        .expect("writable");
    let mut options = Options::new(vec![folder.path("a.c")]);
    assert!(matches!(read(&options), Err(SourceError::Rejected { stderr, .. }) if stderr.contains("x.h")));
    options.include_dirs.push(folder.path("inc"));
    options.defines.push("WANTED=1".into());
    let sources = read(&options).expect("readable");
    assert_eq!(shown(&sources), ["top [] type_synonym t = i32", "contract f [] requires true;"]);
    assert!(sources.functions[0].constants.integers.contains(&77));
    options.flags.push("-UWANTED".into());
    assert!(read(&options).expect("readable").functions.is_empty());
}

#[test]
fn macros_may_hide_anything() {
    let sources = sources(
        "#define INV /*@ inv i >= 0i32; @*/\n\
         #define FOREACH(i, n) for (int i = 0; i < (n); i++)\n\
         #define DEFINE(name) int name(int x) /*@ requires x > 0i32; @*/ { return x; }\n\
         #define CALL(f, a) f(a)\n\
         DEFINE(made)\n\
         int f(int n) { FOREACH(i, n) INV { n--; }\n\
           return CALL(made,\n\
                       n /*@ 5i32 @*/\n\
                  ); }\n",
    );
    assert_eq!(
        shown(&sources),
        ["contract made [] requires x > 0i32;", "loop f:6 [n:6 i:6] inv i >= 0i32;", "ghost f made [] 5i32"]
    );
    let lines: Vec<u32> = sources.items.iter().map(|item| item.pieces[0].line).collect();
    assert_eq!(lines, [3, 1, 8]);
    assert_eq!(problems(&sources), []);
}

#[test]
fn unusual_functions_keep_their_contracts() {
    let sources = sources(
        "int old(a, b) int a; char *b; /*@ requires a > 1i32; @*/ { return a; }\n\
         __attribute__((noinline)) static int *attr(int x) __attribute__((x)) /*@ requires x > 2i32; @*/ { return 0; }\n\
         int (*fp(int y))(int) /*@ requires y > 3i32; @*/ { return 0; }\n\
         struct s { int a; } ret(struct s v) /*@ requires v.a > 4i32; @*/ { return v; }\n\
         __extension__ __typeof__(int) ext(void) /*@ requires true; @*/ { __asm__ volatile (\"\" ::: \"memory\"); return 0; }\n\
         implicit(x) /*@ requires x > 5i32; @*/ { return x; }\n\
         [[gnu::unused]] int c2x(int z) /*@ requires z > 6i32; @*/ { switch (z) { case 1 ... 5: return 0; } return 1; }\n\
         extern int proto(int a) /*@ requires a > 7i32; @*/;\n\
         _Noreturn void stop(void) /*@ ensures false; @*/ { for (;;) {} }\n",
    );
    let contracts: Vec<String> =
        shown(&sources).iter().map(|line| line.split(" []").next().unwrap_or_default().to_string()).collect();
    assert_eq!(
        contracts,
        [
            "contract old",
            "contract attr",
            "contract fp",
            "contract ret",
            "contract ext",
            "contract implicit",
            "contract c2x",
            "prototype proto:8",
            "contract stop"
        ]
    );
    assert_eq!(problems(&sources), []);
}

#[test]
fn what_belongs_nowhere_is_reported() {
    let sources = sources(
        "/*@ requires true; @*/\n\
         int a; /*@ ensures true; @*/\n\
         /*@ inv true; @*/\n\
         /*@ assert(true); @*/\n\
         struct s { int x; /*@ what @*/ };\n\
         int f(int x) { /*@ inv x; @*/\n\
           x = 1 + /*@ assert(true); @*/ 2;\n\
           if (x) { x = 2; } /*@ assert(true); @*/ else { x = 3; }\n\
           x = 4; /*@ ensures true; @*/\n\
           return x; }\n\
         //@ requires x;\n\
         //@ an ordinary remark\n\
         int d(int x); /* @ requires x; @*/ /* @ an ordinary remark */ /** @requires x */\n\
         # 5 \"nowhere.y\"\n\
         /*@ function (i32) found() { 1i32 } @*/\n",
    );
    use ProblemKind::*;
    assert_eq!(
        problems(&sources),
        [
            (11, LineComment),
            (13, DetachedAt),
            (1, NoFunction),
            (2, NoFunction),
            (3, NoLoop),
            (4, NoStatement),
            (5, Misplaced),
            (6, NoLoop),
            (7, Misplaced),
            (8, Misplaced),
            (9, NoFunction),
        ]
    );
    // A `#line` directive may lie; the comment is still where it is.
    assert_eq!(shown(&sources), ["top [] function (i32) found() { 1i32 }"]);
    assert_eq!(sources.items[0].pieces[0].line, 15);
}

#[test]
fn broken_code_does_not_lose_contracts() {
    let sources = sources(
        "int @@ ( [ } broken;\nint f(int x) /*@ requires x > 1i32; @*/ { return x; }\n\
         ) ) } int g(int y) /*@ requires y > 1i32; @*/ { while (y) /*@ inv y; @*/ { y--; } }\n",
    );
    let n_found = sources.items.len() + sources.problems.len();
    assert_eq!(n_found, 3, "{:?} {:?}", shown(&sources), problems(&sources));
    assert!(shown(&sources).contains(&"contract f [] requires x > 1i32;".to_string()));
    assert!(shown(&sources).contains(&"contract g [] requires y > 1i32;".to_string()));
}

#[test]
fn scopes_are_those_of_c() {
    let sources = sources(
        "int g; typedef int T;\n\
         int f(int x, int (*cb)(int inner), T arr[3]) {\n\
           int proto(int y); T *p = 0, q[2]; enum { A, B }; typedef int L;\n\
           { long x = 1;\n\
             static int s; /*@ assert(true); @*/ int later; }\n\
           /*@ assert(true); @*/\n\
           if (x) /*@ assert(true); @*/ x = 2;\n\
           switch (x) { case 1: /*@ assert(true); @*/ break; default: ; int z; /*@ assert(true); @*/ }\n\
           label: /*@ assert(true); @*/ x = ({ int in = 3; /*@ assert(true); @*/ in; });\n\
           return 0; }\n",
    );
    let scopes: Vec<String> = shown(&sources);
    assert_eq!(
        scopes,
        [
            "statement f [cb:2 arr:2 p:3 q:3 x:4 s:5] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3 z:8] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3] assert(true);",
            "statement f [x:2 cb:2 arr:2 p:3 q:3 in:9] assert(true);",
        ]
    );
}

#[test]
fn constants_are_collected_by_function() {
    let sources = sources(
        "#include <assert.h>\n#include <limits.h>\n#define LIMIT 4096\nint table[] = { 17, 18 };\n\
         int f(int x) { assert(x == 42); if (x > LIMIT || x == 'q') return -7; return INT_MAX; }\n\
         const char *g(void) { return \"hello\" \"!\"; }\n",
    );
    let integers = |k: usize| sources.functions[k].constants.integers.iter().copied().collect::<Vec<_>>();
    // Neither the line number nor the texts that `assert` brings along.
    assert_eq!(integers(0), [-7, 42, 113, 4096, i128::from(i32::MAX)]);
    assert!(!sources.functions[0].constants.strings.iter().any(|text| text.ends_with(b"a.c")));
    assert_eq!(sources.functions[1].constants.strings.iter().collect::<Vec<_>>(), [&b"hello!".to_vec()]);
    assert!(sources.constants.integers.contains(&17) && !sources.constants.integers.contains(&42));
}

#[test]
fn headers_count_once() {
    let header = "#pragma once\n#include <stdlib.h>\n/*@ function (i32) two() { 2i32 } @*/\n\
        static inline int h(int x) /*@ requires x > 0i32; @*/ { while (x > 3) /*@ inv x > 2i32; @*/ x--; return x; }\n\
        int j(int y);\n/*@ requires y > 0i32; @*/\n/*@ inv lost; @*/\n";
    let folder = Folder::new(&[
        ("a.c", b"#include \"h.h\"\nint j(int y) { return h(y); }\n"),
        ("b.c", b"#include \"h.h\"\nint k(int y) /*@ ensures true; @*/ { return h(y) + j(y); }\n"),
        ("h.h", header.as_bytes()),
    ]);
    let sources = folder.read(&["a.c", "b.c"]);
    assert_eq!(
        shown(&sources),
        [
            "top [] function (i32) two() { 2i32 }",
            "contract h [] requires x > 0i32;",
            "loop h:4 [x:4] inv x > 2i32;",
            "prototype j:5 [] requires y > 0i32;",
            "contract k [] ensures true;"
        ]
    );
    assert_eq!(sources.functions.iter().map(|f| f.name.as_str()).collect::<Vec<_>>(), ["h", "j", "k"]);
    assert_eq!(
        sources.probes.iter().map(|probe| (probe.unit, probe.item)).collect::<Vec<_>>(),
        [(0, 2), (1, 2)]
    );
    assert_eq!(sources.problems.len(), 1);
    let of = |item: usize| sources.file(sources.items[item].pieces[0].file).path.file_name();
    assert_eq!(of(0), Some(Path::new("h.h").as_os_str()));
}

#[test]
fn carriage_returns_and_other_bytes() {
    let folder = Folder::new(&[
        ("a.c", "int f(int x)\r\n/*@ requires\r\n  x > 0i32; @*/ { return x; } /* \u{fc} */\r\n".as_bytes()),
        ("b.c", b"char *s = \"\xfc\xe9\"; int f(int x) /*@ requires x > 0i32; @*/ { return x; }\n/*@ function (i32) \xfc() { 1i32 } @*/\n"),
        ("c.c", "\u{feff}int gr\u{fc}n(int x) /*@ requires x > 0i32; // \u{fc} @*/ { int \u{e4} = 1; /*@ assert(\u{e4} == 1i32); @*/ return x; }\n".as_bytes()),
    ]);
    let a = folder.read(&["a.c"]);
    assert_eq!(shown(&a), ["contract f [] requires\r\n  x > 0i32;"]);
    let b = folder.read(&["b.c"]);
    assert_eq!(shown(&b), ["contract f [] requires x > 0i32;"]);
    assert_eq!(problems(&b), [(2, ProblemKind::NotUtf8)]);
    let c = folder.read(&["c.c"]);
    assert_eq!(c.functions[0].name, "gr\u{fc}n");
    assert_eq!(c.probes[0].locals[0].name, "\u{e4}");
}

#[test]
fn bad_input_is_an_error() {
    let folder = Folder::new(&[
        ("empty.c", b" \n"),
        ("open.c", b"int a; /*@ requires"),
        ("string.c", b"#error no thanks\n"),
        ("-flag.c", b"int a;"),
    ]);
    let error = |name: &str| read(&Options::new(vec![folder.path(name)])).expect_err("an error");
    assert!(matches!(error("none.c"), SourceError::Unreadable { .. }));
    assert!(matches!(error("."), SourceError::NotC { .. }));
    assert!(matches!(error("empty.c"), SourceError::Empty { .. }));
    assert!(
        matches!(error("open.c"), SourceError::Rejected { stderr, .. } if stderr.contains("unterminated comment"))
    );
    assert!(error("string.c").to_string().contains("no thanks"));
    assert!(matches!(read(&Options::new(Vec::new())), Err(SourceError::NoFiles)));
    let mut options = Options::new(vec![folder.path("-flag.c")]);
    assert!(read(&options).is_ok());
    options.flags = vec!["-P".into()];
    assert!(matches!(read(&options), Err(SourceError::NoLines { .. })));
    options.compiler = "no-such-compiler".into();
    assert!(matches!(read(&options), Err(SourceError::Compiler { .. })));
}

#[test]
fn large_and_deep_files_are_read() {
    let mut long = String::new();
    for k in 0..5_000 {
        long.push_str(&format!(
            "int f{k}(int x)\n/*@ requires x > {k}i32; @*/\n{{ int y = x;\n/*@ assert(y == x); @*/\n  return y + {k}; }}\n"
        ));
    }
    let sources_of_long = sources(&long);
    assert_eq!((sources_of_long.functions.len(), sources_of_long.items.len()), (5_000, 10_000));
    assert_eq!(sources_of_long.items[9_999].pieces[0].line, 24_999);
    let deep = format!(
        "int f(int x) /*@ requires x; @*/ {} x = {}1{}; /*@ assert(x); @*/ {} int g(void) /*@ ensures true; @*/ {{ return 1; }}",
        "{".repeat(20_000),
        "(".repeat(20_000),
        ")".repeat(20_000),
        "}".repeat(20_000)
    );
    let garbage = "if ) ( { int ] ; } while [ a , ".repeat(10_000);
    let folder = Folder::new(&[("a.c", garbage.as_bytes())]);
    assert!(matches!(read(&Options::new(vec![folder.path("a.c")])), Err(SourceError::Rejected { .. })));
    let sources_of_deep = sources(&deep);
    assert_eq!(sources_of_deep.items.len() + sources_of_deep.problems.len(), 3);
    for opening in ["{", "(", "[", "if (x) ", "struct s { ", "int f() { for (", "a ? "] {
        let text = format!("int a; {}", opening.repeat(5_000));
        let folder = Folder::new(&[("a.c", text.as_bytes())]);
        let _ = read(&Options::new(vec![folder.path("a.c")]));
    }
}

fn watched(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.c");
    std::fs::write(&path, text).expect("writable");
    let sources = read(&Options::new(vec![path])).expect("readable");
    let copy = sources.units[0].watched.clone().unwrap_or_default();
    let copy = String::from_utf8(copy).expect("text");
    copy.lines().filter(|line| !line.starts_with(['#', 'e'])).collect::<Vec<_>>().join("\n")
}

#[test]
fn local_variables_that_pointers_may_run_over_are_fenced() {
    assert_eq!(watched("int f(int n) { int x = n; static int s[3]; return x + s[0]; }\n"), "");
    let one = watched("void g(int *); void f(void) { int a[3]; int x; int y; g(&x); g(a); }\n");
    assert_eq!(one.matches("stairway_fence_unset((void *)").count(), 2, "{one}");
    assert!(one.contains("__typeof__(a) stairway_z1 __attribute__((cleanup(stairway_unfence)));"), "{one}");
    assert!(one.contains("sizeof x, \"x\");"), "{one}");
    let set = watched("void g(int *); void f(void) { int x = 1; g(&x); }\n");
    assert!(set.contains("stairway_fence((void *)"), "{set}");
    let by_next = watched("int *g(int **); void f(void) { int *p, *q = g(&p); }\n");
    assert!(by_next.contains("stairway_fence((void *)"), "{by_next}");
    assert!(!by_next.contains("stairway_fence_unset((void *)"), "{by_next}");
    let both = watched("void f(void) { int *a[3], b[] = { 1 }, c[4][2] = { 0 }; }\n");
    assert!(
        both.contains("*a[3]/*<*/, *stairway_z1[3] __attribute__((cleanup(stairway_unfence)))"),
        "{both}"
    );
    assert!(both.contains("__typeof__(b) stairway_z2"), "{both}");
    assert!(both.contains(", stairway_z3[4][2] "), "{both}");
    let later = watched("void f(int n) { int a[n + 1]; char *p = __builtin_alloca(n); }\n");
    assert!(later.contains("char stairway_b1[stairway_width]"), "{later}");
    assert!(later.contains("stairway_fenced(/*>*/__builtin_alloca(/*<*/stairway_sized(/*>*/n"), "{later}");
}

#[test]
fn structs_of_calls_go_through_variables() {
    let text = "typedef struct s { int a; } t; t make(void); int take(int, t); struct s *find(void);\n\
                t g; void f(t *p, int c) { *p = make(); g = c ? *p : (make()); p = find(); take(c, *p); take(c, make()); }\n";
    let copy = watched(text);
    assert_eq!(copy.matches("__auto_type stairway_v = (").count(), 3, "{copy}");
    assert!(
        copy.contains("take(c, /*<*/__extension__({ __auto_type stairway_v = (/*>*/*p/*<*/); stairway_v; })"),
        "{copy}"
    );
}
