//! The algorithm of figure 1 of "Testing Monadic Code with QuickCheck": trees of elements, the root
//! of each with the number of elements in it.

use crate::bug::Bug;
use stairway::contract;

/// A partition of elements into classes.
#[derive(Debug)]
pub struct Classes {
    links: Vec<Link>,
    bug: Bug,
}

/// An element, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element(pub usize);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Link {
    /// A root, and how many elements it stands for.
    Weight(usize),
    /// The element above.
    Next(Element),
}

#[contract]
impl Classes {
    /// A partition without elements.
    pub fn new() -> Classes {
        Classes { links: vec![], bug: Bug::planted() }
    }

    /// A new element, in a class of its own.
    #[ensures(self.representative(*result) == *result)]
    pub fn add(&mut self) -> Element {
        self.links.push(Link::Weight(1));
        Element(self.links.len() - 1)
    }

    /// The element that stands for the class of `x`. Links all on the way to it.
    #[requires(self.has(x))]
    #[ensures(*result == old(self.representative(x)))]
    #[ensures(self.representatives() == old(self.representatives()))]
    pub fn find(&mut self, x: Element) -> Element {
        let root = self.representative(x);
        let (mut at, mut below) = (x, x);
        while let Some(above) = self.next(at) {
            self.links[at.0] = Link::Next(root);
            (at, below) = (above, at);
        }
        if self.bug == Bug::MovesRoot && x != root {
            self.links[x.0] = self.links[root.0];
            self.links[root.0] = Link::Next(x);
        }
        if self.bug == Bug::StopsEarly { below } else { root }
    }

    /// Makes one class of the classes of `x` and `y`: the lighter tree goes below the heavier.
    #[requires(self.has(x) && self.has(y))]
    #[ensures(self.keeps_others(x, y, &old(self.representatives())))]
    #[ensures(self.unites(x, y, &old(self.representatives())))]
    pub fn union(&mut self, x: Element, y: Element) {
        let (a, b) = (self.find(x), self.find(y));
        if a == b && self.bug != Bug::WeighsTwice {
            return;
        }
        let weight = self.weight(a) + self.weight(b);
        let (light, heavy) = if self.weight(a) <= self.weight(b) { (a, b) } else { (b, a) };
        let light = if self.bug == Bug::LinksElement && light == a { x } else { light };
        if light != heavy {
            self.links[light.0] = Link::Next(heavy);
        }
        self.links[heavy.0] = Link::Weight(weight);
    }

    /// The weight of a root is the number of elements that it stands for.
    #[invariant]
    fn is_weighed(&self) -> bool {
        let representatives = self.representatives();
        self.elements().all(|x| match self.links[x.0] {
            Link::Weight(n) => n == representatives.iter().filter(|r| **r == x).count(),
            Link::Next(_) => true,
        })
    }
}

/// For specifications.
impl Classes {
    /// What `find` answers, without its effects.
    #[must_use]
    pub fn representative(&self, x: Element) -> Element {
        // Bounded, so that a circle of links, which is a mistake, ends too.
        let links = std::iter::successors(Some(x), |at| self.next(*at));
        links.take(self.links.len()).last().unwrap_or(x)
    }

    /// The representatives of all elements.
    #[must_use]
    pub fn representatives(&self) -> Vec<Element> {
        self.elements().map(|x| self.representative(x)).collect()
    }

    /// Whether `x` is one of these elements.
    #[must_use]
    pub fn has(&self, x: Element) -> bool {
        x.0 < self.links.len()
    }

    /// Whether elements that were in neither class have kept their representative.
    #[must_use]
    pub fn keeps_others(&self, x: Element, y: Element, before: &[Element]) -> bool {
        let united = [before[x.0], before[y.0]];
        self.elements().all(|z| united.contains(&before[z.0]) || self.representative(z) == before[z.0])
    }

    /// Whether all elements that were in one of the two classes have the same representative.
    #[must_use]
    pub fn unites(&self, x: Element, y: Element, before: &[Element]) -> bool {
        let united = [before[x.0], before[y.0]];
        let one = self.representative(x);
        self.elements().all(|z| !united.contains(&before[z.0]) || self.representative(z) == one)
    }

    fn elements(&self) -> impl Iterator<Item = Element> {
        (0..self.links.len()).map(Element)
    }
}

impl Classes {
    fn next(&self, x: Element) -> Option<Element> {
        match self.links[x.0] {
            Link::Next(next) => Some(next),
            Link::Weight(_) => None,
        }
    }

    fn weight(&self, root: Element) -> usize {
        match self.links[root.0] {
            Link::Weight(weight) => weight,
            Link::Next(_) => 0,
        }
    }
}

impl Default for Classes {
    fn default() -> Self {
        Classes::new()
    }
}
