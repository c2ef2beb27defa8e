//! The C compiler's part: a kernel with a user program in it as one image, or all of it for Linux.
//!
//! Receives which program, which planted bug and where to; hands on the path of a file. Does not run it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Warnings are errors everywhere.
const STRICT: [&str; 8] = [
    "-std=c11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wmissing-prototypes",
    "-Wstrict-prototypes",
    // A file of the study may be shown in messages of the library: where it was built must not.
    "-ffile-prefix-map=./=",
];

/// Without an operating system, and at fixed addresses.
const BARE: [&str; 9] = [
    "-ffreestanding",
    "-fno-stack-protector",
    // Our memcpy must not become a call of memcpy.
    "-fno-tree-loop-distribute-patterns",
    "-fno-pie",
    "-no-pie",
    "-nostdlib",
    "-static",
    "-Wl,--build-id=none",
    // The kernel is one segment on purpose; user programs have their own rights.
    "-Wl,--no-warn-rwx-segments",
];

/// The kernel must leave alone what it does not save when it is entered.
const IN_KERNEL: [&str; 2] = ["-mno-red-zone", "-mgeneral-regs-only"];

/// What of the kernel knows no machine.
const PORTABLE: [&str; 5] = ["calls.c", "caps.c", "ipc.c", "sched.c", "threads.c"];

/// The kernel's part of the machine.
const MACHINE: [&str; 9] =
    ["boot.S", "image.S", "trap.S", "image.c", "main.c", "serial.c", "timer.c", "trap.c", "vm.c"];

/// What user programs share.
const LIBRARY: [&str; 2] = ["syscalls.c", "threads.c"];

/// What only the tester needs.
const TESTER: [&str; 10] = [
    "guard.c",
    "main.c",
    "kernel_set.c",
    "memory_properties.c",
    "message_properties.c",
    "queue.c",
    "queue_properties.c",
    "schedule_properties.c",
    "thread_properties.c",
    "workers.c",
];

/// A user program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// A walk through the system calls, which needs no library.
    Walk,
    /// The properties, with the library that runs them.
    Tester {
        /// `libstairway.a`.
        archive: PathBuf,
        /// The folder of `stairway.h`.
        header: PathBuf,
    },
}

/// What is built, and where to.
#[derive(Clone, Debug)]
pub struct Build {
    /// The user program.
    pub program: Program,
    /// A name from `include/planted.h`, or `NO_BUG`.
    pub bug: String,
    /// An existing folder.
    pub folder: PathBuf,
}

impl Build {
    /// The image that QEMU boots.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn image(&self) -> Result<PathBuf, String> {
        // The image contains the program by this name, so each build has a folder for it.
        let parts = self.folder.join(format!("{}.parts", self.bug));
        std::fs::create_dir_all(&parts).map_err(|error| format!("cannot make a folder: {error}"))?;
        let mut program = self.compiler();
        program.args(BARE).arg("-Wl,-T,user/link.ld").arg("-o").arg(parts.join("user.elf"));
        program.args(paths("user", &["start.S", "memory.c"])).args(self.user_sources());
        self.run(program)?;

        let image = self.folder.join(format!("{}.elf", self.bug));
        let mut kernel = self.compiler();
        let mut assembler = OsString::from("-Wa,-I");
        assembler.push(&parts);
        kernel.args(BARE).args(IN_KERNEL).arg(assembler).arg("-Wl,-T,kernel/link.ld").arg("-o").arg(&image);
        kernel.args(paths("kernel", &PORTABLE)).args(paths("kernel", &MACHINE));
        self.run(kernel)?;
        Ok(image)
    }

    /// The same kernel and program as a program for Linux.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn for_linux(&self) -> Result<PathBuf, String> {
        let here = self.folder.join(format!("{}.linux", self.bug));
        let mut compiler = self.compiler();
        compiler.arg("-o").arg(&here).arg("host/machine.c");
        compiler.args(paths("kernel", &PORTABLE)).args(self.user_sources());
        self.run(compiler)?;
        Ok(here)
    }

    fn compiler(&self) -> Command {
        let mut compiler = Command::new("cc");
        compiler.current_dir(env!("CARGO_MANIFEST_DIR")).args(STRICT).arg("-Iinclude");
        compiler.arg(format!("-DPLANTED_BUG={}", self.bug));
        compiler
    }

    /// The program's sources, and the library behind them.
    fn user_sources(&self) -> Vec<OsString> {
        let mut sources = paths("user", &LIBRARY);
        match &self.program {
            Program::Walk => sources.push("user/walk.c".into()),
            Program::Tester { archive, header } => {
                let mut include = OsString::from("-I");
                include.push(header);
                sources.push(include);
                sources.extend(paths("user", &TESTER));
                sources.push("user/world.c".into());
                sources.push(archive.into());
            }
        }
        sources
    }

    fn run(&self, mut compiler: Command) -> Result<(), String> {
        let output = compiler.output().map_err(|error| format!("cannot run cc: {error}"))?;
        if output.status.success() {
            return Ok(());
        }
        Err(format!("{} does not compile:\n{}", self.bug, String::from_utf8_lossy(&output.stderr)))
    }
}

fn paths(folder: &str, names: &[&str]) -> Vec<OsString> {
    names.iter().map(|name| Path::new(folder).join(name).into_os_string()).collect()
}
