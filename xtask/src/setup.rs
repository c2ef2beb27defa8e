//! What the tests need beside Rust and a C compiler: installed where we may, named where not.

use std::path::Path;
use std::process::{Command, Stdio};

/// A program the tests call, and the Debian package that has it.
struct Needed {
    program: &'static str,
    package: &'static str,
}

const NEEDED: [Needed; 12] = [
    Needed { program: "cc", package: "gcc" },
    // The header for C is compiled by every compiler that there is.
    Needed { program: "g++", package: "g++" },
    Needed { program: "clang", package: "clang" },
    // Objects under test are linked by whichever linker the user names.
    Needed { program: "ld.lld", package: "lld" },
    Needed { program: "mold", package: "mold" },
    Needed { program: "objcopy", package: "binutils" },
    // Tests of isolation and of interrupted runs send signals with it.
    Needed { program: "kill", package: "procps" },
    // The case study of a kernel boots on a machine of its own.
    Needed { program: "qemu-system-x86_64", package: "qemu-system-x86" },
    // The embedded case study runs on boards without an operating system.
    Needed { program: "arm-none-eabi-gcc", package: "gcc-arm-none-eabi" },
    Needed { program: "riscv64-unknown-elf-gcc", package: "gcc-riscv64-unknown-elf" },
    Needed { program: "qemu-system-arm", package: "qemu-system-arm" },
    Needed { program: "qemu-system-riscv32", package: "qemu-system-misc" },
];

/// A compiler with the sources of `core`, for targets that are not installed; beside rustup, which stays
/// first in the path.
const COMPILER: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "libstd-rust-web-dev"];

/// The targets that the tests build the C library for.
const TARGETS: [&str; 2] = ["thumbv7m-none-eabi", "riscv32imac-unknown-none-elf"];

/// How often an installation is tried.
const N_ATTEMPTS: usize = 3;

/// Makes sure that everything needed is there.
pub(crate) fn run() -> Result<(), String> {
    let mut missing: Vec<&str> =
        NEEDED.iter().filter(|needed| !is_installed(needed.program)).map(|needed| needed.package).collect();
    if !TARGETS.iter().all(|target| crate::capi::can_build_for(target)) {
        missing.extend(COMPILER);
    }
    if missing.is_empty() {
        return Ok(());
    }
    let by_hand = format!("sudo apt-get install --no-install-recommends {}", missing.join(" "));
    if !may_install() {
        return Err(format!("the tests need what is not installed here; please run\n\n    {by_hand}"));
    }
    eprintln!("installing {}", missing.join(" "));
    let install = |arguments: &[&str]| {
        let status =
            Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive").status();
        status.is_ok_and(|status| status.success())
    };
    let mut arguments = vec!["install", "-y", "--no-install-recommends"];
    arguments.extend(&missing);
    // A mirror that does not answer may answer the next time.
    if (0..N_ATTEMPTS).any(|_| install(&["update"]) && install(&arguments)) {
        Ok(())
    } else {
        Err(format!("could not install what the tests need; please run\n\n    {by_hand}"))
    }
}

/// Whether a program can be found.
pub(crate) fn is_installed(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Root on a machine with apt may install; everybody else is told what to do.
fn may_install() -> bool {
    let is_root = Command::new("id").arg("-u").stderr(Stdio::null()).output();
    let is_root = is_root.is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    is_root && Path::new("/usr/bin/apt-get").exists()
}
