//! Steps of all nodes, as a program of the device.

use super::tables::{Moving, Own, Tables};
use crate::kernels::grid::{self, EntryColumns as _, GridArgs, SpotColumns as _};
use crate::kernels::motion;
use crate::kernels::node::{self, BoundColumns as _};
use imminent_core::{Condition, Program, ProgramBuilder, Result};

/// Largest number of steps between two updates of the cells.
const STEPS: u64 = 64;

/// Index of the condition that ends the steps when nothing is left to do.
pub(super) const DONE: usize = 0;

/// Records the simulation to its end, or until a queue or a neighbour table needs room.
pub(super) fn record(tables: &mut Tables) -> Result<Program> {
    let device = tables.own.stations.device().clone();
    Program::record(&device, |program| {
        program.loop_until(u64::MAX, |epoch| {
            update(epoch, tables)?;
            epoch.loop_until(STEPS, |step| record_step(step, tables))?;
            conditions(epoch, tables)
        })
    })
}

/// Records the update of motion and of cells to the time of the clock.
fn update(epoch: &mut ProgramBuilder, tables: &mut Tables) -> Result<()> {
    let Tables { motion, time, owners, spots, sorted, keys, entries, cells, .. } = tables;
    epoch.launch::<node::open>((&mut time.epoch, &time.clock, &time.law))?;
    let Moving { now, past, orders } = motion;
    epoch.launch::<motion::update>((now, past, &*orders, &*owners, &time.terms, &time.clock))?;
    epoch.launch::<grid::find>((&mut *spots, &*owners, motion.args(), &time.terms, &time.clock))?;
    let [cells_in_order, nodes_in_order] = keys;
    epoch.sort_by_key(spots.cell(), spots.node(), cells_in_order, nodes_in_order)?;
    epoch.copy_column(&*nodes_in_order, entries.node())?;
    epoch.launch::<grid::fill>((&mut *sorted, &*entries, &*spots))?;
    epoch.launch::<grid::index>((cells, &*sorted))?;
    Ok(())
}

/// Records a step: transmissions end, packets arrive, nodes sense the medium and act.
fn record_step(step: &mut ProgramBuilder, tables: &mut Tables) -> Result<Vec<Condition>> {
    let Tables { own, motion, time, owners, airs, senses, neighbours, spots, sorted, cells, mail, halts, .. } = tables;
    let Own { stations, signals, bounds, counts, .. } = &mut *own;
    step.launch::<node::finish>((
        stations,
        bounds,
        counts,
        &*signals,
        &*airs,
        motion.args(),
        mail.outbox(),
        time.args(),
    ))?;
    step.launch::<node::collect>((own.args(), &*airs, motion.args(), mail.undelivered(), &*halts, time.args()))?;
    let grid = GridArgs { cells, spots: sorted };
    step.launch::<node::sense>((
        &mut *senses,
        &mut *neighbours,
        &own.bounds,
        &*owners,
        &*spots,
        &own.signals,
        motion.args(),
        grid,
        &*halts,
        time.args(),
    ))?;
    step.launch::<node::act>((own.args(), airs, &*senses, &*neighbours, motion.args(), time.args()))?;
    conditions(step, tables)
}

/// Records the time of the earliest event. The conditions hold if there is none, or if a table needs room.
fn conditions(step: &mut ProgramBuilder, tables: &mut Tables) -> Result<Vec<Condition>> {
    let earliest = step.min_into(tables.own.bounds.time(), &mut tables.time.clock)?;
    let needs = |slot| tables.halts.at_least(slot, 1);
    Ok(vec![earliest.equals(u64::MAX), needs(node::NEEDS_QUEUE), needs(node::NEEDS_TABLE)])
}
