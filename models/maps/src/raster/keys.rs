//! Keys of a GeoTIFF for its coordinate system.

use super::unit::Unit;

/// Model type: 1 is projected, 2 longitude and latitude.
const MODEL_TYPE: u16 = 1024;
/// Raster type: 2 means that a value is that of a point.
const RASTER_TYPE: u16 = 1025;
const CITATION: u16 = 1026;
const GEOGRAPHIC: u16 = 2048;
const GEOGRAPHIC_CITATION: u16 = 2049;
const PROJECTED: u16 = 3072;
const PROJECTED_CITATION: u16 = 3073;
const LINEAR_UNIT: u16 = 3076;
const LINEAR_UNIT_SIZE: u16 = 3077;
/// Tag of texts that keys refer to.
const TEXTS: u16 = 34_737;
/// Tag of numbers that keys refer to.
const DOUBLES: u16 = 34_736;
/// Code that stands for "defined by the user".
pub(super) const USER: u16 = 32_767;

/// Coordinate system of a GeoTIFF, as its tags have it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GeoKeys {
    /// Tag 34735: four numbers of a header, then four for each key.
    pub directory: Vec<u16>,
    /// Tag 34736: numbers that keys refer to.
    pub doubles: Vec<f64>,
    /// Tag 34737: texts that keys refer to.
    pub texts: String,
}

impl GeoKeys {
    /// Makes the keys of a system by its code in the EPSG's registry: 4000 to 4999 are longitude and latitude, others
    /// are projected.
    #[must_use]
    pub fn of_epsg(code: u16) -> Self {
        let is_geographic = (4000..5000).contains(&code);
        let (model, key) = if is_geographic { (2, GEOGRAPHIC) } else { (1, PROJECTED) };
        let header = [1, 1, 0, 3];
        let entries = [[MODEL_TYPE, 0, 1, model], [RASTER_TYPE, 0, 1, 1], [key, 0, 1, code]];
        Self { directory: [header].iter().chain(&entries).flatten().copied().collect(), ..Self::default() }
    }

    /// Returns the location, count and value of a key.
    fn entry(&self, key: u16) -> Option<(u16, u16, u16)> {
        self.directory.chunks_exact(4).skip(1).find_map(|entry| match *entry {
            [id, location, count, value] if id == key => Some((location, count, value)),
            _ => None,
        })
    }

    pub(super) fn short(&self, key: u16) -> Option<u16> {
        self.entry(key).filter(|entry| entry.0 == 0).map(|entry| entry.2)
    }

    fn text(&self, key: u16) -> Option<String> {
        let (_, count, from) = self.entry(key).filter(|entry| entry.0 == TEXTS)?;
        let text = self.texts.get(usize::from(from)..usize::from(from) + usize::from(count))?;
        Some(text.trim_end_matches(['|', '\0']).to_owned())
    }

    pub(super) fn double(&self, key: u16) -> Option<f64> {
        let (_, _, from) = self.entry(key).filter(|entry| entry.0 == DOUBLES)?;
        self.doubles.get(usize::from(from)).copied()
    }

    /// Returns whether values are those of points, at which the grid's corner lies half a cell further in.
    #[must_use]
    pub fn is_of_points(&self) -> bool {
        self.short(RASTER_TYPE) == Some(2)
    }

    /// Returns the same keys for values of areas, which is how rasters are written.
    #[must_use]
    pub fn of_areas(&self) -> Self {
        let mut keys = self.clone();
        for entry in keys.directory.chunks_exact_mut(4).skip(1) {
            if let [RASTER_TYPE, 0, _, value] = entry {
                *value = 1;
            }
        }
        keys
    }

    /// Returns the code in the EPSG's registry, if the system has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u32> {
        let key = if self.short(MODEL_TYPE) == Some(2) { GEOGRAPHIC } else { PROJECTED };
        self.short(key).filter(|code| (1..USER).contains(code)).map(u32::from)
    }

    /// Returns the name that the file gives the system.
    #[must_use]
    pub fn citation(&self) -> Option<String> {
        [PROJECTED_CITATION, CITATION, GEOGRAPHIC_CITATION].into_iter().find_map(|key| self.text(key))
    }

    /// Returns the unit of coordinates.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match (self.short(MODEL_TYPE), self.short(LINEAR_UNIT)) {
            (Some(2), _) => Unit::Degree,
            (_, Some(9001)) => Unit::METRE,
            (_, Some(9002)) => Unit::Length { metres: 0.3048 },
            (_, Some(9003)) => Unit::Length { metres: 1200.0 / 3937.0 },
            (_, Some(USER)) => self.double(LINEAR_UNIT_SIZE).map_or(Unit::Unknown, |metres| Unit::Length { metres }),
            _ => Unit::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_kept() {
        let (projected, geographic) = (GeoKeys::of_epsg(32_633), GeoKeys::of_epsg(4326));
        assert_eq!((projected.epsg(), projected.unit()), (Some(32_633), Unit::Unknown));
        assert_eq!((geographic.epsg(), geographic.unit()), (Some(4326), Unit::Degree));
    }
}
