//! Projections of coordinate systems, in the notation of PROJ.

use super::keys::{GeoKeys, USER};
use super::{System, Unit};

/// Projection from the EPSG's registry: a zone of the universal transverse Mercator grid, north from 16,000 and south
/// from 16,100 on.
const PROJECTION: u16 = 3074;
/// Method of a projection.
const METHOD: u16 = 3075;
/// Semi-major axis and inverse flattening of the ellipsoid.
const ELLIPSOID: [u16; 2] = [2057, 2059];
/// Parallels that are true to scale.
const PARALLELS: [u16; 2] = [3078, 3079];
/// Longitude of origin, by its names: natural origin, false origin, centre, straight vertical from the pole.
const LONGITUDE: [u16; 4] = [3080, 3084, 3088, 3095];
/// Latitude of origin.
const LATITUDE: [u16; 3] = [3081, 3085, 3089];
/// False easting.
const EASTING: [u16; 3] = [3082, 3086, 3090];
/// False northing.
const NORTHING: [u16; 3] = [3083, 3087, 3091];
/// Scale at the origin.
const SCALE: [u16; 2] = [3092, 3093];

impl System {
    /// Returns the projection in the notation of PROJ; `None` if it is unknown.
    pub(super) fn projection(&self) -> Option<String> {
        let by_code = self.epsg().and_then(|code| crs_definitions::from_code(u16::try_from(code).ok()?));
        by_code.map(|found| found.proj4.to_owned()).or_else(|| match self {
            System::Unknown => None,
            System::Keys(keys) => keys.projection(),
            System::Text(text) => proj4wkt::wkt_to_projstring(text).ok(),
        })
    }
}

impl GeoKeys {
    /// Returns the projection that a file defines by itself.
    fn projection(&self) -> Option<String> {
        let first = |keys: &[u16]| keys.iter().find_map(|&key| self.double(key));
        let ellipsoid = match ELLIPSOID.map(|key| self.double(key)) {
            [Some(axis), Some(flattening)] if flattening > 0.0 => format!("+a={axis} +rf={flattening}"),
            _ => "+ellps=GRS80".to_owned(),
        };
        if let Some(zone) = self.short(PROJECTION).filter(|&code| code != USER) {
            let south = match zone {
                16_001..=16_060 => "",
                16_101..=16_160 => " +south",
                _ => return None,
            };
            return Some(format!("+proj=utm +zone={}{south} {ellipsoid}", zone % 100));
        }
        let method = match self.short(METHOD)? {
            1 => "tmerc",
            7 => "merc",
            8 | 9 => "lcc",
            10 => "laea",
            11 => "aea",
            14 | 15 => "stere",
            16 => "sterea",
            _ => return None,
        };
        let latitude = first(&LATITUDE).unwrap_or(0.0);
        let metres = match self.unit() {
            Unit::Length { metres } => metres,
            Unit::Degree | Unit::Unknown => 1.0,
        };
        let mut text = format!(
            "+proj={method} {ellipsoid} +to_meter={metres} +lat_0={latitude} +lon_0={} +x_0={} +y_0={} +k_0={}",
            first(&LONGITUDE).unwrap_or(0.0),
            first(&EASTING).unwrap_or(0.0) * metres,
            first(&NORTHING).unwrap_or(0.0) * metres,
            first(&SCALE).unwrap_or(1.0),
        );
        match PARALLELS.map(|key| self.double(key)) {
            [Some(one), Some(other)] => text += &format!(" +lat_1={one} +lat_2={other}"),
            [Some(one), None] => text += &format!(" +lat_1={one} +lat_ts={one}"),
            // One parallel that is the origin's own.
            _ if method == "lcc" => text += &format!(" +lat_1={latitude}"),
            _ => (),
        }
        Some(text)
    }
}
