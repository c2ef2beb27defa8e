//! Whatever stands in a spec comment, reading it ends, without a panic, with messages that point into the file.
//!
//! About a minute with a fixed seed under `cargo test`; `STAIRWAY_SEED=random STAIRWAY_TIME=1h cargo test -p stairway-c --test spec_fuzz`
//! goes where no run has been.

use stairway::prelude::*;
use stairway_c::ctypes::{CType, CTypes, Member, Record, Tag};
use stairway_c::spec::ast::{ConditionKind, Content};
use stairway_c::spec::diagnostic::Diagnostics;
use stairway_c::spec::position::SourceMap;
use stairway_c::spec::{CFunction, CVariable, Place, Program, Site, SpecComment, parser, print, read};

/// `struct node { int v; struct node *next; }; int counter; int f(int x, struct node *p);`
fn program() -> (Program, CTypes) {
    let mut c = CTypes::default();
    let int = c.add(CType::Integer { size: 4, is_signed: true, name: "int".to_string() });
    let member = |name: &str, ty, offset| Member { name: name.to_string(), ty, offset, bits: None };
    let members = vec![member("v", int, 0)];
    let record =
        c.add_record(Record { name: "node".to_string(), is_union: false, size: Some(16), align: 8, members });
    let node = c.add(CType::Record(record));
    c.tags.insert(Tag::Struct("node".to_string()), node);
    let pointer = c.add(CType::Pointer { to: node, is_const: false });
    c.record_mut(record).members.push(member("next", pointer, 8));
    let variable = |name: &str, ty| CVariable { name: name.to_string(), ty };
    let parameters = vec![variable("x", int), variable("p", pointer)];
    let functions = vec![CFunction { name: "f".to_string(), parameters, returns: int }];
    (Program { functions, globals: vec![variable("counter", int)], ..Program::default() }, c)
}

fn places() -> [Place; 5] {
    let function = "f".to_string();
    [
        Place::Top,
        Place::Contract { function: function.clone() },
        Place::Loop { function: function.clone(), site: Site(0) },
        Place::Statement { function: function.clone(), site: Site(1) },
        Place::Arguments { function },
    ]
}

/// Reads a text at every place, beside definitions it may use.
fn reads(bytes: &[u8]) {
    for place in places() {
        let mut sources = SourceMap::new();
        let known = sources.add("known.h", SEEDS[0]);
        let file = sources.add("fuzz.c", bytes.to_vec());
        let comments = [
            SpecComment { pieces: vec![sources.whole(known)], place: Place::Top },
            SpecComment { pieces: vec![sources.whole(file)], place },
        ];
        let (program, mut ctypes) = program();
        let outcome = read(&sources, &comments, &program, &mut ctypes);
        for diagnostic in &outcome.diagnostics {
            for label in &diagnostic.labels {
                let text = sources.text(label.span.file);
                let (start, end) = (label.span.start as usize, label.span.end as usize);
                assert!(
                    start <= end && text.is_char_boundary(start) && text.is_char_boundary(end),
                    "{label:?}"
                );
            }
            assert!(!diagnostic.render(&sources, false).is_empty());
        }
        assert!(outcome.n_errors == 0 || !outcome.diagnostics.is_empty());
    }
}

/// Texts that are right, to be spoiled.
const SEEDS: [&str; 7] = [
    "datatype List { Nil {}, Cons { i32 Head, datatype List Tail } }
     function [rec] (datatype List) snoc(datatype List l, i32 y) {
       match l { Nil {} => { Cons { Head: y, Tail: Nil {} } } Cons { Head: x, Tail: t } => { Cons { Head: x, Tail: snoc(t, y) } } } }
     predicate [rec] (datatype List) Chain(pointer p) { if (is_null(p)) { return Nil {}; }
       else { take N = RW<struct node>(p); take T = Chain(N.next); return Cons { Head: N.v, Tail: T }; } }
     lemma l(pointer z) requires take C = Chain(z); ensures take D = Chain(z); C == D;",
    "type_synonym t = {u32 a, map<u64, cn_list<u8>> b} function (t) g(u32 a) function (integer) h(integer n) { let m = n + 1; m * m }
     spec f(i32 y, pointer q); requires y < 10i32; ensures return == y;",
    "trusted; accesses counter; requires take P = RW(p); let old = P.v; old > 0 || x == -1i32 implies counter < MAXi32();
     take A = each (u64 i; i < 10u64) { W<int>(array_shift<int>(p, i)) }; ensures take Q = RW<struct node>(p);
     {counter}unchanged; Q == { v: old, ..P } && return == (x > 0i32 ? P.v : { x }%start);",
    "inv take P = RW(p); {x}unchanged; each (i32 j; 0i32 <= j && j < x) { j % 2i32 == 0i32 };",
    "assert(p->next->v == counter); apply l(p); unfold snoc(Nil {}, 1); focus RW<int>, 3u64; split_case x == 1; instantiate good<int>, x;",
    "requires cn_ghost u32 n; (alloc_id) p == default<alloc_id>; [1, 2] == [x]; each (u8 k: 0, 255; k <= 255u8); sizeof<int[3]> == offsetof(node, next);",
    "requires { a: 1, b: struct node { v: 1, next: NULL } }.b == default<struct node>; default<map<u8, u8>>[1: 2, 3: 4][5] == bw_clz(6u8); good<int>(x) == !true;",
];

const TOKENS: [&str; 96] = [
    "requires",
    "ensures",
    "inv",
    "take",
    "let",
    "each",
    "if",
    "else",
    "match",
    "return",
    "true",
    "NULL",
    "implies",
    "struct",
    "datatype",
    "predicate",
    "function",
    "lemma",
    "spec",
    "type_synonym",
    "accesses",
    "trusted;",
    "cn_function",
    "cn_ghost",
    "assert",
    "apply",
    "unfold",
    "focus",
    "RW",
    "W<int>",
    "RW<struct node>",
    "Owned",
    "Chain",
    "snoc",
    "Nil {}",
    "Cons",
    "Head",
    "Tail",
    "x",
    "p",
    "counter",
    "y",
    "l",
    "f",
    "u32",
    "i32",
    "u64",
    "integer",
    "boolean",
    "pointer",
    "void",
    "map<u64, u8>",
    "cn_list<",
    "5",
    "5i32",
    "0u64",
    "300u8",
    "'a'",
    "\"s",
    "unchanged",
    "%start",
    "@start",
    "sizeof<int>",
    "default<",
    "good<int>(",
    "array_shift<int>(",
    "member_shift(",
    "offsetof(",
    "is_null(",
    "power(",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "=",
    "==",
    "!=",
    "<=",
    "&&",
    "||",
    "+",
    "-",
    "*",
    "&",
    "!",
    "?",
    ":",
    ";",
    ",",
    ".",
    "->",
    "=>",
];

/// How many texts of each kind are read: together about a minute in a debug build on two cores.
const FUZZED: u64 = 2000;

fn settings() -> Settings {
    Settings::new().seed(20_260_101).without_regressions()
}

#[test]
fn soups_of_tokens_are_read() {
    Checker::new("soups_of_tokens").settings(settings()).cases(FUZZED).run(|t| {
        let tokens = t.pick(vec(sampled_from(TOKENS), 0..60))?;
        reads(tokens.join(" ").as_bytes());
        Ok(())
    });
}

#[test]
fn clauses_of_soup_are_read() {
    Checker::new("clauses_of_soup").settings(settings()).cases(FUZZED).run(|t| {
        let clauses = t.pick(vec(vec(sampled_from(TOKENS), 1..8), 1..8))?;
        let mut text = "requires ".to_string();
        for clause in clauses {
            text.extend(clause.into_iter().map(|token| format!("{token} ")));
            text.push_str("; ");
        }
        reads(text.as_bytes());
        Ok(())
    });
}

#[test]
fn bytes_are_read() {
    Checker::new("bytes").settings(settings()).cases(FUZZED).run(|t| {
        reads(&t.pick(bytes(0..200))?);
        Ok(())
    });
}

#[test]
fn spoiled_specs_are_read() {
    Checker::new("spoiled_specs").settings(settings()).cases(FUZZED).run(|t| {
        let mut text = t.pick(sampled_from(SEEDS))?.as_bytes().to_vec();
        let n_edits = t.pick(1..6_u32)?;
        for _ in 0..n_edits {
            let from = t.pick(0..=text.len())?;
            let to = (from + t.pick(0..20_usize)?).min(text.len());
            match t.pick(0..4_u8)? {
                0 => drop(text.drain(from..to)),
                1 => {
                    let copy = text[from..to].to_vec();
                    let at = t.pick(0..=text.len())?;
                    text.splice(at..at, copy);
                }
                2 => drop(text.splice(from..to, t.pick(sampled_from(TOKENS))?.bytes())),
                _ => drop(text.splice(from..from, t.pick(bytes(1..4))?)),
            }
        }
        reads(&text);
        Ok(())
    });
}

/// Expressions that are right as far as the grammar goes.
fn expressions() -> impl Generate<Value = String> {
    let leaves = [
        "x",
        "p",
        "5",
        "7u8",
        "true",
        "NULL",
        "return",
        "Nil {}",
        "sizeof<int>",
        "offsetof(s, f)",
        "default<u8>",
    ];
    let leaf = sampled_from(leaves).mapped(str::to_string);
    recursive(leaf, |inner| {
        let pair = (inner.clone(), inner.clone(), 0..25_usize);
        pair.mapped(|(a, b, which)| match which {
            0 => format!("({a}) + ({b})"),
            1 => format!("({a}).f"),
            2 => format!("({a})->f"),
            3 => format!("*({a})"),
            4 => format!("-({a})"),
            5 => format!("!({a})"),
            6 => format!("({a}) implies ({b})"),
            7 => format!("({a}) || ({b})"),
            8 => format!("({a}) && ({b})"),
            9 => format!("({a}) == ({b})"),
            10 => format!("(({a}) ? ({b}) : ({a}))"),
            11 => format!("f({a}, {b})"),
            12 => format!("({a})[{b}]"),
            13 => format!("({a})[{b}: {a}]"),
            14 => format!("{{ a: {a}, b: {b} }}"),
            15 => format!("{{ a: {a}, ..{b} }}"),
            16 => format!("{{ {a} }}unchanged"),
            17 => format!("(let y = {a}; {b})"),
            18 => format!("match ({a}) {{ C {{ f: _ }} => {{ {b} }} y => {{ {a} }} }}"),
            19 => format!("(u8) ({a})"),
            20 => format!("&({a})"),
            21 => format!("each (u8 i: 0, 3; {a})"),
            22 => format!("[{a}, {b}]"),
            23 => format!("({a}) - ({b}) * ({a}) & ({b})"),
            _ => format!("if ({a}) {{ {b} }} else {{ {a} }}"),
        })
    })
}

/// The expression of a contract that has one, as it is printed.
fn printed(text: &str) -> Result<String, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", format!("requires ({text});"));
    let [_, place, ..] = places();
    let mut diagnostics = Diagnostics::new();
    let comment =
        parser::parse(&sources, &SpecComment { pieces: vec![sources.whole(file)], place }, &mut diagnostics);
    if let Some(first) = diagnostics.into_sorted().first() {
        return Err(first.render(&sources, false));
    }
    match comment.content {
        Content::Contract(contract) => match &contract.requires[..] {
            [condition] => match &condition.kind {
                ConditionKind::Holds(e) => Ok(print::expression(e)),
                other => Err(format!("{other:?}")),
            },
            other => Err(format!("{} conditions", other.len())),
        },
        _ => Err("no contract".to_string()),
    }
}

#[test]
fn what_is_printed_is_read_as_the_same() {
    Checker::new("printed_and_read").settings(settings()).cases(4 * FUZZED).run(|t| {
        let text = t.pick(expressions())?;
        match printed(&text) {
            Ok(once) => assert_eq!(printed(&once).as_ref(), Ok(&once)),
            // Generated expressions may be nested too deeply, and only that.
            Err(message) => assert!(message.contains("nested too deeply"), "{message}"),
        }
        Ok(())
    });
}
