//! The basic blocks of a compiled function, with what coverage says about each of them.
//!
//! The compiler puts a hook into every block that it knows when it instruments. Blocks that it makes afterwards
//! have none: one that does nothing but set the constant of a `return`, or one that reports undefined behaviour,
//! somewhere at the end of the function. So jumps are followed: a block without a hook has run if a point was reached
//! to which every way leads through it. Where that does not decide, nothing is claimed.

mod instruction;

use instruction::{Continuation, decode};
use object::{Object as _, ObjectSection as _, ObjectSymbol as _};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// How long the call of a hook is.
pub(crate) const HOOK_SIZE: u64 = 5;

/// The machine code of an object, at the addresses of its file.
#[derive(Debug, Default)]
pub(crate) struct ObjectCode {
    text: Vec<u8>,
    address: u64,
    hook: u64,
}

/// A stretch of code that is run from its beginning to its end.
#[derive(Debug, Default)]
pub(crate) struct FlowBlock {
    pub(crate) range: Range<u64>,
    /// The points in it.
    own: BTreeSet<u64>,
    /// If one of these points was reached, it has run.
    pub(crate) points: BTreeSet<u64>,
    /// Whether it has not run if none of them was.
    is_decided: bool,
    /// The blocks that lead to it, and those that it leads to.
    before: Vec<usize>,
    after: Vec<usize>,
    /// Whether it may be come to otherwise.
    has_unknown_before: bool,
    /// Whether it may go on elsewhere, or not at all.
    has_unknown_after: bool,
}

impl ObjectCode {
    /// Reads the code of a linked object; none if it cannot be read or is without coverage.
    pub(crate) fn read(path: &Path) -> Option<ObjectCode> {
        let bytes = std::fs::read(path).ok()?;
        let file = object::File::parse(&*bytes).ok()?;
        let text = file.section_by_name(".text")?;
        let hook = file.symbols().find(|symbol| symbol.name() == Ok("__sanitizer_cov_trace_pc"))?.address();
        Some(ObjectCode { text: text.data().ok()?.to_vec(), address: text.address(), hook })
    }

    /// The blocks of a function, in the order of their addresses; none if some of its code is not known.
    pub(crate) fn blocks(&self, function: Range<u64>) -> Vec<FlowBlock> {
        let at = |address: u64| address.checked_sub(self.address).map(|at| at as usize);
        let code = at(function.start).zip(at(function.end)).and_then(|(from, to)| self.text.get(from..to));
        let outline = code.and_then(|code| Outline::of(code, function.start, self.hook));
        outline.map(|outline| decided(outline.blocks())).unwrap_or_default()
    }
}

/// Where blocks begin, and how they end.
struct Outline {
    function: Range<u64>,
    /// Instructions that go on elsewhere than to the next one: where they end, and where they go.
    leaving: Vec<(u64, Continuation)>,
    /// Where blocks begin.
    leaders: BTreeSet<u64>,
    points: BTreeSet<u64>,
    has_computed: bool,
}

impl Outline {
    fn of(code: &[u8], start: u64, hook: u64) -> Option<Outline> {
        let function = start..start + code.len() as u64;
        let mut outline = Outline {
            function: function.clone(),
            leaving: Vec::new(),
            leaders: BTreeSet::from([start]),
            points: BTreeSet::new(),
            has_computed: false,
        };
        let mut at = 0;
        while at < code.len() {
            let instruction = decode(&code[at..])?;
            let begin = start + at as u64;
            at += instruction.size;
            let end = start + at as u64;
            let target = |distance: i64| end.wrapping_add_signed(distance);
            match instruction.goes {
                Continuation::Next => {}
                Continuation::Call(Some(distance)) if target(distance) == hook => {
                    outline.points.insert(end);
                    outline.leaders.insert(begin);
                }
                Continuation::Call(_) => outline.leaving.push((end, instruction.goes)),
                Continuation::Jump(distance) | Continuation::Branch(distance) => {
                    outline.leaving.push((end, instruction.goes));
                    outline.leaders.insert(end);
                    outline.leaders.extend(Some(target(distance)).filter(|to| function.contains(to)));
                }
                Continuation::Computed | Continuation::Leaves => {
                    outline.has_computed |= instruction.goes == Continuation::Computed;
                    outline.leaving.push((end, instruction.goes));
                    outline.leaders.insert(end);
                }
            }
        }
        outline.leaders.remove(&function.end);
        Some(outline)
    }

    fn blocks(&self) -> Vec<FlowBlock> {
        let starts: Vec<u64> = self.leaders.iter().copied().collect();
        let ends = starts.iter().skip(1).copied().chain([self.function.end]);
        let mut blocks: Vec<FlowBlock> = starts
            .iter()
            .zip(ends)
            .map(|(start, end)| FlowBlock {
                range: *start..end,
                own: self.points.range(start + 1..=end).copied().collect(),
                has_unknown_before: *start == self.function.start,
                ..FlowBlock::default()
            })
            .collect();
        for k in 0..blocks.len() {
            let end = blocks[k].range.end;
            let last = self.leaving.binary_search_by_key(&end, |(end, _)| *end);
            let goes = last.map_or(Continuation::Next, |at| self.leaving[at].1);
            let next = (k + 1 < blocks.len()).then_some(k + 1);
            let (falls, distance) = match goes {
                Continuation::Next | Continuation::Call(_) => (true, None),
                Continuation::Branch(distance) => (true, Some(distance)),
                Continuation::Jump(distance) => (false, Some(distance)),
                Continuation::Computed | Continuation::Leaves => (false, None),
            };
            let target = distance.map(|distance| starts.binary_search(&end.wrapping_add_signed(distance)));
            let is_elsewhere = matches!(target, Some(Err(_))) || (falls && next.is_none());
            // What is called last may never return, and then the next block is another one's.
            let may_end =
                !matches!(goes, Continuation::Next | Continuation::Branch(_) | Continuation::Jump(_));
            blocks[k].has_unknown_after = is_elsewhere || may_end;
            let after: BTreeSet<usize> =
                next.filter(|_| falls).into_iter().chain(target.and_then(Result::ok)).collect();
            for to in &after {
                blocks[*to].before.push(k);
            }
            blocks[k].after = after.into_iter().collect();
        }
        // A table of jumps leads to blocks of the source, which have a hook, or to one that nothing else leads to.
        for block in blocks.iter_mut().filter(|block| !block.own.is_empty() || block.before.is_empty()) {
            block.has_unknown_before |= self.has_computed;
        }
        blocks
    }
}

/// Whether the blocks of a line tell if it was run: `certain` ones are, `others` may be. A block that does not tell
/// by itself does no harm where every way to it leads through one that does.
pub(crate) fn tell(blocks: &[FlowBlock], certain: &BTreeSet<usize>, others: &BTreeSet<usize>) -> bool {
    let telling: Vec<bool> =
        (0..blocks.len()).map(|k| certain.contains(&k) && blocks[k].is_decided).collect();
    let reached = reached_without(blocks, |k| telling[k]);
    telling.contains(&true) && certain.union(others).all(|k| telling[*k] || !reached[*k])
}

/// Which blocks can be run if some never are.
fn reached_without(blocks: &[FlowBlock], is_left_out: impl Fn(usize) -> bool) -> Vec<bool> {
    let is_root = |k: &usize| blocks[*k].has_unknown_before && !is_left_out(*k);
    let mut open: Vec<usize> = (0..blocks.len()).filter(is_root).collect();
    let mut reached = vec![false; blocks.len()];
    open.iter().for_each(|k| reached[*k] = true);
    while let Some(k) = open.pop() {
        for next in blocks[k].after.iter().copied() {
            if !reached[next] && !is_left_out(next) {
                reached[next] = true;
                open.push(next);
            }
        }
    }
    reached
}

impl FlowBlock {
    /// Whether its first instruction notes that it was reached.
    pub(crate) fn begins_with_hook(&self) -> bool {
        self.own.first().is_some_and(|point| *point == self.range.start + HOOK_SIZE)
    }
}

/// Functions with more blocks than this, and they are made by programs, are not counted.
const MAX_BLOCKS: usize = 3000;

/// Lets points speak for blocks that have none. Such a block has run if a point was reached that every way leads to
/// it from, or to which every way leads through it. It has not run otherwise if no way to it, or none from it, avoids
/// all of these points.
fn decided(mut blocks: Vec<FlowBlock>) -> Vec<FlowBlock> {
    if blocks.len() > MAX_BLOCKS {
        return Vec::new();
    }
    for k in 0..blocks.len() {
        if !blocks[k].own.is_empty() {
            blocks[k].points = blocks[k].own.clone();
            blocks[k].is_decided = true;
            continue;
        }
        let without = reached_without(&blocks, |other| other == k);
        let leading = leading_to(&blocks, k);
        let tells = |other: usize| !without[other] || leading[other];
        let own = (0..blocks.len()).filter(|other| tells(*other)).flat_map(|other| &blocks[other].own);
        let points = own.copied().collect();
        let has_point = |other: usize| tells(other) && !blocks[other].own.is_empty();
        let is_decided = !reached_without(&blocks, has_point)[k] || !escapes(&blocks, k, has_point);
        (blocks[k].points, blocks[k].is_decided) = (points, is_decided);
    }
    blocks
}

/// The blocks from which every way leads to block `k`.
fn leading_to(blocks: &[FlowBlock], k: usize) -> Vec<bool> {
    let mut leading = vec![false; blocks.len()];
    leading[k] = true;
    let mut open = vec![k];
    while let Some(to) = open.pop() {
        for from in blocks[to].before.iter().copied() {
            let block = &blocks[from];
            if !leading[from] && !block.has_unknown_after && block.after.iter().all(|to| leading[*to]) {
                leading[from] = true;
                open.push(from);
            }
        }
    }
    leading
}

/// Whether a way from block `k` leaves the function, or may, past all of some blocks.
fn escapes(blocks: &[FlowBlock], k: usize, is_caught: impl Fn(usize) -> bool) -> bool {
    let mut passed = vec![false; blocks.len()];
    passed[k] = true;
    let mut open = vec![k];
    while let Some(at) = open.pop() {
        if blocks[at].has_unknown_after {
            return true;
        }
        for to in blocks[at].after.iter().copied() {
            if !passed[to] && !is_caught(to) {
                passed[to] = true;
                open.push(to);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOOK: u64 = 0x9000;

    /// Assembles code at 0: `h` is a hook, `n` nothing, `c` a call of something else, `r` a return; `j`, `b` and a
    /// digit are a jump and a branch to that place of the text.
    fn assemble(text: &str) -> (Vec<u8>, Vec<u64>) {
        let sizes = text.chars().map(|c| match c {
            'h' | 'c' => 5,
            'j' | 'b' => 2,
            'n' | 'r' => 1,
            _ => 0,
        });
        let mut at = 0;
        let place = |size: u64| {
            at += size;
            at - size
        };
        let places: Vec<u64> = sizes.map(place).collect();
        let mut code = Vec::new();
        for (k, c) in text.chars().enumerate() {
            let target =
                || places[text[k + 1..].chars().next().and_then(|d| d.to_digit(16)).unwrap() as usize];
            let near = |end: u64| target().wrapping_sub(end) as u8;
            match c {
                'h' => code.extend([0xe8].into_iter().chain(((HOOK - places[k] - 5) as u32).to_le_bytes())),
                'c' => code.extend([0xe8, 0, 1, 0, 0]),
                'j' => code.extend([0xeb, near(places[k] + 2)]),
                'b' => code.extend([0x74, near(places[k] + 2)]),
                'n' => code.push(0x90),
                'r' => code.push(0xc3),
                _ => {}
            }
        }
        (code, places)
    }

    /// The block that begins at a place of the text: whether it is decided, and by the hooks at which places.
    fn block(text: &str, at: usize) -> (bool, Vec<usize>) {
        let (code, places) = assemble(text);
        let blocks = decided(Outline::of(&code, 0, HOOK).expect("known code").blocks());
        let found =
            blocks.iter().find(|block| block.range.start == places[at]).expect("a block begins there");
        let place =
            |point: &u64| places.iter().position(|place| place + HOOK_SIZE == *point).expect("a hook");
        (found.is_decided, found.points.iter().map(place).collect())
    }

    #[test]
    fn a_block_without_a_hook_runs_with_points_that_decide_it() {
        // It runs if the first branch is taken, which no point tells: the last one is reached either way.
        assert_eq!(block("hb6hj7nhr", 6), (false, vec![]));
        // Straight on from a hook, with a jump: it runs with the hook.
        assert_eq!(block("hj3nr", 3), (true, vec![0]));
        // A cold block at the end comes back to where it left: what follows runs with the hook before both.
        assert_eq!(block("hb5nrj3", 3), (true, vec![0]));
        assert_eq!(block("hb5nrj3", 5), (false, vec![]));
        // Every way to the hook at the end leads through it.
        assert_eq!(block("hb4rnhr", 4), (true, vec![5]));
        // What is called last may not return.
        assert_eq!(block("hb4cnr", 4), (false, vec![]));
    }
}
