//! Values made of others: constructors, structs, records, maps, lists.

use super::{Checker, expr, wrong};
use crate::spec::ast::{self, Name};
use crate::spec::checked::{Expr, ExprKind};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Type, of_c};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::expressions::{adapt, short};

impl Checker<'_> {
    /// `e.f`
    pub(super) fn member_of(&mut self, of: &ast::Expr, name: &Name, span: Span) -> Expr {
        let value = self.expr(of);
        if let Type::Pointer(_) = value.ty {
            self.report(Diagnostic::error(span, format!("`{}` is a pointer", short(of))).help(format!(
                "write `{}->{}`",
                short(of),
                name.text
            )));
            return wrong(span);
        }
        self.member_of_value(value, name, span)
    }

    pub(super) fn member_of_value(&mut self, value: Expr, name: &Name, span: Span) -> Expr {
        match value.ty.clone() {
            Type::Unknown => wrong(span),
            Type::Record(fields) => match fields.binary_search_by(|(known, _)| known.cmp(&name.text)) {
                Ok(k) => {
                    let ty = fields[k].1.clone();
                    expr(ExprKind::Field(Box::new(value), k as u32), ty, span)
                }
                Err(_) => {
                    let help = self.suggestion(&name.text, fields.iter().map(|(name, _)| name.as_str()));
                    let shown = self.show(&value.ty);
                    let message = format!("`{shown}` has no field `{}`", name.text);
                    self.report(Diagnostic::error(name.span, message).maybe_help(help));
                    wrong(span)
                }
            },
            Type::Struct(record) => {
                let Some(member) = self.member(record, name) else { return wrong(span) };
                let mut inner = value;
                for (record, k) in &member.path {
                    let ctype = self.ctypes.record(*record).members[*k as usize].ty;
                    self.speaks_of(ctype, span);
                    let ty = of_c(self.ctypes, ctype).unwrap_or_else(|| {
                        let shown = self.ctypes.name(ctype);
                        self.error(span, format!("specs cannot speak of values of the C type `{shown}`"));
                        Type::Unknown
                    });
                    inner = expr(ExprKind::Member(Box::new(inner), *k), ty, span);
                }
                inner
            }
            other => {
                let shown = self.show(&other);
                self.error(span, format!("`{shown}` has no members"));
                wrong(span)
            }
        }
    }

    /// `Con { f: e }`
    pub(super) fn construct(&mut self, name: &Name, fields: &[(Name, ast::Expr)], span: Span) -> Expr {
        let Some((id, k)) = self.table.constructors.get(&name.text).copied() else {
            let known = self.table.constructors.keys().map(String::as_str);
            let help = self.suggestion(&name.text, known);
            let mut diagnostic =
                Diagnostic::error(name.span, format!("unknown constructor `{}`", name.text)).maybe_help(help);
            if let Type::Struct(_) = self.struct_type_quietly(&name.text) {
                diagnostic =
                    diagnostic.help(format!("for the C struct, write `struct {} {{ … }}`", name.text));
            }
            if !self.diagnostics.is_unread(&name.text) {
                self.report(diagnostic);
            }
            fields.iter().for_each(|(_, e)| drop(self.expr(e)));
            return wrong(span);
        };
        let constructor = &self.specs.datatypes[id.0 as usize].constructors[k as usize];
        let expected = constructor.fields.clone();
        let values = self.named_values(&expected, fields, &format!("`{}`", name.text), span);
        expr(ExprKind::Construct(id, k, values), Type::Datatype(id), span)
    }

    fn struct_type_quietly(&self, name: &str) -> Type {
        let tag = crate::ctypes::Tag::Struct(name.to_string());
        match self.ctypes.tags.get(&tag).map(|id| self.ctypes.get(*id)) {
            Some(crate::ctypes::CType::Record(record)) => Type::Struct(*record),
            _ => Type::Unknown,
        }
    }

    /// `struct S { f: e }`
    pub(super) fn struct_value(&mut self, name: &Name, fields: &[(Name, ast::Expr)], span: Span) -> Expr {
        let ty = self.struct_type(&name.text, name.span);
        let Type::Struct(record) = ty else {
            fields.iter().for_each(|(_, e)| drop(self.expr(e)));
            return wrong(span);
        };
        let members = self.ctypes.record(record).members.clone();
        members.iter().for_each(|member| self.speaks_of(member.ty, span));
        let named: Vec<(String, Type)> = members
            .iter()
            .filter(|member| !member.name.is_empty())
            .map(|member| (member.name.clone(), of_c(self.ctypes, member.ty).unwrap_or(Type::Unknown)))
            .collect();
        let mut values =
            self.named_values(&named, fields, &format!("`struct {}`", name.text), span).into_iter();
        let all = members.iter().map(|member| {
            if member.name.is_empty() {
                let ty = of_c(self.ctypes, member.ty).unwrap_or(Type::Unknown);
                expr(ExprKind::Default, ty, span)
            } else {
                values.next().unwrap_or_else(|| wrong(span))
            }
        });
        let all = all.collect();
        expr(ExprKind::Struct(record, all), ty, span)
    }

    /// Values for all of some named fields, in their order.
    fn named_values(
        &mut self,
        expected: &[(String, Type)],
        given: &[(Name, ast::Expr)],
        what: &str,
        span: Span,
    ) -> Vec<Expr> {
        let places: BTreeMap<&str, usize> =
            expected.iter().enumerate().map(|(k, (name, _))| (name.as_str(), k)).collect();
        let mut values: Vec<Option<Expr>> = vec![None; expected.len()];
        for (name, value) in given {
            let Some(k) = places.get(name.text.as_str()).copied() else {
                let help = self.suggestion(&name.text, expected.iter().map(|(name, _)| name.as_str()));
                let message = format!("{what} has no field `{}`", name.text);
                self.report(Diagnostic::error(name.span, message).maybe_help(help));
                self.expr(value);
                continue;
            };
            let checked = self.expect(value, &expected[k].1);
            if values[k].replace(checked).is_some() {
                self.error(name.span, format!("a second value for `{}`", name.text));
            }
        }
        let missing: Vec<String> = expected
            .iter()
            .zip(&values)
            .filter(|(_, value)| value.is_none())
            .map(|((name, _), _)| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            let shown = missing.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
            self.error(span, format!("{what} lacks {shown}"));
        }
        values.into_iter().map(|value| value.unwrap_or_else(|| wrong(span))).collect()
    }

    /// `{ a: e }`
    pub(super) fn record(&mut self, fields: &[(Name, ast::Expr)], span: Span) -> Expr {
        let mut values: BTreeMap<String, Expr> = BTreeMap::new();
        for (name, value) in fields {
            let value = self.expr(value);
            if values.insert(name.text.clone(), value).is_some() {
                self.error(name.span, format!("a second field `{}`", name.text));
            }
        }
        let types: Vec<(String, Type)> =
            values.iter().map(|(name, e)| (name.clone(), e.ty.clone())).collect();
        let ty = self.bounded(Type::Record(types.into()), span);
        expr(ExprKind::Record(values.into_values().collect()), ty, span)
    }

    /// `{ a: e, ..r }`
    pub(super) fn update(&mut self, fields: &[(Name, ast::Expr)], base: &ast::Expr, span: Span) -> Expr {
        let checked = self.expr(base);
        let ty = checked.ty.clone();
        if !matches!(ty, Type::Record(_) | Type::Struct(_) | Type::Unknown) {
            let shown = self.show(&ty);
            self.error(base.span, format!("only records and structs can be updated, this is `{shown}`"));
            return wrong(span);
        }
        let mut updates = Vec::new();
        for (name, value) in fields {
            let place = match &ty {
                Type::Record(of) => {
                    let found = of.binary_search_by(|(known, _)| known.cmp(&name.text));
                    found.ok().map(|k| (k as u32, of[k].1.clone()))
                }
                Type::Struct(record) => {
                    let record = *record;
                    self.find_member(record, &name.text).filter(|found| found.path.len() == 1).map(|found| {
                        self.speaks_of(found.ctype, name.span);
                        let ty = of_c(self.ctypes, found.ctype).unwrap_or(Type::Unknown);
                        (found.path[0].1, ty)
                    })
                }
                _ => Some((0, Type::Unknown)),
            };
            match place {
                Some((k, of)) => {
                    let value = self.expect(value, &of);
                    updates.push((k, value));
                }
                None => {
                    let shown = self.show(&ty);
                    self.error(name.span, format!("`{shown}` has no field `{}`", name.text));
                    self.expr(value);
                }
            }
        }
        expr(ExprKind::Update(Box::new(checked), updates), ty, span)
    }

    /// The key and value types of a map, or a message.
    fn map_types(&mut self, map: &Expr, of: &ast::Expr) -> Option<Arc<(Type, Type)>> {
        match &map.ty {
            Type::Map(types) => Some(types.clone()),
            Type::Unknown => None,
            other => {
                let shown = self.show(other);
                let mut diagnostic = Diagnostic::error(of.span, format!("expected a map, found `{shown}`"));
                if let Type::Pointer(_) = other {
                    let p = short(of);
                    diagnostic = diagnostic.help(format!(
                        "take what it points to, and index that: `take A = each (u64 i; i < n) {{ RW<T>(array_shift<T>({p}, i)) }};`"
                    ));
                }
                self.report(diagnostic);
                None
            }
        }
    }

    /// `m[i]`
    pub(super) fn map_get(&mut self, map: &ast::Expr, index: &ast::Expr, span: Span) -> Expr {
        let checked = self.expr(map);
        let Some(types) = self.map_types(&checked, map) else {
            self.expr(index);
            return wrong(span);
        };
        let index = self.expect(index, &types.0);
        expr(ExprKind::MapGet(Box::new(checked), Box::new(index)), types.1.clone(), span)
    }

    /// `m[i: v, …]`
    pub(super) fn map_set(
        &mut self,
        map: &ast::Expr,
        updates: &[(ast::Expr, ast::Expr)],
        span: Span,
    ) -> Expr {
        let checked = self.expr(map);
        let Some(types) = self.map_types(&checked, map) else { return wrong(span) };
        let updates = updates
            .iter()
            .map(|(key, value)| (self.expect(key, &types.0), self.expect(value, &types.1)))
            .collect();
        let ty = checked.ty.clone();
        expr(ExprKind::MapSet(Box::new(checked), updates), ty, span)
    }

    /// `[a, …]`
    pub(super) fn list(&mut self, elements: &[ast::Expr], span: Span) -> Expr {
        let mut values: Vec<Expr> = elements.iter().map(|e| self.expr(e)).collect();
        let of = values.iter().map(|e| e.ty.clone()).find(|ty| *ty != Type::Integer).unwrap_or(Type::Integer);
        for (k, e) in elements.iter().enumerate() {
            let value = std::mem::replace(&mut values[k], wrong(span));
            values[k] = self.coerce(adapt(value, &of), &of, e);
        }
        let ty = self.bounded(Type::List(Arc::new(of)), span);
        expr(ExprKind::List(values), ty, span)
    }
}
