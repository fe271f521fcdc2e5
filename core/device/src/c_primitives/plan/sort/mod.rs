//! Stable sorts: a radix sort from the lowest digit on; a single launch if one group holds the keys.

mod chunks;
mod sweeps;
mod task;

pub(super) use task::MAX_ROWS;

use super::moves;
use super::step::{ColumnLocation, Machine, Plan};
use crate::c_primitives::Dialect;
use crate::c_primitives::kernel::MoveKind;
use imminent_core::Result;
use imminent_core::backend::View;
use task::{Room, Task};

pub(super) fn sort(
    machine: &dyn Machine,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<Plan> {
    let (rows, scalar) = (keys.rows(), keys.scalar());
    let room = Room::new(rows, scalar.words());
    // Two-word values are fetched at the end, by their row numbers, which stand after the halves.
    let wide = values.filter(|values| values.scalar().words() == 2);
    let payload = values.filter(|_| wide.is_none());
    let view = |view: Option<&View>| view.map_or(ColumnLocation::None, |view| ColumnLocation::View(view.clone()));
    let through = room.rest;
    let numbers = ColumnLocation::Scratch(through);
    let sources = [Some(keys), payload];
    let into = |target: Option<&View>| {
        target.is_some_and(|target| sources.iter().flatten().any(|source| source.buffer.is(&target.buffer)))
    };
    let task = Task {
        rows,
        scalar,
        keys: ColumnLocation::View(keys.clone()),
        payloads: view(payload),
        numbers: payload.is_none(),
        sorted_keys: view(sorted_keys),
        sorted_payloads: if wide.is_some() { numbers.clone() } else { ColumnLocation::View(sorted_values.clone()) },
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
        let from = ColumnLocation::View(values.clone());
        if !values.buffer.is(&sorted_values.buffer) {
            plan.steps.push(gather.columns([from, ColumnLocation::View(sorted_values.clone()), numbers]));
            return Ok(plan);
        }
        // When sorted in place, the values go through scratch memory, because their rows are read in any order.
        let between = ColumnLocation::Scratch(plan.scratch.next_multiple_of(4));
        plan.scratch = plan.scratch.next_multiple_of(4) + u64::from(rows) * 2;
        plan.steps.push(gather.columns([from, between.clone(), numbers]));
        let copy = moves::step(machine, MoveKind::Copy, values.scalar(), rows)?;
        plan.steps.push(copy.columns([between, ColumnLocation::View(sorted_values.clone())]));
    }
    Ok(plan)
}
