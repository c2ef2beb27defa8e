//! Plays functions that have a `spec` and no body: what they do is drawn from their postconditions.
//!
//! After a nested call whose precondition held, `states` draws a blueprint of the result and the memory, with
//! the values at entry as terms. Played calls are kept with the outermost call, so that a second run of the
//! sequence meets the same ones. The evaluator decides whether the postcondition holds for what was drawn, as
//! everywhere.

use super::make::linked;
use super::states::{Blueprint, Sources, States};
use crate::ctypes::TypeId;
use crate::evaluate::{Arena, Value};
use crate::facts::{Unplayable, WithoutBody};
use crate::machine::{Flow, Hooks, Machine, NestedCall, Range};
use crate::project::Project;
use crate::spec::checked::Contract;
use stairway::__private::StepSource;
use stairway::Stop;
use stairway::engine::Step;

/// What a function without a body did in one call.
#[derive(Debug)]
pub(super) struct PlayedCall {
    blueprint: Blueprint,
    /// Blocks whose life ended, because the function took them and does not hand them back.
    pub(super) retired: Vec<u64>,
}

impl PlayedCall {
    pub(super) const fn new(blueprint: Blueprint) -> PlayedCall {
        PlayedCall { blueprint, retired: Vec::new() }
    }

    /// What it did, in C, up to so many assignments; only if the sequence is shown.
    pub(super) fn deeds(&self, most: usize) -> impl Iterator<Item = String> {
        let assigned = self.blueprint.blocks.iter().flat_map(|block| {
            let verb = if block.fixed.is_none() { "makes" } else { "writes" };
            block.assignments.iter().map(move |line| format!("{verb} {}", line.trim_end_matches(';')))
        });
        let returned = self.blueprint.arguments.first().map(|(_, text)| format!("returns {text}"));
        assigned.take(most).chain(returned)
    }

    /// Puts what was drawn into memory; the answer is the result's bytes, or nothing if there is no room.
    pub(super) fn put(&self, machine: &Machine) -> Option<Vec<u8>> {
        let address =
            |block: &super::states::PlannedBlock| block.fixed.or_else(|| machine.allocate(block.size, 16));
        let placed = self.blueprint.blocks.iter().map(address).collect::<Option<Vec<u64>>>()?;
        for (block, address) in self.blueprint.blocks.iter().zip(&placed) {
            for (at, contents) in &block.contents {
                if !machine.write(address + at, &linked(contents, |k| placed[k])) {
                    return None;
                }
            }
        }
        let result = self.blueprint.arguments.first().map(|(contents, _)| linked(contents, |k| placed[k]));
        Some(result.unwrap_or_default())
    }

    /// C statements that do the same; only if the sequence is shown.
    fn statements(&self) -> String {
        let blocks = || self.blueprint.blocks.iter();
        let declarations = blocks().map(|block| block.declaration.clone()).filter(|line| !line.is_empty());
        let assignments = blocks().flat_map(|block| block.assignments.iter().cloned());
        let result = self.blueprint.arguments.first();
        let result = result.map_or_else(|| "return;".to_string(), |(_, text)| format!("return {text};"));
        declarations.chain(assignments).chain([result]).collect::<Vec<_>>().join(" ")
    }

    /// Ends the life of blocks that were taken whole and not handed back.
    pub(super) fn retire(&mut self, machine: &Machine, leaks: &[Range]) {
        for range in leaks {
            let whole = machine.block_at(range.address).filter(|block| block.range == *range);
            if whole.is_some() && machine.retire(range.address, false) {
                self.retired.push(range.address);
            }
        }
    }
}

/// Who draws what functions without a body do.
pub(super) trait Player {
    /// Draws the outcome of a call: of a contract, with the values of its slots at entry and the memory that
    /// it took. Nothing if none can be drawn.
    fn draw(
        &mut self,
        project: &Project,
        contract: usize,
        returns: Option<TypeId>,
        entry: (&[Value], &Arena),
        owned: &[Range],
    ) -> Option<Blueprint>;
    /// Keeps a call that was played, with what it did in words.
    fn keep(&mut self, name: &str, played: PlayedCall, deeds: Vec<String>);
    /// Whether what was played will be shown.
    fn is_shown(&self) -> bool;
    /// A call could not be played.
    fn give_up(&mut self, name: &str, why: Unplayable);
}

/// What C calls the memory that a function was passed, inside it.
fn places(contract: &Contract, entry: &[Value]) -> Vec<(u64, String)> {
    let parameters = contract.parameters.iter();
    let pointers = parameters.filter_map(|parameter| match entry.get(parameter.slot.0 as usize) {
        Some(Value::Pointer(address)) if *address != 0 => Some((*address, parameter.name.clone())),
        _ => None,
    });
    pointers.collect()
}

/// Draws from the choices of a step.
pub(super) struct Stage<'s, 'c, 'b, 'f> {
    pub(super) states: &'s States,
    pub(super) step: &'s mut Step<'c, 'b>,
    /// Finds what values are drawn from, once something is played.
    find_sources: &'f dyn Fn() -> Sources<'f>,
    sources: Option<Sources<'f>>,
    /// What was played, in order, and the names of the functions.
    pub(super) played: Vec<PlayedCall>,
    pub(super) names: Vec<String>,
    /// Why the call cannot go on: the stream has ended, or something could not be played.
    pub(super) ended: Option<Stop>,
    pub(super) unplayed: Option<WithoutBody>,
}

impl<'s, 'c, 'b, 'f> Stage<'s, 'c, 'b, 'f> {
    pub(super) fn new(
        states: &'s States,
        step: &'s mut Step<'c, 'b>,
        find_sources: &'f dyn Fn() -> Sources<'f>,
    ) -> Stage<'s, 'c, 'b, 'f> {
        let (played, names) = (Vec::new(), Vec::new());
        Stage { states, step, find_sources, sources: None, played, names, ended: None, unplayed: None }
    }
}

impl Player for Stage<'_, '_, '_, '_> {
    fn draw(
        &mut self,
        project: &Project,
        contract: usize,
        returns: Option<TypeId>,
        entry: (&[Value], &Arena),
        owned: &[Range],
    ) -> Option<Blueprint> {
        let contract = &project.specs.contracts[contract];
        let sources = self.sources.get_or_insert_with(self.find_sources);
        sources.places = places(contract, entry.0);
        sources.owned = owned.to_vec();
        let made = self.states.play(project, (contract, returns), entry, self.step, sources);
        // What was drawn inside a call is known should it crash.
        self.step.case().checkpoint();
        match made {
            Ok(Ok(blueprint)) => Some(blueprint),
            Ok(Err(span)) => {
                self.give_up(&contract.name, Unplayable::Clause(span));
                None
            }
            Err(stop) => {
                self.ended = Some(stop);
                None
            }
        }
    }

    fn is_shown(&self) -> bool {
        self.step.is_shown()
    }

    fn keep(&mut self, name: &str, played: PlayedCall, deeds: Vec<String>) {
        let separator = if deeds.is_empty() { "" } else { ": it " };
        let deeds = deeds.join(", ");
        self.step.show_note(|| format!("// `{name}` is played by its contract{separator}{deeds}"));
        if let Some(source) = self.step.attached::<StepSource>() {
            source.stand_ins.push((name.to_string(), played.statements()));
        }
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_string());
        }
        self.played.push(played);
    }

    fn give_up(&mut self, name: &str, why: Unplayable) {
        self.unplayed = Some(WithoutBody::Unplayable { function: name.to_string(), why });
    }
}

/// Plays again what was played before, in the same order.
pub(super) struct Replay<'p> {
    pub(super) project: &'p Project,
    pub(super) played: std::slice::Iter<'p, PlayedCall>,
}

impl Hooks for Replay<'_> {
    fn before(&mut self, machine: &Machine, call: &mut NestedCall<'_>) -> Flow {
        let name = &self.project.specs.contracts[call.id as usize].name;
        if !self.project.missing.contains(name) {
            return Flow::GoOn;
        }
        let Some(played) = self.played.next() else { return Flow::Stop };
        let Some(result) = played.put(machine) else { return Flow::Stop };
        call.set_result(&result);
        for address in &played.retired {
            let _ = machine.retire(*address, false);
        }
        Flow::Skip
    }

    fn after(&mut self, _: &Machine, _: &mut NestedCall<'_>) -> Flow {
        Flow::GoOn
    }
}
