//! Moves of columns.

use super::step::{ColumnLocation, Machine, Plan, Step};
use crate::c_primitives::kernel::{Kernel, MoveKind, THREADS};
use imminent_core::Result;
use imminent_core::backend::{Operand, View};
use imminent_ir::Scalar;

/// Rows of a group.
const ROWS: u32 = THREADS * 4;

/// Returns a step that moves `rows` values.
pub(super) fn step(machine: &dyn Machine, kind: MoveKind, scalar: Scalar, rows: u32) -> Result<Step> {
    let kernel = Kernel::Move(kind, scalar).canonical();
    let groups = match rows.div_ceil(ROWS) {
        0 | 1 => 1,
        groups => groups.min(machine.resident(kernel)?).max(1),
    };
    Ok(Step::new(kernel, groups, rows))
}

fn one(step: Step) -> Plan {
    Plan { steps: vec![step], scratch: 1, counters: 1 }
}

pub(super) fn copy(machine: &dyn Machine, from: &View, to: &View) -> Result<Plan> {
    let places = [from, to].map(|view| ColumnLocation::View(view.clone()));
    Ok(one(step(machine, MoveKind::Copy, to.scalar(), to.rows())?.columns(places)))
}

pub(super) fn fill(machine: &dyn Machine, column: &View, value: &Operand) -> Result<Plan> {
    let step = step(machine, MoveKind::Fill, column.scalar(), column.rows())?;
    Ok(one(step.columns([ColumnLocation::None, ColumnLocation::View(column.clone())]).value(value)))
}
