//! What a description means.
//!
//! Reads the refinements off the tree of a file, or every problem there is. The fields are those of the paper
//! (`name`, `monad`, `nondet`, `absf`, `rrel`), which must be there, and those that it leaves to conventions.
//! What is inside them must be Rust; whether it has the right types, rustc says.

use crate::problem::Problem;
use crate::read::{Field, Node, Value};
use std::ops::Range;

/// Everything in a file.
#[derive(Debug)]
pub(crate) struct Description {
    /// What the module imports besides `super::*`.
    pub(crate) uses: Vec<String>,
    pub(crate) refinements: Vec<Refinement>,
}

/// One refinement.
#[derive(Debug)]
pub(crate) struct Refinement {
    pub(crate) name: String,
    pub(crate) doc: Option<String>,
    /// Whether the implementation has effects.
    pub(crate) monad: bool,
    pub(crate) nondet: bool,
    pub(crate) absf: String,
    pub(crate) rrel: String,
    pub(crate) inputs: Vec<Input>,
    pub(crate) spec: String,
    pub(crate) real: String,
    pub(crate) teardown: Option<String>,
    pub(crate) cases: Option<String>,
}

/// A drawn input.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) ty: String,
    pub(crate) from: Option<String>,
}

const FIELDS: [&str; 13] = [
    "name", "monad", "nondet", "absf", "rrel", "welf", "spec", "real", "inputs", "teardown", "cases", "doc",
    "use",
];

/// The refinements of a file: one table, a list of tables, or `[[refinement]]`.
pub(crate) fn describe(tree: &Node) -> Result<Description, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut described = Description { uses: Vec::new(), refinements: Vec::new() };
    let tables: Vec<&Node> = match &tree.value {
        Value::List(list) => list.iter().collect(),
        Value::Table(fields) => match fields.iter().find(|field| field.name == "refinement") {
            None => vec![tree],
            Some(Field { node: Node { value: Value::List(list), .. }, .. }) => {
                for field in fields.iter().filter(|field| field.name != "refinement") {
                    match field.name.as_str() {
                        "use" => described.uses.extend(uses(&mut problems, &field.node)),
                        name => problems.push(unknown(field, name)),
                    }
                }
                list.iter().collect()
            }
            Some(field) => {
                let help = "write `[[refinement]]`, or a list of tables";
                problems.push(wrong_kind(field, "a list of refinements").help(help));
                Vec::new()
            }
        },
        _ => {
            let message =
                format!("a description is a table or a list of tables, and this is {}", tree.value.kind());
            problems.push(Problem::new(tree.place.clone(), message));
            Vec::new()
        }
    };
    if tables.is_empty() && problems.is_empty() {
        problems.push(Problem::new(tree.place.clone(), "there is no refinement in this file"));
    }
    for table in tables {
        let one = refinement(&mut problems, &mut described.uses, table);
        let is_known = |name: &str| described.refinements.iter().any(|known| known.name == name);
        match one {
            Some(one) if is_known(&one.name) => problems.push(
                Problem::new(table.place.clone(), format!("`{}` is described twice", one.name))
                    .help("give each refinement a name of its own"),
            ),
            one => described.refinements.extend(one),
        }
    }
    described.uses.sort();
    described.uses.dedup();
    if problems.is_empty() { Ok(described) } else { Err(problems) }
}

fn refinement(problems: &mut Vec<Problem>, imports: &mut Vec<String>, node: &Node) -> Option<Refinement> {
    let Value::Table(fields) = &node.value else {
        let message = format!("a refinement is a table, and this is {}", node.value.kind());
        problems.push(Problem::new(node.place.clone(), message));
        return None;
    };
    let n_before = problems.len();
    for (k, field) in fields.iter().enumerate() {
        if !FIELDS.contains(&field.name.as_str()) {
            problems.push(unknown(field, &field.name));
        } else if fields[..k].iter().any(|other| other.name == field.name) {
            let message = format!("`{}` is given twice", field.name);
            problems.push(Problem::new(field.place.clone(), message).help("remove one of them"));
        }
    }
    let table = Table { fields, place: node.place.clone() };
    let name = table.needed(problems, "name").and_then(|field| identifier(problems, field));
    let named = name.as_deref().unwrap_or("it");
    let monad = table.needed(problems, "monad").and_then(|field| truth(problems, field));
    let nondet = table.needed(problems, "nondet").and_then(|field| truth(problems, field));
    let absf = table.needed(problems, "absf").and_then(|field| function(problems, field));
    let rrel = table.needed(problems, "rrel").and_then(|field| function(problems, field));
    let spec = table.find("spec").map(|field| function(problems, field));
    let real = table.find("real").map(|field| function(problems, field));
    let teardown = table.find("teardown").and_then(|field| function(problems, field));
    let cases = table.find("cases").and_then(|field| number(problems, field));
    let doc = table.find("doc").and_then(|field| text(problems, field)).map(str::to_string);
    let inputs = match table.find("inputs") {
        None => vec![Input { name: "input".into(), ty: format!("{}Input", camel_case(named)), from: None }],
        Some(field) => inputs(problems, field),
    };
    let inputs = well_formed(problems, table.find("welf"), inputs);
    if let Some(field) = table.find("use") {
        imports.extend(uses(problems, &field.node));
    }
    if problems.len() > n_before {
        return None;
    }
    Some(Refinement {
        doc,
        monad: monad?,
        nondet: nondet?,
        absf: absf?,
        rrel: rrel?,
        inputs,
        spec: spec.flatten().unwrap_or_else(|| format!("spec::{named}")),
        real: real.flatten().unwrap_or_else(|| format!("real::{named}")),
        teardown,
        cases,
        name: name?,
    })
}

/// The fields of a refinement.
struct Table<'f> {
    fields: &'f [Field],
    place: Range<usize>,
}

impl<'f> Table<'f> {
    fn find(&self, name: &str) -> Option<&'f Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    fn needed(&self, problems: &mut Vec<Problem>, name: &str) -> Option<&'f Field> {
        let found = self.find(name);
        if found.is_none() {
            let help = match name {
                "name" => "write the name of the test: `\"name\": \"wordarray_set_u8\"`",
                "monad" => "write `true` if the implementation has effects (files, C), otherwise `false`",
                "nondet" => "write `true` if the specification gives `Outcomes`, otherwise `false`",
                "absf" => "write the function from the inputs, by reference, to what the specification takes",
                _ => "write the relation between what both give: `\"|spec, real| spec == real\"`",
            };
            let start = self.place.start;
            problems
                .push(Problem::new(start..start + 1, format!("the field `{name}` is missing")).help(help));
        }
        found
    }
}

fn unknown(field: &Field, name: &str) -> Problem {
    let known: Vec<String> = FIELDS.iter().map(|known| format!("`{known}`")).collect();
    Problem::new(field.place.clone(), format!("there is no field `{name}`"))
        .help(format!("the fields are {}", known.join(", ")))
}

fn wrong_kind(field: &Field, wanted: &str) -> Problem {
    let message = format!("`{}` is {wanted}, and this is {}", field.name, field.node.value.kind());
    Problem::new(field.node.place.clone(), message)
}

fn text<'f>(problems: &mut Vec<Problem>, field: &'f Field) -> Option<&'f str> {
    match &field.node.value {
        Value::Text(text) => Some(text),
        _ => {
            problems.push(wrong_kind(field, "a text"));
            None
        }
    }
}

fn truth(problems: &mut Vec<Problem>, field: &Field) -> Option<bool> {
    match field.node.value {
        Value::Truth(truth) => Some(truth),
        _ => {
            problems.push(wrong_kind(field, "`true` or `false`"));
            None
        }
    }
}

fn number(problems: &mut Vec<Problem>, field: &Field) -> Option<String> {
    match &field.node.value {
        Value::Number(number) if number.parse::<u64>().is_ok() => Some(number.clone()),
        _ => {
            problems.push(wrong_kind(field, "a whole number"));
            None
        }
    }
}

fn identifier(problems: &mut Vec<Problem>, field: &Field) -> Option<String> {
    let name = text(problems, field)?;
    if syn::parse_str::<syn::Ident>(name).is_ok() {
        return Some(name.to_string());
    }
    let message = format!("`{name}` cannot be the name of a test");
    let help = "write a Rust name: letters, digits and `_`";
    problems.push(Problem::new(field.node.place.clone(), message).help(help));
    None
}

/// A function: a path or a closure.
fn function(problems: &mut Vec<Problem>, field: &Field) -> Option<String> {
    let written = text(problems, field)?.trim();
    let help = "write the path of a function, or a closure: `|spec, real| spec == real`";
    match syn::parse_str::<syn::Expr>(written) {
        Ok(syn::Expr::Path(_) | syn::Expr::Closure(_)) => return Some(written.to_string()),
        Ok(_) => {
            let message =
                format!("`{}` is a function, and this is an expression of another kind", field.name);
            problems.push(Problem::new(field.node.place.clone(), message).help(help));
        }
        Err(error) => {
            let message = format!("what is in `{}` is no Rust: {error}", field.name);
            problems.push(Problem::new(field.node.place.clone(), message).help(help));
        }
    }
    None
}

/// `"name: Type"`, with `#[from(generator)]` before it or not.
fn inputs(problems: &mut Vec<Problem>, field: &Field) -> Vec<Input> {
    let Value::List(list) = &field.node.value else {
        problems.push(wrong_kind(field, "a list").help("write `[\"arr: Vec<u8>\", \"from: u32\"]`"));
        return Vec::new();
    };
    list.iter().filter_map(|node| input(problems, node)).collect()
}

fn input(problems: &mut Vec<Problem>, node: &Node) -> Option<Input> {
    let help = "write `name: Type`, or `#[from(generator)] name: Type`";
    let Value::Text(written) = &node.value else {
        let message = format!("an input is a text, and this is {}", node.value.kind());
        problems.push(Problem::new(node.place.clone(), message).help(help));
        return None;
    };
    let is_input = syn::parse_str::<syn::FnArg>(written).ok().is_some_and(|argument| match argument {
        syn::FnArg::Typed(typed) => matches!(&*typed.pat, syn::Pat::Ident(_)),
        syn::FnArg::Receiver(_) => false,
    });
    // The last attribute ends at the last bracket before the name.
    let (from, rest) = match written.trim().strip_prefix("#[from(") {
        None => (None, written.trim()),
        Some(behind) => match behind.rfind(")]") {
            Some(at) => (Some(behind[..at].trim().to_string()), behind[at + 2..].trim()),
            None => (None, ""),
        },
    };
    match rest.split_once(':').filter(|_| is_input) {
        Some((name, ty)) => Some(Input { name: name.trim().into(), ty: ty.trim().into(), from }),
        None => {
            let message = format!("`{written}` is no input");
            problems.push(Problem::new(node.place.clone(), message).help(help));
            None
        }
    }
}

/// The inputs with the generators that make well-formed ones.
fn well_formed(problems: &mut Vec<Problem>, field: Option<&Field>, mut inputs: Vec<Input>) -> Vec<Input> {
    let Some(field) = field else { return inputs };
    match &field.node.value {
        Value::Text(generator) if inputs.len() == 1 => {
            if is_expression(problems, &field.node, generator) {
                inputs[0].from = Some(generator.trim().to_string());
            }
        }
        Value::Text(_) => problems.push(
            Problem::new(field.node.place.clone(), "which of the inputs is this the generator of?")
                .help("write a table: `{ \"from\": \"index()\" }`"),
        ),
        Value::Table(generators) => {
            for named in generators {
                let Value::Text(generator) = &named.node.value else {
                    problems.push(wrong_kind(named, "a text"));
                    continue;
                };
                match inputs.iter_mut().find(|input| input.name == named.name) {
                    Some(input) if is_expression(problems, &named.node, generator) => {
                        input.from = Some(generator.trim().to_string());
                    }
                    Some(_) => {}
                    None => {
                        let message = format!("there is no input `{}`", named.name);
                        problems.push(Problem::new(named.place.clone(), message));
                    }
                }
            }
        }
        _ => problems.push(wrong_kind(field, "a generator, or a table of generators by input")),
    }
    inputs
}

fn is_expression(problems: &mut Vec<Problem>, node: &Node, text: &str) -> bool {
    let Err(error) = syn::parse_str::<syn::Expr>(text) else { return true };
    problems.push(Problem::new(node.place.clone(), format!("this is no Rust: {error}")));
    false
}

fn uses(problems: &mut Vec<Problem>, node: &Node) -> Vec<String> {
    let list = match &node.value {
        Value::List(list) => list.iter().collect(),
        _ => vec![node],
    };
    let mut all = Vec::new();
    for node in list {
        match &node.value {
            Value::Text(path) if syn::parse_str::<syn::ItemUse>(&format!("use {path};")).is_ok() => {
                all.push(path.trim().to_string());
            }
            _ => problems.push(
                Problem::new(node.place.clone(), "this cannot be imported")
                    .help("write a path: `\"crate::spec\"`"),
            ),
        }
    }
    all
}

fn camel_case(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>())
    };
    name.split('_').map(word).collect()
}
