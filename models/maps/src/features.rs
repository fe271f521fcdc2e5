//! GeoJSON files of results, in coordinates of the map.
//!
//! A coordinate system with an EPSG code is named in a member `crs`, which GDAL and QGIS read; RFC 7946 has longitude
//! and latitude alone.

use crate::raster::{Georeference, System, Unit};
use geojson::{Feature, FeatureCollection, GeoJson, Geometry, JsonObject, JsonValue};

/// Returns a point of the grid, in columns from the west and rows from the north, in coordinates of the map, rounded to
/// a thousandth of the unit, or to 1e-7 degrees.
pub(crate) fn point(place: &Georeference, (column, row): (f64, f64)) -> [f64; 2] {
    let scale = if place.system.unit() == Unit::Degree { 1e7 } else { 1e3 };
    let (x, y) = place.point(column, row);
    [x, y].map(|coordinate| (coordinate * scale).round() / scale)
}

/// Returns a feature with numbers as properties.
pub(crate) fn feature(geometry: Geometry, properties: &[(&str, f64)]) -> Feature {
    let properties = properties.iter().map(|&(name, value)| (name.to_owned(), JsonValue::from(value)));
    let properties = Some(JsonObject::from_iter(properties));
    Feature { bbox: None, geometry: Some(geometry), id: None, properties, foreign_members: None }
}

/// Returns the text of a file of features.
pub(crate) fn collection(features: Vec<Feature>, place: &Georeference) -> String {
    GeoJson::FeatureCollection(FeatureCollection { bbox: None, features, foreign_members: crs(&place.system) })
        .to_string()
}

fn crs(system: &System) -> Option<JsonObject> {
    let name = format!("urn:ogc:def:crs:EPSG::{}", system.epsg()?);
    let member = serde_json::json!({ "type": "name", "properties": { "name": name } });
    Some(JsonObject::from_iter([("crs".to_owned(), member)]))
}
