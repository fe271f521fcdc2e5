//! Errors of starting a simulation.

use thiserror::Error;

/// Largest number of events that a handler may schedule per call: each module needs room for them.
pub const MAX_SCHEDULED: u32 = 1 << 16;

/// Largest payload of an event, in bytes. Handlers receive the payload by value; for large values compilers of devices
/// take longer and longer, until they fail.
pub const MAX_CARRIED: u64 = 1024;

/// Error of starting a simulation.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The simulation has no modules.
    #[error("simulation {simulation} has no modules: give at least one")]
    NoModules {
        /// Number of the simulation among those that run together.
        simulation: usize,
    },
    /// An initial event is at a module that does not exist.
    #[error("simulation {simulation} starts with an event at module {module}, and its modules are 0 to {}: give one of these", modules.saturating_sub(1))]
    NoSuchModule {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Number of the module.
        module: u32,
        /// Number of modules.
        modules: usize,
    },
    /// The lookahead declares links for another number of modules.
    #[error(
        "simulation {simulation} has {modules} modules, and its lookahead links of {lists}: give `Lookahead::of_links` the links of each module, in their order"
    )]
    LinksOfOtherModules {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Number of modules with links.
        lists: usize,
        /// Number of modules.
        modules: usize,
    },
    /// A link leads to a module that does not exist.
    #[error(
        "simulation {simulation}, module {module}: a link leads to module {to}, and the modules are 0 to {}: give one of these", modules.saturating_sub(1)
    )]
    NoSuchNeighbour {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Number of the module that the link leads from.
        module: u32,
        /// Number of the module that the link leads to.
        to: u32,
        /// Number of modules.
        modules: usize,
    },
    /// A link has the lookahead 0.
    #[error(
        "simulation {simulation}, module {module}: the link to module {to} has the lookahead 0: give the least delay of events on it, above 0"
    )]
    NoLookahead {
        /// Number of the simulation among those that run together.
        simulation: usize,
        /// Number of the module that the link leads from.
        module: u32,
        /// Number of the module that the link leads to.
        to: u32,
    },
    /// The simulations have more modules than a table has rows, or one has more than 2^24.
    #[error(
        "the simulations have more than 2^32 modules together, or one has more than 2^24: run fewer simulations together, or smaller ones"
    )]
    TooManyModules,
    /// The payload of events is larger than all devices can pass by value.
    #[error(
        "the payload of an event has {bytes} bytes, more than the limit of {}: keep large data in the states of modules, in `Lanes`",
        MAX_CARRIED
    )]
    PayloadTooLarge {
        /// Size of the payload, in bytes.
        bytes: u64,
    },
    /// Handlers may schedule more events than [`MAX_SCHEDULED`].
    #[error(
        "`most`, the events that one call of a handler may schedule, is {most}, more than the limit of {}: give a smaller number",
        MAX_SCHEDULED
    )]
    TooManyPromised {
        /// Stated number of events.
        most: u32,
    },
}
