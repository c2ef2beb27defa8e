//! Small pieces of assembly that stand in for functions which are not there, or not ours, and the linker
//! script that spaces variables.
//!
//! Writes assembly for a list of names. Each piece begins with the same padding as a compiled function, so
//! that it can be intercepted like one.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::PADDING;

/// Bytes behind each variable that belong to nobody.
const RED_ZONE: u64 = 64;

/// Definitions of missing names: reaching one names it, in code as in data.
pub(super) fn missing(names: &[String]) -> String {
    let mut text = String::from(".section stairway_stubs,\"ax\",@progbits\n");
    for (k, name) in names.iter().enumerate() {
        let _ = writeln!(
            text,
            ".globl {name}\n.type {name}, @function\n{name}:\n.fill {PADDING}, 1, 0x90\n\
             lea .Lname{k}(%rip), %rdi\njmp stairway_missing\n.size {name}, . - {name}"
        );
    }
    text.push_str(".section .rodata\n");
    for (k, name) in names.iter().enumerate() {
        let _ = writeln!(text, ".Lname{k}: .asciz \"{name}\"");
    }
    text + ".section .note.GNU-stack,\"\",@progbits\n"
}

/// Functions of libraries behind padding of our own.
pub(super) fn thunks(names: &[String]) -> String {
    let mut text = String::from(".text\n");
    for name in names {
        let _ = writeln!(
            text,
            ".globl __wrap_{name}\n.type __wrap_{name}, @function\n__wrap_{name}:\n.fill {PADDING}, 1, 0x90\n\
             jmp *__real_{name}@GOTPCREL(%rip)\n.size __wrap_{name}, . - __wrap_{name}"
        );
    }
    text + ".section .note.GNU-stack,\"\",@progbits\n"
}

/// Sections with variables, initialised and zeroed, each followed by a red zone.
pub(super) fn spacing(data: &[(PathBuf, String)], zeroed: &[(PathBuf, String)]) -> String {
    let mut text = String::new();
    for (name, after, sections) in [(".stairway_data", ".data", data), (".stairway_bss", ".bss", zeroed)] {
        if sections.is_empty() {
            continue;
        }
        let _ = writeln!(text, "SECTIONS {{ {name} : {{");
        for (file, section) in sections {
            let _ = writeln!(text, "\"{}\"({section}) . = ALIGN(16); . += {RED_ZONE};", file.display());
        }
        let _ = writeln!(text, "}} }} INSERT AFTER {after};");
    }
    text
}
