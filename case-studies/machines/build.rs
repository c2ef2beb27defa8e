//! Builds the C part with the compiler that is there.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=src/motor.c");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo says where"));
    let object = out.join("motor.o");
    let run =
        |command: &mut Command| assert!(command.status().is_ok_and(|s| s.success()), "{command:?} failed");
    run(Command::new("cc").args(["-c", "src/motor.c", "-o"]).arg(&object));
    run(Command::new("ar").arg("rcs").arg(out.join("libmotor.a")).arg(&object));
    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-lib=static=motor");
}
