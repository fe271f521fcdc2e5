//! Packets of a configuration.

use super::units::{length, refused, time};
use super::{ConfigError, DestinationsName, ManetConfig};
use crate::network::{Destinations, Exchange, Traffic};

impl ManetConfig {
    pub(super) fn packets(&self, nodes: u32, usual_gap: u64) -> Result<Traffic, ConfigError> {
        let shape = &self.traffic;
        let gap = match shape.rate {
            None => usual_gap,
            Some(rate) if rate > 0.0 => (1e6 / rate).round() as u64,
            Some(rate) => {
                let problem =
                    format!("{rate} packets a second are not possible; give a number above 0, or `senders = 0`");
                return Err(refused("traffic.rate", problem));
            }
        };
        let exchange =
            shape.response_bytes.map_or(Exchange::Data, |response_bytes| Exchange::Requests { response_bytes });
        let each = shape.destinations == DestinationsName::EachPacket;
        let ignored = [
            ("traffic.senders", shape.pairs.is_some() && shape.senders.is_some(), "`pairs` has the senders"),
            ("traffic.within", shape.pairs.is_some() && shape.within.is_some(), "`pairs` has the destinations"),
            ("traffic.destinations", shape.pairs.is_some() && each, "`pairs` has the destinations"),
            ("traffic.destinations", shape.within.is_some() && each, "'within' gives each sender one destination"),
        ];
        if let Some((key, _, why)) = ignored.into_iter().find(|(_, is_ignored, _)| *is_ignored) {
            return Err(refused(key, format!("{why}; leave one out")));
        }
        let destinations = match (&shape.pairs, shape.within, each) {
            (Some(pairs), ..) => Destinations::Pairs(pairs.clone()),
            (None, Some(metres), _) => Destinations::Within(length("traffic.within", metres, 1)?),
            (None, None, false) => Destinations::Fixed,
            (None, None, true) => Destinations::EachPacket,
        };
        Ok(Traffic {
            senders: shape.senders.unwrap_or(nodes),
            bytes: shape.bytes,
            exchange,
            gap,
            arrivals: shape.arrivals,
            destinations,
            start: time("traffic.start", shape.start)?,
        })
    }
}
