//! Users rely on `#[property]`, `check` and `Checker` meaning the same: arguments are drawn, a
//! body that panics or returns that it does not hold fails, and everything else about the
//! function (its attributes, its result, what runs it) stays theirs.

mod common;

use common::Specimen;
use stairway::engine::CaseOrigin;
use stairway::prelude::*;
use stairway::{Report, ToSource};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

fn quiet(name: &str) -> Checker {
    Checker::new(name).settings(Settings::new().seed(1).without_regressions())
}

/// What the smallest failing case of a report drew.
fn shown(report: &Report) -> Vec<&str> {
    let found = report.counterexample().unwrap_or_else(|| panic!("{report}"));
    found.observed.drawn.iter().map(|drawn| drawn.value.as_str()).collect()
}

/// A property that does not hold fails its test; the report names the smallest input.
fn assert_falsified(specimen: &str, lines: &[&str]) {
    let report = Specimen::new(&format!("specimens::{specimen}")).failing_report();
    for line in lines {
        assert!(report.contains(&format!("\n  {line}\n")), "no `{line}` in:\n{report}");
    }
}

fn assert_passes(specimen: &str, said: &str) {
    let ended = Specimen::new(&format!("specimens::{specimen}")).run();
    assert!(ended.code == Some(0) && ended.stdout.contains(said), "{}{}", ended.stdout, ended.stderr);
}

#[test]
fn lengths_that_were_asked_for_and_never_drawn_are_reported() {
    let report = |most: usize, nested: usize| {
        quiet("lengths").report(|t| {
            t.pick(stairway::generate::vec(stairway::generate::bytes(0..=most), 0..=nested))?;
            Ok(())
        })
    };
    let cut = report(200_000, 1).to_string();
    assert!(cut.contains("\nlengths of up to 200,000 were asked for; the longest drawn was 65,536"), "{cut}");
    // Of many nested ones, those that come after the budget is used up stay short, and one of the first
    // reaches the bound.
    for reached in [report(1000, 1), report(1000, 20), report(100, 1)] {
        assert!(!reached.to_string().contains("lengths of up to"), "{reached}");
    }
    let few =
        quiet("few").cases(3).report(|t| t.pick(stairway::generate::bytes(0..=1000)).map(drop)).to_string();
    assert!(few.contains("lengths of up to 1,000 were asked for; the longest drawn was "), "{few}");
}

// Properties that hold: libtest runs them as they are.

#[property]
fn arguments_are_drawn_by_their_types(a: u8, b: (bool, String), c: Vec<Option<char>>) {
    assert!(u32::from(a) < 256 && b.1.len() < 1 << 20 && c.len() < 1 << 20);
}

#[property]
fn arguments_are_drawn_from_generators(#[from(1..=6)] die: u32, #[from(vec(0..die, 1..4))] xs: Vec<u32>) {
    assert!((1..=6).contains(&die));
    assert!((1..4).contains(&xs.len()) && xs.iter().all(|x| *x < die));
}

#[property]
fn borrowed_arguments_are_lent(xs: &[u8], text: &str, pair: &(u8, u8), ys: &mut Vec<u8>) {
    ys.extend_from_slice(xs);
    ys.push(pair.0);
    assert!(ys.ends_with(&[pair.0]) && text.chars().count() <= text.len());
}

const NAMES: &[&str] = &["one", "two"];

#[property]
fn what_lives_for_ever_is_drawn_from_constants(#[from(sampled_from(NAMES))] name: &'static str) {
    let kept: &'static str = name;
    assert!(NAMES.contains(&kept));
}

#[property]
fn the_case_is_an_argument_too(n: u8, t: &mut Case<'_>) -> Checked {
    let m = t.pick(0..=n)?;
    t.assume(m > 0)?;
    assert!(n > 0);
    Ok(())
}

#[property]
fn mutable_arguments(mut xs: Vec<i32>) {
    xs.sort_unstable();
    assert!(xs.is_sorted());
}

#[property]
fn a_bool_holds_when_true(a: i32, b: i32) -> bool {
    a.wrapping_add(b) == b.wrapping_add(a)
}

#[property]
fn an_option_holds_when_there_is_one(#[from(1..100)] n: u32) -> Option<u32> {
    100_u32.checked_div(n)
}

#[property]
fn a_result_holds_when_ok(n: u32) -> Result<(), std::num::ParseIntError> {
    assert_eq!(n.to_string().parse::<u32>()?, n);
    Ok(())
}

#[property(partial)]
fn a_partial_option_is_discarded(n: u32) -> Option<()> {
    let half = n.is_multiple_of(2).then_some(n / 2)?;
    assert_eq!(half * 2, n);
    Some(())
}

#[property(partial)]
fn a_partial_result_is_discarded(#[from(regex("[0-9]{2,4}"))] text: String) -> Result<(), String> {
    let n: u8 = text.parse().map_err(|_| text.clone())?;
    assert_eq!(n.to_string(), text.trim_start_matches('0').to_string().max("0".to_string()));
    Ok(())
}

#[property]
async fn a_future_is_awaited(n: u32, text: &str) {
    assert_eq!(std::future::ready(n).await, n);
    assume!(!text.is_empty());
    std::future::ready(()).await;
    assert_ne!(text.len(), 0);
}

#[property]
fn assumptions_end_a_case_at_any_depth(xs: Vec<u8>) -> bool {
    for x in &xs {
        if *x > 3 {
            assume!(*x < 200);
        }
    }
    xs.iter().all(|x| *x < 200)
}

#[property(cases = 3 + 4, seed = 5, max_discards = 100)]
#[cfg(not(any()))]
fn options_are_expressions(_n: u64) {
    static N_CALLS: AtomicU64 = AtomicU64::new(0);
    assert!(N_CALLS.fetch_add(1, Ordering::Relaxed) < 7);
}

#[property]
#[cfg(any())]
fn configured_away(n: ThereIsNoSuchType) {}

#[property]
#[should_panic(expected = "property `properties::should_panic_is_kept` gave up: 2,561 of 2,561 cases")]
fn should_panic_is_kept(n: u64) {
    assume!(n.checked_add(1).is_none() && n == 0);
}

#[property]
#[example(i32::MIN, String::new())]
#[example(-1, "minus".to_string())]
fn examples_by_position(n: i32, text: String) {
    assert_eq!(n.to_string().parse(), Ok(n));
    assert!(text.len() < 1 << 20);
}

#[property]
#[example(text = "named", n = 3, xs = &[1, 2], ys = vec![4])]
fn examples_by_name(n: i32, text: &str, xs: &[u8], ys: &mut Vec<u8>) {
    let _ = (n, text, xs);
    ys.clear();
}

mod specimens {
    use super::*;

    #[property(cases = 50)]
    #[example(1)]
    #[example(77)]
    #[ignore = "a specimen"]
    fn no_example_fails(#[from(0..50)] n: u32) {
        assert!(n < 60, "too large");
    }

    #[property]
    #[ignore = "a specimen"]
    fn borrowed(xs: &[u8], text: &str, ys: &mut Vec<u8>) {
        assert!(ys.pop().is_none() || xs.len() < 2 || text.chars().count() < 2);
    }

    #[property]
    #[ignore = "a specimen"]
    fn bool_total(n: u8) -> bool {
        n < 9
    }

    #[property]
    #[ignore = "a specimen"]
    fn option_total(n: u8) -> Option<u8> {
        n.checked_add(200)
    }

    #[property]
    #[ignore = "a specimen"]
    fn result_total(n: u8) -> Result<(), String> {
        if n < 9 { Ok(()) } else { Err(format!("{n} is too large")) }
    }

    #[property]
    #[ignore = "a specimen"]
    fn checked(n: u8, t: &mut Case<'_>) -> Checked {
        let parsed: i8 = n.to_string().parse()?;
        t.note(format_args!("parsed {parsed}"));
        Ok(())
    }

    #[property(partial)]
    #[ignore = "a specimen"]
    fn option_partial(_n: u32) -> Option<()> {
        None
    }

    /// The line of the first assumption.
    pub(super) const FIRST_ASSUMPTION: u32 = line!() + 5;

    #[property]
    #[ignore = "a specimen"]
    fn assumes_too_much(x: u8) {
        assume!(x > 200);
        assume!(x.count_ones() == 8 && x < 255);
        assert!(x == 0);
    }

    #[property]
    #[ignore = "a specimen"]
    async fn awaited(n: u8) -> Result<(), String> {
        if std::future::ready(n).await < 9 { Ok(()) } else { Err("late".to_string()) }
    }

    #[property(seed = 0xabc, cases = 12)]
    #[ignore = "a specimen"]
    fn seeded(n: u64) {
        label!("run");
        let _ = n;
    }

    #[property(executor = on_a_thread)]
    #[ignore = "a specimen"]
    fn panics_on_a_thread(n: u8) {
        assert!(n < 9, "on a thread");
    }

    #[property]
    #[ignore = "a specimen"]
    fn without_debug(secret: Secret) {
        assert!(secret.0 < 9);
    }

    #[property]
    #[ignore = "a specimen"]
    fn derived(tree: Tree) {
        assert!(tree.depth() < 2, "too deep");
    }
}

#[test]
fn a_failing_example_is_reported_as_it_was_written() {
    let report = Specimen::new("specimens::no_example_fails").failing_report();
    assert!(report.contains("  n = 77\n") && report.contains("this is its example 2"), "{report}");
}

#[test]
fn borrowed_arguments_are_shown() {
    assert_falsified("borrowed", &["xs   = vec![0, 0]", "text = \"aa\"", "ys   = vec![0]"]);
}

#[test]
fn missing_results_fail_a_total_property() {
    assert_falsified("bool_total", &["n = 9", "the property returned false"]);
    assert_falsified("option_total", &["n = 56", "the property returned None"]);
    assert_falsified("result_total", &["n = 9", "the property returned Err(\"9 is too large\")"]);
    assert_falsified("awaited", &["n = 9", "the property returned Err(\"late\")"]);
    assert_falsified("checked", &["n = 128", "number too large to fit in target type"]);
}

#[test]
fn discards_name_the_assumption_and_its_line() {
    let report = Specimen::new("specimens::assumes_too_much").failing_report();
    let line = specimens::FIRST_ASSUMPTION;
    for (text, line) in [("x > 200", line), ("x.count_ones() == 8 && x < 255", line + 1)] {
        let expected =
            format!("times: the assumption `{text}` at crates/stairway/tests/properties.rs:{line}:");
        assert!(report.contains(&expected), "{expected}\n{report}");
    }
}

#[test]
fn missing_results_discard_a_partial_property() {
    let report = Specimen::new("specimens::option_partial").failing_report();
    assert!(report.contains("gave up: 2,561 of 2,561 cases were discarded"), "{report}");
    assert!(report.contains("2,561 times: there was no result at "), "{report}");
}

#[test]
fn options_reach_the_run() {
    assert_passes("seeded", "held in 12 cases");
}

#[test]
fn values_without_debug_are_shown_by_their_type() {
    assert_falsified("without_debug", &["secret = <properties::Secret>"]);
}

#[test]
fn derived_types_are_shown_as_source_and_shrunk() {
    let smallest = "Tree::Node { left: Box::new(Tree::Leaf(1)), right: Box::new(Tree::Node { left: \
                    Box::new(Tree::Leaf(1)), right: Box::new(Tree::Leaf(1)) }) }";
    assert_falsified("derived", &[&format!("tree = {smallest}"), "too deep"]);
}

// Executors.

static N_POLLED_RUNS: AtomicU64 = AtomicU64::new(0);

/// Stands in for the runtime of an async library: it is told about every case.
fn runtime<F: Future>(future: F) -> F::Output {
    N_POLLED_RUNS.fetch_add(1, Ordering::Relaxed);
    stairway::block_on(future)
}

#[property(executor = runtime, cases = 20)]
async fn a_runtime_runs_every_case(n: u32) {
    assert!(N_POLLED_RUNS.load(Ordering::Relaxed) > 0);
    assert_eq!(std::future::ready(n).await, n);
}

static TABLE: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Rolls back what the body has done to the table.
fn transaction<T>(body: impl FnOnce() -> T) -> T {
    struct Rollback;
    impl Drop for Rollback {
        fn drop(&mut self) {
            TABLE.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
    let _rollback = Rollback;
    body()
}

#[property(executor = transaction)]
fn a_transaction_is_rolled_back_after_every_case(x: u8) {
    let mut table = TABLE.lock().unwrap();
    assert!(table.is_empty(), "the case before left {table:?} behind");
    table.push(x);
    assume!(x > 3);
}

fn on_a_thread<T: Send>(body: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| match scope.spawn(body).join() {
        Ok(result) => result,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

#[property(executor = on_a_thread)]
fn a_thread_runs_the_body(n: u8) -> bool {
    assume!(n != 7);
    n != 7
}

#[test]
fn a_panic_on_an_executors_thread_is_a_failure() {
    assert_falsified("panics_on_a_thread", &["n = 9"]);
}

// Derived implementations.

struct Secret(u8);

impl Arbitrary for Secret {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        Ok(Secret(choices.draw(any())?))
    }
}

#[derive(Arbitrary, ToSource, Clone, Debug, PartialEq)]
enum Tree {
    Leaf(#[from(1..=5)] u32),
    #[weight(2)]
    Node {
        left: Box<Tree>,
        right: Box<Tree>,
    },
}

impl Tree {
    fn depth(&self) -> u32 {
        match self {
            Tree::Leaf(_) => 0,
            Tree::Node { left, right } => 1 + left.depth().max(right.depth()),
        }
    }

    fn leaves(&self) -> Vec<u32> {
        match self {
            Tree::Leaf(n) => vec![*n],
            Tree::Node { left, right } => [left.leaves(), right.leaves()].concat(),
        }
    }
}

#[derive(Arbitrary, ToSource, Debug, PartialEq)]
struct Pair<A, B> {
    first: A,
    #[from(vec(any(), 1..=2))]
    rest: Vec<B>,
}

#[derive(Arbitrary, ToSource, Debug, PartialEq)]
struct Unit;

#[derive(Arbitrary, ToSource, Debug, PartialEq, Eq, PartialOrd, Ord, Clone, Copy)]
enum Color {
    #[weight(8)]
    Red,
    Green,
    #[weight(0)]
    Blue,
}

#[property]
fn derived_fields_are_drawn_from_their_generators(tree: Tree, pair: Pair<bool, Unit>) {
    assert!(tree.leaves().iter().all(|n| (1..=5).contains(n)));
    assert!((1..=2).contains(&pair.rest.len()));
}

#[test]
fn derived_enums_are_made_by_weight() {
    let report = quiet("colors").cases(2000).report(|t| {
        let colors = t.pick(vec(any::<Color>(), 20..=20))?;
        colors.into_iter().for_each(|color| t.collect("color", color));
        Ok(())
    });
    let rows = &report.result.statistics.tables["color"].rows;
    let share = |color: &str| rows.get(color).copied().unwrap_or(0) as f64 / 40_000.0;
    assert!((0.8..0.95).contains(&share("Red")) && share("Blue") == 0.0, "{rows:?}");
}

#[test]
fn recursive_types_have_every_depth_and_end() {
    let depths = Mutex::new(BTreeSet::new());
    let report = quiet("trees").cases(500).report(|t| {
        depths.lock().unwrap().insert(t.pick(any::<Tree>())?.depth());
        Ok(())
    });
    assert!(report.is_success(), "{report}");
    let depths = depths.into_inner().unwrap();
    assert!((0..4).all(|depth| depths.contains(&depth)), "{depths:?}");
}

#[test]
fn derived_source_makes_the_value_again() {
    let tree = Tree::Node { left: Box::new(Tree::Leaf(1)), right: Box::new(Tree::Leaf(2)) };
    assert_eq!(
        tree.to_source(),
        "Tree::Node { left: Box::new(Tree::Leaf(1)), right: Box::new(Tree::Leaf(2)) }"
    );
    let pair = Pair { first: Some(Color::Green), rest: vec![Unit] };
    assert_eq!(pair.to_source(), "Pair { first: Some(Color::Green), rest: vec![Unit] }");
}

// Closures.

#[test]
fn check_runs_a_closure_over_a_case() {
    let n_calls = std::cell::Cell::new(0);
    stairway::check(|t| {
        n_calls.set(n_calls.get() + 1);
        let xs = t.pick(vec(0..100, 1..10))?;
        let x = t.pick(sampled_from(&xs))?;
        t.assume(x > 0)?;
        assert!(xs.contains(&x));
        Ok(())
    });
    assert!(n_calls.get() >= 256, "{}", n_calls.get());
}

#[test]
fn check_async_awaits_the_closure() {
    let n_calls = std::cell::Cell::new(0);
    stairway::check_async(async |t| {
        n_calls.set(n_calls.get() + 1);
        let n = t.pick(0..10_000)?;
        assert_eq!(std::future::ready(n).await, n);
        Ok(())
    });
    assert_eq!(n_calls.get(), 256);
}

#[test]
fn a_checker_shrinks_and_replays() {
    let property = |t: &mut Case<'_>| {
        let xs = t.pick(vec(0..1000, 0..20))?;
        let i = t.pick(0..=xs.len())?;
        assert!(i < 3 || xs[i - 1] < 100, "large at the end");
        Ok(())
    };
    let (first, again) = (quiet("p").report(property), quiet("p").report(property));
    assert_eq!(shown(&first), ["[0, 0, 100]", "3"]);
    assert_eq!(first.to_string(), again.to_string());
}

#[test]
fn a_checker_runs_its_examples_first() {
    let n_drawn = AtomicU64::new(0);
    let fails: stairway::Example = |t| {
        t.given("n", || "7".to_string());
        panic!("example")
    };
    let report = quiet("p").examples(&[|_| Ok(()), fails]).report(|_| {
        n_drawn.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    assert_eq!(report.counterexample().map(|found| found.origin), Some(CaseOrigin::Example(1)));
    assert_eq!((shown(&report), n_drawn.into_inner()), (vec!["7"], 0));
}

#[test]
fn run_panics_with_the_report() {
    let property = |t: &mut Case<'_>| {
        assert!(t.pick(0..1000)? < 10);
        Ok(())
    };
    let report = quiet("p").report(property);
    let payload = std::panic::catch_unwind(|| quiet("p").run(property)).unwrap_err();
    assert_eq!(payload.downcast_ref::<String>(), Some(&report.to_string()));
    quiet("p").run_async(async |t| {
        let n = t.pick(0..10)?;
        t.assume(std::future::ready(n).await > 3)?;
        Ok(())
    });
}

/// Where the report says to write it, and where people write it first.
#[example(0)]
#[property(cases = 1)]
fn an_example_above_the_attribute_is_one_too(x: u8) {
    SEEN_ABOVE.with(|seen| seen.borrow_mut().push(x));
    SEEN_ABOVE.with(|seen| assert_eq!(seen.borrow()[0], 0));
}

thread_local! {
    static SEEN_ABOVE: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// What lives for ever is drawn as it is, where somebody says where it comes from.
#[property]
fn static_values_have_generators(
    #[from(sampled_from(["S 1", "RE 5"]))] line: &'static str,
    #[from(sampled_from([&[1u8, 2][..], &[3]]))] row: &'static [u8],
) {
    let kept: (&'static str, &'static [u8]) = (line, row);
    assert!(kept.0.len() > 2 && !kept.1.is_empty());
}
