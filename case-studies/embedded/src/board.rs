//! Boards without an operating system, as QEMU emulates them: how an image is built for one, and how it is run.
//!
//! Knows compilers, options and emulators; knows nothing of what is tested. What a user would type is in
//! `docs/embedded.md`, and this does the same.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A board, and how to build for it.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// QEMU's name for it, with what tells it apart from others of that name.
    pub name: &'static str,
    /// Rust's name for its processor.
    pub target: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
    /// What of `crates/capi/boards` belongs to it.
    sources: &'static [&'static str],
    script: &'static str,
    emulator: &'static [&'static str],
}

const CORTEX_M: &[&str] = &["cortex-m.c", "jump.S", "semihosting.c"];
const RISCV: &[&str] = &["riscv.c", "riscv.S", "jump.S"];
const ARM_GCC: &str = "arm-none-eabi-gcc";
const RISCV_GCC: &str = "riscv64-unknown-elf-gcc";

const fn cortex_m(
    name: &'static str,
    target: &'static str,
    flags: &'static [&'static str],
    script: &'static str,
    emulator: &'static [&'static str],
) -> Board {
    Board { name, target, compiler: ARM_GCC, flags, sources: CORTEX_M, script, emulator }
}

const fn riscv(
    name: &'static str,
    target: &'static str,
    flags: &'static [&'static str],
    emulator: &'static [&'static str],
) -> Board {
    Board { name, target, compiler: RISCV_GCC, flags, sources: RISCV, script: "virt.ld", emulator }
}

/// A Cortex-M3 with 64 KB of memory.
pub const LM3S6965: Board = cortex_m(
    "lm3s6965evb",
    "thumbv7m-none-eabi",
    &["-mcpu=cortex-m3", "-mthumb"],
    "lm3s6965evb.ld",
    &["qemu-system-arm", "-M", "lm3s6965evb"],
);

/// A 32-bit RISC-V.
pub const RV32: Board = riscv(
    "virt (rv32imac)",
    "riscv32imac-unknown-none-elf",
    &["-march=rv32imac_zicsr", "-mabi=ilp32"],
    &["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
);

/// A Cortex-M3 with memory for FreeRTOS.
pub const AN385: Board = cortex_m(
    "mps2-an385",
    "thumbv7m-none-eabi",
    &["-mcpu=cortex-m3", "-mthumb", "-DBOARD_HZ=25000000u"],
    "mps2.ld",
    &["qemu-system-arm", "-M", "mps2-an385"],
);

/// The boards of all other targets.
pub const OTHERS: [Board; 9] = [
    cortex_m(
        "mps2-an385 (thumbv6m)",
        "thumbv6m-none-eabi",
        &["-mcpu=cortex-m0", "-mthumb"],
        "mps2.ld",
        &["qemu-system-arm", "-M", "mps2-an385"],
    ),
    cortex_m(
        "mps2-an386 (thumbv7em)",
        "thumbv7em-none-eabi",
        &["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=soft"],
        "mps2.ld",
        &["qemu-system-arm", "-M", "mps2-an386"],
    ),
    cortex_m(
        "mps2-an386 (thumbv7em, floats)",
        "thumbv7em-none-eabihf",
        &["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"],
        "mps2.ld",
        &["qemu-system-arm", "-M", "mps2-an386"],
    ),
    cortex_m(
        "mps2-an505 (thumbv8m.base)",
        "thumbv8m.base-none-eabi",
        &["-mcpu=cortex-m23", "-mthumb"],
        "mps2-an505.ld",
        &["qemu-system-arm", "-M", "mps2-an505"],
    ),
    cortex_m(
        "mps2-an505 (thumbv8m.main)",
        "thumbv8m.main-none-eabi",
        &["-mcpu=cortex-m33+nofp", "-mthumb", "-mfloat-abi=soft"],
        "mps2-an505.ld",
        &["qemu-system-arm", "-M", "mps2-an505"],
    ),
    riscv(
        "virt (rv32imc)",
        "riscv32imc-unknown-none-elf",
        &["-march=rv32imc_zicsr", "-mabi=ilp32"],
        &["qemu-system-riscv32", "-M", "virt", "-bios", "none"],
    ),
    riscv(
        "virt (rv64gc)",
        "riscv64gc-unknown-none-elf",
        &["-march=rv64gc", "-mabi=lp64d", "-mcmodel=medany", "-DMEMORY_KB=64"],
        &["qemu-system-riscv64", "-M", "virt", "-bios", "none"],
    ),
    Board {
        name: "virt (aarch64)",
        target: "aarch64-unknown-none",
        compiler: "clang",
        flags: &[
            "--target=aarch64-none-elf",
            "-fuse-ld=lld",
            "-mstrict-align",
            "-Wno-unused-command-line-argument",
            "-DNO_GUARD",
            "-DMEMORY_KB=64",
        ],
        sources: &["aarch64.c", "aarch64.S", "semihosting.c"],
        script: "aarch64.ld",
        emulator: &["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53"],
    },
    // Not emulated: this machine's processor, without an operating system's help but for two system calls.
    Board {
        name: "this processor",
        target: "x86_64-unknown-none",
        compiler: "gcc",
        flags: &["-static", "-mno-sse", "-msoft-float", "-DNO_GUARD", "-DMEMORY_KB=64"],
        sources: &["x86_64.c", "../freestanding/memory.c"],
        script: "",
        emulator: &[],
    },
];

/// How long a machine may take.
const LIMIT: Duration = Duration::from_secs(120);

/// What QEMU says about a timer that is off.
const NOISE: &str = "Timer with period zero, disabling";

/// What a machine said, and how it ended.
#[derive(Debug)]
pub struct Ended {
    /// What it wrote.
    pub text: String,
    /// Its exit code; none if it was ended from outside.
    pub code: Option<i32>,
}

/// The folder of the project.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Board {
    /// `libstairway.a` for it, by the command that users have.
    ///
    /// # Errors
    /// With what the command says.
    pub fn archive(&self, without: &[&str]) -> Result<PathBuf, String> {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["run", "--quiet", "--package", "xtask", "--", "capi", "--target", self.target]);
        if !without.is_empty() {
            cargo.args(["--without", &without.join(",")]);
        }
        let printed = output_of(cargo.current_dir(root()))?;
        Ok(PathBuf::from(printed.trim()))
    }

    /// Builds an image of these C files, in `folder`.
    ///
    /// # Errors
    /// With what the compiler says; a warning is an error.
    pub fn image(
        &self,
        archive: &Path,
        sources: &[PathBuf],
        flags: &[&str],
        to: &Path,
    ) -> Result<(), String> {
        let boards = root().join("crates/capi/boards");
        let mut compiler = Command::new(self.compiler);
        compiler.args([
            "-std=gnu99",
            "-Os",
            "-g",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-ffreestanding",
            "-fno-builtin",
        ]);
        compiler.args(["-ffunction-sections", "-fdata-sections", "-DBOARD"]).args(self.flags).args(flags);
        compiler.arg("-I").arg(root().join("crates/capi/include")).arg("-I").arg(&boards);
        compiler.args(sources).args(self.sources.iter().map(|source| boards.join(source))).arg(archive);
        compiler.args(["-nostartfiles", "-nostdlib", "-Wl,--gc-sections"]);
        if !self.script.is_empty() {
            compiler.arg("-L").arg(&boards).arg("-T").arg(boards.join(self.script));
        }
        if self.compiler != "clang" {
            compiler.args(["-Wl,--no-warn-rwx-segments", "-lgcc"]);
        }
        output_of(compiler.arg("-o").arg(to)).map(drop)
    }

    /// The command that runs an image.
    #[must_use]
    pub fn command(&self, image: &Path) -> Command {
        let Some((emulator, arguments)) = self.emulator.split_first() else { return Command::new(image) };
        let mut command = Command::new(emulator);
        command.args(arguments).args(["-nographic", "-monitor", "none"]);
        // Time is counted in instructions, so that a timer means the same on a busy machine.
        command.args(["-icount", "shift=4"]);
        if self.sources == RISCV {
            command.args(["-serial", "stdio"]);
        } else {
            command.args(["-serial", "none", "-semihosting-config", "enable=on,target=native"]);
        }
        command.arg("-kernel").arg(image);
        command
    }

    /// Runs an image to its end.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, image: &Path) -> Result<Ended, String> {
        self.run_with(image, |_| ())
    }

    /// The same, telling of each line as soon as it is there.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run_with(&self, image: &Path, mut tell: impl FnMut(&str)) -> Result<Ended, String> {
        let command = self.command(image);
        let mut limited = Command::new("timeout");
        limited.arg(LIMIT.as_secs().to_string()).arg(command.get_program()).args(command.get_args());
        let cannot = |error: std::io::Error| format!("cannot run {command:?}: {error}");
        // Semihosting writes to either of the two.
        let (output, both) = std::io::pipe().map_err(cannot)?;
        let errors = both.try_clone().map_err(cannot)?;
        let mut child = limited.stdout(both).stderr(errors).spawn().map_err(cannot)?;
        // It holds the other end of the pipe, which ends when nobody does.
        drop(limited);
        let mut text = String::new();
        for line in BufReader::new(output).lines() {
            let line = line.map_err(cannot)?;
            tell(&line);
            if line != NOISE {
                text.push_str(&line);
                text.push('\n');
            }
        }
        let status = child.wait().map_err(cannot)?;
        Ok(Ended { text, code: status.code() })
    }
}

/// What a command printed, or why it failed; a warning is a failure.
fn output_of(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let is_quiet = said.lines().all(|line| line.contains(".note.GNU-stack") || line.contains("NOTE:"));
    if output.status.success() && is_quiet {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?}: {}\n{said}", output.status))
    }
}
