//! A value as text in which addresses are still numbers: who shows it knows what they are called.
//!
//! What an address is called is known only where the variables of a sequence are, and is decided there by
//! the address itself, never by looking for one in a text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A value as it is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueText {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Piece {
    Text(String),
    Address(u64),
}

/// How long an address is taken to be where the length of a text is limited.
const ADDRESS_LENGTH: usize = 14;

impl ValueText {
    pub(super) fn push_str(&mut self, text: &str) {
        match self.pieces.last_mut() {
            Some(Piece::Text(before)) => before.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_string())),
        }
    }

    pub(super) fn push_address(&mut self, address: u64) {
        self.pieces.push(Piece::Address(address));
    }

    pub(super) fn extend(&mut self, other: ValueText) {
        for piece in other.pieces {
            match piece {
                Piece::Text(text) => self.push_str(&text),
                Piece::Address(address) => self.push_address(address),
            }
        }
    }

    /// About how long it is.
    pub(super) fn len(&self) -> usize {
        let length = |piece: &Piece| match piece {
            Piece::Text(text) => text.len(),
            Piece::Address(_) => ADDRESS_LENGTH,
        };
        self.pieces.iter().map(length).sum()
    }

    /// The addresses in it.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Address(address) => Some(*address),
            Piece::Text(_) => None,
        })
    }

    /// The address, if it is one and nothing else.
    #[must_use]
    pub fn as_address(&self) -> Option<u64> {
        match self.pieces.as_slice() {
            [Piece::Address(address)] => Some(*address),
            _ => None,
        }
    }

    /// The text, with names for addresses; those that have none are shown as numbers.
    #[must_use]
    pub fn named(&self, name: &dyn Fn(u64) -> Option<String>) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Address(address) => name(*address).unwrap_or_else(|| format!("{address:#x}")),
        };
        self.pieces.iter().map(text).collect()
    }
}

impl From<String> for ValueText {
    fn from(text: String) -> Self {
        ValueText { pieces: vec![Piece::Text(text)] }
    }
}

impl fmt::Write for ValueText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

impl fmt::Display for ValueText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named(&|_| None))
    }
}
