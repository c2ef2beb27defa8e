//! Formulas: parsed, and in a normal form with negations at the predicates only. The machine is not known
//! here.

use super::names::is_capital;
use super::scrutiny::{self, Scrutiny};
use crate::machine::{Literals, list, nearest, tidy};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, LitInt, Pat, Result, Token, parenthesized};

/// A formula as it was written.
#[derive(Clone)]
pub(super) enum ParsedFormula {
    At(Predicate),
    After(Predicate),
    /// Whether runs from here can or must do something: a question about all of them at once.
    Branching(Branching, Box<ParsedFormula>, Span),
    /// A step that is possible again and again is taken again and again.
    Fair(Fairness, Box<ParsedFormula>, Span),
    Not(Box<ParsedFormula>),
    And(Vec<ParsedFormula>),
    Or(Vec<ParsedFormula>),
    Implies(Box<ParsedFormula>, Box<ParsedFormula>),
    Always(Box<ParsedFormula>),
    Eventually(Box<ParsedFormula>),
    Next(Box<ParsedFormula>),
    Until(Box<ParsedFormula>, Box<ParsedFormula>),
    /// Within so many steps; none if that is to be found.
    Within(Option<u32>, Box<ParsedFormula>, Span),
    LeadsTo(Box<ParsedFormula>, Box<ParsedFormula>),
}

/// What is asked of the runs that begin in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Branching {
    /// One of them takes a step with it at once.
    CanNext,
    /// One of them reaches it.
    CanReach,
    /// One of them keeps it for ever.
    CanAlways,
    /// All of them reach it.
    Inevitably,
}

impl Branching {
    fn name(self) -> &'static str {
        match self {
            Branching::CanNext => "can_next",
            Branching::CanReach => "can_reach",
            Branching::CanAlways => "can_always",
            Branching::Inevitably => "inevitably",
        }
    }
}

/// When a step has to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fairness {
    /// If it is possible from some time on.
    Weak,
    /// If it is possible again and again.
    Strong,
}

/// A pattern with a condition.
#[derive(Clone)]
pub(super) struct Predicate {
    /// The part of a composed machine that it is about, if it is not the whole.
    pub(super) part: Option<(Ident, Amount)>,
    pub(super) pattern: Pat,
    pub(super) guard: Option<Expr>,
}

/// Of how many copies of a part a predicate holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// There is one part.
    Itself,
    AtLeast(u32),
    Every,
}

const OPERATORS: [&str; 20] = [
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
    "some",
    "every",
    "at_least",
    "after",
    "can_reach",
    "can_always",
    "inevitably",
    "fair",
    "strongly_fair",
];

impl Parse for ParsedFormula {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![!]) {
            return Err(input.error("a formula is negated by `not(..)`"));
        }
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
            return Err(too_much(&text, &inside));
        }
        Ok(formula)
    }
}

/// What stands where the parentheses of an operator should end.
fn too_much(operator: &str, inside: ParseStream<'_>) -> Error {
    let write = |instead: &str| inside.error(format!("formulas are joined by calls: write `{instead}`"));
    if inside.peek(Token![&&]) {
        write("and(a, b)")
    } else if inside.peek(Token![||]) {
        write("or(a, b)")
    } else if inside.peek(Token![=>]) || inside.peek(Token![->]) {
        write("implies(a, b)")
    } else {
        inside.error(format!("`{operator}` takes no more than this"))
    }
}

fn one(name: &Ident, text: &str, inside: ParseStream<'_>) -> Result<ParsedFormula> {
    let next = || -> Result<Box<ParsedFormula>> {
        if inside.is_empty() {
            return Err(Error::new_spanned(name, format!("`{text}` needs a formula in its parentheses")));
        }
        inside.parse().map(Box::new)
    };
    let two = || -> Result<(Box<ParsedFormula>, Box<ParsedFormula>)> {
        let first = next()?;
        inside.parse::<Token![,]>().map_err(|error| {
            Error::new(error.span(), format!("`{text}` takes two formulas: `{text}(a, b)`"))
        })?;
        Ok((first, next()?))
    };
    let many = || -> Result<Vec<ParsedFormula>> {
        let mut all = vec![*next()?];
        while inside.peek(Token![,]) && !inside.peek2(syn::parse::End) {
            inside.parse::<Token![,]>()?;
            all.push(*next()?);
        }
        Ok(all)
    };
    Ok(match text {
        "at" => ParsedFormula::At(predicate("state", inside)?),
        "some" => ParsedFormula::At(of_copies(text, Amount::AtLeast(1), inside)?),
        "every" => ParsedFormula::At(of_copies(text, Amount::Every, inside)?),
        "at_least" => {
            let write = "`at_least` takes a number and a part: `at_least(2, participant: Prepared)`";
            let n: LitInt = inside.parse().map_err(|error| Error::new(error.span(), write))?;
            inside.parse::<Token![,]>().map_err(|error| Error::new(error.span(), write))?;
            ParsedFormula::At(of_copies(text, Amount::AtLeast(n.base10_parse()?), inside)?)
        }
        "after" => ParsedFormula::After(predicate("operation", inside)?),
        "can_reach" => ParsedFormula::Branching(Branching::CanReach, next()?, name.span()),
        "can_always" => ParsedFormula::Branching(Branching::CanAlways, next()?, name.span()),
        "inevitably" => ParsedFormula::Branching(Branching::Inevitably, next()?, name.span()),
        "fair" => ParsedFormula::Fair(Fairness::Weak, step(inside)?, name.span()),
        "strongly_fair" => ParsedFormula::Fair(Fairness::Strong, step(inside)?, name.span()),
        "not" => ParsedFormula::Not(next()?),
        "and" => ParsedFormula::And(many()?),
        "or" => ParsedFormula::Or(many()?),
        "always" => ParsedFormula::Always(next()?),
        "eventually" => ParsedFormula::Eventually(next()?),
        "next" => ParsedFormula::Next(next()?),
        "until" => two().map(|(a, b)| ParsedFormula::Until(a, b))?,
        "implies" => two().map(|(a, b)| ParsedFormula::Implies(a, b))?,
        "leads_to" => two().map(|(a, b)| ParsedFormula::LeadsTo(a, b))?,
        _ => {
            let steps = within_steps(inside)?;
            inside.parse::<Token![,]>().map_err(|error| {
                Error::new(error.span(), "`within` takes a number and a formula: `within(4, at(Ready))`")
            })?;
            ParsedFormula::Within(steps, next()?, name.span())
        }
    })
}

/// What has to be fair: `Send`, `after(Send { .. })` or `at(Ready)`.
fn step(inside: ParseStream<'_>) -> Result<Box<ParsedFormula>> {
    let is_formula = inside.peek(syn::Ident) && inside.peek2(syn::token::Paren) && {
        let ahead = inside.fork();
        let name: Ident = ahead.parse()?;
        OPERATORS.contains(&name.to_string().as_str())
    };
    let place = inside.span();
    let step =
        if is_formula { inside.parse()? } else { ParsedFormula::After(predicate("operation", inside)?) };
    if !step.is_momentary() || step.has_branching() {
        return Err(Error::new(
            place,
            "what has to be fair is one step: an operation, `after(..)` or `at(..)`, with `not`, `and`, `or`",
        ));
    }
    Ok(Box::new(step))
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

/// A predicate about copies of a part: `participant: Prepared`.
fn of_copies(operator: &str, amount: Amount, inside: ParseStream<'_>) -> Result<Predicate> {
    let mut predicate = predicate("state", inside)?;
    match &mut predicate.part {
        Some((_, of)) => *of = amount,
        None => {
            let message =
                format!("`{operator}` is about copies of a part: `{operator}(participant: Prepared)`");
            return Err(Error::new_spanned(&predicate.pattern, message));
        }
    }
    Ok(predicate)
}

fn predicate(what: &str, inside: ParseStream<'_>) -> Result<Predicate> {
    if inside.is_empty() {
        return Err(inside.error(format!("the {what} belongs here")));
    }
    let mut part = None;
    if inside.peek(syn::Ident) && inside.peek2(Token![:]) && !inside.peek2(Token![::]) {
        let name: Ident = inside.parse()?;
        inside.parse::<Token![:]>()?;
        if what == "operation" {
            let message = "an operation is one of the whole: leave the part out";
            return Err(Error::new_spanned(name, message));
        }
        part = Some((name, Amount::Itself));
    }
    let pattern = Pat::parse_multi_with_leading_vert(inside)?;
    let guard = if inside.peek(Token![if]) {
        inside.parse::<Token![if]>()?;
        Some(inside.parse()?)
    } else {
        None
    };
    if guard.is_none()
        && let Some(name) = variable(&pattern)
    {
        let message = format!(
            "`{name}` is a name for any {what}, so that this says nothing: {what}s begin with a capital letter; write `_` if any is meant"
        );
        return Err(Error::new_spanned(name, message));
    }
    Ok(Predicate { part, pattern, guard })
}

/// A name at the top of a pattern that matches everything.
fn variable(pattern: &Pat) -> Option<&Ident> {
    match pattern {
        Pat::Ident(name) if name.subpat.is_none() && !is_capital(&name.ident) => Some(&name.ident),
        Pat::Paren(inner) => variable(&inner.pat),
        Pat::Or(or) => or.cases.iter().find_map(variable),
        _ => None,
    }
}

/// Whether `within(auto, ..)` stands at an `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Awaited {
    No,
    /// It does, and nothing was looked at yet.
    Asked,
    /// It was looked at, and what it speaks of was not there.
    Begun,
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
    Until(Box<Formula>, Box<Formula>, Awaited),
    Release(Box<Formula>, Box<Formula>),
    Within(u32, Box<Formula>),
    Throughout(u32, Box<Formula>),
}

/// A predicate as the machine's values are asked for it.
pub(super) enum Atom {
    At(Predicate),
    After(Predicate),
    /// The letters that are asked for.
    Branching(Branching, Formula),
}

/// The predicates of a formula, each once.
#[derive(Default)]
pub(super) struct Atoms {
    pub(super) all: Vec<Atom>,
    texts: Vec<String>,
    /// Conditions on one moment that should be met somewhere, and their text.
    pub(super) conditions: Vec<(Formula, String)>,
    /// Whole numbers in predicates about operations.
    pub(super) numbers: Vec<TokenStream>,
    /// What is done with the arguments of operations.
    pub(super) arguments: Scrutiny,
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
    pub(super) fn normal(&mut self, written: &ParsedFormula, is_negated: bool) -> Result<Formula> {
        Ok(match written {
            ParsedFormula::At(predicate) => {
                self.predicate(predicate, "at", Atom::At(predicate.clone()), is_negated)?
            }
            ParsedFormula::After(predicate) => {
                let mut literals = Literals::default();
                literals.read(predicate.pattern.to_token_stream());
                literals.read(predicate.guard.to_token_stream());
                let (done, constants) = scrutiny::of(predicate);
                let constants = constants.iter().map(|constant| quote!(#constant as i128));
                for number in literals.numbers.iter().map(ToTokens::to_token_stream).chain(constants) {
                    if self.numbers.iter().all(|known| known.to_string() != number.to_string()) {
                        self.numbers.push(number);
                    }
                }
                self.arguments = self.arguments.max(done);
                self.predicate(predicate, "after", Atom::After(predicate.clone()), is_negated)?
            }
            ParsedFormula::Branching(kind, goal, place) => {
                let inner = self.normal(goal, false)?;
                if *kind != Branching::CanNext && !inner.is_about_states(self) {
                    return Err(Error::new(
                        *place,
                        format!(
                            "`{}` takes a condition on one state: `at(..)` with `not`, `and`, `or`, and other `can_..`",
                            kind.name()
                        ),
                    ));
                }
                let text = format!("{} {inner:?}", kind.name());
                self.add(Atom::Branching(*kind, inner), text, TokenStream::new())?.negated_if(is_negated)
            }
            ParsedFormula::Fair(fairness, step, place) => {
                let taken = self.normal(step, false)?;
                self.require(taken, &step.text());
                self.normal(&fair(*fairness, step, *place), is_negated)?
            }
            ParsedFormula::Not(inner) => self.normal(inner, !is_negated)?,
            ParsedFormula::And(all) | ParsedFormula::Or(all) => {
                let parts =
                    all.iter().map(|part| self.normal(part, is_negated)).collect::<Result<Vec<_>>>()?;
                if matches!(written, ParsedFormula::And(_)) == is_negated {
                    Formula::Or(parts)
                } else {
                    Formula::And(parts)
                }
            }
            ParsedFormula::Implies(condition, then) => {
                let (condition, then) =
                    (self.normal(condition, !is_negated)?, self.normal(then, is_negated)?);
                if is_negated {
                    Formula::And(vec![condition, then])
                } else {
                    Formula::Or(vec![condition, then])
                }
            }
            ParsedFormula::Always(inner) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Until(Box::new(Formula::True), inner, Awaited::No)
                } else {
                    Formula::Release(Box::new(Formula::False), inner)
                }
            }
            ParsedFormula::Eventually(inner) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Release(Box::new(Formula::False), inner)
                } else {
                    Formula::Until(Box::new(Formula::True), inner, Awaited::No)
                }
            }
            ParsedFormula::Next(inner) => Formula::Next(Box::new(self.normal(inner, is_negated)?)),
            ParsedFormula::Until(a, b) => {
                let (a, b) = (Box::new(self.normal(a, is_negated)?), Box::new(self.normal(b, is_negated)?));
                if is_negated { Formula::Release(a, b) } else { Formula::Until(a, b, Awaited::No) }
            }
            ParsedFormula::Within(Some(n), inner, _) => {
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated { Formula::Throughout(*n, inner) } else { Formula::Within(*n, inner) }
            }
            ParsedFormula::Within(None, inner, _) => {
                self.is_auto = true;
                let inner = Box::new(self.normal(inner, is_negated)?);
                if is_negated {
                    Formula::Release(Box::new(Formula::False), inner)
                } else {
                    Formula::Until(Box::new(Formula::True), inner, Awaited::Asked)
                }
            }
            ParsedFormula::LeadsTo(a, b) => {
                let eventually = ParsedFormula::Eventually(b.clone());
                let implies = ParsedFormula::Implies(a.clone(), Box::new(eventually));
                self.normal(&ParsedFormula::Always(Box::new(implies)), is_negated)?
            }
        })
    }

    /// Notes a condition on one moment that has to be met somewhere.
    pub(super) fn require(&mut self, condition: Formula, text: &str) {
        if !self.conditions.iter().any(|(known, _)| *known == condition) {
            self.conditions.push((condition, text.to_string()));
        }
    }

    fn predicate(
        &mut self,
        predicate: &Predicate,
        name: &str,
        atom: Atom,
        is_negated: bool,
    ) -> Result<Formula> {
        let part = predicate.part.as_ref().map(|part| format!("{part:?}")).unwrap_or_default();
        let (pattern, guard) = (predicate.pattern.to_token_stream(), predicate.guard.to_token_stream());
        let text = format!("{name} {part} {pattern} {guard}");
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
    pub(super) fn is_plain(&self) -> bool {
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

/// A step that is possible, from some time on or again and again, is taken again and again.
pub(super) fn fair(fairness: Fairness, step: &ParsedFormula, place: Span) -> ParsedFormula {
    let possible = Box::new(ParsedFormula::Branching(Branching::CanNext, Box::new(step.clone()), place));
    let again = |inner| ParsedFormula::Always(Box::new(ParsedFormula::Eventually(inner)));
    let when = match fairness {
        Fairness::Weak => ParsedFormula::Eventually(Box::new(ParsedFormula::Always(possible))),
        Fairness::Strong => again(possible),
    };
    // Not an implication as the user writes one: that a step is not possible is no mistake.
    ParsedFormula::Or(vec![ParsedFormula::Not(Box::new(when)), again(Box::new(step.clone()))])
}

impl ParsedFormula {
    /// Where `within(auto, ..)` cannot be measured, and why.
    pub(super) fn wrong_auto(&self) -> Option<(Span, &'static str)> {
        let mut places = Vec::new();
        let wrong = self.auto(true, &mut places);
        wrong.or_else(|| {
            places
                .get(1)
                .map(|place| (*place, "a formula has one `within(auto, ..)`: write a check for each"))
        })
    }

    fn auto(&self, may: bool, places: &mut Vec<Span>) -> Option<(Span, &'static str)> {
        const PLACE: &str = "`within(auto, ..)` stands alone, or inside `always`, `next`, `and` or `implies`: elsewhere there is no \
                             one number to find";
        const MOMENT: &str = "`within(auto, ..)` is measured for conditions on one moment: `at(..)`, `after(..)`, `not`, `and`, `or`, both \
                              in it and in front of its `implies`";
        match self {
            ParsedFormula::At(_) | ParsedFormula::After(_) => None,
            ParsedFormula::Branching(_, inner, _)
            | ParsedFormula::Fair(_, inner, _)
            | ParsedFormula::Not(inner)
            | ParsedFormula::Eventually(inner) => inner.auto(false, places),
            ParsedFormula::Within(None, inner, place) => {
                places.push(*place);
                match (may, inner.is_momentary()) {
                    (false, _) => Some((*place, PLACE)),
                    (true, false) => Some((*place, MOMENT)),
                    (true, true) => None,
                }
            }
            ParsedFormula::Within(Some(_), inner, _) => inner.auto(false, places),
            ParsedFormula::Always(inner) | ParsedFormula::Next(inner) => inner.auto(may, places),
            ParsedFormula::And(parts) => parts.iter().find_map(|part| part.auto(may, places)),
            ParsedFormula::Or(parts) => parts.iter().find_map(|part| part.auto(false, places)),
            ParsedFormula::Implies(a, b) => {
                let n_before = places.len();
                let wrong = a.auto(false, places).or_else(|| b.auto(may, places));
                let measured = places.get(n_before).filter(|_| !a.is_momentary());
                wrong.or_else(|| measured.map(|place| (*place, MOMENT)))
            }
            ParsedFormula::Until(a, b) | ParsedFormula::LeadsTo(a, b) => {
                a.auto(false, places).or_else(|| b.auto(false, places))
            }
        }
    }

    /// Whether it asks for all runs from a state.
    fn has_branching(&self) -> bool {
        match self {
            ParsedFormula::Branching(..) => true,
            ParsedFormula::Not(inner) => inner.has_branching(),
            ParsedFormula::And(parts) | ParsedFormula::Or(parts) => {
                parts.iter().any(ParsedFormula::has_branching)
            }
            ParsedFormula::Implies(a, b) => a.has_branching() || b.has_branching(),
            _ => false,
        }
    }

    /// Whether it speaks of one state or step.
    fn is_momentary(&self) -> bool {
        match self {
            ParsedFormula::At(_) | ParsedFormula::After(_) | ParsedFormula::Branching(..) => true,
            ParsedFormula::Not(inner) => inner.is_momentary(),
            ParsedFormula::And(parts) | ParsedFormula::Or(parts) => {
                parts.iter().all(ParsedFormula::is_momentary)
            }
            ParsedFormula::Implies(a, b) => a.is_momentary() && b.is_momentary(),
            _ => false,
        }
    }

    /// The formula as text.
    pub(super) fn text(&self) -> String {
        let predicate = |name: &str, predicate: &Predicate| {
            let start = match &predicate.part {
                None => format!("{name}("),
                Some((part, Amount::Itself)) => format!("{name}({part}: "),
                Some((part, Amount::Every)) => format!("every({part}: "),
                Some((part, Amount::AtLeast(1))) => format!("some({part}: "),
                Some((part, Amount::AtLeast(n))) => format!("at_least({n}, {part}: "),
            };
            match &predicate.guard {
                None => format!("{start}{})", tidy(&predicate.pattern)),
                Some(guard) => format!("{start}{} if {})", tidy(&predicate.pattern), tidy(guard)),
            }
        };
        let several = |name: &str, parts: &[&ParsedFormula]| {
            let parts: Vec<String> = parts.iter().map(|part| part.text()).collect();
            format!("{name}({})", parts.join(", "))
        };
        match self {
            ParsedFormula::At(p) => predicate("at", p),
            ParsedFormula::After(p) => predicate("after", p),
            ParsedFormula::Branching(kind, inner, _) => several(kind.name(), &[inner]),
            ParsedFormula::Fair(fairness, step, _) => {
                let name = if *fairness == Fairness::Weak { "fair" } else { "strongly_fair" };
                match &**step {
                    ParsedFormula::After(p) => predicate(name, p),
                    step => several(name, &[step]),
                }
            }
            ParsedFormula::Not(inner) => several("not", &[inner]),
            ParsedFormula::And(parts) => several("and", &parts.iter().collect::<Vec<_>>()),
            ParsedFormula::Or(parts) => several("or", &parts.iter().collect::<Vec<_>>()),
            ParsedFormula::Implies(a, b) => several("implies", &[a, b]),
            ParsedFormula::Always(inner) => several("always", &[inner]),
            ParsedFormula::Eventually(inner) => several("eventually", &[inner]),
            ParsedFormula::Next(inner) => several("next", &[inner]),
            ParsedFormula::Until(a, b) => several("until", &[a, b]),
            ParsedFormula::LeadsTo(a, b) => several("leads_to", &[a, b]),
            ParsedFormula::Within(n, inner, _) => {
                format!("within({}, {})", n.map_or("auto".to_string(), |n| n.to_string()), inner.text())
            }
        }
    }
}
