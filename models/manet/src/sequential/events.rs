//! Transmissions and numbers of events of a simulation.

/// Transmission of a packet that has ended, for pictures and for routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// Number of the packet, in the order in which packets are created.
    pub packet: u64,
    /// Kind of the packet: 0 for data, 1 for a request, 2 for a response.
    pub kind: usize,
    /// Number of the flow.
    pub flow: u32,
    /// Number of the hop that the packet takes, from 1.
    pub hop: u64,
    /// Begin in µs.
    pub begin: u64,
    /// End in µs.
    pub end: u64,
    /// Sender.
    pub from: u32,
    /// Receiver.
    pub to: u32,
    /// Node that created the packet.
    pub origin: u32,
    /// Destination of the packet.
    pub destination: u32,
    /// `true` in perimeter mode.
    pub is_on_perimeter: bool,
    /// `true` if the receiver has got the packet.
    pub has_arrived: bool,
}

/// Number of executed events, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Beacons.
    pub beacons: u64,
    /// Entries of neighbour tables that beacons brought up to date.
    pub heard: u64,
    /// Packets that were created.
    pub created: u64,
    /// Attempts to transmit.
    pub attempts: u64,
    /// Transmissions that ended.
    pub ended: u64,
}

impl Executed {
    /// Number of all events; a beacon is one.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.beacons + self.created + self.attempts + self.ended
    }
}
