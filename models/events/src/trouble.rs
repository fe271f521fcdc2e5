//! What can go wrong in a simulation.

use super::kernels::order;
use thiserror::Error;

/// Where something went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// The number of the simulation among those that run together.
    pub simulation: usize,
    /// The module's number.
    pub module: u32,
    /// The time of the event that happened, in ticks.
    pub time: u64,
    /// What happened.
    pub event: &'static str,
}

impl std::fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Whereabouts { simulation, module, time, event } = self;
        write!(f, "simulation {simulation}, module {module}, event `{event}` at tick {time}")
    }
}

/// What went wrong in a simulation, which is stopped by it. Others are not. Of several troubles of a simulation it is the first in the order of time and module, so that it does not
/// depend on the device, nor on what ran beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// An event was sent to a module that there is not.
    #[error(
        "{0}: an event is sent to a module that the simulation does not have: send to modules below `agenda.modules()`"
    )]
    NoSuchModule(Whereabouts),
    /// An event was sent sooner than the model promised.
    #[error(
        "{0}: an event is sent to another module sooner than after the lookahead that the model states, so it could come into that module's past: lower the lookahead, or \
         send it later"
    )]
    TooSoon(Whereabouts),
    /// A handler scheduled more than the model promised.
    #[error("{0}: the handler schedules more events than the model states: raise `most`")]
    TooMany(Whereabouts),
    /// A module scheduled more events than can be told apart.
    #[error("{0}: the module has scheduled 2^40 events, more than can be told apart: end the run earlier")]
    TooManyEver(Whereabouts),
    /// The device has no memory for all that is to come.
    #[error(
        "{0}: the device has no memory for the events that are to come at this module: run fewer simulations at a time, or see whether events are scheduled faster than \
         they happen"
    )]
    NoRoom(Whereabouts),
}

impl Trouble {
    /// The trouble of that [number](order), 0 being none.
    pub(super) fn numbered(number: u32, at: Whereabouts) -> Option<Trouble> {
        Some(match number {
            0 => return None,
            order::NO_SUCH_MODULE => Trouble::NoSuchModule(at),
            order::TOO_SOON => Trouble::TooSoon(at),
            order::TOO_MANY => Trouble::TooMany(at),
            order::TOO_MANY_EVER => Trouble::TooManyEver(at),
            _ => Trouble::NoRoom(at),
        })
    }

    /// The same, of the simulation of another number: that which people know it by.
    #[must_use]
    pub fn of_simulation(mut self, simulation: usize) -> Trouble {
        let (Trouble::NoSuchModule(at)
        | Trouble::TooSoon(at)
        | Trouble::TooMany(at)
        | Trouble::TooManyEver(at)
        | Trouble::NoRoom(at)) = &mut self;
        at.simulation = simulation;
        self
    }

    /// Where it was.
    #[must_use]
    pub fn whereabouts(&self) -> Whereabouts {
        let (Trouble::NoSuchModule(at)
        | Trouble::TooSoon(at)
        | Trouble::TooMany(at)
        | Trouble::TooManyEver(at)
        | Trouble::NoRoom(at)) = self;
        *at
    }
}
