//! Brings libraries to this machine: downloaded once, checked by their hash, unpacked into the store.
//!
//! `curl`, `sha256sum` and `tar` do the work, so that nothing more has to be built for it. An archive whose
//! hash is not the pinned one is deleted and never unpacked.

use crate::catalog::Library;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How often a download is tried.
const N_ATTEMPTS: usize = 3;

/// Brings a library into `store`, unless it is there; gives its folder.
///
/// # Errors
/// If it cannot be downloaded or is not what was pinned.
pub fn fetch(library: &Library, store: &Path) -> Result<PathBuf, String> {
    let unpacked = store.join(&library.name).join(&library.version);
    let folder = unpacked.join(&library.folder);
    let stamp = unpacked.join(".stairway-fetched");
    if fs::read_to_string(&stamp).is_ok_and(|hash| hash == library.sha256) {
        return Ok(folder);
    }
    let failed = |what: &str| format!("{}: {what}", library.name);
    fs::create_dir_all(store).map_err(|error| failed(&error.to_string()))?;
    let archive = store.join(library.url.rsplit('/').next().unwrap_or("archive"));
    if !is_pinned(&archive, &library.sha256) {
        let is_here = (0..N_ATTEMPTS).any(|_| download(&library.url, &archive));
        if !is_here {
            return Err(failed(&format!("cannot download {}; is there a network?", library.url)));
        }
        if !is_pinned(&archive, &library.sha256) {
            let _ = fs::remove_file(&archive);
            return Err(failed(&format!("{} is not the file whose hash the catalog pins", library.url)));
        }
    }
    let _ = fs::remove_dir_all(&unpacked);
    fs::create_dir_all(&unpacked).map_err(|error| failed(&error.to_string()))?;
    let mut tar = Command::new("tar");
    tar.arg("-xf").arg(&archive).arg("-C").arg(&unpacked);
    if !is_done(&mut tar) || !folder.is_dir() {
        return Err(failed(&format!("{} cannot be unpacked to {}", archive.display(), folder.display())));
    }
    for (name, text) in &library.made {
        fs::write(folder.join(name), text).map_err(|error| failed(&error.to_string()))?;
    }
    fs::write(&stamp, &library.sha256).map_err(|error| failed(&error.to_string()))?;
    Ok(folder)
}

fn download(url: &str, to: &Path) -> bool {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--fail", "--location", "--max-time", "120", "--output"]).arg(to).arg(url);
    is_done(&mut curl)
}

/// Whether a file is there and has this hash.
fn is_pinned(file: &Path, sha256: &str) -> bool {
    let hash = Command::new("sha256sum").arg("--binary").arg(file).stderr(Stdio::null()).output();
    hash.is_ok_and(|hash| hash.status.success() && hash.stdout.starts_with(sha256.as_bytes()))
}

fn is_done(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
