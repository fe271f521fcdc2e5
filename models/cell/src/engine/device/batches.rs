//! Rounds of outputs in batches: the program of one group, and the changes to it and from it.

use super::common::Common;
use super::group::{Group, failed};
use super::launches::Tables;
use crate::engine::kernels::lanes::lane_of;
use crate::engine::kernels::space::place_of;
use crate::engine::{CellKernels, Change, Failure, Lanes, Rounds, Scenario, Task};
use crate::sequential::{Reason, RuleError};
use imminent_core::{Device, Program, ProgramBuilder, Table};

/// Everything that batches work on.
pub(super) struct Batches<M: CellKernels> {
    group: Group,
    lanes: Lanes<M>,
    feeds: Table<M::Feed>,
    /// Fills the lanes.
    entering: Program,
    /// Brings the cells back.
    leaving: Program,
}

impl<M: CellKernels> Batches<M> {
    /// Makes room for the cells of a model in the lanes of a group.
    pub(super) fn new(device: &Device, task: &Task<'_, M>, tables: &mut Tables<'_, M>) -> Result<Self, Failure> {
        let group = Group::new(device, &task.setting, &tables.common)?;
        let (tiling, space) = (group.tiling, tables.common.space);
        let mut lanes = group.lanes(device)?;
        let feeds = Table::from_rows(device, &task.feeds(|cell| lane_of(&tiling, &place_of(&space, cell))))?;
        let mut record = |change: fn(&mut ProgramBuilder, Change<'_, M>) -> imminent_core::Result<()>| {
            let Tables { common: Common { owns, offsets, .. }, waits, kepts, cells: [cells, _], .. } = &mut *tables;
            let (lanes, feeds, hours) = (&mut lanes, &feeds, &group.hours);
            let (space, tiling) = (&space, &tiling);
            Program::record(device, |program| {
                change(program, Change { lanes, owns, waits, kepts, cells, feeds, hours, offsets, space, tiling })
            })
        };
        let (entering, leaving) = (record(M::record_enter)?, record(M::record_leave)?);
        Ok(Batches { group, lanes, feeds, entering, leaving })
    }

    /// Does ahead what the first batch and the changes would do.
    pub(super) fn compile(&mut self, device: &Device, tables: &Tables<'_, M>) -> Result<(), Failure> {
        self.entering.compile()?;
        self.leaving.compile()?;
        Ok(self.program(device, tables, 1)?.compile()?)
    }

    /// Returns the most rounds of a launch.
    pub(super) fn rounds(&self) -> u64 {
        u64::from(self.group.tiling.rounds)
    }

    /// Records one launch a step, until nothing is due before the horizon (condition 0), a queue might overflow or a
    /// rule failed (condition 1), or a number of steps is done.
    pub(super) fn program(&mut self, device: &Device, tables: &Tables<'_, M>, steps: u64) -> Result<Program, Failure> {
        let Batches { group, lanes, feeds, .. } = self;
        let Group { hours, edges, tiling, .. } = group;
        let &Tables { common: Common { ref offsets, ref fullest, ref space, .. }, ref facts, model, .. } = tables;
        let too_full = fullest.above(0, tiling.room);
        let program = Program::record(device, |program| {
            program.loop_until(steps, |one| {
                let scenario = Scenario { facts, offsets, space, model };
                let next = M::record_rounds(one, Rounds { lanes, hours, edges, feeds, fullest, tiling, scenario })?;
                Ok(vec![next.above(space.horizon), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Takes over from launches.
    pub(super) fn enter(&mut self, tables: &Tables<'_, M>) -> Result<(), Failure> {
        self.group.set_moment(tables.common.moment()?)?;
        self.entering.run()?;
        Ok(())
    }

    /// Hands the run over to launches.
    pub(super) fn leave(&mut self, tables: &mut Tables<'_, M>) -> Result<(), Failure> {
        self.leaving.run()?;
        self.group.moment()?.map_or(Ok(()), |moment| tables.common.set_moment(moment))
    }

    /// Returns the rounds since the group took over, and the turns of emitting in them.
    pub(super) fn work(&self) -> Result<(u64, u64), Failure> {
        self.group.work()
    }

    /// Tells of an evaluation that failed: of several the one of the first cell.
    pub(super) fn check(&self) -> Result<(), Failure> {
        failed(&self.lanes.places)?.map_or(Ok(()), |(time, cell, state)| {
            Err(Failure::Rule(RuleError { cell, time: time.into(), reason: Reason::Rule(M::failure(state)) }))
        })
    }
}
