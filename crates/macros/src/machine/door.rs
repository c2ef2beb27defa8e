//! The door between a machine and its properties, which is shut if the machine has a mistake.
//!
//! Each `temporal!` stands inside a macro that belongs to its machine. A machine that is right lets the
//! property through; of one with a mistake the property is dropped, so that one mistake is one error
//! and not another one for each property.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Error, ItemMod};

/// The mistake, and as much of the module as its properties need.
pub(super) fn expand(module: &ItemMod, mistake: Error) -> TokenStream {
    let (mistake, visibility, name) = (mistake.into_compile_error(), &module.vis, &module.ident);
    let door = door(&module.ident, &quote!());
    quote! {
        #mistake
        #[allow(unused_imports)]
        #visibility mod #name { #door }
    }
}

/// The macro through which properties go: to what they are, or to nothing.
pub(super) fn door(name: &Ident, through: &TokenStream) -> TokenStream {
    // A macro that other crates can name is named in the root of its crate, so it needs a name of its own.
    let unique = format_ident!("__stairway_{}_{:x}", name, place(name));
    quote! {
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! #unique { ($($property:tt)*) => { #through } }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub use #unique as __check;
    }
}

/// What goes through an open door.
pub(super) fn everything() -> TokenStream {
    quote!($($property)*)
}

/// A number for the place of a name: where it stands, and in which file.
fn place(name: &Ident) -> u64 {
    if !proc_macro::is_available() {
        return 0;
    }
    let span = name.span().unwrap();
    let place = format!("{} {} {}", span.file(), span.line(), span.column());
    // FNV-1a.
    place
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
