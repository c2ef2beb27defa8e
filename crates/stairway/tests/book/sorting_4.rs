/// Inserts `x` into the sorted `xs`, which stays sorted.
pub fn insert(x: i32, xs: &mut Vec<i32>) {
    let at = xs.iter().position(|y| *y >= x).unwrap_or(xs.len());
    xs.insert(at, x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use stairway::prelude::*;

    // The book shows this:
    #[property] #[ignore]
    fn insert_keeps_order(x: i32, #[from(sorted(vec(any(), 0..20)))] xs: Vec<i32>) {
        cover!(10.0, xs.len() > 5, "long lists");
        cover!(30.0, xs.contains(&x), "x is there already");
        let mut ys = xs.clone();
        insert(x, &mut ys);
        assert!(ys.is_sorted());
    }
}
