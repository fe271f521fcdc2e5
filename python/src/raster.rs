//! Rasters, for Python.

use crate::arrays::{Array, interface};
use crate::errors::Trouble;
use crate::typed::Dictionary;
use imminent::models::maps::isochrones::{self, geojson};
use imminent::models::maps::raster::GeoKeys;
use imminent::models::maps::{Georeference, Raster as Map, System, file};
use imminent::models::study::outcome::Grid;
use pyo3::prelude::*;

/// Keys of a GeoTIFF for its coordinate system: tags 34735, 34736 and 34737.
type Keys = (Vec<u16>, Vec<f64>, String);

/// Raster: values of cells, row by row from the north, with their place on a map. NumPy reads them where they lie.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct Raster {
    map: Map,
}

impl Raster {
    /// Makes the raster of a grid of results, whose north-western corner is at the origin.
    pub(crate) fn of_grid(grid: &Grid) -> Result<Self, Trouble> {
        let place = Georeference::square(0.0, f64::from(grid.rows) * grid.side, grid.side);
        let map = Map::new(grid.columns, grid.rows, grid.values.clone(), place);
        Ok(Self { map: map.map_err(Trouble::run)? })
    }

    /// Decodes a file of results.
    pub(crate) fn of_file(name: &str, bytes: &[u8]) -> Result<Self, Trouble> {
        Ok(Self { map: file::decode(name.as_ref(), bytes).map_err(Trouble::run)? })
    }

    pub(crate) fn map(&self) -> &Map {
        &self.map
    }
}

#[pymethods]
impl Raster {
    /// Copies an array. `transform` are the six numbers `a, b, c, d, e, f` of an affine transformation: a point in
    /// columns and rows is at `a column + b row + c`, `d column + e row + f` on the map.
    #[new]
    #[pyo3(signature = (values, name, transform, crs = None, code = None, no_data = None))]
    fn new(
        values: &Bound<'_, PyAny>,
        name: &str,
        transform: [f64; 6],
        crs: Option<String>,
        code: Option<u16>,
        no_data: Option<f64>,
    ) -> PyResult<Self> {
        let array = Array::of(values, name)?;
        let [rows, columns] = array.shape::<2>("rows and columns")?;
        let system = match (crs, code) {
            (Some(text), _) => System::Text(text),
            (None, Some(code)) => System::Keys(GeoKeys::of_epsg(code)),
            (None, None) => System::Unknown,
        };
        let place = place(name, transform, system)?;
        let is_gap = |value: f64| no_data.is_some_and(|gap| value == gap || (gap.is_nan() && value.is_nan()));
        let mut cells = array.values()?;
        for (cell, value) in cells.iter_mut().enumerate() {
            if is_gap(*value) {
                *value = f64::NAN;
            } else if !value.is_finite() {
                let (row, column) = (cell / columns.max(1), cell % columns.max(1));
                let problem = format!(
                    "is {value} at [{row}, {column}]: give numbers; nodata=float(\"nan\") says that NaN is a cell without \
                     data"
                );
                return Err(Trouble::of_key(name, problem).into());
            }
        }
        let size = |length: usize| u32::try_from(length).map_err(|_| Trouble::of_key(name, "is too large"));
        let map = Map::new(size(columns)?, size(rows)?, cells, place);
        let mut map = map.map_err(|error| Trouble::of_key(name, error))?;
        map.sample = array.sample();
        Ok(Self { map })
    }

    /// Number of rows and of columns.
    #[getter]
    fn shape(&self) -> (u32, u32) {
        (self.map.rows(), self.map.columns())
    }

    /// The six numbers of the affine transformation from columns and rows to the map.
    #[getter]
    fn transform(&self) -> [f64; 6] {
        let place = &self.map.place;
        [place.cell_width, 0.0, place.west, 0.0, -place.cell_height, place.north]
    }

    /// Coordinate system: `EPSG:N`, well-known text, or `None` if it is unknown.
    #[getter]
    fn crs(&self) -> Option<String> {
        let system = &self.map.place.system;
        match (system.epsg(), system) {
            (Some(code), _) => Some(format!("EPSG:{code}")),
            (None, System::Text(text)) => Some(text.clone()),
            (None, _) => None,
        }
    }

    /// Keys of a GeoTIFF for the coordinate system, if the raster has them.
    #[getter]
    fn keys(&self) -> Option<Keys> {
        match &self.map.place.system {
            System::Keys(keys) => Some((keys.directory.clone(), keys.doubles.clone(), keys.texts.clone())),
            _ => None,
        }
    }

    /// Values as an array of NumPy, which keeps the raster as long as it reads it; NaN where there is no data.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Dictionary<'py>> {
        let shape = [self.map.rows() as usize, self.map.columns() as usize];
        interface(py, &shape, "f8", self.map.values().as_ptr() as usize)
    }

    /// Lines of equal value, as the text of a GeoJSON file, whose property `hours` is the value.
    fn isochrones(&self, py: Python<'_>, times: Vec<f64>, blur: f64) -> PyResult<String> {
        let lines = py.detach(|| isochrones::isochrones(&self.map, &times, blur));
        let lines = lines.map_err(Trouble::run)?;
        Ok(geojson(&lines, &self.map.place))
    }

    /// Contents of a GeoTIFF file. A coordinate system in well-known text is written by its code, if it has one.
    fn geotiff(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        let mut map = self.map.clone();
        let code = map.place.system.epsg().and_then(|code| u16::try_from(code).ok());
        if let (System::Text(_), Some(code)) = (&map.place.system, code) {
            map.place.system = System::Keys(GeoKeys::of_epsg(code));
        }
        let bytes = py.detach(|| file::encode(&map, file::Format::GeoTiff));
        Ok(bytes.map_err(Trouble::run)?)
    }
}

/// Copies a raster of another extension module, whose class is not that of this one.
pub(crate) fn copied(raster: &Bound<'_, PyAny>) -> PyResult<Map> {
    let name = "raster";
    let keys: Option<Keys> = raster.getattr("keys")?.extract()?;
    let text: Option<String> = raster.getattr("crs")?.extract()?;
    let system = match (keys, text) {
        (Some((directory, doubles, texts)), _) => System::Keys(GeoKeys { directory, doubles, texts }),
        (None, Some(text)) => System::Text(text),
        (None, None) => System::Unknown,
    };
    let place = place(name, raster.getattr("transform")?.extract()?, system)?;
    let (rows, columns) = raster.getattr("shape")?.extract()?;
    let map = Map::new(columns, rows, Array::of(raster, name)?.values()?, place);
    Ok(map.map_err(|error| Trouble::of_key(name, error))?)
}

/// Returns the place of a grid.
fn place(name: &str, transform: [f64; 6], system: System) -> Result<Georeference, Trouble> {
    let [cell_width, b, west, d, e, north] = transform;
    if transform.iter().any(|number| !number.is_finite()) || b != 0.0 || d != 0.0 || cell_width <= 0.0 || e >= 0.0 {
        let problem = "has a transform that is not north-up: `a` is above 0, `e` below 0, `b` and `d` are 0; turn the \
                       array so that its first row is in the north";
        return Err(Trouble::of_key(name, problem));
    }
    Ok(Georeference { west, north, cell_width, cell_height: -e, system })
}
