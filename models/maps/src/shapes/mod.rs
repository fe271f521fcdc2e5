//! Points, lines and polygons from a GeoJSON file, and the cells of a grid that they cover.

mod cells;
mod place;
mod read;

pub use place::{Barriers, Placed};
pub use read::read;

use std::path::PathBuf;

/// A point: x and y, or longitude and latitude.
pub type Point = (f64, f64);

/// A shape on a map.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A point.
    Point(Point),
    /// A line through points.
    Line(Vec<Point>),
    /// A polygon by its rings, of which those after the first are holes. A ring ends where it begins, whether it says
    /// so or not.
    Polygon(Vec<Vec<Point>>),
}

/// Shapes of a file, in its coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Shapes {
    /// The file.
    pub file: PathBuf,
    /// Shapes in the order of the file; several in one geometry are shapes of their own.
    pub shapes: Vec<Shape>,
    /// Code of the coordinate system in the EPSG's registry, if the file names one.
    pub epsg: Option<u16>,
}

impl Shape {
    /// Returns all points, those of holes included.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let lists: Vec<&[Point]> = match self {
            Shape::Point(point) => vec![std::slice::from_ref(point)],
            Shape::Line(points) => vec![points],
            Shape::Polygon(rings) => rings.iter().map(Vec::as_slice).collect(),
        };
        lists.into_iter().flatten().copied()
    }

    /// Converts all points; `None` if one has no image.
    #[must_use]
    pub fn map(&self, mut convert: impl FnMut(Point) -> Option<Point>) -> Option<Self> {
        let mut all = |points: &[Point]| points.iter().map(|&point| convert(point)).collect::<Option<Vec<_>>>();
        Some(match self {
            Shape::Point(point) => Shape::Point(convert(*point)?),
            Shape::Line(points) => Shape::Line(all(points)?),
            Shape::Polygon(rings) => Shape::Polygon(rings.iter().map(|ring| all(ring)).collect::<Option<_>>()?),
        })
    }

    /// Returns the name of the kind, for people.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Shape::Point(_) => "point",
            Shape::Line(_) => "line",
            Shape::Polygon(_) => "polygon",
        }
    }
}
