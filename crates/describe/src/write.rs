//! The module of tests, as a person would lay it out.
//!
//! Turns described refinements into Rust. The same description always gives the same text: there is nothing
//! in it that changes, no time and no path.

use crate::WRITTEN;
use crate::describe::{Description, Input, Refinement};
use std::fmt::Write as _;

/// Lines are no longer than this where they can be broken.
const WIDTH: usize = 100;

/// The whole module.
pub(crate) fn module(name: &str, described: &Description) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let mut out = format!("{WRITTEN}{name}`: change that file and run it again.\n\n");
    out.push_str("#![allow(unused_imports, reason = \"not every description needs all of them\")]\n\n");
    out.push_str("use super::*;\nuse stairway::prelude::*;\n");
    for path in &described.uses {
        let _ = writeln!(out, "use {path};");
    }
    out.push_str("\nrefinement! {\n");
    let all: Vec<String> = described.refinements.iter().map(refinement).collect();
    out.push_str(&all.join("\n"));
    out.push_str("}\n");
    out
}

fn refinement(refinement: &Refinement) -> String {
    let Refinement { name, doc, absf, rrel, inputs, teardown, .. } = refinement;
    let mut out = String::new();
    for line in doc.iter().flat_map(|doc| doc.lines()) {
        let _ = writeln!(out, "{}", format!("    /// {line}").trim_end());
    }
    if let Some(options) = options(refinement) {
        let _ = writeln!(out, "    #[property({options})]");
    }
    let _ = writeln!(out, "    {name}({}) {{", parameters(name, inputs));
    let names: Vec<String> = inputs.iter().map(|input| input.name.clone()).collect();
    let borrowed: Vec<String> = names.iter().map(|name| format!("&{name}")).collect();
    clause(&mut out, "abstract seen", &called(absf, &borrowed));
    let spec = called(&refinement.spec, &["seen".to_string()]);
    // So that rustc says it where the description does not.
    let spec = if refinement.nondet {
        block(&["let allowed: Outcomes<_> = ".to_string() + &spec + ";"], "allowed")
    } else {
        spec
    };
    clause(&mut out, "spec", &spec);
    clause(&mut out, "real", &called(&refinement.real, &names));
    clause(&mut out, "relate", rrel);
    if let Some(teardown) = teardown {
        clause(&mut out, "teardown", &closure_of_one(teardown));
    }
    out.push_str("    }\n");
    out
}

fn options(refinement: &Refinement) -> Option<String> {
    let cases = refinement.cases.as_ref().map(|n| format!("cases = {n}"));
    // What has effects may do anything to the process it runs in.
    let isolate = refinement.monad.then(|| "isolate".to_string());
    let all: Vec<String> = cases.into_iter().chain(isolate).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// The inputs, on one line if they fit.
fn parameters(name: &str, inputs: &[Input]) -> String {
    let one = |input: &Input| match &input.from {
        None => format!("{}: {}", input.name, input.ty),
        Some(from) => format!("#[from({from})] {}: {}", input.name, input.ty),
    };
    let all: Vec<String> = inputs.iter().map(one).collect();
    let line = all.join(", ");
    if name.len() + line.len() + 8 <= WIDTH {
        return line;
    }
    let lines: String = all.iter().map(|input| format!("        {input},\n")).collect();
    format!("\n{lines}    ")
}

/// A function applied to arguments. Of a closure there is its body, with its parameters bound before it.
fn called(function: &str, arguments: &[String]) -> String {
    let Some((parameters, body)) = parts(function) else {
        return format!("{function}({})", arguments.join(", "));
    };
    let bound = parameters.iter().zip(arguments).filter(|(parameter, argument)| parameter != argument);
    let bound: Vec<String> =
        bound.map(|(parameter, argument)| format!("let {parameter} = {argument};")).collect();
    if bound.is_empty() { body } else { block(&bound, &body) }
}

/// Statements, and what they come to.
fn block(statements: &[String], value: &str) -> String {
    let value = value.trim();
    let inside = value.strip_prefix('{').and_then(|inside| inside.strip_suffix('}'));
    // A block inside a block needs braces of its own only if it is one of several.
    let is_one = inside.is_some_and(|inside| syn::parse_str::<syn::Block>(&format!("{{{inside}}}")).is_ok());
    let value = if is_one { inside.unwrap_or(value) } else { value };
    let mut out = String::from("{");
    for statement in statements {
        let _ = write!(out, "\n{}", moved(statement, "    "));
    }
    let _ = write!(out, "\n{}\n}}", moved(value.trim_matches('\n').trim_end(), "    "));
    out
}

/// Lines moved to the right by `by`, from wherever they begin.
fn moved(text: &str, by: &str) -> String {
    let is_blank = |line: &&str| line.trim().is_empty();
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let mut lines = text.lines();
    let first = lines.next().unwrap_or("");
    // The first line of an expression stands behind something else.
    let indent = lines.clone().filter(|line| !is_blank(line)).map(indent_of).min().unwrap_or(0);
    let rest = lines.map(|line| format!("\n{by}{}", line.get(indent..).unwrap_or("")).trim_end().to_string());
    format!("{by}{}{}", first.trim_start(), rest.collect::<String>())
}

/// The parameters and the body of a closure.
fn parts(function: &str) -> Option<(Vec<String>, String)> {
    let function = function.strip_prefix("move").map_or(function, str::trim_start);
    let behind = function.strip_prefix('|')?;
    let (mut depth, mut start, mut parameters) = (0u32, 0, Vec::new());
    for (at, c) in behind.char_indices() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' | '>' => depth = depth.saturating_sub(1),
            ',' | '|' if depth == 0 => {
                parameters.push(behind[start..at].trim().to_string());
                start = at + 1;
                if c == '|' {
                    parameters.retain(|parameter| !parameter.is_empty());
                    return Some((parameters, behind[start..].trim().to_string()));
                }
            }
            _ => {}
        }
    }
    None
}

/// A teardown takes what the implementation gave.
fn closure_of_one(function: &str) -> String {
    if function.starts_with('|') || function.starts_with("move") {
        function.to_string()
    } else {
        format!("|real| {function}(real)")
    }
}

/// One clause; further lines of what was written keep their shape below it.
fn clause(out: &mut String, word: &str, expression: &str) {
    let _ = writeln!(out, "        {word} => {},", moved(expression, "        ").trim_start());
}
