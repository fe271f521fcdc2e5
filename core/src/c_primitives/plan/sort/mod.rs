//! Stable sorts: a radix sort from the lowest digit on; one launch in all where one group holds the keys.

mod chunks;
mod sweeps;

use super::{Machine, Place, Plan, Step, moves};
use crate::backend::View;
use crate::c_dialect::Dialect;
use crate::c_primitives::kernel::{Kernel, MoveKind, SortStep};
use crate::error::Result;
use imminent_ir::Scalar;

/// Rows of the largest sort: its scratch memory is addressed in 32 bits, and sums of digits have 30.
pub(super) const MOST_ROWS: u32 = 1 << 29;

/// Where the halves of the scratch memory lie between which keys and payloads go to and fro, and what follows them.
struct Room {
    keys: [u64; 2],
    payloads: [u64; 2],
    rest: u64,
}

impl Room {
    fn new(rows: u32, words: u32) -> Room {
        let keys = (u64::from(rows) * u64::from(words)).next_multiple_of(4);
        let payloads = u64::from(rows).next_multiple_of(4);
        Room { keys: [0, keys], payloads: [2 * keys, 2 * keys + payloads], rest: 2 * (keys + payloads) }
    }

    /// The places of the keys and payloads of a half.
    fn half(&self, half: usize) -> [Place; 2] {
        [Place::Scratch(self.keys[half % 2]), Place::Scratch(self.payloads[half % 2])]
    }
}

/// What is sorted, and where it goes.
struct Task {
    rows: u32,
    scalar: Scalar,
    keys: Place,
    /// Of one word; none for the row numbers.
    payloads: Place,
    numbers: bool,
    /// Nowhere if none.
    sorted_keys: Place,
    sorted_payloads: Place,
    /// Whether results may lie where keys or payloads do.
    in_place: bool,
    room: Room,
}

impl Task {
    fn step(&self, step: SortStep, groups: u32) -> Step {
        Step::new(Kernel::Sort(step, self.scalar), groups, self.rows)
    }

    /// From the columns to the results.
    fn columns(&self) -> [Place; 4] {
        [self.keys.clone(), self.payloads.clone(), self.sorted_keys.clone(), self.sorted_payloads.clone()]
    }

    fn keys_wanted(&self) -> u32 {
        u32::from(!matches!(self.sorted_keys, Place::None))
    }

    /// Rows of a tile.
    fn tile(&self, step: SortStep) -> u32 {
        Kernel::Sort(step, self.scalar).threads() * step.items(self.scalar.words())
    }
}

pub(super) fn sort(
    machine: &dyn Machine,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<Plan> {
    let (rows, scalar) = (keys.rows(), keys.scalar());
    let room = Room::new(rows, scalar.words());
    // Values of two words are fetched at the end, by their row numbers, which stand after the halves.
    let wide = values.filter(|values| values.scalar().words() == 2);
    let payload = values.filter(|_| wide.is_none());
    let view = |view: Option<&View>| view.map_or(Place::None, |view| Place::View(view.clone()));
    let through = room.rest;
    let numbers = Place::Scratch(through);
    let sources = [Some(keys), payload];
    let into = |target: Option<&View>| {
        target.is_some_and(|target| sources.iter().flatten().any(|source| source.buffer.is(&target.buffer)))
    };
    let task = Task {
        rows,
        scalar,
        keys: Place::View(keys.clone()),
        payloads: view(payload),
        numbers: payload.is_none(),
        sorted_keys: view(sorted_keys),
        sorted_payloads: if wide.is_some() { numbers.clone() } else { Place::View(sorted_values.clone()) },
        in_place: into(sorted_keys) || into(Some(sorted_values)),
        room,
    };
    let mut plan = Plan { steps: Vec::new(), scratch: through, counters: 1 };
    if wide.is_some() {
        plan.scratch += u64::from(rows).next_multiple_of(4);
    }
    match machine.dialect() {
        Dialect::Cuda => sweeps::sort(machine, &task, &mut plan)?,
        Dialect::OpenCl => chunks::sort(machine, &task, &mut plan)?,
    }
    if let Some(values) = wide {
        let gather = moves::step(machine, MoveKind::Gather, values.scalar(), rows)?;
        let from = Place::View(values.clone());
        if !values.buffer.is(&sorted_values.buffer) {
            plan.steps.push(gather.columns([from, Place::View(sorted_values.clone()), numbers]));
            return Ok(plan);
        }
        // Sorted in place, the values go through scratch memory: their rows are read in any order.
        let between = Place::Scratch(plan.scratch.next_multiple_of(4));
        plan.scratch = plan.scratch.next_multiple_of(4) + u64::from(rows) * 2;
        plan.steps.push(gather.columns([from, between.clone(), numbers]));
        let copy = moves::step(machine, MoveKind::Copy, values.scalar(), rows)?;
        plan.steps.push(copy.columns([between, Place::View(sorted_values.clone())]));
    }
    Ok(plan)
}
