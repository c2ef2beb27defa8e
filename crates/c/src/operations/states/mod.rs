//! Makes states from preconditions: memory that no call of the program has built.
//!
//! A contract becomes a blueprint of the arguments and of all memory that its `requires` takes. The
//! precondition is read backwards, in three parts: `plan` knows what can be read off predicates beforehand,
//! `draw` (with `terms`, `conditions` and `solve`) meets its clauses one by one on a symbolic heap, the
//! `draft`, and `commit` fills in what was left open. Every decision comes from the choice stream, so states
//! are replayed and shrunk like everything else. The evaluator decides whether a state satisfies the
//! precondition, as it does for every call.

mod bounds;
mod clashes;
mod commit;
mod conditions;
mod draft;
mod draw;
mod known;
mod plan;
mod solve;
mod terms;

pub(super) use commit::{Blueprint, Contents, Link, PlannedBlock, Sources};

use super::make::ParameterHints;
use super::targets::Target;
use crate::ctypes::TypeId;
use crate::evaluate::{Arena, Value};
use crate::facts::StateObstacle;
use crate::machine::Machine;
use crate::project::Project;
use crate::spec::checked::{Clause, ClauseKind, Contract, Expr, ExprKind, ResourceKind};
use crate::spec::position::Span;
use crate::spec::types::Type;
use bounds::Bounds;
use commit::Supply;
use draft::{Term, TermId};
use draw::{Drawing, Fail, Order, Room, World};
use plan::Plan;
use serde::{Deserialize, Serialize};
use stairway::engine::{Label, Step};
use stairway::{Checked, Stop};
use std::cell::RefCell;

/// How large states are mostly and at most: how many nodes their predicates may add.
const FEW_NODES: u64 = 9;
const MOST_NODES: u64 = 40;
/// How often a state is begun anew before it is given up.
const TRIES: u32 = 4;
/// By how many nodes the next try may be larger: a precondition may ask for more than a few.
const GROWTH: u32 = 3;
/// The largest seed. The shape of a state is a function of its size and a seed, both of which are choices: to
/// shrink is to try a smaller size with this seed and others. Decisions that depend on one another, as those
/// of balanced trees do, could not be edited one by one.
const SEEDS: u64 = 0xffff;

/// What a step of making a state costs, in basic blocks.
const STEP_WORK: u64 = 4;

/// Where the arguments of calls come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum From {
    /// From earlier calls, and memory that is made without looking at predicates.
    Calls,
    /// From preconditions, wherever a state can be made.
    States,
    /// From both.
    #[default]
    Both,
}

/// States for the functions of a program.
#[derive(Debug)]
pub(super) struct States {
    plan: Plan,
    bounds: Bounds,
    globals: Vec<(Option<u64>, TypeId)>,
    functions: Vec<Option<u64>>,
    /// How often states are tried for each function, against calls; 0 where they are of no use.
    weights: Vec<u32>,
    /// Why none can be made for a function, where it would be of use.
    obstacles: Vec<Option<StateObstacle>>,
    /// Which clauses clash, where all states that were begun came to nothing.
    clashes: Vec<Option<StateObstacle>>,
    /// Used again.
    room: RefCell<Room>,
}

/// What a state is made for.
pub(super) struct Request<'a> {
    pub(super) target: &'a Target,
    pub(super) wishes: &'a [ParameterHints],
    pub(super) contract: &'a Contract,
    /// How many nodes it may have, where that is not drawn.
    pub(super) n_nodes: Option<u32>,
}

/// How a state is begun.
struct StateRequest {
    label: Label,
    /// What it is made from.
    at: Span,
    n_nodes: Option<u32>,
}

/// A state, or the clause at which no state could be made.
pub(super) type BlueprintResult = Result<Blueprint, Span>;

impl States {
    pub(super) fn new<'t>(
        project: &Project,
        machine: &Machine,
        targets: impl Iterator<Item = (&'t Target, &'t [ParameterHints])>,
        from: From,
    ) -> States {
        let addresses = super::judge::addresses(project, machine);
        let types = project.globals.iter().map(|k| project.program.globals[*k].ty);
        let plan = Plan::new(&project.specs);
        let obstacle = |target: &Target| {
            let contract = &project.specs.contracts[target.contract.filter(|_| from != From::Calls)?];
            let unchecked = contract.requires.iter().find(|clause| is_unchecked_condition(clause));
            let unchecked = || Some(StateObstacle::Unchecked(unchecked?.span));
            let obstacle = plan.obstacle(&project.specs, &contract.requires).or_else(unchecked)?;
            (worth(contract) > 0).then_some(obstacle)
        };
        let weight = |target: &Target| match target.contract.filter(|_| from != From::Calls) {
            Some(k) => worth(&project.specs.contracts[k]),
            None => 0,
        };
        let targets: Vec<_> = targets.collect();
        let weights = targets.iter().map(|(target, _)| weight(target)).collect();
        let obstacles = targets.iter().map(|(target, _)| obstacle(target)).collect();
        let clashes = vec![None; targets.len()];
        let mut states = States {
            globals: addresses.globals.iter().copied().zip(types).collect(),
            functions: addresses.functions,
            weights,
            obstacles,
            clashes,
            plan,
            bounds: Bounds::default(),
            room: RefCell::default(),
        };
        if from != From::Calls {
            states.bounds = Bounds::learn(states.world(project), &mut states.room.borrow_mut());
            states.find_clashes(project, &targets);
        }
        states
    }

    fn world<'a>(&'a self, project: &'a Project) -> World<'a> {
        World {
            specs: &project.specs,
            types: &project.program.types,
            plan: &self.plan,
            bounds: &self.bounds,
            globals: &self.globals,
            functions: &self.functions,
        }
    }

    /// How often a state is tried for a function, against two for calls; 0 if none is of use.
    pub(super) fn weight(&self, op: usize) -> u32 {
        self.weights[op]
    }

    /// Why no state can be made for a function, where it would be of use.
    pub(super) fn obstacle(&self, op: usize) -> Option<&StateObstacle> {
        self.obstacles[op].as_ref()
    }

    /// Which clauses of its precondition clash, as far as can be seen.
    pub(super) fn clash(&self, op: usize) -> Option<&StateObstacle> {
        self.clashes[op].as_ref()
    }

    /// Makes a state for a call of a function.
    ///
    /// # Errors
    /// Ends the case when the stream does.
    pub(super) fn make(
        &self,
        project: &Project,
        request: &Request<'_>,
        step: &mut Step<'_, '_>,
        sources: &mut Sources<'_>,
    ) -> Checked<BlueprintResult> {
        let Request { target, wishes, contract, n_nodes } = *request;
        // Without memory it is a value like any other.
        let label = if contract.takes() { Label::SEEDED } else { Label::SOLVED };
        let begun = StateRequest { label, at: contract.span, n_nodes };
        self.tries(project, begun, step, sources, |drawing, n_nodes, supply| {
            one(drawing, target, wishes, contract, n_nodes, supply)
        })
    }

    /// Makes what a function without a body leaves behind: its result, as the only argument of the blueprint,
    /// and the memory that its `ensures` takes. `entry` are the values of its slots when it was called.
    ///
    /// # Errors
    /// Ends the case when the stream does.
    pub(super) fn play(
        &self,
        project: &Project,
        (contract, returns): (&Contract, Option<TypeId>),
        entry: (&[Value], &Arena),
        step: &mut Step<'_, '_>,
        sources: &mut Sources<'_>,
    ) -> Checked<BlueprintResult> {
        let begun = StateRequest { label: Label::SEEDED, at: contract.span, n_nodes: None };
        self.tries(project, begun, step, sources, |drawing, n_nodes, supply| {
            outcome(drawing, (contract, returns), entry, n_nodes, supply)
        })
    }

    /// Tries a few times to make a blueprint.
    fn tries<'a>(
        &'a self,
        project: &'a Project,
        StateRequest { label, at, n_nodes }: StateRequest,
        step: &mut Step<'_, '_>,
        sources: &mut Sources<'_>,
        mut run: impl FnMut(&mut Drawing<'a, '_>, u32, &mut Supply<'_, '_, '_, '_>) -> Result<Blueprint, Fail>,
    ) -> Checked<BlueprintResult> {
        let world = self.world(project);
        let n_known = sources.numbers.len();
        let mut made = Err(at);
        step.choices().open(label);
        let n_nodes = n_nodes.unwrap_or_else(|| draw_size(step));
        let seed = step.choices().unsigned(0, SEEDS, 0);
        for k in 0..TRIES {
            sources.numbers.truncate(n_known);
            let room = self.room.take();
            let order = if k % 2 == 0 { Order::ShapesFirst } else { Order::AsWritten };
            let shared = RefCell::new(&mut *step);
            // How many things there are is a choice of its own: it can be made smaller alone.
            let draw_number = |least, most| {
                let mut step = shared.borrow_mut();
                step.choices().open(Label::Part);
                let n = step.choices().signed(least, most, least);
                step.choices().close();
                n
            };
            let mut drawing =
                Drawing::new(world, room, seed ^ u64::from(k) << 32, order, at).sized_by(&draw_number);
            let supply = &mut Supply { step: &shared, sources: &mut *sources };
            let result = run(&mut drawing, n_nodes + GROWTH * k, supply);
            let (at, n_steps) = (drawing.at, drawing.n_steps);
            self.room.replace(drawing.into_room());
            if result.is_err() {
                // What comes to nothing is paid for: a search is over in time all the same.
                step.case().observed().work += u64::from(n_steps) * STEP_WORK;
            }
            match result {
                Ok(blueprint) => {
                    made = Ok(blueprint);
                    break;
                }
                Err(Fail::Unknown(span)) => {
                    made = Err(span);
                    break;
                }
                Err(Fail::TooLong) => {
                    made = Err(at);
                    break;
                }
                Err(Fail::Clash) => made = Err(at),
            }
            if let Some(halt) = step.choices().halted() {
                step.choices().close();
                return Err(Stop::halt(halt));
            }
        }
        step.choices().close();
        Ok(made)
    }
}

/// One state from its precondition.
fn one<'a>(
    drawing: &mut Drawing<'a, '_>,
    target: &Target,
    wishes: &[ParameterHints],
    contract: &'a Contract,
    n_nodes: u32,
    supply: &mut Supply<'_, '_, '_, '_>,
) -> Result<Blueprint, Fail> {
    let arguments = demand(drawing, (target, wishes), (contract, &contract.requires), n_nodes)?;
    drawing.close_all(&arguments, supply)?;
    let (ordinal, is_shown) = (supply.step.borrow().ordinal() + 1, supply.step.borrow().is_shown());
    let name = |n| if is_shown { format!("m{ordinal}_{n}") } else { String::new() };
    drawing.blueprint(&arguments, supply.sources, &name, is_shown)
}

/// Demands what a precondition says, in these clauses of it, of arguments that are open; the answer is the
/// arguments with their types.
fn demand<'a>(
    drawing: &mut Drawing<'a, '_>,
    (target, wishes): (&Target, &[ParameterHints]),
    (contract, requires): (&'a Contract, &'a [Clause]),
    n_nodes: u32,
) -> Result<Vec<(TypeId, TermId)>, Fail> {
    let unit = drawing.draft.add(Term::Unit);
    let mut frame = vec![unit; contract.n_slots as usize];
    let mut arguments = Vec::with_capacity(target.parameters.len());
    for (parameter, ty) in contract.parameters.iter().zip(&target.parameters) {
        let term = drawing.fresh(*ty)?;
        frame[parameter.slot.0 as usize] = term;
        arguments.push((*ty, term));
    }
    if arguments.len() < target.parameters.len() {
        return Err(Fail::Unknown(contract.span));
    }
    for access in &contract.accesses {
        frame[access.before.0 as usize] = drawing.access(access)?;
    }
    for (_, term) in arguments.iter().zip(wishes).filter(|(_, wish)| !wish.may_be_null).map(|(of, _)| of) {
        drawing.is_somewhere(*term);
    }
    drawing.requires(requires, &mut frame, n_nodes)?;
    Ok(arguments)
}

/// What a function without a body leaves behind, from its postcondition.
fn outcome<'a>(
    drawing: &mut Drawing<'a, '_>,
    (contract, returns): (&'a Contract, Option<TypeId>),
    (values, arena): (&[Value], &Arena),
    n_nodes: u32,
    supply: &mut Supply<'_, '_, '_, '_>,
) -> Result<Blueprint, Fail> {
    drawing.draft.hold_present();
    drawing.owned.clone_from(&supply.sources.owned);
    let unit = drawing.draft.add(Term::Unit);
    let mut frame = vec![unit; contract.n_slots as usize];
    for (slot, value) in frame.iter_mut().zip(values) {
        *slot = drawing.known(*value, arena, 0)?;
    }
    let mut results = Vec::new();
    if let Some(ty) = returns {
        let term = drawing.fresh(ty)?;
        results.push((ty, term));
        if let Some(result) = &contract.result {
            frame[result.slot.0 as usize] = term;
        }
    }
    for access in &contract.accesses {
        frame[access.after.0 as usize] = drawing.access(access)?;
    }
    drawing.requires(&contract.ensures, &mut frame, n_nodes)?;
    drawing.close_all(&results, supply)?;
    let is_shown = supply.step.borrow().is_shown();
    drawing.blueprint(&results, supply.sources, &|n| format!("made{n}"), is_shown)
}

/// Whether a condition of a precondition is left out: nobody knows then which states it allows.
const fn is_unchecked_condition(clause: &Clause) -> bool {
    clause.not_run.is_some() && !matches!(clause.kind, ClauseKind::Take { .. })
}

/// Draws how many nodes a state may have: mostly a handful.
fn draw_size(step: &mut Step<'_, '_>) -> u32 {
    let choices = step.choices();
    let n = match choices.free_word() {
        Some(word) => {
            let most = if word % 16 == 0 { MOST_NODES } else { FEW_NODES };
            let n = (word >> 8) % (most + 1);
            choices.given_length(n, 0, MOST_NODES);
            n
        }
        None => choices.length(0, MOST_NODES),
    };
    n as u32
}

/// How much states add to calls for a precondition: nothing where it speaks of no memory, or of memory that
/// may hold anything.
fn worth(contract: &Contract) -> u32 {
    let clauses = || contract.requires.iter().filter(|clause: &&Clause| clause.not_run.is_none());
    let resources = || {
        clauses().filter_map(|clause| match &clause.kind {
            ClauseKind::Take { resource, .. } => Some(&resource.kind),
            _ => None,
        })
    };
    if resources().any(|kind| matches!(kind, ResourceKind::Predicate { .. } | ResourceKind::Each { .. })) {
        return 2;
    }
    let bound = clauses().filter_map(|clause| match &clause.kind {
        ClauseKind::Take { slot, .. } | ClauseKind::Let { slot, .. } => Some(*slot),
        _ => None,
    });
    let bound: Vec<_> = bound.chain(contract.accesses.iter().map(|access| access.before)).collect();
    let is_about_memory = |e: &Expr| bound.iter().any(|slot| e.reads(*slot)) || compares_pointers(e);
    let is_condition = clauses().any(|clause| match &clause.kind {
        ClauseKind::Holds(e) | ClauseKind::Each(_, e) => is_about_memory(e),
        _ => false,
    });
    // What lies beside or behind a parameter has to lie there.
    let is_inside = resources().any(|kind| match kind {
        ResourceKind::Memory { pointer, .. } => match pointer.kind {
            ExprKind::Slot(slot) => bound.contains(&slot),
            ExprKind::GlobalAddress(_) => false,
            _ => true,
        },
        _ => false,
    });
    // A struct that is passed by value is seldom right in all its members by chance.
    let is_about_members = clauses().any(|clause| match &clause.kind {
        ClauseKind::Holds(e) => reads_struct(e),
        _ => false,
    });
    u32::from(contract.takes() && (is_condition || is_inside) || is_about_members)
}

/// Whether a condition looks at a struct that has a name: a parameter, or what was taken.
fn reads_struct(e: &Expr) -> bool {
    if matches!((&e.kind, &e.ty), (ExprKind::Slot(_), Type::Struct(_))) {
        return true;
    }
    let mut found = false;
    e.each_child(&mut |child| found = found || reads_struct(child));
    found
}

/// Whether a condition says that pointers are, or are not, the same.
fn compares_pointers(e: &Expr) -> bool {
    let is_pointer = |e: &Expr| matches!(e.ty, Type::Pointer(_)) && !matches!(e.kind, ExprKind::Null);
    match &e.kind {
        ExprKind::Equal(a, b) | ExprKind::Unequal(a, b) => is_pointer(a) && is_pointer(b),
        _ => {
            let mut found = false;
            e.each_child(&mut |child| found = found || compares_pointers(child));
            found
        }
    }
}
