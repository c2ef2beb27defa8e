//! What a front end keeps with a step or a failure for its report: a value of the front end's own type.
//!
//! The engine carries it from there to the report, and to another process as bytes, and never looks
//! inside. So the text of a test that a person can paste is no concern of the engine.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::any::Any;
use core::fmt;

/// A value that can be attached to a step or a failure.
pub trait Attach: Any + fmt::Debug + Send + Sync {
    /// A copy of it.
    fn boxed_clone(&self) -> Box<dyn Attach>;

    /// Whether `other` is the same value.
    fn is_equal(&self, other: &dyn Attach) -> bool;

    /// The value as it crosses to another process; see [`Attachment::restore`].
    fn to_bytes(&self) -> Vec<u8>;
}

/// A place for such a value.
#[derive(Default)]
pub struct Attachment(Option<Content>);

enum Content {
    Value(Box<dyn Attach>),
    /// It has come from another process, and nobody has restored it yet.
    #[cfg(feature = "serde")]
    Bytes(Vec<u8>),
}

impl Attachment {
    /// Holds nothing.
    pub const NONE: Attachment = Attachment(None);

    /// Holds `value`.
    #[must_use]
    pub fn new(value: impl Attach) -> Self {
        Attachment(Some(Content::Value(Box::new(value))))
    }

    /// Holds what [`Attach::to_bytes`] gave in another process, until it is restored.
    #[cfg(feature = "serde")]
    #[must_use]
    pub const fn from_bytes(bytes: Vec<u8>) -> Self {
        Attachment(Some(Content::Bytes(bytes)))
    }

    /// The value, if it is a `T`.
    #[must_use]
    pub fn get<T: Attach>(&self) -> Option<&T> {
        match &self.0 {
            Some(Content::Value(value)) => {
                let value: &dyn Any = &**value;
                value.downcast_ref()
            }
            _ => None,
        }
    }

    /// The value, if it is a `T`, to be changed.
    pub fn get_mut<T: Attach>(&mut self) -> Option<&mut T> {
        match &mut self.0 {
            Some(Content::Value(value)) => {
                let value: &mut dyn Any = &mut **value;
                value.downcast_mut()
            }
            _ => None,
        }
    }

    /// The value, or a new one in place of whatever else is here.
    pub fn get_or_default<T: Attach + Default>(&mut self) -> &mut T {
        if self.get::<T>().is_none() {
            *self = Attachment::new(T::default());
        }
        self.get_mut().expect("a value of this type was put here")
    }

    /// Makes a value of the bytes that came from another process; says whether that was possible.
    #[cfg(feature = "serde")]
    pub fn restore<T: Attach>(&mut self, read: impl FnOnce(&[u8]) -> Option<T>) -> bool {
        if let Some(Content::Bytes(bytes)) = &self.0 {
            let Some(value) = read(bytes) else { return false };
            *self = Attachment::new(value);
        }
        true
    }
}

impl Clone for Attachment {
    fn clone(&self) -> Self {
        Attachment(self.0.as_ref().map(|content| match content {
            Content::Value(value) => Content::Value(value.boxed_clone()),
            #[cfg(feature = "serde")]
            Content::Bytes(bytes) => Content::Bytes(bytes.clone()),
        }))
    }
}

impl PartialEq for Attachment {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(Content::Value(one)), Some(Content::Value(other))) => one.is_equal(&**other),
            #[cfg(feature = "serde")]
            (Some(Content::Bytes(one)), Some(Content::Bytes(other))) => one == other,
            _ => false,
        }
    }
}

impl Eq for Attachment {}

impl fmt::Debug for Attachment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("None"),
            Some(Content::Value(value)) => value.fmt(f),
            #[cfg(feature = "serde")]
            Some(Content::Bytes(bytes)) => bytes.fmt(f),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Attachment {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = match &self.0 {
            None => None,
            Some(Content::Value(value)) => Some(value.to_bytes()),
            Some(Content::Bytes(bytes)) => Some(bytes.clone()),
        };
        bytes.serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Attachment {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Option::<Vec<u8>>::deserialize(deserializer)?;
        Ok(bytes.map_or_else(Attachment::default, Attachment::from_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    impl Attach for u8 {
        fn boxed_clone(&self) -> Box<dyn Attach> {
            Box::new(*self)
        }

        fn is_equal(&self, other: &dyn Attach) -> bool {
            let other: &dyn Any = other;
            other.downcast_ref() == Some(self)
        }

        fn to_bytes(&self) -> Vec<u8> {
            vec![*self]
        }
    }

    #[test]
    fn a_value_is_kept_changed_and_compared() {
        let mut attachment = Attachment::default();
        assert_eq!(attachment.get::<u8>(), None);
        *attachment.get_or_default::<u8>() += 3;
        *attachment.get_or_default::<u8>() += 4;
        assert_eq!(attachment.get::<u8>(), Some(&7));
        assert_eq!(attachment.clone(), attachment);
        assert_ne!(attachment, Attachment::new(8u8));
        assert_ne!(attachment, Attachment::default());
    }

    #[cfg(feature = "serde")]
    #[test]
    fn bytes_become_a_value_only_if_they_can_be_read() {
        let mut arrived = Attachment::from_bytes(vec![5]);
        assert!(!arrived.restore::<u8>(|_| None));
        assert!(arrived.restore(|bytes| bytes.first().copied()));
        assert_eq!(arrived, Attachment::new(5u8));
        assert!(Attachment::default().restore::<u8>(|_| None), "there is nothing to read");
    }
}
