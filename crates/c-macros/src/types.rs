//! The Rust type of each C type.
//!
//! Finds the Rust types, with the structs and enumerations that they need, or says why there is none. It does
//! not know functions.

use crate::request::OwnDeclarations;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use stairway_c_types::ctypes::{
    CType, CTypes, EnumId, Enumeration, Member, Record, RecordId, TypeId, is_word,
};
use std::collections::{BTreeMap, BTreeSet};

/// The types that bindings use, found one after the other.
pub(crate) struct Types<'p> {
    all: &'p CTypes,
    own: &'p OwnDeclarations,
    /// Structs and unions that are named somewhere, by name in C; those that are not expanded yet.
    records: BTreeMap<String, RecordId>,
    waiting: Vec<String>,
    enums: BTreeMap<String, EnumId>,
}

/// What a function takes and gives by its type; the words are for the user.
pub(crate) type TypeTokens = Result<TokenStream, String>;

/// Names that the module of a library has already.
const TAKEN: &[&str] = &["Calls", "Mocks", "LIBRARY", "NOT_BOUND", "Pointer"];

impl<'p> Types<'p> {
    pub(crate) fn new(all: &'p CTypes, own: &'p OwnDeclarations) -> Self {
        Types { all, own, records: BTreeMap::new(), waiting: Vec::new(), enums: BTreeMap::new() }
    }

    pub(crate) fn c_name(&self, ty: TypeId) -> String {
        self.all.name(ty)
    }

    /// What a pointer points to, and whether only to read it.
    pub(crate) fn pointed_to(&self, ty: TypeId) -> Option<(TypeId, bool)> {
        match self.all.get(ty) {
            CType::Pointer { to, is_const } if !matches!(self.all.get(*to), CType::Function(_)) => {
                Some((*to, *is_const))
            }
            _ => None,
        }
    }

    pub(crate) fn is_void(&self, ty: TypeId) -> bool {
        *self.all.get(ty) == CType::Void
    }

    pub(crate) fn is_text(&self, ty: TypeId) -> bool {
        *self.all.get(ty) == CType::Char
    }

    pub(crate) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.all.get(ty), CType::Integer { .. })
    }

    /// Whether values of a type can be read and written here, not only pointed to.
    pub(crate) fn is_value(&self, ty: TypeId) -> bool {
        self.refusal(ty).is_none()
    }

    /// Why a value cannot be had here, for a message.
    pub(crate) fn why_not(&self, ty: TypeId) -> String {
        self.refusal(ty).unwrap_or_default()
    }

    /// The type of a value.
    pub(crate) fn value(&mut self, ty: TypeId) -> TypeTokens {
        if let Some(why) = self.refusal(ty) {
            return Err(why);
        }
        Ok(match self.all.get(ty).clone() {
            CType::Bool => quote!(bool),
            CType::Char => quote!(u8),
            CType::Integer { is_signed, name, .. } if is_word(&name) => word(is_signed),
            CType::Integer { size, is_signed, .. } => integer(size, is_signed),
            CType::Float { size: 4, .. } => quote!(f32),
            CType::Float { .. } => quote!(f64),
            CType::Pointer { to, .. } => {
                let to = self.pointee(to);
                quote!(__c::Pointer<#to>)
            }
            CType::Array { of, len } => {
                let of = self.value(of)?;
                let len = Literal::usize_unsuffixed(len.unwrap_or(0) as usize);
                quote!([#of; #len])
            }
            CType::Record(id) => self.record(id),
            CType::Enum(id) => self.enumeration(id),
            CType::Void | CType::Function(_) | CType::Other { .. } => return Err(self.c_name(ty)),
        })
    }

    /// The type that a pointer leads to; `()` if there is none here.
    pub(crate) fn pointee(&mut self, ty: TypeId) -> TokenStream {
        match self.all.get(ty) {
            CType::Record(id) if !self.all.record(*id).name.is_empty() => self.record(*id),
            CType::Record(_) | CType::Void | CType::Function(_) => quote!(()),
            _ => self.value(ty).unwrap_or_else(|_| quote!(())),
        }
    }

    fn record(&mut self, id: RecordId) -> TokenStream {
        let name = &self.all.record(id).name;
        if let Some(own) = self.own.types.get(name) {
            return quote!(#own);
        }
        if !self.records.contains_key(name) {
            self.records.insert(name.clone(), id);
            self.waiting.push(name.clone());
        }
        let name = type_ident(name);
        quote!(#name)
    }

    fn enumeration(&mut self, id: EnumId) -> TokenStream {
        let of = self.all.enumeration(id);
        if of.name.is_empty() || of.constants.is_empty() {
            return integer(of.size, of.is_signed);
        }
        if let Some(own) = self.own.types.get(&of.name) {
            return quote!(#own);
        }
        self.enums.entry(of.name.clone()).or_insert(id);
        let name = type_ident(&of.name);
        quote!(#name)
    }

    /// Why a value of this type cannot be passed; `None` if it can.
    fn refusal(&self, ty: TypeId) -> Option<String> {
        let name = || format!("`{}`", self.c_name(ty));
        match self.all.get(ty) {
            CType::Bool | CType::Char | CType::Pointer { .. } | CType::Enum(_) => None,
            CType::Integer { size, .. } => (*size > 8).then(name),
            CType::Float { size, .. } => (*size > 8).then(name),
            CType::Array { len: None, .. } => Some("an array without a length".to_string()),
            CType::Array { of, .. } => self.refusal(*of),
            CType::Record(id) => {
                let record = self.all.record(*id);
                self.partly(record).map(|why| format!("{} ({why})", name()))
            }
            CType::Void | CType::Function(_) | CType::Other { .. } => Some(name()),
        }
    }

    /// Why a struct cannot be declared with all its members.
    fn partly(&self, record: &Record) -> Option<String> {
        if self.own.types.contains_key(&record.name) {
            return None;
        }
        let Some(size) = record.size else { return Some("it is not defined".to_string()) };
        if record.is_union {
            return Some("it is a union".to_string());
        }
        if record.name.is_empty() {
            return Some("it has no name".to_string());
        }
        let mut end = 0;
        for member in &record.members {
            if let Some(why) = self.left_out(member) {
                return Some(why);
            }
            let align = self.all.align(member.ty).unwrap_or(1);
            let natural = u64::next_multiple_of(end, align.max(1));
            if member.offset != natural {
                return Some("it is packed or aligned by hand".to_string());
            }
            end = member.offset + self.all.size(member.ty).unwrap_or(0);
        }
        let align = record.members.iter().filter_map(|m| self.all.align(m.ty)).max().unwrap_or(1);
        let is_natural = size == end.next_multiple_of(align.max(1)) && size > 0;
        (!is_natural).then(|| "it is packed or aligned by hand".to_string())
    }

    fn left_out(&self, member: &Member) -> Option<String> {
        let name = &member.name;
        if name.is_empty() {
            return Some("it has a member without a name".to_string());
        }
        if member.bits.is_some() {
            return Some(format!("`{name}` is a bit field"));
        }
        self.refusal(member.ty).map(|why| format!("`{name}` is {why}"))
    }

    fn has_pointer(&self, ty: TypeId) -> bool {
        match self.all.get(ty) {
            CType::Pointer { .. } => true,
            CType::Array { of, .. } => self.has_pointer(*of),
            // What the test declares itself need not be drawable.
            CType::Record(id) if self.own.types.contains_key(&self.all.record(*id).name) => true,
            CType::Record(id) => self.all.record(*id).members.iter().any(|m| self.has_pointer(m.ty)),
            CType::Enum(id) => self.own.types.contains_key(&self.all.enumeration(*id).name),
            _ => false,
        }
    }

    /// Declarations of everything that was named, and of what that names.
    pub(crate) fn declarations(&mut self, root: &TokenStream) -> TokenStream {
        let mut all = TokenStream::new();
        let mut n = 0;
        // Each struct is waited for once.
        while n < self.waiting.len() {
            let record = self.all.record(self.records[&self.waiting[n]]).clone();
            all.extend(self.one_struct(&record, root));
            n += 1;
        }
        let enums: Vec<Enumeration> =
            self.enums.values().map(|id| self.all.enumeration(*id).clone()).collect();
        all.extend(enums.iter().map(one_enum));
        all
    }

    fn one_struct(&mut self, record: &Record, root: &TokenStream) -> TokenStream {
        let (link, name) = (&record.name, type_ident(&record.name));
        let keyword = if record.is_union { "union" } else { "struct" };
        if let Some(why) = self.partly(record) {
            let doc = format!("`{keyword} {link}` of C, which is only pointed to: {why}.");
            return quote! { #[doc = #doc] struct #name = #link; };
        }
        let doc = format!("`{keyword} {link}` of C.");
        let members: Vec<TokenStream> = record
            .members
            .iter()
            .filter_map(|member| {
                let (name, ty) = (ident(&member.name), self.value(member.ty).ok()?);
                Some(quote!(#name: #ty))
            })
            .collect();
        let drawn = !record.members.iter().any(|m| self.has_pointer(m.ty));
        let derive =
            drawn.then(|| quote!(#[derive(#root::__stairway::Arbitrary, #root::__stairway::ToSource)]));
        quote! { #[doc = #doc] #derive struct #name = #link { #(#members),* } }
    }
}

fn one_enum(of: &Enumeration) -> TokenStream {
    let (link, name, ty) = (&of.name, type_ident(&of.name), integer(of.size, of.is_signed));
    let doc = format!("`enum {link}` of C; a value need not be one of its constants.");
    let mut seen = BTreeSet::new();
    let constants = of.constants.iter().filter(|(name, _)| seen.insert(name)).map(|(name, value)| {
        let (name, value) = (ident(name), Literal::i128_unsuffixed(*value));
        quote!(#name = #value)
    });
    quote! { #[doc = #doc] enum #name = #link: #ty { #(#constants),* } }
}

fn integer(size: u32, is_signed: bool) -> TokenStream {
    let sign = if is_signed { 'i' } else { 'u' };
    let name = Ident::new(&format!("{sign}{}", size * 8), Span::call_site());
    quote!(#name)
}

/// An integer as wide as a pointer.
fn word(is_signed: bool) -> TokenStream {
    if is_signed { quote!(isize) } else { quote!(usize) }
}

fn type_ident(name: &str) -> Ident {
    if TAKEN.contains(&name) { ident(&format!("{name}_")) } else { ident(name) }
}

/// A name of C as a name of Rust.
pub(crate) fn ident(name: &str) -> Ident {
    let name: String =
        name.chars().map(|c| if c == '_' || c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if let Ok(ident) = syn::parse_str::<Ident>(&name) {
        return ident;
    }
    match &*name {
        "self" | "Self" | "super" | "crate" | "_" | "" => {
            Ident::new(&format!("{name}_argument"), Span::call_site())
        }
        keyword => Ident::new_raw(keyword, Span::call_site()),
    }
}

#[cfg(test)]
mod tests {
    use super::ident;

    #[test]
    fn names_of_c_are_names_of_rust() {
        let names = ["len", "type", "self", "a$b", "move"].map(|name| ident(name).to_string());
        assert_eq!(names, ["len", "r#type", "self_argument", "a_b", "r#move"]);
    }
}
