//! A launch for each round of outputs: tables, the program of a run, and results.

use super::layout::layout;
use crate::engine::kernels::blocks::{
    Block, Census, CensusColumns as _, Clock, ClockColumns as _, MOST_ROUNDS, Source,
};
use crate::engine::kernels::outputs::{Own, OwnColumns as _};
use crate::engine::kernels::space::{NEVER, Offset, Space};
use crate::engine::{CellKernels, End, Failure, Task, offsets, shape};
use crate::sequential::{Delay, Reason, RuleError};
use imminent_core::random::Pcg32;
use imminent_core::{Device, Program, Table, TallyTable};

/// Launches of a step of a program's loop.
pub(super) const TURNS: u64 = 2;

/// Room in the queues of cells at first.
const QUEUE: u32 = 4;

/// Most room in a queue.
const LONGEST_QUEUE: u32 = 1 << 16;

/// Everything that launches work on.
pub(super) struct Tables<'a, M: CellKernels> {
    pub(super) owns: Table<Own>,
    pub(super) waits: Table<M::Waits>,
    pub(super) cells: [Table<M::Cell>; 2],
    blocks: [Table<Block>; 2],
    /// The rows of `blocks` at the start.
    layout: Vec<Block>,
    clocks: [Table<Clock>; 2],
    census: Table<Census>,
    sources: Table<Source>,
    pub(super) facts: Table<M::Facts>,
    pub(super) offsets: Table<Offset>,
    feeds: Table<M::Feed>,
    pub(super) fullest: TallyTable<u32>,
    pub(super) space: Space,
    model: &'a M,
}

/// Time of a run between two launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// Time of the next round, in milliseconds.
    pub(super) now: u32,
    /// Time of the round before; [`NEVER`] at the start.
    pub(super) last: u32,
    /// Rounds at that time before its last one.
    pub(super) rounds: u32,
    /// Distinct times after 0.
    pub(super) distinct: u32,
}

impl<'a, M: CellKernels> Tables<'a, M> {
    pub(super) fn new(device: &Device, task: &Task<'a, M>) -> Result<Self, Failure> {
        let transport = task.delay == Delay::Transport;
        let own = |cell: u32| {
            let (random, zone) = (Pcg32::new(task.seed, u64::from(cell)), task.zone(cell));
            Own { random, zone, time: 0, outputs: 0, waiting: 0, dues: imminent_core::Lanes::default() }
        };
        let owns: Vec<Own> = (0..task.space.cells() as u32).map(own).collect();
        // All cells emit their initial values at time 0, when they are undefined for their neighbours.
        let cells: Vec<M::Cell> = task.initial.iter().map(|&initial| M::cell(M::UNDEFINED, initial, 0)).collect();
        let (blocks, sources) = layout(task.space, task.sources.iter().map(|source| source.cell));
        let census = vec![Census { last: NEVER, rounds: 0, distinct: 0, active: 0 }; blocks.len()];
        let room = if transport { QUEUE } else { 1 };
        let mut table = Table::with_capacity(device, owns.len(), room)?;
        table.write(&owns)?;
        Ok(Tables {
            waits: Table::with_capacity(device, owns.len(), room)?,
            owns: table,
            cells: [Table::from_rows(device, &cells)?, Table::from_rows(device, &cells)?],
            blocks: [Table::from_rows(device, &blocks)?, Table::from_rows(device, &blocks)?],
            layout: blocks,
            clocks: [Table::zeroed(device, 1)?, Table::zeroed(device, 1)?],
            census: Table::from_rows(device, &census)?,
            sources: Table::from_rows(device, &sources)?,
            facts: Table::from_rows(device, task.facts)?,
            offsets: Table::from_rows(device, &offsets(task.space))?,
            feeds: Table::from_rows(device, &task.feeds(|cell| cell))?,
            fullest: TallyTable::new(device, &[0])?,
            space: shape(task.space, task.delay, task.horizon),
            model: task.model,
        })
    }

    /// Records two rounds a step, until nothing is due before the horizon (condition 0), a queue might overflow
    /// (condition 1), or a number of steps is done.
    pub(super) fn program(&mut self, device: &Device, steps: u64) -> Result<Program, Failure> {
        let Tables { owns, waits, cells, blocks, clocks, census, sources, .. } = self;
        let (facts, offsets, feeds) = (&self.facts, &self.offsets, &self.feeds);
        let (fullest, space, model) = (&self.fullest, &self.space, self.model);
        let too_full = fullest.above(0, owns.capacity());
        let ([even, odd], [even_blocks, odd_blocks], [even_clock, odd_clock]) = (cells, blocks, clocks);
        let program = Program::record(device, |program| {
            program.loop_until(steps, |pair| {
                let tables = (&mut *owns, &mut *waits, &mut *odd, &*even, &mut *odd_blocks, &*even_blocks);
                let (owns_, waits_, after, before, blocks_after, blocks_before) = tables;
                pair.launch_into::<M::Step, _>(
                    (
                        owns_,
                        waits_,
                        after,
                        before,
                        blocks_after,
                        blocks_before,
                        &*sources,
                        &mut *census,
                        &*even_clock,
                        facts,
                        offsets,
                        feeds,
                        fullest,
                        space,
                        model,
                    ),
                    odd_clock,
                )?;
                let tables = (&mut *owns, &mut *waits, &mut *even, &*odd, &mut *even_blocks, &*odd_blocks);
                let (owns_, waits_, after, before, blocks_after, blocks_before) = tables;
                let next = pair.launch_into::<M::Step, _>(
                    (
                        owns_,
                        waits_,
                        after,
                        before,
                        blocks_after,
                        blocks_before,
                        &*sources,
                        &mut *census,
                        &*odd_clock,
                        facts,
                        offsets,
                        feeds,
                        fullest,
                        space,
                        model,
                    ),
                    even_clock,
                )?;
                Ok(vec![next.above(space.horizon), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Makes room for as many outputs as the fullest queue may need, and as many again.
    pub(super) fn grow(&mut self) -> Result<(), Failure> {
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        let room = 2 * needed;
        if room > LONGEST_QUEUE {
            return Err(Failure::QueueTooLong { needed });
        }
        self.owns.grow(room)?;
        self.waits.grow(room)?;
        Ok(())
    }

    /// Returns the time of the run.
    pub(super) fn moment(&self) -> Result<Moment, Failure> {
        let first = |column: Vec<u32>| column.first().copied().unwrap_or(0);
        Ok(Moment {
            now: first(self.clocks[0].time().read()?),
            last: first(self.census.last().read_rows(0..1)?),
            rounds: first(self.census.rounds().read_rows(0..1)?),
            distinct: first(self.census.distinct().read_rows(0..1)?),
        })
    }

    /// Sets the time of the run. Every block is looked at in the next round, which then knows what is due.
    pub(super) fn set_moment(&mut self, moment: Moment) -> Result<(), Failure> {
        let Moment { now, last, rounds, distinct } = moment;
        self.clocks[0].write(&[Clock { time: now }])?;
        self.census.write(&vec![Census { last, rounds, distinct, active: 0 }; self.layout.len()])?;
        let blocks: Vec<Block> = self.layout.iter().map(|block| Block { next: now, ..*block }).collect();
        self.blocks[0].write(&blocks)?;
        Ok(())
    }

    /// Returns how often blocks of cells were processed, summed over all blocks.
    pub(super) fn active(&self) -> Result<u64, Failure> {
        Ok(self.census.active().read()?.into_iter().map(u64::from).sum())
    }

    /// Returns the end of the run.
    pub(super) fn end(&self) -> Result<End<M::Value>, Failure> {
        let moment = self.moment()?;
        let cells = self.cells[0].read()?;
        if moment.rounds > MOST_ROUNDS {
            let due = |cell: &M::Cell| M::parts(cell).2 == moment.last;
            let cell = cells.iter().position(due).unwrap_or(0) as u32;
            let reason = Reason::StandsStill { rounds: moment.rounds };
            return Err(Failure::Rule(RuleError { cell, time: moment.last, reason }));
        }
        let outputs = self.owns.outputs().read()?;
        Ok(End {
            values: cells.iter().map(|cell| M::parts(cell).0).collect(),
            times: self.owns.time().read()?,
            distinct_times: u64::from(moment.distinct),
            outputs: outputs.into_iter().map(u64::from).sum::<u64>().saturating_sub(cells.len() as u64),
        })
    }
}
