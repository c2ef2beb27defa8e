//! Where two values differ, by the text that `Debug` writes of them.
//!
//! [`places`] takes a text for a value with fields, elements and entries, and tells in which of them two values
//! differ, and [`lines`] has the words for them; [`Marks`] shows a line of each text with marks below what
//! differs. None knows the types behind a text, and any text will do: what does not look like a value is compared
//! line by line.

mod compare;
mod marks;
mod order;
mod texts;
mod value;
mod words;

pub(crate) use compare::{Differences, Place, Types, places};
pub(crate) use marks::{Marks, n_elements};
pub(crate) use words::{Sides, lines};
