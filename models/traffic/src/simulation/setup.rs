//! Choice of the engine of a simulation, and its set-up at time 0.

use super::error::SimulationError;
use super::recorder::Simulation;
use super::schedule::Schedule;
use super::stepper::Stepper;
use super::{fluid, hybrid, packets, sequential};
use crate::config::{ConfigError, Engine, Times};
use crate::packet::{Paths, Simulator};
use crate::{FLUID_STEPS, StepSize, Traffic, TrafficConfig};
use imminent_common::free_memory::fits;
use imminent_core::{Device, Work};
use std::sync::{Arc, OnceLock};

/// Fluid equations of flows on links that a GPU solves in a second: 16 campuses take 0.2 s for 3,160 M.
const GPU_FLUID_STEPS: f64 = 20e9;

/// Seconds of a GPU for a step: one campus takes 0.13 s for 4,000 steps.
const OF_STEP: f64 = 30e-6;

/// Checked choice of engine, step and times for some traffic.
#[derive(Debug, Clone)]
pub struct Setup<'t> {
    config: &'t TrafficConfig,
    traffic: &'t Traffic,
    engine: Engine,
    times: Times,
    step: Option<StepSize>,
    /// Paths of packets, once they were found, if they do not depend on the seed.
    paths: OnceLock<Arc<Paths>>,
}

impl<'t> Setup<'t> {
    /// Checks times, engine and step of a configuration against the traffic that it describes.
    ///
    /// # Errors
    /// [`ConfigError`], which names the key at fault.
    pub fn new(config: &'t TrafficConfig, traffic: &'t Traffic) -> Result<Self, ConfigError> {
        let times = config.run.times()?;
        let engine = config.engine(traffic)?;
        if matches!(engine, Engine::Packets | Engine::Hybrid) {
            config.check_packets(traffic)?;
        }
        let step = if engine == Engine::Packets { None } else { Some(config.step(traffic)?) };
        Ok(Self { config, traffic, engine, times, step, paths: OnceLock::new() })
    }

    /// Returns the engine.
    #[must_use]
    pub const fn engine(&self) -> Engine {
        self.engine
    }

    /// Returns the step of the fluid equations; `None` without fluids.
    #[must_use]
    pub const fn step(&self) -> Option<StepSize> {
        self.step
    }

    /// Returns the work of the fluids on a device; `None` for engines of the host, which use no device.
    #[must_use]
    pub fn work(&self) -> Option<Work> {
        let on_device = matches!(self.engine, Engine::Fluid | Engine::Hybrid);
        on_device.then(|| {
            let (steps, amount) = (self.steps() as f64, self.fluid_steps() as f64);
            Work::new(FLUID_STEPS, amount).on_gpu(amount / GPU_FLUID_STEPS).in_steps(steps * OF_STEP).compiling(1.7)
        })
    }

    /// Returns the number of steps of the fluid equations.
    fn steps(&self) -> u64 {
        self.step.map_or(0, |step| self.times.horizon / step.step.max(1))
    }

    /// Returns the number of steps of the fluid equations of all flows on all links of their routes.
    pub(crate) fn fluid_steps(&self) -> u64 {
        self.steps().saturating_mul(self.traffic.routes().hops().len() as u64)
    }

    /// Sets up the simulation at time 0. Engines of the host leave the device alone.
    ///
    /// # Errors
    /// [`SimulationError`] for traffic that the engine or the device cannot simulate.
    pub fn begin(&self, device: Option<&Device>) -> Result<Simulation<'t>, SimulationError> {
        self.begin_with(self.config.run.seed, device)
    }

    /// Sets up the simulation like [`begin`](Self::begin), with another seed of packets. Simulations of one set-up
    /// share the paths of packets, unless these depend on the seed.
    ///
    /// # Errors
    /// [`SimulationError`], as for [`begin`](Self::begin).
    pub fn begin_with(&self, seed: u64, device: Option<&Device>) -> Result<Simulation<'t>, SimulationError> {
        let Self { config, traffic, .. } = *self;
        let device = || device.ok_or(SimulationError::NoDevice { engine: self.engine.name() });
        let stepper: Box<dyn Stepper + 't> = match (self.engine, self.step) {
            (Engine::Fluid, Some(step)) => {
                let kept = (config.rules()?, config.memory()?);
                Box::new(fluid::Fluids::new(device()?, traffic, step, (kept, config.precision()))?)
            }
            (Engine::Sequential, Some(step)) => {
                let (flows, bytes) = (traffic.flows().all().len() as u64, sequential::bytes(traffic, step));
                // The memory of fewer flows is less in proportion.
                let some = |count: u64| (u128::from(bytes) * u128::from(count) / u128::from(flows.max(1))) as u64;
                fits("--engine sequential, number of flows:", flows, some)?;
                Box::new(sequential::OneByOne::new(traffic, step, config.rules()?))
            }
            (Engine::Hybrid, Some(step)) => {
                let (coupling, simulator) = (config.coupling()?, self.simulator(seed)?);
                Box::new(hybrid::Hybrid::new(device()?, traffic, simulator, step, coupling)?)
            }
            _ => Box::new(packets::Packets::new(traffic, self.simulator(seed)?)),
        };
        let schedule = Schedule::new(self.times, stepper.quantum(), traffic);
        Ok(Simulation::new(traffic, stepper, schedule))
    }

    fn simulator(&self, seed: u64) -> Result<Simulator, ConfigError> {
        let Self { config, traffic, .. } = *self;
        let paths = match self.paths.get() {
            Some(paths) => Arc::clone(paths),
            None => {
                // Packets alone know failures, and stop at the horizon, rounded up.
                let end = self.times.horizon.saturating_add(2 * packets::QUANTUM);
                let paths = Arc::new(config.paths(traffic, seed, end)?);
                if !traffic.has_ecmp() {
                    // Another thread has found the same ones.
                    let _ = self.paths.set(Arc::clone(&paths));
                }
                paths
            }
        };
        config.simulator_along(paths, traffic, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Alone, clock};
    use crate::simulation::{Kept, Results};
    use std::ops::ControlFlow;

    /// Two equal paths, one of which fails twice before the end, and has its routes back when the run is over.
    fn config(keys: &str) -> TrafficConfig {
        let link = |from: &str, to: &str| format!("[[topology.link]]\nfrom = '{from}'\nto = '{to}'\n");
        let links = [link("a", "b"), link("b", "d"), link("a", "c"), link("c", "d")].concat();
        let failure = |start: f64, stop: f64| {
            format!("[[topology.failure]]\nfrom = 'a'\nto = 'b'\nstart = {start}\nstop = {stop}\n")
        };
        let text = format!(
            "[topology]\nbandwidth = 1e7\ndelay = 0.01\nbuffer = '20 packets'\ndiscipline = 'drop-tail'\n{links}{}{}
            [[traffic.flow]]\nfrom = 'a'\nto = 'd'\ntcp = 'cubic'\nsessions = 6\n
            [[traffic.flow]]\nfrom = 'a'\nto = 'd'\nkind = 'poisson'\nrate = 2e6\n
            [traffic]\nconvergence = 0.5\n{keys}\n[run]\nhorizon = 4\n",
            failure(1.0, 2.0),
            failure(2.75, 3.5)
        );
        TrafficConfig::from_toml(&text, "t").unwrap()
    }

    #[test]
    fn simulations_of_one_set_up_are_those_of_their_seeds() {
        for (keys, shares) in [("", true), ("ecmp = true", false)] {
            let config = config(keys);
            let traffic = config.traffic().unwrap();
            let digest = |simulation: Simulation<'_>| {
                let record = simulation.run(Kept::MeansAlone, &mut |_| ControlFlow::Continue(())).unwrap();
                (Results::of(&traffic, &record).digest(), record.packets)
            };
            let setup = Setup::new(&config, &traffic).unwrap();
            let mut found = vec![];
            for seed in 1..4 {
                let mut own = config.clone();
                own.run.seed = seed;
                let alone = digest(Setup::new(&own, &traffic).unwrap().begin(None).unwrap());
                assert_eq!(digest(setup.begin_with(seed, None).unwrap()), alone, "{keys}, seed {seed}");
                // A simulator that knows all changes of routes, also those after the end.
                let mut whole = own.simulator(&traffic).unwrap();
                whole.run_until(4 * clock::SECOND, &mut Alone);
                assert_eq!(alone.1, Some(whole.report()));
                found.push(alone.0);
            }
            assert!(found[0] != found[1] && found[1] != found[2]);
            assert_eq!(setup.paths.get().is_some(), shares);
        }
    }
}
