//! Errors of traffic as a whole.

use super::network::{FlowError, NetworkError, RouteError};
use super::units::seconds;
use thiserror::Error;

/// Error of traffic that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TrafficError {
    /// The network is invalid.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A flow is invalid.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// A flow has no route.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// The packet size or window of TCP is out of range.
    #[error("'{parameter}' of TCP is {value}: give 1 to {most}")]
    Tcp {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value of the parameter.
        value: u32,
        /// Largest allowed value.
        most: u32,
    },
    /// A queue on the path of a flow has less capacity than one packet.
    #[error(
        "the queue of the link from '{from}' to '{to}' has room for {capacity} bytes, and a packet has {packet}: give it room for several packets"
    )]
    QueueBelowPacket {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Capacity of the queue, in bytes.
        capacity: u64,
        /// Size of a packet, in bytes.
        packet: u32,
    },
    /// The step is longer than a tenth of the smallest delay.
    #[error(
        "a step of {} s is too long: the link from {link} has a delay of {} s, and a step may have a tenth of that, {} s; give a shorter step, \
         or accept the longer one, which the results then mention",
        seconds(*step),
        seconds(*delay),
        seconds(*longest)
    )]
    StepTooLong {
        /// The step, in nanoseconds.
        step: u64,
        /// Longest allowed step, in nanoseconds.
        longest: u64,
        /// Link with the smallest delay.
        link: String,
        /// Delay of that link, in nanoseconds.
        delay: u64,
    },
    /// Fluids do not know changing routes.
    #[error("there are fluids, which keep to one route and do not know {what}: make all flows packets, or remove them")]
    FluidRoutes {
        /// Property of the network or of its routes.
        what: &'static str,
    },
    /// A queue on the path of a fluid has a discipline that fluids do not know.
    #[error(
        "the queue of the link from '{from}' to '{to}' is {discipline}, and fluids know drop-tail and RED alone: make its flows packets, or give the queue another discipline"
    )]
    FluidDiscipline {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
        /// Discipline of the queue.
        discipline: &'static str,
    },
    /// A link has no delay, but the step of the fluid equations must be at most the smallest delay.
    #[error(
        "the link from '{from}' to '{to}' has a delay of 0 s, and fluids need a step of at most the smallest delay: give every link a delay above 0, or simulate packets alone"
    )]
    NoDelay {
        /// Node at which the link begins.
        from: String,
        /// Node at which the link ends.
        to: String,
    },
    /// The step is 0 or longer than the smallest delay.
    #[error(
        "a step of {} s is not possible where the smallest delay is {} s: give a step above 0 and at most that long",
        seconds(*step),
        seconds(*delay)
    )]
    NoStep {
        /// The step, in nanoseconds.
        step: u64,
        /// Smallest delay, in nanoseconds.
        delay: u64,
    },
    /// The lookahead is zero, or longer than the smallest link delay.
    #[error(
        "a launch of {lookahead} steps of {step} ns is not possible where the smallest delay of a link is {delay} ns: give a step above 0 and at least one, \
         all of them together at most as long as that delay; `Traffic::step` returns how many"
    )]
    Launch {
        /// Steps per launch.
        lookahead: u64,
        /// Length of a step, in nanoseconds.
        step: u64,
        /// Smallest delay, in nanoseconds.
        delay: u64,
    },
}
