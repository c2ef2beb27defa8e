//! The corpus: which features cases have shown, and the programs that were the first to show one.
//!
//! A feature is a number that whoever executes a case observes: a branch that was taken, a clause that held,
//! a state that a property names. What it means is not known here, only whether it was seen before. A case
//! that shows something new is kept up to the choice after which it did, and later cases are variations of it
//! (`vary.rs`). Everything happens in the order of cases and between rounds, so it is the same with any
//! number of jobs. Nothing is allocated before a feature was seen.

use crate::execute::Round;
#[cfg(feature = "observations")]
use {
    crate::execute::{Recording, Variant},
    crate::vary,
    alloc::vec,
    alloc::vec::Vec,
    stairway_choice::Prng,
};

/// Something that was observed in a case, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Feature {
    /// What it is; equal numbers are the same thing.
    pub number: u32,
    /// How many choices had been drawn: without those after them it would have been observed as well.
    pub at: u32,
    /// What was compared, if it is how near two numbers came: the next step may be to make them equal.
    pub operands: Option<Operands>,
}

/// Two numbers that were compared and are not equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Operands {
    /// One of them, as a signed number.
    pub left: i64,
    /// The other one.
    pub right: i64,
}

impl Feature {
    /// Something that was observed after so many choices.
    #[must_use]
    pub const fn new(number: u32, at: u32) -> Self {
        Feature { number, at, operands: None }
    }

    /// A number of any size as that of a feature.
    #[must_use]
    pub const fn fold(number: u64) -> u32 {
        (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
    }
}

/// What a search tells its cases: by how many halves each operation is asked less. Nothing where program
/// memory is scarce.
#[derive(Clone, Copy, Debug)]
pub struct Guide<'a> {
    #[cfg(feature = "observations")]
    reluctance: Option<&'a [u8]>,
    #[cfg(not(feature = "observations"))]
    nothing: core::marker::PhantomData<&'a [u8]>,
}

#[cfg(feature = "observations")]
impl<'a> Guide<'a> {
    /// For a case that belongs to no search.
    pub const NONE: Self = Guide { reluctance: None };

    /// For a case of a search.
    #[must_use]
    pub const fn to(reluctance: &'a [u8]) -> Self {
        Guide { reluctance: Some(reluctance) }
    }

    /// Whether there is a search.
    #[must_use]
    pub const fn is_some(&self) -> bool {
        self.reluctance.is_some()
    }

    /// By how many halves each operation is asked less, as far as that is known.
    #[must_use]
    pub const fn reluctance(&self) -> &'a [u8] {
        match self.reluctance {
            Some(reluctance) => reluctance,
            None => &[],
        }
    }
}

#[cfg(not(feature = "observations"))]
impl<'a> Guide<'a> {
    pub(crate) const NONE: Self = Guide { nothing: core::marker::PhantomData };

    pub(crate) const fn is_some(&self) -> bool {
        false
    }

    pub(crate) const fn reluctance(&self) -> &'a [u8] {
        &[]
    }
}

/// How many features are told apart.
#[cfg(feature = "observations")]
const N_FEATURES: usize = 1 << 21;
/// How many programs are kept.
#[cfg(feature = "observations")]
const MAX_KEPT: usize = 256;
/// How many of those that were kept last are varied more than the others.
#[cfg(feature = "observations")]
const N_LATE: u64 = 4;
/// How many comparisons are kept with a program.
#[cfg(feature = "observations")]
const MAX_OPERANDS: usize = 32;
/// How many are kept of one round: in the first ones nearly everything is new.
#[cfg(feature = "observations")]
const MAX_OF_ROUND: usize = 32;
/// How many cases the first round has, and every other one: as many as several workers are busy with.
#[cfg(feature = "observations")]
const FIRST_ROUND: u64 = 64;
#[cfg(feature = "observations")]
const ROUND: u64 = 256;
/// Cases of this stream are variations.
#[cfg(feature = "observations")]
const SALT: u64 = 0x7661_7269_6174_696f;

/// What was seen and kept.
#[cfg(feature = "observations")]
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    /// A bit for each feature.
    seen: Vec<u64>,
    /// The latest last.
    kept: Vec<KeptProgram>,
    n_kept: u64,
    /// Cases of this round that are to be kept: their numbers, and after how many choices they end.
    news: Vec<Novelty>,
    /// How many cases there were when something new was seen last.
    last_new: u64,
}

/// A program that was the first to show something.
#[cfg(feature = "observations")]
#[derive(Debug)]
struct KeptProgram {
    number: u64,
    recording: Recording,
    size: u32,
    /// How often it was varied since that came to something.
    n_tries: u32,
    /// What it compared, where that is why it was kept.
    operands: Vec<Operands>,
}

/// A case that has shown something new.
#[cfg(feature = "observations")]
#[derive(Clone, Debug)]
pub(crate) struct Novelty {
    pub(crate) index: u64,
    /// After how many choices.
    pub(crate) at: u32,
    /// What was compared in that.
    pub(crate) operands: Vec<Operands>,
}

#[cfg(feature = "observations")]
impl Corpus {
    /// Whether any case has shown a feature.
    pub(crate) const fn has_seen(&self) -> bool {
        !self.seen.is_empty()
    }

    /// Takes in the features of case number `index`, and keeps it if one of them is new, unless it is not
    /// `worth_keeping` or the round has had enough. What was seen is never new again: whoever observes cases may
    /// name a feature only once, so what would stay new would depend on who ran which case. Returns whether there
    /// was something new.
    pub(crate) fn look(&mut self, index: u64, features: &[Feature], worth_keeping: bool) -> bool {
        if features.is_empty() {
            return false;
        }
        if self.seen.is_empty() {
            self.seen = vec![0; N_FEATURES / 64];
        }
        let mut last = None;
        let mut operands = Vec::new();
        for feature in features {
            let place = feature.number as usize % N_FEATURES;
            let (word, bit) = (&mut self.seen[place / 64], 1 << (place % 64));
            if *word & bit == 0 {
                last = last.max(Some(feature.at));
                *word |= bit;
                operands.extend(feature.operands.filter(|_| operands.len() < MAX_OPERANDS));
            }
        }
        if let Some(at) = last {
            self.last_new = index + 1;
            if worth_keeping && self.news.len() < MAX_OF_ROUND {
                self.news.push(Novelty { index, at, operands });
            }
        }
        last.is_some()
    }

    /// Whether the `n`th case is as far from the last one that was new as that was from the start, and at least
    /// `least` cases.
    pub(crate) fn is_settled(&self, n: u64, least: u64) -> bool {
        n.saturating_sub(self.last_new) >= self.last_new.max(least)
    }

    /// Case number `index` has failed in a way of its own, which is as new as a feature.
    pub(crate) const fn failed_anew(&mut self, index: u64) {
        self.last_new = index + 1;
    }

    /// The cases of this round that are to be kept.
    pub(crate) fn take_news(&mut self) -> Vec<Novelty> {
        core::mem::take(&mut self.news)
    }

    /// Keeps a program; the one that was varied most in vain makes room for it. `parent` is what it was made
    /// from.
    pub(crate) fn keep(
        &mut self,
        recording: Recording,
        size: u32,
        parent: Option<u64>,
        operands: Vec<Operands>,
    ) {
        if let Some(parent) = self.kept.iter_mut().find(|kept| Some(kept.number) == parent) {
            parent.n_tries = 0;
        }
        if self.kept.len() >= MAX_KEPT
            && let Some((tired, _)) = self.kept.iter().enumerate().max_by_key(|(_, kept)| kept.n_tries)
        {
            self.kept.remove(tired);
        }
        self.kept.push(KeptProgram { number: self.n_kept, recording, size, n_tries: 0, operands });
        self.n_kept += 1;
    }

    /// Variations of what was kept, for the cases of a round: `n` of them, unless nothing was kept.
    fn vary(&mut self, seed: u64, first: u64, n: u64) -> Vec<Variant> {
        let n_kept = self.kept.len() as u64;
        if n_kept == 0 {
            return Vec::new();
        }
        let n_late = n_kept.min(N_LATE);
        let variant = |k| {
            let mut prng = Prng::for_case(seed ^ SALT, first + k);
            // Every other one goes on from what was kept last, the others from what was varied least.
            let is_late = prng.up_to(1) == 0;
            let among = if is_late { n_late } else { n_kept };
            let mut drawn = |among| (n_kept - 1 - prng.up_to(among - 1)) as usize;
            let (one, other, donor) = (drawn(among), drawn(among), drawn(n_kept));
            let is_one = self.kept[one].n_tries <= self.kept[other].n_tries;
            let parent = if is_one { one } else { other };
            self.kept[parent].n_tries += 1;
            let (base, donor) = (&self.kept[parent], &self.kept[donor]);
            let recording = vary::varied(&base.recording, &donor.recording, &base.operands, &mut prng);
            Variant { recording, size: base.size, prng, parent: base.number }
        };
        (0..n).map(variant).collect()
    }
}

/// The cases that are run before anything is learnt from them.
#[derive(Debug)]
#[cfg(feature = "observations")]
pub(crate) struct Rounds {
    first: u64,
    end: u64,
    varied: Vec<Variant>,
    /// By how many halves each operation is asked less.
    reluctance: Vec<u8>,
}

/// All cases are one round: nothing is learnt where program memory is scarce.
#[derive(Debug)]
#[cfg(not(feature = "observations"))]
pub(crate) struct Rounds;

#[cfg(not(feature = "observations"))]
impl Rounds {
    pub(crate) const fn from(_first: u64) -> Self {
        Rounds
    }

    pub(crate) const fn end(&self) -> u64 {
        u64::MAX
    }

    pub(crate) const fn round(&self) -> Round<'_> {
        Round { first: 0, nothing: core::marker::PhantomData }
    }

    pub(crate) const fn last(&mut self) {}
}

#[cfg(feature = "observations")]
impl Rounds {
    /// The first round, from this case on.
    pub(crate) const fn from(first: u64) -> Self {
        Rounds { first, end: first.saturating_add(FIRST_ROUND), varied: Vec::new(), reluctance: Vec::new() }
    }

    /// The number behind its last case.
    pub(crate) const fn end(&self) -> u64 {
        self.end
    }

    /// What its cases are told.
    pub(crate) fn round(&self) -> Round<'_> {
        Round { first: self.first, varied: &self.varied, has_no_others: false, reluctance: &self.reluctance }
    }

    /// What case number `index` was made from.
    pub(crate) fn parent(&self, index: u64) -> Option<u64> {
        self.round().variant(index).map(|variant| variant.parent)
    }

    /// Goes on without rounds: there is nothing to learn.
    pub(crate) const fn last(&mut self) {
        self.end = u64::MAX;
    }

    pub(crate) const fn is_last(&self) -> bool {
        self.end == u64::MAX
    }

    /// Ends with this case, where nothing had been learnt before it.
    pub(crate) const fn end_with(&mut self, index: u64) {
        self.end = index + 1;
    }

    /// The next round.
    pub(crate) fn next(&mut self, corpus: &mut Corpus, failing: &mut FailureCounts, seed: u64) {
        failing.learn(&mut self.reluctance);
        self.first = self.end;
        self.end = self.first.saturating_add(ROUND);
        self.varied = corpus.vary(seed, self.first, ROUND / 2);
    }
}

/// How cases of a round have ended: operations that fail again and again in a way that is known are asked
/// less, so that other cases get further.
#[cfg(feature = "observations")]
#[derive(Debug, Default)]
pub(crate) struct FailureCounts {
    n_cases: u32,
    n_known: u32,
    /// By operation.
    of: Vec<u32>,
}

#[cfg(feature = "observations")]
impl FailureCounts {
    /// An operation is never asked less than this: 2 to this.
    const MOST: u8 = 8;

    /// A random case has ended, with a known failure of this operation if there is one.
    pub(crate) fn ended(&mut self, operation: Option<u32>) {
        self.passed(1);
        if let Some(operation) = operation {
            let operation = operation as usize;
            self.n_known += 1;
            self.of.resize(self.of.len().max(operation + 1), 0);
            self.of[operation] += 1;
        }
    }

    /// So many random cases have passed.
    pub(crate) fn passed(&mut self, n: u64) {
        self.n_cases = self.n_cases.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
    }

    /// Where most cases end in what is known, those operations to which most of that is owed are asked half as
    /// often; where few do, all of them are asked more often again.
    fn learn(&mut self, reluctance: &mut Vec<u8>) {
        let FailureCounts { n_cases, n_known, of } = core::mem::take(self);
        if n_known > n_cases / 2 {
            reluctance.resize(reluctance.len().max(of.len()), 0);
            for (reluctance, n) in reluctance.iter_mut().zip(&of) {
                *reluctance += u8::from(*n >= (n_known / 16).max(1) && *reluctance < Self::MOST);
            }
        } else if n_known < n_cases / 4 {
            reluctance.iter_mut().for_each(|reluctance| *reluctance = reluctance.saturating_sub(1));
        }
    }
}
