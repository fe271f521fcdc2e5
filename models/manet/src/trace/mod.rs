//! Movements of nodes, and when they enter and leave.
//!
//! | module | contents |
//! | --- | --- |
//! | `file` | a file of any format |
//! | `read` | traces of ns-2's `setdest` |
//! | `fcd`, `csv_rows` | positions that SUMO records, or a table has |
//! | `recorded` | traces from positions that nodes have at times of their own |
//! | `sampled` | traces from arrays of positions at common times |
//! | `path` | movements between positions at some times |
//! | `names` | names of nodes, and how a trace of ns-2 has them |
//! | `assemble` | nodes that have been read, put into a field |

mod assemble;
mod csv_rows;
mod error;
mod fcd;
mod file;
mod names;
mod path;
mod read;
mod recorded;
mod sampled;

pub use error::{FileError, RecordError, SampleError, TraceError};

use crate::error::NetworkError;
use crate::field::Field;
use crate::kernels::geometry::Position;
use std::sync::Arc;

/// Positions of nodes at the start, and their movements. Two traces are equal if their tracks are.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    tracks: Vec<Track>,
    /// Number of nodes that their file leaves out for some time.
    interrupted: usize,
}

impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        self.tracks == other.tracks
    }
}

/// Movements of one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Position at the start.
    pub start: Position,
    /// Movements, in the order of their times.
    pub moves: Vec<Move>,
    /// Time that the node spends in the simulation.
    pub stay: Stay,
    /// Name of the node in its file, if that is not its number.
    pub name: Option<Arc<str>>,
}

/// Time that a node spends in the simulation. Before and after it the node sends and receives nothing, and creates no
/// packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stay {
    /// Time from which the node is there, in µs.
    pub enter: u64,
    /// Time from which it is there no more, in µs; the greatest time if it stays.
    pub leave: u64,
}

impl Default for Stay {
    fn default() -> Self {
        Stay { enter: 0, leave: u64::MAX }
    }
}

impl Stay {
    /// Returns `true` if the node is there at a time, in µs.
    #[must_use]
    pub const fn has(self, time: u64) -> bool {
        self.enter <= time && time < self.leave
    }
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
        Trace { tracks, interrupted: 0 }
    }

    /// With the number of nodes that their file leaves out for some time.
    fn with_interrupted(self, interrupted: usize) -> Self {
        Trace { interrupted, ..self }
    }

    /// Number of nodes that a file with common time steps leaves out at some of them, between their first and last
    /// positions. The nodes are there all the same, and move in a straight line to their next position.
    #[must_use]
    pub fn interrupted(&self) -> usize {
        self.interrupted
    }

    /// Returns the movements of each node.
    #[must_use]
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// Returns the name of a node in its file, if that is not its number.
    #[must_use]
    pub fn name(&self, node: u32) -> Option<&Arc<str>> {
        self.tracks.get(node as usize)?.name.as_ref()
    }

    /// Returns the node of a name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<u32> {
        let place = self.tracks.iter().position(|track| track.name.as_deref() == Some(name));
        place.and_then(|place| u32::try_from(place).ok())
    }

    /// Returns `true` if the nodes have names that are whole numbers, other than their own ones.
    #[must_use]
    pub fn has_numbers_as_names(&self) -> bool {
        let is_number = |track: &Track| track.name.as_ref().is_some_and(|name| name.parse::<u64>().is_ok());
        !self.tracks.is_empty() && self.tracks.iter().all(is_number)
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.tracks.len()
    }

    /// Returns the greatest coordinates of all positions, in mm.
    pub(crate) fn extent(&self) -> [i32; 2] {
        let places = self
            .tracks
            .iter()
            .flat_map(|track| std::iter::once(track.start).chain(track.moves.iter().map(|order| order.target)));
        places.fold([0; 2], |[x, y], place| [x.max(place.x), y.max(place.y)])
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

/// Writes a trace in the format of ns-2's `setdest`: metres, seconds and metres per second, without rounding. Lines as
/// in SUMO's file of activity tell when nodes enter and leave, and their names. A name that such a line cannot have, as
/// it has blanks around it, is written as a string of JSON.
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
        for (node, track) in self.tracks.iter().enumerate() {
            let Stay { enter, leave } = track.stay;
            let line = || format!("$ns_ at {} \"$node_({node}) start\"", micro(enter));
            match &track.name {
                Some(name) => writeln!(f, "{}; {}", line(), names::comment(name))?,
                None if enter > 0 => writeln!(f, "{}", line())?,
                None => {}
            }
            if leave < u64::MAX {
                writeln!(f, "$ns_ at {} \"$node_({node}) stop\"", micro(leave))?;
            }
        }
        Ok(())
    }
}
