//! `runtime/runtime.h` in Rust: the same structs, field by field, and nothing else.

use std::ffi::{c_char, c_void};

use super::memory::Range;

/// With the sizes of the structs below, so that a difference between the two languages is noticed.
pub(super) const VERSION: u64 = 3
    + ((size_of::<Report>() as u64) << 8)
    + ((size_of::<Layout>() as u64) << 24)
    + ((size_of::<Settings>() as u64) << 40);
pub(super) const ARENA: u64 = 0x2000_0000_0000;
pub(super) const SHADOW: u64 = 0x2100_0000_0000;
pub(super) const STACK: u64 = 0x2200_0000_0000;
pub(super) const STACK_SIZE: u64 = 16 << 20;
pub(super) const BLOCKS: u64 = 0x2300_0000_0000;
pub(super) const OUTPUT: u64 = 0x2400_0000_0000;
pub(super) const OUTPUT_SIZE: u64 = 64 << 10;

pub(super) const LIVE: u8 = 1;
pub(super) const INIT: u8 = 2;
pub(super) const PUBLIC: u8 = 63 << 2;

pub(super) const GO_ON: u32 = 0;
pub(super) const SKIP: u32 = 1;
pub(super) const STOP: u32 = 2;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Violation {
    pub(super) kind: u32,
    pub(super) what: u32,
    pub(super) is_write: u32,
    pub(super) code: u32,
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) pc: u64,
    pub(super) block: u64,
    pub(super) offset: i64,
    pub(super) text: *const c_char,
    pub(super) file: *const c_char,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Violation {
    pub(super) const NONE: Violation = Violation {
        kind: 0,
        what: 0,
        is_write: 0,
        code: 0,
        address: 0,
        size: 0,
        pc: 0,
        block: 0,
        offset: 0,
        text: std::ptr::null(),
        file: std::ptr::null(),
        line: 0,
        column: 0,
    };
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) address: u64,
    pub(super) size: u64,
    pub(super) alloc_pc: u64,
    pub(super) free_pc: u64,
    pub(super) is_live: u32,
    pub(super) kind: u32,
    pub(super) serial: u64,
    pub(super) freed: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Note {
    pub(super) kind: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) count: u32,
    pub(super) file: *const c_char,
    pub(super) type_: *const u16,
    pub(super) left: [u64; 2],
    pub(super) right: [u64; 2],
}

pub(super) const MAX_NOTES: usize = 16;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) violation: Violation,
    pub(super) flow: u64,
    pub(super) n_uninitialised: u64,
    pub(super) n_copied: u64,
    pub(super) first_address: u64,
    pub(super) first_pc: u64,
    pub(super) n_allocations: u64,
    pub(super) n_failed: u64,
    pub(super) n_output: u64,
    pub(super) fuel: u64,
    pub(super) n_threads: u64,
    pub(super) n_notes: u32,
    pub(super) is_tainted: u32,
    pub(super) limits: u64,
    pub(super) notes: [Note; MAX_NOTES],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct CallCost {
    pub(super) n_calls: u64,
    pub(super) fuel: u64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub(super) heap_limit: u64,
    pub(super) stack_limit: u64,
    pub(super) timeout_ms: u64,
    pub(super) fill: u64,
    pub(super) fail_at: u64,
    pub(super) fuel: u64,
    pub(super) is_plain: u64,
}

pub(super) const MAX_CALLBACKS: usize = 64;
pub(super) const MAX_ANSWERS: usize = 4;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Callback {
    pub(super) n_calls: u64,
    pub(super) n_answers: u64,
    pub(super) answers: [u64; MAX_ANSWERS],
}

pub(super) type HookFunction = extern "C" fn(*mut c_void, u64, u64, *mut c_void, *mut *mut c_void) -> u32;

pub(super) type ProbeFunction = extern "C" fn(*mut c_void, u64, u64, u64, *mut *mut c_void) -> u32;

#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Hooks {
    pub(super) context: *mut c_void,
    pub(super) before: HookFunction,
    pub(super) after: HookFunction,
    pub(super) probe: ProbeFunction,
}

#[repr(C)]
pub(super) struct Hook {
    pub(super) body: *mut c_void,
    pub(super) id: u64,
    pub(super) result_size: u64,
}

#[repr(C)]
pub(super) struct Layout {
    pub(super) text: u64,
    pub(super) text_size: u64,
    pub(super) globals: u64,
    pub(super) globals_size: u64,
    pub(super) missing: u64,
    pub(super) missing_size: u64,
    pub(super) readable: *const Range,
    pub(super) n_readable: u64,
    pub(super) globals_shadow: *mut u8,
    pub(super) coverage: *mut u8,
    pub(super) is_written: *mut u8,
    pub(super) is_confined: u64,
    pub(super) mark: *mut u8,
    pub(super) edges: *mut u8,
    pub(super) touched: *mut u16,
    pub(super) sites: *mut Comparison,
    pub(super) compared: *mut u16,
}

/// How near the operands of a comparison came, and what they were.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Comparison {
    pub(super) nearness: u64,
    pub(super) left: u64,
    pub(super) right: u64,
}

pub(super) type Call = unsafe extern "C" fn(
    *const c_void,
    *mut c_void,
    *mut c_void,
    *mut c_void,
    u64,
    *mut *mut c_void,
    *const Hooks,
) -> u32;

pub(super) type NestedCallFunction =
    unsafe extern "C" fn(*mut c_void, *mut c_void, *mut *mut c_void, *mut c_void);

#[repr(C)]
pub(super) struct Api {
    pub(super) version: u64,
    pub(super) start: unsafe extern "C" fn(*const Layout) -> *const c_char,
    pub(super) stop: unsafe extern "C" fn(),
    pub(super) configure: unsafe extern "C" fn(*const Settings),
    pub(super) reset: unsafe extern "C" fn(),
    pub(super) keep: unsafe extern "C" fn(),
    pub(super) call: Call,
    pub(super) nested: NestedCallFunction,
    pub(super) begin_frame: unsafe extern "C" fn(*const Range, u64, *const Range, u64) -> u64,
    pub(super) may_read: unsafe extern "C" fn(*const Range, u64) -> u64,
    pub(super) release: unsafe extern "C" fn(*const Range, u64) -> u64,
    pub(super) end_frame: unsafe extern "C" fn(*mut Range, u64) -> u64,
    pub(super) intercept: unsafe extern "C" fn(u64, *mut c_void) -> u32,
    pub(super) allocate: unsafe extern "C" fn(u64, u64, u32) -> u64,
    pub(super) settle: unsafe extern "C" fn(u64, u64),
    pub(super) describe: unsafe extern "C" fn(u64, *mut Violation),
    pub(super) is_unset: unsafe extern "C" fn(u64, u64) -> u32,
    pub(super) report: *const Report,
    pub(super) n_blocks: *const u64,
    pub(super) n_old: *const u64,
    pub(super) top: *const u64,
    pub(super) depth: *const u64,
    pub(super) output_used: *const u64,
    pub(super) spent: *const CallCost,
    pub(super) fuel: *mut u64,
    pub(super) watch: unsafe extern "C" fn(u32),
    pub(super) n_touched: *mut u64,
    pub(super) n_compared: *mut u64,
    pub(super) callbacks: *mut Callback,
    pub(super) callback_entries: *const u64,
    pub(super) adopt: unsafe extern "C" fn() -> *const c_char,
    pub(super) arena: unsafe extern "C" fn() -> u64,
    pub(super) handle: unsafe extern "C" fn(u32),
    pub(super) enter: unsafe extern "C" fn() -> u32,
    pub(super) exit: unsafe extern "C" fn(),
    pub(super) end: unsafe extern "C" fn(u32, u32),
    pub(super) print: unsafe extern "C" fn(*const u8, u64),
    pub(super) clock: *mut u64,
    pub(super) random: *mut u64,
}
