//! Hands the place of FreeRTOS' C sources, which the crate `freertos-next` carries, on to the tests.

fn main() {
    let kernel = std::env::var("DEP_FREERTOS_KERNEL").unwrap_or_default();
    println!("cargo:rustc-env=FREERTOS_KERNEL={kernel}");
    println!("cargo:rerun-if-changed=build.rs");
}
