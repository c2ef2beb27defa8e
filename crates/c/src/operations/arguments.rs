//! Counts what arguments were drawn, for `--distribution`.

use super::make::Origin;
use super::targets::Target;
use super::text;
use crate::ctypes::{CType, CTypes};
use crate::facts::{DrawnArgument, HuntFact, Length, Magnitude};

/// What an argument was.
pub(super) fn fact(types: &CTypes, target: &Target, k: usize, origin: Origin, bytes: &[u8]) -> HuntFact {
    let number = |is_signed| DrawnArgument::Number(Magnitude::of(text::number(bytes, is_signed)));
    let drawn = match (origin, types.get(target.parameters[k])) {
        (Origin::Null, _) => DrawnArgument::Null,
        (Origin::Earlier, _) => DrawnArgument::Earlier,
        (Origin::Function, _) => DrawnArgument::Function,
        (Origin::Made(n), _) => DrawnArgument::New(Length::of(n)),
        (Origin::Value, CType::Integer { is_signed, .. }) => number(*is_signed),
        (Origin::Value, CType::Char | CType::Bool | CType::Enum(_)) => number(false),
        (Origin::Value, _) => DrawnArgument::Value,
    };
    HuntFact::Argument { function: target.name.to_string(), parameter: k as u32, drawn }
}
