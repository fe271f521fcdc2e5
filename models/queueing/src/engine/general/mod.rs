//! Exact engine of general networks, one or many at a time.

mod clustering;
mod concluding;
mod device;
mod host;
mod layout;
mod model;
mod reading;
mod results;
mod room;
mod stepping;
mod threads;
mod watching;

pub(super) use clustering::clustered;
pub(super) use watching::watch_on_host;

use super::{EngineError, Schedule};
use crate::outcome::{Ended, NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::trace::Times;
use device::OnDevice;
use host::OnHost;
use imminent_common::output::sketch::BUCKETS;
use imminent_core::clock::Instant;
use imminent_core::{Device, Progress};
use std::ops::ControlFlow;
use std::time::Duration;

/// Simulation of an ensemble of scenarios. The networks may differ; each has its own streams and horizon.
///
/// Each network's outcome is that of simulating it alone, to the bit, on every device and by either schedule. A run can
/// be [observed](Self::observe) and continued without affecting its results. Determinism class: exact.
///
/// ```
/// # use imminent_core::Device;
/// # use imminent_cpu::{CpuBackend, Options};
/// use imminent_queueing::engine::{Schedule, Simulation};
/// use imminent_queueing::{Network, Scenario, Start};
/// use std::ops::ControlFlow;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let device = Device::open(CpuBackend::open(&Options::default())?)?;
/// let torus = Network::torus(4, 4, 10 << 20, 1)?;
/// let scenarios = [1, 2].map(|seed| Scenario::new(&torus, Start::One, 500 << 20, seed, 0));
/// let scenarios = scenarios.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let mut simulation = Simulation::new(&device, &scenarios, Schedule::Auto)?;
/// simulation.run_to(100 << 20, &mut |_| ControlFlow::Continue(()))?;
/// let warm_up = simulation.observe()?;
/// simulation.run_to(u64::MAX, &mut |_| ControlFlow::Continue(()))?;
/// let all = simulation.observe()?;
/// assert_eq!((warm_up[1].horizon, all[1].horizon), (100 << 20, 500 << 20));
/// # Ok(())
/// # }
/// ```
pub struct Simulation<'s> {
    scenarios: Vec<Scenario<'s>>,
    engine: Engine<'s>,
    /// Time reached by each network, in ticks.
    reached: Vec<u64>,
    threads: usize,
    /// Times of visits that ended since they were last taken, by network, if they are counted.
    times: Option<Vec<Times>>,
    counts_classes: bool,
    wall: Duration,
    steps: u64,
}

// A device counts in the buckets of a sketch.
const _: () = assert!(crate::kernels::general::facility::BUCKETS as usize == BUCKETS);

enum Engine<'s> {
    Device(Box<OnDevice>),
    Host(Vec<OnHost<'s>>),
}

impl<'s> Simulation<'s> {
    /// Device memory for counting the times of one network's visits, in bytes.
    pub const BYTES_OF_TIMES: u64 = 2 * BUCKETS as u64 * 8;

    /// Sets up scenarios at time 0. [`Schedule::Auto`] is [`Schedule::Events`] if the device's rows are native structs,
    /// otherwise [`Schedule::Tiles`].
    ///
    /// # Errors
    /// [`EngineError::Beyond`] for what needs an engine of the host, [`EngineError::NotNative`] for events on a
    /// device without native rows, [`EngineError::TooLarge`], [`EngineError::LineTooLong`], and the device's errors.
    pub fn new(device: &Device, scenarios: &[Scenario<'s>], schedule: Schedule) -> Result<Self, EngineError> {
        scenarios.iter().try_for_each(model::check)?;
        let native = device.capabilities().native_rows;
        let threads = (device.capabilities().threads as usize).max(1);
        let engine = match schedule {
            Schedule::Events if !native => {
                return Err(EngineError::NotNative { device: device.info().name.clone() });
            }
            Schedule::Events | Schedule::Auto if native => Engine::Host(threads::set_up(scenarios, threads)?),
            _ => Engine::Device(Box::new(OnDevice::new(device, scenarios)?)),
        };
        Ok(Self {
            scenarios: scenarios.to_vec(),
            engine,
            reached: vec![0; scenarios.len()],
            threads,
            times: None,
            counts_classes: false,
            wall: Duration::ZERO,
            steps: 0,
        })
    }

    /// Limits the events schedule, which simulates several networks at once, to at most `threads` threads of the host.
    /// The default is the number of the device. Outcomes do not depend on it.
    #[must_use]
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads: threads.max(1), ..self }
    }

    /// Counts times of visits from the start, for [`take_visit_times`](Self::take_visit_times). Must be called before
    /// the first run.
    ///
    /// Counting takes 116 KiB of device memory for each network, independently of its size and horizon.
    ///
    /// # Errors
    /// [`EngineError::TooLarge`] for too many networks, and the device's errors.
    pub fn with_times(mut self) -> Result<Self, EngineError> {
        match &mut self.engine {
            Engine::Device(engine) => engine.count_times(self.scenarios.len())?,
            Engine::Host(networks) => networks.iter_mut().for_each(OnHost::count_times),
        }
        self.times = Some(vec![Times::default(); self.scenarios.len()]);
        Ok(self)
    }

    /// Takes the times of the visits to stations that ended since the last call, up to the time that each scenario has
    /// reached. They are the visits that [`sequential::traced`](crate::sequential::traced) reports. `None` unless they
    /// are [counted](Self::with_times).
    pub fn take_visit_times(&mut self) -> Option<Vec<Times>> {
        self.times.as_mut().map(|sums| sums.iter_mut().map(std::mem::take).collect())
    }

    /// Counts statistics by class from the start, for [`by_class`](Self::by_class). Must be called before the first
    /// run.
    ///
    /// # Errors
    /// [`EngineError::TooLarge`] for too many classes at too many nodes, and the device's errors.
    pub fn with_classes(mut self) -> Result<Self, EngineError> {
        match &mut self.engine {
            Engine::Device(engine) => engine.count_classes()?,
            Engine::Host(networks) => networks.iter_mut().for_each(OnHost::count_classes),
        }
        self.counts_classes = true;
        Ok(self)
    }

    /// Returns the statistics by node and class up to the time that each scenario has reached, with times in ticks.
    /// They equal those of [`sequential::by_class`](crate::sequential::by_class). A class has no greatest number
    /// waiting. `None` unless they are [counted](Self::with_classes).
    ///
    /// # Errors
    /// The device's errors.
    pub fn by_class(&mut self) -> Result<Option<Vec<Vec<NodeStatistics>>>, EngineError> {
        Ok(match &mut self.engine {
            _ if !self.counts_classes => None,
            Engine::Device(engine) => Some(engine.set_up()?.by_class(&self.reached)?),
            Engine::Host(networks) => Some(networks.iter().map(OnHost::by_class).collect()),
        })
    }

    /// Simulates every network up to `time`, in ticks, or to its horizon if that is earlier. A network that is already
    /// further is not changed.
    ///
    /// For the events schedule, the steps of the progress function are events.
    ///
    /// # Errors
    /// [`EngineError`]: the device's errors, cancellation by `progress`, a line too long for a table. The simulation
    /// cannot be continued then.
    pub fn run_to(
        &mut self,
        time: u64,
        progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<(), EngineError> {
        for (reached, scenario) in self.reached.iter_mut().zip(&self.scenarios) {
            *reached = time.min(scenario.horizon()).max(*reached);
        }
        if let Engine::Device(engine) = &mut self.engine {
            engine.prepare()?;
        }
        let (began, before) = (Instant::now(), self.steps);
        let mut progress = |now: Progress| progress(Progress { steps: before + now.steps });
        self.steps += match &mut self.engine {
            Engine::Device(engine) => engine.run(&self.reached, &mut progress)?,
            Engine::Host(networks) => threads::run(networks, &self.reached, self.threads, &mut progress)?,
        };
        self.wall += began.elapsed();
        if let Some(sums) = &mut self.times {
            let times = match &mut self.engine {
                Engine::Device(engine) => engine.take_times()?,
                Engine::Host(networks) => networks.iter_mut().map(OnHost::take_times).collect(),
            };
            sums.iter_mut().zip(&times).for_each(|(sum, times)| *sum += times);
        }
        Ok(())
    }

    /// Returns the outcome of each scenario up to the time that it has reached. It equals that of simulating the
    /// scenario to that horizon alone.
    ///
    /// # Errors
    /// The device's errors.
    pub fn observe(&mut self) -> Result<Vec<Outcome>, EngineError> {
        match &mut self.engine {
            Engine::Device(engine) => engine.set_up()?.outcomes(&self.scenarios, &self.reached),
            Engine::Host(networks) => threads::outcomes(networks, self.threads),
        }
    }

    /// Returns what a run keeps of each scenario's [outcome](Self::observe). A device computes digests and statistics,
    /// and only these are read.
    ///
    /// # Errors
    /// The device's errors.
    pub fn results(&mut self) -> Result<Vec<Ended>, EngineError> {
        match &mut self.engine {
            Engine::Device(engine) => engine.set_up()?.results(&self.reached),
            Engine::Host(networks) => {
                Ok(threads::outcomes(networks, self.threads)?.into_iter().map(Ended::from).collect())
            }
        }
    }

    /// Returns `true` if the simulation uses the events schedule.
    #[must_use]
    pub fn is_by_events(&self) -> bool {
        matches!(self.engine, Engine::Host(_))
    }

    /// Returns the wall time of the simulation alone so far: without set-up, compilation and reading back.
    #[must_use]
    pub fn wall(&self) -> Duration {
        self.wall
    }

    /// Returns the number of steps so far: of all networks at once, or events for the events schedule.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }
}
