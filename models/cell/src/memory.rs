//! Memory that runs of cell spaces take on the host, estimated from their sizes before anything is allocated.
//!
//! Figures are upper bounds of the peak, per cell: tables of the engine, the outcome, and the copies of which
//! statistics and digests are made. Tables on a device are not among them.

use crate::Engine;
use crate::landscape::kernels::SIDE;
use crate::landscape::{BINS, FLAME_CLASSES, Landscape, RATE_BYTES, Site, State, Weather, most_words};

/// Bytes of a cell of the fire with published rates: state and border 16, calendar 16, ignition time 4, copies to count
/// and to digest 12.
const FIRE: u64 = 48;
/// Bytes of a cell of a flood on a plane: water as given and as amounts 16, two grids 18, copies to read and digest 16.
const FLOOD: u64 = 50;
/// Bytes of a cell of an event list: value, pending outputs and events of the cell and of its neighbours.
const SEQUENTIAL: u64 = 400;

/// Returns the bytes of a run of [`Fire`](crate::fire::Fire).
#[must_use]
pub fn fire(rows: u64, columns: u64, engine: Engine) -> u64 {
    plane(rows, columns, engine, FIRE)
}

/// Returns the bytes of a run of [`Flood`](crate::flood::Flood).
#[must_use]
pub fn flood(rows: u64, columns: u64, engine: Engine) -> u64 {
    plane(rows, columns, engine, FLOOD)
}

fn plane(rows: u64, columns: u64, engine: Engine, bytes: u64) -> u64 {
    let bytes = if engine == Engine::Sequential { SEQUENTIAL } else { bytes };
    (rows.saturating_add(2)).saturating_mul(columns.saturating_add(2)).saturating_mul(bytes)
}

/// Returns the bytes of a [`Landscape`] and of the layers that it is made of.
#[must_use]
pub fn landscape(cells: u64) -> u64 {
    // Fuel, slope, aspect and four layers of trees, and the prepared cells.
    cells.saturating_mul((2 + 6 * size_of::<f32>() + size_of::<Option<Site>>()) as u64)
}

/// Returns the bytes of the winds of an hour over the cells of a raster, with their speed and direction as they are
/// read.
#[must_use]
pub fn winds(cells: u64) -> u64 {
    cells.saturating_mul(16 + 6 * size_of::<f64>() as u64)
}

/// Returns the bytes of a run of [`TerrainFlood`](crate::flood::terrain::TerrainFlood): ground, depths, peaks, arrivals
/// and rates, and the copies to read, digest and write.
#[must_use]
pub fn terrain(cells: u64) -> u64 {
    cells.saturating_mul(160)
}

/// Returns the bytes of fires on a landscape under some states of the weather, a state for each band of each weather:
/// rates of all cells, the fires themselves with their sizes, counts of arrivals, and ignition times for each thread.
#[must_use]
pub fn fires(cells: u64, states: u64, fires: u64, threads: u64) -> u64 {
    let rates = cells.saturating_mul(RATE_BYTES as u64);
    let of_state = rates.saturating_add((size_of::<State>() + size_of::<Weather>()) as u64);
    // Counts as they are made and as they are handed back, and the turns from the north of the grid.
    let of_cell =
        (4 * (1 + BINS as u64)).saturating_mul(2).saturating_add(16).saturating_add(threads.saturating_mul(40));
    // A fire has its start, with a cell of its own on the heap, and a row in the table of sizes.
    let of_fire = 256_u64;
    states
        .saturating_mul(of_state)
        .saturating_add(cells.saturating_mul(of_cell))
        .saturating_add(fires.saturating_mul(of_fire))
}

/// Returns the bytes that details of [`fires`] add: arrivals at points, with their rows in the table of results.
/// If flames are counted, these counts as well, and for each thread the segments by which fire came.
#[must_use]
pub fn details(cells: u64, fires: u64, points: u64, threads: u64, has_flames: bool) -> u64 {
    // Counts of a cell as they are made and handed back; of each thread the segment and the ignition time.
    let of_cell = if has_flames { (8 * FLAME_CLASSES as u64).saturating_add(threads.saturating_mul(24)) } else { 0 };
    // Rows are collected, for which their number is not known in advance.
    let of_arrival = 100_u64;
    cells.saturating_mul(of_cell).saturating_add(fires.saturating_mul(points).saturating_mul(of_arrival))
}

/// Returns the largest number of bytes that the delays of a landscape under one weather take on a device, which rounds
/// its sides up to those of tiles.
#[must_use]
pub fn delays(landscape: &Landscape) -> u64 {
    let side = |cells: u32| u64::from(cells.next_multiple_of(SIDE));
    side(landscape.rows()) * side(landscape.columns()) * 4 * most_words(landscape.directions())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_grow_with_every_size_and_saturate() {
        assert_eq!(fire(998, 1998, Engine::Auto), 1000 * 2000 * FIRE);
        assert!(fire(60_000, 60_000, Engine::Auto) > 160 << 30);
        assert!(flood(60_000, 60_000, Engine::Step) < flood(60_000, 60_000, Engine::Sequential));
        assert!(fires(1000, 2, 10, 1) < fires(1001, 2, 10, 1) && fires(1000, 2, 10, 1) < fires(1000, 3, 10, 1));
        assert!(fires(1000, 2, 10, 1) < fires(1000, 2, 11, 1) && fires(1000, 2, 10, 1) < fires(1000, 2, 10, 2));
        assert!(details(1000, 10, 0, 1, false) == 0 && details(1000, 10, 2, 1, false) < details(1000, 10, 3, 1, false));
        assert!(details(1000, 10, 2, 1, true) < details(1000, 10, 2, 2, true));
        assert_eq!(details(1, u64::MAX, 2, 1, true), u64::MAX);
        assert_eq!([fire(u64::MAX, 2, Engine::Auto), fires(u64::MAX, 1, 1, 1), landscape(u64::MAX)], [u64::MAX; 3]);
    }
}
