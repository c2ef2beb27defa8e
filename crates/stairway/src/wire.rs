//! Messages between a test and its isolated worker, as JSON.
//!
//! Receives the engine's plans, records and verdicts, hands on JSON values, and back. The other
//! side runs the same program, but it may be dying: whatever does not parse is simply `None`.

pub(crate) use crate::wire_observed::{Names, observed_from_json, observed_to_json};
pub(crate) use crate::wire_progress::{Arrived, Sent, call_to_json};
use serde_json::{Value as Json, json};
use stairway_engine::{
    Choice, Discard, Executed, Failure, Fault, Halt, Label, Place, Plan, Prng, Recording, Shape, Source,
    Span, Value, Verdict,
};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// A plan that owns what it refers to.
#[derive(Clone, Debug)]
pub(crate) struct OwnedPlan {
    source: OwnedSource,
    size: u32,
    max_choices: usize,
    max_depth: u32,
    n_steps: Option<u64>,
    detailed: bool,
    example: Option<usize>,
    /// Room to record, if a record is wanted: choices and spans.
    pub(crate) room: Option<(usize, usize)>,
    /// Whether what is drawn is to be sent before each step.
    pub(crate) is_tapped: bool,
}

#[derive(Clone, Debug)]
enum OwnedSource {
    Random(Prng),
    Replay { choices: Vec<Choice>, spans: Option<Vec<Span>>, bound: u64 },
    Reshape { structure: Vec<Choice>, numbers: Vec<Choice> },
    Script(Vec<Value<'static>>),
    Bytes(Vec<u8>),
}

impl OwnedPlan {
    pub(crate) fn as_plan(&self) -> Plan<'_> {
        let source = match &self.source {
            OwnedSource::Random(prng) => Source::Random(*prng),
            OwnedSource::Replay { choices, spans, bound } => {
                Source::Replay { choices, spans: spans.as_deref(), bound: *bound }
            }
            OwnedSource::Reshape { structure, numbers } => Source::Reshape { structure, numbers },
            OwnedSource::Script(values) => Source::Script(values),
            OwnedSource::Bytes(bytes) => Source::Bytes(bytes),
        };
        let mut plan = Plan::new(source, self.size, self.max_choices);
        plan.max_depth = self.max_depth;
        plan.n_steps = self.n_steps;
        plan.detailed = self.detailed;
        plan.example = self.example;
        plan
    }
}

pub(crate) fn plan_to_json(plan: &Plan<'_>, room: Option<(usize, usize)>, is_tapped: bool) -> Json {
    let source = match plan.source {
        Source::Random(prng) => json!({ "random": prng.state() }),
        Source::Replay { choices, spans, bound } => json!({
            "replay": choices_to_json(choices),
            "spans": spans.map(spans_to_json),
            "bound": bound,
        }),
        Source::Reshape { structure, numbers } => {
            json!({ "structure": choices_to_json(structure), "numbers": choices_to_json(numbers) })
        }
        Source::Script(values) => json!({ "script": values.iter().map(value_to_json).collect::<Vec<_>>() }),
        Source::Bytes(bytes) => json!({ "bytes": bytes }),
        _ => json!({ "bytes": [] }),
    };
    json!({
        "source": source,
        "size": plan.size,
        "max_choices": plan.max_choices,
        "max_depth": plan.max_depth,
        "n_steps": plan.n_steps,
        "detailed": plan.detailed,
        "example": plan.example,
        "room": room,
        "tapped": is_tapped,
    })
}

/// Random cases that are only judged.
#[derive(Debug)]
pub(crate) struct Batch {
    like: OwnedPlan,
    cases: Vec<(Prng, u32)>,
    /// Whether each is to be answered at once.
    pub(crate) is_careful: bool,
}

impl Batch {
    pub(crate) fn plans(&self) -> impl Iterator<Item = OwnedPlan> {
        let plan = |(prng, size): &(Prng, u32)| OwnedPlan {
            source: OwnedSource::Random(*prng),
            size: *size,
            ..self.like.clone()
        };
        self.cases.iter().map(plan)
    }
}

/// One message for cases that differ in their stream and their size only, as the random ones of a run do.
pub(crate) fn batch_to_json(plans: &[Plan<'_>], is_careful: bool) -> Json {
    let case = |plan: &Plan<'_>| match plan.source {
        Source::Random(prng) => json!([prng.state().0, prng.state().1, plan.size]),
        _ => Json::Null,
    };
    let like = plans.first().map_or(Json::Null, |first| {
        let source = Source::Random(Prng::from_state((0, 0)));
        plan_to_json(&Plan { source, ..*first }, None, false)
    });
    let cases = plans.iter().map(case).collect::<Vec<_>>();
    json!({ "cases": cases, "like": like, "careful": is_careful })
}

pub(crate) fn batch_from_json(json: &Json) -> Option<Batch> {
    let case = |case: &Json| {
        let state = (case.get(0)?.as_u64()?, case.get(1)?.as_u64()?);
        Some((Prng::from_state(state), number(case.get(2)?)?))
    };
    Some(Batch {
        cases: json["cases"].as_array()?.iter().map(case).collect::<Option<_>>()?,
        like: plan_from_json(&json["like"])?,
        is_careful: json["careful"].as_bool()?,
    })
}

pub(crate) fn plan_from_json(json: &Json) -> Option<OwnedPlan> {
    let room = match json["room"].as_array() {
        Some(room) => Some((index(room.first()?)?, index(room.get(1)?)?)),
        None => None,
    };
    Some(OwnedPlan {
        source: source_from_json(&json["source"])?,
        size: number(&json["size"])?,
        max_choices: index(&json["max_choices"])?,
        max_depth: number(&json["max_depth"])?,
        n_steps: json["n_steps"].as_u64(),
        detailed: json["detailed"].as_bool()?,
        example: json["example"].as_u64().and_then(|n| usize::try_from(n).ok()),
        room,
        is_tapped: json["tapped"].as_bool()?,
    })
}

fn source_from_json(json: &Json) -> Option<OwnedSource> {
    if let Some(state) = json["random"].as_array() {
        let state = (state.first()?.as_u64()?, state.get(1)?.as_u64()?);
        return Some(OwnedSource::Random(Prng::from_state(state)));
    }
    if let Some(choices) = json["replay"].as_array() {
        let spans = match json["spans"].as_array() {
            Some(spans) => Some(spans.iter().map(span_from_json).collect::<Option<_>>()?),
            None => None,
        };
        let choices = choices.iter().map(choice_from_json).collect::<Option<_>>()?;
        return Some(OwnedSource::Replay { choices, spans, bound: json["bound"].as_u64()? });
    }
    if let (Some(structure), Some(numbers)) = (json["structure"].as_array(), json["numbers"].as_array()) {
        let read = |list: &Vec<Json>| list.iter().map(choice_from_json).collect::<Option<_>>();
        return Some(OwnedSource::Reshape { structure: read(structure)?, numbers: read(numbers)? });
    }
    if let Some(values) = json["script"].as_array() {
        return Some(OwnedSource::Script(values.iter().map(value_from_json).collect::<Option<_>>()?));
    }
    let bytes = json["bytes"].as_array()?;
    Some(OwnedSource::Bytes(bytes.iter().map(|b| u8::try_from(b.as_u64()?).ok()).collect::<Option<_>>()?))
}

pub(crate) fn recording_to_json(choices: &[Choice], spans: &[Span]) -> Json {
    json!({ "choices": choices_to_json(choices), "spans": spans_to_json(spans) })
}

pub(crate) fn recording_from_json(json: &Json) -> Option<Recording> {
    let choices = json["choices"].as_array()?.iter().map(choice_from_json).collect::<Option<_>>()?;
    let spans = json["spans"].as_array()?.iter().map(span_from_json).collect::<Option<_>>()?;
    Some(Recording { choices, spans })
}

fn choices_to_json(choices: &[Choice]) -> Json {
    choices.iter().map(choice_to_json).collect()
}

fn choice_to_json(choice: &Choice) -> Json {
    let shape = match choice.shape {
        Shape::Boolean => json!(["boolean"]),
        Shape::Signed { lo, hi, simplest } => json!(["signed", lo, hi, simplest]),
        Shape::Unsigned { lo, hi, simplest } => json!(["unsigned", lo, hi, simplest]),
        Shape::Length { min, max } => json!(["length", min, max]),
        Shape::Alternative { n, names } => json!(["alternative", n, names]),
        Shape::Reference { n } => json!(["reference", n]),
        Shape::Character { lo, hi } => json!(["character", lo, hi]),
        Shape::Float { lo, hi, special } => json!(["float", lo, hi, special]),
    };
    json!([choice.index, shape])
}

fn choice_from_json(json: &Json) -> Option<Choice> {
    let shape = json.get(1)?.as_array()?;
    let (signed, unsigned) = (|k: usize| shape.get(k)?.as_i64(), |k: usize| shape.get(k)?.as_u64());
    let shape = match shape.first()?.as_str()? {
        "boolean" => Shape::Boolean,
        "signed" => Shape::Signed { lo: signed(1)?, hi: signed(2)?, simplest: signed(3)? },
        "unsigned" => Shape::Unsigned { lo: unsigned(1)?, hi: unsigned(2)?, simplest: unsigned(3)? },
        "length" => Shape::Length { min: unsigned(1)?, max: unsigned(2)? },
        "alternative" => Shape::Alternative { n: unsigned(1)?, names: names(shape.get(2)?)? },
        "reference" => Shape::Reference { n: unsigned(1)? },
        "character" => Shape::Character { lo: number(shape.get(1)?)?, hi: number(shape.get(2)?)? },
        "float" => Shape::Float { lo: unsigned(1)?, hi: unsigned(2)?, special: shape.get(3)?.as_bool()? },
        _ => return None,
    };
    Some(Choice { index: json.get(0)?.as_u64()?, shape })
}

fn spans_to_json(spans: &[Span]) -> Json {
    let span = |s: &Span| json!([s.start, s.end, s.parent, label_to_json(s.label), s.rejected]);
    spans.iter().map(span).collect()
}

fn span_from_json(json: &Json) -> Option<Span> {
    Some(Span {
        start: number(json.get(0)?)?,
        end: number(json.get(1)?)?,
        parent: number(json.get(2)?)?,
        label: label_from_json(json.get(3)?)?,
        rejected: json.get(4)?.as_bool()?,
    })
}

/// A name for a value, a number for what the engine knows.
fn label_to_json(label: Label) -> Json {
    match label {
        Label::Value(name) => json!(name),
        fixed => json!(Label::FIXED.iter().position(|known| *known == fixed)),
    }
}

fn label_from_json(json: &Json) -> Option<Label> {
    match json.as_str() {
        Some(name) => Some(Label::Value(interned(name))),
        None => Label::FIXED.get(usize::try_from(json.as_u64()?).ok()?).copied(),
    }
}

fn value_to_json(value: &Value<'_>) -> Json {
    match value {
        Value::Boolean(b) => json!({ "boolean": b }),
        Value::Integer(v) => json!({ "integer": v.to_string() }),
        Value::Length(n) => json!({ "length": n }),
        Value::Name(name) => json!({ "name": name }),
        Value::Position(i) => json!({ "position": i }),
        Value::Step(i) => json!({ "step": i }),
        Value::Character(c) => json!({ "character": c.to_string() }),
        Value::Float(f) => json!({ "float": f.to_bits() }),
    }
}

fn value_from_json(json: &Json) -> Option<Value<'static>> {
    let (kind, value) = json.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "boolean" => Value::Boolean(value.as_bool()?),
        "integer" => Value::Integer(value.as_str()?.parse().ok()?),
        "length" => Value::Length(value.as_u64()?),
        "name" => Value::Name(interned(value.as_str()?)),
        "position" => Value::Position(value.as_u64()?),
        "step" => Value::Step(value.as_u64()?),
        "character" => Value::Character(value.as_str()?.chars().next()?),
        "float" => Value::Float(f64::from_bits(value.as_u64()?)),
        _ => return None,
    })
}

pub(crate) fn executed_to_json(executed: &Executed) -> Json {
    let verdict = match &executed.verdict {
        Verdict::Passed => json!({ "passed": true }),
        Verdict::Discarded(why) => json!({ "discarded": discard_to_json(*why) }),
        Verdict::Failed(f) => json!({ "failed": [f.identity, f.message, f.place, f.details] }),
        Verdict::Halted(halt) => json!({ "halted": halt_to_json(*halt) }),
        _ => Json::Null,
    };
    let Executed { n_choices, n_spans, clipped, used_up, pruned, .. } = executed;
    json!([verdict, n_choices, n_spans, clipped, used_up, pruned])
}

pub(crate) fn executed_from_json(json: &Json) -> Option<Executed> {
    Some(Executed {
        verdict: verdict_from_json(json.get(0)?)?,
        n_choices: index(json.get(1)?)?,
        n_spans: index(json.get(2)?)?,
        clipped: json.get(3)?.as_bool()?,
        used_up: json.get(4)?.as_bool()?,
        pruned: json.get(5)?.as_bool()?,
    })
}

fn verdict_from_json(json: &Json) -> Option<Verdict> {
    let (kind, value) = json.as_object()?.iter().next()?;
    Some(match kind.as_str() {
        "passed" => Verdict::Passed,
        "discarded" => Verdict::Discarded(discard_from_json(value)?),
        "halted" => Verdict::Halted(halt_from_json(value)?),
        _ => {
            let text = |k: usize| Some(value.get(k)?.as_str()?.to_string());
            let (identity, message) = (text(0)?, text(1)?);
            Verdict::Failed(Failure { place: text(2)?, details: text(3)?, ..Failure::of(identity, message) })
        }
    })
}

fn discard_to_json(why: Discard) -> Json {
    let place = |kind: &str, at: Place| json!([kind, at.file, at.line, at.column]);
    match why {
        Discard::Assume(at) => place("assume", at),
        Discard::Filter(at) => place("filter", at),
        Discard::Empty(at) => place("empty", at),
        Discard::Partial(at) => place("partial", at),
        _ => json!(["overrun"]),
    }
}

fn discard_from_json(json: &Json) -> Option<Discard> {
    let place = || {
        Some(Place {
            file: interned(json.get(1)?.as_str()?),
            line: number(json.get(2)?)?,
            column: number(json.get(3)?)?,
        })
    };
    Some(match json.get(0)?.as_str()? {
        "assume" => Discard::Assume(place()?),
        "filter" => Discard::Filter(place()?),
        "empty" => Discard::Empty(place()?),
        "partial" => Discard::Partial(place()?),
        _ => Discard::Overrun,
    })
}

fn halt_to_json(halt: Halt) -> Json {
    match halt {
        Halt::Mismatch { at } => json!(["mismatch", at]),
        Halt::Fault(Fault::EmptyRange) => json!(["empty range"]),
        Halt::Fault(Fault::NoAlternative) => json!(["no alternative"]),
        Halt::Fault(_) => json!(["too deep"]),
        _ => json!(["overrun"]),
    }
}

fn halt_from_json(json: &Json) -> Option<Halt> {
    Some(match json.get(0)?.as_str()? {
        "mismatch" => Halt::Mismatch { at: number(json.get(1)?)? },
        "empty range" => Halt::Fault(Fault::EmptyRange),
        "no alternative" => Halt::Fault(Fault::NoAlternative),
        "too deep" => Halt::Fault(Fault::TooDeep),
        _ => Halt::Overrun,
    })
}

pub(crate) fn number(json: &Json) -> Option<u32> {
    u32::try_from(json.as_u64()?).ok()
}

pub(crate) fn index(json: &Json) -> Option<usize> {
    usize::try_from(json.as_u64()?).ok()
}

pub(crate) fn names(json: &Json) -> Option<&'static [&'static str]> {
    static KNOWN: Mutex<BTreeSet<&'static [&'static str]>> = Mutex::new(BTreeSet::new());
    let names: Vec<&'static str> =
        json.as_array()?.iter().map(|name| name.as_str().map(interned)).collect::<Option<_>>()?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(names) = known.get(&names[..]) {
        return Some(names);
    }
    let names: &'static [&'static str] = Vec::leak(names);
    known.insert(names);
    Some(names)
}

/// A text that lives as long as the program. There are only as many as there are labels and
/// file names in the program.
pub(crate) fn interned(text: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = known.get(text) {
        return text;
    }
    let text: &'static str = String::leak(text.to_string());
    known.insert(text);
    text
}
