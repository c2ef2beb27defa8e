//! Looking inside states, operations and their data in const evaluation, where no trait can be
//! called: for every type of the machine, functions that show it, tell it apart, collect its numbers
//! and draw it.

use super::argument_use::Use;
use super::{Machine, hidden, with_fields};
use crate::attributes::{Problems, weight};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Fields, GenericArgument, PathArguments, Type};

/// What a type is made of.
#[derive(Clone)]
pub(super) enum Kind {
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
    Unknown,
}

impl Kind {
    pub(super) fn of(ty: &Type, machine: &Machine) -> Kind {
        match ty {
            Type::Paren(inner) => Kind::of(&inner.elem, machine),
            Type::Group(inner) => Kind::of(&inner.elem, machine),
            Type::Tuple(tuple) => Kind::Tuple(tuple.elems.iter().map(|ty| Kind::of(ty, machine)).collect()),
            Type::Array(array) => Kind::Array(Box::new(Kind::of(&array.elem, machine)), array.len.clone()),
            Type::Reference(lent) if lent.elem.to_token_stream().to_string() == "str" => Kind::Text,
            Type::Path(path) => Kind::of_path(&path.path, machine),
            _ => Kind::Unknown,
        }
    }

    fn of_path(path: &syn::Path, machine: &Machine) -> Kind {
        let Some(last) = path.segments.last() else { return Kind::Unknown };
        let name = last.ident.to_string();
        if name == "State" && path.segments.len() > 1 {
            let mut machine = path.clone();
            machine.segments.pop();
            machine.segments.pop_punct();
            return Kind::Machine(machine);
        }
        if let PathArguments::AngleBracketed(arguments) = &last.arguments {
            return match arguments.args.first() {
                Some(GenericArgument::Type(inner)) if name == "Option" && arguments.args.len() == 1 => {
                    Kind::Option(Box::new(Kind::of(inner, machine)))
                }
                _ => Kind::Unknown,
            };
        }
        let is_local =
            machine.enums.iter().any(|e| e.ident == name) || machine.structs.iter().any(|s| s.ident == name);
        match name.as_str() {
            "u8" | "u16" | "u32" | "u64" | "usize" => Kind::Unsigned(last.ident.clone()),
            "i8" | "i16" | "i32" | "i64" | "isize" => Kind::Signed(last.ident.clone()),
            "u128" | "i128" => Kind::Wide(last.ident.clone()),
            "bool" => Kind::Bool,
            "char" => Kind::Char,
            "f32" | "f64" => Kind::Float(last.ident.clone()),
            _ if is_local => Kind::Local(last.ident.clone()),
            _ => match machine.aliases.get(&name) {
                Some(alias) if alias.to_token_stream().to_string() != name => Kind::of(alias, machine),
                _ => Kind::Unknown,
            },
        }
    }

    fn is_known(&self) -> bool {
        match self {
            Kind::Unknown => false,
            Kind::Tuple(kinds) => kinds.iter().all(Kind::is_known),
            Kind::Array(kind, _) | Kind::Option(kind) => kind.is_known(),
            _ => true,
        }
    }

    /// Writes the value `v` into the text `t`.
    fn show(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) => quote!(t.uint(#v as u128);),
            Kind::Signed(_) => quote!(t.int(#v as i128);),
            Kind::Wide(name) if name == "u128" => quote!(t.uint(#v);),
            Kind::Wide(_) => quote!(t.int(#v);),
            Kind::Bool => quote!(t.str(if #v { "true" } else { "false" });),
            Kind::Char => quote!(t.char(#v);),
            Kind::Float(_) => quote!(t.float(#v as f64);),
            Kind::Text => quote!(t.str("\""); t.str(#v); t.str("\"");),
            Kind::Tuple(kinds) => {
                let parts = kinds.iter().enumerate().map(|(k, kind)| {
                    let at = syn::Index::from(k);
                    let shown = kind.show(&quote!((#v).#at));
                    let comma = (k > 0).then(|| quote!(t.str(", ");));
                    quote!(#comma #shown)
                });
                quote!(t.str("("); #(#parts)* t.str(")");)
            }
            Kind::Array(kind, _) => {
                let shown = kind.show(&quote!(array[i]));
                quote!({
                    let (array, mut i) = (#v, 0usize);
                    t.str("[");
                    while i < array.len() { if i > 0 { t.str(", "); } #shown i += 1; }
                    t.str("]");
                })
            }
            Kind::Option(kind) => {
                let shown = kind.show(&quote!(some));
                quote!(match #v { Some(some) => { t.str("Some("); #shown t.str(")"); } None => t.str("None") })
            }
            Kind::Local(_) | Kind::Machine(_) => quote!((#v).__show(t);),
            Kind::Unknown => quote!(t.str("_");),
        }
    }

    /// The value `v` as a word of so many bits, if it has at most 32: several of them are one word of an identity.
    fn bits(&self, v: &TokenStream) -> Option<(TokenStream, u32)> {
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
    fn identify(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) | Kind::Signed(_) | Kind::Bool | Kind::Char => quote!(id.word(#v as u64);),
            Kind::Wide(_) => quote!(id.wide(#v as u128);),
            Kind::Float(_) => quote!(id.word((#v).to_bits() as u64);),
            Kind::Text => quote!({
                let (text, mut i) = ((#v).as_bytes(), 0usize);
                id.word(text.len() as u64);
                while i < text.len() { id.word(text[i] as u64); i += 1; }
            }),
            Kind::Tuple(kinds) => {
                let parts = kinds.iter().enumerate().map(|(k, kind)| {
                    let at = syn::Index::from(k);
                    kind.identify(&quote!((#v).#at))
                });
                quote!(#(#parts)*)
            }
            Kind::Array(kind, _) => {
                if let Some((word, bits)) = kind.bits(&quote!(array[i])) {
                    return identify_packed_array(v, &word, bits);
                }
                let part = kind.identify(&quote!(array[i]));
                quote!({ let (array, mut i) = (#v, 0usize); while i < array.len() { #part i += 1; } })
            }
            Kind::Option(kind) => {
                let part = kind.identify(&quote!(some));
                quote!(match #v { Some(some) => { id.word(1); #part } None => id.word(0) })
            }
            Kind::Local(_) | Kind::Machine(_) => quote!((#v).__identify(id);),
            Kind::Unknown => quote!(),
        }
    }

    /// Adds the numbers in the value `v` to `pool`.
    fn mention(&self, v: &TokenStream) -> TokenStream {
        match self {
            Kind::Unsigned(_) | Kind::Signed(_) | Kind::Wide(_) => quote!(pool.around(#v as i128);),
            Kind::Char => quote!(pool.around(#v as u32 as i128);),
            Kind::Tuple(kinds) => {
                let parts = kinds.iter().enumerate().map(|(k, kind)| {
                    let at = syn::Index::from(k);
                    kind.mention(&quote!((#v).#at))
                });
                quote!(#(#parts)*)
            }
            Kind::Array(kind, _) => {
                let part = kind.mention(&quote!(array[i]));
                quote!({ let (array, mut i) = (#v, 0usize); while i < array.len() { let _ = array[i]; #part i += 1; } })
            }
            Kind::Option(kind) => {
                let part = kind.mention(&quote!(some));
                quote!(if let Some(some) = #v { let _ = some; #part })
            }
            Kind::Local(_) | Kind::Machine(_) => quote!((#v).__mention(pool);),
            _ => quote!(),
        }
    }

    /// An expression that draws a value from `c` and `pool`, of which this is made.
    fn draw(&self, of: Use) -> TokenStream {
        let is_free = of == Use::Free;
        let number = if is_free { quote!(free) } else { quote!(compared) };
        match self {
            Kind::Unsigned(ty) | Kind::Signed(ty) => {
                quote!(pool.#number(c, #ty::MIN as i128, #ty::MAX as i128) as #ty)
            }
            Kind::Wide(ty) if ty == "u128" => quote!(pool.free(c, 0, u64::MAX as i128) as u128),
            Kind::Wide(ty) => quote!(pool.free(c, i64::MIN as i128, i64::MAX as i128) as #ty),
            Kind::Bool => quote!(c.chance(1, 2)),
            Kind::Char => quote!(pool.character(c, __LAST_CHARACTER, #is_free)),
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
            // An argument; that of a state is never drawn.
            Kind::Machine(machine) => quote!({ c.clip(); #machine::START }),
            Kind::Unknown => quote!(::core::unreachable!()),
        }
    }

    /// The simplest value, where it is a matter of course.
    fn simplest(&self) -> Option<TokenStream> {
        match self {
            Kind::Unsigned(_) | Kind::Signed(_) | Kind::Wide(_) => Some(quote!(0)),
            Kind::Bool => Some(quote!(false)),
            Kind::Float(_) => Some(quote!(0.0)),
            _ => None,
        }
    }
}

/// Every type inside states and operations must be one that can be looked into.
pub(super) fn diagnose(machine: &Machine, problems: &mut Problems) {
    let of_enums = machine.enums.iter().flat_map(|e| e.variants.iter().flat_map(|v| v.fields.iter()));
    let of_structs = machine.structs.iter().flat_map(|s| s.fields.iter());
    for field in of_enums.chain(of_structs) {
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
    identify: TokenStream,
    mention: TokenStream,
    draw: TokenStream,
}

/// Feeds the position of a variant and its fields into `id`. A word is a call, which is what const evaluation
/// takes longest for, so as many small fields as there is room for are one.
fn identify_fields(index: usize, kinds: &[Kind], names: &[TokenStream]) -> TokenStream {
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
    quote!(#out id.word(#word);)
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

/// A struct, or a variant of an enum.
#[derive(Clone, Copy)]
struct Variant<'m> {
    ty: &'m Ident,
    variant: Option<&'m Ident>,
    fields: &'m Fields,
}

fn parts(machine: &Machine, of: Variant<'_>, index: usize) -> Parts {
    let Variant { ty, variant, fields } = of;
    let path = variant.map_or_else(|| quote!(#ty), |variant| quote!(#ty::#variant));
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
    let mut out = quote!(
        const __LAST_CHARACTER: char = #last_character;
    );
    for item in &machine.enums {
        let name = &item.ident;
        let of: Vec<Parts> = item
            .variants
            .iter()
            .enumerate()
            .map(|(k, v)| parts(machine, Variant { ty: name, variant: Some(&v.ident), fields: &v.fields }, k))
            .collect();
        let variant_names = item.variants.iter().map(|v| v.ident.to_string());
        let weights = item.variants.iter().map(|v| weight(&v.attrs).ok().flatten().unwrap_or(1));
        let draws = of.iter().map(|p| &p.draw).enumerate().map(|(k, draw)| quote!(#k => #draw));
        let draw = if item.variants.is_empty() || name == "State" || name == "Op" || machine.options.is_some()
        {
            quote!()
        } else {
            quote! {
                #[doc(hidden)]
                pub const fn __draw(c: &mut ::stairway::machine::core::Choices<'_>, pool: &::stairway::machine::core::Pool) -> Self {
                    const NAMES: &[&str] = &[#(#variant_names),*];
                    match c.weighted(&[#(#weights),*], NAMES) { #(#draws,)* _ => ::core::unreachable!() }
                }
            }
        };
        out.extend(functions(name, &of, draw));
    }
    for item in &machine.structs {
        let name = &item.ident;
        let of = parts(machine, Variant { ty: name, variant: None, fields: &item.fields }, 0);
        let made = &of.draw;
        let draw = machine.options.is_none().then(|| {
            quote! {
                #[doc(hidden)]
                pub const fn __draw(c: &mut ::stairway::machine::core::Choices<'_>, pool: &::stairway::machine::core::Pool) -> Self { #made }
            }
        });
        out.extend(functions(name, &[of], draw.unwrap_or_default()));
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

/// The functions of one type. What a machine proposes itself is not drawn, and numbers that only operations hold are never worth a
/// second look.
fn functions(name: &Ident, of: &[Parts], draw: TokenStream) -> TokenStream {
    let patterns: Vec<_> = of.iter().map(|p| &p.pattern).collect();
    let show = of.iter().map(|p| &p.show);
    let identify = of.iter().map(|p| &p.identify);
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

/// An expression that draws a field. What `next` ignores is not counted through unless a formula looks at it.
fn draw_field(machine: &Machine, of: Variant<'_>, k: usize, field: &syn::Field) -> TokenStream {
    let done = machine.uses.of_field(of.ty, of.variant, k);
    let draw = Kind::of(&field.ty, machine).draw(done);
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
    let of = Variant { ty: &ty, variant: Some(name), fields: &op.fields };
    let draw = |(k, field): (usize, &syn::Field)| match simplest(machine, &field.ty) {
        Some(simplest) if is_called && op.ret == Some(k) => simplest,
        _ => draw_field(machine, of, k, field),
    };
    let draws: Vec<TokenStream> = op.fields.iter().enumerate().map(draw).collect();
    with_fields(quote!(Op::#name), &op.fields, &draws)
}

/// The simplest value of an operation's field, for computing types.
pub(super) fn simplest(machine: &Machine, ty: &Type) -> Option<TokenStream> {
    let kind = Kind::of(ty, machine);
    match &kind {
        Kind::Char => Some(quote!('a')),
        Kind::Text => Some(quote!("")),
        Kind::Option(_) => Some(quote!(None)),
        Kind::Tuple(_) if matches!(ty, Type::Tuple(_)) => {
            let Type::Tuple(tuple) = ty else { return None };
            let parts = tuple.elems.iter().map(|ty| simplest(machine, ty)).collect::<Option<Vec<_>>>()?;
            Some(quote!((#(#parts,)*)))
        }
        Kind::Array(_, len) => {
            let Type::Array(array) = ty else { return None };
            let part = simplest(machine, &array.elem)?;
            Some(quote!([#part; #len]))
        }
        Kind::Local(name) => simplest_local(machine, name),
        Kind::Machine(machine) => Some(quote!(#machine::START)),
        other => other.simplest(),
    }
}

fn simplest_local(machine: &Machine, name: &Ident) -> Option<TokenStream> {
    if let Some(item) = machine.enums.iter().find(|e| e.ident == *name) {
        let variant = item.variants.first()?;
        let first = &variant.ident;
        return simplest_fields(machine, quote!(#name::#first), &variant.fields);
    }
    let item = machine.structs.iter().find(|s| s.ident == *name)?;
    simplest_fields(machine, quote!(#name), &item.fields)
}

/// A variant or struct with the simplest fields.
pub(super) fn simplest_fields(machine: &Machine, path: TokenStream, fields: &Fields) -> Option<TokenStream> {
    let values = fields.iter().map(|field| simplest(machine, &field.ty)).collect::<Option<Vec<_>>>()?;
    Some(with_fields(path, fields, &values))
}
