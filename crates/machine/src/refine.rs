//! Decides whether one machine is a more detailed description of another: each of its steps is a step of the
//! other, or stays in its state.
//!
//! Takes both machines as lists of edges, and for each state of the first the state of the second that it
//! stands for. Whatever the second never does, the first never does either; that something happens is left to
//! formulas.

/// The steps of a machine: where they lead, and where those of each state begin.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'g> {
    /// Where each edge leads.
    pub to: &'g [u32],
    /// Where the edges of each state begin.
    pub first: &'g [u32],
}

impl Steps<'_> {
    const fn of(&self, state: usize) -> (usize, usize) {
        let end = if state + 1 < self.first.len() { self.first[state + 1] as usize } else { self.to.len() };
        (self.first[state] as usize, end)
    }

    /// Writes the edges of a shortest way from the start that ends with an edge; `by` has room for an edge a
    /// state. How many they are.
    pub const fn way_to(&self, edge: usize, by: &mut [u32], path: &mut [u32]) -> usize {
        // States are numbered as they were reached, so the first edge to a state is on a shortest way.
        let mut e = self.to.len();
        while e > 0 {
            e -= 1;
            by[self.to[e] as usize] = e as u32;
        }
        let (mut n, mut at) = (1, self.from(edge));
        while at != 0 {
            n += 1;
            at = self.from(by[at] as usize);
        }
        let (mut k, mut at, mut next) = (n, edge, self.from(edge));
        while k > 0 {
            k -= 1;
            path[k] = at as u32;
            if k > 0 {
                at = by[next] as usize;
                next = self.from(at);
            }
        }
        n
    }

    /// The state that an edge begins in.
    const fn from(&self, edge: usize) -> usize {
        let (mut low, mut high) = (0, self.first.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            if self.first[middle] as usize <= edge {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The first step of a machine that is none of the one that it should refine, where `stands_for` has the
/// state of that one for each of its own.
#[must_use]
pub const fn unrefined(detailed: Steps<'_>, general: Steps<'_>, stands_for: &[u32]) -> Option<usize> {
    let mut from = 0;
    while from < detailed.first.len() {
        let (mut edge, end) = detailed.of(from);
        while edge < end {
            let (before, after) = (stands_for[from], stands_for[detailed.to[edge] as usize]);
            if before != after && !has_step(general, before, after) {
                return Some(edge);
            }
            edge += 1;
        }
        from += 1;
    }
    None
}

const fn has_step(steps: Steps<'_>, from: u32, to: u32) -> bool {
    if from as usize >= steps.first.len() {
        return false;
    }
    let (mut edge, end) = steps.of(from as usize);
    while edge < end {
        if steps.to[edge] == to {
            return true;
        }
        edge += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 -> 1 -> 2 -> 0, in the other one 0 -> 1 -> 0 with state 2 standing for 1.
    #[test]
    fn a_step_that_is_none_is_found_with_the_way_to_it() {
        let general = Steps { to: &[1, 0], first: &[0, 1] };
        let detailed = Steps { to: &[1, 2, 0, 1], first: &[0, 1, 2] };
        assert_eq!(unrefined(detailed, general, &[0, 1, 1]), None);
        let wrong = Steps { to: &[1, 2, 3, 0], first: &[0, 1, 2, 3] };
        let far = Steps { to: &[1, 2, 0], first: &[0, 1, 2] };
        assert_eq!(unrefined(wrong, far, &[0, 1, 1, 2]), None);
        assert_eq!(unrefined(wrong, far, &[0, 1, 0, 2]), Some(1));
        let (mut by, mut path) = ([0; 4], [0; 4]);
        let n = wrong.way_to(2, &mut by, &mut path);
        assert_eq!(&path[..n], [0, 1, 2]);
    }
}
