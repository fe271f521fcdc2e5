//! A launch for each round of outputs: tables, the program of a run, and results.

use crate::rules::kernels::advance::{
    Block, Census, CensusColumns as _, Clock, ClockColumns as _, MOST_ROUNDS, Source, step,
};
use crate::rules::kernels::feeds::Feed;
use crate::rules::kernels::interpreter::Operation;
use crate::rules::kernels::outputs::{Own, OwnColumns as _};
use crate::rules::kernels::space::{Cell, CellColumns as _, NEVER, Offset, Space};
use crate::rules::model::Model;
use crate::rules::outcome::Outcome;
use crate::rules::postfix::Code;
use crate::rules::run::RunError;
use crate::rules::tables;
use crate::sequential::{self, Delay};
use imminent_core::random::Pcg32;
use imminent_core::{Device, Program, Table, TallyTable};

/// Cells of a block: the group of the kernel.
const BLOCK: usize = 256;

/// Launches of a step of a program's loop.
pub(super) const TURNS: u64 = 2;

/// Room in the queues of cells at first.
const QUEUE: u32 = 4;

/// Most room in a queue.
const LONGEST_QUEUE: u32 = 1 << 16;

/// Everything that launches work on.
pub(super) struct Tables {
    pub(super) owns: Table<Own>,
    pub(super) cells: [Table<Cell>; 2],
    blocks: [Table<Block>; 2],
    /// The rows of `blocks` at the start.
    layout: Vec<Block>,
    clocks: [Table<Clock>; 2],
    census: Table<Census>,
    sources: Table<Source>,
    pub(super) operations: Table<Operation>,
    pub(super) offsets: Table<Offset>,
    feeds: Table<Feed>,
    pub(super) fullest: TallyTable<u32>,
    pub(super) space: Space,
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

/// Lists the external inputs, sorted by numbers that `by` gives to cells.
pub(super) fn feeds(model: &Model, code: &Code, by: impl Fn(u32) -> u32) -> Vec<Feed> {
    let feed = |source: &sequential::Source| {
        let start = code.starts.get(source.rules as usize).copied().unwrap_or(0);
        let sequential::Source { cell, first, period, value, increment, .. } = *source;
        Feed { cell, start, first, period, value, increment }
    };
    let mut feeds: Vec<Feed> = model.sources().iter().map(feed).collect();
    // Several of one cell stay in their order, since the first one counts.
    feeds.sort_by_key(|feed| by(feed.cell));
    feeds
}

/// For each block the blocks in which its cells have neighbours, or are themselves.
fn sources(model: &Model, feeds: &[Feed]) -> (Vec<Block>, Vec<Source>) {
    let (space, cells) = (model.space(), model.space().cells() as u32);
    let (mut blocks, mut all) = (Vec::new(), Vec::new());
    for first in (0..cells).step_by(BLOCK) {
        let mut seen = vec![first / BLOCK as u32];
        for offset in space.neighbours() {
            for cell in first..cells.min(first + BLOCK as u32) {
                let block = space.at(cell, offset).map(|cell| cell / BLOCK as u32);
                if let Some(block) = block.filter(|block| seen.last() != Some(block)) {
                    seen.push(block);
                }
            }
            seen.sort_unstable();
            seen.dedup();
        }
        let first_feed = feeds.partition_point(|feed| feed.cell < first) as u32;
        let end = feeds.partition_point(|feed| feed.cell / (BLOCK as u32) <= first / BLOCK as u32) as u32;
        let (first_source, sources) = (all.len() as u32, seen.len() as u32);
        blocks.push(Block { next: 0, written: 0, first_source, sources, first_feed, feeds: end - first_feed });
        all.extend(seen.into_iter().map(|block| Source { block }));
    }
    (blocks, all)
}

impl Tables {
    pub(super) fn new(device: &Device, model: &Model, code: &Code, seed: u64, horizon: u32) -> Result<Self, RunError> {
        let space = model.space();
        let transport = model.delay() == Delay::Transport;
        let own = |cell: u32| {
            let start = code.starts.get(model.program_of(cell) as usize).copied().unwrap_or(0);
            let random = Pcg32::new(seed, u64::from(cell));
            Own { random, start, time: 0, outputs: 0, waiting: 0, queue: imminent_core::Lanes::default() }
        };
        let owns: Vec<Own> = (0..space.cells() as u32).map(own).collect();
        // All cells emit their initial values at time 0, when they are undefined for their neighbours.
        let cell = |&initial: &f64| Cell { value: f64::NAN, pending: initial, due: 0 };
        let cells: Vec<Cell> = model.initial().iter().map(cell).collect();
        let feeds = feeds(model, code, |cell| cell);
        let (blocks, sources) = sources(model, &feeds);
        let census = vec![Census { last: NEVER, rounds: 0, distinct: 0, active: 0 }; blocks.len()];
        let mut table = Table::with_capacity(device, owns.len(), if transport { QUEUE } else { 1 })?;
        table.write(&owns)?;
        Ok(Tables {
            owns: table,
            cells: [Table::from_rows(device, &cells)?, Table::from_rows(device, &cells)?],
            blocks: [Table::from_rows(device, &blocks)?, Table::from_rows(device, &blocks)?],
            layout: blocks,
            clocks: [Table::zeroed(device, 1)?, Table::zeroed(device, 1)?],
            census: Table::from_rows(device, &census)?,
            sources: Table::from_rows(device, &sources)?,
            operations: Table::from_rows(device, &code.operations)?,
            offsets: Table::from_rows(device, &tables::offsets(model))?,
            feeds: Table::from_rows(device, &feeds)?,
            fullest: TallyTable::new(device, &[0])?,
            space: tables::space(model, horizon),
        })
    }

    /// Records two rounds a step, until nothing is due before the horizon (condition 0), a queue might overflow
    /// (condition 1), or a number of steps is done.
    pub(super) fn program(&mut self, device: &Device, steps: u64) -> Result<Program, RunError> {
        let Tables { owns, cells, blocks, clocks, census, sources, operations, offsets, feeds, fullest, space, .. } =
            self;
        let too_full = fullest.above(0, owns.capacity());
        let ([even, odd], [even_blocks, odd_blocks], [even_clock, odd_clock]) = (cells, blocks, clocks);
        let program = Program::record(device, |program| {
            program.loop_until(steps, |pair| {
                pair.launch_into::<step, _>(
                    (
                        &mut *owns,
                        &mut *odd,
                        &*even,
                        &mut *odd_blocks,
                        &*even_blocks,
                        &*sources,
                        &mut *census,
                        &*even_clock,
                        &*operations,
                        &*offsets,
                        &*feeds,
                        &*fullest,
                        &*space,
                    ),
                    odd_clock,
                )?;
                let next = pair.launch_into::<step, _>(
                    (
                        &mut *owns,
                        &mut *even,
                        &*odd,
                        &mut *even_blocks,
                        &*odd_blocks,
                        &*sources,
                        &mut *census,
                        &*odd_clock,
                        &*operations,
                        &*offsets,
                        &*feeds,
                        &*fullest,
                        &*space,
                    ),
                    even_clock,
                )?;
                Ok(vec![next.above(space.horizon), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Makes room for as many outputs as the fullest queue may need, and as many again.
    pub(super) fn grow(&mut self) -> Result<(), RunError> {
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        let room = 2 * needed;
        if room > LONGEST_QUEUE {
            return Err(RunError::QueueTooLong { needed });
        }
        self.owns.grow(room)?;
        Ok(())
    }

    /// Returns the time of the run.
    pub(super) fn moment(&self) -> Result<Moment, RunError> {
        let first = |column: Vec<u32>| column.first().copied().unwrap_or(0);
        Ok(Moment {
            now: first(self.clocks[0].time().read()?),
            last: first(self.census.last().read_rows(0..1)?),
            rounds: first(self.census.rounds().read_rows(0..1)?),
            distinct: first(self.census.distinct().read_rows(0..1)?),
        })
    }

    /// Sets the time of the run. Every block is looked at in the next round, which then knows what is due.
    pub(super) fn set_moment(&mut self, moment: Moment) -> Result<(), RunError> {
        let Moment { now, last, rounds, distinct } = moment;
        self.clocks[0].write(&[Clock { time: now }])?;
        self.census.write(&vec![Census { last, rounds, distinct, active: 0 }; self.layout.len()])?;
        let blocks: Vec<Block> = self.layout.iter().map(|block| Block { next: now, ..*block }).collect();
        self.blocks[0].write(&blocks)?;
        Ok(())
    }

    /// Returns how often blocks of cells were processed, summed over all blocks.
    pub(super) fn active(&self) -> Result<u64, RunError> {
        Ok(self.census.active().read()?.into_iter().map(u64::from).sum())
    }

    pub(super) fn outcome(&self, model: &Model, horizon: u32) -> Result<Outcome, RunError> {
        let moment = self.moment()?;
        if moment.rounds > MOST_ROUNDS {
            return Err(RunError::StandsStill { time: moment.last });
        }
        let values = self.cells[0].value().read()?;
        let times = self.owns.time().read()?;
        let outputs = self.owns.outputs().read()?;
        let outputs = outputs.into_iter().map(u64::from).sum::<u64>().saturating_sub(values.len() as u64);
        Ok(Outcome::new(model.space().clone(), horizon, values, times, u64::from(moment.distinct), outputs))
    }
}
