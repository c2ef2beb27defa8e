//! What is taken: footprints, overlaps, what does not exist or was never written, walks over memory.

use super::*;

#[test]
fn a_call_takes_and_hands_back() {
    let contract = "requires take L = Chain(p); take A = W<int>(a); 0i32 < x;
        ensures take L2 = Chain(p); take A2 = RW<int>(a); L2 == snoc(L, x); A2 == x; return == x;";
    let mut bench = bench(contract);
    let a = bench.memory.allocate(4);
    let p = bench.memory.list(&[1, 2]);
    let arguments = Arguments { x: 5, p, a, ..Arguments::default() };
    let entered = bench.enter(arguments).expect("it holds");
    let footprint = bench.evaluator.footprint(&entered);
    assert_eq!(footprint.ranges.len(), 3);
    assert_eq!(footprint.ranges[0], Range { address: p, size: 16 });
    assert_eq!(footprint.ranges[2], Range { address: a, size: 4 });
    assert!(footprint.taken[0].is_initialised && !footprint.taken[2].is_initialised);
    assert_eq!(bench.sources.slice(footprint.taken[0].clause), "take L = Chain(p)");
    assert_eq!(bench.sources.slice(footprint.taken[0].place), "RW<struct node>(p)");
    let shown = bench.evaluator.entry_values(&entered);
    assert!(shown.contains(&("L".to_string(), "[1, 2]".to_string().into())), "{shown:?}");

    // The body: appends 5, and writes it to `a`.
    let third = bench.memory.node(5, 0);
    let second = footprint_address(&bench, &entered, 1);
    bench.memory.write(second + 8, &third.to_le_bytes());
    bench.memory.write(a, &5i32.to_le_bytes());
    assert_eq!(bench.exit(entered, 5), Ok(()));
    let returned: Vec<u64> = bench.evaluator.returned().ranges.iter().map(|r| r.address).collect();
    assert_eq!(returned, [p, second, third, a]);

    // Not the right result, then not the right list.
    bench.memory.write(second + 8, &0u64.to_le_bytes());
    let entered = bench.enter(arguments).expect("it holds");
    bench.memory.write(second + 8, &third.to_le_bytes());
    let stop = bench.exit(entered, 6).expect_err("another result");
    insta::assert_snapshot!(bench.text(&stop));
    let entered = bench.enter(arguments).expect("it holds");
    let stop = bench.exit(entered, 5).expect_err("another list");
    insta::assert_snapshot!(bench.text(&stop));
}

fn footprint_address(bench: &Bench, entered: &crate::evaluate::CallEntry, k: usize) -> u64 {
    bench.evaluator.footprint(entered).ranges[k].address
}

#[test]
fn what_cannot_be_taken() {
    let mut shown = Vec::new();
    let mut stop = |requires: &str, arguments: &dyn Fn(&Fake) -> Arguments| {
        let mut bench = bench(&format!("requires {requires};"));
        let arguments = arguments(&bench.memory);
        let stop = bench.try_enter(arguments).expect_err(requires);
        shown.push(bench.text(&stop));
    };
    let none = Arguments::default();
    stop("take X = RW<int>(a)", &|_| none);
    stop("take X = W<int>(a)", &|_| Arguments { a: 0x10, ..none });
    stop("take X = W<int>(a)", &|_| Arguments { a: u64::MAX - 1, ..none });
    stop("take X = RW<struct node>(p)", &|m| Arguments { p: m.ints(&[1, 2]), ..none });
    stop("take X = RW<struct node>(p)", &|m| {
        let p = m.node(1, 0);
        m.free(p, 16);
        Arguments { p, ..none }
    });
    stop("take X = RW<struct node>(p)", &|m| {
        let p = m.allocate(16);
        m.write(p, &[1, 0, 0, 0]);
        m.write(p + 8, &[0; 3]);
        Arguments { p, ..none }
    });
    stop("take X = RW<int>(a); take Y = W<struct node>(p)", &|m| {
        let p = m.node(1, 0);
        Arguments { p, a: p + 8, ..none }
    });
    stop("take L = Chain(p); take X = RW<int>(a)", &|m| {
        let p = m.list(&[1, 2, 3]);
        Arguments { p, a: p, ..none }
    });
    // A cycle.
    stop("take L = Chain(p)", &|m| {
        let p = m.list(&[1, 2]);
        m.write(p - 16 - 16 + 8, &p.to_le_bytes());
        Arguments { p, ..none }
    });
    // Garbage in the middle.
    stop("take L = Chain(p)", &|m| {
        let q = m.node(2, 0xdead_beef);
        Arguments { p: m.node(1, q), ..none }
    });
    stop("take A = each (u32 i; i < n) { RW<int>(a + i) }", &|m| Arguments {
        a: m.ints(&[1, 2, 3]),
        n: 4_000_000_000,
        ..none
    });
    stop("take A = each (i32 i; 0i32 <= i && i < 3i32) { RW<int>(a + i / 2i32) }", &|m| Arguments {
        a: m.ints(&[1, 2, 3]),
        ..none
    });
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn asserts_in_predicates_say_how_one_got_there() {
    let definitions = "predicate [rec] (i32) Sorted(pointer p, i32 least) {
          if (p == NULL) { return least; }
          else { take N = RW<struct node>(p); assert(least <= N.v); take R = Sorted(N.next, N.v); return R; } }";
    let mut bench = bench_with(definitions, "requires take S = Sorted(p, x); S == 9i32;");
    let p = bench.memory.list(&[1, 4, 9]);
    assert_eq!(bench.try_enter(Arguments { p, ..Arguments::default() }), Ok(()));
    let p = bench.memory.list(&[1, 4, 3]);
    let stop = bench.try_enter(Arguments { p, ..Arguments::default() }).expect_err("not sorted");
    let addresses = [(p - 16 - 16, "q"), (p - 16 - 16 - 32, "r"), (p, "p")];
    let text =
        addresses.iter().fold(bench.text(&stop), |text, (a, name)| text.replace(&format!("{a:#x}"), name));
    insta::assert_snapshot!(text);
}

#[test]
fn arrays_are_taken_by_index() {
    let contract = "requires take A = each (u32 i; i < n) { RW<int>(a + i) };
          each (u32 i; i < n) { A[i] == (i32) i };
          A[n] == 0i32;
        ensures take B = each (u32 i; i < n && i != 1u32) { RW<int>(a + i) }; B == A[1u32: 0i32]; B[1u32] == 0i32;";
    let mut bench = bench(contract);
    let a = bench.memory.ints(&[0, 1, 2, 3]);
    let arguments = Arguments { n: 4, a, ..Arguments::default() };
    let entered = bench.enter(arguments).expect("it holds");
    assert_eq!(bench.evaluator.footprint(&entered).ranges.len(), 4);
    assert_eq!(bench.exit(entered, 0), Ok(()));
    assert_eq!(bench.evaluator.returned().ranges.len(), 3);
    // No indices, so no memory is needed.
    assert_eq!(bench.try_enter(Arguments { n: 0, a: 0, ..Arguments::default() }), Ok(()));
    bench.memory.write(a + 8, &7i32.to_le_bytes());
    let stop = bench.try_enter(arguments).expect_err("another value");
    insta::assert_snapshot!(bench.text(&stop));
}

#[test]
fn globals_are_taken_and_given_back() {
    let contract = "accesses counter; requires counter == 7i32; ensures counter == { counter }%start + 1i32; { x }unchanged;";
    let mut bench = bench(contract);
    let entered = bench.enter(Arguments::default()).expect("it holds");
    assert_eq!(bench.evaluator.footprint(&entered).ranges, [Range { address: START, size: 4 }]);
    bench.memory.write(START, &8i32.to_le_bytes());
    assert_eq!(bench.exit(entered, 0), Ok(()));
    assert_eq!(bench.evaluator.returned().ranges, [Range { address: START, size: 4 }]);
    bench.memory.write(START, &7i32.to_le_bytes());
    let entered = bench.enter(Arguments::default()).expect("it holds");
    let stop = bench.exit(entered, 0).expect_err("not counted");
    insta::assert_snapshot!(bench.text(&stop));
}

#[test]
fn a_trusted_function_initialises_by_decree() {
    for (word, is_trusted) in [("trusted;", true), ("", false)] {
        let mut bench = bench(&format!("{word} requires take A = W<int>(a); ensures take B = RW<int>(a);"));
        let a = bench.memory.allocate(4);
        let entered = bench.enter(Arguments { a, ..Arguments::default() }).expect("it holds");
        assert_eq!(bench.exit(entered, 0).is_ok(), is_trusted);
    }
}

#[test]
fn a_union_is_initialised_by_any_of_its_members() {
    let mut bench = bench("requires take U = RW<union either>((pointer) (u64) a);");
    let a = bench.memory.allocate(8);
    let arguments = Arguments { a, ..Arguments::default() };
    bench.memory.write(a, &[1, 2, 3]);
    let stop = bench.try_enter(arguments).expect_err("half a number");
    assert!(matches!(stop.why, StopReason::Uninitialised(super::super::Bytes { offset: 3, .. })), "{stop:?}");
    bench.memory.write(a + 3, &[4]);
    assert_eq!(bench.try_enter(arguments), Ok(()));
}

#[test]
fn long_lists_are_walked_and_endless_walks_end() {
    let mut bench = bench("requires take L = Chain(p); length(L) == 100000u64; L == L; snoc(L, 1i32) != L;");
    let p = bench.memory.list(&vec![3; 100_000]);
    let arguments = Arguments { p, ..Arguments::default() };
    if let Err(stop) = bench.try_enter(arguments) {
        panic!("{}", bench.text(&stop));
    }
    let limits = super::super::Limits { depth: 1000, ..Default::default() };
    bench.evaluator.set_limits(limits);
    let stop = bench.try_enter(arguments).expect_err("too deep");
    assert_eq!((stop.why.clone(), stop.blame), (StopReason::TooDeep, super::super::Blame::Unmet));
    assert_eq!(stop.within.len() + stop.n_within_left_out, 1001);
    assert!(stop.is_discard());
}

#[test]
fn calls_nest_and_can_be_abandoned() {
    let mut bench = bench("requires take L = Chain(p); ensures take M = Chain(p); L == M;");
    let (p, q) = (bench.memory.list(&[1, 2]), bench.memory.list(&[3]));
    let outer = bench.enter(Arguments { p, ..Arguments::default() }).expect("it holds");
    let inner = bench.enter(Arguments { p: q, ..Arguments::default() }).expect("it holds");
    assert_eq!(bench.evaluator.footprint(&outer).ranges.len(), 2);
    assert_eq!(bench.evaluator.footprint(&inner).ranges.len(), 1);
    assert_eq!(bench.exit(inner, 0), Ok(()));
    let abandoned = bench.enter(Arguments { p: q, ..Arguments::default() }).expect("it holds");
    drop(abandoned);
    assert_eq!(bench.exit(outer, 0), Ok(()));
    assert!(bench.evaluator.open.is_empty() && bench.evaluator.state.stack.is_empty());
    // Nothing piles up.
    let n = bench.evaluator.state.arena.values.len();
    for _ in 0..10 {
        let entered = bench.enter(Arguments { p, ..Arguments::default() }).expect("it holds");
        assert_eq!(bench.exit(entered, 0), Ok(()));
    }
    assert_eq!(bench.evaluator.state.arena.values.len(), n);
}

/// Whatever memory holds, the answer is an answer.
#[test]
fn garbage_never_panics() {
    let contract = "requires take L = Chain(p); take M = RW<struct mixed>(m); take A = each (u32 i; i < n) { RW<int>(a + i) };
        x / y == 0i32 || M.a[(u64) n] == x; good<struct mixed>(M); length(L) < 3u64;
        ensures take N = RW<struct mixed>(m); N == M; A[n] == return;";
    let mut bench = bench(contract);
    let mut seed = 12345u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let area = bench.memory.allocate(512);
    for _ in 0..3000 {
        for k in 0..64 {
            let word = match random() % 4 {
                0 => area + random() % 512,
                1 => 0,
                2 => random(),
                _ => area + random() % 32 * 16,
            };
            bench.memory.write(area + 8 * k, &word.to_le_bytes());
        }
        let mut address = || if random() % 5 == 0 { random() } else { area + random() % 600 };
        let (p, a, m) = (address(), address(), address());
        let (x, n, y) = (random() as i32, (random() % 9) as u32, (random() % 3) as i32);
        if let Ok(entered) = bench.enter(Arguments { x, n, p, a, k: 0, m, y }) {
            let _ = bench.exit(entered, x);
        }
    }
}
