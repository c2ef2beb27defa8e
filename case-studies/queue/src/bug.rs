//! The bugs that can be planted in a queue.
//!
//! A queue receives its bug when it is made and keeps it. Which one that is belongs to the thread, so
//! that `Queue::new()` reads the same in a specification whether a bug is planted or not.

use std::cell::Cell;

/// A mistake in the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bug {
    /// No mistake.
    #[default]
    None,
    /// `remove` leaves the tail where it was when it removes the last element.
    TailKept,
    /// `clear` leaves the tail where it was.
    TailCleared,
    /// `front` answers the last element.
    FrontIsBack,
    /// `add` puts the third element in front.
    ThirdJumps,
    /// `add` puts an element before the last one if there are two or more.
    PushesIn,
    /// `remove` takes two of two.
    RemovesBoth,
    /// `add` does not count an element in a node that was used before.
    Uncounted,
    /// `len` answers one too many from three elements on.
    LenTooLong,
    /// `remove` does not give the node back.
    Leak,
}

impl Bug {
    /// All mistakes.
    pub const ALL: [Bug; 9] = [
        Bug::TailKept,
        Bug::TailCleared,
        Bug::FrontIsBack,
        Bug::ThirdJumps,
        Bug::PushesIn,
        Bug::RemovesBoth,
        Bug::Uncounted,
        Bug::LenTooLong,
        Bug::Leak,
    ];

    /// Plants this mistake in every queue that `run` makes on this thread.
    pub fn plant<T>(self, run: impl FnOnce() -> T) -> T {
        PLANTED.set(self);
        let result = run();
        PLANTED.set(Bug::None);
        result
    }

    /// The mistake of the queues made now.
    #[must_use]
    pub fn planted() -> Bug {
        PLANTED.get()
    }
}

thread_local! {
    static PLANTED: Cell<Bug> = const { Cell::new(Bug::None) };
}
