//! The seccomp filter: harmless calls pass, calls from our gate pass, all others are trapped for the policy.
//!
//! Written by hand rather than with `seccompiler`, which cannot compare the place of a call (the gate). Calls
//! that always pass come first, before anything but the number is read, so that the kernel remembers them and
//! does not run the program.

use crate::Permissions;
use crate::paths::Surroundings;
use std::io;

/// Calls that neither change anything outside nor tell anything that differs from run to run.
pub(crate) const HARMLESS: &[i64] = &[
    libc::SYS_futex,
    libc::SYS_rt_sigreturn,
    libc::SYS_rt_sigpending,
    // A handler that runs on the stack for signals could not change it.
    libc::SYS_sigaltstack,
    libc::SYS_sched_yield,
    libc::SYS_poll,
    libc::SYS_ppoll,
    libc::SYS_select,
    libc::SYS_pselect6,
    libc::SYS_epoll_wait,
    libc::SYS_epoll_pwait,
    libc::SYS_mincore,
    libc::SYS_msync,
    libc::SYS_mlock,
    libc::SYS_munlock,
    libc::SYS_membarrier,
    libc::SYS_restart_syscall,
    libc::SYS_set_tid_address,
    libc::SYS_set_robust_list,
    libc::SYS_get_robust_list,
    libc::SYS_sync_file_range,
    libc::SYS_rseq,
];

/// Calls on a descriptor, the first argument, that pass unless it is one of the host's.
pub(crate) const BY_DESCRIPTOR: &[i64] = &[
    libc::SYS_read,
    libc::SYS_write,
    libc::SYS_readv,
    libc::SYS_writev,
    libc::SYS_pread64,
    libc::SYS_pwrite64,
    libc::SYS_preadv,
    libc::SYS_pwritev,
    libc::SYS_preadv2,
    libc::SYS_pwritev2,
    libc::SYS_lseek,
    libc::SYS_fstat,
    libc::SYS_fsync,
    libc::SYS_fdatasync,
    libc::SYS_getdents,
    libc::SYS_getdents64,
    libc::SYS_ftruncate,
    libc::SYS_fallocate,
    libc::SYS_fadvise64,
    libc::SYS_close,
];

/// Calls that code of the process itself makes as it likes: its memory, its time, its identity, its end.
/// Memory must not be trapped: a thread that ends gives its stack back, and the handler would run on it.
const COMPILED: &[i64] = &[
    libc::SYS_mmap,
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_mprotect,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_clock_gettime,
    libc::SYS_clock_getres,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_time,
    libc::SYS_times,
    libc::SYS_getrusage,
    libc::SYS_getrandom,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_gettid,
    libc::SYS_getuid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getegid,
    libc::SYS_uname,
    libc::SYS_sched_getaffinity,
    libc::SYS_dup,
    libc::SYS_dup2,
    libc::SYS_dup3,
    libc::SYS_pipe,
    libc::SYS_pipe2,
    libc::SYS_eventfd2,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_memfd_create,
];

/// Sockets, where they are allowed.
pub(crate) const NETWORK: &[i64] = &[
    libc::SYS_connect,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_sendto,
    libc::SYS_recvfrom,
    libc::SYS_sendmsg,
    libc::SYS_recvmsg,
    libc::SYS_sendmmsg,
    libc::SYS_recvmmsg,
    libc::SYS_shutdown,
    libc::SYS_getsockname,
    libc::SYS_getpeername,
    libc::SYS_getsockopt,
    libc::SYS_setsockopt,
];

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const JUMP_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const JUMP_NOT_BELOW: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const JUMP_ANY_BIT: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;
const PLACE: u32 = 8;
const ARGUMENTS: u32 = 16;
const AUDIT_ARCH_X86_64: u32 = 0xc000_003e;
/// Numbers from here on are those of another calling convention.
const X32: u32 = 0x4000_0000;

pub(crate) type Instruction = libc::sock_filter;

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> Instruction {
    Instruction { code, jt, jf, k }
}

/// `if number == n { return allow }`, for each.
fn allow(program: &mut Vec<Instruction>, numbers: &[i64]) {
    for number in numbers {
        program.push(instruction(JUMP_EQUAL, 0, 1, *number as u32));
        program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    }
}

/// Lets those sockets be made that cannot leave the network that the process is in. Others have addresses
/// that are files (Unix), or talk to the kernel. A pair that is connected for good talks to nobody else.
fn only_inet(program: &mut Vec<Instruction>, otherwise: u32) {
    const TYPE: u32 = ARGUMENTS + 8;
    let inet = [libc::AF_INET as u32, libc::AF_INET6 as u32];
    for (call, place, allowed) in [
        (libc::SYS_socket, ARGUMENTS, inet),
        (
            libc::SYS_socketpair,
            TYPE,
            [libc::SOCK_STREAM as u32, (libc::SOCK_STREAM | libc::SOCK_CLOEXEC) as u32],
        ),
    ] {
        program.extend([
            instruction(JUMP_EQUAL, 0, 5, call as u32),
            instruction(LOAD, 0, 0, place),
            instruction(JUMP_EQUAL, 1, 0, allowed[0]),
            instruction(JUMP_EQUAL, 0, 1, allowed[1]),
            instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
            instruction(RETURN, 0, 0, otherwise),
        ]);
    }
}

/// `if place == gate { return allow } return trap`
fn allow_gate(program: &mut Vec<Instruction>, gate: u64) {
    pass_gate(program, gate);
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_TRAP));
}

/// `if place == gate { return allow }`
fn pass_gate(program: &mut Vec<Instruction>, gate: u64) {
    program.push(instruction(LOAD, 0, 0, PLACE));
    program.push(instruction(JUMP_EQUAL, 0, 3, gate as u32));
    program.push(instruction(LOAD, 0, 0, PLACE + 4));
    program.push(instruction(JUMP_EQUAL, 0, 1, (gate >> 32) as u32));
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
}

/// The program, for these surroundings and this gate.
pub(crate) fn program(known: &Surroundings, gate: u64) -> Vec<Instruction> {
    let mut program = vec![
        instruction(LOAD, 0, 0, ARCH),
        instruction(JUMP_EQUAL, 1, 0, AUDIT_ARCH_X86_64),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_TRAP),
        instruction(LOAD, 0, 0, NUMBER),
        instruction(JUMP_NOT_BELOW, 0, 1, X32),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_TRAP),
    ];
    allow(&mut program, HARMLESS);
    if known.permissions.network {
        allow(&mut program, NETWORK);
        only_inet(&mut program, libc::SECCOMP_RET_TRAP);
    }
    if known.is_compiled {
        allow(&mut program, COMPILED);
    }
    // Threads, not processes.
    program.push(instruction(JUMP_EQUAL, 0, 4, libc::SYS_clone as u32));
    program.push(instruction(LOAD, 0, 0, ARGUMENTS));
    program.push(instruction(JUMP_ANY_BIT, 0, 1, libc::CLONE_THREAD as u32));
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_TRAP));
    // The time that a thread has used, which the runtime's watch asks for.
    let thread_clock = libc::CLOCK_THREAD_CPUTIME_ID as u32;
    program.push(instruction(JUMP_EQUAL, 0, 4, libc::SYS_clock_gettime as u32));
    program.push(instruction(LOAD, 0, 0, ARGUMENTS));
    program.push(instruction(JUMP_EQUAL, 0, 1, thread_clock));
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    program.push(instruction(LOAD, 0, 0, NUMBER));
    // A descriptor that is not the host's.
    let hosts: Vec<u32> = (0..256)
        .filter(|fd| known.was_open(*fd) || *fd == known.runtime_file)
        .map(i32::cast_unsigned)
        .collect();
    let n_calls = BY_DESCRIPTOR.len();
    for (k, number) in BY_DESCRIPTOR.iter().enumerate() {
        // All of them to the check, which follows the last and a jump over it.
        program.push(instruction(JUMP_EQUAL, (n_calls - k) as u8, 0, *number as u32));
    }
    let n_check = 2 + 2 * hosts.len();
    program.push(instruction((libc::BPF_JMP | libc::BPF_JA) as u16, 0, 0, n_check as u32));
    program.push(instruction(LOAD, 0, 0, ARGUMENTS));
    for (k, host) in hosts.iter().enumerate() {
        let to_end = 2 * (hosts.len() - k) - 1;
        program.push(instruction(JUMP_EQUAL, 0, 1, *host));
        program.push(instruction((libc::BPF_JMP | libc::BPF_JA) as u16, 0, 0, to_end as u32));
    }
    program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW));
    allow_gate(&mut program, gate);
    program
}

/// What a program that code under test has started does not get: all that reaches beyond files, which mounts
/// or Landlock hold.
const KEPT_FROM_PROGRAMS: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_mount_setattr,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_name_to_handle_at,
    libc::SYS_open_by_handle_at,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_userfaultfd,
    // They stay in the group that is ended as a whole.
    libc::SYS_setsid,
    libc::SYS_setpgid,
];

/// Calls with which an answer reaches a program.
const MEMORY_OF_OTHERS: [i64; 2] = [libc::SYS_process_vm_readv, libc::SYS_process_vm_writev];

/// The same filter for everybody, which traps nothing: programs have no handler. Newer calls than are known
/// here do not exist. If somebody can be asked (`programs.rs`), calls about paths and what is refused go
/// there.
pub(crate) fn without_traps(permissions: &Permissions, asks: bool) -> Vec<Instruction> {
    const NEW_NAMESPACES: i32 = libc::CLONE_NEWUSER
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWCGROUP;
    let silent = |number: i32| libc::SECCOMP_RET_ERRNO | number.unsigned_abs();
    let error = |number: i32| if asks { libc::SECCOMP_RET_USER_NOTIF } else { silent(number) };
    let mut program = vec![
        instruction(LOAD, 0, 0, ARCH),
        instruction(JUMP_EQUAL, 1, 0, AUDIT_ARCH_X86_64),
        instruction(RETURN, 0, 0, silent(libc::ENOSYS)),
        instruction(LOAD, 0, 0, NUMBER),
        instruction(JUMP_NOT_BELOW, 0, 1, libc::SYS_fchmodat2 as u32 + 1),
        instruction(RETURN, 0, 0, silent(libc::ENOSYS)),
    ];
    let mut refuse = |numbers: &[i64], answer: u32| {
        for number in numbers {
            program.push(instruction(JUMP_EQUAL, 0, 1, *number as u32));
            program.push(instruction(RETURN, 0, 0, answer));
        }
    };
    let rings = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];
    refuse(&rings, error(libc::ENOSYS));
    // It passes its flags in memory, where they cannot be seen.
    refuse(&[libc::SYS_clone3], silent(libc::ENOSYS));
    let kept: Vec<i64> =
        KEPT_FROM_PROGRAMS.iter().copied().filter(|call| !asks || !MEMORY_OF_OTHERS.contains(call)).collect();
    refuse(&kept, error(libc::EPERM));
    if permissions.network {
        only_inet(&mut program, error(libc::EACCES));
    } else {
        refuse(&[libc::SYS_socket, libc::SYS_socketpair], error(libc::EACCES));
    }
    if asks {
        // What the policy performs was decided, and it looks at what a program's paths are.
        pass_gate(&mut program, crate::gate::address());
        program.push(instruction(LOAD, 0, 0, NUMBER));
        let asked = crate::programs::numbers().chain([libc::SYS_getcwd]).chain(crate::policy::SIGNALS);
        for number in asked.chain(MEMORY_OF_OTHERS) {
            program.push(instruction(JUMP_EQUAL, 0, 1, number as u32));
            program.push(instruction(RETURN, 0, 0, libc::SECCOMP_RET_USER_NOTIF));
        }
    }
    program.extend([
        instruction(JUMP_EQUAL, 0, 3, libc::SYS_clone as u32),
        instruction(LOAD, 0, 0, ARGUMENTS),
        instruction(JUMP_ANY_BIT, 0, 1, NEW_NAMESPACES as u32),
        instruction(RETURN, 0, 0, error(libc::EPERM)),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]);
    program
}

/// A program that traps one call, to see whether that works here.
pub(crate) fn trapping(number: i64) -> [Instruction; 4] {
    [
        instruction(LOAD, 0, 0, NUMBER),
        instruction(JUMP_EQUAL, 0, 1, number as u32),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_TRAP),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

/// Installs a program for all threads of this process; there is no way back.
pub(crate) fn install(program: &[Instruction]) -> io::Result<()> {
    let len = u16::try_from(program.len()).map_err(|_| io::Error::from_raw_os_error(libc::E2BIG))?;
    let filter = libc::sock_fprog { len, filter: program.as_ptr().cast_mut() };
    let flags = libc::SECCOMP_FILTER_FLAG_TSYNC;
    let mode = u64::from(libc::SECCOMP_SET_MODE_FILTER);
    let answer = crate::gate::attempt(libc::SYS_seccomp, &[mode, flags, crate::gate::at(&filter)])?;
    // A thread that could not be included is named.
    if answer == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EBUSY)) }
}

/// The same with somebody who is asked: the descriptor from which to read what is asked. Nothing if this
/// kernel cannot ask, or somebody else is asked already.
pub(crate) fn install_asking(program: &[Instruction]) -> io::Result<Option<u64>> {
    const NEW_LISTENER: u64 = 1 << 3;
    const TSYNC_ESRCH: u64 = 1 << 4;
    let len = u16::try_from(program.len()).map_err(|_| io::Error::from_raw_os_error(libc::E2BIG))?;
    let filter = libc::sock_fprog { len, filter: program.as_ptr().cast_mut() };
    let flags = libc::SECCOMP_FILTER_FLAG_TSYNC | NEW_LISTENER | TSYNC_ESRCH;
    let mode = u64::from(libc::SECCOMP_SET_MODE_FILTER);
    match crate::gate::attempt(libc::SYS_seccomp, &[mode, flags, crate::gate::at(&filter)]) {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if [Some(libc::EINVAL), Some(libc::EBUSY)].contains(&error.raw_os_error()) => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the kernel would answer: the few instructions that are used here.
    fn run(program: &[Instruction], number: i64, place: u64, first: u64) -> u32 {
        let mut data = [0u8; 64];
        data[..4].copy_from_slice(&(number as u32).to_le_bytes());
        data[4..8].copy_from_slice(&AUDIT_ARCH_X86_64.to_le_bytes());
        data[8..16].copy_from_slice(&place.to_le_bytes());
        data[16..24].copy_from_slice(&first.to_le_bytes());
        let (mut at, mut register) = (0, 0u32);
        loop {
            let now = &program[at];
            at += 1;
            let jump = |is_so: bool| usize::from(if is_so { now.jt } else { now.jf });
            match now.code {
                LOAD => {
                    let k = now.k as usize;
                    register = u32::from_le_bytes(data[k..k + 4].try_into().expect("four bytes"));
                }
                JUMP_EQUAL => at += jump(register == now.k),
                JUMP_NOT_BELOW => at += jump(register >= now.k),
                JUMP_ANY_BIT => at += jump(register & now.k != 0),
                RETURN => return now.k,
                _ => at += now.k as usize,
            }
        }
    }

    #[test]
    fn harmless_calls_and_the_gate_pass() {
        let host_files = [0b1_0111, 0, 0, 1 << 10].map(std::sync::atomic::AtomicU64::new);
        let known = Surroundings {
            roots: Vec::new(),
            random_fd: 202,
            host_files,
            runtime_file: 5,
            permissions: Permissions::default(),
            pid: 1,
            is_compiled: false,
            calls: None,
        };
        const GATE: u64 = 0x5555_1234_5678;
        let program = program(&known, GATE);
        let answer = |number: i64, place: u64, first: u64| match run(&program, number, place, first) {
            libc::SECCOMP_RET_ALLOW => "allow",
            libc::SECCOMP_RET_TRAP => "trap",
            _ => "?",
        };
        assert_eq!(answer(libc::SYS_futex, 0, 0), "allow");
        assert_eq!(answer(libc::SYS_openat, 0, 0), "trap");
        assert_eq!(answer(libc::SYS_openat, GATE, 0), "allow");
        assert_eq!(answer(libc::SYS_openat, GATE + (1 << 32), 0), "trap");
        for fd in 0..300 {
            let expected = if [0, 1, 2, 4, 5, 202].contains(&fd) { "trap" } else { "allow" };
            assert_eq!(answer(libc::SYS_read, 0, fd), expected, "read {fd}");
            assert_eq!(answer(libc::SYS_close, 0, fd), expected, "close {fd}");
        }
        assert_eq!(answer(libc::SYS_clone, 0, libc::CLONE_THREAD as u64), "allow");
        assert_eq!(answer(libc::SYS_clone, 0, libc::SIGCHLD as u64), "trap");
        assert_eq!(answer(libc::SYS_clock_gettime, 0, 3), "allow");
        assert_eq!(answer(libc::SYS_clock_gettime, 0, 1), "trap");
        assert_eq!(answer(libc::SYS_socket, 0, 1), "trap");
        assert_eq!(answer(i64::from(X32) + 1, GATE, 1), "trap");
        assert_eq!(answer(9999, 0, 0), "trap");
    }

    #[test]
    fn programs_are_kept_from_more_than_files() {
        let answer = |network: bool, number: i64, first: u64| {
            let permissions = Permissions { network, exec: true, ..Permissions::default() };
            run(&without_traps(&permissions, false), number, 0, first)
        };
        let (allow, refuse) = (libc::SECCOMP_RET_ALLOW, |error: i32| libc::SECCOMP_RET_ERRNO | error as u32);
        for number in [libc::SYS_read, libc::SYS_openat, libc::SYS_execve, libc::SYS_fork, libc::SYS_wait4] {
            assert_eq!(answer(false, number, 0), allow, "{number}");
        }
        assert_eq!(answer(false, libc::SYS_clone, libc::SIGCHLD as u64), allow);
        assert_eq!(answer(false, libc::SYS_clone, libc::CLONE_NEWUSER as u64), refuse(libc::EPERM));
        assert_eq!(answer(false, libc::SYS_mount, 0), refuse(libc::EPERM));
        assert_eq!(answer(false, libc::SYS_setsid, 0), refuse(libc::EPERM));
        assert_eq!(answer(false, libc::SYS_io_uring_setup, 0), refuse(libc::ENOSYS));
        assert_eq!(answer(false, 9999, 0), refuse(libc::ENOSYS));
        assert_eq!(answer(false, libc::SYS_socket, libc::AF_INET as u64), refuse(libc::EACCES));
        assert_eq!(answer(true, libc::SYS_socket, libc::AF_INET as u64), allow);
        assert_eq!(answer(true, libc::SYS_socket, libc::AF_UNIX as u64), refuse(libc::EACCES));
        assert_eq!(answer(true, libc::SYS_bind, 1), allow);
    }
}
