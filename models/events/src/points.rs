//! Parameters of simulations that run together.

use super::contract::Events;
use imminent_core::Row;
use std::sync::Arc;

/// Number of recent points that are searched for an equal one: studies have few distinct points, or all distinct.
const LOOKED_THROUGH: usize = 32;

/// Points of simulations without most duplicates, to save memory.
#[derive(Debug)]
pub(super) struct Points<E: Events>(Vec<Arc<E::Point>>);

impl<E: Events> Points<E> {
    pub(super) const fn new() -> Self {
        Points(vec![])
    }

    /// Adds the point of a simulation. Returns its number, and whether it is new.
    pub(super) fn add(&mut self, point: &Arc<E::Point>) -> (u32, bool) {
        let skipped = self.0.len().saturating_sub(LOOKED_THROUGH);
        // Neighbours mostly share a point; contents are compared only if they do not.
        let recent = || self.0.iter().skip(skipped);
        let found = recent().position(|known| Arc::ptr_eq(known, point));
        let found = found.or_else(|| recent().position(|known| is_same(&**known, &**point)));
        let number = skipped + found.unwrap_or(self.0.len() - skipped);
        if found.is_none() {
            self.0.push(Arc::clone(point));
        }
        (number as u32, found.is_none())
    }

    /// Returns the rows of a table of points.
    pub(super) fn rows(&self) -> Vec<E::Point> {
        self.0.iter().map(|point| E::Point::clone(point)).collect()
    }
}

/// Checks that rows are equal to the bit: zeros of either sign are equal, but not the same.
fn is_same<R: Row>(a: &R, b: &R) -> bool {
    let layout = R::layout();
    let lane = |lane| (0..layout.lane_words).all(|word| a.lane_leaf(lane, word) == b.lane_leaf(lane, word));
    a == b
        && a.capacity() == b.capacity()
        && (0..layout.fixed_words).all(|word| a.leaf(word) == b.leaf(word))
        && (0..a.capacity()).all(lane)
}
