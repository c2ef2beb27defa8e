//! Users rely on "proved" also where exploration tries one argument of each class: no state that another argument
//! reaches is missed.
//!
//! Each guard stands in a machine of its own. What exploration finds is compared with what all 256 values of the
//! argument reach, by `next` alone: this test knows nothing of classes. Some guards are written by hand, one for
//! each way to use an argument; those of `guards.in` are drawn at random.

use stairway::machine::{Machine, Scrutiny, core::Ended, explore};
use std::collections::BTreeSet;

/// Every state that is reached if every operation is tried in every state.
fn reached<M: Machine>(ops: &[M::Op]) -> BTreeSet<u128> {
    let mut all = BTreeSet::from([M::key_of(&M::START)]);
    let mut open = vec![M::START];
    while let Some(state) = open.pop() {
        for to in ops.iter().filter_map(|op| M::next(state, *op)) {
            if all.insert(M::key_of(&to)) {
                open.push(to);
            }
        }
    }
    all
}

/// Whether exploration calls itself complete; then it has to have found every state.
fn is_explored<M: Machine>(name: &str, ops: &[M::Op]) -> bool {
    let explored = explore::<M>(2000, u32::MAX, Scrutiny::NONE);
    let graph = explored.graph();
    let found: BTreeSet<u128> = graph.states.iter().map(M::key_of).collect();
    let all = reached::<M>(ops);
    assert!(found.is_subset(&all), "{name}: not everything that was explored can be reached");
    let is_complete = graph.ended == Ended::Complete;
    assert!(
        !is_complete || found == all,
        "{name}: {} states were explored, and there are {}",
        found.len(),
        all.len()
    );
    is_complete
}

macro_rules! machines {
    ($all:ident, $k:ident $n:ident; $($guard:ident: $condition:tt => $target:tt)*) => {
        #[allow(unused_parens)]
        mod $all {$(
            #[stairway::machine(start = S { n: 0 }, allow(unreachable, never_done, dead_ends, overlaps))]
            pub mod $guard {
                pub enum State { S { n: u8 }, T { n: u8 } }
                pub enum Op { Go { k: u8 } }
                pub const LIMIT: u8 = 61;
                const fn is_large(x: u8) -> bool { x > 201 }
                const fn doubled(x: u8) -> u8 { x / 2 * 2 }
                fn next(s: State, op: Op) -> State {
                    match (s, op) {
                        (S { n: $n }, Go { k: $k }) if $condition => $target,
                        (S { n: $n }, Go { k: 17 }) if $n < 9 => S { n: $n + 1 },
                        (T { n: $n }, Go { k: $k }) if $k == $n => S { n: 5 },
                    }
                }
            }
        )*}

        #[test]
        fn $all() {
            $(assert!(
                is_explored::<$all::$guard::Machine>(
                    stringify!($guard),
                    &(0..=255).map(|k| $all::$guard::Op::Go { k }).collect::<Vec<_>>()
                ),
                // A `u8` has few enough values to try them all where classes are not known.
                concat!(stringify!($guard), ": exploration ended early"),
            );)*
        }
    };
}

machines! { written_guards, k n;
    equal: (k == 93) => { T { n: 1 } }
    below: (k < LIMIT) => { T { n: k / 64 } }
    between: (k >= 40 && k <= 44) => { if k < 42 { T { n: 2 } } else { T { n: 3 } } }
    outside: (!(k > 3 && k < 250)) => { match k { 0..=92 => T { n: 4 }, 93 => T { n: 6 }, _ => T { n: 7 } } }
    above_state: (k > n) => { if k < 90 { T { n: 2 } } else { T { n: 3 } } }
    next_to_state: (k == n + 2) => { T { n: k } }
    not_state: (k != n && k != 0) => { match k { 0..=92 => T { n: 4 }, 93 => T { n: 6 }, _ => T { n: 7 } } }
    pattern: (matches!(k, 7..=9 | 99)) => { if k < 90 { T { n: 2 } } else { T { n: 3 } } }
    by_helper: (is_large(k)) => { T { n: 1 } }
    computed: (k % 67 == 66) => { match k { 0..=92 => T { n: 4 }, 133 => T { n: 6 }, _ => T { n: 7 } } }
    bits: (k & 0x28 == 0x28) => { T { n: k / 64 } }
    cast: (k as u32 * 3 > 700) => { T { n: 1 } }
    named: ({ let half = k / 2; half == 101 }) => { T { n: k / 64 } }
    compared_below: (k < 5 && doubled(k) == 4) => { T { n: 1 } }
}

include!("guards.in");

/// The same for guards on two arguments, which are compared with each other or bounded in one guard.
macro_rules! pairs {
    ($k:ident $j:ident $n:ident; $($guard:ident: $condition:tt => $target:tt)*) => {
        mod pairs {$(
            #[stairway::machine(start = S { n: 0 }, allow(unreachable, never_done, dead_ends, overlaps))]
            pub mod $guard {
                pub enum State { S { n: u8 }, T { n: u8 } }
                pub enum Op { Go { k: u8, j: u8 } }
                const LIMIT: u8 = 6;
                fn next(s: State, op: Op) -> State {
                    match (s, op) {
                        (S { n: $n }, Go { k: $k, j: $j }) if $condition => $target,
                        (S { n: $n }, Go { k: 17, j: 3.. }) if $n < 9 => S { n: $n + 1 },
                        (T { n: $n }, Go { k: $k, .. }) if $k == $n => S { n: 5 },
                    }
                }
            }
        )*}

        #[test]
        fn guards_on_two_arguments() {
            let all = || (0..=255).flat_map(|k| (0..=255).map(move |j| (k, j)));
            let complete = [$({
                let ops: Vec<_> = all().map(|(k, j)| pairs::$guard::Op::Go { k, j }).collect();
                (stringify!($guard), is_explored::<pairs::$guard::Machine>(stringify!($guard), &ops))
            }),*];
            // Of the others, not all pairs were tried, and exploration says so.
            let complete: Vec<&str> = complete.iter().filter(|(_, is_it)| *is_it).map(|(name, _)| *name).collect();
            let wanted = ["window", "window_of_state", "both_bounded", "sum_of_small", "equal_and_small", "separate", "ordered", "equal", "around_state", "differ"];
            assert_eq!(complete, wanted);
        }
    };
}

pairs! { k j n;
    window: (k == n && j > k && j - k < 4 && j < 10) => { T { n: j } }
    window_of_state: (j >= k && k < LIMIT && j == n + 2 && j - k == 1) => { T { n: k } }
    both_bounded: (k < LIMIT && j < 4 && k * j == 15) => { T { n: k + j } }
    sum_of_small: (j <= 3 && k <= LIMIT && k + j == 8) => { if k > j { T { n: k } } else { S { n: j } } }
    equal_and_small: (j == 200 && k < 3) => { T { n: j - k } }
    separate: (k > 100 && j != 7) => { if j < 90 { T { n: 2 } } else { T { n: 3 } } }
    unbounded: (k > 3 && j > k && j - k == 101) => { T { n: j / 64 } }
    either: (k < 4 || j > k && j - k == 9) => { T { n: 1 } }
    one_bounded: (k < 4 && j % 50 == k) => { T { n: j } }
    ordered: (k < j && j <= 100) => { if k == 41 { T { n: 2 } } else { T { n: 3 } } }
    equal: (k == j && k > 40) => { match k { 41..=92 => T { n: 4 }, 93 => T { n: 6 }, _ => T { n: 7 } } }
    around_state: (k > n && j >= k && j != 255) => { if j < 9 { T { n: 2 } } else { T { n: 3 } } }
    kept: (k == j && k > 40) => { T { n: k } }
    differ: (k != j && !(k > 3 && j < 200)) => { T { n: 1 } }
}

/// Guards drawn at random, always the same ones.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn guard(&mut self, depth: u64) -> String {
        let comparison = self.of(&["<", "<=", ">", ">=", "==", "!="]);
        let (number, other) = (self.below(256), self.below(256));
        match self.below(if depth == 0 { 7 } else { 14 }) {
            0 | 1 => format!("k {comparison} {number}"),
            2 => format!("n {comparison} k"),
            3 => format!("k {comparison} n + {}", self.below(9)),
            4 => format!("matches!(k, {}..={})", number.min(other), number.max(other)),
            5 => format!("k % {} {comparison} {}", 2 + self.below(99), self.below(99)),
            6 => self.of(&["is_large(k)", "k < LIMIT", "LIMIT != k", "doubled(k) == 90"]).to_string(),
            7 => format!("!({})", self.guard(depth - 1)),
            8 => format!("({} || {})", self.guard(depth - 1), self.guard(depth - 1)),
            _ => format!("{} && {}", self.guard(depth - 1), self.guard(depth - 1)),
        }
    }

    fn target(&mut self) -> String {
        let number = 1 + self.below(255);
        match self.below(4) {
            0 => "T { n: 1 }".to_string(),
            1 => "T { n: k / 64 }".to_string(),
            2 => format!("if {} {{ T {{ n: 2 }} }} else {{ T {{ n: 3 }} }}", self.guard(1)),
            _ => format!("match k {{ {number}.. => T {{ n: 4 }}, _ => T {{ n: 7 }} }}"),
        }
    }
}

#[test]
fn the_random_guards_are_drawn() {
    let mut draw = Draw(20);
    let line = |k| format!("    guard_{k}: ({}) => {{ {} }}\n", draw.guard(2), draw.target());
    let text = format!("machines! {{ random_guards, k n;\n{}}}\n", (0..24).map(line).collect::<String>());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/machines/guards.in");
        std::fs::write(file, &text).expect("the file can be written");
    }
    assert!(include_str!("guards.in") == text, "run this test with INSTA_UPDATE=always, and once more");
}
