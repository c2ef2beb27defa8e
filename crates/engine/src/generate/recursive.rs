//! Recursive data: trees, expressions, nested documents.
//!
//! Values of bounded depth and size are made of a generator of leaves and a function that builds a generator
//! of branches from the generator of the whole. How deep and how large is the stream's decision
//! ([`Draw::variant`]): branches become rarer on the way down and impossible at the end of the budget,
//! whatever the branches look like.

use super::Generate;
use crate::draw::Draw;
use crate::stop::Checked;
use alloc::boxed::Box;
use alloc::rc::Rc;
use core::any::type_name;

/// Values that contain values of the same kind: `leaf`, or a branch over what `branch` is given.
///
/// ```
/// use stairway_engine::{Choices, Draw, Generate, Prng, Source, recursive, vec};
/// #[derive(Debug)]
/// enum Tree { Leaf(i32), Node(Vec<Tree>) }
/// fn depth(tree: &Tree) -> usize {
///     match tree {
///         Tree::Leaf(_) => 0,
///         Tree::Node(children) => 1 + children.iter().map(depth).max().unwrap_or(0),
///     }
/// }
/// let trees = recursive((0..10).mapped(Tree::Leaf), |tree| vec(tree, 0..4).mapped(Tree::Node));
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// assert!(depth(&choices.draw(&trees).unwrap()) < 30);
/// ```
pub fn recursive<'g, T, L, B, F>(leaf: L, branch: F) -> Recursive<'g, T>
where
    L: Generate<Value = T> + 'g,
    B: Generate<Value = T>,
    F: Fn(Recursive<'g, T>) -> B + 'g,
{
    let leaf = move |choices: &mut Draw<'_>| choices.draw(&leaf);
    let branch = move |whole, choices: &mut Draw<'_>| choices.draw(branch(whole));
    Recursive { parts: Rc::new(Parts { leaf: Box::new(leaf), branch: Box::new(branch) }) }
}

/// See [`recursive`]. Cloning it is cheap: a branch takes as many as it has children.
pub struct Recursive<'g, T> {
    parts: Rc<Parts<'g, T>>,
}

type Leaf<'g, T> = dyn Fn(&mut Draw<'_>) -> Checked<T> + 'g;
type Branch<'g, T> = dyn Fn(Recursive<'g, T>, &mut Draw<'_>) -> Checked<T> + 'g;

struct Parts<'g, T> {
    leaf: Box<Leaf<'g, T>>,
    /// Is given the whole for each branch instead of holding it, which would be a cycle.
    branch: Box<Branch<'g, T>>,
}

impl<T> Clone for Recursive<'_, T> {
    fn clone(&self) -> Self {
        Recursive { parts: Rc::clone(&self.parts) }
    }
}

impl<T> core::fmt::Debug for Recursive<'_, T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Recursive<{}>", type_name::<T>())
    }
}

impl<T> Generate for Recursive<'_, T> {
    type Value = T;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<T> {
        match choices.variant(&["leaf", "branch"], 1) {
            0 => (self.parts.leaf)(choices),
            _ => (self.parts.branch)(self.clone(), choices),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_replays, at, halt_of, random, record, samples, simplest};
    use super::super::{array, compose, just, option_of, vec};
    use super::*;
    use alloc::vec::Vec;
    use stairway_choice::{Choice, Fault, Halt, Shape, Source};

    #[derive(Clone, Debug, PartialEq)]
    enum Tree {
        Leaf(u8),
        Node(Vec<Tree>),
    }

    impl Tree {
        fn n_nodes(&self) -> usize {
            match self {
                Tree::Leaf(_) => 1,
                Tree::Node(children) => 1 + children.iter().map(Tree::n_nodes).sum::<usize>(),
            }
        }

        fn depth(&self) -> usize {
            match self {
                Tree::Leaf(_) => 0,
                Tree::Node(children) => 1 + children.iter().map(Tree::depth).max().unwrap_or(0),
            }
        }
    }

    fn trees() -> Recursive<'static, Tree> {
        recursive((0..9).mapped(Tree::Leaf), |tree| vec(tree, 0..5).mapped(Tree::Node))
    }

    /// Every branch has exactly four children.
    fn greedy() -> Recursive<'static, Tree> {
        recursive((0..9).mapped(Tree::Leaf), |tree| {
            array::<4, _>(tree).mapped(|children| Tree::Node(children.into()))
        })
    }

    /// Runs `test` with the stack that a test thread has.
    fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
        std::thread::Builder::new().stack_size(2 << 20).spawn(test).unwrap().join().unwrap();
    }

    #[test]
    fn trees_replay_and_shrink_to_a_leaf() {
        assert_replays(&trees());
        assert_replays(&greedy());
        assert_eq!(simplest(&trees()), Tree::Leaf(0));
        assert_eq!(
            at(&trees(), &[1, 2, 0, 7, 1, 0]).unwrap(),
            Tree::Node([Tree::Leaf(7), Tree::Node([].into())].into())
        );
    }

    #[test]
    fn trees_are_of_many_sizes() {
        let drawn = samples(&trees(), 500);
        let n_leaves = drawn.iter().filter(|tree| tree.depth() == 0).count();
        assert!((150..400).contains(&n_leaves), "{n_leaves}");
        assert!(drawn.iter().any(|tree| tree.depth() >= 4), "some are deep");
        assert!(drawn.iter().any(|tree| tree.n_nodes() >= 20), "some are large");
    }

    #[test]
    fn branches_that_always_recur_end_and_fit_the_stack() {
        on_a_small_stack(|| {
            for seed in 0..200 {
                let tree = random(seed).draw(greedy()).unwrap();
                assert!(tree.n_nodes() < 20_000);
            }
            // Whatever is asked for: branches wherever they can be.
            let branches = [Choice { index: 1, shape: Shape::Boolean }; 4000];
            let deepest =
                record(&greedy(), Source::Replay { choices: &branches, spans: None, bound: u64::MAX });
            assert!(deepest.value.unwrap().depth() > 10);
        });
    }

    #[test]
    fn recursion_for_ever_is_a_fault_and_no_stack_overflow() {
        fn plain(choices: &mut Draw<'_>) -> Checked<u32> {
            choices.draw(compose(plain))
        }
        fn wrapped(choices: &mut Draw<'_>) -> Checked<Vec<u32>> {
            let inner = vec(compose(wrapped), 1..3).mapped(|inner| inner.concat());
            choices.draw((just(0), inner.boxed())).map(|(_, inner)| inner)
        }
        on_a_small_stack(|| {
            let too_deep = Some(Halt::Fault(Fault::TooDeep));
            assert_eq!(halt_of(&compose(plain)), too_deep);
            assert_eq!(halt_of(&compose(wrapped)), too_deep);
        });
    }

    #[test]
    fn generators_may_borrow() {
        let names = [alloc::string::String::from("x")];
        let lengths = recursive(just(names[0].len()), |n| option_of(n).mapped(|n| n.map_or(0, |n| n + 1)));
        assert_eq!(simplest(&lengths), 1);
    }
}
