//! What is right, and what becomes of it.

use super::*;
use crate::spec::checked::*;
use crate::spec::types::{Bits, Type};

fn conditions(clauses: &[Clause]) -> Vec<&Expr> {
    clauses
        .iter()
        .filter_map(|clause| match &clause.kind {
            ClauseKind::Holds(e) => Some(e),
            _ => None,
        })
        .collect()
}

/// The condition of a contract of `f` that has one.
fn condition(text: &str) -> Expr {
    let specs = good(&[(of("f"), &format!("requires {text};"))]);
    let clauses = &specs.contract("f").unwrap().requires;
    conditions(clauses).last().copied().cloned().unwrap_or_else(|| panic!("a condition in {text}"))
}

#[test]
fn expressions_of_every_kind() {
    for text in [
        "x == 5i32",
        "x == 5",
        "5 < x",
        "x + 1 == -3",
        "n == 0x10u32",
        "true || false implies !(true)",
        "c == 97u8",
        "k == (u32) GREEN",
        "is_null(p) || ptr_eq(p, NULL)",
        "p == NULL",
        "p != p",
        "a < a + 1i32",
        "(u64) n + 1u64 == 2u64",
        "(integer) x == 3",
        "(i32) power(2, 5) == x",
        "x < power(2, 10)",
        "power(x, 2i32) == 4i32",
        "rem(x, 2i32) == mod(x, 2i32)",
        "shift_left(n, 1u32) == shift_right(n, 1u32)",
        "bw_clz(n) == bw_ctz(n)",
        "bw_ffs(n) == bw_fls(n)",
        "MINi32() < x && x < MAXi32()",
        "MAXu128() == 340282366920938463463374607431768211455u128",
        "x == -2147483648i32",
        "not(x == 1i32)",
        "addr_eq(p, p)",
        "mul_uf(x, 2i32) == div_uf(x, 2i32)",
        "xor_uf(n, n) == bw_and_uf(n, n)",
        "power_uf(2, 3) == 8",
        "bw_fls_uf(7) == 3i32",
        "(n & 1u32 | 2u32 ^ 3u32) == ~n",
        "x % 2i32 == x / 2i32",
        "(x == 1i32 ? n : 2) == n",
        "if (x == 1i32) { true } else { false }",
        "let y = x + 1i32; y > x",
        "each (u32 i: 0, 10; i < n)",
        "each (i32 i: 0i32, x; i < x)",
        "sizeof<struct node> == 16u64",
        "offsetof(node, next) == 8u64",
        "sizeof<int> == sizeof<unsigned int>",
        "sizeof<char*> == 8u64",
        "sizeof<int[3]> == 12u64",
        "sizeof<long double> == 16u64",
        "sizeof<enum color> == 4u64",
        "sizeof<byte> == sizeof<uint8_t>",
        "good<int>(x)",
        "good<struct node *>(p)",
        "x == default<i32>",
        "snoc(Nil {}, x) == Cons { Head: 1, Tail: Nil {} }",
        "{ a: 1, b: x } == { b: x, a: 1 }",
        "{ a: x, b: n }.a == x",
        "{ a: 5, ..{ a: x, b: n } }.b == n",
        "struct node { v: 1, next: NULL }.v == 1i32",
        "{ v: 2, ..struct node { v: 1, next: p } }.next == p",
        "default<map<u64, u8>>[3] == 0u8",
        "default<map<u8, u8>>[1: 2, c: c][c] == 1u8",
        "[1, x] == [x, 2]",
        "(pointer) 0u64 == p",
        "(u64) p == 0u64",
        "match (snoc(Nil {}, 1)) { Nil {} => { true } Cons { Head: h, Tail: _ } => { h == x } }",
        "match x { y => { y == 1i32 } }",
        "&counter != NULL",
        "&table != NULL",
        "ptr_eq(&twice, v)",
        "member_shift<node>(p, next) == NULL",
        "member_shift<struct node>(p, next) == &(p->next)",
        "array_shift<int>(a, 3) == a + 3i32",
        "array_shift(a, n) == a",
        "has_alloc_id(p)",
        "get_opt(Some(x)) == x && is_some(Some(x)) && !is_none(Some(x))",
        "&root.next == NULL",
        "&table[1] == table + 1",
        "(uint8_t) n == c",
        "default<boolean>",
        "1 < 2",
        "default<real> < 3",
    ] {
        condition(text);
    }
}

#[test]
fn what_is_known_is_computed() {
    let e = condition("x == 2 * 3 + power(2, 3) - 7 % 4");
    let ExprKind::Equal(_, right) = &e.kind else { panic!("{e:?}") };
    assert!(matches!(right.kind, ExprKind::Bits(11)), "{right:?}");
    assert_eq!(right.ty, Type::Bits(Bits::I32));
    let e = condition("n == -1u32");
    let ExprKind::Equal(_, right) = &e.kind else { panic!("{e:?}") };
    assert!(matches!(right.kind, ExprKind::Bits(0xffff_ffff)), "{right:?}");
    let e = condition("c == (u8) 300u32");
    let ExprKind::Equal(_, right) = &e.kind else { panic!("{e:?}") };
    assert!(matches!(right.kind, ExprKind::Bits(44)), "{right:?}");
}

#[test]
fn names_of_requires_keep_their_slots_in_ensures() {
    let specs = good(&[(
        of("f"),
        "requires take P = RW<struct node>(p); let old = P.v; ensures take Q = RW<struct node>(p); Q.v == old + x; return == P.v; p->v == Q.v;",
    )]);
    let contract = specs.contract("f").unwrap();
    assert_eq!(contract.parameters.len(), 7);
    let slots: Vec<u32> = contract.parameters.iter().map(|p| p.slot.0).collect();
    assert_eq!(slots, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(contract.n_entry_slots, 9);
    assert_eq!(contract.result.as_ref().unwrap().slot, Slot(9));
    let ClauseKind::Take { slot: after, .. } = &contract.ensures[0].kind else { panic!() };
    let all = conditions(&contract.ensures);
    let ExprKind::Equal(_, sum) = &all[0].kind else { panic!() };
    let ExprKind::Arithmetic(Arithmetic::Add, old, x) = &sum.kind else { panic!() };
    assert!(matches!(old.kind, ExprKind::Slot(Slot(8))) && matches!(x.kind, ExprKind::Slot(Slot(0))));
    // `p->v` in `ensures` is what `ensures` took.
    let ExprKind::Equal(arrow, _) = &all[2].kind else { panic!() };
    let ExprKind::Member(of, 0) = &arrow.kind else { panic!("{arrow:?}") };
    assert!(matches!(of.kind, ExprKind::Slot(slot) if slot == *after));
}

#[test]
fn memory_is_found_through_pointers_members_and_parts() {
    let specs = good(&[
        (
            of("f"),
            "requires take P = RW(p); take N = RW(p->next); p->next->v == N.v; take A = RW(a); *a == 1i32;
                   take B = RW<int>(a + 1); *(a + 1) == *a; *array_shift<int>(a, 1) == 1;",
        ),
        (
            of("g"),
            "requires take F = RW<struct node *>(&(q->front)); take B = RW(&(q->back)); q->front == q->back; *&(q->front) == F;",
        ),
        (
            Place::Top,
            "predicate i32 Deref(pointer z) { take Z = RW<struct node>(z); assert(z->v == 1i32); return z->v; }",
        ),
    ]);
    let contract = specs.contract("f").unwrap();
    let sizes: Vec<u64> = contract
        .requires
        .iter()
        .filter_map(|clause| match &clause.kind {
            ClauseKind::Take {
                resource: Resource { kind: ResourceKind::Memory { size, .. }, .. }, ..
            } => Some(*size),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [16, 16, 4, 4]);
    let mut n_loads = 0;
    fn count(e: &Expr, n: &mut u32) {
        *n += u32::from(matches!(e.kind, ExprKind::Load(..)));
        e.each_child(&mut |child| count(child, n));
    }
    conditions(&contract.requires).into_iter().for_each(|e| count(e, &mut n_loads));
    assert_eq!(n_loads, 0);
}

#[test]
fn members_of_every_kind() {
    let specs = good(&[(
        of("odd"),
        "requires m.tag == 1u8; m.a[2u64] == 3i32; m.i == 4i32; m.low == 2u32; m.q.front == NULL; m.x < 5;
         let w = { tag: 0, ..m }; w.tag == 0u8;",
    )]);
    let all = conditions(&specs.contract("odd").unwrap().requires);
    let ExprKind::Equal(i, _) = &all[2].kind else { panic!() };
    // Through the union without a name.
    let ExprKind::Member(outer, 0) = &i.kind else { panic!("{i:?}") };
    assert!(matches!(outer.kind, ExprKind::Member(_, 2)));
}

#[test]
fn resources_of_every_kind() {
    let specs = good(&[(
        of("f"),
        "requires take A = each (u64 i; i < (u64) n) { RW<int>(array_shift<int>(a, i)) }; A[0u64] == 1i32;
         take L = Chain(p); L == Nil {}; take W1 = W<int[4]>(v); take O = Owned<int>(array_shift<int>(a, 100)); take B = Block<char>(array_shift<char>(v, 50));
         each (u64 j; j < 4u64) { A[j] == 0i32 };
         ensures take A2 = each (u64 i; 0u64 <= i && i < (u64) n) { RW<int>(a + i) }; A2 == A[1: 2]; take L2 = Chain(p);",
    )]);
    let contract = specs.contract("f").unwrap();
    let ClauseKind::Take { resource, .. } = &contract.requires[0].kind else { panic!() };
    let ResourceKind::Each { index, .. } = &resource.kind else { panic!() };
    assert_eq!((index.lower.len(), index.upper.len()), (0, 1));
    assert!(index.upper[0].is_excluded);
    assert_eq!(resource.ty, Type::map(Type::Bits(Bits::U64), Type::Bits(Bits::I32)));
}

#[test]
fn limits_come_from_the_guard() {
    let cases = [
        ("u32 i; i < n", (0, 0, 1)),
        ("u32 i; n > i && true", (0, 0, 1)),
        ("i32 i; 0i32 <= i && i < x && i != 3i32", (0, 1, 1)),
        ("i32 i; x != 0i32 && 0i32 <= i && i <= 10i32 / x && x > 1i32", (1, 1, 1)),
        ("u64 i; i == 7u64", (0, 1, 1)),
        ("u32 i; (u64) i < 5u64 && 1u64 < (u64) i", (0, 1, 1)),
        ("integer i; 0 <= i && i < (integer) x", (0, 1, 1)),
        ("u8 i; true", (1, 0, 0)),
        ("i16 i; i != 3i16", (0, 0, 0)),
        ("u32 i; (integer) i <= 5 && (integer) i >= 2", (0, 1, 1)),
    ];
    for (index, expected) in cases {
        let specs = good(&[(of("f"), &format!("requires each ({index}) {{ true }};"))]);
        let ClauseKind::Each(index, _) = &specs.contract("f").unwrap().requires[0].kind else { panic!() };
        assert_eq!(
            (index.conditions.len(), index.lower.len(), index.upper.len()),
            expected,
            "{}",
            index.name
        );
    }
}

#[test]
fn globals_are_accessed_or_taken() {
    let specs = good(&[
        (
            of("twice"),
            "accesses counter, table; requires counter == 1i32; table[0] == 2i32; ensures counter == return; {counter}unchanged;",
        ),
        (
            of("h"),
            "requires take R = RW<struct node>(&root); root.v == R.v; ensures take R2 = RW(&root); root.v == R2.v; return != NULL;",
        ),
    ]);
    let contract = specs.contract("twice").unwrap();
    let access = &contract.accesses[0];
    assert_eq!((access.size, contract.accesses.len()), (4, 2));
    let all = conditions(&contract.ensures);
    let ExprKind::Equal(now, then) = &all[1].kind else { panic!() };
    assert!(matches!(now.kind, ExprKind::Slot(slot) if slot == access.after));
    assert!(matches!(then.kind, ExprKind::Slot(slot) if slot == access.before));
}

#[test]
fn invariants_see_variables_now_and_at_entry() {
    let specs = good(&[
        (of("f"), "accesses counter; requires take P = RW(p); let m = x;"),
        (loop_in("f"), "inv take Q = RW(p); {p}unchanged; {p->v}unchanged; {x}%start == m; i < 10i32; local[0] == i; cell.v == p->v; x == 3u32;
                        take L = each (i32 j; 0i32 <= j && j < i) { RW<int>(local + j) }; counter == 1i32; {counter}%start == P.v; &cell != NULL;"),
    ]);
    let the_loop = &specs.loops[0];
    let names: Vec<&str> = the_loop.captures.iter().map(|capture| capture.name.as_str()).collect();
    assert_eq!(names, ["p", "i", "local", "cell", "x"]);
    let all = conditions(&the_loop.clauses);
    let ExprKind::Equal(now, then) = &all[0].kind else { panic!() };
    assert!(matches!(now.kind, ExprKind::Capture(CaptureId(0))));
    assert!(matches!(then.kind, ExprKind::Slot(Slot(2))));
    let ExprKind::Equal(now, then) = &all[1].kind else { panic!() };
    let (ExprKind::Member(now, 0), ExprKind::Member(then, 0)) = (&now.kind, &then.kind) else { panic!() };
    assert!(matches!((&now.kind, &then.kind), (ExprKind::Slot(a), ExprKind::Slot(b)) if a > b));
    // The inner `unsigned x` now, the parameter at entry.
    let ExprKind::Equal(x, _) = &all[2].kind else { panic!() };
    assert!(matches!(x.kind, ExprKind::Slot(Slot(0))));
    // The loop's own slots come behind those of the entry.
    assert!(the_loop.n_slots > specs.contract("f").unwrap().n_entry_slots);
}

#[test]
fn statements_read_memory_as_it_is() {
    let specs = good(&[
        (Place::Top, "lemma l(pointer z, i32 y) requires take C = Chain(z); ensures take D = Chain(z); C == D; y == 1i32;"),
        (of("f"), "requires take P = RW(p);"),
        (body_of("f"), "assert(p->next->v == P.v); apply l(p->next, i); unfold snoc(1, 2); assert(*a == {p->v}%start); assert(counter == 1i32);
                        assert(each (u8 j; true) { local[(u64) j] == 0i32 }); assert({c}unchanged);"),
        (body_of("h"), "assert(root.next == NULL);"),
        (Place::Statement { function: "twice".to_string(), site: Site(9) }, "assert(x == {x}%start);"),
    ]);
    let site = &specs.statements[0];
    assert_eq!(site.statements.len(), 7);
    let StatementKind::Assert(e) = &site.statements[0].kind else { panic!() };
    let ExprKind::Equal(left, _) = &e.kind else { panic!() };
    // Two loads: `p->next`, then `->v`.
    let ExprKind::Load(address, _) = &left.kind else { panic!("{left:?}") };
    let ExprKind::Offset(inner, 0) = &address.kind else { panic!("{address:?}") };
    assert!(matches!(inner.kind, ExprKind::Load(..)));
    assert!(matches!(site.statements[2].kind, StatementKind::ProofOnly));
    let last = specs.statements.iter().find(|site| site.function == "twice").unwrap();
    assert_eq!(last.captures.len(), 1);
}

#[test]
fn definitions_come_in_any_order_and_call_one_another() {
    let specs = good(&[
        (Place::Top, "function (boolean) even(integer n) { n == 0 || odd_(n - 1) } function (boolean) odd_(integer n) { n != 0 && even(n - 1) }
         predicate void A(pointer p) { take X = RW<struct node>(p); take Y = B(X.next); return; }
         predicate void B(pointer p) { if (is_null(p)) { return; } else { take Y = A(p); return; } }
         type_synonym t = s  type_synonym s = {u32 a, datatype Tree b}  datatype Tree { Fork { datatype Forest kids }, Leaf {} } datatype Forest { None_ {}, More { datatype Tree first, datatype Forest rest } }
         function (t) make(u32 a) { { a: a, b: Leaf {} } }"),
        (Place::Top, "predicate u8 Opaque(pointer p)  function (i32) lifted(i32 x)  spec h(); requires true; ensures !is_null(return);"),
        (of("twice"), "cn_function lifted; ensures return == lifted(x);"),
    ]);
    let tree = specs.datatypes.iter().find(|datatype| datatype.name == "Tree").unwrap();
    assert_eq!(tree.constructors[tree.default as usize].name, "Leaf");
    let lifted = specs.functions.iter().find(|function| function.name == "lifted").unwrap();
    assert!(matches!(lifted.body, FunctionBody::Lifted(CFunctionId(3))));
    assert!(specs.contract("h").is_some_and(|contract| contract.result.is_some()));
}

#[test]
fn matches_are_ready_for_a_jump() {
    let e = condition(
        "match (snoc(Nil {}, x)) { Nil {} => { 0 } Cons { Head: _, Tail: Nil {} } => { 1 } Cons { Tail: t } => { 2 } } == x",
    );
    let ExprKind::Equal(left, _) = &e.kind else { panic!() };
    let ExprKind::Match(of) = &left.kind else { panic!() };
    assert_eq!(of.arms_of, [vec![0], vec![1, 2]]);
    assert_eq!(left.ty, Type::Bits(Bits::I32));
    let Pattern::Construct(1, fields) = &of.arms[1].pattern else { panic!() };
    assert_eq!(*fields, [(1, Pattern::Construct(0, vec![]))]);
}

#[test]
fn the_queue_of_the_thesis() {
    let specs = good(&[
        (Place::Top, "predicate (datatype List) QueuePtr_At (pointer q) {
            take Q = RW<struct queue>(q);
            assert ( (is_null(Q.front) && is_null(Q.back)) || (!is_null(Q.front) && !is_null(Q.back)));
            take L = QueueFB(Q.front, Q.back);
            return L;
          }
          predicate [rec] (datatype List) QueueAux (pointer f, pointer b) {
            if (ptr_eq(f,b)) { return Nil{}; } else {
              take F = RW<struct node>(f);
              assert (!is_null(F.next));
              assert (ptr_eq(F.next, b) || !addr_eq(F.next, b));
              take B = QueueAux(F.next, b);
              return Cons{Head: F.v, Tail: B};
            } }
          predicate (datatype List) QueueFB (pointer front, pointer back) {
            if (is_null(front)) { return Nil{}; } else {
              take B = RW<struct node>(back);
              assert (is_null(B.next));
              assert (ptr_eq(front, back) || !addr_eq(front, back));
              take L = QueueAux (front, back);
              return snoc(L, B.v);
            } }
          lemma push_lemma (pointer front, pointer p)
            requires ptr_eq(front, p) || !addr_eq(front, p); take Q = QueueAux(front, p); take P = RW<struct node>(p);
            ensures ptr_eq(front, P.next) || !addr_eq(front, P.next); take Q_post = QueueAux(front, P.next); Q_post == snoc(Q, P.v);"),
        (of("g"), "requires take Q = QueuePtr_At(q); ensures take Q_post = QueuePtr_At(q); Q_post == snoc (Q, 1i32);"),
        (body_of("g"), "apply push_lemma (q->front, q->back);"),
    ]);
    assert_eq!(specs.predicates.len(), 4);
}

#[test]
fn the_increment_of_the_thesis_warns_and_runs() {
    let (specs, messages) =
        outcome(&[(of("twice"), "requires x < power(2,32) - 1\n ensures return == x + 1")]);
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains("always has the same result"));
    let ClauseKind::Holds(e) = &specs.contract("twice").unwrap().requires[0].kind else { panic!() };
    let ExprKind::Less(left, _) = &e.kind else { panic!() };
    assert_eq!(left.ty, Type::Integer);
}

#[test]
fn what_is_not_run_is_marked() {
    let comments = [
        (of("f"), "requires cn_ghost u32 size; n == size; take P = RW(p);"),
        (
            of("g"),
            "requires take Q = RW(q); (alloc_id) q == (alloc_id) Q.front; prov_eq(q, q); true;
                   take A = Alloc(q); A.size == 1u64; let s = A.base; s == 0u64;",
        ),
        (Place::Arguments { function: "g".to_string() }, "5u32"),
    ];
    let (specs, messages) = outcome(&comments);
    assert_eq!(specs.contract("f").unwrap().not_run, Some(NotRun::Ghosts));
    let of_g = specs.contract("g").unwrap();
    let marks: Vec<bool> = of_g.requires.iter().map(|clause| clause.not_run.is_some()).collect();
    assert_eq!((marks, of_g.not_run), (vec![false, true, true, false, true, true, true, true], None));
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_contract_in_pieces_is_one() {
    let text = "int twice(int x) { /*@ requires x < 5 @*/ // and\n /*@ ensures return == x; @*/ }";
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let piece = |from: &str| {
        let start = text.find(from).unwrap() as u32;
        Span::new(file, start, start + text[start as usize..].find("@*/").unwrap() as u32)
    };
    let comment = SpecComment { pieces: vec![piece("requires"), piece("ensures")], place: of("twice") };
    let (program, mut ctypes) = program();
    // The second is the same comment, from another file that includes this one.
    let outcome = read(&sources, &[comment.clone(), comment], &program, &mut ctypes);
    assert_eq!(outcome.diagnostics, []);
    let contract = outcome.specs.contract("twice").unwrap();
    assert_eq!(sources.slice(contract.requires[0].span), "x < 5");
    assert_eq!(sources.slice(contract.ensures[0].span), "return == x");
}

#[test]
fn specs_can_be_shared_between_threads() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Specs>();
}
