//! Table of the stencils and delays that fire follows on a device. [`kernels`](super::super::kernels) tells its layout.

use super::super::NEVER;
use super::super::error::WildfireError;
use super::super::kernels::tiles::{Word, WordColumns as _};
use super::super::kernels::{SIDE, push_words};
use super::super::plan::Plan;
use super::shape::{CELLS, Shape};
use imminent_core::{Device, Table};
use rayon::prelude::*;
use std::ops::Range;

/// Places of the words, which are known before the table is made.
pub(super) struct Words<'a> {
    plan: &'a Plan,
    shape: Shape,
    stencils: Vec<u32>,
    /// Place of each stencil.
    places: Vec<u32>,
    /// Place of the first delays of each tile of each table, and the end of the last.
    starts: Vec<u64>,
}

impl<'a> Words<'a> {
    pub(super) fn new(plan: &'a Plan, shape: Shape) -> Self {
        let (mut stencils, mut places) = (Vec::new(), Vec::new());
        let delays = plan.delays();
        for stencil in delays.stencils().all() {
            places.push(stencils.len() as u32);
            push_words(delays.stencils(), stencil, &mut stencils);
        }
        let tiles = shape.tiles();
        let lengths: Vec<u64> = (0..delays.tables() * tiles)
            .into_par_iter()
            .map(|at| {
                let scenario = delays.scenario_of.get(at / tiles).copied().unwrap_or(0);
                let length = |cell: usize| {
                    let stencil = delays.stencils().get(delays.stencil_number(scenario, cell));
                    1 + stencil.len() as u64
                };
                cells(plan, shape, at % tiles).flatten().map(length).sum()
            })
            .collect();
        let mut starts = vec![(stencils.len() + delays.tables() * tiles * CELLS) as u64];
        let mut end = starts.first().copied().unwrap_or(0);
        starts.extend(lengths.into_iter().map(|length| {
            end += length;
            end
        }));
        Words { plan, shape, stencils, places, starts }
    }

    /// Returns the number of words.
    pub(super) fn count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Returns the place of the first cell's word.
    pub(super) fn cells(&self) -> u32 {
        self.stencils.len() as u32
    }

    /// Makes the table, which fits onto the device.
    pub(super) fn upload(&self, device: &Device) -> Result<Table<Word>, WildfireError> {
        let table = Table::<Word>::zeroed(device, self.count() as usize)?;
        let put = |rows: Range<usize>, fill: &mut dyn FnMut(&mut [u32])| -> Result<(), WildfireError> {
            if rows.is_empty() {
                return Ok(());
            }
            let mut staging = device.staging::<u32>(rows.len())?;
            fill(&mut staging);
            table.value().upload(&device.queue(), rows, staging)?.wait()?;
            Ok(())
        };
        put(0..self.stencils.len(), &mut |to| to.copy_from_slice(&self.stencils))?;
        let tiles = self.shape.tiles();
        for (number, starts) in self.starts.windows(tiles + 1).step_by(tiles.max(1)).enumerate() {
            let (Some(&start), Some(&end)) = (starts.first(), starts.last()) else { continue };
            let mut places = vec![0; tiles * CELLS];
            put(start as usize..end as usize, &mut |to| {
                let mut rest = to;
                let mut parts = Vec::with_capacity(tiles);
                for bounds in starts.windows(2) {
                    let [from, to] = bounds else { continue };
                    let (part, later) = std::mem::take(&mut rest).split_at_mut((to - from) as usize);
                    parts.push((*from as u32, part));
                    rest = later;
                }
                let of_tiles = places.par_chunks_mut(CELLS).zip(parts).enumerate();
                of_tiles
                    .for_each(|(tile, (places, (start, part)))| self.fill(number as u32, tile, start, places, part));
            })?;
            let first = self.stencils.len() + number * tiles * CELLS;
            put(first..first + places.len(), &mut |to| to.copy_from_slice(&places))?;
        }
        Ok(table)
    }

    /// Fills the words of a tile: places of its cells' delays, the first of which is `start`, and the delays.
    fn fill(&self, table: u32, tile: usize, start: u32, places: &mut [u32], words: &mut [u32]) {
        let (delays, landscape) = (self.plan.delays(), &self.plan.landscape);
        let scenario = delays.scenario_of.get(table as usize).copied().unwrap_or(0);
        let mut end = 0;
        for (place, cell) in places.iter_mut().zip(cells(self.plan, self.shape, tile)) {
            let Some(cell) = cell else { continue };
            *place = start + end as u32;
            let stencil = self.places.get(delays.stencil_number(scenario, cell) as usize).copied().unwrap_or(0);
            let at = landscape.place(cell);
            let of_ways = delays
                .ways(scenario, cell)
                .map(|way| landscape.after(at, way.offset).map_or(NEVER, |_| delays.along(table, cell, way)));
            for value in std::iter::once(stencil).chain(of_ways) {
                if let Some(word) = words.get_mut(end) {
                    *word = value;
                }
                end += 1;
            }
        }
    }
}

/// Returns the cells of a tile, row by row; `None` where nothing burns or beyond the edge.
fn cells(plan: &Plan, shape: Shape, tile: usize) -> impl Iterator<Item = Option<usize>> {
    let side = SIDE as usize;
    let (x, y) = (tile % shape.columns * side, tile / shape.columns * side);
    (0..CELLS).map(move |at| {
        let cell = plan.landscape.cell((y + at / side) as u32, (x + at % side) as u32);
        cell.filter(|&cell| plan.landscape.site(cell).is_some())
    })
}
