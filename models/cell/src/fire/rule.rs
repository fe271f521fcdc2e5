//! The fire's rule as the sequential oracle evaluates it: reals, as the public model has them.

use super::{DIRECTIONS, Direction};
use crate::sequential::{LocalRule, Next, Seen};

/// Tolerance of equality between reals in CD++.
const TOLERANCE: f64 = 1e-8;

/// The fire's rule in floating-point minutes.
#[derive(Clone, Copy, Debug, Default)]
pub struct FireRule;

/// Returns the position of a direction's neighbour in the Moore neighbourhood, row by row.
fn place(direction: &Direction) -> usize {
    (3 * (direction.row + 1) + direction.column + 1) as usize
}

/// Position of the cell itself.
const OWN: usize = 4;

impl LocalRule for FireRule {
    type Value = f64;
    type Input = ();

    fn same(&self, a: f64, b: f64) -> bool {
        a >= b - TOLERANCE && a <= b + TOLERANCE
    }

    fn evaluate(&mut self, seen: &Seen<'_, f64, ()>) -> Result<Option<Next<f64>>, String> {
        let value = |at: usize| seen.neighbours.get(at).copied().flatten();
        let own = value(OWN).ok_or("a cell without a value of its own")?;
        for direction in &DIRECTIONS {
            if let Some(burning) = value(place(direction)).filter(|&burning| burning > 0.0 && self.same(own, 0.0)) {
                return Ok(Some(Next { value: burning + direction.minutes(), delay: direction.delay() }));
            }
        }
        Ok(Some(Next { value: own, delay: 0 }))
    }
}
