//! Learns the ranges of the numbers in a predicate's value: the height of a node is at least 1, whatever its
//! tree is.
//!
//! A predicate runs only when the clauses around it have stated their demands on its value. Until then
//! nothing is known of that value, and a demand could ask for a node of height 0. So each predicate runs
//! beforehand, one level deep and several times: first with inner values that end at once, then with those
//! that were found. A bound that still grows in a later round is dropped. Ranges are learnt from examples,
//! and one that is too narrow loses states, so a range must be the same in all rounds. Whether a state is
//! right is decided elsewhere.

use super::draft::{Draft, Term, TermId, is_number, range_of};
use super::draw::{Drawing, Order, Room, World};
use crate::spec::checked::PredicateId;
use crate::spec::types::Type;

/// How often a predicate is run in a round, and how large the values inside it may be.
const SAMPLES: u64 = 40;
const SIZES: u64 = 8;
/// How many rounds are run. Ranges that still change in the last one are given up.
const ROUNDS: usize = 5;
/// In which round what still grows is taken to have no limit.
const WIDENING: usize = 2;

/// The least and the largest number.
type Range = (i128, i128);
/// The numbers among the fields of a constructor; those of other types have no range.
type Fields = Vec<Option<Range>>;

/// What is known of the values of predicates.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    /// By predicate and constructor: nothing where no such value was found.
    of: Vec<Vec<Option<Fields>>>,
    is_learnt: bool,
}

impl Bounds {
    /// Runs all predicates, for what they can be.
    pub(super) fn learn(world: World<'_>, room: &mut Room) -> Bounds {
        let specs = world.specs;
        // Only values with numbers in them are of interest.
        let n_constructors = |ty: &Type| match ty {
            Type::Datatype(id) => {
                let constructors = &specs.datatypes[id.0 as usize].constructors;
                let has_numbers = constructors.iter().any(|c| c.fields.iter().any(|(_, ty)| is_number(ty)));
                if has_numbers { constructors.len() } else { 0 }
            }
            _ => 0,
        };
        let nothing = specs.predicates.iter().map(|predicate| vec![None; n_constructors(&predicate.ty)]);
        let mut known = Bounds { of: nothing.collect(), is_learnt: false };
        for round in 0..ROUNDS {
            let before = Bounds { of: known.of.clone(), is_learnt: false };
            for (k, values) in known.of.iter_mut().enumerate().filter(|(_, values)| !values.is_empty()) {
                sample(World { bounds: &before, ..world }, room, k, values);
            }
            if round >= WIDENING {
                known.widen(world, &before.of);
            }
            if known.of == before.of {
                known.is_learnt = true;
                return known;
            }
        }
        Bounds::default()
    }

    /// Takes limits away that are not those of the round before.
    fn widen(&mut self, world: World<'_>, before: &[Vec<Option<Fields>>]) {
        for (k, constructors) in self.of.iter_mut().enumerate() {
            let Type::Datatype(id) = world.specs.predicates[k].ty else { continue };
            for (c, fields) in constructors.iter_mut().enumerate() {
                let types = &world.specs.datatypes[id.0 as usize].constructors[c].fields;
                let (Some(fields), Some(old)) = (fields, &before[k][c]) else { continue };
                for ((range, old), (_, ty)) in fields.iter_mut().zip(old).zip(types) {
                    let (Some(range), Some(old)) = (range, old) else { continue };
                    let full = range_of(ty);
                    if range.0 != old.0 {
                        range.0 = full.0;
                    }
                    if range.1 != old.1 {
                        range.1 = full.1;
                    }
                }
            }
        }
    }

    /// The ranges of the fields of a value; an error while they are learnt and no such value was found.
    pub(super) fn of(
        &self,
        predicate: PredicateId,
        constructor: u32,
    ) -> Result<Option<&[Option<Range>]>, ()> {
        let constructors = self.of.get(predicate.0 as usize).filter(|of| !of.is_empty());
        let Some(constructors) = constructors else { return Ok(None) };
        match constructors.get(constructor as usize) {
            Some(Some(fields)) => Ok(Some(fields)),
            _ if self.is_learnt => Ok(None),
            _ => Err(()),
        }
    }
}

/// Runs one level of a predicate, and adds what its values are to what is known of them.
fn sample(world: World<'_>, room: &mut Room, k: usize, known: &mut [Option<Fields>]) {
    let predicate = &world.specs.predicates[k];
    for seed in 0..SAMPLES {
        let order = if seed % 2 == 0 { Order::ShapesFirst } else { Order::AsWritten };
        let mut drawing = Drawing::new(world, std::mem::take(room), seed, order, predicate.span);
        if let Ok(value) = drawing.outermost(PredicateId(k as u32), (seed / 2 % SIZES) as u32) {
            note(&drawing.draft, value, known);
        }
        *room = drawing.into_room();
    }
}

fn note(draft: &Draft, value: TermId, known: &mut [Option<Fields>]) {
    let Term::Data { constructor, at, n, .. } = draft.term(value) else { return };
    let ranges = (0..n).map(|k| {
        let field = draft.part(at, k);
        draft.is_number(draft.term(field)).then(|| draft.range(field))
    });
    match &mut known[constructor as usize] {
        Some(fields) => fields.iter_mut().zip(ranges).for_each(|(known, found)| {
            *known = known.zip(found).map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
        }),
        nothing => *nothing = Some(ranges.collect()),
    }
}
