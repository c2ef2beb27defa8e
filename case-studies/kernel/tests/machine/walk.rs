//! The system calls, one by one, as a user program meets them.

use crate::{SILENCE, folder};
use kernel::{Ended, Parts, Program, Verdict, boot};

fn walk(line: &str) -> Ended {
    let image = Parts::compile(Program::Walk, &folder(line)).and_then(|parts| parts.image("NO_BUG"));
    let ended = image.and_then(|image| boot(&image, line, SILENCE, |_| ()));
    ended.unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn system_calls_answer_as_they_should() {
    let ended = walk("walk");
    assert_eq!(ended.verdict, Verdict::Passed, "{}", ended.text);
    let expected = include_str!("walk.txt");
    assert!(ended.text == expected, "tests/machine/walk.txt is not what was said:\n{}", ended.text);
}

#[test]
fn a_user_program_cannot_store_into_the_kernel() {
    let ended = walk("fault");
    assert_eq!(ended.verdict, Verdict::Error);
    assert!(
        ended.text.contains("kernel: a user thread faulted: vector 0x000000000000000e"),
        "{}",
        ended.text
    );
    assert!(ended.text.contains("address 0x0000000000100000"), "{}", ended.text);
}
