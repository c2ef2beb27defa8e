//! The same model without an abstraction function, as a list of methods (section 13): only answers
//! are compared.

use queue::Queue;
use stairway::prelude::*;
use stairway::program::ModelBuilder;

pub(crate) fn methods() -> ModelBuilder<Vec<i32>, Queue> {
    ModelBuilder::new("a queue answers like a list", || (vec![], Queue::new()))
        .op_with("add", any::<i32>(), |list, n| list.push(*n), |queue, n| queue.add(*n))
        .op("remove", |list| *list = list.split_off(1), Queue::remove)
        .requires(|list| !list.is_empty())
        .op("clear", Vec::clear, Queue::clear)
        .op("front", |list| list.first().copied(), |queue| queue.front())
        .op("len", |list| list.len(), |queue| queue.len())
}

#[test]
fn the_queue_answers_like_a_list() {
    methods().checker().demand_all().run();
}
