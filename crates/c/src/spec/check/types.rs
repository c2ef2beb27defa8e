//! Types as they are written become types, and types become text for messages.

use super::{Checker, SynonymState};
use crate::ctypes::{CType, Tag};
use crate::spec::ast::{TypeExpr, TypeKind};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;
use crate::spec::types::{Bits, Type, canonical, of_c};
use std::sync::Arc;

/// Parts of a type.
const MAX_SIZE: usize = 1_000;
/// Synonyms of synonyms.
const MAX_SYNONYMS: u32 = 30;

/// What is known of an allocation.
pub(super) fn allocation_type() -> Type {
    let bits = Type::Bits(Bits::U64);
    Type::Record(vec![("base".to_string(), bits.clone()), ("size".to_string(), bits)].into())
}

impl Checker<'_> {
    /// What a type means.
    pub(super) fn resolve(&mut self, ty: &TypeExpr) -> Type {
        let resolved = self.resolve_kind(ty);
        self.bounded(resolved, ty.span)
    }

    /// A type that is not too large to be looked at.
    pub(super) fn bounded(&mut self, ty: Type, span: Span) -> Type {
        if ty.size_up_to(MAX_SIZE + 1) <= MAX_SIZE {
            return ty;
        }
        let message = format!("this type has more than {MAX_SIZE} parts");
        self.report(Diagnostic::error(span, message).help("make a `datatype` of some of them"));
        Type::Unknown
    }

    fn resolve_kind(&mut self, ty: &TypeExpr) -> Type {
        match &ty.kind {
            TypeKind::Bits(bits) => Type::Bits(*bits),
            TypeKind::Integer => Type::Integer,
            TypeKind::Real => Type::Real,
            TypeKind::Boolean => Type::Boolean,
            TypeKind::Pointer => Type::Pointer(None),
            TypeKind::AllocId => Type::AllocId,
            TypeKind::Void => Type::Void,
            TypeKind::Wrong => Type::Unknown,
            TypeKind::Record(fields) => {
                let mut fields = self.fields(fields);
                fields.sort_by(|a, b| a.0.cmp(&b.0));
                Type::Record(fields.into())
            }
            TypeKind::Struct(name) => self.struct_type(&name.text, name.span),
            TypeKind::Datatype(name) => match self.table.datatypes.get(&name.text) {
                Some(id) => Type::Datatype(*id),
                None => self.unknown_type("datatype", &name.text, name.span),
            },
            TypeKind::Map(key, value) => {
                let key = self.resolve(key);
                Type::map(key, self.resolve(value))
            }
            TypeKind::List(of) => Type::List(Arc::new(self.resolve(of))),
            TypeKind::Set(of) => Type::Set(Arc::new(self.resolve(of))),
            TypeKind::Option(of) => Type::Option(Arc::new(self.resolve(of))),
            TypeKind::Tuple(of) => {
                let types: Vec<Type> = of.iter().map(|ty| self.resolve(ty)).collect();
                Type::Tuple(types.into())
            }
            TypeKind::Named(name) => self.named_type(name, ty.span),
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Type {
        if let Some(ty) = self.synonym(name) {
            return ty;
        }
        if let Some(id) = self.table.datatypes.get(name) {
            return Type::Datatype(*id);
        }
        if let Some(id) = self.ctypes.typedefs.get(name).copied() {
            self.speaks_of(id, span);
            return of_c(self.ctypes, id).unwrap_or_else(|| {
                self.error(span, format!("specs cannot speak of values of the C type `{name}`"));
                Type::Unknown
            });
        }
        if let Some(bits) = standard(name) {
            return Type::Bits(bits);
        }
        if self.ctypes.tags.contains_key(&Tag::Struct(name.to_string())) {
            self.report(
                Diagnostic::error(span, format!("unknown type `{name}`"))
                    .help(format!("write `struct {name}`")),
            );
            return Type::Unknown;
        }
        self.unknown_type("type", name, span)
    }

    /// What a synonym means, if there is one with the name.
    pub(super) fn synonym(&mut self, name: &str) -> Option<Type> {
        let synonym = self.table.synonyms.get_mut(name)?;
        let ast = synonym.ast;
        match &synonym.state {
            SynonymState::Done(ty) => return Some(ty.clone()),
            SynonymState::Open => {
                self.error(ast.name.span, format!("`{name}` is a synonym of itself"));
                return Some(Type::Unknown);
            }
            SynonymState::Fresh => synonym.state = SynonymState::Open,
        }
        if self.synonym_depth >= MAX_SYNONYMS {
            synonym.state = SynonymState::Done(Type::Unknown);
            self.error(ast.name.span, format!("more than {MAX_SYNONYMS} synonyms of synonyms"));
            return Some(Type::Unknown);
        }
        self.synonym_depth += 1;
        let ty = self.resolve(&ast.ty);
        self.synonym_depth -= 1;
        if let Some(synonym) = self.table.synonyms.get_mut(name) {
            synonym.state = SynonymState::Done(ty.clone());
        }
        Some(ty)
    }

    /// `struct S`
    pub(super) fn struct_type(&mut self, name: &str, span: Span) -> Type {
        let tags = [Tag::Struct(name.to_string()), Tag::Union(name.to_string())];
        let found = tags.iter().find_map(|tag| self.ctypes.tags.get(tag));
        let found = found.or_else(|| self.ctypes.typedefs.get(name));
        match found.map(|id| self.ctypes.get(*id)) {
            Some(CType::Record(record)) => Type::Struct(canonical(self.ctypes, *record)),
            _ => self.unknown_type("struct", name, span),
        }
    }

    fn unknown_type(&mut self, kind: &str, name: &str, span: Span) -> Type {
        if self.diagnostics.is_unread(name) {
            return Type::Unknown;
        }
        let help = match kind {
            "datatype" => self.suggestion(name, self.table.datatypes.keys().map(String::as_str)),
            "struct" => self.suggestion(name, self.tag_names()),
            _ => {
                let own = self.table.synonyms.keys().chain(self.ctypes.typedefs.keys()).map(String::as_str);
                let simple = ["integer", "boolean", "pointer", "real", "void", "u32", "i32", "u64", "i64"];
                self.suggestion(name, own.chain(simple))
            }
        };
        self.report(Diagnostic::error(span, format!("unknown {kind} `{name}`")).maybe_help(help));
        Type::Unknown
    }

    /// The tags of structs, unions and enums.
    pub(super) fn tag_names(&self) -> impl Iterator<Item = &str> {
        self.ctypes.tags.keys().map(|tag| match tag {
            Tag::Struct(name) | Tag::Union(name) | Tag::Enum(name) => name.as_str(),
        })
    }

    /// A type as specs write it.
    pub(super) fn show(&self, ty: &Type) -> String {
        match ty {
            Type::Unknown => "?".to_string(),
            Type::Bits(bits) => bits.name().to_string(),
            Type::Integer => "integer".to_string(),
            Type::Real => "real".to_string(),
            Type::Boolean => "boolean".to_string(),
            Type::Pointer(_) => "pointer".to_string(),
            Type::AllocId => "alloc_id".to_string(),
            Type::Void => "void".to_string(),
            Type::Record(fields) => {
                let fields: Vec<String> =
                    fields.iter().map(|(name, ty)| format!("{} {name}", self.show(ty))).collect();
                format!("{{{}}}", fields.join(", "))
            }
            Type::Struct(id) => {
                let record = self.ctypes.record(*id);
                let kind = if record.is_union { "union" } else { "struct" };
                let name = if record.name.is_empty() { "(unnamed)" } else { &record.name };
                format!("{kind} {name}")
            }
            Type::Datatype(id) => {
                let name = self.specs.datatypes.get(id.0 as usize).map(|datatype| datatype.name.as_str());
                let named = || {
                    self.table.datatypes.iter().find(|(_, known)| *known == id).map(|(name, _)| name.as_str())
                };
                format!("datatype {}", name.or_else(named).unwrap_or("?"))
            }
            Type::Map(of) => format!("map<{}, {}>", self.show(&of.0), self.show(&of.1)),
            Type::List(of) => format!("cn_list<{}>", self.show(of)),
            Type::Set(of) => format!("cn_set<{}>", self.show(of)),
            Type::Option(of) => format!("cn_option<{}>", self.show(of)),
            Type::Tuple(of) => {
                let types: Vec<String> = of.iter().map(|ty| self.show(ty)).collect();
                format!("cn_tuple<{}>", types.join(", "))
            }
        }
    }
}

/// Types that every program could name, whether or not this one does.
pub(super) fn standard(name: &str) -> Option<Bits> {
    let name = match name {
        "uint8_t" => "u8",
        "uint16_t" => "u16",
        "uint32_t" => "u32",
        "uint64_t" | "size_t" | "uintptr_t" | "uintmax_t" => "u64",
        "int8_t" => "i8",
        "int16_t" => "i16",
        "int32_t" => "i32",
        "int64_t" | "ssize_t" | "intptr_t" | "ptrdiff_t" | "intmax_t" => "i64",
        _ => return None,
    };
    Bits::from_name(name)
}
