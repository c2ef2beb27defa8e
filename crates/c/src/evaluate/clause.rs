//! From checked clauses, predicates, contracts and places in bodies to code.
//!
//! Each becomes a unit with an entry and a frame; the clauses of a C function share one frame, whose slots
//! are those of the checked tree, with the compiler's own behind them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::code::{CStandIn, Code, Condition, Failure, Op, Unit};
use super::compile::{Addresses, Compiler};
use super::shape::ShapeId;
use super::value::{Arena, Value};
use crate::ctypes::{CTypes, TypeId};
use crate::spec::Program;
use crate::spec::checked::{
    Block, BlockEnd, Capture, Clause, ClauseKind, Contract, Expr, ExprKind, FunctionBody, Import, Index,
    Parameter, Resource, ResourceKind, Specs, StatementKind,
};
use crate::spec::position::Span;
use crate::spec::types::Type;

/// A contract, compiled.
#[derive(Debug)]
pub(super) struct CompiledContract {
    pub(super) requires: u32,
    pub(super) ensures: u32,
    pub(super) n_frame: u32,
    pub(super) n_entry_slots: u32,
    pub(super) parameters: Vec<(u32, Option<ShapeId>)>,
    pub(super) result: Option<(u32, Option<ShapeId>)>,
    pub(super) is_trusted: bool,
    /// Names bound by the end of `requires`, with their slots.
    pub(super) entry_names: Vec<(String, u32, Type)>,
    pub(super) span: Span,
}

/// A loop or a place with statements, compiled.
#[derive(Debug)]
pub(super) struct CompiledSite {
    pub(super) entry: u32,
    pub(super) n_frame: u32,
    pub(super) captures: Arc<[TypeId]>,
    pub(super) span: Span,
    /// Of a loop: whether statements name what it binds.
    pub(super) is_named: bool,
    /// Of statements: the names that loops bind.
    pub(super) imports: Vec<Import>,
}

/// All specs, compiled.
#[derive(Debug)]
pub(super) struct CompiledSpecs {
    pub(super) code: Code,
    pub(super) addresses: Addresses,
    pub(super) n_functions: u32,
    pub(super) n_predicates: u32,
    pub(super) contracts: Vec<CompiledContract>,
    pub(super) loops: Vec<CompiledSite>,
    pub(super) statements: Vec<CompiledSite>,
    pub(super) contract_of: BTreeMap<String, usize>,
}

impl CompiledSpecs {
    pub(super) fn new(
        specs: &Specs,
        program: &Program,
        ctypes: &CTypes,
        addresses: Addresses,
        arena: &mut Arena,
    ) -> CompiledSpecs {
        let code = Code { ctypes: ctypes.clone(), datatypes: specs.datatypes.clone(), ..Code::default() };
        let mut compiled = CompiledSpecs {
            code,
            addresses,
            n_functions: specs.functions.len() as u32,
            n_predicates: specs.predicates.len() as u32,
            contracts: Vec::new(),
            loops: Vec::new(),
            statements: Vec::new(),
            contract_of: BTreeMap::new(),
        };
        compiled.definitions(specs, program, arena);
        for contract in &specs.contracts {
            let done = compiled.contract(contract, arena);
            compiled.contracts.push(done);
        }
        compiled.contract_of = specs
            .contract_of
            .iter()
            .filter(|(_, k)| specs.contracts[**k].not_run.is_none())
            .map(|(name, k)| (name.clone(), *k))
            .collect();
        for place in &specs.loops {
            let compile = |compiler: &mut Compiler<'_>| compiler.clauses(&place.clauses);
            let mut site = compiled.site(&place.captures, place.n_slots, place.span, arena, compile);
            site.is_named = specs.statements.iter().any(|s| s.reads_loop(compiled.loops.len()));
            compiled.loops.push(site);
        }
        for place in &specs.statements {
            let compile = |compiler: &mut Compiler<'_>| compiler.statements(place);
            let mut site = compiled.site(&place.captures, place.n_slots, place.span, arena, compile);
            site.imports.clone_from(&place.imports);
            compiled.statements.push(site);
        }
        compiled
    }

    /// A compiler for code in a frame.
    pub(super) fn compiler<'c>(
        &'c mut self,
        arena: &'c mut Arena,
        captures: &'c [TypeId],
        n_frame: u32,
    ) -> Compiler<'c> {
        Compiler {
            code: &mut self.code,
            arena,
            addresses: &self.addresses,
            captures,
            n_frame,
            n_functions: self.n_functions,
            n_predicates: self.n_predicates,
        }
    }

    fn definitions(&mut self, specs: &Specs, program: &Program, arena: &mut Arena) {
        for (k, function) in specs.functions.iter().enumerate() {
            let mut compiler = self.compiler(arena, &[], function.n_slots);
            let entry = compiler.here();
            match &function.body {
                FunctionBody::Expr(body) => compiler.expr(body),
                FunctionBody::Lifted(id) => {
                    compiler.lifted(*id, program, function.parameters.len(), function.span);
                }
                FunctionBody::Uninterpreted => {
                    compiler.emit(Op::Fail(Failure::Uninterpreted(k as u32)), function.span);
                }
            }
            compiler.emit(Op::Return, function.span);
            let n_frame = compiler.n_frame;
            self.unit(&function.name, entry, n_frame, &function.parameters, false);
        }
        for (k, predicate) in specs.predicates.iter().enumerate() {
            let unit = self.n_functions + k as u32;
            let mut compiler = self.compiler(arena, &[], predicate.n_slots);
            let entry = compiler.here();
            match &predicate.body {
                Some(body) => compiler.block(body),
                None => drop(compiler.emit(Op::Fail(Failure::Abstract(unit)), predicate.span)),
            }
            let n_frame = compiler.n_frame;
            self.unit(&predicate.name, entry, n_frame, &predicate.parameters, true);
        }
        for lemma in &specs.lemmas {
            let mut compiler = self.compiler(arena, &[], lemma.n_slots);
            let entry = compiler.here();
            for part in [&lemma.requires, &lemma.ensures] {
                compiler.emit(Op::NewState, lemma.span);
                part.iter().for_each(|clause| compiler.clause(clause));
            }
            compiler.constant(Value::Unit, lemma.span);
            compiler.emit(Op::Return, lemma.span);
            let n_frame = compiler.n_frame;
            self.unit(&lemma.name, entry, n_frame, &lemma.parameters, false);
        }
    }

    fn unit(&mut self, name: &str, entry: u32, n_frame: u32, parameters: &[Parameter], is_predicate: bool) {
        let parameters = parameters.to_vec();
        self.code.units.push(Unit { name: name.to_string(), entry, n_frame, parameters, is_predicate });
    }

    fn contract(&mut self, contract: &Contract, arena: &mut Arena) -> CompiledContract {
        let mut compiler = self.compiler(arena, &[], contract.n_slots);
        let requires = compiler.here();
        compiler.accesses(contract, true);
        compiler.clauses(&contract.requires);
        compiler.emit(Op::End, contract.span);
        let ensures = compiler.here();
        compiler.accesses(contract, false);
        compiler.clauses(&contract.ensures);
        compiler.emit(Op::End, contract.span);
        let n_frame = compiler.n_frame;
        let mut shape = |p: &Parameter| {
            let shape = p.ctype.map(|ctype| self.code.shapes.of(&self.code.ctypes, ctype));
            (p.slot.0, shape)
        };
        CompiledContract {
            requires,
            ensures,
            n_frame,
            n_entry_slots: contract.n_entry_slots,
            parameters: contract.parameters.iter().map(&mut shape).collect(),
            result: contract.result.as_ref().map(shape),
            is_trusted: contract.is_trusted,
            entry_names: entry_names(contract),
            span: contract.span,
        }
    }

    fn site(
        &mut self,
        captures: &[Capture],
        n_slots: u32,
        span: Span,
        arena: &mut Arena,
        compile: impl FnOnce(&mut Compiler<'_>),
    ) -> CompiledSite {
        let captures: Arc<[TypeId]> = captures.iter().map(|capture| capture.ctype).collect();
        let mut compiler = self.compiler(arena, &captures, n_slots);
        let entry = compiler.here();
        compile(&mut compiler);
        compiler.emit(Op::End, span);
        let n_frame = compiler.n_frame;
        CompiledSite { entry, n_frame, captures, span, is_named: false, imports: Vec::new() }
    }
}

/// What a report can say about the state at entry.
fn entry_names(contract: &Contract) -> Vec<(String, u32, Type)> {
    let parameters = contract.parameters.iter().map(|p| (p.name.clone(), p.slot.0, p.ty.clone()));
    let bound = contract.requires.iter().filter_map(|clause| match &clause.kind {
        ClauseKind::Take { name, slot, resource } => Some((name.clone(), slot.0, resource.ty.clone())),
        ClauseKind::Let { name, slot, value } => Some((name.clone(), slot.0, value.ty.clone())),
        _ => None,
    });
    parameters.chain(bound).collect()
}

impl Compiler<'_> {
    /// A call of a C function, with the arguments in the first slots.
    fn lifted(&mut self, id: crate::spec::checked::CFunctionId, program: &Program, n: usize, place: Span) {
        let Some(function) = program.functions.get(id.0 as usize) else {
            self.emit(Op::Fail(Failure::NoAddress), place);
            return;
        };
        for k in 0..n {
            self.emit(Op::Slot(k as u32), place);
        }
        let mut shape = |ty: TypeId| self.code.shapes.of(&self.code.ctypes, ty);
        let parameters = function.parameters.iter().map(|p| shape(p.ty)).collect();
        let returns = shape(function.returns);
        self.code.foreign.push(CStandIn { function: id, name: function.name.clone(), parameters, returns });
        self.emit(Op::CallC(self.code.foreign.len() as u32 - 1), place);
    }

    fn accesses(&mut self, contract: &Contract, is_entry: bool) {
        for access in &contract.accesses {
            self.begin_clause(access.span, false);
            let kind = ExprKind::GlobalAddress(access.global);
            self.expr(&Expr { kind, ty: Type::Pointer(Some(access.ctype)), span: access.span });
            let taken = self.access_as(access.ctype, access.size, true, access.is_read_only);
            self.emit(Op::Take(taken), access.span);
            let slot = if is_entry { access.before } else { access.after };
            self.emit(Op::Store(slot.0), access.span);
        }
    }

    fn begin_clause(&mut self, span: Span, is_condition: bool) {
        self.code.clauses.push(span);
        self.code.clause_starts.push((self.code.ops.len(), is_condition));
        self.emit(Op::Clause(self.code.clauses.len() as u32 - 1), span);
    }

    /// Clauses of a contract or an invariant.
    fn clauses(&mut self, clauses: &[Clause]) {
        for clause in clauses {
            let is_condition = matches!(clause.kind, ClauseKind::Holds(_) | ClauseKind::Each(..));
            self.begin_clause(clause.span, is_condition);
            self.clause(clause);
        }
    }

    fn statements(&mut self, of: &crate::spec::checked::Statements) {
        for statement in of.statements.iter().filter(|s| s.not_run.is_none()) {
            self.begin_clause(statement.span, true);
            match &statement.kind {
                StatementKind::Assert(e) => self.require(e, None),
                StatementKind::AssertEach(index, body) => self.require_each(index, body, statement.span),
                StatementKind::Apply(lemma, arguments) => {
                    arguments.iter().for_each(|e| self.expr(e));
                    let unit = self.n_functions + self.n_predicates + lemma.0;
                    self.emit(Op::Call(unit), statement.span);
                    self.emit(Op::Drop, statement.span);
                }
                StatementKind::ProofOnly => {}
            }
        }
    }

    fn clause(&mut self, clause: &Clause) {
        if clause.not_run.is_some() {
            return;
        }
        match &clause.kind {
            ClauseKind::Take { slot, resource, .. } => {
                self.resource(resource);
                self.emit(Op::Store(slot.0), clause.span);
            }
            ClauseKind::Let { slot, value, .. } => self.unary(value, Op::Store(slot.0), clause.span),
            ClauseKind::Holds(e) => self.require(e, None),
            ClauseKind::Each(index, body) => self.require_each(index, body, clause.span),
        }
    }

    fn require(&mut self, e: &Expr, index: Option<&Index>) {
        // Each part of a conjunction by itself: what is false is then known to be the part.
        if let ExprKind::And(a, b) = &e.kind {
            self.require(a, index);
            return self.require(b, index);
        }
        self.expr(e);
        let index = index.map(|index| (index.name.clone(), index.slot.0, index.ty.clone()));
        self.code.conditions.push(Condition { expr: e.clone(), index });
        self.emit(Op::Require(self.code.conditions.len() as u32 - 1), e.span);
    }

    fn require_each(&mut self, index: &Index, body: &Expr, place: Span) {
        let name = self.name(&index.name);
        self.indices(index, name, place, |compiler| compiler.require(body, Some(index)));
    }

    /// Leaves the value of what is taken on the stack.
    fn resource(&mut self, resource: &Resource) {
        let place = resource.span;
        match &resource.kind {
            ResourceKind::Memory { pointer, ctype, size, is_initialised, is_read_only } => {
                self.expr(pointer);
                let access = self.access_as(*ctype, *size, *is_initialised, *is_read_only);
                self.emit(Op::Take(access), place);
                if !is_initialised {
                    self.default(&resource.ty, place);
                }
            }
            ResourceKind::Predicate { predicate, arguments } => {
                arguments.iter().for_each(|e| self.expr(e));
                self.emit(Op::Call(self.n_functions + predicate.0), place);
            }
            ResourceKind::Each { index, body } => {
                let count = self.own_slot();
                self.constant(Value::Integer(0), place);
                self.emit(Op::Store(count), place);
                // However many there are: the first one that cannot be taken ends it.
                self.indices(index, u32::MAX, place, |compiler| {
                    compiler.emit(Op::Slot(index.slot.0), place);
                    compiler.resource(body);
                    compiler.emit(Op::Increase(count), place);
                });
                self.emit(Op::Map(count), place);
            }
            // Its contract is not run.
            ResourceKind::Allocation { pointer } => self.unary(pointer, Op::Drop, place),
        }
        if matches!(resource.kind, ResourceKind::Allocation { .. }) {
            self.constant(Value::Unit, place);
        }
    }

    /// Runs something for all indices that satisfy the guard. With a name, of those that are too many it is
    /// said.
    fn indices(&mut self, index: &Index, name: u32, place: Span, body: impl FnOnce(&mut Self)) {
        let own = self.own_slots(2);
        let bits = index.ty.bits();
        let mut ends = Vec::new();
        for condition in &index.conditions {
            self.expr(condition);
            ends.push(self.emit(Op::JumpIfFalse(0), place));
        }
        self.emit(Op::Range(own, bits), place);
        for (limits, is_lower) in [(&index.lower, true), (&index.upper, false)] {
            limits.iter().for_each(|limit| self.narrow(own, &limit.value, is_lower, limit.is_excluded));
        }
        ends.push(self.emit(Op::Begin(own, name, 0), place));
        let top = self.here();
        self.emit(Op::Index(own, bits), place);
        self.emit(Op::Store(index.slot.0), place);
        self.expr(&index.guard);
        let next = self.emit(Op::JumpIfFalse(0), place);
        body(self);
        self.land(next);
        self.emit(Op::Next(own, top), place);
        ends.into_iter().for_each(|jump| self.land(jump));
    }

    /// The body of a predicate, or a branch of it: every way through it returns.
    fn block(&mut self, block: &Block) {
        block.clauses.iter().for_each(|clause| self.clause(clause));
        match &block.end {
            BlockEnd::Return(value) => self.unary(value, Op::Return, value.span),
            BlockEnd::If(branches, otherwise) => {
                for (condition, branch) in branches {
                    self.expr(condition);
                    let next = self.emit(Op::JumpIfFalse(0), condition.span);
                    self.block(branch);
                    self.land(next);
                }
                self.block(otherwise);
            }
        }
    }
}
