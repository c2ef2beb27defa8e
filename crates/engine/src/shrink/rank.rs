//! Numbers that matter only by their order: keys, rows, names.
//!
//! Where a failure needs to know which numbers are equal and which are larger, 0, 1 and 2 do as well as 3, 17
//! and 29. Number by number that takes many runs, and from 17 to 1 there may be no way at all while 3 stands.
//! So all numbers of one kind are replaced by their places among them at once.

use super::Shrinker;
use stairway_choice::{Choice, Offset, Shape};

/// Up to how many choices of a record are compared with each other.
const MAX_COMPARED: usize = 200;

/// How many kinds of numbers are remembered as names.
pub(super) const MAX_NAMES: usize = 4;

impl Shrinker<'_, '_> {
    /// Replaces numbers by their ranks: all of them, or those of one kind.
    pub(super) fn rank_all(&mut self) {
        // A small machine has no room for it.
        if cfg!(not(feature = "observations")) || self.len() > MAX_COMPARED || self.rank(None) {
            return;
        }
        let n_kinds = (0..self.len()).filter(|at| self.is_first_of_its_shape(*at)).count();
        if n_kinds > 1 {
            let mut at = 0;
            while at < self.len() && !self.is_spent() {
                if self.is_first_of_its_shape(at) {
                    self.rank(Some(self.best()[at].shape));
                }
                at += 1;
            }
        }
    }

    fn is_first_of_its_shape(&self, at: usize) -> bool {
        let best = self.best();
        best[at].offset().is_some() && !best[..at].iter().any(|earlier| earlier.shape == best[at].shape)
    }

    /// Whether a choice is a number of a kind of which only the order matters: amounts are not moved between
    /// those, and they count nothing.
    pub(super) fn is_name(&self, at: usize) -> bool {
        cfg!(feature = "observations")
            && self.best().get(at).is_some_and(|choice| self.names.contains(&Some(choice.shape)))
    }

    /// The kinds of numbers that are names, if the candidate is as good as the best record.
    fn changed_names(&self) -> [Option<Shape>; MAX_NAMES] {
        let mut names = self.names;
        for (old, new) in self.best().iter().zip(&self.bench.candidate.choices) {
            if old.index != new.index
                && !names.contains(&Some(old.shape))
                && let Some(free) = names.iter_mut().find(|name| name.is_none())
            {
                *free = Some(old.shape);
            }
        }
        names
    }

    fn rank(&mut self, kind: Option<Shape>) -> bool {
        self.edit(|_, _| ());
        for at in 0..self.len() {
            let choice = self.best()[at];
            if kind.is_none_or(|kind| kind == choice.shape)
                && let Some(index) = rank(self.best(), &choice)
            {
                self.bench.candidate.choices[at].index = index;
            }
        }
        let changed = self.changed_names();
        let has_helped = self.attempt();
        if has_helped {
            self.names = changed;
        }
        has_helped
    }
}

/// The index of a number that has its rank as its distance from the simplest one.
fn rank(choices: &[Choice], choice: &Choice) -> Option<u64> {
    let of = choice.offset()?;
    let is_smaller = |other: &Choice| {
        let offset = other.offset().filter(|_| other.shape == choice.shape)?;
        (offset.below == of.below && offset.distance < of.distance).then_some(offset.distance)
    };
    let smaller = choices.iter().enumerate().filter_map(|(at, other)| Some((at, is_smaller(other)?)));
    let is_new = |&(at, distance): &(usize, u64)| {
        !choices[..at].iter().any(|earlier| is_smaller(earlier) == Some(distance))
    };
    // The simplest number is neither above nor below itself, and counts as above.
    let distance = smaller.filter(is_new).count() as u64 + u64::from(of.below);
    choice.index_at(Offset { distance, ..of })
}
