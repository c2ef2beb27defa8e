/// What numbers are gathered in.
#[derive(Debug, Default)]
pub struct Bag {
    count: u32,
    sum: u32,
}

/// Where bags come from. There may be no room.
pub trait Heap {
    fn new_bag(&mut self) -> Option<Box<Bag>>;
    fn free_bag(&mut self, bag: Box<Bag>);
}

/// The average of a list; 0 if it is empty, or if there is no room to compute it.
pub fn average(heap: &mut impl Heap, list: &[u32]) -> u32 {
    let Some(mut bag) = heap.new_bag() else { return 0 };
    for x in list {
        bag.count += 1;
        bag.sum = bag.sum.wrapping_add(*x);
    }
    let average = bag.sum.checked_div(bag.count);
    heap.free_bag(bag);
    average.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::ask;
    use stairway::prelude::*;

    /// The average and how many bags are left behind: none.
    fn average_spec(list: &[u32]) -> Outcomes<(u32, u32)> {
        let sum: u64 = list.iter().map(|x| u64::from(*x)).sum();
        let mean = sum.checked_div(list.len() as u64).unwrap_or(0);
        Outcomes::named("average", (mean as u32, 0)).or(Outcomes::named("no room", (0, 0)))
    }

    /// A heap in which the oracle says whether there is room.
    #[derive(Default)]
    struct MockHeap {
        n_bags: u32,
    }

    impl Heap for MockHeap {
        fn new_bag(&mut self) -> Option<Box<Bag>> {
            let bag = ask("new_bag", [Some(Box::default()), None])?;
            self.n_bags += 1;
            Some(bag)
        }

        fn free_bag(&mut self, _: Box<Bag>) {
            self.n_bags -= 1;
        }
    }

    fn run(list: &[u32]) -> (u32, u32) {
        let mut heap = MockHeap::default();
        let average = average(&mut heap, list);
        (average, heap.n_bags)
    }

    refinement! { #[ignore]
        average_refines_its_spec(list: Vec<u32>, oracle: Oracle) {
            spec => average_spec(&list),
            real => run(&list),
        }
    }
}
