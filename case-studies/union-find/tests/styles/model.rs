//! The relational model of section 12: which element stands for each. Which of two roots `union`
//! keeps is left to the implementation.

use stairway::prelude::*;
use union_find::{Classes, Element};

/// The number of each element's representative.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Repr(Vec<usize>);

#[model(system = Classes)]
impl Repr {
    #[start]
    fn new() -> (Repr, Classes) {
        (Repr(vec![]), Classes::new())
    }

    #[abstraction]
    fn of(system: &Classes) -> Repr {
        Repr(system.representatives().iter().map(|x| x.0).collect())
    }

    #[op(requires = self.0.len() < 6, call = system.add().0)]
    #[ensures(*result == old(self.0.len()))]
    #[ensures(self.0 == [old(self.0.clone()), vec![*result]].concat())]
    fn add(&self) {}

    #[op(requires = x < self.0.len(), call = system.find(Element(x)).0)]
    #[ensures(self == old(self))]
    #[ensures(*result == old(self.0[x]))]
    fn find(&self, #[from(0..6)] x: usize) {}

    #[op(requires = x < self.0.len() && y < self.0.len(), call = system.union(Element(x), Element(y)))]
    #[ensures([old(self.0[x]), old(self.0[y])].contains(&self.0[x]))]
    #[ensures(self.is_united(old(self), x, y))]
    fn union(&self, #[from(0..6)] x: usize, #[from(0..6)] y: usize) {}

    /// repr ∘ repr = repr
    #[invariant]
    fn is_idempotent(&self) -> bool {
        self.0.iter().all(|r| self.0[*r] == *r)
    }
}

impl Repr {
    /// Whether all elements of the two classes are represented as `x` is, and all others as before.
    fn is_united(&self, before: &Repr, x: usize, y: usize) -> bool {
        let (united, one) = ([before.0[x], before.0[y]], self.0[x]);
        before.0.iter().map(|r| if united.contains(r) { one } else { *r }).eq(self.0.iter().copied())
    }
}

#[test]
fn union_find_is_a_partition() {
    Repr::checker().demand_all().run();
}
