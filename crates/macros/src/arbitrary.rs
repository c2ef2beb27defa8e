//! `#[derive(Arbitrary)]`: how a value of the user's type is made from choices.
//!
//! Derives an implementation that draws one field after the other. Which variants may recur is guessed from
//! the names in their fields' types, because a macro does not know types: a wrong guess costs balance, never
//! correctness.

use crate::attributes::{self, Problems};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::{Data, DataEnum, DeriveInput, Error, Expr, Fields, Generics, Result, Type};

/// Names of types that hold further values of unknown number or by way of a pointer.
const CONTAINERS: [&str; 7] = ["Box", "Rc", "Arc", "Vec", "VecDeque", "HashMap", "BTreeMap"];

/// The implementation, or what is wrong with the type.
pub(crate) fn derive(item: TokenStream) -> TokenStream {
    syn::parse2(item)
        .and_then(|input| diagnose(&input))
        .map_or_else(Error::into_compile_error, |made| expand(&made))
}

/// A type that can be made.
struct DerivedType {
    name: Ident,
    generics: Generics,
    shape: Shape,
}

enum Shape {
    Struct(Constructor),
    Enum(Vec<Variant>),
}

/// A way to build a value: the fields, and a generator for those that name one.
struct Constructor {
    fields: Fields,
    generators: Vec<Option<Expr>>,
}

struct Variant {
    name: Ident,
    weight: Option<u32>,
    /// Whether a value of this variant may hold further values of the type.
    is_branch: bool,
    constructor: Constructor,
}

fn diagnose(input: &DeriveInput) -> Result<DerivedType> {
    let mut problems = Problems::default();
    attributes::refuse(&mut problems, &input.attrs, "from", "a field");
    attributes::refuse(&mut problems, &input.attrs, "weight", "a variant of an enum");
    let shape = match &input.data {
        Data::Struct(data) => Shape::Struct(constructor(&mut problems, &data.fields)),
        Data::Enum(data) if !data.variants.is_empty() => {
            Shape::Enum(variants(&mut problems, &input.ident, data))
        }
        Data::Enum(_) => {
            return Err(Error::new_spanned(
                &input.ident,
                "an enum without variants has no values to make: `Arbitrary` cannot be derived for it",
            ));
        }
        Data::Union(data) => {
            return Err(Error::new_spanned(
                data.union_token,
                "`Arbitrary` cannot be derived for a union, whose valid fields only you know: \
                 implement it by hand",
            ));
        }
    };
    problems.finish()?;
    Ok(DerivedType { name: input.ident.clone(), generics: input.generics.clone(), shape })
}

fn constructor(problems: &mut Problems, fields: &Fields) -> Constructor {
    let mut generators = Vec::new();
    for field in fields {
        attributes::refuse(problems, &field.attrs, "weight", "a variant of an enum");
        let ours: Vec<_> = field.attrs.iter().filter(|a| !attributes::is_foreign(a)).cloned().collect();
        generators.push(problems.value(attributes::generator(&ours)).flatten());
    }
    Constructor { fields: fields.clone(), generators }
}

fn variants(problems: &mut Problems, own: &Ident, data: &DataEnum) -> Vec<Variant> {
    let mut made = Vec::new();
    for variant in &data.variants {
        attributes::refuse(problems, &variant.attrs, "from", "a field");
        made.push(Variant {
            name: variant.ident.clone(),
            weight: problems.value(attributes::weight(&variant.attrs)).flatten(),
            is_branch: variant.fields.iter().any(|field| may_recur(own, &field.ty)),
            constructor: constructor(problems, &variant.fields),
        });
    }
    if made.iter().all(|variant| variant.weight == Some(0)) {
        problems.at(own, "every variant has weight 0, so none can be made: give one a larger `#[weight(n)]`");
    }
    made
}

/// Whether the type mentions the type itself or a container.
fn may_recur(own: &Ident, ty: &Type) -> bool {
    fn mentions(own: &Ident, tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(name) => {
                name == *own || name == "Self" || CONTAINERS.iter().any(|container| name == container)
            }
            TokenTree::Group(group) => mentions(own, group.stream()),
            _ => false,
        })
    }
    mentions(own, ty.to_token_stream())
}

fn expand(made: &DerivedType) -> TokenStream {
    let DerivedType { name, generics, shape } = made;
    let generics = attributes::bounded(generics, &quote!(::stairway::Arbitrary));
    let (of_impl, of_type, bounds) = generics.split_for_impl();
    let choices = Ident::new("choices", Span::mixed_site());
    let helper = shape.names_generators().then(attributes::drawn_from_helper);
    let (value, is_single) = match shape {
        Shape::Struct(constructor) => (structure(constructor, &choices), is_newtype_single(constructor)),
        Shape::Enum(variants) => (enumeration(variants, &choices), is_enum_single(variants)),
    };
    quote! {
        #[automatically_derived]
        impl #of_impl ::stairway::Arbitrary for #name #of_type #bounds {
            fn arbitrary(#choices: &mut ::stairway::Draw<'_>) -> ::stairway::Checked<Self> {
                #helper
                #value
            }
            #is_single
        }
    }
}

impl Shape {
    fn names_generators(&self) -> bool {
        let names = |constructor: &Constructor| constructor.generators.iter().any(Option::is_some);
        match self {
            Shape::Struct(constructor) => names(constructor),
            Shape::Enum(variants) => variants.iter().any(|variant| names(&variant.constructor)),
        }
    }
}

impl Constructor {
    /// The type of the only field, if that is drawn by its type.
    fn newtype(&self) -> Option<&Type> {
        let mut fields = self.fields.iter();
        match (fields.next(), fields.next(), self.generators.as_slice()) {
            (Some(only), None, [None]) => Some(&only.ty),
            _ => None,
        }
    }

    /// `path` applied to `values`, one for each field.
    fn build(&self, path: &TokenStream, values: &[TokenStream]) -> TokenStream {
        match &self.fields {
            Fields::Named(fields) => {
                let names = fields.named.iter().map(|field| &field.ident);
                quote!(#path { #(#names: #values),* })
            }
            Fields::Unnamed(_) => quote!(#path(#(#values),*)),
            Fields::Unit => path.clone(),
        }
    }

    /// `path` applied to fields that are drawn in their order.
    fn draw(&self, path: &TokenStream, choices: &Ident) -> TokenStream {
        let draw_one = |(field, generator): (&syn::Field, &Option<Expr>)| {
            let place = attributes::place_of(&field.ty, generator.as_ref());
            let generator = attributes::generator_of(&field.ty, generator.as_ref());
            let choices = Ident::new(&choices.to_string(), place);
            quote_spanned!(place=> #choices.draw(#generator)?)
        };
        let values: Vec<_> = self.fields.iter().zip(&self.generators).map(draw_one).collect();
        self.build(path, &values)
    }
}

/// A newtype is made in its field's place, without a span of its own: it may be a single choice.
fn structure(constructor: &Constructor, choices: &Ident) -> TokenStream {
    let value = match constructor.newtype() {
        Some(ty) => {
            let inner = quote!(<#ty as ::stairway::Arbitrary>::arbitrary(#choices)?);
            constructor.build(&quote!(Self), &[inner])
        }
        None => constructor.draw(&quote!(Self), choices),
    };
    let unused = constructor.fields.is_empty().then(|| quote!(let _ = #choices;));
    quote!(#unused ::core::result::Result::Ok(#value))
}

fn is_newtype_single(constructor: &Constructor) -> Option<TokenStream> {
    let ty = constructor.newtype()?;
    Some(is_single(&quote!(<#ty as ::stairway::Arbitrary>::is_single())))
}

/// Fieldless variants take the one choice between them; a lone variant takes none.
fn is_enum_single(variants: &[Variant]) -> Option<TokenStream> {
    let fieldless = variants.iter().all(|variant| variant.constructor.fields.is_empty());
    (fieldless && variants.len() > 1).then(|| is_single(&quote!(true)))
}

fn is_single(value: &TokenStream) -> TokenStream {
    quote! {
        fn is_single() -> bool {
            #value
        }
    }
}

fn enumeration(variants: &[Variant], choices: &Ident) -> TokenStream {
    let is_recursive = variants.iter().any(|variant| variant.is_branch);
    let is_weighted = variants.iter().any(|variant| variant.weight.is_some());
    match variants {
        [only] => lone_variant(only, choices),
        _ if is_weighted && is_recursive => weighted_recursive(variants, choices),
        _ if is_weighted => {
            let weights = variants.iter().map(Variant::weight_or_1);
            choose(variants.iter(), &quote!(#choices.weighted(&[#(#weights),*], __NAMES)), choices)
        }
        _ if is_recursive => leaves_first(variants, choices),
        _ => {
            let n = variants.len() as u64;
            choose(variants.iter(), &quote!(#choices.named_alternative(#n, __NAMES)), choices)
        }
    }
}

impl Variant {
    fn path(&self) -> TokenStream {
        let name = &self.name;
        quote!(Self::#name)
    }

    fn weight_or_1(&self) -> u32 {
        self.weight.unwrap_or(1)
    }

    fn weight_as_leaf(&self) -> u32 {
        if self.is_branch { 0 } else { self.weight_or_1() }
    }
}

fn lone_variant(variant: &Variant, choices: &Ident) -> TokenStream {
    let value = variant.constructor.draw(&variant.path(), choices);
    let unused = variant.constructor.fields.is_empty().then(|| quote!(let _ = #choices;));
    quote!(#unused ::core::result::Result::Ok(#value))
}

/// The stream balances recursive types itself if it knows which variants end the recursion.
fn leaves_first(variants: &[Variant], choices: &Ident) -> TokenStream {
    let (branches, leaves): (Vec<_>, Vec<_>) = variants.iter().partition(|variant| variant.is_branch);
    let n_leaves = leaves.len() as u64;
    let ordered = leaves.into_iter().chain(branches);
    choose(ordered, &quote!(#choices.variant(__NAMES, #n_leaves)), choices)
}

/// With weights the user balances; only the end of the recursion is still ours, at the depth at
/// which `Draw::variant` sets it.
fn weighted_recursive(variants: &[Variant], choices: &Ident) -> TokenStream {
    let weights: Vec<u32> = variants.iter().map(Variant::weight_or_1).collect();
    let of_leaves: Vec<u32> = variants.iter().map(Variant::weight_as_leaf).collect();
    if of_leaves.iter().all(|&weight| weight == 0) {
        return choose(variants.iter(), &quote!(#choices.weighted(&[#(#weights),*], __NAMES)), choices);
    }
    let leaves_only = Ident::new("leaves_only", Span::mixed_site());
    let weights_now = quote!(if #leaves_only { &[#(#of_leaves),*] } else { &[#(#weights),*] });
    let choice = choose(variants.iter(), &quote!(#choices.weighted(#weights_now, __NAMES)), choices);
    quote! {
        let #leaves_only = #choices.is_deep();
        #choice
    }
}

/// Makes the variant whose place among `ordered` is what `index` gives.
fn choose<'v>(
    ordered: impl Iterator<Item = &'v Variant>,
    index: &TokenStream,
    choices: &Ident,
) -> TokenStream {
    let ordered: Vec<&Variant> = ordered.collect();
    let names = ordered.iter().map(|variant| variant.name.to_string());
    let values: Vec<_> =
        ordered.iter().map(|variant| variant.constructor.draw(&variant.path(), choices)).collect();
    let (last, others) = values.split_last().expect("an enum without variants has been refused");
    let places = (0..others.len()).map(proc_macro2::Literal::usize_unsuffixed);
    quote! {
        const __NAMES: &[&str] = &[#(#names),*];
        ::core::result::Result::Ok(match #index {
            #(#places => #others,)*
            _ => #last,
        })
    }
}

#[cfg(test)]
mod tests;
