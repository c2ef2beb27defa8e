//! The store in C: `readpage`, which is Rust, above it; and the store by itself beside a map.

use super::readpage::{Drawn, INO, Page, afs, figure_5b, run as read};
use case_study_support::settings;
use flash::page::Bug;
use flash::store::{Error, ObjId, Objects};
use stairway::prelude::*;
use stairway::refine::RefinementChecker;
use stairway::{Report, Stop};
use stairway_c::library::{Handle, Library};
use std::cell::Cell;
use std::collections::BTreeMap;

stairway_c::library! {
    pub(crate) mod c {
        files: "c/store.c";
        bind "store_*" {
            new -> owned free;
            write(data[n]);
            read(out data, out n);
        }
    }
}

thread_local! {
    /// Which build is tested here: the right one, unless a mistake is planted.
    static PLANTED: Cell<Option<&'static Library>> = const { Cell::new(None) };
}

fn run<'r, T>(with: impl FnOnce(&c::Calls<'r>) -> Checked<T>) -> Checked<T> {
    c::run_with(PLANTED.get().unwrap_or(&c::LIBRARY), with)
}

/// The store behind the trait that `readpage` asks for. What C must not do ends the case, and the trait knows no such end.
struct Store<'c, 'r> {
    c: &'c c::Calls<'r>,
    store: Handle<'c, 'r, c::store>,
    stop: Option<Stop>,
}

impl<'c, 'r> Store<'c, 'r> {
    fn new(c: &'c c::Calls<'r>) -> Checked<Self> {
        let store = c.new()?.expect("there is memory for a store");
        Ok(Store { c, store, stop: None })
    }

    fn write(&self, id: ObjId, bytes: &[u8]) -> Checked<i32> {
        self.c.write(&self.store, id.ino, id.block, bytes)
    }

    /// The object, whose copy is freed here.
    fn get(&self, id: ObjId) -> Checked<Result<Vec<u8>, Error>> {
        match self.c.read(&self.store, id.ino, id.block)? {
            (0, Some(data), Some(n)) => {
                let bytes = self.c.read_slice(data, n as usize)?;
                self.c.memory().free(data)?;
                Ok(Ok(bytes))
            }
            (-12, ..) => Ok(Err(Error::NoMem)),
            (-2, ..) => Ok(Err(Error::NoEnt)),
            (code, ..) => panic!("the store answers {code}, and gives nothing"),
        }
    }
}

impl Objects for Store<'_, '_> {
    fn read(&mut self, id: ObjId) -> Result<Vec<u8>, Error> {
        self.get(id).unwrap_or_else(|stop| {
            self.stop = Some(stop);
            Err(Error::Io)
        })
    }
}

/// Objects that the page read is none of: of other files, and of this one far behind its end.
#[derive(Clone, Copy, Debug, Arbitrary, ToSource)]
struct Other {
    #[from(INO - 1..=INO + 1)]
    ino: u32,
    #[from(sampled_from(&[256u64, 257, 258, 300, 5, 6, 7]))]
    block: u64,
}

/// The store with a file, and with other objects written before it.
fn filled<'c, 'r>(c: &'c c::Calls<'r>, file: &Drawn, others: &[Other]) -> Checked<Store<'c, 'r>> {
    let store = Store::new(c)?;
    for Other { ino, block } in others {
        store.write(ObjId { ino: *ino, block: *block }, &[7; 3])?;
    }
    for (block, (byte, n)) in file.objects() {
        store.write(ObjId { ino: INO, block }, &vec![byte; n])?;
    }
    Ok(store)
}

refinement! {
    /// arrow 1: Rust above C; any allocation of C's may fail
    readpage_over_c(
        file: Drawn,
        #[from(0..6)] n: u64,
        #[from(vec(any(), 0..9))] others: Vec<Other>,
        #[from(0..3)] failing: u64,
    ) {
        abstract files => afs(&file),
        spec => figure_5b(&files, file.inode(), n, &Page::full(9)),
        real => run(|c| {
            let mut store = filled(c, &file, &others)?;
            c.fail_allocation(failing);
            let outcome = read(&mut store, file.inode(), n, &Page::full(9), Bug::Nothing);
            store.stop.map_or(Ok(outcome), Err)
        })?,
    }

    /// arrow 2: the store by itself is a map, and its tree is balanced
    store_is_a_map(#[from(vec((0..3u32, 0..300u64, 0..4u8), 0..40))] writes: Vec<(u32, u64, u8)>) {
        spec => {
            let objects = writes.iter().map(|(ino, block, byte)| ((*ino, *block), vec![*byte; usize::from(*byte)]));
            (objects.collect::<BTreeMap<_, _>>(), true)
        },
        real => run(|c| {
            let store = Store::new(c)?;
            for (ino, block, byte) in &writes {
                store.write(ObjId { ino: *ino, block: *block }, &vec![*byte; usize::from(*byte)])?;
            }
            let mut objects = BTreeMap::new();
            for (ino, block, _) in &writes {
                if let Ok(bytes) = store.get(ObjId { ino: *ino, block: *block })? {
                    objects.insert((*ino, *block), bytes);
                }
            }
            Ok((objects, c.is_balanced(&store.store)?))
        })?,
    }
}

/// A mistake, and a specification that refutes it.
pub(crate) struct Planted {
    pub(crate) name: &'static str,
    library: &'static Library,
    checker: fn() -> RefinementChecker,
}

macro_rules! planted {
    ($($name:literal, $switch:literal, $checker:ident;)*) => {
        [$({
            static LIBRARY: Library = c::built_with(&[$switch]);
            Planted { name: $name, library: &LIBRARY, checker: $checker }
        }),*]
    };
}

pub(crate) fn planted() -> [Planted; 4] {
    planted! {
        "narrow order", "-DPLANTED_NARROW_ORDER", readpage_over_c_refinement;
        "lost subtree", "-DPLANTED_LOST_SUBTREE", readpage_over_c_refinement;
        "whole block", "-DPLANTED_WHOLE_BLOCK", readpage_over_c_refinement;
        "leaked block", "-DPLANTED_LEAKED_BLOCK", store_is_a_map_refinement;
    }
}

impl Planted {
    pub(crate) fn report(&self, seed: u64) -> Report {
        PLANTED.set(Some(self.library));
        let report = (self.checker)().settings(settings(seed).cases(1000)).report();
        PLANTED.set(None);
        report
    }
}

#[test]
fn every_mistake_of_c_is_found_from_every_seed() {
    for planted in planted() {
        for seed in 0..20 {
            let report = planted.report(seed);
            assert!(report.counterexample().is_some(), "{} with seed {seed}: {report}", planted.name);
        }
    }
}
