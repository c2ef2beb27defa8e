use stairway::prelude::*;

fn names() -> impl Generate<Value = String> {
    just(String::from("ada"))
}

#[derive(Arbitrary)]
struct Person {
    #[from(names())]
    age: u32,
}

fn main() {
    let _ = |person: Person| person.age;
}
