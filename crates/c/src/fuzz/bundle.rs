//! A target of libFuzzer that runs where nothing of its project is: neither sources nor a compiler.
//!
//! ```text
//! clip_fuzzer          libFuzzer and the driver, which starts the target
//! clip_fuzzer.target   the command that starts it
//! clip_fuzzer.task     the project, and how sequences are run in it
//! clip_fuzzer.so       its object
//! stairway             this program
//! ```
//!
//! All of it lies in one folder, which can be moved; OSS-Fuzz and ClusterFuzz take such a folder.

use super::FuzzError;
use super::engine::{Engine, build_driver};
use super::target::seeds;
use crate::assignment::Role;
use crate::hunt::{self, Options};
use crate::operations::{CallsError, copy_all};
use crate::project::Project;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a target into a folder, and inputs to begin with into another; how many there are.
///
/// # Errors
/// If clang is missing, a file cannot be written, or there is no sandbox.
pub fn bundle(
    target: &Path,
    seed_folder: &Path,
    name: &str,
    mut project: Project,
    options: &Options,
) -> Result<usize, FuzzError> {
    Engine::LibFuzzer.look()?;
    let folder = target.parent().unwrap_or(Path::new(""));
    for folder in [folder, seed_folder] {
        fs::create_dir_all(folder).map_err(FuzzError::at(folder))?;
    }
    let more = match &options.corpus {
        Some(path) => stairway::fuzz::inputs(path).map_err(FuzzError::at(path))?,
        None => Vec::new(),
    };
    let more = more.into_iter().map(|(_, bytes)| bytes).collect();
    let seeds = seeds(&mut hunt::target(options.task(name, &project)?, options.seed)?, options, more);
    for (k, seed) in seeds.iter().enumerate() {
        let path = seed_folder.join(format!("{k:03}"));
        fs::write(&path, seed).map_err(FuzzError::at(&path))?;
    }
    let beside = |extension: &str| {
        let file = target.file_name().unwrap_or_default().to_string_lossy();
        (PathBuf::from(format!("{file}.{extension}")), folder.join(format!("{file}.{extension}")))
    };
    let (object, path) = beside("so");
    fs::copy(&project.object, &path).map_err(FuzzError::at(&path))?;
    project.object = object;
    let mut task = options.task(name, &project)?;
    if let Some(files) = &options.files {
        let (name, path) = beside("files");
        fs::create_dir_all(&path).and_then(|()| copy_all(files, &path)).map_err(FuzzError::at(&path))?;
        task.files = Some(name);
    }
    let (task_file, path) = beside("task");
    task.write(&path).map_err(CallsError::Stored)?;
    let own = std::env::current_exe().map_err(|error| FuzzError::Protocol(error.to_string()))?;
    let program = folder.join("stairway");
    fs::copy(&own, &program).map_err(FuzzError::at(&program))?;
    // The driver puts its own folder where an argument begins with `@`.
    let task_file = PathBuf::from(format!("@/{}", task_file.display()));
    let command = ["@/stairway".to_string()].into_iter().chain(Role::Target(task_file).arguments());
    build_driver(target, &command.collect::<Vec<_>>())?;
    let source = target.with_extension("c");
    fs::remove_file(&source).map_err(FuzzError::at(&source))?;
    Ok(seeds.len())
}
