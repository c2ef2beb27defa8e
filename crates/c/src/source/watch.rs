//! What the compiler's instrumentation does not announce: edits of an expanded file that make it do so.
//!
//! Makes text to insert from the parser's tree of a file. Structs that a call returns into memory, or that
//! are passed by value straight from memory, go through a variable of their own, so that the copy is
//! announced. Beside each local variable that a pointer may run over stands a second one of its kind, a
//! fence, which the runtime watches (`runtime/fences.c`). Lines stay lines. It does not know specs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::rewrite::Edit;
use super::syntax::{array_size, declared};

/// What a rewritten file calls, declared.
pub(super) const DECLARATIONS: &str = "extern void *stairway_fence(void *, unsigned long, void *, unsigned long, const char *); \
     extern void *stairway_fence_unset(void *, unsigned long, void *, unsigned long, const char *); \
     extern void stairway_unfence(const volatile void *); extern void stairway_unfence_below(const volatile void *); \
     extern unsigned long stairway_sized(unsigned long); extern void *stairway_fenced(void *); extern volatile unsigned long stairway_width;";

/// Arrays with more elements than this get no fence: it would need as much of the stack again.
const MOST_ELEMENTS: u64 = 4096;

/// Finds what to insert; `text` is the file, `plain` what was parsed, place for place.
pub(super) fn watch(tree: &Tree, plain: &[u8], text: &[u8]) -> Vec<Edit> {
    let mut watch =
        Watch { plain, text, declared: FileDeclarations::default(), edits: Vec::new(), n_fences: 0 };
    let mut functions = Vec::new();
    let mut cursor = tree.walk();
    for node in tree.root_node().named_children(&mut cursor) {
        watch.declared.add(node, plain);
        if node.kind() == "function_definition" {
            functions.push(node);
        }
    }
    for function in functions {
        watch.function(function);
    }
    watch.edits
}

/// What the file says about types and functions.
#[derive(Default)]
struct FileDeclarations<'p> {
    /// Names for structs and unions.
    records: BTreeSet<&'p [u8]>,
    functions: BTreeMap<&'p [u8], Signature>,
}

/// Which values of a function are structs or unions.
#[derive(Clone, Debug, Default)]
struct Signature {
    returns: bool,
    parameters: Vec<bool>,
}

impl<'p> FileDeclarations<'p> {
    fn add(&mut self, node: Node<'_>, plain: &'p [u8]) {
        let is_record = self.is_record(node, plain);
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            match node.kind() {
                "type_definition" if is_record && declarator.kind() == "type_identifier" => {
                    self.records.insert(&plain[declarator.byte_range()]);
                }
                "function_definition" | "declaration" if declarator.kind() == "function_declarator" => {
                    let Some(found) = declared(declarator).filter(|found| found.is_function) else {
                        continue;
                    };
                    let parameters = found.parameters.map(|list| self.parameters(list, plain));
                    let signature =
                        Signature { returns: is_record, parameters: parameters.unwrap_or_default() };
                    self.functions.insert(&plain[found.name], signature);
                }
                _ => {}
            }
        }
    }

    fn parameters(&self, list: Node<'_>, plain: &[u8]) -> Vec<bool> {
        let mut cursor = list.walk();
        let is_by_value = |parameter: Node<'_>| {
            let declarator = parameter.child_by_field_name("declarator");
            let is_plain = declarator.is_none_or(|declarator| declarator.kind() == "identifier");
            is_plain && self.is_record(parameter, plain)
        };
        list.named_children(&mut cursor).map(is_by_value).collect()
    }

    /// Whether the type at the beginning of a declaration is a struct or union.
    fn is_record(&self, node: Node<'_>, plain: &[u8]) -> bool {
        node.child_by_field_name("type").is_some_and(|ty| match ty.kind() {
            "struct_specifier" | "union_specifier" => true,
            "type_identifier" => self.records.contains(&plain[ty.byte_range()]),
            _ => false,
        })
    }

    fn called(&self, call: Node<'_>, plain: &[u8]) -> Option<&Signature> {
        let function = call.child_by_field_name("function").filter(|node| node.kind() == "identifier")?;
        self.functions.get(&plain[function.byte_range()])
    }
}

struct Watch<'p> {
    plain: &'p [u8],
    text: &'p [u8],
    declared: FileDeclarations<'p>,
    edits: Vec<Edit>,
    n_fences: usize,
}

/// What there is in a function.
#[derive(Default)]
struct Body<'t, 'p> {
    /// Declarations among statements.
    declarations: Vec<Node<'t>>,
    /// Names behind `&`.
    addressed: BTreeSet<&'p [u8]>,
    /// Parameters and variables: an array's size that names one is known only when it runs.
    names: BTreeSet<&'p [u8]>,
    has_alloca: bool,
}

impl<'p> Watch<'p> {
    fn function(&mut self, node: Node<'_>) {
        let Some(block) = node.child_by_field_name("body").filter(|block| !block.has_error()) else { return };
        let mut body = Body::default();
        let parameters = node.child_by_field_name("declarator").and_then(declared);
        if let Some(list) = parameters.and_then(|found| found.parameters) {
            let mut cursor = list.walk();
            let named = list.named_children(&mut cursor).filter_map(|p| p.child_by_field_name("declarator"));
            body.names.extend(named.filter_map(declared).map(|found| &self.plain[found.name]));
        }
        // Without recursion: nesting is the user's choice.
        let mut cursor = block.walk();
        // Which nodes above this one are blocks: `Node::parent` looks for the node from the root of the file.
        let mut are_blocks = vec![false];
        loop {
            let node = cursor.node();
            self.look(node, are_blocks.last() == Some(&true), &mut body);
            if cursor.goto_first_child() {
                are_blocks.push(node.kind() == "compound_statement");
                continue;
            }
            while !cursor.goto_next_sibling() {
                are_blocks.pop();
                if !cursor.goto_parent() {
                    self.fence(&body, block);
                    return;
                }
            }
        }
    }

    fn look<'t>(&mut self, node: Node<'t>, is_in_block: bool, body: &mut Body<'t, 'p>) {
        match node.kind() {
            "declaration" => {
                let mut cursor = node.walk();
                let names = node.children_by_field_name("declarator", &mut cursor).filter_map(declared);
                body.names.extend(names.map(|found| &self.plain[found.name]));
                if is_in_block {
                    body.declarations.push(node);
                }
            }
            "pointer_expression" if self.plain[node.start_byte()] == b'&' => {
                body.addressed.extend(self.variable_of(node));
            }
            "assignment_expression" => self.assignment(node),
            "call_expression" => self.call(node, body),
            _ => {}
        }
    }

    /// The variable whose address, or the address of a part of which, is taken.
    fn variable_of(&self, address: Node<'_>) -> Option<&'p [u8]> {
        let mut node = address.child_by_field_name("argument")?;
        loop {
            node = match node.kind() {
                "identifier" => return Some(&self.plain[node.byte_range()]),
                "parenthesized_expression" => node.named_child(0)?,
                "subscript_expression" => node.child_by_field_name("argument")?,
                "field_expression"
                    if node.child_by_field_name("operator").is_some_and(|op| op.kind() == ".") =>
                {
                    node.child_by_field_name("argument")?
                }
                _ => return None,
            };
        }
    }

    fn through_variable(&mut self, range: Range<usize>) {
        let before = "__extension__({ __auto_type stairway_v = (";
        self.edits.push(Edit { at: range.start, text: before.to_string() });
        self.edits.push(Edit { at: range.end, text: "); stairway_v; })".to_string() });
    }

    /// `*p = f()`: the compiler has `f` write there, and says nothing.
    fn assignment(&mut self, node: Node<'_>) {
        let is_plain = node.child_by_field_name("operator").is_some_and(|operator| operator.kind() == "=");
        if let Some(right) = node.child_by_field_name("right").filter(|right| is_plain && !right.has_error())
            && self.is_returned_record(right)
        {
            self.through_variable(right.byte_range());
        }
    }

    /// Whether the value of an expression is a struct that a call returns.
    fn is_returned_record(&self, node: Node<'_>) -> bool {
        let mut left = vec![node];
        while let Some(node) = left.pop() {
            match node.kind() {
                "call_expression" if self.declared.called(node, self.plain).is_some_and(|f| f.returns) => {
                    return true;
                }
                "parenthesized_expression" => left.extend(node.named_child(0)),
                "comma_expression" => left.extend(node.child_by_field_name("right")),
                "conditional_expression" => {
                    let branches = ["consequence", "alternative"].map(|name| node.child_by_field_name(name));
                    left.extend(branches.into_iter().flatten());
                }
                _ => {}
            }
        }
        false
    }

    /// `f(*p)`: likewise.
    fn call(&mut self, node: Node<'_>, body: &mut Body<'_, 'p>) {
        let Some(arguments) = node.child_by_field_name("arguments").filter(|list| !list.has_error()) else {
            return;
        };
        let mut cursor = arguments.walk();
        let arguments: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        let function = node.child_by_field_name("function").map(|node| &self.plain[node.byte_range()]);
        if let (Some(b"alloca" | b"__builtin_alloca"), [size]) = (function, &*arguments) {
            body.has_alloca = true;
            // `alloca(n)` becomes `stairway_fenced(alloca(stairway_sized(n)))`: the first says more, the
            // second takes it off.
            self.edits.push(Edit { at: node.start_byte(), text: "stairway_fenced(".to_string() });
            self.edits.push(Edit { at: size.start_byte(), text: "stairway_sized(".to_string() });
            self.edits.push(Edit { at: size.end_byte(), text: ")".to_string() });
            self.edits.push(Edit { at: node.end_byte(), text: ")".to_string() });
            return;
        }
        let Some(signature) = self.declared.called(node, self.plain) else { return };
        let from_memory = |node: &Node<'_>| {
            matches!(
                node.kind(),
                "identifier"
                    | "pointer_expression"
                    | "field_expression"
                    | "subscript_expression"
                    | "parenthesized_expression"
                    | "conditional_expression"
            )
        };
        let by_value = arguments.iter().zip(&signature.parameters).filter(|(_, is_record)| **is_record);
        let ranges: Vec<Range<usize>> =
            by_value.map(|(node, _)| *node).filter(from_memory).map(|node| node.byte_range()).collect();
        ranges.into_iter().for_each(|range| self.through_variable(range));
    }

    fn fence(&mut self, body: &Body<'_, 'p>, block: Node<'_>) {
        if body.has_alloca {
            let text =
                "char stairway_a __attribute__((cleanup(stairway_unfence_below), unused));".to_string();
            self.edits.push(Edit { at: block.start_byte() + 1, text });
        }
        for declaration in &body.declarations {
            self.fence_variables(*declaration, body);
        }
    }

    fn fence_variables(&mut self, declaration: Node<'_>, body: &Body<'_, 'p>) {
        let mut cursor = declaration.walk();
        let is_static =
            declaration.named_children(&mut cursor).any(|child| child.kind() == "storage_class_specifier");
        if is_static || declaration.has_error() {
            return;
        }
        let declarators: Vec<Node<'_>> =
            declaration.children_by_field_name("declarator", &mut cursor).collect();
        let mut behind = String::new();
        for (place, whole) in declarators.iter().enumerate() {
            let declarator =
                whole.child_by_field_name("declarator").filter(|_| whole.kind() == "init_declarator");
            let declarator = declarator.unwrap_or(*whole);
            let Some(found) = declared(declarator).filter(|found| !found.is_function) else { continue };
            let name = &self.plain[found.name.clone()];
            let size = array_size(declarator);
            if (size.is_none() && !body.addressed.contains(name)) || self.is_large(size.flatten()) {
                continue;
            }
            self.n_fences += 1;
            let k = self.n_fences;
            let spelled = String::from_utf8_lossy(&self.text[found.name.clone()]).into_owned();
            if self.is_known_when_it_runs(size.flatten(), body) {
                let text = format!(
                    "char stairway_b{k}[stairway_width] {CLEANUP}; void *stairway_g{k} __attribute__((unused)) = \
                     stairway_fence(stairway_b{k}, sizeof stairway_b{k}, 0, 0, 0);"
                );
                self.edits.push(Edit { at: declaration.start_byte(), text });
            }
            // Variables of one size lie in the order of their declarations: each next to its own fence.
            match self.copied(declarator, &found.name, k).filter(|_| declarators.len() > 1) {
                Some(text) => self.edits.push(Edit { at: whole.end_byte(), text }),
                None => behind.push_str(&format!(" __typeof__({spelled}) stairway_z{k} {CLEANUP};")),
            }
            // `T *p, *q = f(&p);`: the fence stands behind all of them, where `p` has its value already.
            let is_set =
                whole.kind() == "init_declarator" || self.is_mentioned(name, &declarators[place + 1..]);
            let fence = if is_set { "stairway_fence" } else { "stairway_fence_unset" };
            behind.push_str(&format!(
                " void *stairway_f{k} __attribute__((unused)) = {fence}((void *)&stairway_z{k}, \
                 sizeof stairway_z{k}, (void *)&{spelled}, sizeof {spelled}, \"{spelled}\");"
            ));
        }
        if !behind.is_empty() {
            self.edits.push(Edit { at: declaration.end_byte(), text: behind });
        }
    }

    /// Whether one of these declarators mentions a name in what it is set to, or in its size.
    fn is_mentioned(&self, name: &[u8], declarators: &[Node<'_>]) -> bool {
        declarators.iter().flat_map(|node| self.words(*node)).any(|word| word == name)
    }

    /// The names, keywords and numbers in a piece of source.
    fn words(&self, node: Node<'_>) -> impl Iterator<Item = &'p [u8]> {
        self.plain[node.byte_range()].split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')
    }

    /// The declarator once more, for a fence; `None` if that would not mean the same.
    fn copied(&self, declarator: Node<'_>, name: &Range<usize>, k: usize) -> Option<String> {
        let range = declarator.byte_range();
        let text = |range: Range<usize>| String::from_utf8_lossy(&self.text[range]).replace('\n', " ");
        let (before, after) = (text(range.start..name.start), text(name.end..range.end));
        let is_same_again = !after.contains("[]") && !after.contains(['(', '=', '+', '-', '#', '"']);
        is_same_again.then(|| format!(", {before}stairway_z{k}{after} {CLEANUP}"))
    }

    fn is_large(&self, size: Option<Node<'_>>) -> bool {
        let text = size.map(|size| String::from_utf8_lossy(&self.text[size.byte_range()]).into_owned());
        let digits = text.as_deref().map(|text| text.trim_end_matches(['u', 'U', 'l', 'L']));
        digits.and_then(|digits| digits.parse::<u64>().ok()).is_some_and(|n| n > MOST_ELEMENTS)
    }

    fn is_known_when_it_runs(&self, size: Option<Node<'_>>, body: &Body<'_, 'p>) -> bool {
        size.is_some_and(|size| self.words(size).any(|word| body.names.contains(word)))
    }
}

const CLEANUP: &str = "__attribute__((cleanup(stairway_unfence)))";
