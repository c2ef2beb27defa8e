//! Union-Find, with contracts, and with bugs that can be planted in it.

pub mod bug;
mod classes;

pub use classes::{Classes, Element};

#[cfg(test)]
mod tests {
    use super::Classes;

    #[test]
    fn classes_keep_their_contracts() {
        stairway::Checker::contracts::<Classes>().demand_all().run();
    }
}
