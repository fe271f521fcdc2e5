//! A model's rule for the sequential oracle.

use super::cells::Cells;
use super::contract::CellModel;
use crate::engine::kernels::here::{Here, WORDS};
use crate::engine::kernels::space::Position;
use crate::sequential::{LocalRule, Next, Reason, Seen};
use crate::space::MAX_DIMENSIONS;
use imminent_core::fault;
use imminent_core::random::Pcg32;

/// The rule of a model as the sequential oracle evaluates it: the user's function, called on the host.
///
/// It shares that function with the engines, and nothing else.
pub(super) struct NativeRule<'a, M: CellModel> {
    cells: &'a Cells<M>,
    random: Vec<Pcg32>,
}

impl<'a, M: CellModel> NativeRule<'a, M> {
    pub(super) fn new(cells: &'a Cells<M>) -> Self {
        let stream = |cell| Pcg32::new(cells.seed(), cell);
        NativeRule { cells, random: (0..cells.space().cells() as u64).map(stream).collect() }
    }

    fn here(&self, seen: &Seen<'_, M::Value, M::Value>) -> Here {
        let space = self.cells.space();
        let dimensions = space.dimensions().len();
        // The coordinates of the space are the last ones of a place.
        let mut at = space.position(seen.cell);
        at.rotate_right(MAX_DIMENSIONS - dimensions);
        let mut there = [0; WORDS];
        for (neighbour, _) in seen.neighbours.iter().enumerate().filter(|(_, value)| value.is_some()) {
            if let Some(word) = there.get_mut(neighbour / 32) {
                *word |= 1 << (neighbour % 32);
            }
        }
        Here {
            cell: seen.cell,
            time: seen.time,
            zone: self.cells.zones().get(seen.cell as usize).copied().unwrap_or(0),
            neighbours: seen.neighbours.len() as u32,
            fed: seen.input.is_some(),
            sent: seen.input.map_or(0, |input| input.sent),
            dimensions: dimensions as u32,
            place: Position { at },
            inner: seen.neighbours.iter().all(Option::is_some),
            there,
        }
    }
}

impl<M: CellModel> LocalRule for NativeRule<'_, M> {
    type Value = M::Value;
    type Input = M::Value;

    fn same(&self, a: M::Value, b: M::Value) -> bool {
        self.cells.model().same(a, b)
    }

    fn evaluate(&mut self, seen: &Seen<'_, M::Value, M::Value>) -> Result<Option<Next<M::Value>>, String> {
        let here = self.here(seen);
        let values: Vec<M::Value> = seen.neighbours.iter().map(|value| value.unwrap_or(M::UNDEFINED)).collect();
        let input = seen.input.map_or(M::UNDEFINED, |input| input.input);
        let random = self.random.get_mut(seen.cell as usize).ok_or("a cell that does not exist")?;
        let model = self.cells.model();
        match fault::catch(|| model.rule(&here, seen.own, &values, input, random)) {
            ((value, delay), None) => Ok(Some(Next { value, delay })),
            (_, Some(fault)) => Err(Reason::of_fault(&fault).to_string()),
        }
    }
}
