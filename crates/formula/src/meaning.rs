//! The meaning of a formula on a run that repeats for ever, position by position and operator by operator.
//!
//! Checks every cycle that the search finds, and shares neither tables nor algorithm with it.

use super::tables::Letter;

/// One part of a formula. Parts are listed so that each stands after those it is made of, which it
/// names by their position; the last one is the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Always so.
    True,
    /// Never so.
    False,
    /// The predicate holds.
    Atom(u32),
    /// The predicate does not hold.
    Not(u32),
    /// Both hold.
    And(u32, u32),
    /// One of them holds.
    Or(u32, u32),
    /// It holds after the next step.
    Next(u32),
    /// The first holds until the second does, and the second will.
    Until(u32, u32),
    /// The second holds up to where the first does, or for ever.
    Release(u32, u32),
    /// It holds now or after at most so many steps.
    Within(u32, u32),
    /// It holds now and after each of so many steps.
    Throughout(u32, u32),
}

/// Letters that repeat for ever: after the last one comes the one at `back`.
#[derive(Clone, Copy, Debug)]
pub struct Lasso<'c> {
    /// All letters, once.
    pub letters: &'c [Letter],
    /// Where they go on.
    pub back: usize,
}

impl Lasso<'_> {
    const fn after(&self, i: usize) -> usize {
        if i + 1 < self.letters.len() { i + 1 } else { self.back }
    }

    /// Whether a formula holds from the first letter on. `room` has a place for each part and letter.
    pub const fn holds(&self, parts: &[Part], room: &mut [bool]) -> bool {
        let (n, mut part) = (self.letters.len(), 0);
        while part < parts.len() {
            let (done, rest) = room.split_at_mut(part * n);
            self.part(parts[part], done, rest.split_at_mut(n).0);
            part += 1;
        }
        part > 0 && room[(part - 1) * n]
    }

    /// The values of one part at all letters, from those of the parts before it.
    const fn part(&self, part: Part, done: &[bool], now: &mut [bool]) {
        let n = self.letters.len();
        // What is not known yet: eventualities have not happened, and what must last has lasted.
        let (first, rounds) = match part {
            Part::Until(..) => (false, 2 * n),
            Part::Release(..) => (true, 2 * n),
            Part::Within(steps, _) => (false, rounds(steps, n)),
            Part::Throughout(steps, _) => (true, rounds(steps, n)),
            _ => (false, 1),
        };
        let mut i = 0;
        while i < n {
            now[i] = first;
            i += 1;
        }
        let mut round = 0;
        while round < rounds {
            // Each round looks one step further, everywhere: so the first value is the old one.
            let mut i = 0;
            let begin = now[self.back];
            while i < n {
                let next = if i + 1 < n { now[i + 1] } else { begin };
                now[i] = match part {
                    Part::True => true,
                    Part::False => false,
                    Part::Atom(k) => self.letters[i] >> k & 1 == 1,
                    Part::Not(k) => self.letters[i] >> k & 1 == 0,
                    Part::And(a, b) => done[a as usize * n + i] && done[b as usize * n + i],
                    Part::Or(a, b) => done[a as usize * n + i] || done[b as usize * n + i],
                    Part::Next(a) => done[a as usize * n + self.after(i)],
                    Part::Until(a, b) => done[b as usize * n + i] || done[a as usize * n + i] && next,
                    Part::Release(a, b) => done[b as usize * n + i] && (done[a as usize * n + i] || next),
                    Part::Within(_, a) => done[a as usize * n + i] || next,
                    Part::Throughout(_, a) => done[a as usize * n + i] && next,
                };
                i += 1;
            }
            round += 1;
        }
    }
}

/// How often one looks a step further: more often than there are letters shows nothing new.
const fn rounds(steps: u32, n: usize) -> usize {
    if steps as usize + 1 < 2 * n { steps as usize + 1 } else { 2 * n }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn holds(parts: &[Part], letters: &[Letter], back: usize) -> bool {
        Lasso { letters, back }.holds(parts, &mut vec![false; parts.len() * letters.len()])
    }

    #[test]
    fn what_happens_again_and_again_is_seen_around_the_cycle() {
        let again = [Part::True, Part::Atom(0), Part::Until(0, 1), Part::False, Part::Release(3, 2)];
        assert!(holds(&again, &[0, 0, 1, 0], 1), "the cycle has it");
        assert!(!holds(&again, &[1, 1, 0, 0], 2), "the cycle does not");
    }

    #[test]
    fn deadlines_are_counted_across_the_end_of_the_cycle() {
        let soon = |n| [Part::Atom(0), Part::Within(n, 0), Part::False, Part::Release(2, 1)];
        assert!(holds(&soon(3), &[1, 0, 0, 0], 0));
        assert!(!holds(&soon(2), &[1, 0, 0, 0], 0));
        let long = |n| [Part::Atom(0), Part::Throughout(n, 0)];
        assert!(holds(&long(2), &[1, 1, 1, 0], 0) && !holds(&long(3), &[1, 1, 1, 0], 0));
    }
}
