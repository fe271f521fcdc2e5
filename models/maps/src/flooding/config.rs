//! Configuration of floods over a terrain.

use imminent_cell::Engine;
use imminent_cell::study::CellConfig;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Configuration of a flood over a terrain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FloodConfig {
    /// Elevation in metres, GeoTIFF or ESRI ASCII grid.
    #[schemars(extend("format" = "path"))]
    pub elevation: String,
    /// Rain on all cells.
    #[schemars(range(min = 0.0, max = 1e4), extend("unit" = "mm/h"))]
    pub rain: f64,
    /// Hours that it rains; by default all.
    #[schemars(range(min = 0.0, max = 1e5), extend("unit" = "h"))]
    pub rain_hours: Option<f64>,
    /// Cell in which water rises, by row and column, and its discharge.
    #[schemars(extend("unit" = "ROW,COLUMN,M3_PER_S"))]
    pub source: Vec<(u32, u32, f64)>,
    /// Lets water leave by the edge of the terrain.
    pub open: bool,
    /// Length of a step; water moves by one cell in it at most.
    #[schemars(range(min = 1e-3, max = 3600.0), extend("unit" = "s"))]
    pub step: f64,
    /// Simulated time.
    #[schemars(range(min = 0.0, max = 1e5), extend("unit" = "h"))]
    pub horizon: f64,
    /// Time advance; the result is the same.
    pub engine: Engine,
}

impl Default for FloodConfig {
    fn default() -> Self {
        FloodConfig {
            elevation: String::new(),
            rain: 0.0,
            rain_hours: None,
            source: vec![],
            open: false,
            step: 1.0,
            horizon: 50.0,
            engine: Engine::Auto,
        }
    }
}

impl CellConfig for FloodConfig {
    fn engine(&self) -> Engine {
        self.engine
    }
}
