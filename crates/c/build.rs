//! Compiles the runtime that is linked into every object under test, and tells the crate where it is, and what its stored files
//! look like.

fn main() {
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-env-changed=STAIRWAY_UNSUPPORTED");
    println!("cargo:rustc-env=C_FORMAT={:016x}", format_of_stored_files());
    println!("cargo:rustc-check-cfg=cfg(stairway_unsupported)");
    let target = |what: &str| std::env::var(what).unwrap_or_default();
    let is_known = target("CARGO_CFG_TARGET_OS") == "linux"
        && target("CARGO_CFG_TARGET_ARCH") == "x86_64"
        && target("CARGO_CFG_TARGET_POINTER_WIDTH") == "64";
    // The variable is for checking here that the crates build elsewhere.
    if !is_known || std::env::var_os("STAIRWAY_UNSUPPORTED").is_some() {
        println!("cargo:rustc-cfg=stairway_unsupported");
        return;
    }
    let objects = cc::Build::new()
        .file("runtime/runtime.c")
        .std("gnu11")
        // The runtime is on the way of every access of the code under test, in debug builds of Stairway too.
        .opt_level(2)
        .debug(false)
        .pic(true)
        .flag("-fvisibility=hidden")
        .flag("-fno-builtin")
        .flag("-fno-stack-protector")
        .flag("-fcf-protection=none")
        .flag("-U_FORTIFY_SOURCE")
        .flag_if_supported("-Wno-prio-ctor-dtor")
        .compile_intermediates();
    println!("cargo:rustc-env=C_RUNTIME_OBJECT={}", objects[0].display());
}

/// A hash of the sources that say what is stored in files for other processes: two builds whose hashes are equal can
/// read each other's. The types of C programs are in a package beside this one while that is not published, and
/// later its version is this one's.
fn format_of_stored_files() -> u64 {
    let mut files = Vec::new();
    for folder in ["src", "../c-types/src"] {
        println!("cargo:rerun-if-changed={folder}");
        collect(std::path::Path::new(folder), &mut files);
    }
    files.sort();
    let texts = files.iter().filter_map(|path| std::fs::read(path).ok());
    // FNV-1a: the standard library's hash may change with the compiler.
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    texts.fold(0xcbf2_9ce4_8422_2325, |hash, text| text.into_iter().fold(hash, step))
}

fn collect(folder: &std::path::Path, files: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
