//! Stairway and its peers, side by side: `cargo run --release -- [section] [--json]`.
//!
//! Without a section every one of them runs. The tables go to `RESULTS.md`, which only this
//! program writes; with `--json` the figures are printed, one line each. A new section is a file
//! (or folder) beside this one and a line in [`SECTIONS`].

mod c;
mod embedded;
mod engine;
mod findings;
mod libraries;
mod machines;
mod measure;
mod peers;
mod programs;
mod refinement;
mod refinement_bugs;
mod refinement_c;
mod results;
mod shortest;
mod speeds;
mod tasks;
mod tasks_afl;

use findings::Findings;
use std::process::ExitCode;

/// A group of measurements that runs by itself.
struct Section {
    name: &'static str,
    run: fn(&mut Findings),
}

const SECTIONS: &[Section] = &[
    Section { name: "engine", run: engine::run },
    Section { name: "programs", run: programs::run },
    Section { name: "shortest", run: shortest::run },
    Section { name: "refinement", run: refinement::run },
    Section { name: "refinement-c", run: refinement_c::run },
    Section { name: "c", run: c::run },
    Section { name: "libraries", run: self::libraries::run },
    Section { name: "tasks", run: tasks::run },
    Section { name: "tasks-afl", run: tasks_afl::run },
    Section { name: "embedded", run: self::embedded::run },
    Section { name: "machines", run: machines::run },
];

fn main() -> ExitCode {
    let (mut wanted, mut json) = (Vec::new(), false);
    for argument in std::env::args().skip(1) {
        match SECTIONS.iter().find(|section| section.name == argument) {
            Some(section) => wanted.push(section),
            None if argument == "--json" => json = true,
            None => {
                let names: Vec<_> = SECTIONS.iter().map(|section| section.name).collect();
                eprintln!("bench: `{argument}` is no section; there are: {}, and --json", names.join(", "));
                return ExitCode::from(2);
            }
        }
    }
    if wanted.is_empty() {
        wanted.extend(SECTIONS);
    }
    peers::install_hook();
    for section in wanted {
        let mut findings = Findings::default();
        (section.run)(&mut findings);
        if let Err(error) = results::write(section.name, &findings) {
            eprintln!("bench: {} cannot be written: {error}", results::PATH);
            return ExitCode::from(2);
        }
        for figure in &findings.figures {
            if json {
                println!("{}", figure.to_json());
            } else if !figure.is_met() {
                println!("not met: {figure}");
            }
        }
    }
    ExitCode::SUCCESS
}
