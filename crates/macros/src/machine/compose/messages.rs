//! The messages of channels, and the types of parts as the composed machine's module writes them.

use super::super::kinds::Kind;
use super::super::{Machine, Op};
use super::composition::{Composition, Wire};
use proc_macro2::Ident;
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
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
    let mut outside = Outside { machine, part, alias: alias(of.0, of.1), unknown: None };
    let mut seen = ty.clone();
    outside.visit_type_mut(&mut seen);
    match outside.unknown {
        Some(unknown) => Err(Error::new_spanned(
            unknown,
            "an operation of a composed machine takes numbers, `bool`, `char`, tuples, `Option`, and enums and structs of its module",
        )),
        None => Ok(seen),
    }
}

/// Writes out whose types are meant.
struct Outside<'m> {
    machine: &'m Machine,
    part: &'m Ident,
    /// The name of a type that is another machine's.
    alias: Ident,
    /// A type that cannot be written outside of its machine.
    unknown: Option<Type>,
}

impl VisitMut for Outside<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        let (part, alias) = (self.part, &self.alias);
        match (Kind::of(ty, self.machine), &*ty) {
            (Kind::Local(name), _) => *ty = syn::parse_quote!(#part::#name),
            (Kind::Foreign(_), _) => *ty = syn::parse_quote!(#part::#alias),
            (_, Type::Path(path)) => {
                let aliases = &self.machine.aliases;
                if let Some(meant) = path.path.get_ident().and_then(|name| aliases.get(&name.to_string())) {
                    *ty = meant.clone();
                    return self.visit_type_mut(ty);
                }
                visit_mut::visit_type_mut(self, ty);
            }
            (_, Type::Paren(_) | Type::Group(_) | Type::Tuple(_)) => visit_mut::visit_type_mut(self, ty),
            (_, Type::Array(array)) if matches!(array.len, syn::Expr::Lit(_)) => {
                visit_mut::visit_type_mut(self, ty);
            }
            _ => drop(self.unknown.get_or_insert_with(|| ty.clone())),
        }
    }
}

/// The name under which a machine hands on the type of a field that is another machine's.
pub(in super::super) fn alias(op: &Op, field: &Ident) -> Ident {
    format_ident!("__{}_{field}", op.name)
}
