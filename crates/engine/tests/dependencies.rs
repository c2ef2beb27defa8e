//! The engine depends on crates of this workspace only.

use std::process::Command;

#[test]
fn nothing_foreign_is_below_the_engine() {
    let arguments = ["tree", "--package", "stairway-engine", "--edges", "normal", "--prefix", "none"];
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .args(["--all-features", "--offline", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("names of crates");
    assert_eq!(tree.lines().count(), 2, "the engine, and what it is made of:\n{tree}");
    for line in tree.lines() {
        assert!(line.starts_with("stairway-") && line.contains("/crates/"), "{line}");
    }
}
