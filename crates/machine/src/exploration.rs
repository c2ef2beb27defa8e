//! Explores the states of a machine breadth first, in borrowed slices.
//!
//! The compiler and tests run the same [`Exploration`], in arrays and in vectors. It also counts facts that
//! states have shown; their meaning is known to the caller only.

/// Why an exploration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every state has been seen with everything that leads on from it.
    Complete,
    /// There are more states than there is room for.
    States,
    /// There are more steps than there is room for.
    Edges,
    /// States that far from the start were not explored further.
    Depth,
    /// An operation has more arguments than are tried in one state.
    Arguments,
    /// There are more steps than are tried in all.
    Tries,
    /// Not all arguments of an operation are told apart by what the machine does with them, and they are too
    /// many to try.
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

/// How many states may teach nothing before an exploration that is only to learn ends. A counter may have to
/// get to the largest number that the machine mentions.
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

/// How many states are explored for properties that say nothing else.
pub const N_WHOLE: usize = 1024;
/// Room for so many is tried first: to make room costs as much as to fill it.
pub const N_SMALL: usize = 256;

/// Room for as many, unless fewer are wanted at most.
#[must_use]
pub const fn at_most(room: usize, most: usize) -> usize {
    if room < most { room } else { most }
}

/// No state and no edge.
const NONE: u32 = u32::MAX;

/// The chain of a fingerprint: its middle bits depend on all of what was fed last.
const fn bucket(key: u128, n: usize) -> usize {
    ((key >> 40) as u64 % n as u64) as usize
}

/// How far an exploration may go.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// As many states.
    pub states: usize,
    /// As many steps between them.
    pub edges: usize,
    /// As many steps are tried of one operation in one state.
    pub of_one: usize,
    /// As many steps are tried in all.
    pub tries: usize,
    /// As many where not all arguments are tried, so that nothing can be proved.
    pub sampled_tries: usize,
    /// States that far from the start are not expanded.
    pub depth: u32,
}

impl Limits {
    /// What is usual where there may be as many states and edges.
    #[must_use]
    pub const fn new(states: usize, edges: usize, depth: u32) -> Self {
        let of_one = if states > MAX_OF_ONE { states } else { MAX_OF_ONE };
        let tries = states.saturating_mul(TRIES_A_STATE);
        Limits { states, edges, of_one, tries, sampled_tries: at_most(tries, N_WHOLE * TRIES_A_STATE), depth }
    }
}

/// How far an exploration has got.
#[derive(Clone, Copy, Debug)]
pub struct Progress<T, O> {
    /// How many states there are.
    pub n: usize,
    /// How many edges there are.
    pub n_edges: usize,
    /// The state whose steps are made now, or next.
    pub from: usize,
    /// Why there is no more.
    pub ended: Ended,
    /// Whether some arguments were left out.
    pub is_sampled: bool,
    /// How many steps from the start everything is known.
    pub bound: u32,
    /// A state and an operation for which two arms lead to different states, and these.
    pub disagreement: Option<(T, O, T, T)>,
    /// How many states are ends.
    pub n_ends: usize,
    /// Whether the room was too small for the last state's steps, though the limits allow them.
    pub is_full: bool,
    /// Whether steps of one operation to one state were joined: then there must be room to note them.
    pub is_joining: bool,
    is_reopened: bool,
    n_facts: usize,
    /// The state that taught the latest.
    teacher: usize,
    /// How far `from` is from the start, and the first state that is further.
    depth: u32,
    level_end: usize,
    /// How many steps were tried, and how many before the state at hand.
    n_tried: usize,
    n_tried_before: usize,
    /// Why there was no more before the state at hand, and whether arguments were left out.
    ended_before: (Ended, bool, u32),
    /// How many steps were tried of the operation at hand, and how many operations before it in all states.
    n_of_one: usize,
    n_begun: u32,
}

impl<T: Copy, O: Copy> Progress<T, O> {
    const START: Self = Progress {
        n: 0,
        n_edges: 0,
        from: 0,
        ended: Ended::Complete,
        is_sampled: false,
        bound: u32::MAX,
        disagreement: None,
        n_ends: 0,
        is_full: false,
        is_joining: false,
        is_reopened: false,
        n_facts: 0,
        teacher: 0,
        depth: 0,
        level_end: 1,
        n_tried: 0,
        n_tried_before: 0,
        ended_before: (Ended::Complete, false, u32::MAX),
        n_of_one: 0,
        n_begun: 0,
    };

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
}

/// An exploration at work, in room that is lent: arrays while the compiler evaluates constants, vectors in a
/// test, which then makes more room where it [is full](Progress::is_full).
#[derive(Debug)]
pub struct Exploration<'r, T, O> {
    /// The states, nearest to the start first.
    pub states: &'r mut [T],
    /// What tells them apart.
    pub keys: &'r mut [u128],
    /// Chains of states by their keys: where each begins, and what follows each state.
    pub heads: &'r mut [u32],
    /// See `heads`.
    pub links: &'r mut [u32],
    /// Which operation, of all that were tried in all states, led to each state last; may be empty until steps
    /// are joined.
    pub joined: &'r mut [u32],
    /// Where the edges of each state begin.
    pub first: &'r mut [u32],
    /// Whether all edges of a state are known.
    pub is_known: &'r mut [bool],
    /// The operation of each edge; none where the machine has reached its end and stays.
    pub ops: &'r mut [Option<O>],
    /// Where each edge leads.
    pub to: &'r mut [u32],
    /// A bit for each fact that was learnt.
    pub facts: &'r mut [u64],
    /// How many chains there are, and for how many edges there is room: const evaluation pays for asking a
    /// slice how long it is, and every step asks.
    pub n_chains: u64,
    /// See `n_chains`; at most what the limits allow.
    pub n_edges_max: usize,
    /// How far it may go.
    pub limits: Limits,
    /// How far it has got.
    pub progress: Progress<T, O>,
}

impl<T: Copy, O: Copy> Exploration<'_, T, O> {
    /// No position of a state.
    pub const NOWHERE: usize = usize::MAX;

    /// Enters the start, whose fingerprint is `key`.
    pub const fn start(&mut self, start: T, key: u128) {
        let _ = self.reach(start, key);
    }

    /// Goes on to the next state whose steps are to be made; false if there is none.
    pub const fn open(&mut self) -> bool {
        while self.progress.from < self.progress.n && !self.progress.is_full {
            let from = self.progress.from;
            if self.progress.is_reopened {
                self.progress.is_reopened = false;
                return true;
            }
            if from == self.progress.level_end {
                self.progress.level_end = self.progress.n;
                self.progress.depth += 1;
            }
            self.first[from] = self.progress.n_edges as u32;
            if self.progress.depth < self.limits.depth {
                self.is_known[from] = true;
                let progress = &mut self.progress;
                progress.n_tried_before = progress.n_tried;
                progress.ended_before = (progress.ended, progress.is_sampled, progress.bound);
                return true;
            }
            self.is_known[from] = false;
            self.cut(Ended::Depth);
            self.progress.from += 1;
        }
        false
    }

    /// The state that was opened last is to be opened again: there is more room now.
    pub const fn reopen(&mut self) {
        let from = self.progress.from;
        self.is_known[from] = true;
        let progress = &mut self.progress;
        progress.n_edges = self.first[from] as usize;
        progress.n_tried = progress.n_tried_before;
        (progress.ended, progress.is_sampled, progress.bound) = progress.ended_before;
        progress.is_full = false;
        progress.is_reopened = true;
    }

    /// From now on no further states are expanded.
    pub const fn end(&mut self) {
        self.limits.depth = 0;
    }

    /// Not everything about the state at hand is known.
    const fn cut(&mut self, why: Ended) {
        self.is_known[self.progress.from] = false;
        if self.progress.depth < self.progress.bound {
            self.progress.bound = self.progress.depth;
        }
        // That there are more states says most.
        if matches!(self.progress.ended, Ended::Complete) || matches!(why, Ended::States) {
            self.progress.ended = why;
        }
    }

    /// The position of a state, new or not; [`Exploration::NOWHERE`] if there is no room for it.
    pub const fn reach(&mut self, state: T, key: u128) -> usize {
        let bucket = bucket(key, self.heads.len());
        let mut at = self.heads[bucket];
        while at != NONE {
            if self.keys[at as usize] == key {
                return at as usize;
            }
            at = self.links[at as usize];
        }
        let at = self.progress.n;
        if at >= self.limits.states {
            self.cut(Ended::States);
            return Self::NOWHERE;
        }
        if at >= self.states.len() {
            self.progress.is_full = true;
            return Self::NOWHERE;
        }
        self.states[at] = state;
        self.keys[at] = key;
        self.links[at] = self.heads[bucket];
        self.heads[bucket] = at as u32;
        self.progress.n = at + 1;
        at
    }

    /// Begins with another operation in the state at hand.
    pub const fn begin(&mut self) {
        self.progress.n_of_one = 0;
        self.progress.n_begun += 1;
    }

    /// Adds a step of the operation at hand to the state of the pair. Where nobody looks at arguments, one
    /// operation to one state is one step.
    ///
    /// Every step of every machine comes by here: what is called is only what is rare.
    pub const fn step(&mut self, at: &(T, O), key: u128, may_join: bool) {
        let mut to = self.heads[((key >> 40) as u64 % self.n_chains) as usize];
        while to != NONE && self.keys[to as usize] != key {
            to = self.links[to as usize];
        }
        if to == NONE {
            let new = self.reach(at.0, key);
            if new == Self::NOWHERE {
                return;
            }
            to = new as u32;
        }
        if may_join && self.is_joined(to as usize) {
            return;
        }
        let edge = self.progress.n_edges;
        if edge >= self.n_edges_max {
            return self.edge(Some(at.1), to as usize);
        }
        self.ops[edge] = Some(at.1);
        self.to[edge] = to;
        self.progress.n_edges = edge + 1;
    }

    /// Whether the operation at hand has led to a state before; notes that it does.
    const fn is_joined(&mut self, to: usize) -> bool {
        self.progress.is_joining = true;
        if to >= self.joined.len() {
            self.progress.is_full = true;
            return true;
        }
        let is_joined = self.joined[to] == self.progress.n_begun;
        self.joined[to] = self.progress.n_begun;
        is_joined
    }

    /// Counts a try of the operation at hand; false if its other arguments are to be left out.
    pub const fn may_go_on(&mut self) -> bool {
        self.progress.n_tried += 1;
        self.progress.n_of_one += 1;
        if self.progress.is_full {
            return false;
        }
        let ended = if self.progress.n_of_one >= self.limits.of_one {
            Ended::Arguments
        } else if self.progress.n_edges >= self.limits.edges {
            Ended::Edges
        } else if self.progress.n_tried >= self.limits.tries {
            Ended::Tries
        } else {
            return true;
        };
        self.cut(ended);
        false
    }

    /// Notes that not all arguments were tried in the state at hand.
    pub const fn sample(&mut self) {
        self.cut(Ended::Sampled);
        self.progress.is_sampled = true;
        self.limits.tries = at_most(self.limits.tries, self.limits.sampled_tries);
    }

    /// An edge of the state at hand, from edge `after` on, that leads to `to`; to be asked again until there
    /// is none.
    #[must_use]
    pub const fn edge_to(&self, to: usize, mut after: usize) -> Option<usize> {
        while after < self.progress.n_edges {
            if self.to[after] as usize == to {
                return Some(after);
            }
            after += 1;
        }
        None
    }

    /// Adds a step from the state at hand.
    pub const fn edge(&mut self, op: Option<O>, to: usize) {
        let at = self.progress.n_edges;
        if at >= self.limits.edges {
            self.cut(Ended::Edges);
            return;
        }
        if at >= self.to.len() {
            self.progress.is_full = true;
            return;
        }
        self.ops[at] = op;
        self.to[at] = to as u32;
        self.progress.n_edges = at + 1;
    }

    /// Closes the state at hand: one without edges is an end, at which the machine stays.
    pub const fn close(&mut self) {
        let from = self.progress.from;
        if self.progress.n_edges == self.first[from] as usize && self.is_known[from] && !self.progress.is_full
        {
            self.edge(None, from);
            self.progress.n_ends += 1;
        }
        if !self.progress.is_full {
            self.progress.from = from + 1;
        }
    }

    /// Notes a fact that the state at hand has taught.
    pub const fn learn(&mut self, fact: usize) {
        let (word, bit) = (fact / 64, 1 << (fact % 64));
        if self.facts[word] & bit == 0 {
            self.facts[word] |= bit;
            self.progress.n_facts += 1;
            self.progress.teacher = self.progress.from;
        }
    }

    /// Whether all of `n_facts` were learnt, and nothing from the `patience` states before the one at hand.
    #[must_use]
    pub const fn has_learnt_all(&self, n_facts: usize, patience: usize) -> bool {
        self.progress.n_facts >= n_facts && self.progress.from - self.progress.teacher > patience
    }

    /// All of it, without the room that was not needed.
    #[must_use]
    pub const fn graph(&self) -> StateGraph<'_, T, O> {
        graph(&self.progress, (self.states, self.ops, self.to), (self.first, self.is_known))
    }
}

/// What was explored, wherever it is kept: small enough to be passed around in const evaluation, which copies
/// a constant at each mention.
#[derive(Clone, Copy, Debug)]
pub struct StateGraph<'g, T, O> {
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

/// What has been explored so far, cut out of the room that it was explored in.
#[must_use]
pub const fn graph<'g, T: Copy, O: Copy>(
    progress: &Progress<T, O>,
    (states, ops, to): (&'g [T], &'g [Option<O>], &'g [u32]),
    (first, is_known): (&'g [u32], &'g [bool]),
) -> StateGraph<'g, T, O> {
    StateGraph {
        states: states.split_at(progress.n).0,
        ops: ops.split_at(progress.n_edges).0,
        to: to.split_at(progress.n_edges).0,
        first: first.split_at(progress.n).0,
        is_known: is_known.split_at(progress.n).0,
        ended: progress.ended,
        assurance: progress.assurance(),
        bound: progress.bound,
    }
}

impl<T, O> StateGraph<'_, T, O> {
    /// Whether everything there is was explored.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.ended, Ended::Complete)
    }

    /// Where the edges of a state begin and end.
    #[must_use]
    pub const fn edges_of(&self, from: usize) -> (usize, usize) {
        let end = if from + 1 < self.first.len() { self.first[from + 1] as usize } else { self.to.len() };
        (self.first[from] as usize, end)
    }

    /// Whether the machine stays in this state for ever.
    #[must_use]
    pub const fn is_end(&self, state: usize) -> bool {
        let (first, end) = self.edges_of(state);
        first < end && self.ops[first].is_none()
    }
}

/// Room for an exploration in const evaluation, and what was found in it: at most `S` states, `E` steps
/// between them, and `F` times 64 facts.
#[derive(Clone, Copy, Debug)]
pub struct FixedStateSpace<T: Copy, O: Copy, const S: usize, const E: usize, const F: usize> {
    states: [T; S],
    keys: [u128; S],
    heads: [u32; S],
    links: [u32; S],
    joined: [u32; S],
    first: [u32; S],
    is_known: [bool; S],
    ops: [Option<O>; E],
    to: [u32; E],
    facts: [u64; F],
    /// How far it has got.
    pub progress: Progress<T, O>,
}

impl<T: Copy, O: Copy, const S: usize, const E: usize, const F: usize> FixedStateSpace<T, O, S, E, F> {
    /// Room in which nothing is yet, or what was explored in a smaller room that is full; `state` is any state.
    ///
    /// # Panics
    /// If the other room is larger.
    #[must_use]
    pub const fn new(state: T, smaller: Option<Room<'_, T, O>>) -> Self {
        let mut room = FixedStateSpace {
            states: [state; S],
            keys: [0; S],
            heads: [NONE; S],
            links: [NONE; S],
            joined: [0; S],
            first: [0; S],
            is_known: [false; S],
            ops: [None; E],
            to: [0; E],
            facts: [0; F],
            progress: Progress::START,
        };
        if let Some(Room { graph, keys, progress }) = smaller {
            let (n, n_edges) = (progress.n, progress.n_edges);
            room.states.split_at_mut(n).0.copy_from_slice(graph.states);
            room.keys.split_at_mut(n).0.copy_from_slice(keys);
            room.first.split_at_mut(n).0.copy_from_slice(graph.first);
            room.is_known.split_at_mut(n).0.copy_from_slice(graph.is_known);
            room.ops.split_at_mut(n_edges).0.copy_from_slice(graph.ops);
            room.to.split_at_mut(n_edges).0.copy_from_slice(graph.to);
            chain(keys, &mut room.heads, &mut room.links);
            room.progress = progress;
        }
        room
    }

    /// An exploration in this room, as far as the limits allow; begins again with the state for which a
    /// smaller room was full.
    pub const fn exploration(&mut self, limits: Limits) -> Exploration<'_, T, O> {
        let mut exploration = Exploration {
            n_chains: S as u64,
            n_edges_max: if E < limits.edges { E } else { limits.edges },
            states: &mut self.states,
            keys: &mut self.keys,
            heads: &mut self.heads,
            links: &mut self.links,
            joined: &mut self.joined,
            first: &mut self.first,
            is_known: &mut self.is_known,
            ops: &mut self.ops,
            to: &mut self.to,
            facts: &mut self.facts,
            limits,
            progress: self.progress,
        };
        if exploration.progress.is_full {
            exploration.reopen();
        }
        exploration
    }

    /// What is in this room, to be put into a larger one.
    #[must_use]
    pub const fn room(&self) -> Room<'_, T, O> {
        Room { graph: self.graph(), keys: self.keys.split_at(self.progress.n).0, progress: self.progress }
    }

    /// All of it, without the room that was not needed.
    #[must_use]
    pub const fn graph(&self) -> StateGraph<'_, T, O> {
        graph(&self.progress, (&self.states, &self.ops, &self.to), (&self.first, &self.is_known))
    }

    /// Whether a fact was learnt.
    #[must_use]
    pub const fn knows(&self, fact: usize) -> bool {
        self.facts[fact / 64] >> (fact % 64) & 1 == 1
    }

    /// Whether everything there is was explored.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        matches!(self.progress.ended, Ended::Complete)
    }
}

/// What was explored in a room that was too small.
#[derive(Clone, Copy, Debug)]
pub struct Room<'g, T, O> {
    graph: StateGraph<'g, T, O>,
    keys: &'g [u128],
    progress: Progress<T, O>,
}

impl<T: Copy, O: Copy> Default for Progress<T, O> {
    fn default() -> Self {
        Self::START
    }
}

/// Room for an exploration where there is a heap is kept by its owner; this is how its chains are made anew
/// for more states.
pub const fn chain(keys: &[u128], heads: &mut [u32], links: &mut [u32]) {
    let (n_chains, n_keys) = (heads.len(), keys.len());
    let mut i = 0;
    while i < n_chains {
        heads[i] = NONE;
        i += 1;
    }
    let mut at = 0;
    while at < n_keys {
        let bucket = bucket(keys[at], n_chains);
        links[at] = heads[bucket];
        heads[bucket] = at as u32;
        at += 1;
    }
}
