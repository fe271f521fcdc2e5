//! The flood's rule as the sequential oracle evaluates it.

use super::{PARTS, PERIOD, TOLERANCE, WALL};
use crate::sequential::{LocalRule, Next, Seen};

/// The flood's rule over whole amounts.
#[derive(Clone, Copy, Debug, Default)]
pub struct FloodRule;

/// Position of the cell itself in the Moore neighbourhood, row by row.
const OWN: usize = 4;

impl LocalRule for FloodRule {
    type Value = i64;
    type Input = ();

    fn same(&self, a: i64, b: i64) -> bool {
        a.abs_diff(b) <= TOLERANCE
    }

    fn evaluate(&mut self, seen: &Seen<'_, i64, ()>) -> Result<Option<Next<i64>>, String> {
        let own = seen.neighbours.get(OWN).copied().flatten().ok_or("a cell without an amount of its own")?;
        let mut value = own;
        if own != WALL {
            for other in seen.neighbours.iter().flatten().filter(|&&other| other >= 0) {
                value -= own / PARTS - other / PARTS;
            }
        }
        Ok(Some(Next { value, delay: PERIOD }))
    }
}
