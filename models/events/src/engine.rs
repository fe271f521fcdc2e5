//! Engine for many simulations at once.

use super::contract::Events;
use super::device::OnDevice;
use super::error::{EngineError, Outcome};
use super::host::OnHost;
use super::mapping::{Mapping, MappingChoice};
use super::simulation::Start;
use super::speculation::Speculation;
use super::start_error::{MAX_SCHEDULED, StartError};
use super::state::State;
use imminent_common::execution::Execution;
use imminent_core::{Device, Progress};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Simulations that run together.
///
/// An event is safe if it comes before the earliest event of its simulation plus the lookahead: nothing that is still
/// to happen at other modules can precede it. Engines execute the safe events of all modules in parallel (the paper's
/// internal parallelism), and all simulations in parallel (external parallelism). An outcome depends neither on the
/// device nor on other simulations. Event lists grow on demand.
///
/// Determinism class: that of the handlers, `Exact` if they compute in integers.
#[derive(Debug)]
pub struct Engine<E: Events>(Executor<E>);

#[derive(Debug)]
enum Executor<E: Events> {
    Device(Box<OnDevice<E>>),
    Host(OnHost<E>),
}

impl<E: Events> Engine<E> {
    /// Creates simulations before their first event. No handler may schedule more than `most` events per call; `most`
    /// is at most [`MAX_SCHEDULED`].
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn new(device: &Device, starts: &[Start<E>], most: u32) -> Result<Self, EngineError> {
        Self::of(device, starts.to_vec(), most)
    }

    /// Creates simulations like [`Engine::new`]. Their modules are moved, without a copy, if the device stores rows in
    /// the host's format.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn of(device: &Device, starts: Vec<Start<E>>, most: u32) -> Result<Self, EngineError> {
        Self::on(Execution::Auto, device, starts, BTreeMap::new(), most)
    }

    /// Creates simulations, some of which continue from a saved [state](Engine::states), given by their numbers. The
    /// device and the other simulations may differ from those of the saved run; the outcomes are the same.
    ///
    /// # Errors
    /// [`EngineError`]; [`EngineError::State`] for a state whose simulation had a different start.
    pub fn resume(
        device: &Device,
        starts: &[Start<E>],
        states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        Self::on(Execution::Auto, device, starts.to_vec(), states, most)
    }

    /// Creates simulations like [`Engine::resume`], and chooses the executor of their events. If there are fewer
    /// simulations than threads of the host, these divide the modules of large ones among them.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn on(
        execution: Execution,
        device: &Device,
        starts: Vec<Start<E>>,
        states: BTreeMap<usize, State<E>>,
        most: u32,
    ) -> Result<Self, EngineError> {
        for (simulation, start) in starts.iter().enumerate() {
            start.check(simulation)?;
        }
        if most > MAX_SCHEDULED {
            return Err(StartError::TooManyPromised { most }.into());
        }
        let most = most.max(1);
        let is_on_host = match execution {
            Execution::Auto => device.capabilities().native_rows,
            Execution::Device => false,
            Execution::Host => true,
        };
        Ok(Engine(match is_on_host {
            true => Executor::Host(OnHost::new(device.capabilities().threads as usize, starts, states, most)?),
            false => Executor::Device(Box::new(OnDevice::new(device, starts, states, most)?)),
        }))
    }

    fn len(&self) -> usize {
        match &self.0 {
            Executor::Device(device) => device.len(),
            Executor::Host(host) => host.len(),
        }
    }

    /// Sets whether groups prepare events that the model declares as `prepared`. The default is `true` on GPUs. On the
    /// host this has no effect.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn set_preparing(&mut self, prepares: bool) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.set_preparing(prepares),
            Executor::Host(_) => Ok(()),
        }
    }

    /// Sets the largest number of events per module and step: 64 by default, and four times as many if modules are
    /// listed for each step. On the host this has no effect.
    pub fn set_events_per_step(&mut self, events: u32) {
        if let Executor::Device(device) = &mut self.0 {
            device.set_events_per_step(events);
        }
    }

    /// Sets which modules the device runs in one warp: [`MappingChoice::Auto`] by default. On the host this has no
    /// effect.
    pub fn set_mapping(&mut self, mapping: MappingChoice) {
        if let Executor::Device(device) = &mut self.0 {
            device.set_mapping(mapping);
        }
    }

    /// Returns the mapping in use, or the fastest one so far if the engine tries several; `None` before the first run
    /// and on the host.
    #[must_use]
    pub fn mapping(&self) -> Option<Mapping> {
        match &self.0 {
            Executor::Device(device) => device.mapping(),
            Executor::Host(_) => None,
        }
    }

    /// Lets modules execute events speculatively in time windows of this length, in ticks; `None`, the default, for
    /// conservative steps. The model must be declared `optimistic`, and simulations have no links. Outcomes do not
    /// depend on it. Windows longer than the lookahead take fewer steps, and events may be executed several times. On
    /// the host this has no effect.
    ///
    /// A step then is a window. If the device has no memory for a window, windows become shorter. A handler may see
    /// states and payloads that cannot occur in the simulation, and its execution is rolled back; it must end and have
    /// no faults with them either. When a simulation has [`Trouble`](crate::Trouble), all continue in conservative
    /// steps.
    ///
    /// # Errors
    /// [`EngineError::NotOptimistic`], [`EngineError::WindowWithLinks`], errors of the device.
    pub fn set_window(&mut self, window: Option<u64>) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.set_window(window),
            Executor::Host(_) => Ok(()),
        }
    }

    /// Returns the work of speculation so far; `None` without time windows.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn speculation(&self) -> Result<Option<Speculation>, EngineError> {
        match &self.0 {
            Executor::Device(device) => device.speculation(),
            Executor::Host(_) => Ok(None),
        }
    }

    /// Number of steps so far; on the host, of time windows of all simulations; by [`Mapping::Apart`], of looks at all
    /// simulations.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.0 {
            Executor::Device(device) => device.steps(),
            Executor::Host(host) => host.steps(),
        }
    }

    /// Prepares a run ahead of time: chooses a mapping, and records and compiles the steps. No event is executed yet.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn compile(&mut self) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.compile(),
            Executor::Host(_) => Ok(()),
        }
    }

    /// Runs all simulations to their ends. A simulation with [`Trouble`](crate::Trouble) stops there, and others
    /// continue.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn run(&mut self) -> Result<Vec<Outcome<E>>, EngineError> {
        self.run_with(|_| ControlFlow::Continue(()))
    }

    /// Runs all simulations like [`run`](Self::run), and reports progress to a function that may cancel the run. A
    /// cancelled run can be continued.
    ///
    /// # Errors
    /// [`EngineError`].
    pub fn run_with(
        &mut self,
        mut progress: impl FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Vec<Outcome<E>>, EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.run(&mut progress)?,
            Executor::Host(host) => host.run(&mut progress)?,
        }
        self.outcomes(0..self.len())
    }

    /// Returns the time of the earliest pending event of each simulation, in ticks; the greatest time if there is none.
    /// A simulation is over if this is not below its end.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn reached(&self) -> Result<Vec<u64>, EngineError> {
        match &self.0 {
            Executor::Device(device) => device.reached(),
            Executor::Host(host) => Ok(host.reached()),
        }
    }

    /// Returns the states of the given simulations after a cancelled run, in that order; `None` for a simulation with
    /// trouble. Unknown numbers are skipped.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn states(
        &mut self,
        simulations: impl IntoIterator<Item = usize>,
    ) -> Result<Vec<Option<State<E>>>, EngineError> {
        let mut simulations = simulations.into_iter();
        match &mut self.0 {
            Executor::Device(device) => device.states(&mut simulations),
            Executor::Host(host) => host.states(&mut simulations),
        }
    }

    /// Returns the outcomes of the given simulations, in that order; one that is not over has its current state.
    /// Unknown numbers are skipped.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn outcomes(&self, simulations: impl IntoIterator<Item = usize>) -> Result<Vec<Outcome<E>>, EngineError> {
        let mut simulations = simulations.into_iter();
        match &self.0 {
            Executor::Device(device) => device.outcomes(&mut simulations),
            Executor::Host(host) => host.outcomes(&mut simulations),
        }
    }
}
