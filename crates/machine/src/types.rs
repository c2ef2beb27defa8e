//! Types that handles are made of.

use core::marker::PhantomData;

/// Stands where a driver could be: the results of operations are told by whoever calls them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told;

/// The number zero as a type.
#[derive(Clone, Copy, Debug)]
pub struct Z;

/// The number after `N` as a type: `S<S<Z>>` is two.
#[derive(Clone, Copy, Debug)]
pub struct S<N>(PhantomData<N>);
