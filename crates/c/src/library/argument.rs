//! How arguments reach C: by value, or lent for the time of a call.
//!
//! Turns Rust's arguments into the bytes of the call. What is lent is copied to memory that C may touch while
//! it runs and not afterwards; what may have changed is copied back.

use super::call::Call;
use super::value::{Hint, Pointee, Pointer, Value, get_all, put_all};
use crate::ctypes::{CType, CTypes, TypeId};
use stairway::Checked;
use std::ffi::CStr;

/// What can be passed to a C function.
///
/// | here | in C | meaning |
/// |---|---|---|
/// | numbers, `bool`, declared structs | the same | by value |
/// | [`Pointer`] | `T *` | an address in C's own memory, may be null |
/// | `&[T]`, `&T` | `const T *` | lent to be read while the call runs |
/// | `&mut [T]`, `&mut T` | `T *` | lent to be written as well |
/// | `&CStr` | `const char *` | lent, with the zero at its end |
pub trait Argument {
    /// The type as Rust writes it.
    fn argument_name() -> String;

    /// Whether a C parameter takes it.
    ///
    /// # Errors
    /// If it does not.
    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint>;

    /// Passes it as the next argument of a call.
    ///
    /// # Errors
    /// If there is no memory to lend.
    fn pass(&self, call: &mut Call<'_, '_>) -> Checked;

    /// Takes it back when the call has returned; `lent` is where it was.
    ///
    /// # Errors
    /// If it cannot be read any more.
    fn take_back(&mut self, call: &Call<'_, '_>, lent: u64) -> Checked {
        let _ = (call, lent);
        Ok(())
    }
}

macro_rules! by_value {
    ($($t:ty)*) => {$(
        impl Argument for $t {
            fn argument_name() -> String {
                <$t as Value>::name()
            }

            fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
                <$t as Value>::fits(types, ty)
            }

            fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
                call.by_value(self)
            }
        }
    )*};
}
by_value! { u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64 bool }

impl<T: Pointee> Argument for Pointer<T> {
    fn argument_name() -> String {
        Self::name()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        Self::fits(types, ty)
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.by_value(self)
    }
}

/// Whether C may read, or write, values of type `T` through a parameter.
fn lends<T: Value>(types: &CTypes, ty: TypeId, may_write: bool, as_written: &str) -> Result<(), Hint> {
    let (to, is_const) = match types.get(ty) {
        CType::Pointer { to, is_const } => (*to, *is_const),
        CType::Array { of, .. } => (*of, false),
        _ => return Err(Hint::new()),
    };
    if *types.get(to) != CType::Void {
        T::fits(types, to)?;
    }
    if may_write || is_const {
        return Ok(());
    }
    Err(format!("; C may write through it: lend `{as_written}`, or say `const` in C"))
}

impl<T: Value> Argument for &[T] {
    fn argument_name() -> String {
        format!("&[{}]", T::name())
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        lends::<T>(types, ty, false, &format!("&mut [{}]", T::name()))
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.lend(self.len() * T::SIZE, T::align(), |bytes| put_all(self, bytes))
    }
}

impl<T: Value> Argument for &mut [T] {
    fn argument_name() -> String {
        format!("&mut [{}]", T::name())
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        lends::<T>(types, ty, true, "")
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.lend(self.len() * T::SIZE, T::align(), |bytes| put_all(self, bytes))
    }

    fn take_back(&mut self, call: &Call<'_, '_>, lent: u64) -> Checked {
        let bytes = call.session().bytes(lent, self.len() * T::SIZE)?;
        self.iter_mut().zip(get_all(&bytes)).for_each(|(old, new)| *old = new);
        Ok(())
    }
}

impl<T: Value> Argument for &T {
    fn argument_name() -> String {
        format!("&{}", T::name())
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        lends::<T>(types, ty, false, &format!("&mut {}", T::name()))
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.lend(T::SIZE, T::align(), |bytes| self.put(bytes))
    }
}

impl<T: Value> Argument for &mut T {
    fn argument_name() -> String {
        format!("&mut {}", T::name())
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        lends::<T>(types, ty, true, "")
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        call.lend(T::SIZE, T::align(), |bytes| self.put(bytes))
    }

    fn take_back(&mut self, call: &Call<'_, '_>, lent: u64) -> Checked {
        **self = T::get(&call.session().bytes(lent, T::SIZE)?);
        Ok(())
    }
}

impl Argument for &CStr {
    fn argument_name() -> String {
        "&CStr".to_string()
    }

    fn argument_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        lends::<u8>(types, ty, false, "&mut [u8]")
    }

    fn pass(&self, call: &mut Call<'_, '_>) -> Checked {
        let bytes = self.to_bytes_with_nul();
        call.lend(bytes.len(), 1, |room| room.copy_from_slice(bytes))
    }
}
