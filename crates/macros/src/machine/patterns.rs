//! Patterns as data: which values a pattern takes, and what several patterns leave over.
//!
//! Patterns are compared as rustc does it (Maranget, "Warnings for pattern matching", 2007). Rows of patterns
//! are split column by column: by variants, by the parts of tuples and arrays, and by the intervals between
//! the numbers that are mentioned.

use super::kinds::{Kind, Types};
use super::syntax::{bare, head, is_variable};
use proc_macro2::Ident;
use syn::{Expr, Fields, Lit, Member, Pat, UnOp};

/// Which values a pattern takes.
#[derive(Clone)]
pub(super) enum Pattern {
    All,
    /// What another pattern takes, under a name.
    Named(Ident, Box<Pattern>),
    Or(Vec<Pattern>),
    /// Numbers or characters from one to another.
    Between(i128, i128),
    /// A variant with patterns for all its fields; structs, tuples and arrays have an empty name.
    Variant(String, Vec<Pattern>),
    /// Some values, but it is not known which: a constant, a type of another module.
    Unknown(Pat),
}

/// A variant of a type.
#[derive(Clone, Default)]
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) fields: Vec<Option<Ident>>,
    pub(super) kinds: Vec<Kind>,
}

impl Variant {
    pub(super) fn of(name: String, fields: &Fields, types: &Types<'_>) -> Variant {
        let kinds = fields.iter().map(|field| Kind::within(&field.ty, types)).collect();
        Variant { name, fields: fields.iter().map(|field| field.ident.clone()).collect(), kinds }
    }

    fn unnamed(name: &str, kinds: Vec<Kind>) -> Variant {
        Variant { name: name.to_string(), fields: vec![None; kinds.len()], kinds }
    }

    /// The patterns of its fields in a pattern of it.
    pub(super) fn patterns(&self, pat: &Pat, types: &Types<'_>) -> Option<Vec<Pattern>> {
        let given = field_patterns(pat, &self.fields)?;
        let read = |(pat, kind): (&Option<&Pat>, &Kind)| {
            pat.map_or(Pattern::All, |pat| Pattern::read(pat, kind, types))
        };
        Some(given.iter().zip(&self.kinds).map(read).collect())
    }

    /// As a pattern is written: without the fields, if none of them says anything.
    fn text(&self, fields: &[String]) -> String {
        if !self.name.is_empty() && fields.iter().all(|text| text == "_") {
            return self.name.clone();
        }
        let named: Vec<(&Option<Ident>, &String)> =
            self.fields.iter().zip(fields).filter(|(name, text)| name.is_none() || *text != "_").collect();
        let texts = named.iter().map(|(name, text)| match name {
            Some(name) => format!("{name}: {text}"),
            None => text.to_string(),
        });
        let texts = texts.chain((named.len() < fields.len()).then(|| "..".to_string())).collect::<Vec<_>>();
        match self.fields.first() {
            Some(Some(_)) => format!("{} {{ {} }}", self.name, texts.join(", ")),
            _ => format!("{}({})", self.name, texts.join(", ")),
        }
    }
}

/// The variants of a type, if they are known.
pub(super) fn variants(kind: &Kind, types: &Types<'_>) -> Vec<Variant> {
    match kind {
        Kind::Bool => ["false", "true"].map(|name| Variant::unnamed(name, Vec::new())).to_vec(),
        Kind::Option(kind) => {
            vec![Variant::unnamed("None", Vec::new()), Variant::unnamed("Some", vec![(**kind).clone()])]
        }
        Kind::Tuple(kinds) => vec![Variant::unnamed("", kinds.clone())],
        Kind::Array(kind, Expr::Lit(len)) => match &len.lit {
            Lit::Int(len) => {
                let n: usize = len.base10_parse().unwrap_or(0);
                vec![Variant::unnamed("", vec![(**kind).clone(); n])]
            }
            _ => Vec::new(),
        },
        Kind::Local(name) => {
            let of_enums = types.enums.iter().filter(|item| item.ident == *name);
            let of_enums = of_enums.flat_map(|item| &item.variants);
            let of_structs = types.structs.iter().filter(|item| item.ident == *name);
            of_enums
                .map(|variant| Variant::of(variant.ident.to_string(), &variant.fields, types))
                .chain(of_structs.map(|item| Variant::of(String::new(), &item.fields, types)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The patterns of fields in a pattern of a variant, a tuple or an array; nothing where it cannot be told.
pub(super) fn field_patterns<'p>(pat: &'p Pat, fields: &[Option<Ident>]) -> Option<Vec<Option<&'p Pat>>> {
    let mut all = vec![None; fields.len()];
    let elements = match pat {
        Pat::Struct(inner) => {
            for field in &inner.fields {
                all[position(fields, &field.member)?] = Some(&*field.pat);
            }
            return Some(all);
        }
        Pat::TupleStruct(inner) => &inner.elems,
        Pat::Tuple(inner) => &inner.elems,
        Pat::Slice(inner) => &inner.elems,
        _ => return all.is_empty().then_some(all),
    };
    let rest = elements.iter().position(|pat| matches!(pat, Pat::Rest(_)));
    if rest.is_none() && elements.len() != fields.len() {
        return None;
    }
    for (k, pat) in elements.iter().enumerate().filter(|(k, _)| Some(*k) != rest) {
        let is_after = rest.is_some_and(|rest| k > rest);
        let k = if is_after { (k + fields.len()).checked_sub(elements.len())? } else { k };
        *all.get_mut(k)? = Some(pat);
    }
    Some(all)
}

/// Which of these fields is meant.
pub(super) fn position(fields: &[Option<Ident>], member: &Member) -> Option<usize> {
    match member {
        Member::Named(name) => fields.iter().position(|own| own.as_ref() == Some(name)),
        Member::Unnamed(index) => Some(index.index as usize).filter(|k| *k < fields.len()),
    }
}

impl Pattern {
    pub(super) fn read(pat: &Pat, kind: &Kind, types: &Types<'_>) -> Pattern {
        let again = |pat: &Pat| Pattern::read(pat, kind, types);
        match pat {
            Pat::Wild(_) | Pat::Rest(_) => Pattern::All,
            Pat::Paren(inner) => again(&inner.pat),
            Pat::Guard(inner) => again(&inner.pat),
            Pat::Reference(inner) => again(&inner.pat),
            Pat::Or(or) => Pattern::Or(or.cases.iter().map(again).collect()),
            Pat::Ident(name) if is_variable(&name.ident) => {
                let inner = name.subpat.as_ref().map_or(Pattern::All, |(_, inner)| again(inner));
                Pattern::Named(name.ident.clone(), Box::new(inner))
            }
            pat => between(pat, kind)
                .or_else(|| Pattern::variant(pat, kind, types))
                .unwrap_or_else(|| Pattern::Unknown(pat.clone())),
        }
    }

    fn variant(pat: &Pat, kind: &Kind, types: &Types<'_>) -> Option<Pattern> {
        let name = match pat {
            Pat::Tuple(_) | Pat::Slice(_) => String::new(),
            Pat::Lit(syn::PatLit { lit: Lit::Bool(lit), .. }) => lit.value.to_string(),
            pat => head(pat)?.to_string(),
        };
        let all = variants(kind, types);
        let variant = all.into_iter().find(|variant| variant.name == name || variant.name.is_empty())?;
        let patterns = variant.patterns(pat, types)?;
        Some(Pattern::Variant(variant.name, patterns))
    }

    /// The same without names for the whole.
    fn nameless(&self) -> &Pattern {
        match self {
            Pattern::Named(_, inner) => inner.nameless(),
            pattern => pattern,
        }
    }

    /// The patterns of which it is made by `|`.
    fn cases(&self) -> Vec<&Pattern> {
        match self.nameless() {
            Pattern::Or(cases) => cases.iter().flat_map(Pattern::cases).collect(),
            pattern => vec![pattern],
        }
    }
}

/// Numbers as a pattern writes them.
fn between(pat: &Pat, kind: &Kind) -> Option<Pattern> {
    let (least, most) = kind.bounds()?;
    let (from, to) = match pat {
        Pat::Lit(lit) => {
            let value = number(&Expr::Lit(lit.clone()))?;
            (value, value)
        }
        Pat::Range(range) => {
            let bound = |bound: &Option<Box<Expr>>, none| bound.as_deref().map_or(Some(none), number);
            let to = bound(&range.end, most)?;
            let is_open = range.end.is_some() && matches!(range.limits, syn::RangeLimits::HalfOpen(_));
            (bound(&range.start, least)?, to - i128::from(is_open))
        }
        _ => return None,
    };
    Some(Pattern::Between(from, to))
}

/// The value of a whole number, a character or a byte.
pub(super) fn number(expr: &Expr) -> Option<i128> {
    match bare(expr) {
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => number(&unary.expr).map(|value| -value),
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(int) => int.base10_parse().ok(),
            Lit::Char(char) => Some(i128::from(u32::from(char.value()))),
            Lit::Byte(byte) => Some(i128::from(byte.value())),
            _ => None,
        },
        _ => None,
    }
}

/// Patterns for several values that are matched together.
pub(super) type Row<'p> = Vec<&'p Pattern>;

/// Values of a column that all patterns in it treat alike.
enum Class {
    All,
    Variant(Variant),
    Between(i128, i128),
}

/// An example, as it would be written, of what a row takes and no row before it does.
pub(super) fn left_over(
    kinds: &[Kind],
    before: &[Row<'_>],
    row: &[&Pattern],
    types: &Types<'_>,
) -> Option<Vec<String>> {
    let Some((kind, kinds)) = kinds.split_first() else { return before.is_empty().then(Vec::new) };
    let column: Vec<&Pattern> = before.iter().map(|row| row[0]).chain([row[0]]).collect();
    for class in classes(kind, &column, types) {
        let taken = |row: &[&'_ Pattern], is_asked| -> Vec<Vec<Pattern>> { class.parts(row[0], is_asked) };
        let before: Vec<(Vec<Pattern>, &[&Pattern])> = before
            .iter()
            .flat_map(|row| taken(row, false).into_iter().map(move |parts| (parts, &row[1..])))
            .collect();
        let before: Vec<Row<'_>> =
            before.iter().map(|(parts, rest)| parts.iter().chain(rest.iter().copied()).collect()).collect();
        let inner: Vec<Kind> = class.kinds().iter().chain(kinds).cloned().collect();
        for parts in taken(row, true) {
            let row: Row<'_> = parts.iter().chain(row[1..].iter().copied()).collect();
            if let Some(mut found) = left_over(&inner, &before, &row, types) {
                let rest = found.split_off(class.kinds().len());
                return Some([vec![class.text(&found)], rest].concat());
            }
        }
    }
    None
}

fn classes(kind: &Kind, column: &[&Pattern], types: &Types<'_>) -> Vec<Class> {
    let cases: Vec<&Pattern> = column.iter().flat_map(|pattern| pattern.cases()).collect();
    if cases.iter().any(|case| matches!(case, Pattern::Variant(..))) {
        return variants(kind, types).into_iter().map(Class::Variant).collect();
    }
    let bounds = cases.iter().filter_map(|case| match case {
        Pattern::Between(from, to) => Some([*from, to + 1]),
        _ => None,
    });
    let mut starts: Vec<i128> = bounds.flatten().collect();
    let Some((least, most)) = kind.bounds().filter(|_| !starts.is_empty()) else { return vec![Class::All] };
    starts.extend([least, most + 1]);
    starts.retain(|start| (least..=most + 1).contains(start));
    starts.sort_unstable();
    starts.dedup();
    starts.windows(2).map(|pair| Class::Between(pair[0], pair[1] - 1)).collect()
}

impl Class {
    fn kinds(&self) -> &[Kind] {
        match self {
            Class::Variant(variant) => &variant.kinds,
            _ => &[],
        }
    }

    /// For each way in which a pattern takes this class, the patterns of its fields. What is not known takes
    /// none of it, or may take all if it is asked about.
    fn parts(&self, pattern: &Pattern, is_asked: bool) -> Vec<Vec<Pattern>> {
        let all = || vec![Pattern::All; self.kinds().len()];
        let one = |case: &Pattern| match (case, self) {
            (Pattern::All, _) => Some(all()),
            (Pattern::Unknown(_), _) => is_asked.then(all),
            (Pattern::Variant(name, parts), Class::Variant(variant)) => {
                (*name == variant.name).then(|| parts.clone())
            }
            (Pattern::Between(from, to), Class::Between(least, most)) => {
                (from <= least && most <= to).then(Vec::new)
            }
            _ => None,
        };
        pattern.cases().into_iter().filter_map(one).collect()
    }

    fn text(&self, fields: &[String]) -> String {
        match self {
            Class::All => "_".to_string(),
            Class::Variant(variant) => variant.text(fields),
            Class::Between(from, to) if from == to => from.to_string(),
            Class::Between(from, to) => format!("{from}..={to}"),
        }
    }
}
