//! Notation of other languages, where it surprises the parser: what specs write instead.
//!
//! Reads nothing; it looks at the token that was not expected, and at those beside it.

use super::{Parser, SECTIONS};
use crate::spec::lexer::TokenKind;

impl Parser<'_> {
    /// What to write instead of what stands here, if it is known from C, from ACSL or from mathematics.
    pub(super) fn notation(&self) -> Option<String> {
        let help = match &self.token().kind {
            TokenKind::Sign("=") if self.is_sign_ahead(1, "<") => {
                "at most is written `<=`, and at least `>=`"
            }
            TokenKind::Sign("=") if self.begins_with_name() => {
                "equality is written `==`, and a name is given with `take X = ...;` or `let x = ...;`"
            }
            TokenKind::Sign("=") => "equality is written `==`",
            TokenKind::Sign("=>") => "implication is written `implies`",
            TokenKind::Sign(">") if self.is_behind("==") => "implication is written `implies`",
            TokenKind::Sign(">") if self.is_behind(">") => "a shift is written `shift_right(x, n)`",
            TokenKind::Sign(",") => "each condition ends with `;`",
            TokenKind::Word(word) => match (word.as_str(), self.is_behind_word("forall")) {
                ("and", _) => "write `&&`",
                ("or", _) => "write `||`",
                (_, true) => "for all values is written `each (u32 k; k < n) { ... }`",
                _ => return None,
            },
            _ => return None,
        };
        Some(help.to_string())
    }

    /// Whether the token before this one is a sign, without a blank between the two.
    fn is_behind(&self, sign: &str) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at]);
        before.is_some_and(|token| {
            matches!(&token.kind, TokenKind::Sign(found) if *found == sign)
                && token.span.end == self.span().start
        })
    }

    fn is_behind_word(&self, word: &str) -> bool {
        let before = self.at.checked_sub(1).map(|at| &self.tokens[at].kind);
        matches!(before, Some(TokenKind::Word(found)) if found == word)
    }

    /// Whether what stands before this token is a single name at the beginning of a condition.
    fn begins_with_name(&self) -> bool {
        let Some(at) = self.at.checked_sub(2) else { return false };
        let begins = match &self.tokens[at].kind {
            TokenKind::Sign(sign) => *sign == ";",
            TokenKind::Word(word) => SECTIONS.contains(&word.as_str()),
            _ => false,
        };
        begins && matches!(self.tokens[at + 1].kind, TokenKind::Word(_))
    }
}
