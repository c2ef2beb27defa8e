//! Static text on its way between two processes.
//!
//! Labels, names of alternatives and file names are part of the program: there are few of them, and every case
//! mentions them again. So a text crosses once, with a number, and afterwards as that number, and so does a list
//! of them. Both ends of a connection keep a [`TextTable`] and put it in place while they write or read; a reader that has none, or
//! meets a number it was never told, refuses the message.

use crate::StaticText;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::string::{String, ToString};
use std::sync::{Mutex, PoisonError};
use std::vec::Vec;

/// How many texts a connection may have. The other side may be dying, and send anything.
const MAX_TEXTS: usize = 1 << 16;

/// The texts that have crossed a connection in one direction.
#[derive(Debug, Default)]
pub struct TextTable {
    sent: BTreeMap<&'static str, u32>,
    received: Vec<&'static str>,
    /// Lists by where they are: they are never changed, so what is in the same place is the same.
    sent_lists: BTreeMap<(usize, usize), u32>,
    received_lists: Vec<&'static [&'static str]>,
}

std::thread_local! {
    static TABLE: RefCell<TextTable> = RefCell::default();
}

impl TextTable {
    /// Runs `work`, which writes or reads messages of the connection that this table belongs to.
    pub fn within<R>(&mut self, work: impl FnOnce() -> R) -> R {
        TABLE.with_borrow_mut(|table| core::mem::swap(table, self));
        let done = work();
        TABLE.with_borrow_mut(|table| core::mem::swap(table, self));
        done
    }
}

/// A text as it crosses: its number, and the text itself if it is the first time.
type Crossing<'t> = (u32, Option<Cow<'t, str>>);

/// A text that lives as long as the program.
pub(crate) fn interned(text: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(text) = known.get(text) {
        return text;
    }
    let text: &'static str = String::leak(text.to_string());
    known.insert(text);
    text
}

/// For `#[serde(with = "..")]` of a field that is a static text.
///
/// # Errors
///
/// Those of the serializer.
pub fn serialize<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let crossing: Crossing<'_> = TABLE.with_borrow_mut(|table| match table.sent.get(text) {
        Some(number) => (*number, None),
        None => {
            let number = u32::try_from(table.sent.len()).unwrap_or(u32::MAX);
            table.sent.insert(interned(text), number);
            (number, Some(Cow::Borrowed(text)))
        }
    });
    crossing.serialize(serializer)
}

/// The other direction.
///
/// # Errors
///
/// Those of the deserializer, and numbers that are not known.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static str, D::Error> {
    let (number, text) = Crossing::deserialize(deserializer)?;
    let number = number as usize;
    TABLE.with_borrow_mut(|table| match text {
        Some(text) if number == table.received.len() && number < MAX_TEXTS => {
            table.received.push(interned(&text));
            Ok(table.received[number])
        }
        Some(_) => Err(D::Error::custom("a text with a number out of order")),
        None => table.received.get(number).copied().ok_or_else(|| D::Error::custom("an unknown text")),
    })
}

/// A static text as a value of its own, for lists of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Text(#[serde(with = "crate::text")] StaticText);

/// For a field that is a static list of static texts.
pub mod list {
    use super::{
        BTreeSet, Deserialize, Deserializer, MAX_TEXTS, Mutex, PoisonError, Serialize, Serializer, TABLE,
        Text, Vec,
    };
    use serde::de::Error as _;

    /// A list as it crosses: its number, and the list itself if it is the first time.
    type Crossing = (u32, Option<Vec<Text>>);

    /// Writes it.
    ///
    /// # Errors
    ///
    /// Those of the serializer.
    pub fn serialize<S: Serializer>(
        texts: &&'static [&'static str],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let place = (texts.as_ptr().addr(), texts.len());
        let crossing: Crossing = TABLE.with_borrow_mut(|table| {
            let next = u32::try_from(table.sent_lists.len()).unwrap_or(u32::MAX);
            let number = *table.sent_lists.entry(place).or_insert(next);
            let is_first = number == next;
            (number, is_first.then(|| texts.iter().map(|text| Text(text)).collect()))
        });
        crossing.serialize(serializer)
    }

    /// Reads it.
    ///
    /// # Errors
    ///
    /// Those of the deserializer, and numbers that are not known.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<&'static [&'static str], D::Error> {
        let (number, texts) = Crossing::deserialize(deserializer)?;
        let number = number as usize;
        TABLE.with_borrow_mut(|table| match texts {
            Some(texts) if number == table.received_lists.len() && number < MAX_TEXTS => {
                table.received_lists.push(interned(texts.into_iter().map(|text| text.0).collect()));
                Ok(table.received_lists[number])
            }
            Some(_) => Err(D::Error::custom("a list of texts with a number out of order")),
            None => {
                let known = table.received_lists.get(number).copied();
                known.ok_or_else(|| D::Error::custom("an unknown list of texts"))
            }
        })
    }

    /// A list that lives as long as the program.
    fn interned(texts: Vec<&'static str>) -> &'static [&'static str] {
        static KNOWN: Mutex<BTreeSet<&'static [&'static str]>> = Mutex::new(BTreeSet::new());
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(texts) = known.get(&texts[..]) {
            return texts;
        }
        let texts: &'static [&'static str] = Vec::leak(texts);
        known.insert(texts);
        texts
    }
}
