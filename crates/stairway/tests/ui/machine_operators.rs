use stairway::check;

check! { a in door: allways(at(Ready)) }
check! { b in door: Ready }
check! { c in door: until(at(Ready)) }
check! { d in door, dept(3): at(Ready) }
check! { e in door: or(at(A), within(auto, at(B))) }
check! { f in door: can_reach(after(Push)) }
check! { g in door, exhaustive, random(3): at(Ready) }
check! { h door: at(Ready) }

fn main() {}
