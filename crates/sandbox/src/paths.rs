//! Where a path leads: into a folder that may be changed, to a device that everybody may use, or outside.
//!
//! Resolves a path as code under test wrote it, from its starting point. Paths are made absolute and `.` and
//! `..` are taken out by their spelling; that no symbolic link leads out of a folder is left to the kernel
//! (`openat2`). Nothing is allocated: it runs in a signal handler.

use crate::gate::{at_mut, perform, signed};
use crate::{FOLDER, descriptors, dispatch, guest};
use std::ffi::{CStr, CString};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};

/// The longest path that the kernel takes.
pub(crate) const MAX_PATH: usize = 4096;
/// Everything that code under test puts into it lands in the private folder.
pub(crate) const TEMPORARY: &[u8] = b"/tmp";
/// The process's own folder, for [`Paths::read`].
pub(crate) const HERE: i32 = libc::AT_FDCWD;

/// A folder that may be changed.
#[derive(Debug)]
pub(crate) struct Root {
    /// The folder itself.
    pub(crate) fd: i32,
    /// Its real path.
    pub(crate) path: CString,
}

/// What the policy was told when the process was locked, or calls were confined. The private folder is the
/// first root.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) roots: Vec<Root>,
    /// A file in memory that stands in for the random devices.
    pub(crate) random_fd: i32,
    /// Descriptors that are not code under test's to use: a bit each.
    pub(crate) host_files: [AtomicU64; 4],
    /// One that the runtime opens while it is loaded, and that is the host's from then on.
    pub(crate) runtime_file: i32,
    pub(crate) permissions: crate::Permissions,
    /// This process, and its first thread.
    pub(crate) pid: i64,
    /// Whether the code under test is part of this process, rather than loaded.
    pub(crate) is_compiled: bool,
    /// What is different where only calls are confined.
    pub(crate) calls: Option<Calls>,
}

/// Calls that are confined in a process that is not.
#[derive(Debug)]
pub(crate) struct Calls {
    /// What stands in for `/tmp`, once it is needed.
    pub(crate) private: CString,
    /// Its descriptor; negative while it is not there.
    pub(crate) fd: AtomicI32,
    /// Where the process was when the first call was confined. What code under test does not find in its own
    /// folder it reads from there.
    pub(crate) here: CString,
}

static SURROUNDINGS: OnceLock<Surroundings> = OnceLock::new();

/// What the policy knows; nothing if nobody is confined.
pub(crate) fn surroundings() -> Option<&'static Surroundings> {
    SURROUNDINGS.get()
}

/// Says what the policy has to know; false if it was said before.
pub(crate) fn set_surroundings(known: Surroundings) -> bool {
    SURROUNDINGS.set(known).is_ok()
}

/// Whether system calls of code under test come to the policy.
///
/// ```
/// assert!(!stairway_sandbox::is_confining());
/// ```
#[must_use]
pub fn is_confining() -> bool {
    surroundings().is_some()
}

/// Whether this process is locked up.
///
/// ```
/// assert!(!stairway_sandbox::is_locked());
/// ```
#[must_use]
pub fn is_locked() -> bool {
    surroundings().is_some_and(|known| known.calls.is_none())
}

/// Whether only calls are confined: then folder, mode of files and descriptors of the process are a test's.
pub(crate) fn is_shared() -> bool {
    surroundings().is_some_and(|known| known.calls.is_some())
}

/// Whether every system call of code under test comes to the policy, rather than those that a filter traps.
pub(crate) fn is_dispatched() -> bool {
    surroundings().is_some_and(|known| known.calls.is_some() || known.permissions.exec)
}

/// Whether code under test may start processes.
pub(crate) fn may_exec() -> bool {
    surroundings().is_some_and(|known| known.permissions.exec)
}

impl Surroundings {
    /// Whether a descriptor is not code under test's to use.
    pub(crate) fn is_host(&self, fd: i32) -> bool {
        if self.calls.is_some() {
            return !descriptors::is_own(fd);
        }
        (fd == self.runtime_file && !crate::trap::is_loading()) || self.was_open(fd)
    }

    /// Whether a descriptor was open when the sandbox was locked, or an object was loaded.
    pub(crate) fn was_open(&self, fd: i32) -> bool {
        let word = usize::try_from(fd).ok().and_then(|fd| self.host_files.get(fd / 64));
        word.is_some_and(|set| set.load(Ordering::Relaxed) >> (fd % 64) & 1 == 1)
    }

    /// What is open now is the host's.
    pub(crate) fn keep_open_files(&self) {
        descriptors::keep_loaded();
        if self.calls.is_none() {
            for (known, open) in self.host_files.iter().zip(crate::lock::open_files()) {
                known.fetch_or(open, Ordering::Relaxed);
            }
        }
    }

    /// The real path of the private folder.
    fn private(&self) -> Option<&[u8]> {
        match &self.calls {
            Some(calls) => Some(calls.private.to_bytes()),
            None => self.roots.first().map(|root| root.path.to_bytes()),
        }
    }

    /// The descriptor of a folder that may be changed.
    pub(crate) fn root_fd(&self, root: usize) -> i32 {
        match &self.calls {
            None => self.roots.get(root).map_or(-1, |root| root.fd),
            Some(calls) if root == 0 => calls.private_fd(),
            Some(_) => dispatch::extra_roots().find(|(k, _)| *k == root).map_or(-1, |(_, root)| root.fd),
        }
    }

    /// The folder that may be changed in which a path lies: its number, and the length of its own path.
    fn root_of(&self, path: &[u8]) -> Option<(usize, usize)> {
        let holds = |folder: &[u8]| is_within(path, folder).then_some(folder.len());
        match &self.calls {
            None => {
                self.roots.iter().enumerate().find_map(|(k, root)| Some((k, holds(root.path.to_bytes())?)))
            }
            Some(calls) => holds(calls.private.to_bytes()).map(|n| (0, n)).or_else(|| {
                dispatch::extra_roots().find_map(|(k, root)| Some((k, holds(root.path.to_bytes())?)))
            }),
        }
    }
}

/// A device that code under test may open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    /// `/dev/null`, `/dev/zero`, `/dev/full`.
    Plain,
    /// `/dev/random`, `/dev/urandom`.
    Random,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place<'p> {
    /// Into a root: its number, the path from there, and the path as a whole if it may also be read outside.
    Inside { root: usize, path: &'p CStr, outside: Option<&'p CStr> },
    /// A device.
    Device(Device, &'p CStr),
    /// System files that say something about this process or machine.
    System(&'p CStr),
    /// Anywhere else.
    Outside(&'p CStr),
}

/// Room for one path.
pub(crate) struct Paths {
    bytes: [u8; 2 * MAX_PATH + 16],
    length: usize,
    is_relative: bool,
    /// Where it is read if it is not in the private folder: another path than itself where only calls are
    /// confined.
    elsewhere: [u8; 2 * MAX_PATH + 16],
}

/// An error number, negative.
pub(crate) type Errno = i64;

impl Paths {
    pub(crate) const fn new() -> Paths {
        const ROOM: [u8; 2 * MAX_PATH + 16] = [0; 2 * MAX_PATH + 16];
        Paths { bytes: ROOM, length: 0, is_relative: false, elsewhere: ROOM }
    }

    /// Whether the path was written without a `/` in front.
    pub(crate) fn is_relative(&self) -> bool {
        self.is_relative
    }

    /// The path, from the root of the file system.
    pub(crate) fn text(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Reads the path at an address of code under test, which starts at the folder `from`.
    pub(crate) fn read(&mut self, from: i32, address: u64) -> Result<(), Errno> {
        let mut first = [0u8; 1];
        copy_from_guest(address, &mut first)?;
        if first[0] == 0 {
            return Err(-i64::from(libc::ENOENT));
        }
        self.length = 0;
        self.is_relative = first[0] != b'/';
        if self.is_relative {
            self.locate(from)?;
        }
        let start = self.length;
        self.bytes[start] = b'/';
        let n = copy_text(address, &mut self.bytes[start + 1..start + 1 + MAX_PATH])?;
        self.length = start + 1 + n;
        self.normalize();
        self.note_elsewhere();
        Ok(())
    }

    /// Takes the path that somebody else wrote, and who is in the folder `base`.
    pub(crate) fn set(&mut self, base: &[u8], text: &[u8]) -> Result<(), Errno> {
        if base.len() > MAX_PATH || text.len() > MAX_PATH {
            return Err(-i64::from(libc::ENAMETOOLONG));
        }
        self.is_relative = text.first() != Some(&b'/');
        self.length = 0;
        if self.is_relative {
            self.bytes[..base.len()].copy_from_slice(base);
            self.length = base.len();
            self.make_virtual();
        }
        let start = self.length;
        self.bytes[start] = b'/';
        self.bytes[start + 1..start + 1 + text.len()].copy_from_slice(text);
        self.length = start + 1 + text.len();
        self.normalize();
        self.note_elsewhere();
        Ok(())
    }

    /// What code under test reads from its own folder may be a file of the test's.
    fn note_elsewhere(&mut self) {
        self.elsewhere[0] = 0;
        let Some(calls) = surroundings().and_then(|known| known.calls.as_ref()) else { return };
        let (folder, here) = (folder(), calls.here.to_bytes());
        let n = self.length;
        if is_within(self.text(), folder) && here.len() + n < self.elsewhere.len() {
            let rest = n - folder.len();
            self.elsewhere[..here.len()].copy_from_slice(here);
            self.elsewhere[here.len()..=here.len() + rest].copy_from_slice(&self.bytes[folder.len()..=n]);
        }
    }

    /// The path of an open folder, as code under test sees it.
    pub(crate) fn locate(&mut self, fd: i32) -> Result<(), Errno> {
        if fd == HERE && is_shared() {
            self.length = crate::files::copy_place(&mut self.bytes);
            return Ok(());
        }
        let n = if fd == HERE {
            // The kernel counts the zero.
            let room = MAX_PATH as u64;
            perform(libc::SYS_getcwd, &[at_mut(&mut self.bytes[..MAX_PATH]), room]) - 1
        } else {
            let mut name = [0u8; 32];
            let link = descriptor_link(fd, &mut name);
            let target = at_mut(&mut self.bytes[..MAX_PATH]);
            perform(
                libc::SYS_readlinkat,
                &[signed(libc::AT_FDCWD), crate::gate::at(link), target, MAX_PATH as u64],
            )
        };
        let Ok(n) = usize::try_from(n) else {
            return Err(if fd == HERE { n + 1 } else { -i64::from(libc::EBADF) });
        };
        if self.bytes[0] != b'/' {
            return Err(-i64::from(libc::ENOTDIR));
        }
        self.length = n;
        if guest::is_guest() {
            self.make_virtual();
        }
        if self.length == 1 {
            self.length = 0;
        }
        Ok(())
    }

    /// The private folder has the same name everywhere.
    fn make_virtual(&mut self) {
        let Some(real) = surroundings().and_then(Surroundings::private) else { return };
        if !is_within(self.text(), real) {
            return;
        }
        let rest = real.len()..self.length;
        let rest_length = rest.len();
        self.bytes.copy_within(rest, TEMPORARY.len());
        self.bytes[..TEMPORARY.len()].copy_from_slice(TEMPORARY);
        self.length = TEMPORARY.len() + rest_length;
    }

    /// Takes out empty parts, `.` and `..`.
    fn normalize(&mut self) {
        let (mut to, mut from) = (0, 0);
        while from < self.length {
            while from < self.length && self.bytes[from] == b'/' {
                from += 1;
            }
            let end = (from..self.length).find(|k| self.bytes[*k] == b'/').unwrap_or(self.length);
            match &self.bytes[from..end] {
                b"" | b"." => {}
                b".." => {
                    to = self.bytes[..to].iter().rposition(|b| *b == b'/').unwrap_or(0);
                }
                part => {
                    let n = part.len();
                    self.bytes[to] = b'/';
                    self.bytes.copy_within(from..end, to + 1);
                    to += 1 + n;
                }
            }
            from = end;
        }
        if to == 0 {
            self.bytes[0] = b'/';
            to = 1;
        }
        self.bytes[to] = 0;
        self.length = to;
    }

    /// Where it leads.
    pub(crate) fn place(&self) -> Place<'_> {
        let whole = c_text(&self.bytes[..=self.length]);
        let text = self.text();
        if let Some((root, n)) = surroundings().and_then(|known| known.root_of(text)) {
            return Place::Inside { root, path: self.below(n), outside: None };
        }
        if guest::is_guest() && is_within(text, TEMPORARY) {
            let outside = if self.elsewhere[0] == 0 { whole } else { c_text(&self.elsewhere) };
            return Place::Inside { root: 0, path: self.below(TEMPORARY.len()), outside: Some(outside) };
        }
        match text {
            b"/dev/null" | b"/dev/zero" | b"/dev/full" => Place::Device(Device::Plain, whole),
            b"/dev/random" | b"/dev/urandom" if guest::is_guest() => Place::Device(Device::Random, whole),
            _ if [&b"/dev"[..], b"/proc", b"/sys"].iter().any(|folder| is_within(text, folder)) => {
                Place::System(whole)
            }
            _ => Place::Outside(whole),
        }
    }

    fn below(&self, n: usize) -> &CStr {
        if n >= self.length { c"." } else { c_text(&self.bytes[n + 1..=self.length]) }
    }
}

/// The folder that holds a place of a root, and the name in it; `None` for the root itself.
pub(crate) fn split<'p>(path: &'p CStr, folder: &'p mut [u8; MAX_PATH]) -> Option<(&'p CStr, &'p CStr)> {
    if path == c"." {
        return None;
    }
    let bytes = path.to_bytes_with_nul();
    match bytes.iter().rposition(|b| *b == b'/') {
        None => Some((c".", path)),
        Some(at) => {
            folder[..at].copy_from_slice(&bytes[..at]);
            folder[at] = 0;
            Some((c_text(&folder[..=at]), c_text(&bytes[at + 1..])))
        }
    }
}

/// `/proc/self/fd/N`
pub(crate) fn descriptor_link(fd: i32, room: &mut [u8; 32]) -> &CStr {
    const FOLDER_OF_LINKS: &[u8] = b"/proc/self/fd/";
    room[..FOLDER_OF_LINKS.len()].copy_from_slice(FOLDER_OF_LINKS);
    let mut digits = [0u8; 10];
    let mut rest = fd.unsigned_abs();
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 || first == 0 {
            break;
        }
    }
    let n = digits.len() - first;
    room[FOLDER_OF_LINKS.len()..FOLDER_OF_LINKS.len() + n].copy_from_slice(&digits[first..]);
    room[FOLDER_OF_LINKS.len() + n] = 0;
    c_text(&room[..=FOLDER_OF_LINKS.len() + n])
}

/// Whether a path is a folder or lies in it.
pub(crate) fn is_within(path: &[u8], folder: &[u8]) -> bool {
    path.starts_with(folder) && (path.len() == folder.len() || path[folder.len()] == b'/')
}

/// Whether a descriptor is of a file that may be changed, or of none at all, such as a pipe.
pub(crate) fn is_changeable(fd: i32, room: &mut Paths) -> bool {
    match room.locate(fd) {
        Ok(()) => matches!(room.place(), Place::Inside { .. }),
        Err(error) => error == -i64::from(libc::ENOTDIR),
    }
}

/// The folder of code under test, as it sees it.
pub(crate) fn folder() -> &'static [u8] {
    FOLDER.as_bytes()
}

fn c_text(bytes: &[u8]) -> &CStr {
    CStr::from_bytes_until_nul(bytes).unwrap_or(c"/")
}

/// Copies bytes of code under test, if they can be read.
pub(crate) fn copy_from_guest(address: u64, to: &mut [u8]) -> Result<(), Errno> {
    check_readable(address, to.len() as u64)?;
    let from: *const u8 = std::ptr::with_exposed_provenance(address as usize);
    // SAFETY: the kernel has just read from each of these pages.
    unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), to.len()) };
    Ok(())
}

/// Copies bytes to code under test, if it could write there itself. There are at least eight.
pub(crate) fn copy_to_guest(from: &[u8], address: u64) -> Result<(), Errno> {
    let end = address.checked_add(from.len() as u64).ok_or(-i64::from(libc::EFAULT))?;
    let mut at = address;
    while at < end {
        // The kernel writes eight bytes (the mask of signals) or fails.
        let probed = at.min(end.saturating_sub(8));
        let refused = perform(libc::SYS_rt_sigprocmask, &[0, 0, probed, 8]);
        if refused < 0 {
            return Err(-i64::from(libc::EFAULT));
        }
        at = (at & !4095) + 4096;
    }
    let refused = perform(libc::SYS_rt_sigprocmask, &[0, 0, end.saturating_sub(8), 8]);
    if refused < 0 {
        return Err(-i64::from(libc::EFAULT));
    }
    let to: *mut u8 = std::ptr::with_exposed_provenance_mut(address as usize);
    // SAFETY: the kernel has just written to each of these pages, on behalf of code under test.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to, from.len()) };
    Ok(())
}

/// The length of a text of code under test, which is copied without its zero.
fn copy_text(address: u64, to: &mut [u8]) -> Result<usize, Errno> {
    let mut n = 0;
    while n < to.len() {
        let at = address.wrapping_add(n as u64);
        let on_page = (4096 - at % 4096) as usize;
        let part = on_page.min(to.len() - n);
        copy_from_guest(at, &mut to[n..n + part])?;
        if let Some(zero) = to[n..n + part].iter().position(|b| *b == 0) {
            return Ok(n + zero);
        }
        n += part;
    }
    Err(-i64::from(libc::ENAMETOOLONG))
}

fn check_readable(address: u64, size: u64) -> Result<(), Errno> {
    const NO_SUCH_WAY: u64 = 77;
    let end = address.checked_add(size).ok_or(-i64::from(libc::EFAULT))?;
    let mut page = address & !4095;
    while page < end {
        // The kernel reads a mask of eight bytes before it looks at what to do with it.
        let answer = perform(libc::SYS_rt_sigprocmask, &[NO_SUCH_WAY, page, 0, 8]);
        if answer != -i64::from(libc::EINVAL) {
            return Err(-i64::from(libc::EFAULT));
        }
        page += 4096;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(path: &str) -> String {
        let text = CString::new(path).expect("no zero in it");
        let mut paths = Paths::new();
        paths.read(HERE, crate::gate::text(&text)).expect("can be read");
        String::from_utf8_lossy(paths.text()).into_owned()
    }

    #[test]
    fn dots_are_taken_out() {
        assert_eq!(normal("/a/./b//c/../d/"), "/a/b/d");
        assert_eq!(normal("/../../x"), "/x");
        assert_eq!(normal("/"), "/");
        assert_eq!(normal("/a/.."), "/");
        let here = std::env::current_dir().expect("there is one");
        assert_eq!(normal("x/../y"), here.join("y").display().to_string());
    }

    #[test]
    fn an_address_that_cannot_be_read_is_an_error() {
        let mut paths = Paths::new();
        assert_eq!(paths.read(HERE, 16), Err(-i64::from(libc::EFAULT)));
        assert_eq!(paths.read(HERE, u64::MAX - 3), Err(-i64::from(libc::EFAULT)));
        assert_eq!(copy_to_guest(&[0; 16], 16), Err(-i64::from(libc::EFAULT)));
    }

    #[test]
    fn devices_and_system_files_are_known() {
        let text = c"/dev/null";
        let mut paths = Paths::new();
        paths.read(HERE, crate::gate::text(text)).expect("can be read");
        assert!(matches!(paths.place(), Place::Device(Device::Plain, _)));
        paths.read(HERE, crate::gate::text(c"/proc/self/mem")).expect("can be read");
        assert!(matches!(paths.place(), Place::System(_)));
        paths.read(HERE, crate::gate::text(c"/process")).expect("can be read");
        assert!(matches!(paths.place(), Place::Outside(_)));
    }

    #[test]
    fn a_link_of_a_descriptor() {
        assert_eq!(descriptor_link(0, &mut [0; 32]), c"/proc/self/fd/0");
        assert_eq!(descriptor_link(1234, &mut [0; 32]), c"/proc/self/fd/1234");
    }
}
