//! What opens the sandbox on purpose, in every tier that supports it, and wrong values of these options.

use crate::TIERS;
use std::path::Path;
use std::process::Command;

/// A folder with a program, outside `/tmp`, which is the code's own.
fn folder(code: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    std::fs::write(folder.path().join("t.c"), format!("{}\n{code}", include_str!("prelude.c")))
        .expect("a file");
    folder
}

/// The exit code and everything that was said; temporary folders are gone by then.
fn run(folder: &Path, tier: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let temporary = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
    command.args([
        "test",
        "t.c",
        "--seed=3",
        "--calls=100",
        "--max-len=4",
        "-DCANARY=\"/\"",
        "-DSHARED=\"/\"",
    ]);
    command.args(["--skip=bug"]).args(arguments).current_dir(folder);
    command.env("STAIRWAY_SANDBOX", tier).env("TMPDIR", temporary.path()).env("NO_COLOR", "1");
    let output = command.output().expect("the command starts");
    let left: Vec<_> = std::fs::read_dir(temporary.path()).expect("it is there").flatten().collect();
    assert!(left.is_empty(), "it has left {left:?}");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_writable_folder_can_be_changed_and_nothing_else() {
    let folder = folder(
        r#"
int save(void)
{
    int fd = open(WHERE "/new", O_CREAT | O_RDWR, 0600);
    assert(fd >= 0 && write(fd, "saved", 5) == 5 && !close(fd));
    assert(!rename(WHERE "/new", WHERE "/kept") && !chmod(WHERE "/kept", 0644));
    mkdir(WHERE "/sub", 0700);
    assert(!chdir(WHERE "/sub") && (creat("inner", 0600) >= 0));
    REFUSED(creat(WHERE "/../beside", 0600), EROFS);
    REFUSED(unlink(WHERE "/../t.c"), EROFS);
    unlink(WHERE "/out");
    assert(!symlink("../t.c", WHERE "/out"));
    REFUSED(open(WHERE "/out", O_WRONLY | O_TRUNC), EROFS);
    REFUSED(rename(WHERE "/kept", "/tmp/kept"), EXDEV);
    return 0;
}"#,
    );
    let (inner, before) =
        (folder.path().join("open"), std::fs::read(folder.path().join("t.c")).expect("it is there"));
    std::fs::create_dir(&inner).expect("a folder");
    let place = format!("-DWHERE=\"{}\"", inner.display());
    for tier in TIERS {
        let _ = std::fs::remove_dir_all(inner.join("sub"));
        let _ = std::fs::remove_file(inner.join("kept"));
        // A path from here is as good as one from the root.
        let (code, text) = run(folder.path(), tier, &["--writable", "open", &place]);
        assert_eq!(code, Some(0), "{tier}: {text}");
        assert_eq!(std::fs::read_to_string(inner.join("kept")).ok().as_deref(), Some("saved"), "{tier}");
        assert!(inner.join("sub/inner").exists() && !folder.path().join("beside").exists(), "{tier}");
        assert_eq!(std::fs::read(folder.path().join("t.c")).ok().as_ref(), Some(&before), "{tier}");
    }
}

#[test]
fn files_are_brought_along_and_come_back_for_each_sequence() {
    let folder = folder(
        r#"
static int is_later;
int look(void)
{
    char text[8] = "";
    FILE *f = fopen("data/words", "r");
    if (!is_later) assert(f && fgets(text, 8, f) && !strcmp(text, "one"));
    is_later = 1;
    if (f) fclose(f);
    f = fopen("data/words", "w");
    assert(f && fputs("two", f) >= 0);
    fclose(f);
    unlink("data/words");
    assert(access("data/link", F_OK));
    return 0;
}"#,
    );
    let brought = folder.path().join("fixtures/data");
    std::fs::create_dir_all(&brought).expect("a folder");
    std::fs::write(brought.join("words"), "one").expect("a file");
    std::os::unix::fs::symlink("/etc/passwd", brought.join("link")).expect("a link");
    for tier in TIERS {
        let (code, text) = run(folder.path(), tier, &["--files", "fixtures"]);
        assert_eq!(code, Some(0), "{tier}: {text}");
        assert_eq!(std::fs::read_to_string(brought.join("words")).ok().as_deref(), Some("one"), "{tier}");
    }
}

#[test]
fn sockets_lead_nowhere_but_to_the_code_itself() {
    let folder = folder(
        r#"
int talk(void)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t n = sizeof here;
    int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
    assert(server >= 0 && client >= 0);
    assert(!bind(server, (struct sockaddr *)&here, n) && !listen(server, 1));
    assert(!getsockname(server, (struct sockaddr *)&here, &n));
    assert(!connect(client, (struct sockaddr *)&here, n));
    int served = accept(server, 0, 0);
    char text[4] = "";
    assert(served >= 0 && write(client, "abc", 3) == 3 && read(served, text, 3) == 3 && !strcmp(text, "abc"));
    REFUSED(socket(AF_UNIX, SOCK_STREAM, 0), EACCES);
    REFUSED(socket(AF_UNIX, SOCK_DGRAM, 0), EACCES);
    REFUSED(syscall(SYS_socket, AF_NETLINK, SOCK_RAW, 0), EACCES);
    return 0;
}
int look_outside(void)
{
    /* An address for documentation, which nobody has: there is no way to it. */
    struct sockaddr_in there = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = { htonl(0xc0000201) } };
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert(fd >= 0);
    REFUSED(connect(fd, (struct sockaddr *)&there, sizeof there), ENETUNREACH);
    int other = socket(AF_INET, SOCK_DGRAM, 0);
    REFUSED(sendto(other, "x", 1, 0, (struct sockaddr *)&there, sizeof there), ENETUNREACH);
    return 0;
}"#,
    );
    for options in [&["--network"][..], &["--network", "--allow-exec"]] {
        let (code, text) = run(folder.path(), "namespaces", options);
        assert_eq!(code, Some(0), "{text}");
    }
    for tier in ["landlock", "seccomp"] {
        let (code, text) = run(folder.path(), tier, &["--network"]);
        assert!(
            code == Some(65) && text.contains("they can be allowed in `namespaces` only"),
            "{tier}: {text}"
        );
    }
}

const PROGRAMS: &str = r#"
int by_system(void) { return WEXITSTATUS(system("exit 3")) == 3 ? 0 : abort(), 0; }
int by_popen(void)
{
    FILE *f = popen("echo hello", "r");
    char text[8] = "";
    assert(f && fgets(text, 8, f) && !strcmp(text, "hello\n") && !pclose(f));
    return 0;
}
int by_fork(int x)
{
    int pid = fork(), status;
    assert(pid >= 0);
    if (!pid) {
        if (x & 1) execl("/bin/sh", "sh", "-c", "exit 5", (char *)0);
        exit(7);
    }
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == (x & 1 ? 5 : 7));
    return 0;
}
int by_raw_fork(void)
{
    int pid = (int)syscall(SYS_fork), status;
    if (!pid) return 9;
    assert(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    return 0;
}
int by_spawn(void)
{
    pid_t pid;
    int status;
    char *arguments[] = { "sh", "-c", "echo x > /stairway-was-here; echo x > /dev/shm/stairway-was-here; rm -f " FILE_HERE "; exit 0", 0 };
    assert(!posix_spawn(&pid, "/bin/sh", 0, 0, arguments, 0) && waitpid(pid, &status, 0) == pid);
    return 0;
}
int reach_out(void)
{
    int pid = fork(), status;
    if (!pid) _exit(syscall(SYS_kill, OUTSIDE, 0) == -1 ? 0 : 1);
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
    return 0;
}
int left_behind(void)
{
    if (!fork()) for (;;) syscall(SYS_pause);
    return 0;
}
int ended(void)
{
    int pid = fork(), status;
    if (!pid) for (;;) syscall(SYS_pause);
    assert(!kill(pid, SIGKILL) && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
    REFUSED(kill(1, SIGKILL), EPERM);
    return 0;
}
int daemonized(void)
{
    int pid = fork(), status;
    if (!pid) {
        if (syscall(SYS_setsid) != -1) _exit(1);
        if (!fork()) for (;;) syscall(SYS_pause);
        _exit(0);
    }
    assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status));
    return 0;
}
int temporary(void)
{
    char name[] = "/tmp/wordsXXXXXX", text[64];
    int fd = mkstemp(name);
    assert(fd >= 0 && write(fd, "b\na\n", 4) == 4 && !close(fd));
    snprintf(text, sizeof text, "sort %s > /tmp/sorted", name);
    assert(!system(text) && !system("mkdir -p /tmp/d && mv /tmp/sorted /tmp/d/sorted && test -s ../d/sorted"));
    FILE *f = fopen("/tmp/d/sorted", "r");
    assert(f && fgets(text, 64, f) && !strcmp(text, "a\n") && !fclose(f));
    f = popen("pwd -P; ls /tmp", "r");
    assert(f && fgets(text, 64, f) && !strcmp(text, "/tmp/stairway\n"));
    assert(fgets(text, 64, f) && !strcmp(text, "d\n") && fgets(text, 64, f) && fgets(text, 64, f));
    assert(!strcmp(text, name + 5) || !strcmp(text, "stairway\n"));
    return pclose(f);
}
void bug_after(int x) { assert(x < 1000 || system("true")); }"#;

#[test]
fn programs_are_held_too_and_end_with_their_sequence() {
    let folder = folder(PROGRAMS);
    let file = folder.path().join("file");
    std::fs::write(&file, "canary").expect("a file");
    let here = format!("-DFILE_HERE=\"{}\"", file.display());
    #[allow(clippy::disallowed_methods, reason = "a name that nobody else has")]
    let outside = format!("-DOUTSIDE={}", std::process::id());
    for tier in ["namespaces", "landlock"] {
        let (code, text) = run(folder.path(), tier, &["--allow-exec", &here, &outside]);
        assert!(code == Some(1) && text.contains("bug_after(1000)"), "{tier}: {text}");
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), Some("canary"), "{tier}");
        for made in ["/stairway-was-here", "/dev/shm/stairway-was-here", "/tmp/sorted"] {
            assert!(!Path::new(made).exists(), "{made} was made in {tier}");
        }
        // What a program is refused is said as what the code is refused.
        for refused in
            ["changes in /dev/shm (--writable", "changes in / (--writable", "a signal to another process"]
        {
            assert!(text.contains(refused), "{refused} in {tier}: {text}");
        }
    }
    let (code, text) = run(folder.path(), "seccomp", &["--allow-exec", &here, &outside]);
    assert!(code == Some(65) && text.contains("it takes namespaces, or Landlock"), "{text}");
    // Without it, all of them are refused, and it is said what allows them.
    let (_, text) = run(folder.path(), "namespaces", &[&here, &outside, "--only=left_behind"]);
    assert!(text.contains("refused by the sandbox: fork (--allow-exec allows it)"), "{text}");
}

#[test]
fn wrong_folders_are_named() {
    let folder = folder("int f(void) { return 0; }");
    std::fs::write(folder.path().join("file"), "").expect("a file");
    std::fs::create_dir(folder.path().join("large")).expect("a folder");
    let large = std::fs::File::create(folder.path().join("large/file")).expect("a file");
    large.set_len(1 << 30).expect("it can grow");
    let said: Vec<String> = [
        ["--writable", "gone"],
        ["--writable", "file"],
        ["--writable", ""],
        ["--files", "gone"],
        ["--files", "file"],
        ["--files", "large"],
    ]
    .iter()
    .map(|arguments| {
        let (code, text) = run(folder.path(), "seccomp", arguments);
        format!("{}: {code:?}\n{text}", arguments.join(" "))
    })
    .collect();
    insta::assert_snapshot!(said.join("\n"));
}
