//! Reading a GeoJSON file.

use super::{Point, Shape, Shapes};
use crate::MapError;
use geojson::{Feature, GeoJson, Geometry, GeometryValue, JsonObject, Position};
use std::path::Path;

/// Code of longitude and latitude on WGS 84, which GeoJSON names `CRS84` with longitudes first.
pub(super) const DEGREES: u16 = 4326;

/// Greatest coordinate, in units of a map.
const MAX_COORDINATE: f64 = 1e12;

/// Reads the points, lines and polygons of a GeoJSON file: features and geometries of all types.
///
/// The member `crs` of GeoJSON 2008 names the coordinate system, if it is there. RFC 7946 has longitude and latitude
/// alone; [`Shapes::place`] tells both from coordinates of the map.
///
/// # Errors
/// [`MapError::Read`] if the file cannot be read; [`MapError::Shapes`] if it is no GeoJSON, has no shapes, or one
/// without enough points.
pub fn read(file: &Path) -> Result<Shapes, MapError> {
    let text = imminent_common::input::text(file)?;
    let (shapes, epsg) = parse(&text).map_err(|fault| MapError::Shapes { file: file.to_owned(), fault })?;
    Ok(Shapes { file: file.to_owned(), shapes, epsg })
}

fn parse(text: &str) -> Result<(Vec<Shape>, Option<u16>), String> {
    let document: GeoJson = text.parse().map_err(|error| format!("is no GeoJSON ({error})"))?;
    let mut shapes = Vec::new();
    let members = match &document {
        GeoJson::Geometry(geometry) => {
            gather(&geometry.value, &mut shapes)?;
            &geometry.foreign_members
        }
        GeoJson::Feature(feature) => {
            gather_all(std::slice::from_ref(feature), &mut shapes)?;
            &feature.foreign_members
        }
        GeoJson::FeatureCollection(collection) => {
            gather_all(&collection.features, &mut shapes)?;
            &collection.foreign_members
        }
    };
    if shapes.is_empty() {
        return Err("has no shapes".to_owned());
    }
    Ok((shapes, members.as_ref().map(system).transpose()?.flatten()))
}

/// Returns the code of the coordinate system that the member `crs` names.
fn system(members: &JsonObject) -> Result<Option<u16>, String> {
    let Some(crs) = members.get("crs").filter(|crs| !crs.is_null()) else { return Ok(None) };
    let name = crs.pointer("/properties/name").and_then(|name| name.as_str()).unwrap_or_default();
    let code = match name.rsplit(':').next() {
        Some("CRS84") => Some(DEGREES),
        Some(code) if name.to_ascii_uppercase().contains("EPSG") => code.parse().ok(),
        _ => None,
    };
    code.map(Some).ok_or_else(|| format!("names the coordinate system `{name}`, which is no code of EPSG"))
}

fn gather_all(features: &[Feature], shapes: &mut Vec<Shape>) -> Result<(), String> {
    let mut geometries = features.iter().filter_map(|feature| feature.geometry.as_ref());
    geometries.try_for_each(|geometry: &Geometry| gather(&geometry.value, shapes))
}

fn gather(geometry: &GeometryValue, shapes: &mut Vec<Shape>) -> Result<(), String> {
    match geometry {
        GeometryValue::Point { coordinates } => shapes.push(Shape::Point(point(coordinates)?)),
        GeometryValue::MultiPoint { coordinates } => {
            for position in coordinates {
                shapes.push(Shape::Point(point(position)?));
            }
        }
        GeometryValue::LineString { coordinates } => shapes.push(line(coordinates)?),
        GeometryValue::MultiLineString { coordinates } => {
            for positions in coordinates {
                shapes.push(line(positions)?);
            }
        }
        GeometryValue::Polygon { coordinates } => shapes.extend(polygon(coordinates)?),
        GeometryValue::MultiPolygon { coordinates } => {
            for rings in coordinates {
                shapes.extend(polygon(rings)?);
            }
        }
        GeometryValue::GeometryCollection { geometries } => {
            geometries.iter().try_for_each(|geometry| gather(&geometry.value, shapes))?;
        }
    }
    Ok(())
}

fn line(positions: &[Position]) -> Result<Shape, String> {
    let points = points(positions)?;
    if points.len() < 2 { Err("has a line of fewer than two points".to_owned()) } else { Ok(Shape::Line(points)) }
}

/// Returns a polygon; `None` of one without rings, which is empty.
fn polygon(rings: &[Vec<Position>]) -> Result<Option<Shape>, String> {
    let rings: Vec<_> = rings.iter().map(|ring| points(ring)).collect::<Result<_, _>>()?;
    if rings.iter().any(|ring| ring.len() < 3) {
        return Err("has a polygon with a ring of fewer than three points".to_owned());
    }
    Ok((!rings.is_empty()).then_some(Shape::Polygon(rings)))
}

fn points(positions: &[Position]) -> Result<Vec<Point>, String> {
    positions.iter().map(point).collect()
}

fn point(position: &Position) -> Result<Point, String> {
    match position.as_slice() {
        [x, y, ..] if x.abs().max(y.abs()) <= MAX_COORDINATE => Ok((*x, *y)),
        [x, y, ..] => Err(format!("has a point {x}, {y}, which is beyond {MAX_COORDINATE:e}")),
        _ => Err("has a point without two coordinates".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn all_types_of_geometries_are_read() {
        let collection = r#"{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1.5,2]}},
            {"type":"Feature","properties":null,"geometry":{"type":"MultiPoint","coordinates":[[3,4,100]]}},
            {"type":"Feature","properties":null,"geometry":null},
            {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[
                {"type":"LineString","coordinates":[[7,8],[9,9]]},
                {"type":"MultiPolygon","coordinates":[[[[0,0],[4,0],[4,4],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],[[[5,5],[6,5],[6,6]]]]}]}}]}"#;
        let polygon = |rings: &[&[Point]]| Shape::Polygon(rings.iter().map(|ring| ring.to_vec()).collect());
        let expected = vec![
            Shape::Point((1.5, 2.0)),
            Shape::Point((3.0, 4.0)),
            Shape::Line(vec![(7.0, 8.0), (9.0, 9.0)]),
            polygon(&[&[(0., 0.), (4., 0.), (4., 4.), (0., 0.)], &[(1., 1.), (2., 1.), (2., 2.), (1., 1.)]]),
            polygon(&[&[(5., 5.), (6., 5.), (6., 6.)]]),
        ];
        assert_eq!(parse(collection), Ok((expected, None)));
        let lines = r#"{"type":"MultiLineString","coordinates":[[[0,0],[1,1]],[[2,2],[3,3]]]}"#;
        assert_eq!(parse(lines).unwrap().0.len(), 2);
    }

    #[test]
    fn the_coordinate_system_is_a_code() {
        let with = |crs: &str| parse(&format!(r#"{{"type":"Point","coordinates":[7,8],"crs":{crs}}}"#));
        let named = |name: &str| with(&format!(r#"{{"type":"name","properties":{{"name":"{name}"}}}}"#));
        let code = |found: Result<(Vec<Shape>, Option<u16>), String>| found.map(|(_, code)| code);
        assert_eq!(code(named("urn:ogc:def:crs:EPSG::5070")), Ok(Some(5070)));
        assert_eq!(code(named("EPSG:26910")), Ok(Some(26_910)));
        assert_eq!(code(named("urn:ogc:def:crs:OGC:1.3:CRS84")), Ok(Some(DEGREES)));
        assert_eq!(code(with("null")), Ok(None));
        assert!(named("local").unwrap_err().contains("`local`, which is no code of EPSG"));
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        let fault = |text: &str| parse(text).unwrap_err();
        assert_eq!(fault(r#"{"type":"FeatureCollection","features":[]}"#), "has no shapes");
        assert_eq!(fault(r#"{"type":"Polygon","coordinates":[]}"#), "has no shapes");
        assert!(fault(r#"{"type":"LineString","coordinates":[[7,8]]}"#).contains("fewer than two"));
        assert!(fault(r#"{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}"#).contains("fewer than three"));
        assert!(fault(r#"{"type":"Point","coordinates":[7]}"#).starts_with("is no GeoJSON"));
        assert!(fault(r#"{"type":"Point","coordinates":[7,1e13]}"#).contains("beyond 1e12"));
        assert!(fault("<kml/>").starts_with("is no GeoJSON"));
    }
}
