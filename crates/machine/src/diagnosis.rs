//! Names what is odd about a completely explored machine: states never reached and operations never done.

use super::{FixedStateSpace, Text};

/// What a machine consists of, for messages, and what it may be allowed.
#[derive(Clone, Copy, Debug)]
pub struct Names<'n> {
    /// The states.
    pub states: &'n [&'n str],
    /// The operations.
    pub ops: &'n [&'n str],
    /// State by state, whether `next` says something about each operation.
    pub possible: &'n [bool],
    /// Whether operations are proposed by the machine itself.
    pub has_options: bool,
    /// Whether states may be unreachable.
    pub allows_unreachable: bool,
    /// Whether operations may never be done.
    pub allows_never: bool,
}

impl Names<'_> {
    /// The fact that an operation was done in a state.
    #[must_use]
    pub const fn done(n_ops: usize, state: usize, op: usize) -> usize {
        state * (n_ops + 1) + op
    }

    /// The fact that a state was reached.
    #[must_use]
    pub const fn reached(n_ops: usize, state: usize) -> usize {
        state * (n_ops + 1) + n_ops
    }

    /// Says which states were not reached, and which operations were not done where they could be.
    pub const fn say_never<T: Copy, O: Copy, const S: usize, const E: usize, const F: usize>(
        &self,
        known: &FixedStateSpace<T, O, S, E, F>,
        t: &mut Text,
    ) {
        let (mut state, n_ops) = (0, self.ops.len());
        while state < self.states.len() {
            if known.knows(Self::reached(n_ops, state)) {
                let mut op = 0;
                while op < n_ops {
                    let is_never =
                        self.possible[state * n_ops + op] && !known.knows(Self::done(n_ops, state, op));
                    if is_never && !self.allows_never {
                        self.say_not_done(state, op, t);
                    }
                    op += 1;
                }
            } else if !self.allows_unreachable {
                t.str("\n  the state `");
                t.str(self.states[state]);
                t.str(
                    "` cannot be reached from the start: let an arm lead there, or write allow(unreachable)",
                );
            }
            state += 1;
        }
    }

    const fn say_not_done(&self, state: usize, op: usize, t: &mut Text) {
        if self.has_options {
            t.str("\n  `options` never proposes `");
            t.str(self.ops[op]);
            t.str("` in state `");
            t.str(self.states[state]);
            t.str("`, which `next` allows; fix it, or write allow(hidden)");
        } else {
            t.str("\n  the operation `");
            t.str(self.ops[op]);
            t.str("` is never done in state `");
            t.str(self.states[state]);
            t.str("`: its pattern or guard was never met; fix it, or write allow(never_done)");
        }
    }
}
