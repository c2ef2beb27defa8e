//! `const_property! { name(x: u8, n: usize in 0..=5, xs: [u8; n]): expression }`: QuickCheck for `const fn`s,
//! run by the compiler.
//!
//! Arguments are drawn from the engine's stream: first enumerated, the simplest ones first, then at random.

use super::{Head, Options, doc_text};
use crate::machine::tidy;
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

/// How an argument is drawn, shown, and passed.
struct Drawn {
    draw: TokenStream,
    show: TokenStream,
}

fn drawn(argument: &Argument, before: &[Argument]) -> Result<Drawn> {
    let name = &argument.name;
    match (&argument.ty, &argument.among) {
        (Type::Array(array), None) => {
            let length = before
                .iter()
                .find(|other| matches!(&array.len, Expr::Path(path) if path.path.is_ident(&other.name)));
            let element = &array.elem;
            let value = value(element, None)?;
            let shown = shown(element, &quote!(#name[i]));
            let show = quote!({ t.str("["); let mut i = 0; while i < #name.len() { if i > 0 { t.str(", "); } #shown i += 1; } t.str("]"); });
            let Some(length) = length else {
                let len = &array.len;
                let draw = quote!(let #name: [#element; #len] = { let (mut a, mut i) = ([#value; #len], 1); while i < a.len() { a[i] = #value; i += 1; } a };);
                return Ok(Drawn { draw, show });
            };
            let Some(Expr::Range(range)) = &length.among else {
                return Err(Error::new_spanned(
                    &length.ty,
                    format!(
                        "say how large `{}` may be, because an array is as long: `{}: usize in 0..=8`",
                        length.name, length.name
                    ),
                ));
            };
            let Some(end) = &range.end else {
                return Err(Error::new_spanned(range, "an array needs a largest length: `in 0..=8`"));
            };
            let (len, room) = (&length.name, format_ident!("__room_{name}"));
            let draw = quote! {
                let mut #room: [#element; (#end) as usize + 1] = [#value; (#end) as usize + 1];
                let mut i = 0;
                while i < #len as usize { #room[i] = #value; i += 1; }
                let #name: &[#element] = #room.split_at(#len as usize).0;
            };
            Ok(Drawn { draw, show })
        }
        (ty, among) => {
            let value = value(ty, among.as_ref())?;
            let is_shown_by_index = matches!(among, Some(Expr::Array(_)));
            let show = match among {
                Some(Expr::Array(array)) if is_shown_by_index => {
                    let texts = array.elems.iter().map(|e| tidy(e));
                    let index = format_ident!("__index_{name}");
                    quote!(t.str([#(#texts),*][#index]);)
                }
                _ => shown(ty, &quote!(#name)),
            };
            let draw = match among {
                Some(Expr::Array(array)) => {
                    let index = format_ident!("__index_{name}");
                    let n = array.elems.len() as u64;
                    quote!(let #index = c.alternative(#n) as usize; let #name: #ty = #array[#index];)
                }
                _ => quote!(let #name: #ty = #value;),
            };
            Ok(Drawn { draw, show })
        }
    }
}

/// An expression that draws a value.
fn value(ty: &Type, among: Option<&Expr>) -> Result<TokenStream> {
    let text = quote!(#ty).to_string();
    let is = |names: &[&str]| names.contains(&text.as_str());
    let (unsigned, signed) =
        (is(&["u8", "u16", "u32", "u64", "usize"]), is(&["i8", "i16", "i32", "i64", "isize"]));
    let bounds = match among {
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
    let (lo, hi) = bounds;
    match ty {
        _ if unsigned => Ok(quote!(c.unsigned((#lo) as u64, (#hi) as u64, (#lo) as u64) as #ty)),
        _ if signed => Ok(quote!(c.signed((#lo) as i64, (#hi) as i64, 0) as #ty)),
        _ if is(&["bool"]) => Ok(quote!(c.chance(1, 2))),
        _ if is(&["char"]) => Ok(quote!(c.character(0x20, 0x7E))),
        _ if is(&["f32", "f64"]) => Ok(quote!(c.float(-1000.0, 1000.0, false) as #ty)),
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().map(|ty| value(ty, None)).collect::<Result<Vec<_>>>()?;
            Ok(quote!((#(#parts,)*)))
        }
        Type::Array(array) => {
            let (part, len) = (value(&array.elem, None)?, &array.len);
            Ok(
                quote!({ let (mut a, mut i) = ([#part; #len], 1); while i < a.len() { a[i] = #part; i += 1; } a }),
            )
        }
        _ => Err(Error::new_spanned(
            ty,
            format!("`{text}` cannot be drawn by itself: list its values, `x: {text} in [..]`"),
        )),
    }
}

/// Statements that show a value.
fn shown(ty: &Type, v: &TokenStream) -> TokenStream {
    let text = quote!(#ty).to_string();
    match ty {
        Type::Tuple(tuple) => {
            let parts = tuple.elems.iter().enumerate().map(|(k, ty)| {
                let at = syn::Index::from(k);
                let part = shown(ty, &quote!((#v).#at));
                let comma = (k > 0).then(|| quote!(t.str(", ");));
                quote!(#comma #part)
            });
            quote!(t.str("("); #(#parts)* t.str(")");)
        }
        Type::Array(array) => {
            let part = shown(&array.elem, &quote!(inner[j]));
            quote!({ let (inner, mut j) = (#v, 0); t.str("["); while j < inner.len() { if j > 0 { t.str(", "); } #part j += 1; } t.str("]"); })
        }
        _ => match text.as_str() {
            "u8" | "u16" | "u32" | "u64" | "usize" => quote!(t.uint((#v) as u128);),
            "i8" | "i16" | "i32" | "i64" | "isize" => quote!(t.int((#v) as i128);),
            "bool" => quote!(t.str(if #v { "true" } else { "false" });),
            "char" => quote!(t.char(#v);),
            "f32" | "f64" => quote!(t.float((#v) as f64);),
            _ => quote!(t.str("_");),
        },
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
            pub(super) const fn __judge(c: &mut ::stairway::machine::core::Choices<'_>, is_shown: bool) -> (__Outcome, __e::Text) {
                #(#draws)*
                #assumed
                if #holds { return (__Outcome::Holds, __e::Text::new()); }
                let mut t = __e::Text::new();
                if is_shown { #(#shows)* }
                (__Outcome::Fails, t)
            }
            const __HEAD: &str = concat!("property `", #name_text, "` does not hold", #doc, "\n  property: ", #text, "\n  for:");
            const __SEED: u64 = ::stairway::machine::core::seed(::core::option_env!("STAIRWAY_CHECK_SEED"), #seed);
            const fn __search() -> __e::Text {
                let (mut n, mut n_held) = (0u64, 0u64);
                let mut record = __e::RECORD;
                let mut c = ::stairway::machine::core::Choices::counting(&mut record);
                while n < #counted {
                    let (outcome, text) = __judge(&mut c, true);
                    match outcome {
                        __Outcome::Fails => return ::stairway::machine::core::headed(__HEAD, &text),
                        __Outcome::Holds => n_held += 1,
                        __Outcome::Refused => {}
                    }
                    if !c.advance() { break; }
                    n += 1;
                }
                let mut n = 0u64;
                while n < #n_random {
                    let mut c = ::stairway::machine::core::Choices::new(::stairway::machine::core::Source::Random(::stairway::machine::core::Prng::for_case(__SEED, n)), 10 + (n % 90) as u32);
                    match __judge(&mut c, true) {
                        (__Outcome::Fails, text) => return ::stairway::machine::core::headed(__HEAD, &text),
                        (__Outcome::Holds, _) => n_held += 1,
                        (__Outcome::Refused, _) => {}
                    }
                    n += 1;
                }
                let mut t = __e::Text::new();
                if n_held == 0 && !#may_be_vacuous {
                    t.str(concat!("property `", #name_text, "` was not checked: no arguments meet its condition; draw arguments that do, or write the option `vacuous`"));
                }
                t
            }
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
