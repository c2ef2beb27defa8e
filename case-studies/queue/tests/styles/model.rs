//! A model with an abstraction function, as in section 5: after every call the queue must stand for
//! the list that the model has become.

use queue::Queue;
use stairway::prelude::*;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct List(Vec<i32>);

#[model(system = Queue)]
impl List {
    #[start]
    fn new() -> (List, Queue) {
        (List(vec![]), Queue::new())
    }

    #[abstraction]
    fn of(queue: &Queue) -> List {
        List(queue.to_vec())
    }

    #[op]
    fn add(&mut self, n: i32) {
        self.0.push(n);
    }

    #[op(requires = !self.0.is_empty())]
    fn remove(&mut self) {
        self.0.remove(0);
    }

    #[op]
    fn clear(&mut self) {
        self.0.clear();
    }

    #[op]
    fn front(&self) -> Option<i32> {
        self.0.first().copied()
    }

    #[op]
    fn len(&self) -> usize {
        self.0.len()
    }
}

#[test]
fn the_queue_is_a_list() {
    List::checker().demand_all().run();
}
