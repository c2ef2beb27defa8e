//! Turns a draft into a blueprint: draws what is still open, and makes every object bytes, links and C text.
//!
//! In the draft all clauses hold as far as can be seen. Numbers are drawn object by object, then the
//! arguments, from the ranges that the demands leave; numbers of the state and of the source are repeated on
//! purpose. Nothing is allocated here.

use super::draft::{Draft, Hole, Pointer, Term, TermId};
use super::draw::{DrawResult, Drawing, Fail};
use crate::ctypes::{CType, CTypes, TypeId};
use crate::machine::Range;
use crate::operations::text;
use stairway::engine::{Label, Step};
use std::cell::RefCell;

/// How likely a number is one that is known from elsewhere (an earlier one of this state, of the sequence or
/// of the source), against a new one; how many of those may be taken, and how many are kept.
const AGAIN: u32 = 1;
const NEW: u32 = 3;
/// The same where nothing is demanded of the number: it is likely one to look for.
const FREE: u32 = 1;
const MOST_AGAIN: usize = 8;
const MOST_KNOWN: usize = 32;
/// How likely an open pointer is NULL, and each object that it may lead to.
const NULL: u32 = 4;
const OBJECT: u32 = 1;

/// Memory to make.
#[derive(Debug)]
pub(in crate::operations) struct PlannedBlock {
    /// Its name in C.
    pub(in crate::operations) name: String,
    /// In bytes.
    pub(in crate::operations) size: u64,
    /// Where it is, if it is a global.
    pub(in crate::operations) fixed: Option<u64>,
    /// What it is made of, if that is known.
    pub(in crate::operations) element: Option<TypeId>,
    /// What is written into it: where, and what.
    pub(in crate::operations) contents: Vec<(u64, Contents)>,
    /// How C declares it, and fills it.
    pub(in crate::operations) declaration: String,
    pub(in crate::operations) assignments: Vec<String>,
}

/// Bytes, and which of them are addresses of what is made.
#[derive(Debug)]
pub(in crate::operations) struct Contents {
    pub(in crate::operations) bytes: Vec<u8>,
    pub(in crate::operations) links: Vec<Link>,
}

/// An address in bytes: from which byte on, of which block, and how far into it.
#[derive(Clone, Copy, Debug)]
pub(in crate::operations) struct Link {
    pub(in crate::operations) at: usize,
    pub(in crate::operations) block: usize,
    pub(in crate::operations) offset: u64,
}

/// A state that can be made.
#[derive(Debug, Default)]
pub(in crate::operations) struct Blueprint {
    pub(in crate::operations) blocks: Vec<PlannedBlock>,
    /// The arguments, and how C writes them.
    pub(in crate::operations) arguments: Vec<(Contents, String)>,
    /// Numbers that were drawn.
    pub(in crate::operations) numbers: Vec<i128>,
}

/// What open values are drawn from besides their ranges.
pub(in crate::operations) struct Sources<'f> {
    /// Numbers worth trying.
    pub(in crate::operations) numbers: Vec<i64>,
    /// Functions that pointers may point to.
    pub(in crate::operations) functions: &'f [(TypeId, &'static str, u64)],
    /// The names of globals, by address.
    pub(in crate::operations) global_name: &'f dyn Fn(u64) -> Option<String>,
    /// What C calls memory that is there already: addresses, and expressions for them.
    pub(in crate::operations) places: Vec<(u64, String)>,
    /// Memory that a function without a body has taken, in the order in which it did: it may hand the same
    /// back.
    pub(in crate::operations) owned: Vec<Range>,
}

/// Where what is open is drawn.
pub(super) struct Supply<'s, 'c, 'b, 'f> {
    pub(super) step: &'s RefCell<&'s mut Step<'c, 'b>>,
    pub(super) sources: &'s mut Sources<'f>,
}

impl Drawing<'_, '_> {
    /// Draws what is open in the objects and the arguments.
    pub(super) fn close_all(
        &mut self,
        arguments: &[(TypeId, TermId)],
        supply: &mut Supply<'_, '_, '_, '_>,
    ) -> DrawResult {
        // Open pointers may lead to objects that are added here, without anything in them.
        for k in 0..self.draft.objects.len() {
            if self.draft.objects[k].inside.is_some() {
                continue;
            }
            for c in 0..self.draft.objects[k].cells.len() {
                let cell = self.draft.objects[k].cells[c];
                self.close_within(Label::Part, cell.ctype, cell.value, supply)?;
            }
        }
        arguments.iter().try_for_each(|(ty, term)| self.close_within(Label::Argument, *ty, *term, supply))
    }

    /// What one object takes of the stream must not shift the others.
    fn close_within(
        &mut self,
        label: Label,
        ty: TypeId,
        id: TermId,
        supply: &mut Supply<'_, '_, '_, '_>,
    ) -> DrawResult {
        supply.step.borrow_mut().choices().open(label);
        let closed = self.close(ty, id, supply);
        supply.step.borrow_mut().choices().close();
        closed
    }

    fn close(&mut self, ctype: TypeId, id: TermId, supply: &mut Supply<'_, '_, '_, '_>) -> DrawResult {
        let types = self.world.types;
        match (types.get(ctype), self.draft.term(id)) {
            (_, Term::Missing | Term::Unit) => Ok(()),
            (CType::Record(record), Term::Parts { at, n }) => {
                let record = types.record(*record);
                let first = if record.is_union { self.union_member(at, n) } else { None };
                for (k, member) in record.members.iter().enumerate().take(n as usize) {
                    if !record.is_union || first == Some(k) {
                        self.close(member.ty, self.draft.part(at, k as u32), supply)?;
                    }
                }
                Ok(())
            }
            (CType::Array { of, .. }, Term::Map { at, n }) => {
                (0..n).try_for_each(|k| self.close(*of, self.draft.part(at, 2 * k + 1), supply))
            }
            (CType::Pointer { to, .. }, _) => match self.draft.pointer(id) {
                Pointer::Open { hole, .. } => self.close_pointer(hole, *to, supply),
                _ => Ok(()),
            },
            (_, Term::Hole(hole)) if super::draft::is_number(self.draft.type_of(hole)) => {
                self.close_number(ctype, hole, supply)
            }
            _ => Ok(()),
        }
    }

    /// The member of a union that something was demanded of, or the first.
    fn union_member(&self, at: u32, n: u32) -> Option<usize> {
        let touched = (0..n).find(|k| self.is_touched(self.draft.part(at, *k)));
        touched.map(|k| k as usize).or((n > 0).then_some(0))
    }

    /// Whether something was demanded of a value.
    fn is_touched(&self, id: TermId) -> bool {
        match self.draft.term(id) {
            Term::Hole(hole) => {
                let Hole { lo, hi, is_somewhere, .. } = *self.draft.state_of(hole);
                let full = super::draft::range_of(self.draft.type_of(hole));
                is_somewhere || (lo, hi) != full || !self.draft.watching(hole).is_empty()
            }
            Term::Parts { at, n } => self.draft.slice(at, n).iter().any(|part| self.is_touched(*part)),
            Term::Map { at, n } => (0..n).any(|k| self.is_touched(self.draft.part(at, 2 * k + 1))),
            Term::Missing | Term::Unit => false,
            _ => true,
        }
    }

    fn close_number(&mut self, ctype: TypeId, hole: u32, supply: &mut Supply<'_, '_, '_, '_>) -> DrawResult {
        let Hole { lo, hi, .. } = *self.draft.state_of(hole);
        let term = self.draft.add(Term::Hole(hole));
        let new = if self.is_touched(term) { NEW } else { FREE };
        let drawn = match self.world.types.get(ctype) {
            _ if lo == hi => return Ok(()),
            CType::Enum(id) => {
                let constants = &self.world.types.enumeration(*id).constants;
                let possible: Vec<i128> =
                    constants.iter().map(|(_, value)| *value).filter(|v| (lo..=hi).contains(v)).collect();
                match possible.len() {
                    0 => self.number_between((lo, hi), new, supply),
                    n => {
                        possible
                            [(supply.step.borrow_mut().choices().alternative(n as u64) as usize).min(n - 1)]
                    }
                }
            }
            _ => self.number_between((lo, hi), new, supply),
        };
        let nearest = self.draft.nearest(hole, drawn).unwrap_or(drawn);
        for value in [drawn, nearest, drawn.saturating_add(1), drawn.saturating_sub(1), lo, hi] {
            let assigned = self.attempt(|drawing| {
                drawing.draft.narrow(term, (value, value))?;
                Ok(drawing.draft.propagate()?)
            });
            if assigned.is_ok() {
                if let Ok(value) = i64::try_from(value)
                    && supply.sources.numbers.len() < MOST_KNOWN
                {
                    supply.sources.numbers.push(value);
                }
                return Ok(());
            }
        }
        Err(Fail::Clash)
    }

    /// A number in a range: one that is known, or so many times as often a new one.
    fn number_between(
        &mut self,
        (lo, hi): (i128, i128),
        new: u32,
        supply: &mut Supply<'_, '_, '_, '_>,
    ) -> i128 {
        let is_possible = |value: &&i64| (lo..=hi).contains(&i128::from(**value));
        let mut again = [0; MOST_AGAIN];
        let mut n_again = 0;
        for value in supply.sources.numbers.iter().rev().filter(is_possible).take(MOST_AGAIN) {
            again[n_again] = *value;
            n_again += 1;
        }
        if n_again > 0 {
            let mut weights = [AGAIN; MOST_AGAIN + 1];
            weights[0] = new * n_again as u32;
            match supply.step.borrow_mut().choices().weighted(&weights[..=n_again], &[]) {
                0 => {}
                k => return i128::from(again[k.min(n_again) - 1]),
            }
        }
        let simplest = 0i128.clamp(lo, hi);
        let mut step = supply.step.borrow_mut();
        let choices = step.choices();
        match (i64::try_from(lo), i64::try_from(hi), i64::try_from(simplest)) {
            (Ok(lo), Ok(hi), Ok(simplest)) => i128::from(choices.signed(lo, hi, simplest)),
            _ => {
                let limit = |value: i128| u64::try_from(value.max(0)).unwrap_or(u64::MAX);
                i128::from(choices.unsigned(limit(lo), limit(hi), limit(simplest)))
            }
        }
    }

    /// A pointer that nothing is taken through: NULL, or to something that is there.
    fn close_pointer(&mut self, hole: u32, to: TypeId, supply: &mut Supply<'_, '_, '_, '_>) -> DrawResult {
        let types = self.world.types;
        let is_somewhere = self.draft.state_of(hole).is_somewhere;
        let mut options = Vec::new();
        let mut weights = Vec::new();
        if !is_somewhere {
            options.push(Term::Null);
            weights.push(NULL);
        }
        match types.get(to) {
            CType::Function(_) => {
                for (_, _, address) in supply.sources.functions.iter().filter(|(of, ..)| *of == to) {
                    options.push(Term::Address(*address));
                    weights.push(OBJECT);
                }
            }
            _ => {
                for (k, object) in self.draft.objects.iter().enumerate() {
                    let is_fitting = object.pointee == Some(to) || object.cells.iter().any(|c| c.ctype == to);
                    if is_fitting && object.fixed.is_none() && object.inside.is_none() {
                        options.push(Term::Place { object: k as u32, offset: 0 });
                        weights.push(OBJECT);
                    }
                }
            }
        }
        if options.is_empty() {
            let object = self.draft.add_object(None, Some(to));
            let place = self.draft.add(Term::Place { object, offset: 0 });
            return Ok(self.draft.bind(hole, place)?);
        }
        let k = match options.len() {
            1 => 0,
            _ => supply.step.borrow_mut().choices().weighted(&weights, &[]),
        };
        let chosen = self.draft.add(options[k.min(options.len() - 1)]);
        let bound = self.attempt(|drawing| Ok(drawing.draft.bind(hole, chosen)?));
        match bound {
            Err(Fail::Clash) if !is_somewhere => {
                let null = self.draft.add(Term::Null);
                Ok(self.draft.bind(hole, null)?)
            }
            other => other,
        }
    }

    /// The blocks and arguments of a draft in which nothing is open.
    pub(super) fn blueprint(
        &self,
        arguments: &[(TypeId, TermId)],
        sources: &Sources<'_>,
        name: &dyn Fn(usize) -> String,
        is_shown: bool,
    ) -> DrawResult<Blueprint> {
        let (mut n_named, mut n_blocks) = (0, 0);
        let extents: Vec<Extent> = self
            .draft
            .objects
            .iter()
            .map(|object| {
                let fixed_name = object.fixed.and_then(|address| (sources.global_name)(address));
                let block = n_blocks;
                n_blocks += usize::from(object.inside.is_none());
                let name = match fixed_name {
                    Some(name) => name,
                    // Memory that is there already has names of its own.
                    None if object.inside.is_some() || object.fixed == Some(0) => String::new(),
                    None => {
                        n_named += 1;
                        name(n_named)
                    }
                };
                self.extent(object, block, name)
            })
            .collect();
        let writer = Writer {
            drawing: self,
            extents: &extents,
            functions: sources.functions,
            places: &sources.places,
        };
        let mut blocks = Vec::with_capacity(extents.len());
        let whole = |(object, _): &(&super::draft::Object, &Extent)| object.inside.is_none();
        for (object, extent) in self.draft.objects.iter().zip(&extents).filter(whole) {
            blocks.push(writer.block(object, extent, is_shown)?);
        }
        let mut written = Vec::with_capacity(arguments.len());
        for (ty, term) in arguments {
            let contents = writer.contents(*ty, *term)?;
            let text = if is_shown { writer.text(*ty, *term, true) } else { String::new() };
            written.push((contents, text));
        }
        let numbers = arguments.iter().filter_map(|(_, term)| match self.draft.term(*term) {
            Term::Number(_) | Term::Hole(_) => self.draft.value(*term),
            _ => None,
        });
        Ok(Blueprint { blocks, arguments: written, numbers: numbers.collect() })
    }

    fn extent(&self, object: &super::draft::Object, block: usize, name: String) -> Extent {
        let types = self.world.types;
        let cells = &object.cells;
        let start = cells.iter().map(|cell| cell.offset).min().unwrap_or(0).min(0);
        let end = cells.iter().map(|cell| cell.offset.saturating_add_unsigned(cell.size)).max().unwrap_or(0);
        let pointee = object.pointee.and_then(|ty| Some((ty, types.size(ty)?)));
        let is_record = |ty: TypeId| matches!(types.get(ty), CType::Record(_));
        let end = match pointee {
            // Nothing of it is taken, so nothing is there: a row without elements.
            _ if cells.is_empty() => 0,
            Some((ty, size)) if is_record(ty) && cells.len() == 1 => {
                end.max(i64::try_from(size).unwrap_or(0))
            }
            Some((_, size)) if cells.iter().all(|cell| cell.size < size) => {
                end.max(i64::try_from(size).unwrap_or(0))
            }
            _ => end.max(1),
        };
        let same = cells.first().filter(|first| {
            let fits = |offset: i64| (offset - start).rem_euclid(first.size.max(1) as i64) == 0;
            cells.iter().all(|cell| cell.ctype == first.ctype && fits(cell.offset)) && fits(end)
        });
        let whole = pointee.filter(|(_, size)| *size > 0 && ((end - start) as u64).is_multiple_of(*size));
        let same = same.map(|cell| (cell.ctype, cell.size));
        // A global is what it was declared to be.
        let element = if object.fixed.is_some() { whole.or(same) } else { same.or(whole) };
        let is_present = object.fixed == Some(0);
        Extent {
            start,
            size: (end - start) as u64,
            element,
            block,
            name,
            is_global: object.fixed.is_some(),
            is_present,
        }
    }
}

/// How far an object goes, and what C calls it.
struct Extent {
    start: i64,
    size: u64,
    /// What it is a row of, and the size of that.
    element: Option<(TypeId, u64)>,
    /// Which of the blocks of the state it is.
    block: usize,
    name: String,
    is_global: bool,
    /// Whether it is all memory that is there already, from address 0 on.
    is_present: bool,
}

/// Writes values as bytes and as C.
struct Writer<'w, 'a> {
    drawing: &'w Drawing<'a, 'a>,
    extents: &'w [Extent],
    functions: &'w [(TypeId, &'static str, u64)],
    places: &'w [(u64, String)],
}

impl Writer<'_, '_> {
    fn draft(&self) -> &Draft {
        &self.drawing.draft
    }

    fn block(
        &self,
        object: &super::draft::Object,
        extent: &Extent,
        is_shown: bool,
    ) -> DrawResult<PlannedBlock> {
        let types = self.drawing.world.types;
        let mut contents = Vec::with_capacity(object.cells.len());
        let mut assignments = Vec::new();
        for cell in &object.cells {
            if matches!(self.draft().term(cell.value), Term::Missing) {
                continue;
            }
            contents.push(((cell.offset - extent.start) as u64, self.contents(cell.ctype, cell.value)?));
            if is_shown {
                let value = self.text(cell.ctype, cell.value, true);
                assignments.push(format!("{} = {value};", self.lvalue(extent, cell.offset, cell.ctype)));
            }
        }
        let element = extent.element.map(|(ty, _)| ty).or(object.pointee).or(types.char_type());
        let declaration = match extent.element {
            _ if !is_shown || extent.is_global => String::new(),
            Some((ty, size)) => {
                let n = extent.size / size.max(1);
                text::allocation(types, ty, &extent.name, (n, 0), &[], false)
            }
            None => format!("char *{} = malloc({});", extent.name, extent.size),
        };
        Ok(PlannedBlock {
            name: extent.name.clone(),
            size: extent.size,
            fixed: object.fixed,
            element,
            contents,
            declaration,
            assignments,
        })
    }

    /// What C assigns to, to fill a part of a block.
    fn lvalue(&self, extent: &Extent, offset: i64, ctype: TypeId) -> String {
        let types = self.drawing.world.types;
        let (name, by) = (&extent.name, offset - extent.start);
        match extent.element {
            _ if extent.is_present => format!("*({} *)({})", types.name(ctype), self.present(offset)),
            Some((ty, _)) if extent.is_global && by == 0 && ty == ctype => name.clone(),
            Some((ty, _)) if ty == ctype && extent.size == types.size(ty).unwrap_or(0) => format!("*{name}"),
            Some((ty, size)) if ty == ctype => format!("{name}[{}]", by / size.max(1) as i64),
            Some((ty, size)) => match member_at(types, ty, by as u64 % size.max(1), ctype) {
                Some(path) if extent.is_global => format!("{name}{path}"),
                Some(path) if extent.size > size => format!("{name}[{}]{path}", by as u64 / size.max(1)),
                Some(path) => match path.strip_prefix('.') {
                    Some(member) => format!("{name}->{member}"),
                    None => format!("(*{name}){path}"),
                },
                None => self.cast(extent, by, ctype),
            },
            None => self.cast(extent, by, ctype),
        }
    }

    /// A part of a block that has no name, as C assigns to it.
    fn cast(&self, extent: &Extent, by: i64, ctype: TypeId) -> String {
        let (ty, name) = (self.drawing.world.types.name(ctype), &extent.name);
        let address = if extent.is_global { "&" } else { "" };
        format!("*({ty} *)((char *){address}{name} + {by})")
    }

    fn contents(&self, ctype: TypeId, id: TermId) -> DrawResult<Contents> {
        let size = self.drawing.world.types.size(ctype).unwrap_or(0);
        let mut contents = Contents { bytes: vec![0; size as usize], links: Vec::new() };
        self.put(ctype, id, 0, &mut contents)?;
        Ok(contents)
    }

    fn put(&self, ctype: TypeId, id: TermId, at: usize, contents: &mut Contents) -> DrawResult {
        let types = self.drawing.world.types;
        let size = types.size(ctype).unwrap_or(0) as usize;
        let Some(bytes) = contents.bytes.get_mut(at..at + size) else { return Err(Fail::Clash) };
        match (types.get(ctype), self.draft().term(id)) {
            (_, Term::Missing | Term::Unit) => Ok(()),
            (CType::Record(record), Term::Parts { at: row, n }) => {
                let record = types.record(*record);
                let only = if record.is_union { self.drawing.union_member(row, n) } else { None };
                for (k, member) in record.members.iter().enumerate().take(n as usize) {
                    let part = self.draft().part(row, k as u32);
                    match member.bits {
                        _ if record.is_union && only != Some(k) => {}
                        Some((first, width)) => {
                            let value = self.draft().value(part).unwrap_or(0);
                            text::put_bits(&mut contents.bytes[at..at + size], first, width, value);
                        }
                        None => self.put(member.ty, part, at + member.offset as usize, contents)?,
                    }
                }
                Ok(())
            }
            (CType::Array { of, .. }, Term::Map { at: row, n }) => {
                let stride = types.size(*of).unwrap_or(0) as usize;
                for k in 0..n {
                    let key = self.draft().value(self.draft().part(row, 2 * k)).unwrap_or(0);
                    let place = at + usize::try_from(key).map_err(|_| Fail::Clash)? * stride;
                    self.put(*of, self.draft().part(row, 2 * k + 1), place, contents)?;
                }
                Ok(())
            }
            (CType::Pointer { .. }, _) => {
                match self.draft().pointer(id) {
                    Pointer::Null | Pointer::Open { .. } => {}
                    Pointer::Address(address) => bytes.copy_from_slice(&address.to_le_bytes()),
                    Pointer::Place { object, offset } => {
                        let extent = &self.extents[object as usize];
                        let offset = (offset - extent.start) as u64;
                        contents.links.push(Link { at, block: extent.block, offset });
                    }
                }
                Ok(())
            }
            (CType::Float { size, .. }, _) => {
                let value = self.draft().value(id).unwrap_or(0) as f64;
                match size {
                    4 => bytes.copy_from_slice(&(value as f32).to_le_bytes()),
                    8 => bytes.copy_from_slice(&value.to_le_bytes()),
                    _ => text::put_long_double(value, bytes),
                }
                Ok(())
            }
            _ => {
                let value = self.draft().value(id).unwrap_or(0);
                let n = size.min(16);
                bytes[..n].copy_from_slice(&value.to_le_bytes()[..n]);
                Ok(())
            }
        }
    }

    /// A value as C writes it; one that is not inside another says its type.
    fn text(&self, ctype: TypeId, id: TermId, is_alone: bool) -> String {
        let types = self.drawing.world.types;
        match (types.get(ctype), self.draft().term(id)) {
            (CType::Record(record), Term::Parts { at, n }) => {
                let record = types.record(*record);
                let only = if record.is_union { self.drawing.union_member(at, n) } else { None };
                let members = record.members.iter().enumerate().take(n as usize);
                let members = members.filter(|(k, _)| !record.is_union || only == Some(*k));
                let parts: Vec<String> = members
                    .filter(|(k, _)| {
                        !matches!(self.draft().term(self.draft().part(at, *k as u32)), Term::Missing)
                    })
                    .map(|(k, member)| {
                        let value = self.text(member.ty, self.draft().part(at, k as u32), false);
                        text::member(&member.name, &value)
                    })
                    .collect();
                text::record(types, ctype, &parts, is_alone)
            }
            (CType::Array { of, .. }, Term::Map { at, n }) => {
                let values: Vec<String> =
                    (0..n).map(|k| self.text(*of, self.draft().part(at, 2 * k + 1), false)).collect();
                let is_whole = matches!(types.get(*of), CType::Integer { .. } | CType::Char | CType::Bool);
                let value = |k| self.draft().value(self.draft().part(at, 2 * k + 1)).unwrap_or(0);
                match n == 0 || is_whole && (0..n).all(|k| value(k) == 0) {
                    true => "{0}".to_string(),
                    false => format!("{{{}}}", values.join(", ")),
                }
            }
            (CType::Array { .. }, _) => "{0}".to_string(),
            (CType::Pointer { .. }, _) => match self.draft().pointer(id) {
                Pointer::Null | Pointer::Open { .. } => "NULL".to_string(),
                Pointer::Address(address) => {
                    let known = self.functions.iter().find(|(_, _, of)| *of == address);
                    known.map_or_else(|| format!("(void *){address:#x}"), |(_, name, _)| (*name).to_string())
                }
                Pointer::Place { object, offset } => self.place(object, offset),
            },
            (CType::Enum(enumeration), _) => {
                let value = self.draft().value(id).unwrap_or(0);
                let constants = &types.enumeration(*enumeration).constants;
                let known = constants.iter().find(|(_, of)| *of == value);
                known.map_or_else(|| text::integer(value), |(name, _)| name.clone())
            }
            (CType::Float { .. }, _) => text::float(self.draft().value(id).unwrap_or(0) as f64),
            _ => text::integer(self.draft().value(id).unwrap_or(0)),
        }
    }

    /// An address in memory that is there already, as C can say it: from the nearest place that has a name.
    fn present(&self, address: i64) -> String {
        let address = address as u64;
        let before = self.places.iter().filter(|(place, _)| *place <= address);
        match before.max_by_key(|(place, _)| *place) {
            Some((place, name)) if *place == address => name.clone(),
            Some((place, name)) => format!("(char *)({name}) + {}", address - place),
            None => "NULL".to_string(),
        }
    }

    fn place(&self, object: u32, offset: i64) -> String {
        let extent = &self.extents[object as usize];
        let by = offset - extent.start;
        let base = if extent.is_global { format!("&{}", extent.name) } else { extent.name.clone() };
        match extent.element {
            _ if extent.is_present => format!("(void *)({})", self.present(offset)),
            _ if by == 0 => base,
            Some((_, size)) if by > 0 && (by as u64).is_multiple_of(size.max(1)) && !extent.is_global => {
                format!("&{}[{}]", extent.name, by as u64 / size.max(1))
            }
            _ => format!("(void *)((char *){base} + {by})"),
        }
    }
}

/// How C names the part of a struct at an offset that has this type: `.at.left`.
fn member_at(types: &CTypes, ty: TypeId, offset: u64, wanted: TypeId) -> Option<String> {
    if offset == 0 && ty == wanted {
        return Some(String::new());
    }
    match types.get(ty) {
        CType::Record(id) => types.record(*id).members.iter().find_map(|member| {
            let within = offset.checked_sub(member.offset).filter(|_| member.bits.is_none())?;
            let rest = (within < types.size(member.ty)?)
                .then(|| member_at(types, member.ty, within, wanted))
                .flatten()?;
            let name = &member.name;
            Some(if name.is_empty() { rest } else { format!(".{name}{rest}") })
        }),
        CType::Array { of, .. } => {
            let size = types.size(*of).filter(|size| *size > 0)?;
            member_at(types, *of, offset % size, wanted).map(|rest| format!("[{}]{rest}", offset / size))
        }
        _ => None,
    }
}
