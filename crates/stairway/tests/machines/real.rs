//! Drivers with something real behind them, sockets and files, or a table in memory, whose operations carry handles and epochs:
//! numbers that count what was done before. What such a number counts goes together with it, so that every counterexample is a
//! shortest one.

use stairway::Settings;
use stairway::prelude::*;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::net::UnixStream;

/// Connections to one server, at most two at a time; each lease has a number of its own.
#[machine(start = Serving { next: 1, first: 0, second: 0 })]
pub mod pool {
    pub enum State {
        Serving { next: u32, first: u32, second: u32 },
    }
    pub enum Op {
        Lease { ret: Leased },
        Echo { lease: u32, byte: u8, ret: Heard },
        Return { lease: u32 },
    }
    pub enum Leased {
        Number { number: u32 },
        Exhausted,
    }
    pub enum Heard {
        Byte { byte: u8 },
        Stale,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Serving { next, first: 0, second }, Lease { ret: Number { number } }) if number == next => {
                Serving { next: next + 1, first: number, second }
            }
            (Serving { next, first: first @ 1.., second: 0 }, Lease { ret: Number { number } })
                if number == next =>
            {
                Serving { next: next + 1, first, second: number }
            }
            (Serving { first: 1.., second: 1.., .. }, Lease { ret: Exhausted }) => s,
            (Serving { first, second, .. }, Echo { lease, byte, ret: Byte { byte: heard } })
                if lease > 0 && (lease == first || lease == second) && heard == byte =>
            {
                s
            }
            (Serving { next, first, second }, Echo { lease, ret: Stale, .. })
                if lease > 0 && lease < next && lease != first && lease != second =>
            {
                s
            }
            (Serving { next, first, second }, Return { lease }) if lease > 0 && lease == first => {
                Serving { next, first: 0, second }
            }
            (Serving { next, first, second }, Return { lease }) if lease > 0 && lease == second => {
                Serving { next, first, second: 0 }
            }
        }
    }
}

/// Connections that are their own peers: no thread, nothing that waits. Pairs of sockets, because thousands of
/// connections a run on loopback would use up the ports of everybody who tests at the same time.
#[derive(Default)]
struct Sockets {
    idle: Vec<(UnixStream, UnixStream)>,
    leased: BTreeMap<u32, (UnixStream, UnixStream)>,
    n_leases: u32,
    /// The planted bug: a lease that was given back still works while its connection is idle.
    is_sloppy: bool,
}

impl Sockets {
    fn new(is_sloppy: bool) -> Sockets {
        Sockets { is_sloppy, ..Sockets::default() }
    }
}

fn echoed((here, there): &mut (UnixStream, UnixStream), byte: u8) -> u8 {
    let mut one = [byte];
    here.write_all(&one).expect("it is open");
    there.read_exact(&mut one).expect("it was sent");
    there.write_all(&one).expect("it is open");
    here.read_exact(&mut one).expect("it was sent");
    one[0]
}

impl pool::Driver for Sockets {
    fn lease(&mut self) -> pool::Leased {
        if self.leased.len() == 2 {
            return pool::Leased::Exhausted;
        }
        let connected = || UnixStream::pair().expect("two sockets can be connected");
        let connection = self.idle.pop().unwrap_or_else(connected);
        self.n_leases += 1;
        self.leased.insert(self.n_leases, connection);
        pool::Leased::Number { number: self.n_leases }
    }

    fn echo(&mut self, lease: u32, byte: u8) -> pool::Heard {
        let is_old = lease < self.n_leases && lease > 1;
        match self.leased.get_mut(&lease) {
            Some(connection) => pool::Heard::Byte { byte: echoed(connection, byte) },
            None => match self.idle.last_mut() {
                Some(connection) if self.is_sloppy && is_old => {
                    pool::Heard::Byte { byte: echoed(connection, byte) }
                }
                _ => pool::Heard::Stale,
            },
        }
    }

    fn r#return(&mut self, lease: u32) {
        self.idle.extend(self.leased.remove(&lease));
    }
}

/// A file of records; what was appended counts once it is committed, under the number of the opening.
#[machine(start = Open { epoch: 1, stored: 0, pending: 0 })]
pub mod journal {
    pub enum State {
        Open { epoch: u32, stored: u8, pending: u8 },
    }
    pub enum Op {
        Append {
            record: u8,
        },
        Commit {
            epoch: u32,
            ret: Committed,
        },
        /// The process ends without a word and the file is opened again.
        Crash,
        Count {
            ret: u8,
        },
    }
    pub enum Committed {
        Yes,
        Stale,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Open { epoch, stored, pending }, Append { .. }) if stored + pending < 9 => {
                Open { epoch, stored, pending: pending + 1 }
            }
            (Open { epoch, stored, pending }, Commit { epoch: of, ret: Yes }) if of == epoch => {
                Open { epoch, stored: stored + pending, pending: 0 }
            }
            (Open { epoch, .. }, Commit { epoch: of, ret: Stale }) if of < epoch => s,
            (Open { epoch, stored, .. }, Crash) => Open { epoch: epoch + 1, stored, pending: 0 },
            (Open { stored, .. }, Count { ret }) if ret == stored => s,
        }
    }
}

/// What goes wrong in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Torn {
    Nothing,
    /// The file is not cut to what was committed, so that what was pending counts again.
    NotCut,
    /// A commit of the third opening is taken for one of the fourth.
    OldEpoch,
}

/// A file in a temporary folder: one byte says how many records count, and the records follow.
struct Journal {
    _folder: tempfile::TempDir,
    file: File,
    epoch: u32,
    torn: Torn,
}

impl Journal {
    fn new(torn: Torn) -> Journal {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("journal");
        let mut file =
            OpenOptions::new().read(true).write(true).create_new(true).open(path).expect("it is new");
        file.write_all(&[0]).expect("it can be written");
        Journal { _folder: folder, file, epoch: 1, torn }
    }

    fn len(&mut self) -> u8 {
        self.file.seek(SeekFrom::End(0)).expect("a file has an end") as u8 - 1
    }

    fn stored(&mut self) -> u8 {
        let mut one = [0];
        self.file.seek(SeekFrom::Start(0)).expect("a file has a start");
        self.file.read_exact(&mut one).expect("it is not empty");
        one[0]
    }
}

impl journal::Driver for Journal {
    fn append(&mut self, record: u8) {
        self.file.seek(SeekFrom::End(0)).expect("a file has an end");
        self.file.write_all(&[record]).expect("it can be written");
    }

    fn commit(&mut self, epoch: u32) -> journal::Committed {
        let is_taken = self.torn == Torn::OldEpoch && (epoch, self.epoch) == (3, 4);
        if epoch != self.epoch && !is_taken {
            return journal::Committed::Stale;
        }
        let len = self.len();
        self.file.seek(SeekFrom::Start(0)).expect("a file has a start");
        self.file.write_all(&[len]).expect("it can be written");
        journal::Committed::Yes
    }

    fn crash(&mut self) {
        self.epoch += 1;
        let stored = self.stored();
        if self.torn != Torn::NotCut {
            self.file.set_len(u64::from(stored) + 1).expect("it can be cut");
        }
    }

    fn count(&mut self) -> u8 {
        self.stored()
    }
}

/// Open files by their numbers, which are not used again.
#[machine(start = Files { opened: 0, closed: [false; 8] })]
pub mod files {
    pub enum State {
        Files { opened: u8, closed: [bool; 8] },
    }
    pub enum Op {
        Open { ret: u8 },
        Sync { file: u8 },
        Write { file: u8, ret: Wrote },
        Close { file: u8 },
    }
    pub enum Wrote {
        Yes,
        Closed,
    }
    const fn is_open(file: u8, opened: u8, closed: [bool; 8]) -> bool {
        file > 0 && file <= opened && !closed[file as usize - 1]
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Files { opened, closed }, Open { ret }) if opened < 8 && ret == opened + 1 => {
                Files { opened: ret, closed }
            }
            (Files { opened, closed }, Sync { file }) if is_open(file, opened, closed) => s,
            (Files { opened, closed }, Write { file, ret: Yes }) if is_open(file, opened, closed) => s,
            (Files { opened, closed }, Write { file, ret: Closed })
                if file > 0 && file <= opened && closed[file as usize - 1] =>
            {
                s
            }
            (Files { opened, mut closed }, Close { file }) if is_open(file, opened, closed) => {
                closed[file as usize - 1] = true;
                Files { opened, closed }
            }
        }
    }
}

/// Writes to a closed file that was synced twice.
#[derive(Debug, Default)]
struct Table {
    n_synced: [u8; 8],
    is_closed: [bool; 8],
    n: u8,
}

impl files::Driver for Table {
    fn open(&mut self) -> u8 {
        self.n += 1;
        self.n
    }
    fn sync(&mut self, file: u8) {
        let n = &mut self.n_synced[file as usize - 1];
        *n = n.saturating_add(1);
    }
    fn write(&mut self, file: u8) -> files::Wrote {
        let at = file as usize - 1;
        if self.is_closed[at] && self.n_synced[at] < 2 { files::Wrote::Closed } else { files::Wrote::Yes }
    }
    fn close(&mut self, file: u8) {
        self.is_closed[file as usize - 1] = true;
    }
}

/// A log that takes entries of the present term at its end only.
#[machine(start = Log { term: 0, len: 0 })]
pub mod log {
    pub enum State {
        Log { term: u32, len: u32 },
    }
    pub enum Op {
        Elect,
        Append { term: u32, index: u32, ret: Taken },
    }
    pub enum Taken {
        Yes,
        No,
    }
    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Log { term, len }, Elect) => Log { term: term + 1, len },
            (Log { term, len }, Append { term: of, index, ret: Yes }) if of == term && index == len => {
                Log { term, len: len + 1 }
            }
            (Log { term, len }, Append { term: of, index, ret: No }) if of != term || index != len => s,
        }
    }
}

/// Takes an entry of the term before, once there are two.
#[derive(Debug, Default)]
struct Replica {
    term: u32,
    len: u32,
}

impl log::Driver for Replica {
    fn elect(&mut self) {
        self.term += 1;
    }
    fn append(&mut self, term: u32, index: u32) -> log::Taken {
        let is_late = self.len >= 2 && term.checked_add(1) == Some(self.term);
        if index == self.len && (term == self.term || is_late) {
            self.len += 1;
            return log::Taken::Yes;
        }
        log::Taken::No
    }
}

fn settings(seed: u64) -> Settings {
    Settings::new().without_regressions().seed(seed).cases(1000)
}

#[test]
fn right_drivers_do_what_their_machines_say() {
    let reports = [
        pool::test(|| Sockets::new(false)).settings(settings(1).cases(50)).report(),
        journal::test(|| Journal::new(Torn::Nothing)).settings(settings(1).cases(50)).report(),
    ];
    for report in reports {
        assert!(report.is_success(), "{report}");
        assert!(report.warnings.is_empty(), "{report}");
    }
}

/// Each of twenty seeds finds the bug, in this many steps, none of which can be left out.
fn is_always_shrunk_to(n_steps: usize, report_of: impl Fn(Settings) -> stairway::Report) {
    for seed in 0..20 {
        let report = report_of(settings(seed));
        let Some(found) = report.counterexample() else { panic!("seed {seed}: {report}") };
        let n = found.observed.steps.len();
        assert!(n == n_steps && found.shrinking.are_steps_needed, "seed {seed}: {report}");
    }
}

#[test]
fn handles_and_epochs_are_lowered_with_what_they_count() {
    is_always_shrunk_to(6, |settings| pool::test(|| Sockets::new(true)).settings(settings).report());
    for torn in [Torn::NotCut, Torn::OldEpoch] {
        is_always_shrunk_to(4, |settings| {
            journal::test(move || Journal::new(torn)).settings(settings).report()
        });
    }
    is_always_shrunk_to(5, |settings| files::test(Table::default).settings(settings).report());
    is_always_shrunk_to(4, |settings| log::test(Replica::default).settings(settings).report());
}
