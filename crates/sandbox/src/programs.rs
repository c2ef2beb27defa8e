//! Answers programs that code under test has started: the same policy, asked from another process.
//!
//! A program inherits the filter and no handler, so its filter hands calls about files and calls that are
//! refused to a thread of the worker (`SECCOMP_RET_USER_NOTIF`). What concerns the private folder, `/tmp`
//! included, is done there in the program's place, and refusals are noted where those of the code itself are.
//! Everything else is the kernel's to answer: mounts or Landlock hold it, whatever a program writes into a
//! path after it was looked at. Nobody but the thread has the descriptor that calls come from, because its
//! table of descriptors is its own.

use crate::files::Room;
use crate::gate::{Call, at, at_mut, attempt, perform, signed};
use crate::paths::{MAX_PATH, Place, descriptor_link};
use crate::{Hint, Permissions, filter, guest, policy, refusals, trap};
use shapes::{Length, Shape};
use std::ffi::CStr;
use std::io;
use std::sync::mpsc;

mod shapes;

pub(crate) use shapes::numbers;

/// `struct seccomp_notif`
#[repr(C)]
#[derive(Default)]
struct Request {
    id: u64,
    pid: u32,
    flags: u32,
    number: i32,
    arch: u32,
    place: u64,
    arguments: [u64; 6],
}

/// `struct seccomp_notif_resp`
#[repr(C)]
struct Response {
    id: u64,
    value: i64,
    error: i32,
    flags: u32,
}

/// `struct seccomp_notif_addfd`
#[repr(C)]
struct NewDescriptor {
    id: u64,
    flags: u32,
    source: u32,
    target: u32,
    target_flags: u32,
}

const RECEIVE: u64 = 0xc050_2100;
const SEND: u64 = 0xc018_2101;
const IS_VALID: u64 = 0x4008_2102;
const ADD_DESCRIPTOR: u64 = 0x4018_2103;

/// Installs the filter for what code under test starts, and begins to answer; whether it can. Where the
/// kernel cannot ask, the filter refuses by itself, and nothing is noted. If this thread `is_apart`, its
/// calls about paths are Stairway's, or were decided before.
pub(crate) fn begin(permissions: &Permissions, is_apart: bool) -> io::Result<bool> {
    let own = is_apart.then(|| perform(libc::SYS_gettid, &[]) as i32);
    let (asking, refusing) =
        (filter::without_traps(permissions, true), filter::without_traps(permissions, false));
    let (tell, told) = mpsc::sync_channel(1);
    std::thread::Builder::new().name("stairway-programs".to_string()).spawn(move || {
        guest::keep_thread();
        block_signals();
        let begun = attempt(libc::SYS_unshare, &[libc::CLONE_FILES as u64])
            .and_then(|_| filter::install_asking(&asking))
            .and_then(|listener| begin_with(listener, refusing));
        let listener = *begun.as_ref().unwrap_or(&None);
        let _ = tell.send(begun.map(|listener| listener.is_some()));
        if let Some(listener) = listener {
            serve(listener, own);
        }
    })?;
    told.recv().map_err(io::Error::other)?
}

/// With nobody to ask, the filter that refuses.
fn begin_with(listener: Option<u64>, refusing: Vec<filter::Instruction>) -> io::Result<Option<u64>> {
    if listener.is_none() {
        filter::install(&refusing)?;
    }
    Ok(listener)
}

/// Signals are for the threads that run code under test.
fn block_signals() {
    perform(libc::SYS_rt_sigprocmask, &[signed(libc::SIG_SETMASK), at(&u64::MAX), 0, 8]);
}

/// Answers until the process ends.
fn serve(listener: u64, own: Option<i32>) {
    loop {
        let mut request = Request::default();
        match perform(libc::SYS_ioctl, &[listener, RECEIVE, at_mut(&mut request)]) {
            0 => {}
            // Interrupted, or whoever asked has ended.
            error if error == -i64::from(libc::EINTR) || error == -i64::from(libc::ENOENT) => continue,
            _ => return,
        }
        let caller = Caller { listener, id: request.id, pid: request.pid.cast_signed() };
        let call = Call { number: i64::from(request.number), arguments: request.arguments };
        let answer = match shapes::of(call.number) {
            Some(_) if Some(caller.pid) == own => Answer::Kernel,
            None if call.number == libc::SYS_getcwd => caller.where_it_is(&call),
            Some(shape) => caller.about_paths(&call, shape),
            None => caller.refuse(&call),
        };
        caller.send(answer);
    }
}

/// What a program is answered.
#[derive(Clone, Copy)]
enum Answer {
    /// This, or an error that is negative.
    Return(i64),
    /// A new descriptor of this file, with these flags.
    Open { fd: i64, flags: u64 },
    /// Whatever the kernel answers.
    Kernel,
}

/// Whoever made a call and waits for the answer.
struct Caller {
    listener: u64,
    id: u64,
    pid: i32,
}

/// Everything that is copied from a program, for one call.
struct Copies {
    texts: [[u8; MAX_PATH]; 2],
    raw: [u8; MAX_PATH],
    given: [u8; 32],
    out: [u8; MAX_PATH],
}

impl Caller {
    /// A call about paths: done here if it is about a folder that may be changed, refused if it would change
    /// something elsewhere.
    fn about_paths(&self, call: &Call, shape: &Shape) -> Answer {
        let mut copies = Box::new(Copies {
            texts: [[0; MAX_PATH]; 2],
            raw: [0; MAX_PATH],
            given: [0; 32],
            out: [0; MAX_PATH],
        });
        trap::alone(|room| {
            guest::set_call(true);
            let is_changing = shape.is_changing(call);
            let mut moved = Call { number: call.number, arguments: call.arguments };
            for (k, (from, path)) in shape.paths.iter().enumerate() {
                let is_ours = match self.read_path(call, *from, *path, room) {
                    Ok(()) => self.is_ours(room, is_changing),
                    Err(error) if error == -i64::from(libc::EFAULT) => return Answer::Kernel,
                    Err(error) => return Answer::Return(error),
                };
                match is_ours {
                    Decision::Here => {}
                    Decision::Kernel => return Answer::Kernel,
                    Decision::Refused => {
                        refusals::note(shape.name, room.path.text(), Hint::Writable);
                        return Answer::Return(-i64::from(libc::EROFS));
                    }
                }
                let text = room.path.text();
                copies.texts[k][..text.len()].copy_from_slice(text);
                moved.arguments[*path] = at(&copies.texts[k]);
                if let Some(from) = from {
                    moved.arguments[*from] = signed(libc::AT_FDCWD);
                }
            }
            self.perform(call, moved, shape, &mut copies, room)
        })
    }

    /// Makes a call of a program with our copies of what it points to.
    fn perform(
        &self,
        call: &Call,
        mut moved: Call,
        shape: &Shape,
        copies: &mut Copies,
        room: &mut Room,
    ) -> Answer {
        if let Some(raw) = shape.text {
            if let Err(error) = self.read_text(call.arguments[raw], &mut copies.raw) {
                return Answer::Return(error);
            }
            moved.arguments[raw] = at(&copies.raw);
        }
        if let Some((times, size)) = shape.times.filter(|(times, _)| call.arguments[*times] != 0) {
            if !self.read(call.arguments[times], &mut copies.given[..size]) {
                return Answer::Return(-i64::from(libc::EFAULT));
            }
            moved.arguments[times] = at(&copies.given);
        }
        let room_for = shape.out.map(|(to, length)| {
            let size = match length {
                Length::Fixed(size) => size,
                Length::Argument(size) => {
                    // A size that is too large to be right leaves room for every path.
                    let size = usize::try_from(call.arguments[size]).unwrap_or(MAX_PATH);
                    size.min(MAX_PATH)
                }
            };
            moved.arguments[to] = at_mut(&mut copies.out);
            if let Length::Argument(argument) = length {
                moved.arguments[argument] = size as u64;
            }
            (to, length, size)
        });
        let answer = policy::about_paths(&moved, room).unwrap_or(-i64::from(libc::ENOSYS));
        if answer < 0 {
            return Answer::Return(answer);
        }
        if let Some(flags) = shape.open {
            let flags = flags.map_or(0, |flags| call.arguments[flags]);
            return Answer::Open { fd: answer, flags };
        }
        if let Some((to, length, size)) = room_for {
            let n = if matches!(length, Length::Fixed(_)) { size } else { answer as usize };
            if !self.write(&copies.out[..n.min(size)], call.arguments[to]) {
                return Answer::Return(-i64::from(libc::EFAULT));
            }
        }
        Answer::Return(answer)
    }

    /// Who answers a call about the path that was read last.
    fn is_ours(&self, room: &Room, is_changing: bool) -> Decision {
        match room.path.place() {
            Place::Inside { .. } => Decision::Here,
            Place::Device(..) => Decision::Kernel,
            Place::System(_) | Place::Outside(_) if is_changing => Decision::Refused,
            Place::System(_) | Place::Outside(_) => Decision::Kernel,
        }
    }

    /// Reads a path of a program, from where the program is.
    fn read_path(&self, call: &Call, from: Option<usize>, path: usize, room: &mut Room) -> Result<(), i64> {
        let mut text = [0; MAX_PATH];
        let n = self.read_text(call.arguments[path], &mut text)?;
        if n == 0 {
            return Err(-i64::from(libc::EFAULT));
        }
        let mut base = [0; MAX_PATH];
        let mut n_base = 0;
        if text[0] != b'/' {
            let from = from.map_or(libc::AT_FDCWD, |from| crate::gate::descriptor(call.arguments[from]));
            n_base = self.folder(from, &mut base)?;
        }
        room.path.set(&base[..n_base], &text[..n])
    }

    /// `getcwd`
    fn where_it_is(&self, call: &Call) -> Answer {
        let [to, size, ..] = call.arguments;
        let mut base = [0; MAX_PATH];
        let Ok(n) = self.folder(libc::AT_FDCWD, &mut base) else { return Answer::Kernel };
        trap::alone(|room| {
            guest::set_call(true);
            if let Err(error) = room.path.set(&base[..n], b".") {
                return Answer::Return(error);
            }
            let n = room.path.text().len() + 1;
            if size < n as u64 {
                return Answer::Return(-i64::from(libc::ERANGE));
            }
            base[..n - 1].copy_from_slice(room.path.text());
            base[n - 1] = 0;
            let is_copied = self.write(&base[..n], to);
            Answer::Return(if is_copied { n as i64 } else { -i64::from(libc::EFAULT) })
        })
    }

    /// The path of a folder that a program is in, or has open.
    fn folder(&self, fd: i32, to: &mut [u8; MAX_PATH]) -> Result<usize, i64> {
        let mut name = [0; 64];
        let link = self.link(fd, &mut name);
        let (to, size) = (at_mut(to), MAX_PATH as u64 - 1);
        let n = perform(libc::SYS_readlinkat, &[signed(libc::AT_FDCWD), at(link), to, size]);
        // Then the kernel knows better what is wrong.
        usize::try_from(n).map_err(|_| -i64::from(libc::EFAULT))
    }

    /// `/proc/PID/cwd` or `/proc/PID/fd/N`
    fn link<'n>(&self, fd: i32, name: &'n mut [u8; 64]) -> &'n CStr {
        let (mut of_process, mut of_fd) = ([0; 32], [0; 32]);
        let number = |link: &'static [u8], text: &CStr| text.to_bytes()[link.len()..].len();
        const LINKS: &[u8] = b"/proc/self/fd/";
        let process = descriptor_link(self.pid, &mut of_process);
        let n = number(LINKS, process);
        name[..6].copy_from_slice(b"/proc/");
        name[6..6 + n].copy_from_slice(&process.to_bytes()[LINKS.len()..]);
        let rest: &[u8] = if fd == libc::AT_FDCWD {
            b"/cwd"
        } else {
            &descriptor_link(fd, &mut of_fd).to_bytes()[b"/proc/self".len()..]
        };
        name[6 + n..6 + n + rest.len()].copy_from_slice(rest);
        CStr::from_bytes_until_nul(name).unwrap_or(c"/")
    }

    /// What nobody gets. A signal is refused if whoever it is for lies outside.
    fn refuse(&self, call: &Call) -> Answer {
        const EPERM: i64 = -(libc::EPERM as i64);
        if policy::SIGNALS.contains(&call.number) {
            let target = call.arguments[0] as i32;
            let is_there = target <= 0 || perform(libc::SYS_kill, &[signed(target), 0]) == 0;
            if is_there {
                return Answer::Kernel;
            }
            refusals::note("a signal to another process", b"", Hint::Never);
            return Answer::Return(EPERM);
        }
        if [libc::SYS_setsid, libc::SYS_setpgid].contains(&call.number) {
            refusals::note(policy::IDENTITY, b"", Hint::Never);
            return Answer::Return(EPERM);
        }
        if call.number == libc::SYS_clone {
            refusals::note("a namespace", b"", Hint::Never);
            return Answer::Return(EPERM);
        }
        let (name, hint, error) = policy::refusal(call).unwrap_or(("a system call", Hint::Never, EPERM));
        if !name.is_empty() {
            refusals::note(name, b"", hint);
        }
        Answer::Return(error)
    }

    /// Sends the answer; if it is about a file, the program has it from then on.
    fn send(&self, answer: Answer) {
        const CONTINUE: u32 = 1;
        const AND_ANSWER: u32 = 2;
        let (value, flags) = match answer {
            Answer::Kernel => (0, CONTINUE),
            Answer::Return(value) => (value, 0),
            Answer::Open { fd, flags } => {
                let new = NewDescriptor {
                    id: self.id,
                    flags: AND_ANSWER,
                    source: fd as u32,
                    target: 0,
                    target_flags: (flags & libc::O_CLOEXEC as u64) as u32,
                };
                let added = perform(libc::SYS_ioctl, &[self.listener, ADD_DESCRIPTOR, at(&new)]);
                perform(libc::SYS_close, &[fd.cast_unsigned()]);
                if added >= 0 {
                    return;
                }
                (added, 0)
            }
        };
        let error = value.min(0) as i32;
        let response = Response { id: self.id, value: value.max(0), error, flags };
        perform(libc::SYS_ioctl, &[self.listener, SEND, at(&response)]);
    }

    /// Whether the program still waits: otherwise its number may be another's.
    fn is_waiting(&self) -> bool {
        perform(libc::SYS_ioctl, &[self.listener, IS_VALID, at(&self.id)]) == 0
    }

    fn copy(&self, number: i64, ours: u64, size: usize, theirs: u64) -> i64 {
        let (ours, theirs) = ([ours, size as u64], [theirs, size as u64]);
        perform(number, &[signed(self.pid), at(&ours), 1, at(&theirs), 1, 0])
    }

    fn read(&self, from: u64, to: &mut [u8]) -> bool {
        let n = self.copy(libc::SYS_process_vm_readv, at_mut(to), to.len(), from);
        n == to.len() as i64 && self.is_waiting()
    }

    fn write(&self, from: &[u8], to: u64) -> bool {
        self.is_waiting()
            && self.copy(libc::SYS_process_vm_writev, at(from), from.len(), to) == from.len() as i64
    }

    /// The length of a text, which is copied page by page and ends with a zero.
    fn read_text(&self, from: u64, to: &mut [u8; MAX_PATH]) -> Result<usize, i64> {
        let mut n = 0;
        while n < to.len() {
            let at = from.wrapping_add(n as u64);
            let part = ((4096 - at % 4096) as usize).min(to.len() - n);
            if !self.read(at, &mut to[n..n + part]) {
                return Err(-i64::from(libc::EFAULT));
            }
            if let Some(zero) = to[n..n + part].iter().position(|byte| *byte == 0) {
                return Ok(n + zero);
            }
            n += part;
        }
        Err(-i64::from(libc::ENAMETOOLONG))
    }
}

/// Who answers a call about a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Decision {
    /// The policy, in the program's place.
    Here,
    /// The kernel.
    Kernel,
    /// Nobody: it would change something outside.
    Refused,
}
