//! `refinement!`: a specification beside an implementation becomes a test.
//!
//! Expands to a checker and a test for each refinement. A refinement is a property whose body runs the
//! clauses in order and compares what comes out: drawing, examples and options are those of `#[property]`.
//! `expand` holds the tokens, `text` the body as a person would write it, for the test that a report prints.

mod expand;
#[cfg(test)]
mod tests;
mod text;

use crate::attributes::{self, Problems};
use crate::property::options::{self, WrittenOptions};
use crate::property::{self, Parameter, example};
use proc_macro2::{Ident, Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, FnArg, Meta, Pat, Result, Token, Visibility, braced, parenthesized};

/// The tests, or what is wrong with the refinements.
pub(crate) fn refinement(input: TokenStream) -> TokenStream {
    let expanded = syn::parse2::<RefinementsInput>(input).and_then(diagnose).map(|all| {
        let tests = all.iter().map(expand::expand);
        tests.collect::<TokenStream>()
    });
    expanded.unwrap_or_else(Error::into_compile_error)
}

/// The refinements as they were written.
struct RefinementsInput(Vec<WrittenRefinement>);

struct WrittenRefinement {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    inputs: Punctuated<FnArg, Token![,]>,
    clauses: Vec<WrittenClause>,
    /// Where the clauses stand.
    braces: Span,
}

/// `word name => expression`
struct WrittenClause {
    word: Ident,
    pattern: Option<Pat>,
    expression: Expr,
}

/// A refinement without mistakes.
struct Refinement {
    options: options::Options,
    attributes: Vec<Attribute>,
    visibility: Visibility,
    name: Ident,
    parameters: Vec<Parameter>,
    examples: Vec<example::Example>,
    /// Abstract and concrete inputs, in their order.
    made: Vec<DerivedInput>,
    spec: Expr,
    real: Expr,
    relation: Relation,
    teardown: Option<Expr>,
    braces: Span,
}

impl Refinement {
    /// The input that is the oracle, if there is one.
    fn oracle(&self) -> Option<&Ident> {
        let mut parameters = self.parameters.iter();
        parameters.find(|parameter| attributes::is_oracle(&parameter.ty)).map(|parameter| &parameter.name)
    }
}

/// An input that is made of those drawn.
struct DerivedInput {
    is_abstract: bool,
    pattern: Pat,
    names: Vec<Ident>,
    expression: Expr,
}

/// When an outcome is one that the specification allows.
enum Relation {
    Equal,
    Relate(Expr),
    View(Expr),
}

const CLAUSES: &str = "write `spec => expression`, `real => expression`, `relate => |spec, real| condition`, \
                       `view => |real| expression`, `abstract name => expression`, \
                       `concrete name => expression` or `teardown => |real| expression`";

impl Parse for RefinementsInput {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let mut all = Vec::new();
        while !input.is_empty() {
            all.push(input.parse()?);
        }
        if all.is_empty() {
            return Err(Error::new(
                Span::call_site(),
                "what refines what? write `name(input: Type) { spec => expression, real => expression }`",
            ));
        }
        Ok(RefinementsInput(all))
    }
}

impl Parse for WrittenRefinement {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        let name = input.parse().map_err(|error: Error| {
            Error::new(error.span(), "name the refinement: write `name(input: Type) { .. }`")
        })?;
        let (inside, clauses);
        parenthesized!(inside in input);
        let inputs = Punctuated::parse_terminated(&inside)?;
        let braces = braced!(clauses in input).span.join();
        let mut written = Vec::new();
        while !clauses.is_empty() {
            written.push(clauses.parse()?);
            if !clauses.is_empty() {
                clauses.parse::<Token![,]>()?;
            }
        }
        Ok(WrittenRefinement { attributes, visibility, name, inputs, clauses: written, braces })
    }
}

impl Parse for WrittenClause {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let word = match input.parse::<Option<Token![abstract]>>()? {
            Some(word) => Ident::new("abstract", word.span),
            None => input.parse().map_err(|error: Error| Error::new(error.span(), CLAUSES))?,
        };
        let pattern = if input.peek(Token![=>]) { None } else { Some(Pat::parse_single(input)?) };
        input.parse::<Token![=>]>()?;
        Ok(WrittenClause { word, pattern, expression: input.parse()? })
    }
}

fn diagnose(written: RefinementsInput) -> Result<Vec<Refinement>> {
    let mut problems = Problems::default();
    let all = written.0.into_iter().filter_map(|one| problems.value(diagnose_one(one))).collect();
    problems.finish()?;
    Ok(all)
}

fn diagnose_one(written: WrittenRefinement) -> Result<Refinement> {
    let WrittenRefinement { attributes, visibility, name, inputs, clauses, braces } = written;
    let mut problems = Problems::default();
    let mut parameters = Vec::new();
    for input in &inputs {
        let parameter = property::parameter(input).and_then(|parameter| match parameter.draw {
            Some(_) => Ok(parameter),
            None => Err(Error::new_spanned(input, "inputs of a refinement are drawn: remove the case")),
        });
        parameters.extend(problems.value(parameter));
    }
    let is_complete = parameters.len() == inputs.len();
    let (mut kept, mut examples, mut options) = (Vec::new(), Vec::new(), options::Options::default());
    for attribute in attributes {
        if attribute.path().is_ident("example") {
            let example = is_complete.then(|| example::diagnose(&attribute, &parameters));
            examples.extend(example.and_then(|example| problems.value(example)));
        } else if attribute.path().is_ident("property") {
            let written = options_of(&attribute);
            if let Some(written) = problems.value(written) {
                options = options::diagnose(&mut problems, written);
            }
        } else {
            kept.push(attribute);
        }
    }
    attributes::refuse(&mut problems, &kept, "from", "an input");
    if let Some(path) = &options.executor {
        problems.at(path, "a refinement runs by itself: call the executor in `real`");
    }
    let clauses = sort(&mut problems, &name, clauses);
    problems.finish()?;
    let ClauseLists { made, spec: Some(spec), real: Some(real), relation, teardown } = clauses else {
        return Err(Error::new_spanned(name, CLAUSES));
    };
    Ok(Refinement {
        options,
        attributes: kept,
        visibility,
        name,
        parameters,
        examples,
        made,
        spec,
        real,
        relation: relation.unwrap_or(Relation::Equal),
        teardown,
        braces,
    })
}

fn options_of(attribute: &Attribute) -> Result<WrittenOptions> {
    match &attribute.meta {
        Meta::List(list) => syn::parse2(list.tokens.clone()),
        _ => Err(Error::new_spanned(
            attribute,
            "which options? write `#[property(cases = 1000)]`, or remove it",
        )),
    }
}

/// The clauses by what they are.
#[derive(Default)]
struct ClauseLists {
    made: Vec<DerivedInput>,
    spec: Option<Expr>,
    real: Option<Expr>,
    relation: Option<Relation>,
    teardown: Option<Expr>,
}

fn sort(problems: &mut Problems, name: &Ident, clauses: Vec<WrittenClause>) -> ClauseLists {
    let mut sorted = ClauseLists::default();
    for WrittenClause { word, pattern, expression } in clauses {
        let text = word.to_string();
        let is_made = matches!(text.as_str(), "abstract" | "concrete");
        match (&pattern, is_made) {
            (Some(pattern), false) if is_known(&text) => {
                problems.at(pattern, format_args!("`{text}` takes no name: write `{text} => expression`"));
                continue;
            }
            (None, true) => {
                problems.at(&word, format_args!("name what it makes: write `{text} name => expression`"));
                continue;
            }
            _ => {}
        }
        let is_twice = match text.as_str() {
            "spec" => sorted.spec.replace(expression).is_some(),
            "real" => sorted.real.replace(expression).is_some(),
            "teardown" => sorted.teardown.replace(expression).is_some(),
            "relate" => sorted.relation.replace(Relation::Relate(expression)).is_some(),
            "view" => sorted.relation.replace(Relation::View(expression)).is_some(),
            "abstract" | "concrete" => {
                let Some(pattern) = pattern else { continue };
                let names = names_in(&pattern);
                sorted.made.push(DerivedInput {
                    is_abstract: text == "abstract",
                    pattern,
                    names,
                    expression,
                });
                false
            }
            _ => {
                problems.at(&word, format_args!("there is no clause `{text}`; {CLAUSES}"));
                false
            }
        };
        if is_twice && matches!(text.as_str(), "relate" | "view") {
            problems.at(&word, "a refinement has one relation: keep `relate` or `view`");
        } else if is_twice {
            problems.at(&word, format_args!("`{text}` is given twice: remove one of them"));
        }
    }
    for (is_missing, word, what) in [
        (sorted.spec.is_none(), "spec", "says what is right"),
        (sorted.real.is_none(), "real", "is what the implementation does"),
    ] {
        if is_missing {
            problems.at(name, format_args!("`{word} => expression` is missing: it {what}"));
        }
    }
    sorted
}

fn is_known(word: &str) -> bool {
    matches!(word, "spec" | "real" | "relate" | "view" | "teardown")
}

/// The names that a pattern binds.
fn names_in(pattern: &Pat) -> Vec<Ident> {
    match pattern {
        Pat::Ident(ident) => vec![ident.ident.clone()],
        Pat::Tuple(tuple) => tuple.elems.iter().flat_map(names_in).collect(),
        Pat::TupleStruct(tuple) => tuple.elems.iter().flat_map(names_in).collect(),
        Pat::Struct(fields) => fields.fields.iter().flat_map(|field| names_in(&field.pat)).collect(),
        Pat::Reference(reference) => names_in(&reference.pat),
        Pat::Paren(inner) => names_in(&inner.pat),
        Pat::Type(typed) => names_in(&typed.pat),
        Pat::Slice(slice) => slice.elems.iter().flat_map(names_in).collect(),
        _ => Vec::new(),
    }
}
