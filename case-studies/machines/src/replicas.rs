//! A log on two nodes that stop when they crash and do not come back; behind it two nodes with an inbox.

use crate::Bug;
use stairway::prelude::*;

/// A client's entries go to the primary and from there to the backup; only then is the client told.
#[machine(start = Both { primary: 0, backup: 0, acked: 0 })]
pub mod replicas {
    pub enum State {
        Both {
            primary: u8,
            backup: u8,
            acked: u8,
        },
        Alone {
            log: u8,
            acked: u8,
        },
        #[terminal]
        Down,
    }

    pub enum Op {
        Write,
        Replicate,
        Ack,
        /// The client looks whether all that it was told to be stored is there.
        Audit {
            ret: Found,
        },
        Crash {
            who: Node,
        },
    }

    pub enum Node {
        Primary,
        Backup,
    }

    pub enum Found {
        All,
        Less,
    }

    fn next(s: State, op: Op) -> State {
        match (s, op) {
            (Both { primary, backup, acked }, Write) if primary < 3 => {
                Both { primary: primary + 1, backup, acked }
            }
            (Both { primary, backup, acked }, Replicate) if backup < primary => {
                Both { primary, backup: backup + 1, acked }
            }
            (Both { primary, backup, acked }, Ack) if acked < backup => {
                Both { primary, backup, acked: acked + 1 }
            }
            (Both { .. }, Audit { .. }) => s,
            (Both { backup, acked, .. }, Crash { who: Primary }) => Alone { log: backup, acked },
            (Both { primary, acked, .. }, Crash { who: Backup }) => Alone { log: primary, acked },
            (Alone { log, acked }, Write) if log < 3 => Alone { log: log + 1, acked },
            (Alone { log, acked }, Ack) if acked < log => Alone { log, acked: acked + 1 },
            (Alone { .. }, Audit { .. }) => s,
            (Alone { .. }, Crash { .. }) => Down,
        }
    }
}

temporal! {
    /// What the client was told to be stored is stored, whoever crashes.
    pub nothing_is_lost in replicas: always(not(at(Alone { log, acked } if acked > log)))
}
temporal! { pub crashed_is_crashed in replicas: always(implies(at(Alone { .. } | Down), always(not(at(Both { .. }))))) }
temporal! { pub everything_can_be_stored in replicas: always(or(at(Down), can_reach(at(Both { acked: 3, .. } | Alone { acked: 3, .. })))) }

temporal! {
    /// The client finds everything.
    pub audits_are_clean in replicas, driven: always(not(after(Audit { ret: Less })))
}

/// An entry waits in the inbox until the next has come.
#[derive(Debug, Default)]
struct Log {
    entries: Vec<usize>,
    inbox: Option<usize>,
}

/// Two nodes, of which the first is the primary.
#[derive(Debug)]
pub struct Cluster {
    primary: Log,
    backup: Option<Log>,
    n_acked: usize,
    bug: Bug,
}

impl Cluster {
    #[must_use]
    pub fn new(bug: Bug) -> Cluster {
        Cluster { primary: Log::default(), backup: Some(Log::default()), n_acked: 0, bug }
    }
}

impl replicas::Driver for Cluster {
    fn write(&mut self) {
        self.primary.entries.push(self.primary.entries.len());
    }

    fn replicate(&mut self) {
        let Some(backup) = &mut self.backup else { return };
        backup.entries.extend(backup.inbox.take());
        backup.inbox = Some(self.primary.entries[backup.entries.len()]);
    }

    fn ack(&mut self) {
        self.n_acked += 1;
    }

    fn audit(&mut self) -> replicas::Found {
        if self.primary.entries.len() < self.n_acked { replicas::Found::Less } else { replicas::Found::All }
    }

    fn crash(&mut self, who: replicas::Node) {
        let backup = self.backup.take();
        if let (replicas::Node::Primary, Some(mut backup)) = (who, backup) {
            // The planted bug: who takes over forgets the inbox.
            if self.bug == Bug::None {
                backup.entries.extend(backup.inbox.take());
            }
            self.primary = backup;
        }
    }
}
