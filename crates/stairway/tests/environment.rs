//! Users rely on the variables `STAIRWAY_…` having the last word, on a wrong value being named
//! together with what the variable takes, and on reports that existing viewers open.

mod common;

use common::{Ended, Specimen};
use serde_json::Value;
use stairway::prelude::*;
use std::fs;
use std::os::unix::ffi::OsStringExt;

mod specimens {
    use super::*;

    #[property(cases = 20)]
    #[ignore = "a specimen"]
    fn holds(n: u64, text: String) {
        label!("tried");
        collect!("even", n.is_multiple_of(2));
        cover!(1.0, n > 0, "positive");
        assume!(text.len() != 1);
    }

    #[test]
    #[ignore = "a specimen"]
    fn checks_several() {
        for (name, bound) in [("first", 100), ("second", 7), ("third", 100)] {
            let checker = Checker::new(name).settings(Settings::new().without_regressions());
            checker.run(|t| {
                assert!(t.pick(0..100)? < bound);
                Ok(())
            });
        }
    }

    /// Forgets the largest.
    pub(super) struct Sum(u32);
    impl Sum {
        fn add(&mut self, n: u8) -> u32 {
            self.0 += u32::from(n % 200);
            self.0
        }
    }
    #[derive(Debug)]
    pub(super) struct Total(u32);
    #[model(system = Sum)]
    impl Total {
        #[start]
        fn new() -> (Total, Sum) {
            (Total(0), Sum(0))
        }
        #[op]
        fn add(&mut self, n: u8) -> u32 {
            self.0 += u32::from(n);
            self.0
        }
    }
    #[test]
    #[ignore = "a specimen"]
    fn sums_up() {
        Total::check();
    }

    #[machine(start = At { floor: 0 })]
    pub(super) mod lift {
        pub enum State {
            At { floor: u8 },
        }
        pub enum Op {
            Up,
            Down,
        }
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (At { floor }, Up) if floor < 9 => At { floor: floor + 1 },
                (At { floor }, Down) if floor > 0 => At { floor: floor - 1 },
            }
        }
    }
    // Only what is `driven` is not checked by the compiler too.
    temporal! {
        stays_below in lift, driven: always(not(at(At { floor: 3 })));
        goes_down in lift, driven: eventually(after(Down));
        is_low in lift, driven: always(implies(at(At { floor: 200 }), at(At { floor: 1 })));
        is_inside in lift, driven: always(not(at(At { floor: 10.. })));
    }
    #[test]
    #[ignore = "a specimen"]
    fn formulas() {
        let all = [&stays_below::FORMULA, &goes_down::FORMULA, &is_low::FORMULA, &is_inside::FORMULA];
        for formula in all {
            let _ = std::panic::catch_unwind(|| stairway::machine::check_formula(module_path!(), formula));
        }
    }

    #[property]
    #[ignore = "a specimen"]
    fn fails(xs: Vec<u8>) {
        assert!(xs.iter().all(|x| *x < 100), "{xs:?}");
    }
}

fn holds() -> Specimen {
    Specimen::new("specimens::holds")
}

fn fails() -> Specimen {
    Specimen::new("specimens::fails")
}

/// What a wrong value is answered with: one line and a failing test.
fn complaint(variable: &str, value: impl AsRef<std::ffi::OsStr>) -> String {
    let specimen = holds().set(variable, value);
    let report = specimen.failing_report();
    assert_eq!(report.lines().count(), 1, "{report}");
    assert!(!specimen.stored().exists());
    report.trim_end().to_string()
}

fn assert_held(ended: &Ended, n_cases: &str) {
    let said = format!("property `environment::specimens::holds` held in {n_cases} cases");
    assert!(ended.code == Some(0) && ended.stdout.contains(&said), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn cases_and_profiles_say_how_many() {
    assert_held(&holds().run(), "20");
    assert_held(&holds().set("STAIRWAY_CASES", "1_234").run(), "1,234");
    assert_held(&holds().set("STAIRWAY_PROFILE", "ci").run(), "80");
    assert_held(&holds().set("STAIRWAY_PROFILE", "thorough").run(), "2,000");
    assert_held(&holds().set("STAIRWAY_PROFILE", "thorough").set("STAIRWAY_CASES", "9").run(), "9");
}

#[test]
fn the_seed_decides_what_is_drawn() {
    let report = |seed: &str| fails().set("STAIRWAY_SEED", seed).failing_report();
    assert!(report("5").contains("(seed 0x5)") && report("0x5eed").contains("(seed 0x5eed)"));
    assert_eq!(report("5"), report("0x5"));
    let random = report("random");
    let seed = random.split("(seed ").nth(1).and_then(|rest| rest.split(')').next()).unwrap();
    assert_eq!(report(seed), random, "the seed that is printed leads to the same report");
}

#[test]
fn a_time_ends_the_run() {
    // The property asks for 20 cases, but a time in the environment is the later word.
    let ended = Specimen::new("specimens::holds").set("STAIRWAY_TIME", "50ms").run();
    let said = |n: &str| ended.stdout.contains(&format!("` held in {n} cases"));
    assert!(ended.code == Some(0) && !said("20"), "{}{}", ended.stdout, ended.stderr);
    let ended = holds().set("STAIRWAY_TIME", "1ms").set("STAIRWAY_CASES", "1000000000000").run();
    assert!(ended.code == Some(0) && ended.stdout.contains("` held in "), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn jobs_change_nothing_but_the_time() {
    let report = fails().failing_report();
    assert_eq!(fails().set("STAIRWAY_JOBS", "3").failing_report(), report);
}

#[test]
fn wrong_values_are_named_with_what_the_variable_takes() {
    assert_eq!(
        complaint("STAIRWAY_SEED", "five"),
        "stairway: STAIRWAY_SEED is set to `five`, but it takes a number, decimal or as 0x5eed, or the word random"
    );
    let number = "but it takes a whole number above 0";
    assert_eq!(complaint("STAIRWAY_CASES", "0"), format!("stairway: STAIRWAY_CASES is set to `0`, {number}"));
    assert_eq!(complaint("STAIRWAY_JOBS", "-1"), format!("stairway: STAIRWAY_JOBS is set to `-1`, {number}"));
    let time = "but it takes a time above 0, for example 500ms, 10s or 2m";
    assert_eq!(
        complaint("STAIRWAY_TIME", "soon"),
        format!("stairway: STAIRWAY_TIME is set to `soon`, {time}")
    );
    assert_eq!(complaint("STAIRWAY_HANG", "1h"), format!("stairway: STAIRWAY_HANG is set to `1h`, {time}"));
    assert_eq!(
        complaint("STAIRWAY_PROFILE", "CI"),
        "stairway: STAIRWAY_PROFILE is set to `CI`, but it takes one of default, ci (4 times the cases) and \
         thorough (100 times the cases)"
    );
}

#[test]
fn invalid_utf8_is_a_wrong_value() {
    let invalid = || std::ffi::OsString::from_vec(vec![b'7', 0xff]);
    for variable in ["SEED", "CASES", "TIME", "JOBS", "HANG", "PROFILE", "REPLAY"] {
        let variable = format!("STAIRWAY_{variable}");
        let complaint = complaint(&variable, invalid());
        let expected = format!("stairway: {variable} is set to `7\u{fffd}`, but it takes ");
        assert!(complaint.starts_with(&expected), "{complaint}");
    }
}

#[test]
fn a_replay_runs_the_one_case() {
    let first = fails().failing_report();
    let replay = first.split("STAIRWAY_REPLAY='").nth(1).and_then(|rest| rest.split('\'').next()).unwrap();
    assert!(replay.ends_with(": #1 100"), "{replay}");
    let again = fails().set("STAIRWAY_REPLAY", replay).failing_report();
    assert!(again.contains("\n  xs = vec![100]\n"), "{again}");
    assert!(again.contains("\nreplayed from STAIRWAY_REPLAY, shrunk in "), "{again}");
    assert!(again.contains(&format!("STAIRWAY_REPLAY='{replay}'")), "{again}");
}

#[test]
fn a_replay_that_passes_now_says_so() {
    let replay = "environment::specimens::fails@3: #2 7 8";
    let ended = fails().set("STAIRWAY_REPLAY", replay).run();
    assert!(ended.code == Some(0), "{}{}", ended.stdout, ended.stderr);
    let said = "property `environment::specimens::fails`: the case in STAIRWAY_REPLAY no longer fails\n";
    assert!(ended.stdout.contains(said), "{}", ended.stdout);
}

#[test]
fn a_replay_that_names_another_property_is_an_error() {
    let report = holds().set("STAIRWAY_REPLAY", "environment::specimens::fails@3: #1 100").failing_report();
    let expected = "stairway: STAIRWAY_REPLAY names `environment::specimens::fails`, which nothing here checks; \
                    left out because of it: `environment::specimens::holds`; run the test that checks \
                    `environment::specimens::fails`, as in the replay line\n";
    assert_eq!(report, expected);
}

#[test]
fn a_replay_finds_its_check_among_several() {
    let several = || Specimen::new("specimens::checks_several");
    for (name, code, said) in [
        ("first", 0, "property `first`: the case in STAIRWAY_REPLAY no longer fails"),
        ("second", 101, "replayed from STAIRWAY_REPLAY"),
        ("third", 0, "property `third`: the case in STAIRWAY_REPLAY no longer fails"),
        ("fourth", 101, "which nothing here checks; left out because of it: `first`, `second`, `third`; run"),
    ] {
        let ended = several().set("STAIRWAY_REPLAY", format!("{name}@3: 7")).run();
        let text = ended.stdout + &ended.stderr;
        assert!(ended.code == Some(code) && text.contains(said), "{name}: {text}");
        let is_left_out =
            text.contains("property `first`: not checked, because STAIRWAY_REPLAY names something else");
        assert_eq!(is_left_out, name != "first", "{text}");
    }
}

#[test]
fn a_replay_that_does_not_fit_is_an_error() {
    for choices in ["true", "#1 300", "#2 7", "#1 7 7"] {
        let replay = format!("environment::specimens::fails@3: {choices}");
        let report = fails().set("STAIRWAY_REPLAY", replay).failing_report();
        let expected = "stairway: the choices in STAIRWAY_REPLAY do not fit the property \
                        `environment::specimens::fails`: it has changed since they were printed\n";
        assert_eq!(report, expected, "{choices}");
    }
}

#[test]
fn a_replay_that_cannot_be_read_is_an_error() {
    let takes = "it takes what a failing run prints, for example `krate::tests::property@12: #2 1 0`";
    for (replay, why) in [
        ("nonsense", "has no `: ` in it"),
        ("environment::specimens::holds: 1", "does not give a size after `@`"),
        ("environment::specimens::holds@x: 1", "does not give a size after `@`"),
        ("environment::specimens::holds@3", "has no `:` after the size"),
        ("environment::specimens::holds@3: ?", "cannot be read: `?` is not a choice"),
    ] {
        let expected = format!("stairway: STAIRWAY_REPLAY {why}; {takes}");
        assert_eq!(complaint("STAIRWAY_REPLAY", replay), expected, "{replay}");
    }
}

/// The lines of the report that a specimen writes.
fn lines(specimen: Specimen) -> Vec<Value> {
    let path = specimen.folder().join("report.jsonl");
    let specimen = specimen.set("STAIRWAY_REPORT", &path);
    specimen.run();
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const KEYS: [&str; 12] = [
    "arguments",
    "coverage",
    "features",
    "how_generated",
    "metadata",
    "property",
    "representation",
    "run_start",
    "status",
    "status_reason",
    "timing",
    "type",
];

#[test]
fn every_case_is_a_line_that_viewers_open() {
    let lines = lines(holds());
    let (summary, cases) = lines.split_last().unwrap();
    for case in cases {
        let mut keys: Vec<&str> = case.as_object().unwrap().keys().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, KEYS);
        assert_eq!((&case["type"], &case["property"]), (&"test_case".into(), &summary["property"]));
        assert!(case["arguments"]["n"].is_string() && case["arguments"]["text"].is_string(), "{case}");
        assert_eq!((&case["features"]["tried"], case["run_start"].is_number()), (&true.into(), true));
        assert!(case["representation"].as_str().unwrap().starts_with("n = "), "{case}");
    }
    let n = |status: &str| cases.iter().filter(|case| case["status"] == status).count();
    assert_eq!((n("passed"), n("passed") + n("gave_up")), (20, cases.len()));
    assert_eq!((&summary["type"], &summary["title"]), (&"info".into(), &"passed".into()));
    assert_eq!(summary["content"]["passed"], 20);
}

#[test]
fn a_failing_case_is_a_line_with_its_reason() {
    let lines = lines(fails());
    let (summary, cases) = lines.split_last().unwrap();
    let failed = cases.last().unwrap();
    assert_eq!(failed["status"], "failed");
    let reason = failed["status_reason"].as_str().unwrap();
    assert_eq!(failed["arguments"]["xs"], format!("vec!{reason}"), "the reason lists the numbers");
    assert_eq!((&summary["type"], &summary["title"]), (&"alert".into(), &"falsified".into()));
}

/// Every verdict on a formula is a line, whichever it is.
#[test]
fn a_formula_that_is_refuted_has_its_run_in_the_data() {
    let lines = lines(Specimen::new("specimens::formulas"));
    let verdict = |name: &str| {
        let is_it = |line: &&Value| {
            line["property"].as_str().is_some_and(|property| property.ends_with(name))
                && line["content"]["assurance"].is_string()
        };
        let line = lines.iter().find(is_it).unwrap_or_else(|| panic!("no verdict on {name}"));
        (line["type"].as_str().unwrap(), line["content"]["assurance"].as_str().unwrap(), line)
    };
    let (kind, assurance, line) = verdict("stays_below");
    assert_eq!((kind, assurance, &line["title"]), ("alert", "refuted", &"falsified".into()));
    let found = &line["content"]["counterexample"];
    let calls: Vec<_> = found["steps"].as_array().unwrap().iter().map(|step| &step["call"]).collect();
    assert_eq!(calls, ["up()", "up()", "up()"]);
    assert_eq!(found["steps"][2]["model"], "At { floor: 3 }");
    assert_eq!(line["content"]["machine"]["name"], "lift");
    let (kind, assurance, line) = verdict("goes_down");
    assert_eq!((kind, assurance), ("info", "proved"), "{line}");
    let (kind, assurance, line) = verdict("is_low");
    assert_eq!((kind, assurance), ("alert", "vacuous"), "{line}");
    let (kind, assurance, line) = verdict("is_inside");
    assert_eq!((kind, assurance, &line["content"]["states"]), ("info", "proved", &10.into()));
}

#[test]
fn a_report_that_cannot_be_written_is_a_warning() {
    let ended = holds().set("STAIRWAY_REPORT", "/nowhere/report.jsonl").run();
    assert_held(&ended, "20");
    assert!(ended.stdout.contains("warning: STAIRWAY_REPORT: /nowhere/report.jsonl cannot be written"));
}

#[test]
fn the_states_of_a_program_and_its_test_are_in_the_data() {
    let lines = lines(Specimen::new("specimens::sums_up"));
    let (summary, cases) = lines.split_last().unwrap();
    let failing = cases.iter().find(|case| case["status"] == "failed").unwrap();
    let steps = failing["metadata"]["steps"].as_array().unwrap();
    let step = &steps[0];
    let n: u32 = step["answer"].as_str().unwrap().parse().unwrap();
    assert_eq!(step["model"], format!("Total({n})"), "{failing}");
    assert_eq!(step["system"], "", "it is not known");
    assert!(step["call"].as_str().unwrap().starts_with("add("), "{failing}");
    assert!(failing["representation"].as_str().unwrap().contains(&format!(") -> {n}\n")), "{failing}");
    let test = summary["content"]["test"].as_str().unwrap();
    assert!(test.contains("assert_eq!(system.add(200), 200); // answered 0"), "{test}");
}
