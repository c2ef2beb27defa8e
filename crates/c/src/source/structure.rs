//! Functions, loops and scopes of a file, and what surrounds given places in it.
//!
//! Finds functions with their variables, loops with their conditions, and a [`Spot`] for each place in plain
//! C ([`super::clean`]). It knows the grammar, not the spec language.

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::rewrite::Edit;
pub(super) use super::syntax::{Condition, Patience, TooComplex};
use super::syntax::{array_size, condition, declared, parse, prototype};
use super::{landmarks, watch};

/// What a file consists of.
#[derive(Debug, Default)]
pub(super) struct Structure {
    pub(super) functions: Vec<FunctionShape>,
    pub(super) loops: Vec<LoopShape>,
    /// One for each place asked for.
    pub(super) spots: Vec<Spot>,
    /// What to insert so that the runtime sees more.
    pub(super) watched: Vec<Edit>,
}

/// A function that is defined.
#[derive(Debug)]
pub(super) struct FunctionShape {
    pub(super) name: Range<usize>,
    /// From its first word to the end of its parameters.
    pub(super) header: Range<usize>,
    /// From `{` to `}`.
    pub(super) body: Range<usize>,
    /// Parameters and variables, in order.
    pub(super) locals: Vec<LocalShape>,
    /// For each parameter that is declared as an array, its size.
    pub(super) extents: Vec<Option<Range<usize>>>,
}

/// A parameter or variable.
#[derive(Clone, Debug)]
pub(super) struct LocalShape {
    pub(super) name: Range<usize>,
    /// Where it can be named.
    pub(super) visible: Range<usize>,
    /// Its whole declaration.
    pub(super) declaration: Range<usize>,
}

/// A loop.
#[derive(Debug)]
pub(super) struct LoopShape {
    pub(super) start: usize,
    pub(super) condition: Condition,
}

/// What surrounds a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// Outside of everything; if it follows a prototype, the name declared.
    TopLevel { prototype: Option<Range<usize>> },
    /// Between a function's header and body.
    Header { function: usize },
    /// Between a prototype's parameters and its semicolon.
    Prototype { name: Range<usize> },
    /// Among the statements of a function; `first` if nothing precedes it in this block.
    Block { function: usize, after: usize, first: Option<FirstStatement> },
    /// Before the statement that a condition or label governs.
    Governed { function: usize, statement: Range<usize> },
    /// Between a loop's header and body.
    LoopHeader { function: usize, of: usize, statement: Range<usize> },
    /// Behind a `do` loop's body.
    LoopEnd { function: usize, of: usize },
    /// Among the arguments of a call.
    Arguments { function: usize, callee: Range<usize>, open: usize },
    /// Where no spec belongs.
    Elsewhere,
    /// In a part that could not be parsed.
    Broken,
}

/// Whose first statement a place precedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FirstStatement {
    Function,
    Loop(usize),
}

/// Parses plain C and looks up places, which are in ascending order; `text` is the C that was made plain.
pub(super) fn structure(
    plain: &[u8],
    text: &[u8],
    places: &[usize],
    patience: Patience,
) -> Result<Structure, TooComplex> {
    let tree = parse(plain, patience)?;
    let mut walk = Walk { places, structure: Structure::default(), stack: Vec::new() };
    walk.run(&tree);
    // A landmark stands before whatever else is inserted at its place.
    let watched = landmarks::landmarks(&tree).into_iter().chain(watch::watch(&tree, plain, text)).collect();
    Ok(Structure { watched, ..walk.structure })
}

/// A node on the way from the root, and what is known there.
#[derive(Clone, Copy)]
struct Frame<'t> {
    node: Node<'t>,
    /// The last child passed.
    previous: Option<Node<'t>>,
    function: Option<usize>,
    scope_end: usize,
    /// The loop, if the node is one.
    loop_number: Option<usize>,
    is_broken: bool,
}

struct Walk<'t, 'p> {
    /// Places not yet passed.
    places: &'p [usize],
    structure: Structure,
    stack: Vec<Frame<'t>>,
}

impl<'t> Walk<'t, '_> {
    /// Goes through the tree once, without recursion: nesting is the user's choice.
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        self.enter(cursor.node());
        while !self.stack.is_empty() {
            if cursor.goto_first_child() {
                self.enter(cursor.node());
                continue;
            }
            while self.leave() {
                if cursor.goto_next_sibling() {
                    self.enter(cursor.node());
                    break;
                }
                cursor.goto_parent();
            }
        }
        let rest = self.places.len();
        let spots = &mut self.structure.spots;
        spots.extend(std::iter::repeat_n(Spot::TopLevel { prototype: None }, rest));
    }

    fn enter(&mut self, node: Node<'t>) {
        let above = self.stack.last().copied();
        if let Some(above) = above {
            self.pass(node.start_byte(), above, Some(node));
        }
        let mut frame = Frame {
            node,
            previous: None,
            function: above.and_then(|frame| frame.function),
            scope_end: above.map_or(node.end_byte(), |frame| frame.scope_end),
            loop_number: None,
            is_broken: node.is_error(),
        };
        let kind = if node.is_named() { node.kind() } else { "" };
        match kind {
            "function_definition" => {
                frame.scope_end = node.end_byte();
                frame.function = self.function(node).or(frame.function);
            }
            "compound_statement" => frame.scope_end = node.end_byte(),
            "for_statement" | "while_statement" | "do_statement" => {
                frame.scope_end = node.end_byte();
                let condition = condition(node);
                self.structure.loops.push(LoopShape { start: node.start_byte(), condition });
                frame.loop_number = Some(self.structure.loops.len() - 1);
            }
            "declaration" => {
                if let Some(function) = frame.function {
                    self.locals(node, function, frame.scope_end);
                }
            }
            _ => {}
        }
        self.stack.push(frame);
    }

    /// Leaves the node at the top; whether there is one above.
    fn leave(&mut self) -> bool {
        let Some(frame) = self.stack.last().copied() else { return false };
        // The root may end before the text does; what follows it is still its own.
        let end = if self.stack.len() == 1 { usize::MAX } else { frame.node.end_byte() };
        self.pass(end, frame, None);
        self.stack.pop();
        if let Some(above) = self.stack.last_mut() {
            above.previous = Some(frame.node);
        }
        !self.stack.is_empty()
    }

    /// The places before `end` not yet passed lie directly in the frame at the top.
    fn pass(&mut self, end: usize, frame: Frame<'t>, next: Option<Node<'t>>) {
        while let Some((place, rest)) = self.places.split_first()
            && *place < end
        {
            let spot = self.spot(frame, next);
            self.structure.spots.push(spot);
            self.places = rest;
        }
    }

    fn spot(&self, frame: Frame<'t>, next: Option<Node<'t>>) -> Spot {
        if frame.is_broken {
            return Spot::Broken;
        }
        let above = self.stack.len().checked_sub(2).map(|k| self.stack[k]);
        let node = frame.node;
        if let "translation_unit" | "declaration_list" | "linkage_specification" = node.kind() {
            let declaration = frame.previous.filter(|node| node.kind() == "declaration");
            return Spot::TopLevel { prototype: declaration.and_then(prototype) };
        }
        if node.kind() == "declaration"
            && next.is_some_and(|next| next.kind() == ";")
            && let Some(name) = prototype(node)
        {
            return Spot::Prototype { name };
        }
        let Some(function) = frame.function else {
            let in_error = self.stack.iter().any(|frame| frame.is_broken);
            let is_block = node.kind() == "compound_statement";
            return if in_error || is_block { Spot::Broken } else { Spot::Elsewhere };
        };
        self.spot_in(function, frame, above, next)
    }

    /// What surrounds a place inside a function's definition.
    fn spot_in(
        &self,
        function: usize,
        frame: Frame<'t>,
        above: Option<Frame<'t>>,
        next: Option<Node<'t>>,
    ) -> Spot {
        let node = frame.node;
        let after = frame.previous.map_or(node.start_byte(), |node| node.end_byte());
        let statement = next.filter(|next| next.kind().ends_with("statement")).map(|next| next.byte_range());
        match node.kind() {
            "function_definition" if next.is_some() && frame.previous.is_some() => Spot::Header { function },
            "compound_statement" => {
                let is_first = frame.previous.is_some_and(|node| node.kind() == "{");
                let first = above.filter(|_| is_first).and_then(|above| match above.node.kind() {
                    "function_definition" => Some(FirstStatement::Function),
                    _ => above.loop_number.map(FirstStatement::Loop),
                });
                Spot::Block { function, after, first }
            }
            "case_statement" if frame.previous.is_some_and(|node| is_end_of_label(node)) => {
                Spot::Block { function, after, first: None }
            }
            "for_statement" | "while_statement" | "do_statement" => {
                match (frame.loop_number, statement, frame.previous.map(|node| node.kind())) {
                    (Some(of), Some(statement), Some(")" | "do" | "parenthesized_expression")) => {
                        Spot::LoopHeader { function, of, statement }
                    }
                    (Some(of), None, Some(_)) if node.kind() == "do_statement" => {
                        Spot::LoopEnd { function, of }
                    }
                    _ => Spot::Elsewhere,
                }
            }
            "if_statement" | "else_clause" | "labeled_statement" => match statement {
                Some(statement) => Spot::Governed { function, statement },
                None => Spot::Elsewhere,
            },
            "argument_list" => {
                let callee = above.and_then(|above| above.node.child_by_field_name("function"));
                match callee {
                    Some(callee) => {
                        Spot::Arguments { function, callee: callee.byte_range(), open: node.start_byte() }
                    }
                    None => Spot::Elsewhere,
                }
            }
            _ => Spot::Elsewhere,
        }
    }

    fn function(&mut self, node: Node<'t>) -> Option<usize> {
        let declarator = node.child_by_field_name("declarator")?;
        let body = node.child_by_field_name("body")?;
        let declared = declared(declarator)?;
        let parameters = declared.parameters?;
        let mut locals = Vec::new();
        let mut extents = Vec::new();
        let mut cursor = parameters.walk();
        for parameter in parameters.named_children(&mut cursor) {
            let size = parameter.child_by_field_name("declarator").and_then(array_size).flatten();
            extents.push(size.map(|size| size.byte_range()));
            let named = parameter.child_by_field_name("declarator").and_then(super::syntax::declared);
            if let Some(named) = named {
                locals.push(LocalShape {
                    name: named.name,
                    visible: body.byte_range(),
                    declaration: parameter.byte_range(),
                });
            }
        }
        let header = node.start_byte()..declarator.end_byte();
        let body = body.byte_range();
        let shape = FunctionShape { name: declared.name, header, body, locals, extents };
        self.structure.functions.push(shape);
        Some(self.structure.functions.len() - 1)
    }

    fn locals(&mut self, node: Node<'t>, function: usize, scope_end: usize) {
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let Some(named) = declared(declarator).filter(|named| !named.is_function) else { continue };
            let visible = declarator.end_byte()..scope_end;
            let local = LocalShape { name: named.name, visible, declaration: node.byte_range() };
            self.structure.functions[function].locals.push(local);
        }
    }
}

/// Whether statements may follow: the colon of `case 1:`, or a statement behind it.
fn is_end_of_label(node: Node<'_>) -> bool {
    node.kind() == ":" || node.kind().ends_with("statement") || node.kind() == "declaration"
}
