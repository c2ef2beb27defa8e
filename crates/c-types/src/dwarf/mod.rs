//! What the compiler made of the program, read from the debug information of a linked object.
//!
//! Reads an ELF object built with `-g` (DWARF 4 or 5): its types, functions, variables and line table.
//! Addresses are those of the file: add where it was loaded. It does not know specs, and runs nothing. An
//! object that is no object, is cut off, or lies about itself is an error.

mod entries;
mod lines;
mod names;
mod symbols;
mod types;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

use crate::ctypes::{CTypes, Signature, TypeId};
use entries::Entries;
pub use lines::LineTable;
use types::{TypeBuilder, WordTypes};

/// Everything read from an object.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Program {
    /// Its types.
    pub types: CTypes,
    /// Its functions: defined ones by address, then those only declared.
    pub functions: Vec<CFunction>,
    /// Its variables with static storage.
    pub globals: Vec<CGlobal>,
    /// Which line an address belongs to.
    pub lines: LineTable,
}

/// A function of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CFunction {
    /// Its name; no other function that is defined has it, apart from copies of one in a header.
    pub name: String,
    /// Where its code begins; `None` if it is only declared, or inlined everywhere.
    pub address: Option<u64>,
    /// How many bytes its code has.
    pub size: u64,
    /// What it takes and returns.
    pub signature: Signature,
    /// The same as a type: equal to that of the pointers it can be stored in.
    pub ty: TypeId,
    /// The names of its parameters, as many as the signature has; empty where it gives none.
    pub parameters: Vec<String>,
    /// The user's typedef that each parameter is declared with, if it is one; as many as the signature has.
    pub parameter_aliases: Vec<Option<String>>,
    /// The same for what it returns.
    pub result_alias: Option<String>,
    /// Parameters and variables of its body by line: their types, not where they are.
    pub locals: Vec<CLocal>,
    /// Whether other files cannot see it.
    pub is_static: bool,
    /// Whether the program has a body for it.
    pub is_defined: bool,
    /// Whether it was written with parameter types in its parentheses; if not, callers promote
    /// (`float` is passed as `double`).
    pub is_prototyped: bool,
    /// Whether it says of itself that it does not return.
    pub is_noreturn: bool,
    /// The file it stands in.
    pub file: Option<Arc<Path>>,
    /// The line of its name; 0 if unknown.
    pub line: u32,
}

impl CFunction {
    /// Its name as the source spells it, which it may share with a static function of another file.
    #[must_use]
    pub fn source_name(&self) -> &str {
        self.name.split_once('@').map_or(&self.name, |(name, _)| name)
    }

    /// The parameter or variable declared in this line.
    #[must_use]
    pub fn local(&self, name: &str, line: u32) -> Option<&CLocal> {
        self.locals.iter().find(|local| local.name == name && local.line == line)
    }
}

/// A parameter or variable of a function's body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CLocal {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: TypeId,
    /// The file it stands in.
    pub file: Option<Arc<Path>>,
    /// The line of its declaration: tells variables of one name apart.
    pub line: u32,
}

/// A variable with static storage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CGlobal {
    /// Its name.
    pub name: String,
    /// Where it is; `None` if it is only declared, thread-local, or optimised away.
    pub address: Option<u64>,
    /// Its type.
    pub ty: TypeId,
    /// Whether other files cannot see it.
    pub is_static: bool,
    /// Whether it is `const`.
    pub is_const: bool,
    /// Whether every thread has its own.
    pub is_thread_local: bool,
    /// The function it is declared in, for `static` variables of functions.
    pub function: Option<String>,
    /// The file that was compiled: one that includes the file it stands in, if that is a header.
    pub unit: Option<Arc<Path>>,
    /// The file it stands in.
    pub file: Option<Arc<Path>>,
    /// The line of its declaration; 0 if unknown.
    pub line: u32,
}

/// A place in a source file, as the compiler names it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Location {
    /// The file, joined to the folder the compiler ran in.
    pub file: Arc<Path>,
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1; 0 if unknown.
    pub column: u32,
}

/// Why an object cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum DwarfError {
    /// Not an object file, or a damaged one.
    Object(String),
    /// For another kind of machine.
    Machine(String),
    /// Without debug information.
    NoDebugInformation,
    /// With debug information that makes no sense.
    Damaged(gimli::Error),
    /// With types nested beyond reason.
    TooDeep,
}

impl fmt::Display for DwarfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DwarfError::Object(why) => {
                write!(f, "the compiled object cannot be read ({why}); build it again")
            }
            DwarfError::Machine(what) => {
                write!(f, "the object is for {what}; only 64-bit little-endian ELF is supported")
            }
            DwarfError::NoDebugInformation => {
                write!(f, "the object has no debug information; compile with `-g` and do not strip it")
            }
            DwarfError::Damaged(why) => write!(
                f,
                "the object's debug information cannot be read ({why}); compile with `-gdwarf-5 -gz=none`"
            ),
            DwarfError::TooDeep => {
                write!(f, "types of the program are nested too deeply; simplify them or leave the file out")
            }
        }
    }
}

impl std::error::Error for DwarfError {}

impl From<gimli::Error> for DwarfError {
    fn from(error: gimli::Error) -> Self {
        DwarfError::Damaged(error)
    }
}

impl Program {
    /// Reads a linked object from its bytes.
    ///
    /// # Errors
    /// When it is no object for this kind of machine, has no debug information, or is damaged.
    pub fn read(bytes: &[u8]) -> Result<Program, DwarfError> {
        Program::read_with(bytes, WordTypes::AsIntegers)
    }

    /// The same, with `size_t` and its like as types of their own ([`is_word`](crate::ctypes::is_word)), since
    /// they are in Rust.
    ///
    /// # Errors
    /// As for [`Program::read`].
    pub fn read_for_bindings(bytes: &[u8]) -> Result<Program, DwarfError> {
        Program::read_with(bytes, WordTypes::ByName)
    }

    fn read_with(bytes: &[u8], words: WordTypes) -> Result<Program, DwarfError> {
        let object = object::File::parse(bytes).map_err(|error| DwarfError::Object(error.to_string()))?;
        if !object.is_64() || !object.is_little_endian() || object.format() != object::BinaryFormat::Elf {
            return Err(DwarfError::Machine(format!("{:?} {:?}", object.format(), object.architecture())));
        }
        let sections = gimli::DwarfSections::load(|id| section(&object, id.name()))?;
        let dwarf = sections.borrow(|data| gimli::EndianSlice::new(data, gimli::LittleEndian));
        let entries = Entries::read(&dwarf)?;
        if entries.all.is_empty() {
            return Err(DwarfError::NoDebugInformation);
        }
        let mut types = TypeBuilder::new(&entries, words);
        types.read_all()?;
        let mut functions = symbols::functions(&entries, &mut types)?;
        distinguish(&mut functions);
        let globals = symbols::globals(&entries, &mut types)?;
        Ok(Program { types: types.types, functions, globals, lines: LineTable::read(&dwarf)? })
    }

    /// The function with a body that the sources define at this place.
    ///
    /// Debug information names files from the folder of the compiler, and places some library functions
    /// where a header declares them: then the name decides, if it can.
    #[must_use]
    pub fn find(&self, name: &str, file: &Path, line: u32) -> Option<&CFunction> {
        let same = || self.functions.iter().filter(|f| f.is_defined && f.source_name() == name);
        let file = file.strip_prefix(".").unwrap_or(file);
        let is_here = |function: &&CFunction| {
            function.line == line && function.file.as_deref().is_some_and(|path| path.ends_with(file))
        };
        same().find(is_here).or_else(|| same().find(|function| !function.is_static))
    }

    /// The function whose code holds an address of the object.
    #[must_use]
    pub fn function_at(&self, address: u64) -> Option<&CFunction> {
        self.functions.iter().find(|function| {
            function.address.is_some_and(|first| address >= first && address - first < function.size.max(1))
        })
    }
}

/// What a linked object uses and does not define: functions and variables of other objects, libraries included.
///
/// # Errors
/// When it is no object.
pub fn undefined_symbols(bytes: &[u8]) -> Result<BTreeSet<String>, DwarfError> {
    let object = object::File::parse(bytes).map_err(|error| DwarfError::Object(error.to_string()))?;
    let undefined = object.dynamic_symbols().filter(object::ObjectSymbol::is_undefined);
    Ok(undefined.filter_map(|symbol| symbol.name().ok().map(str::to_string)).collect())
}

/// Gives static functions of different files that share a name different names: all but the first are called
/// `name@file.c:line`. What a header brings into several files is one function and stays so.
fn distinguish(functions: &mut [CFunction]) {
    type Origin = (Option<Arc<Path>>, u32);
    let mut first: BTreeMap<String, Origin> = BTreeMap::new();
    // What other files see keeps its name.
    for function in functions.iter().filter(|f| f.is_defined && !f.is_static) {
        first.insert(function.name.clone(), (function.file.clone(), function.line));
    }
    for function in functions.iter_mut().filter(|f| f.is_defined && f.is_static) {
        let origin = (function.file.clone(), function.line);
        if *first.entry(function.name.clone()).or_insert_with(|| origin.clone()) != origin {
            let file = origin.0.as_deref().and_then(Path::file_name).unwrap_or_default();
            function.name = format!("{}@{}:{}", function.name, file.to_string_lossy(), origin.1);
        }
    }
}

/// A section's bytes; empty if the object lacks it.
fn section<'a>(object: &object::File<'a>, name: &str) -> Result<Cow<'a, [u8]>, DwarfError> {
    match object.section_by_name(name) {
        Some(section) => {
            section.uncompressed_data().map_err(|error| DwarfError::Object(format!("{name}: {error}")))
        }
        None => Ok(Cow::Borrowed(&[])),
    }
}
