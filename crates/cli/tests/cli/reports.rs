//! What reports say.

use crate::support::Folder;

const QUEUE: &str = include_str!("queue.c");

#[test]
fn a_broken_queue_is_shown_as_lists() {
    let ran = Folder::with(QUEUE).test("");
    assert_eq!(ran.code, 1, "{}", ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_replay_shows_the_same_and_nothing_else() {
    let folder = Folder::with(QUEUE);
    let first = folder.test("");
    let replay = first.out.lines().find_map(|line| line.strip_prefix("replay: stairway ")).expect("a replay");
    let (options, choices) = replay.split_once(" --replay ").expect("its choices");
    assert_eq!(options, "test t.c --fuel 1000000");
    let choices = choices.trim_matches('\'');
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_stairway"));
    let ran =
        command.args(options.split(' ')).args(["--replay", choices]).current_dir(folder.path()).output();
    let text = String::from_utf8(ran.expect("starts").stdout).expect("text");
    let calls = |text: &str| -> Vec<String> {
        text.lines().filter(|l| l.starts_with("    ") && l.contains("x1")).map(String::from).collect()
    };
    assert_eq!(calls(&text), calls(&first.out));
}

#[test]
fn an_access_is_shown_in_its_line_by_the_variable_that_leads_there() {
    let folder = Folder::with(
        "#include <stdlib.h>\nint *make(void)\n{\n    int *p = malloc(sizeof *p);\n    *p = 1;\n    return p;\n}\n\
         void drop(int *p)\n{\n    free(p);\n}\nlong get(int *p)\n{   if (!p) return 0;\n    return *p;\n}\n",
    );
    let ran = folder.test("--hostile");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("block 0 (x1, "), "{}", ran.out);
    assert!(ran.out.contains("14 |     return *p;") || ran.out.contains("10 |     free(p);"), "{}", ran.out);
}

#[test]
fn a_leak_is_shown_with_what_was_known_at_entry() {
    let ran = Folder::with(include_str!("leak.c")).test("");
    assert_eq!(ran.code, 1, "{}", ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn what_callers_pass_on_does_not_hide_what_a_function_does_itself() {
    let ran = Folder::with(include_str!("decoder.c")).stairway("test t.c --seed 1 --calls 20000");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let reported = |name: &str| ran.out.contains(&format!("`{name}`: read of 1 byte: outside block"));
    assert!(reported("decode") && reported("decode_all"), "{}", ran.out);
}

#[test]
fn a_failure_after_doubtful_arguments_says_which_and_what_to_do() {
    let builder = include_str!("builder.c");
    let ran = Folder::with(builder).test("");
    assert_eq!(ran.code, 1, "{}", ran.err);
    let help = "help: doubtful: `text` of `builder_put` (call";
    assert!(
        ran.out.contains(help) && ran.out.contains("leave such calls out with --cautious"),
        "{}",
        ran.out
    );
    let ran = Folder::with(builder).test("--cautious");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("doubtful: `text`"), "{}", ran.out);
}

#[test]
fn items_that_a_list_holds_are_doubtful_to_free_or_to_put_again() {
    let linked = include_str!("linked.c");
    let ran = Folder::with(linked).test("");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("is an object that another one holds"), "{}", ran.out);
    let is_certain = |line: &&str| line.starts_with("also: ");
    assert_eq!(ran.out.lines().find(is_certain), None, "{}", ran.out);
    let ran = Folder::with(linked).test("--cautious");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
}

#[test]
fn among_many_objects_one_that_is_held_is_doubtful_too() {
    let folder = Folder::with(include_str!("names.c"));
    let ran = folder.stairway("test t.c --seed 1 --calls 40000");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("every step is needed"), "{}", ran.out);
    assert!(ran.out.contains("is an object that another one holds"), "{}", ran.out);
    assert!(!ran.out.contains("stored by an earlier run"), "{}", ran.out);
    let is_certain = |line: &&str| line.starts_with("also: ");
    assert_eq!(ran.out.lines().find(is_certain), None, "{}", ran.out);
}

#[test]
fn functions_are_counted_and_those_never_called_explained() {
    let ran = Folder::with(include_str!("never.c")).test("");
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn a_failure_that_a_fresh_process_does_not_have_is_said_to_differ() {
    // A variable of the C library's that nobody puts back: a single call fails in a worker that has made one before.
    let text = "extern int getdate_err;\nvoid abort(void);\nvoid f(void)\n{\n    if (getdate_err++ != 0)\n        abort();\n}\n";
    let ran = Folder::with(text).test("");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("different results on replay"), "{}", ran.out);
}

#[test]
fn json_has_all_of_it() {
    let json = |text: &str| -> serde_json::Value {
        serde_json::from_str(&Folder::with(text).test("--json").out).expect("JSON")
    };
    let broken = json(QUEUE);
    assert_eq!((&broken["version"], &broken["outcome"]), (&1.into(), &"falsified".into()));
    let failure = &broken["failure"];
    let steps = failure["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 4, "{failure}");
    assert_eq!(steps[0]["call"], "struct queue *x1 = empty();");
    assert_eq!(steps[2]["state"][0], "Queue(x1) = [1, 0]");
    assert_eq!(steps[3]["entry"][0], "before = [1, 0]");
    assert_eq!(steps[3]["answer"], "0");
    assert!(failure["replay"].as_str().is_some_and(|replay| replay.starts_with("stairway test t.c")));
    assert!(failure["details"].as_str().is_some_and(|details| details.contains("this is false")));
    // A further failure says as much of itself as the first.
    let two =
        "void f(int x) { if (x == 7) __builtin_trap(); }\nvoid g(int x) { if (x == 9) __builtin_trap(); }\n";
    let two = json(two);
    let other = &two["others"][0];
    assert!(other["shrink_history"].as_array().is_some_and(|all| !all.is_empty()), "{two}");
    assert_eq!(other["every_step_is_needed"], true, "{two}");
    let never = json(include_str!("never.c"));
    assert_eq!(never["outcome"], "passed");
    let functions = never["functions"].as_array().expect("functions");
    let of = |name: &str| functions.iter().find(|f| f["name"] == name).expect("is there");
    assert!(of("fine")["calls"].as_u64() > Some(0) && of("fine")["never_called"].is_null());
    assert_eq!(of("fine")["lines"]["not_reached"], serde_json::json!([]));
    assert_eq!(of("impossible")["unmet"].as_array().map(Vec::len), Some(2));
}
