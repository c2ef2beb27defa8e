//! Arguments that clauses mention and the function uses up, or holds on to.
//!
//! A clause means an argument as it was passed. One that is taken by value is gone after the call, and the
//! parts of one that is taken apart (`(a, b): (u8, u8)`) have names in the function's body only. Where a
//! clause mentions them, a clone is kept; what is not mentioned need not be `Clone`. A function that returns
//! `&mut Self`, as builders do, lends `self` out with its result: there clauses look at it through the result.

use super::function::Function;
use crate::attributes;
use crate::property::expand::hidden;
use crate::source_text::names_any;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, ExprPath, FnArg, Macro, Pat, PatIdent, ReceiverKind, Type};

/// What is kept for the clauses of `ensures`.
pub(super) struct EntryValues {
    /// Statements before the call.
    pub(super) before: TokenStream,
    /// Statements after it, which give what was kept its name.
    pub(super) after: TokenStream,
    /// What stands for `self`, if that is gone after the call.
    this: Option<Ident>,
}

impl EntryValues {
    /// What the clauses that a function ensures need.
    pub(super) fn of(function: &Function) -> Self {
        let after: Vec<&TokenStream> = function.ensures.iter().map(|clause| &clause.holds).collect();
        let olds = function.ensures.iter().flat_map(|clause| &clause.olds).map(|old| &old.value);
        let all: Vec<&TokenStream> = after.iter().copied().chain(olds).collect();
        let parts = taken_apart(function, &all);
        let moved: Vec<(&Ident, Ident)> = taken(function)
            .filter(|name| is_mentioned(name, &after))
            .map(|name| (name, hidden(&format!("__kept_{name}"))))
            .collect();
        let takes_self = matches!(
            function.signature.inputs.first(),
            Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Value)
        );
        let this = Ident::new("self", Span::call_site());
        let is_gone = takes_self || function.returns_self();
        let this = (is_gone && is_mentioned(&this, &after)).then(|| hidden("__kept_self"));
        let arguments = moved.iter().map(|(name, kept)| keep(kept, name));
        let named = moved.iter().map(|(name, kept)| quote!(let #name = #kept;));
        let (keep_self, name_self) = match &this {
            Some(kept) if takes_self => {
                (keep(kept, &Ident::new("self", Span::call_site())), TokenStream::new())
            }
            Some(kept) => returned_self(function, kept),
            None => Default::default(),
        };
        EntryValues {
            before: quote!(#(#arguments)* #keep_self #parts),
            after: quote!(#(#named)* #name_self),
            this,
        }
    }

    /// A part of a clause, as it is evaluated after the call.
    pub(super) fn clause(&self, tokens: &TokenStream) -> TokenStream {
        match &self.this {
            Some(this) => with_self(tokens.clone(), this),
            None => tokens.clone(),
        }
    }
}

fn keep(kept: &Ident, name: &Ident) -> TokenStream {
    let place = attributes::beside(name.span());
    let kept = Ident::new(&kept.to_string(), kept.span().located_at(place));
    quote_spanned!(place=> let #kept = ::stairway::__private::contract::kept(&#name);)
}

/// Statements before and after a call that returns `self`: where that is, and its name for clauses.
fn returned_self(function: &Function, kept: &Ident) -> (TokenStream, TokenStream) {
    let (place, result) = (hidden("__place"), hidden("__result"));
    let (this, title) = (Ident::new("self", Span::call_site()), function.signature.ident.to_string());
    (
        quote!(let #place = ::stairway::__private::contract::address(&*#this);),
        quote!(let #kept = ::stairway::__private::contract::returned_self(#place, &*#result, #title);),
    )
}

/// Gives the parts of parameters that are taken apart their names, where `clauses` mention them.
pub(super) fn taken_apart(function: &Function, clauses: &[&TokenStream]) -> TokenStream {
    let both = function.written.inputs.iter().zip(&function.signature.inputs);
    let apart = both.filter_map(|(written, passed)| match (written, passed) {
        (FnArg::Typed(written), FnArg::Typed(passed)) if written.pat != passed.pat => {
            let names = names_of(&written.pat);
            let is_mentioned = clauses.iter().any(|clause| names_any((*clause).clone(), &names));
            (is_mentioned && !is_only_mutable(&written.pat)).then_some((&written.pat, &passed.pat))
        }
        _ => None,
    });
    let apart = apart.map(|(pattern, passed)| {
        let place = attributes::beside(pattern.span());
        quote_spanned! {place=>
            #[allow(unused_variables, unused_mut)]
            let #pattern = ::stairway::__private::contract::kept(&#passed);
        }
    });
    quote!(#(#apart)*)
}

/// Whether a pattern is a name, `mut` or not.
fn is_only_mutable(pattern: &Pat) -> bool {
    matches!(pattern, Pat::Ident(name) if name.subpat.is_none())
}

/// The names that a pattern gives.
fn names_of(pattern: &Pat) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl Visit<'_> for Names {
        fn visit_pat_ident(&mut self, name: &PatIdent) {
            self.0.push(name.ident.clone());
            visit::visit_pat_ident(self, name);
        }
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pattern);
    names.0
}

/// The parameters that are passed by value. References and plain numbers are there after the call.
fn taken(function: &Function) -> impl Iterator<Item = &Ident> {
    function.signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) if !is_plain(&typed.ty) => match &*typed.pat {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        _ => None,
    })
}

/// Whether values of a type are copied, by its syntax.
fn is_plain(ty: &Type) -> bool {
    const PLAIN: [&str; 16] = [
        "bool", "char", "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128",
        "isize", "f32", "f64",
    ];
    match ty {
        Type::Reference(_) | Type::Ptr(_) => true,
        Type::Path(path) => PLAIN.iter().any(|name| path.path.is_ident(name)),
        _ => false,
    }
}

/// Whether a clause means the argument of this name, and not something of its own that is called alike.
fn is_mentioned(name: &Ident, clauses: &[&TokenStream]) -> bool {
    struct Mentions<'n>(&'n Ident, bool);
    impl Visit<'_> for Mentions<'_> {
        fn visit_expr_path(&mut self, path: &ExprPath) {
            self.1 |= path.path.is_ident(self.0);
        }
        fn visit_expr_closure(&mut self, closure: &ExprClosure) {
            if !closure.inputs.iter().any(|input| names_of(input).contains(self.0)) {
                visit::visit_expr_closure(self, closure);
            }
        }
        fn visit_macro(&mut self, call: &Macro) {
            self.1 |= names_any(call.tokens.clone(), std::slice::from_ref(self.0));
        }
    }
    clauses.iter().any(|clause| {
        let mut mentions = Mentions(name, false);
        if let Ok(clause) = syn::parse2::<Expr>((*clause).clone()) {
            mentions.visit_expr(&clause);
        }
        mentions.1
    })
}

/// The tokens with another name for `self`.
fn with_self(tokens: TokenStream, this: &Ident) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut replaced = Vec::new();
    while let Some(token) = tokens.next() {
        // `self::name` is a path.
        let is_path = matches!(tokens.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ':');
        replaced.push(match token {
            TokenTree::Ident(word) if word == "self" && !is_path => {
                TokenTree::Ident(Ident::new(&this.to_string(), this.span().located_at(word.span())))
            }
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), with_self(group.stream(), this));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token,
        });
    }
    replaced.into_iter().collect()
}
