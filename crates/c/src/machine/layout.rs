//! Where things are in a loaded object.
//!
//! Finds symbols, sections that hold variables, and memory that may be read, from the object's file and where
//! it was loaded. It does not know types: debug information does.

use std::path::Path;

use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

use super::memory::Range;

/// A function or variable of the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name in the symbol table: static variables in functions carry a suffix, `main` another name.
    pub name: String,
    /// The source file that defines it, without folders; only known of static ones.
    pub file: Option<String>,
    /// Where it is now.
    pub address: u64,
    /// In bytes.
    pub size: u64,
    /// Or a variable.
    pub is_function: bool,
    /// Whether only its own file sees it.
    pub is_static: bool,
}

/// What is where.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) base: u64,
    pub(super) symbols: Vec<Symbol>,
    pub(super) text: Range,
    /// From the first variable to behind the last one; what lies between is not all the program's.
    pub(super) globals: Range,
    pub(super) variables: Vec<Range>,
    pub(super) readable: Vec<Range>,
    pub(super) missing: Range,
    /// What basic blocks call; 0 if they do not.
    pub(super) coverage_hook: u64,
}

/// Sections that are written by the loader or by the runtime, not by the program.
const NOT_VARIABLES: &[&str] = &[
    "stairway_state",
    ".got",
    ".got.plt",
    ".dynamic",
    ".init_array",
    ".fini_array",
    ".preinit_array",
    ".tdata",
    ".tbss",
    ".tm_clone_table",
    "__patchable_function_entries",
    ".relro_padding",
    ".bss.rel.ro",
];

impl Layout {
    pub(super) fn read(path: &Path, api_address: u64) -> Result<Layout, String> {
        let bytes = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let file = object::File::parse(&*bytes).map_err(|e| format!("{}: {e}", path.display()))?;
        let api = file
            .symbols()
            .find(|s| s.name() == Ok("stairway_api"))
            .ok_or("the runtime is not in the object")?;
        let base = api_address.wrapping_sub(api.address());
        let mut layout = Layout {
            base,
            symbols: symbols(&file, base),
            text: Range::default(),
            globals: Range::default(),
            variables: Vec::new(),
            readable: Vec::new(),
            missing: Range::default(),
            coverage_hook: file
                .symbols()
                .find(|s| s.name() == Ok("__sanitizer_cov_trace_pc"))
                .map_or(0, |s| base + s.address()),
        };
        for section in file.sections() {
            layout.add_section(&section);
        }
        let first = layout.variables.iter().map(|r| r.address).min().unwrap_or(0);
        let end = layout.variables.iter().map(|r| r.address + r.size).max().unwrap_or(0);
        layout.globals = Range { address: first, size: end - first };
        Ok(layout)
    }

    fn add_section(&mut self, section: &object::Section<'_, '_>) {
        let object::SectionFlags::Elf { sh_flags, .. } = section.flags() else { return };
        let name = section.name().unwrap_or("");
        let range = Range { address: self.base + section.address(), size: section.size() };
        let has = |flag: object::elf::SectionFlags| sh_flags.contains(flag);
        if !has(object::elf::SHF_ALLOC) || range.size == 0 {
            return;
        }
        if name == ".text" {
            self.text = range;
        } else if name == "stairway_stubs" {
            self.missing = range;
        } else if name.starts_with(".data.rel.ro") || !has(object::elf::SHF_WRITE) {
            if !has(object::elf::SHF_EXECINSTR) {
                self.readable.push(range);
            }
        } else if !NOT_VARIABLES.contains(&name) {
            self.variables.push(range);
        }
    }

    pub(super) fn symbol_at(&self, address: u64) -> Option<&Symbol> {
        self.symbols.iter().find(|s| address.wrapping_sub(s.address) < s.size)
    }

    /// The variable that ends last before an address.
    pub(super) fn variable_before(&self, address: u64) -> Option<&Symbol> {
        let before = self.symbols.iter().filter(|s| !s.is_function && s.address <= address);
        before.max_by_key(|s| s.address)
    }
}

fn symbols(file: &object::File<'_>, base: u64) -> Vec<Symbol> {
    let mut source = None;
    let mut found = Vec::new();
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or("").to_string();
        let is_function = match symbol.kind() {
            SymbolKind::File => {
                source = (!name.is_empty()).then_some(name);
                continue;
            }
            SymbolKind::Text => true,
            SymbolKind::Data => false,
            _ => continue,
        };
        if symbol.is_undefined() || name.is_empty() || is_the_runtimes(&name, source.as_deref()) {
            continue;
        }
        let is_static = symbol.is_local() && source.is_some();
        let file = if is_static { source.clone() } else { None };
        found.push(Symbol {
            name,
            file,
            address: base + symbol.address(),
            size: symbol.size(),
            is_function,
            is_static,
        });
    }
    found
}

/// `__wrap_…` and CN's functions stay: contracts may be about them, and the code uses `__wrap_stdout`.
fn is_the_runtimes(name: &str, source: Option<&str>) -> bool {
    source == Some("runtime.c")
        || name.starts_with("__tsan_")
        || name.starts_with("__ubsan_")
        || name.starts_with("__sanitizer_cov_trace_")
        || matches!(name, "stairway_api" | "stairway_missing" | "stairway_probe")
}
