//! Points from a GeoJSON file, in the coordinates of a map.

use crate::MapError;
use geojson::{GeoJson, GeometryValue, Position};
use std::path::Path;

/// Reads the points of a GeoJSON file: features or geometries of the types Point and MultiPoint.
///
/// # Errors
/// [`MapError::Read`] if the file cannot be read; [`MapError::Points`] if it is no GeoJSON, has no points, or has other
/// shapes.
pub fn read(file: &Path) -> Result<Vec<(f64, f64)>, MapError> {
    let text = imminent_common::input::text(file)?;
    parse(&text).map_err(|fault| MapError::Points { file: file.to_owned(), fault })
}

fn parse(text: &str) -> Result<Vec<(f64, f64)>, String> {
    let document: GeoJson = text.parse().map_err(|error| format!("is no GeoJSON ({error})"))?;
    let mut points = Vec::new();
    match document {
        GeoJson::Geometry(geometry) => gather(&geometry.value, &mut points)?,
        GeoJson::Feature(feature) => gather_all(&[feature], &mut points)?,
        GeoJson::FeatureCollection(collection) => gather_all(&collection.features, &mut points)?,
    }
    if points.is_empty() { Err("has no points".to_owned()) } else { Ok(points) }
}

fn gather_all(features: &[geojson::Feature], points: &mut Vec<(f64, f64)>) -> Result<(), String> {
    features
        .iter()
        .filter_map(|feature| feature.geometry.as_ref())
        .try_for_each(|geometry| gather(&geometry.value, points))
}

fn gather(geometry: &GeometryValue, points: &mut Vec<(f64, f64)>) -> Result<(), String> {
    match geometry {
        GeometryValue::Point { coordinates } => points.push(point(coordinates)?),
        GeometryValue::MultiPoint { coordinates } => {
            for position in coordinates {
                points.push(point(position)?);
            }
        }
        other => return Err(format!("has a {}, which is no point", other.type_name())),
    }
    Ok(())
}

fn point(position: &Position) -> Result<(f64, f64), String> {
    match position.as_slice() {
        [x, y, ..] => Ok((*x, *y)),
        _ => Err("has a point without two coordinates".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn points_and_multipoints_are_read_and_others_refused() {
        let two = r#"{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1.5,2]}},
            {"type":"Feature","properties":null,"geometry":{"type":"MultiPoint","coordinates":[[3,4,100]]}}]}"#;
        assert_eq!(parse(two), Ok(vec![(1.5, 2.0), (3.0, 4.0)]));
        assert_eq!(parse(r#"{"type":"Point","coordinates":[7,8]}"#), Ok(vec![(7.0, 8.0)]));
        let line = r#"{"type":"LineString","coordinates":[[7,8],[9,9]]}"#;
        assert_eq!(parse(line), Err("has a LineString, which is no point".to_owned()));
        assert_eq!(parse(r#"{"type":"FeatureCollection","features":[]}"#), Err("has no points".to_owned()));
        assert!(parse("<kml/>").is_err_and(|fault| fault.starts_with("is no GeoJSON")));
    }
}
