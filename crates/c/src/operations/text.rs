//! Values and declarations as C text, and their layouts.

use crate::ctypes::{CType, CTypes, TypeId};

/// The least and the largest value of an integer type.
#[must_use]
pub(crate) fn range(size: u32, is_signed: bool) -> (i128, i128) {
    let bits = (size * 8).min(64);
    match is_signed {
        true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        false => (0, (1i128 << bits) - 1),
    }
}

/// The least and the largest value of a bit field.
#[must_use]
pub(crate) fn bit_range(width: u32, is_signed: bool) -> (i128, i128) {
    let width = width.clamp(1, 64);
    match is_signed {
        true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
        false => (0, (1i128 << width) - 1),
    }
}

/// Whether an integer type has negative values.
#[must_use]
pub(crate) fn is_signed(types: &CTypes, ty: TypeId) -> bool {
    match types.get(ty) {
        CType::Integer { is_signed, .. } => *is_signed,
        CType::Enum(id) => types.enumeration(*id).is_signed,
        _ => false,
    }
}

/// The number that these bytes are in C.
pub(crate) fn number(bytes: &[u8], is_signed: bool) -> i128 {
    let is_negative = is_signed && bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    let mut wide = [if is_negative { 0xff } else { 0 }; 16];
    let n = bytes.len().min(16);
    wide[..n].copy_from_slice(&bytes[..n]);
    i128::from_le_bytes(wide)
}

/// Writes a bit field.
pub(crate) fn put_bits(bytes: &mut [u8], first: u64, width: u32, value: i128) {
    for k in 0..u64::from(width) {
        let at = first + k;
        if let Some(byte) = bytes.get_mut((at / 8) as usize) {
            let bit = ((value >> k) & 1) as u8;
            *byte = (*byte & !(1 << (at % 8))) | (bit << (at % 8));
        }
    }
}

/// Writes a number in the 80-bit format.
pub(crate) fn put_long_double(value: f64, bytes: &mut [u8]) {
    let bits = value.to_bits();
    let (sign, exponent, fraction) = (bits >> 63, (bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (exponent, significand) = match exponent {
        0 => (0, 0),
        0x7ff => (0x7fff, (1 << 63) | (fraction << 11)),
        e => (e + 16383 - 1023, (1 << 63) | (fraction << 11)),
    };
    bytes.fill(0);
    if bytes.len() >= 10 {
        bytes[..8].copy_from_slice(&significand.to_le_bytes());
        bytes[8..10].copy_from_slice(&((sign << 15 | exponent) as u16).to_le_bytes());
    }
}

/// An integer as a C expression of a fitting type.
#[must_use]
pub(crate) fn integer(value: i128) -> String {
    match value {
        -2_147_483_648 => "(-2147483647 - 1)".to_string(),
        -9_223_372_036_854_775_808 => "(-9223372036854775807 - 1)".to_string(),
        v if v > i128::from(i64::MAX) => format!("{v}u"),
        v => v.to_string(),
    }
}

/// A float as a C expression.
#[must_use]
pub(crate) fn float(value: f64) -> String {
    if value.is_nan() {
        return "NAN".to_string();
    }
    if value.is_infinite() {
        return if value > 0.0 { "INFINITY".to_string() } else { "-INFINITY".to_string() };
    }
    format!("{value:?}")
}

/// A string literal.
#[must_use]
pub(crate) fn string(bytes: &[u8]) -> String {
    let escaped = |byte: &u8| match byte {
        b'"' => "\\\"".to_string(),
        b'\\' => "\\\\".to_string(),
        b'\n' => "\\n".to_string(),
        b'?' => "\\?".to_string(),
        b' '..=b'~' => char::from(*byte).to_string(),
        other => format!("\\{other:03o}"),
    };
    format!("\"{}\"", bytes.iter().map(escaped).collect::<String>())
}

/// A member of an initialiser.
#[must_use]
pub(crate) fn member(name: &str, value: &str) -> String {
    if name.is_empty() { value.to_string() } else { format!(".{name} = {value}") }
}

/// A struct or union: an initialiser, or a value on its own.
#[must_use]
pub(crate) fn record(types: &CTypes, ty: TypeId, parts: &[String], is_alone: bool) -> String {
    let initialiser = if parts.is_empty() { "{0}".to_string() } else { format!("{{{}}}", parts.join(", ")) };
    if is_alone { format!("({}){initialiser}", types.name(ty)) } else { initialiser }
}

/// A declaration of memory with contents.
#[must_use]
pub(crate) fn allocation(
    types: &CTypes,
    element: TypeId,
    name: &str,
    (n, n_filled): (u64, u64),
    parts: &[String],
    is_zeroed: bool,
) -> String {
    let declared = declaration(types, element, &format!("*{name}"));
    let size = if n == 1 { format!("sizeof *{name}") } else { format!("{n} * sizeof *{name}") };
    let mut text = match is_zeroed {
        true => format!("{declared} = calloc({n}, sizeof *{name});"),
        false => format!("{declared} = malloc({size});"),
    };
    let compound = matches!(types.get(element), CType::Record(_) | CType::Array { .. });
    for (k, part) in parts.iter().enumerate() {
        let place = if n == 1 { format!("*{name}") } else { format!("{name}[{k}]") };
        let value = if compound { format!("({}){part}", types.name(element)) } else { part.clone() };
        text.push_str(&format!(" {place} = {value};"));
    }
    let n_own = parts.len() as u64;
    if n_filled > n_own && n_own > 0 {
        text.push_str(&format!(
            " for (int i = {n_own}; i < {n_filled}; i++) {name}[i] = {name}[i - {n_own}];"
        ));
    }
    text
}

/// How long a text may be to stand in a literal if it has parts that are repeated.
const MAX_LITERAL: u64 = 80;

/// A declaration of a text, in as many bytes as it needs or in more.
#[must_use]
pub(crate) fn text_allocation(name: &str, parts: &[(Vec<u8>, u64)], room: Option<usize>) -> String {
    let n: u64 = parts.iter().map(|(part, times)| part.len() as u64 * times).sum();
    if n <= MAX_LITERAL || parts.iter().all(|(_, times)| *times == 1) {
        let contents: Vec<u8> = parts.iter().flat_map(|(part, times)| part.repeat(*times as usize)).collect();
        let text = string(&contents);
        return match room {
            None => format!("char *{name} = strdup({text});"),
            Some(n) => format!("char *{name} = strcpy(calloc({n}, 1), {text});"),
        };
    }
    let mut text = format!("char *{name} = calloc({}, 1);", room.unwrap_or(n as usize + 1));
    for (part, times) in parts.iter().filter(|(part, _)| !part.is_empty()) {
        let part = string(part);
        text.push_str(&match times {
            1 => format!(" strcat({name}, {part});"),
            _ => format!(" for (int i = 0; i < {times}; i++) strcat({name}, {part});"),
        });
    }
    text
}

/// A declaration of a variable of any type.
#[must_use]
pub(crate) fn declaration(types: &CTypes, ty: TypeId, name: &str) -> String {
    match types.get(ty) {
        CType::Pointer { to, is_const } => {
            let pointee = types.get(*to);
            let inner = match pointee {
                CType::Function(_) | CType::Array { .. } => format!("(*{name})"),
                _ => format!("*{name}"),
            };
            let qualifier = if *is_const && !matches!(pointee, CType::Function(_)) { "const " } else { "" };
            format!("{qualifier}{}", declaration(types, *to, &inner))
        }
        CType::Array { of, len } => {
            let len = len.map_or(String::new(), |n| n.to_string());
            declaration(types, *of, &format!("{name}[{len}]"))
        }
        CType::Function(signature) => {
            let parameters: Vec<String> =
                signature.parameters.iter().map(|p| declaration(types, *p, "")).collect();
            let parameters = if parameters.is_empty() { "void".to_string() } else { parameters.join(", ") };
            declaration(types, signature.returns, &format!("{name}({parameters})"))
        }
        _ => format!("{} {name}", types.name(ty)).trim_end().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_so_that_c_reads_them_back() {
        assert_eq!(integer(i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(integer(i128::from(u64::MAX)), "18446744073709551615u");
        assert_eq!((range(1, true), range(4, false)), ((-128, 127), (0, 4_294_967_295)));
        assert_eq!((float(0.5), float(f64::NEG_INFINITY)), ("0.5".to_string(), "-INFINITY".to_string()));
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(string(b"a\"\\\n?\x01"), "\"a\\\"\\\\\\n\\?\\001\"");
    }

    #[test]
    fn long_texts_are_put_together() {
        let parts = [(b"(".to_vec(), 300), (b"1".to_vec(), 1)];
        assert_eq!(
            text_allocation("s", &parts, None),
            "char *s = calloc(302, 1); for (int i = 0; i < 300; i++) strcat(s, \"(\"); strcat(s, \"1\");"
        );
        assert_eq!(
            text_allocation("s", &[(b"ab".to_vec(), 2)], Some(9)),
            "char *s = strcpy(calloc(9, 1), \"abab\");"
        );
    }

    #[test]
    fn declarations_nest_as_c_has_them() {
        let mut types = CTypes::default();
        let int = types.add(CType::Integer { size: 4, is_signed: true, name: "int".to_string() });
        let array = types.add(CType::Array { of: int, len: Some(3) });
        let to_array = types.add(CType::Pointer { to: array, is_const: false });
        assert_eq!(declaration(&types, to_array, "p"), "int (*p)[3]");
        let signature =
            crate::ctypes::Signature { returns: int, parameters: vec![int, to_array], is_variadic: false };
        let function = types.add(CType::Function(signature));
        let to_function = types.add(CType::Pointer { to: function, is_const: false });
        assert_eq!(declaration(&types, to_function, "f"), "int (*f)(int, int (*)[3])");
    }

    #[test]
    fn bits_are_put_where_they_belong() {
        let mut bytes = [0u8; 2];
        put_bits(&mut bytes, 3, 7, 0b101_1011);
        assert_eq!(u16::from_le_bytes(bytes), 0b101_1011 << 3);
    }

    #[test]
    fn long_doubles_have_an_explicit_one() {
        let mut bytes = [0u8; 16];
        put_long_double(1.5, &mut bytes);
        assert_eq!(&bytes[..10], &[0, 0, 0, 0, 0, 0, 0, 0xc0, 0xff, 0x3f]);
    }
}
