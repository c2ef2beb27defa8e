//! Stairway's engine in a program without the standard library: a ring buffer beside a model, with all memory in one static
//! array. `cargo run` in this folder prints the shortest sequence of calls that breaks it.
//!
//! What depends on the platform is at the end: where text goes, and what a panic does. Here that is Linux' C library;
//! on a bare machine it would be a serial port and an endless loop.
#![no_std]
#![no_main]

extern crate alloc;

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::{c_int, c_void};
use core::fmt::Write;
use core::sync::atomic::{AtomicUsize, Ordering};
use stairway_engine::{
    Case, Checked, Failure, InProcess, NoHooks, Operations, Outcome, Settings, Step, StepOutcome, Steps, Stop,
    Workspace, run, run_program, unguarded,
};

/// What is tested: a ring buffer of four cells. It forgets to wrap the index of the newest element.
struct Ring {
    cells: [u8; 8],
    first: usize,
    len: usize,
}

impl Ring {
    const CAPACITY: usize = 4;

    const fn new() -> Self {
        Ring { cells: [0; 8], first: 0, len: 0 }
    }

    fn push(&mut self, x: u8) -> bool {
        if self.len == Self::CAPACITY {
            return false;
        }
        self.cells[self.first + self.len] = x; // and not `% CAPACITY`
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<u8> {
        let x = (self.len > 0).then(|| self.cells[self.first])?;
        self.first = (self.first + 1) % Self::CAPACITY;
        self.len -= 1;
        Some(x)
    }
}

/// What it is compared with: everything that was pushed, and how much of that was popped.
struct Model {
    pushed: [u8; 64],
    n_pushed: usize,
    n_popped: usize,
}

/// The operations that programs are made of.
struct Calls;

impl Operations for Calls {
    type State = (Ring, Model);

    fn names(&self) -> &'static [&'static str] {
        &["push", "pop"]
    }

    fn start(&self, _case: &mut Case<'_>) -> Checked<Self::State> {
        Ok((Ring::new(), Model { pushed: [0; 64], n_pushed: 0, n_popped: 0 }))
    }

    fn weight(&self, op: usize, (_, model): &Self::State) -> u32 {
        u32::from(op == 1 || model.n_pushed < 64)
    }

    fn step(&self, op: usize, (ring, model): &mut Self::State, step: &mut Step<'_, '_>) -> Checked<StepOutcome> {
        if op == 0 {
            let x = step.choices().byte();
            step.show_argument("x", || alloc::format!("{x}"));
            if ring.push(x) {
                model.pushed[model.n_pushed] = x;
                model.n_pushed += 1;
            }
            return Ok(StepOutcome::Done);
        }
        let expected = (model.n_popped < model.n_pushed).then(|| model.pushed[model.n_popped]);
        let answer = ring.pop();
        step.show_answer(|| alloc::format!("{answer:?}"));
        if answer != expected {
            let message = alloc::format!("pop() gave {answer:?}, and {expected:?} is right");
            return Err(Stop::fail(Failure::named("pop").saying(message)));
        }
        model.n_popped += usize::from(answer.is_some());
        Ok(StepOutcome::Done)
    }
}

/// Checks the ring, and says whether it holds.
fn check() -> bool {
    const MAX_STEPS: u64 = 16;
    const MAX_CHOICES: usize = 2 * MAX_STEPS as usize + 1;
    let settings = Settings { seed: 1, max_choices: MAX_CHOICES, ..Settings::default() };
    let property = |case: &mut Case<'_>| run_program(&Calls, Steps { min: 0, max: MAX_STEPS }, case);
    // Everything that the search and shrinking need is taken here.
    let mut workspace = Workspace::reserved(MAX_CHOICES, MAX_STEPS as usize + 1, 64);
    let mut execute = InProcess::new(property, unguarded);
    let report = run(&mut execute, &settings, &[], &mut NoHooks, &mut workspace);
    let Outcome::Falsified(found) = &report.outcome else {
        let _ = writeln!(Out, "passed {} programs", report.statistics.n_passed);
        return true;
    };
    let _ = writeln!(Out, "{}", found.failure.text);
    for step in &found.observed.steps {
        let argument = step.arguments.first().map_or("", |(_, value)| value.as_str());
        let arrow = if step.answer.is_empty() { "" } else { " -> " };
        let _ = writeln!(Out, "  {}({argument}){arrow}{}", step.name, step.answer);
    }
    let _ = writeln!(Out, "{} bytes of memory were used", USED.load(Ordering::Relaxed));
    false
}

// All the memory there is: handed out once, from the beginning to the end.

const N_BYTES: usize = 64 * 1024;

#[repr(align(16))]
struct Memory(UnsafeCell<[u8; N_BYTES]>);

// SAFETY: there is one thread.
unsafe impl Sync for Memory {}

static MEMORY: Memory = Memory(UnsafeCell::new([0; N_BYTES]));
static USED: AtomicUsize = AtomicUsize::new(0);

struct Bump;

// SAFETY: every piece lies within the memory, is aligned and is handed out once.
unsafe impl GlobalAlloc for Bump {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let from = USED.load(Ordering::Relaxed).next_multiple_of(layout.align().max(16));
        let to = from + layout.size();
        if to > N_BYTES {
            return core::ptr::null_mut();
        }
        USED.store(to, Ordering::Relaxed);
        MEMORY.0.get().cast::<u8>().wrapping_add(from)
    }

    unsafe fn dealloc(&self, _piece: *mut u8, _layout: Layout) {}
}

#[global_allocator]
static GLOBAL: Bump = Bump;

// The platform.

#[link(name = "c")]
unsafe extern "C" {
    fn write(file: c_int, bytes: *const c_void, n: usize) -> isize;
    fn abort() -> !;
}

struct Out;

impl Write for Out {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        // SAFETY: there are so many bytes.
        unsafe { write(1, text.as_ptr().cast(), text.len()) };
        Ok(())
    }
}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    let _ = writeln!(Out, "{info}");
    // SAFETY: it takes nothing.
    unsafe { abort() }
}

/// Named by precompiled parts of `core`; nothing unwinds here.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    c_int::from(!check())
}
