//! Movements of a node between positions that it has at some times.

use super::Stay;
use super::assemble::{Draft, DraftMove, MAX_SPEED, Point};
use crate::field::MAX_SIDE;

/// Length by which movements are taken for longer, in mm: a node may be 1 mm beside a position along both axes, and has
/// to be at the next one in time all the same, or it would lag more with each movement.
const SLACK: f64 = 2.0;

/// Longest time of a movement, in s.
pub(super) const MAX_SECONDS: f64 = 1e9;

/// Greatest coordinate in m.
pub(super) const MAX_METRES: f64 = MAX_SIDE as f64 / 1e3;

/// Movement that is faster than a node can be.
pub(super) struct TooFast {
    /// Place of the position from which the node departs, in the list.
    pub(super) place: usize,
    /// Speed in m/s.
    pub(super) speed: f64,
}

/// Returns the movements of a node that is at positions at ascending times, in µs, of which there is one at least. From
/// one to the next it moves in a straight line; after the last it stays.
pub(super) fn path(places: &[(u64, Point)], stay: Stay) -> Result<Draft, TooFast> {
    let mut moves = vec![];
    for (place, pair) in places.windows(2).enumerate() {
        let [(departs, here), (arrives, target)] = [pair[0], pair[1]];
        if target == here {
            continue;
        }
        let lasts = arrives - departs;
        let [dx, dy] = [target[0] - here[0], target[1] - here[1]].map(|distance| distance as f64);
        let (needed, most) = (speed(dx.hypot(dy), lasts), MAX_SPEED * 1e6);
        if needed > most {
            return Err(TooFast { place, speed: needed / 1e6 });
        }
        let speed = speed(dx.hypot(dy) + SLACK, lasts).min(most) as u32;
        moves.push(DraftMove { time: departs, target, speed });
    }
    Ok(Draft { start: places[0].1, moves, stay, name: None })
}

/// Returns the least speed of a node that moves some mm in some µs, in µm/s.
fn speed(length: f64, lasts: u64) -> f64 {
    (length * 1e9 / lasts as f64).ceil()
}

/// Returns a coordinate in mm, if it is a number in its limits.
pub(super) fn millimetres(value: f64) -> Option<i64> {
    (-MAX_METRES..=MAX_METRES).contains(&value).then(|| (value * 1e3).round() as i64)
}
