//! The tables of a formula: a monitor for finite runs, an automaton for infinite ones.
//!
//! `temporal!` computes both while it expands: the monitor by rewriting the formula letter by letter
//! (progression; Bacchus and Kabanza, "Using temporal logics to express search control
//! knowledge", 2000), the automaton from the formula's negation by a tableau (Couvreur, "On-the-fly
//! verification of linear temporal logic", 1999). They do not share code beyond the formula, so
//! that one can check what the other finds.

/// Which predicates hold after a step: a bit each.
pub type Letter = u32;

/// Where a formula stands after a finite run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It does not hold, however the run goes on.
    Fails,
    /// Something that must happen has not happened yet.
    Waiting,
    /// Nothing speaks against it so far.
    Open,
    /// It holds, however the run goes on.
    Holds,
}

/// What is asked of the runs that begin in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branching {
    /// One of them begins with such a step.
    CanNext,
    /// One of them reaches such a state.
    CanReach,
    /// One of them stays in such states for ever.
    CanAlways,
    /// All of them reach such a state.
    Inevitably,
}

/// Judges a formula on a run, letter by letter.
#[derive(Clone, Copy, Debug)]
pub struct Monitor<'t> {
    /// The state after each state and letter: `table[state << n_atoms | letter]`.
    pub table: &'t [u16],
    /// Where the formula stands in each state.
    pub standings: &'t [Standing],
    /// Which states wait for what `within(auto, ..)` speaks of.
    pub waits: &'t [bool],
    /// How many predicates there are.
    pub n_atoms: u32,
}

impl Monitor<'_> {
    /// The state before the first letter.
    pub const START: u16 = 0;

    /// The state after `letter`.
    #[must_use]
    #[inline]
    pub const fn after(&self, state: u16, letter: Letter) -> u16 {
        self.table[(state as usize) << self.n_atoms | letter as usize]
    }

    /// Where the formula stands.
    #[must_use]
    #[inline]
    pub const fn standing(&self, state: u16) -> Standing {
        self.standings[state as usize]
    }

    /// Where the formula stands if `letter` repeats for ever: a run that has reached its end.
    #[must_use]
    pub const fn at_the_end(&self, mut state: u16, letter: Letter) -> Standing {
        let mut n = 0;
        while n < self.standings.len() {
            let next = self.after(state, letter);
            if next == state {
                break;
            }
            state = next;
            n += 1;
        }
        match self.standing(state) {
            Standing::Waiting => Standing::Fails,
            Standing::Open => Standing::Holds,
            decided => decided,
        }
    }
}

/// The state of an automaton that accepts whatever follows, if there is one.
pub const ANYTHING: u16 = u16::MAX;

/// A transition of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Move {
    /// Where it leads; [`ANYTHING`] if all that follows is accepted.
    pub to: u16,
    /// The promises that are not put off by it, a bit each, and [`CYCLIC`].
    pub kept: u32,
}

/// Set in what a transition keeps if it may be part of a cycle on which every promise is kept.
pub const CYCLIC: u32 = 1 << 31;

/// Accepts the infinite runs on which a formula does *not* hold: those along which each promise is
/// kept again and again.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'t> {
    /// Which transitions are possible in each state on each letter: `rows[state << n_atoms | letter]` is a
    /// position in `first`.
    pub rows: &'t [u16],
    /// Where the transitions of each row begin, and where the last ones end.
    pub first: &'t [u32],
    /// The transitions, row by row.
    pub moves: &'t [Move],
    /// Which states may be on a cycle on which every promise is kept.
    pub is_cyclic: &'t [bool],
    /// How many states there are.
    pub n_states: u32,
    /// How many predicates there are.
    pub n_atoms: u32,
    /// How many transitions the longest row has.
    pub width: u32,
    /// A bit for each promise.
    pub promises: u32,
}

impl Automaton<'_> {
    /// Where the transitions begin and end that are possible in a state on a letter.
    #[must_use]
    #[inline]
    pub const fn moves_on(&self, state: u32, letter: Letter) -> (usize, usize) {
        let row = self.rows[(state << self.n_atoms | letter) as usize] as usize;
        (self.first[row] as usize, self.first[row + 1] as usize)
    }

    /// Whether there may be a cycle on which every promise is kept.
    #[must_use]
    pub const fn can_cycle(&self) -> bool {
        let mut i = 0;
        while i < self.n_states as usize {
            if self.is_cyclic[i] {
                return true;
            }
            i += 1;
        }
        false
    }
}
