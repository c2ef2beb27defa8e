/// Inserts `x` into the sorted `xs`, which stays sorted.
pub fn insert(x: i32, xs: &mut Vec<i32>) {
    let at = xs.iter().position(|y| *y >= x).unwrap_or(0);
    xs.insert(at, x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;

    #[property] #[ignore]
    fn insert_keeps_order(x: i32, #[from(sorted(vec(any(), 0..20)))] xs: Vec<i32>) {
        let mut ys = xs.clone();
        insert(x, &mut ys);
        note!("after: {ys:?}");
        assert!(ys.is_sorted());
    }
}
