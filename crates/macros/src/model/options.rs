//! The options in `#[model(..)]`, `#[op(..)]` and `#[cleanup(..)]`.
//!
//! Only options that make sense are handed on. Whether they fit the method they stand on is for `method` to
//! say.

use crate::attributes::Problems;
use crate::contract::clause::refuse_changes;
use crate::executor::Executor;
use crate::source_text;
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Lit, Meta, Result, Token, Type};

/// What `#[model(..)]` says.
pub(crate) struct ModelOptions {
    pub(crate) system: Type,
    pub(crate) may_be_stuck: bool,
    /// Whether no two systems can run at the same time.
    pub(crate) is_global: bool,
    pub(crate) executor: Executor,
}

/// What `#[op(..)]` or `#[cleanup(..)]` says.
#[derive(Default)]
pub(crate) struct OpOptions {
    pub(crate) requires: Option<Expr>,
    pub(crate) weight: Option<Expr>,
    pub(crate) call: Option<Expr>,
    /// `call` as it was written.
    pub(crate) call_text: Option<String>,
    pub(crate) consumes: Vec<Ident>,
    pub(crate) awaits: bool,
    /// Who runs what is awaited; the model says so.
    pub(crate) executor: Executor,
    /// When the system's side is to panic.
    pub(crate) panics: Option<Expr>,
    /// Nothing is said of the answer; only `laws!` writes this.
    pub(crate) unsaid: bool,
    /// When it is possible, over `system`; only `laws!` writes this.
    pub(crate) when: Option<Expr>,
}

/// One `name` or `name = value`, where the value of `system` is a type.
struct OptionsInput {
    name: Ident,
    value: Value,
}

enum Value {
    None,
    Type(Box<Type>),
    Expr(Box<Expr>),
}

impl Parse for OptionsInput {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input
            .parse()
            .map_err(|error| Error::new(error.span(), "write options by name, as in `name = value`"))?;
        if !input.peek(Token![=]) {
            if !input.is_empty() && !input.peek(Token![,]) {
                return Err(input.error(format_args!("write `{name} = value`, and a comma between options")));
            }
            return Ok(OptionsInput { name, value: Value::None });
        }
        input.parse::<Token![=]>()?;
        let value = match name.to_string().as_str() {
            _ if input.is_empty() || input.peek(Token![,]) => Value::None,
            "system" => Value::Type(input.parse()?),
            _ => Value::Expr(input.parse()?),
        };
        Ok(OptionsInput { name, value })
    }
}

/// The options, each at most once.
fn written(problems: &mut Problems, tokens: TokenStream) -> Result<Vec<OptionsInput>> {
    let parser = Punctuated::<OptionsInput, Token![,]>::parse_terminated;
    let mut found: Vec<OptionsInput> = Vec::new();
    for option in syn::parse::Parser::parse2(parser, tokens)? {
        if found.iter().any(|other| other.name == option.name) {
            let name = &option.name;
            problems.at(name, format_args!("`{name}` is given twice: remove one of them"));
        } else {
            found.push(option);
        }
    }
    Ok(found)
}

/// The options of the whole model.
pub(crate) fn model(problems: &mut Problems, tokens: TokenStream) -> Result<Option<ModelOptions>> {
    let (mut system, mut may_be_stuck, mut is_global, mut executor) = (None, false, false, Executor::Ours);
    for OptionsInput { name, value } in written(problems, tokens)? {
        match (name.to_string().as_str(), value) {
            ("system", Value::Type(ty)) => system = Some(*ty),
            ("system", _) => {
                problems.at(name, "`system` needs a type: write `system = Queue<i32>`");
                return Ok(None);
            }
            ("executor", Value::Expr(value)) => {
                executor = problems.value(Executor::parse(&value)).unwrap_or_default();
            }
            ("executor", _) => problems.at(name, "`executor` needs a value: write `executor = tokio`"),
            ("may_be_stuck", Value::None) => may_be_stuck = true,
            ("global", Value::None) => is_global = true,
            ("global", Value::Expr(value)) => problems.at(value, "`global` takes no value: write `global`"),
            ("may_be_stuck", Value::Expr(value)) => {
                problems.at(value, "`may_be_stuck` takes no value: write `may_be_stuck`");
            }
            _ => problems.at(
                &name,
                format_args!(
                    "there is no option `{name}`; write one of `system`, `may_be_stuck`, `global`, `executor`"
                ),
            ),
        }
    }
    if system.is_none() {
        problems.add(Error::new(
            Span::call_site(),
            "which system does this model describe? write `#[model(system = Type)]`",
        ));
    }
    Ok(system.map(|system| ModelOptions { system, may_be_stuck, is_global, executor }))
}

/// The options of an operation; those of `#[cleanup]` are `call` and `awaits`.
pub(crate) fn op(problems: &mut Problems, attribute: &Attribute, known: &[&str]) -> Result<OpOptions> {
    let tokens = match &attribute.meta {
        Meta::Path(_) => TokenStream::new(),
        Meta::List(list) => list.tokens.clone(),
        Meta::NameValue(_) => {
            let message = "write options in parentheses, as in `#[op(weight = 3)]`";
            return Err(Error::new_spanned(attribute, message));
        }
    };
    let mut options = OpOptions::default();
    for OptionsInput { name, value } in written(problems, tokens)? {
        let title = name.to_string();
        match (title.as_str(), value) {
            ("__unsaid", Value::None) => options.unsaid = true,
            ("__when", Value::Expr(value)) => options.when = Some(*value),
            _ if !known.contains(&title.as_str()) => {
                let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
                let known = known.join(", ");
                problems.at(&name, format_args!("there is no option `{name}`; write one of {known}"));
            }
            ("awaits", Value::None) => options.awaits = true,
            ("awaits", Value::Expr(value)) => {
                problems.at(value, "`awaits` takes no value: write `awaits`");
            }
            (_, Value::Expr(value)) => take(problems, &mut options, &title, *value),
            _ => problems.at(&name, format_args!("`{name}` needs a value: write `{}`", example(&title))),
        }
    }
    if let (Some(call), Meta::List(list)) = (&options.call, &attribute.meta) {
        options.call_text = Some(source_text::of(call, list.delimiter.span().join()));
    }
    Ok(options)
}

fn take(problems: &mut Problems, options: &mut OpOptions, name: &str, value: Expr) {
    if matches!(name, "requires" | "panics") {
        problems.value(refuse_changes(&value));
    }
    match name {
        "requires" => options.requires = Some(value),
        "call" => options.call = Some(value),
        "panics" => options.panics = Some(value),
        "weight" => {
            if is_other_literal(&value) {
                let message = "`weight` is a whole number, or an expression over `self` that gives a `u32`: \
                               write `weight = 3`";
                problems.at(&value, message);
            }
            options.weight = Some(value);
        }
        _ => options.consumes = consumed(problems, value),
    }
}

/// The parameters named by `consumes = h` or `consumes = (h, k)`.
fn consumed(problems: &mut Problems, value: Expr) -> Vec<Ident> {
    let names: Vec<Expr> = match value {
        Expr::Tuple(tuple) => tuple.elems.into_iter().collect(),
        value => vec![value],
    };
    let mut found = Vec::new();
    for name in names {
        match syn::parse2::<Ident>(name.to_token_stream()) {
            Ok(ident) => found.push(ident),
            Err(_) => problems.at(name, "`consumes` names a `Ref` parameter: write `consumes = h`"),
        }
    }
    found
}

fn example(name: &str) -> &'static str {
    match name {
        "requires" => "requires = self.len < 3",
        "weight" => "weight = 3",
        "call" => "call = system.name(argument)",
        "panics" => "panics = index >= self.len()",
        _ => "consumes = parameter",
    }
}

fn is_other_literal(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => !matches!(&literal.lit, Lit::Int(n) if n.base10_parse::<u32>().is_ok()),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)),
        _ => false,
    }
}
