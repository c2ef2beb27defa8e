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

/// A transition of an automaton: possible on letters with all of `must` and none of `must_not`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it leads; [`ANYTHING`] if all that follows is accepted.
    pub to: u16,
    /// Predicates that must hold.
    pub must: Letter,
    /// Predicates that must not.
    pub must_not: Letter,
    /// The promises that are not put off by it: a bit each.
    pub kept: u32,
}

/// Accepts the infinite runs on which a formula does *not* hold: those along which each promise is
/// kept again and again.
#[derive(Clone, Copy, Debug)]
pub struct Automaton<'t> {
    /// All transitions, those of state 0 first.
    pub moves: &'t [Move],
    /// Where the transitions of each state begin, and where the last ones end.
    pub first: &'t [u32],
    /// A bit for each promise.
    pub promises: u32,
}

impl Automaton<'_> {
    /// How many states there are.
    #[must_use]
    pub const fn n_states(&self) -> usize {
        self.first.len() - 1
    }

    /// Whether each promise is kept by a transition that does not end the search: if not, no cycle is accepted.
    #[must_use]
    pub const fn can_cycle(&self) -> bool {
        let (mut kept, mut i) = (0, 0);
        while i < self.moves.len() {
            if self.moves[i].to != ANYTHING {
                kept |= self.moves[i].kept;
            }
            i += 1;
        }
        kept & self.promises == self.promises
    }
}

impl Move {
    /// Whether it is possible on a letter.
    #[must_use]
    #[inline]
    pub const fn allows(&self, letter: Letter) -> bool {
        letter & self.must == self.must && letter & self.must_not == 0
    }
}
