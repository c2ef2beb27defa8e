//! The door between a machine and its properties, which is shut if the machine has a mistake.
//!
//! Each `temporal!` is expanded inside a macro that belongs to its machine. A correct machine lets the
//! property through; if the machine has a mistake, the property is dropped. So one mistake is one error,
//! without another one for each property.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Error, ItemMod};

/// The mistake, and as much of the module as its properties need.
pub(super) fn expand(module: &ItemMod, mistake: Error) -> TokenStream {
    let (mistake, shut) = (mistake.into_compile_error(), shut(module));
    quote!(#mistake #shut)
}

/// A module that lets nothing through.
pub(super) fn shut(module: &ItemMod) -> TokenStream {
    let (visibility, name) = (&module.vis, &module.ident);
    let door = door(&module.ident, unique(module), None);
    quote! {
        #[allow(unused_imports)]
        #visibility mod #name { #door }
    }
}

/// A machine as it goes through its door into another one: its options, and its module.
pub(super) fn declaration(options: &TokenStream, module: &ItemMod) -> TokenStream {
    quote!({ #options } #module)
}

/// The macro through which properties go, to what they are or to nothing; and through which the machine
/// itself goes to where it becomes a part of another one. It also says which arguments are too many to try, in
/// a word that an attribute may contain. There is no declaration if the machine has a mistake.
pub(super) fn door(name: &Ident, unique: u64, declared: Option<(&TokenStream, &str)>) -> TokenStream {
    // A macro that other crates can name is named in the root of its crate, so it needs a name of its own.
    let unique = format_ident!("__stairway_{name}_{unique:x}");
    let through = declared.map(|_| quote!($($property)*));
    let (declared, arguments) = declared.unzip();
    quote! {
        #[doc(hidden)]
        #[macro_export]
        #[allow(non_local_definitions)]
        macro_rules! #unique {
            (@arguments) => { #arguments };
            (@declared [$($back:tt)*] $($known:tt)*) => { $($back)* ! { $($known)* { #declared } } };
            ($($property:tt)*) => { #through };
        }
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub use #unique as __check;
    }
}

/// A number for a module: for where it stands and what is in it, since a macro may write several in one place.
pub(super) fn unique(module: &ItemMod) -> u64 {
    let mut text = module.to_token_stream().to_string();
    if proc_macro::is_available() {
        let span = module.ident.span().unwrap();
        text += &format!(" {} {} {}", span.file(), span.line(), span.column());
    }
    // FNV-1a.
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
