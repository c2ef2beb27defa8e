//! What `requires` says about each parameter, for whoever makes up arguments.
//!
//! Reads facts off a checked contract without running it. They are hints: whoever follows them is called more
//! often, and whoever does not is merely discarded.

use num_bigint::BigInt;

use crate::ctypes::TypeId;
use crate::spec::checked::{
    Arithmetic, BlockEnd, Builtin, ClauseKind, Contract, Expr, ExprKind, Index, PredicateId, Resource,
    ResourceKind, Slot, Specs,
};
use crate::spec::position::Span;

/// How many predicates inside one another a parameter is followed through.
const MOST_NESTED: u32 = 4;

/// Something that `requires` says about a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Which parameter.
    pub parameter: usize,
    /// Which part of it, if it is not about the parameter itself.
    pub part: Option<Portion>,
    /// What.
    pub kind: HintKind,
    /// Where it says so.
    pub span: Span,
}

/// A part of an argument: what a pointer points to, or a member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Portion {
    /// Whether the pointer is followed first.
    pub is_pointee: bool,
    /// Then the members on the way, by their places.
    pub path: Vec<u32>,
}

/// What is said about a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HintKind {
    /// It is one of these.
    OneOf(Vec<BigInt>),
    /// It is equal to this.
    Equal(Bound),
    /// It is not this.
    Unequal(Bound),
    /// It is this or more.
    AtLeast(Bound),
    /// It is this or less.
    AtMost(Bound),
    /// It is no more than something that is known only when it is evaluated: a length, mostly.
    IsBounded,
    /// It is `NULL`.
    Null,
    /// It is not `NULL`.
    NotNull,
    /// It may be `NULL`, as one alternative.
    MayBeNull,
    /// Memory is taken through it.
    Memory {
        /// As what.
        ctype: TypeId,
        /// In bytes from the pointer on.
        offset: u64,
        /// In bytes.
        size: u64,
        /// Whether it must be initialised (`RW`).
        is_initialised: bool,
    },
    /// A predicate is taken with it as an argument.
    Predicate {
        /// Which predicate.
        predicate: PredicateId,
        /// Which argument of it.
        argument: usize,
        /// Whether it holds for `NULL` at once.
        admits_null: bool,
        /// What it takes there first, if that can be seen: its type, its size in bytes and whether it must be
        /// initialised.
        takes: Option<(TypeId, u64, bool)>,
    },
    /// It points to several elements.
    Elements {
        /// As what each is taken.
        ctype: TypeId,
        /// In bytes, from one to the next.
        stride: u64,
        /// Whether they must be initialised.
        is_initialised: bool,
        /// The first index.
        from: Option<Bound>,
        /// The last index.
        to: Option<Bound>,
    },
}

/// A number, or a parameter and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The parameter that is added, if there is one.
    pub parameter: Option<usize>,
    /// The number.
    pub number: BigInt,
}

/// The facts of a contract, in the order in which it states them.
#[must_use]
pub fn hints(specs: &Specs, contract: &Contract) -> Vec<Hint> {
    let mut found = Hints { specs, contract, hints: Vec::new() };
    for clause in contract.requires.iter().filter(|clause| clause.not_run.is_none()) {
        match &clause.kind {
            ClauseKind::Take { resource, .. } => found.resource(resource),
            ClauseKind::Holds(e) => found.condition(e),
            ClauseKind::Let { .. } | ClauseKind::Each(..) => {}
        }
    }
    found.hints
}

/// A parameter, or a part of one.
type Subject = (usize, Option<Portion>);

struct Hints<'s> {
    specs: &'s Specs,
    contract: &'s Contract,
    hints: Vec<Hint>,
}

impl Hints<'_> {
    fn add(&mut self, parameter: usize, kind: HintKind, span: Span) {
        self.add_part((parameter, None), kind, span);
    }

    fn add_part(&mut self, (parameter, part): Subject, kind: HintKind, span: Span) {
        self.hints.push(Hint { parameter, part, kind, span });
    }

    /// The parameter, or the part of one, that an expression is.
    fn subject(&self, e: &Expr) -> Option<Subject> {
        match &e.kind {
            ExprKind::Slot(slot) if self.is_bound(*slot) => {
                let pointee = || Some(Portion { is_pointee: true, path: Vec::new() });
                match self.named(*slot) {
                    Some(named) => self.subject(named),
                    None => Some((self.parameter(self.taken(*slot)?)?, pointee())),
                }
            }
            ExprKind::Cast(of) => self.subject(of),
            ExprKind::Member(of, member) => {
                let (parameter, part) = self.subject(of)?;
                let mut part = part.unwrap_or(Portion { is_pointee: false, path: Vec::new() });
                part.path.push(*member);
                Some((parameter, Some(part)))
            }
            _ => Some((self.parameter(e)?, None)),
        }
    }

    /// Whether a slot is not a parameter's.
    fn is_bound(&self, slot: Slot) -> bool {
        self.contract.parameters.iter().all(|parameter| parameter.slot != slot)
    }

    /// The pointer through which `requires` has read what is in a slot.
    fn taken(&self, slot: Slot) -> Option<&Expr> {
        self.contract.requires.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Take { slot: bound, resource, .. } if *bound == slot => match &resource.kind {
                ResourceKind::Memory { pointer, is_initialised: true, .. } => Some(pointer),
                _ => None,
            },
            _ => None,
        })
    }

    /// The parameter that an expression is, behind conversions and names for it.
    fn parameter(&self, e: &Expr) -> Option<usize> {
        match &e.kind {
            ExprKind::Slot(slot) => match self.contract.parameters.iter().position(|p| p.slot == *slot) {
                Some(k) => Some(k),
                None => self.parameter(self.named(*slot)?),
            },
            ExprKind::Cast(of) => self.parameter(of),
            _ => None,
        }
    }

    /// What a `let` of `requires` put into a slot.
    fn named(&self, slot: Slot) -> Option<&Expr> {
        self.contract.requires.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Let { slot: bound, value, .. } if *bound == slot => Some(value),
            _ => None,
        })
    }

    fn bound(&self, e: &Expr) -> Option<Bound> {
        if let Some(number) = e.number() {
            return Some(Bound { parameter: None, number });
        }
        if let Some(parameter) = self.parameter(e) {
            return Some(Bound { parameter: Some(parameter), number: BigInt::ZERO });
        }
        match &e.kind {
            ExprKind::Cast(of) => self.bound(of),
            ExprKind::Slot(slot) => self.bound(self.named(*slot)?),
            ExprKind::Arithmetic(op @ (Arithmetic::Add | Arithmetic::Subtract), a, b) => {
                let (a, b) = (self.bound(a)?, self.bound(b)?);
                match (op, a.parameter, b.parameter) {
                    (Arithmetic::Add, None, _) => {
                        Some(Bound { parameter: b.parameter, number: a.number + b.number })
                    }
                    (Arithmetic::Add, _, None) => {
                        Some(Bound { parameter: a.parameter, number: a.number + b.number })
                    }
                    (Arithmetic::Subtract, _, None) => {
                        Some(Bound { parameter: a.parameter, number: a.number - b.number })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn condition(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::And(a, b) => {
                self.condition(a);
                self.condition(b);
            }
            ExprKind::Or(..) => self.alternatives(e),
            ExprKind::Not(of) => match &of.kind {
                ExprKind::Equal(a, b) => self.unequal(a, b, e.span),
                ExprKind::Builtin(Builtin::IsNull, arguments) => {
                    if let Some(k) = arguments.first().and_then(|p| self.subject(p)) {
                        self.add_part(k, HintKind::NotNull, e.span);
                    }
                }
                ExprKind::Less(a, b) => self.order(b, a, 0, e.span),
                ExprKind::LessEqual(a, b) => self.order(b, a, 1, e.span),
                _ => {}
            },
            ExprKind::Builtin(which @ (Builtin::IsNull | Builtin::HasAllocId), arguments) => {
                if let Some(k) = arguments.first().and_then(|p| self.subject(p)) {
                    let is_null = *which == Builtin::IsNull;
                    self.add_part(k, if is_null { HintKind::Null } else { HintKind::NotNull }, e.span);
                }
            }
            ExprKind::Equal(a, b) => self.equal(a, b, e.span),
            ExprKind::Unequal(a, b) => self.unequal(a, b, e.span),
            ExprKind::Less(a, b) => self.order(a, b, 1, e.span),
            ExprKind::LessEqual(a, b) => self.order(a, b, 0, e.span),
            _ => {}
        }
    }

    /// The parameter and what it is compared with, both ways round.
    fn sides(&self, a: &Expr, b: &Expr) -> Vec<(Subject, Option<Bound>, bool)> {
        let side = |of: &Expr, other: &Expr| {
            self.subject(of).map(|k| (k, self.bound(other), matches!(other.kind, ExprKind::Null)))
        };
        side(a, b).into_iter().chain(side(b, a)).collect()
    }

    fn equal(&mut self, a: &Expr, b: &Expr, span: Span) {
        for (k, bound, is_null) in self.sides(a, b) {
            match bound {
                _ if is_null => self.add_part(k, HintKind::Null, span),
                Some(Bound { parameter: None, number }) => {
                    self.add_part(k, HintKind::OneOf(vec![number]), span);
                }
                Some(bound) => self.add_part(k, HintKind::Equal(bound), span),
                None => {}
            }
        }
    }

    fn unequal(&mut self, a: &Expr, b: &Expr, span: Span) {
        for (k, bound, is_null) in self.sides(a, b) {
            match bound {
                _ if is_null => self.add_part(k, HintKind::NotNull, span),
                Some(bound) => self.add_part(k, HintKind::Unequal(bound), span),
                None => {}
            }
        }
    }

    /// `less + distance <= more`
    fn order(&mut self, less: &Expr, more: &Expr, distance: i32, span: Span) {
        if let (Some(k), Some(bound)) = (self.subject(less), self.bound(more)) {
            let number = bound.number - distance;
            self.add_part(k, HintKind::AtMost(Bound { number, ..bound }), span);
        } else if let Some(k) = self.subject(less) {
            self.add_part(k, HintKind::IsBounded, span);
        }
        if let (Some(k), Some(bound)) = (self.subject(more), self.bound(less)) {
            let number = bound.number + distance;
            self.add_part(k, HintKind::AtLeast(Bound { number, ..bound }), span);
        }
    }

    /// `x == 1 || x == 2 || …`, or `is_null(p) || …`
    fn alternatives(&mut self, e: &Expr) {
        let mut list = Vec::new();
        disjuncts(e, &mut list);
        let mut numbers: Option<(Subject, Vec<BigInt>)> = None;
        let mut is_all = true;
        for part in &list {
            let mut of_part = Hints { specs: self.specs, contract: self.contract, hints: Vec::new() };
            of_part.condition(part);
            match of_part.hints.as_slice() {
                [Hint { parameter, part, kind: HintKind::OneOf(values), .. }] => match &mut numbers {
                    None => numbers = Some(((*parameter, part.clone()), values.clone())),
                    Some(((known, of), all)) if known == parameter && of == part => {
                        all.extend(values.iter().cloned());
                    }
                    Some(_) => is_all = false,
                },
                _ => is_all = false,
            }
            let null = of_part.hints.iter().filter(|hint| hint.kind == HintKind::Null);
            null.for_each(|hint| {
                self.add_part((hint.parameter, hint.part.clone()), HintKind::MayBeNull, e.span);
            });
        }
        if let (true, Some((parameter, values))) = (is_all, numbers) {
            self.add_part(parameter, HintKind::OneOf(values), e.span);
        }
    }

    fn resource(&mut self, resource: &Resource) {
        let span = resource.span;
        match &resource.kind {
            ResourceKind::Memory { pointer, ctype, size, is_initialised, .. } => {
                let (mut pointer, mut offset) = (pointer, 0u64);
                while let ExprKind::Offset(of, by) = &pointer.kind {
                    (pointer, offset) = (of, offset.wrapping_add(*by));
                }
                if let Some(k) = self.parameter(pointer) {
                    let (ctype, size, is_initialised) = (*ctype, *size, *is_initialised);
                    self.add(k, HintKind::Memory { ctype, offset, size, is_initialised }, span);
                }
            }
            ResourceKind::Predicate { predicate, arguments } => {
                for (argument, e) in arguments.iter().enumerate() {
                    let Some(k) = self.parameter(e) else { continue };
                    let (admits_null, takes) = self.of_predicate(*predicate, argument, MOST_NESTED);
                    let kind = HintKind::Predicate { predicate: *predicate, argument, admits_null, takes };
                    self.add(k, kind, span);
                }
            }
            ResourceKind::Each { index, body } => self.elements(index, body, span),
            ResourceKind::Allocation { .. } => {}
        }
    }

    fn elements(&mut self, index: &Index, body: &Resource, span: Span) {
        let ResourceKind::Memory { pointer, ctype, is_initialised, .. } = &body.kind else { return };
        let ExprKind::Shift { pointer, index: by, size } = &pointer.kind else { return };
        if !by.reads(index.slot) {
            return;
        }
        let Some(k) = self.parameter(pointer) else { return };
        let limit = |limits: &[crate::spec::checked::Limit], step: i32| {
            let found = limits.iter().find_map(|limit| Some((self.bound(&limit.value)?, limit.is_excluded)));
            found.map(|(bound, is_excluded)| Bound {
                number: bound.number + if is_excluded { step } else { 0 },
                ..bound
            })
        };
        let (from, to) = (limit(&index.lower, 1), limit(&index.upper, -1));
        let kind =
            HintKind::Elements { ctype: *ctype, stride: *size, is_initialised: *is_initialised, from, to };
        self.add(k, kind, span);
    }

    /// Whether a predicate is content with NULL for an argument, and what it takes there first otherwise. One
    /// that hands its argument on to another is looked through.
    fn of_predicate(
        &self,
        id: PredicateId,
        argument: usize,
        n_nested: u32,
    ) -> (bool, Option<(TypeId, u64, bool)>) {
        let Some(predicate) = self.specs.predicates.get(id.0 as usize) else { return (false, None) };
        let (Some(body), Some(parameter)) = (&predicate.body, predicate.parameters.get(argument)) else {
            return (false, None);
        };
        let mut takes = None;
        let mut admits_null = false;
        let mut blocks = vec![body];
        while let Some(block) = blocks.pop() {
            let found = block.clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Take { resource, .. } => taken_through(resource, parameter.slot),
                _ => None,
            });
            takes = takes.or(found);
            let handed_on = block.clauses.iter().find_map(|clause| match &clause.kind {
                ClauseKind::Take { resource, .. } => handed_on(resource, parameter.slot),
                _ => None,
            });
            if let (Some((inner, place)), None, true) = (handed_on, found, n_nested > 0) {
                let (admits, taken) = self.of_predicate(inner, place, n_nested - 1);
                admits_null |= admits;
                takes = takes.or(taken);
            }
            if let BlockEnd::If(branches, otherwise) = &block.end {
                for (condition, branch) in branches {
                    let is_end = branch.clauses.is_empty() && matches!(branch.end, BlockEnd::Return(_));
                    admits_null |= is_end && found.is_none() && is_null_test(condition, parameter.slot);
                }
                blocks.push(otherwise);
                blocks.extend(branches.iter().rev().map(|(_, branch)| branch));
            }
        }
        (admits_null, takes)
    }
}

fn disjuncts<'e>(e: &'e Expr, list: &mut Vec<&'e Expr>) {
    match &e.kind {
        ExprKind::Or(a, b) => {
            disjuncts(a, list);
            disjuncts(b, list);
        }
        _ => list.push(e),
    }
}

fn taken_through(resource: &Resource, slot: Slot) -> Option<(TypeId, u64, bool)> {
    match &resource.kind {
        ResourceKind::Memory { pointer, ctype, size, is_initialised, .. } if matches!(pointer.kind, ExprKind::Slot(read) if read == slot) => {
            Some((*ctype, *size, *is_initialised))
        }
        _ => None,
    }
}

/// The predicate that a resource is, if it is handed what is in a slot, and for which argument.
fn handed_on(resource: &Resource, slot: Slot) -> Option<(PredicateId, usize)> {
    let ResourceKind::Predicate { predicate, arguments } = &resource.kind else { return None };
    let is_it = |e: &Expr| matches!(e.kind, ExprKind::Slot(read) if read == slot);
    Some((*predicate, arguments.iter().position(is_it)?))
}

/// `is_null(p)` or `p == NULL`
fn is_null_test(e: &Expr, slot: Slot) -> bool {
    let is_it = |e: &Expr| matches!(e.kind, ExprKind::Slot(read) if read == slot);
    match &e.kind {
        ExprKind::Builtin(Builtin::IsNull, arguments) => arguments.first().is_some_and(is_it),
        ExprKind::Equal(a, b) => {
            (is_it(a) && matches!(b.kind, ExprKind::Null)) || (is_it(b) && matches!(a.kind, ExprKind::Null))
        }
        _ => false,
    }
}
