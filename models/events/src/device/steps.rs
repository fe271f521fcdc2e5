//! Repeated steps of all modules, as a program of the device.

use super::tables::Tables;
use crate::contract::Events;
use crate::kernels::list::{EventListColumns as _, FULL, IDLE, Plan};
use crate::mapping::{Mapping, WARP};
use imminent_core::{GAP, Program, ProgramBuilder, Result, Scalar, Selection};

/// Index of the condition that ends the steps when nothing is left to do.
pub(super) const DONE: usize = 0;

/// Index of the condition that ends the steps when a list needs room.
pub(super) const NO_ROOM: usize = 1;

/// Records steps that end when nothing is left to do, when a list needs room, or after a given number.
pub(super) fn record<E: Events>(
    tables: &mut Tables<E>,
    mapping: Mapping,
    plan: &Plan,
    sends: bool,
    most_steps: u64,
) -> Result<Program> {
    let device = tables.lists.device().clone();
    let mut lists = lists::<E>(tables, mapping)?;
    Program::record(&device, |program| {
        program.loop_until(most_steps, |step| {
            if sends {
                tables.windows.record(step, &tables.earliest[0])?;
            }
            let result = record_step(step, tables, mapping, plan, &mut lists)?;
            let [before, now] = &mut tables.earliest;
            step.swap(before, now)?;
            if sends {
                tables.mail.record_delivery(step)?;
                let [before, now] = &mut tables.posts;
                step.swap(before, now)?;
            }
            E::record_preparing(step, tables)?;
            Ok(vec![result.equals(IDLE), result.equals(FULL)])
        })
    })
}

/// Number of kinds of modules: one per kind of next event, and one for modules without events.
fn kinds<E: Events>() -> u32 {
    E::NAMES.len() as u32 + 1
}

/// Returns the lists of modules for a mapping.
fn lists<E: Events>(tables: &Tables<E>, mapping: Mapping) -> Result<Vec<Selection>> {
    let (device, rows) = (tables.lists.device(), tables.lists.len());
    let by_kind = |width| Ok(vec![Selection::by_kind(device, rows, kinds::<E>(), width)?]);
    match mapping {
        Mapping::InOrder => Ok(Vec::new()),
        Mapping::Spread => Ok(vec![Selection::from_places(device, rows, &spread(rows))?]),
        Mapping::Sorted => by_kind(1),
        Mapping::Padded => by_kind(WARP),
        Mapping::PerKind => (0..kinds::<E>()).map(|_| Selection::with_capacity(device, rows)).collect(),
    }
}

/// Places every row in its own warp. Few rows are placed several warps apart, to use all processors of a large device.
fn spread(rows: usize) -> Vec<u32> {
    let apart = match rows {
        0..=128 => 8,
        129..=256 => 4,
        257..=512 => 2,
        _ => 1,
    };
    let width = apart * WARP as usize;
    let mut places = vec![GAP; rows * width];
    for (row, place) in (0..).zip(places.iter_mut().step_by(width)) {
        *place = row;
    }
    places
}

fn record_step<E: Events>(
    step: &mut ProgramBuilder,
    tables: &mut Tables<E>,
    mapping: Mapping,
    plan: &Plan,
    lists: &mut [Selection],
) -> Result<Scalar<u32>> {
    match lists {
        [] => E::record_step(step, tables, None, plan),
        [list] => {
            if mapping.is_by_kind() {
                let width = if mapping == Mapping::Padded { WARP } else { 1 };
                step.group_by(tables.lists.coming(), kinds::<E>(), width, list)?;
            }
            E::record_step(step, tables, Some(list), plan)
        }
        lists => {
            let last = lists.len() as u32 - 1;
            for (kind, list) in (0..).zip(&mut *lists) {
                let coming = tables.lists.coming();
                let which = if kind < last { coming.equals(kind)? } else { coming.at_least(last)? };
                step.select_into(which, list)?;
            }
            for list in lists {
                E::record_step(step, tables, Some(list), plan)?;
            }
            step.max(tables.lists.outcome())
        }
    }
}
