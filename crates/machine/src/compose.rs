//! What composed machines consist of: identical copies of a machine, channels between machines, and the
//! renaming that shows a run among copies.
//!
//! Copies are interchangeable, unless they have numbers: whatever happens to one may happen to any other.
//! Exploration therefore keeps one state of all those that differ only in the order of copies, and no formula can
//! tell copies apart: anything that could is not a `const fn`. [`Renaming`] shows a run with every copy in the same place from
//! its first step to its last.

use core::fmt;

/// How many copies of a machine there may be.
pub const MAX_COPIES: usize = 16;

/// The states of copies of one machine, which are alike unless they have numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Copies<S, const N: usize, const HAVE_NUMBERS: bool = false>([S; N]);

/// The states of copies of one machine that have numbers, so that formulas can tell them apart.
pub type Numbered<S, const N: usize> = Copies<S, N, true>;

impl<S: Copy, const N: usize, const HAVE_NUMBERS: bool> Copies<S, N, HAVE_NUMBERS> {
    /// All in one state.
    #[must_use]
    pub const fn new(start: S) -> Self {
        assert!(N <= MAX_COPIES, "there are too many copies");
        Copies([start; N])
    }

    /// The states, each copy in its place. Not for formulas: to them, all copies without numbers are alike.
    pub fn states(&self) -> &[S; N] {
        &self.0
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __len(&self) -> usize {
        N
    }

    /// Room for a number for each.
    #[doc(hidden)]
    #[must_use]
    pub const fn __blank(&self) -> [u128; N] {
        [0; N]
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __get(&self, k: usize) -> S {
        self.0[k]
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __with(&self, k: usize, state: S) -> Self {
        let mut all = *self;
        all.0[k] = state;
        all
    }
}

impl<S: fmt::Debug, const N: usize, const HAVE_NUMBERS: bool> fmt::Debug for Copies<S, N, HAVE_NUMBERS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a formula asks several copies about. A part of which there is one is not that, and rustc says so
/// where its name stands.
#[doc(hidden)]
#[must_use]
pub const fn copies<S: Copy, const N: usize, const HAVE_NUMBERS: bool>(
    part: Copies<S, N, HAVE_NUMBERS>,
) -> Copies<S, N, HAVE_NUMBERS> {
    part
}

/// The state of the copy with a number, if there is one: see [`has_number`].
#[doc(hidden)]
#[must_use]
pub const fn numbered<S: Copy, const N: usize, const HAVE_NUMBERS: bool>(
    part: Copies<S, N, HAVE_NUMBERS>,
    k: usize,
) -> S {
    part.0[if k < N { k } else { 0 }]
}

/// Whether a formula may ask about the copy with a number.
///
/// # Panics
/// If the copies are alike.
#[doc(hidden)]
#[must_use]
pub const fn has_number<S: Copy, const N: usize, const HAVE_NUMBERS: bool>(
    _: Copies<S, N, HAVE_NUMBERS>,
    k: usize,
) -> bool {
    assert!(
        HAVE_NUMBERS,
        "no formula can tell copies apart that are alike: write `name[3]` instead of `3 name` in `compose!`"
    );
    k < N
}

/// Which of `N` copies does something.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Which<const N: usize>(u8);

impl<const N: usize> Which<N> {
    #[doc(hidden)]
    pub const __FIRST: Self = Which(0);

    /// The copy in a place.
    ///
    /// # Panics
    ///
    /// If there are not so many.
    #[must_use]
    pub fn nth(k: usize) -> Self {
        assert!(k < N, "there are {N} copies, and none has the number {k}");
        Which(k as u8)
    }

    /// Its place. Not for formulas: to them, all copies are alike.
    #[must_use]
    pub fn place(self) -> usize {
        self.0 as usize
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __place(self) -> usize {
        self.0 as usize
    }

    #[doc(hidden)]
    #[must_use]
    pub const fn __nth(k: u64) -> Self {
        Which(k as u8)
    }
}

impl<const N: usize> fmt::Debug for Which<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Messages on their way, the oldest first; at most `N`.
///
/// ```
/// use stairway_machine::Channel;
///
/// let channel: Channel<u8, 2> = Channel::EMPTY;
/// let channel = channel.put(7).and_then(|c| c.put(8)).expect("there is room");
/// assert_eq!(channel.put(9), None);
/// assert_eq!(channel.first(), Some(7));
/// assert_eq!(channel.rest().and_then(|c| c.first()), Some(8));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Channel<T, const N: usize> {
    messages: [Option<T>; N],
    n: usize,
}

impl<T: Copy, const N: usize> Channel<T, N> {
    /// Without a message.
    pub const EMPTY: Self = Channel { messages: [None; N], n: 0 };

    /// How many messages are on their way.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.n
    }

    /// Whether nothing is on its way.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Whether there is no room for another message.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.n == N
    }

    /// The message at a position, the oldest first.
    #[must_use]
    pub const fn get(&self, k: usize) -> Option<T> {
        if k < self.n { self.messages[k] } else { None }
    }

    /// The oldest message.
    #[must_use]
    pub const fn first(&self) -> Option<T> {
        self.get(0)
    }

    /// With a message after all others; nothing if there is no room.
    #[must_use]
    pub const fn put(&self, message: T) -> Option<Self> {
        if self.is_full() {
            return None;
        }
        let mut all = *self;
        all.messages[all.n] = Some(message);
        all.n += 1;
        Some(all)
    }

    /// Without the oldest message; nothing if there is none.
    #[must_use]
    pub const fn rest(&self) -> Option<Self> {
        if self.is_empty() {
            return None;
        }
        let (mut all, mut k) = (*self, 1);
        while k < self.n {
            all.messages[k - 1] = all.messages[k];
            k += 1;
        }
        all.n -= 1;
        all.messages[all.n] = None;
        Some(all)
    }

    /// With the oldest message twice; nothing if there is none, or no room.
    #[must_use]
    pub const fn twice(&self) -> Option<Self> {
        if self.is_empty() || self.is_full() {
            return None;
        }
        let (mut all, mut k) = (*self, self.n);
        while k > 0 {
            all.messages[k] = all.messages[k - 1];
            k -= 1;
        }
        all.n += 1;
        Some(all)
    }
}

impl<T: fmt::Debug + Copy, const N: usize> fmt::Debug for Channel<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.messages.iter().flatten()).finish()
    }
}

/// In which place each copy of a kept state is shown.
///
/// A kept state stands for all that differ from it only in which copy is where. So a step may lead to a state
/// in which the copies have changed places; the reader of a run wants each to stay where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Renaming([u8; MAX_COPIES]);

impl Default for Renaming {
    fn default() -> Self {
        Renaming::NONE
    }
}

impl Renaming {
    /// Each in its own place.
    pub const NONE: Renaming = {
        let (mut places, mut k) = ([0; MAX_COPIES], 0);
        while k < MAX_COPIES {
            places[k] = k as u8;
            k += 1;
        }
        Renaming(places)
    };

    /// The copies in the places where they are shown.
    #[must_use]
    pub const fn copies<S: Copy, const N: usize>(&self, copies: Copies<S, N>) -> Copies<S, N> {
        let (mut shown, mut k) = (copies, 0);
        while k < N {
            shown.0[self.0[k] as usize] = copies.0[k];
            k += 1;
        }
        shown
    }

    /// The place where a copy is shown.
    #[must_use]
    pub const fn which<const N: usize>(&self, which: Which<N>) -> Which<N> {
        Which(self.0[which.0 as usize])
    }

    /// Goes over to the state that was kept in place of the one that a step led to; both are given by what
    /// tells the states of their copies apart.
    #[must_use]
    pub const fn follow<const N: usize>(&self, led_to: [u128; N], kept: [u128; N]) -> Self {
        let (mut next, mut is_taken, mut k) = (Renaming::NONE, [false; N], 0);
        while k < N {
            let mut from = 0;
            while from < N && (is_taken[from] || led_to[from] != kept[k]) {
                from += 1;
            }
            assert!(from < N, "a state is kept in place of one that it does not stand for");
            is_taken[from] = true;
            next.0[k] = self.0[from];
            k += 1;
        }
        next
    }
}

/// Numbers in order, so that copies that have changed places are told apart from nothing.
#[must_use]
pub const fn sorted<const N: usize>(mut keys: [u128; N]) -> [u128; N] {
    let mut i = 1;
    while i < N {
        let (key, mut at) = (keys[i], i);
        while at > 0 && keys[at - 1] > key {
            keys[at] = keys[at - 1];
            at -= 1;
        }
        keys[at] = key;
        i += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn a_channel_is_a_queue_with_a_bound() {
        let empty: Channel<u8, 3> = Channel::EMPTY;
        assert!(empty.rest().is_none() && empty.twice().is_none() && empty.first().is_none());
        let two = empty.put(1).and_then(|c| c.put(2)).expect("there is room");
        let three = two.twice().expect("there is room");
        assert_eq!(format!("{three:?}"), "[1, 1, 2]");
        assert!(three.is_full() && three.put(9).is_none() && three.twice().is_none());
        let rest = three.rest().and_then(|c| c.rest()).and_then(|c| c.rest());
        assert_eq!(rest, Some(empty), "what was taken leaves nothing behind");
    }

    #[test]
    fn a_renaming_keeps_copies_in_their_places() {
        // A step leads to `b a c`, and `a c b` was kept in its place.
        let led_to = Copies(['b', 'a', 'c']);
        let kept = Copies(['a', 'c', 'b']);
        let keys = |copies: &Copies<char, 3>| copies.0.map(|c| c as u128);
        let renaming = Renaming::NONE.follow(keys(&led_to), keys(&kept));
        assert_eq!(renaming.copies(kept), led_to);
        // And once more, from there.
        let (next, then) = (Copies(['x', 'c', 'b']), Copies(['b', 'c', 'x']));
        let shown = renaming.copies(next);
        assert_eq!(renaming.follow(keys(&next), keys(&then)).copies(then), shown);
        assert_eq!(renaming.which(Which::<3>::nth(0)).place(), 1);
    }

    #[test]
    fn keys_are_sorted() {
        assert_eq!(sorted([3, 1, 2, 1]), [1, 1, 2, 3]);
    }
}
