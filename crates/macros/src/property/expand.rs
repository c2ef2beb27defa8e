//! Expands a property into its test: the user's function, moved into a `#[test]` that hands it and a
//! description of it to the runner. Names that the user did not write are hygienic.

use super::example::{self, Example};
use super::{Borrow, Draw, Parameter, Property, is_str};
use crate::{attributes, executor, token_ranges};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::{Expr, GenericArgument, Path, PathArguments, ReturnType, Type, Visibility};

/// The `#[test]`.
pub(super) fn expand(property: &Property) -> TokenStream {
    let Property { attributes, visibility, name, .. } = property;
    let title = name.unraw().to_string();
    let helper = property.names_generators().then(attributes::drawn_from_helper);
    let function = function(property);
    let settings = settings(property);
    let source = source(property, &title, None);
    let examples = examples(property);
    let run = run(property);
    // What is public may be named elsewhere than in tests: a fuzz target does.
    let test = match visibility {
        Visibility::Public(_) => quote!(#[cfg_attr(test, test)]),
        _ => quote!(#[test]),
    };
    quote! {
        #test
        #(#attributes)*
        #visibility fn #name() {
            #helper
            #function
            ::stairway::__private::Property::new(::core::concat!(::core::module_path!(), "::", #title))
                .settings(#settings)
                .source(#source)
                #examples
                .run(#run);
        }
    }
}

impl Property {
    pub(crate) fn names_generators(&self) -> bool {
        let names = |p: &Parameter| p.draw.as_ref().is_some_and(|draw| draw.generator.is_some());
        self.parameters.iter().any(names)
    }

    /// The user's name for the case, if it has one.
    fn own_case(&self) -> Option<&Ident> {
        self.parameters.iter().find(|p| p.draw.is_none()).map(|p| &p.name)
    }
}

/// A local name that no name of the user's can meet.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The name of the case where the user gave it none.
pub(crate) const CASE: &str = "__case";

fn case() -> Ident {
    hidden(CASE)
}

/// The user's function, which receives the case as well.
pub(crate) fn function(property: &Property) -> TokenStream {
    let name = hidden("__property");
    let case = case();
    let asyncness = property.is_async.then(|| quote!(async));
    let extra = property.own_case().is_none().then(|| quote!(#case: &mut ::stairway::Case<'_>,));
    let parameters = property.parameters.iter().map(|parameter| {
        let Parameter { attributes, mutability, name, ty, .. } = parameter;
        quote!(#(#attributes)* #mutability #name: #ty)
    });
    let Property { fn_token, output, .. } = property;
    let mut list = TokenStream::new();
    property.parentheses.surround(&mut list, |list| list.extend(quote!(#extra #(#parameters),*)));
    let body = property.body.about(property.own_case().unwrap_or(&case));
    // Owned and unread arguments, async without await: the shape is the macro's, not the user's.
    quote! {
        #[allow(
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::unnecessary_wraps,
            clippy::unused_async,
            clippy::used_underscore_binding
        )]
        #asyncness #fn_token #name #list #output #body
    }
}

pub(crate) fn settings(property: &Property) -> TokenStream {
    let calls = property.options.settings.iter().map(|(name, value)| quote!(.#name(#value)));
    // What is meant to fail is no failure to remember.
    let is_meant_to_fail = property.attributes.iter().any(|a| a.path().is_ident("should_panic"));
    let forgotten = is_meant_to_fail.then(|| quote!(.without_regressions()));
    quote!(::stairway::Settings::new() #(#calls)* #forgotten)
}

pub(crate) fn source(property: &Property, title: &str, several: Option<&str>) -> TokenStream {
    let parameters = property.parameters.iter().filter(|p| p.draw.is_some()).map(|p| {
        let name = if p.mutability.is_some() { format!("mut {}", p.name) } else { p.name.to_string() };
        parameter_source(&name, &p.ty, &text(&p.ty), &[])
    });
    let types = property.parameters.iter().filter(|p| p.draw.is_some()).map(|p| &p.ty);
    let lines = property.body.lines();
    // Without what only Stairway can supply, the body is a test of its own.
    let stands_alone = !property.is_async
        && property.options.executor.is_none()
        && property.own_case().is_none()
        && lines.is_some();
    let body = lines.unwrap_or_default();
    let is_expression = match &body[..] {
        [only] => syn::parse_str::<Expr>(only).is_ok_and(|read| !returns_early(&read)),
        _ => false,
    };
    // The text of a refinement asserts by itself.
    let returns = match several {
        None => returns(&property.output),
        Some(_) => quote!(::stairway::__private::Returns::Nothing),
    };
    let several = several.map(token_ranges::lines_between_braces).unwrap_or_default();
    quote! {
        ::stairway::__private::Source {
            name: #title,
            parameters: &[#(#parameters),*],
            returns: #returns,
            body: &[#(#body),*],
            is_expression: #is_expression,
            several: &[#(#several),*],
            stands_alone: #stands_alone,
            is_pasteable: true #(&& ::stairway::__private::is_source!(#types))*,
        }
    }
}

/// A drawn parameter as a printed test binds it; `inside` are names that mean nothing there.
pub(crate) fn parameter_source(name: &str, ty: &Type, text: &str, inside: &[Ident]) -> TokenStream {
    let (lending, imports) = (lending(ty), imports_source(ty, inside));
    quote! {
        ::stairway::__private::call_source::Parameter {
            name: #name, ty: #text, lending: #lending, imports: #imports,
        }
    }
}

/// The paths by which a type names others, for a printed test.
pub(crate) fn imports_source(ty: &Type, inside: &[Ident]) -> TokenStream {
    let paths = imports([ty], inside).into_iter().map(|path| text(&path));
    quote!(&[#(#paths),*])
}

/// How an owned value is lent to a parameter of this type.
pub(crate) fn lending(ty: &Type) -> TokenStream {
    let lending = match ty {
        Type::Reference(reference) if reference.mutability.is_some() => quote!(Mutable),
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(_) => quote!(Slice),
            elem if is_str(elem) => quote!(Text),
            _ => quote!(Shared),
        },
        _ => quote!(Owned),
    };
    quote!(::stairway::__private::call_source::Lending::#lending)
}

/// What a property returns, as far as it matters to a printed test.
fn returns(output: &ReturnType) -> TokenStream {
    let returns = match output {
        ReturnType::Default => quote!(Nothing),
        ReturnType::Type(_, ty) => match &**ty {
            Type::Tuple(unit) if unit.elems.is_empty() => quote!(Nothing),
            Type::Never(_) => quote!(Nothing),
            Type::Path(path) if path.path.is_ident("bool") => quote!(Truth),
            ty => {
                let text = text(ty);
                if is_result_of_nothing(ty) { quote!(Result(#text)) } else { quote!(Value(#text)) }
            }
        },
    };
    quote!(::stairway::__private::Returns::#returns)
}

/// Whether a type is written as a `Result` with `()` inside, which a test may return.
fn is_result_of_nothing(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last().filter(|last| last.ident == "Result") else { return false };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    let first = arguments.args.first();
    matches!(first, Some(GenericArgument::Type(Type::Tuple(unit))) if unit.elems.is_empty())
}

/// The paths by which types name others, but for those that begin with one of the names `inside`. Values are
/// written with the last name alone, so a printed test and an example have to import it.
fn imports<'t>(types: impl IntoIterator<Item = &'t Type>, inside: &[Ident]) -> Vec<Path> {
    struct Paths<'i>(Vec<Path>, &'i [Ident]);
    impl<'t> Visit<'t> for Paths<'_> {
        fn visit_type_path(&mut self, ty: &'t syn::TypePath) {
            let segments = &ty.path.segments;
            let is_plain = segments.iter().rev().skip(1).all(|segment| segment.arguments.is_none());
            let is_known = segments.first().is_some_and(|first| {
                ["std", "core", "alloc", "Self"].iter().any(|name| first.ident == name)
                    || self.1.contains(&first.ident)
            });
            if ty.qself.is_none() && segments.len() > 1 && is_plain && !is_known {
                let mut path = ty.path.clone();
                path.segments.iter_mut().for_each(|segment| segment.arguments = PathArguments::None);
                self.0.push(path);
            }
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut found = Paths(Vec::new(), inside);
    types.into_iter().for_each(|ty| found.visit_type(ty));
    found.0
}

/// What the examples of a property import: each name once, and none that two types share or that a type has
/// without a path.
fn imports_of_examples(property: &Property) -> Vec<Path> {
    struct Bare(Vec<Ident>);
    impl<'t> Visit<'t> for Bare {
        fn visit_type_path(&mut self, ty: &'t syn::TypePath) {
            if let [only] = &*ty.path.segments.iter().collect::<Vec<_>>() {
                self.0.push(only.ident.clone());
            }
            syn::visit::visit_type_path(self, ty);
        }
    }
    let mut bare = Bare(Vec::new());
    let drawn = || property.parameters.iter().filter(|p| p.draw.is_some());
    drawn().for_each(|p| bare.visit_type(&p.ty));
    let mut paths: Vec<Path> = Vec::new();
    for path in imports(drawn().map(|p| &p.ty), &[]) {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let last = |path: &Path| path.segments.last().map(|segment| segment.ident.clone());
    let names: Vec<Option<Ident>> = paths.iter().map(last).collect();
    paths.retain(|path| names.iter().filter(|name| **name == last(path)).count() == 1);
    paths.retain(|path| !last(path).is_some_and(|name| bare.0.contains(&name)));
    paths
}

/// Whether there is a `return` that does not belong to a function or closure within.
fn returns_early(expression: &Expr) -> bool {
    #[derive(Default)]
    struct Returns(bool);
    impl<'e> Visit<'e> for Returns {
        fn visit_expr_return(&mut self, _: &'e syn::ExprReturn) {
            self.0 = true;
        }
        fn visit_expr_closure(&mut self, _: &'e syn::ExprClosure) {}
        fn visit_expr_async(&mut self, _: &'e syn::ExprAsync) {}
        fn visit_item(&mut self, _: &'e syn::Item) {}
    }
    let mut returns = Returns::default();
    returns.visit_expr(expression);
    returns.0
}

/// A type as a person would write it.
pub(crate) fn text(ty: &impl ToTokens) -> String {
    let spaced = ty.to_token_stream().to_string();
    let mut text = String::with_capacity(spaced.len());
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let mut characters = spaced.chars().peekable();
    while let Some(c) = characters.next() {
        let before = text.chars().next_back();
        let after = characters.peek().copied();
        let keeps = match (before, after) {
            (Some(before), Some(after)) => {
                (is_word(before) && (is_word(after) || after == '['))
                    || matches!(before, ',' | ';' | '+' | '=')
                    || text.ends_with("->")
                    || matches!(after, '+' | '=' | '-')
            }
            _ => false,
        };
        if c != ' ' || keeps {
            text.push(c);
        }
    }
    text
}

/// The closure that draws the arguments and calls the function.
pub(crate) fn run(property: &Property) -> TokenStream {
    let case = case();
    let drawn = property.parameters.iter().filter_map(|p| p.draw.as_ref().map(|how| draw(&p.name, how)));
    let arguments = property.parameters.iter().map(|parameter| match &parameter.draw {
        None => case.to_token_stream(),
        Some(draw) => draw.borrow.of(&parameter.name),
    });
    let conclusion = conclusion(property, arguments);
    quote! {
        |#case: &mut ::stairway::Case<'_>| -> ::stairway::Checked {
            #(#drawn)*
            #conclusion
        }
    }
}

/// Draws an argument of a case.
pub(crate) fn draw(name: &Ident, how: &Draw) -> TokenStream {
    let Draw { owned, borrow, generator, is_text, is_slice } = how;
    let as_text = is_text.then(|| quote!(.as_str()));
    let place = attributes::place_of(owned, generator.as_ref());
    let case = Ident::new(CASE, place);
    let mutability = borrow.binding();
    let title = name.to_string();
    let generator = attributes::generator_of(owned, generator.as_ref());
    let show = quote!(|value| ::stairway::__private::show!(value #as_text));
    let draw = match is_slice {
        // A test that is printed need not own what it lends.
        true => quote_spanned! {place=>
            #case.argument_with(#title, #generator, #show, |value| {
                ::stairway::__private::call_source::lent(::stairway::__private::lend!(value))
            })?
        },
        false => quote_spanned!(place=> #case.argument(#title, #generator, #show)?),
    };
    quote_spanned!(place=> let #mutability #name: #owned = #draw;)
}

impl Borrow {
    /// How `name` is passed.
    pub(crate) fn of(self, name: &Ident) -> TokenStream {
        match self {
            Borrow::None => quote!(#name),
            Borrow::Shared => quote!(&#name),
            Borrow::Mutable => quote!(&mut #name),
        }
    }

    /// What a binding needs so that it can be lent.
    pub(crate) fn binding(self) -> Option<TokenStream> {
        matches!(self, Borrow::Mutable).then(|| quote!(mut))
    }
}

/// Calls the function and ends the case with what it gives.
fn conclusion(property: &Property, arguments: impl Iterator<Item = TokenStream>) -> TokenStream {
    let (case, function, result) = (case(), hidden("__property"), hidden("__result"));
    let extra = property.own_case().is_none().then(|| quote!(#case,));
    let call = quote!(#function(#extra #(#arguments),*));
    let call = match (&property.options.executor, property.is_async) {
        (None, false) => call,
        (None, true) => quote!(::stairway::__private::block_on(#call)),
        (Some(path), false) => quote!(#path(|| #call)),
        (Some(path), true) => executor::limited(path, &call),
    };
    let is_partial = property.options.is_partial;
    quote! {
        let #result = #call;
        let #result = ::stairway::__private::Testable::checked_in(#result, #case, #is_partial);
        #case.conclude(#result)
    }
}

/// The examples, if there are any: an empty list would have no type of its own.
fn examples(property: &Property) -> Option<TokenStream> {
    let examples = examples_of(property);
    (!property.examples.is_empty()).then(|| quote!(.examples(&[#(#examples),*])))
}

/// One closure for each example.
pub(crate) fn examples_of(property: &Property) -> impl Iterator<Item = TokenStream> {
    property.examples.iter().map(|example| run_example(property, example))
}

/// The closure that calls the function with an example's values.
fn run_example(property: &Property, example: &Example) -> TokenStream {
    let case = case();
    let mut values = example.values.iter();
    let (mut given, mut arguments) = (Vec::new(), Vec::new());
    for parameter in &property.parameters {
        let name = &parameter.name;
        match (&parameter.draw, values.as_slice()) {
            (Some(Draw { owned, borrow, .. }), [value, ..]) => {
                values.next();
                let is_lent = matches!(borrow, Borrow::None) || !example::is_reference(value);
                let (ty, borrow) = if is_lent { (owned, *borrow) } else { (&parameter.ty, Borrow::None) };
                given.push(give(name, ty, borrow, value));
                arguments.push(borrow.of(name));
            }
            _ => arguments.push(case.to_token_stream()),
        }
    }
    let conclusion = conclusion(property, arguments.into_iter());
    let imports = imports_of_examples(property);
    quote! {
        |#case: &mut ::stairway::Case<'_>| -> ::stairway::Checked {
            #(#[allow(unused_imports)] use #imports;)*
            #(#given)*
            #case.checkpoint();
            #conclusion
        }
    }
}

fn give(name: &Ident, ty: &Type, borrow: Borrow, value: &Expr) -> TokenStream {
    let case = case();
    let mutability = borrow.binding();
    let title = name.to_string();
    quote! {
        let #mutability #name: #ty = #value;
        #case.given(#title, || ::stairway::__private::show!(&#name));
    }
}
