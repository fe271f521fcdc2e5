//! Measurement of one network with one engine: results, or speed.

use imminent::Device;
use imminent::models::estimate::Estimate;
use imminent::models::queueing::analysis::{Plan, WarmUp};
use imminent::models::queueing::engine::{Schedule, Watching, clustered, exact, watched};
use imminent::models::queueing::experiment::{Experiment, Timed};
use imminent::models::queueing::interval::interval_ticks;
use imminent::models::queueing::network::{Routing, Template, Topology};
use imminent::models::queueing::{Law, Network, Scenario, Start, Station};
use imminent_console::Failure;
use std::ops::ControlFlow;

/// Networks of the papers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Network, engine and parameters of a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Setting {
    pub(super) shape: Shape,
    /// Number of stations along a side, or of lines and of their stations.
    pub(super) side: u32,
    /// Mean service time, in time units.
    pub(super) mean: f64,
    /// Interval of the clustered engine, in time units; `None` for the exact engine.
    pub(super) interval: Option<f64>,
}

/// Results of a measurement.
#[derive(Debug, Clone)]
pub(super) struct Observation {
    pub(super) setting: Setting,
    pub(super) utilization: Estimate,
    /// Utilization corrected by equation (5-5), for the networks to which it applies.
    pub(super) corrected: Option<Estimate>,
    pub(super) sojourn: Estimate,
    pub(super) events: u64,
    /// Events per second of the simulation alone.
    pub(super) speed: f64,
}

/// Device, and the length and number of its simulations.
pub(super) struct Bench<'d> {
    device: &'d Device,
    services: f64,
    replications: u64,
    events: u64,
    runs: u32,
    seed: u64,
}

impl<'d> Bench<'d> {
    pub(super) fn new(device: &'d Device, services: u32, replications: u64, events: u64, runs: u32, seed: u64) -> Self {
        Self { device, services: f64::from(services), replications, events, runs, seed }
    }

    /// Measures utilization and sojourn time.
    pub(super) fn observe(&self, setting: Setting) -> Result<Observation, Failure> {
        self.carry_out(setting, self.services, self.replications)
    }

    /// Measures the speed: the fastest of several runs counts.
    pub(super) fn time(&self, setting: Setting) -> Result<Observation, Failure> {
        // A server is busy half of the time.
        let stations = f64::from(setting.side) * f64::from(setting.side);
        let services = (2.0 * self.events as f64 / stations).max(2.0);
        let mut best = self.carry_out(setting, services, 1)?;
        for _ in 1..self.runs {
            let next = self.carry_out(setting, services, 1)?;
            if next.speed > best.speed {
                best = next;
            }
        }
        Ok(best)
    }

    fn carry_out(&self, setting: Setting, services: f64, replications: u64) -> Result<Observation, Failure> {
        let network = setting.network()?;
        // A token of the open network spends about two mean services at each station of its line.
        let warm_up = if setting.shape == Shape::Open { 4.0 * f64::from(setting.side) * setting.mean } else { 0.0 };
        let tick = network.tick();
        let ticks = |units: f64| tick.ticks(units).map_err(Failure::usage);
        let interval = setting.interval.map(|units| interval_ticks(units, tick)).transpose().map_err(Failure::usage)?;
        let experiment = Experiment {
            network,
            start: if setting.shape == Shape::Open { Start::One } else { Start::Stationary },
            horizon: ticks(warm_up + services * setting.mean)?,
            seed: self.seed,
            replications,
            interval,
            plan: Plan { warm_up: WarmUp::Time(ticks(warm_up)?), ..Plan::default() },
        };
        experiment.check().map_err(Failure::usage)?;
        let mut watch = |_| ControlFlow::Continue(());
        let (mut events, mut seconds) = (0, 0.0);
        let mut note = |timed: Timed| {
            events += timed.outcome.events();
            seconds += timed.spent.simulation.as_secs_f64();
            timed
        };
        let findings = match interval {
            Some(interval) => experiment.run(
                |scenario| {
                    clustered(self.device, scenario, interval, &mut watch)
                        .map(|ran| note(Timed { outcome: ran.outcome, spent: ran.spent }))
                },
                drop,
            ),
            None if warm_up == 0.0 => experiment.run(
                |scenario: &Scenario<'_>| {
                    exact(self.device, scenario, Schedule::Auto, &mut watch)
                        .map(|ran| note(Timed { outcome: ran.outcome, spent: ran.spent }))
                },
                drop,
            ),
            None => experiment.run_together(
                1,
                |scenarios, watches| {
                    let ran = watched(self.device, scenarios, watches, Watching::default(), &mut watch)?;
                    Ok(ran.into_iter().map(|timed| timed.map(&mut note)).collect())
                },
                drop,
            ),
        };
        let findings = findings.map_err(
            |error: imminent::models::queueing::experiment::ExperimentError<
                imminent::models::queueing::engine::EngineError,
            >| Failure::run(error),
        )?;
        let estimate = |name: &str| findings.estimates.get(name).copied();
        let none = Estimate { mean: None, ci95: None };
        Ok(Observation {
            setting,
            utilization: estimate("utilization").unwrap_or(none),
            corrected: estimate("utilization_corrected"),
            sojourn: estimate("sojourn_by_little").unwrap_or(none),
            events,
            speed: events as f64 / f64::max(seconds, 1e-9),
        })
    }
}

impl Setting {
    fn network(&self) -> Result<Network, Failure> {
        match self.shape {
            Shape::Closed => Network::torus_of_mean(self.side, self.side, self.mean, 1).map_err(Failure::usage),
            Shape::Open => {
                let interarrival = Law::Exponential { mean: 2.0 * self.mean };
                let shape = Topology::Lines { lines: self.side, stations: self.side, interarrival, shared: false };
                let template = Template {
                    station: Station::default(),
                    service: Law::Exponential { mean: self.mean },
                    routing: Routing::default(),
                    tokens: 0,
                };
                shape.network(&template).map_err(Failure::usage)
            }
        }
    }

    pub(super) fn engine(&self) -> &'static str {
        if self.interval.is_some() { "interval" } else { "exact" }
    }
}
