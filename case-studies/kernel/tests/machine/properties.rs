//! The properties in user mode: all hold, each finds the bug that is planted for it, and a seed means the
//! same on every machine.

use crate::{SILENCE, folder};
use case_study_support::{assert_readme_shows, table};
use kernel::{Build, Ended, Program, Verdict, boot, run_here};

/// A planted bug, what finds it, and from which seed.
struct Planted {
    bug: &'static str,
    what: &'static str,
    /// As numbered in the paper, and after it.
    number: u32,
    property: &'static str,
    seed: u64,
    n_steps: usize,
}

const fn planted(
    bug: &'static str,
    what: &'static str,
    (number, property): (u32, &'static str),
    seed: u64,
    n_steps: usize,
) -> Planted {
    Planted { bug, what, number, property, seed, n_steps }
}

const PLANTED: [Planted; 15] = [
    planted("QUEUE_ROUNDS_UP", "the capacity becomes a power of two", (1, "init"), 1, 1),
    planted("QUEUE_NO_FULL_CHECK", "a full queue takes more", (2, "enqueue"), 1, 3),
    planted("QUEUE_WAITS_FOR_ROOM", "`enqueue` does not return if the queue is full", (2, "enqueue"), 1, 3),
    planted("QUEUE_NO_EMPTY_CHECK", "an empty queue gives more", (3, "dequeue"), 1, 2),
    planted("QUEUE_WRAPS_LATE", "`dequeue` wraps around too late", (4, "front"), 1, 5),
    planted("LIBRARY_IGNORES_ANSWER", "creation always succeeds", (6, "misuse"), 1, 2),
    planted("LIBRARY_LEAKS_STACK", "a stack is kept for no thread", (9, "stacks"), 1, 2),
    planted("LIBRARY_FREES_WRONG_STACK", "a stack is taken from a thread", (8, "priorities"), 1, 4),
    planted("KERNEL_KEEPS_SLOT", "deletion leaves the capability", (5, "create_or_delete"), 1, 3),
    planted("KERNEL_OVERWRITES_SLOT", "creation on a slot that is not empty", (6, "misuse"), 1, 2),
    planted("KERNEL_WRAPS_POINTER", "pointers are masked", (7, "misuse_beyond"), 1, 1),
    planted("KERNEL_LEAVES_IN_PLACE", "a new priority moves nobody", (8, "priorities"), 1, 3),
    planted("KERNEL_SIGNED_PRIORITY", "priorities are signed", (8, "priorities"), 1, 3),
    planted("KERNEL_FORGETS_WAITER", "the dead still wait for messages", (11, "send_mail"), 1, 4),
    planted("KERNEL_MAPS_OVER", "two frames on one page", (12, "map"), 1, 2),
];
