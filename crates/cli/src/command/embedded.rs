//! `stairway embedded`: runs a program on a board, reads the frames that it sends, and shows its report.
//!
//! The board searches and shrinks; this end starts it, says how far it is, and prints. A board at a serial
//! port and one that QEMU emulates differ in where lines come from.

mod c_test;
mod frame;
mod machine;
mod run_report;

use super::{BAD_INPUT, FALSIFIED, GAVE_UP, PASSED, USAGE, interrupt, print, progress};
use clap::{Args, Subcommand};
use frame::{Line, Link};
use machine::{BOARDS, Board, Machine, MachineEvent};
use run_report::{BoardRunEnd, IncomingRun};
use stairway::Report;
use stairway::report::Outcome;
use std::path::PathBuf;
use std::time::Duration;

/// What to do with boards.
#[derive(Debug, Args)]
pub(crate) struct EmbeddedArguments {
    #[command(subcommand)]
    command: EmbeddedCommand,
}

#[derive(Debug, Subcommand)]
enum EmbeddedCommand {
    /// Run a program on a board and show the report of its properties
    Run(RunArguments),
    /// List the boards that can be emulated
    Boards,
}

/// What to run, and where.
#[derive(Debug, Args)]
struct RunArguments {
    /// The program for the board, linked with libstairway.a; its settings have `.verbosity = SW_FRAMES`
    image: PathBuf,
    /// The board to emulate with QEMU; `stairway embedded boards` lists them
    #[arg(long, value_name = "BOARD")]
    board: Option<String>,
    /// Run this shell command instead, in which $IMAGE is the program; with --serial, it only starts the board
    #[arg(long, value_name = "COMMAND", conflicts_with = "board")]
    command: Option<String>,
    /// Read from a board at this serial port
    #[arg(long, value_name = "PORT", conflicts_with = "board")]
    serial: Option<String>,
    /// The speed of the serial port, in bits a second
    #[arg(long, default_value_t = 115_200, requires = "serial")]
    baud: u32,
    /// Give up when nothing was received for this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Stop after this many runs of `sw_run`; 1 at a serial port, and otherwise as many as the program makes
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Write a failing sequence as a C test for this machine
    #[arg(long, value_name = "FILE")]
    emit_test: Option<PathBuf>,
    /// Print neither progress nor what the program writes by itself, and nothing at all when everything holds
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn embedded(arguments: &EmbeddedArguments) -> u8 {
    match &arguments.command {
        EmbeddedCommand::Run(run) => self::run(run),
        EmbeddedCommand::Boards => {
            for board in &BOARDS {
                print(&format!("{:14} {}\n", board.name, board.about));
            }
            PASSED
        }
    }
}

fn run(arguments: &RunArguments) -> u8 {
    let image = arguments.image.display().to_string();
    // At a port the program may be on the board already; then it only has a name.
    let is_needed = arguments.serial.is_none() || arguments.command.is_some();
    if is_needed && !arguments.image.is_file() {
        return refused(BAD_INPUT, &format!("`{image}` is no file"));
    }
    match machine(arguments) {
        Ok(machine) => listen(arguments, machine, &image),
        Err((code, why)) => refused(code, &why),
    }
}

fn machine(arguments: &RunArguments) -> Result<Machine, (u8, String)> {
    let command = arguments.command.as_ref().map(|line| machine::shell(line, &arguments.image));
    let started = match (&arguments.serial, command, &arguments.board) {
        (Some(port), command, _) => Machine::at_port(port, arguments.baud, command),
        (None, Some(command), _) => Machine::start(command),
        (None, None, Some(name)) => {
            let board = Board::find(name)
                .ok_or_else(|| (USAGE, format!("there is no board `{name}`; {}", known())))?;
            Machine::start(board.command(&arguments.image))
        }
        (None, None, None) => {
            let what = "say where to run it: --board, --command or --serial";
            return Err((USAGE, format!("{what}; {}", known())));
        }
    };
    started.map_err(|why| (BAD_INPUT, why))
}

/// The names of all boards.
fn known() -> String {
    let names: Vec<&str> = BOARDS.iter().map(|board| board.name).collect();
    format!("boards that can be emulated are {}", names.join(", "))
}

/// How often it is looked whether somebody wants the run to end.
const MOMENT: Duration = Duration::from_millis(100);

/// What is known while a machine runs.
struct Listener<'a> {
    arguments: &'a RunArguments,
    image: &'a str,
    link: Link,
    received: IncomingRun,
    n_runs: u64,
    /// The gravest code so far.
    code: u8,
}

/// Reads until the machine ends, enough was run or nothing more comes.
fn listen(arguments: &RunArguments, mut machine: Machine, image: &str) -> u8 {
    let mut listener = Listener {
        arguments,
        image,
        link: Link::new(arguments.serial.is_some()),
        received: IncomingRun::new(image),
        n_runs: 0,
        code: PASSED,
    };
    let mut silence = Duration::ZERO;
    let why = loop {
        match machine.next(MOMENT) {
            MachineEvent::Line(line) => {
                silence = Duration::ZERO;
                listener.line(&line);
                if listener.is_done() {
                    break String::new();
                }
            }
            MachineEvent::Ended(code) => break ended(code),
            MachineEvent::Broken(why) => break format!("the link broke: {why}"),
            MachineEvent::Nothing if interrupt::is_interrupted() => return interrupted(&listener),
            MachineEvent::Nothing => silence += MOMENT,
        }
        if silence.as_secs() >= arguments.timeout {
            break format!("nothing was received for {} seconds", arguments.timeout);
        }
    };
    progress::clear();
    listener.conclude(&why)
}

fn ended(code: Option<i32>) -> String {
    code.map_or_else(
        || "the machine was ended".to_string(),
        |code| format!("the machine ended with code {code}"),
    )
}

fn interrupted(listener: &Listener<'_>) -> u8 {
    progress::clear();
    eprintln!("interrupted after {}", tests(listener.received.progress.n_tests));
    PASSED
}

fn tests(n: u64) -> String {
    if n == 1 { "1 test".to_string() } else { format!("{n} tests") }
}

impl Listener<'_> {
    fn line(&mut self, line: &[u8]) {
        for piece in frame::read(line) {
            match piece {
                Line::Frame(frame) => {
                    let was_late = self.link.is_late();
                    if self.link.accepts(&frame) {
                        if let Some(ended) = self.received.take(&frame) {
                            self.ended(ended);
                        }
                        self.show_progress();
                    } else if self.link.is_late() && !was_late {
                        eprintln!("{}: the board is running already; reset it", self.image);
                    }
                }
                Line::Garbled => self.link.garbled(),
                Line::Text(text) if !self.arguments.quiet => {
                    progress::clear();
                    eprintln!("{}: {text}", self.image);
                }
                Line::Text(_) => {}
            }
        }
    }

    fn show_progress(&self) {
        let run_report::Progress { n_tests, n_runs } = self.received.progress;
        progress::say(self.arguments.quiet, |seconds| match n_runs {
            None => format!("{seconds} s: {}", tests(n_tests)),
            Some(n) => {
                format!("{seconds} s: something is wrong; looking for the shortest way there, {n} runs")
            }
        });
    }

    /// Whether as many runs were made as are wanted.
    fn is_done(&self) -> bool {
        let wanted = self.arguments.runs.or(self.arguments.serial.as_ref().map(|_| 1));
        wanted.is_some_and(|wanted| self.n_runs >= wanted)
    }

    /// A run is over: says what it found, unless a part of that is missing.
    fn ended(&mut self, ended: BoardRunEnd) {
        progress::clear();
        self.n_runs += 1;
        if self.link.is_broken() {
            return;
        }
        let code = match ended {
            BoardRunEnd::Mistake(mistake) => {
                eprintln!("{}: {mistake}", self.image);
                BAD_INPUT
            }
            BoardRunEnd::Report(report) => self.report(&report),
        };
        self.code = self.code.max(code);
    }

    fn report(&self, report: &Report) -> u8 {
        let code = match &report.result.outcome {
            Outcome::Falsified(_) | Outcome::Flaky(_) => FALSIFIED,
            outcome if outcome.is_success() => PASSED,
            _ => GAVE_UP,
        };
        if code != PASSED || !self.arguments.quiet {
            print(&format!("{report}\n"));
        }
        if let (Some(path), Some(test)) = (&self.arguments.emit_test, report.test()) {
            if let Err(error) = std::fs::write(path, test) {
                eprintln!(
                    "{} cannot be written ({error}); name another file with --emit-test",
                    path.display()
                );
                return BAD_INPUT;
            }
            if !self.arguments.quiet {
                eprintln!("the sequence is written to {}", path.display());
            }
        }
        code
    }

    /// Says what is missing; `why` is how it came to an end, empty if enough was run.
    fn conclude(self, why: &str) -> u8 {
        for problem in self.link.problems() {
            eprintln!("{}: {problem}", self.image);
        }
        if self.link.is_broken() {
            let advice = "nothing is concluded from what came through; use a slower --baud, or flow control";
            return refused(BAD_INPUT, &format!("{}: {advice}", self.image));
        }
        if self.link.is_late() {
            return refused(BAD_INPUT, &format!("{}: the board did not begin anew: {why}", self.image));
        }
        if !self.link.is_alive() {
            let advice = "does the program set `.verbosity = SW_FRAMES` and `.write`?";
            return refused(BAD_INPUT, &format!("{}: no frame was received: {why}; {advice}", self.image));
        }
        if self.n_runs == 0 {
            let run_report::Progress { n_tests, n_runs } = self.received.progress;
            let when = match n_runs {
                None => format!("after {}", tests(n_tests)),
                Some(n) => format!("after {} and {n} runs of shrinking", tests(n_tests)),
            };
            let advice = "a body did what no guard took: is `.guard` set, and is there stack left for it?";
            return refused(
                GAVE_UP,
                &format!("{}: {why} in the middle of a run, {when}: {advice}", self.image),
            );
        }
        self.code
    }
}

fn refused(code: u8, why: &str) -> u8 {
    eprintln!("error: {why}");
    code
}
