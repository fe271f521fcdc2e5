//! Parameters of AODV in a configuration.

use super::units::{refused, scaled, time};
use super::{ConfigError, ManetConfig, ProtocolName};
use crate::aodv::Aodv;
use crate::network::Protocol;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Section `[aodv]`: parameters of AODV, with the names and defaults of RFC 3561.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AodvShape {
    /// Time in s for which a route stays valid after its last use.
    #[schemars(range(min = 0.000_001, max = 1e6), extend("unit" = "s"))]
    pub active_route_timeout: f64,
    /// Estimate of the time for one hop in s, from which waiting times derive.
    #[schemars(range(min = 0.000_001, max = 60.0), extend("unit" = "s"))]
    pub node_traversal_time: f64,
    /// Estimate of the largest number of hops between two nodes: the radius of a search of the whole network.
    #[schemars(range(min = 1, max = 255))]
    pub net_diameter: u32,
    /// `true` if the radius of a search grows from attempt to attempt, `false` if each reaches the whole network.
    pub expanding_ring: bool,
    /// First radius of a growing search in hops.
    #[schemars(range(min = 1, max = 255))]
    pub ttl_start: u32,
    /// Growth of the radius of a search in hops.
    #[schemars(range(min = 1, max = 255))]
    pub ttl_increment: u32,
    /// Greatest radius in hops before the whole network is searched.
    #[schemars(range(max = 255))]
    pub ttl_threshold: u32,
    /// Number of further searches of the whole network after the first one.
    #[schemars(range(max = 16))]
    pub rreq_retries: u32,
    /// `true` if only the destination may answer a search.
    pub destination_only: bool,
    /// Greatest number of packets that wait for routes at the node that has created them.
    #[schemars(range(min = 1, max = 1_048_576))]
    pub buffer: u32,
    /// Greatest time in s that such a packet waits.
    #[schemars(range(min = 0.000_001, max = 1e6), extend("unit" = "s"))]
    pub buffer_timeout: f64,
    /// Greatest delay of a broadcast in s, drawn uniformly from 0.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "s"))]
    pub jitter: f64,
}

impl Default for AodvShape {
    fn default() -> Self {
        let aodv = Aodv::default();
        let seconds = |micros: u64| micros as f64 / 1e6;
        AodvShape {
            active_route_timeout: seconds(aodv.active_route_timeout),
            node_traversal_time: seconds(aodv.node_traversal_time),
            net_diameter: aodv.net_diameter,
            expanding_ring: aodv.expanding_ring,
            ttl_start: aodv.ttl_start,
            ttl_increment: aodv.ttl_increment,
            ttl_threshold: aodv.ttl_threshold,
            rreq_retries: aodv.rreq_retries,
            destination_only: aodv.destination_only,
            buffer: aodv.buffer,
            buffer_timeout: seconds(aodv.buffer_timeout),
            jitter: seconds(aodv.jitter.into()),
        }
    }
}

impl ManetConfig {
    /// Returns the routing protocol.
    pub(super) fn protocol(&self) -> Result<Protocol, ConfigError> {
        if self.routing.protocol == ProtocolName::Gpsr {
            return Ok(Protocol::Gpsr);
        }
        if self.routing.retries == 0 {
            let problem = "with AODV nodes learn of broken links from failed transmissions; give at least 1";
            return Err(refused("routing.retries", problem.into()));
        }
        let shape = &self.aodv;
        Ok(Protocol::Aodv(Aodv {
            active_route_timeout: time("aodv.active_route_timeout", shape.active_route_timeout)?,
            node_traversal_time: time("aodv.node_traversal_time", shape.node_traversal_time)?,
            net_diameter: shape.net_diameter,
            expanding_ring: shape.expanding_ring,
            ttl_start: shape.ttl_start,
            ttl_increment: shape.ttl_increment,
            ttl_threshold: shape.ttl_threshold,
            rreq_retries: shape.rreq_retries,
            destination_only: shape.destination_only,
            buffer: shape.buffer,
            buffer_timeout: time("aodv.buffer_timeout", shape.buffer_timeout)?,
            jitter: scaled("aodv.jitter", shape.jitter, 1e6, [0.0, f64::from(u32::MAX / 2)])? as u32,
        }))
    }
}
