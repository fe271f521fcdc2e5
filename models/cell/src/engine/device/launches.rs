//! A launch for each round of outputs: tables, the program of a run, and results.

use super::common::Common;
use crate::engine::kernels::blocks::{Block, BlockStateArgs, BlockTablesArgs, Clock, round_at};
use crate::engine::{CellKernels, End, Failure, Scenario, Step, Task};
use crate::sequential::{Reason, RuleError};
use imminent_core::{Device, Program, Table};

/// Launches of a step of a program's loop.
pub(super) const TURNS: u64 = 2;

/// Everything that launches work on.
pub(super) struct Tables<'a, M: CellKernels> {
    pub(super) common: Common,
    pub(super) waits: Table<M::Waits>,
    pub(super) kepts: Table<M::Kept>,
    pub(super) cells: [Table<M::Cell>; 2],
    pub(super) facts: Table<M::Facts>,
    feeds: Table<M::Feed>,
    pub(super) model: &'a M,
}

/// Tables that each launch reads as the one before it wrote them.
struct Turn<'t, M: CellKernels> {
    cells: &'t mut Table<M::Cell>,
    blocks: &'t mut Table<Block>,
    clock: &'t mut Table<Clock>,
}

impl<'a, M: CellKernels> Tables<'a, M> {
    pub(super) fn new(device: &Device, task: &Task<'a, M>) -> Result<Self, Failure> {
        // All cells emit their initial values at time 0, when they are undefined for their neighbours.
        let cells: Vec<M::Cell> = task.initial.iter().map(|&initial| M::cell(M::UNDEFINED, initial, 0)).collect();
        let fed = task.sources.iter().map(|source| source.cell).collect();
        let common = Common::new(device, &task.setting, fed)?;
        let mut kepts = Table::with_capacity(device, cells.len(), task.setting.kept.max(1))?;
        if task.setting.kept > 0 {
            kepts.write(&task.kepts().collect::<Vec<_>>())?;
        }
        Ok(Tables {
            waits: Table::with_capacity(device, cells.len(), common.owns.capacity())?,
            kepts,
            cells: [Table::from_rows(device, &cells)?, Table::from_rows(device, &cells)?],
            facts: Table::from_rows(device, task.facts)?,
            feeds: Table::from_rows(device, &task.feeds(|cell| cell))?,
            common,
            model: task.model,
        })
    }

    /// Records two rounds a step, until nothing is due before the horizon (condition 0), a queue might overflow
    /// (condition 1), or a number of steps is done.
    pub(super) fn program(&mut self, device: &Device, steps: u64) -> Result<Program, Failure> {
        let Tables { common, waits, kepts, cells: [even, odd], facts, feeds, model } = self;
        let Common { owns, blocks, clocks, census, sources, offsets, fullest, space, .. } = common;
        let ([even_blocks, odd_blocks], [even_clock, odd_clock]) = (blocks, clocks);
        let too_full = fullest.above(0, owns.capacity());
        let program = Program::record(device, |program| {
            program.loop_until(steps, |pair| {
                let mut turn = |was: &mut Turn<'_, M>, new: &mut Turn<'_, M>| {
                    M::record_step(
                        pair,
                        Step {
                            owns,
                            waits,
                            kepts,
                            cells: new.cells,
                            before: was.cells,
                            state: BlockStateArgs { block: new.blocks, census },
                            tables: BlockTablesArgs { blocks: was.blocks, sources, clock: was.clock, fullest },
                            feeds,
                            scenario: Scenario { facts, offsets, space, model },
                            next: new.clock,
                        },
                    )
                };
                let mut even = Turn { cells: even, blocks: even_blocks, clock: even_clock };
                let mut odd = Turn { cells: odd, blocks: odd_blocks, clock: odd_clock };
                turn(&mut even, &mut odd)?;
                let next = turn(&mut odd, &mut even)?;
                Ok(vec![next.above(round_at(space.horizon) + 1), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Makes room for as many outputs as the fullest queue may need, and as many again. Returns `false` if a queue has
    /// too many outputs.
    pub(super) fn grow(&mut self) -> Result<bool, Failure> {
        let room = self.common.grow()?;
        room.map_or(Ok(()), |room| self.waits.grow(room))?;
        Ok(room.is_some())
    }

    /// Returns the end of the run.
    pub(super) fn end(&self) -> Result<End<M::Value>, Failure> {
        let moment = self.common.moment()?;
        let cells = self.cells[0].read()?;
        if moment.stands_still() {
            let due = |cell: &M::Cell| M::parts(cell).2 == moment.last;
            let cell = cells.iter().position(due).unwrap_or(0) as u32;
            let reason = Reason::StandsStill { rounds: moment.rounds };
            return Err(Failure::Rule(RuleError { cell, time: moment.last.into(), reason }));
        }
        let (times, outputs) = self.common.outputs()?;
        let values = cells.iter().map(|cell| M::parts(cell).0).collect();
        Ok(End { values, times, distinct_times: u64::from(moment.distinct), outputs })
    }
}
