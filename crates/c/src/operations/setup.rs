//! Makes [`Calls`] from a project: which functions can be called, with what, and how likely each of them is.
//!
//! Runs once in a worker. Also what brings a program back to its beginning before each sequence.

use super::judge::Judge;
use super::targets::Ways;
use super::weights::Roles;
use super::{
    Calls, CallsError, Folder, FreshMemory, ParameterHints, Selection, Settings, Target, UncalledFunction,
    aliases, failures, features, judge, lines, make, same, states, targets, views,
};
use crate::ctypes::{CType, TypeId};
use crate::machine;
use crate::machine::Machine;
use crate::project::Project;
use stairway::Case;
use stairway::engine::{Feature, MANY_OPERATIONS};
use std::cell::{Cell, RefCell};

/// The stack of a call: as much as a thread has on some systems, so that recursion without a limit is found;
/// more where contracts are checked in between.
const PLAIN_STACK: u64 = 512 << 10;
const LEAST_CHECKED_STACK: u64 = 2 << 20;
const CHECKED_STACK: u64 = 8 << 20;

/// What a call costs beside its fuel, and what drawing its arguments does, in basic blocks.
const CALL_WORK: u64 = 500;

impl Calls {
    /// Loads the object of a project.
    ///
    /// # Errors
    /// If it cannot be loaded, or there is nothing to call.
    pub fn new(project: Project, mut settings: Settings) -> Result<Calls, CallsError> {
        // One that is not run counts as well: what it would have refused is passed to the function.
        let has_contracts = project.specs.contracts.iter().any(|contract| !contract.is_empty());
        settings.machine.stack_limit = match has_contracts {
            true => settings.stack_limit.unwrap_or(CHECKED_STACK).max(LEAST_CHECKED_STACK),
            false => settings.stack_limit.unwrap_or(PLAIN_STACK),
        };
        let machine = Machine::load(&project.object, project.is_instrumented, settings.machine)
            .map_err(CallsError::Load)?;
        if settings.machine.counts_edges {
            machine.watch(machine::Watch::Branches);
        }
        let (mut targets, not_called) =
            targets::targets(&project, &selection(&project, &settings), settings.init.as_deref());
        if targets.is_empty() {
            return Err(CallsError::NothingCallable(not_called));
        }
        if targets.len() > MANY_OPERATIONS {
            return Err(CallsError::TooMany(targets.len()));
        }
        let judge = Judge::new(&project, &machine, &settings)?;
        same::share_constants(&project, &mut targets, &settings);
        let others = same::others(&project, &machine, &targets, &settings)?;
        let with_wishes = |target: Target| {
            let missing = || CallsError::NoSuchFunction(target.name.to_string());
            let entry = machine.entry(target.address).ok_or_else(missing)?;
            let function = machine.function(entry, target.prototype.clone());
            let wishes = judge.wishes(&project, &target, &settings);
            Ok((target, function, wishes))
        };
        let mut kinds: Vec<aliases::Kind> = Vec::new();
        let kind_of: Vec<u32> =
            targets.iter().map(|target| place_of(&mut kinds, aliases::Kind::of(target))).collect();
        let mut targets = targets.into_iter().map(with_wishes).collect::<Result<Vec<_>, CallsError>>()?;
        let mut functions: Vec<_> = targets::pointed_to(&project, settings.is_hostile)
            .into_iter()
            .map(|(ty, name, address)| (ty, name, machine.address(address)))
            .collect();
        let mut allocators = targets::allocators(&project, &machine);
        allocators.retain(|(ty, ..)| !functions.iter().any(|(known, ..)| known == ty));
        functions.extend(allocators);
        let mut ways = Ways::default();
        let linked = make::linked_types(&project.program.types);
        for (target, _, wishes) in &mut targets {
            Calls::find_ways(&project, &functions, &kinds, &mut ways, target, wishes);
            let types = &project.program.types;
            let is_plain = |ty: &TypeId| matches!(types.get(*ty), CType::Pointer { to, .. } if matches!(types.get(*to), CType::Void));
            for (ty, wish) in target.parameters.iter().zip(wishes) {
                let is_linked = wish.object.is_some_and(|object| linked.contains(&object));
                let is_kept = is_linked || (wish.is_unsized && is_plain(ty));
                wish.may_be_held = wish.is_apart && !wish.is_const && is_kept;
            }
        }
        let names: Vec<&'static str> = targets.iter().map(|(target, ..)| target.name).collect();
        let init = match &settings.init {
            None => None,
            Some(name) => {
                let place = names.iter().position(|known| known == name);
                Some(place.ok_or_else(|| CallsError::NoSuchFunction(name.clone()))?)
            }
        };
        let states = states::States::new(
            &project,
            &machine,
            targets.iter().map(|(target, _, wishes)| (target, &**wishes)),
            settings.from,
        );
        let roles = Roles::new(&project, &targets, &kind_of, init, &states, &settings)?;
        Ok(Calls {
            present: Cell::new(settings.machine),
            roles,
            kind_of,
            refusals: RefCell::default(),
            charged: Cell::default(),
            features: features::Features::new(settings.has_feedback),
            states,
            lines: lines::Lines::new(&project),
            views: views::views(&project, targets.iter().map(|(target, ..)| target)),
            functions,
            names: names.leak(),
            targets,
            not_called,
            ways: RefCell::default(),
            judge,
            others,
            folder: None,
            has_contracts,
            settings,
            machine,
            project,
        })
    }

    /// Makes a folder what it was before each sequence.
    #[must_use]
    pub fn with_folder(self, folder: Folder) -> Calls {
        Calls { folder: Some(folder), ..self }
    }

    /// Charges a case for what was called since a case was charged last, and for a step of its own; returns
    /// the fuel that this took.
    pub(super) fn charge(&self, case: &mut Case<'_>) -> u64 {
        let spent = self.machine.spent();
        let before = self.charged.replace(spent);
        let (n_calls, fuel) = (spent.n_calls - before.n_calls, spent.fuel - before.fuel);
        let in_contracts = self.judge.evaluator().take_spent();
        case.observed().work += fuel + in_contracts + (n_calls + 1) * CALL_WORK;
        fuel
    }

    /// Tells a case which branches were taken since it was asked last, where they are counted.
    pub(crate) fn note_edges(&self, case: &mut Case<'_>) {
        let observed = case.observed();
        if self.settings.machine.counts_edges {
            let feature = |edge: u16, n: u8| Feature::new(u32::from(edge) << 8 | u32::from(n), 0);
            self.machine.take_edges(|edge, n| observed.features.push(feature(edge, n)));
        }
    }

    /// Back to where every sequence begins.
    pub(super) fn reset(&self) {
        self.machine.reset();
        self.judge.reset();
        stairway_sandbox::restore();
        if let Some(folder) = &self.folder {
            folder.restore();
        }
    }

    /// Looks for something to call, and for everything that options name; nothing is loaded for that. Gives
    /// the functions that will not be called.
    ///
    /// # Errors
    /// If there is nothing to call, or a function that the settings name is not there.
    pub fn look(project: &Project, settings: &Settings) -> Result<Vec<UncalledFunction>, CallsError> {
        let Selection { only, skip, makers, .. } = &settings.selection;
        let is_missing = |name: &&String| !project.sources.functions.iter().any(|f| f.name == **name);
        if let Some(name) = only.iter().chain(skip).chain(makers).find(is_missing) {
            return Err(CallsError::NoSuchFunction(name.clone()));
        }
        same::look(project, settings)?;
        if let Some(name) = &settings.invariant {
            judge::predicate(project, name)?;
        }
        let (targets, not_called) =
            targets::targets(project, &selection(project, settings), settings.init.as_deref());
        let weighed = settings.weights.iter().map(|(name, _)| name);
        let named = settings.init.iter().chain(settings.same.iter().map(|(one, _)| one)).chain(weighed);
        let mut named = named.chain(makers);
        let unknown = named.find(|name| !targets.iter().any(|target| target.name == **name));
        match (targets.len(), unknown) {
            (0, _) => Err(CallsError::NothingCallable(not_called)),
            (n, _) if n > MANY_OPERATIONS => Err(CallsError::TooMany(n)),
            (_, Some(name)) => Err(CallsError::NoSuchFunction(name.clone())),
            _ => Ok(not_called),
        }
    }

    /// What is needed for each parameter, and how the results of functions lead there.
    pub(super) fn find_ways(
        project: &Project,
        functions: &[(TypeId, &'static str, u64)],
        kinds: &[aliases::Kind],
        ways: &mut Ways,
        target: &Target,
        wishes: &mut [ParameterHints],
    ) {
        let types = &project.program.types;
        for (k, (ty, wish)) in target.parameters.iter().zip(wishes).enumerate() {
            let suitable = aliases::SuitableResults::of(target, k, wish.fresh != FreshMemory::No, kinds);
            let found = |from: &aliases::Kind| {
                // Without a contract, what an object holds is its own: passing it along with the object
                // would ask for what nobody promises.
                let all = match target.contract {
                    Some(_) => ways.between(types, from.ty, *ty),
                    None => ways.outer(types, from.ty, *ty),
                };
                suitable.among(from, all)
            };
            let found: Vec<_> = kinds.iter().map(found).collect();
            let leads = |k: &u32| !found[*k as usize].is_empty();
            wish.producers = (0..kinds.len() as u32).filter(leads).collect();
            wish.ways = found.into();
            wish.expect(&target.worth);
            wish.needs_none = match types.get(*ty) {
                CType::Pointer { to, .. } => {
                    wish.object = matches!(types.get(*to), CType::Record(_)).then_some(*to);
                    let is_sized = types.size(*to).is_some() || matches!(types.get(*to), CType::Void);
                    let has_fresh = wish.fresh != FreshMemory::No && is_sized;
                    wish.may_be_null
                        || has_fresh
                        || functions.iter().any(|(of, ..)| of == to)
                        || make::is_answerable(types, *to)
                }
                _ => true,
            };
        }
    }
}

/// The functions to call: neither the invariant nor those that are only called in place of others.
fn selection(project: &Project, settings: &Settings) -> Selection {
    let mut selection = settings.selection.clone();
    let has_contract = |name: &String| failures::has_contract(project, name);
    let others = settings.same.iter().map(|(_, other)| other).filter(|other| !has_contract(other));
    selection.skip.extend(settings.invariant.iter().chain(others).cloned());
    selection
}

/// The place of a value in a list of distinct ones, to which it is added if it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> u32 {
    let place = list.iter().position(|known| *known == value).unwrap_or(list.len());
    if place == list.len() {
        list.push(value);
    }
    place as u32
}
