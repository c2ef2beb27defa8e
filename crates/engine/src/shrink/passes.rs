//! The table of passes: what each is called, what it costs, and what it does.

use super::Shrinker;

/// What a pass costs: how its runs grow with the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cost {
    /// A few runs for each choice; repeated as long as the record gets shorter.
    Cheap,
    /// The same, and changes much at once; not repeated once it has led to nothing.
    Bold,
    /// Many runs for each choice; after its success the cheap passes come again.
    Dear,
    /// Runs for any two steps of a program; only for short ones, and as long as there is hope.
    Steps,
    /// As many runs as it is given; only for short programs.
    Drawn,
}

impl Cost {
    pub(super) const fn is_cheap(self) -> bool {
        matches!(self, Cost::Cheap | Cost::Bold)
    }

    /// Whether it is for programs only, and about their steps.
    #[must_use]
    pub const fn is_for_steps(self) -> bool {
        matches!(self, Cost::Steps | Cost::Drawn)
    }
}

macro_rules! passes {
    ($($(#[$doc:meta])* $pass:ident, $name:literal, $cost:ident, $run:ident;)*) => {
        /// The ways of making a record simpler, in the order in which they are tried.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize))]
        pub enum Pass {
            $($(#[$doc])* #[cfg_attr(feature = "serde", serde(rename = $name))] $pass,)*
        }

        impl Pass {
            /// All passes, in order.
            pub const ALL: [Pass; [$(Pass::$pass),*].len()] = [$(Pass::$pass),*];

            /// The pass's name, for counters.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Pass::$pass => $name,)*
                }
            }

            /// What the pass costs.
            #[must_use]
            pub const fn cost(self) -> Cost {
                match self {
                    $(Pass::$pass => Cost::$cost,)*
                }
            }

            pub(super) fn run(self, shrinker: &mut Shrinker<'_, '_>) {
                match self {
                    $(Pass::$pass => shrinker.$run(),)*
                }
            }
        }
    };
}

passes! {
    /// Remove what filters rejected.
    Rejected, "rejected", Cheap, remove_rejected;
    /// Delete elements together with their count in the length.
    Shorten, "shorten", Cheap, shorten_all;
    /// Replace a span by one inside it with the same label.
    Subtree, "subtree", Cheap, replace_by_subtrees;
    /// Replace two neighbouring elements by their sum.
    AddUp, "add up", Cheap, add_up_all;
    /// Replace numbers by their places in the order.
    Rank, "rank", Bold, rank_all;
    /// Set whole stretches of choices to their simplest values.
    Zero, "zero", Bold, zero_all;
    /// Make single values simpler.
    Lower, "lower", Cheap, lower_all;
    /// Try other seeds for something smaller.
    Reseed, "reseed", Dear, reseed_all;
    /// Merge neighbouring collections.
    Join, "join", Dear, join_all;
    /// Exchange two numbers wherever they are.
    Exchange, "exchange", Dear, exchange_numbers;
    /// Make equal values, or two values by the same amount, simpler together.
    Together, "together", Dear, lower_together;
    /// Make equal collections simpler together.
    Alike, "alike", Dear, simplify_alike;
    /// Lower a number while deleting as many stretches of choices as it counts.
    Counted, "counted", Dear, delete_counted;
    /// Sort neighbours of the same kind.
    Order, "order", Dear, order_all;
    /// Lower one value and raise a later one by the same amount.
    Redistribute, "redistribute", Dear, redistribute_all;
    /// Delete an element and lower the numbers that point behind it.
    Renumber, "renumber", Dear, renumber_all;
    /// Delete a step and share out what it brings among others.
    Share, "share", Steps, delete_and_share;
    /// Delete a step that a later number counts, or that the next one can do as well.
    Count, "count", Steps, delete_and_count;
    /// Put another operation in the place of two neighbours.
    Turn, "turn", Steps, turn_two_into_another;
    /// Delete a step and move another one of its kind.
    Shift, "shift", Steps, delete_and_shift;
    /// Delete a step and move its number to another.
    Move, "move", Steps, delete_and_move;
    /// Delete two steps of a program.
    Pair, "pair", Steps, delete_pairs;
    /// Delete one or two steps that several later numbers count.
    CountAlike, "count alike", Steps, delete_and_count_alike;
    /// Delete as many steps of one operation as of another.
    Balanced, "balanced", Steps, delete_balanced;
    /// Delete a stretch of steps, or all steps of one operation.
    Stretch, "stretch", Steps, delete_stretches;
    /// Put an operation that takes less in the place of a step.
    Replace, "replace", Steps, replace_operations;
    /// Delete a step and take the first alternative elsewhere.
    Choose, "choose", Steps, delete_and_choose;
    /// Put a copy of a step in the place of two others.
    Copy, "copy", Steps, replace_two_by_copy;
    /// Delete all steps but one, which does what the last one did with what was made for it from a seed.
    Lift, "lift", Drawn, lift_seeded;
    /// Delete a step and draw numbers of the others anew.
    Shuffle, "shuffle", Drawn, delete_and_shuffle;
    /// Delete one or two neighbours that no length counts.
    Drop, "drop", Dear, drop_all;
    /// Hand out the same numbers, the simplest first, in a simpler structure.
    Reshape, "reshape", Dear, reshape;
    /// Leave out steps, and change some of the others, at random.
    Recombine, "recombine", Drawn, recombine;
}
