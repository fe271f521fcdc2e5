//! Repeated steps of all modules, as a program of the device.

use super::tables::Tables;
use crate::contract::Events;
use crate::kernels::list::{EventListColumns as _, FULL, IDLE, Plan};
use crate::kernels::search::{self, Due, DueColumns as _, SeenArgs};
use crate::mapping::{Mapping, WARP};
use imminent_core::{GAP, Program, ProgramBuilder, Result, Scalar, Selection, Table};

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
    let mut visited = visited::<E>(tables, mapping)?;
    Program::record(&device, |program| {
        program.loop_until(most_steps, |step| {
            if sends {
                tables.windows.record(step, &tables.earliest[0])?;
            }
            let result = record_step(step, tables, mapping, plan, &mut visited)?;
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

/// Modules that a step visits.
enum Visited {
    All,
    /// Modules that are due, found before each step.
    Due(Table<Due>, Selection),
    /// All, in the order of a list or of several.
    Lists(Vec<Selection>),
}

/// Number of kinds of modules: one per kind of next event, and one for modules without events.
fn kinds<E: Events>() -> u32 {
    E::NAMES.len() as u32 + 1
}

/// Returns the modules that a step of a mapping visits.
fn visited<E: Events>(tables: &Tables<E>, mapping: Mapping) -> Result<Visited> {
    let (device, rows) = (tables.lists.device(), tables.lists.len());
    let by_kind = |width| Ok(Visited::Lists(vec![Selection::by_kind(device, rows, kinds::<E>(), width)?]));
    match mapping {
        Mapping::InOrder => Ok(Visited::All),
        // A module that waits for a prepared event is due too, which its list does not say.
        Mapping::Due if tables.prepared.is_some() => Ok(Visited::All),
        Mapping::Due => Ok(Visited::Due(Table::zeroed(device, rows)?, Selection::with_capacity(device, rows)?)),
        Mapping::Spread => Ok(Visited::Lists(vec![Selection::from_places(device, rows, &spread(rows))?])),
        Mapping::Sorted => by_kind(1),
        Mapping::Padded => by_kind(WARP),
        Mapping::PerKind => {
            let lists = (0..kinds::<E>()).map(|_| Selection::with_capacity(device, rows));
            lists.collect::<Result<_>>().map(Visited::Lists)
        }
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
    visited: &mut Visited,
) -> Result<Scalar<u32>> {
    let lists = match visited {
        Visited::All => return E::record_step(step, tables, None, plan),
        Visited::Due(due, list) => {
            let [before, earliest] = &mut tables.earliest;
            let (lists, owners, terms) = (&tables.lists, &tables.owners, &tables.terms);
            let seen = SeenArgs { before: &*before, lists, owners, terms, windows: tables.windows.of_simulations() };
            step.launch::<search::look>((&mut *due, earliest, seen, tables.mail.inbox(), plan))?;
            step.select_into(due.due(), list)?;
            return E::record_step(step, tables, Some(list), plan);
        }
        Visited::Lists(lists) => lists,
    };
    match lists.as_mut_slice() {
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
