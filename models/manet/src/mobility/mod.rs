//! Motion of nodes.
//!
//! | module | contents |
//! | --- | --- |
//! | `gauss_markov` | speeds and directions that change gradually |
//! | `manhattan` | streets of a grid |
//! | `leg` | straight lines of both |
//! | `path` | legs one after the other |
//!
//! Random waypoints are drawn by the engine and by the sequential program, each by code of its own. The legs of a path
//! are drawn on the host, in integers.

mod gauss_markov;
mod leg;
mod manhattan;
mod path;
#[cfg(test)]
mod tests;

pub use gauss_markov::GaussMarkov;
pub use leg::Leg;
pub use manhattan::Manhattan;
pub use path::Path;

use crate::error::NetworkError;
use crate::field::Field;
use crate::kernels::motion::MIN_SPEED;
use crate::trace::{Stay, Trace};
use leg::check_ranges;

/// Motion of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub enum Mobility {
    /// Nodes stay where they are.
    Static,
    /// Random waypoints.
    Waypoints(Waypoints),
    /// Speeds and directions that change gradually.
    GaussMarkov(GaussMarkov),
    /// Streets of a grid.
    Manhattan(Manhattan),
    /// Movements of a trace, which gives the positions at the start.
    Trace(Trace),
}

/// Random waypoint mobility: a node moves to a uniformly distributed waypoint, pauses, and goes on. It begins with a
/// pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waypoints {
    /// Least and greatest speed in µm/s; speeds below 0.01 m/s are raised to it.
    pub speed: [u32; 2],
    /// Least and greatest pause in µs.
    pub pause: [u64; 2],
}

impl Waypoints {
    fn check(&self, longest: u64) -> Result<(), NetworkError> {
        check_ranges(self.speed, self.pause, longest)?;
        match self.speed[1] == 0 && self.pause[1] == 0 {
            true => Err(NetworkError::Motionless),
            false => Ok(()),
        }
    }
}

impl Mobility {
    /// Greatest speed of a node in µm/s.
    #[must_use]
    pub fn greatest_speed(&self) -> u32 {
        match self {
            Mobility::Static => 0,
            Mobility::Waypoints(Waypoints { speed: [_, most], .. }) => (*most).max(MIN_SPEED),
            Mobility::GaussMarkov(motion) => motion.greatest_speed(),
            Mobility::Manhattan(motion) => motion.greatest_speed(),
            Mobility::Trace(trace) => trace.greatest_speed(),
        }
    }

    /// Returns the time that a node spends in the simulation.
    #[must_use]
    pub fn stay(&self, node: u32) -> Stay {
        match self {
            Mobility::Trace(trace) => trace.tracks()[node as usize].stay,
            _ => Stay::default(),
        }
    }

    /// Estimates the greatest number of legs of a node's path in a field until a time in µs; 0 without paths.
    #[must_use]
    pub fn legs(&self, field: Field, end: u64) -> u64 {
        match self {
            Mobility::GaussMarkov(motion) => motion.legs(field, end),
            Mobility::Manhattan(motion) => motion.legs(field, end),
            Mobility::Static | Mobility::Waypoints(_) | Mobility::Trace(_) => 0,
        }
    }

    /// Checks the parameters. `longest` is the longest time in µs.
    pub(crate) fn check(&self, field: Field, longest: u64) -> Result<(), NetworkError> {
        match self {
            Mobility::Static => Ok(()),
            Mobility::Waypoints(motion) => motion.check(longest),
            Mobility::GaussMarkov(motion) => motion.check(),
            Mobility::Manhattan(motion) => motion.check(field, longest),
            Mobility::Trace(trace) => trace.check(field),
        }
    }
}
