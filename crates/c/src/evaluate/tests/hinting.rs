//! What contracts say about parameters.

use super::*;
use crate::evaluate::{Bound, HintKind, Portion, hints};
use num_bigint::BigInt;

const NAMES: [&str; 7] = ["x", "n", "p", "a", "k", "m", "y"];

fn shown(requires: &str) -> String {
    let bench = bench(&format!("requires {requires};"));
    let contract = bench.specs.contract("f").expect("a contract");
    let bound = |b: &Bound| match b.parameter {
        Some(k) if b.number == BigInt::ZERO => NAMES[k].to_string(),
        Some(k) => format!("{} + {}", NAMES[k], b.number),
        None => b.number.to_string(),
    };
    let kind = |kind: &HintKind| match kind {
        HintKind::OneOf(list) => {
            format!("one of {}", list.iter().map(BigInt::to_string).collect::<Vec<_>>().join(" "))
        }
        HintKind::Equal(b) => format!("= {}", bound(b)),
        HintKind::Unequal(b) => format!("!= {}", bound(b)),
        HintKind::AtLeast(b) => format!(">= {}", bound(b)),
        HintKind::AtMost(b) => format!("<= {}", bound(b)),
        HintKind::Memory { offset, size, is_initialised, .. } => {
            format!("{size} bytes at {offset}{}", if *is_initialised { ", written" } else { "" })
        }
        HintKind::Predicate { argument, admits_null, takes, .. } => {
            format!(
                "argument {argument} of a predicate, null {admits_null}, takes {:?}",
                takes.map(|t| (t.1, t.2))
            )
        }
        HintKind::Elements { stride, from, to, .. } => {
            format!(
                "elements of {stride} from {} to {}",
                from.as_ref().map_or("?".into(), bound),
                to.as_ref().map_or("?".into(), bound)
            )
        }
        other => format!("{other:?}"),
    };
    let part = |part: &Portion| {
        let pointee = if part.is_pointee { "*" } else { "" };
        let path: String = part.path.iter().map(|member| format!(".{member}")).collect();
        format!("{pointee}{path}")
    };
    hints(&bench.specs, contract)
        .iter()
        .map(|h| {
            let part = h.part.as_ref().map_or(String::new(), part);
            format!("{}{part} {}", NAMES[h.parameter], kind(&h.kind))
        })
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn parameters_are_pinned_bounded_and_linked() {
    assert_eq!(shown("x == 42i32"), "x one of 42");
    assert_eq!(shown("n < 10u32 && 2u32 <= n"), "n <= 9; n >= 2");
    assert_eq!(shown("x == 1i32 || x == 5i32 || 7i32 == x"), "x one of 1 5 7");
    assert_eq!(shown("x == 1i32 || y == 5i32"), "");
    assert_eq!(shown("x != 0i32; x < y"), "x != 0; x <= y + -1; y >= x + 1");
    assert_eq!(shown("let top = y - 2i32; x <= top"), "x <= y + -2");
    assert_eq!(shown("!(x < 3i32)"), "x >= 3");
    assert_eq!(shown("(i64) x == 3i64; x == y"), "x one of 3; x = y; y = x");
    assert_eq!(shown("k == (u32) RED || k == (u32) GREEN"), "k one of 0 5");
    assert_eq!(shown("p != NULL; is_null(a); !is_null(m)"), "p NotNull; a Null; m NotNull");
    assert_eq!(shown("is_null(p) || x == 0i32"), "p MayBeNull");
    assert_eq!(
        shown("take P = RW<struct node>(p); take A = W<int>(a); take M = RW<int>(&(m->n.v))"),
        "p 16 bytes at 0, written; a 4 bytes at 0; m 4 bytes at 32, written"
    );
    assert_eq!(shown("take L = Chain(p)"), "p argument 0 of a predicate, null true, takes Some((16, true))");
    assert_eq!(
        shown("take L = HandedOn(p)"),
        "p argument 0 of a predicate, null true, takes Some((16, true))",
        "a predicate that hands its argument on is looked through"
    );
    assert_eq!(shown("take A = each (u32 i; i < n) { RW<int>(a + i) }"), "a elements of 4 from ? to n + -1");
    assert_eq!(
        shown("take A = each (i32 i; 0i32 <= i && i <= x) { W<int>(array_shift<int>(a, i)) }"),
        "a elements of 4 from 0 to x"
    );
}

#[test]
fn parts_of_what_is_taken_are_bounded() {
    let of_p = |clause: &str| shown(&format!("take P = RW<struct node>(p); {clause}"));
    let taken = "p 16 bytes at 0, written";
    assert_eq!(of_p("P.v <= 4i32; P.v > 0i32"), format!("{taken}; p*.0 <= 4; p*.0 >= 1"));
    assert_eq!(of_p("P.v == 1i32 || P.v == 3i32"), format!("{taken}; p*.0 one of 1 3"));
    assert_eq!(of_p("!is_null(P.next)"), format!("{taken}; p*.1 NotNull"));
    assert_eq!(of_p("let v = P.v; x < v"), format!("{taken}; x IsBounded; p*.0 >= x + 1"));
    assert_eq!(shown("take A = RW<int>(a); A >= 0i32"), "a 4 bytes at 0, written; a* >= 0");
    assert_eq!(shown("take A = W<int>(a); x >= 0i32"), "a 4 bytes at 0; x >= 0");
}
