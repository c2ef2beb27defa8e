//! Contracts over memory: what they take, what they say, which clause does not hold.
//!
//! Evaluates checked specs (`spec::checked`) over a program's memory: the result is footprints, or a [`Stop`]
//! with the clause, the reason and the values that explain it. No C code is called from here, except through
//! [`Memory::call`]. It does not decide what a failed clause means: at the top of a sequence that is a
//! discard, elsewhere a violation.
//!
//! ```text
//! checked::Specs ──compile, clause──► code ──run──► values, footprint, or Stop ──explain, show──► texts
//! ```
//!
//! A call is: [`Evaluator::enter`] with the arguments; `begin_frame` of the machine with
//! [`Evaluator::footprint`]; the call, with [`Evaluator::invariant`] and [`Evaluator::statements`] at its
//! probes and nested calls inside; [`Evaluator::exit`] with the result; `release` with
//! [`Evaluator::returned`]. Calls nest; leaving one abandons those inside it.

mod access;
mod clause;
mod code;
mod compile;
mod explain;
mod footprint;
mod hints;
mod memory;
mod number;
mod run;
mod shape;
mod show;
mod stop;
mod value;
mod value_text;

#[cfg(test)]
mod tests;

pub use compile::Addresses;
pub use footprint::{Footprint, TakenMemory};
pub use hints::{Bound, Hint, HintKind, Portion, hints};
pub use memory::{Memory, NoReturn};
pub(crate) use number::on_bits;
pub use stop::{Blame, Bytes, EnclosingDefinition, Part, Stop, StopReason};
pub use value_text::ValueText;

use clause::{CompiledSite, CompiledSpecs};
use code::Op;
use explain::Explain;
use run::{Run, State};
use show::Show;
use value::Mark;
pub(crate) use value::{Arena, Value};

use std::sync::Arc;

use crate::ctypes::{CTypes, TypeId};
use crate::machine::Range;
use crate::spec::Program;
use crate::spec::checked::{Import, Parameter, Specs};
use crate::spec::position::Span;
use crate::spec::types::{Type, of_c};
use stairway::__private::EntryValue;

/// How far an evaluation may go. What exceeds it is stopped, and says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Definitions inside one another.
    pub depth: u32,
    /// Operations of one evaluation.
    pub n_steps: u64,
    /// Values held at once.
    pub n_values: usize,
    /// Indices of an `each` over a condition.
    pub n_indices: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: 250_000, n_steps: 20_000_000, n_values: 4_000_000, n_indices: 1 << 20 }
    }
}

/// Evaluates the specs of a program.
#[derive(Debug)]
pub struct Evaluator {
    compiled: CompiledSpecs,
    state: State,
    /// Calls that were entered and not left.
    open: Vec<OpenCall>,
    /// What they took.
    kept: (Vec<Range>, Vec<TakenMemory>),
    /// What they may read besides.
    kept_lent: Vec<Range>,
    limits: Limits,
    /// How many operations are left for the call that is judged, and how many were done since somebody asked.
    allowance: u64,
    n_spent: u64,
    explains: bool,
    /// Whether branches are noted.
    watches: bool,
    n_entered: u64,
    /// What is never released: constants.
    floor: Mark,
    /// Conditions that were left out because something in them has no body, since somebody asked.
    unchecked: Vec<Span>,
}

/// A call that was entered.
#[derive(Debug)]
struct OpenCall {
    number: u64,
    contract: usize,
    base: usize,
    mark: Mark,
    /// Its part of what was kept.
    kept: std::ops::Range<usize>,
    /// The same of what was lent.
    lent: std::ops::Range<usize>,
    /// What its loops have bound, as far as statements name it.
    names: Vec<LoopNames>,
}

/// What the invariant of a loop bound when it was evaluated last. The values stay in the arena, each above
/// those before it.
#[derive(Debug)]
struct LoopNames {
    which: usize,
    mark: Mark,
    values: Vec<Value>,
}

/// A call that was entered: its arguments and what its `requires` bound are kept until it is left.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a call that was entered is left by `exit` or `leave`"]
pub struct CallEntry {
    place: usize,
    number: u64,
}

/// Where an evaluation takes place.
struct Site<'s> {
    memory: &'s dyn Memory,
    captures: &'s [u64],
    capture_types: Option<Arc<[TypeId]>>,
    entry: u32,
    base: usize,
    n_frame: usize,
    is_decreed: bool,
    is_precondition: bool,
    span: Span,
}

impl Evaluator {
    /// An evaluator for specs that were checked without errors.
    #[must_use]
    pub fn new(specs: &Specs, program: &Program, ctypes: &CTypes, addresses: Addresses) -> Evaluator {
        let mut state = State::default();
        let compiled = CompiledSpecs::new(specs, program, ctypes, addresses, &mut state.arena);
        let floor = state.arena.mark();
        Evaluator {
            compiled,
            state,
            open: Vec::new(),
            kept: (Vec::new(), Vec::new()),
            kept_lent: Vec::new(),
            limits: Limits::default(),
            allowance: u64::MAX,
            n_spent: 0,
            explains: true,
            watches: false,
            n_entered: 0,
            floor,
            unchecked: Vec::new(),
        }
    }

    /// Changes the limits.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// How many operations all evaluations together may take from now on; what needs more stops with
    /// [`StopReason::OutOfFuel`].
    pub fn set_allowance(&mut self, n_steps: u64) {
        self.allowance = n_steps;
    }

    /// How many operations were done since this was asked last.
    pub fn take_spent(&mut self) -> u64 {
        std::mem::take(&mut self.n_spent)
    }

    /// Whether a [`Stop`] explains itself with values. As at the beginning; it is not free, so do without
    /// where calls are only discarded.
    pub fn set_explains(&mut self, explains: bool) {
        self.explains = explains;
    }

    /// Notes from now on which branches of contracts are taken, or no longer.
    pub fn watch(&mut self, watches: bool) {
        self.watches = watches;
    }

    /// Hands each branch that was taken while watched to `keep`, as a number, and forgets them.
    pub fn take_branches(&mut self, keep: impl FnMut(u32)) {
        self.state.arms.drain(keep);
    }

    /// The contract of a C function, by its place in [`Specs::contracts`]; nothing if it has none that is run.
    #[must_use]
    pub fn contract(&self, function: &str) -> Option<usize> {
        self.compiled.contract_of.get(function).copied()
    }

    /// Runs `requires` with arguments as C has them.
    ///
    /// # Errors
    /// With the first clause that does not hold; the call is not entered then.
    ///
    /// # Panics
    /// If there is no such contract: a bug of the caller.
    pub fn enter(
        &mut self,
        contract: usize,
        arguments: &[&[u8]],
        memory: &dyn Memory,
    ) -> Result<CallEntry, Box<Stop>> {
        let of = &self.compiled.contracts[contract];
        if self.open.is_empty() {
            self.state.stack.clear();
            self.state.arena.release(self.floor);
        }
        let (base, mark, n_frame) = (self.state.stack.len(), self.state.arena.mark(), of.n_frame as usize);
        self.state.stack.resize(base + n_frame, Value::Missing);
        for ((slot, shape), bytes) in of.parameters.iter().zip(arguments) {
            let Some(shape) = shape else { continue };
            let decoded =
                self.compiled.code.shapes.decode(*shape, bytes, &mut self.state.arena, self.limits.n_values);
            // An argument too large to be looked at is one that was not seen.
            self.state.stack[base + *slot as usize] = decoded.unwrap_or(Value::Missing);
        }
        let (entry, span) = (of.requires, of.span);
        let site = Site {
            memory,
            captures: &[],
            capture_types: None,
            entry,
            base,
            n_frame,
            is_decreed: false,
            is_precondition: true,
            span,
        };
        if let Err(stop) = self.evaluate(&site) {
            self.state.stack.truncate(base);
            self.state.arena.release(mark);
            return Err(stop);
        }
        self.n_entered += 1;
        let start = self.kept.0.len();
        self.kept.0.extend_from_slice(&self.state.owned.ranges);
        self.kept.1.extend_from_slice(&self.state.owned.taken);
        let first_lent = self.kept_lent.len();
        self.state.owned.sort_lent();
        self.kept_lent.extend_from_slice(&self.state.owned.lent);
        let (kept, lent) = (start..self.kept.0.len(), first_lent..self.kept_lent.len());
        let names = Vec::new();
        let open = OpenCall { number: self.n_entered, contract, base, mark, kept, lent, names };
        self.open.push(open);
        Ok(CallEntry { place: self.open.len() - 1, number: self.n_entered })
    }

    /// What `requires` took.
    #[must_use]
    pub fn footprint(&self, entered: &CallEntry) -> Footprint<'_> {
        let open = self.open_call(entered);
        let (kept, lent) = (open.kept.clone(), &self.kept_lent[open.lent.clone()]);
        Footprint { ranges: &self.kept.0[kept.clone()], taken: &self.kept.1[kept], lent }
    }

    /// Runs `ensures` with the result as C has it, and leaves the call.
    ///
    /// # Errors
    /// With the first clause that does not hold.
    pub fn exit(&mut self, entered: CallEntry, result: &[u8], memory: &dyn Memory) -> Result<(), Box<Stop>> {
        let open = self.open_call(&entered);
        let (contract, base) = (open.contract, open.base);
        self.abandon_behind(&entered);
        let of = &self.compiled.contracts[contract];
        let n_frame = of.n_frame as usize;
        self.state.stack.truncate(base + n_frame);
        if let Some((slot, Some(shape))) = &of.result {
            let decoded =
                self.compiled.code.shapes.decode(*shape, result, &mut self.state.arena, self.limits.n_values);
            self.state.stack[base + *slot as usize] = decoded.unwrap_or(Value::Missing);
        }
        let (entry, span, is_decreed) = (of.ensures, of.span, of.is_trusted);
        let (capture_types, is_precondition) = (None, false);
        let captures = &[];
        let site =
            Site { memory, captures, capture_types, entry, base, n_frame, is_decreed, is_precondition, span };
        let outcome = self.evaluate(&site);
        self.leave(entered);
        outcome
    }

    /// What the last `ensures` took: what the function hands back. Until the next evaluation.
    #[must_use]
    pub fn returned(&self) -> Footprint<'_> {
        let owned = &self.state.owned;
        Footprint { ranges: &owned.ranges, taken: &owned.taken, lent: &owned.lent }
    }

    /// Leaves a call that did not return, and those inside it.
    pub fn leave(&mut self, entered: CallEntry) {
        self.abandon_behind(&entered);
        let Some(open) = self.open.pop() else { return };
        self.state.stack.truncate(open.base);
        self.state.arena.release(open.mark);
        self.kept.0.truncate(open.kept.start);
        self.kept.1.truncate(open.kept.start);
        self.kept_lent.truncate(open.lent.start);
    }

    /// Leaves all calls: the sequence is over.
    pub fn clear(&mut self) {
        self.open.clear();
        self.state.stack.clear();
        self.state.arena.release(self.floor);
        self.kept.0.clear();
        self.kept.1.clear();
        self.kept_lent.clear();
    }

    /// Checks a loop's invariant: a place in [`Specs::loops`], the call it belongs to if that was entered,
    /// and the addresses of the variables it reads.
    ///
    /// # Errors
    /// With the first clause that does not hold.
    ///
    /// # Panics
    /// If there is no such loop: a bug of the caller.
    pub fn invariant(
        &mut self,
        which: usize,
        entered: Option<&CallEntry>,
        captures: &[u64],
        memory: &dyn Memory,
    ) -> Result<(), Box<Stop>> {
        let of = &self.compiled.loops[which];
        let (site, is_named) = (site_of(of, captures, memory), of.is_named);
        // What was bound last, and by loops inside, is over.
        let innermost = entered.filter(|entered| is_named && entered.place + 1 == self.open.len());
        if let Some(entered) = innermost {
            let names = &mut self.open[entered.place].names;
            if let Some(k) = names.iter().position(|names| names.which == which) {
                self.state.arena.release(names[k].mark);
                names.truncate(k);
            }
        }
        self.at(site, entered, &[], innermost.map(|_| which))
    }

    /// Checks statements: a place in [`Specs::statements`]; otherwise as [`invariant`](Self::invariant).
    ///
    /// # Errors
    /// With the first statement that does not hold.
    ///
    /// # Panics
    /// If there is no such place: a bug of the caller.
    pub fn statements(
        &mut self,
        which: usize,
        entered: Option<&CallEntry>,
        captures: &[u64],
        memory: &dyn Memory,
    ) -> Result<(), Box<Stop>> {
        let of = &self.compiled.statements[which];
        let site = site_of(of, captures, memory);
        let named: Option<Vec<(u32, Value)>> =
            of.imports.iter().map(|import| Some((import.slot.0, self.bound(entered?, import)?))).collect();
        match named {
            Some(named) => self.at(site, entered, &named, None),
            // No loop has bound what they name.
            None => Ok(()),
        }
    }

    /// What was known when a call was entered: parameters, and what `requires` bound; names and values.
    #[must_use]
    pub fn entry_values(&self, entered: &CallEntry) -> Vec<(String, ValueText)> {
        let open = self.open_call(entered);
        let show = Show { code: &self.compiled.code, arena: &self.state.arena, name: &|_| None };
        let names = &self.compiled.contracts[open.contract].entry_names;
        let value =
            |slot: u32| self.state.stack.get(open.base + slot as usize).copied().unwrap_or(Value::Missing);
        names.iter().map(|(name, slot, ty)| (name.clone(), show.text(value(*slot), ty))).collect()
    }

    /// The same as data, for a program that is printed.
    #[must_use]
    pub fn entry_data(&self, entered: &CallEntry) -> Vec<(String, EntryValue)> {
        let open = self.open_call(entered);
        let show = Show { code: &self.compiled.code, arena: &self.state.arena, name: &|_| None };
        let names = &self.compiled.contracts[open.contract].entry_names;
        let value =
            |slot: u32| self.state.stack.get(open.base + slot as usize).copied().unwrap_or(Value::Missing);
        names.iter().map(|(name, slot, ty)| (name.clone(), show.data(value(*slot), ty))).collect()
    }

    /// The values of a call's slots: its parameters, then what `requires` bound. What they are made of is in
    /// the arena.
    pub(crate) fn entry(&self, entered: &CallEntry) -> (&[Value], &Arena) {
        let open = self.open_call(entered);
        let n = self.compiled.contracts[open.contract].n_entry_slots as usize;
        (self.state.stack.get(open.base..open.base + n).unwrap_or(&[]), &self.state.arena)
    }

    /// A value of a C type as text, from its bytes.
    #[must_use]
    pub fn show_bytes(&mut self, ctype: TypeId, bytes: &[u8]) -> ValueText {
        let mark = self.state.arena.mark();
        let code = &mut self.compiled.code;
        let shape = code.shapes.of(&code.ctypes, ctype);
        let value = code.shapes.decode(shape, bytes, &mut self.state.arena, self.limits.n_values);
        let ty = of_c(&code.ctypes, ctype).unwrap_or(Type::Unknown);
        let show = Show { code: &self.compiled.code, arena: &self.state.arena, name: &|_| None };
        let text = show.text(value.unwrap_or(Value::Missing), &ty);
        self.state.arena.release(mark);
        text
    }

    fn open_call(&self, entered: &CallEntry) -> &OpenCall {
        let open = self.open.get(entered.place).filter(|open| open.number == entered.number);
        open.expect("the call was left already")
    }

    /// Calls inside one that goes on have ended, however they did.
    fn abandon_behind(&mut self, entered: &CallEntry) {
        let kept = self.open_call(entered).kept.end;
        self.open.truncate(entered.place + 1);
        self.kept.0.truncate(kept);
        self.kept.1.truncate(kept);
    }

    /// What the loop that was evaluated last bound to a name.
    fn bound(&self, entered: &CallEntry, import: &Import) -> Option<Value> {
        let mut latest = self.open_call(entered).names.iter().rev();
        latest.find_map(|names| {
            let (_, slot) = import.from.iter().find(|(which, _)| *which == names.which)?;
            names.values.get(slot.0 as usize).copied()
        })
    }

    /// Evaluates a place in a body, with values for some slots; what a loop binds is kept if its place is
    /// given.
    fn at(
        &mut self,
        mut site: Site<'_>,
        entered: Option<&CallEntry>,
        named: &[(u32, Value)],
        kept: Option<usize>,
    ) -> Result<(), Box<Stop>> {
        let (base, mark) = (self.state.stack.len(), self.state.arena.mark());
        site.base = base;
        if let Some(entered) = entered {
            let open = self.open_call(entered);
            let n = self.compiled.contracts[open.contract].n_entry_slots as usize;
            let from = open.base;
            self.state.stack.extend_from_within(from..from + n.min(site.n_frame));
        }
        self.state.stack.resize(base + site.n_frame, Value::Missing);
        for (slot, value) in named {
            self.state.stack[base + *slot as usize] = *value;
        }
        let outcome = self.evaluate(&site);
        match (kept, entered) {
            (Some(which), Some(entered)) if outcome.is_ok() => {
                let values = self.state.stack[base..base + site.n_frame].to_vec();
                self.open[entered.place].names.push(LoopNames { which, mark, values });
            }
            _ => self.state.arena.release(mark),
        }
        self.state.stack.truncate(base);
        outcome
    }

    fn evaluate(&mut self, site: &Site<'_>) -> Result<(), Box<Stop>> {
        self.state.owned.clear();
        let mut entry = site.entry as usize;
        // Each round that does not end it leaves one more clause behind.
        loop {
            match self.evaluate_from(site, entry) {
                Err((stop, clause)) if !site.is_precondition && stop.why.has_no_body() => {
                    let Some(next) = self.after_condition(clause) else { return Err(stop) };
                    if !self.unchecked.contains(&stop.clause) {
                        self.unchecked.push(stop.clause);
                    }
                    self.state.stack.truncate(site.base + site.n_frame);
                    entry = next;
                }
                other => return other.map_err(|(stop, _)| stop),
            }
        }
    }

    /// Conditions that were not checked since this was asked last, because something in them has no body.
    pub fn take_unchecked(&mut self) -> Vec<Span> {
        std::mem::take(&mut self.unchecked)
    }

    /// The operation after a clause, if that is a condition.
    fn after_condition(&self, clause: u32) -> Option<usize> {
        let code = &self.compiled.code;
        let (start, is_condition) = *code.clause_starts.get(clause as usize)?;
        let ends = |op: &Op| matches!(op, Op::Clause(_) | Op::End);
        let behind = code.ops.get(start + 1..)?.iter().position(ends)?;
        is_condition.then_some(start + 1 + behind)
    }

    /// Runs clauses from an operation on; a stop comes with the number of its clause.
    fn evaluate_from(&mut self, site: &Site<'_>, entry: usize) -> Result<(), (Box<Stop>, u32)> {
        self.state.frames.clear();
        let mut run = Run {
            code: &self.compiled.code,
            state: &mut self.state,
            memory: site.memory,
            captures: site.captures,
            is_decreed: site.is_decreed,
            limits: Limits { n_steps: self.limits.n_steps.min(self.allowance), ..self.limits },
            n_steps: 0,
            pc: entry,
            base: site.base,
            clause: u32::MAX,
        };
        let outcome = if self.watches { run.run::<true>() } else { run.run::<false>() }.map_err(|why| *why);
        let (n_steps, pc, base, clause) = (run.n_steps, run.pc, run.base, run.clause_span());
        let number = run.clause;
        self.n_spent += n_steps;
        self.allowance = self.allowance.saturating_sub(n_steps);
        match outcome {
            Ok(_) => Ok(()),
            Err(StopReason::TooLong) if self.allowance == 0 => {
                Err((self.stop(site, StopReason::OutOfFuel, pc, base, clause), number))
            }
            Err(why) => Err((self.stop(site, why, pc, base, clause), number)),
        }
    }

    /// Everything there is to say, as long as the frames are there.
    fn stop(&mut self, site: &Site<'_>, why: StopReason, pc: usize, base: usize, clause: Span) -> Box<Stop> {
        let code = &self.compiled.code;
        let place = code.places.get(pc).copied().unwrap_or(site.span);
        let is_in_predicate =
            self.state.frames.last().is_some_and(|frame| code.units[frame.unit as usize].is_predicate);
        let mut stop = Box::new(Stop {
            blame: why.blame(is_in_predicate),
            clause,
            place,
            why,
            within: Vec::new(),
            n_within_left_out: 0,
            parts: Vec::new(),
        });
        // Most are calls that are not made: nobody asks those why.
        if self.explains {
            self.add_index(&mut stop, pc, base);
            self.add_within(site, &mut stop);
            self.add_parts(site, &mut stop, pc, base);
        }
        stop
    }

    /// The index for which the condition of an `each` is false.
    fn add_index(&self, stop: &mut Stop, pc: usize, base: usize) {
        let code = &self.compiled.code;
        let Some(Op::Require(k)) = code.ops.get(pc).filter(|_| stop.why == StopReason::False) else { return };
        let Some((index, slot, ty)) = &code.conditions[*k as usize].index else { return };
        let value = self.state.stack.get(base + *slot as usize).copied().unwrap_or(Value::Missing);
        let value = Show { code, arena: &self.state.arena, name: &|_| None }.text(value, ty);
        stop.why = StopReason::FalseAt { index: index.clone(), value };
    }

    /// The definitions that led there: the first ones and the last ones.
    fn add_within(&self, site: &Site<'_>, stop: &mut Stop) {
        const FIRST: usize = 4;
        const LAST: usize = 8;
        let code = &self.compiled.code;
        let frames = &self.state.frames;
        let is_cut = frames.len() > FIRST + LAST;
        stop.n_within_left_out = if is_cut { frames.len() - FIRST - LAST } else { 0 };
        let shown = frames
            .iter()
            .enumerate()
            .filter(|(k, _)| !is_cut || *k < FIRST || *k >= frames.len() - LAST)
            .map(|(_, frame)| frame);
        let name = |address| site.memory.name(address);
        let show = Show { code, arena: &self.state.arena, name: &name };
        for frame in shown {
            let unit = &code.units[frame.unit as usize];
            let value = |slot: u32| self.state.stack.get((frame.base + slot) as usize).copied();
            let argument =
                |p: &Parameter| (p.name.clone(), show.text(value(p.slot.0).unwrap_or(Value::Missing), &p.ty));
            let arguments = unit.parameters.iter().map(argument).collect();
            stop.within.push(EnclosingDefinition {
                name: unit.name.clone(),
                call: code.places[frame.call as usize],
                arguments,
            });
        }
    }

    fn add_parts(&mut self, site: &Site<'_>, stop: &mut Stop, pc: usize, base: usize) {
        let Some(Op::Require(k)) = self.compiled.code.ops.get(pc).copied() else { return };
        let expr = self.compiled.code.conditions[k as usize].expr.clone();
        let n_frame = match self.state.frames.last() {
            Some(frame) => self.compiled.code.units[frame.unit as usize].n_frame as usize,
            None => site.n_frame,
        };
        let mut explain = Explain {
            compiled: &mut self.compiled,
            state: &mut self.state,
            memory: site.memory,
            captures: site.captures,
            capture_types: site.capture_types.as_deref().unwrap_or(&[]),
            limits: self.limits,
            base,
            n_frame,
            parts: Vec::new(),
            known: Vec::new(),
        };
        explain.condition(&expr);
        let mut parts = explain.parts;
        parts.sort_by_key(|part| (part.span.file, part.span.start, std::cmp::Reverse(part.span.end)));
        stop.parts = parts;
    }
}

fn site_of<'s>(site: &CompiledSite, captures: &'s [u64], memory: &'s dyn Memory) -> Site<'s> {
    Site {
        memory,
        captures,
        capture_types: Some(Arc::clone(&site.captures)),
        entry: site.entry,
        base: 0,
        n_frame: site.n_frame as usize,
        is_decreed: false,
        is_precondition: false,
        span: site.span,
    }
}
