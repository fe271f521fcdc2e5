//! Rule files on a device: tables, the program of a run, and results.

use super::kernels::advance::{Block, Census, Clock, MOST_ROUNDS, Source, step};
use super::kernels::feeds::Feed;
use super::kernels::interpreter::Operation;
use super::kernels::outputs::{Own, OwnColumns as _};
use super::kernels::space::{Cell, CellColumns as _, NEVER, Offset, Space};
use super::model::Model;
use super::outcome::Outcome;
use super::postfix::{Code, compile};
use super::run::RunError;
use super::tables;
use crate::outcome::Spent;
use crate::sequential::{self, Delay};
use imminent_core::random::Pcg32;
use imminent_core::{Determinism, Device, Program, Progress, Stop, Table, TallyTable};
use std::ops::ControlFlow;
use std::time::Instant;

/// Cells of a block: the group of the kernel.
const BLOCK: usize = 256;

/// Launches of a step of a program's loop.
const TURNS: u64 = 2;

/// Room in the queues of cells at first.
const QUEUE: u32 = 4;

/// Most room in a queue.
const LONGEST_QUEUE: u32 = 1 << 16;

/// Everything that a run works on.
struct Tables {
    owns: Table<Own>,
    cells: [Table<Cell>; 2],
    blocks: [Table<Block>; 2],
    clocks: [Table<Clock>; 2],
    census: Table<Census>,
    sources: Table<Source>,
    operations: Table<Operation>,
    offsets: Table<Offset>,
    feeds: Table<Feed>,
    fullest: TallyTable<u32>,
    space: Space,
}

/// For each block the blocks in which its cells have neighbours, or are themselves.
fn sources(model: &Model) -> (Vec<Block>, Vec<Source>) {
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
        blocks.push(Block { next: 0, written: 0, first_source: all.len() as u32, sources: seen.len() as u32 });
        all.extend(seen.into_iter().map(|block| Source { block }));
    }
    (blocks, all)
}

impl Tables {
    fn new(device: &Device, model: &Model, code: &Code, seed: u64, horizon: u32) -> Result<Self, RunError> {
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
        let (blocks, sources) = sources(model);
        let feed = |source: &sequential::Source| {
            let start = code.starts.get(source.rules as usize).copied().unwrap_or(0);
            let sequential::Source { cell, first, period, value, increment, .. } = *source;
            Feed { cell, start, first, period, value, increment }
        };
        let feeds: Vec<Feed> = model.sources().iter().map(feed).collect();
        let census = vec![Census { last: NEVER, rounds: 0, distinct: 0 }; blocks.len()];
        let mut table = Table::with_capacity(device, owns.len(), if transport { QUEUE } else { 1 })?;
        table.write(&owns)?;
        Ok(Tables {
            owns: table,
            cells: [Table::from_rows(device, &cells)?, Table::from_rows(device, &cells)?],
            blocks: [Table::from_rows(device, &blocks)?, Table::from_rows(device, &blocks)?],
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

    /// Two rounds a step, until nothing is due before the horizon (condition 0) or a queue might overflow (condition
    /// 1).
    fn program(&mut self, device: &Device) -> Result<Program, RunError> {
        let Tables { owns, cells, blocks, clocks, census, sources, operations, offsets, feeds, fullest, space } = self;
        let too_full = fullest.above(0, owns.capacity());
        let ([even, odd], [even_blocks, odd_blocks], [even_clock, odd_clock]) = (cells, blocks, clocks);
        let program = Program::record(device, |program| {
            program.loop_until(u64::MAX, |pair| {
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
    fn grow(&mut self) -> Result<(), RunError> {
        let needed = self.fullest.read()?.first().copied().unwrap_or(0);
        let room = 2 * needed;
        if room > LONGEST_QUEUE {
            return Err(RunError::QueueTooLong { needed });
        }
        self.owns.grow(room)?;
        Ok(())
    }

    fn outcome(&self, model: &Model, horizon: u32) -> Result<Outcome, RunError> {
        let census = self.census.read()?;
        let stuck = census.first().is_some_and(|census| census.rounds > MOST_ROUNDS);
        if stuck {
            let time = census.first().map_or(0, |census| census.last);
            return Err(RunError::StandsStill { time });
        }
        let values = self.cells[0].value().read()?;
        let times = self.owns.time().read()?;
        let outputs = self.owns.outputs().read()?;
        let outputs = outputs.into_iter().map(u64::from).sum::<u64>().saturating_sub(values.len() as u64);
        let distinct = census.first().map_or(0, |census| census.distinct);
        Ok(Outcome::new(model.space().clone(), horizon, values, times, u64::from(distinct), outputs))
    }
}

/// Runs a model by the paper's advance.
pub(super) fn by_steps(
    device: &Device,
    model: &Model,
    seed: u64,
    horizon: u32,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    spent: &mut Spent,
) -> Result<(Outcome, u64), RunError> {
    device.require(Determinism::Reproducible)?;
    let began = Instant::now();
    let code = compile(model)?;
    let mut tables = Tables::new(device, model, &code, seed, horizon)?;
    let mut program = tables.program(device)?;
    program.compile()?;
    spent.set_up = began.elapsed();
    let began = Instant::now();
    let mut launches = 0;
    loop {
        let outcome = program.run_with(|now| progress(Progress { steps: launches + TURNS * now.steps }))?;
        launches += TURNS * outcome.steps;
        match outcome.stop {
            Stop::Condition(0) => break,
            Stop::Cancelled => return Err(RunError::Cancelled { steps: launches }),
            _ => tables.grow()?,
        }
        program = tables.program(device)?;
    }
    spent.simulation = began.elapsed();
    let began = Instant::now();
    let outcome = tables.outcome(model, horizon)?;
    spent.reading = began.elapsed();
    Ok((outcome, launches))
}
