//! One campaign: its folder, its seeds, and one or several instances of a fuzzer that share what they find.
//!
//! ```text
//! stairway-fuzz/queue.c/
//!   seeds/       inputs to begin with: stored failures that pass by now, random sequences, what the user has
//!   afl/         what `afl-fuzz` keeps: a folder for each instance, which reads those of the others
//!   libfuzzer/   the same for libFuzzer
//! ```
//!
//! The fuzzers decide what to try and what to keep; a clock or a number of executions ends them.

use super::FuzzError;
use super::engine::{CRASHES, Engine};
use super::target::seeds;
use crate::hunt::{self, Options};
use crate::project::Project;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

/// What to run, where, and for how long.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// Who searches.
    pub engine: Engine,
    /// Where everything is kept.
    pub folder: PathBuf,
    /// The command that starts a target: see [`super::target`].
    pub target: Vec<String>,
    /// How long each instance searches.
    pub time: Option<Duration>,
    /// After about how many executions each instance ends.
    pub executions: Option<u64>,
    /// Where the randomness of the fuzzers starts.
    pub seed: Option<u64>,
    /// How many instances.
    pub jobs: usize,
    /// The name of this instance, where another machine or command has the main one.
    pub secondary: Option<String>,
    /// Whether the search goes on after the first failure.
    pub keeps_going: bool,
    /// Whether the first instance has the terminal; otherwise all that is said goes to files.
    pub is_shown: bool,
}

/// How a campaign ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignEnd {
    /// By itself: something was found, or time or executions are over.
    Done,
    /// Somebody has interrupted it.
    Interrupted,
}

/// How often it is looked whether an instance has ended.
const PAUSE: Duration = Duration::from_millis(50);
/// For how long an instance that is asked to end is waited for, in pauses.
const MAX_PAUSES: u32 = 400;
/// How much is shown of what a fuzzer said before it died.
const MAX_SAID: usize = 4000;

/// Makes the folder of a campaign and the inputs that it begins with; how many there are.
///
/// # Errors
/// If the fuzzer is not installed, a folder cannot be written, or the user's corpus cannot be read.
pub fn prepare(
    campaign: &Campaign,
    name: &str,
    project: &Project,
    options: &Options,
) -> Result<usize, FuzzError> {
    campaign.engine.prepare(campaign)?;
    let more = match &options.corpus {
        Some(path) => stairway::fuzz::inputs(path).map_err(FuzzError::at(path))?,
        None => Vec::new(),
    };
    let more = more.into_iter().map(|(_, bytes)| bytes).collect();
    let seeds = seeds(&mut hunt::target(options.task(name, project)?, options.seed)?, options, more);
    let folder = campaign.folder.join("seeds");
    fs::create_dir_all(&folder).map_err(FuzzError::at(&folder))?;
    for (k, seed) in seeds.iter().enumerate() {
        let path = folder.join(format!("{k:03}"));
        fs::write(&path, seed).map_err(FuzzError::at(&path))?;
    }
    Ok(seeds.len())
}

impl Campaign {
    /// Where what was found can be read back from.
    #[must_use]
    pub fn finds(&self) -> PathBuf {
        self.engine.finds(&self.folder)
    }

    /// The names of the instances that are started here.
    fn instances(&self) -> Vec<String> {
        let name = |k: usize| match (&self.secondary, k) {
            (None, 0) => "main".to_string(),
            (None, _) => format!("secondary-{k}"),
            (Some(name), 0) => name.clone(),
            (Some(name), _) => format!("{name}-{}", k + 1),
        };
        (0..self.jobs.max(1)).map(name).collect()
    }
}

/// One running fuzzer.
#[derive(Debug)]
struct Instance {
    process: Child,
    log: PathBuf,
    status: Option<ExitStatus>,
}

impl Drop for Instance {
    fn drop(&mut self) {
        // Nothing is left running, whichever way this ends.
        if self.status.is_none() {
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

/// Runs a campaign that was prepared.
///
/// # Errors
/// If a fuzzer cannot be started, or dies.
pub fn run(campaign: &Campaign, is_interrupted: fn() -> bool) -> Result<CampaignEnd, FuzzError> {
    let mut instances = Vec::new();
    for (k, name) in campaign.instances().iter().enumerate() {
        instances.push(start(campaign, name, k)?);
    }
    loop {
        for instance in &mut instances {
            instance.look();
        }
        if is_interrupted() {
            end_all(&mut instances);
            return Ok(CampaignEnd::Interrupted);
        }
        if let Some(dead) = instances.iter().find(|instance| instance.is_broken(campaign)) {
            return Err(dead.error(campaign.engine));
        }
        let has_ended = |instance: &Instance| instance.status.is_some();
        let is_over = instances.iter().all(has_ended)
            || (!campaign.keeps_going && instances.iter().any(has_ended) && has_failures(campaign));
        if is_over {
            end_all(&mut instances);
            return Ok(CampaignEnd::Done);
        }
        thread::sleep(PAUSE);
    }
}

fn start(campaign: &Campaign, name: &str, k: usize) -> Result<Instance, FuzzError> {
    let engine = campaign.engine;
    let mut command = engine.instance(campaign, name, k);
    command.stdin(Stdio::null());
    let log = campaign.folder.join(format!("{name}.log"));
    let file = File::create(&log).map_err(FuzzError::at(&log))?;
    if campaign.is_shown && k == 0 {
        command.env_remove("AFL_NO_UI");
    } else {
        let again = file.try_clone().map_err(FuzzError::at(&log))?;
        command.stdout(file).stderr(again);
    }
    let process = command.spawn().map_err(|error| FuzzError::Died {
        program: engine.program(),
        status: error.to_string(),
        said: String::new(),
    })?;
    Ok(Instance { process, log, status: None })
}

/// Whether anything in the folder is a failure: fuzzers name the files of those.
fn has_failures(campaign: &Campaign) -> bool {
    let inputs = stairway::fuzz::inputs(&campaign.finds()).unwrap_or_default();
    inputs.iter().any(|(path, _)| path.parent().is_some_and(|folder| folder.ends_with(CRASHES)))
}

impl Instance {
    fn look(&mut self) {
        if self.status.is_none() {
            self.status = self.process.try_wait().ok().flatten();
        }
    }

    /// Whether it has ended in another way than by finding something or coming to its end.
    fn is_broken(&self, campaign: &Campaign) -> bool {
        self.status.is_some_and(|status| !status.success()) && !has_failures(campaign)
    }

    fn error(&self, engine: Engine) -> FuzzError {
        let said = fs::read(&self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said[said.len().saturating_sub(MAX_SAID)..]).into_owned();
        let status = self.status.map_or_else(String::new, |status| status.to_string());
        FuzzError::Died { program: engine.program(), status, said }
    }
}

/// Asks all instances to end, so that they write what they have, and waits for them for a while.
fn end_all(instances: &mut [Instance]) {
    for instance in instances.iter_mut().filter(|instance| instance.status.is_none()) {
        let pid = i32::try_from(instance.process.id()).ok().and_then(Pid::from_raw);
        // One that is gone already needs no signal.
        let _ = pid.map(|pid| kill_process(pid, Signal::INT));
    }
    for _ in 0..MAX_PAUSES {
        instances.iter_mut().for_each(Instance::look);
        if instances.iter().all(|instance| instance.status.is_some()) {
            return;
        }
        thread::sleep(PAUSE);
    }
}
