//! A C file of 200 lines with contracts, for measuring how long it takes to begin.

use std::fmt::Write;

/// Fourteen counters of a kind, each with functions that have contracts.
pub(crate) fn text() -> String {
    let mut text = String::from("/* Counters with a limit; nothing is wrong here. */\n\n");
    for k in 0..14 {
        let _ = write!(
            text,
            "struct counter_{k} {{ unsigned n, limit; }};\n\n\
             unsigned step_{k}(struct counter_{k} *c, unsigned by)\n\
             /*@ requires take C = RW<struct counter_{k}>(c); C.n <= C.limit; by <= C.limit - C.n;\n\
             \x20   ensures take D = RW<struct counter_{k}>(c); D.n == C.n + by; return == D.n; @*/\n\
             {{\n    c->n += by;\n    return c->n;\n}}\n\n\
             unsigned left_{k}(unsigned n, unsigned limit)\n\
             /*@ requires n <= limit; ensures return == limit - n; @*/\n\
             {{ return limit - n; }}\n\n"
        );
    }
    text
}
