//! What checking a call costs; run with `cargo test --release -p stairway-c measure -- --ignored --nocapture`.

use super::*;

#[test]
#[ignore = "prints a measurement"]
fn pre_and_post_over_twenty_nodes() {
    let contract = "requires take L = Chain(p); ensures take M = Chain(p); M == snoc(L, x);";
    let mut bench = bench(contract);
    let values: Vec<i32> = (0..20).collect();
    let p = bench.memory.list(&values);
    let last = START + (p - START) - 32 * 19;
    let new = bench.memory.node(77, 0);
    bench.evaluator.set_explains(false);
    let arguments = Arguments { x: 77, p, ..Arguments::default() };
    let mut best = u128::MAX;
    for _ in 0..1000 {
        let n = 50;
        #[expect(clippy::disallowed_methods, reason = "a measurement")]
        let start = std::time::Instant::now();
        for _ in 0..n {
            bench.memory.write(last + 8, &0u64.to_le_bytes());
            let entered = bench.enter(arguments).expect("it holds");
            bench.memory.write(last + 8, &new.to_le_bytes());
            bench.exit(entered, 0).expect("it holds");
        }
        best = best.min(start.elapsed().as_nanos() / n);
    }
    println!("fake memory: {best} ns for pre and post over 20 nodes");
}
