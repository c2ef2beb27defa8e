//! JSON and TOML, read into one tree with positions.
//!
//! Turns text into a tree. JSON may have comments and leave commas out at the ends of lines, as the paper's
//! sample does. What the fields mean is not known here.

use crate::problem::Problem;
use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::ops::Range;
use toml_edit::{Document, Item, Table, TableLike};

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Range<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Truth(bool),
    Number(String),
    List(Vec<Node>),
    Table(Vec<Field>),
    Nothing,
}

/// A named value.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) place: Range<usize>,
    pub(crate) node: Node,
}

impl Value {
    /// What kind of value it is, for messages.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Value::Text(_) => "a text",
            Value::Truth(_) => "`true` or `false`",
            Value::Number(_) => "a number",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
            Value::Nothing => "nothing",
        }
    }
}

/// Reads a file; the ending of its name says what it is written in.
pub(crate) fn read(name: &str, text: &str) -> Result<Node, Problem> {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => json(text),
        Some("toml") => toml(text),
        _ => Err(Problem::new(0..0, format!("`{name}` is neither JSON nor TOML by its name"))
            .help("call it `.json` or `.toml`")),
    }
}

fn json(text: &str) -> Result<Node, Problem> {
    let options = ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        // The paper's sample has none behind a line that ends in a comment.
        allow_missing_commas: true,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| {
        let range = error.range();
        Problem::new(
            range.start..range.end,
            format!("this is no JSON: {}", lowercase(&error.kind().to_string())),
        )
    })?;
    match parsed.value {
        Some(value) => Ok(json_node(&value)),
        None => Err(Problem::new(0..text.len().min(1), "there is no description in this file")),
    }
}

fn json_node(value: &ast::Value<'_>) -> Node {
    let range = value.range();
    let read = match value {
        ast::Value::StringLit(text) => Value::Text(text.value.to_string()),
        ast::Value::NumberLit(number) => Value::Number(number.value.to_string()),
        ast::Value::BooleanLit(truth) => Value::Truth(truth.value),
        ast::Value::NullKeyword(_) => Value::Nothing,
        ast::Value::Array(list) => Value::List(list.elements.iter().map(json_node).collect()),
        ast::Value::Object(object) => Value::Table(object.properties.iter().map(json_field).collect()),
    };
    Node { value: read, place: range.start..range.end }
}

fn json_field(field: &ast::ObjectProp<'_>) -> Field {
    let range = field.name.range();
    Field {
        name: field.name.as_str().to_string(),
        place: range.start..range.end,
        node: json_node(&field.value),
    }
}

fn toml(text: &str) -> Result<Node, Problem> {
    let document = Document::parse(text).map_err(|error| {
        let place = error.span().unwrap_or(0..0);
        let message = error.message().lines().next().unwrap_or_default().to_string();
        Problem::new(place, format!("this is no TOML: {}", lowercase(&message)))
    })?;
    let table = document.as_table();
    Ok(Node { value: toml_table(table), place: 0..text.len().min(1) })
}

fn toml_table(table: &dyn TableLike) -> Value {
    let field = |(name, item): (&str, &Item)| {
        let place = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span());
        Field { name: name.to_string(), place: place.unwrap_or(0..0), node: toml_node(item) }
    };
    Value::Table(table.iter().map(field).collect())
}

fn toml_node(item: &Item) -> Node {
    let place = item.span().unwrap_or(0..0);
    let value = match item {
        Item::None => Value::Nothing,
        Item::Value(value) => toml_value(value),
        Item::Table(table) => toml_table(table),
        Item::ArrayOfTables(tables) => {
            let node = |table: &Table| Node { value: toml_table(table), place: table.span().unwrap_or(0..0) };
            Value::List(tables.iter().map(node).collect())
        }
    };
    Node { value, place }
}

fn toml_value(value: &toml_edit::Value) -> Value {
    match value {
        toml_edit::Value::String(text) => Value::Text(text.value().clone()),
        toml_edit::Value::Boolean(truth) => Value::Truth(*truth.value()),
        toml_edit::Value::Integer(number) => Value::Number(number.value().to_string()),
        toml_edit::Value::Float(number) => Value::Number(number.value().to_string()),
        toml_edit::Value::Datetime(time) => Value::Number(time.value().to_string()),
        toml_edit::Value::Array(list) => {
            let node = |value: &toml_edit::Value| Node {
                value: toml_value(value),
                place: value.span().unwrap_or(0..0),
            };
            Value::List(list.iter().map(node).collect())
        }
        toml_edit::Value::InlineTable(table) => toml_table(table),
    }
}

fn lowercase(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
