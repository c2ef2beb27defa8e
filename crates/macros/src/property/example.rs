//! `#[example(..)]`: inputs that always run.
//!
//! Finds a value for every drawn parameter, in their order. Whether a value has the right type is rustc's to
//! say.

use super::Parameter;
use proc_macro2::Ident;
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, Lit, Meta, Result, Token};

/// One value for each drawn parameter.
#[derive(Clone)]
pub(crate) struct Example {
    pub(crate) values: Vec<Expr>,
}

/// Whether the value is a reference already, as an argument for `&T` would be written. Other
/// values are lent.
pub(crate) fn is_reference(value: &Expr) -> bool {
    match value {
        Expr::Reference(_) => true,
        Expr::Lit(literal) => matches!(literal.lit, Lit::Str(_) | Lit::ByteStr(_) | Lit::CStr(_)),
        _ => false,
    }
}

/// The example, if it fits the parameters.
pub(crate) fn diagnose(attribute: &Attribute, parameters: &[Parameter]) -> Result<Example> {
    let drawn: Vec<&Ident> = parameters
        .iter()
        .filter(|parameter| parameter.draw.is_some())
        .map(|parameter| &parameter.name)
        .collect();
    let given = match &attribute.meta {
        Meta::List(list) => list.parse_args_with(Punctuated::<Expr, Token![,]>::parse_terminated)?,
        _ => return Err(Error::new_spanned(attribute, format!("which input? write `{}`", form(&drawn)))),
    };
    let n_named = given.iter().filter(|value| name_of(value).is_some()).count();
    let values = if n_named == 0 {
        by_position(attribute, given, &drawn)?
    } else if n_named == given.len() {
        by_name(attribute, given, &drawn)?
    } else {
        return Err(Error::new_spanned(
            attribute,
            "an example gives its values by position or by name, not both: name all of them or none",
        ));
    };
    Ok(Example { values })
}

fn by_position(
    attribute: &Attribute,
    given: Punctuated<Expr, Token![,]>,
    drawn: &[&Ident],
) -> Result<Vec<Expr>> {
    if given.len() == drawn.len() {
        return Ok(given.into_iter().collect());
    }
    let message = format!(
        "this property draws {}, the example gives {}: write `{}`",
        count(drawn.len()),
        count(given.len()),
        form(drawn)
    );
    Err(Error::new_spanned(attribute, message))
}

fn by_name(attribute: &Attribute, given: Punctuated<Expr, Token![,]>, drawn: &[&Ident]) -> Result<Vec<Expr>> {
    let mut values: Vec<Option<Expr>> = drawn.iter().map(|_| None).collect();
    for value in given {
        let Expr::Assign(assignment) = &value else { continue };
        let Some(place) = name_of(&value).and_then(|name| drawn.iter().position(|d| **d == *name)) else {
            let message = format!("no such parameter is drawn: write `{}`", form(drawn));
            return Err(Error::new_spanned(&assignment.left, message));
        };
        if values[place].replace((*assignment.right).clone()).is_some() {
            return Err(Error::new_spanned(
                &assignment.left,
                "this value is given twice: remove one of them",
            ));
        }
    }
    let missing: Vec<String> = drawn
        .iter()
        .zip(&values)
        .filter(|(_, v)| v.is_none())
        .map(|(d, _)| format!("`{d} = value`"))
        .collect();
    if !missing.is_empty() {
        return Err(Error::new_spanned(
            attribute,
            format!("an example gives every value: add {}", missing.join(", ")),
        ));
    }
    Ok(values.into_iter().flatten().collect())
}

/// The name in `name = value`.
fn name_of(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Assign(assignment) => match &*assignment.left {
            Expr::Path(path) => path.path.get_ident(),
            _ => None,
        },
        _ => None,
    }
}

fn count(n: usize) -> String {
    match n {
        0 => String::from("no value"),
        1 => String::from("1 value"),
        n => format!("{n} values"),
    }
}

/// How an example is written for these parameters.
fn form(drawn: &[&Ident]) -> String {
    let names: Vec<String> = drawn.iter().map(ToString::to_string).collect();
    format!("#[example({})]", names.join(", "))
}
