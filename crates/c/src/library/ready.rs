//! C files made ready to be called: built once, read, and held against what the test declares.
//!
//! Files and flags become a project by the stages of `stairway test`. Objects are kept beside the test binary
//! under a name that follows from everything they depend on, so that the workers of isolated properties do
//! not build again.

use super::declarations::Declarations;
use super::objects::State;
use crate::build::{self, BuildError};
use crate::project::{self, Project, ProjectError};
use crate::source::{self, SourceError};
use crate::spec::checked::Specs;
use crate::storage;
use stairway_sandbox::prerequisites;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// What is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// What files are named from.
    pub(super) root: &'static str,
    pub(super) files: &'static [&'static str],
    pub(super) flags: &'static [&'static str],
    pub(super) is_checked: bool,
    pub(super) is_confined: bool,
}

/// A project that fits the declarations of a test, and the object of it that this process has loaded, if it
/// has.
#[derive(Debug)]
pub(super) struct ReadyProject {
    pub(super) project: Project,
    pub(super) declared: Declarations,
    pub(super) root: PathBuf,
    /// Whether C is kept from reaching anything outside.
    pub(super) is_confined: bool,
    /// Follows from the recipe alone, so that addresses do not depend on what else is tested, nor on the
    /// machine.
    pub(super) place: u64,
    /// Where it is kept.
    stored: Option<PathBuf>,
    /// Locked by the run that has it.
    pub(super) loaded: Mutex<State>,
}

/// A worker that is locked up cannot run a compiler.
const CONFINED: &str = "C with other flags cannot be built within a property that is `confined`; declare these flags in a `library!`, \
                        or write `isolate` instead: calls of C are confined by themselves";
const NOT_KEPT: &str = "C cannot be kept beside the test binary, where a property that is `confined` would find it; write `isolate` \
                        instead: calls of C are confined by themselves";

impl ReadyProject {
    /// Builds, or finds what was built, and compares.
    pub(super) fn new(recipe: &Recipe, declared: Declarations) -> Result<ReadyProject, String> {
        if stairway_sandbox::is_locked() {
            return ReadyProject::prepared(recipe, declared);
        }
        let root = PathBuf::from(recipe.root);
        let options = recipe.options();
        if let Some((gone, _)) = recipe.files.iter().zip(&options.files).find(|(_, path)| !path.is_file()) {
            return Err(format!("there is no file {gone} in {}", root.display()));
        }
        let replaceable: Vec<String> = declared.mocks.iter().map(|mock| mock.name.to_string()).collect();
        let kept = KeptObject::find(&options, &replaceable, recipe.is_checked);
        let found = kept.as_ref().and_then(KeptObject::read);
        let stored = kept.as_ref().map(|kept| kept.project.clone());
        let project = match found {
            Some(project) => project,
            None => {
                let object = project::Object::BuildFor { replaceable, is_checked: recipe.is_checked };
                let mut project =
                    Project::new(&options, object, false).map_err(|error| refused(&error, recipe))?;
                must_be_checked(&project, recipe)?;
                // If it cannot be kept, its folder lives as long as the process, and the next one builds it
                // again.
                if let Some(kept) = kept {
                    let _ = keep(&mut project, kept);
                }
                project
            }
        };
        ReadyProject::of(recipe, project, declared, stored.filter(|stored| stored.is_file()))
    }

    /// What was built before this process was locked up.
    fn prepared(recipe: &Recipe, declared: Declarations) -> Result<ReadyProject, String> {
        let stored = prerequisites::find(recipe.key(&declared)).ok_or(CONFINED)??;
        let project = storage::read(&stored).map_err(|error| error.to_string())?;
        ReadyProject::of(recipe, project, declared, Some(stored))
    }

    /// Holds a project against what is declared.
    fn of(
        recipe: &Recipe,
        mut project: Project,
        declared: Declarations,
        stored: Option<PathBuf>,
    ) -> Result<ReadyProject, String> {
        let root = PathBuf::from(recipe.root);
        if !recipe.is_checked {
            project.specs = Specs::default();
        }
        let differences = declared.differences(&project.program, &root);
        if !differences.is_empty() {
            let mut text = format!("{} does not fit what the test declares:", recipe.files.join(", "));
            differences.iter().for_each(|d| text.extend(["\n  ", d]));
            return Err(text);
        }
        let (is_confined, place) = (recipe.is_confined, recipe.place());
        Ok(ReadyProject { project, declared, root, is_confined, place, stored, loaded: Mutex::default() })
    }

    /// Where a process that is locked up finds the project.
    pub(super) fn stored(&self) -> Result<PathBuf, String> {
        self.stored.clone().ok_or_else(|| NOT_KEPT.to_string())
    }
}

impl Recipe {
    fn options(&self) -> source::Options {
        let root = Path::new(self.root);
        source::Options {
            compiler: std::env::var_os("STAIRWAY_CC").unwrap_or_else(|| OsString::from("cc")).into(),
            flags: self.flags.iter().map(ToString::to_string).collect(),
            ..source::Options::new(self.files.iter().map(|file| root.join(file)).collect())
        }
    }

    /// Tells it apart from all others of a program, in every process of it.
    pub(super) fn key(&self, declared: &Declarations) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.root, self.place()).hash(&mut hasher);
        declared.mocks.iter().for_each(|mock| mock.name.hash(&mut hasher));
        hasher.finish()
    }

    fn place(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.files, self.flags, self.is_checked, self.is_confined).hash(&mut hasher);
        hasher.finish()
    }
}

/// Where an object is kept, and the project that it is of.
struct KeptObject {
    folder: PathBuf,
    object: PathBuf,
    project: PathBuf,
}

impl KeptObject {
    /// By everything that the object depends on: headers and contracts are in the preprocessed text, the
    /// compiler's version among its macros.
    fn find(options: &source::Options, replaceable: &[String], is_checked: bool) -> Option<KeptObject> {
        let (compiler, flags) = (&options.compiler, options.arguments());
        let preprocessed = Command::new(compiler)
            .args(&flags)
            .args(["-E", "-dD", "-CC"])
            .args(&options.files)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()
            .filter(|done| done.status.success())?;
        let name = |k: u8| {
            let mut hasher = DefaultHasher::new();
            k.hash(&mut hasher);
            build::fingerprint(&mut hasher);
            storage::build().hash(&mut hasher);
            (&options.files, compiler, &flags, replaceable, is_checked).hash(&mut hasher);
            preprocessed.stdout.hash(&mut hasher);
            hasher.finish()
        };
        let folder = std::env::current_exe().ok()?.parent()?.join("stairway-c");
        let object = folder.join(format!("{:016x}{:016x}.so", name(0), name(1)));
        let project = object.with_extension("project");
        Some(KeptObject { folder, object, project })
    }

    /// What is kept. What cannot be read is built again.
    fn read(&self) -> Option<Project> {
        self.object.is_file().then(|| storage::read(&self.project).ok()).flatten()
    }
}

/// Refuses a build that cannot see what it is asked to look at.
fn must_be_checked(project: &Project, recipe: &Recipe) -> Result<(), String> {
    if !recipe.is_checked || project.is_instrumented {
        return Ok(());
    }
    let mut text = String::from("memory and ownership cannot be checked");
    project.notes.iter().for_each(|note| text.extend([": ", note]));
    Err(text + "\nname gcc in STAIRWAY_CC, or use the library's `unchecked`")
}

/// Keeps a project; the object last, because whoever finds it takes the rest to be there.
fn keep(project: &mut Project, kept: KeptObject) -> std::io::Result<()> {
    std::fs::create_dir_all(&kept.folder)?;
    // Beside their places first: another process may be looking for them.
    let new = || tempfile::NamedTempFile::new_in(&kept.folder);
    let object = new()?;
    std::fs::copy(&project.object, object.path())?;
    let built = std::mem::replace(&mut project.object, kept.object.clone());
    let stored = new()?;
    let is_kept = storage::write(stored.path(), &*project)
        .map_err(std::io::Error::other)
        .and_then(|()| Ok(stored.persist(&kept.project).map(drop)?))
        .and_then(|()| Ok(object.persist(&kept.object).map(drop)?));
    match is_kept {
        Ok(()) => project.built = None,
        Err(_) => project.object = built,
    }
    is_kept
}

fn refused(error: &ProjectError, recipe: &Recipe) -> String {
    let from_root = |text: &str| text.trim_end().replace(&format!("{}/", recipe.root), "");
    match error {
        ProjectError::Source(SourceError::Rejected { file, stderr }) => {
            format!("{} does not compile\n{}", from_root(&file.display().to_string()), from_root(stderr))
        }
        ProjectError::Build(BuildError::Compile { file, output }) => {
            format!("{} does not compile\n{}", from_root(&file.display().to_string()), from_root(output))
        }
        ProjectError::Source(SourceError::Compiler { compiler, error }) => {
            no_compiler(&compiler.display().to_string(), error)
        }
        ProjectError::Build(BuildError::NoCompiler { compiler, error }) => no_compiler(compiler, error),
        ProjectError::Specs { .. } => {
            format!(
                "the contracts in {} are wrong\n{}",
                recipe.files.join(", "),
                from_root(&error.to_string())
            )
        }
        other => from_root(&other.to_string()),
    }
}

fn no_compiler(compiler: &str, error: &std::io::Error) -> String {
    format!("cannot run the C compiler `{compiler}` ({error}); install gcc, or name it in STAIRWAY_CC")
}
