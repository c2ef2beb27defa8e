//! Files live in a private folder, and addresses repeat.

use crate::support::hunt;
use std::process::Command;

const FILES: &str = r#"
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static int n;
int append(int x) {
    FILE *f = fopen("log.txt", "a+");
    if (!f) return -1;
    fputc('x', f);
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    fclose(f);
    n++;
    assert(size == n);
    return x;
}
void folder(void) { mkdir("sub", 0700); FILE *f = fopen("sub/file", "w"); if (f) fclose(f); }
void leave(void) { if (chdir("sub") == 0) n = 0; }
"#;

#[test]
fn files_are_gone_when_a_sequence_begins() {
    hunt(FILES, &["--calls", "3000", "--only", "append,folder"]).passes();
    hunt(FILES, &["--calls", "3000", "--only", "append"]).passes();
}

#[test]
fn nothing_is_left_where_the_command_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("file.c"), FILES).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_stairway"));
    command.current_dir(&folder).args(["test", "file.c", "--calls", "1000", "--only", "append,folder"]);
    assert_eq!(command.output().expect("it runs").status.code(), Some(0));
    let left: Vec<_> =
        std::fs::read_dir(&folder).expect("it is there").flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["file.c"]);
}

#[test]
fn the_folder_is_found_again() {
    let code = r#"
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
void leave(void) { mkdir("sub", 0700); (void)!chdir("sub"); }
static int is_asked;
void ask(void) { if (!is_asked) assert(access("mark", F_OK) != 0); is_asked = 1; FILE *f = fopen("mark", "w"); if (f) fclose(f); }
"#;
    hunt(code, &["--calls", "3000"]).passes();
}

#[test]
fn addresses_repeat() {
    // A container may forbid it.
    let is_allowed =
        Command::new("setarch").args(["-R", "true"]).status().is_ok_and(|status| status.success());
    let code = "
static int variable;
long where(void)
/*@ ensures return == 0i64; @*/
{ return (long)&variable; }
";
    let [one, other] = [(), ()].map(|()| hunt(code, &[]).fails().text.clone());
    assert!(one == other || !is_allowed, "{one}\n{other}");
}
