//! Builds the chip's functions.

fn main() {
    println!("cargo:rerun-if-changed=c");
    cc::Build::new().file("c/flash.c").warnings_into_errors(true).compile("flash");
}
