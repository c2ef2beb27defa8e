//! From tokens to the tree of what is written.
//!
//! Parses a spec comment, knowing what it belongs to, to a [`Comment`]. It reports what it cannot read, goes
//! on at the next `;`, `}` or keyword, and bounds how deep trees get. It does not know which names exist.

mod contracts;
mod definitions;
mod expressions;
mod notation;
mod statements;
mod types;

use super::ast::{Comment, Content, Expr, ExprKind, Name};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::lexer::{Token, TokenKind, tokens};
use super::position::{SourceMap, Span};
use super::{Place, SpecComment};

/// How deep expressions, types and blocks may be nested.
pub const MAX_NESTING: u32 = 120;
/// How high the tree of an expression may get: chains of operators make trees without nesting.
pub const MAX_HEIGHT: u32 = 250;

/// Something was wrong and was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SyntaxFailure;

type ParseResult<T> = Result<T, SyntaxFailure>;

/// Words that begin a definition.
const DEFINITIONS: [&str; 6] = ["predicate", "function", "datatype", "type_synonym", "lemma", "spec"];
/// Words that begin a part of a contract.
const SECTIONS: [&str; 3] = ["requires", "ensures", "inv"];
/// Words that are no names of values.
const RESERVED: [&str; 10] =
    ["requires", "ensures", "inv", "implies", "else", "take", "let", "unchanged", "struct", "predicate"];

/// What a comment's text begins like: for a front end that must tell a contract behind an
/// opening brace from a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// Like a contract.
    Contract,
    /// Like a loop's invariant.
    Invariant,
    /// Like a definition.
    Definition,
    /// Like nothing of these: a statement, ghost arguments, nothing.
    Other,
}

/// What a comment's text begins like.
#[must_use]
pub fn opening(sources: &SourceMap, piece: Span) -> Opening {
    // Comments before the first word may be long; tokens are only needed up to it.
    let tokens = tokens(sources, &[piece], &mut Diagnostics::new());
    match tokens.first().map(|token| &token.kind) {
        Some(TokenKind::Word(word)) => match word.as_str() {
            "requires" | "ensures" | "trusted" | "accesses" | "cn_function" => Opening::Contract,
            "inv" => Opening::Invariant,
            word if DEFINITIONS.contains(&word) => Opening::Definition,
            _ => Opening::Other,
        },
        _ => Opening::Other,
    }
}

/// Reads a comment.
pub fn parse(sources: &SourceMap, comment: &SpecComment, diagnostics: &mut Diagnostics) -> Comment {
    let tokens = tokens(sources, &comment.pieces, diagnostics);
    let span = match (comment.pieces.first(), comment.pieces.last()) {
        (Some(first), Some(last)) => first.to(*last),
        _ => Span::new(sources.first(), 0, 0),
    };
    let mut parser = Parser { tokens, at: 0, depth: 0, diagnostics };
    let content = match &comment.place {
        Place::Top => Content::Definitions(parser.definitions()),
        Place::Contract { .. } => Content::Contract(parser.whole_contract()),
        Place::Loop { .. } => Content::Invariant(parser.invariant()),
        Place::Statement { .. } => Content::Statements(parser.statements()),
        Place::Arguments { .. } => Content::GhostArguments(parser.ghost_arguments()),
    };
    Comment { span, place: comment.place.clone(), content }
}

struct Parser<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    diagnostics: &'a mut Diagnostics,
}

impl Parser<'_> {
    fn token(&self) -> &Token {
        self.ahead(0)
    }

    /// A token further on; the end for everything behind it.
    fn ahead(&self, n: usize) -> &Token {
        self.tokens.get(self.at + n).unwrap_or_else(|| &self.tokens[self.tokens.len() - 1])
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the last token that was read.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.is_end() {
            self.at += 1;
        }
        span
    }

    fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }

    fn is_sign(&self, sign: &str) -> bool {
        self.is_sign_ahead(0, sign)
    }

    fn is_sign_ahead(&self, n: usize, sign: &str) -> bool {
        matches!(&self.ahead(n).kind, TokenKind::Sign(found) if *found == sign)
    }

    fn word(&self) -> Option<&str> {
        self.word_ahead(0)
    }

    fn word_ahead(&self, n: usize) -> Option<&str> {
        match &self.ahead(n).kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    fn is_one_of(&self, words: &[&str]) -> bool {
        self.word().is_some_and(|word| words.contains(&word))
    }

    fn eat(&mut self, sign: &str) -> bool {
        let is_there = self.is_sign(sign);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is_there = self.is_word(word);
        if is_there {
            self.bump();
        }
        is_there
    }

    fn expect(&mut self, sign: &'static str) -> ParseResult<Span> {
        if self.is_sign(sign) { Ok(self.bump()) } else { self.expected(&format!("`{sign}`")) }
    }

    fn name(&mut self, what: &str) -> ParseResult<Name> {
        match self.word() {
            Some(word) if !RESERVED.contains(&word) => {
                let text = word.to_string();
                let span = self.bump();
                Ok(Name { text, span })
            }
            _ => self.expected(what),
        }
    }

    /// What stands here, for messages.
    fn found(&self) -> String {
        match &self.token().kind {
            TokenKind::Word(word) if word.len() <= 40 => format!("`{word}`"),
            TokenKind::Word(_) => "a long name".to_string(),
            TokenKind::Number(..) => "a number".to_string(),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::End => "the end of the comment".to_string(),
        }
    }

    /// Whether something before this token could not be read: that the token surprises is then no news.
    fn is_explained(&self) -> bool {
        self.at > 0 && self.diagnostics.is_explained(self.last(), self.span())
    }

    fn expected<T>(&mut self, what: &str) -> ParseResult<T> {
        if self.is_explained() {
            return Err(SyntaxFailure);
        }
        let message = format!("expected {what}, found {}", self.found());
        let diagnostic = Diagnostic::error(self.span(), message).maybe_help(self.notation());
        self.fail(diagnostic)
    }

    /// What lies between two tokens was not read: names in it are unknown for that reason.
    fn add_unread(&mut self, from: usize, to: usize) {
        for token in &self.tokens[from..to] {
            if let TokenKind::Word(word) = &token.kind {
                self.diagnostics.add_unread(word);
            }
        }
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> ParseResult<T> {
        self.diagnostics.push(diagnostic);
        Err(SyntaxFailure)
    }

    /// One level deeper.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> ParseResult<T>) -> ParseResult<T> {
        if self.depth >= MAX_NESTING {
            return self.fail(too_deep(self.span()));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// An expression from `start` to the last token read.
    fn make(&mut self, start: Span, kind: ExprKind) -> ParseResult<Expr> {
        let expr = Expr::new(kind, start.to(self.last()));
        if expr.height() > MAX_HEIGHT { self.fail(too_deep(expr.span)) } else { Ok(expr) }
    }

    /// A list up to a closing sign, which is read; a comma may stand before it.
    fn list<T>(
        &mut self,
        close: &'static str,
        mut item: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut list = Vec::new();
        while !self.is_sign(close) {
            list.push(item(self)?);
            if !self.eat(",") {
                break;
            }
        }
        if self.is_sign(close) {
            self.bump();
            Ok(list)
        } else if list.is_empty() {
            self.expected(&format!("`{close}`"))
        } else {
            self.expected(&format!("`,` or `{close}`"))
        }
    }

    /// After an error in what began at a token: goes behind the `;` that ends it, or before the bracket that
    /// closes what is around it, or before a keyword that begins something new.
    fn recover_from(&mut self, start: usize) {
        let failed_at = self.at;
        let mut depth = 0_i64;
        self.at = start;
        loop {
            let is_beyond = self.at > failed_at.max(start);
            match &self.token().kind {
                TokenKind::End => return,
                TokenKind::Sign("(" | "[" | "{") => depth += 1,
                TokenKind::Sign(")" | "]" | "}") => {
                    if depth == 0 && self.is_sign("}") && self.at >= failed_at {
                        return;
                    }
                    depth = (depth - 1).max(0);
                }
                TokenKind::Sign(";") if depth == 0 && self.at >= failed_at => {
                    self.bump();
                    return;
                }
                TokenKind::Word(word) if self.at >= failed_at && (is_beyond || self.at > start) => {
                    let word = word.as_str();
                    let is_new = SECTIONS.contains(&word)
                        || (word == "take" && self.is_sign_ahead(2, "="))
                        || (DEFINITIONS.contains(&word)
                            && word != "datatype"
                            && self.word_ahead(1).is_some());
                    if is_new {
                        return;
                    }
                }
                _ => {}
            }
            self.at += 1;
        }
    }
}

fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this is nested too deeply")
        .help("give parts of it a name with `let`, or move them into a `function`")
}

#[cfg(test)]
mod tests;
