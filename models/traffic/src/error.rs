//! What is wrong with traffic as a whole.

use super::network::{FlowError, NetworkError, RouteError};
use super::units::seconds;
use thiserror::Error;

/// Traffic that cannot be simulated.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum TrafficError {
    /// The network cannot be.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A flow cannot be.
    #[error(transparent)]
    Flow(#[from] FlowError),
    /// A flow has no route.
    #[error(transparent)]
    Route(#[from] RouteError),
    /// TCP's packets or windows make no sense.
    #[error("'{parameter}' of TCP is {value}: give 1 to {most}")]
    Tcp {
        /// The parameter.
        parameter: &'static str,
        /// Its value.
        value: u32,
        /// The most that it may be.
        most: u32,
    },
    /// A queue on the way of a flow does not take one packet.
    #[error(
        "the queue of the link from '{from}' to '{to}' takes {capacity} bytes, and a packet has {packet}: give it room for some packets"
    )]
    QueueBelowPacket {
        /// Where the link begins.
        from: String,
        /// Where it ends.
        to: String,
        /// What the queue takes.
        capacity: u64,
        /// Bytes of a packet.
        packet: u32,
    },
    /// A step is longer than the equations bear.
    #[error(
        "a step of {} s is too long: the link from {link} has a delay of {} s, and a step may have a tenth of that, {} s; give a shorter step, \
         or accept the longer one, which is then told with the results",
        seconds(*step),
        seconds(*delay),
        seconds(*longest)
    )]
    StepTooLong {
        /// The step, in nanoseconds.
        step: u64,
        /// The largest allowed, in nanoseconds.
        longest: u64,
        /// The link with the smallest delay.
        link: String,
        /// Its delay, in nanoseconds.
        delay: u64,
    },
    /// A link takes no time, which leaves none for a step of the fluid equations.
    #[error(
        "the link from '{from}' to '{to}' has a delay of 0 s, and fluids need a step of at most the smallest delay: give every link a delay above 0, or simulate packets alone"
    )]
    NoDelay {
        /// Where the link begins.
        from: String,
        /// Where it ends.
        to: String,
    },
    /// A step is longer than a delay, or nothing.
    #[error(
        "a step of {} s is not possible where the smallest delay is {} s: give a step above 0 and at most that long",
        seconds(*step),
        seconds(*delay)
    )]
    NoStep {
        /// The step, in nanoseconds.
        step: u64,
        /// The smallest delay, in nanoseconds.
        delay: u64,
    },
    /// A launch makes no steps, or more than are over before what leaves a queue reaches the next.
    #[error(
        "a launch of {lookahead} steps of {step} ns is not possible where the smallest delay of a link is {delay} ns: give a step above 0 and at least one, \
         all of them together at most as long as that delay; `Traffic::step` tells how many"
    )]
    Launch {
        /// Steps of a launch.
        lookahead: u64,
        /// Length of a step, in nanoseconds.
        step: u64,
        /// The smallest delay, in nanoseconds.
        delay: u64,
    },
}
