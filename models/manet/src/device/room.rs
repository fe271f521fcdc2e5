//! Room of queues, of neighbour tables and of lists of deletions.

use super::tables::Tables;
use crate::kernels::failure;
use crate::kernels::node::{self, Before};
use imminent_core::Result;

/// Needs of the fullest queue, neighbour table and list of deletions.
pub(super) struct Room<'t> {
    tables: &'t Tables,
}

impl<'t> Room<'t> {
    pub(super) fn of(tables: &'t Tables) -> Self {
        Room { tables }
    }

    pub(super) fn queue(&self) -> Result<u32> {
        self.tables.own.stations.device().queue().launch::<node::wanted_queue>((&self.tables.own.stations,))?.read()
    }

    pub(super) fn table(&self) -> Result<u32> {
        self.tables.senses.device().queue().launch::<node::wanted_table>((&self.tables.senses,))?.read()
    }

    pub(super) fn deletions(&self) -> Result<u32> {
        self.tables.deleted.device().queue().launch::<failure::wanted_deletions>((&self.tables.deleted,))?.read()
    }
}

/// Enlarges the queues, the neighbour tables and the lists of deletions to what the fullest of them needs, or more.
pub(super) fn make_room(tables: &mut Tables) -> Result<()> {
    let queue = tables.own.stations.device().queue().clone();
    tables.halts.fill(0)?;
    let wanted = Room::of(tables).queue()?;
    let before = tables.own.queues.capacity();
    if wanted > before {
        tables.own.queues.grow(ample(wanted))?;
        let before = Before { capacity: before };
        queue.launch::<node::unroll>((&mut tables.own.stations, &mut tables.own.queues, &before))?;
    }
    let wanted = Room::of(tables).table()?;
    if wanted > tables.neighbours.capacity() {
        tables.neighbours.grow(ample(wanted))?;
    }
    let wanted = Room::of(tables).deletions()?;
    if wanted > tables.deleted.capacity() {
        tables.deleted.grow(ample(wanted))?;
    }
    Ok(())
}

/// Returns the next power of two. Capacities are powers of two, so a ring that grows has as many new lanes as old ones,
/// and its wrapped part fits behind its end.
fn ample(wanted: u32) -> u32 {
    wanted.checked_next_power_of_two().unwrap_or(wanted)
}
