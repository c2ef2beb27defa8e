//! A queue as a mutable linked list, with contracts, and with bugs that can be planted in it.

pub mod bug;
mod queue;

pub use queue::Queue;

#[cfg(test)]
mod tests {
    use super::Queue;

    #[test]
    fn the_queue_keeps_its_contracts() {
        stairway::Checker::contracts::<Queue>().demand_all().run();
    }
}
