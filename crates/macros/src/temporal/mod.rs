//! `temporal!` and `const_property!`: properties that the compiler checks, and that tests check more deeply.
//!
//! A property of a machine is `name in machine: formula`, one of functions `name(x: u8, y: u8): expression`.
//! Either becomes a test, and a constant that fails to evaluate if the property does not hold. `formula`
//! parses formulas, `stairway-formula` turns them into tables, `expand` and `function` write what the compiler
//! evaluates.

mod expand;
mod formula;
mod function;
#[cfg(test)]
mod meaning_tests;
mod names;
mod refines;
mod scrutiny;
#[cfg(test)]
mod tests;
mod vacuity;
mod verdict;

use crate::attributes::OrWrite;
use crate::home::Home;
use formula::ParsedFormula;
use proc_macro2::{Ident, TokenStream};
pub(crate) use refines::refines;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Error, LitInt, Path, Result, Token, Visibility, parenthesized};

/// The constants and tests of temporal properties, or what is wrong with them.
pub(crate) fn temporal(input: TokenStream, home: Home) -> TokenStream {
    home.reached(each(input, |head, input| formula_of_machine(head, input, home)))
}

/// The constants and tests of properties of functions, or what is wrong with them.
pub(crate) fn const_property(input: TokenStream) -> TokenStream {
    each(input, |head, input| {
        if input.peek(Token![in]) {
            return Err(input.error("a property of a machine is written with `temporal!`"));
        }
        function::read(head, input)
    })
}

/// Expands each of the properties in `input`.
fn each(input: TokenStream, expand: impl Fn(Head, ParseStream<'_>) -> Result<TokenStream>) -> TokenStream {
    let read = |input: ParseStream<'_>| {
        let mut all = TokenStream::new();
        while !input.is_empty() {
            all.extend(expand(input.parse()?, input)?);
            input.parse::<Option<Token![;]>>()?;
        }
        Ok(all)
    };
    syn::parse::Parser::parse2(read, input).unwrap_or_else(Error::into_compile_error)
}

/// What stands before a property of either kind.
struct Head {
    docs: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
}

impl Parse for Head {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let docs = input.call(Attribute::parse_outer)?;
        if let Some(other) = docs.iter().find(|a| !a.path().is_ident("doc")) {
            return Err(Error::new_spanned(other, "a property has doc comments, and no other attributes"));
        }
        let visibility = input.parse()?;
        let name: Ident =
            input.parse().or_write("write `name in machine: formula` or `name(x: u8): expression`")?;
        Ok(Head { docs, visibility, name })
    }
}

fn formula_of_machine(head: Head, input: ParseStream<'_>, home: Home) -> Result<TokenStream> {
    if input.peek(syn::token::Paren) {
        return Err(input.error("a property of functions is written with `const_property!`"));
    }
    input.parse::<Token![in]>().or_write("write `in` and the machine: `name in atm: formula`")?;
    let machine: Path = input.parse()?;
    let options: Options = input.parse()?;
    input.parse::<Token![:]>().or_write("the formula follows after a colon: `name in atm: always(..)`")?;
    let formula: ParsedFormula = input.parse()?;
    if let Some((place, message)) = formula.wrong_auto() {
        return Err(Error::new(place, message));
    }
    expand::expand(&head, &machine, &options, &formula, home)
}

/// `, exhaustive, depth(20)`
#[derive(Default)]
struct Options {
    is_exhaustive: bool,
    random: Option<u64>,
    depth: Option<u64>,
    states: Option<u64>,
    seed: Option<u64>,
    may_be_vacuous: bool,
    may_be_open: bool,
    /// Only real runs are judged, by a driver's test.
    is_driven: bool,
    /// It is an error if the compiler cannot prove it.
    is_proved: bool,
    /// It need not be proved.
    may_be_sampled: bool,
    tests: Option<u64>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut options = Options::default();
        while input.peek(Token![,]) {
            input.parse::<Token![,]>()?;
            let name: Ident = input.parse()?;
            let number = || -> Result<u64> {
                let inside;
                parenthesized!(inside in input);
                inside.parse::<LitInt>()?.base10_parse()
            };
            match name.to_string().as_str() {
                "exhaustive" => options.is_exhaustive = true,
                "vacuous" => options.may_be_vacuous = true,
                "open" => options.may_be_open = true,
                "proved" => options.is_proved = true,
                "sampled" => options.may_be_sampled = true,
                "driven" => options.is_driven = true,
                "random" => options.random = Some(number()?),
                "depth" => options.depth = Some(number()?),
                "states" => options.states = Some(number()?),
                "seed" => options.seed = Some(number()?),
                "tests" => options.tests = Some(number()?),
                other => {
                    let message = format!(
                        "no option `{other}`; there are `proved`, `exhaustive`, `sampled`, `random(100)`, `depth(20)`, `states(1000)`, `seed(1)`, \
                         `tests(10000)`, `driven`, `open` and `vacuous`"
                    );
                    return Err(Error::new_spanned(name, message));
                }
            }
        }
        if options.is_exhaustive && options.random.is_some() {
            return Err(input.error(
                "`exhaustive` or `random(..)`: remove one, or remove both to have one after the other",
            ));
        }
        let weaker = [
            (options.random.is_some(), "random(..)"),
            (options.depth.is_some(), "depth(..)"),
            (options.may_be_sampled, "sampled"),
            (options.is_driven, "driven"),
        ];
        if let (true, Some((_, other))) = (options.is_proved, weaker.iter().find(|(is_said, _)| *is_said)) {
            return Err(input.error(format!("`proved` is about all runs: remove it or `{other}`")));
        }
        Ok(options)
    }
}

/// The text of doc comments.
fn doc_text(docs: &[Attribute]) -> String {
    let mut text = String::new();
    for doc in docs {
        if let syn::Meta::NameValue(pair) = &doc.meta
            && let syn::Expr::Lit(literal) = &pair.value
            && let syn::Lit::Str(line) = &literal.lit
        {
            text += &format!("\n    {}", line.value().trim());
        }
    }
    text
}
