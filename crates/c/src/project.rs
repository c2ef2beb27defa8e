//! From files to something that can be run: the stages of the front end, in order.
//!
//! Turns the user's files and flags into a [`Project`]: sources, types, functions, checked specs and a linked
//! object. Specs are checked before anything is built, against declarations alone, and once more against the
//! object, whose types are the ones that are run. Processes that did not build a project are sent it.
//! Nothing is run here.

mod contracts;

use crate::build::{self, BuildError, LinkedObject};
use crate::dwarf::{self, DwarfError};
use crate::scratch::Scratch;
use crate::source::{self, Place, SourceError, Sources};
use crate::spec;
use crate::spec::checked::Specs;
use crate::spec::position::SourceMap;
use contracts::Contracts;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// Everything that is known of the user's program before it runs.
#[derive(Debug, Serialize, Deserialize)]
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
    #[serde(skip)]
    pub built: Option<LinkedObject>,
}

/// Where the object comes from.
#[derive(Clone, Debug)]
pub enum Object {
    /// It is built.
    Build,
    /// It is built, and announces comparisons, for a search that learns from them.
    BuildComparing,
    /// It is built for a test that calls it.
    BuildFor {
        /// Functions that the test may answer for, wherever they are defined.
        replaceable: Vec<String>,
        /// Whether to instrument it.
        is_checked: bool,
    },
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
        let sources = source::read(options).map_err(ProjectError::Source)?;
        let contracts = Contracts::of(&sources, options, in_colour);
        let compares = matches!(object, Object::BuildComparing);
        let (replaceable, is_checked) = match object {
            Object::Build | Object::BuildComparing => (Vec::new(), true),
            Object::BuildFor { replaceable, is_checked } => (replaceable, is_checked),
        };
        let built = build_units(options, &sources, &contracts, replaceable, (is_checked, compares))?;
        let object = built.object.clone();
        let bytes = std::fs::read(&object).map_err(|e| system(&object, &e))?;
        let mut program = dwarf::Program::read(&bytes).map_err(ProjectError::Dwarf)?;
        let checked = contracts.check(&mut program);
        checked.refuse(&contracts)?;
        let map = contracts.map;
        let functions: Vec<usize> = (0..program.functions.len()).collect();
        let mut notes = built.notes.clone();
        notes.extend(checked.diagnostics.iter().map(|d| d.render(&map, in_colour)));
        Ok(Project {
            sources,
            map,
            specs: checked.specs,
            described: checked.described,
            functions,
            globals: checked.globals,
            object,
            is_instrumented: built.is_instrumented,
            notes,
            warnings: built.warnings.clone(),
            missing: built.missing.clone(),
            built: Some(built),
            program,
        })
    }

    /// The user's files in which `char` is unsigned because specs speak of it.
    #[must_use]
    pub fn unsigned_char(&self) -> Vec<&Path> {
        let is_unsigned = |unit: &&source::Unit| {
            self.specs.chars.values().any(|span| {
                let of = |id: &source::FileId| self.sources.file(*id).path.display().to_string();
                unit.files.iter().any(|file| of(file) == self.map.name(span.file))
            })
        };
        self.sources
            .units
            .iter()
            .filter(is_unsigned)
            .map(|unit| &*self.sources.file(unit.file).path)
            .collect()
    }
}

fn system(path: &Path, error: &dyn fmt::Display) -> ProjectError {
    ProjectError::System(format!("{}: {error}", path.display()))
}

/// Compiles the user's files, or copies of them that call us at invariants and around local variables.
fn build_units(
    options: &source::Options,
    sources: &Sources,
    contracts: &Contracts<'_>,
    replaceable: Vec<String>,
    (is_checked, compares): (bool, bool),
) -> Result<LinkedObject, ProjectError> {
    let folder = Scratch::new().map_err(|e| {
        ProjectError::System(format!("no temporary folder: {e}; set TMPDIR to one that can be written"))
    })?;
    let mut settings = build::Settings {
        compiler: options.compiler.clone().into_os_string(),
        flags: options.arguments(),
        specified: specified(sources).into_iter().chain(replaceable.iter().cloned()).collect(),
        instrument: is_checked,
        compares,
        unsigned_char: Vec::new(),
    };
    settings.unsigned_char = contracts.check_declarations(&settings, folder.path())?;
    build_copies(options, sources, replaceable, &mut settings, folder.path())
}

/// Compiles the copies; if the compiler refuses them, the files themselves.
fn build_copies(
    options: &source::Options,
    sources: &Sources,
    replaceable: Vec<String>,
    settings: &mut build::Settings,
    folder: &Path,
) -> Result<LinkedObject, ProjectError> {
    let mut refusal = None;
    let is_checked = settings.instrument;
    let copied: &[Copy] = if is_checked { &[Copy::Watched, Copy::Probed] } else { &[] };
    for copy in copied.iter().copied() {
        let Some(files) = copies(sources, copy, folder)? else { continue };
        match build::build(&files, settings) {
            // The user's own mistakes are shown in the user's own files.
            Err(BuildError::Compile { output, .. }) => refusal = refusal.or(Some((copy, output))),
            Err(other) => return Err(ProjectError::Build(other)),
            Ok(built) => return Ok(noting(built, refusal)),
        }
    }
    if sources.units.iter().any(|unit| unit.has_probes) {
        settings.specified = replaceable;
    }
    build::build(&options.files, settings).map(|built| noting(built, refusal)).map_err(ProjectError::Build)
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
fn noting(mut built: LinkedObject, refusal: Option<(Copy, String)>) -> LinkedObject {
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
