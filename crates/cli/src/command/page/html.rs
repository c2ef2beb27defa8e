//! A page as HTML: what is drawn where. Every text that comes from a run is escaped; styles and the few lines
//! of script are in the page.

use super::data::Run;
use super::drawing;
use super::source;
use serde_json::Value;
use stairway::report::words;
use std::fmt::Write as _;

/// So many steps are in the page itself; the others are added when somebody asks for them.
const N_STEPS: usize = 500;
/// Rows of a distribution.
const MAX_ROWS: usize = 30;

/// Text inside HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON inside a script: nothing in it can end the element.
fn inside_script(json: &Value) -> String {
    json.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

fn frame(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\
         <title>{}</title><style>{}</style></head><body><a class=\"skip\" href=\"#main\">to the report</a>\
         <main id=\"main\">{body}</main><script>{}</script></body></html>\n",
        escaped(title),
        include_str!("page.css"),
        include_str!("page.js"),
    )
}

/// The page of a file: its runs, one below the other.
pub(super) fn page(runs: &[Run]) -> String {
    let mut body = String::new();
    if runs.len() > 1 {
        let rows = runs.iter().enumerate().map(|(k, run)| (format!("#run{k}"), run)).collect();
        let _ = write!(body, "<nav>{}</nav>", verdicts(rows));
    }
    for (k, run) in runs.iter().enumerate() {
        one_run(&mut body, k, run);
    }
    let title = runs.first().map_or_else(|| "Stairway".to_string(), Run::title);
    frame(&format!("{title}: Stairway"), &body)
}

/// The page that leads to the others.
pub(super) fn index(pages: &[(String, Vec<Run>)]) -> String {
    let mut rows: Vec<(String, &Run)> = Vec::new();
    for (file, runs) in pages {
        rows.extend(runs.iter().enumerate().map(|(k, run)| (format!("{}#run{k}", link(file)), run)));
    }
    frame("Stairway", &verdicts(rows))
}

/// How many runs hold, and a table of links to them with what failed first.
fn verdicts(mut rows: Vec<(String, &Run)>) -> String {
    rows.sort_by_key(|(_, run)| (run.is_success, run.title()));
    let n_failed = rows.iter().filter(|(_, run)| !run.is_success).count();
    let mut body =
        format!("<h1>{} of {} hold</h1><div class=\"scroll\"><table>", rows.len() - n_failed, rows.len());
    body.push_str("<tr><th>what was checked</th><th>verdict</th><th class=\"r\">passed</th><th class=\"r\">discarded</th></tr>");
    for (link, run) in rows {
        let count = |key: &str| run.content[key].as_u64().map(words::count).unwrap_or_default();
        let _ = write!(
            body,
            "<tr><td><a href=\"{}\">{}</a></td><td>{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td></tr>",
            escaped(&link),
            escaped(&run.title()),
            verdict(run),
            count("passed"),
            count("discarded"),
        );
    }
    body.push_str("</table></div>");
    body
}

/// A file name as a relative link.
fn link(file: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let mut link = String::from("./");
    for c in file.chars() {
        if plain(c) {
            link.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| {
                let _ = write!(link, "%{byte:02X}");
            });
        }
    }
    link
}

fn verdict(run: &Run) -> String {
    let kind = if run.is_success { "good" } else { "bad" };
    format!("<span class=\"verdict {kind}\">{}</span>", escaped(&run.verdict))
}

fn one_run(out: &mut String, k: usize, run: &Run) {
    let content = &run.content;
    let _ = write!(out, "<article id=\"run{k}\"><h1>{}</h1><p>{}</p>", escaped(&run.title()), verdict(run));
    facts(out, run);
    if run.is_c {
        c_report(out, k, content);
    } else {
        counterexample(out, k, &content["counterexample"]);
        let others = content["others"].as_array().into_iter().flatten();
        for (j, other) in others.enumerate() {
            counterexample(out, (k + 1) * 1000 + j, other);
        }
        drawing::machine(out, &content["machine"]);
        operations(out, &content["operations"]);
        demands(out, &content["demands"]);
        distributions(out, content);
        sizes(out, run);
        text(out, k, content);
    }
    for (title, more) in &run.more {
        further(out, run, title, more);
    }
    out.push_str("</article>");
}

/// A line that is no case and no summary: what a formula is worth, or anything that somebody else wrote.
fn further(out: &mut String, run: &Run, title: &str, more: &Value) {
    let _ = write!(out, "<section><h2>{}</h2>", escaped(title));
    if !more["machine"].is_object() {
        let shown = serde_json::to_string_pretty(more).unwrap_or_default();
        let _ = write!(out, "<pre>{}</pre>", escaped(&shown));
    }
    out.push_str("</section>");
    // The run itself has drawn it with what was taken.
    if !run.content["machine"].is_object() {
        drawing::machine(out, &more["machine"]);
    }
}

/// The ledger: how much was done, and from which seed.
fn facts(out: &mut String, run: &Run) {
    let content = &run.content;
    let mut facts: Vec<String> = Vec::new();
    for (key, word) in
        [("passed", "passed"), ("failed", "failed"), ("discarded", "discarded"), ("calls", "calls")]
    {
        // What shows the failure is not counted, and a failure that was only replayed has counted nothing.
        let is_worth_it = |n: &u64| *n > 0 || key == "passed";
        facts
            .extend(content[key].as_u64().filter(is_worth_it).map(|n| format!("{} {word}", words::count(n))));
    }
    match &content["seed"] {
        Value::Number(seed) => facts.push(format!("seed {:#x}", seed.as_u64().unwrap_or_default())),
        Value::String(seed) => facts.push(format!("seed {seed}")),
        _ => {}
    }
    facts.extend(
        content["spent"]["work"]
            .as_u64()
            .filter(|n| *n > 0)
            .map(|n| format!("{} basic blocks", words::count(n))),
    );
    let runs = content["counterexample"]["shrinking"]["runs"]
        .as_u64()
        .or(content["failure"]["shrink_runs"].as_u64());
    facts.extend(runs.map(|n| format!("shrunk in {} runs", words::count(n))));
    let is_needed = [
        &content["counterexample"]["shrinking"]["every_step_is_needed"],
        &content["failure"]["every_step_is_needed"],
    ];
    if is_needed.iter().any(|needed| **needed == true) {
        facts.push("every step is needed".to_string());
    }
    out.push_str("<ul class=\"facts\">");
    for fact in facts {
        let _ = write!(out, "<li>{}</li>", escaped(&fact));
    }
    out.push_str("</ul>");
}

fn string<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn array<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value[key].as_array().map_or(&[], Vec::as_slice)
}

fn counterexample(out: &mut String, k: usize, found: &Value) {
    if !found.is_object() {
        return;
    }
    let _ = write!(out, "<section><h2>{}</h2>", escaped(string(found, "message")));
    pairs(out, "", array(found, "drawn"));
    timeline(out, k, &steps_of_model(found));
    pairs(out, "where it fails", array(found, "operands"));
    if let Some(place) = found["place"].as_str() {
        let _ = write!(out, "<p class=\"mute\">at <code>{}</code></p>", escaped(place));
    }
    details(out, string(found, "details"));
    out.push_str("</section>");
    drawing::history(out, &found["shrinking"]["history"]);
}

fn details(out: &mut String, details: &str) {
    if !details.trim().is_empty() {
        let _ = write!(out, "<pre>{}</pre>", escaped(details.trim_end()));
    }
}

/// Names with values.
fn pairs(out: &mut String, title: &str, all: &[Value]) {
    if all.is_empty() {
        return;
    }
    if !title.is_empty() {
        let _ = write!(out, "<h3>{}</h3>", escaped(title));
    }
    out.push_str("<table class=\"pairs\">");
    for pair in all {
        // What has no name is known by its role.
        let name = Some(string(pair, "name")).filter(|name| !name.is_empty());
        let name = escaped(name.unwrap_or_else(|| string(pair, "role")));
        let value = escaped(string(pair, "value"));
        let _ = write!(out, "<tr><th>{name}</th><td><code>{value}</code></td></tr>");
    }
    out.push_str("</table>");
}

/// A step of a timeline.
struct Step {
    call: String,
    answer: String,
    /// Whose state, and what it is.
    states: Vec<(String, String)>,
}

fn steps_of_model(found: &Value) -> Vec<Step> {
    let state = |step: &Value, key: &str| (key.to_string(), string(step, key).to_string());
    let step = |step: &Value| Step {
        call: string(step, "call").to_string(),
        answer: string(step, "answer").to_string(),
        states: [state(step, "model"), state(step, "system")]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect(),
    };
    array(found, "steps").iter().map(step).collect()
}

fn steps_of_c(failure: &Value) -> Vec<Step> {
    let lines = |step: &Value, key: &str, word: &str| {
        let lines: Vec<&str> = array(step, key).iter().filter_map(Value::as_str).collect();
        (word.to_string(), lines.join("\n"))
    };
    let step = |step: &Value| Step {
        call: array(step, "declarations")
            .iter()
            .filter_map(Value::as_str)
            .chain([string(step, "call")])
            .collect::<Vec<_>>()
            .join("\n"),
        answer: string(step, "answer").to_string(),
        states: [lines(step, "entry", "before"), lines(step, "state", "after")]
            .into_iter()
            .filter(|(_, text)| !text.is_empty())
            .collect(),
    };
    array(failure, "steps").iter().map(step).collect()
}

/// Steps from the first to the one that fails, each with the state after it; what differs from the step
/// before is marked.
fn timeline(out: &mut String, k: usize, steps: &[Step]) {
    if steps.is_empty() {
        return;
    }
    let is_changed = |at: usize, whose: &str, text: &str| {
        let before =
            at.checked_sub(1).and_then(|before| steps[before].states.iter().find(|(name, _)| name == whose));
        before.is_some_and(|(_, before)| before != text)
    };
    let _ = write!(out, "<ol class=\"steps\" id=\"steps{k}\">");
    for (at, step) in steps.iter().enumerate().take(N_STEPS) {
        let last = if at + 1 == steps.len() { " class=\"last\"" } else { "" };
        let _ = write!(
            out,
            "<li tabindex=\"-1\"{last}><span class=\"n\">{}.</span><span class=\"call\">{}</span>",
            at + 1,
            escaped(&step.call)
        );
        if !step.answer.is_empty() {
            let _ = write!(out, "<span class=\"answer\"> → {}</span>", escaped(&step.answer));
        }
        for (whose, text) in &step.states {
            let changed = if is_changed(at, whose, text) { " class=\"changed\"" } else { "" };
            let _ = write!(
                out,
                "<div class=\"state\"><b>{whose} </b><code{changed}>{}</code></div>",
                escaped(text)
            );
        }
        out.push_str("</li>");
    }
    out.push_str("</ol>");
    if steps.len() > N_STEPS {
        let rest: Vec<Value> = (N_STEPS..steps.len())
            .map(|at| {
                let states = steps[at]
                    .states
                    .iter()
                    .map(|(whose, text)| serde_json::json!([whose, text, is_changed(at, whose, text)]));
                serde_json::json!([at + 1, steps[at].call, steps[at].answer, states.collect::<Vec<_>>()])
            })
            .collect();
        let _ = write!(
            out,
            "<script type=\"application/json\" id=\"more{k}\">{}</script>\
             <button data-steps=\"more{k}\" data-list=\"steps{k}\">show more of {} further steps</button>",
            inside_script(&Value::Array(rest)),
            steps.len() - N_STEPS
        );
    }
}

/// How often operations ran, and which followed which.
fn operations(out: &mut String, operations: &Value) {
    let names: Vec<&str> = array(operations, "names").iter().filter_map(Value::as_str).collect();
    if names.is_empty() {
        return;
    }
    let counts =
        |key: &str| -> Vec<u64> { array(operations, key).iter().map(|n| n.as_u64().unwrap_or(0)).collect() };
    let (done, refused, impossible) = (counts("done"), counts("refused"), counts("impossible"));
    out.push_str("<section><h2>Operations</h2><div class=\"scroll\"><table><tr><th>operation</th><th class=\"r\">done</th><th class=\"r\">refused</th><th class=\"r\">impossible</th></tr>");
    for (k, name) in names.iter().enumerate() {
        let at = |all: &[u64]| words::count(all.get(k).copied().unwrap_or(0));
        let never = if done.get(k) == Some(&0) { " class=\"bad\"" } else { "" };
        let _ = write!(
            out,
            "<tr><td{never}><code>{}</code></td><td class=\"r\">{}</td><td class=\"r\">{}</td><td class=\"r\">{}</td></tr>",
            escaped(name),
            at(&done),
            at(&refused),
            at(&impossible)
        );
    }
    out.push_str("</table></div>");
    heat_map(out, &names, &counts("follow"));
    out.push_str("</section>");
}

fn heat_map(out: &mut String, names: &[&str], follow: &[u64]) {
    if follow.len() != names.len() * names.len() || names.len() < 2 {
        return;
    }
    out.push_str(
        "<h3>What came next, in %</h3><div class=\"scroll\"><table class=\"heat\"><tr><th>after</th>",
    );
    for name in names {
        let _ = write!(out, "<th>{}</th>", escaped(name));
    }
    out.push_str("</tr>");
    for (name, row) in names.iter().zip(follow.chunks(names.len())) {
        let _ = write!(out, "<tr><th>{}</th>", escaped(name));
        let all = row.iter().sum::<u64>().max(1);
        for n in row {
            let share = *n as f64 / all as f64;
            let _ = write!(out, "<td class=\"h\" style=\"--a:{:.2}\">{:.0}</td>", share * 0.8, share * 100.0);
        }
        out.push_str("</tr>");
    }
    out.push_str("</table></div>");
}

fn demands(out: &mut String, demands: &Value) {
    let all = demands.as_array().map_or(&[][..], Vec::as_slice);
    if all.is_empty() {
        return;
    }
    out.push_str("<section><h2>Demands</h2><table>");
    for demand in all {
        let (reached, demanded) =
            (demand["reached"].as_f64().unwrap_or(0.0), demand["demanded"].as_f64().unwrap_or(0.0));
        let kind = if string(demand, "decision") == "met" { "good" } else { "bad" };
        let _ = write!(
            out,
            "<tr><td>{}</td><td class=\"w\">{reached:.1} %, {demanded:.1} % demanded</td><td class=\"{kind}\">{}</td>\
             <td><div class=\"bar\"><i style=\"width:{:.1}%\"></i><u style=\"left:{:.1}%\"></u></div></td></tr>",
            escaped(string(demand, "name")),
            escaped(string(demand, "decision")),
            reached.clamp(0.0, 100.0),
            demanded.clamp(0.0, 99.0),
        );
    }
    out.push_str("</table></section>");
}

fn distributions(out: &mut String, content: &Value) {
    let counts = |all: &Value| -> Vec<(String, u64)> {
        let all = all.as_object().into_iter().flatten();
        all.map(|(name, n)| (name.clone(), n.as_u64().or(n["taken"].as_u64()).unwrap_or(0))).collect()
    };
    let n = content["passed"].as_u64().unwrap_or(0);
    distribution(out, "Labels", counts(&content["labels"]), n);
    for (name, table) in content["tables"].as_object().into_iter().flatten() {
        let rows = counts(table);
        let n = rows.iter().map(|(_, n)| n).sum();
        distribution(out, name, rows, n);
    }
    distribution(out, "Alternatives taken", counts(&content["alternatives"]), n);
    distribution(out, "Discards", counts(&content["discards"]), content["discarded"].as_u64().unwrap_or(0));
}

fn distribution(out: &mut String, title: &str, mut rows: Vec<(String, u64)>, all: u64) {
    if rows.is_empty() {
        return;
    }
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let n_more = rows.len().saturating_sub(MAX_ROWS);
    let _ = write!(out, "<section><h2>{}</h2><table>", escaped(title));
    for (name, n) in rows.iter().take(MAX_ROWS) {
        let share = 100.0 * *n as f64 / all.max(1) as f64;
        let _ = write!(
            out,
            "<tr><td><code>{}</code></td><td class=\"r\">{} ({share:.1} %)</td><td><div class=\"bar\"><i style=\"width:{:.1}%\"></i></div></td></tr>",
            escaped(name),
            words::count(*n),
            share.min(100.0),
        );
    }
    out.push_str("</table>");
    if n_more > 0 {
        let _ = write!(out, "<p class=\"mute\">and {n_more} more</p>");
    }
    out.push_str("</section>");
}

/// How large the cases were, in choices.
fn sizes(out: &mut String, run: &Run) {
    if run.sizes.len() < 2 {
        return;
    }
    const N_BINS: u64 = 12;
    let largest = run.sizes.keys().next_back().copied().unwrap_or(0);
    let width = largest / N_BINS + 1;
    let mut bins = vec![0; usize::try_from(largest / width + 1).unwrap_or(1)];
    for (size, n) in &run.sizes {
        bins[usize::try_from(size / width).unwrap_or(0)] += n;
    }
    let all = bins.iter().sum::<u64>().max(1);
    out.push_str("<section><h2>Sizes, in choices</h2><table class=\"bars\">");
    for (k, n) in bins.iter().enumerate() {
        let (low, share) = (k as u64 * width, 100.0 * *n as f64 / all as f64);
        let _ = write!(
            out,
            "<tr><td class=\"r\">{low} to {}</td><td class=\"r\">{}</td><td><div class=\"bar\"><i style=\"width:{share:.1}%\"></i></div></td></tr>",
            low + width - 1,
            words::count(*n),
        );
    }
    out.push_str("</table></section>");
}

/// The report as it was printed, with the line that replays it, and the test.
fn text(out: &mut String, k: usize, content: &Value) {
    let report = string(content, "text");
    if !report.is_empty() {
        let _ = write!(
            out,
            "<section><h2>Report</h2><button data-copy=\"text{k}\">copy</button><pre id=\"text{k}\">{}</pre></section>",
            escaped(report.trim_end())
        );
    }
    let warnings = array(content, "warnings");
    if !warnings.is_empty() {
        out.push_str("<section><h2>Notes</h2><ul>");
        warnings.iter().filter_map(Value::as_str).for_each(|warning| {
            let _ = write!(out, "<li>{}</li>", escaped(warning));
        });
        out.push_str("</ul></section>");
    }
}

fn c_report(out: &mut String, k: usize, report: &Value) {
    details(out, string(&report["error"], "message"));
    let failures = std::iter::once(&report["failure"]).chain(array(report, "others"));
    for (j, failure) in failures.filter(|failure| failure.is_object()).enumerate() {
        let _ = write!(out, "<section><h2>{}</h2>", escaped(string(failure, "message")));
        timeline(out, (k + 1) * 1000 + j, &steps_of_c(failure));
        match string(failure, "place") {
            "" => {}
            place => {
                let _ = write!(out, "<p class=\"mute\">at <code>{}</code></p>", escaped(place));
            }
        }
        details(out, string(failure, "details"));
        let _ = write!(out, "<p>replay:</p><pre>{}</pre></section>", escaped(string(failure, "replay")));
        drawing::history(out, &failure["shrink_history"]);
    }
    functions(out, array(report, "functions"));
    let notes = array(report, "notes");
    if !notes.is_empty() {
        out.push_str("<section><h2>Notes</h2><ul>");
        for note in notes.iter().filter_map(Value::as_str) {
            let _ = write!(out, "<li>{}</li>", escaped(note));
        }
        out.push_str("</ul></section>");
    }
    source::annotated(out, report);
}

fn functions(out: &mut String, functions: &[Value]) {
    if functions.is_empty() {
        return;
    }
    out.push_str("<section><h2>Functions</h2><div class=\"scroll\"><table><tr><th>function</th><th class=\"r\">calls</th><th class=\"r\">discards</th><th>lines reached</th><th></th></tr>");
    for function in functions {
        let n = |key: &str| words::count(function[key].as_u64().unwrap_or(0));
        let all = function["lines"]["all"].as_u64().unwrap_or(0);
        let missed = array(&function["lines"], "not_reached").len() as u64;
        let lines = if all == 0 { String::new() } else { format!("{} of {all}", all.saturating_sub(missed)) };
        let unmet = array(function, "unmet").iter();
        let unmet = unmet.map(|unmet| {
            format!("not met {} times: {}", unmet["times"].as_u64().unwrap_or(0), string(unmet, "clause"))
        });
        let why: Vec<String> =
            function["never_called"].as_str().map(String::from).into_iter().chain(unmet).collect();
        let _ = write!(
            out,
            "<tr><td><code>{}</code></td><td class=\"r\">{}</td><td class=\"r\">{}</td><td>{lines}</td><td>{}</td></tr>",
            escaped(string(function, "name")),
            n("calls"),
            n("discards"),
            escaped(&why.join("; ")),
        );
    }
    out.push_str("</table></div></section>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_says_cannot_leave_its_place() {
        assert_eq!(escaped("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
        let hostile = serde_json::json!(["</script><script>alert(1)</script>"]);
        assert!(!inside_script(&hostile).contains('<'));
        assert_eq!(link("a b/<c>.html"), "./a%20b%2F%3Cc%3E.html");
        assert_eq!(words::count(1_234_567), "1,234,567");
    }
}
