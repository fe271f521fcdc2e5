//! Cells that are lit at the start.

use super::super::config::WildfireConfig;
use crate::{Raster, points};
use imminent_cell::study::Misfit;

/// Returns the cells of all keys, each once, in the order in which they were given.
pub(super) fn cells(config: &WildfireConfig, elevation: &Raster) -> Result<Vec<(u32, u32)>, Misfit> {
    let mut cells = config.ignite.clone();
    for &point in &config.ignite_at {
        cells.push(cell(elevation, point, &format!("--ignite-at {},{}", point.0, point.1))?);
    }
    if !config.ignite_file.is_empty() {
        for point in points::read(config.ignite_file.as_ref())? {
            let name = format!("{}: point {}, {}", config.ignite_file, point.0, point.1);
            cells.push(cell(elevation, point, &name)?);
        }
    }
    match (u32::try_from(config.row), u32::try_from(config.column)) {
        (Ok(row), Ok(column)) => cells.push((row, column)),
        (Err(_), Err(_)) => {}
        _ => return Err(Misfit::other("give both `row` and `column` to light a cell, or leave both at -1")),
    }
    let mut once: Vec<(u32, u32)> = Vec::with_capacity(cells.len());
    for cell in cells {
        if !once.contains(&cell) {
            once.push(cell);
        }
    }
    Ok(once)
}

fn cell(elevation: &Raster, (x, y): (f64, f64), name: &str) -> Result<(u32, u32), Misfit> {
    elevation.cell_at(x, y).ok_or_else(|| {
        let place = &elevation.place;
        let (east, south) = place.point(f64::from(elevation.columns()), f64::from(elevation.rows()));
        Misfit::other(format!(
            "{name} is outside of the map: give x from {} to {east} and y from {south} to {}, in {}",
            place.west,
            place.north,
            place.system.name()
        ))
    })
}
