//! Details of the fires of an ensemble beside counts of cells: times of arrival at points, and lengths of flames.
//!
//! They are found on the host from the ignition times of each fire, whatever the engine.

use super::NEVER;
use super::heads::{Arrival, Heads, trace};
use super::plan::Plan;
use crate::rothermel::METRES_PER_FOOT;
use std::sync::atomic::{AtomicU32, Ordering};

/// Upper bounds of the classes of flame lengths but the last one, in feet: the fire intensity levels of FSim and
/// FlamMap.
pub const FLAME_BOUNDS: [f64; 5] = [2.0, 4.0, 6.0, 8.0, 12.0];

/// Number of classes of flame lengths.
pub const FLAME_CLASSES: usize = FLAME_BOUNDS.len() + 1;

/// Returns the class of a flame length in metres; a bound belongs to the class below it.
fn class(metres: f64) -> usize {
    FLAME_BOUNDS.iter().take_while(|feet| metres > **feet * METRES_PER_FOOT).count()
}

/// Finds details of fires, several at once, and counts flames.
pub(super) struct Details<'a> {
    plan: &'a Plan,
    flames: Option<Flames<'a>>,
}

/// Counts of fires by the length of their flames.
struct Flames<'a> {
    heads: Heads<'a>,
    /// Fires that reach each cell with flames of each class, cell by cell.
    counts: Vec<AtomicU32>,
}

/// Memory of a thread that finds details of one fire after another.
#[derive(Default)]
pub(super) struct Traced(Vec<Arrival>);

impl<'a> Details<'a> {
    /// Prepares the details that a plan asks for.
    pub(super) fn new(plan: &'a Plan) -> Self {
        let flames = plan.flames.then(|| Flames {
            heads: Heads::new(plan, 0..plan.scenarios()),
            counts: std::iter::repeat_with(|| AtomicU32::new(0)).take(plan.landscape.cells() * FLAME_CLASSES).collect(),
        });
        Details { plan, flames }
    }

    /// Returns whether ignition times have to be read from a device.
    pub(super) fn need_times(plan: &Plan) -> bool {
        plan.flames || !plan.points.is_empty()
    }

    /// Counts the flames of a fire, and returns the times at which it reaches the points. `burnt` are the cells that
    /// burn.
    pub(super) fn of_fire(
        &self,
        fire: usize,
        ignition: &[u32],
        burnt: impl Iterator<Item = usize> + Clone,
        Traced(arrivals): &mut Traced,
    ) -> Vec<u32> {
        let scenario = self.plan.fires.get(fire).map_or(0, |start| start.scenario);
        if let Some(Flames { heads, counts }) = &self.flames {
            arrivals.resize(ignition.len(), None);
            trace(self.plan, scenario, ignition, burnt.clone(), arrivals);
            for cell in burnt {
                let (Some(&time), Some(arrival)) = (ignition.get(cell), arrivals.get_mut(cell)) else { continue };
                let flame = heads.at(scenario, cell, time, arrival.take()).map_or(0.0, |head| head.flame_length);
                if let Some(count) = counts.get(cell * FLAME_CLASSES + class(flame.into())) {
                    count.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        let time = |point: &u32| ignition.get(*point as usize).copied().unwrap_or(NEVER);
        self.plan.points.iter().map(time).collect()
    }

    /// Returns the counts of flames; nothing if none were asked for.
    pub(super) fn into_flames(self) -> Vec<u32> {
        let counts = self.flames.map(|flames| flames.counts).unwrap_or_default();
        counts.into_iter().map(AtomicU32::into_inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_those_of_fire_intensity_levels() {
        let feet = |feet: f64| class(feet * METRES_PER_FOOT);
        assert_eq!([0.0, 1.9, 2.0, 2.1, 4.1, 7.0, 11.9, 12.0, 12.1, 300.0].map(feet), [0, 0, 0, 1, 2, 3, 4, 4, 5, 5]);
    }
}
