//! The options in `#[property(..)]`.
//!
//! Keeps the settings in the order in which they were written, and apart from them the two options that
//! change the expansion itself. What a setting means is the runner's.

use crate::attributes::Problems;
use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, Path, Result, Token};

/// The options as they were written.
pub(crate) struct WrittenOptions(Punctuated<WrittenOption, Token![,]>);

struct WrittenOption {
    name: Ident,
    value: Option<Expr>,
}

/// Options that make sense.
#[derive(Default)]
pub(crate) struct Options {
    /// Method of `Settings`, and its argument if it takes one.
    pub(crate) settings: Vec<(Ident, Option<Expr>)>,
    pub(crate) executor: Option<Path>,
    pub(crate) is_partial: bool,
}

enum Takes {
    Nothing,
    Number,
    /// A time as text, such as `"500ms"`, or an expression that gives a `Duration`.
    Time,
    Path,
    Text,
}

/// Every option, with what it takes and how it is written.
const OPTIONS: [(&str, Takes, &str); 15] = [
    ("cases", Takes::Number, "cases = 1000"),
    ("seed", Takes::Number, "seed = 5"),
    ("time", Takes::Time, "time = \"2s\""),
    ("jobs", Takes::Number, "jobs = 2"),
    ("max_discards", Takes::Number, "max_discards = 10"),
    ("exhaustive", Takes::Number, "exhaustive = 4"),
    ("isolate", Takes::Nothing, "isolate"),
    ("confined", Takes::Nothing, "confined"),
    ("writable", Takes::Text, "writable = \"target/tmp\""),
    ("network", Takes::Nothing, "network"),
    ("allow_exec", Takes::Nothing, "allow_exec"),
    ("demand_all_alternatives", Takes::Nothing, "demand_all_alternatives"),
    ("timeout", Takes::Time, "timeout = \"500ms\""),
    ("partial", Takes::Nothing, "partial"),
    ("executor", Takes::Path, "executor = path::to::block_on"),
];

impl Parse for WrittenOptions {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        Punctuated::parse_terminated(input).map(WrittenOptions)
    }
}

impl Parse for WrittenOption {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse().map_err(|error| {
            syn::Error::new(error.span(), "write options by name, for instance `cases = 1000`")
        })?;
        let mut value = None;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            if input.is_empty() || input.peek(Token![,]) {
                return Ok(WrittenOption { name, value: None });
            }
            value = Some(input.parse()?);
        } else if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error(format_args!("write `{name} = value`, and a comma between options")));
        }
        Ok(WrittenOption { name, value })
    }
}

/// The options, with a note of each that cannot be meant.
pub(crate) fn diagnose(problems: &mut Problems, written: WrittenOptions) -> Options {
    let mut options = Options::default();
    let mut seen: Vec<Ident> = Vec::new();
    for WrittenOption { name, value } in written.0 {
        if seen.contains(&name) {
            problems.at(&name, format_args!("`{name}` is given twice: remove one of them"));
            continue;
        }
        seen.push(name.clone());
        match OPTIONS.iter().find(|(known, ..)| name == known) {
            None => problems.at(&name, unknown(&name)),
            Some((_, takes, example)) => take(problems, &mut options, name, takes, value, example),
        }
    }
    options
}

fn unknown(name: &Ident) -> String {
    let known: Vec<String> = OPTIONS.iter().map(|(known, ..)| format!("`{known}`")).collect();
    format!("there is no option `{name}`; write one of {}", known.join(", "))
}

fn take(
    problems: &mut Problems,
    options: &mut Options,
    name: Ident,
    takes: &Takes,
    value: Option<Expr>,
    example: &str,
) {
    match (takes, value) {
        (Takes::Nothing, None) if name == "partial" => options.is_partial = true,
        (Takes::Nothing, None) => options.settings.push((name, None)),
        (Takes::Nothing, Some(value)) => {
            problems.at(value, format_args!("`{name}` takes no value: write `{example}`"));
        }
        (_, None) => problems.at(&name, format_args!("`{name}` needs a value: write `{example}`")),
        (Takes::Number, Some(value)) if is_other_literal(&value) => {
            problems.at(value, format_args!("`{name}` is a whole number: write `{example}`"));
        }
        (Takes::Number, Some(value)) => options.settings.push((name, Some(value))),
        (Takes::Text, Some(value)) if is_other_text(&value) => {
            problems.at(value, format_args!("`{name}` is the path of a folder: write `{example}`"));
        }
        (Takes::Text, Some(value)) => options.settings.push((name, Some(value))),
        (Takes::Time, Some(value)) => match duration(&value) {
            Some(duration) => options.settings.push((name, Some(duration))),
            None => problems
                .at(value, format_args!("`{name}` is a time above 0 in ms, s or m: write `{example}`")),
        },
        (Takes::Path, Some(Expr::Path(path))) if path.qself.is_none() => options.executor = Some(path.path),
        (Takes::Path, Some(value)) => {
            problems.at(value, format_args!("`{name}` is the path of a function: write `{example}`"));
        }
    }
}

/// The value as an expression that gives a `Duration`, unless it is plainly none.
fn duration(value: &Expr) -> Option<Expr> {
    let text = match value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => text.value(),
        Expr::Lit(_) => return None,
        expression => return Some(expression.clone()),
    };
    let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(n_digits);
    let number: u64 = number.parse().ok().filter(|number| *number > 0)?;
    let ms = match unit {
        "ms" => number,
        "s" => number.checked_mul(1000)?,
        "m" => number.checked_mul(60_000)?,
        _ => return None,
    };
    Some(syn::parse_quote!(::core::time::Duration::from_millis(#ms)))
}

/// Whether the value is plainly no whole number; constants and sums are left to rustc.
fn is_other_literal(value: &Expr) -> bool {
    match value {
        Expr::Lit(literal) => !matches!(literal.lit, Lit::Int(_)),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)),
        _ => false,
    }
}

/// Whether the value is plainly no text.
fn is_other_text(value: &Expr) -> bool {
    matches!(value, Expr::Lit(literal) if !matches!(literal.lit, Lit::Str(_)))
}
