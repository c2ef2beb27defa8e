//! Clauses, resources, and the blocks of predicates.

use super::expressions::short;
use super::memory::key;
use super::scope::{Binding, BindingKind, Mode, TakenSlot};
use super::types::allocation_type;
use super::{Checker, Definitions, expr, wrong};
use crate::ctypes::TypeId;
use crate::spec::ast::{self, ConditionKind, Name, ResourceName};
use crate::spec::checked::{
    Block, BlockEnd, Clause, ClauseKind, Expr, ExprKind, FunctionBody, Index, NotRun, Resource, ResourceKind,
};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Type, of_c};

impl Checker<'_> {
    /// The bodies of functions, predicates and lemmas.
    pub(super) fn bodies(&mut self, found: &Definitions<'_>) {
        for (k, function) in found.functions.iter().enumerate() {
            let Some(body) = &function.body else { continue };
            self.scope =
                self.again(&function.parameters, &self.specs.functions[k].parameters, Mode::Function);
            let ty = self.specs.functions[k].ty.clone();
            let checked = self.expect(body, &ty);
            self.forget_not_run();
            self.specs.functions[k].n_slots = self.scope.n_slots;
            if let FunctionBody::Lifted(_) = self.specs.functions[k].body {
                let diagnostic =
                    Diagnostic::error(function.name.span, format!("`{}` has a body", function.name.text))
                        .note("a C function is its meaning (`cn_function`), so it cannot have another");
                self.report(diagnostic);
            }
            self.specs.functions[k].body = FunctionBody::Expr(checked);
        }
        for (k, predicate) in found.predicates.iter().enumerate() {
            let Some(body) = &predicate.body else { continue };
            self.scope =
                self.again(&predicate.parameters, &self.specs.predicates[k].parameters, Mode::Predicate);
            let ty = self.specs.predicates[k].ty.clone();
            let body = self.block(body, &ty);
            self.specs.predicates[k].n_slots = self.scope.n_slots;
            self.specs.predicates[k].body = Some(body);
        }
        for (k, lemma) in found.lemmas.iter().enumerate() {
            self.scope = self.again(&lemma.parameters, &self.specs.lemmas[k].parameters, Mode::Lemma);
            let requires = self.clauses(&lemma.requires);
            self.scope.new_block();
            let ensures = self.clauses(&lemma.ensures);
            let checked = &mut self.specs.lemmas[k];
            (checked.requires, checked.ensures, checked.n_slots) = (requires, ensures, self.scope.n_slots);
        }
    }

    /// The scope of parameters that were resolved before.
    fn again(
        &self,
        written: &[ast::Parameter],
        parameters: &[crate::spec::checked::Parameter],
        mode: Mode,
    ) -> super::Scope {
        let mut scope = super::Scope::new(mode);
        for (written, parameter) in written.iter().zip(parameters) {
            scope.bind_slot(&parameter.name, parameter.ty.clone(), written.name.span);
        }
        scope
    }

    /// Clauses in order; what is wrong is left out.
    pub(super) fn clauses(&mut self, conditions: &[ast::Condition]) -> Vec<Clause> {
        conditions.iter().map(|condition| self.clause(condition)).collect()
    }

    fn clause(&mut self, condition: &ast::Condition) -> Clause {
        self.not_run = None;
        let kind = match &condition.kind {
            ConditionKind::Take(name, resource) => self.take(name, resource),
            ConditionKind::Let(name, value) => {
                let value = self.expr(value);
                let not_run = self.not_run.map(|(reason, _)| reason);
                self.warn_if_bound(name);
                let slot = self.scope.slot();
                let binding = Binding {
                    name: name.text.clone(),
                    kind: BindingKind::Slot(slot),
                    ty: value.ty.clone(),
                    span: Some(name.span),
                    not_run,
                };
                self.scope.bind(binding);
                ClauseKind::Let { name: name.text.clone(), slot, value }
            }
            ConditionKind::Holds(e) => ClauseKind::Holds(self.condition(e)),
            ConditionKind::Each(index, body) => {
                let before = self.scope.bindings.len();
                let index = self.index(index);
                let body = self.condition(body);
                self.scope.forget_to(before);
                ClauseKind::Each(index, body)
            }
        };
        let is_allocation = matches!(
            &kind,
            ClauseKind::Take { resource: Resource { kind: ResourceKind::Allocation { .. }, .. }, .. }
        );
        let not_run = self.take_not_run(matches!(kind, ClauseKind::Take { .. }));
        let not_run = not_run.or(is_allocation.then_some(NotRun::AllocationIds));
        Clause { kind, span: condition.span, not_run }
    }

    /// Why what was just checked is not run; says so.
    pub(super) fn take_not_run(&mut self, is_take: bool) -> Option<NotRun> {
        let (reason, span) = self.not_run.take()?;
        if reason == NotRun::AllocationIds {
            let diagnostic = if is_take {
                Diagnostic::error(span, "what is owned cannot depend on allocation identities")
                    .note("they do not exist when the program runs")
            } else {
                Diagnostic::warning(
                    span,
                    "this clause is not checked: allocation identities do not exist when the program runs",
                )
            };
            self.report(diagnostic);
        }
        Some(reason)
    }

    /// In a body that is run as a whole nothing can be left out.
    fn forget_not_run(&mut self) {
        if let Some((NotRun::AllocationIds, span)) = self.not_run.take() {
            self.report(
                Diagnostic::error(
                    span,
                    "this cannot be evaluated: allocation identities do not exist when the program runs",
                )
                .help("use it in a clause of its own, which is then skipped"),
            );
        }
    }

    fn warn_if_bound(&mut self, name: &Name) {
        let first = self.scope.find_in_block(&name.text).and_then(|binding| binding.span);
        if let Some(first) = first {
            let message = format!("`{}` is bound a second time", name.text);
            self.report(Diagnostic::warning(name.span, message).label(first, "the first is no longer seen"));
        }
    }

    fn take(&mut self, name: &Name, resource: &ast::Resource) -> ClauseKind {
        let resource = self.resource(resource);
        self.warn_if_bound(name);
        let slot = self.scope.slot();
        let kind = match &resource.kind {
            ResourceKind::Memory { is_initialised: false, .. } => BindingKind::Uninitialised(slot),
            _ => BindingKind::Slot(slot),
        };
        if let ResourceKind::Memory { pointer, ctype, is_initialised, .. } = &resource.kind
            && let Some(key) = key(pointer)
        {
            let taken = TakenSlot {
                slot,
                ctype: *ctype,
                ty: resource.ty.clone(),
                is_initialised: *is_initialised,
                span: resource.span,
            };
            if let Some(first) = self.scope.taken.insert(key, taken)
                && self.ctypes.size(first.ctype).is_some_and(|size| size > 0)
            {
                let diagnostic =
                    Diagnostic::warning(resource.span, "this was taken already, so it cannot be taken again")
                        .label(first.span, "here");
                self.report(diagnostic);
            }
        }
        let not_run = match &resource.kind {
            // One that could not be read is a message already.
            ResourceKind::Allocation { .. } if !resource.ty.is_unknown() => Some(NotRun::AllocationIds),
            _ => self.not_run.map(|(reason, _)| reason),
        };
        let binding = Binding {
            name: name.text.clone(),
            kind,
            ty: resource.ty.clone(),
            span: Some(name.span),
            not_run,
        };
        self.scope.bind(binding);
        ClauseKind::Take { name: name.text.clone(), slot, resource }
    }

    fn resource(&mut self, resource: &ast::Resource) -> Resource {
        match &resource.kind {
            ast::ResourceKind::Call(call) => self.resource_call(call),
            ast::ResourceKind::Each(index, call) => {
                let before = self.scope.bindings.len();
                let index = self.index(index);
                let body = Box::new(self.resource_call(call));
                self.scope.forget_to(before);
                let ty = self.bounded(Type::map(index.ty.clone(), body.ty.clone()), resource.span);
                Resource { kind: ResourceKind::Each { index, body }, ty, span: resource.span }
            }
        }
    }

    /// `T i; guard`; the index stays bound.
    pub(super) fn index(&mut self, index: &ast::Index) -> Index {
        let ty = self.index_type(&index.ty);
        let slot = self.scope.bind_slot(&index.name.text, ty.clone(), index.name.span);
        let guard = self.condition(&index.guard);
        let limits = self.limits(&guard, slot, &ty, &index.name.text, index.guard.span);
        Index {
            name: index.name.text.clone(),
            slot,
            ty,
            conditions: limits.conditions,
            lower: limits.lower,
            upper: limits.upper,
            guard,
        }
    }

    fn resource_call(&mut self, call: &ast::ResourceCall) -> Resource {
        match &call.name {
            ResourceName::Memory { is_initialised, is_read_only, ctype } => {
                let name = match (is_initialised, is_read_only) {
                    (_, true) => "R",
                    (true, false) => "RW",
                    (false, false) => "W",
                };
                self.memory(call, name, ctype.as_ref())
            }
            ResourceName::Predicate(name) if name.text == "R" && !self.table.predicates.contains_key("R") => {
                self.memory(call, "R", None)
            }
            ResourceName::Predicate(name)
                if name.text == "Alloc" && !self.table.predicates.contains_key("Alloc") =>
            {
                self.allocation(call)
            }
            ResourceName::Predicate(name) => self.predicate_call(name, call),
        }
    }

    fn memory(&mut self, call: &ast::ResourceCall, name: &str, ctype: Option<&ast::CTypeExpr>) -> Resource {
        let span = call.span;
        let (is_initialised, is_read_only) = (name != "W", name == "R");
        let [of] = &call.arguments[..] else {
            self.arguments(name, &[Type::Pointer(None)], &call.arguments, None, span);
            return nothing(span);
        };
        let pointer = self.pointer(of);
        let ctype = match ctype {
            Some(ctype) => self.c_type(ctype),
            None if pointer.ty.is_unknown() => None,
            None => self.pointee(&pointer, of, span),
        };
        let Some((ctype, size, ty)) = ctype.and_then(|ctype| self.owned_type(ctype, span)) else {
            return nothing(span);
        };
        // From here on the pointer is known to point to what was taken.
        let pointer = crate::spec::checked::Expr { ty: Type::Pointer(Some(ctype)), ..pointer };
        if !is_read_only {
            self.refuse_constant(&pointer, name, ctype, &short(of), span);
        }
        let kind = ResourceKind::Memory { pointer, ctype, size, is_initialised, is_read_only };
        Resource { kind, ty, span }
    }

    /// What is `const` can be read, and nobody can own it.
    fn refuse_constant(&mut self, pointer: &Expr, name: &str, ctype: TypeId, of: &str, span: Span) {
        let Some(global) = global_in(pointer).filter(|k| self.program.constants.contains(k)) else { return };
        let variable = &self.program.globals[global].name;
        let message = format!("`{variable}` is `const`, so nobody can own it with `{name}`");
        let shown = self.ctypes.name(ctype);
        let help = format!("if it is only read, write `R<{shown}>({of})`");
        self.report(Diagnostic::error(span, message).here("this memory cannot be written").help(help));
    }

    /// A C type that can be owned: its size and what its values are.
    pub(super) fn owned_type(&mut self, ctype: TypeId, span: Span) -> Option<(TypeId, u64, Type)> {
        let size = self.size_of(ctype, span)?;
        self.speaks_of(ctype, span);
        let ty = of_c(self.ctypes, ctype);
        if ty.is_none() {
            let shown = self.ctypes.name(ctype);
            self.error(span, format!("specs cannot speak of values of the C type `{shown}`"));
        }
        Some((ctype, size, ty?))
    }

    fn allocation(&mut self, call: &ast::ResourceCall) -> Resource {
        let arguments = self.arguments("Alloc", &[Type::Pointer(None)], &call.arguments, None, call.span);
        self.report(
            Diagnostic::warning(call.span, "`Alloc` is not checked, nor is what names its value")
                .help("what is allocated is watched anyway"),
        );
        let pointer = arguments.into_iter().next().unwrap_or_else(|| wrong(call.span));
        Resource { kind: ResourceKind::Allocation { pointer }, ty: allocation_type(), span: call.span }
    }

    fn predicate_call(&mut self, name: &Name, call: &ast::ResourceCall) -> Resource {
        let Some(id) = self.table.predicates.get(&name.text).copied() else {
            let diagnostic = if self.table.functions.contains_key(&name.text) {
                Diagnostic::error(name.span, format!("`{}` is a function, which owns nothing", name.text))
                    .help(format!("name its value: `let x = {}(…);`", name.text))
            } else if self.diagnostics.is_unread(&name.text) {
                return nothing(call.span);
            } else {
                let known = self.table.predicates.keys().map(String::as_str).chain(["RW", "W", "R"]);
                let help = self.suggestion(&name.text, known);
                Diagnostic::error(name.span, format!("unknown predicate `{}`", name.text)).maybe_help(help)
            };
            self.report(diagnostic);
            call.arguments.iter().for_each(|e| drop(self.expr(e)));
            return nothing(call.span);
        };
        let predicate = &self.specs.predicates[id.0 as usize];
        let types: Vec<Type> = predicate.parameters.iter().map(|parameter| parameter.ty.clone()).collect();
        let (ty, defined) = (predicate.ty.clone(), predicate.span);
        let arguments = self.arguments(&name.text, &types, &call.arguments, Some(defined), call.span);
        Resource { kind: ResourceKind::Predicate { predicate: id, arguments }, ty, span: call.span }
    }

    /// A block of a predicate that returns a type.
    fn block(&mut self, block: &ast::Block, ty: &Type) -> Block {
        let before = self.scope.bindings.len();
        let taken = self.scope.taken.clone();
        self.scope.block = before;
        let clauses = self.clauses(&block.conditions);
        let end = match &block.end {
            ast::BlockEnd::Return(value, span) => {
                BlockEnd::Return(self.block_value(value.as_ref(), ty, *span))
            }
            ast::BlockEnd::If(branches, otherwise) => {
                let branches = branches
                    .iter()
                    .map(|(condition, block)| {
                        let condition = self.condition(condition);
                        self.forget_not_run();
                        (condition, self.block(block, ty))
                    })
                    .collect();
                BlockEnd::If(branches, Box::new(self.block(otherwise, ty)))
            }
            ast::BlockEnd::Missing(span) => {
                let shown = self.show(ty);
                let help = if *ty == Type::Void {
                    "write `return;`".to_string()
                } else {
                    "write `return e;`".to_string()
                };
                self.report(
                    Diagnostic::error(*span, "this way through the predicate returns nothing")
                        .note(format!("the predicate gives `{shown}`"))
                        .help(help),
                );
                BlockEnd::Return(wrong(*span))
            }
        };
        self.scope.forget_to(before);
        self.scope.taken = taken;
        Block { clauses, end }
    }

    fn block_value(
        &mut self,
        value: Option<&ast::Expr>,
        ty: &Type,
        span: Span,
    ) -> crate::spec::checked::Expr {
        let checked = match value {
            Some(value) => self.expect(value, ty),
            None if *ty == Type::Void => expr(ExprKind::Unit, Type::Void, span),
            None => {
                let shown = self.show(ty);
                self.error(span, format!("the predicate gives `{shown}`, so `return` needs a value"));
                wrong(span)
            }
        };
        self.forget_not_run();
        checked
    }
}

/// A resource that was wrong.
fn nothing(span: Span) -> Resource {
    Resource { kind: ResourceKind::Allocation { pointer: wrong(span) }, ty: Type::Unknown, span }
}

/// The variable that a pointer points into, if it says so itself.
fn global_in(pointer: &Expr) -> Option<usize> {
    match &pointer.kind {
        ExprKind::GlobalAddress(global) => Some(global.0 as usize),
        ExprKind::Offset(of, _) => global_in(of),
        ExprKind::Shift { pointer, .. } => global_in(pointer),
        _ => None,
    }
}
