//! Contracts, conditions, resources, and the blocks of predicates.

use super::{DEFINITIONS, ParseResult, Parser, SECTIONS, SyntaxFailure};
use crate::spec::ast::{
    Block, BlockEnd, Condition, ConditionKind, Contract, Expr, Index, Name, Resource, ResourceCall,
    ResourceKind, ResourceName,
};
use crate::spec::check::distance;
use crate::spec::diagnostic::Diagnostic;
use crate::spec::lexer::TokenKind;
use crate::spec::position::Span;

/// Words that begin a part of a contract.
const PARTS: [&str; 5] = ["requires", "ensures", "trusted", "accesses", "cn_function"];

/// Which part of a contract conditions belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Requires,
    Ensures,
}

impl Parser<'_> {
    /// The contract of a function, up to the end of its comments.
    pub(super) fn whole_contract(&mut self) -> Contract {
        let mut contract = Contract::default();
        self.contract(&mut contract);
        while !self.is_end() {
            let start = self.at;
            let mut diagnostic = Diagnostic::error(
                self.span(),
                format!("expected a part of a contract, found {}", self.found()),
            );
            if self.is_one_of(&DEFINITIONS) {
                diagnostic = diagnostic.help("definitions stand at top level, before the function");
            } else if self.is_word("inv") {
                diagnostic = diagnostic.help("`inv` stands between a loop's head and its body");
            } else {
                diagnostic = diagnostic.help(self.part_of_a_contract());
            }
            self.diagnostics.push(diagnostic);
            self.bump();
            while !self.is_end() && !self.is_one_of(&PARTS) {
                self.bump();
            }
            self.add_unread(start, self.at);
            self.contract(&mut contract);
        }
        contract
    }

    /// What to write instead of a word that begins no part of a contract.
    fn part_of_a_contract(&self) -> String {
        let near =
            |part: &&&str| self.word().is_some_and(|word| word.len() <= 12 && distance(word, part) <= 2);
        match PARTS.iter().find(near) {
            Some(part) => format!("did you mean `{part}`?"),
            None if self.is_one_of(&["take", "let"]) => {
                "say when it holds: begin with `requires` or `ensures`".to_string()
            }
            None => "contracts are made of `trusted`, `accesses`, `requires` and `ensures`".to_string(),
        }
    }

    /// The parts of a contract, up to what is none.
    pub(super) fn contract(&mut self, contract: &mut Contract) {
        loop {
            let start = self.at;
            let is_followed = |sign| self.is_sign_ahead(1, sign);
            let result = match self.word() {
                Some("trusted") if is_followed(";") || is_followed_by_end(self) => self.trusted(contract),
                Some("accesses") => self.accesses(contract),
                Some("cn_function") => self.lifts(contract),
                Some("requires") => self.section(Section::Requires, contract),
                Some("ensures") => self.section(Section::Ensures, contract),
                _ => return,
            };
            if result.is_err() {
                self.recover_from(start);
            }
        }
    }

    fn trusted(&mut self, contract: &mut Contract) -> ParseResult<()> {
        contract.trusted = Some(self.bump());
        self.end_of_clause()
    }

    fn accesses(&mut self, contract: &mut Contract) -> ParseResult<()> {
        self.bump();
        loop {
            contract.accesses.push(self.name("the name of a global variable")?);
            if !self.eat(",") {
                return self.end_of_clause();
            }
        }
    }

    fn lifts(&mut self, contract: &mut Contract) -> ParseResult<()> {
        let start = self.bump();
        let name = self.name("the name of a spec function")?;
        if let Some(first) = &contract.lifts {
            let diagnostic = Diagnostic::error(start.to(name.span), "a second `cn_function`")
                .label(first.span, "the first is here");
            self.diagnostics.push(diagnostic);
        } else {
            contract.lifts = Some(name);
        }
        self.end_of_clause()
    }

    fn section(&mut self, section: Section, contract: &mut Contract) -> ParseResult<()> {
        let keyword = self.bump();
        let mut ghosts = Vec::new();
        if self.eat_word("cn_ghost") {
            loop {
                ghosts.push(self.parameter()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.end_of_clause()?;
        }
        if ghosts.is_empty() && (self.is_end() || self.is_section_end()) {
            self.diagnostics.push(
                Diagnostic::warning(keyword, "nothing follows")
                    .help("write a condition, or leave the keyword out"),
            );
        }
        let conditions = self.conditions();
        match section {
            Section::Requires => {
                contract.ghosts.extend(ghosts);
                contract.requires.extend(conditions);
            }
            Section::Ensures => {
                contract.ghost_results.extend(ghosts);
                contract.ensures.extend(conditions);
            }
        }
        Ok(())
    }

    /// `inv`, up to the end of its comments.
    pub(super) fn invariant(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        while !self.is_end() {
            if self.eat_word("inv") {
                conditions.extend(self.conditions());
                continue;
            }
            let start = self.at;
            let message = format!("expected `inv`, found {}", self.found());
            self.diagnostics.push(Diagnostic::error(self.span(), message));
            self.bump();
            self.recover_from(start + 1);
        }
        conditions
    }

    /// Conditions up to the next part.
    pub(super) fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        while !self.is_end() && !self.is_section_end() {
            let start = self.at;
            match self.condition() {
                Ok(condition) => conditions.push(condition),
                Err(_) => {
                    self.recover_from(start);
                    // A bracket too many is no condition; without this the loop would stay here.
                    if self.at == start || self.is_sign("}") {
                        self.bump();
                    }
                }
            }
        }
        conditions
    }

    /// Whether conditions end here: the next part, the next definition, or a part of a contract in the wrong
    /// order.
    fn is_section_end(&self) -> bool {
        self.is_one_of(&SECTIONS)
            || (self.is_one_of(&DEFINITIONS) && (self.word_ahead(1).is_some() || self.opens_definition()))
            || (self.is_one_of(&["accesses", "cn_function"]) && self.word_ahead(1).is_some())
            || (self.is_word("trusted") && self.is_sign_ahead(1, ";"))
    }

    /// `function (T) f`, `predicate {…} P`, `function [rec]`: not a call of something with such a name.
    pub(super) fn opens_definition(&self) -> bool {
        self.is_one_of(&["function", "predicate"])
            && (self.is_sign_ahead(1, "(") || self.is_sign_ahead(1, "[") || self.is_sign_ahead(1, "{"))
    }

    fn condition(&mut self) -> ParseResult<Condition> {
        let start = self.span();
        let kind = self.condition_kind()?;
        let span = start.to(self.last());
        self.end_of_clause()?;
        Ok(Condition { kind, span })
    }

    fn condition_kind(&mut self) -> ParseResult<ConditionKind> {
        if self.is_word("take") {
            return self.take();
        }
        if self.is_word("let") {
            self.bump();
            let name = self.name("a name")?;
            self.expect("=")?;
            return Ok(ConditionKind::Let(name, self.expression()?));
        }
        self.assertion(ConditionKind::Each, ConditionKind::Holds)
    }

    fn take(&mut self) -> ParseResult<ConditionKind> {
        self.bump();
        let name = self.name("a name")?;
        self.expect("=")?;
        Ok(ConditionKind::Take(name, self.resource()?))
    }

    /// An expression, or `each (T i; guard) { e }`.
    pub(super) fn assertion<T>(
        &mut self,
        each: impl FnOnce(Index, Expr) -> T,
        holds: impl FnOnce(Expr) -> T,
    ) -> ParseResult<T> {
        if self.is_guarded_each() {
            self.bump();
            let index = self.index()?;
            self.expect("{")?;
            let body = self.expression()?;
            self.expect("}")?;
            return Ok(each(index, body));
        }
        Ok(holds(self.expression_without_let()?))
    }

    /// Whether `each (T i;` stands here, and not `each (T i:`: the type is short, so look for the sign behind
    /// it.
    fn is_guarded_each(&self) -> bool {
        if !self.is_word("each") {
            return false;
        }
        let sign = (2..64).find(|n| self.is_sign_ahead(*n, ":") || self.is_sign_ahead(*n, ";"));
        sign.is_some_and(|n| self.is_sign_ahead(n, ";"))
    }

    /// `(T i; guard)`
    fn index(&mut self) -> ParseResult<Index> {
        self.expect("(")?;
        let parameter = self.parameter()?;
        self.expect(";")?;
        let guard = self.expression()?;
        self.expect(")")?;
        Ok(Index { ty: parameter.ty, name: parameter.name, guard })
    }

    fn resource(&mut self) -> ParseResult<Resource> {
        let start = self.span();
        let kind = if self.is_word("each") {
            self.bump();
            let index = self.index()?;
            self.expect("{")?;
            let call = self.resource_call()?;
            self.eat(";");
            self.expect("}")?;
            ResourceKind::Each(Box::new(index), call)
        } else {
            ResourceKind::Call(self.resource_call()?)
        };
        Ok(Resource { kind, span: start.to(self.last()) })
    }

    /// `RW<T>(p)`, `Name(p, …)`
    pub(super) fn resource_call(&mut self) -> ParseResult<ResourceCall> {
        let start = self.span();
        let name = self.resource_name()?;
        self.expect("(")?;
        let arguments = self.list(")", Self::expression)?;
        Ok(ResourceCall { name, arguments, span: start.to(self.last()) })
    }

    /// `RW<T>`, `RW`, `Name`
    pub(super) fn resource_name(&mut self) -> ParseResult<ResourceName> {
        let name: Name = self.name("a resource: `RW`, `W`, `R`, `each` or a predicate")?;
        let (is_initialised, is_read_only) = match name.text.as_str() {
            "RW" | "Owned" => (true, false),
            "W" | "Block" => (false, false),
            // Without a type it may be a predicate of the user's.
            "R" if self.is_sign("<") => (true, true),
            _ => return Ok(ResourceName::Predicate(name)),
        };
        Ok(ResourceName::Memory { is_initialised, is_read_only, ctype: self.maybe_c_type_in_angles()? })
    }

    /// `;`, which may be missing before what begins the next part, or at the end.
    pub(super) fn end_of_clause(&mut self) -> ParseResult<()> {
        if self.eat(";") || self.is_end() || self.is_one_of(&SECTIONS) || self.is_sign("}") {
            return Ok(());
        }
        if self.is_sign("=") || self.is_sign(")") || self.is_sign("]") {
            return self.expected("`;`");
        }
        if self.is_explained() {
            return Err(SyntaxFailure);
        }
        if let Some(section) = self.misspelt_section() {
            let diagnostic = Diagnostic::error(self.last(), "unknown keyword");
            return self.fail(diagnostic.help(format!("did you mean `{section}`?")));
        }
        // Where the semicolon should be is more useful than what stands instead.
        let after = self.last().after();
        let diagnostic = Diagnostic::error(after, format!("expected `;`, found {}", self.found()));
        self.fail(diagnostic.maybe_help(self.notation()))
    }

    /// The keyword that was meant by a name before something that cannot follow a name.
    fn misspelt_section(&self) -> Option<&'static str> {
        let TokenKind::Word(word) = &self.tokens[self.at.checked_sub(1)?].kind else { return None };
        let near = |section: &&&str| word.len() <= 12 && distance(word, section) <= 2;
        SECTIONS.iter().find(near).copied()
    }

    /// `{ clauses }`
    pub(super) fn block(&mut self) -> ParseResult<Block> {
        self.nested(|this| {
            let start = this.expect("{")?;
            let mut conditions = Vec::new();
            let end = loop {
                let from = this.at;
                match this.block_part(&mut conditions) {
                    Ok(Some(end)) => break end,
                    Ok(None) => {}
                    Err(_) if this.depth + 1 >= super::MAX_NESTING => return Err(super::SyntaxFailure),
                    Err(_) => this.recover_from(from),
                }
                if this.is_end() || this.is_sign("}") {
                    break BlockEnd::Missing(this.span());
                }
            };
            if !this.is_sign("}") {
                let mut diagnostic =
                    Diagnostic::error(this.span(), format!("expected `}}`, found {}", this.found()));
                if !matches!(end, BlockEnd::Missing(_)) {
                    diagnostic =
                        diagnostic.note("nothing follows the end of a block: `return`, or `if` with `else`");
                }
                return this.fail(diagnostic);
            }
            this.bump();
            Ok(Block { conditions, end, span: start.to(this.last()) })
        })
    }

    /// A part of a block, or its end.
    fn block_part(&mut self, conditions: &mut Vec<Condition>) -> ParseResult<Option<BlockEnd>> {
        let start = self.span();
        match self.word() {
            Some("return") => self.block_return(start).map(Some),
            Some("if") => self.block_if(start).map(Some),
            Some("assert") => {
                self.bump();
                self.expect("(")?;
                let kind = self.assertion(ConditionKind::Each, ConditionKind::Holds)?;
                self.expect(")")?;
                let span = start.to(self.last());
                self.end_of_clause()?;
                conditions.push(Condition { kind, span });
                Ok(None)
            }
            Some("take" | "let") => {
                conditions.push(self.condition()?);
                Ok(None)
            }
            _ if self.is_sign("}") => Ok(Some(BlockEnd::Missing(start))),
            _ => {
                let diagnostic =
                    Diagnostic::error(start, format!("expected a clause, found {}", self.found()))
                        .help("predicates are made of `take`, `let`, `assert(…)`, `if` and `return`");
                self.fail(diagnostic)
            }
        }
    }

    fn block_return(&mut self, start: Span) -> ParseResult<BlockEnd> {
        self.bump();
        let value =
            if self.is_sign(";") || self.is_sign("}") { None } else { Some(self.expression_without_let()?) };
        let span = start.to(self.last());
        self.end_of_clause()?;
        Ok(BlockEnd::Return(value, span))
    }

    fn block_if(&mut self, start: Span) -> ParseResult<BlockEnd> {
        let mut branches = Vec::new();
        loop {
            self.bump();
            self.expect("(")?;
            let condition = self.expression()?;
            self.expect(")")?;
            branches.push((condition, self.block()?));
            if !self.eat_word("else") {
                let diagnostic = Diagnostic::error(
                    self.last().after(),
                    format!("expected `else`, found {}", self.found()),
                )
                .label(start, "every way through a predicate returns, so this needs one");
                return self.fail(diagnostic);
            }
            if !self.is_word("if") {
                break;
            }
        }
        let otherwise = Box::new(self.block()?);
        self.eat(";");
        Ok(BlockEnd::If(branches, otherwise))
    }
}

fn is_followed_by_end(parser: &Parser<'_>) -> bool {
    parser.ahead(1).kind == crate::spec::lexer::TokenKind::End
        || SECTIONS.iter().any(|s| parser.word_ahead(1) == Some(s))
}
