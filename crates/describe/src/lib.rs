//! Description files: refinements in JSON or TOML become a Rust module of tests.
//!
//! Turns the text of a file into the text of a module, or what is wrong with the file and where. This is the
//! small language of section 5 of "Climbing the Stairway to Verification", with its fields and a few more.
//! `read.rs` reads both notations into one tree with positions, `describe.rs` says what the tree means,
//! `write.rs` writes the module, `problem.rs` shows what is wrong. Nothing here touches files or runs tests.
//!
//! ```
//! let text = r#"
//! name = "set"
//! monad = false
//! nondet = false
//! inputs = ["arr: Vec<u8>", "from: u32"]
//! absf = "|arr, from| (arr.clone(), *from)"
//! rrel = "|spec, real| spec == real"
//! "#;
//! let module = stairway_describe::module("set.toml", text).unwrap();
//! assert!(module.contains("set(arr: Vec<u8>, from: u32) {"));
//! ```
#![forbid(unsafe_code)]

mod describe;
mod problem;
mod read;
mod write;

pub use problem::Problem;

/// The first words of every module that is written: a file without them is somebody else's.
pub const WRITTEN: &str = "//! Written by `stairway refine ";

/// The module that a description file stands for. The name says which notation it is in, by its
/// ending, and is shown in messages.
///
/// # Errors
/// Everything that is wrong with the description, each with its place.
pub fn module(name: &str, text: &str) -> Result<String, Vec<Problem>> {
    let tree = read::read(name, text).map_err(|problem| vec![problem])?;
    let described = describe::describe(&tree)?;
    Ok(write::module(name, &described))
}
