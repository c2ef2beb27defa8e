//! Arguments from a state that was made for a precondition: everything a call needs, drawn together.
//!
//! How a state is made is the business of `states/`; this file puts it into memory and notes what kept one from
//! being made.

use super::make::{ArgumentMaker, Materials};
use super::{Calls, From, ParameterHints, Sequence, make, states};
use crate::facts::{HuntFact, Length, StateObstacle};
use stairway::Checked;
use stairway::engine::Step;
use std::cell::RefCell;

impl Calls {
    /// Makes a state for a call, if that is its turn; `None` if it is not, or none could be made.
    pub(super) fn state(
        &self,
        op: usize,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> Checked<Option<()>> {
        const ORIGINS: &[&str] = &["calls", "state"];
        /// How often arguments come from calls, against the weights of states.
        const CALLS: u32 = 2;
        /// After how many refusals a state is tried in a sequence of calls.
        const MANY_REFUSALS: u8 = 8;
        let (target, _, wishes) = &self.targets[op];
        let (weight, Some(contract)) = (self.states.weight(op), target.contract) else { return Ok(None) };
        let function = || target.name.to_string();
        if let Some(why) = self.states.obstacle(op) {
            HuntFact::NoState { function: function(), why: why.clone() }.count(step.case());
            return Ok(None);
        }
        if weight == 0 {
            if let Some(why) = self.states.clash(op) {
                HuntFact::NoState { function: function(), why: why.clone() }.count(step.case());
            }
            return Ok(None);
        }
        let has_calls = self.settings.from == From::Both && sequence.standing.is_met(&self.roles, op);
        let is_refused =
            !sequence.is_plain && sequence.n_refused.get(op).is_some_and(|n| *n >= MANY_REFUSALS);
        // Which sequences try states is decided by chance. A recorded one may have any, whatever was left out
        // of it.
        let is_recorded = step.choices().free_word().is_none() && !step.choices().is_searching();
        let is_possible = sequence.has_states || is_refused || is_recorded;
        let weights = [if has_calls { CALLS } else { 0 }, if is_possible { weight } else { 0 }];
        if weights == [0, 0] {
            return Ok(None);
        }
        let is_turn = step.choices().weighted(&weights, ORIGINS) == 1;
        if !is_turn {
            return Ok(None);
        }
        let contract = &self.project.specs.contracts[contract];
        let global_name = |address: u64| self.global_name(address);
        let mut sources = self.sources(op, &sequence.numbers, &global_name);
        let request = states::Request { target, wishes, contract, n_nodes: None };
        let made = self.states.make(&self.project, &request, step, &mut sources)?;
        let blueprint = match made {
            Ok(blueprint) => blueprint,
            Err(span) => {
                let why = self.states.clash(op).cloned().unwrap_or(StateObstacle::Clause(span));
                HuntFact::NoState { function: function(), why }.count(step.case());
                return Ok(None);
            }
        };
        // What globals lead to would be lost.
        if blueprint.blocks.iter().any(|block| block.fixed.is_some()) && sequence.log.borrow().n_calls > 0 {
            return Ok(None);
        }
        if self.settings.observes_arguments {
            let n_objects = Length::of(blueprint.blocks.len() as u64);
            HuntFact::StateArguments { function: function(), n_objects }.count(step.case());
        }
        Ok(self.build(op, &blueprint, sequence, step).then_some(()))
    }

    pub(super) fn global_name(&self, address: u64) -> Option<String> {
        let mut globals = self.project.program.globals.iter();
        let is_there = |at: u64| self.machine.address(at) == address;
        globals.find(|global| global.address.is_some_and(is_there)).map(|global| global.name.clone())
    }

    /// What open values of states are drawn from, for a call of a function.
    pub(super) fn sources<'f>(
        &'f self,
        op: usize,
        numbers: &RefCell<Vec<i128>>,
        global_name: &'f dyn Fn(u64) -> Option<String>,
    ) -> states::Sources<'f> {
        let worth = self.targets[op].2.iter().flat_map(ParameterHints::worth_trying);
        let known = numbers.borrow();
        let known = known.iter().filter_map(|n| i64::try_from(*n).ok());
        states::Sources {
            numbers: known.chain(worth).collect(),
            functions: &self.functions,
            global_name,
            places: Vec::new(),
            owned: Vec::new(),
        }
    }

    /// Allocates and fills what a blueprint says; the arguments are in the buffer then.
    pub(super) fn build(
        &self,
        op: usize,
        blueprint: &states::Blueprint,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> bool {
        let (target, ..) = &self.targets[op];
        let mut buffer = std::mem::take(&mut sequence.buffer);
        buffer.clear();
        buffer.resize(target.prototype.arguments_size(), 0);
        let room = std::mem::take(&mut sequence.room);
        let materials = self.materials(sequence);
        let mut making = ArgumentMaker::new(&materials, step, room);
        let is_built = making.state(blueprint, target, &mut buffer);
        let make::CallPreamble { declarations, made, room, .. } = making.finish(&buffer);
        sequence.room = room;
        sequence.shown.made.extend(made);
        for (name, (_, text)) in target.names.iter().zip(&blueprint.arguments) {
            step.show_argument(name, || text.clone());
        }
        declarations.into_iter().for_each(|line| step.show_note(|| line));
        sequence.buffer = buffer;
        sequence.is_state = is_built;
        is_built
    }

    pub(super) fn materials<'m>(&'m self, sequence: &'m Sequence) -> Materials<'m> {
        Materials {
            machine: &self.machine,
            types: &self.project.program.types,
            ways: &self.ways,
            functions: &self.functions,
            variables: &sequence.variables,
            numbers: &sequence.numbers,
            wanted: &sequence.wanted,
            n_enough: sequence.n_enough,
            devotion: sequence.devotion,
            callbacks: &sequence.callbacks,
            favourites: &sequence.favourites,
            log: &sequence.log,
        }
    }
}
