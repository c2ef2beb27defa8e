//! Cases in a process of their own: crashes, exits and hangs become failures like any other.
//!
//! The worker is this binary, executed again: a test binary with the one test selected, another
//! program with the arguments it names. Forking a process that has threads would be unsound. It
//! stays alive from case to case; there are as many as there are jobs. Plans go to it in batches and
//! verdicts come back over a Unix socket (`serve` is its side of it); what it prints goes into a pipe (`output`).
//!
//! A worker that dies in the middle of a batch takes answers with it that it had not sent yet. Cases are independent of
//! each other, so those are run once more in another worker, which answers each of them at once: then it is known
//! which case kills.

mod output;
mod sanitizer;
mod serve;

use crate::{report, wire};
use output::{Output, printed};
use serde_json::Value as Json;
use stairway_engine::{Execute, Executed, Failure, Observed, Plan, Recording, Verdict};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::ops::{ControlFlow, Range};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) use serve::serve;

const WORKER: &str = "STAIRWAY_WORKER";
const SOCKET: &str = "STAIRWAY_WORKER_SOCKET";
/// How long a case may take unless the property says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Whether this process is the worker for the property called `name`.
pub(crate) fn is_worker_for(name: &str) -> bool {
    std::env::var(WORKER).is_ok_and(|worker| worker == name)
}

/// Runs cases in workers, which are started when needed.
pub(crate) struct Isolated {
    name: String,
    /// How this binary checks the property: what is to be tried, in this order, until one gets there.
    ways: Vec<crate::Worker>,
    timeout: Duration,
    workers: Vec<Option<Worker>>,
    /// For each worker, how its predecessor died, as long as it is not known of which case.
    unexplained: Vec<Option<Executed>>,
}

/// How many cases a worker is given at once.
const BATCH: u64 = 64;
/// How many batches a worker has: it is never without work while its answers are looked at.
const N_BATCHES: u64 = 3;

struct Worker {
    child: Child,
    reader: BufReader<UnixStream>,
    output: Arc<Output>,
    /// How many cases it was given by themselves.
    n_single: u64,
    /// The names that it has sent.
    names: wire::Names,
    /// What it has not answered yet.
    asked: VecDeque<Asked>,
}

/// A batch of cases.
struct Asked {
    /// Those that were not answered yet.
    cases: Range<u64>,
    /// Whether each is answered at once.
    is_careful: bool,
}

/// How cases are run: what `execute_all` is given.
type Plans<'a> = &'a (dyn Fn(u64) -> Plan<'static> + Sync);

/// How a case ended that the worker did not answer for.
enum Death {
    Timeout,
    Exit(ExitStatus),
}

impl Isolated {
    /// Workers for the property called `name`, which this binary checks when started so.
    pub(crate) fn new(
        name: &str,
        ways: Vec<crate::Worker>,
        timeout: Option<Duration>,
        n_workers: usize,
    ) -> Self {
        let timeout = timeout.unwrap_or(DEFAULT_TIMEOUT);
        let n_workers = n_workers.max(1);
        let workers = (0..n_workers).map(|_| None).collect();
        let unexplained = vec![None; n_workers];
        Isolated { name: name.to_string(), ways, timeout, workers, unexplained }
    }

    /// Gives a worker all cases of a batch; one that cannot take them is found dead when it is
    /// asked for the first answer.
    fn ask(&mut self, k: usize, asked: Asked, plan: Plans<'_>) {
        if asked.cases.is_empty() {
            return;
        }
        let mut worker = self.take(k);
        let plans: Vec<Plan<'static>> = asked.cases.clone().map(plan).collect();
        let message = format!("{}\n", wire::batch_to_json(&plans, asked.is_careful));
        let _ = worker.reader.get_mut().write_all(message.as_bytes());
        worker.asked.push_back(asked);
        self.workers[k] = Some(worker);
    }

    /// The next answer of a worker, to case number `index`.
    fn receive(&mut self, k: usize, index: u64, plan: Plans<'_>) -> (Executed, Observed) {
        loop {
            let mut worker = self.take(k);
            let is_careful = worker.asked.front().is_some_and(|asked| asked.is_careful);
            let answer = worker.answer();
            if let Some(executed) = answer.executed {
                let is_done = worker.answered(index);
                self.workers[k] = Some(worker);
                // What has killed one worker and not the next is said rather than forgotten.
                let unexplained = self.unexplained[k].take_if(|_| is_careful && is_done);
                return (unexplained.unwrap_or(executed), answer.observed);
            }
            let death = worker.bury(answer.timed_out);
            let died = self.died(&worker, &death, &answer.recording);
            let asked = std::mem::take(&mut worker.asked);
            drop(worker);
            if is_careful {
                self.unexplained[k] = None;
                self.ask_again(k, asked, index + 1, plan);
                return (died, answer.observed);
            }
            self.unexplained[k] = Some(died);
            self.ask_again(k, asked, index, plan);
        }
    }

    /// Gives what a dead worker has left to another: the rest of its batch with care, the others as usual.
    fn ask_again(&mut self, k: usize, left: VecDeque<Asked>, from: u64, plan: Plans<'_>) {
        for (n, asked) in left.into_iter().enumerate() {
            let cases = asked.cases.start.max(from)..asked.cases.end;
            self.ask(k, Asked { cases, is_careful: n == 0 }, plan);
        }
    }

    /// A worker, which is started if there is none.
    fn take(&mut self, k: usize) -> Worker {
        match self.workers[k].take() {
            Some(worker) => worker,
            None => self.start(),
        }
    }

    /// Starts a worker; the way that gets there is the one for all others.
    fn start(&mut self) -> Worker {
        while self.ways.len() > 1 {
            match self.spawn().and_then(|started| started.ready(self.timeout)) {
                Ok(worker) => {
                    self.ways.truncate(1);
                    return worker;
                }
                Err(_) => drop(self.ways.remove(0)),
            }
        }
        self.or_fail(self.spawn().and_then(|started| started.ready(self.timeout)))
    }

    /// Starts those of the first `n` workers that are not there, all at once.
    fn start_all(&mut self, n: usize) {
        let n = n.min(self.workers.len());
        let first = (0..n).find(|k| self.workers[*k].is_none());
        if let (Some(k), true) = (first, self.ways.len() > 1) {
            self.workers[k] = Some(self.start());
        }
        let missing: Vec<usize> = (0..n).filter(|k| self.workers[*k].is_none()).collect();
        let started: Vec<Started> = missing.iter().map(|_| self.or_fail(self.spawn())).collect();
        for (k, started) in missing.into_iter().zip(started) {
            self.workers[k] = Some(self.or_fail(started.ready(self.timeout)));
        }
    }

    fn or_fail<T>(&self, started: std::io::Result<T>) -> T {
        started.unwrap_or_else(|error| {
            report::fail(format!("stairway: cannot start the worker of `{}`: {error}", self.name))
        })
    }

    fn spawn(&self) -> std::io::Result<Started> {
        let Some(way) = self.ways.first() else {
            return Err(std::io::Error::other("nothing says how"));
        };
        let path = socket_path();
        let listener = UnixListener::bind(&path)?;
        let socket = RemoveOnDrop(path.clone());
        let (pipe, writer) = std::io::pipe()?;
        let child = Command::new(std::env::current_exe()?)
            .args(&way.arguments)
            .envs(sanitizer::OPTIONS.map(|(name, ours)| (name, with_ours(name, ours))))
            .envs(way.environment.iter().map(|(name, value)| (name, value)))
            .env(WORKER, &self.name)
            .env(SOCKET, &path)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()?;
        let output = Arc::new(Output::default());
        let collector = output.clone();
        std::thread::spawn(move || collector.collect(pipe));
        Ok(Started { child, listener, _socket: socket, output })
    }

    /// The verdict on a case that took its process down.
    fn died(&self, worker: &Worker, death: &Death, drawn: &Recording) -> Executed {
        let output = worker.output.at_the_end();
        let (identity, message) = match death {
            Death::Timeout => ("timeout".to_string(), format!("no answer within {:?}", self.timeout)),
            Death::Exit(_) if output.contains("has overflowed its stack") => {
                ("stack overflow".to_string(), "the process died of it".to_string())
            }
            Death::Exit(status) => describe(*status),
        };
        // A worker that was ended for want of an answer may have printed such words before, and gone on.
        let said = if matches!(death, Death::Exit(_)) { sanitizer::failure(&output) } else { None };
        let failure = said.unwrap_or_else(|| {
            let mut failure = Failure::of(identity, message);
            failure.details = printed(&output);
            failure
        });
        let n_choices = if drawn.choices.is_empty() { Executed::UNKNOWN } else { drawn.choices.len() };
        let n_spans = drawn.spans.len();
        Executed { verdict: Verdict::Failed(failure), n_choices, n_spans, clipped: false, used_up: true }
    }
}

impl Execute for Isolated {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observed,
    ) -> Executed {
        let room = recording.as_ref().map(|r| (r.choices.len(), r.spans.len()));
        let mut worker = self.take(0);
        worker.n_single += 1;
        let plan_line = format!("{}\n", wire::plan_to_json(plan, room));
        let asked = worker.reader.get_mut().write_all(plan_line.as_bytes());
        let answer = if asked.is_ok() { worker.answer() } else { Answer::default() };
        *observed = answer.observed;
        let executed = match answer.executed {
            Some(mut executed) => {
                if plan.detailed
                    && let Verdict::Failed(failure) = &mut executed.verdict
                {
                    failure.details.push_str(&printed(&worker.output.of_case(worker.n_single)));
                }
                self.workers[0] = Some(worker);
                executed
            }
            None => {
                let death = worker.bury(answer.timed_out);
                self.died(&worker, &death, &answer.recording)
            }
        };
        if let Some(recording) = recording {
            *recording = answer.recording;
            recording.trim(executed.n_choices, executed.n_spans);
        }
        executed
    }

    /// The next case has a worker of its own.
    fn refresh(&mut self) {
        self.workers.iter_mut().for_each(|worker| *worker = None);
    }

    fn execute_all(
        &mut self,
        from: u64,
        to: u64,
        plan: &(dyn Fn(u64) -> Plan<'static> + Sync),
        _: &mut Observed,
        sink: &mut dyn FnMut(u64, &Executed, &mut Observed) -> ControlFlow<()>,
    ) {
        let n_workers = self.workers.len() as u64;
        let at = |n: u64| from.saturating_add(n.saturating_mul(BATCH)).min(to);
        let batch = |n: u64| Asked { cases: at(n)..at(n + 1), is_careful: false };
        self.unexplained.fill(None);
        let n_batches = to.saturating_sub(from).div_ceil(BATCH);
        self.start_all(usize::try_from(n_batches).unwrap_or(usize::MAX));
        // A few batches each at first; whoever has answered one gets another at once.
        for n in 0..n_workers * N_BATCHES {
            self.ask((n % n_workers) as usize, batch(n), plan);
        }
        for n in 0.. {
            let k = (n % n_workers) as usize;
            if batch(n).cases.is_empty() {
                return;
            }
            for index in batch(n).cases {
                let (executed, mut observed) = self.receive(k, index, plan);
                if sink(index, &executed, &mut observed).is_break() {
                    // What was asked for and is not wanted any more would come as the answer to
                    // something else.
                    self.workers.iter_mut().for_each(|worker| *worker = None);
                    return;
                }
            }
            self.ask(k, batch(n + n_workers * N_BATCHES), plan);
        }
    }
}

/// What came back for a case: the whole answer, or what was sent before the worker fell silent.
#[derive(Default)]
struct Answer {
    executed: Option<Executed>,
    recording: Recording,
    observed: Observed,
    timed_out: bool,
}

/// A worker that has not called yet.
struct Started {
    child: Child,
    listener: UnixListener,
    _socket: RemoveOnDrop,
    output: Arc<Output>,
}

impl Started {
    /// The worker, once it has called; an answer of it may take as long as `timeout`.
    fn ready(self, timeout: Duration) -> std::io::Result<Worker> {
        let (stream, child) = accept(&self.listener, self.child, &self.output)?;
        stream.set_read_timeout(Some(timeout))?;
        Ok(Worker {
            child,
            reader: BufReader::new(stream),
            output: self.output,
            n_single: 0,
            names: wire::Names::default(),
            asked: VecDeque::new(),
        })
    }
}

impl Worker {
    fn answer(&mut self) -> Answer {
        let mut answer = Answer::default();
        let mut line = String::new();
        while answer.executed.is_none() {
            line.clear();
            match self.reader.read_line(&mut line) {
                Ok(n) if n > 0 && line.ends_with('\n') => {}
                Ok(_) => break,
                Err(error) => {
                    use std::io::ErrorKind::{TimedOut, WouldBlock};
                    answer.timed_out = matches!(error.kind(), WouldBlock | TimedOut);
                    break;
                }
            }
            let Ok(message) = serde_json::from_str::<Json>(&line) else { break };
            answer.executed = wire::executed_from_json(&message["executed"]);
            answer.recording = wire::recording_from_json(&message["recording"]).unwrap_or_default();
            answer.observed =
                wire::observed_from_json(&message["observed"], &mut self.names).unwrap_or_default();
        }
        answer
    }

    /// Case number `index` was answered; whether it was the last of its batch.
    fn answered(&mut self, index: u64) -> bool {
        let Some(asked) = self.asked.front_mut() else { return true };
        asked.cases.start = index + 1;
        let is_done = asked.cases.is_empty();
        if is_done {
            self.asked.pop_front();
        }
        is_done
    }

    fn bury(&mut self, timed_out: bool) -> Death {
        if timed_out {
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        match status {
            Ok(status) if !timed_out => Death::Exit(status),
            _ => Death::Timeout,
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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

/// Waits for the worker to call, or to die without having done so.
fn accept(
    listener: &UnixListener,
    mut child: Child,
    output: &Output,
) -> std::io::Result<(UnixStream, Child)> {
    listener.set_nonblocking(true)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok((stream, child));
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if let Some(status) = child.try_wait()? {
            let said = output.at_the_end();
            return Err(std::io::Error::other(format!(
                "it ended with {status} before it reached the property; a property is isolated by running \
                 its test again, which must be a test of its own name. It said:\n{said}"
            )));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The arguments with which this test binary runs the one test that checks the property, which
/// the function at path `function` does.
pub(crate) fn arguments(function: &str) -> Vec<String> {
    let function = function.split_once("::").map_or(function, |(_, path)| path);
    let path = test_thread_name().unwrap_or_else(|| function.to_string());
    arguments_for(&path)
}

/// The same for the test that is called like the property, as `refinement!` makes it.
pub(crate) fn arguments_of(name: &str) -> Vec<String> {
    arguments_for(name.split_once("::").map_or(name, |(_, path)| path))
}

fn arguments_for(path: &str) -> Vec<String> {
    [path, "--exact", "--nocapture", "--include-ignored", "--test-threads=1"].map(String::from).to_vec()
}

/// The test runner names the thread of a test after it.
#[allow(
    clippy::disallowed_methods,
    reason = "to find this test again in the same binary; no verdict depends on it"
)]
fn test_thread_name() -> Option<String> {
    std::thread::current().name().filter(|name| *name != "main").map(String::from)
}

/// The longest path that a socket may have on every system.
const MAX_SOCKET_PATH: usize = 100;

#[allow(clippy::disallowed_methods, reason = "a socket's path must differ from those of other processes")]
fn socket_path() -> PathBuf {
    static N: AtomicU64 = AtomicU64::new(0);
    let n = N.fetch_add(1, Ordering::Relaxed);
    let name = format!("stairway-{}-{n}.sock", std::process::id());
    let path = std::env::temp_dir().join(&name);
    if path.as_os_str().len() <= MAX_SOCKET_PATH { path } else { PathBuf::from("/tmp").join(name) }
}

struct RemoveOnDrop(PathBuf);

impl Drop for RemoveOnDrop {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What a dead process says by its status.
fn describe(status: ExitStatus) -> (String, String) {
    let Some(signal) = status.signal() else {
        let code = status.code().unwrap_or(-1);
        return (format!("exit {code}"), "the process ended itself with this code".to_string());
    };
    let (name, meaning) = match signal {
        4 => ("SIGILL", "illegal instruction"),
        5 => ("SIGTRAP", "trap"),
        6 => ("SIGABRT", "abort"),
        7 => ("SIGBUS", "bus error"),
        8 => ("SIGFPE", "arithmetic fault, such as a division by zero"),
        9 => ("SIGKILL", "killed, perhaps for want of memory"),
        11 => ("SIGSEGV", "invalid memory access"),
        _ => return (format!("signal {signal}"), "the process died of it".to_string()),
    };
    (name.to_string(), format!("the process died of it ({meaning})"))
}
