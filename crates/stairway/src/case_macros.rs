//! The macros that speak about the case being run, as they are seen from outside a property.
//!
//! `#[property]` gives them their meaning: it replaces them in its body, with the case in hand.
//! What is defined here is what is left over, and only says where it belongs.

/// Goes on only if a condition holds; otherwise the case is discarded, which is never counted as
/// success: `assume!(x > 0);`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.assume(..)?`.
#[macro_export]
macro_rules! assume {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`assume!` works inside #[property]; in a closure write `t.assume(..)?`")
    };
}

/// Demands that a condition holds in at least so many percent of all cases; the run fails if it
/// certainly does not: `cover!(10.0, xs.len() > 5, "long lists");`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.cover(..)`.
#[macro_export]
macro_rules! cover {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`cover!` works inside #[property]; in a closure write `t.cover(..)`")
    };
}

/// Attaches a label to the case; the report says how many cases had it: `label!("empty");`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.label(..)`.
#[macro_export]
macro_rules! label {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`label!` works inside #[property]; in a closure write `t.label(..)`")
    };
}

/// Attaches a label to the case if a condition holds: `classify!(xs.is_empty(), "empty");`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.classify(..)`.
#[macro_export]
macro_rules! classify {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`classify!` works inside #[property]; in a closure write `t.classify(..)`")
    };
}

/// Counts a value in a table of the report: `collect!("length", xs.len());`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.collect(..)`.
#[macro_export]
macro_rules! collect {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`collect!` works inside #[property]; in a closure write `t.collect(..)`")
    };
}

/// Keeps a remark for the smallest failing case, written as for `format!`:
/// `note!("after: {ys:?}");`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.note(..)`.
#[macro_export]
macro_rules! note {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`note!` works inside #[property]; in a closure write `t.note(..)`")
    };
}

/// Names a score that the search makes as large as it can: `maximize!("length", n as f64);`
///
/// It works inside [`#[property]`](crate::property), at any depth of its body; in a closure
/// write `t.maximize(..)`.
#[macro_export]
macro_rules! maximize {
    ($($arguments:tt)*) => {
        ::core::compile_error!("`maximize!` works inside #[property]; in a closure write `t.maximize(..)`")
    };
}
