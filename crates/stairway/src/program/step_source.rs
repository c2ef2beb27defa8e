//! A step as Rust source, for the test that a report prints.
//!
//! Only a program that is shown has it. Whoever does a step fills it in (`call_source.rs` the call itself), the
//! engine carries it to the report as an [`Attachment`](stairway_engine::Attachment), and the reproducers put a test
//! together. Both sides use the same names: `system`, `model`, `answer`, `before`, `result`, and `r1`, `r2`, .. for
//! the results of steps.

use serde::{Deserialize, Serialize};
use stairway_engine::{Attach, Observed, ShownStep, Step};
use std::any::Any;

/// A step as source text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSource {
    /// Statements that give names to what the call mentions.
    pub bindings: Vec<String>,
    /// The call on the system; empty if it is not known.
    pub call: String,
    /// What the step does to the model; empty if one statement cannot say it.
    pub model: String,
    /// The answer as an expression; empty if it cannot be written.
    pub answer: String,
    /// The answers that would have been right, as expressions; empty if they cannot be written.
    pub expected: Vec<String>,
    /// What does not hold after the step.
    pub claim: String,
    /// Statements that give names to what the claim mentions.
    pub names: Vec<String>,
    /// How the result that later steps refer to is got from the answer, if it is kept.
    pub result: Option<String>,
    /// The step whose result the call changes without saying so in its text: its receiver.
    pub changes: Option<u32>,
    /// Whether the call has to be awaited.
    pub is_async: bool,
    /// Why the step cannot be written, if it cannot.
    pub missing: String,
    /// Both sides of a law, where the step is one.
    pub sides: [Vec<SideStep>; 2],
    /// What functions without a body did during the step, in order: their names, and statements that do the same.
    pub stand_ins: Vec<(String, String)>,
}

/// One statement on a side of a law.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SideStep {
    /// The name it binds; may be empty.
    pub name: String,
    /// The call.
    pub source: StepSource,
    /// The value it binds instead of an answer, as an expression.
    pub value: String,
}

impl Attach for StepSource {
    fn boxed_clone(&self) -> Box<dyn Attach> {
        Box::new(self.clone())
    }

    fn is_equal(&self, other: &dyn Attach) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref() == Some(self)
    }

    fn to_bytes(&self) -> Vec<u8> {
        // Writing to memory does not fail.
        postcard::to_allocvec(self).unwrap_or_default()
    }
}

/// What a step without source has.
static NOTHING: StepSource = StepSource {
    bindings: Vec::new(),
    call: String::new(),
    model: String::new(),
    answer: String::new(),
    expected: Vec::new(),
    claim: String::new(),
    names: Vec::new(),
    result: None,
    changes: None,
    is_async: false,
    missing: String::new(),
    sides: [Vec::new(), Vec::new()],
    stand_ins: Vec::new(),
};

/// The source of a step in a report.
pub(crate) fn of(step: &ShownStep) -> &StepSource {
    step.attachment.get().unwrap_or(&NOTHING)
}

/// Where the source of the step that is being done is kept, if it is shown.
#[inline]
pub fn of_running<'s>(step: &'s mut Step<'_, '_>) -> Option<&'s mut StepSource> {
    step.attached()
}

/// The same for the latest of the steps that were shown.
pub(crate) fn of_latest(observed: &mut Observed) -> Option<&mut StepSource> {
    Some(observed.steps.last_mut()?.attachment.get_or_default())
}

/// Reads the sources of steps that have come from another process; says whether all of them can be read.
pub(crate) fn restore(steps: &mut [ShownStep]) -> bool {
    steps
        .iter_mut()
        .all(|step| step.attachment.restore(|bytes| postcard::from_bytes::<StepSource>(bytes).ok()))
}
