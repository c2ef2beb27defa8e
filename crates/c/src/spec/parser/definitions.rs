//! Definitions at top level.

use super::{DEFINITIONS, ParseResult, Parser};
use crate::spec::ast::{
    Constructor, Contract, Datatype, Definition, Function, FunctionSpec, Lemma, Name, Predicate, Synonym,
};
use crate::spec::diagnostic::Diagnostic;

impl Parser<'_> {
    /// All definitions of a comment.
    pub(super) fn definitions(&mut self) -> Vec<Definition> {
        let mut definitions = Vec::new();
        while !self.is_end() {
            let start = self.at;
            match self.definition() {
                Ok(definition) => {
                    definitions.push(definition);
                    self.eat(";");
                }
                Err(_) => {
                    self.skip_definition(start);
                    self.add_unread(start, self.at);
                }
            }
        }
        definitions
    }

    fn definition(&mut self) -> ParseResult<Definition> {
        match self.word() {
            Some("predicate") => self.predicate().map(Definition::Predicate),
            Some("function") => self.function().map(Definition::Function),
            Some("datatype") => self.datatype().map(Definition::Datatype),
            Some("type_synonym") => self.synonym().map(Definition::Synonym),
            Some("lemma") => self.lemma().map(Definition::Lemma),
            Some("spec") => self.function_spec().map(Definition::Spec),
            _ => {
                let message = format!("expected a definition, found {}", self.found());
                let mut diagnostic = Diagnostic::error(self.span(), message);
                if self.is_one_of(&["requires", "ensures", "trusted", "accesses", "cn_function"]) {
                    diagnostic = diagnostic.note("this contract belongs to no function").help(
                        "put it between a function's header and its body, or write `spec f(…);` before it",
                    );
                } else if self.is_word("inv") {
                    diagnostic = diagnostic.help("`inv` stands between a loop's head and its body");
                } else {
                    diagnostic = diagnostic
                        .help("definitions begin with `predicate`, `function`, `datatype`, `type_synonym`, `lemma` or `spec`");
                }
                self.fail(diagnostic)
            }
        }
    }

    /// After an error in the definition that began at a token.
    fn skip_definition(&mut self, start: usize) {
        let failed_at = self.at;
        let mut depth = 0_i64;
        self.at = start;
        loop {
            let is_ahead = self.at >= failed_at && self.at > start;
            if self.is_sign("{") || self.is_sign("(") {
                depth += 1;
            } else if self.is_sign("}") || self.is_sign(")") {
                depth -= 1;
            }
            let opens = self.is_one_of(&DEFINITIONS)
                && (self.word_ahead(1).is_some() || self.opens_definition())
                && (!self.is_word("datatype") || (depth <= 0 && self.is_sign_ahead(2, "{")));
            if self.is_end() || (is_ahead && opens) {
                return;
            }
            self.at += 1;
        }
    }

    /// `[rec, …]`
    fn attributes(&mut self) -> ParseResult<Vec<Name>> {
        if self.eat("[") { self.list("]", |this| this.name("an attribute")) } else { Ok(Vec::new()) }
    }

    fn predicate(&mut self) -> ParseResult<Predicate> {
        self.bump();
        let attributes = self.attributes()?;
        let output = self.ty_in_parentheses()?;
        let name = self.name("the name of the predicate")?;
        let parameters = self.parameters()?;
        let body = if self.is_sign("{") { Some(self.block()?) } else { None };
        Ok(Predicate { attributes, output, name, parameters, body })
    }

    fn function(&mut self) -> ParseResult<Function> {
        self.bump();
        let attributes = self.attributes()?;
        let output = self.ty_in_parentheses()?;
        let name = self.name("the name of the function")?;
        let parameters = self.parameters()?;
        let body = if self.eat("{") {
            let body = self.expression()?;
            self.expect("}")?;
            Some(body)
        } else {
            None
        };
        Ok(Function { attributes, output, name, parameters, body })
    }

    fn datatype(&mut self) -> ParseResult<Datatype> {
        self.bump();
        let name = self.name("the name of the datatype")?;
        self.expect("{")?;
        let constructors = self.list("}", |this| {
            let name = this.name("a constructor")?;
            if !this.is_sign("{") {
                let message = format!("expected `{{`, found {}", this.found());
                let help = format!("a constructor without fields is written `{} {{}}`", name.text);
                return this.fail(Diagnostic::error(this.span(), message).help(help));
            }
            this.bump();
            let fields = this.list("}", Self::parameter)?;
            Ok(Constructor { name, fields })
        })?;
        Ok(Datatype { name, constructors })
    }

    fn synonym(&mut self) -> ParseResult<Synonym> {
        self.bump();
        let name = self.name("the new name")?;
        self.expect("=")?;
        let ty = self.ty_in_parentheses()?;
        Ok(Synonym { name, ty })
    }

    fn lemma(&mut self) -> ParseResult<Lemma> {
        self.bump();
        let name = self.name("the name of the lemma")?;
        let parameters = self.parameters()?;
        let mut contract = Contract::default();
        self.contract(&mut contract);
        for ghost in contract.ghosts.iter().chain(&contract.ghost_results) {
            self.diagnostics.push(Diagnostic::error(ghost.name.span, "a lemma has no ghost parameters"));
        }
        for wrong in contract.accesses.iter().chain(&contract.lifts) {
            self.diagnostics.push(Diagnostic::error(wrong.span, "a lemma has only `requires` and `ensures`"));
        }
        Ok(Lemma { name, parameters, requires: contract.requires, ensures: contract.ensures })
    }

    fn function_spec(&mut self) -> ParseResult<FunctionSpec> {
        self.bump();
        let name = self.name("the name of a C function")?;
        let parameters = self.parameters()?;
        self.eat(";");
        let mut contract = Contract::default();
        self.contract(&mut contract);
        Ok(FunctionSpec { name, parameters, contract })
    }
}
