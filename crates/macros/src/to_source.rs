//! `#[derive(ToSource)]`: how a value of the user's type is written as Rust.
//!
//! Derives an implementation that writes name, punctuation and fields. The result is meant for a place where
//! the type's name is in scope: paths are not known here.

use crate::attributes;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use syn::{Data, DataEnum, DeriveInput, Error, Fields, Index, Member, Result};

/// The implementation, or what is wrong with the type.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    syn::parse2(item)
        .and_then(|input: DeriveInput| Ok(expand(&input, &diagnose(&input)?)))
        .unwrap_or_else(Error::into_compile_error)
}

/// The kinds of type that can be written.
enum Shape<'i> {
    Struct(&'i Fields),
    Enum(&'i DataEnum),
}

fn diagnose(input: &DeriveInput) -> Result<Shape<'_>> {
    match &input.data {
        Data::Struct(data) => Ok(Shape::Struct(&data.fields)),
        Data::Enum(data) => Ok(Shape::Enum(data)),
        Data::Union(data) => Err(Error::new_spanned(
            data.union_token,
            "`ToSource` cannot be derived for a union, whose valid field only you know: implement it by hand",
        )),
    }
}

fn expand(input: &DeriveInput, shape: &Shape<'_>) -> TokenStream {
    let name = &input.ident;
    let generics = attributes::bounded(&input.generics, &quote!(::stairway::ToSource));
    let (of_impl, of_type, bounds) = generics.split_for_impl();
    let out = Ident::new("out", Span::mixed_site());
    let body = match shape {
        Shape::Enum(data) => enumeration(name, data, &out),
        Shape::Struct(fields) => {
            let places = members(fields).map(|member| quote!(&self.#member)).collect();
            write(&name.to_string(), fields, places, &out)
        }
    };
    quote! {
        #[automatically_derived]
        impl #of_impl ::stairway::ToSource for #name #of_type #bounds {
            fn write_source(&self, #out: &mut ::std::string::String) {
                #body
            }
        }
    }
}

fn enumeration(name: &Ident, data: &DataEnum, out: &Ident) -> TokenStream {
    if data.variants.is_empty() {
        return quote! {
            let _ = #out;
            match *self {}
        };
    }
    let arms = data.variants.iter().map(|variant| {
        let of_variant = &variant.ident;
        let members = members(&variant.fields);
        let bindings: Vec<Ident> = (0..variant.fields.len())
            .map(|i| format_ident!("field_{i}", span = Span::mixed_site()))
            .collect();
        let places = bindings.iter().map(|binding| quote!(#binding)).collect();
        let written = write(&format!("{name}::{of_variant}"), &variant.fields, places, out);
        quote!(Self::#of_variant { #(#members: #bindings),* } => { #written })
    });
    quote!(match self { #(#arms)* })
}

fn members(fields: &Fields) -> impl Iterator<Item = Member> {
    fields.iter().enumerate().map(|(i, field)| match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(Index::from(i)),
    })
}

/// Statements that write `name` and the fields, which are found at `places`.
fn write(name: &str, fields: &Fields, places: Vec<TokenStream>, out: &Ident) -> TokenStream {
    let (open, close) = match fields {
        Fields::Named(named) if named.named.is_empty() => (" {", "}"),
        Fields::Named(_) => (" { ", " }"),
        Fields::Unnamed(_) => ("(", ")"),
        Fields::Unit => ("", ""),
    };
    // Text between two fields is one piece.
    let mut text = format!("{name}{open}");
    let mut statements = TokenStream::new();
    for (i, (field, place)) in fields.iter().zip(places).enumerate() {
        if i > 0 {
            text.push_str(", ");
        }
        if let Some(field_name) = &field.ident {
            text.push_str(&format!("{field_name}: "));
        }
        statements.extend(quote! {
            #out.push_str(#text);
            ::stairway::ToSource::write_source(#place, #out);
        });
        text.clear();
    }
    text.push_str(close);
    if !text.is_empty() {
        statements.extend(quote!(#out.push_str(#text);));
    }
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assert_expands, pretty, problem};

    fn expand(item: &str) -> TokenStream {
        derive(item.parse().expect("the test's source is Rust"))
    }

    #[test]
    fn a_struct_is_written_with_its_fields() {
        assert_expands(
            expand("struct Point<T> { x: T, r#y: u8 }"),
            r#"
            #[automatically_derived]
            impl<T: ::stairway::ToSource> ::stairway::ToSource for Point<T> {
                fn write_source(&self, out: &mut ::std::string::String) {
                    out.push_str("Point { x: ");
                    ::stairway::ToSource::write_source(&self.x, out);
                    out.push_str(", r#y: ");
                    ::stairway::ToSource::write_source(&self.r#y, out);
                    out.push_str(" }");
                }
            }
            "#,
        );
    }

    #[test]
    fn an_enum_is_written_with_its_name() {
        assert_expands(
            expand("enum Op { Push(u8, i8), Set { at: usize }, Pop }"),
            r#"
            #[automatically_derived]
            impl ::stairway::ToSource for Op {
                fn write_source(&self, out: &mut ::std::string::String) {
                    match self {
                        Self::Push { 0: field_0, 1: field_1 } => {
                            out.push_str("Op::Push(");
                            ::stairway::ToSource::write_source(field_0, out);
                            out.push_str(", ");
                            ::stairway::ToSource::write_source(field_1, out);
                            out.push_str(")");
                        }
                        Self::Set { at: field_0 } => {
                            out.push_str("Op::Set { at: ");
                            ::stairway::ToSource::write_source(field_0, out);
                            out.push_str(" }");
                        }
                        Self::Pop {} => { out.push_str("Op::Pop"); }
                    }
                }
            }
            "#,
        );
    }

    #[test]
    fn types_without_fields_are_one_piece() {
        for (item, written) in
            [("struct A;", "\"A\""), ("struct A();", "\"A()\""), ("struct A {}", "\"A {}\"")]
        {
            let expansion = pretty(expand(item));
            assert!(expansion.contains(&format!("out.push_str({written});")), "{expansion}");
        }
        assert!(pretty(expand("enum Never {}")).contains("match *self {}"));
    }

    #[test]
    fn a_union_is_refused() {
        assert!(problem(expand("union U { a: u8 }")).contains("implement it by hand"));
    }
}
