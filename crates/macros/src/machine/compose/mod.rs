//! `compose!`: several machines and channels between them become one machine.
//!
//! A macro sees only its input, and the input of `compose!` is names. So each machine passes its own text on
//! through its door: `compose!` asks the first machine, which calls `composed!` with its text, which asks the
//! second, and so on. When all texts are there, `module` writes a module as a user could have written it, and
//! `#[machine]` reads it: there is no second kind of machine.

mod action;
mod bounds;
mod composition;
mod messages;
mod module;
mod system;

use super::{Machine, door};
use crate::home::Home;
pub(super) use bounds::constants;
use composition::Composition;
pub(super) use messages::alias;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Error, ItemMod, Result, braced};
pub(super) use system::System;

/// Asks the first machine what it is.
pub(crate) fn compose(input: TokenStream, home: Home) -> TokenStream {
    match syn::parse2::<Composition>(input.clone()).and_then(|written| written.diagnose().map(|()| written)) {
        Ok(written) => ask(&written, &input, &TokenStream::new(), 0, home),
        Err(error) => error.into_compile_error(),
    }
}

/// `{ what compose! was given } { a machine } { the next machine } ..`: asks the next one, or is complete.
pub(crate) fn composed(input: TokenStream, home: Home) -> TokenStream {
    let expanded = PartTexts::read.parse2(input).map(|known| {
        if known.machines.len() < known.written.parts.len() {
            return ask(&known.written, &known.given, &known.tokens(), known.machines.len(), home);
        }
        // Of a machine with a mistake there is nothing, and the mistake was named already.
        if known.machines.iter().any(TokenStream::is_empty) {
            return shut(&known.written);
        }
        match known.machine(home) {
            Ok(machine) => home.reached(super::expand(&machine)),
            Err(mistake) => {
                let (mistake, shut) = (mistake.into_compile_error(), shut(&known.written));
                quote!(#mistake #shut)
            }
        }
    });
    expanded.unwrap_or_else(Error::into_compile_error)
}

/// What `compose!` was given, and the texts of the machines that were asked.
struct PartTexts {
    given: TokenStream,
    written: Composition,
    machines: Vec<TokenStream>,
}

impl PartTexts {
    fn read(input: ParseStream<'_>) -> Result<PartTexts> {
        let inside;
        braced!(inside in input);
        let given: TokenStream = as_written_here(inside.parse()?);
        let written: Composition = syn::parse2(given.clone())?;
        let machines: TokenStream = input.parse()?;
        let machines = machines.into_iter().filter_map(|token| match token {
            TokenTree::Group(group) => Some(group.stream()),
            _ => None,
        });
        Ok(PartTexts { given, written, machines: machines.collect() })
    }

    fn tokens(&self) -> TokenStream {
        let machines = &self.machines;
        quote!(#({ #machines })*)
    }

    fn machine(&self, home: Home) -> Result<Machine> {
        let machines = self.machines.iter().map(|machine| declared(machine.clone(), home));
        let machines = machines.collect::<Result<Vec<Machine>>>()?;
        let (options, module, system) = module::module(&self.written, &machines)?;
        let (given, known) = (&self.given, self.tokens());
        // As a part of another machine it is made anew from its own parts.
        let declared = quote!(compose { #given } #known);
        Machine::read_system(options, module, system, declared, home)
    }
}

fn ask(written: &Composition, given: &TokenStream, known: &TokenStream, k: usize, home: Home) -> TokenStream {
    let path = &written.parts[k].path;
    let back = home.reached(match home {
        Home::Stairway => quote!(::stairway::machine::__composed),
        Home::Machine => quote!(::stairway::machine::core::__composed),
    });
    quote!(#path::__check! { @declared [#back] { #given } #known })
}

/// A machine as it goes through its door: its options and its module, or what it was composed of.
fn declared(tokens: TokenStream, home: Home) -> Result<Machine> {
    let read = |input: ParseStream<'_>| -> Result<Machine> {
        if input.peek(syn::Ident) {
            input.parse::<syn::Ident>()?;
            return PartTexts::read(input)?.machine(home);
        }
        let options;
        braced!(options in input);
        let options: TokenStream = options.parse()?;
        Machine::read(syn::parse2(options)?, input.parse()?, home)
    };
    read.parse2(as_written_here(tokens))
}

/// What a `macro_rules` hands on has names that only it can see: here they are everybody's, and stay where
/// they were written.
fn as_written_here(tokens: TokenStream) -> TokenStream {
    let here = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            let span = group.span();
            token = Group::new(group.delimiter(), as_written_here(group.stream())).into();
            token.set_span(span);
        }
        token.set_span(token.span().resolved_at(Span::call_site()));
        token
    };
    tokens.into_iter().map(here).collect()
}

/// A module that lets no property through.
fn shut(written: &Composition) -> TokenStream {
    let (visibility, name) = (&written.visibility, &written.name);
    let module: ItemMod = syn::parse_quote!(#visibility mod #name {});
    door::shut(&module)
}
