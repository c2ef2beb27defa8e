//! The other end: an emulator, a command, or a board at a serial port; whatever it is, lines come from it
//! until it ends.
//!
//! Knows how machines are started and read; knows nothing of what the lines say.

use serialport::SerialPort;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// A board that QEMU emulates.
pub(crate) struct Board {
    /// The name of it here.
    pub(crate) name: &'static str,
    /// What is on it.
    pub(crate) about: &'static str,
    emulator: &'static [&'static str],
    /// Whether text comes by semihosting, and else by the first serial port.
    has_semihosting: bool,
}

/// All of them; docs/embedded.md has the same table.
pub(crate) const BOARDS: [Board; 7] = [
    arm("lm3s6965evb", "Cortex-M3, 64 KB of memory", &["qemu-system-arm", "-M", "lm3s6965evb"]),
    arm("mps2-an385", "Cortex-M3 and programs for Cortex-M0", &["qemu-system-arm", "-M", "mps2-an385"]),
    arm("mps2-an386", "Cortex-M4", &["qemu-system-arm", "-M", "mps2-an386"]),
    arm("mps2-an505", "Cortex-M33 and programs for Cortex-M23", &["qemu-system-arm", "-M", "mps2-an505"]),
    riscv("virt-riscv32", "32-bit RISC-V", &["qemu-system-riscv32", "-M", "virt", "-bios", "none"]),
    riscv("virt-riscv64", "64-bit RISC-V", &["qemu-system-riscv64", "-M", "virt", "-bios", "none"]),
    arm("virt-aarch64", "64-bit Arm", &["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a53"]),
];

const fn arm(name: &'static str, about: &'static str, emulator: &'static [&'static str]) -> Board {
    Board { name, about, emulator, has_semihosting: true }
}

const fn riscv(name: &'static str, about: &'static str, emulator: &'static [&'static str]) -> Board {
    Board { name, about, emulator, has_semihosting: false }
}

impl Board {
    /// The board of this name.
    pub(crate) fn find(name: &str) -> Option<&'static Board> {
        BOARDS.iter().find(|board| board.name == name)
    }

    /// What runs an image on it.
    pub(crate) fn command(&self, image: &Path) -> Command {
        let mut command = Command::new(self.emulator[0]);
        command.args(&self.emulator[1..]).args(["-nographic", "-monitor", "none"]);
        // Time is counted in instructions, so that a timer means the same on a busy machine.
        command.args(["-icount", "shift=4"]);
        if self.has_semihosting {
            command.args(["-serial", "none", "-semihosting-config", "enable=on,target=native"]);
        } else {
            command.args(["-serial", "stdio"]);
        }
        command.arg("-kernel").arg(image);
        command
    }
}

/// A command line of the user's, with the image as `$IMAGE`.
pub(crate) fn shell(line: &str, image: &Path) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).env("IMAGE", image);
    command
}

/// What came from a machine.
#[derive(Debug)]
pub(crate) enum MachineEvent {
    Line(Vec<u8>),
    /// It has ended, with this code if it was a process that has one.
    Ended(Option<i32>),
    /// It cannot be read any more.
    Broken(String),
    /// Nothing, for the time that was asked for.
    Nothing,
}

/// A machine that runs.
pub(crate) struct Machine {
    lines: Receiver<MachineEvent>,
    child: Option<Child>,
    is_over: Arc<AtomicBool>,
}

/// A line that is longer is no frame, and is cut.
const MAX_LINE: usize = 64 * 1024;

impl Machine {
    /// Starts a process, whose output is what the machine says.
    pub(crate) fn start(mut command: Command) -> Result<Machine, String> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| cannot_run(&command, &error))?;
        let (sender, lines) = mpsc::channel();
        // Semihosting writes to either of the two.
        let outputs: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|output| Box::new(output) as _),
            child.stderr.take().map(|output| Box::new(output) as _),
        ];
        let is_over = Arc::new(AtomicBool::new(false));
        for output in outputs.into_iter().flatten() {
            let (sender, is_over) = (sender.clone(), Arc::clone(&is_over));
            std::thread::spawn(move || pass_lines_on(output, &sender, &is_over));
        }
        Ok(Machine { lines, child: Some(child), is_over })
    }

    /// Listens at a serial port, and then runs what makes the board start, if anything is to.
    pub(crate) fn at_port(port: &str, baud: u32, flash: Option<Command>) -> Result<Machine, String> {
        let open = serialport::new(port, baud).timeout(Duration::from_millis(100)).open();
        let port = open.map_err(|error| format!("cannot open the serial port {port}: {error}"))?;
        let (sender, lines) = mpsc::channel();
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        std::thread::spawn(move || pass_lines_on(Port(port), &sender, &over));
        let machine = Machine { lines, child: None, is_over };
        if let Some(mut flash) = flash {
            let status = flash.status().map_err(|error| cannot_run(&flash, &error))?;
            if !status.success() {
                return Err(format!("the command that starts the board failed: {status}"));
            }
        }
        Ok(machine)
    }

    /// What comes next, within a time.
    pub(crate) fn next(&mut self, within: Duration) -> MachineEvent {
        match self.lines.recv_timeout(within) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => MachineEvent::Nothing,
            Err(RecvTimeoutError::Disconnected) => MachineEvent::Ended(self.code()),
        }
    }

    /// How a process ended that has closed its output.
    fn code(&mut self) -> Option<i32> {
        self.child.take().and_then(|mut child| child.wait().ok()).and_then(|status| status.code())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    match (error.kind(), program.strip_prefix("qemu-system-")) {
        (ErrorKind::NotFound, Some("arm" | "aarch64")) => {
            format!("`{program}` is not installed; on Debian the package qemu-system-arm has it")
        }
        (ErrorKind::NotFound, Some(_)) => {
            format!("`{program}` is not installed; on Debian the package qemu-system-misc has it")
        }
        _ => format!("cannot run `{program}`: {error}"),
    }
}

/// A serial port whose silence is no end.
struct Port(Box<dyn SerialPort>);

impl Read for Port {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.0.read(buffer) {
            Err(error) if error.kind() == ErrorKind::TimedOut => Err(ErrorKind::Interrupted.into()),
            read => read,
        }
    }
}

/// Reads until there is nothing more, or nobody listens.
fn pass_lines_on(mut from: impl Read, to: &Sender<MachineEvent>, is_over: &AtomicBool) {
    let (mut buffer, mut line) = ([0; 4096], Vec::new());
    while !is_over.load(Ordering::Relaxed) {
        let n = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                let _ = to.send(MachineEvent::Broken(error.to_string()));
                return;
            }
        };
        for byte in &buffer[..n] {
            if *byte != b'\n' && line.len() < MAX_LINE {
                line.push(*byte);
            } else if to.send(MachineEvent::Line(std::mem::take(&mut line))).is_err() {
                return;
            }
        }
    }
    if !line.is_empty() {
        let _ = to.send(MachineEvent::Line(line));
    }
}
