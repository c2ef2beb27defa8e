//! `match`: patterns, whether they cover everything, and whether each can be reached.
//!
//! The test is the usual one (a pattern is useful if it matches a value that none before it does), done with
//! fuel: patterns can be written for which it takes exponential time.

use super::expressions::adapt;
use super::{Checker, expr, wrong};
use crate::spec::ast::{self, PatternKind};
use crate::spec::checked::{Arm, Datatype, Expr, ExprKind, Match, Pattern};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::Type;
use std::collections::BTreeMap;

/// Steps spent on one `match`.
const FUEL: u32 = 20_000;

impl Checker<'_> {
    pub(super) fn matching(&mut self, of: &ast::Expr, arms: &[ast::Arm], span: Span) -> Expr {
        let of = self.expr(of);
        if arms.is_empty() {
            self.error(span, "a `match` without arms");
            return wrong(span);
        }
        let mut checked: Vec<Arm> = Vec::with_capacity(arms.len());
        let mut has_wrong_pattern = false;
        for arm in arms {
            let before = self.scope.bindings.len();
            let n_errors = self.diagnostics.n_errors();
            let pattern = self.pattern(&arm.pattern, &of.ty);
            has_wrong_pattern |= self.diagnostics.n_errors() > n_errors;
            let body = self.expr(&arm.body);
            self.scope.forget_to(before);
            checked.push(Arm { pattern, body });
        }
        let Some(ty) = self.arms_type(&mut checked, arms, span) else { return wrong(span) };
        if !of.ty.is_unknown() && !has_wrong_pattern {
            self.coverage(&of, &checked, arms, span);
        }
        let arms_of = match &of.ty {
            Type::Datatype(id) => {
                let n = self.specs.datatypes[id.0 as usize].constructors.len() as u32;
                (0..n).map(|constructor| candidates(&checked, constructor)).collect()
            }
            _ => Vec::new(),
        };
        expr(ExprKind::Match(Box::new(Match { of, arms: checked, arms_of })), ty, span)
    }

    /// The one type of all arms.
    fn arms_type(&mut self, checked: &mut [Arm], arms: &[ast::Arm], span: Span) -> Option<Type> {
        let is_settled = |ty: &Type| !matches!(ty, Type::Integer | Type::Unknown);
        let first = checked.iter().position(|arm| is_settled(&arm.body.ty)).unwrap_or(0);
        let mut ty = checked[first].body.ty.clone();
        let mut is_right = true;
        for (k, arm) in checked.iter_mut().enumerate() {
            let body = std::mem::replace(&mut arm.body, wrong(span));
            arm.body = adapt(body, &ty);
            if arm.body.ty.goes_with(&ty) {
                ty = ty.join(&arm.body.ty);
                continue;
            }
            is_right = false;
            let (shown, expected) = (self.show(&arm.body.ty), self.show(&ty));
            let diagnostic = Diagnostic::error(arms[k].body.span, "the arms have different types")
                .here(format!("this is `{shown}`"))
                .label(arms[first].body.span, format!("this is `{expected}`"));
            self.report(diagnostic);
        }
        is_right.then_some(ty)
    }

    fn pattern(&mut self, pattern: &ast::Pattern, ty: &Type) -> Pattern {
        match &pattern.kind {
            PatternKind::Any => Pattern::Any,
            PatternKind::Bind(name) => {
                if self.table.constructors.contains_key(name) {
                    self.report(
                        Diagnostic::error(pattern.span, format!("`{name}` is a constructor"))
                            .help(format!("write `{name} {{ … }}`")),
                    );
                }
                Pattern::Bind(self.scope.bind_slot(name, ty.clone(), pattern.span))
            }
            PatternKind::Construct(name, fields) => {
                let Some((id, k)) = self.table.constructors.get(&name.text).copied() else {
                    let help =
                        self.suggestion(&name.text, self.table.constructors.keys().map(String::as_str));
                    let message = format!("unknown constructor `{}`", name.text);
                    if !self.diagnostics.is_unread(&name.text) {
                        self.report(Diagnostic::error(name.span, message).maybe_help(help));
                    }
                    return self.unknown_pattern(fields);
                };
                if !ty.goes_with(&Type::Datatype(id)) {
                    let (shown, own) = (self.show(ty), self.show(&Type::Datatype(id)));
                    self.error(pattern.span, format!("this matches `{own}`, but the value is `{shown}`"));
                    return self.unknown_pattern(fields);
                }
                let known = self.specs.datatypes[id.0 as usize].constructors[k as usize].fields.clone();
                Pattern::Construct(k, self.pattern_fields(&name.text, &known, fields))
            }
        }
    }

    /// Binds what a wrong pattern binds, so that its body is not wrong as well.
    fn unknown_pattern(&mut self, fields: &[(ast::Name, ast::Pattern)]) -> Pattern {
        for (_, pattern) in fields {
            self.pattern(pattern, &Type::Unknown);
        }
        Pattern::Any
    }

    fn pattern_fields(
        &mut self,
        constructor: &str,
        known: &[(String, Type)],
        fields: &[(ast::Name, ast::Pattern)],
    ) -> Vec<(u32, Pattern)> {
        let mut found: Vec<(u32, Pattern)> = Vec::new();
        let mut seen = vec![false; known.len()];
        let places: BTreeMap<&str, usize> =
            known.iter().enumerate().map(|(k, (field, _))| (field.as_str(), k)).collect();
        for (name, pattern) in fields {
            let Some(k) = places.get(name.text.as_str()).copied() else {
                let help = self.suggestion(&name.text, known.iter().map(|(field, _)| field.as_str()));
                let message = format!("`{constructor}` has no field `{}`", name.text);
                self.report(Diagnostic::error(name.span, message).maybe_help(help));
                self.pattern(pattern, &Type::Unknown);
                continue;
            };
            if std::mem::replace(&mut seen[k], true) {
                self.error(name.span, format!("a second pattern for `{}`", name.text));
            }
            let pattern = self.pattern(pattern, &known[k].1);
            if pattern != Pattern::Any {
                found.push((k as u32, pattern));
            }
        }
        found
    }

    fn coverage(&mut self, of: &Expr, checked: &[Arm], arms: &[ast::Arm], span: Span) {
        let mut search = Search { datatypes: &self.specs.datatypes, fuel: FUEL };
        let rows: Vec<Vec<&Pattern>> = checked.iter().map(|arm| vec![&arm.pattern]).collect();
        let types = std::slice::from_ref(&of.ty);
        let missing = search.missing(&rows, types);
        let mut unreachable = Vec::new();
        for k in 0..rows.len() {
            if search.fuel == 0 {
                break;
            }
            if !search.is_useful(&rows[..k], &rows[k], types) && search.fuel > 0 {
                unreachable.push(k);
            }
        }
        let is_too_much = search.fuel == 0;
        if is_too_much {
            self.report(
                Diagnostic::error(span, "these patterns are too many to see whether they cover everything")
                    .help("match in several steps"),
            );
        } else if let Some(missing) = missing {
            let shown = missing.first().cloned().unwrap_or_default();
            self.report(
                Diagnostic::error(span, format!("`{shown}` is not covered"))
                    .help("add an arm for it, or `_` for everything that remains"),
            );
        }
        for k in unreachable {
            self.report(Diagnostic::warning(
                arms[k].pattern.span,
                "this arm is never reached: those before cover it",
            ));
        }
    }
}

/// The arms that can match a constructor.
fn candidates(arms: &[Arm], constructor: u32) -> Vec<u32> {
    let can_match = |pattern: &Pattern| match pattern {
        Pattern::Any | Pattern::Bind(_) => true,
        Pattern::Construct(k, _) => *k == constructor,
    };
    arms.iter().enumerate().filter(|(_, arm)| can_match(&arm.pattern)).map(|(k, _)| k as u32).collect()
}

struct Search<'a> {
    datatypes: &'a [Datatype],
    fuel: u32,
}

static ANY: Pattern = Pattern::Any;

impl<'a> Search<'a> {
    fn field_types(&self, ty: &Type, constructor: u32) -> Vec<Type> {
        let Type::Datatype(id) = ty else { return Vec::new() };
        let constructor = self.datatypes[id.0 as usize].constructors.get(constructor as usize);
        constructor.map_or(Vec::new(), |of| of.fields.iter().map(|(_, ty)| ty.clone()).collect())
    }

    /// A value that no row matches, as text, one for each column.
    fn missing(&mut self, rows: &[Vec<&'a Pattern>], types: &[Type]) -> Option<Vec<String>> {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return None;
        }
        let Some((first, rest)) = types.split_first() else {
            return rows.is_empty().then(Vec::new);
        };
        let has_constructor = rows.iter().any(|row| matches!(row[0], Pattern::Construct(..)));
        let Type::Datatype(id) = first else { return self.missing_rest(rows, rest) };
        if !has_constructor {
            return self.missing_rest(rows, rest);
        }
        let n = self.datatypes[id.0 as usize].constructors.len() as u32;
        for constructor in 0..n {
            let fields = self.field_types(first, constructor);
            let n_fields = fields.len();
            let inner: Vec<Vec<&'a Pattern>> =
                rows.iter().filter_map(|row| specialise(row, constructor, n_fields)).collect();
            let types: Vec<Type> = fields.into_iter().chain(rest.iter().cloned()).collect();
            if let Some(mut witness) = self.missing(&inner, &types) {
                let of = &self.datatypes[id.0 as usize].constructors[constructor as usize];
                let rest = witness.split_off(n_fields);
                let shown: Vec<String> = of
                    .fields
                    .iter()
                    .zip(&witness)
                    .map(|((name, _), value)| format!("{name}: {value}"))
                    .collect();
                let head = if shown.is_empty() {
                    format!("{} {{}}", of.name)
                } else {
                    format!("{} {{ {} }}", of.name, shown.join(", "))
                };
                return Some(std::iter::once(head).chain(rest).collect());
            }
        }
        None
    }

    fn missing_rest(&mut self, rows: &[Vec<&'a Pattern>], rest: &[Type]) -> Option<Vec<String>> {
        let open: Vec<Vec<&'a Pattern>> = rows
            .iter()
            .filter(|row| !matches!(row[0], Pattern::Construct(..)))
            .map(|row| row[1..].to_vec())
            .collect();
        let witness = self.missing(&open, rest)?;
        Some(std::iter::once("_".to_string()).chain(witness).collect())
    }

    /// Whether a row matches a value that none of the others does.
    fn is_useful(&mut self, rows: &[Vec<&'a Pattern>], row: &[&'a Pattern], types: &[Type]) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        if self.fuel == 0 {
            return true;
        }
        let Some((first, rest)) = types.split_first() else { return rows.is_empty() };
        let constructors: Vec<u32> = match (row[0], first) {
            (Pattern::Construct(k, _), _) => vec![*k],
            (_, Type::Datatype(id)) if rows.iter().any(|row| matches!(row[0], Pattern::Construct(..))) => {
                (0..self.datatypes[id.0 as usize].constructors.len() as u32).collect()
            }
            _ => {
                let open: Vec<Vec<&'a Pattern>> = rows
                    .iter()
                    .filter(|row| !matches!(row[0], Pattern::Construct(..)))
                    .map(|row| row[1..].to_vec())
                    .collect();
                return self.is_useful(&open, &row[1..], rest);
            }
        };
        constructors.into_iter().any(|constructor| {
            let fields = self.field_types(first, constructor);
            let n_fields = fields.len();
            let inner: Vec<Vec<&'a Pattern>> =
                rows.iter().filter_map(|row| specialise(row, constructor, n_fields)).collect();
            let types: Vec<Type> = fields.into_iter().chain(rest.iter().cloned()).collect();
            specialise(row, constructor, n_fields).is_some_and(|row| self.is_useful(&inner, &row, &types))
        })
    }
}

/// What remains of a row once its first value is known to have a constructor.
fn specialise<'a>(row: &[&'a Pattern], constructor: u32, n_fields: usize) -> Option<Vec<&'a Pattern>> {
    let mut inner: Vec<&'a Pattern> = vec![&ANY; n_fields];
    if let Pattern::Construct(k, fields) = row[0] {
        if *k != constructor {
            return None;
        }
        for (field, pattern) in fields {
            if let Some(place) = inner.get_mut(*field as usize) {
                *place = pattern;
            }
        }
    }
    inner.extend_from_slice(&row[1..]);
    Some(inner)
}
