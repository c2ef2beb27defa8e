//! Resolves variants that share a name: `Open` may be a state and an operation, `Failed` a result of two
//! operations.
//!
//! In the functions of a machine, such a name gets the path of its enum wherever its place determines the
//! type: in a pattern of a state or an operation, for a field of one, and in what a function returns. Names
//! that only one type has are left alone, and so are places whose type is not known; there rustc reports the
//! ambiguity.

use super::arms::made_by;
use super::kinds::{Kind, Types};
use super::patterns::{Variant, position, variants};
use super::syntax::{bare, each_end, each_end_of_block, head, matches_parts};
use proc_macro2::Ident;
use quote::format_ident;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, FnArg, ItemFn, Pat, Path, ReturnType, Type, parse_quote};

/// Writes out in a function whose variants are meant.
pub(super) fn in_function(function: &mut ItemFn, types: Types<'_>) {
    let mut resolver = VariantResolver::new(types);
    if resolver.shared.is_empty() {
        return;
    }
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(name) = &*typed.pat
        {
            resolver.variables.insert(name.ident.to_string(), resolver.kind(&typed.ty));
        }
    }
    if let ReturnType::Type(_, ty) = &function.sig.output {
        resolver.returned = Some(resolver.kind(ty));
    }
    resolver.visit_block_mut(&mut function.block);
    if let Some(returned) = resolver.returned.clone() {
        // What has no end, or another one, is for rustc.
        let _ = each_end_of_block(&mut function.block, &mut |end| resolver.made(end, &returned));
    }
}

/// Writes out in an expression for a state whose variants are meant.
pub(super) fn in_state(state: &mut Expr, types: Types<'_>) {
    VariantResolver::new(types).expression(state, &Kind::Local(format_ident!("State")));
}

struct VariantResolver<'m> {
    types: Types<'m>,
    /// Names that several types have.
    shared: BTreeSet<String>,
    /// What is known of variables.
    variables: BTreeMap<String, Kind>,
    /// What the function returns.
    returned: Option<Kind>,
}

impl<'m> VariantResolver<'m> {
    fn new(types: Types<'m>) -> Self {
        // A variant may also be called like a type.
        let enums = types.enums.iter().map(|item| &item.ident);
        let of_types = enums.chain(types.structs.iter().map(|item| &item.ident));
        let mut seen: BTreeSet<String> = of_types.map(ToString::to_string).collect();
        let names =
            types.enums.iter().flat_map(|item| &item.variants).map(|variant| variant.ident.to_string());
        let shared = names.filter(|name| !seen.insert(name.clone())).collect();
        VariantResolver { types, shared, variables: BTreeMap::new(), returned: None }
    }

    fn kind(&self, ty: &Type) -> Kind {
        match ty {
            Type::Reference(lent) if !matches!(&*lent.elem, Type::Path(path) if path.path.is_ident("str")) => {
                self.kind(&lent.elem)
            }
            ty => Kind::within(ty, &self.types),
        }
    }

    /// The kinds of the fields behind a path, which is one of a variant or of a struct.
    fn variant(&self, name: &Ident, kind: &Kind) -> Option<Variant> {
        variants(kind, &self.types)
            .into_iter()
            .find(|variant| *name == variant.name || variant.name.is_empty())
    }

    /// Writes out whose variant a lonely name is.
    fn path(&self, path: &mut Path, kind: &Kind) {
        let shared = path.get_ident().filter(|name| self.shared.contains(&name.to_string())).cloned();
        if let (Some(name), Kind::Local(ty)) = (shared, kind)
            && self.variant(&name, kind).is_some_and(|variant| !variant.name.is_empty())
        {
            let mut of = ty.clone();
            of.set_span(name.span());
            // A variant of that name would be taken for the type.
            let is_hidden = self.types.enums.iter().flat_map(|item| &item.variants).any(|v| v.ident == of);
            *path = if is_hidden { parse_quote!(self::#of::#name) } else { parse_quote!(#of::#name) };
        }
    }

    fn pattern(&mut self, pattern: &mut Pat, kind: &Kind) {
        let variant = match &*pattern {
            Pat::Tuple(_) | Pat::Slice(_) => variants(kind, &self.types).pop(),
            pattern => head(pattern).and_then(|name| self.variant(name, kind)),
        };
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && self.shared.contains(&name.ident.to_string()) => {
                let mut path = Path::from(name.ident.clone());
                self.path(&mut path, kind);
                return *pattern = parse_quote!(#path);
            }
            Pat::Ident(name) => {
                self.variables.insert(name.ident.to_string(), kind.clone());
                if let Some((_, inner)) = &mut name.subpat {
                    self.pattern(inner, kind);
                }
            }
            Pat::Path(inner) => self.path(&mut inner.path, kind),
            Pat::Struct(inner) => self.path(&mut inner.path, kind),
            Pat::TupleStruct(inner) => self.path(&mut inner.path, kind),
            Pat::Or(inner) => inner.cases.iter_mut().for_each(|case| self.pattern(case, kind)),
            Pat::Paren(inner) => self.pattern(&mut inner.pat, kind),
            // The guard itself is visited as an expression.
            Pat::Guard(inner) => self.pattern(&mut inner.pat, kind),
            Pat::Reference(inner) => self.pattern(&mut inner.pat, kind),
            _ => {}
        }
        let Some(Variant { fields, kinds, .. }) = variant else { return };
        let elements = match pattern {
            Pat::Struct(inner) => {
                for part in &mut inner.fields {
                    if let Some(k) = position(&fields, &part.member) {
                        self.pattern(&mut part.pat, &kinds[k]);
                    }
                }
                return;
            }
            Pat::TupleStruct(inner) => &mut inner.elems,
            Pat::Tuple(inner) => &mut inner.elems,
            Pat::Slice(inner) => &mut inner.elems,
            _ => return,
        };
        elements.iter_mut().zip(&kinds).for_each(|(part, kind)| self.pattern(part, kind));
    }

    /// An expression of a kind.
    fn expression(&self, expr: &mut Expr, kind: &Kind) {
        let _ = each_end(expr, &mut |end| self.made(end, kind));
    }

    /// An expression in which another one ends.
    fn made(&self, expr: &mut Expr, kind: &Kind) -> syn::Result<()> {
        let variant = made_by(expr).and_then(|name| self.variant(name, kind));
        let Variant { fields, kinds, .. } = variant.unwrap_or_default();
        match expr {
            Expr::Path(inner) => self.path(&mut inner.path, kind),
            Expr::Struct(inner) => {
                self.path(&mut inner.path, kind);
                for part in &mut inner.fields {
                    if let Some(k) = position(&fields, &part.member) {
                        self.expression(&mut part.expr, &kinds[k]);
                    }
                }
            }
            Expr::Call(call) => {
                if let Expr::Path(made) = &mut *call.func {
                    self.path(&mut made.path, kind);
                }
                call.args.iter_mut().zip(&kinds).for_each(|(part, kind)| self.expression(part, kind));
            }
            _ => {}
        }
        Ok(())
    }

    /// The kind of an expression that is made of variables.
    fn kind_of(&self, expr: &Expr) -> Option<Kind> {
        match bare(expr) {
            Expr::Path(path) => self.variables.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Field(inner) => {
                let whole = variants(&self.kind_of(&inner.base)?, &self.types).into_iter();
                let Variant { fields, kinds, .. } =
                    whole.into_iter().find(|variant| variant.name.is_empty())?;
                kinds.get(position(&fields, &inner.member)?).cloned()
            }
            Expr::Tuple(tuple) => {
                let kinds = tuple.elems.iter().map(|part| self.kind_of(part).unwrap_or(Kind::Unknown));
                Some(Kind::Tuple(kinds.collect()))
            }
            _ => None,
        }
    }
}

impl VisitMut for VariantResolver<'_> {
    fn visit_expr_match_mut(&mut self, node: &mut syn::ExprMatch) {
        if let Some(kind) = self.kind_of(&node.expr) {
            node.arms.iter_mut().for_each(|arm| self.pattern(&mut arm.pat, &kind));
        }
        visit_mut::visit_expr_match_mut(self, node);
    }

    fn visit_expr_let_mut(&mut self, node: &mut syn::ExprLet) {
        if let Some(kind) = self.kind_of(&node.expr) {
            self.pattern(&mut node.pat, &kind);
        }
        visit_mut::visit_expr_let_mut(self, node);
    }

    fn visit_local_mut(&mut self, node: &mut syn::Local) {
        if let Some(kind) = node.init.as_ref().and_then(|init| self.kind_of(&init.expr)) {
            self.pattern(&mut node.pat, &kind);
        }
        visit_mut::visit_local_mut(self, node);
    }

    fn visit_expr_return_mut(&mut self, node: &mut syn::ExprReturn) {
        if let (Some(expr), Some(returned)) = (&mut node.expr, self.returned.clone()) {
            self.expression(expr, &returned);
        }
        visit_mut::visit_expr_return_mut(self, node);
    }

    /// `ret == Failed` compares two values of one type.
    fn visit_expr_binary_mut(&mut self, node: &mut syn::ExprBinary) {
        if let Some(kind) = self.kind_of(&node.left) {
            self.expression(&mut node.right, &kind);
        }
        if let Some(kind) = self.kind_of(&node.right) {
            self.expression(&mut node.left, &kind);
        }
        visit_mut::visit_expr_binary_mut(self, node);
    }

    /// `matches!(s, Open { .. })`
    fn visit_macro_mut(&mut self, node: &mut syn::Macro) {
        if let Some((subject, mut pattern, guard)) = matches_parts(node)
            && let Some(kind) = self.kind_of(&subject)
        {
            self.pattern(&mut pattern, &kind);
            let guard = guard.map(|guard| quote::quote!(if #guard));
            node.tokens = quote::quote!(#subject, #pattern #guard);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{ToTokens, quote};
    use syn::ItemEnum;

    fn meant(function: proc_macro2::TokenStream) -> String {
        let enums: Vec<ItemEnum> = vec![
            parse_quote!(
                enum State {
                    Closed,
                    Open { at: Got },
                    Failed,
                }
            ),
            parse_quote!(
                enum Op {
                    Open { ret: Opened },
                    Read { ret: Option<Got> },
                }
            ),
            parse_quote!(
                enum Opened {
                    Yes,
                    Failed,
                }
            ),
            parse_quote!(
                enum Got {
                    Byte(u8),
                    Failed,
                }
            ),
        ];
        let mut function: ItemFn = syn::parse2(function).expect("a function");
        in_function(&mut function, Types { enums: &enums, structs: &[], aliases: &BTreeMap::new() });
        function.block.to_token_stream().to_string().replace(' ', "")
    }

    #[test]
    fn the_place_says_whose_variant_is_meant() {
        let shown = meant(quote! {
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Closed, Open { ret: Failed }) => Failed,
                    (Open { .. } | Failed, Read { ret: Some(Failed) }) => Open { at: Failed },
                    (Closed, Open { ret }) if ret == Failed => if matches!(s, Failed) { Failed } else { Closed },
                }
            }
        });
        let expected = quote! {{
            match (s, op) {
                (Closed, Op::Open { ret: Opened::Failed }) => State::Failed,
                (State::Open { .. } | State::Failed, Read { ret: Some(Got::Failed) }) => State::Open { at: Got::Failed },
                (Closed, Op::Open { ret }) if ret == Opened::Failed =>
                    if matches!(s, State::Failed) { State::Failed } else { Closed },
            }
        }};
        assert_eq!(shown, expected.to_string().replace(' ', ""));
    }

    #[test]
    fn options_returns_and_conditions_are_read_too() {
        let shown = meant(quote! {
            fn options(s: State, c: &mut Choices) -> Op {
                if let Open { at: Failed } = s { return Open { ret: Failed }; }
                let Failed = s else { return Read { ret: None } };
                Open { ret: Yes }
            }
        });
        let expected = quote! {{
            if let State::Open { at: Got::Failed } = s { return Op::Open { ret: Opened::Failed }; }
            let State::Failed = s else { return Read { ret: None } };
            Op::Open { ret: Yes }
        }};
        assert_eq!(shown, expected.to_string().replace(' ', ""));
    }
}
