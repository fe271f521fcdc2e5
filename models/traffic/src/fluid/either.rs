//! Fluids on a device, in numbers of either precision.

use super::{FlowState, FluidError, Means, Memory, Precision, QueueState, Rules, double, single};
use crate::{StepSize, Traffic};
use imminent_core::{Determinism, Device, Error, Submission};
use std::time::Duration;

/// Fluid part of some traffic, simulated on a device. Kernels process all flows, then all fluid under way, then all
/// queues. One launch makes as many steps as fit into the shortest link delay (section 4.1 of the paper).
///
/// A queue treats the fluid of all flows alike. Flows that take the same links from one sender are therefore one branch
/// of a tree until their paths part. Memory and time grow with the branches of these trees, not with the hops of all
/// flows.
///
/// Determinism: `Reproducible` on devices that round as IEEE 754 says, `Bounded` on others. These are taken by choice:
/// errors of a few units in the last place are far below those of the equations. All numbers have one [`Precision`].
/// Windows and queues also store their rounding errors (compensated summation).
#[derive(Debug)]
pub struct Engine(Engines);

#[derive(Debug)]
enum Engines {
    Single(Box<single::Engine>),
    Double(Box<double::Engine>),
}

/// Dispatches to the engine of the chosen precision.
macro_rules! either {
    ($engines:expr, $engine:ident => $then:expr) => {
        match $engines {
            Engines::Single($engine) => $then,
            Engines::Double($engine) => $then,
        }
    };
}

impl Engine {
    /// Creates an empty network on a device, in `f32`.
    ///
    /// # Errors
    /// As for [`Engine::with_precision`].
    pub fn new(device: &Device, traffic: &Traffic, size: StepSize, rules: Rules) -> Result<Self, FluidError> {
        Self::with_memory(device, traffic, size, rules, Memory::default())
    }

    /// Creates an empty network on a device, in `f32`, with a given length of the history.
    ///
    /// # Errors
    /// As for [`Engine::with_precision`].
    pub fn with_memory(
        device: &Device,
        traffic: &Traffic,
        size: StepSize,
        rules: Rules,
        memory: Memory,
    ) -> Result<Self, FluidError> {
        Self::with_precision(device, traffic, size, (rules, memory), Precision::Single)
    }

    /// Creates an empty network on a device, with a given history length and precision.
    ///
    /// # Errors
    /// [`FluidError::Rules`] for invalid rules; [`FluidError::Launch`] for a lookahead that
    /// [`Traffic::check_lookahead`] refuses; [`FluidError::NoDoubles`] if the device has no `f64` and that was asked
    /// for; [`FluidError::TooSlow`] for queues that take too long for their histories; [`FluidError::Memory`] if the
    /// histories do not fit into the free memory of the device; errors of the device.
    pub fn with_precision(
        device: &Device,
        traffic: &Traffic,
        size: StepSize,
        (rules, memory): (Rules, Memory),
        precision: Precision,
    ) -> Result<Self, FluidError> {
        let device = &device.allowing(Determinism::LOOSEST);
        precision.check(device)?;
        rules.check()?;
        traffic.check_lookahead(size)?;
        Ok(Engine(match precision {
            Precision::Single => Engines::Single(Box::new(single::Engine::new(device, traffic, size, rules, memory)?)),
            Precision::Double => Engines::Double(Box::new(double::Engine::new(device, traffic, size, rules, memory)?)),
        }))
    }

    /// Returns the precision of the computation.
    #[must_use]
    pub fn precision(&self) -> Precision {
        match self.0 {
            Engines::Single(_) => Precision::Single,
            Engines::Double(_) => Precision::Double,
        }
    }

    /// Steps per launch.
    #[must_use]
    pub fn lookahead(&self) -> u32 {
        either!(&self.0, engine => engine.lookahead())
    }

    /// Number of steps so far.
    #[must_use]
    pub fn steps(&self) -> u64 {
        either!(&self.0, engine => engine.steps())
    }

    /// Number of branches: links on the paths of flows, where flows that reach a link on the same path from one sender
    /// count once.
    #[must_use]
    pub fn branches(&self) -> usize {
        either!(&self.0, engine => engine.branches())
    }

    /// Advances by the given number of launches, each of [`Engine::lookahead`] steps.
    ///
    /// # Errors
    /// [`FluidError::TooLate`] if some fluid could be under way for longer than the history by then; the state is
    /// unchanged. Errors of the device; a fault if the clock overflows.
    pub fn advance(&mut self, launches: u32) -> Result<(), FluidError> {
        either!(&mut self.0, engine => engine.advance(launches))
    }

    /// Starts measuring for [`Engine::means`], step by step, and discards earlier measurements. Each launch then
    /// includes two more kernels, which only read, so the simulation does not change.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn measure(&mut self) -> Result<(), FluidError> {
        either!(&mut self.0, engine => engine.measure())
    }

    /// Returns means over the steps since measuring began; `None` without such steps.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn means(&self) -> Result<Option<Means>, FluidError> {
        either!(&self.0, engine => engine.means())
    }

    /// Returns the current state of every flow, by number.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        either!(&self.0, engine => engine.flows())
    }

    /// Returns the current state of every queue that a flow enters.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        either!(&self.0, engine => engine.queues())
    }
}

/// Data that shared queues of an engine exchange with packets.
#[derive(Debug)]
pub(crate) enum SharedQueues {
    Single(single::SharedQueues),
    Double(double::SharedQueues),
}

impl SharedQueues {
    /// Prepares the queues of `links`, which must all belong to the engine, for batches of `launches` launches.
    pub(crate) fn new(engine: &Engine, links: &[u32], launches: u32) -> Result<Self, FluidError> {
        Ok(match &engine.0 {
            Engines::Single(engine) => Self::Single(single::SharedQueues::new(engine, links, launches)?),
            Engines::Double(engine) => Self::Double(double::SharedQueues::new(engine, links, launches)?),
        })
    }

    /// Time that the host spent on handing transfers over.
    pub(crate) fn transfers(&self) -> Duration {
        match self {
            Self::Single(shared) => shared.transfers(),
            Self::Double(shared) => shared.transfers(),
        }
    }

    /// Waits for a launch of the current batch, the first being 0. Reports the level and the loss of each queue at each
    /// of its steps. Each launch can be waited for once.
    pub(crate) fn wait(&mut self, launch: u32, observe: impl FnMut(f64, f64)) -> Result<(), FluidError> {
        match self {
            Self::Single(shared) => shared.wait(launch, observe),
            Self::Double(shared) => shared.wait(launch, observe),
        }
    }
}

/// Dispatches to an engine and its shared queues of the same precision.
macro_rules! both {
    ($engine:expr, $shared:expr, |$of:ident, $with:ident| $then:expr) => {
        match (&mut $engine.0, $shared) {
            (Engines::Single($of), SharedQueues::Single($with)) => $then,
            (Engines::Double($of), SharedQueues::Double($with)) => $then,
            _ => {
                Err(Error::invalid("shared queues of an engine", "they are those of an engine of another precision")
                    .into())
            }
        }
    };
}

impl Engine {
    /// Adds the given bytes of packets to each shared queue.
    pub(crate) fn join(&mut self, shared: &mut SharedQueues, bytes: &[u64]) -> Result<(), FluidError> {
        both!(self, shared, |engine, shared| engine.join(shared, bytes))
    }

    /// Enqueues a batch of launches. The download of the notes follows as soon as the queues of a launch are done.
    pub(crate) fn launch(&mut self, shared: &mut SharedQueues) -> Result<(), FluidError> {
        both!(self, shared, |engine, shared| engine.launch(shared))
    }

    /// Enqueues the given number of launches like [`Engine::advance`], without waiting. The caller waits for the
    /// submission.
    pub(crate) fn set_off(&mut self, launches: u32) -> Result<Submission<()>, FluidError> {
        either!(&mut self.0, engine => engine.set_off(launches))
    }
}
