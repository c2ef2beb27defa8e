//! `readpage` beside the specifications of figure 5, on a mock of the store and on the file system itself.

use flash::files::Files;
use flash::page::{Bug, Inode, readpage};
use flash::store::{BLOCK_SIZE, Error, ObjId, Objects};
use stairway::prelude::*;
use stairway::{Report, ask, equivalent, unmocked};
use std::collections::BTreeMap;
use std::fmt;

/// A page, shown by its runs of equal bytes.
#[derive(Clone, PartialEq)]
pub(crate) struct Page(Vec<u8>);

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|a, b| a == b).map(|run| format!("{}×{}", run.len(), run[0]));
        write!(f, "[{}]", runs.collect::<Vec<_>>().join(", "))
    }
}

impl Page {
    pub(crate) fn full(byte: u8) -> Page {
        Page(vec![byte; BLOCK_SIZE])
    }

    /// The page with zeros behind it.
    fn padded(&self) -> Page {
        let mut bytes = self.0.clone();
        bytes.resize(BLOCK_SIZE, 0);
        Page(bytes)
    }
}

/// A file as the test draws it: a middle ground between the store's objects and the specification's list.
#[derive(Clone, Debug, Arbitrary, ToSource)]
pub(crate) struct Drawn {
    /// For each block its byte and how many of them there are, if it was ever written.
    #[from(vec(option_of((1..4u8, sampled_from(&[1usize, 2, 4095, 4096]))), 0..4))]
    blocks: Vec<Option<(u8, usize)>>,
    /// How many bytes of the last block count.
    #[from(sampled_from(&[4096u64, 1, 2048, 4095]))]
    tail: u64,
}

pub(crate) const INO: u32 = 24;

impl Drawn {
    fn size(&self) -> u64 {
        match self.blocks.len() as u64 {
            0 => 0,
            n => (n - 1) * BLOCK_SIZE as u64 + self.tail,
        }
    }

    /// The blocks that were written, each with its byte and how many of them there are.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (u64, (u8, usize))> {
        self.blocks.iter().enumerate().filter_map(|(block, drawn)| Some((block as u64, (*drawn)?)))
    }

    pub(crate) fn inode(&self) -> Inode {
        Inode { ino: INO, size: self.size() }
    }
}

/// The specification's file system: files as lists of blocks, one for each that the size reaches into.
pub(crate) type Afs = BTreeMap<u32, Vec<Page>>;

pub(crate) fn afs(file: &Drawn) -> Afs {
    let page = |block: &Option<(u8, usize)>| block.map_or(Page(Vec::new()), |(byte, n)| Page(vec![byte; n]));
    BTreeMap::from([(INO, file.blocks.iter().map(page).collect())])
}

const ERRORS: [Error; 5] = [Error::Io, Error::NoMem, Error::Inval, Error::BadF, Error::NoEnt];

/// Where a page lies in its file (figure 6).
enum Place {
    Past,
    EmptyEnd,
    Inside,
}

fn place(inode: Inode, n: u64) -> Place {
    let limit = inode.size >> 12;
    if n > limit {
        Place::Past
    } else if n == limit && inode.size.is_multiple_of(BLOCK_SIZE as u64) {
        Place::EmptyEnd
    } else {
        Place::Inside
    }
}

/// Figure 5a: a buffer or an error; blocks are as they are stored.
fn figure_5a(afs: &Afs, inode: Inode, n: u64, buffer: &Page) -> Outcomes<Result<Page, Error>> {
    match place(inode, n) {
        Place::Past => Outcomes::named("past the end", Err(Error::NoEnt)),
        Place::EmptyEnd => Outcomes::named("nothing to read", Ok(buffer.clone())),
        Place::Inside => Outcomes::named("read", Ok(afs[&inode.ino][n as usize].clone()))
            .or(Outcomes::each(ERRORS).map(Err)),
    }
}

/// The buffer behind a read, and whether it worked.
pub(crate) type Read = (Page, Result<(), Error>);

/// Figure 5b: a buffer in any case, and whether it worked; blocks are padded with zeros.
pub(crate) fn figure_5b(afs: &Afs, inode: Inode, n: u64, buffer: &Page) -> Outcomes<Read> {
    match place(inode, n) {
        Place::Past => Outcomes::named("past the end", (Page::full(0), Err(Error::NoEnt))),
        Place::EmptyEnd => Outcomes::named("nothing to read", (buffer.clone(), Ok(()))),
        Place::Inside => allowed! {
            let read = Outcomes::named("read", None);
            error <- read.or(Outcomes::each(ERRORS).map(Some));
            return match error {
                None => (afs[&inode.ino][n as usize].padded(), Ok(())),
                Some(error) => (buffer.clone(), Err(error)),
            }
        },
    }
}

/// The specification that the paper's authors had at first: it forgets that the store may fail.
fn forgetful(afs: &Afs, inode: Inode, n: u64, buffer: &Page) -> Outcomes<Read> {
    match place(inode, n) {
        Place::Inside => Outcomes::named("read", (afs[&inode.ino][n as usize].padded(), Ok(()))),
        _ => figure_5b(afs, inode, n, buffer),
    }
}

/// Figure 5b with an oracle in place of the choice.
fn by_oracle(afs: &Afs, inode: Inode, n: u64, buffer: &Page) -> Read {
    match place(inode, n) {
        Place::Inside => match ask("readpage", std::iter::once(None).chain(ERRORS.map(Some))) {
            None => (afs[&inode.ino][n as usize].padded(), Ok(())),
            Some(error) => (buffer.clone(), Err(error)),
        },
        Place::Past => (Page::full(0), Err(Error::NoEnt)),
        Place::EmptyEnd => (buffer.clone(), Ok(())),
    }
}

/// The mock of section 6.2: a map, and an oracle that may say that it fails.
struct Mock(BTreeMap<ObjId, Vec<u8>>);

impl Mock {
    fn of(file: &Drawn) -> Mock {
        let object = |(block, (byte, n))| (ObjId { ino: INO, block }, vec![byte; n]);
        Mock(file.objects().map(object).collect())
    }
}

impl Objects for Mock {
    fn read(&mut self, id: ObjId) -> Result<Vec<u8>, Error> {
        if id.ino != INO {
            unmocked!("ostore_read", "an object of the inode {}", id.ino);
        }
        // What is not there is `NoEnt` without the oracle's help.
        match ask(
            "ostore_read",
            [None, Some(Error::Io), Some(Error::NoMem), Some(Error::Inval), Some(Error::BadF)],
        ) {
            Some(error) => Err(error),
            None => self.0.get(&id).cloned().ok_or(Error::NoEnt),
        }
    }
}

/// The file system itself with this file in it.
fn file_system(file: &Drawn) -> (Files, u32) {
    let mut files = Files::new(flash::files::Bug::Nothing);
    files.create(7);
    for (block, (byte, n)) in file.objects() {
        files.write(7, block, &vec![byte; n]);
    }
    let ino = files.lookup(7).expect("it was made");
    (files, ino)
}

pub(crate) fn run(store: &mut impl Objects, inode: Inode, n: u64, old: &Page, bug: Bug) -> Read {
    let mut buffer = [0; BLOCK_SIZE];
    buffer.copy_from_slice(&old.0);
    let result = readpage(store, inode, n, &mut buffer, bug);
    (Page(buffer.to_vec()), result)
}

refinement! {
    #[example(Drawn { blocks: vec![], tail: 4096 }, 0, Oracle::calm())]
    readpage_refines_figure_5b(file: Drawn, #[from(0..6)] n: u64, oracle: Oracle) {
        abstract files => afs(&file),
        spec => figure_5b(&files, file.inode(), n, &Page::full(9)),
        real => run(&mut Mock::of(&file), file.inode(), n, &Page::full(9), Bug::Nothing),
    }

    /// Figure 5a says nothing of the buffer when something fails, and nothing of zeros.
    readpage_refines_figure_5a(file: Drawn, #[from(0..6)] n: u64, oracle: Oracle) {
        abstract files => afs(&file),
        spec => figure_5a(&files, file.inode(), n, &Page::full(9)),
        real => run(&mut Mock::of(&file), file.inode(), n, &Page::full(9), Bug::Nothing),
        relate => |spec, (page, result)| match (spec, result) {
            (Ok(spec), Ok(())) => spec.padded() == *page,
            (Err(spec), Err(real)) => spec == real,
            _ => false,
        },
    }

    #[ignore = "the specification forgets the store's errors; the README shows the report"]
    readpage_refines_what_forgets_errors(file: Drawn, #[from(0..6)] n: u64, oracle: Oracle) {
        abstract files => afs(&file),
        spec => forgetful(&files, file.inode(), n, &Page::full(9)),
        real => run(&mut Mock::of(&file), file.inode(), n, &Page::full(9), Bug::Nothing),
    }

    readpage_on_the_file_system(file: Drawn, #[from(0..6)] n: u64) {
        abstract files => afs(&file),
        concrete (mut store, ino) => file_system(&file),
        spec => figure_5b(&files, file.inode(), n, &Page::full(9)),
        real => run(&mut store, Inode { ino, ..file.inode() }, n, &Page::full(9), Bug::Nothing),
    }

    #[ignore = "planted bugs, each run below"]
    readpage_with_a_bug(#[from(just(PLANTED.get()))] bug: Planted, file: Drawn, #[from(0..6)] n: u64, oracle: Oracle) {
        abstract files => afs(&file),
        spec => figure_5b(&files, file.inode(), n, &Page::full(9)),
        real => run(&mut Mock::of(&file), file.inode(), n, &Page::full(9), bug.0),
    }
}

/// The bug that `readpage_with_a_bug` runs.
#[derive(Clone, Copy, Debug)]
struct Planted(Bug);

thread_local! {
    static PLANTED: std::cell::Cell<Planted> = const { std::cell::Cell::new(Planted(Bug::Nothing)) };
}

pub(crate) fn forgets_errors() -> Report {
    let checker = readpage_refines_what_forgets_errors_refinement();
    checker.settings(case_study_support::settings(case_study_support::SHOWN_SEED)).report()
}

pub(crate) fn holds() -> Report {
    let checker = readpage_refines_figure_5b_refinement();
    checker.settings(case_study_support::settings(case_study_support::SHOWN_SEED).cases(1000)).report()
}

/// The report of a planted bug.
pub(crate) fn planted(bug: Bug, seed: u64) -> Report {
    PLANTED.set(Planted(bug));
    let checker = readpage_with_a_bug_refinement();
    checker.settings(case_study_support::settings(seed).cases(1000)).report()
}

#[property]
fn both_figures_are_one_but_for_the_buffer(file: Drawn, #[from(0..6)] n: u64) {
    let (files, old) = (afs(&file), Page::full(9));
    let a = figure_5a(&files, file.inode(), n, &old).map(|outcome| outcome.map(|page| page.padded()));
    let b = figure_5b(&files, file.inode(), n, &old).map(|(page, result)| result.map(|()| page));
    assert!(a.values().all(|outcome| b.allows(outcome)) && b.values().all(|outcome| a.allows(outcome)));
}

#[property]
fn the_oracle_says_what_figure_5b_lists(file: Drawn, #[from(0..6)] n: u64) -> Correspondence {
    let (files, old) = (afs(&file), Page::full(9));
    equivalent(figure_5b(&files, file.inode(), n, &old), || by_oracle(&files, file.inode(), n, &old))
}

/// Figure 6, both cases, and the file without anything in it.
#[test]
fn the_ends_of_files() {
    let blocks = vec![Some((1, 4096)), Some((2, 4096)), Some((3, 4096))];
    let (mut longer, old) = (blocks.clone(), Page::full(9));
    longer.push(Some((4, 10)));
    let read = |file: &Drawn, n| {
        Oracle::calm().during(|| run(&mut Mock::of(file), file.inode(), n, &old, Bug::Nothing))
    };
    let a = Drawn { blocks: longer, tail: 10 };
    let b = Drawn { blocks, tail: 4096 };
    let empty = Drawn { blocks: Vec::new(), tail: 4096 };
    for n in 0..3u8 {
        assert_eq!(read(&a, u64::from(n)), (Page::full(n + 1), Ok(())));
        assert_eq!(read(&b, u64::from(n)), (Page::full(n + 1), Ok(())));
    }
    assert_eq!(read(&a, 3), (Page(vec![4; 10]).padded(), Ok(())));
    assert_eq!(read(&a, 4), (Page::full(0), Err(Error::NoEnt)));
    assert_eq!(read(&b, 3), (old.clone(), Ok(())));
    assert_eq!(read(&b, 4), (Page::full(0), Err(Error::NoEnt)));
    assert_eq!(read(&empty, 0), (old.clone(), Ok(())));
    assert_eq!(read(&empty, 1), (Page::full(0), Err(Error::NoEnt)));
}

#[test]
fn an_error_that_cannot_come_about_is_named() {
    let report = holds();
    let never: Vec<&str> = report.result.statistics.never_taken().map(|(name, _)| name).collect();
    assert_eq!(never, ["NoEnt"], "{report}");
}

#[test]
fn every_planted_bug_is_found_for_every_seed() {
    for bug in [Bug::NoPadding, Bug::EndIsPast, Bug::ReadsTheEnd, Bug::ErrorsAreZeros] {
        for seed in 0..20 {
            let report = planted(bug, seed);
            assert!(report.counterexample().is_some(), "{bug:?} with seed {seed}: {report}");
        }
    }
    assert!(planted(Bug::Nothing, 1).is_success());
}
