//! What is known of an argument before it is drawn: [`ParameterHints`] for each parameter.
//!
//! They come from contracts, from guesses where there is none (`absent`), and from numbers and texts of the
//! source. Nothing is drawn here.

use super::strings::{MAX_TEXT, Words};
use crate::ctypes::TypeId;
use crate::evaluate::Portion;
use crate::operations::bits::Bits;
use crate::operations::candidates::Candidates;
use crate::operations::targets::Way;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How many times in 16 a number is one from the source, and one of those that a precondition pins it to.
const CONSTANTS: u32 = 4;
const PINNED: u32 = 15;
/// The same for what is less than a length, and what it is then.
const BOUNDED: u32 = 10;
const SMALL: &[i128] = &[0, 1, 2, 3, 0, 1, 4, 5, 6, 7];

/// What a contract, or the lack of one, says about a parameter.
#[derive(Clone, Debug)]
pub struct ParameterHints {
    /// The values it must have one of, if they are few.
    pub pinned: Vec<i128>,
    /// The least and the largest value worth trying.
    pub range: Option<(i128, i128)>,
    /// Whether it is less than something that is known only when it is called.
    pub is_bounded: bool,
    /// Whether NULL may be passed.
    pub may_be_null: bool,
    /// Whether a pointer to what is gone may be passed.
    pub may_be_stale: bool,
    /// Whether memory may be made for it.
    pub fresh: FreshMemory,
    /// How many elements it points to, if its declaration says so: `int p[4]`.
    pub n_elements: Option<u64>,
    /// Whether nothing says how many elements it points to: no contract, and no parameter behind it.
    pub is_unsized: bool,
    /// Whether it points to what is not to be changed.
    pub is_const: bool,
    /// Whether it is never the same as another argument.
    pub is_apart: bool,
    /// Whether it is an object that others may hold, and is passed to be changed.
    pub may_be_held: bool,
    /// Whether what it points to is not handed back: the function may free it, so that it has to be a block
    /// of its own.
    pub is_consumed: bool,
    /// Whether it counts the elements that the pointer before it points to.
    pub is_length: bool,
    /// Whether such a number may be more: by its name it may be something else.
    pub may_be_longer: bool,
    /// Whether it counts the elements that the pointer after it points to.
    pub is_announced: bool,
    /// Whether it points to as many elements as the pointer before it, both counted by the number behind them.
    pub is_twin: bool,
    /// Whether it points to the end of what the pointer before it points to.
    pub is_end: bool,
    /// Whether it points to several structs, one after the other.
    pub is_many: bool,
    /// What is known of members of a struct, by their places.
    pub members: BTreeMap<u32, ParameterHints>,
    /// What is known of the memory that a pointer points to.
    pub pointee: Option<Box<ParameterHints>>,
    /// Numbers worth trying: those it is pinned to, or some from the source.
    pub(in crate::operations) likely: Likely,
    /// What a text is made of, where it is one.
    pub(in crate::operations) words: Words,
    /// How long a text is at most.
    pub(in crate::operations) longest: u64,
    /// How a variable leads to it, for each kind of result.
    pub(in crate::operations) ways: Rc<[Rc<[Way]>]>,
    /// The kinds of results with such a way.
    pub(in crate::operations) producers: Bits,
    /// What it points to, if that is a struct or union: one that was made for an earlier call will do.
    pub(in crate::operations) object: Option<TypeId>,
    /// Whether it can be made without any.
    pub(in crate::operations) needs_none: bool,
}

/// What memory may be made for a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreshMemory {
    /// None: the pointer comes from an earlier result.
    No,
    /// All bytes zero: what most objects are before somebody sets them up.
    Zeroed,
    /// Initialised, with anything.
    Filled,
    /// Not initialised.
    Blank,
}

impl ParameterHints {
    /// For a parameter of which nothing is known.
    #[must_use]
    pub fn unknown() -> ParameterHints {
        ParameterHints {
            pinned: Vec::new(),
            range: None,
            is_bounded: false,
            may_be_null: false,
            may_be_stale: false,
            fresh: FreshMemory::Filled,
            is_length: false,
            may_be_longer: false,
            n_elements: None,
            members: BTreeMap::new(),
            pointee: None,
            is_unsized: false,
            is_const: false,
            is_apart: false,
            may_be_held: false,
            is_consumed: false,
            likely: Likely::default(),
            words: Words::default(),
            longest: MAX_TEXT,
            is_many: false,
            is_twin: false,
            is_end: false,
            is_announced: false,
            ways: Rc::new([]),
            producers: Bits::default(),
            object: None,
            needs_none: true,
        }
    }
}

impl ParameterHints {
    /// What is known of a part of it.
    pub(in crate::operations) fn part(&mut self, part: &Portion) -> &mut ParameterHints {
        // Nothing is known of the other parts: they may be anything.
        let anything = || ParameterHints { may_be_null: true, ..ParameterHints::unknown() };
        let mut wish = self;
        if part.is_pointee {
            wish = wish.pointee.get_or_insert_with(|| Box::new(anything()));
        }
        for member in &part.path {
            wish = wish.members.entry(*member).or_insert_with(anything);
        }
        wish
    }

    /// Numbers of the source.
    pub(in crate::operations) fn worth_trying(&self) -> impl Iterator<Item = i64> {
        self.likely.signed.iter().copied().take(8)
    }

    /// Whether a number is worth trying.
    pub(in crate::operations) fn admits(&self, value: i128) -> bool {
        self.range.is_none_or(|(lo, hi)| (lo..=hi).contains(&value))
    }

    /// Notes what is worth trying, when all is known that it is pinned to.
    pub(in crate::operations) fn expect(&mut self, worth: &Candidates) {
        let (values, weight) = match (self.pinned.is_empty(), self.is_bounded) {
            (true, false) => (&*worth.numbers, CONSTANTS),
            (true, true) => (SMALL, BOUNDED),
            (false, _) => (&*self.pinned, PINNED),
        };
        let values = values.iter().copied().filter(|value| self.admits(*value));
        self.likely = Likely::new(values, weight);
        self.words = worth.words();
        self.members.values_mut().for_each(|member| member.expect(worth));
        self.pointee.iter_mut().for_each(|pointee| pointee.expect(worth));
    }
}

/// Numbers worth trying, in the types in which they are drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::operations) struct Likely {
    pub(super) signed: Vec<i64>,
    pub(super) unsigned: Vec<u64>,
    /// How many times in 16.
    pub(super) weight: u32,
}

impl Likely {
    /// One number, and nothing else.
    pub(super) fn always(value: i128) -> Likely {
        Likely::new(std::iter::once(value), 16)
    }

    fn new(values: impl Iterator<Item = i128> + Clone, weight: u32) -> Likely {
        Likely {
            signed: values.clone().filter_map(|value| i64::try_from(value).ok()).collect(),
            unsigned: values.filter_map(|value| u64::try_from(value).ok()).collect(),
            weight,
        }
    }
}
