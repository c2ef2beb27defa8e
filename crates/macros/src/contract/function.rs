//! One function of a contract: its clauses, and how programs call it.
//!
//! Takes our attributes off a function and keeps what is to be checked of it. A function that is not `pub`,
//! or whose arguments no program could have, is checked when it is called but not called by programs.

use super::clause::{self, Clause};
use super::closure::{Closure, is_open_only_in};
use super::is_same;
use crate::attributes::{self, Problems};
use crate::property::{is_str, owned};
use crate::source_text;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::{
    Attribute, Block, Error, Expr, FnArg, GenericArgument, GenericParam, ItemImpl, Lifetime, Pat,
    PathArguments, ReceiverKind, Result, ReturnType, Safety, Signature, Type, Visibility, parse_quote,
};

/// The type whose functions these are.
pub(super) struct Owner {
    ty: Type,
    name: String,
    /// The lifetimes of the block: what they are about outlives every call.
    lifetimes: Vec<Ident>,
    /// Whether values of it have no size, so that programs cannot hold them.
    is_unsized: bool,
}

impl Owner {
    /// The type, if it has a name.
    pub(super) fn new(ty: &Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        let name = path.path.segments.last()?.ident.to_string();
        let is_unsized = path.path.is_ident("str");
        Some(Owner { ty: ty.clone(), name, lifetimes: Vec::new(), is_unsized })
    }

    /// The type that a block is for.
    pub(super) fn of(block: &ItemImpl) -> Self {
        let name = || format!("<{}>", source_text::plain(block.self_ty.to_token_stream()));
        let owner = Owner::new(&block.self_ty).unwrap_or_else(|| Owner {
            ty: (*block.self_ty).clone(),
            name: name(),
            lifetimes: Vec::new(),
            is_unsized: matches!(*block.self_ty, Type::Slice(_) | Type::TraitObject(_)),
        });
        let lifetimes = block.generics.lifetimes().map(|parameter| parameter.lifetime.ident.clone());
        Owner { lifetimes: lifetimes.collect(), ..owner }
    }

    /// Whether what has this lifetime lives longer than a call.
    fn outlives_calls(owner: Option<&Self>, lifetime: Option<&Lifetime>) -> bool {
        lifetime.is_some_and(|lifetime| {
            lifetime.ident == "static" || owner.is_some_and(|owner| owner.lifetimes.contains(&lifetime.ident))
        })
    }

    fn is(&self, ty: &Type) -> bool {
        is_same(ty, &self.ty) || is_same(ty, &parse_quote!(Self))
    }

    /// A type as programs hold its values: the lifetimes of the owner outlive every call.
    fn held(owner: Option<&Self>, ty: &Type) -> Type {
        if borrows(&ty.to_token_stream()) && owner.is_some_and(|owner| owner.is(ty)) {
            return parse_quote!(Self);
        }
        ty.clone()
    }
}

/// A function that is checked.
pub(super) struct Function {
    /// Without our attributes; every parameter is a name.
    pub(super) signature: Signature,
    /// As it was written, but for our attributes.
    pub(super) written: Signature,
    pub(super) attributes: Vec<Attribute>,
    pub(super) visibility: Visibility,
    pub(super) block: Block,
    pub(super) requires: Vec<Clause>,
    pub(super) ensures: Vec<Clause>,
    pub(super) parameters: Vec<Parameter>,
    /// The name under which programs show it, if they call it.
    pub(super) title: Option<String>,
    /// Why programs do not call it, though they could see it.
    pub(super) uncalled: Option<UncalledFunction>,
    pub(super) output: Output,
    /// Whether the result may borrow from `&mut self`.
    pub(super) holds_self: bool,
}

impl Function {
    /// Whether its result is awaited.
    pub(super) const fn is_async(&self) -> bool {
        self.signature.asyncness.is_some()
    }

    /// Whether its result has a type that only its body knows, so that all its calls must be one.
    pub(super) fn is_opaque(&self) -> bool {
        is_opaque(&self.signature.output)
    }

    /// Whether it returns `&mut Self`, as builders do, which is `self` in nearly all of them.
    pub(super) fn returns_self(&self) -> bool {
        let ReturnType::Type(_, output) = &self.signature.output else { return false };
        let Type::Reference(output) = &**output else { return false };
        let is_self = matches!(&*output.elem, Type::Path(path) if path.path.is_ident("Self"));
        self.holds_self && is_self && output.mutability.is_some() && self.signature.receiver().is_some()
    }

    /// The same as one of a trait, which has no visibility of its own.
    pub(super) fn of_a_trait(self) -> Self {
        Function { visibility: Visibility::Inherited, ..self }
    }

    /// Whether it stays as it was written, because nothing can be checked in it.
    pub(super) fn is_const(&self) -> bool {
        self.signature.constness.is_some()
    }
}

/// A public function that programs do not call, and why not.
#[derive(Clone)]
pub(super) struct UncalledFunction {
    pub(super) title: String,
    pub(super) why: &'static str,
}

impl UncalledFunction {
    /// What no program can do with this function, if it is public.
    pub(super) fn of(owner: Option<&Owner>, visibility: &Visibility, signature: &Signature) -> Option<Self> {
        let Signature { generics, inputs, .. } = signature;
        let types = || {
            inputs.iter().filter_map(|input| match input {
                FnArg::Typed(typed) => Some(typed.ty.to_token_stream().to_string()),
                FnArg::Receiver(_) => None,
            })
        };
        let has = |word: &str| types().any(|ty| ty.split_whitespace().any(|part| part == word));
        let why = match () {
            () if matches!(signature.safety, Safety::Unsafe(_)) => "it is unsafe",
            () if is_never(&signature.output) => "it never returns",
            () if signature.abi.is_some() => "it is not an ordinary Rust function",
            () if generics.params.iter().any(|p| !matches!(p, GenericParam::Lifetime(_))) => "it is generic",
            () if has("dyn") => "it takes a `dyn` argument",
            () if has("impl") => "it takes an `impl` argument",
            () if owner.is_some_and(|owner| owner.is_unsized) => "values of its type have no size",
            () => "an argument borrows, or `self` is neither a value nor a reference",
        };
        let is_public = !matches!(visibility, Visibility::Inherited);
        is_public.then(|| UncalledFunction { title: title_of(owner, &signature.ident), why })
    }
}

fn title_of(owner: Option<&Owner>, name: &Ident) -> String {
    owner.map_or_else(|| name.to_string(), |owner| format!("{}::{name}", owner.name))
}

pub(super) struct Parameter {
    /// `self`, or its name.
    pub(super) name: Ident,
    /// The type of the value that is passed or lent.
    pub(super) ty: Type,
    pub(super) mode: Mode,
    pub(super) generator: Option<Expr>,
    /// Whether it is of the type whose functions these are.
    pub(super) is_owner: bool,
    /// The function that it is.
    pub(super) closure: Option<Closure>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Value,
    Shared,
    /// As `&str`.
    Text,
    Mutable,
    /// By reference, which what is called may keep.
    Lasting,
    /// The same as `&str`.
    LastingText,
    /// A function, which goes with the call.
    Function,
}

/// What becomes of a result.
pub(super) struct Output {
    /// What is kept of it.
    pub(super) kept: KeptResult,
    /// Whether what is kept is of the type whose functions these are.
    pub(super) is_owner: bool,
    pub(super) is_unit: bool,
}

pub(super) enum KeptResult {
    Nothing,
    All(Type),
    Some(Type),
    Ok(Type),
}

impl KeptResult {
    const fn ty(&self) -> Option<&Type> {
        match self {
            KeptResult::Nothing => None,
            KeptResult::All(ty) | KeptResult::Some(ty) | KeptResult::Ok(ty) => Some(ty),
        }
    }
}

/// Whether an attribute of a function is ours.
pub(super) fn is_ours(attribute: &Attribute) -> bool {
    attribute.path().is_ident("requires") || attribute.path().is_ident("ensures")
}

/// What is checked of a function, which loses our attributes; `None` if nothing is.
pub(super) fn diagnose(
    problems: &mut Problems,
    owner: Option<&Owner>,
    attributes: &mut Vec<Attribute>,
    visibility: &Visibility,
    signature: &mut Signature,
    block: &Block,
) -> Option<Function> {
    diagnose_attributes(problems, attributes);
    let (mut requires, mut ensures, mut n_old) = (Vec::new(), Vec::new(), 0);
    for attribute in attributes.iter() {
        if attribute.path().is_ident("requires") {
            requires.extend(problems.value(clause::requires(attribute)));
        } else if attribute.path().is_ident("ensures") {
            let clause = problems.value(clause::ensures(attribute, n_old));
            n_old += clause.as_ref().map_or(0, |clause| clause.olds.len());
            ensures.extend(clause);
        }
    }
    let has_clauses = attributes.iter().any(is_ours);
    attributes.retain(|attribute| !is_ours(attribute));
    let generators = generators(problems, signature);
    if !is_checkable(problems, signature, has_clauses) {
        return None;
    }
    if !ensures.is_empty() {
        diagnose_result(problems, signature);
    }
    let written = signature.clone();
    let mut signature = signature.clone();
    let parameters = parameters(&mut signature, owner, generators);
    let output = output(&signature.output, owner);
    let is_public = !matches!(visibility, Visibility::Inherited);
    let is_function = |name: &Ident| {
        let takes = |input: &FnArg| matches!(input, FnArg::Typed(typed) if mentions(&typed.ty, name));
        let mut takers = signature.inputs.iter().filter(|input| takes(input));
        // It is one parameter's, and nothing else hangs on it.
        let only = takers.next().is_some_and(|input| match input {
            FnArg::Typed(typed) => Closure::of(&typed.ty, &signature.generics).is_some(),
            FnArg::Receiver(_) => false,
        });
        only && takers.next().is_none() && !mentions(&signature.output, name)
    };
    let is_open = !is_open_only_in(&signature.generics, is_function);
    // A function that is lent is gone when what was answered is looked at.
    let lends = parameters.iter().filter_map(|p| p.closure.as_ref()).any(Closure::is_lent);
    let is_callable = is_public && !is_open && !(lends && borrows(&signature.output.to_token_stream()));
    let is_complete = parameters.len() == signature.inputs.len();
    let name = &signature.ident;
    let title = (is_callable && is_complete).then(|| title_of(owner, name));
    let uncalled = if title.is_none() { UncalledFunction::of(owner, visibility, &written) } else { None };
    let is_mutable = parameters.iter().any(|p| p.mode == Mode::Mutable);
    let holds_self = is_mutable && borrows(&signature.output.to_token_stream());
    Some(Function {
        written,
        attributes: attributes.clone(),
        visibility: visibility.clone(),
        block: block.clone(),
        requires,
        ensures,
        title,
        uncalled,
        parameters,
        output,
        holds_self,
        signature,
    })
}

fn diagnose_attributes(problems: &mut Problems, attributes: &[Attribute]) {
    for attribute in attributes {
        let Some(name) = attribute.path().get_ident() else { continue };
        let meant = match name.to_string().as_str() {
            "require" | "pre" | "precondition" => "#[requires(..)]",
            "ensure" | "post" | "postcondition" => "#[ensures(..)]",
            "op" | "start" | "cleanup" | "cover" => {
                problems.at(attribute, format_args!("`#[{name}]` is a part of `#[model]`: remove it"));
                continue;
            }
            "old" => {
                problems.at(attribute, "`old(..)` is written inside `#[ensures(..)]`");
                continue;
            }
            "invariants" => "#[invariant]",
            _ => continue,
        };
        problems.at(attribute, format_args!("`#[{name}]` is not known here: write `{meant}`"));
    }
    attributes::refuse(problems, attributes, "from", "a parameter");
}

/// The generators in `#[from(..)]`, by parameter; the attributes are removed.
fn generators(problems: &mut Problems, signature: &mut Signature) -> Vec<Option<Expr>> {
    let mut generators = Vec::new();
    for input in &mut signature.inputs {
        let (attributes, is_self) = match input {
            FnArg::Receiver(receiver) => (&mut receiver.attrs, true),
            FnArg::Typed(typed) => (&mut typed.attrs, false),
        };
        if is_self {
            attributes::refuse(problems, attributes, "from", "another parameter");
        }
        generators.push(problems.value(attributes::generator(attributes)).flatten());
        attributes.retain(|attribute| !attribute.path().is_ident("from"));
    }
    generators
}

/// Whether checks can be put around the function; where they cannot, there should be no clauses.
fn is_checkable(problems: &mut Problems, signature: &Signature, has_clauses: bool) -> bool {
    let mut no: Option<Error> = None;
    if let Safety::Unsafe(word) = &signature.safety {
        no = Some(Error::new_spanned(
            word,
            "contracts of unsafe functions are not checked: remove the clauses",
        ));
    }
    if let Some(abi) = &signature.abi {
        no = Some(Error::new_spanned(abi, "contracts are for ordinary Rust functions: remove the clauses"));
    }
    if let (Some(word), true) = (&signature.constness, has_clauses) {
        no = Some(Error::new_spanned(word, "checks cannot run in a constant: remove `const` or the clauses"));
    }
    if is_never(&signature.output) {
        no = Some(Error::new_spanned(
            &signature.output,
            "nothing is checked of a function that never returns: remove the clauses",
        ));
    }
    match no {
        None => true,
        Some(error) => {
            if has_clauses {
                problems.add(error);
            }
            false
        }
    }
}

/// A parameter must not hide the result.
fn diagnose_result(problems: &mut Problems, signature: &Signature) {
    for input in &signature.inputs {
        if let FnArg::Typed(typed) = input
            && matches!(&*typed.pat, Pat::Ident(name) if name.ident == "result")
        {
            problems.at(
                &typed.pat,
                "in `#[ensures(..)]`, `result` is what the function gives: rename this parameter",
            );
        }
    }
}

/// Gives every parameter a name; those that programs could pass are described, in order.
fn parameters(
    signature: &mut Signature,
    owner: Option<&Owner>,
    generators: Vec<Option<Expr>>,
) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    let generics = &signature.generics.clone();
    for (k, (input, generator)) in signature.inputs.iter_mut().zip(generators).enumerate() {
        match input {
            FnArg::Receiver(receiver) => {
                receiver.mutability = None;
                let name = Ident::new("self", receiver.self_token.span);
                if let ReceiverKind::Reference(_, lifetime, _) = &receiver.kind
                    && Owner::outlives_calls(owner, lifetime.as_ref())
                {
                    continue;
                }
                if owner.is_some_and(|owner| owner.is_unsized) {
                    continue;
                }
                let mode = match &receiver.kind {
                    ReceiverKind::Value => Mode::Value,
                    ReceiverKind::Reference(_, _, None) => Mode::Shared,
                    ReceiverKind::Reference(_, _, Some(_)) => Mode::Mutable,
                    _ => continue,
                };
                parameters.push(Parameter {
                    name,
                    ty: parse_quote!(Self),
                    mode,
                    generator: None,
                    is_owner: true,
                    closure: None,
                });
            }
            FnArg::Typed(typed) => {
                let name = match &*typed.pat {
                    Pat::Ident(pattern) if pattern.subpat.is_none() => pattern.ident.clone(),
                    _ => format_ident!("__parameter_{k}"),
                };
                *typed.pat = parse_quote!(#name);
                if generator.is_none()
                    && let Some(closure) = Closure::of(&typed.ty, generics)
                {
                    let (ty, mode) = (closure.ty(), Mode::Function);
                    let closure = Some(closure);
                    parameters.push(Parameter { name, ty, mode, generator: None, is_owner: false, closure });
                    continue;
                }
                let (ty, mode) = match &*typed.ty {
                    Type::Reference(reference)
                        if Owner::outlives_calls(owner, reference.lifetime.as_ref()) =>
                    {
                        match reference.mutability {
                            Some(_) => continue,
                            None if is_str(&reference.elem) => (owned(&reference.elem), Mode::LastingText),
                            None => (owned(&reference.elem), Mode::Lasting),
                        }
                    }
                    Type::Reference(reference) if reference.mutability.is_some() => {
                        (owned(&reference.elem), Mode::Mutable)
                    }
                    Type::Reference(reference) if is_str(&reference.elem) => {
                        (owned(&reference.elem), Mode::Text)
                    }
                    Type::Reference(reference) => (owned(&reference.elem), Mode::Shared),
                    ty => (ty.clone(), Mode::Value),
                };
                let ty = Owner::held(owner, &ty);
                let is_unsized = matches!(ty, Type::TraitObject(_));
                if is_unsized || borrows(&ty.to_token_stream()) {
                    continue;
                }
                let is_owner = owner.is_some_and(|owner| owner.is(&ty));
                parameters.push(Parameter { name, ty, mode, generator, is_owner, closure: None });
            }
        }
    }
    parameters
}

/// The names of all parameters, in order.
pub(super) fn arguments(signature: &Signature) -> Result<Vec<Ident>> {
    let name = |input: &FnArg| match input {
        FnArg::Receiver(receiver) => Ok(Ident::new("self", receiver.self_token.span)),
        FnArg::Typed(typed) => syn::parse2(typed.pat.to_token_stream()),
    };
    signature.inputs.iter().map(name).collect()
}

fn output(output: &ReturnType, owner: Option<&Owner>) -> Output {
    let ReturnType::Type(_, ty) = output else {
        return Output { kept: KeptResult::Nothing, is_owner: false, is_unit: true };
    };
    let kept = kept(ty, owner);
    let is_owner = kept.ty().is_some_and(|ty| owner.is_some_and(|owner| owner.is(ty)));
    Output { kept, is_owner, is_unit: is_unit(ty) }
}

fn kept(ty: &Type, owner: Option<&Owner>) -> KeptResult {
    let is_kept =
        |ty: &Type| !is_unit(ty) && !matches!(ty, Type::Never(_)) && !borrows(&ty.to_token_stream());
    let ty = &Owner::held(owner, ty);
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last()
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(GenericArgument::Type(inner)) = arguments.args.first()
        && (last.ident == "Option" || last.ident == "Result")
    {
        let inner = Owner::held(owner, inner);
        return match is_kept(&inner) {
            false => KeptResult::Nothing,
            true if last.ident == "Option" => KeptResult::Some(inner),
            true => KeptResult::Ok(inner),
        };
    }
    if is_kept(ty) { KeptResult::All(ty.clone()) } else { KeptResult::Nothing }
}

fn is_never(output: &ReturnType) -> bool {
    matches!(output, ReturnType::Type(_, ty) if matches!(**ty, Type::Never(_)))
}

fn is_unit(ty: &Type) -> bool {
    matches!(ty, Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Whether a result has a type that only the function's body knows.
pub(super) fn is_opaque(output: &ReturnType) -> bool {
    mentions(output, &format_ident!("impl"))
}

/// Whether a name occurs in some syntax.
fn mentions(syntax: impl ToTokens, name: &Ident) -> bool {
    fn is_in(tokens: TokenStream, name: &Ident) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(word) => word == *name,
            TokenTree::Group(group) => is_in(group.stream(), name),
            _ => false,
        })
    }
    is_in(syntax.to_token_stream(), name)
}

/// Whether a type may hold references: it has a `&`, a lifetime or an `impl` in it.
pub(super) fn borrows(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Punct(punct) => matches!(punct.as_char(), '&' | '\''),
        TokenTree::Ident(word) => word == "impl",
        TokenTree::Group(group) => borrows(&group.stream()),
        TokenTree::Literal(_) => false,
    })
}
