//! What a page draws: how a failing case became smaller, and the machine that was checked with what was taken
//! of it.

use super::html::escaped;
use serde_json::Value;
use stairway_picture::Picture;
use std::fmt::Write as _;

/// The width and height of a chart, in its own units.
const SIZE: (f64, f64) = (600.0, 140.0);
/// Room around the line.
const MARGIN: f64 = 8.0;

/// How a failing case became smaller: a line that falls, and below it what each success came from.
pub(super) fn history(out: &mut String, history: &Value) {
    let all = history.as_array().map_or(&[][..], Vec::as_slice);
    if all.len() < 2 {
        return;
    }
    // Programs are as long as they have steps, other cases as they have choices.
    let unit = if all.iter().any(|point| number(point, "steps") > 0.0) { "steps" } else { "choices" };
    let (first, last) = (number(&all[0], unit), number(&all[all.len() - 1], unit));
    let _ = write!(
        out,
        "<section><h2>Shrinking</h2><p>From {first:.0} to {last:.0} {unit}, in {} simpler cases one after the other.</p>{}",
        all.len() - 1,
        chart(all, unit)
    );
    out.push_str(
        "<details><summary>every simpler case</summary><div class=\"scroll\"><table><tr><th class=\"r\">after runs</th>\
         <th class=\"r\">steps</th><th class=\"r\">choices</th><th>found by</th></tr>",
    );
    for point in all {
        let pass = point["pass"].as_str().unwrap_or("the search");
        let _ = write!(
            out,
            "<tr><td class=\"r\">{:.0}</td><td class=\"r\">{:.0}</td><td class=\"r\">{:.0}</td><td>{}</td></tr>",
            number(point, "runs"),
            number(point, "steps"),
            number(point, "choices"),
            escaped(pass),
        );
    }
    out.push_str("</table></div></details></section>");
}

fn number(point: &Value, key: &str) -> f64 {
    point[key].as_u64().unwrap_or(0) as f64
}

/// Runs from left to right, size from the bottom up; between two successes nothing changes.
fn chart(all: &[Value], unit: &str) -> String {
    let (width, height) = SIZE;
    let most = |key: &str| all.iter().map(|point| number(point, key)).fold(1.0, f64::max);
    let (runs, largest) = (most("runs"), most(unit));
    let x = |point: &Value| MARGIN + number(point, "runs") / runs * (width - 2.0 * MARGIN);
    let y = |point: &Value| height - MARGIN - number(point, unit) / largest * (height - 2.0 * MARGIN);
    let mut line = format!("M{:.1} {:.1}", x(&all[0]), y(&all[0]));
    for point in &all[1..] {
        let _ = write!(line, "H{:.1}V{:.1}", x(point), y(point));
    }
    format!(
        "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{unit} after each run of shrinking\">\
         <path d=\"{line}\"/></svg><p class=\"mute\">{largest:.0} {unit} at the top, 0 at the bottom; {runs:.0} runs from left to right</p>"
    )
}

/// The machine, with edges as wide as they were taken often and the path of the counterexample.
pub(super) fn machine(out: &mut String, machine: &Value) {
    let Ok(picture) = serde_json::from_value::<Picture>(machine.clone()) else { return };
    if !picture.is_sound() {
        return;
    }
    let taken = picture.edges.iter().filter(|edge| edge.count > 0).count();
    let all = picture.edges.len();
    let words = match (picture.has_counts, all) {
        (true, 1..) => {
            format!("<p>{taken} of {all} transitions were taken; those never taken are dashed.</p>")
        }
        _ => String::new(),
    };
    let _ = write!(
        out,
        "<section><h2>The machine {}</h2>{words}<div class=\"scroll picture\">{}</div></section>",
        escaped(&picture.name),
        picture.svg()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_history_is_drawn_from_its_first_case_to_its_last() {
        let point = |runs: u64, steps: u64, pass: Value| json!({ "runs": runs, "steps": steps, "choices": 2 * steps, "pass": pass });
        let points =
            json!([point(0, 20, Value::Null), point(3, 10, json!("shorten")), point(9, 2, json!("<b>"))]);
        let mut out = String::new();
        history(&mut out, &points);
        assert!(out.contains("From 20 to 2 steps, in 2 simpler cases"), "{out}");
        assert!(out.contains("M8.0 8.0H202.7V70.0H592.0V119.6"), "{out}");
        assert!(out.contains("&lt;b&gt;") && !out.contains("<b>"), "{out}");
        let mut nothing = String::new();
        for hostile in [json!(null), json!([]), json!([1, "a"]), json!([{ "runs": -1 }, {}])] {
            history(&mut nothing, &hostile);
        }
        assert!(!nothing.contains("NaN") && !nothing.contains("inf"), "{nothing}");
    }

    #[test]
    fn a_machine_that_speaks_of_states_it_does_not_have_is_not_drawn() {
        let mut door = Picture::new("door", &["Open", "Shut"], 0);
        door.edge(0, 1, "push");
        let mut out = String::new();
        let mut drawn = serde_json::to_value(&door).expect("a picture is data");
        machine(&mut out, &drawn);
        assert!(out.contains("The machine door") && out.contains("<svg"), "{out}");
        drawn["edges"][0]["to"] = json!(7);
        let mut nothing = String::new();
        machine(&mut nothing, &drawn);
        machine(&mut nothing, &json!("door"));
        assert_eq!(nothing, "");
    }
}
