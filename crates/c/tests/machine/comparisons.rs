//! What is seen of comparisons where the object announces them: how near the operands came, and what they were.

use stairway_c::build::Settings as BuildSettings;
use stairway_c::machine::{Comparison, Settings, Watch};

use crate::support::{Program, program_with};

/// The comparisons of a call, the nearest first.
fn comparisons(p: &mut Program, argument: i32) -> Vec<(u8, Option<(i64, i64)>)> {
    p.machine.watch(Watch::Comparisons);
    p.int("f", &[argument]).expect("returns");
    p.machine.watch(Watch::Nothing);
    let mut made = Vec::new();
    p.machine.take_comparisons(|Comparison { nearness, operands, .. }| {
        made.push((nearness, operands.map(|(left, right)| (left as i64, right as i64))));
    });
    made.sort_by_key(|(nearness, _)| std::cmp::Reverse(*nearness));
    made
}

#[test]
fn comparisons_tell_how_near_they_came_and_to_what() {
    let comparing = BuildSettings { compares: true, ..BuildSettings::default() };
    let text = "int n, by; int f(int x) { if (x + by == 1000) n++; return n; }";
    let mut p = program_with(&[text], &comparing, Settings::default());
    let one_of = |made: Vec<(u8, Option<(i64, i64)>)>| match made[..] {
        [(nearness, Some((left, right)))] => (nearness, left.min(right), left.max(right)),
        _ => panic!("{made:?}"),
    };
    // One less for each bit of the distance; of equal numbers there is nothing more to be known.
    assert_eq!(one_of(comparisons(&mut p, 999)), (64, 999, 1000));
    assert_eq!(one_of(comparisons(&mut p, 0)), (55, 0, 1000));
    assert_eq!(one_of(comparisons(&mut p, -3)), (55, -3, 1000));
    assert_eq!(comparisons(&mut p, 1000), [(65, None)]);
    p.int("f", &[999]).expect("returns");
    p.machine.take_comparisons(|_| panic!("nobody watches"));
}

#[test]
fn switches_floats_and_texts_are_compared_too() {
    let comparing = BuildSettings { compares: true, ..BuildSettings::default() };
    let cases = "int n; int f(int x) { switch (x) { case 10: n = 1; break; case 300: n = 2; break; case 7000: n = 3; \
                 break; case 90000: n = 4; break; default: n++; } return n; }";
    let mut p = program_with(&[cases], &comparing, Settings::default());
    let nearest = comparisons(&mut p, 302)[0];
    assert_eq!(nearest, (63, Some((302, 300))));
    drop(p);
    let floats = "int n; int f(int x) { if (x / 2.0 == 1.5) n++; return n; }";
    let mut p = program_with(&[floats], &comparing, Settings::default());
    let (far, near) = (comparisons(&mut p, 900)[0].0, comparisons(&mut p, 4)[0].0);
    assert!(far < near && near < 65, "{far} {near}");
    assert_eq!(comparisons(&mut p, 3)[0], (65, None));
    drop(p);
    let texts = "int strcmp(const char *, const char *); char t[8] = \"unlock\"; \
                 int f(int x) { t[x] = 'X'; int r = strcmp(t, \"unlock\"); t[x] = \"unlock\"[x]; return r; }";
    let mut p = program_with(&[texts], &comparing, Settings::default());
    let (second, fifth) = (comparisons(&mut p, 1), comparisons(&mut p, 4));
    assert_eq!(second.last(), Some(&(2, Some((i64::from(b'X'), i64::from(b'n'))))));
    assert_eq!(fifth.last(), Some(&(5, Some((i64::from(b'X'), i64::from(b'c'))))));
}
