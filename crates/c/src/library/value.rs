//! Rust values as C values: bytes, and which C types they fit.
//!
//! Lays values out as the types that debug information knows, or says why a type does not fit. It knows
//! nothing of memory: lending and reading are the session's.

use crate::ctypes::{CType, CTypes, TypeId};
use std::fmt;
use std::marker::PhantomData;

/// Why two types are not the same, beyond that they are not; may be empty.
pub type Hint = String;

/// A value with a fixed size, as C has it in memory.
///
/// Numbers, `bool`, [`Pointer`], arrays of them, and the structs that [`library!`](crate::library!) declares.
pub trait Value: Sized {
    /// How many bytes it has.
    const SIZE: usize;

    /// At multiples of what it lies.
    #[must_use]
    fn align() -> u64 {
        (Self::SIZE as u64).next_power_of_two().clamp(1, 16)
    }

    /// Its type as Rust writes it.
    fn name() -> String;

    /// Whether a C type is the same.
    ///
    /// # Errors
    /// If it is not.
    fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint>;

    /// Writes it to as many bytes as it has.
    fn put(&self, bytes: &mut [u8]);

    /// Reads it from as many bytes as it has.
    fn get(bytes: &[u8]) -> Self;

    /// Whether a condition holds for the offset and size of each part, padding excluded.
    fn all_parts(at: usize, holds: &mut dyn FnMut(usize, usize) -> bool) -> bool {
        holds(at, Self::SIZE)
    }
}

macro_rules! numbers {
    ($($t:ty, $is_signed:expr;)*) => {$(
        impl Value for $t {
            const SIZE: usize = size_of::<$t>();

            fn name() -> String {
                stringify!($t).to_string()
            }

            fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
                integer_fits(types, ty, Self::SIZE as u32, $is_signed)
            }

            #[inline]
            fn put(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn get(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                own.copy_from_slice(bytes);
                <$t>::from_le_bytes(own)
            }
        }
    )*};
}
numbers! {
    u8, false; u16, false; u32, false; u64, false; usize, false;
    i8, true; i16, true; i32, true; i64, true; isize, true;
}

fn integer_fits(types: &CTypes, ty: TypeId, size: u32, is_signed: bool) -> Result<(), Hint> {
    let fits = match types.get(ty) {
        // Which of the two it is, the compiler's flags say.
        CType::Char => size == 1,
        CType::Integer { size: n, is_signed: signed, .. } => (*n, *signed) == (size, is_signed),
        CType::Enum(id) => types.enumeration(*id).size == size,
        _ => false,
    };
    fits.then_some(()).ok_or_else(Hint::new)
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Value for $t {
            const SIZE: usize = size_of::<$t>();

            fn name() -> String {
                stringify!($t).to_string()
            }

            fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
                let fits = matches!(types.get(ty), CType::Float { size, .. } if *size as usize == Self::SIZE);
                fits.then_some(()).ok_or_else(Hint::new)
            }

            fn put(&self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }

            fn get(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<$t>()];
                own.copy_from_slice(bytes);
                <$t>::from_le_bytes(own)
            }
        }
    )*};
}
floats! { f32 f64 }

impl Value for bool {
    const SIZE: usize = 1;

    fn name() -> String {
        "bool".to_string()
    }

    fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        let is_int = matches!(types.get(ty), CType::Integer { .. });
        let hint = if is_int { "; C says `int` where `<stdbool.h>` is not used" } else { "" };
        (*types.get(ty) == CType::Bool).then_some(()).ok_or_else(|| hint.to_string())
    }

    fn put(&self, bytes: &mut [u8]) {
        bytes[0] = u8::from(*self);
    }

    fn get(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    const SIZE: usize = T::SIZE * N;

    fn align() -> u64 {
        T::align()
    }

    fn name() -> String {
        format!("[{}; {N}]", T::name())
    }

    fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        match types.get(ty) {
            CType::Array { of, len: Some(len) } if *len == N as u64 => T::fits(types, *of),
            _ => Err(Hint::new()),
        }
    }

    fn put(&self, bytes: &mut [u8]) {
        put_all(self, bytes);
    }

    fn get(bytes: &[u8]) -> Self {
        std::array::from_fn(|k| T::get(&bytes[k * T::SIZE..(k + 1) * T::SIZE]))
    }

    fn all_parts(at: usize, holds: &mut dyn FnMut(usize, usize) -> bool) -> bool {
        (0..N).all(|k| T::all_parts(at + k * T::SIZE, holds))
    }
}

/// Writes several values one after the other.
pub(super) fn put_all<T: Value>(values: &[T], bytes: &mut [u8]) {
    for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(T::SIZE.max(1))) {
        value.put(bytes);
    }
}

/// Reads several values that lie one after the other.
pub(super) fn get_all<T: Value>(bytes: &[u8]) -> impl Iterator<Item = T> {
    bytes.chunks_exact(T::SIZE.max(1)).map(T::get)
}

/// What a [`Pointer`] can lead to: a [`Value`], a C struct whose inside is C's own business, or `()` for
/// anything.
pub trait Pointee {
    /// The type as Rust writes it.
    fn pointee_name() -> String;

    /// Whether a C type is the same.
    ///
    /// # Errors
    /// If it is not.
    fn pointee_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint>;
}

impl<T: Value> Pointee for T {
    fn pointee_name() -> String {
        T::name()
    }

    fn pointee_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        T::fits(types, ty)
    }
}

impl Pointee for () {
    fn pointee_name() -> String {
        "()".to_string()
    }

    fn pointee_fits(_: &CTypes, _: TypeId) -> Result<(), Hint> {
        Ok(())
    }
}

/// An address in the memory of the C code; read and written through a [`Session`](super::Session).
///
/// ```
/// use stairway_c::library::Pointer;
/// assert!(Pointer::<u8>::NULL.is_null());
/// ```
#[repr(transparent)]
pub struct Pointer<T> {
    pub(super) address: u64,
    to: PhantomData<fn() -> T>,
}

impl<T> Pointer<T> {
    /// The null pointer.
    pub const NULL: Pointer<T> = Pointer::new(0);

    pub(super) const fn new(address: u64) -> Self {
        Pointer { address, to: PhantomData }
    }

    /// Whether it leads nowhere.
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.address == 0
    }

    /// The same address, for another type.
    #[must_use]
    pub const fn cast<U>(self) -> Pointer<U> {
        Pointer::new(self.address)
    }
}

impl<T: Value> Pointer<T> {
    /// So many elements further on; what lies there is checked when it is used.
    #[must_use]
    pub const fn offset(self, n: usize) -> Self {
        Pointer::new(self.address.wrapping_add((n as u64).wrapping_mul(T::SIZE as u64)))
    }
}

impl<T> Clone for Pointer<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Pointer<T> {}

impl<T> PartialEq for Pointer<T> {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

impl<T> Eq for Pointer<T> {}

impl<T> fmt::Debug for Pointer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() { f.write_str("NULL") } else { write!(f, "{:#x}", self.address) }
    }
}

impl<T: Pointee> Value for Pointer<T> {
    const SIZE: usize = 8;

    fn name() -> String {
        format!("Pointer<{}>", T::pointee_name())
    }

    fn fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        match types.get(ty) {
            CType::Pointer { to, .. } | CType::Array { of: to, .. } => T::pointee_fits(types, *to),
            _ => Err(Hint::new()),
        }
    }

    fn put(&self, bytes: &mut [u8]) {
        self.address.put(bytes);
    }

    fn get(bytes: &[u8]) -> Self {
        Pointer::new(u64::get(bytes))
    }
}

/// What a C function can give: a [`Value`], or `()` for `void`.
pub trait ReturnValue: Sized {
    /// The type as Rust writes it.
    fn returned_name() -> String;

    /// Whether a C type is the same.
    ///
    /// # Errors
    /// If it is not.
    fn returned_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint>;

    /// Reads it.
    fn returned_from(bytes: &[u8]) -> Self;

    /// Writes it, for mocks.
    fn returned_to(&self, bytes: &mut [u8]);
}

impl<T: Value> ReturnValue for T {
    fn returned_name() -> String {
        T::name()
    }

    fn returned_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        T::fits(types, ty)
    }

    fn returned_from(bytes: &[u8]) -> Self {
        T::get(&bytes[..T::SIZE])
    }

    fn returned_to(&self, bytes: &mut [u8]) {
        self.put(&mut bytes[..T::SIZE]);
    }
}

impl ReturnValue for () {
    fn returned_name() -> String {
        "()".to_string()
    }

    fn returned_fits(types: &CTypes, ty: TypeId) -> Result<(), Hint> {
        (*types.get(ty) == CType::Void).then_some(()).ok_or_else(Hint::new)
    }

    fn returned_from(_: &[u8]) -> Self {}

    fn returned_to(&self, _: &mut [u8]) {}
}
