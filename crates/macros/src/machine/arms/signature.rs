//! The signature of `next`: the names of its parameters, and whether it returns an option itself.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Error, FnArg, ItemFn, Pat, Result};

/// The names of the parameters of `next`.
pub(in super::super) struct Parameters {
    pub(in super::super) state: Ident,
    pub(in super::super) op: Ident,
    pub(in super::super) is_state_lent: bool,
    pub(in super::super) is_op_lent: bool,
}

const SIGNATURE: &str =
    "write `fn next(s: State, op: Op) -> State`, or `-> Option<State>` to say `None` yourself";

impl Parameters {
    pub(in super::super) fn of(next: &ItemFn) -> Result<Self> {
        let wrong = || Error::new_spanned(&next.sig, SIGNATURE);
        let (mut state, mut op) = (None, None);
        for input in &next.sig.inputs {
            let FnArg::Typed(typed) = input else { return Err(wrong()) };
            let name = match &*typed.pat {
                Pat::Ident(name) => name.ident.clone(),
                pat => {
                    return Err(Error::new_spanned(
                        pat,
                        "give this parameter a name, and take it apart in the `match`",
                    ));
                }
            };
            let ty = typed.ty.to_token_stream().to_string();
            let is_lent = ty.starts_with('&');
            match ty.trim_start_matches(['&', ' ']) {
                "State" => state = Some((name, is_lent)),
                "Op" => op = Some((name, is_lent)),
                _ => return Err(wrong()),
            }
        }
        let ((state, is_state_lent), (op, is_op_lent)) = state.zip(op).ok_or_else(wrong)?;
        Ok(Parameters { state, op, is_state_lent, is_op_lent })
    }
}

/// Whether `next` returns an option.
pub(in super::super) fn is_optional(next: &ItemFn) -> Result<bool> {
    let syn::ReturnType::Type(_, ty) = &next.sig.output else {
        return Err(Error::new_spanned(&next.sig, SIGNATURE));
    };
    match ty.to_token_stream().to_string().replace(' ', "").as_str() {
        "State" => Ok(false),
        "Option<State>" => Ok(true),
        _ => Err(Error::new_spanned(ty, SIGNATURE)),
    }
}
