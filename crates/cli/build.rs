//! Tells the command whether C can be tested on the target; the same question as in `crates/c/build.rs`.

fn main() {
    println!("cargo:rerun-if-env-changed=STAIRWAY_UNSUPPORTED");
    println!("cargo:rustc-check-cfg=cfg(stairway_unsupported)");
    let target = |what: &str| std::env::var(what).unwrap_or_default();
    let is_known = target("CARGO_CFG_TARGET_OS") == "linux"
        && target("CARGO_CFG_TARGET_ARCH") == "x86_64"
        && target("CARGO_CFG_TARGET_POINTER_WIDTH") == "64";
    if !is_known || std::env::var_os("STAIRWAY_UNSUPPORTED").is_some() {
        println!("cargo:rustc-cfg=stairway_unsupported");
    }
}
