//! A sequence of calls as C, with what each of them answered and changed.

use crate::operations::text::declaration;
use crate::project::Project;
use stairway::engine::ShownStep;
use std::fmt::Write as _;

/// Comments begin at this column if the calls leave room.
const MAX_CODE: usize = 48;

/// The steps of a case that is shown.
pub(super) struct Sequence<'s> {
    pub(super) project: &'s Project,
    /// Functions that were made up, as C.
    pub(super) definitions: &'s [String],
    pub(super) steps: &'s [ShownStep],
    /// Whether the last step is the one that breaks something.
    pub(super) is_broken: bool,
}

impl Sequence<'_> {
    /// The lines of the sequence, comments aligned.
    pub(super) fn text(&self) -> String {
        let calls: Vec<String> = self.steps.iter().map(|step| self.statement(step)).collect();
        let fitting = calls.iter().map(|call| call.chars().count()).filter(|n| *n <= MAX_CODE);
        let width = fitting.max().unwrap_or(0);
        let mut out = String::new();
        for definition in self.definitions {
            let _ = writeln!(out, "    {definition}");
        }
        for (k, (step, call)) in self.steps.iter().zip(&calls).enumerate() {
            for made in &step.notes {
                let _ = writeln!(out, "    {made}");
            }
            let comments = comments(step, self.is_broken && k + 1 == self.steps.len());
            let mut comments = comments.iter();
            let line = match comments.next() {
                Some(first) => format!("    {call:width$}  // {first}"),
                None => format!("    {call}"),
            };
            let _ = writeln!(out, "{line}");
            for more in comments {
                let _ = writeln!(out, "    {:width$}  // {more}", "");
            }
        }
        out
    }

    /// A call as a C statement.
    pub(super) fn statement(&self, step: &ShownStep) -> String {
        let arguments: Vec<&str> = step.arguments.iter().map(|(_, value)| value.as_str()).collect();
        self.assigned(step, &format!("{}({});", step.name, arguments.join(", ")))
    }

    /// A call whose result, if it has one, is kept in a variable.
    pub(super) fn assigned(&self, step: &ShownStep, call: &str) -> String {
        let types = &self.project.program.types;
        let function = self.project.program.functions.iter().find(|f| f.is_defined && f.name == step.name);
        match function.filter(|f| types.size(f.signature.returns).is_some()) {
            Some(function) => {
                let variable = variable(step);
                format!("{} = {call}", declaration(types, function.signature.returns, &variable))
            }
            None => call.to_string(),
        }
    }
}

/// The variable that holds the result of a step.
pub(super) fn variable(step: &ShownStep) -> String {
    format!("x{}", step.ordinal + 1)
}

/// What is to be said about a step, a line each.
fn comments(step: &ShownStep, is_last: bool) -> Vec<String> {
    let mut comments = Vec::new();
    if !step.answer.is_empty() {
        comments.push(format!("answers {}", step.answer));
    }
    comments.extend(step.state.lines().map(String::from));
    if is_last {
        comments.extend(step.system.lines().map(|line| format!("at entry, {line}")));
    }
    comments
}
