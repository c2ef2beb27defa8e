//! One operation's step: its arguments are drawn, the system's side is done, then the model's.
//!
//! Operations arrive here without mistakes; each becomes a block of statements. Names that the user did not
//! write are hygienic; errors that rustc finds in the statements are shown at the operation.

use super::{Answer, Kind, Model, Op, Parameter, call_source, ensures};
use crate::attributes;
use crate::executor;
use crate::property::expand::hidden;
use crate::property::{Borrow, Draw};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// A hygienic name that belongs to one parameter.
fn of(prefix: &str, name: &Ident) -> Ident {
    format_ident!("__{prefix}_{}", name.unraw(), span = attributes::beside(name.span()))
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string()
}

/// The step, as the body of a closure.
pub(crate) fn step(op: &Op, model: &Model) -> TokenStream {
    let (running, step, got) = (hidden("__running"), hidden("__step"), hidden("__got"));
    let draws = op.parameters.iter().map(|parameter| draw(op, parameter));
    let refusal = refusal(op);
    let refused = quote!(::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused));
    let overlaps = overlaps(op, &refused);
    let panics = panics(op, model);
    let told = op.parameters.iter().any(Parameter::tells_of_results).then(|| {
        let ordinal = hidden("__ordinal");
        quote!(let #ordinal = #step.ordinal();)
    });
    let reference = op.result().map(|result| {
        let (ordinal, reference, ty) = (hidden("__ordinal"), hidden("__reference"), &result.ty);
        // What is shown of the answer is the name of the result, unless the answer holds it among other things.
        let is_all =
            !op.answers_with_result() || matches!(&op.answer, Answer::Equal(answer) if **answer == *ty);
        let named = is_all.then(|| quote!(::stairway::__private::show_name(#step);));
        quote! {
            let #ordinal = #step.ordinal();
            let #reference = <#ty>::of_step(#ordinal);
            #running.reserve(#reference);
            #named
        }
    });
    let reference = quote!(#told #reference);
    if op.is_only_compared() {
        let (shown, answer, model_name) = (shown(op), answer(op), hidden("__model"));
        let (noted, withdrawn) = withdrawn(op).unzip();
        let (said, stepped) = (hidden("__said"), hidden("__stepped"));
        let answer = match noted {
            Some(note) => quote!({ let #said = #answer; #note #said }),
            None => answer,
        };
        let whole = call_source::whole(op, model, &call(op), (&shown, &quote!(|#model_name| #answer)));
        let is_named = withdrawn.is_some().then(|| {
            let is_named = hidden("__is_named");
            quote!(let #is_named = ::core::cell::Cell::new(true);)
        });
        let whole = match withdrawn {
            Some(withdrawn) => quote!(let #stepped = { #whole }; #withdrawn #stepped),
            None => whole,
        };
        return quote! {
            #(#draws)*
            #refusal
            #overlaps
            #panics
            #reference
            #is_named
            #whole
        };
    }
    let call = call_source::around(
        op,
        model,
        &quote!(::stairway::__private::step_source::of_running(#step)),
        &call(op),
    );
    let retired = op.options.consumes.iter().map(|name| quote!(#running.retire(#name);));
    let told = op.is_told().then(|| {
        let told = hidden("__told");
        quote! {
            let ::core::option::Option::Some(#told) = #got.get() else {
                return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused);
            };
        }
    });
    let judged = judged(op);
    quote! {
        #(#draws)*
        #refusal
        #overlaps
        #panics
        #reference
        let #got = #call;
        #(#retired)*
        #told
        #judged
    }
}

/// Notes whether the model's answer names the result, where it may not, and takes the result back then: where
/// a model runs alone, nobody else knows.
fn withdrawn(op: &Op) -> Option<(TokenStream, TokenStream)> {
    let Answer::Equal(ty) = op.answers_with_result().then_some(&op.answer)? else { return None };
    result_in_laws(ty)?;
    let (running, reference, is_named) = (hidden("__running"), hidden("__reference"), hidden("__is_named"));
    let said = hidden("__said");
    let note = quote! {
        #is_named.set(::stairway::__private::NamesOne::reference(&#said).is_some());
    };
    let withdraw = quote! {
        if !#is_named.get() {
            #running.withdraw(#reference);
        }
    };
    Some((note, withdraw))
}

/// What is asked of the answer.
fn judged(op: &Op) -> TokenStream {
    let (running, step) = (hidden("__running"), hidden("__step"));
    let (got, model) = (hidden("__got"), hidden("__model"));
    let title = op.name.unraw().to_string();
    let answer = answer(op);
    let place = attributes::beside(op.name.span());
    let alike = quote!(::stairway::__private::shown!());
    if op.is_relation {
        let broken = ensures::closure(op);
        return quote_spanned!(place=> #running.relate(#step, #title, &#got, #alike, #broken));
    }
    match &op.answer {
        Answer::Allowed => quote_spanned! {place=>
            #running.explain(
                #step, #title, &#got, #alike,
                (|#model| #answer, |one: &Self, other: &Self| ::stairway::__private::same!(one, other)),
            )
        },
        Answer::Equal(_) | Answer::Unsaid => {
            let shown = shown(op);
            if op.ensures.is_empty() {
                return quote_spanned!(place=> #running.compare(#step, #title, &#got, #shown, |#model| #answer));
            }
            let broken = ensures::closure(op);
            quote_spanned! {place=>
                #running.compare_and(#step, #title, &#got, #shown, |#model| #answer, #broken)
            }
        }
    }
}

/// The operation as laws name it: with its arguments given, on one side. Operations that give several results,
/// or have several right answers, are for contexts only.
pub(crate) fn law(op: &Op, model_block: &Model) -> Option<TokenStream> {
    let system = &model_block.options.system;
    let gives_several = op.keeps_as().is_some_and(|ty| result_in_laws(ty).is_none());
    if gives_several || matches!(op.answer, Answer::Allowed) || op.is_relation || op.options.panics.is_some()
    {
        return None;
    }
    let (running, got, model) = (hidden("__running"), hidden("__got"), hidden("__model"));
    let (given, ordinal, told) = (hidden("__given"), hidden("__ordinal"), hidden("__told"));
    let name = super::expand::helper("law", &op.name);
    let parameters = op.parameters.iter().filter_map(|p| match &p.kind {
        Kind::Drawn(Draw { owned, .. }) => Some((&p.name, owned)),
        Kind::Reference(_) => Some((&p.name, &p.ty)),
        Kind::Result | Kind::Told => None,
    });
    let parameters = parameters.map(|(name, ty)| quote!(#name: #ty));
    let missing = op.references().map(|(name, _)| quote!(|| !#running.holds(#name)));
    let used_up = op.options.consumes.iter().map(|name| quote!(#running.use_up(#name);));
    let reference = op.result().map(|result| {
        let (reference, ty) = (hidden("__reference"), &result.ty);
        quote!(let #reference: #ty = #given.reference();)
    });
    let told = op.is_told().then(|| quote!(let #told = #got.as_ref()?;));
    let result = op.keeps_as().and_then(result_in_laws);
    let result = result.unwrap_or_else(|| quote!(::stairway::__private::NoResult));
    let possible = op.possible.as_ref().map(|_| {
        let helper = super::expand::helper("possible", &op.name);
        quote!(&& #model.#helper())
    });
    let accepts = op.accepts.as_ref().map(|(_, names)| {
        let helper = super::expand::helper("requires", &op.name);
        let arguments = op.parameters.iter().filter(|p| names.contains(&p.name)).map(for_the_model);
        quote!(&& #model.#helper(#(#arguments),*))
    });
    let system_name = Ident::new("system", Span::call_site());
    let when = op.options.when.as_ref().map(|when| quote!(|| !#running.allows(|#system_name| #when)));
    let code = hidden("__code");
    let call = call_source::around(op, model_block, &code.to_token_stream(), &call(op));
    let (shown, answer) = (shown(op), answer(op));
    let overlaps = overlaps(op, &quote!(::core::option::Option::None));
    let expected = op.keeps_as().map(|_| {
        quote! {
            let #ordinal = #given.step();
            #running.expect(#given);
        }
    });
    let (said, result_name) = (hidden("__said"), hidden("__result"));
    let named = match (op.keeps_as(), op.result()) {
        (None, _) => quote!(::stairway::__private::NoResult),
        (Some(_), Some(_)) => quote!(#running.named(#given, #got.as_ref(), #said.as_ref())),
        (Some(ty), None) => {
            quote!(#got.as_ref().and_then(<#ty as ::stairway::__private::NamesOne>::reference))
        }
    };
    Some(quote! {
        #[doc(hidden)]
        #[allow(dead_code, unreachable_pub, unused_mut, unused_variables, clippy::all, clippy::pedantic)]
        pub fn #name(
            #running: &mut ::stairway::__private::Side<Self, #system>,
            #code: ::core::option::Option<&mut ::stairway::__private::StepSource>,
            #given: ::stairway::__private::LawResult,
            #(#parameters),*
        ) -> ::core::option::Option<(::stairway::__private::Observation, #result)> {
            if !#running.accepts(|#model| true #possible #accepts) #when #(#missing)* {
                return ::core::option::Option::None;
            }
            #overlaps
            #reference
            #expected
            let #got = #call;
            #(#used_up)*
            let #said = {
                #told
                #running.follow(|#model| #answer)
            };
            let #result_name = #named;
            ::core::option::Option::Some((::stairway::__private::observed(#got, #said, #shown), #result_name))
        }
    })
}

/// The type of a result as one operation of a law passes it on to another, where there is one result.
pub(crate) fn result_in_laws(ty: &Type) -> Option<TokenStream> {
    super::method::names_one_reference(ty).then(
        || quote!(::core::option::Option<::stairway::Ref<<#ty as ::stairway::__private::NamesOne>::Of>>),
    )
}

/// The comparison at the end of a program.
pub(crate) fn end(op: &Op, model_block: &Model) -> TokenStream {
    let (running, case) = (hidden("__running"), hidden("__case"));
    let (got, model) = (hidden("__got"), hidden("__model"));
    let code = quote!(::stairway::__private::call_source::code_of_the_end(#case));
    let call = call_source::around(op, model_block, &code, &call(op));
    let (answer, shown) = (answer(op), shown(op));
    let title = op.name.unraw().to_string();
    let place = attributes::beside(op.name.span());
    let judged = quote_spanned!(place=> #running.conclude(#case, #title, &#got, #shown, |#model| #answer));
    quote! {
        let mut #running = #running;
        #running.end(#case, #title);
        let #got = #call;
        #judged
    }
}

/// How both answers are shown. The types stand here because nothing else says them early enough.
fn shown(op: &Op) -> TokenStream {
    let ty = match (&op.answer, op.result()) {
        (Answer::Equal(ty), Some(_)) if op.answers_with_result() => ty.to_token_stream(),
        (_, Some(result)) => result.ty.to_token_stream(),
        (Answer::Equal(ty), None) => ty.to_token_stream(),
        (Answer::Unsaid, None) => quote!(::stairway::__private::Anything),
        (Answer::Allowed, None) => return TokenStream::new(),
    };
    let place = attributes::beside(ty.span());
    quote_spanned!(place=> ::stairway::__private::shown!(#ty))
}

impl Parameter {
    fn is_oracle(&self) -> bool {
        matches!(&self.kind, Kind::Drawn(Draw { owned, .. }) if attributes::is_oracle(owned))
    }

    /// Whether the model is told of results that later steps may use.
    pub(super) fn tells_of_results(&self) -> bool {
        matches!(self.kind, Kind::Told) && super::method::names_reference(&self.ty)
    }
}

impl Op {
    /// Whether its step is done when both answers have been compared.
    fn is_only_compared(&self) -> bool {
        let is_equal = matches!(self.answer, Answer::Equal(_) | Answer::Unsaid) && !self.is_relation;
        is_equal && !self.is_told() && self.ensures.is_empty() && self.options.consumes.is_empty()
    }

    /// Whether the model is told what the system answered.
    fn is_told(&self) -> bool {
        self.parameters.iter().any(|p| matches!(p.kind, Kind::Told))
    }

    /// What decides for the environment while the operation is done, if it has such a parameter: the system is not
    /// passed it.
    pub(super) fn oracle(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.is_oracle())
    }

    /// The parameters that the system's method is passed.
    pub(super) fn passed(&self) -> impl Iterator<Item = &Parameter> {
        let is_passed =
            |p: &&Parameter| matches!(p.kind, Kind::Drawn(_) | Kind::Reference(_)) && !p.is_oracle();
        self.parameters.iter().filter(is_passed)
    }

    pub(super) fn result(&self) -> Option<&Parameter> {
        self.parameters.iter().find(|p| matches!(p.kind, Kind::Result))
    }

    fn awaited(&self, future: &TokenStream) -> TokenStream {
        self.options.executor.run(&quote!(Self::), future)
    }

    /// The type as which its answer is kept for later steps, if it is.
    fn keeps_as(&self) -> Option<&Type> {
        match (&self.answer, self.result()) {
            (Answer::Equal(ty), Some(_)) if super::method::names_reference(ty) => Some(ty),
            (_, Some(result)) => Some(&result.ty),
            (_, None) => self.parameters.iter().find(|p| p.tells_of_results()).map(|p| match &p.ty {
                Type::Reference(told) => &*told.elem,
                told => told,
            }),
        }
    }

    /// Whether the model says where in its answer the result is.
    fn answers_with_result(&self) -> bool {
        self.result().is_some()
            && matches!(&self.answer, Answer::Equal(ty) if super::method::names_reference(ty))
    }

    /// Whether the system may answer with something borrowed, where the model's answer is not.
    fn may_borrow(&self) -> bool {
        match &self.answer {
            Answer::Equal(ty) => {
                let is_owned = matches!(&text(ty)[..], "()" | "bool") || text(ty).contains('&');
                self.keeps_as().is_none() && !is_owned
            }
            // In laws nobody says what an answer is.
            Answer::Unsaid => self.options.unsaid && self.keeps_as().is_none() && !self.is_told(),
            Answer::Allowed => false,
        }
    }

    fn references(&self) -> impl Iterator<Item = (&Ident, &Type)> {
        self.parameters.iter().filter_map(|p| match &p.kind {
            Kind::Reference(of) => Some((&p.name, of)),
            _ => None,
        })
    }

    /// The references before `name` that may name the same result.
    fn before<'a>(&'a self, name: &'a Ident, of: &'a Type) -> impl Iterator<Item = &'a Ident> {
        let earlier = self.references().take_while(move |(other, _)| *other != name);
        let is_same = move |other: &Type| text(other) == text(of);
        earlier.filter(move |(_, other)| is_same(other)).map(|(other, _)| other)
    }

    pub(super) fn consumes(&self, name: &Ident) -> bool {
        self.options.consumes.contains(name)
    }
}

/// The generator of a parameter, if it is made of the model's state.
pub(super) fn sees_model(parameter: &Parameter) -> Option<(&Expr, &Type)> {
    let Kind::Drawn(Draw { owned, generator: Some(generator), .. }) = &parameter.kind else { return None };
    super::method::mentions_self(generator).then_some((generator, owned))
}

/// The parameters before one of an operation that its generator mentions, with the types they are drawn as.
pub(super) fn earlier<'o>(op: &'o Op, parameter: &'o Parameter) -> Vec<(&'o Ident, &'o Type)> {
    let Some((generator, _)) = sees_model(parameter) else { return Vec::new() };
    let before = op.parameters.iter().take_while(|other| other.name != parameter.name);
    let before = before.filter_map(|other| match &other.kind {
        Kind::Drawn(Draw { owned, .. }) => Some((&other.name, owned)),
        Kind::Reference(_) => Some((&other.name, &other.ty)),
        Kind::Result | Kind::Told => None,
    });
    before.filter(|(name, _)| super::method::is_mentioned(name, generator.to_token_stream())).collect()
}

/// A value that the model's state offers. Where several states explain what was seen, the first is asked.
fn from_model(op: &Op, parameter: &Parameter) -> TokenStream {
    let (running, step) = (hidden("__running"), hidden("__step"));
    let helper = super::expand::from_helper(op, parameter);
    let given =
        earlier(op, parameter).into_iter().map(|(name, _)| quote!(::core::clone::Clone::clone(&#name)));
    quote! {
        match #running.model().#helper(::core::option::Option::Some(#step) #(, #given)*)? {
            ::stairway::__private::Offer::Drawn(value) => value,
            _ => return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused),
        }
    }
}

fn draw(op: &Op, parameter: &Parameter) -> TokenStream {
    let Parameter { name, kind, .. } = parameter;
    let title = name.unraw().to_string();
    match kind {
        Kind::Result | Kind::Told => TokenStream::new(),
        Kind::Reference(of) => {
            let place = attributes::place_of(of, None);
            let (running, step) = (Ident::new("__running", place), Ident::new("__step", place));
            quote_spanned! {place=>
                let #name = #running.results().draw::<#of>(#step)?;
                #step.show_argument(#title, || ::std::format!("{:?}", #name));
            }
        }
        Kind::Drawn(Draw { owned, generator, is_text, .. }) => {
            let place = attributes::place_of(owned, generator.as_ref());
            let step = Ident::new("__step", place);
            let as_text = is_text.then(|| quote!(.as_str()));
            let value = match sees_model(parameter) {
                Some(_) => from_model(op, parameter),
                None => {
                    let generator = attributes::generator_of(owned, generator.as_ref());
                    quote_spanned!(place=> #step.draw(#generator)?)
                }
            };
            quote_spanned! {place=>
                let #name: #owned = #value;
                #step.show_argument(#title, || ::stairway::__private::show!(&#name #as_text));
            }
        }
    }
}

/// Ends the step if its arguments do not meet its precondition.
fn refusal(op: &Op) -> Option<TokenStream> {
    let (_, names) = op.accepts.as_ref()?;
    let (running, model) = (hidden("__running"), hidden("__model"));
    let helper = super::expand::helper("requires", &op.name);
    let arguments = op.parameters.iter().filter(|p| names.contains(&p.name)).map(for_the_model);
    Some(quote! {
        if !#running.in_all(|#model| #model.#helper(#(#arguments),*)) {
            return ::core::result::Result::Ok(::stairway::__private::StepOutcome::Refused);
        }
    })
}

/// Ends the step with a panic of the system, where the model says that there is one.
fn panics(op: &Op, model_block: &Model) -> Option<TokenStream> {
    let panics = op.options.panics.as_ref()?;
    let (running, model) = (hidden("__running"), hidden("__model"));
    let (title, helper) = (op.name.unraw().to_string(), super::expand::helper("panics", &op.name));
    let mentioned =
        op.parameters.iter().filter(|p| super::method::is_mentioned(&p.name, panics.to_token_stream()));
    let arguments = mentioned.map(for_the_model);
    let call = call_source::caught(op, model_block, &title, &call_with(op, false));
    Some(quote! {
        if #running.in_all(|#model| #model.#helper(#(#arguments),*)) {
            return #call;
        }
    })
}

/// The same result cannot be passed twice unless it can be copied: otherwise `refused` is returned.
fn overlaps(op: &Op, refused: &TokenStream) -> TokenStream {
    let running = hidden("__running");
    let (value, is_copied) = (hidden("__value"), hidden("__is_copied"));
    let pairs = op.references().flat_map(|(name, of)| op.before(name, of).map(move |before| (name, before)));
    let checks = pairs.map(|(name, before)| {
        quote! {
            if #name == #before {
                let #value = #running.results().take(#name);
                let #is_copied = ::stairway::__private::backup!(&#value).is_some();
                #running.results().give_back(#name, #value);
                if !#is_copied {
                    return #refused;
                }
            }
        }
    });
    quote!(#(#checks)*)
}

/// The system's side, as a closure.
fn call(op: &Op) -> TokenStream {
    call_with(op, true)
}

/// The system's side, whose result is kept for later steps or not.
fn call_with(op: &Op, keeps: bool) -> TokenStream {
    let (results, answer) = (hidden("__results"), hidden("__answer"));
    // Only a `call` of the user's knows the system by this name.
    let place = if op.options.call.is_some() { Span::call_site() } else { Span::mixed_site() };
    let system = Ident::new("system", place);
    let taken = op.references().map(|(name, of)| take(op, name, of));
    let (prepared, call, given_back) = match &op.options.call {
        None => default_call(op, &system),
        Some(call) => {
            let call = if op.options.awaits { op.awaited(&quote!(async { #call })) } else { quote!(#call) };
            named_call(op, call)
        }
    };
    let stored = op.keeps_as().filter(|_| keeps).map(|ty| {
        let ordinal = hidden("__ordinal");
        quote!(let #answer: #ty = ::stairway::__private::keep(#results, #ordinal, #answer);)
    });
    let is_unawaited = !op.options.awaits && op.keeps_as().is_none() && !op.is_told();
    let call = match is_unawaited {
        true => executor::unawaited(&call, None, attributes::beside(op.name.span())),
        false => call,
    };
    let call = if op.may_borrow() { quote!(::stairway::__private::owned!(#call)) } else { call };
    let call = in_charge(op, call);
    quote! {
        |#system, #results| {
            #(#taken)*
            #prepared
            let #answer = #call;
            #given_back
            #stored
            #answer
        }
    }
}

/// The same with the oracle in charge, where the operation has one.
fn in_charge(op: &Op, expression: TokenStream) -> TokenStream {
    match op.oracle() {
        Some(Parameter { name, .. }) => quote!(#name.during(|| #expression)),
        None => expression,
    }
}

/// Takes the value behind a reference, or a copy of it if another argument has it.
fn take(op: &Op, name: &Ident, of: &Type) -> TokenStream {
    let (value, results) = (self::of("value", name), hidden("__results"));
    let taken = quote!(#results.take::<#of>(#name));
    let taken = op.before(name, of).fold(taken, |otherwise, before| {
        let other = self::of("value", before);
        quote! {
            if #name == #before {
                ::stairway::__private::backup!(&#other).expect("a result passed twice can be copied")
            } else {
                #otherwise
            }
        }
    });
    quote!(let mut #value = #taken;)
}

/// Gives a value back, unless the operation consumes it or it was a copy.
fn give_back(op: &Op, name: &Ident, of: &Type, value: &TokenStream) -> TokenStream {
    if op.consumes(name) {
        return TokenStream::new();
    }
    let results = hidden("__results");
    let before = op.before(name, of);
    let (operation, parameter) = (op.name.unraw().to_string(), name.unraw().to_string());
    quote! {
        if true #(&& #name != #before)* {
            ::stairway::__private::give_back(#results, #name, #value, (#operation, #parameter));
        }
    }
}

/// `system.name(arguments)`, each passed the way the signature wants it.
fn default_call(op: &Op, system: &Ident) -> (TokenStream, TokenStream, TokenStream) {
    let (mut prepared, mut passed, mut given_back) = (Vec::new(), Vec::new(), Vec::new());
    let hows = hidden("__passed");
    for Parameter { name, kind, .. } in op.passed() {
        let k = passed.len();
        let (argument, backup, value) = (of("argument", name), of("backup", name), of("value", name));
        match kind {
            Kind::Result | Kind::Told => continue,
            Kind::Drawn(_) => prepared.push(quote! {
                let mut #argument = ::stairway::__private::Argument::new(::core::clone::Clone::clone(&#name), &#hows[#k]);
            }),
            Kind::Reference(ty) => {
                if !op.consumes(name) {
                    prepared.push(quote!(let #backup = ::stairway::__private::backup!(&#value);));
                }
                prepared.push(quote!(let mut #argument = ::stairway::__private::Argument::new(#value, &#hows[#k]);));
                given_back.push(give_back(op, name, ty, &quote!(#argument.into_value().or(#backup))));
            }
        }
        let place = attributes::beside(name.span());
        passed.push(quote_spanned!(place=> #argument.pass()));
    }
    let method = &op.name;
    let call = quote!(#system.#method(#(#passed),*));
    let call = if op.options.awaits {
        let awaited = executor::awaited(&call, attributes::beside(op.name.span()));
        op.awaited(&quote!(async { #awaited }))
    } else {
        call
    };
    (quote!(#(#prepared)*), call, quote!(#(#given_back)*))
}

/// The user's expression, in which the arguments have their names.
fn named_call(op: &Op, call: TokenStream) -> (TokenStream, TokenStream, TokenStream) {
    let (mut bound, mut given_back) = (Vec::new(), Vec::new());
    for Parameter { name, ty, kind } in &op.parameters {
        let value = of("value", name);
        match kind {
            Kind::Result | Kind::Told => {}
            Kind::Drawn(Draw { borrow, .. }) => {
                let argument = of("argument", name);
                let lent = borrow.of(&argument);
                bound.push(quote! {
                    let mut #argument = ::core::clone::Clone::clone(&#name);
                    let #name: #ty = #lent;
                });
            }
            Kind::Reference(_) if op.consumes(name) => bound.push(quote!(let mut #name = #value;)),
            Kind::Reference(of) => {
                bound.push(quote!(let #name: &mut #of = &mut #value;));
                given_back.push(give_back(op, name, of, &quote!(::core::option::Option::Some(#value))));
            }
        }
    }
    (TokenStream::new(), quote!({ #(#bound)* #call }), quote!(#(#given_back)*))
}

/// What the model answers; the name of a result is its own answer.
fn answer(op: &Op) -> TokenStream {
    let model = hidden("__model");
    let method = &op.name;
    let arguments = op.parameters.iter().map(for_the_model);
    let answer = in_charge(op, quote!(#model.#method(#(#arguments),*)));
    let reference = hidden("__reference");
    match op.answer {
        Answer::Unsaid => quote!({ #answer; ::stairway::__private::Anything }),
        _ if op.result().is_some() && !op.answers_with_result() => quote!({ #answer; #reference }),
        _ => answer,
    }
}

/// An argument as the model's methods receive it.
fn for_the_model(parameter: &Parameter) -> TokenStream {
    let name = &parameter.name;
    match &parameter.kind {
        Kind::Drawn(Draw { borrow, .. }) => copied(name, *borrow),
        Kind::Reference(_) => quote!(#name),
        Kind::Result => hidden("__reference").to_token_stream(),
        Kind::Told => {
            let told = hidden("__told");
            if matches!(parameter.ty, Type::Reference(_)) {
                quote!(#told)
            } else {
                quote!(::core::clone::Clone::clone(#told))
            }
        }
    }
}

/// A drawn value, passed so that it is there for another call.
pub(crate) fn copied(name: &Ident, borrow: Borrow) -> TokenStream {
    match borrow {
        Borrow::Shared => quote!(&#name),
        Borrow::Mutable => quote!(&mut ::core::clone::Clone::clone(&#name)),
        Borrow::None => quote!(::core::clone::Clone::clone(&#name)),
    }
}
