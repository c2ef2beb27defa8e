//! Statements in bodies, and ghost arguments at calls.

use super::{Parsed, Parser};
use crate::spec::ast::{Expr, Statement, StatementKind};
use crate::spec::diagnostic::Diagnostic;

/// What follows the keyword of a statement that is for proofs only.
#[derive(Clone, Copy)]
enum Shape {
    /// `name(…)`
    Call,
    /// `RW<T>(p)`, `Name(…)`
    Resource,
    /// `RW<T>, e`, or `e`
    Extract,
    /// `f, e`, `good<T>, e`, or `e`
    Instantiate,
    /// `e`, or `each (T i; guard) { e }`
    Assertion,
    /// `f, g`
    Names,
}

const PROOF_ONLY: [(&str, Shape); 15] = [
    ("unfold", Shape::Call),
    ("split_case", Shape::Assertion),
    ("focus", Shape::Extract),
    ("extract", Shape::Extract),
    ("instantiate", Shape::Instantiate),
    ("pack", Shape::Resource),
    ("unpack", Shape::Resource),
    ("to_bytes", Shape::Resource),
    ("from_bytes", Shape::Resource),
    ("cn_have", Shape::Assertion),
    ("have", Shape::Assertion),
    ("cn_print", Shape::Assertion),
    ("print", Shape::Assertion),
    ("inline", Shape::Names),
    ("cn_ghost", Shape::Names),
];

impl Parser<'_> {
    /// All statements of a comment.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.is_end() {
            let start = self.at;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => {
                    self.recover_from(start);
                    if self.at == start || self.is_sign("}") {
                        self.bump();
                    }
                }
            }
        }
        statements
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = self.statement_kind()?;
        let span = start.to(self.last());
        self.end_of_clause()?;
        Ok(Statement { kind, span })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        if self.is_word("assert") {
            self.bump();
            self.expect("(")?;
            let kind = self.assertion(
                |index, body| StatementKind::AssertEach(Box::new(index), body),
                StatementKind::Assert,
            )?;
            self.expect(")")?;
            return Ok(kind);
        }
        if self.eat_word("apply") {
            let name = self.name("the name of a lemma")?;
            self.expect("(")?;
            return Ok(StatementKind::Apply(name, self.list(")", Self::expression)?));
        }
        if let Some((word, shape)) = PROOF_ONLY.iter().find(|(word, _)| self.is_word(word)) {
            self.bump();
            self.proof_only(*shape)?;
            return Ok(StatementKind::ProofOnly(word));
        }
        let message = format!("expected a statement, found {}", self.found());
        let diagnostic = if self.is_one_of(&["requires", "ensures"]) {
            Diagnostic::error(self.span(), message)
                .help("a contract stands between a function's header and its body, or first in its body")
        } else if self.is_word("inv") {
            Diagnostic::error(self.span(), message).help("`inv` stands between a loop's head and its body")
        } else {
            Diagnostic::error(self.span(), message)
                .help("statements are `assert(…)`, `apply lemma(…)` and those for proofs")
        };
        self.fail(diagnostic)
    }

    /// Reads what follows the keyword; nothing of it is kept, for nothing of it is run.
    fn proof_only(&mut self, shape: Shape) -> Parsed<()> {
        match shape {
            Shape::Call => {
                self.name("the name of a function")?;
                self.expect("(")?;
                self.list(")", Self::expression)?;
            }
            Shape::Resource => {
                self.resource_call()?;
            }
            Shape::Extract => {
                let is_resource =
                    self.is_one_of(&["RW", "W", "Owned", "Block"]) || self.is_sign_ahead(1, ",");
                if is_resource {
                    self.resource_name()?;
                    self.expect(",")?;
                }
                self.expression()?;
            }
            Shape::Instantiate => {
                if self.is_word("good") && self.is_sign_ahead(1, "<") {
                    self.bump();
                    self.c_type_in_angles()?;
                    self.expect(",")?;
                } else if self.word().is_some() && self.is_sign_ahead(1, ",") {
                    self.bump();
                    self.bump();
                }
                self.expression()?;
            }
            Shape::Assertion => self.assertion(|_, _| (), |_| ())?,
            Shape::Names => {
                while self.word().is_some() {
                    self.bump();
                    if !self.eat(",") {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// `e, …` at a call.
    pub(super) fn ghost_arguments(&mut self) -> Vec<Expr> {
        let mut arguments = Vec::new();
        while !self.is_end() {
            match self.expression() {
                Ok(argument) => arguments.push(argument),
                Err(_) => return arguments,
            }
            if !self.eat(",") && !self.is_end() {
                let _: Parsed<()> = self.expected("`,`");
                return arguments;
            }
        }
        arguments
    }
}
