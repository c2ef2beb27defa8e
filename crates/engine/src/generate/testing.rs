//! What the tests of all generators have in common: sampling, replaying and counting through.

use super::Generate;
use crate::draw::Draw;
use crate::stop::{Checked, Reason};
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;
use stairway_choice::{Choice, Choices, Halt, Prng, Shape, Source, Span, Value};

const SIZE: u32 = 100;
const N_BUFFER: usize = 1 << 15;

pub(super) fn random(seed: u64) -> Draw<'static> {
    Draw::from(Choices::new(Source::Random(Prng::for_case(7, seed)), SIZE))
}

/// What `generator` makes of one seed.
pub(super) fn sample<G: Generate>(generator: &G, seed: u64) -> Checked<G::Value> {
    random(seed).draw(generator)
}

/// What `generator` makes of the first `n` seeds; none may fail.
pub(super) fn samples<G: Generate>(generator: &G, n: u64) -> Vec<G::Value> {
    (0..n).map(|seed| sample(generator, seed).unwrap()).collect()
}

/// A value and the record that led to it.
pub(super) struct Sample<T> {
    pub value: Checked<T>,
    pub choices: Vec<Choice>,
    pub spans: Vec<Span>,
}

pub(super) fn record<G: Generate>(generator: &G, source: Source<'_>) -> Sample<G::Value> {
    let (mut choices, mut spans) = (vec![Choice::BLANK; N_BUFFER], vec![Span::BLANK; N_BUFFER]);
    let mut draw = Draw::from(Choices::new(source, SIZE).recording(&mut choices, &mut spans));
    let value = draw.draw(generator);
    let stream = draw.choices();
    let (choices, spans) = (stream.recorded().to_vec(), stream.recorded_spans().to_vec());
    Sample { value, choices, spans }
}

pub(super) fn replay<G: Generate>(generator: &G, choices: &[Choice]) -> Sample<G::Value> {
    record(generator, Source::Replay { choices, spans: None, bound: u64::MAX })
}

/// The value at these indices, and the simplest choices from there on.
pub(super) fn at<G: Generate>(generator: &G, indices: &[u64]) -> Checked<G::Value> {
    let choices: Vec<Choice> = indices.iter().map(|&index| Choice { index, shape: Shape::Boolean }).collect();
    replay(generator, &choices).value
}

/// What `generator` makes of the simplest choices.
pub(super) fn simplest<G: Generate>(generator: &G) -> G::Value {
    at(generator, &[]).unwrap()
}

fn shown<T: Debug>(value: &Checked<T>) -> String {
    format!("{value:?}")
}

/// The same seed gives the same value with and without a record, and the record gives it again:
/// by index, with the very same choices and spans, and by value, to the last one.
///
/// Values are compared as they are shown, so that NaN equals NaN.
pub(super) fn assert_replays<G: Generate>(generator: &G)
where
    G::Value: Debug,
{
    for seed in 0..100 {
        let first = record(generator, Source::Random(Prng::for_case(7, seed)));
        let text = shown(&first.value);
        assert_eq!(shown(&sample(generator, seed)), text, "recording must not change what is drawn");
        let again = replay(generator, &first.choices);
        assert_eq!((shown(&again.value), again.choices.len()), (text.clone(), first.choices.len()));
        assert_eq!((&again.choices, &again.spans), (&first.choices, &first.spans));
        let script: Vec<Value<'_>> = first.choices.iter().map(Choice::value).collect();
        let mut draw = Draw::from(Choices::new(Source::Script(&script), SIZE));
        assert_eq!(shown(&draw.draw(generator)), text);
        assert!(draw.choices().is_used_up(), "a script is used to its end");
    }
}

/// Says whether `generator` is single, and draws to see that it is true.
pub(super) fn assert_single<G: Generate>(generator: &G, single: bool) {
    assert_eq!(generator.is_single(), single);
    for seed in 0..100 {
        let mut choices = random(seed);
        let _ = choices.draw(generator);
        assert!(!single || choices.choices().n_choices() == 1 && choices.choices().n_spans() == 0);
    }
}

/// Every value of a generator with few of them, counted through from the simplest one on.
pub(super) fn all<G: Generate>(generator: &G) -> Vec<G::Value> {
    let (mut values, mut next) = (Vec::new(), Some(Vec::new()));
    while let Some(prefix) = next {
        let run = replay(generator, &prefix);
        values.extend(run.value.ok());
        next = successor(run.choices);
        assert!(values.len() < 10_000, "too many values to count through");
    }
    values
}

fn successor(mut choices: Vec<Choice>) -> Option<Vec<Choice>> {
    while let Some(mut last) = choices.pop() {
        if last.index < last.shape.largest_index() {
            last.index += 1;
            choices.push(last);
            return Some(choices);
        }
    }
    None
}

/// Why the stream ended, if it did.
pub(super) fn halt_of<G: Generate>(generator: &G) -> Option<Halt> {
    match reason(sample(generator, 1)) {
        Some(Reason::Halt(halt)) => Some(halt),
        _ => None,
    }
}

pub(super) fn reason<T>(value: Checked<T>) -> Option<Reason> {
    value.err().map(|stop| stop.reason)
}
