//! Written by `stairway refine counter.toml`: change that file and run it again.

#![allow(unused_imports, reason = "not every description needs all of them")]

use super::*;
use stairway::prelude::*;
use std::collections::BTreeMap;

refinement! {
    counts(#[from(vec(0..4u8, 0..6))] words: Vec<u8>) {
        abstract seen => <[u8]>::to_vec(&words),
        spec => {
            let words = seen;
            let mut counts = BTreeMap::new();
            for word in words {
                *counts.entry(word).or_insert(0) += 1;
            }
            counts
        },
        real => real::counts(words),
        relate => |spec, real| spec.iter().eq(real.iter().map(|(word, n)| (word, n))),
    }
}
