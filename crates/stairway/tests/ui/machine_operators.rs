use stairway::check;

check! { a in door: allways(at(Ready)) }
check! { b in door: Ready }
check! { c in door: until(at(Ready)) }
check! { d in door, dept(3): at(Ready) }
check! { e in door: or(at(A), within(auto, at(B))) }
check! { f in door: can_reach(after(Push)) }
check! { g in door, exhaustive, random(3): at(Ready) }
check! { h door: at(Ready) }

check! { i in door: always(at(A) || at(B)) }
check! { j in door: always(!at(A)) }
check! { k in door: always(at(ready)) }
check! { l in door: within(auto, always(at(A))) }
check! { m in door: and(within(auto, at(A)), within(auto, at(B))) }
check! { n in door: always(implies(eventually(at(A)), within(auto, at(B)))) }

fn main() {}
