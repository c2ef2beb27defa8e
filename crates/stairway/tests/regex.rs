//! Strings from regular expressions: they match, replay and shrink, and bad patterns say why.

use regex::bytes::Regex as ByteMatcher;
use stairway::engine::{Label, Shape, Span};
use stairway::generate::{Choice, Choices, Prng, Regex, RegexErrorKind, Source, byte_regex, regex};
use stairway::report::Failure;
use stairway::{Checker, Draw, Generate, Settings, Stop};
use std::collections::BTreeSet;

const PATTERNS: [&str; 34] = [
    "",
    "abc",
    "a|bc|def",
    "[a-z]",
    "[^a-z]",
    ".",
    "(?s).*",
    r"\d+",
    r"\w{2,5}",
    r"\W\D\S\s",
    r"\p{Greek}+",
    r"\P{Greek}+",
    r"[\p{Lu}&&[^A-Z]]{3}",
    "(?i)straße",
    "(?i:select) [*a-z_]+",
    "((a|b)*c){2,5}",
    "(([a-c]{1,3},){2}x?)*",
    "x*?y+?z??",
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])",
    r"[a-z]{1,8}@[a-z]+\.(com|org)",
    r"[[:alnum:]._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    "#[0-9a-fA-F]{6}",
    "0x[[:xdigit:]]{1,16}",
    "^anchored$",
    r"\A(^a|b$)\z",
    "(?m)^line$",
    "(^|,)a(,|$)",
    "(?x) a  b # a comment",
    r"(?P<year>\d{2,4})/(?P<rest>.{0,3})",
    r"[\u{D000}-\u{F000}]+",
    r"\x{10FFFF}[ -~]{40}",
    "a{0}b{3}(cd){3}",
    "(?:|x)(?:y|)",
    "(?-u:[a-z]+)(?R).",
];

fn whole(pattern: &str) -> String {
    format!(r"\A(?:{pattern}{}\z", if pattern.starts_with("(?x)") { "\n)" } else { ")" })
}

fn random(seed: u64) -> Draw<'static> {
    Draw::from(Choices::new(Source::Random(Prng::new(seed)), 1 + seed as u32 % 100))
}

fn samples<G: Generate>(generator: G, n: u64) -> Vec<G::Value> {
    (0..n).map(|seed| random(seed).draw(&generator).unwrap()).collect()
}

/// A value, and the choices and spans that led to it.
fn record<G: Generate>(generator: &G, source: Source<'_>) -> (G::Value, Vec<Choice>, Vec<Span>) {
    let (mut choices, mut spans) = (vec![Choice::BLANK; 1 << 14], vec![Span::BLANK; 1 << 14]);
    let mut draw = Draw::from(Choices::new(source, 50).recording(&mut choices, &mut spans));
    let value = draw.draw(generator).unwrap();
    let stream = draw.choices();
    (value, stream.recorded().to_vec(), stream.recorded_spans().to_vec())
}

/// The value at these indices, and the simplest choices from there on.
fn at(pattern: &str, indices: &[u64]) -> String {
    let choices: Vec<Choice> = indices.iter().map(|&index| Choice { index, shape: Shape::Boolean }).collect();
    record(&regex(pattern), Source::Replay { choices: &choices, spans: None, bound: u64::MAX }).0
}

#[test]
fn every_string_matches_its_pattern() {
    for pattern in PATTERNS {
        let matcher = ::regex::Regex::new(&whole(pattern)).unwrap();
        for text in samples(regex(pattern), 300) {
            assert!(matcher.is_match(&text), "{text:?} does not match {pattern}");
        }
    }
}

#[test]
fn every_byte_string_matches_its_pattern() {
    for pattern in PATTERNS.into_iter().chain([r"(?-u)[\x80-\xFF]+", r"(?s-u:.{3})", r"(?-u)\W\xFF[^a]"]) {
        let matcher = ByteMatcher::new(&whole(pattern)).unwrap();
        for bytes in samples(byte_regex(pattern), 100) {
            assert!(matcher.is_match(&bytes), "{bytes:?} does not match {pattern}");
        }
    }
}

#[test]
fn a_record_replays_to_the_same_string() {
    for pattern in PATTERNS {
        let generator = regex(pattern);
        for seed in 0..50 {
            let first = record(&generator, Source::Random(Prng::new(seed)));
            let again =
                record(&generator, Source::Replay { choices: &first.1, spans: None, bound: u64::MAX });
            assert_eq!(first, again, "{pattern}");
        }
    }
}

#[test]
fn a_repetition_is_a_length_and_then_units_in_a_span_of_its_own() {
    for seed in 0..50 {
        let (text, choices, spans) = record(&regex("-(a[bc])*[de]+"), Source::Random(Prng::new(seed)));
        let pairs = spans.iter().position(|span| span.label == Label::Value("repetition")).unwrap();
        assert!(matches!(choices[spans[pairs].start as usize].shape, Shape::Length { min: 0, max: 32 }));
        let n_units = spans.iter().filter(|span| span.parent == pairs as u32).count();
        assert_eq!(n_units, text.matches('a').count());
        let letters = spans.iter().rfind(|span| span.label == Label::Value("repetition")).unwrap();
        assert_eq!((letters.end - letters.start - 1) as usize, text.matches(['d', 'e']).count());
    }
}

#[test]
fn deleting_a_unit_and_lowering_the_length_deletes_the_element() {
    assert_eq!(at("[a-z]*!", &[3, 5, 6, 7]), "fgh!");
    assert_eq!(at("[a-z]*!", &[2, 5, 7]), "fh!");
    assert_eq!(at("(x|[0-9])*", &[2, 1, 4, 0]), "4x");
}

#[test]
fn simple_characters_come_first() {
    assert_eq!(at(r"\w{4}", &[0, 1, 26, 52]), "abA0");
    assert_eq!(at(r"[ -~]{4}", &[0, 1, 61, 62]), "ab9 ");
    assert_eq!(at(r".{3}", &[]), "aaa");
    assert_eq!(at(r"[\x00-\x20_]", &[]), " ");
    assert_eq!(at(r"\d\D\s", &[]), "0a ");
}

#[test]
fn every_character_of_a_class_turns_up_and_most_are_ascii() {
    let found: BTreeSet<String> = samples(regex("[a-cX-Z_0-9]"), 2000).into_iter().collect();
    assert_eq!(found.len(), 17);
    let text = samples(regex(r"\w{10}"), 300).concat();
    let (n, n_ascii) = (text.chars().count(), text.chars().filter(char::is_ascii).count());
    assert!(n_ascii * 2 > n && n_ascii < n, "{n_ascii} of {n}");
}

/// What a property that `fails` for some strings is shrunk to, over several seeds.
fn shrunk(pattern: &str, fails: impl Fn(&str) -> bool + Sync) -> BTreeSet<String> {
    let generator = regex(pattern);
    let mut answers = BTreeSet::new();
    for seed in 0..20 {
        let settings = Settings::new().seed(seed).cases(100_000).without_regressions();
        let report = Checker::new("regex").settings(settings).report(|case| {
            let text = case.pick(&generator)?;
            if fails(&text) { Err(Stop::fail(Failure::named("property"))) } else { Ok(()) }
        });
        let found = report.counterexample().unwrap_or_else(|| panic!("not found: {report}"));
        answers.insert(found.observed.drawn[0].value.clone());
    }
    answers
}

#[test]
fn a_failing_string_shrinks_to_the_simplest_one() {
    let email = r"[a-z]{1,8}@[a-z]+\.(com|org)";
    assert_eq!(shrunk(email, |_| true), BTreeSet::from([r#""a@a.com""#.to_owned()]));
    assert_eq!(shrunk(email, |s| s.ends_with("org")), BTreeSet::from([r#""a@a.org""#.to_owned()]));
    let has_q = |s: &str| s.find('q').is_some_and(|at| at < s.find('@').unwrap());
    assert_eq!(shrunk(email, has_q), BTreeSet::from([r#""q@a.com""#.to_owned()]));
    let long = |s: &str| s.split('.').count() > 3;
    assert_eq!(shrunk(r"\w+(\.\w+)*", long), BTreeSet::from([r#""a.a.a.a""#.to_owned()]));
    let has_large_digit = |s: &str| s.contains(['7', '8', '9']);
    assert_eq!(shrunk("[A-Z0-9]+;", has_large_digit), BTreeSet::from([r#""7;""#.to_owned()]));
}

fn message(pattern: &str) -> String {
    Regex::try_new(pattern).unwrap_err().to_string()
}

#[test]
fn bad_patterns_say_what_is_wrong_and_where() {
    assert_eq!(
        message("ab[c-"),
        "unclosed character class\n \
         --> regular expression:1:3\n  \
          |\n\
         1 | ab[c-\n  \
          |   ^"
    );
    assert_eq!(
        message("(?x) ä # first\n  b\\b c"),
        "look-around assertions are not supported; leave it out and filter with `such_that`\n \
         --> regular expression:2:4\n  \
          |\n\
         2 |   b\\b c\n  \
          |    ^^"
    );
    assert!(message("a(?=b)").starts_with("look-around"), "{}", message("a(?=b)"));
    assert!(message(r"(?-u)\xFF").contains("invalid UTF-8"), "{}", message(r"(?-u)\xFF"));
    assert!(message("{").contains("repetition operator missing"), "{}", message("{"));
}

#[test]
fn what_cannot_be_made_is_an_error_of_its_kind() {
    let kind = |pattern: &str| Regex::try_new(pattern).unwrap_err().kind;
    for pattern in [r"\bword", r"\Ba", r"a\b{end}"] {
        assert_eq!(kind(pattern), RegexErrorKind::LookAround, "{pattern}");
    }
    for pattern in ["a^b", "a$b", "a^", "$a", "(^a)*", "(a$)+", r"x(\A|b)", "(?m)a$\n^b"] {
        assert_eq!(kind(pattern), RegexErrorKind::InnerAnchor, "{pattern}");
    }
    assert_eq!(kind("a[b&&c]"), RegexErrorKind::EmptyClass);
    assert_eq!(kind("(a{1000}){1000}"), RegexErrorKind::TooLong(1_000_000));
    assert!(matches!(kind("*"), RegexErrorKind::Syntax(_)));
    assert!(matches!(kind(&"(a".repeat(200)), RegexErrorKind::Syntax(_)));
}

#[test]
fn a_bad_pattern_panics_at_construction() {
    let panicked = std::panic::catch_unwind(|| regex("(oops")).unwrap_err();
    assert!(panicked.downcast_ref::<String>().unwrap().contains("1 | (oops"));
}
