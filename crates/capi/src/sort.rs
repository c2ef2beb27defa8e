//! Sorting in little code: what `core` has for it takes a kilobyte of program memory for each type.

/// Sorts by a key, in place; elements with equal keys come in any order. Shell's sort, with gaps that are
/// halved.
pub(crate) fn sort_by_key<T: Copy, K: Ord>(slice: &mut [T], key: impl Fn(&T) -> K) {
    let mut gap = slice.len() / 2;
    while gap > 0 {
        for i in gap..slice.len() {
            let (moved, mut at) = (slice[i], i);
            while at >= gap && key(&slice[at - gap]) > key(&moved) {
                slice[at] = slice[at - gap];
                at -= gap;
            }
            slice[at] = moved;
        }
        gap /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_sorted_is_in_order_and_all_there() {
        let mut numbers: [u32; 100] = core::array::from_fn(|i| (i as u32).wrapping_mul(2_654_435_761) >> 25);
        let mut expected = numbers;
        expected.sort_unstable();
        sort_by_key(&mut numbers, |n| *n);
        assert_eq!(numbers, expected);
        sort_by_key(&mut [] as &mut [u32], |n| *n);
    }
}
