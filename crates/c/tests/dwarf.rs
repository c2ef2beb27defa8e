//! Types, functions, variables and lines of small programs, read back from what gcc makes of them.

use std::path::Path;
use std::process::Command;

use stairway_c::ctypes::{CType, CTypes, Record, Tag, TypeId};
use stairway_c::dwarf::{CFunction, CGlobal, DwarfError, Program};

const FLAGS: &[&str] = &[
    "-g",
    "-O1",
    "-w",
    "-fPIC",
    "-shared",
    "-fno-inline",
    "-fkeep-static-functions",
    "-fkeep-inline-functions",
    "-fno-eliminate-unused-debug-types",
    "-fno-eliminate-unused-debug-symbols",
];

/// Compiles the files `0.c`, `1.c`, … in a folder of their own.
fn object(files: &[&str], flags: &[&str]) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = Command::new("gcc");
    command.current_dir(folder.path()).args(FLAGS).args(flags).args(["-o", "out.so"]);
    for (k, text) in files.iter().enumerate() {
        let name = format!("{k}.c");
        std::fs::write(folder.path().join(&name), text).expect("writable");
        command.arg(name);
    }
    let output = command.output().expect("gcc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(folder.path().join("out.so")).expect("an object")
}

fn program(files: &[&str]) -> Program {
    Program::read(&object(files, &[])).expect("readable debug information")
}

fn global<'a>(program: &'a Program, name: &str) -> &'a CGlobal {
    program.globals.iter().find(|global| global.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn function<'a>(program: &'a Program, name: &str) -> &'a CFunction {
    program.functions.iter().find(|function| function.name == name).unwrap_or_else(|| panic!("no {name}"))
}

fn record(types: &CTypes, ty: TypeId) -> &Record {
    match types.get(ty) {
        CType::Record(id) => types.record(*id),
        other => panic!("not a record: {other:?}"),
    }
}

fn type_name(program: &Program, global_name: &str) -> String {
    program.types.name(global(program, global_name).ty)
}

#[test]
fn plain_types_are_told_apart() {
    let program = program(&["_Bool b; char c; signed char sc; unsigned char uc; short s; unsigned u;\n\
         long long ll; __int128 i; float f; long double ld; _Complex double z;\n\
         _Atomic int ai; int *restrict rp; volatile const int vc = 3;\n\
         typedef int v4 __attribute__((vector_size(16))); v4 vec;"]);
    let kind = |name: &str| program.types.get(global(&program, name).ty).clone();
    assert_eq!(kind("b"), CType::Bool);
    assert_eq!(kind("c"), CType::Char);
    assert!(program.types.char_is_signed);
    let integers = [("sc", 1, true), ("uc", 1, false), ("s", 2, true), ("u", 4, false), ("ll", 8, true)];
    for (name, bytes, signed) in integers.into_iter().chain([("i", 16, true), ("ai", 4, true)]) {
        let CType::Integer { size, is_signed, .. } = kind(name) else { panic!("{name}") };
        assert_eq!((size, is_signed), (bytes, signed), "{name}");
    }
    assert!(matches!(kind("f"), CType::Float { size: 4, .. }));
    assert!(matches!(kind("ld"), CType::Float { size: 16, .. }));
    assert!(matches!(kind("z"), CType::Other { size: 16, .. }));
    assert!(matches!(kind("vec"), CType::Other { size: 16, .. }));
    assert_eq!(type_name(&program, "rp"), "int *");
    assert_eq!(global(&program, "vc").ty, global(&program, "ai").ty);
    assert!(global(&program, "vc").is_const && !global(&program, "ai").is_const);
    assert_eq!(program.types.align(global(&program, "ld").ty), Some(16));
}

#[test]
fn plain_char_follows_the_flag() {
    let object = object(&["char c;"], &["-funsigned-char"]);
    let program = Program::read(&object).expect("readable");
    assert_eq!(*program.types.get(global(&program, "c").ty), CType::Char);
    assert!(!program.types.char_is_signed);
}

#[test]
fn pointers_remember_const_through_typedefs() {
    let program =
        program(&["typedef const int ci; ci *a; const char *b; char *const c; void *d; const void *e;\n\
         int (*f)(int, const char *);"]);
    let is_const = |name: &str| match program.types.get(global(&program, name).ty) {
        CType::Pointer { is_const, .. } => *is_const,
        other => panic!("{other:?}"),
    };
    assert_eq!(["a", "b", "c", "d", "e"].map(is_const), [true, true, false, false, true]);
    assert!(global(&program, "c").is_const);
    let CType::Pointer { to, .. } = program.types.get(global(&program, "f").ty) else { panic!() };
    let CType::Function(signature) = program.types.get(*to) else { panic!() };
    assert_eq!(signature.parameters.len(), 2);
    assert_eq!(signature.parameters[1], global(&program, "b").ty);
}

#[test]
fn arrays_have_their_dimensions() {
    let program =
        program(&["int m[3][4]; int z[0]; struct flex { int n; char rest[]; } *p; extern int e[];\n\
         int *use(void) { return e; } int e[5];"]);
    assert_eq!(type_name(&program, "m"), "int[4][3]");
    assert_eq!(program.types.size(global(&program, "m").ty), Some(48));
    assert_eq!(program.types.size(global(&program, "z").ty), Some(0));
    assert_eq!(program.types.size(global(&program, "e").ty), Some(20));
    let flex = record(&program.types, program.types.tags[&Tag::Struct("flex".into())]);
    assert_eq!((flex.size, flex.members[1].offset), (Some(4), 4));
    assert!(matches!(program.types.get(flex.members[1].ty), CType::Array { len: None, .. }));
}

#[test]
fn records_have_layouts_and_names() {
    let text = "struct node { int v; struct node *next; } *list;\n\
        typedef struct { unsigned a : 3; int b : 7; long c; union { int x; float y; }; struct { char p, q; } in; } named;\n\
        named n; struct __attribute__((packed)) pk { char a; int b; } pk; union u { int i; double d; } u;\n\
        struct outer { char c; struct pk inner; struct node n; } o; struct wide { _Alignas(32) char c; } w;";
    for version in ["-gdwarf-4", "-gdwarf-5"] {
        let program = Program::read(&object(&[text], &[version])).expect("readable");
        let types = &program.types;
        let node_type = types.tags[&Tag::Struct("node".into())];
        let node = record(types, node_type);
        assert_eq!((node.name.as_str(), node.size, node.align), ("node", Some(16), 8));
        assert!(matches!(types.get(node.members[1].ty), CType::Pointer { to, .. } if *to == node_type));
        let named = record(types, types.typedefs["named"]);
        assert_eq!((named.name.as_str(), named.size, named.align), ("named", Some(24), 8), "{version}");
        assert_eq!(named.members[0].bits, Some((0, 3)), "{version}");
        assert_eq!(named.members[1].bits, Some((3, 7)), "{version}");
        assert_eq!((named.members[3].name.as_str(), named.members[3].offset), ("", 16));
        let inner = record(types, named.members[3].ty);
        assert!(inner.is_union && inner.name.is_empty() && inner.members.len() == 2);
        assert_eq!(record(types, named.members[4].ty).members[1].offset, 1);
        let pk = record(types, global(&program, "pk").ty);
        assert_eq!((pk.size, pk.align, pk.members[1].offset), (Some(5), 1, 1));
        assert!(record(types, global(&program, "u").ty).is_union);
        let outer = record(types, global(&program, "o").ty);
        assert_eq!((outer.align, outer.members[2].offset), (8, 8));
        if version == "-gdwarf-5" {
            assert_eq!(record(types, global(&program, "w").ty).align, 32);
        }
    }
}

#[test]
fn enumerations_have_signs_and_constants() {
    let program =
        program(&["enum col { RED, GREEN = 5 } c; enum sg { M = -3, N = 2 } s; enum { LONE = 300 };\n\
         typedef enum { T, BIG = 0x1ffffffffLL } big; big b;"]);
    let of = |name: &str| match program.types.get(global(&program, name).ty) {
        CType::Enum(id) => program.types.enumeration(*id),
        other => panic!("{other:?}"),
    };
    assert!(!of("c").is_signed && of("s").is_signed);
    assert_eq!(of("s").constants, [("M".to_string(), -3), ("N".to_string(), 2)]);
    assert_eq!((of("b").name.as_str(), of("b").size), ("big", 8));
    assert_eq!(program.types.constant("LONE").map(|(_, value)| value), Some(300));
    assert_eq!(program.types.constant("BIG").map(|(_, value)| value), Some(0x1_ffff_ffff));
}

#[test]
fn several_files_make_one_program() {
    let header = "struct pair { int a, b; }; enum e { X, Y }; extern int shared; struct hidden;";
    let first = format!(
        "{header} struct hidden *make(void); struct pair p; struct own {{ int i; }} o1; enum e e1;\n\
         static int twin(void) {{ return 1; }} int one(void) {{ return twin() + shared + (make() != 0); }}"
    );
    let second = format!(
        "{header} struct hidden {{ double d; }} h; struct hidden *make(void) {{ return &h; }} int shared = 4;\n\
         struct pair q; struct own {{ float f; }} o2; enum e e2; static int twin(void) {{ return 2; }}\n\
         int two(void) {{ return twin(); }}"
    );
    let program = program(&[&first, &second]);
    assert_eq!(global(&program, "p").ty, global(&program, "q").ty);
    assert_eq!(global(&program, "e1").ty, global(&program, "e2").ty);
    assert_ne!(global(&program, "o1").ty, global(&program, "o2").ty);
    let hidden = program.types.tags[&Tag::Struct("hidden".into())];
    assert_eq!(program.types.size(hidden), Some(8));
    let make = function(&program, "make");
    assert!(make.is_defined && make.address.is_some());
    assert!(matches!(program.types.get(make.signature.returns), CType::Pointer { to, .. } if *to == hidden));
    assert_eq!(program.functions.iter().filter(|f| f.name == "make").count(), 1);
    let twins: Vec<&str> =
        program.functions.iter().map(|f| &*f.name).filter(|n| n.contains("twin")).collect();
    assert_eq!(twins, ["twin", "twin@1.c:2"]);
    let second = program.find("twin", Path::new("1.c"), 2).expect("found by its place");
    assert_eq!((second.name.as_str(), second.source_name()), ("twin@1.c:2", "twin"));
    assert!(global(&program, "shared").address.is_some());
    assert_eq!(program.globals.iter().filter(|g| g.name == "shared").count(), 1);
}

#[test]
fn functions_have_signatures_and_places() {
    let program = program(&["struct s; int va(const char *format, ...) { return 0; }\n\
        int declared(int);\n\
        int unknown();\n\
        int nothing() { return unknown(1, 2) + declared(3); }\n\
        int old(a, b) int a; float b; { return a + b; }\n\
        static int hidden(int x) { return x; }\n\
        static inline int never(int x) { return x; }\n\
        void take(int array[3], int (*callback)(int)) { }\n\
        __attribute__((noreturn)) void stop(void) { for (;;); }\n\
        int main(void) { return hidden(1); }"]);
    let va = function(&program, "va");
    assert!(va.signature.is_variadic && va.is_prototyped && !va.is_static);
    assert_eq!(va.parameters, ["format"]);
    assert_eq!((va.line, va.file.as_deref().and_then(Path::file_name)), (1, Some("0.c".as_ref())));
    let declared = function(&program, "declared");
    assert!(!declared.is_defined && declared.address.is_none() && !declared.is_static);
    assert!(function(&program, "unknown").signature.is_variadic);
    let nothing = function(&program, "nothing");
    assert!(!nothing.signature.is_variadic && nothing.signature.parameters.is_empty());
    let old = function(&program, "old");
    assert!(!old.is_prototyped && old.parameters == ["a", "b"] && !old.signature.is_variadic);
    let hidden = function(&program, "hidden");
    assert!(hidden.is_static && hidden.address.is_some() && hidden.line == 6);
    assert!(function(&program, "never").address.is_some());
    let take = function(&program, "take");
    assert_eq!(program.types.name(take.signature.parameters[0]), "int *");
    let CType::Pointer { to, .. } = program.types.get(take.signature.parameters[1]) else { panic!() };
    assert_eq!(*to, hidden.ty, "a pointer to functions points to the type of the functions that fit");
    assert!(function(&program, "stop").is_noreturn);
    assert!(program.functions.windows(2).all(|two| two[0].is_defined >= two[1].is_defined));
}

#[test]
fn variables_of_functions_are_known() {
    let program = program(&["static int kept = 1;\n\
        int f(int n) {\n  static int counter = 3; extern int outside;\n  int x = n;\n  { long x = 2; kept += x; }\n\
          return counter += x + outside; }\n\
        int outside; _Thread_local int mine; static const int constant = 7; int g(void) { return constant; }"]);
    let counter = global(&program, "counter");
    assert_eq!((counter.function.as_deref(), counter.line, counter.is_static), (Some("f"), 3, true));
    assert!(counter.address.is_some());
    assert!(global(&program, "mine").is_thread_local && global(&program, "mine").address.is_none());
    let outside: Vec<_> = program.globals.iter().filter(|global| global.name == "outside").collect();
    assert!(outside.len() == 1 && outside[0].address.is_some() && outside[0].function.is_none());
    assert!(!program.globals.iter().any(|global| global.name == "x"));
    let locals: Vec<_> = function(&program, "f").locals.iter().map(|l| (l.name.as_str(), l.line)).collect();
    assert!(locals.contains(&("n", 2)) && locals.contains(&("x", 4)) && locals.contains(&("x", 5)));
    let inner = function(&program, "f").locals.iter().find(|l| l.line == 5).expect("the inner one");
    assert_eq!(program.types.size(inner.ty), Some(8));
}

#[test]
fn functions_are_found_by_their_place() {
    let twin =
        |n: u32| format!("static int twin(void) {{ return {n}; }}\nint use{n}(void) {{ return twin(); }}\n");
    let own = "#include <stdlib.h>\nvoid *malloc(size_t n) { return 0; }\n";
    let program = program(&[&twin(0), &twin(1), own]);
    let find = |name: &str, file: &str, line: u32| {
        program.find(name, Path::new(file), line).and_then(|f| f.file.clone())
    };
    assert!(find("twin", "./0.c", 1).is_some_and(|file| file.ends_with("0.c")));
    assert!(find("twin", "1.c", 1).is_some_and(|file| file.ends_with("1.c")));
    assert!(find("twin", "2.c", 1).is_none() && find("nobody", "0.c", 1).is_none());
    // gcc places library functions where their header declares them.
    assert!(find("malloc", "2.c", 2).is_some());
    assert!(function(&program, "malloc").local("n", 2).is_some());
}

#[test]
fn addresses_have_lines() {
    let program = program(&["int f(int *p) {\n\n  return *p;\n}\nint g(void) { return 2; }"]);
    let f = function(&program, "f");
    let address = f.address.expect("defined");
    let at = program.lines.locate(address).expect("has a line");
    // Of several rows at one address the last one counts: `f` has no prologue.
    assert_eq!((at.line, at.file.file_name()), (3, Some("0.c".as_ref())));
    let g = function(&program, "g").address.expect("defined");
    assert_eq!(program.lines.locate(g).map(|at| at.line), Some(5));
    let lines: Vec<u32> =
        (address..address + f.size).filter_map(|a| Some(program.lines.locate(a)?.line)).collect();
    assert!(lines.contains(&3));
    assert_eq!(program.function_at(address).map(|f| f.name.as_str()), Some("f"));
    assert!(program.lines.locate(u64::MAX).is_none() && program.lines.locate(0).is_none());
}

#[test]
fn code_in_two_parts_is_entered_at_the_first() {
    let text = "void out(int) __attribute__((cold, noreturn));\n\
        __attribute__((noinline)) int f(int x) { if (__builtin_expect(x > 5, 0)) out(x); return x; }";
    let object = object(&[text], &["-O2", "-freorder-blocks-and-partition"]);
    let program = Program::read(&object).expect("readable");
    let f = function(&program, "f");
    assert_eq!(program.lines.locate(f.address.expect("defined")).map(|at| at.line), Some(2));
}

#[test]
fn nonsense_is_an_error() {
    assert!(matches!(Program::read(b""), Err(DwarfError::Object(_))));
    assert!(matches!(Program::read(b"#!/bin/sh\n"), Err(DwarfError::Object(_))));
    assert!(Program::read(b"\x7fELF\x02\x01\x01").is_err());
    let stripped = object(&["int f(void) { return 1; }"], &["-s"]);
    assert!(matches!(Program::read(&stripped), Err(DwarfError::NoDebugInformation)));
}

#[test]
fn damaged_objects_do_not_panic() {
    let whole = object(
        &["struct s { int a : 3; struct s *n; } g; enum e { A, B } h; int f(struct s *p) { return p->a; }"],
        &[],
    );
    for cut in (0..whole.len()).step_by(97) {
        let _ = Program::read(&whole[..cut]);
    }
    // A small generator of our own, so that the damage is the same each time.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut n_errors = 0;
    for _ in 0..600 {
        let mut damaged = whole.clone();
        for _ in 0..8 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let at = (state as usize) % damaged.len();
            damaged[at] = (state >> 32) as u8;
        }
        n_errors += usize::from(Program::read(&damaged).is_err());
    }
    assert!(n_errors > 0);
}
