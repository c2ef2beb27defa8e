//! How likely each operation of a program is, and which one comes next.
//!
//! The operation of the next step is drawn by what the specification says of each operation. Where the
//! weights do not depend on the state, that operation is known one step early: what the processor has to wait
//! for, a random word and a search in the sums, then happens while it still does the step before. What
//! operations do is not known here.

use crate::corpus::Guide;
use crate::program::ProgramCounts;
use crate::steps::Bound;
use stairway_choice::{Choices, LANES, Mix, Sums};

/// How likely each operation is: what the specification says, times what this program favours.
/// There is room for `N * LANES` operations.
pub(crate) struct Weights<'b, const N: usize> {
    /// Which operations are asked less.
    guide: Guide<'b>,
    names: &'static [&'static str],
    mix: Mix,
    /// Steps for which the sums stay as they are.
    n_settled: u64,
    /// Steps up to the next phase.
    n_left: u64,
    favour: [[u32; LANES]; N],
    sums: Sums<N>,
    /// What the next operation is drawn with, where it is drawn at random.
    word: u64,
    /// The next operation, or [`NOT_KNOWN`].
    next: usize,
}

/// Stands for an operation that is not drawn yet.
const NOT_KNOWN: usize = usize::MAX;

/// How much each operation is favoured where all are alike.
const EVEN: u32 = 128;
/// How much less it is once it was dealt, for a weight of 1: two cards each.
const CARD: u32 = EVEN / 2;

impl<'b, const N: usize> Weights<'b, N> {
    /// The weights of a program of operations with these names.
    #[inline(always)]
    pub(crate) fn new(names: &'static [&'static str], guide: Guide<'b>, choices: &mut Choices<'_>) -> Self {
        let names = &names[..names.len().min(N * LANES)];
        let mix = choices.mix();
        let n_left = if let Mix::Phases { .. } = mix { 0 } else { u64::MAX };
        Weights {
            guide,
            names,
            mix,
            n_settled: 0,
            n_left,
            favour: [[EVEN; LANES]; N],
            sums: Sums::new(names.len()),
            word: choices.word_ahead(),
            next: NOT_KNOWN,
        }
    }

    /// Sums the weights up for this step; false if nothing is possible.
    #[inline(always)]
    pub(crate) fn settle<B: Bound + ?Sized>(
        &mut self,
        bound: &B,
        choices: &mut Choices<'_>,
        counts: &mut ProgramCounts,
    ) -> bool {
        if self.n_settled > 0 {
            self.n_settled -= 1;
            return true;
        }
        self.settle_anew(bound, choices, counts)
    }

    #[inline(never)]
    fn settle_anew<B: Bound + ?Sized>(
        &mut self,
        bound: &B,
        choices: &mut Choices<'_>,
        counts: &mut ProgramCounts,
    ) -> bool {
        if let (0, Mix::Phases { n_steps }) = (self.n_left, self.mix) {
            choices.swarm(&mut self.favour.as_flattened_mut()[..self.names.len()]);
            self.n_left = n_steps;
        }
        self.n_left -= 1;
        let mut is_possible = self.sum_up(bound, counts);
        if !is_possible && self.mix == Mix::Dealt {
            // All cards of what is possible are gone, or nothing is.
            self.favour.as_flattened_mut().fill(EVEN);
            is_possible = self.sum_up(bound, &mut ProgramCounts::default());
        }
        if is_possible && bound.has_fixed_weights() && (self.mix != Mix::Dealt || self.is_linear()) {
            self.n_settled = self.n_left;
            self.n_left = if self.mix == Mix::Dealt { u64::MAX } else { 0 };
        }
        is_possible
    }

    /// Whether the sums follow from weight and favour alone, so that a card can be taken from them.
    fn is_linear(&self) -> bool {
        self.guide.reluctance().is_empty() && self.sums.total() < u32::MAX
    }

    /// Sums up what weights come to in this program; false if that is nothing.
    #[inline]
    fn sum_up<B: Bound + ?Sized>(&mut self, bound: &B, counts: &mut ProgramCounts) -> bool {
        let (mut sum, reluctance) = (0u32, self.guide.reluctance());
        for (op, favour) in self.favour.as_flattened()[..self.names.len()].iter().enumerate() {
            let mut weight = bound.weight(op);
            if weight == 0
                && let Some(n_impossible) = counts.n_impossible.get_mut(op)
            {
                *n_impossible += 1;
            }
            weight = weight.saturating_mul(*favour);
            if let Some(reluctance) = reluctance.get(op) {
                weight = weight.min((weight >> reluctance).max(1));
            }
            sum = sum.saturating_add(weight);
            self.sums.set(op, sum);
        }
        sum > 0
    }

    /// The operation of this step, whose span is open, where choices are random and nothing is kept of them.
    /// `word` is what the next one is drawn with.
    #[inline(always)]
    pub(crate) fn choose_quietly(&mut self, word: u64) -> usize {
        let op = if self.next == NOT_KNOWN { self.sums.chosen_by(self.word) } else { self.next };
        self.word = word;
        if self.mix == Mix::Dealt {
            self.take_card(op);
        }
        self.next = if self.n_settled > 0 { self.sums.chosen_by(word) } else { NOT_KNOWN };
        op
    }

    /// The operation of this step, whose span is open, where the choice is not random or has to be kept.
    #[inline(never)]
    pub(crate) fn choose(&mut self, choices: &mut Choices<'_>) -> usize {
        self.next = NOT_KNOWN;
        let op = choices.weighted_by_sums(&self.sums, &mut self.word, self.names);
        if self.mix == Mix::Dealt {
            self.take_card(op);
        }
        op
    }

    /// Takes a card of an operation away where they are dealt: one of larger weight has more. Where weights do
    /// not depend on the state, the sums stay as they are apart from that, until all cards are gone.
    #[inline(never)]
    fn take_card(&mut self, op: usize) {
        let favour = &mut self.favour.as_flattened_mut()[op];
        if let Some(weight) = self.sums.weight(op).checked_div(*favour) {
            let card = CARD.checked_div(weight).unwrap_or(CARD).max(1).min(*favour);
            *favour -= card;
            if self.n_settled > 0 {
                self.sums.lower(op, weight * card);
            }
        }
        if self.n_settled > 0 && self.sums.total() == 0 {
            self.n_settled = 0;
        }
    }
}
