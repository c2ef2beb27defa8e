//! Bindings for `stairway_c::library!`, from C declarations.
//!
//! The macro reads what a test says of its C files (`module.rs`, `request.rs`), has the C compiler compile
//! them and reads what it knows (`inspect.rs`), finds a Rust type for each C type (`types.rs`), plans each
//! function (`plan.rs`), and writes declarations and methods (`expand.rs`). It calls nothing and checks no
//! memory: that is `stairway_c::library`.

mod expand;
mod inspect;
mod module;
mod plan;
mod request;
mod types;

#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Takes `stairway_c::library!` apart: files, flags, and what is said of them.
///
/// Use it through `stairway_c::library!`.
#[doc(hidden)]
#[proc_macro]
pub fn __module(input: TokenStream) -> TokenStream {
    let module = syn::parse::<module::Module>(input);
    module.map_or_else(syn::Error::into_compile_error, |module| module.expand()).into()
}

/// What `stairway_c::library!` expands to: the declarations as they are, and bindings where `bind` asks for
/// them.
///
/// Use it through `stairway_c::library!`.
#[doc(hidden)]
#[proc_macro]
pub fn __bind(input: TokenStream) -> TokenStream {
    expand::expand(input.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}
