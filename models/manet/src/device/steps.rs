//! Steps of all nodes, as a program of the device.

use super::tables::{Clocks, Moving, Own, Tables};
use crate::kernels::grid::{self, EntryColumns as _, GridArgs, SpotColumns as _};
use crate::kernels::motion::ClockColumns as _;
use crate::kernels::node::{self, BoundColumns as _};
use crate::kernels::{arrival, attempt, medium, motion, neighbourhood};
use crate::visits::Visits;
use imminent_core::{Condition, Kernel, Output, Program, ProgramBuilder, Result, Selection};

/// Largest number of steps between two updates of the cells.
const STEPS: u64 = 64;

/// Largest number of nodes of a simulation for which the simulations have a clock each: one group of a device finds its
/// earliest event.
const APART: u32 = 16_384;

/// Index of the condition that ends the steps when nothing is left to do.
pub(super) const DONE: usize = 0;

/// Records the simulation to its end, or until a queue or a neighbour table needs room.
pub(super) fn record(tables: &mut Tables, visits: Visits) -> Result<Program> {
    let device = tables.own.stations.device().clone();
    let nodes = tables.own.stations.len();
    let mut due = match visits {
        Visits::Listed => Some(Selection::with_capacity(&device, nodes)?),
        Visits::Single | Visits::Grouped | Visits::Apart => None,
    };
    let in_teams = matches!(visits, Visits::Grouped | Visits::Apart);
    let clocks = match (tables.time.clock.len(), &due) {
        _ if visits == Visits::Apart => Clockwork::InGroups,
        (..=1, _) => Clockwork::One,
        (_, None) if tables.time.largest <= APART => Clockwork::Apart,
        _ => Clockwork::Aligned,
    };
    Program::record(&device, |program| {
        program.loop_until(u64::MAX, |epoch| {
            update(epoch, tables)?;
            let steps = |step: &mut ProgramBuilder| {
                record_step(step, tables, &mut due, in_teams)?;
                conditions(step, tables, clocks)
            };
            match clocks {
                // SAFETY: each simulation lies within a group, and its nodes have to do with one another alone: those
                // in its cells, the receivers and senders of its packets.
                Clockwork::InGroups => unsafe { epoch.loop_in_groups(STEPS, steps) }?,
                _ => epoch.loop_until(STEPS, steps)?,
            }
            closing_conditions(epoch, tables)
        })
    })
}

/// Records the list of the nodes with events below the horizon.
fn list(step: &mut ProgramBuilder, tables: &Tables, due: &mut Option<Selection>) -> Result<()> {
    let Some(due) = due else { return Ok(()) };
    let Clocks { clock, epoch, law, .. } = &tables.time;
    let horizon = step.launch::<node::horizon>((epoch, clock, law))?;
    step.select_into(tables.own.bounds.time().below(&horizon)?, due)
}

/// Records a launch over the nodes of a list, or over all.
fn visit<K: Kernel>(step: &mut ProgramBuilder, due: &Option<Selection>, args: K::Args<'_>) -> Result<()>
where
    K::Output: Output,
{
    match due {
        Some(due) => step.launch_over::<K>(due, args).map(drop),
        None => step.launch::<K>(args).map(drop),
    }
}

/// Records the update of motion and of cells to the time of the clock.
fn update(epoch: &mut ProgramBuilder, tables: &mut Tables) -> Result<()> {
    let Tables { motion, time, owners, spots, sorted, keys, entries, cells, .. } = tables;
    epoch.launch::<node::open>((&mut time.epoch, &time.terms, &time.clock, &time.law))?;
    let Moving { now, past, orders, .. } = motion;
    epoch.launch::<motion::update>((now, past, &*orders, &*owners, &time.terms, &time.clock))?;
    epoch.launch::<grid::find>((&mut *spots, &*owners, motion.args(), &time.terms, &time.clock))?;
    let [cells_in_order, nodes_in_order] = keys;
    epoch.sort_by_key(spots.cell(), spots.node(), cells_in_order, nodes_in_order)?;
    epoch.copy_column(&*nodes_in_order, entries.node())?;
    epoch.launch::<grid::fill>((&mut *sorted, &*entries, &*spots))?;
    epoch.launch::<grid::index>((cells, &*sorted))?;
    Ok(())
}

/// Records a step: transmissions end, packets arrive, nodes sense the medium and act. Nodes sense and look in teams if
/// `in_teams` is `true`.
fn record_step(
    step: &mut ProgramBuilder,
    tables: &mut Tables,
    due: &mut Option<Selection>,
    in_teams: bool,
) -> Result<()> {
    list(step, tables, due)?;
    let Tables { own, motion, time, owners, airs, deleted, mail, halts, flows, present, delays, .. } = tables;
    let Own { stations, signals, bounds, counts, .. } = &mut *own;
    let (outbox, halting) = (mail.outbox(), &*halts);
    let (air, owner) = (&*airs, &*owners);
    let args = (stations, bounds, counts, signals, air, deleted, owner, motion.args(), outbox, halting, time.args());
    visit::<arrival::finish>(step, due, args)?;
    let (inbox, delays) = (mail.undelivered(), &*delays);
    let args =
        (own.args(), owner, air, motion.args(), inbox, flows.args(), present.args(), delays, &*halts, time.args());
    step.launch::<arrival::collect>(args)?;
    // Receivers may have events below the horizon now.
    list(step, tables, due)?;
    let Tables {
        own, motion, time, owners, airs, senses, neighbours, deleted, spots, sorted, cells, halts, flows, ..
    } = tables;
    let (grid, Own { signals, bounds, .. }) = (|| GridArgs { cells, spots: sorted }, &*own);
    let args = (&mut *senses, bounds, &*owners, &*spots, signals, motion.args(), grid(), time.args());
    match in_teams {
        true => step.launch::<medium::sense_in_teams>(args).map(drop)?,
        false => visit::<medium::sense>(step, due, args)?,
    }
    let (table, halting, terms) = (&mut *neighbours, &*halts, &time.terms);
    let args = (&mut *senses, table, &*deleted, &*owners, &*spots, signals, motion.args(), grid(), halting, terms);
    match in_teams {
        true => step.launch::<neighbourhood::look_in_teams>(args).map(drop)?,
        false => visit::<neighbourhood::look>(step, due, args)?,
    }
    let args = (own.args(), airs, &mut *senses, &*neighbours, motion.args(), &flows.rows, time.args());
    visit::<attempt::act>(step, due, args)
}

/// Records the times of the earliest events. The conditions hold if a table needs room, or if no event is left, which
/// is found at once where the simulations have one clock.
fn conditions(step: &mut ProgramBuilder, tables: &mut Tables, clocks: Clockwork) -> Result<Vec<Condition>> {
    let bounds = tables.own.bounds.time();
    let Clocks { clock, earliest, least, offsets, terms, .. } = &mut tables.time;
    let needs = |slot| tables.halts.at_least(slot, 1);
    let room = [needs(node::NEEDS_QUEUE), needs(node::NEEDS_TABLE)];
    let is_over = match clocks {
        Clockwork::One => step.min_into(bounds, clock)?.equals(u64::MAX),
        Clockwork::Aligned => {
            let first = step.min_into(bounds, earliest)?;
            step.launch::<node::align>((clock, &*earliest))?;
            first.equals(u64::MAX)
        }
        Clockwork::Apart => {
            step.segmented_min(bounds, &*offsets, least)?;
            step.copy_column(&*least, clock.time())?;
            return Ok(room.into());
        }
        Clockwork::InGroups => {
            step.launch::<node::tick>((clock, &tables.own.bounds, &tables.owners, &*terms))?;
            return Ok(room.into());
        }
    };
    Ok([is_over].into_iter().chain(room).collect())
}

/// Records the conditions of an epoch: the first holds if no event is left, the others if a table needs room.
fn closing_conditions(epoch: &mut ProgramBuilder, tables: &Tables) -> Result<Vec<Condition>> {
    let earliest = epoch.min(tables.time.clock.time())?;
    let needs = |slot| tables.halts.at_least(slot, 1);
    Ok(vec![earliest.equals(u64::MAX), needs(node::NEEDS_QUEUE), needs(node::NEEDS_TABLE)])
}

/// Clocks of the simulations.
#[derive(Clone, Copy)]
enum Clockwork {
    /// There is one simulation.
    One,
    /// All simulations have the time of the earliest event of all: lists of nodes have one horizon.
    Aligned,
    /// Each simulation goes on as fast as its own events let it.
    Apart,
    /// Each simulation does so, and lies within a group.
    InGroups,
}
