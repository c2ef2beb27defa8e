//! Types of the language, and C types where the language names them.

use super::{ParseResult, Parser};
use crate::spec::ast::{ArrayLength, CTypeExpr, Parameter, TypeExpr, TypeKind};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::lexer::TokenKind;
use crate::spec::types::Bits;

/// C's own type words: what they are in specs.
const C_WORDS: [(&str, &str); 8] = [
    ("char", "u8"),
    ("short", "i16"),
    ("int", "i32"),
    ("long", "i64"),
    ("unsigned", "u32"),
    ("signed", "i32"),
    ("_Bool", "u8"),
    ("float", "real"),
];

const QUALIFIERS: [&str; 4] = ["const", "volatile", "restrict", "_Atomic"];
const BASE_WORDS: [&str; 12] = [
    "void", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "_Bool", "bool",
    "__int128",
];

/// How far to look for the end of a record type in a cast.
const MAX_RECORD_TOKENS: usize = 300;

/// What takes other types in angle brackets.
const GENERICS: [&str; 5] = ["map", "cn_list", "cn_tuple", "cn_set", "cn_option"];

impl Parser<'_> {
    /// A type.
    pub(super) fn ty(&mut self) -> ParseResult<TypeExpr> {
        self.nested(|this| {
            let start = this.span();
            let kind = this.type_kind()?;
            Ok(TypeExpr { kind, span: start.to(this.last()) })
        })
    }

    /// A type that may stand in parentheses.
    pub(super) fn ty_in_parentheses(&mut self) -> ParseResult<TypeExpr> {
        if !self.eat("(") {
            return self.ty();
        }
        let ty = self.ty()?;
        self.expect(")")?;
        Ok(ty)
    }

    fn type_kind(&mut self) -> ParseResult<TypeKind> {
        if self.eat("{") {
            return Ok(TypeKind::Record(self.list("}", Self::parameter)?));
        }
        let Some(word) = self.word().map(str::to_string) else { return self.expected("a type") };
        if let Some(bits) = Bits::from_name(&word) {
            self.bump();
            return Ok(TypeKind::Bits(bits));
        }
        if self.is_sign_ahead(1, "<") && GENERICS.contains(&word.as_str()) {
            return self.generic(&word);
        }
        match word.as_str() {
            "struct" => {
                self.bump();
                Ok(TypeKind::Struct(self.name("the name of a struct")?))
            }
            "datatype" => {
                self.bump();
                Ok(TypeKind::Datatype(self.name("the name of a datatype")?))
            }
            word if BASE_WORDS.contains(&word) && word != "void" && word != "bool" => self.c_type_as_type(),
            _ => {
                let name = self.name("a type")?;
                Ok(simple(&name.text).unwrap_or(TypeKind::Named(name.text)))
            }
        }
    }

    fn generic(&mut self, word: &str) -> ParseResult<TypeKind> {
        self.bump();
        self.expect("<")?;
        if word == "cn_tuple" {
            return Ok(TypeKind::Tuple(self.list(">", Self::ty)?));
        }
        let first = Box::new(self.ty()?);
        let kind = match word {
            "map" => {
                self.expect(",")?;
                TypeKind::Map(first, Box::new(self.ty()?))
            }
            "cn_list" => TypeKind::List(first),
            "cn_set" => TypeKind::Set(first),
            _ => TypeKind::Option(first),
        };
        self.expect(">")?;
        Ok(kind)
    }

    /// `unsigned int` and the like, where a type of the language is expected.
    fn c_type_as_type(&mut self) -> ParseResult<TypeKind> {
        let ctype = self.c_type()?;
        let spelled = ctype.words.join(" ");
        let last = ctype.words.iter().rev().find_map(|word| C_WORDS.iter().find(|(c, _)| c == word));
        let is_unsigned = ctype.words.iter().any(|word| word == "unsigned");
        let meant = match (ctype.n_stars, last) {
            (1.., _) => "pointer".to_string(),
            (0, Some((_, name))) if is_unsigned => name.replace('i', "u"),
            (0, Some((_, name))) => (*name).to_string(),
            (0, None) => "real".to_string(),
        };
        self.diagnostics.push(
            Diagnostic::error(ctype.span, format!("`{spelled}` is a C type"))
                .help(format!("in specs it is `{meant}`")),
        );
        Ok(TypeKind::Wrong)
    }

    /// `T name`
    pub(super) fn parameter(&mut self) -> ParseResult<Parameter> {
        let ty = self.ty()?;
        if self.is_sign("*") {
            let diagnostic = Diagnostic::error(self.span(), "expected a name, found `*`");
            return self.fail(diagnostic.help("every pointer has the type `pointer`: write `pointer p`"));
        }
        if [")", ",", ";"].iter().any(|sign| self.is_sign(sign)) && !self.is_explained() {
            let diagnostic =
                Diagnostic::error(self.span(), format!("expected a name, found {}", self.found()));
            return self.fail(diagnostic.help("a type stands before each name: `u32 x`"));
        }
        let name = self.name("a name")?;
        Ok(Parameter { ty, name })
    }

    /// `(T x, …)`
    pub(super) fn parameters(&mut self) -> ParseResult<Vec<Parameter>> {
        self.expect("(")?;
        if self.is_word("void") && self.is_sign_ahead(1, ")") {
            self.bump();
        }
        self.list(")", Self::parameter)
    }

    /// `<ctype>`
    pub(super) fn c_type_in_angles(&mut self) -> ParseResult<CTypeExpr> {
        self.expect("<")?;
        let ctype = self.c_type()?;
        self.expect(">")?;
        Ok(ctype)
    }

    /// `<ctype>`, if it is there.
    pub(super) fn maybe_c_type_in_angles(&mut self) -> ParseResult<Option<CTypeExpr>> {
        if self.is_sign("<") { self.c_type_in_angles().map(Some) } else { Ok(None) }
    }

    /// A C type: words, stars, lengths.
    fn c_type(&mut self) -> ParseResult<CTypeExpr> {
        let start = self.span();
        let mut words = Vec::new();
        while let Some(word) = self.word() {
            if QUALIFIERS.contains(&word) {
                self.bump();
                continue;
            }
            let is_base = BASE_WORDS.contains(&word);
            if !words.is_empty() && !is_base {
                break;
            }
            if matches!(word, "struct" | "union" | "enum") {
                words.push(word.to_string());
                self.bump();
                words.push(self.name("the name of a type")?.text);
                continue;
            }
            words.push(word.to_string());
            self.bump();
            if !is_base {
                while self.is_one_of(&QUALIFIERS) {
                    self.bump();
                }
                break;
            }
        }
        if words.is_empty() {
            return self.expected("a C type");
        }
        let mut n_stars = 0;
        while self.eat("*") {
            n_stars += 1;
            while self.is_one_of(&QUALIFIERS) {
                self.bump();
            }
        }
        if self.is_sign("(") {
            let diagnostic = Diagnostic::error(self.span(), "this C type cannot be written here")
                .help("give it a name with `typedef` in the C file");
            return self.fail(diagnostic);
        }
        let mut lengths = Vec::new();
        while self.eat("[") {
            lengths.push(self.array_length()?);
            self.expect("]")?;
        }
        let limit = super::MAX_NESTING;
        if n_stars > limit || lengths.len() > limit as usize {
            let diagnostic = super::too_deep(start.to(self.last()));
            return self.fail(diagnostic);
        }
        Ok(CTypeExpr { words, n_stars, lengths, span: start.to(self.last()) })
    }

    fn array_length(&mut self) -> ParseResult<Option<ArrayLength>> {
        let value = match &self.token().kind {
            TokenKind::Number(value, _) => value,
            _ if self.is_sign("]") => return Ok(None),
            _ => return self.name("a length").map(|name| Some(ArrayLength::Constant(name))),
        };
        match u64::try_from(value.clone()) {
            Ok(length) => {
                self.bump();
                Ok(Some(ArrayLength::Number(length)))
            }
            Err(_) => self.expected("a length below 2^64"),
        }
    }

    /// Whether the brace behind the parenthesis here closes right before a parenthesis: `({u32 a})`, not
    /// `({ x }unchanged)`.
    fn is_brace_before_parenthesis(&self) -> bool {
        let mut depth = 0_u32;
        for n in 1..MAX_RECORD_TOKENS {
            if self.is_sign_ahead(n, "{") {
                depth += 1;
            } else if self.is_sign_ahead(n, "}") {
                depth -= 1;
                if depth == 0 {
                    return self.is_sign_ahead(n + 1, ")");
                }
            }
        }
        false
    }

    /// Whether what follows an opening parenthesis is a type in parentheses before an operand: a cast.
    pub(super) fn is_cast(&self) -> bool {
        if self.is_sign_ahead(1, "{") {
            return self.word_ahead(2).is_some()
                && !self.is_sign_ahead(3, ":")
                && self.is_brace_before_parenthesis();
        }
        let Some(word) = self.word_ahead(1) else { return false };
        if GENERICS.contains(&word) && self.is_sign_ahead(2, "<") {
            return true;
        }
        if matches!(word, "struct" | "datatype") {
            return self.word_ahead(2).is_some() && self.is_sign_ahead(3, ")");
        }
        if matches!(word, "unsigned" | "signed" | "long" | "short") && self.word_ahead(2).is_some() {
            return true;
        }
        if !self.is_sign_ahead(2, ")") {
            return false;
        }
        if Bits::from_name(word).is_some() || simple(word).is_some() || BASE_WORDS.contains(&word) {
            return true;
        }
        // `(name) operand`: names of types and of values look the same, but no value stands before an operand.
        match &self.ahead(3).kind {
            TokenKind::Word(next) => {
                !super::RESERVED.contains(&next.as_str()) && !super::DEFINITIONS.contains(&next.as_str())
            }
            TokenKind::Number(..) | TokenKind::Sign("(") => true,
            _ => false,
        }
    }
}

fn simple(word: &str) -> Option<TypeKind> {
    Some(match word {
        "integer" => TypeKind::Integer,
        "real" => TypeKind::Real,
        "boolean" | "bool" => TypeKind::Boolean,
        "pointer" => TypeKind::Pointer,
        "alloc_id" => TypeKind::AllocId,
        "void" => TypeKind::Void,
        _ => return None,
    })
}
