//! Types that handles consist of.

use core::marker::PhantomData;

/// Stands where a driver could be: the caller passes the results of operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Undriven;

/// The number zero as a type.
#[derive(Clone, Copy, Debug)]
pub struct Z;

/// The number after `N` as a type: `S<S<Z>>` is two.
#[derive(Clone, Copy, Debug)]
pub struct S<N>(PhantomData<N>);
