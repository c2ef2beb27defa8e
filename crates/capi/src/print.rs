//! Printers: values as text, written where the test's text goes.
//!
//! Writes a value and keeps nothing.
#![allow(clippy::missing_safety_doc, reason = "the header says what the pointers must be")]

use crate::abi::{Array, Generator, Test};
use crate::spec::{length, pointee, slice};
use crate::test_access::live;
use core::ffi::{c_char, c_void};
use core::fmt::{Arguments, Write};
use core::ptr;

fn put(t: *mut Test, text: Arguments<'_>) {
    if let Some(mut out) = live(t) {
        let _ = out.write_fmt(text);
    }
}

/// `sw_put`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put(t: *mut Test, text: *const c_char) {
    let Some(live) = live(t).filter(|_| !text.is_null()) else { return };
    live.write(slice(text.cast::<u8>(), length(text)));
}

/// `sw_put_int`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put_int(t: *mut Test, value: i64) {
    put(t, format_args!("{value}"));
}

/// `sw_put_unsigned`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put_unsigned(t: *mut Test, value: u64) {
    put(t, format_args!("{value}"));
}

/// `sw_put_hexadecimal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put_hexadecimal(t: *mut Test, value: u64) {
    put(t, format_args!("{value:#x}"));
}

/// `sw_put_real`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put_real(t: *mut Test, value: f64) {
    put(t, format_args!("{value:?}"));
}

/// `sw_put_value`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_put_value(t: *mut Test, generator: *const Generator, value: *const c_void) {
    let Some(generator) = pointee(generator).filter(|_| !value.is_null()) else { return };
    match generator.print {
        // SAFETY: the header asks for a function that takes this.
        Some(print) => unsafe { print(t, ptr::from_ref(generator), value) },
        None => print_bytes(t, generator.size, value),
    }
}

fn print_bytes(t: *mut Test, size: usize, value: *const c_void) {
    for k in 0..size {
        // SAFETY: the value has `size` bytes.
        let byte = unsafe { value.cast::<u8>().wrapping_add(k).read() };
        put(t, format_args!("{}{byte:02x}", if k == 0 { "" } else { " " }));
    }
}

/// The lowest bytes of a number as it was stored.
fn load(this: *const Generator, value: *const c_void) -> (u64, usize) {
    let size = pointee(this).map_or(0, |generator| generator.size.min(8));
    let mut bytes = [0; 8];
    if !value.is_null() {
        // SAFETY: the value has `size` bytes, which are at most 8.
        unsafe { ptr::copy_nonoverlapping(value.cast::<u8>(), bytes.as_mut_ptr(), size) };
    }
    (u64::from_le_bytes(bytes), size)
}

/// `sw_print_signed`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_signed(t: *mut Test, this: *const Generator, value: *const c_void) {
    let (bits, size) = load(this, value);
    let unused = 64 - 8 * size.clamp(1, 8) as u32;
    let mut number = ((bits << unused) as i64) >> unused;
    // An unsigned type may be given as a signed range.
    if number < 0 && pointee(this).is_some_and(|generator| generator.min >= 0) {
        number = bits as i64;
    }
    put(t, format_args!("{number}"));
}

/// `sw_print_unsigned`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_unsigned(t: *mut Test, this: *const Generator, value: *const c_void) {
    put(t, format_args!("{}", load(this, value).0));
}

/// `sw_print_hexadecimal`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_hexadecimal(t: *mut Test, this: *const Generator, value: *const c_void) {
    put(t, format_args!("{:#x}", load(this, value).0));
}

/// `sw_print_bool`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_bool(t: *mut Test, this: *const Generator, value: *const c_void) {
    put(t, format_args!("{}", load(this, value).0 != 0));
}

/// `sw_print_char`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_char(t: *mut Test, this: *const Generator, value: *const c_void) {
    let byte = load(this, value).0 as u8;
    put(t, format_args!("'{}'", EscapedByte(byte, b'\'')));
}

/// `sw_print_real`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_real(t: *mut Test, this: *const Generator, value: *const c_void) {
    let (bits, size) = load(this, value);
    if size == 4 {
        put(t, format_args!("{:?}", f32::from_bits(bits as u32)));
    } else {
        put(t, format_args!("{:?}", f64::from_bits(bits)));
    }
}

/// `sw_print_array`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_array(t: *mut Test, this: *const Generator, value: *const c_void) {
    let element = pointee(this).and_then(|generator| pointee(generator.more.cast::<Generator>()));
    let Some(element) = element.filter(|_| !value.is_null()) else { return };
    // SAFETY: the value of an array generator is an array.
    let array = unsafe { value.cast::<Array>().read_unaligned() };
    put(t, format_args!("{{"));
    for k in 0..array.length {
        put(t, format_args!("{}", if k == 0 { "" } else { ", " }));
        // SAFETY: the array has so many elements.
        unsafe { sw_put_value(t, element, array.items.wrapping_byte_add(k * element.size)) };
    }
    put(t, format_args!("}}"));
}

/// `sw_print_string`
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sw_print_string(t: *mut Test, _this: *const Generator, value: *const c_void) {
    if value.is_null() {
        return;
    }
    // SAFETY: the value of a string generator is a pointer.
    let string = unsafe { value.cast::<*const c_char>().read_unaligned() };
    if string.is_null() {
        return put(t, format_args!("NULL"));
    }
    put(t, format_args!("\""));
    for byte in slice(string.cast::<u8>(), length(string)) {
        put(t, format_args!("{}", EscapedByte(*byte, b'"')));
    }
    put(t, format_args!("\""));
}

/// A byte as C writes it within quotes.
struct EscapedByte(u8, u8);

impl core::fmt::Display for EscapedByte {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.0 {
            b'\n' => f.write_str("\\n"),
            b'\t' => f.write_str("\\t"),
            b'\\' => f.write_str("\\\\"),
            byte if byte == self.1 => write!(f, "\\{}", char::from(byte)),
            byte @ 0x20..=0x7E => f.write_char(char::from(byte)),
            byte => write!(f, "\\{byte:03o}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn bytes_are_written_as_c_writes_them() {
        assert_eq!(EscapedByte(b'"', b'"').to_string(), "\\\"");
        assert_eq!(EscapedByte(7, b'"').to_string(), "\\007");
        assert_eq!(EscapedByte(b'a', b'"').to_string(), "a");
    }
}
