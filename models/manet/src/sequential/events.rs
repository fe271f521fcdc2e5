//! Transmissions and numbers of events of a simulation.

/// Event of a packet, for pictures of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
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
