//! Rounds of outputs in batches: the lanes of one group, its program, and the changes to it and from it.

use super::launches::{Moment, Tables};
use super::levels::levels;
use super::tiles::Tiles;
use crate::engine::kernels::edges::{Edge, Hours};
use crate::engine::kernels::lanes::{LANES, Places, PlacesColumns as _, Queues, Tiling, lane_of};
use crate::engine::kernels::space::{Space, place_of};
use crate::engine::{CellKernels, Failure, Task};
use crate::sequential::{Reason, RuleError};
use imminent_core::{Device, Error, Program, Table};

/// Most rounds of a launch: some milliseconds on a GPU.
const ROUNDS: u32 = 512;

/// Turns of emitting after which a launch ends with the round.
const TURNS: u32 = 2048;

/// Most rounds of a launch on a device that cuts long loops.
const ROUNDS_WHERE_LOOPS_ARE_CUT: u32 = 8;

/// Everything that batches work on.
pub(super) struct Batches<'a, M: CellKernels> {
    places: Table<Places>,
    held: Table<M::Held>,
    seen: Table<M::Seen>,
    queues: Table<Queues>,
    waits: Table<M::Waits>,
    hours: Table<Hours>,
    edges: Table<Edge>,
    feeds: Table<M::Feed>,
    space: Space,
    tiling: Tiling,
    model: &'a M,
    /// Fills the lanes.
    entering: Program,
    /// Brings the cells back.
    leaving: Program,
}

impl<'a, M: CellKernels> Batches<'a, M> {
    /// Makes room for the cells of a model in the lanes of a group, with as much in queues as launches have, less one
    /// output.
    pub(super) fn new(device: &Device, task: &Task<'a, M>, tables: &mut Tables<'a, M>) -> Result<Self, Failure> {
        let space = tables.space;
        let tiles = Tiles::cut(space.cells);
        let too_large = |what: &str, requested: u64| {
            Failure::Device(Error::Limit { what: what.to_owned(), requested, limit: u64::from(u32::MAX) })
        };
        let slots = tiles.number.iter().map(|&tiles| u64::from(tiles)).product::<u64>();
        let slots = u32::try_from(slots).map_err(|_| too_large("tiles of 256 cells", slots))?;
        let values = u64::from(slots) * u64::from(space.neighbours);
        let values = u32::try_from(values).map_err(|_| too_large("values of neighbours in a lane", values))?;
        let room = tables.owns.capacity().saturating_sub(1);
        let queue = if space.transport != 0 { u64::from(room) * u64::from(slots) } else { 1 };
        let queue = u32::try_from(queue).map_err(|_| too_large("pending outputs in a lane", queue))?;
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
            draws: u32::from(task.draws),
        };
        let feeds = task.feeds(|cell| lane_of(&tiling, &place_of(&space, cell)));
        let mut places = Table::with_capacity(device, LANES as usize, entries)?;
        let mut held = Table::with_capacity(device, LANES as usize, slots)?;
        let mut seen = Table::with_capacity(device, LANES as usize, values)?;
        let mut queues = Table::with_capacity(device, LANES as usize, queue)?;
        let mut waits = Table::with_capacity(device, LANES as usize, queue)?;
        let (hours, feeds) = (Table::zeroed(device, 1)?, Table::from_rows(device, &feeds)?);
        let entering = Program::record(device, |program| {
            let Tables { owns, waits: waiting, cells: [even, _], offsets, .. } = &*tables;
            program.launch::<M::Enter>((
                &mut places,
                &mut held,
                &mut seen,
                &mut queues,
                &mut waits,
                owns,
                waiting,
                even,
                offsets,
                &feeds,
                &hours,
                &space,
                &tiling,
            ))?;
            Ok(())
        })?;
        let leaving = Program::record(device, |program| {
            let Tables { owns, waits: waiting, cells: [even, _], .. } = tables;
            program.launch::<M::Leave>((owns, waiting, even, &places, &held, &queues, &waits, &space, &tiling))?;
            Ok(())
        })?;
        let edges = Table::from_rows(device, &tiles.edges(task.space, &space))?;
        let model = task.model;
        Ok(Batches { places, held, seen, queues, waits, hours, edges, feeds, space, tiling, model, entering, leaving })
    }

    /// Does ahead what the first batch and the changes would do.
    pub(super) fn compile(&mut self, device: &Device, tables: &Tables<'a, M>) -> Result<(), Failure> {
        self.entering.compile()?;
        self.leaving.compile()?;
        Ok(self.program(device, tables, 1)?.compile()?)
    }

    /// Returns the most rounds of a launch.
    pub(super) fn rounds(&self) -> u64 {
        u64::from(self.tiling.rounds)
    }

    /// Records one launch a step, until nothing is due before the horizon (condition 0), a queue might overflow or a
    /// rule failed (condition 1), or a number of steps is done.
    pub(super) fn program(&mut self, device: &Device, tables: &Tables<'a, M>, steps: u64) -> Result<Program, Failure> {
        let Batches { places, held, seen, queues, waits, hours, edges, feeds, space, tiling, model, .. } = self;
        let too_full = tables.fullest.above(0, tiling.room);
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
                    &tables.offsets,
                    &*edges,
                    &*feeds,
                    &tables.fullest,
                    &*space,
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
        let Moment { now, last, rounds, distinct } = tables.moment()?;
        self.hours.write(&[Hours { time: now, last, same: rounds, distinct, rounds: 0, turns: 0 }])?;
        self.entering.run()?;
        Ok(())
    }

    /// Hands the run over to launches.
    pub(super) fn leave(&mut self, tables: &mut Tables<'a, M>) -> Result<(), Failure> {
        self.leaving.run()?;
        if let Some(&Hours { time, last, same, distinct, .. }) = self.hours.read()?.first() {
            tables.set_moment(Moment { now: time, last, rounds: same, distinct })?;
        }
        Ok(())
    }

    /// Rounds since the group took over, and turns of emitting in them.
    pub(super) fn work(&self) -> Result<(u64, u64), Failure> {
        Ok(self.hours.read()?.first().map_or((0, 0), |hours| (hours.rounds, hours.turns)))
    }

    /// Tells of an evaluation that failed: of several the one of the first cell.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let states = self.places.failed().read()?;
        if states.iter().all(|&state| state == 0) {
            return Ok(());
        }
        let (cells, times) = (self.places.failed_cell().read()?, self.places.failed_time().read()?);
        let failed = states.into_iter().zip(cells.into_iter().zip(times)).filter(|&(state, _)| state != 0);
        let first = failed.map(|(state, (cell, time))| (time, cell, state)).min();
        first.map_or(Ok(()), |(time, cell, state)| {
            Err(Failure::Rule(RuleError { cell, time, reason: Reason::Rule(M::failure(state)) }))
        })
    }
}
