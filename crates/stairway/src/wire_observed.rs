//! What a case has observed, on its way between two processes, as JSON.
//!
//! There is a message for every case, and most cases observe little: what is empty is left out, counts that are zero too,
//! and the names of operations are sent once.

use crate::wire::{index, names};
use crate::wire_steps::{step_from_json, step_to_json};
use serde_json::{Map, Value as Json, json};
use stairway_engine::{Collected, Drawn, Observed, ProgramCounts, VisitedStates};

/// The names of operations, as one side has sent or received them.
pub(crate) type Names = Option<&'static [&'static str]>;

pub(crate) fn observed_to_json(observed: &Observed, sent: &mut Names) -> Json {
    let drawn = |d: &Drawn| json!([d.name, d.place, d.value, d.at]);
    let mut map = Map::new();
    let mut put = |name: &str, is_empty: bool, value: &dyn Fn() -> Json| {
        if !is_empty {
            map.insert(name.to_string(), value());
        }
    };
    put("labels", observed.labels.is_empty(), &|| json!(observed.labels));
    put("collected", observed.collected.is_empty(), &|| {
        observed.collected.iter().map(|row| json!([row.table, row.value, row.n])).collect()
    });
    put("covered", observed.covered.is_empty(), &|| {
        observed.covered.iter().map(|(n, p, hit)| json!([n, p.to_bits(), hit])).collect()
    });
    put("alternatives", observed.alternatives.is_empty(), &|| json!(observed.alternatives));
    put("scores", observed.scores.is_empty(), &|| {
        observed.scores.iter().map(|(n, s)| json!([n, s.to_bits()])).collect()
    });
    put("drawn", observed.drawn.is_empty(), &|| observed.drawn.iter().map(drawn).collect());
    put("notes", observed.notes.is_empty(), &|| json!(observed.notes));
    put("steps", observed.steps.is_empty(), &|| observed.steps.iter().map(step_to_json).collect());
    put("fault_at", observed.fault_at.is_empty(), &|| json!(observed.fault_at));
    put("work", observed.work == 0, &|| json!(observed.work));
    if !observed.program.names.is_empty() {
        map.insert("program".to_string(), program_to_json(&observed.program, sent));
    }
    Json::Object(map)
}

pub(crate) fn observed_from_json(json: &Json, received: &mut Names) -> Option<Observed> {
    let map = json.as_object()?;
    let list = |name: &str| map.get(name).and_then(Json::as_array).into_iter().flatten();
    let text = |json: &Json, k: usize| Some(json.get(k)?.as_str()?.to_string());
    let float = |json: &Json, k: usize| Some(f64::from_bits(json.get(k)?.as_u64()?));
    let drawn = |d: &Json| {
        Some(Drawn {
            name: text(d, 0)?.into(),
            place: text(d, 1)?,
            value: text(d, 2)?,
            at: index(d.get(3)?)?,
        })
    };
    let collected = |row: &Json| {
        Some(Collected { table: text(row, 0)?.into(), value: text(row, 1)?, n: row.get(2)?.as_u64()? })
    };
    Some(Observed {
        labels: list("labels").map(|l| Some(l.as_str()?.to_string().into())).collect::<Option<_>>()?,
        collected: list("collected").map(collected).collect::<Option<_>>()?,
        covered: list("covered")
            .map(|c| Some((text(c, 0)?.into(), float(c, 1)?, c.get(2)?.as_bool()?)))
            .collect::<Option<_>>()?,
        alternatives: list("alternatives")
            .map(|a| Some((text(a, 0)?.into(), a.get(1)?.as_bool()?)))
            .collect::<Option<_>>()?,
        scores: list("scores").map(|s| Some((text(s, 0)?.into(), float(s, 1)?))).collect::<Option<_>>()?,
        drawn: list("drawn").map(drawn).collect::<Option<_>>()?,
        notes: list("notes").map(|n| Some(n.as_str()?.to_string())).collect::<Option<_>>()?,
        steps: list("steps").map(step_from_json).collect::<Option<_>>()?,
        program: map
            .get("program")
            .map_or(Some(ProgramCounts::default()), |json| program_from_json(json, received))?,
        fault_at: map.get("fault_at").and_then(Json::as_str).unwrap_or_default().to_string(),
        visited: VisitedStates::default(),
        work: map.get("work").and_then(Json::as_u64).unwrap_or(0),
    })
}

fn program_to_json(counts: &ProgramCounts, sent: &mut Names) -> Json {
    let ProgramCounts { names, n_done, n_refused, n_impossible, n_first, follow } = counts;
    let counts = [n_done, n_refused, n_impossible, n_first, follow].map(|counts| sparse(counts));
    if *sent == Some(*names) {
        return json!(counts);
    }
    *sent = Some(*names);
    json!([counts[0], counts[1], counts[2], counts[3], counts[4], names])
}

fn program_from_json(json: &Json, received: &mut Names) -> Option<ProgramCounts> {
    if let Some(sent) = json.get(5) {
        *received = Some(names(sent)?);
    }
    let names = (*received)?;
    let n = names.len();
    let counts = |k: usize, n: usize| dense(json.get(k)?, n);
    Some(ProgramCounts {
        names,
        n_done: counts(0, n)?,
        n_refused: counts(1, n)?,
        n_impossible: counts(2, n)?,
        n_first: counts(3, n)?,
        follow: counts(4, if n > stairway_engine::MAX_OPERATIONS { 0 } else { n * n })?,
    })
}

/// Each place with something else than 0, and what is there.
fn sparse(counts: &[u64]) -> Vec<u64> {
    let pairs = counts.iter().enumerate().filter(|(_, n)| **n > 0);
    pairs.flat_map(|(k, n)| [k as u64, *n]).collect()
}

fn dense(json: &Json, n: usize) -> Option<Vec<u64>> {
    let mut counts = vec![0; n];
    for pair in json.as_array()?.chunks_exact(2) {
        *counts.get_mut(index(&pair[0])?)? = pair[1].as_u64()?;
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed() -> Observed {
        let names: &'static [&'static str] = &["push", "pop", "peek"];
        let program = ProgramCounts {
            names,
            n_done: vec![3, 0, 1],
            n_refused: vec![0, 7, 0],
            n_impossible: vec![0, 0, 0],
            n_first: vec![1, 0, 0],
            follow: vec![2, 0, 1, 0, 0, 0, 0, 0, 0],
        };
        let row = |value: &str, n: u64| Collected { table: "table".into(), value: value.to_string(), n };
        Observed {
            labels: vec!["long".into()],
            collected: vec![row("a", 2), row("b", 1), row("a", 1)],
            covered: vec![("often".into(), 12.5, true)],
            alternatives: vec![("lost race".into(), true), ("back".into(), false)],
            scores: vec![("length".into(), -0.5)],
            fault_at: "here".to_string(),
            program,
            ..Observed::default()
        }
    }

    #[test]
    fn observations_cross_over_and_names_do_so_once() {
        let (mut sent, mut received) = (None, None);
        for is_first in [true, false] {
            let json = observed_to_json(&observed(), &mut sent);
            assert_eq!(json.to_string().contains("peek"), is_first);
            let back = observed_from_json(&json, &mut received).expect("it can be read");
            assert_eq!(format!("{back:?}"), format!("{:?}", observed()));
        }
    }

    #[test]
    fn a_case_that_observes_nothing_is_sent_as_nothing() {
        let json = observed_to_json(&Observed::default(), &mut None);
        assert_eq!(json.to_string(), "{}");
        assert!(observed_from_json(&json, &mut None).is_some());
    }

    #[test]
    fn counts_of_unknown_operations_are_refused() {
        let json = serde_json::json!({ "program": [[5, 1], [], [], [], [], ["only"]] });
        assert!(observed_from_json(&json, &mut None).is_none());
        let json = serde_json::json!({ "program": [[0, 1], [], [], [], []] });
        assert!(observed_from_json(&json, &mut None).is_none());
    }
}
