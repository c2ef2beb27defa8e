//! `laws!`: equations between fragments of calls become tests.
//!
//! Expands to one test for each law. Laws are about a `#[model]`, or about a system with a list of
//! operations. A system with a list of operations becomes a model that says nothing; `expand` holds the
//! tokens.

mod expand;
#[cfg(test)]
mod tests;

use crate::attributes::Problems;
use crate::property::{self, Draw};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, PatType, Result, Token, Type, Visibility, bracketed, parenthesized};

mod word {
    syn::custom_keyword!(model);
    syn::custom_keyword!(system);
    syn::custom_keyword!(global);
    syn::custom_keyword!(op);
    syn::custom_keyword!(requires);
    syn::custom_keyword!(consumes);
    syn::custom_keyword!(start);
}

/// The tests, or what is wrong with the laws.
pub(crate) fn laws(input: TokenStream) -> TokenStream {
    syn::parse2::<LawsInput>(input)
        .and_then(diagnose)
        .map_or_else(Error::into_compile_error, |laws| expand::expand(&laws))
}

/// The laws as they were written.
struct LawsInput {
    about: About,
    laws: Vec<Law>,
}

/// What laws are about.
enum About {
    /// A model; whether its system is left out.
    Model { ty: Box<Type>, is_alone: bool },
    /// A system and its operations.
    System(Box<System>),
}

struct System {
    visibility: Visibility,
    /// Whether no two systems can run at the same time.
    is_global: bool,
    parameters: Punctuated<PatType, Token![,]>,
    ty: Type,
    start: Expr,
    ops: Vec<OpOfSystem>,
}

/// `op name(parameters) -> Answer consumes parameter requires condition;`
struct OpOfSystem {
    name: Ident,
    parameters: Punctuated<PatType, Token![,]>,
    answer: Option<Type>,
    consumes: Vec<Ident>,
    requires: Option<Expr>,
}

/// `name(variables): left == right;`
struct Law {
    attributes: Vec<Attribute>,
    name: Ident,
    parameters: Punctuated<PatType, Token![,]>,
    variables: Vec<(Ident, Variable)>,
    left: Side,
    right: Side,
}

/// Where the value of a variable comes from.
enum Variable {
    Drawn(Box<Draw>),
    /// A result of this type of an earlier call: one of several objects.
    Earlier(Box<Type>),
}

/// `start [statement; ..]`
struct Side {
    start: Option<word::start>,
    statements: Vec<Statement>,
    bracket: syn::token::Bracket,
}

/// `name = call(..)`, `call(..)` or `name = value`.
struct Statement {
    name: Option<Ident>,
    what: FragmentStep,
}

enum FragmentStep {
    Call { op: Ident, arguments: Vec<Expr> },
    Value(Expr),
}

impl Parse for LawsInput {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let is_name = input.peek2(Token![:]) || input.peek2(Token![::]);
        let is_global = input.peek(word::global) && input.peek2(word::system);
        let about = if input.peek(Token![pub]) || is_global || (input.peek(word::system) && !is_name) {
            About::System(Box::new(input.parse()?))
        } else {
            let is_alone = input.peek(word::model) && !is_name;
            if is_alone {
                input.parse::<word::model>()?;
            }
            let ty: Type = input.parse().map_err(|error| {
                let write = "what are these laws about? write the name of a `#[model]` and a colon, or \
                             `system Type = expression;`";
                Error::new(error.span(), write)
            })?;
            input.parse::<Token![:]>()?;
            About::Model { ty: Box::new(ty), is_alone }
        };
        let mut laws = Vec::new();
        while !input.is_empty() {
            laws.push(input.parse()?);
        }
        Ok(LawsInput { about, laws })
    }
}

fn parameters(input: ParseStream<'_>) -> Result<Punctuated<PatType, Token![,]>> {
    let inside;
    parenthesized!(inside in input);
    Punctuated::parse_terminated_with(&inside, |input| {
        let attrs = input.call(Attribute::parse_outer)?;
        let mut parameter = match input.parse::<syn::FnArg>()? {
            syn::FnArg::Typed(typed) => typed,
            syn::FnArg::Receiver(receiver) => {
                return Err(Error::new_spanned(receiver, "the system is not named here: remove `self`"));
            }
        };
        parameter.attrs.splice(0..0, attrs);
        Ok(parameter)
    })
}

impl Parse for System {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let visibility = input.parse()?;
        let is_global = input.parse::<Option<word::global>>()?.is_some();
        input.parse::<word::system>()?;
        let parameters = if input.peek(syn::token::Paren) { parameters(input)? } else { Punctuated::new() };
        let ty = input.parse()?;
        input.parse::<Token![=]>()?;
        let start = input.parse()?;
        input.parse::<Token![;]>()?;
        let mut ops = Vec::new();
        while input.peek(word::op) && input.peek2(syn::Ident) {
            ops.push(input.parse()?);
        }
        Ok(System { visibility, is_global, parameters, ty, start, ops })
    }
}

impl Parse for OpOfSystem {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        input.parse::<word::op>()?;
        let name = input.parse()?;
        let parameters = parameters(input)?;
        let answer = if input.parse::<Option<Token![->]>>()?.is_some() { Some(input.parse()?) } else { None };
        let mut consumes = Vec::new();
        if input.parse::<Option<word::consumes>>()?.is_some() {
            consumes.push(input.parse()?);
            while input.parse::<Option<Token![,]>>()?.is_some() {
                consumes.push(input.parse()?);
            }
        }
        let requires =
            if input.parse::<Option<word::requires>>()?.is_some() { Some(input.parse()?) } else { None };
        input.parse::<Token![;]>()?;
        Ok(OpOfSystem { name, parameters, answer, consumes, requires })
    }
}

impl Parse for Law {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let name = input
            .parse()
            .map_err(|error| Error::new(error.span(), "write a law as `name(variables): [..] == [..];`"))?;
        let parameters = if input.peek(syn::token::Paren) { parameters(input)? } else { Punctuated::new() };
        input.parse::<Token![:]>()?;
        let left = input.parse()?;
        input.parse::<Token![==]>()?;
        let right = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
        Ok(Law { attributes, name, parameters, variables: Vec::new(), left, right })
    }
}

impl Parse for Side {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let start = input.parse()?;
        if !input.peek(syn::token::Bracket) {
            return Err(input.error("a side of a law is a list of calls: write `[push(n); x = front()]`"));
        }
        let inside;
        let bracket = bracketed!(inside in input);
        let statements = Punctuated::<Statement, Token![;]>::parse_terminated(&inside)?;
        Ok(Side { start, statements: statements.into_iter().collect(), bracket })
    }
}

impl Parse for Statement {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let is_binding = input.peek(syn::Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        let name = if is_binding {
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            Some(name)
        } else {
            None
        };
        let expression: Expr = input.parse()?;
        Ok(Statement { name, what: what(expression) })
    }
}

/// A call of a name in lower case is an operation; everything else is a value.
fn what(expression: Expr) -> FragmentStep {
    let Expr::Call(call) = &expression else { return FragmentStep::Value(expression) };
    let Expr::Path(path) = &*call.func else { return FragmentStep::Value(expression) };
    match path.path.get_ident() {
        Some(op) if op.to_string().starts_with(|c: char| c.is_lowercase() || c == '_') => {
            FragmentStep::Call { op: op.clone(), arguments: call.args.iter().cloned().collect() }
        }
        _ => FragmentStep::Value(expression),
    }
}

fn diagnose(mut laws: LawsInput) -> Result<LawsInput> {
    let mut problems = Problems::default();
    if laws.laws.is_empty() {
        problems.add(Error::new(
            proc_macro2::Span::call_site(),
            "which laws? write `name(variables): [push(n); x = front()] == [..];`",
        ));
    }
    if let About::System(system) = &laws.about
        && system.ops.is_empty()
    {
        problems.at(&system.ty, "what can be called? write `op push(v: i32);` after this line");
    }
    let mut seen: Vec<Ident> = Vec::new();
    for law in &mut laws.laws {
        if seen.contains(&law.name) {
            problems.at(
                &law.name,
                format_args!("there is a law `{}` already: give this one another name", law.name),
            );
        }
        seen.push(law.name.clone());
        diagnose_law(&mut problems, law);
        if let About::System(system) = &laws.about
            && !system.ops.is_empty()
        {
            diagnose_operations(&mut problems, law, &system.ops);
        }
    }
    problems.finish()?;
    Ok(laws)
}

fn diagnose_law(problems: &mut Problems, law: &mut Law) {
    for parameter in &law.parameters {
        law.variables.extend(problems.value(variable(parameter)));
    }
    if let (Some(start), Some((name, _))) =
        (&law.left.start, law.variables.iter().find(|(_, variable)| matches!(variable, Variable::Earlier(_))))
    {
        let message =
            format_args!("there are no results at the start for `{name}`: remove `start` on both sides");
        problems.at(start, message);
    }
    match (&law.left.start, &law.right.start) {
        (Some(start), None) | (None, Some(start)) => {
            problems.at(start, "both sides begin in the same way: write `start` on both, or on none");
        }
        _ => {}
    }
    for (side, other) in [(&law.left, &law.right), (&law.right, &law.left)] {
        let mut names: Vec<&Ident> = Vec::new();
        for statement in &side.statements {
            if let Statement { name: None, what: FragmentStep::Value(value) } = statement {
                let message = "a value alone says nothing: call an operation, as in `push(n)`, or give the \
                               value a name, as in `x = None`";
                problems.at(value, message);
            }
        }
        for name in side.statements.iter().filter_map(|statement| statement.name.as_ref()) {
            if names.contains(&name) {
                problems.at(name, format_args!("`{name}` is bound twice: give one of them another name"));
            }
            names.push(name);
            if other.bound(name).is_none() && !side.passes_on(name) {
                let message = format_args!(
                    "`{name}` is bound on this side only: bind it on both, or write the call without a name"
                );
                problems.at(name, message);
            }
            if side.passes_on(name) && law.variables.iter().any(|(variable, _)| variable == name) {
                let message =
                    format_args!("`{name}` is a variable of the law already: give this another name");
                problems.at(name, message);
            }
        }
    }
}

/// Every operation that a law names must be among those of the system.
fn diagnose_operations(problems: &mut Problems, law: &Law, ops: &[OpOfSystem]) {
    for statement in law.left.statements.iter().chain(&law.right.statements) {
        if let FragmentStep::Call { op, .. } = &statement.what
            && !ops.iter().any(|known| known.name == *op)
        {
            let message = format_args!(
                "there is no operation `{op}`: add `op {op}(..);` above, or write a value that is not a bare \
                 call, as in `x = (value)`"
            );
            problems.at(op, message);
        }
    }
    for (side, other) in [(&law.left, &law.right), (&law.right, &law.left)] {
        for statement in &side.statements {
            let (Some(name), FragmentStep::Value(value)) = (&statement.name, &statement.what) else {
                continue;
            };
            let Some(FragmentStep::Call { op, .. }) = other.bound(name) else { continue };
            if ops.iter().any(|known| known.name == *op && known.answer.is_none()) {
                let message = format_args!(
                    "this is compared with what `{op}` answers: say its type above, as in `op {op}(..) -> bool;`"
                );
                problems.at(value, message);
            }
        }
    }
}

fn variable(parameter: &PatType) -> Result<(Ident, Variable)> {
    let (_, name) = property::binding(&parameter.pat)?;
    let generator = crate::attributes::generator(&parameter.attrs)?;
    if let Some(of) = crate::model::referred(&parameter.ty) {
        return match generator {
            None => Ok((name, Variable::Earlier(Box::new(of)))),
            Some(generator) => {
                let message = "a `Ref` is drawn from the results of earlier steps: remove `#[from(..)]`";
                Err(Error::new_spanned(generator, message))
            }
        };
    }
    match property::draw(&parameter.ty, generator)? {
        Some(draw) => Ok((name, Variable::Drawn(Box::new(draw)))),
        None => Err(Error::new_spanned(&parameter.ty, "a law has no case to speak about: remove this")),
    }
}

impl Side {
    /// Whether a name that is bound here is an argument of a later call: a result, then.
    fn passes_on(&self, name: &Ident) -> bool {
        let later =
            self.statements.iter().skip_while(|statement| statement.name.as_ref() != Some(name)).skip(1);
        { later }.any(|statement| {
            let mentioned = match &statement.what {
                FragmentStep::Call { arguments, .. } => quote!(#(#arguments),*),
                FragmentStep::Value(value) => value.to_token_stream(),
            };
            crate::source_text::names_any(mentioned, std::slice::from_ref(name))
        })
    }

    /// What a name is bound to.
    fn bound(&self, name: &Ident) -> Option<&FragmentStep> {
        self.statements.iter().find(|statement| statement.name.as_ref() == Some(name)).map(|s| &s.what)
    }
}
