//! For every type of the machine, functions that show, identify and draw a value and collect its numbers.
//! They are written out because const evaluation cannot call traits.

use super::argument_use::Use;
use super::kinds::{Drawing, Kind};
use super::patterns::variants;
use super::{Machine, hidden, with_fields};
use crate::attributes::{Problems, weight};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Fields, Type};

/// Every type inside states and operations must be one that can be looked into.
pub(super) fn diagnose(machine: &Machine, problems: &mut Problems) {
    let variants = declared(machine).into_iter().flat_map(|(_, variants)| variants);
    for field in variants.flat_map(|variant| variant.fields) {
        if !Kind::of(&field.ty, machine).is_known() {
            let ty = field.ty.to_token_stream().to_string();
            let message = format!(
                "`{ty}` cannot be looked into while the compiler runs the machine: use numbers, `bool`, `char`, arrays, tuples, \
                 `Option`, and enums and structs declared in this module; what the machine need not know stays outside of it"
            );
            problems.at(&field.ty, message);
        }
    }
}

/// How the fields of one variant or struct are treated.
struct Parts {
    pattern: TokenStream,
    show: TokenStream,
    identify: Identify,
    mention: TokenStream,
    draw: TokenStream,
}

/// What feeds a value into `id`: statements, and a last word, which is all there is of most values.
struct Identify {
    before: TokenStream,
    last: TokenStream,
}

/// Feeds the position of a variant and its fields into `id`. A word is a call, which is what const evaluation
/// takes longest for, so as many small fields as there is room for are one.
fn identify_fields(index: usize, kinds: &[Kind], names: &[TokenStream]) -> Identify {
    let index = index as u64;
    let (mut word, mut n_bits, mut out) = (quote!(#index), 16, TokenStream::new());
    for (kind, v) in kinds.iter().zip(names) {
        let Some((part, bits)) = kind.bits(v) else {
            out.extend(kind.identify(v));
            continue;
        };
        if n_bits + bits > 64 {
            out.extend(quote!(id.word(#word);));
            (word, n_bits) = (quote!(0u64), 0);
        }
        word = quote!(#word | (#part) << #n_bits);
        n_bits += bits;
    }
    Identify { before: out, last: word }
}

/// A struct, or a variant of an enum.
#[derive(Clone, Copy)]
struct Variant<'m> {
    ty: &'m Ident,
    variant: Option<&'m Ident>,
    fields: &'m Fields,
    weight: u32,
}

impl Variant<'_> {
    fn path(&self) -> TokenStream {
        let ty = self.ty;
        self.variant.map_or_else(|| quote!(#ty), |variant| quote!(#ty::#variant))
    }
}

/// The types of the machine, enums first.
fn declared(machine: &Machine) -> Vec<(&Ident, Vec<Variant<'_>>)> {
    let enums = machine.enums.iter().map(|item| {
        let variants = item.variants.iter().map(|variant| Variant {
            ty: &item.ident,
            variant: Some(&variant.ident),
            fields: &variant.fields,
            weight: weight(&variant.attrs).ok().flatten().unwrap_or(1),
        });
        (&item.ident, variants.collect())
    });
    let structs = machine.structs.iter().map(|item| {
        (&item.ident, vec![Variant { ty: &item.ident, variant: None, fields: &item.fields, weight: 1 }])
    });
    enums.chain(structs).collect()
}

fn parts(machine: &Machine, of: Variant<'_>, index: usize) -> Parts {
    let Variant { ty, variant, fields, .. } = of;
    let path = of.path();
    let name = variant.unwrap_or(ty).to_string();
    // The fields may be called like what stands around them.
    let names: Vec<TokenStream> = (0..fields.len()).map(|k| hidden(k).into_token_stream()).collect();
    let kinds: Vec<Kind> = fields.iter().map(|field| Kind::of(&field.ty, machine)).collect();
    let is_named = matches!(fields, Fields::Named(_));
    let shown = fields.iter().zip(&kinds).zip(&names).enumerate().map(|(k, ((field, kind), v))| {
        let lead = match (&field.ident, k) {
            (Some(name), 0) => format!(" {{ {name}: "),
            (Some(name), _) => format!(", {name}: "),
            (None, 0) => "(".to_string(),
            (None, _) => ", ".to_string(),
        };
        let show = kind.show(v);
        quote!(t.str(#lead); #show)
    });
    let close = match (is_named, fields.is_empty()) {
        (_, true) => quote!(),
        (true, false) => quote!(t.str(" }");),
        (false, false) => quote!(t.str(")");),
    };
    let identify = identify_fields(index, &kinds, &names);
    let mention = kinds.iter().zip(&names).map(|(kind, v)| kind.mention(v));
    let draws: Vec<TokenStream> =
        fields.iter().enumerate().map(|(k, field)| draw_field(machine, of, k, field)).collect();
    Parts {
        pattern: with_fields(path.clone(), fields, &names),
        show: quote!(t.str(#name); #(#shown)* #close),
        identify,
        mention: quote!(#(#mention)*),
        draw: with_fields(path, fields, &draws),
    }
}

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let last_character = machine.last_character;
    let computed = computed_arguments(machine);
    let mut out = quote!(
        const __LAST_CHARACTER: char = #last_character;
        #[doc(hidden)]
        pub const __COMPUTED_ARGUMENTS: &str = #computed;
    );
    for (name, variants) in declared(machine) {
        let of: Vec<Parts> = variants.iter().enumerate().map(|(k, v)| parts(machine, *v, k)).collect();
        if name == "State" {
            out.extend(key_of(&of));
        }
        let draw = (name != "State" && name != "Op").then(|| drawn(machine, name, &variants, &of));
        out.extend(functions(name, &of, draw));
    }
    let indices = |of: &str, names: Vec<&Ident>| {
        let of = format_ident!("{of}");
        let arms = names.iter().enumerate().map(|(k, name)| quote!(#of::#name { .. } => #k,));
        quote!(impl #of { #[doc(hidden)] pub const fn __index(&self) -> usize { match *self { #(#arms)* } } })
    };
    out.extend(indices("State", machine.states.iter().map(|s| &s.name).collect()));
    out.extend(indices("Op", machine.ops.iter().map(|o| &o.name).collect()));
    out
}

/// What machines use that have this type from here: its simplest value, and the function that draws one.
fn drawn(machine: &Machine, name: &Ident, variants: &[Variant<'_>], of: &[Parts]) -> TokenStream {
    let simplest = simplest_local(machine, name);
    let simplest = simplest.map(|simplest| quote!(#[doc(hidden)] pub const __SIMPLEST: Self = #simplest;));
    let (names, weights) = (variants.iter().map(|v| v.variant), variants.iter().map(|v| v.weight));
    let names = names.flatten().map(ToString::to_string);
    let draws = of.iter().map(|p| &p.draw).enumerate().map(|(k, draw)| quote!(#k => #draw));
    let body = match (variants, of) {
        ([Variant { variant: None, .. }], [Parts { draw, .. }]) => draw.clone(),
        _ => quote! {
            const NAMES: &[&str] = &[#(#names),*];
            match c.weighted(&[#(#weights),*], NAMES) { #(#draws,)* _ => ::core::unreachable!() }
        },
    };
    quote! {
        #simplest
        #[doc(hidden)]
        pub const fn __draw(c: &mut ::stairway::machine::core::Choices<'_>, pool: &::stairway::machine::core::Pool) -> Self { #body }
    }
}

/// The arguments that are not only compared and have too many values to try them all, as messages name them:
/// `Send { first, last }`.
pub(super) fn computed_arguments(machine: &Machine) -> String {
    let op_type = format_ident!("Op");
    let of = |op: &super::Op| {
        let names = op.names().into_iter().zip(&op.fields).enumerate().filter(|(k, (_, field))| {
            machine.uses.of_field(&op_type, Some(&op.name), *k) == Use::Free
                && has_many_values(machine, &Kind::of(&field.ty, machine))
        });
        let names: Vec<String> = names.map(|(_, (name, _))| name.to_string()).collect();
        (!names.is_empty()).then(|| format!("`{} {{ {} }}`", op.name, names.join(", ")))
    };
    machine.ops.iter().filter_map(of).collect::<Vec<_>>().join(", ")
}

fn has_many_values(machine: &Machine, kind: &Kind) -> bool {
    let has_many = |kind: &Kind| has_many_values(machine, kind);
    match kind {
        Kind::Unsigned(name) | Kind::Signed(name) => name != "u8" && name != "i8",
        Kind::Wide(_) | Kind::Char | Kind::Float(_) | Kind::Text => true,
        Kind::Array(kind, _) => has_many(kind),
        kind => variants(kind, &machine.types()).iter().any(|variant| variant.kinds.iter().any(has_many)),
    }
}

/// The functions of one type. Numbers that only operations hold are never worth a
/// second look.
fn functions(name: &Ident, of: &[Parts], draw: Option<TokenStream>) -> TokenStream {
    let patterns: Vec<_> = of.iter().map(|p| &p.pattern).collect();
    let show = of.iter().map(|p| &p.show);
    let identify =
        of.iter().map(|Parts { identify: Identify { before, last }, .. }| quote!(#before id.word(#last);));
    let mention = of.iter().map(|p| &p.mention);
    if patterns.is_empty() {
        return quote!();
    }
    let mention = (name != "Op").then(|| {
        quote! {
            #[doc(hidden)]
            pub const fn __mention(&self, pool: &mut ::stairway::machine::core::Pool) {
                match *self { #(#patterns => { #mention })* }
            }
        }
    });
    quote! {
        #[allow(unused_variables)]
        impl #name {
            #[doc(hidden)]
            pub const fn __show(&self, t: &mut ::stairway::machine::core::Text) {
                match *self { #(#patterns => { #show })* }
            }
            #[doc(hidden)]
            pub const fn __identify(&self, id: &mut ::stairway::machine::core::Identity) {
                match *self { #(#patterns => { #identify })* }
            }
            #mention
            #draw
        }
    }
}

/// The function that tells states apart: without another call, where a word is enough.
fn key_of(of: &[Parts]) -> TokenStream {
    let is_word = of.iter().all(|parts| parts.identify.before.is_empty());
    let (patterns, words) = (of.iter().map(|p| &p.pattern), of.iter().map(|p| &p.identify.last));
    let body = match is_word {
        true => quote!(::stairway::machine::core::__key_of_word!(match *s { #(#patterns => #words,)* })),
        false => quote! {
            let mut id = ::stairway::machine::core::Identity::EMPTY;
            s.__identify(&mut id);
            id.finish()
        },
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables)]
        pub const fn __key_of(s: &State) -> u128 { #body }
    }
}

/// An expression that draws a field. What `next` ignores is not counted through unless a formula looks at it.
fn draw_field(machine: &Machine, of: Variant<'_>, k: usize, field: &syn::Field) -> TokenStream {
    let kind = Kind::of(&field.ty, machine);
    let done = match &kind {
        // What is inside a type of another machine was not read.
        Kind::Foreign(_) if machine.system.is_none() => Use::Free,
        _ => machine.uses.of_field(of.ty, of.variant, k),
    };
    let below = machine.uses.below(of.ty, of.variant, k);
    let draw = kind.draw(&Drawing { of: done, below, askers: machine.uses.bit(of.ty, of.variant, k) });
    match simplest(machine, &field.ty) {
        Some(simplest) if done == Use::Ignored => {
            quote!(if c.is_counting() && pool.ignores() { #simplest } else { #draw })
        }
        _ => draw,
    }
}

/// An expression that draws an operation. Where it is called, its result is given by somebody else.
pub(super) fn draw_op(machine: &Machine, op: &super::Op, is_called: bool) -> TokenStream {
    let (name, ty) = (&op.name, format_ident!("Op"));
    let of = Variant { ty: &ty, variant: Some(name), fields: &op.fields, weight: op.weight };
    let draw = |(k, field): (usize, &syn::Field)| match simplest(machine, &field.ty) {
        Some(simplest) if is_called && op.ret == Some(k) => simplest,
        _ => draw_field(machine, of, k, field),
    };
    let mut draws: Vec<TokenStream> = op.fields.iter().enumerate().map(draw).collect();
    let mut pairs = TokenStream::new();
    for (k, (one, other)) in machine.uses.pairs(name).enumerate() {
        let field = op.fields.iter().nth(one).expect("an argument of the operation");
        let drawn = format_ident!("__pair_{k}");
        let mut below = machine.uses.below(&ty, Some(name), one);
        below.join(machine.uses.below(&ty, Some(name), other));
        let askers = [one, other].map(|k| machine.uses.bit(&ty, Some(name), k));
        let both = Drawing { of: Use::Compared, below, askers: askers[0] | askers[1] };
        if let Some((draw, [first, second])) = Kind::of(&field.ty, machine).pair(&drawn, &both) {
            pairs.extend(quote!(let #drawn = #draw;));
            (draws[one], draws[other]) = (first, second);
        }
    }
    let made = with_fields(quote!(Op::#name), &op.fields, &draws);
    if pairs.is_empty() { made } else { quote!({ #pairs #made }) }
}

/// The simplest value of a type.
pub(super) fn simplest(machine: &Machine, ty: &Type) -> Option<TokenStream> {
    simplest_of(machine, &Kind::of(ty, machine))
}

fn simplest_of(machine: &Machine, kind: &Kind) -> Option<TokenStream> {
    Some(match kind {
        Kind::Unsigned(_) | Kind::Signed(_) | Kind::Wide(_) => quote!(0),
        Kind::Bool => quote!(false),
        Kind::Float(_) => quote!(0.0),
        Kind::Char => quote!('a'),
        Kind::Text => quote!(""),
        Kind::Option(_) => quote!(None),
        Kind::Tuple(kinds) => {
            let parts = kinds.iter().map(|kind| simplest_of(machine, kind)).collect::<Option<Vec<_>>>()?;
            quote!((#(#parts,)*))
        }
        Kind::Array(kind, len) => {
            let part = simplest_of(machine, kind)?;
            quote!([#part; #len])
        }
        Kind::Local(name) => return simplest_local(machine, name),
        Kind::Machine(machine) => quote!(#machine::START),
        Kind::Foreign(path) => quote!(#path::__SIMPLEST),
        Kind::Which(_) => quote!(::stairway::machine::core::Which::__FIRST),
        Kind::Copies(_) | Kind::Numbered(_) | Kind::Channel(_) | Kind::Unknown => return None,
    })
}

fn simplest_local(machine: &Machine, name: &Ident) -> Option<TokenStream> {
    let (_, variants) = declared(machine).into_iter().find(|(known, _)| *known == name)?;
    let first = variants.first()?;
    simplest_fields(machine, first.path(), first.fields)
}

/// A variant or struct with the simplest fields.
pub(super) fn simplest_fields(machine: &Machine, path: TokenStream, fields: &Fields) -> Option<TokenStream> {
    let values = fields.iter().map(|field| simplest(machine, &field.ty)).collect::<Option<Vec<_>>>()?;
    Some(with_fields(path, fields, &values))
}
