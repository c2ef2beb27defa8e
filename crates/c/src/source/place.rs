//! Which function, loop or statement each spec comment belongs to.
//!
//! Finds items and problems in an expanded file with its structure. It reads the first word of a spec and no
//! more.

use std::collections::BTreeMap;
use std::ops::Range;

use super::lex::{self, Kind, Token};
use super::preprocess::ExpandedFile;
use super::rewrite::Site;
use super::structure::{Condition, FirstStatement, FunctionShape, LoopShape, Spot, Structure};
use super::{ProblemKind, SpecComment};

/// A spec comment of an expanded file.
#[derive(Debug)]
pub(super) struct FoundComment {
    /// Its token's number.
    pub(super) token: usize,
    /// Its inside in the expanded text.
    pub(super) inside: Range<usize>,
    /// Where it is in the user's file.
    pub(super) raw: SpecComment,
}

/// An item before it is translated to the user's files.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) place: DraftPlace,
    pub(super) pieces: Vec<SpecComment>,
    /// The names its text mentions.
    pub(super) names: Vec<Vec<u8>>,
    pub(super) first_word: Vec<u8>,
    /// Where it looks at variables: the function, a place in it, and what to insert there.
    pub(super) site: Option<(usize, usize, Site)>,
}

/// Where an item belongs, in terms of the expanded file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DraftPlace {
    /// One for each comment.
    TopLevel(usize),
    Contract(usize),
    Prototype(Range2),
    Loop {
        function: usize,
        start: usize,
    },
    Statement {
        function: usize,
        at: usize,
    },
    Ghost {
        function: usize,
        callee: Range2,
        open: usize,
    },
}

/// A range that can be ordered.
pub(super) type Range2 = (usize, usize);

/// What became of the comments.
#[derive(Debug, Default)]
pub(super) struct PlacedComments {
    pub(super) drafts: Vec<Draft>,
    pub(super) problems: Vec<(SpecComment, ProblemKind)>,
}

/// Places every comment.
pub(super) fn place(
    expanded: &ExpandedFile,
    structure: &mut Structure,
    found: &[FoundComment],
) -> PlacedComments {
    let spots = std::mem::take(&mut structure.spots);
    let mut placed = PlacedComments::default();
    let mut known: BTreeMap<DraftPlace, usize> = BTreeMap::new();
    let mut previous: Option<(usize, usize)> = None;
    for (comment, spot) in found.iter().zip(spots) {
        let word = lex::first_word(&expanded.text[comment.inside.clone()]);
        let token = expanded.tokens[comment.token];
        let continues = previous
            .filter(|_| is_contract_word(word))
            .filter(|(_, token)| is_gap(expanded, *token, comment.token))
            .map(|(draft, _)| draft)
            .filter(|draft| matches!(placed.drafts[*draft].first_word.as_slice(), b"spec" | b"lemma"));
        if let Some(draft) = continues {
            placed.drafts[draft].add(expanded, comment);
            previous = Some((draft, comment.token));
            continue;
        }
        let decision = Placement { expanded, structure, comment, word }.decide(spot, token);
        let (place, site) = match decision {
            Ok(decision) => decision,
            Err(problem) => {
                placed.problems.push((comment.raw.clone(), problem));
                continue;
            }
        };
        let draft = *known.entry(place.clone()).or_insert_with(|| {
            let first_word = word.to_vec();
            placed.drafts.push(Draft { place, pieces: Vec::new(), names: Vec::new(), first_word, site });
            placed.drafts.len() - 1
        });
        placed.drafts[draft].add(expanded, comment);
        previous = Some((draft, comment.token));
    }
    placed
}

impl Draft {
    fn add(&mut self, expanded: &ExpandedFile, comment: &FoundComment) {
        self.pieces.push(comment.raw.clone());
        let inside = &expanded.text[comment.inside.clone()];
        self.names.extend(lex::names(inside).into_iter().map(<[u8]>::to_vec));
    }

    /// Whether there is something to check when the program comes by: not for hints to a prover.
    pub(super) fn is_checked(&self) -> bool {
        let is_loop = matches!(self.place, DraftPlace::Loop { .. });
        is_loop || self.names.iter().any(|name| matches!(name.as_slice(), b"assert" | b"apply"))
    }
}

/// Whether only comments and directives stand between two tokens.
fn is_gap(expanded: &ExpandedFile, from: usize, to: usize) -> bool {
    expanded.tokens[from + 1..to].iter().all(|token| token.is_comment() || token.kind == Kind::Directive)
}

fn is_contract_word(word: &[u8]) -> bool {
    matches!(word, b"requires" | b"ensures" | b"accesses" | b"trusted" | b"cn_function")
}

fn is_definition_word(word: &[u8]) -> bool {
    matches!(word, b"predicate" | b"function" | b"datatype" | b"type_synonym" | b"lemma" | b"spec")
}

fn is_statement_word(word: &[u8]) -> bool {
    let proof = matches!(
        word,
        b"unfold" | b"split_case" | b"focus" | b"extract" | b"instantiate" | b"pack" | b"unpack" | b"inline"
    );
    proof
        || matches!(
            word,
            b"assert"
                | b"apply"
                | b"to_bytes"
                | b"from_bytes"
                | b"cn_have"
                | b"have"
                | b"cn_print"
                | b"print"
        )
}

/// Whether a `//@` line was meant as a spec.
pub(super) fn is_spec_word(word: &[u8]) -> bool {
    is_contract_word(word) || is_definition_word(word) || is_statement_word(word) || word == b"inv"
}

type Decision = Result<(DraftPlace, Option<(usize, usize, Site)>), ProblemKind>;

/// One comment and what is known of it.
struct Placement<'a> {
    expanded: &'a ExpandedFile,
    structure: &'a mut Structure,
    comment: &'a FoundComment,
    word: &'a [u8],
}

impl Placement<'_> {
    fn decide(mut self, spot: Spot, token: Token) -> Decision {
        let is_contract = is_contract_word(self.word);
        let is_inv = self.word == b"inv";
        match spot {
            Spot::Header { function } => Ok((DraftPlace::Contract(function), None)),
            Spot::Prototype { name } => Ok((DraftPlace::Prototype((name.start, name.end)), None)),
            Spot::TopLevel { prototype: Some(name) } if is_contract => {
                Ok((DraftPlace::Prototype((name.start, name.end)), None))
            }
            Spot::TopLevel { .. } | Spot::Broken if is_contract => self.contract_by_tokens(),
            Spot::Elsewhere if is_contract && !self.is_in_function(token) => self.contract_by_tokens(),
            Spot::TopLevel { .. } if is_inv => Err(ProblemKind::NoLoop),
            Spot::TopLevel { .. } if is_statement_word(self.word) => Err(ProblemKind::NoStatement),
            Spot::TopLevel { .. } => Ok((DraftPlace::TopLevel(self.comment.token), None)),
            Spot::Broken if is_definition_word(self.word) => {
                Ok((DraftPlace::TopLevel(self.comment.token), None))
            }
            Spot::Broken => Err(ProblemKind::Unparsed),
            Spot::Block { function, first: Some(FirstStatement::Function), .. } if is_contract => {
                Ok((DraftPlace::Contract(function), None))
            }
            Spot::Block { function, first: Some(FirstStatement::Loop(of)), .. } if is_inv => {
                self.invariant(function, of)
            }
            Spot::LoopHeader { function, of, .. } if !is_statement_word(self.word) => {
                self.invariant(function, of)
            }
            Spot::LoopEnd { function, of } if is_inv => self.invariant(function, of),
            _ if is_inv => Err(ProblemKind::NoLoop),
            _ if is_contract => Err(ProblemKind::NoFunction),
            Spot::Block { function, after, .. } => {
                let place = DraftPlace::Statement { function, at: after };
                Ok((place, Some((function, token.start, Site::Between(token.start)))))
            }
            Spot::Governed { function, statement } | Spot::LoopHeader { function, statement, .. } => {
                let place = DraftPlace::Statement { function, at: statement.start };
                Ok((place, Some((function, token.start, Site::Before(token.start, statement)))))
            }
            Spot::Arguments { function, callee, open } => {
                Ok((DraftPlace::Ghost { function, callee: (callee.start, callee.end), open }, None))
            }
            Spot::LoopEnd { .. } | Spot::Elsewhere => Err(ProblemKind::Misplaced),
        }
    }

    fn is_in_function(&self, token: Token) -> bool {
        self.structure.functions.iter().any(|function| function.body.contains(&token.start))
    }

    fn invariant(&self, function: usize, of: usize) -> Decision {
        let LoopShape { start, condition } = &self.structure.loops[of];
        let (at, site) = match condition {
            Condition::Expression(range) => (range.start, Site::Condition(range.clone())),
            Condition::Missing(at) => (*at, Site::NoCondition(*at)),
            Condition::Unknown => return Err(ProblemKind::Unparsed),
        };
        Ok((DraftPlace::Loop { function, start: *start }, Some((function, at, site))))
    }

    /// Finds the function of a contract by looking at the tokens around it, where the parser failed:
    /// `name ( … ) /*@ … @*/ {` or `name ( … ) ; /*@ … @*/`.
    fn contract_by_tokens(&mut self) -> Decision {
        let text = &self.expanded.text;
        let tokens = &self.expanded.tokens;
        let is_code = |k: &usize| !tokens[*k].is_comment() && tokens[*k].kind != Kind::Directive;
        let next = (self.comment.token + 1..tokens.len()).find(is_code);
        let mut before = (0..self.comment.token).rev().filter(is_code);
        let previous = before.next().ok_or(ProblemKind::NoFunction)?;
        let is_prototype = tokens[previous].is(text, b';');
        let close = if is_prototype { before.next() } else { Some(previous) };
        let close = close.filter(|k| tokens[*k].is(text, b')')).ok_or(ProblemKind::NoFunction)?;
        let name = name_before(text, tokens, close).ok_or(ProblemKind::NoFunction)?;
        if is_prototype {
            return Ok((DraftPlace::Prototype((name.start, name.end)), None));
        }
        let open = next.filter(|k| tokens[*k].is(text, b'{')).ok_or(ProblemKind::NoFunction)?;
        if let Some(known) =
            self.structure.functions.iter().position(|function| function.name.start == name.start)
        {
            return Ok((DraftPlace::Contract(known), None));
        }
        let body = tokens[open].start..block_end(text, &tokens[open..]);
        let header = name.start..tokens[close].end;
        let shape =
            FunctionShape { name: name.range(), header, body, locals: Vec::new(), extents: Vec::new() };
        self.structure.functions.push(shape);
        Ok((DraftPlace::Contract(self.structure.functions.len() - 1), None))
    }
}

/// The word before the parentheses that end at a token, attributes skipped.
fn name_before(text: &[u8], tokens: &[Token], close: usize) -> Option<Token> {
    let mut depth = 0_usize;
    let mut is_outside = false;
    for token in tokens[..=close].iter().rev() {
        if token.is_comment() || token.kind == Kind::Directive {
            continue;
        }
        if token.is(text, b')') {
            depth += 1;
            is_outside = false;
        } else if token.is(text, b'(') {
            depth = depth.checked_sub(1)?;
            is_outside = depth == 0;
        } else if is_outside {
            if token.kind == Kind::Word && !token.text(text).starts_with(b"__a") {
                return Some(*token);
            }
            if token.kind != Kind::Word {
                return None;
            }
            is_outside = false;
        } else if depth == 0 {
            return None;
        }
    }
    None
}

fn block_end(text: &[u8], tokens: &[Token]) -> usize {
    let mut depth = 0_usize;
    for token in tokens {
        if token.is(text, b'{') {
            depth += 1;
        } else if token.is(text, b'}') {
            depth -= 1;
            if depth == 0 {
                return token.end;
            }
        }
    }
    text.len()
}
