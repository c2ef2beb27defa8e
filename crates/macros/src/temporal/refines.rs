//! `refines!`: a machine is a more detailed description of another one.
//!
//! `name: detailed refines general by function` becomes a constant that fails to evaluate if some step of the
//! first machine, mapped by the function, is neither a step of the second nor stays in its state.

use crate::attributes::OrWrite;
use crate::home::Home;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, LitInt, Path, Result, Token, parenthesized};

struct RefinesClaim {
    docs: Vec<Attribute>,
    name: Ident,
    detailed: Path,
    general: Path,
    by: Path,
    states: Option<usize>,
}

impl Parse for RefinesClaim {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        const WRITE: &str = "write `name: detailed refines general by function`, with a `const fn(detailed::State) -> general::State`";
        let word = |wanted: &str| -> Result<()> {
            let word: Ident = input.parse().or_write(WRITE)?;
            if word == wanted { Ok(()) } else { Err(Error::new_spanned(word, WRITE)) }
        };
        let docs = input.call(Attribute::parse_outer)?;
        let name = input.parse().or_write(WRITE)?;
        input.parse::<Token![:]>().or_write(WRITE)?;
        let detailed = input.parse().or_write(WRITE)?;
        word("refines")?;
        let general = input.parse().or_write(WRITE)?;
        word("by")?;
        let by = input.parse().or_write(WRITE)?;
        let mut states = None;
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            word("states")?;
            let inside;
            parenthesized!(inside in input);
            states = Some(inside.parse::<LitInt>()?.base10_parse()?);
        }
        Ok(RefinesClaim { docs, name, detailed, general, by, states })
    }
}

pub(crate) fn refines(input: TokenStream, home: Home) -> TokenStream {
    match syn::parse2::<RefinesClaim>(input) {
        Ok(refines) => home.reached(expand(&refines)),
        Err(error) => error.into_compile_error(),
    }
}

fn expand(refines: &RefinesClaim) -> TokenStream {
    let RefinesClaim { docs, name, detailed, general, by, states } = refines;
    let of = |path: &Path| path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default();
    let (name, by_name) = (name.to_string(), of(by));
    let (detailed_name, general_name) = (of(detailed), of(general));
    let expanded = quote! {
        #(#docs)*
        #[allow(long_running_const_eval)]
        const _: () = {
            ::stairway::machine::core::__refinement! {
                #name #detailed_name #general_name #by_name [#detailed] [#general] [#by] #states
            }
            const VERDICT: &::stairway::machine::core::Text = &judge();
            if !VERDICT.is_empty() { panic!("{}", VERDICT.as_str()) }
        };
    };
    // If a machine has a mistake, only that is reported.
    quote!(#detailed::__check! { #general::__check! { #expanded } })
}
