//! Formulas: as they are written, and with all negations at the predicates.
//!
//! Receives tokens, hands on a [`Formula`] and the predicates in it. It does not know the machine.

use crate::machine::{Literals, list, nearest, tidy};
use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::visit::Visit;
use syn::{Error, Expr, LitInt, Pat, Path, Result, Token, parenthesized};

/// A formula as it was written.
#[derive(Clone)]
pub(super) enum Written {
    At(Predicate),
    After(Predicate),
    CanReach(Box<Written>, Span),
    Not(Box<Written>),
    And(Vec<Written>),
    Or(Vec<Written>),
    Implies(Box<Written>, Box<Written>),
    Always(Box<Written>),
    Eventually(Box<Written>),
    Next(Box<Written>),
    Until(Box<Written>, Box<Written>),
    /// Within so many steps; none if that is to be found.
    Within(Option<u32>, Box<Written>, Span),
    LeadsTo(Box<Written>, Box<Written>),
}

/// A pattern with a condition.
#[derive(Clone)]
pub(super) struct Predicate {
    pub(super) pattern: Pat,
    pub(super) guard: Option<Expr>,
}

const OPERATORS: [&str; 13] = [
    "always",
    "eventually",
    "next",
    "until",
    "within",
    "leads_to",
    "implies",
    "not",
    "and",
    "or",
    "at",
    "after",
    "can_reach",
];

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: Ident = input.parse().map_err(|error| {
            Error::new(
                error.span(),
                "a formula is written as calls: `always(implies(at(Waiting { .. }), next(..)))`",
            )
        })?;
        let text = name.to_string();
        if !OPERATORS.contains(&text.as_str()) {
            let known: Vec<String> = OPERATORS.iter().map(ToString::to_string).collect();
            let guess =
                nearest(&text, &known).map(|guess| format!(" (did you mean `{guess}`?)")).unwrap_or_default();
            let hint = if text.starts_with(char::is_uppercase) {
                format!("; a state is written `at({text})`")
            } else {
                String::new()
            };
            return Err(Error::new_spanned(
                &name,
                format!("no operator `{text}`{guess}; there are {}{hint}", list(&OPERATORS)),
            ));
        }
        let inside;
        parenthesized!(inside in input);
        let formula = one(&name, &text, &inside)?;
        inside.parse::<Option<Token![,]>>()?;
        if !inside.is_empty() {
            return Err(inside.error(format!("`{text}` takes no more than this")));
        }
        Ok(formula)
    }
}

fn one(name: &Ident, text: &str, inside: ParseStream<'_>) -> Result<Written> {
    let next = || -> Result<Box<Written>> {
        if inside.is_empty() {
            return Err(Error::new_spanned(name, format!("`{text}` needs a formula in its parentheses")));
        }
        inside.parse().map(Box::new)
    };
    let two = || -> Result<(Box<Written>, Box<Written>)> {
        let first = next()?;
        inside.parse::<Token![,]>().map_err(|error| {
            Error::new(error.span(), format!("`{text}` takes two formulas: `{text}(a, b)`"))
        })?;
        Ok((first, next()?))
    };
    let many = || -> Result<Vec<Written>> {
        let mut all = vec![*next()?];
        while inside.peek(Token![,]) && !inside.peek2(syn::parse::End) {
            inside.parse::<Token![,]>()?;
            all.push(*next()?);
        }
        Ok(all)
    };
    Ok(match text {
        "at" => Written::At(predicate(inside)?),
        "after" => Written::After(predicate(inside)?),
        "can_reach" => Written::CanReach(next()?, name.span()),
        "not" => Written::Not(next()?),
        "and" => Written::And(many()?),
        "or" => Written::Or(many()?),
        "always" => Written::Always(next()?),
        "eventually" => Written::Eventually(next()?),
        "next" => Written::Next(next()?),
        "until" => two().map(|(a, b)| Written::Until(a, b))?,
        "implies" => two().map(|(a, b)| Written::Implies(a, b))?,
        "leads_to" => two().map(|(a, b)| Written::LeadsTo(a, b))?,
        _ => {
            let steps = within_steps(inside)?;
            inside.parse::<Token![,]>().map_err(|error| {
                Error::new(error.span(), "`within` takes a number and a formula: `within(4, at(Ready))`")
            })?;
            Written::Within(steps, next()?, name.span())
        }
    })
}

fn within_steps(inside: ParseStream<'_>) -> Result<Option<u32>> {
    if inside.peek(syn::Ident) {
        let word: Ident = inside.parse()?;
        return if word == "auto" {
            Ok(None)
        } else {
            Err(Error::new_spanned(word, "write a number of steps, or `auto` to find the smallest"))
        };
    }
    let n: LitInt = inside.parse().map_err(|error| {
        Error::new(error.span(), "write a number of steps, or `auto` to find the smallest")
    })?;
    let steps = n.base10_parse()?;
    if steps > 1000 {
        return Err(Error::new_spanned(n, "at most 1000 steps; say `eventually` where it may take longer"));
    }
    Ok(Some(steps))
}

fn predicate(inside: ParseStream<'_>) -> Result<Predicate> {
    let pattern = Pat::parse_multi_with_leading_vert(inside)?;
    let guard = if inside.peek(Token![if]) {
        inside.parse::<Token![if]>()?;
        Some(inside.parse()?)
    } else {
        None
    };
    Ok(Predicate { pattern, guard })
}

/// A formula with negations at its predicates only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Formula {
    True,
    False,
    Atom(usize),
    Not(usize),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Next(Box<Formula>),
    /// The flag: `within(auto, ..)` stands here.
    Until(Box<Formula>, Box<Formula>, bool),
    Release(Box<Formula>, Box<Formula>),
    Within(u32, Box<Formula>),
    Throughout(u32, Box<Formula>),
}

/// A predicate as the machine's values are asked for it.
pub(super) enum Atom {
    At(Predicate),
    After(Predicate),
    /// The letters of the states that are to be reached.
    CanReach(Formula),
}

/// The predicates of a formula, each once.
#[derive(Default)]
pub(super) struct Atoms {
    pub(super) all: Vec<Atom>,
    texts: Vec<String>,
    /// Conditions in front of implications, which should hold somewhere, and their text.
    pub(super) conditions: Vec<(Formula, String)>,
    /// Whole numbers in predicates about operations.
    pub(super) numbers: Vec<i128>,
    pub(super) has_operations: bool,
    pub(super) is_auto: bool,
}

/// How many predicates a formula may have: a monitor has a column for each combination.
const MAX_ATOMS: usize = 8;

impl Atoms {
    fn add(&mut self, atom: Atom, text: String, place: impl ToTokens) -> Result<Formula> {
        if let Some(k) = self.texts.iter().position(|known| *known == text) {
            return Ok(Formula::Atom(k));
        }
        if self.all.len() == MAX_ATOMS {
            return Err(Error::new_spanned(
                place,
                format!(
                    "a formula has at most {MAX_ATOMS} different predicates: split it into several checks"
                ),
            ));
        }
        self.all.push(atom);
        self.texts.push(text);
        Ok(Formula::Atom(self.all.len() - 1))
    }

    /// The formula, or its negation, with negations at the predicates.
    pub(super) fn normal(&mut self, written: &Written, is_negated: bool) -> Result<Formula> {
        Ok(match written {
            Written::At(predicate) => {
                self.predicate(predicate, "at", Atom::At(predicate.clone()), is_negated)?
            }
            Written::After(predicate) => {
                self.has_operations = true;
                let mut literals = Literals::default();
                literals.visit_pat(&predicate.pattern);
                if let Some(guard) = &predicate.guard {
                    literals.visit_expr(guard);
                }
                self.numbers.extend(literals.0);
                self.predicate(predicate, "after", Atom::After(predicate.clone()), is_negated)?
            }
            Written::CanReach(goal, place) => {
                let text = format!("can_reach {}", self.texts.len());
                let inner = self.normal(goal, false)?;
                if !inner.is_about_states(self) {
                    return Err(Error::new(
                        *place,
                        "`can_reach` takes a condition on one state: `at(..)` with `not`, `and`, `or`",
                    ));
                }
                let text = format!("{text} {inner:?}");
                self.add(Atom::CanReach(inner), text, TokenStream::new())?.negated_if(is_negated)
            }
            Written::Not(inner) => self.normal(inner, !is_negated)?,
            Written::And(all) | Written::Or(all) => {
                let parts =
                    all.iter().map(|part| self.normal(part, is_negated)).collect::<Result<Vec<_>>>()?;
                if matches!(written, Written::And(_)) == is_negated {
                    Formula::Or(parts)
                } else {
                    Formula::And(parts)
                }
            }
            Written::Implies(condition, then) => {
                let positive = self.normal(condition, false)?;
                if positive.is_plain() && !is_negated {
                    let text = condition.text();
                    if !self.conditions.iter().any(|(known, _)| *known == positive) {
                        self.conditions.push((positive, text));
                    }
                }
                let (condition, then) =
                    (self.normal(condition, !is_negated)?, self.normal(then, is_negated)?);
                if is_negated {
                    Formula::And(vec![condition, then])
                } else {
                    Formula::Or(vec![condition, then])
                }
            }
            Written::Always(inner) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Until(Box::new(Formula::True), inner, false)
                } else {
                    Formula::Release(Box::new(Formula::False), inner)
                }
            }
            Written::Eventually(inner) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Release(Box::new(Formula::False), inner)
                } else {
                    Formula::Until(Box::new(Formula::True), inner, false)
                }
            }
            Written::Next(inner) => Formula::Next(Box::new(self.normal(inner, is_negated)?)),
            Written::Until(a, b) => {
                let (a, b) = (Box::new(self.normal(a, is_negated)?), Box::new(self.normal(b, is_negated)?));
                if is_negated { Formula::Release(a, b) } else { Formula::Until(a, b, false) }
            }
            Written::Within(Some(n), inner, _) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated { Formula::Throughout(*n, inner) } else { Formula::Within(*n, inner) }
            }
            Written::Within(None, inner, _) => {
                self.is_auto = true;
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Release(Box::new(Formula::False), inner)
                } else {
                    Formula::Until(Box::new(Formula::True), inner, true)
                }
            }
            Written::LeadsTo(a, b) => {
                let eventually = Written::Eventually(b.clone());
                let implies = Written::Implies(a.clone(), Box::new(eventually));
                self.normal(&Written::Always(Box::new(implies)), is_negated)?
            }
        })
    }

    fn predicate(
        &mut self,
        predicate: &Predicate,
        name: &str,
        atom: Atom,
        is_negated: bool,
    ) -> Result<Formula> {
        let text =
            format!("{name} {} {}", predicate.pattern.to_token_stream(), predicate.guard.to_token_stream());
        Ok(self.add(atom, text, &predicate.pattern)?.negated_if(is_negated))
    }
}

impl Formula {
    fn negated_if(self, is_negated: bool) -> Formula {
        match self {
            Formula::Atom(k) if is_negated => Formula::Not(k),
            other => other,
        }
    }

    /// Whether it speaks of one letter only.
    fn is_plain(&self) -> bool {
        match self {
            Formula::True | Formula::False | Formula::Atom(_) | Formula::Not(_) => true,
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(Formula::is_plain),
            _ => false,
        }
    }

    fn is_about_states(&self, atoms: &Atoms) -> bool {
        match self {
            Formula::Atom(k) | Formula::Not(k) => !matches!(atoms.all[*k], Atom::After(_)),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|part| part.is_about_states(atoms)),
            other => other.is_plain(),
        }
    }

    /// A formula about one letter as alternatives: what must hold, and what must not.
    pub(super) fn alternatives(&self) -> Vec<(u32, u32)> {
        match self {
            Formula::True => vec![(0, 0)],
            Formula::Atom(k) => vec![(1 << k, 0)],
            Formula::Not(k) => vec![(0, 1 << k)],
            Formula::Or(parts) => parts.iter().flat_map(Formula::alternatives).collect(),
            Formula::And(parts) => parts.iter().fold(vec![(0, 0)], |all, part| {
                let part = part.alternatives();
                all.iter()
                    .flat_map(|a| part.iter().map(move |b| (a.0 | b.0, a.1 | b.1)))
                    .filter(|(must, not)| must & not == 0)
                    .collect()
            }),
            _ => Vec::new(),
        }
    }
}

impl Written {
    /// Where `within(auto, ..)` cannot be measured.
    pub(super) fn misplaced_auto(&self) -> Option<Span> {
        self.auto(true)
    }

    fn auto(&self, may: bool) -> Option<Span> {
        match self {
            Written::At(_) | Written::After(_) => None,
            Written::CanReach(inner, _) | Written::Not(inner) => inner.auto(false),
            Written::Eventually(inner) => inner.auto(false),
            Written::Within(None, inner, place) => {
                if may {
                    inner.auto(false)
                } else {
                    Some(*place)
                }
            }
            Written::Within(Some(_), inner, _) => inner.auto(false),
            Written::Always(inner) | Written::Next(inner) => inner.auto(may),
            Written::And(parts) => parts.iter().find_map(|part| part.auto(may)),
            Written::Or(parts) => parts.iter().find_map(|part| part.auto(false)),
            Written::Implies(a, b) => a.auto(false).or_else(|| b.auto(may)),
            Written::Until(a, b) | Written::LeadsTo(a, b) => a.auto(false).or_else(|| b.auto(false)),
        }
    }

    /// The formula as text.
    pub(super) fn text(&self) -> String {
        let predicate = |name: &str, predicate: &Predicate| match &predicate.guard {
            None => format!("{name}({})", tidy(&predicate.pattern)),
            Some(guard) => format!("{name}({} if {})", tidy(&predicate.pattern), tidy(guard)),
        };
        let several = |name: &str, parts: &[&Written]| {
            let parts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            format!("{name}({})", parts.join(", "))
        };
        match self {
            Written::At(p) => predicate("at", p),
            Written::After(p) => predicate("after", p),
            Written::CanReach(inner, _) => several("can_reach", &[inner]),
            Written::Not(inner) => several("not", &[inner]),
            Written::And(parts) => several("and", &parts.iter().collect::<Vec<_>>()),
            Written::Or(parts) => several("or", &parts.iter().collect::<Vec<_>>()),
            Written::Implies(a, b) => several("implies", &[a, b]),
            Written::Always(inner) => several("always", &[inner]),
            Written::Eventually(inner) => several("eventually", &[inner]),
            Written::Next(inner) => several("next", &[inner]),
            Written::Until(a, b) => several("until", &[a, b]),
            Written::LeadsTo(a, b) => several("leads_to", &[a, b]),
            Written::Within(n, inner, _) => {
                format!("within({}, {})", n.map_or("auto".to_string(), |n| n.to_string()), inner.text())
            }
        }
    }
}

/// A pattern in which the name of a state cannot be taken for a variable: `Ready` is `State::Ready`.
pub(super) fn qualified(pattern: &Pat, of: &Path) -> Pat {
    let mut pattern = pattern.clone();
    qualify(&mut pattern, of, true);
    pattern
}

fn qualify(pattern: &mut Pat, of: &Path, is_top: bool) {
    let extend = |path: &Path| -> Path {
        let path = path.clone();
        let is_alone = path.segments.len() == 1 && path.leading_colon.is_none();
        // Constants are written in capitals and stay what they are.
        let is_constant =
            path.segments.last().is_some_and(|last| !last.ident.to_string().contains(char::is_lowercase));
        match (is_alone, is_top) {
            (true, true) => syn::parse_quote!(#of::#path),
            (true, false) if !is_constant => syn::parse_quote!(__m::__names::#path),
            _ => path,
        }
    };
    match pattern {
        Pat::Ident(name)
            if name.subpat.is_none()
                && name.ident != "None"
                && name.ident.to_string().starts_with(char::is_uppercase) =>
        {
            let path = extend(&name.ident.clone().into());
            *pattern = syn::parse_quote!(#path);
        }
        Pat::Ident(name) => {
            if let Some((_, inner)) = &mut name.subpat {
                qualify(inner, of, is_top);
            }
        }
        Pat::Path(path) => {
            let path = extend(&path.path);
            *pattern = syn::parse_quote!(#path);
        }
        Pat::Struct(inner) => {
            inner.path = extend(&inner.path);
            inner.fields.iter_mut().for_each(|field| {
                if field.colon_token.is_some() {
                    qualify(&mut field.pat, of, false);
                }
            });
        }
        Pat::TupleStruct(inner) => {
            // `Some` and `Ok` are everybody's.
            if is_top || !["Some", "Ok", "Err"].iter().any(|known| inner.path.is_ident(known)) {
                inner.path = extend(&inner.path);
            }
            inner.elems.iter_mut().for_each(|pat| qualify(pat, of, false));
        }
        Pat::Or(or) => or.cases.iter_mut().for_each(|case| qualify(case, of, is_top)),
        Pat::Paren(inner) => qualify(&mut inner.pat, of, is_top),
        Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(|pat| qualify(pat, of, false)),
        Pat::Reference(inner) => qualify(&mut inner.pat, of, is_top),
        _ => {}
    }
}
