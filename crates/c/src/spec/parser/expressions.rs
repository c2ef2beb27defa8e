//! Expressions and patterns.

use super::{ParseResult, Parser};
use crate::spec::ast::{Arm, BinaryOp, Expr, ExprKind, Name, Pattern, PatternKind, UnaryOp};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::lexer::TokenKind;
use crate::spec::position::Span;

impl Parser<'_> {
    /// An expression, which may begin with `let`.
    pub(super) fn expression(&mut self) -> ParseResult<Expr> {
        let start = self.span();
        let mut bindings = Vec::new();
        while self.eat_word("let") {
            let name = self.name("a name")?;
            self.expect("=")?;
            let value = self.nested(Self::expression)?;
            self.expect(";")?;
            bindings.push((name, value));
        }
        let body = self.expression_without_let()?;
        if bindings.is_empty() { Ok(body) } else { self.make(start, ExprKind::Let(bindings, Box::new(body))) }
    }

    /// `c ? a : b`, or something that binds tighter.
    pub(super) fn expression_without_let(&mut self) -> ParseResult<Expr> {
        let start = self.span();
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.nested(Self::expression_without_let)?;
        self.expect(":")?;
        let no = self.nested(Self::expression_without_let)?;
        self.make(start, ExprKind::If(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    /// Operators of at least a strength.
    fn binary(&mut self, least: u8) -> ParseResult<Expr> {
        let start = self.span();
        let mut left = self.unary()?;
        while let Some(op) = self.operator() {
            let strength = op.strength();
            if strength < least {
                break;
            }
            self.bump();
            let right = if op == BinaryOp::Implies {
                self.nested(|this| this.binary(strength))?
            } else {
                self.binary(strength + 1)?
            };
            left = self.make(start, ExprKind::Binary(op, Box::new(left), Box::new(right)))?;
        }
        Ok(left)
    }

    fn operator(&self) -> Option<BinaryOp> {
        match &self.token().kind {
            TokenKind::Sign(sign) => BinaryOp::from_sign(sign),
            TokenKind::Word(word) if word == "implies" => Some(BinaryOp::Implies),
            _ => None,
        }
    }

    fn unary(&mut self) -> ParseResult<Expr> {
        self.nested(|this| {
            let start = this.span();
            let TokenKind::Sign(sign) = this.token().kind else { return this.postfix() };
            let make: fn(Box<Expr>) -> ExprKind = match sign {
                "*" => ExprKind::Deref,
                "&" => ExprKind::AddressOf,
                "-" => |e| ExprKind::Unary(UnaryOp::Negate, e),
                "!" => |e| ExprKind::Unary(UnaryOp::Not, e),
                "~" => |e| ExprKind::Unary(UnaryOp::Complement, e),
                "(" if this.is_cast() => return this.cast(),
                _ => return this.postfix(),
            };
            this.bump();
            let operand = Box::new(this.unary()?);
            this.make(start, make(operand))
        })
    }

    fn cast(&mut self) -> ParseResult<Expr> {
        let start = self.bump();
        let ty = self.ty()?;
        self.expect(")")?;
        let operand = Box::new(self.unary()?);
        self.make(start, ExprKind::Cast(ty, operand))
    }

    fn postfix(&mut self) -> ParseResult<Expr> {
        let start = self.span();
        let primary = self.primary()?;
        self.postfix_of(start, primary)
    }

    fn postfix_of(&mut self, start: Span, mut left: Expr) -> ParseResult<Expr> {
        loop {
            let kind = if self.eat(".") {
                ExprKind::Member(Box::new(left), self.name("the name of a member")?)
            } else if self.eat("->") {
                ExprKind::Arrow(Box::new(left), self.name("the name of a member")?)
            } else if self.eat("[") {
                self.brackets(left)?
            } else {
                return Ok(left);
            };
            left = self.make(start, kind)?;
        }
    }

    /// `m[i]` or `m[i: v, …]`, behind the bracket.
    fn brackets(&mut self, map: Expr) -> ParseResult<ExprKind> {
        let first = self.expression()?;
        if self.eat("]") {
            return Ok(ExprKind::Index(Box::new(map), Box::new(first)));
        }
        if !self.is_sign(":") {
            return self.expected("`]` or `:`");
        }
        self.bump();
        let mut updates = vec![(first, self.expression()?)];
        while self.eat(",") {
            let key = self.expression()?;
            self.expect(":")?;
            updates.push((key, self.expression()?));
        }
        self.expect("]")?;
        Ok(ExprKind::MapUpdate(Box::new(map), updates))
    }

    fn primary(&mut self) -> ParseResult<Expr> {
        let start = self.span();
        match &self.token().kind {
            TokenKind::Number(value, bits) => {
                let kind = ExprKind::Number(value.clone(), *bits);
                self.bump();
                self.make(start, kind)
            }
            TokenKind::Word(word) => {
                let word = word.clone();
                self.word_expression(start, &word)
            }
            TokenKind::Sign("(") => {
                self.bump();
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(inside)
            }
            TokenKind::Sign("[") => {
                self.bump();
                let elements = self.list("]", Self::expression)?;
                if elements.is_empty() {
                    return self.fail(Diagnostic::error(
                        start.to(self.last()),
                        "a list without elements has no type",
                    ));
                }
                self.make(start, ExprKind::List(elements))
            }
            TokenKind::Sign("{") => self.braces(start),
            _ => self.expected("an expression"),
        }
    }

    /// What begins with a word.
    fn word_expression(&mut self, start: Span, word: &str) -> ParseResult<Expr> {
        let is_before = |sign| self.is_sign_ahead(1, sign);
        let simple = match word {
            "true" => Some(ExprKind::Boolean(true)),
            "false" => Some(ExprKind::Boolean(false)),
            "NULL" => Some(ExprKind::Null),
            "return" => Some(ExprKind::Return),
            _ => None,
        };
        if let Some(kind) = simple {
            self.bump();
            return self.make(start, kind);
        }
        match word {
            "if" if is_before("(") => self.if_expression(start),
            "match" => self.match_expression(start),
            "each" if is_before("(") => self.each_expression(start),
            "struct" => self.struct_expression(start),
            "sizeof" if is_before("<") => {
                self.bump();
                let ctype = self.c_type_in_angles()?;
                self.make(start, ExprKind::SizeOf(ctype))
            }
            "sizeof" if is_before("(") => {
                let diagnostic = Diagnostic::error(start, "`sizeof` takes its type in angle brackets")
                    .help("write `sizeof<T>`");
                self.fail(diagnostic)
            }
            "offsetof" if is_before("(") => self.offset_of(start),
            "default" if is_before("<") => {
                self.bump();
                self.expect("<")?;
                let ty = self.ty()?;
                self.expect(">")?;
                self.make(start, ExprKind::Default(ty))
            }
            "good" if is_before("<") => {
                self.bump();
                let ctype = self.c_type_in_angles()?;
                self.expect("(")?;
                let of = Box::new(self.expression()?);
                self.expect(")")?;
                self.make(start, ExprKind::Good(ctype, of))
            }
            "array_shift" if is_before("<") || is_before("(") => self.array_shift(start),
            "member_shift" if is_before("<") || is_before("(") => self.member_shift(start),
            "each" | "if" => {
                self.bump();
                self.expected("`(`")
            }
            _ => self.name_expression(start),
        }
    }

    /// `x`, `f(…)`, `Con { … }`
    fn name_expression(&mut self, start: Span) -> ParseResult<Expr> {
        let name = self.name("an expression")?;
        let kind = if self.eat("(") {
            ExprKind::Call(name, self.list(")", Self::expression)?)
        } else if self.is_sign("{") && self.is_fields_ahead() {
            self.bump();
            ExprKind::Construct(name, self.fields("}")?)
        } else {
            ExprKind::Variable(name)
        };
        self.make(start, kind)
    }

    /// Whether the brace here opens `{ }` or `{ a: …`.
    fn is_fields_ahead(&self) -> bool {
        self.is_sign_ahead(1, "}") || (self.word_ahead(1).is_some() && self.is_sign_ahead(2, ":"))
    }

    fn field(&mut self) -> ParseResult<(Name, Expr)> {
        let name = self.name("the name of a field")?;
        self.expect(":")?;
        Ok((name, self.expression()?))
    }

    fn fields(&mut self, close: &'static str) -> ParseResult<Vec<(Name, Expr)>> {
        self.list(close, Self::field)
    }

    /// `{ a: e }`, `{ a: e, ..r }`, `{ e }unchanged`, `{ e }%start`
    fn braces(&mut self, start: Span) -> ParseResult<Expr> {
        if self.is_fields_ahead() || self.is_sign_ahead(1, "..") {
            return self.record(start);
        }
        self.bump();
        let inside = Box::new(self.expression()?);
        self.expect("}")?;
        if self.eat_word("unchanged") {
            return self.make(start, ExprKind::Unchanged(inside));
        }
        if self.eat("%") || self.eat("@") {
            let label = self.name("`start`")?;
            return self.make(start, ExprKind::At(inside, label));
        }
        self.expected("`unchanged` or `%start`")
    }

    fn record(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        let mut fields = Vec::new();
        loop {
            if self.eat("}") {
                if fields.is_empty() {
                    return self.fail(Diagnostic::error(start.to(self.last()), "a record without fields"));
                }
                return self.make(start, ExprKind::Record(fields));
            }
            if self.eat("..") {
                let base = Box::new(self.expression()?);
                self.expect("}")?;
                return self.make(start, ExprKind::Update(fields, base));
            }
            fields.push(self.field()?);
            if !self.eat(",") && !self.is_sign("}") {
                return self.expected("`,` or `}`");
            }
        }
    }

    fn struct_expression(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        let tag = self.name("the name of a struct")?;
        self.expect("{")?;
        let fields = self.fields("}")?;
        self.make(start, ExprKind::Struct(tag, fields))
    }

    fn in_braces(&mut self) -> ParseResult<Expr> {
        self.expect("{")?;
        let inside = self.nested(Self::expression)?;
        self.expect("}")?;
        Ok(inside)
    }

    fn if_expression(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        self.expect("(")?;
        let condition = Box::new(self.expression()?);
        self.expect(")")?;
        let yes = Box::new(self.in_braces()?);
        if !self.eat_word("else") {
            let diagnostic =
                Diagnostic::error(self.span(), format!("expected `else`, found {}", self.found()))
                    .label(start, "this `if` is a value, so it needs both branches");
            return self.fail(diagnostic);
        }
        let no = if self.is_word("if") { self.nested(Self::primary)? } else { self.in_braces()? };
        self.make(start, ExprKind::If(condition, yes, Box::new(no)))
    }

    fn match_expression(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        let target = self.span();
        let of = if self.is_sign("(") || self.is_sign_ahead(1, "(") {
            self.postfix()?
        } else {
            let name = self.name("what to match: a name, or an expression in parentheses")?;
            let variable = self.make(target, ExprKind::Variable(name))?;
            self.postfix_of(target, variable)?
        };
        self.expect("{")?;
        let mut arms = Vec::new();
        while !self.eat("}") {
            let pattern = self.pattern()?;
            self.expect("=>")?;
            let body = self.in_braces()?;
            arms.push(Arm { pattern, body });
            self.eat(",");
        }
        self.make(start, ExprKind::Match(Box::new(of), arms))
    }

    fn pattern(&mut self) -> ParseResult<Pattern> {
        self.nested(|this| {
            let name = this.name("a pattern")?;
            let kind = if this.eat("{") {
                let fields = this.list("}", |this| {
                    let field = this.name("the name of a field")?;
                    this.expect(":")?;
                    Ok((field, this.pattern()?))
                })?;
                PatternKind::Construct(name.clone(), fields)
            } else if name.text == "_" {
                PatternKind::Any
            } else {
                PatternKind::Bind(name.text)
            };
            Ok(Pattern { kind, span: name.span.to(this.last()) })
        })
    }

    /// `each (T i: lo, hi; e)`
    fn each_expression(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        self.expect("(")?;
        let index = self.parameter()?;
        if self.is_sign(";") {
            let diagnostic = Diagnostic::error(start, "`each` with a guard is a clause of its own")
                .help("inside an expression, give a range: `each (T i: lo, hi; e)`");
            return self.fail(diagnostic);
        }
        self.expect(":")?;
        let low = self.expression_without_let()?;
        self.expect(",")?;
        let high = self.expression_without_let()?;
        self.expect(";")?;
        let body = Box::new(self.expression()?);
        self.expect(")")?;
        self.make(start, ExprKind::Each(Box::new(index.ty), index.name, Box::new([low, high]), body))
    }

    fn array_shift(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        let ctype = self.maybe_c_type_in_angles()?;
        self.expect("(")?;
        let pointer = Box::new(self.expression()?);
        self.expect(",")?;
        let index = Box::new(self.expression()?);
        self.expect(")")?;
        self.make(start, ExprKind::ArrayShift(ctype, pointer, index))
    }

    fn member_shift(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        let ctype = self.maybe_c_type_in_angles()?;
        self.expect("(")?;
        let pointer = Box::new(self.expression()?);
        self.expect(",")?;
        let member = self.name("the name of a member")?;
        self.expect(")")?;
        self.make(start, ExprKind::MemberShift(ctype, pointer, member))
    }

    fn offset_of(&mut self, start: Span) -> ParseResult<Expr> {
        self.bump();
        self.expect("(")?;
        self.eat_word("struct");
        let tag = self.name("the name of a struct")?;
        self.expect(",")?;
        let member = self.name("the name of a member")?;
        self.expect(")")?;
        self.make(start, ExprKind::OffsetOf(tag, member))
    }
}
