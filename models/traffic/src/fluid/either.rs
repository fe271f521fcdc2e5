//! Fluids on a device, in numbers of either precision.

use super::{FlowState, FluidError, Means, Memory, Precision, QueueState, Rules, double, single};
use crate::{StepSize, Traffic};
use imminent_core::{Device, Error, Submission};
use std::time::Duration;

/// The fluid part of some traffic, simulated on a device: all flows, then all that is on its way, then all queues, as many steps at a time as the shortest link
/// is long (section 4.1 of the paper).
///
/// What a queue does to fluid is the same for all flows, so flows that take the same links from one sender on are one until their ways part: memory and time
/// go with the branches of these trees, not with the hops of all flows.
///
/// Determinism: `Reproducible`. Numbers are of one [`Precision`]; what rounding takes from windows and queues is kept beside them.
#[derive(Debug)]
pub struct Engine(Engines);

#[derive(Debug)]
enum Engines {
    Single(Box<single::Engine>),
    Double(Box<double::Engine>),
}

/// Asks the engine that there is.
macro_rules! either {
    ($engines:expr, $engine:ident => $then:expr) => {
        match $engines {
            Engines::Single($engine) => $then,
            Engines::Double($engine) => $then,
        }
    };
}

impl Engine {
    /// An empty network on a device, in `f32`.
    ///
    /// # Errors
    /// As for [`Engine::with_precision`].
    pub fn new(device: &Device, traffic: &Traffic, size: StepSize, rules: Rules) -> Result<Self, FluidError> {
        Self::with_memory(device, traffic, size, rules, Memory::default())
    }

    /// The same, and how much is remembered of what was sent.
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

    /// The same, and in which numbers.
    ///
    /// # Errors
    /// [`FluidError::Rules`] for rules that make no sense; [`FluidError::Launch`] for a lookahead that [`Traffic::check_lookahead`] refuses; [`FluidError::NoDoubles`] where the device has no `f64` and that was asked for; [`FluidError::TooSlow`] for queues that take too long for their histories;
    /// [`FluidError::Memory`] where histories do not fit into what the device has left; errors of the device.
    pub fn with_precision(
        device: &Device,
        traffic: &Traffic,
        size: StepSize,
        (rules, memory): (Rules, Memory),
        precision: Precision,
    ) -> Result<Self, FluidError> {
        precision.check(device)?;
        rules.check()?;
        traffic.check_lookahead(size)?;
        Ok(Engine(match precision {
            Precision::Single => Engines::Single(Box::new(single::Engine::new(device, traffic, size, rules, memory)?)),
            Precision::Double => Engines::Double(Box::new(double::Engine::new(device, traffic, size, rules, memory)?)),
        }))
    }

    /// In which numbers it computes.
    #[must_use]
    pub fn precision(&self) -> Precision {
        match self.0 {
            Engines::Single(_) => Precision::Single,
            Engines::Double(_) => Precision::Double,
        }
    }

    /// Steps that one launch makes.
    #[must_use]
    pub fn lookahead(&self) -> u32 {
        either!(&self.0, engine => engine.lookahead())
    }

    /// Steps that were made.
    #[must_use]
    pub fn steps(&self) -> u64 {
        either!(&self.0, engine => engine.steps())
    }

    /// How many branches there are: links that flows take, those counted once that come the same way from one sender.
    #[must_use]
    pub fn branches(&self) -> usize {
        either!(&self.0, engine => engine.branches())
    }

    /// Goes on by so many launches, each of [`Engine::lookahead`] steps.
    ///
    /// # Errors
    /// [`FluidError::TooLate`] if some fluid could be under way for longer by then than is remembered: nothing has changed then. Errors of the device; a fault
    /// where the clock has come to its end.
    pub fn advance(&mut self, launches: u32) -> Result<(), FluidError> {
        either!(&mut self.0, engine => engine.advance(launches))
    }

    /// Measures from now on, step by step, what [`Engine::means`] tells; what was measured before is forgotten. Two kernels more are launched then, which only read what the others leave
    /// behind: nothing else changes.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn measure(&mut self) -> Result<(), FluidError> {
        either!(&mut self.0, engine => engine.measure())
    }

    /// Means over the steps since measuring began; `None` if it did not, or there were none.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn means(&self) -> Result<Option<Means>, FluidError> {
        either!(&self.0, engine => engine.means())
    }

    /// Every flow, as it is now, by number.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn flows(&self) -> Result<Vec<FlowState>, FluidError> {
        either!(&self.0, engine => engine.flows())
    }

    /// Every queue that a flow enters, as it is now.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn queues(&self) -> Result<Vec<QueueState>, FluidError> {
        either!(&self.0, engine => engine.queues())
    }
}

/// What some queues of an engine and the packets in them tell each other.
#[derive(Debug)]
pub(crate) enum Meetings {
    Single(single::Meetings),
    Double(double::Meetings),
}

impl Meetings {
    /// The queues of `links`, which all are an engine's, with room for batches of so many launches.
    pub(crate) fn new(engine: &Engine, links: &[u32], launches: u32) -> Result<Self, FluidError> {
        Ok(match &engine.0 {
            Engines::Single(engine) => Self::Single(single::Meetings::new(engine, links, launches)?),
            Engines::Double(engine) => Self::Double(double::Meetings::new(engine, links, launches)?),
        })
    }

    /// Time that the host spent on handing transfers over.
    pub(crate) fn transfers(&self) -> Duration {
        match self {
            Self::Single(meetings) => meetings.transfers(),
            Self::Double(meetings) => meetings.transfers(),
        }
    }

    /// Waits for a launch of the batch under way, the first being 0, and tells of each of its steps and of each queue the level and the loss. A launch is waited for once.
    pub(crate) fn wait(&mut self, launch: u32, tell: impl FnMut(f64, f64)) -> Result<(), FluidError> {
        match self {
            Self::Single(meetings) => meetings.wait(launch, tell),
            Self::Double(meetings) => meetings.wait(launch, tell),
        }
    }
}

/// An engine and its meetings, asked together.
macro_rules! both {
    ($engine:expr, $meetings:expr, |$of:ident, $with:ident| $then:expr) => {
        match (&mut $engine.0, $meetings) {
            (Engines::Single($of), Meetings::Single($with)) => $then,
            (Engines::Double($of), Meetings::Double($with)) => $then,
            _ => {
                Err(Error::invalid("meetings of an engine", "they are those of an engine of another precision").into())
            }
        }
    };
}

impl Engine {
    /// Puts so many bytes of packets into each of the shared queues.
    pub(crate) fn join(&mut self, meetings: &mut Meetings, bytes: &[u64]) -> Result<(), FluidError> {
        both!(self, meetings, |engine, meetings| engine.join(meetings, bytes))
    }

    /// Puts a batch of launches on the queue, each with a download of its notes as soon as its queues have come to their step.
    pub(crate) fn launch(&mut self, meetings: &mut Meetings) -> Result<(), FluidError> {
        both!(self, meetings, |engine, meetings| engine.launch(meetings))
    }

    /// Goes on by so many launches as [`Engine::advance`] does, and does not wait for them: the submission does.
    pub(crate) fn set_off(&mut self, launches: u32) -> Result<Submission<()>, FluidError> {
        either!(&mut self.0, engine => engine.set_off(launches))
    }
}
