//! The messages of channels, and the types of parts as the composed machine's module writes them.

use super::super::kinds::Kind;
use super::super::{Machine, Op};
use super::composition::{Composition, Wire};
use proc_macro2::Ident;
use quote::format_ident;
use syn::{Error, Field, Result, Type};

/// Which field of an operation is the message: the one that is called like the channel, or the only one.
pub(super) fn message(op: &Op, wire: &Wire) -> Result<Option<usize>> {
    let named = op.fields.iter().position(|field| field.ident.as_ref() == Some(&wire.name));
    // Which of several channels it is says one of the fields.
    let is_other = |field: &&Field| wire.each.is_none() || field.ident != wire.each;
    let first = op.fields.iter().position(|field| is_other(&field));
    match (named, op.fields.iter().filter(is_other).count()) {
        (Some(at), _) => Ok(Some(at)),
        (None, 0) => Ok(None),
        (None, 1) => Ok(first),
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
pub(super) fn message_type(written: &Composition, machines: &[Machine], wire: &Wire) -> Result<Type> {
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
pub(super) fn seen_from_outside(
    ty: &Type,
    machine: &Machine,
    part: &Ident,
    of: (&Op, &Ident),
) -> Result<Type> {
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
