//! Messages of AODV, which are the headers of its packets.

use crate::aodv::{REPLY_BYTES, REQUEST_BYTES, error_bytes};
use crate::sequential::events::PacketKind;
use crate::sequential::packet::Packet;

/// Header of a packet.
#[derive(Clone, Debug)]
pub(in crate::sequential) enum Header {
    /// Packet of the traffic.
    Traffic {
        /// Node from which it came.
        previous: Option<u32>,
        /// Number of failed transmissions by the node that has created it.
        failures: u32,
    },
    Request(Request),
    Reply(Reply),
    Error(Error),
}

/// Route request, RREQ (RFC 3561, section 5.1). The packet has its hop count and its destination.
#[derive(Clone, Copy, Debug)]
pub(in crate::sequential) struct Request {
    /// Number among the requests of its origin.
    pub id: u32,
    /// Number of hops that are left.
    pub ttl: u32,
    /// Last known sequence number of the destination.
    pub number: Option<u32>,
    /// Sequence number of the origin.
    pub origin_number: u32,
    /// `true` if an intermediate node that answers also tells the destination (section 6.6.3).
    pub is_gratuitous: bool,
}

/// Route reply, RREP (section 5.2).
#[derive(Clone, Copy, Debug)]
pub(in crate::sequential) struct Reply {
    /// Destination of the route.
    pub route_to: u32,
    /// Sequence number of that destination.
    pub number: u32,
    /// Number of hops from the node that transmits to that destination.
    pub hops: u32,
    /// Lifetime of the route in µs.
    pub lifetime: u64,
    /// Next node on the way to the node that searches.
    pub next: u32,
}

/// Route error, RERR (section 5.3).
#[derive(Clone, Debug)]
pub(in crate::sequential) struct Error {
    /// Destinations that cannot be reached, with their sequence numbers.
    pub lost: Vec<(u32, u32)>,
    /// Neighbour that uses the routes, if it is only one.
    pub to: Option<u32>,
}

/// Returns the packet of a new message, from a node to a destination.
pub(super) fn packet(header: Header, created: u64, origin: u32, destination: u32) -> Packet<Header> {
    let (kind, bytes) = match &header {
        Header::Traffic { .. } => (PacketKind::Data, 0),
        Header::Request(_) => (PacketKind::RouteRequest, REQUEST_BYTES),
        Header::Reply(_) => (PacketKind::RouteReply, REPLY_BYTES),
        Header::Error(error) => (PacketKind::RouteError, error_bytes(error.lost.len() as u32)),
    };
    Packet { number: None, kind, created, origin, destination, flow: None, bytes, hops: 0, header }
}
