//! `stairway embedded`: programs on boards. Here a board is this machine: the program of the book's page, linked with the library for this
//! machine, whose output is the link. That emulated boards say the same is tested in `case-studies/embedded`.

use crate::support::{Folder, Ran};
use serialport::{SerialPort, TTYPort};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `libstairway.a` for this machine.
fn archive() -> &'static Path {
    static ARCHIVE: OnceLock<PathBuf> = OnceLock::new();
    ARCHIVE.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--package", "xtask", "--", "capi"]).current_dir(root());
        let output = cargo.output().expect("cargo runs the tests, so it is there");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
    })
}

/// A folder with the image `board`.
fn board(program: &str) -> Folder {
    let folder = Folder::with(program);
    build(&folder, "board", &[archive().to_path_buf()]);
    folder
}

/// Compiles `t.c` for this machine as a board.
fn build(folder: &Folder, name: &str, with: &[PathBuf]) {
    let capi = root().join("crates/capi");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1"]).current_dir(folder.path());
    for include in ["include", "boards", "posix", "host"] {
        gcc.arg("-I").arg(capi.join(include));
    }
    gcc.arg("t.c").arg(capi.join("host/board.c")).arg(capi.join("posix/guard.c")).args(with);
    let output = gcc.args(["-o", name]).output().expect("gcc starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn timer() -> Folder {
    board(&std::fs::read_to_string(root().join("examples/board/timer.c")).expect("the example"))
}

/// Runs the image, with further arguments.
fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
    command.args(["embedded", "run", "board"]).args(arguments).current_dir(folder.path());
    command.output().expect("the command starts").into()
}

#[test]
fn a_failing_sequence_is_reported_and_becomes_a_test_in_c() {
    let folder = timer();
    let ran = run(&folder, &["--command", "./$IMAGE", "--emit-test", "failure.c"]);
    insta::assert_snapshot!(ran.out);
    assert_eq!((ran.code, &*ran.err), (1, "the sequence is written to failure.c\n"));
    // It fails without the library, and passes where the bug is gone.
    let sequence = root().join("crates/capi/host/sequence.c");
    build(&folder, "test", &[folder.path().join("failure.c"), sequence.clone()]);
    let output = Command::new(folder.path().join("test")).output().expect("it was built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains("timer_has_expired() is 1, real_now >= real_deadline is 0"), "{printed}");
    let mended = folder.read("t.c").replace("return now >= deadline;", "return real_now >= real_deadline;");
    folder.write("t.c", &mended);
    let mended = mended
        .replace("static bool timer_has", "static uint32_t real_now, real_deadline;\nstatic bool timer_has");
    folder.write("t.c", &mended);
    build(&folder, "test", &[folder.path().join("failure.c"), sequence]);
    let output = Command::new(folder.path().join("test")).output().expect("it was built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{printed}");
}

/// A stack of boxes: arguments of every kind, results of earlier steps, two sets, notes, demands, statistics and a passing run.
const EVERYTHING: &str = include_str!("board.c");

#[test]
fn a_passing_run_says_what_was_exercised() {
    let ran = run(&board(EVERYTHING), &["--command", "./$IMAGE"]);
    insta::assert_snapshot!(ran.out);
    assert_eq!((ran.code, &*ran.err), (0, ""));
}

#[test]
fn arrays_results_and_generators_of_ones_own_are_drawn_again() {
    let folder = board(&EVERYTHING.replace("#define BUG 0", "#define BUG 1"));
    let ran = run(&folder, &["--command", "./$IMAGE", "--emit-test", "failure.c"]);
    insta::assert_snapshot!(ran.out);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let sequence = root().join("crates/capi/host/sequence.c");
    build(&folder, "test", &[folder.path().join("failure.c"), sequence]);
    let output = Command::new(folder.path().join("test")).output().expect("it was built");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    insta::assert_snapshot!(printed);
    assert_eq!(output.status.code(), Some(1), "{printed}");
}

#[test]
fn a_crash_and_a_hang_are_reported() {
    for (bug, code, said) in
        [(2, 1, "`boxes: drop` crashes: SIGSEGV"), (3, 1, "`boxes: drop` does not return")]
    {
        let folder = board(&EVERYTHING.replace("#define BUG 0", &format!("#define BUG {bug}")));
        let ran = run(&folder, &["--command", "./$IMAGE"]);
        assert!(ran.code == code && ran.out.contains(said), "bug {bug}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn a_link_that_drops_repeats_or_garbles_is_named() {
    let folder = timer();
    let links = [
        ("./$IMAGE | sed 5d", 65, "the link lost 1 frame (number 4)"),
        ("./$IMAGE | sed '5s/.$//'", 65, "the link garbled 1 frame"),
        ("./$IMAGE | sed '5s/t/tt/'", 65, "the link garbled 1 frame"),
        ("./$IMAGE | tr e f", 65, "the link garbled "),
        ("./$IMAGE | sed 5p", 1, "the link repeated 1 frame, which is ignored"),
        ("./$IMAGE | head -n 9", 2, "in the middle of a run"),
        ("head -n 9 trace; cat trace", 1, "the board began anew in the middle of a run"),
        ("echo hello; ./$IMAGE", 1, "board: hello"),
        ("echo hello", 65, "no frame was received: the machine ended with code 0; does the program set"),
        ("exit 3", 65, "no frame was received: the machine ended with code 3"),
    ];
    let trace = Command::new("./board").current_dir(folder.path()).output().expect("it was built");
    std::fs::write(folder.path().join("trace"), trace.stdout).expect("the folder can be written");
    for (link, code, said) in links {
        let ran = run(&folder, &["--command", link]);
        assert!(ran.code == code && ran.err.contains(said), "{link}: {}: {}{}", ran.code, ran.err, ran.out);
        assert_eq!(ran.out.contains("do not hold"), code == 1, "{link}: {}", ran.out);
    }
}

/// The sizes and limits that a program gives wrongly are named as the board names them.
#[test]
fn what_the_program_gives_wrongly_is_named() {
    let small = std::fs::read_to_string(root().join("examples/board/timer.c")).expect("the example");
    let ran = run(&board(&small.replace("memory[32 * 1024]", "memory[1024]")), &["--command", "./$IMAGE"]);
    assert_eq!(ran.code, 65);
    assert!(
        ran.err.starts_with("board: SW_ERROR_MEMORY: the buffer is too small")
            && ran.err.contains("it has 1024 bytes and "),
        "{}",
        ran.err
    );
}

#[test]
fn wrong_command_lines_are_explained() {
    let folder = Folder::with("");
    let wrong = [
        (&["run", "board"][..], 65, "`board` is no file"),
        (
            &["run", "t.c"],
            64,
            "say where to run it: --board, --command or --serial; boards that can be emulated are",
        ),
        (
            &["run", "t.c", "--board", "arduino"],
            64,
            "there is no board `arduino`; boards that can be emulated are lm3s6965evb",
        ),
        (&["run", "t.c", "--serial", "/dev/nowhere"], 65, "cannot open the serial port /dev/nowhere"),
        (&["run", "t.c", "--board", "lm3s6965evb", "--serial", "/dev/x"], 64, "cannot be used with"),
        (&["run", "t.c", "--command", "true", "--baud", "9600"], 64, "--serial <PORT>"),
    ];
    for (arguments, code, said) in wrong {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
        let output = command.arg("embedded").args(arguments).current_dir(folder.path()).output();
        let ran = Ran::from(output.expect("the command starts"));
        assert!(ran.code == code && ran.err.contains(said), "{arguments:?}: {}: {}", ran.code, ran.err);
    }
}

/// A board at a serial port: the first frames of a run that was under way are skipped, and the report is that of the emulator.
#[test]
fn a_board_at_a_serial_port_is_the_same_command() {
    let folder = timer();
    let output = Command::new("./board").current_dir(folder.path()).output().expect("it was built");
    let expected = run(&folder, &["--command", "./$IMAGE"]).out;
    let (mut board, port) = TTYPort::pair().expect("a pseudo terminal");
    let name = port.name().expect("its name");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
    command.args([
        "embedded",
        "run",
        "board",
        "--serial",
        &name,
        "--baud",
        "9600",
        "--command",
        "echo > started",
    ]);
    command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the command starts");
    // The port was opened, and set to its ways, before the command that starts the board was run.
    while !folder.path().join("started").exists() {
        std::thread::yield_now();
    }
    let lines = output.stdout.split_inclusive(|byte| *byte == b'\n');
    let late: Vec<u8> = lines.skip(4).take(3).flatten().copied().collect();
    board.write_all(&late).and_then(|()| board.write_all(&output.stdout)).expect("the port is open");
    let ran = Ran::from(child.wait_with_output().expect("the command ends"));
    drop(port);
    assert_eq!((ran.code, ran.out), (1, expected), "{}", ran.err);
    assert_eq!(ran.err, "board: the board is running already; reset it\n");
}

/// The way from an empty folder to a failure on an emulated board and back to this machine, as the book has it: each command is run, and
/// prints what is shown below it.
#[test]
fn the_commands_of_the_book_lead_to_a_failure_on_a_board() {
    let root = root().canonicalize().expect("the project");
    let page = std::fs::read_to_string(root.join("docs/embedded.md")).expect("the page");
    let section = page.split("## On an emulated board in five minutes").nth(1).expect("the section");
    let section = section.split("\n## ").next().unwrap_or("");
    let blocks = section.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let (mut commands, mut shown) = (Vec::new(), Vec::new());
    for block in blocks {
        let (own, output): (Vec<&str>, Vec<&str>) = block.lines().partition(|line| line.starts_with("$ "));
        commands.extend(own.iter().filter_map(|line| line.strip_prefix("$ ")));
        shown.push(output.join("\n"));
    }
    // The library may be built elsewhere; the page has it where it is unless somebody says otherwise.
    let folder =
        std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| root.join("target").display().to_string());
    let script = commands.join("\n").replace("$STAIRWAY/target", &folder);
    let empty = Folder::with("");
    let command = Path::new(env!("CARGO_BIN_EXE_stairway")).parent().expect("a folder");
    let path = format!("{}:{}", command.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(script).current_dir(empty.path()).env("STAIRWAY", &root).env("PATH", path);
    let ran = Ran::from(shell.output().expect("a shell"));
    for shown in shown {
        assert!(
            ran.out.contains(&shown),
            "the book shows\n{shown}\nand the commands print\n{}{}",
            ran.out,
            ran.err
        );
    }
    assert_eq!(ran.code, 1, "the sequence fails on this machine too");
}
