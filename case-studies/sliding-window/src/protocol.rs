//! Go-back-N and selective repeat.
//!
//! Receives the operations of the machine, hands on what came of them. Only the lowest bits of a payload's
//! number are on the wire; each side reads them as the one number that fits its window, which is right as
//! long as the window is small enough. The machine counts on without end and cannot make this mistake.

use crate::window::{Arrival, Driver, Fate, Heard, Queued};
use crate::wire::{Side, pair};

/// How many different numbers there are on the wire.
const SPACE: u8 = 4;

/// Which protocol it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The receiver takes what is next and nothing else; after a timeout all is sent again.
    GoBackN,
    /// The receiver keeps what comes early; after a timeout the oldest is sent again.
    SelectiveRepeat,
}

/// A sender and a receiver.
#[derive(Debug)]
pub struct Link {
    kind: Kind,
    window: u8,
    sender: Side,
    /// The oldest payload whose arrival is not known, and the next to be sent.
    base: u8,
    next: u8,
    /// Whether arrival is known, from `base` on.
    acked: Vec<bool>,
    receiver: Side,
    /// The next payload to be handed over, and those that are kept, from there on.
    expected: u8,
    kept: Vec<Option<u8>>,
}

impl Link {
    /// A link whose sender may have `window` payloads on their way.
    #[must_use]
    pub fn new(kind: Kind, window: u8) -> Link {
        let (sender, receiver) = pair();
        let size = usize::from(window);
        Link {
            kind,
            window,
            sender,
            base: 0,
            next: 0,
            acked: vec![false; size],
            receiver,
            expected: 0,
            kept: vec![None; size],
        }
    }

    /// A datagram: the number as far as it is on the wire, and the payload, which is the whole number.
    fn transmit(&self, number: u8, fate: Fate) {
        self.sender.send([number % SPACE, number], fate);
    }

    fn receive_next_only(&mut self, datagram: [u8; 2], answer: Fate) -> Arrival {
        let [number, payload] = datagram;
        let is_next = number == self.expected % SPACE;
        if is_next {
            self.expected += 1;
        }
        self.receiver.send([self.expected % SPACE, 0], answer);
        if is_next { Arrival::Handed { payload } } else { Arrival::Kept }
    }

    fn receive_early(&mut self, datagram: [u8; 2], answer: Fate) {
        let [number, payload] = datagram;
        let ahead = ahead(self.expected, number);
        if ahead < self.window {
            self.kept[usize::from(ahead)].get_or_insert(payload);
        }
        self.receiver.send([number, 0], answer);
    }

    fn hand_over(&mut self) -> Option<u8> {
        let payload = self.kept[0].take()?;
        self.kept.rotate_left(1);
        self.expected += 1;
        Some(payload)
    }
}

/// How far a number on the wire is ahead of a whole one.
fn ahead(of: u8, number: u8) -> u8 {
    (number + SPACE - of % SPACE) % SPACE
}

impl Driver for Link {
    fn send(&mut self, fate: Fate) -> Queued {
        if self.next - self.base == self.window {
            return Queued::Full;
        }
        self.transmit(self.next, fate);
        self.next += 1;
        Queued::Yes
    }

    fn receive(&mut self, answer: Fate) -> Arrival {
        let datagram = self.receiver.receive();
        match (self.kind, datagram) {
            (Kind::GoBackN, Some(datagram)) => return self.receive_next_only(datagram, answer),
            (Kind::SelectiveRepeat, Some(datagram)) => self.receive_early(datagram, answer),
            (_, None) => {}
        }
        match (self.hand_over(), datagram) {
            (Some(payload), _) => Arrival::Handed { payload },
            (None, Some(_)) => Arrival::Kept,
            (None, None) => Arrival::Nothing,
        }
    }

    fn listen(&mut self) -> Heard {
        let Some([number, _]) = self.sender.receive() else { return Heard::Silence };
        let ahead = ahead(self.base, number);
        match self.kind {
            Kind::GoBackN if ahead <= self.next - self.base => self.base += ahead,
            Kind::SelectiveRepeat if ahead < self.next - self.base => {
                self.acked[usize::from(ahead)] = true;
                while self.acked[0] {
                    self.acked[0] = false;
                    self.acked.rotate_left(1);
                    self.base += 1;
                }
            }
            _ => {}
        }
        Heard::UpTo { base: self.base }
    }

    fn timeout(&mut self, fate: Fate) {
        let to = match self.kind {
            Kind::GoBackN => self.next,
            Kind::SelectiveRepeat => self.base + 1,
        };
        for number in self.base..to {
            self.transmit(number, fate);
        }
    }
}
