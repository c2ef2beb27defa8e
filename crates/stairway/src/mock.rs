//! Mocks that know where they end.
//!
//! Ends the case, naming the mock and what it was asked for. Anything that does what a trait or a C interface
//! says can be a mock, and a specification most of all: `Outcomes::by_oracle`. What is left for this file is
//! the mock that knows a part only (section 6.4 of the paper).

use crate::panics;
use stairway_engine::{Failure, FailureKind, Role};
use std::fmt;
use std::panic::Location;

/// Ends the case: the mock called `name` does not know what the real one does here. See
/// [`unmocked!`](crate::unmocked).
///
/// # Panics
/// Always; that is how the case ends, or the program where there is no case.
#[track_caller]
pub fn outside_mock(name: &str, asked: fmt::Arguments<'_>) -> ! {
    let kind = FailureKind::Mock { name: name.to_string().into() };
    panics::fail(Failure::new(kind).at(Location::caller()).with(Role::Asked, asked.to_string()))
}

/// Ends the case because a mock was called outside the part that it knows: the report says so,
/// instead of blaming the code under test for what the mock made up.
///
/// ```should_panic
/// use stairway::unmocked;
/// /// The only inode that the generator makes objects for.
/// const INODE: u32 = 24;
///
/// fn ostore_read(inode: u32, block: u64) -> u8 {
///     if inode != INODE {
///         unmocked!("ostore_read", "inode {inode}");
///     }
///     block as u8
/// }
/// ostore_read(25, 0);
/// ```
#[macro_export]
macro_rules! unmocked {
    ($name:expr, $($asked:tt)+) => {
        $crate::outside_mock($name, ::core::format_args!($($asked)+))
    };
}
