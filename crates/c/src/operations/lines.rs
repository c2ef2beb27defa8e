//! Records which lines of the user's functions were reached.
//!
//! Combines the machine's notes about basic blocks with the line table. Lines of which coverage does not tell
//! whether they ran (`flow.rs`) are not counted. Cases run in workers and the parent counts lines, so lines that are
//! reached for the first time cross over as facts of their case.

use crate::dwarf::CFunction;
use crate::facts::HuntFact;
use crate::flow::{self, HOOK_SIZE, ObjectCode};
use crate::machine::{Machine, Pc};
use crate::project::Project;
use crate::source::FunctionSource;
use stairway::Case;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Basic blocks that were not reached yet.
#[derive(Debug)]
pub(super) struct Lines {
    open: RefCell<Vec<Block>>,
}

#[derive(Debug)]
struct Block {
    point: Pc,
    function: &'static str,
    lines: BTreeSet<u32>,
}

/// The functions of the user's files that have code, with their first and last line.
fn functions(project: &Project) -> impl Iterator<Item = (&CFunction, u64, std::ops::RangeInclusive<u32>)> {
    project.sources.functions.iter().filter_map(|source| {
        let file = project.sources.file(source.file);
        let function = project.program.find(&source.name, &file.path, source.line)?;
        let last = file.line_of(source.body.end.saturating_sub(1));
        Some((function, function.address?, source.line..=last))
    })
}

/// What coverage tells about the lines of a function: for each of its points, the lines that have run if that was
/// reached.
#[derive(Debug)]
struct CoveredFunction<'p> {
    name: &'p str,
    by_point: BTreeMap<u64, BTreeSet<u32>>,
}

impl CoveredFunction<'_> {
    fn lines(&self) -> BTreeSet<u32> {
        self.by_point.values().flatten().copied().collect()
    }
}

/// The blocks of a line.
#[derive(Debug, Default)]
struct LineBlocks {
    /// The table says that it begins or goes on there.
    certain: BTreeSet<usize>,
    /// The last row before the block is of this line: it may go on there, or the compiler does not say whose the
    /// block is.
    all: BTreeSet<usize>,
}

/// Reads what coverage can tell off the object.
fn covered(project: &Project) -> Vec<CoveredFunction<'_>> {
    let Some(code) = ObjectCode::read(&project.object) else { return Vec::new() };
    let of = |(function, address, within): (&'_ CFunction, u64, std::ops::RangeInclusive<u32>)| {
        let blocks = code.blocks(address..address + function.size);
        let mut by_line: BTreeMap<u32, LineBlocks> = BTreeMap::new();
        for (k, block) in blocks.iter().enumerate() {
            for (row, line) in project.program.lines.rows(block.range.clone()) {
                let own = by_line.entry(line).or_default();
                if row.start >= block.range.start {
                    own.certain.insert(k);
                // A hook alone is nobody's: the rest of its block is another line.
                } else if row.end > block.range.start + HOOK_SIZE || !block.begins_with_hook() {
                    own.all.insert(k);
                }
            }
        }
        let mut by_point: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        for (line, LineBlocks { certain, all }) in by_line.iter().filter(|(line, _)| within.contains(line)) {
            let points: BTreeSet<u64> = certain.iter().flat_map(|k| &blocks[*k].points).copied().collect();
            if flow::tell(&blocks, certain, all) {
                for point in points {
                    by_point.entry(point).or_default().insert(*line);
                }
            }
        }
        by_point
    };
    functions(project).map(|found| CoveredFunction { name: &found.0.name, by_point: of(found) }).collect()
}

/// The lines of each function of which coverage tells whether they were reached.
pub(crate) fn all(project: &Project) -> BTreeMap<&str, BTreeSet<u32>> {
    covered(project).into_iter().map(|function| (function.name, function.lines())).collect()
}

/// For each function, pairs of lines of which the second never runs without the first: a plain statement, and
/// what follows it. The compiler may leave the line of a declaration to a copy of its block that is never
/// taken.
fn straight_lines(project: &Project, all: &BTreeMap<&str, BTreeSet<u32>>) -> Vec<(String, Vec<(u32, u32)>)> {
    let sources = &project.sources;
    let of = |source: &FunctionSource| {
        let lines = all.get(&*source.name)?;
        let text: Vec<&str> = sources.file(source.file).text.lines().collect();
        let line = |number: u32| text.get(number.checked_sub(1)? as usize).map(|line| line.trim());
        let pairs = lines.iter().zip(lines.iter().skip(1)).filter(|(first, second)| {
            let mut between = (**first + 1..**second).filter_map(line);
            line(**first).is_some_and(is_plain)
                && first.checked_sub(1).and_then(line).is_some_and(ends_statement)
                && line(**second).is_some_and(|line| !is_entry(line))
                && between.all(|line| line.is_empty() || line.starts_with("//"))
        });
        Some((source.name.clone(), pairs.map(|(first, second)| (*first, *second)).collect()))
    };
    sources.functions.iter().filter_map(of).collect()
}

/// Whether a line is one statement that goes on to the next line.
fn is_plain(line: &str) -> bool {
    const LEAVING: [&str; 11] =
        ["if", "else", "for", "while", "do", "switch", "case", "default", "return", "goto", "break"];
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    line.ends_with(';')
        && !line.contains(['{', '}', '#'])
        && !line.contains("/*")
        && !is_entry(line)
        && !LEAVING.contains(&word)
        && word != "continue"
}

/// Whether a statement begins after this line.
fn ends_statement(line: &str) -> bool {
    line.ends_with([';', '{', '}'])
}

/// Whether a line can be come to otherwise than from the one before it.
fn is_entry(line: &str) -> bool {
    let word = line.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let rest = line[word.len()..].trim_start();
    matches!(word, "case" | "default" | "else") || line.starts_with('}') || rest.starts_with(':')
}

impl Lines {
    pub(super) fn new(project: &Project) -> Lines {
        let covered = covered(project);
        let mut open = Vec::new();
        for CoveredFunction { name, by_point } in &covered {
            let function: &'static str = (*name).to_string().leak();
            let block = |(point, lines): (&u64, &BTreeSet<u32>)| Block {
                point: Pc(*point),
                function,
                lines: lines.clone(),
            };
            open.extend(by_point.iter().map(block));
        }
        let all = covered.iter().map(|function| (function.name, function.lines())).collect();
        for (name, pairs) in straight_lines(project, &all) {
            for block in open.iter_mut().filter(|block| block.function == name) {
                // From the last to the first: what comes before a line that comes before another counts as
                // well.
                let before = |block: &Block, (first, second): &(u32, u32)| {
                    block.lines.contains(second).then_some(*first)
                };
                for pair in pairs.iter().rev() {
                    let first = before(block, pair);
                    block.lines.extend(first);
                }
            }
        }
        Lines { open: RefCell::new(open) }
    }

    /// Counts the lines that nothing had reached before this case.
    pub(super) fn note(&self, machine: &Machine, case: &mut Case<'_>) {
        let mut new: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        self.open.borrow_mut().retain_mut(|block| {
            let is_reached = machine.is_covered(block.point);
            if is_reached {
                new.entry(block.function).or_default().append(&mut block.lines);
            }
            !is_reached
        });
        for (function, lines) in new.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            let lines = lines.into_iter().collect();
            HuntFact::Lines { function: function.to_string(), lines }.count(case);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_statements_go_on_to_the_next_line() {
        for line in ["int x = f(a);", "*p = 3;", "x++;", "struct s *d = *p;", "x = a ? b : c;"] {
            assert!(is_plain(line), "{line}");
        }
        for line in [
            "return x;",
            "if (x) y();",
            "for (;;) x();",
            "else x();",
            "break;",
            "continue;",
            "case 3: x = 1;",
            "end: x = 1;",
            "} while (x);",
            "a = (struct s){0};",
            "int f(int a,",
        ] {
            assert!(!is_plain(line), "{line}");
        }
    }

    #[test]
    fn labels_and_cases_are_come_to_from_elsewhere() {
        assert!(["case 3:", "default:", "else x();", "end:", "} else {"].into_iter().all(is_entry));
        assert!(!["x = 1;", "if (a) b();"].into_iter().any(is_entry));
    }
}
