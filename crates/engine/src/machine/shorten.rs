//! Making a counterexample that repeats for ever shorter.
//!
//! A search goes through pairs of a state and what the formula waits for, so its circle may come to a state several times where
//! once would do. Receives a run, hands on one that leaves out what lies between two visits of the same state, wherever it is
//! still a counterexample by what the formula means.

use super::formula::Letter;
use super::meaning::{Circle, Part};
use super::search::{Edge, Found};

/// Longer runs are shown as they were found: every pair of visits is tried.
const MAX_STEPS: usize = 48;

/// The steps of a run that are left out: from the first up to the second.
type Cut = (usize, usize);

/// Shortens a run with a circle, in place. The rooms are those of [`super::is_counterexample`].
pub const fn shorten(
    parts: &[Part],
    (edges, start): (&[Edge], Letter),
    path: &mut [u32],
    found: Found,
    (letters, room): (&mut [Letter], &mut [bool]),
) -> Found {
    let mut found = found;
    while let Some(from) = found.circle_from
        && found.n_path <= MAX_STEPS
    {
        let Some((cut, shorter)) = next(parts, (edges, start), path, (found.n_path, from), (letters, room))
        else {
            break;
        };
        let mut k = cut.1;
        while k < found.n_path {
            path[cut.0 + k - cut.1] = path[k];
            k += 1;
        }
        found = shorter;
    }
    found
}

/// The first way to make a run shorter that is tried and does.
const fn next(
    parts: &[Part],
    (edges, start): (&[Edge], Letter),
    path: &[u32],
    (n, from): (usize, usize),
    (letters, room): (&mut [Letter], &mut [bool]),
) -> Option<(Cut, Found)> {
    let mut j = 1;
    while j <= n {
        let mut i = 0;
        while i < j {
            if state(edges, path, i) == state(edges, path, j) {
                let n_left = n - (j - i);
                let shorter = [
                    // The circle may be this one; then nothing follows it.
                    if j < n { Some(((j, n), Found { n_path: j, circle_from: Some(i) })) } else { None },
                    // Or what lies between is a detour before the circle, or on it.
                    if j <= from {
                        Some(((i, j), Found { n_path: n_left, circle_from: Some(from - (j - i)) }))
                    } else if i >= from && n_left > from {
                        Some(((i, j), Found { n_path: n_left, circle_from: Some(from) }))
                    } else {
                        None
                    },
                ];
                let mut k = 0;
                while k < 2 {
                    if let Some((cut, found)) = shorter[k]
                        && fails(parts, (edges, start), (path, n), (cut, found), (letters, room))
                    {
                        return Some((cut, found));
                    }
                    k += 1;
                }
            }
            i += 1;
        }
        j += 1;
    }
    None
}

/// The state after so many steps.
const fn state(edges: &[Edge], path: &[u32], n: usize) -> u32 {
    if n == 0 { 0 } else { edges[path[n - 1] as usize].to }
}

/// Whether a run without some of its steps is still a counterexample.
const fn fails(
    parts: &[Part],
    (edges, start): (&[Edge], Letter),
    (path, n): (&[u32], usize),
    ((first, last), found): (Cut, Found),
    (letters, room): (&mut [Letter], &mut [bool]),
) -> bool {
    let Some(from) = found.circle_from else { return false };
    letters[0] = start;
    let (mut k, mut m) = (0, 0);
    while k < n {
        if k < first || k >= last {
            m += 1;
            letters[m] = edges[path[k] as usize].letter;
        }
        k += 1;
    }
    let letters = letters.split_at(m + 1).0;
    !Circle { letters, back: from + 1 }.holds(parts, room)
}
