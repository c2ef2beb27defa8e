//! The ring buffer in C beside what it must do, and mistakes that only the sanitizer can see.

use case_study_support::{SHOWN_SEED, assert_readme_shows, settings};
use sanitizer::{Answer, Op, answers};
use stairway::prelude::*;
use stairway::refine::RefinementChecker;

/// The functions of one build: a refinement for it in a module of its own.
macro_rules! ring {
    ($module:ident, $new:ident, $free:ident, $push:ident, $pop:ident, $reset:ident, $(#[$ignored:meta])*) => {
        mod $module {
            use super::*;

            /// Only ever pointed to.
            #[repr(C)]
            struct Ring {
                _inside: [u8; 0],
            }

            unsafe extern "C" {
                fn $new(capacity: u32) -> *mut Ring;
                fn $free(ring: *mut Ring);
                fn $push(ring: *mut Ring, byte: u8) -> bool;
                fn $pop(ring: *mut Ring, byte: *mut u8) -> bool;
                fn $reset(ring: *mut Ring, capacity: u32) -> bool;
            }

            fn done(ring: *mut Ring, op: &Op) -> Answer {
                match op {
                    // SAFETY: the ring was made by C and is not freed yet.
                    Op::Push(byte) => (unsafe { $push(ring, *byte) }, None),
                    Op::Pop => {
                        let mut byte = 0;
                        // SAFETY: as above; the byte is ours to be written.
                        let is_there = unsafe { $pop(ring, &raw mut byte) };
                        (is_there, is_there.then_some(byte))
                    }
                    // SAFETY: as above.
                    Op::Reset(capacity) => (unsafe { $reset(ring, *capacity) }, None),
                }
            }

            fn real(capacity: u32, ops: &[Op]) -> Vec<Answer> {
                // SAFETY: C takes any capacity.
                let ring = unsafe { $new(capacity) };
                assert!(!ring.is_null(), "there is no memory");
                let answers = ops.iter().map(|op| done(ring, op)).collect();
                // SAFETY: the ring is not used again.
                unsafe { $free(ring) };
                answers
            }

            refinement! {
                #[property(isolate)]
                $(#[$ignored])*
                ring(#[from(1..4u32)] capacity: u32, #[from(vec(any(), 0..20))] ops: Vec<Op>) {
                    spec => answers(capacity, &ops),
                    real => real(capacity, &ops),
                    teardown => stairway::check_leaks!(),
                }
            }

            #[allow(dead_code, reason = "what is right is not reported")]
            pub(super) fn checker() -> RefinementChecker {
                ring_refinement()
            }
        }
    };
}

ring!(right, right_ring_new, right_ring_free, right_ring_push, right_ring_pop, right_ring_reset,);
ring!(
    overrun,
    overrun_ring_new,
    overrun_ring_free,
    overrun_ring_push,
    overrun_ring_pop,
    overrun_ring_reset,
    #[ignore = "it is wrong, and reported below"]
);
ring!(
    leak,
    leak_ring_new,
    leak_ring_free,
    leak_ring_push,
    leak_ring_pop,
    leak_ring_reset,
    #[ignore = "it is wrong, and reported below"]
);
ring!(
    use_after_free,
    use_after_free_ring_new,
    use_after_free_ring_free,
    use_after_free_ring_push,
    use_after_free_ring_pop,
    use_after_free_ring_reset,
    #[ignore = "it is wrong, and reported below"]
);

/// The whole report: the sanitizer's words are a part of it.
fn block(checker: RefinementChecker) -> String {
    let report = checker.settings(settings(SHOWN_SEED).isolate()).report();
    format!("```text\n{}\n```", report.to_string().trim_end())
}

#[test]
fn the_readme_shows_what_is_reported() {
    let shown = [
        ("overrun", block(overrun::checker())),
        ("leak", block(leak::checker())),
        ("use after free", block(use_after_free::checker())),
    ];
    assert_readme_shows(env!("CARGO_MANIFEST_DIR"), &shown);
}
