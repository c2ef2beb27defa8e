use super::*;
use crate::Outcomes;

fn read() -> Outcomes<Result<Vec<u8>, &'static str>> {
    Outcomes::named("read", Ok(vec![1, 2, 3])).or(Outcomes::each(["io", "full"]).map(Err))
}

#[test]
fn what_is_allowed_corresponds_and_is_counted() {
    let corres = Spec::any_of(read()).compare(Err("full"));
    assert!(corres.holds() && corres.why().is_none());
    assert_eq!(corres.taken().collect::<Vec<_>>(), ["\"full\""]);
    assert_eq!(corres.alternatives.len(), 3);
}

#[test]
fn what_is_not_allowed_is_shown_beside_what_is() {
    let corres = Spec::any_of(read()).relate_ok(Vec::eq).compare(Ok::<_, &str>(vec![1, 9, 3]));
    assert_eq!(
        corres.why().unwrap(),
        "the implementation did something that the specification does not allow

  observed    Ok([1, 9, 3])
  allowed     Ok([1, 2, 3]) (read)
              Err(\"io\")
              Err(\"full\")

  the nearest, read, at index 1:
    allowed   Ok([1, 2, 3])
    observed  Ok([1, 9, 3])
                     ^"
    );
}

#[test]
fn an_exact_specification_has_no_choice() {
    let same = |spec: &i64, real: &i32| *spec == i64::from(*real);
    let corres = Spec::exactly(5).relate(same).compare(6);
    assert_eq!(
        corres.why().unwrap(),
        "the implementation did something else than the specification says

  observed    6
  allowed     5

  the difference:
    allowed   5
    observed  6
              ^"
    );
    assert!(Spec::exactly(5).relate(same).compare(5).holds());
}

#[test]
fn allowing_nothing_is_a_fault_of_the_specification() {
    let corres = Spec::any_of(Outcomes::none()).compare(1);
    let failure = corres.failure.as_ref().unwrap();
    assert!(
        failure_words::identity(&failure).starts_with("the specification: allows nothing at "),
        "{failure:?}"
    );
    assert!(failure_words::message(&failure).contains("it allows no outcome at all for this input"));
}

#[test]
fn conditions_are_about_what_is_seen() {
    let late = || Outcomes::matching("a later time", |now: &u64| *now > 5);
    let seen = |clock: &(u64, &str)| clock.0;
    assert!(Spec::any_of(late()).view(seen).compare((9, "x")).holds());
    assert_eq!(
        Spec::any_of(late()).view(seen).compare((4, "x")).why().unwrap(),
        "the implementation did something that the specification does not allow

  observed    4
  seen in     (4, \"x\")
  allowed     a later time"
    );
    let refused = Spec::any_of(late()).relate(|_, _: &(u64, &str)| true).compare((9, "x"));
    assert!(refused.why().unwrap().contains("`a later time` is a condition"));
    // Another alternative explains it: the condition was not needed.
    assert!(Spec::any_of(late().or(Outcomes::just(3))).relate(|a, b: &u64| a == b).compare(3).holds());
    // Of one type, the outcome itself is what the condition is about.
    assert!(Spec::any_of(late()).compare(9).holds() && !Spec::any_of(late()).compare(4).holds());
}

#[test]
fn outcomes_that_look_alike_are_told_apart_in_words() {
    let corres = Spec::exactly(1.0).relate(|_, _: &f64| false).compare(1.0);
    assert!(
        corres
            .why()
            .unwrap()
            .ends_with("they are shown alike: the relation tells them apart by something else")
    );
}

#[test]
fn many_outcomes_are_not_all_listed() {
    let corres = Spec::any_of(Outcomes::each(0..500)).compare(1000);
    let why = corres.why().unwrap();
    assert!(why.contains("and 480 more") && why.lines().count() < 32, "{why}");
}
