//! Formulas: parsed, and the predicates in them. The machine is not known here.

use super::names::is_capital;
use super::scrutiny;
use crate::attributes::OrWrite;
use crate::machine::{Literals, Use, guess, list, tidy};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use stairway_formula::{AutoDeadline, Branching, Formula};
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, LitInt, Pat, Result, Token, bracketed, parenthesized};

/// A formula as it was written.
#[derive(Clone)]
pub(super) enum ParsedFormula {
    At(Predicate),
    After(Predicate),
    /// An operator with its operands, and where it stands.
    Apply(Operator, Vec<ParsedFormula>, Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Not,
    And,
    Or,
    Implies,
    Always,
    Eventually,
    Next,
    Until,
    LeadsTo,
    /// Within so many steps; none if that is to be found.
    Within(Option<u32>),
    /// Whether runs from here can or must do something: a question about all of them at once.
    Branching(Branching),
    /// A step that is possible again and again is taken again and again.
    Fair(Fairness),
}

impl Operator {
    fn name(self) -> &'static str {
        match self {
            Operator::Within(_) => "within",
            Operator::Branching(Branching::CanNext) => "can_next",
            operator => {
                OPERATORS.iter().find(|(_, known)| *known == Some(operator)).map_or("", |(name, _)| name)
            }
        }
    }

    /// Whether it joins conditions on one moment to another one.
    fn joins_moments(self) -> bool {
        matches!(self, Operator::Not | Operator::And | Operator::Or | Operator::Implies)
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
    /// Of the copy with this number.
    Number(u32),
}

/// What can be written, and the operators that take nothing but formulas.
const OPERATORS: [(&str, Option<Operator>); 20] = [
    ("always", Some(Operator::Always)),
    ("eventually", Some(Operator::Eventually)),
    ("next", Some(Operator::Next)),
    ("until", Some(Operator::Until)),
    ("within", None),
    ("leads_to", Some(Operator::LeadsTo)),
    ("implies", Some(Operator::Implies)),
    ("not", Some(Operator::Not)),
    ("and", Some(Operator::And)),
    ("or", Some(Operator::Or)),
    ("at", None),
    ("some", None),
    ("every", None),
    ("at_least", None),
    ("after", None),
    ("can_reach", Some(Operator::Branching(Branching::CanReach))),
    ("can_always", Some(Operator::Branching(Branching::CanAlways))),
    ("inevitably", Some(Operator::Branching(Branching::Inevitably))),
    ("fair", Some(Operator::Fair(Fairness::Weak))),
    ("strongly_fair", Some(Operator::Fair(Fairness::Strong))),
];

impl Parse for ParsedFormula {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(Token![!]) {
            return Err(input.error("a formula is negated by `not(..)`"));
        }
        let name: Ident = input
            .parse()
            .or_write("a formula is written as calls: `always(implies(at(Waiting { .. }), next(..)))`")?;
        let text = name.to_string();
        let Some((_, operator)) = OPERATORS.iter().find(|(known, _)| *known == text) else {
            let known = OPERATORS.map(|(name, _)| name.to_string());
            let guess = guess(&text, &known);
            let hint = if text.starts_with(char::is_uppercase) {
                format!("; a state is written `at({text})`")
            } else {
                String::new()
            };
            let message = format!("no operator `{text}`{guess}; there are {}{hint}", list(&known));
            return Err(Error::new_spanned(&name, message));
        };
        let inside;
        parenthesized!(inside in input);
        let formula = match operator {
            Some(operator) => applied(*operator, &name, &inside)?,
            None => one(&name, &text, &inside)?,
        };
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

/// What takes more than formulas.
fn one(name: &Ident, text: &str, inside: ParseStream<'_>) -> Result<ParsedFormula> {
    match text {
        "at" => Ok(ParsedFormula::At(predicate("state", inside)?)),
        "after" => Ok(ParsedFormula::After(predicate("operation", inside)?)),
        "some" => Ok(ParsedFormula::At(of_copies(text, Amount::AtLeast(1), inside)?)),
        "every" => Ok(ParsedFormula::At(of_copies(text, Amount::Every, inside)?)),
        "at_least" => {
            let write = "`at_least` takes a number and a part: `at_least(2, participant: Prepared)`";
            let n: LitInt = inside.parse().or_write(write)?;
            inside.parse::<Token![,]>().or_write(write)?;
            Ok(ParsedFormula::At(of_copies(text, Amount::AtLeast(n.base10_parse()?), inside)?))
        }
        _ => {
            let steps = within_steps(inside)?;
            inside
                .parse::<Token![,]>()
                .or_write("`within` takes a number and a formula: `within(4, at(Ready))`")?;
            applied(Operator::Within(steps), name, inside)
        }
    }
}

fn applied(operator: Operator, name: &Ident, inside: ParseStream<'_>) -> Result<ParsedFormula> {
    Ok(ParsedFormula::Apply(operator, operands(operator, name, inside)?, name.span()))
}

fn operands(operator: Operator, name: &Ident, inside: ParseStream<'_>) -> Result<Vec<ParsedFormula>> {
    let next = || -> Result<ParsedFormula> {
        if inside.is_empty() {
            return Err(Error::new_spanned(name, format!("`{name}` needs a formula in its parentheses")));
        }
        inside.parse()
    };
    if let Operator::Fair(_) = operator {
        return Ok(vec![step(inside)?]);
    }
    let mut all = vec![next()?];
    match operator {
        Operator::And | Operator::Or => {
            while inside.peek(Token![,]) && !inside.peek2(syn::parse::End) {
                inside.parse::<Token![,]>()?;
                all.push(next()?);
            }
        }
        Operator::Until | Operator::Implies | Operator::LeadsTo => {
            inside.parse::<Token![,]>().or_write(format!("`{name}` takes two formulas: `{name}(a, b)`"))?;
            all.push(next()?);
        }
        _ => {}
    }
    Ok(all)
}

/// What has to be fair: `Send`, `after(Send { .. })` or `at(Ready)`.
fn step(inside: ParseStream<'_>) -> Result<ParsedFormula> {
    let is_formula = inside.peek(syn::Ident) && inside.peek2(syn::token::Paren) && {
        let ahead = inside.fork();
        let name: Ident = ahead.parse()?;
        OPERATORS.iter().any(|(known, _)| name == known)
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
    Ok(step)
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
    let n: LitInt = inside.parse().or_write("write a number of steps, or `auto` to find the smallest")?;
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
        Some((_, of @ Amount::Itself)) => *of = amount,
        Some(_) => {
            let message = format!("`{operator}` is about all copies: one of them is asked by `at(..)`");
            return Err(Error::new_spanned(&predicate.pattern, message));
        }
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
    let has_number = inside.peek2(syn::token::Bracket);
    if inside.peek(syn::Ident) && (has_number || inside.peek2(Token![:]) && !inside.peek2(Token![::])) {
        let name: Ident = inside.parse()?;
        let mut amount = Amount::Itself;
        if has_number {
            let number;
            bracketed!(number in inside);
            amount = Amount::Number(number.parse::<LitInt>()?.base10_parse()?);
        }
        inside.parse::<Token![:]>()?;
        if what == "operation" {
            let message = "an operation is one of the whole: leave the part out";
            return Err(Error::new_spanned(name, message));
        }
        part = Some((name, amount));
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
            "`{name}` is a name for any {what}, so this says nothing: {what}s begin with a capital letter; write `_` if any is meant"
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
    pub(super) arguments: Use,
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

    /// The formula with negations at the predicates.
    pub(super) fn normal(&mut self, written: &ParsedFormula) -> Result<Formula> {
        match written {
            ParsedFormula::At(predicate) => self.predicate(predicate, "at", Atom::At(predicate.clone())),
            ParsedFormula::After(predicate) => {
                self.arguments_of(predicate);
                self.predicate(predicate, "after", Atom::After(predicate.clone()))
            }
            ParsedFormula::Apply(operator, operands, place) => {
                let mut parts = operands.iter().map(|part| self.normal(part)).collect::<Result<Vec<_>>>()?;
                match operator {
                    Operator::And => Ok(Formula::And(parts)),
                    Operator::Or => Ok(Formula::Or(parts)),
                    Operator::Branching(asks) => self.branching(*asks, parts.swap_remove(0), *place),
                    Operator::Fair(fairness) => {
                        self.require(parts.swap_remove(0), &operands[0].text());
                        self.normal(&fair(*fairness, &operands[0], *place))
                    }
                    operator => Ok(self.temporal(*operator, parts)),
                }
            }
        }
    }

    fn temporal(&mut self, operator: Operator, parts: Vec<Formula>) -> Formula {
        let mut parts = parts.into_iter();
        let mut next = || parts.next().expect("the parser counts operands");
        match operator {
            Operator::Not => next().negated(),
            Operator::Implies => Formula::Or(vec![next().negated(), next()]),
            Operator::Always => next().always(),
            Operator::Eventually => next().eventually(AutoDeadline::No),
            Operator::Next => Formula::Next(Box::new(next())),
            Operator::Until => Formula::Until(Box::new(next()), Box::new(next()), AutoDeadline::No),
            Operator::LeadsTo => {
                Formula::Or(vec![next().negated(), next().eventually(AutoDeadline::No)]).always()
            }
            Operator::Within(Some(n)) => Formula::Within(n, Box::new(next())),
            Operator::Within(None) => {
                self.is_auto = true;
                next().eventually(AutoDeadline::Asked)
            }
            Operator::And | Operator::Or | Operator::Branching(_) | Operator::Fair(_) => {
                unreachable!("these are more than their parts")
            }
        }
    }

    /// A question about all runs from a state is a predicate of that state.
    fn branching(&mut self, asks: Branching, goal: Formula, place: Span) -> Result<Formula> {
        let name = Operator::Branching(asks).name();
        let is_of_state = |k: usize| !matches!(self.all[k], Atom::After(_));
        if asks != Branching::CanNext && !goal.is_momentary(&is_of_state) {
            let message = format!(
                "`{name}` takes a condition on one state: `at(..)` with `not`, `and`, `or`, and other `can_..`"
            );
            return Err(Error::new(place, message));
        }
        let text = format!("{name} {goal:?}");
        self.add(Atom::Branching(asks, goal), text, TokenStream::new())
    }

    /// Notes what a predicate does with the arguments of an operation.
    fn arguments_of(&mut self, predicate: &Predicate) {
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
    }

    /// Notes a condition on one moment that has to be met somewhere.
    pub(super) fn require(&mut self, condition: Formula, text: &str) {
        if !self.conditions.iter().any(|(known, _)| *known == condition) {
            self.conditions.push((condition, text.to_string()));
        }
    }

    fn predicate(&mut self, predicate: &Predicate, name: &str, atom: Atom) -> Result<Formula> {
        let part = predicate.part.as_ref().map(|part| format!("{part:?}")).unwrap_or_default();
        let (pattern, guard) = (predicate.pattern.to_token_stream(), predicate.guard.to_token_stream());
        let text = format!("{name} {part} {pattern} {guard}");
        self.add(atom, text, &predicate.pattern)
    }
}

/// A step that is possible, from some time on or again and again, is taken again and again.
pub(super) fn fair(fairness: Fairness, step: &ParsedFormula, place: Span) -> ParsedFormula {
    let apply = |operator, inner| ParsedFormula::Apply(operator, vec![inner], place);
    let again = |inner| apply(Operator::Always, apply(Operator::Eventually, inner));
    let either = |one, other| ParsedFormula::Apply(Operator::Or, vec![one, other], place);
    let possible = apply(Operator::Branching(Branching::CanNext), step.clone());
    // Not an implication as the user writes one: that a step is not possible is no mistake.
    match fairness {
        // The same as `eventually(always(possible))` with a conclusion, and one promise instead of a choice.
        Fairness::Weak => again(either(apply(Operator::Not, possible), step.clone())),
        Fairness::Strong => either(apply(Operator::Not, again(possible)), again(step.clone())),
    }
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
        let ParsedFormula::Apply(operator, parts, place) = self else { return None };
        match operator {
            Operator::Within(None) => {
                places.push(*place);
                match (may, parts[0].is_momentary()) {
                    (false, _) => Some((*place, PLACE)),
                    (true, false) => Some((*place, MOMENT)),
                    (true, true) => None,
                }
            }
            Operator::Implies => {
                let n_before = places.len();
                let wrong = parts[0].auto(false, places).or_else(|| parts[1].auto(may, places));
                let measured = places.get(n_before).filter(|_| !parts[0].is_momentary());
                wrong.or_else(|| measured.map(|place| (*place, MOMENT)))
            }
            operator => {
                let may = may && matches!(operator, Operator::Always | Operator::Next | Operator::And);
                parts.iter().find_map(|part| part.auto(may, places))
            }
        }
    }

    /// Whether it asks for all runs from a state.
    fn has_branching(&self) -> bool {
        match self {
            ParsedFormula::Apply(operator, parts, _) => {
                matches!(operator, Operator::Branching(_)) || parts.iter().any(ParsedFormula::has_branching)
            }
            _ => false,
        }
    }

    /// Whether it speaks of one state or step.
    pub(super) fn is_momentary(&self) -> bool {
        match self {
            ParsedFormula::Apply(Operator::Branching(_), ..) => true,
            ParsedFormula::Apply(operator, parts, _) => {
                operator.joins_moments() && parts.iter().all(ParsedFormula::is_momentary)
            }
            _ => true,
        }
    }

    /// The formula as text.
    pub(super) fn text(&self) -> String {
        match self {
            ParsedFormula::At(predicate) => predicate.text("at"),
            ParsedFormula::After(predicate) => predicate.text("after"),
            ParsedFormula::Apply(operator, parts, _) => match (operator, &parts[..]) {
                (Operator::Fair(_), [ParsedFormula::After(predicate)]) => predicate.text(operator.name()),
                (Operator::Within(n), [inner]) => {
                    format!("within({}, {})", n.map_or("auto".to_string(), |n| n.to_string()), inner.text())
                }
                (operator, parts) => {
                    let parts: Vec<String> = parts.iter().map(ParsedFormula::text).collect();
                    format!("{}({})", operator.name(), parts.join(", "))
                }
            },
        }
    }
}

impl Predicate {
    /// The predicate as the operand of an operator.
    fn text(&self, operator: &str) -> String {
        let start = match &self.part {
            None => format!("{operator}("),
            Some((part, Amount::Itself)) => format!("{operator}({part}: "),
            Some((part, Amount::Number(n))) => format!("{operator}({part}[{n}]: "),
            Some((part, Amount::Every)) => format!("every({part}: "),
            Some((part, Amount::AtLeast(1))) => format!("some({part}: "),
            Some((part, Amount::AtLeast(n))) => format!("at_least({n}, {part}: "),
        };
        let guard = self.guard.as_ref().map(|guard| format!(" if {}", tidy(guard))).unwrap_or_default();
        format!("{start}{}{guard})", tidy(&self.pattern))
    }
}
