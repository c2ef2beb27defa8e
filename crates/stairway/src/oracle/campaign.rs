//! Faults one after the other where oracles are drawn: a program is run calmly, and then once for each answer
//! that anybody could have had instead.
//!
//! While a campaign goes on, the thread's oracles are not drawn but made, all calm or one with a fault, and the
//! stream has the choices that would have drawn them. So a program that fails is recorded, shrunk and replayed
//! like any other, and knows nothing of the campaign.

use super::{MAX_CALM, MAX_WORD, Oracle};
use stairway_engine::{Checked, Choice, Choices, Draw, Shape, Source, Span};
use std::cell::RefCell;

/// How many faults are gone through for one program.
const MAX_FAULTS: usize = 1_000;
/// An oracle with one fault draws less than this, in as many spans.
const MAX_CHOICES: usize = 16;

/// One question that has another answer than the calm one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Which of the oracles, in the order in which they are drawn.
    oracle: usize,
    /// Which of the questions that it is asked.
    question: usize,
    /// Which of the answers.
    answer: usize,
}

#[derive(Default)]
struct Campaign {
    fault: Option<Fault>,
    drawn: Vec<Oracle>,
}

thread_local! {
    static CAMPAIGN: RefCell<Option<Campaign>> = const { RefCell::new(None) };
}

/// Runs `f` with oracles that are calm but for one fault, and returns what else could have gone wrong.
pub(crate) fn during<T>(fault: Option<Fault>, f: impl FnOnce() -> T) -> (T, Vec<(Fault, &'static str)>) {
    /// Ends the campaign also when `f` panics.
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            CAMPAIGN.set(None);
        }
    }
    CAMPAIGN.set(Some(Campaign { fault, drawn: Vec::new() }));
    let end = End;
    let value = f();
    let campaign = CAMPAIGN.take().unwrap_or_default();
    drop(end);
    (value, faults(&campaign.drawn))
}

/// Everything that these oracles could have answered instead, each with its question.
fn faults(drawn: &[Oracle]) -> Vec<(Fault, &'static str)> {
    let of = |(oracle, drawn): (usize, &Oracle)| {
        let answers = drawn.0.borrow();
        let questions = answers.given.iter().take(MAX_CALM + 1).enumerate();
        let other = |(question, given): (usize, &super::Answer)| {
            let name = given.question;
            let n_others = (given.n_offered - 1).min(usize::from(MAX_WORD));
            (1..=n_others).map(move |answer| (Fault { oracle, question, answer }, name))
        };
        questions.flat_map(other).collect::<Vec<_>>()
    };
    drawn.iter().enumerate().flat_map(of).take(MAX_FAULTS).collect()
}

/// The next oracle of the campaign that goes on, if one does.
pub(super) fn next(choices: &mut Choices<'_>) -> Option<Checked<Oracle>> {
    let fault = CAMPAIGN.with_borrow(|campaign| {
        let campaign = campaign.as_ref()?;
        Some(campaign.fault.filter(|fault| fault.oracle == campaign.drawn.len()))
    })?;
    let oracle = put(choices, fault);
    if let Ok(oracle) = &oracle {
        let keep = |campaign: &mut Option<Campaign>| campaign.as_mut().map(|c| c.drawn.push(oracle.clone()));
        CAMPAIGN.with_borrow_mut(keep);
    }
    Some(oracle)
}

/// The oracle with this fault, which the stream then has as if it had been drawn.
fn put(choices: &mut Choices<'_>, fault: Option<Fault>) -> Checked<Oracle> {
    let blank = Choice { index: 0, shape: Shape::Boolean };
    let (mut record, mut spans) = ([blank; MAX_CHOICES], [Span::BLANK; MAX_CHOICES]);
    // As `Oracle::drawn` draws: one word, which is a fault, and how many calm answers come before it.
    let indices = fault.map_or([0; 5], |Fault { question, answer, .. }| {
        [1, 1, answer as u64 - 1, u64::from(question > 0), question as u64]
    });
    let script = indices.map(|index| Choice { index, ..blank });
    let script = if fault.is_some() { &script[..] } else { &[] };
    let source = Source::Replay { choices: script, spans: None, bound: u64::MAX };
    let stream = Choices::new(source, choices.size()).recording(&mut record, &mut spans);
    let mut made = Draw::from(stream);
    let oracle = Oracle::drawn(&mut made)?;
    let made = made.choices();
    choices.put(made.recorded(), made.recorded_spans());
    Ok(oracle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ToSource, ask};
    use stairway_engine::{Prng, any};

    fn stream() -> Draw<'static> {
        Draw::from(Choices::new(Source::Random(Prng::new(1)), 100))
    }

    #[test]
    fn every_answer_of_every_oracle_has_its_turn() {
        let run = |fault| {
            let mut stream = stream();
            during(fault, || {
                [1, 2].map(|n| {
                    let oracle: Oracle = stream.draw(any()).unwrap();
                    oracle.during(|| (0..n).map(|_| ask("q", 0..3)).collect::<Vec<_>>())
                })
            })
        };
        let (calm, faults) = run(None);
        assert_eq!(calm, [vec![0], vec![0, 0]]);
        let all: Vec<_> = faults.into_iter().map(|(fault, _)| run(Some(fault)).0).collect();
        assert_eq!(
            all,
            [
                [vec![1], vec![0, 0]],
                [vec![2], vec![0, 0]],
                [vec![0], vec![1, 0]],
                [vec![0], vec![2, 0]],
                [vec![0], vec![0, 1]],
                [vec![0], vec![0, 2]],
            ]
        );
    }

    #[test]
    fn what_is_put_is_drawn_again() {
        for question in [0, 1, 3, 4, 100, MAX_CALM] {
            for answer in [1, 2, usize::from(MAX_WORD)] {
                let blank = Choice { index: 0, shape: Shape::Boolean };
                let (mut record, mut spans) = ([blank; 32], [Span::BLANK; 32]);
                let random = Choices::new(Source::Random(Prng::new(1)), 100);
                let mut choices = random.recording(&mut record, &mut spans);
                let made = put(&mut choices, Some(Fault { oracle: 0, question, answer })).unwrap();
                assert_eq!(
                    made.to_source(),
                    Oracle::after(question, [u16::try_from(answer).unwrap()]).to_source()
                );
                let (choices, spans) = (choices.recorded(), choices.recorded_spans());
                let source = Source::Replay { choices, spans: Some(spans), bound: u64::MAX };
                let again = Oracle::drawn(&mut Draw::from(Choices::new(source, 100))).unwrap();
                assert_eq!(again.to_source(), made.to_source());
            }
        }
    }
}
