//! C files made ready to be called: built once, read, and held against what the test declares.
//!
//! Receives names of files and flags, hands on an object and what is known of it. Objects are kept beside the test binary under a
//! name that follows from everything they depend on, so that the workers of isolated properties do not build again.

use super::declared::Declared;
use crate::build::{self, BuildError};
use crate::dwarf::Program;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is built.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// What files are named from.
    pub(super) root: &'static str,
    pub(super) files: &'static [&'static str],
    pub(super) flags: &'static [&'static str],
    pub(super) is_checked: bool,
}

/// An object that fits its declarations.
#[derive(Debug)]
pub(super) struct Ready {
    pub(super) object: PathBuf,
    pub(super) is_instrumented: bool,
    pub(super) program: Program,
    pub(super) declared: Declared,
    pub(super) root: PathBuf,
}

impl Ready {
    /// Builds, or finds what was built, and compares.
    pub(super) fn new(recipe: &Recipe, declared: Declared) -> Result<Ready, String> {
        let root = PathBuf::from(recipe.root);
        let settings = recipe.settings(&declared);
        let files: Vec<PathBuf> = recipe.files.iter().map(|file| root.join(file)).collect();
        if let Some((gone, _)) = recipe.files.iter().zip(&files).find(|(_, path)| !path.is_file()) {
            return Err(format!("there is no file {gone} in {}", root.display()));
        }
        let kept = Kept::find(&files, &settings);
        let object = match &kept {
            Some(kept) if kept.object.is_file() => kept.object.clone(),
            _ => build_to(&files, &settings, kept.as_ref(), recipe)?,
        };
        let bytes = std::fs::read(&object).map_err(|e| format!("{}: {e}", object.display()))?;
        let program = Program::read(&bytes).map_err(|error| error.to_string())?;
        let differences = declared.differences(&program, &root);
        if !differences.is_empty() {
            let mut text = format!("{} does not fit what the test declares:", recipe.files.join(", "));
            differences.iter().for_each(|d| text.extend(["\n  ", d]));
            return Err(text);
        }
        Ok(Ready { object, is_instrumented: recipe.is_checked, program, declared, root })
    }
}

impl Recipe {
    fn settings(&self, declared: &Declared) -> build::Settings {
        let compiler = std::env::var_os("STAIRWAY_CC").unwrap_or_else(|| OsString::from("cc"));
        build::Settings {
            compiler,
            flags: self.flags.iter().map(OsString::from).collect(),
            specified: declared.mocks.iter().map(|mock| mock.name.to_string()).collect(),
            instrument: self.is_checked,
        }
    }
}

/// Where an object is kept.
struct Kept {
    folder: PathBuf,
    object: PathBuf,
}

impl Kept {
    /// By everything that the object depends on: headers are in the preprocessed text, the compiler's version among its macros.
    fn find(files: &[PathBuf], settings: &build::Settings) -> Option<Kept> {
        let preprocessed = Command::new(&settings.compiler)
            .args(&settings.flags)
            .args(["-E", "-dD"])
            .args(files)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()
            .filter(|done| done.status.success())?;
        let name = |k: u8| {
            let mut hasher = DefaultHasher::new();
            k.hash(&mut hasher);
            build::fingerprint(&mut hasher);
            let build::Settings { compiler, flags, specified, instrument } = settings;
            (files, compiler, flags, specified, instrument).hash(&mut hasher);
            preprocessed.stdout.hash(&mut hasher);
            hasher.finish()
        };
        let folder = std::env::current_exe().ok()?.parent()?.join("stairway-c");
        let object = folder.join(format!("{:016x}{:016x}.so", name(0), name(1)));
        Some(Kept { folder, object })
    }
}

/// Builds, and keeps the object where it belongs or, if that cannot be written, for as long as the process lives.
fn build_to(
    files: &[PathBuf],
    settings: &build::Settings,
    kept: Option<&Kept>,
    recipe: &Recipe,
) -> Result<PathBuf, String> {
    let built = build::build(files, settings).map_err(|error| refused(&error, recipe))?;
    if recipe.is_checked && !built.is_instrumented {
        let mut text = String::from("memory and ownership cannot be checked");
        built.notes.iter().for_each(|note| text.extend([": ", note]));
        return Err(text + "\nname gcc in STAIRWAY_CC, or use the library's `unchecked`");
    }
    if let Some(path) = kept.and_then(|kept| keep(&built.object, kept).ok()) {
        return Ok(path);
    }
    let path = built.object.clone();
    std::mem::forget(built);
    Ok(path)
}

/// Copies the object beside its place first: another process may be looking for it.
fn keep(object: &Path, kept: &Kept) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(&kept.folder)?;
    let new = tempfile::NamedTempFile::new_in(&kept.folder)?;
    std::fs::copy(object, new.path())?;
    new.persist(&kept.object).map_err(|error| error.error)?;
    Ok(kept.object.clone())
}

fn refused(error: &BuildError, recipe: &Recipe) -> String {
    match error {
        BuildError::Compile { file, output } => {
            let file = file.strip_prefix(recipe.root).unwrap_or(file);
            let words = output.trim_end().replace(&format!("{}/", recipe.root), "");
            format!("{} does not compile\n{words}", file.display())
        }
        BuildError::NoCompiler { compiler, error } => {
            format!(
                "cannot run the C compiler `{compiler}` ({error}); install gcc, or name it in STAIRWAY_CC"
            )
        }
        other => other.to_string(),
    }
}
