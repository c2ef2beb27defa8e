//! What can be read off predicates and datatypes before any state is made: which branch ends a recursion
//! soonest, and which constructors a branch can return.
//!
//! `draw` asks this [`Plan`]. Nothing is drawn here.

use crate::facts::StateObstacle;
use crate::spec::checked::{
    Block, BlockEnd, Clause, ClauseKind, Expr, ExprKind, FunctionBody, PredicateId, Resource, ResourceKind,
    Slot, Specs,
};
use crate::spec::position::Span;
use crate::spec::types::{DatatypeId, Type};

/// The depth of what never ends.
pub(super) const NEVER: u32 = u32::MAX;
/// All constructors.
const ANY: u64 = u64::MAX;
/// How many functions inside one another are looked through for what they return.
const MOST_CALLS: u32 = 8;

/// What is known of predicates and datatypes.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// How many predicates lie inside one another at least, by predicate.
    depths: Vec<u32>,
    /// The constructors that each predicate can return, a bit for each.
    returns: Vec<u64>,
    /// How many values lie inside one another at least, by datatype and constructor.
    constructors: Vec<Vec<u32>>,
    /// The constructors of each datatype, those first that lie least deep.
    ranks: Vec<Vec<u32>>,
    /// The conditions of predicates that call a function which calls itself, in order.
    walks: Vec<Span>,
}

impl Plan {
    pub(super) fn new(specs: &Specs) -> Plan {
        let mut plan = Plan {
            depths: vec![NEVER; specs.predicates.len()],
            returns: vec![0; specs.predicates.len()],
            constructors: specs.datatypes.iter().map(|d| vec![NEVER; d.constructors.len()]).collect(),
            ranks: Vec::new(),
            walks: walks(specs),
        };
        // Each round settles at least one more, or is the last.
        for _ in 0..=specs.predicates.len() {
            for (k, predicate) in specs.predicates.iter().enumerate() {
                if let Some(body) = &predicate.body {
                    plan.depths[k] = plan.depth(body).saturating_add(1);
                    plan.returns[k] |= plan.returns_of(specs, body);
                }
            }
        }
        for _ in 0..=specs.datatypes.len() {
            for (k, datatype) in specs.datatypes.iter().enumerate() {
                for (c, constructor) in datatype.constructors.iter().enumerate() {
                    let deepest = constructor.fields.iter().map(|(_, ty)| plan.depth_of(ty)).max();
                    plan.constructors[k][c] = deepest.unwrap_or(0);
                }
            }
        }
        let ranked = |depths: &Vec<u32>| {
            let mut all: Vec<u32> = (0..depths.len() as u32).collect();
            all.sort_by_key(|c| depths[*c as usize]);
            all
        };
        plan.ranks = plan.constructors.iter().map(ranked).collect();
        plan
    }

    /// Whether a condition of a predicate walks through a value of any depth.
    pub(super) fn is_walk(&self, clause: &Clause) -> bool {
        self.walks.binary_search(&clause.span).is_ok()
    }

    /// How many predicates a block takes inside one another at least.
    pub(super) fn depth(&self, block: &Block) -> u32 {
        let taken = block.clauses.iter().map(|clause| self.depth_of_clause(clause)).max().unwrap_or(0);
        let end = match &block.end {
            BlockEnd::Return(_) => 0,
            BlockEnd::If(branches, last) => {
                let least = branches.iter().map(|(_, block)| self.depth(block)).min().unwrap_or(NEVER);
                least.min(self.depth(last))
            }
        };
        taken.max(end)
    }

    fn depth_of_clause(&self, clause: &Clause) -> u32 {
        match &clause.kind {
            ClauseKind::Take { resource, .. } if clause.not_run.is_none() => self.depth_of_resource(resource),
            _ => 0,
        }
    }

    fn depth_of_resource(&self, resource: &Resource) -> u32 {
        match &resource.kind {
            ResourceKind::Predicate { predicate, .. } => self.depth_of_predicate(*predicate),
            // There may be no index at all.
            _ => 0,
        }
    }

    /// How many predicates lie inside one another in this one at least, itself included.
    pub(super) fn depth_of_predicate(&self, id: PredicateId) -> u32 {
        self.depths.get(id.0 as usize).copied().unwrap_or(NEVER)
    }

    /// The constructors of a datatype, and how deep a value with each is at least: the least deep ones first.
    pub(super) fn ranked(&self, of: DatatypeId) -> impl Iterator<Item = (u32, u32)> {
        let of = of.0 as usize;
        self.ranks[of]
            .iter()
            .map(move |constructor| (*constructor, self.constructors[of][*constructor as usize]))
    }

    fn depth_of(&self, ty: &Type) -> u32 {
        match ty {
            Type::Datatype(id) => {
                let all = self.constructors.get(id.0 as usize);
                all.and_then(|all| all.iter().min()).map_or(0, |least| least.saturating_add(1))
            }
            Type::Record(fields) => fields.iter().map(|(_, ty)| self.depth_of(ty)).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The constructors that a predicate can return.
    pub(super) fn constructors_of(&self, id: PredicateId) -> u64 {
        self.returns.get(id.0 as usize).copied().unwrap_or(ANY)
    }

    /// The constructors that a block can return.
    pub(super) fn returns_of(&self, specs: &Specs, block: &Block) -> u64 {
        match &block.end {
            BlockEnd::Return(e) => self.constructed(specs, e, &block.clauses, MOST_CALLS),
            BlockEnd::If(branches, last) => {
                let of_branches = branches.iter().map(|(_, block)| self.returns_of(specs, block));
                of_branches.fold(self.returns_of(specs, last), |all, more| all | more)
            }
        }
    }

    fn constructed(&self, specs: &Specs, e: &Expr, clauses: &[Clause], n_calls: u32) -> u64 {
        match &e.kind {
            ExprKind::Construct(_, constructor, _) if *constructor < 64 => 1 << constructor,
            ExprKind::If(_, a, b) => {
                self.constructed(specs, a, clauses, n_calls) | self.constructed(specs, b, clauses, n_calls)
            }
            ExprKind::Match(of) => {
                of.arms.iter().fold(0, |all, arm| all | self.constructed(specs, &arm.body, clauses, n_calls))
            }
            ExprKind::Let(_, body) => self.constructed(specs, body, clauses, n_calls),
            ExprKind::Call(id, _) if n_calls > 0 => match &specs.functions[id.0 as usize].body {
                FunctionBody::Expr(body) => self.constructed(specs, body, &[], n_calls - 1),
                _ => ANY,
            },
            ExprKind::Slot(slot) => taken(clauses, *slot).map_or(ANY, |id| self.constructors_of(id)),
            _ => ANY,
        }
    }

    /// Why no state can be made for clauses, if that is so.
    pub(super) fn obstacle(&self, specs: &Specs, clauses: &[Clause]) -> Option<StateObstacle> {
        clauses.iter().filter(|clause| clause.not_run.is_none()).find_map(|clause| {
            let ClauseKind::Take { resource, .. } = &clause.kind else { return None };
            let ResourceKind::Predicate { predicate, .. } = &resource.kind else { return None };
            let taken = &specs.predicates[predicate.0 as usize];
            let (clause, name) = (clause.span, || taken.name.to_string());
            if taken.body.is_none() {
                return Some(StateObstacle::NoBody { clause, predicate: name() });
            }
            let is_endless = self.depth_of_predicate(*predicate) == NEVER;
            is_endless.then(|| StateObstacle::Endless { clause, predicate: name() })
        })
    }
}

/// The conditions of predicates that call a function which calls itself, in order.
fn walks(specs: &Specs) -> Vec<Span> {
    let calls: Vec<Vec<usize>> = specs
        .functions
        .iter()
        .map(|function| match &function.body {
            FunctionBody::Expr(body) => called(body),
            _ => Vec::new(),
        })
        .collect();
    let reaches_itself = |start: usize| {
        let (mut seen, mut next) = (vec![false; calls.len()], calls[start].clone());
        while let Some(k) = next.pop() {
            if !std::mem::replace(&mut seen[k], true) {
                next.extend(&calls[k]);
            }
        }
        seen[start]
    };
    let mut is_recursive: Vec<bool> = (0..calls.len()).map(reaches_itself).collect();
    // Whoever calls such a function walks as well. Each round finds one more, or is the last.
    for _ in 0..calls.len() {
        for k in 0..calls.len() {
            is_recursive[k] |= calls[k].iter().any(|called| is_recursive[*called]);
        }
    }
    let mut walks = Vec::new();
    let mut blocks: Vec<&Block> = specs.predicates.iter().filter_map(|of| of.body.as_ref()).collect();
    while let Some(block) = blocks.pop() {
        let is_walk = |clause: &&Clause| match &clause.kind {
            ClauseKind::Holds(e) | ClauseKind::Each(_, e) => called(e).iter().any(|k| is_recursive[*k]),
            _ => false,
        };
        walks.extend(block.clauses.iter().filter(is_walk).map(|clause| clause.span));
        if let BlockEnd::If(branches, last) = &block.end {
            blocks.extend(branches.iter().map(|(_, block)| block).chain([&**last]));
        }
    }
    walks.sort();
    walks
}

/// The functions that an expression calls.
fn called(e: &Expr) -> Vec<usize> {
    let mut found = Vec::new();
    let mut next = vec![e];
    while let Some(e) = next.pop() {
        if let ExprKind::Call(id, _) = &e.kind {
            found.push(id.0 as usize);
        }
        e.each_child(&mut |child| next.push(child));
    }
    found
}

/// The predicate whose value a slot holds.
fn taken(clauses: &[Clause], slot: Slot) -> Option<PredicateId> {
    clauses.iter().find_map(|clause| match &clause.kind {
        ClauseKind::Take { slot: of, resource, .. } if *of == slot => match &resource.kind {
            ResourceKind::Predicate { predicate, .. } => Some(*predicate),
            _ => None,
        },
        _ => None,
    })
}
