//! Times at which a simulation is sampled.

use super::error::SimulationError;
use super::record::{FlowPoint, QueuePoint, RatePoint};
use crate::Traffic;
use crate::config::Times;
use crate::units::seconds;
use imminent_common::free_memory::fits;

/// Default number of samples.
const USUAL: u64 = 1000;
/// Number of queues and flows from which on fewer samples are taken, because reading them takes time.
const LARGE: usize = 100_000;
const USUAL_OF_LARGE: u64 = 100;

/// Times at which a simulation is sampled: after every interval, at the end of the warm-up, and at the horizon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Schedule {
    /// Time between points at which the simulation can stop, in nanoseconds. The other times are in quanta.
    pub(super) quantum: u64,
    pub(super) interval: u64,
    pub(super) warm_up: u64,
    pub(super) horizon: u64,
}

impl Schedule {
    /// Rounds times up to quanta.
    pub(super) fn new(times: Times, quantum: u64, traffic: &Traffic) -> Self {
        let size = traffic.flows().all().len() + traffic.network().links().len();
        let usual = if size > LARGE { USUAL_OF_LARGE } else { USUAL };
        let sample = times.sample.unwrap_or(times.horizon.div_ceil(usual));
        let [interval, warm_up, horizon] =
            [sample, times.warm_up, times.horizon].map(|time| time.div_ceil(quantum.max(1)));
        // Rounding up may have moved the warm-up to the horizon.
        Self { quantum, interval: interval.max(1), warm_up, horizon: horizon.max(warm_up + 1) }
    }

    /// Checks that the series of so many queues and flows fit into the memory.
    pub(super) fn check_memory(&self, traffic: &Traffic, most: usize) -> Result<(), SimulationError> {
        let samples = self.horizon.div_ceil(self.interval);
        let (queues, flows) = (traffic.network().links().len() as u64, 2 * traffic.flows().all().len() as u64);
        let bytes = |most: u64| {
            let series =
                most.min(queues) * size_of::<QueuePoint>() as u64 + most.min(flows) * size_of::<FlowPoint>() as u64;
            // Lists that grow have twice the room at most.
            samples.saturating_mul(2 * (series + size_of::<RatePoint>() as u64))
        };
        fits("--series", most as u64, bytes).map_err(|error| SimulationError::Series { error, samples })
    }

    /// Returns a time of so many quanta, in seconds.
    pub(super) fn seconds(&self, quanta: u64) -> f64 {
        seconds(quanta * self.quantum)
    }

    /// Returns the time between two samples, in seconds.
    #[must_use]
    pub fn interval_s(&self) -> f64 {
        self.seconds(self.interval)
    }

    /// Returns the length of the warm-up, in seconds.
    #[must_use]
    pub fn warm_up_s(&self) -> f64 {
        self.seconds(self.warm_up)
    }

    /// Returns the length of the simulation, in seconds.
    #[must_use]
    pub fn horizon_s(&self) -> f64 {
        self.seconds(self.horizon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TrafficConfig;

    #[test]
    fn times_are_rounded_up_to_what_a_simulation_can_stop_at() {
        let config = TrafficConfig::from_toml("[topology]\ngenerate = 'validation'", "t");
        let traffic = config.and_then(|config| config.traffic()).unwrap();
        let schedule = |horizon, warm_up, sample| Schedule::new(Times { horizon, warm_up, sample }, 10, &traffic);
        assert_eq!(schedule(90_000, 0, None), Schedule { quantum: 10, interval: 9, warm_up: 0, horizon: 9_000 });
        assert_eq!(schedule(95, 91, Some(1)), Schedule { quantum: 10, interval: 1, warm_up: 10, horizon: 11 });
    }
}
