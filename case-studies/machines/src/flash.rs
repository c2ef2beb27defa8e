//! A machine that decides which calls of C functions are valid: a chip that keeps words.

use crate::Bug;
use stairway::prelude::*;

/// A chip with a page of two words.
#[machine(start = Locked)]
pub mod flash {
    pub enum State {
        Locked,
        Unlocked,
        Erased {
            #[tracked(0..=2)]
            free: u8,
        },
        LockedOut,
        #[terminal]
        Worn,
    }

    pub enum Op {
        Unlock {
            key: u16,
            ret: Lock,
        },
        Erase,
        #[weight(3)]
        Write {
            word: u8,
            ret: ReadBack,
        },
        Lock,
        PowerOn,
    }

    pub enum Lock {
        Opened,
        Jammed,
    }

    pub enum ReadBack {
        Same,
        Other,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Locked, Unlock { key, ret: Opened }) if key == 0x4567 => Unlocked,
            (Locked, Unlock { key, ret: Jammed }) if key != 0x4567 => LockedOut,
            (LockedOut, PowerOn) => Locked,
            (Unlocked | Erased { .. }, Erase) => Erased { free: 2 },
            (Erased { free }, Write { ret: Same, .. }) if free > 0 => Erased { free: free - 1 },
            (Erased { free }, Write { ret: Other, .. }) if free > 0 => Worn,
            (Unlocked | Erased { .. }, Lock) => Locked,
        }
    }
}

temporal! {
    /// Nobody writes without the key, however often the chip was open before.
    pub the_key_comes_first in flash: always(implies(at(Locked), or(
        until(not(after(Write { .. })), after(Unlock { key: 0x4567, ret: Opened })),
        always(not(after(Write { .. }))))))
}
temporal! { pub a_wrong_key_is_no_end in flash: always(implies(at(LockedOut), within(1, at(Locked)))) }
temporal! { pub pages_are_full_soon in flash: always(implies(after(Write { .. }), at(Erased { free: 0..=1 } | Worn))) }
temporal! {
    /// What is read back is what was written.
    pub does_not_wear in flash, driven: always(not(at(Worn)))
}

/// `struct flash`.
#[repr(C)]
#[derive(Debug)]
pub struct Chip {
    page: [u8; 2],
    used: u8,
    is_unlocked: bool,
    is_locked_out: bool,
    erases_too_little: bool,
}

// SAFETY: these are the declarations of `c/flash.h`, which keep to the struct. `flash_write` does so as
// long as it is called when the machine allows it, and so is not called from anywhere else.
unsafe extern "C" {
    safe fn flash_power_on(flash: &mut Chip);
    safe fn flash_unlock(flash: &mut Chip, key: u16) -> i32;
    safe fn flash_erase(flash: &mut Chip);
    safe fn flash_write(flash: &mut Chip, word: u8) -> i32;
    safe fn flash_lock(flash: &mut Chip);
}

impl Chip {
    #[must_use]
    pub fn new(bug: Bug) -> Chip {
        let erases_too_little = bug == Bug::Planted;
        Chip { page: [0xff; 2], used: 0, is_unlocked: false, is_locked_out: false, erases_too_little }
    }
}

impl flash::Driver for Chip {
    fn unlock(&mut self, key: u16) -> flash::Lock {
        if flash_unlock(self, key) == 0 { flash::Lock::Opened } else { flash::Lock::Jammed }
    }

    fn erase(&mut self) {
        flash_erase(self);
    }

    fn write(&mut self, word: u8) -> flash::ReadBack {
        if flash_write(self, word) == 0 { flash::ReadBack::Same } else { flash::ReadBack::Other }
    }

    fn lock(&mut self) {
        flash_lock(self);
    }

    fn power_on(&mut self) {
        flash_power_on(self);
    }
}
