//! `#[property]`: a function becomes a test that draws the function's arguments.
//!
//! Expands the function to a `#[test]`. The body is carried along as tokens, never as syntax: what is wrong
//! in it, rustc says best. The siblings hold the options (`options`), the inputs that always run (`example`),
//! what happens to the body (`body`) and the expansion (`expand`).

pub(crate) mod body;
pub(crate) mod example;
pub(crate) mod expand;
pub(crate) mod options;

#[cfg(test)]
mod tests;

use crate::attributes::{self, Problems};
use body::Body;
use example::Example;
use options::{Options, WrittenOptions};
use proc_macro2::{Ident, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, Error, Expr, FnArg, Pat, PatType, Path, Result, ReturnType, Safety, Signature, Token, Type,
    TypeReference, Visibility, parse_quote, token,
};

/// The test, or what is wrong with the function.
pub(crate) fn property(options: TokenStream, item: TokenStream) -> TokenStream {
    parse(options, item)
        .and_then(|(options, function)| diagnose(options, function))
        .map_or_else(Error::into_compile_error, |property| expand::expand(&property))
}

/// Moves an `#[example]` that stands above `#[property]` below it, where it is understood.
pub(crate) fn move_example(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let split = |input: ParseStream<'_>| Ok((Attribute::parse_outer(input)?, input.parse::<TokenStream>()?));
    let (attributes, rest) = match syn::parse::Parser::parse2(split, item) {
        Ok(parts) => parts,
        Err(error) => return error.into_compile_error(),
    };
    let is_property = |a: &Attribute| a.path().segments.last().is_some_and(|s| s.ident == "property");
    if !attributes.iter().any(is_property) {
        let why = "`#[example]` gives an input of a property; write it below `#[property]`";
        return Error::new_spanned(arguments, why).into_compile_error();
    }
    quote::quote!(#(#attributes)* #[example(#arguments)] #rest)
}

/// The function as it was written.
struct Function {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    signature: Signature,
    body: Body,
}

/// A function that can be a property.
pub(crate) struct Property {
    pub(crate) options: Options,
    /// What is kept for the test: everything but the examples.
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) is_async: bool,
    /// Where the function's type stands, for errors of the compiler about it.
    pub(crate) fn_token: Token![fn],
    pub(crate) parentheses: token::Paren,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) output: ReturnType,
    pub(crate) examples: Vec<Example>,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) struct Parameter {
    /// Lint levels.
    attributes: Vec<Attribute>,
    pub(crate) mutability: Option<Token![mut]>,
    pub(crate) name: Ident,
    /// The type as it was written.
    pub(crate) ty: Type,
    /// How it is drawn; `None` for the parameter that is handed the case.
    pub(crate) draw: Option<Draw>,
}

/// A value to be drawn: its owned type, how it is lent to the function, who makes it.
#[derive(Clone)]
pub(crate) struct Draw {
    pub(crate) owned: Type,
    pub(crate) borrow: Borrow,
    pub(crate) generator: Option<Expr>,
    /// Whether it is lent as `&str`, and shown as one.
    pub(crate) is_text: bool,
    /// Whether it is lent as a slice.
    pub(crate) is_slice: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Borrow {
    None,
    Shared,
    Mutable,
}

fn parse(options: TokenStream, item: TokenStream) -> Result<(WrittenOptions, Function)> {
    Ok((syn::parse2(options)?, syn::parse2(item)?))
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        if !is_function_ahead(input) {
            return Err(
                input.error("`#[property]` goes on a function: write `#[property] fn name(..) { .. }`")
            );
        }
        let signature: Signature = input.parse()?;
        if input.peek(Token![;]) {
            return Err(input.error("a property needs a body that checks something: write `{ .. }` here"));
        }
        let body = input.parse()?;
        Ok(Function { attributes, visibility, signature, body })
    }
}

fn is_function_ahead(input: ParseStream<'_>) -> bool {
    input.peek(Token![fn])
        || input.peek(Token![async])
        || input.peek(Token![unsafe])
        || input.peek(Token![extern])
        || (input.peek(Token![const]) && !input.peek2(syn::Ident))
}

fn diagnose(options: WrittenOptions, function: Function) -> Result<Property> {
    let Function { attributes, visibility, signature, body } = function;
    let mut problems = Problems::default();
    let options = options::diagnose(&mut problems, options);
    diagnose_signature(&mut problems, &signature);
    let mut parameters = Vec::new();
    for input in &signature.inputs {
        parameters.extend(problems.value(parameter(input)));
    }
    diagnose_cases(&mut problems, &parameters);
    let (examples, attributes): (Vec<_>, Vec<_>) =
        attributes.into_iter().partition(|attribute| attribute.path().is_ident("example"));
    diagnose_attributes(&mut problems, &attributes);
    // Which examples fit is only known once every parameter is.
    let is_complete = parameters.len() == signature.inputs.len();
    let examples = examples.iter().filter(|_| is_complete);
    let examples = examples.filter_map(|e| problems.value(example::diagnose(e, &parameters))).collect();
    problems.finish()?;
    Ok(Property {
        options,
        attributes,
        visibility,
        name: signature.ident,
        is_async: signature.asyncness.is_some(),
        fn_token: signature.fn_token,
        parentheses: signature.paren_token,
        parameters,
        output: signature.output,
        examples,
        body,
    })
}

fn diagnose_signature(problems: &mut Problems, signature: &Signature) {
    if let Some(word) = &signature.constness {
        problems.at(word, "a property runs when it is tested: remove `const`");
    }
    if let Safety::Unsafe(word) = &signature.safety {
        problems
            .at(word, "a property is safe to call: remove `unsafe` and write `unsafe { .. }` in the body");
    }
    if let Some(abi) = &signature.abi {
        problems.at(abi, "a property is an ordinary Rust function: remove the ABI");
    }
    if !signature.generics.params.is_empty() {
        problems.at(
            &signature.generics,
            "a property is run for concrete types: replace each type parameter by a type such as `i32` \
             and leave lifetimes out",
        );
    } else if let Some(clause) = &signature.generics.where_clause {
        problems.at(clause, "a property has no type parameters to bound: remove the `where` clause");
    }
    if let Some(rest) = &signature.variadic {
        problems.at(rest, "every parameter of a property is drawn: write each as `name: Type`");
    }
}

fn diagnose_attributes(problems: &mut Problems, attributes: &[Attribute]) {
    for attribute in attributes {
        let is_test = attribute.path().segments.last().is_some_and(|last| last.ident == "test");
        if is_test {
            problems.at(
                attribute,
                "`#[property]` makes the test: remove this attribute (an async runtime is named by \
                 `#[property(executor = path)]`)",
            );
        }
    }
    attributes::refuse(problems, attributes, "from", "a parameter");
}

fn diagnose_cases(problems: &mut Problems, parameters: &[Parameter]) {
    let cases = parameters.iter().filter(|parameter| parameter.draw.is_none());
    for second in cases.skip(1) {
        problems.at(&second.ty, "there is one case: remove this second `&mut Case` parameter");
    }
}

pub(crate) fn parameter(input: &FnArg) -> Result<Parameter> {
    let PatType { attrs, pat, ty, .. } = match input {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            return Err(Error::new_spanned(
                receiver,
                "a property is a free function, without `self`: write a parameter `name: Type` instead",
            ));
        }
    };
    let (mutability, name) = binding(pat)?;
    let generator = attributes::generator(attrs)?;
    let attributes: Vec<_> = attrs.iter().filter(|a| !a.path().is_ident("from")).cloned().collect();
    diagnose_parameter_attributes(&attributes)?;
    let draw = draw(ty, generator)?;
    Ok(Parameter { attributes, mutability, name, ty: (**ty).clone(), draw })
}

/// The name of a parameter, which is to be a name.
pub(crate) fn binding(pattern: &Pat) -> Result<(Option<Token![mut]>, Ident)> {
    match pattern {
        Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
            Ok((ident.mutability, ident.ident.clone()))
        }
        _ => Err(Error::new_spanned(
            pattern,
            "a drawn value is shown under its parameter's name: write `name: Type` here and take it \
             apart in the body",
        )),
    }
}

pub(crate) fn diagnose_parameter_attributes(attributes: &[Attribute]) -> Result<()> {
    const LINT_LEVELS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];
    let unknown = |a: &&Attribute| !LINT_LEVELS.iter().any(|level| a.path().is_ident(level));
    match attributes.iter().find(unknown) {
        None => Ok(()),
        Some(unknown) => Err(Error::new_spanned(
            unknown,
            "a drawn parameter takes `#[from(generator)]` only: remove this attribute",
        )),
    }
}

/// How a value is drawn for a parameter of this type; `None` for one that is handed the case.
pub(crate) fn draw(ty: &Type, generator: Option<Expr>) -> Result<Option<Draw>> {
    match (ty, generator) {
        (Type::ImplTrait(_), _) => Err(Error::new_spanned(
            ty,
            "a value is drawn for a concrete type: write a type such as `Vec<i32>` here",
        )),
        (Type::Reference(reference), generator) if is_case(reference) => match generator {
            None => Ok(None),
            Some(generator) => Err(Error::new_spanned(
                generator,
                "a `&mut Case` parameter is handed the case, not drawn: remove `#[from(..)]`",
            )),
        },
        // What lives for ever is a value like any other, if somebody says where it comes from.
        (Type::Reference(reference), Some(generator)) if is_static(reference) => Ok(Some(Draw {
            owned: ty.clone(),
            borrow: Borrow::None,
            generator: Some(generator),
            is_text: false,
            is_slice: false,
        })),
        (Type::Reference(reference), generator) => {
            diagnose_lifetime(reference)?;
            let borrow = if reference.mutability.is_some() { Borrow::Mutable } else { Borrow::Shared };
            let is_shared = matches!(borrow, Borrow::Shared);
            let is_text = is_shared && is_str(&reference.elem);
            let is_slice = is_shared && matches!(*reference.elem, Type::Slice(_));
            Ok(Some(Draw { owned: owned(&reference.elem), borrow, generator, is_text, is_slice }))
        }
        (ty, generator) => Ok(Some(Draw {
            owned: ty.clone(),
            borrow: Borrow::None,
            generator,
            is_text: false,
            is_slice: false,
        })),
    }
}

/// Whether the type is `&mut Case`, however its path is written.
fn is_case(reference: &TypeReference) -> bool {
    let Type::Path(path) = &*reference.elem else { return false };
    reference.mutability.is_some() && path.path.segments.last().is_some_and(|last| last.ident == "Case")
}

/// Whether it is `&'static T`.
pub(crate) fn is_static(reference: &TypeReference) -> bool {
    let is_static = reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
    is_static && reference.mutability.is_none()
}

fn diagnose_lifetime(reference: &TypeReference) -> Result<()> {
    match &reference.lifetime {
        Some(lifetime) if lifetime.ident != "_" => Err(Error::new_spanned(
            lifetime,
            "a drawn value lives as long as its case: leave the lifetime out, draw an owned value, or write where \
             values that live longer come from: `#[from(sampled_from([..]))]`",
        )),
        _ => Ok(()),
    }
}

pub(crate) fn is_str(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("str"))
}

/// Whether this is a type of the standard library that is only borrowed. A `Path` may be anybody's.
fn has_owner_in_std(path: &Path) -> bool {
    let mut names = path.segments.iter().rev().map(|segment| &segment.ident);
    match names.next() {
        Some(last) if last == "CStr" || last == "OsStr" => true,
        Some(last) => last == "Path" && names.next().is_some_and(|module| module == "path"),
        None => false,
    }
}

/// The type of values that lend `&borrowed`.
pub(crate) fn owned(borrowed: &Type) -> Type {
    match borrowed {
        Type::Slice(slice) => {
            let element = &slice.elem;
            parse_quote!(::std::vec::Vec<#element>)
        }
        other if is_str(other) => parse_quote!(::std::string::String),
        Type::Path(path) if has_owner_in_std(&path.path) => {
            parse_quote!(<#path as ::std::borrow::ToOwned>::Owned)
        }
        Type::Paren(inner) => owned(&inner.elem),
        other => other.clone(),
    }
}
