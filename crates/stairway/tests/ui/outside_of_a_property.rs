use stairway::prelude::*;

fn helper(x: i32) {
    assume!(x > 0);
    cover!(10.0, x > 5, "large");
    label!("x");
    classify!(x > 5, "large");
    collect!("x", x);
    note!("x is {x}");
    maximize!("x", 1.0);
}

fn main() {
    stairway::check(|t| {
        let x = t.pick(0..10)?;
        stairway::assume!(x > 0);
        helper(x);
        Ok(())
    });
}
