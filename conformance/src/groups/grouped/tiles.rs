//! Tiles of a grid, against plain Rust.

use crate::case::{Cases, equal, equal_slices};
use crate::context::Context;
use crate::kernels::groups::tiles::{of_1_by_16, of_3_by_5, of_8_by_4, of_32_by_8, of_64_by_1};
use imminent_core::Table;
use rand_core::Rng;

/// Returns grids smaller than a tile, with and without partial tiles.
fn grids(context: &Context<'_>) -> Vec<(usize, usize)> {
    vec![(0, 5), (5, 0), (1, 1), (3, 40), (40, 3), (64, 32), (65, 33), (context.scaled(101, 1001), 77)]
}

/// Rule by which the cells of a tile take values from their neighbours, inside and outside the tile, in each round.
struct Relaxed<'a> {
    values: &'a [u32],
    places: &'a [u32],
    width: usize,
    tile: (usize, usize),
}

impl Relaxed<'_> {
    /// Returns the final values of one tile, by row, and whether one has changed.
    fn tile(&self, left: usize, top: usize) -> (Vec<(usize, u32)>, bool) {
        let height = self.values.len() / self.width;
        let columns = left..(left + self.tile.0).min(self.width);
        let rows: Vec<usize> = (top..(top + self.tile.1).min(height))
            .flat_map(|y| columns.clone().map(move |x| y * self.width + x))
            .collect();
        let mut now: Vec<u32> = self.values.to_vec();
        let mut changed = false;
        loop {
            let before = now.clone();
            let mut again = false;
            for &row in &rows {
                let (x, y) = (row % self.width, row / self.width);
                // The next row of the table may be on the next line of the grid, and is then usually not in the tile.
                let right_is_inside = x - left + 1 < self.tile.0;
                let of_right =
                    || if right_is_inside { self.element(&before, left, top, x + 1, y) } else { self.values[row + 1] };
                let mut best = before[row];
                if x > 0 {
                    best = best.min(if x > left { before[row - 1] } else { self.values[row - 1] }.saturating_add(1));
                }
                if row + 1 < self.values.len() && self.places[row + 1] != 0 {
                    best = best.min(of_right().saturating_add(1));
                }
                if y > top {
                    best = best.min(before[row - self.width].saturating_add(1));
                }
                if best != before[row] {
                    now[row] = best;
                    again = true;
                }
            }
            if !again {
                return (rows.iter().map(|row| (*row, now[*row])).collect(), changed);
            }
            changed = true;
        }
    }

    /// Returns the element of a place in the tile: zero beyond the grid.
    fn element(&self, values: &[u32], left: usize, top: usize, x: usize, y: usize) -> u32 {
        debug_assert!(x - left < self.tile.0 && y - top < self.tile.1);
        if x < self.width { values[y * self.width + x] } else { 0 }
    }
}

macro_rules! tile_cases {
    ($cases:expr, $module:ident, $width:literal, $height:literal) => {{
        let tile: (usize, usize) = ($width, $height);
        let cells = |context: &Context<'_>, width: usize, height: usize| {
            let mut rng = context.random(111 + (width * 1000 + height) as u64);
            let cell = |_| $module::Cell {
                value: if rng.next_u32() % 9 == 0 { rng.next_u32() % 50 } else { u32::MAX },
                place: rng.next_u32() % 2,
                nearest: 0,
            };
            (0..width * height).map(cell).collect::<Vec<_>>()
        };
        $cases.add(
            concat!("tiles of ", $width, " by ", $height, ": every cell knows its place, every tile its cells"),
            move |context| {
                for (width, height) in grids(context) {
                    let mut rows = cells(context, width, height);
                    rows.iter_mut().for_each(|cell| cell.value %= 1000);
                    let mut table = Table::grid(context.device, width, height)?;
                    table.write(&rows)?;
                    let across = width.div_ceil(tile.0);
                    let count = across * height.div_ceil(tile.1);
                    let mut tiles = Table::<$module::Tile>::zeroed(context.device, count)?;
                    let sum = context.queue().launch::<$module::places>((&mut table, &mut tiles))?.read()?;
                    let place = |row: usize| (row % width.max(1), row / width.max(1));
                    let found: Vec<[u32; 2]> = table.read()?.iter().map(|cell| [cell.place, cell.nearest]).collect();
                    let expected: Vec<[u32; 2]> = (0..rows.len())
                        .map(|row| {
                            let (x, y) = place(row);
                            let lane = (y % tile.1) * tile.0 + x % tile.0;
                            [(y * 1000 + x) as u32, (row * 1000 + lane) as u32]
                        })
                        .collect();
                    let grid = format!("a grid of {width} by {height}");
                    equal_slices(&grid, &found, &expected)?;
                    let mut of_tiles: Vec<[u32; 2]> = (0..count as u32).map(|tile| [tile, 0]).collect();
                    for (row, cell) in rows.iter().enumerate() {
                        let (x, y) = place(row);
                        let found = &mut of_tiles[y / tile.1 * across + x / tile.0];
                        found[0] += 1000;
                        found[1] += cell.value;
                    }
                    let found: Vec<[u32; 2]> = tiles.read()?.iter().map(|tile| [tile.rows, tile.sum]).collect();
                    equal_slices(&format!("the tiles of {grid}"), &found, &of_tiles)?;
                    equal(&format!("all of {grid}"), &sum, &rows.iter().map(|cell| cell.value).sum())?;
                }
                Ok(())
            },
        );
        $cases.add(
            concat!(
                "tiles of ",
                $width,
                " by ",
                $height,
                ": relaxation until nothing changes, with the neighbours outside"
            ),
            move |context| {
                for (width, height) in grids(context) {
                    let rows = cells(context, width, height);
                    let mut table = Table::grid(context.device, width, height)?;
                    table.write(&rows)?;
                    let before = Table::from_rows(context.device, &rows)?;
                    let any = context.queue().launch::<$module::relax>((&mut table, &before))?.read()?;
                    let values: Vec<u32> = rows.iter().map(|cell| cell.value).collect();
                    let places: Vec<u32> = rows.iter().map(|cell| cell.place).collect();
                    let relaxed = Relaxed { values: &values, places: &places, width: width.max(1), tile };
                    let (mut expected, mut changed) = (vec![0; rows.len()], false);
                    for top in (0..if rows.is_empty() { 0 } else { height }).step_by(tile.1) {
                        for left in (0..width).step_by(tile.0) {
                            let (cells, tile_changed) = relaxed.tile(left, top);
                            changed |= tile_changed;
                            cells.into_iter().for_each(|(row, value)| expected[row] = value);
                        }
                    }
                    let found: Vec<u32> = table.read()?.iter().map(|cell| cell.nearest).collect();
                    let grid = format!("a grid of {width} by {height}");
                    equal_slices(&grid, &found, &expected)?;
                    equal(&format!("whether {grid} changed"), &any, &changed)?;
                }
                Ok(())
            },
        );
    }};
}

pub(super) fn add(cases: &mut Cases) {
    tile_cases!(cases, of_8_by_4, 8, 4);
    tile_cases!(cases, of_32_by_8, 32, 8);
    tile_cases!(cases, of_3_by_5, 3, 5);
    tile_cases!(cases, of_1_by_16, 1, 16);
    tile_cases!(cases, of_64_by_1, 64, 1);
}
