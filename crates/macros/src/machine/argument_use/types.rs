//! The types of a machine, as far as fields are found in them.

use super::super::numbers::is_number;
use super::super::syntax::bare;
use std::collections::BTreeSet;
use syn::{Expr, Fields, Item, ItemEnum, ItemStruct, Lit, Member, Type, UnOp};

/// The types of a machine, and its constants that are numbers.
pub(super) struct Types<'m> {
    pub(super) enums: &'m [ItemEnum],
    pub(super) structs: &'m [ItemStruct],
    pub(super) constants: BTreeSet<String>,
}

impl<'m> Types<'m> {
    pub(super) fn read(enums: &'m [ItemEnum], structs: &'m [ItemStruct], rest: &[Item]) -> Self {
        let constants = rest.iter().filter_map(|item| match item {
            Item::Const(item) if is_number(&item.ty) => Some(item.ident.to_string()),
            _ => None,
        });
        Types { enums, structs, constants: constants.collect() }
    }

    pub(super) fn variants(&self, ty: &Type) -> impl Iterator<Item = (String, &'m Fields)> + use<'m> {
        let name = match ty {
            Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
            _ => None,
        };
        let of_enum = self.enums.iter().find(|item| name.as_ref() == Some(&item.ident));
        let of_struct = self.structs.iter().find(|item| name.as_ref() == Some(&item.ident));
        let variants = of_enum.into_iter().flat_map(|item| &item.variants);
        variants
            .map(|variant| (variant.ident.to_string(), &variant.fields))
            .chain(of_struct.into_iter().map(|item| (String::new(), &item.fields)))
    }

    /// The name of a type, for keys.
    pub(super) fn name(ty: &Type) -> String {
        match ty {
            Type::Path(path) => {
                path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// A field by its name or position.
    pub(super) fn field(fields: &'m Fields, member: &Member) -> Option<(usize, &'m Type)> {
        let is_it = |(k, field): &(usize, &syn::Field)| match member {
            Member::Named(name) => field.ident.as_ref() == Some(name),
            Member::Unnamed(index) => index.index as usize == *k,
        };
        fields.iter().enumerate().find(is_it).map(|(k, field)| (k, &field.ty))
    }

    /// Whether a number in a pattern or a comparison is one that arguments are drawn around.
    pub(super) fn is_point(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.is_point(&unary.expr),
            Expr::Lit(lit) => matches!(lit.lit, Lit::Int(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Bool(_)),
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.constants.contains(&name.to_string()))
            }
            _ => false,
        }
    }
}
