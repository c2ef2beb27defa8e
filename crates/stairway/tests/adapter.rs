//! Values of types that implement `arbitrary::Arbitrary`: they replay, shrink and are discarded.
#![cfg(feature = "arbitrary")]

use arbitrary::{Arbitrary, Unstructured};
use stairway::generate::{Choice, Choices, Prng, Source, from_arbitrary};
use stairway::report::{Failure, Outcome};
use stairway::{Checker, Draw, Report, Settings, Stop};

#[derive(Arbitrary, Clone, Debug, PartialEq)]
struct Basket {
    items: Vec<u8>,
    price: u32,
}

#[derive(Arbitrary, Debug, PartialEq)]
enum Shape {
    Dot,
    Circle(u8),
    Group(Vec<Shape>),
}

/// Can be made of an odd byte only.
#[derive(Debug)]
struct Odd(u8);

impl<'a> Arbitrary<'a> for Odd {
    fn arbitrary(u: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let byte = u.arbitrary()?;
        if byte % 2 == 1 { Ok(Odd(byte)) } else { Err(arbitrary::Error::IncorrectFormat) }
    }
}

fn check<T: for<'a> Arbitrary<'a> + std::fmt::Debug>(seed: u64, holds: impl Fn(&T) -> bool + Sync) -> Report {
    let settings = Settings::new().seed(seed).cases(10_000).without_regressions();
    Checker::new("adapter").settings(settings).report(|case| {
        let value = case.pick(from_arbitrary::<T>())?;
        if holds(&value) { Ok(()) } else { Err(Stop::fail(Failure::named("property"))) }
    })
}

/// What the smallest failing value is shown as, for each of several seeds.
fn shrunk<T: for<'a> Arbitrary<'a> + std::fmt::Debug>(holds: impl Fn(&T) -> bool + Sync) -> Vec<String> {
    let smallest = |seed| match check(seed, &holds).result.outcome {
        Outcome::Falsified(found) => found.observed.drawn[0].value.clone(),
        other => panic!("not found: {other:?}"),
    };
    (0..20).map(smallest).collect()
}

#[test]
fn a_struct_shrinks_to_a_small_value() {
    let few = shrunk(|basket: &Basket| basket.items.len() < 3);
    assert!(few.iter().all(|shown| shown == "Basket { items: [0, 0, 0], price: 0 }"), "{few:?}");
    let cheap = shrunk(|basket: &Basket| basket.price < 200);
    // 200 has a higher first byte than 0x1_0000, and the first byte that differs decides.
    assert!(cheap.iter().all(|shown| shown == "Basket { items: [], price: 65536 }"), "{cheap:?}");
    let both = shrunk(|basket: &Basket| basket.items.is_empty() || basket.price == 0);
    assert!(both.iter().all(|shown| shown == "Basket { items: [0], price: 1 }"), "{both:?}");
}

#[test]
fn an_enum_shrinks_to_a_small_value() {
    let circles = shrunk(|shape: &Shape| !matches!(shape, Shape::Circle(radius) if *radius > 9));
    assert!(circles.iter().all(|shown| shown == "Circle(10)"), "{circles:?}");
}

#[test]
fn a_record_replays_to_the_same_value() {
    for seed in 0..100 {
        let (mut choices, mut spans) = (vec![Choice::BLANK; 1 << 10], vec![stairway::engine::Span::BLANK; 8]);
        let random = Choices::new(Source::Random(Prng::new(seed)), 100);
        let mut draw = Draw::from(random.recording(&mut choices, &mut spans));
        let first: Basket = draw.draw(from_arbitrary()).unwrap();
        let record = draw.choices().recorded().to_vec();
        let source = Source::Replay { choices: &record, spans: None, bound: u64::MAX };
        assert_eq!(Draw::from(Choices::new(source, 100)).draw(from_arbitrary::<Basket>()).unwrap(), first);
    }
}

#[test]
fn bytes_of_the_wrong_format_discard_the_case() {
    let report = check(1, |odd: &Odd| odd.0 % 2 == 1);
    assert!(matches!(report.result.outcome, Outcome::Passed), "{report}");
    assert!(report.result.statistics.n_discarded > 1000, "{report}");
}
