//! The worker's side: runs the plans it is given and answers, until the other side hangs up.
//!
//! Receives plans, one by one or in batches; hands on verdicts, records and observations. A plan by itself is answered
//! at once, and what is drawn is sent before each step that may crash. The answers to a batch are sent together, or
//! after a few milliseconds: a message for each case would cost more than many a case.

use super::{SOCKET, output};
use crate::{panics, wire};
use serde_json::{Value as Json, json};
use stairway_engine::{Case, Checked, Choices, Observed, Recording, Tap, execute_with};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long answers are kept back at most, beside the time that one case takes.
const PATIENCE: Duration = Duration::from_millis(10);

thread_local! {
    static CONNECTION: RefCell<Option<UnixStream>> = const { RefCell::new(None) };
}

/// Runs what it is told to until the other side hangs up.
pub(crate) fn serve(property: &dyn Fn(&mut Case<'_>) -> Checked) -> ! {
    let stream = std::env::var_os(SOCKET).map(PathBuf::from).and_then(|path| UnixStream::connect(path).ok());
    let Some(stream) = stream else { std::process::exit(3) };
    let Ok(reader) = stream.try_clone() else { std::process::exit(3) };
    CONNECTION.set(Some(stream));
    let mut server = Server { property, names: wire::Names::default(), observed: Observed::default() };
    for line in BufReader::new(reader).lines() {
        let message = line.ok().and_then(|line| serde_json::from_str::<Json>(&line).ok());
        let Some(message) = message else { break };
        let is_served = match wire::batch_from_json(&message) {
            Some(batch) => server.batch(&batch),
            None => wire::plan_from_json(&message).map(|plan| server.one(&plan)),
        };
        if is_served.is_none() {
            break;
        }
    }
    std::process::exit(0)
}

struct Server<'p> {
    property: &'p dyn Fn(&mut Case<'_>) -> Checked,
    names: wire::Names,
    observed: Observed,
}

impl Server<'_> {
    /// A case that may be recorded and shown.
    fn one(&mut self, plan: &wire::OwnedPlan) {
        let mut recording = plan.room.map(|(n_choices, n_spans)| {
            let mut recording = Recording::default();
            recording.make_room(n_choices, n_spans);
            recording
        });
        let is_wanted = plan.room.is_some() || plan.as_plan().detailed;
        let tap = is_wanted.then_some(tap as Tap);
        output::print_start();
        let answer = self.answer(plan, tap, recording.as_mut());
        output::print_end();
        send(&answer);
    }

    /// Cases that are only judged.
    fn batch(&mut self, batch: &wire::Batch) -> Option<()> {
        let (mut answers, mut sent_at) = (String::new(), now());
        output::print_start();
        for (k, plan) in batch.plans().enumerate() {
            if batch.is_careful && k > 0 {
                output::print_start();
            }
            answers.push_str(&self.answer(&plan, None, None));
            if batch.is_careful || sent_at.elapsed() >= PATIENCE {
                send(&answers);
                answers.clear();
                sent_at = now();
            }
        }
        send(&answers);
        Some(())
    }

    /// Runs a case; the answer is a line.
    fn answer(
        &mut self,
        plan: &wire::OwnedPlan,
        tap: Option<Tap>,
        mut recording: Option<&mut Recording>,
    ) -> String {
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
        let mut answer = json!({
            "executed": wire::executed_to_json(&executed),
            "observed": wire::observed_to_json(&self.observed, &mut self.names),
        });
        if let Some(recording) = recording {
            answer["recording"] = wire::recording_to_json(&recording.choices, &recording.spans);
        }
        format!("{answer}\n")
    }
}

#[allow(clippy::disallowed_methods, reason = "decides when answers are sent, not what they are")]
fn now() -> Instant {
    Instant::now()
}

/// Sends what has been drawn so far, before the code under test runs on.
fn tap(choices: &Choices<'_>, observed: &Observed) {
    let recording = wire::recording_to_json(choices.recorded(), choices.recorded_spans());
    // Nothing is counted yet, so no names are needed.
    let observed = wire::observed_to_json(observed, &mut wire::Names::default());
    send(&format!("{}\n", json!({ "recording": recording, "observed": observed })));
}

fn send(lines: &str) {
    CONNECTION.with_borrow_mut(|connection| {
        if let Some(stream) = connection
            && stream.write_all(lines.as_bytes()).is_err()
        {
            std::process::exit(0);
        }
    });
}
