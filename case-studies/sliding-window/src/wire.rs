//! Two sockets on this machine, and what happens to datagrams between them.
//!
//! Receives datagrams and their fate; hands on what has arrived. The loopback delivers while `send` runs and
//! in order, so that one thread with non-blocking reads sees the same each time.

use crate::window::Fate;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, UdpSocket};

/// One side of a connection.
#[derive(Debug)]
pub(crate) struct Side(UdpSocket);

/// Two sides that hear each other only.
pub(crate) fn pair() -> (Side, Side) {
    let bound = || UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("this machine has a loopback");
    let (one, other) = (bound(), bound());
    for (socket, peer) in [(&one, &other), (&other, &one)] {
        let address = peer.local_addr().expect("a bound socket has an address");
        socket.connect(address).expect("sockets of this machine can be connected");
        socket.set_nonblocking(true).expect("a socket need not block");
    }
    (Side(one), Side(other))
}

impl Side {
    /// Sends a datagram, as often as its fate wants it.
    pub(crate) fn send(&self, datagram: [u8; 2], fate: Fate) {
        let n = match fate {
            Fate::Lost => 0,
            Fate::Arrives => 1,
            Fate::ArrivesTwice => 2,
        };
        for _ in 0..n {
            self.0.send(&datagram).expect("the loopback takes datagrams");
        }
    }

    /// The next datagram, if one has arrived.
    pub(crate) fn receive(&self) -> Option<[u8; 2]> {
        let mut datagram = [0; 2];
        match self.0.recv(&mut datagram) {
            Ok(_) => Some(datagram),
            Err(error) if error.kind() == ErrorKind::WouldBlock => None,
            Err(error) => panic!("a socket cannot be read: {error}"),
        }
    }
}
