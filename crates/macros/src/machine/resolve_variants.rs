//! Resolves variants that share a name: `Open` may be a state and an operation, `Failed` a result of two
//! operations.
//!
//! In the functions of a machine, such a name gets the path of its enum wherever its place determines the
//! type: in a pattern of a state or an operation, for a field of one, and in what a function returns. Names
//! that only one type has are left alone, and so are places whose type is not known; there rustc reports the
//! ambiguity.

use super::syntax::matches_parts;
use proc_macro2::Ident;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Fields, FnArg, GenericArgument, ItemEnum, ItemFn, ItemStruct, Member, Pat, Path};
use syn::{PathArguments, ReturnType, Stmt, Type, parse_quote};

/// The types of a machine.
pub(super) type Types<'m> = (&'m [ItemEnum], &'m [ItemStruct]);

/// Writes out in a function whose variants are resolver.
pub(super) fn in_function(function: &mut ItemFn, types: Types<'_>) {
    let mut resolver = VariantResolver::new(types);
    if resolver.shared.is_empty() {
        return;
    }
    for input in &function.sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Pat::Ident(name) = &*typed.pat
        {
            let ty = match &*typed.ty {
                Type::Reference(lent) => (*lent.elem).clone(),
                ty => ty.clone(),
            };
            resolver.variables.insert(name.ident.to_string(), ty);
        }
    }
    if let ReturnType::Type(_, ty) = &function.sig.output {
        resolver.returned = Some((**ty).clone());
    }
    resolver.visit_block_mut(&mut function.block);
    if let Some(returned) = resolver.returned.clone() {
        resolver.block(&mut function.block, &returned);
    }
}

/// Writes out in an expression for a state whose variants are resolver.
pub(super) fn in_state(state: &mut Expr, types: Types<'_>) {
    VariantResolver::new(types).expression(state, &parse_quote!(State));
}

struct VariantResolver<'m> {
    types: Types<'m>,
    /// Names that several types have.
    shared: BTreeSet<String>,
    /// What is known of variables.
    variables: BTreeMap<String, Type>,
    /// What the function returns.
    returned: Option<Type>,
}

impl<'m> VariantResolver<'m> {
    fn new(types: Types<'m>) -> Self {
        // A variant may also be called like a type.
        let of_types = types.0.iter().map(|item| &item.ident).chain(types.1.iter().map(|item| &item.ident));
        let mut seen: BTreeSet<String> = of_types.map(ToString::to_string).collect();
        let mut shared = BTreeSet::new();
        for variant in types.0.iter().flat_map(|item| &item.variants) {
            let name = variant.ident.to_string();
            if !seen.insert(name.clone()) {
                shared.insert(name);
            }
        }
        VariantResolver { types, shared, variables: BTreeMap::new(), returned: None }
    }

    /// The fields of a path, if it is one of a variant of this type or of a struct.
    fn fields(&self, path: &Path, ty: &Type) -> Option<&'m Fields> {
        let name = &path.segments.last()?.ident;
        match self.item(ty)? {
            TypeItem::Enum(item) => item.variants.iter().find(|v| v.ident == *name).map(|v| &v.fields),
            TypeItem::Struct(item) => Some(&item.fields),
        }
    }

    fn item(&self, ty: &Type) -> Option<TypeItem<'m>> {
        let name = &last(ty)?.ident;
        let (enums, structs) = self.types;
        let found = enums.iter().find(|item| item.ident == *name).map(TypeItem::Enum);
        found.or_else(|| structs.iter().find(|item| item.ident == *name).map(TypeItem::Struct))
    }

    /// Writes out whose variant a lonely name is.
    fn path(&self, path: &mut Path, ty: &Type) {
        let Some(name) = path.get_ident().filter(|name| self.shared.contains(&name.to_string())).cloned()
        else {
            return;
        };
        if let Some(TypeItem::Enum(item)) = self.item(ty)
            && item.variants.iter().any(|variant| variant.ident == name)
        {
            let mut of = item.ident.clone();
            of.set_span(name.span());
            // A variant of that name would be taken for the type.
            let is_hidden = self.types.0.iter().flat_map(|item| &item.variants).any(|v| v.ident == of);
            *path = if is_hidden { parse_quote!(self::#of::#name) } else { parse_quote!(#of::#name) };
        }
    }

    fn pattern(&mut self, pattern: &mut Pat, ty: &Type) {
        let ty = match ty {
            Type::Reference(lent) => &*lent.elem,
            ty => ty,
        };
        match pattern {
            Pat::Ident(name) if name.subpat.is_none() && self.shared.contains(&name.ident.to_string()) => {
                let mut path = Path::from(name.ident.clone());
                self.path(&mut path, ty);
                *pattern = parse_quote!(#path);
            }
            Pat::Ident(name) => {
                self.variables.insert(name.ident.to_string(), ty.clone());
                if let Some((_, inner)) = &mut name.subpat {
                    self.pattern(inner, ty);
                }
            }
            Pat::Path(inner) => self.path(&mut inner.path, ty),
            Pat::Struct(inner) => {
                let fields = self.fields(&inner.path, ty);
                self.path(&mut inner.path, ty);
                for part in &mut inner.fields {
                    if let Some(ty) = fields.and_then(|fields| field(fields, &part.member)) {
                        self.pattern(&mut part.pat, ty);
                    }
                }
            }
            Pat::TupleStruct(inner) => {
                if let (true, Some(ty)) = (inner.path.is_ident("Some"), inside(ty, "Option")) {
                    inner.elems.iter_mut().for_each(|part| self.pattern(part, &ty));
                } else {
                    let fields = self.fields(&inner.path, ty);
                    self.path(&mut inner.path, ty);
                    for (part, field) in inner.elems.iter_mut().zip(fields.into_iter().flatten()) {
                        self.pattern(part, &field.ty);
                    }
                }
            }
            Pat::Tuple(inner) => {
                if let Type::Tuple(types) = ty {
                    inner.elems.iter_mut().zip(&types.elems).for_each(|(part, ty)| self.pattern(part, ty));
                }
            }
            Pat::Or(inner) => inner.cases.iter_mut().for_each(|case| self.pattern(case, ty)),
            Pat::Paren(inner) => self.pattern(&mut inner.pat, ty),
            // The guard itself is visited as an expression.
            Pat::Guard(inner) => self.pattern(&mut inner.pat, ty),
            Pat::Reference(inner) => self.pattern(&mut inner.pat, ty),
            Pat::Slice(inner) => {
                if let Type::Array(array) = ty {
                    inner.elems.iter_mut().for_each(|part| self.pattern(part, &array.elem));
                }
            }
            _ => {}
        }
    }

    /// An expression of a type.
    fn expression(&self, expr: &mut Expr, ty: &Type) {
        match expr {
            Expr::Path(inner) => self.path(&mut inner.path, ty),
            Expr::Struct(inner) => {
                let fields = self.fields(&inner.path, ty);
                self.path(&mut inner.path, ty);
                for part in &mut inner.fields {
                    if let Some(ty) = fields.and_then(|fields| field(fields, &part.member)) {
                        self.expression(&mut part.expr, ty);
                    }
                }
            }
            Expr::Call(call) => {
                let Expr::Path(made) = &mut *call.func else { return };
                if let (true, Some(ty)) = (made.path.is_ident("Some"), inside(ty, "Option")) {
                    call.args.iter_mut().for_each(|part| self.expression(part, &ty));
                } else {
                    let fields = self.fields(&made.path, ty);
                    self.path(&mut made.path, ty);
                    for (part, field) in call.args.iter_mut().zip(fields.into_iter().flatten()) {
                        self.expression(part, &field.ty);
                    }
                }
            }
            Expr::Paren(inner) => self.expression(&mut inner.expr, ty),
            Expr::Group(inner) => self.expression(&mut inner.expr, ty),
            Expr::Block(inner) => self.block(&mut inner.block, ty),
            Expr::If(inner) => {
                self.block(&mut inner.then_branch, ty);
                if let Some((_, other)) = &mut inner.else_branch {
                    self.expression(other, ty);
                }
            }
            Expr::Match(inner) => inner.arms.iter_mut().for_each(|arm| self.expression(&mut arm.body, ty)),
            _ => {}
        }
    }

    fn block(&self, block: &mut Block, ty: &Type) {
        if let Some(Stmt::Expr(last, None)) = block.stmts.last_mut() {
            self.expression(last, ty);
        }
    }

    /// The type of an expression that is made of variables.
    fn type_of(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Path(path) => self.variables.get(&path.path.get_ident()?.to_string()).cloned(),
            Expr::Paren(inner) => self.type_of(&inner.expr),
            Expr::Reference(inner) => self.type_of(&inner.expr),
            Expr::Unary(inner) => self.type_of(&inner.expr),
            Expr::Field(inner) => {
                let of = self.type_of(&inner.base)?;
                match self.item(&of)? {
                    TypeItem::Struct(item) => field(&item.fields, &inner.member).cloned(),
                    TypeItem::Enum(_) => None,
                }
            }
            Expr::Tuple(tuple) => {
                let types =
                    tuple.elems.iter().map(|part| self.type_of(part).unwrap_or_else(|| parse_quote!(_)));
                Some(parse_quote!((#(#types,)*)))
            }
            _ => None,
        }
    }
}

impl VisitMut for VariantResolver<'_> {
    fn visit_expr_match_mut(&mut self, node: &mut syn::ExprMatch) {
        if let Some(ty) = self.type_of(&node.expr) {
            node.arms.iter_mut().for_each(|arm| self.pattern(&mut arm.pat, &ty));
        }
        visit_mut::visit_expr_match_mut(self, node);
    }

    fn visit_expr_let_mut(&mut self, node: &mut syn::ExprLet) {
        if let Some(ty) = self.type_of(&node.expr) {
            self.pattern(&mut node.pat, &ty);
        }
        visit_mut::visit_expr_let_mut(self, node);
    }

    fn visit_local_mut(&mut self, node: &mut syn::Local) {
        if let Some(ty) = node.init.as_ref().and_then(|init| self.type_of(&init.expr)) {
            self.pattern(&mut node.pat, &ty);
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
        if let Some(ty) = self.type_of(&node.left) {
            self.expression(&mut node.right, &ty);
        }
        if let Some(ty) = self.type_of(&node.right) {
            self.expression(&mut node.left, &ty);
        }
        visit_mut::visit_expr_binary_mut(self, node);
    }

    /// `matches!(s, Open { .. })`
    fn visit_macro_mut(&mut self, node: &mut syn::Macro) {
        if let Some((subject, mut pattern, guard)) = matches_parts(node)
            && let Some(ty) = self.type_of(&subject)
        {
            self.pattern(&mut pattern, &ty);
            let guard = guard.map(|guard| quote::quote!(if #guard));
            node.tokens = quote::quote!(#subject, #pattern #guard);
        }
    }
}

enum TypeItem<'m> {
    Enum(&'m ItemEnum),
    Struct(&'m ItemStruct),
}

fn last(ty: &Type) -> Option<&syn::PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// `T` of `Option<T>`.
fn inside(ty: &Type, of: &str) -> Option<Type> {
    let last = last(ty).filter(|last| last.ident == of)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    }
}

fn field<'f>(fields: &'f Fields, member: &Member) -> Option<&'f Type> {
    let is_it = |k: usize, name: Option<&Ident>| match member {
        Member::Named(member) => name == Some(member),
        Member::Unnamed(index) => index.index as usize == k,
    };
    fields.iter().enumerate().find(|(k, field)| is_it(*k, field.ident.as_ref())).map(|(_, field)| &field.ty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::{ToTokens, quote};

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
        in_function(&mut function, (&enums, &[]));
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
