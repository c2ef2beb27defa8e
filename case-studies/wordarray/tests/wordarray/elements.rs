//! Every function of the library beside its specification, for elements of every size.

use stairway::prelude::*;
use stairway_c::library::{Library, Pointer};
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
    ($module:ident, $t:ty, $suffix:literal, $array:literal) => {
        pub(crate) mod $module {
            use super::*;

            stairway_c::library! {
                pub(crate) mod c {
                    files: "c/wordarray.c";

                    struct Array = $array { len: u32, values: Pointer<$t> }

                    fn create(len: u32) -> Pointer<Array> = concat!("wordarray_create_", $suffix);
                    fn create_nz(len: u32) -> Pointer<Array> = concat!("wordarray_create_nz_", $suffix);
                    fn destroy(array: Pointer<Array>) = concat!("wordarray_free_", $suffix);
                    fn length(array: Pointer<Array>) -> u32 = concat!("wordarray_length_", $suffix);
                    fn get(array: Pointer<Array>, index: u32) -> $t = concat!("wordarray_get_", $suffix);
                    fn get_bounded(array: Pointer<Array>, index: u32, value: &mut $t) -> bool
                        = concat!("wordarray_get_bounded_", $suffix);
                    fn put(array: Pointer<Array>, index: u32, value: $t) -> bool = concat!("wordarray_put_", $suffix);
                    fn set(array: Pointer<Array>, from: u32, n: u32, value: $t) = concat!("wordarray_set_", $suffix);
                    fn copy(to: Pointer<Array>, from: Pointer<Array>, to_at: u32, from_at: u32, n: u32) -> u32
                        = concat!("wordarray_copy_", $suffix);
                    fn cmp(one: Pointer<Array>, other: Pointer<Array>) -> bool = concat!("wordarray_cmp_", $suffix);
                    fn modify(array: Pointer<Array>, index: u32, change: Pointer<()>, with: $t)
                        = concat!("wordarray_modify_", $suffix);
                    fn map(array: Pointer<Array>, from: u32, to: u32, change: Pointer<()>, with: $t)
                        = concat!("wordarray_map_", $suffix);
                    fn fold(array: Pointer<Array>, from: u32, to: u32, start: u64, step: Pointer<()>) -> u64
                        = concat!("wordarray_fold_", $suffix);
                    fn slice(array: Pointer<Array>, from: u32, n: u32) -> Pointer<Array>
                        = concat!("wordarray_slice_", $suffix);
                    fn clone_of(array: Pointer<Array>) -> Pointer<Array> = concat!("wordarray_clone_", $suffix);
                }
            }
            use c::{Array, Calls};

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
            fn taken(c: &Calls<'_>, array: Pointer<Array>) -> Checked<Option<Vec<$t>>> {
                if array.is_null() {
                    return Ok(None);
                }
                let values = seen(c, array)?;
                c.destroy(array)?;
                Ok(Some(values))
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
                Outcomes::one("made", Some(values)).or(Outcomes::one("no memory", None))
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
                        if !array.is_null() {
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
                        let mut value = 0;
                        let is_there = c.get_bounded(lend(c, &values)?, at, &mut value)?;
                        Ok(is_there.then_some(value))
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
                        taken(c, c.clone_of(array)?)
                    })?,
                }

                /// gives back the elements and the header, and accepts null
                free(values: Vec<$t>, is_null: bool) {
                    spec => (),
                    real => run(|c| {
                        if is_null {
                            return c.destroy(Pointer::NULL);
                        }
                        let array = Array { len: values.len() as u32, values: c.give_slice(&values)? };
                        c.destroy(c.give(&array)?)
                    })?,
                }
            }
        }
    };
}

elements!(of_u8, u8, "u8", "wordarray_u8");
elements!(of_u16, u16, "u16", "wordarray_u16");
elements!(of_u32, u32, "u32", "wordarray_u32");
elements!(of_u64, u64, "u64", "wordarray_u64");
