//! The one place from which system calls pass the filter and the dispatch: `syscall` instructions of ours,
//! known by their addresses.
//!
//! It serves the signal handler and the processes between fork and exec, so it neither allocates nor touches
//! `errno`.

use std::ffi::{CStr, c_long};

std::arch::global_asm!(
    ".pushsection .text.stairway_gate,\"ax\",@progbits",
    ".globl stairway_sandbox_gate",
    ".hidden stairway_sandbox_gate",
    ".type stairway_sandbox_gate,@function",
    "stairway_sandbox_gate:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    ".globl stairway_sandbox_gate_end",
    ".hidden stairway_sandbox_gate_end",
    "stairway_sandbox_gate_end:",
    "ret",
    ".size stairway_sandbox_gate, . - stairway_sandbox_gate",
    ".globl stairway_sandbox_return_at",
    ".hidden stairway_sandbox_return_at",
    "stairway_sandbox_return_at:",
    "mov rsp, rdi",
    ".globl stairway_sandbox_restorer",
    ".hidden stairway_sandbox_restorer",
    "stairway_sandbox_restorer:",
    "mov eax, 15",
    "syscall",
    ".globl stairway_sandbox_gate_last",
    ".hidden stairway_sandbox_gate_last",
    "stairway_sandbox_gate_last:",
    "ud2",
    ".popsection",
);

// SAFETY: these are its symbols: a function of the C calling convention, and the address behind its
// instruction.
unsafe extern "C" {
    fn stairway_sandbox_gate(number: c_long, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> i64;
    static stairway_sandbox_gate_end: u8;
    static stairway_sandbox_restorer: u8;
    static stairway_sandbox_gate_last: u8;
    fn stairway_sandbox_return_at(stack: u64) -> !;
}

/// Where system calls are made that are never dispatched: the first address and the size.
pub(crate) fn range() -> (u64, u64) {
    let first = (stairway_sandbox_gate as *const ()).expose_provenance() as u64;
    let last = (&raw const stairway_sandbox_gate_last).expose_provenance() as u64;
    (first, last - first + 1)
}

/// What ends a signal handler.
pub(crate) fn restorer() -> u64 {
    (&raw const stairway_sandbox_restorer).expose_provenance() as u64
}

/// Ends the signal handler whose frame is on top of this stack, and all that were called within it.
pub(crate) fn return_at(stack: u64) -> ! {
    // SAFETY: the kernel has put the frame there, and whoever made this call was about to end that handler.
    unsafe { stairway_sandbox_return_at(stack) }
}

/// What the filter sees as the place of a call through the gate.
pub(crate) fn address() -> u64 {
    (&raw const stairway_sandbox_gate_end).expose_provenance() as u64
}

/// A system call as it was made, or is to be made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) number: i64,
    pub(crate) arguments: [u64; 6],
}

impl Call {
    pub(crate) fn new(number: c_long, arguments: &[u64]) -> Call {
        let mut all = [0; 6];
        all[..arguments.len()].copy_from_slice(arguments);
        Call { number, arguments: all }
    }

    /// Makes it; an error is negative, as the kernel returns it.
    ///
    /// Addresses in it are buffers of ours, or those that code under test named itself: the kernel checks
    /// that they are mapped, and code under test could write there anyway.
    pub(crate) fn perform(&self) -> i64 {
        let [a, b, c, d, e, f] = self.arguments;
        // SAFETY: the kernel checks addresses, and callers pass only those described above.
        unsafe { stairway_sandbox_gate(self.number, a, b, c, d, e, f) }
    }
}

/// Makes a system call of ours.
pub(crate) fn perform(number: c_long, arguments: &[u64]) -> i64 {
    Call::new(number, arguments).perform()
}

/// The address of a value, for the kernel.
pub(crate) fn at<T: ?Sized>(value: &T) -> u64 {
    std::ptr::from_ref(value).cast::<u8>().expose_provenance() as u64
}

/// The address of a value that the kernel fills in.
pub(crate) fn at_mut<T: ?Sized>(value: &mut T) -> u64 {
    std::ptr::from_mut(value).cast::<u8>().expose_provenance() as u64
}

/// The address of a string.
pub(crate) fn text(value: &CStr) -> u64 {
    value.as_ptr().expose_provenance() as u64
}

/// A signed argument, such as a descriptor.
pub(crate) fn signed(value: i32) -> u64 {
    i64::from(value).cast_unsigned()
}

/// A descriptor as the kernel reads it: only the lower half counts.
pub(crate) fn descriptor(value: u64) -> i32 {
    value as u32 as i32
}

/// The same as [`perform`], with an error of Rust's.
pub(crate) fn attempt(number: c_long, arguments: &[u64]) -> std::io::Result<u64> {
    let result = perform(number, arguments);
    match u64::try_from(result) {
        Ok(result) => Ok(result),
        Err(_) => Err(std::io::Error::from_raw_os_error(i32::try_from(-result).unwrap_or(libc::EINVAL))),
    }
}
