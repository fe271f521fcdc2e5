//! Repeated steps of all modules, as a program of the device.

use super::contract::{Events, Pace, Tables};
use super::delivery;
use super::mapping::{Mapping, WARP};
use imminent_core::{GAP, Program, ProgramBuilder, Result, Scalar, Selection};

/// Index of the condition that ends the steps when nothing is left to do.
pub(super) const DONE: usize = 0;

/// Index of the condition that ends the steps when a list needs room.
pub(super) const FULL: usize = 1;

/// Records steps that end when nothing is left to do, when a list needs room, when the room for messages does not fit,
/// or after a given number.
pub(super) fn record<E: Events>(
    tables: &mut Tables<E>,
    mapping: Mapping,
    pace: Pace,
    most_steps: u64,
) -> Result<Program> {
    let device = tables.agendas.device().clone();
    let mut lists = lists::<E>(tables, mapping)?;
    Program::record(&device, |program| {
        program.loop_until(most_steps, |step| {
            let [before, now] = &mut tables.posts;
            step.swap(before, now)?;
            if tables.exchange.is_some() {
                delivery::record(step, tables)?;
            }
            let result = record_step(step, tables, mapping, pace, &mut lists)?;
            E::record_preparing(step, tables)?;
            let mut ends = vec![result.equals(0), result.equals(2)];
            if let Some(exchange) = &tables.exchange {
                let sent = delivery::record_count(step, tables)?;
                ends.push(sent.above(exchange.room()));
                if exchange.sparse() > 0 {
                    ends.push(sent.below(exchange.sparse()));
                }
            }
            Ok(ends)
        })
    })
}

/// Number of kinds of modules: one per kind of next event, and one for modules without events.
fn kinds<E: Events>() -> u32 {
    E::NAMES.len() as u32 + 1
}

/// Returns the lists of modules for a mapping.
fn lists<E: Events>(tables: &Tables<E>, mapping: Mapping) -> Result<Vec<Selection>> {
    let (device, rows) = (tables.agendas.device(), tables.agendas.len());
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
    pace: Pace,
    lists: &mut [Selection],
) -> Result<Scalar<u32>> {
    match lists {
        [] => E::record_step(step, tables, None, pace),
        [list] => {
            if mapping.is_by_kind() {
                let width = if mapping == Mapping::Padded { WARP } else { 1 };
                step.group_by(E::coming(&tables.agendas), kinds::<E>(), width, list)?;
            }
            E::record_step(step, tables, Some(list), pace)
        }
        lists => {
            let last = lists.len() as u32 - 1;
            for (kind, list) in (0..).zip(&mut *lists) {
                let coming = E::coming(&tables.agendas);
                let which = if kind < last { coming.equals(kind)? } else { coming.at_least(last)? };
                step.select_into(which, list)?;
            }
            for list in lists {
                E::record_step(step, tables, Some(list), pace)?;
            }
            step.max(E::outcome(&tables.agendas))
        }
    }
}
