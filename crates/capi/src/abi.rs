//! The types of `stairway.h`, member by member.
//!
//! These are the header's structs as Rust lays them out. What their members mean is said in the header and
//! only there. That they lie where C has them is asserted at the end, for every target that this is compiled
//! for; the header asserts the same numbers.

use core::ffi::{c_char, c_int, c_void};
use core::mem::offset_of;

/// `sw_test`: opaque to C.
#[repr(C)]
#[derive(Debug)]
pub struct Test {
    _opaque: [u8; 0],
}

/// `sw_verdict`, as an integer: C may hand over any.
pub type Verdict = c_int;
/// `SW_OK`
pub const OK: Verdict = 0;
/// `SW_FAIL`
pub const FAIL: Verdict = 1;
/// `SW_REFUSE`
pub const REFUSE: Verdict = 2;
/// `SW_HANG`
pub const HANG: Verdict = 3;
/// `SW_CRASH`
pub const CRASH: Verdict = 4;

/// `sw_make_function *`
pub type Make = unsafe extern "C" fn(*mut Test, *const Generator, *mut c_void) -> Verdict;
/// `sw_print_function *`
pub type Print = unsafe extern "C" fn(*mut Test, *const Generator, *const c_void);
/// A body.
pub type Body = unsafe extern "C" fn(*mut Test) -> Verdict;
/// A precondition, a reset, a demand.
pub type Predicate = unsafe extern "C" fn(*mut Test) -> bool;

/// `sw_generator`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Generator {
    pub size: usize,
    pub make: Option<Make>,
    pub print: Option<Print>,
    pub min: i64,
    pub max: i64,
    pub more: *const c_void,
    pub n_choices: usize,
}

// SAFETY: the ready-made generators are constants without interior mutability; `more` of theirs points to
// other such constants.
unsafe impl Sync for Generator {}

/// `sw_real_range`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct RealRange {
    pub low: f64,
    pub high: f64,
    pub special: bool,
}

/// `sw_array`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Array {
    pub items: *mut c_void,
    pub length: usize,
}

/// `sw_argument`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Argument {
    pub name: *const c_char,
    pub generator: *const Generator,
}

/// `sw_statistic`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Statistic {
    pub name: *const c_char,
    pub measure: Option<unsafe extern "C" fn(*mut Test, *mut i64) -> bool>,
}

/// `SW_MAX_ARGUMENTS`
pub const MAX_ARGUMENTS: usize = 6;
/// `SW_MAX_STATISTICS`
pub const MAX_STATISTICS: usize = 4;
/// `SW_MAX_PROPERTIES`
pub const MAX_PROPERTIES: usize = 128;
/// `SW_MAX_SETS`
pub const MAX_SETS: usize = 16;

/// `sw_property`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Property {
    pub name: *const c_char,
    pub body: Option<Body>,
    pub precondition: Option<Predicate>,
    pub arguments: [Argument; MAX_ARGUMENTS],
    pub statistics: [*const Statistic; MAX_STATISTICS],
    pub weight: u32,
    pub result: *const Kind,
}

/// `sw_kind`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Kind {
    pub name: *const c_char,
}

/// `sw_demand`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Demand {
    pub name: *const c_char,
    pub percent: f64,
    pub holds: Option<Predicate>,
}

/// `sw_set`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Set {
    pub name: *const c_char,
    pub state: *mut c_void,
    pub model: *mut c_void,
    pub properties: *const Property,
    pub n_properties: usize,
    pub cleanups: *const Property,
    pub n_cleanups: usize,
    pub reset: Option<Predicate>,
    pub fingerprint: Option<unsafe extern "C" fn(*mut Test) -> u64>,
    pub show: Option<unsafe extern "C" fn(*mut Test)>,
    pub demands: *const Demand,
    pub n_demands: usize,
}

/// `sw_verbosity`, as an integer.
pub type Verbosity = c_int;
/// `sw_statistics`, as an integer.
pub type Statistics = c_int;

/// `sw_settings`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Settings {
    pub memory: *mut c_void,
    pub memory_size: usize,
    pub write: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize)>,
    pub user: *mut c_void,
    pub seed: u64,
    pub entropy: Option<unsafe extern "C" fn(*mut c_void) -> u64>,
    pub n_tests: u64,
    pub min_properties: u32,
    pub max_properties: u32,
    pub max_discards: u32,
    pub max_shrink_runs: u32,
    pub no_shrinking: bool,
    pub allow_unused_properties: bool,
    pub json: bool,
    pub lean: bool,
    pub verbosity: Verbosity,
    pub statistics: Statistics,
    pub max_choices: u32,
    pub max_states: u32,
    pub array_bytes: u32,
    pub trace_bytes: u32,
    pub exhaustive_depth: u32,
    pub exhaustive_bound: u32,
    pub guard: Option<unsafe extern "C" fn(*mut c_void, *mut Test, Body) -> Verdict>,
    pub poison: Option<unsafe extern "C" fn(*mut c_void, *mut c_void, usize, bool)>,
    pub panic: Option<unsafe extern "C" fn(*mut c_void, *const c_char, usize)>,
}

/// `sw_report`
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs, reason = "the header says it")]
pub struct Report {
    pub result: c_int,
    pub seed: u64,
    pub memory_needed: usize,
    pub memory_used: usize,
    pub n_tests: u64,
    pub n_discarded: u64,
    pub n_calls: u64,
    pub failed_set: *const c_char,
    pub failed_property: *const c_char,
    pub failed_message: *const c_char,
    pub failed_file: *const c_char,
    pub failed_line: c_int,
    pub failed_signal: c_int,
    pub failed_address: usize,
    pub failed_test: u64,
    pub n_steps: u32,
    pub n_shrink_runs: u32,
    pub is_minimal: bool,
    pub n_states: u64,
    pub n_transitions: u64,
    pub is_table_full: bool,
    pub new_state_chance: f64,
    pub new_transition_chance: f64,
    pub most_failing: f64,
    pub explored_depth: u32,
    pub n_sequences: u64,
    pub n_pruned: u64,
}

/// Sizes and places of members, where pointers have four bytes and where they have eight.
macro_rules! layouts {
    ($($what:expr, $narrow:literal, $wide:literal;)*) => {
        $(const _: () = assert!($what == if size_of::<usize>() == 8 { $wide } else { $narrow });)*
    };
}

layouts! {
    size_of::<bool>(), 1, 1;
    size_of::<Verdict>(), 4, 4;
    size_of::<Generator>(), 40, 56;
    size_of::<RealRange>(), 24, 24;
    size_of::<Array>(), 8, 16;
    size_of::<Kind>(), 4, 8;
    size_of::<Argument>(), 8, 16;
    size_of::<Statistic>(), 8, 16;
    size_of::<Property>(), 84, 168;
    size_of::<Demand>(), 24, 24;
    size_of::<Set>(), 48, 96;
    size_of::<Settings>(), 104, 136;
    size_of::<Report>(), 176, 200;
    offset_of!(Generator, min), 16, 24;
    offset_of!(Generator, n_choices), 36, 48;
    offset_of!(RealRange, special), 16, 16;
    offset_of!(Property, statistics), 60, 120;
    offset_of!(Property, result), 80, 160;
    offset_of!(Demand, percent), 8, 8;
    offset_of!(Demand, holds), 16, 16;
    offset_of!(Set, reset), 28, 56;
    offset_of!(Set, n_demands), 44, 88;
    offset_of!(Settings, seed), 16, 32;
    offset_of!(Settings, lean), 59, 75;
    offset_of!(Settings, statistics), 64, 80;
    offset_of!(Settings, exhaustive_bound), 88, 104;
    offset_of!(Settings, panic), 100, 128;
    offset_of!(Report, failed_address), 72, 96;
    offset_of!(Report, is_minimal), 96, 120;
    offset_of!(Report, n_pruned), 168, 192;
}
