use super::*;
use quote::format_ident;
use syn::{Expr, ItemEnum, ItemFn, ItemStruct, parse_quote};

fn uses(next: ItemFn) -> Uses {
    let op: ItemEnum = parse_quote!(
        pub enum Op {
            Set { v: u8, ret: Reply },
            Send { packet: Packet },
        }
    );
    let reply: ItemEnum = parse_quote!(
        pub enum Reply {
            Ack { a: u32 },
            Lost,
        }
    );
    let packet: ItemStruct = parse_quote!(
        pub struct Packet {
            pub payload: u8,
            pub number: u32,
        }
    );
    let limit: Item = parse_quote!(
        const LIMIT: u8 = 7;
    );
    let types = Types { enums: &[op, reply], structs: &[packet], aliases: &BTreeMap::new() };
    Uses::read(&Next::read(&next).expect("it can be read"), types, &[limit])
}

fn used(next: ItemFn) -> Vec<(String, Use)> {
    let text = |(ty, variant, k): &Key| format!("{ty}.{variant}.{k}");
    uses(next).fields.iter().map(|(key, of)| (text(key), *of)).collect()
}

fn of(next: ItemFn, field: &str) -> Use {
    used(next).into_iter().find(|(name, _)| name == field).map_or(Use::Ignored, |(_, of)| of)
}

#[test]
fn what_is_only_compared_is_told_from_what_is_computed_with() {
    let next = |guard: Expr| -> ItemFn {
        parse_quote!(fn next(s: State, op: Op) -> State {
            match (s, op) { (Idle { n }, Set { v, .. }) if #guard => Idle { n }, }
        })
    };
    let of_v = |guard: Expr| of(next(guard), "Op.Set.0");
    assert_eq!(of_v(parse_quote!(v == 3 || n < v)), Use::Compared);
    assert_eq!(of_v(parse_quote!(v <= LIMIT && v != n + 2)), Use::Compared);
    assert_eq!(of_v(parse_quote!(v == n.wrapping_add(1))), Use::Compared);
    assert_eq!(of_v(parse_quote!(v == n.wrapping_add(2))), Use::Free);
    assert_eq!(of_v(parse_quote!(matches!(v, 0..=9 | 12))), Use::Compared);
    assert_eq!(of_v(parse_quote!(v % 251 == 250)), Use::Free);
    assert_eq!(of_v(parse_quote!(is_good(v))), Use::Free);
    assert_eq!(of_v(parse_quote!(v < OTHER)), Use::Free);
    assert_eq!(of_v(parse_quote!(v < n * 2)), Use::Free);
    assert_eq!(of_v(parse_quote!(n == 3)), Use::Ignored);
}

#[test]
fn each_argument_has_its_own_numbers() {
    let next: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { n }, Send { packet }) if packet.number == n && packet.payload < 9 => Idle { n },
                (Idle { n }, Set { v: LIMIT, ret: Ack { a: 3 } }) => Idle { n },
                (Idle { n }, Set { v, ret: Lost }) if v == 9 => Idle { n },
            }
        }
    );
    let uses = uses(next);
    let bit = |ty: &str, variant: Option<&str>, k| {
        uses.bit(&format_ident!("{ty}"), variant.map(|name| format_ident!("{name}")).as_ref(), k)
    };
    let (v, a) = (bit("Op", Some("Set"), 0), bit("Reply", Some("Ack"), 0));
    let (payload, number) = (bit("Packet", None, 0), bit("Packet", None, 1));
    assert_eq!(uses.near_state(), number);
    let points = [("3i128", a), ("9i128", v | payload), ("(LIMIT) as i128", v)];
    let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
    let mut points = points.map(|(number, bits)| text(format!("({number}, {bits}u64)").parse().unwrap()));
    points.sort();
    let mut found: Vec<String> = uses.points().into_iter().map(text).collect();
    found.sort();
    assert_eq!(found, points);
}

#[test]
fn what_is_below_a_limit_is_tried_up_to_it() {
    let next: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { slots }, Send { packet }) if packet.number < 4 => {
                    Idle { slots: slots[packet.number as usize] }
                }
                (Idle { slots }, Set { v, .. }) if v <= LIMIT => Idle { slots: slots[v as usize] },
            }
        }
    );
    let op: ItemEnum = parse_quote!(
        pub enum Op {
            Set { v: u8 },
            Send { packet: Packet },
        }
    );
    let packet: ItemStruct = parse_quote!(
        pub struct Packet {
            pub number: u32,
        }
    );
    let limit: Item = parse_quote!(
        const LIMIT: u8 = 7;
    );
    let types = Types { enums: &[op], structs: &[packet], aliases: &BTreeMap::new() };
    let uses = Uses::read(&Next::read(&next).expect("it can be read"), types, &[limit]);
    assert!(uses.fields.values().all(|of| *of == Use::Compared), "{:?}", uses.fields);
    let below = |ty: &str, variant: Option<&str>| {
        let variant = variant.map(|name| format_ident!("{name}"));
        let below = uses.below(&format_ident!("{ty}"), variant.as_ref(), 0);
        assert!(!below.of_state);
        below.numbers.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(below("Packet", None), ["(4) as i128 + 0i128"]);
    assert_eq!(below("Op", Some("Set")), ["(LIMIT) as i128 + 1i128"]);
}

#[test]
fn a_limit_may_stand_inside_of_an_arm() {
    let next: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (_, Send { .. } | Set { ret: Lost, .. }) => s,
                (Session { sent, acked }, Set { ret: Ack { a }, .. }) => {
                    if acked <= a && a <= sent {
                        Session { sent, acked: a }
                    } else {
                        unreachable!()
                    }
                }
            }
        }
    );
    assert_eq!(of(next, "Reply.Ack.0"), Use::Compared);
}

#[test]
fn a_number_of_the_state_may_be_the_limit() {
    let next: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { n, from }, Set { v, .. }) if from <= v && v <= n => Idle { n, from: v },
            }
        }
    );
    assert_eq!(of(next, "Op.Set.0"), Use::Compared);
    let above: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { n }, Set { v, .. }) if v >= n => Idle { n: v },
            }
        }
    );
    assert_eq!(of(above, "Op.Set.0"), Use::Free);
}

#[test]
fn what_becomes_part_of_a_state_is_free() {
    let next: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Ready { n }, Send { packet }) if packet.number == n => Ready { n },
                (Ready { n }, Set { ret: Ack { a }, .. }) => Acked { n, a },
                (Ready { n }, Set { ret: Lost, .. }) => Ready { n },
            }
        }
    );
    assert_eq!(
        used(next),
        [
            ("Op.Send.0".to_string(), Use::Compared),
            ("Op.Set.1".to_string(), Use::Compared),
            ("Packet..1".to_string(), Use::Compared),
            ("Reply.Ack.0".to_string(), Use::Free),
        ]
    );
}

#[test]
fn arms_that_lead_nowhere_count_and_names_mean_what_they_mean_in_their_arm() {
    let refused: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (_, op) if is_bad(op) => unreachable!(),
                (Idle, Set { .. }) => Idle,
            }
        }
    );
    assert_eq!(of(refused, "Op.Set.0"), Use::Free);
    let scoped: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { n: v }, Send { .. }) => Idle { n: v + 1 },
                (Idle { n }, Set { v, .. }) if v < n => Idle { n },
            }
        }
    );
    assert_eq!(of(scoped, "Op.Set.0"), Use::Compared);
}

#[test]
fn a_match_inside_of_an_arm_compares() {
    let nested: ItemFn = parse_quote!(
        fn next(s: State, op: Op) -> State {
            match (s, op) {
                (Idle { n }, Set { v, ret }) if v > 9 => match (n, ret) {
                    (0, Ack { a: 0..=3 }) => Idle { n },
                    (_, Lost) => s,
                },
            }
        }
    );
    let used = used(nested);
    assert!(used.iter().all(|(_, of)| *of == Use::Compared), "{used:?}");
    assert_eq!(used.len(), 3, "{used:?}");
}
