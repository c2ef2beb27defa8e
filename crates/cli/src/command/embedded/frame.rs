//! Lines from a board as frames, and what is wrong with the link that they came by.
//!
//! Reads what `crates/capi/src/frames.rs` writes: `~number kind field field*checksum`. Knows nothing of what
//! frames mean. A line that is no frame is text that the program wrote itself.

use std::collections::VecDeque;

/// One frame whose checksum is right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) number: u32,
    pub(crate) kind: String,
    fields: Vec<String>,
}

impl Frame {
    /// A field as a number; 0 if there is none.
    pub(crate) fn number(&self, field: usize) -> u64 {
        self.fields.get(field).and_then(|text| u64::from_str_radix(text, 16).ok()).unwrap_or(0)
    }

    /// A field as a truth.
    pub(crate) fn is(&self, field: usize) -> bool {
        self.number(field) != 0
    }

    /// A field as text; empty if there is none.
    pub(crate) fn text(&self, field: usize) -> String {
        self.fields.get(field).map_or_else(String::new, |text| decoded(text))
    }

    /// All fields from one on, as numbers.
    pub(crate) fn numbers(&self, from: usize) -> Vec<u64> {
        (from..self.fields.len()).map(|field| self.number(field)).collect()
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest: VecDeque<u8> = text.bytes().collect();
    while let Some(byte) = rest.pop_front() {
        match (byte, rest.front().copied(), rest.get(1).copied()) {
            (b'%', Some(high), Some(low)) => {
                let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
                bytes.push(digit(high) << 4 | digit(low));
                rest.drain(..2);
            }
            (b'%', ..) => {}
            (byte, ..) => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// What a line turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Frame(Frame),
    /// It was a frame once.
    Garbled,
    /// Text that the program wrote by itself.
    Text(String),
}

/// Takes a line apart. There are several pieces where a line break was lost, or text stands before a frame.
pub(crate) fn read(line: &[u8]) -> Vec<Line> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.is_empty() {
        return Vec::new();
    }
    let last = line.iter().rposition(|byte| *byte == b'~');
    if let Some((at, frame)) = last.and_then(|at| Some((at, frame(&line[at + 1..])?))) {
        let mut lines = read(&line[..at]);
        lines.push(Line::Frame(frame));
        return lines;
    }
    if is_like_a_frame(line) {
        return vec![Line::Garbled];
    }
    vec![Line::Text(String::from_utf8_lossy(line).into_owned())]
}

/// A frame without its first character, if its checksum is right.
fn frame(bytes: &[u8]) -> Option<Frame> {
    let star = bytes.iter().rposition(|byte| *byte == b'*')?;
    let sum = u16::from_str_radix(std::str::from_utf8(&bytes[star + 1..]).ok()?, 16).ok()?;
    if bytes.len() - star != 5 || checksum(&bytes[..star]) != sum {
        return None;
    }
    let mut words = std::str::from_utf8(&bytes[..star]).ok()?.split(' ');
    let number = u32::from_str_radix(words.next()?, 16).ok()?;
    let kind = words.next()?.to_string();
    Some(Frame { number, kind, fields: words.map(String::from).collect() })
}

/// Whether a line begins as frames begin, or ends as they end.
fn is_like_a_frame(line: &[u8]) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let begins = line[0] == b'~' && line.get(1).is_some_and(is_digit);
    let ends = line.len() > 5 && line[line.len() - 5] == b'*' && line[line.len() - 4..].iter().all(is_digit);
    begins || ends
}

/// CRC-16/CCITT, as the board computes it.
pub(crate) fn checksum(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0xFFFF, |sum, byte| {
        (0..8).fold(
            sum ^ u16::from(*byte) << 8,
            |sum, _| {
                if sum & 0x8000 == 0 { sum << 1 } else { sum << 1 ^ 0x1021 }
            },
        )
    })
}

/// What happened on the link so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Link {
    /// The number that comes next; none before the first frame of a board that was running already.
    next: u32,
    /// Whether the board was started by somebody else, so that the first frame may be any.
    may_be_late: bool,
    is_late: bool,
    lost: Vec<u32>,
    n_garbled: u64,
    n_repeated: u64,
    n_resets: u64,
}

/// How many numbers of lost frames are named.
const N_NAMED: usize = 5;

impl Link {
    /// A link to a board that we start, or to one that may be running already.
    pub(crate) fn new(may_be_late: bool) -> Self {
        Link { may_be_late, ..Link::default() }
    }

    /// Whether a frame is to be read: not one that came before.
    pub(crate) fn accepts(&mut self, frame: &Frame) -> bool {
        if self.may_be_late && frame.number != 0 {
            self.is_late = true;
            return false;
        }
        self.may_be_late = false;
        if frame.number == 0 && self.next > 1 {
            self.n_resets += 1;
            (self.next, self.lost) = (0, Vec::new());
        }
        if frame.number < self.next {
            self.n_repeated += 1;
            return false;
        }
        // A number that is far off is a mistake of the board's, and a list of a thousand is of no more use.
        self.lost.extend((self.next..frame.number).take(1000));
        self.next = frame.number.saturating_add(1);
        true
    }

    /// A line was a frame once.
    pub(crate) const fn garbled(&mut self) {
        if !self.may_be_late {
            self.n_garbled += 1;
        }
    }

    /// Whether anything was received that can be read.
    pub(crate) const fn is_alive(&self) -> bool {
        self.next > 0
    }

    /// Whether a board is running that was not started anew, so that its first frames were missed.
    pub(crate) const fn is_late(&self) -> bool {
        self.is_late && self.may_be_late
    }

    /// Whether something that was sent is missing here.
    pub(crate) const fn is_broken(&self) -> bool {
        !self.lost.is_empty() || self.n_garbled > 0
    }

    /// What is wrong with the link, each in a sentence.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !self.lost.is_empty() {
            let named: Vec<String> = self.lost.iter().take(N_NAMED).map(u32::to_string).collect();
            let more = if self.lost.len() > N_NAMED { ", …" } else { "" };
            problems.push(format!(
                "the link lost {} (number {}{more})",
                frames(self.lost.len() as u64),
                named.join(", ")
            ));
        }
        if self.n_garbled > 0 {
            problems.push(format!(
                "the link garbled {}: the checksum is wrong, because characters were dropped, repeated or changed",
                frames(self.n_garbled)
            ));
        }
        if self.n_repeated > 0 {
            problems.push(format!("the link repeated {}, which is ignored", frames(self.n_repeated)));
        }
        if self.n_resets > 0 {
            problems.push("the board began anew in the middle of a run".to_string());
        }
        problems
    }
}

fn frames(n: u64) -> String {
    if n == 1 { "1 frame".to_string() } else { format!("{n} frames") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(body: &str) -> String {
        format!("~{body}*{:04x}", checksum(body.as_bytes()))
    }

    fn number(n: u32) -> Frame {
        Frame { number: n, kind: "tests".to_string(), fields: Vec::new() }
    }

    #[test]
    fn a_frame_has_a_number_a_kind_and_fields() {
        let read = read(line("1f argument n %22a%20%25%22 % ff").as_bytes());
        let [Line::Frame(frame)] = &read[..] else { panic!("{read:?}") };
        assert_eq!((frame.number, &*frame.kind), (0x1F, "argument"));
        assert_eq!([frame.text(0), frame.text(1), frame.text(2)], ["n", "\"a %\"", ""]);
        assert_eq!((frame.number(3), frame.number(9)), (255, 0));
    }

    #[test]
    fn a_changed_a_missing_and_a_repeated_character_are_seen() {
        let right = line("3 tests 10");
        for at in 0..right.len() {
            let mut changed = right.clone().into_bytes();
            changed[at] ^= 1;
            let (mut dropped, mut repeated) = (right.clone(), right.clone());
            dropped.remove(at);
            repeated.insert(at, char::from(right.as_bytes()[at]));
            for wrong in [changed, dropped.into_bytes(), repeated.into_bytes()] {
                let lines = read(&wrong);
                let is_whole = |line: &Line| matches!(line, Line::Frame(_));
                // Two of the first character are one too many, and the frame is whole behind it.
                assert!(!lines.iter().any(is_whole) || wrong.starts_with(b"~~"), "{lines:?}");
            }
        }
    }

    #[test]
    fn a_lost_line_break_loses_nothing() {
        let both = format!("hello{}{}\r", line("3 tests 10"), line("4 tests 11"));
        let lines = read(both.as_bytes());
        assert!(matches!(&lines[..], [Line::Text(text), Line::Frame(_), Line::Frame(_)] if text == "hello"));
        assert_eq!(read(b"2 * 3 ~ 6"), [Line::Text("2 * 3 ~ 6".to_string())]);
    }

    #[test]
    fn gaps_and_repetitions_are_counted() {
        let mut link = Link::new(false);
        let accepted = [0, 1, 1, 4, 3].map(|n| link.accepts(&number(n)));
        assert_eq!(accepted, [true, true, false, true, false]);
        link.garbled();
        assert_eq!(
            link.problems(),
            [
                "the link lost 2 frames (number 2, 3)",
                "the link garbled 1 frame: the checksum is wrong, because characters were dropped, repeated or changed",
                "the link repeated 2 frames, which is ignored",
            ]
        );
    }

    #[test]
    fn a_board_that_runs_already_is_waited_for() {
        let mut link = Link::new(true);
        link.garbled();
        assert!(!link.accepts(&number(7)) && link.is_late() && !link.is_broken());
        assert!(link.accepts(&number(0)) && link.accepts(&number(1)) && !link.is_late());
        assert!(link.accepts(&number(0)), "a reset in the middle of a run");
        assert_eq!(link.problems(), ["the board began anew in the middle of a run"]);
    }
}
