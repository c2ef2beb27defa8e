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
const MACHINE: [&str; 8] = ["boot.S", "trap.S", "image.c", "main.c", "serial.c", "timer.c", "trap.c", "vm.c"];

/// What user programs share.
const LIBRARY: [&str; 2] = ["syscalls.c", "threads.c"];

/// What only the tester needs.
const TESTER: [&str; 11] = [
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
    "world.c",
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

impl Program {
    /// The properties, with the library as `cargo xtask capi` builds it.
    ///
    /// # Errors
    /// What cargo says.
    pub fn tester() -> Result<Program, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo).args(["xtask", "capi"]).current_dir(&root).output();
        let built = built.map_err(|error| format!("cannot run cargo: {error}"))?;
        let said = String::from_utf8_lossy(&built.stdout);
        match said.lines().last() {
            Some(path) if built.status.success() => {
                Ok(Program::Tester { archive: root.join(path), header: root.join("crates/capi/include") })
            }
            _ => Err(format!("cargo xtask capi failed:\n{}", String::from_utf8_lossy(&built.stderr))),
        }
    }
}

/// The study compiled, for one program; bugs are planted when it is linked.
#[derive(Clone, Debug)]
pub struct Parts {
    program: Program,
    folder: PathBuf,
}

impl Parts {
    /// Compiles the kernel and a user program into an existing folder.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn compile(program: Program, folder: &Path) -> Result<Parts, String> {
        let parts = Parts { program, folder: folder.to_path_buf() };
        let mut kernel = parts.compiler();
        kernel.args(BARE).args(IN_KERNEL).args(["-r", "-o"]).arg(parts.path("kernel.o"));
        run(kernel.args(paths("kernel", &PORTABLE)).args(paths("kernel", &MACHINE)))?;
        let mut user = parts.compiler();
        user.args(BARE).args(["-r", "-o"]).arg(parts.path("user.o"));
        run(user.args(paths("user", &["start.S", "memory.c"])).args(parts.user_sources()))?;
        Ok(parts)
    }

    /// The image that QEMU boots, with a bug from `include/planted.h` or with `NO_BUG`.
    ///
    /// # Errors
    /// What the compiler and the linker say.
    pub fn image(&self, bug: &str) -> Result<PathBuf, String> {
        // The image contains the program by this name, so each bug has a folder for it.
        let folder = self.path(bug);
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make a folder: {error}"))?;
        let mut program = self.linker(bug);
        program.args(BARE).arg("-Wl,-T,user/link.ld").arg("-o").arg(folder.join("user.elf"));
        run(program.arg(self.path("user.o")).args(self.archive()))?;

        let image = folder.join("image.elf");
        let mut kernel = self.linker(bug);
        let mut assembler = OsString::from("-Wa,-I");
        assembler.push(&folder);
        kernel.args(BARE).args(IN_KERNEL).arg(assembler).arg("-Wl,-T,kernel/link.ld").arg("-o").arg(&image);
        run(kernel.arg("kernel/image.S").arg(self.path("kernel.o")))?;
        Ok(image)
    }

    /// The same kernel and program as a program for Linux.
    ///
    /// # Errors
    /// What the compiler says.
    pub fn for_linux(&self, bug: &str) -> Result<PathBuf, String> {
        let here = self.path(&format!("{bug}.linux"));
        let mut compiler = self.linker(bug);
        // Undefined behaviour, which a bare machine passes over in silence, ends the program.
        compiler.args(["-fsanitize=undefined", "-fno-sanitize-recover=all"]);
        compiler.arg("-o").arg(&here).arg("host/machine.c");
        run(compiler.args(paths("kernel", &PORTABLE)).args(self.user_sources()).args(self.archive()))?;
        Ok(here)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn compiler(&self) -> Command {
        let mut compiler = Command::new("cc");
        compiler.current_dir(env!("CARGO_MANIFEST_DIR")).args(STRICT).arg("-Iinclude");
        compiler
    }

    /// A compiler that is given what says which bug is there.
    fn linker(&self, bug: &str) -> Command {
        let mut linker = self.compiler();
        linker.arg(format!("-DPLANTED_BUG={bug}")).arg("include/planted.c");
        linker
    }

    /// The program's own sources, and where their headers are.
    fn user_sources(&self) -> Vec<OsString> {
        let mut sources = paths("user", &LIBRARY);
        match &self.program {
            Program::Walk => sources.push("user/walk.c".into()),
            Program::Tester { header, .. } => {
                let mut include = OsString::from("-I");
                include.push(header);
                sources.push(include);
                sources.extend(paths("user", &TESTER));
            }
        }
        sources
    }

    /// The library behind the program, if it has one.
    fn archive(&self) -> Option<&Path> {
        match &self.program {
            Program::Walk => None,
            Program::Tester { archive, .. } => Some(archive),
        }
    }
}

fn run(compiler: &mut Command) -> Result<(), String> {
    let output = compiler.output().map_err(|error| format!("cannot run cc: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the study does not compile:\n{}", String::from_utf8_lossy(&output.stderr)))
}

fn paths(folder: &str, names: &[&str]) -> Vec<OsString> {
    names.iter().map(|name| Path::new(folder).join(name).into_os_string()).collect()
}
