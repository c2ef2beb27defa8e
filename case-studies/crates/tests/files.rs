//! Settings that are written to a file and read again.

use case_study_support::{SHOWN_SEED, assert_readme_shows, block, settings};
use stairway::prelude::*;
use stairway::report::Report;

/// `rust-ini`: a value that is set, written and read again.
fn ini_value(t: &mut Case<'_>) -> Checked {
    let value = t.pick(any::<String>())?;
    let mut file = ini::Ini::new();
    file.with_section(Some("section")).set("key", value.clone());
    let mut written = Vec::new();
    file.write_to(&mut written).expect("memory can be written to");
    let text = String::from_utf8(written).expect("a file of settings is text");
    t.note(format!("written: {text:?}"));
    let again = ini::Ini::load_from_str(&text).expect("what was written can be read");
    assert_eq!(again.get_from(Some("section"), "key"), Some(value.as_str()));
    Ok(())
}

/// The same with the name of a section.
fn ini_section(t: &mut Case<'_>) -> Checked {
    let section = t.pick(regex("[!-~]{1,8}"))?;
    let mut file = ini::Ini::new();
    file.with_section(Some(section.clone())).set("key", "value");
    let mut written = Vec::new();
    file.write_to(&mut written).expect("memory can be written to");
    let text = String::from_utf8(written).expect("a file of settings is text");
    t.note(format!("written: {text:?}"));
    let again = ini::Ini::load_from_str(&text).expect("what was written can be read");
    assert_eq!(again.get_from(Some(section), "key"), Some("value"));
    Ok(())
}

/// `configparser`: a value of printable characters, without spaces at its ends.
fn configparser_value(t: &mut Case<'_>) -> Checked {
    let value = t.pick(regex("[!-~]([ -~]{0,8}[!-~])?"))?;
    let mut file = configparser::ini::Ini::new_cs();
    file.set("section", "key", Some(value.clone()));
    let text = file.writes();
    t.note(format!("written: {text:?}"));
    let mut again = configparser::ini::Ini::new_cs();
    again.read(text).expect("what was written can be read");
    assert_eq!(again.get("section", "key"), Some(value));
    Ok(())
}

fn report(name: &str, property: fn(&mut Case<'_>) -> Checked) -> Report {
    Checker::new(name).settings(settings(SHOWN_SEED)).report(property)
}

#[test]
fn the_readme_shows_what_is_reported() {
    assert_readme_shows(
        env!("CARGO_MANIFEST_DIR"),
        &[
            ("ini value", block(report("values of rust-ini", ini_value))),
            ("ini section", block(report("sections of rust-ini", ini_section))),
            ("configparser value", block(report("values of configparser", configparser_value))),
        ],
    );
}
