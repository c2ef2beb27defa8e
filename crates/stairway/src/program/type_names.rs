//! The names of types as they are written in printed tests: without the modules they are in.

/// A type as it is written in an expression, without the modules it is in.
#[must_use]
pub fn path_of<T: ?Sized>() -> String {
    type_of::<T>().replacen('<', "::<", 1)
}

/// A type as it is written, without the modules it is in.
#[must_use]
pub fn type_of<T: ?Sized>() -> String {
    let (mut out, mut word) = (String::new(), String::new());
    let mut characters = std::any::type_name::<T>().chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            ':' if characters.peek() == Some(&':') => {
                characters.next();
                word.clear();
            }
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            c => {
                out.push_str(&std::mem::take(&mut word));
                out.push(c);
            }
        }
    }
    out + &word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_written_without_their_modules() {
        assert_eq!(
            type_of::<std::collections::BTreeMap<String, Option<u8>>>(),
            "BTreeMap<String, Option<u8>>"
        );
        assert_eq!(path_of::<Vec<(u8, Box<str>)>>(), "Vec::<(u8, Box<str>)>");
    }
}
