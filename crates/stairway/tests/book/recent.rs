/// The last few values.
#[derive(Debug)]
pub struct Recent {
    values: Vec<u8>,
    n: usize,
}

impl Recent {
    pub fn new(n: usize) -> Recent {
        Recent { values: Vec::new(), n }
    }

    /// Adds a value; returns the one it pushed out.
    pub fn add(&mut self, value: u8) -> Option<u8> {
        let is_full = self.values.len() == self.n;
        self.values.push(value);
        if is_full { self.values.pop() } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;
    use std::collections::VecDeque;

    #[derive(Debug)]
    struct Window(VecDeque<u8>, usize);

    #[model(system = Recent)]
    impl Window {
        #[start]
        fn new(#[from(1..5)] n: usize) -> (Window, Recent) {
            (Window(VecDeque::new(), n), Recent::new(n))
        }

        #[op]
        fn add(&mut self, value: u8) -> Option<u8> {
            self.0.push_back(value);
            if self.0.len() > self.1 { self.0.pop_front() } else { None }
        }
    }

    #[test] #[ignore]
    fn recent_is_a_window() {
        Window::check();
    }
}
