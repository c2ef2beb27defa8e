//! Invariants, statements and lemmas: C variables as they are now.

use super::*;

fn bench_at(contract: Option<&str>, place: Place, text: &str) -> Bench {
    let lemma = "lemma bigger(i32 v, i32 w) requires v < w; ensures v + 1i32 <= w;";
    let mut comments = vec![(Place::Top, lemma)];
    if let Some(contract) = contract {
        comments.push((Place::Contract { function: "f".to_string() }, contract));
    }
    comments.push((place, text));
    bench_of(&comments)
}

fn in_loop() -> Place {
    Place::Loop { function: "f".to_string(), site: Site(0) }
}

fn in_body() -> Place {
    Place::Statement { function: "f".to_string(), site: Site(0) }
}

/// The addresses of variables with values.
fn captures(bench: &Bench, list: &[crate::spec::checked::Capture], values: &[(&str, i32)]) -> Vec<u64> {
    let value = |name: &str| values.iter().find(|(n, _)| *n == name).map(|(_, v)| *v).expect("a value");
    list.iter().map(|capture| bench.memory.ints(&[value(&capture.name)])).collect()
}

#[test]
fn invariants_see_now_and_entry() {
    let contract = "requires take A = RW<int>(a); ensures take B = RW<int>(a);";
    let text = "inv 0i32 <= i; i <= x; { x }unchanged; take C = RW<int>({ a }%start); C == A + i; { *a }%start == A;";
    let mut bench = bench_at(Some(contract), in_loop(), text);
    let a = bench.memory.ints(&[10]);
    let entered = bench.enter(Arguments { x: 3, a, ..Arguments::default() }).expect("it holds");
    let list = bench.specs.loops[0].captures.clone();
    for (i, x, value, expected) in [
        (0, 3, 10, None),
        (2, 3, 12, None),
        (2, 3, 13, Some("C == A + i")),
        (2, 4, 12, Some("{ x }unchanged")),
        (-1, 3, 9, Some("0i32 <= i")),
    ] {
        bench.memory.write(a, &i32::to_le_bytes(value));
        let addresses = captures(&bench, &list, &[("i", i), ("x", x)]);
        let outcome = bench.evaluator.invariant(0, Some(&entered), &addresses, &bench.memory);
        let clause = outcome.as_ref().err().map(|stop| bench.sources.slice(stop.clause));
        assert_eq!(clause, expected);
        if expected == Some("C == A + i") {
            insta::assert_snapshot!(bench.text(&outcome.expect_err("false")));
        }
    }
    bench.memory.write(a, &10i32.to_le_bytes());
    assert_eq!(bench.exit(entered, 0), Ok(()));
}

#[test]
fn a_function_without_a_contract_has_no_entry() {
    let mut bench = bench_at(None, in_loop(), "inv 0i32 <= i; { x }unchanged;");
    let list = bench.specs.loops[0].captures.clone();
    let addresses = captures(&bench, &list, &[("i", -1), ("x", 3)]);
    let stop = bench.evaluator.invariant(0, None, &addresses, &bench.memory).expect_err("negative");
    assert_eq!(stop.why, StopReason::False);
    let addresses = captures(&bench, &list, &[("i", 1), ("x", 3)]);
    let stop = bench.evaluator.invariant(0, None, &addresses, &bench.memory).expect_err("no entry");
    assert_eq!(stop.why, StopReason::NoEntry);
}

#[test]
fn statements_and_lemmas_are_checked() {
    let text = "assert(i < x); assert(each (i32 j; 0i32 <= j && j < i) { j != 2i32 }); apply bigger(i, x); split_case(i < x); assert(*a == 5i32); assert(p->v == 1i32);";
    let mut bench = bench_at(Some("requires true;"), in_body(), text);
    let list = bench.specs.statements[0].captures.clone();
    let (a, p) = (bench.memory.ints(&[5]), bench.memory.node(1, 0));
    let (to_a, to_p) = (bench.memory.block(&a.to_le_bytes()), bench.memory.block(&p.to_le_bytes()));
    let check = |bench: &mut Bench, i: i32, x: i32| {
        let address = |name: &str, bench: &Bench| match name {
            "a" => to_a,
            "p" => to_p,
            "i" => bench.memory.ints(&[i]),
            _ => bench.memory.ints(&[x]),
        };
        let addresses: Vec<u64> = list.iter().map(|c| address(&c.name, bench)).collect();
        bench.evaluator.statements(0, None, &addresses, &bench.memory)
    };
    assert_eq!(check(&mut bench, 2, 3), Ok(()));
    let mut shown = Vec::new();
    for (i, x) in [(3, 3), (4, 5)] {
        let stop = check(&mut bench, i, x).expect_err("false");
        shown.push(bench.text(&stop));
    }
    bench.memory.free(p, 16);
    let stop = check(&mut bench, 2, 3).expect_err("freed");
    shown.push(bench.text(&stop));
    insta::assert_snapshot!(shown.join("\n\n"));
}
