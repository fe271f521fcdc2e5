//! Slope, aspect and hill shading by Horn's formula: eight neighbours, those on the sides with double weight.
//!
//! `Horn, B. K. P.: Hill shading and the reflectance map. Proceedings of the IEEE 69 (1981)`.

use crate::Raster;

/// Slope and aspect of every cell, row by row from the north; NaN where the elevation has no data.
#[derive(Debug, Clone, PartialEq)]
pub struct Terrain {
    /// Slope, in degrees from 0 to 90.
    pub slope: Vec<f64>,
    /// Direction that the slope faces (downhill), in degrees clockwise from north; 0 of flat cells.
    pub aspect: Vec<f64>,
}

/// Returns a slope in percent: metres of height in 100 m of horizontal distance.
#[must_use]
pub fn percent(degrees: f64) -> f64 {
    100.0 * degrees.to_radians().tan()
}

impl Terrain {
    /// Computes slope and aspect of an elevation raster, whose heights are in metres.
    ///
    /// If a neighbour is missing, at the edge or without data, the line from the opposite neighbour through the cell is
    /// continued. If that one is missing too, the plane through the neighbours on the sides is. A degree of latitude
    /// counts as 111,320 m.
    #[must_use]
    pub fn of(elevation: &Raster) -> Self {
        let rises = rises(elevation);
        let slope = rises.iter().map(|&(east, north)| east.hypot(north).atan().to_degrees()).collect();
        let aspect = rises.iter().map(|&(east, north)| {
            // The slope faces against the rise.
            let angle = (-east).atan2(-north).to_degrees();
            if east == 0.0 && north == 0.0 { 0.0 } else { angle.rem_euclid(360.0) }
        });
        Self { slope, aspect: aspect.collect() }
    }
}

/// Returns the brightness of every cell from 0 to 1 under a low sun in the north-west; 0.7 for flat cells and those
/// without data.
///
/// Heights are exaggerated by a factor from 1 to 20, chosen to make one cell in ten steeper than about 45 degrees.
#[must_use]
pub fn hill_shade(elevation: &Raster) -> Vec<f64> {
    let rises = rises(elevation);
    let mut steepness: Vec<f64> = rises.iter().map(|rise| rise.0.hypot(rise.1)).filter(|rise| !rise.is_nan()).collect();
    let rank = steepness.len() * 9 / 10;
    let steep = match steepness.get(rank) {
        Some(_) => *steepness.select_nth_unstable_by(rank, f64::total_cmp).1,
        None => 1.0,
    };
    let factor = (0.8 / steep.max(1e-9)).clamp(1.0, 20.0);
    let altitude = 45_f64.to_radians();
    let (low, high) = (altitude.cos() * std::f64::consts::FRAC_1_SQRT_2, altitude.sin());
    let lit = rises.iter().map(|&(east, north)| {
        let (east, north) = (factor * east, factor * north);
        // Cosine between the light from the north-west and the normal of the cell.
        let cosine = (low * east - low * north + high) / (1.0 + east * east + north * north).sqrt();
        if cosine.is_nan() { 0.7 } else { (0.7 + 0.9 * (cosine - high)).clamp(0.0, 1.0) }
    });
    lit.collect()
}

/// Computes the rise to the east and to the north of every cell, in metres of height for each metre.
fn rises(elevation: &Raster) -> Vec<(f64, f64)> {
    let place = &elevation.place;
    let (columns, rows) = (i64::from(elevation.columns()), i64::from(elevation.rows()));
    let metres = place.system.unit().metres();
    let height = |row: i64, column: i64| {
        let inside = (0..rows).contains(&row) && (0..columns).contains(&column);
        let index = if inside { row * columns + column } else { i64::MAX };
        elevation.values().get(index as usize).copied().unwrap_or(f64::NAN)
    };
    let mut rises = Vec::with_capacity(elevation.values().len());
    for row in 0..rows {
        let latitude = place.point(0.0, row as f64 + 0.5).1;
        let (unit_x, unit_y) = metres.map_or((111_320.0 * latitude.to_radians().cos(), 111_320.0), |unit| (unit, unit));
        let (across, down) = (8.0 * place.cell_width * unit_x, 8.0 * place.cell_height * unit_y);
        for column in 0..columns {
            let centre = height(row, column);
            if centre.is_nan() {
                rises.push((f64::NAN, f64::NAN));
                continue;
            }
            let straight = |dr: i64, dc: i64| {
                let (found, opposite) = (height(row + dr, column + dc), height(row - dr, column - dc));
                if found.is_nan() { 2.0 * centre - opposite } else { found }
            };
            let side = |dr: i64, dc: i64| Some(straight(dr, dc)).filter(|found| !found.is_nan()).unwrap_or(centre);
            // At a corner of the raster, a diagonal neighbour and the opposite one are both missing.
            let plane = |dr: i64, dc: i64| side(dr, 0) + side(0, dc) - centre;
            let at = |dr: i64, dc: i64| {
                let found = straight(dr, dc);
                if !found.is_nan() { found } else { plane(dr, dc) }
            };
            let east = at(-1, 1) + 2.0 * at(0, 1) + at(1, 1) - at(-1, -1) - 2.0 * at(0, -1) - at(1, -1);
            let north = at(-1, -1) + 2.0 * at(-1, 0) + at(-1, 1) - at(1, -1) - 2.0 * at(1, 0) - at(1, 1);
            rises.push((east / across, north / down));
        }
    }
    rises
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Georeference;

    fn plane(east: f64, north: f64) -> Raster {
        let heights = (0..20).map(|cell| 100.0 + 30.0 * (east * f64::from(cell % 5) - north * f64::from(cell / 5)));
        Raster::new(5, 4, heights.collect(), Georeference::square(0.0, 0.0, 30.0)).unwrap()
    }

    #[test]
    fn a_plane_has_one_slope_and_aspect_up_to_its_edges() {
        for (east, north, aspect) in [(1.0, 0.0, 270.0), (-1.0, 0.0, 90.0), (0.0, 1.0, 180.0), (0.0, -1.0, 0.0)] {
            let terrain = Terrain::of(&plane(east, north));
            assert!(terrain.slope.iter().all(|slope| (slope - 45.0).abs() < 1e-9), "{:?}", terrain.slope);
            assert!(terrain.aspect.iter().all(|found| (found - aspect).abs() < 1e-9), "{:?}", terrain.aspect);
        }
        let terrain = Terrain::of(&plane(-0.3, -0.3));
        assert!((terrain.aspect[7] - 45.0).abs() < 1e-9 && (percent(terrain.slope[7]) - 42.426_406_871).abs() < 1e-6);
    }

    #[test]
    fn gaps_stay_gaps_and_do_not_spread() {
        let mut heights = plane(0.5, 0.0).values().to_vec();
        heights[7] = f64::NAN;
        let terrain = Terrain::of(&plane(0.5, 0.0).with_values(heights).unwrap());
        assert!(terrain.slope[7].is_nan());
        assert!(
            terrain.slope.iter().enumerate().all(|(cell, slope)| cell == 7 || (percent(*slope) - 50.0).abs() < 1e-9)
        );
    }

    #[test]
    fn slopes_that_face_the_sun_are_brighter() {
        let [lit, dark, flat] = [(-0.5, 0.5), (0.5, -0.5), (0.0, 0.0)].map(|(east, north)| {
            // Downhill to the south-east is away from the sun.
            hill_shade(&plane(-east, -north))[7]
        });
        assert!(lit > flat && flat > dark, "{lit} {flat} {dark}");
        assert!((flat - 0.7).abs() < 1e-12);
    }
}
