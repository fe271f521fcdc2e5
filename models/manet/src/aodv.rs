//! Parameters of AODV.

use crate::error::NetworkError;

/// Bytes of the headers of IP (20) and UDP (8), in which all messages are sent.
const HEADERS: u32 = 28;

/// Bytes of a route request on the air (RFC 3561, section 5.1).
pub(crate) const REQUEST_BYTES: u32 = HEADERS + 24;

/// Bytes of a route reply on the air (section 5.2).
pub(crate) const REPLY_BYTES: u32 = HEADERS + 20;

/// Bytes of the smallest message on the air, a route error with one destination.
pub(crate) const LEAST_BYTES: u32 = error_bytes(1);

/// Largest number of destinations of a route error, whose field has 8 bits.
pub(crate) const MAX_LISTED: usize = 255;

/// Largest number of route requests, and of route errors, that a node begins in a second: RREQ_RATELIMIT and
/// RERR_RATELIMIT.
pub(crate) const RATE_LIMIT: usize = 10;

/// Hops that are added to a radius for the time to wait: TIMEOUT_BUFFER.
const TIMEOUT_BUFFER: u64 = 2;

/// Returns the bytes of a route error on the air (section 5.3).
pub(crate) const fn error_bytes(destinations: u32) -> u32 {
    HEADERS + 4 + 8 * destinations
}

/// Parameters of AODV, with the names and defaults of RFC 3561, section 10. Times are in µs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aodv {
    /// Time for which a route stays valid after its last use: ACTIVE_ROUTE_TIMEOUT.
    pub active_route_timeout: u64,
    /// Estimate of the time for one hop, from which waiting times derive: NODE_TRAVERSAL_TIME.
    pub node_traversal_time: u64,
    /// Estimate of the largest number of hops between two nodes: NET_DIAMETER, up to 255.
    pub net_diameter: u32,
    /// `true` if the radius of a search grows from attempt to attempt (section 6.4), otherwise each search reaches
    /// [`net_diameter`](Self::net_diameter) hops.
    pub expanding_ring: bool,
    /// First radius of a growing search: TTL_START.
    pub ttl_start: u32,
    /// Growth of the radius: TTL_INCREMENT.
    pub ttl_increment: u32,
    /// Greatest radius before the whole network is searched: TTL_THRESHOLD.
    pub ttl_threshold: u32,
    /// Number of further searches of the whole network after the first one: RREQ_RETRIES.
    pub rreq_retries: u32,
    /// `true` if only the destination may answer a search (flag D of section 5.1).
    pub destination_only: bool,
    /// Greatest number of packets that wait for routes at the node that has created them.
    pub buffer: u32,
    /// Greatest time that such a packet waits.
    pub buffer_timeout: u64,
    /// Greatest delay of a broadcast, uniform from 0.
    pub jitter: u32,
}

impl Default for Aodv {
    /// Values of RFC 3561. It gives none for the buffer and the jitter, which are those of ns-3: 64 packets, 30 s and
    /// 10 ms.
    fn default() -> Self {
        Aodv {
            active_route_timeout: 3_000_000,
            node_traversal_time: 40_000,
            net_diameter: 35,
            expanding_ring: true,
            ttl_start: 1,
            ttl_increment: 2,
            ttl_threshold: 7,
            rreq_retries: 2,
            destination_only: false,
            buffer: 64,
            buffer_timeout: 30_000_000,
            jitter: 10_000,
        }
    }
}

impl Aodv {
    /// Time for a search of the whole network: NET_TRAVERSAL_TIME.
    #[must_use]
    pub fn net_traversal_time(&self) -> u64 {
        2 * self.node_traversal_time * u64::from(self.net_diameter)
    }

    /// Time for a search of so many hops: RING_TRAVERSAL_TIME.
    #[must_use]
    pub fn ring_traversal_time(&self, ttl: u32) -> u64 {
        2 * self.node_traversal_time * (u64::from(ttl) + TIMEOUT_BUFFER)
    }

    /// Lifetime of a route that its destination offers: MY_ROUTE_TIMEOUT.
    #[must_use]
    pub fn my_route_timeout(&self) -> u64 {
        2 * self.active_route_timeout
    }

    /// Checks the parameters.
    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        let limits = [
            ("active route timeout (µs)", self.active_route_timeout, 1, 1 << 40),
            ("node traversal time (µs)", self.node_traversal_time, 1, 60_000_000),
            ("net diameter (hops)", self.net_diameter.into(), 1, 255),
            ("TTL of the first search (hops)", self.ttl_start.into(), 1, 255),
            ("TTL increment (hops)", self.ttl_increment.into(), 1, 255),
            ("TTL threshold (hops)", self.ttl_threshold.into(), 0, 255),
            ("retries of searches", self.rreq_retries.into(), 0, 16),
            ("buffer (packets)", self.buffer.into(), 1, 1 << 20),
            ("buffer timeout (µs)", self.buffer_timeout, 1, 1 << 40),
            ("jitter (µs)", self.jitter.into(), 0, u64::from(u32::MAX) / 2),
        ];
        match limits.into_iter().find(|(_, value, least, most)| !(*least..=*most).contains(value)) {
            None => Ok(()),
            Some((name, value, least, most)) => Err(NetworkError::OutOfRange { name, value, least, most }),
        }
    }
}
