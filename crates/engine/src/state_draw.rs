//! Drawing from what a state holds: an index below its length, one of its keys.
//!
//! Draws a value from a generator that was made of a state. Such a generator may have nothing to offer in
//! some states (no key, an empty range); that is a fact about the state, not a mistake, and can be asked
//! beforehand. While steps are deleted, a value that the state still holds is kept wherever it stands now;
//! otherwise its position is, as far as there are that many.

use crate::draw::Draw;
use crate::generate::Generate;
use crate::program::Step;
use crate::stop::{Checked, Discard, Reason};
use stairway_choice::{Choice, Choices, Fault, Halt, Shape, Source, Span};

/// In how many positions a value is looked for.
const MAX_LOOKED_AT: u64 = 1024;

/// What a value is known by, of which 31 bits are kept; none for types whose values cannot be told apart.
pub type Imprint<T> = Option<fn(&T) -> u32>;

/// Whether `generator` has no value at all: an empty range, or nothing to choose from.
pub fn is_empty(generator: &impl Generate) -> bool {
    let mut draw = scripted(&[]);
    match generator.generate(&mut draw) {
        Err(stop) if matches!(stop.reason, Reason::Discard(Discard::Empty(_))) => true,
        _ => matches!(draw.stream().halted(), Some(Halt::Fault(Fault::EmptyRange | Fault::NoAlternative))),
    }
}

impl Step<'_, '_> {
    /// Draws a value from a `generator` that was made of the state, so that it keeps its meaning when other
    /// steps are deleted.
    ///
    /// # Errors
    /// Ends the case when no value can be made.
    pub fn draw_from_state<G: Generate>(
        &mut self,
        generator: &G,
        imprint: Imprint<G::Value>,
    ) -> Checked<G::Value> {
        let value = self.draw(generator)?;
        let Some(imprint) = imprint.filter(|_| generator.is_single()) else { return Ok(value) };
        let choices = self.choices();
        let recalled = choices.recall();
        if choices.keeps_imprints() {
            let is_here = recalled.is_none_or(|wanted| wanted == known_by(imprint, &value));
            if let Some((index, value)) =
                recalled.filter(|_| !is_here).and_then(|w| find(generator, imprint, w))
            {
                choices.remember(known_by(imprint, &value), Some(index));
                return Ok(value);
            }
            choices.remember(known_by(imprint, &value), None);
        }
        match choices.halted() {
            None => Ok(value),
            Some(halt) => Err(crate::stop::Stop::halt(halt)),
        }
    }
}

fn known_by<T>(imprint: fn(&T) -> u32, value: &T) -> u32 {
    imprint(value) & !(1 << 31)
}

/// The value of this imprint and its position, if the generator, which makes a single choice, still has it.
fn find<G: Generate>(generator: &G, imprint: fn(&G::Value) -> u32, wanted: u32) -> Option<(u64, G::Value)> {
    let most = largest_index(generator)?.min(MAX_LOOKED_AT - 1);
    (0..=most).find_map(|index| {
        let at = [Choice { index, shape: Shape::Boolean }];
        let value = generator.generate(&mut scripted(&at)).ok()?;
        (known_by(imprint, &value) == wanted).then_some((index, value))
    })
}

/// The largest index of the generator's choice.
fn largest_index(generator: &impl Generate) -> Option<u64> {
    let (mut choices, mut spans) = ([Choice::BLANK; 1], [Span::BLANK; 1]);
    let source = Source::Replay { choices: &[], spans: None, bound: u64::MAX };
    let mut draw = Draw::from(Choices::new(source, 0).recording(&mut choices, &mut spans));
    let _ = generator.generate(&mut draw);
    draw.stream().recorded().first().map(|choice| choice.shape.largest_index())
}

/// A stream that makes these choices, and the simplest ones after them.
fn scripted(choices: &[Choice]) -> Draw<'_> {
    Draw::from(Choices::new(Source::Replay { choices, spans: None, bound: u64::MAX }, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{any, sampled_from, vec};
    use alloc::vec::Vec;

    #[test]
    fn a_generator_without_values_is_known_beforehand() {
        assert!(is_empty(&(0..0_usize)) && is_empty(&sampled_from(Vec::<u8>::new())));
        assert!(
            !is_empty(&(0..1_usize)) && !is_empty(&sampled_from([1])) && !is_empty(&vec(any::<u8>(), 0..3))
        );
    }

    #[test]
    fn a_value_is_found_wherever_it_stands() {
        let imprint = |value: &char| u32::from(*value);
        let found = find(&sampled_from(['x', 'b', 'c']), imprint, 'c' as u32);
        assert_eq!(found, Some((2, 'c')));
        assert_eq!(find(&sampled_from(['x', 'b']), imprint, 'c' as u32), None);
    }
}
