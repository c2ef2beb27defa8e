//! Runs AFL++ on a task, as the thesis did: a harness by hand (`afl/`) makes the arguments of one function from the
//! input, gives up if its precondition does not hold, and aborts if its postcondition does not.
//!
//! Times include building the harness. Inputs are AFL++'s own count, which it puts into the name of a find.

use crate::Task;
use crate::run::now;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// AFL++ as it is installed.
#[derive(Clone, Debug)]
pub struct Fuzzer {
    compiler: PathBuf,
    program: PathBuf,
    limit: Duration,
}

/// How a campaign went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Fuzzed {
    /// How many inputs it took to find something; nothing if it found nothing.
    pub n_inputs: Option<u64>,
    /// Seconds from the start of the compiler until then, or until the end.
    pub seconds: f64,
}

/// An input that asks every harness for a function and arguments with which nothing is wrong in any mutant.
const HARMLESS: u8 = 3;

/// How often it is looked whether there is a find.
const PAUSE: Duration = Duration::from_millis(5);

impl Fuzzer {
    /// AFL++ where it is installed, with campaigns of at most this time.
    #[must_use]
    pub fn find(limit: Duration) -> Option<Fuzzer> {
        let path = std::env::var_os("PATH")?;
        let installed = |name: &str| {
            std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
        };
        Some(Fuzzer { compiler: installed("afl-cc")?, program: installed("afl-fuzz")?, limit })
    }

    /// Fuzzes a task from a seed.
    ///
    /// # Errors
    /// If the harness cannot be built, or AFL++ does not run.
    pub fn run(&self, task: &Task, seed: u64) -> Result<Fuzzed, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", task.name());
        let folder = tempfile::tempdir().map_err(failed)?;
        let file = task.write_to(folder.path())?;
        let start = now();
        let harness = self.build(task, &file, folder.path())?;
        let inputs = folder.path().join("inputs");
        fs::create_dir(&inputs).map_err(failed)?;
        // As good as nothing: it takes no empty file, and none that is a find.
        fs::write(inputs.join("seed"), [HARMLESS]).map_err(failed)?;
        let found = folder.path().join("found");
        let mut child = Command::new(&self.program)
            .args(["-s", &seed.to_string(), "-V", &self.limit.as_secs().max(1).to_string(), "-i"])
            .arg(&inputs)
            .arg("-o")
            .arg(&found)
            .arg("--")
            .arg(harness)
            .current_dir(folder.path())
            .env("AFL_NO_UI", "1")
            .env("AFL_NO_AFFINITY", "1")
            .env("AFL_SKIP_CPUFREQ", "1")
            .env("AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(failed)?;
        let crashes = found.join("default/crashes");
        loop {
            if let Some(n_inputs) = first_find(&crashes) {
                let seconds = start.elapsed().as_secs_f64();
                end(&mut child);
                return Ok(Fuzzed { n_inputs: Some(n_inputs), seconds });
            }
            match child.try_wait().map_err(failed)? {
                Some(status) if status.success() => {
                    let seconds = start.elapsed().as_secs_f64();
                    return Ok(Fuzzed { n_inputs: first_find(&crashes), seconds });
                }
                Some(_) => {
                    return Err(format!("{}: afl-fuzz does not run here; try it by hand", task.name()));
                }
                None => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Compiles the harness of a task around its file.
    fn build(&self, task: &Task, file: &Path, folder: &Path) -> Result<PathBuf, String> {
        let harness = folder.join("harness");
        let source = task.workload.harness();
        let built = Command::new(&self.compiler)
            .args(["-O1", "-g", "-w"])
            .args(task.flags)
            .arg(format!("-DMUTANT_{}", task.mutant))
            .arg(format!("-DWORKLOAD=\"{}\"", file.display()))
            .arg(source)
            .arg("-o")
            .arg(&harness)
            .env("AFL_QUIET", "1")
            .output()
            .map_err(|error| format!("{}: {error}", self.compiler.display()))?;
        match built.status.success() {
            true => Ok(harness),
            false => Err(format!("{}: {}", task.name(), String::from_utf8_lossy(&built.stderr))),
        }
    }
}

/// Lets a campaign end: AFL++ ends what it has started when it is asked to, not when it is killed.
fn end(child: &mut Child) {
    let is_asked =
        Command::new("kill").arg(child.id().to_string()).status().is_ok_and(|status| status.success());
    if !is_asked {
        child.kill().ok();
    }
    child.wait().ok();
}

/// How many inputs there were at the first find of a folder of them.
fn first_find(crashes: &Path) -> Option<u64> {
    let names = fs::read_dir(crashes).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter_map(|name| n_inputs(&name)).min()
}

/// The number of inputs in the name of a find: `id:000000,sig:06,src:000026,time:3971,execs:33594,op:havoc,rep:2`.
fn n_inputs(name: &str) -> Option<u64> {
    name.split(',').find_map(|part| part.strip_prefix("execs:")?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WORKLOADS;

    #[test]
    fn the_name_of_a_find_tells_how_many_inputs_it_took() {
        assert_eq!(n_inputs("id:000000,sig:06,src:000026,time:3971,execs:33594,op:havoc,rep:2"), Some(33594));
        assert_eq!(n_inputs("README.txt"), None);
    }

    /// A file without its specifications.
    fn code_of(file: &Path) -> String {
        let text = fs::read_to_string(file).unwrap();
        let mut parts = text.split("/*@");
        let first = parts.next().unwrap_or_default().to_string();
        first + &parts.filter_map(|part| part.split("@*/").nth(1)).collect::<String>()
    }

    #[test]
    fn a_harness_knows_the_mutants_of_its_specification_and_no_others() {
        for workload in WORKLOADS {
            let harness = fs::read_to_string(workload.harness()).unwrap();
            let base = code_of(&workload.folder().join(format!("{}.c", workload.name)));
            for task in workload.tasks().unwrap() {
                let folder = tempfile::tempdir().unwrap();
                let is_spec = code_of(&task.write_to(folder.path()).unwrap()) == base;
                assert_eq!(
                    harness.contains(&format!("MUTANT_{}\n", task.mutant)),
                    is_spec,
                    "{}",
                    task.name()
                );
            }
        }
    }
}
