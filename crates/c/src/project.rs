//! From files to something that can be run: the stages of the front end, in order.
//!
//! Receives the user's files and flags; hands on a [`Project`]: sources, types, functions, checked specs and a
//! linked object. A worker opens the object that its parent has built. Nothing is run here.

use crate::build::{self, BuildError, Built};
use crate::ctypes::TypeId;
use crate::dwarf::{self, DwarfError};
use crate::scratch::Scratch;
use crate::source::{self, Place, SourceError, Sources};
use crate::spec::checked::Specs;
use crate::spec::diagnostic::{Diagnostic, Severity};
use crate::spec::position::{self, SourceMap, Span};
use crate::spec::{self, CFunction, CVariable, Site, SpecComment};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything that is known of the user's program before it runs.
#[derive(Debug)]
pub struct Project {
    /// What the files say.
    pub sources: Sources,
    /// The same files, for positions.
    pub map: SourceMap,
    /// What the compiler made of them.
    pub program: dwarf::Program,
    /// The contracts.
    pub specs: Specs,
    /// The same, as specs see it.
    pub described: spec::Program,
    /// The functions that specs can name: places in [`dwarf::Program::functions`].
    pub functions: Vec<usize>,
    /// The variables that specs can name: places in [`dwarf::Program::globals`].
    pub globals: Vec<usize>,
    /// The linked object.
    pub object: PathBuf,
    /// Whether accesses are checked.
    pub is_instrumented: bool,
    /// What the user should know: about the build, and warnings about specs.
    pub notes: Vec<String>,
    /// The compiler's own words.
    pub warnings: String,
    /// Functions that are used and defined nowhere.
    pub missing: Vec<String>,
    /// The build, if it was made here: its folder is deleted with it.
    pub built: Option<Built>,
}

/// Where the object comes from.
#[derive(Clone, Debug)]
pub enum Object {
    /// It is built.
    Build,
    /// It is built for a test that calls it.
    BuildFor {
        /// Functions that the test may answer for, wherever they are defined.
        replaceable: Vec<String>,
        /// Whether to instrument it.
        is_checked: bool,
    },
    /// It was built by the parent: its path, and whether it is instrumented.
    Open(PathBuf, bool),
}

/// Why there is no project.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProjectError {
    /// The files cannot be read.
    Source(SourceError),
    /// They do not compile.
    Build(BuildError),
    /// The object makes no sense.
    Dwarf(DwarfError),
    /// Specs are wrong: all messages, rendered, and how many errors they are.
    Specs {
        /// The messages, as rustc would show them.
        text: String,
        /// How many of them are errors.
        n_errors: usize,
    },
    /// A file of the build cannot be written or read.
    System(String),
}

impl fmt::Display for ProjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProjectError::Source(error) => error.fmt(f),
            ProjectError::Build(error) => error.fmt(f),
            ProjectError::Dwarf(error) => error.fmt(f),
            ProjectError::Specs { text, .. } => f.write_str(text.trim_end()),
            ProjectError::System(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for ProjectError {}

impl Project {
    /// Reads, builds and checks.
    ///
    /// # Errors
    /// With messages for the user if any stage refuses its input.
    pub fn new(options: &source::Options, object: Object, in_colour: bool) -> Result<Project, ProjectError> {
        let sources = match &object {
            Object::Build | Object::BuildFor { .. } => source::read(options),
            Object::Open(path, _) => {
                source::read_again(options, &|k| std::fs::read(expanded_file(path, k)).ok())
            }
        }
        .map_err(ProjectError::Source)?;
        let (replaceable, is_checked) = match &object {
            Object::BuildFor { replaceable, is_checked } => (replaceable.clone(), *is_checked),
            _ => (Vec::new(), true),
        };
        let (built, object, is_instrumented) = match object {
            Object::Open(path, is_instrumented) => (None, path, is_instrumented),
            Object::Build | Object::BuildFor { .. } => {
                let built = build_units(options, &sources, replaceable, is_checked)?;
                let missing = missing_file(&built.object);
                std::fs::write(&missing, built.missing.join("\n")).map_err(|e| system(&missing, &e))?;
                for (k, unit) in sources.units.iter().enumerate() {
                    let path = expanded_file(&built.object, k);
                    std::fs::write(&path, &unit.expanded).map_err(|e| system(&path, &e))?;
                }
                let (object, is_instrumented) = (built.object.clone(), built.is_instrumented);
                (Some(built), object, is_instrumented)
            }
        };
        let missing = std::fs::read_to_string(missing_file(&object)).unwrap_or_default();
        let missing: Vec<String> = missing.lines().map(String::from).collect();
        let bytes = std::fs::read(&object).map_err(|e| system(&object, &e))?;
        let mut program = dwarf::Program::read(&bytes).map_err(ProjectError::Dwarf)?;
        let (map, files) = map_of(&sources);
        let functions: Vec<usize> = (0..program.functions.len()).collect();
        let is_file_scope = |k: &usize| program.globals[*k].function.is_none();
        let globals: Vec<usize> = (0..program.globals.len()).filter(is_file_scope).collect();
        let mut described = describe(&sources, &program, &globals);
        described.homes = homes(&sources, &program, &globals, &files);
        let comments = comments(&sources, &program, &files);
        let mut outcome = spec::read(&map, &comments, &described, &mut program.types);
        outcome.diagnostics.extend(problems(&sources, &files));
        let is_error = |d: &&Diagnostic| d.severity == Severity::Error;
        let n_errors = outcome.diagnostics.iter().filter(is_error).count().max(outcome.n_errors);
        let rendered = |d: &Diagnostic| d.render(&map, in_colour);
        if n_errors > 0 {
            let text: Vec<String> = outcome.diagnostics.iter().map(rendered).collect();
            return Err(ProjectError::Specs { text: text.join("\n\n"), n_errors });
        }
        let mut notes: Vec<String> = built.iter().flat_map(|built| built.notes.clone()).collect();
        notes.extend(outcome.diagnostics.iter().map(rendered));
        Ok(Project {
            sources,
            map,
            specs: outcome.specs,
            described,
            functions,
            globals,
            object,
            is_instrumented,
            notes,
            warnings: built.as_ref().map(|built| built.warnings.clone()).unwrap_or_default(),
            missing,
            built,
            program,
        })
    }
}

/// Where the parent tells its workers what is missing.
pub(crate) fn missing_file(object: &Path) -> PathBuf {
    object.with_extension("missing")
}

/// Where it tells them what the preprocessor made of file number `k`.
pub(crate) fn expanded_file(object: &Path, k: usize) -> PathBuf {
    object.with_extension(format!("{k}.expanded"))
}

fn system(path: &Path, error: &dyn fmt::Display) -> ProjectError {
    ProjectError::System(format!("{}: {error}", path.display()))
}

/// Compiles the user's files, or copies of them that call us at invariants and around local variables.
fn build_units(
    options: &source::Options,
    sources: &Sources,
    replaceable: Vec<String>,
    is_checked: bool,
) -> Result<Built, ProjectError> {
    let folder = Scratch::new().map_err(|e| {
        ProjectError::System(format!("no temporary folder: {e}; set TMPDIR to one that can be written"))
    })?;
    let mut settings = build::Settings {
        compiler: options.compiler.clone().into_os_string(),
        flags: options.arguments(),
        specified: specified(sources).into_iter().chain(replaceable.iter().cloned()).collect(),
        instrument: is_checked,
    };
    let mut refusal = None;
    let copied: &[Copy] = if is_checked { &[Copy::Watched, Copy::Probed] } else { &[] };
    for copy in copied.iter().copied() {
        let Some(files) = copies(sources, copy, folder.path())? else { continue };
        match build::build(&files, &settings) {
            // The user's own mistakes are shown in the user's own files.
            Err(BuildError::Compile { output, .. }) => refusal = refusal.or(Some((copy, output))),
            Err(other) => return Err(ProjectError::Build(other)),
            Ok(built) => return Ok(noting(built, refusal)),
        }
    }
    if sources.units.iter().any(|unit| unit.has_probes) {
        settings.specified = replaceable;
    }
    build::build(&options.files, &settings).map(|built| noting(built, refusal)).map_err(ProjectError::Build)
}

/// Which copies of the user's files are compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copy {
    /// With probes and fences.
    Watched,
    /// With probes.
    Probed,
}

/// Writes copies of the files that have any; `None` if none has.
fn copies(sources: &Sources, copy: Copy, folder: &Path) -> Result<Option<Vec<PathBuf>>, ProjectError> {
    let mut files = Vec::new();
    let mut is_any = false;
    for (k, unit) in sources.units.iter().enumerate() {
        let watched = unit.watched.as_ref().filter(|_| copy == Copy::Watched);
        let Some(text) = watched.or_else(|| unit.has_probes.then_some(&unit.text)) else {
            files.push(sources.file(unit.file).path.clone());
            continue;
        };
        is_any |= copy == Copy::Probed || watched.is_some();
        let path = folder.join(format!("unit{k}.i"));
        std::fs::write(&path, text).map_err(|e| system(&path, &e))?;
        files.push(path);
    }
    Ok(is_any.then_some(files))
}

/// What the user should know if a copy was refused and the file itself was not.
fn noting(mut built: Built, refusal: Option<(Copy, String)>) -> Built {
    if let Some((copy, output)) = refusal {
        let why = output.lines().find(|line| line.contains("error")).unwrap_or("").trim();
        let unseen = match copy {
            Copy::Watched => "overruns of local variables go unseen",
            Copy::Probed => "loop invariants and assertions are not checked",
        };
        built
            .notes
            .push(format!("{unseen}: the compiler refuses a copy of the file that calls us there ({why})"));
    }
    built
}

/// The functions that have a contract and may be a library's.
fn specified(sources: &Sources) -> Vec<String> {
    let declared = sources.items.iter().filter_map(|item| match &item.place {
        Place::Prototype { name, .. } => Some(name.clone()),
        _ => None,
    });
    let by_spec = sources.items.iter().filter(|item| item.place == Place::TopLevel);
    let by_spec =
        by_spec.flat_map(|item| item.pieces.iter().filter_map(|piece| spec_name(sources.text(piece))));
    declared.chain(by_spec).collect()
}

/// The name in `spec name(..);`.
fn spec_name(text: &str) -> Option<String> {
    let rest = text.trim_start().strip_prefix("spec")?.trim_start();
    let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
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
        match problem.kind {
            source::ProblemKind::LineComment => Diagnostic::warning(span, problem.kind.to_string()),
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
        scopes: scopes.collect(),
        homes: BTreeMap::new(),
    }
}
