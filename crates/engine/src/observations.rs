//! What is observed of a case: what a property says of it, and what is shown of it if it is shown.
//!
//! A case (`case.rs`) writes here, the search and the report read here. How often things happened in all cases is
//! `statistics.rs`'s to sum up.

#[cfg(feature = "observations")]
use crate::attachment::Attachment;
use crate::corpus::Feature;
use crate::exhaust::VisitedStates;
use crate::program::{ProgramCounts, ShownStep};
use crate::stop::Place;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// What a property said about one case.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observations {
    /// Labels attached to the case.
    pub labels: Vec<Cow<'static, str>>,
    /// Values collected into tables, in order.
    pub collected: Vec<CollectedValue>,
    /// What the front end counts for its own use, with how many times in a row.
    #[cfg(feature = "observations")]
    pub facts: Vec<(Fact, u64)>,
    /// Coverage demands met in this case: (name, percentage demanded, whether it was hit).
    pub covered: Vec<(Cow<'static, str>, f64, bool)>,
    /// Alternatives that a specification allowed: (name, whether it is what happened).
    pub alternatives: Vec<(Cow<'static, str>, bool)>,
    /// Scores to be maximised: (name, score).
    pub scores: Vec<(Cow<'static, str>, f64)>,
    /// What was drawn, in order; only for a case that is shown.
    pub drawn: Vec<DrawnValue>,
    /// Notes, in order; only for a case that is shown.
    pub notes: Vec<String>,
    /// The steps of a program, in order; only for a case that is shown.
    pub steps: Vec<ShownStep>,
    /// How often the operations of a program were done.
    pub program: ProgramCounts,
    /// The states that programs have reached, where all of them are enumerated: kept from case to case.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub visited: VisitedStates,
    /// What was being drawn when a generator turned out to be wrong: an argument or a place.
    pub fault_at: FaultSite,
    /// How much work the case was, in a unit of the property's own; see [`Budget`](crate::Budget).
    pub work: u64,
    /// What was observed as numbers, where somebody [asks](crate::Case::wants_features) for it.
    pub features: Vec<Feature>,
    /// The operation of the step that failed.
    pub failed: Option<u32>,
}

/// Something that a front end counts for its own use: a value of a type of its own, as bytes.
///
/// Tables are for people, so their rows are texts. What somebody decides by, or puts into words later, is a fact.
/// The engine never looks inside.
#[cfg(feature = "observations")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Fact(pub Vec<u8>);

/// A value that was counted in a table, so many times in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CollectedValue {
    /// The table.
    pub table: Cow<'static, str>,
    /// The value.
    pub value: String,
    /// How many times.
    pub n: u64,
}

impl Observations {
    /// Counts `value` in a table. Counting what was counted last is cheap.
    pub fn collect(&mut self, table: impl Into<Cow<'static, str>>, value: &str) {
        let table = table.into();
        match self.collected.last_mut() {
            Some(last) if last.value == value && last.table == table => last.n += 1,
            _ => self.collected.push(CollectedValue { table, value: value.into(), n: 1 }),
        }
    }

    /// Counts a fact. Counting what was counted last is cheap.
    #[cfg(feature = "observations")]
    pub fn count(&mut self, fact: &Fact) {
        match self.facts.last_mut() {
            Some((last, n)) if last == fact => *n += 1,
            _ => self.facts.push((fact.clone(), 1)),
        }
    }

    /// Whether there is nothing to count: most properties observe nothing, and none of that
    /// should cost time.
    #[inline]
    pub(crate) const fn says_nothing(&self) -> bool {
        self.program.names.is_empty() && self.says_nothing_else()
    }

    /// Whether there is nothing to count but the operations of a program.
    #[inline]
    pub(crate) const fn says_nothing_else(&self) -> bool {
        #[cfg(feature = "observations")]
        if !self.facts.is_empty() {
            return false;
        }
        self.labels.is_empty()
            && self.collected.is_empty()
            && self.covered.is_empty()
            && self.alternatives.is_empty()
            && self.scores.is_empty()
            && self.work == 0
            && self.features.is_empty()
    }

    /// Keeps one of each label, one of each coverage demand, met if it was met once, and one of
    /// each alternative, taken if it was taken once.
    pub(crate) fn forget_repetitions(&mut self) {
        let mut kept = 0;
        for k in 0..self.labels.len() {
            if !self.labels[..kept].contains(&self.labels[k]) {
                self.labels.swap(kept, k);
                kept += 1;
            }
        }
        self.labels.truncate(kept);
        let mut kept = 0;
        for k in 0..self.covered.len() {
            let hit = self.covered[k].2;
            match (0..kept).find(|&j| self.covered[j].0 == self.covered[k].0) {
                Some(known) => self.covered[known].2 |= hit,
                None => {
                    self.covered.swap(kept, k);
                    kept += 1;
                }
            }
        }
        self.covered.truncate(kept);
        let mut kept = 0;
        for k in 0..self.alternatives.len() {
            let is_taken = self.alternatives[k].1;
            match (0..kept).find(|&j| self.alternatives[j].0 == self.alternatives[k].0) {
                Some(known) => self.alternatives[known].1 |= is_taken,
                None => {
                    self.alternatives.swap(kept, k);
                    kept += 1;
                }
            }
        }
        self.alternatives.truncate(kept);
    }

    /// Forgets everything, keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.labels.clear();
        self.collected.clear();
        #[cfg(feature = "observations")]
        self.facts.clear();
        self.covered.clear();
        self.alternatives.clear();
        self.scores.clear();
        self.drawn.clear();
        self.notes.clear();
        self.steps.clear();
        self.program.clear();
        self.fault_at = FaultSite::Unknown;
        self.features.clear();
        self.failed = None;
        self.work = 0;
    }
}

/// A value drawn for a property, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DrawnValue {
    /// Its name; empty for a `pick`.
    pub name: Cow<'static, str>,
    /// What it is to the property.
    pub role: DrawnRole,
    /// The value, in Rust syntax as far as its type can be written so.
    pub value: String,
    /// How many choices were drawn before it.
    pub at: usize,
    /// What the front end keeps with it.
    #[cfg(feature = "observations")]
    pub attachment: Attachment,
}

/// What was being drawn when a generator turned out to be wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum FaultSite {
    /// Nobody knows.
    #[default]
    Unknown,
    /// The argument of this name.
    Argument(Cow<'static, str>),
    /// Something picked at this place.
    Pick(Place),
}

/// What a value that is shown is to a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DrawnRole {
    /// An argument.
    Argument,
    /// Picked in the body, at this place.
    Pick(Place),
    /// What a refinement sees in its arguments: computed, not drawn.
    Abstract,
}
