//! `const_property! { name(x: u8, n: usize in 0..=5, xs: [u8; n]): expression }`: QuickCheck for `const fn`s,
//! run by the compiler.
//!
//! Arguments are drawn from the engine's stream: first enumerated, the simplest ones first, then at random.

use super::{Head, Options, doc_text};
use crate::machine::{Kind, tidy};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::ParseStream;
use syn::{Error, Expr, Result, Token, Type, parenthesized};

/// How many arguments are counted through, and how many drawn.
const N_COUNTED: u64 = 300;
const N_RANDOM: u64 = 100;

struct Argument {
    name: Ident,
    ty: Type,
    /// `in 0..=5` or `in [A, B]`.
    among: Option<Expr>,
}

pub(super) fn read(head: Head, input: ParseStream<'_>) -> Result<TokenStream> {
    let inside;
    parenthesized!(inside in input);
    let mut arguments = Vec::new();
    while !inside.is_empty() {
        let name = inside.parse()?;
        inside.parse::<Token![:]>()?;
        let ty = inside.parse()?;
        let among = if inside.peek(Token![in]) {
            inside.parse::<Token![in]>()?;
            Some(inside.parse()?)
        } else {
            None
        };
        arguments.push(Argument { name, ty, among });
        if !inside.is_empty() {
            inside.parse::<Token![,]>()?;
        }
    }
    let assumes: Option<Expr> = if input.peek(Token![if]) {
        input.parse::<Token![if]>()?;
        Some(input.parse()?)
    } else {
        None
    };
    let options: Options = input.parse()?;
    input.parse::<Token![:]>()?;
    let holds: Expr = input.parse()?;
    expand(&head, &arguments, assumes.as_ref(), &options, &holds)
}

/// How an argument is drawn, and shown.
struct ArgumentCode {
    draw: TokenStream,
    show: TokenStream,
}

fn drawn(argument: &Argument, before: &[Argument]) -> Result<ArgumentCode> {
    let Argument { name, ty, among } = argument;
    let show = Kind::alone(ty).show(&quote!(#name));
    match (ty, among) {
        (Type::Array(array), None) => {
            let is_length =
                |other: &&Argument| matches!(&array.len, Expr::Path(path) if path.path.is_ident(&other.name));
            if let Some(length) = before.iter().find(is_length) {
                return Ok(ArgumentCode { draw: slice(name, &array.elem, length)?, show });
            }
        }
        (_, Some(Expr::Array(list))) => {
            let texts = list.elems.iter().map(|e| tidy(e));
            let (index, n) = (format_ident!("__index_{name}"), list.elems.len() as u64);
            let draw = quote!(let #index = c.alternative(#n) as usize; let #name: #ty = #list[#index];);
            return Ok(ArgumentCode { draw, show: quote!(t.str([#(#texts),*][#index]);) });
        }
        _ => {}
    }
    let value = value(ty, among.as_ref())?;
    Ok(ArgumentCode { draw: quote!(let #name: #ty = #value;), show })
}

/// Statements that draw a slice that is as long as another argument says.
fn slice(name: &Ident, element: &Type, length: &Argument) -> Result<TokenStream> {
    let Some(Expr::Range(range)) = &length.among else {
        let n = &length.name;
        let message =
            format!("say how large `{n}` may be, because an array is as long: `{n}: usize in 0..=8`");
        return Err(Error::new_spanned(&length.ty, message));
    };
    let Some(end) = &range.end else {
        return Err(Error::new_spanned(range, "an array needs a largest length: `in 0..=8`"));
    };
    let (value, len, room) = (value(element, None)?, &length.name, format_ident!("__room_{name}"));
    Ok(quote! {
        let mut #room: [#element; (#end) as usize + 1] = [#value; (#end) as usize + 1];
        let mut i = 0;
        while i < #len as usize { #room[i] = #value; i += 1; }
        let #name: &[#element] = #room.split_at(#len as usize).0;
    })
}

/// An expression that draws a value.
fn value(ty: &Type, among: Option<&Expr>) -> Result<TokenStream> {
    let (lo, hi) = match among {
        Some(Expr::Range(range)) => {
            let (start, end) = (range.start.as_ref(), range.end.as_ref());
            let start = start.map_or(quote!(#ty::MIN), |start| quote!(#start));
            let end = match (end, &range.limits) {
                (None, _) => quote!(#ty::MAX),
                (Some(end), syn::RangeLimits::HalfOpen(_)) => quote!(((#end) - 1)),
                (Some(end), _) => quote!((#end)),
            };
            (start, end)
        }
        Some(Expr::Array(_)) => return Ok(quote!()),
        Some(other) => {
            return Err(Error::new_spanned(
                other,
                "write a range or a list: `x: u8 in 0..=9`, `pin: Pin in [Pin::Correct, Pin::Incorrect]`",
            ));
        }
        None => (quote!(#ty::MIN), quote!(#ty::MAX)),
    };
    match (Kind::alone(ty), ty) {
        (Kind::Unsigned(_), _) => Ok(quote!(c.unsigned((#lo) as u64, (#hi) as u64, (#lo) as u64) as #ty)),
        (Kind::Signed(_), _) => Ok(quote!(c.signed((#lo) as i64, (#hi) as i64, 0) as #ty)),
        (Kind::Bool, _) => Ok(quote!(c.chance(1, 2))),
        (Kind::Char, _) => Ok(quote!(c.character(0x20, 0x7E))),
        (Kind::Float(_), _) => Ok(quote!(c.float(-1000.0, 1000.0, false) as #ty)),
        (_, Type::Tuple(tuple)) => {
            let parts = tuple.elems.iter().map(|ty| value(ty, None)).collect::<Result<Vec<_>>>()?;
            Ok(quote!((#(#parts,)*)))
        }
        (_, Type::Array(array)) => {
            let (part, len) = (value(&array.elem, None)?, &array.len);
            Ok(
                quote!({ let (mut a, mut i) = ([#part; #len], 1); while i < a.len() { a[i] = #part; i += 1; } a }),
            )
        }
        _ => {
            let text = quote!(#ty).to_string();
            let message = format!("`{text}` cannot be drawn by itself: list its values, `x: {text} in [..]`");
            Err(Error::new_spanned(ty, message))
        }
    }
}

fn expand(
    head: &Head,
    arguments: &[Argument],
    assumes: Option<&Expr>,
    options: &Options,
    holds: &Expr,
) -> Result<TokenStream> {
    let Head { docs, visibility, name } = head;
    if options.is_exhaustive && options.depth.is_some() || options.states.is_some() {
        return Err(Error::new_spanned(
            name,
            "`depth` and `states` belong to machines; a property of functions has `random(100)`, `seed(1)` and `vacuous`",
        ));
    }
    let drawn = arguments
        .iter()
        .enumerate()
        .map(|(k, argument)| drawn(argument, &arguments[..k]))
        .collect::<Result<Vec<_>>>()?;
    let draws = drawn.iter().map(|d| &d.draw);
    let shows = arguments.iter().zip(&drawn).map(|(argument, drawn)| {
        let (lead, show) = (format!("\n    {} = ", argument.name), &drawn.show);
        quote!(t.str(#lead); #show)
    });
    let (name_text, doc, text) = (name.to_string(), doc_text(docs), tidy(holds));
    let assumed = assumes.map(|expr| quote!(if !(#expr) { return (__Outcome::Refused, __e::Text::new()); }));
    let (n_random, seed, may_be_vacuous) =
        (options.random.unwrap_or(N_RANDOM), options.seed.unwrap_or(1), options.may_be_vacuous);
    let counted = if options.random.is_some() { 0 } else { N_COUNTED };
    let n_tests = options.tests.unwrap_or(n_random * 100);
    let test_name = name;
    Ok(quote! {
        #(#docs)*
        #[allow(dead_code, unused_imports, unused_variables, unused_mut, unreachable_pub, clippy::all, clippy::pedantic, missing_docs)]
        #visibility mod #name {
            use super::*;
            use ::stairway::machine::core as __e;
            pub(super) enum __Outcome { Holds, Refused, Fails }
            /// Draws arguments and looks whether the property holds for them.
            pub(super) const fn __judge(c: &mut __e::Choices<'_>, is_shown: bool) -> (__Outcome, __e::Text) {
                #(#draws)*
                #assumed
                if #holds { return (__Outcome::Holds, __e::Text::new()); }
                let mut t = __e::Text::new();
                if is_shown { #(#shows)* }
                (__Outcome::Fails, t)
            }
            __e::__function_search! { #name_text #doc #text #seed #counted #n_random #may_be_vacuous }
            #[allow(long_running_const_eval)]
            const _: () = {
                let t = __search();
                if !t.is_empty() { panic!("{}", t.as_str()) }
            };
        }
        #[cfg(test)]
        #[test]
        fn #test_name() {
            ::stairway::machine::check_function(concat!(::core::module_path!(), "::", #name_text), #text, #n_tests, |c, is_shown| {
                match #name::__judge(c, is_shown) {
                    (#name::__Outcome::Holds, _) => Some(None),
                    (#name::__Outcome::Refused, _) => None,
                    (#name::__Outcome::Fails, text) => Some(Some(::std::string::String::from(text.as_str()))),
                }
            });
        }
    })
}
