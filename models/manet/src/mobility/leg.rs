//! Legs of paths, and how they are drawn.

use crate::error::NetworkError;
use crate::kernels::geometry::Position;
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Length by which legs are taken for longer, in mm: a node may be 1 mm beside a position along both axes, and has to
/// be at the next one in time all the same.
pub(super) const SLACK: u64 = 2;

/// One in units of 2^-32.
pub(super) const ONE: u64 = 1 << 32;

/// Straight line that a node moves along, and a pause at its end. It begins where and when the one before has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Position at the end.
    pub target: Position,
    /// Speed in µm/s; 0 to stay.
    pub speed: u32,
    /// End in µs.
    pub until: u64,
}

/// Draws an integer from `low` to `high`, both included, from two words.
pub(super) fn uniform(rng: &mut Pcg32, low: u64, high: u64) -> u64 {
    low + ((u128::from(rng.next_u64()) * (u128::from(high - low) + 1)) >> 64) as u64
}

/// Checks ranges of speeds and of pauses.
pub(super) fn check_ranges(speed: [u32; 2], pause: [u64; 2], longest: u64) -> Result<(), NetworkError> {
    for (name, [least, most]) in [("speed (µm/s)", speed.map(u64::from)), ("pause (µs)", pause)] {
        if least > most {
            return Err(NetworkError::Reversed { name, least, most });
        }
    }
    match pause[1] > longest {
        true => Err(NetworkError::OutOfRange { name: "pause (µs)", value: pause[1], least: 0, most: longest }),
        false => Ok(()),
    }
}
