//! How far a case has come, sent before each step that may crash: what a worker that dies leaves.
//!
//! A program may have thousands of steps, and there is a message before each of them: only what has changed
//! since the message before is sent. The worker keeps a [`SentCase`], whoever listens an [`ReceivedCase`].

use crate::program::step_source::{self, StepSource};
use serde::{Deserialize, Serialize};
use stairway_engine::{Choice, Observations, Recording, Span};

/// What has changed.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CaseUpdate {
    after: After,
    recording: Recording,
    observed: Observations,
}

impl CaseUpdate {
    /// Reads what the engine only carries; says whether it can be read.
    pub(crate) fn restore(&mut self) -> bool {
        step_source::restore(&mut self.observed)
    }
}

/// How much of what was sent before still stands.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct After {
    n_choices: usize,
    n_spans: usize,
    n_drawn: usize,
    n_notes: usize,
    n_steps: usize,
}

/// What was sent of the present case.
#[derive(Debug, Default)]
pub(crate) struct SentCase {
    choices: Vec<Choice>,
    spans: Vec<Span>,
    n_drawn: usize,
    n_notes: usize,
    n_steps: usize,
}

impl SentCase {
    /// Another case begins.
    pub(crate) fn clear(&mut self) {
        self.choices.clear();
        self.spans.clear();
        (self.n_drawn, self.n_notes, self.n_steps) = (0, 0, 0);
    }

    /// What is new. Counts are left out: a case that dies is not counted.
    pub(crate) fn news(&mut self, choices: &[Choice], spans: &[Span], observed: &Observations) -> CaseUpdate {
        let (n_choices, n_spans) = (n_alike(&self.choices, choices), n_alike(&self.spans, spans));
        self.choices.truncate(n_choices);
        self.choices.extend_from_slice(&choices[n_choices..]);
        self.spans.truncate(n_spans);
        self.spans.extend_from_slice(&spans[n_spans..]);
        let n_drawn = self.n_drawn.min(observed.drawn.len());
        let n_notes = self.n_notes.min(observed.notes.len());
        // More is said of the latest step after it was sent, or it was taken back.
        let n_steps = self.n_steps.saturating_sub(1).min(observed.steps.len());
        let changed = Observations {
            drawn: observed.drawn[n_drawn..].to_vec(),
            notes: observed.notes[n_notes..].to_vec(),
            steps: observed.steps[n_steps..].to_vec(),
            ..Observations::default()
        };
        self.n_drawn = observed.drawn.len();
        self.n_notes = observed.notes.len();
        self.n_steps = observed.steps.len();
        CaseUpdate {
            after: After { n_choices, n_spans, n_drawn, n_notes, n_steps },
            recording: Recording { choices: choices[n_choices..].to_vec(), spans: spans[n_spans..].to_vec() },
            observed: changed,
        }
    }
}

/// What has arrived of a case.
#[derive(Debug, Default)]
pub(crate) struct ReceivedCase {
    pub(crate) recording: Recording,
    pub(crate) observed: Observations,
}

impl ReceivedCase {
    /// Adds what is new; `None` if it does not follow on what has arrived.
    pub(crate) fn add(&mut self, news: CaseUpdate) -> Option<()> {
        let CaseUpdate { after, recording, observed } = news;
        continue_with(&mut self.recording.choices, after.n_choices, recording.choices)?;
        continue_with(&mut self.recording.spans, after.n_spans, recording.spans)?;
        continue_with(&mut self.observed.drawn, after.n_drawn, observed.drawn)?;
        continue_with(&mut self.observed.notes, after.n_notes, observed.notes)?;
        continue_with(&mut self.observed.steps, after.n_steps, observed.steps)
    }

    /// The latest step as source text.
    pub(crate) fn call(&mut self, source: StepSource) -> Option<()> {
        *step_source::of_latest(&mut self.observed)? = source;
        Some(())
    }
}

/// How many of the first of both are the same.
fn n_alike<T: PartialEq>(one: &[T], other: &[T]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

fn continue_with<T>(list: &mut Vec<T>, n: usize, news: Vec<T>) -> Option<()> {
    if n > list.len() {
        return None;
    }
    list.truncate(n);
    list.extend(news);
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway_engine::{Shape, ShownStep};

    fn choice(index: u64) -> Choice {
        Choice { index, shape: Shape::Reference { n: 9 } }
    }

    fn step(name: &'static str, answer: &str) -> ShownStep {
        ShownStep { name, answer: answer.to_string(), ..ShownStep::default() }
    }

    fn span(start: u32, end: u32) -> Span {
        Span { start, end, ..Span::BLANK }
    }

    #[test]
    fn what_is_sent_bit_by_bit_arrives_as_a_whole() {
        let mut observed = Observations::default();
        let (mut sent, mut arrived) = (SentCase::default(), ReceivedCase::default());
        let mut say = |choices: &[Choice], spans: &[Span], observed: &Observations| {
            let news = sent.news(choices, spans, observed);
            let n_bytes = crate::wire::Wire::default().write(&news, Vec::new()).len();
            arrived.add(news).expect("it follows");
            assert_eq!(arrived.recording.choices, choices);
            assert_eq!(arrived.recording.spans, spans);
            assert_eq!(format!("{:?}", arrived.observed), format!("{observed:?}"));
            n_bytes
        };
        say(&[], &[], &observed);
        observed.steps.push(step("push", ""));
        let first = say(&[choice(1)], &[span(0, u32::MAX)], &observed);
        observed.steps[0].answer = "true".to_string();
        observed.steps.push(step("pop", ""));
        observed.notes.push("a note".to_string());
        say(&[choice(1), choice(2)], &[span(0, 1), span(1, u32::MAX)], &observed);
        // The step is taken back, another one comes in its place.
        observed.steps.pop();
        observed.steps.push(step("peek", ""));
        say(&[choice(1), choice(2), choice(3)], &[span(0, 1), span(1, 2), span(2, u32::MAX)], &observed);
        // What did not change costs nothing.
        let again = say(&[choice(1), choice(2), choice(3)], &[span(0, 1), span(1, 2), span(2, 3)], &observed);
        assert!(again < 3 * first, "{again} {first}");
    }

    #[test]
    fn a_call_belongs_to_the_latest_step() {
        let mut arrived = ReceivedCase::default();
        let source = StepSource { call: "system.push(3)".to_string(), ..StepSource::default() };
        assert!(arrived.call(source.clone()).is_none());
        let observed = Observations { steps: vec![step("push", "")], ..Observations::default() };
        arrived.add(SentCase::default().news(&[], &[], &observed)).expect("it follows");
        arrived.call(source.clone()).expect("there is a step");
        assert_eq!(step_source::of(&arrived.observed.steps[0]), &source);
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        let mut sent = SentCase::default();
        sent.news(&[choice(1)], &[], &Observations::default());
        let second = sent.news(&[choice(1), choice(2)], &[], &Observations::default());
        assert!(ReceivedCase::default().add(second).is_none());
    }
}
