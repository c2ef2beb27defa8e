//! Clauses mention arguments as they were passed: moved ones, those that are taken apart, and `self` by value.

use super::*;

/// Not `Clone`, and no clause mentions it.
#[derive(Debug)]
pub(crate) struct Seal;

mod shelf {
    use super::*;

    #[derive(Debug, Default)]
    pub(super) struct Shelf(Vec<String>);

    #[contract]
    impl Shelf {
        pub fn new() -> Shelf {
            Shelf::default()
        }

        pub fn seal() -> Seal {
            Seal
        }

        #[ensures(self.0.last() == Some(&item) && result.iter().all(|seal| matches!(seal, Seal)))]
        pub fn push(&mut self, item: String, seal: Seal) -> Vec<Seal> {
            // An item with a dash loses it.
            self.0.push(item.replace('-', ""));
            vec![seal]
        }

        #[ensures(*result == self.0.len())]
        pub fn count(self) -> usize {
            self.0.len()
        }
    }

    impl Clone for Shelf {
        fn clone(&self) -> Self {
            // Cloning for a clause is no call of a program's.
            Shelf(self.0.clone())
        }
    }
}

#[test]
fn a_clause_mentions_an_argument_that_was_moved() {
    let report = check_calls::<shelf::Shelf>(1);
    let steps =
        ["r1 = Shelf::new()", "r2 = Shelf::seal()", r#"r3 = Shelf::push(&mut r1, String::from("-"), r2)"#];
    assert_eq!(program(&report), steps, "{report}");
    assert!(report.to_string().contains(r#"    item = "-""#), "{report}");
}

#[contract]
mod numbers {
    #[requires(low <= high)]
    #[ensures((low..=high).contains(result) && old(high) == high)]
    pub fn between((low, high): (u8, u8), [half, ..]: [bool; 2]) -> u8 {
        if half { low / 2 + high / 2 } else { high }
    }
}

#[test]
fn a_clause_mentions_the_parts_of_an_argument() {
    let report = check_calls::<numbers::Contracts>(1);
    assert_eq!(program(&report), ["r1 = between((1, 1), [true, false])"], "{report}");
    assert!(report.to_string().contains("    high = 1"), "{report}");
}

mod bag {
    #[derive(Debug, Default)]
    pub(super) struct Bag(pub(super) Vec<String>);

    impl Bag {
        pub(super) fn new() -> Bag {
            Bag::default()
        }

        pub(super) fn put(&mut self, item: String, n: (u8, u8)) {
            self.0.extend((0..n.1).map(|_| item.to_lowercase()));
        }
    }
}

#[contract(of = bag::Bag)]
trait BagContract {
    fn new() -> Self;

    #[requires(low < high)]
    #[ensures(self.0.contains(&item) && self.0.len() >= usize::from(high))]
    fn put(&mut self, #[from(regex("[a-cA-C]{0,3}"))] item: String, (low, high): (u8, u8));
}

#[test]
fn contracts_of_other_types_mention_moved_arguments_too() {
    let settings = Settings::new().seed(1).without_regressions();
    let report = Checker::contracts::<BagContract>().settings(settings).report();
    assert_eq!(
        program(&report),
        ["r1 = Bag::new()", r#"r2 = Bag::put(&mut r1, String::from("A"), (0, 1))"#],
        "{report}"
    );
}

mod pages {
    /// Shown like a type without `Debug` would be.
    #[derive(Clone, PartialEq)]
    pub(super) struct Tag(u8);

    impl std::fmt::Debug for Tag {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "<h{}>", self.0)
        }
    }

    /// Not shown at all.
    pub(super) struct Page;

    #[super::contract]
    impl Page {
        pub fn new() -> Page {
            Page
        }

        pub fn heading(&self, #[from(1..7)] level: u8) -> Tag {
            Tag(level)
        }

        #[ensures(*result)]
        pub fn is_small(&self, tag: &Tag) -> bool {
            tag.0 > 3
        }
    }
}

/// Whether a value has a text is a matter of its type, not of how the text begins.
#[test]
fn a_text_in_angle_brackets_is_a_text() {
    let report = check_calls::<pages::Page>(1);
    assert!(report.to_string().contains("r2 = r1.heading(1)  -> <h1>"), "{report}");
    assert!(report.to_string().contains("r1 = Page::new()\n"), "{report}");
}

mod tallies {
    use super::*;

    /// Counts; generic, so that its functions know nothing of what is counted.
    #[derive(Debug)]
    pub(super) struct Tally<T> {
        n: u8,
        last: Option<T>,
    }

    #[contract]
    impl<T: Copy + std::fmt::Debug> Tally<T> {
        pub fn new() -> Self {
            Tally { n: 0, last: None }
        }

        pub fn add(&mut self, what: T) {
            self.n = (self.n + 1).min(9);
            self.last = Some(what);
        }

        /// Wrong of a tally and itself.
        #[ensures(*result == self.n + other.n)]
        pub fn sum(&self, other: &Self) -> u8 {
            if std::ptr::eq(self, other) { self.n } else { self.n + other.n }
        }

        /// Never of itself, and never of what it looks at.
        #[requires(self.n > 0)]
        #[ensures(!std::ptr::eq(self, other) && !std::ptr::eq(other, more))]
        pub fn take_all(&mut self, other: &mut Self, more: &Self) {
            self.n = (self.n + other.n + more.n).min(9);
            other.n = 0;
        }
    }
}

#[test]
fn a_value_may_be_compared_with_itself() {
    let report = check_calls::<tallies::Tally<u8>>(1);
    let steps = ["r1 = Tally::new()", "r2 = Tally::add(&mut r1, 0)", "r3 = Tally::sum(&r1, &r1)"];
    assert_eq!(program(&report), steps, "{report}");
    // What is counted is a number, which the text of the call is the source of.
    assert!(report.to_string().contains("        r1.add(0);\n        r1.sum(&r1);"), "{report}");
}

mod readers {
    /// Reads words, and keeps only where they are.
    #[derive(Clone, Debug)]
    pub(super) struct Words<'a> {
        rest: &'a str,
        separators: &'a [char],
        n_words: usize,
    }

    #[stairway::contract]
    impl<'a> Words<'a> {
        pub fn of(text: &'a str, separators: &'a [char]) -> Self {
            Words { rest: text, separators, n_words: 0 }
        }

        #[ensures(result.is_none_or(|word| !word.contains(self.separators)))]
        pub fn next_word(&mut self) -> Option<&'a str> {
            let at = self.rest.find(self.separators).unwrap_or(self.rest.len());
            let (word, rest) = self.rest.split_at(at);
            self.rest = rest.get(1..).unwrap_or_default();
            self.n_words += 1;
            Some(word).filter(|word| !word.is_empty())
        }

        /// Wrong of a text that begins with a separator, and of one that ends.
        #[ensures(*result <= self.rest.len())]
        pub fn count(&self) -> usize {
            self.n_words
        }

        /// Nobody can lend what may be changed for good.
        pub fn fill(&self, place: &'a mut String) {
            place.push_str(self.rest);
        }
    }
}

#[test]
fn what_keeps_a_reference_is_lent_one_for_good() {
    let report = check_calls::<readers::Words<'static>>(1);
    let steps =
        [r#"r1 = Words::of("", &vec![])"#, "r2 = Words::next_word(&mut r1)", "r3 = Words::count(&r1)"];
    assert_eq!(program(&report), steps, "{report}");
    let text = report.to_string();
    assert!(text.contains(r#"= Words::<'_>::of("", Box::leak(Box::new(vec![])));"#), "{text}");
    let uncalled = <readers::Words<'static> as Contract>::uncalled();
    assert_eq!(
        uncalled,
        [("Words::fill", "an argument borrows, or `self` is neither a value nor a reference")]
    );
}
