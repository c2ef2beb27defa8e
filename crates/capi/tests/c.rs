//! The library as C programs see it: every capability, every mistake, two compilers, C99 and C++,
//! with sanitizers.

mod support;

use stairway_capi::abi;
use std::mem::{offset_of, size_of};
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

/// Members that lie elsewhere in Rust than in C would be read as something else.
#[test]
fn both_languages_lay_the_structs_out_alike() {
    macro_rules! size {
        ($($name:literal: $type:ty,)*) => { vec![$(($name.to_string(), size_of::<$type>()),)*] };
    }
    macro_rules! at {
        ($($name:literal: $type:ty, $member:ident;)*) => {
            vec![$((format!("{}.{}", $name, stringify!($member)), offset_of!($type, $member)),)*]
        };
    }
    let mut expected = size! {
        "sw_generator": abi::Generator, "sw_real_range": abi::RealRange, "sw_array": abi::Array,
        "sw_argument": abi::Argument, "sw_statistic": abi::Statistic, "sw_property": abi::Property,
        "sw_demand": abi::Demand, "sw_set": abi::Set, "sw_settings": abi::Settings, "sw_report": abi::Report,
        "sw_verdict": abi::Verdict, "sw_result": std::ffi::c_int,
    };
    expected.extend(at! {
        "sw_generator": abi::Generator, n_choices; "sw_property": abi::Property, arguments;
        "sw_property": abi::Property, weight; "sw_set": abi::Set, reset; "sw_set": abi::Set, n_demands;
        "sw_settings": abi::Settings, seed; "sw_settings": abi::Settings, json;
        "sw_settings": abi::Settings, statistics; "sw_settings": abi::Settings, guard;
        "sw_settings": abi::Settings, panic; "sw_report": abi::Report, failed_line;
        "sw_report": abi::Report, is_minimal; "sw_report": abi::Report, new_transition_chance;
    });
    let expected: String = expected.iter().map(|(name, n)| format!("{name} {n}\n")).collect();
    assert_eq!(passes("layout", "gcc", &["-std=c99"]), expected);
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
