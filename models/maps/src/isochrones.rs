//! Isochrones: lines that enclose all cells reached by a time.

use crate::raster::Georeference;
use crate::{MapError, Raster, features};
use contour::ContourBuilder;
use geojson::Geometry;

/// Line of equal time.
#[derive(Debug, Clone, PartialEq)]
pub struct Isochrone {
    /// Time, in the unit of the raster.
    pub time: f64,
    /// Closed rings, whose first point is repeated at the end. Points are in columns from the western and rows from the
    /// northern edge.
    pub rings: Vec<Vec<(f64, f64)>>,
}

/// Computes the isochrones of a raster of arrival times at some times, by marching squares.
///
/// A NaN is a cell that is never reached. Lines run between the centres of cells and are interpolated linearly where
/// times on both sides differ by less than `blur`, which is best the interval between the times. A ring closes along
/// the edge of the raster.
///
/// # Errors
/// [`MapError::Encode`] if lines cannot be joined to rings.
pub fn isochrones(arrival: &Raster, times: &[f64], blur: f64) -> Result<Vec<Isochrone>, MapError> {
    let contours = ContourBuilder::new(arrival.columns() as usize, arrival.rows() as usize, true);
    let mut margins = Vec::with_capacity(arrival.values().len());
    let mut found = Vec::with_capacity(times.len());
    for &time in times {
        margins.clear();
        // Time since a cell was reached. It is limited, since one late cell would otherwise draw the line to its
        // neighbours.
        margins.extend(
            arrival.values().iter().map(
                |&reached| {
                    if reached.is_nan() { -blur } else { (time - reached).clamp(-blur, blur) }
                },
            ),
        );
        let lines = contours.lines(&margins, &[0.0]).map_err(|error| MapError::Encode(error.to_string()))?;
        let rings = lines.into_iter().flat_map(|line| line.into_inner().0).map(|ring| {
            let mut ring: Vec<_> = ring.0.into_iter().map(|point| (point.x, point.y)).collect();
            ring.dedup();
            // Interpolation may part the two ends of a ring.
            if ring.first() != ring.last() {
                ring.extend(ring.first().copied());
            }
            ring
        });
        found.push(Isochrone { time, rings: rings.filter(|ring| ring.len() > 3).collect() });
    }
    Ok(found)
}

/// Returns isochrones as the text of a GeoJSON file: a feature with a MultiLineString for each, whose property `hours`
/// is the time. Coordinates are those of the map.
#[must_use]
pub fn geojson(isochrones: &[Isochrone], place: &Georeference) -> String {
    let feature = |isochrone: &Isochrone| {
        let rings = isochrone.rings.iter().map(|ring| ring.iter().map(|&at| features::point(place, at)));
        features::feature(Geometry::new_multi_line_string(rings), &[("hours", isochrone.time)])
    };
    features::collection(
        isochrones.iter().filter(|isochrone| !isochrone.rings.is_empty()).map(feature).collect(),
        place,
    )
}

/// Returns an interval of about `count` steps up to `greatest`: one, two or five times a power of ten, or a common part
/// of a day.
#[must_use]
pub fn interval(greatest: f64, count: f64) -> f64 {
    let least = greatest / count;
    if least.is_nan() || least <= 0.0 {
        return 1.0;
    }
    let hours = [1.0 / 60.0, 1.0 / 30.0, 1.0 / 12.0, 1.0 / 6.0, 0.25, 0.5, 1.0, 2.0, 3.0, 6.0, 12.0, 24.0];
    let days = 24.0 * crate::picture::nice(least / 24.0);
    hours.into_iter().find(|hours| *hours >= least * 0.999_999).unwrap_or(days)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Makes a fire that spreads in a circle, 10 cells an hour, but not beyond 60 columns.
    fn circle() -> Raster {
        let time = |cell: u32| {
            let (row, column) = (f64::from(cell / 80) - 30.0, f64::from(cell % 80) - 40.0);
            if cell % 80 < 60 { row.hypot(column) / 10.0 } else { f64::NAN }
        };
        Raster::new(80, 61, (0..80 * 61).map(time).collect(), Georeference::square(1000.0, 500.0, 20.0)).unwrap()
    }

    #[test]
    fn isochrones_of_a_circle_are_circles() {
        let found = isochrones(&circle(), &[0.5, 1.0, 1.5], 0.5).unwrap();
        for isochrone in &found {
            let [ring] = &isochrone.rings[..] else { panic!("{} rings", isochrone.rings.len()) };
            for (x, y) in ring {
                let radius = (x - 40.5).hypot(y - 30.5);
                assert!((radius - 10.0 * isochrone.time).abs() < 0.1, "{radius}");
            }
        }
        let text = geojson(&found, &circle().place);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["features"][1]["properties"]["hours"], 1.0);
        let point = &value["features"][1]["geometry"]["coordinates"][0][0];
        let (x, y) = (point[0].as_f64().unwrap() - 1810.0, point[1].as_f64().unwrap() + 110.0);
        assert!((x.hypot(y) - 200.0).abs() < 2.0, "{point}");
    }

    #[test]
    fn lines_close_along_edges_and_obstacles() {
        let found = isochrones(&circle(), &[2.5, 9.0], 0.5).unwrap();
        // Cut off by the obstacle behind column 60.
        let rightmost = found[0].rings.iter().flatten().map(|point| point.0).fold(0.0, f64::max);
        assert!((rightmost - 60.0).abs() < 0.51, "{rightmost}");
        let everything = &found[1].rings[0];
        assert!(everything.first() == everything.last() && everything.iter().any(|point| point.0 == 0.0));
        assert!(isochrones(&circle(), &[-1.0], 0.5).unwrap()[0].rings.is_empty());
    }

    #[test]
    fn intervals_are_those_of_clocks() {
        let of = |hours| interval(hours, 8.0);
        assert_eq!([of(24.0), of(1.0), of(12.0), of(400.0), of(0.0)], [3.0, 1.0 / 6.0, 2.0, 120.0, 1.0]);
    }
}
