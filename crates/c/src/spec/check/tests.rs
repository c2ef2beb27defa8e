//! Specs over a small program: what is right is accepted and resolved, what is wrong is said where it is wrong.

mod accepted;
mod hostile;
mod refused;

use crate::ctypes::{CType, CTypes, Enumeration, Member, Tag, TypeId};
use crate::spec::checked::Specs;
use crate::spec::position::{SourceMap, Span};
use crate::spec::{CFunction, CVariable, Place, Program, Site, SpecComment, read};

/// A program to write specs about:
///
/// ```c
/// struct node { int v; struct node *next; };
/// struct queue { struct node *front, *back; };
/// struct mixed { char tag; int a[4]; union { int i; float x; }; unsigned low : 3; struct queue q; };
/// struct hidden;
/// enum color { RED, GREEN = 5, BLUE };
/// typedef unsigned char byte;
/// int counter; int table[10]; struct node root;
/// int f(int x, unsigned n, struct node *p, int *a, char c, enum color k, void *v);
/// void g(struct queue *q);
/// struct node *h(void);
/// int twice(int x);
/// void odd(_Complex double z, struct mixed m);
/// ```
fn program() -> (Program, CTypes) {
    let mut c = CTypes::default();
    let integer = |size, is_signed, name: &str| CType::Integer { size, is_signed, name: name.to_string() };
    let void = c.add(CType::Void);
    let int = c.add(integer(4, true, "int"));
    let unsigned = c.add(integer(4, false, "unsigned int"));
    let char = c.add(CType::Char);
    let float = c.add(CType::Float { size: 4, name: "float".to_string() });
    let byte = c.add(integer(1, false, "unsigned char"));
    c.typedefs.insert("byte".to_string(), byte);
    let complex = c.add(CType::Other { name: "_Complex double".to_string(), size: 16 });
    let pointer = |c: &mut CTypes, to| c.add(CType::Pointer { to, is_const: false });
    let record = |c: &mut CTypes, name: &str, is_union, size, members: Vec<(&str, TypeId, u64)>| {
        crate::testing::record(c, name, is_union, size, &members)
    };
    let (node_id, node) = record(&mut c, "node", false, Some(16), vec![("v", int, 0)]);
    let to_node = pointer(&mut c, node);
    c.record_mut(node_id).members.push(Member {
        name: "next".to_string(),
        ty: to_node,
        offset: 8,
        bits: None,
    });
    let (_, queue) =
        record(&mut c, "queue", false, Some(16), vec![("front", to_node, 0), ("back", to_node, 8)]);
    let four = c.add(CType::Array { of: int, len: Some(4) });
    let ten = c.add(CType::Array { of: int, len: Some(10) });
    let (_, either) = record(&mut c, "", true, Some(4), vec![("i", int, 0), ("x", float, 0)]);
    let members =
        vec![("tag", char, 0), ("a", four, 4), ("", either, 20), ("low", unsigned, 24), ("q", queue, 32)];
    let (mixed_id, mixed) = record(&mut c, "mixed", false, Some(48), members);
    c.record_mut(mixed_id).members[3].bits = Some((192, 3));
    record(&mut c, "hidden", false, None, vec![]);
    let constants = vec![("RED".to_string(), 0), ("GREEN".to_string(), 5), ("BLUE".to_string(), 6)];
    let color = c.add_enum(Enumeration { name: "color".to_string(), size: 4, is_signed: false, constants });
    let color = c.add(CType::Enum(color));
    c.tags.insert(Tag::Enum("color".to_string()), color);
    let (to_int, to_void, to_queue) = (pointer(&mut c, int), pointer(&mut c, void), pointer(&mut c, queue));

    let variable = |(name, ty): (&str, TypeId)| CVariable { name: name.to_string(), ty };
    let function = |name: &str, parameters: Vec<(&str, TypeId)>, returns| CFunction {
        name: name.to_string(),
        parameters: parameters.into_iter().map(variable).collect(),
        returns,
    };
    let of_f = vec![
        ("x", int),
        ("n", unsigned),
        ("p", to_node),
        ("a", to_int),
        ("c", char),
        ("k", color),
        ("v", to_void),
    ];
    let mut scope: Vec<CVariable> = of_f.iter().copied().map(variable).collect();
    scope.extend([("i", int), ("local", ten), ("cell", node), ("x", unsigned)].map(variable));
    let program = Program {
        functions: vec![
            function("f", of_f, int),
            function("g", vec![("q", to_queue)], void),
            function("h", vec![], to_node),
            function("twice", vec![("x", int)], int),
            function("odd", vec![("z", complex), ("m", mixed)], void),
        ],
        globals: [("counter", int), ("table", ten), ("root", node)].map(variable).to_vec(),
        // At site 0 an inner `unsigned x` hides the parameter.
        scopes: [(Site(0), scope)].into(),
        ..Program::default()
    };
    (program, c)
}

/// Reads comments in one file, one after the other.
fn outcome(comments: &[(Place, &str)]) -> (Specs, Vec<String>) {
    let mut text = String::new();
    let mut ranges = Vec::new();
    for (_, comment) in comments {
        text.push_str("/*@ ");
        let start = text.len() as u32;
        text.push_str(comment);
        ranges.push((start, text.len() as u32));
        text.push_str(" @*/\n");
    }
    let mut sources = SourceMap::new();
    let file = sources.add("t.c", text);
    let list: Vec<SpecComment> = comments
        .iter()
        .zip(ranges)
        .map(|((place, _), (start, end))| SpecComment {
            pieces: vec![Span::new(file, start, end)],
            place: place.clone(),
        })
        .collect();
    let (program, mut ctypes) = program();
    let outcome = read(&sources, &list, &program, &mut ctypes);
    (outcome.specs, outcome.diagnostics.iter().map(|d| d.render(&sources, false)).collect())
}

fn of(function: &str) -> Place {
    Place::Contract { function: function.to_string() }
}

fn loop_in(function: &str) -> Place {
    Place::Loop { function: function.to_string(), site: Site(0) }
}

fn body_of(function: &str) -> Place {
    Place::Statement { function: function.to_string(), site: Site(0) }
}

/// What every program of the tests may use.
const LISTS: &str = "datatype List { Nil {}, Cons { i32 Head, datatype List Tail } }
function [rec] (datatype List) snoc(datatype List l, i32 y) {
  match l { Nil {} => { Cons { Head: y, Tail: Nil {} } } Cons { Head: x, Tail: t } => { Cons { Head: x, Tail: snoc(t, y) } } }
}
predicate [rec] (datatype List) Chain(pointer p) {
  if (is_null(p)) { return Nil {}; }
  else { take N = RW<struct node>(p); take T = Chain(N.next); return Cons { Head: N.v, Tail: T }; }
}";

/// Specs without a message.
fn good(comments: &[(Place, &str)]) -> Specs {
    let all: Vec<(Place, &str)> = [(Place::Top, LISTS)].into_iter().chain(comments.iter().cloned()).collect();
    let (specs, messages) = outcome(&all);
    assert!(messages.is_empty(), "{}", messages.join("\n"));
    specs
}

/// The messages about specs, of which there are some.
fn bad(comments: &[(Place, &str)]) -> String {
    let all: Vec<(Place, &str)> = comments.iter().cloned().chain([(Place::Top, LISTS)]).collect();
    let (_, messages) = outcome(&all);
    assert!(!messages.is_empty(), "nothing wrong with {comments:?}");
    messages.join("\n")
}
