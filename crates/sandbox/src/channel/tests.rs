//! Both ends in one process, and the process they are between.

use super::*;
use std::process::{Command, Stdio};

const SOON: Duration = Duration::from_millis(50);
const LATE: Duration = Duration::from_secs(60);

/// Both ends, without a process in between.
fn ends() -> (ParentEnd, WorkerEnd) {
    let (parent, descriptor) = ParentEnd::new().expect("there is memory");
    let memory = Memory::map_for_test(&descriptor);
    let (writer, reader) = (Writer::to(Side::Parent), Reader::at(Side::Worker));
    (parent, WorkerEnd { memory, writer, reader, parent: process::parent() })
}

fn message(received: Received) -> Vec<u8> {
    match received {
        Received::Message(message) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn messages_come_over_in_order_and_whole() {
    let (mut parent, mut worker) = ends();
    let texts: Vec<Vec<u8>> = (0..2000_usize).map(|n| vec![n as u8; n * 7 % 3001]).collect();
    let sent = texts.clone();
    let echo = std::thread::spawn(move || {
        for _ in 0..sent.len() {
            let message = worker.receive().expect("there is one");
            worker.send(&message).expect("the parent lives");
        }
    });
    for text in &texts {
        parent.send(text, LATE);
        assert_eq!(&message(parent.receive(LATE)), text);
    }
    echo.join().expect("it has sent everything");
}

#[test]
fn a_message_may_be_longer_than_the_ring() {
    let (mut parent, mut worker) = ends();
    let long: Vec<u8> = (0..5 * memory::RING + 17).map(|n| (n % 251) as u8).collect();
    let expected = long.clone();
    let echo = std::thread::spawn(move || {
        let message = worker.receive().expect("there is one");
        worker.send(&message).expect("the parent lives");
    });
    parent.send(&long, LATE);
    assert!(message(parent.receive(LATE)) == expected);
    echo.join().expect("it has sent everything");
}

#[test]
fn silence_has_an_end() {
    let (mut parent, _worker) = ends();
    assert!(matches!(parent.receive(SOON), Received::Silence));
}

#[test]
fn a_worker_that_takes_nothing_does_not_keep_the_parent() {
    let (mut parent, _worker) = ends();
    parent.send(&vec![0; 2 * memory::RING], SOON);
    assert!(matches!(parent.receive(SOON), Received::Silence));
}

#[test]
fn whatever_is_written_over_the_memory_is_garbage_and_no_hang() {
    for at in [0, 128, 256, 384, 512, 640, 768, 896, 4096, 4103, 4104, 4112, 4120, 4127, 4200] {
        for value in [1, 0x41, 0xff] {
            let (mut parent, mut worker) = ends();
            worker.send(&[7; 200]).expect("the parent lives");
            worker.memory.open();
            worker.memory.scribble(at, value);
            worker.memory.close();
            // Some words are only hints: then everything is as it was.
            match parent.receive(SOON) {
                Received::Message(message) => assert_eq!(message, [7; 200], "{at}"),
                Received::Garbage | Received::Silence => {}
                Received::Ended(fate) => panic!("{fate:?}"),
            }
            parent.send(b"more", SOON);
        }
    }
}

#[test]
fn a_message_with_another_number_is_garbage() {
    let (mut parent, mut worker) = ends();
    worker.writer = Writer::to(Side::Parent);
    worker.send(b"one").expect("the parent lives");
    assert_eq!(message(parent.receive(SOON)), b"one");
    worker.writer.forget_messages();
    worker.send(b"two").expect("the parent lives");
    assert!(matches!(parent.receive(SOON), Received::Garbage));
}

fn started(script: &str) -> (ParentEnd, Process) {
    let (mut parent, descriptor) = ParentEnd::new().expect("there is memory");
    let mut command = Command::new("sh");
    command.args(["-c", script]).stdin(Stdio::from(descriptor)).stdout(Stdio::null());
    contain(&mut command);
    let child = Process::new(command.spawn().expect("there is a shell"));
    parent.watch(&child).expect("it can be watched");
    (parent, child)
}

#[test]
fn a_worker_that_has_ended_is_known_at_once() {
    let (mut parent, mut child) = started("exit 3");
    assert!(matches!(parent.receive(LATE), Received::Ended(Fate::Dead)));
    assert_eq!(child.end().and_then(|status| status.code()), Some(3));
}

#[test]
fn a_worker_that_was_stopped_is_known_at_once_and_its_group_is_killed() {
    let (mut parent, mut child) = started("sleep 1000 & kill -STOP $$");
    assert!(matches!(parent.receive(LATE), Received::Ended(Fate::Stopped)));
    assert_eq!(
        child.end().and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status)),
        Some(9)
    );
}

#[test]
fn a_worker_inherits_its_standard_streams_only() {
    use std::io::Read;
    let (_parent, descriptor) = ParentEnd::new().expect("there is memory");
    let (mut pipe, writer) = std::io::pipe().expect("there are pipes");
    // A descriptor that somebody has left open for children.
    let open = std::fs::File::open("/dev/null").expect("it is there");
    // SAFETY: both descriptors are open; the copy is left to the end of this process.
    assert!(unsafe { libc::dup2(std::os::fd::AsRawFd::as_raw_fd(&open), 77) } == 77);
    let mut command = Command::new("sh");
    command.args(["-c", "test -e /proc/self/fd/77 && echo open || echo closed"]);
    command.stdin(Stdio::from(descriptor)).stdout(writer);
    contain(&mut command);
    let mut child = command.spawn().expect("there is a shell");
    drop(command);
    let mut said = String::new();
    pipe.read_to_string(&mut said).expect("it can be read");
    child.wait().expect("it can be waited for");
    assert_eq!(said, "closed\n");
}
