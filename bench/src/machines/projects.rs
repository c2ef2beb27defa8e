//! Crates that depend on Stairway, written into a folder and checked as their users would: by cargo, offline,
//! with what their dependencies need built once.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A workspace in a folder of its own, which is removed at the end.
pub(crate) struct Projects {
    folder: PathBuf,
}

/// What a run of cargo cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) seconds: f64,
    /// What the processor was busy with it for: on a machine that is shared, this is what can be compared.
    pub(crate) cpu_seconds: f64,
    /// The most memory that rustc held.
    pub(crate) peak_mb: f64,
}

impl Projects {
    /// A workspace of crates with these names and the text of their only file.
    pub(crate) fn with(crates: &[(&str, String)]) -> Projects {
        let folder = std::env::temp_dir().join(format!("stairway-bench-machines-{}", std::process::id()));
        let projects = Projects { folder };
        for (name, text) in crates {
            let stairway = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/stairway");
            projects.write(
                &format!("{name}/Cargo.toml"),
                &format!(
                    "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
                     stairway = {{ path = \"{}\" }}\n",
                    stairway.display()
                ),
            );
            let main = if text.contains("fn main()") { "main.rs" } else { "lib.rs" };
            projects.write(&format!("{name}/src/{main}"), text);
        }
        projects.write(
            "Cargo.toml",
            "[workspace]\nmembers = [\"*\"]\nexclude = [\"target\"]\nresolver = \"3\"\n",
        );
        projects
    }

    /// Writes a file; cargo sees that it is new.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        let parent = path.parent().expect("a file is in a folder");
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(&path, text))
            .expect("a file can be written");
    }

    /// Runs cargo on one of the crates.
    pub(crate) fn cargo(&self, arguments: &[&str], name: &str) -> (Cost, Output) {
        let (start, cpu) = (Instant::now(), cpu_seconds_of_children());
        let child = Command::new(env!("CARGO"))
            .args(arguments)
            .args(["--offline", "--quiet", "--package", name])
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env_remove("RUSTFLAGS")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("cargo is there");
        let (process, is_over, peak_kb) = (child.id(), AtomicBool::new(false), AtomicU64::new(0));
        let output = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    peak_kb.fetch_max(memory_kb(process), Ordering::Relaxed);
                    std::thread::sleep(Duration::from_millis(2));
                }
            });
            // What cargo says is read while it runs, so that no pipe is ever full.
            let output = child.wait_with_output();
            is_over.store(true, Ordering::Relaxed);
            output.expect("it has ended")
        });
        let seconds = start.elapsed().as_secs_f64();
        let peak_kb = peak_kb.into_inner();
        let cpu_seconds = cpu_seconds_of_children() - cpu;
        (Cost { seconds, cpu_seconds, peak_mb: peak_kb as f64 / 1024.0 }, output)
    }

    /// `cargo check` of a crate of which nothing is known yet, all its dependencies being built.
    pub(crate) fn checked(&self, name: &str) -> (Cost, Output) {
        let incremental = self.folder.join("target/debug/incremental");
        for entry in std::fs::read_dir(incremental).into_iter().flatten().flatten() {
            if entry.file_name().to_string_lossy().starts_with(&format!("{name}-")) {
                let _ = std::fs::remove_dir_all(entry.path());
            }
        }
        self.touch(name);
        self.cargo(&["check"], name)
    }

    /// Makes the file of a crate new.
    fn touch(&self, name: &str) {
        for file in ["lib.rs", "main.rs"] {
            let path = format!("{name}/src/{file}");
            if let Ok(text) = std::fs::read_to_string(self.folder.join(&path)) {
                self.write(&path, &text);
            }
        }
    }

    /// The release binary of a crate, built from this text.
    pub(crate) fn binary(&self, name: &str, text: &str) -> Vec<u8> {
        self.write(&format!("{name}/src/main.rs"), text);
        let (_, output) = self.cargo(&["build", "--release"], name);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read(self.folder.join(format!("target/release/{name}"))).expect("it was just built")
    }
}

impl Drop for Projects {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What all children that have ended, and theirs, kept processors busy for.
fn cpu_seconds_of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold spaces: 14 and 15 of `proc(5)`, in hundredths.
    let behind = stat.rsplit(") ").next().unwrap_or_default();
    let ticks = behind.split_whitespace().skip(13).take(2).filter_map(|n| n.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

/// The most memory that the children of a process have held so far; cargo starts them from threads.
fn memory_kb(process: u32) -> u64 {
    let read = |path: String| std::fs::read_to_string(path).unwrap_or_default();
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let children: Vec<String> =
        threads.map(|thread| read(format!("{}/children", thread.path().display()))).collect();
    let held = children.iter().flat_map(|ids| ids.split_whitespace()).filter_map(|id| {
        let status = read(format!("/proc/{id}/status"));
        status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?.parse().ok()
    });
    held.max().unwrap_or(0)
}
