//! How likely each function is to be called next.
//!
//! Functions that use what exists are likelier than those that make more of it, and functions that were not
//! called yet are likelier than the others. The engine multiplies these weights with its own. Some sequences
//! leave out some of the functions, so that one which fails immediately does not end all sequences and the
//! others combine more often. Nothing of other sequences is known here.

use super::bits::Bits;
use super::make::ParameterHints;
use super::states::States;
use super::targets::Target;
use super::{CallsError, Settings};
use crate::ctypes::{CType, TypeId};
use crate::machine::Function;
use crate::project::Project;
use stairway::generate::Prng;

/// The weights of functions, before what a sequence has done is looked at.
const USER: u32 = 4;
const OTHER: u32 = 3;
const MAKER: u32 = 2;
const ENDER: u32 = 1;
/// The weight of a function that makes what is missing.
const WANTED: u32 = 8;
/// How much likelier a function is that was called never, or once.
const RARITY: [u32; 3] = [3, 2, 1];
/// How much likelier a function is during a burst, how often one starts (in 32 calls), and how long they are
/// at most: 2 to this. What has room for many elements is filled so.
const BURST: u32 = 256;
const BURSTS: u64 = 2;
const LONGEST_BURST: u64 = 6;
/// One burst in four repeats its arguments: the bits of a random word that are 0 then.
const REPEATED: u64 = 3;

/// Functions are left out only where there are at least so many that may be: few are better tried all together.
const MANY: usize = 10;

/// What a function does to objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It is passed one.
    User,
    /// It returns one, and needs none.
    Maker,
    /// It is passed one, and ends its life.
    Ender,
    /// It knows of none.
    Other,
}

/// A parameter that cannot be made from nothing.
#[derive(Clone, Debug)]
struct Need {
    /// The kinds of results that lead to it.
    producers: Bits,
    /// What it points to, if an object that was made for an earlier call will do.
    object: Option<TypeId>,
}

/// What is known of the functions.
#[derive(Debug)]
pub(super) struct Roles {
    of: Vec<FunctionFacts>,
    init: Option<usize>,
}

#[derive(Debug)]
struct FunctionFacts {
    role: Role,
    /// Of its result.
    kind: u32,
    by_hand: u32,
    needs: Vec<Need>,
    /// Whether states are made for it, so that it needs nothing.
    has_states: bool,
}

impl Roles {
    pub(super) fn new(
        project: &Project,
        targets: &[(Target, Function, Vec<ParameterHints>)],
        kind_of: &[u32],
        init: Option<usize>,
        states: &States,
        settings: &Settings,
    ) -> Result<Roles, CallsError> {
        let types = &project.program.types;
        let is_object = |ty: TypeId, wish: &ParameterHints| match types.get(ty) {
            CType::Pointer { to, .. } => {
                let is_handle = matches!(types.get(*to), CType::Void | CType::Other { .. });
                wish.object.is_some() || (is_handle && !wish.producers.is_empty())
            }
            _ => false,
        };
        let objects = |(target, _, wishes): &(Target, Function, Vec<ParameterHints>)| -> Bits {
            let mut kinds = Bits::default();
            for (ty, wish) in target.parameters.iter().zip(wishes).filter(|(ty, wish)| is_object(**ty, wish))
            {
                let _ = ty;
                kinds.extend(&wish.producers);
            }
            kinds
        };
        let uses = |(target, _, wishes): &(Target, Function, Vec<ParameterHints>)| {
            target.parameters.iter().zip(wishes).any(|(ty, wish)| is_object(*ty, wish))
        };
        let mut asked_for = Bits::default();
        targets.iter().for_each(|target| asked_for.extend(&objects(target)));
        let known = |(op, target): (usize, &(Target, Function, Vec<ParameterHints>))| {
            let role = match uses(target) {
                true if target.0.is_ending => Role::Ender,
                true => Role::User,
                false if asked_for.contains(kind_of[op]) => Role::Maker,
                false => Role::Other,
            };
            let by_hand = settings.weights.iter().rev().find(|(name, _)| name == target.0.name);
            let needs = target.2.iter().filter(|wish| !wish.needs_none);
            let need =
                |wish: &ParameterHints| Need { producers: wish.producers.clone(), object: wish.object };
            let by_hand = by_hand.map_or(1, |(_, weight)| *weight);
            let has_states = states.weight(op) > 0;
            FunctionFacts { role, kind: kind_of[op], by_hand, needs: needs.map(need).collect(), has_states }
        };
        let is_missing = |(name, _): &&(String, u32)| !targets.iter().any(|(t, ..)| t.name == name);
        match settings.weights.iter().find(is_missing) {
            Some((name, _)) => Err(CallsError::NoSuchFunction(name.clone())),
            None => Ok(Roles { of: targets.iter().enumerate().map(known).collect(), init }),
        }
    }
}

impl Roles {
    /// Whether there is a function that needs nothing from earlier calls.
    pub(super) fn can_begin(&self) -> bool {
        self.of.iter().any(|known| known.needs.is_empty())
    }

    /// Whether every sequence begins with this function.
    pub(super) fn is_init(&self, op: usize) -> bool {
        self.init == Some(op)
    }

    /// The functions that a sequence does without: none in most sequences, else a half, three quarters or
    /// seven eighths of those without which others can still be called.
    fn left_out(&self, word: u64) -> Bits {
        let may_be = |(op, known): &(usize, &FunctionFacts)| known.role != Role::Maker && !self.is_init(*op);
        let candidates = || self.of.iter().enumerate().filter(may_be);
        let mut left_out = Bits::default();
        let one_in = match word & 7 {
            0 => 2,
            1 => 4,
            2 => 8,
            _ => return left_out,
        };
        if candidates().count() >= MANY {
            let mut random = Prng::new(word);
            let left = candidates().filter(|_| !random.next_u64().is_multiple_of(one_in));
            left.for_each(|(op, _)| {
                left_out.insert(op as u32);
            });
        }
        left_out
    }
}

/// What a sequence has done, as far as weights depend on it.
#[derive(Debug, Default)]
pub(super) struct SequenceProgress {
    weights: Vec<u32>,
    /// How often each function was called, up to what makes a difference.
    n_done: Vec<u8>,
    /// The kinds of results there are.
    produced: Bits,
    /// Those of which more are needed.
    lacking: Bits,
    /// The types of objects that were made for arguments.
    made: Vec<TypeId>,
    has_begun: bool,
    /// Whether states are made in it.
    has_states: bool,
    /// A function that is called again and again.
    burst: Option<Burst>,
    /// Functions that are not called in it.
    left_out: Bits,
}

/// A function that is called again and again.
#[derive(Clone, Copy, Debug)]
struct Burst {
    op: usize,
    /// How many times more.
    n_left: u32,
    /// Whether it is passed the same arguments: what counts events overflows only if they are all counted.
    repeats: bool,
}

impl SequenceProgress {
    /// At the beginning of a sequence; `word` is a random one, if there is any.
    pub(super) fn new(roles: &Roles, has_states: bool, word: Option<u64>) -> SequenceProgress {
        let n = roles.of.len();
        let (weights, n_done) = (vec![0; n], vec![0; n]);
        let left_out = word.map_or_else(Bits::default, |word| roles.left_out(word));
        let mut standing =
            SequenceProgress { weights, n_done, has_states, left_out, ..SequenceProgress::default() };
        standing.weigh_all(roles);
        standing
    }

    /// The weight of a function; 0 if there is nothing that it could be passed.
    #[inline]
    pub(super) fn weight(&self, op: usize) -> u32 {
        self.weights[op]
    }

    /// A function was called.
    #[inline]
    pub(super) fn done(&mut self, roles: &Roles, op: usize) {
        if !self.has_begun {
            self.has_begun = true;
            if roles.init.is_some() {
                self.weigh_all(roles);
            }
        }
        if usize::from(self.n_done[op]) < RARITY.len() - 1 {
            self.n_done[op] += 1;
            self.weights[op] = self.weighed(roles, op);
        }
    }

    /// Begins a burst of calls of one function, or goes on with it. `word` is a random one. Whether one begins in
    /// which the arguments stay the same.
    #[inline]
    pub(super) fn burst(&mut self, roles: &Roles, op: usize, word: u64) -> bool {
        match self.burst {
            None if word % 32 < BURSTS => {
                let (n_left, repeats) = (2 << ((word >> 32) % LONGEST_BURST), word >> 8 & REPEATED == 0);
                self.burst = Some(Burst { op, n_left, repeats });
                self.weights[op] = self.weighed(roles, op);
                return repeats;
            }
            None => {}
            Some(Burst { op: again, n_left, repeats }) => {
                self.burst = (n_left > 1).then_some(Burst { op: again, n_left: n_left - 1, repeats });
                if n_left <= 1 {
                    self.weights[again] = self.weighed(roles, again);
                }
            }
        }
        false
    }

    /// Whether a function is passed the same arguments as before.
    #[inline]
    pub(super) fn repeats(&self, op: usize) -> bool {
        self.burst.is_some_and(|burst| burst.repeats && burst.op == op)
    }

    /// There is a result of this kind.
    #[inline]
    pub(super) fn gives(&mut self, roles: &Roles, kind: u32) {
        let is_new = self.produced.insert(kind);
        if self.lacking.remove(kind) || is_new {
            self.weigh_all(roles);
        }
    }

    /// There is an object of this type that was made for an argument.
    #[inline]
    pub(super) fn holds(&mut self, roles: &Roles, object: TypeId) {
        if !self.made.contains(&object) {
            self.made.push(object);
            self.weigh_all(roles);
        }
    }

    /// There was nothing to pass, although these kinds of results would lead to it.
    #[cold]
    pub(super) fn lacks(&mut self, roles: &Roles, producers: &Bits) {
        self.lacking.extend(producers);
        self.weigh_all(roles);
    }

    #[cold]
    fn weigh_all(&mut self, roles: &Roles) {
        for op in 0..roles.of.len() {
            self.weights[op] = self.weighed(roles, op);
        }
    }

    /// Whether there is something that a function could be passed from earlier calls.
    pub(super) fn is_met(&self, roles: &Roles, op: usize) -> bool {
        roles.of[op].needs.iter().all(|need| {
            let is_made = || need.object.is_some_and(|object| self.made.contains(&object));
            need.producers.meets(&self.produced) || is_made()
        })
    }

    fn weighed(&self, roles: &Roles, op: usize) -> u32 {
        let FunctionFacts { role, kind, by_hand, has_states, .. } = &roles.of[op];
        let is_early = roles.init.is_some_and(|init| !self.has_begun && op != init);
        if is_early
            || self.left_out.contains(op as u32)
            || !((*has_states && self.has_states) || self.is_met(roles, op))
        {
            return 0;
        }
        let is_wanted = || !self.produced.contains(*kind) || self.lacking.contains(*kind);
        let weight = match role {
            Role::User => USER,
            Role::Other => OTHER,
            Role::Ender => ENDER,
            Role::Maker if is_wanted() => WANTED,
            Role::Maker => MAKER,
        };
        let burst = if self.burst.is_some_and(|burst| burst.op == op) { BURST } else { 1 };
        weight * RARITY[usize::from(self.n_done[op]).min(RARITY.len() - 1)] * by_hand * burst
    }
}
