//! Traces from positions that may be negative.

use super::error::TraceError;
use super::{Move, Stay, Trace, Track};
use crate::field::MAX_SIDE;
use crate::kernels::geometry::Position;
use std::sync::Arc;

/// Greatest speed of a node, in m/s.
pub(super) const MAX_SPEED: f64 = 4_000.0;

/// Position in mm, whose coordinates may be negative.
pub(super) type Point = [i64; 2];

/// Movements of a node between positions that may be negative.
pub(super) struct Draft {
    pub(super) start: Point,
    pub(super) moves: Vec<DraftMove>,
    pub(super) stay: Stay,
    pub(super) name: Option<Arc<str>>,
}

/// Order to move to a position that may be negative.
pub(super) struct DraftMove {
    /// Time of departure in µs.
    pub(super) time: u64,
    pub(super) target: Point,
    /// Speed in µm/s.
    pub(super) speed: u32,
}

/// Returns the trace of nodes. If coordinates are negative, all positions are moved so that the least ones are 0.
pub(super) fn assemble(drafts: Vec<Draft>) -> Result<Trace, TraceError> {
    let corner = corner(&drafts)?;
    let place = |point: Point| Position { x: (point[0] - corner[0]) as i32, y: (point[1] - corner[1]) as i32 };
    let order = |DraftMove { time, target, speed }| Move { time, target: place(target), speed };
    let track = |Draft { start, moves, stay, name }: Draft| Track {
        start: place(start),
        moves: moves.into_iter().map(order).collect(),
        stay,
        name,
    };
    Ok(Trace::new(drafts.into_iter().map(track).collect()))
}

/// Returns the lower left corner of the field: the origin, or the least coordinates where these are negative.
fn corner(drafts: &[Draft]) -> Result<Point, TraceError> {
    let points = || drafts.iter().flat_map(|draft| draft.moves.iter().map(|order| order.target).chain([draft.start]));
    let mut corner = [0; 2];
    for (axis, name) in ['x', 'y'].into_iter().enumerate() {
        corner[axis] = points().map(|point| point[axis]).min().unwrap_or(0).min(0);
        let extent = points().map(|point| point[axis]).max().unwrap_or(0) - corner[axis];
        if extent > i64::from(MAX_SIDE) {
            let metres = |mm: i64| mm as f64 / 1e3;
            return Err(TraceError::Extent { axis: name, extent: metres(extent), most: metres(MAX_SIDE.into()) });
        }
    }
    Ok(corner)
}
