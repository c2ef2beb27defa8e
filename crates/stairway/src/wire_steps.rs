//! The steps of a program on their way between two processes, as JSON.

use crate::wire::{interned, number};
use serde_json::{Value as Json, json};
use stairway_engine::{Code, ShownStep, SideStep};

pub(crate) fn step_to_json(step: &ShownStep) -> Json {
    let sides = step.sides.each_ref().map(|side| side.iter().map(side_to_json).collect::<Vec<_>>());
    let code = code_to_json(&step.code);
    json!([
        step.name,
        step.ordinal,
        step.arguments,
        step.answer,
        step.state,
        step.system,
        step.notes,
        code,
        sides
    ])
}

pub(crate) fn step_from_json(json: &Json) -> Option<ShownStep> {
    let text = |k: usize| Some(json.get(k)?.as_str()?.to_string());
    let argument = |a: &Json| Some((interned(a.get(0)?.as_str()?), a.get(1)?.as_str()?.to_string()));
    let note = |note: &Json| Some(note.as_str()?.to_string());
    Some(ShownStep {
        name: interned(json.get(0)?.as_str()?),
        ordinal: number(json.get(1)?)?,
        arguments: json.get(2)?.as_array()?.iter().map(argument).collect::<Option<_>>()?,
        answer: text(3)?,
        state: text(4)?,
        system: text(5)?,
        notes: json.get(6)?.as_array()?.iter().map(note).collect::<Option<_>>()?,
        code: code_from_json(json.get(7)?)?,
        sides: [side_from_json(json.get(8)?.get(0)?)?, side_from_json(json.get(8)?.get(1)?)?],
    })
}

fn side_to_json(step: &SideStep) -> Json {
    json!([step.name, code_to_json(&step.code), step.value])
}

fn side_from_json(json: &Json) -> Option<Vec<SideStep>> {
    let one = |step: &Json| {
        let name = interned(step.get(0)?.as_str()?);
        Some(SideStep {
            name,
            code: code_from_json(step.get(1)?)?,
            value: step.get(2)?.as_str()?.to_string(),
        })
    };
    json.as_array()?.iter().map(one).collect()
}

pub(crate) fn code_to_json(code: &Code) -> Json {
    let Code { bindings, call, model, answer, expected, claim, names, result, changes, is_async, missing } =
        code;
    json!([bindings, call, model, answer, expected, claim, names, result, changes, is_async, missing])
}

pub(crate) fn code_from_json(json: &Json) -> Option<Code> {
    let text = |k: usize| Some(json.get(k)?.as_str()?.to_string());
    let list = |k: usize| {
        json.get(k)?.as_array()?.iter().map(|text| Some(text.as_str()?.to_string())).collect::<Option<_>>()
    };
    Some(Code {
        bindings: list(0)?,
        call: text(1)?,
        model: text(2)?,
        answer: text(3)?,
        expected: list(4)?,
        claim: text(5)?,
        names: list(6)?,
        result: text(7),
        changes: json.get(8).and_then(number),
        is_async: json.get(9)?.as_bool()?,
        missing: text(10)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_arrive_as_they_were_sent() {
        let words = || vec!["a".to_string(), "b".to_string()];
        let code = Code {
            bindings: words(),
            call: "c".into(),
            model: "d".into(),
            answer: "e".into(),
            expected: words(),
            claim: "f".into(),
            names: words(),
            result: Some(".unwrap()".into()),
            changes: Some(3),
            is_async: true,
            missing: "g".into(),
        };
        let side = SideStep { name: "x", code: code.clone(), value: "None".into() };
        let step = ShownStep {
            name: "n",
            ordinal: 7,
            arguments: vec![("h", "i".into())],
            answer: "j".into(),
            state: "k".into(),
            system: "l".into(),
            notes: words(),
            code,
            sides: [vec![side], Vec::new()],
        };
        assert_eq!(step_from_json(&step_to_json(&step)), Some(step));
        let nothing = ShownStep::default();
        assert_eq!(step_from_json(&step_to_json(&nothing)), Some(nothing));
        assert_eq!(step_from_json(&json!(["n", 1])), None);
    }
}
