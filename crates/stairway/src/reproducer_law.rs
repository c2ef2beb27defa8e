//! A law that does not hold, as a test: a block for each side, then the comparison that fails.
//!
//! Both blocks do the same context; only the sides of the law differ. So each can be read, and
//! debugged, by itself.

use crate::program::step_source::{SideStep, StepSource, of as source_of, result_name};
use crate::reproducer_program::{IsChanged, NoTestReason, Program, called, later_use};
use crate::source_lines::Lines;
use stairway_engine::ShownStep;

/// Writes the body of the test.
pub(crate) fn write(program: &Program<'_>, lines: &mut Lines) -> Result<(), NoTestReason> {
    let steps = program.steps();
    let Some(last) = steps.last() else { return Err(NoTestReason::new()) };
    let sides = steps.iter().flat_map(|step| source_of(step).sides.iter().flatten());
    program.are_written(steps.iter().map(source_of).chain(sides.map(|side| &side.source)))?;
    let is_panic = last.answer.is_empty() && source_of(last).claim.is_empty();
    if is_panic {
        lines.comment(&format!("panics: {}", program.message()));
    }
    for (name, is_right) in [("left", false), ("right", true)] {
        // A side that was never begun did not panic.
        if is_panic && is_right && is_law(last) && source_of(last).sides[1].is_empty() {
            continue;
        }
        lines.open(if is_panic { String::from("{") } else { format!("let {name} = {{") });
        program.begin(lines, program.start.is_some_and(|start| start.is_model_alone))?;
        for k in 0..steps.len() {
            let is_last = k + 1 == steps.len();
            if is_law(&steps[k]) {
                lines.comment(&format!("the {name} side of the law"));
                let failing = is_last.then_some(source_of(last));
                let law = Sides { law: source_of(&steps[k]), later: &steps[k + 1..], failing };
                law.write(program, lines, is_right)?;
                if !is_last {
                    lines.comment("after it");
                }
            } else if is_last && !is_panic {
                lines.bind(&source_of(last).bindings);
                lines.push(call_of(program, source_of(last)));
            } else if is_last || is_alone(program) {
                lines.bind(&source_of(&steps[k]).bindings);
                lines.push(format!("{};", call_of(program, source_of(&steps[k]))));
            } else {
                program.statement(lines, k, false);
            }
        }
        lines.close(if is_panic { "}" } else { "};" });
    }
    if !is_panic {
        compare(program, lines, last);
    }
    Ok(())
}

/// Whether a step is the law. It may have nothing on one side, but not on both.
fn is_law(step: &ShownStep) -> bool {
    source_of(step).sides.iter().any(|side| !side.is_empty())
}

fn is_alone(program: &Program<'_>) -> bool {
    program.start.is_some_and(|start| start.is_model_alone)
}

fn call_of(program: &Program<'_>, code: &StepSource) -> String {
    if is_alone(program) { code.model.text() } else { called(code) }
}

/// A law in a program.
struct Sides<'p> {
    law: &'p StepSource,
    /// The steps after it.
    later: &'p [ShownStep],
    /// The law itself, where it is what fails.
    failing: Option<&'p StepSource>,
}

impl Sides<'_> {
    /// The statements of one side, up to the name that differs.
    fn write(&self, program: &Program<'_>, lines: &mut Lines, is_right: bool) -> Result<(), NoTestReason> {
        let side = &self.law.sides[usize::from(is_right)];
        for (k, step) in side.iter().enumerate() {
            let is_tail =
                self.failing.is_some_and(|code| !code.claim.is_empty() && code.claim.text == step.name);
            let expression =
                if step.value.is_empty() { call_of(program, &step.source) } else { step.value.clone() };
            if is_tail {
                if self.gives_result(&step.name) {
                    let why =
                        format!("there is no test to paste: one side gives a result for `{}`", step.name);
                    return Err(why);
                }
                lines.bind(&step.source.bindings);
                lines.push(expression);
                return Ok(());
            }
            if step.value.is_empty() {
                lines.bind(&step.source.bindings);
                lines.push(self.statement(&side[k + 1..], step, &expression, is_alone(program)));
            }
        }
        Ok(())
    }

    /// Whether a name is bound to the result of a call.
    fn gives_result(&self, name: &str) -> bool {
        self.law.sides.iter().flatten().any(|step| step.name == name && step.source.result.is_some())
    }

    /// A call, whose result is kept for what comes after it.
    fn statement(&self, rest: &[SideStep], step: &SideStep, call: &str, is_alone: bool) -> String {
        let Some(suffix) = step.source.result.as_ref().filter(|_| !is_alone) else {
            return format!("{call};");
        };
        let later = rest.iter().map(|step| &step.source).chain(self.later.iter().map(source_of));
        let (of, nth) = step.result;
        let name = result_name(of, nth);
        match later_use(later, of, nth) {
            // It lives as long as it did.
            None => format!("let _{name} = {call};"),
            Some(IsChanged(true)) => format!("let mut {name} = {call}{suffix};"),
            Some(IsChanged(false)) => format!("let {name} = {call}{suffix};"),
        }
    }
}

fn compare(program: &Program<'_>, lines: &mut Lines, last: &ShownStep) {
    let is_written = !source_of(last).answer.is_empty();
    lines.note(
        match (is_written, source_of(last).is_opaque) {
            (true, _) => "assert_eq!(left, right);".to_string(),
            (false, true) => "assert!(left == right);".to_string(),
            (false, false) => "assert_eq!(format!(\"{left:?}\"), format!(\"{right:?}\"));".to_string(),
        },
        &program.message(),
    );
}
