//! The library as C programs see it: every capability, every mistake, two compilers, C99 and C++,
//! with sanitizers.

mod support;

use std::path::PathBuf;
use support::{Build, crate_folder, has, run, stdout};

/// Strict, and one that is missing says so.
const STRICT: [&str; 5] = ["-pedantic", "-Wconversion", "-Wshadow", "-Wstrict-prototypes", "-g"];

fn source(name: &str) -> PathBuf {
    crate_folder().join("tests/c").join(name)
}

fn passes(name: &str, compiler: &str, flags: &[&str]) -> String {
    let program = format!("{compiler}-{name}-{}", flags.len());
    let built = Build { compiler, flags, sources: &[source(&format!("{name}.c"))], name: &program }.build();
    let output = run(&built, &[]);
    let said = format!("{}{}", stdout(&output), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program}: {}\n{said}", output.status);
    said
}

const SANITIZED: [&str; 5] =
    ["-std=c99", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

#[test]
fn capabilities_hold_under_sanitizers() {
    assert_eq!(passes("features", "gcc", &SANITIZED), "0 wrong\n");
}

#[test]
fn mistakes_have_error_codes_under_sanitizers() {
    assert_eq!(passes("mistakes", "gcc", &SANITIZED), "0 wrong\n");
}

/// Without sanitizers, which take the same signals.
#[test]
fn bodies_that_hang_crash_or_overflow_are_counterexamples() {
    let sources = [source("hangs.c"), crate_folder().join("posix/guard.c")];
    let flags = ["-std=c99", "-pedantic", "-g"];
    let program = Build { compiler: "gcc", flags: &flags, sources: &sources, name: "hangs" }.build();
    let output = run(&program, &[]);
    assert!(output.status.success(), "{}", stdout(&output));
}

/// Reports, aborts and touched ends of arrays fail the property that they happen in, and are made smaller.
#[test]
fn what_a_sanitizer_reports_is_a_counterexample() {
    let sources = [source("asan.c"), crate_folder().join("posix/guard.c")];
    let flags = ["-std=c99", "-g", "-O1", "-fsanitize=address", "-fsanitize-recover=address"];
    let program = Build { compiler: "gcc", flags: &flags, sources: &sources, name: "asan" }.build();
    let output = run(&program, &[]);
    assert_eq!(stdout(&output), "0 wrong\n", "{}", output.status);
}

/// `cargo xtask setup` installs clang; without it, it is said.
#[test]
fn clang_agrees_with_gcc() {
    if !has("clang") {
        eprintln!("SKIPPED: clang is not installed; run `cargo xtask setup`");
        return;
    }
    passes("features", "clang", &["-std=c99", "-O2"]);
    passes("mistakes", "clang", &["-std=c99", "-O2"]);
}

#[test]
fn the_header_compiles_as_c_and_as_cpp_without_warnings() {
    let languages: [(&str, &[&str]); 4] = [
        ("gcc", &["-std=c99"]),
        ("clang", &["-std=c99"]),
        ("g++", &["-x", "c++", "-std=c++11"]),
        ("clang++", &["-x", "c++", "-std=c++17"]),
    ];
    for (compiler, language) in languages {
        if !has(compiler) {
            eprintln!("SKIPPED: {compiler} is not installed; run `cargo xtask setup`");
            continue;
        }
        let is_cpp = compiler.ends_with("++");
        let strict = STRICT.iter().filter(|flag| !is_cpp || **flag != "-Wstrict-prototypes");
        let flags: Vec<&str> = language.iter().chain(strict).copied().collect();
        passes("header", compiler, &flags);
    }
}

#[test]
fn the_stack_is_as_small_as_the_header_says() {
    passes("stack", "gcc", &["-std=gnu99", "-pthread"]);
}

/// The header asserts the layouts that `abi.rs` asserts. Compilers for machines without an operating system have options of
/// their own that change them, and C++ and C99 say assertions differently: all have to agree.
#[test]
fn every_compiler_lays_the_structs_out_alike() {
    let header: &[&str] = &["-ffreestanding", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let compilers: [(&str, &[&str]); 8] = [
        ("gcc", &["-std=c99", "-fshort-enums"]),
        ("clang", &["-std=c99"]),
        ("arm-none-eabi-gcc", &["-std=c99", "-mcpu=cortex-m3", "-mthumb"]),
        ("arm-none-eabi-gcc", &["-std=c99", "-mcpu=cortex-m3", "-mthumb", "-fno-short-enums"]),
        ("riscv64-unknown-elf-gcc", &["-std=c99", "-march=rv32imac", "-mabi=ilp32"]),
        ("riscv64-unknown-elf-gcc", &["-std=c99", "-march=rv64gc", "-mabi=lp64d"]),
        ("clang", &["-std=c99", "--target=thumbv7m-none-eabi"]),
        ("clang", &["-std=c99", "--target=riscv32-unknown-elf", "-fshort-enums"]),
    ];
    for (compiler, flags) in compilers {
        let mut command = std::process::Command::new(compiler);
        command.args(header).args(flags).args(["-x", "c"]).arg(crate_folder().join("include/stairway.h"));
        let output = command.output().expect("`cargo xtask setup` installs the compilers");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{command:?}:\n{said}");
    }
}

/// An ABI that the library was not compiled for is an error where the header is included, not garbage at run time.
#[test]
fn another_layout_is_refused_by_the_header() {
    let mut clang = std::process::Command::new("clang");
    clang.args([
        "-ffreestanding",
        "-fsyntax-only",
        "-std=c99",
        "--target=avr",
        "-mmcu=atmega328p",
        "-x",
        "c",
    ]);
    let output = clang.arg(crate_folder().join("include/stairway.h")).output().expect("clang is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("sw_layout_of_"), "{said}");
}

/// The program at the top of the header is the first that users copy: it compiles, and it says what the
/// header claims.
#[test]
fn the_example_in_the_header_works() {
    let header = std::fs::read_to_string(crate_folder().join("include/stairway.h")).expect("the header");
    let lines = header.lines().skip_while(|line| !line.contains("- example --"));
    let comment: Vec<&str> = lines.take_while(|line| !line.contains("- building --")).collect();
    let (code, shown) = comment.split_at(
        comment.iter().position(|line| line.contains("this prints")).expect("the example shows a report"),
    );
    let unindent = |lines: &[&str]| -> String {
        let text = lines.iter().skip(1).map(|line| line.strip_prefix(" *     ").unwrap_or(""));
        text.map(|line| format!("{line}\n")).collect()
    };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("example.c"), code_lines(code)).expect("a temporary file");
    let flags = ["-std=c99", "-pedantic", "-I"];
    let mut flags: Vec<&str> = flags.to_vec();
    let queue = source("");
    let queue = queue.to_str().expect("a path in UTF-8");
    flags.push(queue);
    let built =
        Build { compiler: "gcc", flags: &flags, sources: &[folder.join("example.c")], name: "example" };
    let output = stdout(&run(&built.build(), &[]));
    let shown = unindent(shown);
    let shown = shown.trim().replace("example.c", &folder.join("example.c").display().to_string());
    assert!(output.contains(&shown), "the header shows\n{shown}\nand the program prints\n{output}");
}

/// The code of the example, one line for each line of the comment.
fn code_lines(comment: &[&str]) -> String {
    let code = comment.iter().skip(2).take_while(|line| !line.starts_with(" * If"));
    code.map(|line| format!("{}\n", line.strip_prefix(" *     ").unwrap_or(""))).collect()
}

/// The last line is for machines.
#[test]
fn json_is_json() {
    let program =
        Build { compiler: "gcc", flags: &["-std=c99"], sources: &[source("queue.c")], name: "json-queue" };
    let text = stdout(&run(&program.build(), &[]));
    let line = text.lines().last().expect("a line of JSON");
    let json: serde_json::Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(json["result"], "SW_FAILED");
    assert_eq!(json["failed"]["property"], "enqueue");
    assert_eq!(json["failed"]["steps"], 3);
    assert_eq!(json["failed"]["minimal"], true);
}

/// What a program is linked with that has nothing.
const BARE: [&str; 8] = [
    "-std=c99",
    "-O2",
    "-DBARE",
    "-ffreestanding",
    "-fno-builtin",
    "-nostdlib",
    "-static",
    "-Wl,--gc-sections",
];

/// No C library, no start-up code: what is left is the code of the example and of the library. It is the
/// same code as everywhere, so a seed gives the same tests and the same report.
#[test]
fn a_program_without_anything_prints_the_same_and_is_small() {
    let memory = crate_folder().join("freestanding/memory.c");
    let bare =
        Build { compiler: "gcc", flags: &BARE, sources: &[source("queue.c"), memory], name: "bare-queue" };
    let hosted =
        Build { compiler: "gcc", flags: &["-std=c99"], sources: &[source("queue.c")], name: "hosted" };
    let bare = bare.build();
    let output = run(&bare, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert_eq!(stdout(&output), stdout(&run(&hosted.build(), &[])));
    assert!(text_size(&bare) < 200 * 1024, "{} bytes of text", text_size(&bare));
}

/// The size of the section `.text`.
fn text_size(program: &std::path::Path) -> u64 {
    let output = std::process::Command::new("size").arg("-A").arg(program).output().expect("binutils");
    let sizes = stdout(&output);
    let line = sizes.lines().find(|line| line.starts_with(".text")).expect("a section `.text`");
    line.split_whitespace().nth(1).and_then(|size| size.parse().ok()).expect("a size")
}
