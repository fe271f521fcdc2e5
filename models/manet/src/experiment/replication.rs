//! Statistics of one replication of a mobile ad hoc network.

use crate::{Loss, NodeCount, Summary};
use imminent_common::output::Sketch;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Statistics of one replication.
#[derive(Debug, Serialize)]
pub(super) struct Replication {
    pub(super) replication: u64,
    pub(super) created: u64,
    pub(super) delivered: u64,
    pub(super) delivery_ratio: f64,
    /// In seconds.
    pub(super) mean_delay: f64,
    pub(super) mean_hops: f64,
    /// Delays that so many percent of the packets do not exceed, in seconds; none without packets.
    pub(super) delay_p50: Option<f64>,
    pub(super) delay_p95: Option<f64>,
    pub(super) delay_p99: Option<f64>,
    /// Lost packets, by [`Loss`].
    #[serde(serialize_with = "by_cause")]
    pub(super) lost: [u64; 7],
    /// Packets that were neither delivered nor lost before the end.
    pub(super) under_way: u64,
    pub(super) transmissions: u64,
    /// Attempts that found the medium busy.
    pub(super) busy: u64,
    /// Transmissions of packets of the routing protocol.
    pub(super) control: u64,
    /// Bytes of these transmissions.
    pub(super) control_bytes: u64,
    /// Transmissions of the routing protocol for each delivered packet; none without packets.
    pub(super) routing_load: Option<f64>,
}

/// Writes lost packets with the names of the causes.
fn by_cause<S: Serializer>(lost: &[u64; 7], serializer: S) -> Result<S::Ok, S::Error> {
    let sorted: BTreeMap<_, _> = Loss::ALL.iter().map(|loss| (loss.name(), lost[*loss as usize])).collect();
    sorted.serialize(serializer)
}

impl Replication {
    pub(super) fn new(replication: u64, counts: &[NodeCount], delays: &Sketch) -> Self {
        let summary = Summary::of(counts);
        let delay = |share| delays.quantile(share).map(|micros| micros / 1e6);
        Replication {
            replication,
            created: summary.created(),
            delivered: summary.delivered(),
            delivery_ratio: summary.delivery_ratio(),
            mean_delay: summary.mean_delay(),
            mean_hops: summary.mean_hops(),
            delay_p50: delay(0.5),
            delay_p95: delay(0.95),
            delay_p99: delay(0.99),
            lost: summary.total.lost,
            under_way: summary.under_way(),
            transmissions: summary.total.sent,
            busy: summary.total.busy,
            control: summary.control(),
            control_bytes: summary.total.control_bytes,
            routing_load: Some(summary.routing_load()).filter(|load| load.is_finite()),
        }
    }
}
