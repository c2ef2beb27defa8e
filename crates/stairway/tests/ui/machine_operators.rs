use stairway::temporal;

temporal! { a in door: allways(at(Ready)) }
temporal! { b in door: Ready }
temporal! { c in door: until(at(Ready)) }
temporal! { d in door, dept(3): at(Ready) }
temporal! { e in door: or(at(A), within(auto, at(B))) }
temporal! { f in door: can_reach(after(Push)) }
temporal! { g in door, exhaustive, random(3): at(Ready) }
temporal! { h door: at(Ready) }

temporal! { i in door: always(at(A) || at(B)) }
temporal! { j in door: always(!at(A)) }
temporal! { k in door: always(at(ready)) }
temporal! { l in door: within(auto, always(at(A))) }
temporal! { m in door: and(within(auto, at(A)), within(auto, at(B))) }
temporal! { n in door: always(implies(eventually(at(A)), within(auto, at(B)))) }

fn main() {}
