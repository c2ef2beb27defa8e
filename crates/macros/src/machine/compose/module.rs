//! Writes the module of a composed machine as a user could have written it: `State`, `Op` and `next`.
//!
//! Operations of one name are done together by all parts that have it. What only `compose!` knows, such as
//! which fields are copies, is passed on as a [`System`](super::system::System).

use super::super::Machine;
use super::super::kinds::Kind;
use super::super::names::{guess, list};
use super::action::{actions, channel, part_at, uses};
use super::composition::{Composition, Part, Wire};
use super::messages::message_type;
use super::system::System;
use crate::attributes::Problems;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{ItemEnum, Path, Result, Type, Visibility};

/// Options of `#[machine]`, the module, and what else is known.
pub(super) fn module(
    written: &Composition,
    machines: &[Machine],
) -> Result<(TokenStream, TokenStream, System)> {
    diagnose(written, machines)?;
    let mut types = Vec::new();
    for wire in &written.channels {
        types.push(message_type(written, machines, wire)?);
    }
    let actions = actions(written, machines)?;
    let parts: Vec<&Ident> = written.parts.iter().map(|part| &part.name).collect();
    let channels: Vec<&Ident> = written.channels.iter().map(|wire| &wire.name).collect();
    let part_types: Vec<TokenStream> = written.parts.iter().map(part_type).collect();
    let channel_types: Vec<TokenStream> =
        written.channels.iter().zip(&types).map(|wire| channel_type(written, wire)).collect();
    let starts = written.parts.iter().map(|part| {
        let name = &part.name;
        match part.n_copies {
            Some(_) => quote!(#name: ::stairway::machine::core::Copies::new(#name::START)),
            None => quote!(#name: #name::START),
        }
    });
    let empty = quote!(::stairway::machine::core::Channel::EMPTY);
    let no_messages = written.channels.iter().map(|wire| {
        match wire.each.as_ref().and_then(|each| written.numbered(each)) {
            Some(Part { n_copies, .. }) => quote!([#empty; #n_copies]),
            None => empty.clone(),
        }
    });
    let allowed = &written.allowed;
    let options = quote! {
        start = System {
            #(#starts,)*
            #(#channels: #no_messages),*
        },
        allow(#(#allowed),*)
    };
    let variants = actions.iter().map(|action| action.variant(written)).collect::<Result<Vec<_>>>()?;
    let disturbances = written.channels.iter().flat_map(disturbances);
    let disturbed = disturbances.clone().map(|(name, wire, _)| match &wire.each {
        Some(each) => quote!(#name { #each: u8 }),
        None => quote!(#name),
    });
    let arms = actions.iter().map(|action| action.arm(written));
    let disturbing = disturbances.clone().map(|disturbance| disturbing(written, disturbance));
    let (attributes, visibility, name) = (&written.attributes, &written.visibility, &written.name);
    let modules = written.parts.iter().map(|part| {
        let (name, path) = (&part.name, from_inside(&part.path));
        let doc = format!("The part `{name}`.");
        quote!(#[doc = #doc] #[allow(unused_imports)] pub mod #name { pub use #path::*; })
    });
    let module = quote! {
        #(#attributes)*
        #visibility mod #name {
            #(#modules)*
            pub enum State {
                /// All parts and channels.
                #[terminal]
                System { #(#parts: #part_types,)* #(#channels: #channel_types),* }
            }
            pub enum Op { #(#variants,)* #(#disturbed),* }
            fn next(s: State, op: Op) -> State {
                match (s, op) { #(#arms)* #(#disturbing)* }
            }
        }
    };
    let numbered = disturbances.clone().filter_map(|(name, wire, _)| Some((name, wire.each.as_ref()?)));
    let numbered: Vec<(Ident, &Ident)> = numbered.collect();
    let summary = actions.iter().map(|action| action.summary(written));
    let summary =
        summary.chain(disturbances.map(|(name, wire, _)| format!("{name}: {}", wire.name))).collect();
    let system = System {
        parts: parts.iter().map(|name| (*name).clone()).collect(),
        titles: written.parts.iter().map(title).collect(),
        n_copies: written.parts.iter().map(Part::n).collect(),
        is_alike: written.parts.iter().map(Part::is_alike).collect(),
        enums: enums(written, machines),
        uses: uses(&actions, machines, written, &numbered),
        last_character: machines.iter().map(|machine| machine.last_character).max().unwrap_or('~'),
        pictures: written.parts.iter().zip(machines).map(picture).collect(),
        summary,
        acting: actions.iter().map(|action| (action.name.clone(), action.acting(written))).collect(),
    };
    Ok((options, module, system))
}

/// Mistakes that can be found only with the machines.
fn diagnose(written: &Composition, machines: &[Machine]) -> Result<()> {
    let mut problems = Problems::default();
    let known: Vec<String> =
        machines.iter().flat_map(|machine| &machine.ops).map(|op| op.name.to_string()).collect();
    let named = written.channels.iter().flat_map(|wire| wire.from.iter().chain(&wire.to));
    for name in named.chain(&written.broadcast) {
        if !known.contains(&name.to_string()) {
            let guess = guess(&name.to_string(), &known);
            problems
                .at(name, format!("no part has an operation `{name}`{guess}; there are {}", list(&known)));
        }
    }
    for wire in &written.channels {
        if let Some(both) = wire.from.iter().find(|name| wire.to.contains(name)) {
            let message = format!("`{both}` both sends and receives: a part does one or the other");
            problems.at(both, message);
        }
    }
    for (part, machine) in written.parts.iter().zip(machines) {
        let mut fields = machine.states.iter().flat_map(|state| &state.fields);
        if fields.any(|field| matches!(Kind::of(&field.ty, machine), Kind::Copies(_, false))) {
            let message = format!(
                "`{}` has copies itself: put all parts into one `compose!`, or give its copies numbers (`client[2]`)",
                part.name
            );
            problems.at(&part.path, message);
        }
    }
    problems.finish()
}

/// The state with all its parts: as a pattern that binds everything, and as the expression that puts it together
/// again.
pub(super) fn state(written: &Composition) -> TokenStream {
    let parts = written.parts.iter().enumerate().map(|(k, part)| (&part.name, part_at(k)));
    let channels = written.channels.iter().enumerate().map(|(j, wire)| (&wire.name, channel(j)));
    let fields = parts.chain(channels).map(|(name, place)| quote!(#name: #place));
    quote!(State::System { #(#fields),* })
}

/// The arm of a channel that does something by itself.
fn disturbing(written: &Composition, (name, wire, method): (Ident, &Wire, Ident)) -> TokenStream {
    let j = written.channels.iter().position(|other| other.name == wire.name).unwrap_or(0);
    let (channel, all) = (channel(j), state(written));
    let Some(each) = &wire.each else {
        return quote! {
            (#all, Op::#name) => match #channel.#method() {
                Some(#channel) => #all,
                None => unreachable!(),
            },
        };
    };
    quote! {
        (#all, Op::#name { #each: __number }) => match if (__number as usize) < #channel.len() { #channel[__number as usize].#method() } else { None } {
            Some(__changed) => { let mut #channel = #channel; #channel[__number as usize] = __changed; #all },
            None => unreachable!(),
        },
    }
}

/// What a channel does by itself: operations, and the methods that do it.
fn disturbances(wire: &Wire) -> impl Iterator<Item = (Ident, &Wire, Ident)> + Clone {
    let camel: String = wire
        .name
        .to_string()
        .split('_')
        .map(|word| {
            let mut letters = word.chars();
            letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default()
                + letters.as_str()
        })
        .collect();
    let named = move |what: &str, method: &str| {
        let name = format_ident!("{what}{camel}", span = wire.name.span());
        (name, wire, format_ident!("{method}"))
    };
    let lost = wire.is_lossy.then(|| named("Lose", "rest"));
    let doubled = wire.is_duplicating.then(|| named("Duplicate", "twice"));
    lost.into_iter().chain(doubled)
}

/// Enums of the parts that are no states and no operations: results and messages.
fn enums(written: &Composition, machines: &[Machine]) -> Vec<(Visibility, TokenStream)> {
    let of = |(part, machine): (&Part, &Machine)| {
        let part = part.name.clone();
        let is_data = |item: &&ItemEnum| item.ident != "State" && item.ident != "Op";
        let named = move |item: &ItemEnum| {
            let name = &item.ident;
            (item.vis.clone(), quote!(#part::#name::*))
        };
        machine.enums.iter().filter(is_data).map(named).collect::<Vec<_>>()
    };
    written.parts.iter().zip(machines).flat_map(of).collect()
}

/// A part as it is drawn, under the name that it has here.
fn picture((part, machine): (&Part, &Machine)) -> stairway_picture::Picture {
    let mut picture = super::super::picture::picture(machine);
    picture.name = title(part);
    picture
}

/// `3 participant`
fn title(part: &Part) -> String {
    match part.n() {
        Some(n) if part.has_numbers => format!("{}[{n}]", part.name),
        Some(n) => format!("{n} {}", part.name),
        None => part.name.to_string(),
    }
}

fn part_type(part: &Part) -> TokenStream {
    let name = &part.name;
    match &part.n_copies {
        Some(n) if part.has_numbers => quote!(::stairway::machine::core::Numbered<#name::State, #n>),
        Some(n) => quote!(::stairway::machine::core::Copies<#name::State, #n>),
        None => quote!(#name::State),
    }
}

fn channel_type(written: &Composition, (wire, ty): (&Wire, &Type)) -> TokenStream {
    let n = proc_macro2::Literal::usize_unsuffixed(wire.capacity);
    let one = quote!(::stairway::machine::core::Channel<#ty, #n>);
    match wire.each.as_ref().and_then(|each| written.numbered(each)) {
        Some(Part { n_copies, .. }) => quote!([#one; #n_copies]),
        None => one,
    }
}

/// The path to a machine from inside a module of the composed machine's module.
fn from_inside(path: &Path) -> TokenStream {
    let first = path.segments.first().map(|first| first.ident.to_string());
    if path.leading_colon.is_some() || first.as_deref() == Some("crate") {
        return quote!(#path);
    }
    let segments = path.segments.iter().skip(usize::from(first.as_deref() == Some("self")));
    quote!(super::super::#(#segments)::*)
}
