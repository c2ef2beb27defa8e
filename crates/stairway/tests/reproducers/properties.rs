// Properties that do not hold: with types that are named by a path, and with all kinds of results.

use stairway::prelude::*;
use std::borrow::Cow;
use std::ffi::{CStr, OsStr};
use std::rc::Rc;
use std::sync::Arc;

pub mod shapes {
    use stairway::prelude::*;

    #[derive(Arbitrary, Clone, Debug, PartialEq, ToSource)]
    pub struct Point<T> {
        pub x: T,
        pub y: T,
    }

    pub mod paint {
        use stairway::prelude::*;

        #[derive(Arbitrary, Clone, Debug, PartialEq, ToSource)]
        pub enum Colour {
            Grey(u8),
            Named { name: String },
        }
    }
}

#[property]
#[ignore = "it is wrong"]
fn types_have_paths(p: &shapes::Point<u8>, colours: Vec<Option<shapes::paint::Colour>>) {
    assert!(p.x < 3 || colours.is_empty(), "a point with a colour");
}

#[property]
#[ignore = "it is wrong"]
fn ends_early(x: u8) -> Checked {
    let y: u8 = x.to_string().parse()?;
    if y < 7 {
        return Ok(());
    }
    assert!(y < 5, "five is too many");
    Ok(())
}

type Fallible = Result<u8, String>;

#[property]
#[ignore = "it is wrong"]
fn has_a_result_by_another_name(x: u8) -> Fallible {
    if x < 9 { Ok(x) } else { Err(format!("{x} is too many")) }
}

#[property]
#[ignore = "it is wrong"]
fn has_a_value(x: i16) -> Result<i8, std::num::TryFromIntError> {
    i8::try_from(x)
}

#[property]
#[ignore = "it is wrong"]
fn has_a_result(x: i16) -> Result<(), std::num::TryFromIntError> {
    i8::try_from(x)?;
    Ok(())
}

#[property]
#[ignore = "it is wrong"]
fn has_an_option(x: u8) -> Option<u8> {
    200u8.checked_add(x)
}

#[property]
#[ignore = "it is wrong"]
fn is_true(x: u8) -> bool {
    if x == 3 {
        return false;
    }
    true
}

#[property]
#[ignore = "it is wrong"]
fn has_a_unit(x: u8) -> () {
    assert!(x < 8, "eight is too many")
}

#[property]
#[ignore = "it is wrong"]
fn lends_names(c: &CStr, o: &OsStr, p: &std::path::Path) {
    assert!(c.is_empty() || o.is_empty() || p.components().count() < 2, "a path of two");
}

#[derive(Arbitrary, Clone, Debug, ToSource)]
struct Shared<'a> {
    text: Arc<str>,
    rows: Rc<[u8]>,
    name: Cow<'a, str>,
}

#[property]
#[ignore = "it is wrong"]
fn shares(s: Shared<'static>) {
    assert!(s.text.len() < 2 || s.rows.len() < 2 || s.name.len() < 2, "all are shared");
}
