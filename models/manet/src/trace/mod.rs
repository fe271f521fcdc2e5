//! Movements of nodes, read and written in the format of ns-2's `setdest`.

mod assemble;
mod error;
mod read;
mod sampled;

pub use error::{SampleError, TraceError};

use crate::error::NetworkError;
use crate::field::Field;
use crate::kernels::geometry::Position;

/// Positions of nodes at the start, and their movements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    tracks: Vec<Track>,
}

/// Movements of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Position at the start.
    pub start: Position,
    /// Movements, in the order of their times.
    pub moves: Vec<Move>,
}

/// Order to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Time of departure in µs. A movement that has not ended then ends there.
    pub time: u64,
    /// Target.
    pub target: Position,
    /// Speed in µm/s; 0 to stay.
    pub speed: u32,
}

impl Trace {
    /// Creates a trace from the movements of each node.
    #[must_use]
    pub fn new(tracks: Vec<Track>) -> Self {
        Trace { tracks }
    }

    /// Returns the movements of each node.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tracks.len()
    }

    /// Greatest speed of a node in µm/s.
    #[must_use]
    pub fn greatest_speed(&self) -> u32 {
        self.tracks.iter().flat_map(|track| &track.moves).map(|order| order.speed).max().unwrap_or(0)
    }

    /// Position of a node at the start.
    pub(crate) fn place(&self, node: u32) -> Position {
        self.tracks[node as usize].start
    }

    /// Time of the first movement of a node; the greatest time if it never moves.
    pub(crate) fn leave(&self, node: u32) -> u64 {
        self.tracks[node as usize].moves.first().map_or(u64::MAX, |order| order.time)
    }

    /// Checks that all positions lie in the field.
    pub(crate) fn check(&self, field: Field) -> Result<(), NetworkError> {
        for (node, track) in self.tracks.iter().enumerate() {
            let mut places = std::iter::once(track.start).chain(track.moves.iter().map(|order| order.target));
            if let Some(place) = places.find(|place| !field.contains(*place)) {
                return Err(NetworkError::Outside { node, place, field });
            }
        }
        Ok(())
    }
}

/// Writes a trace in the format of ns-2's `setdest`: metres, seconds and metres per second, without rounding.
impl std::fmt::Display for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let metres = |mm: i32| format!("{}.{:03}", mm / 1000, mm % 1000);
        let micro = |value: u64| format!("{}.{:06}", value / 1_000_000, value % 1_000_000);
        for (node, track) in self.tracks.iter().enumerate() {
            for (axis, value) in [("X_", track.start.x), ("Y_", track.start.y), ("Z_", 0)] {
                writeln!(f, "$node_({node}) set {axis} {}", metres(value))?;
            }
        }
        for (node, track) in self.tracks.iter().enumerate() {
            for Move { time, target, speed } in &track.moves {
                let (x, y, speed) = (metres(target.x), metres(target.y), micro(u64::from(*speed)));
                writeln!(f, "$ns_ at {} \"$node_({node}) setdest {x} {y} {speed}\"", micro(*time))?;
            }
        }
        Ok(())
    }
}
