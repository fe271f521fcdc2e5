//! Coordinate systems, kept as they were found.

use super::keys::GeoKeys;
use super::unit::Unit;

/// Coordinate system of a map, as its file has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum System {
    /// Unknown.
    #[default]
    Unknown,
    /// Keys of a GeoTIFF.
    Keys(GeoKeys),
    /// Well-known text of a `.prj` file.
    Text(String),
}

impl System {
    /// Returns the code of the coordinate system in the EPSG's registry, if it has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u32> {
        match self {
            System::Unknown => None,
            System::Keys(keys) => keys.epsg(),
            System::Text(text) => code(text),
        }
    }

    /// Returns the unit of coordinates.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self {
            System::Unknown => Unit::Unknown,
            System::Keys(keys) => keys.unit(),
            System::Text(text) => unit(text),
        }
    }

    /// Returns a name for people: that of the file, with the EPSG's code if there is one.
    #[must_use]
    pub fn name(&self) -> String {
        let name = match self {
            System::Unknown => return "an unknown coordinate system".to_owned(),
            System::Keys(keys) => keys.citation(),
            System::Text(text) => text.split('"').nth(1).map(str::to_owned),
        };
        match (name, self.epsg()) {
            (Some(name), Some(code)) => format!("{name} (EPSG:{code})"),
            (Some(name), None) => name,
            (None, Some(code)) => format!("EPSG:{code}"),
            (None, None) => "a coordinate system without a name".to_owned(),
        }
    }

    /// Returns the names of both systems if they are known to differ.
    pub(super) fn conflict(&self, other: &System) -> Option<(String, String)> {
        let same = match (self, other, self.epsg(), other.epsg()) {
            (System::Unknown, ..) | (_, System::Unknown, ..) => true,
            (.., Some(a), Some(b)) => a == b,
            (System::Keys(a), System::Keys(b), ..) => a == b,
            (System::Text(a), System::Text(b), ..) => a.split_whitespace().eq(b.split_whitespace()),
            // Keys and text without a common code cannot be compared.
            (System::Keys(_), System::Text(_), ..) | (System::Text(_), System::Keys(_), ..) => true,
        };
        (!same).then(|| (self.name(), other.name()))
    }
}

/// Finds the code of the whole system in well-known text, whose authority comes last.
fn code(text: &str) -> Option<u32> {
    let trimmed = text.trim_end().trim_end_matches(']');
    let (before, last) = trimmed.rsplit_once(',')?;
    let authority = before.trim_end().to_ascii_uppercase();
    let is_epsg = authority.ends_with("AUTHORITY[\"EPSG\"") || authority.ends_with("ID[\"EPSG\"");
    // Behind `UNIT[...]` and the like, a code would be that of a part.
    let closing = text.trim_end().len() - trimmed.len();
    if is_epsg && closing == 2 { last.trim().trim_matches('"').parse().ok() } else { None }
}

/// Finds the unit in well-known text: that of the projection comes last.
fn unit(text: &str) -> Unit {
    let upper = text.to_ascii_uppercase();
    if upper.starts_with("GEOGCS") || upper.starts_with("GEOGCRS") {
        return Unit::Degree;
    }
    let last = ["LENGTHUNIT[", "UNIT["].iter().filter_map(|word| Some(upper.rfind(word)? + word.len())).max();
    let factor = last.and_then(|at| upper.get(at..)?.split([',', ']']).nth(1)?.trim().parse().ok());
    factor.map_or(Unit::Unknown, |metres| Unit::Length { metres })
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTM: &str = r#"PROJCS["NAD83 / UTM zone 13N",GEOGCS["NAD83",DATUM["North_American_Datum_1983",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AUTHORITY["EPSG","26913"]]"#;

    #[test]
    fn well_known_text_tells_name_code_and_unit() {
        let system = System::Text(UTM.to_owned());
        assert_eq!(system.name(), "NAD83 / UTM zone 13N (EPSG:26913)");
        assert_eq!(system.unit(), Unit::METRE);
        let without = System::Text(UTM.replace(",AUTHORITY[\"EPSG\",\"26913\"]", ""));
        assert_eq!((without.epsg(), without.unit()), (None, Unit::METRE), "the code of the unit is not the system's");
        assert_eq!(System::Text("GEOGCS[\"WGS 84\"]".to_owned()).unit(), Unit::Degree);
        let feet = System::Text("PROJCS[\"x\",UNIT[\"Foot_US\",0.3048006096012192]]".to_owned());
        assert_eq!(feet.unit(), Unit::Length { metres: 0.304_800_609_601_219_2 });
    }

    #[test]
    fn only_known_differences_are_conflicts() {
        let [a, b] = ["26913", "26914"].map(|code| System::Text(UTM.replace("26913", code)));
        assert!(a.conflict(&b).is_some() && a.conflict(&a).is_none());
        assert!(a.conflict(&System::Unknown).is_none());
    }
}
