//! Oracles: what the environment decides, as a drawn value.
//!
//! Mocks and specifications ask questions ("does this allocation fail?"), and the answers were drawn before
//! the code under test ran (section 6.3 of "Climbing the Stairway to Verification"). The oracle in charge is
//! kept by the thread, so that no signature carries it. It is asked by name: the n-th time a question is
//! asked it has the n-th answer, on whichever side, so that a specification and a mock that share an oracle
//! agree. `equivalent.rs` goes through all oracles there are, `each_fault.rs` through those with one fault, and
//! `campaign.rs` does so where they are drawn.

pub(crate) mod campaign;
mod each_fault;
mod equivalent;

pub use each_fault::each_fault;
pub use equivalent::equivalent;

use crate::ToSource;
use stairway_engine::{Arbitrary, Checked, Draw, vec, weighted};
use std::cell::RefCell;
use std::fmt::{self, Debug, Write as _};
use std::rc::Rc;

/// The environment's choices for one case.
///
/// Draw it like any other input. Inside [`during`](Oracle::during), [`ask`] returns its answers. A
/// `refinement!` with an input of this type does that by itself, for the specification and for the
/// implementation, and so does an operation of a `#[model]` with a parameter of this type, for the model and
/// for the system, which is not passed it.
///
/// ```
/// use stairway::{Oracle, ask};
/// fn allocate() -> Option<u8> {
///     ask("allocate", [Some(7), None])
/// }
/// // Nothing fails by default; 1 is the first thing that can go wrong.
/// assert_eq!(Oracle::calm().during(|| [allocate(), allocate()]), [Some(7), Some(7)]);
/// assert_eq!(Oracle::of([0, 1]).during(|| [allocate(), allocate()]), [Some(7), None]);
/// ```
#[derive(Clone)]
pub struct Oracle(Rc<RefCell<Answers>>);

/// What an oracle has said, and what it will.
#[derive(Default)]
struct Answers {
    /// Answers not given yet, as numbers: 0 is the first of those offered.
    words: Vec<u16>,
    given: Vec<Answer>,
    /// Whether the words are positions, counted through, instead of drawn numbers.
    is_counted: bool,
}

struct Answer {
    question: &'static str,
    nth: usize,
    n_offered: usize,
    index: usize,
    shown: String,
}

/// Who asks, and what of.
struct Session {
    oracle: Oracle,
    asked: Vec<&'static str>,
}

thread_local! {
    /// The oracles in charge on this thread, the innermost last.
    static SESSIONS: RefCell<Vec<Session>> = const { RefCell::new(Vec::new()) };
}

/// The most answers that are drawn for a case; those asked for later are calm.
const MAX_WORDS: usize = 32;
/// The largest number that stands for an answer.
const MAX_WORD: u16 = 12;
/// The most calm answers that come before them.
const MAX_CALM: usize = 256;
/// From so many calm answers on their number is written.
const MIN_CALM: usize = 4;

impl Oracle {
    /// The oracle under which nothing goes wrong: every answer is the first one offered.
    #[must_use]
    pub fn calm() -> Self {
        Oracle::of([])
    }

    /// The oracle that gives these answers to the questions in the order in which they are first
    /// asked: 0 is the first one offered, and the calm one.
    #[must_use]
    pub fn of(answers: impl IntoIterator<Item = u16>) -> Self {
        Oracle(Rc::new(RefCell::new(Answers { words: answers.into_iter().collect(), ..Answers::default() })))
    }

    /// The oracle under which the first `n_calm` questions have their calm answers, and the next ones these.
    #[must_use]
    pub fn after(n_calm: usize, answers: impl IntoIterator<Item = u16>) -> Self {
        Oracle::of(std::iter::repeat_n(0, n_calm).chain(answers))
    }

    fn drawn(choices: &mut Draw<'_>) -> Checked<Self> {
        // Mostly calm, so that code gets somewhere before it meets trouble.
        let word = weighted([(3, 0..=0u16), (1, 1..=MAX_WORD)]);
        let words = choices.draw(vec(word, 0..=MAX_WORDS))?;
        // Otherwise a first fault after many questions would be next to impossible.
        let n_calm = choices.draw(weighted([(3, 0..=0), (1, 0..=MAX_CALM)]))?;
        Ok(if words.is_empty() { Oracle::calm() } else { Oracle::after(n_calm, words) })
    }

    /// An oracle whose answers are the positions in `path`, and the first ones behind it.
    fn counted(path: &[usize]) -> Self {
        let words = path.iter().map(|index| u16::try_from(*index).unwrap_or(u16::MAX)).collect();
        Oracle(Rc::new(RefCell::new(Answers { words, given: Vec::new(), is_counted: true })))
    }

    /// Runs `f` with this oracle in charge. Every question is counted from the beginning again, so
    /// what runs later hears the same answers.
    pub fn during<T>(&self, f: impl FnOnce() -> T) -> T {
        self.session(f).0
    }

    /// [`during`](Oracle::during), and what was asked.
    pub(crate) fn session<T>(&self, f: impl FnOnce() -> T) -> (T, Vec<&'static str>) {
        /// Ends the session also when `f` panics.
        struct End;
        impl Drop for End {
            fn drop(&mut self) {
                SESSIONS.with_borrow_mut(Vec::pop);
            }
        }
        let session = Session { oracle: self.clone(), asked: Vec::new() };
        SESSIONS.with_borrow_mut(|sessions| sessions.push(session));
        let end = End;
        let value = f();
        let last =
            |sessions: &mut Vec<Session>| sessions.last_mut().map(|last| std::mem::take(&mut last.asked));
        let asked = SESSIONS.with_borrow_mut(last).unwrap_or_default();
        drop(end);
        (value, asked)
    }

    /// What was asked and answered so far, in words; nothing if nobody asked.
    pub(crate) fn said(&self) -> String {
        let mut out = String::new();
        for answer in &self.0.borrow().given {
            let separator = if out.is_empty() { "" } else { ", " };
            let _ = write!(out, "{separator}{} -> {}", answer.question, answer.shown);
        }
        out
    }

    /// Whether one of these questions was answered by something else than the calm answer.
    pub(crate) fn disturbed(&self, asked: &[&'static str]) -> Option<String> {
        let answers = self.0.borrow();
        let one = answers.given.iter().find(|answer| answer.index > 0 && asked.contains(&answer.question))?;
        Some(format!("`{}` -> {}", one.question, one.shown))
    }

    #[track_caller]
    fn answer(
        &self,
        question: &'static str,
        nth: usize,
        n: usize,
        show: impl FnOnce(usize) -> String,
    ) -> usize {
        let mut answers = self.0.borrow_mut();
        let known = answers.given.iter().find(|answer| answer.question == question && answer.nth == nth);
        if let Some(known) = known {
            let (index, n_offered) = (known.index, known.n_offered);
            drop(answers);
            assert!(
                n_offered == n,
                "the oracle was asked `{question}` with {n_offered} answers to choose from before, and with {n} \
                 now: offer the same ones wherever it is asked, or call it something else"
            );
            return index;
        }
        let word = answers.words.get(answers.given.len()).copied().map_or(0, usize::from);
        let index = match (word, answers.is_counted) {
            (word, true) => word.min(n - 1),
            (0, false) => 0,
            (_, false) if n == 1 => 0,
            (word, false) => 1 + (word - 1) % (n - 1),
        };
        answers.given.push(Answer { question, nth, n_offered: n, index, shown: show(index) });
        index
    }
}

impl Debug for Oracle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_source())
    }
}

impl ToSource for Oracle {
    fn write_source(&self, out: &mut String) {
        let words = &self.0.borrow().words;
        let n_calm = words.iter().take_while(|word| **word == 0).count();
        let _ = match words.is_empty() {
            true => write!(out, "Oracle::calm()"),
            false if n_calm >= MIN_CALM => write!(out, "Oracle::after({n_calm}, {:?})", &words[n_calm..]),
            false => write!(out, "Oracle::of({words:?})"),
        };
    }
}

impl Arbitrary for Oracle {
    fn arbitrary(choices: &mut Draw<'_>) -> Checked<Self> {
        campaign::next(choices.choices()).unwrap_or_else(|| Oracle::drawn(choices))
    }
}

/// Asks the oracle in charge to choose one of `answers`; the first is the calm one.
///
/// ```
/// use stairway::{Oracle, ask};
/// let fails = Oracle::of([2]).during(|| ask("read", [Ok(1), Err("io"), Err("no memory")]));
/// assert_eq!(fails, Err("no memory"));
/// ```
///
/// # Panics
/// Where no oracle is in charge, without answers, or if the same question was asked with another
/// number of answers.
#[track_caller]
pub fn ask<T: Debug>(question: &'static str, answers: impl IntoIterator<Item = T>) -> T {
    let mut answers: Vec<T> = answers.into_iter().collect();
    let index = ask_index(question, answers.len(), |index| format!("{:?}", answers[index]));
    answers.swap_remove(index)
}

/// The position of the answer among `n`.
#[track_caller]
pub(crate) fn ask_index(question: &'static str, n: usize, show: impl FnOnce(usize) -> String) -> usize {
    assert!(n > 0, "the oracle was asked `{question}` without any answer to choose: offer at least one");
    let session = SESSIONS.with_borrow_mut(|sessions| {
        let session = sessions.last_mut()?;
        let nth = session.asked.iter().filter(|asked| **asked == question).count();
        session.asked.push(question);
        Some((session.oracle.clone(), nth))
    });
    let Some((oracle, nth)) = session else {
        panic!(
            "`{question}` asks the oracle, and none is in charge: give the operation or refinement a parameter \
             `oracle: Oracle`, or run this in `Oracle::calm().during(|| ..)`"
        );
    };
    oracle.answer(question, nth, n, show)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Outcome;
    use crate::{Case, Checker, Outcomes, Settings, any};

    #[test]
    fn both_sides_hear_the_same_answers_whatever_else_they_ask() {
        let oracle = Oracle::of([1, 2, 0]);
        let one = oracle.during(|| (ask("a", 0..3), ask("b", 0..3), ask("a", 0..3)));
        let other = oracle.during(|| (ask("c", 0..3), ask("b", 0..3), ask("a", 0..3), ask("a", 0..3)));
        assert_eq!((one, other), ((1, 2, 0), (0, 2, 1, 0)));
        assert_eq!(oracle.said(), "a -> 1, b -> 2, a -> 0, c -> 0");
    }

    #[test]
    fn every_answer_can_be_had_and_large_words_come_round() {
        let answers: Vec<usize> = (0..7).map(|word| Oracle::of([word]).during(|| ask("q", 0..4))).collect();
        assert_eq!(answers, [0, 1, 2, 3, 1, 2, 3]);
        assert_eq!(Oracle::of([5]).during(|| ask("q", ["only"])), "only");
    }

    #[test]
    fn many_calm_answers_are_written_as_their_number() {
        assert_eq!(Oracle::after(40, [1]).to_source(), "Oracle::after(40, [1])");
        assert_eq!(Oracle::after(2, [1]).to_source(), "Oracle::of([0, 0, 1])");
        assert_eq!(Oracle::after(40, [1]).during(|| (0..60).position(|_| ask("q", [false, true]))), Some(40));
    }

    #[test]
    fn a_first_fault_after_many_questions_is_drawn_and_made_small() {
        let late = |t: &mut Case<'_>| {
            let oracle: Oracle = t.pick(any())?;
            let first = oracle.during(|| (0..200).position(|_| ask("q", [false, true])));
            assert!(first.is_none_or(|first| first < 60), "{oracle:?}");
            Ok(())
        };
        for seed in 0..10 {
            let settings = Settings::new().without_regressions().seed(seed);
            let report = Checker::new("late").settings(settings).report(late);
            let Outcome::Falsified(found) = report.result.outcome else { panic!("seed {seed}: not found") };
            assert_eq!(found.observed.drawn[0].value, "Oracle::after(60, [1])", "seed {seed}");
        }
    }

    #[test]
    fn a_specification_is_a_mock() {
        let read = || Outcomes::named("read", Ok(1)).or(Outcomes::each(["io"]).map(Err)).by_oracle("read");
        assert_eq!(Oracle::of([0, 1]).during(|| [read(), read()]), [Ok(1), Err("io")]);
    }

    #[test]
    fn sessions_nest_and_end_with_a_panic() {
        let (one, two) = (Oracle::of([1]), Oracle::of([2]));
        assert_eq!(one.during(|| (two.during(|| ask("q", 0..3)), ask("q", 0..3))), (2, 1));
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one.during(|| panic!("gone"))));
        assert!(SESSIONS.with_borrow(Vec::is_empty));
    }

    #[test]
    #[should_panic(expected = "`q` asks the oracle, and none is in charge")]
    fn nobody_answers_without_an_oracle() {
        ask("q", [1]);
    }

    #[test]
    #[should_panic(expected = "with 2 answers to choose from before, and with 3 now")]
    fn a_question_has_as_many_answers_everywhere() {
        let oracle = Oracle::calm();
        oracle.during(|| ask("q", 0..2));
        oracle.during(|| ask("q", 0..3));
    }
}
