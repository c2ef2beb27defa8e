//! Draws, and the generators that are ready-made.
//!
//! They draw from the stream of choices of the test at hand. Which values are likely, and which are simple,
//! is the stream's business.
#![allow(clippy::missing_safety_doc, reason = "the header says what the pointers must be")]

use crate::abi::{Array, CRASH, Generator, Make, OK, REFUSE, RealRange, Test, Verdict};
use crate::live::Live;
use crate::print;
use crate::result_codes;
use crate::spec::{MAX_DEPTH, pointee};
use crate::test_access::{TestAccess, live};
use core::ffi::{c_char, c_int, c_long, c_longlong, c_schar, c_short, c_uchar, c_uint, c_ulong};
use core::ffi::{c_ulonglong, c_ushort, c_void};
use core::ptr;
use stairway_engine::{Choices, Label};

/// Hands the stream of choices to `draw`, where there is one.
fn from_choices<T: NumberDraw>(
    t: *mut Test,
    otherwise: T,
    draw: impl FnOnce(&mut Choices<'static>) -> T,
) -> T {
    let Some(live) = live(t) else { return otherwise };
    let choices = live.choices.get();
    if choices.is_null() {
        live.is_wrong(result_codes::GENERATOR, "something is drawn outside of generators and bodies");
        return otherwise;
    }
    // SAFETY: it points to the stream of the step at hand, which is not touched above us until C returns.
    let drawn = draw(unsafe { &mut *choices });
    drawn.note(&live);
    drawn
}

/// What can be drawn, as a number: a sequence that is written as a test draws the same numbers again.
trait NumberDraw: Copy {
    /// Its bits.
    fn bits(self) -> u64;

    /// Notes it where the test is shown as data.
    fn note(self, live: &Live) {
        if let Some(frame) = live.frame("drew") {
            frame.number(self.bits()).end();
        }
    }
}

/// Opening and closing a span draws nothing.
impl NumberDraw for () {
    fn bits(self) -> u64 {
        0
    }

    fn note(self, _live: &Live) {}
}

impl NumberDraw for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

macro_rules! drawn_as_numbers {
    ($($name:ty)*) => {
        $(impl NumberDraw for $name {
            fn bits(self) -> u64 {
                self as u64
            }
        })*
    };
}
drawn_as_numbers! { u64 i64 usize bool char }

fn is_wrong<T>(t: *mut Test, what: &'static str, otherwise: T) -> T {
    if let Some(live) = live(t) {
        live.is_wrong(result_codes::GENERATOR, what);
    }
    otherwise
}

const WRONG_WAY_ROUND: &str = "a range has its bounds the wrong way round";

/// `sw_draw_int`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_int(t: *mut Test, min: i64, max: i64) -> i64 {
    if min > max {
        return is_wrong(t, WRONG_WAY_ROUND, min);
    }
    from_choices(t, min, |choices| choices.signed(min, max, 0))
}

/// `sw_draw_unsigned`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_unsigned(t: *mut Test, min: u64, max: u64) -> u64 {
    if min > max {
        return is_wrong(t, WRONG_WAY_ROUND, min);
    }
    from_choices(t, min, |choices| choices.unsigned(min, max, 0))
}

/// `sw_draw_real`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_real(t: *mut Test, low: f64, high: f64) -> f64 {
    if low.is_nan() || high.is_nan() || low > high {
        return is_wrong(t, WRONG_WAY_ROUND, low);
    }
    from_choices(t, low, |choices| choices.float(low, high, false))
}

/// `sw_draw_bool`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_bool(t: *mut Test) -> bool {
    from_choices(t, false, |choices| choices.chance(1, 2))
}

/// `sw_draw_chance`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_chance(t: *mut Test, numerator: u32, denominator: u32) -> bool {
    if denominator == 0 {
        return is_wrong(t, "a chance is out of 0", false);
    }
    from_choices(t, false, |choices| choices.chance(numerator, denominator))
}

/// `sw_draw_index`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_index(t: *mut Test, n: usize) -> usize {
    if n == 0 {
        return is_wrong(t, "there is nothing to choose from; give SW_REFUSE where there is no value", 0);
    }
    from_choices(t, 0, |choices| choices.alternative(n as u64) as usize)
}

/// How many weights can be drawn by.
const MAX_WEIGHTS: usize = 64;

/// `sw_draw_weighted`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw_weighted(t: *mut Test, weights: *const u32, n: usize) -> usize {
    if weights.is_null() || n == 0 || n > MAX_WEIGHTS {
        return is_wrong(t, "weights are missing, or more than 64", 0);
    }
    // SAFETY: the header asks for so many.
    let weights = unsafe { core::slice::from_raw_parts(weights, n) };
    if weights.iter().all(|weight| *weight == 0) {
        return is_wrong(t, "all weights are 0", 0);
    }
    from_choices(t, 0, |choices| choices.weighted(weights, &[]))
}

/// `sw_draw`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_draw(t: *mut Test, generator: *const Generator, value: *mut c_void) -> Verdict {
    let (Some(live), Some(generator)) = (live(t), pointee(generator)) else {
        return is_wrong(t, "`sw_draw` is given NULL", OK);
    };
    let Some(make) = generator.make else { return is_wrong(t, "a generator has no `make`", OK) };
    if value.is_null() {
        return is_wrong(t, "`sw_draw` is given NULL", OK);
    }
    if live.depth.get() >= MAX_DEPTH {
        live.is_wrong(result_codes::DEPTH, "generators are nested deeper than 32; give the recursion an end");
        return OK;
    }
    // A value of one choice needs no span: there is nothing in it to keep together.
    let is_single = generator.n_choices == 1;
    live.depth.set(live.depth.get() + 1);
    if !is_single {
        from_choices(t, (), |choices| choices.open(Label::Value(VALUE)));
    }
    // SAFETY: the header asks for a function that takes this, and for room for one value.
    let make = || unsafe { make(t, ptr::from_ref(generator), value) };
    let verdict = live.inside.outside(make);
    if !is_single {
        from_choices(t, (), Choices::close);
    }
    live.depth.set(live.depth.get() - 1);
    if verdict != OK && verdict != REFUSE {
        live.is_wrong(result_codes::VERDICT, "a generator gave neither SW_OK nor SW_REFUSE");
    }
    verdict
}

/// Label of the span of one value.
const VALUE: &str = "value";

/// Whether a generator makes arrays.
pub(crate) fn is_array(make: Make) -> bool {
    make as usize == sw_make_array as *const () as usize
}

/// Whether a generator makes strings.
pub(crate) fn is_string(make: Make) -> bool {
    make as usize == sw_make_string as *const () as usize
}

/// Whether a ready-made generator draws by a width that differs between targets.
pub(crate) fn is_native_width(generator: &Generator) -> bool {
    let native = [&sw_any_long, &sw_any_unsigned_long, &sw_any_size];
    native.into_iter().any(|known| ptr::eq(known, generator))
}

/// Stores the lowest `size` bytes of a number.
fn store(t: *mut Test, value: *mut c_void, size: usize, number: u64) -> Verdict {
    if !matches!(size, 1 | 2 | 4 | 8) {
        return is_wrong(t, "a number has a size other than 1, 2, 4 and 8 bytes", OK);
    }
    let bytes = number.to_le_bytes();
    // SAFETY: the value has `size` bytes, which are at most 8.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), value.cast::<u8>(), size) };
    OK
}

/// The largest unsigned number of `size` bytes.
const fn largest(size: usize) -> u64 {
    if size >= 8 { u64::MAX } else { (1 << (8 * size)) - 1 }
}

const TOO_WIDE: &str = "the bounds of a number do not fit into its type";

/// What every `make` begins with: both pointers.
fn given<'a>(
    t: *mut Test,
    generator: *const Generator,
    value: *mut c_void,
) -> Option<(TestAccess<'a>, &'a Generator)> {
    let generator = pointee(generator)?;
    if value.is_null() {
        return None;
    }
    Some((live(t)?, generator))
}

/// `sw_make_signed`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_make_signed(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let half = (largest(generator.size) >> 1) as i64;
    if generator.min < -half - 1 || generator.max > half {
        // An unsigned char, say, may be given as a signed range.
        if generator.min < 0 || generator.max as u64 > largest(generator.size) {
            return is_wrong(t, TOO_WIDE, OK);
        }
    }
    // SAFETY: the pointers are as the header asks for.
    let number = unsafe { sw_draw_int(t, generator.min, generator.max) };
    store(t, value, generator.size, number as u64)
}

/// `sw_make_unsigned`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_make_unsigned(
    t: *mut Test,
    this: *const Generator,
    value: *mut c_void,
) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let (min, max) = (generator.min as u64, generator.max as u64);
    if max > largest(generator.size) {
        return is_wrong(t, TOO_WIDE, OK);
    }
    // SAFETY: the pointers are as the header asks for.
    let number = unsafe { sw_draw_unsigned(t, min, max) };
    store(t, value, generator.size, number)
}

/// `sw_make_uniform`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_make_uniform(
    t: *mut Test,
    this: *const Generator,
    value: *mut c_void,
) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let (min, max) = (generator.min, generator.max);
    if min > max {
        return is_wrong(t, WRONG_WAY_ROUND, OK);
    }
    let n = (max as u64).wrapping_sub(min as u64).saturating_add(1);
    let number = from_choices(t, 0, |choices| choices.alternative(n));
    store(t, value, generator.size, (min as u64).wrapping_add(number))
}

/// `sw_make_bool`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_make_bool(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    // SAFETY: the pointer is as the header asks for.
    let truth = unsafe { sw_draw_bool(t) };
    store(t, value, generator.size, truth.into())
}

/// `sw_make_real`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_make_real(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let is_single = generator.size == 4;
    let most = if is_single { f64::from(f32::MAX) } else { f64::MAX };
    let any = RealRange { low: -most, high: most, special: true };
    let range = pointee(generator.more.cast::<RealRange>()).unwrap_or(&any);
    if range.low.is_nan() || range.high.is_nan() || range.low > range.high {
        return is_wrong(t, WRONG_WAY_ROUND, OK);
    }
    let (low, high) = (range.low.max(-most), range.high.min(most));
    let number = from_choices(t, low, |choices| choices.float(low, high, range.special));
    let bits = if is_single { u64::from((number as f32).to_bits()) } else { number.to_bits() };
    store(t, value, generator.size, bits)
}

/// Draws a length and takes memory for so many elements of `size` bytes, and `n_more` bytes.
fn elements(t: *mut Test, generator: &Generator, size: usize, n_more: usize) -> Option<(*mut c_void, usize)> {
    let (min, max) = (generator.min, generator.max);
    if min < 0 || max < min {
        return is_wrong(t, "an array's lengths are below 0 or the wrong way round", None);
    }
    let n = from_choices(t, min as u64, |choices| choices.length(min as u64, max as u64)) as usize;
    let n_bytes = n.checked_mul(size).and_then(|n_bytes| n_bytes.checked_add(n_more));
    // SAFETY: the pointer is as the header asks for.
    let items = unsafe { crate::calls::sw_allocate(t, n_bytes.unwrap_or(usize::MAX)) };
    (!items.is_null()).then_some((items, n))
}

/// `sw_make_array`
#[unsafe(no_mangle)]
#[inline(never)] // it is known by its address, of which an inlined function may have several
pub unsafe extern "C" fn sw_make_array(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let Some(element) = pointee(generator.more.cast::<Generator>()) else {
        return is_wrong(t, "an array generator has no element generator", OK);
    };
    let Some((items, length)) = elements(t, generator, element.size, 0) else { return OK };
    for k in 0..length {
        // SAFETY: the memory has room for `length` elements.
        let verdict = unsafe { sw_draw(t, element, items.wrapping_byte_add(k * element.size)) };
        if verdict != OK {
            return verdict;
        }
    }
    // SAFETY: the value of an array generator is an array.
    unsafe { value.cast::<Array>().write_unaligned(Array { items, length }) };
    OK
}

/// `sw_make_string`
#[unsafe(no_mangle)]
#[inline(never)] // it is known by its address, of which an inlined function may have several
pub unsafe extern "C" fn sw_make_string(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let character = pointee(generator.more.cast::<Generator>()).unwrap_or(&PRINTABLE);
    if character.size != 1 {
        return is_wrong(t, "the characters of a string are not 1 byte large", OK);
    }
    let Some((items, length)) = elements(t, generator, 1, 1) else { return OK };
    for k in 0..length {
        // SAFETY: the memory has room for `length` characters and a 0, which is there already.
        let verdict = unsafe { sw_draw(t, character, items.wrapping_byte_add(k)) };
        if verdict != OK {
            return verdict;
        }
    }
    // SAFETY: the value of a string generator is a pointer.
    unsafe { value.cast::<*mut c_void>().write_unaligned(items) };
    OK
}

/// A printable character, of which the space is the simplest.
unsafe extern "C" fn make_printable(t: *mut Test, this: *const Generator, value: *mut c_void) -> Verdict {
    let Some((_, generator)) = given(t, this, value) else { return OK };
    let character = from_choices(t, 'a', |choices| choices.character(0x20, 0x7E));
    store(t, value, generator.size, u64::from(u32::from(character)))
}

const PRINTABLE: Generator = Generator {
    size: 1,
    make: Some(make_printable),
    print: Some(print::sw_print_char),
    min: 0,
    max: 0,
    more: ptr::null(),
    n_choices: 1,
};

const fn signed(size: usize) -> Generator {
    let half = (largest(size) >> 1) as i64;
    let (make, print) = (Some(sw_make_signed as Make), Some(print::sw_print_signed as crate::abi::Print));
    Generator { size, make, print, min: -half - 1, max: half, more: ptr::null(), n_choices: 1 }
}

const fn unsigned(size: usize) -> Generator {
    let (make, print) = (Some(sw_make_unsigned as Make), Some(print::sw_print_unsigned as crate::abi::Print));
    Generator { size, make, print, min: 0, max: largest(size) as i64, more: ptr::null(), n_choices: 1 }
}

const fn real(size: usize) -> Generator {
    let (make, print) = (Some(sw_make_real as Make), Some(print::sw_print_real as crate::abi::Print));
    Generator { size, make, print, min: 0, max: 0, more: ptr::null(), n_choices: 1 }
}

/// Declares generators of basic types under the header's names.
macro_rules! ready_made {
    ($($name:ident = $generator:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`")]
            #[unsafe(no_mangle)]
            #[allow(non_upper_case_globals, reason = "the header's name")]
            pub static $name: Generator = $generator;
        )*
    };
}

ready_made! {
    sw_any_bool = Generator {
        make: Some(sw_make_bool), print: Some(print::sw_print_bool), min: 0, max: 1, ..unsigned(1)
    };
    sw_any_char = Generator { print: Some(print::sw_print_char), ..char_type() };
    sw_any_signed_char = signed(size_of::<c_schar>());
    sw_any_unsigned_char = unsigned(size_of::<c_uchar>());
    sw_any_short = signed(size_of::<c_short>());
    sw_any_unsigned_short = unsigned(size_of::<c_ushort>());
    sw_any_int = signed(size_of::<c_int>());
    sw_any_unsigned = unsigned(size_of::<c_uint>());
    sw_any_long = signed(size_of::<c_long>());
    sw_any_unsigned_long = unsigned(size_of::<c_ulong>());
    sw_any_long_long = signed(size_of::<c_longlong>());
    sw_any_unsigned_long_long = unsigned(size_of::<c_ulonglong>());
    sw_any_int8 = signed(1);
    sw_any_int16 = signed(2);
    sw_any_int32 = signed(4);
    sw_any_int64 = signed(8);
    sw_any_uint8 = unsigned(1);
    sw_any_uint16 = unsigned(2);
    sw_any_uint32 = unsigned(4);
    sw_any_uint64 = unsigned(8);
    sw_any_size = unsigned(size_of::<usize>());
    sw_any_float = real(4);
    sw_any_double = real(8);
    sw_any_string = Generator {
        size: size_of::<*const c_char>(), make: Some(sw_make_string), print: Some(print::sw_print_string),
        min: 0, max: 16, more: ptr::null(), n_choices: 0,
    };
}

/// `char` has a sign on some machines.
const fn char_type() -> Generator {
    if c_char::MIN == 0 { unsigned(1) } else { signed(1) }
}

/// The largest verdict there is.
pub(crate) const LAST_VERDICT: Verdict = CRASH;
