//! Every function of the library beside its specification, for elements of every size.

use stairway::prelude::*;
use stairway_c::library::{Handle, Library, Pointer};
use std::cell::Cell;
use wordarray as spec;

thread_local! {
    /// Which build is tested here: the right one, unless a mistake is planted.
    static PLANTED: Cell<Option<&'static Library>> = const { Cell::new(None) };
}

/// Tests another build in this thread.
pub(crate) fn with_build<T>(library: &'static Library, test: impl FnOnce() -> T) -> T {
    PLANTED.set(Some(library));
    let tested = test();
    PLANTED.set(None);
    tested
}

/// A position or a count: near the beginning, or so large that sums wrap around.
pub(crate) fn index() -> impl Generate<Value = u32> {
    (0..24u32).mapped(|k| if k < 12 { k } else { u32::MAX - (k - 12) })
}

macro_rules! elements {
    ($module:ident, $t:ty, $array:ident, $functions:literal, $suffix:literal) => {
        pub(crate) mod $module {
            use super::*;

            stairway_c::library! {
                pub(crate) mod c {
                    files: "c/wordarray.c";
                    // What C's declarations do not say: which pointer is a result, and what the caller has to free.
                    bind $functions {
                        create -> owned free;
                        create_nz -> owned free;
                        slice -> owned free;
                        clone -> owned free;
                        get_bounded(out value);
                    }
                }
            }
            use c::{$array as Array, Calls};

            fn run<'r, T>(with: impl FnOnce(&Calls<'r>) -> Checked<T>) -> Checked<T> {
                c::run_with(PLANTED.get().unwrap_or(&c::LIBRARY), with)
            }

            /// The concrete array for an abstract one, as C lays it out.
            fn lend(c: &Calls<'_>, values: &[$t]) -> Checked<Pointer<Array>> {
                let array = Array { len: values.len() as u32, values: c.lend_slice(values)? };
                c.lend(&array)
            }

            /// The abstract array of a concrete one.
            fn seen(c: &Calls<'_>, array: Pointer<Array>) -> Checked<Vec<$t>> {
                let array = c.read(array)?;
                c.read_slice(array.values, array.len as usize)
            }

            /// The abstract array of one that C has made, which is freed; none if there was no memory.
            fn taken(c: &Calls<'_>, array: Option<Handle<'_, '_, Array>>) -> Checked<Option<Vec<$t>>> {
                array.map(|array| seen(c, array.pointer())).transpose()
            }

            /// Calls something on an array and looks at what becomes of it.
            fn changed<'r>(
                values: &[$t],
                call: impl FnOnce(&Calls<'r>, Pointer<Array>) -> Checked,
            ) -> Checked<Vec<$t>> {
                run(|c| {
                    let array = lend(c, values)?;
                    call(c, array)?;
                    seen(c, array)
                })
            }

            fn made(values: Vec<$t>) -> Outcomes<Option<Vec<$t>>> {
                Outcomes::named("made", Some(values)).or(Outcomes::named("no memory", None))
            }

            refinement! {
                create(#[from(0..9)] len: u32, #[from(0..4)] failing: u64) {
                    spec => made(vec![0; len as usize]),
                    real => run(|c| {
                        c.fail_allocation(failing);
                        let array = c.create(len)?;
                        taken(c, array)
                    })?,
                }

                create_nz(#[from(0..9)] len: u32, #[from(0..4)] failing: u64, v: $t) {
                    spec => made(vec![v; len as usize]),
                    real => run(|c| {
                        c.fail_allocation(failing);
                        let array = c.create_nz(len)?;
                        if let Some(array) = &array {
                            c.set(array, 0, len, v)?;
                        }
                        taken(c, array)
                    })?,
                }

                length(values: Vec<$t>) {
                    spec => values.len(),
                    real => run(|c| c.length(lend(c, &values)?))? as usize,
                }

                get(values: Vec<$t>, #[from(index())] at: u32) {
                    spec => spec::get(&values, at),
                    real => run(|c| c.get(lend(c, &values)?, at))?,
                }

                get_bounded(values: Vec<$t>, #[from(index())] at: u32) {
                    spec => spec::get_bounded(&values, at),
                    real => run(|c| {
                        let (is_there, value) = c.get_bounded(lend(c, &values)?, at)?;
                        Ok(value.filter(|_| is_there))
                    })?,
                }

                put(values: Vec<$t>, #[from(index())] at: u32, v: $t) {
                    spec => spec::put(&values, at, v),
                    real => run(|c| {
                        let array = lend(c, &values)?;
                        let is_put = c.put(array, at, v)?;
                        let after = seen(c, array)?;
                        // Nothing may have changed where nothing was put.
                        Ok((is_put || after != values).then_some(after))
                    })?,
                }

                /// fills, clipped to the array; no effect when `from` is past the end
                set(values: Vec<$t>, #[from(index())] from: u32, #[from(index())] n: u32, v: $t) {
                    spec => spec::set(&values, from, n, v),
                    real => changed(&values, |c, array| c.set(array, from, n, v))?,
                }

                copy(
                    to: Vec<$t>,
                    from: Vec<$t>,
                    #[from(index())] to_at: u32,
                    #[from(index())] from_at: u32,
                    #[from(index())] n: u32,
                ) {
                    spec => spec::copy(&to, &from, to_at, from_at, n),
                    real => changed(&to, |c, array| c.copy(array, lend(c, &from)?, to_at, from_at, n).map(drop))?,
                }

                /// of few different elements, so that one array is often the beginning of the other
                cmp(#[from(vec(0..2, 0..4))] one: Vec<$t>, #[from(vec(0..2, 0..4))] other: Vec<$t>) {
                    spec => spec::cmp(&one, &other),
                    real => run(|c| c.cmp(lend(c, &one)?, lend(c, &other)?))?,
                }

                modify(values: Vec<$t>, #[from(index())] at: u32, with: $t) {
                    spec => spec::modify(&values, at, |element| element.wrapping_add(with)),
                    real => changed(&values, |c, array| {
                        c.modify(array, at, c.function(concat!("wordarray_plus_", $suffix))?, with)
                    })?,
                }

                map(values: Vec<$t>, #[from(index())] from: u32, #[from(index())] to: u32, with: $t) {
                    spec => spec::map(&values, from, to, |element| element.wrapping_add(with)),
                    real => changed(&values, |c, array| {
                        c.map(array, from, to, c.function(concat!("wordarray_plus_", $suffix))?, with)
                    })?,
                }

                fold(values: Vec<$t>, #[from(index())] from: u32, #[from(index())] to: u32, start: u64) {
                    spec => spec::fold(&values, from, to, start, |so_far, element| {
                        so_far.wrapping_mul(31).wrapping_add(u64::from(element))
                    }),
                    real => run(|c| {
                        let step = c.function(concat!("wordarray_digest_", $suffix))?;
                        c.fold(lend(c, &values)?, from, to, start, step)
                    })?,
                }

                slice(values: Vec<$t>, #[from(index())] from: u32, #[from(index())] n: u32, #[from(0..4)] failing: u64) {
                    spec => made(spec::slice(&values, from, n)),
                    real => run(|c| {
                        let array = lend(c, &values)?;
                        c.fail_allocation(failing);
                        taken(c, c.slice(array, from, n)?)
                    })?,
                }

                clone_of(values: Vec<$t>, #[from(0..4)] failing: u64) {
                    spec => made(values.clone()),
                    real => run(|c| {
                        let array = lend(c, &values)?;
                        c.fail_allocation(failing);
                        taken(c, c.clone(array)?)
                    })?,
                }

                /// gives back the elements and the header, and accepts null
                free(values: Vec<$t>, is_null: bool) {
                    spec => (),
                    real => run(|c| {
                        if is_null {
                            return c.free(Pointer::NULL);
                        }
                        let array = Array { len: values.len() as u32, values: c.give_slice(&values)? };
                        c.free(c.give(&array)?)
                    })?,
                }
            }
        }
    };
}

elements!(of_u8, u8, wordarray_u8, "wordarray_*_u8", "u8");
elements!(of_u16, u16, wordarray_u16, "wordarray_*_u16", "u16");
elements!(of_u32, u32, wordarray_u32, "wordarray_*_u32", "u32");
elements!(of_u64, u64, wordarray_u64, "wordarray_*_u64", "u64");
