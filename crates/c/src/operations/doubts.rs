//! Decides whether a call with doubtful arguments (`make/doubts.rs`) is made, and marks the failures that
//! follow one.
//!
//! A marked failure neither hides a failure that any caller may meet, nor is it mistaken for one.

use super::{Calls, Sequence};
use crate::facts::Refusal;
use crate::finding::{Doubt, DoubtfulArgument, ParameterName};
use stairway::engine::Step;
use stairway::report::{Failure, FailureKind, Reach};

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
        if !sequence.is_bold {
            self.note_refusal(op, Refusal::Doubtful(k), step.case());
            return false;
        }
        let parameter = ParameterName::of(&target.names, k);
        let (function, step) = (target.name.to_string(), step.ordinal() + 1);
        sequence.doubted = Some(DoubtfulArgument { doubt, function, step, parameter });
        true
    }
}
