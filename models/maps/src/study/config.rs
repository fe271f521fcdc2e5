//! Configuration of fires.

use super::conditioning::Conditioning;
use super::wind::{WindHeight, WindNorth, WindUnits};
use crate::landscape::SlopeUnit;
use imminent_cell::Engine;
use imminent_cell::landscape::{Corners, Directions};
use imminent_cell::rothermel::LengthToWidth;
use imminent_cell::study::CellConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Declination that is left to the projection.
pub(super) const AUTO: &str = "auto";

/// Keys that name files of layers.
pub(super) const FILES: [&str; 8] =
    ["elevation", "fuel", "slope", "aspect", "cover", "canopy_height", "base_height", "bulk_density"];

/// Configuration of a run of fires. Names of files are empty for layers that are not given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct WildfireConfig {
    /// All layers in one file: a GeoTIFF with several bands, or a landscape file of FARSITE (`.lcp`).
    #[schemars(extend("format" = "path"))]
    pub layers: String,
    /// Elevation in metres, GeoTIFF or ESRI ASCII grid; without it and `layers` the landscape is synthetic.
    #[schemars(extend("format" = "path"))]
    pub elevation: String,
    /// Numbers of fuel models: 1 to 13, 101 to 204 and those of `fuel_models` burn, 90 to 99 do not.
    #[schemars(extend("format" = "path"))]
    pub fuel: String,
    /// Custom fuel models beside the published ones, a file of FARSITE and FlamMap (`.fmd`).
    #[schemars(extend("format" = "path"))]
    pub fuel_models: String,
    /// Slope; with `aspect`, or else from the elevation.
    #[schemars(extend("format" = "path"))]
    pub slope: String,
    /// Direction that a slope faces, in degrees clockwise from true north.
    #[schemars(extend("format" = "path"))]
    pub aspect: String,
    /// Unit of the slope; `auto` takes that of the file, or else percent, and degrees in `layers`.
    pub slope_units: SlopeUnit,
    /// Canopy cover in percent; with the three files below, or else there are no trees.
    #[schemars(extend("format" = "path"))]
    pub cover: String,
    /// Canopy height in tenths of a metre.
    #[schemars(extend("format" = "path"))]
    pub canopy_height: String,
    /// Height of the canopy's base in tenths of a metre.
    #[schemars(extend("format" = "path"))]
    pub base_height: String,
    /// Bulk density of the canopy in hundredths of kg/m3.
    #[schemars(extend("format" = "path"))]
    pub bulk_density: String,
    /// Barriers: cells that points, lines and polygons of a GeoJSON file touch never burn.
    #[schemars(extend("format" = "path"))]
    pub barriers: String,
    /// Degrees clockwise from true north, from which aspects and winds count, to the north of the grid, such as "14.1";
    /// "auto" takes them from the projection of the elevation.
    pub grid_declination: String,
    /// Fire through a corner between two cells that do not burn: none, or as between diagonal neighbours.
    pub corners: Corners,
    /// Directions in which fire travels: along segments in all directions, or to the eight neighbours as in Cell-DEVS.
    pub directions: Directions,
    /// Formula for the ratio of length to width of a fire, by the wind: of fireLib, BehavePlus or FARSITE.
    pub length_to_width: LengthToWidth,
    /// Rows of the synthetic landscape, of cells of 30 m.
    #[schemars(range(min = 1, max = 4096))]
    pub rows: u32,
    /// Columns of the synthetic landscape.
    #[schemars(range(min = 1, max = 4096))]
    pub columns: u32,
    /// Seed of the synthetic landscape.
    pub landscape: u64,
    /// Cell that is lit at the start, as row and column from 0 in the north-west.
    #[schemars(extend("unit" = "ROW,COLUMN"))]
    pub ignite: Vec<(u32, u32)>,
    /// Point that is lit at the start, in coordinates of the map.
    #[schemars(extend("unit" = "X,Y"))]
    pub ignite_at: Vec<(f64, f64)>,
    /// GeoJSON file with points, lines and polygons that are lit at the start, in coordinates of the map or in
    /// longitude and latitude.
    #[schemars(extend("format" = "path"))]
    pub ignite_file: String,
    /// Row of the cell that is lit, from 0 in the north; -1 to draw it.
    #[schemars(range(min = -1, max = 4_294_967_295_i64))]
    pub row: i64,
    /// Column of the cell that is lit, from 0 in the west; -1 to draw it.
    #[schemars(range(min = -1, max = 4_294_967_295_i64))]
    pub column: i64,
    /// Fires, each lit in a cell of its own draw; those of a study's run have one weather.
    #[schemars(range(min = 1))]
    pub fires: Option<u32>,
    /// GeoJSON file with points at which the arrival of each fire is told, in coordinates of the map or in longitude
    /// and latitude.
    #[schemars(extend("format" = "path"))]
    pub at: String,
    /// Shares of the fires of an ensemble by the length of their flames in each cell; takes two to three times as long
    /// on a host, and far longer on a device.
    pub flame_probabilities: bool,
    /// Hour of whose weather the behaviour of a fire's head is computed in every cell; no cell is lit then.
    #[schemars(range(min = 0.0, max = 1193.0), extend("unit" = "h"))]
    pub behaviour: Option<f64>,
    /// Simulated time of a fire.
    #[schemars(range(min = 0.0, max = 1193.0), extend("unit" = "h"))]
    pub horizon: f64,
    /// Weather over time: a CSV file with the columns hour, wind (m/s), from (degrees), 1h, 10h, 100h, herb, wood and,
    /// if known, foliar (percent), or a weather stream (`.wxs` of FlamMap and FARSITE, `.fw21` of NFDRS). With `fires`
    /// there may be several: each fire has one of them, all equally likely.
    #[schemars(extend("format" = "path"))]
    pub weather: Vec<String>,
    /// Date and time in a weather stream at which fires begin, such as "2017-08-04T13:00"; by default its first line.
    pub start: String,
    /// Moistures of dead fuel under a weather stream: constant, or by time lag from those below, which hold at its
    /// first line.
    pub conditioning: Conditioning,
    /// Weathers that are drawn; each fire has one of them, all equally likely. By default 50, or one for each fire if
    /// there are fewer.
    #[schemars(range(min = 1))]
    pub weathers: Option<u32>,
    /// Moistures by fuel model, a file of FARSITE and FlamMap (`.fms`), in place of those below and of `weather`.
    #[schemars(extend("format" = "path"))]
    pub fuel_moistures: String,
    /// Unit of the wind, those in a CSV file of `weather` and in `wind_speeds` included.
    pub wind_units: WindUnits,
    /// Height above the vegetation or ground at which the wind was measured.
    pub wind_height: WindHeight,
    /// Rasters of the wind's speed by the hour, in place of one wind: a GeoTIFF with a band for each hour, or one
    /// raster for each; with `wind_directions`. They may be coarser than the landscape.
    #[schemars(extend("format" = "path"))]
    pub wind_speeds: Vec<String>,
    /// Rasters of the direction from which the wind blows, in degrees, for the same hours as `wind_speeds`.
    #[schemars(extend("format" = "path"))]
    pub wind_directions: Vec<String>,
    /// Hours from one raster of `wind_speeds` to the next; the first is of the start.
    #[schemars(range(min = 0.001, max = 1000.0), extend("unit" = "h"))]
    pub wind_step: f64,
    /// Winds by the hour in an atmosphere file of FARSITE (`.atm`), as WindNinja writes them, in place of one wind. The
    /// rasters that it names are beside it.
    #[schemars(extend("format" = "path"))]
    pub wind_grids: String,
    /// North from which directions of winds in rasters count.
    pub wind_north: WindNorth,
    /// Wind, in m/s at 20 ft above the vegetation unless `wind_units` and `wind_height` say otherwise.
    #[schemars(range(min = 0.0, max = 400.0))]
    pub wind: f64,
    /// Wind is drawn uniformly within so much of `wind`, and not below 0.
    #[schemars(range(min = 0.0, max = 400.0))]
    pub wind_spread: f64,
    /// Direction from which the wind blows, clockwise from true north.
    #[schemars(range(min = -180.0, max = 540.0), extend("unit" = "degrees"))]
    pub wind_from: f64,
    /// The direction is drawn uniformly within so much of `wind_from`.
    #[schemars(range(min = 0.0, max = 180.0), extend("unit" = "degrees"))]
    pub wind_from_spread: f64,
    /// Moisture of dead fuel of 1 h, in percent of dry weight.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_1h: f64,
    /// Moisture of dead fuel of 10 h.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_10h: f64,
    /// Moisture of dead fuel of 100 h.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_100h: f64,
    /// Moistures of dead fuel are drawn uniformly within so much of these, together, and not below 0. Those of living
    /// fuel are drawn together too.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_spread: f64,
    /// In place of `moisture_spread`, for fuel of 1 h.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_1h_spread: Option<f64>,
    /// In place of `moisture_spread`, for fuel of 10 h.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_10h_spread: Option<f64>,
    /// In place of `moisture_spread`, for fuel of 100 h.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_100h_spread: Option<f64>,
    /// Moisture of live herbs.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_herb: f64,
    /// The moisture of live herbs is drawn uniformly within so much of it.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_herb_spread: f64,
    /// Moisture of live wood.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_wood: f64,
    /// The moisture of live wood is drawn uniformly within so much of it.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub moisture_wood_spread: f64,
    /// Moisture of the leaves or needles of trees.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub foliar: f64,
    /// The moisture of leaves is drawn uniformly within so much of it.
    #[schemars(range(min = 0.0, max = 1000.0), extend("unit" = "%"))]
    pub foliar_spread: f64,
    /// Size above which a fire counts as large.
    #[schemars(range(min = 0.0, max = 1e12), extend("unit" = "ha"))]
    pub large: f64,
    /// Seed of the cells and weathers that are drawn.
    pub seed: u64,
    /// Time advance; the result is the same.
    pub engine: Engine,
}

impl Default for WildfireConfig {
    fn default() -> Self {
        WildfireConfig {
            layers: String::new(),
            elevation: String::new(),
            fuel: String::new(),
            fuel_models: String::new(),
            slope: String::new(),
            aspect: String::new(),
            slope_units: SlopeUnit::Auto,
            cover: String::new(),
            canopy_height: String::new(),
            base_height: String::new(),
            bulk_density: String::new(),
            barriers: String::new(),
            grid_declination: AUTO.to_owned(),
            corners: Corners::default(),
            directions: Directions::default(),
            length_to_width: LengthToWidth::default(),
            rows: 100,
            columns: 100,
            landscape: 1,
            ignite: vec![],
            ignite_at: vec![],
            ignite_file: String::new(),
            row: -1,
            column: -1,
            fires: None,
            at: String::new(),
            flame_probabilities: false,
            behaviour: None,
            horizon: 24.0,
            weather: vec![],
            start: String::new(),
            conditioning: Conditioning::default(),
            weathers: None,
            fuel_moistures: String::new(),
            wind_units: WindUnits::default(),
            wind_height: WindHeight::default(),
            wind_speeds: vec![],
            wind_directions: vec![],
            wind_step: 1.0,
            wind_grids: String::new(),
            wind_north: WindNorth::default(),
            wind: 5.0,
            wind_spread: 0.0,
            wind_from: 270.0,
            wind_from_spread: 0.0,
            moisture_1h: 6.0,
            moisture_10h: 7.0,
            moisture_100h: 8.0,
            moisture_spread: 0.0,
            moisture_1h_spread: None,
            moisture_10h_spread: None,
            moisture_100h_spread: None,
            moisture_herb: 60.0,
            moisture_herb_spread: 0.0,
            moisture_wood: 90.0,
            moisture_wood_spread: 0.0,
            foliar: 100.0,
            foliar_spread: 0.0,
            large: 100.0,
            seed: 1,
            engine: Engine::Auto,
        }
    }
}

impl WildfireConfig {
    /// Returns whether the landscape is from files.
    pub(super) fn has_files(&self) -> bool {
        !(self.elevation.is_empty() && self.layers.is_empty())
    }

    /// Returns whether rasters have the wind.
    pub(super) fn has_winds(&self) -> bool {
        !(self.wind_grids.is_empty() && self.wind_speeds.is_empty() && self.wind_directions.is_empty())
    }

    /// Returns the last hour of which the weather has an effect.
    pub(super) fn last_hour(&self) -> f64 {
        self.behaviour.unwrap_or(self.horizon)
    }

    /// Returns keys of winds that have no effect, each with the reason.
    fn unused_winds(&self) -> Vec<(&'static str, &'static str)> {
        let with = |keys: &[&'static str], why| keys.iter().map(|key| (*key, why)).collect::<Vec<_>>();
        if !self.has_winds() {
            return with(&["wind_step", "wind_north"], "the wind has no rasters: give `wind_speeds` or `wind_grids`");
        }
        let mut unused = with(&["wind", "wind_spread", "wind_from", "wind_from_spread"], "rasters have the wind");
        if !self.wind_grids.is_empty() {
            unused.extend(with(&["wind_speeds", "wind_directions", "wind_step"], "`wind_grids` has them"));
        }
        unused
    }

    /// Returns keys that have no effect, each with the reason.
    pub(super) fn unused(&self) -> Vec<(&'static str, &'static str)> {
        let mut unused = self.unused_winds();
        if !self.layers.is_empty() {
            unused.extend(FILES.map(|key| (key, "`layers` has it")));
        } else if self.slope.is_empty() {
            unused.push(("slope_units", "there is no slope: give `slope` and `aspect`, or `layers`"));
        }
        if !self.has_files() {
            unused.push(("fuel_models", "the synthetic landscape has published fuel models"));
        } else {
            unused.extend(["rows", "columns", "landscape"].map(|key| (key, "the files have the landscape")));
            if self.cover.is_empty() && self.layers.is_empty() {
                unused.extend(["foliar", "foliar_spread"].map(|key| (key, "there are no trees without `cover`")));
            }
        }
        unused
    }
}

impl CellConfig for WildfireConfig {
    fn engine(&self) -> Engine {
        self.engine
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}
