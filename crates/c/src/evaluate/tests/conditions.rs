//! Expressions: arithmetic, laziness, builtins, values with parts.

use super::*;

const ARGUMENTS: Arguments = Arguments { x: -7, n: 12, p: 0, a: START, k: 5, m: 0, y: 3 };

#[test]
fn arithmetic_wraps_truncates_and_follows_the_sign() {
    all_hold(
        "",
        ARGUMENTS,
        &[
            "x + y == -4i32",
            "x - y == -10i32",
            "x * y == -21i32",
            "x / 2i32 == -3i32",
            "x % 2i32 == -1i32",
            "mod(x, 2i32) == 1i32",
            "rem(x, 2i32) == -1i32",
            "n - 13u32 == MAXu32()",
            "MAXi32() - x < 0i32",
            "-x == 7i32",
            "~x == 6i32",
            "n & 10u32 == 8u32",
            "n | 3u32 == 15u32",
            "n ^ 4u32 == 8u32",
            "shift_left(n, 2u32) == 48u32",
            "shift_left(n, 32u32) == 0u32",
            "shift_right(x, 1i32) == -4i32",
            "shift_right(n, 2u32) == 3u32",
            "power(y, 4i32) == 81i32",
            "power(2u32, 40u32) == 0u32",
            "x < y && (u32) y < (u32) x",
            "x <= x && y >= y && y > x",
            "(i64) x == -7i64 && (u8) x == 249u8 && (u64) n == 12u64",
            "(i8) 200u32 == -56i8",
            "k == (u32) GREEN && k != (u32) RED",
            "MINi8() == -128i8 && MAXu64() == 18446744073709551615u64",
            "MAXu128() > 5u128 && MAXu128() / 2u128 == (u128) MAXi128()",
        ],
    );
}

#[test]
fn integers_are_unbounded() {
    all_hold(
        "function (integer) two_to(integer n) { power(2, n) }",
        ARGUMENTS,
        &[
            "two_to((integer) n) == 4096",
            "two_to(200) > (integer) MAXu128()",
            "two_to(200) / two_to(198) == 4",
            "two_to(200) - two_to(200) == 0",
            "-two_to(130) < 0 && two_to(130) % 7 == 2",
            "(u8) (two_to(100) + 5) == 5u8",
            "(u8) (two_to(150) + 5) == 5u8",
            "(integer) x == -7 && (integer) x / 2 == -3 && mod((integer) x, 2) == 1",
            "(integer) MAXu128() + 1 == two_to(128)",
            "(pointer) ((integer) a + 4) == a + 1i32",
        ],
    );
}

#[test]
fn conditions_are_lazy() {
    all_hold(
        "function (i32) nothing(i32 x)",
        ARGUMENTS,
        &[
            "y == 3i32 || nothing(x) == 0i32",
            "!(y == 4i32 && nothing(x) == 0i32)",
            "y == 4i32 implies nothing(x) == 0i32",
            "(y == 3i32 ? 1i32 : nothing(x)) == 1i32",
            "(if (y == 4i32) { nothing(x) } else { 2i32 }) == 2i32",
            "y - 3i32 != 0i32 implies x / (y - 3i32) == 5i32",
        ],
    );
}

#[test]
fn what_is_built_in() {
    all_hold(
        "function (cn_option<i32>) some(i32 x) { Some(x) } function (cn_option<i32>) none() { default<cn_option<i32> > }",
        ARGUMENTS,
        &[
            "is_null(p) && !is_null(a) && not(is_null(a)) && p == NULL",
            "ptr_eq(a, a) && !ptr_eq(a, p) && addr_eq(p, NULL)",
            "has_alloc_id(a) && !has_alloc_id(p)",
            "bw_clz(n) == 28u32 && bw_ctz(n) == 2u32 && bw_ffs(n) == 3u32 && bw_fls(n) == 4u32",
            "bw_ctz(0u32) == 32u32 && bw_ffs(0u32) == 0u32 && bw_clz(x) == 0i32",
            "is_some(some(x)) && !is_none(some(x)) && get_opt(some(x)) == x",
            "is_none(none()) && get_opt(none()) == 0i32",
            "array_shift<int>(a, 2i32) == a + 2i32 && (u64) (a + 2i32) == (u64) a + 8u64",
            "(u64) (a + x) == (u64) a - 28u64",
            "member_shift<struct node>(p, next) == (pointer) 8u64",
            "sizeof<struct node> == 16u64 && offsetof(node, next) == 8u64",
            "a < a + 1i32",
        ],
    );
}

#[test]
fn what_c_values_are_good() {
    all_hold(
        "",
        ARGUMENTS,
        &[
            "good<int>(x)",
            "good<unsigned int>(n)",
            "good<int *>(a)",
            "!good<int *>((pointer) ((u64) a + 1u64))",
        ],
    );
    let mut bench = bench("requires take M = RW<struct mixed>(m); good<struct mixed>(M);");
    let m = mixed(&bench.memory);
    assert_eq!(bench.try_enter(Arguments { m, ..ARGUMENTS }), Ok(()));
    // A `_Bool` that is neither.
    bench.memory.write(m + 1, &[2]);
    let stop = bench.try_enter(Arguments { m, ..ARGUMENTS }).expect_err("a bad bool");
    assert_eq!(stop.why, StopReason::False);
}

#[test]
fn records_structs_maps_lists_and_defaults() {
    let definitions = "type_synonym pair = { i32 a, map<u64, i32> m }
        datatype Tree { Leaf {}, Node { datatype Tree l, i32 v, datatype Tree r } }
        function (pair) make(i32 a) { let d = default<map<u64, i32> >; { a: a, m: d[3u64: a, 1u64: 8i32] } }
        function (map<u64, i32>) empty() { default<map<u64, i32> > }
        function (datatype Tree) tree(i32 v) { Node { l: Leaf {}, v: v, r: Leaf {} } }
        function (i32) left(datatype Tree t) {
          match t { Node { l: Node { l: _, v: v, r: Leaf {} }, v: _, r: _ } => { v } Node { l: Leaf {}, v: v, r: _ } => { 0i32 - v } _ => { 1000i32 } }
        }";
    all_hold(
        definitions,
        ARGUMENTS,
        &[
            "make(x).a == x && make(x).m[3u64] == x && make(x).m[1u64] == 8i32 && make(x).m[2u64] == 0i32",
            "make(x) == make(-7i32) && make(x) != make(y)",
            "{ a: 1i32, ..make(x) }.a == 1i32 && { a: 1i32, ..make(x) }.m == make(x).m",
            // A key with the default value is as good as none.
            "empty() == empty()[7u64: 0i32] && empty()[7u64: 0i32] == empty() && empty()[7u64: 1i32] != empty()",
            "empty()[1u64: 1i32, 1u64: 2i32][1u64] == 2i32",
            "empty()[1u64: 1i32, 2u64: 2i32] == empty()[2u64: 2i32, 1u64: 1i32]",
            "default<struct node>.v == 0i32 && is_null(default<struct node>.next)",
            "struct node { v: x, next: p } == { v: x, ..default<struct node> }",
            "default<datatype Tree> == Leaf {} && !default<boolean> && default<integer> == 0",
            "left(tree(4i32)) == -4i32 && left(Leaf {}) == 1000i32",
            "left(Node { l: tree(9i32), v: 1i32, r: Leaf {} }) == 9i32",
            "left(Node { l: Node { l: Leaf {}, v: 2i32, r: tree(1i32) }, v: 1i32, r: Leaf {} }) == 1000i32",
            "[1i32, 2i32] == [1i32, 2i32] && [1i32] != [2i32] && [1i32] != [1i32, 1i32]",
            "snoc(snoc(Nil {}, 1i32), 2i32) == Cons { Head: 1i32, Tail: Cons { Head: 2i32, Tail: Nil {} } }",
            "(let z = x + 1i32; z * z) == 36i32",
            "each (i32 i: 0i32, 10i32; i < 11i32)",
            "!each (i32 i: 0i32, 10i32; i < 10i32)",
            "each (i32 i: 5i32, 4i32; false)",
            "each (u8 i: 0u8, 255u8; (u32) i < 256u32)",
        ],
    );
}

#[test]
fn a_lifted_function_is_called() {
    let specs = [
        (Place::Top, "function (i32) double(i32 x)"),
        (Place::Contract { function: "twice".to_string() }, "cn_function double;"),
        (
            Place::Contract { function: "f".to_string() },
            "requires double(x) == -14i32; double(y + MAXi32()) == 0i32;",
        ),
    ];
    let mut bench = bench_of(&specs);
    let stop = bench.try_enter(Arguments { y: 0, ..ARGUMENTS }).expect_err("an overflow");
    assert_eq!(bench.memory.n_calls.get(), 2);
    insta::assert_snapshot!(bench.text(&stop));
}

#[test]
fn what_has_no_meaning_is_the_specs_fault() {
    let definitions = "function (i32) nothing(i32 x)
        function [rec] (i32) forever(i32 x) { 1i32 + forever(x + 1i32) }
        function [rec] (i32) slow(i32 x) { x == 0i32 ? 1i32 : slow(x - 1i32) + slow(x - 1i32) }";
    let reports = [
        "x / (y - 3i32) == 0i32",
        "y == 4i32 || nothing(x) == 0i32",
        "power(y, x) == 0i32",
        "forever(x) == 0i32",
        "slow(40i32) == 0i32",
        "each (u64 i; i < MAXu64()) { i == i }",
        "power(2, power(2, (integer) n + 10)) == 5",
    ];
    let shown: Vec<String> = reports.iter().map(|clause| stops(definitions, ARGUMENTS, clause)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_condition_that_reaches_what_has_no_body_is_left_out() {
    let contract = "ensures y == 4i32 || nothing(x) == 0i32; x < y;";
    let mut bench = bench_with("function (i32) nothing(i32 x)", contract);
    let entered = bench.enter(ARGUMENTS).expect("it holds");
    assert_eq!(bench.exit(entered, 0), Ok(()));
    let left_out = bench.evaluator.take_unchecked();
    let left_out: Vec<&str> = left_out.iter().map(|span| bench.sources.slice(*span)).collect();
    assert_eq!(left_out, ["y == 4i32 || nothing(x) == 0i32"]);
}

#[test]
fn a_condition_that_is_false_shows_what_decided_it() {
    let reports = [
        "x == 0i32 || n < 10u32 && y == 3i32",
        "x < y implies n * 2u32 == 25u32",
        "y == 3i32; x < y; y < x",
        "let l = snoc(snoc(Nil {}, 1i32), y); match l { Nil {} => { true } Cons { Head: h, Tail: t } => { h == x } }",
        "each (i32 i; 0i32 <= i && i < 5i32) { i * i < 9i32 }",
        "length(snoc(Nil {}, x)) == 2u64",
        "!is_null(p)",
        "let r = { b: x, a: a }; r.b == y",
    ];
    let shown: Vec<String> = reports.iter().map(|clause| stops("", ARGUMENTS, clause)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

/// A `struct mixed` with 'c', true, {1, 2, 3}, i = 5, low = 6, high = -3, x = 1.5, { 9, NULL }.
pub(super) fn mixed(memory: &Fake) -> u64 {
    let m = memory.allocate(48);
    memory.write(m, b"c\x01");
    memory.write(m + 4, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    memory.write(m + 16, &5i32.to_le_bytes());
    memory.write(m + 24, &[0b1110_1110]);
    memory.write(m + 28, &1.5f32.to_le_bytes());
    memory.write(m + 32, &9i32.to_le_bytes());
    memory.write(m + 40, &0u64.to_le_bytes());
    m
}

#[test]
fn all_kinds_of_c_values_are_read() {
    let contract = "requires take M = RW<struct mixed>(m);
        M.tag == 99u8; M.ok == 1u8; M.a[1u64] == 2i32; M.a[3u64] == 0i32; M.u.i == 5i32; M.low == 6u32; M.high == -3i32;
        M.n.v == 9i32; is_null(M.n.next); M.n == struct node { v: 9i32, next: NULL };
        let twin = { tag: 98u8, ..M }; twin != M; twin.a == M.a; twin.x == M.x;";
    let mut bench = bench(contract);
    let m = mixed(&bench.memory);
    if let Err(stop) = bench.try_enter(Arguments { m, ..ARGUMENTS }) {
        panic!("{}", bench.text(&stop));
    }
    let entered = bench.enter(Arguments { m, ..ARGUMENTS }).expect("it holds");
    let shown = bench.evaluator.entry_values(&entered);
    let of =
        |name: &str| shown.iter().find(|(n, _)| n == name).map(|(_, v)| v.to_string()).unwrap_or_default();
    let text = of("M");
    assert!(text.starts_with("{ tag: 99, ok: 1, a: [1, 2, 3], u: { i: 5, d: "), "{text}");
    assert!(text.ends_with("}, low: 6, high: -3, x: 1.5, n: { v: 9, next: NULL } }"), "{text}");
    assert_eq!(of("a"), "0x1000");
    bench.evaluator.leave(entered);
}

#[test]
fn branches_that_are_taken_are_told_apart_and_only_where_somebody_watches() {
    let mut bench = bench("requires take L = Chain(p); x < 0i32 implies length(L) < 3u64;");
    let taken = |bench: &mut Bench, values: &[i32], x: i32| {
        let p = bench.memory.list(values);
        bench.try_enter(Arguments { p, x, ..ARGUMENTS }).ok();
        let mut taken = Vec::new();
        bench.evaluator.take_branches(|branch| taken.push(branch));
        taken
    };
    assert!(taken(&mut bench, &[1], 1).is_empty());
    bench.evaluator.watch(true);
    let empty = taken(&mut bench, &[], 1);
    let (one, many) = (taken(&mut bench, &[1], 1), taken(&mut bench, &[1, 2, 3], 1));
    assert!(empty.len() < one.len(), "a list that is not empty has two ends: {empty:?} {one:?}");
    assert_eq!(one, many, "each branch once");
    // Behind the condition, the length is asked for, with branches of its own.
    let asked = taken(&mut bench, &[1], -1);
    assert!(asked.len() > one.len() && one.iter().all(|branch| asked.contains(branch)), "{asked:?}");
    bench.evaluator.watch(false);
    assert!(taken(&mut bench, &[1], -1).is_empty());
}
