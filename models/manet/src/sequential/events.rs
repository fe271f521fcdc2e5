//! Transmissions and numbers of events of a simulation.

/// Kind of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PacketKind {
    /// Data that nobody answers.
    Data,
    /// Request, which its destination answers.
    Request,
    /// Response to a request.
    Response,
    /// Route request of AODV (RREQ).
    RouteRequest,
    /// Route reply of AODV (RREP).
    RouteReply,
    /// Route error of AODV (RERR).
    RouteError,
}

impl PacketKind {
    /// Name of the kind.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PacketKind::Data => "data",
            PacketKind::Request => "request",
            PacketKind::Response => "response",
            PacketKind::RouteRequest => "route request",
            PacketKind::RouteReply => "route reply",
            PacketKind::RouteError => "route error",
        }
    }

    /// Number of the kind among those of the traffic; none for packets of a routing protocol.
    #[must_use]
    pub fn of_traffic(self) -> Option<usize> {
        (self <= PacketKind::Response).then_some(self as usize)
    }

    /// Number of the kind among those of a routing protocol; none for packets of the traffic.
    #[must_use]
    pub fn of_routing(self) -> Option<usize> {
        (self as usize).checked_sub(PacketKind::RouteRequest as usize)
    }
}

/// Way in which a node has found the receivers of a transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Greedy mode of GPSR.
    Greedy,
    /// Perimeter mode of GPSR.
    Perimeter,
    /// Route of a table.
    Table,
    /// Broadcast to all nodes in range.
    Broadcast,
}

impl Mode {
    /// Name of the mode.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mode::Greedy => "greedy",
            Mode::Perimeter => "perimeter",
            Mode::Table => "table",
            Mode::Broadcast => "broadcast",
        }
    }
}

/// Transmission of a packet that has ended, for pictures and for routes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transmission {
    /// Number of the packet, in the order of creation. Copies of a broadcast have one number.
    pub packet: u64,
    /// Kind of the packet.
    pub kind: PacketKind,
    /// Number of the flow; none for packets of a routing protocol.
    pub flow: Option<u32>,
    /// Number of the hop that the packet takes, from 1.
    pub hop: u64,
    /// Begin in µs.
    pub begin: u64,
    /// End in µs.
    pub end: u64,
    /// Sender.
    pub from: u32,
    /// Receiver; none for a broadcast.
    pub to: Option<u32>,
    /// Node that created the packet.
    pub origin: u32,
    /// Destination of the packet: of a route request the node that is searched for, of a route error the first node
    /// that cannot be reached.
    pub destination: u32,
    /// Way in which the receivers were found.
    pub mode: Mode,
    /// Number of nodes that have got the packet: 0 or 1, or all in range of a broadcast.
    pub received: u32,
}

/// Number of executed events, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Beacons.
    pub beacons: u64,
    /// Entries of neighbour tables that beacons brought up to date.
    pub heard: u64,
    /// Other timers of routing protocols.
    pub timers: u64,
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
        self.beacons + self.timers + self.created + self.attempts + self.ended
    }
}
