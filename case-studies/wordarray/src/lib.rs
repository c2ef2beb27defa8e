//! Arrays of machine words: what each function of the C library in `c/` must do, in the plainest Rust.
//!
//! Receives arrays as slices, hands on what comes out. It does not know how C lays an array out, nor what C
//! does wrong: the tests hold one against the other. Positions and counts have 32 bits, as in C, and are
//! added as mathematical numbers.

/// Whether an index lies in the `n` positions from `from` on.
fn is_within(index: usize, from: u32, n: u32) -> bool {
    let (index, from, n) = (index as u64, u64::from(from), u64::from(n));
    (from..from + n).contains(&index)
}

/// The element at a position; zero if there is none.
#[must_use]
pub fn get<T: Copy + Default>(array: &[T], index: u32) -> T {
    get_bounded(array, index).unwrap_or_default()
}

/// The element at a position, if there is one.
#[must_use]
pub fn get_bounded<T: Copy>(array: &[T], index: u32) -> Option<T> {
    array.get(index as usize).copied()
}

/// The array with another element at a position, if there is one.
#[must_use]
pub fn put<T: Copy>(array: &[T], index: u32, value: T) -> Option<Vec<T>> {
    let mut array = array.to_vec();
    *array.get_mut(index as usize)? = value;
    Some(array)
}

/// The array with `n` elements from `from` on set, as far as there are elements.
#[must_use]
pub fn set<T: Copy>(array: &[T], from: u32, n: u32, value: T) -> Vec<T> {
    let set = |(k, old): (usize, &T)| if is_within(k, from, n) { value } else { *old };
    array.iter().enumerate().map(set).collect()
}

/// `to` with `n` elements of `from` copied, as far as both have elements.
#[must_use]
pub fn copy<T: Copy>(to: &[T], from: &[T], to_at: u32, from_at: u32, n: u32) -> Vec<T> {
    let copied = |k: usize| {
        let ahead = k - to_at as usize;
        from.get(from_at as usize + ahead).copied()
    };
    let each = |(k, old): (usize, &T)| if is_within(k, to_at, n) { copied(k).unwrap_or(*old) } else { *old };
    to.iter().enumerate().map(each).collect()
}

/// Whether two arrays have the same elements.
#[must_use]
pub fn cmp<T: PartialEq>(one: &[T], other: &[T]) -> bool {
    one == other
}

/// The array with the element at a position changed, if there is one.
#[must_use]
pub fn modify<T: Copy>(array: &[T], index: u32, change: impl Fn(T) -> T) -> Vec<T> {
    get_bounded(array, index).and_then(|old| put(array, index, change(old))).unwrap_or_else(|| array.to_vec())
}

/// The array with the elements from `from` up to (and without) `to` changed, as far as there are elements.
#[must_use]
pub fn map<T: Copy>(array: &[T], from: u32, to: u32, change: impl Fn(T) -> T) -> Vec<T> {
    let each =
        |(k, old): (usize, &T)| if is_within(k, from, to.saturating_sub(from)) { change(*old) } else { *old };
    array.iter().enumerate().map(each).collect()
}

/// Goes through the elements from `from` up to (and without) `to`, as far as there are elements.
pub fn fold<T: Copy, A>(array: &[T], from: u32, to: u32, start: A, step: impl Fn(A, T) -> A) -> A {
    let within = array.iter().enumerate().filter(|(k, _)| is_within(*k, from, to.saturating_sub(from)));
    within.fold(start, |so_far, (_, element)| step(so_far, *element))
}

/// The `n` elements from `from` on, as far as there are elements.
#[must_use]
pub fn slice<T: Copy>(array: &[T], from: u32, n: u32) -> Vec<T> {
    array.iter().enumerate().filter(|(k, _)| is_within(*k, from, n)).map(|(_, element)| *element).collect()
}
