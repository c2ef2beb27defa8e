//! C types that specs name: found among the program's, or added to them.

use super::Checker;
use super::types::standard;
use crate::ctypes::{CType, RecordId, Tag, TypeId};
use crate::spec::ast::{ArrayLength, CTypeExpr, Name};
use crate::spec::diagnostic::Diagnostic;
use crate::spec::position::Span;

/// A member, found: where it is and what it is.
#[derive(Clone, Debug)]
pub(super) struct FoundMember {
    /// The places of the records on the way, from outside: more than one through members without a name.
    pub(super) path: Vec<(RecordId, u32)>,
    pub(super) offset: u64,
    pub(super) ctype: TypeId,
    pub(super) is_bit_field: bool,
}

impl Checker<'_> {
    /// The C type that is written.
    pub(super) fn c_type(&mut self, written: &CTypeExpr) -> Option<TypeId> {
        let key = format!("{} {} {:?}", written.words.join(" "), written.n_stars, written.lengths);
        if let Some(known) = self.c_types.get(&key) {
            // Reported the first time; a second message for the same name would say nothing new.
            return *known;
        }
        let base = self.base_c_type(written);
        let found = base.map(|mut ty| {
            for _ in 0..written.n_stars {
                ty = self.find_or_add(CType::Pointer { to: ty, is_const: false });
            }
            for length in written.lengths.iter().rev() {
                let len = match length {
                    None => None,
                    Some(ArrayLength::Number(len)) => Some(*len),
                    Some(ArrayLength::Constant(name)) => Some(self.constant_length(name)?),
                };
                ty = self.find_or_add(CType::Array { of: ty, len });
            }
            Some(ty)
        });
        let found = found.flatten();
        self.c_types.insert(key, found);
        found
    }

    /// The length that a constant of an enumeration says, or a message.
    fn constant_length(&mut self, name: &Name) -> Option<u64> {
        let value = self.table.constants.get(&name.text).copied();
        let length = value.and_then(|value| u64::try_from(value).ok());
        if length.is_none() {
            let message = match value {
                Some(value) => format!("`{}` is {value}, which is no length", name.text),
                None => format!("`{}` is no constant of an enumeration", name.text),
            };
            self.error(name.span, message);
        }
        length
    }

    /// The C type that is written, with its size.
    pub(super) fn sized_c_type(&mut self, written: &CTypeExpr) -> Option<(TypeId, u64)> {
        let id = self.c_type(written)?;
        self.size_of(id, written.span).map(|size| (id, size))
    }

    /// A type's size, or a message.
    pub(super) fn size_of(&mut self, id: TypeId, span: Span) -> Option<u64> {
        let size = self.ctypes.size(id);
        if size.is_none() {
            let name = self.ctypes.name(id);
            self.error(span, format!("the size of `{name}` is not known"));
        }
        size
    }

    fn base_c_type(&mut self, written: &CTypeExpr) -> Option<TypeId> {
        let words: Vec<&str> = written.words.iter().map(String::as_str).collect();
        match words[..] {
            [kind @ ("struct" | "union" | "enum"), name] => self.tagged(kind, name, written.span),
            [name] if basic(&words).is_none() => self.typedef(name, written.span),
            _ => match basic(&words) {
                Some(ty) => Some(self.find_or_add(ty)),
                None => {
                    self.error(written.span, format!("unknown C type `{}`", words.join(" ")));
                    None
                }
            },
        }
    }

    fn tagged(&mut self, kind: &str, name: &str, span: Span) -> Option<TypeId> {
        let tag = match kind {
            "struct" => Tag::Struct(name.to_string()),
            "union" => Tag::Union(name.to_string()),
            _ => Tag::Enum(name.to_string()),
        };
        let found = self.ctypes.tags.get(&tag).copied();
        if found.is_none() {
            let help = self.suggestion(name, self.tag_names());
            self.report(Diagnostic::error(span, format!("unknown C type `{kind} {name}`")).maybe_help(help));
        }
        found
    }

    fn typedef(&mut self, name: &str, span: Span) -> Option<TypeId> {
        if let Some(found) = self.ctypes.typedefs.get(name) {
            return Some(*found);
        }
        if let Some(bits) = standard(name) {
            let size = u32::from(bits.width / 8);
            return Some(self.find_or_add(CType::Integer {
                size,
                is_signed: bits.is_signed,
                name: name.to_string(),
            }));
        }
        let is_struct = self.ctypes.tags.contains_key(&Tag::Struct(name.to_string()));
        let help = if is_struct {
            Some(format!("write `struct {name}`"))
        } else if crate::spec::types::Bits::from_name(name).is_some() {
            Some("here stands a C type, such as `int` or `unsigned char`".to_string())
        } else {
            self.suggestion(name, self.ctypes.typedefs.keys().map(String::as_str))
        };
        self.report(Diagnostic::error(span, format!("unknown C type `{name}`")).maybe_help(help));
        None
    }

    /// A type of the program that is the same, or a new one.
    fn find_or_add(&mut self, ty: CType) -> TypeId {
        let is_same = |known: &CType| match (known, &ty) {
            (CType::Integer { size: a, is_signed: b, .. }, CType::Integer { size: c, is_signed: d, .. }) => {
                a == c && b == d
            }
            (CType::Float { size: a, .. }, CType::Float { size: b, .. }) => a == b,
            (CType::Pointer { to: a, .. }, CType::Pointer { to: b, .. }) => a == b,
            (known, ty) => known == ty,
        };
        let found = self.ctypes.ids().find(|id| is_same(self.ctypes.get(*id)));
        found.unwrap_or_else(|| self.ctypes.add(ty))
    }

    /// A member of a record, also through members without a name.
    pub(super) fn find_member(&self, record: RecordId, name: &str) -> Option<FoundMember> {
        self.find_member_within(record, name, 16)
    }

    fn find_member_within(&self, record: RecordId, name: &str, fuel: u32) -> Option<FoundMember> {
        let members = &self.ctypes.record(record).members;
        if let Some(k) = members.iter().position(|member| member.name == name) {
            let member = &members[k];
            return Some(FoundMember {
                path: vec![(record, k as u32)],
                offset: member.offset,
                ctype: member.ty,
                is_bit_field: member.bits.is_some(),
            });
        }
        members.iter().enumerate().filter(|(_, member)| member.name.is_empty()).find_map(|(k, member)| {
            let CType::Record(inner) = self.ctypes.get(member.ty) else { return None };
            let mut found = self.find_member_within(*inner, name, fuel.checked_sub(1)?)?;
            found.path.insert(0, (record, k as u32));
            found.offset = found.offset.checked_add(member.offset)?;
            Some(found)
        })
    }

    /// A member of a record, or a message.
    pub(super) fn member(&mut self, record: RecordId, name: &Name) -> Option<FoundMember> {
        let found = self.find_member(record, &name.text);
        if found.is_none() {
            let held = self.ctypes.record(record);
            let names =
                held.members.iter().map(|member| member.name.as_str()).filter(|name| !name.is_empty());
            let help = self.suggestion(&name.text, names.clone()).or_else(|| {
                let all: Vec<String> = names.take(8).map(|name| format!("`{name}`")).collect();
                (!all.is_empty()).then(|| format!("its members are {}", all.join(", ")))
            });
            let kind = self.show(&crate::spec::types::Type::Struct(record));
            let message = if held.size.is_none() {
                format!("`{kind}` is declared but not defined")
            } else {
                format!("`{kind}` has no member `{}`", name.text)
            };
            self.report(Diagnostic::error(name.span, message).maybe_help(help));
        }
        found
    }
}

/// C's own types, by their words in any order.
fn basic(words: &[&str]) -> Option<CType> {
    let count = |word: &str| words.iter().filter(|found| **found == word).count();
    let (n_long, is_unsigned, is_signed) = (count("long"), count("unsigned") > 0, count("signed") > 0);
    let known = [
        "void", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "_Bool", "bool",
        "__int128",
    ];
    if words.iter().any(|word| !known.contains(word)) {
        return None;
    }
    let integer = |size, name: &str| {
        let name = if is_unsigned { format!("unsigned {name}") } else { name.to_string() };
        Some(CType::Integer { size, is_signed: !is_unsigned, name })
    };
    if count("void") > 0 {
        return (words.len() == 1).then_some(CType::Void);
    }
    if count("_Bool") + count("bool") > 0 {
        return (words.len() == 1).then_some(CType::Bool);
    }
    if count("float") > 0 {
        return (words.len() == 1).then(|| CType::Float { size: 4, name: "float".to_string() });
    }
    if count("double") > 0 {
        let (size, name) = if n_long > 0 { (16, "long double") } else { (8, "double") };
        return (words.len() == 1 + n_long).then(|| CType::Float { size, name: name.to_string() });
    }
    if count("char") > 0 {
        if words.len() != 1 + usize::from(is_unsigned || is_signed) {
            return None;
        }
        return match (is_unsigned, is_signed) {
            (false, false) => Some(CType::Char),
            _ => Some(CType::Integer {
                size: 1,
                is_signed,
                name: if is_signed { "signed char" } else { "unsigned char" }.to_string(),
            }),
        };
    }
    match (count("short"), n_long, count("__int128")) {
        (0, 0, 0) => integer(4, "int"),
        (1.., 0, 0) => integer(2, "short"),
        (0, 1, 0) => integer(8, "long"),
        (0, 2, 0) => integer(8, "long long"),
        (0, 0, 1) => integer(16, "__int128"),
        _ => None,
    }
}
