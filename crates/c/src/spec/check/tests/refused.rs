//! What is wrong, and what is said about it.

use super::*;

/// The messages for each of several texts at a place.
fn each(place: &Place, texts: &[&str]) -> String {
    texts.iter().map(|text| format!("{}\n\n", bad(&[(place.clone(), text)]))).collect()
}

/// The messages for each of several conditions on `f`.
fn conditions(texts: &[&str]) -> String {
    texts.iter().map(|text| format!("{}\n\n", bad(&[(of("f"), &format!("requires {text};"))]))).collect()
}

#[test]
fn names() {
    insta::assert_snapshot!(conditions(&[
        "y == 1i32",
        "conter == 1",
        "Nil == Nil {}",
        "snoc == 1",
        "Chain == 1",
        "twice == 1",
        "return == 1i32",
        "sonc(Nil {}, x) == Nil {}",
        "Chain(p) == Nil {}",
        "RW(p) == 1",
        "twice(x) == 1",
        "Con { a: 1 } == Nil {}",
        "node { v: 1 } == x",
        "Cons(1) == Nil {}",
        "&nothing == NULL",
        "&x == NULL",
        "&(x + 1) == NULL",
        "is_nul(p)",
        "RED1 == 1",
    ]));
}

#[test]
fn names_of_other_languages_are_told_how_they_are_written_here() {
    insta::assert_snapshot!(conditions(&[
        "p != null",
        "x == TRUE",
        "N_SLOTS == 1",
        "old(x) == x",
        "0i32 < x <= 3i32",
        "x->v == 1",
        "struct node { v: 1i32, next: NULL }->v == 1i32",
    ]));
    insta::assert_snapshot!(bad(&[(of("f"), "ensures result == 1i32;")]));
}

#[test]
fn what_was_not_read_is_not_unknown() {
    let texts = [
        (
            Place::Top,
            "predicat (i32) P(pointer p) { take X = RW<int>(p); return X; } function (u32) one(x) { x }",
        ),
        (of("f"), "requires take V = P(p); one(n) == 1u32; V == 1i32; ensures twice(x) == 2i32;"),
        (of("g"), "take Q = P(q); Q == 1i32; ensures Q == 2i32;"),
    ];
    insta::assert_snapshot!(bad(&texts));
}

#[test]
fn types_of_operands() {
    insta::assert_snapshot!(conditions(&[
        "x == n",
        "x == (integer) n",
        "x + c == 1i32",
        "x",
        "p",
        "x && true",
        "!x",
        "~true",
        "-p == p",
        "true & false",
        "true + 1 == 2",
        "Nil {} < Nil {}",
        "p == 0",
        "x == true",
        "x == 3000000000i32",
        "c == 300",
        "x == 300u8",
        "-129i8 == -1i8",
        "n == 1 + 4294967295",
        "(boolean) x",
        "(u32) true == 1",
        "(x == 1i32 ? n : p) == n",
        "k == GREEN",
        "shift_left(n, x) == n",
        "bw_clz(p) == 1",
        "[x, n] == [x]",
        "x < 4294967296",
        "power(p, 2) == 1",
        "get_opt(x) == 1",
        "(datatype List) x == Nil {}",
        "5 == 6u8 && 7 == p",
        "{ a: 1, b: 2 } == { a: 1 }",
    ]));
}

#[test]
fn arguments() {
    insta::assert_snapshot!(conditions(&[
        "snoc(Nil {}) == Nil {}",
        "snoc(x, x) == Nil {}",
        "is_null()",
        "is_null(x)",
        "MAXi32(1) == 1",
        "power(2) == 4",
        "ptr_eq(p, 5)",
        "not(x)",
        "snoc(Nil {}, 1, 2) == Nil {}",
    ]));
}

#[test]
fn members_and_values() {
    insta::assert_snapshot!(conditions(&[
        "p.v == 1i32",
        "x.v == 1",
        "struct node { v: 1 }.v == 1",
        "struct node { v: 1, v: 2, next: NULL, z: 3 }.v == 1",
        "struct nod { v: 1 } == x",
        "struct node { v: 1, next: NULL }.nxt == NULL",
        "{ a: 1 }.b == 1",
        "{ a: 1, a: 2 }.a == 1",
        "Cons { Head: 1 } == Nil {}",
        "Cons { Head: n, Tail: Nil {} } == Nil {}",
        "{ b: 1, ..{ a: 1 } }.a == 1",
        "{ b: 1, ..x }.a == 1",
        "a[0] == 1",
        "x[0] == 1",
        "default<map<u64, u8>>[x] == 0u8",
        "default<map<u64, u8>>[1: x][2] == 0u8",
        "offsetof(mixed, low) == 1",
        "member_shift<struct mixed>(p, low) == p",
        "offsetof(node, w) == 1",
        "sizeof<struct hidden> == 1",
        "default<struct hidden>.a == 1",
    ]));
}

#[test]
fn memory() {
    insta::assert_snapshot!(conditions(&[
        "*p == *p",
        "p->v == 1i32",
        "a->v == 1",
        "*v == 1",
        "v->x == 1",
        "*x == 1",
        "counter == 1i32",
        "p->w == 1",
        "v + 1 == v",
        "p - 1 == p",
        "p - p == 0",
        "a + p == a",
        "p * 2 == p",
        "array_shift<int>(a, p) == a",
        "array_shift<strct>(a, 1) == a",
        "array_shift<struct nod>(a, 1) == a",
        "array_shift<u32>(a, 1) == a",
        "array_shift<node>(a, 1) == a",
        "array_shift<long char>(a, 1) == a",
        "array_shift(v, 1) == v",
        "array_shift<void>(v, 1) == v",
        "member_shift(v, x) == v",
        "member_shift<int *>(v, x) == v",
        "array_shift<struct hidden>(a, 1) == a",
    ]));
}

#[test]
fn resources() {
    let place = of("f");
    insta::assert_snapshot!(each(
        &place,
        &[
            "requires take X = RW(v);",
            "requires take X = RW<int>(x);",
            "requires take X = RW<void>(v);",
            "requires take X = RW<int>();",
            "requires take X = RW<struct nod>(p);",
            "requires take X = Chian(p);",
            "requires take X = snoc(Nil {}, 1);",
            "requires take X = Chain(p, 1);",
            "requires take X = Chain(x);",
            "requires take X = W(p); X.v == 1i32;",
            "requires take X = W(p); p->v == 1i32;",
            "requires take X = RW(p); take Y = RW<int>(p);",
            "requires take X = RW(p); let X = 1;",
            "requires take X = Alloc(p); X.size == 1u64;",
            "requires take X = RW(p); ensures p->v == 1i32;",
            "requires take X = RW(q);",
        ]
    ));
}

#[test]
fn guards_without_limits() {
    insta::assert_snapshot!(each(
        &of("f"),
        &[
            "requires take A = each (u64 i; true) { RW<int>(a + i) };",
            "requires each (i32 i; i < 5i32) { true };",
            "requires each (u32 i; i > n) { true };",
            "requires each (integer i; i != 3) { true };",
            "requires each (u64 i; i < 5u64 || i >= 9u64) { true };",
            "requires each (u64 i; i < i + 1u64) { true };",
            "requires each (pointer i; true) { true };",
            "requires each (i64 i; (u32) i < 5u32) { true };",
            "requires each (u32 i; x) { true };",
            "requires each (u32 i: 1u64, 5; true);",
        ]
    ));
}

#[test]
fn definitions() {
    insta::assert_snapshot!(each(
        &Place::Top,
        &[
            "predicate void lower(pointer p) { return; }",
            "predicate void _x(pointer p) { return; }",
            "predicate void RW(pointer p) { return; }",
            "function (u32) f1() { 1u32 } function (u32) f1() { 2u32 }",
            "datatype D { A {}, A {} } datatype E { A {} }",
            "datatype D { A { u32 x, u32 x } }",
            "function (u32) f1(u32 x, u32 x) { x }",
            "type_synonym t = t",
            "type_synonym t = s type_synonym s = {u32 a, t b}",
            "function (lst) f1() { 1 }",
            "function (intger) f1() { 1 }",
            "function (node) f1() { 1 }",
            "function (struct nod) f1() { 1 }",
            "function (datatype Lst) f1() { 1 }",
            "datatype D { A { datatype D d } }",
            "datatype D { A { datatype E e } } datatype E { B { {datatype D x} d } }",
            "function (u32) f1() { 1i32 }",
            "function (u32) f1(pointer p) { *p }",
            "function (i32) f1(pointer p) { *array_shift<int>(p, 1) }",
            "function (i32) f1() { counter }",
            "function (u32) f1() { return }",
            "function (boolean) f1(pointer p) { prov_eq(p, p) }",
            "function (integer) f1() { {1}unchanged ? 1 : 2 }",
        ]
    ));
}

#[test]
fn predicates() {
    insta::assert_snapshot!(each(
        &Place::Top,
        &[
            "predicate u32 P(pointer p) { take X = RW<int>(p); }",
            "predicate u32 P(pointer p) { return; }",
            "predicate void P(pointer p) { return 1; }",
            "predicate u32 P(pointer p) { return p; }",
            "predicate u32 P(pointer p) { if (is_null(p)) { return 1u32; } else { assert(true); } }",
            "predicate u32 P(pointer p) { if (p) { return 1u32; } else { return 2u32; } }",
            "predicate u32 P(pointer p) { take X = RW(p); return 1u32; }",
            "predicate u32 P(pointer p) { assert(p + 1 == p); return 1u32; }",
            "predicate u32 P(pointer p) { if (true) { let y = 1u32; return y; } else { return y; } }",
            "predicate i32 P(pointer p) { return counter; }",
            "predicate i32 P(pointer p) { if (true) { take X = RW<int>(p); return X; } else { return *p; } }",
        ]
    ));
}

#[test]
fn matches() {
    insta::assert_snapshot!(conditions(&[
        "match (Nil {}) { Nil {} => { true } }",
        "match (Nil {}) { Cons { Head: _, Tail: Cons { Head: _ } } => { true } Nil {} => { false } }",
        "match (Nil {}) { Nil {} => { true } _ => { true } Cons { Head: h } => { true } }",
        "match (Nil {}) { l => { true } Nil {} => { true } }",
        "match (Nil {}) { Nil => { true } _ => { false } }",
        "match (Nil {}) { Nill {} => { true } _ => { false } }",
        "match x { Nil {} => { true } _ => { false } }",
        "match (Nil {}) { Cons { head: h } => { h == 1i32 } _ => { false } }",
        "match (Nil {}) { Cons { Head: h, Head: i } => { true } _ => { false } }",
        "match (Nil {}) { Nil {} => { 1i32 } _ => { 1u32 } } == 1i32",
        "match (Nil {}) { } == 1",
    ]));
}

#[test]
fn contracts() {
    insta::assert_snapshot!(each(
        &of("g"),
        &[
            "ensures return == 1i32;",
            "accesses nothing; requires true;",
            "accesses counter, counter; requires true;",
            "accesses conter; ensures true;",
            "cn_function nope;",
            "cn_function snoc;",
            "requires {q}unchanged;",
            "ensures {q}%end;",
            "ensures {{q}unchanged}%start;",
            "ensures {q->front}unchanged;",
            "ensures take Q = RW(q); {q->front}unchanged;",
            "ensures take Q = RW(q); {Q.front}unchanged;",
        ]
    ));
}

#[test]
fn contracts_and_functions() {
    let cases: [&[(Place, &str)]; 10] = [
        &[(of("nothing"), "requires true;")],
        &[(Place::Top, "spec nothing(u32 x); requires x == 1u32; ensures return == 1;")],
        &[(Place::Top, "spec twic(i32 x); requires true;")],
        &[(of("g"), "requires true;"), (Place::Top, "spec g(pointer p); requires true;")],
        &[(Place::Top, "spec g(); requires true;")],
        &[(Place::Top, "spec g(u32 z); requires z == 1u32;")],
        &[(of("odd"), "requires z == 1;")],
        &[(Place::Top, "spec none(u32 z, u32 z); requires z == 1u32;")],
        &[(Place::Top, "function (i32) l(i32 x) { 1i32 }"), (of("twice"), "cn_function l;")],
        &[(Place::Top, "function (i32) l(u32 x)"), (of("twice"), "cn_function l;")],
    ];
    let all: String = cases.iter().map(|case| format!("{}\n\n", bad(case))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn invariants_and_statements() {
    let contract = (of("f"), "requires take P = RW(p); let bound = 1;");
    let cases = [
        (loop_in("f"), "inv p->v == 1i32;"),
        (loop_in("f"), "inv {i}unchanged;"),
        (loop_in("f"), "inv {*a}unchanged;"),
        (loop_in("f"), "inv return == 1i32;"),
        (loop_in("f"), "inv counter == 1i32;"),
        (loop_in("f"), "inv lcal[0] == 1i32;"),
        (loop_in("f"), "inv bound == x;"),
        (body_of("f"), "assert(i);"),
        (body_of("f"), "assert(*v == 1); assert({*a}%start == 1i32);"),
        (body_of("f"), "apply nothing(x);"),
        (body_of("f"), "assert(prov_eq(p, p));"),
    ];
    let all: String =
        cases.iter().map(|case| format!("{}\n\n", bad(&[contract.clone(), case.clone()]))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn what_goes_through_to_ownership_must_be_known() {
    insta::assert_snapshot!(each(&of("f"), &["requires take X = RW<int>(prov_eq(p, p) ? p : p);"]));
}

#[test]
fn addresses_and_c_types() {
    insta::assert_snapshot!(conditions(&[
        "&counter.v == NULL",
        "&counter[1] == NULL",
        "&root.w == NULL",
        "sizeof<int[99999999999999999999]> == 1",
        "sizeof<int[4000000000][4000000000][4000000000]> == 1u64",
        "sizeof<struct> == 1",
        "good<void *>(x)",
        "good<nothing>(x)",
        "default<cmplx> == default<cmplx>",
        "offsetof(nod, v) == 1u64",
        "sizeof<unsigned float> == 1u64",
        "array_shift<int>(x, 1) == a",
        "p[0]->v == 1",
    ]));
}

#[test]
fn limits_of_the_reader() {
    let synonyms: String = (0..40).map(|k| format!("type_synonym t{k} = t{} ", k + 1)).collect();
    let synonyms = format!("{synonyms} type_synonym t40 = u32");
    let grown: String = (0..12).map(|k| format!("let y{} = {{ a: y{k}, b: y{k} }}; ", k + 1)).collect();
    let grown = format!("requires let y0 = x; {grown} true;");
    let deep = format!("requires {}x{};", "(".repeat(130), ")".repeat(130));
    let texts = [(Place::Top, synonyms.as_str()), (of("f"), &grown), (of("f"), &deep)];
    let all: String = texts.iter().map(|case| format!("{}\n\n", bad(std::slice::from_ref(case)))).collect();
    insta::assert_snapshot!(all);
}

#[test]
fn lemmas_and_lifted_functions() {
    let cases: [&[(Place, &str)]; 4] = [
        &[(Place::Top, "lemma l(u32 x) requires cn_ghost u32 y; x == y; ensures true;")],
        &[(Place::Top, "lemma l(pointer x) requires take X = RW<int>(x); ensures *x == 1i32; return == 1;")],
        &[
            (Place::Top, "lemma l(u32 x) requires true; ensures true;"),
            (body_of("f"), "apply l(i); apply l();"),
        ],
        &[
            (Place::Top, "function (i32) l(i32 x) spec f2(i32 x); cn_function l;"),
            (of("twice"), "cn_function l;"),
            (Place::Top, "spec twice(i32 x); cn_function l;"),
        ],
    ];
    let all: String = cases.iter().map(|case| format!("{}\n\n", bad(case))).collect();
    insta::assert_snapshot!(all);
}
