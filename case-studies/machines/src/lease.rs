//! A leader lease: who holds it may write, and time takes it away.

use stairway::prelude::*;

/// The service that grants the lease, for two ticks of its clock. It waits one tick longer than it has
/// promised, because clocks are read at different moments.
#[machine(start = Free)]
pub mod service {
    pub enum State {
        Free,
        Granted { left: u8 },
    }

    pub enum Op {
        Acquire,
        Renew,
        Release,
        Tick,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Free, Acquire) => Granted { left: 3 },
            (Granted { .. }, Renew) => Granted { left: 3 },
            (Granted { .. }, Release) => Free,
            (Granted { left: 0 }, Tick) => Free,
            (Granted { left }, Tick) => Granted { left: left - 1 },
            (Free, Tick) => Free,
        }
    }
}

/// A node that wants to lead. It stops by its own clock before the service gives the lease to somebody else.
#[machine(start = Follower)]
pub mod node {
    pub enum State {
        Follower,
        Leader { left: u8 },
    }

    pub enum Op {
        Acquire,
        Renew,
        Release,
        Write,
        Tick,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Follower, Acquire) => Leader { left: 2 },
            (Leader { .. }, Renew) => Leader { left: 2 },
            (Leader { .. }, Release) => Follower,
            (Leader { left }, Write) => Leader { left },
            (Leader { left: 0 }, Tick) => Follower,
            (Leader { left }, Tick) => Leader { left: left - 1 },
            (Follower, Tick) => Follower,
        }
    }
}

compose! {
    /// Three nodes and the service. Time passes for all of them.
    pub mod lease = service * 3 node;
    broadcast Tick
}

temporal! {
    /// Two nodes never lead at once.
    pub one_leader in lease, proved: always(not(at_least(2, node: Leader)))
}
temporal! {
    /// Nobody leads whose lease the service has forgotten.
    pub the_service_knows in lease, proved: always(implies(some(node: Leader), at(service: Granted)))
}
temporal! {
    /// A lease that is not renewed ends, as long as time passes.
    pub leases_end in lease, proved:
        implies(and(fair(Tick), always(not(after(Renew)))), leads_to(some(node: Leader), every(node: Follower)))
}

/// The planted bug: the node believes the lease as long as the service does, and one tick more.
#[machine(start = Follower)]
pub mod slow {
    pub enum State {
        Follower,
        Leader { left: u8 },
    }

    pub enum Op {
        Acquire,
        Renew,
        Release,
        Write,
        Tick,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Follower, Acquire) => Leader { left: 4 },
            (Leader { .. }, Renew) => Leader { left: 4 },
            (Leader { .. }, Release) => Follower,
            (Leader { left }, Write) => Leader { left },
            (Leader { left: 0 }, Tick) => Follower,
            (Leader { left }, Tick) => Leader { left: left - 1 },
            (Follower, Tick) => Follower,
        }
    }
}

compose! {
    pub mod slow_clocks = service * node: 3 slow;
    broadcast Tick
}
