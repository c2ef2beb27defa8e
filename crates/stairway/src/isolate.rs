//! Cases in a process of their own: crashes, exits and hangs become failures like any other.
//!
//! The worker is this binary, executed again: a test binary with the one test selected, another program with
//! the arguments it names. Forking a process that has threads would be unsound. It stays alive from case to
//! case; there are as many as there are jobs. Plans go to it in batches and verdicts come back through memory
//! that both share (`worker` is this side of it, `serve` the other); what it prints goes into a pipe
//! (`output`).
//!
//! A worker that dies in the middle of a batch takes answers with it that it had not sent yet. Cases are
//! independent of each other, so those are run once more in another worker, which answers each of them at
//! once: then it is known which case kills. A case by itself that kills is run once more by a worker that
//! sends what is drawn before each step. From the first death on, until the search goes on, that is done at
//! once.

mod confine;
mod death;
mod output;
mod sanitizer;
mod serve;
mod worker;

use crate::failure_words;
use crate::report::{self, Refusal};
use crate::showing::Unshowable;
use crate::wire;
use confine::Confinement;
use death::Death;
use output::printed;
use stairway_engine::{
    Detail, Execute, Execution, Failure, FailureKind, Lengths, Observations, Plan, Plans, ProcessEnd,
    Recording, Sink, Verdict,
};
use stairway_sandbox::Permissions;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;
use worker::{Answer, NoWorker, StartedWorker, Worker};

pub(crate) use serve::{enter, serve};
pub use serve::{load, retire};
pub(crate) use worker::{arguments, arguments_of};

const WORKER: &str = "STAIRWAY_WORKER";
/// How long a worker may be silent unless the property says otherwise.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// Whether this process is the worker for the property called `name`.
pub(crate) fn is_worker_for(name: &str) -> bool {
    worker_name() == Some(name)
}

/// Whether this process is a worker.
pub(crate) fn is_worker() -> bool {
    worker_name().is_some()
}

/// The property that this process is a worker for. The environment is asked once: a worker that is locked up
/// has another one.
fn worker_name() -> Option<&'static str> {
    static NAME: OnceLock<Option<String>> = OnceLock::new();
    NAME.get_or_init(|| std::env::var(WORKER).ok()).as_deref()
}

/// Runs cases in workers, which are started when needed.
pub(crate) struct IsolatedExecutor {
    name: String,
    /// How this binary checks the property: what is to be tried, in this order, until one gets there.
    ways: Vec<crate::Worker>,
    timeout: Duration,
    workers: Vec<Option<Worker>>,
    /// For each worker, how its predecessor died, as long as it is not known of which case.
    unexplained: Vec<Option<Execution>>,
    /// Whether a worker has died since the search went on: the next one may die too.
    is_wary: bool,
    /// A worker that is starting while another one may be dying.
    spare: Option<StartedWorker>,
    /// What holds the workers, if anything does; dropped after them.
    _confinement: Option<Confinement>,
}

/// How many cases a worker is given at once.
const BATCH: u64 = 64;
/// How many batches a worker has: it is never without work while its answers are looked at.
const N_BATCHES: u64 = 3;

/// A batch of cases.
struct CaseBatch {
    /// Those that were not answered yet.
    cases: Range<u64>,
    /// Whether each is answered at once.
    is_careful: bool,
}

impl IsolatedExecutor {
    /// Workers for the property called `name`, which this binary checks when started so.
    pub(crate) fn new(
        name: &str,
        mut ways: Vec<crate::Worker>,
        timeout: Option<Duration>,
        n_workers: usize,
        confined: Option<&Permissions>,
    ) -> Self {
        let confinement = confined.map(Confinement::new);
        if let Some(Confinement { launcher, environment, .. }) = &confinement {
            for way in &mut ways {
                way.launcher = Some(launcher.clone());
                way.environment.extend(environment.iter().cloned());
            }
        }
        let timeout = timeout.unwrap_or(DEFAULT_TIMEOUT);
        let n_workers = n_workers.max(1);
        let workers = (0..n_workers).map(|_| None).collect();
        let unexplained = vec![None; n_workers];
        let (is_wary, spare) = (false, None);
        let name = name.to_string();
        IsolatedExecutor {
            name,
            ways,
            timeout,
            workers,
            unexplained,
            is_wary,
            spare,
            _confinement: confinement,
        }
    }

    /// Gives a worker all cases of a batch; one that cannot take them is found dead when it is
    /// asked for the first answer.
    fn ask(&mut self, k: usize, asked: CaseBatch, plans: &Plans<'_>) {
        if asked.cases.is_empty() {
            return;
        }
        let mut worker = self.take(k);
        let cases: Vec<Plan<'_>> = asked.cases.clone().map(|index| plans.plan(index)).collect();
        if let Some(batch) = wire::Batch::new(&cases, asked.is_careful) {
            worker.send(&wire::Request::Batch(batch));
        }
        worker.asked.push_back(asked);
        self.workers[k] = Some(worker);
    }

    /// The next answer of a worker, to case number `index`.
    fn receive(&mut self, k: usize, index: u64, plans: &Plans<'_>) -> (Execution, Observations) {
        loop {
            let mut worker = self.take(k);
            let is_careful = worker.asked.front().is_some_and(|asked| asked.is_careful);
            let answer = worker.answer();
            if let Some(executed) = answer.executed {
                let is_done = worker.answered(index);
                if answer.is_last {
                    let asked = std::mem::take(&mut worker.asked);
                    drop(worker);
                    self.ask_again(k, asked, index + 1, plans, is_careful && !is_done);
                } else {
                    self.workers[k] = Some(worker);
                }
                // What has killed one worker and not the next is said rather than forgotten.
                let unexplained = self.unexplained[k].take_if(|_| is_careful && is_done);
                return (unexplained.unwrap_or(executed), answer.observed);
            }
            let died = self.died(worker.bury(answer.end), &worker, &answer.recording);
            let asked = std::mem::take(&mut worker.asked);
            drop(worker);
            if is_careful {
                self.unexplained[k] = None;
                self.ask_again(k, asked, index + 1, plans, true);
                return (died, answer.observed);
            }
            self.unexplained[k] = Some(died);
            self.ask_again(k, asked, index, plans, true);
        }
    }

    /// Gives what a worker that is gone has left to another: the rest of its batch with care if `is_careful`,
    /// the others as usual.
    fn ask_again(
        &mut self,
        k: usize,
        left: VecDeque<CaseBatch>,
        from: u64,
        plans: &Plans<'_>,
        is_careful: bool,
    ) {
        for (n, asked) in left.into_iter().enumerate() {
            let cases = asked.cases.start.max(from)..asked.cases.end;
            self.ask(k, CaseBatch { cases, is_careful: is_careful && n == 0 }, plans);
        }
    }

    /// A worker, which is started if there is none.
    fn take(&mut self, k: usize) -> Worker {
        match (self.workers[k].take(), self.spare.take()) {
            (Some(worker), spare) => {
                self.spare = spare;
                worker
            }
            (None, Some(spare)) => spare.ready().unwrap_or_else(|_| self.start()),
            (None, None) => self.start(),
        }
    }

    /// Starts a worker; the way that gets there is the one for all others.
    fn start(&mut self) -> Worker {
        while self.ways.len() > 1 {
            match self.spawn().and_then(StartedWorker::ready) {
                Ok(worker) => {
                    self.ways.truncate(1);
                    return worker;
                }
                Err(_) => drop(self.ways.remove(0)),
            }
        }
        self.or_fail(self.spawn().and_then(StartedWorker::ready))
    }

    /// Starts those of the first `n` workers that are not there, all at once.
    fn start_all(&mut self, n: usize) {
        let n = n.min(self.workers.len());
        let first = (0..n).find(|k| self.workers[*k].is_none());
        if let (Some(k), true) = (first, self.ways.len() > 1) {
            self.workers[k] = Some(self.start());
        }
        let missing: Vec<usize> = (0..n).filter(|k| self.workers[*k].is_none()).collect();
        let started: Vec<StartedWorker> = missing.iter().map(|_| self.or_fail(self.spawn())).collect();
        for (k, started) in missing.into_iter().zip(started) {
            self.workers[k] = Some(self.or_fail(started.ready()));
        }
    }

    fn or_fail<T>(&self, started: Result<T, NoWorker>) -> T {
        started.unwrap_or_else(|none| {
            let NoWorker { why, said, is_loading } = none;
            let said = if said.trim().is_empty() { String::new() } else { format!(". It said:\n{said}") };
            if is_loading {
                report::refuse(
                    Refusal::Program,
                    format!(
                        "{}: the program dies while it is loaded, before anything is called ({why}): look at its \
                         constructors{said}",
                        self.name
                    ),
                )
            }
            let name = &self.name;
            let message = format!("stairway: cannot start the worker of `{name}`: {why}{said}");
            report::refuse(Refusal::Worker, message)
        })
    }

    fn spawn(&self) -> Result<StartedWorker, NoWorker> {
        match self.ways.first() {
            Some(way) => {
                StartedWorker::new(&self.name, way, self.timeout).map_err(|error| error.to_string().into())
            }
            None => Err("nothing says how".to_string().into()),
        }
    }

    /// The verdict on a case that took its process down.
    fn died(&mut self, death: Death, worker: &Worker, drawn: &Recording) -> Execution {
        self.is_wary = true;
        let output = worker.output.at_the_end();
        let failure = sanitizer::failure(&output).filter(|_| death.is_own()).unwrap_or_else(|| {
            let mut failure = death.failure(&output);
            failure.details = printed(&output);
            failure
        });
        let n_choices = if drawn.choices.is_empty() { Execution::UNKNOWN } else { drawn.choices.len() };
        let n_spans = drawn.spans.len();
        let verdict = Verdict::Failed(failure);
        let lengths = Lengths::NONE;
        Execution { verdict, n_choices, n_spans, clipped: false, lengths, used_up: true, pruned: false }
    }

    /// Runs a case by itself; the verdict on a death is marked as such.
    fn single(
        &mut self,
        plan: &Plan<'_>,
        room: Option<(usize, usize)>,
        is_tapped: bool,
        unshowable: &[Unshowable],
    ) -> (Execution, Answer, bool) {
        let mut worker = self.take(0);
        worker.n_single += 1;
        let mut owned = wire::OwnedPlan::new(plan, room, is_tapped);
        owned.unshowable = unshowable.to_vec();
        worker.send(&wire::Request::Case(owned));
        if self.is_wary && self.spare.is_none() {
            self.spare = self.spawn().ok();
        }
        let mut answer = worker.answer();
        let Some(mut executed) = answer.executed.take() else {
            let died = self.died(worker.bury(answer.end), &worker, &answer.recording);
            return (died, answer, true);
        };
        if plan.detail == Detail::Everything
            && let Verdict::Failed(failure) = &mut executed.verdict
        {
            failure.details.push_str(&printed(&worker.output.of_case(worker.n_single)));
        }
        if !answer.is_last {
            self.workers[0] = Some(worker);
        }
        (executed, answer, false)
    }
}

/// How many values of one case may end like this before no further one is shown: each takes the start of
/// another worker, or as long as a worker may be silent.
const fn max_unshowable(failure: &Failure) -> usize {
    if matches!(failure.kind, FailureKind::Process(ProcessEnd::Timeout)) { 4 } else { 16 }
}

impl Execute for IsolatedExecutor {
    fn execute(
        &mut self,
        plan: &Plan<'_>,
        recording: Option<&mut Recording>,
        observed: &mut Observations,
    ) -> Execution {
        let room = recording.as_ref().map(|r| (r.choices.len(), r.spans.len()));
        // Sending everything before each step takes longer than most cases.
        let is_detailed = plan.detail == Detail::Everything;
        let is_wanted = room.is_some() || is_detailed;
        let is_tapped = is_wanted && (self.is_wary || is_detailed);
        let (mut executed, mut answer, has_died) = self.single(plan, room, is_tapped, &[]);
        if has_died && is_wanted && !is_tapped {
            let (again, sent, has_died) = self.single(plan, room, true, &[]);
            // What has killed one worker and not the next is said rather than forgotten.
            if has_died {
                (executed, answer) = (again, sent);
            }
        }
        // Showing a value says nothing about the case: without that value it goes on.
        let mut unshowable = Vec::new();
        while let (Some(number), Verdict::Failed(failure)) = (answer.showing, &executed.verdict)
            && unshowable.len() < 2 * max_unshowable(failure)
        {
            let and_later = unshowable.len() + 1 >= max_unshowable(failure);
            unshowable.push(Unshowable { number, and_later, why: failure_words::identity(failure) });
            (executed, answer, _) = self.single(plan, room, true, &unshowable);
        }
        *observed = answer.observed;
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
        plans: &Plans<'_>,
        observed: &mut Observations,
        sink: &mut dyn Sink,
    ) {
        if plans.detailed {
            // A case whose values are shown may have to be run again without some of them.
            return self.execute_each(from, to, plans, observed, sink);
        }
        let n_workers = self.workers.len() as u64;
        let at = |n: u64| from.saturating_add(n.saturating_mul(BATCH)).min(to);
        let batch = |n: u64| CaseBatch { cases: at(n)..at(n + 1), is_careful: false };
        self.unexplained.fill(None);
        self.is_wary = false;
        let n_batches = to.saturating_sub(from).div_ceil(BATCH);
        self.start_all(usize::try_from(n_batches).unwrap_or(usize::MAX));
        // A few batches each at first; whoever has answered one gets another at once.
        for n in 0..n_workers * N_BATCHES {
            self.ask((n % n_workers) as usize, batch(n), plans);
        }
        for n in 0.. {
            let k = (n % n_workers) as usize;
            if batch(n).cases.is_empty() {
                return;
            }
            for index in batch(n).cases {
                let (executed, mut observed) = self.receive(k, index, plans);
                if sink.case(index, &executed, &mut observed).is_break() {
                    // What was asked for and is not wanted any more would come as the answer to
                    // something else.
                    self.workers.iter_mut().for_each(|worker| *worker = None);
                    return;
                }
            }
            self.ask(k, batch(n + n_workers * N_BATCHES), plans);
        }
    }
}
