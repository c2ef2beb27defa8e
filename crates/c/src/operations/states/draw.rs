//! Runs predicates backwards: every clause is a demand on the draft, and what is open is chosen from the
//! stream.
//!
//! A `take` of a predicate waits until the other clauses of its block have stated their demands on its value:
//! a `match` on the value picks the constructor first, and the predicate then runs in the branch that returns
//! it (narrowing, as in functional logic languages). A branch that clashes is undone and the other one tried;
//! a predicate that clashes is tried again a few times. `terms` handles expressions, `commit` draws what is
//! left open.

use super::bounds::Bounds;
use super::draft::{Clash, Draft, Mark, NOBODY, Pointer, Term, TermId};
use super::plan::{NEVER, Plan};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::machine::Range;
use crate::operations::text;
use crate::spec::checked::{
    Access, Block, BlockEnd, Clause, ClauseKind, Expr, Index, PredicateId, Resource, ResourceKind, Specs,
};
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type, of_c};
use stairway::engine::Prng;

/// How often a demand, and a predicate, is tried again in another way.
const DEMAND_TRIES: u32 = 8;
const PREDICATE_TRIES: u32 = 3;
/// How much work and memory a draft may take, and how deep definitions may lie inside one another.
const MOST_STEPS: u32 = 40_000;
const MOST_TERMS: usize = 200_000;
const MOST_DEPTH: u32 = 120;
/// How many indices an `each` may have, and how many elements an array has before only those that are spoken
/// of are terms.
const MOST_INDICES: i128 = 512;
const MOST_ELEMENTS: u64 = 256;
/// How many numbers of things are choices of their own. Where a state has more, they follow from its seed.
const MOST_SIZES: u32 = 16;
/// How likely it is to go on where a state may grow, against ending there.
const GROW: [u32; 2] = [1, 6];
const END: [u32; 2] = [12, 1];
/// How likely memory is made anew, against handing back some that was taken.
const ANEW: [u32; 2] = [1, 4];

/// Why no state was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fail {
    /// A clause clashes with what was demanded before.
    Clash,
    /// It became too large or took too long.
    TooLong,
    /// A clause says something that cannot be turned round.
    Unknown(Span),
}

impl From<Clash> for Fail {
    fn from(_: Clash) -> Fail {
        Fail::Clash
    }
}

/// A result of drawing.
pub(super) type DrawResult<T = ()> = Result<T, Fail>;
/// Draws a number of things between two numbers.
pub(super) type SizeSource<'s> = dyn Fn(i64, i64) -> i64 + 's;
/// Terms by slot.
pub(super) type Frame = Vec<TermId>;

/// A predicate that waits.
#[derive(Clone, Debug)]
struct PendingPredicate {
    predicate: PredicateId,
    arguments: Vec<TermId>,
    output: TermId,
    budget: u32,
    is_done: bool,
}

/// Memory to draw in, to be used again.
#[derive(Debug, Default)]
pub(super) struct Room {
    draft: Draft,
    waiting: Vec<PendingPredicate>,
    done: Vec<usize>,
    frames: Vec<Frame>,
}

/// A moment to return to.
pub(super) struct Moment {
    draft: Mark,
    n_waiting: usize,
    n_done: usize,
}

/// In which order the conditions of a predicate are met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Those that walk through the values of other predicates come when these have run: else they would
    /// decide the shape of what they walk through by chance, whatever the conditions after them ask of it.
    ShapesFirst,
    /// As they are written: what a walk asks for (a length) is known before there is a shape.
    AsWritten,
}

/// What each of the predicates that a block takes gets of the nodes that may be added.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    /// Each of them, if none is favoured.
    each: u32,
    /// How many come before the one that gets all of them, and how many these are.
    favourite: Option<(u32, u32)>,
}

impl Share {
    /// What the next one gets.
    fn next(&mut self) -> u32 {
        match &mut self.favourite {
            None => self.each,
            Some((0, all)) => std::mem::take(all),
            Some((n_before, _)) => {
                *n_before -= 1;
                0
            }
        }
    }
}

/// What is known of the program.
#[derive(Clone, Copy)]
pub(super) struct World<'a> {
    pub(super) specs: &'a Specs,
    pub(super) types: &'a CTypes,
    pub(super) plan: &'a Plan,
    /// What the numbers in values of predicates can be.
    pub(super) bounds: &'a Bounds,
    /// Where globals are, by their places in the specs, and their types.
    pub(super) globals: &'a [(Option<u64>, TypeId)],
    /// Where functions are.
    pub(super) functions: &'a [Option<u64>],
}

/// A state on its way.
pub(super) struct Drawing<'a, 's> {
    pub(super) world: World<'a>,
    pub(super) draft: Draft,
    waiting: Vec<PendingPredicate>,
    /// Those of them that are done, in order.
    done: Vec<usize>,
    /// What decides the shape of the state.
    prng: Prng,
    order: Order,
    n_picked: u32,
    /// Where numbers of things are drawn, for so many of them; else the seed decides.
    sizes: Option<&'s SizeSource<'s>>,
    n_sizes: u32,
    pub(super) n_steps: u32,
    depth: u32,
    /// How many nodes may still be added where we are, and what each predicate that is taken there gets of
    /// them.
    pub(super) budget: u32,
    share: Share,
    /// The predicate that runs.
    inside: Option<PredicateId>,
    /// How often the demand at hand was tried.
    pub(super) n_tried: u32,
    /// The clause at hand.
    pub(super) at: Span,
    /// Memory that is there and may be taken again.
    pub(super) owned: Vec<Range>,
    /// Frames that were left, to be used again.
    frames: Vec<Frame>,
}

impl<'a, 's> Drawing<'a, 's> {
    pub(super) fn new(world: World<'a>, room: Room, seed: u64, order: Order, at: Span) -> Self {
        let Room { mut draft, waiting, done, frames } = room;
        draft.clear();
        Drawing {
            world,
            draft,
            waiting,
            done,
            prng: Prng::new(seed),
            order,
            n_picked: 0,
            sizes: None,
            n_sizes: 0,
            n_steps: 0,
            depth: 0,
            budget: 0,
            share: Share::default(),
            inside: None,
            n_tried: 0,
            at,
            owned: Vec::new(),
            frames,
        }
    }

    /// Draws numbers of things from here.
    pub(super) fn sized_by(mut self, sizes: &'s SizeSource<'s>) -> Self {
        self.sizes = Some(sizes);
        self
    }

    /// The memory that was drawn in.
    pub(super) fn into_room(mut self) -> Room {
        self.forget_waiting(0);
        self.done.clear();
        Room { draft: self.draft, waiting: self.waiting, done: self.done, frames: self.frames }
    }

    fn forget_waiting(&mut self, n_left: usize) {
        self.frames.extend(self.waiting.drain(n_left..).map(|mut waiting| {
            waiting.arguments.clear();
            waiting.arguments
        }));
    }

    /// An empty frame.
    pub(super) fn frame(&mut self) -> Frame {
        self.frames.pop().unwrap_or_default()
    }

    /// Leaves a frame.
    pub(super) fn leave(&mut self, mut frame: Frame) {
        frame.clear();
        self.frames.push(frame);
    }

    /// Makes clauses hold, with so many nodes for their predicates together.
    pub(super) fn requires(&mut self, clauses: &'a [Clause], frame: &mut Frame, budget: u32) -> DrawResult {
        self.budget = budget;
        self.share = self.shared(budget, clauses);
        self.clauses(clauses, frame)?;
        self.run_waiting(0)
    }

    /// Shares out nodes among the predicates that clauses take: half of the time all get the same, else one of
    /// them gets all, so that it can be large where the others are not. Where a predicate takes itself, all get
    /// the same: how often it does so is drawn anyway, and a tree may have to be balanced.
    fn shared(&mut self, budget: u32, clauses: &[Clause]) -> Share {
        let n = n_taken(clauses).max(1);
        let favourite = match n {
            2.. if budget > 1 && !self.inside.is_some_and(|id| takes(clauses, id)) => {
                self.pick(2 * n as usize) as u32
            }
            _ => n,
        };
        Share { each: budget.div_ceil(n), favourite: (favourite < n).then_some((favourite, budget)) }
    }

    /// Takes a global.
    pub(super) fn access(&mut self, access: &Access) -> DrawResult<TermId> {
        let Some((Some(address), ty)) = self.world.globals.get(access.global.0 as usize).copied() else {
            return Err(Fail::Unknown(access.span));
        };
        let (ctype, size, is_shared) = (access.ctype, access.size, access.is_read_only);
        let (pointer, value) = (self.draft.global(address, ty), self.fresh(ctype)?);
        self.draft.take(pointer, super::draft::Cell { offset: 0, size, ctype, value, is_shared })?;
        Ok(value)
    }

    /// A pointer that nobody says may be NULL.
    pub(super) fn is_somewhere(&mut self, pointer: TermId) {
        if let super::draft::Pointer::Open { .. } = self.draft.pointer(pointer) {
            let null = self.draft.add(Term::Null);
            // It is open, so nothing can clash.
            let _ = self.draft.keep_apart(pointer, null);
        }
    }

    /// Counts work.
    pub(super) fn tick(&mut self) -> DrawResult {
        self.n_steps += 1;
        match self.n_steps > MOST_STEPS || self.draft.size() > MOST_TERMS {
            true => Err(Fail::TooLong),
            false => Ok(()),
        }
    }

    /// Goes one definition deeper.
    pub(super) fn deeper<T>(&mut self, run: impl FnOnce(&mut Self) -> DrawResult<T>) -> DrawResult<T> {
        if self.depth >= MOST_DEPTH {
            return Err(Fail::TooLong);
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    fn moment(&mut self) -> Moment {
        Moment { draft: self.draft.mark(), n_waiting: self.waiting.len(), n_done: self.done.len() }
    }

    fn back_to(&mut self, moment: &Moment) {
        self.draft.back_to(moment.draft);
        while self.done.len() > moment.n_done {
            let Some(k) = self.done.pop() else { break };
            if let Some(waiting) = self.waiting.get_mut(k) {
                waiting.is_done = false;
            }
        }
        self.forget_waiting(moment.n_waiting);
    }

    /// Does something, or leaves everything as it was.
    pub(super) fn attempt<T>(&mut self, run: impl FnOnce(&mut Self) -> DrawResult<T>) -> DrawResult<T> {
        let moment = self.moment();
        let result = run(self);
        if result.is_err() {
            self.back_to(&moment);
        }
        result
    }

    /// Tries one thing, and if that clashes another.
    pub(super) fn either<T>(
        &mut self,
        is_second_first: bool,
        mut run: impl FnMut(&mut Self, bool) -> DrawResult<T>,
    ) -> DrawResult<T> {
        match self.attempt(|drawing| run(drawing, is_second_first)) {
            Err(Fail::Clash) => self.attempt(|drawing| run(drawing, !is_second_first)),
            other => other,
        }
    }

    /// One of `n` alternatives, by the seed.
    pub(super) fn pick(&mut self, n: usize) -> usize {
        self.n_picked += 1;
        self.prng.up_to(n.max(1) as u64 - 1) as usize
    }

    /// How many things there are.
    pub(super) fn pick_size(&mut self, least: i64, most: i64) -> i64 {
        match self.sizes.filter(|_| least < most && self.n_sizes < MOST_SIZES) {
            Some(sizes) => {
                self.n_picked += 1;
                self.n_sizes += 1;
                sizes(least, most)
            }
            None => least + self.pick((most - least) as usize + 1) as i64,
        }
    }

    /// Whether the second of two alternatives is taken, by the seed.
    pub(super) fn coin(&mut self, [first, second]: [u32; 2]) -> bool {
        self.n_picked += 1;
        self.prng.up_to(u64::from(first + second) - 1) >= u64::from(first)
    }

    /// Draws whether a state grows here.
    pub(super) fn grows(&mut self, budget: u32) -> bool {
        let weights = match (budget, self.n_tried) {
            // What was preferred did not do.
            (0, 1..) => [2, 1],
            (_, 1..) => [1, 2],
            (0, _) => END,
            _ => GROW,
        };
        self.coin(weights)
    }

    fn clauses(&mut self, clauses: &'a [Clause], frame: &mut Frame) -> DrawResult {
        for clause in clauses.iter().filter(|clause| clause.not_run.is_none()) {
            self.at = clause.span;
            match &clause.kind {
                ClauseKind::Take { slot, resource, .. } => {
                    frame[slot.0 as usize] = self.take(resource, frame)?;
                }
                ClauseKind::Let { slot, value, .. } => frame[slot.0 as usize] = self.eval(value, frame)?,
                ClauseKind::Holds(e) => self.demand(e, frame)?,
                ClauseKind::Each(index, e) => {
                    for value in self.indices(index, frame)? {
                        frame[index.slot.0 as usize] = self.draft.number(value);
                        self.demand(e, frame)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Makes a condition hold, in another way if one clashes.
    fn demand(&mut self, e: &'a Expr, frame: &mut Frame) -> DrawResult {
        let before = self.n_tried;
        for k in 0..DEMAND_TRIES {
            self.n_tried = k;
            let n_picked = self.n_picked;
            let result = self.attempt(|drawing| drawing.want(e, true, frame));
            let is_chosen = self.n_picked > n_picked;
            if result != Err(Fail::Clash) || !is_chosen || k + 1 == DEMAND_TRIES {
                self.n_tried = before;
                return result;
            }
        }
        Ok(())
    }

    fn take(&mut self, resource: &'a Resource, frame: &mut Frame) -> DrawResult<TermId> {
        self.tick()?;
        match &resource.kind {
            ResourceKind::Memory { pointer, ctype, size, is_initialised, is_read_only } => {
                let pointer = self.eval(pointer, frame)?;
                if let Some(known) = self.draft.shared(pointer, *ctype).filter(|_| *is_read_only) {
                    return Ok(known);
                }
                self.hand_back(pointer, *size)?;
                let value = match is_initialised {
                    true => self.fresh(*ctype)?,
                    false => self.draft.add(Term::Missing),
                };
                let cell = super::draft::Cell {
                    offset: 0,
                    size: *size,
                    ctype: *ctype,
                    value,
                    is_shared: *is_read_only,
                };
                self.draft.take(pointer, cell)?;
                Ok(value)
            }
            ResourceKind::Predicate { predicate, arguments } => {
                let mut terms = self.frame();
                for argument in arguments {
                    terms.push(self.eval(argument, frame)?);
                }
                let ty = &self.world.specs.predicates[predicate.0 as usize].ty;
                let budget = self.share.next();
                let output = self.draft.hole(ty, budget);
                if let Term::Hole(hole) = self.draft.term(output) {
                    let state = *self.draft.state_of(hole);
                    let waits_for = self.waiting.len() as u32;
                    self.draft.set(hole, super::draft::Hole { waits_for, ..state });
                }
                let predicate = *predicate;
                self.waiting.push(PendingPredicate {
                    predicate,
                    arguments: terms,
                    output,
                    budget,
                    is_done: false,
                });
                Ok(output)
            }
            ResourceKind::Each { index, body } => {
                let mut row = Vec::new();
                let values = self.indices(index, frame)?;
                let each = self.share.next().div_ceil(values.len().max(1) as u32);
                let share = std::mem::replace(&mut self.share, Share { each, favourite: None });
                for value in values {
                    let key = self.draft.number(value);
                    frame[index.slot.0 as usize] = key;
                    row.extend([key, self.take(body, frame)?]);
                }
                self.share = share;
                let (at, n) = self.draft.row(&row);
                Ok(self.draft.add(Term::Map { at, n: n / 2 }))
            }
            ResourceKind::Allocation { .. } => Ok(self.draft.add(Term::Unit)),
        }
    }

    /// Lets an open pointer lead to memory that was taken before and is not used again yet, mostly: whoever
    /// kept pointers to it may still use them.
    fn hand_back(&mut self, pointer: TermId, size: u64) -> DrawResult {
        let Pointer::Open { by: 0, .. } = self.draft.pointer(pointer) else { return Ok(()) };
        let free = self.owned.iter().find(|range| range.size == size && !self.draft.is_taken(range.address));
        let Some(range) = free.copied() else { return Ok(()) };
        if self.coin(ANEW) {
            let place = self.draft.present(range.address);
            self.draft.unify(pointer, place)?;
        }
        Ok(())
    }

    /// The indices of an `each`, in order. What its limits depend on is drawn if it is open.
    fn indices(&mut self, index: &'a Index, frame: &mut Frame) -> DrawResult<Vec<i128>> {
        for condition in &index.conditions {
            if !self.decide(condition, frame)? {
                return Ok(Vec::new());
            }
        }
        let (mut lo, mut hi) = super::draft::range_of(&index.ty);
        for limit in &index.lower {
            let value = self.eval(&limit.value, frame)?;
            lo = lo.max(self.force(value)? + i128::from(limit.is_excluded));
        }
        for limit in &index.upper {
            let value = self.eval(&limit.value, frame)?;
            hi = hi.min(self.force(value)? - i128::from(limit.is_excluded));
        }
        if hi.saturating_sub(lo) >= MOST_INDICES {
            return Err(Fail::TooLong);
        }
        let mut found = Vec::new();
        for value in lo..=hi {
            frame[index.slot.0 as usize] = self.draft.number(value);
            if self.decide(&index.guard, frame)? {
                found.push(value);
            }
        }
        Ok(found)
    }

    /// Runs the predicates that wait, from one on.
    fn run_waiting(&mut self, first: usize) -> DrawResult {
        let mut k = first;
        // Each one adds no more than its budget lets it, and all of them are counted.
        while k < self.waiting.len() {
            self.run(k)?;
            k += 1;
        }
        Ok(())
    }

    /// Runs a predicate that waits, unless that was done.
    pub(super) fn run(&mut self, k: usize) -> DrawResult {
        if self.waiting[k].is_done {
            return Ok(());
        }
        let PendingPredicate { predicate, output, budget, .. } = self.waiting[k];
        let arguments = std::mem::take(&mut self.waiting[k].arguments);
        let waiting = PendingPredicate { predicate, arguments, output, budget, is_done: true };
        self.waiting[k].is_done = true;
        self.done.push(k);
        let before = (self.budget, self.share, self.inside, self.n_tried);
        let mut result = Err(Fail::Clash);
        for tried in 0..PREDICATE_TRIES {
            self.n_tried = tried;
            result = self.attempt(|drawing| drawing.deeper(|drawing| drawing.predicate(&waiting)));
            if result != Err(Fail::Clash) {
                break;
            }
        }
        (self.budget, self.share, self.inside, self.n_tried) = before;
        self.waiting[k].arguments = waiting.arguments;
        result
    }

    fn predicate(&mut self, waiting: &PendingPredicate) -> DrawResult {
        self.tick()?;
        let predicate = &self.world.specs.predicates[waiting.predicate.0 as usize];
        let Some(body) = &predicate.body else { return Err(Fail::Unknown(predicate.span)) };
        let unit = self.draft.add(Term::Unit);
        let mut frame = self.frame();
        frame.extend_from_slice(&waiting.arguments);
        frame.resize(predicate.n_slots as usize, unit);
        let first = self.waiting.len();
        (self.budget, self.inside) = (waiting.budget, Some(waiting.predicate));
        let late = self.block(body, &mut frame, waiting.output)?;
        self.run_waiting(first)?;
        self.conditions(late, true, &mut frame)?;
        self.leave(frame);
        Ok(())
    }

    /// Runs a predicate with arguments that are open, but none of those that it takes; returns its value.
    pub(super) fn outermost(&mut self, id: PredicateId, budget: u32) -> DrawResult<TermId> {
        let predicate = &self.world.specs.predicates[id.0 as usize];
        let Some(body) = &predicate.body else { return Err(Fail::Unknown(predicate.span)) };
        let unit = self.draft.add(Term::Unit);
        let mut frame = vec![unit; predicate.n_slots as usize];
        for parameter in &predicate.parameters {
            frame[parameter.slot.0 as usize] = self.draft.hole(&parameter.ty, budget);
        }
        let output = self.draft.hole(&predicate.ty, budget);
        (self.budget, self.inside) = (budget, Some(id));
        self.block(body, &mut frame, output)?;
        Ok(output)
    }

    /// Meets those conditions that wait for other predicates, or those that do not.
    fn conditions(&mut self, clauses: &'a [Clause], are_late: bool, frame: &mut Frame) -> DrawResult {
        for clause in clauses {
            let is_late = self.order == Order::ShapesFirst && self.world.plan.is_walk(clause);
            if is_late == are_late {
                self.clauses(std::slice::from_ref(clause), frame)?;
            }
        }
        Ok(())
    }

    /// Meets the clauses of a block but for conditions that wait for the predicates which it takes: these are
    /// returned, among others.
    fn block(&mut self, block: &'a Block, frame: &mut Frame, output: TermId) -> DrawResult<&'a [Clause]> {
        self.share = self.shared(self.budget.saturating_sub(1), &block.clauses);
        match &block.end {
            BlockEnd::Return(e) => {
                // What is wanted of the value is known before conditions choose anything for its parts.
                let binds =
                    |clause: &Clause| !matches!(clause.kind, ClauseKind::Holds(_) | ClauseKind::Each(..));
                let n = block.clauses.iter().rposition(binds).map_or(0, |last| last + 1);
                let (binding, conditions) = block.clauses.split_at(n);
                self.clauses(binding, frame)?;
                let value = self.eval(e, frame)?;
                let before = std::mem::replace(&mut self.at, e.span);
                self.draft.unify(value, output)?;
                // What clashes later does so with a clause, not with this.
                self.at = before;
                self.conditions(conditions, false, frame)?;
                Ok(conditions)
            }
            BlockEnd::If(branches, last) => {
                self.clauses(&block.clauses, frame)?;
                self.branches(branches, last, frame, output)
            }
        }
    }

    fn branches(
        &mut self,
        branches: &'a [(Expr, Block)],
        last: &'a Block,
        frame: &mut Frame,
        output: TermId,
    ) -> DrawResult<&'a [Clause]> {
        let Some(((condition, block), rest)) = branches.split_first() else {
            return self.block(last, frame, output);
        };
        let is_taken = match self.peek(condition, frame) {
            Some(known) => known,
            None => self.prefers(block, rest, last, output),
        };
        self.either(is_taken, |drawing, is_taken| {
            drawing.at = condition.span;
            drawing.want(condition, is_taken, frame)?;
            match is_taken {
                true => drawing.block(block, frame, output),
                false => drawing.branches(rest, last, frame, output),
            }
        })
    }

    /// Whether a branch is taken rather than the others: if only it can return what is wanted, or by how much
    /// may still grow.
    fn prefers(&mut self, block: &Block, rest: &[(Expr, Block)], last: &Block, output: TermId) -> bool {
        let World { specs, plan, .. } = self.world;
        let others = || rest.iter().map(|(_, block)| block).chain([last]);
        if let Term::Data { constructor, .. } = self.draft.term(output) {
            let may = |block: &Block| plan.returns_of(specs, block) >> constructor.min(63) & 1 == 1;
            match (may(block), others().any(may)) {
                (true, false) => return true,
                (false, true) => return false,
                _ => {}
            }
        }
        let (depth, other) =
            (plan.depth(block), others().map(|block| plan.depth(block)).min().unwrap_or(NEVER));
        match depth.cmp(&other) {
            std::cmp::Ordering::Less => !self.grows(self.budget),
            std::cmp::Ordering::Greater => self.grows(self.budget),
            std::cmp::Ordering::Equal => !self.coin([1, 1]),
        }
    }

    /// The predicate that a hole waits for.
    pub(super) fn awaited(&self, waits_for: u32) -> Option<PredicateId> {
        if waits_for == NOBODY { None } else { Some(self.waiting[waits_for as usize].predicate) }
    }

    /// The constructors that may be chosen for a hole: those its predicate can return.
    pub(super) fn possible(&self, hole: u32) -> u64 {
        let awaited = self.awaited(self.draft.state_of(hole).waits_for);
        awaited.map_or(u64::MAX, |predicate| self.world.plan.constructors_of(predicate))
    }

    /// A value that memory of a type may have.
    pub(super) fn fresh(&mut self, ctype: TypeId) -> DrawResult<TermId> {
        self.tick()?;
        let types = self.world.types;
        let ty = || of_c(types, ctype);
        Ok(match types.get(ctype) {
            CType::Record(id) => {
                let members = &types.record(*id).members;
                let mut row = self.frame();
                for member in members {
                    let value = self.fresh(member.ty)?;
                    if let Some((_, width)) = member.bits {
                        let range = text::bit_range(width, text::is_signed(types, member.ty));
                        self.draft.narrow(value, range)?;
                    }
                    row.push(value);
                }
                let (at, n) = self.draft.row(&row);
                self.leave(row);
                self.draft.add(Term::Parts { at, n })
            }
            CType::Array { of, len: Some(len) } if *len <= MOST_ELEMENTS => {
                let mut row = self.frame();
                for k in 0..*len {
                    let key = self.draft.number(i128::from(k));
                    row.extend([key, self.fresh(*of)?]);
                }
                let (at, n) = self.draft.row(&row);
                self.leave(row);
                self.draft.add(Term::Map { at, n: n / 2 })
            }
            CType::Bool => {
                let hole = self.draft.hole(&Type::Bits(Bits::U8), 0);
                self.draft.narrow(hole, (0, 1))?;
                hole
            }
            _ => match ty() {
                Some(ty @ (Type::Bits(_) | Type::Pointer(_) | Type::Map(_))) => {
                    self.draft.hole(&ty, self.budget)
                }
                Some(Type::Real) => {
                    let hole = self.draft.hole(&Type::Real, 0);
                    self.draft.narrow(hole, (-1000, 1000))?;
                    hole
                }
                _ => self.draft.add(Term::Missing),
            },
        })
    }
}

/// How many predicates clauses take.
fn n_taken(clauses: &[Clause]) -> u32 {
    let is_taken = |clause: &&Clause| match &clause.kind {
        ClauseKind::Take { resource, .. } => {
            matches!(resource.kind, ResourceKind::Predicate { .. } | ResourceKind::Each { .. })
        }
        _ => false,
    };
    clauses.iter().filter(is_taken).count() as u32
}

/// Whether clauses take this predicate.
fn takes(clauses: &[Clause], id: PredicateId) -> bool {
    clauses.iter().any(|clause| match &clause.kind {
        ClauseKind::Take { resource, .. } => {
            matches!(resource.kind, ResourceKind::Predicate { predicate, .. } if predicate == id)
        }
        _ => false,
    })
}
