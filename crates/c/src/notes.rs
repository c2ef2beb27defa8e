//! What was noticed and fails nothing: kept in tables of the engine's statistics, shown as notes.
//!
//! Workers put lines in (`operations`), the parent takes them out (`hunt`, `report`). A line counts once a
//! sequence.

use stairway::engine::{Case, Statistics};
use stairway_sandbox::{Reader, Refusal};

/// A table of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteTable {
    /// Undefined arithmetic while a function with a contract runs.
    UndefinedUnderContract,
    /// Undefined arithmetic elsewhere.
    Undefined,
    /// Failures of functions without a contract in a file with contracts.
    NotBlamed,
    /// Blocks that nothing leads to at the end of a sequence.
    Lost,
    /// Calls that ended the program.
    Exit,
    /// Sequences that went otherwise when they were run again.
    Unsteady,
    /// Functions that start threads.
    Threads,
    /// Calls that were not judged because they wait for a thread that is under way.
    Waits,
    /// Calls that take so long that only some sequences wait for them.
    Long,
    /// Limits of the runtime that were met: what was not checked because of them.
    Unchecked,
    /// What the sandbox did not let the code do.
    Refused,
    /// Files that the code looked for in its own folder.
    NotFound,
    /// Functions without a body that did what their contracts say.
    Played,
    /// Calls that were not judged because they reach a function without a body.
    Missing,
}

const ALL: [NoteTable; 14] = [
    NoteTable::UndefinedUnderContract,
    NoteTable::Undefined,
    NoteTable::NotBlamed,
    NoteTable::Lost,
    NoteTable::Exit,
    NoteTable::Unsteady,
    NoteTable::Threads,
    NoteTable::Waits,
    NoteTable::Long,
    NoteTable::Unchecked,
    NoteTable::Refused,
    NoteTable::NotFound,
    NoteTable::Played,
    NoteTable::Missing,
];

impl NoteTable {
    /// What the table is called.
    #[must_use]
    pub const fn table(self) -> &'static str {
        match self {
            NoteTable::UndefinedUnderContract => "undefined behaviour under a contract",
            NoteTable::Undefined => "undefined behaviour",
            NoteTable::NotBlamed => "not blamed without a contract (--all does)",
            NoteTable::Lost => "never freed, and nothing leads to it at the end",
            NoteTable::Exit => "ends the program",
            NoteTable::Unsteady => "different results on replay",
            NoteTable::Threads => "threads are run one after the other",
            NoteTable::Waits => "not judged, because a thread waits for another",
            NoteTable::Long => "takes long, and was cut short in most sequences",
            NoteTable::Unchecked => "not checked",
            NoteTable::Refused => "refused by the sandbox",
            NoteTable::NotFound => "not found in the code's folder",
            NoteTable::Played => "played by its contract, since it has no body",
            NoteTable::Missing => "not judged, because a function has no body",
        }
    }

    /// Whether it is about undefined arithmetic.
    #[must_use]
    pub const fn is_undefined(self) -> bool {
        matches!(self, NoteTable::UndefinedUnderContract | NoteTable::Undefined)
    }

    /// What a word of the sandbox's is kept as.
    pub(crate) fn of_sandbox(refusal: &Refusal) -> (NoteTable, String) {
        let noticed = if refusal.is_refused() { NoteTable::Refused } else { NoteTable::NotFound };
        (noticed, refusal.words(Reader::Command))
    }

    /// Keeps a line.
    pub fn put(self, case: &mut Case<'_>, line: String) {
        let observed = case.observed();
        if !observed.collected.iter().any(|known| known.table == self.table() && known.value == line) {
            observed.collect(self.table(), &line);
        }
    }

    /// Whether anything was kept.
    #[must_use]
    pub fn is_in(self, statistics: &Statistics) -> bool {
        statistics.tables.contains_key(self.table())
    }
}

/// How many lines of a table are shown.
const MOST_LINES: usize = 10;

/// All notes of a hunt, one a line; of many of a kind the first.
#[must_use]
pub fn lines(statistics: &Statistics) -> Vec<String> {
    up_to(MOST_LINES, statistics)
}

/// All notes of a hunt, however many.
#[must_use]
pub fn all_lines(statistics: &Statistics) -> Vec<String> {
    up_to(usize::MAX, statistics)
}

fn up_to(most: usize, statistics: &Statistics) -> Vec<String> {
    let rows = |noticed: NoteTable| {
        let rows = statistics.tables.get(noticed.table()).map(|table| &table.rows);
        let n_more = rows.map_or(0, |rows| rows.len().saturating_sub(most));
        let more = (n_more > 0).then(|| format!("{}: {n_more} more places", noticed.table()));
        let line = move |(line, n): (&String, &u64)| {
            let often = if *n == 1 { "in 1 sequence".to_string() } else { format!("in {n} sequences") };
            format!("{}: {line}, {often}", noticed.table())
        };
        rows.into_iter().flatten().take(most).map(line).chain(more)
    };
    ALL.into_iter().flat_map(rows).collect()
}
