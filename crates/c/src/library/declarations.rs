//! What a test says of the C functions it calls, held against what the compiler knows of them.
//!
//! Compares the declarations of [`library!`](crate::library!) with debug information, and puts every
//! difference into words. So a call never passes something other than what the function takes.

use super::argument::Argument;
use super::value::{Hint, ReturnValue, Value};
use crate::ctypes::{CType, CTypes, Record, Tag, TypeId};
use crate::dwarf::{CFunction, Program};
use std::path::Path;

/// Everything that a test declares.
#[derive(Clone, Debug, Default)]
pub struct Declarations {
    /// Structs with their members.
    pub structs: Vec<DeclaredStruct>,
    /// Functions that are called.
    pub functions: Vec<DeclaredFunction>,
    /// Functions that C calls and the test may replace.
    pub mocks: Vec<DeclaredFunction>,
}

/// A struct.
#[derive(Clone, Debug)]
pub struct DeclaredStruct {
    /// Its tag or typedef in C.
    pub name: &'static str,
    /// How many bytes it has here.
    pub size: usize,
    /// Its members.
    pub members: Vec<DeclaredMember>,
}

/// A member of a struct.
#[derive(Clone, Debug)]
pub struct DeclaredMember {
    /// Its name.
    pub name: &'static str,
    /// Where it lies here.
    pub offset: usize,
    /// Its type.
    pub ty: DeclaredType,
}

/// A function.
#[derive(Clone, Debug)]
pub struct DeclaredFunction {
    /// Its name in C.
    pub name: &'static str,
    /// What it takes, by name.
    pub parameters: Vec<(&'static str, DeclaredType)>,
    /// What it gives.
    pub returns: DeclaredType,
}

/// A type.
#[derive(Clone, Copy, Debug)]
pub struct DeclaredType {
    name: fn() -> String,
    fits: fn(&CTypes, TypeId) -> Result<(), Hint>,
}

impl DeclaredType {
    /// Of a parameter.
    #[must_use]
    pub fn argument<T: Argument>() -> Self {
        DeclaredType { name: T::argument_name, fits: T::argument_fits }
    }

    /// Of a result.
    #[must_use]
    pub fn returned<T: ReturnValue>() -> Self {
        DeclaredType { name: T::returned_name, fits: T::returned_fits }
    }

    /// Of a value.
    #[must_use]
    pub fn value<T: Value>() -> Self {
        DeclaredType { name: T::name, fits: T::fits }
    }

    /// The difference to a C type.
    fn difference(self, types: &CTypes, ty: TypeId) -> Option<String> {
        let hint = (self.fits)(types, ty).err()?;
        Some(format!("`{}` in C and `{}` here{hint}", types.name(ty), (self.name)()))
    }
}

/// Whether a C type is the struct called `name`; its members are looked at once, not wherever it is met.
///
/// # Errors
/// If it is not.
pub fn is_record(types: &CTypes, ty: TypeId, name: &str) -> Result<(), Hint> {
    let is_it = match types.get(ty) {
        CType::Record(id) => types.record(*id).name == name || types.typedefs.get(name) == Some(&ty),
        _ => false,
    };
    is_it.then_some(()).ok_or_else(Hint::new)
}

/// Whether a C type is the enumeration called `name`, with these constants.
///
/// # Errors
/// If it is not.
pub fn is_enum(types: &CTypes, ty: TypeId, name: &str, constants: &[(&str, i128)]) -> Result<(), Hint> {
    let CType::Enum(id) = types.get(ty) else { return Err(Hint::new()) };
    let of = types.enumeration(*id);
    if of.name != name && types.typedefs.get(name) != Some(&ty) {
        return Err(Hint::new());
    }
    let differs = |(name, value): &&(&str, i128)| {
        let name = name.trim_start_matches("r#");
        !of.constants.iter().any(|(constant, in_c)| constant == name && in_c == value)
    };
    match constants.iter().find(differs) {
        None => Ok(()),
        Some((constant, value)) => Err(format!("; `{constant}` is not {value} in C")),
    }
}

impl Declarations {
    /// Every difference to the program; `root` is what files are named from.
    pub(super) fn differences(&self, program: &Program, root: &Path) -> Vec<String> {
        let mut found: Vec<String> =
            self.structs.iter().filter_map(|of| of.difference(&program.types)).collect();
        for function in &self.functions {
            let defined = program.functions.iter().find(|f| f.is_defined && f.name == function.name);
            match defined {
                Some(in_c) => found.extend(function.differences(&program.types, in_c, root)),
                None => found.push(missing(function.name, program)),
            }
        }
        for mock in &self.mocks {
            let known = program.functions.iter().find(|f| f.source_name() == mock.name);
            match known {
                Some(in_c) => found.extend(mock.differences(&program.types, in_c, root)),
                None => {
                    found.push(format!("`{}` is replaced by a mock, but nothing in C calls it", mock.name));
                }
            }
        }
        found
    }
}

/// A function that is not there, and one that may be meant.
fn missing(name: &str, program: &Program) -> String {
    let alike = |other: &&CFunction| {
        let (a, b) = (name.to_lowercase(), other.name.to_lowercase());
        a.contains(&b) || b.contains(&a) || n_common(&a, &b) * 4 >= a.len().max(b.len()) * 3
    };
    let defined = program.functions.iter().filter(|f| f.is_defined);
    let near = defined.filter(alike).max_by_key(|f| n_common(name, &f.name));
    let near = near.map_or_else(String::new, |f| format!("; there is `{}`", f.name));
    match program.functions.iter().any(|f| f.name == name) {
        true => format!("`{name}` is declared in C and defined nowhere; name the file that defines it"),
        false => format!("there is no function `{name}` in C{near}"),
    }
}

/// How many characters two names have in common at their beginnings and ends.
fn n_common(a: &str, b: &str) -> usize {
    let front = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let back = a[front..].bytes().rev().zip(b[front..].bytes().rev()).take_while(|(x, y)| x == y).count();
    front + back
}

impl DeclaredFunction {
    fn differences(&self, types: &CTypes, in_c: &CFunction, root: &Path) -> Vec<String> {
        let file = in_c.file.as_deref().map(|file| file.strip_prefix(root).unwrap_or(file));
        let at = file.map_or_else(String::new, |file| format!(" ({}:{})", file.display(), in_c.line));
        let say = |what: String| format!("`{}`{at}: {what}", self.name);
        if in_c.signature.is_variadic {
            return vec![say(
                "takes more than its parameters (`...`, or empty parentheses); write a C function around it, or `(void)`"
                    .to_string(),
            )];
        }
        let (n_here, n_in_c) = (self.parameters.len(), in_c.signature.parameters.len());
        if n_here != n_in_c {
            return vec![say(format!("its parameters are {n_in_c} in C and {n_here} here"))];
        }
        let mut found = Vec::new();
        for (k, ((name, ty), in_c)) in self.parameters.iter().zip(&in_c.signature.parameters).enumerate() {
            let difference = ty.difference(types, *in_c);
            found.extend(difference.map(|d| say(format!("parameter {}, `{name}`, is {d}", k + 1))));
        }
        found.extend(
            self.returns.difference(types, in_c.signature.returns).map(|d| say(format!("gives {d}"))),
        );
        found
    }
}

impl DeclaredStruct {
    fn difference(&self, types: &CTypes) -> Option<String> {
        let name = self.name;
        let tag = types.tags.get(&Tag::Struct(name.to_string()));
        let ty = tag.or_else(|| types.typedefs.get(name));
        let Some(CType::Record(id)) = ty.map(|ty| types.get(*ty)) else {
            return Some(format!("there is no struct `{name}` in C"));
        };
        let record = types.record(*id);
        let difference = self.members.iter().find_map(|member| member.difference(types, record));
        let listed: Vec<&str> = record.members.iter().map(|m| &*m.name).collect();
        let is_whole = record.size == Some(self.size as u64) && listed.len() == self.members.len();
        let other =
            || format!("its members in C are `{}`: declare all of them in this order", listed.join("`, `"));
        difference.or_else(|| (!is_whole).then(other)).map(|what| format!("`struct {name}`: {what}"))
    }
}

impl DeclaredMember {
    fn difference(&self, types: &CTypes, record: &Record) -> Option<String> {
        let name = self.name.trim_start_matches("r#");
        let Some(member) = record.members.iter().find(|m| m.name == name) else {
            return Some(format!("there is no member `{name}` in C"));
        };
        if member.bits.is_some() {
            return Some(format!("`{name}` is a bit field; write a C function that reads it"));
        }
        if let Some(difference) = self.ty.difference(types, member.ty) {
            return Some(format!("`{name}` is {difference}"));
        }
        let (here, in_c) = (self.offset as u64, member.offset);
        (here != in_c).then(|| {
            format!("`{name}` lies at byte {in_c} in C and at byte {here} here: declare members in C's order")
        })
    }
}
