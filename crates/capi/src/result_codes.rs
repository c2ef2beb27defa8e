//! What can be wrong with what was given: error codes and their sentences.
//!
//! Knows every value of `sw_result` and its name; who finds a mistake says which one and about what.

use core::ffi::{CStr, c_int};

/// A mistake in what was given: a value of `sw_result` below 0, a sentence, and whose mistake it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mistake {
    pub(crate) code: c_int,
    pub(crate) what: &'static str,
    pub(crate) whose: &'static str,
}

impl Mistake {
    pub(crate) const fn new(code: c_int, what: &'static str, whose: &'static str) -> Self {
        Mistake { code, what, whose }
    }
}

pub(crate) const PASSED: c_int = 0;
pub(crate) const FAILED: c_int = 1;
pub(crate) const UNCOVERED: c_int = 2;
pub(crate) const GAVE_UP: c_int = 3;
pub(crate) const FLAKY: c_int = 4;
pub(crate) const NULL: c_int = -1;
pub(crate) const NO_PROPERTIES: c_int = -2;
pub(crate) const NO_CLEANUP: c_int = -3;
pub(crate) const TOO_MANY: c_int = -4;
pub(crate) const SETTINGS: c_int = -5;
pub(crate) const MEMORY: c_int = -6;
pub(crate) const GENERATOR: c_int = -7;
pub(crate) const ARGUMENT: c_int = -8;
pub(crate) const DEPTH: c_int = -9;
pub(crate) const RESET: c_int = -10;
pub(crate) const BUSY: c_int = -11;
pub(crate) const VERDICT: c_int = -12;
pub(crate) const DEMAND: c_int = -13;
pub(crate) const RESULT: c_int = -14;
pub(crate) const ORDER: c_int = -15;

/// The name of a result.
pub(crate) const fn name(result: c_int) -> &'static CStr {
    match result {
        PASSED => c"SW_PASSED",
        FAILED => c"SW_FAILED",
        UNCOVERED => c"SW_UNCOVERED",
        GAVE_UP => c"SW_GAVE_UP",
        FLAKY => c"SW_FLAKY",
        NULL => c"SW_ERROR_NULL",
        NO_PROPERTIES => c"SW_ERROR_NO_PROPERTIES",
        NO_CLEANUP => c"SW_ERROR_NO_CLEANUP",
        TOO_MANY => c"SW_ERROR_TOO_MANY",
        SETTINGS => c"SW_ERROR_SETTINGS",
        MEMORY => c"SW_ERROR_MEMORY",
        GENERATOR => c"SW_ERROR_GENERATOR",
        ARGUMENT => c"SW_ERROR_ARGUMENT",
        DEPTH => c"SW_ERROR_DEPTH",
        RESET => c"SW_ERROR_RESET",
        BUSY => c"SW_ERROR_BUSY",
        VERDICT => c"SW_ERROR_VERDICT",
        DEMAND => c"SW_ERROR_DEMAND",
        RESULT => c"SW_ERROR_RESULT",
        ORDER => c"SW_ERROR_ORDER",
        _ => c"no result of Stairway's",
    }
}
