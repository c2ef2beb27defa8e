//! The other places where an implementation meets another: a mock below C, and C beside its Rust twin.

use super::elements::index;
use stairway::prelude::*;
use stairway_c::library::Pointer;
use std::collections::BTreeMap;

stairway_c::library! {
    mod journal {
        files: "c/journal.c";
        // `store_write` is defined nowhere: it is a mock.
        bind { save(data[n]); }
    }
}

/// What the store holds after `data` was saved, if the write of block `broken` gives an error, and what is answered.
fn saved(data: &[u8], broken: u32) -> (BTreeMap<u32, Vec<u8>>, u32) {
    let blocks = data.chunks(4).zip(0..).map(|(block, k)| (k, block.to_vec()));
    let written: BTreeMap<u32, Vec<u8>> = blocks.take_while(|(k, _)| *k != broken).collect();
    let n = written.len() as u32;
    (written, n)
}

refinement! {
    /// arrow 1: C above a store that is a mock
    save(data: Vec<u8>, #[from(0..6)] broken: u32) {
        spec => saved(&data, broken),
        real => {
            let mut store = BTreeMap::new();
            let n = journal::run(|c| {
                c.mocks().store_write(|c, block, data, n| {
                    if block == broken {
                        return Ok(-5);
                    }
                    store.insert(block, c.read_slice(data, n as usize)?);
                    Ok(0)
                });
                c.save(&data)
            })?;
            (store, n)
        },
    }
}

stairway_c::library! {
    mod words {
        files: "c/wordarray.c";
        // By hand, for once: what is declared is held against C before the first call.
        struct Array = "wordarray_u32" { len: u32, values: Pointer<u32> }
        fn set(array: &mut Array, from: u32, n: u32, value: u32) = "wordarray_set_u32";
    }
}

/// `set` as one would write it in Rust.
fn set_twin(values: &mut [u32], from: u32, n: u32, v: u32) {
    let end = (from as usize).saturating_add(n as usize).min(values.len());
    if let Some(part) = values.get_mut(from as usize..end) {
        part.fill(v);
    }
}

refinement! {
    /// arrow 4: C beside its Rust twin; in a process of its own, for once
    #[property(isolate)]
    set_does_what_its_twin_does(values: Vec<u32>, #[from(index())] from: u32, #[from(index())] n: u32, v: u32) {
        spec => {
            let mut values = values.clone();
            set_twin(&mut values, from, n, v);
            values
        },
        real => words::run(|c| {
            let mut array = words::Array { len: values.len() as u32, values: c.lend_slice(&values)? };
            c.set(&mut array, from, n, v)?;
            c.read_slice(array.values, array.len as usize)
        })?,
    }
}
