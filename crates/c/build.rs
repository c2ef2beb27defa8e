//! Compiles the runtime that is linked into every object under test, and tells the crate where it is.

fn main() {
    println!("cargo:rerun-if-changed=runtime");
    println!("cargo:rerun-if-env-changed=STAIRWAY_UNSUPPORTED");
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
