//! Shapes on the grid of a raster: their coordinates, and the cells that they cover.

use super::cells::{Canvas, TooLong};
use super::read::DEGREES;
use super::{Point, Shape, Shapes};
use crate::raster::{System, Transform};
use crate::{MapError, Raster};

/// Shapes on the grid of a raster.
#[derive(Debug, Clone, PartialEq)]
pub struct Placed {
    /// Cells of the points, by row and column, in the order of the file.
    pub points: Vec<(u32, u32)>,
    /// Cells of lines and polygons, by row and column, from the north and west, each once.
    pub areas: Vec<(u32, u32)>,
    /// Number of lines and polygons of which a part lies outside of the raster.
    pub cut: usize,
    /// Says in which coordinates the file was read, if these are not the raster's.
    pub projected: Option<String>,
}

/// Barriers on the grid of a raster.
#[derive(Debug, Clone, PartialEq)]
pub struct Barriers {
    /// Cells that the shapes touch, by row and column, from the north and west, each once.
    pub cells: Vec<(u32, u32)>,
    /// Number of shapes outside of the raster.
    pub left_out: usize,
    /// Says in which coordinates the file was read, if these are not the raster's.
    pub projected: Option<String>,
}

/// Converts a shape from coordinates of a raster to columns and rows.
fn on_grid(shape: &Shape, raster: &Raster) -> Shape {
    let place = &raster.place;
    let convert = |(x, y): Point| Some(((x - place.west) / place.cell_width, (place.north - y) / place.cell_height));
    shape.map(convert).unwrap_or_else(|| shape.clone())
}

impl Shapes {
    /// Places the shapes on the grid of a raster.
    ///
    /// Coordinates are those of the system that the file names, or else of the map. If it names none and no point lies
    /// on the map, but all are possible longitudes and latitudes, they are these, on WGS 84. Points are projected one
    /// by one, so sides between them are straight on the map.
    ///
    /// A line covers all cells that it crosses. A polygon covers the cells whose middles are inside of it, outside of
    /// its holes, or the cells that its rings cross if there is no such middle.
    ///
    /// # Errors
    /// [`MapError::Unprojected`] if a system is unknown, or a point is beyond the reach of its projection;
    /// [`MapError::Outside`] names a shape of which no part lies on the raster; [`MapError::Shapes`] if lines and
    /// polygons cross too many cells.
    pub fn place(&self, raster: &Raster) -> Result<Placed, MapError> {
        let (shapes, projected) = self.projected(raster)?;
        let (right, bottom) = (f64::from(raster.columns()), f64::from(raster.rows()));
        let is_inside = |(x, y): Point| x >= 0.0 && y >= 0.0 && x <= right && y <= bottom;
        let mut canvas = Canvas::new(raster.rows(), raster.columns());
        let mut placed = Placed { points: vec![], areas: vec![], cut: 0, projected };
        for shape in &shapes {
            let outside = || self.outside(shape, raster);
            if let Shape::Point((x, y)) = shape {
                placed.points.push(raster.cell_at(*x, *y).ok_or_else(outside)?);
                continue;
            }
            let shape = on_grid(shape, raster);
            if !canvas.cover(&shape).map_err(|TooLong| self.too_long())? {
                return Err(outside());
            }
            placed.cut += usize::from(!shape.points().all(is_inside));
        }
        placed.areas = canvas.cells();
        Ok(placed)
    }

    /// Places the shapes on the grid of a raster, as barriers: each covers all cells that it touches. Cells along a
    /// line or ring touch at sides, so there is no way between them, not even through a corner.
    ///
    /// # Errors
    /// As for [`Self::place`], but shapes outside of the raster are left out, unless all are.
    pub fn barriers(&self, raster: &Raster) -> Result<Barriers, MapError> {
        let (shapes, projected) = self.projected(raster)?;
        let mut canvas = Canvas::new(raster.rows(), raster.columns());
        let mut left_out = 0;
        for shape in &shapes {
            let touches = canvas.block(&on_grid(shape, raster)).map_err(|TooLong| self.too_long())?;
            left_out += usize::from(!touches);
        }
        match shapes.first().filter(|_| left_out == shapes.len()) {
            Some(shape) => Err(self.outside(shape, raster)),
            None => Ok(Barriers { cells: canvas.cells(), left_out, projected }),
        }
    }

    /// Returns the error of a shape, in coordinates of a raster, of which no part lies on it.
    fn outside(&self, shape: &Shape, raster: &Raster) -> MapError {
        let place = &raster.place;
        let (right, bottom) = (f64::from(raster.columns()), f64::from(raster.rows()));
        MapError::Outside {
            file: self.file.clone(),
            kind: shape.kind(),
            point: shape.points().next().unwrap_or_default(),
            west_south: place.point(0.0, bottom),
            east_north: place.point(right, 0.0),
            system: place.system.name(),
        }
    }

    /// Returns the shapes in coordinates of a raster, and says from which others they were projected.
    fn projected(&self, raster: &Raster) -> Result<(Vec<Shape>, Option<String>), MapError> {
        let system = &raster.place.system;
        let Some(from) = self.system(raster) else { return Ok((self.shapes.clone(), None)) };
        let name = if from == DEGREES { "longitude and latitude on WGS 84".to_owned() } else { format!("EPSG:{from}") };
        let fault = || MapError::Unprojected { file: self.file.clone(), from: name.clone(), to: system.name() };
        let transform = Transform::new(from, system).ok_or_else(fault)?;
        let shapes = self.shapes.iter().map(|shape| shape.map(|point| transform.apply(point)));
        let shapes = shapes.collect::<Option<_>>().ok_or_else(fault)?;
        Ok((shapes, Some(format!("{}: {name}, projected to {}", self.file.display(), system.name()))))
    }

    /// Returns the code of the coordinates if they are not those of a raster.
    fn system(&self, raster: &Raster) -> Option<u16> {
        let map = &raster.place.system;
        match self.epsg {
            Some(code) if map.epsg() == Some(code.into()) => None,
            // A map of an unknown system may have that of the file, if this has lengths.
            Some(code) if *map == System::Unknown && code != DEGREES => None,
            Some(code) => Some(code),
            None => {
                let mut points = self.shapes.iter().flat_map(Shape::points);
                let is_degrees = |(x, y): Point| x.abs() <= 180.0 && y.abs() <= 90.0;
                let on_map = |shape: &Shape| shape.points().any(|(x, y)| raster.cell_at(x, y).is_some());
                let is_elsewhere = points.all(is_degrees) && !self.shapes.iter().any(on_map);
                is_elsewhere.then_some(DEGREES)
            }
        }
    }

    fn too_long(&self) -> MapError {
        let fault = "has lines and polygons that cross too many cells".to_owned();
        MapError::Shapes { file: self.file.clone(), fault }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::raster::{GeoKeys, Georeference};

    /// A raster of 20 x 30 cells of 30 m in Vermont, whose north-western corner has 72.6 W and 44.4 N (PROJ 9.5.1).
    fn vermont(system: System) -> Raster {
        let place = Georeference { system, ..Georeference::square(1_840_313.08, 2_606_630.09, 30.0) };
        Raster::new(30, 20, vec![0.0; 600], place).unwrap()
    }

    fn albers() -> System {
        let directory = vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 5070];
        System::Keys(GeoKeys { directory, ..GeoKeys::default() })
    }

    fn shapes(epsg: Option<u16>, shapes: Vec<Shape>) -> Shapes {
        Shapes { file: "lines.geojson".into(), shapes, epsg }
    }

    #[test]
    fn longitudes_and_latitudes_are_projected() {
        // 356.2 m to the east and 48.3 m to the south of the corner (PROJ 9.5.1), as the north of the grid is turned.
        let east = (-72.6 + 0.0042, 44.4 - 0.0012);
        let inner = (-72.6 + 0.0001, 44.4 - 0.0001);
        for epsg in [None, Some(4326), Some(4269)] {
            let found = shapes(epsg, vec![Shape::Point(inner), Shape::Point(east)]).place(&vermont(albers())).unwrap();
            assert_eq!(found.points, [(0, 0), (1, 11)]);
            assert!(found.projected.unwrap().contains("projected to EPSG:5070"));
        }
        let line = shapes(None, vec![Shape::Line(vec![inner, east])]).place(&vermont(albers())).unwrap();
        assert!(line.areas.contains(&(0, 0)) && line.areas.contains(&(1, 11)) && line.cut == 0);
        // A map that does not say where it is.
        let error = shapes(None, vec![Shape::Point(inner)]).place(&vermont(System::Unknown)).unwrap_err().to_string();
        assert!(
            error.starts_with("lines.geojson: is in longitude and latitude") && error.contains("ogr2ogr"),
            "{error}"
        );
    }

    #[test]
    fn coordinates_of_the_map_stay() {
        let middle = (1_840_313.08 + 45.0, 2_606_630.09 - 75.0);
        for epsg in [None, Some(5070)] {
            let found = shapes(epsg, vec![Shape::Point(middle)]).place(&vermont(albers())).unwrap();
            assert_eq!((&found.points[..], &found.projected), (&[(2, 1)][..], &None));
        }
        let utm = shapes(Some(26_918), vec![Shape::Point(middle)]).place(&vermont(albers()));
        assert!(matches!(utm, Err(MapError::Outside { .. } | MapError::Unprojected { .. })), "{utm:?}");
        // A map near 0, 0 whose coordinates could be degrees.
        let near = Raster::new(9, 9, vec![0.0; 81], Georeference::square(0.0, 9.0, 1.0)).unwrap();
        assert_eq!(shapes(None, vec![Shape::Point((3.5, 8.5))]).place(&near).unwrap().points, [(0, 3)]);
    }

    #[test]
    fn what_lies_outside_is_cut_or_refused() {
        let (west, north) = (1_840_313.08, 2_606_630.09);
        let to = |east: f64, south: f64| (west + east, north - south);
        let half = Shape::Polygon(vec![vec![to(-90.0, -90.0), to(90.0, -90.0), to(90.0, 60.0), to(-90.0, 60.0)]]);
        let found = shapes(None, vec![half]).place(&vermont(albers())).unwrap();
        assert_eq!((found.areas.len(), found.cut), (6, 1));
        let far = Shape::Line(vec![to(-90.0, 0.0), to(-90.0, 60.0)]);
        let error = shapes(None, vec![far]).place(&vermont(albers())).unwrap_err().to_string();
        assert!(error.contains("line") && error.contains("outside of the map"), "{error}");
    }
}
