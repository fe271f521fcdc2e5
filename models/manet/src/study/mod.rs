//! Mobile ad hoc networks as a [`Model`] of a catalogue: scenarios of [configurations](crate::config).
//!
//! A run is one network, whose random numbers come from its seed alone. Runs of many points are simulated side by side
//! by one [`Engine`](crate::Engine). Determinism class: exact.

mod laboratory;
#[cfg(test)]
mod tests;

pub use laboratory::Manets;

use crate::config::{Engine, ManetConfig};
use crate::experiment::{Scenarios, work_in_study};
use crate::{Network, benchmarks, checks, figures, kernels};
use imminent_core::{Device, ModuleSource, Work};
use imminent_study::description::Measure;
use imminent_study::experiment::Experiments;
use imminent_study::laboratory::{Fault, Laboratory, Point};
use imminent_study::{Base, Benchmark, Check, Description, Figures, Keys, Means, Model, Possible, Unused};
use std::sync::Arc;

/// Mobile ad hoc networks with GPSR or AODV over a shared medium.
#[derive(Debug, Clone, Copy)]
pub struct Manet;

impl Model for Manet {
    fn description(&self) -> Description {
        Description::new("manet", "6", "A mobile ad hoc network with GPSR or AODV over a shared medium.")
            .length("run.horizon")
            .measure(Measure::new("delivery_ratio", "", "Share of the packets that were delivered."))
            .measure(Measure::new("mean_delay", "s", "Mean delay of delivered packets."))
            .measure(Measure::new("delay_p50", "s", "Median of the delays of delivered packets."))
            .measure(Measure::new("delay_p95", "s", "Delay that 95 % of the delivered packets do not exceed."))
            .measure(Measure::new("delay_p99", "s", "Delay that 99 % of the delivered packets do not exceed."))
            .measure(Measure::new("mean_hops", "", "Mean number of transmissions of delivered packets."))
            .measure(Measure::new("unreachable", "", "Share of the packets that went around a face without an exit."))
            .measure(Measure::new("link_broken", "", "Share of the packets whose next node was out of range."))
            .measure(Measure::new("queue_full", "", "Share of the packets that found a full queue."))
            .measure(Measure::new("transmissions", "", "Transmissions of all nodes."))
            .measure(Measure::new("busy", "", "Share of the attempts that found the medium busy."))
            .measure(Measure::new("no_route", "", "Share of the packets for which no route was found."))
            .measure(Measure::new("control", "", "Transmissions of packets of the routing protocol."))
            .measure(Measure::new("control_bytes", "bytes", "Bytes of the transmissions of the routing protocol."))
            .measure(Measure::new("routing_load", "", "Transmissions of the routing protocol for a delivered packet."))
    }

    fn keys(&self) -> Keys {
        Keys::of::<ManetConfig>()
    }

    fn keys_of_studies(&self) -> &'static [(&'static str, &'static str)] {
        &[("run.seed", "`seed`"), ("run.replications", "`repetitions`")]
    }

    fn renamed(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("nodes", "network.nodes"),
            ("width", "network.width"),
            ("height", "network.height"),
            ("range", "network.range"),
            ("speed_least", "network.speed[0]"),
            ("speed_most", "network.speed[1]"),
            ("pause_most", "network.pause[1]"),
            ("beacon_least", "beacons.interval[0]"),
            ("beacon_most", "beacons.interval[1]"),
            ("timeout", "beacons.timeout"),
            ("planar", "routing.planar"),
            ("ttl", "routing.ttl"),
            ("bit_rate", "mac.bit_rate"),
            ("backoff_most", "mac.backoff[1]"),
            ("queue", "mac.queue"),
            ("rate", "traffic.rate"),
            ("bytes", "traffic.bytes"),
            ("within", "traffic.within"),
            ("interval", "run.interval"),
            ("warm_up", "run.warm_up"),
            ("duration", "run.horizon"),
            ("run.duration", "run.horizon"),
        ]
    }

    fn experiments(&self) -> Option<&dyn Experiments> {
        Some(&Scenarios)
    }

    fn kernels(&self) -> Vec<&'static ModuleSource> {
        kernels::sources()
    }

    fn checks(&self) -> Vec<Check> {
        checks::all()
    }

    fn benchmarks() -> Vec<Benchmark> {
        benchmarks::all()
    }

    fn figures() -> Vec<Figures> {
        vec![figures::all()]
    }

    fn possible(&self, base: &Arc<Base>) -> Possible {
        let base = Arc::clone(base);
        Box::new(move |point| network(&base, point, 0).map(drop))
    }

    fn unused(&self, base: &Base, point: &Point) -> Vec<Unused> {
        let config = base.config::<ManetConfig>(point).unwrap_or_default();
        config.unused().into_iter().map(|(key, why)| Unused::new(key, why)).collect()
    }

    fn work(&self, base: &Base, point: &Point) -> Option<Work> {
        network(base, point, 0).ok().map(|network| work_in_study(&network))
    }

    fn open(&self, base: &Arc<Base>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
        Ok(Box::new(Manets::new(base, device)))
    }
}

/// Returns the network of a point, with a seed.
///
/// # Errors
/// Values that do not go together, and the engine that studies do not have.
fn network(base: &Base, point: &Point, seed: u64) -> Result<Network, Fault> {
    let mut config: ManetConfig = base.config(point)?;
    if config.run.engine == Engine::Sequential {
        return Err("run.engine: the engines of studies are `exact` and `interval`".into());
    }
    config.run.seed = seed;
    Ok(config.build()?)
}
