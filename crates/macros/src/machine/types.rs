//! The types of a machine as they are compiled: without the attributes of `#[machine]`, with the derives they
//! need, and under names that formulas can use.

use super::Machine;
use super::kinds::Kind;
use crate::home::Home;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Attribute, Fields, Item, Visibility};

/// The enums and structs.
pub(super) fn types(machine: &Machine) -> TokenStream {
    let is_tested = machine.home == Home::Stairway;
    let enums = machine.enums.iter().cloned().map(|mut item| {
        without_ours(&mut item.attrs);
        for variant in &mut item.variants {
            without_ours(&mut variant.attrs);
            clean_fields(&mut variant.fields);
        }
        let derives = missing_derives(&item.attrs, is_tested && item.ident != "State");
        quote!(#derives #item)
    });
    let structs = machine.structs.iter().cloned().map(|mut item| {
        without_ours(&mut item.attrs);
        clean_fields(&mut item.fields);
        let derives = missing_derives(&item.attrs, is_tested);
        quote!(#derives #item)
    });
    // Types of other machines, by names that machines with this one as a part can follow.
    let aliases = machine.ops.iter().flat_map(|op| {
        let foreign =
            op.fields.iter().filter(|field| matches!(Kind::of(&field.ty, machine), Kind::Foreign(_)));
        foreign.filter_map(|field| {
            let (alias, ty) = (super::compose::alias(op, field.ident.as_ref()?), &field.ty);
            Some(quote!(#[doc(hidden)] #[allow(non_camel_case_types)] pub type #alias = #ty;))
        })
    });
    let limits = super::compose::constants(machine);
    quote!(#(#enums)* #(#structs)* #(#aliases)* #limits)
}

/// What `#[machine]` reads and rustc does not know.
const OURS: [&str; 4] = ["weight", "terminal", "tracked", "ret"];

fn without_ours(attributes: &mut Vec<Attribute>) {
    attributes.retain(|a| !OURS.iter().any(|ours| a.path().is_ident(ours)));
}

fn clean_fields(fields: &mut Fields) {
    fields.iter_mut().for_each(|field| without_ours(&mut field.attrs));
}

/// The derives that everything in a machine needs, or what is in a printed program, and that were not written.
fn missing_derives(attributes: &[Attribute], is_printed: bool) -> TokenStream {
    let mut written = String::new();
    for attribute in attributes.iter().filter(|a| a.path().is_ident("derive")) {
        if let syn::Meta::List(list) = &attribute.meta {
            written += &format!("{} ,", list.tokens);
        }
    }
    let has = |name: &str| written.split([',', ' ', ':']).any(|word| word == name);
    let missing: Vec<Ident> = ["Clone", "Copy", "Debug", "PartialEq"]
        .into_iter()
        .filter(|name| !has(name))
        .map(|name| format_ident!("{name}"))
        .collect();
    let source = (is_printed && !has("ToSource")).then(|| quote!(::stairway::ToSource));
    let derives = missing.iter().map(|name| quote!(#name)).chain(source);
    quote!(#[derive(#(#derives),*)])
}

/// What a formula may name: all variants, and the types, constants and functions that are not private.
pub(super) fn names_for_formulas(Machine { enums, structs, rest, system, .. }: &Machine) -> TokenStream {
    let is_variant = |name: &Ident| enums.iter().flat_map(|e| &e.variants).any(|v| v.ident == *name);
    let types = enums.iter().map(|item| (&item.vis, &item.ident));
    let types = types.chain(structs.iter().map(|item| (&item.vis, &item.ident)));
    let others = rest.iter().filter_map(|item| match item {
        Item::Const(item) => Some((&item.vis, &item.ident)),
        Item::Fn(item) => Some((&item.vis, &item.sig.ident)),
        Item::Type(item) => Some((&item.vis, &item.ident)),
        _ => None,
    });
    let named = types.chain(others).filter(|(_, name)| !is_variant(name)).filter_map(|(visibility, name)| {
        match visibility {
            Visibility::Public(_) => Some(quote!(pub use super::#name;)),
            Visibility::Restricted(inner) if inner.path.is_ident("crate") => {
                Some(quote!(pub(crate) use super::#name;))
            }
            _ => None,
        }
    });
    let enums = enums.iter().map(|item| &item.ident);
    let of_parts =
        system.iter().flat_map(|system| &system.enums).filter_map(|(visibility, name)| match visibility {
            Visibility::Public(_) => Some(quote!(pub use super::#name;)),
            _ => None,
        });
    quote! {
        #[doc(hidden)]
        #[allow(unused_imports)]
        pub mod names {
            pub use super::{#(#enums::*),*};
            #(#named)*
            #(#of_parts)*
        }
    }
}
