//! The queue: nodes linked from the head to the tail, in a table that reuses them.

use crate::bug::Bug;
use stairway::contract;

/// A queue of numbers.
#[derive(Debug)]
pub struct Queue {
    nodes: Vec<Node>,
    /// Nodes to be used again.
    free: Vec<usize>,
    head: Option<usize>,
    tail: Option<usize>,
    len: usize,
    bug: Bug,
}

#[derive(Debug)]
struct Node {
    value: i32,
    next: Option<usize>,
}

#[contract]
impl Queue {
    /// A queue without elements.
    pub fn new() -> Queue {
        Queue { nodes: vec![], free: vec![], head: None, tail: None, len: 0, bug: Bug::planted() }
    }

    /// Puts `n` behind all others.
    #[ensures(self.len() == old(self.len()) + 1)]
    #[ensures(self.front() == old(self.front()).or(Some(n)))]
    pub fn add(&mut self, n: i32) {
        let is_reused = !self.free.is_empty();
        let at = self.node(n);
        match (self.bug, self.tail) {
            (Bug::ThirdJumps, Some(_)) if self.len == 2 => {
                self.nodes[at].next = self.head;
                self.head = Some(at);
            }
            (Bug::PushesIn, Some(last)) if self.len >= 2 => {
                let before = self.chain()[self.len - 2];
                self.nodes[before].next = Some(at);
                self.nodes[at].next = Some(last);
            }
            (_, Some(last)) => {
                self.nodes[last].next = Some(at);
                self.tail = Some(at);
            }
            (_, None) => {
                self.head = Some(at);
                self.tail = Some(at);
            }
        }
        if !(self.bug == Bug::Uncounted && is_reused) {
            self.len += 1;
        }
    }

    /// Removes the front.
    #[requires(!self.is_empty())]
    #[ensures(self.len() == old(self.len()) - 1)]
    pub fn remove(&mut self) {
        self.unlink();
        if self.bug == Bug::RemovesBoth && self.len == 1 {
            self.unlink();
        }
        if self.head.is_none() && self.bug != Bug::TailKept {
            self.tail = None;
        }
    }

    /// Removes all elements.
    #[ensures(self.is_empty() && self.front().is_none())]
    pub fn clear(&mut self) {
        self.free.extend(self.chain());
        self.head = None;
        if self.bug != Bug::TailCleared {
            self.tail = None;
        }
        self.len = 0;
    }

    /// The first element, if there is one.
    pub fn front(&self) -> Option<i32> {
        let first = if self.bug == Bug::FrontIsBack { self.tail } else { self.head };
        first.map(|at| self.nodes[at].value)
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.len + usize::from(self.bug == Bug::LenTooLong && self.len >= 3)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The tail is the end of what the head begins.
    #[invariant]
    fn ends_at_its_tail(&self) -> bool {
        self.chain().last() == self.tail.as_ref()
    }

    /// Every node is either linked or free.
    #[invariant]
    fn wastes_no_node(&self) -> bool {
        self.chain().len() + self.free.len() == self.nodes.len()
    }
}

impl Queue {
    /// The elements from the front to the back.
    #[must_use]
    pub fn to_vec(&self) -> Vec<i32> {
        self.chain().into_iter().map(|at| self.nodes[at].value).collect()
    }

    /// The linked nodes; a queue that is linked in a circle has one too many.
    fn chain(&self) -> Vec<usize> {
        let links = std::iter::successors(self.head, |at| self.nodes[*at].next);
        links.take(self.nodes.len() + 1).collect()
    }

    /// Takes the first node out.
    fn unlink(&mut self) {
        self.len -= 1;
        let Some(first) = self.head else { return };
        self.head = self.nodes[first].next;
        if self.bug != Bug::Leak {
            self.free.push(first);
        }
    }

    /// A node for a new last element.
    fn node(&mut self, value: i32) -> usize {
        let node = Node { value, next: None };
        if let Some(at) = self.free.pop() {
            self.nodes[at] = node;
            return at;
        }
        self.nodes.push(node);
        self.nodes.len() - 1
    }
}

impl Default for Queue {
    fn default() -> Self {
        Queue::new()
    }
}
