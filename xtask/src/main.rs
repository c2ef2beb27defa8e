//! One command for everything a developer or CI does: `cargo xtask <command>`.

mod bench;
mod capi;
mod cn_tutorial;
mod libraries;
mod lines;
mod pictures;
mod release;
mod setup;
mod site;
mod steps;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <command>

  test              set up what is missing, then all tests; --full for what takes longer too: the C library
                    on every target, the README in fresh crates, a browser
                    --quick for daily work: formatting, and the tests of the crates without what is slow
  lint              formatting, lints, the crates without the standard library, documentation
  capi              build libstairway.a for C and say where it is; --target for a microcontroller
  miri              let Miri look at the C interface, where it is installed
  book              the pages of docs/ as a site with search, in target/book; needs mdbook
  pictures          draw the pictures of terminals in docs/pictures anew
  publish --dry-run package every crate, in the order in which they would be published, and build each
  setup             only set up what is missing
  libraries [NAME]  fetch public C libraries and test them without a contract; --fetch, --bugs
  lines FOLDER..    count lines of code, without comments, blank lines and tests
  cn-tutorial DIR   run every file of CN's public tutorial and write bench/CN-TUTORIAL.md
  bench [SECTION]   measure beside the peers and write bench/RESULTS.md; --json prints figures";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("", &[][..]),
    };
    let done = match command {
        "test" if rest == ["--quick"] => steps::quick(),
        "test" if rest.iter().all(|word| word == "--full") => {
            setup::run().and_then(|()| steps::test(!rest.is_empty()))
        }
        "lint" => steps::lint(),
        "pictures" => pictures::run(),
        "book" => release::book(),
        "publish" => release::publish(rest),
        "setup" => setup::run(),
        "capi" => capi::run(rest),
        "miri" => steps::miri(),
        "libraries" => libraries::run(rest),
        "lines" => lines::run(rest),
        "cn-tutorial" => cn_tutorial::run(rest),
        "bench" => bench::run(rest),
        _ => Err(USAGE.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
