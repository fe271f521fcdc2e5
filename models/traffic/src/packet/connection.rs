//! Connections of TCP, and what they carry.

use super::tcp::{Receiver, Reno, Sender};
use imminent_common::streams::StreamKey;
use rand_pcg::Pcg32;

/// What a connection carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Data without end.
    Bulk,
    /// Requests, whose answers another connection carries.
    Requests { answers: u32 },
    /// Answers to the requests of another connection.
    Answers { requests: u32 },
}

/// Both ends of a connection.
#[derive(Debug, Clone)]
pub(super) struct Connection {
    /// The flow, by its number among those with packets.
    pub(super) flow: u32,
    /// Which of the flow's ways data takes; acknowledgements take the other.
    pub(super) way: usize,
    pub(super) role: Role,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    /// Bytes of the last packet that there is to send.
    pub(super) last: u32,
    /// When an event of the retransmission timer is due, if one is.
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

    /// There are `bytes` more to send, in packets of `packet` bytes of which the last may be shorter.
    pub(super) fn offer(&mut self, bytes: u32, packet: u32) {
        let packets = bytes.div_ceil(packet);
        self.last = bytes - (packets - 1) * packet;
        self.sender.offer(u64::from(packets));
    }

    /// Bytes of a packet.
    pub(super) fn bytes(&self, number: u64, packet: u32) -> u32 {
        if self.role != Role::Bulk && number + 1 == self.sender.offered() { self.last } else { packet }
    }

    /// Whether everything that there is to send has come.
    pub(super) fn complete(&self) -> bool {
        self.receiver.next() == self.sender.offered()
    }
}
