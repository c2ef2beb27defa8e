//! An operation of a composed machine: which parts do it together, its arguments, and its arm of `next`.
//!
//! Of a part with copies, one copy takes part, or all of them if the operation is broadcast. Whether the
//! operation is possible is decided by the `next` of each part.

use super::super::argument_use::{Below, Use, Uses};
use super::super::kinds::Kind;
use super::super::syntax::is_unsigned;
use super::super::{Machine, Op};
use super::composition::{Composition, Part, Wire};
use super::messages::{message, seen_from_outside};
use super::module::state;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Error, Result, Type};

/// An operation of the whole.
pub(super) struct Action<'m> {
    pub(super) name: Ident,
    docs: &'m [Attribute],
    weight: u32,
    /// Who takes part: the part's position, and its operation.
    by: Vec<(usize, &'m Op)>,
    arguments: Vec<Argument>,

    /// Channels that a message is put into, and the argument that is it; none if there is nothing to say.
    puts: Vec<(usize, Option<usize>)>,
    /// Channels that a message is taken from.
    takes: Vec<usize>,
    is_broadcast: bool,
    /// Arguments that are numbers of copies, and how many there are.
    numbers: Vec<(usize, TokenStream)>,
}

struct Argument {
    name: Ident,
    ty: Type,
    is_ret: bool,
    use_of: Use,
    below: Below,
}

/// The operations of all parts by name, in order.
pub(super) fn actions<'m>(written: &Composition, machines: &'m [Machine]) -> Result<Vec<Action<'m>>> {
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

                    puts: Vec::new(),
                    takes: Vec::new(),
                    is_broadcast: written.broadcast.contains(&op.name),
                    numbers: Vec::new(),
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
                let (name, is_ret) = (name.clone(), op.ret == Some(at));
                self.arguments.push(Argument {
                    name,
                    ty,
                    is_ret,
                    use_of: Use::Ignored,
                    below: Below::default(),
                });
            }
        }
        for argument in &mut self.arguments {
            argument.use_of = use_of(&argument.name, &self.by, machines);
            for (k, op) in &self.by {
                argument.below.join(super::bounds::below(
                    &machines[*k],
                    &written.parts[*k].name,
                    op,
                    &argument.name,
                ));
            }
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
        self.read_numbers(written)?;
        for argument in self.arguments.iter_mut().filter(|argument| argument.use_of == Use::Free) {
            let limit = |(k, op): &(usize, &Op)| {
                super::bounds::limit(&machines[*k], &written.parts[*k].name, op, &argument.name)
            };
            if let Some(limit) = self.by.iter().find_map(limit).filter(|_| is_unsigned(&argument.ty)) {
                argument.use_of = Use::Compared;
                argument.below.numbers.extend(limit);
            }
        }
        for (one, other) in self.pairs(machines) {
            if self.arguments[one].use_of.max(self.arguments[other].use_of) == Use::Free {
                (self.arguments[one].use_of, self.arguments[other].use_of) = (Use::Free, Use::Free);
            }
        }
        for (at, n) in &self.numbers {
            self.arguments[*at].use_of = Use::Compared;
            self.arguments[*at].below.join(Below { numbers: vec![quote!(#n as i128)], of_state: false });
        }
        Ok(())
    }

    /// Which copy takes part, where copies have numbers, and which channel, where each has one: an argument that is
    /// called like the part, which other parts may have too.
    fn read_numbers(&mut self, written: &Composition) -> Result<()> {
        let wires = self.takes.iter().chain(self.puts.iter().map(|put| &put.0));
        let of_wires = wires.filter_map(|j| written.channels[*j].each.clone());
        let of_parts = self.by.iter().filter(|(k, _)| written.parts[*k].has_numbers && !self.is_broadcast);
        let of_parts: Vec<Ident> = of_parts.map(|(k, _)| written.parts[*k].name.clone()).collect();
        let all: Vec<Ident> = of_wires.chain(of_parts.iter().cloned()).collect();
        for name in all {
            let known = self.arguments.iter().position(|argument| argument.name == name);
            if known.is_none() && !of_parts.contains(&name) {
                let message =
                    format!("`{}` has to say which `{name}`: give it a field `{name}: u8`", self.name);
                return Err(Error::new_spanned(&self.name, message));
            }
            let at = known.unwrap_or_else(|| {
                let (ty, use_of, below) = (syn::parse_quote!(u8), Use::Compared, Below::default());
                self.arguments.push(Argument { name: name.clone(), ty, is_ret: false, use_of, below });
                self.arguments.len() - 1
            });
            if !is_unsigned(&self.arguments[at].ty) {
                let message = format!("`{name}` is the number of a copy here: make it a `u8`");
                return Err(Error::new_spanned(&self.arguments[at].ty, message));
            }
            let n = written.numbered(&name).map(|part| &part.n_copies);
            self.numbers.push((at, quote!(#n)));
        }
        Ok(())
    }

    /// The argument that is the number of a copy.
    fn number(&self, name: &Ident) -> Ident {
        let at = self.arguments.iter().position(|argument| argument.name == *name);
        argument(at.expect("it was read"))
    }

    /// A channel, or that of the copy at hand.
    fn channel_at(&self, wire: &Wire, j: usize) -> TokenStream {
        let (channel, number) = (channel(j), wire.each.as_ref().map(|each| self.number(each)));
        number.map_or_else(|| quote!(#channel), |number| quote!(#channel[#number as usize]))
    }

    /// Arguments that a part compares with each other.
    fn pairs(&self, machines: &[Machine]) -> Vec<(usize, usize)> {
        let position = |op: &Op, at: usize| {
            let name = op.fields.iter().nth(at).and_then(|field| field.ident.as_ref());
            self.arguments.iter().position(|argument| Some(&argument.name) == name)
        };
        let of_part = |(k, op): &(usize, &Op)| -> Vec<(usize, usize)> {
            let pairs = machines[*k].uses.pairs(&op.name);
            pairs.filter_map(|(one, other)| Some((position(op, one)?, position(op, other)?))).collect()
        };
        self.by.iter().flat_map(of_part).collect()
    }

    /// The parts of which one copy takes part that nothing tells apart.
    pub(super) fn acting(&self, written: &Composition) -> Vec<usize> {
        let is_acting = |k: &usize| written.parts[*k].is_alike() && !self.is_broadcast;
        self.by.iter().map(|(k, _)| *k).filter(is_acting).collect()
    }

    pub(super) fn variant(&self, written: &Composition) -> Result<TokenStream> {
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

    /// The arm of `next`: parts and channels change one after the other, unless one of them refuses.
    pub(super) fn arm(&self, written: &Composition) -> TokenStream {
        let mut steps = TokenStream::new();
        for (at, n) in &self.numbers {
            let number = argument(*at);
            steps.extend(quote!(if #number >= #n { break '__step None }));
        }
        for j in &self.takes {
            let (name, message) = (channel(*j), format_ident!("__message_{j}"));
            let channel = self.channel_at(&written.channels[*j], *j);
            steps.extend(quote! {
                let mut #name = #name;
                let (Some(#message), Some(__rest)) = (#channel.first(), #channel.rest()) else { break '__step None };
                #channel = __rest;
            });
        }
        for (k, op) in &self.by {
            let part = &written.parts[*k];
            let (place, module) = (part_at(*k), &part.name);
            let made = self.part_operation(op, written, module);
            steps.extend(match (&part.n_copies, self.is_broadcast) {
                (None, _) => quote! {
                    let Some(#place) = #module::next(#place, #made) else { break '__step None };
                },
                (Some(_), false) => {
                    let at = match part.has_numbers {
                        true => {
                            let number = self.number(&part.name);
                            quote!(#number as usize)
                        }
                        false => {
                            let which = which(*k);
                            quote!(#which.__place())
                        }
                    };
                    quote! {
                        let Some(__moved) = #module::next(#place.__get(#at), #made) else { break '__step None };
                        let #place = #place.__with(#at, __moved);
                    }
                }
                (Some(_), true) => quote! {
                    let (mut #place, mut __k) = (#place, 0);
                    while __k < #place.__len() {
                        let Some(__moved) = #module::next(#place.__get(__k), #made) else { break '__step None };
                        #place = #place.__with(__k, __moved);
                        __k += 1;
                    }
                },
            });
        }
        for (j, sent) in &self.puts {
            let (name, channel) = (channel(*j), self.channel_at(&written.channels[*j], *j));
            let message = sent.map_or_else(|| quote!(()), |k| argument(k).into_token_stream());
            steps.extend(quote! {
                let mut #name = #name;
                let Some(__put) = #channel.put(#message) else { break '__step None };
                #channel = __put;
            });
        }
        let (places, all, name) = (self.places(), state(written), &self.name);
        let acting = self.acting(written);
        let whiches = acting.iter().map(|k| (&written.parts[*k].name, which(*k)));
        let arguments = self.arguments.iter().enumerate().map(|(k, taken)| (&taken.name, argument(k)));
        let fields: Vec<TokenStream> =
            whiches.chain(arguments).map(|(name, place)| quote!(#name: #place)).collect();
        let bound = if fields.is_empty() { quote!(Op::#name) } else { quote!(Op::#name { #(#fields),* }) };
        quote! {
            (#all, #bound) => match '__step: { #steps Some((#(#places,)*)) } {
                Some((#(#places,)*)) => #all,
                None => unreachable!(),
            },
        }
    }

    /// The parts and channels that it changes.
    fn places(&self) -> Vec<Ident> {
        let channels = self.takes.iter().copied().chain(self.puts.iter().map(|put| put.0));
        self.by.iter().map(|(k, _)| part_at(*k)).chain(channels.map(channel)).collect()
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

    /// Who takes part, for the documentation.
    pub(super) fn summary(&self, written: &Composition) -> String {
        let mut who: Vec<String> = Vec::new();
        for (k, _) in &self.by {
            let part = &written.parts[*k];
            who.push(match (part.n(), self.is_broadcast) {
                (None, _) => part.name.to_string(),
                (Some(n), true) => format!("all {n} {}", part.name),
                (Some(_), false) if part.has_numbers => format!("one {}", part.name),
                (Some(n), false) => format!("one of {n} {}", part.name),
            });
        }
        who.extend(self.puts.iter().map(|(j, _)| format!("into {}", written.channels[*j].name)));
        who.extend(self.takes.iter().map(|j| format!("from {}", written.channels[*j].name)));
        format!("{}: {}", self.name, who.join(", "))
    }
}

/// What parts do with an argument that they share.
fn use_of(name: &Ident, by: &[(usize, &Op)], machines: &[Machine]) -> Use {
    let op_type = format_ident!("Op");
    let (mut found, mut n_users, mut is_paired) = (Use::Ignored, 0, false);
    for (k, op) in by {
        let Some(at) = op.fields.iter().position(|field| field.ident.as_ref() == Some(name)) else {
            continue;
        };
        let field = op.fields.iter().nth(at).expect("a field of the operation");
        let mut used = machines[*k].uses.of_field(&op_type, Some(&op.name), at);
        let kind = Kind::of(&field.ty, &machines[*k]);
        let is_simple = matches!(kind, Kind::Unsigned(_) | Kind::Signed(_) | Kind::Bool | Kind::Char);
        n_users += usize::from(used != Use::Ignored);
        is_paired |= machines[*k].uses.pairs(&op.name).any(|(one, other)| one == at || other == at);
        // What one part ignores inside it, another may look at.
        if matches!(kind, Kind::Foreign(_)) || !is_simple && n_users > 1 {
            used = Use::Free;
        }
        found = found.max(used);
    }
    // What two parts compare with other arguments may be three that are compared.
    if is_paired && n_users > 1 { Use::Free } else { found }
}

/// What the whole does with the arguments of its operations.
/// `disturbed` are operations of channels of which each copy of a part has one.
pub(super) fn uses(
    actions: &[Action<'_>],
    machines: &[Machine],
    written: &Composition,
    disturbed: &[(Ident, &Ident)],
) -> Uses {
    let mut uses = Uses::default();
    for action in actions {
        let n_which = action.acting(written).len();
        (0..n_which).for_each(|k| uses.set(&action.name, k, Use::Compared, Below::default()));
        for (k, argument) in action.arguments.iter().enumerate() {
            uses.set(&action.name, n_which + k, argument.use_of, argument.below.clone());
        }
        let is_free = |k: usize| action.arguments[k].use_of == Use::Free;
        for (one, other) in action.pairs(machines).into_iter().filter(|(one, _)| !is_free(*one)) {
            uses.set_pair(&action.name, n_which + one, n_which + other);
        }
    }
    for (name, each) in disturbed {
        let number = |part: &Part| {
            let n = &part.n_copies;
            quote!(#n as i128)
        };
        let numbers = written.numbered(each).map(number).into_iter().collect();
        uses.set(name, 0, Use::Compared, Below { numbers, of_state: false });
    }
    machines.iter().for_each(|machine| uses.offsets.extend(&machine.uses.offsets));
    uses
}

pub(super) fn part_at(k: usize) -> Ident {
    format_ident!("__part_{k}")
}

pub(super) fn channel(j: usize) -> Ident {
    format_ident!("__channel_{j}")
}

pub(super) fn which(k: usize) -> Ident {
    format_ident!("__which_{k}")
}

pub(super) fn argument(k: usize) -> Ident {
    format_ident!("__argument_{k}")
}
