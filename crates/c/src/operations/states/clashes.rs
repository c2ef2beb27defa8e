//! Names the clauses of a precondition that nothing can satisfy.
//!
//! Begins a few states as `draw` does, without drawing from a stream. If all of them clash, conditions are
//! left out one by one as long as they still do; the remaining ones clash with one another or with the
//! predicates. Wrapping arithmetic is not understood, so a clash explains why no state was made and does not
//! prove that there is none: states are tried in any case.

use super::draw::{Drawing, Fail, Order};
use super::{States, demand};
use crate::facts::StateObstacle;
use crate::operations::make::ParameterHints;
use crate::operations::targets::Target;
use crate::project::Project;
use crate::spec::checked::{Clause, ClauseKind, Contract, NotRun};
use crate::spec::position::Span;

/// How many states are begun before clauses are said to clash, and how large they may grow.
const SEEDS: u64 = 12;
const NODES: u32 = 12;

impl States {
    /// Notes for each function whose precondition nothing satisfies which clauses are to blame.
    pub(super) fn find_clashes(&mut self, project: &Project, targets: &[(&Target, &[ParameterHints])]) {
        for (op, of) in targets.iter().enumerate() {
            let Some(contract) = of.0.contract.filter(|_| self.obstacles[op].is_none()) else { continue };
            let contract = &project.specs.contracts[contract];
            if self.clashes(project, *of, contract, &contract.requires) {
                self.clashes[op] = Some(StateObstacle::Clash(self.blame(project, *of, contract)));
            }
        }
    }

    /// Whether every state that is begun for these clauses clashes.
    fn clashes(
        &self,
        project: &Project,
        of: (&Target, &[ParameterHints]),
        contract: &Contract,
        requires: &[Clause],
    ) -> bool {
        (0..SEEDS).all(|seed| {
            let world = self.world(project);
            let order = if seed % 2 == 0 { Order::AsWritten } else { Order::ShapesFirst };
            let mut drawing = Drawing::new(world, self.room.take(), seed, order, contract.span);
            let result = demand(&mut drawing, of, (contract, requires), NODES);
            self.room.replace(drawing.into_room());
            matches!(result, Err(Fail::Clash))
        })
    }

    /// The clauses that clash, as few as can be found.
    fn blame(&self, project: &Project, of: (&Target, &[ParameterHints]), contract: &Contract) -> Vec<Span> {
        let n = contract.requires.len();
        let forwards = self.core(project, of, contract, &mut (0..n));
        let backwards = self.core(project, of, contract, &mut (0..n).rev());
        let core = if backwards.len() < forwards.len() { backwards } else { forwards };
        let mut named: Vec<&Clause> =
            contract.requires.iter().filter(|clause| core.contains(&clause.span)).collect();
        if named.len() < 2 {
            // Alone it clashes with what is taken.
            named = contract.requires.iter().filter(|c| !is_condition(c) || core.contains(&c.span)).collect();
        }
        named.iter().map(|clause| clause.span).collect()
    }

    /// Conditions that clash, of which none can be left out; they are left out in this order.
    fn core(
        &self,
        project: &Project,
        of: (&Target, &[ParameterHints]),
        contract: &Contract,
        order: &mut dyn Iterator<Item = usize>,
    ) -> Vec<Span> {
        let mut clauses = contract.requires.clone();
        for k in order {
            if !is_condition(&clauses[k]) || clauses[k].not_run.is_some() {
                continue;
            }
            clauses[k].not_run = Some(NotRun::Clash);
            if !self.clashes(project, of, contract, &clauses) {
                clauses[k].not_run = None;
            }
        }
        let left = clauses.iter().filter(|clause| is_condition(clause) && clause.not_run.is_none());
        left.map(|clause| clause.span).collect()
    }
}

/// Whether a clause is a condition, not a name for something.
const fn is_condition(clause: &Clause) -> bool {
    matches!(clause.kind, ClauseKind::Holds(_) | ClauseKind::Each(..))
}
