//! Single pieces of C syntax, read off the parser's tree.
//!
//! Receives plain C or nodes; hands on the tree, loop conditions and declared names. It does not know
//! specs, nor what surrounds a node.

use std::ops::{ControlFlow, Range};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

/// Where a loop decides whether to go on.
#[derive(Debug)]
pub(super) enum Condition {
    /// This expression.
    Expression(Range<usize>),
    /// Nothing stands here.
    Missing(usize),
    /// The loop could not be parsed.
    Unknown,
}

/// The parser gave up.
#[derive(Debug)]
pub(super) struct TooComplex;

/// How long to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Patience {
    /// Until a text that is not short turns out to have errors: on what is not C at all, finding the
    /// least bad reading takes very long.
    WithoutErrors,
    /// As long as a text of this size can need.
    WithErrors,
}

/// How many steps a text with errors may take before it is no longer short.
const SHORT: usize = 200;

pub(super) fn parse(plain: &[u8], patience: Patience) -> Result<Tree, TooComplex> {
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_c::LANGUAGE.into()).is_err() {
        return Err(TooComplex);
    }
    // Counted in steps, not in time: the same file always gives the same answer.
    let mut n_steps = 0;
    let n_most = 10_000 + plain.len();
    let mut progress = |state: &tree_sitter::ParseState| {
        n_steps += 1;
        let is_doubtful = patience == Patience::WithoutErrors && state.has_error() && n_steps > SHORT;
        if is_doubtful || n_steps > n_most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let mut read = |at: usize, _| plain.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut read, None, Some(options)).ok_or(TooComplex)
}

pub(super) fn condition(node: Node<'_>) -> Condition {
    if node.kind() != "for_statement" {
        let parentheses = node.child_by_field_name("condition");
        return match parentheses.filter(|node| node.kind() == "parenthesized_expression" && !node.has_error())
        {
            Some(node) => Condition::Expression(node.start_byte() + 1..node.end_byte() - 1),
            None => Condition::Unknown,
        };
    }
    // What counts is what stands between the semicolons; a declaration brings the first one itself.
    let initial = node.child_by_field_name("initializer").filter(|node| node.kind() == "declaration");
    let mut cursor = node.walk();
    let mut semicolons =
        node.children(&mut cursor).filter(|child| child.kind() == ";" && !child.is_missing());
    let start = initial.or_else(|| semicolons.next()).map(|node| node.end_byte());
    let end = semicolons.next().map(|node| node.start_byte());
    match (start, end) {
        (Some(start), Some(end)) if node.child_by_field_name("condition").is_some() => {
            Condition::Expression(start..end)
        }
        (Some(_), Some(end)) => Condition::Missing(end),
        _ => Condition::Unknown,
    }
}

/// What a declarator declares.
pub(super) struct Declared<'t> {
    pub(super) name: Range<usize>,
    pub(super) is_function: bool,
    pub(super) parameters: Option<Node<'t>>,
}

/// Follows a declarator to its name; what stands nearest to the name says what it is.
pub(super) fn declared(declarator: Node<'_>) -> Option<Declared<'_>> {
    let mut node = declarator;
    let mut is_function = false;
    let mut parameters = None;
    loop {
        match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" => {
                return Some(Declared { name: node.byte_range(), is_function, parameters });
            }
            "function_declarator" => {
                is_function = true;
                parameters = node.child_by_field_name("parameters");
            }
            "pointer_declarator" | "array_declarator" => is_function = false,
            _ => {}
        }
        node = node.child_by_field_name("declarator").or_else(|| {
            let is_wrapper = matches!(node.kind(), "parenthesized_declarator" | "attributed_declarator");
            is_wrapper.then(|| node.named_child(0)).flatten()
        })?;
    }
}

/// The name, if a declaration declares a function and nothing else.
pub(super) fn prototype(declaration: Node<'_>) -> Option<Range<usize>> {
    let mut cursor = declaration.walk();
    let mut declarators = declaration.children_by_field_name("declarator", &mut cursor);
    let only = declarators.next().and_then(declared).filter(|declared| declared.is_function)?;
    declarators.next().is_none().then_some(only.name)
}

/// For an array, its outermost size if that is written down.
pub(super) fn array_size(declarator: Node<'_>) -> Option<Option<Node<'_>>> {
    let mut node = declarator;
    let mut size = None;
    loop {
        match node.kind() {
            "array_declarator" => size = Some(node.child_by_field_name("size")),
            "pointer_declarator" | "function_declarator" => size = None,
            "identifier" => return size,
            _ => {}
        }
        node = node.child_by_field_name("declarator").or_else(|| node.named_child(0))?;
    }
}
