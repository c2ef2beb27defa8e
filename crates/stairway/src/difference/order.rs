//! Which elements of two lists stand for each other: those that make the fewest changes.
//!
//! The edit distance of Wagner and Fischer, "The String-to-String Correction Problem" (1974), between a common
//! beginning and a common end.

/// Lists whose lengths have a larger product are compared place by place.
const MAX_TABLE: usize = 40_000;

/// An element of both lists, or of one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pair {
    Both(usize, usize),
    One(usize),
    Other(usize),
}

/// The pairs that are not alike, in order.
pub(super) fn unlike<T>(one: &[T], other: &[T], is_alike: impl Fn(&T, &T) -> bool) -> Vec<Pair> {
    let n_before = one.iter().zip(other).take_while(|(a, b)| is_alike(a, b)).count();
    let (a, b) = (&one[n_before..], &other[n_before..]);
    let n_behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| is_alike(a, b)).count();
    let (a, b) = (&a[..a.len() - n_behind], &b[..b.len() - n_behind]);
    let pairs = if a.len().saturating_mul(b.len()) > MAX_TABLE {
        by_place(a.len(), b.len()).into_iter().filter(|pair| !is_both(*pair, a, b, &is_alike)).collect()
    } else {
        by_fewest_changes(a, b, &is_alike)
    };
    let moved = |pair| match pair {
        Pair::Both(k, l) => Pair::Both(k + n_before, l + n_before),
        Pair::One(k) => Pair::One(k + n_before),
        Pair::Other(l) => Pair::Other(l + n_before),
    };
    pairs.into_iter().map(moved).collect()
}

fn is_both<T>(pair: Pair, a: &[T], b: &[T], is_alike: &impl Fn(&T, &T) -> bool) -> bool {
    matches!(pair, Pair::Both(k, l) if is_alike(&a[k], &b[l]))
}

fn by_place(n: usize, m: usize) -> Vec<Pair> {
    let both = (0..n.min(m)).map(|k| Pair::Both(k, k));
    both.chain((m..n).map(Pair::One)).chain((n..m).map(Pair::Other)).collect()
}

fn by_fewest_changes<T>(a: &[T], b: &[T], is_alike: &impl Fn(&T, &T) -> bool) -> Vec<Pair> {
    let width = b.len() + 1;
    // How many changes make the rest of one list that of the other.
    let mut n_changes = vec![0_usize; (a.len() + 1) * width];
    let at = |k: usize, l: usize| k * width + l;
    for k in (0..=a.len()).rev() {
        for l in (0..=b.len()).rev() {
            n_changes[at(k, l)] = match (k < a.len(), l < b.len()) {
                (false, _) => b.len() - l,
                (_, false) => a.len() - k,
                _ => {
                    let both = n_changes[at(k + 1, l + 1)] + usize::from(!is_alike(&a[k], &b[l]));
                    both.min(1 + n_changes[at(k + 1, l)]).min(1 + n_changes[at(k, l + 1)])
                }
            };
        }
    }
    let mut pairs = Vec::new();
    let (mut k, mut l) = (0, 0);
    while k < a.len() || l < b.len() {
        let n = n_changes[at(k, l)];
        let is_pair = k < a.len() && l < b.len();
        if is_pair && is_alike(&a[k], &b[l]) && n == n_changes[at(k + 1, l + 1)] {
            (k, l) = (k + 1, l + 1);
        } else if is_pair && n == 1 + n_changes[at(k + 1, l + 1)] {
            pairs.push(Pair::Both(k, l));
            (k, l) = (k + 1, l + 1);
        } else if k < a.len() && n == 1 + n_changes[at(k + 1, l)] {
            pairs.push(Pair::One(k));
            k += 1;
        } else {
            pairs.push(Pair::Other(l));
            l += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(one: &str, other: &str) -> Vec<Pair> {
        let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
        unlike(&one, &other, |a, b| a == b)
    }

    #[test]
    fn what_is_missing_moves_nothing_else() {
        assert_eq!(of("abc", "abc"), []);
        assert_eq!(of("abcde", "abde"), [Pair::One(2)]);
        assert_eq!(of("abc", "abxc"), [Pair::Other(2)]);
        assert_eq!(of("abcd", "bcde"), [Pair::One(0), Pair::Other(3)]);
        assert_eq!(of("abcd", "axcy"), [Pair::Both(1, 1), Pair::Both(3, 3)]);
        assert_eq!(of("", "ab"), [Pair::Other(0), Pair::Other(1)]);
        assert_eq!(of("ab", ""), [Pair::One(0), Pair::One(1)]);
    }

    #[test]
    fn long_lists_are_compared_place_by_place() {
        let (mut one, mut other) = (vec![0; 1000], vec![0; 1001]);
        one[0] = 1;
        (other[500], other[1000]) = (2, 2);
        let pairs = unlike(&one, &other, |a, b| a == b);
        assert_eq!(pairs, [Pair::Both(0, 0), Pair::Both(500, 500), Pair::Other(1000)]);
    }
}
