//! Calls about paths: performed inside the folders that may be changed, and for reading outside.
//!
//! Where a path leads is known from `paths`. The call is performed on the folder's own descriptor, where the
//! kernel keeps symbolic links from leading out (`RESOLVE_BENEATH`), or refused with the error of a read-only
//! file system.

use crate::gate::{at, at_mut, perform, signed, text};
use crate::paths::{Device, Errno, MAX_PATH, Paths, Place, descriptor_link, is_shared, split, surroundings};
use crate::{Hint, descriptors, guest, refusals, restore};
use std::ffi::CStr;
use std::os::fd::RawFd;
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, AtomicUsize, Ordering};

/// Everything that a call about paths needs: two paths, and their folders. The stack of a handler may be small.
pub(crate) struct Room {
    pub(crate) path: Paths,
    pub(crate) other: Paths,
    folder: [u8; MAX_PATH],
    other_folder: [u8; MAX_PATH],
}

impl Room {
    pub(crate) const fn new() -> Room {
        Room { path: Paths::new(), other: Paths::new(), folder: [0; MAX_PATH], other_folder: [0; MAX_PATH] }
    }
}

const EROFS: Errno = -(libc::EROFS as i64);
const EACCES: Errno = -(libc::EACCES as i64);
const EXDEV: Errno = -(libc::EXDEV as i64);
const ENOENT: Errno = -(libc::ENOENT as i64);
const ENOSPC: Errno = -(libc::ENOSPC as i64);

/// How many files a sequence may make.
const MAX_CREATED: u32 = 1024;
static N_CREATED: AtomicU32 = AtomicU32::new(0);

/// The next sequence may make files again.
pub(crate) fn forget_created() {
    N_CREATED.store(0, Ordering::Relaxed);
}

/// Whether one more file may be made; what is in the folder has to be removed afterwards.
fn may_create() -> bool {
    restore::mark(restore::FILES);
    N_CREATED.fetch_add(1, Ordering::Relaxed) < MAX_CREATED
}

/// Where code under test is, where only its calls are confined: the folder of the process is the test's.
/// Written and read by whoever decides a call.
static HERE: [AtomicU8; MAX_PATH] = [const { AtomicU8::new(0) }; MAX_PATH];
static HERE_LENGTH: AtomicUsize = AtomicUsize::new(0);

/// Back to the folder that a run begins in.
pub(crate) fn go_home() {
    HERE_LENGTH.store(0, Ordering::Relaxed);
}

/// Copies the path of that folder; its length.
pub(crate) fn copy_place(to: &mut [u8]) -> usize {
    match HERE_LENGTH.load(Ordering::Relaxed) {
        0 => {
            let home = crate::paths::folder();
            to[..home.len()].copy_from_slice(home);
            home.len()
        }
        // The root is written without its only letter: see `Paths::locate`.
        1 => 0,
        n => {
            to.iter_mut().zip(&HERE[..n]).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
            n
        }
    }
}

fn set_place(path: &[u8]) {
    HERE.iter().zip(path).for_each(|(to, from)| to.store(*from, Ordering::Relaxed));
    HERE_LENGTH.store(path.len().min(MAX_PATH), Ordering::Relaxed);
}

fn root_fd(root: usize) -> u64 {
    signed(surroundings().map_or(-1, |known| known.root_fd(root)))
}

/// `struct open_how`
#[repr(C)]
struct OpenHow {
    flags: u64,
    mode: u64,
    resolve: u64,
}

const RESOLVE_NO_MAGICLINKS: u64 = 0x02;
const RESOLVE_BENEATH: u64 = 0x08;
/// The flags that `openat2` takes; `open` ignores others.
const OPEN_FLAGS: u64 = (libc::O_ACCMODE
    | libc::O_CREAT
    | libc::O_EXCL
    | libc::O_NOCTTY
    | libc::O_TRUNC
    | libc::O_APPEND
    | libc::O_NONBLOCK
    | libc::O_SYNC
    | libc::O_DIRECTORY
    | libc::O_NOFOLLOW
    | libc::O_CLOEXEC
    | libc::O_NOATIME
    | libc::O_PATH
    | libc::O_TMPFILE) as u64;
const CHANGING: u64 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u64;
const CREATING: u64 = libc::O_CREAT as u64;
const TMPFILE: u64 = libc::O_TMPFILE as u64;

fn open_beneath(root: usize, path: &CStr, flags: u64, mode: u64) -> i64 {
    let makes = flags & CREATING != 0 || flags & TMPFILE == TMPFILE;
    let kept = if flags & libc::O_PATH as u64 == 0 {
        flags & OPEN_FLAGS
    } else {
        flags & (libc::O_PATH | libc::O_DIRECTORY | libc::O_NOFOLLOW | libc::O_CLOEXEC) as u64
    };
    let how = OpenHow {
        flags: kept,
        mode: if makes { restore::mode_of(mode & 0o777) } else { 0 },
        resolve: RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    perform(libc::SYS_openat2, &[root_fd(root), text(path), at(&how), size_of::<OpenHow>() as u64])
}

fn close(fd: i64) {
    perform(libc::SYS_close, &[fd.cast_unsigned()]);
}

/// Refuses to change something outside.
fn read_only(call: &'static str, path: &Paths) -> i64 {
    refusals::note(call, path.text(), Hint::Writable);
    EROFS
}

/// The same through a symbolic link, of which nobody knows here where it leads.
fn leads_out(call: &'static str) -> i64 {
    refusals::note(call, b"", Hint::Writable);
    EROFS
}

fn no_access(call: &'static str, path: &Paths) -> i64 {
    refusals::note(call, path.text(), Hint::Never);
    EACCES
}

/// `open` and its like.
pub(crate) fn open(room: &mut Room, call: &'static str, from: i32, path: u64, flags: u64, mode: u64) -> i64 {
    let answer = open_at(room, call, from, path, flags, mode);
    if is_shared() { descriptors::opened(answer) } else { answer }
}

fn open_at(room: &mut Room, call: &'static str, from: i32, path: u64, flags: u64, mode: u64) -> i64 {
    if let Err(error) = room.path.read(from, path) {
        return error;
    }
    restore::mark(restore::DESCRIPTORS);
    let is_changing = flags & libc::O_PATH as u64 == 0 && flags & CHANGING != 0;
    let answer = match room.path.place() {
        Place::Inside { root, path, outside } => {
            if is_changing && !may_create() {
                return ENOSPC;
            }
            let answer = open_beneath(root, path, flags, mode);
            match (answer, outside) {
                (EXDEV, _) if is_changing => leads_out(call),
                (EXDEV, _) => no_access(call, &room.path),
                (ENOENT, Some(outside)) if !is_changing => open_outside(outside, flags),
                _ => answer,
            }
        }
        Place::Device(Device::Plain, path) => {
            perform(libc::SYS_openat, &[signed(libc::AT_FDCWD), text(path), flags & !CREATING, 0])
        }
        Place::Device(Device::Random, _) => open_random(flags),
        Place::System(path) | Place::Outside(path) if !guest::is_guest() && !is_changing => {
            perform(libc::SYS_openat, &[signed(libc::AT_FDCWD), text(path), flags, mode])
        }
        Place::System(_) | Place::Outside(_) if is_changing => return read_only(call, &room.path),
        Place::System(path) if is_loadable(path) => {
            perform(libc::SYS_openat, &[signed(libc::AT_FDCWD), text(path), flags, mode])
        }
        Place::System(_) => return no_access(call, &room.path),
        Place::Outside(path) => match open_outside(path, flags) {
            EACCES => no_access(call, &room.path),
            answer => answer,
        },
    };
    if answer == ENOENT && guest::is_guest() && room.path.is_relative() && !is_changing {
        let name = room.path.text();
        let folder = crate::paths::folder();
        let shown = if crate::paths::is_within(name, folder) {
            &name[(folder.len() + 1).min(name.len())..]
        } else {
            name
        };
        refusals::note(call, shown, Hint::Files);
    }
    answer
}

/// The file in memory from which an object is loaded.
static LOADABLE: AtomicI32 = AtomicI32::new(-1);

/// Objects may be loaded from this file in memory: where a process is locked up, files of its own hold no
/// programs.
pub fn load_from(file: RawFd) {
    LOADABLE.store(file, Ordering::Relaxed);
}

fn is_loadable(path: &CStr) -> bool {
    let fd = LOADABLE.load(Ordering::Relaxed);
    fd >= 0 && crate::trap::is_loading() && path == descriptor_link(fd, &mut [0; 32])
}

/// For reading: ordinary files and folders, nothing that tells of this process.
fn open_outside(path: &CStr, flags: u64) -> i64 {
    const PROC_SUPER_MAGIC: i64 = 0x9fa0;
    const SYSFS_MAGIC: i64 = 0x6265_6572;
    let kind = match kind_of(signed(libc::AT_FDCWD), path) {
        Ok(kind) => kind,
        Err(error) => return error,
    };
    if kind != libc::S_IFREG && kind != libc::S_IFDIR {
        return EACCES;
    }
    let how = OpenHow { flags: flags & OPEN_FLAGS, mode: 0, resolve: RESOLVE_NO_MAGICLINKS };
    let how_size = size_of::<OpenHow>() as u64;
    let fd = perform(libc::SYS_openat2, &[signed(libc::AT_FDCWD), text(path), at(&how), how_size]);
    if fd < 0 {
        return fd;
    }
    let mut answer = [0u64; 16];
    let is_known = perform(libc::SYS_fstatfs, &[fd.cast_unsigned(), at_mut(&mut answer)]) == 0;
    if is_known && [PROC_SUPER_MAGIC, SYSFS_MAGIC].contains(&answer[0].cast_signed()) {
        close(fd);
        return EACCES;
    }
    fd
}

/// The kind of file behind a path.
fn kind_of(from: u64, path: &CStr) -> Result<u32, Errno> {
    kind_with(from, path, 0)
}

fn kind_with(from: u64, path: &CStr, flags: i32) -> Result<u32, Errno> {
    /// `struct stat`: the mode is a word at byte 24.
    #[repr(C)]
    struct Stat {
        before: [u64; 3],
        mode: u32,
        after: [u32; 29],
    }
    let mut stat = Stat { before: [0; 3], mode: 0, after: [0; 29] };
    let answer = perform(libc::SYS_newfstatat, &[from, text(path), at_mut(&mut stat), signed(flags)]);
    if answer < 0 { Err(answer) } else { Ok(stat.mode & libc::S_IFMT) }
}

/// The same bytes for everybody: a new descriptor of the file that holds them.
fn open_random(flags: u64) -> i64 {
    if flags & CHANGING != 0 {
        return EROFS;
    }
    let Some(known) = surroundings() else { return ENOENT };
    let mut name = [0; 32];
    let path = descriptor_link(known.random_fd, &mut name);
    let flags = flags & libc::O_CLOEXEC as u64;
    perform(libc::SYS_openat, &[signed(libc::AT_FDCWD), text(path), flags, 0])
}

/// A call that only reads: with the folder and the path that take the place of those given.
pub(crate) fn read(room: &mut Room, from: i32, path: u64, mut call: impl FnMut(u64, &CStr) -> i64) -> i64 {
    if let Err(error) = room.path.read(from, path) {
        return error;
    }
    let here = signed(libc::AT_FDCWD);
    match room.path.place() {
        Place::Inside { root, path, outside } => match (call(root_fd(root), path), outside) {
            (ENOENT, Some(outside)) => call(here, outside),
            (answer, _) => answer,
        },
        Place::Device(_, path) | Place::System(path) | Place::Outside(path) => call(here, path),
    }
}

/// `access`: nothing outside is writable.
pub(crate) fn access(room: &mut Room, from: i32, path: u64, mode: u64, flags: u64) -> i64 {
    let answer =
        read(room, from, path, |from, path| perform(libc::SYS_faccessat2, &[from, text(path), mode, flags]));
    let is_outside = matches!(room.path.place(), Place::System(_) | Place::Outside(_));
    if answer == 0 && mode & libc::W_OK as u64 != 0 && is_outside { EROFS } else { answer }
}

/// A call that changes what is in a folder: with the folder and the name in it. `makes`: one more file comes
/// to be.
pub(crate) fn change(
    room: &mut Room,
    call: &'static str,
    from: i32,
    path: u64,
    change: impl FnOnce(u64, &CStr) -> i64,
) -> i64 {
    if let Err(error) = room.path.read(from, path) {
        return error;
    }
    let Place::Inside { root, path, .. } = room.path.place() else {
        return read_only(call, &room.path);
    };
    if !may_create() {
        return ENOSPC;
    }
    let Some((folder, name)) = split(path, &mut room.folder) else { return -i64::from(libc::EBUSY) };
    let fd = open_beneath(root, folder, (libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64, 0);
    match fd {
        EXDEV => leads_out(call),
        ..0 => fd,
        fd => {
            let answer = change(fd.cast_unsigned(), name);
            close(fd);
            answer
        }
    }
}

/// A call that changes a file itself, through symbolic links unless it says otherwise.
pub(crate) fn change_file(
    room: &mut Room,
    call: &'static str,
    from: i32,
    path: u64,
    is_link: bool,
    perform_it: impl FnOnce(u64, &CStr) -> i64,
) -> i64 {
    if let Err(error) = room.path.read(from, path) {
        return error;
    }
    if let Place::Inside { root, path, .. } = room.path.place()
        && !is_link
        && path != c"."
    {
        // Where links lead is the kernel's to find out; one that leads out is refused.
        let fd = open_beneath(root, path, (libc::O_PATH | libc::O_CLOEXEC) as u64, 0);
        match fd {
            EXDEV => return leads_out(call),
            ..0 => return fd,
            fd => close(fd),
        }
    }
    change(room, call, from, path, perform_it)
}

/// `truncate`
pub(crate) fn truncate(room: &mut Room, path: u64, size: u64) -> i64 {
    if size > descriptors::MAX_FILE_SIZE {
        return -i64::from(libc::EFBIG);
    }
    let fd = open_at(room, "truncate", libc::AT_FDCWD, path, (libc::O_WRONLY | libc::O_CLOEXEC) as u64, 0);
    if fd < 0 {
        return fd;
    }
    let answer = perform(libc::SYS_ftruncate, &[fd.cast_unsigned(), size]);
    close(fd);
    answer
}

/// A call with two paths: `rename`, `link`. Both must be in the same folder that may be changed.
pub(crate) fn change_two(
    room: &mut Room,
    call: &'static str,
    (from, path): (i32, u64),
    (to, new): (i32, u64),
    perform_it: impl FnOnce(u64, &CStr, u64, &CStr) -> i64,
) -> i64 {
    if let Err(error) = room.path.read(from, path) {
        return error;
    }
    if let Err(error) = room.other.read(to, new) {
        return error;
    }
    let Place::Inside { root, path: old, .. } = room.path.place() else {
        return read_only(call, &room.path);
    };
    let Place::Inside { root: other_root, path: new, .. } = room.other.place() else {
        return read_only(call, &room.other);
    };
    if root != other_root {
        return EXDEV;
    }
    if !may_create() {
        return ENOSPC;
    }
    let folder_flags = (libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
    let busy = -i64::from(libc::EBUSY);
    let (first, old_name) = match split(old, &mut room.folder) {
        None => return busy,
        Some((folder, name)) => (open_beneath(root, folder, folder_flags, 0), name),
    };
    if first < 0 {
        return if first == EXDEV { leads_out(call) } else { first };
    }
    let answer = match split(new, &mut room.other_folder) {
        None => busy,
        Some((folder, new_name)) => match open_beneath(root, folder, folder_flags, 0) {
            EXDEV => leads_out(call),
            second @ ..0 => second,
            second => {
                let answer = perform_it(first.cast_unsigned(), old_name, second.cast_unsigned(), new_name);
                close(second);
                answer
            }
        },
    };
    close(first);
    answer
}

/// `chdir`
pub(crate) fn go_to(room: &mut Room, path: u64) -> i64 {
    if let Err(error) = room.path.read(libc::AT_FDCWD, path) {
        return error;
    }
    let flags = (libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC) as u64;
    let open = |path: &CStr| perform(libc::SYS_openat, &[signed(libc::AT_FDCWD), text(path), flags, 0]);
    let fd = match room.path.place() {
        Place::Inside { root, path, outside } => match (open_beneath(root, path, flags, 0), outside) {
            (ENOENT, Some(outside)) => open(outside),
            (EXDEV, _) => no_access("chdir", &room.path),
            (fd, _) => fd,
        },
        Place::Device(_, path) | Place::System(path) | Place::Outside(path) => open(path),
    };
    if fd < 0 {
        return fd;
    }
    let answer = go_into(fd.cast_unsigned(), &room.path);
    close(fd);
    answer
}

/// `fchdir`
pub(crate) fn go_to_descriptor(room: &mut Room, fd: u64) -> i64 {
    match room.path.locate(crate::gate::descriptor(fd)) {
        Ok(()) => go_into(fd, &room.path),
        Err(error) => error,
    }
}

/// Goes into an open folder, whose path this is; only in mind where the folder of the process is the test's.
fn go_into(fd: u64, path: &Paths) -> i64 {
    restore::mark(restore::FOLDER);
    if !is_shared() {
        return perform(libc::SYS_fchdir, &[fd]);
    }
    let mut stat = [0u64; 18];
    let answer = perform(libc::SYS_fstat, &[fd, at_mut(&mut stat)]);
    let is_folder = stat[3] as u32 & libc::S_IFMT == libc::S_IFDIR;
    if answer == 0 && !is_folder {
        return -i64::from(libc::ENOTDIR);
    }
    if answer == 0 {
        let place = path.text();
        set_place(if place.is_empty() { b"/" } else { place });
    }
    answer
}

/// `getcwd`
pub(crate) fn where_am_i(room: &mut Room, to: u64, size: u64) -> i64 {
    if let Err(error) = room.path.locate(libc::AT_FDCWD) {
        return error;
    }
    let path = room.path.text();
    let path = if path.is_empty() { b"/" } else { path };
    let answer = &mut room.folder;
    let n = path.len().min(MAX_PATH - 8);
    answer[..n].copy_from_slice(&path[..n]);
    answer[n..n + 8].fill(0);
    if size <= n as u64 || size < 8 {
        return -i64::from(libc::ERANGE);
    }
    match crate::paths::copy_to_guest(&answer[..(n + 1).max(8)], to) {
        Ok(()) => n as i64 + 1,
        Err(error) => error,
    }
}
