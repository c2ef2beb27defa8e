//! A worker, seen from the process that started it: the process, the channel to it, and what it prints.

use super::death::Death;
use super::output::Output;
use super::{CaseBatch, WORKER, sanitizer};
use crate::backtrace::test_name;
use crate::wire::{self, Message, Request, Wire};
use stairway_engine::{Execution, Observations, Recording};
use stairway_sandbox::channel::{self, Fate, ParentEnd, Process, Received};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// How long a worker may take to reach its property, at least.
const LONGEST_START: Duration = Duration::from_secs(600);

pub(super) struct Worker {
    process: Process,
    channel: ParentEnd,
    /// How long it may be silent.
    limit: Duration,
    /// Answers that have arrived together, and how far they were read.
    arrived: (Vec<u8>, usize),
    pub(super) output: Arc<Output>,
    /// How many cases it was given by themselves.
    pub(super) n_single: u64,
    /// What is known on both sides of the channel.
    wire: Wire,
    /// What it has not answered yet.
    pub(super) asked: VecDeque<CaseBatch>,
}

/// A worker that has not reached its property yet.
pub(super) struct StartedWorker(Worker);

/// Why there is no worker.
pub(super) struct NoWorker {
    pub(super) why: String,
    /// What it has printed.
    pub(super) said: String,
    /// Whether it was loading the program under test: then that is to blame.
    pub(super) is_loading: bool,
}

impl From<String> for NoWorker {
    fn from(why: String) -> NoWorker {
        NoWorker { why, said: String::new(), is_loading: false }
    }
}

/// What came back for a case: the whole answer, or what was sent before the worker fell silent.
#[derive(Default)]
pub(super) struct Answer {
    pub(super) executed: Option<Execution>,
    pub(super) recording: Recording,
    pub(super) observed: Observations,
    /// Whether the worker answers nothing more: something in it cannot be relied on.
    pub(super) is_last: bool,
    /// The value that was being shown when the worker fell silent.
    pub(super) showing: Option<u32>,
    /// Why there is no answer.
    pub(super) end: Option<End>,
}

/// Why there is nothing more to receive.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    Silence,
    Stop,
    Garbage,
}

impl StartedWorker {
    /// Starts a worker of the property called `name`.
    pub(super) fn new(name: &str, way: &crate::Worker, limit: Duration) -> std::io::Result<StartedWorker> {
        let (mut channel, theirs) = ParentEnd::new()?;
        let (pipe, writer) = std::io::pipe()?;
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(&way.arguments)
            .envs(sanitizer::OPTIONS.map(|(name, ours)| (name, with_ours(name, ours))))
            .envs(way.environment.iter().map(|(name, value)| (name, value)))
            .env(WORKER, name)
            .stdin(Stdio::from(theirs))
            .stdout(writer.try_clone()?)
            .stderr(writer);
        channel::contain(&mut command);
        if let Some(launcher) = &way.launcher {
            launcher.prepare(&mut command, &[]);
        }
        let process = Process::launched(command.spawn()?, way.launcher.as_ref());
        // The command holds ends of the pipe, which would stay open.
        drop(command);
        let output = Arc::new(Output::default());
        let collector = Arc::clone(&output);
        std::thread::spawn(move || collector.collect(pipe));
        channel.watch(&process)?;
        Ok(StartedWorker(Worker {
            process,
            channel,
            limit,
            arrived: (Vec::new(), 0),
            output,
            n_single: 0,
            wire: Wire::default(),
            asked: VecDeque::new(),
        }))
    }

    /// The worker, once it has reached its property.
    pub(super) fn ready(self) -> Result<Worker, NoWorker> {
        let StartedWorker(mut worker) = self;
        let (mut limit, mut is_loading) = (LONGEST_START.max(worker.limit), false);
        let why = loop {
            break match worker.channel.receive(limit) {
                Received::Message(bytes) => match worker.wire.read(&bytes) {
                    Some((Message::Loading, _)) => {
                        (limit, is_loading) = (worker.limit, true);
                        continue;
                    }
                    Some((Message::Ready { version: wire::VERSION }, _)) => return Ok(worker),
                    Some((Message::Ready { version }, _)) => format!(
                        "it speaks version {version} of our messages, not {}: the program was built again while it \
                         ran, so run it again",
                        wire::VERSION
                    ),
                    _ => "it sent garbage".to_string(),
                },
                Received::Ended(Fate::Dead) => match worker.process.end() {
                    Some(status) => format!("it ended with {status}"),
                    None => "it is gone".to_string(),
                },
                Received::Ended(_) => "it was stopped".to_string(),
                Received::Silence => format!("it was silent for {limit:?}"),
                Received::Garbage => "it sent garbage".to_string(),
            };
        };
        worker.process.end();
        let said = worker.output.at_the_end();
        let why = match is_loading {
            true => why,
            false => format!(
                "{why} before it reached the property; a property is isolated by running its test again, which must be a \
                 test of its own name"
            ),
        };
        Err(NoWorker { why, said, is_loading })
    }
}

impl Worker {
    pub(super) fn send(&mut self, request: &Request) {
        // One that does not take it is found out when it is asked for an answer.
        self.channel.send(&self.wire.write(request, Vec::new()), self.limit);
    }

    pub(super) fn answer(&mut self) -> Answer {
        let mut arrived = wire::ReceivedCase::default();
        let mut showing = None;
        let end = loop {
            let follows = match self.message() {
                Ok(Message::News(news)) => arrived.add(*news),
                Ok(Message::Call(code)) => arrived.call(*code),
                Ok(Message::Showing(number)) => {
                    showing = number;
                    Some(())
                }
                Ok(Message::Answer(answer)) => {
                    let wire::Answer { executed, observed, recording, is_last } = *answer;
                    let (executed, showing, end) = (Some(executed), None, None);
                    return Answer { executed, recording, observed, is_last, showing, end };
                }
                Ok(Message::Loading | Message::Ready { .. }) => None,
                Err(end) => break end,
            };
            if follows.is_none() {
                break Some(End::Garbage);
            }
        };
        let (recording, observed) = (arrived.recording, arrived.observed);
        Answer { executed: None, recording, observed, is_last: true, showing, end }
    }

    /// The next of those that it has sent, or why there is none.
    fn message(&mut self) -> Result<Message, Option<End>> {
        let (bytes, at) = &mut self.arrived;
        if *at >= bytes.len() {
            (*bytes, *at) = match self.channel.receive(self.limit) {
                Received::Message(bytes) => (bytes, 0),
                Received::Ended(Fate::Stopped) => return Err(Some(End::Stop)),
                Received::Ended(_) => return Err(None),
                Received::Silence => return Err(Some(End::Silence)),
                Received::Garbage => return Err(Some(End::Garbage)),
            };
        }
        let (mut message, n) = self.wire.read::<Message>(&bytes[*at..]).ok_or(Some(End::Garbage))?;
        *at += n;
        if message.restore() { Ok(message) } else { Err(Some(End::Garbage)) }
    }

    /// Case number `index` was answered; whether it was the last of its batch.
    pub(super) fn answered(&mut self, index: u64) -> bool {
        let Some(asked) = self.asked.front_mut() else { return false };
        asked.cases.start = index + 1;
        let is_done = asked.cases.is_empty();
        if is_done {
            self.asked.pop_front();
        }
        is_done
    }

    /// Makes sure that nothing of it is left, and says what it died of.
    pub(super) fn bury(&mut self, end: Option<End>) -> Death {
        let status = self.process.end();
        match end {
            None => Death::Exit(status),
            Some(End::Silence) => Death::Silence(self.limit),
            Some(End::Stop) => Death::Stop,
            Some(End::Garbage) => Death::Garbage,
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.process.end();
        // What it was started in may need a moment longer, and has the other end of this.
        let _ = self.output.at_the_end();
    }
}

/// Options of a sanitizer: ours, and behind them what the user has set.
fn with_ours(name: &str, ours: &str) -> OsString {
    let mut options = OsString::from(ours);
    if let Some(set) = std::env::var_os(name) {
        options.push(":");
        options.push(set);
    }
    options
}

/// The arguments with which this test binary runs the one test that checks the property, which
/// the function at path `function` does.
pub(crate) fn arguments(function: &str) -> Vec<String> {
    let function = function.split_once("::").map_or(function, |(_, path)| path);
    let path = test_name().unwrap_or_else(|| function.to_string());
    arguments_for(&path)
}

/// The same for the test that is called like the property, as `refinement!` makes it.
pub(crate) fn arguments_of(name: &str) -> Vec<String> {
    arguments_for(name.split_once("::").map_or(name, |(_, path)| path))
}

fn arguments_for(path: &str) -> Vec<String> {
    [path, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"].map(String::from).to_vec()
}
