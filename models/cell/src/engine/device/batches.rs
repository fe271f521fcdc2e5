//! Rounds of outputs in batches: the program of one group, and the changes to it and from it.

use super::common::Common;
use super::group::Group;
use super::launches::Tables;
use crate::engine::kernels::lanes::{LANES, lane_of};
use crate::engine::kernels::space::place_of;
use crate::engine::{CellKernels, Failure, Task};
use crate::sequential::{Reason, RuleError};
use imminent_core::{Device, Program, Table};

/// Everything that batches work on.
pub(super) struct Batches<'a, M: CellKernels> {
    group: Group,
    held: Table<M::Held>,
    seen: Table<M::Seen>,
    waits: Table<M::Waits>,
    feeds: Table<M::Feed>,
    model: &'a M,
    /// Fills the lanes.
    entering: Program,
    /// Brings the cells back.
    leaving: Program,
}

impl<'a, M: CellKernels> Batches<'a, M> {
    /// Makes room for the cells of a model in the lanes of a group.
    pub(super) fn new(device: &Device, task: &Task<'a, M>, tables: &mut Tables<'a, M>) -> Result<Self, Failure> {
        let mut group = Group::new(device, &task.setting, &tables.common)?;
        let (tiling, space) = (group.tiling, tables.common.space);
        let lanes = LANES as usize;
        let mut held = Table::with_capacity(device, lanes, tiling.slots)?;
        let mut seen = Table::with_capacity(device, lanes, group.seen)?;
        let mut waits = Table::with_capacity(device, lanes, group.queue)?;
        let feeds = Table::from_rows(device, &task.feeds(|cell| lane_of(&tiling, &place_of(&space, cell))))?;
        let entering = Program::record(device, |program| {
            let Tables { common, waits: waiting, cells: [even, _], .. } = &*tables;
            let Group { places, queues, hours, .. } = &mut group;
            program.launch::<M::Enter>((
                places,
                &mut held,
                &mut seen,
                queues,
                &mut waits,
                &common.owns,
                waiting,
                even,
                &common.offsets,
                &feeds,
                &*hours,
                &space,
                &tiling,
            ))?;
            Ok(())
        })?;
        let leaving = Program::record(device, |program| {
            let Tables { common, waits: waiting, cells: [even, _], .. } = tables;
            let Group { places, queues, .. } = &group;
            let owns = &mut common.owns;
            program.launch::<M::Leave>((owns, waiting, even, places, &held, queues, &waits, &space, &tiling))?;
            Ok(())
        })?;
        Ok(Batches { group, held, seen, waits, feeds, model: task.model, entering, leaving })
    }

    /// Does ahead what the first batch and the changes would do.
    pub(super) fn compile(&mut self, device: &Device, tables: &Tables<'a, M>) -> Result<(), Failure> {
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
    pub(super) fn program(&mut self, device: &Device, tables: &Tables<'a, M>, steps: u64) -> Result<Program, Failure> {
        let Batches { group, held, seen, waits, feeds, model, .. } = self;
        let Group { places, queues, hours, edges, tiling, .. } = group;
        let Common { offsets, fullest, space, .. } = &tables.common;
        let too_full = fullest.above(0, tiling.room);
        let program = Program::record(device, |program| {
            program.loop_until(steps, |one| {
                let next = one.launch::<M::Rounds>((
                    &mut *places,
                    &mut *held,
                    &mut *seen,
                    &mut *queues,
                    &mut *waits,
                    &mut *hours,
                    &tables.facts,
                    offsets,
                    &*edges,
                    &*feeds,
                    fullest,
                    space,
                    &*tiling,
                    *model,
                ))?;
                Ok(vec![next.above(space.horizon), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Takes over from launches.
    pub(super) fn enter(&mut self, tables: &Tables<'a, M>) -> Result<(), Failure> {
        self.group.set_moment(tables.common.moment()?)?;
        self.entering.run()?;
        Ok(())
    }

    /// Hands the run over to launches.
    pub(super) fn leave(&mut self, tables: &mut Tables<'a, M>) -> Result<(), Failure> {
        self.leaving.run()?;
        self.group.moment()?.map_or(Ok(()), |moment| tables.common.set_moment(moment))
    }

    /// Returns the rounds since the group took over, and the turns of emitting in them.
    pub(super) fn work(&self) -> Result<(u64, u64), Failure> {
        self.group.work()
    }

    /// Tells of an evaluation that failed: of several the one of the first cell.
    pub(super) fn check(&self) -> Result<(), Failure> {
        self.group.failed()?.map_or(Ok(()), |(time, cell, state)| {
            Err(Failure::Rule(RuleError { cell, time, reason: Reason::Rule(M::failure(state)) }))
        })
    }
}
