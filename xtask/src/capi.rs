//! `cargo xtask capi`: `libstairway.a` for this machine, or for a processor without an operating system.
//!
//! Knows which targets there are, where a compiler for one can come from and what is missing where there is
//! none. The library is the same code everywhere; only how it is compiled differs.

use crate::steps::root;
use std::path::{Path, PathBuf};
use std::process::Command;

const USAGE: &str = "\
usage: cargo xtask capi [--target TARGET]… [--without FEATURES]

  --target TARGET      build for this target instead of this machine; may be given several times
  --without FEATURES   leave parts out to save program memory: shrinking, statistics, or both with a comma";

/// A target that the library is built for.
struct Target {
    name: &'static str,
    /// How large the code may be is more important there than how fast it is.
    is_small: bool,
    /// Programs that can copy its object files, the first that is installed is taken.
    objcopy: &'static [&'static str],
}

const ARM: &[&str] = &["arm-none-eabi-objcopy", "llvm-objcopy", "rust-objcopy"];
const RISCV: &[&str] = &["riscv64-unknown-elf-objcopy", "llvm-objcopy", "rust-objcopy"];
const AARCH64: &[&str] = &["aarch64-none-elf-objcopy", "aarch64-linux-gnu-objcopy", "llvm-objcopy"];

const fn small(name: &'static str, objcopy: &'static [&'static str]) -> Target {
    Target { name, is_small: true, objcopy }
}

const fn large(name: &'static str, objcopy: &'static [&'static str]) -> Target {
    Target { name, is_small: false, objcopy }
}

const TARGETS: [Target; 11] = [
    small("thumbv6m-none-eabi", ARM),
    small("thumbv7m-none-eabi", ARM),
    small("thumbv7em-none-eabi", ARM),
    small("thumbv7em-none-eabihf", ARM),
    small("thumbv8m.base-none-eabi", ARM),
    small("thumbv8m.main-none-eabi", ARM),
    small("riscv32imc-unknown-none-elf", RISCV),
    small("riscv32imac-unknown-none-elf", RISCV),
    large("riscv64gc-unknown-none-elf", RISCV),
    large("aarch64-unknown-none", AARCH64),
    large("x86_64-unknown-none", &["objcopy", "llvm-objcopy"]),
];

/// Symbols that precompiled parts of Rust's libraries name, and what to put in their place. Nothing unwinds,
/// and `bcmp` is one function less to ask of a platform. Named so, they cannot get in the way of a
/// C++ program's own.
const RENAMED: [(&str, &str); 3] = [
    ("_Unwind_Resume", "stairway_never_unwinds"),
    ("rust_eh_personality", "stairway_no_personality"),
    ("bcmp", "memcmp"),
];

/// Intermediate code for link-time optimisation by rustc; other compilers' linkers stumble over it.
const BITCODE: [&str; 2] = [".llvmbc", ".llvmcmd"];

/// What can be left out.
const FEATURES: [&str; 2] = ["shrinking", "statistics"];

/// Builds what the arguments ask for and prints where it is, a line for each.
pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    let wanted = Wanted::parse(arguments)?;
    if wanted.targets.is_empty() {
        println!("{}", build(&Archive::for_host(&wanted.without))?.display());
    }
    for target in &wanted.targets {
        println!("{}", build(&Archive::for_target(target, &wanted.without)?)?.display());
    }
    Ok(())
}

/// The arguments, understood.
#[derive(Default)]
struct Wanted {
    targets: Vec<&'static Target>,
    without: Vec<String>,
}

impl Wanted {
    fn parse(arguments: &[String]) -> Result<Wanted, String> {
        let mut wanted = Wanted::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let (option, value) = match word.split_once('=') {
                Some((option, value)) => (option, Some(value.to_string())),
                None => (word.as_str(), words.next().cloned()),
            };
            match (option, value) {
                ("--target", Some(name)) => wanted.targets.push(target(&name)?),
                ("--without", Some(names)) => {
                    wanted.without = names.split(',').map(feature).collect::<Result<_, _>>()?;
                }
                _ => return Err(USAGE.to_string()),
            }
        }
        Ok(wanted)
    }
}

fn target(name: &str) -> Result<&'static Target, String> {
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
        let known: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("there is no target `{name}`; there are:\n  {}", known.join("\n  "))
    })
}

fn feature(name: &str) -> Result<String, String> {
    if FEATURES.contains(&name) {
        Ok(name.to_string())
    } else {
        Err(format!("there is no feature `{name}` to leave out; there are: {}", FEATURES.join(", ")))
    }
}

/// One library: how it is compiled, and where it is put.
struct Archive {
    target: Option<&'static Target>,
    toolchain: Toolchain,
    features: Vec<&'static str>,
    folder: PathBuf,
}

impl Archive {
    fn for_host(without: &[String]) -> Archive {
        let toolchain = Toolchain::precompiled(env!("CARGO"));
        Archive { target: None, toolchain, features: features(without), folder: folder("", without) }
    }

    fn for_target(target: &'static Target, without: &[String]) -> Result<Archive, String> {
        let toolchain = Toolchain::find(target.name)?;
        let folder = folder(target.name, without);
        Ok(Archive { target: Some(target), toolchain, features: features(without), folder })
    }
}

fn features(without: &[String]) -> Vec<&'static str> {
    FEATURES.into_iter().filter(|feature| without.iter().all(|left_out| left_out != feature)).collect()
}

/// Where a library is put: for each target and selection another folder, so that none is taken for another.
fn folder(target: &str, without: &[String]) -> PathBuf {
    let shared = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut name: Vec<&str> = vec![target];
    name.extend(without.iter().map(String::as_str));
    let name = name.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
    shared.join("capi").join(name.join("-without-"))
}

/// A compiler that can build for a target.
#[derive(Debug)]
struct Toolchain {
    cargo: PathBuf,
    /// The compiler to use instead of cargo's own.
    rustc: Option<PathBuf>,
    /// Whether `core` and `alloc` are to be compiled too.
    builds_core: bool,
}

impl Toolchain {
    fn precompiled(cargo: &str) -> Toolchain {
        Toolchain { cargo: cargo.into(), rustc: None, builds_core: false }
    }

    /// The first of these: an installed target, sources of `core` beside this compiler, those of Debian's
    /// compiler.
    fn find(target: &str) -> Result<Toolchain, String> {
        if let Some(sysroot) = sysroot(Path::new("rustc")) {
            if sysroot.join("lib/rustlib").join(target).join("lib").is_dir() {
                return Ok(Toolchain::precompiled(env!("CARGO")));
            }
            if has_sources(&sysroot) {
                return Ok(Toolchain { builds_core: true, ..Toolchain::precompiled(env!("CARGO")) });
            }
        }
        let (cargo, rustc) = (PathBuf::from("/usr/bin/cargo"), PathBuf::from("/usr/bin/rustc"));
        match sysroot(&rustc) {
            Some(sysroot) if cargo.is_file() && has_sources(&sysroot) => {
                Ok(Toolchain { cargo, rustc: Some(rustc), builds_core: true })
            }
            _ => Err(missing(target)),
        }
    }
}

/// Whether something here can build for a target.
pub(crate) fn can_build_for(target: &str) -> bool {
    Toolchain::find(target).is_ok()
}

/// What to do where nothing can build for a target.
fn missing(target: &str) -> String {
    format!(
        "nothing here can build for {target}; either of these helps:

    rustup target add {target}
    rustup component add rust-src
    sudo apt-get install --no-install-recommends rustc-web cargo-web rust-web-src   (Debian 12 and later)"
    )
}

/// Where a compiler keeps its libraries.
fn sysroot(rustc: &Path) -> Option<PathBuf> {
    let output = Command::new(rustc).args(["--print", "sysroot"]).current_dir(root()).output().ok()?;
    let printed = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| PathBuf::from(printed.trim()))
}

fn has_sources(sysroot: &Path) -> bool {
    sysroot.join("lib/rustlib/src/rust/library/core/Cargo.toml").is_file()
}

/// Builds a library and returns where it is.
fn build(archive: &Archive) -> Result<PathBuf, String> {
    let Archive { target, toolchain, features, folder } = archive;
    // `core` is the same whatever is left out of the library: it is compiled once for each target.
    let shared = self::folder(target.map_or("", |target| target.name), &[]);
    let mut cargo = Command::new(&toolchain.cargo);
    cargo.args(["build", "--quiet", "--manifest-path"]).arg(root().join("crates/capi/archive/Cargo.toml"));
    cargo.args(["--no-default-features", "--features", &features.join(",")]).arg("--target-dir").arg(&shared);
    let profile = if target.is_some_and(|target| target.is_small) { "small" } else { "release" };
    cargo.args(["--profile", profile]);
    if let Some(target) = target {
        cargo.args(["--target", target.name]);
    }
    if let Some(rustc) = &toolchain.rustc {
        // Variables with which rustup or an outer cargo selects its own compiler are not for this one.
        cargo.env("RUSTC", rustc).env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTDOC");
    }
    if toolchain.builds_core {
        // The option is unstable because of what it may become; stable compilers have it under this variable.
        cargo.arg("-Zbuild-std=core,alloc").env("RUSTC_BOOTSTRAP", "1");
    }
    for variable in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER"] {
        cargo.env_remove(variable);
    }
    succeeded("cargo", cargo.status())?;
    let built = shared.join(target.map_or("", |target| target.name)).join(profile).join("libstairway.a");
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let finished = folder.join("libstairway.a");
    finish(*target, &built, &finished)?;
    Ok(finished)
}

/// Makes what was built independent of Rust: see [`RENAMED`] and [`BITCODE`].
fn finish(target: Option<&Target>, built: &Path, finished: &Path) -> Result<(), String> {
    let candidates = target.map_or(&["objcopy"][..], |target| target.objcopy);
    let Some(program) = candidates.iter().find(|program| crate::setup::is_installed(program)) else {
        return Err(format!("none of these is installed, and one is needed: {}", candidates.join(", ")));
    };
    let mut objcopy = Command::new(program);
    for (name, instead) in RENAMED {
        objcopy.arg("--redefine-sym").arg(format!("{name}={instead}"));
    }
    for section in BITCODE {
        objcopy.arg("--remove-section").arg(section);
    }
    // In one step, because somebody may be linking with the library that is there.
    #[allow(
        clippy::disallowed_methods,
        reason = "two builds at once need files of their own; nothing depends on the name"
    )]
    let new = finished.with_extension(format!("{}.new", std::process::id()));
    succeeded(program, objcopy.arg(built).arg(&new).status())?;
    std::fs::rename(&new, finished).map_err(|error| format!("cannot write {}: {error}", finished.display()))
}

fn succeeded(program: &str, status: std::io::Result<std::process::ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{program} failed: {status}")),
        Err(error) => Err(format!("cannot run {program}: {error}; install binutils and Rust")),
    }
}
