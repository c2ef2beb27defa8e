#[cfg(test)]
mod tests {
    use stairway::prelude::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[property] #[ignore]
    fn de_morgan(a: bool, b: bool) -> bool {
        !(a && b) == (!a || !b)
    }

    #[property(exhaustive = 4)] #[ignore]
    fn reversing_twice(xs: Vec<u8>) {
        let twice: Vec<u8> = xs.iter().rev().rev().copied().collect();
        assert_eq!(twice, xs);
    }

    #[property] #[ignore]
    fn remembers(x: u8) {
        static N_CALLS: AtomicU32 = AtomicU32::new(0);
        let n = N_CALLS.fetch_add(1, Ordering::Relaxed);
        assert!(n != 20, "called too often with {x}");
    }

    #[property(cases = 100)] #[ignore]
    fn climbs(#[from(vec(0..100u32, 0..10))] xs: Vec<u32>) {
        maximize!("sum", f64::from(xs.iter().sum::<u32>()));
    }
}
