//! What makes a static library out of `stairway-capi`: the allocator and the end of a panic.
//!
//! Nothing else is here, so that everything else can be tested where there is an operating system.
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::fmt::Write;
use core::panic::PanicInfo;
use stairway_capi::ARENA;

/// Everything is allocated in the buffer of the run that is on.
struct InArena;

// SAFETY: the arena keeps the promises of an allocator.
unsafe impl GlobalAlloc for InArena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the same rules.
        unsafe { ARENA.alloc(layout) }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the same rules.
        unsafe { ARENA.dealloc(piece, layout) }
    }
}

#[global_allocator]
static GLOBAL: InArena = InArena;

/// Text on the stack, as much as there is room for.
struct Text {
    bytes: [u8; 240],
    n: usize,
}

impl Write for Text {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        for byte in text.bytes().take(self.bytes.len() - self.n) {
            self.bytes[self.n] = byte;
            self.n += 1;
        }
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    let mut text = Text { bytes: [0; 240], n: 0 };
    let _ = write!(text, "{info}");
    stairway_capi::panicked(core::str::from_utf8(&text.bytes[..text.n]).unwrap_or("a panic"))
}

/// What the build puts in the place of `_Unwind_Resume`: precompiled parts of `alloc` name it, and nothing
/// ever unwinds here.
#[unsafe(no_mangle)]
extern "C" fn stairway_never_unwinds() -> ! {
    stairway_capi::panicked("something unwinds")
}

/// What the build puts in the place of `rust_eh_personality`.
#[unsafe(no_mangle)]
extern "C" fn stairway_no_personality() -> ! {
    stairway_capi::panicked("something unwinds")
}
