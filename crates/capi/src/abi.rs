//! The types of `stairway.h`, member by member.
//!
//! Receives nothing and hands on nothing: these are the header's structs as Rust lays them out. What their
//! members mean is said in the header and only there. A test compares sizes and offsets with
//! what a C compiler makes of the header.

use core::ffi::{c_char, c_int, c_void};

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
    pub demand_every_property: bool,
    pub json: bool,
    pub verbosity: Verbosity,
    pub statistics: Statistics,
    pub max_choices: u32,
    pub max_states: u32,
    pub array_bytes: u32,
    pub trace_bytes: u32,
    pub guard: Option<unsafe extern "C" fn(*mut c_void, *mut Test, Body) -> Verdict>,
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
    pub failed_test: u64,
    pub n_steps: u32,
    pub n_shrink_runs: u32,
    pub is_minimal: bool,
    pub n_states: u64,
    pub n_transitions: u64,
    pub is_table_full: bool,
    pub new_state_chance: f64,
    pub new_transition_chance: f64,
}
