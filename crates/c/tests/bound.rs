//! Bindings that follow from C declarations.

use stairway::prelude::*;
use stairway_c::library::Pointer;

stairway_c::library! {
    pub mod c {
        files: "tests/library/bound.c";
        bind {
            sum(values[n]);
            add(a[n], b[n], to[n]);
            clear(at[n]);
            quotient(out quotient, out rest);
            halfway(out at);
            table_new -> owned table_free;
            table_key -> text;
        }
    }
}

stairway_c::library! {
    /// One line is enough.
    pub mod all = "tests/library/bound.c";
}

stairway_c::library! {
    /// The tables, by shorter names; one function declared by hand, and one that other files cannot see.
    pub mod table {
        files: "tests/library/bound.c";
        struct Entry = "entry" { key: [u8; 8], r#type: i32 }
        fn put(table: Pointer<table>, key: &std::ffi::CStr, of: i32) -> bool = "table_put";
        bind "table_*" { new -> owned free; }
        bind "hidden";
    }
}

/// The text of a failure.
fn said<T: std::fmt::Debug>(result: Checked<T>) -> String {
    let mut text = None;
    let _ = result.expect_err("C does something wrong").map_failure(|failure| {
        text = Some(stairway::report::words::message(&failure));
        failure
    });
    text.expect("it is a failure")
}

#[test]
fn slices_carry_their_lengths() {
    c::run(|c| {
        assert_eq!(c.sum(&[1, 2, 3])?, 6);
        let mut to = vec![0; 2];
        c.add(&[1, 2], &[10, -20], &mut to)?;
        assert_eq!(to, [11, -18]);
        let mut bytes = [1, 2];
        c.clear(&mut bytes)?;
        assert_eq!(bytes, [0, 0]);
        Ok(())
    })
    .unwrap();
    let text = said(c::run(|c| c.add(&[1, 2], &[1], &mut [0; 2])));
    assert_eq!(
        text,
        "C cannot be called: `a` has 2 elements and `b` has 1, and `add` takes one length for both"
    );
    let text = said(c::run(|c| c.add(&[0; 256], &[0; 256], &mut [0; 256])));
    assert_eq!(text, "C cannot be called: `a` has 256 elements, more than `u8` can say");
}

#[test]
fn pointers_take_whatever_can_be_lent() {
    all::run(|c| {
        let lent = c.lend_slice(&[4u32, 5])?;
        assert_eq!(
            (c.sum(&[1, 2, 3], 2)?, c.sum(&7, 1)?, c.sum(&vec![8, 9], 2)?, c.sum(lent, 2)?),
            (3, 7, 17, 9)
        );
        assert_eq!(c.sum(Pointer::NULL, 0)?, 0);
        assert_eq!((c.length(c"four")?, c.length(b"four\0four")?), (4, 4));
        assert_eq!(c.compare(&[1u16, 2], lent, 2)?.signum(), -1);
        let mut number = 0x0101_0101_u32;
        c.clear(&mut number, 2)?;
        assert_eq!(number, 0x0101_0000);
        Ok(())
    })
    .unwrap();
    let text = said(all::run(|c| c.sum(&[1, 2], 3)));
    assert_eq!(text, "`sum` reads 4 bytes: directly after `values` (8 bytes)");
}

#[test]
fn structs_and_enumerations_are_those_of_c() {
    all::run(|c| {
        let mut v = all::vector { x: 1.0, y: -2.0, way: all::way::LEFT };
        assert_eq!(c.scaled(&v, 2.0)?, all::vector { x: 2.0, y: -4.0, way: all::way::LEFT });
        c.turn(&mut v)?;
        assert_eq!(
            format!("{v:?} {:?}", all::way { value: 7 }),
            "vector { x: 1.0, y: -2.0, way: RIGHT } way { value: 7 }"
        );
        assert_eq!(c.opposite(all::way::STRAIGHT)?, all::way::STRAIGHT);
        assert_eq!(c.apply(c.function("doubled")?, 21)?, 42);
        assert_eq!(c.r#move(1, 2)?, 3);
        Ok(())
    })
    .unwrap();
    assert_eq!(
        stairway::ToSource::to_source(&all::vector { x: 1.0, y: 0.5, way: all::way::RIGHT }),
        "vector { x: 1.0, y: 0.5, way: way::RIGHT }"
    );
}

#[property(cases = 50)]
fn structs_are_drawn(v: all::vector, entry: all::entry) {
    assert!([all::way::LEFT, all::way::STRAIGHT, all::way::RIGHT].contains(&v.way));
    let twice = all::run(|c| {
        let mut w = v;
        c.turn(&mut w)?;
        c.turn(&mut w)?;
        Ok(w.way)
    });
    let turned = if v.way == all::way::STRAIGHT { all::way::RIGHT } else { v.way };
    assert_eq!(twice.unwrap(), turned);
    let _ = entry.key;
}

#[test]
fn results_by_address_are_there_if_c_wrote_them() {
    assert_eq!(c::run(|c| c.quotient(7, 2)).unwrap(), (true, Some(3), Some(1)));
    assert_eq!(c::run(|c| c.quotient(7, 0)).unwrap(), (false, None, None));
    assert_eq!(said(c::run(c::Calls::halfway)), "`halfway` writes only a part of `at`");
    let unchecked = c::unchecked();
    assert_eq!(c::run_with(&unchecked, |c| c.quotient(7, 2)).unwrap(), (true, Some(3), Some(1)));
}

#[test]
fn what_is_owned_is_freed_by_c() {
    let keys = c::run(|c| {
        let Some(table) = c.table_new()? else { return Ok(vec![]) };
        c.table_put(&table, c"one", 1)?;
        c.table_put(&table, c"two", 2)?;
        assert_eq!(c.table_last(&table)?.r#type, 2);
        Ok(vec![c.table_key(&table, 1)?, c.table_key(&table, 3)?])
    });
    assert_eq!(keys.unwrap(), [Some(c"one".to_owned()), None]);
    // No memory is no handle.
    let none = c::run(|c| {
        c.fail_allocation(1);
        Ok(c.table_new()?.is_none())
    });
    assert!(none.unwrap());
    // By value it is C's, and freed once.
    c::run(|c| c.table_free(c.table_new()?.expect("there is memory"))).unwrap();
    // Given up, somebody must free it.
    let text = said(c::run(|c| Ok(c.table_new()?.expect("there is memory").into_pointer())));
    assert!(
        text.starts_with("a leak: nobody frees the 16 bytes allocated at tests/library/bound.c:"),
        "{text}"
    );
}

#[test]
fn what_goes_wrong_while_freeing_fails_the_case() {
    let three = |c: &c::Calls<'_>| {
        let table = c.table_new()?.expect("there is memory");
        for k in 0..3 {
            c.table_put(&table, c"key", k)?;
        }
        Ok(())
    };
    assert!(said(c::run(three)).starts_with("a leak: nobody frees the 36 bytes allocated at"));
    let text = said(c::run(|c| {
        let table = c.table_new()?.expect("there is memory");
        c.table_free(table.pointer())
    }));
    assert!(text.starts_with("`table_free` reads 8 bytes: the 16 bytes allocated at"), "{text}");
}

#[test]
fn what_is_declared_by_hand_comes_first() {
    table::run(|c| {
        let table = c.new()?.expect("there is memory");
        assert!(c.put(table.pointer(), c"key", 5)?);
        let table::Entry { key, r#type } = c.last(&table)?;
        assert_eq!((&key[..4], r#type), (&b"key\0"[..], 5));
        assert_eq!(c.hidden(1)?, 2);
        Ok(())
    })
    .unwrap();
}

#[test]
fn what_is_defined_nowhere_is_a_mock() {
    let now = all::run(|c| {
        c.mocks().clock_now(|_, clock| Ok(if clock.is_null() { 41 } else { 0 }));
        c.tick(Pointer::NULL)
    });
    assert_eq!(now.unwrap(), 42);
}

#[test]
fn what_cannot_be_bound_is_listed() {
    insta::assert_snapshot!(all::NOT_BOUND.join("\n"));
}
