//! What is wrong with a description is said at its place.

fn problems(name: &str, text: &str) -> String {
    match stairway_describe::module(name, text) {
        Ok(module) => format!("accepted:\n{module}"),
        Err(problems) => {
            let shown = problems.iter().map(|problem| problem.render(name, text, false));
            shown.collect::<Vec<_>>().join("\n\n")
        }
    }
}

/// The sample of section 5, with its bodies filled in: there is no comma behind the comments.
const SAMPLE: &str = r#"{
  "name" : "wordarray_set_u8",
  "monad" : true,
  "nondet": false,
  "absf"  : "mk_spec_arg" // the abstraction function
  "rrel"  : "rel_wordarray_u8" // ref. rel. between outputs
}
"#;

#[test]
fn the_sample_of_the_paper_is_a_description() {
    insta::assert_snapshot!(stairway_describe::module("sample.json", SAMPLE).unwrap());
}

#[test]
fn fields_that_are_missing_unknown_or_of_another_kind() {
    insta::assert_snapshot!(problems(
        "set.json",
        r#"{
    "name": "set it",
    "monads": true,
    "nondet": "no",
    "absf": "a +",
    "rrel": "1 + 1",
    "inputs": ["arr", "n: u8"],
    "welf": "any()",
    "cases": 1.5
}"#
    ));
    insta::assert_snapshot!(
        "fields_in_toml",
        problems(
            "set.toml",
            "uses = 3\n\n[[refinement]]\nname = \"set\"\nmonad = true\nnondet = 1\nabsf = \"f\"\nrrel = \"g\"\nwelf = { m = \"any()\" }\n"
        )
    );
}

#[test]
fn what_is_not_read_at_all() {
    let all = [
        ("a.json", "{ \"name\": }"),
        ("a.json", ""),
        ("a.json", "[]"),
        ("a.json", "[3]"),
        ("a.json", "3"),
        ("a.toml", "name = "),
        ("a.toml", ""),
        ("a.toml", "refinement = 3"),
        ("a.yaml", "name: set"),
    ];
    let shown = all.map(|(name, text)| problems(name, text));
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn two_of_a_name_are_refused() {
    let one = r#"{"name": "set", "monad": false, "nondet": false, "absf": "f", "rrel": "g"}"#;
    assert!(problems("a.json", &format!("[{one}, {one}]")).contains("`set` is described twice"));
}

/// Nothing that is cut off, repeated or disturbed makes the reader panic.
#[test]
fn damaged_descriptions_are_refused_or_read() {
    for end in 0..SAMPLE.len() {
        if let Some(text) = SAMPLE.get(..end) {
            let _ = problems("a.json", text);
            let _ = problems("a.toml", text);
        }
        let mut bytes = SAMPLE.as_bytes().to_vec();
        bytes[end] ^= 0x15;
        let _ = problems("a.json", &String::from_utf8_lossy(&bytes));
    }
    let deep = "[".repeat(100_000);
    assert!(problems("a.json", &deep).contains("error"));
    assert!(problems("a.toml", &format!("a = {deep}")).contains("error"));
}
