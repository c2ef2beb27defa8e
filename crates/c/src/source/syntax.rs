//! Single pieces of C syntax, read off the parser's tree.
//!
//! Finds loop conditions and declared names in the tree of plain C. It does not know specs, nor what
//! surrounds a node.

use std::borrow::Cow;
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
    let plain = &*without_tables(plain);
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

/// From this length on, a list of numbers and names is left to the compiler.
const TABLE: usize = 1024;

/// The text with long lists of numbers and names emptied, everything in its place. Tables of data hold
/// nothing that is looked for, and parsing them takes longer than parsing all of the code.
fn without_tables(plain: &[u8]) -> Cow<'_, [u8]> {
    let mut text = Cow::Borrowed(plain);
    let mut at = 0;
    while let Some(start) = plain[at..].iter().position(|byte| *byte == b'=').map(|found| at + found + 1) {
        let list = start + plain[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let length = table(&plain[list..]);
        if length >= TABLE {
            let blank = |byte: &mut u8| *byte = if *byte == b'\n' { b'\n' } else { b' ' };
            text.to_mut()[list + 1..list + length - 1].iter_mut().for_each(blank);
        }
        at = list + length;
    }
    text
}

/// The length of a list of numbers and names, of such lists and so on, in braces; 0 if something else stands
/// here.
fn table(text: &[u8]) -> usize {
    let mut depth = 0usize;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return at + 1,
            b'}' if depth > 1 => depth -= 1,
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' if depth > 0 => {}
            b',' | b'-' | b'+' | b'|' | b'&' | b'.' | b' ' | b'\t' | b'\n' | b'\r' if depth > 0 => {}
            _ => return 0,
        }
    }
    0
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
pub(super) struct DeclaredName<'t> {
    pub(super) name: Range<usize>,
    pub(super) is_function: bool,
    pub(super) parameters: Option<Node<'t>>,
}

/// Follows a declarator to its name; what stands nearest to the name says what it is.
pub(super) fn declared(declarator: Node<'_>) -> Option<DeclaredName<'_>> {
    let mut node = declarator;
    let mut is_function = false;
    let mut parameters = None;
    loop {
        match node.kind() {
            "identifier" | "type_identifier" | "field_identifier" => {
                return Some(DeclaredName { name: node.byte_range(), is_function, parameters });
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tables_are_not_parsed_and_nothing_moves() {
        let table = "0x1f, -A_B, {3,\n 4.5},".repeat(100);
        let text =
            format!("int t[] = {{{table}}}; int f(void) {{ int u[] = {{1, 2}}; return u[0] == t[1]; }}");
        let short = without_tables(text.as_bytes());
        assert_eq!(short.len(), text.len());
        assert!(short.starts_with(b"int t[] = {   "));
        let end = text.find("};").unwrap();
        assert_eq!(&short[end..], &text.as_bytes()[end..]);
        assert_eq!(short.iter().filter(|byte| **byte == b'\n').count(), 100);
        assert!(!parse(text.as_bytes(), Patience::WithErrors).unwrap().root_node().has_error());
    }

    #[test]
    fn what_is_not_a_table_stays() {
        for text in ["int x = 1;", "a == {", "int *p[] = { &a, (b) };", "x =", "x = {1, 2", "s = {{1}, {2}};"]
        {
            assert_eq!(&*without_tables(text.as_bytes()), text.as_bytes(), "{text}");
        }
    }
}
