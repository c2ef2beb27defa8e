//! What a run exercised: counts of verdicts, labels, tables and coverage demands.
//!
//! Sums up the observations of all cases. Its memory is bounded by the number of different things counted,
//! never by the number of cases. Whether a coverage demand is met is decided here, by the sequential test of
//! Haskell QuickCheck's `checkCoverage`.

use crate::map::Map;
#[cfg(feature = "observations")]
use crate::observations::Fact;
use crate::observations::{CollectedValue, Observations};
use crate::program::ProgramCounts;
use crate::report::CaseOrigin;
use crate::report::UnmetDemand;
use crate::stop::Discard;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// The totals of a run.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// Cases in which the property held.
    pub n_passed: u64,
    /// Cases that failed, where the search goes on after a failure.
    pub n_failed: u64,
    /// Variations of cases that were kept, which are counted nowhere else.
    #[cfg(feature = "observations")]
    pub n_varied: u64,
    /// Cases thrown away.
    pub n_discarded: u64,
    /// Why cases were thrown away.
    pub discards: Map<Discard, u64>,
    /// Cases for each label.
    pub labels: Map<Cow<'static, str>, u64>,
    /// Counts of collected values, table by table.
    pub tables: Map<Cow<'static, str>, Table>,
    /// What the front end counts for its own use.
    #[cfg(feature = "observations")]
    pub facts: Map<Fact, u64>,
    /// Coverage demands by name.
    pub demands: Map<Cow<'static, str>, Coverage>,
    /// Alternatives of specifications by name.
    pub alternatives: Map<Cow<'static, str>, Alternative>,
    /// How often the operations of programs were done, in passing cases.
    pub program: ProgramCounts,
    /// Largest score seen for each name given to `maximize`.
    pub scores: Map<Cow<'static, str>, BestScore>,
}

/// How often something that a specification allows happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Alternative {
    /// Cases in which it was what happened.
    pub n_taken: u64,
    /// Cases in which it was allowed.
    pub n: u64,
}

/// Counts of one table's values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// How often each value was collected.
    pub rows: Map<String, u64>,
    /// Values beyond the first [`MAX_ROWS`] different ones.
    pub n_other: u64,
}

/// How many different values a table tells apart.
pub const MAX_ROWS: usize = 1000;

/// How many different facts are counted; front ends have fewer, unless code under test makes them up.
#[cfg(feature = "observations")]
const MAX_FACTS: usize = 100_000;

/// The best score seen, and the case that had it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BestScore {
    /// The score.
    pub score: f64,
    /// The case.
    pub origin: CaseOrigin,
}

impl Statistics {
    /// Totals with room for these operations and demands, and for cases that are too large.
    pub(crate) fn expecting(
        operations: &'static [&'static str],
        demands: &[(&'static str, f64)],
        counts_order: bool,
    ) -> Self {
        let mut expecting = Statistics::default();
        expecting.program.prepare_for(operations, counts_order);
        if cfg!(feature = "observations") {
            expecting.discards.insert(Discard::Overrun, 0);
        }
        for (name, percent) in demands {
            expecting.demands.insert(Cow::Borrowed(name), Coverage::of(*percent));
        }
        expecting
    }

    /// Forgets all counts, and keeps what it was made to expect together with its memory.
    pub(crate) fn restart(&mut self) {
        (self.n_passed, self.n_failed, self.n_discarded) = (0, 0, 0);
        self.discards.values_mut().for_each(|n| *n = 0);
        self.labels.clear();
        self.tables.clear();
        #[cfg(feature = "observations")]
        self.facts.clear();
        self.demands.values_mut().for_each(|demand| *demand = Coverage::of(demand.percent));
        self.alternatives.clear();
        self.program.clear();
        self.scores.clear();
    }

    /// Adds the observations of a case in which the property held. What a case says twice
    /// counts once: shares are shares of cases.
    pub(crate) fn passed(&mut self, origin: CaseOrigin, observed: &mut Observations) {
        self.n_passed += 1;
        if observed.says_nothing() {
            return;
        }
        if cfg!(feature = "observations") {
            self.observe(origin, observed);
        }
        for (name, percent, hit) in observed.covered.drain(..) {
            self.demands.entry(name).or_insert(Coverage::of(percent)).add(hit);
        }
        self.program.absorb(&mut observed.program);
    }

    /// Takes in what only some front ends have cases observe. What a case says twice is forgotten first.
    fn observe(&mut self, origin: CaseOrigin, observed: &mut Observations) {
        self.described(observed);
        for (name, is_taken) in observed.alternatives.drain(..) {
            let alternative = self.alternatives.entry(name).or_default();
            alternative.n += 1;
            alternative.n_taken += u64::from(is_taken);
        }
        self.scored(origin, observed);
    }

    /// Takes in the labels, the collected values and the facts of a case.
    fn described(&mut self, observed: &mut Observations) {
        observed.forget_repetitions();
        for label in observed.labels.drain(..) {
            *self.labels.entry(label).or_default() += 1;
        }
        for CollectedValue { table, value, n } in observed.collected.drain(..) {
            self.tables.entry(table).or_default().add(value, n);
        }
        #[cfg(feature = "observations")]
        for (fact, n) in observed.facts.drain(..) {
            if self.facts.len() < MAX_FACTS || self.facts.contains_key(&fact) {
                *self.facts.entry(fact).or_default() += n;
            }
        }
    }

    /// Takes in the scores of a case and nothing else.
    pub(crate) fn scored(&mut self, origin: CaseOrigin, observed: &mut Observations) {
        for (name, score) in observed.scores.drain(..) {
            let best = self.scores.entry(name).or_insert(BestScore { score: f64::NEG_INFINITY, origin });
            if score > best.score {
                *best = BestScore { score, origin };
            }
        }
    }

    /// Takes in that something happened in a case that says nothing about how often things happen: rows, facts
    /// and operations that nothing else has shown.
    pub(crate) fn noted(&mut self, observed: &mut Observations) {
        for CollectedValue { table, value, n } in observed.collected.drain(..) {
            let table = self.tables.entry(table).or_default();
            if !table.rows.contains_key(&value) {
                table.add(value, n);
            }
        }
        #[cfg(feature = "observations")]
        for (fact, n) in observed.facts.drain(..) {
            if self.facts.len() < MAX_FACTS {
                self.facts.entry(fact).or_insert(n);
            }
        }
        let ProgramCounts { names, n_done, .. } = &observed.program;
        self.program.prepare(names);
        for (total, n) in self.program.n_done.iter_mut().zip(n_done).filter(|(total, _)| **total == 0) {
            *total = *n;
        }
    }

    /// Counts a case that failed, where the search goes on after a failure. What it did counts; demands are
    /// made of cases that pass.
    pub(crate) fn failed(&mut self, observed: &mut Observations) {
        self.n_failed += 1;
        if cfg!(feature = "observations") {
            self.described(observed);
        }
        self.program.absorb(&mut observed.program);
    }

    /// How many cases came to an end that counts: those that passed, and those that failed.
    pub(crate) const fn n_ended(&self) -> u64 {
        self.n_passed + self.n_failed
    }

    /// Counts a case that was thrown away.
    pub(crate) fn discarded(&mut self, why: Discard) {
        self.n_discarded += 1;
        if cfg!(feature = "observations") {
            *self.discards.entry(why).or_default() += 1;
        }
    }

    /// What the coverage demands say after this many cases, taken together.
    #[must_use]
    pub fn coverage(&self) -> Decision {
        let mut all = Decision::Met;
        for demand in self.demands.values() {
            match demand.decide() {
                Decision::NotMet => return Decision::NotMet,
                Decision::Open => all = Decision::Open,
                Decision::Met => {}
            }
        }
        all
    }

    /// The alternatives that were allowed and never happened.
    pub fn never_taken(&self) -> impl Iterator<Item = (&str, &Alternative)> {
        let all = self.alternatives.iter().map(|(name, alternative)| (&**name, alternative));
        all.filter(|(_, alternative)| alternative.n_taken == 0)
    }

    /// The demands that no case has met; all there are, when every input was tried.
    #[must_use]
    pub(crate) fn never_covered(&self) -> Vec<UnmetDemand> {
        let never = |(name, demand): (&Cow<'static, str>, &Coverage)| {
            (demand.percent > 0.0 && demand.n_hits == 0).then(|| UnmetDemand::Coverage(name.clone()))
        };
        self.demands.iter().filter_map(never).collect()
    }

    /// The demands that are certainly not met.
    #[must_use]
    pub fn unmet(&self) -> Vec<UnmetDemand> {
        let not_met = |(name, demand): (&Cow<'static, str>, &Coverage)| {
            (demand.decide() == Decision::NotMet).then(|| UnmetDemand::Coverage(name.clone()))
        };
        self.demands.iter().filter_map(not_met).collect()
    }
}

impl Table {
    fn add(&mut self, value: String, n: u64) {
        if self.rows.len() >= MAX_ROWS && !self.rows.contains_key(&value) {
            self.n_other += n;
        } else {
            *self.rows.entry(value).or_default() += n;
        }
    }
}

/// A demand that something happens in a share of all cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// The share demanded, in percent.
    pub percent: f64,
    /// Cases in which it happened.
    pub n_hits: u64,
    /// Cases in which the demand was stated.
    pub n: u64,
}

/// What a sequential test has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The demand is met.
    Met,
    /// The demand is certainly not met.
    NotMet,
    /// More cases are needed.
    Open,
}

/// The share may fall short of the demand by this factor and still pass.
const TOLERANCE: f64 = 0.9;
/// Quantile of the normal distribution for an error of one in 10^9, both sides.
const Z: f64 = 6.109_410_204_869;

impl Coverage {
    const fn of(percent: f64) -> Self {
        Coverage { percent, n_hits: 0, n: 0 }
    }

    fn add(&mut self, hit: bool) {
        self.n += 1;
        self.n_hits += u64::from(hit);
    }

    /// Whether the demand is met, by Wilson's score interval: sufficient when the lower end
    /// reaches nine tenths of the demand, insufficient when the upper end stays below it.
    #[must_use]
    pub fn decide(&self) -> Decision {
        let demanded = (self.percent / 100.0).clamp(0.0, 1.0);
        if self.n == 0 {
            return Decision::Open;
        }
        if !self.interval_reaches(demanded) {
            Decision::NotMet
        } else if self.interval_exceeds(TOLERANCE * demanded) {
            Decision::Met
        } else {
            Decision::Open
        }
    }

    /// Whether the interval's lower end is at least `share`. The interval's ends solve
    /// (hits/n - p)² n = z² p (1 - p), so no square root is needed to place `share`.
    fn interval_exceeds(&self, share: f64) -> bool {
        share <= 0.0 || (self.mean() >= share && self.is_outside(share))
    }

    /// Whether the interval's upper end is at least `share`.
    fn interval_reaches(&self, share: f64) -> bool {
        self.mean() >= share || !self.is_outside(share)
    }

    fn is_outside(&self, share: f64) -> bool {
        let distance = self.mean() - share;
        distance * distance * self.n as f64 >= Z * Z * share * (1.0 - share)
    }

    fn mean(&self) -> f64 {
        self.n_hits as f64 / self.n as f64
    }

    /// The share in which it happened, in percent.
    #[must_use]
    pub fn reached(&self) -> f64 {
        if self.n == 0 { 0.0 } else { 100.0 * self.mean() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn coverage(percent: f64, n_hits: u64, n: u64) -> Decision {
        Coverage { percent, n_hits, n }.decide()
    }

    /// The same inputs decided by Haskell QuickCheck's formulas with its default confidence.
    #[test]
    fn decides_like_quickcheck() {
        assert_eq!(coverage(10.0, 0, 100), Decision::Open);
        assert_eq!(coverage(10.0, 0, 400), Decision::NotMet);
        assert_eq!(coverage(10.0, 100, 400), Decision::Met);
        assert_eq!(coverage(50.0, 200, 400), Decision::Open);
        assert_eq!(coverage(50.0, 12_800, 25_600), Decision::Met);
        assert_eq!(coverage(50.0, 100, 400), Decision::NotMet);
    }

    #[test]
    fn extreme_demands_can_be_decided() {
        assert_eq!(coverage(0.0, 0, 100), Decision::Met);
        assert_eq!(coverage(100.0, 1000, 1000), Decision::Met);
        assert_eq!(coverage(100.0, 999, 1000), Decision::NotMet);
    }

    #[test]
    fn tables_stop_growing() {
        let mut table = Table::default();
        for i in 0..3 * MAX_ROWS {
            table.add(i.to_string(), 1);
        }
        assert_eq!((table.rows.len(), table.n_other), (MAX_ROWS, 2 * MAX_ROWS as u64));
    }
}
