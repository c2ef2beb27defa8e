//! Programs with fewer steps, made of what is left when everything else has been tried.
//!
//! Two insertions at the front and one somewhere inside may come to the same, but not without one of the two
//! and with the number of the other unchanged. Passes that know what they look for change one thing besides
//! leaving out a step. This one knows nothing: it leaves out steps at random, gives some numbers of the others a
//! neighbour's value, a value from elsewhere in the program or a small one, copies arguments, changes an
//! operation, and sometimes moves a step. How often is bounded, and what it draws depends on
//! nothing but the attempt.

use super::Shrinker;
use super::layout::Unit;
use super::lower::lowered;
use stairway_choice::{Choice, Prng, Shape, Value};

/// Up to how many steps a program is tried so.
const MAX_STEPS: usize = 48;
/// How many programs are made in a row that lead to nothing, and how many of them are run: many are known.
const MAX_TRIED: u64 = 250;
const MAX_RUNS_IN_VAIN: u64 = 64;
/// How far is looked for a number of the same kind.
const MAX_LOOKED_AT: usize = 64;

impl Shrinker<'_, '_> {
    /// Leaves out steps, and changes numbers, operations and the order of the others, at random.
    pub(super) fn recombine(&mut self) {
        let n_successes = self.n_successes();
        // Whoever asks for shuffled programs has another pass for that. What was made of this very program is known,
        // and then as much again would be made of it.
        if cfg!(feature = "observations") && self.n_shuffles == 0 && self.recombined_at != Some(n_successes) {
            self.recombined_at = Some(n_successes);
            self.for_programs(MAX_STEPS, |this, i| {
                (0..MAX_TRIED)
                    .any(|attempt| this.n_in_vain < MAX_RUNS_IN_VAIN && this.recombine_once(i, attempt))
            });
        }
    }

    fn recombine_once(&mut self, i: usize, attempt: u64) -> bool {
        let mut prng = Prng::new(attempt);
        let kind = KINDS[attempt as usize % KINDS.len()];
        self.doom_at_random(&mut prng, i, kind) && self.edit_rearranged(i, &mut prng, kind) && {
            self.change_at_random(&mut prng, kind);
            self.attempt()
        }
    }

    /// Marks a step, or a few, but for the one that fails; false if there are no others.
    fn doom_at_random(&mut self, prng: &mut Prng, i: usize, kind: Kind) -> bool {
        let n = self.bench.units.len();
        let n_free = n - usize::from(self.fails_in_step && n > 0);
        if n_free == 0 || self.is_spent() {
            return false;
        }
        self.doom(0..0);
        let n_gone = if kind == Kind::Several { 1 + prng.up_to(2) } else { 1 };
        for _ in 0..n_gone {
            let step = prng.up_to(n_free as u64 - 1) as usize;
            self.bench.doomed[step] = true;
        }
        if prng.up_to(1) == 0 {
            self.doom_dependants();
        }
        let n_doomed = self.bench.doomed.iter().filter(|is_doomed| **is_doomed).count();
        let keeps_last = !self.fails_in_step || !self.bench.doomed[n - 1];
        keeps_last && n_doomed < n && n_doomed as u64 <= self.best()[i].index
    }

    /// Makes the candidate the best record without the marked steps, with one of the others moved now and then.
    fn edit_rearranged(&mut self, i: usize, prng: &mut Prng, kind: Kind) -> bool {
        let units = core::mem::take(&mut self.bench.units);
        let doomed = core::mem::take(&mut self.bench.doomed);
        let mut order = core::mem::take(&mut self.bench.buffers.indices);
        let mut arranged = core::mem::take(&mut self.bench.buffers.units);
        let kept = (0..units.len()).filter(|step| !doomed[*step]);
        order.clear();
        order.extend(kept);
        let n_kept = order.len();
        let n_free = n_kept - usize::from(self.fails_in_step);
        if kind == Kind::Several && n_free > 1 && prng.up_to(1) == 0 {
            let from = prng.up_to(n_free as u64 - 1) as usize;
            let to = prng.up_to(n_free as u64 - 1) as usize;
            let step = order.remove(from);
            order.insert(to, step);
        }
        order.extend((0..units.len()).filter(|step| doomed[*step]));
        arranged.clear();
        arranged.extend(order.iter().map(|step| units[*step]));
        let n_lost: usize = arranged[n_kept..].iter().map(|unit| unit.end - unit.start).sum();
        self.edit(|record, editor| {
            record.choices[i].index -= (units.len() - n_kept) as u64;
            turn_references(&mut record.choices, &units, &order[..n_kept]);
            editor.arrange(record, &units, &arranged);
            let end = units.last().map_or(0, |unit| unit.end);
            editor.delete_all(record, core::iter::once(end - n_lost..end));
        });
        arranged.truncate(n_kept);
        // The steps that are left, as they stand in the candidate.
        let mut start = units.first().map_or(0, |unit| unit.start);
        for unit in &mut arranged {
            let n = unit.end - unit.start;
            (unit.start, unit.end) = (start, start + n);
            start += n;
        }
        order.clear();
        (self.bench.units, self.bench.doomed) = (units, doomed);
        (self.bench.buffers.indices, self.bench.buffers.units) = (order, arranged);
        true
    }

    /// Changes some choices of the candidate, whose steps are in `buffers.units`.
    fn change_at_random(&mut self, prng: &mut Prng, kind: Kind) {
        let mut steps = core::mem::take(&mut self.bench.buffers.units);
        let n_changes = if kind == Kind::Several { 1 + prng.up_to(3) } else { 1 };
        for _ in 0..n_changes {
            let n_arguments: usize = steps.iter().map(|step| (step.end - step.start).saturating_sub(1)).sum();
            if n_arguments == 0 {
                break;
            }
            let nth = prng.up_to(n_arguments as u64 - 1) as usize;
            let mut places = steps.iter().flat_map(|step| step.start + 1..step.end.max(step.start + 1));
            let Some(at) = places.nth(nth) else { break };
            let step = steps.partition_point(|step| step.end <= at);
            let bench = &mut *self.bench;
            let (choices, known) = (&mut bench.candidate.choices, &bench.best.choices);
            match kind {
                Kind::Number | Kind::Several => change(&mut choices[at], known, prng, (step, steps.len())),
                Kind::Lower => lower_alike(choices, &steps, at),
                Kind::Argument => {
                    let from = prng.up_to(known.len() as u64 - 1) as usize;
                    copy_run(&mut choices[at..steps[step].end], known, from);
                }
                Kind::Operation => {
                    let first = steps[step].start;
                    choices[first].index = prng.up_to(choices[first].shape.largest_index());
                }
            }
        }
        steps.clear();
        self.bench.buffers.units = steps;
    }
}

/// What is changed besides leaving out a step.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// One number.
    Number,
    /// Numbers that seem to count the same become less by one.
    Lower,
    /// An argument is copied from elsewhere.
    Argument,
    /// Another operation.
    Operation,
    /// Several steps go, several numbers change, and a step may move.
    Several,
}

/// How often each is tried.
const KINDS: [Kind; 8] = [
    Kind::Number,
    Kind::Lower,
    Kind::Number,
    Kind::Argument,
    Kind::Number,
    Kind::Several,
    Kind::Number,
    Kind::Operation,
];

/// Lowers every number like the one at this place by one.
fn lower_alike(choices: &mut [Choice], steps: &[Unit], at: usize) {
    let shape = choices[at].shape;
    for choice in steps.iter().flat_map(|step| step.start + 1..step.end.max(step.start + 1)) {
        let choice = &mut choices[choice];
        if choice.shape == shape
            && let Some(index) = lowered(choice, 1)
        {
            choice.index = index;
        }
    }
}

/// Copies what stands at `from` or behind it, as far as it is of the same kind.
fn copy_run(choices: &mut [Choice], known: &[Choice], from: usize) {
    let is_like = |other: &&Choice| other.shape == choices[0].shape;
    let Some(n) = known[from..].iter().take(MAX_LOOKED_AT).position(|other| is_like(&other)) else { return };
    for (choice, other) in choices.iter_mut().zip(&known[from + n..]) {
        if choice.shape != other.shape {
            return;
        }
        choice.index = other.index;
    }
}

/// Turns references to steps to where these come to stand; what refers to none of them goes to the step before.
fn turn_references(choices: &mut [Choice], units: &[Unit], kept: &[usize]) {
    for choice in units.iter().flat_map(|unit| unit.start..unit.end) {
        let choice = &mut choices[choice];
        if let Shape::Reference { .. } = choice.shape {
            let step = choice.index as usize;
            let place = kept.iter().position(|other| *other == step);
            let before = || kept.iter().filter(|other| **other < step).count().saturating_sub(1);
            choice.index = place.unwrap_or_else(before) as u64;
        }
    }
}

/// Gives a choice another value.
fn change(choice: &mut Choice, known: &[Choice], prng: &mut Prng, (step, n_steps): (usize, usize)) {
    let largest = choice.shape.largest_index();
    let index = match (choice.shape, choice.value()) {
        (Shape::Signed { .. } | Shape::Unsigned { .. }, Value::Integer(v)) => {
            let value = match prng.up_to(7) {
                0 | 1 => Some(v + 1),
                2 => Some(v - 1),
                3..=5 => number_like(choice, known, prng),
                _ => None,
            };
            let small = || prng.up_to((n_steps as u64 + 1).min(largest));
            value.and_then(|v| choice.shape.index_of(&Value::Integer(v))).unwrap_or_else(small)
        }
        (Shape::Reference { .. }, _) => prng.up_to(step.saturating_sub(1) as u64),
        (Shape::Boolean | Shape::Alternative { .. }, _) => prng.up_to(largest),
        _ => return,
    };
    choice.index = index;
}

/// Another number of the program that this one could be.
fn number_like(choice: &Choice, known: &[Choice], prng: &mut Prng) -> Option<i128> {
    let from = prng.up_to(known.len() as u64 - 1) as usize;
    let others = known[from..].iter().chain(&known[..from]).take(MAX_LOOKED_AT);
    let mut numbers = others.filter_map(|other| match other.value() {
        Value::Integer(v) if other.index != choice.index => {
            choice.shape.index_of(&Value::Integer(v)).map(|_| v)
        }
        _ => None,
    });
    numbers.next()
}
