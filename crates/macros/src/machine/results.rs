//! Decides whether an operation is always possible in a state, and which of its results were forgotten.

use super::kinds::Kind;
use super::names::list;
use super::patterns::{Pattern, Row, left_over, variants};
use super::{Machine, Op};
use crate::attributes::Problems;
use proc_macro2::Ident;

impl Machine {
    /// Whether an operation is possible in a state whatever the data, the arguments and the result.
    pub(super) fn is_total(&self, state: &Ident, op: &Op) -> bool {
        let arms = self.arms_of(state, &op.name);
        let may_be_refused =
            self.refused_of(state, &op.name).next().is_some() || arms.clone().any(|arm| arm.may_be_none);
        let fields = self.state(state).fields.iter().chain(&op.fields);
        let kinds: Vec<Kind> = fields.map(|field| Kind::of(&field.ty, self)).collect();
        let rows: Vec<Row<'_>> =
            arms.filter(|arm| !arm.is_guarded()).map(|arm| arm.row.iter().collect()).collect();
        let all = vec![&Pattern::All; kinds.len()];
        !may_be_refused && left_over(&kinds, &rows, &all, &self.types()).is_none()
    }

    /// Where an operation is possible whatever the data, each result must have an arm. It may have a guard.
    pub(super) fn diagnose_results(&self, problems: &mut Problems) {
        for state in &self.states {
            for op in &self.ops {
                let plain = self.arms_of(&state.name, &op.name).find(|arm| arm.is_plain);
                let (Some(plain), forgotten) = (plain, self.forgotten(&state.name, op)) else { continue };
                if !forgotten.is_empty() {
                    let message = format!(
                        "no arm says what follows in state `{}` when `{}` returns {}: write an arm for each \
                         (`=> unreachable!()` if it cannot be), or one with `_` for all others",
                        state.name,
                        op.name,
                        list(&forgotten)
                    );
                    problems.at(&plain.op_pattern, message);
                }
            }
        }
    }

    /// The results of an operation that no arm takes: for each of its variants, an example.
    fn forgotten(&self, state: &Ident, op: &Op) -> Vec<String> {
        let (Some(ret), Some(ty)) = (op.ret, op.result()) else { return Vec::new() };
        let (kind, at) = ([Kind::of(ty, self)], self.state(state).fields.len() + ret);
        let arms = self.arms_of(state, &op.name).chain(self.refused_of(state, &op.name));
        let rows: Vec<Row<'_>> = arms.map(|arm| vec![&arm.row[at]]).collect();
        let mut asked: Vec<Pattern> = variants(&kind[0], &self.types())
            .into_iter()
            .map(|variant| Pattern::Variant(variant.name, vec![Pattern::All; variant.kinds.len()]))
            .collect();
        if asked.is_empty() {
            asked.push(Pattern::All);
        }
        asked.iter().filter_map(|asked| left_over(&kind, &rows, &[asked], &self.types())).flatten().collect()
    }
}
