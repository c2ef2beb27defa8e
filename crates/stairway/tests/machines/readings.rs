//! What is read off `next`: operations exist where they are possible and nowhere else, and arguments are
//! among what the machine knows.

use stairway::prelude::*;

/// A file system: alternatives of states, guards on results, and results that cannot be.
#[machine(start = Unmounted)]
pub mod fs {
    pub enum State {
        Unmounted,
        Replaying { left: u8 },
        Mounted { is_dirty: bool },
        Crashed,
    }
    pub enum Op {
        Mount { ret: Journal },
        Replay { ret: Block },
        Write,
        Unmount,
        Crash,
        Check,
    }
    pub enum Journal {
        Empty,
        Entries { n: u8 },
    }
    pub enum Block {
        Good,
        Bad,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Unmounted, Mount { ret: Empty }) => Mounted { is_dirty: false },
            (Unmounted, Mount { ret: Entries { n } }) if n > 0 && n <= 3 => Replaying { left: n },
            (Unmounted, Mount { ret: Entries { .. } }) => unreachable!(),
            (Replaying { left: 1 }, Replay { ret: Good }) => Mounted { is_dirty: false },
            (Replaying { left }, Replay { ret: Good }) => Replaying { left: left - 1 },
            (Replaying { .. }, Replay { ret: Bad }) => Crashed,
            (Replaying { .. } | Mounted { .. }, Crash) => Crashed,
            (Mounted { .. }, Write) => Mounted { is_dirty: true },
            (Mounted { .. }, Unmount) | (Crashed, Check) => Unmounted,
        }
    }
}

temporal! { dirty_after_writing in fs, exhaustive: always(implies(at(Mounted { is_dirty: true }), after(Write))) }
temporal! { home in fs, exhaustive: always(can_reach(at(Unmounted))) }

#[test]
fn operations_are_where_they_are_possible() {
    let of = |op: &str| -> Vec<String> {
        let dot = fs::picture().dot();
        let lines = dot.lines().filter(|line| line.contains("->") && line.contains(op));
        let mut from: Vec<String> =
            lines.filter_map(|line| line.split("->").next()).map(|from| from.trim().to_string()).collect();
        from.dedup();
        from
    };
    assert_eq!(of("unmount").len(), 1, "{:?}", of("unmount"));
    assert_eq!(of("replay").len(), 1, "{:?}", of("replay"));
    assert_eq!(of("crash").len(), 2, "{:?}", of("crash"));
    // Each result of `replay` leads somewhere, so that it gives no `Result`.
    let fs::MountNext::Replaying(replaying) = fs::start().mount(fs::Journal::Entries { n: 2 }).unwrap()
    else {
        panic!("there was something to replay")
    };
    let fs::ReplayNext::Crashed(crashed) = replaying.replay(fs::Block::Bad) else { panic!("it was bad") };
    drop(crashed.check());
}

/// Numbers behind names, in helpers, between two others, below zero, and characters.
#[machine(start = Locked)]
pub mod safe {
    pub const MAGIC: u32 = 1 << 20;
    pub enum State {
        Locked,
        Armed {
            by: char,
        },
        Tuned {
            to: i8,
        },
        Open(u8),
        #[terminal]
        Empty,
    }
    pub enum Op {
        Unlock { key: u32 },
        Name(char),
        Tune { by: i8 },
        Turn { angle: u8, ret: Felt },
        Take,
    }
    pub enum Felt {
        Click,
        Nothing,
    }

    const fn is_right(angle: u8) -> bool {
        angle > 200 && angle < 202
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Locked, Unlock { key }) if key == MAGIC => Armed { by: '?' },
            (Armed { .. }, Name('q')) => Armed { by: 'q' },
            (Armed { .. }, Name(by)) if by == 'é' => Armed { by: 'é' },
            (Armed { by: 'é' }, Tune { by }) if by == -77 => Tuned { to: by },
            (Tuned { to }, Turn { angle, ret: Click }) if is_right(angle) && to < 0 => Open(angle),
            // Said of some data only, and of nothing else.
            (Tuned { to: -77 }, Turn { ret: Nothing, .. }) => Locked,
            (Open(_), Take) => Empty,
        }
    }
}

temporal! { opens_with_the_right_angle in safe, exhaustive: always(implies(at(Open(_)), at(Open(201)))) }
temporal! { is_opened in safe, exhaustive: always(implies(not(at(Empty)), can_reach(at(Empty)))) }
temporal! { magic_is_known in safe, exhaustive: always(implies(after(Unlock { key } if key == MAGIC), at(Armed))) }

/// `options` is not asked where nothing is possible.
#[machine(start = Fresh { n: 2 })]
pub mod fuse {
    use stairway::generate::Choices;
    pub enum State {
        Fresh {
            n: u8,
        },
        #[terminal]
        Burnt,
    }
    pub enum Op {
        Use,
        Overload,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Fresh { n: 0 }, Use) | (Fresh { .. }, Overload) => Burnt,
            (Fresh { n }, Use) => Fresh { n: n - 1 },
        }
    }

    fn options(s: State, c: &mut Choices) -> Op {
        match s {
            Fresh { .. } => {
                if c.chance(3, 4) {
                    Use
                } else {
                    Overload
                }
            }
            Burnt => unreachable!(),
        }
    }
}

temporal! { burns in fuse: within(3, at(Burnt)) }

/// Arguments that are looked at beside the pattern: what they lead to is explored.
#[machine(start = Idle)]
pub mod dial {
    pub enum State {
        Idle,
        Set { n: u8 },
        Passed { n: u8 },
    }
    pub enum Op {
        Turn { n: u8, ret: bool },
        Pass { n: u8 },
        Reset,
    }

    const fn number(op: Op) -> u8 {
        match op {
            Turn { n, .. } | Pass { n } => n,
            Reset => 0,
        }
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Idle, Turn { ret: true, .. }) if matches!(op, Turn { n: 8.., .. }) => Set { n: number(op) },
            (Idle, Turn { ret: false, .. }) => Idle,
            (Idle, Pass { .. }) => Passed { n: number(op) },
            (Set { .. } | Passed { .. }, Reset) => Idle,
        }
    }
}

#[test]
fn arguments_that_are_looked_at_beside_the_pattern_are_varied() {
    let explored = stairway::machine::explore::<dial::Machine>(1000, 3, stairway::machine::Scrutiny::NONE);
    let graph = explored.graph();
    let has = |is_it: fn(&dial::State) -> bool| graph.states.iter().filter(|state| is_it(state)).count();
    assert!(has(|state| matches!(state, dial::State::Set { n: 8.. })) > 1, "{:?}", graph.states);
    assert!(has(|state| matches!(state, dial::State::Passed { n: 1.. })) > 1, "{:?}", graph.states);
}
