//! Messages between a test and its isolated worker.
//!
//! Both sides are the same program, so a message is the engine's own data, derived, and static text crosses as
//! numbers. The other side may be dying, or code under test may have written over its memory: what cannot be
//! read is refused, and so is a worker that speaks another version.

use crate::program::step_source::{self, StepSource};
use crate::showing::Unshowable;
pub(crate) use crate::wire_progress::{CaseUpdate, ReceivedCase, SentCase};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stairway_choice::text::TextTable;
use stairway_engine::{
    Choice, Detail, Execution, Guide, MAX_OPERATIONS, Observations, Plan, Prng, ProgramCounts, Recording,
    Source, Span, Value,
};

/// Of the messages below; a worker says it first.
pub(crate) const VERSION: u32 = 4;

/// What a worker is asked for.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// A case that may be recorded and shown.
    Case(OwnedPlan),
    /// Cases that are only judged.
    Batch(Batch),
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// Code under test is about to be loaded.
    Loading,
    /// The property was reached.
    Ready { version: u32 },
    /// What has been drawn and done since the last time.
    News(Box<CaseUpdate>),
    /// The latest step as source text, which is known only when its call is being made.
    Call(Box<StepSource>),
    /// A value is about to be shown, by its number in the case; or it was.
    Showing(Option<u32>),
    /// What became of a case.
    Answer(Box<Answer>),
}

/// What became of a case.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Answer {
    pub(crate) executed: Execution,
    pub(crate) observed: Observations,
    /// What was drawn, if that is wanted.
    pub(crate) recording: Recording,
    /// Whether the worker answers nothing more: something in it cannot be relied on.
    pub(crate) is_last: bool,
}

impl Message {
    /// Reads what the engine only carries, and says whether all parts agree with each other. They do unless the
    /// worker's memory was written over.
    pub(crate) fn restore(&mut self) -> bool {
        match self {
            Message::Answer(answer) => {
                counts_agree(&answer.observed.program) && step_source::restore(&mut answer.observed)
            }
            Message::News(news) => news.restore(),
            _ => true,
        }
    }
}

fn counts_agree(counts: &ProgramCounts) -> bool {
    let n = counts.names.len();
    let has_order = n <= MAX_OPERATIONS && counts.follow.len() == n * n;
    [&counts.n_done, &counts.n_refused, &counts.n_impossible, &counts.n_first].iter().all(|c| c.len() == n)
        && (has_order || counts.follow.is_empty())
}

/// One end of a connection, which knows the static text that has crossed it.
#[derive(Debug, Default)]
pub(crate) struct Wire {
    texts: TextTable,
}

impl Wire {
    /// Adds a message to `bytes`.
    pub(crate) fn write(&mut self, message: &impl Serialize, bytes: Vec<u8>) -> Vec<u8> {
        // Writing to memory does not fail, and none of our types refuses to be written.
        self.texts.within(|| postcard::to_extend(message, bytes)).unwrap_or_default()
    }

    /// The message with which `bytes` begin, and how long it is.
    pub(crate) fn read<T: DeserializeOwned>(&mut self, bytes: &[u8]) -> Option<(T, usize)> {
        let (message, rest) = self.texts.within(|| postcard::take_from_bytes(bytes)).ok()?;
        Some((message, bytes.len() - rest.len()))
    }
}

/// A plan that owns what it refers to.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct OwnedPlan {
    source: OwnedSource,
    size: u32,
    max_choices: usize,
    max_depth: u32,
    n_steps: Option<u64>,
    detail: Detail,
    example: Option<usize>,
    guide: Option<Vec<u8>>,
    /// Room to record, if a record is wanted: choices and spans.
    pub(crate) room: Option<(usize, usize)>,
    /// Whether what is drawn is to be sent before each step.
    pub(crate) is_tapped: bool,
    /// The values that are not shown, because a process has died of it.
    pub(crate) unshowable: Vec<Unshowable>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum OwnedSource {
    Random(Prng),
    Replay { choices: Vec<Choice>, spans: Option<Vec<Span>>, bound: u64 },
    Varied { choices: Vec<Choice>, spans: Vec<Span>, prng: Prng },
    Reshape { structure: Vec<Choice>, numbers: Vec<Choice> },
    Script(Vec<Value<'static>>),
    Bytes(Vec<u8>),
}

impl OwnedPlan {
    pub(crate) fn new(plan: &Plan<'_>, room: Option<(usize, usize)>, is_tapped: bool) -> Self {
        let unshowable = Vec::new();
        let source = match plan.source {
            Source::Random(prng) => OwnedSource::Random(prng),
            Source::Replay { choices, spans, bound } => {
                OwnedSource::Replay { choices: choices.to_vec(), spans: spans.map(<[_]>::to_vec), bound }
            }
            Source::Varied { choices, spans, prng } => {
                OwnedSource::Varied { choices: choices.to_vec(), spans: spans.to_vec(), prng }
            }
            Source::Reshape { structure, numbers } => {
                OwnedSource::Reshape { structure: structure.to_vec(), numbers: numbers.to_vec() }
            }
            Source::Script(values) => OwnedSource::Script(values.iter().map(Value::interned).collect()),
            Source::Bytes(bytes) => OwnedSource::Bytes(bytes.to_vec()),
            _ => OwnedSource::Bytes(Vec::new()),
        };
        let Plan { size, max_choices, max_depth, n_steps, detail, example, guide, .. } = *plan;
        let guide = guide.is_some().then(|| guide.reluctance().to_vec());
        OwnedPlan {
            source,
            size,
            max_choices,
            max_depth,
            n_steps,
            detail,
            example,
            guide,
            room,
            is_tapped,
            unshowable,
        }
    }

    pub(crate) fn as_plan(&self) -> Plan<'_> {
        let source = match &self.source {
            OwnedSource::Random(prng) => Source::Random(*prng),
            OwnedSource::Replay { choices, spans, bound } => {
                Source::Replay { choices, spans: spans.as_deref(), bound: *bound }
            }
            OwnedSource::Varied { choices, spans, prng } => Source::Varied { choices, spans, prng: *prng },
            OwnedSource::Reshape { structure, numbers } => Source::Reshape { structure, numbers },
            OwnedSource::Script(values) => Source::Script(values),
            OwnedSource::Bytes(bytes) => Source::Bytes(bytes),
        };
        let mut plan = Plan::new(source, self.size, self.max_choices);
        plan.max_depth = self.max_depth;
        plan.n_steps = self.n_steps;
        plan.detail = self.detail;
        plan.example = self.example;
        plan.guide = self.guide.as_deref().map_or(Guide::NONE, Guide::to);
        plan
    }
}

/// Cases of a search, which differ in their source and their size only.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Batch {
    like: OwnedPlan,
    cases: Vec<(OwnedSource, u32)>,
    /// Whether each is to be answered at once.
    pub(crate) is_careful: bool,
}

impl Batch {
    /// A batch of these plans, if there are any.
    pub(crate) fn new(plans: &[Plan<'_>], is_careful: bool) -> Option<Self> {
        let case = |plan: &Plan<'_>| (OwnedPlan::new(plan, None, false).source, plan.size);
        let like = OwnedPlan {
            source: OwnedSource::Bytes(Vec::new()),
            ..OwnedPlan::new(plans.first()?, None, false)
        };
        Some(Batch { like, cases: plans.iter().map(case).collect(), is_careful })
    }

    pub(crate) fn into_plans(self) -> impl Iterator<Item = OwnedPlan> {
        let Batch { like, cases, .. } = self;
        cases.into_iter().map(move |(source, size)| OwnedPlan { source, size, ..like.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway_engine::{CollectedValue, Failure, FailureKind, Label, Shape, ShownStep, Verdict};

    const NAMES: &[&str] = &["push", "pop", "peek"];

    fn answer() -> Message {
        let program = ProgramCounts {
            names: NAMES,
            n_done: vec![3, 0, 1],
            n_refused: vec![0, 7, 0],
            n_impossible: vec![0, 0, 0],
            n_first: vec![1, 0, 0],
            follow: vec![2, 0, 1, 0, 0, 0, 0, 0, 0],
        };
        let observed = Observations {
            labels: vec!["long".into()],
            collected: vec![CollectedValue { table: "table".into(), value: "a".to_string(), n: 2 }],
            covered: vec![("often".into(), 12.5, true)],
            scores: vec![("length".into(), -0.5)],
            steps: vec![ShownStep {
                name: "push",
                arguments: vec![("value", "3".to_string())],
                answer: "true".to_string(),
                ..ShownStep::default()
            }],
            program,
            ..Observations::default()
        };
        let choice = Choice { index: 1, shape: Shape::Alternative { n: 3, names: NAMES } };
        let span = Span { start: 0, end: 1, label: Label::Value("u8"), ..Span::BLANK };
        let executed = Execution {
            verdict: Verdict::Failed(Failure::new(FailureKind::Stuck)),
            n_choices: 1,
            n_spans: 1,
            clipped: false,
            lengths: stairway_engine::Lengths::NONE,
            used_up: true,
            pruned: false,
        };
        let recording = Recording { choices: vec![choice], spans: vec![span] };
        Message::Answer(Box::new(Answer { executed, observed, recording, is_last: false }))
    }

    #[test]
    fn messages_arrive_as_they_were_sent_and_their_texts_once() {
        let (mut ours, mut theirs) = (Wire::default(), Wire::default());
        let mut sent = Vec::new();
        for is_first in [true, false] {
            let bytes = ours.write(&answer(), Vec::new());
            assert_eq!(bytes.windows(4).any(|word| word == b"peek"), is_first);
            sent.extend(bytes);
        }
        // Both at once, as the answers to a batch arrive.
        let mut at = 0;
        for _ in 0..2 {
            let (mut message, n) = theirs.read::<Message>(&sent[at..]).expect("it can be read");
            assert!(message.restore());
            assert_eq!(format!("{message:?}"), format!("{:?}", answer()));
            at += n;
        }
        assert_eq!(at, sent.len());
    }

    #[test]
    fn plans_arrive_as_they_were_sent() {
        let values = [Value::Name("pop"), Value::Integer(-3), Value::Float(0.5), Value::Character('ü')];
        let mut plan = Plan::new(Source::Script(&values), 7, 100);
        plan.n_steps = Some(3);
        let owned = OwnedPlan::new(&plan, Some((4, 5)), true);
        let bytes = Wire::default().write(&Request::Case(owned), Vec::new());
        let (Request::Case(read), _) = Wire::default().read(&bytes).expect("it can be read") else {
            panic!("another request")
        };
        assert_eq!(format!("{:?}", read.as_plan()), format!("{plan:?}"));
        assert_eq!((read.room, read.is_tapped), (Some((4, 5)), true));
    }

    #[test]
    fn what_is_cut_short_or_altered_is_refused_or_sound() {
        let bytes = Wire::default().write(&answer(), Vec::new());
        for n in 0..bytes.len() {
            assert!(Wire::default().read::<Message>(&bytes[..n]).is_none(), "{n} bytes");
        }
        for (at, bit) in (0..bytes.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
            let mut altered = bytes.clone();
            altered[at] ^= 1 << bit;
            // Whatever it says, reading it does no harm.
            let _ = Wire::default().read::<Message>(&altered);
        }
        // A number for a text that never came.
        let mut ours = Wire::default();
        ours.write(&answer(), Vec::new());
        let second = ours.write(&answer(), Vec::new());
        assert!(Wire::default().read::<Message>(&second).is_none());
    }

    #[test]
    fn counts_of_unknown_operations_are_not_sound() {
        let Message::Answer(mut answer) = answer() else { panic!("it is an answer") };
        answer.observed.program.n_done.push(1);
        assert!(!Message::Answer(answer).restore());
    }
}
