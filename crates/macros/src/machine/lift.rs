//! The transition function as it is compiled: transitions that it does not list are `None`.
//!
//! The user's function keeps its body, its names and its places in the file. States at its ends become
//! `Some(state)`, and every `match` on the state or the operation gets an arm for the rest. If the whole
//! function is one `match` on the pair, it is compiled to change the pair in place, since const evaluation
//! pays for every copy. A second `match` without the arm for the rest lets rustc report forgotten results,
//! and a lint reports arms that can never match.

use super::arms::{self, Arm, Parameters, is_refusal, pair};
use super::names::snake;
use super::{Machine, Op};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::visit_mut::{self, VisitMut};
use syn::{Arm as SynArm, BinOp, Block, Expr, ItemEnum, ItemFn, Result, Stmt, parse_quote};

/// The transition function, ready to be written.
pub(super) struct Next {
    pub(super) parameters: Parameters,
    pub(super) block: Block,
    pub(super) is_optional: bool,
    /// The body for a pair that is changed in place, where there is one.
    in_place: Option<TokenStream>,
    docs: Vec<syn::Attribute>,
    /// Where its name stands.
    place: proc_macro2::Span,
}

pub(super) fn lift(mut next: ItemFn, enums: &[ItemEnum]) -> Result<Next> {
    let parameters = Parameters::of(&next)?;
    let is_optional = arms::is_optional(&next)?;
    Comparisons(enums).visit_block_mut(&mut next.block);
    let names = [parameters.state.clone(), parameters.op.clone()];
    let lifter = Lifter { is_optional, is_in_place: false, names };
    let in_place = in_place(&next.block, &parameters, &lifter);
    Returned(&lifter).visit_block_mut(&mut next.block);
    lifter.block(&mut next.block);
    let (docs, place) = (super::docs(&next.attrs), next.sig.ident.span());
    Ok(Next { parameters, block: *next.block, is_optional, in_place, docs, place })
}

/// The function as one that changes the pair `__at` and says whether it did, if it is nothing but a `match`
/// on the pair. A `return` or a reference into the pair would not survive that.
fn in_place(block: &Block, parameters: &Parameters, lifter: &Lifter) -> Option<TokenStream> {
    let [Stmt::Expr(Expr::Match(whole), None)] = &block.stmts[..] else { return None };
    let Expr::Tuple(pair) = &*whole.expr else { return None };
    let is_the_pair = pair.elems.len() == 2
        && pair
            .elems
            .iter()
            .zip(&lifter.names)
            .all(|(part, name)| part.to_token_stream().to_string() == *name.to_string());
    let is_lent = parameters.is_state_lent || parameters.is_op_lent;
    let arms = &whole.arms;
    let says = |word: &str| arms.iter().any(|arm| mentions(arm.to_token_stream(), word));
    if !is_the_pair || is_lent || lifter.is_optional || says("return") || says("ref") {
        return None;
    }
    let kept =
        lifter.names.iter().enumerate().filter(|(_, name)| says(&name.to_string())).map(|(k, name)| {
            let at = syn::Index::from(k);
            quote!(let #name = __at.#at;)
        });
    let mut changed = Expr::Match(whole.clone());
    Lifter { is_in_place: true, ..lifter.clone() }.expression(&mut changed);
    let Expr::Match(changed) = &mut changed else { return None };
    *changed.expr = parse_quote!(*__at);
    Some(quote!(#(#kept)* #changed))
}

/// Whether a word stands anywhere in tokens.
fn mentions(tokens: TokenStream, word: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), word),
        proc_macro2::TokenTree::Ident(ident) => ident == word,
        _ => false,
    })
}

impl Next {
    /// The body of an arm as an optional state.
    pub(super) fn lifted(&self, arm: &Arm) -> Expr {
        let Parameters { state, op, .. } = &self.parameters;
        let is_optional = self.is_optional && !arm.is_in_some;
        let lifter = Lifter { is_optional, is_in_place: false, names: [state.clone(), op.clone()] };
        let mut body = arm.body.clone();
        // A `return` returns what `next` does, wherever it stands.
        let of_next = Lifter { is_optional: self.is_optional, ..lifter.clone() };
        Returned(&of_next).visit_expr_mut(&mut body);
        lifter.expression(&mut body);
        body
    }

    /// What a function has to begin with whose parameters are a state and an operation: they are lent
    /// where `next` wants them lent.
    pub(super) fn lent(&self) -> TokenStream {
        let Parameters { state, op, is_state_lent, is_op_lent } = &self.parameters;
        let lend = |name: &Ident, is_lent: bool| is_lent.then(|| quote!(let #name = &#name;));
        let (state, op) = (lend(state, *is_state_lent), lend(op, *is_op_lent));
        quote!(#state #op)
    }
}

#[derive(Clone)]
struct Lifter {
    is_optional: bool,
    is_in_place: bool,
    names: [Ident; 2],
}

impl Lifter {
    /// That the operation leads to a state.
    fn some(&self, state: &Expr) -> Expr {
        if self.is_in_place { parse_quote!({ __at.0 = #state; true }) } else { parse_quote!(Some(#state)) }
    }

    /// That the operation is not possible.
    fn none(&self) -> Expr {
        if self.is_in_place { parse_quote!(false) } else { parse_quote!(None) }
    }

    fn block(&self, block: &mut Block) {
        match block.stmts.last_mut() {
            Some(Stmt::Expr(last, None)) => self.expression(last),
            // `match` and `if` may end with a semicolon where they only return.
            Some(Stmt::Macro(m)) if is_refusal(&m.mac) => {
                *block.stmts.last_mut().expect("it was there") = Stmt::Expr(self.none(), None);
            }
            _ => {}
        }
    }

    /// Makes an expression for a state one for an optional state.
    fn expression(&self, expr: &mut Expr) {
        match expr {
            Expr::Paren(inner) => self.expression(&mut inner.expr),
            Expr::Block(inner) => self.block(&mut inner.block),
            Expr::If(i) => {
                self.block(&mut i.then_branch);
                match &mut i.else_branch {
                    Some((_, other)) => self.expression(other),
                    None => {
                        let none = self.none();
                        i.else_branch = Some((parse_quote!(else), parse_quote!({ #none })));
                    }
                }
            }
            Expr::Match(m) => {
                m.arms.iter_mut().for_each(|arm| self.expression(&mut arm.body));
                if self.looks_at_us(&m.expr) {
                    let none = self.none();
                    let rest: SynArm = parse_quote!(#[allow(unreachable_patterns)] _ => #none,);
                    if let Some(last) = m.arms.last_mut() {
                        last.comma.get_or_insert_with(Default::default);
                    }
                    m.arms.push(rest);
                }
            }
            Expr::Return(_) => {}
            Expr::Macro(m) if is_refusal(&m.mac) => *expr = self.none(),
            // `Some(match (s, op) { .. })`: each state in it becomes an option.
            Expr::Call(call)
                if self.is_optional
                    && matches!(call.args.first(), Some(Expr::Match(_) | Expr::If(_) | Expr::Block(_))) =>
            {
                let mut inner = call.args[0].clone();
                Lifter { is_optional: false, ..self.clone() }.expression(&mut inner);
                *expr = inner;
            }
            expr if !self.is_optional => *expr = self.some(expr),
            _ => {}
        }
    }

    fn looks_at_us(&self, expr: &Expr) -> bool {
        let words = expr.to_token_stream().into_iter().flat_map(|token| match token {
            proc_macro2::TokenTree::Group(group) => group.stream().into_iter().collect::<Vec<_>>(),
            token => vec![token],
        });
        words.into_iter().any(|token| self.names.iter().any(|name| *name == token.to_string()))
    }
}

/// Lifts what is returned early.
struct Returned<'l>(&'l Lifter);

impl VisitMut for Returned<'_> {
    fn visit_expr_return_mut(&mut self, node: &mut syn::ExprReturn) {
        if let Some(expr) = &mut node.expr {
            self.0.expression(expr);
        }
    }

    /// `let On { n } = s else { unreachable!() };`: otherwise nothing is possible.
    fn visit_local_init_mut(&mut self, init: &mut syn::LocalInit) {
        visit_mut::visit_local_init_mut(self, init);
        if let Some((_, otherwise)) = &mut init.diverge
            && let Expr::Block(inner) = &mut **otherwise
            && let Some(last) = inner.block.stmts.last_mut()
            && let Stmt::Macro(syn::StmtMacro { mac, .. })
            | Stmt::Expr(Expr::Macro(syn::ExprMacro { mac, .. }), _) = last
            && is_refusal(mac)
        {
            *last = parse_quote!(return None;);
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `ret == Pin::Correct` cannot be called in const evaluation; a pattern says the same.
struct Comparisons<'e>(&'e [ItemEnum]);

impl Comparisons<'_> {
    fn is_unit_variant(&self, expr: &Expr) -> bool {
        let Expr::Path(path) = expr else { return false };
        let Some(last) = path.path.segments.last() else { return false };
        let variants = || self.0.iter().flat_map(|item| &item.variants);
        variants().any(|variant| variant.ident == last.ident && variant.fields.is_empty())
    }
}

impl VisitMut for Comparisons<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Binary(binary) = expr else { return };
        let is_not = match binary.op {
            BinOp::Eq(_) => false,
            BinOp::Ne(_) => true,
            _ => return,
        };
        let (value, variant) = match (self.is_unit_variant(&binary.left), self.is_unit_variant(&binary.right))
        {
            (false, true) => (&binary.left, &binary.right),
            (true, false) => (&binary.right, &binary.left),
            _ => return,
        };
        *expr = if is_not {
            parse_quote!(!matches!(#value, #variant))
        } else {
            parse_quote!(matches!(#value, #variant))
        };
    }
}

/// An expression with comparisons that const evaluation can do.
pub(super) fn comparable(expr: TokenStream, enums: &[ItemEnum]) -> TokenStream {
    match syn::parse2::<Expr>(expr.clone()) {
        Ok(mut expr) => {
            Comparisons(enums).visit_expr_mut(&mut expr);
            expr.into_token_stream()
        }
        Err(_) => expr,
    }
}

pub(super) fn expand(machine: &Machine) -> TokenStream {
    let Next { parameters, block, docs, place, .. } = &machine.next;
    // Rustc reports the lint at the function.
    let lint = quote_spanned!(*place=> #[deny(unreachable_patterns)]);
    let uses = machine.uses();
    let Parameters { state, op, .. } = parameters;
    let lent = machine.next.lent();
    let start = &machine.start;
    let stmts = &block.stmts;
    let forgotten = forgotten(machine);
    let lints = quote!(#lint #[allow(unused_variables, unused_mut)]);
    let (next_body, next_lints, changed, changed_lints) = match &machine.next.in_place {
        Some(changed) => (
            quote! {
                let mut at = (#state, #op);
                if __next(&mut at) { Some(at.0) } else { None }
            },
            quote!(),
            quote!(#uses #changed),
            lints,
        ),
        None => (
            quote!(#uses #lent #(#stmts)*),
            lints,
            quote! {
                match next(__at.0, __at.1) {
                    Some(to) => { __at.0 = to; true }
                    None => false,
                }
            },
            quote!(),
        ),
    };
    let docs = if docs.is_empty() {
        quote!(#[doc = "Where an operation leads; `None` where it is not possible."])
    } else {
        quote!(#(#docs)*)
    };
    quote! {
        /// The state in which the machine starts.
        pub const START: State = { #uses #start };
        #docs
        #next_lints
        pub const fn next(#state: State, #op: Op) -> ::core::option::Option<State> { #next_body }
        /// Does the operation of a pair, if it is possible.
        #[doc(hidden)]
        #changed_lints
        pub const fn __next(__at: &mut (State, Op)) -> bool { #changed }
        #forgotten
    }
}

/// For each operation that is possible in a state whatever its data, a match on all its results: what
/// is forgotten is an error of rustc's, at the user's `match`. Results that have a guard are not
/// forgotten.
fn forgotten(machine: &Machine) -> TokenStream {
    let uses = machine.uses();
    let lent = machine.next.lent();
    let Parameters { state, op, .. } = &machine.next.parameters;
    let mut probes = TokenStream::new();
    for from in &machine.states {
        for by in &machine.ops {
            let arms: Vec<_> = machine.arms_of(&from.name, &by.name).collect();
            let Some(plain) = arms.iter().find(|arm| arm.is_plain) else { continue };
            let name =
                format_ident!("__every_{}_in_{}", snake(&by.name.to_string()), snake(&from.name.to_string()));
            let refused = machine.refused_of(&from.name, &by.name);
            if !machine.is_total(&from.name, by) {
                let patterns = arms.iter().copied().chain(refused).map(|arm| arm.result_pattern(by));
                probes.extend(every_result(machine, &name, by, plain, patterns));
                continue;
            }
            let patterns = arms.iter().copied().chain(refused).filter(|arm| !arm.is_guarded()).map(pair);
            let others = |names: Vec<&Ident>, ty: &str| {
                let ty = format_ident!("{ty}");
                (!names.is_empty()).then(|| quote!(#(self::#ty::#names { .. })|*))
            };
            let other_states =
                machine.states.iter().map(|s| &s.name).filter(|name| **name != from.name).collect();
            let other_ops = machine.ops.iter().map(|o| &o.name).filter(|name| **name != by.name).collect();
            let other_states = others(other_states, "State").map(|others| quote!((#others, _) => {}));
            let other_ops = others(other_ops, "Op").map(|others| quote!((_, #others) => {}));
            let subject = quote_spanned!(plain.place=> (#state, #op));
            probes.extend(quote! {
                #[doc(hidden)]
                #[allow(unused_variables, unreachable_patterns, unused_mut)]
                const fn #name(#state: State, #op: Op) {
                    #uses #lent
                    match #subject { #(#patterns => {})* #other_states #other_ops }
                }
            });
        }
    }
    probes
}

/// A match on the result of an operation that is not always possible: whether it is depends on more than the
/// result, but each must have an arm.
fn every_result<'p>(
    machine: &Machine,
    name: &Ident,
    op: &Op,
    plain: &Arm,
    patterns: impl Iterator<Item = Option<&'p syn::Pat>>,
) -> TokenStream {
    let Some(result) = op.ret.and_then(|k| op.fields.iter().nth(k)) else { return TokenStream::new() };
    let (ty, uses) = (&result.ty, machine.uses());
    let patterns = patterns.map(|pattern| pattern.map_or_else(|| quote!(_), ToTokens::to_token_stream));
    let value = Ident::new("result", plain.place);
    let subject = quote_spanned!(plain.place=> (#value));
    quote! {
        #[doc(hidden)]
        #[allow(unused_variables, unreachable_patterns, unused_mut, unused_parens)]
        const fn #name(#value: #ty) {
            #uses
            match #subject { #(#patterns => {})* }
        }
    }
}
