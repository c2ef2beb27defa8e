//! The states of a machine and the steps between them, found breadth first, in arrays.

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
}

/// No state and no edge.
const NONE: u32 = u32::MAX;

/// What is known of a machine: at most `S` states and `E` steps between them.
#[derive(Clone, Copy, Debug)]
pub struct Explored<T: Copy, O: Copy, const S: usize, const E: usize> {
    /// The states, nearest to the start first.
    pub states: [T; S],
    /// How many of them there are.
    pub n: usize,
    /// The step of each edge; none where the machine has come to its end and stays.
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
    keys: [u128; S],
    heads: [u32; S],
    links: [u32; S],
    edge_keys: [u128; E],
}

impl<T: Copy, O: Copy, const S: usize, const E: usize> Explored<T, O, S, E> {
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
            keys: [0; S],
            heads: [NONE; S],
            links: [NONE; S],
            edge_keys: [0; E],
        };
        let _ = explored.add(start, key, 0);
        explored
    }

    /// The position of a state, if it is known.
    #[must_use]
    pub const fn find(&self, key: u128) -> Option<usize> {
        let mut at = self.heads[(key % S as u128) as usize];
        while at != NONE {
            if self.keys[at as usize] == key {
                return Some(at as usize);
            }
            at = self.links[at as usize];
        }
        None
    }

    /// The position of a state that may be new; `None` if there is no room for it.
    const fn add(&mut self, state: T, key: u128, depth: u32) -> Option<usize> {
        if let Some(known) = self.find(key) {
            return Some(known);
        }
        if self.n >= S {
            self.ended = Ended::States;
            return None;
        }
        let at = self.n;
        let bucket = (key % S as u128) as usize;
        (self.states[at], self.keys[at], self.depth[at]) = (state, key, depth);
        self.links[at] = self.heads[bucket];
        self.heads[bucket] = at as u32;
        self.n += 1;
        Some(at)
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
        true
    }

    /// Adds a step from the state that was opened last, unless it is known: `op_key` and `key` are
    /// the fingerprints of the operation and of the state it leads to.
    pub const fn step(&mut self, from: usize, op: O, op_key: u128, state: T, key: u128) {
        let Some(to) = self.add(state, key, self.depth[from] + 1) else {
            self.is_known[from] = false;
            return;
        };
        let edge_key = op_key ^ (to as u128).wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835);
        let mut i = self.first[from] as usize;
        while i < self.n_edges {
            if self.edge_keys[i] == edge_key {
                return;
            }
            i += 1;
        }
        self.edge(from, Some(op), edge_key, to);
    }

    /// Closes a state: one without edges is an end, at which the machine stays.
    pub const fn close(&mut self, from: usize) {
        if self.n_edges == self.first[from] as usize && self.is_known[from] {
            self.edge(from, None, 0, from);
        }
    }

    const fn edge(&mut self, from: usize, op: Option<O>, key: u128, to: usize) {
        if self.n_edges >= E {
            self.is_known[from] = false;
            self.ended = Ended::Edges;
            return;
        }
        self.ops[self.n_edges] = op;
        self.to[self.n_edges] = to as u32;
        self.edge_keys[self.n_edges] = key;
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
