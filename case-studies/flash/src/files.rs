//! The file system: objects in a log on flash, found by a red-black tree.
//!
//! An operation is a transaction: one or more objects, the last of which says so. Operations wait in memory
//! until `sync` writes them to flash, object by object. Power may fail between any two objects; what a later
//! `mount` finds behind the last complete transaction it leaves out.

use crate::store::{BLOCK_SIZE, Error, ObjId, Objects};
use crate::tree::Tree;
use std::collections::BTreeMap;

/// What objects are found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Entry(u8),
    Inode(u32),
    Data(ObjId),
}

/// An object as it is on flash.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Object {
    /// A name leads to a file.
    Entry { name: u8, ino: u32 },
    /// A file has a size.
    Inode { ino: u32, size: u64 },
    /// A block of a file.
    Data { id: ObjId, bytes: Vec<u8> },
    /// A name leads nowhere any more.
    NoEntry { name: u8 },
    /// A file is gone, with its data.
    NoInode { ino: u32 },
}

#[derive(Clone, Debug)]
struct Record {
    object: Object,
    /// Whether a transaction is complete with this.
    is_last: bool,
}

/// A mistake to plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bug {
    /// None.
    Nothing,
    /// The first object of a transaction is said to be the last.
    FirstIsLast,
    /// A write puts the size before the data, as two transactions.
    SizeBeforeData,
    /// `sync` writes the operations that wait in the wrong order, the last one first.
    LastOperationFirst,
}

/// A file as its user sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// How many bytes it has.
    pub size: u64,
    /// Its blocks, without the zeros at their ends; those never written are left out.
    pub blocks: BTreeMap<u64, Vec<u8>>,
}

/// All files by name, or what is wrong with them.
pub type Contents = Result<BTreeMap<u8, File>, String>;

/// The file system.
#[derive(Clone, Debug)]
pub struct Files {
    flash: Vec<Record>,
    waiting: Vec<Vec<Object>>,
    index: Tree<Key, Option<Object>>,
    next_ino: u32,
    bug: Bug,
}

impl Files {
    /// An empty file system.
    #[must_use]
    pub fn new(bug: Bug) -> Self {
        Files { flash: Vec::new(), waiting: Vec::new(), index: Tree::default(), next_ino: 1, bug }
    }

    /// The number of the file that a name leads to.
    #[must_use]
    pub fn lookup(&self, name: u8) -> Option<u32> {
        match self.find(Key::Entry(name)) {
            Some(Object::Entry { ino, .. }) => Some(*ino),
            _ => None,
        }
    }

    /// Makes an empty file; says whether there was none of this name.
    pub fn create(&mut self, name: u8) -> bool {
        if self.lookup(name).is_some() {
            return false;
        }
        let ino = self.next_ino;
        self.next_ino += 1;
        self.transact(vec![Object::Inode { ino, size: 0 }, Object::Entry { name, ino }]);
        true
    }

    /// Writes a block of a file, which grows as far as needed; says whether there is such a file.
    pub fn write(&mut self, name: u8, block: u64, bytes: &[u8]) -> bool {
        let Some(ino) = self.lookup(name) else { return false };
        let end = block * BLOCK_SIZE as u64 + bytes.len() as u64;
        let size = self.size(ino).unwrap_or(0).max(end);
        let data = Object::Data { id: ObjId { ino, block }, bytes: bytes.to_vec() };
        if self.bug == Bug::SizeBeforeData {
            self.transact(vec![Object::Inode { ino, size }]);
            self.transact(vec![data]);
        } else {
            self.transact(vec![data, Object::Inode { ino, size }]);
        }
        true
    }

    /// Removes a file; says whether there was one.
    pub fn unlink(&mut self, name: u8) -> bool {
        let Some(ino) = self.lookup(name) else { return false };
        self.transact(vec![Object::NoEntry { name }, Object::NoInode { ino }]);
        true
    }

    /// Brings everything that waits to flash.
    pub fn sync(&mut self) {
        self.sync_but(0, 0);
    }

    /// `sync`, in which power fails before the last `n_lost` transactions are written, but for the first
    /// `n_objects` of their objects; then the flash is mounted again.
    pub fn crash_in_sync(&mut self, n_lost: usize, n_objects: usize) -> Contents {
        self.sync_but(n_lost, n_objects);
        *self = Files::mount(std::mem::take(&mut self.flash), self.bug);
        self.contents()
    }

    fn sync_but(&mut self, n_lost: usize, n_objects: usize) {
        let mut waiting = std::mem::take(&mut self.waiting);
        let n_whole = waiting.len().saturating_sub(n_lost);
        if self.bug == Bug::LastOperationFirst {
            waiting.reverse();
        }
        let n_objects = n_objects + waiting[..n_whole].iter().map(Vec::len).sum::<usize>();
        let bug = self.bug;
        let records = waiting.into_iter().flat_map(|objects| {
            let last = if bug == Bug::FirstIsLast { 0 } else { objects.len() - 1 };
            objects.into_iter().enumerate().map(move |(k, object)| Record { object, is_last: k == last })
        });
        self.flash.extend(records.take(n_objects));
    }

    /// The file system that is on flash.
    fn mount(flash: Vec<Record>, bug: Bug) -> Self {
        let mut files = Files::new(bug);
        let n_complete = flash.iter().rposition(|record| record.is_last).map_or(0, |at| at + 1);
        for record in &flash[..n_complete] {
            files.apply(&record.object);
        }
        files.flash = flash;
        files.flash.truncate(n_complete);
        files
    }

    /// All files; a name without a file is damage.
    pub fn contents(&self) -> Contents {
        let mut all = BTreeMap::new();
        for (key, object) in self.index.entries() {
            let (Key::Entry(name), Some(Object::Entry { ino, .. })) = (key, object) else { continue };
            let Some(size) = self.size(*ino) else { return Err(format!("the file {name} has no inode")) };
            all.insert(*name, File { size, blocks: self.blocks(*ino) });
        }
        Ok(all)
    }

    /// The size of a file.
    #[must_use]
    pub fn size(&self, ino: u32) -> Option<u64> {
        match self.find(Key::Inode(ino)) {
            Some(Object::Inode { size, .. }) => Some(*size),
            _ => None,
        }
    }

    fn blocks(&self, ino: u32) -> BTreeMap<u64, Vec<u8>> {
        let of_file = |(_, object): (&Key, &Option<Object>)| match object {
            Some(Object::Data { id, bytes }) if id.ino == ino => Some((id.block, bytes.clone())),
            _ => None,
        };
        self.index.entries().into_iter().filter_map(of_file).collect()
    }

    fn find(&self, key: Key) -> Option<&Object> {
        self.index.get(&key)?.as_ref()
    }

    fn transact(&mut self, objects: Vec<Object>) {
        for object in &objects {
            self.apply(object);
        }
        self.waiting.push(objects);
    }

    fn apply(&mut self, object: &Object) {
        let (key, value) = match object {
            Object::Entry { name, ino } => {
                self.next_ino = self.next_ino.max(ino + 1);
                (Key::Entry(*name), Some(object.clone()))
            }
            Object::Inode { ino, .. } => {
                self.next_ino = self.next_ino.max(ino + 1);
                (Key::Inode(*ino), Some(object.clone()))
            }
            Object::Data { id, .. } => (Key::Data(*id), Some(object.clone())),
            Object::NoEntry { name } => (Key::Entry(*name), None),
            Object::NoInode { ino } => {
                for block in self.blocks(*ino).into_keys() {
                    self.index.insert(Key::Data(ObjId { ino: *ino, block }), None);
                }
                (Key::Inode(*ino), None)
            }
        };
        self.index.insert(key, value);
    }
}

impl Objects for Files {
    fn read(&mut self, id: ObjId) -> Result<Vec<u8>, Error> {
        match self.find(Key::Data(id)) {
            Some(Object::Data { bytes, .. }) => Ok(bytes.clone()),
            _ => Err(Error::NoEnt),
        }
    }
}
