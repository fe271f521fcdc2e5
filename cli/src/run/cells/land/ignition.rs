//! Cells that are lit at the start.

use super::super::fire::FireArgs;
use imminent::models::maps::{Raster, points};
use imminent_console::Failure;

/// Returns the cells of all options, each once, in the order in which they were given.
pub(super) fn cells(args: &FireArgs, elevation: &Raster) -> Result<Vec<(u32, u32)>, Failure> {
    let mut cells = args.ignite.clone();
    for &point in &args.land.ignite_at {
        let option = format!("--ignite-at {},{}", point.0, point.1);
        cells.push(cell(elevation, point, &option)?);
    }
    if let Some(file) = &args.land.ignite_file {
        for point in points::read(file).map_err(Failure::usage)? {
            let name = format!("{}: point {}, {}", file.display(), point.0, point.1);
            cells.push(cell(elevation, point, &name)?);
        }
    }
    let mut once: Vec<(u32, u32)> = Vec::with_capacity(cells.len());
    for cell in cells {
        if !once.contains(&cell) {
            once.push(cell);
        }
    }
    Ok(once)
}

fn cell(elevation: &Raster, (x, y): (f64, f64), name: &str) -> Result<(u32, u32), Failure> {
    elevation.cell_at(x, y).ok_or_else(|| {
        let place = &elevation.place;
        let (east, south) = place.point(f64::from(elevation.columns()), f64::from(elevation.rows()));
        Failure::usage(format!(
            "{name} is outside of the map: give x from {} to {east} and y from {south} to {}, in {}",
            place.west,
            place.north,
            place.system.name()
        ))
    })
}
