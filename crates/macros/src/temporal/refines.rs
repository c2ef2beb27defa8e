//! `refines!`: a machine is a more detailed description of another one.
//!
//! `name: detailed refines general by function` becomes a constant that fails to evaluate if some step of the
//! first machine, mapped by the function, is neither a step of the second nor stays in its state.

use crate::home::Home;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, LitInt, Path, Result, Token, parenthesized};

struct Refines {
    docs: Vec<Attribute>,
    name: Ident,
    detailed: Path,
    general: Path,
    by: Path,
    states: Option<usize>,
}

impl Parse for Refines {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const WRITE: &str = "write `name: detailed refines general by function`, with a `const fn(detailed::State) -> general::State`";
        let word = |wanted: &str| -> Result<()> {
            let word: Ident = input.parse().map_err(|error| Error::new(error.span(), WRITE))?;
            if word == wanted { Ok(()) } else { Err(Error::new_spanned(word, WRITE)) }
        };
        let docs = input.call(Attribute::parse_outer)?;
        let name = input.parse().map_err(|error| Error::new(error.span(), WRITE))?;
        input.parse::<Token![:]>().map_err(|error| Error::new(error.span(), WRITE))?;
        let detailed = input.parse().map_err(|error| Error::new(error.span(), WRITE))?;
        word("refines")?;
        let general = input.parse().map_err(|error| Error::new(error.span(), WRITE))?;
        word("by")?;
        let by = input.parse().map_err(|error| Error::new(error.span(), WRITE))?;
        let mut states = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            word("states")?;
            let inside;
            parenthesized!(inside in input);
            states = Some(inside.parse::<LitInt>()?.base10_parse()?);
        }
        Ok(Refines { docs, name, detailed, general, by, states })
    }
}

pub(crate) fn refines(input: TokenStream, home: Home) -> TokenStream {
    match syn::parse2::<Refines>(input) {
        Ok(refines) => home.reached(expand(&refines)),
        Err(error) => error.into_compile_error(),
    }
}

fn expand(refines: &Refines) -> TokenStream {
    let Refines { docs, name, detailed, general, by, states } = refines;
    let (name_text, by_text) = (name.to_string(), by.segments.last().map(|last| last.ident.to_string()));
    let of = |path: &Path| path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let (detailed_name, general_name) = (of(detailed), of(general));
    let known = |machine: &Path| match states {
        None => quote!(#machine::__whole::<true>()),
        Some(states) => {
            let n_edges = states * 8;
            quote! {{
                #[allow(long_running_const_eval)]
                const OWN: &#machine::__Explored<#states, #n_edges> = &#machine::__explore(
                    None, __e::Limits::new(#states, #n_edges, u32::MAX), __e::Scrutiny::NONE, None,
                );
                OWN.known()
            }}
        }
    };
    let (detailed_known, general_known) = (known(detailed), known(general));
    let constant = format_ident!("_");
    let expanded = quote! {
        #(#docs)*
        #[allow(long_running_const_eval)]
        const #constant: () = {
            use ::stairway::machine::core as __e;
            const D: __e::Known<'static, #detailed::State, #detailed::Op> = #detailed_known;
            const G: __e::Known<'static, #general::State, #general::Op> = #general_known;
            const fn judge() -> __e::Text {
                let mut t = __e::Text::new();
                if !D.is_complete() || !G.is_complete() {
                    t.str(concat!("refinement `", #name_text, "` is not decided: "));
                    t.str(if D.is_complete() { #general_name } else { #detailed_name });
                    t.str(" cannot be explored whole; bound its data, or allow more with `, states(n)`");
                    return t;
                }
                const N: usize = D.states.len();
                const M: usize = G.states.len();
                let (mut keys, mut i) = ([0u128; M], 0);
                while i < M { keys[i] = #general::__key_of(&G.states[i]); i += 1; }
                let (mut stands_for, mut i) = ([u32::MAX; N], 0);
                while i < N {
                    let key = #general::__key_of(&#by(D.states[i]));
                    let mut k = 0;
                    while k < M { if keys[k] == key { stands_for[i] = k as u32; break; } k += 1; }
                    i += 1;
                }
                let (detailed, general) = (__e::Steps { to: D.to, first: D.first }, __e::Steps { to: G.to, first: G.first });
                let is_started = stands_for[0] == 0;
                let wrong = __e::unrefined(detailed, general, &stands_for);
                if is_started && wrong.is_none() { return t; }
                t.str(concat!("refinement `", #name_text, "` does not hold: `", #detailed_name, "` does what `", #general_name, "` does not\n  by `", #by_text, "`, "));
                match wrong {
                    Some(edge) if is_started => {
                        t.str("the last step leads from `");
                        let (mut by, mut path) = ([0u32; N], [0u32; N + 1]);
                        let n = detailed.way_to(edge, &mut by, &mut path);
                        let before = if n > 1 { D.states[D.to[path[n - 2] as usize] as usize] } else { D.states[0] };
                        #by(before).__show(&mut t);
                        t.str("` to `");
                        #by(D.states[D.to[edge] as usize]).__show(&mut t);
                        t.str("`, which is no step:");
                        #detailed::__show_path(&mut t, &D, &path, __e::Counterexample { n_path: n, cycle_from: None });
                    }
                    _ => {
                        t.str("it starts in `");
                        #by(D.states[0]).__show(&mut t);
                        t.str("`, and the other one in `");
                        G.states[0].__show(&mut t);
                        t.str("`");
                    }
                }
                t
            }
            const VERDICT: &__e::Text = &judge();
            if !VERDICT.is_empty() { panic!("{}", VERDICT.as_str()) }
        };
    };
    // If a machine has a mistake, only that is reported.
    quote!(#detailed::__check! { #general::__check! { #expanded } })
}
