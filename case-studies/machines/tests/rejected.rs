//! What the compiler refuses: wrong variants of the machines, and programs that hold the right ones wrong.

use stairway::failing;

failing! {
    /// The paper's `readyInsert`: its generator never proposed Eject, so it seemed to hold.
    ready_insert: "1. Eject -> Ready"
    {
        use machines::atm::wrong;
        stairway::temporal! { ready_insert in wrong: next(at(CardInserted)) }
        fn main() {}
    }
    /// The paper's `eventuallyReady`, refuted by a loop of wrong numbers.
    eventually_ready: "2. CheckPin { pin: 0, ret: Incorrect } -> CardInserted cycle: repeats from step 2"
    {
        use machines::atm::wrong;
        stairway::temporal! { eventually_ready in wrong: next(eventually(at(Ready))) }
        fn main() {}
    }
    /// On the mended machine it is still false: money can be taken for ever.
    still_not_ready: "3. Dispense { amount: 0 } -> Session cycle: repeats from step 3"
    {
        use machines::atm::fixed;
        stairway::temporal! { eventually_ready in fixed: leads_to(at(CardInserted { .. }), at(Ready)) }
        fn main() {}
    }
    /// The fourth attempt does not compile.
    no_loop: "`check_pin` is not possible when `fixed` is in state `Ready`"
    {
        use machines::atm::fixed::*;
        fn main() {
            let CheckPinNext::Incorrect(card) = start().insert().check_pin(1, Pin::Incorrect) else { return };
            let CheckPinNext::Incorrect(card) = card.check_pin(2, Pin::Incorrect) else { return };
            let CheckPinNext::Incorrect(card) = card.check_pin(3, Pin::Incorrect) else { return };
            card.check_pin(4, Pin::Incorrect);
        }
    }
    /// The paper's `bad`: one packet is not two.
    bad: "expected `Ready<S<Z>, D>`, found `Ready<Z, D>`"
    {
        use machines::arq::{arq::{Driver, Ready, S, Z}, send_one};
        fn bad<D: Driver>(ready: Ready<Z, D>) -> Ready<S<S<Z>>, D> { send_one(ready, 1) }
        fn main() {}
    }

    /// Who gives up waiting undoes what another one keeps.
    participants_that_do_not_wait:
        "property `all_agree` of machine `hasty` does not hold
              formula: always(not(and(some(participant: Committed), some(participant: Aborted))))
              counterexample (all 30 states were explored):
                     System { coordinator: Idle, participant: [Working, Working, Working] }
                 1. Begin                                -> System { coordinator: Collecting { yes: 0 }, participant: [Working, Working, Working] }
                 2. Vote { participant: 0, ballot: Yes } -> System { coordinator: Collecting { yes: 1 }, participant: [Prepared, Working, Working] }
                 3. Vote { participant: 1, ballot: Yes } -> System { coordinator: Collecting { yes: 2 }, participant: [Prepared, Prepared, Working] }
                 4. Vote { participant: 2, ballot: Yes } -> System { coordinator: Collecting { yes: 3 }, participant: [Prepared, Prepared, Prepared] }
                 5. Decide                               -> System { coordinator: Committed, participant: [Prepared, Prepared, Prepared] }
                 6. Commit { participant: 0 }            -> System { coordinator: Committed, participant: [Committed, Prepared, Prepared] }
                 7. TimeOut { participant: 1 }           -> System { coordinator: Committed, participant: [Committed, Aborted, Prepared] }"
    {
        use machines::commit::hasty;
        stairway::temporal! { all_agree in hasty: always(not(and(some(participant: Committed), some(participant: Aborted)))) }
        fn main() {}
    }
    /// A lease that is believed for too long.
    two_leaders:
        "property `one_leader` of machine `slow_clocks` does not hold
              formula: always(not(at_least(2, node: Leader)))
              counterexample (all 66 states were explored):
                     System { service: Free, node: [Follower, Follower, Follower] }
                 1. Acquire { node: 0 } -> System { service: Granted { left: 3 }, node: [Leader { left: 4 }, Follower, Follower] }
                 2. Tick                -> System { service: Granted { left: 2 }, node: [Leader { left: 3 }, Follower, Follower] }
                 3. Tick                -> System { service: Granted { left: 1 }, node: [Leader { left: 2 }, Follower, Follower] }
                 4. Tick                -> System { service: Granted { left: 0 }, node: [Leader { left: 1 }, Follower, Follower] }
                 5. Tick                -> System { service: Free, node: [Leader { left: 0 }, Follower, Follower] }
                 6. Acquire { node: 1 } -> System { service: Granted { left: 3 }, node: [Leader { left: 0 }, Leader { left: 4 }, Follower] }"
    {
        use machines::lease::slow_clocks;
        stairway::temporal! { one_leader in slow_clocks: always(not(at_least(2, node: Leader))) }
        fn main() {}
    }
    /// A frame that was sent twice is delivered twice.
    a_frame_is_delivered_twice:
        "property `once` of machine `credulous_link` does not hold
              formula: always(implies(after(Deliver), next(or(until(not(after(Deliver)), after(Send)), always(not(after(Deliver)))))))
              counterexample (all 72 states were explored):
                     System { sender: Ready { bit: false }, receiver: Listening, frames: [], acks: [] }
                 1. Send { number: false }   -> System { sender: Waiting { bit: false }, receiver: Listening, frames: [false], acks: [] }
                 2. Receive                  -> System { sender: Waiting { bit: false }, receiver: Delivering { number: false }, frames: [], acks: [] }
                 3. Resend { number: false } -> System { sender: Waiting { bit: false }, receiver: Delivering { number: false }, frames: [false], acks: [] }
                 4. Deliver                  -> System { sender: Waiting { bit: false }, receiver: Answering { number: false }, frames: [false], acks: [] }
                 5. Answer { number: false } -> System { sender: Waiting { bit: false }, receiver: Listening, frames: [false], acks: [false] }
                 6. Receive                  -> System { sender: Waiting { bit: false }, receiver: Delivering { number: false }, frames: [], acks: [false] }
                 7. Deliver                  -> System { sender: Waiting { bit: false }, receiver: Answering { number: false }, frames: [], acks: [false] }"
    {
        use machines::alternating::credulous_link;
        stairway::temporal! { once in credulous_link: always(implies(after(Deliver), next(or(
            until(not(after(Deliver)), after(Send)), always(not(after(Deliver))))))) }
        fn main() {}
    }
    /// Copies are alike: nobody can ask about the second.
    the_second_participant: "cannot match against a tuple struct which contains private fields"
    {
        use machines::commit::commit;
        stairway::temporal! { the_second in commit: always(not(after(Commit { participant: stairway::machine::Which(1) }))) }
        fn main() {}
    }
    /// Each participant keeps its own handles, and cannot vote twice.
    no_second_vote: "`vote` is not possible when `participant` is in state `Prepared`"
    {
        use machines::commit::{coordinator::Ballot, participant::{start, VoteNext}};
        fn main() {
            let Ok(VoteNext::Prepared(prepared)) = start().vote(Ballot::Yes) else { return };
            prepared.vote(Ballot::No);
        }
    }

    a_file_that_is_read_for_ever:
        "property `is_closed` of machine `file` does not hold
            What is opened is closed, in however many steps.
          formula: leads_to(at(Writing { .. }), at(Closed))
          counterexample (all 10 states were explored):
                 Closed
             1. Create            -> Writing { len: 0 }
             2. Rewind            -> Reading { left: 0 }
             3. Read { ret: End } -> AtEnd
             4. Rewind            -> Reading { left: 0 }
                 cycle: repeats from step 3"
    {
        use stairway::prelude::*;
        #[machine(start = Closed)]
        pub mod file {
            pub enum State { Closed, Writing { len: u8 }, Reading { left: u8 }, AtEnd }
            pub enum Op { Create, Write { byte: u8 }, Rewind, Read { ret: Got }, Close }
            pub enum Got { Byte, End }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Closed, Create) => Writing { len: 0 },
                    (Writing { len }, Write { .. }) if len < 3 => Writing { len: len + 1 },
                    (Writing { len }, Rewind) => Reading { left: len },
                    (AtEnd, Rewind) => Reading { left: 0 },
                    (Reading { left }, Read { ret: Byte }) if left > 0 => Reading { left: left - 1 },
                    (Reading { left: 0 }, Read { ret: End }) => AtEnd,
                    (Writing { .. } | Reading { .. } | AtEnd, Close) => Closed,
                }
            }
        }
        temporal! {
            /// What is opened is closed, in however many steps.
            is_closed in file: leads_to(at(Writing { .. }), at(Closed))
        }
        fn main() {}
    }

    reading_what_is_being_written:
        "error[E0277]: `read` is not possible when `file` is in state `Writing`"
    {
        use machines::file::file;
        fn main() { file::start().create().read(file::Got::Byte); }
    }

    attempts_that_nobody_counts:
        "property `connecting_ends` of machine `handshake` does not hold
            Three answers decide.
          formula: always(implies(at(SynSent { .. }), within(3, at(Established | Closed))))
          counterexample (all 261 states were explored):
                 Closed
             1. Connect { seq: 0 }     -> SynSent { seq: 0, tries: 2 }
             2. Await { ret: Timeout } -> SynSent { seq: 0, tries: 2 }
             3. Await { ret: Timeout } -> SynSent { seq: 0, tries: 2 }
             4. Await { ret: Timeout } -> SynSent { seq: 0, tries: 2 }"
    {
        use stairway::prelude::*;
        #[machine(start = Closed)]
        pub mod handshake {
            pub enum State { Closed, SynSent { seq: u8, tries: u8 }, Established, FinSent { tries: u8 } }
            pub enum Op { Connect { seq: u8 }, Await { ret: Answer }, Send { byte: u8 }, Close }
            pub enum Answer { SynAck { ack: u8 }, FinAck, Timeout }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Closed, Connect { seq }) => SynSent { seq, tries: 2 },
                    (SynSent { seq, .. }, Await { ret: SynAck { ack } }) if ack == seq.wrapping_add(1) => Established,
                    (SynSent { seq, tries }, Await { ret: Timeout }) if tries > 0 => SynSent { seq, tries },
                    (Established, Send { .. }) => Established,
                    (Established, Close) => FinSent { tries: 2 },
                    (FinSent { tries }, Await { ret: Timeout }) if tries > 0 => FinSent { tries: tries - 1 },
                    (SynSent { .. } | FinSent { .. }, Await { .. }) => Closed,
                }
            }
        }
        temporal! {
            /// Three answers decide.
            connecting_ends in handshake: always(implies(at(SynSent { .. }), within(3, at(Established | Closed))))
        }
        fn main() {}
    }

    sending_without_a_connection:
        "error[E0277]: `send` is not possible when `handshake` is in state `SynSent`"
    {
        use machines::handshake::handshake;
        fn main() { handshake::start().connect(1).send(2); }
    }

    entries_that_are_acknowledged_too_early:
        "property `nothing_is_lost` of machine `replicas` does not hold
            What the client was told to be stored is stored, whoever crashes.
          formula: always(not(at(Alone { log, acked } if acked > log)))
          counterexample (all 47 states were explored):
                 Both { primary: 0, backup: 0, acked: 0 }
             1. Write                  -> Both { primary: 1, backup: 0, acked: 0 }
             2. Ack                    -> Both { primary: 1, backup: 0, acked: 1 }
             3. Crash { who: Primary } -> Alone { log: 0, acked: 1 }"
    {
        use stairway::prelude::*;
        #[machine(start = Both { primary: 0, backup: 0, acked: 0 })]
        pub mod replicas {
            pub enum State { Both { primary: u8, backup: u8, acked: u8 }, Alone { log: u8, acked: u8 }, #[terminal] Down }
            pub enum Op { Write, Replicate, Ack, Crash { who: Node } }
            pub enum Node { Primary, Backup }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Both { primary, backup, acked }, Write) if primary < 3 => Both { primary: primary + 1, backup, acked },
                    (Both { primary, backup, acked }, Replicate) if backup < primary => Both { primary, backup: backup + 1, acked },
                    (Both { primary, backup, acked }, Ack) if acked < primary => Both { primary, backup, acked: acked + 1 },
                    (Both { backup, acked, .. }, Crash { who: Primary }) => Alone { log: backup, acked },
                    (Both { primary, acked, .. }, Crash { who: Backup }) => Alone { log: primary, acked },
                    (Alone { log, acked }, Write) if log < 3 => Alone { log: log + 1, acked },
                    (Alone { log, acked }, Ack) if acked < log => Alone { log, acked: acked + 1 },
                    (Alone { .. }, Crash { .. }) => Down,
                }
            }
        }
        temporal! {
            /// What the client was told to be stored is stored, whoever crashes.
            nothing_is_lost in replicas: always(not(at(Alone { log, acked } if acked > log)))
        }
        fn main() {}
    }

    a_head_that_cannot_let_go:
        "property `can_finish` of machine `robot` does not hold
            Whatever the camera sees, the board can be finished.
          formula: always(can_reach(at(Done)))
          counterexample (all 13 states were explored):
                 Empty { at: Feeder }
             1. Pick                 -> Holding { at: Feeder, part: Unseen }
             2. Move { to: Camera }  -> Holding { at: Camera, part: Unseen }
             3. Inspect { ret: Bad } -> Holding { at: Camera, part: Bad }"
    {
        use stairway::prelude::*;
        #[machine(start = Empty { at: Feeder })]
        pub mod robot {
            pub enum State { Empty { at: Spot }, Holding { at: Spot, part: Part }, #[terminal] Done }
            pub enum Op { Move { to: Spot }, Pick, Inspect { ret: Part }, Put }
            pub enum Spot { Feeder, Camera, Board }
            pub enum Part { Unseen, Good, Bad }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Empty { .. }, Move { to }) => Empty { at: to },
                    (Holding { part, .. }, Move { to }) => Holding { at: to, part },
                    (Empty { at: Feeder }, Pick) => Holding { at: Feeder, part: Unseen },
                    (Holding { at: Camera, part: Unseen }, Inspect { ret }) => Holding { at: Camera, part: ret },
                    (Holding { at: Board, part: Good }, Put) => Done,
                }
            }
        }
        temporal! {
            /// Whatever the camera sees, the board can be finished.
            can_finish in robot: always(can_reach(at(Done)))
        }
        fn main() {}
    }

    a_third_word_on_a_page_of_two:
        "error[E0277]: `write` is not possible when `flash` is in state `machines::flash::flash::Erased<0, Chip>`"
    {
        use machines::flash::{Chip, flash};
        fn full(erased: flash::Erased<0, Chip>) { let _ = erased.write(3); }
        fn main() {}
    }

    a_chip_that_is_erased_while_it_is_locked:
        "property `the_key_comes_first` of machine `flash` does not hold
            Nobody writes without the key, however often the chip was open before.
          formula: always(implies(at(Locked), or(until(not(after(Write { .. })), after(Unlock { key: 0x4567, ret: Opened })), always(not(after(Write { .. }))))))
          counterexample (all 6 states were explored):
                 Locked
             1. Erase                        -> Erased { free: 2 }
             2. Write { word: 0, ret: Same } -> Erased { free: 1 }"
    {
        use stairway::prelude::*;
        #[machine(start = Locked)]
        pub mod flash {
            pub enum State { Locked, Unlocked, Erased { free: u8 }, #[terminal] Worn }
            pub enum Op { Unlock { key: u16, ret: Lock }, Erase, Write { word: u8, ret: ReadBack }, Lock }
            pub enum Lock { Opened, Jammed }
            pub enum ReadBack { Same, Other }
            fn next(s: State, op: Op) -> State {
                match (s, op) {
                    (Locked, Unlock { key, ret: Opened }) if key == 0x4567 => Unlocked,
                    (Locked, Unlock { key, ret: Jammed }) if key != 0x4567 => Locked,
                    (_, Erase) => Erased { free: 2 },
                    (Erased { free }, Write { ret: Same, .. }) if free > 0 => Erased { free: free - 1 },
                    (Erased { free }, Write { ret: Other, .. }) if free > 0 => Worn,
                    (Unlocked | Erased { .. }, Lock) => Locked,
                }
            }
        }
        temporal! {
            /// Nobody writes without the key, however often the chip was open before.
            the_key_comes_first in flash: always(implies(at(Locked), or(
                until(not(after(Write { .. })), after(Unlock { key: 0x4567, ret: Opened })),
                always(not(after(Write { .. }))))))
        }
        fn main() {}
    }
}

/// The README shows what is expected above, and so what rustc says.
#[test]
fn the_readme_shows_what_is_refused() {
    let expected: Vec<&str> =
        include_str!("rejected.rs").lines().map(|line| line.trim().trim_matches('"')).collect();
    let blocks =
        include_str!("../README.md").split("```text\n").filter_map(|block| block.split("\n```").next());
    let shown: Vec<&str> = blocks.filter(|block| block.starts_with("error")).collect();
    assert_eq!(shown.len(), 9, "each rejected program is shown");
    for line in shown.iter().flat_map(|block| block.lines()) {
        let line = line.trim_start_matches("error[E0080]: evaluation panicked:").trim();
        assert!(expected.contains(&line), "nobody expects `{line}`");
    }
}
