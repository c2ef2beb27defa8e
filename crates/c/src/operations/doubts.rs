//! Decides whether a call with doubtful arguments (`make/doubts.rs`) is made, and marks the failures that
//! follow one.
//!
//! A marked failure neither hides a failure that any caller may meet, nor is it mistaken for one.

use super::make::Doubt;
use super::refusals::Refusal;
use super::{Calls, Sequence};
use stairway::engine::Step;
use stairway::report::{Failure, FailureKind, Reach};

/// A doubtful argument that was passed.
#[derive(Clone, Debug)]
pub(super) struct DoubtfulArgument {
    doubt: Doubt,
    /// The function.
    pub(super) name: &'static str,
    /// The call, as numbers go in reports, from 1.
    step: u32,
    /// The parameter.
    parameter: String,
}

impl DoubtfulArgument {
    /// What to know about it, and what to do.
    pub(super) fn help(&self) -> String {
        let DoubtfulArgument { doubt, name, step, parameter } = self;
        let what = match doubt {
            Doubt::Held => format!(
                "{parameter} of `{name}` (call {step}) is an object that another one holds, and nobody says that it may \
                 be: it could be linked twice, or freed while it is linked"
            ),
            Doubt::Shared => format!(
                "{parameter} of `{name}` (call {step}) shares memory with another argument, and nobody says that it may"
            ),
            Doubt::Endless => format!(
                "{parameter} of `{name}` (call {step}) is a text that does not end within its memory, and nobody says \
                 that it need not"
            ),
            Doubt::Unmeasured => format!(
                "{parameter} of `{name}` (call {step}) is memory of an earlier call, and nobody says how much is needed"
            ),
            Doubt::Longer => format!(
                "{parameter} of `{name}` (call {step}) is more than the text before it has bytes, and nobody says whether it \
                 is its length"
            ),
        };
        format!(
            "help: doubtful: {what}\nhelp: if it is not allowed, leave such calls out with --cautious, or say what `{name}` \
             takes in a contract"
        )
    }
}

impl Sequence {
    /// A failure of this sequence, after doubtful arguments if there were any.
    pub(super) fn doubtful(&self, mut failure: Failure) -> Failure {
        if let (Some(_), FailureKind::Call { reach, .. }) = (&self.doubted, &mut failure.kind) {
            *reach = Reach::Doubtfully;
        }
        failure
    }
}

impl Calls {
    /// Whether a call is made although an argument is doubtful; if so, that is kept, and if not, counted.
    pub(super) fn dares(
        &self,
        op: usize,
        k: usize,
        doubt: Doubt,
        sequence: &mut Sequence,
        step: &mut Step<'_, '_>,
    ) -> bool {
        let target = &self.targets[op].0;
        let parameter = || match target.names.get(k).filter(|name| !name.is_empty()) {
            Some(name) => format!("`{name}`"),
            None => format!("argument {}", k + 1),
        };
        if !sequence.is_bold {
            let words = |_| (target.name, format!("doubtful: {}", parameter()));
            self.refusals.note(op, Refusal::Doubtful(k), step.case(), words);
            return false;
        }
        let (name, step) = (target.name, step.ordinal() + 1);
        sequence.doubted = Some(DoubtfulArgument { doubt, name, step, parameter: parameter() });
        true
    }
}
