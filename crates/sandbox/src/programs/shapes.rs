//! Which arguments of a system call are paths, and what else a call points to.

use crate::gate::Call;

/// How long something is that a call writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// A structure.
    Fixed(usize),
    /// As much as is answered, and at most this argument.
    Argument(usize),
}

/// A system call about paths.
#[derive(Debug)]
pub(super) struct Shape {
    number: i64,
    /// What a refusal of it is called.
    pub(super) name: &'static str,
    /// Its paths: which argument is the folder that one starts from, and which one is the path.
    pub(super) paths: &'static [(Option<usize>, usize)],
    changes: Changes,
    /// A text that is no path from here.
    pub(super) text: Option<usize>,
    /// Times that are given, and their size.
    pub(super) times: Option<(usize, usize)>,
    /// What it writes.
    pub(super) out: Option<(usize, Length)>,
    /// It opens a file: with flags in an argument, or with none.
    pub(super) open: Option<Option<usize>>,
}

/// Whether a call changes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changes {
    Never,
    Always,
    /// If an argument has one of these flags.
    With(usize, u64),
}

/// Flags with which a file is opened for more than reading.
const CHANGING: u64 = (libc::O_WRONLY | libc::O_RDWR | libc::O_CREAT | libc::O_TRUNC) as u64;

impl Shape {
    /// Whether the call would change something.
    pub(super) fn is_changing(&self, call: &Call) -> bool {
        match self.changes {
            Changes::Never => false,
            Changes::Always => true,
            Changes::With(argument, flags) => call.arguments[argument] & flags != 0,
        }
    }
}

const fn reads(number: i64, name: &'static str, paths: &'static [(Option<usize>, usize)]) -> Shape {
    Shape { number, name, paths, changes: Changes::Never, text: None, times: None, out: None, open: None }
}

const fn changes(number: i64, name: &'static str, paths: &'static [(Option<usize>, usize)]) -> Shape {
    Shape { changes: Changes::Always, ..reads(number, name, paths) }
}

const FIRST: &[(Option<usize>, usize)] = &[(None, 0)];
const SECOND: &[(Option<usize>, usize)] = &[(None, 1)];
const FROM_FIRST: &[(Option<usize>, usize)] = &[(Some(0), 1)];
const FROM_SECOND: &[(Option<usize>, usize)] = &[(Some(1), 2)];
const BOTH: &[(Option<usize>, usize)] = &[(None, 0), (None, 1)];
const FROM_BOTH: &[(Option<usize>, usize)] = &[(Some(0), 1), (Some(2), 3)];
/// `struct stat`, `struct statx`, `struct statfs`.
const STAT: Length = Length::Fixed(144);
const STATX: Length = Length::Fixed(256);
const STATFS: Length = Length::Fixed(120);

const SHAPES: &[Shape] = &[
    Shape {
        changes: Changes::With(1, CHANGING),
        open: Some(Some(1)),
        ..reads(libc::SYS_open, "open", FIRST)
    },
    Shape {
        changes: Changes::With(2, CHANGING),
        open: Some(Some(2)),
        ..reads(libc::SYS_openat, "open", FROM_FIRST)
    },
    Shape { open: Some(None), ..changes(libc::SYS_creat, "creat", FIRST) },
    changes(libc::SYS_truncate, "truncate", FIRST),
    changes(libc::SYS_mkdir, "mkdir", FIRST),
    changes(libc::SYS_mkdirat, "mkdir", FROM_FIRST),
    changes(libc::SYS_rmdir, "rmdir", FIRST),
    changes(libc::SYS_unlink, "unlink", FIRST),
    changes(libc::SYS_unlinkat, "unlink", FROM_FIRST),
    Shape { text: Some(0), ..changes(libc::SYS_symlink, "symlink", SECOND) },
    Shape { text: Some(0), ..changes(libc::SYS_symlinkat, "symlink", FROM_SECOND) },
    changes(libc::SYS_mknod, "mknod", FIRST),
    changes(libc::SYS_mknodat, "mknod", FROM_FIRST),
    changes(libc::SYS_rename, "rename", BOTH),
    changes(libc::SYS_renameat, "rename", FROM_BOTH),
    changes(libc::SYS_renameat2, "rename", FROM_BOTH),
    changes(libc::SYS_link, "link", BOTH),
    changes(libc::SYS_linkat, "link", FROM_BOTH),
    changes(libc::SYS_chmod, "chmod", FIRST),
    changes(libc::SYS_fchmodat, "chmod", FROM_FIRST),
    changes(libc::SYS_fchmodat2, "chmod", FROM_FIRST),
    changes(libc::SYS_chown, "chown", FIRST),
    changes(libc::SYS_lchown, "chown", FIRST),
    changes(libc::SYS_fchownat, "chown", FROM_FIRST),
    changes(libc::SYS_setxattr, "setxattr", FIRST),
    changes(libc::SYS_lsetxattr, "setxattr", FIRST),
    changes(libc::SYS_removexattr, "setxattr", FIRST),
    changes(libc::SYS_lremovexattr, "setxattr", FIRST),
    Shape { times: Some((1, 16)), ..changes(libc::SYS_utime, "utimes", FIRST) },
    Shape { times: Some((1, 32)), ..changes(libc::SYS_utimes, "utimes", FIRST) },
    Shape { times: Some((2, 32)), ..changes(libc::SYS_futimesat, "utimes", FROM_FIRST) },
    Shape { times: Some((2, 32)), ..changes(libc::SYS_utimensat, "utimensat", FROM_FIRST) },
    Shape { out: Some((1, STAT)), ..reads(libc::SYS_stat, "stat", FIRST) },
    Shape { out: Some((1, STAT)), ..reads(libc::SYS_lstat, "stat", FIRST) },
    Shape { out: Some((2, STAT)), ..reads(libc::SYS_newfstatat, "stat", FROM_FIRST) },
    Shape { out: Some((4, STATX)), ..reads(libc::SYS_statx, "stat", FROM_FIRST) },
    Shape { out: Some((1, STATFS)), ..reads(libc::SYS_statfs, "statfs", FIRST) },
    reads(libc::SYS_access, "access", FIRST),
    reads(libc::SYS_faccessat, "access", FROM_FIRST),
    reads(libc::SYS_faccessat2, "access", FROM_FIRST),
    Shape { out: Some((1, Length::Argument(2))), ..reads(libc::SYS_readlink, "readlink", FIRST) },
    Shape { out: Some((2, Length::Argument(3))), ..reads(libc::SYS_readlinkat, "readlink", FROM_FIRST) },
];

/// What a call looks like, if it is about paths.
pub(super) fn of(number: i64) -> Option<&'static Shape> {
    SHAPES.iter().find(|shape| shape.number == number)
}

/// All calls about paths.
pub(crate) fn numbers() -> impl Iterator<Item = i64> {
    SHAPES.iter().map(|shape| shape.number)
}
