//! What one method of a model says.
//!
//! Reads operations, starts and observers from methods and their attributes, and notes everything that makes
//! no sense.

use super::ensures;
use super::options::{self, OpOptions};
use super::{Answer, Kind, Observer, Op, Parameter, Start, last_name};
use crate::attributes::{self, Problems};
use crate::invariant::Returns;
use crate::{property, source_text};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{
    Attribute, BinOp, Block, Error, Expr, FnArg, GenericArgument, ImplItemFn, Meta, PatType, PathArguments,
    ReceiverKind, Result, ReturnType, Safety, Signature, Stmt, Type, TypeReference, parse_quote,
};

/// What a method is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Start,
    Op,
    Cleanup,
    Invariant,
    Cover,
    Terminal,
    Abstraction,
    Fingerprint,
}

const ROLES: [(&str, Role); 8] = [
    ("start", Role::Start),
    ("op", Role::Op),
    ("cleanup", Role::Cleanup),
    ("invariant", Role::Invariant),
    ("cover", Role::Cover),
    ("terminal", Role::Terminal),
    ("abstraction", Role::Abstraction),
    ("fingerprint", Role::Fingerprint),
];

fn role_of(attribute: &Attribute) -> Option<Role> {
    ROLES.iter().find(|(name, _)| attribute.path().is_ident(name)).map(|(_, role)| *role)
}

/// What a method is for, and the attribute that says so.
pub(crate) fn role(problems: &mut Problems, function: &ImplItemFn) -> Option<(Role, Attribute)> {
    let mut found = None;
    for attribute in &function.attrs {
        let Some(role) = role_of(attribute) else { continue };
        if found.is_some() {
            problems.at(attribute, "a method of a model has one role: remove one of these attributes");
        } else {
            found = Some((role, attribute.clone()));
        }
    }
    if found.is_none() {
        for input in &function.sig.inputs {
            let FnArg::Typed(typed) = input else { continue };
            let belongs = "a parameter of an `#[op]` or a `#[start]`";
            attributes::refuse(problems, &typed.attrs, "from", belongs);
            attributes::refuse(problems, &typed.attrs, "result", belongs);
        }
    }
    if !matches!(found, Some((Role::Op, _))) {
        attributes::refuse(problems, &function.attrs, "ensures", "an `#[op]`");
    }
    found
}

/// Removes the attributes that are ours.
pub(crate) fn strip(function: &mut ImplItemFn) {
    if ensures::is_empty(&function.block) && function.attrs.iter().any(ensures::is_ensures) {
        // The conditions speak of the parameters, the body has nothing to say.
        function.attrs.push(parse_quote!(#[allow(unused_variables, dead_code, clippy::unused_self)]));
    }
    function.attrs.retain(|attribute| role_of(attribute).is_none() && !ensures::is_ensures(attribute));
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.retain(|a| !a.path().is_ident("from") && !a.path().is_ident("result"));
            if attributes::is_oracle(&typed.ty) {
                // It is in charge whether the model mentions it or not.
                typed.attrs.push(parse_quote!(#[allow(unused_variables, clippy::needless_pass_by_value)]));
            }
        }
    }
}

pub(crate) fn diagnose_signature(problems: &mut Problems, signature: &Signature, role: Role) {
    if let Some(word) = signature.asyncness.as_ref().filter(|_| role != Role::Start) {
        problems.at(
            word,
            "the model's side is never async: remove `async`; if the system's is, write `#[op(awaits)]`",
        );
    }
    if let Safety::Unsafe(word) = &signature.safety {
        problems.at(word, "a model is safe to run: remove `unsafe` and write `unsafe { .. }` in the body");
    }
    if !signature.generics.params.is_empty() {
        problems.at(
            &signature.generics,
            "this is run for concrete types: replace each type parameter by a type such as `i32` and \
             leave lifetimes out",
        );
    }
    match (&signature.receiver().map(|receiver| &receiver.kind), role) {
        (None, Role::Start | Role::Abstraction | Role::Fingerprint) => {}
        (Some(_), Role::Abstraction | Role::Fingerprint) => {
            problems.at(signature.receiver(), "this sees the system alone: remove `self`");
        }
        (Some(_), Role::Start) => {
            problems.at(signature.receiver(), "there is no model yet at the start: remove `self`");
        }
        (Some(ReceiverKind::Reference(..)), Role::Op | Role::Cleanup) => {}
        (Some(ReceiverKind::Reference(_, _, None)), _) => {}
        (_, Role::Op | Role::Cleanup) => problems.at(
            &signature.ident,
            "an operation is a step of the model: write `&self` or `&mut self` as its first parameter",
        ),
        _ => problems.at(
            &signature.ident,
            "this looks at the model and changes nothing: write `&self` as its first parameter",
        ),
    }
}

/// The drawn parameters of the start.
pub(crate) fn start(problems: &mut Problems, function: &ImplItemFn) -> Option<Start> {
    let signature = &function.sig;
    if matches!(signature.output, ReturnType::Default) {
        let message =
            "a start gives the model and the system: write `-> (Self, System)` after the parameters";
        problems.at(&signature.ident, message);
    }
    let mut parameters = Vec::new();
    for parameter in all_parameters(problems, signature)? {
        match parameter.kind {
            Kind::Drawn(draw) => {
                if let Some(generator) = draw.generator.as_ref().filter(|generator| mentions_self(generator))
                {
                    let message = "there is no model yet at the start: draw from constants or from parameters \
                                   before this one, not from `self`";
                    problems.at(generator, message);
                }
                parameters.push((parameter.name, draw, parameter.ty));
            }
            _ => problems.at(&parameter.ty, "there are no results at the start: draw a value instead"),
        }
    }
    let is_async = signature.asyncness.is_some();
    let system = system_of(&function.block).filter(|_| !is_async);
    Some(Start { name: signature.ident.clone(), parameters, system, is_async })
}

/// What makes the system, if a start does nothing but to give a pair.
fn system_of(body: &Block) -> Option<(Expr, String)> {
    let [Stmt::Expr(Expr::Tuple(pair), None)] = &body.stmts[..] else { return None };
    let system = pair.elems.get(1).filter(|_| pair.elems.len() == 2)?;
    Some((system.clone(), source_text::of(system, pair.paren_token.span.join())))
}

/// An operation.
pub(crate) fn op(problems: &mut Problems, attribute: &Attribute, function: &ImplItemFn) -> Option<Op> {
    let signature = &function.sig;
    let ensures = ensures::all(problems, &function.attrs);
    let known = ["requires", "weight", "call", "consumes", "awaits", "panics"];
    let options = options::op(problems, attribute, &known);
    let mut options = problems.value(options)?;
    let parameters = all_parameters(problems, signature)?;
    call_function(&mut options, &parameters);
    diagnose_consumes(problems, &options, &parameters);
    if let Some(parameter) = parameters.iter().find(|p| p.name == "system" && options.call.is_some()) {
        problems.at(&parameter.name, "in `call`, `system` is the system: give this parameter another name");
    }
    let mut answer = answer(problems, signature, &parameters);
    let is_told = parameters.iter().any(|p| matches!(p.kind, Kind::Told));
    let is_unsaid = is_told || options.unsaid || !ensures.is_empty();
    if matches!(signature.output, ReturnType::Default) && is_unsaid {
        let is_named = parameters.iter().any(|p| matches!(p.kind, Kind::Result));
        answer = if is_named { answer } else { Answer::Unsaid };
    }
    let (possible, accepts) = split(options.requires.as_ref(), &parameters);
    diagnose_panics(problems, &options, &parameters);
    Some(Op {
        name: signature.ident.clone(),
        parameters,
        answer,
        options,
        possible,
        accepts,
        ensures,
        is_relation: false,
        has_empty_body: ensures::is_empty(&function.block),
    })
}

/// `call = function` calls the function with the system and the arguments.
fn call_function(options: &mut OpOptions, parameters: &[Parameter]) {
    let Some(Expr::Path(path)) = &options.call else { return };
    let is_value = |name: &Ident| name == "system" || parameters.iter().any(|p| p.name == *name);
    if path.path.get_ident().is_some_and(is_value) {
        return;
    }
    let passed = parameters.iter().filter(|p| matches!(p.kind, Kind::Drawn(_) | Kind::Reference(_)));
    let names: Vec<&Ident> = passed.map(|p| &p.name).collect();
    let system = Ident::new("system", Span::call_site());
    let texts = names.iter().map(|name| format!(", {name}"));
    let text = options.call_text.take().unwrap_or_else(|| path.to_token_stream().to_string());
    options.call_text = Some(format!("{text}(system{})", texts.collect::<String>()));
    options.call = Some(syn::parse_quote!(#path(#system #(, #names)*)));
}

/// What is done at the end of every program.
pub(crate) fn cleanup(problems: &mut Problems, attribute: &Attribute, signature: &Signature) -> Option<Op> {
    let options = options::op(problems, attribute, &["call", "awaits"]);
    let options = problems.value(options)?;
    if let Some(first) = signature.inputs.iter().find(|input| matches!(input, FnArg::Typed(_))) {
        problems.at(first, "nothing is drawn when a program ends: remove this parameter");
        return None;
    }
    let answer = answer(problems, signature, &[]);
    if matches!(answer, Answer::Allowed) {
        problems.at(&signature.output, "a program ends in one way: write the answer's type here");
    }
    let name = signature.ident.clone();
    Some(Op {
        name,
        parameters: Vec::new(),
        answer,
        options,
        possible: None,
        accepts: None,
        ensures: Vec::new(),
        is_relation: false,
        has_empty_body: false,
    })
}

fn all_parameters(problems: &mut Problems, signature: &Signature) -> Option<Vec<Parameter>> {
    let inputs = signature.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    });
    let (mut found, mut n) = (Vec::new(), 0);
    for input in inputs {
        n += 1;
        found.extend(problems.value(parameter(input)));
    }
    let is_result = |p: &&Parameter| matches!(p.kind, Kind::Result | Kind::Told);
    let results: Vec<_> = found.iter().filter(is_result).collect();
    for second in results.iter().skip(1) {
        problems.at(&second.ty, "an operation has one result: remove this second `#[result]`");
    }
    (found.len() == n).then_some(found)
}

fn parameter(input: &PatType) -> Result<Parameter> {
    let PatType { attrs, pat, ty, .. } = input;
    let (_, name) = property::binding(pat)?;
    let generator = attributes::generator(attrs)?;
    let is_ours = |a: &Attribute| a.path().is_ident("from") || a.path().is_ident("result");
    let others: Vec<Attribute> = attrs.iter().filter(|a| !is_ours(a)).cloned().collect();
    property::diagnose_parameter_attributes(&others)?;
    let result = attrs.iter().find(|a| a.path().is_ident("result"));
    let kind = match (result, referred(ty), generator) {
        (Some(attribute), _, _) if !matches!(attribute.meta, Meta::Path(_)) => {
            return Err(Error::new_spanned(attribute, "`#[result]` takes nothing: write `#[result]`"));
        }
        (Some(_), Some(_), None) => Kind::Result,
        (None, Some(of), None) => Kind::Reference(of),
        (_, Some(_), Some(generator)) => {
            let message = "a `Ref` is drawn from the results of earlier steps: remove `#[from(..)]`";
            return Err(Error::new_spanned(generator, message));
        }
        (Some(_), None, Some(generator)) => {
            let message = "a `#[result]` is what the system answers: remove `#[from(..)]`";
            return Err(Error::new_spanned(generator, message));
        }
        (Some(_), None, None) => Kind::Told,
        (None, None, generator) => match property::draw(ty, generator)? {
            Some(draw) => Kind::Drawn(draw),
            None => {
                let message = "a model has no case to speak about: remove this parameter";
                return Err(Error::new_spanned(ty, message));
            }
        },
    };
    Ok(Parameter { name, ty: (**ty).clone(), kind })
}

/// The `T` of `Ref<T>`.
pub(crate) fn referred(ty: &Type) -> Option<Type> {
    let (name, path) = last_name(ty)?;
    match &path.segments.last()?.arguments {
        PathArguments::AngleBracketed(given) if name == "Ref" => match given.args.first() {
            Some(GenericArgument::Type(of)) => Some(of.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a type is `Ref<..>`, or an `Option` or `Result` of it.
pub(super) fn names_one_reference(ty: &Type) -> bool {
    let Some((name, path)) = last_name(ty) else { return false };
    if name == "Ref" {
        return true;
    }
    let Some(PathArguments::AngleBracketed(given)) = path.segments.last().map(|last| &last.arguments) else {
        return false;
    };
    let inner = match given.args.first() {
        Some(GenericArgument::Type(inner)) => inner,
        _ => return false,
    };
    (name == "Option" || name == "Result") && referred(inner).is_some()
}

/// Whether a type has a `Ref<..>` in it.
pub(super) fn names_reference(ty: &Type) -> bool {
    fn is_there(tokens: TokenStream) -> bool {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let opens =
            |at: usize| matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == '<');
        tokens.iter().enumerate().any(|(at, token)| match token {
            TokenTree::Ident(word) => word == "Ref" && opens(at + 1),
            TokenTree::Group(group) => is_there(group.stream()),
            _ => false,
        })
    }
    is_there(ty.to_token_stream())
}

fn diagnose_consumes(problems: &mut Problems, options: &OpOptions, parameters: &[Parameter]) {
    for name in &options.consumes {
        let is_named = |p: &&Parameter| p.name == *name && matches!(p.kind, Kind::Reference(_));
        if parameters.iter().find(is_named).is_none() {
            problems.at(
                name,
                format_args!(
                    "`{name}` is no parameter that refers to an earlier result: add `{name}: Ref<Type>`, or \
                     name one that is there"
                ),
            );
        }
    }
}

/// What a call was lent does not survive its panic.
fn diagnose_panics(problems: &mut Problems, options: &OpOptions, parameters: &[Parameter]) {
    let Some(panics) = &options.panics else { return };
    if let Some(lent) = parameters.iter().find(|p| matches!(p.kind, Kind::Reference(_))) {
        let message = "a call that panics takes the results that it was passed with it: write an operation of its own for \
                       the panic, with `call = std::panic::catch_unwind(..).is_err()`";
        problems.at(&lent.ty, message);
    }
    if let Some(own) = parameters.iter().find(|p| {
        matches!(p.kind, Kind::Result | Kind::Told) && is_mentioned(&p.name, panics.to_token_stream())
    }) {
        problems.at(
            &own.name,
            "whether a call panics is decided before it is made: do not mention its result in `panics`",
        );
    }
}

fn answer(problems: &mut Problems, signature: &Signature, parameters: &[Parameter]) -> Answer {
    let ReturnType::Type(_, ty) = &signature.output else { return Answer::Equal(Box::new(parse_quote!(()))) };
    if parameters.iter().any(|p| matches!(p.kind, Kind::Result)) && !names_reference(ty) {
        let message = "the answer of this operation is its `#[result]`: remove the return type, or say where in it \
                       the result is, as in `-> Option<Ref<Key>>`";
        problems.at(ty, message);
    }
    if last_name(ty).is_none_or(|(name, _)| name != "Allowed") {
        if let Some(borrowed) = first_borrow(ty) {
            let message = "a model's answer is compared after its step, so it cannot borrow from the model: answer \
                           with an owned value, as in `Option<T>` for `Option<&T>`; the system may go on borrowing";
            problems.at(borrowed, message);
        }
        return Answer::Equal(ty.clone());
    }
    let receiver = signature.receiver();
    if let Some(ReceiverKind::Reference(_, _, Some(word))) = receiver.map(|receiver| &receiver.kind) {
        problems.at(
            word,
            "each alternative says what it does to the model: write `&self` and change the model there",
        );
    }
    Answer::Allowed
}

/// The first reference in a type to something that does not live for ever.
fn first_borrow(ty: &Type) -> Option<&TypeReference> {
    struct Borrows<'a>(Option<&'a TypeReference>);
    impl<'a> Visit<'a> for Borrows<'a> {
        fn visit_type_reference(&mut self, reference: &'a TypeReference) {
            if self.0.is_none() && !property::is_static(reference) {
                self.0 = Some(reference);
            }
            visit::visit_type_reference(self, reference);
        }

        /// A function's parameters are nothing that its pointer holds.
        fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
    }
    let mut borrows = Borrows(None);
    borrows.visit_type(ty);
    borrows.0
}

/// A method that looks at a state, with or without the system.
pub(crate) fn observer(problems: &mut Problems, signature: &Signature, role: Role) -> Option<Observer> {
    let what = match role {
        Role::Invariant => "an invariant",
        Role::Terminal => "the end of a program",
        _ => "what is covered",
    };
    let returns = Returns::of(&signature.output);
    match (role, returns) {
        (_, Some(Returns::Bool)) | (Role::Invariant, Some(_)) => {}
        (Role::Invariant, None) => problems.at(
            &signature.ident,
            "an invariant holds or does not: write `-> bool`, `-> Result<(), E>`, or nothing and `assert!`",
        ),
        _ => problems.at(&signature.ident, format_args!("{what} holds or does not: write `-> bool`")),
    }
    let mut others = signature.inputs.iter().skip(1);
    let system = others.next();
    if let Some(second) = others.next() {
        problems
            .at(second, format_args!("{what} is seen in the model and the system: remove this parameter"));
    }
    match system {
        Some(FnArg::Typed(typed)) if role == Role::Terminal => {
            problems.at(typed, "the model alone decides when a program is over: remove this parameter");
        }
        Some(FnArg::Typed(typed)) if !matches!(&*typed.ty, Type::Reference(r) if r.mutability.is_none()) => {
            problems.at(&typed.ty, "the system is looked at only: write `&System` here");
        }
        _ => {}
    }
    Some(Observer {
        name: signature.ident.clone(),
        sees_system: system.is_some(),
        parameters: system.map(ToTokens::to_token_stream).unwrap_or_default(),
        operands: Vec::new(),
        returns: returns.unwrap_or_default(),
    })
}

/// A function that sees a system: the model in it, or what tells it apart.
pub(crate) fn of_system(problems: &mut Problems, signature: &Signature, role: Role) -> Option<Ident> {
    let write = match role {
        Role::Abstraction => "an abstraction sees the model in a system: write `(system: &System) -> Self`",
        _ => "a fingerprint tells systems apart: write `(system: &System) -> impl Hash`",
    };
    let mut inputs = signature.inputs.iter().filter(|input| matches!(input, FnArg::Typed(_)));
    let is_shared = |input: &FnArg| match input {
        FnArg::Typed(typed) => matches!(&*typed.ty, Type::Reference(r) if r.mutability.is_none()),
        FnArg::Receiver(_) => false,
    };
    let fits = inputs.next().is_some_and(is_shared) && inputs.next().is_none();
    if !fits || matches!(signature.output, ReturnType::Default) {
        problems.at(&signature.ident, write);
        return None;
    }
    Some(signature.ident.clone())
}

/// What is to be covered, and in how many percent of the programs.
pub(crate) fn cover(
    problems: &mut Problems,
    attribute: &Attribute,
    signature: &Signature,
) -> Option<(Expr, Observer)> {
    const WRITE: &str = "in how many programs in a hundred? write `#[cover(5.0)]`";
    let percent = match &attribute.meta {
        Meta::List(list) => list.parse_args().map_err(|_| Error::new_spanned(attribute, WRITE)),
        _ => Err(Error::new_spanned(attribute, WRITE)),
    };
    let percent = problems.value(percent);
    let observer = observer(problems, signature, Role::Cover)?;
    Some((percent?, observer))
}

/// Both parts of a precondition: what speaks about the model only is known before anything is
/// drawn. Later parts may rely on earlier ones, so only what stands before the first mention of a
/// parameter is taken out.
fn split(requires: Option<&Expr>, parameters: &[Parameter]) -> (Option<Expr>, Option<(Expr, Vec<Ident>)>) {
    let mut parts = Vec::new();
    if let Some(requires) = requires {
        conjuncts(requires, &mut parts);
    }
    let mentions = |part: &Expr| parameters.iter().any(|p| is_mentioned(&p.name, part.to_token_stream()));
    let first = parts.iter().position(mentions).unwrap_or(parts.len());
    let accepts = joined(parts.split_off(first)).map(|accepts| {
        let names = parameters.iter().map(|p| p.name.clone());
        let names = names.filter(|name| is_mentioned(name, accepts.to_token_stream())).collect();
        (accepts, names)
    });
    (joined(parts), accepts)
}

fn conjuncts(expression: &Expr, parts: &mut Vec<Expr>) {
    match expression {
        Expr::Binary(binary) if matches!(binary.op, BinOp::And(_)) => {
            conjuncts(&binary.left, parts);
            conjuncts(&binary.right, parts);
        }
        other => parts.push(other.clone()),
    }
}

fn joined(parts: Vec<Expr>) -> Option<Expr> {
    parts.into_iter().reduce(|left, right| parse_quote!(#left && #right))
}

/// Whether an expression looks at `self`.
pub(super) fn mentions_self(expression: &Expr) -> bool {
    is_mentioned(&Ident::new("self", Span::call_site()), expression.to_token_stream())
}

/// Whether `name` stands in these tokens other than as a field or method.
/// Whether something is used otherwise than as what a method is called on: passed on, or assigned to.
pub(super) fn is_lent(name: &str, tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_receiver = |next: Option<&TokenTree>| matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == '.');
        let is_found = match &token {
            TokenTree::Ident(ident) => ident == name && !is_receiver(tokens.peek()),
            TokenTree::Group(group) => is_lent(name, group.stream()),
            _ => false,
        };
        if is_found {
            return true;
        }
    }
    false
}

pub(super) fn is_mentioned(name: &Ident, tokens: TokenStream) -> bool {
    let mut dots = 0;
    for token in tokens {
        let is_found = match &token {
            TokenTree::Ident(ident) => ident == name && dots != 1,
            TokenTree::Group(group) => is_mentioned(name, group.stream()),
            _ => false,
        };
        if is_found {
            return true;
        }
        dots = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == '.') { dots + 1 } else { 0 };
    }
    false
}
