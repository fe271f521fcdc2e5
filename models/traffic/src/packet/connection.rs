//! TCP connections and their data.

use super::tcp::{Receiver, Sender, TcpRules};
use imminent_common::streams::StreamKey;
use rand_pcg::Pcg32;

/// Kind of data on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Unlimited data.
    Bulk,
    /// A number of bytes, once.
    Transfer { bytes: u64 },
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
    /// Index of its paths among the current ones.
    pub(super) paths: u32,
    /// Index of the path for data; acknowledgements take the other one.
    pub(super) way: usize,
    pub(super) role: Role,
    pub(super) sender: Sender,
    pub(super) receiver: Receiver,
    /// Size of the last packet to send, in bytes.
    pub(super) last: u32,
    /// Time at which the session began, in picoseconds.
    pub(super) began: u64,
    /// Time of the scheduled event of the retransmission timer, if there is one.
    pub(super) armed: Option<u64>,
    pub(super) rng: Pcg32,
}

impl Connection {
    pub(super) fn new(
        number: u32,
        (flow, paths): (u32, u32),
        role: Role,
        rules: &TcpRules,
        window: u32,
        key: StreamKey,
    ) -> Self {
        let way = usize::from(matches!(role, Role::Requests { .. }));
        Self {
            flow,
            paths,
            way,
            role,
            sender: Sender::new(rules, window),
            receiver: Receiver::default(),
            last: 0,
            began: 0,
            armed: None,
            rng: key.node(number).generator(),
        }
    }

    /// Adds `bytes` to the data to send, in packets of `packet` bytes. The last packet may be shorter.
    pub(super) fn offer(&mut self, bytes: u64, packet: u32) {
        let size = u64::from(packet);
        let packets = bytes.div_ceil(size);
        self.last = u32::try_from(bytes - packets.saturating_sub(1) * size).unwrap_or(packet);
        self.sender.offer(packets);
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
