//! Several objects in one process: each at addresses of its own, with signal handlers that form a chain.
//!
//! Copies an object file for a numbered place: the runtime's addresses are in its instructions, and the
//! section `stairway_places` says where (see `runtime/runtime.h`). Nothing is looked up while the code runs.

use std::io::Write as _;
use std::ops::Range;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use object::read::elf::{Dyn as _, ElfFile64, FileHeader as _, SectionHeader as _};
use object::{Object as _, ObjectSection as _, elf};

use super::raw::Api;

/// How many objects have room in one process.
pub const PLACES: u64 = 64;

/// From one place to the next.
const DISTANCE: u64 = 4 << 30;

/// The entry of the dynamic section with the size of the list of destructors.
const DESTRUCTORS: i32 = 28;

/// A copy of an object that can be loaded.
#[derive(Debug)]
pub(super) enum ObjectCopy {
    File(tempfile::NamedTempFile),
    /// Where the process is locked up, no file that it makes may hold a program. It is open until it is loaded.
    Memory {
        _file: OwnedFd,
        path: PathBuf,
    },
}

impl ObjectCopy {
    fn new(bytes: &[u8]) -> std::io::Result<ObjectCopy> {
        if stairway_sandbox::is_locked() {
            let file = rustix::fs::memfd_create("stairway", rustix::fs::MemfdFlags::CLOEXEC)?;
            let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
            let mut file = std::fs::File::from(file);
            file.write_all(bytes)?;
            stairway_sandbox::load_from(file.as_raw_fd());
            return Ok(ObjectCopy::Memory { _file: file.into(), path });
        }
        let mut file = tempfile::Builder::new().prefix("stairway-").suffix(".so").tempfile()?;
        file.write_all(bytes)?;
        Ok(ObjectCopy::File(file))
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            ObjectCopy::File(file) => file.path(),
            ObjectCopy::Memory { path, .. } => path,
        }
    }
}

impl Drop for ObjectCopy {
    fn drop(&mut self) {
        if let ObjectCopy::Memory { .. } = self {
            stairway_sandbox::load_from(-1);
        }
    }
}

/// A copy of an object for a place, without destructors: those would run when memory is gone already.
pub(super) fn copy(object: &Path, place: u64) -> Result<ObjectCopy, String> {
    let bytes = std::fs::read(object).map_err(|e| format!("{}: {e}", object.display()))?;
    let bytes = relocated(bytes, place).map_err(|e| format!("{}: {e}", object.display()))?;
    ObjectCopy::new(&bytes)
        .map_err(|e| format!("no temporary file: {e}; set TMPDIR to a folder that can be written"))
}

fn relocated(mut bytes: Vec<u8>, place: u64) -> Result<Vec<u8>, String> {
    if place >= PLACES {
        return Err(format!("there are {PLACES} places for objects"));
    }
    let (addresses, sizes) = {
        let file: ElfFile64<'_> = ElfFile64::parse(&*bytes).map_err(|e| e.to_string())?;
        (addresses(&file)?, sizes_of_destructors(&file).map_err(|e| e.to_string())?)
    };
    for at in addresses {
        let at = bytes.get_mut(at).ok_or("an address lies outside of the file")?;
        let mut address = [0; 8];
        address.copy_from_slice(at);
        let moved = u64::from_le_bytes(address) + place * DISTANCE;
        at.copy_from_slice(&moved.to_le_bytes());
    }
    for at in sizes {
        bytes.get_mut(at).ok_or("a size lies outside of the file")?.fill(0);
    }
    Ok(bytes)
}

/// Where in the file the runtime's addresses are.
fn addresses(file: &ElfFile64<'_>) -> Result<Vec<Range<usize>>, String> {
    let places = file.section_by_name("stairway_places").ok_or("the runtime is not in it")?;
    let entries = places.data().map_err(|e| e.to_string())?;
    let code: Vec<(u64, u64, u64)> = file
        .sections()
        .filter_map(|section| {
            let (start, size) = section.file_range()?;
            (section.address() != 0).then_some((section.address(), size, start))
        })
        .collect();
    let address = |(k, entry): (usize, &[u8])| {
        let mut distance = [0; 4];
        distance.copy_from_slice(entry);
        let entry = places.address() + 4 * k as u64;
        let address = entry.wrapping_add_signed(i64::from(i32::from_le_bytes(distance)));
        let within = code.iter().find(|(start, size, _)| address.wrapping_sub(*start) < *size);
        let (start, _, offset) = within.ok_or("an address of the runtime lies nowhere")?;
        let at = usize::try_from(offset + (address - start)).map_err(|e| e.to_string())?;
        Ok(at..at + 8)
    };
    entries.chunks_exact(4).enumerate().map(address).collect()
}

/// Where the file says how many destructors there are.
fn sizes_of_destructors(file: &ElfFile64<'_>) -> object::Result<Vec<Range<usize>>> {
    let endian = file.endian();
    let header = file.elf_header();
    let sections = header.sections(endian, file.data())?;
    let Some((entries, _)) = sections.dynamic(endian, file.data())? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for section in sections.iter().filter(|s| s.sh_type(endian) == elf::SHT_DYNAMIC) {
        let start = section.sh_offset(endian) as usize;
        for (k, entry) in entries.iter().enumerate() {
            if entry.tag32(endian) == Some(DESTRUCTORS) {
                let at = start + k * size_of_val(entry) + 8;
                found.push(at..at + 8);
            }
        }
    }
    Ok(found)
}

/// An object whose handlers are in place.
#[derive(Clone, Copy)]
struct Link {
    /// Where its table is.
    at: usize,
    handle: unsafe extern "C" fn(u32),
}

impl Link {
    fn of(api: &'static Api) -> Link {
        Link { at: std::ptr::from_ref(api).addr(), handle: api.handle }
    }
}

/// The last one is asked first.
static CHAIN: Mutex<Vec<Link>> = Mutex::new(Vec::new());

/// Starts an object, in front of those that are there.
pub(super) fn start<E>(api: &'static Api, start: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    let mut chain = CHAIN.lock().unwrap_or_else(PoisonError::into_inner);
    start()?;
    chain.push(Link::of(api));
    Ok(())
}

/// Stops an object, wherever it stands in the chain.
pub(super) fn stop(api: &'static Api) {
    let mut chain = CHAIN.lock().unwrap_or_else(PoisonError::into_inner);
    let at = chain.iter().position(|link| link.at == Link::of(api).at).unwrap_or(chain.len());
    let in_front: Vec<Link> = chain.drain(at..).skip(1).collect();
    for other in in_front.iter().rev() {
        // SAFETY: what is in the chain is loaded; no call is under way: there is one thread at a time that
        // runs C, and it is here.
        unsafe { (other.handle)(0) };
    }
    // SAFETY: no call is under way; the runtime gives back signals, timer and memory.
    unsafe { (api.stop)() };
    for other in in_front {
        // SAFETY: as above.
        unsafe { (other.handle)(1) };
        chain.push(other);
    }
}
