//! The first minutes and the kit for CI: what `init` writes runs, settings come from files, every way to end has JSON, and stored
//! failures are kept in order by a command.

use crate::options::json;
use crate::support::Folder;

const BROKEN: &str = "int up(int x)\n/*@ requires x >= 0i32; x < 1000i32; ensures return > x; @*/\n\
    { return x == 7 ? x : x + 1; }\nint lone(int x) { return x; }\n";

#[test]
fn a_first_contract_is_written_and_found_broken() {
    let folder = Folder::with("");
    let ran = folder.stairway("init first.c");
    assert_eq!((ran.code, &*ran.out), (0, "wrote first.c; next:\n\n    stairway test first.c\n"));
    let ran = folder.stairway("test first.c --calls 3000");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("the postcondition of `counter_up` does not hold"), "{}", ran.out);
    // A file that is there is left alone, and gets settings beside it, once.
    let ran = folder.stairway("init first.c");
    assert!(ran.code == 0 && ran.out.starts_with("wrote stairway.toml"), "{}", ran.out);
    assert_eq!(folder.stairway("check first.c").code, 0, "all settings are comments");
    let ran = folder.stairway("init first.c");
    assert_eq!((ran.code, ran.err.contains("exist already")), (65, true), "{}", ran.err);
    let ran = folder.stairway("init --model Queue");
    assert_eq!((ran.code, ran.err.contains("there is no Cargo.toml here")), (65, true), "{}", ran.err);
    folder.write("Cargo.toml", "[package]\nname = \"a\"\n");
    let ran = folder.stairway("init --model RingQueue");
    assert!(
        ran.out.contains("tests/ring_queue_model.rs") && ran.out.contains("cargo add --dev"),
        "{}",
        ran.out
    );
    assert!(folder.read("tests/ring_queue_model.rs").contains("#[model(system = RingQueue)]"));
    assert_eq!(folder.stairway("init --contract Queue<u8>").code, 64);
}

#[test]
fn settings_come_from_files_and_the_command_line_wins() {
    let folder = Folder::with(BROKEN);
    folder.write("Cargo.toml", "[package.metadata.stairway.test]\nseed = 3\ncalls = 50\nskip = [\"up\"]\n");
    folder.write("stairway.toml", "[test]\nseed = \"0x4\"\n");
    let seed = |line: &str| json(&folder.stairway(line))["seed"].clone();
    assert_eq!(seed("test t.c --json"), "0x4");
    assert_eq!(seed("test t.c --json --seed 5"), "0x5");
    folder.write("stairway.toml", "[test]\nseeds = 4\n");
    let ran = folder.stairway("test t.c --json");
    assert_eq!((ran.code, &json(&ran)["outcome"]), (65, &"bad input".into()));
    assert!(
        ran.err.starts_with("stairway.toml: there is no option `seeds`; `[test]` takes cc, seed, time"),
        "{}",
        ran.err
    );
}

#[test]
fn every_exit_code_has_json() {
    let folder = Folder::with(BROKEN);
    folder.write("wrong.c", "int f(int x)\n/*@ requires y > 0i32; @*/\n{ return x; }\n");
    folder.write("text.txt", "hello");
    for (line, code, outcome) in [
        ("test t.c --json --calls 200 --skip up", 0, "passed"),
        ("test t.c --json --calls 2000", 1, "falsified"),
        ("test nowhere.c --json", 65, "bad input"),
        ("test text.txt --json", 65, "bad input"),
        ("test wrong.c --json", 65, "bad input"),
        ("test t.c --json --only nothing", 64, "usage"),
        ("test t.c --json --tiem 3", 64, "usage"),
        ("test t.c --json --time 0", 64, "usage"),
        ("test t.c --json --jobs 0", 64, "usage"),
        ("test t.c --format json --shard 3/2", 64, ""),
    ] {
        let ran = folder.stairway(line);
        assert_eq!(ran.code, code, "{line}: {}{}", ran.out, ran.err);
        if !outcome.is_empty() {
            let report = json(&ran);
            assert_eq!((&report["version"], &report["outcome"]), (&1.into(), &outcome.into()), "{line}");
            let has_error = report["error"]["exit_code"] == code && report["error"]["message"].is_string();
            assert_eq!(has_error, code > 2, "{line}: {report}");
        }
    }
}

#[test]
fn reports_for_ci_name_the_function_and_the_line() {
    let folder = Folder::with(BROKEN);
    let ran = folder.stairway("test t.c --calls 2000 --format github --junit junit.xml");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let annotation = ran.out.lines().find(|line| line.starts_with("::error ")).expect("an annotation");
    assert!(annotation.starts_with("::error file=t.c,line=2,col="), "{annotation}");
    assert!(annotation.contains("%0A    int x1 = up("), "{annotation}");
    let junit = folder.read("junit.xml");
    assert!(junit.contains("<testsuite name=\"t.c\" tests=\"2\" failures=\"1\" errors=\"0\""), "{junit}");
    assert!(junit.contains("<testcase classname=\"t.c\" name=\"lone\""), "{junit}");
    assert!(junit.contains(
        "name=\"up\"><failure message=\"the postcondition of `up` does not hold: return &gt; x\">"
    ));
    let ran = folder.stairway("test nowhere.c --format github --junit junit.xml");
    assert!(
        ran.code == 65 && ran.out.starts_with("::error title=stairway::cannot read `nowhere.c`"),
        "{}",
        ran.out
    );
    assert!(folder.read("junit.xml").contains("<error message=\"cannot read `nowhere.c`"));
    let ran = folder.stairway("test t.c --calls 100 --skip up --junit no/such/folder.xml");
    assert_eq!((ran.code, ran.err.contains("name another file with --junit")), (65, true), "{}", ran.err);
}

/// The steps of both servers' recipes are the same, and each part of the search is run as the recipe says.
#[test]
fn the_recipes_for_servers_are_commands_that_run() {
    let page = include_str!("../../../../docs/ci.md");
    let recipes: Vec<&str> =
        page.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(recipes.len(), 2);
    let (github, gitlab) = (recipes[0], recipes[1]);
    let steps = |recipe: &'static str, mark: &str| -> Vec<&'static str> {
        recipe.lines().filter_map(|line| line.trim_start().strip_prefix(mark)).collect()
    };
    let github = steps(github, "- run: ");
    let gitlab = steps(gitlab, "- ");
    for steps in [&github, &gitlab] {
        assert_eq!(steps[..2], ["cargo install --locked --path stairway/crates/cli", "cargo test"]);
        assert_eq!(steps.len(), 3);
    }
    let folder = Folder::with("");
    std::fs::create_dir_all(folder.path().join("include")).expect("a folder");
    std::fs::create_dir_all(folder.path().join("src")).expect("a folder");
    folder.write("include/queue.h", "int up(int x);\n");
    folder.write("src/queue.c", &format!("#include \"queue.h\"\n{BROKEN}"));
    let part =
        |line: &str| line.replace("${{ matrix.part }}", "2").replace("$CI_NODE_INDEX/$CI_NODE_TOTAL", "2/2");
    for line in [github[2], gitlab[2]].map(part) {
        let ran = folder.stairway(line.strip_prefix("stairway ").expect("the command"));
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        assert!(folder.read("junit.xml").contains("failures=\"1\""), "{line}");
        assert_eq!(ran.out.contains("::error file=src/queue.c,line=3,"), line.contains("github"), "{line}");
    }
    assert!(folder.path().join("stairway-regressions").is_dir());
}

#[test]
fn parts_of_a_search_differ_and_share_the_work() {
    let folder = Folder::with("int same(int x) { return x; }\n");
    let run = |part: &str| json(&folder.stairway(&format!("test t.c --json --calls 4000 --shard {part}")));
    let (one, two, again) = (run("1/4"), run("2/4"), run("2/4"));
    assert_eq!(two, again);
    assert_ne!(one["seed"], two["seed"]);
    let n = two["calls"].as_u64().expect("a number");
    assert!((1000..2000).contains(&n), "{n}");
}

#[test]
fn a_run_without_contracts_says_what_it_did_not_check() {
    let folder = Folder::with(
        "int f(int x) { return x; }\nint g(int x) { return x; }\nint main(void) { return 0; }\n",
    );
    let ran = folder.stairway("test t.c --calls 200");
    let note = "note: 0 of 2 functions have a contract: only crashes, memory and arithmetic were checked\n";
    assert!(ran.code == 0 && ran.out.ends_with(note), "{}", ran.out);
    let ran = folder.stairway("test t.c --calls 200 --same f=g");
    let note =
        "note: 0 of 2 functions have a contract: only crashes, memory, arithmetic and `f=g` were checked\n";
    assert!(ran.code == 0 && ran.out.ends_with(note), "{}", ran.out);
    let report = json(&folder.stairway("test t.c --calls 200 --json"));
    assert_eq!(report["contracts"], serde_json::json!({ "functions": 2, "with_contract": 0 }));
}

#[test]
fn stored_failures_are_listed_and_kept_in_order() {
    let folder = Folder::with(BROKEN);
    assert_eq!(folder.stairway("regressions").out, "no stored failures in stairway-regressions\n");
    assert_eq!(folder.stairway("test t.c --calls 2000 --only up --quiet").code, 1);
    let listed = folder.stairway("regressions list").out;
    assert_eq!(
        listed,
        "t.c (stairway-regressions/t.c.txt)\n  postcondition of up at t.c:2:46: still fails, stored with --only up\n"
    );
    let shown = folder.stairway("regressions show t.c").out;
    assert!(shown.contains("replay: stairway test t.c --only up --replay '#1 up value 7'"), "{shown}");
    let ran = folder.stairway("regressions show else");
    assert_eq!(
        (ran.code, ran.err.contains("no stored failure belongs to `else`")),
        (65, true),
        "{}",
        ran.err
    );
    // Looking whether it still fails stores it again, and nobody waits for that.
    assert_eq!(folder.stairway("regressions prune").out, "nothing to delete\n");
    // What CI has kept is taken over.
    std::fs::rename(folder.path().join("stairway-regressions"), folder.path().join("kept"))
        .expect("a folder");
    assert_eq!(folder.stairway("regressions accept kept").out, "t.c: 1 new\n");
    assert_eq!(folder.stairway("regressions accept kept").out, "t.c: 0 new\n");
    assert_eq!(folder.stairway("regressions accept nowhere").code, 65);
    // A repaired function's failure stays as a guard until it is asked to go; one of a file that is gone goes.
    folder.write("t.c", &BROKEN.replace("x == 7 ? x : ", ""));
    assert!(folder.stairway("regressions").out.contains("passes now; kept as a guard"));
    assert_eq!(folder.stairway("regressions prune").out, "nothing to delete\n");
    std::fs::remove_file(folder.path().join("t.c")).expect("the file is there");
    assert!(folder.stairway("regressions").out.contains("ORPHAN"));
    assert_eq!(folder.stairway("regressions prune").out, "stairway-regressions/t.c.txt: 1 deleted\n");
    assert_eq!(folder.stairway("regressions").out, "no stored failures in stairway-regressions\n");
}

/// A failure of several files with headers, macros and flags is replayed by the words that found it, from wherever
/// it is looked at; while the code does not compile it is kept.
#[test]
fn failures_of_a_project_are_replayed_with_its_flags() {
    let folder = Folder::with("");
    for name in ["one two/include", "one two/src"] {
        std::fs::create_dir_all(folder.path().join(name)).expect("a folder");
    }
    let project = folder.path().join("one two");
    let header = project.join("include/up.h");
    std::fs::write(&header, "int up(int x);\n#ifndef STEP\n#error \"STEP\"\n#endif\n").expect("a file");
    let up = |step: &str| {
        let text = format!(
            "#include \"up.h\"\nint up(int x)\n/*@ requires x >= 0i32; x < 1000i32; ensures return > x; @*/\n{{ return x == 7 ? x : {step}; }}\n"
        );
        std::fs::write(project.join("src/up.c"), text).expect("a file");
    };
    up("x + STEP + EXTRA");
    std::fs::write(project.join("src/it's.c"), "int unused(void) { return 0; }\n").expect("a file");
    let words = [
        "src/up.c",
        "src/it's.c",
        "-Iinclude",
        "-DSTEP=(1 + 1)",
        "--calls=2000",
        "--quiet",
        "--",
        "-DEXTRA=1",
    ];
    assert_eq!(folder.run_in("one two", &[&["test"], &words[..]].concat()).code, 1);
    let status = |ran: &crate::support::Ran| ran.out.lines().nth(1).map(String::from);
    let list = |expected: &str| {
        let here = folder.run_in("one two", &["regressions"]);
        let line = format!("  postcondition of up at src/up.c:3:46: {expected}");
        assert_eq!(status(&here).as_deref(), Some(&*line), "{}{}", here.out, here.err);
        let above = folder.stairway_of(&["regressions", "--folder", "one two/stairway-regressions"]);
        assert_eq!(status(&above).as_deref(), Some(&*line), "{}{}", above.out, above.err);
    };
    list("still fails");
    let shown = folder.run_in("one two", &["regressions", "show", "up"]).out;
    let replay = "replay: stairway test src/up.c 'src/it'\\''s.c' -Iinclude '-DSTEP=(1 + 1)' --replay '#1 up value 7' -- -DEXTRA=1";
    assert!(shown.contains(replay), "{shown}");
    let text = std::fs::read_to_string(&header).expect("the header is there");
    std::fs::remove_file(&header).expect("the header is there");
    list("could not be run here; kept");
    assert_eq!(folder.run_in("one two", &["regressions", "prune"]).out, "nothing to delete\n");
    std::fs::write(&header, text).expect("a file");
    up("(x > 7 ? x : 9)");
    list("still fails");
    std::fs::write(project.join("src/up.c"), "#include \"up.h\"\nint other(int x) { return x; }\n")
        .expect("a file");
    list("no longer fits: the file or its contracts have changed");
    let pruned = folder.run_in("one two", &["regressions", "prune"]).out;
    assert_eq!(pruned, "stairway-regressions/src_up.c.txt: 1 deleted\n");
}

/// What `--hostile` has found means nothing without it, and that is no fault of the generators.
#[test]
fn a_failure_stored_under_other_options_says_so() {
    let folder = Folder::with(
        "int get(int *p)\n/*@ requires take P = RW<int>(p); ensures take Q = RW<int>(p); @*/\n{ return *p; }\nint add(int *p, int n) { return *p + n; }\n",
    );
    let ran = folder.stairway("test t.c --hostile --all --calls 2000 --quiet");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    let ran = folder.stairway("test t.c --calls 500");
    assert!(!ran.out.contains("no longer fits the generators"), "{}", ran.out);
}

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::with("");
    let (bash, manual) = (folder.stairway("completions bash"), folder.stairway("man"));
    for command in ["test", "check", "init", "doctor", "regressions", "report", "refine", "fuzz"] {
        assert!(bash.out.contains(command) && manual.out.contains(command), "{command}");
    }
    assert!(bash.out.contains("--junit") && manual.out.contains("junit"));
    let help = folder.stairway("test --help").out;
    assert!(help.lines().count() <= 54, "one screen: {}", help.lines().count());
    // What another command explains is named.
    let options = |help: &str| -> std::collections::BTreeSet<String> {
        let words = help.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter(|word| word.starts_with("--") && word.len() > 2).map(String::from).collect()
    };
    let fuzz = folder.stairway("fuzz --help").out;
    assert!(options(&fuzz).is_superset(&options(&help)), "{fuzz}");
    assert!(fuzz.lines().count() <= 45 && fuzz.contains("--oss-fuzz"), "one screen: {fuzz}");
    assert_eq!(folder.stairway("completions tcl").code, 64);
}

#[test]
fn the_doctor_looks_at_what_tests_need() {
    let folder = Folder::with("");
    let ran = folder.stairway("doctor");
    assert!(
        ran.out.contains(" gcc ") && ran.out.contains(" cbmc ") && ran.out.contains(" sandbox "),
        "{}",
        ran.out
    );
    // Where nothing is installed, the doctor says what installs it.
    let ran = folder.stairway_with("PATH", "/nonexistent", "doctor");
    assert_eq!(ran.code, 65, "{}", ran.out);
    assert!(
        ran.out.contains("MISSING  gcc                      for C files: sudo apt-get install gcc"),
        "{}",
        ran.out
    );
}

/// A run with a hostile name, state and answer, and `n` steps.
fn long_run(n: usize) -> String {
    let hostile = "</script><script>document.title='broken'</script><img src=x onerror=alert(1)>";
    let step = |k: usize| serde_json::json!({ "call": format!("push({k})"), "answer": hostile, "model": format!("[{k}]"), "system": hostile });
    let content = serde_json::json!({
        "seed": 7, "passed": 12, "discarded": 3, "text": hostile,
        "labels": { hostile: 5 }, "demands": [{ "name": hostile, "demanded": 20.0, "reached": 12.5, "decision": "not met" }],
        "operations": { "names": ["push", "pop"], "done": [3, 0], "refused": [0, 1], "impossible": [0, 9], "follow": [1, 2, 0, 0] },
        "counterexample": { "message": hostile, "steps": (0..n).map(step).collect::<Vec<_>>(), "operands": [{ "name": "self.len", "value": hostile }] },
    });
    let line = serde_json::json!({ "type": "alert", "run_start": 1.0, "property": hostile, "title": "falsified", "content": content });
    format!("{line}\n")
}

#[test]
fn a_page_shows_a_run_and_lets_nothing_out() {
    let folder = Folder::with("");
    folder.write("run.jsonl", &long_run(2000));
    let ran = folder.stairway("report run.jsonl");
    assert_eq!((ran.code, &*ran.out), (0, "wrote run.html\n"), "{}", ran.err);
    let page = folder.read("run.html");
    assert!(
        !page.contains("<img") && page.matches("</script>").count() == 2,
        "markup of a run is in the page"
    );
    assert!(!page.contains("http://") && !page.contains("https://"), "nothing is fetched");
    for part in ["show more of 1500 further steps", "What came next", "Demands", "where it fails", "not met"]
    {
        assert!(page.contains(part), "{part}");
    }
    // A file of several runs begins with their verdicts, what failed first.
    let fine = "{\"type\":\"info\",\"run_start\":1,\"property\":\"fine\",\"title\":\"passed\",\"content\":{\"seed\":1,\"passed\":256}}\n";
    folder.write("both.jsonl", &format!("{fine}{}", long_run(3)));
    assert_eq!(folder.stairway("report both.jsonl").code, 0);
    let both = folder.read("both.html");
    assert!(both.contains("<nav><h1>1 of 2 hold</h1>"), "{both}");
    assert!(both.find("\"#run1\"").expect("a link") < both.find("\"#run0\"").expect("a link"));
    // A folder of runs has an index, in which what failed comes first.
    std::fs::create_dir(folder.path().join("out")).expect("a folder");
    folder.write("out/b.jsonl", &long_run(3));
    folder.write("out/a.jsonl", fine);
    assert_eq!(folder.stairway("report out").out, "wrote out/index.html and 2 more\n");
    let index = folder.read("out/index.html");
    assert!(index.contains("1 of 2 hold"), "{index}");
    assert!(index.find("./b.html").expect("a link") < index.find("./a.html").expect("a link"));
    // Bad input.
    folder.write("wrong.jsonl", "{\"a\": 1}\n");
    let ran = folder.stairway("report wrong.jsonl");
    assert_eq!((ran.code, &*ran.err), (65, "`wrong.jsonl`: line 1 is not of a run: it names no property\n"));
    assert_eq!(folder.stairway("report nowhere").code, 65);
    folder.write("empty.jsonl", "");
    assert!(folder.stairway("report empty.jsonl").err.contains("tells of no run"));
}

/// The page in a browser: all steps are added on demand, and nothing that a run says is executed.
#[test]
#[ignore = "needs Chromium: `cargo xtask test --full`"]
fn a_browser_shows_a_hundred_thousand_steps() {
    let folder = Folder::with("");
    folder.write("run.jsonl", &long_run(100_000));
    assert_eq!(folder.stairway("report run.jsonl").code, 0);
    let click = "<script>for (let k = 0; k < 200; k++) document.querySelector('button[data-steps]').click()</script></body>";
    folder.write("all.html", &folder.read("run.html").replace("</body>", click));
    let url = format!("file://{}", folder.path().join("all.html").display());
    let browser = std::process::Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", &url])
        .output();
    let Ok(browser) = browser else {
        eprintln!("SKIPPED: Chromium is not installed; `apt-get install chromium` does it");
        return;
    };
    let page = String::from_utf8_lossy(&browser.stdout);
    assert_eq!(page.matches("<li tabindex").count(), 100_000);
    assert!(!page.contains("<title>broken") && !page.contains("<img"));
}
