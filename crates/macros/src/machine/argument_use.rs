//! Decides what `next` does with the data of operations, field by field, so that exploration knows which values to try.
//!
//! A field that is only compared with numbers is represented by one value of each class that the comparisons tell apart; one
//! that `next` computes with, or that becomes part of a state, has to be tried with all its values. Errs on the side of "free":
//! a class that is drawn too wide would hide reachable states, and a property would be called proved that is not.

use super::arms::Parameters;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Fields, Item, ItemEnum, ItemFn, ItemStruct, Lit, Member, Pat, Result, Type, UnOp};

/// What is done with a field, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Use {
    /// Nothing depends on it.
    Ignored,
    /// It is matched with patterns and compared with numbers of the machine.
    Compared,
    /// Anything else.
    Free,
}

/// A field: the type that has it, the variant, and its position.
type Key = (String, String, usize);

/// What is done with each field, and how far from numbers of the state comparisons are.
#[derive(Default)]
pub(super) struct Uses {
    fields: BTreeMap<Key, Use>,
    /// `n + 2` is compared with something.
    pub(super) offsets: BTreeSet<i128>,
    /// Numbers, or constants, below which something is computed with.
    pub(super) limits: Vec<TokenStream>,
    /// Whether something below a number of the state is computed with.
    pub(super) is_below_state: bool,
}

impl Uses {
    /// What is done with a field of a struct (with no variant) or an enum.
    pub(super) fn of_field(&self, ty: &Ident, variant: Option<&Ident>, k: usize) -> Use {
        let key = (ty.to_string(), variant.map(ToString::to_string).unwrap_or_default(), k);
        self.fields.get(&key).copied().unwrap_or(Use::Ignored)
    }

    /// Says what is done with an argument of an operation.
    pub(super) fn set(&mut self, op: &Ident, k: usize, to: Use) {
        self.fields.insert(("Op".to_string(), op.to_string(), k), to);
    }

    pub(super) fn read(
        next: &ItemFn,
        enums: &[ItemEnum],
        structs: &[ItemStruct],
        rest: &[Item],
    ) -> Result<Uses> {
        let constants = rest.iter().filter_map(|item| match item {
            Item::Const(item) if super::mentioned::is_number(&item.ty) => Some(item.ident.to_string()),
            _ => None,
        });
        let types = Types { enums, structs, constants: constants.collect() };
        let parameters = Parameters::of(next)?;
        let names = BTreeMap::from([
            (parameters.state.to_string(), Bound::State),
            (parameters.op.to_string(), Bound::Data(None, Box::new(syn::parse_quote!(Op)))),
        ]);
        let mut reader = Reader { types, names, small: Vec::new(), uses: Uses::default() };
        reader.visit_block(&next.block);
        Ok(reader.uses)
    }
}

/// The types of a machine, and its constants that are numbers.
struct Types<'m> {
    enums: &'m [ItemEnum],
    structs: &'m [ItemStruct],
    constants: BTreeSet<String>,
}

/// What a name stands for.
#[derive(Clone)]
enum Bound {
    /// The state, or something in it.
    State,
    /// The operation or something in it: the field that it is or is in, and its type.
    Data(Option<Key>, Box<Type>),
    /// Something that was computed.
    Other,
}

/// Something in the operation: the field that it is or is in, and its type.
type Place = (Option<Key>, Type);

struct Reader<'m> {
    types: Types<'m>,
    names: BTreeMap<String, Bound>,
    /// Fields that are below a limit here, and that limit; none if it is a number of the state.
    small: Vec<(Key, Option<TokenStream>)>,
    uses: Uses,
}

impl<'m> Types<'m> {
    fn variants(&self, ty: &Type) -> impl Iterator<Item = (String, &'m Fields)> + use<'m> {
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
    fn name(ty: &Type) -> String {
        match ty {
            Type::Path(path) => {
                path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// A field by its name or position.
    fn field(fields: &'m Fields, member: &Member) -> Option<(usize, &'m Type)> {
        let is_it = |(k, field): &(usize, &syn::Field)| match member {
            Member::Named(name) => field.ident.as_ref() == Some(name),
            Member::Unnamed(index) => index.index as usize == *k,
        };
        fields.iter().enumerate().find(is_it).map(|(k, field)| (k, &field.ty))
    }

    /// Whether a number in a pattern or a comparison is one that arguments are drawn around.
    fn is_point(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_point(&inner.expr),
            Expr::Group(inner) => self.is_point(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => self.is_point(&unary.expr),
            Expr::Lit(lit) => matches!(lit.lit, Lit::Int(_) | Lit::Char(_) | Lit::Byte(_) | Lit::Bool(_)),
            Expr::Path(path) => {
                path.path.get_ident().is_some_and(|name| self.constants.contains(&name.to_string()))
            }
            _ => false,
        }
    }
}

impl Reader<'_> {
    fn mark(&mut self, key: Option<&Key>, ty: &Type, mut mark: Use) {
        let limit = self.small.iter().find(|(small, _)| Some(small) == key).map(|(_, limit)| limit.clone());
        if let (Use::Free, Some(limit), true) = (mark, limit, is_unsigned(ty)) {
            // All values that it can have here are tried.
            match limit {
                None => self.uses.is_below_state = true,
                Some(limit) => {
                    if self.uses.limits.iter().all(|known| known.to_string() != limit.to_string()) {
                        self.uses.limits.push(limit);
                    }
                }
            }
            mark = Use::Compared;
        }
        if let Some(key) = key {
            let known = self.uses.fields.entry(key.clone()).or_insert(Use::Ignored);
            *known = (*known).max(mark);
        }
        if mark == Use::Free {
            self.free_inside(ty);
        }
    }

    /// Everything in a type may be used.
    fn free_inside(&mut self, ty: &Type) {
        match ty {
            Type::Paren(inner) => self.free_inside(&inner.elem),
            Type::Group(inner) => self.free_inside(&inner.elem),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.free_inside(ty)),
            Type::Array(array) => self.free_inside(&array.elem),
            Type::Path(path) => {
                if let Some(syn::PathArguments::AngleBracketed(arguments)) =
                    path.path.segments.last().map(|last| &last.arguments)
                {
                    for argument in &arguments.args {
                        if let syn::GenericArgument::Type(ty) = argument {
                            self.free_inside(ty);
                        }
                    }
                }
                let fields: Vec<(Key, Type)> = self
                    .types
                    .variants(ty)
                    .flat_map(|(variant, fields)| {
                        let of = |(k, field): (usize, &syn::Field)| {
                            ((Types::name(ty), variant.clone(), k), field.ty.clone())
                        };
                        fields.iter().enumerate().map(of).collect::<Vec<_>>()
                    })
                    .collect();
                for (key, ty) in fields {
                    if self.uses.fields.insert(key, Use::Free) != Some(Use::Free) {
                        self.free_inside(&ty);
                    }
                }
            }
            _ => {}
        }
    }

    /// A pattern of something in the operation: names in it stand for its parts.
    fn pattern(&mut self, pat: &Pat, key: Option<&Key>, ty: &Type) {
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => {}
            Pat::Paren(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Guard(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Reference(inner) => self.pattern(&inner.pat, key, ty),
            Pat::Or(or) => or.cases.iter().for_each(|case| self.pattern(case, key, ty)),
            Pat::Ident(name) if is_variable(&name.ident) => {
                self.names.insert(name.ident.to_string(), Bound::Data(key.cloned(), Box::new(ty.clone())));
                if let Some((_, inner)) = &name.subpat {
                    self.pattern(inner, key, ty);
                }
            }
            Pat::Ident(name) => self.constant(&name.ident, key, ty),
            Pat::Path(path) => match path.path.segments.last() {
                Some(last) => self.constant(&last.ident, key, ty),
                None => self.mark(key, ty, Use::Free),
            },
            Pat::Lit(lit) => {
                let is_point = self.types.is_point(&Expr::Lit(lit.clone()));
                self.mark(key, ty, if is_point { Use::Compared } else { Use::Free });
            }
            Pat::Range(range) => {
                let bounds = [&range.start, &range.end].into_iter().flatten();
                let is_point = bounds.into_iter().all(|bound| self.types.is_point(bound));
                self.mark(key, ty, if is_point { Use::Compared } else { Use::Free });
            }
            Pat::Struct(inner) => {
                self.mark(key, ty, Use::Compared);
                let variant = self.variant(&inner.path, ty);
                for field in &inner.fields {
                    match variant.as_ref().and_then(|(name, fields)| {
                        let (k, ty) = Types::field(fields, &field.member)?;
                        Some(((name.0.clone(), name.1.clone(), k), ty.clone()))
                    }) {
                        Some((key, ty)) => self.pattern(&field.pat, Some(&key), &ty),
                        None => self.unknown(&field.pat, key, ty),
                    }
                }
            }
            Pat::TupleStruct(inner) => self.tuple_struct(inner, key, ty),
            Pat::Tuple(tuple) => {
                self.mark(key, ty, Use::Compared);
                match ty {
                    Type::Tuple(types) if types.elems.len() == tuple.elems.len() => {
                        for (pat, ty) in tuple.elems.iter().zip(&types.elems) {
                            self.pattern(pat, key, ty);
                        }
                    }
                    _ => tuple.elems.iter().for_each(|pat| self.unknown(pat, key, ty)),
                }
            }
            Pat::Slice(slice) => {
                self.mark(key, ty, Use::Compared);
                let inner = match ty {
                    Type::Array(array) => (*array.elem).clone(),
                    other => other.clone(),
                };
                slice.elems.iter().for_each(|pat| self.pattern(pat, key, &inner));
            }
            pat => self.unknown(pat, key, ty),
        }
    }

    fn tuple_struct(&mut self, inner: &syn::PatTupleStruct, key: Option<&Key>, ty: &Type) {
        self.mark(key, ty, Use::Compared);
        if inner.path.is_ident("Some")
            && let Type::Path(path) = ty
            && let Some(syn::PathArguments::AngleBracketed(arguments)) =
                path.path.segments.last().map(|last| &last.arguments)
            && let Some(syn::GenericArgument::Type(of)) = arguments.args.first()
        {
            inner.elems.iter().for_each(|pat| self.pattern(pat, key, of));
            return;
        }
        let variant = self.variant(&inner.path, ty);
        let has_rest = inner.elems.iter().any(|pat| matches!(pat, Pat::Rest(_)));
        for (k, pat) in inner.elems.iter().enumerate() {
            let field = variant.as_ref().filter(|_| !has_rest).and_then(|(name, fields)| {
                let field = fields.iter().nth(k)?;
                Some(((name.0.clone(), name.1.clone(), k), field.ty.clone()))
            });
            match field {
                Some((key, ty)) => self.pattern(pat, Some(&key), &ty),
                None => self.unknown(pat, key, ty),
            }
        }
    }

    /// The variant that a path names, with the name of its type.
    fn variant(&self, path: &syn::Path, ty: &Type) -> Option<((String, String), Fields)> {
        let last = path.segments.last()?.ident.to_string();
        let all: Vec<(String, &Fields)> = self.types.variants(ty).collect();
        let found = all.iter().find(|(name, _)| *name == last || name.is_empty())?;
        Some(((Types::name(ty), found.0.clone()), found.1.clone()))
    }

    /// A name without fields in a pattern: a variant, `None` or a constant.
    fn constant(&mut self, name: &Ident, key: Option<&Key>, ty: &Type) {
        let text = name.to_string();
        let is_known = text == "None"
            || self.types.constants.contains(&text)
            || self.types.variants(ty).any(|(variant, _)| variant == text);
        self.mark(key, ty, if is_known { Use::Compared } else { Use::Free });
    }

    /// A pattern of which it is not known what it is matched with.
    fn unknown(&mut self, pat: &Pat, key: Option<&Key>, ty: &Type) {
        if !matches!(pat, Pat::Wild(_) | Pat::Rest(_)) {
            self.mark(key, ty, Use::Free);
            self.bind_all(pat, &Bound::Data(key.cloned(), Box::new(ty.clone())));
        }
    }

    /// Gives all names in a pattern one meaning.
    fn bind_all(&mut self, pat: &Pat, bound: &Bound) {
        struct All(Vec<String>);
        impl<'a> Visit<'a> for All {
            fn visit_pat_ident(&mut self, pat: &'a syn::PatIdent) {
                if is_variable(&pat.ident) {
                    self.0.push(pat.ident.to_string());
                }
                visit::visit_pat_ident(self, pat);
            }
        }
        let mut all = All(Vec::new());
        all.visit_pat(pat);
        self.names.extend(all.0.into_iter().map(|name| (name, bound.clone())));
    }

    /// Something in the operation, if an expression is that. Fields on the way to it matter as it does.
    fn place(&mut self, expr: &Expr) -> Option<Place> {
        let (passed, found) = self.place_with_way(expr)?;
        for key in passed {
            let known = self.uses.fields.entry(key).or_insert(Use::Ignored);
            *known = (*known).max(Use::Compared);
        }
        Some(found)
    }

    fn place_with_way(&self, expr: &Expr) -> Option<(Vec<Key>, Place)> {
        match bare(expr) {
            Expr::Path(path) => match self.names.get(&path.path.get_ident()?.to_string())? {
                Bound::Data(key, ty) => Some((Vec::new(), (key.clone(), (**ty).clone()))),
                _ => None,
            },
            Expr::Field(field) => {
                let (mut passed, (key, ty)) = self.place_with_way(&field.base)?;
                if let (Type::Tuple(tuple), Member::Unnamed(index)) = (&ty, &field.member) {
                    return Some((passed, (key, tuple.elems.iter().nth(index.index as usize)?.clone())));
                }
                passed.extend(key);
                let (variant, fields) = self.types.variants(&ty).find(|(name, _)| name.is_empty())?;
                let (k, inner) = Types::field(fields, &field.member)?;
                Some((passed, (Some((Types::name(&ty), variant, k)), inner.clone())))
            }
            _ => None,
        }
    }

    /// Whether an expression is a number in the state.
    fn is_of_state(&self, expr: &Expr) -> bool {
        match bare(expr) {
            Expr::Path(path) => path
                .path
                .get_ident()
                .is_some_and(|name| matches!(self.names.get(&name.to_string()), Some(Bound::State))),
            Expr::Field(field) => self.is_of_state(&field.base),
            Expr::Index(index) => {
                self.is_of_state(&index.expr)
                    && (self.types.is_point(&index.index) || self.is_of_state(&index.index))
            }
            _ => false,
        }
    }

    /// Whether arguments are drawn around the value of an expression: a number, one in the state, or one a little off.
    fn is_drawn_around(&mut self, expr: &Expr) -> bool {
        let expr = bare(expr);
        if self.types.is_point(expr) || self.is_of_state(expr) {
            return true;
        }
        if let Expr::MethodCall(call) = expr {
            return self.is_next_to(call);
        }
        let Expr::Binary(sum) = expr else { return false };
        let sign = match sum.op {
            BinOp::Add(_) => 1,
            BinOp::Sub(_) => -1,
            _ => return false,
        };
        let number = |expr: &Expr| match bare(expr) {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => int.base10_parse::<i128>().ok(),
                _ => None,
            },
            _ => None,
        };
        let offset = match (number(&sum.left), number(&sum.right)) {
            (None, Some(by)) if self.is_of_state(&sum.left) => sign * by,
            (Some(by), None) if sign == 1 && self.is_of_state(&sum.right) => by,
            _ => return false,
        };
        self.uses.offsets.insert(offset);
        true
    }

    /// `n.wrapping_add(1)` of a number in the state is its neighbour, or a bound of its type, which is always tried.
    fn is_next_to(&mut self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let is_one = call.args.first().is_some_and(|by| {
            matches!(bare(by), Expr::Lit(lit) if matches!(&lit.lit, Lit::Int(int) if int.base10_digits() == "1"))
        });
        let sign = match name.as_str() {
            "wrapping_add" | "saturating_add" => 1,
            "wrapping_sub" | "saturating_sub" => -1,
            _ => return false,
        };
        let is_known = is_one && call.args.len() == 1 && self.is_of_state(&call.receiver);
        if is_known {
            self.uses.offsets.insert(sign);
        }
        is_known
    }

    /// Notes what a condition bounds: `k < 4`, `k <= LAST`, also among others that have to hold.
    fn bound_by(&mut self, cond: &Expr) {
        let Expr::Binary(both) = bare(cond) else { return };
        let (small, limit, is_included) = match both.op {
            BinOp::And(_) => {
                self.bound_by(&both.left);
                return self.bound_by(&both.right);
            }
            BinOp::Lt(_) => (&both.left, &both.right, false),
            BinOp::Le(_) => (&both.left, &both.right, true),
            BinOp::Gt(_) => (&both.right, &both.left, false),
            BinOp::Ge(_) => (&both.right, &both.left, true),
            _ => return,
        };
        let Some((Some(key), _)) = self.place(small) else { return };
        if self.types.is_point(limit) {
            let included = i128::from(is_included);
            self.small.push((key, Some(quote::quote!((#limit) as i128 + #included))));
        } else if self.is_of_state(limit) {
            self.small.push((key, None));
        }
    }

    /// `match` and `let`: patterns of places say how those are used, and of the state what is in it.
    fn matched(&mut self, expr: &Expr, pat: &Pat) {
        if let (Expr::Tuple(_), Pat::Wild(_)) = (bare(expr), unparen(pat)) {
            return;
        }
        if let (Expr::Tuple(parts), Pat::Tuple(pats)) = (bare(expr), unparen(pat))
            && parts.elems.len() == pats.elems.len()
        {
            for (part, pat) in parts.elems.iter().zip(&pats.elems) {
                self.matched(part, pat);
            }
            return;
        }
        if let (Expr::Tuple(_), Pat::Or(or)) = (bare(expr), unparen(pat)) {
            return or.cases.iter().for_each(|case| self.matched(expr, case));
        }
        match self.place(expr) {
            Some((key, ty)) => self.pattern(pat, key.as_ref(), &ty),
            None if self.is_of_state(expr) => self.bind_all(pat, &Bound::State),
            None => {
                // A name for several parts at once may be used in any way.
                self.mark_mentioned(expr);
                self.bind_all(pat, &Bound::Other);
            }
        }
    }

    /// Whatever an expression says of the operation may be used, unless it is only compared.
    fn mark_mentioned(&mut self, expr: &Expr) {
        if let Expr::Tuple(parts) = bare(expr) {
            return parts.elems.iter().for_each(|part| self.visit_expr(part));
        }
        self.visit_expr(expr);
    }

    fn mark_tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.mark_tokens(group.stream()),
                TokenTree::Ident(name) => {
                    if let Some(Bound::Data(key, ty)) = self.names.get(&name.to_string()).cloned() {
                        self.mark(key.as_ref(), &ty, Use::Free);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'a> Visit<'a> for Reader<'_> {
    fn visit_expr(&mut self, expr: &'a Expr) {
        if let Some((key, ty)) = self.place(expr) {
            return self.mark(key.as_ref(), &ty, Use::Free);
        }
        match expr {
            Expr::Binary(both) if is_comparison(&both.op) => {
                for (one, other) in [(&both.left, &both.right), (&both.right, &both.left)] {
                    if let Some((key, ty)) = self.place(one)
                        && is_number_like(&ty)
                        && self.is_drawn_around(other)
                    {
                        return self.mark(key.as_ref(), &ty, Use::Compared);
                    }
                    // `ret == Pin::Correct` says which variant it is.
                    if let (Some((key, ty)), Expr::Path(path)) = (self.place(one), bare(other))
                        && let Some(last) = path.path.segments.last()
                        && self.types.variants(&ty).any(|(name, _)| last.ident == name)
                    {
                        return self.mark(key.as_ref(), &ty, Use::Compared);
                    }
                }
                visit::visit_expr(self, expr);
            }
            Expr::Match(m) => {
                let before = self.names.clone();
                for arm in &m.arms {
                    let n_small = self.small.len();
                    self.matched(&m.expr, &arm.pat);
                    if let Pat::Guard(guarded) = &arm.pat {
                        self.visit_expr(&guarded.guard);
                        self.bound_by(&guarded.guard);
                    }
                    self.visit_expr(&arm.body);
                    self.names.clone_from(&before);
                    self.small.truncate(n_small);
                }
            }
            Expr::Let(l) => self.matched(&l.expr, &l.pat),
            Expr::If(i) => {
                let before = self.names.clone();
                let n_small = self.small.len();
                self.visit_expr(&i.cond);
                self.bound_by(&i.cond);
                self.visit_block(&i.then_branch);
                self.names = before;
                self.small.truncate(n_small);
                if let Some((_, other)) = &i.else_branch {
                    self.visit_expr(other);
                }
            }
            Expr::Macro(mac) if mac.mac.path.is_ident("matches") => {
                let before = self.names.clone();
                let parser = |input: syn::parse::ParseStream<'_>| {
                    let expr: Expr = input.parse()?;
                    input.parse::<syn::Token![,]>()?;
                    let pat = Pat::parse_multi_with_leading_vert(input)?;
                    let guard: Option<Expr> = if input.peek(syn::Token![if]) {
                        input.parse::<syn::Token![if]>()?;
                        Some(input.parse()?)
                    } else {
                        None
                    };
                    input.parse::<Option<syn::Token![,]>>()?;
                    Ok((expr, pat, guard))
                };
                match mac.mac.parse_body_with(parser) {
                    Ok((expr, pat, guard)) => {
                        self.matched(&expr, &pat);
                        guard.iter().for_each(|guard| self.visit_expr(guard));
                    }
                    Err(_) => self.mark_tokens(mac.mac.tokens.clone()),
                }
                self.names = before;
            }
            Expr::Macro(mac) => self.mark_tokens(mac.mac.tokens.clone()),
            Expr::Closure(closure) => self.mark_tokens(closure.to_token_stream()),
            expr => visit::visit_expr(self, expr),
        }
    }

    fn visit_block(&mut self, block: &'a syn::Block) {
        let before = self.names.clone();
        visit::visit_block(self, block);
        self.names = before;
    }

    fn visit_local(&mut self, local: &'a syn::Local) {
        let Some(init) = &local.init else { return };
        if let Some((_, otherwise)) = &init.diverge {
            self.visit_expr(otherwise);
        }
        self.matched(&init.expr, &local.pat);
    }

    fn visit_item(&mut self, _: &'a Item) {}
}

/// A name in a pattern that stands for anything.
fn is_variable(name: &Ident) -> bool {
    name.to_string().trim_start_matches("r#").starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// Types whose values are compared by size or for equality in const evaluation.
fn is_number_like(ty: &Type) -> bool {
    const KNOWN: [&str; 13] =
        ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "bool", "char", "u128"];
    matches!(ty, Type::Path(path) if KNOWN.iter().any(|name| path.path.is_ident(name)))
}

fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if ["u8", "u16", "u32", "u64", "usize"].iter().any(|name| path.path.is_ident(name)))
}

fn is_comparison(op: &BinOp) -> bool {
    matches!(op, BinOp::Eq(_) | BinOp::Ne(_) | BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_))
}

/// An expression without parentheses and references around it.
fn bare(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        Expr::Reference(inner) => bare(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => bare(&unary.expr),
        expr => expr,
    }
}

fn unparen(pat: &Pat) -> &Pat {
    match pat {
        Pat::Paren(inner) => unparen(&inner.pat),
        Pat::Guard(inner) => unparen(&inner.pat),
        pat => pat,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn used(next: ItemFn) -> Vec<(String, Use)> {
        let op: ItemEnum = parse_quote!(
            pub enum Op {
                Set { v: u8, ret: Reply },
                Send { packet: Packet },
            }
        );
        let reply: ItemEnum = parse_quote!(
            pub enum Reply {
                Ack { a: u32 },
                Lost,
            }
        );
        let packet: ItemStruct = parse_quote!(
            pub struct Packet {
                pub payload: u8,
                pub number: u32,
            }
        );
        let limit: Item = parse_quote!(
            const LIMIT: u8 = 7;
        );
        let uses = Uses::read(&next, &[op, reply], &[packet], &[limit]).expect("it can be read");
        let text = |(ty, variant, k): &Key| format!("{ty}.{variant}.{k}");
        uses.fields.iter().map(|(key, of)| (text(key), *of)).collect()
    }

    fn of(next: ItemFn, field: &str) -> Use {
        used(next).into_iter().find(|(name, _)| name == field).map_or(Use::Ignored, |(_, of)| of)
    }

    #[test]
    fn what_is_only_compared_is_told_from_what_is_computed_with() {
        let next = |guard: Expr| -> ItemFn {
            parse_quote!(fn next(s: State, op: Op) -> State {
                match (s, op) { (Idle { n }, Set { v, .. }) if #guard => Idle { n }, }
            })
        };
        let of_v = |guard: Expr| of(next(guard), "Op.Set.0");
        assert_eq!(of_v(parse_quote!(v == 3 || n < v)), Use::Compared);
        assert_eq!(of_v(parse_quote!(v <= LIMIT && v != n + 2)), Use::Compared);
        assert_eq!(of_v(parse_quote!(v == n.wrapping_add(1))), Use::Compared);
        assert_eq!(of_v(parse_quote!(v == n.wrapping_add(2))), Use::Free);
        assert_eq!(of_v(parse_quote!(matches!(v, 0..=9 | 12))), Use::Compared);
        assert_eq!(of_v(parse_quote!(v % 251 == 250)), Use::Free);
        assert_eq!(of_v(parse_quote!(is_good(v))), Use::Free);
        assert_eq!(of_v(parse_quote!(v < OTHER)), Use::Free);
        assert_eq!(of_v(parse_quote!(v < n * 2)), Use::Free);
        assert_eq!(of_v(parse_quote!(n == 3)), Use::Ignored);
    }

    #[test]
    fn what_is_below_a_limit_is_tried_up_to_it() {
        let next: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Idle { slots }, Send { packet }) if packet.number < 4 => {
                        Idle { slots: slots[packet.number as usize] }
                    }
                    (Idle { slots }, Set { v, .. }) if v <= LIMIT => Idle { slots: slots[v as usize] },
                }
            }
        );
        let op: ItemEnum = parse_quote!(
            pub enum Op {
                Set { v: u8 },
                Send { packet: Packet },
            }
        );
        let packet: ItemStruct = parse_quote!(
            pub struct Packet {
                pub number: u32,
            }
        );
        let limit: Item = parse_quote!(
            const LIMIT: u8 = 7;
        );
        let uses = Uses::read(&next, &[op], &[packet], &[limit]).expect("it can be read");
        assert!(uses.fields.values().all(|of| *of == Use::Compared), "{:?}", uses.fields);
        assert!(!uses.is_below_state);
        let limits: Vec<String> = uses.limits.iter().map(ToString::to_string).collect();
        assert_eq!(limits, ["(4) as i128 + 0i128", "(LIMIT) as i128 + 1i128"]);
    }

    #[test]
    fn a_limit_may_stand_inside_of_an_arm() {
        let next: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> Option<State> {
                match (s, op) {
                    (_, Send { .. } | Set { ret: Lost, .. }) => Some(s),
                    (Session { sent, acked }, Set { ret: Ack { a }, .. }) => {
                        if acked <= a && a <= sent {
                            Some(Session { sent, acked: a })
                        } else {
                            None
                        }
                    }
                    _ => None,
                }
            }
        );
        assert_eq!(of(next, "Reply.Ack.0"), Use::Compared);
    }

    #[test]
    fn a_number_of_the_state_may_be_the_limit() {
        let next: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Idle { n, from }, Set { v, .. }) if from <= v && v <= n => Idle { n, from: v },
                }
            }
        );
        assert_eq!(of(next, "Op.Set.0"), Use::Compared);
        let above: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Idle { n }, Set { v, .. }) if v >= n => Idle { n: v },
                }
            }
        );
        assert_eq!(of(above, "Op.Set.0"), Use::Free);
    }

    #[test]
    fn what_becomes_part_of_a_state_is_free() {
        let next: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Ready { n }, Send { packet }) if packet.number == n => Ready { n },
                    (Ready { n }, Set { ret: Ack { a }, .. }) => Acked { n, a },
                    (Ready { n }, Set { ret: Lost, .. }) => Ready { n },
                }
            }
        );
        assert_eq!(
            used(next),
            [
                ("Op.Send.0".to_string(), Use::Compared),
                ("Op.Set.1".to_string(), Use::Compared),
                ("Packet..1".to_string(), Use::Compared),
                ("Reply.Ack.0".to_string(), Use::Free),
            ]
        );
    }

    #[test]
    fn arms_that_lead_nowhere_count_and_names_mean_what_they_mean_in_their_arm() {
        let refused: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (_, op) if is_bad(op) => unreachable!(),
                    (Idle, Set { .. }) => Idle,
                }
            }
        );
        assert_eq!(of(refused, "Op.Set.0"), Use::Free);
        let scoped: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Idle { n: v }, Send { .. }) => Idle { n: v + 1 },
                    (Idle { n }, Set { v, .. }) if v < n => Idle { n },
                }
            }
        );
        assert_eq!(of(scoped, "Op.Set.0"), Use::Compared);
    }

    #[test]
    fn other_shapes_of_next_are_read_too() {
        let nested: ItemFn = parse_quote!(
            fn next(s: State, op: Op) -> Option<State> {
                let Set { v, ret } = op else { return None };
                if v > 9 {
                    return None;
                }
                match (s, ret) {
                    (Idle { n }, Ack { a: 0..=3 }) => Some(Idle { n }),
                    (s, Lost) => Some(s),
                }
            }
        );
        let used = used(nested);
        assert!(used.iter().all(|(_, of)| *of == Use::Compared), "{used:?}");
        assert_eq!(used.len(), 3, "{used:?}");
    }
}
