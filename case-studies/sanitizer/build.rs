//! Compiles the ring buffer, once as it should be and once for each planted mistake, with AddressSanitizer.

use std::path::Path;
use std::process::Command;

const PLANTED: [&str; 4] = ["RIGHT", "OVERRUN", "LEAK", "USE_AFTER_FREE"];

fn main() {
    println!("cargo:rerun-if-changed=c/ring.c");
    println!("cargo:rustc-check-cfg=cfg(has_sanitizer)");
    let has_sanitizer = has_sanitizer();
    if has_sanitizer {
        println!("cargo:rustc-cfg=has_sanitizer");
        // The sanitizer's runtime, as a library: rustc links without the compiler's own, so `-fsanitize=address` alone has no effect.
        println!("cargo:rustc-link-lib=asan");
    } else {
        println!("cargo:warning=the C compiler cannot link with -fsanitize=address: install libasan");
    }
    for planted in PLANTED {
        let prefix = planted.to_lowercase();
        let mut build = cc::Build::new();
        build.file("c/ring.c").debug(true).opt_level(1).define("PREFIX", &*prefix);
        build.define(&format!("PLANTED_{planted}"), None);
        if has_sanitizer {
            build.flag("-fsanitize=address").flag("-fno-omit-frame-pointer");
        }
        build.compile(&format!("ring_{prefix}"));
    }
}

/// Whether a program can be linked so.
fn has_sanitizer() -> bool {
    let folder = std::env::var_os("OUT_DIR").unwrap_or_default();
    let (file, program) = (Path::new(&folder).join("probe.c"), Path::new(&folder).join("probe"));
    if std::fs::write(&file, "int main(void) { return 0; }\n").is_err() {
        return false;
    }
    let compiler = cc::Build::new().get_compiler();
    let done = Command::new(compiler.path())
        .arg("-fsanitize=address")
        .arg(&file)
        .arg("-lasan")
        .arg("-o")
        .arg(&program)
        .status();
    done.is_ok_and(|status| status.success())
}
