//! Specifications written in sequence, like the do-notation of the paper.

/// Writes what a function may give as a sequence of choices.
///
/// | line | meaning |
/// |---|---|
/// | `x <- outcomes;` | continues with each of them: [`and_then`](crate::Allowed::and_then) |
/// | `let y = value;` | a name, as ever |
/// | `require condition;` | goes on only if it holds |
/// | `return value` | the end: one outcome |
/// | `outcomes` | or the end: several; `if` and `match` as ever |
///
/// ```
/// use stairway::{Outcomes, allowed};
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// enum Error { Io, NoMemory }
///
/// // A block, or one of the errors and the buffer as it was.
/// fn read(block: &[u8], buffer: &[u8]) -> Outcomes<(Vec<u8>, Result<(), Error>)> {
///     allowed! {
///         error <- Outcomes::each([Error::Io, Error::NoMemory]);
///         Outcomes::named("read", (block.to_vec(), Ok(())))
///             .or(Outcomes::named("failed", (buffer.to_vec(), Err(error))))
///     }
/// }
/// assert_eq!(read(&[1], &[0]).names(), ["Io, read", "Io, failed", "NoMemory, read", "NoMemory, failed"]);
/// ```
#[macro_export]
macro_rules! allowed {
    (let $name:pat = $value:expr; $($rest:tt)+) => {{
        let $name = $value;
        $crate::allowed!($($rest)+)
    }};
    (require $condition:expr; $($rest:tt)+) => {
        $crate::Allowed::when($condition).and_then(|()| $crate::allowed!($($rest)+))
    };
    (return $value:expr $(;)?) => {
        $crate::Allowed::just($value)
    };
    ($name:tt <- $outcomes:expr; $($rest:tt)+) => {
        $outcomes.and_then(|$name| $crate::allowed!($($rest)+))
    };
    ($outcomes:expr) => {
        $outcomes
    };
}
