//! The contracts of a project, held against what the compiler knows of the program.
//!
//! That is done twice with the same code: before the build, against an object that has declarations only, so
//! that a mistake costs no build; and against the object that is run. Only the first of the two decides
//! whether files are compiled with `-funsigned-char`: `char` is unsigned to specs, so it is so in C wherever
//! a spec speaks of one.

use super::{ProjectError, system};
use crate::build::{self, CompilerKind};
use crate::ctypes::TypeId;
use crate::dwarf;
use crate::source::{self, Place, Sources};
use crate::spec::checked::Specs;
use crate::spec::diagnostic::{Diagnostic, Severity};
use crate::spec::position::{self, SourceMap, Span};
use crate::spec::{self, CFunction, CVariable, Site, SpecComment};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The spec comments of a project, before they are checked.
pub(super) struct Contracts<'s> {
    sources: &'s Sources,
    pub(super) map: SourceMap,
    /// What each source file is called in the map.
    files: Vec<position::FileId>,
    /// The flag that makes `char` signed, if the user gave one.
    signed_char: Option<String>,
    in_colour: bool,
}

/// Specs that were checked.
pub(super) struct CheckedSpecs {
    pub(super) specs: Specs,
    pub(super) described: spec::Program,
    /// The variables that specs can name: places in [`dwarf::Program::globals`].
    pub(super) globals: Vec<usize>,
    pub(super) diagnostics: Vec<Diagnostic>,
    n_errors: usize,
}

impl CheckedSpecs {
    /// An error with all messages, if one of them is an error.
    pub(super) fn refuse(&self, contracts: &Contracts<'_>) -> Result<(), ProjectError> {
        if self.n_errors == 0 {
            return Ok(());
        }
        let text: Vec<String> =
            self.diagnostics.iter().map(|d| d.render(&contracts.map, contracts.in_colour)).collect();
        Err(ProjectError::Specs { text: text.join("\n\n"), n_errors: self.n_errors })
    }
}

impl<'s> Contracts<'s> {
    /// The contracts in the sources.
    pub(super) fn of(sources: &'s Sources, options: &source::Options, in_colour: bool) -> Contracts<'s> {
        let (map, files) = map_of(sources);
        Contracts { sources, map, files, signed_char: signed_char(&options.flags), in_colour }
    }

    /// Checks them against the program that is run.
    pub(super) fn check(&self, program: &mut dwarf::Program) -> CheckedSpecs {
        self.check_against(program, false)
    }

    fn check_against(&self, program: &mut dwarf::Program, is_partial: bool) -> CheckedSpecs {
        let is_file_scope = |k: &usize| program.globals[*k].function.is_none();
        let globals: Vec<usize> = (0..program.globals.len()).filter(is_file_scope).collect();
        let mut described = describe(self.sources, program, &globals);
        described.homes = homes(self.sources, program, &globals, &self.files);
        described.is_partial = is_partial;
        let comments = comments(self.sources, program, &self.files);
        let mut outcome = spec::read(&self.map, &comments, &described, &mut program.types);
        outcome.diagnostics.extend(problems(self.sources, &self.files));
        outcome.diagnostics.extend(self.contradictions(&outcome.specs));
        let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
        let n_errors = outcome.diagnostics.iter().filter(is_error).count().max(outcome.n_errors);
        CheckedSpecs { specs: outcome.specs, described, globals, diagnostics: outcome.diagnostics, n_errors }
    }

    /// Checks them against declarations. Hands on for which units `char` must be unsigned: for all of them if
    /// the compiler does not tell what is declared.
    pub(super) fn check_declarations(
        &self,
        settings: &build::Settings,
        folder: &Path,
    ) -> Result<Vec<bool>, ProjectError> {
        let units = &self.sources.units;
        let has_specs = !self.sources.items.is_empty() || !self.sources.problems.is_empty();
        if !has_specs {
            return Ok(vec![false; units.len()]);
        }
        let ask = |asked, name: &str, text: fn(&source::Unit) -> &[u8]| {
            let write = |(k, unit): (usize, &source::Unit)| {
                let path = folder.join(format!("{name}{k}.i"));
                std::fs::write(&path, text(unit)).map(|()| path.clone()).map_err(|e| system(&path, &e))
            };
            let files = units.iter().enumerate().map(write).collect::<Result<Vec<PathBuf>, _>>()?;
            Ok(build::declarations(&files, asked, settings, folder))
        };
        let object = match ask(CompilerKind::Gcc, "declarations", |unit| &unit.declarations)? {
            None => ask(CompilerKind::Clang, "whole", |unit| &unit.expanded)?,
            object => object,
        };
        let Some(mut program) = object.and_then(|bytes| dwarf::Program::read(&bytes).ok()) else {
            return Ok(vec![true; units.len()]);
        };
        let checked = self.check_against(&mut program, true);
        checked.refuse(self)?;
        Ok(self.unsigned_char(&checked.specs))
    }

    /// The units in which a spec speaks of a `char`, of their own or of a header's.
    fn unsigned_char(&self, specs: &Specs) -> Vec<bool> {
        let speaks = |file: &source::FileId| specs.chars.contains_key(&self.files[file.index()]);
        self.sources.units.iter().map(|unit| unit.files.iter().any(speaks)).collect()
    }

    /// `char` is unsigned to specs, so it must be so in C.
    fn contradictions(&self, specs: &Specs) -> Vec<Diagnostic> {
        let Some(flag) = &self.signed_char else { return Vec::new() };
        let contradiction = |span: &Span| {
            Diagnostic::error(
                *span,
                format!("this is a `char`, which is `u8` in specs, and `{flag}` makes it signed"),
            )
            .help(format!("leave out `{flag}`, or declare a `signed char`, which is `i8` in specs"))
        };
        specs.chars.values().map(contradiction).collect()
    }
}

/// The flag that makes `char` signed; the last one counts.
fn signed_char(flags: &[String]) -> Option<String> {
    let about = |flag: &&String| {
        matches!(
            flag.as_str(),
            "-fsigned-char" | "-fno-unsigned-char" | "-funsigned-char" | "-fno-signed-char"
        )
    };
    let last = flags.iter().rev().find(about)?;
    matches!(last.as_str(), "-fsigned-char" | "-fno-unsigned-char").then(|| last.clone())
}

/// The files for positions, and what each source file is called there.
fn map_of(sources: &Sources) -> (SourceMap, Vec<position::FileId>) {
    let mut map = SourceMap::new();
    let add = |file: &source::SourceFile| map.add(file.path.display().to_string(), file.text.clone());
    let files = sources.files.iter().map(add).collect();
    (map, files)
}

fn span_of(files: &[position::FileId], file: source::FileId, range: &std::ops::Range<usize>) -> Span {
    let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(files[file.index()], at(range.start), at(range.end))
}

/// The spec comments as the reader of specs wants them; the site of a loop or statement is its item's place.
fn comments(sources: &Sources, program: &dwarf::Program, files: &[position::FileId]) -> Vec<SpecComment> {
    // Static functions of several files may share a name; the program tells them apart.
    let name = |id: &source::FunctionId| {
        let function = sources.function(*id);
        let found = program.find(&function.name, &sources.file(function.file).path, function.line);
        found.map_or(&function.name, |found| &found.name).clone()
    };
    let place = |k: usize, place: &Place| {
        let site = Site(u32::try_from(k).unwrap_or(u32::MAX));
        match place {
            Place::TopLevel => spec::Place::Top,
            Place::Contract { function } => spec::Place::Contract { function: name(function) },
            Place::Prototype { name, .. } => spec::Place::Contract { function: name.clone() },
            Place::Loop { function, .. } => spec::Place::Loop { function: name(function), site },
            Place::Statement { function } => spec::Place::Statement { function: name(function), site },
            Place::Ghost { function, .. } => spec::Place::Arguments { function: name(function) },
        }
    };
    let comment = |(k, item): (usize, &source::SpecItem)| SpecComment {
        pieces: item.pieces.iter().map(|piece| span_of(files, piece.file, &piece.span)).collect(),
        place: place(k, &item.place),
    };
    sources.items.iter().enumerate().map(comment).collect()
}

fn problems(sources: &Sources, files: &[position::FileId]) -> Vec<Diagnostic> {
    let problem = |problem: &source::Problem| {
        let span = span_of(files, problem.comment.file, &problem.comment.comment);
        let is_closed = || sources.comment(&problem.comment).ends_with("@*/");
        match problem.kind {
            source::ProblemKind::LineComment | source::ProblemKind::DetachedAt => {
                Diagnostic::warning(span, problem.kind.to_string())
            }
            source::ProblemKind::NoSource | source::ProblemKind::NotUtf8 => {
                Diagnostic::error(span, problem.kind.to_string())
            }
            _ if !is_closed() => {
                let message = "this is an ordinary comment: it ends with `*/`, and no spec can stand here";
                Diagnostic::warning(span, message).help("a spec ends with `@*/`")
            }
            kind => Diagnostic::error(span, kind.to_string()),
        }
    };
    sources.problems.iter().map(problem).collect()
}

/// The file that sees a static variable: the one that was compiled.
fn homes(
    sources: &Sources,
    program: &dwarf::Program,
    globals: &[usize],
    files: &[position::FileId],
) -> BTreeMap<usize, position::FileId> {
    let home = |(place, k): (usize, &usize)| {
        let global = &program.globals[*k];
        let unit = global.unit.as_deref().filter(|_| global.is_static)?;
        let is_unit = |file: &&source::SourceFile| {
            let path = file.path.strip_prefix(".").unwrap_or(&file.path);
            unit.ends_with(path) || path.ends_with(unit)
        };
        let file = sources.units.iter().map(|unit| unit.file).find(|id| is_unit(&sources.file(*id)))?;
        Some((place, files[file.index()]))
    };
    globals.iter().enumerate().filter_map(home).collect()
}

/// What of the program specs can name.
fn describe(sources: &Sources, program: &dwarf::Program, globals: &[usize]) -> spec::Program {
    let variable = |name: &str, ty: TypeId| CVariable { name: name.to_string(), ty };
    let functions = program.functions.iter().map(|function| CFunction {
        name: function.name.clone(),
        parameters: function
            .parameters
            .iter()
            .zip(&function.signature.parameters)
            .map(|(n, ty)| variable(n, *ty))
            .collect(),
        returns: function.signature.returns,
    });
    let scopes = sources.items.iter().enumerate().filter_map(|(k, item)| {
        let (Place::Loop { function, .. } | Place::Statement { function }) = &item.place else { return None };
        let source = sources.function(*function);
        let function = program.find(&source.name, &sources.file(source.file).path, source.line)?;
        let typed = |local: &source::Local| {
            let ty = function.local(&local.name, local.line)?.ty;
            Some(variable(&local.name, ty))
        };
        Some((Site(u32::try_from(k).ok()?), item.locals.iter().filter_map(typed).collect()))
    });
    spec::Program {
        functions: functions.collect(),
        globals: globals
            .iter()
            .map(|k| variable(&program.globals[*k].name, program.globals[*k].ty))
            .collect(),
        constants: (0..globals.len()).filter(|k| program.globals[globals[*k]].is_const).collect(),
        scopes: scopes.collect(),
        homes: BTreeMap::new(),
        is_partial: false,
    }
}
