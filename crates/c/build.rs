//! Compiles the runtime that is linked into every object under test, and tells the crate where it is.

fn main() {
    println!("cargo:rerun-if-changed=runtime");
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
