//! Which names mean what inside a contract, a predicate, a function.
//!
//! Holds bindings in the order they were made and what was taken from memory; knows nothing of expressions.
//! Looking up is logarithmic: contracts may be long.

use crate::ctypes::TypeId;
use crate::spec::checked::{Capture, CaptureId, NotRun, Slot};
use crate::spec::position::Span;
use crate::spec::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// What may be done where an expression stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// A pure function: no memory.
    #[default]
    Function,
    /// A predicate.
    Predicate,
    /// A lemma.
    Lemma,
    /// `requires` of a C function.
    Requires,
    /// `ensures` of a C function.
    Ensures,
    /// `inv` of a loop.
    Invariant,
    /// A statement in a body.
    Statement,
}

/// What a name means.
#[derive(Clone, Debug)]
pub(super) struct Binding {
    pub(super) name: String,
    pub(super) kind: BindingKind,
    pub(super) ty: Type,
    /// Where it was bound, if a spec did it.
    pub(super) span: Option<Span>,
    /// Why what names it is not run.
    pub(super) not_run: Option<NotRun>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BindingKind {
    /// A slot.
    Slot(Slot),
    /// A slot with the value of memory that need not be initialised.
    Uninitialised(Slot),
    /// A C variable, read where it lives.
    Variable(TypeId),
    /// A C parameter of a type that specs cannot speak of.
    Opaque(TypeId),
}

/// Memory that was taken.
#[derive(Clone, Debug)]
pub(super) struct TakenSlot {
    pub(super) slot: Slot,
    pub(super) ctype: TypeId,
    pub(super) ty: Type,
    pub(super) is_initialised: bool,
    pub(super) span: Span,
}

/// What names mean, and what was taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) mode: Mode,
    /// Whether it is of a contract whose function the program does not have.
    pub(super) is_absent: bool,
    pub(super) bindings: Vec<Binding>,
    by_name: BTreeMap<String, Vec<usize>>,
    pub(super) n_slots: u32,
    /// What the block took so far, by the key of the pointer.
    pub(super) taken: BTreeMap<String, TakenSlot>,
    /// What `requires` took.
    pub(super) taken_at_entry: BTreeMap<String, TakenSlot>,
    /// How many bindings there were at entry.
    pub(super) n_entry: usize,
    /// How many slots there were at entry.
    pub(super) n_entry_slots: u32,
    /// Inside `{ e }%start`: how many bindings there were before it.
    pub(super) start: Option<usize>,
    /// Where the current block's bindings begin.
    pub(super) block: usize,
    pub(super) result: Option<(Slot, Type)>,
    /// Parameters and results that are `char` in C.
    pub(super) chars: BTreeSet<Slot>,
    pub(super) captures: Vec<Capture>,
}

impl Scope {
    pub(super) fn new(mode: Mode) -> Scope {
        Scope { mode, ..Scope::default() }
    }

    pub(super) fn slot(&mut self) -> Slot {
        let slot = Slot(self.n_slots);
        self.n_slots += 1;
        slot
    }

    pub(super) fn bind(&mut self, binding: Binding) {
        self.by_name.entry(binding.name.clone()).or_default().push(self.bindings.len());
        self.bindings.push(binding);
    }

    /// Gives a name a new slot.
    pub(super) fn bind_slot(&mut self, name: &str, ty: Type, span: Span) -> Slot {
        let slot = self.slot();
        let kind = BindingKind::Slot(slot);
        self.bind(Binding { name: name.to_string(), kind, ty, span: Some(span), not_run: None });
        slot
    }

    /// Forgets the bindings made since there were `n`.
    pub(super) fn forget_to(&mut self, n: usize) {
        while self.bindings.len() > n {
            let Some(last) = self.bindings.pop() else { return };
            if let Some(places) = self.by_name.get_mut(&last.name) {
                places.pop();
            }
        }
    }

    /// What a name means here.
    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        let places = self.by_name.get(name)?;
        let is_visible =
            |place: &usize| self.start.is_none_or(|start| *place >= start || *place < self.n_entry);
        places.iter().rev().find(|place| is_visible(place)).map(|place| &self.bindings[*place])
    }

    /// What a name means in the current block.
    pub(super) fn find_in_block(&self, name: &str) -> Option<&Binding> {
        let place = *self.by_name.get(name)?.last()?;
        (place >= self.block).then(|| &self.bindings[place])
    }

    /// The names there are.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.iter().filter(|(_, places)| !places.is_empty()).map(|(name, _)| name.as_str())
    }

    /// What was taken, in the state that is spoken of.
    pub(super) fn taken(&self, key: &str) -> Option<&TakenSlot> {
        if self.start.is_some() { self.taken_at_entry.get(key) } else { self.taken.get(key) }
    }

    /// The place of a C variable among the captures.
    pub(super) fn capture(&mut self, name: &str, ctype: TypeId) -> CaptureId {
        let known = self.captures.iter().position(|capture| capture.name == name && capture.ctype == ctype);
        let place = known.unwrap_or_else(|| {
            self.captures.push(Capture { name: name.to_string(), ctype });
            self.captures.len() - 1
        });
        CaptureId(place as u32)
    }

    /// Begins a new block: what was taken before is no longer there.
    pub(super) fn new_block(&mut self) {
        self.taken.clear();
        self.block = self.bindings.len();
    }
}
