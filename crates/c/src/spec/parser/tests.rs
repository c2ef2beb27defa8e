//! Every construct of the grammar is read, printed and read again; what is wrong is said where it is wrong.

use super::*;
use crate::spec::ast::{Condition, ConditionKind, Definition};
use crate::spec::print;
use crate::spec::{Place, Site, SpecComment};

/// A comment at a place.
fn read(text: &str, place: Place) -> (Comment, Vec<String>) {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let comment = SpecComment { pieces: vec![sources.whole(file)], place };
    let mut diagnostics = Diagnostics::new();
    let read = parse(&sources, &comment, &mut diagnostics);
    (read, diagnostics.into_sorted().iter().map(|d| d.render(&sources, false)).collect())
}

fn contract_place() -> Place {
    Place::Contract { function: "f".to_string() }
}

fn contract(text: &str) -> (super::super::ast::Contract, Vec<String>) {
    let (comment, errors) = read(text, contract_place());
    let Content::Contract(contract) = comment.content else { panic!("a contract") };
    (contract, errors)
}

fn expression_of(condition: &Condition) -> &Expr {
    let ConditionKind::Holds(expr) = &condition.kind else { panic!("an expression") };
    expr
}

/// The expression as it is printed.
fn printed(text: &str) -> String {
    let (contract, errors) = contract(&format!("requires {text};"));
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    assert_eq!(contract.requires.len(), 1, "{text}");
    print::expression(expression_of(&contract.requires[0]))
}

/// The expression with a parenthesis around every operator.
fn shape(text: &str) -> String {
    fn show(expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Binary(op, a, b) => format!("({} {} {})", show(a), op.sign(), show(b)),
            ExprKind::Unary(op, e) => format!("({}{})", op.sign(), show(e)),
            ExprKind::If(c, a, b) => format!("({} ? {} : {})", show(c), show(a), show(b)),
            ExprKind::Deref(e) => format!("(*{})", show(e)),
            _ => print::expression(expr),
        }
    }
    let (contract, errors) = contract(&format!("requires {text};"));
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    show(expression_of(&contract.requires[0]))
}

fn complaints(text: &str, place: Place) -> String {
    let (_, errors) = read(text, place);
    assert!(!errors.is_empty(), "nothing wrong with {text}");
    errors.join("\n")
}

fn bad_contract(text: &str) -> String {
    complaints(text, contract_place())
}

#[test]
fn binding_strengths() {
    assert_eq!(shape("a + b * c"), "(a + (b * c))");
    assert_eq!(shape("a * b & c ^ d % e / f"), "(((((a * b) & c) ^ d) % e) / f)");
    assert_eq!(shape("a | b + c - d"), "(((a | b) + c) - d)");
    assert_eq!(shape("a & b == c"), "((a & b) == c)");
    assert_eq!(shape("a | b == c | d"), "((a | b) == (c | d))");
    assert_eq!(shape("a < b == c"), "((a < b) == c)");
    assert_eq!(shape("a == b && c != d || e"), "(((a == b) && (c != d)) || e)");
    assert_eq!(shape("a implies b implies c"), "(a implies (b implies c))");
    // The surprising one: `implies` binds tighter than `||`.
    assert_eq!(shape("a || b implies c || d"), "((a || (b implies c)) || d)");
    assert_eq!(shape("a && b implies c && d"), "((a && b) implies (c && d))");
    assert_eq!(shape("a || b ? c : d ? e : f"), "((a || b) ? c : (d ? e : f))");
    assert_eq!(shape("!a && -b < ~c"), "((!a) && ((-b) < (~c)))");
    assert_eq!(shape("*p.f + *q->g"), "((*p.f) + (*q->g))");
    assert_eq!(shape("(u32) x + y"), "((u32) x + y)");
}

#[test]
fn expressions_print_as_they_are_read() {
    for text in [
        "5",
        "5i32",
        "255u8",
        "true",
        "false",
        "NULL",
        "x",
        "return",
        "s.f.g",
        "p->f->g",
        "*p",
        "**p",
        "&x",
        "&(p->f)",
        "array_shift<int>(p, i)",
        "array_shift(p, i)",
        "array_shift<unsigned int>(p, 1)",
        "array_shift<struct s *>(p, i)",
        "array_shift<char[4]>(p, i)",
        "member_shift<struct s>(p, f)",
        "member_shift(p, f)",
        "p + i",
        "Nil {}",
        "Cons { Head: x, Tail: Nil {} }",
        "struct s { a: 1, b: NULL }",
        "{ a: 1 }",
        "{ a: 1, b: 2, ..r }",
        "m[i]",
        "m[i: v]",
        "m[i: v, j: w][k]",
        "[a, b]",
        "f()",
        "f(x, g(y))",
        "MAXu64()",
        "match (x) { Nil {} => { 0 } Cons { Head: h, Tail: _ } => { h } }",
        "match (f(x)) { y => { y } }",
        "c ? a : b",
        "(u64) x",
        "(pointer) x",
        "(struct s) x",
        "(datatype d) x",
        "(map<u64, u8>) m",
        "(uint8_t) x",
        "each (u32 i: 0, 10; i < n)",
        "sizeof<int>",
        "sizeof<struct s>",
        "offsetof(s, f)",
        "default<i32>",
        "default<map<u64, cn_list<u8>>>",
        "good<int>(x)",
        "{ x }unchanged",
        "{ *p }%start",
        "(a + b) * c",
        "a - (b - c)",
        "(a implies b) implies c",
        "!(a && b)",
        "-(-x)",
        "(let x = 1; x) + 2",
        "(a ? b : c).f",
        "f(let x = 1; let y = x; y)",
        "(x)",
        "(x) - 1",
        "((x))",
        "(*p).f",
        "(&x)->f",
        "default<cn_tuple<u8, {u8 a, u8 b}>>",
        "default<cn_set<cn_option<real>>>",
        "x == 0x10u64",
        "{ a: 1, b: 2 } == r",
        "(x) implies y",
        "({ let y = x; y }unchanged)",
        "({u32 a, struct s b}) x",
        "({ a: 1 }).a",
        "({ x }unchanged)",
        "({ struct s { a: 1 } }%start)",
    ] {
        let once = printed(text);
        assert_eq!(printed(&once), once, "{text}");
    }
    assert_eq!(printed("((a)) + ((b*c))"), "a + b * c");
    assert_eq!(printed("if (c) { a } else { b }"), "c ? a : b");
    assert_eq!(printed("if (c) { a } else if (d) { b } else { e }"), "c ? a : d ? b : e");
    assert_eq!(printed("{x}@start"), "{ x }%start");
    assert_eq!(printed("&p->f"), "&(p->f)");
    assert_eq!(printed("array_shift<const char * const>(p, i)"), "array_shift<char *>(p, i)");
    assert_eq!(printed("default<bool>"), "default<boolean>");
}

#[test]
fn spans_are_exact() {
    let text = "requires x;\n  // a comment\n  ensures a->b == c;";
    let (contract, _) = contract(text);
    let condition = &contract.ensures[0];
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    assert_eq!(slice(condition.span), "a->b == c");
    let ExprKind::Binary(_, left, right) = &expression_of(condition).kind else { panic!() };
    assert_eq!((slice(left.span), slice(right.span)), ("a->b", "c"));
}

#[test]
fn contracts_in_all_their_parts() {
    let (all, errors) = contract(
        "trusted; accesses g, h; accesses k;
         requires cn_ghost u32 n, pointer q; take X = RW<struct s>(p); let y = X.f; y > 0;
                  take A = each (u64 i; i < 10u64) { RW<int>(array_shift<int>(p, i)) };
                  take B = Owned(p); take C = Block<int>(p); take D = W(p); take E = Pred(p, 1, y + 1);
         requires each (u32 i; i < 4u32) { m[i] == 0u32 };
         ensures cn_ghost u8 z; true",
    );
    assert_eq!(errors, Vec::<String>::new());
    assert!(all.trusted.is_some());
    assert_eq!((all.accesses.len(), all.ghosts.len(), all.ghost_results.len()), (3, 2, 1));
    assert_eq!((all.requires.len(), all.ensures.len()), (9, 1));
    let (lifted, errors) = contract("cn_function g; ensures return == g(x);");
    assert!(errors.is_empty() && lifted.lifts.is_some() && lifted.ensures.len() == 1);
    let (empty, errors) = contract("  // nothing\n");
    assert!(errors.is_empty() && empty.requires.is_empty());
}

#[test]
fn a_semicolon_may_be_missing_at_the_end_of_a_part() {
    let (contract, errors) = contract("requires n < power(2,32) - 1\n ensures return == n + 1");
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!((contract.requires.len(), contract.ensures.len()), (1, 1));
}

#[test]
fn definitions_of_every_kind() {
    let (comment, errors) = read(
        "predicate [rec] (datatype List) P(pointer p, u32 n) {
            if (is_null(p)) { return Nil {}; }
            else if (n == 0u32) { let x = 1u32; return Nil {}; }
            else { take X = RW<struct node>(p); assert(X.v > 0i32); assert(each (u8 i; true) { true });
                   take T = P(X.next, n - 1u32); return Cons { Head: X.v, Tail: T }; }
         }
         predicate void Q(pointer p) { take X = RW<int>(p); return; }
         predicate {u32 a, u32 b} R(pointer p) { return { a: 1u32, b: 2u32 } }
         predicate u32 Opaque(pointer p)
         function [rec, coq_unfold] (u32) f(datatype List l) { match l { Nil {} => { 0u32 } Cons { Head: _, Tail: t } => { f(t) + 1u32 } } }
         function (i32) bodiless ()
         function u32 plain(u32 x) { let y = x; y }
         datatype List { Nil {}, Cons { i32 Head, datatype List Tail }, }
         type_synonym pair = { u32 a, u32 b }
         type_synonym other = (map<u64, pair>);
         lemma l(pointer p) requires take X = P(p, 1u32); ensures take Y = P(p, 1u32); X == Y;
         spec malloc_node(); requires true; ensures take X = W<struct node>(return);
         spec g(pointer p, i32 n) requires true; ensures true;
         spec nothing(void);
         function (u32) last() { 1u32 }",
        Place::Top,
    );
    assert_eq!(errors, Vec::<String>::new());
    let Content::Definitions(definitions) = comment.content else { panic!() };
    let kinds: String = definitions
        .iter()
        .map(|definition| match definition {
            Definition::Predicate(_) => 'p',
            Definition::Function(_) => 'f',
            Definition::Datatype(_) => 'd',
            Definition::Synonym(_) => 't',
            Definition::Lemma(_) => 'l',
            Definition::Spec(_) => 's',
        })
        .collect();
    assert_eq!(kinds, "ppppfffdttlsssf");
}

#[test]
fn invariants_may_be_repeated() {
    let place = Place::Loop { function: "f".to_string(), site: Site(0) };
    let (comment, errors) = read("inv {n}unchanged; 0i32 <= i; inv take X = RW<int>(p);", place);
    assert_eq!(errors, Vec::<String>::new());
    let Content::Invariant(conditions) = comment.content else { panic!() };
    assert_eq!(conditions.len(), 3);
}

#[test]
fn statements_of_every_kind() {
    let place = Place::Statement { function: "f".to_string(), site: Site(0) };
    let text =
        "assert(x == 1i32); apply l(q->front, b); unfold f(x); split_case is_null(p); split_case(a == b);
        focus RW<int>, i; focus W<char>, n - (j + 1u32); extract Owned<int>, 0u64; extract P, 1; focus i;
        instantiate good<int>, mid; instantiate f, x; instantiate idx; pack P(x); unpack P(x, y);
        to_bytes RW<int>(p); from_bytes W<int>(p); cn_have(x == y); cn_print(x); inline f, g; inline;
        assert(each (u32 i; i < 3u32) { m[i] == 0u32 });";
    let (comment, errors) = read(text, place);
    assert_eq!(errors, Vec::<String>::new());
    let Content::Statements(statements) = comment.content else { panic!() };
    assert_eq!(statements.len(), 22);
}

#[test]
fn ghost_arguments_are_read() {
    let (comment, errors) = read("x + 1u32, p", Place::Arguments { function: "f".to_string() });
    assert_eq!(errors, Vec::<String>::new());
    let Content::GhostArguments(arguments) = comment.content else { panic!() };
    assert_eq!(arguments.len(), 2);
}

#[test]
fn openings_are_told_apart() {
    let cases = [
        ("requires x;", Opening::Contract),
        (" // a\n trusted;", Opening::Contract),
        ("cn_function g;", Opening::Contract),
        ("inv x;", Opening::Invariant),
        ("predicate void P()", Opening::Definition),
        ("assert(x);", Opening::Other),
        ("", Opening::Other),
    ];
    for (text, expected) in cases {
        let mut sources = SourceMap::new();
        let file = sources.add("t.c", text);
        assert_eq!(opening(&sources, sources.whole(file)), expected, "{text}");
    }
}

#[test]
fn several_errors_are_reported_and_the_rest_is_read() {
    let (contract, errors) =
        contract("requires a +; take = RW<int>(p); x == 1; b b; ensures take Y = 5; z; f(a,; q)w; last;");
    assert_eq!(errors.len(), 5, "{}", errors.join("\n"));
    assert_eq!(contract.requires.len(), 1);
    assert_eq!(contract.ensures.len(), 2);
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn errors_in_definitions_do_not_spoil_the_next() {
    let text = "function (u32) f(u32) { x } datatype D { A } predicate void P(pointer p) { take X RW<int>(p); foo; return; }
        function (u32) good() { 1u32 } junk predicate void Q(pointer p) { if (x) { return; } } lemma l() accesses g; requires true;
        type_synonym t = unsigned long; function (int) h(char *p) { 1 } requires x; datatype E { B {} }";
    let (comment, errors) = read(text, Place::Top);
    let Content::Definitions(definitions) = comment.content else { panic!() };
    assert!(matches!(definitions.last(), Some(Definition::Datatype(_))));
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn notation_of_other_languages_is_told_how_it_is_written_here() {
    let mut all = String::new();
    for text in [
        "requires x == 1i32 ==> y == 2i32;",
        "requires x == 1i32 => y == 2i32;",
        "requires x =< 3i32;",
        "requires x > 0i32 and y > 0i32;",
        "requires x > 0i32 or y > 0i32;",
        "requires x > 0i32, y > 0i32;",
        "requires x >> 1i32 == y;",
        "ensures Q = P(p);",
        "requires forall u32 k; k < 3u32;",
        "requires \\result == 1i32;",
        "require take X = RW<int>(p); x == 1i32; ensures return == X;",
        "take X = RW<int>(p); x == 1i32; y == 2i32;",
    ] {
        all.push_str(&complaints(text, contract_place()));
        all.push_str("\n\n");
    }
    for text in ["predicate (u32) P(struct node *p) { return 1u32; }", "function (u32) f(x) { x }"] {
        all.push_str(&complaints(text, Place::Top));
        all.push_str("\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_wrong_in_expressions() {
    let mut all = String::new();
    for text in [
        "x = 1",
        "sizeof(int)",
        "if (a) { b }",
        "[]",
        "{ a: 1, b }",
        "{}",
        "{ x }",
        "{ x }later",
        "m[i; j]",
        "match x { 1 => { 2 } }",
        "each (u32 i; i < 3u32)",
        "array_shift<int (*)(void)>(p, i)",
        "f(x",
        "x y",
        ")",
        "take",
        "struct 5",
        "m[1: 2, 3]",
        "(x",
        "offsetof(s)",
        "each 5",
    ] {
        all.push_str(&bad_contract(&format!("requires {text};")));
        all.push_str("\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_stands_in_the_wrong_place() {
    insta::assert_snapshot!(bad_contract("predicate void P() { return; } requires true;"));
    insta::assert_snapshot!(bad_contract("inv x;"));
    insta::assert_snapshot!(bad_contract("requires ensures true;"));
    insta::assert_snapshot!(bad_contract("cn_function a; cn_function b;"));
    insta::assert_snapshot!(complaints("inv x;", Place::Top));
    insta::assert_snapshot!(complaints(
        "requires x;",
        Place::Loop { function: String::new(), site: Site(0) }
    ));
    insta::assert_snapshot!(complaints(
        "ensures x; foo; inv z;",
        Place::Statement { function: String::new(), site: Site(0) }
    ));
    insta::assert_snapshot!(complaints("x y", Place::Arguments { function: String::new() }));
    insta::assert_snapshot!(complaints(
        "predicate void P(pointer p) { return; take X = RW<int>(p); }",
        Place::Top
    ));
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let n = 20_000;
    let texts = [
        format!("requires {}x{};", "(".repeat(n), ")".repeat(n)),
        format!("requires {}x;", "!".repeat(n)),
        format!("requires {}x;", "a implies ".repeat(n)),
        format!("requires x{};", " + x".repeat(n)),
        format!("requires x{};", ".f".repeat(n)),
        format!("requires x{};", " ? x : x".repeat(n)),
        format!("requires {}", "if (x) { ".repeat(n)),
        format!("requires {}", "let x = ".repeat(n)),
        format!("requires default<{}", "map<".repeat(n)),
        format!("requires x{};", "[x".repeat(n)),
        format!("requires {}", "{ a: ".repeat(n)),
        format!("requires {}", "match x { A {} => { ".repeat(n)),
        format!("requires {}", "f(".repeat(n)),
        format!("requires sizeof<int {}>;", "*".repeat(n)),
        format!("requires {};", "(x + ".repeat(n)),
    ];
    for text in texts {
        let errors = bad_contract(&text);
        assert!(errors.contains("nested too deeply"), "{}: {errors}", &text[..40]);
    }
    let predicate = format!("predicate void P() {{ {}", "if (x) {".repeat(n));
    assert!(complaints(&predicate, Place::Top).contains("nested too deeply"));
}

#[test]
fn long_flat_things_are_fine() {
    let n = 5_000;
    let lets: String = (0..n).map(|k| format!("let x{k} = 1; ")).collect();
    let (contract, errors) = contract(&format!("requires f({lets} x1); {}", "x;".repeat(n)));
    assert_eq!(errors, Vec::<String>::new());
    assert_eq!(contract.requires.len(), n + 1);
    let branches = "if (x) { return; } else ".repeat(n);
    let (_, errors) = read(&format!("predicate void P() {{ {branches} {{ return; }} }}"), Place::Top);
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn garbage_is_read_in_time() {
    for unit in [
        "{",
        "}",
        ")",
        "(",
        ";",
        "take ",
        "requires ",
        "x ",
        "\u{e9}",
        "\0",
        "'",
        "\"",
        "/*",
        "predicate ",
        "1",
        "each(",
        "=",
        "@*/ ",
    ] {
        let text = unit.repeat(60_000 / unit.len());
        let places = [
            Place::Top,
            contract_place(),
            Place::Loop { function: String::new(), site: Site(0) },
            Place::Statement { function: String::new(), site: Site(0) },
            Place::Arguments { function: String::new() },
        ];
        for place in places {
            let _ = read(&text, place);
        }
    }
}
