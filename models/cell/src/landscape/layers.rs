//! Layers of a landscape and their checks.

use super::declination::{Declination, Turn};
use super::directions::{Directions, Offset};
use super::stand::Stand;
use super::weather::MAX_MOISTURE;
use super::winds::{Winds, WindsError};
use super::{DIRECTION_COUNT, DIRECTIONS, NEVER, wind};
use crate::rothermel::{FuelModel, FuelModels, LengthToWidth, Moisture, UNBURNABLE};
use crate::space::{Border, CellSpace, SpaceError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// Rasters of a landscape, row by row from the north-west corner. Each has `rows * columns` values.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Rows, from north to south.
    pub rows: u32,
    /// Columns, from west to east.
    pub columns: u32,
    /// Side of a cell, in metres.
    pub cell_size: f64,
    /// Numbers of the fuel models of Anderson, of Scott and Burgan, and custom ones. Numbers 90 to 99 do not burn; 0
    /// means no data and does not burn.
    pub fuel: Vec<u16>,
    /// Tangent of the slope.
    pub slope: Vec<f32>,
    /// Direction that the slope faces, downhill, in degrees clockwise from true north; negative where it is flat.
    pub aspect: Vec<f32>,
    /// Trees; without them there is no shelter from the wind and no crown fire.
    pub canopy: Option<Canopy>,
}

/// Rasters of the trees of a landscape.
#[derive(Clone, Debug, PartialEq)]
pub struct Canopy {
    /// Cover, a fraction.
    pub cover: Vec<f32>,
    /// Height of the trees, in metres.
    pub height: Vec<f32>,
    /// Height at which the crowns begin, in metres.
    pub base_height: Vec<f32>,
    /// Mass of fine fuel in the volume of the crowns, in kg/m3.
    pub bulk_density: Vec<f32>,
}

/// Reasons why layers make no landscape.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LandscapeError {
    /// The grid is empty or too large.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The side of a cell is no length.
    #[error("cells of {metres} m: give a cell size above 0 m and of at most 100000 m")]
    CellSize {
        /// Metres asked for.
        metres: f64,
    },
    /// Two layers have different numbers of cells.
    #[error(
        "layer `{layer}` has {found} cells, and layer `fuel` of {rows} rows and {columns} columns has {expected}: \
         give all layers of one grid"
    )]
    Size {
        /// Layer that differs.
        layer: &'static str,
        /// Cells that it has.
        found: usize,
        /// Rows of the landscape.
        rows: u32,
        /// Columns of the landscape.
        columns: u32,
        /// Cells of the landscape.
        expected: usize,
    },
    /// The layer of fuels does not fill the grid.
    #[error("layer `fuel` has {found} cells, {rows} rows and {columns} columns make {expected}")]
    Fuels {
        /// Cells that it has.
        found: usize,
        /// Rows of the landscape.
        rows: u32,
        /// Columns of the landscape.
        columns: u32,
        /// Cells of the landscape.
        expected: usize,
    },
    /// A fuel number is in no table.
    #[error(
        "row {row}, column {column} has fuel model {number}, which is in no table: \
         1 to 13 and 101 to 204 burn, 90 to 99 and 0 do not, and others have to be given"
    )]
    Fuel {
        /// Row of the cell.
        row: u32,
        /// Column of the cell.
        column: u32,
        /// Number of the fuel model.
        number: u16,
    },
    /// A value cannot be what its layer holds.
    #[error("row {row}, column {column} of layer `{layer}` is {value}: values are {least} to {most}")]
    Value {
        /// Layer of the value.
        layer: &'static str,
        /// Row of the cell.
        row: u32,
        /// Column of the cell.
        column: u32,
        /// Value of the cell.
        value: f32,
        /// Least value that can be.
        least: f32,
        /// Greatest value that can be.
        most: f32,
    },
    /// A moisture of a fuel model is impossible.
    #[error("fuel model {number} has a moisture of {value} times its dry weight: values are 0 to {MAX_MOISTURE}")]
    FuelMoisture {
        /// Number of the fuel model.
        number: u16,
        /// The moisture.
        value: f64,
    },
    /// A barrier is outside the grid.
    #[error("barrier {row},{column} is outside the grid of {rows} rows and {columns} columns: both count from 0")]
    Barrier {
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
        /// Rows of the landscape.
        rows: u32,
        /// Columns of the landscape.
        columns: u32,
    },
}

/// Terrain of a cell, prepared for many weathers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Site {
    /// Number of the fuel model.
    pub fuel: u16,
    /// Tangent of the slope; 0 where it is flat.
    pub slope: f64,
    /// Unit vector uphill, northward and eastward; north is true north.
    pub uphill: [f64; 2],
    /// Ratio of the wind at midflame height to that at 20 ft.
    pub wind_factor: f64,
    /// Trees, where there are any.
    pub stand: Option<Stand>,
}

impl Site {
    /// Prepares a cell with a published fuel model. `None` if its fuel does not burn or is in no table.
    ///
    /// Units are those of [`Layers`]. A slope with a negative aspect counts as flat.
    #[must_use]
    pub fn new(fuel: u16, slope: f32, aspect: f32, stand: Option<Stand>) -> Option<Site> {
        FuelModel::by_number(fuel).map(|model| Site::of(model, slope, aspect, stand))
    }

    /// Prepares a cell with a fuel model.
    ///
    /// Units are those of [`Layers`]. A slope with a negative aspect counts as flat.
    #[must_use]
    pub fn of(model: &FuelModel, slope: f32, aspect: f32, stand: Option<Stand>) -> Site {
        let slope = if aspect < 0.0 { 0.0 } else { f64::from(slope) };
        let radians = f64::from(aspect).to_radians();
        let uphill = if slope > 0.0 { [-libm::cos(radians), -libm::sin(radians)] } else { [0.0, 0.0] };
        let stand = stand.filter(|stand| stand.cover > 0.0 && stand.height > 0.0);
        Site { fuel: model.number, slope, uphill, wind_factor: wind::factor(model, stand.as_ref()), stand }
    }
}

/// Rule for fire between two cells that touch at a corner, where neither of the two cells beside both can burn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Corners {
    /// Fire does not pass: a barrier of one cell's width is tight.
    #[default]
    Closed,
    /// Fire passes.
    Open,
}

/// Terrain and vegetation on which fires burn.
#[derive(Clone, Debug, PartialEq)]
pub struct Landscape {
    layers: Layers,
    sites: Vec<Option<Site>>,
    corners: Corners,
    directions: Directions,
    length_to_width: LengthToWidth,
    declination: Declination,
    fuel_models: FuelModels,
    fuel_moistures: BTreeMap<u16, Moisture>,
    winds: Option<Winds>,
}

impl Landscape {
    /// Checks layers with published fuel models and prepares them. Values of cells that do not burn are not looked at.
    ///
    /// # Errors
    /// [`LandscapeError`].
    pub fn new(layers: Layers) -> Result<Self, LandscapeError> {
        Self::with_fuel_models(layers, FuelModels::default())
    }

    /// Checks layers and prepares them. Values of cells that do not burn are not looked at.
    ///
    /// # Errors
    /// [`LandscapeError`].
    pub fn with_fuel_models(layers: Layers, fuel_models: FuelModels) -> Result<Self, LandscapeError> {
        let (rows, columns) = (layers.rows, layers.columns);
        let cells = CellSpace::plane(rows, columns, Border::Open)?.cells();
        // Kernels number cells and their delays by 32 bits.
        if cells > (NEVER / 16) as usize {
            return Err(SpaceError::TooLarge(cells as u128).into());
        }
        if !(layers.cell_size > 0.0 && layers.cell_size <= 100_000.0) {
            return Err(LandscapeError::CellSize { metres: layers.cell_size });
        }
        if layers.fuel.len() != cells {
            return Err(LandscapeError::Fuels { found: layers.fuel.len(), rows, columns, expected: cells });
        }
        for (layer, values, least, most) in ranges(&layers) {
            if values.len() != cells {
                return Err(LandscapeError::Size { layer, found: values.len(), rows, columns, expected: cells });
            }
            let bad = |(value, fuel): (&f32, &u16)| burns(*fuel) && !(least..=most).contains(value);
            if let Some(at) = values.iter().zip(&layers.fuel).position(bad) {
                let (row, column) = place(at, columns);
                let value = values.get(at).copied().unwrap_or(0.0);
                return Err(LandscapeError::Value { layer, row, column, value, least, most });
            }
        }
        let unknown = |&number: &u16| burns(number) && fuel_models.get(number).is_none();
        if let Some(at) = layers.fuel.iter().position(unknown) {
            let (row, column) = place(at, columns);
            let number = layers.fuel.get(at).copied().unwrap_or(0);
            return Err(LandscapeError::Fuel { row, column, number });
        }
        let sites = imminent_common::parallel::map(cells, |at| site(&layers, &fuel_models, at));
        Ok(Landscape {
            layers,
            sites,
            corners: Corners::default(),
            directions: Directions::default(),
            length_to_width: LengthToWidth::default(),
            declination: Declination::default(),
            fuel_models,
            fuel_moistures: BTreeMap::new(),
            winds: None,
        })
    }

    /// Makes cells unburnable, by row and column, as roads, trenches and wet lines are.
    ///
    /// # Errors
    /// [`LandscapeError::Barrier`].
    pub fn with_barriers(mut self, cells: &[(u32, u32)]) -> Result<Self, LandscapeError> {
        let (rows, columns) = (self.rows(), self.columns());
        for &(row, column) in cells {
            let outside = LandscapeError::Barrier { row, column, rows, columns };
            let at = self.cell(row, column).ok_or(outside)?;
            if let Some(site) = self.sites.get_mut(at) {
                *site = None;
            }
        }
        Ok(self)
    }

    /// Opens or closes the corners between unburnable cells; they are closed unless this opens them.
    #[must_use]
    pub fn with_corners(mut self, corners: Corners) -> Self {
        self.corners = corners;
        self
    }

    /// Chooses the directions in which fire travels; they are adaptive unless this changes them.
    #[must_use]
    pub fn with_directions(mut self, directions: Directions) -> Self {
        self.directions = directions;
        self
    }

    /// Chooses the formula for the ratio of length to width of a fire; it is fireLib's unless this changes it.
    #[must_use]
    pub fn with_length_to_width(mut self, formula: LengthToWidth) -> Self {
        self.length_to_width = formula;
        self
    }

    /// Turns the grid against true north, to which aspects and winds refer; the two agree unless this turns it.
    #[must_use]
    pub fn with_declination(mut self, declination: Declination) -> Self {
        self.declination = declination;
        self
    }

    /// Gives fuel models moistures of their own, by number, in place of those of the weather. Crown fire above such a
    /// fuel has its moistures too.
    ///
    /// # Errors
    /// [`LandscapeError::FuelMoisture`] if one is not between 0 and 10 times the dry weight.
    pub fn with_fuel_moistures(mut self, moistures: BTreeMap<u16, Moisture>) -> Result<Self, LandscapeError> {
        for (&number, Moisture(values)) in &moistures {
            if let Some(&value) = values.iter().find(|value| !(0.0..=MAX_MOISTURE).contains(*value)) {
                return Err(LandscapeError::FuelMoisture { number, value });
            }
        }
        self.fuel_moistures = moistures;
        Ok(self)
    }

    /// Prepares winds of the cells, to which [hours](Winds::with_hour) are added. `cell_of` has for each cell the
    /// number of the cell of rasters whose wind it has, of `cells`; a cell that does not burn needs none.
    ///
    /// # Errors
    /// [`WindsError::Cells`]. A cell that burns and has no place is told with the first hour.
    pub fn winds_of(&self, cells: u32, cell_of: &[Option<u32>]) -> Result<Winds, WindsError> {
        if cell_of.len() != self.cells() {
            return Err(WindsError::Cells { found: cell_of.len(), expected: self.cells() });
        }
        Ok(Winds::new(cells, cell_of, self.columns(), |cell| self.site(cell).is_some()))
    }

    /// Gives the cells winds of their own by the hour, in place of those of all weathers.
    ///
    /// # Errors
    /// [`WindsError::Empty`], [`WindsError::Cells`].
    pub fn with_winds(mut self, winds: Winds) -> Result<Self, WindsError> {
        if winds.cells() != self.cells() {
            return Err(WindsError::Cells { found: winds.cells(), expected: self.cells() });
        }
        winds.hours().next().ok_or(WindsError::Empty)?;
        self.winds = Some(winds);
        Ok(self)
    }

    /// Returns the winds of the cells, which take the place of those of the weather.
    #[must_use]
    pub const fn winds(&self) -> Option<&Winds> {
        self.winds.as_ref()
    }

    /// Returns the fuel models that cells may have.
    #[must_use]
    pub const fn fuel_models(&self) -> &FuelModels {
        &self.fuel_models
    }

    /// Returns the moisture that a fuel model has in place of that of the weather.
    #[must_use]
    pub fn fuel_moisture(&self, number: u16) -> Option<Moisture> {
        self.fuel_moistures.get(&number).copied()
    }

    /// Returns the rule for corners between unburnable cells.
    #[must_use]
    pub const fn corners(&self) -> Corners {
        self.corners
    }

    /// Returns the directions in which fire travels.
    #[must_use]
    pub const fn directions(&self) -> Directions {
        self.directions
    }

    /// Returns the formula for the ratio of length to width of a fire.
    #[must_use]
    pub const fn length_to_width(&self) -> LengthToWidth {
        self.length_to_width
    }

    /// Returns the declination of the grid.
    #[must_use]
    pub const fn declination(&self) -> &Declination {
        &self.declination
    }

    /// Returns the unit vectors, northward and eastward from true north, of [`DIRECTIONS`] at a cell.
    #[must_use]
    pub fn azimuths(&self, cell: usize) -> [[f64; 2]; DIRECTION_COUNT] {
        let turn = self.turn(cell);
        DIRECTIONS.map(|direction| turn.of(direction.toward))
    }

    /// Returns the turn from the north of the grid to true north at a cell.
    pub(super) fn turn(&self, cell: usize) -> Turn {
        let (row, column) = place(cell, self.columns());
        let along = |at: u32, all: u32| (f64::from(at) + 0.5) / f64::from(all.max(1));
        self.declination.turn(along(row, self.rows()), along(column, self.columns()))
    }

    /// Returns whether fire that travels in a direction can reach a cell from the neighbour there: through a side, or a
    /// corner that unburnable cells do not close.
    #[must_use]
    pub fn lets_pass(&self, cell: usize, direction: usize) -> bool {
        let Some(way) = DIRECTIONS.get(direction).filter(|way| way.row != 0 && way.column != 0) else { return true };
        let (row, column) = place(cell, self.columns());
        let burns = |row, column| self.cell(row, column).is_some_and(|cell| self.site(cell).is_some());
        self.corners == Corners::Open
            || burns(row.wrapping_add_signed(-way.row), column)
            || burns(row, column.wrapping_add_signed(-way.column))
    }

    /// Returns the number of rows, from north to south.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.layers.rows
    }

    /// Returns the number of columns, from west to east.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.layers.columns
    }

    /// Returns the side of a cell, in metres.
    #[must_use]
    pub const fn cell_size(&self) -> f64 {
        self.layers.cell_size
    }

    /// Layers as they were given, barriers aside.
    #[must_use]
    pub const fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.sites.len()
    }

    /// Returns the number of a cell, row by row; `None` outside the grid.
    #[must_use]
    pub fn cell(&self, row: u32, column: u32) -> Option<usize> {
        let inside = row < self.rows() && column < self.columns();
        inside.then(|| row as usize * self.columns() as usize + column as usize)
    }

    /// Returns the row and column of a cell.
    #[inline]
    pub(super) fn place(&self, cell: usize) -> (u32, u32) {
        place(cell, self.columns())
    }

    /// Returns the number of the cell at an offset from a place; `None` outside the grid.
    #[inline]
    pub(super) fn after(&self, (row, column): (u32, u32), offset: Offset) -> Option<usize> {
        // A step beyond the first row or column wraps to a large number, which is outside too.
        self.cell(row.wrapping_add_signed(offset.row), column.wrapping_add_signed(offset.column))
    }

    /// Returns whether all cells at most some rows and columns from a place are in the grid.
    #[inline]
    pub(super) fn is_amid(&self, (row, column): (u32, u32), distance: u32) -> bool {
        let along = |at: u32, all: u32| at >= distance && at + distance < all;
        along(row, self.rows()) && along(column, self.columns())
    }

    /// Returns the terrain of a cell by its number; `None` where nothing burns.
    #[must_use]
    pub fn site(&self, cell: usize) -> Option<&Site> {
        self.sites.get(cell)?.as_ref()
    }

    /// Returns the number of cells that can burn.
    #[must_use]
    pub fn burnable(&self) -> usize {
        self.sites.iter().flatten().count()
    }
}

fn burns(fuel: u16) -> bool {
    fuel != 0 && !UNBURNABLE.contains(&fuel)
}

fn place(at: usize, columns: u32) -> (u32, u32) {
    let columns = columns as usize;
    (at.checked_div(columns).unwrap_or(0) as u32, at.checked_rem(columns).unwrap_or(0) as u32)
}

/// Returns the names, values, and least and greatest values of the layers of reals.
fn ranges(layers: &Layers) -> Vec<(&'static str, &[f32], f32, f32)> {
    let mut ranges: Vec<(&'static str, &[f32], f32, f32)> =
        vec![("slope", &layers.slope, 0.0, 100.0), ("aspect", &layers.aspect, -9999.0, 360.0)];
    if let Some(canopy) = &layers.canopy {
        ranges.push(("canopy cover", &canopy.cover, 0.0, 1.0));
        ranges.push(("canopy height", &canopy.height, 0.0, 200.0));
        ranges.push(("canopy base height", &canopy.base_height, 0.0, 200.0));
        ranges.push(("canopy bulk density", &canopy.bulk_density, 0.0, 10.0));
    }
    ranges
}

fn site(layers: &Layers, fuel_models: &FuelModels, at: usize) -> Option<Site> {
    let value = |values: &[f32]| values.get(at).copied().map(f64::from);
    let stand = layers.canopy.as_ref().and_then(|canopy| {
        Some(Stand {
            cover: value(&canopy.cover)?,
            height: value(&canopy.height)?,
            base_height: value(&canopy.base_height)?,
            bulk_density: value(&canopy.bulk_density)?,
        })
    });
    let model = fuel_models.get(*layers.fuel.get(at)?)?;
    Some(Site::of(model, *layers.slope.get(at)?, *layers.aspect.get(at)?, stand))
}
