//! Cells that are lit at the start.

use super::super::config::WildfireConfig;
use crate::Raster;
use crate::shapes::{self, Placed};
use imminent_cell::landscape::Landscape;
use imminent_cell::study::Misfit;
use std::collections::HashSet;

/// Cells that are lit at the start, by row and column.
#[derive(Debug, Default)]
pub(super) struct Lit {
    /// All of them, each once.
    pub(super) cells: Vec<(u32, u32)>,
    /// Cells that keys and points of files name one by one, each once.
    pub(super) points: Vec<(u32, u32)>,
}

/// Returns the cells of all keys, and adds the assumptions and warnings about them.
pub(super) fn lit(
    config: &WildfireConfig,
    (elevation, landscape): (&Raster, &Landscape),
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Lit, Misfit> {
    let mut cells = config.ignite.clone();
    for &point in &config.ignite_at {
        cells.push(cell(elevation, point)?);
    }
    let mut areas = Vec::new();
    if !config.ignite_file.is_empty() {
        let placed = shapes::read(config.ignite_file.as_ref())?.place(elevation)?;
        areas = burning_areas(&placed, &config.ignite_file, landscape, assumed, warnings)?;
        cells.extend(placed.points);
    }
    match (u32::try_from(config.row), u32::try_from(config.column)) {
        (Ok(row), Ok(column)) => cells.push((row, column)),
        (Err(_), Err(_)) => {}
        _ => return Err(Misfit::other("give both `row` and `column` to light a cell, or leave both at -1")),
    }
    let mut seen = HashSet::new();
    let points: Vec<_> = cells.into_iter().filter(|&cell| seen.insert(cell)).collect();
    let others = areas.into_iter().filter(|&cell| seen.insert(cell));
    Ok(Lit { cells: points.iter().copied().chain(others).collect(), points })
}

/// Returns the cells of lines and polygons that can burn, of which there has to be one.
fn burning_areas(
    placed: &Placed,
    file: &str,
    landscape: &Landscape,
    assumed: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<Vec<(u32, u32)>, Misfit> {
    assumed.extend(placed.projected.clone());
    if placed.cut > 0 {
        warnings
            .push(format!("{file}: parts of {} lines or polygons lie outside of the map and are left out", placed.cut));
    }
    let burns = |(row, column): (u32, u32)| landscape.cell(row, column).is_some_and(|at| landscape.site(at).is_some());
    let burning: Vec<_> = placed.areas.iter().copied().filter(|&cell| burns(cell)).collect();
    match (placed.areas.len(), burning.len()) {
        (0, _) => {}
        (_, 0) => {
            return Err(Misfit::other(format!(
                "{file}: its lines and polygons cover no cell that can burn: check their coordinates and the layer of fuels"
            )));
        }
        (all, lit) => assumed
            .push(format!("{file}: lines and polygons light {lit} cells; {} cells under them cannot burn", all - lit)),
    }
    Ok(burning)
}

fn cell(elevation: &Raster, (x, y): (f64, f64)) -> Result<(u32, u32), Misfit> {
    elevation.cell_at(x, y).ok_or_else(|| {
        let place = &elevation.place;
        let (east, south) = place.point(f64::from(elevation.columns()), f64::from(elevation.rows()));
        Misfit::other(format!(
            "--ignite-at {x},{y} is outside of the map: give x from {} to {east} and y from {south} to {}, in {}",
            place.west,
            place.north,
            place.system.name()
        ))
    })
}
