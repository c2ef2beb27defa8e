//! `stairway fuzz --oss-fuzz`: the files that OSS-Fuzz asks of a project, and the target that its build makes.

use super::arguments::{TestArguments, quoted};
use stairway_c::fuzz::{self, FuzzError};
use stairway_c::hunt::Options;
use stairway_c::project::Project;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the target is, below the folder that was named.
const OUT: &str = "out";
const SEEDS: &str = "seeds";

/// Writes everything; hands on what to tell the user.
pub(super) fn write(
    folder: &Path,
    test: &TestArguments,
    project: Project,
    options: &Options,
) -> Result<String, FuzzError> {
    let target = folder.join(OUT).join(target_name(&test.files()));
    let n_seeds = fuzz::bundle(&target, &folder.join(SEEDS), &test.name(), project, options)?;
    let files =
        [("project.yaml", project_yaml()), ("Dockerfile", dockerfile()), ("build.sh", build_script())];
    for (name, text) in files {
        let path = folder.join(name);
        // What is there may have been changed by hand since.
        if !path.exists() {
            fs::write(&path, text).map_err(|error| FuzzError::File(path, error.to_string()))?;
        }
    }
    let inputs = if n_seeds == 1 { "input" } else { "inputs" };
    Ok(format!(
        "{} is a target with {n_seeds} {inputs} to begin with; it runs without a compiler.\n\
         For OSS-Fuzz put your addresses into {} and {}, and send the folder as projects/NAME.\n",
        target.display(),
        folder.join("Dockerfile").display(),
        folder.join("project.yaml").display()
    ))
}

/// ClusterFuzz takes programs with this ending for targets.
fn target_name(files: &[String]) -> String {
    let first = files.first().map_or("", String::as_str);
    let stem = Path::new(first).file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    format!("{}_fuzzer", stem.chars().map(plain).collect::<String>())
}

/// The target decides itself what is wrong with a sequence; the sanitizer only watches the driver.
fn project_yaml() -> String {
    "homepage: \"https://example.org\"  # yours\n\
     main_repo: \"https://example.org/your-project.git\"  # yours\n\
     language: c\n\
     primary_contact: \"you@example.org\"  # yours\n\
     fuzzing_engines:\n  - libfuzzer\n\
     sanitizers:\n  - address\n"
        .to_string()
}

fn dockerfile() -> String {
    "FROM gcr.io/oss-fuzz-base/base-builder-rust\n\
     # gcc builds what is tested, clang the driver of libFuzzer\n\
     RUN apt-get update && apt-get install -y gcc zip\n\
     # Stairway is not on crates.io yet: put a clone of it beside this file\n\
     COPY stairway $SRC/stairway\n\
     RUN cargo install --locked --path $SRC/stairway/crates/cli\n\
     RUN git clone --depth 1 https://example.org/your-project.git $SRC/project  # yours\n\
     WORKDIR $SRC/project\n\
     COPY build.sh $SRC/\n"
        .to_string()
}

/// Repeats the command, in the folder in which it was given.
fn build_script() -> String {
    let (mut words, mut is_value) = (Vec::new(), false);
    let mut arguments = std::env::args().skip(1);
    let options: Vec<String> = arguments.by_ref().take_while(|word| word != "--").collect();
    for word in options {
        if std::mem::take(&mut is_value) || word.starts_with("--oss-fuzz=") {
            continue;
        }
        is_value = word == "--oss-fuzz";
        if !is_value {
            words.push(quoted(&word));
        }
    }
    words.push("--oss-fuzz \"$made\"".to_string());
    let flags: Vec<String> = arguments.map(|word| quoted(&word)).collect();
    if !flags.is_empty() {
        words.push(format!("-- {}", flags.join(" ")));
    }
    format!(
        "#!/bin/bash -eu\n\
         # Written by `stairway fuzz --oss-fuzz`. Runs in the folder of your project.\n\
         made=\"$WORK/stairway\"\n\
         stairway {}\n\
         cp -r \"$made/{OUT}/.\" \"$OUT/\"\n\
         for target in \"$made/{OUT}/\"*_fuzzer; do\n\
         \x20 zip -jqr \"$OUT/$(basename \"$target\")_seed_corpus.zip\" \"$made/{SEEDS}\"\n\
         done\n",
        words.join(" ")
    )
}

/// Where to write, checked before anything is built.
pub(super) fn folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.is_file() {
        true => Err(format!("{text} is a file; name a folder")),
        false => Ok(path),
    }
}
