//! The kinds of data in a machine, and the code that shows, identifies and draws a value of each kind and
//! collects its numbers in const evaluation.

use super::Machine;
use super::argument_use::{Below, Use};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::{Expr, GenericArgument, ItemEnum, ItemStruct, PathArguments, Type};

/// What a type is made of.
#[derive(Clone)]
pub(crate) enum Kind {
    Unsigned(Ident),
    Signed(Ident),
    Wide(Ident),
    Bool,
    Char,
    Float(Ident),
    Text,
    Tuple(Vec<Kind>),
    Array(Box<Kind>, Expr),
    Option(Box<Kind>),
    /// An enum or a struct of the machine.
    Local(Ident),
    /// The state of another machine: the path to that machine.
    Machine(syn::Path),
    /// A type of another machine.
    Foreign(syn::Path),
    /// The states of copies of a machine.
    Copies(syn::Path),
    /// The states of copies that have numbers.
    Numbered(syn::Path),
    /// Which copy does something, of so many.
    Which(GenericArgument),
    /// Messages on their way.
    Channel(Box<Kind>),
    Unknown,
}

/// How a field is drawn.
pub(super) struct Drawing {
    pub(super) of: Use,
    pub(super) below: Below,
    /// Its bit, by which it is known whether a number is one that it is compared with.
    pub(super) askers: u64,
}

impl Drawing {
    /// The numbers that it may be.
    fn numbers(&self, least: &TokenStream, most: &TokenStream) -> TokenStream {
        let askers = self.askers;
        let numbers = quote!(::stairway::machine::core::Numbers::new(#least as i128, #most as i128, #askers));
        if self.below.is_empty() {
            return quote!(const { #numbers });
        }
        let end = self.below.end();
        quote!(#numbers.below(#end))
    }
}

/// The types that have names where a type stands.
#[derive(Clone, Copy)]
pub(super) struct Types<'m> {
    pub(super) enums: &'m [ItemEnum],
    pub(super) structs: &'m [ItemStruct],
    pub(super) aliases: &'m BTreeMap<String, Type>,
}

impl Kind {
    pub(super) fn of(ty: &Type, machine: &Machine) -> Kind {
        Kind::within(ty, &machine.types())
    }

    /// A type that stands in no machine.
    pub(crate) fn alone(ty: &Type) -> Kind {
        Kind::within(ty, &Types { enums: &[], structs: &[], aliases: &BTreeMap::new() })
    }

    pub(super) fn within(ty: &Type, types: &Types<'_>) -> Kind {
        match ty {
            Type::Paren(inner) => Kind::within(&inner.elem, types),
            Type::Group(inner) => Kind::within(&inner.elem, types),
            Type::Tuple(tuple) => Kind::Tuple(tuple.elems.iter().map(|ty| Kind::within(ty, types)).collect()),
            Type::Array(array) => Kind::Array(Box::new(Kind::within(&array.elem, types)), array.len.clone()),
            Type::Reference(lent) if lent.elem.to_token_stream().to_string() == "str" => Kind::Text,
            Type::Path(path) => Kind::of_path(&path.path, types),
            _ => Kind::Unknown,
        }
    }

    fn of_path(path: &syn::Path, types: &Types<'_>) -> Kind {
        let Some(last) = path.segments.last() else { return Kind::Unknown };
        let name = last.ident.to_string();
        if name == "State" && path.segments.len() > 1 {
            let mut machine = path.clone();
            machine.segments.pop();
            machine.segments.pop_punct();
            return Kind::Machine(machine);
        }
        if let PathArguments::AngleBracketed(arguments) = &last.arguments {
            let inner = |inner: &Type| Box::new(Kind::within(inner, types));
            return match (arguments.args.first(), name.as_str(), arguments.args.len()) {
                (Some(GenericArgument::Type(of)), "Option", 1) => Kind::Option(inner(of)),
                (Some(GenericArgument::Type(of)), "Channel", 2) => Kind::Channel(inner(of)),
                (Some(GenericArgument::Type(of)), "Copies" | "Numbered", 2) => match *inner(of) {
                    Kind::Machine(machine) if name == "Copies" => Kind::Copies(machine),
                    Kind::Machine(machine) => Kind::Numbered(machine),
                    _ => Kind::Unknown,
                },
                (Some(n), "Which", 1) => Kind::Which(n.clone()),
                _ => Kind::Unknown,
            };
        }
        if path.segments.len() > 1 {
            let first = path.segments.first().map(|first| first.ident.to_string()).unwrap_or_default();
            let is_of_rust = ["std", "core", "alloc"].contains(&first.as_str());
            return if is_of_rust { Kind::Unknown } else { Kind::Foreign(path.clone()) };
        }
        let is_local =
            types.enums.iter().any(|e| e.ident == name) || types.structs.iter().any(|s| s.ident == name);
        match name.as_str() {
            "u8" | "u16" | "u32" | "u64" | "usize" => Kind::Unsigned(last.ident.clone()),
            "i8" | "i16" | "i32" | "i64" | "isize" => Kind::Signed(last.ident.clone()),
            "u128" | "i128" => Kind::Wide(last.ident.clone()),
            "bool" => Kind::Bool,
            "char" => Kind::Char,
            "f32" | "f64" => Kind::Float(last.ident.clone()),
            _ if is_local => Kind::Local(last.ident.clone()),
            _ => match types.aliases.get(&name) {
                Some(alias) if alias.to_token_stream().to_string() != name => Kind::within(alias, types),
                _ => Kind::Unknown,
            },
        }
    }

    /// The least and the largest number or character.
    pub(super) fn bounds(&self) -> Option<(i128, i128)> {
        let (ty, is_signed) = match self {
            Kind::Unsigned(ty) => (ty, false),
            Kind::Signed(ty) => (ty, true),
            Kind::Char => return Some((0, i128::from(u32::from(char::MAX)))),
            _ => return None,
        };
        let n_bits: u32 = ty.to_string()[1..].parse().unwrap_or(64);
        let n_values = 1i128 << n_bits;
        Some(if is_signed { (-n_values / 2, n_values / 2 - 1) } else { (0, n_values - 1) })
    }

    pub(super) fn is_known(&self) -> bool {
        match self {
            Kind::Unknown => false,
            Kind::Tuple(kinds) => kinds.iter().all(Kind::is_known),
            Kind::Array(kind, _) | Kind::Option(kind) => kind.is_known(),
            _ => true,
        }
    }

    /// Writes the value `v` into the text `t`.
    pub(crate) fn show(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) => quote!(t.uint(#v as u128);),
            Kind::Signed(_) => quote!(t.int(#v as i128);),
            Kind::Wide(name) if name == "u128" => quote!(t.uint(#v);),
            Kind::Wide(_) => quote!(t.int(#v);),
            Kind::Bool => quote!(t.str(if #v { "true" } else { "false" });),
            Kind::Char => quote!(t.char(#v);),
            Kind::Float(_) => quote!(t.float(#v as f64);),
            Kind::Text => quote!(t.str("\""); t.str(#v); t.str("\"");),
            Kind::Option(kind) => {
                let shown = kind.show(&quote!(some));
                quote!(match #v { Some(some) => { t.str("Some("); #shown t.str(")"); } None => t.str("None") })
            }
            Kind::Local(_) | Kind::Machine(_) | Kind::Foreign(_) => quote!((#v).__show(t);),
            Kind::Which(_) => quote!(t.uint((#v).__place() as u128);),
            Kind::Unknown => quote!(t.str("_");),
            Kind::Tuple(_) | Kind::Array(..) | Kind::Copies(_) | Kind::Numbered(_) | Kind::Channel(_) => {
                let parts = self.each(v, &quote!(t.str(", ");), &Kind::show);
                let [open, close] = if matches!(self, Kind::Tuple(_)) { ["(", ")"] } else { ["[", "]"] };
                quote!(t.str(#open); #parts t.str(#close);)
            }
        }
    }

    /// Statements for each part of the value `v`, and between them, where it is made of several.
    fn each(
        &self,
        v: &TokenStream,
        between: &TokenStream,
        of: &dyn Fn(&Kind, &TokenStream) -> TokenStream,
    ) -> TokenStream {
        if let Kind::Tuple(kinds) = self {
            let parts = kinds.iter().enumerate().map(|(k, kind)| {
                let (at, between) = (syn::Index::from(k), (k > 0).then_some(between));
                let part = of(kind, &quote!((#v).#at));
                quote!(#between #part)
            });
            return quote!(#(#parts)*);
        }
        let between = (!between.is_empty()).then(|| quote!(if i > 0 { #between }));
        let (inner, item) = match self {
            Kind::Array(kind, _) => (&**kind, quote!(array[i])),
            Kind::Copies(machine) | Kind::Numbered(machine) => {
                (&Kind::Machine(machine.clone()), quote!(copies.__get(i)))
            }
            Kind::Channel(kind) => (&**kind, quote!(message)),
            _ => return TokenStream::new(),
        };
        let part = of(inner, &item);
        if part.is_empty() {
            return part;
        }
        let turn = quote!(#between #part i += 1;);
        match self {
            Kind::Array(..) => {
                quote!({ let (array, mut i) = (#v, 0usize); while i < array.len() { #turn } })
            }
            Kind::Copies(_) | Kind::Numbered(_) => {
                quote!({ let (copies, mut i) = (#v, 0usize); while i < copies.__len() { #turn } })
            }
            _ => {
                quote!({ let (channel, mut i) = (#v, 0usize); while let Some(message) = channel.get(i) { #turn } })
            }
        }
    }

    /// The value `v` as a word of so many bits, if it has at most 32: several of them are one word of an
    /// identity.
    pub(super) fn bits(&self, v: &TokenStream) -> Option<(TokenStream, u32)> {
        match self {
            Kind::Bool => Some((quote!(#v as u64), 1)),
            Kind::Char => Some((quote!(#v as u64), 21)),
            Kind::Unsigned(ty) | Kind::Signed(ty) => {
                let bits: u32 = ty.to_string()[1..].parse().ok().filter(|bits| *bits <= 32)?;
                let unsigned = format_ident!("u{bits}");
                Some((quote!(#v as #unsigned as u64), bits))
            }
            _ => None,
        }
    }

    /// Feeds the value `v` into `id`.
    pub(super) fn identify(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) | Kind::Signed(_) | Kind::Bool | Kind::Char => quote!(id.word(#v as u64);),
            Kind::Wide(_) => quote!(id.wide(#v as u128);),
            Kind::Float(_) => quote!(id.word((#v).to_bits() as u64);),
            Kind::Text => quote!({
                let (text, mut i) = ((#v).as_bytes(), 0usize);
                id.word(text.len() as u64);
                while i < text.len() { id.word(text[i] as u64); i += 1; }
            }),
            Kind::Array(kind, _) if kind.bits(&quote!(array[i])).is_some() => {
                let (word, bits) = kind.bits(&quote!(array[i])).expect("it has few bits");
                identify_packed_array(v, &word, bits)
            }
            Kind::Tuple(_) | Kind::Array(..) | Kind::Numbered(_) => self.each(v, &quote!(), &Kind::identify),
            Kind::Option(kind) => {
                let part = kind.identify(&quote!(some));
                quote!(match #v { Some(some) => { id.word(1); #part } None => id.word(0) })
            }
            Kind::Local(_) | Kind::Machine(_) | Kind::Foreign(_) => quote!((#v).__identify(id);),
            // Copies are alike, so their order tells nothing apart.
            Kind::Copies(machine) => {
                let keys = copies_keys(machine, v);
                quote!({
                    let (keys, mut i) = (::stairway::machine::core::sorted(#keys), 0usize);
                    while i < keys.len() { id.wide(keys[i]); i += 1; }
                })
            }
            Kind::Which(_) => quote!(id.word((#v).__place() as u64);),
            Kind::Channel(_) => {
                let parts = self.each(v, &quote!(), &Kind::identify);
                quote!(id.word((#v).len() as u64); #parts)
            }
            Kind::Unknown => quote!(),
        }
    }

    /// Adds the numbers in the value `v` to `pool`.
    pub(super) fn mention(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) | Kind::Signed(_) | Kind::Wide(_) => quote!(pool.around(#v as i128);),
            Kind::Char => quote!(pool.around(#v as u32 as i128);),
            Kind::Option(kind) => {
                let part = kind.mention(&quote!(some));
                quote!(if let Some(some) = #v { let _ = some; #part })
            }
            Kind::Local(_) | Kind::Machine(_) | Kind::Foreign(_) => quote!((#v).__mention(pool);),
            Kind::Tuple(_) | Kind::Array(..) | Kind::Copies(_) | Kind::Numbered(_) | Kind::Channel(_) => {
                self.each(v, &quote!(), &Kind::mention)
            }
            _ => quote!(),
        }
    }

    /// An expression that draws two numbers that are compared with each other, and these from the name that it gets.
    pub(super) fn pair(&self, drawn: &Ident, of: &Drawing) -> Option<(TokenStream, [TokenStream; 2])> {
        let (least, most) = match self {
            Kind::Unsigned(ty) | Kind::Signed(ty) => (quote!(#ty::MIN), quote!(#ty::MAX)),
            Kind::Char => (quote!(0), quote!(char::MAX)),
            _ => return None,
        };
        let made = [quote!(#drawn.0), quote!(#drawn.1)].map(|number| match self {
            Kind::Unsigned(ty) | Kind::Signed(ty) => quote!(#number as #ty),
            _ => quote!(match char::from_u32(#number as u32) { Some(c) => c, None => __LAST_CHARACTER }),
        });
        let numbers = of.numbers(&least, &most);
        Some((quote!(pool.pair(c, #numbers)), made))
    }

    /// An expression that draws a value from `c` and `pool`, of which this is made.
    pub(super) fn draw(&self, of: &Drawing) -> TokenStream {
        let (is_free, askers) = (of.of == Use::Free, of.askers);
        let number = if is_free { quote!(free) } else { quote!(compared) };
        match self {
            Kind::Unsigned(ty) | Kind::Signed(ty) => {
                let numbers = of.numbers(&quote!(#ty::MIN), &quote!(#ty::MAX));
                quote!(pool.#number(c, #numbers) as #ty)
            }
            Kind::Wide(ty) => {
                let narrow = format_ident!("{}64", &ty.to_string()[..1]);
                let numbers = of.numbers(&quote!(#narrow::MIN), &quote!(#narrow::MAX));
                quote!(pool.free(c, #numbers) as #ty)
            }
            Kind::Bool => quote!(c.chance(1, 2)),
            Kind::Char => quote!(pool.character(c, __LAST_CHARACTER, #askers, #is_free)),
            Kind::Float(ty) => quote!({ c.clip(); c.float(-1000.0, 1000.0, false) as #ty }),
            Kind::Text => quote!({
                c.clip();
                ""
            }),
            Kind::Tuple(kinds) => {
                let parts = kinds.iter().map(|kind| kind.draw(of));
                quote!((#(#parts,)*))
            }
            Kind::Array(kind, len) => {
                let part = kind.draw(of);
                quote!({
                    let (mut array, mut i) = ([#part; #len], 1usize);
                    while i < array.len() { array[i] = #part; i += 1; }
                    array
                })
            }
            Kind::Option(kind) => {
                let part = kind.draw(of);
                quote!(if c.chance(1, 2) { Some(#part) } else { None })
            }
            Kind::Local(name) => quote!(#name::__draw(c, pool)),
            // Its own machine may ignore what this one looks at.
            Kind::Foreign(path) if is_free => quote!(#path::__draw(c, &pool.freely())),
            Kind::Foreign(path) => quote!(#path::__draw(c, pool)),
            Kind::Which(n) => quote!(::stairway::machine::core::Which::__nth(c.alternative(#n as u64))),
            // An argument; that of a state is never drawn.
            Kind::Machine(machine) => quote!({ c.clip(); #machine::START }),
            Kind::Copies(_) | Kind::Numbered(_) | Kind::Channel(_) | Kind::Unknown => {
                quote!(::core::unreachable!())
            }
        }
    }
}

/// An array of what tells the states of copies apart, each in its place.
pub(super) fn copies_keys(machine: &syn::Path, v: &TokenStream) -> TokenStream {
    quote!({
        let copies = #v;
        let (mut keys, mut i) = (copies.__blank(), 0usize);
        while i < keys.len() { keys[i] = #machine::__key_of(&copies.__get(i)); i += 1; }
        keys
    })
}

/// Feeds an array of small values into `id`, several in a word.
fn identify_packed_array(v: &TokenStream, word: &TokenStream, bits: u32) -> TokenStream {
    quote!({
        let (array, mut i, mut word, mut n) = (#v, 0usize, 0u64, 0u32);
        while i < array.len() {
            if n + #bits > 64 {
                id.word(word);
                word = 0;
                n = 0;
            }
            word |= (#word) << n;
            n += #bits;
            i += 1;
        }
        id.word(word);
    })
}
