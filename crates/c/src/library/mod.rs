//! C functions called from Rust tests: the concrete side of a refinement.
//!
//! C files and the declarations of [`library!`](crate::library!) become typed functions. The files are built
//! with the same instrumentation as for `stairway test`, and run on the same machine: an access outside what
//! C owns, a double free, a crash, a hang or a leak fails the case, with the line of C, and the case is
//! shrunk like any other. Types and layouts come from debug information: what a test declares is compared
//! with it before the first call. Drawing, shrinking and reporting are the engine's; nothing of them is here.
//!
//! `bound.rs` and `handle.rs` are what bindings take and give. `ready.rs` builds, `declarations.rs` compares,
//! `objects.rs` loads, `session.rs` and `call.rs` run when it is their `turn.rs`, `contracts.rs` judges,
//! `words.rs` says what went wrong.
//!
//! ```
//! stairway_c::library! {
//!     /// Sums in C.
//!     mod c {
//!         files: "tests/library/sum.c";
//!         bind;
//!     }
//! }
//!
//! # fn main() {
//! let total = c::run(|c| c.sum(&[1, 2, 3], 3)).unwrap();
//! assert_eq!(total, 6);
//!
//! // Reading one element too many is a failure of the case, with the line of C.
//! let stop = c::run(|c| c.sum(&[1, 2, 3], 4)).unwrap_err();
//! assert!(format!("{stop:?}").contains("`sum` reads 4 bytes: directly after `values` (12 bytes)"));
//! # }
//! ```

mod argument;
mod bound;
mod call;
mod contracts;
mod declarations;
mod handle;
mod mocks;
mod objects;
mod ready;
mod session;
mod turn;
mod value;
mod words;

pub use argument::Argument;
pub use bound::{Reads, Void, Writes};
pub use call::Call;
pub use declarations::{
    Declarations, DeclaredFunction, DeclaredMember, DeclaredStruct, DeclaredType, is_enum, is_record,
};
pub use handle::Handle;
pub use mocks::{Mock, MockCall, Mocks};
pub use session::Session;
pub use value::{Hint, Pointee, Pointer, ReturnValue, Value};

use crate::machine;
use ready::{ReadyProject, Recipe};
use stairway::Checked;
#[doc(hidden)]
pub use stairway_sandbox::prerequisite;
#[doc(hidden)]
pub use stairway_sandbox::prerequisites::Prerequisite;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The fuel of a call: a test says itself what it calls, so it has more of it than what a search tries.
const FUEL: u64 = 10 * machine::DEFAULT_FUEL;

/// What calls of a library may take.
fn limits() -> machine::Settings {
    machine::Settings { fuel: FUEL, ..machine::Settings::default() }
}

/// C files with what a test declares of them; made by [`library!`](crate::library!). Nothing is built before
/// the first use.
pub struct Library {
    recipe: Recipe,
    declared: fn() -> Declarations,
    ready: OnceLock<Result<Arc<ReadyProject>, LibraryError>>,
}

/// Why C files cannot be called: they do not compile, or are not what the test declares. Its text is for the
/// user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryError(String);

impl fmt::Display for LibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LibraryError {}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("recipe", &self.recipe).finish_non_exhaustive()
    }
}

impl Library {
    /// Files, named from `root`, with flags for the compiler.
    #[must_use]
    pub const fn new(
        root: &'static str,
        files: &'static [&'static str],
        flags: &'static [&'static str],
        declared: fn() -> Declarations,
    ) -> Library {
        Library {
            recipe: Recipe { root, files, flags, is_checked: true, is_confined: true },
            declared,
            ready: OnceLock::new(),
        }
    }

    /// The same without instrumentation: faster, and neither ownership nor undefined arithmetic is checked.
    /// Crashes and leaks still are.
    #[must_use]
    pub const fn unchecked(
        root: &'static str,
        files: &'static [&'static str],
        flags: &'static [&'static str],
        declared: fn() -> Declarations,
    ) -> Library {
        Library {
            recipe: Recipe { root, files, flags, is_checked: false, is_confined: true },
            declared,
            ready: OnceLock::new(),
        }
    }

    /// The same without the sandbox: C may do whatever the test may do, to files, processes and the network
    /// too.
    ///
    /// ```
    /// stairway_c::library! {
    ///     mod c = "tests/library/sum.c";
    /// }
    ///
    /// static FREE: stairway_c::library::Library = c::built_with(&[]).unconfined();
    ///
    /// # fn main() {
    /// assert_eq!(c::run_with(&FREE, |c| c.sum(&[1, 2, 3], 3)).unwrap(), 6);
    /// # }
    /// ```
    #[must_use]
    pub const fn unconfined(mut self) -> Library {
        self.recipe.is_confined = false;
        self
    }

    /// Builds the files and compares them with the declarations, unless that was done before.
    ///
    /// # Errors
    /// With the compiler's words, or with everything that is declared differently.
    pub fn build(&self) -> Result<(), LibraryError> {
        self.ready().map(drop)
    }

    /// The same for a process that will be locked up and cannot build.
    #[doc(hidden)]
    #[must_use]
    pub fn prerequisite(&self) -> Prerequisite {
        let made = self.ready().map_err(|error| error.0).and_then(|ready| ready.stored());
        Prerequisite { key: self.recipe.key(&(self.declared)()), made }
    }

    fn ready(&self) -> Result<&Arc<ReadyProject>, LibraryError> {
        let ready = self.ready.get_or_init(|| {
            ReadyProject::new(&self.recipe, (self.declared)()).map(Arc::new).map_err(LibraryError)
        });
        ready.as_ref().map_err(Clone::clone)
    }

    /// Runs something with C: fresh memory at the beginning, and at the end nothing may be left unfreed.
    ///
    /// # Errors
    /// Fails the case if C does something that it must not, if it leaks, or if it cannot be called at all.
    pub fn run<'r, T>(&self, with: impl FnOnce(Session<'r>) -> (Checked<T>, Session<'r>)) -> Checked<T> {
        let ready = self.ready().map_err(|error| words::misuse(&error.0))?;
        let (result, session) = with(Session::new(ready)?);
        let result = result?;
        session.conclude()?;
        Ok(result)
    }
}

/// C functions for a test, and what it takes to call them.
///
/// ```
/// stairway_c::library! {
///     mod c = "tests/library/sum.c";
/// }
///
/// # fn main() {
/// assert_eq!(c::run(|c| c.sum(&[1, 2, 3], 3)).unwrap(), 6);
/// # }
/// ```
///
/// How to call them follows from C's declarations; `bind` says what those do not, and everything can be
/// declared by hand:
///
/// ```
/// use stairway::prelude::*;
/// use stairway_c::library::Pointer;
///
/// stairway_c::library! {
///     /// Cells in C.
///     mod c {
///         files: "tests/library/cell.c";
///         flags: "-DLIMIT=10", "-Wall";
///
///         struct cell { value: i32, next: Pointer<cell> }
///
///         fn cons(value: i32, next: Pointer<cell>) -> Pointer<cell>;
///         fn total(first: Pointer<cell>) -> i64;
///         fn destroy(first: Pointer<cell>);
///         mock fn changed(value: i32);
///     }
/// }
///
/// # fn main() {
/// stairway::check(|t| {
///     let values = t.pick(vec(any::<i32>(), 0..9))?;
///     let mut seen = Vec::new();
///     let total = c::run(|c| {
///         c.mocks().changed(|_, value| { seen.push(value); Ok(()) });
///         let mut first = Pointer::NULL;
///         for value in &values {
///             first = c.cons(*value, first)?;
///         }
///         let total = c.total(first)?;
///         c.destroy(first)?;
///         Ok(total)
///     })?;
///     assert_eq!(total, values.iter().map(|v| i64::from(*v)).sum::<i64>());
///     assert_eq!(seen, values);
///     Ok(())
/// });
/// # }
/// ```
///
/// Files are named from the folder of the package, `flags` are the compiler's. Then, in any order:
///
/// * `bind;` for every function of the files, or `bind "name", "prefix_*";` for some, which are called here
///   by what the star stands for. `bind "prefix_*" { .. }` and `bind { .. }` say more of single functions:
///   `f(values[n])` for a pointer and its length, `f(out value)` for a result by address, `f -> owned free`
///   for a result that `free` frees, `f -> text` for a string.
/// * `struct name { member: Type, .. }`: a struct of C with all its members; `struct Name = "c_name" { .. }`
///   if it is to have another name here; `struct name;` for one that is only pointed to.
///   `enum name: u32 { CONSTANT = 0, .. }`.
/// * `fn name(parameter: Type, ..) -> Type;`, and `= "c_name"` before the semicolon for another name. See
///   [`Argument`](crate::library::Argument) for the types.
/// * `mock fn ..;`: a function that C calls and that a run may answer for, be it defined in the files, in a
///   library or nowhere.
///
/// The module then has `run(|c| ..)`, where `c` has the functions as methods, `c.mocks()` and the methods of
/// [`Session`](crate::library::Session); `LIBRARY`; and `built_with(flags)` and `unchecked()` for other
/// builds of the same files, which are run by `run_with(&library, |c| ..)`.
#[cfg(feature = "library")]
#[macro_export]
macro_rules! library {
    ($($module:tt)*) => { $crate::__module! { [$crate] $($module)* } };
}

/// The module of a [`library!`](crate::library!).
#[doc(hidden)]
#[macro_export]
macro_rules! __library_module {
    ([$(#[$meta:meta])*] [$vis:vis mod] $module:ident [$($file:expr),+] [$($flag:expr),*] $($items:tt)*) => {
        $(#[$meta])*
        #[allow(dead_code, non_camel_case_types, unused_imports, missing_docs, unreachable_pub, clippy::too_many_arguments)]
        $vis mod $module {
            use super::*;
            use $crate::library as __c;

            /// The files as they are declared.
            pub static LIBRARY: __c::Library = built_with(&[$($flag),*]);
            __c::prerequisite!(|| LIBRARY.prerequisite());

            /// The same files with other flags.
            #[must_use]
            pub const fn built_with(flags: &'static [&'static str]) -> __c::Library {
                __c::Library::new(::core::env!("CARGO_MANIFEST_DIR"), &[$($file),+], flags, declared)
            }

            /// The same files without instrumentation.
            #[must_use]
            pub const fn unchecked() -> __c::Library {
                __c::Library::unchecked(::core::env!("CARGO_MANIFEST_DIR"), &[$($file),+], &[$($flag),*], declared)
            }

            /// Runs something with the files as they are declared.
            ///
            /// # Errors
            /// Fails the case if C does something that it must not, if it leaks, or if it cannot be called at
            /// all.
            pub fn run<'r, T>(with: impl FnOnce(&Calls<'r>) -> $crate::__stairway::Checked<T>) -> $crate::__stairway::Checked<T> {
                run_with(&LIBRARY, with)
            }

            /// Runs something with another build.
            ///
            /// # Errors
            /// As `run`.
            pub fn run_with<'r, T>(
                library: &__c::Library,
                with: impl FnOnce(&Calls<'r>) -> $crate::__stairway::Checked<T>,
            ) -> $crate::__stairway::Checked<T> {
                library.run(|session| {
                    let calls = Calls(session);
                    let result = with(&calls);
                    (result, calls.0)
                })
            }

            /// The functions.
            #[derive(Debug)]
            pub struct Calls<'r>(__c::Session<'r>);

            impl<'r> ::core::ops::Deref for Calls<'r> {
                type Target = __c::Session<'r>;

                fn deref(&self) -> &Self::Target {
                    &self.0
                }
            }

            /// The functions that a run may answer for.
            #[derive(Debug)]
            pub struct Mocks<'s, 'r>(&'s __c::Session<'r>);

            impl<'r> Calls<'r> {
                /// Memory that is lent, given, read and freed: the run itself, for where a function of C is
                /// called like one of its methods.
                #[must_use]
                pub fn memory(&self) -> &__c::Session<'r> {
                    &self.0
                }

                /// The functions that this run may answer for.
                #[must_use]
                pub fn mocks(&self) -> Mocks<'_, 'r> {
                    Mocks(&self.0)
                }
            }

            $crate::__bind! { [$crate] [$($file),+] [$($flag),*] $($items)* }
        }
    };
}

/// The inner workings of [`library!`](crate::library!).
#[doc(hidden)]
#[macro_export]
macro_rules! __library {
    (@link $name:ident) => { ::core::stringify!($name) };
    (@link $name:ident $link:expr) => { $link };
    (@result) => { () };
    (@result $result:ty) => { $result };

    (@items [$($s:tt)*] [$($f:tt)*] [$($m:tt)*]
        $(#[$meta:meta])* struct $name:ident $(= $link:literal)? ; $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name {
            // Named, so that parameters of the same name are no patterns.
            __inside: (),
        }

        impl __c::Pointee for $name {
            fn pointee_name() -> ::std::string::String {
                ::std::string::String::from(::core::stringify!($name))
            }

            fn pointee_fits(
                types: &$crate::ctypes::CTypes,
                ty: $crate::ctypes::TypeId,
            ) -> ::core::result::Result<(), __c::Hint> {
                __c::is_record(types, ty, $crate::__library!(@link $name $($link)?))
            }
        }

        $crate::__library!(@items [$($s)*] [$($f)*] [$($m)*] $($rest)*);
    };

    (@items [$($s:tt)*] [$($f:tt)*] [$($m:tt)*]
        $(#[$meta:meta])* struct $name:ident $(= $link:literal)? { $($member:ident : $ty:ty),* $(,)? } $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct $name { $(pub $member: $ty),* }

        impl __c::Value for $name {
            const SIZE: usize = ::core::mem::size_of::<$name>();

            fn align() -> u64 {
                ::core::mem::align_of::<$name>() as u64
            }

            fn name() -> ::std::string::String {
                ::std::string::String::from(::core::stringify!($name))
            }

            fn fits(
                types: &$crate::ctypes::CTypes,
                ty: $crate::ctypes::TypeId,
            ) -> ::core::result::Result<(), __c::Hint> {
                __c::is_record(types, ty, $crate::__library!(@link $name $($link)?))
            }

            fn put(&self, bytes: &mut [u8]) {
                $({
                    let at = ::core::mem::offset_of!($name, $member);
                    __c::Value::put(&self.$member, &mut bytes[at..at + <$ty as __c::Value>::SIZE]);
                })*
            }

            fn get(bytes: &[u8]) -> Self {
                $name { $($member: {
                    let at = ::core::mem::offset_of!($name, $member);
                    <$ty as __c::Value>::get(&bytes[at..at + <$ty as __c::Value>::SIZE])
                }),* }
            }

            fn all_parts(at: usize, holds: &mut dyn FnMut(usize, usize) -> bool) -> bool {
                true $(&& <$ty as __c::Value>::all_parts(at + ::core::mem::offset_of!($name, $member), holds))*
            }
        }

        $crate::__library!(@by_value $name);
        $crate::__library!(@items
            [$($s)* { $name ($crate::__library!(@link $name $($link)?)) ($($member : $ty),*) }] [$($f)*] [$($m)*] $($rest)*);
    };

    (@items [$($s:tt)*] [$($f:tt)*] [$($m:tt)*]
        $(#[$meta:meta])* enum $name:ident $(= $link:literal)? : $repr:ty { $($constant:ident = $value:expr),* $(,)? } $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name {
            pub value: $repr,
        }

        #[allow(non_upper_case_globals)]
        impl $name {
            $(pub const $constant: $name = $name { value: $value };)*

            const __CONSTANTS: &'static [(&'static str, $name)] = &[$((::core::stringify!($constant), $name::$constant)),*];
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match $name::__CONSTANTS.iter().find(|(_, constant)| constant == self) {
                    ::core::option::Option::Some((name, _)) => f.write_str(name),
                    ::core::option::Option::None => ::core::write!(f, "{} {{ value: {} }}", ::core::stringify!($name), self.value),
                }
            }
        }

        impl $crate::__stairway::Arbitrary for $name {
            fn arbitrary(choices: &mut $crate::__stairway::Draw<'_>) -> $crate::__stairway::Checked<Self> {
                let constants = $name::__CONSTANTS;
                choices.draw($crate::__stairway::generate::sampled_from(constants)).map(|(_, constant)| constant)
            }
        }

        impl $crate::__stairway::ToSource for $name {
            fn write_source(&self, out: &mut ::std::string::String) {
                let path = ::core::stringify!($name);
                match $name::__CONSTANTS.iter().find(|(_, constant)| constant == self) {
                    ::core::option::Option::Some((name, _)) => out.extend([path, "::", name]),
                    ::core::option::Option::None => out.push_str(&::std::format!("{path} {{ value: {} }}", self.value)),
                }
            }
        }

        impl __c::Value for $name {
            const SIZE: usize = <$repr as __c::Value>::SIZE;

            fn name() -> ::std::string::String {
                ::std::string::String::from(::core::stringify!($name))
            }

            fn fits(
                types: &$crate::ctypes::CTypes,
                ty: $crate::ctypes::TypeId,
            ) -> ::core::result::Result<(), __c::Hint> {
                __c::is_enum(types, ty, $crate::__library!(@link $name $($link)?), &[$((::core::stringify!($constant), $value)),*])
            }

            fn put(&self, bytes: &mut [u8]) {
                __c::Value::put(&self.value, bytes);
            }

            fn get(bytes: &[u8]) -> Self {
                $name { value: __c::Value::get(bytes) }
            }
        }

        $crate::__library!(@by_value $name);
        $crate::__library!(@items [$($s)*] [$($f)*] [$($m)*] $($rest)*);
    };

    (@by_value $name:ident) => {
        impl __c::Argument for $name {
            fn argument_name() -> ::std::string::String {
                <$name as __c::Value>::name()
            }

            fn argument_fits(
                types: &$crate::ctypes::CTypes,
                ty: $crate::ctypes::TypeId,
            ) -> ::core::result::Result<(), __c::Hint> {
                <$name as __c::Value>::fits(types, ty)
            }

            fn pass(&self, call: &mut __c::Call<'_, '_>) -> $crate::__stairway::Checked {
                call.by_value(self)
            }
        }
    };

    (@items [$($s:tt)*] [$($f:tt)*] [$($m:tt)*]
        $(#[$meta:meta])* mock fn $name:ident ($($p:ident : $t:ty),* $(,)?) $(-> $r:ty)? $(= $link:expr)? ; $($rest:tt)*
    ) => {
        $crate::__library!(@items [$($s)*] [$($f)*]
            [$($m)* { $(#[$meta])* $name ($crate::__library!(@link $name $($link)?)) ($($p : $t),*) ($crate::__library!(@result $($r)?)) }]
            $($rest)*);
    };

    (@items [$($s:tt)*] [$($f:tt)*] [$($m:tt)*]
        $(#[$meta:meta])* fn $name:ident ($($p:ident : $t:ty),* $(,)?) $(-> $r:ty)? $(= $link:expr)? ; $($rest:tt)*
    ) => {
        $crate::__library!(@items [$($s)*]
            [$($f)* { $(#[$meta])* $name ($crate::__library!(@link $name $($link)?)) ($($p : $t),*) ($crate::__library!(@result $($r)?)) }]
            [$($m)*] $($rest)*);
    };

    (@items
        [$({ $struct:ident ($s_link:expr) ($($member:ident : $m_ty:ty),*) })*]
        [$({ $(#[$f_meta:meta])* $f:ident ($f_link:expr) ($($p:ident : $t:ty),*) ($r:ty) })*]
        [$({ $(#[$m_meta:meta])* $mock:ident ($m_link:expr) ($($mp:ident : $mt:ty),*) ($mr:ty) })*]
    ) => {
        fn declared() -> __c::Declarations {
            __c::Declarations {
                structs: ::std::vec![$(__c::DeclaredStruct {
                    name: $s_link,
                    size: ::core::mem::size_of::<$struct>(),
                    members: ::std::vec![$(__c::DeclaredMember {
                        name: ::core::stringify!($member),
                        offset: ::core::mem::offset_of!($struct, $member),
                        ty: __c::DeclaredType::value::<$m_ty>(),
                    }),*],
                }),*],
                functions: {
                    #[allow(unused_mut)]
                    let mut functions = bound();
                    $(functions.push(__c::DeclaredFunction {
                        name: $f_link,
                        parameters: ::std::vec![$((::core::stringify!($p), __c::DeclaredType::argument::<$t>())),*],
                        returns: __c::DeclaredType::returned::<$r>(),
                    });)*
                    functions
                },
                mocks: ::std::vec![$(__c::DeclaredFunction {
                    name: $m_link,
                    parameters: ::std::vec![$((::core::stringify!($mp), __c::DeclaredType::value::<$mt>())),*],
                    returns: __c::DeclaredType::returned::<$mr>(),
                }),*],
            }
        }

        impl Calls<'_> {
            $(
                $(#[$f_meta])*
                pub fn $f(&self, $($p: $t),*) -> $crate::__stairway::Checked<$r> {
                    #[allow(unused_mut)]
                    let mut call = __c::Session::call(&self.0, $f_link)?;
                    $(call.pass(&$p)?;)*
                    let result = call.run::<$r>()?;
                    $({
                        let mut lent = $p;
                        call.take_back(&mut lent)?;
                    })*
                    ::core::result::Result::Ok(result)
                }
            )*
        }

        impl<'r> Mocks<'_, 'r> {
            $(
                $(#[$m_meta])*
                pub fn $mock(
                    &self,
                    mut answer: impl FnMut(&__c::Session<'r>, $($mt),*) -> $crate::__stairway::Checked<$mr> + 'r,
                ) {
                    let mock = move |session: &__c::Session<'r>, call: &mut __c::MockCall<'_, '_>| {
                        $(let $mp = call.argument::<$mt>();)*
                        let result = answer(session, $($mp),*)?;
                        call.answer(&result);
                        ::core::result::Result::Ok(())
                    };
                    __c::Session::mocks(self.0).set($m_link, ::std::boxed::Box::new(mock));
                }
            )*
        }
    };
}
