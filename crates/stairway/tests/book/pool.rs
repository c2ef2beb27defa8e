/// Hands out the numbers of slots; those returned are used again.
#[derive(Default)]
pub struct Pool {
    free: Vec<usize>,
    n_slots: usize,
}

impl Pool {
    pub fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.n_slots += 1;
            self.n_slots - 1
        })
    }

    pub fn give_back(&mut self, slot: usize) {
        if slot + 1 == self.n_slots {
            self.n_slots -= 1;
        }
        self.free.push(slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;

    #[test] #[ignore]
    fn taken_slots_differ() {
        check(|t| {
            let mut pool = Pool::default();
            let n = t.pick(0..10)?;
            let mut taken: Vec<usize> = (0..n).map(|_| pool.take()).collect();
            let slot = t.pick(sampled_from(&taken))?;
            pool.give_back(slot);
            taken.retain(|other| *other != slot);
            for _ in 0..t.pick(0..5)? {
                let slot = pool.take();
                t.note(format_args!("took {slot}"));
                assert!(!taken.contains(&slot), "{slot} was taken already");
                taken.push(slot);
            }
            Ok(())
        });
    }
}
