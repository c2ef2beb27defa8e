//! Properties in a sandbox: they change nothing outside, and what they were refused is in the report.

use stairway::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where nobody may write, unless it is allowed.
fn outside() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("confined")
}

fn settings() -> Settings {
    Settings::new().confined().cases(20).seed(3).without_regressions()
}

#[test]
fn nothing_outside_changes() {
    let _ = fs::create_dir_all(outside());
    let _ = fs::remove_file(outside().join("new"));
    // In a worker this fails, and the file is there.
    let _ = fs::write(outside().join("file"), "canary");
    let report = Checker::new("confined nothing_outside_changes").settings(settings()).report(|t| {
        let n: u8 = t.pick(any())?;
        let (file, new) = (outside().join("file"), outside().join("new"));
        let kind = |error: std::io::Error| error.kind();
        let read_only = std::io::ErrorKind::ReadOnlyFilesystem;
        assert_eq!(fs::write(&new, "x").map_err(kind), Err(read_only));
        assert_eq!(fs::remove_file(&file).map_err(kind), Err(read_only));
        assert_eq!(fs::rename(&file, &new).map_err(kind), Err(read_only));
        assert_eq!(fs::write(format!("/stairway-was-here-{n}"), "x").map_err(kind), Err(read_only));
        assert_eq!(fs::read_to_string(&file).expect("it can be read"), "canary");
        assert!(Command::new("true").spawn().is_err());
        assert!(std::net::TcpListener::bind("127.0.0.1:0").is_err());
        Ok(())
    });
    insta::assert_snapshot!(report.to_string().replace(env!("CARGO_TARGET_TMPDIR"), "TARGET"));
    assert_eq!(fs::read_to_string(outside().join("file")).ok().as_deref(), Some("canary"));
    assert!(!outside().join("new").exists());
}

#[allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "what code under test may use")]
#[test]
fn what_rust_does_otherwise_it_still_does() {
    Checker::new("confined what_rust_does_otherwise_it_still_does").settings(settings()).run(|t| {
        let values: Vec<u32> = t.pick(vec(any(), 0..50))?;
        // Threads, and files of its own, also in threads.
        let path = std::env::temp_dir().join("values");
        let told = path.clone();
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        let sent = bytes.clone();
        std::thread::spawn(move || fs::write(&told, sent).expect("it is private")).join().expect("it ends");
        assert_eq!(fs::read(&path).expect("it is there"), bytes);
        fs::remove_file(path)?;
        // Time, maps with random keys, channels, sleep.
        let before = std::time::Instant::now();
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(before.elapsed() >= std::time::Duration::from_millis(1));
        let map: std::collections::HashMap<u32, usize> = values.iter().copied().zip(0..).collect();
        assert!(map.len() <= values.len());
        // The package can be read from where its tests run.
        assert!(fs::read_to_string("Cargo.toml")?.contains("stairway"));
        Ok(())
    });
    assert!(!Path::new("/tmp/values").exists());
}

#[test]
fn programs_are_answered_as_the_property_is() {
    if stairway_sandbox::tier().is_ok_and(|tier| tier == stairway_sandbox::Tier::Seccomp) {
        return;
    }
    let name = "confined programs_are_answered_as_the_property_is";
    let report = Checker::new(name).settings(settings().allow_exec()).report(|t| {
        let n: u8 = t.pick(any())?;
        let shell = |text: &str| {
            let output = Command::new("sh").args(["-c", text]).output().expect("it starts");
            (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
        };
        fs::write("/tmp/stairway-numbers", format!("{n}\n1\n"))?;
        let sorted =
            shell("sort -n /tmp/stairway-numbers > /tmp/stairway-sorted && head -n 1 /tmp/stairway-sorted");
        assert_eq!(sorted, (Some(0), format!("{}\n", n.min(1))));
        assert_eq!(fs::read_to_string("/tmp/stairway-sorted")?.lines().count(), 2);
        assert_eq!(shell("echo x 2> /dev/null > /stairway-was-here").0, Some(2));
        assert!(fs::write("/stairway-was-here", "x").is_err());
        Ok(())
    });
    insta::assert_snapshot!(report);
    assert!(!Path::new("/tmp/stairway-sorted").exists());
}

/// A test for each, since a worker runs its test again.
macro_rules! crashes {
    ($($name:ident $kind:literal $expected:literal;)*) => {$(
        #[test]
        fn $name() {
            let report = Checker::new(concat!("confined ", stringify!($name))).settings(settings()).report(|t| {
                let n: u32 = t.pick(0..1000u32)?;
                if n > 10 {
                    end($kind);
                }
                Ok(())
            });
            let text = report.to_string();
            assert!(text.contains($expected) && text.contains("= 11"), "{text}");
        }
    )*};
}

crashes! {
    an_abort_is_a_counterexample "abort" "SIGABRT";
    an_exit_is_a_counterexample "exit" "exit 3";
    a_stack_overflow_is_a_counterexample "overflow" "stack overflow";
    a_signal_to_itself_is_a_counterexample "kill" "SIGKILL";
}

fn end(kind: &str) {
    match kind {
        "abort" => std::process::abort(),
        "exit" => std::process::exit(3),
        "overflow" => assert!(deep(1) > 0),
        _ => assert!(fs::write("/proc/self/oom_score_adj", "0").is_err() && kill()),
    }
}

/// By a program's hand if it could start one; it cannot, so by a signal of its own.
fn kill() -> bool {
    rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL).is_err()
}

#[allow(unconditional_recursion)]
fn deep(n: u64) -> u64 {
    std::hint::black_box(deep(std::hint::black_box(n + 1)) + 1)
}

#[test]
fn a_folder_can_be_opened_up() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("confined-writable");
    fs::create_dir_all(&folder).expect("a folder");
    let report = Checker::new("confined a_folder_can_be_opened_up")
        .settings(settings().writable(&folder))
        .report(|t| {
            let n: u8 = t.pick(any())?;
            fs::write(folder.join("made"), [n])?;
            assert!(fs::write(folder.join("../elsewhere"), "x").is_err());
            Ok(())
        });
    assert!(report.is_success(), "{report}");
    assert!(folder.join("made").exists() && !folder.join("../elsewhere").exists());
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let settings = settings().writable("no/such/folder");
    let checker = Checker::new("confined a_folder_that_is_not_there_is_named").settings(settings);
    let refused = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| checker.report(|_| Ok(()))));
    let refused = refused.expect_err("it cannot run");
    let text = refused.downcast_ref::<String>().cloned().unwrap_or_default();
    insta::assert_snapshot!(text);
}

/// All of the above, in the weaker tiers too.
#[test]
fn in_every_tier() {
    if std::env::var_os("STAIRWAY_SANDBOX").is_some() {
        return;
    }
    for tier in ["namespaces", "landlock", "seccomp"] {
        let mut again = Command::new(std::env::current_exe().expect("it has a name"));
        let output = again.env("STAIRWAY_SANDBOX", tier).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("11 passed"), "{tier}: {text}");
    }
}

/// As an attribute.
#[property(confined, cases = 10)]
fn confined_by_an_option(n: u8) {
    assert!(fs::write(format!("/stairway-was-here-{n}"), "x").is_err());
}
