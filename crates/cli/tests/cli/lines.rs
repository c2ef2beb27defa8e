//! Lines that are said not to be reached were not, and no others are: `lines.c` marks those that never run
//! with `// no`.

use crate::options::json;
use crate::support::Folder;
use std::collections::BTreeSet;

const CODE: &str = include_str!("lines.c");

/// The lines of a function, from its name to the brace that ends it.
fn lines_of(name: &str) -> std::ops::RangeInclusive<usize> {
    let lines: Vec<&str> = CODE.lines().collect();
    let first = lines.iter().position(|line| line.contains(&format!("{name}("))).expect(name);
    let last = lines[first..].iter().position(|line| *line == "}").expect(name);
    first + 1..=first + last + 1
}

/// Lines that never run and are not told apart from others: the compiler knows that the first cannot run, the
/// second is a part of a condition, and the third is a constant of the line after it.
const LEFT_OUT: [&str; 3] = ["return 0; // no", "b == 7) // no", "code = 7; // no"];

#[test]
fn lines_are_reached_or_not_as_the_report_says() {
    let folder = Folder::with(CODE);
    for options in ["", "--no-feedback"] {
        let ran = folder.stairway(&format!("test t.c --json --seed 1 --calls 20000 --ub off {options}"));
        let report = json(&ran);
        let functions = report["functions"].as_array().expect("functions");
        assert_eq!((ran.code, functions.len()), (0, 15), "{}{}", ran.out, ran.err);
        for function in functions {
            let name = function["name"].as_str().expect("a name");
            let own = lines_of(name);
            let text = |line: &usize| CODE.lines().nth(line - 1).unwrap_or_default().trim();
            let (never, runs): (BTreeSet<usize>, BTreeSet<usize>) =
                own.clone().partition(|line| text(line).ends_with("// no"));
            let listed = function["lines"]["not_reached"].as_array().expect("lines");
            let listed: BTreeSet<usize> = listed.iter().map(|line| line.as_u64().unwrap() as usize).collect();
            assert!(listed.is_subset(&never), "{name}: {:?} was run", listed.difference(&never));
            let missing: Vec<&str> = never.difference(&listed).map(&text).collect();
            assert!(missing.iter().all(|line| LEFT_OUT.contains(line)), "{name}: {missing:?} never runs");
            // No line counts as reached that never runs, and few are left out.
            let has_code = |line: &&usize| {
                !matches!(text(line), "" | "} else {" | "}" | "do {" | "int r;")
                    && !["case", "default", "/*"].iter().any(|word| text(line).starts_with(word))
            };
            let n_runs = runs.iter().filter(has_code).count() + 1;
            let n_reached = function["lines"]["all"].as_u64().expect("a number") as usize - listed.len();
            assert!(n_reached <= n_runs, "{name}: {n_reached} of {n_runs}");
            assert!(2 * n_reached >= n_runs, "{name}: {n_reached} of {n_runs}");
        }
    }
}
