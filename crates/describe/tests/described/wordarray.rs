//! Written by `stairway refine wordarray.json`: change that file and run it again.

#![allow(unused_imports, reason = "not every description needs all of them")]

use super::*;
use stairway::prelude::*;

refinement! {
    /// Fills, clipped to the array.
    wordarray_set_u8(arr: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
        abstract seen => {
            let arr = &arr;
            let from = &from;
            let n = &n;
            let v = &v;
            (arr.clone(), u64::from(*from), u64::from(*n), *v)
        },
        spec => {
            let (arr, from, n, v) = seen;
            spec::set(&arr, from, n, v)
        },
        real => real::set(arr, from, n, v),
        relate => |spec, real| spec == real,
    }

    #[property(cases = 50, isolate)]
    wordarray_create(n: u8) {
        abstract seen => Clone::clone(&n),
        spec => {
            let allowed: Outcomes<_> = spec::create(seen);
            allowed
        },
        real => real::create(n),
        relate => |spec, real| {
            let length = real.as_ref().map(|array| array.len());
            *spec == length
        },
        teardown => |real| drop(real),
    }
}
