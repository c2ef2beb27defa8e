//! Collects what is worth passing to a function: numbers and texts in its body, its contract and the
//! functions it calls, the nearest first.
//!
//! Whether a value suits a parameter is not known here.

use super::make::Words;
use crate::project::Project;
use crate::source::FunctionSource;

/// How many there are at most: with many, each is passed too seldom.
const MOST: usize = 64;
/// How long a text is at most: long ones are messages.
const MAX_TEXT: usize = 64;
/// Of texts up to this length each character is looked for: `strchr(" \t", c)`.
const SHORT_TEXT: usize = 8;
/// How many calls away what is mentioned may be.
const MOST_CALLS: u32 = 3;

/// Numbers and texts worth trying.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// Numbers.
    pub numbers: Vec<i128>,
    /// Texts, without the final zero.
    pub texts: Vec<Vec<u8>>,
}

impl Candidates {
    /// What is worth trying for a function.
    pub(super) fn of(project: &Project, function: &FunctionSource) -> Candidates {
        let mut worth = Candidates::default();
        let mut nearby = vec![function];
        worth.add_nearby(project, &nearby);
        for _ in 0..MOST_CALLS {
            let calls = nearby.iter().flat_map(|f| &f.calls);
            let called = |f: &&FunctionSource| calls.clone().any(|name| *name == f.name);
            nearby = project.sources.functions.iter().filter(called).collect();
            worth.add_nearby(project, &nearby);
        }
        let everywhere = &project.sources.constants;
        worth.add(everywhere.integers.iter().copied(), everywhere.strings.iter());
        worth
    }

    /// What texts are made of.
    pub(super) fn words(&self) -> Words {
        let short = self.texts.iter().filter(|text| text.len() <= SHORT_TEXT).flatten().copied();
        let named = self.numbers.iter().filter_map(|number| u8::try_from(*number).ok());
        let is_text =
            |byte: &u8| byte.is_ascii_graphic() || matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 128..);
        let mut characters: Vec<u8> = Vec::new();
        for byte in named.filter(is_text).chain(short) {
            if !characters.contains(&byte) {
                characters.push(byte);
            }
        }
        Words {
            texts: self.texts.clone().into(),
            characters: characters.into(),
            numbers: self.numbers.clone().into(),
        }
    }

    fn add_nearby(&mut self, project: &Project, functions: &[&FunctionSource]) {
        for function in functions {
            let constants = &function.constants;
            self.add(constants.integers.iter().copied(), constants.strings.iter());
            let contract = project.specs.contract_of.get(&function.name);
            if let Some(contract) = contract.and_then(|k| project.specs.contracts.get(*k)) {
                let clauses = contract.requires.iter().chain(&contract.ensures);
                let text = |clause: &crate::spec::checked::Clause| project.map.slice(clause.span).to_string();
                clauses.map(text).for_each(|text| self.add(numbers_of_spec(&text), std::iter::empty()));
            }
        }
    }

    /// Adds what is not there yet.
    pub(super) fn add<'t>(
        &mut self,
        numbers: impl Iterator<Item = i128>,
        texts: impl Iterator<Item = &'t Vec<u8>>,
    ) {
        for number in numbers {
            if self.numbers.len() < MOST && !self.numbers.contains(&number) {
                self.numbers.push(number);
            }
        }
        for text in texts {
            let is_sane = text.len() <= MAX_TEXT && !text.contains(&0);
            if self.texts.len() < MOST && is_sane && !self.texts.contains(text) {
                self.texts.push(text.clone());
            }
        }
    }
}

/// The numbers in a clause: `-5i32`, `0x10u64`, `7`.
fn numbers_of_spec(text: &str) -> impl Iterator<Item = i128> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let is_negative = rest[..start].ends_with('-');
        let word = &rest[start..];
        let end = word.find(|c| !is_word(c)).unwrap_or(word.len());
        if let Some(value) = number_of_spec(&word[..end]) {
            found.push(if is_negative { -value } else { value });
        }
        rest = &word[end..];
    }
    found.into_iter()
}

fn number_of_spec(word: &str) -> Option<i128> {
    let digits = word.split_once(['i', 'u']).map_or(word, |(digits, _)| digits);
    match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_clauses_are_found() {
        let numbers = |text| numbers_of_spec(text).collect::<Vec<_>>();
        assert_eq!(numbers("x == 42i32 || x < -7i64"), [42, -7]);
        assert_eq!(numbers("n <= 0x10u64 && i32_of(x1) == 5"), [16, 5]);
        assert_eq!(numbers("return - 1i32 == x.y"), [1]);
        assert_eq!(numbers("ü == 99999999999999999999999999999999999999999999i32"), [0i128; 0]);
    }
}
