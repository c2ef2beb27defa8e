//! How fields cross to another process that are not simply what they look like: names beside values, and counts
//! most of which are 0.

/// Arguments: static names beside their values.
pub(crate) mod named {
    use alloc::string::String;
    use alloc::vec::Vec;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use stairway_choice::StaticText;

    #[derive(Serialize, Deserialize)]
    struct Named<T>(#[serde(with = "stairway_choice::text")] StaticText, T);

    /// Writes them.
    pub(crate) fn serialize<S: Serializer>(
        arguments: &[(&'static str, String)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        arguments.iter().map(|(name, value)| Named(name, value)).collect::<Vec<_>>().serialize(serializer)
    }

    /// Reads them.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(&'static str, String)>, D::Error> {
        let arguments = Vec::<Named<String>>::deserialize(deserializer)?;
        Ok(arguments.into_iter().map(|Named(name, value)| (name, value)).collect())
    }
}

/// Counts: how many there are, and those that are not 0 with their places.
pub(crate) mod sparse {
    use crate::program::{MANY_OPERATIONS, MAX_OPERATIONS};
    use alloc::vec;
    use alloc::vec::Vec;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    const _: () = assert!(MANY_OPERATIONS <= MAX_OPERATIONS * MAX_OPERATIONS);

    /// Writes them.
    pub(crate) fn serialize<S: Serializer>(counts: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        let others = counts.iter().enumerate().filter(|(_, n)| **n > 0);
        (counts.len(), others.collect::<Vec<_>>()).serialize(serializer)
    }

    /// Reads them; more than a program can have are refused.
    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
        let (n, others) = <(usize, Vec<(usize, u64)>)>::deserialize(deserializer)?;
        if n > MAX_OPERATIONS * MAX_OPERATIONS {
            return Err(D::Error::custom("more counts than a program can have"));
        }
        let mut counts = vec![0; n];
        for (place, count) in others {
            *counts.get_mut(place).ok_or_else(|| D::Error::custom("a count of nothing"))? = count;
        }
        Ok(counts)
    }
}
