//! Parameters that are functions: `impl Fn(A) -> R`, `F: FnMut(A) -> R`, `&dyn Fn(A) -> R`,
//! `Box<dyn Fn(A) -> R>`, `fn(A) -> R`, and an `Option` of each.
//!
//! Reads from a type what is passed to the function and what it returns, and expands to a closure around a
//! function that was drawn. Errs on the side of "no": a function that is not understood is not called by
//! programs, and says so.

use super::function::borrows;
use crate::property::expand::hidden;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    GenericArgument, GenericParam, Generics, PathArguments, ReturnType, TraitBound, Type, TypeParamBound,
    WherePredicate, parse_quote,
};

/// A function that a parameter takes.
#[derive(Clone)]
pub(super) struct Closure {
    arguments: Vec<Argument>,
    /// What is drawn for one call: what it returns, and what it leaves in each argument that it may change.
    pub(super) drawn: Type,
    passing: Passing,
    /// Whether there may be none.
    is_option: bool,
}

#[derive(Clone)]
struct Argument {
    /// Its type, without the reference that it is given by.
    ty: Type,
    written: Type,
    by: By,
}

/// How the function is given an argument.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Value,
    Reference,
    /// As `&str` or a slice, or as something else that borrows.
    Borrowed,
    Mutable,
}

/// How the function itself is passed.
#[derive(Clone, PartialEq, Eq)]
enum Passing {
    Value,
    Reference,
    Mutable,
    /// In a `Box`, an `Rc` or an `Arc`.
    Inside(Ident),
    /// As an `fn`, which carries nothing with it.
    Pointer,
}

impl Closure {
    /// What a parameter of this type takes, if it is a function that can be drawn.
    pub(super) fn of(ty: &Type, generics: &Generics) -> Option<Self> {
        match ty {
            Type::Paren(inner) => Closure::of(&inner.elem, generics),
            Type::Group(inner) => Closure::of(&inner.elem, generics),
            Type::Reference(reference) => {
                let inner = match &*reference.elem {
                    Type::Paren(inner) => &inner.elem,
                    _ => &reference.elem,
                };
                let closure = Closure::unsized_or_named(inner, generics)?;
                let is_plain =
                    reference.lifetime.is_none() && closure.passing == Passing::Value && !closure.is_option;
                let passing =
                    if reference.mutability.is_some() { Passing::Mutable } else { Passing::Reference };
                is_plain.then_some(Closure { passing, ..closure })
            }
            Type::FnPtr(pointer) => {
                let is_plain =
                    pointer.unsafety.is_none() && pointer.abi.is_none() && pointer.variadic.is_none();
                let arguments = pointer.inputs.iter().map(|input| input.ty.clone());
                let closure = Closure::new(arguments, &pointer.output)?;
                is_plain.then_some(Closure { passing: Passing::Pointer, ..closure })
            }
            Type::Path(path) => {
                let last = path.path.segments.last()?;
                let PathArguments::AngleBracketed(inside) = &last.arguments else {
                    return Closure::unsized_or_named(ty, generics);
                };
                let Some(GenericArgument::Type(inner)) = inside.args.first() else { return None };
                if last.ident == "Option" {
                    let closure = Closure::of(inner, generics)?;
                    return (!closure.is_option).then_some(Closure { is_option: true, ..closure });
                }
                let is_known = ["Box", "Rc", "Arc"].iter().any(|name| last.ident == name);
                let closure = Closure::unsized_or_named(inner, generics)
                    .filter(|_| is_known && inside.args.len() == 1)?;
                Some(Closure { passing: Passing::Inside(last.ident.clone()), ..closure })
            }
            Type::ImplTrait(_) => Closure::unsized_or_named(ty, generics),
            _ => None,
        }
    }

    /// A type that is known by what it can do: `impl Fn(..)`, `dyn Fn(..)`, or a parameter with such a bound.
    fn unsized_or_named(ty: &Type, generics: &Generics) -> Option<Self> {
        match ty {
            Type::ImplTrait(able) => Closure::bound(able.bounds.iter()),
            Type::TraitObject(able) => Closure::bound(able.bounds.iter()),
            Type::Path(path) => {
                let name = path.path.get_ident()?;
                let own = generics.type_params().find(|parameter| parameter.ident == *name)?;
                let further = generics.where_clause.iter().flat_map(|clause| &clause.predicates).filter_map(
                    |predicate| {
                        let WherePredicate::Type(predicate) = predicate else { return None };
                        let is_same =
                            matches!(&predicate.bounded_ty, Type::Path(of) if of.path.is_ident(name));
                        is_same.then_some(&predicate.bounds)
                    },
                );
                Closure::bound(own.bounds.iter().chain(further.flatten()))
            }
            _ => None,
        }
    }

    /// The function among some bounds, if a closure of ours meets the others.
    fn bound<'b>(bounds: impl Iterator<Item = &'b TypeParamBound>) -> Option<Self> {
        const MET: [&str; 7] = ["Send", "Sync", "Clone", "Sized", "Unpin", "UnwindSafe", "RefUnwindSafe"];
        let mut found = None;
        for bound in bounds {
            match bound {
                TypeParamBound::Lifetime(lifetime) if lifetime.ident == "static" || lifetime.ident == "_" => {
                }
                TypeParamBound::Trait(TraitBound { path, .. }) => {
                    let last = path.segments.last()?;
                    match &last.arguments {
                        PathArguments::Parenthesized(signature)
                            if ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name) =>
                        {
                            let inputs = signature.inputs.iter().map(|input| input.ty.clone());
                            found = Some(Closure::new(inputs, &signature.output)?);
                        }
                        PathArguments::None if MET.iter().any(|name| last.ident == name) => {}
                        _ => return None,
                    }
                }
                _ => return None,
            }
        }
        found
    }

    fn new(arguments: impl Iterator<Item = Type>, output: &ReturnType) -> Option<Self> {
        let output: Type = match output {
            ReturnType::Default => parse_quote!(()),
            ReturnType::Type(_, ty) => (**ty).clone(),
        };
        let arguments: Vec<Argument> = arguments.map(Argument::of).collect();
        let changed: Vec<&Type> = arguments.iter().filter(|a| a.by == By::Mutable).map(|a| &a.ty).collect();
        let is_drawn = |ty: &Type| !borrows(&ty.to_token_stream()) && !matches!(ty, Type::Never(_));
        if !is_drawn(&output) || !changed.iter().all(|ty| is_drawn(ty) && !is_unsized(ty)) {
            return None;
        }
        let drawn = parse_quote!((#output, #(#changed,)*));
        Some(Closure { arguments, drawn, passing: Passing::Value, is_option: false })
    }

    /// The type of the argument that programs draw.
    pub(super) fn ty(&self) -> Type {
        let drawn = &self.drawn;
        let function = quote!(::stairway::__private::contract::DrawnFunction<#drawn>);
        if self.is_option { parse_quote!(::core::option::Option<#function>) } else { parse_quote!(#function) }
    }

    /// Whether it is passed as an `fn`.
    pub(super) fn is_pointer(&self) -> bool {
        self.passing == Passing::Pointer
    }

    /// Whether it is passed by reference.
    pub(super) fn is_lent(&self) -> bool {
        matches!(self.passing, Passing::Reference | Passing::Mutable)
    }

    /// How it is shown, and whether that is Rust source, as expressions.
    pub(super) fn shown(&self) -> (TokenStream, TokenStream) {
        let taken = self.arguments.iter().map(|argument| match argument.by {
            By::Value => quote!(Value),
            By::Reference => quote!(Reference),
            By::Borrowed => quote!(Borrowed),
            By::Mutable => quote!(Mutable),
        });
        let n_changed = self.arguments.iter().filter(|a| a.by == By::Mutable).count();
        let parts = (0..=n_changed).map(|k| {
            let k = syn::Index::from(k);
            quote!(::stairway::__private::show!(&drawn.#k))
        });
        let around = match &self.passing {
            Passing::Value | Passing::Pointer => String::new(),
            Passing::Reference => "&".to_string(),
            Passing::Mutable => "&mut ".to_string(),
            Passing::Inside(name) => format!("{name}::new("),
        };
        let none = self.none();
        let shown = quote! {
            |value| ::stairway::__private::contract::function_source(
                value,
                (&[#(::stairway::__private::contract::By::#taken),*], #around, #none),
                |drawn| ::std::vec![#(#parts),*],
            )
        };
        let drawn = match &self.drawn {
            Type::Tuple(drawn) => drawn.elems.iter().collect(),
            other => vec![other],
        };
        let types = self.arguments.iter().filter(|a| a.by != By::Borrowed).map(|a| &a.ty);
        let types = drawn.into_iter().chain(types);
        let source = quote!(true #(&& ::stairway::__private::is_source!(#types))*);
        (shown, source)
    }

    /// How a test writes that there is none.
    fn none(&self) -> String {
        if !self.is_option {
            return String::new();
        }
        let plain = |ty: &Type| crate::source_text::plain(ty.to_token_stream());
        match &self.passing {
            Passing::Value => {
                let arguments: Vec<String> = self
                    .arguments
                    .iter()
                    .map(|argument| match argument.by {
                        By::Value | By::Borrowed => plain(&argument.ty),
                        By::Reference => format!("&{}", plain(&argument.ty)),
                        By::Mutable => format!("&mut {}", plain(&argument.ty)),
                    })
                    .collect();
                let Type::Tuple(drawn) = &self.drawn else { return "None".to_string() };
                let output = drawn.elems.first().map(plain).unwrap_or_default();
                format!("None::<fn({}) -> {output}>", arguments.join(", "))
            }
            _ => "None".to_string(),
        }
    }

    /// The function as the parameter takes it, around what `slot` holds: statements before the call, and the
    /// argument.
    pub(super) fn passed(&self, slot: &Ident, site: &str) -> (TokenStream, TokenStream) {
        let function = hidden("__function");
        let closure = self.closure(&function, site);
        let around = |closure: TokenStream| match &self.passing {
            Passing::Value | Passing::Pointer => closure,
            Passing::Reference => quote!(&#closure),
            Passing::Mutable => quote!(&mut #closure),
            Passing::Inside(name) => match name.to_string().as_str() {
                "Rc" => quote!(::std::rc::Rc::new(#closure)),
                "Arc" => quote!(::std::sync::Arc::new(#closure)),
                _ => quote!(::std::boxed::Box::new(#closure)),
            },
        };
        if !self.is_option {
            let passed = around(quote!({ let #function = #slot.function().clone(); #closure }));
            return (TokenStream::new(), passed);
        }
        let some = quote!(::core::option::Option::Some);
        let none = quote!(::core::option::Option::None => ::core::option::Option::None);
        if !self.is_lent() {
            let closure = around(closure);
            let passed =
                quote!(match #slot.function().clone() { #some(#function) => #some(#closure), #none });
            return (TokenStream::new(), passed);
        }
        // What is lent stays where it is while the call is made.
        let made = Ident::new(&format!("{slot}_made"), slot.span());
        let statement = quote!(let mut #made = match #slot.function().clone() { #some(#function) => #some(#closure), #none };);
        let sign = if self.passing == Passing::Mutable { quote!(&mut) } else { quote!(&) };
        (statement, quote!(match #sign #made { #some(#function) => #some(#function), #none }))
    }

    fn closure(&self, function: &Ident, site: &str) -> TokenStream {
        let names: Vec<Ident> = (0..self.arguments.len()).map(|k| hidden(&format!("__given_{k}"))).collect();
        let both = || self.arguments.iter().zip(&names);
        let texts = both().map(|(argument, name)| match argument.by {
            By::Value | By::Borrowed => quote!(::stairway::__private::show!(&#name)),
            By::Reference => quote!(::stairway::__private::show!(#name)),
            By::Mutable => quote!(::stairway::__private::show!(&*#name)),
        });
        let texts = quote!(::stairway::__private::contract::arguments_of(|| ::std::vec![#(#texts),*]));
        let changed: Vec<&Ident> =
            both().filter(|(a, _)| a.by == By::Mutable).map(|(_, name)| name).collect();
        let values: Vec<Ident> = (0..changed.len()).map(|k| hidden(&format!("__left_{k}"))).collect();
        let (result, drawn) = (hidden("__given"), &self.drawn);
        let ask = match self.passing {
            Passing::Pointer => {
                quote!(::stairway::__private::contract::call_pointer::<#drawn>(#site, #texts))
            }
            _ => quote!(#function.call(#texts)),
        };
        let body = quote! {
            let (#result, #(#values,)*): #drawn = #ask;
            #(*#changed = #values;)*
            #result
        };
        match self.passing {
            // The one that stands behind it was settled when it was drawn.
            Passing::Pointer => quote! {
                { let _ = #function; |#(#names),*| { #body } }
            },
            // Where a closure stands alone, its types have to be said.
            _ if self.is_option => {
                let types = self.arguments.iter().map(|argument| &argument.written);
                quote!(move |#(#names: #types),*| { #body })
            }
            _ => quote!(move |#(#names),*| { #body }),
        }
    }
}

impl Argument {
    fn of(written: Type) -> Self {
        match written.clone() {
            Type::Reference(reference) if reference.mutability.is_some() => {
                Argument { ty: *reference.elem, written, by: By::Mutable }
            }
            Type::Reference(reference) if !is_unsized(&reference.elem) => {
                Argument { ty: *reference.elem, written, by: By::Reference }
            }
            ty if borrows(&ty.to_token_stream()) => Argument { ty, written, by: By::Borrowed },
            ty => Argument { ty, written, by: By::Value },
        }
    }
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) | Type::TraitObject(_) => true,
        Type::Path(path) => path.path.is_ident("str"),
        Type::Paren(inner) => is_unsized(&inner.elem),
        _ => false,
    }
}

/// Whether all that a function leaves open is which functions it is given.
pub(super) fn is_open_only_in(generics: &Generics, is_function: impl Fn(&Ident) -> bool) -> bool {
    generics.params.iter().all(|parameter| match parameter {
        GenericParam::Lifetime(_) => true,
        GenericParam::Type(ty) => is_function(&ty.ident),
        GenericParam::Const(_) => false,
    })
}
