//! What simulations bring, as tables.

use super::contract::Events;
use super::simulation::Start;
use imminent_core::{Device, Result, Row, Table};

/// How many points are looked through for one like another: studies have few, or all different.
const LOOKED_THROUGH: usize = 32;

/// The points of simulations, those that are alike once where they are found, and which each has: so what many simulations look at is there once.
pub(super) fn points<E: Events>(starts: &[Start<E>]) -> (Vec<E::Point>, Vec<u32>) {
    let mut points: Vec<E::Point> = vec![];
    let mut of = Vec::with_capacity(starts.len());
    for start in starts {
        let skipped = points.len().saturating_sub(LOOKED_THROUGH);
        let found = points.iter().skip(skipped).position(|point| is_same(point, &start.point));
        of.push((skipped + found.unwrap_or(points.len() - skipped)) as u32);
        if found.is_none() {
            points.push(start.point.clone());
        }
    }
    (points, of)
}

/// Whether rows are the same to the bit: zeros of either sign are equal, and not the same.
fn is_same<R: Row>(a: &R, b: &R) -> bool {
    let layout = R::layout();
    let lane = |lane| (0..layout.lane_words).all(|word| a.lane_leaf(lane, word) == b.lane_leaf(lane, word));
    a == b
        && a.capacity() == b.capacity()
        && (0..layout.fixed_words).all(|word| a.leaf(word) == b.leaf(word))
        && (0..a.capacity()).all(lane)
}

/// A table of rows, each with the lanes that it has.
///
/// # Errors
/// Those of the device.
pub(super) fn table<R: Row>(device: &Device, rows: &[R]) -> Result<Table<R>> {
    if R::layout().lane_words > 0 { Table::from_ragged_rows(device, rows) } else { Table::from_rows(device, rows) }
}
