/// A queue with a fixed number of places.
#[derive(Debug)]
pub struct Ring {
    slots: Vec<u8>,
    head: usize,
    len: usize,
}

impl Ring {
    pub fn new(capacity: usize) -> Ring {
        Ring { slots: vec![0; capacity], head: 0, len: 0 }
    }

    /// Adds a value at the end; false if there is no place for it.
    pub fn push(&mut self, value: u8) -> bool {
        if self.len == self.slots.len() {
            return false;
        }
        let at = (self.head + self.len) % self.slots.len();
        self.slots[at] = value;
        self.len += 1;
        true
    }

    /// Takes the first value.
    pub fn pop(&mut self) -> Option<u8> {
        if self.len == 0 {
            return None;
        }
        let value = self.slots[self.head];
        self.head = (self.head + 1) % self.len;
        self.len -= 1;
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;
    use std::collections::VecDeque;

    #[derive(Debug)]
    struct Fifo {
        items: VecDeque<u8>,
        capacity: usize,
    }

    #[model(system = Ring)]
    impl Fifo {
        #[start]
        fn new(#[from(1..=8)] capacity: usize) -> (Fifo, Ring) {
            (Fifo { items: VecDeque::new(), capacity }, Ring::new(capacity))
        }

        #[op]
        fn push(&mut self, value: u8) -> bool {
            let fits = self.items.len() < self.capacity;
            if fits {
                self.items.push_back(value);
            }
            fits
        }

        #[op]
        fn pop(&mut self) -> Option<u8> {
            self.items.pop_front()
        }

        #[cover(20.0)]
        fn wrapped(&self, system: &Ring) -> bool {
            system.head + system.len > self.capacity
        }
    }

    #[test] #[ignore]
    fn the_ring_is_a_queue() {
        Fifo::check();
    }
}
