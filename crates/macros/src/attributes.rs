//! What the macros share: `#[from(..)]`, `#[weight(..)]`, bounds, and the collecting of problems.
//!
//! Reads generators and weights from attributes. It does not know which macro asks.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Attribute, Error, Expr, Generics, LitInt, Meta, Result, Token, Type, parse_quote};

/// Every problem found so far, so that one build shows them all.
#[derive(Default)]
pub(crate) struct Problems(Option<Error>);

impl Problems {
    /// Notes a problem with `syntax`.
    pub(crate) fn at(&mut self, syntax: impl ToTokens, message: impl std::fmt::Display) {
        self.add(Error::new_spanned(syntax, message));
    }

    /// Notes a problem.
    pub(crate) fn add(&mut self, problem: Error) {
        match &mut self.0 {
            Some(first) => first.combine(problem),
            none => *none = Some(problem),
        }
    }

    /// The value, or `None` and a note of why there is none.
    pub(crate) fn value<T>(&mut self, result: Result<T>) -> Option<T> {
        result.map_err(|problem| self.add(problem)).ok()
    }

    /// Everything noted, as one error.
    pub(crate) fn finish(self) -> Result<()> {
        self.0.map_or(Ok(()), Err)
    }
}

/// What should have been written where something cannot be parsed.
pub(crate) trait OrWrite<T> {
    /// The same with this message, at the same place.
    fn or_write(self, message: impl std::fmt::Display) -> Result<T>;
}

impl<T> OrWrite<T> for Result<T> {
    fn or_write(self, message: impl std::fmt::Display) -> Result<T> {
        self.map_err(|error| Error::new(error.span(), message))
    }
}

/// The expression in `#[from(generator)]`, if there is one. `#[from]` alone is not understood
/// here: ask [`is_foreign`] first where other macros may mean it.
pub(crate) fn generator(attributes: &[Attribute]) -> Result<Option<Expr>> {
    let mut found = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("from")) {
        if found.is_some() {
            return Err(Error::new_spanned(
                attribute,
                "a value is drawn from one generator: remove this second `#[from(..)]`",
            ));
        }
        found = Some(one_generator(attribute)?);
    }
    Ok(found)
}

fn one_generator(attribute: &Attribute) -> Result<Expr> {
    let Meta::List(list) = &attribute.meta else {
        return Err(Error::new_spanned(
            attribute,
            "which generator? write `#[from(generator)]`, for instance `#[from(0..10)]`",
        ));
    };
    let mut given = list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?.into_iter();
    match (given.next(), given.next()) {
        (Some(generator), None) => Ok(generator),
        (None, _) => Err(Error::new_spanned(
            attribute,
            "which generator? write `#[from(generator)]`, for instance `#[from(0..10)]`",
        )),
        (Some(_), Some(second)) => Err(Error::new_spanned(
            second,
            "`#[from]` takes one generator; a tuple of generators draws a tuple: `#[from((a, b))]`",
        )),
    }
}

/// Whether this is a `#[from]` without a generator, as other derives (of `From`, of `Error`) use it.
pub(crate) fn is_foreign(attribute: &Attribute) -> bool {
    attribute.path().is_ident("from") && matches!(attribute.meta, Meta::Path(_))
}

/// Whether a parameter of this type decides for the environment, by the type's name.
pub(crate) fn is_oracle(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Oracle"))
}

/// The number in `#[weight(n)]`, if there is one.
pub(crate) fn weight(attributes: &[Attribute]) -> Result<Option<u32>> {
    let mut found = None;
    for attribute in attributes.iter().filter(|a| a.path().is_ident("weight")) {
        if found.is_some() {
            return Err(Error::new_spanned(
                attribute,
                "a variant has one weight: remove this second `#[weight(..)]`",
            ));
        }
        found = Some(one_weight(attribute)?);
    }
    Ok(found)
}

fn one_weight(attribute: &Attribute) -> Result<u32> {
    const WRITE: &str = "a weight is a whole number from 0 to 4294967295: write `#[weight(3)]`";
    let Meta::List(list) = &attribute.meta else {
        return Err(Error::new_spanned(attribute, WRITE));
    };
    let number: LitInt = list.parse_args().map_err(|_| Error::new_spanned(&list.tokens, WRITE))?;
    number.base10_parse().map_err(|_| Error::new(number.span(), WRITE))
}

/// Notes attributes of ours that stand where they mean nothing.
pub(crate) fn refuse(problems: &mut Problems, attributes: &[Attribute], name: &str, belongs: &str) {
    for attribute in attributes.iter().filter(|a| a.path().is_ident(name) && !is_foreign(a)) {
        problems.at(attribute, format_args!("`#[{name}(..)]` belongs on {belongs}: move it there"));
    }
}

/// `generics` with `bound` on every type parameter.
pub(crate) fn bounded(generics: &Generics, bound: &TokenStream) -> Generics {
    let mut generics = generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#bound));
    }
    generics
}

/// A helper function for the expansion, to be called by [`generator_of`].
pub(crate) fn drawn_from_helper() -> TokenStream {
    quote! {
        fn __drawn_from<T, G: ::stairway::Generate<Value = T>>(generator: G) -> G {
            generator
        }
    }
}

/// Who makes values of type `ty`: `generator` if one was named, otherwise the type itself. The
/// bound of a call rather than the use of the value demands the type, so that rustc points at the
/// generator when it makes something else, and so that in `0..10` the numbers get their type from
/// the parameter or field.
pub(crate) fn generator_of(ty: &Type, generator: Option<&Expr>) -> TokenStream {
    let place = place_of(ty, generator);
    match generator {
        Some(generator) => quote_spanned!(place=> __drawn_from::<#ty, _>(#generator)),
        None => quote_spanned!(place=> ::stairway::any::<#ty>()),
    }
}

/// Where rustc should show what is wrong with the drawing of a value.
pub(crate) fn place_of(ty: &Type, generator: Option<&Expr>) -> Span {
    beside(generator.map_or_else(|| ty.span(), Spanned::span))
}

/// A span for tokens of ours that rustc should show at `place`: its names do not meet the user's.
pub(crate) fn beside(place: Span) -> Span {
    Span::mixed_site().located_at(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message<T>(result: Result<T>) -> String {
        result.err().expect("this is a mistake").to_string()
    }

    #[test]
    fn a_generator_is_any_expression() {
        let found = generator(&[parse_quote!(#[doc = "x"]), parse_quote!(#[from(0..n + 1)])]).unwrap();
        assert_eq!(found.to_token_stream().to_string(), "0 .. n + 1");
        assert!(generator(&[parse_quote!(#[weight(1)])]).unwrap().is_none());
    }

    #[test]
    fn a_missing_generator_is_asked_for() {
        for attribute in [parse_quote!(#[from]), parse_quote!(#[from()]), parse_quote!(#[from = 3])] {
            assert!(message(generator(&[attribute])).contains("write `#[from(generator)]`"));
        }
    }

    #[test]
    fn only_one_generator_is_taken() {
        assert!(message(generator(&[parse_quote!(#[from(a, b)])])).contains("`#[from((a, b))]`"));
        let twice = [parse_quote!(#[from(a)]), parse_quote!(#[from(b)])];
        assert!(message(generator(&twice)).contains("remove this second"));
    }

    #[test]
    fn weights_are_whole_numbers() {
        assert_eq!(weight(&[parse_quote!(#[weight(7)])]).unwrap(), Some(7));
        assert_eq!(weight(&[]).unwrap(), None);
        for attribute in [
            parse_quote!(#[weight]),
            parse_quote!(#[weight = 3]),
            parse_quote!(#[weight()]),
            parse_quote!(#[weight(-1)]),
            parse_quote!(#[weight(0.5)]),
            parse_quote!(#[weight(4294967296)]),
        ] {
            assert!(message(weight(&[attribute])).contains("write `#[weight(3)]`"));
        }
        let twice = [parse_quote!(#[weight(1)]), parse_quote!(#[weight(2)])];
        assert!(message(weight(&twice)).contains("remove this second"));
    }

    #[test]
    fn problems_are_reported_together() {
        let mut problems = Problems::default();
        let attributes = [parse_quote!(#[from(a)]), parse_quote!(#[from]), parse_quote!(#[weight(1)])];
        refuse(&mut problems, &attributes, "from", "a field");
        refuse(&mut problems, &attributes, "weight", "a variant");
        let found: Vec<String> = problems.finish().unwrap_err().into_iter().map(|e| e.to_string()).collect();
        assert_eq!(
            found,
            [
                "`#[from(..)]` belongs on a field: move it there",
                "`#[weight(..)]` belongs on a variant: move it there"
            ]
        );
    }
}
