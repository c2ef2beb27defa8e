//! C called from Rust tests: values that travel, and everything that goes wrong in words.

use stairway::prelude::*;
use stairway_c::library::Pointer;

stairway_c::library! {
    mod c {
        files: "tests/library/shapes.c";

        struct point { x: f64, y: f64, tag: [u8; 3] }
        struct Pair = "pair" { a: i32, next: Pointer<Pair> }

        fn mirror(p: point) -> point;
        fn is_long(text: &std::ffi::CStr, limit: i8) -> bool;
        fn half(x: f32) -> f32;
        fn other(colour: u32) -> u32;
        fn swap(p: &mut Pair, q: Pointer<Pair>);
        fn reverse(values: &mut [u16], n: u32);
        fn keep(values: &[u16]);
        fn look() -> u16;
        fn count() -> i32;
        fn copied(text: &std::ffi::CStr) -> Pointer<u8>;
        fn discard(text: Pointer<u8>);
        fn unwritten() -> Pointer<u16>;
        fn twice(x: i32) -> i32;
        fn die(how: i32);
        fn read_first(to: &mut [u8]) -> i32;
        fn by_cache(x: i32) -> i32;
        mock fn from_disk(block: u32, to: Pointer<u8>) -> i32;
        mock fn cached(x: i32) -> i32;
    }
}

/// The text of a failure and where it is.
fn said<T: std::fmt::Debug>(result: Checked<T>) -> String {
    let mut text = None;
    let stop = result.expect_err("C does something wrong");
    let _ = stop.map_failure(|failure| {
        let message = stairway::report::words::message(&failure);
        text = Some(format!("{message}\n{}{}", failure.excerpt, failure.details));
        failure
    });
    text.expect("it is a failure")
}

#[test]
fn values_travel_both_ways() {
    c::run(|c| {
        let p = c::point { x: 1.5, y: -2.0, tag: [1, 2, 3] };
        assert_eq!(c.mirror(p)?, c::point { x: -2.0, y: 1.5, tag: [3, 2, 1] });
        assert!(c.is_long(c"four", 3)? && !c.is_long(c"four", 4)?);
        assert_eq!((c.half(3.0)?, c.other(0)?, c.other(1)?), (1.5, 1, 0));
        let mut values = [1, 2, 3, 4];
        c.reverse(&mut values, 3)?;
        assert_eq!(values, [3, 2, 1, 4]);
        let (mut p, q) =
            (c::Pair { a: 1, next: Pointer::NULL }, c.lend(&c::Pair { a: 2, next: Pointer::NULL })?);
        c.swap(&mut p, q)?;
        assert_eq!((p.a, c.read(q)?.a), (2, 1));
        let text = c.copied(c"abc")?;
        assert_eq!(c.read_text(text)?, b"abc");
        c.write_slice(text, b"xyz")?;
        assert_eq!(c.read_slice(text, 4)?, b"xyz\0");
        c.discard(text)?;
        Ok(())
    })
    .unwrap();
}

#[test]
fn every_run_begins_anew() {
    for _ in 0..2 {
        assert_eq!(c::run(|c| Ok((c.count()?, c.count()?))).unwrap(), (1, 2));
    }
}

#[test]
fn what_is_lent_ends_where_it_ends() {
    let text = said(c::run(|c| c.reverse(&mut [1, 2, 3], 4)));
    insta::assert_snapshot!(text, @r"
    `reverse` reads 2 bytes: directly after `values` (6 bytes)
      --> tests/library/shapes.c:26
       |
    26 |         values[k] = values[n - 1 - k];
       |
    ");
    let text = said(c::run(|c| c.reverse(&mut [1, 2, 3], 14)));
    assert!(text.contains("reads 2 bytes"), "{text}");
}

#[test]
fn what_is_lent_for_a_call_is_gone_after_it() {
    let text = said(c::run(|c| {
        c.keep(&[1, 2])?;
        c.look()
    }));
    insta::assert_snapshot!(text, @r"
    `look` reads 2 bytes: `values` (4 bytes), lent only until the call returned
      --> tests/library/shapes.c:34
       |
    34 | uint16_t look(void) { return kept[0]; }
       |
    ");
    c::run(|c| {
        let values = c.lend_slice(&[7u16])?;
        assert_eq!(c.read(values)?, 7);
        Ok(())
    })
    .unwrap();
}

#[test]
fn what_is_not_freed_is_a_leak() {
    let text = said(c::run(|c| c.copied(c"abc")));
    insta::assert_snapshot!(text, @r"
    a leak: nobody frees the 4 bytes allocated at tests/library/shapes.c:39
      --> tests/library/shapes.c:39
       |
    39 |     char *copy = malloc(strlen(text) + 1);
       |
    ");
    let text = said(c::run(|c| c.give(&1u8)));
    assert!(
        text.starts_with("a leak: nobody frees the 1 byte given at crates/c/tests/library.rs:"),
        "{text}"
    );
    c::run(|c| {
        let text = c.copied(c"abc")?;
        c.free(text)
    })
    .unwrap();
    c::run(|c| {
        c.allow_leaks();
        c.copied(c"abc")
    })
    .unwrap();
}

#[test]
fn freeing_twice_and_freeing_what_is_lent() {
    let text = said(c::run(|c| {
        let text = c.give_slice(b"a\0")?;
        c.discard(text)?;
        c.discard(text)
    }));
    assert!(text.starts_with("`discard` frees for the second time the 2 bytes given at"), "{text}");
    assert!(text.contains("freed at tests/library/shapes.c:42"), "{text}");
    let text = said(c::run(|c| {
        let text = c.lend_slice(b"a\0")?;
        c.discard(text)
    }));
    assert!(text.starts_with("`discard` frees what it must not free: the 2 bytes lent at"), "{text}");
    let text = said(c::run(|c| c.free(Pointer::<u8>::NULL.offset(99))));
    assert!(text.starts_with("what is freed is no live block: "), "{text}");
}

#[test]
fn tests_read_only_what_is_there() {
    let text = said(c::run(|c| {
        let values = c.unwritten()?;
        c.read(values)
    }));
    assert!(text.starts_with("what is read was never written: "), "{text}");
    let text = said(c::run(|c| {
        let text = c.give_slice(b"ab")?;
        c.read_text(text)
    }));
    assert!(
        text.starts_with("1 bytes are read that are not all there: directly after the 2 bytes given at"),
        "{text}"
    );
    let text = said(c::run(|c| c.read(Pointer::<u64>::NULL)));
    assert!(text.starts_with("8 bytes are read that are not all there: a null pointer"), "{text}");
    assert!(
        said(c::run(|c| c.read_slice(Pointer::<u64>::NULL, usize::MAX))).contains("more than there can be")
    );
    let text = said(c::run(|c| c.write(Pointer::<u64>::NULL, &1)));
    assert!(text.starts_with("8 bytes are written that are not all there"), "{text}");
}

#[test]
fn c_that_ends_badly_fails_the_case_and_the_next_one_runs() {
    let ends = [
        "abort() was called",
        "exit(3) was called",
        "a null pointer",
        "stack overflow",
        "has not returned after 100000000 basic blocks, which is its fuel",
    ];
    for (how, end) in ends.iter().enumerate() {
        let text = said(c::run(|c| c.die(how as i32)));
        // A hang is noticed wherever the code is.
        assert!(text.contains(end) && (how == 4 || text.contains("--> tests/library/shapes.c:")), "{text}");
        assert_eq!(c::run(|c| c.twice(21)).unwrap(), 42);
    }
    let text = said(c::run(|c| c.twice(i32::MAX)));
    assert!(text.starts_with("`twice`: undefined behaviour: signed overflow: 2147483647 * 2"), "{text}");
}

#[test]
fn an_allocation_can_fail() {
    let copied = |n| {
        c::run(|c| {
            c.fail_allocation(n);
            let text = c.copied(c"abc")?;
            c.discard(text)?;
            Ok(text.is_null())
        })
    };
    assert_eq!([copied(0).unwrap(), copied(1).unwrap(), copied(0).unwrap()], [false, true, false]);
}

#[test]
fn mocks_answer_for_functions() {
    let mut seen = Vec::new();
    let first = c::run(|c| {
        c.mocks().from_disk(|c, block, to| {
            seen.push(block);
            c.write_slice(to, &[42, 43])?;
            Ok(0)
        });
        c.read_first(&mut [0; 2])
    });
    assert_eq!((first.unwrap(), seen), (42, vec![7]));
    let text = said(c::run(|c| c.read_first(&mut [0])));
    assert!(
        text.starts_with("`read_first` calls `from_disk`, which is defined nowhere; name its file"),
        "{text}"
    );
    // What is defined is called unless it is replaced.
    assert_eq!(c::run(|c| c.by_cache(1)).unwrap(), 20);
    let mocked = c::run(|c| {
        c.mocks().cached(|_, x| Ok(-x));
        c.by_cache(1)
    });
    assert_eq!(mocked.unwrap(), -10);
    let text = said(c::run(|c| {
        c.mocks().from_disk(|c, _, to| {
            c.write_slice(to, &[0; 3])?;
            Ok(0)
        });
        c.read_first(&mut [0; 2])
    }));
    assert!(
        text.starts_with("the mock of `from_disk`: 3 bytes are written that are not all there"),
        "{text}"
    );
}

#[test]
#[should_panic(expected = "the mock is called outside its domain")]
fn a_panic_of_a_mock_comes_through() {
    let _ = c::run(|c| {
        c.mocks().cached(|_, x| {
            assert!(x < 5, "the mock is called outside its domain");
            Ok(x)
        });
        c.by_cache(7)
    });
}

#[test]
fn runs_do_not_nest_and_threads_take_turns() {
    let text = said(c::run(|_| c::run(c::Calls::count)));
    assert!(text.contains("a run of this library within another one"), "{text}");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..20 {
                    assert_eq!(c::run(c::Calls::count).unwrap(), 1);
                    assert!(c::run(|c| c.die(2)).is_err());
                }
            });
        }
    });
}

mod wrong {
    use super::*;

    stairway_c::library! {
        pub mod declared {
            files: "tests/library/shapes.c";
            struct point { y: f64, x: f64, tag: [u8; 3] }
            struct Pair = "pair" { a: i32 }
            struct Gone = "gone" { a: i32 }
            struct hidden;
            fn mirror(p: point) -> Pointer<hidden>;
            fn swop(p: &mut Pair, q: &mut Pair);
            fn reverse(values: &[u16], n: usize);
            fn half(x: f32);
            fn twice() -> i64;
            fn from_disk(block: u32, to: Pointer<u8>) -> i32;
            mock fn nobody(x: i32) -> i32;
            mock fn cached(x: u64) -> i32;
        }
    }

    stairway_c::library! {
        pub mod broken {
            files: "tests/library/broken.c";
            fn broken() -> i32;
        }
    }

    stairway_c::library! {
        pub mod gone {
            files: "tests/library/gone.c";
            fn gone();
        }
    }
}

#[test]
fn every_difference_to_the_declarations_is_said() {
    let error = wrong::declared::LIBRARY.build().unwrap_err();
    insta::assert_snapshot!(error);
    let text = said(wrong::declared::run(|c| c.half(1.0)));
    assert!(text.starts_with("C cannot be called: tests/library/shapes.c does not fit"), "{text}");
}

#[test]
fn c_that_does_not_compile_is_shown_in_the_compilers_words() {
    let text = wrong::broken::LIBRARY.build().unwrap_err().to_string();
    assert!(text.starts_with("tests/library/broken.c does not compile\ntests/library/broken.c"), "{text}");
    assert!(text.contains("broken.c:3:12: error: ") && text.contains("undeclared_name"), "{text}");
    let text = wrong::gone::LIBRARY.build().unwrap_err().to_string();
    assert!(text.starts_with("there is no file tests/library/gone.c in "), "{text}");
}

/// A crash is a counterexample, in a process of its own and without.
fn crash_report(isolate: bool) -> String {
    let settings = Settings::new().without_regressions().seed(1).cases(200);
    let settings = if isolate { settings.isolate() } else { settings };
    let report = Checker::new("reversing").settings(settings).report(|case| {
        let (mut values, n) = (case.pick(vec(0..9u16, 0..5))?, case.pick(0..6u32)?);
        c::run(|c| c.reverse(&mut values, n))
    });
    report.to_string()
}

#[test]
fn a_wild_access_is_shrunk_and_shown() {
    insta::assert_snapshot!(crash_report(false));
}

#[test]
fn a_wild_access_is_shrunk_and_shown_when_isolated() {
    assert!(crash_report(true).contains("`reverse` reads 2 bytes: directly after `values`"));
}

mod page {
    use super::*;

    stairway_c::library! {
        pub mod c {
            files: "tests/library/fill.c";
            bind { fill(values[len]); }
        }
    }

    fn fill_spec(values: &[u8], from: u32, n: u32, v: u8) -> Vec<u8> {
        let (from, n) = (u64::from(from), u64::from(n));
        let is_set = |k: usize| (from..from + n).contains(&(k as u64));
        values.iter().enumerate().map(|(k, old)| if is_set(k) { v } else { *old }).collect()
    }

    fn index() -> impl Generate<Value = u32> {
        (0..40u32).mapped(|k| if k < 20 { k } else { u32::MAX - (k - 20) })
    }

    refinement! {
        #[ignore = "it is wrong"]
        fill_refines_its_spec(values: Vec<u8>, #[from(index())] from: u32, #[from(index())] n: u32, v: u8) {
            spec => fill_spec(&values, from, n, v),
            real => {
                let mut values = values.clone();
                c::run(|c| c.fill(&mut values, from, n, v))?;
                values
            },
        }
    }

    /// `UPDATE_BOOK=1` puts in what is reported.
    #[test]
    fn the_page_shows_what_is_reported() {
        let checker = fill_refines_its_spec_refinement().seed(1).cases(1000);
        let report = checker.with_settings(Settings::without_regressions).report().to_string();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/refinement-c.md");
        let page = std::fs::read_to_string(path).unwrap();
        let (before, behind) = page.split_once("<!-- shown: fill -->\n").unwrap();
        let (_, behind) = behind.split_once("<!-- end -->").unwrap();
        let shown = format!(
            "{before}<!-- shown: fill -->\n```text\n{}\n```\n<!-- end -->{behind}",
            report.trim_end()
        );
        if std::env::var_os("UPDATE_BOOK").is_some() {
            std::fs::write(path, &shown).unwrap();
        }
        assert!(shown == page, "the page does not show what is reported; UPDATE_BOOK=1 puts it in\n{report}");
        let file = include_str!("library/fill.c");
        assert!(page.contains(file), "the page shows another fill.c");
    }
}
