//! Seeded landscapes for tests and measurements.

use super::layers::{Canopy, Landscape, LandscapeError, Layers};
use imminent_common::streams::split_mix;

/// Fuels of a synthetic landscape; number 98 is water.
const FUELS: [u16; 12] = [1, 2, 4, 8, 10, 98, 102, 122, 145, 165, 183, 188];

/// Cells between two knots of the noise.
const KNOTS: [u32; 2] = [24, 6];

/// Makes a landscape of cells of 30 m from a seed: hills, patches of fuel with some water, and trees. The same seed
/// gives the same landscape everywhere, since only the four operations of arithmetic and functions of `libm` are used.
///
/// # Errors
/// [`LandscapeError::Space`] for no cells or too many.
pub fn synthetic(rows: u32, columns: u32, seed: u64) -> Result<Landscape, LandscapeError> {
    let cells: Vec<(u32, u32)> = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))).collect();
    let noise = |layer: u64| move |row: u32, column: u32| noise(split_mix(seed, layer), row, column);
    let (hills, kinds, trees) = (noise(0), noise(1), noise(2));
    let height = |row: u32, column: u32| 240.0 * hills(row, column);
    // Slopes by differences to the next row and column, which noise has beyond the edge too.
    let gradient = |&(row, column): &(u32, u32)| {
        let here = height(row, column);
        ((height(row + 1, column) - here) / 30.0, (height(row, column + 1) - here) / 30.0)
    };
    let slope = |at: &(u32, u32)| {
        let (south, east) = gradient(at);
        (south * south + east * east).sqrt() as f32
    };
    let aspect = |at: &(u32, u32)| {
        let (south, east) = gradient(at);
        if south == 0.0 && east == 0.0 {
            return -1.0;
        }
        // Downhill is against the gradient: northward `south`, eastward `-east`.
        libm::atan2(-east, south).to_degrees().rem_euclid(360.0) as f32
    };
    let fuel = |&(row, column): &(u32, u32)| {
        let kind = (kinds(row, column) * FUELS.len() as f64) as usize;
        FUELS.get(kind.min(FUELS.len() - 1)).copied().unwrap_or(0)
    };
    let tree = |&(row, column): &(u32, u32)| (trees(row, column) * 1.6 - 0.6).max(0.0);
    let canopy = Canopy {
        cover: cells.iter().map(|at| tree(at) as f32).collect(),
        height: cells.iter().map(|at| (22.0 * tree(at)) as f32).collect(),
        base_height: cells.iter().map(|at| (3.0 * tree(at)) as f32).collect(),
        bulk_density: cells.iter().map(|at| (0.25 * tree(at)) as f32).collect(),
    };
    Landscape::new(Layers {
        rows,
        columns,
        cell_size: 30.0,
        fuel: cells.iter().map(fuel).collect(),
        slope: cells.iter().map(slope).collect(),
        aspect: cells.iter().map(aspect).collect(),
        canopy: Some(canopy),
    })
}

/// Returns noise of two scales, from 0 to 1.
fn noise(seed: u64, row: u32, column: u32) -> f64 {
    let [coarse, fine] = KNOTS;
    0.7 * smooth(seed, row, column, coarse) + 0.3 * smooth(seed ^ 1, row, column, fine)
}

/// Interpolates between values at knots.
fn smooth(seed: u64, row: u32, column: u32, knots: u32) -> f64 {
    let value = |row: u32, column: u32| {
        let place = (u64::from(row) << 32) | u64::from(column);
        (split_mix(seed, place) >> 32) as f64 / f64::from(u32::MAX)
    };
    let (top, left) = (row / knots, column / knots);
    let share = |at: u32| f64::from(at % knots) / f64::from(knots);
    let mix = |a: f64, b: f64, share: f64| a + (b - a) * share;
    let upper = mix(value(top, left), value(top, left + 1), share(column));
    let lower = mix(value(top + 1, left), value(top + 1, left + 1), share(column));
    mix(upper, lower, share(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_make_varied_landscapes() {
        let landscape = synthetic(80, 100, 7).unwrap();
        let layers = landscape.layers();
        let kinds: std::collections::BTreeSet<u16> = layers.fuel.iter().copied().collect();
        assert!(kinds.len() > 6, "{kinds:?}");
        assert!(landscape.burnable() > 6000 && layers.slope.iter().any(|&slope| slope > 0.2));
        assert_eq!(landscape, synthetic(80, 100, 7).unwrap());
        assert_ne!(landscape, synthetic(80, 100, 8).unwrap());
        assert!(synthetic(0, 3, 1).is_err());
    }
}
