//! What tests of several modules need: C types made by hand.

use crate::ctypes::{CType, CTypes, Member, Record, RecordId, Tag, TypeId};

/// A struct or union, which can be named by its tag if it has one: members with their types and offsets.
pub(crate) fn record(
    types: &mut CTypes,
    name: &str,
    is_union: bool,
    size: Option<u64>,
    members: &[(&str, TypeId, u64)],
) -> (RecordId, TypeId) {
    let member = |(name, ty, offset): &(&str, TypeId, u64)| Member {
        name: (*name).to_string(),
        ty: *ty,
        offset: *offset,
        bits: None,
    };
    let members = members.iter().map(member).collect();
    let id = types.add_record(Record { name: name.to_string(), is_union, size, align: 8, members });
    let ty = types.add(CType::Record(id));
    let tag = if is_union { Tag::Union(name.into()) } else { Tag::Struct(name.into()) };
    if !name.is_empty() {
        types.tags.insert(tag, ty);
    }
    (id, ty)
}
