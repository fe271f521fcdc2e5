//! Tables of launches that do not depend on the type of a value.
//!
//! Code that does not depend on a value's type is compiled once, not for each model of a user.

use super::layout::layout;
use crate::engine::kernels::blocks::{
    Block, Census, CensusColumns as _, Clock, ClockColumns as _, MAX_ROUNDS, SeenBlock, lateness_of, round_at, time_of,
};
use crate::engine::kernels::outputs::{Own, OwnColumns as _};
use crate::engine::kernels::space::{NEVER, Offset, Space};
use crate::engine::{Failure, Setting, offsets, shape};
use crate::sequential::{Delay, MAX_PENDING};
use imminent_core::{Device, Table, TallyTable};

/// Room in the queues of cells at first.
const QUEUE: u32 = 4;

/// Most room in a queue. A step of a program may add two outputs, so a queue that exceeds the most is found in it.
const MAX_ROOM: u32 = MAX_PENDING as u32 + 2;

/// Tables of all cells and blocks, without values.
pub(super) struct Common {
    pub(super) owns: Table<Own>,
    pub(super) blocks: [Table<Block>; 2],
    /// The rows of `blocks` at the start.
    layout: Vec<Block>,
    pub(super) clocks: [Table<Clock>; 2],
    pub(super) census: Table<Census>,
    pub(super) sources: Table<SeenBlock>,
    pub(super) offsets: Table<Offset>,
    pub(super) fullest: TallyTable<u32>,
    pub(super) space: Space,
}

/// Time of a run between two launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Time of the next round, in milliseconds.
    pub(super) now: u32,
    /// 1 if that round is the one of late inputs.
    pub(super) late: u32,
    /// Time of the round before; [`NEVER`] at the start.
    pub(super) last: u32,
    /// Rounds at that time before its last one.
    pub(super) rounds: u32,
    /// Distinct times after 0.
    pub(super) distinct: u32,
    /// Time of the last round of late inputs; [`NEVER`] at the start.
    pub(super) fed: u32,
}

impl Moment {
    /// Returns `true` if outputs without delay went on until the run was stopped.
    pub(super) fn stands_still(&self) -> bool {
        self.rounds > MAX_ROUNDS
    }
}

impl Common {
    /// Makes the tables at time 0. External inputs come to the cells `fed`.
    pub(super) fn new(device: &Device, setting: &Setting<'_>, fed: Vec<u32>) -> Result<Self, Failure> {
        let own = |cell: u32| {
            let (random, zone) = (setting.random(cell), setting.zone(cell));
            Own { random, zone, time: 0, outputs: 0, waiting: 0, dues: imminent_core::Lanes::default() }
        };
        let rows: Vec<Own> = (0..setting.space.cells() as u32).map(own).collect();
        let (blocks, sources) = layout(setting.space, fed);
        let census = vec![Census { last: NEVER, rounds: 0, distinct: 0, active: 0, fed: NEVER }; blocks.len()];
        let room = if setting.delay == Delay::Inertial { 1 } else { QUEUE };
        let mut owns = Table::with_capacity(device, rows.len(), room)?;
        owns.write(&rows)?;
        Ok(Common {
            owns,
            blocks: [Table::from_rows(device, &blocks)?, Table::from_rows(device, &blocks)?],
            layout: blocks,
            clocks: [Table::zeroed(device, 1)?, Table::zeroed(device, 1)?],
            census: Table::from_rows(device, &census)?,
            sources: Table::from_rows(device, &sources)?,
            offsets: Table::from_rows(device, &offsets(setting.space))?,
            fullest: TallyTable::new(device, &[0])?,
            space: shape(setting.space, setting.delay, setting.horizon, setting.kept),
        })
    }

    /// Makes room for as many outputs as the fullest queue may need, and as many again. Returns the room; `None` if a
    /// queue has more than [`MAX_PENDING`] outputs.
    pub(super) fn grow(&mut self) -> Result<Option<u32>, Failure> {
        if self.owns.capacity() >= MAX_ROOM {
            return Ok(None);
        }
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        let room = needed.saturating_mul(2).min(MAX_ROOM);
        self.owns.grow(room)?;
        Ok(Some(room))
    }

    /// Returns the time of the run.
    pub(super) fn moment(&self) -> Result<Moment, Failure> {
        let first = |column: Vec<u32>| column.first().copied().unwrap_or(0);
        let round = self.clocks[0].round().read()?.first().copied().unwrap_or(0);
        Ok(Moment {
            now: time_of(round),
            late: lateness_of(round),
            last: first(self.census.last().read_rows(0..1)?),
            rounds: first(self.census.rounds().read_rows(0..1)?),
            distinct: first(self.census.distinct().read_rows(0..1)?),
            fed: first(self.census.fed().read_rows(0..1)?),
        })
    }

    /// Sets the time of the run. Every block is visited in the next round, which then knows what is due.
    pub(super) fn set_moment(&mut self, moment: Moment) -> Result<(), Failure> {
        let Moment { now, late, last, rounds, distinct, fed } = moment;
        self.clocks[0].write(&[Clock { round: round_at(now) + u64::from(late) }])?;
        self.census.write(&vec![Census { last, rounds, distinct, active: 0, fed }; self.layout.len()])?;
        let blocks: Vec<Block> = self.layout.iter().map(|block| Block { next: now, ..*block }).collect();
        self.blocks[0].write(&blocks)?;
        Ok(())
    }

    /// Returns how often blocks of cells were visited, summed over all blocks.
    pub(super) fn active(&self) -> Result<u64, Failure> {
        Ok(self.census.active().read()?.into_iter().map(u64::from).sum())
    }

    /// Returns the time of each cell's last output, and the number of outputs after the initial ones.
    pub(super) fn outputs(&self) -> Result<(Vec<u32>, u64), Failure> {
        let (times, outputs) = (self.owns.time().read()?, self.owns.outputs().read()?);
        let all: u64 = outputs.into_iter().map(u64::from).sum();
        let initial = times.len() as u64;
        Ok((times, all.saturating_sub(initial)))
    }
}
