//! Statements in bodies, and ghost arguments at calls.

use super::{ParseResult, Parser};
use crate::spec::ast::{Expr, Statement, StatementKind};
use crate::spec::diagnostic::Diagnostic;

/// The keywords of statements that are for proofs only.
const PROOF_ONLY: [&str; 16] = [
    "unfold",
    "split_case",
    "focus",
    "extract",
    "instantiate",
    "pack",
    "unpack",
    "to_bytes",
    "from_bytes",
    "cn_have",
    "have",
    "cn_print",
    "print",
    "inline",
    "cn_ghost",
    "derive_constraints",
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

    fn statement(&mut self) -> ParseResult<Statement> {
        let start = self.span();
        let kind = self.statement_kind()?;
        let span = start.to(self.last());
        self.end_of_clause()?;
        Ok(Statement { kind, span })
    }

    fn statement_kind(&mut self) -> ParseResult<StatementKind> {
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
        if PROOF_ONLY.iter().any(|word| self.is_word(word)) {
            self.bump();
            self.skip_statement();
            return Ok(StatementKind::ProofOnly);
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

    /// Skips what follows the keyword, whatever it names: nothing of it is run.
    fn skip_statement(&mut self) {
        while !self.is_end() && !self.is_sign(";") {
            self.bump();
        }
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
                let _: ParseResult<()> = self.expected("`,`");
                return arguments;
            }
        }
        arguments
    }
}
