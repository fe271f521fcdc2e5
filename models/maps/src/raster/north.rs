//! Angle between the north of a grid and true north, from its projection.

use super::Georeference;
use imminent_cell::landscape::Declination;
use proj4rs::adaptors::transform_vertex_2d;
use proj4rs::proj::Proj;

/// Half of the way northward along which the angle is measured, in radians of latitude: 6 m.
const STEP: f64 = 1e-6;
/// Digits of a degree to which the angle is rounded, so that mathematical libraries of hosts do not differ.
const ROUNDING: f64 = 1e4;

/// Parameters of a coordinate system that its datum has, which longitude and latitude share with it.
const DATUM: [&str; 10] = ["+datum", "+ellps", "+a", "+b", "+rf", "+f", "+R", "+towgs84", "+nadgrids", "+pm"];

impl Georeference {
    /// Returns the angle between the north of the grid and true north; `None` if the projection is unknown.
    #[must_use]
    pub fn declination(&self, columns: u32, rows: u32) -> Option<Declination> {
        let text = self.system.projection()?;
        let grid = Proj::from_proj_string(&text).ok()?;
        let of_datum = |word: &&str| word.split('=').next().is_some_and(|name| DATUM.contains(&name));
        let words: Vec<&str> = text.split_whitespace().filter(of_datum).collect();
        let globe = Proj::from_proj_string(&format!("+proj=longlat {}", words.join(" "))).ok()?;
        let at = |column: f64, row: f64| {
            let (longitude, latitude) = transform_vertex_2d(&grid, &globe, self.point(column, row)).ok()?;
            let northward = |by: f64| transform_vertex_2d(&globe, &grid, (longitude, latitude + by)).ok();
            let ((from_x, from_y), (to_x, to_y)) = (northward(-STEP)?, northward(STEP)?);
            // True north lies anticlockwise of the grid's where the grid is turned clockwise.
            let degrees = (from_x - to_x).atan2(to_y - from_y).to_degrees();
            Some((degrees * ROUNDING).round() / ROUNDING).filter(|degrees| degrees.is_finite())
        };
        let (right, bottom) = (f64::from(columns), f64::from(rows));
        Some(Declination { north: [at(0.0, 0.0)?, at(right, 0.0)?], south: [at(0.0, bottom)?, at(right, bottom)?] })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{GeoKeys, System};
    use super::*;

    /// Returns the declination at a point, in degrees.
    fn at(system: System, (x, y): (f64, f64)) -> Option<f64> {
        let place = Georeference { system, ..Georeference::square(x - 1.0, y + 1.0, 1.0) };
        place.declination(2, 2).map(|found| found.at(0.5, 0.5))
    }

    fn code(code: u16) -> System {
        System::Keys(GeoKeys { directory: vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, code], ..GeoKeys::default() })
    }

    /// Keys of a projection by shorts and by doubles.
    fn user(method: u16, doubles: &[(u16, f64)]) -> System {
        let mut directory = vec![1, 1, 0, 0, 1024, 0, 1, 1, 3072, 0, 1, 32_767, 3074, 0, 1, 32_767, 3075, 0, 1, method];
        for (place, (key, _)) in doubles.iter().enumerate() {
            directory.extend([*key, 34_736, 1, place as u16]);
        }
        let doubles = doubles.iter().map(|(_, value)| *value).collect();
        System::Keys(GeoKeys { directory, doubles, texts: String::new() })
    }

    fn near(found: Option<f64>, expected: f64) {
        assert!(found.is_some_and(|found| (found - expected).abs() < 1e-3), "{found:?} is not {expected}");
    }

    #[test]
    fn cones_turn_with_the_longitude() {
        // Albers' meridians are straight and meet at an angle of n times the difference of longitudes; n is 0.6029035
        // on Clarke 1866 for 29.5 and 45.5 degrees (Snyder 1987, page 292), at 75 W and 35 N at x = 1885472.7.
        let clarke = [(2057, 6_378_206.4), (2059, 294.978_698_2)];
        let albers = [(3078, 29.5), (3079, 45.5), (3080, -96.0), (3081, 23.0), (3082, 0.0), (3083, 0.0)];
        let snyder = (1_885_472.7, 1_535_925.0);
        near(at(user(11, &[&clarke[..], &albers[..]].concat()), snyder), 0.602_903_5 * 21.0);
        // The same in EPSG:5070 is off by the ellipsoid alone.
        assert!((at(code(5070), snyder).unwrap() - 12.661).abs() < 0.01);
        // West of the middle the grid turns to the other side.
        assert!(at(code(5070), (-1_885_472.7, 1_535_925.0)).unwrap() < -12.6);
        // Lambert's conformal cone for 33 and 45 degrees, at 75 W and 35 N: n is 0.6304777 (Snyder 1987, page 296).
        let lambert = [(3078, 33.0), (3079, 45.0), (3084, -96.0), (3085, 23.0), (3086, 0.0), (3087, 0.0)];
        near(at(user(8, &[&clarke[..], &lambert[..]].concat()), (1_894_410.9, 1_564_649.5)), 0.630_477_7 * 21.0);
    }

    #[test]
    fn transverse_mercator_turns_by_the_sine_of_the_latitude() {
        // To first order the angle is the difference of longitudes times the sine of the latitude. Snyder's example
        // (1987, page 269): 73.5 W and 40.5 N on Clarke 1866 is x = 127106.5, y = 4484124.4 around 75 W.
        let clarke = [(2057, 6_378_206.4), (2059, 294.978_698_2), (3080, -75.0), (3081, 0.0), (3092, 0.9996)];
        let exact = (1.5_f64.to_radians().tan() * 40.5_f64.to_radians().sin()).atan().to_degrees();
        near(at(user(1, &clarke), (127_106.5, 4_484_124.4)), exact);
        assert!((at(code(32_618), (627_106.5, 4_484_124.4)).unwrap() - exact).abs() < 0.01);
        near(at(code(32_618), (500_000.0, 4_484_124.4)), 0.0);
        // Zone 18 by the code of its projection; south of the equator the angle has the other sign.
        let zone = |code: u16| {
            let directory = vec![1, 1, 0, 3, 1024, 0, 1, 1, 3072, 0, 1, 32_767, 3074, 0, 1, code];
            System::Keys(GeoKeys { directory, ..GeoKeys::default() })
        };
        assert!((at(zone(16_018), (627_106.5, 4_484_124.4)).unwrap() - exact).abs() < 0.01);
        assert!((at(zone(16_118), (627_106.5, 10_000_000.0 - 4_484_124.4)).unwrap() + exact).abs() < 0.01);
    }

    #[test]
    fn text_is_understood_and_the_unknown_stays_unknown() {
        let text = r#"PROJCS["Albers",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Albers"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-96.0],PARAMETER["Standard_Parallel_1",29.5],PARAMETER["Standard_Parallel_2",45.5],PARAMETER["Latitude_Of_Origin",23.0],UNIT["Meter",1.0]]"#;
        let here = (1_833_825.0, 2_617_605.0);
        assert_eq!(at(System::Text(text.to_owned()), here), at(code(5070), here));
        // Meridians are vertical on Mercator's map.
        near(at(code(3857), (-8e6, 5e6)), 0.0);
        assert_eq!(at(System::Unknown, here), None);
        assert_eq!(at(System::Text(r#"PROJCS["here",UNIT["metre",1]]"#.to_owned()), here), None);
        assert_eq!(at(code(1), here), None);
    }
}
