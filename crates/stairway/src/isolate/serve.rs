//! The worker's side: runs the plans it is given and answers, until the other side is gone.
//!
//! Plans come one by one or in batches; verdicts, records and observations go back. A plan by itself is
//! answered at once and, if it is to be, what is drawn is sent before each step that may crash. The answers
//! to a batch are sent together, or after a few milliseconds: a message for each case would cost more than
//! many a case.

use super::{confine, output};
use crate::panics;
use crate::program::{call_source, step_source::StepSource};
use crate::showing;
use crate::wire::{self, Message, Request, Wire};
use stairway_engine::{Case, Checked, Choices, Detail, Observations, Recording, Tap, execute_with};
use stairway_sandbox::Permissions;
use stairway_sandbox::channel::WorkerEnd;
use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

/// How long answers are kept back at most, beside the time that one case takes.
const PATIENCE: Duration = Duration::from_millis(10);

thread_local! {
    static CHANNEL: RefCell<Option<WorkerEnd>> = const { RefCell::new(None) };
    /// What is known on both sides of the channel.
    static WIRE: RefCell<Wire> = RefCell::default();
    /// Whether this process has answered enough.
    static IS_RETIRED: Cell<bool> = const { Cell::new(false) };
    /// What was sent of the present case.
    static SENT: RefCell<wire::SentCase> = RefCell::default();
}

/// Takes over the channel to the other side, if that was not done yet: before any code under test runs, which
/// cannot reach it then.
fn join() {
    super::worker_name();
    CHANNEL.with_borrow_mut(|channel| {
        if channel.is_none() {
            *channel = WorkerEnd::join().ok();
        }
    });
}

/// Takes over the channel and says that code under test is about to be loaded: if the process dies of it,
/// that is to blame.
pub fn load() {
    join();
    if CHANNEL.with_borrow(Option::is_some) {
        send(&Message::Loading);
    }
}

/// The answer to the present case is the last one of this process: something in it cannot be relied on any
/// more, such as a lock that nobody will release.
pub fn retire() {
    IS_RETIRED.set(true);
}

/// Takes over the channel and locks this process up.
pub(crate) fn enter(permissions: &Permissions) {
    join();
    confine::enter(permissions);
}

/// Runs what it is told to until the other side is gone.
pub(crate) fn serve(property: &dyn Fn(&mut Case<'_>) -> Checked, is_confined: bool) -> ! {
    join();
    if CHANNEL.with_borrow(Option::is_none) {
        std::process::exit(3);
    }
    let within = |case: &mut Case<'_>| confine::run(property, case);
    let property = if is_confined { &within } else { property };
    let mut server = Server { property, observed: Observations::default() };
    send(&Message::Ready { version: wire::VERSION });
    while let Some(bytes) = CHANNEL.with_borrow_mut(|channel| channel.as_mut()?.receive()) {
        match WIRE.with_borrow_mut(|wire| wire.read(&bytes)) {
            Some((Request::Case(plan), _)) => server.one(&plan),
            Some((Request::Batch(batch), _)) => server.batch(batch),
            None => break,
        }
    }
    std::process::exit(0)
}

struct Server<'p> {
    property: &'p dyn Fn(&mut Case<'_>) -> Checked,
    observed: Observations,
}

impl Server<'_> {
    /// A case that may be recorded and shown.
    fn one(&mut self, plan: &wire::OwnedPlan) {
        let mut recording = plan.room.map(|(n_choices, n_spans)| {
            let mut recording = Recording::default();
            recording.make_room(n_choices, n_spans);
            recording
        });
        let tap = plan.is_tapped.then_some(Tap { hear: tap, show: showing::guard });
        showing::listen(tap.map(|_| tell_shown as showing::Listener), plan.unshowable.clone());
        SENT.with_borrow_mut(wire::SentCase::clear);
        call_source::listen(
            tap.filter(|_| plan.as_plan().detail == Detail::Everything).map(|_| tell_call as fn(&StepSource)),
        );
        output::print_start();
        let answer = self.answer(plan, tap, recording.as_mut(), Vec::new());
        call_source::listen(None);
        showing::listen(None, Vec::new());
        output::print_end();
        send_bytes(&answer);
        if IS_RETIRED.get() {
            wait_for_the_end();
        }
    }

    /// Cases that are only judged.
    fn batch(&mut self, batch: wire::Batch) {
        let is_careful = batch.is_careful;
        let (mut answers, mut sent_at) = (Vec::new(), now());
        output::print_start();
        for (k, plan) in batch.into_plans().enumerate() {
            if is_careful && k > 0 {
                output::print_start();
            }
            answers = self.answer(&plan, None, None, answers);
            if IS_RETIRED.get() {
                send_bytes(&answers);
                // What is left is done by another.
                wait_for_the_end();
            }
            if is_careful || sent_at.elapsed() >= PATIENCE {
                send_bytes(&answers);
                answers.clear();
                sent_at = now();
            }
        }
        if !answers.is_empty() {
            send_bytes(&answers);
        }
    }

    /// Runs a case and adds the answer to `answers`.
    fn answer(
        &mut self,
        plan: &wire::OwnedPlan,
        tap: Option<Tap>,
        mut recording: Option<&mut Recording>,
        answers: Vec<u8>,
    ) -> Vec<u8> {
        let mut run = |case: &mut Case<'_>| (self.property)(case);
        self.observed.clear();
        let executed = execute_with(
            &mut run,
            panics::guard,
            tap,
            &plan.as_plan(),
            recording.as_deref_mut(),
            &mut self.observed,
        );
        let observed = std::mem::take(&mut self.observed);
        let recording = recording.map(std::mem::take).unwrap_or_default();
        let answer = wire::Answer { executed, observed, recording, is_last: IS_RETIRED.get() };
        let message = Message::Answer(Box::new(answer));
        let answers = WIRE.with_borrow_mut(|wire| wire.write(&message, answers));
        if let Message::Answer(answer) = message {
            // Its memory is used again by the next case.
            self.observed = answer.observed;
        }
        answers
    }
}

#[allow(clippy::disallowed_methods, reason = "decides when answers are sent, not what they are")]
fn now() -> Instant {
    Instant::now()
}

/// Sends what has been drawn since the last time, before the code under test runs on.
fn tap(choices: &Choices<'_>, observed: &Observations) {
    let (drawn, spans) = (choices.recorded(), choices.recorded_spans());
    let news = SENT.with_borrow_mut(|sent| sent.news(drawn, spans, observed));
    send(&Message::News(Box::new(news)));
}

/// Sends a call that is about to be made, as source text.
fn tell_call(source: &StepSource) {
    send(&Message::Call(Box::new(source.clone())));
}

/// Sends which value is about to be shown, or that it was.
fn tell_shown(number: Option<u32>) {
    send(&Message::Showing(number));
}

fn send(message: &Message) {
    send_bytes(&WIRE.with_borrow_mut(|wire| wire.write(message, Vec::new())));
}

/// The other side ends this process. Ending it here would run what the code under test has left to be run at
/// the end.
fn wait_for_the_end() -> ! {
    while CHANNEL.with_borrow_mut(|channel| channel.as_mut()?.receive()).is_some() {}
    std::process::exit(0)
}

fn send_bytes(message: &[u8]) {
    let sent = CHANNEL.with_borrow_mut(|channel| channel.as_mut()?.send(message));
    if sent.is_none() {
        std::process::exit(0);
    }
}
