//! A machine from its start to its verdict.
//!
//! Receives an image and a command line; hands on what came over the serial port and how it ended. A machine
//! that does not end is ended: nothing here waits for ever. Does not know what the text means.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How a machine ended: the exit codes of `include/abi.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every property holds.
    Passed,
    /// A property does not hold, or a demand is not met.
    Failed,
    /// The machine could not say: a fault, wrong settings, a kernel at its end.
    Error,
}

/// A machine that has ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// What it said with its exit code.
    pub verdict: Verdict,
    /// What came over the serial port.
    pub text: String,
}

/// QEMU turns an exit code of the machine into this status.
const fn qemu_status(code: i32) -> i32 {
    code << 1 | 1
}

const PASSED: i32 = 0x10;
const FAILED: i32 = 0x11;
const ERROR: i32 = 0x12;

/// Boots an image with a command line. `hear` is called with each line as it comes.
///
/// # Errors
/// If there is no QEMU, or if the machine says nothing for `silence`, or ends without a verdict.
pub fn boot(image: &Path, line: &str, silence: Duration, hear: impl FnMut(&str)) -> Result<Ended, String> {
    let mut qemu = Command::new("qemu-system-x86_64");
    // Software emulation everywhere, so that the same instructions are there everywhere.
    qemu.args(["-machine", "microvm,isa-serial=on", "-accel", "tcg", "-cpu", "max", "-m", "64M"]);
    // The machine's clock counts instructions, so that its watchdog does not depend on how busy we are.
    qemu.args(["-icount", "shift=0,sleep=off"]);
    qemu.args(["-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio"]);
    qemu.args(["-device", "isa-debug-exit,iobase=0xf4,iosize=0x04", "-append", line, "-kernel"]);
    qemu.arg(image);
    let (status, text) = listen(qemu, silence, hear)?;
    ended([PASSED, FAILED, ERROR].map(qemu_status), status, text)
}

/// Runs what [`Parts::for_linux`](crate::Parts::for_linux) made.
///
/// # Errors
/// As with [`boot`].
pub fn run_here(program: &Path, line: &str, silence: Duration) -> Result<Ended, String> {
    let mut command = Command::new(program);
    command.args(line.split(' '));
    let (status, text) = listen(command, silence, |_| ())?;
    ended([PASSED, FAILED, ERROR], status, text)
}

fn ended(statuses: [i32; 3], status: Option<i32>, text: String) -> Result<Ended, String> {
    let verdicts = [Verdict::Passed, Verdict::Failed, Verdict::Error];
    let found = statuses.iter().zip(verdicts).find(|(known, _)| Some(**known) == status);
    match found {
        Some((_, verdict)) => Ok(Ended { verdict, text }),
        None => Err(format!("the machine ended with status {status:?}, which is no verdict:\n{text}")),
    }
}

/// All that a program says, and its status. It is killed if it says nothing for too long.
fn listen(
    mut command: Command,
    silence: Duration,
    mut hear: impl FnMut(&str),
) -> Result<(Option<i32>, String), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    let mut child = child.map_err(|error| {
        format!("cannot run {program}: {error}; `cargo xtask setup` installs what the tests need")
    })?;
    let lines = lines_of(&mut child);
    let mut text = String::new();
    loop {
        match lines.recv_timeout(silence) {
            Ok(line) => {
                hear(&line);
                text.push_str(&line);
                text.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                // It may just have ended by itself; either way it is gone afterwards.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{program} said nothing for {silence:?} and was ended; so far:\n{text}"));
            }
        }
    }
    let status = child.wait().map_err(|error| format!("cannot wait for {program}: {error}"))?;
    Ok((status.code(), text))
}

/// The lines that a child writes, until it closes its output.
fn lines_of(child: &mut Child) -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
                let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_string();
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
    }
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, silence: Duration) -> Result<(Option<i32>, String), String> {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        listen(command, silence, |_| ())
    }

    #[test]
    fn a_machine_that_hangs_is_ended() {
        // `exec`, so that there is nothing left to end but the process that was started.
        let ended = shell("echo here; exec sleep 1000", Duration::from_millis(300));
        let why = ended.expect_err("a machine that says nothing has no verdict");
        assert!(why.contains("said nothing") && why.ends_with("so far:\nhere\n"), "{why}");
    }

    #[test]
    fn a_status_of_qemu_itself_is_no_verdict() {
        let (status, text) = shell("echo cannot; exit 1", Duration::from_secs(60)).expect("a shell ends");
        let ended = ended([PASSED, FAILED, ERROR].map(qemu_status), status, text);
        assert!(ended.expect_err("1 is QEMU's own").contains("status Some(1), which is no verdict"));
    }
}
