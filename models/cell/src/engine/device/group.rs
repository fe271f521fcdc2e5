//! Tables of batches that do not depend on the type of a value.

use super::common::{Common, Moment};
use super::levels::levels;
use super::tiles::Tiles;
use crate::engine::kernels::edges::{Edge, Hours};
use crate::engine::kernels::lanes::{LANES, Places, PlacesColumns as _, Tiling};
use crate::engine::{CellKernels, Failure, Lanes, Setting};
use imminent_core::{Device, Error, Limit, Table};

/// Most rounds of a launch: some milliseconds on a GPU.
const ROUNDS: u32 = 512;

/// Turns of emitting after which a launch ends with the round.
const TURNS: u32 = 2048;

/// Most rounds of a launch on a device that cuts long loops.
const ROUNDS_WHERE_LOOPS_ARE_CUT: u32 = 8;

/// Time, edges and shape of the lanes of one group.
pub(super) struct Group {
    pub(super) hours: Table<Hours>,
    pub(super) edges: Table<Edge>,
    pub(super) tiling: Tiling,
    /// Entries of the tournament of a lane.
    entries: u32,
    /// Values of neighbours in a lane.
    seen: u32,
    /// Values of pending outputs in a lane.
    queue: u32,
    /// Values that the cells of a lane keep for themselves.
    kept: u32,
}

impl Group {
    /// Makes room for all cells, with as much in queues as launches have, less one output.
    pub(super) fn new(device: &Device, setting: &Setting<'_>, common: &Common) -> Result<Self, Failure> {
        let space = &common.space;
        let tiles = Tiles::cut(space.cells);
        let fits = |what: &str, requested: u64| {
            let what = || Limit::Other { what: what.to_owned(), remedy: "Simulate a smaller space of cells" };
            u32::try_from(requested).map_err(|_| Failure::Device(Error::limit(what(), requested, u32::MAX)))
        };
        let slots = tiles.number.iter().map(|&tiles| u64::from(tiles)).product();
        let slots = fits("tiles of 256 cells", slots)?;
        let seen = fits("values of neighbours in a lane", u64::from(slots) * u64::from(space.neighbours))?;
        let room = common.owns.capacity().saturating_sub(1);
        let queue = if space.transport != 0 { u64::from(room) * u64::from(slots) } else { 1 };
        let queue = fits("pending outputs in a lane", queue)?;
        let kept = fits("values that cells keep in a lane", u64::from(slots) * u64::from(setting.kept.max(1)))?;
        let (starts, levels, entries) = levels(slots);
        let tiling = Tiling {
            bits: tiles.bits,
            tiles: tiles.number,
            tops: tiles.tops(),
            slots,
            levels,
            starts,
            room,
            rounds: if device.capabilities().long_loops { ROUNDS } else { ROUNDS_WHERE_LOOPS_ARE_CUT },
            turns: TURNS,
            draws: u32::from(setting.draws),
        };
        Ok(Group {
            hours: Table::zeroed(device, 1)?,
            edges: Table::from_rows(device, &tiles.edges(setting.space, space))?,
            tiling,
            entries,
            seen,
            queue,
            kept,
        })
    }

    /// Makes the lanes.
    pub(super) fn lanes<M: CellKernels>(&self, device: &Device) -> Result<Lanes<M>, Failure> {
        let lanes = LANES as usize;
        Ok(Lanes {
            places: Table::with_capacity(device, lanes, self.entries)?,
            helds: Table::with_capacity(device, lanes, self.tiling.slots)?,
            seens: Table::with_capacity(device, lanes, self.seen)?,
            queues: Table::with_capacity(device, lanes, self.queue)?,
            waits: Table::with_capacity(device, lanes, self.queue)?,
            kepts: Table::with_capacity(device, lanes, self.kept)?,
        })
    }

    /// Sets the time of the group.
    pub(super) fn set_moment(&mut self, moment: Moment) -> Result<(), Failure> {
        let Moment { now, late, last, rounds, distinct, fed } = moment;
        Ok(self.hours.write(&[Hours { time: now, last, same: rounds, distinct, rounds: 0, turns: 0, late, fed }])?)
    }

    /// Returns the time of the group.
    pub(super) fn moment(&self) -> Result<Option<Moment>, Failure> {
        let moment = |&Hours { time: now, last, same: rounds, distinct, late, fed, .. }: &Hours| Moment {
            now,
            late,
            last,
            rounds,
            distinct,
            fed,
        };
        Ok(self.hours.read()?.first().map(moment))
    }

    /// Returns the rounds since the group took over, and the turns of emitting in them.
    pub(super) fn work(&self) -> Result<(u64, u64), Failure> {
        Ok(self.hours.read()?.first().map_or((0, 0), |hours| (hours.rounds, hours.turns)))
    }
}

/// Returns time, cell and final state of an evaluation that failed: of several that of the first cell.
pub(super) fn failed(places: &Table<Places>) -> Result<Option<(u32, u32, u32)>, Failure> {
    let states = places.failed().read()?;
    if states.iter().all(|&state| state == 0) {
        return Ok(None);
    }
    let (cells, times) = (places.failed_cell().read()?, places.failed_time().read()?);
    let failed = states.into_iter().zip(cells.into_iter().zip(times)).filter(|&(state, _)| state != 0);
    Ok(failed.map(|(state, (cell, time))| (time, cell, state)).min())
}
