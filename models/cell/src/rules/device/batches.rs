//! Rounds of outputs in batches: the lanes of one group, its program, and the changes to it and from it.

use super::launches::{Moment, Tables, feeds};
use crate::fire::device::levels;
use crate::rules::kernels::batch::{Edge, Hours, rounds};
use crate::rules::kernels::change::{enter, leave};
use crate::rules::kernels::feeds::Feed;
use crate::rules::kernels::interpreter::BAD_DELAY;
use crate::rules::kernels::lanes::{LANES, Places, PlacesColumns as _, Queues, Seen, Tiling, lane_of};
use crate::rules::kernels::space::{Space, place_of};
use crate::rules::model::Model;
use crate::rules::postfix::Code;
use crate::rules::run::RunError;
use crate::rules::tables::offsets;
use crate::sequential::RuleError;
use crate::space::MAX_DIMENSIONS;
use imminent_core::{Device, Error, Program, Table};

/// Most rounds of a launch: some milliseconds on a GPU.
const ROUNDS: u32 = 512;

/// Turns of emitting after which a launch ends with the round.
const TURNS: u32 = 2048;

/// Most rounds of a launch on a device that cuts long loops.
const ROUNDS_WHERE_LOOPS_ARE_CUT: u32 = 8;

/// Cells of a space in tiles of 256.
struct Tiles {
    /// Bits of a coordinate within a tile, along each dimension.
    bits: [u32; MAX_DIMENSIONS],
    /// Tiles along each dimension.
    number: [u32; MAX_DIMENSIONS],
}

impl Tiles {
    /// Cuts a space. The longest dimension in tiles is halved until a tile has 256 cells, so that the fewest are cut.
    fn cut(cells: [u32; MAX_DIMENSIONS]) -> Self {
        let (mut bits, mut number) = ([0; MAX_DIMENSIONS], cells);
        for _ in 0..LANES.ilog2() {
            // Of equals the last, so that neighbouring cells are those of neighbouring lanes.
            let longest = (0..MAX_DIMENSIONS).max_by_key(|&at| number.get(at).copied());
            if let Some((bits, (number, cells))) =
                longest.and_then(|at| Some((bits.get_mut(at)?, (number.get_mut(at)?, cells.get(at)?))))
            {
                *bits += 1;
                *number = cells.div_ceil(1 << *bits);
            }
        }
        Tiles { bits, number }
    }

    /// Returns the highest bit of each coordinate in the number of a lane.
    fn tops(&self) -> u32 {
        let (mut tops, mut shift) = (0, 0);
        for &bits in self.bits.iter().rev().filter(|&&bits| bits > 0) {
            shift += bits;
            tops |= 1 << (shift - 1);
        }
        tops
    }

    /// Returns the distance between lanes whose cells have these distances.
    fn distance(&self, by: [i64; MAX_DIMENSIONS]) -> u32 {
        let along = |distance: u32, (&bits, by): (&u32, i64)| (distance << bits) | by.rem_euclid(1 << bits) as u32;
        self.bits.iter().zip(by).fold(0, along)
    }

    /// Lists the edges from each lane to the lanes whose cells its cells see; a neighbour has several where opposite
    /// edges of the space touch and a tile is cut.
    fn edges(&self, model: &Model, space: &Space) -> Vec<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        for (which, offset) in (0..).zip(offsets(model)) {
            let mut ways = vec![[0; MAX_DIMENSIONS]];
            for (at, (&by, &cells)) in offset.by.iter().zip(&space.cells).enumerate() {
                let (by, cells) = (i64::from(by), i64::from(cells));
                let wraps = [by, by - by.signum() * cells];
                let wraps = wraps.get(..if space.wrapped != 0 && by != 0 { 2 } else { 1 }).unwrap_or(&[]);
                let with = |way: &[i64; MAX_DIMENSIONS]| {
                    let mut way = *way;
                    wraps.iter().map(move |&by| {
                        way.iter_mut().skip(at).take(1).for_each(|to| *to = by);
                        way
                    })
                };
                ways = ways.iter().flat_map(with).collect();
            }
            for way in ways {
                let edge = Edge { which, by: self.distance(way), offset: offset.by };
                if !edges.contains(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges
    }
}

/// Everything that batches work on.
pub(super) struct Batches {
    places: Table<Places>,
    seen: Table<Seen>,
    queues: Table<Queues>,
    hours: Table<Hours>,
    edges: Table<Edge>,
    feeds: Table<Feed>,
    space: Space,
    tiling: Tiling,
    /// Fills the lanes.
    entering: Program,
    /// Brings the cells back.
    leaving: Program,
}

impl Batches {
    /// Makes room for the cells of a model in the lanes of a group, with as much in queues as launches have, less one
    /// output.
    pub(super) fn new(device: &Device, model: &Model, code: &Code, tables: &mut Tables) -> Result<Self, RunError> {
        let space = tables.space;
        let tiles = Tiles::cut(space.cells);
        let too_large = |what: &str, requested: u64| {
            RunError::Device(Error::Limit { what: what.to_owned(), requested, limit: u64::from(u32::MAX) })
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
            draws: u32::from(code.random),
        };
        let feeds = feeds(model, code, |cell| lane_of(&tiling, &place_of(&space, cell)));
        let mut places = Table::with_capacity(device, LANES as usize, entries)?;
        let mut seen = Table::with_capacity(device, LANES as usize, values)?;
        let mut queues = Table::with_capacity(device, LANES as usize, queue)?;
        let (hours, feeds) = (Table::zeroed(device, 1)?, Table::from_rows(device, &feeds)?);
        let entering = Program::record(device, |program| {
            let Tables { owns, cells: [even, _], offsets, .. } = &*tables;
            let lanes = (&mut places, &mut seen, &mut queues, owns, even, offsets, &feeds, &hours, &space, &tiling);
            program.launch::<enter>(lanes)?;
            Ok(())
        })?;
        let leaving = Program::record(device, |program| {
            let Tables { owns, cells: [even, _], .. } = tables;
            program.launch::<leave>((owns, even, &places, &queues, &space, &tiling))?;
            Ok(())
        })?;
        let edges = Table::from_rows(device, &tiles.edges(model, &space))?;
        Ok(Batches { places, seen, queues, hours, edges, feeds, space, tiling, entering, leaving })
    }

    /// Does ahead what the first batch and the changes would do.
    pub(super) fn compile(&mut self, device: &Device, tables: &Tables) -> Result<(), RunError> {
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
    pub(super) fn program(&mut self, device: &Device, tables: &Tables, steps: u64) -> Result<Program, RunError> {
        let Batches { places, seen, queues, hours, edges, feeds, space, tiling, .. } = self;
        let too_full = tables.fullest.above(0, tiling.room);
        let program = Program::record(device, |program| {
            program.loop_until(steps, |one| {
                let next = one.launch::<rounds>((
                    &mut *places,
                    &mut *seen,
                    &mut *queues,
                    &mut *hours,
                    &tables.operations,
                    &*edges,
                    &*feeds,
                    &tables.fullest,
                    &*space,
                    &*tiling,
                ))?;
                Ok(vec![next.above(space.horizon), too_full.clone()])
            })
        })?;
        Ok(program)
    }

    /// Takes over from launches.
    pub(super) fn enter(&mut self, tables: &Tables) -> Result<(), RunError> {
        let Moment { now, last, rounds, distinct } = tables.moment()?;
        self.hours.write(&[Hours { time: now, last, same: rounds, distinct, rounds: 0, turns: 0 }])?;
        self.entering.run()?;
        Ok(())
    }

    /// Hands the run over to launches.
    pub(super) fn leave(&mut self, tables: &mut Tables) -> Result<(), RunError> {
        self.leaving.run()?;
        if let Some(&Hours { time, last, same, distinct, .. }) = self.hours.read()?.first() {
            tables.set_moment(Moment { now: time, last, rounds: same, distinct })?;
        }
        Ok(())
    }

    /// Rounds since the group took over, and turns of emitting in them.
    pub(super) fn work(&self) -> Result<(u64, u64), RunError> {
        Ok(self.hours.read()?.first().map_or((0, 0), |hours| (hours.rounds, hours.turns)))
    }

    /// Tells of an evaluation that failed: of several the one of the first cell.
    pub(super) fn check(&self) -> Result<(), RunError> {
        let states = self.places.failed().read()?;
        if states.iter().all(|&state| state == 0) {
            return Ok(());
        }
        let (cells, times) = (self.places.failed_cell().read()?, self.places.failed_time().read()?);
        let failed = states.into_iter().zip(cells.into_iter().zip(times)).filter(|&(state, _)| state != 0);
        let first = failed.map(|(state, (cell, time))| (time, cell, state)).min();
        first.map_or(Ok(()), |(time, cell, state)| {
            let reason = if state == BAD_DELAY {
                "the delay of a rule has to be defined, not negative, and at most 2147483647 ms"
            } else {
                "no rule is true: end the rules with `rule : {(0,0)} 0 {t}`"
            };
            Err(RunError::Rule(RuleError { cell, time, reason: reason.to_owned() }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_has_256_cells_and_follows_the_space() {
        let cut = |cells| {
            let tiles = Tiles::cut(cells);
            assert_eq!(tiles.bits.iter().sum::<u32>(), 8);
            (tiles.bits, tiles.number, tiles.tops())
        };
        assert_eq!(cut([1, 1, 1024, 1024]), ([0, 0, 4, 4], [1, 1, 64, 64], 0x88));
        assert_eq!(cut([1, 1, 1, 1000]), ([0, 0, 0, 8], [1, 1, 1, 4], 0x80));
        assert_eq!(cut([1, 15, 15, 2]).1.iter().product::<u32>(), 2);
        assert_eq!(cut([1, 1, 1, 1]).1, [1; 4]);
        assert_eq!(cut([1, 1, 5, 1000]).1, [1, 1, 5, 4]);
    }

    #[test]
    fn a_lane_is_as_far_as_its_coordinates() {
        let tiles = Tiles::cut([1, 1, 64, 64]);
        assert_eq!(tiles.distance([0, 0, -1, 1]), 0xf1);
        assert_eq!(tiles.distance([0, 0, 17, -16]), 0x10);
    }
}
