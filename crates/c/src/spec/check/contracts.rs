//! Contracts of C functions, invariants of loops, statements in bodies.

use super::memory::key;
use super::scope::{Binding, BindingKind, Mode, Scope, TakenSlot};
use super::{Checker, Definitions, LoopName, expr};
use crate::spec::ast::{self, Content, Name};
use crate::spec::checked::{
    Access, CFunctionId, Contract, ExprKind, FunctionBody, GlobalId, Import, Loop, NotRun, Parameter,
    Statement, StatementKind, Statements,
};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Type, of_c};
use crate::spec::{CVariable, Place, Site};
use std::collections::BTreeMap;

/// A contract, and what it is the contract of.
pub(super) struct AttachedContract<'a> {
    pub(super) function: Option<u32>,
    pub(super) name: String,
    pub(super) span: Span,
    /// The parameters that a `spec` gives; those of C otherwise.
    pub(super) parameters: Option<&'a [ast::Parameter]>,
}

impl<'a> Checker<'a> {
    /// Finds the function of every contract, and what `cn_function` gives a meaning to.
    pub(super) fn attach(
        &mut self,
        comments: &'a [ast::Comment],
        found: &Definitions<'a>,
    ) -> Vec<(AttachedContract<'a>, &'a ast::Contract)> {
        let mut all = Vec::new();
        for comment in comments {
            if let (Place::Contract { function }, Content::Contract(contract)) =
                (&comment.place, &comment.content)
            {
                let attached = AttachedContract {
                    function: self.table.c_functions.get(function).copied(),
                    name: function.clone(),
                    span: comment.span,
                    parameters: None,
                };
                all.push((attached, contract));
            }
        }
        for spec in &found.specs {
            let name = &spec.name;
            let function = self.table.c_functions.get(&name.text).copied();
            if function.is_none() && !self.program.is_partial {
                let help = self.suggestion(&name.text, self.table.c_functions.keys().map(String::as_str));
                let message = format!("the program has no function `{}`, or never uses it", name.text);
                self.report(Diagnostic::warning(name.span, message).maybe_help(help));
            }
            let parameters = Some(&spec.parameters[..]);
            all.push((
                AttachedContract { function, name: name.text.clone(), span: name.span, parameters },
                &spec.contract,
            ));
        }
        all.sort_by_key(|(attached, _)| attached.span);
        let mut first: BTreeMap<String, Span> = BTreeMap::new();
        all.retain(|(attached, _)| {
            let Some(before) = first.get(&attached.name) else {
                first.insert(attached.name.clone(), attached.span);
                return true;
            };
            let message = format!("a second contract for `{}`", attached.name);
            self.diagnostics
                .push(Diagnostic::error(attached.span, message).label(*before, "the first is here"));
            false
        });
        for (attached, contract) in &all {
            if let (Some(lifted), Some(function)) = (&contract.lifts, attached.function) {
                self.lift(lifted, function);
            }
        }
        all
    }

    /// `cn_function g;` on a C function.
    fn lift(&mut self, lifted: &Name, k: u32) {
        let Some(id) = self.table.functions.get(&lifted.text).copied() else {
            let help = self
                .suggestion(&lifted.text, self.table.functions.keys().map(String::as_str))
                .or_else(|| Some(format!("declare it without a body: `function (T) {}(…)`", lifted.text)));
            let message = format!("unknown spec function `{}`", lifted.text);
            return self.report(Diagnostic::error(lifted.span, message).maybe_help(help));
        };
        let function = &self.program.functions[k as usize];
        let returns = of_c(self.ctypes, function.returns).unwrap_or(Type::Unknown);
        let own: Vec<Type> =
            function.parameters.iter().map(|p| of_c(self.ctypes, p.ty).unwrap_or(Type::Unknown)).collect();
        let spec = &self.specs.functions[id.0 as usize];
        let is_same = spec.ty.goes_with(&returns)
            && spec.parameters.len() == own.len()
            && spec.parameters.iter().zip(&own).all(|(p, ty)| p.ty.goes_with(ty));
        if !is_same {
            let shown: Vec<String> = own.iter().map(|ty| self.show(ty)).collect();
            let is = format!(
                "the C function is `({}) {}({})`",
                self.show(&returns),
                function.name,
                shown.join(", ")
            );
            let span = spec.span;
            let message = format!("`{}` has another type than the C function", lifted.text);
            self.report(Diagnostic::error(lifted.span, message).label(span, "declared here").note(is));
        } else if let FunctionBody::Lifted(other) = &self.specs.functions[id.0 as usize].body {
            let other = &self.program.functions[other.0 as usize].name;
            let message = format!("`{}` means the C function `{other}` already", lifted.text);
            self.error(lifted.span, message);
        } else {
            self.specs.functions[id.0 as usize].body = FunctionBody::Lifted(CFunctionId(k));
        }
    }

    /// Checks a contract.
    pub(super) fn contract(&mut self, attached: AttachedContract<'_>, contract: &ast::Contract) {
        if attached.function.is_none() && attached.parameters.is_none() {
            let message = format!("the program has no function `{}`, or never uses it", attached.name);
            let diagnostic = Diagnostic::warning(attached.span, message).note("its contract is not checked");
            if !self.program.is_partial {
                self.report(diagnostic);
            }
            return;
        }
        self.scope = Scope::new(Mode::Requires);
        self.scope.is_absent = attached.function.is_none();
        let parameters = self.contract_parameters(&attached);
        let not_run = self.ghosts(&contract.ghosts, "parameters");
        let mut accesses = self.accesses(&contract.accesses);
        self.scope.block = self.scope.bindings.len();
        let requires = self.clauses(&contract.requires);
        let n_entry_slots = self.scope.n_slots;
        self.scope.n_entry = self.scope.bindings.len();
        self.scope.taken_at_entry = std::mem::take(&mut self.scope.taken);
        self.entries.insert(attached.name.clone(), self.scope.clone());

        self.scope.mode = Mode::Ensures;
        self.scope.new_block();
        let result = self.contract_result(&attached);
        let not_run = not_run.or(self.ghosts(&contract.ghost_results, "results"));
        for access in &mut accesses {
            access.after = self.scope.slot();
            self.take_global(access.global, access.after, access.span);
        }
        let ensures = self.clauses(&contract.ensures);
        let place = self.specs.contracts.len();
        self.specs.contract_of.insert(attached.name.clone(), place);
        let lifts = contract.lifts.as_ref().and_then(|name| self.table.functions.get(&name.text)).copied();
        self.specs.contracts.push(Contract {
            name: attached.name,
            function: attached.function.map(CFunctionId),
            is_trusted: contract.trusted.is_some(),
            parameters,
            result,
            accesses,
            lifts,
            requires,
            ensures,
            n_entry_slots,
            n_slots: self.scope.n_slots,
            not_run,
            span: attached.span,
        });
    }

    /// The parameters of a contract, in the first slots.
    fn contract_parameters(&mut self, attached: &AttachedContract<'_>) -> Vec<Parameter> {
        let program = self.program;
        let own: &[CVariable] = attached.function.map_or(&[], |k| &program.functions[k as usize].parameters);
        let Some(written) = attached.parameters else {
            return own.iter().map(|variable| self.entry_parameter(&variable.name, variable)).collect();
        };
        if attached.function.is_some() && own.len() != written.len() {
            let plural = if own.len() == 1 { "" } else { "s" };
            let (n, given) = (own.len(), written.len());
            let message = format!("`{}` has {n} parameter{plural}, here are {given}", attached.name);
            self.error(attached.span, message);
        }
        let mut list = Vec::new();
        for (k, parameter) in written.iter().enumerate() {
            let ty = self.resolve(&parameter.ty);
            let name = &parameter.name;
            if self.scope.find(&name.text).is_some() {
                self.error(name.span, format!("a second parameter `{}`", name.text));
            }
            let ty = match own.get(k) {
                Some(variable) if self.is_c_type(&ty, parameter, variable) => {
                    list.push(self.entry_parameter(&name.text, variable));
                    continue;
                }
                Some(_) => Type::Unknown,
                None => ty,
            };
            let slot = self.scope.bind_slot(&name.text, ty.clone(), name.span);
            list.push(Parameter { name: name.text.clone(), ty, ctype: None, slot });
        }
        list
    }

    /// Whether a parameter of a `spec` has the type of the C parameter, or a message.
    fn is_c_type(&mut self, ty: &Type, parameter: &ast::Parameter, variable: &CVariable) -> bool {
        let Some(own) = of_c(self.ctypes, variable.ty).filter(|own| !own.goes_with(ty)) else { return true };
        let (shown, is, c) = (self.show(ty), self.show(&own), self.ctypes.name(variable.ty));
        let message = format!("`{}` is `{c}` in C, which is `{is}` and not `{shown}`", parameter.name.text);
        self.error(parameter.ty.span, message);
        false
    }

    /// A C parameter's value at entry.
    fn entry_parameter(&mut self, name: &str, variable: &CVariable) -> Parameter {
        let slot = self.scope.slot();
        if self.is_char(variable.ty) {
            self.scope.chars.insert(slot);
        }
        let ty = of_c(self.ctypes, variable.ty);
        let kind = if ty.is_some() { BindingKind::Slot(slot) } else { BindingKind::Opaque(variable.ty) };
        let ty = ty.unwrap_or(Type::Unknown);
        if !name.is_empty() {
            let binding = Binding { name: name.to_string(), kind, ty: ty.clone(), span: None, not_run: None };
            self.scope.bind(binding);
        }
        Parameter { name: name.to_string(), ty, ctype: Some(variable.ty), slot }
    }

    fn contract_result(&mut self, attached: &AttachedContract<'_>) -> Option<Parameter> {
        let returns = attached.function.map(|k| self.program.functions[k as usize].returns);
        // Of a function that the program does not have nothing is known, so everything may be said of its
        // result.
        let ty = returns.map_or(Some(Type::Unknown), |returns| of_c(self.ctypes, returns));
        let ty = ty.filter(|ty| *ty != Type::Void)?;
        let slot = self.scope.slot();
        if returns.is_some_and(|returns| self.is_char(returns)) {
            self.scope.chars.insert(slot);
        }
        self.scope.result = Some((slot, ty.clone()));
        Some(Parameter { name: "return".to_string(), ty, ctype: returns, slot })
    }

    /// Ghosts have no values at run time, so nothing that names them can be run.
    fn ghosts(&mut self, ghosts: &[ast::Parameter], what: &str) -> Option<NotRun> {
        let first = ghosts.first()?;
        for ghost in ghosts {
            let ty = self.resolve(&ghost.ty);
            let slot = self.scope.slot();
            let kind = BindingKind::Slot(slot);
            let (name, span) = (ghost.name.text.clone(), Some(ghost.name.span));
            self.scope.bind(Binding { name, kind, ty, span, not_run: Some(NotRun::Ghosts) });
        }
        self.report(
            Diagnostic::warning(first.name.span, "this contract is read but not run")
                .note(format!("ghost {what} have no values when the program runs")),
        );
        Some(NotRun::Ghosts)
    }

    fn accesses(&mut self, names: &[Name]) -> Vec<Access> {
        let mut list: Vec<Access> = Vec::new();
        for name in names {
            let Some(k) = self.global_named(name) else {
                let help = self.suggestion(&name.text, self.table.globals.keys().map(String::as_str));
                let message = format!("unknown global variable `{}`", name.text);
                self.report(Diagnostic::error(name.span, message).maybe_help(help));
                continue;
            };
            let global = GlobalId(k);
            if let Some(first) = list.iter().find(|access| access.global == global) {
                let diagnostic = Diagnostic::error(name.span, format!("`{}` is accessed twice", name.text))
                    .label(first.span, "the first is here");
                self.report(diagnostic);
                continue;
            }
            let ctype = self.program.globals[k as usize].ty;
            let Some((_, size, _)) = self.owned_type(ctype, name.span) else { continue };
            let before = self.scope.slot();
            self.take_global(global, before, name.span);
            let is_read_only = self.program.constants.contains(&(k as usize));
            list.push(Access { global, ctype, size, before, after: before, is_read_only, span: name.span });
        }
        list
    }

    fn take_global(&mut self, global: GlobalId, slot: crate::spec::checked::Slot, span: Span) {
        let ctype = self.program.globals[global.0 as usize].ty;
        let address = expr(ExprKind::GlobalAddress(global), Type::Pointer(Some(ctype)), span);
        let ty = of_c(self.ctypes, ctype).unwrap_or(Type::Unknown);
        let taken = TakenSlot { slot, ctype, ty, is_initialised: true, span };
        self.scope.taken.insert(key(&address).unwrap_or_default(), taken);
    }

    /// Invariants, statements and ghost arguments.
    pub(super) fn sites(&mut self, comments: &[ast::Comment]) {
        // Places of one function follow one another, whatever order the comments came in; `sort` keeps the
        // rest of the order.
        let mut comments: Vec<&ast::Comment> = comments.iter().collect();
        comments.sort_by_key(|comment| match &comment.place {
            Place::Loop { function, .. } | Place::Statement { function, .. } => Some(function),
            _ => None,
        });
        for comment in comments {
            match (&comment.place, &comment.content) {
                (Place::Loop { function, site }, Content::Invariant(conditions)) => {
                    self.invariant(function, *site, conditions, comment.span);
                }
                (Place::Statement { function, site }, Content::Statements(statements)) => {
                    self.statements(function, *site, statements, comment.span);
                }
                (Place::Arguments { .. }, Content::GhostArguments(_)) => {
                    self.report(
                        Diagnostic::warning(comment.span, "ghost arguments are read but not run")
                            .note("ghost parameters have no values when the program runs"),
                    );
                }
                _ => {}
            }
        }
    }

    /// The scope at a place in a body: what held at entry, then the C variables as they are now.
    fn site_scope(&mut self, function: &str, site: Site, mode: Mode) {
        let program = self.program;
        let k = self.table.c_functions.get(function).copied();
        let parameters: &[CVariable] = k.map_or(&[], |k| &program.functions[k as usize].parameters);
        if self.site_of.as_deref() == Some(function) {
            // The next place of the same function: what is behind the entry is forgotten, which is cheaper
            // than a copy.
            self.scope.forget_to(self.scope.n_entry);
            self.scope.n_slots = self.scope.n_entry_slots;
            self.scope.mode = mode;
        } else {
            self.scope = self.entries.remove(function).unwrap_or_default();
            self.scope.mode = mode;
            if !self.specs.contract_of.contains_key(function) {
                parameters.iter().for_each(|variable| drop(self.entry_parameter(&variable.name, variable)));
            }
            self.scope.n_entry_slots = self.scope.n_slots;
            self.c_names_at_entry(parameters);
            self.site_of = Some(function.to_string());
        }
        let variables = program.scopes.get(&site).map_or(parameters, Vec::as_slice);
        for variable in variables {
            let ty = of_c(self.ctypes, variable.ty);
            let kind = match ty {
                Some(_) => BindingKind::Variable(variable.ty),
                None => BindingKind::Opaque(variable.ty),
            };
            let ty = ty.unwrap_or(Type::Unknown);
            self.scope.bind(Binding { name: variable.name.clone(), kind, ty, span: None, not_run: None });
        }
        self.scope.new_block();
    }

    /// A `spec` may call parameters otherwise than the body does; `{ x }%start` in the body means the body's
    /// names.
    fn c_names_at_entry(&mut self, parameters: &[CVariable]) {
        for (k, variable) in parameters.iter().enumerate() {
            if variable.name.is_empty() || self.scope.find(&variable.name).is_some() {
                continue;
            }
            let Some(ty) = of_c(self.ctypes, variable.ty) else { continue };
            let kind = BindingKind::Slot(crate::spec::checked::Slot(k as u32));
            self.scope.bind(Binding { name: variable.name.clone(), kind, ty, span: None, not_run: None });
        }
        self.scope.n_entry = self.scope.bindings.len();
    }

    fn invariant(&mut self, function: &str, site: Site, conditions: &[ast::Condition], span: Span) {
        self.site_scope(function, site, Mode::Invariant);
        let n_before = self.scope.bindings.len();
        let clauses = self.clauses(conditions);
        let which = self.specs.loops.len();
        let bound = self.scope.bindings[n_before..].iter().filter_map(|b| match b.kind {
            BindingKind::Slot(slot) => {
                Some(LoopName { name: b.name.clone(), ty: b.ty.clone(), at: (which, slot) })
            }
            _ => None,
        });
        self.loop_names.entry(function.to_string()).or_default().extend(bound);
        let captures = std::mem::take(&mut self.scope.captures);
        let (function, n_slots) = (function.to_string(), self.scope.n_slots);
        self.specs.loops.push(Loop { function, site, captures, clauses, n_slots, span });
    }

    fn statements(&mut self, function: &str, site: Site, statements: &[ast::Statement], span: Span) {
        self.site_scope(function, site, Mode::Statement);
        let mut imports = self.bind_loop_names(function);
        let checked: Vec<Statement> = statements.iter().map(|statement| self.statement(statement)).collect();
        imports.retain(|import| checked.iter().any(|statement| statement.reads(import.slot)));
        let captures = std::mem::take(&mut self.scope.captures);
        let (function, n_slots) = (function.to_string(), self.scope.n_slots);
        self.specs.statements.push(Statements {
            function,
            site,
            captures,
            statements: checked,
            imports,
            n_slots,
            span,
        });
    }

    /// What invariants bind is known in statements, with the value of the last evaluation. Of loops that bind
    /// one name to different types the last one counts.
    fn bind_loop_names(&mut self, function: &str) -> Vec<Import> {
        let names = self.loop_names.get(function).cloned().unwrap_or_default();
        let mut imports = Vec::new();
        for LoopName { name, ty, .. } in names.iter().rev() {
            if self.scope.find(name).is_some() {
                continue;
            }
            let slot = self.scope.slot();
            let is_same = |other: &&LoopName| other.name == *name && other.ty == *ty;
            imports.push(Import { slot, from: names.iter().filter(is_same).map(|of| of.at).collect() });
            let (name, ty, kind) = (name.clone(), ty.clone(), BindingKind::Slot(slot));
            self.scope.bind(Binding { name, kind, ty, span: None, not_run: None });
        }
        imports
    }

    fn statement(&mut self, statement: &ast::Statement) -> Statement {
        self.not_run = None;
        let kind = match &statement.kind {
            ast::StatementKind::Assert(e) => StatementKind::Assert(self.condition(e)),
            ast::StatementKind::AssertEach(index, body) => {
                let before = self.scope.bindings.len();
                let index = self.index(index);
                let body = self.condition(body);
                self.scope.forget_to(before);
                StatementKind::AssertEach(Box::new(index), body)
            }
            ast::StatementKind::Apply(name, arguments) => self.apply(name, arguments, statement.span),
            ast::StatementKind::ProofOnly => StatementKind::ProofOnly,
        };
        let not_run = self.take_not_run(false);
        Statement { kind, span: statement.span, not_run }
    }

    fn apply(&mut self, name: &Name, arguments: &[ast::Expr], span: Span) -> StatementKind {
        let Some(id) = self.table.lemmas.get(&name.text).copied() else {
            let help = self.suggestion(&name.text, self.table.lemmas.keys().map(String::as_str));
            let message = format!("unknown lemma `{}`", name.text);
            self.report(Diagnostic::error(name.span, message).maybe_help(help));
            return StatementKind::ProofOnly;
        };
        let lemma = &self.specs.lemmas[id.0 as usize];
        let (types, defined): (Vec<Type>, Span) =
            (lemma.parameters.iter().map(|p| p.ty.clone()).collect(), lemma.span);
        StatementKind::Apply(id, self.arguments(&name.text, &types, arguments, Some(defined), span))
    }
}
