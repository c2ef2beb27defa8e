//! Campaigns: AFL++ and libFuzzer search, and what they find is reported like everything else. Where one of
//! them is not installed its test says so and ends.

use crate::support::{Folder, Ran};
use std::path::Path;
use std::process::{Command, Stdio};

/// The page of the book; its file fails as soon as it is called with a large number.
const PAGE: &str = include_str!("../../../../docs/campaigns.md");

/// The first block of a language on the page.
fn block(language: &str) -> &'static str {
    let text = PAGE.split_once(&format!("```{language}\n")).expect("there is a block").1;
    text.split_once("```").expect("it ends").0
}

fn clip() -> Folder {
    let folder = Folder::with("");
    folder.write("clip.c", block("c"));
    folder
}

/// It is in the same words as on the page, shrunk, with the command that repeats it.
fn is_reported(ran: &Ran) {
    assert!(ran.out.starts_with(block("text")), "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("found in an input of a fuzzer, shrunk"), "{}", ran.out);
    assert!(ran.out.contains("replay: stairway test clip.c --"), "{}", ran.out);
}

/// Whether a program is there; if not, that is printed.
fn is_there(program: &str, asked: &[&str]) -> bool {
    let asked = Command::new(program).args(asked).stdin(Stdio::null()).output();
    let is_there = asked.is_ok_and(|output| output.status.success() || program == "afl-fuzz");
    if !is_there {
        eprintln!("skipped: {program} is not installed, or cannot do what a campaign needs");
    }
    is_there
}

/// Both an `afl-fuzz` that is bounded by executions and one that meets the bug at once are deterministic enough.
#[test]
fn two_instances_of_afl_share_a_folder_and_what_they_find_is_shrunk() {
    if !is_there("afl-fuzz", &["-h"]) {
        return;
    }
    let folder = clip();
    let ran = folder.stairway("fuzz clip.c --jobs 2 --executions 400 --keep-going --seed 1");
    let logs = ["main", "secondary-1"].map(|name| {
        std::fs::read_to_string(folder.path().join(format!("stairway-fuzz/clip.c/{name}.log")))
            .unwrap_or_default()
    });
    assert_eq!(ran.code, 1, "{}{}\n{}\n{}", ran.out, ran.err, logs[0], logs[1]);
    is_reported(&ran);
    for instance in ["main", "secondary-1"] {
        let stats = folder.read(&format!("stairway-fuzz/clip.c/afl/{instance}/fuzzer_stats"));
        assert!(stats.contains("execs_done"), "{stats}");
    }
    // It is stored like any other failure, and what the fuzzer has kept can be read back.
    assert!(
        folder
            .stairway("test clip.c --calls 3000")
            .out
            .contains("found again, as it was stored by an earlier run")
    );
    std::fs::remove_dir_all(folder.path().join("stairway-regressions")).expect("it was stored");
    let ran = folder.stairway("test clip.c --calls 3000 --corpus stairway-fuzz/clip.c/afl");
    is_reported(&ran);
}

/// Whether clang can link libFuzzer.
fn has_libfuzzer() -> bool {
    let works = ["-fsanitize=fuzzer", "-x", "c", "-o", "/dev/null", "-"];
    let source = Folder::with("");
    source.write("e.c", "int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return 0; }\n");
    let file = source.path().join("e.c");
    let asked: Vec<&str> = works[..5].iter().copied().chain([file.to_str().expect("a path")]).collect();
    is_there("clang", &asked)
}

#[test]
fn libfuzzer_finds_it_through_the_same_target() {
    if !has_libfuzzer() {
        return;
    }
    let folder = clip();
    let ran = folder.stairway("fuzz clip.c --engine libfuzzer --executions 20000 --seed 1");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    is_reported(&ran);
}

/// What `build.sh` makes runs in another folder, without a compiler, and without the sources.
#[test]
fn the_build_for_oss_fuzz_makes_a_target_that_needs_no_compiler() {
    if !has_libfuzzer() || !is_there("zip", &["-v"]) {
        return;
    }
    let folder = clip();
    std::fs::create_dir(folder.path().join("data")).expect("a folder can be made");
    folder.write("data/greeting", "hello\n");
    let ran = folder.stairway("fuzz clip.c --seed 1 --oss-fuzz oss-fuzz --files data -- -DX=$1");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.starts_with("oss-fuzz/out/clip_fuzzer is a target with "), "{}", ran.out);
    let script = folder.read("oss-fuzz/build.sh");
    assert!(
        script.contains("stairway fuzz clip.c --seed 1 --files data --oss-fuzz \"$made\" -- '-DX=$1'"),
        "{script}"
    );
    assert!(folder.read("oss-fuzz/project.yaml").contains("libfuzzer"));
    assert!(folder.read("oss-fuzz/Dockerfile").contains("COPY build.sh $SRC/"));

    let program = Path::new(env!("CARGO_BIN_EXE_stairway")).parent().expect("it is in a folder");
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let made = |name: &str| folder.path().join("image").join(name);
    for name in ["work", "out", "runs"] {
        std::fs::create_dir_all(made(name)).expect("a folder can be made");
    }
    let mut build = Command::new("bash");
    build.arg("oss-fuzz/build.sh").current_dir(folder.path()).env("PATH", path);
    build.env("WORK", made("work")).env("OUT", made("out"));
    build.env("LIB_FUZZING_ENGINE", "-fsanitize=fuzzer").env("CFLAGS", "-g");
    let built: Ran = build.output().expect("bash starts").into();
    assert_eq!(built.code, 0, "{}{}", built.out, built.err);
    assert!(made("out/clip_fuzzer_seed_corpus.zip").is_file());
    std::fs::rename(folder.path().join("clip.c"), folder.path().join("elsewhere.c")).expect("it is there");
    std::fs::rename(made("out"), made("moved")).expect("it is there");

    let mut fuzzer = Command::new(made("moved/clip_fuzzer"));
    fuzzer.args(["-runs=20000", "-seed=1"]).current_dir(made("runs")).env("PATH", "/nowhere");
    let ran: Ran = fuzzer.output().expect("the target starts").into();
    assert!(ran.code != 0 && ran.err.contains("deadly signal"), "{}{}", ran.out, ran.err);
    std::fs::rename(folder.path().join("elsewhere.c"), folder.path().join("clip.c")).expect("it is there");
    is_reported(&folder.stairway("test clip.c --calls 1 --corpus image/runs"));

    // What is damaged is told, and not run.
    folder.write("image/moved/clip_fuzzer.task", "stairway stored\n0.0.1 0123456789abcdef\n");
    let ran = folder.stairway("__target image/moved/clip_fuzzer.task");
    assert_eq!(ran.code, 65, "{}", ran.err);
    assert!(
        ran.err.contains("was written by another build of Stairway (0.0.1 0123456789abcdef)"),
        "{}",
        ran.err
    );
}

/// Without a file of its own: `afl-fuzz` is started by the user, and the command is the target.
#[test]
fn the_command_itself_is_a_target() {
    if !is_there("afl-fuzz", &["-h"]) {
        return;
    }
    let folder = clip();
    std::fs::create_dir(folder.path().join("seeds")).expect("a folder can be made");
    folder.write("seeds/0", "\0");
    let mut fuzzer = Command::new("afl-fuzz");
    fuzzer.args(["-i", "seeds", "-o", "out", "-t", "120000", "-E", "50", "-s", "1", "--"]);
    fuzzer.args([env!("CARGO_BIN_EXE_stairway"), "fuzz", "clip.c"]).current_dir(folder.path());
    fuzzer.envs(
        ["AFL_SKIP_BIN_CHECK", "AFL_SKIP_CPUFREQ", "AFL_NO_AFFINITY", "AFL_NO_UI"].map(|name| (name, "1")),
    );
    let ran: Ran =
        fuzzer.env("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1").output().expect("it starts").into();
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(folder.path().join("out/default/fuzzer_stats").is_file());
}

#[test]
fn a_campaign_that_cannot_begin_says_why() {
    let folder = clip();
    let ran = folder.stairway_with("PATH", "/nowhere", "fuzz clip.c");
    assert_eq!(
        (ran.code, &*ran.err),
        (65, "afl-fuzz is not installed; this installs it: sudo apt-get install afl++\n")
    );
    let ran = folder.stairway_with("PATH", "/nowhere", "fuzz clip.c --engine libfuzzer");
    assert!(ran.code == 65 && ran.err.starts_with("clang is not installed"), "{}", ran.err);
    let ran = folder.stairway("test clip.c --corpus nowhere");
    assert_eq!(ran.code, 65, "{}", ran.err);
    assert!(ran.err.contains("the corpus nowhere for `clip.c` cannot be read"), "{}", ran.err);
    assert_eq!(folder.stairway("fuzz clip.c --secondary ../x").code, 64);
}

#[test]
fn a_fuzzer_that_dies_is_reported_with_its_last_words() {
    let folder = clip();
    folder.write("afl-fuzz", "#!/bin/sh\n[ \"$1\" = -h ] || { echo no cores left; exit 3; }\n");
    let fake = folder.path().join("afl-fuzz");
    make_executable(&fake);
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap_or_default());
    let ran = folder.stairway_with("PATH", path, "fuzz clip.c");
    assert_eq!(ran.code, 65, "{}{}", ran.out, ran.err);
    assert!(ran.err.contains("afl-fuzz ended with exit status: 3"), "{}", ran.err);
    assert!(ran.err.contains("no cores left"), "{}", ran.err);
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
}
