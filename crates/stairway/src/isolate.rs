//! Cases in a process of their own: crashes, exits and hangs become failures like any other.
//!
//! The worker is this binary, executed again: a test binary with the one test selected, another
//! program with the arguments it names. Forking a process that has threads would be unsound. It
//! stays alive from case to case; there are as many as there are jobs. Plans go to it in batches and
//! verdicts come back over a Unix socket; before each step that may crash it sends what it has
//! drawn, so that a case that kills it can still be shrunk. What the code prints goes into a
//! pipe, of which the end is kept; a line before and after each case tells whose output it is,
//! because the pipe may lag behind the socket.

use crate::{panics, report, wire};
use serde_json::{Value as Json, json};
use stairway_engine::{
    Case, Checked, Choices, Execute, Executed, Failure, Observed, Plan, Recording, Tap, Verdict, execute_with,
};
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const WORKER: &str = "STAIRWAY_WORKER";
const SOCKET: &str = "STAIRWAY_WORKER_SOCKET";
/// Printed by the worker before and after each case.
const START_OF_OUTPUT: &str = "\u{1}stairway: start of case\u{1}\n";
const END_OF_OUTPUT: &str = "\u{1}stairway: end of case\u{1}\n";
/// How much of the code's own output is kept.
const MAX_OUTPUT: usize = 16 * 1024;
/// How long a case may take unless the property says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Whether this process is the worker for the property called `name`.
pub(crate) fn is_worker_for(name: &str) -> bool {
    std::env::var(WORKER).is_ok_and(|worker| worker == name)
}

thread_local! {
    static CONNECTION: RefCell<Option<UnixStream>> = const { RefCell::new(None) };
}

/// The worker: runs what it is told to until the other side hangs up.
pub(crate) fn serve(property: &dyn Fn(&mut Case<'_>) -> Checked) -> ! {
    let stream = std::env::var_os(SOCKET).map(PathBuf::from).and_then(|path| UnixStream::connect(path).ok());
    let Some(stream) = stream else { std::process::exit(3) };
    let Ok(reader) = stream.try_clone() else { std::process::exit(3) };
    CONNECTION.set(Some(stream));
    for line in BufReader::new(reader).lines() {
        let plan = line.ok().and_then(|line| serde_json::from_str::<Json>(&line).ok());
        let Some(plan) = plan.as_ref().and_then(wire::plan_from_json) else { break };
        let mut observed = Observed::default();
        let mut recording = plan.room.map(|(n_choices, n_spans)| {
            let mut recording = Recording::default();
            recording.make_room(n_choices, n_spans);
            recording
        });
        let is_wanted = plan.room.is_some() || plan.as_plan().detailed;
        let tap = is_wanted.then_some(tap as Tap);
        let mut run = |case: &mut Case<'_>| property(case);
        print_now(START_OF_OUTPUT);
        let executed =
            execute_with(&mut run, panics::guard, tap, &plan.as_plan(), recording.as_mut(), &mut observed);
        print_now(END_OF_OUTPUT);
        send(&json!({
            "executed": wire::executed_to_json(&executed),
            "recording": recording.map(|r| wire::recording_to_json(&r.choices, &r.spans)),
            "observed": wire::observed_to_json(&observed),
        }));
    }
    std::process::exit(0)
}

fn print_now(text: &str) {
    print!("{text}");
    let _ = std::io::stdout().flush();
}

/// Sends what has been drawn so far, before the code under test runs on.
fn tap(choices: &Choices<'_>, observed: &Observed) {
    let recording = wire::recording_to_json(choices.recorded(), choices.recorded_spans());
    send(&json!({ "recording": recording, "observed": wire::observed_to_json(observed) }));
}

fn send(message: &Json) {
    CONNECTION.with_borrow_mut(|connection| {
        if let Some(stream) = connection {
            let sent = stream.write_all(format!("{message}\n").as_bytes());
            if sent.is_err() {
                std::process::exit(0);
            }
        }
    });
}

/// Runs cases in workers, which are started when needed.
pub(crate) struct Isolated {
    name: String,
    /// How this binary checks the property.
    worker: crate::Worker,
    timeout: Duration,
    workers: Vec<Option<Worker>>,
}

/// How many cases a worker is given at once.
const BATCH: u64 = 64;

struct Worker {
    child: Child,
    reader: BufReader<UnixStream>,
    output: Arc<Output>,
    /// How many cases it was given.
    n_cases: u64,
}

/// What the worker has printed.
#[derive(Default)]
struct Output {
    state: Mutex<OutputState>,
    changed: Condvar,
}

#[derive(Default)]
struct OutputState {
    /// What is left of the latest bytes, from the start of the latest case if that is among them.
    text: Vec<u8>,
    /// How many cases have come to their end.
    n_ended: u64,
    is_closed: bool,
}

/// How a case ended that the worker did not answer for.
enum Death {
    Timeout,
    Exit(ExitStatus),
}

impl Isolated {
    /// Workers for the property called `name`, which this binary checks when started so.
    pub(crate) fn new(
        name: &str,
        worker: crate::Worker,
        timeout: Option<Duration>,
        n_workers: usize,
    ) -> Self {
        let timeout = timeout.unwrap_or(DEFAULT_TIMEOUT);
        let workers = (0..n_workers.max(1)).map(|_| None).collect();
        Isolated { name: name.to_string(), worker, timeout, workers }
    }

    /// Gives a worker all cases of a batch; one that cannot take them is found dead when it is
    /// asked for the first answer.
    fn ask(&mut self, k: usize, batch: std::ops::Range<u64>, plan: &(dyn Fn(u64) -> Plan<'static> + Sync)) {
        if batch.is_empty() {
            return;
        }
        let mut worker = self.workers[k].take().unwrap_or_else(|| self.start());
        let mut lines = String::new();
        for index in batch {
            let _ = writeln!(lines, "{}", wire::plan_to_json(&plan(index), None));
        }
        let _ = worker.reader.get_mut().write_all(lines.as_bytes());
        self.workers[k] = Some(worker);
    }

    /// The next answer of a worker; if it died of the case, the rest of the batch goes to another.
    fn receive(&mut self, k: usize) -> (Executed, Observed) {
        let mut worker = self.workers[k].take().unwrap_or_else(|| self.start());
        worker.n_cases += 1;
        let answer = worker.answer();
        match answer.executed {
            Some(executed) => {
                self.workers[k] = Some(worker);
                (executed, answer.observed)
            }
            None => {
                let death = worker.bury(answer.timed_out);
                (self.died(&worker, &death, &answer.recording), answer.observed)
            }
        }
    }

    fn start(&self) -> Worker {
        match self.try_start() {
            Ok(worker) => worker,
            Err(error) => {
                report::fail(format!("stairway: cannot start the worker of `{}`: {error}", self.name))
            }
        }
    }

    fn try_start(&self) -> std::io::Result<Worker> {
        let path = socket_path();
        let listener = UnixListener::bind(&path)?;
        let removed = RemoveOnDrop(path.clone());
        let (pipe, writer) = std::io::pipe()?;
        let child = Command::new(std::env::current_exe()?)
            .args(&self.worker.arguments)
            .envs(self.worker.environment.iter().map(|(name, value)| (name, value)))
            .env(WORKER, &self.name)
            .env(SOCKET, &path)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .spawn()?;
        let output = Arc::new(Output::default());
        let collector = output.clone();
        std::thread::spawn(move || collector.collect(pipe));
        let (stream, child) = accept(&listener, child, &output)?;
        drop(removed);
        stream.set_read_timeout(Some(self.timeout))?;
        Ok(Worker { child, reader: BufReader::new(stream), output, n_cases: 0 })
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
        let mut failure = Failure::of(identity, message);
        failure.details = printed(&output);
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
        let mut worker = self.workers[0].take().unwrap_or_else(|| self.start());
        worker.n_cases += 1;
        let plan_line = format!("{}\n", wire::plan_to_json(plan, room));
        let asked = worker.reader.get_mut().write_all(plan_line.as_bytes());
        let answer = if asked.is_ok() { worker.answer() } else { Answer::default() };
        *observed = answer.observed;
        let executed = match answer.executed {
            Some(mut executed) => {
                if plan.detailed
                    && let Verdict::Failed(failure) = &mut executed.verdict
                {
                    failure.details.push_str(&printed(&worker.output.of_case(worker.n_cases)));
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
        let n_workers = self.workers.len();
        let batch = |n: u64| (from + n * BATCH).min(to)..(from + (n + 1) * BATCH).min(to);
        // One batch each at first; whoever has answered gets the next one at once.
        for k in 0..n_workers {
            self.ask(k, batch(k as u64), plan);
        }
        for n in 0.. {
            let k = (n % n_workers as u64) as usize;
            let cases = batch(n);
            if cases.is_empty() {
                return;
            }
            for index in cases.clone() {
                let (executed, mut observed) = self.receive(k);
                if self.workers[k].is_none() {
                    self.ask(k, index + 1..cases.end, plan);
                }
                if sink(index, &executed, &mut observed).is_break() {
                    // What was asked for and is not wanted any more would come as the answer to
                    // something else.
                    self.workers.iter_mut().for_each(|worker| *worker = None);
                    return;
                }
            }
            self.ask(k, batch(n + n_workers as u64), plan);
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
            answer.observed = wire::observed_from_json(&message["observed"]).unwrap_or_default();
        }
        answer
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

impl Output {
    /// What case number `n` of this worker, which has answered, has printed.
    fn of_case(&self, n: u64) -> String {
        self.wait(|state| state.n_ended >= n || state.is_closed)
    }

    /// What the latest case has printed, once the worker is dead.
    fn at_the_end(&self) -> String {
        self.wait(|state| state.is_closed)
    }

    fn state(&self) -> MutexGuard<'_, OutputState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, is_complete: impl Fn(&OutputState) -> bool) -> String {
        // A child of the worker may hold the pipe open: do not wait for ever.
        let waited = self
            .changed
            .wait_timeout_while(self.state(), Duration::from_secs(2), |state| !is_complete(state));
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&state.text);
        text.split(END_OF_OUTPUT).next().unwrap_or_default().to_string()
    }

    /// Reads the pipe to its end.
    fn collect(&self, mut pipe: impl Read) {
        let mut buffer = [0; 4096];
        while let Ok(n) = pipe.read(&mut buffer)
            && n > 0
        {
            self.state().add(&buffer[..n]);
            self.changed.notify_all();
        }
        self.state().is_closed = true;
        self.changed.notify_all();
    }
}

impl OutputState {
    fn add(&mut self, bytes: &[u8]) {
        // A mark may have come in two parts, of which the first is there already.
        let seen = self.text.len().saturating_sub(END_OF_OUTPUT.len() - 1);
        self.text.extend_from_slice(bytes);
        self.n_ended += ends_of(END_OF_OUTPUT, &self.text[seen..]).count() as u64;
        if let Some(start) = ends_of(START_OF_OUTPUT, &self.text).last() {
            self.text.drain(..start);
        }
        let surplus = self.text.len().saturating_sub(MAX_OUTPUT);
        self.text.drain(..surplus);
    }
}

/// Where `mark` ends in `text`, each time.
fn ends_of<'t>(mark: &'static str, text: &'t [u8]) -> impl Iterator<Item = usize> + 't {
    let windows = text.windows(mark.len()).enumerate();
    windows.filter(move |(_, window)| *window == mark.as_bytes()).map(|(at, _)| at + mark.len())
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
    [path.as_str(), "--exact", "--nocapture", "--include-ignored", "--test-threads=1"]
        .map(String::from)
        .to_vec()
}

/// The test runner names the thread of a test after it.
#[allow(
    clippy::disallowed_methods,
    reason = "to find this test again in the same binary; no verdict depends on it"
)]
fn test_thread_name() -> Option<String> {
    std::thread::current().name().filter(|name| *name != "main").map(String::from)
}

#[allow(clippy::disallowed_methods, reason = "a socket's path must differ from those of other processes")]
fn socket_path() -> PathBuf {
    static N: AtomicU64 = AtomicU64::new(0);
    let n = N.fetch_add(1, Ordering::Relaxed);
    std::env::temp_dir().join(format!("stairway-{}-{n}.sock", std::process::id()))
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

fn printed(output: &str) -> String {
    if output.trim().is_empty() {
        String::new()
    } else {
        format!("it printed:\n{}", output.trim_start_matches('\n').trim_end())
    }
}
