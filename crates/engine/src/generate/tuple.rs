//! Tuples: of generators, one value from each; of types, one of each type.
//!
//! The parts are drawn in order, each as a unit of its own. It does not know what they are.

use super::{Arbitrary, Generate, any};
use crate::draw::Draw;
use crate::stop::Checked;

/// Draws nothing.
impl Generate for () {
    type Value = ();
    fn generate(&self, _: &mut Draw<'_>) -> Checked {
        Ok(())
    }
}

macro_rules! tuples {
    ($($name:ident)*) => {
        impl<$($name: Generate),*> Generate for ($($name,)*) {
            type Value = ($($name::Value,)*);
            #[inline]
            fn generate(&self, choices: &mut Draw<'_>) -> Checked<Self::Value> {
                #[allow(non_snake_case, reason = "the parts are named after their types")]
                let ($($name,)*) = self;
                Ok(($(choices.draw($name)?,)*))
            }
        }

        impl<$($name: Arbitrary),*> Arbitrary for ($($name,)*) {
            #[inline]
            fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
                Ok(($(choices.draw(any::<$name>())?,)*))
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);
tuples!(A B C D E F G H I);
tuples!(A B C D E F G H I J);
tuples!(A B C D E F G H I J K);
tuples!(A B C D E F G H I J K L);

#[cfg(test)]
mod tests {
    use super::super::testing::{all, assert_replays, simplest};

    #[test]
    fn parts_are_drawn_in_order() {
        assert_eq!(simplest(&(3..9, 'x'..='z', ())), (3, 'x', ()));
        assert_eq!(all(&(0..2, 5..7u8)), [(0, 5), (0, 6), (1, 5), (1, 6)]);
        assert_replays(&(0..9, (0.0..1.0, 'a'..), -1i128..));
    }
}
