//! What bindings that follow from C declarations take: anything that can be lent as the pointer that C asks
//! for.
//!
//! Says only which arguments of `argument.rs` fit which pointers, so that a method can take a slice, a value,
//! a handle or an address alike.

use super::argument::Argument;
use super::call::Call;
use super::handle::Handle;
use super::value::{Hint, Pointee, Pointer, Value};
use crate::ctypes::{CTypes, TypeId};
use stairway::Checked;
use std::ffi::CStr;

/// What a `void *` points to, for [`Reads`] and [`Writes`].
#[derive(Debug)]
pub enum Void {}

/// What can be passed as `const T *`: `&[T]`, `&[T; N]`, `&Vec<T>`, `&T`, a [`Pointer`], a [`Handle`] by
/// reference; `&CStr` for characters.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to C as `const {T} *`",
    label = "C reads `{T}` here",
    note = "pass `&[{T}]`, `&Vec<{T}>`, `&{T}`, `Pointer<{T}>` or `&Handle<{T}>`; `&CStr` for text"
)]
pub trait Reads<T>: Argument {}

/// What can be passed as `T *`: `&mut [T]`, `&mut [T; N]`, `&mut Vec<T>`, `&mut T`, a [`Pointer`], a
/// [`Handle`] by reference, or a handle itself if C is to own it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed to C as `{T} *`",
    label = "C may write `{T}` here",
    note = "pass `&mut [{T}]`, `&mut Vec<{T}>`, `&mut {T}`, `Pointer<{T}>` or a `Handle<{T}>`"
)]
pub trait Writes<T>: Argument {}

impl<T: Value> Reads<T> for &[T] {}
impl<T: Value, const N: usize> Reads<T> for &[T; N] {}
impl<T: Value> Reads<T> for &Vec<T> {}
impl<T: Value> Reads<T> for &T {}
impl<T: Pointee> Reads<T> for Pointer<T> {}
impl<T: Pointee> Reads<T> for &Handle<'_, '_, T> {}
impl Reads<u8> for &CStr {}

impl<T: Value> Writes<T> for &mut [T] {}
impl<T: Value, const N: usize> Writes<T> for &mut [T; N] {}
impl<T: Value> Writes<T> for &mut Vec<T> {}
impl<T: Value> Writes<T> for &mut T {}
impl<T: Pointee> Writes<T> for Pointer<T> {}
impl<T: Pointee> Writes<T> for &Handle<'_, '_, T> {}
impl<T: Pointee> Writes<T> for Handle<'_, '_, T> {}

impl<T: Value> Reads<Void> for &[T] {}
impl<T: Value> Reads<Void> for &Vec<T> {}
impl<T: Value> Reads<Void> for &T {}
impl<T: Pointee> Reads<Void> for Pointer<T> {}
impl<T: Pointee> Reads<Void> for &Handle<'_, '_, T> {}

impl<T: Value> Writes<Void> for &mut [T] {}
impl<T: Value> Writes<Void> for &mut Vec<T> {}
impl<T: Value> Writes<Void> for &mut T {}
impl<T: Pointee> Writes<Void> for Pointer<T> {}
impl<T: Pointee> Writes<Void> for &Handle<'_, '_, T> {}
impl<T: Pointee> Writes<Void> for Handle<'_, '_, T> {}

impl<T: Value> Argument for &Vec<T> {
    fn argument_name() -> String {
        <&[T]>::argument_name()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        <&[T]>::argument_fits(types, ty)
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        self.as_slice().pass(call)
    }
}

impl<T: Value> Argument for &mut Vec<T> {
    fn argument_name() -> String {
        <&mut [T]>::argument_name()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        <&mut [T]>::argument_fits(types, ty)
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        self.as_slice().pass(call)
    }

    fn take_back(&mut self, call: &Call<'_, '_>, lent: u64) -> Checked {
        self.as_mut_slice().take_back(call, lent)
    }
}

/// A handle by reference stays the test's.
impl<T: Pointee> Argument for &Handle<'_, '_, T> {
    fn argument_name() -> String {
        Pointer::<T>::name()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        Pointer::<T>::fits(types, ty)
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.by_value(&self.pointer())
    }
}

/// A handle by value becomes C's.
impl<T: Pointee> Argument for Handle<'_, '_, T> {
    fn argument_name() -> String {
        Pointer::<T>::name()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        Pointer::<T>::fits(types, ty)
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.by_value(&self.give_up())
    }
}
