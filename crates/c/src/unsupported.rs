//! What this crate is where C cannot be tested: a sentence.
//!
//! The runtime that is linked into objects under test knows one system and one processor. Everywhere else the
//! crate builds, so that a workspace with tests of C builds, and whoever uses it is told.

/// Why there is nothing else.
pub const UNSUPPORTED: &str = "C is tested on Linux on x86-64 only; on other systems use a container or a virtual machine with it, or link the C code \
                               into tests of `stairway` (see docs/refinement-c.md, section Without stairway-c)";

/// C functions for a test, on Linux on x86-64.
#[macro_export]
macro_rules! library {
    ($($module:tt)*) => {
        ::core::compile_error!(
            "C libraries are tested on Linux on x86-64 only: write `#[cfg(all(target_os = \"linux\", target_arch = \"x86_64\"))]` before this \
             `library!`, and before the tests that use it"
        );
    };
}
