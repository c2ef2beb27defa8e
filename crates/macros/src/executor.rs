//! Who runs the futures of async operations and functions.
//!
//! Expands the option `executor = path` to the call that runs a future to its end, as tokens and as text for
//! printed tests. `executor = tokio` needs no function of the user's: the expansion brings one, which also
//! works under `#[tokio::test]`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Error, Expr, Path, Result};

/// Who runs futures.
#[derive(Clone, Default)]
pub(crate) enum Executor {
    /// Whoever calls, with nothing else around it.
    #[default]
    Ours,
    /// Tokio.
    Tokio,
    /// A function that is given a future.
    Named(Path),
}

/// What a call gives that nothing awaits: if it is a future, a compile error at `place` says so. `declared`
/// is the type that was declared for it.
pub(crate) fn unawaited(call: &TokenStream, declared: Option<&TokenStream>, place: Span) -> TokenStream {
    let declared = declared.map(|declared| quote!(, #declared));
    quote_spanned!(place=> ::stairway::__private::ready!(#call #declared))
}

/// What a call gives, awaited; if it is no future, a compile error at `place` says so.
pub(crate) fn awaited(call: &TokenStream, place: Span) -> TokenStream {
    let given = Ident::new("__given", Span::mixed_site().located_at(place));
    // All at one place, so that rustc says it once.
    quote_spanned!(place=> {
        let #given = #call;
        ::stairway::__private::awaited(#given).await
    })
}

/// Has `path` run a future that gives up when its run takes too long.
pub(crate) fn limited(path: &Path, future: &TokenStream) -> TokenStream {
    quote!(::stairway::__private::in_time(#path(::stairway::__private::limited(#future))))
}

impl Executor {
    /// What `executor = value` means.
    pub(crate) fn parse(value: &Expr) -> Result<Self> {
        match value {
            Expr::Path(path) if path.qself.is_none() && path.path.is_ident("tokio") => Ok(Executor::Tokio),
            Expr::Path(path) if path.qself.is_none() => Ok(Executor::Named(path.path.clone())),
            other => Err(Error::new_spanned(
                other,
                "`executor` is `tokio`, or the path of a function that runs a future to its end: write \
                 `executor = path::to::block_on`",
            )),
        }
    }

    /// Runs `future` to its end, or ends the test if that takes too long; the [helper](Executor::helper) is
    /// reached through `prefix`.
    pub(crate) fn run(&self, prefix: &TokenStream, future: &TokenStream) -> TokenStream {
        match self {
            Executor::Ours => quote!(::stairway::block_on(#future)),
            Executor::Tokio => quote!(#prefix __on_tokio(#future)),
            Executor::Named(path) => limited(path, future),
        }
    }

    /// The function that a printed test calls.
    pub(crate) fn text(&self) -> String {
        match self {
            Executor::Ours => String::new(),
            Executor::Tokio => "tokio::runtime::Runtime::new().unwrap().block_on".to_string(),
            Executor::Named(path) => path.to_token_stream().to_string().replace(' ', ""),
        }
    }

    /// The function that runs futures on Tokio: in a runtime of the thread, or, where the thread is inside a
    /// runtime already, which must not be blocked on, beside one that another thread drives.
    pub(crate) fn helper(&self) -> Option<TokenStream> {
        if !matches!(self, Executor::Tokio) {
            return None;
        }
        Some(quote! {
            #[doc(hidden)]
            #[allow(dead_code, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            fn __on_tokio<F: ::core::future::Future>(future: F) -> F::Output {
                fn runtime() -> ::tokio::runtime::Runtime {
                    let built = ::tokio::runtime::Builder::new_current_thread().enable_all().build();
                    built.expect("a runtime of Tokio can be made")
                }
                ::std::thread_local! {
                    static OWN: ::tokio::runtime::Runtime = runtime();
                }
                static OTHER: ::std::sync::OnceLock<::tokio::runtime::Handle> = ::std::sync::OnceLock::new();
                if ::tokio::runtime::Handle::try_current().is_err() {
                    let future = ::stairway::__private::limited(future);
                    return ::stairway::__private::in_time(OWN.with(|own| own.block_on(future)));
                }
                let other = OTHER.get_or_init(|| {
                    let runtime = runtime();
                    let handle = runtime.handle().clone();
                    ::std::thread::spawn(move || runtime.block_on(::core::future::pending::<()>()));
                    handle
                });
                let _inside = other.enter();
                // The task around this has a budget of polls, which nobody renews while it is blocked on.
                ::stairway::__private::block_on_inside(::tokio::task::unconstrained(future))
            }
        })
    }
}
