//! `decide()`: where all operations of a state are guarded and take no arguments, does the one whose guard
//! holds.

use super::super::tracked::{self, Tracked};
use super::super::{Machine, Op, State};
use super::methods::{Methods, debug, outcome};
use super::{Generics, generics};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::Expr;

/// `decide()`, where all operations of a state are guarded and take nothing.
pub(super) fn decision(machine: &Machine, state: &State) -> Methods {
    let ops: Vec<&Op> = machine.ops.iter().filter(|op| machine.is_possible(&state.name, &op.name)).collect();
    let is_guarded = |op: &&Op| !machine.is_total(&state.name, op) && op.fields.is_empty();
    if ops.is_empty()
        || !ops.iter().all(is_guarded)
        || ops.iter().any(|op| tracked::concerns(machine, state, op))
        || machine.has_method("decide")
    {
        return Methods::default();
    }
    let name = &state.name;
    let Generics { before, passed } = generics(state);
    let decision = format_ident!("{name}Decision");
    let guards: Vec<Vec<&Expr>> =
        ops.iter().map(|op| machine.arms_of(name, &op.name).flat_map(|arm| &arm.guards).collect()).collect();
    let are_all = matches!(&guards[..], [one, other] if one.len() == 1 && other.len() == 1 && are_opposite(one[0], other[0]));
    let outcomes: Vec<_> = ops.iter().map(|op| outcome(machine, state, op, &quote!(D))).collect();
    let variants = ops.iter().zip(&outcomes).map(|(op, outcome)| {
        let (op, ty, docs) = (&op.name, &outcome.ty, &op.docs);
        quote!(#(#docs)* #op(#ty))
    });
    let is_used = |counter: &Tracked| {
        outcomes.iter().any(|outcome| outcome.ty.to_string().contains(&counter.parameter.to_string()))
    };
    let has_parameters = !are_all || state.counters().all(is_used);
    let (enum_before, enum_passed) =
        if has_parameters { (before.clone(), passed.clone()) } else { (quote!(), quote!()) };
    let neither = (!are_all).then(|| quote!(#[doc = "None of them is possible."] Neither(#name<#passed D>)));
    let tries = |is_driven: bool| {
        let op_names = ops.iter().map(|op| &op.name);
        let methods = ops.iter().map(|op| op.method());
        let makes = outcomes.iter().map(|outcome| &outcome.make);
        let calls =
            methods.map(|method| if is_driven { quote!(Driver::#method(&mut __driver);) } else { quote!() });
        quote!(#(if let Some(__to) = self::next(state, Op::#op_names) { #calls return #decision::#op_names(#makes); })*)
    };
    let last = if are_all {
        quote!(::core::unreachable!("one guard is the opposite of the other"))
    } else {
        quote!(#decision::Neither(#name::__of(state, __driver)))
    };
    let decide = |d: TokenStream, is_driven: bool| {
        let tries = tries(is_driven);
        quote! {
            /// Does the operation whose guard holds.
            #[allow(unused_mut)]
            pub fn decide(self) -> #decision<#enum_passed #d> {
                let (state, mut __driver) = (self.__state(), self.__driver);
                #tries
                #last
            }
        }
    };
    let doc = format!("What is possible in [`{name}`], whose operations exclude each other.");
    let none = format_ident!("Neither");
    let names = ops.iter().map(|op| &op.name).chain((!are_all).then_some(&none));
    let debug = debug(&decision, [&enum_before, &enum_passed], names);
    let types = quote! {
        #[doc = #doc]
        #[must_use = "the machine is in one of these states"]
        pub enum #decision<#enum_before D = Undriven> { #(#variants,)* #neither }
        #debug
    };
    let (told, driven) = (decide(quote!(Undriven), false), decide(quote!(D), true));
    Methods { told, driven, types, ..Methods::default() }
}

/// Whether one of two conditions holds whenever the other does not, as far as their text says.
fn are_opposite(one: &Expr, other: &Expr) -> bool {
    use syn::{BinOp, UnOp};
    let text = |expr: &Expr| expr.to_token_stream().to_string();
    let negates = |one: &Expr, other: &Expr| {
        matches!(one, Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_))
            && text(&unary.expr).trim_matches(['(', ')', ' ']) == text(other))
    };
    if negates(one, other) || negates(other, one) {
        return true;
    }
    let (Expr::Binary(a), Expr::Binary(b)) = (one, other) else { return false };
    let opposite = matches!(
        (&a.op, &b.op),
        (BinOp::Eq(_), BinOp::Ne(_))
            | (BinOp::Ne(_), BinOp::Eq(_))
            | (BinOp::Lt(_), BinOp::Ge(_))
            | (BinOp::Ge(_), BinOp::Lt(_))
            | (BinOp::Gt(_), BinOp::Le(_))
            | (BinOp::Le(_), BinOp::Gt(_))
    );
    opposite && text(&a.left) == text(&b.left) && text(&a.right) == text(&b.right)
}
