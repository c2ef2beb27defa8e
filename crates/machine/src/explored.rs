//! The states of a machine and the steps between them, found breadth first, in arrays.
//!
//! Receives states with their fingerprints and steps, hands on a graph, why it ended, and which facts were
//! learnt on the way. What a fact is, its caller knows.

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every state has been seen with everything that leads on from it.
    Complete,
    /// There are more states than there is room for.
    States,
    /// There are more steps than there is room for.
    Edges,
    /// States that far from the start were not gone on from.
    Depth,
    /// An operation has more arguments than are tried in one state.
    Arguments,
    /// There are more steps than are tried in all.
    Tries,
    /// Not all arguments of an operation are told apart by what the machine does with them, and they are too many to try.
    Sampled,
}

/// What a check is worth on which nothing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Assurance {
    /// Some runs were tried.
    Sampled = 0,
    /// All runs were tried up to a number of steps.
    Bounded = 1,
    /// All runs were tried.
    Proved = 2,
}

/// How many arguments of one operation are tried in one state, unless there is room for more states.
pub const MAX_OF_ONE: usize = 4096;
/// How many steps are tried for each state that there is room for.
pub const TRIES_A_STATE: usize = 16;

/// How many states may teach nothing before an exploration that is only to learn ends. A counter may have to get to the largest
/// number that the machine mentions.
#[must_use]
pub const fn patience(numbers: &[i128]) -> usize {
    let (mut most, mut i) = (32, 0);
    while i < numbers.len() {
        let number = numbers[i].unsigned_abs();
        if number > most {
            most = number;
        }
        i += 1;
    }
    if most > 1 << 20 { 1 << 20 } else { most as usize }
}

/// No state and no edge.
const NONE: u32 = u32::MAX;

/// What is known of a machine: at most `S` states and `E` steps between them, and `F` times 64 facts.
#[derive(Clone, Copy, Debug)]
pub struct Explored<T: Copy, O: Copy, const S: usize, const E: usize, const F: usize> {
    /// The states, nearest to the start first.
    pub states: [T; S],
    /// How many of them there are.
    pub n: usize,
    /// The step of each edge; none where the machine has reached its end and stays.
    pub ops: [Option<O>; E],
    /// Where each edge leads.
    pub to: [u32; E],
    /// How many edges there are.
    pub n_edges: usize,
    /// Where the edges of each state begin.
    pub first: [u32; S],
    /// Whether all edges of a state are known.
    pub is_known: [bool; S],
    /// How far each state is from the start.
    pub depth: [u32; S],
    /// Why there is no more.
    pub ended: Ended,
    /// Whether some arguments were left out.
    pub is_sampled: bool,
    /// A state and an operation for which two arms lead to different states, and these.
    pub disagreement: Option<(T, O, T, T)>,
    /// How many states are ends.
    pub n_ends: usize,
    /// A bit for each fact that was learnt.
    facts: [u64; F],
    n_facts: usize,
    /// The state that taught the latest.
    teacher: usize,
    /// How many steps were tried.
    n_tried: usize,
    /// Which operation was tried last, and how often in this state.
    tried: (u64, usize),
    keys: [u128; S],
    heads: [u32; S],
    links: [u32; S],
}

/// What was explored, wherever it is kept: small enough to be passed around in const evaluation, which copies a constant at each
/// mention.
#[derive(Clone, Copy, Debug)]
pub struct Known<'g, T, O> {
    /// The states, nearest to the start first.
    pub states: &'g [T],
    /// The operation of each edge; none where the machine stays at its end.
    pub ops: &'g [Option<O>],
    /// Where each edge leads.
    pub to: &'g [u32],
    /// Where the edges of each state begin.
    pub first: &'g [u32],
    /// Whether all edges of a state are known.
    pub is_known: &'g [bool],
    /// Why there is no more.
    pub ended: Ended,
    /// What a check on all of this is worth.
    pub assurance: Assurance,
    /// How many steps from the start everything is known.
    pub bound: u32,
}

impl<T, O> Known<'_, T, O> {
    /// Whether everything there is was explored.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.ended, Ended::Complete)
    }
}

impl<T: Copy, O: Copy, const S: usize, const E: usize, const F: usize> Explored<T, O, S, E, F> {
    /// All of it, without the room that was not needed.
    #[must_use]
    pub const fn known(&self) -> Known<'_, T, O> {
        Known {
            states: self.states.split_at(self.n).0,
            ops: self.ops.split_at(self.n_edges).0,
            to: self.to.split_at(self.n_edges).0,
            first: self.first.split_at(self.n).0,
            is_known: self.is_known.split_at(self.n).0,
            ended: self.ended,
            assurance: self.assurance(),
            bound: self.bound(),
        }
    }

    /// No position of a state.
    pub const NOWHERE: usize = usize::MAX;

    /// Only the start, whose fingerprint is `key`.
    #[must_use]
    pub const fn new(start: T, key: u128) -> Self {
        let mut explored = Explored {
            states: [start; S],
            n: 0,
            ops: [None; E],
            to: [0; E],
            n_edges: 0,
            first: [0; S],
            is_known: [false; S],
            depth: [0; S],
            ended: Ended::Complete,
            is_sampled: false,
            disagreement: None,
            n_ends: 0,
            facts: [0; F],
            n_facts: 0,
            teacher: 0,
            n_tried: 0,
            tried: (0, 0),
            keys: [0; S],
            heads: [NONE; S],
            links: [NONE; S],
        };
        let _ = explored.reach(0, start, key);
        explored.depth[0] = 0;
        explored
    }

    /// The position of a state, new or not, that is a step away from `from`; [`Explored::NOWHERE`] if
    /// there is no room for it.
    pub const fn reach(&mut self, from: usize, state: T, key: u128) -> usize {
        let bucket = (key % S as u128) as usize;
        let mut at = self.heads[bucket];
        while at != NONE {
            if self.keys[at as usize] == key {
                return at as usize;
            }
            at = self.links[at as usize];
        }
        let at = self.n;
        if at >= S {
            self.ended = Ended::States;
            self.is_known[from] = false;
            return Self::NOWHERE;
        }
        self.states[at] = state;
        self.keys[at] = key;
        self.depth[at] = self.depth[from] + 1;
        self.links[at] = self.heads[bucket];
        self.heads[bucket] = at as u32;
        self.n = at + 1;
        at
    }

    /// Begins with the edges of a state; false if it is too far from the start to be gone on from.
    pub const fn open(&mut self, from: usize, max_depth: u32) -> bool {
        self.first[from] = self.n_edges as u32;
        if self.depth[from] >= max_depth {
            if matches!(self.ended, Ended::Complete) {
                self.ended = Ended::Depth;
            }
            return false;
        }
        self.is_known[from] = true;
        self.tried = (0, 0);
        true
    }

    /// Counts a try of operation number `op` in the state that was opened last; false if its other
    /// arguments are to be left out.
    pub const fn may_go_on(&mut self, from: usize, op: u64) -> bool {
        self.n_tried += 1;
        self.tried = if op == self.tried.0 { (op, self.tried.1 + 1) } else { (op, 1) };
        let most_of_one = if S > MAX_OF_ONE { S } else { MAX_OF_ONE };
        let ended = if self.tried.1 >= most_of_one {
            Ended::Arguments
        } else if self.n_edges >= E {
            Ended::Edges
        } else if self.n_tried >= S * TRIES_A_STATE {
            Ended::Tries
        } else {
            return true;
        };
        self.is_known[from] = false;
        if matches!(self.ended, Ended::Complete) {
            self.ended = ended;
        }
        false
    }

    /// Notes that not all arguments were tried in the state that was opened last.
    pub const fn sample(&mut self, from: usize) {
        self.is_known[from] = false;
        self.is_sampled = true;
        if matches!(self.ended, Ended::Complete) {
            self.ended = Ended::Sampled;
        }
    }

    /// What a check on all of this is worth.
    #[must_use]
    pub const fn assurance(&self) -> Assurance {
        match self.ended {
            Ended::Complete => Assurance::Proved,
            _ if self.is_sampled => Assurance::Sampled,
            Ended::Arguments | Ended::Sampled => Assurance::Sampled,
            _ => Assurance::Bounded,
        }
    }

    /// How many steps from the start everything is known.
    #[must_use]
    pub const fn bound(&self) -> u32 {
        let (mut bound, mut i) = (u32::MAX, 0);
        while i < self.n {
            if !self.is_known[i] && self.depth[i] < bound {
                bound = self.depth[i];
            }
            i += 1;
        }
        bound
    }

    /// An edge of the state that was opened last, behind edge `after` of it, that leads to `to`; to be
    /// asked again until there is none, if the same step may have been drawn twice.
    #[must_use]
    pub const fn edge_to(&self, to: usize, mut after: usize) -> Option<usize> {
        while after < self.n_edges {
            if self.to[after] as usize == to {
                return Some(after);
            }
            after += 1;
        }
        None
    }

    /// Closes a state: one without edges is an end, at which the machine stays.
    pub const fn close(&mut self, from: usize) {
        if self.n_edges == self.first[from] as usize && self.is_known[from] {
            self.edge(from, None, from);
            self.n_ends += 1;
        }
    }

    /// Notes a fact that a state has taught.
    pub const fn learn(&mut self, from: usize, fact: usize) {
        let (word, bit) = (fact / 64, 1 << (fact % 64));
        if self.facts[word] & bit == 0 {
            self.facts[word] |= bit;
            self.n_facts += 1;
            self.teacher = from;
        }
    }

    /// Whether a fact was learnt.
    #[must_use]
    pub const fn knows(&self, fact: usize) -> bool {
        self.facts[fact / 64] >> (fact % 64) & 1 == 1
    }

    /// Whether all of `n_facts` were learnt, and nothing from the `patience` states before this one.
    #[must_use]
    pub const fn has_learnt_all(&self, n_facts: usize, from: usize, patience: usize) -> bool {
        self.n_facts >= n_facts && from - self.teacher > patience
    }

    /// Adds a step from the state that was opened last.
    pub const fn edge(&mut self, from: usize, op: Option<O>, to: usize) {
        if self.n_edges >= E {
            self.is_known[from] = false;
            self.ended = Ended::Edges;
            return;
        }
        self.ops[self.n_edges] = op;
        self.to[self.n_edges] = to as u32;
        self.n_edges += 1;
    }

    /// Where the edges of a state begin and end.
    #[must_use]
    pub const fn edges_of(&self, from: usize) -> (usize, usize) {
        let end = if from + 1 < self.n { self.first[from + 1] as usize } else { self.n_edges };
        (self.first[from] as usize, end)
    }

    /// Whether the machine stays in this state for ever.
    #[must_use]
    pub const fn is_end(&self, state: usize) -> bool {
        let (first, end) = self.edges_of(state);
        first < end && self.ops[first].is_none()
    }

    /// Whether everything there is was explored.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.ended, Ended::Complete)
    }
}
