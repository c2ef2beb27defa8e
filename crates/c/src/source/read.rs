//! From files and flags to [`Sources`]: calls every stage in order.
//!
//! It translates what the stages found in expanded text to the user's files, and merges what several
//! files share through their headers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::clean;
use super::declarations;
use super::lex::{self, Kind, Token};
use super::origin::Origins;
use super::place::{self, Draft, FoundComment};
use super::preprocess::{self, ExpandedFile};
use super::rewrite::{self, Edit, Insertion};
use super::structure::{self, FunctionShape, LocalShape, Patience, Structure, TooComplex};
use super::translate::{Translation, visible};
use super::{
    Constants, FileId, FunctionId, FunctionSource, Local, NotC, Options, Probe, Problem, ProblemKind,
    SourceError, Sources, SpecComment, SpecItem, Unit,
};

/// Reads the user's files and the headers they include.
///
/// ```
/// # let folder = std::env::temp_dir();
/// # let path = folder.join("stairway_doc_double.c");
/// std::fs::write(&path, "int twice(int x) /*@ requires x < 100i32; @*/ { return 2 * x; }")?;
/// let sources = stairway_c::source::read(&stairway_c::source::Options::new(vec![path]))?;
/// assert_eq!(sources.functions[0].name, "twice");
/// assert_eq!(sources.text(&sources.items[0].pieces[0]), " requires x < 100i32; ");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a file cannot be read or is empty, when there is no compiler, or when it does not accept a file.
/// Specs that belong to nothing are no errors but [`Sources::problems`].
pub fn read(options: &Options) -> Result<Sources, SourceError> {
    if options.files.is_empty() {
        return Err(SourceError::NoFiles);
    }
    let mut reader = Reader::default();
    for file in &options.files {
        reader.read_unit(options, file)?;
    }
    reader.sources.files = reader.origins.files;
    Ok(reader.sources)
}

/// Stands for every header of the system.
const SYSTEM: FileId = FileId(u32::MAX);

#[derive(Default)]
struct Reader {
    origins: Origins,
    sources: Sources,
    functions: BTreeMap<(FileId, u32, String), FunctionId>,
    /// Items by the place of their first piece.
    items: BTreeMap<(FileId, usize), Vec<usize>>,
}

impl Reader {
    fn read_unit(&mut self, options: &Options, file: &Path) -> Result<(), SourceError> {
        let path = PathBuf::from(preprocess::argument(file));
        if file.is_dir() {
            return Err(SourceError::NotC { file: file.to_path_buf(), what: NotC::Folder });
        }
        if file == Path::new("-") || std::fs::metadata(file).is_ok_and(|file| !file.is_file()) {
            return Err(SourceError::NotC { file: file.to_path_buf(), what: NotC::Stream });
        }
        let bytes = std::fs::read(file)
            .map_err(|error| SourceError::Unreadable { file: file.to_path_buf(), error })?;
        if let Some(what) = not_c(file, &bytes) {
            return Err(SourceError::NotC { file: file.to_path_buf(), what });
        }
        if bytes.trim_ascii().is_empty() {
            return Err(SourceError::Empty { file: file.to_path_buf() });
        }
        let expanded = preprocess::expand(options, &path)?;
        self.add_unit(&path, expanded, || preprocess::check(options, &path))
    }

    /// Adds an expanded file; `check` tells whether the compiler accepts it.
    fn add_unit(
        &mut self,
        path: &Path,
        expanded: ExpandedFile,
        check: impl FnOnce() -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        let file_id = self.origins.file(path);
        let files: Vec<FileId> = self.open_files(&expanded);
        let found = self.find_specs(&expanded, &files);
        let places: Vec<usize> = found.iter().map(|spec| expanded.tokens[spec.token].start).collect();
        let plain = clean::clean(&expanded, &places);
        let mut structure =
            match structure::structure(&plain, &expanded.text, &places, Patience::WithoutErrors) {
                Ok(structure) => structure,
                Err(TooComplex) => {
                    check()?;
                    structure::structure(&plain, &expanded.text, &places, Patience::WithErrors)
                        .map_err(|TooComplex| SourceError::TooComplex { file: path.to_path_buf() })?
                }
            };
        let placed = place::place(&expanded, &mut structure, &found);
        let unit = Translation { expanded: &expanded, files: &files };
        let functions = self.add_functions(&unit, &structure);
        self.add_constants(&unit, &structure);
        for (comment, kind) in placed.problems {
            self.add_problem(comment, kind);
        }
        let number = self.sources.units.len();
        let mut insertions = Vec::new();
        for draft in &placed.drafts {
            insertions.extend(self.add_item(&unit, &structure, &functions, draft, number));
        }
        let rewritten =
            |watched: &[Edit]| rewrite::rewrite(&expanded.text, &expanded.tokens, &insertions, watched);
        let watched = (!structure.watched.is_empty()).then(|| rewritten(&structure.watched));
        let (text, has_probes) = (rewritten(&[]), !insertions.is_empty());
        let looked_into = placed.drafts.iter().filter_map(|draft| Some(draft.site.as_ref()?.0)).collect();
        let declarations = declarations::declarations(&expanded, &structure.functions, &looked_into);
        let files = files.into_iter().filter(|file| *file != SYSTEM).collect();
        let expanded = expanded.text;
        self.sources.units.push(Unit {
            file: file_id,
            text,
            has_probes,
            watched,
            expanded,
            declarations,
            files,
        });
        Ok(())
    }

    /// The user's files of a unit. Those of the system are known by name only.
    fn open_files(&mut self, expanded: &ExpandedFile) -> Vec<FileId> {
        let lines = &expanded.lines;
        let open = |(path, is_system): (&PathBuf, &bool)| {
            if *is_system { SYSTEM } else { self.origins.file(path) }
        };
        lines.files.iter().zip(&lines.are_system).map(open).collect()
    }

    fn find_specs(&mut self, expanded: &ExpandedFile, files: &[FileId]) -> Vec<FoundComment> {
        let mut found = Vec::new();
        let mut n_same: BTreeMap<(FileId, u32, &[u8]), usize> = BTreeMap::new();
        for (number, token) in expanded.tokens.iter().enumerate() {
            if !token.is_comment() || !lex::may_be_spec(token.text(&expanded.text)) {
                continue;
            }
            let line = expanded.lines.at(token.start);
            let (Some(file), false) = (line.file.map(|file| files[file]), line.is_system) else { continue };
            let text = token.text(&expanded.text);
            let Some(inside) = lex::spec_inside(&expanded.text, *token) else {
                self.check_ordinary_comment(file, line.number, text);
                continue;
            };
            let nth = n_same.entry((file, line.number, text)).or_default();
            let raw = self.origins.spec(file, line.number, text, *nth);
            *nth += 1;
            let Some(raw) = raw.or_else(|| self.origins.spec_anywhere(text)) else {
                let nowhere = SpecComment { file, span: 0..0, comment: 0..0, line: line.number };
                self.add_problem(nowhere, ProblemKind::NoSource);
                continue;
            };
            if std::str::from_utf8(text).is_err() {
                self.add_problem(raw, ProblemKind::NotUtf8);
            } else {
                found.push(FoundComment { token: number, inside, raw });
            }
        }
        found
    }

    /// `//@ requires …` and `/* @ requires … */` are no specs, but look like some.
    fn check_ordinary_comment(&mut self, file: FileId, line: u32, text: &[u8]) {
        let Some(begin) = text.iter().position(|byte| *byte == b'@') else { return };
        if !place::is_spec_word(lex::first_word(&text[begin + 1..])) {
            return;
        }
        let kind = if text.starts_with(b"//@") { ProblemKind::LineComment } else { ProblemKind::DetachedAt };
        if kind == ProblemKind::DetachedAt && begin == 2 {
            return;
        }
        let start = self.origins.token(file, line, &text[..=begin], 0).map_or(0, |at| at.start);
        let end = self.origins.get(file).line_span(line).map_or(start, |line| line.end.max(start));
        let comment =
            SpecComment { file, span: (start + begin + 1).min(end)..end, comment: start..end, line };
        self.add_problem(comment, kind);
    }

    /// Problems of headers are met once for each file that includes them.
    fn add_problem(&mut self, comment: SpecComment, kind: ProblemKind) {
        let problem = Problem { comment, kind };
        if !self.sources.problems.contains(&problem) {
            self.sources.problems.push(problem);
        }
    }

    fn add_functions(&mut self, unit: &Translation<'_>, structure: &Structure) -> Vec<Option<FunctionId>> {
        structure.functions.iter().map(|shape| self.add_function(unit, shape)).collect()
    }

    fn add_function(&mut self, unit: &Translation<'_>, shape: &FunctionShape) -> Option<FunctionId> {
        let (file, line) = unit.line(shape.name.start)?;
        let name = unit.name(&shape.name);
        let key = (file, line, name.clone());
        if let Some(known) = self.functions.get(&key) {
            return Some(*known);
        }
        let id = FunctionId(u32::try_from(self.sources.functions.len()).ok()?);
        let mut constants = Constants::default();
        let tokens = unit.own_tokens(&shape.body);
        constants.add(&unit.expanded.text, &tokens);
        self.sources.functions.push(FunctionSource {
            name,
            file,
            line,
            header: self.raw_span(unit, file, &shape.header),
            body: self.raw_span(unit, file, &shape.body),
            constants,
            calls: calls(&unit.expanded.text, &tokens),
            indexed: indexed(&unit.expanded.text, &tokens),
            calls_pointers: unit.calls_pointers(shape, &tokens),
            extents: shape.extents.iter().map(|size| unit.number(size.as_ref()?)).collect(),
        });
        self.functions.insert(key, id);
        Some(id)
    }

    /// The span of the user's file that a range of expanded text comes from.
    fn raw_span(&self, unit: &Translation<'_>, file: FileId, range: &Range<usize>) -> Range<usize> {
        let end_of = |offset: usize| -> Option<(Option<Range<usize>>, Range<usize>)> {
            let (_, line) = unit.line(offset).filter(|(in_file, _)| *in_file == file)?;
            let (token, nth) = unit.token_at(offset)?;
            let span = self.origins.get(file).line_span(line)?;
            Some((self.origins.token(file, line, lex::spelled(token).as_bytes(), nth), span))
        };
        let first = end_of(range.start);
        let last = end_of(range.end.saturating_sub(1));
        let (Some((first, first_line)), Some((last, last_line))) = (first, last) else { return 0..0 };
        let start = first.map_or(first_line.start, |token| token.start);
        let end = last.map_or(last_line.end, |token| token.end);
        if start < end { start..end } else { first_line.start..last_line.end.max(first_line.end) }
    }

    fn add_constants(&mut self, unit: &Translation<'_>, structure: &Structure) {
        let mut from = 0;
        let mut bodies: Vec<&Range<usize>> = structure.functions.iter().map(|shape| &shape.body).collect();
        bodies.sort_by_key(|body| body.start);
        for body in bodies {
            if body.start >= from {
                self.sources.constants.add(&unit.expanded.text, &unit.own_tokens(&(from..body.start)));
            }
            from = from.max(body.end);
        }
        self.sources.constants.add(&unit.expanded.text, &unit.own_tokens(&(from..unit.expanded.text.len())));
    }

    /// Adds an item, and says what to insert for it.
    fn add_item(
        &mut self,
        unit: &Translation<'_>,
        structure: &Structure,
        functions: &[Option<FunctionId>],
        draft: &Draft,
        number: usize,
    ) -> Option<Insertion> {
        let Some(place) = unit.place(&draft.place, functions) else {
            for piece in &draft.pieces {
                self.add_problem(piece.clone(), ProblemKind::NoSource);
            }
            return None;
        };
        let in_scope =
            draft.site.as_ref().map(|(function, at, _)| visible(unit, &structure.functions[*function], *at));
        let in_scope = in_scope.unwrap_or_default();
        let locals = in_scope.iter().filter_map(|local| unit.local(local)).collect();
        let item = self.merge(SpecItem { place, pieces: draft.pieces.clone(), locals });
        let (_, _, site) = draft.site.as_ref().filter(|_| draft.is_checked())?;
        let wanted: BTreeSet<&[u8]> = draft.names.iter().map(Vec::as_slice).collect();
        let named: Vec<&LocalShape> = in_scope
            .into_iter()
            .filter(|local| wanted.contains(unit.name(&local.name).as_bytes()))
            .filter(|local| unit.has_address(local))
            .collect();
        let locals: Vec<Local> = named.iter().filter_map(|local| unit.local(local)).collect();
        let probe = u32::try_from(self.sources.probes.len()).ok()?;
        let names = named.iter().map(|local| unit.text(&local.name)).collect();
        self.sources.probes.push(Probe { number: probe, item, unit: number, locals });
        let registers = named.iter().flat_map(|local| unit.words(&local.declaration, b"register")).collect();
        Some(Insertion { number: probe, site: site.clone(), locals: names, registers })
    }

    /// The item's number; one that is already there stays one.
    fn merge(&mut self, item: SpecItem) -> usize {
        let first = &item.pieces[0];
        let candidates = self.items.entry((first.file, first.span.start)).or_default();
        if let Some(known) = candidates.iter().find(|known| self.sources.items[**known] == item) {
            return *known;
        }
        candidates.push(self.sources.items.len());
        self.sources.items.push(item);
        self.sources.items.len() - 1
    }
}

/// What a file is, if its name or its bytes say that it is not C.
fn not_c(file: &Path, bytes: &[u8]) -> Option<NotC> {
    if bytes.contains(&0) {
        return Some(NotC::Binary);
    }
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("c" | "i") => None,
        Some("h") => Some(NotC::Header),
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "hpp" | "hh" | "hxx" | "ii") => Some(NotC::CPlusPlus),
        _ => Some(NotC::Other),
    }
}

/// Words with a parenthesis behind them.
fn calls(text: &[u8], tokens: &[Token]) -> BTreeSet<String> {
    let code: Vec<&Token> = tokens.iter().filter(|token| !token.is_comment()).collect();
    let pairs = code.windows(2).filter(|pair| pair[0].kind == Kind::Word && pair[1].is(text, b'('));
    pairs.map(|pair| String::from_utf8_lossy(pair[0].text(text)).into_owned()).collect()
}

/// The words that a piece of C uses as arrays: `p[i]`, `p++`, `p + i`, `sizeof *p`. Members do not count.
fn indexed(text: &[u8], tokens: &[Token]) -> BTreeSet<String> {
    let code: Vec<&Token> = tokens.iter().filter(|token| !token.is_comment()).collect();
    let is = |k: Option<usize>, byte: u8| k.and_then(|k| code.get(k)).is_some_and(|t| t.is(text, byte));
    let is_sizeof = |k: Option<usize>| k.is_some_and(|k| code[k].text(text) == b"sizeof");
    let mut found = BTreeSet::new();
    for (k, token) in code.iter().enumerate().filter(|(_, token)| token.kind == Kind::Word) {
        let (before, twice_before) = (k.checked_sub(1), k.checked_sub(2));
        let is_member = is(before, b'.') || (is(before, b'>') && is(twice_before, b'-'));
        let is_array = is(Some(k + 1), b'[')
            || is(Some(k + 1), b'+')
            || (is(before, b'+') && is(twice_before, b'+'))
            || (is(before, b'*') && is_sizeof(twice_before))
            || (is(before, b'*') && is(twice_before, b'(') && is_sizeof(k.checked_sub(3)));
        if is_array && !is_member {
            found.insert(String::from_utf8_lossy(token.text(text)).into_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::lex::Token;
    use super::super::origin::squeeze;
    use super::*;

    const SEED: &str = "# 1 \"a.c\"\n/*@ predicate P() { return; } @*/ #pragma x\nint g(int a); /*@ requires a; @*/\n\
        static int f(int x, register char *p) /*@ requires x < 3i32; @*/ { int n = 0x1fu; /*@ assert(n == x); @*/\n\
        for (int i = 0; i < 'a'; i++) /*@ inv i; n; @*/ { n += i; } do /*@ inv n; @*/ n--; while (n > 3);\n\
        if (x) /*@ assert(x); @*/ g(x /*@ 1 @*/); else { while (1) { /*@ inv x; @*/ break; } }\n\
        # 9 \"h.h\" 1 3\nint s;\n# 7 \"a.c\" 2\nswitch (x) { case 1: /*@ assert(x); @*/ ; } return \"s\\\\\"\"[0]; }\n";

    /// Damaged text is read to the end, and no spec is lost on the way.
    #[test]
    fn damaged_text_loses_no_spec() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % below
        };
        for _ in 0..400 {
            let mut text = SEED.as_bytes().to_vec();
            for _ in 0..=next(6) {
                let at = next(text.len());
                match next(3) {
                    0 => drop(text.drain(at..(at + 1 + next(9)).min(text.len()))),
                    1 => text[at] = b"{}()[];/*@\"'\\#\n x\xff"[next(18)],
                    _ => {
                        let piece = text[at..(at + 1 + next(40)).min(text.len())].to_vec();
                        let to = next(text.len());
                        text.splice(to..to, piece);
                    }
                }
            }
            let expanded = ExpandedFile::new(text.clone());
            let lines = &expanded.lines;
            let is_spec = |token: &&Token| {
                let line = lines.at(token.start);
                lex::spec_inside(&text, **token).is_some() && line.file.is_some() && !line.is_system
            };
            let wanted: Vec<&Token> = expanded.tokens.iter().filter(is_spec).collect();
            let mut reader = Reader::default();
            for path in &lines.files {
                // Whatever the markers say: the specs are in that file.
                reader.origins.add(path, &text);
            }
            reader.add_unit(Path::new("a.c"), ExpandedFile::new(text.clone()), || Ok(())).expect("short");
            let sources = reader.sources;
            let in_items = sources.items.iter().flat_map(|item| &item.pieces);
            let all: Vec<&SpecComment> =
                in_items.chain(sources.problems.iter().map(|problem| &problem.comment)).collect();
            for token in wanted {
                let spelling = token.text(&text);
                // Found by its spelling, or reported by its line (in a file, directives are read otherwise).
                let line = lines.at(token.start).number;
                let is_known = all.iter().any(|comment| {
                    squeeze(&text[comment.comment.clone()]) == squeeze(spelling)
                        || (comment.comment.is_empty() && comment.line == line)
                });
                assert!(
                    is_known,
                    "{} in {}",
                    String::from_utf8_lossy(spelling),
                    String::from_utf8_lossy(&text)
                );
            }
        }
    }
}
