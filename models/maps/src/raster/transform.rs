//! Conversion of coordinates from one system to another.

use super::System;
use proj4rs::adaptors::transform_vertex_2d;
use proj4rs::proj::Proj;

/// Conversion of coordinates from one system to another.
#[derive(Debug, Clone)]
pub struct Transform {
    from: Proj,
    to: Proj,
}

impl Transform {
    /// Creates the conversion from a system of the EPSG's registry; `None` if one of both is unknown here.
    #[must_use]
    pub fn new(epsg: u16, to: &System) -> Option<Self> {
        let from = Proj::from_proj_string(crs_definitions::from_code(epsg)?.proj4).ok()?;
        let to = Proj::from_proj_string(&to.projection()?).ok()?;
        Some(Self { from, to })
    }

    /// Converts x and y, which are longitude and latitude in degrees where a system has these; `None` outside of the
    /// reach of a projection.
    #[must_use]
    pub fn apply(&self, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let point = if self.from.is_latlong() { (x.to_radians(), y.to_radians()) } else { (x, y) };
        let (x, y) = transform_vertex_2d(&self.from, &self.to, point).ok()?;
        let point = if self.to.is_latlong() { (x.to_degrees(), y.to_degrees()) } else { (x, y) };
        (point.0.is_finite() && point.1.is_finite()).then_some(point)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::raster::GeoKeys;

    fn code(code: u16) -> System {
        System::Keys(GeoKeys { directory: vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code], ..GeoKeys::default() })
    }

    fn near((x, y): (f64, f64), (expected_x, expected_y): (f64, f64), slack: f64) {
        assert!((x - expected_x).abs() <= slack && (y - expected_y).abs() <= slack, "{x}, {y}");
    }

    /// Coordinates by PROJ 9.5.1 (`pyproj`).
    #[test]
    fn coordinates_are_those_of_proj() {
        let found = |from: u16, to: u16, point| Transform::new(from, &code(to)).unwrap().apply(point).unwrap();
        near(found(4269, 5070, (-72.6, 44.4)), (1_840_313.082, 2_606_630.094), 2e-3);
        near(found(4326, 26_918, (-72.6, 44.4)), (691_121.681, 4_919_102.997), 2e-3);
        near(found(26_918, 5070, (620_000.0, 4_900_000.0)), (1_775_205.413, 2_572_613.552), 2e-3);
        // In feet of the US survey.
        near(found(4152, 2926, (-122.3, 47.6)), (1_278_588.879, 222_309.799), 1e-2);
    }

    #[test]
    fn what_is_unknown_has_no_conversion() {
        assert!(Transform::new(4326, &System::Unknown).is_none());
        assert!(Transform::new(1, &code(5070)).is_none());
    }
}
