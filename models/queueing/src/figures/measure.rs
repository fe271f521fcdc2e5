//! Measurement of one network with one engine: results and speed.

use crate::analysis::{Plan, WarmUp};
use crate::engine::{EngineError, Schedule, Watching, clustered, exact, watched};
use crate::experiment::{Experiment, ExperimentError, Timed};
use crate::interval::interval_ticks;
use crate::network::{Routing, Template, Topology};
use crate::outcome::Outcome;
use crate::{Law, Network, Scenario, Start, Station};
use imminent_core::Device;
use imminent_study::figures::Place;
use imminent_study::laboratory::Fault;
use serde::Serialize;
use std::ops::ControlFlow;

/// Side of the papers' networks.
pub(super) const SIDE: u32 = 32;
/// Mean service time of the papers' networks, in time units.
pub(super) const MEAN: f64 = 10.0;
/// Mean service times of Table 5-2 and figure 5-5 B.
pub(super) const MEANS: [f64; 3] = [5.0, 10.0, 20.0];

/// Networks of the papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Shape {
    /// Torus with a token for each station, placed by the stationary law.
    Closed,
    /// Lines of stations in tandem. A token comes to each line every two mean services, so stations are busy half of
    /// the time.
    Open,
}

impl Shape {
    pub(super) const ALL: [Self; 2] = [Self::Closed, Self::Open];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Closed => "closed",
            Self::Open => "open",
        }
    }
}

/// Network, engine and length of a measurement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Setting {
    pub(super) network: Shape,
    /// Number of stations along a side, or of lines and of their stations.
    pub(super) side: u32,
    /// Mean service time, in time units.
    pub(super) mean_service: f64,
    /// Interval of the clustered engine, in time units; `None` for the exact engine.
    pub(super) interval: Option<f64>,
    /// Length of each replication, in mean services.
    pub(super) services: f64,
    pub(super) replications: u64,
    /// Number of runs, of which the fastest counts.
    pub(super) runs: u32,
}

/// Results of a measurement.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    pub(super) utilization: Option<f64>,
    pub(super) utilization_ci95: Option<f64>,
    /// Utilization corrected by equation (5-5), for the networks to which it applies.
    pub(super) utilization_corrected: Option<f64>,
    pub(super) utilization_corrected_ci95: Option<f64>,
    pub(super) sojourn: Option<f64>,
    pub(super) sojourn_ci95: Option<f64>,
    pub(super) events: u64,
    /// Events per second of the simulation alone.
    pub(super) events_per_s: f64,
}

impl Setting {
    /// Returns the setting of the exact engine, with which this one is compared.
    pub(super) fn exact(&self) -> Setting {
        Setting { interval: None, ..*self }
    }

    pub(super) fn measure(&self, seed: u64, place: &Place) -> Result<Found, Fault> {
        let device = place.device.as_ref().ok_or("the engines need a device")?;
        let mut best = self.run(device, seed)?;
        for _ in 1..self.runs {
            let next = self.run(device, seed)?;
            if next.events_per_s > best.events_per_s {
                best = next;
            }
        }
        Ok(best)
    }

    fn run(&self, device: &Device, seed: u64) -> Result<Found, Fault> {
        let network = self.build()?;
        let is_open = self.network == Shape::Open;
        // A token of the open network spends about two mean services at each station of its line.
        let warm_up = if is_open { 4.0 * f64::from(self.side) * self.mean_service } else { 0.0 };
        let tick = network.tick();
        let interval = self.interval.map(|units| interval_ticks(units, tick)).transpose()?;
        let experiment = Experiment {
            network,
            start: if is_open { Start::One } else { Start::Stationary },
            horizon: tick.ticks(warm_up + self.services * self.mean_service)?,
            seed,
            first: 0,
            replications: self.replications,
            interval,
            plan: Plan { warm_up: WarmUp::Time(tick.ticks(warm_up)?), ..Plan::default() },
        };
        experiment.check()?;
        let mut watch = |_| ControlFlow::Continue(());
        let (mut events, mut seconds) = (0, 0.0);
        let mut note = |timed: Timed| {
            events += timed.ended.events;
            seconds += timed.spent.simulation.as_secs_f64();
            timed
        };
        let timed = |outcome: Outcome, spent| Timed { ended: outcome.into(), spent };
        let findings: Result<_, ExperimentError<EngineError>> = match interval {
            Some(interval) => experiment.run(
                |scenario| {
                    let ran = clustered(device, scenario, interval, &mut watch)?;
                    Ok(note(timed(ran.outcome, ran.spent)))
                },
                drop,
            ),
            None if is_open => experiment.run_together(
                1,
                |scenarios, watches| {
                    let ran = watched(device, scenarios, watches, Watching::default(), &mut watch)?;
                    Ok(ran.into_iter().map(|timed| timed.map(&mut note)).collect())
                },
                drop,
            ),
            None => experiment.run(
                |scenario: &Scenario<'_>| {
                    let ran = exact(device, scenario, Schedule::Auto, &mut watch)?;
                    Ok(note(timed(ran.outcome, ran.spent)))
                },
                drop,
            ),
        };
        let findings = findings?;
        let estimate = |name: &str| {
            let estimate = findings.estimates.get(name);
            (estimate.and_then(|of| of.mean), estimate.and_then(|of| of.half_width()))
        };
        let (utilization, utilization_ci95) = estimate("utilization");
        let (utilization_corrected, utilization_corrected_ci95) = estimate("utilization_corrected");
        let (sojourn, sojourn_ci95) = estimate("sojourn_by_little");
        Ok(Found {
            utilization,
            utilization_ci95,
            utilization_corrected,
            utilization_corrected_ci95,
            sojourn,
            sojourn_ci95,
            events,
            events_per_s: events as f64 / f64::max(seconds, 1e-9),
        })
    }

    fn build(&self) -> Result<Network, Fault> {
        match self.network {
            Shape::Closed => Ok(Network::torus_of_mean(self.side, self.side, self.mean_service, 1)?),
            Shape::Open => {
                let interarrival = Law::Exponential { mean: 2.0 * self.mean_service };
                let shape = Topology::Lines { lines: self.side, stations: self.side, interarrival, shared: false };
                let service = Law::Exponential { mean: self.mean_service };
                let (station, routing) = (Station::default(), Routing::default());
                Ok(shape.network(&Template { station, service, routing, tokens: 0 })?)
            }
        }
    }
}
