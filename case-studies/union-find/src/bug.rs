//! The bugs that can be planted in Union-Find.
//!
//! A partition receives its bug when it is made. Which one that is belongs to the thread, so that
//! specifications read the same whether a bug is planted or not.

use std::cell::Cell;

/// A mistake in Union-Find.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bug {
    /// No mistake.
    #[default]
    None,
    /// `union` of two elements of one class adds the weight of the class to itself: the mistake
    /// that the paper's authors made and found.
    WeighsTwice,
    /// `find` answers the last element below the root.
    StopsEarly,
    /// `find` makes the element that it was asked for the root.
    MovesRoot,
    /// `union` links the element rather than the root of its class.
    LinksElement,
}

impl Bug {
    /// All mistakes.
    pub const ALL: [Bug; 4] = [Bug::WeighsTwice, Bug::StopsEarly, Bug::MovesRoot, Bug::LinksElement];

    /// Plants this mistake in everything that `run` makes on this thread.
    pub fn plant<T>(self, run: impl FnOnce() -> T) -> T {
        PLANTED.set(self);
        let result = run();
        PLANTED.set(Bug::None);
        result
    }

    /// The mistake of what is made now.
    #[must_use]
    pub fn planted() -> Bug {
        PLANTED.get()
    }
}

thread_local! {
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::None) };
}
