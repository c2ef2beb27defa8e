//! Collects the whole numbers in `next`, in the module's other functions and in its constants. Guards compare
//! arguments with these numbers, so arguments are drawn from them.

use super::arms::{Literals, Next};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{Item, Type};

/// What was found.
pub(super) struct Numbers {
    /// Whole numbers, as expressions.
    pub(super) all: Vec<TokenStream>,
    /// The last character that is drawn: of ASCII, unless a larger one is mentioned.
    pub(super) last_character: char,
}

pub(super) fn read(next: &Next, rest: &[Item]) -> Numbers {
    let mut literals = Literals::default();
    literals.read(next.whole.to_token_stream());
    let mut constants = Vec::new();
    for item in rest {
        match item {
            Item::Fn(item) => literals.read(item.block.to_token_stream()),
            Item::Const(item) => {
                if is_number(&item.ty) {
                    constants.push(&item.ident);
                } else {
                    literals.read(item.expr.to_token_stream());
                }
            }
            _ => {}
        }
    }
    let mut numbers: Vec<TokenStream> = literals.numbers.iter().map(ToTokens::to_token_stream).collect();
    let is_mentioned = |name: &Ident, is_bound| literals.names.contains(&(name.to_string(), is_bound));
    for name in constants {
        if is_mentioned(name, true) {
            numbers.extend([quote!(#name as i128), quote!(#name as i128 - 1), quote!(#name as i128 + 1)]);
        } else if is_mentioned(name, false) {
            numbers.push(quote!(#name as i128));
        }
    }
    Numbers { all: numbers, last_character: literals.characters.last().copied().unwrap_or('~').max('~') }
}

/// Whether a constant of this type can be made a number by `as`; of `u128` and `i128` not all fit.
pub(super) fn is_number(ty: &Type) -> bool {
    const NUMBERS: [&str; 11] =
        ["u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "isize", "bool"];
    matches!(ty, Type::Path(path) if NUMBERS.iter().any(|name| path.path.is_ident(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn constants_and_helpers_are_mentioned() {
        let next = parse_quote!(
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Off, Unlock { key }) if key == MAGIC && key < TOP => On,
                }
            }
        );
        let rest: Vec<Item> = vec![
            parse_quote!(
                const MAGIC: u32 = 1 << 20;
            ),
            parse_quote!(
                const TOP: u32 = u32::MAX;
            ),
            parse_quote!(
                const UNUSED: u32 = 7;
            ),
            parse_quote!(
                const fn small(n: u8) -> bool {
                    n == 9
                }
            ),
        ];
        let all: Vec<String> = read(&Next::read(&next).expect("one `match`"), &rest)
            .all
            .iter()
            .map(ToString::to_string)
            .collect();
        let wanted = ["9i128", "MAGIC as i128", "TOP as i128", "TOP as i128 - 1", "TOP as i128 + 1"];
        assert_eq!(all, wanted);
    }
}
