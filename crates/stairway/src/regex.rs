//! Strings that match a regular expression.
//!
//! A pattern is read once, by `regex-syntax`; the strings match it as a whole. Shrinking needs nothing from
//! here but the order of things: earlier alternatives, fewer repetitions and letters before digits before
//! signs are simpler. A repetition keeps the protocol of the engine's collections: in a span of its own a
//! length, then that many units. This file does not match strings; a test does, with the `regex` crate.

use regex_syntax::ast::{self, AssertionKind, Ast, RepetitionKind};
use regex_syntax::hir::{self, Hir, HirKind};
use stairway_engine::{Checked, Draw, Generate, Label};
use std::error::Error;
use std::fmt;
use std::ops::Range;

/// Strings that match `pattern`, whose syntax is that of the `regex` crate.
///
/// What may be repeated without bound is repeated up to 32 times more than it must be. The
/// anchors `^ $ \A \z` are welcome at the ends, where they change nothing; other assertions are
/// not supported.
///
/// ```
/// use stairway::generate::{Choices, Prng, Source, regex};
/// use stairway::Draw;
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let date: String = choices.draw(regex(r"[0-9]{4}-(0[1-9]|1[0-2])")).unwrap();
/// assert_eq!((date.len(), &date[4..5]), (7, "-"));
/// ```
///
/// # Panics
/// When the pattern is wrong or not supported; [`Regex::try_new`] gives an error instead.
#[must_use]
#[track_caller]
pub fn regex(pattern: &str) -> Regex {
    // Not `unwrap_or_else`: the panic is to be at the caller's place.
    match Regex::try_new(pattern) {
        Ok(regex) => regex,
        Err(error) => panic!("{error}"),
    }
}

/// Byte strings that match `pattern`, which may leave Unicode by `(?-u)`; see [`regex`].
///
/// ```
/// use stairway::generate::{Choices, Prng, Source, byte_regex};
/// use stairway::Draw;
/// let mut choices = Draw::from(Choices::new(Source::Random(Prng::new(1)), 100));
/// let frame: Vec<u8> = choices.draw(byte_regex(r"(?-u)\x7F[\x80-\xFF]{3}")).unwrap();
/// assert!(frame.len() == 4 && frame[1] >= 0x80);
/// ```
///
/// # Panics
/// When the pattern is wrong or not supported; [`ByteRegex::try_new`] gives an error instead.
#[must_use]
#[track_caller]
pub fn byte_regex(pattern: &str) -> ByteRegex {
    match ByteRegex::try_new(pattern) {
        Ok(regex) => regex,
        Err(error) => panic!("{error}"),
    }
}

/// See [`regex()`].
#[derive(Clone)]
pub struct Regex {
    pattern: String,
    root: Node,
}

impl Regex {
    /// Like [`regex()`], for patterns that are not known to be right.
    ///
    /// ```
    /// use stairway::generate::Regex;
    /// assert!(Regex::try_new("[a-z]+").is_ok());
    /// let error = Regex::try_new("x|[a-z").unwrap_err();
    /// assert_eq!(error.span, 2..3);
    /// assert!(error.to_string().starts_with("unclosed character class"));
    /// ```
    ///
    /// # Errors
    /// When the pattern is wrong or not supported.
    pub fn try_new(pattern: &str) -> Result<Self, RegexError> {
        Ok(Regex { pattern: pattern.to_owned(), root: read(pattern, true)? })
    }
}

impl fmt::Debug for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "regex({:?})", self.pattern)
    }
}

impl Generate for Regex {
    type Value = String;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<String> {
        let mut bytes = Vec::new();
        self.root.write(choices, &mut bytes)?;
        Ok(String::from_utf8(bytes).expect("the pattern was read in UTF-8 mode"))
    }
}

/// See [`byte_regex`].
#[derive(Clone)]
pub struct ByteRegex {
    pattern: String,
    root: Node,
}

impl ByteRegex {
    /// Like [`byte_regex`], for patterns that are not known to be right.
    ///
    /// ```
    /// assert!(stairway::generate::ByteRegex::try_new(r"(?-u)\xFF").is_ok());
    /// assert!(stairway::generate::Regex::try_new(r"(?-u)\xFF").is_err());
    /// ```
    ///
    /// # Errors
    /// When the pattern is wrong or not supported.
    pub fn try_new(pattern: &str) -> Result<Self, RegexError> {
        Ok(ByteRegex { pattern: pattern.to_owned(), root: read(pattern, false)? })
    }
}

impl fmt::Debug for ByteRegex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte_regex({:?})", self.pattern)
    }
}

impl Generate for ByteRegex {
    type Value = Vec<u8>;
    fn generate(&self, choices: &mut Draw<'_>) -> Checked<Vec<u8>> {
        let mut bytes = Vec::new();
        self.root.write(choices, &mut bytes)?;
        Ok(bytes)
    }
}

/// Why no strings can be made from a pattern, and where in it; shown the way rustc does.
///
/// ```
/// let error = stairway::generate::Regex::try_new("a$b").unwrap_err();
/// assert!(error.to_string().ends_with("1 | a$b\n  |  ^"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RegexError {
    /// What is wrong.
    pub kind: RegexErrorKind,
    /// The whole pattern.
    pub pattern: String,
    /// Which of its bytes are to blame.
    pub span: Range<usize>,
}

/// The kinds of [`RegexError`].
///
/// ```
/// use stairway::generate::{Regex, RegexErrorKind};
/// assert_eq!(Regex::try_new(r"\bword").unwrap_err().kind, RegexErrorKind::LookAround);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegexErrorKind {
    /// It is not a regular expression; the text says why.
    Syntax(String),
    /// An assertion about the neighbouring characters, like `\b`.
    LookAround,
    /// An anchor that is not at its end of the pattern.
    InnerAnchor,
    /// A character class without characters.
    EmptyClass,
    /// Even the shortest match is too long; this many bytes.
    TooLong(usize),
}

impl fmt::Display for RegexErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(why) => f.write_str(why),
            Self::LookAround => f.write_str(
                "look-around assertions are not supported; leave it out and filter with `such_that`",
            ),
            Self::InnerAnchor => f.write_str(
                "anchors are supported only at the ends of the pattern; move it there or leave it out",
            ),
            Self::EmptyClass => f.write_str("a character class without characters matches nothing"),
            Self::TooLong(n) => {
                write!(f, "the shortest match has {n} bytes; repeat less, {MOST_BYTES} are allowed")
            }
        }
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = &self.pattern[..self.span.start];
        let number = before.matches('\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = self.pattern[line_start..].lines().next().unwrap_or_default();
        let column = before[line_start..].chars().count();
        let n_marked = self.pattern[self.span.clone()].lines().next().unwrap_or_default().chars().count();
        let (margin, marks) = (" ".repeat(number.to_string().len()), "^".repeat(n_marked.max(1)));
        writeln!(f, "{}", self.kind)?;
        writeln!(f, "{margin}--> regular expression:{number}:{}", column + 1)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, "{number} | {line}")?;
        write!(f, "{margin} | {}{marks}", " ".repeat(column))
    }
}

impl Error for RegexError {}

/// How much of the limit on nested spans one pattern may take.
const MOST_NESTED: u32 = 96;
/// How long the shortest match may be.
const MOST_BYTES: usize = 1 << 16;

fn read(pattern: &str, utf8: bool) -> Result<Node, RegexError> {
    let error = |kind, span: Range<usize>| RegexError { kind, pattern: pattern.to_owned(), span };
    let syntax = |why: &dyn fmt::Display, span: &ast::Span| {
        error(RegexErrorKind::Syntax(why.to_string()), span.start.offset..span.end.offset)
    };
    let tree = ast::parse::ParserBuilder::new().nest_limit(MOST_NESTED).build().parse(pattern);
    let tree = tree.map_err(|e| syntax(e.kind(), e.span()))?;
    check_assertions(&tree, Ends { start: true, end: true })
        .map_err(|(kind, span)| error(kind, span.start.offset..span.end.offset))?;
    let hir = hir::translate::TranslatorBuilder::new().utf8(utf8).build().translate(pattern, &tree);
    let hir = hir.map_err(|e| syntax(e.kind(), e.span()))?;
    match hir.properties().minimum_len() {
        Some(n) if n > MOST_BYTES => Err(error(RegexErrorKind::TooLong(n), 0..pattern.len())),
        _ => Node::read(&hir).map_err(|kind| error(kind, 0..pattern.len())),
    }
}

/// Whether nothing comes before a part of the pattern, and nothing behind it.
#[derive(Clone, Copy)]
struct Ends {
    start: bool,
    end: bool,
}

/// Finds assertions that a string would have to be made to fit. This looks at the syntax tree
/// because only that knows positions.
fn check_assertions(tree: &Ast, ends: Ends) -> Result<(), (RegexErrorKind, ast::Span)> {
    match tree {
        Ast::Assertion(assertion) => {
            let fits = match assertion.kind {
                AssertionKind::StartLine | AssertionKind::StartText => ends.start,
                AssertionKind::EndLine | AssertionKind::EndText => ends.end,
                _ => return Err((RegexErrorKind::LookAround, assertion.span)),
            };
            if fits { Ok(()) } else { Err((RegexErrorKind::InnerAnchor, assertion.span)) }
        }
        Ast::Group(group) => check_assertions(&group.ast, ends),
        Ast::Repetition(repetition) => {
            let once = repetition.op.kind == RepetitionKind::ZeroOrOne;
            check_assertions(&repetition.ast, Ends { start: ends.start && once, end: ends.end && once })
        }
        Ast::Alternation(alternation) => alternation.asts.iter().try_for_each(|t| check_assertions(t, ends)),
        Ast::Concat(concat) => concat.asts.iter().enumerate().try_for_each(|(i, part)| {
            let start = ends.start && concat.asts[..i].iter().all(has_no_width);
            let end = ends.end && concat.asts[i + 1..].iter().all(has_no_width);
            check_assertions(part, Ends { start, end })
        }),
        _ => Ok(()),
    }
}

fn has_no_width(tree: &Ast) -> bool {
    match tree {
        Ast::Empty(_) | Ast::Flags(_) | Ast::Assertion(_) => true,
        Ast::Group(group) => has_no_width(&group.ast),
        _ => false,
    }
}

/// How many times more than necessary something without an upper bound is repeated.
const UNBOUNDED: u32 = 32;
/// How many times more than necessary anything is repeated.
const MOST_MORE: u32 = 1 << 12;

/// A part of a pattern as the generator walks it.
#[derive(Clone)]
enum Node {
    Text(Box<[u8]>),
    Class(Symbols),
    Sequence(Vec<Node>),
    Alternation(Vec<Node>),
    Repetition { min: u32, max: u32, of: Box<Node> },
}

impl Node {
    fn read(hir: &Hir) -> Result<Node, RegexErrorKind> {
        let read_all = |parts: &[Hir]| parts.iter().map(Node::read).collect::<Result<Vec<Node>, _>>();
        Ok(match hir.kind() {
            // The assertions that are left are anchors at the ends.
            HirKind::Empty | HirKind::Look(_) => Node::Text(Box::default()),
            HirKind::Literal(literal) => Node::Text(literal.0.clone()),
            HirKind::Class(class) => Node::Class(Symbols::read(class)?),
            HirKind::Capture(capture) => Node::read(&capture.sub)?,
            HirKind::Concat(parts) => Node::Sequence(read_all(parts)?),
            HirKind::Alternation(branches) => Node::Alternation(read_all(branches)?),
            HirKind::Repetition(repetition) => {
                let min = repetition.min;
                let max = repetition.max.unwrap_or(min.saturating_add(UNBOUNDED));
                let max = max.min(min.saturating_add(MOST_MORE));
                Node::Repetition { min, max, of: Box::new(Node::read(&repetition.sub)?) }
            }
        })
    }

    /// Makes a match of this part, in a span that the caller has opened.
    fn write(&self, choices: &mut Draw<'_>, out: &mut Vec<u8>) -> Checked {
        match self {
            Node::Text(text) => out.extend_from_slice(text),
            Node::Class(symbols) => symbols.write(choices, out),
            Node::Sequence(parts) => {
                for part in parts {
                    part.write_part(choices, out)?;
                }
            }
            Node::Alternation(branches) => {
                let taken = choices.alternative(branches.len() as u64);
                branches[taken as usize].write_part(choices, out)?;
            }
            Node::Repetition { min, max, of } if min == max => {
                for _ in 0..*min {
                    of.write_part(choices, out)?;
                }
            }
            Node::Repetition { min, max, of } => {
                let n = choices.length((*min).into(), (*max).into());
                for _ in 0..n {
                    of.write_unit(choices, out)?;
                }
            }
        }
        choices.still_running()
    }

    /// Text takes no choice, so it needs no unit, except as one of a number of elements.
    fn write_part(&self, choices: &mut Draw<'_>, out: &mut Vec<u8>) -> Checked {
        match self {
            Node::Text(_) => self.write(choices, out),
            _ => self.write_unit(choices, out),
        }
    }

    /// One choice or one span, as [`Draw::draw`] would do for a value.
    fn write_unit(&self, choices: &mut Draw<'_>, out: &mut Vec<u8>) -> Checked {
        let label = match self {
            Node::Class(_) => return self.write(choices, out),
            Node::Text(_) => "text",
            Node::Sequence(_) => "sequence",
            Node::Alternation(_) => "alternation",
            Node::Repetition { .. } => "repetition",
        };
        choices.choices().open(Label::Value(label));
        choices.still_running()?;
        let written = self.write(choices, out);
        choices.choices().close();
        written
    }
}

/// The characters or bytes of a class, the simplest first.
#[derive(Clone)]
struct Symbols {
    /// Codes, first and last included.
    ranges: Vec<(u32, u32)>,
    n: u32,
    unicode: bool,
}

/// From the simplest character to the least simple one, in the order of the engine's `any::<char>()`.
const SIMPLEST_FIRST: [(u32, u32); 10] = [
    ('a' as u32, 'z' as u32),
    ('A' as u32, 'Z' as u32),
    ('0' as u32, '9' as u32),
    (' ' as u32, '/' as u32),
    (':' as u32, '@' as u32),
    ('[' as u32, '`' as u32),
    ('{' as u32, '~' as u32),
    (0, 0x1F),
    (0x7F, BEFORE_SURROGATES),
    (BEFORE_SURROGATES + N_SURROGATES + 1, char::MAX as u32),
];
const BEFORE_SURROGATES: u32 = 0xD7FF;
const N_SURROGATES: u32 = 0x800;
/// How many characters there are.
const ALL: u32 = char::MAX as u32 + 1 - N_SURROGATES;

impl Symbols {
    fn read(class: &hir::Class) -> Result<Symbols, RegexErrorKind> {
        let (by_code, unicode): (Vec<(u32, u32)>, bool) = match class {
            hir::Class::Unicode(class) => {
                (class.iter().map(|r| (r.start().into(), r.end().into())).collect(), true)
            }
            hir::Class::Bytes(class) => {
                (class.iter().map(|r| (r.start().into(), r.end().into())).collect(), false)
            }
        };
        let within = |(lo, hi): (u32, u32)| by_code.iter().map(move |r| (r.0.max(lo), r.1.min(hi)));
        let ranges: Vec<(u32, u32)> =
            SIMPLEST_FIRST.into_iter().flat_map(within).filter(|(lo, hi)| lo <= hi).collect();
        let n = ranges.iter().map(|(lo, hi)| hi - lo + 1).sum();
        if n == 0 { Err(RegexErrorKind::EmptyClass) } else { Ok(Symbols { ranges, n, unicode }) }
    }

    /// Draws one of them by one choice.
    ///
    /// The choice is the character itself where the stream knows the order: in one range, and
    /// among all characters. Otherwise it is the position in the order, drawn like a character
    /// still, because then it is mostly a low one and shrinks by bisection.
    fn write(&self, choices: &mut Draw<'_>, out: &mut Vec<u8>) {
        let code = match self.ranges[..] {
            [(lo, hi)] => choices.character(lo, hi).into(),
            _ if self.n == ALL => choices.character(0, char::MAX.into()).into(),
            _ => self.at(rank(choices.character(0, code_of_rank(self.n - 1)))),
        };
        if self.unicode {
            let c = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        } else {
            out.push(code as u8);
        }
    }

    /// The code at `position` of the order.
    fn at(&self, position: u32) -> u32 {
        let mut rest = position;
        for (lo, hi) in &self.ranges {
            let n = hi - lo + 1;
            if rest < n {
                return lo + rest;
            }
            rest -= n;
        }
        self.ranges[0].0
    }
}

/// How many characters have a smaller code.
fn rank(c: char) -> u32 {
    let code = u32::from(c);
    if code > BEFORE_SURROGATES { code - N_SURROGATES } else { code }
}

/// The code of the character with this rank.
fn code_of_rank(rank: u32) -> u32 {
    if rank > BEFORE_SURROGATES { rank + N_SURROGATES } else { rank }
}
