//! TCP connections and their data.

use super::tcp::{Receiver, Reno, Sender};
use imminent_common::streams::StreamKey;
use rand_pcg::Pcg32;

/// Kind of data on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Unlimited data.
    Bulk,
    /// Requests, with responses on another connection.
    Requests { answers: u32 },
    /// Responses to the requests of another connection.
    Answers { requests: u32 },
}

/// Both ends of a connection.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    /// Index of the flow among those with packets.
    pub(super) flow: u32,
    /// Index of the path for data; acknowledgements take the other one.
    pub(super) way: usize,
    pub(super) role: Role,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    /// Size of the last packet to send, in bytes.
    pub(super) last: u32,
    /// Time of the scheduled event of the retransmission timer, if there is one.
    pub(super) armed: Option<u64>,
    pub(super) rng: Pcg32,
}

impl Connection {
    pub(super) fn new(number: u32, flow: u32, role: Role, reno: &Reno, window: u32, key: StreamKey) -> Self {
        let way = usize::from(matches!(role, Role::Requests { .. }));
        Self {
            flow,
            way,
            role,
            sender: Sender::new(reno, window),
            receiver: Receiver::default(),
            last: 0,
            armed: None,
            rng: key.node(number).generator(),
        }
    }

    /// Adds `bytes` to the data to send, in packets of `packet` bytes. The last packet may be shorter.
    pub(super) fn offer(&mut self, bytes: u32, packet: u32) {
        let packets = bytes.div_ceil(packet);
        self.last = bytes - (packets - 1) * packet;
        self.sender.offer(u64::from(packets));
    }

    /// Size of a packet, in bytes.
    pub(super) fn bytes(&self, number: u64, packet: u32) -> u32 {
        if self.role != Role::Bulk && number + 1 == self.sender.offered() { self.last } else { packet }
    }

    /// Returns `true` if all data has been received.
    pub(super) fn complete(&self) -> bool {
        self.receiver.next() == self.sender.offered()
    }
}
