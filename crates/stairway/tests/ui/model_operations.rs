use stairway::prelude::*;

struct System;
struct File;

#[derive(Clone)] struct Wrong;
#[model(system = System)]
impl Wrong {
    #[start]
    fn new(&self, h: Ref<File>) -> (Self, System) {
        (Wrong, System)
    }
    #[op(wait = 3)]
    fn unknown_option(&mut self) {}
    #[op(requires)]
    fn no_value(&mut self) {}
    #[op(weight = "3")]
    fn weight_in_words(&mut self) {}
    #[op(weight = 3, weight = 4)]
    fn twice(&mut self) {}
    #[op(consumes = v)]
    fn consumes_a_value(&mut self, v: i32) {}
    #[op(consumes = k)]
    fn consumes_nothing(&mut self, h: Ref<File>) {}
    #[op(consumes = 3)]
    fn consumes_a_number(&mut self, h: Ref<File>) {}
    #[op]
    fn no_self(v: i32) {}
    #[op]
    fn by_value(self) {}
    #[op]
    fn generic<T>(&mut self, v: T) {}
    #[op]
    fn pattern(&mut self, (a, b): (i32, i32)) {}
    #[op]
    fn result_of_a_value(&mut self, #[result] h: i32) {}
    #[op]
    fn result_and_answer(&mut self, #[result] h: Ref<File>) -> bool {
        true
    }
    #[op]
    fn reference_from(&mut self, #[from(0..3)] h: Ref<File>) {}
    #[op]
    fn with_case(&mut self, t: &mut Case) {}
    #[op]
    async fn awaited(&mut self) {}
    #[op]
    fn allowed(&mut self) -> Allowed<'_, Self, i32> {
        Allowed::of(self)
    }
    #[op]
    #[invariant]
    fn two_roles(&self) -> bool {
        true
    }
    #[cleanup(weight = 3)]
    fn stop(&mut self, v: i32) {}
    #[invariant]
    fn changes(&mut self) -> bool {
        true
    }
    #[invariant]
    fn says_much(&self) -> u8 { 0 }
    #[terminal]
    fn sees(&self, system: &System) -> bool {
        true
    }
    #[cover]
    fn how_often(&self) -> bool {
        true
    }
    fn unmarked(&self, #[from(0..3)] v: i32) {}
}

fn main() {}
