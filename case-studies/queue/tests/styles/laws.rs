//! The five equations of section 4 of "Testing Monadic Code with QuickCheck".

use queue::Queue;
use stairway::prelude::*;

laws! {
    pub(crate) system Queue = Queue::new();
    op add(n: i32);
    op remove() requires !system.is_empty();
    op clear();
    op front() -> Option<i32>;
    op len() -> usize;

    front_of_empty:              start [x = front()]           == start [x = None];
    front_of_one(m: i32):        start [add(m); x = front()]   == start [add(m); x = Some(m)];
    front_add(m: i32, n: i32):   [add(m); add(n); x = front()] == [add(m); x = front(); add(n)];
    remove_the_only_one(m: i32): start [add(m); remove()]      == start [];
    add_remove(m: i32, n: i32):  [add(m); add(n); remove()]    == [add(m); remove(); add(n)];
}
