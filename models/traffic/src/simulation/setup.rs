//! Choice of the engine of a simulation, and its set-up at time 0.

use super::error::SimulationError;
use super::recorder::Simulation;
use super::schedule::Schedule;
use super::stepper::Stepper;
use super::{fluid, hybrid, packets, sequential};
use crate::config::{ConfigError, Engine, Times};
use crate::{FLUID_STEPS, StepSize, Traffic, TrafficConfig};
use imminent_common::free_memory::fits;
use imminent_core::{Device, Work};

/// Fluid equations of flows on links that a GPU solves in a second: 16 campuses take 0.2 s for 3,160 M.
const GPU_FLUID_STEPS: f64 = 20e9;

/// Seconds of a GPU for a step: one campus takes 0.13 s for 4,000 steps.
const OF_STEP: f64 = 30e-6;

/// Checked choice of engine, step and times for some traffic.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'t> {
    config: &'t TrafficConfig,
    traffic: &'t Traffic,
    engine: Engine,
    times: Times,
    step: Option<StepSize>,
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
        Ok(Self { config, traffic, engine, times, step })
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
                let (coupling, simulator) = (config.coupling()?, config.simulator(traffic)?);
                Box::new(hybrid::Hybrid::new(device()?, traffic, simulator, step, coupling)?)
            }
            _ => Box::new(packets::Packets::new(traffic, config.simulator(traffic)?)),
        };
        let schedule = Schedule::new(self.times, stepper.quantum(), traffic);
        Ok(Simulation::new(traffic, stepper, schedule))
    }
}
