//! The case study on emulated boards: what is found there is what is found here, from the same seed.
//!
//! One Cortex-M and one RISC-V are part of every test run; the boards of the other targets are behind `cargo xtask test --full`,
//! because each needs a library of its own.

#[path = "../../../crates/capi/tests/support/mod.rs"]
mod support;

use embedded::board::{AN385, Board, Ended, LM3S6965, OTHERS, RV32};
use embedded::sections;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use support::{Build, crate_folder, run, stdout};

fn c(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("c").join(name)
}

/// The library for a target, built once.
fn archive(board: &Board) -> PathBuf {
    static BUILT: Mutex<BTreeMap<&str, PathBuf>> = Mutex::new(BTreeMap::new());
    // What panicked while it held the lock had not built anything.
    let mut built = BUILT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let archive = || board.archive(&[]).unwrap_or_else(|why| panic!("{why}"));
    built.entry(board.target).or_insert_with(archive).clone()
}

/// A program of the study: its files and, where it is run here, whether under the POSIX guard.
struct Study {
    name: &'static str,
    sources: &'static [&'static str],
    bug: u32,
}

const QUEUE: &[&str] = &["queue/queue.c", "queue/properties.c"];
const SCHEDULER: &[&str] = &["scheduler/scheduler.c", "scheduler/properties.c"];

impl Study {
    fn on(&self, board: &Board) -> Ended {
        let name = format!("{}-{}-{}.elf", self.name, self.bug, board.target);
        self.on_with(board, &name, &[])
    }

    fn on_with(&self, board: &Board, name: &str, flags: &[&str]) -> Ended {
        let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let sources: Vec<PathBuf> = self.sources.iter().map(|source| c(source)).collect();
        let bug = format!("-DBUG={}", self.bug);
        let mut flags = flags.to_vec();
        flags.push(&bug);
        board.image(&archive(board), &sources, &flags, &image).unwrap_or_else(|why| panic!("{why}"));
        board.run(&image).unwrap_or_else(|why| panic!("{why}"))
    }

    /// Runs it on this machine, for comparison with a board; tests of several boards run at the same time.
    fn here(&self, board: &Board) -> (Option<i32>, String) {
        let mut sources: Vec<PathBuf> = self.sources.iter().map(|source| c(source)).collect();
        sources.push(crate_folder().join("posix/guard.c"));
        let (bug, name) =
            (format!("-DBUG={}", self.bug), format!("{}-{}-{}", self.name, self.bug, board.target));
        let posix = crate_folder().join("posix").display().to_string();
        let flags = ["-std=gnu99", "-O1", "-DGUARD", &bug, "-I", &posix];
        let program = Build { compiler: "gcc", flags: &flags, sources: &sources, name: &name }.build();
        let output = run(&program, &["1"]);
        (output.status.code(), stdout(&output))
    }
}

/// A report without what differs between machines: what a crash is called.
fn comparable(report: &str) -> String {
    let names = ["SIGSEGV", "UsageFault", "instruction access fault"];
    names.iter().fold(report.to_string(), |text, name| text.replace(name, "a trap"))
}

/// Every planted bug, by failing checks, by a body that never returns and by one that crashes; and none where there is none.
fn finds_what_is_found_here(board: &Board) {
    let studies = [
        ("queue", QUEUE, 0),
        ("queue", QUEUE, 1),
        ("queue", QUEUE, 2),
        ("queue", QUEUE, 3),
        ("queue", QUEUE, 4),
    ];
    let scheduler = [0, 12, 13, 14].map(|bug| ("scheduler", SCHEDULER, bug));
    for (name, sources, bug) in studies.into_iter().chain(scheduler) {
        let study = Study { name, sources, bug };
        let (code, text) = study.here(board);
        let there = study.on(board);
        assert_eq!(comparable(&there.text), comparable(&text), "{name} {bug} on {}", board.name);
        assert_eq!((there.code, code), (code, Some(i32::from(bug != 0))), "{name} {bug} on {}", board.name);
    }
}

#[test]
fn a_cortex_m3_finds_what_is_found_here() {
    finds_what_is_found_here(&LM3S6965);
}

#[test]
fn a_32_bit_riscv_finds_what_is_found_here() {
    finds_what_is_found_here(&RV32);
}

#[test]
#[ignore = "each target needs a library of its own; `cargo xtask test --full` runs it"]
fn the_ring_buffer_runs_on_every_target() {
    // One board that cannot do it says nothing about the others.
    let failed: Vec<&str> =
        OTHERS.iter().filter(|board| !runs_the_ring_buffer(board)).map(|board| board.name).collect();
    assert!(failed.is_empty(), "it does not run on {failed:?}");
}

/// Whether the ring buffer says on a board what it says here, with a bug and without.
fn runs_the_ring_buffer(board: &Board) -> bool {
    let ran = std::panic::catch_unwind(|| {
        for bug in [0, 4] {
            let study = Study { name: "queue", sources: QUEUE, bug };
            let (code, text) = study.here(board);
            let there = study.on(board);
            assert_eq!((there.text, there.code), (text, code), "bug {bug} on {}", board.name);
        }
    });
    eprintln!("{}: {}", board.name, if ran.is_ok() { "ok" } else { "FAILED" });
    ran.is_ok()
}

/// Code for a Cortex-M3: at most 120 KB with everything, 64 KB without shrinking and statistics; and what is left still finds a bug.
#[test]
fn the_library_fits_into_the_program_memory_of_a_cortex_m3() {
    for (without, kilobytes) in [(&[][..], 120), (&["shrinking", "statistics"], 64)] {
        let archive = LM3S6965.archive(without).unwrap_or_else(|why| panic!("{why}"));
        let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("without-{}.elf", without.len()));
        let sources: Vec<PathBuf> = QUEUE.iter().map(|source| c(source)).collect();
        let built = LM3S6965.image(&archive, &sources, &["-DBUG=2"], &image);
        built.unwrap_or_else(|why| panic!("{why}"));
        let text = sections::size(&image, ".text").unwrap_or_else(|why| panic!("{why}"));
        assert!(text <= kilobytes * 1024, "without {without:?}: {text} bytes of code");
        let there = LM3S6965.run(&image).unwrap_or_else(|why| panic!("{why}"));
        assert!(
            there.text.contains("FAILED: `enqueue` does not hold"),
            "without {without:?}: {}",
            there.text
        );
    }
}

/// A body that uses up the whole stack leaves nothing for the processor's own frame, and is a counterexample like any other.
#[test]
fn a_stack_that_overflows_is_a_counterexample() {
    for (board, fault) in [(LM3S6965, "BusFault"), (RV32, "store access fault")] {
        let there = Study { name: "scheduler", sources: SCHEDULER, bug: 16 }.on(&board);
        let crash = format!("FAILED: `block` crashes ({fault})\n");
        let steps = "  spawn(priority = 0)\n      gives task 0\n  spawn(priority = 0)\n      gives task 1\n  block(task = task 1)\n";
        assert!(there.text.contains(&crash) && there.text.contains(steps), "{}: {}", board.name, there.text);
        assert_eq!(there.code, Some(1), "{}", board.name);
    }
}

/// A set of sixteen properties, one of them over arrays of ten bytes, in 32 KB; and as much stack as the header says.
#[test]
fn sixteen_properties_fit_into_32_kilobytes() {
    for board in [LM3S6965, RV32] {
        let study = Study { name: "sixteen", sources: &["sixteen.c"], bug: 0 };
        let there = study.on(&board);
        assert_eq!(there.code, Some(0), "{}: {}", board.name, there.text);
    }
}

/// A buffer that is too small is named with what is needed, before anything runs.
#[test]
fn a_buffer_that_is_too_small_is_an_error_with_the_size_that_is_needed() {
    let study = Study { name: "small", sources: QUEUE, bug: 0 };
    let there = study.on_with(&LM3S6965, "small.elf", &["-DMEMORY_KB=8"]);
    assert!(
        there.text.contains("SW_ERROR_MEMORY") && there.text.contains("it has 8192 bytes and"),
        "{}",
        there.text
    );
    assert_eq!(there.code, Some(250), "the error code, as eight bits");
}

/// FreeRTOS in its port for the Cortex-M3, with a timer of the board that watches over bodies: every bug of the threads is found by the
/// sequence that the README shows for the POSIX port, and one in which a body never returns.
#[test]
fn freertos_runs_the_thread_properties_on_a_cortex_m3() {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("a README");
    for bug in [0, 5, 6, 7, 8, 9, 15] {
        let there = freertos(bug);
        let report = there.text.replace(&format!("{}/", env!("CARGO_MANIFEST_DIR")), "");
        match bug {
            0 => assert!(report.contains("PASSED: 50 tests"), "{report}"),
            15 => assert!(
                report.contains("`create or delete` does not return") && report.contains("SW_HANG"),
                "{report}"
            ),
            _ => assert!(readme.contains(report.trim()), "bug {bug}: {report}"),
        }
        assert_eq!(there.code, Some(i32::from(bug != 0)), "bug {bug}: {report}");
    }
}

fn freertos(bug: u32) -> Ended {
    let kernel = Path::new(embedded::FREERTOS_KERNEL);
    let of_kernel =
        ["tasks.c", "queue.c", "list.c", "portable/MemMang/heap_4.c", "portable/GCC/ARM_CM3/port.c"];
    let mut sources: Vec<PathBuf> = of_kernel.iter().map(|source| kernel.join(source)).collect();
    sources.extend(["threads/properties.c", "threads/threads.c", "threads/freertos.c"].map(c));
    let folders =
        [c("threads"), c("freestanding"), kernel.join("include"), kernel.join("portable/GCC/ARM_CM3")];
    let folders = folders.map(|folder| format!("-I{}", folder.display()));
    let bug = format!("-DBUG={bug}");
    // The warnings in FreeRTOS are not ours.
    let mut flags = vec!["-w", "-DBOARD_HAS_OWN_TIMER", "-DMEMORY_KB=64", bug.as_str()];
    flags.extend(folders.iter().map(String::as_str));
    let image = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("freertos{bug}.elf"));
    AN385.image(&archive(&AN385), &sources, &flags, &image).unwrap_or_else(|why| panic!("{why}"));
    AN385.run(&image).unwrap_or_else(|why| panic!("{why}"))
}
