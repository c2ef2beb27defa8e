//! Texts for `char *`: any byte but 0, mostly short, now and then long, and often made of what the code looks
//! for.
//!
//! A random text is made of words, characters and numbers of the source and recorded afterwards, as a shape,
//! the characters of a piece and the number of its repetitions: 300 opening brackets are a record of four
//! choices and shrink like a number. What the code does with a text is not known here.

use super::ArgumentMaker;
use stairway::generate::Choices;
use std::rc::Rc;

/// How long a text is at most.
pub(in crate::operations) const MAX_TEXT: u64 = 4096;
/// How long one is that is written into a buffer of which nobody says how large it is.
pub(in crate::operations) const MAX_WRITTEN: u64 = 96;

/// One text in so many ends before its end, by at most so many bytes.
const CUT_OFF_IN: u64 = 8;
const MOST_CUT_OFF: usize = 4;

/// What a text is: characters, a piece again and again, or brackets in brackets.
const SHAPES: &[&str] = &["text", "repeated", "nested"];

/// What the source mentions, as far as texts are concerned.
#[derive(Clone, Debug, Default)]
pub(in crate::operations) struct Words {
    pub(in crate::operations) texts: Rc<[Vec<u8>]>,
    pub(in crate::operations) characters: Rc<[u8]>,
    pub(in crate::operations) numbers: Rc<[i128]>,
}

/// How many texts of a sequence are remembered, and how much of each.
const N_REMEMBERED: usize = 8;
const MAX_REMEMBERED: usize = 256;

/// The latest texts of a sequence. A key that was put in is asked for again, and a separator is one that
/// occurs in the text: chance alone would hardly ever make two texts that have to do with each other.
#[derive(Debug, Default)]
pub(super) struct Texts {
    latest: Vec<Vec<u8>>,
    next: usize,
}

impl Texts {
    /// Remembers a text in place of the oldest one; an empty one comes by itself.
    pub(super) fn remember(&mut self, text: &[u8]) {
        let text = &text[..text.len().min(MAX_REMEMBERED)];
        if text.is_empty() {
            return;
        }
        match self.latest.get_mut(self.next) {
            Some(oldest) => text.clone_into(oldest),
            None => self.latest.push(text.to_vec()),
        }
        self.next = (self.next + 1) % N_REMEMBERED;
    }

    /// The latest.
    fn last(&self) -> &[u8] {
        let k = (self.next + N_REMEMBERED - 1) % N_REMEMBERED;
        self.latest.get(k).map_or(&[], |text| text)
    }
}

/// The parts of a text, one after the other, with how often each is repeated.
pub(in crate::operations) type Parts = Vec<(Vec<u8>, u64)>;

/// What a text is made from.
#[derive(Default)]
struct Sketch {
    shape: u64,
    piece: Vec<u8>,
    times: u64,
    core: Vec<u8>,
}

impl Sketch {
    fn parts(self) -> Parts {
        match self.shape {
            0 => vec![(self.piece, 1)],
            1 => vec![(self.piece, self.times)],
            _ => {
                let closing = closing(&self.piece);
                vec![(self.piece, self.times), (self.core, 1), (closing, self.times)]
            }
        }
    }
}

/// What closes the brackets that a piece opens, the last one first.
fn closing(piece: &[u8]) -> Vec<u8> {
    let mut open: Vec<u8> = Vec::new();
    for byte in piece {
        match byte {
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            b'<' => open.push(b'>'),
            _ if open.last() == Some(byte) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.reverse();
    open
}

impl ArgumentMaker<'_, '_, '_, '_> {
    /// The parts of a text of at most `longest` bytes.
    pub(super) fn text(&mut self, words: &Words, longest: u64) -> Parts {
        let sketch = match self.step.choices().free_word() {
            Some(word) => {
                let sketch = self.made_up(word, words, longest);
                self.note_text(&sketch);
                sketch
            }
            None => self.drawn_sketch(),
        };
        sketch.parts()
    }

    /// The part of `word` below `n`; the word is used up.
    fn roll(&mut self, n: u64) -> u64 {
        let word = self.step.choices().free_word().unwrap_or(0);
        ((u128::from(word) * u128::from(n)) >> 64) as u64
    }

    fn one_of<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let k = self.roll(values.len() as u64) as usize;
        values.get(k)
    }

    /// Writes down what a random text is.
    fn note_text(&mut self, sketch: &Sketch) {
        let choices = self.step.choices();
        choices.given_alternative(sketch.shape, SHAPES.len() as u64, SHAPES);
        let record = |choices: &mut Choices<'_>, bytes: &[u8]| {
            choices.given_length(bytes.len() as u64, 0, MAX_TEXT);
            for byte in bytes {
                choices.given_character(char::from(*byte), 0, u32::from(char::MAX));
            }
        };
        record(choices, &sketch.piece);
        if sketch.shape > 0 {
            choices.given_unsigned(sketch.times, 1, MAX_TEXT, 1);
        }
        if sketch.shape == 2 {
            record(choices, &sketch.core);
        }
    }

    /// Makes up a text.
    fn made_up(&mut self, word: u64, words: &Words, longest: u64) -> Sketch {
        let one_in = if self.has_text { 2 } else { 4 };
        let is_related = (word >> 8).is_multiple_of(one_in) && !self.texts.latest.is_empty();
        let mut sketch = match word % 64 {
            _ if is_related => Sketch { piece: self.related(words), ..Sketch::default() },
            0 | 1 => {
                let piece = if word >> 6 & 1 == 0 { vec![self.character(words)] } else { self.token(words) };
                Sketch { shape: 1, piece, ..Sketch::default() }
            }
            2 => {
                let piece = self.opening(words);
                let core = if word >> 6 & 1 == 0 { Vec::new() } else { self.token(words) };
                Sketch { shape: 2, piece, core, ..Sketch::default() }
            }
            3..=18 if !words.texts.is_empty() => {
                let piece = self.one_of(&words.texts).cloned().unwrap_or_default();
                Sketch { piece, ..Sketch::default() }
            }
            19..=34 => {
                let n = 1 + self.roll(6);
                let piece = (0..n).flat_map(|_| self.token(words)).collect();
                Sketch { piece, ..Sketch::default() }
            }
            35..=37 => {
                let n = 1 + self.roll(4);
                let piece = (0..n).flat_map(|_| self.encoded()).collect();
                Sketch { piece, ..Sketch::default() }
            }
            _ => Sketch { piece: self.characters(words), ..Sketch::default() },
        };
        // What is cut off may end within an escape, a number or a character: who looks ahead looks too far.
        if sketch.shape == 0 && sketch.piece.len() > 1 && (word >> 16).is_multiple_of(CUT_OFF_IN) {
            let most = sketch.piece.len().min(MOST_CUT_OFF + 1) as u64;
            let n = 1 + self.roll(most - 1) as usize;
            sketch.piece.truncate(sketch.piece.len() - n);
        }
        let longest = longest.min(MAX_TEXT);
        sketch.piece.truncate(longest as usize);
        if sketch.shape > 0 {
            if sketch.piece.is_empty() {
                sketch.piece.push(b'a');
            }
            sketch.core.truncate(16.min(longest as usize / 4));
            let length = sketch.piece.len() * sketch.shape as usize;
            let most = ((longest - sketch.core.len() as u64) / length as u64).max(1);
            sketch.times = self.times(most);
        }
        sketch
    }

    /// A text that has to do with one of the latest, or with the one before it in the same call: the same, a
    /// piece of it, nearly the same, or one that has it several times.
    fn related(&mut self, words: &Words) -> Vec<u8> {
        let k = self.roll(self.texts.latest.len() as u64) as usize;
        let mut text = if self.has_text { self.texts.last() } else { &self.texts.latest[k] }.to_vec();
        match self.roll(8) {
            0..=2 if self.has_text => self.piece_of(&text),
            0..=3 => text,
            4 => self.piece_of(&text),
            5 => {
                let at = self.roll(text.len() as u64) as usize;
                match self.roll(3) {
                    0 => text[at] = self.character(words),
                    1 => text.insert(at, self.character(words)),
                    _ => drop(text.remove(at)),
                }
                text
            }
            _ => {
                let piece = self.piece_of(&text);
                let n = 1 + self.roll(8);
                let with_piece = |making: &mut Self| [making.token(words), piece.clone()].concat();
                (0..n).flat_map(|_| with_piece(self)).collect()
            }
        }
    }

    /// One byte of a text, or several in a row.
    fn piece_of(&mut self, text: &[u8]) -> Vec<u8> {
        let start = self.roll(text.len() as u64) as usize;
        let n = if self.roll(2) == 0 { 1 } else { 1 + self.roll((text.len() - start) as u64) as usize };
        text[start..start + n].to_vec()
    }

    /// How often a piece is repeated: mostly some dozens of times, now and then as often as may be.
    fn times(&mut self, most: u64) -> u64 {
        let few = most.min(100);
        let bound = match self.roll(16) {
            0 => return most.max(1),
            1..=3 => most,
            _ => few,
        };
        let n_bits = self.roll(u64::from(64 - bound.leading_zeros()) + 1);
        (1 + self.roll(1 << n_bits)).min(bound).max(1)
    }

    /// Characters of one kind, or of a few.
    fn characters(&mut self, words: &Words) -> Vec<u8> {
        let most = match self.roll(128) {
            0 => MAX_TEXT,
            1..=4 => 300,
            5..=24 => 40,
            _ => 12,
        };
        let n = self.roll(most + 1);
        if self.roll(8) == 0 {
            let few: Vec<u8> = (0..1 + self.roll(3)).map(|_| self.character(words)).collect();
            return (0..n).map(|_| self.one_of(&few).copied().unwrap_or(b'a')).collect();
        }
        let range = match self.roll(8) {
            0..=2 => Some((b' ', b'~')),
            3 => Some((b'0', b'9')),
            4 => Some((b'a', b'z')),
            5 => Some((1, 255)),
            6 => {
                let one = self.one_of(&words.characters).copied().unwrap_or(b' ');
                let other = self.one_of(&words.characters).copied().unwrap_or(b'~');
                Some((one.min(other), one.max(other)))
            }
            _ => None,
        };
        let mut characters = Vec::with_capacity(n as usize);
        for _ in 0..n {
            characters.push(match range {
                Some((lo, hi)) => lo + self.roll(u64::from(hi - lo) + 1) as u8,
                None => self.character(words),
            });
        }
        characters
    }

    /// A character that the code looks for, or one that parsers do.
    fn character(&mut self, words: &Words) -> u8 {
        const USUAL: &[u8] = b"a0 \n\t\r\"'()[]{}<>,;:.=-+*/%\\#&_A9\x7f\x80\xff";
        let known = (self.roll(2) == 0).then_some(&*words.characters).filter(|known| !known.is_empty());
        self.one_of(known.unwrap_or(USUAL)).copied().unwrap_or(b'a')
    }

    /// A piece of what the code may be looking for.
    fn token(&mut self, words: &Words) -> Vec<u8> {
        match self.roll(8) {
            0..=2 if !words.texts.is_empty() => self.one_of(&words.texts).cloned().unwrap_or_default(),
            3 => match self.roll(3) {
                0 => self.one_of(&words.numbers).map_or_else(Vec::new, |n| n.to_string().into_bytes()),
                1 => self.roll(100).to_string().into_bytes(),
                _ => (self.roll(1 << 34) as i64 - (1 << 33)).to_string().into_bytes(),
            },
            4 => {
                let n = 1 + self.roll(4);
                (0..n).map(|_| b'a' + self.roll(26) as u8).collect()
            }
            5 => self.encoded(),
            _ => vec![self.character(words)],
        }
    }

    /// A character of several bytes, in UTF-8; now and then without its last ones.
    fn encoded(&mut self) -> Vec<u8> {
        let code = match self.roll(3) {
            0 => 0x80 + self.roll(0x780),
            1 => 0x800 + self.roll(0xf800),
            _ => 0x1_0000 + self.roll(0x10_0000),
        };
        let character =
            u32::try_from(code).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
        let mut bytes = character.to_string().into_bytes();
        if self.roll(4) == 0 {
            bytes.truncate(1 + self.roll(bytes.len() as u64 - 1) as usize);
        }
        bytes
    }

    /// Something that opens a bracket.
    fn opening(&mut self, words: &Words) -> Vec<u8> {
        let mut piece = match self.roll(4) {
            0 => self.token(words),
            _ => Vec::new(),
        };
        let known: Vec<u8> = words.characters.iter().copied().filter(|byte| b"([{<".contains(byte)).collect();
        let is_known = self.roll(4) > 0 && !known.is_empty();
        let bracket = self.one_of(if is_known { &known } else { b"([{<" }).copied().unwrap_or(b'(');
        piece.push(bracket);
        if self.roll(4) == 0 {
            piece.extend(self.token(words));
        }
        piece
    }

    /// Reads what a text was.
    fn drawn_sketch(&mut self) -> Sketch {
        let shape = self.step.choices().named_alternative(SHAPES.len() as u64, SHAPES);
        let piece = self.drawn_characters();
        if shape == 0 {
            return Sketch { shape, piece, ..Sketch::default() };
        }
        let most = (MAX_TEXT / (piece.len() as u64).max(1)).max(1);
        let times = self.step.choices().unsigned(1, MAX_TEXT, 1).min(most);
        let core = if shape == 2 { self.drawn_characters() } else { Vec::new() };
        Sketch { shape, piece, times, core }
    }

    fn drawn_characters(&mut self) -> Vec<u8> {
        let choices = self.step.choices();
        let n = choices.length(0, MAX_TEXT);
        let byte = |c: char| u8::try_from(u32::from(c)).ok().filter(|byte| *byte != 0).unwrap_or(b'a');
        (0..n).map(|_| byte(choices.character(0, u32::from(char::MAX)))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_that_are_open_are_closed() {
        assert_eq!(closing(b"({["), b"]})");
        assert_eq!(closing(b"{\"a\":["), b"]}");
        assert_eq!(closing(b"f(x)("), b")");
        assert_eq!(closing(b"abc"), b"");
    }

    #[test]
    fn the_latest_texts_are_remembered_and_the_oldest_forgotten() {
        let mut texts = Texts::default();
        texts.remember(b"");
        for k in 0..=N_REMEMBERED {
            texts.remember(&[b'a' + k as u8]);
        }
        texts.remember(&[b'z'; 2 * MAX_REMEMBERED]);
        assert_eq!(texts.latest.len(), N_REMEMBERED);
        assert_eq!(&texts.latest[0], b"i");
        assert_eq!(texts.latest[1].len(), MAX_REMEMBERED);
        assert_eq!(&texts.latest[2], b"c");
    }

    #[test]
    fn a_nested_text_opens_and_closes() {
        let sketch = Sketch { shape: 2, piece: b"[".to_vec(), times: 3, core: b"1".to_vec() };
        let text: Vec<u8> = sketch.parts().iter().flat_map(|(part, n)| part.repeat(*n as usize)).collect();
        assert_eq!(text, b"[[[1]]]");
    }
}
