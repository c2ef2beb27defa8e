//! Parts and channels as the module of one machine.
//!
//! Receives what `compose!` was given and the machines, hands on a module with `State`, `Op` and `next`. An operation
//! that several parts have is one that they do together; of copies, one takes part. What only `compose!` knows, such
//! as which fields are copies, goes along as a [`System`](super::known::System).

use super::super::argument_use::{Use, Uses};
use super::super::kinds::Kind;
use super::super::names::{list, nearest, snake};
use super::super::{Machine, Op};
use super::known::System;
use super::written::{Composition, Part, Wire};
use crate::attributes::Problems;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Error, ItemEnum, Path, Result, Type, Visibility};

/// An operation of the whole.
struct Action<'m> {
    name: Ident,
    docs: &'m [Attribute],
    weight: u32,
    /// Who takes part: the part's position, and its operation.
    by: Vec<(usize, &'m Op)>,
    arguments: Vec<Argument>,
    /// Numbers below which arguments lie.
    limits: Vec<TokenStream>,
    /// Channels that a message is put into, and the argument that is it; none if there is nothing to say.
    puts: Vec<(usize, Option<usize>)>,
    /// Channels that a message is taken from.
    takes: Vec<usize>,
    is_broadcast: bool,
}

struct Argument {
    name: Ident,
    ty: Type,
    is_ret: bool,
    use_of: Use,
}

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
    let channel_types: Vec<TokenStream> = written.channels.iter().zip(&types).map(channel_type).collect();
    let starts = written.parts.iter().map(|part| {
        let name = &part.name;
        match part.n_copies {
            Some(_) => quote!(#name: ::stairway::machine::core::Copies::new(#name::START)),
            None => quote!(#name: #name::START),
        }
    });
    let allowed = &written.allowed;
    let options = quote! {
        start = System {
            #(#starts,)*
            #(#channels: ::stairway::machine::core::Channel::EMPTY),*
        },
        allow(#(#allowed),*)
    };
    let variants = actions.iter().map(|action| action.variant(written)).collect::<Result<Vec<_>>>()?;
    let disturbances = written.channels.iter().flat_map(disturbances);
    let disturbed = disturbances.clone().map(|(name, ..)| name);
    let helpers = actions.iter().map(|action| action.function(written, &part_types, &channel_types));
    let whole = Whole { written };
    let arms = actions.iter().map(|action| action.arm(&whole));
    let disturbing = disturbances.clone().map(|(name, wire, method)| whole.disturbing(&name, wire, &method));
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
            #(#helpers)*
            fn next(s: State, op: Op) -> State {
                match (s, op) { #(#arms)* #(#disturbing)* }
            }
        }
    };
    let summary = actions.iter().map(|action| action.summary(written));
    let summary =
        summary.chain(disturbances.map(|(name, wire, _)| format!("{name}: {}", wire.name))).collect();
    let system = System {
        parts: parts.iter().map(|name| (*name).clone()).collect(),
        titles: written.parts.iter().map(title).collect(),
        n_copies: written.parts.iter().map(Part::n).collect(),
        enums: enums(written, machines),
        uses: uses(&actions, machines, written),
        last_character: machines.iter().map(|machine| machine.last_character).max().unwrap_or('~'),
        pictures: written.parts.iter().zip(machines).map(picture).collect(),
        summary,
        acting: actions.iter().map(|action| (action.name.clone(), action.acting(written))).collect(),
    };
    Ok((options, module, system))
}

/// What has to be said once the machines are known.
fn diagnose(written: &Composition, machines: &[Machine]) -> Result<()> {
    let mut problems = Problems::default();
    let known: Vec<String> =
        machines.iter().flat_map(|machine| &machine.ops).map(|op| op.name.to_string()).collect();
    let named = written.channels.iter().flat_map(|wire| wire.from.iter().chain(&wire.to));
    for name in named.chain(&written.broadcast) {
        if !known.contains(&name.to_string()) {
            let guess = nearest(&name.to_string(), &known);
            let guess = guess.map(|guess| format!(" (did you mean `{guess}`?)")).unwrap_or_default();
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
        if fields.any(|field| matches!(Kind::of(&field.ty, machine), Kind::Copies(_))) {
            let message = format!(
                "`{}` has copies itself: put all parts into one `compose!`, or write its copies as parts with names",
                part.name
            );
            problems.at(&part.path, message);
        }
    }
    problems.finish()
}

/// The operations of all parts by name, in order.
fn actions<'m>(written: &Composition, machines: &'m [Machine]) -> Result<Vec<Action<'m>>> {
    let mut actions: Vec<Action<'m>> = Vec::new();
    for (k, machine) in machines.iter().enumerate() {
        for op in &machine.ops {
            let at = actions.iter().position(|action| action.name == op.name).unwrap_or_else(|| {
                actions.push(Action {
                    name: op.name.clone(),
                    docs: &op.docs,
                    weight: op.weight,
                    by: Vec::new(),
                    arguments: Vec::new(),
                    limits: Vec::new(),
                    puts: Vec::new(),
                    takes: Vec::new(),
                    is_broadcast: written.broadcast.contains(&op.name),
                });
                actions.len() - 1
            });
            actions[at].by.push((k, op));
        }
    }
    for action in &mut actions {
        action.read_arguments(written, machines)?;
    }
    Ok(actions)
}

impl Action<'_> {
    fn read_arguments(&mut self, written: &Composition, machines: &[Machine]) -> Result<()> {
        let is_among = |names: &[Ident]| names.contains(&self.name);
        self.takes = (0..written.channels.len()).filter(|j| is_among(&written.channels[*j].to)).collect();
        let putting: Vec<usize> =
            (0..written.channels.len()).filter(|j| is_among(&written.channels[*j].from)).collect();
        for (k, op) in self.by.clone() {
            let taken: Vec<Option<usize>> =
                self.takes.iter().map(|j| message(op, &written.channels[*j])).collect::<Result<_>>()?;
            for (at, field) in op.fields.iter().enumerate() {
                let Some(name) = &field.ident else {
                    let message =
                        format!("give the fields of `{}` names, so that parts can share them", op.name);
                    return Err(Error::new_spanned(&op.name, message));
                };
                if taken.contains(&Some(at)) || self.arguments.iter().any(|argument| argument.name == *name) {
                    continue;
                }
                let part = &written.parts[k].name;
                let ty = seen_from_outside(&field.ty, &machines[k], part, (op, name))?;
                let (is_ret, use_of) = (op.ret == Some(at), Use::Ignored);
                self.arguments.push(Argument { name: name.clone(), ty, is_ret, use_of });
            }
        }
        for argument in &mut self.arguments {
            argument.use_of = use_of(&argument.name, &self.by, machines);
        }
        for j in putting {
            let (_, op) = self.by[0];
            let sent = match message(op, &written.channels[j])? {
                Some(at) => {
                    let name = op.fields.iter().nth(at).and_then(|field| field.ident.as_ref());
                    self.arguments.iter().position(|argument| Some(&argument.name) == name)
                }
                None => None,
            };
            if let Some(sent) = sent {
                // It is kept, and looked at by whoever receives it.
                self.arguments[sent].use_of = Use::Free;
            }
            self.puts.push((j, sent));
        }
        for argument in self.arguments.iter_mut().filter(|argument| argument.use_of == Use::Free) {
            let of_parts = self.by.iter().map(|(k, op)| {
                super::bounded::limits(&machines[*k], &written.parts[*k].name, op, &argument.name)
            });
            if let Some(limits) = of_parts.flatten().next().filter(|_| is_unsigned(&argument.ty)) {
                argument.use_of = Use::Compared;
                self.limits.extend(limits);
            }
        }
        Ok(())
    }

    /// The parts of which one copy takes part.
    fn acting(&self, written: &Composition) -> Vec<usize> {
        let is_acting = |k: &usize| written.parts[*k].n_copies.is_some() && !self.is_broadcast;
        self.by.iter().map(|(k, _)| *k).filter(is_acting).collect()
    }

    fn variant(&self, written: &Composition) -> Result<TokenStream> {
        let mut which = Vec::new();
        for k in self.acting(written) {
            let (name, n) = (&written.parts[k].name, &written.parts[k].n_copies);
            if let Some(taken) = self.arguments.iter().find(|argument| argument.name == *name) {
                let message = format!(
                    "`{}` has a field `{name}`, which is where it says which copy does it: give the part another name",
                    self.name
                );
                return Err(Error::new_spanned(&taken.name, message));
            }
            which.push(quote!(#name: ::stairway::machine::core::Which<#n>));
        }
        let (name, docs, weight) = (&self.name, self.docs, self.weight);
        let weight = (weight != 1).then(|| {
            let weight = proc_macro2::Literal::u32_unsuffixed(weight);
            quote!(#[weight(#weight)])
        });
        let arguments = self.arguments.iter().map(|Argument { name, ty, is_ret, .. }| {
            let ret = (*is_ret && name != "ret").then(|| quote!(#[ret]));
            quote!(#ret #name: #ty)
        });
        if which.is_empty() && self.arguments.is_empty() {
            return Ok(quote!(#(#docs)* #weight #name));
        }
        Ok(quote!(#(#docs)* #weight #name { #(#which,)* #(#arguments),* }))
    }

    /// What is handed to the operation's function: parts and channels that it changes, copies that act, arguments.
    fn involved(&self, written: &Composition) -> Involved {
        let parts: Vec<usize> = self.by.iter().map(|(k, _)| *k).collect();
        let channels: Vec<usize> =
            self.takes.iter().copied().chain(self.puts.iter().map(|put| put.0)).collect();
        Involved { parts, channels, acting: self.acting(written) }
    }

    /// The function that does it: what becomes of the parts and channels, if it is possible.
    fn function(
        &self,
        written: &Composition,
        part_types: &[TokenStream],
        channel_types: &[TokenStream],
    ) -> TokenStream {
        let Involved { parts, channels, acting } = self.involved(written);
        let name = format_ident!("__do_{}", snake(&self.name.to_string()));
        let mut steps = TokenStream::new();
        for j in &self.takes {
            let (channel, message) = (channel(*j), format_ident!("__message_{j}"));
            steps.extend(quote! {
                let (Some(#message), Some(#channel)) = (#channel.first(), #channel.rest()) else { return None };
            });
        }
        for (k, op) in &self.by {
            let part = &written.parts[*k];
            let (place, module) = (part_at(*k), &part.name);
            let made = self.part_operation(op, written, module);
            steps.extend(match (&part.n_copies, self.is_broadcast) {
                (None, _) => quote! {
                    let Some(#place) = #module::next(#place, #made) else { return None };
                },
                (Some(_), false) => {
                    let which = which(*k);
                    quote! {
                        let Some(__moved) = #module::next(#place.__get(#which.__place()), #made) else { return None };
                        let #place = #place.__with(#which.__place(), __moved);
                    }
                }
                (Some(_), true) => quote! {
                    let (mut #place, mut __k) = (#place, 0);
                    while __k < #place.__len() {
                        let Some(__moved) = #module::next(#place.__get(__k), #made) else { return None };
                        #place = #place.__with(__k, __moved);
                        __k += 1;
                    }
                },
            });
        }
        for (j, sent) in &self.puts {
            let channel = channel(*j);
            let message = sent.map_or_else(|| quote!(()), |k| argument(k).into_token_stream());
            steps.extend(quote!(let Some(#channel) = #channel.put(#message) else { return None };));
        }
        let places: Vec<Ident> =
            parts.iter().map(|k| part_at(*k)).chain(channels.iter().map(|j| channel(*j))).collect();
        let types: Vec<&TokenStream> = parts
            .iter()
            .map(|k| &part_types[*k])
            .chain(channels.iter().map(|j| &channel_types[*j]))
            .collect();
        let whiches = acting.iter().map(|k| {
            let (which, n) = (which(*k), &written.parts[*k].n_copies);
            quote!(#which: ::stairway::machine::core::Which<#n>)
        });
        let arguments = self.arguments.iter().enumerate().map(|(k, Argument { ty, .. })| {
            let name = argument(k);
            quote!(#name: #ty)
        });
        quote! {
            #[allow(unused_variables)]
            const fn #name(#(#places: #types,)* #(#whiches,)* #(#arguments),*) -> ::core::option::Option<(#(#types,)*)> {
                #steps
                Some((#(#places,)*))
            }
        }
    }

    /// The operation that a part does.
    fn part_operation(&self, op: &Op, written: &Composition, module: &Ident) -> TokenStream {
        let name = &op.name;
        let taken = |at: usize| {
            let is_it = |j: &&usize| matches!(message(op, &written.channels[**j]), Ok(Some(k)) if k == at);
            self.takes.iter().find(is_it).map(|j| format_ident!("__message_{j}"))
        };
        let fields = op.fields.iter().enumerate().map(|(at, field)| {
            let name = &field.ident;
            let value = taken(at).unwrap_or_else(|| {
                let k = self.arguments.iter().position(|argument| Some(&argument.name) == name.as_ref());
                argument(k.expect("each field is a message or an argument"))
            });
            quote!(#name: #value)
        });
        if op.fields.is_empty() {
            quote!(#module::Op::#name)
        } else {
            quote!(#module::Op::#name { #(#fields),* })
        }
    }

    /// The arm of `next`.
    fn arm(&self, whole: &Whole<'_>) -> TokenStream {
        let Involved { parts, channels, acting } = self.involved(whole.written);
        let function = format_ident!("__do_{}", snake(&self.name.to_string()));
        let places: Vec<Ident> =
            parts.iter().map(|k| part_at(*k)).chain(channels.iter().map(|j| channel(*j))).collect();
        let whiches: Vec<Ident> = acting.iter().map(|k| which(*k)).collect();
        let which_names = acting.iter().map(|k| &whole.written.parts[*k].name);
        let arguments: Vec<Ident> = (0..self.arguments.len()).map(argument).collect();
        let argument_names = self.arguments.iter().map(|argument| &argument.name);
        let (name, all) = (&self.name, whole.state());
        let bound = match whiches.is_empty() && arguments.is_empty() {
            true => quote!(Op::#name),
            false => quote!(Op::#name { #(#which_names: #whiches,)* #(#argument_names: #arguments),* }),
        };
        quote! {
            (#all, #bound) => match #function(#(#places,)* #(#whiches,)* #(#arguments),*) {
                Some((#(#places,)*)) => #all,
                None => unreachable!(),
            },
        }
    }

    /// Who takes part, for the documentation.
    fn summary(&self, written: &Composition) -> String {
        let mut who: Vec<String> = Vec::new();
        for (k, _) in &self.by {
            let part = &written.parts[*k];
            who.push(match (part.n(), self.is_broadcast) {
                (None, _) => part.name.to_string(),
                (Some(n), true) => format!("all {n} {}", part.name),
                (Some(n), false) => format!("one of {n} {}", part.name),
            });
        }
        who.extend(self.puts.iter().map(|(j, _)| format!("into {}", written.channels[*j].name)));
        who.extend(self.takes.iter().map(|j| format!("from {}", written.channels[*j].name)));
        format!("{}: {}", self.name, who.join(", "))
    }
}

struct Involved {
    parts: Vec<usize>,
    channels: Vec<usize>,
    acting: Vec<usize>,
}

/// The state with all its parts.
struct Whole<'m> {
    written: &'m Composition,
}

impl Whole<'_> {
    /// As a pattern that binds everything, and as the expression that puts it together again.
    fn state(&self) -> TokenStream {
        let parts = self.written.parts.iter().enumerate().map(|(k, part)| (&part.name, part_at(k)));
        let channels = self.written.channels.iter().enumerate().map(|(j, wire)| (&wire.name, channel(j)));
        let fields = parts.chain(channels).map(|(name, place)| quote!(#name: #place));
        quote!(State::System { #(#fields),* })
    }

    /// The arm of a channel that does something by itself.
    fn disturbing(&self, name: &Ident, wire: &Wire, method: &Ident) -> TokenStream {
        let j = self.written.channels.iter().position(|other| other.name == wire.name).unwrap_or(0);
        let (channel, all) = (channel(j), self.state());
        quote! {
            (#all, Op::#name) => match #channel.#method() {
                Some(#channel) => #all,
                None => unreachable!(),
            },
        }
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

/// Which field of an operation is the message: the one that is called like the channel, or the only one.
fn message(op: &Op, wire: &Wire) -> Result<Option<usize>> {
    let named = op.fields.iter().position(|field| field.ident.as_ref() == Some(&wire.name));
    match (named, op.fields.len()) {
        (Some(at), _) => Ok(Some(at)),
        (None, 0) => Ok(None),
        (None, 1) => Ok(Some(0)),
        (None, _) => {
            let asked = wire.from.iter().chain(&wire.to).find(|name| **name == op.name).unwrap_or(&wire.name);
            let message = format!(
                "which field of `{}` is the message? Give it, or the channel, the other's name",
                op.name
            );
            Err(Error::new_spanned(asked, message))
        }
    }
}

/// The type of what a channel carries: that of the first operation that puts something into it.
fn message_type(written: &Composition, machines: &[Machine], wire: &Wire) -> Result<Type> {
    for (part, machine) in written.parts.iter().zip(machines) {
        if let Some(op) = machine.ops.iter().find(|op| wire.from.contains(&op.name)) {
            let Some(at) = message(op, wire)? else { return Ok(syn::parse_quote!(())) };
            let field = op.fields.iter().nth(at).expect("a field of the operation");
            let name = field.ident.clone().unwrap_or_else(|| format_ident!("f{at}"));
            return seen_from_outside(&field.ty, machine, &part.name, (op, &name));
        }
    }
    Ok(syn::parse_quote!(()))
}

/// A type of a part, as it is written inside the composed machine's module.
fn seen_from_outside(ty: &Type, machine: &Machine, part: &Ident, of: (&Op, &Ident)) -> Result<Type> {
    let again = |ty: &Type| seen_from_outside(ty, machine, part, of);
    let unknown = || {
        Error::new_spanned(
            ty,
            "an operation of a composed machine takes numbers, `bool`, `char`, tuples, `Option`, and enums and structs of its module",
        )
    };
    Ok(match ty {
        Type::Paren(inner) => again(&inner.elem)?,
        Type::Group(inner) => again(&inner.elem)?,
        Type::Tuple(tuple) => {
            let inner = tuple.elems.iter().map(again).collect::<Result<Vec<_>>>()?;
            syn::parse_quote!((#(#inner,)*))
        }
        Type::Array(array) if matches!(array.len, syn::Expr::Lit(_)) => {
            let (inner, len) = (again(&array.elem)?, &array.len);
            syn::parse_quote!([#inner; #len])
        }
        Type::Path(path) => match Kind::of(ty, machine) {
            Kind::Local(name) => syn::parse_quote!(#part::#name),
            Kind::Foreign(_) => {
                let alias = alias(of.0, of.1);
                syn::parse_quote!(#part::#alias)
            }
            Kind::Option(_) => match &path.path.segments.last().map(|last| &last.arguments) {
                Some(syn::PathArguments::AngleBracketed(arguments)) => match arguments.args.first() {
                    Some(syn::GenericArgument::Type(inner)) => {
                        let inner = again(inner)?;
                        syn::parse_quote!(::core::option::Option<#inner>)
                    }
                    _ => return Err(unknown()),
                },
                _ => return Err(unknown()),
            },
            _ => match path.path.get_ident().and_then(|name| machine.aliases.get(&name.to_string())) {
                Some(alias) => again(alias)?,
                None => ty.clone(),
            },
        },
        _ => return Err(unknown()),
    })
}

/// The name under which a machine hands on the type of a field that is another machine's.
pub(in super::super) fn alias(op: &Op, field: &Ident) -> Ident {
    format_ident!("__{}_{field}", op.name)
}

/// What parts do with an argument that they share.
fn use_of(name: &Ident, by: &[(usize, &Op)], machines: &[Machine]) -> Use {
    let op_type = format_ident!("Op");
    let mut found = Use::Ignored;
    let mut n_users = 0;
    for (k, op) in by {
        let Some(at) = op.fields.iter().position(|field| field.ident.as_ref() == Some(name)) else {
            continue;
        };
        let field = op.fields.iter().nth(at).expect("a field of the operation");
        let mut used = machines[*k].uses.of_field(&op_type, Some(&op.name), at);
        let kind = Kind::of(&field.ty, &machines[*k]);
        let is_simple = matches!(kind, Kind::Unsigned(_) | Kind::Signed(_) | Kind::Bool | Kind::Char);
        n_users += usize::from(used != Use::Ignored);
        // What one part ignores inside it, another may look at.
        if matches!(kind, Kind::Foreign(_)) || !is_simple && n_users > 1 {
            used = Use::Free;
        }
        found = found.max(used);
    }
    found
}

fn is_unsigned(ty: &Type) -> bool {
    let names = ["u8", "u16", "u32", "u64", "usize"];
    matches!(ty, Type::Path(path) if names.iter().any(|name| path.path.is_ident(name)))
}

fn uses(actions: &[Action<'_>], machines: &[Machine], written: &Composition) -> Uses {
    let mut uses = Uses::default();
    for action in actions {
        let n_which = action.acting(written).len();
        (0..n_which).for_each(|k| uses.set(&action.name, k, Use::Compared));
        for (k, argument) in action.arguments.iter().enumerate() {
            uses.set(&action.name, n_which + k, argument.use_of);
        }
    }
    uses.limits = actions.iter().flat_map(|action| action.limits.iter().cloned()).collect();
    for machine in machines {
        uses.offsets.extend(&machine.uses.offsets);
        uses.is_below_state |= machine.uses.is_below_state;
    }
    uses
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
    let mut picture = super::super::pictured::picture(machine);
    picture.name = title(part);
    picture
}

/// `3 participant`
fn title(part: &Part) -> String {
    part.n().map_or_else(|| part.name.to_string(), |n| format!("{n} {}", part.name))
}

fn part_type(part: &Part) -> TokenStream {
    let name = &part.name;
    match &part.n_copies {
        Some(n) => quote!(::stairway::machine::core::Copies<#name::State, #n>),
        None => quote!(#name::State),
    }
}

fn channel_type((wire, ty): (&Wire, &Type)) -> TokenStream {
    let n = proc_macro2::Literal::usize_unsuffixed(wire.capacity);
    quote!(::stairway::machine::core::Channel<#ty, #n>)
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

fn part_at(k: usize) -> Ident {
    format_ident!("__part_{k}")
}

fn channel(j: usize) -> Ident {
    format_ident!("__channel_{j}")
}

fn which(k: usize) -> Ident {
    format_ident!("__which_{k}")
}

fn argument(k: usize) -> Ident {
    format_ident!("__argument_{k}")
}
