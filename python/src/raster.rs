//! Rasters, for Python.

use crate::arrays::{Array, interface};
use crate::errors::Trouble;
use crate::files;
use crate::typed::Dictionary;
use imminent::models::maps::isochrones::{self, geojson};
use imminent::models::maps::raster::GeoKeys;
use imminent::models::maps::{Georeference, Raster as Map, System, file};
use imminent::models::study::outcome::Grid;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Raster: values of cells, row by row from the north, with their place on a map. NumPy reads them where they lie.
#[pyclass(frozen, module = "imminent._native")]
#[derive(Debug)]
pub(crate) struct Raster {
    map: Map,
    /// Name under which models read the raster.
    path: PathBuf,
}

impl Raster {
    /// Makes a raster that models can read by its path.
    fn given(map: Map, name: &str) -> Self {
        let path = files::path(&format!("{name}.tif"));
        file::give(&path, map.clone());
        Self { map, path }
    }

    /// Makes the raster of a grid of results, whose north-western corner is at the origin.
    pub(crate) fn of_grid(grid: &Grid) -> Result<Self, Trouble> {
        let place = Georeference::square(0.0, f64::from(grid.rows) * grid.side, grid.side);
        let map = Map::new(grid.columns, grid.rows, grid.values.clone(), place);
        Ok(Self::given(map.map_err(Trouble::run)?, grid.name))
    }

    /// Decodes a file of results.
    pub(crate) fn of_file(name: &str, bytes: &[u8]) -> Result<Self, Trouble> {
        let map = file::decode(name.as_ref(), bytes).map_err(Trouble::run)?;
        Ok(Self::given(map, name.rsplit_once('.').map_or(name, |(stem, _)| stem)))
    }
}

impl Drop for Raster {
    fn drop(&mut self) {
        file::take_back(&self.path);
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
        Ok(Self::given(map, name))
    }

    /// Name that a configuration gives for a file, as long as this object is there.
    #[getter]
    fn path(&self) -> String {
        self.path.display().to_string()
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
