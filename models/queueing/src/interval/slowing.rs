//! Effect of an interval on open networks.
//!
//! A server whose service ends between two steps is idle until the next, even if tokens wait. A service of length `S`
//! therefore occupies it for the least multiple of the interval `D` that is `S` or longer: half an interval longer on
//! average. The load rises from `rate * s` to about `rate * (s + D / 2)`, and waiting times with one over the distance
//! of the load from 1. They can be many intervals longer. Lines grow without end where the raised load reaches 1.

use crate::network::Network;
use crate::theory::Load;

/// Station of an open network where an interval raises the load most, relative to the distance of the load from 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Slowed {
    /// Label or number of the station.
    pub label: String,
    /// Load without clustering.
    pub load: f64,
    /// Load with clustering.
    pub raised: f64,
}

impl Slowed {
    /// Largest factor by which waiting times grow without a warning.
    pub const UNNOTICED: f64 = 1.02;

    /// Finds the station of a network with sources that an interval, in ticks, slows most. Returns `None` if the
    /// traffic equations have no solution, or every station is overloaded without the interval.
    #[must_use]
    pub fn of(network: &Network, interval: u64) -> Option<Self> {
        let load = Load::of(network).ok().filter(|_| network.has_sources())?;
        let half = network.tick().units(interval) / 2.0;
        let stations = (0..network.len() as u32).filter(|&node| network.station(node).is_some());
        let slowed = stations.map(|node| {
            let (before, rate) = (load.offered(node), load.total_rate(node));
            (node, before, before + rate * half)
        });
        let stable = slowed.filter(|(_, before, _)| *before < 1.0);
        let worst = stable.min_by(|a, b| ((1.0 - a.2) / (1.0 - a.1)).total_cmp(&((1.0 - b.2) / (1.0 - b.1))))?;
        Some(Self { label: network.label(worst.0), load: worst.1, raised: worst.2 })
    }

    /// Returns the least factor by which waiting times at the station grow; `None` if they grow without end.
    #[must_use]
    pub fn factor(&self) -> Option<f64> {
        (self.raised < 1.0).then(|| (1.0 - self.load) / (1.0 - self.raised))
    }
}

/// Returns the mean sojourn time of M/M/1 with clustered events, exactly: `None` if the queue is unstable.
///
/// The server is occupied for the service rounded up to whole intervals, and looks for tokens at steps: M/G/1 with
/// multiple vacations of one interval. Levy and Yechiali (1975) give its wait as that of Pollaczek and Khinchine plus
/// half a vacation.
#[must_use]
pub fn mm1_sojourn(rate: f64, mean_service: f64, interval: f64) -> Option<f64> {
    // A whole number of intervals, by the geometric law.
    let ends = -f64::exp_m1(-interval / mean_service);
    let (occupied, squared) = (interval / ends, interval * interval * (2.0 - ends) / (ends * ends));
    let load = rate * occupied;
    (load < 1.0).then(|| rate * squared / (2.0 * (1.0 - load)) + interval / 2.0 + mean_service)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::config::NetworkConfig;
    use crate::experiment::{Experiment, Timed};
    use crate::interval::reference;
    use std::convert::Infallible;

    fn queue(rate: f64, replications: u32) -> Experiment {
        let text = format!(
            "[network]\nmean = 1.0\nedges = [['s', 'q'], ['q', 'out']]\n[[network.source]]\nname = 's'\nrate = {rate}\n\
             [run]\nengine = 'interval'\ninterval = 0.1\nhorizon = 6000.0\nwarm_up = 300.0\nreplications = {replications}\n"
        );
        NetworkConfig::from_toml(&text, "queue.toml").unwrap().experiment().unwrap()
    }

    /// Without clustering the mean sojourn is 5. Half an interval would make it 5.05.
    #[test]
    fn a_busy_queue_is_slowed_by_many_intervals() {
        let experiment = queue(0.8, 20);
        let clustered = |scenario: &crate::Scenario<'_>| {
            let ran = reference::simulate(scenario, experiment.interval.unwrap()).unwrap();
            Ok::<_, Infallible>(Timed::measure(|| ran.outcome))
        };
        let findings = experiment.run(clustered, drop).unwrap();
        let (found, expected) = (findings.estimates["sojourn"], mm1_sojourn(0.8, 1.0, 0.1).unwrap());
        assert!((expected - 6.33).abs() < 0.005 && found.covers(expected, 2.0), "{found:?} instead of {expected}");
        assert!(found.mean.unwrap() - found.half_width().unwrap() > 5.5, "{found:?}");
        let warnings: Vec<String> = findings.warnings.iter().map(ToString::to_string).collect();
        assert!(
            warnings.len() == 1 && warnings[0].contains("'q' has a load of 0.8400 instead of 0.8000"),
            "{warnings:?}"
        );
    }

    #[test]
    fn the_effect_goes_with_the_distance_of_the_load_from_one() {
        let slowed = |rate: f64| Slowed::of(&queue(rate, 1).network, (1 << 20) / 10).unwrap();
        let [idle, busy, full] = [0.2, 0.8, 0.96].map(slowed);
        assert!((idle.factor().unwrap() - 0.8 / 0.79).abs() < 1e-6 && idle.label == "q");
        assert!((busy.raised - 0.84).abs() < 1e-6 && (busy.factor().unwrap() - 0.2 / 0.16).abs() < 1e-5);
        assert!(full.load < 1.0 && full.factor().is_none());
        assert_eq!(mm1_sojourn(0.96, 1.0, 0.1), None);
        // An interval of almost nothing changes nothing.
        assert!((mm1_sojourn(0.8, 1.0, 1e-6).unwrap() - 5.0).abs() < 1e-4);
    }
}
