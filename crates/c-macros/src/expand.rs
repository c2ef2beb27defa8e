//! Plans as Rust: declarations for `stairway_c::library!`, and a method for each function.
//!
//! Everything it writes is held against the object again before the first call.

use crate::inspect::{CompiledFiles, package};
use crate::plan::{self, ArgumentPassing, Plan, Plans, ResultForm};
use crate::request::BindingRequest;
use crate::types::{Types, ident};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{Error, Expr, LitStr, Result, Token};

/// The whole of a library's module behind its fixed part.
pub(crate) fn expand(input: TokenStream) -> Result<TokenStream> {
    let wanted: BindingRequest = syn::parse2(input)?;
    let (root, declarations) = (&wanted.root, &wanted.declarations);
    let Some(bind) = wanted.binds.first() else {
        return Ok(quote! {
            fn bound() -> ::std::vec::Vec<__c::DeclaredFunction> {
                ::std::vec::Vec::new()
            }
            #root::__library!(@items [] [] [] #declarations);
        });
    };
    let files = literals(&wanted.files, "files")?;
    let flags = literals(&wanted.flags, "flags")?;
    let span = files.first().map_or(bind.span, LitStr::span);
    let text = |all: &[LitStr]| all.iter().map(LitStr::value).collect::<Vec<String>>();
    let inspected = CompiledFiles::new(&package()?, &text(&files), &text(&flags));
    let inspected = inspected.map_err(|words| Error::new(span, words))?;
    let depends_on = dependencies(&inspected);
    let bindings = bindings(&wanted, &inspected);
    // What the bindings depend on is said even if they are wrong: the next build looks again.
    let bindings = bindings.unwrap_or_else(Error::into_compile_error);
    Ok(quote! { #depends_on #bindings })
}

/// Texts that are known while the test is compiled.
fn literals(tokens: &TokenStream, what: &str) -> Result<Vec<LitStr>> {
    let all = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone())?;
    let literal = |expression: &Expr| {
        let tokens = quote!(#expression);
        syn::parse2::<LitStr>(tokens.clone()).map_err(|_| {
            Error::new_spanned(
                tokens,
                format!("with `bind`, {what} are string literals: C is read while Rust compiles"),
            )
        })
    };
    all.iter().map(literal).collect()
}

/// So that cargo compiles the test again when a C file changes.
fn dependencies(inspected: &CompiledFiles) -> TokenStream {
    let paths = inspected.files.iter().filter_map(|path| path.to_str());
    quote! { const _: &[&[u8]] = &[#(::core::include_bytes!(#paths)),*]; }
}

pub(crate) fn bindings(wanted: &BindingRequest, inspected: &CompiledFiles) -> Result<TokenStream> {
    let (root, declarations) = (&wanted.root, &wanted.declarations);
    let mut types = Types::new(&inspected.program.types, &wanted.own);
    let plans = Plans::new(wanted, inspected, &mut types)?;
    let mut writer = Writer { root, types: &mut types };
    let methods: Vec<TokenStream> = plans.functions.iter().map(|p| writer.method(p)).collect();
    let declared: Vec<TokenStream> = plans.functions.iter().map(|p| writer.declared(p)).collect();
    let mocks: Vec<TokenStream> = plans.mocks.iter().map(|p| writer.mock(p)).collect();
    let types = types.declarations(root);
    let left_out = plan::constant(&plans.left_out);
    Ok(quote! {
        #left_out

        fn bound() -> ::std::vec::Vec<__c::DeclaredFunction> {
            ::std::vec![#(#declared),*]
        }

        #[allow(clippy::all, clippy::pedantic)]
        impl<'r> Calls<'r> {
            #(#methods)*
        }

        #root::__library!(@items [] [] [] #types #(#mocks)* #declarations);
    })
}

struct Writer<'w, 'p> {
    root: &'w TokenStream,
    types: &'w mut Types<'p>,
}

/// The parts of a method that follow from its parameters.
#[derive(Default)]
struct Parts {
    parameters: Vec<TokenStream>,
    passing: Vec<TokenStream>,
    taking_back: Vec<TokenStream>,
    /// The types and the names of what C writes.
    outs: Vec<(TokenStream, TokenStream)>,
}

impl Writer<'_, '_> {
    /// A type, which planning has found to exist.
    fn value(&mut self, ty: stairway_c_types::ctypes::TypeId) -> TokenStream {
        self.types.value(ty).unwrap_or_else(|_| quote!(()))
    }

    /// The type of elements; bytes where C says `void`.
    fn element(&mut self, ty: stairway_c_types::ctypes::TypeId) -> TokenStream {
        if self.types.is_void(ty) { quote!(u8) } else { self.value(ty) }
    }

    fn method(&mut self, plan: &Plan) -> TokenStream {
        let root = self.root;
        let parts = self.parts(plan);
        let (returned, ty, result) = self.result(plan);
        let (mut types, mut values) = (Vec::new(), Vec::new());
        if !self.types.is_void(plan.result) {
            types.push(ty);
            values.push(result);
        }
        for (ty, name) in parts.outs {
            types.push(quote!(::core::option::Option<#ty>));
            values.push(name);
        }
        let one_or_more = |all: Vec<TokenStream>| match &all[..] {
            [one] => one.clone(),
            _ => quote!((#(#all),*)),
        };
        let (ty, value) = (one_or_more(types), one_or_more(values));
        let Parts { parameters, passing, taking_back, .. } = parts;
        let (name, link) = (method_ident(&plan.name), &plan.link);
        let doc = format!("`{}` ({})", plan::in_c(plan, self.types), plan.place);
        quote! {
            #[doc = #doc]
            pub fn #name<'c>(&'c self, #(#parameters),*) -> #root::__stairway::Checked<#ty> {
                let mut __call = __c::Session::call(&self.0, #link)?;
                #(#passing)*
                let __result = __call.run::<#returned>()?;
                #(#taking_back)*
                ::core::result::Result::Ok(#value)
            }
        }
    }

    fn parts(&mut self, plan: &Plan) -> Parts {
        let mut parts = Parts::default();
        for parameter in &plan.parameters {
            let name = &parameter.name;
            let plain = quote! { __call.pass(&#name)?; };
            let back = quote! { { let mut lent = #name; __call.take_back(&mut lent)?; } };
            let (ty, passing, taking_back) = match &parameter.passed {
                ArgumentPassing::Value => {
                    (Some(self.value(parameter.ty)), plain, quote! { __call.pass_over(); })
                }
                ArgumentPassing::Lent { to, is_const } => {
                    let to =
                        if self.types.is_void(*to) { quote!(__c::Void) } else { self.types.pointee(*to) };
                    let lent = if *is_const { quote!(Reads) } else { quote!(Writes) };
                    (Some(quote!(impl __c::#lent<#to>)), plain, back)
                }
                ArgumentPassing::Slice { of, is_const } => {
                    let of = self.element(*of);
                    let ty = if *is_const { quote!(&[#of]) } else { quote!(&mut [#of]) };
                    (Some(ty), plain, back)
                }
                ArgumentPassing::Length { of } => {
                    let ty = self.value(parameter.ty);
                    let slices = of.iter().map(|k| &plan.parameters[*k].name);
                    let named = of.iter().map(|k| plan.parameters[*k].name.to_string());
                    let passing = quote! { __call.pass_length::<#ty>(&[#((#named, #slices.len())),*])?; };
                    (None, passing, quote! { __call.pass_over(); })
                }
                ArgumentPassing::Out { of } => {
                    let of = self.value(*of);
                    let passing = quote! { __call.pass_out::<#of>()?; };
                    let back = quote! { let #name = __call.take_out::<#of>()?; };
                    parts.outs.push((of, quote!(#name)));
                    (None, passing, back)
                }
            };
            parts.parameters.extend(ty.map(|ty| quote!(#name: #ty)));
            parts.passing.push(passing);
            parts.taking_back.push(taking_back);
        }
        parts
    }

    /// The type that C gives, the type that the method gives, and how one becomes the other.
    fn result(&mut self, plan: &Plan) -> (TokenStream, TokenStream, TokenStream) {
        if self.types.is_void(plan.result) {
            return (quote!(()), quote!(()), quote!(()));
        }
        let returned = self.value(plan.result);
        match (&plan.given, self.types.pointed_to(plan.result)) {
            (ResultForm::Owned(free), Some((to, _))) => {
                let to = self.types.pointee(to);
                let made = quote!(__c::Handle::new(&self.0, __result, #free));
                (returned, quote!(::core::option::Option<__c::Handle<'c, 'r, #to>>), made)
            }
            (ResultForm::Text, _) => {
                let text = quote!(__c::Session::text(&self.0, __result)?);
                (returned, quote!(::core::option::Option<::std::ffi::CString>), text)
            }
            _ => (returned.clone(), returned, quote!(__result)),
        }
    }

    fn declared(&mut self, plan: &Plan) -> TokenStream {
        let link = &plan.link;
        let parameters: Vec<TokenStream> = plan
            .parameters
            .iter()
            .map(|parameter| {
                let name = parameter.name.to_string();
                let ty = match &parameter.passed {
                    ArgumentPassing::Value | ArgumentPassing::Length { .. } => self.value(parameter.ty),
                    ArgumentPassing::Lent { to, .. } if self.types.is_void(*to) => quote!(__c::Pointer<()>),
                    ArgumentPassing::Lent { to, is_const } if self.types.is_value(*to) => {
                        let to = self.value(*to);
                        if *is_const { quote!(&'static [#to]) } else { quote!(&'static mut [#to]) }
                    }
                    ArgumentPassing::Lent { to, .. } => {
                        let to = self.types.pointee(*to);
                        quote!(__c::Pointer<#to>)
                    }
                    ArgumentPassing::Slice { of, is_const } => {
                        let of = self.element(*of);
                        if *is_const { quote!(&'static [#of]) } else { quote!(&'static mut [#of]) }
                    }
                    ArgumentPassing::Out { of } => {
                        let of = self.value(*of);
                        quote!(&'static mut #of)
                    }
                };
                quote!((#name, __c::DeclaredType::argument::<#ty>()))
            })
            .collect();
        let (returned, ..) = self.result(plan);
        quote! {
            __c::DeclaredFunction {
                name: #link,
                parameters: ::std::vec![#(#parameters),*],
                returns: __c::DeclaredType::returned::<#returned>(),
            }
        }
    }

    fn mock(&mut self, plan: &Plan) -> TokenStream {
        let (name, link) = (ident(&plan.name), &plan.link);
        let parameters: Vec<TokenStream> = plan
            .parameters
            .iter()
            .map(|p| {
                let (name, ty) = (&p.name, self.value(p.ty));
                quote!(#name: #ty)
            })
            .collect();
        let (returned, ..) = self.result(plan);
        let gives = (!self.types.is_void(plan.result)).then(|| quote!(-> #returned));
        let doc = format!("`{}` ({})", plan::in_c(plan, self.types), plan.place);
        quote! { #[doc = #doc] mock fn #name(#(#parameters),*) #gives = #link; }
    }
}

/// Methods that a run has already keep their names.
fn method_ident(name: &str) -> proc_macro2::Ident {
    match name {
        "mocks" | "memory" | "deref" => proc_macro2::Ident::new(&format!("{name}_"), Span::call_site()),
        _ => ident(name),
    }
}
