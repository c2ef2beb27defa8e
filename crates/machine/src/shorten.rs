//! Shortens a counterexample that repeats for ever.
//!
//! The search goes through pairs of a state and what the formula waits for, so its cycle may visit a state
//! several times where once would do. What lies between two visits of a state is removed as long as the run
//! remains a counterexample by the meaning of the formula; then all shorter runs are tried, the shortest
//! first, within a budget.

use super::search::{Counterexample, Graph};
use stairway_formula::{Lasso, Letter, Part};

/// Longer runs are shown as they were found: every pair of visits is tried.
const MAX_STEPS: usize = 48;
/// How many steps of shorter runs are tried.
const MAX_TRIED: usize = 20_000;

/// The steps of a run that are left out: from the first up to the second.
type Cut = (usize, usize);
/// Letters of a run, and a value for each of them and each part.
type Judging<'r> = (&'r mut [Letter], &'r mut [bool]);

/// Shortens a run with a cycle, in place.
pub(super) const fn shorten(
    parts: &[Part],
    graph: &Graph<'_>,
    start: Letter,
    path: &mut [u32],
    found: Counterexample,
    judging: Judging<'_>,
) -> Counterexample {
    let mut found = found;
    while let Some(from) = found.cycle_from
        && found.n_path <= MAX_STEPS
    {
        let judging = (&mut *judging.0, &mut *judging.1);
        let Some((cut, shorter)) = next(parts, graph, start, path, (found.n_path, from), judging) else {
            break;
        };
        let mut k = cut.1;
        while k < found.n_path {
            path[cut.0 + k - cut.1] = path[k];
            k += 1;
        }
        found = shorter;
    }
    if found.cycle_from.is_some() && found.n_path <= MAX_STEPS {
        return shortest(parts, graph, start, path, found, judging);
    }
    found
}

/// The first way to make a run shorter that is tried and does.
const fn next(
    parts: &[Part],
    graph: &Graph<'_>,
    start: Letter,
    path: &[u32],
    (n, from): (usize, usize),
    (letters, room): Judging<'_>,
) -> Option<(Cut, Counterexample)> {
    let mut j = 1;
    while j <= n {
        let mut i = 0;
        while i < j {
            if state(graph, path, i) == state(graph, path, j) {
                let n_left = n - (j - i);
                let shorter = [
                    // The cycle may be this one; then nothing follows it.
                    if j < n {
                        Some(((j, n), Counterexample { n_path: j, cycle_from: Some(i) }))
                    } else {
                        None
                    },
                    // Or what lies between is a detour before the cycle, or on it.
                    if j <= from {
                        Some(((i, j), Counterexample { n_path: n_left, cycle_from: Some(from - (j - i)) }))
                    } else if i >= from && n_left > from {
                        Some(((i, j), Counterexample { n_path: n_left, cycle_from: Some(from) }))
                    } else {
                        None
                    },
                ];
                let mut k = 0;
                while k < 2 {
                    if let Some((cut, found)) = shorter[k]
                        && fails(parts, graph, start, (path, n), (cut, found), (letters, room))
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
const fn state(graph: &Graph<'_>, path: &[u32], n: usize) -> u32 {
    if n == 0 { 0 } else { graph.edges[path[n - 1] as usize].to }
}

/// Whether a run without some of its steps is still a counterexample.
const fn fails(
    parts: &[Part],
    graph: &Graph<'_>,
    start: Letter,
    (path, n): (&[u32], usize),
    ((first, last), found): (Cut, Counterexample),
    (letters, room): Judging<'_>,
) -> bool {
    let Some(from) = found.cycle_from else { return false };
    letters[0] = start;
    let (mut k, mut m) = (0, 0);
    while k < n {
        if k < first || k >= last {
            m += 1;
            letters[m] = graph.edges[path[k] as usize].letter;
        }
        k += 1;
    }
    let letters = letters.split_at(m + 1).0;
    !Lasso { letters, back: from + 1 }.holds(parts, room)
}

/// The first shorter run that is a counterexample, written over the path; the one that was found if there is
/// none, or none was found in time.
const fn shortest(
    parts: &[Part],
    graph: &Graph<'_>,
    start: Letter,
    path: &mut [u32],
    found: Counterexample,
    (letters, room): Judging<'_>,
) -> Counterexample {
    let (mut tried, mut n_left, mut length) = ([0u32; MAX_STEPS], MAX_TRIED, 1);
    while length < found.n_path {
        // All paths of this length, one after the other: the steps below `depth` are chosen.
        let mut depth = 0;
        tried[0] = graph.first[0];
        loop {
            if n_left == 0 {
                return found;
            }
            n_left -= 1;
            let (first, end) = graph.edges_of(state(graph, &tried, depth) as usize);
            let edge = tried[depth] as usize;
            if edge >= end {
                if depth == 0 {
                    break;
                }
                depth -= 1;
                tried[depth] += 1;
            } else if is_repeated(graph, first, edge) {
                tried[depth] += 1;
            } else if depth + 1 < length {
                depth += 1;
                tried[depth] = graph.first[state(graph, &tried, depth) as usize];
            } else {
                if let Some(from) = cycle_of(parts, graph, start, (&tried, length), (letters, room)) {
                    let mut k = 0;
                    while k < length {
                        path[k] = tried[k];
                        k += 1;
                    }
                    return Counterexample { n_path: length, cycle_from: Some(from) };
                }
                tried[depth] += 1;
            }
        }
        length += 1;
    }
    found
}

/// Whether an earlier step of the same state leads to the same state with the same letter.
const fn is_repeated(graph: &Graph<'_>, first: usize, edge: usize) -> bool {
    let (mut i, this) = (first, graph.edges[edge]);
    while i < edge {
        if graph.edges[i].to == this.to && graph.edges[i].letter == this.letter {
            return true;
        }
        i += 1;
    }
    false
}

/// Where a path can be closed to a cycle that is a counterexample.
const fn cycle_of(
    parts: &[Part],
    graph: &Graph<'_>,
    start: Letter,
    (path, n): (&[u32], usize),
    (letters, room): Judging<'_>,
) -> Option<usize> {
    let (last, mut i) = (state(graph, path, n), 0);
    while i < n {
        let found = Counterexample { n_path: n, cycle_from: Some(i) };
        if state(graph, path, i) == last
            && fails(parts, graph, start, (path, n), ((n, n), found), (letters, room))
        {
            return Some(i);
        }
        i += 1;
    }
    None
}
