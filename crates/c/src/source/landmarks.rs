//! Keeps statements of a branch apart for coverage: edits of an expanded file.
//!
//! A branch that does nothing but `return 0;` or `r = 2;` is no block to an optimising compiler: it becomes a
//! constant of the block where the branches meet, and nothing tells which of them was taken. An empty piece of
//! assembly at the beginning of a branch stays where it is, and so has a block with a hook. It is no instruction.

use tree_sitter::{Node, Tree};

use super::rewrite::Edit;

const LANDMARK: &str = "__asm__ volatile (\"\");";

/// Finds what to insert: a landmark before each statement at which a branch begins or branches meet.
pub(super) fn landmarks(tree: &Tree) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut cursor = tree.walk();
    // Without recursion: nesting is the user's choice. The nodes above, each with the kind of its child before
    // this one.
    let mut above: Vec<(Node<'_>, Option<&str>)> = Vec::new();
    loop {
        let node = cursor.node();
        let grandparent = above.len().checked_sub(2).map(|k| above[k].0.kind());
        if let Some((parent, before)) = above.last_mut() {
            // A function has a hook where it begins, and nothing leads to what comes before the first `case`.
            let is_first =
                before.is_none() && matches!(grandparent, Some("function_definition" | "switch_statement"));
            if is_simple(node.kind()) && !node.has_error() && !is_first {
                mark(node, parent.kind(), *before, &mut edits);
            }
            if node.is_named() && node.kind() != "comment" {
                *before = Some(node.kind());
            }
        }
        if cursor.goto_first_child() {
            above.push((node, None));
            continue;
        }
        while !cursor.goto_next_sibling() {
            above.pop();
            if !cursor.goto_parent() {
                return edits;
            }
        }
    }
}

/// Whether a statement has no others in it.
fn is_simple(kind: &str) -> bool {
    matches!(kind, "declaration" | "expression_statement")
        || matches!(kind, "return_statement" | "break_statement" | "continue_statement" | "goto_statement")
}

fn mark(node: Node<'_>, parent: &str, before: Option<&str>, edits: &mut Vec<Edit>) {
    // Straight on from a simple statement there is one block.
    let is_straight = before.is_some_and(is_simple);
    match parent {
        "compound_statement" if !is_straight => {
            edits.push(Edit { at: node.start_byte(), text: LANDMARK.to_string() });
        }
        // Where only one statement can stand. Of a `for`, the first part may be a declaration.
        "case_statement" if is_straight => {}
        "if_statement" | "else_clause" | "while_statement" | "for_statement" | "do_statement"
        | "labeled_statement" | "case_statement"
            if node.kind() != "declaration" =>
        {
            edits.push(Edit { at: node.start_byte(), text: format!("{{ {LANDMARK} ") });
            edits.push(Edit { at: node.end_byte(), text: " }".to_string() });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::structure::Patience;
    use crate::source::syntax::parse;

    fn marked(code: &str) -> String {
        let tree = parse(code.as_bytes(), Patience::WithErrors).expect("it is short");
        let mut edits = landmarks(&tree);
        edits.sort_by_key(|edit| std::cmp::Reverse(edit.at));
        let mut text = code.to_string();
        edits.iter().for_each(|edit| text.insert_str(edit.at, &edit.text.replace(LANDMARK, "#")));
        text
    }

    #[test]
    fn a_landmark_stands_where_a_branch_begins_and_where_branches_meet() {
        let cases = [
            ("void f(int a) { g(); h(); }", "void f(int a) { g(); h(); }"),
            (
                "int f(int a) { if (a) return 0; return 1; }",
                "int f(int a) { if (a) { # return 0; } #return 1; }",
            ),
            (
                "int f(int a) { int r; if (a) r = 1; else r = 2; return r; }",
                "int f(int a) { int r; if (a) { # r = 1; } else { # r = 2; } #return r; }",
            ),
            (
                "void f(int a) { for (int k = 0;;) g(); while (a) { g(); h(); } }",
                "void f(int a) { for (int k = 0;;) { # g(); } while (a) { #g(); h(); } }",
            ),
            (
                "void f(int a) { switch (a) { case 1: g(); h(); break; case 2: case 3: g(); } }",
                "void f(int a) { switch (a) { case 1: { # g(); } h(); break; case 2: case 3: { # g(); } } }",
            ),
            (
                "void f(int a) { if (a) goto out; g(); out: h(); }",
                "void f(int a) { if (a) { # goto out; } #g(); out: { # h(); } }",
            ),
            (
                "int f(int a) { return ({ if (a) g(); a + 1; }); }",
                "int f(int a) { return ({ if (a) { # g(); } #a + 1; }); }",
            ),
            ("int a = 1; struct s { int b; }; int f(void);", "int a = 1; struct s { int b; }; int f(void);"),
        ];
        for (code, expected) in cases {
            assert_eq!(marked(code), expected);
        }
    }
}
