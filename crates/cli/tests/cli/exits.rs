//! Exit codes, and what is said with them.

use crate::support::Folder;

const RIGHT: &str = "int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 2 * x; }\n";
const WRONG: &str = "int twice(int x)\n/*@ requires x < 1000i32; x > -1000i32; ensures return == x + x; @*/\n{ return 3 * x; }\n";
const NEVER: &str = "int no(int x)\n/*@ requires x > 5i32; x < 3i32; @*/\n{ return x; }\n";

#[test]
fn what_holds_is_0_and_what_is_broken_1() {
    let ran = Folder::with(RIGHT).test("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("t.c: passed: "), "{}", ran.out);
    let ran = Folder::with(WRONG).test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(
        ran.out.contains("int x1 = twice(") && ran.out.contains("confirmed in a fresh process"),
        "{}",
        ran.out
    );
}

#[test]
fn time_and_jobs_change_no_verdict() {
    let ran = Folder::with(RIGHT).stairway("test t.c --time 0.2 --jobs 2");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let ran = Folder::with(WRONG).stairway("test t.c --time 5 --jobs 2 --no-shrink");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
}

#[test]
fn quiet_says_nothing_but_failures() {
    let ran = Folder::with(RIGHT).test("--quiet");
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", ""));
    assert!(Folder::with(WRONG).test("--quiet").out.contains("does not hold"));
}

#[test]
fn nothing_called_is_2() {
    let ran = Folder::with(NEVER).test("");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.out.contains("NO FUNCTION WAS CALLED"), "{}", ran.out);
    assert!(ran.out.contains("NEVER CALLED: `no`: its precondition was never met"), "{}", ran.out);
}

#[test]
fn nothing_callable_is_2() {
    let ran = Folder::with("int f(int n, ...) { return n; }\n").test("");
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("no function can be called"), "{}", ran.err);
}

#[test]
fn a_function_that_is_demanded_and_never_called_is_2() {
    let both = Folder::with(&format!("{NEVER}{RIGHT}"));
    let ran = both.test("");
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("NEVER CALLED: `no`"), "{}", ran.out);
    let ran = both.test("--demand-all");
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.out.contains("--demand-all"), "{}", ran.out);
    assert_eq!(both.test("--demand-all --only twice").code, 0);
}

#[test]
fn a_file_without_contracts_is_run_all_the_same() {
    let ran = Folder::with("int twice(int x) { return x / 2; }\n").test("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn wrong_command_lines_are_64() {
    let folder = Folder::with(RIGHT);
    for wrong in
        ["", "test", "test t.c --seed x", "test t.c --time nan", "test t.c --no-such-option", "hunt t.c"]
    {
        assert_eq!(folder.stairway(wrong).code, 64, "{wrong}");
    }
    for wrong in ["--only nobody", "--skip nobody", "--init nobody", "--invariant nobody"] {
        let ran = folder.test(wrong);
        assert_eq!(ran.code, 64, "{wrong}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains("no function `nobody`"), "{}", ran.err);
    }
    assert_eq!(folder.test("--invariant twice").code, 64);
    assert_eq!((folder.stairway("--help").code, folder.stairway("--version").code), (0, 0));
}

#[test]
fn wrong_files_are_65() {
    let folder = Folder::with(RIGHT);
    let said = |arguments: &str, words: &str| {
        let ran = folder.stairway(arguments);
        assert_eq!(ran.code, 65, "{arguments}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(words), "{arguments}: {}", ran.err);
    };
    said("test nowhere.c", "nowhere.c");
    said("check nowhere.c", "nowhere.c");
    said("test t.c --cc no-such-compiler", "no-such-compiler");
    folder.write("t.c", "");
    said("test t.c", "is empty");
    folder.write("t.c", "int f(int x) { return y; }\n");
    said("test t.c", "undeclared");
    folder.write("t.c", "struct s { int x; };\n");
    said("test t.c", "no function is defined in the files");
    folder.write("t.c", "int main(void) { return 0; }\n");
    said("test t.c", "`main` is never called");
    folder.write("t.c", "int f(int x) { return x; }\0");
    said("test t.c", "`t.c` is not text");
    for (file, what) in [
        ("t.h", "is a header; name a C file that includes it"),
        ("t.cpp", "is C++, and only C is tested"),
        ("t.txt", "is not named like a C file; its name must end in `.c`"),
        ("t", "is not named like a C file"),
    ] {
        folder.write(file, "int f(int x) { return x; }\n");
        said(&format!("test {file}"), what);
        said(&format!("check {file}"), what);
    }
    said("test .", "`.` is a folder; name the C files in it");
    folder.write("t.c", "int f(int x)\n/*@ ensures return == y; @*/\n{ return x; }\n");
    said("test t.c", "t.c:2");
    said("check t.c", "t.c:2");
}

#[test]
fn a_replay_that_does_not_fit_is_65() {
    let folder = Folder::with(RIGHT);
    for choices in ["#1", "nonsense(", "#1,nobody"] {
        let ran = folder.test(&format!("--replay {choices}"));
        assert_eq!(ran.code, 65, "{choices}: {}{}", ran.out, ran.err);
        assert!(!ran.err.contains("bug of Stairway"), "{}", ran.err);
    }
}

#[test]
fn a_test_that_cannot_be_written_is_65() {
    let ran = Folder::with(WRONG).test("--emit-test no/such/folder.c");
    assert_eq!(ran.code, 65);
    assert!(ran.err.contains("no/such/folder.c"), "{}", ran.err);
}

#[test]
fn clang_finds_what_gcc_finds() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../c/tests/corpus");
    let folder = Folder::with(RIGHT);
    let files = [
        ("stored_struct.fail.c", "`reset`: write of 24 bytes"),
        ("tree_node.fail.c", "the postcondition of `find` does not hold"),
        ("loop_invariant.fail.c", "the loop invariant in"),
        ("callee.fail.c", "the precondition of"),
        ("use_after_free.fail.c", "freed"),
        ("uninitialised.fail.c", ""),
        ("nested_contracts.pass.c", "passed"),
        ("statics.pass.c", "passed"),
    ];
    for (file, words) in files {
        let text = std::fs::read_to_string(corpus.join(file)).expect("is in the corpus");
        folder.write(file, &text);
        let ran = folder.stairway(&format!("test {file} --cc clang --calls 4000"));
        assert_eq!(ran.code, i32::from(file.contains(".fail.")), "{file}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains(words), "{file}: {}", ran.out);
        assert!(!ran.err.contains("cannot instrument"), "{file}: {}", ran.err);
    }
}
