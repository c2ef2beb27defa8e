//! Failures on disk: one readable file a property, replayed first on the next run.
//!
//! Keeps the record of a failing case and what it drew, and returns stored values on the next run. Values are
//! stored by what they are (a number, a variant's name), not by their position in an order, so that they
//! survive changes that keep the shape of the generators. The file belongs to the user, who may edit it:
//! whatever cannot be read is reported, kept, and never fatal.
//!
//! ```text
//! # Stairway: failures of `queue::tests::keeps_order`. They are replayed first; commit this file.
//!
//! failure: panic at src/queue.rs:12:5
//! size: 7
//! x = 0
//!     0
//! xs = [1, 0]
//!     #2 1 0
//! ```
//!
//! Indented lines hold the choices; `name = value` is for people.
//!
//! Several runs may have the same file: tests of one model, two commands in one folder. So nothing is written
//! from memory: each change is made to what is in the file at that moment, while the folder is locked.

use crate::choice_text::{self, StoredValue};
use crate::failure_words;
use crate::render_program;
use stairway_engine::{CaseOrigin, Choice, Failure, Observations, Outcome, Recording, Report};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The stored failures of one property.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    name: String,
    blocks: Vec<Block>,
    /// This run, as it is stored with a failure.
    run: StoredRun,
    /// Whether everything could be written so far.
    pub(crate) is_writable: bool,
    /// What could not be read or written, for the report.
    pub(crate) warnings: Vec<String>,
}

/// How a failure was found, where that is not decided by the property alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct StoredRun {
    /// The options that decide what is drawn.
    pub(crate) options: String,
    /// The command that replays it, with `CHOICES` in their place.
    pub(crate) command: String,
}

/// One stored failure.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Block {
    pub(crate) identity: String,
    size: u32,
    /// The run that stored it.
    pub(crate) run: StoredRun,
    /// The choices; none if they could not be read.
    pub(crate) values: Option<Vec<StoredValue>>,
    /// The block's lines as they are in the file.
    pub(crate) text: String,
}

const HEADER: &str = "# Stairway: failures of";

impl Store {
    /// Reads the file of the property called `name` in `folder`, if there is one.
    pub(crate) fn open(folder: &Path, name: &str) -> Self {
        Store::at(folder.join(file_name(name)), name)
    }

    /// The same for a property that several tests check, each with a file of its own. What was stored before
    /// there were such files stays where it is.
    pub(crate) fn of_test(folder: &Path, name: &str, test: &str) -> Self {
        let (own, shared) = (folder.join(file_name(&format!("{test} {name}"))), folder.join(file_name(name)));
        Store::at(if shared.exists() && !own.exists() { shared } else { own }, name)
    }

    fn at(path: PathBuf, name: &str) -> Self {
        let (blocks, warnings) = (Vec::new(), Vec::new());
        let run = StoredRun::default();
        let mut store = Store { path, name: name.to_string(), blocks, run, is_writable: true, warnings };
        store.blocks = store.read();
        store
    }

    /// The same for a run of a command.
    pub(crate) fn of_run(mut self, run: &StoredRun) -> Self {
        self.run = run.clone();
        self
    }

    /// What is stored.
    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// What is in the file now.
    fn read(&mut self) -> Vec<Block> {
        let bytes = match fs::read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.warn(&format!("cannot be read: {error}"));
                return Vec::new();
            }
        };
        let Ok(text) = std::str::from_utf8(&bytes) else {
            self.set_aside("is not text");
            return Vec::new();
        };
        if !text.trim().is_empty() && !text.starts_with(HEADER) {
            self.set_aside("was not written by Stairway");
            return Vec::new();
        }
        let mut found = Vec::new();
        for (line, block) in blocks(text) {
            found.push(parse(&block).unwrap_or_else(|why| {
                self.warn(&format!("line {line}: {why}; this failure is not replayed"));
                Block { text: block, ..Block::default() }
            }));
        }
        found
    }

    /// Moves a file that is not ours out of the way, so that nothing of it is lost.
    fn set_aside(&mut self, why: &str) {
        let aside = self.path.with_extension("txt.bak");
        let moved = fs::rename(&self.path, &aside);
        self.warn(&match moved {
            Ok(()) => format!("{why}; moved to {}", aside.display()),
            Err(error) => format!("{why}, and cannot be moved away: {error}"),
        });
    }

    /// Says what is wrong with the file, once.
    fn warn(&mut self, what: &str) {
        let warning = format!("{} {what}", self.path.display());
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// The stored failures that can be replayed: values and size.
    pub(crate) fn replayable(&self) -> Vec<(&[StoredValue], u32)> {
        self.blocks.iter().filter_map(|b| Some((b.values.as_deref()?, b.size))).collect()
    }

    /// What the `n`th replayable failure was, and the options it was found with.
    fn stored(&self, n: usize) -> (&str, &str) {
        let block = self.blocks.iter().filter(|b| b.values.is_some()).nth(n);
        block.map_or(("", ""), |block| (&block.identity, &block.run.options))
    }

    /// Stores a failure in the place of an earlier one with the same identity.
    pub(crate) fn put(
        &mut self,
        failure: &Failure,
        recording: &Recording,
        size: u32,
        observed: &Observations,
    ) {
        let text = render(failure, &recording.choices, size, &self.run, observed);
        let values =
            recording.choices.iter().filter(|choice| !choice.is_imprint()).map(StoredValue::of).collect();
        let identity = failure_words::identity(failure);
        let block = Block { identity, size, run: self.run.clone(), values: Some(values), text };
        place(&mut self.blocks, block.clone());
        self.change(|blocks| place(blocks, block));
    }

    /// Stores what a run has found, in the place of what it was found from; gives the file if
    /// something was stored. What was replayed and no longer fits becomes a warning.
    pub(crate) fn settle(&mut self, report: &Report, is_replay: bool) -> Option<PathBuf> {
        self.warn_of_stale(report);
        let found = match &report.outcome {
            Outcome::Falsified(found) if !matches!(found.origin, CaseOrigin::Example(_)) => &**found,
            _ => return None,
        };
        let all = || std::iter::once(found).chain(&report.others);
        // The same input may fail elsewhere now: the code has moved. From the last on, so that indices stay.
        let mut replayed: Vec<(usize, String)> = all()
            .filter_map(|found| match found.origin {
                CaseOrigin::Stored(index) if !is_replay => {
                    Some((index, failure_words::identity(&found.failure)))
                }
                _ => None,
            })
            .collect();
        replayed.sort_unstable_by(|a, b| b.cmp(a));
        for (index, identity) in replayed {
            self.forget(index, &identity);
        }
        for found in all() {
            self.put(&found.failure, &found.recording, found.size, &found.observed);
        }
        self.is_writable.then(|| self.path.clone())
    }

    /// Names the stored failures that could not be replayed, unless they were found anew.
    fn warn_of_stale(&mut self, report: &Report) {
        let found = match &report.outcome {
            Outcome::Falsified(found) => Some(&**found),
            _ => None,
        };
        for stale in &report.stale {
            let (what, options) = self.stored(stale.stored);
            let (what, options) = (what.to_string(), options.to_string());
            if found
                .into_iter()
                .chain(&report.others)
                .any(|found| failure_words::identity(&found.failure) == what)
            {
                continue;
            }
            if options != self.run.options {
                let options = if options.is_empty() { "no options" } else { &options };
                self.warnings.push(format!(
                    "the stored failure `{what}` in {} was stored by a run with {options}, and is replayed by such a run only",
                    self.path.display(),
                ));
                continue;
            }
            self.warnings.push(format!(
                "the stored failure `{what}` in {} no longer fits the generators (value {} does not); \
                 delete it there, or bring the generators back",
                self.path.display(),
                stale.at + 1,
            ));
        }
    }

    /// Forgets the `n`th replayable failure if it is known by another name now.
    fn forget(&mut self, n: usize, identity: &str) {
        let replayable = self.blocks.iter().enumerate().filter(|(_, b)| b.values.is_some());
        if let Some((at, block)) = { replayable }.nth(n)
            && block.identity != identity
        {
            let old = self.blocks.remove(at);
            self.change(|blocks| blocks.retain(|block| *block != old));
        }
    }

    /// Changes what is in the file, whatever others have written there since it was read.
    pub(crate) fn change(&mut self, change: impl FnOnce(&mut Vec<Block>)) {
        let folder = self.path.parent().unwrap_or(Path::new(".")).to_path_buf();
        let changed = fs::create_dir_all(&folder).and_then(|()| {
            let _locked = lock(&folder);
            let mut blocks = self.read();
            change(&mut blocks);
            self.write(&blocks)
        });
        if let Err(error) = changed {
            self.is_writable = false;
            self.warn(&format!("cannot be written: {error}"));
        }
    }

    /// Writes the whole file, by way of another one so that it is never half written.
    fn write(&self, blocks: &[Block]) -> io::Result<()> {
        let mut text = format!("{HEADER} `{}`. They are replayed first; commit this file.\n", self.name);
        for block in blocks {
            let _ = write!(text, "\n{}\n", block.text.trim_end());
        }
        let new = self.path.with_extension(format!("txt.new-{}", process_number()));
        fs::write(&new, text)?;
        fs::rename(&new, &self.path).inspect_err(|_| drop(fs::remove_file(&new)))
    }
}

/// Puts a failure in the place of an earlier one with the same identity.
pub(crate) fn place(blocks: &mut Vec<Block>, block: Block) {
    match blocks.iter_mut().find(|known| known.values.is_some() && known.identity == block.identity) {
        Some(known) => *known = block,
        None => blocks.push(block),
    }
}

#[allow(clippy::disallowed_methods, reason = "names a file that is gone in a moment")]
fn process_number() -> u32 {
    std::process::id()
}

/// Waits for the right to change the files of a folder, which whoever holds the value has. Where folders
/// cannot be locked everybody has it.
///
/// It is the folder itself that is locked: a file for it would be one more to commit.
#[cfg(unix)]
fn lock(folder: &Path) -> Option<fs::File> {
    let folder = fs::File::open(folder).ok()?;
    rustix::fs::flock(&folder, rustix::fs::FlockOperation::LockExclusive).ok()?;
    Some(folder)
}

#[cfg(not(unix))]
fn lock(_: &Path) -> Option<fs::File> {
    None
}

/// A file name from a property's path.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    format!("{}.txt", name.replace("::", ".").chars().map(plain).collect::<String>())
}

/// The property that a file says it belongs to; nothing if it is none of ours.
pub(crate) fn name_in(text: &str) -> Option<&str> {
    text.strip_prefix(HEADER)?.lines().next()?.split('`').nth(1)
}

/// The blocks of a file, each with the number of its first line. Comments do not count.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut blocks: Vec<(usize, String)> = Vec::new();
    let mut is_inside = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') {
            is_inside = false;
            continue;
        }
        if !is_inside {
            blocks.push((index + 1, String::new()));
            is_inside = true;
        }
        if let Some((_, block)) = blocks.last_mut() {
            block.push_str(line);
            block.push('\n');
        }
    }
    blocks
}

fn parse(text: &str) -> Result<Block, String> {
    let mut block = Block { text: text.to_string(), ..Block::default() };
    let mut values = Vec::new();
    for line in text.lines() {
        if let Some(choices) = line.strip_prefix("    ") {
            values.extend(choice_text::parse(choices)?);
        } else if let Some(identity) = line.strip_prefix("failure: ") {
            block.identity = identity.to_string();
        } else if let Some(size) = line.strip_prefix("size: ") {
            block.size = size.trim().parse().map_err(|_| format!("`{size}` is not a size"))?;
        } else if let Some(options) = line.strip_prefix("options: ") {
            block.run.options = options.to_string();
        } else if let Some(command) = line.strip_prefix("command: ") {
            block.run.command = command.to_string();
        }
    }
    if block.identity.is_empty() {
        return Err("it does not start with `failure: `".to_string());
    }
    block.values = Some(values);
    Ok(block)
}

fn render(
    failure: &Failure,
    choices: &[Choice],
    size: u32,
    run: &StoredRun,
    observed: &Observations,
) -> String {
    let Observations { drawn, steps, .. } = observed;
    let mut text = format!("failure: {}\nsize: {size}\n", one_line(&failure_words::identity(failure)));
    for (key, value) in [("options", &run.options), ("command", &run.command)] {
        // Whole, since it is read again; what has lines of its own is none of the notation's.
        if !value.is_empty() && !value.contains('\n') {
            let _ = writeln!(text, "{key}: {value}");
        }
    }
    let mut at = 0;
    for (k, value) in drawn.iter().enumerate() {
        let name = if value.name.is_empty() { "pick" } else { &value.name };
        let _ = writeln!(text, "{name} = {}", one_line(&value.value));
        let end = drawn.get(k + 1).map_or(choices.len(), |next| next.at.min(choices.len()));
        write_choices(&mut text, choices.get(at..end).unwrap_or_default());
        at = end.max(at);
    }
    for (step, call) in steps.iter().zip(render_program::calls(steps)) {
        let _ = writeln!(text, "{}", one_line(&format!("{}. {call}", step.ordinal + 1)));
    }
    write_choices(&mut text, choices.get(at..).unwrap_or_default());
    text
}

/// Writes choices as indented lines of a readable width.
fn write_choices(text: &mut String, choices: &[Choice]) {
    const WIDTH: usize = 100;
    let mut line = String::new();
    for token in choices.iter().filter(|choice| !choice.is_imprint()).map(choice_text::token) {
        if !line.is_empty() && line.len() + token.len() > WIDTH {
            let _ = writeln!(text, "    {}", std::mem::take(&mut line).trim_end());
        }
        let _ = write!(line, "{token} ");
    }
    if !line.is_empty() {
        let _ = writeln!(text, "    {}", line.trim_end());
    }
}

/// Long or many-lined values are cut: the choices are what counts.
fn one_line(text: &str) -> String {
    const LONGEST: usize = 200;
    let line = text.replace('\n', " ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    line.chars().take(LONGEST).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway_engine::{DrawnRole, DrawnValue, Shape};

    fn recording() -> Recording {
        let number = Shape::Signed { lo: -9, hi: 9, simplest: 0 };
        let choices = vec![
            Choice { index: 3, shape: number },
            Choice { index: 2, shape: Shape::Length { min: 0, max: 9 } },
            Choice { index: 1, shape: Shape::Boolean },
            Choice { index: 0, shape: Shape::Alternative { n: 2, names: &["Push", "Pop"] } },
        ];
        Recording { choices, spans: Vec::new() }
    }

    fn observed() -> Observations {
        let drawn = |name: &'static str, value: &str, at| DrawnValue {
            attachment: stairway_engine::Attachment::default(),
            name: name.into(),
            role: DrawnRole::Argument,
            value: value.to_string(),
            at,
        };
        Observations {
            drawn: vec![drawn("x", "2", 0), drawn("xs", "[true, Push]", 1)],
            ..Observations::default()
        }
    }

    fn failure(identity: &'static str) -> Failure {
        Failure::named(identity)
    }

    #[test]
    fn what_is_stored_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), "a::b");
        store.put(&failure("clause one"), &recording(), 7, &observed());
        assert_eq!(store.warnings, [""; 0]);
        let text = fs::read_to_string(folder.path().join("a.b.txt")).unwrap();
        let expected = "# Stairway: failures of `a::b`. They are replayed first; commit this file.\n\n\
            failure: clause one\nsize: 7\nx = 2\n    2\nxs = [true, Push]\n    #2 true Push\n";
        assert_eq!(text, expected);
        let again = Store::open(folder.path(), "a::b");
        assert_eq!(again.blocks, store.blocks);
        assert_eq!((again.replayable().len(), again.stored(0)), (1, ("clause one", "")));
    }

    #[test]
    fn tests_that_check_the_same_have_files_of_their_own() {
        let folder = tempfile::tempdir().unwrap();
        let put = |test: &str, identity| {
            let mut store = Store::of_test(folder.path(), "Disk behind file", test);
            store.put(&failure(identity), &recording(), 3, &observed());
        };
        let stored = |test: &str| Store::of_test(folder.path(), "Disk behind file", test).blocks().len();
        put("tests::one", "a");
        put("tests::one", "b");
        put("tests::two", "a");
        assert_eq!((stored("tests::one"), stored("tests::two"), stored("tests::three")), (2, 1, 0));
        // An older version knew one file for all of them.
        let folder = tempfile::tempdir().unwrap();
        Store::open(folder.path(), "Disk behind file").put(&failure("a"), &recording(), 3, &observed());
        assert_eq!(Store::of_test(folder.path(), "Disk behind file", "tests::one").blocks().len(), 1);
    }

    #[test]
    fn the_same_failure_is_replaced_and_others_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), "p");
        store.put(&failure("one"), &recording(), 7, &observed());
        store.put(&failure("two"), &recording(), 7, &observed());
        store.put(&failure("one"), &Recording::default(), 1, &Observations::default());
        let again = Store::open(folder.path(), "p");
        let sizes: Vec<u32> = again.blocks.iter().map(|b| b.size).collect();
        assert_eq!(sizes, [1, 7]);
    }

    #[test]
    fn damaged_blocks_are_reported_with_their_line_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.txt");
        let text = format!("{HEADER} `p`.\n\nfailure: x\nsize: 1\n    #2 ?!\n\nfailure: y\nsize: 2\n    4\n");
        fs::write(&path, text).unwrap();
        let mut store = Store::open(folder.path(), "p");
        assert_eq!(store.replayable().len(), 1);
        assert_eq!(store.warnings.len(), 1);
        assert!(store.warnings[0].contains("line 3: `?!` is not a choice"), "{}", store.warnings[0]);
        store.put(&failure("z"), &recording(), 7, &observed());
        let kept = fs::read_to_string(&path).unwrap();
        assert!(kept.contains("    #2 ?!") && kept.contains("failure: y") && kept.contains("failure: z"));
    }

    /// Whatever has become of a file, it is read or refused, and what was read is replayed or found not to fit.
    #[test]
    fn no_corruption_of_a_file_is_fatal() {
        const N_MUTATIONS: u64 = 10_000;
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path(), "p");
        store.put(&failure("one"), &recording(), 7, &observed());
        store.put(&failure("two"), &recording(), 3, &observed());
        let sound = fs::read(folder.path().join("p.txt")).unwrap();
        let (mut n_read, mut n_refused) = (0, 0);
        for k in 0..N_MUTATIONS {
            let text = mutated(&sound, k);
            let parsed = blocks(&text).into_iter().map(|(_, block)| parse(&block));
            for block in parsed {
                let Ok(Block { values: Some(values), size, .. }) = block else {
                    n_refused += 1;
                    continue;
                };
                n_read += 1;
                replay(&values, size);
            }
        }
        assert!(n_read > N_MUTATIONS && n_refused > 100, "{n_read} {n_refused}");
    }

    /// A file in which some bytes were changed, left out or written twice.
    fn mutated(sound: &[u8], k: u64) -> String {
        let mut bytes = sound.to_vec();
        let mut prng = stairway_engine::Prng::new(k);
        for _ in 0..1 + prng.next_u64() % 8 {
            let at = (prng.next_u64() % bytes.len() as u64) as usize;
            let end = (at + 1 + (prng.next_u64() % 9) as usize).min(bytes.len());
            match prng.next_u64() % 4 {
                0 => bytes[at] = prng.next_u64() as u8,
                1 => drop(bytes.drain(at..end)),
                2 => bytes.splice(at..at, b"#9999999999999999999999 -1 $ \"".iter().copied()).for_each(drop),
                _ => {
                    let again = bytes[at..end].to_vec();
                    bytes.splice(at..at, again).for_each(drop);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Replays stored values in a property that draws what they once were.
    fn replay(values: &[StoredValue], size: u32) {
        use stairway_engine::{InProcess, NoHooks, Settings, StoredCase, Workspace, any, unguarded, vec};
        let property = |case: &mut stairway_engine::Case<'_>| {
            case.pick((-9..=9i8, vec(any::<bool>(), 0..9)))?;
            Ok(())
        };
        let values: Vec<_> = values.iter().map(StoredValue::as_value).collect();
        let settings = Settings { n_cases: 0, ..Settings::default() };
        let mut execute = InProcess::new(property, unguarded);
        let stored = [StoredCase::failure(&values, size)];
        stairway_engine::run(&mut execute, &settings, &stored, &mut NoHooks, &mut Workspace::default());
    }

    #[test]
    fn foreign_files_are_set_aside() {
        for foreign in [&b"{\"json\": true}"[..], &[0xff, 0xfe, 0x00]] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("p.txt"), foreign).unwrap();
            let mut store = Store::open(folder.path(), "p");
            assert_eq!(store.warnings.len(), 1);
            store.put(&failure("z"), &recording(), 7, &observed());
            assert_eq!(fs::read(folder.path().join("p.txt.bak")).unwrap(), foreign);
            assert_eq!(Store::open(folder.path(), "p").replayable().len(), 1);
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("file");
        fs::write(&blocked, "").unwrap();
        let mut store = Store::open(&blocked.join("inside"), "p");
        store.put(&failure("z"), &recording(), 7, &observed());
        assert!(store.warnings.iter().any(|w| w.contains("cannot be written")), "{:?}", store.warnings);
    }
}
