//! Errors within a simulation.

use super::kernels::order;
use thiserror::Error;

/// Place and time of an error in a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whereabouts {
    /// Number of the simulation among those that run together.
    pub simulation: usize,
    /// Number of the module.
    pub module: u32,
    /// Time of the event, in ticks.
    pub time: u64,
    /// Name of the event's kind.
    pub event: &'static str,
}

impl std::fmt::Display for Whereabouts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Whereabouts { simulation, module, time, event } = self;
        write!(f, "simulation {simulation}, module {module}, event `{event}` at tick {time}")
    }
}

/// Error that stops a simulation. Other simulations continue. Of several errors in a simulation it is the first in the
/// order of time and module. It thus depends neither on the device nor on other simulations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Trouble {
    /// An event was sent to a module that does not exist.
    #[error(
        "{0}: the handler sends an event to a module that does not exist: send to modules below `agenda.modules()`"
    )]
    NoSuchModule(Whereabouts),
    /// An event was sent with a delay below the lookahead, of which the least is given, in ticks.
    #[error(
        "{0}: the handler sends an event to another module with a delay below the lookahead, {1} ticks at the least: give a smaller `lookahead`, or a longer delay"
    )]
    TooSoon(Whereabouts, u64),
    /// An event was sent to a module that the sender has no link to.
    #[error(
        "{0}: the handler sends an event to a module that it has no link to: declare the link in the simulation's `Lookahead`"
    )]
    NotLinked(Whereabouts),
    /// A handler scheduled more events than the given number, which the model states.
    #[error(
        "{0}: one call of the handler schedules {more} events or more, and the model says {1} at most: give the engine a greater `most`, or an `EventModel` a greater `MAX_SCHEDULED`",
        more = u64::from(*.1) + 1
    )]
    TooMany(Whereabouts, u32),
    /// A module scheduled more events than can be numbered.
    #[error("{0}: the module has scheduled 2^40 events, which is the limit: give the simulation an earlier `end`")]
    TooManyEver(Whereabouts),
    /// The device has no memory for the pending events.
    #[error(
        "{0}: the device has no memory for the pending events of this module: run fewer simulations together, or check that handlers do not schedule ever more events"
    )]
    NoRoom(Whereabouts),
    /// A module executes events at one time without end.
    #[error(
        "{0}: the module has executed {limit} events at this tick, and time stands still: let handlers schedule with a delay above 0",
        limit = order::MAX_AT_ONE_TIME
    )]
    Endless(Whereabouts),
}

impl Trouble {
    /// Returns the trouble of a [code](order); `None` for 0. A handler may schedule `most` events, with delays from
    /// `lookahead` on.
    pub(super) fn numbered(number: u32, at: Whereabouts, (most, lookahead): (u32, u64)) -> Option<Trouble> {
        Some(match number {
            0 => return None,
            order::NO_SUCH_MODULE => Trouble::NoSuchModule(at),
            order::TOO_SOON => Trouble::TooSoon(at, lookahead),
            order::TOO_MANY => Trouble::TooMany(at, most),
            order::TOO_MANY_EVER => Trouble::TooManyEver(at),
            order::ENDLESS => Trouble::Endless(at),
            order::NOT_LINKED => Trouble::NotLinked(at),
            _ => Trouble::NoRoom(at),
        })
    }

    /// Returns the trouble with another number of its simulation, such as the one that users know.
    #[must_use]
    pub fn of_simulation(mut self, simulation: usize) -> Trouble {
        let (Trouble::NoSuchModule(at)
        | Trouble::TooSoon(at, _)
        | Trouble::NotLinked(at)
        | Trouble::TooMany(at, _)
        | Trouble::TooManyEver(at)
        | Trouble::NoRoom(at)
        | Trouble::Endless(at)) = &mut self;
        at.simulation = simulation;
        self
    }

    /// Returns the place and time of the error.
    #[must_use]
    pub fn whereabouts(&self) -> Whereabouts {
        let (Trouble::NoSuchModule(at)
        | Trouble::TooSoon(at, _)
        | Trouble::NotLinked(at)
        | Trouble::TooMany(at, _)
        | Trouble::TooManyEver(at)
        | Trouble::NoRoom(at)
        | Trouble::Endless(at)) = self;
        *at
    }
}
